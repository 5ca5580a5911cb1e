fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    #[allow(unused_variables)]
    let y;
    let kind2 = __autograph::token();
    {
        let value = 'arms2: {
            let mut branch2 = flow
                .branch(
                    &kind2,
                    &((&&&&__autograph::Pair(&(x), &(0))).greater()),
                    &["y"],
                );
            if branch2.then() {
                let value: __autograph::ArmResults<(), _> = {
                    #[allow(unused_mut, unused_variables, unused_assignments)]
                    let y;
                    __autograph::ArmResults(
                        {
                            y = x * 2;
                        },
                        (y,),
                    )
                };
                if branch2.done() {
                    break 'arms2 value;
                }
                __autograph::graph_only(&kind2);
                branch2.keep(::core::option::Option::Some(value), &mut []);
            }
            let value: __autograph::ArmResults<(), _> = {
                #[allow(unused_mut, unused_variables, unused_assignments)]
                let y;
                __autograph::ArmResults(
                    {
                        y = x - 1;
                    },
                    (y,),
                )
            };
            if branch2.done() {
                break 'arms2 value;
            }
            __autograph::graph_only(&kind2);
            __autograph::there(
                branch2.join(::core::option::Option::Some(value), &mut []),
            )
        };
        let __autograph::ArmResults(value, (late0,)) = value;
        y = late0;
        value
    }
    Ok(y)
}
