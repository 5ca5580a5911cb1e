fn f(n: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let mut x = n.clone();
    let kind2 = __autograph::token();
    {
        let repeat2 = flow.repeat("while");
        'repeat2: while repeat2
            .test(&kind2, &((&&&&__autograph::Pair(&(x), &(1))).greater()))
        {
            if __autograph::is_graph(&kind2) {
                __autograph::graph_only(&kind2);
                if !repeat2.turn(&mut [__autograph::slot(&kind2, "x", &mut x)]) {
                    break 'repeat2;
                }
            }
            {
                x = x / 2;
            }
        }
    }
    Ok(x)
}
