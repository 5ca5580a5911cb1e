fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let mut y = x.clone();
    let kind2 = __autograph::token();
    'arms2: {
        let mut branch2 = flow
            .branch(&kind2, &((&&&&__autograph::Pair(&(x), &(0))).greater()), &[]);
        if __autograph::is_graph(&kind2) {
            __autograph::graph_only(&kind2);
            branch2.enter(&mut [__autograph::slot(&kind2, "y", &mut y)]);
        }
        if branch2.then() {
            let value: () = {
                y = x * 2;
            };
            if branch2.done() {
                break 'arms2 value;
            }
            __autograph::graph_only(&kind2);
            branch2
                .keep(
                    ::core::option::Option::Some(value),
                    &mut [__autograph::slot(&kind2, "y", &mut y)],
                );
        }
        let value: () = {};
        if branch2.done() {
            break 'arms2 value;
        }
        __autograph::graph_only(&kind2);
        __autograph::there(
            branch2
                .join(
                    ::core::option::Option::Some(value),
                    &mut [__autograph::slot(&kind2, "y", &mut y)],
                ),
        )
    }
    Ok(y)
}
