//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p67 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = (&b - &y1, float(&b)?);
            {
                y4 = (&b / num(2), &y4.1 - num(3.25));
            }
            if let Some(m4) = flag.then_some(k) {
                let mut y6 = if y3 {
                    &b + num(1)
                } else {
                    y1.clone()
                };
                y6 = &y6 * num(m4);
            }
            if (k > 1) {
                y1 = &a + &a;
                let mut at7 = scalar(0i64);
                while at7 < num(3) && ((y1 != &y1 - num(5)) || (a < num(2))) {
                    at7 += num(1);
                    y2 = &y4.1 / num(0.5);
                    let n9 = &a % num(5);
                    'l1: for at8 in ints(0, n9) {
                        if &x + &y4.1 == &y4.1 - num(10.0) {
                            return Ok((at7.clone(), &y4.1 + num(0.5), scalar(false)));
                        }
                    }
                }
                y4.1 %= num(2.0);
            } else {
                y2 %= num(2.0);
            }
            y3 = ((a != num(3)) || (y1 > num(5))) || (!c);
            y4 = (&a - num(k), &y4.1 + &y2);
            let (mut y10, mut y11) = (&b / num(10), &x * num(10.0));
            (y4.0, y11) = (y4.0.clone(), &y2 / num(1.0));
            let n13 = &y1 % num(5);
            'l0: for at12 in ints(0, n13) {
                y4 = (&y10 % (&y10 % num(5) + num(7)), &y11 + &x);
            }
            Ok((y10.clone(), x.clone(), a == num(5)))
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
            let mut y4 = (b - &y1, float(b)?);
            {
                y4 = (b / 2, &y4.1 - 3.25);
            }
            if let Some(m4) = flag.then_some(k) {
                let mut y6 = if y3 {
                    b + 1
                } else {
                    y1.clone()
                };
                y6 = &y6 * m4;
            }
            if (k > 1) {
                y1 = a + a;
                let mut at7 = scalar(0i64);
                while at7 < 3 && ((y1 != &y1 - 5) || (a < 2)) {
                    at7 += 1;
                    y2 = &y4.1 / 0.5;
                    let n9 = a % 5;
                    'l1: for at8 in 0..&n9 {
                        if x + &y4.1 == &y4.1 - 10.0 {
                            return Ok((at7.clone(), &y4.1 + 0.5, scalar(false)));
                        }
                    }
                }
                y4.1 %= 2.0;
            } else {
                y2 %= 2.0;
            }
            y3 = ((a != 3) || (y1 > 5)) || (!c);
            y4 = (a - k, &y4.1 + &y2);
            let (mut y10, mut y11) = (b / 10, x * 10.0);
            (y4.0, y11) = (y4.0.clone(), &y2 / 1.0);
            let n13 = &y1 % 5;
            'l0: for at12 in 0..&n13 {
                y4 = (&y10 % (&y10 % 5 + 7), &y11 + x);
            }
            Ok((y10.clone(), x.clone(), a == 5))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p69 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = ((if !(&y1 % num(7) >= a) { a.clone() } else { scalar(5i64) }) + num(5), &x * num(3.25));
            if &y3 % num(0.5) != y5.1 {
                y5.0 = (y5.0) + &y2;
                y5.1 %= num(0.75);
                return Ok((&a + num(2), num(0.75) + &y5.1, y4));
            } else {
                for at6 in 0..3i64 {
                    if !c {
                        return Ok((b.clone(), &y3 % num(0.75), (b < num(1)) || (y2 < num(100))));
                    }
                    y4 = y1 <= num(2);
                }
                y4 = c.clone();
            }
            y5.1 -= &y3 * num(1.0);
            Ok((b.clone(), &x * &y3, c.clone()))
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
            let mut y5 = ((if !(&y1 % 7 >= a) { a.clone() } else { scalar(5i64) }) + 5, x * 3.25);
            if &y3 % 0.5 != y5.1 {
                y5.0 = (y5.0) + &y2;
                y5.1 %= 0.75;
                return Ok((a + 2, 0.75 + &y5.1, y4));
            } else {
                for at6 in 0..3i64 {
                    if !c {
                        return Ok((b.clone(), &y3 % 0.75, (b < 1) || (y2 < 100)));
                    }
                    y4 = y1 <= 2;
                }
                y4 = c.clone();
            }
            y5.1 -= &y3 * 1.0;
            Ok((b.clone(), x * &y3, c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p71 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![&a % num(7), &y2 + num(k)];
            let n7 = &y1 % num(5);
            for at6 in ints(1, n7) {
                let z8;
                if (&y5[1] % num(3) == b) || (y5[0] > &y2 - num(1)) {
                    let n10 = &y5[0] % num(5);
                    for at9 in ints(0, n10) {
                        {
                        }
                        let mut y11 = match k {
                            0 => {
                                y3 = &x * num(0.5);
                                num(1.0) + &y3
                            }
                            1 | 2 => {
                                break;
                            }
                            n if n > 4 => {
                                y3 = &x + num(1.0);
                                y4 = (!flag && (y5[1] >= b)) || ((&y1 + &at9 < num(5)) && (y3 <= num(1.0)));
                                break;
                            }
                            _ => {
                                -&y3
                            }
                        };
                        if (k < 1) {
                            break;
                        }
                        let mut at12 = scalar(0i64);
                        let mut y13 = loop {
                            at12 += num(1);
                            if at12 > num(1) { break &x - num(3.25); }
                            y4 = y5[0] < num(1);
                            y4 = scalar(true);
                            y11 *= x.clone();
                            y4 = ((at12 >= y5[1]) && (y5[1] == num(7))) && ((y3 >= num(2.0)) && (&x % num(0.75) == y11));
                        };
                    }
                    z8 = vec![y5[0].clone(), keep(&y5[0])?];
                } else {
                    z8 = vec![(if !(y3 < num(0.75)) { -&y5[1] } else { &y5[1] - &b }) + num(5), &y5[0] * num(k)];
                }
                y2 = -&z8[1];
                y3 = &x - &x;
                if (z8[0] != num(0)) && (&y1 + &at6 <= z8[1]) {
                    return Ok((&a - &at6, &y3 * num(10.0), c.clone()));
                }
            }
            let Some(m13) = flag.then_some(k + 1) else { return Ok((&y5[1] * &y5[0], -&y3, y4.clone())) };
            y5 = vec![(if x >= num(2.0) { &y2 * &y5[0] } else { &y2 - &y1 }) + num(3), b.clone()];
            Ok((b.clone(), &y3 + &x, y4.clone()))
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
            let mut y5 = vec![a % 7, &y2 + k];
            let n7 = &y1 % 5;
            for at6 in 1..&n7 {
                let z8;
                if (&y5[1] % 3 == b) || (y5[0] > &y2 - 1) {
                    let n10 = &y5[0] % 5;
                    for at9 in 0..&n10 {
                        {
                        }
                        let mut y11 = match k {
                            0 => {
                                y3 = x * 0.5;
                                1.0 + &y3
                            }
                            1 | 2 => {
                                break;
                            }
                            n if n > 4 => {
                                y3 = x + 1.0;
                                y4 = (!flag && (y5[1] >= b)) || ((&y1 + &at9 < 5) && (y3 <= 1.0));
                                break;
                            }
                            _ => {
                                -&y3
                            }
                        };
                        if (k < 1) {
                            break;
                        }
                        let mut at12 = scalar(0i64);
                        let mut y13 = loop {
                            at12 += 1;
                            if at12 > 1 { break x - 3.25; }
                            y4 = y5[0] < 1;
                            y4 = scalar(true);
                            y11 *= x.clone();
                            y4 = ((at12 >= y5[1]) && (y5[1] == 7)) && ((y3 >= 2.0) && (x % 0.75 == y11));
                        };
                    }
                    z8 = vec![y5[0].clone(), keep(&y5[0])?];
                } else {
                    z8 = vec![(if !(y3 < 0.75) { -&y5[1] } else { &y5[1] - b }) + 5, &y5[0] * k];
                }
                y2 = -&z8[1];
                y3 = x - x;
                if (z8[0] != 0) && (&y1 + &at6 <= z8[1]) {
                    return Ok((a - &at6, &y3 * 10.0, c.clone()));
                }
            }
            let Some(m13) = flag.then_some(k + 1) else { return Ok((&y5[1] * &y5[0], -&y3, y4.clone())) };
            y5 = vec![(if x >= 2.0 { &y2 * &y5[0] } else { &y2 - &y1 }) + 3, b.clone()];
            Ok((b.clone(), &y3 + x, y4.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p72 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = vec![num(5) + &b, &y1 % (&b % num(5) + num(7))];
            if c != y3 {
                if (y4[0] <= num(3)) && ((y4[0] != num(7)) && (b <= num(2))) {
                    'l0: for at5 in 0..1i64 {
                        y4[1] *= num(3);
                        if y3 == c {
                            break;
                        }
                        if (k < 1) {
                            y4 = vec![&y4[0] * num(0), &a % num(3)];
                        } else {
                            y2 %= num(1.0);
                            y1 %= num(7);
                            y2 *= &y2 - &y2;
                            break;
                        }
                    }
                    y2 -= &x + &y2;
                }
                y4 = vec![-&y1, &b * num(1)];
            } else {
                let mut at6 = scalar(0i64);
                loop {
                    at6 += num(1);
                    if at6 > num(5) { break; }
                    y3 = c.clone();
                    let n8 = &a % num(5);
                    for at7 in ints(2, n8) {
                        y2 = &y2 / num(3.25);
                    }
                }
                y4[0] = (if y4[1] >= num(0) { (y4[0].clone()) * &y4[0] } else { scalar(2i64) }) * num(2);
            }
            let mut y9 = match k {
                0 => {
                    &x - &y2
                }
                1 | 2 => {
                    y2 -= num(0.75);
                    &x / num(1.0)
                }
                n if n > 4 => {
                    &x + num(0.5)
                }
                _ => {
                    &y2 - &x
                }
            };
            Ok((&y4[0] + &y1, &y9 - &y2, &y1 + &b == &y4[0] - num(1)))
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
            let mut y4 = vec![5 + b, &y1 % (b % 5 + 7)];
            if c != y3 {
                if (y4[0] <= 3) && ((y4[0] != 7) && (b <= 2)) {
                    'l0: for at5 in 0..1i64 {
                        y4[1] *= 3;
                        if y3 == c {
                            break;
                        }
                        if (k < 1) {
                            y4 = vec![&y4[0] * 0, a % 3];
                        } else {
                            y2 %= 1.0;
                            y1 %= 7;
                            y2 *= &y2 - &y2;
                            break;
                        }
                    }
                    y2 -= x + &y2;
                }
                y4 = vec![-&y1, b * 1];
            } else {
                let mut at6 = scalar(0i64);
                loop {
                    at6 += 1;
                    if at6 > 5 { break; }
                    y3 = c.clone();
                    let n8 = a % 5;
                    for at7 in 2..&n8 {
                        y2 = &y2 / 3.25;
                    }
                }
                y4[0] = (if y4[1] >= 0 { (y4[0].clone()) * &y4[0] } else { scalar(2i64) }) * 2;
            }
            let mut y9 = match k {
                0 => {
                    x - &y2
                }
                1 | 2 => {
                    y2 -= 0.75;
                    x / 1.0
                }
                n if n > 4 => {
                    x + 0.5
                }
                _ => {
                    &y2 - x
                }
            };
            Ok((&y4[0] + &y1, &y9 - &y2, &y1 + b == &y4[0] - 1))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
