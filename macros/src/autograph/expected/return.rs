fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let kind2 = __autograph::token();
    let value: ::core::option::Option<Result<Tensor>> = 'body1: {
        ::core::option::Option::Some({
            {
                let mut branch2 = flow
                    .branch(&kind2, &((&&&&__autograph::Pair(&(x), &(0))).equal()), &[]);
                let arms2: __autograph::Link<()> = __autograph::link();
                let value2: ::core::option::Option<__autograph::Arm<(), _>> = loop {
                    let value = if branch2.arm() {
                        'region4: {
                            ::core::option::Option::Some(
                                __autograph::Arm(
                                    arms2
                                        .value({
                                            {
                                                let value: Result<Tensor> = Ok(x - 1);
                                                if flow.leaving() {
                                                    __autograph::graph_only(&kind2);
                                                    flow.note_return(&kind2, value);
                                                    break 'region4 ::core::option::Option::None;
                                                }
                                                return value;
                                            };
                                        }),
                                    (),
                                ),
                            )
                        }
                    } else {
                        {
                            ::core::option::Option::Some(
                                __autograph::Arm(arms2.value({}), ()),
                            )
                        }
                    };
                    match branch2.end(&kind2, value) {
                        __autograph::End::Done(value) => break value,
                        __autograph::End::Again => {
                            __autograph::graph_only(&kind2);
                        }
                    }
                };
                match value2 {
                    ::core::option::Option::Some(__autograph::Arm(value, ())) => value,
                    ::core::option::Option::None => {
                        __autograph::graph_only(&kind2);
                        break 'body1 ::core::option::Option::None;
                    }
                }
            }
            {
                let left6 = kind2;
                let mut rest6 = flow.rest();
                let value6: ::core::option::Option<
                    __autograph::Arm<Result<Tensor>, _>,
                > = {
                    ::core::option::Option::Some(__autograph::Arm({ Ok(x + 1) }, ()))
                };
                let value6 = rest6.end(&left6, value6);
                match value6 {
                    ::core::option::Option::Some(__autograph::Arm(value, ())) => value,
                    ::core::option::Option::None => {
                        __autograph::graph_only(&kind2);
                        break 'body1 ::core::option::Option::None;
                    }
                }
            }
        })
    };
    __autograph::finish(&flow, &kind2, value)
}
