fn f(x: &Tensor) -> Result<Tensor> {
    #[allow(unused_imports)]
    use ::extype::__private::autograph as __autograph;
    #[allow(unused_imports)]
    use ::extype::__private::autograph::methods::*;
    {
        if let ::core::option::Option::Some(failed) = __autograph::check(
            &((&&&&__autograph::Pair(&(x), &(0))).greater()),
            false,
        ) {
            match (&(1),) {
                (argument0,) => {
                    failed
                        .raise(
                            &[
                                __autograph::Piece::Text(__autograph::text("x is ")),
                                match &(x) {
                                    value => {
                                        match (&&__autograph::Shown(value)).tensor() {
                                            ::core::option::Option::Some(tensor) => {
                                                __autograph::Piece::Tensor(tensor)
                                            }
                                            ::core::option::Option::None => {
                                                __autograph::Piece::Text(
                                                    __autograph::format!("{:?}", value),
                                                )
                                            }
                                        }
                                    }
                                },
                                __autograph::Piece::Text(__autograph::text(", ")),
                                match &(*argument0) {
                                    value => {
                                        match (&&__autograph::Shown(value)).tensor() {
                                            ::core::option::Option::Some(tensor) => {
                                                __autograph::Piece::Tensor(tensor)
                                            }
                                            ::core::option::Option::None => {
                                                __autograph::Piece::Text(__autograph::format!("{:}", value))
                                            }
                                        }
                                    }
                                },
                            ],
                        )
                }
            };
        }
    };
    __autograph::print(
        &[
            match &(x) {
                value => {
                    match (&&__autograph::Shown(value)).tensor() {
                        ::core::option::Option::Some(tensor) => {
                            __autograph::Piece::Tensor(tensor)
                        }
                        ::core::option::Option::None => {
                            __autograph::Piece::Text(__autograph::format!("{:}", value))
                        }
                    }
                }
            },
        ],
        "stdout",
        true,
    );
    x.neg()
}
