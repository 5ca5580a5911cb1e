fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let mut y = x.clone();
    let body2 = __autograph::token();
    let kind4 = __autograph::token();
    let kinds7 = __autograph::join(&(&body2, (&kind4, ())));
    {
        let repeat2 = flow.repeat("for");
        'repeat2: for k in 0..3 {
            if __autograph::is_graph(&body2) {
                __autograph::graph_only(&body2);
                repeat2.begin(&mut [__autograph::slot(&body2, "y", &mut y)]);
            }
            let _: ::core::option::Option<()> = 'region3: {
                ::core::option::Option::Some({
                    {
                        let value = 'arms4: {
                            let mut branch4 = flow
                                .branch(
                                    &kind4,
                                    &((&&&&__autograph::Pair(&(y), &(k))).greater()),
                                    &[],
                                );
                            if branch4.then() {
                                let value: ::core::option::Option<()> = 'region6: {
                                    ::core::option::Option::Some({
                                        {
                                            if repeat2.leaving() {
                                                __autograph::graph_only(&kinds7);
                                                repeat2.note_break(&kinds7, ());
                                                break 'region6 ::core::option::Option::None;
                                            }
                                            break 'repeat2;
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
                        flow.rest(&mut [__autograph::slot(&kind4, "y", &mut y)]);
                    }
                    y += 1;
                })
            };
            if __autograph::is_graph(&body2) {
                __autograph::graph_only(&body2);
                if repeat2.end(&mut [__autograph::slot(&body2, "y", &mut y)]) {
                    break 'repeat2;
                }
            }
        }
        __autograph::same(&body2, &kind4);
        repeat2.close();
    }
    Ok(y)
}
