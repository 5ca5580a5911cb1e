fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let kind2 = __autograph::token();
    let mut y = x.clone();
    {
        let mut branch2 = flow
            .branch(&kind2, &((&&&&__autograph::Pair(&(x), &(0))).greater()), &[]);
        let arms2: __autograph::Link<()> = __autograph::link();
        let value2: ::core::option::Option<__autograph::Arm<(), _>> = loop {
            let value = if branch2.arm() {
                if __autograph::is_graph(&kind2) {
                    __autograph::graph_only(&kind2);
                    branch2.enter(&mut [__autograph::slot(&kind2, "y", &mut y)]);
                }
                {
                    ::core::option::Option::Some(
                        __autograph::Arm(
                            arms2
                                .value({
                                    y = x * 2;
                                }),
                            (),
                        ),
                    )
                }
            } else {
                if __autograph::is_graph(&kind2) {
                    __autograph::graph_only(&kind2);
                    branch2.enter(&mut [__autograph::slot(&kind2, "y", &mut y)]);
                }
                { ::core::option::Option::Some(__autograph::Arm(arms2.value({}), ())) }
            };
            if __autograph::is_graph(&kind2) {
                __autograph::graph_only(&kind2);
                branch2.leave(&mut [__autograph::slot(&kind2, "y", &mut y)]);
            }
            match branch2.end(&kind2, value) {
                __autograph::End::Done(value) => break value,
                __autograph::End::Again => {
                    __autograph::graph_only(&kind2);
                }
            }
        };
        if __autograph::is_graph(&kind2) {
            __autograph::graph_only(&kind2);
            branch2.take(&mut [__autograph::slot(&kind2, "y", &mut y)]);
        }
        let __autograph::Arm(value, ()) = __autograph::there(value2);
        value
    }
    Ok(y)
}
