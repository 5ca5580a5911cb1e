fn f(n: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let body2 = __autograph::token();
    let kind4 = __autograph::token();
    let mut x = n.clone();
    let last = {
        let repeat2 = flow.repeat("loop");
        let value = 'repeat2: loop {
            if __autograph::is_graph(&body2) {
                __autograph::graph_only(&body2);
                if !repeat2
                    .turn(&flow, true, &mut [__autograph::slot(&body2, "x", &mut x)])
                {
                    break 'repeat2 repeat2.value(&flow, &body2);
                }
            }
            let _: ::core::option::Option<()> = 'region3: {
                ::core::option::Option::Some({
                    {
                        let mut branch4 = flow
                            .branch(
                                &kind4,
                                &((&&&&__autograph::Pair(&(x), &(100))).greater()),
                                &[],
                            );
                        let arms4: __autograph::Link<()> = __autograph::link();
                        let value4: ::core::option::Option<__autograph::Arm<(), _>> = loop {
                            let value = if branch4.arm() {
                                'region6: {
                                    ::core::option::Option::Some(
                                        __autograph::Arm(
                                            arms4
                                                .value({
                                                    {
                                                        let value = (if __autograph::is_graph(
                                                            &__autograph::join(&(&body2, (&kind4, ()))),
                                                        ) {
                                                            __autograph::graph_only(
                                                                &__autograph::join(&(&body2, (&kind4, ()))),
                                                            );
                                                            (&&__autograph::Out(
                                                                &x,
                                                                &__autograph::join(&(&body2, (&kind4, ()))),
                                                            ))
                                                                .out()
                                                        } else {
                                                            __autograph::plain_only(
                                                                &__autograph::join(&(&body2, (&kind4, ()))),
                                                            );
                                                            x
                                                        });
                                                        if repeat2.leaving(&flow) {
                                                            __autograph::graph_only(
                                                                &__autograph::join(&(&kind4, (&body2, ()))),
                                                            );
                                                            repeat2
                                                                .note_break(
                                                                    &flow,
                                                                    &__autograph::join(&(&kind4, (&body2, ()))),
                                                                    value,
                                                                );
                                                            break 'region6 ::core::option::Option::None;
                                                        }
                                                        break 'repeat2 ::core::option::Option::Some(value);
                                                    };
                                                }),
                                            (),
                                        ),
                                    )
                                }
                            } else {
                                {
                                    ::core::option::Option::Some(
                                        __autograph::Arm(arms4.value({}), ()),
                                    )
                                }
                            };
                            match branch4.end(&kind4, value) {
                                __autograph::End::Done(value) => break value,
                                __autograph::End::Again => {
                                    __autograph::graph_only(&kind4);
                                }
                            }
                        };
                        match value4 {
                            ::core::option::Option::Some(__autograph::Arm(value, ())) => {
                                value
                            }
                            ::core::option::Option::None => {
                                __autograph::graph_only(
                                    &__autograph::join(&(&kind4, (&body2, ()))),
                                );
                                break 'region3 ::core::option::Option::None;
                            }
                        }
                    }
                    {
                        let left8 = kind4;
                        let mut rest8 = flow.rest();
                        if __autograph::is_graph(&left8) {
                            __autograph::graph_only(&left8);
                            rest8
                                .enter(
                                    &mut [
                                        __autograph::slot(&left8, "x", &mut x).until(&repeat2),
                                    ],
                                );
                        }
                        let value8: ::core::option::Option<__autograph::Arm<(), _>> = {
                            ::core::option::Option::Some(
                                __autograph::Arm(
                                    {
                                        x *= 2;
                                    },
                                    (),
                                ),
                            )
                        };
                        if __autograph::is_graph(&left8) {
                            __autograph::graph_only(&left8);
                            rest8
                                .leave(
                                    &mut [
                                        __autograph::slot(&left8, "x", &mut x).until(&repeat2),
                                    ],
                                );
                        }
                        let value8 = rest8.end(&left8, value8);
                        if __autograph::is_graph(&left8) {
                            __autograph::graph_only(&left8);
                            rest8
                                .take(
                                    &mut [
                                        __autograph::slot(&left8, "x", &mut x).until(&repeat2),
                                    ],
                                );
                        }
                        match value8 {
                            ::core::option::Option::Some(__autograph::Arm(value, ())) => {
                                value
                            }
                            ::core::option::Option::None => {
                                __autograph::graph_only(&kind4);
                                break 'region3 ::core::option::Option::None;
                            }
                        }
                    }
                })
            };
        };
        __autograph::same(&body2, &kind4);
        repeat2.close(&flow);
        __autograph::there(value)
    };
    Ok(last)
}
