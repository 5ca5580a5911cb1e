fn f(n: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let kind2 = __autograph::token();
    let body2 = __autograph::token();
    let mut x = n.clone();
    match (&&&__autograph::Over::new((&&&__autograph::Ends(&(0), &(n))).range())).items()
    {
        mut items => {
            __autograph::mark(&kind2, &items);
            let repeat2 = flow.repeat("for");
            'repeat2: loop {
                if __autograph::is_graph(&kind2) {
                    __autograph::graph_only(&kind2);
                    items
                        .turn(
                            &flow,
                            &repeat2,
                            &mut [__autograph::slot(&kind2, "x", &mut x)],
                        );
                }
                let i = match items.next() {
                    ::core::option::Option::Some(item) => item,
                    ::core::option::Option::None => break 'repeat2,
                };
                {
                    x += i;
                }
            }
            __autograph::same(&body2, &kind2);
            repeat2.close(&flow);
        }
    }
    Ok(x)
}
