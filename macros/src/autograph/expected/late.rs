fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let kind2 = __autograph::token();
    #[allow(unused_variables)]
    let y;
    {
        let mut branch2 = flow
            .branch(&kind2, &((&&&&__autograph::Pair(&(x), &(0))).greater()), &["y"]);
        let arms2: __autograph::Link<()> = __autograph::link();
        let value2: ::core::option::Option<__autograph::Arm<(), _>> = loop {
            let value = if branch2.arm() {
                {
                    #[allow(unused_mut, unused_variables, unused_assignments)]
                    let y;
                    ::core::option::Option::Some(
                        __autograph::Arm(
                            arms2
                                .value({
                                    y = x * 2;
                                }),
                            (y,),
                        ),
                    )
                }
            } else {
                {
                    #[allow(unused_mut, unused_variables, unused_assignments)]
                    let y;
                    ::core::option::Option::Some(
                        __autograph::Arm(
                            arms2
                                .value({
                                    y = x - 1;
                                }),
                            (y,),
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
        let __autograph::Arm(value, (late0,)) = __autograph::there(value2);
        y = late0;
        value
    }
    Ok(y)
}
