//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p118 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y2 = c.clone();
            let mut at4 = scalar(0i64);
            while at4 < num(2) && (k != 3) {
                at4 += num(1);
                let mut y5 = (if (x == num(10.0)) && (a > num(100)) { &y1 / (&y1 % num(5) + num(7)) } else { -&at4 }) + num(100);
                for at6 in v.iter().copied() {
                    match k {
                        0 => {
                            y1 = (if x < num(1.0) { num(3) - &y1 } else { scalar(1i64) }) + num(2);
                        }
                        1 | 2 => {
                            y2 = (at6 != at6) && (c);
                        }
                        n if n > 4 => {
                            let n8 = &y1 % num(5);
                            'l2: for at7 in ints(2, n8) {
                                if (&at7 % num(10) < at4) && (b != &a - num(0)) {
                                    break 'l2;
                                }
                            }
                            let mut y9 = match k {
                                0 => {
                                    y3 = &y3 * num(10.0);
                                    y3 = &y3 + &y3;
                                    (if (x == num(3.25)) && (k == 0) { &x - num(10.0) } else { -&x }) * num(3.25)
                                }
                                1 | 2 => {
                                    y3.clone()
                                }
                                n if n > 4 => {
                                    &y3 / num(10.0)
                                }
                                _ => {
                                    y5 = keep(&a)?;
                                    &x / num(3.25)
                                }
                            };
                            y5 = &at6 * &b;
                        }
                        _ => {
                            let mut y10 = &y1 * &a;
                            'l2: for at11 in v.iter().copied() {
                                y3 = -&y3;
                                y3 = &y3 / num(2.0);
                                y3 = x.clone();
                                if &a % num(10) < num(2) {
                                    return Ok(((if y2 { y10.clone() } else { a.clone() }) - num(1), num(2.0) * &x, &x % num(0.75) == num(0.75)));
                                }
                                y3 = y3.clone();
                            }
                            y1 *= at6.clone();
                        }
                    }
                    y1 = -&at6;
                }
                y5 += num(3);
                if a >= a {
                    break;
                }
                let mut y12 = &at4 - &a;
            }
            Ok((&b * &b, &y3 * num(1.0), b >= num(100)))
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
            let mut at4 = scalar(0i64);
            while at4 < 2 && (k != 3) {
                at4 += 1;
                let mut y5 = (if (x == 10.0) && (a > 100) { &y1 / (&y1 % 5 + 7) } else { -&at4 }) + 100;
                for at6 in v {
                    match k {
                        0 => {
                            y1 = (if x < 1.0 { 3 - &y1 } else { scalar(1i64) }) + 2;
                        }
                        1 | 2 => {
                            y2 = (at6 != at6) && (c);
                        }
                        n if n > 4 => {
                            let n8 = &y1 % 5;
                            'l2: for at7 in 2..&n8 {
                                if (&at7 % 10 < at4) && (b != a - 0) {
                                    break 'l2;
                                }
                            }
                            let mut y9 = match k {
                                0 => {
                                    y3 = &y3 * 10.0;
                                    y3 = &y3 + &y3;
                                    (if (x == 3.25) && (k == 0) { x - 10.0 } else { -x }) * 3.25
                                }
                                1 | 2 => {
                                    y3.clone()
                                }
                                n if n > 4 => {
                                    &y3 / 10.0
                                }
                                _ => {
                                    y5 = keep(a)?;
                                    x / 3.25
                                }
                            };
                            y5 = &at6 * b;
                        }
                        _ => {
                            let mut y10 = &y1 * a;
                            'l2: for at11 in v {
                                y3 = -&y3;
                                y3 = &y3 / 2.0;
                                y3 = x.clone();
                                if a % 10 < 2 {
                                    return Ok(((if y2 { y10.clone() } else { a.clone() }) - 1, 2.0 * x, x % 0.75 == 0.75));
                                }
                                y3 = y3.clone();
                            }
                            y1 *= at6.clone();
                        }
                    }
                    y1 = -&at6;
                }
                y5 += 3;
                if a >= a {
                    break;
                }
                let mut y12 = &at4 - a;
            }
            Ok((b * b, &y3 * 1.0, b >= 100))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p120 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut at4 = scalar(0i64);
            while at4 < num(4) {
                at4 += num(1);
                let (mut y5, mut y6) = (&a * &at4, (if (&y1 % num(3) <= y1) && (&at4 % num(3) <= num(1)) { y2.clone() } else { scalar(0.5f64) }) * num(0.75));
                y5 += num(3);
                if (k < 2) {
                    continue;
                }
            }
            y2 = &x - &y2;
            let Some(m6) = (k > 0).then_some(k + 1) else { return Ok((b.clone(), &y2 + &y2, c.clone())) };
            Ok((&b - &y1, (if !flag && (x == num(2.0)) { x.clone() } else { x.clone() }) * num(2.0), scalar(true)))
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
            let mut at4 = scalar(0i64);
            while at4 < 4 {
                at4 += 1;
                let (mut y5, mut y6) = (a * &at4, (if (&y1 % 3 <= y1) && (&at4 % 3 <= 1) { y2.clone() } else { scalar(0.5f64) }) * 0.75);
                y5 += 3;
                if (k < 2) {
                    continue;
                }
            }
            y2 = x - &y2;
            let Some(m6) = (k > 0).then_some(k + 1) else { return Ok((b.clone(), &y2 + &y2, c.clone())) };
            Ok((b - &y1, (if !flag && (x == 2.0) { x.clone() } else { x.clone() }) * 2.0, scalar(true)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p125 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            y4 = c.clone();
            let mut at5 = scalar(0i64);
            let mut y6 = 'l0: loop {
                at5 += num(1);
                if at5 > num(5) { break y4.clone(); }
                y3 = (if (y1 >= at5) && (&y2 + &b < num(7)) { num(0.75) - &y3 } else { &y3 + &y3 }) + num(0.75);
                (y1, y3) = (&at5 / num(3), -&x);
                y3 = &x - &x;
            };
            Ok((&b % num(7), -&y3, c.clone()))
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
            y4 = c.clone();
            let mut at5 = scalar(0i64);
            let mut y6 = 'l0: loop {
                at5 += 1;
                if at5 > 5 { break y4.clone(); }
                y3 = (if (y1 >= at5) && (&y2 + b < 7) { 0.75 - &y3 } else { &y3 + &y3 }) + 0.75;
                (y1, y3) = (&at5 / 3, -x);
                y3 = x - x;
            };
            Ok((b % 7, -&y3, c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p126 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = match k {
                0 => {
                    if (c == y4) || ((&x % num(0.5) >= &y3 - num(0.5)) && (&a % num(3) >= num(7))) {
                        let (mut y6, mut y7) = (&y2 - num(k), keep(&y3)?);
                        let mut y8 = (if y7 < x { (scalar(3i64)) + &y2 } else { &b * num(k) }) - num(2);
                    } else {
                        y3 -= num(0.75);
                    }
                    y1 %= num(10);
                    &y2 + num(7)
                }
                1 | 2 => {
                    {
                        if (!y4) && (k != 3) {
                            if y4 != y4 {
                                y3 = &x * &y3;
                                y1 = num(5) * &y2;
                            } else if (k != 2) {
                                y3 %= num(1.0);
                                y3 = &x - num(2.0);
                            } else {
                                y2 = y2.clone();
                                y2 = &y2 + &y1;
                            }
                            (y2, y3) = ((y2.clone()) + &y1, &y3 / num(1.0));
                            y1 = &y2 / (&b % num(5) + num(7));
                        } else if (y1 < &a - num(1)) && (&y1 % num(10) <= num(5)) {
                            let mut y9 = -&b;
                            let mut y3 = vec![&b - num(k), &a * &y9];
                            y3[0] = &y3[1] + num(k);
                        } else {
                            for at10 in v.iter().copied() {
                                y1 = num(100) - &at10;
                            }
                            y2 = &a * &y1;
                            return Ok((&y1 % num(2), &y3 * num(0.75), (&y2 % num(2) == &y1 - num(0)) || (b == num(0))));
                        }
                        if (!(a >= num(2))) && (y1 < &b - num(1)) {
                            let mut y11 = (if &b + &y2 > y2 { y3.clone() } else { y3 }) - num(3.25);
                            y1 = &a * num(2);
                            return Ok((&y2 - &a, &y11 * num(2.0), y2 <= num(100)));
                        }
                    }
                    num(5) - &a
                }
                n if n > 4 => {
                    y1 = num(3) * &y1;
                    &b - &y2
                }
                _ => {
                    'l0: for at12 in 0..3i64 {
                        y3 += num(3.25);
                        if !y4 {
                            continue 'l0;
                        }
                        let mut at13 = scalar(0i64);
                        while at13 < num(1) && (y1 != num(3)) {
                            at13 += num(1);
                            let mut y14 = if y4 == y4 {
                                y2 %= num(2);
                                y3 += -&y3;
                                c.clone()
                            } else {
                                y2 = num(5) * &a;
                                scalar(true)
                            };
                            y3 -= num(1.0);
                        }
                    }
                    &y2 % (&y1 % num(5) + num(7))
                }
            };
            Ok((&y1 * num(1), &x * &y3, scalar(true)))
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
                    if (c == y4) || ((x % 0.5 >= &y3 - 0.5) && (a % 3 >= 7)) {
                        let (mut y6, mut y7) = (&y2 - k, keep(&y3)?);
                        let mut y8 = (if y7 < x { (scalar(3i64)) + &y2 } else { b * k }) - 2;
                    } else {
                        y3 -= 0.75;
                    }
                    y1 %= 10;
                    &y2 + 7
                }
                1 | 2 => {
                    {
                        if (!y4) && (k != 3) {
                            if y4 != y4 {
                                y3 = x * &y3;
                                y1 = 5 * &y2;
                            } else if (k != 2) {
                                y3 %= 1.0;
                                y3 = x - 2.0;
                            } else {
                                y2 = y2.clone();
                                y2 = &y2 + &y1;
                            }
                            (y2, y3) = ((y2.clone()) + &y1, &y3 / 1.0);
                            y1 = &y2 / (b % 5 + 7);
                        } else if (y1 < a - 1) && (&y1 % 10 <= 5) {
                            let mut y9 = -b;
                            let mut y3 = vec![b - k, a * &y9];
                            y3[0] = &y3[1] + k;
                        } else {
                            for at10 in v {
                                y1 = 100 - &at10;
                            }
                            y2 = a * &y1;
                            return Ok((&y1 % 2, &y3 * 0.75, (&y2 % 2 == &y1 - 0) || (b == 0)));
                        }
                        if (!(a >= 2)) && (y1 < b - 1) {
                            let mut y11 = (if b + &y2 > y2 { y3.clone() } else { y3 }) - 3.25;
                            y1 = a * 2;
                            return Ok((&y2 - a, &y11 * 2.0, y2 <= 100));
                        }
                    }
                    5 - a
                }
                n if n > 4 => {
                    y1 = 3 * &y1;
                    b - &y2
                }
                _ => {
                    'l0: for at12 in 0..3i64 {
                        y3 += 3.25;
                        if !y4 {
                            continue 'l0;
                        }
                        let mut at13 = scalar(0i64);
                        while at13 < 1 && (y1 != 3) {
                            at13 += 1;
                            let mut y14 = if y4 == y4 {
                                y2 %= 2;
                                y3 += -&y3;
                                c.clone()
                            } else {
                                y2 = 5 * a;
                                scalar(true)
                            };
                            y3 -= 1.0;
                        }
                    }
                    &y2 % (&y1 % 5 + 7)
                }
            };
            Ok((&y1 * 1, x * &y3, scalar(true)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p127 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&a + &b, &x - num(0.75));
            let (mut y6, mut y7) = (&y1 + num(0), -&y5.1);
            let z8;
            if (&y6 % num(2) < num(0)) && (&a + &y6 >= num(5)) {
                y3 = &y3 / num(0.75);
                z8 = (if (b <= num(3)) && (y6 > num(7)) { &y6 - num(2) } else { num(7) * &a }) * num(2);
            } else {
                z8 = keep(&b)?;
            }
            if !((y1 > num(0)) || (y1 > &b - num(1))) {
                let (mut y5, mut y9) = (y6.clone(), &x + num(0.75));
                let mut y10 = (&y1 + &a, &x * num(1.0));
                y10.0 %= num(3);
            }
            Ok((&y1 - num(k), y7.clone(), scalar(false)))
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
            let mut y5 = (a + b, x - 0.75);
            let (mut y6, mut y7) = (&y1 + 0, -&y5.1);
            let z8;
            if (&y6 % 2 < 0) && (a + &y6 >= 5) {
                y3 = &y3 / 0.75;
                z8 = (if (b <= 3) && (y6 > 7) { &y6 - 2 } else { 7 * a }) * 2;
            } else {
                z8 = keep(b)?;
            }
            if !((y1 > 0) || (y1 > b - 1)) {
                let (mut y5, mut y9) = (y6.clone(), x + 0.75);
                let mut y10 = (&y1 + a, x * 1.0);
                y10.0 %= 3;
            }
            Ok((&y1 - k, y7.clone(), scalar(false)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
