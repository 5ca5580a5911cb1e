fn f(n: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let flow = __autograph::Flow::new();
    let mut x = n.clone();
    let kind2 = __autograph::token();
    match (&&&&__autograph::Over::new((&&&__autograph::Ends(&(0), &(n))).range()))
        .items()
    {
        mut items => {
            __autograph::mark(&kind2, &items);
            let repeat2 = flow.repeat("for");
            'repeat2: loop {
                if __autograph::is_graph(&kind2) {
                    __autograph::graph_only(&kind2);
                    items.turn(&repeat2, &mut [__autograph::slot(&kind2, "x", &mut x)]);
                }
                let ::core::option::Option::Some(item) = items.next() else {
                    break 'repeat2;
                };
                let i = item;
                {
                    x += i;
                }
            }
        }
    }
    Ok(x)
}
