//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p108 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&y2 - &a, float(&y2)?);
            for at6 in v.iter().copied() {
                {
                }
                if (at6 == num(3)) || flag {
                    y5.1 = &y5.1 * num(0.5);
                } else if (&b + &at6 > a) || (&y2 + &a < num(0)) {
                    y2 -= a.clone();
                } else {
                    y5.0 += num(3);
                    continue;
                }
                y5 = (&y2 + num(k), -&y5.1);
                if (a == num(1)) && (&y2 % num(2) > num(7)) {
                    break;
                }
                y2 += at6.clone();
            }
            let mut y7 = &b % num(10) < num(3);
            if (!y4) || ((x == x) || (k == 2)) {
                let z8;
                if (k == 0) || (&y2 + &y2 >= num(2)) {
                    let n10 = &y1 % num(5);
                    for at9 in ints(2, n10) {
                        y2 /= num(3);
                        match k {
                            0 => {
                                y5 = (b.clone(), &x - num(0.75));
                                y3 = &x - num(0.5);
                                y3 = &y5.1 + &y5.1;
                            }
                            1 | 2 => {
                                y1 /= num(3);
                            }
                            n if n > 4 => {
                                y5 = ((if (a == &a - num(5)) || { y2 = (y1.clone()) - &y1; y3 >= y3 } { &y5.0 + num(k) } else { (y5.0.clone()) + &a }) + num(100), &y3 + num(1.0));
                                y2 = (at9.clone()) + &y2;
                                y3 -= &y5.1 - &x;
                            }
                            _ => {
                                y5.0 += num(0);
                                y1 *= y5.0.clone();
                            }
                        }
                        y1 %= num(10);
                        if (x < &y3 - num(0.75)) && (y5.0 < num(100)) {
                            break;
                        }
                    }
                    z8 = &x + num(1.0);
                } else {
                    z8 = float(&y2)?;
                }
                y5 = (y1, &y3 - &z8);
            } else {
                y5.1 = y5.1.clone();
                return Ok((&a - num(k), &y5.1 + num(3.25), scalar(false)));
            }
            Ok((&b * num(100), (y3.clone()) + &y5.1, (a == &y2 - num(0)) && (y5.1 != num(0.5))))
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
            let mut y5 = (&y2 - a, float(&y2)?);
            for at6 in v {
                {
                }
                if (at6 == 3) || flag {
                    y5.1 = &y5.1 * 0.5;
                } else if (b + &at6 > a) || (&y2 + a < 0) {
                    y2 -= a.clone();
                } else {
                    y5.0 += 3;
                    continue;
                }
                y5 = (&y2 + k, -&y5.1);
                if (a == 1) && (&y2 % 2 > 7) {
                    break;
                }
                y2 += at6.clone();
            }
            let mut y7 = b % 10 < 3;
            if (!y4) || ((x == x) || (k == 2)) {
                let z8;
                if (k == 0) || (&y2 + &y2 >= 2) {
                    let n10 = &y1 % 5;
                    for at9 in 2..&n10 {
                        y2 /= 3;
                        match k {
                            0 => {
                                y5 = (b.clone(), x - 0.75);
                                y3 = x - 0.5;
                                y3 = &y5.1 + &y5.1;
                            }
                            1 | 2 => {
                                y1 /= 3;
                            }
                            n if n > 4 => {
                                y5 = ((if (a == a - 5) || { y2 = (y1.clone()) - &y1; y3 >= y3 } { &y5.0 + k } else { (y5.0.clone()) + a }) + 100, &y3 + 1.0);
                                y2 = (at9.clone()) + &y2;
                                y3 -= &y5.1 - x;
                            }
                            _ => {
                                y5.0 += 0;
                                y1 *= y5.0.clone();
                            }
                        }
                        y1 %= 10;
                        if (x < &y3 - 0.75) && (y5.0 < 100) {
                            break;
                        }
                    }
                    z8 = x + 1.0;
                } else {
                    z8 = float(&y2)?;
                }
                y5 = (y1, &y3 - &z8);
            } else {
                y5.1 = y5.1.clone();
                return Ok((a - k, &y5.1 + 3.25, scalar(false)));
            }
            Ok((b * 100, (y3.clone()) + &y5.1, (a == &y2 - 0) && (y5.1 != 0.5)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p110 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            if &x % num(3.25) >= num(1.0) {
                if y2 >= num(0) {
                    let mut y5 = (num(100) * &y1, (&y3 - num(2.0)) * &x);
                } else {
                    if (y2 >= &b - num(1)) || (c != y4) {
                        let mut at6 = scalar(0i64);
                        'l0: while at6 < num(5) && (k == 3) {
                            at6 += num(1);
                            y3 = &x - num(0.5);
                            if (k > 2) {
                                break 'l0;
                            }
                        }
                    } else if &y2 + &a < num(1) {
                        let n8 = &b % num(5);
                        for at7 in ints(0, n8) {
                            y4 = y4.clone();
                            y4 = c.clone();
                        }
                    }
                    y3 = &x % num(3.25);
                    y3 -= num(1.0);
                }
                return Ok((-&y1, &x - &y3, &b + &y1 < num(3)));
            }
            Ok((&a * &b, &y3 + num(2.0), scalar(true)))
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
            if x % 3.25 >= 1.0 {
                if y2 >= 0 {
                    let mut y5 = (100 * &y1, (&y3 - 2.0) * x);
                } else {
                    if (y2 >= b - 1) || (c != y4) {
                        let mut at6 = scalar(0i64);
                        'l0: while at6 < 5 && (k == 3) {
                            at6 += 1;
                            y3 = x - 0.5;
                            if (k > 2) {
                                break 'l0;
                            }
                        }
                    } else if &y2 + a < 1 {
                        let n8 = b % 5;
                        for at7 in 0..&n8 {
                            y4 = y4.clone();
                            y4 = c.clone();
                        }
                    }
                    y3 = x % 3.25;
                    y3 -= 1.0;
                }
                return Ok((-&y1, x - &y3, b + &y1 < 3));
            }
            Ok((a * b, &y3 + 2.0, scalar(true)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p111 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![&y2 + &y1, &y1 * &y1];
            y5 = vec![b.clone(), &y1 + num(k)];
            for at6 in 0..2i64 {
                y4 = ((&b + &y5[0] <= &y2 - num(1)) && (x < num(3.25))) || (&x % num(0.5) >= &x - num(1.0));
                y3 += x.clone();
            }
            Ok((&y5[0] + num(k), keep(&y3)?, y4.clone()))
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
            let mut y5 = vec![&y2 + &y1, &y1 * &y1];
            y5 = vec![b.clone(), &y1 + k];
            for at6 in 0..2i64 {
                y4 = ((b + &y5[0] <= &y2 - 1) && (x < 3.25)) || (x % 0.5 >= x - 1.0);
                y3 += x.clone();
            }
            Ok((&y5[0] + k, keep(&y3)?, y4.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p116 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&a - &y2, x.clone());
            let n7 = &y5.0 % num(5);
            for at6 in ints(0, n7) {
                if y3 > &y5.1 - num(1.0) {
                    y4 = c.clone();
                    if c {
                        y3 = &y3 * &y3;
                    }
                    y5.0 *= num(2);
                }
                let z8;
                if y4 != c {
                    let n10 = &b % num(5);
                    'l1: for at9 in ints(2, n10) {
                        let mut at11 = scalar(0i64);
                        let mut y12 = loop {
                            at11 += num(1);
                            if at11 > num(4) { break &y1 % (&a % num(5) + num(7)); }
                        };
                        y5 = (scalar(100i64), (num(0.75) - &y5.1) - &y3);
                        if let Some(m12) = flag.then_some(k) {
                            y12 += num(1);
                            y3 = &y5.1 + &x;
                        }
                    }
                    z8 = &y2 - num(k);
                } else {
                    'l1: for at14 in v.iter().copied() {
                        y4 = !c;
                        if &b + &b > &a - num(1) {
                            continue;
                        }
                    }
                    let mut y15 = match k {
                        0 => {
                            let Some(m15) = (k < 3).then_some(k + 1) else { return Ok((&y1 % num(10), (x.clone()) + &x, (y2 != y5.0) || (y2 >= &y5.0 - num(2)))) };
                            let (mut y17, mut y18) = (&y2 + num(0), &y5.1 - num(0.75));
                            vec![&y2 + num(0), &a + num(7)]
                        }
                        1 | 2 => {
                            match k {
                                0 => {
                                    y5.1 += &x + &y5.1;
                                }
                                1 | 2 => {
                                    y5 = (&y5.0 + &b, &x * &y5.1);
                                    y5 = (&at6 * num(k), (if c != c { x.clone() } else { &y5.1 % num(10.0) }) + num(1.0));
                                    y1 = &at6 + &y5.0;
                                    continue;
                                }
                                n if n > 4 => {
                                    y3 = scalar(0.5f64);
                                    y5 = (&y5.0 + &at6, &y3 - num(10.0));
                                    y5.1 = &y5.1 % num(3.25);
                                }
                                _ => {
                                    y1 += &a * &y5.0;
                                }
                            }
                            let z19;
                            if (&y1 % num(10) > num(7)) || (b >= &y1 - num(7)) {
                                z19 = &y3 + num(10.0);
                            } else {
                                y1 = keep(&a)?;
                                z19 = (y5.1.clone()) * &y5.1;
                            }
                            break;
                        }
                        n if n > 4 => {
                            vec![num(7) * &y1, &y5.0 * &at6]
                        }
                        _ => {
                            let z20;
                            if (a == num(2)) && flag {
                                z20 = !(c);
                            } else {
                                z20 = scalar(false);
                            }
                            vec![&y1 - &b, &y5.0 / (&at6 % num(5) + num(7))]
                        }
                    };
                    z8 = &a + &b;
                }
                y5 = ((if c != c { &y1 - num(k) } else { num(0) + &a }) + num(100), &y3 - num(0.5));
                if (y2 >= num(5)) || (&y1 % num(2) == y1) {
                    return Ok((&b - num(5), &y5.1 - num(0.75), (b != &a - num(2)) || (y3 > num(0.5))));
                }
                y1 = &at6 * num(7);
            }
            Ok((&y5.0 - num(5), num(0.75) - &y3, scalar(true)))
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
            let mut y5 = (a - &y2, x.clone());
            let n7 = &y5.0 % 5;
            for at6 in 0..&n7 {
                if y3 > &y5.1 - 1.0 {
                    y4 = c.clone();
                    if c {
                        y3 = &y3 * &y3;
                    }
                    y5.0 *= 2;
                }
                let z8;
                if y4 != c {
                    let n10 = b % 5;
                    'l1: for at9 in 2..&n10 {
                        let mut at11 = scalar(0i64);
                        let mut y12 = loop {
                            at11 += 1;
                            if at11 > 4 { break &y1 % (a % 5 + 7); }
                        };
                        y5 = (scalar(100i64), (0.75 - &y5.1) - &y3);
                        if let Some(m12) = flag.then_some(k) {
                            y12 += 1;
                            y3 = &y5.1 + x;
                        }
                    }
                    z8 = &y2 - k;
                } else {
                    'l1: for at14 in v {
                        y4 = !c;
                        if b + b > a - 1 {
                            continue;
                        }
                    }
                    let mut y15 = match k {
                        0 => {
                            let Some(m15) = (k < 3).then_some(k + 1) else { return Ok((&y1 % 10, (x.clone()) + x, (y2 != y5.0) || (y2 >= &y5.0 - 2))) };
                            let (mut y17, mut y18) = (&y2 + 0, &y5.1 - 0.75);
                            vec![&y2 + 0, a + 7]
                        }
                        1 | 2 => {
                            match k {
                                0 => {
                                    y5.1 += x + &y5.1;
                                }
                                1 | 2 => {
                                    y5 = (&y5.0 + b, x * &y5.1);
                                    y5 = (&at6 * k, (if c != c { x.clone() } else { &y5.1 % 10.0 }) + 1.0);
                                    y1 = &at6 + &y5.0;
                                    continue;
                                }
                                n if n > 4 => {
                                    y3 = scalar(0.5f64);
                                    y5 = (&y5.0 + &at6, &y3 - 10.0);
                                    y5.1 = &y5.1 % 3.25;
                                }
                                _ => {
                                    y1 += a * &y5.0;
                                }
                            }
                            let z19;
                            if (&y1 % 10 > 7) || (b >= &y1 - 7) {
                                z19 = &y3 + 10.0;
                            } else {
                                y1 = keep(a)?;
                                z19 = (y5.1.clone()) * &y5.1;
                            }
                            break;
                        }
                        n if n > 4 => {
                            vec![7 * &y1, &y5.0 * &at6]
                        }
                        _ => {
                            let z20;
                            if (a == 2) && flag {
                                z20 = !(c);
                            } else {
                                z20 = scalar(false);
                            }
                            vec![&y1 - b, &y5.0 / (&at6 % 5 + 7)]
                        }
                    };
                    z8 = a + b;
                }
                y5 = ((if c != c { &y1 - k } else { 0 + a }) + 100, &y3 - 0.5);
                if (y2 >= 5) || (&y1 % 2 == y1) {
                    return Ok((b - 5, &y5.1 - 0.75, (b != a - 2) || (y3 > 0.5)));
                }
                y1 = &at6 * 7;
            }
            Ok((&y5.0 - 5, 0.75 - &y3, scalar(true)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
