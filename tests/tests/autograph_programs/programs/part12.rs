//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p76 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (y1.clone(), &y3 * &x);
            let mut at6 = scalar(0i64);
            while at6 < num(2) {
                at6 += num(1);
                y4 = y4 == c;
                y5.0 -= &y5.0 - num(k);
                if &a % num(3) != num(7) {
                    break;
                }
                {
                    (y2, y3) = (&at6 * &at6, x.clone());
                }
            }
            let Some(m6) = flag.then_some(k + 1) else { return Ok((b.clone(), &y3 - &y5.1, scalar(true))) };
            if (c) || ((&x % num(1.0) > num(0.75)) || { y1 = &y1 * num(100); b <= num(100) }) {
                y2 %= num(10);
            }
            if ((x < &y5.1 - num(2.0)) || (&a % num(2) == num(5))) || (b <= &y5.0 - num(1)) {
                y5.0 = a.clone();
            }
            if ((y1 == num(1)) && (&y3 + &y5.1 < num(0.5))) && (!y4) {
                let z8;
                if y4 {
                    if ((m6 < 1) || (&y5.1 % num(0.75) >= &x - num(0.5))) || (m6 > 1) {
                        let mut y9 = keep(&y5.1)?;
                    } else if (x >= num(2.0)) || (y5.1 == num(0.75)) {
                        y1 += y1;
                    } else {
                        for at10 in 0..1i64 {
                            y5.0 *= num(1);
                            y4 = c.clone();
                            y2 = &b % (&b % num(5) + num(7));
                            if !c {
                                break;
                            }
                        }
                        y3 = &x * &x;
                        y2 = a.clone();
                    }
                    z8 = (&a % (&y2 % num(5) + num(7))) - &y2;
                } else {
                    let mut at11 = scalar(0i64);
                    loop {
                        at11 += num(1);
                        if at11 > num(5) { break; }
                        y5.0 = num(0) * &y5.0;
                        if !(&x + &x <= y3) {
                            break;
                        }
                    }
                    z8 = &y5.0 + num(m6);
                }
                let z12;
                if (y5.1 != &x - num(0.75)) || (y2 == b) {
                    y4 = z8 >= num(0);
                    z12 = vec![b.clone(), (if z8 == &y1 - num(0) { &y1 * &y2 } else { &y2 % (&y2 % num(5) + num(7)) }) - num(7)];
                } else {
                    z12 = vec![(if c { &z8 - num(0) } else { &z8 * num(k) }) * num(0), (if &y2 + &y5.0 == num(2) { -&a } else { &a * num(k) }) - num(7)];
                }
                y3 += num(3.25);
            } else {
                let mut y13 = &y5.0 % (&b % num(5) + num(7));
                y13 = y5.0;
            }
            Ok((&b * num(m6), float(&y2)?, &y1 + &y5.0 == &b - num(7)))
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
            let mut y5 = (y1.clone(), &y3 * x);
            let mut at6 = scalar(0i64);
            while at6 < 2 {
                at6 += 1;
                y4 = y4 == c;
                y5.0 -= &y5.0 - k;
                if a % 3 != 7 {
                    break;
                }
                {
                    (y2, y3) = (&at6 * &at6, x.clone());
                }
            }
            let Some(m6) = flag.then_some(k + 1) else { return Ok((b.clone(), &y3 - &y5.1, scalar(true))) };
            if (c) || ((x % 1.0 > 0.75) || { y1 = &y1 * 100; b <= 100 }) {
                y2 %= 10;
            }
            if ((x < &y5.1 - 2.0) || (a % 2 == 5)) || (b <= &y5.0 - 1) {
                y5.0 = a.clone();
            }
            if ((y1 == 1) && (&y3 + &y5.1 < 0.5)) && (!y4) {
                let z8;
                if y4 {
                    if ((m6 < 1) || (&y5.1 % 0.75 >= x - 0.5)) || (m6 > 1) {
                        let mut y9 = keep(&y5.1)?;
                    } else if (x >= 2.0) || (y5.1 == 0.75) {
                        y1 += y1;
                    } else {
                        for at10 in 0..1i64 {
                            y5.0 *= 1;
                            y4 = c.clone();
                            y2 = b % (b % 5 + 7);
                            if !c {
                                break;
                            }
                        }
                        y3 = x * x;
                        y2 = a.clone();
                    }
                    z8 = (a % (&y2 % 5 + 7)) - &y2;
                } else {
                    let mut at11 = scalar(0i64);
                    loop {
                        at11 += 1;
                        if at11 > 5 { break; }
                        y5.0 = 0 * &y5.0;
                        if !(x + x <= y3) {
                            break;
                        }
                    }
                    z8 = &y5.0 + m6;
                }
                let z12;
                if (y5.1 != x - 0.75) || (y2 == b) {
                    y4 = z8 >= 0;
                    z12 = vec![b.clone(), (if z8 == &y1 - 0 { &y1 * &y2 } else { &y2 % (&y2 % 5 + 7) }) - 7];
                } else {
                    z12 = vec![(if c { &z8 - 0 } else { &z8 * k }) * 0, (if &y2 + &y5.0 == 2 { -a } else { a * k }) - 7];
                }
                y3 += 3.25;
            } else {
                let mut y13 = &y5.0 % (b % 5 + 7);
                y13 = y5.0;
            }
            Ok((b * m6, float(&y2)?, &y1 + &y5.0 == b - 7))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p78 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = ((if y3 { &b - num(0) } else { (if (&a + &y1 != num(5)) && (x == num(10.0)) { scalar(0i64) } else { y1.clone() }) * num(1) }) * num(1), x.clone());
            let mut at5 = scalar(0i64);
            'l0: while at5 < num(5) && (k > 3) {
                at5 += num(1);
                y4.1 -= num(0.75) - &y2;
                if (at5 == &y4.0 - num(100)) || (y1 <= &b - num(2)) {
                    continue 'l0;
                }
            }
            y2 = float(&y4.0)?;
            y1 = a.clone();
            y1 = &y4.0 * num(k);
            if !(y3) {
                y2 -= y4.1;
            }
            if (c) && (y1 != num(3)) {
                y2 = num(2.0) + &x;
            } else if b >= num(2) {
            }
            y4 = (&y1 * &a, float(&y4.0)?);
            let mut y6 = if ((&y1 + &y4.0 < num(5)) || (&x + &y2 <= num(1.0))) && (y2 <= num(0.5)) {
                (&y4.0 - &y1, keep(&x)?)
            } else {
                let mut at7 = scalar(0i64);
                while at7 < num(2) {
                    at7 += num(1);
                    let n9 = &y1 % num(5);
                    for at8 in ints(2, n9) {
                        y2 = &y2 % num(1.0);
                    }
                    if !flag {
                        break;
                    }
                }
                (&b - num(5), y4.1.clone())
            };
            Ok((&y6.0 + num(7), float(&a)?, (&y2 % num(10.0) < y2) || (x > &y6.1 - num(2.0))))
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
            let mut y4 = ((if y3 { b - 0 } else { (if (a + &y1 != 5) && (x == 10.0) { scalar(0i64) } else { y1.clone() }) * 1 }) * 1, x.clone());
            let mut at5 = scalar(0i64);
            'l0: while at5 < 5 && (k > 3) {
                at5 += 1;
                y4.1 -= 0.75 - &y2;
                if (at5 == &y4.0 - 100) || (y1 <= b - 2) {
                    continue 'l0;
                }
            }
            y2 = float(&y4.0)?;
            y1 = a.clone();
            y1 = &y4.0 * k;
            if !(y3) {
                y2 -= y4.1;
            }
            if (c) && (y1 != 3) {
                y2 = 2.0 + x;
            } else if b >= 2 {
            }
            y4 = (&y1 * a, float(&y4.0)?);
            let mut y6 = if ((&y1 + &y4.0 < 5) || (x + &y2 <= 1.0)) && (y2 <= 0.5) {
                (&y4.0 - &y1, keep(x)?)
            } else {
                let mut at7 = scalar(0i64);
                while at7 < 2 {
                    at7 += 1;
                    let n9 = &y1 % 5;
                    for at8 in 2..&n9 {
                        y2 = &y2 % 1.0;
                    }
                    if !flag {
                        break;
                    }
                }
                (b - 5, y4.1.clone())
            };
            Ok((&y6.0 + 7, float(a)?, (&y2 % 10.0 < y2) || (x > &y6.1 - 2.0)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p82 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut at5 = scalar(0i64);
            'l0: while at5 < num(1) && ((&y1 % num(3) >= y2) && (y2 >= num(0))) {
                at5 += num(1);
            }
            let z6;
            if &b % num(2) > num(1) {
                z6 = -&b;
            } else {
                {
                }
                z6 = -&b;
            }
            {
                if let Some(m6) = flag.then_some(k) {
                    y2 *= num(3);
                }
            }
            'l0: for at8 in v.iter().copied() {
                if (&x + &y3 > x) && { y2 = &z6 * &at8; y3 != num(10.0) } {
                } else {
                    y1 -= &y1 / num(10);
                    let mut y9 = (if y4 { &y2 * num(k) } else { z6.clone() }) * num(100);
                    y3 -= x.clone();
                }
                let mut at10 = scalar(0i64);
                'l1: while at10 < num(5) && ((b > num(0)) && (&at8 % num(2) >= num(3))) {
                    at10 += num(1);
                    let mut at11 = scalar(0i64);
                    while at11 < num(4) && (k != 1) {
                        at11 += num(1);
                        if &y3 % num(1.0) <= x {
                            y2 = z6.clone();
                            y3 = (&y3 - num(10.0)) * &y3;
                            y1 = &at8 / (&z6 % num(5) + num(7));
                        } else {
                            y4 = ((y2 > num(2)) && (at10 >= y1)) && flag;
                            y2 = &at8 - &b;
                        }
                        y2 += num(0);
                    }
                    y1 = keep(&at8)?;
                    y4 = !((&at8 % num(7) != y1) && (&y1 + &z6 != a));
                }
                y1 *= z6.clone();
                {
                }
            }
            Ok((scalar(100i64), &y3 + num(2.0), c.clone()))
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
            let mut at5 = scalar(0i64);
            'l0: while at5 < 1 && ((&y1 % 3 >= y2) && (y2 >= 0)) {
                at5 += 1;
            }
            let z6;
            if b % 2 > 1 {
                z6 = -b;
            } else {
                {
                }
                z6 = -b;
            }
            {
                if let Some(m6) = flag.then_some(k) {
                    y2 *= 3;
                }
            }
            'l0: for at8 in v {
                if (x + &y3 > x) && { y2 = &z6 * &at8; y3 != 10.0 } {
                } else {
                    y1 -= &y1 / 10;
                    let mut y9 = (if y4 { &y2 * k } else { z6.clone() }) * 100;
                    y3 -= x.clone();
                }
                let mut at10 = scalar(0i64);
                'l1: while at10 < 5 && ((b > 0) && (&at8 % 2 >= 3)) {
                    at10 += 1;
                    let mut at11 = scalar(0i64);
                    while at11 < 4 && (k != 1) {
                        at11 += 1;
                        if &y3 % 1.0 <= x {
                            y2 = z6.clone();
                            y3 = (&y3 - 10.0) * &y3;
                            y1 = &at8 / (&z6 % 5 + 7);
                        } else {
                            y4 = ((y2 > 2) && (at10 >= y1)) && flag;
                            y2 = &at8 - b;
                        }
                        y2 += 0;
                    }
                    y1 = keep(&at8)?;
                    y4 = !((&at8 % 7 != y1) && (&y1 + &z6 != a));
                }
                y1 *= z6.clone();
                {
                }
            }
            Ok((scalar(100i64), &y3 + 2.0, c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p83 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = keep(&a)?;
            if (k == 2) && (y3 != num(0.75)) {
                y5 += num(100);
                y1 = keep(&a)?;
                y1 *= y1.clone();
            }
            match k {
                0 => {
                    y1 %= num(10);
                }
                1 | 2 => {
                    if (y5 == y2) && (x == x) {
                        return Ok((b.clone(), &x - num(0.5), y4.clone()));
                    }
                    y5 %= num(7);
                    y5 = keep(&a)?;
                }
                n if n > 4 => {
                    y3 = (keep(&y3)?) + &y3;
                    (y2, y3) = (&y2 - num(k), num(10.0) * &y3);
                }
                _ => {
                    y4 = a < num(5);
                    y5 = (if (y2 <= y1) || !flag { &y5 % num(7) } else { &y5 - &b }) + num(100);
                }
            }
            Ok((&b - num(k), (y3.clone()) * &y3, c.clone()))
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
            let mut y5 = keep(a)?;
            if (k == 2) && (y3 != 0.75) {
                y5 += 100;
                y1 = keep(a)?;
                y1 *= y1.clone();
            }
            match k {
                0 => {
                    y1 %= 10;
                }
                1 | 2 => {
                    if (y5 == y2) && (x == x) {
                        return Ok((b.clone(), x - 0.5, y4.clone()));
                    }
                    y5 %= 7;
                    y5 = keep(a)?;
                }
                n if n > 4 => {
                    y3 = (keep(&y3)?) + &y3;
                    (y2, y3) = (&y2 - k, 10.0 * &y3);
                }
                _ => {
                    y4 = a < 5;
                    y5 = (if (y2 <= y1) || !flag { &y5 % 7 } else { &y5 - b }) + 100;
                }
            }
            Ok((b - k, (y3.clone()) * &y3, c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
