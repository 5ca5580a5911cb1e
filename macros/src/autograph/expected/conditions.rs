fn f(x: &Tensor, on: bool) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    let missing = (&&&&__autograph::Pair(&(x), &(3))).greater_equal();
    Ok({
        let mut left = __autograph::or(
            &({
                let mut left = __autograph::and(
                    &((&&&__autograph::Single(&(missing))).not()),
                    true,
                );
                if left.asks() { left.both(&(on)) } else { left.decided() }
            }),
            true,
        );
        if left.asks() {
            left.both(&((&&&&__autograph::Pair(&(x), &(0))).equal()))
        } else {
            left.decided()
        }
    })
}
