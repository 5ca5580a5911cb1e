fn f(n: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let mut x = n.clone();
    let body2 = __autograph::token();
    let kind4 = __autograph::token();
    let kinds7 = __autograph::join(&(&body2, (&kind4, ())));
    let last = {
        let repeat2 = flow.repeat("loop");
        let value = 'repeat2: loop {
            if __autograph::is_graph(&body2) {
                __autograph::graph_only(&body2);
                if !repeat2.turn(&mut [__autograph::slot(&body2, "x", &mut x)]) {
                    break 'repeat2 repeat2.value(&body2);
                }
            }
            if __autograph::is_graph(&body2) {
                __autograph::graph_only(&body2);
                repeat2.begin(&mut [__autograph::slot(&body2, "x", &mut x)]);
            }
            let _: ::core::option::Option<()> = 'region3: {
                ::core::option::Option::Some({
                    {
                        let value = 'arms4: {
                            let mut branch4 = flow
                                .branch(
                                    &kind4,
                                    &((&&&&__autograph::Pair(&(x), &(100))).greater()),
                                    &[],
                                );
                            if branch4.then() {
                                let value: ::core::option::Option<()> = 'region6: {
                                    ::core::option::Option::Some({
                                        {
                                            let value = (if __autograph::is_graph(&kinds7) {
                                                __autograph::graph_only(&kinds7);
                                                (&&&__autograph::Own(&x, &kinds7)).own()
                                            } else {
                                                __autograph::plain_only(&kinds7);
                                                x
                                            });
                                            if repeat2.leaving() {
                                                __autograph::graph_only(&kinds7);
                                                repeat2.note_break(&kinds7, value);
                                                break 'region6 ::core::option::Option::None;
                                            }
                                            break 'repeat2 ::core::option::Option::Some(value);
                                        };
                                    })
                                };
                                if branch4.done() {
                                    break 'arms4 value;
                                }
                                __autograph::graph_only(&kind4);
                                branch4.keep(value, &mut []);
                            }
                            let value: ::core::option::Option<()> = ::core::option::Option::Some({});
                            if branch4.done() {
                                break 'arms4 value;
                            }
                            __autograph::graph_only(&kind4);
                            branch4.join(value, &mut [])
                        };
                        match value {
                            ::core::option::Option::Some(value) => value,
                            ::core::option::Option::None => {
                                __autograph::graph_only(&kinds7);
                                break 'region3 ::core::option::Option::None;
                            }
                        }
                    }
                    if __autograph::is_graph(&kind4) {
                        __autograph::graph_only(&kind4);
                        flow.rest(&mut [__autograph::slot(&kind4, "x", &mut x)]);
                    }
                    x *= 2;
                })
            };
            if __autograph::is_graph(&body2) {
                __autograph::graph_only(&body2);
                if repeat2.end(&mut [__autograph::slot(&body2, "x", &mut x)]) {
                    break 'repeat2 repeat2.value(&body2);
                }
            }
        };
        __autograph::same(&body2, &kind4);
        repeat2.close();
        __autograph::there(value)
    };
    Ok(last)
}
