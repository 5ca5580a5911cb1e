//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p32 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![&a - num(k), a.clone()];
            y3 = &x - num(0.5);
            y5 = vec![-&b, -&y2];
            let (mut y6, mut y7) = (y5[0].clone(), &y3 + &y3);
            y5 = vec![&y5[1] * &a, num(0) - &y5[0]];
            let n9 = &y1 % num(5);
            for at8 in ints(1, n9) {
                if &y6 + &y5[1] < num(0) {
                    y5[0] *= num(3);
                } else if (&a + &a != &y1 - num(0)) || (y5[0] == num(0)) {
                    y7 -= y3.clone();
                }
                y1 = (&y5[0] + &y2) + &at8;
                let mut y10 = scalar(true);
            }
            y5 = vec![keep(&y6)?, ((if y7 != num(10.0) { y5[1].clone() } else { y5[1].clone() }) + num(7)) + &a];
            match k {
                0 => {
                    let mut at11 = scalar(0i64);
                    let mut y12 = 'l0: loop {
                        at11 += num(1);
                        if at11 > num(2) { break &b - &a; }
                        y7 = (&y3 / num(3.25)) + &x;
                    };
                    y4 = c.clone();
                }
                1 | 2 => {
                    if ((y7 < num(0.5)) && (&y6 + &y1 >= &y5[0] - num(100))) || (y4 != c) {
                        for at13 in v.iter().copied() {
                            if (!(&y5[0] % num(2) == num(100))) && (c == y4) {
                                y5[0] %= num(3);
                            } else {
                                y1 += num(5);
                            }
                            y2 = &y5[0] * num(0);
                        }
                        let mut y14 = match k {
                            0 => {
                                (&y5[0] + &y6, &y7 + &y3)
                            }
                            1 | 2 => {
                                let mut at15 = scalar(0i64);
                                'l0: while at15 < num(5) && (k > 3) {
                                    at15 += num(1);
                                    y6 *= a.clone();
                                    y5 = vec![keep(&b)?, (if c { &y1 + num(k) } else { num(5) + &y2 }) + num(100)];
                                    y7 = &y3 - num(10.0);
                                }
                                (-&b, &y7 % num(1.0))
                            }
                            n if n > 4 => {
                                (&y1 / num(7), &y3 - num(0.5))
                            }
                            _ => {
                                for at16 in v.iter().copied() {
                                    y7 = &x * &y3;
                                    y5 = vec![&y5[0] + &y5[1], (if x <= num(1.0) { (if y2 <= y5[1] { y2.clone() } else { a.clone() }) + num(7) } else { &a + num(k) }) + num(2)];
                                }
                                let mut at17 = scalar(0i64);
                                'l0: while at17 < num(3) && (y4) {
                                    at17 += num(1);
                                    y4 = scalar(false);
                                    y3 = x.clone();
                                    y7 = &x % num(0.5);
                                    if y6 != b {
                                        break 'l0;
                                    }
                                }
                                (&a - &y1, keep(&x)?)
                            }
                        };
                        y14 = ((&y5[0] * num(100)) + &y2, (if &y14.0 + &y2 > &y1 - num(7) { &y7 + &y14.1 } else { (if !y4 { y7 } else { scalar(0.5f64) }) + num(10.0) }) - num(0.75));
                    } else if (k > 3) {
                        y4 = !c;
                        y5 = vec![&y6 * &a, &y5[0] - &y6];
                    } else {
                        y4 = (c) || (y7 >= &y3 - num(2.0));
                    }
                }
                n if n > 4 => {
                    let mut y18 = keep(&y7)?;
                    for at19 in 0..2i64 {
                        y18 = y18.clone();
                        y7 = &y18 * &y3;
                        y5[0] = a.clone();
                        if !c {
                            return Ok(((if &y5[0] % num(2) <= y5[0] { y1.clone() } else { a.clone() }) * num(5), &x * num(1.0), c.clone()));
                        }
                    }
                    y1 = y2.clone();
                    return Ok((y5[1].clone(), &y7 * num(2.0), &b % num(7) >= num(3)));
                }
                _ => {
                    y3 *= &x + num(0.5);
                }
            }
            Ok((y6.clone(), -&y7, &y2 % num(3) >= a))
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
            let mut y5 = vec![a - k, a.clone()];
            y3 = x - 0.5;
            y5 = vec![-b, -&y2];
            let (mut y6, mut y7) = (y5[0].clone(), &y3 + &y3);
            y5 = vec![&y5[1] * a, 0 - &y5[0]];
            let n9 = &y1 % 5;
            for at8 in 1..&n9 {
                if &y6 + &y5[1] < 0 {
                    y5[0] *= 3;
                } else if (a + a != &y1 - 0) || (y5[0] == 0) {
                    y7 -= y3.clone();
                }
                y1 = (&y5[0] + &y2) + &at8;
                let mut y10 = scalar(true);
            }
            y5 = vec![keep(&y6)?, ((if y7 != 10.0 { y5[1].clone() } else { y5[1].clone() }) + 7) + a];
            match k {
                0 => {
                    let mut at11 = scalar(0i64);
                    let mut y12 = 'l0: loop {
                        at11 += 1;
                        if at11 > 2 { break b - a; }
                        y7 = (&y3 / 3.25) + x;
                    };
                    y4 = c.clone();
                }
                1 | 2 => {
                    if ((y7 < 0.5) && (&y6 + &y1 >= &y5[0] - 100)) || (y4 != c) {
                        for at13 in v {
                            if (!(&y5[0] % 2 == 100)) && (c == y4) {
                                y5[0] %= 3;
                            } else {
                                y1 += 5;
                            }
                            y2 = &y5[0] * 0;
                        }
                        let mut y14 = match k {
                            0 => {
                                (&y5[0] + &y6, &y7 + &y3)
                            }
                            1 | 2 => {
                                let mut at15 = scalar(0i64);
                                'l0: while at15 < 5 && (k > 3) {
                                    at15 += 1;
                                    y6 *= a.clone();
                                    y5 = vec![keep(b)?, (if c { &y1 + k } else { 5 + &y2 }) + 100];
                                    y7 = &y3 - 10.0;
                                }
                                (-b, &y7 % 1.0)
                            }
                            n if n > 4 => {
                                (&y1 / 7, &y3 - 0.5)
                            }
                            _ => {
                                for at16 in v {
                                    y7 = x * &y3;
                                    y5 = vec![&y5[0] + &y5[1], (if x <= 1.0 { (if y2 <= y5[1] { y2.clone() } else { a.clone() }) + 7 } else { a + k }) + 2];
                                }
                                let mut at17 = scalar(0i64);
                                'l0: while at17 < 3 && (y4) {
                                    at17 += 1;
                                    y4 = scalar(false);
                                    y3 = x.clone();
                                    y7 = x % 0.5;
                                    if y6 != b {
                                        break 'l0;
                                    }
                                }
                                (a - &y1, keep(x)?)
                            }
                        };
                        y14 = ((&y5[0] * 100) + &y2, (if &y14.0 + &y2 > &y1 - 7 { &y7 + &y14.1 } else { (if !y4 { y7 } else { scalar(0.5f64) }) + 10.0 }) - 0.75);
                    } else if (k > 3) {
                        y4 = !c;
                        y5 = vec![&y6 * a, &y5[0] - &y6];
                    } else {
                        y4 = (c) || (y7 >= &y3 - 2.0);
                    }
                }
                n if n > 4 => {
                    let mut y18 = keep(&y7)?;
                    for at19 in 0..2i64 {
                        y18 = y18.clone();
                        y7 = &y18 * &y3;
                        y5[0] = a.clone();
                        if !c {
                            return Ok(((if &y5[0] % 2 <= y5[0] { y1.clone() } else { a.clone() }) * 5, x * 1.0, c.clone()));
                        }
                    }
                    y1 = y2.clone();
                    return Ok((y5[1].clone(), &y7 * 2.0, b % 7 >= 3));
                }
                _ => {
                    y3 *= x + 0.5;
                }
            }
            Ok((y6.clone(), -&y7, &y2 % 3 >= a))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p34 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y1 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = vec![num(2) * &a, y2.clone()];
            let mut at5 = scalar(0i64);
            loop {
                at5 += num(1);
                if at5 > num(1) { break; }
                if ((&at5 % num(3) <= &y4[0] - num(2)) && (y1 >= num(10.0))) && (c) {
                    let mut y6 = if y4[1] <= &y4[0] - num(5) {
                        &y4[1] + &y4[0]
                    } else {
                        y4[0].clone()
                    };
                    y4 = vec![&y4[0] / num(3), (if y4[1] > y2 { y4[1].clone() } else { &at5 * num(k) }) + num(100)];
                }
                let z7;
                if (&y1 % num(1.0) > num(3.25)) && (k != 0) {
                    (y4[0], y1) = (&a * &y2, &y1 + num(3.25));
                    let mut y8 = &b + num(2);
                    z7 = vec![-&at5, &b + num(k)];
                } else {
                    let Some(m8) = (k > 0).then_some(k + 1) else { return Ok((-&b, &x - &y1, (at5 > num(0)) || (a == &y4[0] - num(2)))) };
                    let n11 = &y4[1] % num(5);
                    'l1: for at10 in ints(1, n11) {
                        if !y3 {
                            y2 = num(0) - &y4[0];
                            y2 = (&a + &y2) * &at5;
                        } else {
                            y4[0] -= num(100);
                            y4 = vec![&at10 - num(k), at5];
                            y4[0] += num(3);
                        }
                        if at5 < y4[1] {
                            y2 = &y4[0] - &a;
                            y4[1] *= num(7);
                            y4[1] /= num(2);
                        }
                        y1 += &y1 - num(3.25);
                        let mut y12 = y3.clone();
                    }
                    z7 = vec![&y4[0] / num(10), &at5 - &y4[0]];
                }
                y4 = vec![&y4[1] - num(k), (&at5 + &b) + &y4[1]];
                y1 *= &y1 * num(2.0);
            }
            Ok((&y2 + num(0), y1.clone(), y3.clone()))
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
            let mut y4 = vec![2 * a, y2.clone()];
            let mut at5 = scalar(0i64);
            loop {
                at5 += 1;
                if at5 > 1 { break; }
                if ((&at5 % 3 <= &y4[0] - 2) && (y1 >= 10.0)) && (c) {
                    let mut y6 = if y4[1] <= &y4[0] - 5 {
                        &y4[1] + &y4[0]
                    } else {
                        y4[0].clone()
                    };
                    y4 = vec![&y4[0] / 3, (if y4[1] > y2 { y4[1].clone() } else { &at5 * k }) + 100];
                }
                let z7;
                if (&y1 % 1.0 > 3.25) && (k != 0) {
                    (y4[0], y1) = (a * &y2, &y1 + 3.25);
                    let mut y8 = b + 2;
                    z7 = vec![-&at5, b + k];
                } else {
                    let Some(m8) = (k > 0).then_some(k + 1) else { return Ok((-b, x - &y1, (at5 > 0) || (a == &y4[0] - 2))) };
                    let n11 = &y4[1] % 5;
                    'l1: for at10 in 1..&n11 {
                        if !y3 {
                            y2 = 0 - &y4[0];
                            y2 = (a + &y2) * &at5;
                        } else {
                            y4[0] -= 100;
                            y4 = vec![&at10 - k, at5];
                            y4[0] += 3;
                        }
                        if at5 < y4[1] {
                            y2 = &y4[0] - a;
                            y4[1] *= 7;
                            y4[1] /= 2;
                        }
                        y1 += &y1 - 3.25;
                        let mut y12 = y3.clone();
                    }
                    z7 = vec![&y4[0] / 10, &at5 - &y4[0]];
                }
                y4 = vec![&y4[1] - k, (&at5 + b) + &y4[1]];
                y1 *= &y1 * 2.0;
            }
            Ok((&y2 + 0, y1.clone(), y3.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p39 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y4 = (num(3) * &y1, &x % num(3.25));
            y4.0 = (if (&y4.0 + &a < &a - num(1)) || { y4.0 = -&a; x <= num(2.0) } { &b % (&b % num(5) + num(7)) } else { keep(&b)? }) + num(0);
            (y1, y4.1) = (&y1 + &y2, &y4.1 + num(0.5));
            if &y1 % num(7) <= &a - num(5) {
                if b < y2 {
                    if y4.1 == &y3 - num(2.0) {
                        let n6 = &a % num(5);
                        for at5 in ints(2, n6) {
                            y4.0 *= &y2 + &b;
                            if &y1 + &b > &b - num(5) {
                                break;
                            }
                        }
                        let mut y7 = if (y4.1 < &y4.1 - num(10.0)) && (c != c) {
                            y4.1 *= num(1.0);
                            &a + &y2
                        } else if !c {
                            y4.0 = (keep(&b)?) + &y2;
                            y4.0 = keep(&y4.0)?;
                            keep(&a)?
                        } else {
                            &y2 % num(10)
                        };
                        y4 = (&b * num(k), &x * num(0.5));
                    }
                    y1 = -&a;
                    return Ok(((if b == num(7) { y4.0.clone() } else { a.clone() }) * num(0), (if (x == &y3 - num(3.25)) || (y3 < y4.1) { y3.clone() } else { scalar(10.0f64) }) + num(2.0), c.clone()));
                } else {
                    y3 += float(&b)?;
                    return Ok((&b / (&b % num(5) + num(7)), float(&y2)?, (a != num(1)) || (&y4.0 % num(3) != a)));
                }
                y2 += &a / num(10);
            }
            Ok((&y4.0 - &y1, &x / num(0.5), a <= num(2)))
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
            let mut y4 = (3 * &y1, x % 3.25);
            y4.0 = (if (&y4.0 + a < a - 1) || { y4.0 = -a; x <= 2.0 } { b % (b % 5 + 7) } else { keep(b)? }) + 0;
            (y1, y4.1) = (&y1 + &y2, &y4.1 + 0.5);
            if &y1 % 7 <= a - 5 {
                if b < y2 {
                    if y4.1 == &y3 - 2.0 {
                        let n6 = a % 5;
                        for at5 in 2..&n6 {
                            y4.0 *= &y2 + b;
                            if &y1 + b > b - 5 {
                                break;
                            }
                        }
                        let mut y7 = if (y4.1 < &y4.1 - 10.0) && (c != c) {
                            y4.1 *= 1.0;
                            a + &y2
                        } else if !c {
                            y4.0 = (keep(b)?) + &y2;
                            y4.0 = keep(&y4.0)?;
                            keep(a)?
                        } else {
                            &y2 % 10
                        };
                        y4 = (b * k, x * 0.5);
                    }
                    y1 = -a;
                    return Ok(((if b == 7 { y4.0.clone() } else { a.clone() }) * 0, (if (x == &y3 - 3.25) || (y3 < y4.1) { y3.clone() } else { scalar(10.0f64) }) + 2.0, c.clone()));
                } else {
                    y3 += float(b)?;
                    return Ok((b / (b % 5 + 7), float(&y2)?, (a != 1) || (&y4.0 % 3 != a)));
                }
                y2 += a / 10;
            }
            Ok((&y4.0 - &y1, x / 0.5, a <= 2))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
