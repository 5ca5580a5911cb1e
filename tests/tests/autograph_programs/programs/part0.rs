//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p4 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![&a - &b, &a + num(7)];
            let n7 = &y1 % num(5);
            'l0: for at6 in ints(2, n7) {
                let mut y8 = &at6 + num(2);
                y4 = !c;
                if (b != &y2 - num(1)) && (x <= num(2.0)) {
                    break 'l0;
                }
            }
            y4 = scalar(false);
            if y4 {
            } else {
                let mut at9 = scalar(0i64);
                while at9 < num(1) && (!c) {
                    at9 += num(1);
                    y3 /= num(0.5);
                }
                {
                    let (mut y10, mut y2) = (&y5[1] + &y1, &x * &y3);
                    if y1 == &y1 - num(2) {
                        for at11 in v.iter().copied() {
                            y5 = vec![(if x < y2 { (if (y3 != num(10.0)) || (y10 > y5[1]) { scalar(7i64) } else { scalar(1i64) }) * num(100) } else { y1.clone() }) + num(2), &at11 * &b];
                            y3 = &y2 + &x;
                            y1 = (-&y5[0]) - &y5[0];
                        }
                        y4 = (y5[1] <= num(2)) && { y10 = &a - &a; &y1 + &y1 >= &y5[0] - num(7) };
                        y10 = -&y5[0];
                    }
                }
                y2 *= &y5[1] / (&y1 % num(5) + num(7));
            }
            y1 = b.clone();
            if y1 > num(0) {
                y5[0] = &y5[0] * &y1;
            } else {
                y4 = c.clone();
            }
            Ok((a.clone(), x.clone(), scalar(false)))
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
            let mut y5 = vec![a - b, a + 7];
            let n7 = &y1 % 5;
            'l0: for at6 in 2..&n7 {
                let mut y8 = &at6 + 2;
                y4 = !c;
                if (b != &y2 - 1) && (x <= 2.0) {
                    break 'l0;
                }
            }
            y4 = scalar(false);
            if y4 {
            } else {
                let mut at9 = scalar(0i64);
                while at9 < 1 && (!c) {
                    at9 += 1;
                    y3 /= 0.5;
                }
                {
                    let (mut y10, mut y2) = (&y5[1] + &y1, x * &y3);
                    if y1 == &y1 - 2 {
                        for at11 in v {
                            y5 = vec![(if x < y2 { (if (y3 != 10.0) || (y10 > y5[1]) { scalar(7i64) } else { scalar(1i64) }) * 100 } else { y1.clone() }) + 2, &at11 * b];
                            y3 = &y2 + x;
                            y1 = (-&y5[0]) - &y5[0];
                        }
                        y4 = (y5[1] <= 2) && { y10 = a - a; &y1 + &y1 >= &y5[0] - 7 };
                        y10 = -&y5[0];
                    }
                }
                y2 *= &y5[1] / (&y1 % 5 + 7);
            }
            y1 = b.clone();
            if y1 > 0 {
                y5[0] = &y5[0] * &y1;
            } else {
                y4 = c.clone();
            }
            Ok((a.clone(), x.clone(), scalar(false)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p5 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            (y1, y3) = (a.clone(), &y3 % num(2.0));
            if c {
                y1 = &a / num(3);
                y3 = scalar(10.0f64);
            } else {
                y4 = c != y4;
                y3 = num(1.0) + &y3;
            }
            y1 *= &y1 - num(k);
            for at5 in 0..1i64 {
                let mut y6 = &x / num(2.0);
                y4 = c.clone();
                if c {
                    return Ok((&b + num(3), &y3 * num(1.0), (&y2 + &y1 == num(0)) && (&y2 % num(3) >= &y2 - num(7))));
                }
            }
            Ok((&b / num(2), &y3 + &y3, y3 <= x))
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
            (y1, y3) = (a.clone(), &y3 % 2.0);
            if c {
                y1 = a / 3;
                y3 = scalar(10.0f64);
            } else {
                y4 = c != y4;
                y3 = 1.0 + &y3;
            }
            y1 *= &y1 - k;
            for at5 in 0..1i64 {
                let mut y6 = x / 2.0;
                y4 = c.clone();
                if c {
                    return Ok((b + 3, &y3 * 1.0, (&y2 + &y1 == 0) && (&y2 % 3 >= &y2 - 7)));
                }
            }
            Ok((b / 2, &y3 + &y3, y3 <= x))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p7 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            match k {
                0 => {
                }
                1 | 2 => {
                    y1 -= y1.clone();
                }
                n if n > 4 => {
                    if !y3 {
                        let mut y4 = scalar(2i64);
                        y2 -= y2.clone();
                    } else {
                        let mut at5 = scalar(0i64);
                        while at5 < num(5) {
                            at5 += num(1);
                            let mut y6 = if !y3 {
                                y1 = at5.clone();
                                keep(&x)?
                            } else if (k > 3) || (a >= y1) {
                                y1 = (keep(&y1)?) * &at5;
                                break;
                            } else {
                                y1 = keep(&a)?;
                                y1 %= num(10);
                                x.clone()
                            };
                            y1 %= num(7);
                            let mut y7 = if !(!(y6 <= y2)) {
                                y6 += y2.clone();
                                y2 = &x * &y2;
                                ((a.clone()) * &b, &y6 * &x)
                            } else {
                                y2 = (num(2.0) * &y6) * &y6;
                                (at5.clone(), num(1.0) - &y6)
                            };
                        }
                        y1 %= num(2);
                    }
                    if (a >= &y1 - num(2)) && ((x <= &y2 - num(0.75)) || (y2 < &x - num(3.25))) {
                        y1 = (if !(&x % num(3.25) <= num(3.25)) { num(1) * &y1 } else { &y1 * &a }) * num(3);
                    } else if !flag {
                        let mut y8 = match k {
                            0 => {
                                let mut at9 = scalar(0i64);
                                'l0: while at9 < num(4) && (&y2 % num(1.0) != num(10.0)) {
                                    at9 += num(1);
                                    y1 += num(7);
                                    y2 *= x.clone();
                                }
                                let mut y10 = (&b / num(10), &y2 - num(1.0));
                                &b - num(k)
                            }
                            1 | 2 => {
                                &b * &b
                            }
                            n if n > 4 => {
                                scalar(2i64)
                            }
                            _ => {
                                for at11 in 0..3i64 {
                                    if (b == b) && flag {
                                        break;
                                    }
                                }
                                (if a != &a - num(0) { (y1.clone()) + &a } else { scalar(5i64) }) - num(5)
                            }
                        };
                        y3 = (&x % num(1.0) > &y2 - num(1.0)) && (y2 >= x);
                    }
                    y2 *= &x - &x;
                }
                _ => {
                    let n13 = &y1 % num(5);
                    for at12 in ints(0, n13) {
                        let Some(m13) = flag.then_some(k + 1) else { return Ok((&b + &b, &y2 * &y2, (&x % num(3.25) != num(1.0)) && !flag)) };
                        y1 = &at12 % (&a % num(5) + num(7));
                        y2 = &y2 - &x;
                        if &x % num(1.0) >= &y2 - num(3.25) {
                            break;
                        }
                        let mut y15 = (a == num(7)) || (y2 >= num(0.5));
                    }
                    y1 -= num(5);
                    return Ok(((y1.clone()) - &a, &x + &x, scalar(true)));
                }
            }
            Ok((&a * num(k), &y2 * &y2, c.clone()))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            match k {
                0 => {
                }
                1 | 2 => {
                    y1 -= y1.clone();
                }
                n if n > 4 => {
                    if !y3 {
                        let mut y4 = scalar(2i64);
                        y2 -= y2.clone();
                    } else {
                        let mut at5 = scalar(0i64);
                        while at5 < 5 {
                            at5 += 1;
                            let mut y6 = if !y3 {
                                y1 = at5.clone();
                                keep(x)?
                            } else if (k > 3) || (a >= y1) {
                                y1 = (keep(&y1)?) * &at5;
                                break;
                            } else {
                                y1 = keep(a)?;
                                y1 %= 10;
                                x.clone()
                            };
                            y1 %= 7;
                            let mut y7 = if !(!(y6 <= y2)) {
                                y6 += y2.clone();
                                y2 = x * &y2;
                                ((a.clone()) * b, &y6 * x)
                            } else {
                                y2 = (2.0 * &y6) * &y6;
                                (at5.clone(), 1.0 - &y6)
                            };
                        }
                        y1 %= 2;
                    }
                    if (a >= &y1 - 2) && ((x <= &y2 - 0.75) || (y2 < x - 3.25)) {
                        y1 = (if !(x % 3.25 <= 3.25) { 1 * &y1 } else { &y1 * a }) * 3;
                    } else if !flag {
                        let mut y8 = match k {
                            0 => {
                                let mut at9 = scalar(0i64);
                                'l0: while at9 < 4 && (&y2 % 1.0 != 10.0) {
                                    at9 += 1;
                                    y1 += 7;
                                    y2 *= x.clone();
                                }
                                let mut y10 = (b / 10, &y2 - 1.0);
                                b - k
                            }
                            1 | 2 => {
                                b * b
                            }
                            n if n > 4 => {
                                scalar(2i64)
                            }
                            _ => {
                                for at11 in 0..3i64 {
                                    if (b == b) && flag {
                                        break;
                                    }
                                }
                                (if a != a - 0 { (y1.clone()) + a } else { scalar(5i64) }) - 5
                            }
                        };
                        y3 = (x % 1.0 > &y2 - 1.0) && (y2 >= x);
                    }
                    y2 *= x - x;
                }
                _ => {
                    let n13 = &y1 % 5;
                    for at12 in 0..&n13 {
                        let Some(m13) = flag.then_some(k + 1) else { return Ok((b + b, &y2 * &y2, (x % 3.25 != 1.0) && !flag)) };
                        y1 = &at12 % (a % 5 + 7);
                        y2 = &y2 - x;
                        if x % 1.0 >= &y2 - 3.25 {
                            break;
                        }
                        let mut y15 = (a == 7) || (y2 >= 0.5);
                    }
                    y1 -= 5;
                    return Ok(((y1.clone()) - a, x + x, scalar(true)));
                }
            }
            Ok((a * k, &y2 * &y2, c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
