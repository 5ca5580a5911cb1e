fn f(x: &Tensor, v: Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let kind2 = __autograph::token();
    let y = {
        let mut branch2 = flow
            .branch(&kind2, &((&&&&__autograph::Pair(&(x), &(0))).greater()), &[]);
        let arms2 = __autograph::link();
        let value2 = loop {
            let value = if branch2.arm() {
                {
                    ::core::option::Option::Some(
                        __autograph::Arm(
                            arms2
                                .value({
                                    (if __autograph::is_graph(&kind2) {
                                        __autograph::graph_only(&kind2);
                                        (&&&&__autograph::Own(&v, &kind2)).own()
                                    } else {
                                        __autograph::plain_only(&kind2);
                                        v
                                    })
                                }),
                            (),
                        ),
                    )
                }
            } else {
                {
                    ::core::option::Option::Some(
                        __autograph::Arm(
                            arms2
                                .value({
                                    (if __autograph::is_graph(&kind2) {
                                        __autograph::graph_only(&kind2);
                                        (&&&&__autograph::Own(&v, &kind2)).own()
                                    } else {
                                        __autograph::plain_only(&kind2);
                                        v
                                    }) + 1
                                }),
                            (),
                        ),
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
        let __autograph::Arm(value, ()) = __autograph::there(value2);
        value
    };
    Ok(y)
}
