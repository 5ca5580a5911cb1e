fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let left6 = __autograph::token();
    let value: ::core::option::Option<Result<Tensor>> = 'region1: {
        ::core::option::Option::Some({
            let kind2 = __autograph::token();
            {
                let value = 'arms2: {
                    let mut branch2 = flow
                        .branch(
                            &kind2,
                            &((&&&&__autograph::Pair(&(x), &(0))).equal()),
                            &[],
                        );
                    if branch2.then() {
                        let value: ::core::option::Option<()> = 'region4: {
                            ::core::option::Option::Some({
                                {
                                    let value: Result<Tensor> = Ok(x - 1);
                                    if flow.leaving() {
                                        __autograph::graph_only(&kind2);
                                        flow.note_return(&kind2, value);
                                        break 'region4 ::core::option::Option::None;
                                    }
                                    return value;
                                };
                            })
                        };
                        if branch2.done() {
                            break 'arms2 value;
                        }
                        __autograph::graph_only(&kind2);
                        branch2.keep(value, &mut []);
                    }
                    let value: ::core::option::Option<()> = ::core::option::Option::Some({});
                    if branch2.done() {
                        break 'arms2 value;
                    }
                    __autograph::graph_only(&kind2);
                    branch2.join(value, &mut [])
                };
                match value {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => {
                        __autograph::graph_only(&kind2);
                        break 'region1 ::core::option::Option::None;
                    }
                }
            }
            flow.rest(&mut []);
            __autograph::same(&left6, &kind2);
            Ok(x + 1)
        })
    };
    __autograph::finish(&flow, &left6, value)
}
