fn f(n: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let kind2 = __autograph::token();
    let body2 = __autograph::token();
    let mut x = n.clone();
    {
        let repeat2 = flow.repeat("while");
        'repeat2: loop {
            let go = repeat2.asks(&flow)
                && repeat2
                    .test(
                        &flow,
                        &kind2,
                        &((&&&&__autograph::Pair(&(x), &(1))).greater()),
                    );
            let go = if __autograph::is_graph(&kind2) {
                __autograph::graph_only(&kind2);
                repeat2.turn(&flow, go, &mut [__autograph::slot(&kind2, "x", &mut x)])
            } else {
                go
            };
            if !go {
                break 'repeat2;
            }
            {
                x = (if __autograph::is_graph(&kind2) {
                    __autograph::graph_only(&kind2);
                    (&&&&__autograph::Own(&x, &kind2)).own()
                } else {
                    __autograph::plain_only(&kind2);
                    x
                }) / 2;
            }
        }
        __autograph::same(&body2, &kind2);
        repeat2.close(&flow);
    }
    Ok(x)
}
