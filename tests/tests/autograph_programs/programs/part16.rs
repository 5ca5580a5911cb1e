//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p102 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            y2 = &a % num(3);
            for at5 in 0..3i64 {
                if (b < num(100)) && (at5 < 1) {
                    let z6;
                    if b <= &y1 - num(2) {
                        z6 = &y3 * num(1.0);
                    } else {
                        z6 = &y3 + num(1.0);
                    }
                    y4 = ((y2 < num(1)) || (&z6 % num(10.0) >= &y3 - num(3.25))) && ((&a + &y2 != num(7)) && (x != &x - num(0.75)));
                } else if (k != 1) {
                }
                let n8 = &y2 % num(5);
                'l1: for at7 in ints(2, n8) {
                    if &y3 % num(3.25) < &y3 - num(3.25) {
                        return Ok((&y2 * num(3), (y3.clone()) + &y3, y4.clone()));
                    }
                }
                if &y3 + &y3 == num(0.75) {
                    if !c {
                        {
                        }
                        (y2, y3) = (&y2 - &a, x.clone());
                        y3 = &x % num(1.0);
                    }
                    y1 *= a.clone();
                }
            }
            y3 -= num(0.75);
            Ok((&a + num(k), float(&y2)?, (&x % num(2.0) == num(0.5)) && (&y1 % num(2) < num(5))))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            y2 = a % 3;
            for at5 in 0..3i64 {
                if (b < 100) && (at5 < 1) {
                    let z6;
                    if b <= &y1 - 2 {
                        z6 = &y3 * 1.0;
                    } else {
                        z6 = &y3 + 1.0;
                    }
                    y4 = ((y2 < 1) || (&z6 % 10.0 >= &y3 - 3.25)) && ((a + &y2 != 7) && (x != x - 0.75));
                } else if (k != 1) {
                }
                let n8 = &y2 % 5;
                'l1: for at7 in 2..&n8 {
                    if &y3 % 3.25 < &y3 - 3.25 {
                        return Ok((&y2 * 3, (y3.clone()) + &y3, y4.clone()));
                    }
                }
                if &y3 + &y3 == 0.75 {
                    if !c {
                        {
                        }
                        (y2, y3) = (&y2 - a, x.clone());
                        y3 = x % 1.0;
                    }
                    y1 *= a.clone();
                }
            }
            y3 -= 0.75;
            Ok((a + k, float(&y2)?, (x % 2.0 == 0.5) && (&y1 % 2 < 5)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p103 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y1 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = ((if (&a + &a > num(2)) || (y2 > num(7)) { b.clone() } else { y2.clone() }) + num(0), -&x);
            (y2, y4.1) = (&b + &a, (if b < num(3) { scalar(0.5f64) } else { x.clone() }) - num(0.75));
            if a > &a - num(5) {
            }
            if (k == 3) {
                (y4.0, y4.1) = (&y2 + &b, &x / num(0.75));
                y4.0 *= -&b;
            } else {
                for at5 in v.iter().copied() {
                    y2 = &b * &y2;
                }
                let mut y6 = if c != y3 {
                    y4.0 = &b % num(7);
                    let n8 = &y4.0 % num(5);
                    'l0: for at7 in ints(2, n8) {
                        if flag || ((a >= num(0)) || (y2 != &a - num(7))) {
                            y2 = y4.0.clone();
                        } else {
                            y4.1 -= y4.1;
                            y4.1 *= &y4.1 + &y1;
                        }
                        y4.1 = float(&y2)?;
                        y4.1 /= num(0.75);
                    }
                    return Ok((-&y2, &y1 * &y4.1, scalar(true)));
                } else {
                    (a.clone()) + &a
                };
            }
            Ok((&a % (&b % num(5) + num(7)), keep(&y1)?, &x % num(2.0) >= num(2.0)))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y1 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = ((if (a + a > 2) || (y2 > 7) { b.clone() } else { y2.clone() }) + 0, -x);
            (y2, y4.1) = (b + a, (if b < 3 { scalar(0.5f64) } else { x.clone() }) - 0.75);
            if a > a - 5 {
            }
            if (k == 3) {
                (y4.0, y4.1) = (&y2 + b, x / 0.75);
                y4.0 *= -b;
            } else {
                for at5 in v {
                    y2 = b * &y2;
                }
                let mut y6 = if c != y3 {
                    y4.0 = b % 7;
                    let n8 = &y4.0 % 5;
                    'l0: for at7 in 2..&n8 {
                        if flag || ((a >= 0) || (y2 != a - 7)) {
                            y2 = y4.0.clone();
                        } else {
                            y4.1 -= y4.1;
                            y4.1 *= &y4.1 + &y1;
                        }
                        y4.1 = float(&y2)?;
                        y4.1 /= 0.75;
                    }
                    return Ok((-&y2, &y1 * &y4.1, scalar(true)));
                } else {
                    (a.clone()) + a
                };
            }
            Ok((a % (b % 5 + 7), keep(&y1)?, x % 2.0 >= 2.0))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p104 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![&a / num(3), a.clone()];
            if &x + &y3 <= &y3 - num(1.0) {
                y5[1] = &y1 % num(3);
            }
            y5[0] *= num(0);
            let z6;
            if (&x + &y3 != &x - num(3.25)) && (y5[0] != num(7)) {
                'l0: for at7 in 0..1i64 {
                    if (y4) || (&y3 % num(2.0) <= num(0.75)) {
                        y3 = &x + &x;
                    }
                    y5[0] = scalar(3i64);
                    let mut y8 = match at7 {
                        0 => {
                            y4 = !y4;
                            (if (y5[0] != num(5)) || (y3 != x) { y1.clone() } else { keep(&y2)? }) * num(1)
                        }
                        1 | 2 => {
                            {
                                y3 = num(2.0) + &y3;
                                y2 *= num(5);
                            }
                            y3 = &y3 - &y3;
                            &y5[0] + &a
                        }
                        n if n > 4 => {
                            y3 *= y3.clone();
                            if (!(y1 == num(1))) && (x >= num(1.0)) {
                                y3 = &x - &y3;
                                y5[0] -= num(0);
                                y5[0] /= num(2);
                            } else if a > a {
                                y2 += y5[1].clone();
                            }
                            &b + num(1)
                        }
                        _ => {
                            num(1) + &y5[0]
                        }
                    };
                }
                z6 = y3.clone();
            } else {
                y5[1] -= num(100);
                z6 = &x - &x;
            }
            Ok(((if (y1 < num(2)) || (k > 3) { scalar(3i64) } else { y5[0].clone() }) * num(2), &y3 / num(0.5), y4.clone()))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![a / 3, a.clone()];
            if x + &y3 <= &y3 - 1.0 {
                y5[1] = &y1 % 3;
            }
            y5[0] *= 0;
            let z6;
            if (x + &y3 != x - 3.25) && (y5[0] != 7) {
                'l0: for at7 in 0..1i64 {
                    if (y4) || (&y3 % 2.0 <= 0.75) {
                        y3 = x + x;
                    }
                    y5[0] = scalar(3i64);
                    let mut y8 = match at7 {
                        0 => {
                            y4 = !y4;
                            (if (y5[0] != 5) || (y3 != x) { y1.clone() } else { keep(&y2)? }) * 1
                        }
                        1 | 2 => {
                            {
                                y3 = 2.0 + &y3;
                                y2 *= 5;
                            }
                            y3 = &y3 - &y3;
                            &y5[0] + a
                        }
                        n if n > 4 => {
                            y3 *= y3.clone();
                            if (!(y1 == 1)) && (x >= 1.0) {
                                y3 = x - &y3;
                                y5[0] -= 0;
                                y5[0] /= 2;
                            } else if a > a {
                                y2 += y5[1].clone();
                            }
                            b + 1
                        }
                        _ => {
                            1 + &y5[0]
                        }
                    };
                }
                z6 = y3.clone();
            } else {
                y5[1] -= 100;
                z6 = x - x;
            }
            Ok(((if (y1 < 2) || (k > 3) { scalar(3i64) } else { y5[0].clone() }) * 2, &y3 / 0.5, y4.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p107 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (keep(&y2)?, &y3 / num(3.25));
            let z6;
            if y4 != y4 {
                z6 = (&y5.0 / num(7), -&x);
            } else {
                z6 = (b.clone(), -&x);
            }
            let mut y7 = vec![&y1 % (&y5.0 % num(5) + num(7)), &a / num(7)];
            let mut at8 = scalar(0i64);
            'l0: while at8 < num(3) {
                at8 += num(1);
                (y1, y5.1) = (&y7[1] + &y1, &x / num(0.75));
                y5.0 /= num(10);
            }
            Ok((y7[0].clone(), &z6.1 + &x, y4 == c))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (keep(&y2)?, &y3 / 3.25);
            let z6;
            if y4 != y4 {
                z6 = (&y5.0 / 7, -x);
            } else {
                z6 = (b.clone(), -x);
            }
            let mut y7 = vec![&y1 % (&y5.0 % 5 + 7), a / 7];
            let mut at8 = scalar(0i64);
            'l0: while at8 < 3 {
                at8 += 1;
                (y1, y5.1) = (&y7[1] + &y1, x / 0.75);
                y5.0 /= 10;
            }
            Ok((y7[0].clone(), &z6.1 + x, y4 == c))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
