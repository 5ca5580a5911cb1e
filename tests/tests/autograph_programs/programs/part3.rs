//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p22 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y2 = c.clone();
            y1 /= num(7);
            for at4 in v.iter().copied() {
                y1 += at4.clone();
                if !flag {
                    break;
                }
            }
            {
            }
            let mut y5 = &y1 + &y1 != b;
            if &b + &b == num(1) {
                {
                }
            } else {
                y2 = y5;
                return Ok(((scalar(7i64)) * &a, scalar(3.25f64), (a < num(100)) || (y1 >= num(5))));
            }
            if (y3 >= x) || (y1 > a) {
                return Ok((num(0) + &y1, &x % num(3.25), !y2));
            }
            'l0: for at6 in v.iter().copied() {
            }
            for at7 in v.iter().copied() {
                y5 = (a != &at7 - num(0)) || { y1 = &at7 % num(2); &y1 + &b != num(1) };
                y2 = ((x > &x - num(1.0)) && (&y1 + &b != &b - num(0))) && (k != 3);
            }
            Ok((&a - &y1, &y3 % num(2.0), (&a + &a > num(1)) && (x < num(2.0))))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y2 = c.clone();
            y1 /= 7;
            for at4 in v {
                y1 += at4.clone();
                if !flag {
                    break;
                }
            }
            {
            }
            let mut y5 = &y1 + &y1 != b;
            if b + b == 1 {
                {
                }
            } else {
                y2 = y5;
                return Ok(((scalar(7i64)) * a, scalar(3.25f64), (a < 100) || (y1 >= 5)));
            }
            if (y3 >= x) || (y1 > a) {
                return Ok((0 + &y1, x % 3.25, !y2));
            }
            'l0: for at6 in v {
            }
            for at7 in v {
                y5 = (a != &at7 - 0) || { y1 = &at7 % 2; &y1 + b != 1 };
                y2 = ((x > x - 1.0) && (&y1 + b != b - 0)) && (k != 3);
            }
            Ok((a - &y1, &y3 % 2.0, (a + a > 1) && (x < 2.0)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p25 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (y1.clone(), &y3 - num(0.5));
            y5 = (&y2 / (&a % num(5) + num(7)), &x - &x);
            y3 *= &y3 + &y5.1;
            let n7 = &b % num(5);
            'l0: for at6 in ints(2, n7) {
                y3 /= num(0.75);
            }
            let mut y8 = vec![keep(&y1)?, &b - &y5.0];
            let Some(m8) = (k > 0).then_some(k + 1) else { return Ok((num(1) - &a, num(0.5) - &x, y2 >= y8[1])) };
            Ok((&y8[0] * num(k), &y3 - num(3.25), scalar(false)))
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
            let mut y5 = (y1.clone(), &y3 - 0.5);
            y5 = (&y2 / (a % 5 + 7), x - x);
            y3 *= &y3 + &y5.1;
            let n7 = b % 5;
            'l0: for at6 in 2..&n7 {
                y3 /= 0.75;
            }
            let mut y8 = vec![keep(&y1)?, b - &y5.0];
            let Some(m8) = (k > 0).then_some(k + 1) else { return Ok((1 - a, 0.5 - x, y2 >= y8[1])) };
            Ok((&y8[0] * k, &y3 - 3.25, scalar(false)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p26 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = (&y1 * &y1, &x * &x);
            if &y4.0 % num(3) > num(0) {
                for at5 in 0..2i64 {
                    y4.1 = (scalar(0.75f64)) + &x;
                    y4.1 = &x - num(10.0);
                }
                y4.1 = (if y1 <= num(3) { &x * num(10.0) } else { x.clone() }) * num(0.5);
            }
            {
                let mut at6 = scalar(0i64);
                let mut y7 = loop {
                    at6 += num(1);
                    if at6 > num(3) { break scalar(7i64); }
                    let mut y8 = &x - &y4.1;
                    let mut y9 = vec![&a % (&y2 % num(5) + num(7)), a.clone()];
                    y3 = y8 == &x - num(2.0);
                    let mut y10 = &b + &b != &y9[1] - num(0);
                };
                if flag {
                    y4.0 = &y4.0 - num(2);
                    let Some(m10) = (k > 0).then_some(k + 1) else { return Ok((&b + num(7), &x / num(3.25), c.clone())) };
                    y4.0 = (if !flag || (b == &y1 - num(7)) { &y2 - &y7 } else { a.clone() }) - num(100);
                } else {
                    y3 = &a + &a > a;
                }
            }
            Ok((y4.0.clone(), y4.1.clone(), c.clone()))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = (&y1 * &y1, x * x);
            if &y4.0 % 3 > 0 {
                for at5 in 0..2i64 {
                    y4.1 = (scalar(0.75f64)) + x;
                    y4.1 = x - 10.0;
                }
                y4.1 = (if y1 <= 3 { x * 10.0 } else { x.clone() }) * 0.5;
            }
            {
                let mut at6 = scalar(0i64);
                let mut y7 = loop {
                    at6 += 1;
                    if at6 > 3 { break scalar(7i64); }
                    let mut y8 = x - &y4.1;
                    let mut y9 = vec![a % (&y2 % 5 + 7), a.clone()];
                    y3 = y8 == x - 2.0;
                    let mut y10 = b + b != &y9[1] - 0;
                };
                if flag {
                    y4.0 = &y4.0 - 2;
                    let Some(m10) = (k > 0).then_some(k + 1) else { return Ok((b + 7, x / 3.25, c.clone())) };
                    y4.0 = (if !flag || (b == &y1 - 7) { &y2 - &y7 } else { a.clone() }) - 100;
                } else {
                    y3 = a + a > a;
                }
            }
            Ok((y4.0.clone(), y4.1.clone(), c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p29 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&y2 / num(10), &x / num(2.0));
            let n7 = &y1 % num(5);
            for at6 in ints(1, n7) {
                'l1: for at8 in 0..3i64 {
                    let Some(m8) = flag.then_some(k + 1) else { return Ok((&a / num(10), &x - &x, y5.0 >= y5.0)) };
                    let z10;
                    if (y1 < num(1)) && (y5.0 <= num(7)) {
                        z10 = (&y5.0 + &at6, y3.clone());
                    } else {
                        let mut y11 = &y3 - &y3;
                        'l2: for at12 in v.iter().copied() {
                            y4 = c.clone();
                            if flag {
                                break;
                            }
                        }
                        z10 = (&y1 - num(m8), &y11 / num(10.0));
                    }
                    y1 *= num(7);
                    if (&y1 + &y5.0 != &y1 - num(1)) && (at8 != 1) {
                        break;
                    }
                    y3 += num(1.0);
                }
                y3 *= x.clone();
                if a >= at6 {
                    return Ok((&a - &at6, keep(&y3)?, scalar(false)));
                }
                if y5.0 >= &b - num(5) {
                    y2 += num(0);
                    y3 = float(&a)?;
                } else {
                    let mut at13 = scalar(0i64);
                    while at13 < num(4) && ((&y5.0 % num(7) < at6) || (a != y1)) {
                        at13 += num(1);
                        y5 = (&a + num(7), &y3 / num(0.75));
                        (y1, y5.1) = (keep(&y5.0)?, &x % num(3.25));
                    }
                    y5.1 = &y5.1 * &y5.1;
                }
            }
            y5 = (&y1 * &b, -&x);
            let mut y14 = keep(&b)?;
            'l0: for at15 in v.iter().copied() {
                let mut y16 = if c == y4 {
                    (keep(&y5.0)?, y3.clone())
                } else {
                    (a.clone(), &y3 + &y5.1)
                };
                if y4 {
                    y14 = (if y4 != c { &y1 % num(2) } else { -&a }) * num(100);
                    y4 = y5.1 > y3;
                } else if c {
                    y16.1 = -&x;
                    continue;
                } else {
                    let z17;
                    if (y1 >= num(7)) && (y1 > num(100)) {
                        if ((&y2 + &at15 != y2) && (&at15 + &at15 == &b - num(2))) && (y4 == y4) {
                            y16.1 = &x - num(0.5);
                            y3 += y16.1;
                        } else {
                            y16.1 = (&y3 - &x) * &x;
                        }
                        if (k > 2) && ((x >= num(2.0)) || (y16.0 <= &y2 - num(5))) {
                            y5.1 %= num(1.0);
                        } else {
                            y5.1 = &y16.1 / num(3.25);
                            y16.0 += &y2 % num(3);
                            y3 = &x * num(1.0);
                            break 'l0;
                        }
                        z17 = num(7) - &b;
                    } else {
                        y16 = ((if (y5.1 != &y5.1 - num(2.0)) || (&y14 % num(10) < &b - num(2)) { &b + &y1 } else { &y5.0 - &y5.0 }) * num(3), num(0.5) - &y3);
                        z17 = keep(&y14)?;
                    }
                    y16.0 += &a - &y5.0;
                }
                y5.1 = keep(&y5.1)?;
                if !y4 {
                    break;
                }
            }
            Ok((&y14 + &b, (if a == &b - num(2) { scalar(0.75f64) } else { x.clone() }) - num(0.5), y5.1 <= y5.1))
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
            let mut y5 = (&y2 / 10, x / 2.0);
            let n7 = &y1 % 5;
            for at6 in 1..&n7 {
                'l1: for at8 in 0..3i64 {
                    let Some(m8) = flag.then_some(k + 1) else { return Ok((a / 10, x - x, y5.0 >= y5.0)) };
                    let z10;
                    if (y1 < 1) && (y5.0 <= 7) {
                        z10 = (&y5.0 + &at6, y3.clone());
                    } else {
                        let mut y11 = &y3 - &y3;
                        'l2: for at12 in v {
                            y4 = c.clone();
                            if flag {
                                break;
                            }
                        }
                        z10 = (&y1 - m8, &y11 / 10.0);
                    }
                    y1 *= 7;
                    if (&y1 + &y5.0 != &y1 - 1) && (at8 != 1) {
                        break;
                    }
                    y3 += 1.0;
                }
                y3 *= x.clone();
                if a >= at6 {
                    return Ok((a - &at6, keep(&y3)?, scalar(false)));
                }
                if y5.0 >= b - 5 {
                    y2 += 0;
                    y3 = float(a)?;
                } else {
                    let mut at13 = scalar(0i64);
                    while at13 < 4 && ((&y5.0 % 7 < at6) || (a != y1)) {
                        at13 += 1;
                        y5 = (a + 7, &y3 / 0.75);
                        (y1, y5.1) = (keep(&y5.0)?, x % 3.25);
                    }
                    y5.1 = &y5.1 * &y5.1;
                }
            }
            y5 = (&y1 * b, -x);
            let mut y14 = keep(b)?;
            'l0: for at15 in v {
                let mut y16 = if c == y4 {
                    (keep(&y5.0)?, y3.clone())
                } else {
                    (a.clone(), &y3 + &y5.1)
                };
                if y4 {
                    y14 = (if y4 != c { &y1 % 2 } else { -a }) * 100;
                    y4 = y5.1 > y3;
                } else if c {
                    y16.1 = -x;
                    continue;
                } else {
                    let z17;
                    if (y1 >= 7) && (y1 > 100) {
                        if ((&y2 + &at15 != y2) && (&at15 + &at15 == b - 2)) && (y4 == y4) {
                            y16.1 = x - 0.5;
                            y3 += y16.1;
                        } else {
                            y16.1 = (&y3 - x) * x;
                        }
                        if (k > 2) && ((x >= 2.0) || (y16.0 <= &y2 - 5)) {
                            y5.1 %= 1.0;
                        } else {
                            y5.1 = &y16.1 / 3.25;
                            y16.0 += &y2 % 3;
                            y3 = x * 1.0;
                            break 'l0;
                        }
                        z17 = 7 - b;
                    } else {
                        y16 = ((if (y5.1 != &y5.1 - 2.0) || (&y14 % 10 < b - 2) { b + &y1 } else { &y5.0 - &y5.0 }) * 3, 0.5 - &y3);
                        z17 = keep(&y14)?;
                    }
                    y16.0 += a - &y5.0;
                }
                y5.1 = keep(&y5.1)?;
                if !y4 {
                    break;
                }
            }
            Ok((&y14 + b, (if a == b - 2 { scalar(0.75f64) } else { x.clone() }) - 0.5, y5.1 <= y5.1))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
