//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p40 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = match k {
                0 => {
                    &a * num(k)
                }
                1 | 2 => {
                    if (k != 2) {
                        y1 = b.clone();
                    } else {
                        (y2, y3) = (&b * &a, &x + &x);
                        y2 = &a * num(k);
                    }
                    y3 /= num(0.75);
                    keep(&a)?
                }
                n if n > 4 => {
                    (if b <= y1 { -&y1 } else { -&y1 }) + num(7)
                }
                _ => {
                    if ((&y3 + &x < y3) || (&b + &y2 == a)) && (&y1 % num(10) > num(0)) {
                    } else {
                        let mut y6 = &y3 % num(0.75);
                        y4 = (!y4) && ((y3 <= num(2.0)) && (y2 != &y1 - num(0)));
                        y6 = &y3 + &x;
                    }
                    if (!(&y1 + &y2 >= &a - num(0))) && ((b < num(1)) && (&x % num(0.5) >= num(0.5))) {
                        let mut at7 = scalar(0i64);
                        let mut y1 = loop {
                            at7 += num(1);
                            if at7 > num(1) { break y1.clone(); }
                            (y2, y3) = (&b * &y1, &x + &y3);
                            y4 = a >= num(0);
                            let mut y8 = if y4 != y4 {
                                keep(&x)?
                            } else if y4 {
                                y2 -= y2.clone();
                                keep(&x)?
                            } else {
                                y3 += y3.clone();
                                &y3 / num(1.0)
                            };
                        };
                        y4 = c.clone();
                        return Ok(((if b <= &a - num(5) { y2.clone() } else { a.clone() }) - num(2), (if &y3 % num(1.0) <= num(0.75) { x.clone() } else { y3 }) * num(10.0), scalar(false)));
                    } else {
                        {
                        }
                        y4 = y1 <= &y1 - num(7);
                    }
                    return Ok((&b * &a, y3.clone(), y4.clone()));
                }
            };
            Ok((&y5 * &y1, y3.clone(), c.clone()))
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
            let mut y5 = match k {
                0 => {
                    a * k
                }
                1 | 2 => {
                    if (k != 2) {
                        y1 = b.clone();
                    } else {
                        (y2, y3) = (b * a, x + x);
                        y2 = a * k;
                    }
                    y3 /= 0.75;
                    keep(a)?
                }
                n if n > 4 => {
                    (if b <= y1 { -&y1 } else { -&y1 }) + 7
                }
                _ => {
                    if ((&y3 + x < y3) || (b + &y2 == a)) && (&y1 % 10 > 0) {
                    } else {
                        let mut y6 = &y3 % 0.75;
                        y4 = (!y4) && ((y3 <= 2.0) && (y2 != &y1 - 0));
                        y6 = &y3 + x;
                    }
                    if (!(&y1 + &y2 >= a - 0)) && ((b < 1) && (x % 0.5 >= 0.5)) {
                        let mut at7 = scalar(0i64);
                        let mut y1 = loop {
                            at7 += 1;
                            if at7 > 1 { break y1.clone(); }
                            (y2, y3) = (b * &y1, x + &y3);
                            y4 = a >= 0;
                            let mut y8 = if y4 != y4 {
                                keep(x)?
                            } else if y4 {
                                y2 -= y2.clone();
                                keep(x)?
                            } else {
                                y3 += y3.clone();
                                &y3 / 1.0
                            };
                        };
                        y4 = c.clone();
                        return Ok(((if b <= a - 5 { y2.clone() } else { a.clone() }) - 2, (if &y3 % 1.0 <= 0.75 { x.clone() } else { y3 }) * 10.0, scalar(false)));
                    } else {
                        {
                        }
                        y4 = y1 <= &y1 - 7;
                    }
                    return Ok((b * a, y3.clone(), y4.clone()));
                }
            };
            Ok((&y5 * &y1, y3.clone(), c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p41 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            if (k < 3) {
            } else {
                y3 *= x.clone();
            }
            {
            }
            for at5 in 0..2i64 {
                y4 = y3 < num(2.0);
                y2 -= b.clone();
            }
            for at6 in 0..2i64 {
                let n8 = &y2 % num(5);
                'l1: for at7 in ints(1, n8) {
                    if c == c {
                        let n10 = &b % num(5);
                        'l2: for at9 in ints(2, n10) {
                            y3 = (if y4 { (y3.clone()) + &x } else { num(3.25) + &x }) * num(2.0);
                            if (at6 > 2) {
                                continue;
                            }
                            y1 /= num(10);
                        }
                        y3 += (if y2 <= num(3) { x.clone() } else { scalar(10.0f64) }) * num(2.0);
                    } else if (k > 3) {
                        if &y2 % num(2) != &y1 - num(5) {
                        }
                    } else {
                        let mut at11 = scalar(0i64);
                        while at11 < num(2) && ((b >= num(3)) && (k < 3)) {
                            at11 += num(1);
                            y1 = &at7 * num(100);
                            y2 += num(1);
                            if (b < num(100)) && (k < 2) {
                                break 'l1;
                            }
                        }
                        y3 = scalar(10.0f64);
                    }
                }
                y4 = scalar(false);
                if !y4 {
                    continue;
                }
            }
            Ok((&y1 - &a, &y3 - &x, (y3 != num(0.75)) && (&b + &y1 > num(100))))
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
            if (k < 3) {
            } else {
                y3 *= x.clone();
            }
            {
            }
            for at5 in 0..2i64 {
                y4 = y3 < 2.0;
                y2 -= b.clone();
            }
            for at6 in 0..2i64 {
                let n8 = &y2 % 5;
                'l1: for at7 in 1..&n8 {
                    if c == c {
                        let n10 = b % 5;
                        'l2: for at9 in 2..&n10 {
                            y3 = (if y4 { (y3.clone()) + x } else { 3.25 + x }) * 2.0;
                            if (at6 > 2) {
                                continue;
                            }
                            y1 /= 10;
                        }
                        y3 += (if y2 <= 3 { x.clone() } else { scalar(10.0f64) }) * 2.0;
                    } else if (k > 3) {
                        if &y2 % 2 != &y1 - 5 {
                        }
                    } else {
                        let mut at11 = scalar(0i64);
                        while at11 < 2 && ((b >= 3) && (k < 3)) {
                            at11 += 1;
                            y1 = &at7 * 100;
                            y2 += 1;
                            if (b < 100) && (k < 2) {
                                break 'l1;
                            }
                        }
                        y3 = scalar(10.0f64);
                    }
                }
                y4 = scalar(false);
                if !y4 {
                    continue;
                }
            }
            Ok((&y1 - a, &y3 - x, (y3 != 0.75) && (b + &y1 > 100)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p46 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![y1.clone(), &y2 % (&y1 % num(5) + num(7))];
            let mut y6 = vec![y1.clone(), &y5[0] - num(k)];
            y3 = &y3 * num(0.75);
            if y1 == &a - num(5) {
                y3 = &y3 * &x;
                let mut y7 = (&b % num(7), &y3 * &x);
                y7 = (&y6[1] * num(0), keep(&y3)?);
            }
            if (!(x > x)) && (y3 > num(1.0)) {
                if (k != 1) {
                    return Ok((&y1 + &b, &x + num(2.0), (&y3 + &x == &x - num(10.0)) || (y5[0] <= num(3))));
                }
                let mut y8 = match k {
                    0 => {
                        let mut at9 = scalar(0i64);
                        while at9 < num(2) && (y4 == y4) {
                            at9 += num(1);
                            let mut y10 = y6[1].clone();
                            let z11;
                            if (&at9 % num(10) <= num(7)) && (&y10 % num(2) == &y5[1] - num(3)) {
                                y4 = y4.clone();
                                z11 = x.clone();
                            } else {
                                y6[1] %= num(10);
                                z11 = -&x;
                            }
                            y3 -= num(0.5);
                            if y5[1] == &y10 - num(3) {
                                continue;
                            }
                        }
                        ((x <= y3) || { y1 = scalar(0i64); &x % num(1.0) >= num(1.0) }) && (k == 2)
                    }
                    1 | 2 => {
                        return Ok((&y6[1] + &y5[0], &y3 + num(10.0), c.clone()));
                    }
                    n if n > 4 => {
                        y6 = vec![&a * &b, -&y6[0]];
                        (k != 3) && ((&y6[1] + &y6[0] < &y2 - num(5)) || (a > &y5[1] - num(100)))
                    }
                    _ => {
                        y6 = vec![&y2 % num(2), &y6[0] / num(10)];
                        y3 = &x - num(3.25);
                        x != y3
                    }
                };
                y3 = &y3 - num(1.0);
                return Ok(((if (y3 >= num(0.5)) && (y3 < &y3 - num(3.25)) { y1 } else { scalar(1i64) }) * num(100), &x * &y3, y8.clone()));
            } else {
                'l0: for at12 in 0..1i64 {
                    y6[1] /= num(10);
                    let mut y13 = if (y1 > num(3)) && (y3 >= &x - num(1.0)) {
                        if (at12 != 3) {
                            y4 = c.clone();
                            y3 *= -&y3;
                        } else {
                            y6 = vec![&y1 - &y2, num(2) - &y1];
                            y3 -= num(3.25);
                        }
                        let (mut y14, mut y15) = (keep(&y2)?, &x + num(1.0));
                        (&y3 + num(2.0)) - &y3
                    } else if y2 >= num(7) {
                        float(&b)?
                    } else {
                        (y6[1], y3) = (&b - &y2, &y3 - num(10.0));
                        y6 = vec![((if y4 == c { scalar(100i64) } else { a.clone() }) + num(100)) + &y2, &y5[1] * num(3)];
                        &y3 * &x
                    };
                    y3 += y13.clone();
                }
                y3 -= num(1.0);
            }
            Ok((&y5[0] - num(k), &y3 * num(10.0), c.clone()))
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
            let mut y5 = vec![y1.clone(), &y2 % (&y1 % 5 + 7)];
            let mut y6 = vec![y1.clone(), &y5[0] - k];
            y3 = &y3 * 0.75;
            if y1 == a - 5 {
                y3 = &y3 * x;
                let mut y7 = (b % 7, &y3 * x);
                y7 = (&y6[1] * 0, keep(&y3)?);
            }
            if (!(x > x)) && (y3 > 1.0) {
                if (k != 1) {
                    return Ok((&y1 + b, x + 2.0, (&y3 + x == x - 10.0) || (y5[0] <= 3)));
                }
                let mut y8 = match k {
                    0 => {
                        let mut at9 = scalar(0i64);
                        while at9 < 2 && (y4 == y4) {
                            at9 += 1;
                            let mut y10 = y6[1].clone();
                            let z11;
                            if (&at9 % 10 <= 7) && (&y10 % 2 == &y5[1] - 3) {
                                y4 = y4.clone();
                                z11 = x.clone();
                            } else {
                                y6[1] %= 10;
                                z11 = -x;
                            }
                            y3 -= 0.5;
                            if y5[1] == &y10 - 3 {
                                continue;
                            }
                        }
                        ((x <= y3) || { y1 = scalar(0i64); x % 1.0 >= 1.0 }) && (k == 2)
                    }
                    1 | 2 => {
                        return Ok((&y6[1] + &y5[0], &y3 + 10.0, c.clone()));
                    }
                    n if n > 4 => {
                        y6 = vec![a * b, -&y6[0]];
                        (k != 3) && ((&y6[1] + &y6[0] < &y2 - 5) || (a > &y5[1] - 100))
                    }
                    _ => {
                        y6 = vec![&y2 % 2, &y6[0] / 10];
                        y3 = x - 3.25;
                        x != y3
                    }
                };
                y3 = &y3 - 1.0;
                return Ok(((if (y3 >= 0.5) && (y3 < &y3 - 3.25) { y1 } else { scalar(1i64) }) * 100, x * &y3, y8.clone()));
            } else {
                'l0: for at12 in 0..1i64 {
                    y6[1] /= 10;
                    let mut y13 = if (y1 > 3) && (y3 >= x - 1.0) {
                        if (at12 != 3) {
                            y4 = c.clone();
                            y3 *= -&y3;
                        } else {
                            y6 = vec![&y1 - &y2, 2 - &y1];
                            y3 -= 3.25;
                        }
                        let (mut y14, mut y15) = (keep(&y2)?, x + 1.0);
                        (&y3 + 2.0) - &y3
                    } else if y2 >= 7 {
                        float(b)?
                    } else {
                        (y6[1], y3) = (b - &y2, &y3 - 10.0);
                        y6 = vec![((if y4 == c { scalar(100i64) } else { a.clone() }) + 100) + &y2, &y5[1] * 3];
                        &y3 * x
                    };
                    y3 += y13.clone();
                }
                y3 -= 1.0;
            }
            Ok((&y5[0] - k, &y3 * 10.0, c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p50 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            if (y3 < x) || { y2 = b.clone(); y3 > x } {
                if !(&x + &x >= y3) {
                    y2 %= num(3);
                } else if y2 < num(7) {
                    let mut y5 = (if (k != 1) && (y2 > num(0)) { &y1 * &b } else { (a.clone()) - &b }) * num(1);
                    y3 -= &x * num(0.5);
                } else {
                }
                y2 = &a - &a;
                y2 -= y2;
                return Ok((-&b, (if (y2 == num(5)) && (&y3 % num(10.0) > &y3 - num(0.5)) { scalar(0.75f64) } else { x.clone() }) - num(2.0), y4.clone()));
            } else {
                let z6;
                if y4 {
                    z6 = &x * &x;
                } else {
                    z6 = &x + &y3;
                }
                y2 = ((if c { y2 } else { scalar(7i64) }) + num(1)) - &a;
            }
            Ok(((if &y3 % num(2.0) != num(3.25) { b.clone() } else { scalar(7i64) }) - num(2), y3.clone(), y2 != &b - num(100)))
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
            if (y3 < x) || { y2 = b.clone(); y3 > x } {
                if !(x + x >= y3) {
                    y2 %= 3;
                } else if y2 < 7 {
                    let mut y5 = (if (k != 1) && (y2 > 0) { &y1 * b } else { (a.clone()) - b }) * 1;
                    y3 -= x * 0.5;
                } else {
                }
                y2 = a - a;
                y2 -= y2;
                return Ok((-b, (if (y2 == 5) && (&y3 % 10.0 > &y3 - 0.5) { scalar(0.75f64) } else { x.clone() }) - 2.0, y4.clone()));
            } else {
                let z6;
                if y4 {
                    z6 = x * x;
                } else {
                    z6 = x + &y3;
                }
                y2 = ((if c { y2 } else { scalar(7i64) }) + 1) - a;
            }
            Ok(((if &y3 % 2.0 != 3.25 { b.clone() } else { scalar(7i64) }) - 2, y3.clone(), y2 != b - 100))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
