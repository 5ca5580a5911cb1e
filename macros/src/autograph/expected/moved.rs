fn f(x: &Tensor, v: Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let kind2 = __autograph::token();
    let y = 'arms2: {
        let mut branch2 = flow
            .branch(&kind2, &((&&&&__autograph::Pair(&(x), &(0))).greater()), &[]);
        let types2 = __autograph::link();
        if branch2.then() {
            let value = types2
                .value({
                    (if __autograph::is_graph(&kind2) {
                        __autograph::graph_only(&kind2);
                        (&&&&&__autograph::Own(&v, &kind2)).own()
                    } else {
                        __autograph::plain_only(&kind2);
                        v
                    })
                });
            if branch2.done() {
                break 'arms2 value;
            }
            __autograph::graph_only(&kind2);
            branch2.keep(::core::option::Option::Some(value), &mut []);
        }
        let value = types2
            .value({
                (if __autograph::is_graph(&kind2) {
                    __autograph::graph_only(&kind2);
                    (&&&&&__autograph::Own(&v, &kind2)).own()
                } else {
                    __autograph::plain_only(&kind2);
                    v
                }) + 1
            });
        if branch2.done() {
            break 'arms2 value;
        }
        __autograph::graph_only(&kind2);
        __autograph::there(branch2.join(::core::option::Option::Some(value), &mut []))
    };
    Ok(y)
}
