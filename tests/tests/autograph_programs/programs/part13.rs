//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p84 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let n6 = &b % num(5);
            'l0: for at5 in ints(1, n6) {
                let Some(m6) = (k < 3).then_some(k + 1) else { return Ok((y1.clone(), &x * &x, (y1 >= &y2 - num(2)) && (k > 2))) };
                y1 = a.clone();
                let mut y8 = if !y4 {
                    {
                        let mut y9 = &y2 * num(m6);
                    }
                    vec![&y2 % num(10), &y2 * num(k)]
                } else {
                    if c {
                        'l1: for at10 in v.iter().copied() {
                            y2 *= scalar(100i64);
                            y4 = (b >= num(7)) && (&at5 + &y2 < num(100));
                            y4 = scalar(false);
                        }
                        y2 = &y1 * num(k);
                        continue;
                    } else {
                        y3 -= num(2.0);
                        y2 = (&b - num(0)) - &b;
                    }
                    vec![&a - &y1, (if (at5 >= y2) || (&y3 % num(1.0) != &y3 - num(1.0)) { -&at5 } else { -&y2 }) + num(5)]
                };
            }
            Ok((&a * num(0), x.clone(), c.clone()))
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
            let n6 = b % 5;
            'l0: for at5 in 1..&n6 {
                let Some(m6) = (k < 3).then_some(k + 1) else { return Ok((y1.clone(), x * x, (y1 >= &y2 - 2) && (k > 2))) };
                y1 = a.clone();
                let mut y8 = if !y4 {
                    {
                        let mut y9 = &y2 * m6;
                    }
                    vec![&y2 % 10, &y2 * k]
                } else {
                    if c {
                        'l1: for at10 in v {
                            y2 *= scalar(100i64);
                            y4 = (b >= 7) && (&at5 + &y2 < 100);
                            y4 = scalar(false);
                        }
                        y2 = &y1 * k;
                        continue;
                    } else {
                        y3 -= 2.0;
                        y2 = (b - 0) - b;
                    }
                    vec![a - &y1, (if (at5 >= y2) || (&y3 % 1.0 != &y3 - 1.0) { -&at5 } else { -&y2 }) + 5]
                };
            }
            Ok((a * 0, x.clone(), c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p85 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y1 = c.clone();
            if y1 {
                y1 = !y1;
            }
            y2 = b.clone();
            if ((b <= num(3)) && (y2 >= num(5))) || (y2 != &a - num(2)) {
                match k {
                    0 => {
                    }
                    1 | 2 => {
                        let z4;
                        if &a % num(10) != b {
                            z4 = vec![(if (b != num(100)) && (&y2 + &b == num(100)) { &b - num(5) } else { &b - num(3) }) + num(5), keep(&a)?];
                        } else {
                            z4 = vec![a.clone(), num(100) * &a];
                        }
                        if ((b < num(5)) || (&x % num(2.0) > num(0.5))) && (k < 2) {
                            if !y1 {
                                return Ok((&y2 % num(2), &y3 % num(2.0), scalar(false)));
                            }
                            y2 = &y2 - &z4[1];
                        } else {
                            y3 = &y3 + &x;
                        }
                        y3 = &y3 % num(0.75);
                    }
                    n if n > 4 => {
                        let mut at5 = scalar(0i64);
                        loop {
                            at5 += num(1);
                            if at5 > num(3) { break; }
                            y2 = y2.clone();
                            let z6;
                            if (&x % num(0.5) != &x - num(1.0)) || (x < y3) {
                                y3 = float(&b)?;
                                z6 = scalar(0.5f64);
                            } else {
                                y2 = (if !(a < num(7)) { -&b } else { (if !(&at5 % num(2) < num(5)) { b.clone() } else { b.clone() }) * num(2) }) - num(1);
                                y2 = &a - num(k);
                                z6 = num(10.0) - &x;
                            }
                            if (z6 >= x) || (&a % num(10) > num(1)) {
                                break;
                            }
                            if (k == 3) && (y3 < y3) {
                                y2 /= num(10);
                            } else if (y2 < &at5 - num(1)) && (at5 != num(7)) {
                                y2 += &y2 + num(5);
                                y2 = (if &y2 % num(3) == &at5 - num(5) { &at5 * &b } else { at5 }) + num(3);
                                y3 += y3.clone();
                            } else {
                                y2 = num(3) - &a;
                                y1 = (y2 < at5) || !flag;
                            }
                        }
                        let mut at7 = scalar(0i64);
                        let mut y8 = 'l0: loop {
                            at7 += num(1);
                            if at7 > num(4) { break keep(&a)?; }
                            let mut y9 = keep(&y3)?;
                            y9 = -&y3;
                            if !(&y9 % num(3.25) != x) {
                                break 'l0 (at7.clone()) * &at7;
                            }
                            y9 -= num(3.25);
                        };
                        y2 *= a.clone();
                    }
                    _ => {
                        for at10 in v.iter().copied() {
                            let mut y11 = if c {
                                y2 -= num(0);
                                (b < num(3)) || (y2 != &a - num(100))
                            } else if &b + &a != num(100) {
                                y2 *= num(0);
                                (y1) && ((a >= &b - num(0)) && (&a % num(10) > num(0)))
                            } else {
                                b == num(100)
                            };
                            if y11 {
                                break;
                            }
                            let z12;
                            if a > num(3) {
                                z12 = (if c { a.clone() } else { &b - num(1) }) - num(0);
                            } else {
                                y2 = -&b;
                                y11 = scalar(false);
                                z12 = &b * num(k);
                            }
                        }
                    }
                }
                y2 = (if !(&y3 + &x != x) { &b * num(k) } else { &b + num(7) }) * num(1);
            } else {
            }
            Ok(((if (b == y2) && (&y3 % num(1.0) <= num(0.5)) { b.clone() } else { scalar(7i64) }) - num(5), &x + num(0.75), scalar(false)))
        }
    }

    pub(crate) mod tensors {
        use crate::support::tensors::*;

        #[tf_function]
        pub(crate) fn f(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y1 = c.clone();
            if y1 {
                y1 = !y1;
            }
            y2 = b.clone();
            if ((b <= 3) && (y2 >= 5)) || (y2 != a - 2) {
                match k {
                    0 => {
                    }
                    1 | 2 => {
                        let z4;
                        if a % 10 != b {
                            z4 = vec![(if (b != 100) && (&y2 + b == 100) { b - 5 } else { b - 3 }) + 5, keep(a)?];
                        } else {
                            z4 = vec![a.clone(), 100 * a];
                        }
                        if ((b < 5) || (x % 2.0 > 0.5)) && (k < 2) {
                            if !y1 {
                                return Ok((&y2 % 2, &y3 % 2.0, scalar(false)));
                            }
                            y2 = &y2 - &z4[1];
                        } else {
                            y3 = &y3 + x;
                        }
                        y3 = &y3 % 0.75;
                    }
                    n if n > 4 => {
                        let mut at5 = scalar(0i64);
                        loop {
                            at5 += 1;
                            if at5 > 3 { break; }
                            y2 = y2.clone();
                            let z6;
                            if (x % 0.5 != x - 1.0) || (x < y3) {
                                y3 = float(b)?;
                                z6 = scalar(0.5f64);
                            } else {
                                y2 = (if !(a < 7) { -b } else { (if !(&at5 % 2 < 5) { b.clone() } else { b.clone() }) * 2 }) - 1;
                                y2 = a - k;
                                z6 = 10.0 - x;
                            }
                            if (z6 >= x) || (a % 10 > 1) {
                                break;
                            }
                            if (k == 3) && (y3 < y3) {
                                y2 /= 10;
                            } else if (y2 < &at5 - 1) && (at5 != 7) {
                                y2 += &y2 + 5;
                                y2 = (if &y2 % 3 == &at5 - 5 { &at5 * b } else { at5 }) + 3;
                                y3 += y3.clone();
                            } else {
                                y2 = 3 - a;
                                y1 = (y2 < at5) || !flag;
                            }
                        }
                        let mut at7 = scalar(0i64);
                        let mut y8 = 'l0: loop {
                            at7 += 1;
                            if at7 > 4 { break keep(a)?; }
                            let mut y9 = keep(&y3)?;
                            y9 = -&y3;
                            if !(&y9 % 3.25 != x) {
                                break 'l0 (at7.clone()) * &at7;
                            }
                            y9 -= 3.25;
                        };
                        y2 *= a.clone();
                    }
                    _ => {
                        for at10 in v {
                            let mut y11 = if c {
                                y2 -= 0;
                                (b < 3) || (y2 != a - 100)
                            } else if b + a != 100 {
                                y2 *= 0;
                                (y1) && ((a >= b - 0) && (a % 10 > 0))
                            } else {
                                b == 100
                            };
                            if y11 {
                                break;
                            }
                            let z12;
                            if a > 3 {
                                z12 = (if c { a.clone() } else { b - 1 }) - 0;
                            } else {
                                y2 = -b;
                                y11 = scalar(false);
                                z12 = b * k;
                            }
                        }
                    }
                }
                y2 = (if !(&y3 + x != x) { b * k } else { b + 7 }) * 1;
            } else {
            }
            Ok(((if (b == y2) && (&y3 % 1.0 <= 0.5) { b.clone() } else { scalar(7i64) }) - 5, x + 0.75, scalar(false)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p86 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&y2 * &a, &y3 * num(0.75));
            if (!(y1 != &b - num(3))) || (c != y4) {
                let mut y6 = (y1.clone(), &y3 - num(2.0));
                let mut at7 = scalar(0i64);
                loop {
                    at7 += num(1);
                    if at7 > num(3) { break; }
                    y5.0 += at7.clone();
                    let mut at8 = scalar(0i64);
                    while at8 < num(3) && ((&y3 % num(0.5) <= y6.1) && (&y6.1 % num(10.0) > y3)) {
                        at8 += num(1);
                        let mut at9 = scalar(0i64);
                        while at9 < num(5) && ((&y5.0 + &b < num(5)) && (x == &y3 - num(0.75))) {
                            at9 += num(1);
                            y6.1 -= y6.1.clone();
                            y6.1 = (if &at9 % num(2) < num(1) { float(&at8)? } else { float(&at8)? }) - num(0.75);
                            y1 -= num(2);
                        }
                        (y6.0, y5.1) = ((scalar(3i64)) * &y1, &x - &x);
                        y4 = ((&y5.0 % num(10) < num(3)) && (&a % num(2) != &y1 - num(5))) && (c);
                        if let Some(m9) = flag.then_some(k) {
                            y5.0 *= num(1);
                        }
                    }
                }
                y3 = &x / num(0.5);
            }
            Ok(((if y1 >= num(0) { y2.clone() } else { b.clone() }) + num(5), y5.1.clone(), !y4))
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
            let mut y5 = (&y2 * a, &y3 * 0.75);
            if (!(y1 != b - 3)) || (c != y4) {
                let mut y6 = (y1.clone(), &y3 - 2.0);
                let mut at7 = scalar(0i64);
                loop {
                    at7 += 1;
                    if at7 > 3 { break; }
                    y5.0 += at7.clone();
                    let mut at8 = scalar(0i64);
                    while at8 < 3 && ((&y3 % 0.5 <= y6.1) && (&y6.1 % 10.0 > y3)) {
                        at8 += 1;
                        let mut at9 = scalar(0i64);
                        while at9 < 5 && ((&y5.0 + b < 5) && (x == &y3 - 0.75)) {
                            at9 += 1;
                            y6.1 -= y6.1.clone();
                            y6.1 = (if &at9 % 2 < 1 { float(&at8)? } else { float(&at8)? }) - 0.75;
                            y1 -= 2;
                        }
                        (y6.0, y5.1) = ((scalar(3i64)) * &y1, x - x);
                        y4 = ((&y5.0 % 10 < 3) && (a % 2 != &y1 - 5)) && (c);
                        if let Some(m9) = flag.then_some(k) {
                            y5.0 *= 1;
                        }
                    }
                }
                y3 = x / 0.5;
            }
            Ok(((if y1 >= 0 { y2.clone() } else { b.clone() }) + 5, y5.1.clone(), !y4))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p87 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            'l0: for at5 in v.iter().copied() {
                if !((a >= num(3)) || (&y2 % num(3) == b)) {
                    if &a % num(7) <= y2 {
                        y4 = y4;
                        if !y4 {
                        }
                    }
                    if (!c) && flag {
                    } else {
                        y1 += b.clone();
                    }
                    y3 *= num(0.75) * &y3;
                } else if &b + &b >= num(3) {
                    let mut y6 = &x * &x;
                    {
                    }
                    y6 *= float(&at5)?;
                } else {
                    y1 *= num(100) * &b;
                }
            }
            'l0: for at7 in v.iter().copied() {
                y4 = (!(a > &at7 - num(3))) || (k == 0);
                if (&y3 + &y3 >= num(3.25)) || (y2 == num(100)) {
                    return Ok(((y1.clone()) + &a, scalar(0.5f64), (&y1 + &b <= num(5)) || (&a % num(2) != num(7))));
                }
            }
            let mut y8 = y2.clone();
            let mut y9 = keep(&y2)?;
            let mut y10 = if y8 == num(5) {
                for at11 in v.iter().copied() {
                    y3 -= x.clone();
                }
                return Ok((&y1 * num(k), (if y1 >= y2 { x.clone() } else { y3.clone() }) + num(2.0), (b >= &y2 - num(7)) && (y1 != num(5))));
            } else {
                y3 = &x * num(0.75);
                let mut y12 = &x * num(10.0);
                &y8 * num(5)
            };
            Ok((&y1 - num(k), (y3.clone()) - &x, !c))
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
            'l0: for at5 in v {
                if !((a >= 3) || (&y2 % 3 == b)) {
                    if a % 7 <= y2 {
                        y4 = y4;
                        if !y4 {
                        }
                    }
                    if (!c) && flag {
                    } else {
                        y1 += b.clone();
                    }
                    y3 *= 0.75 * &y3;
                } else if b + b >= 3 {
                    let mut y6 = x * x;
                    {
                    }
                    y6 *= float(&at5)?;
                } else {
                    y1 *= 100 * b;
                }
            }
            'l0: for at7 in v {
                y4 = (!(a > &at7 - 3)) || (k == 0);
                if (&y3 + &y3 >= 3.25) || (y2 == 100) {
                    return Ok(((y1.clone()) + a, scalar(0.5f64), (&y1 + b <= 5) || (a % 2 != 7)));
                }
            }
            let mut y8 = y2.clone();
            let mut y9 = keep(&y2)?;
            let mut y10 = if y8 == 5 {
                for at11 in v {
                    y3 -= x.clone();
                }
                return Ok((&y1 * k, (if y1 >= y2 { x.clone() } else { y3.clone() }) + 2.0, (b >= &y2 - 7) && (y1 != 5)));
            } else {
                y3 = x * 0.75;
                let mut y12 = x * 10.0;
                &y8 * 5
            };
            Ok((&y1 - k, (y3.clone()) - x, !c))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
