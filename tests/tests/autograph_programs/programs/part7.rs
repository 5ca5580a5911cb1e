//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p52 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (num(1) + &y2, &y3 - &y3);
            y5.0 = &a / (&y2 % num(5) + num(7));
            if y4 != y4 {
                let mut at6 = scalar(0i64);
                'l0: while at6 < num(4) && (b <= num(100)) {
                    at6 += num(1);
                }
                {
                }
                y4 = y4 != c;
            }
            Ok((&y1 + &y2, (y3.clone()) * &y3, b < &y5.0 - num(3)))
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
            let mut y5 = (1 + &y2, &y3 - &y3);
            y5.0 = a / (&y2 % 5 + 7);
            if y4 != y4 {
                let mut at6 = scalar(0i64);
                'l0: while at6 < 4 && (b <= 100) {
                    at6 += 1;
                }
                {
                }
                y4 = y4 != c;
            }
            Ok((&y1 + &y2, (y3.clone()) * &y3, b < &y5.0 - 3))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p53 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y2 = (&y1 * &a, y2.clone());
            if !y3 {
                let mut y1 = &y2.0 - num(k);
                y2.1 = &y2.1 - num(10.0);
            } else {
                let mut y4 = match k {
                    0 => {
                        y1 > y2.0
                    }
                    1 | 2 => {
                        y1 *= num(1);
                        y2 = (&a - &y2.0, &y2.1 - &y2.1);
                        return Ok((b.clone(), &x * num(2.0), &a % num(2) <= a));
                    }
                    n if n > 4 => {
                        let mut at5 = scalar(0i64);
                        'l0: while at5 < num(2) && (&y2.1 % num(3.25) == num(0.75)) {
                            at5 += num(1);
                            y2.0 -= num(100) * &b;
                            (y2.0, y2.1) = (keep(&y2.0)?, -&x);
                            y2.1 *= num(0.5);
                            if &x % num(0.75) == num(2.0) {
                                continue 'l0;
                            }
                        }
                        let mut at6 = scalar(0i64);
                        let mut y7 = loop {
                            at6 += num(1);
                            if at6 > num(2) { break scalar(true); }
                            y3 = x >= num(1.0);
                            if (&at6 + &y2.0 <= b) || (&at6 % num(3) < num(3)) {
                                break (x >= x) && (k == 2);
                            }
                        };
                        return Ok((&y2.0 - num(3), &x - &y2.1, (&y1 + &b > &y1 - num(1)) || (&a + &y1 >= b)));
                    }
                    _ => {
                        let mut y8 = (y2.0.clone(), (if y2.1 > num(3.25) { &x + &x } else { &x + &y2.1 }) + num(10.0));
                        'l0: for at9 in v.iter().copied() {
                            y8.1 = &y2.1 + num(2.0);
                        }
                        scalar(false)
                    }
                };
                y2.1 = y2.1;
            }
            Ok((&y2.0 * num(7), float(&y2.0)?, !(y2.1 >= num(10.0))))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y2 = (&y1 * a, y2.clone());
            if !y3 {
                let mut y1 = &y2.0 - k;
                y2.1 = &y2.1 - 10.0;
            } else {
                let mut y4 = match k {
                    0 => {
                        y1 > y2.0
                    }
                    1 | 2 => {
                        y1 *= 1;
                        y2 = (a - &y2.0, &y2.1 - &y2.1);
                        return Ok((b.clone(), x * 2.0, a % 2 <= a));
                    }
                    n if n > 4 => {
                        let mut at5 = scalar(0i64);
                        'l0: while at5 < 2 && (&y2.1 % 3.25 == 0.75) {
                            at5 += 1;
                            y2.0 -= 100 * b;
                            (y2.0, y2.1) = (keep(&y2.0)?, -x);
                            y2.1 *= 0.5;
                            if x % 0.75 == 2.0 {
                                continue 'l0;
                            }
                        }
                        let mut at6 = scalar(0i64);
                        let mut y7 = loop {
                            at6 += 1;
                            if at6 > 2 { break scalar(true); }
                            y3 = x >= 1.0;
                            if (&at6 + &y2.0 <= b) || (&at6 % 3 < 3) {
                                break (x >= x) && (k == 2);
                            }
                        };
                        return Ok((&y2.0 - 3, x - &y2.1, (&y1 + b > &y1 - 1) || (a + &y1 >= b)));
                    }
                    _ => {
                        let mut y8 = (y2.0.clone(), (if y2.1 > 3.25 { x + x } else { x + &y2.1 }) + 10.0);
                        'l0: for at9 in v {
                            y8.1 = &y2.1 + 2.0;
                        }
                        scalar(false)
                    }
                };
                y2.1 = y2.1;
            }
            Ok((&y2.0 * 7, float(&y2.0)?, !(y2.1 >= 10.0)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p55 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = if b < y1 {
                (&y1 / (&y1 % num(5) + num(7)), &y2 - &x)
            } else {
                let mut at5 = scalar(0i64);
                'l0: loop {
                    at5 += num(1);
                    if at5 > num(1) { break; }
                    y2 = &x / num(0.5);
                }
                let mut at6 = scalar(0i64);
                'l0: while at6 < num(3) {
                    at6 += num(1);
                    y1 = -&at6;
                    match k {
                        0 => {
                            'l1: for at7 in v.iter().copied() {
                                y3 = scalar(true);
                                y2 += y2.clone();
                            }
                            if (&b % num(7) == num(1)) || (k != 0) {
                                y1 -= num(5);
                                y3 = !(!(&b % num(3) > num(3)));
                                y2 = &y2 * num(2.0);
                            } else {
                                y1 -= &a % num(7);
                                y3 = scalar(false);
                                y2 = &x / num(0.5);
                            }
                        }
                        1 | 2 => {
                        }
                        n if n > 4 => {
                            let z8;
                            if y3 == y3 {
                                y2 -= y2.clone();
                                z8 = &y1 - &a;
                            } else {
                                y1 = &y1 * &a;
                                y2 = keep(&x)?;
                                z8 = &a + num(k);
                            }
                            let mut y9 = float(&a)?;
                            y3 = c.clone();
                        }
                        _ => {
                            if &at6 % num(7) >= num(3) {
                                y1 = y1;
                                return Ok(((if !(&y1 % num(2) >= num(2)) { y1 } else { b.clone() }) + num(5), &x + &y2, y3 != c));
                            } else if y3 == c {
                                y1 %= num(2);
                            }
                        }
                    }
                }
                ((if (y1 == b) && { y1 = &b % (&a % num(5) + num(7)); y1 < num(1) } { &y1 / (&a % num(5) + num(7)) } else { (a.clone()) + &a }) * num(0), -&y2)
            };
            Ok((num(2) + &a, -&y4.1, y3 != c))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = if b < y1 {
                (&y1 / (&y1 % 5 + 7), &y2 - x)
            } else {
                let mut at5 = scalar(0i64);
                'l0: loop {
                    at5 += 1;
                    if at5 > 1 { break; }
                    y2 = x / 0.5;
                }
                let mut at6 = scalar(0i64);
                'l0: while at6 < 3 {
                    at6 += 1;
                    y1 = -&at6;
                    match k {
                        0 => {
                            'l1: for at7 in v {
                                y3 = scalar(true);
                                y2 += y2.clone();
                            }
                            if (b % 7 == 1) || (k != 0) {
                                y1 -= 5;
                                y3 = !(!(b % 3 > 3));
                                y2 = &y2 * 2.0;
                            } else {
                                y1 -= a % 7;
                                y3 = scalar(false);
                                y2 = x / 0.5;
                            }
                        }
                        1 | 2 => {
                        }
                        n if n > 4 => {
                            let z8;
                            if y3 == y3 {
                                y2 -= y2.clone();
                                z8 = &y1 - a;
                            } else {
                                y1 = &y1 * a;
                                y2 = keep(x)?;
                                z8 = a + k;
                            }
                            let mut y9 = float(a)?;
                            y3 = c.clone();
                        }
                        _ => {
                            if &at6 % 7 >= 3 {
                                y1 = y1;
                                return Ok(((if !(&y1 % 2 >= 2) { y1 } else { b.clone() }) + 5, x + &y2, y3 != c));
                            } else if y3 == c {
                                y1 %= 2;
                            }
                        }
                    }
                }
                ((if (y1 == b) && { y1 = b % (a % 5 + 7); y1 < 1 } { &y1 / (a % 5 + 7) } else { (a.clone()) + a }) * 0, -&y2)
            };
            Ok((2 + a, -&y4.1, y3 != c))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p58 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = (&y1 - &a, num(0.75) - &x);
            let mut y5 = match k {
                0 => {
                    &a * &y4.0
                }
                1 | 2 => {
                    y4.1 -= y4.1.clone();
                    let Some(m5) = flag.then_some(k + 1) else { return Ok(((if (&y1 % num(7) <= num(2)) && (&a + &b == num(5)) { a.clone() } else { scalar(7i64) }) - num(7), &y4.1 / num(2.0), y3.clone())) };
                    &y4.0 % num(2)
                }
                n if n > 4 => {
                    y4 = (&b * num(k), &x - num(0.5));
                    let mut y7 = if (k > 2) || ((y2 >= num(1.0)) || (&y2 % num(0.75) == num(1.0))) {
                        if (k > 3) {
                            return Ok((&y4.0 * &a, &y4.1 - &y2, (y4.0 != &y4.0 - num(3)) || { y4.0 = &b / num(3); y4.0 >= num(1) }));
                        }
                        y4 = (&y1 + &a, &y2 - num(1.0));
                        vec![y1.clone(), b.clone()]
                    } else {
                        {
                            let mut at8 = scalar(0i64);
                            'l0: while at8 < num(4) {
                                at8 += num(1);
                                y4.1 -= num(0.75);
                                y1 = &a - num(k);
                            }
                            {
                                y2 *= num(2.0);
                            }
                        }
                        let mut y3 = if y4.1 <= num(2.0) {
                            -&b
                        } else {
                            if ((x == &x - num(10.0)) && flag) || (&y2 % num(0.5) <= &y2 - num(2.0)) {
                                y1 = &y4.0 * num(k);
                            } else if !(&y1 % num(10) >= num(7)) {
                                y4 = (&y1 * &b, &y2 - num(2.0));
                                y4.0 = &a + num(k);
                            } else {
                                y4.0 *= num(1);
                                y4 = (&a - &b, &x - num(1.0));
                                y1 *= &y4.0 + num(2);
                            }
                            num(1) * &y4.0
                        };
                        vec![y1.clone(), &b / (&a % num(5) + num(7))]
                    };
                    (if y1 >= num(100) { (y7[1].clone()) + &a } else { scalar(3i64) }) + num(1)
                }
                _ => {
                    y4.1 -= y2.clone();
                    keep(&b)?
                }
            };
            Ok((&a % (&a % num(5) + num(7)), x.clone(), (a < &b - num(0)) && (&y2 % num(2.0) < y4.1)))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = (&y1 - a, 0.75 - x);
            let mut y5 = match k {
                0 => {
                    a * &y4.0
                }
                1 | 2 => {
                    y4.1 -= y4.1.clone();
                    let Some(m5) = flag.then_some(k + 1) else { return Ok(((if (&y1 % 7 <= 2) && (a + b == 5) { a.clone() } else { scalar(7i64) }) - 7, &y4.1 / 2.0, y3.clone())) };
                    &y4.0 % 2
                }
                n if n > 4 => {
                    y4 = (b * k, x - 0.5);
                    let mut y7 = if (k > 2) || ((y2 >= 1.0) || (&y2 % 0.75 == 1.0)) {
                        if (k > 3) {
                            return Ok((&y4.0 * a, &y4.1 - &y2, (y4.0 != &y4.0 - 3) || { y4.0 = b / 3; y4.0 >= 1 }));
                        }
                        y4 = (&y1 + a, &y2 - 1.0);
                        vec![y1.clone(), b.clone()]
                    } else {
                        {
                            let mut at8 = scalar(0i64);
                            'l0: while at8 < 4 {
                                at8 += 1;
                                y4.1 -= 0.75;
                                y1 = a - k;
                            }
                            {
                                y2 *= 2.0;
                            }
                        }
                        let mut y3 = if y4.1 <= 2.0 {
                            -b
                        } else {
                            if ((x == x - 10.0) && flag) || (&y2 % 0.5 <= &y2 - 2.0) {
                                y1 = &y4.0 * k;
                            } else if !(&y1 % 10 >= 7) {
                                y4 = (&y1 * b, &y2 - 2.0);
                                y4.0 = a + k;
                            } else {
                                y4.0 *= 1;
                                y4 = (a - b, x - 1.0);
                                y1 *= &y4.0 + 2;
                            }
                            1 * &y4.0
                        };
                        vec![y1.clone(), b / (a % 5 + 7)]
                    };
                    (if y1 >= 100 { (y7[1].clone()) + a } else { scalar(3i64) }) + 1
                }
                _ => {
                    y4.1 -= y2.clone();
                    keep(b)?
                }
            };
            Ok((a % (a % 5 + 7), x.clone(), (a < b - 0) && (&y2 % 2.0 < y4.1)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
