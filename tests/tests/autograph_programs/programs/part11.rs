//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p73 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&b * &y1, &y3 * num(10.0));
            'l0: for at6 in v.iter().copied() {
                if ((&y3 % num(3.25) != y5.1) || (x != num(1.0))) && (c != y4) {
                    let mut at7 = scalar(0i64);
                    'l1: while at7 < num(3) && (k != 3) {
                        at7 += num(1);
                        y5 = (&at7 + num(3), (if (y2 >= &at6 - num(5)) || (y5.0 <= num(100)) { keep(&x)? } else { &y3 * &y3 }) * num(0.75));
                        y5.1 = &x - num(2.0);
                        if (k > 0) {
                            return Ok((scalar(3i64), x.clone(), y5.1 > num(0.5)));
                        }
                    }
                    y2 = &y1 + &b;
                    y1 *= &at6 / (&at6 % num(5) + num(7));
                } else if &y5.1 + &y3 >= num(0.75) {
                    let mut y8 = scalar(2i64);
                    {
                    }
                    y5.1 = &x + num(2.0);
                } else {
                    let mut at9 = scalar(0i64);
                    'l1: while at9 < num(4) && (k != 3) {
                        at9 += num(1);
                        if (y5.0 < &y2 - num(100)) || ((y5.0 == num(0)) || (a > num(2))) {
                            y5.0 = &at6 * num(100);
                        } else if a == &y1 - num(3) {
                            y2 += &b % num(3);
                            y2 -= &y5.0 * num(k);
                            y4 = y5.1 < &y3 - num(3.25);
                        }
                        y3 = &y3 + &y3;
                        y5.0 -= y5.0.clone();
                        if y1 != num(100) {
                            continue;
                        }
                    }
                    let Some(m9) = (k < 3).then_some(k + 1) else { return Ok((&b % num(3), y3.clone(), (&y5.1 + &y5.1 < num(10.0)) && (&y5.0 % num(7) == y1))) };
                    y1 = &y2 % (&y2 % num(5) + num(7));
                }
                y5.0 = &y5.0 + &y2;
            }
            Ok(((if (x >= num(0.75)) || (k > 3) { y2.clone() } else { y5.0.clone() }) * num(100), &y3 * &y5.1, c == y4))
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
            let mut y5 = (b * &y1, &y3 * 10.0);
            'l0: for at6 in v {
                if ((&y3 % 3.25 != y5.1) || (x != 1.0)) && (c != y4) {
                    let mut at7 = scalar(0i64);
                    'l1: while at7 < 3 && (k != 3) {
                        at7 += 1;
                        y5 = (&at7 + 3, (if (y2 >= &at6 - 5) || (y5.0 <= 100) { keep(x)? } else { &y3 * &y3 }) * 0.75);
                        y5.1 = x - 2.0;
                        if (k > 0) {
                            return Ok((scalar(3i64), x.clone(), y5.1 > 0.5));
                        }
                    }
                    y2 = &y1 + b;
                    y1 *= &at6 / (&at6 % 5 + 7);
                } else if &y5.1 + &y3 >= 0.75 {
                    let mut y8 = scalar(2i64);
                    {
                    }
                    y5.1 = x + 2.0;
                } else {
                    let mut at9 = scalar(0i64);
                    'l1: while at9 < 4 && (k != 3) {
                        at9 += 1;
                        if (y5.0 < &y2 - 100) || ((y5.0 == 0) || (a > 2)) {
                            y5.0 = &at6 * 100;
                        } else if a == &y1 - 3 {
                            y2 += b % 3;
                            y2 -= &y5.0 * k;
                            y4 = y5.1 < &y3 - 3.25;
                        }
                        y3 = &y3 + &y3;
                        y5.0 -= y5.0.clone();
                        if y1 != 100 {
                            continue;
                        }
                    }
                    let Some(m9) = (k < 3).then_some(k + 1) else { return Ok((b % 3, y3.clone(), (&y5.1 + &y5.1 < 10.0) && (&y5.0 % 7 == y1))) };
                    y1 = &y2 % (&y2 % 5 + 7);
                }
                y5.0 = &y5.0 + &y2;
            }
            Ok(((if (x >= 0.75) || (k > 3) { y2.clone() } else { y5.0.clone() }) * 100, &y3 * &y5.1, c == y4))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p74 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut at5 = scalar(0i64);
            'l0: while at5 < num(5) {
                at5 += num(1);
                if &at5 + &at5 >= y2 {
                    continue 'l0;
                }
            }
            if let Some(m5) = flag.then_some(k) {
                y3 %= num(10.0);
            }
            for at7 in 0..1i64 {
                match k {
                    0 => {
                        let mut y8 = match at7 {
                            0 => {
                                {
                                }
                                let mut at9 = scalar(0i64);
                                while at9 < num(1) && (y4) {
                                    at9 += num(1);
                                    y4 = &b % num(3) == &y2 - num(0);
                                    y3 = (if &y2 % num(10) < num(100) { &x + num(1.0) } else { num(0.75) * &x }) * num(0.5);
                                    y3 *= num(0.5);
                                    if !flag {
                                        break;
                                    }
                                    y1 = &b / num(7);
                                }
                                y4.clone()
                            }
                            1 | 2 => {
                                for at10 in v.iter().copied() {
                                    if !(a <= b) {
                                        return Ok((&y1 % (&y1 % num(5) + num(7)), (if &y3 % num(2.0) == num(0.75) { x.clone() } else { scalar(10.0f64) }) - num(3.25), c.clone()));
                                    }
                                }
                                if (y3 > &y3 - num(2.0)) || (!c) {
                                    y4 = (y1 == &y1 - num(3)) && (!c);
                                } else {
                                }
                                !y4
                            }
                            n if n > 4 => {
                                let mut y11 = c.clone();
                                for at12 in 0..2i64 {
                                    y3 += y3.clone();
                                    y3 = -&y3;
                                }
                                (at7 == 0) && (c)
                            }
                            _ => {
                                continue;
                            }
                        };
                        y1 = &y2 * &b;
                    }
                    1 | 2 => {
                        let mut y13 = b.clone();
                        'l1: for at14 in 0..1i64 {
                            y13 -= y1.clone();
                            let mut y15 = y3.clone();
                            y4 = !c;
                            if &y13 + &y2 >= &b - num(7) {
                                return Ok((y2.clone(), (if (y1 == num(3)) || (y1 < &b - num(3)) { scalar(0.5f64) } else { x.clone() }) - num(10.0), y4.clone()));
                            }
                        }
                        y1 = num(100) + &y13;
                    }
                    n if n > 4 => {
                        y2 = &a % num(2);
                        continue;
                    }
                    _ => {
                        let z16;
                        if (&a % num(10) == a) || (at7 > 3) {
                            y2 %= num(3);
                            z16 = vec![num(5) + &a, &y1 % (&b % num(5) + num(7))];
                        } else {
                            if (at7 != 3) {
                                y2 = &y2 / (&a % num(5) + num(7));
                                y2 = &y1 + &a;
                                y2 = &b * &a;
                            } else {
                                y1 = &y1 + &a;
                                y1 += &a - num(at7);
                                break;
                            }
                            let mut y17 = if c {
                                y2 *= &y1 + &b;
                                b.clone()
                            } else {
                                (if (y3 >= x) && flag { &a - num(k) } else { num(100) + &y1 }) - num(3)
                            };
                            z16 = vec![y17.clone(), (&b + &b) - &y1];
                        }
                        y1 *= num(2);
                        y3 = &y3 - &x;
                    }
                }
                let mut y18 = match at7 {
                    0 => {
                        y1 = keep(&y2)?;
                        y3.clone()
                    }
                    1 | 2 => {
                        continue;
                    }
                    n if n > 4 => {
                        {
                            y1 = (scalar(3i64)) * &b;
                            y3 = &y3 + num(2.0);
                        }
                        (y2, y3) = (num(3) * &y1, &x * num(0.5));
                        y3.clone()
                    }
                    _ => {
                        if flag || (y4) {
                            let (mut y19, mut y20) = ((if &b % num(2) >= num(5) { b.clone() } else { a.clone() }) + num(100), &x + &y3);
                            y2 = y1.clone();
                        } else {
                            for at21 in v.iter().copied() {
                            }
                            let mut y22 = match at7 {
                                0 => {
                                    break;
                                }
                                1 | 2 => {
                                    y3 *= num(3.25);
                                    vec![(if x != num(3.25) { num(7) + &b } else { -&b }) * num(1), a.clone()]
                                }
                                n if n > 4 => {
                                    vec![&y2 % (&a % num(5) + num(7)), &y1 * num(3)]
                                }
                                _ => {
                                    y4 = y2 == y1;
                                    break;
                                }
                            };
                            y22[0] *= num(100);
                        }
                        &x - &x
                    }
                };
            }
            Ok((a.clone(), float(&y1)?, (&b + &a > num(0)) || { y1 = &a % (&y2 % num(5) + num(7)); a >= a }))
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
            'l0: while at5 < 5 {
                at5 += 1;
                if &at5 + &at5 >= y2 {
                    continue 'l0;
                }
            }
            if let Some(m5) = flag.then_some(k) {
                y3 %= 10.0;
            }
            for at7 in 0..1i64 {
                match k {
                    0 => {
                        let mut y8 = match at7 {
                            0 => {
                                {
                                }
                                let mut at9 = scalar(0i64);
                                while at9 < 1 && (y4) {
                                    at9 += 1;
                                    y4 = b % 3 == &y2 - 0;
                                    y3 = (if &y2 % 10 < 100 { x + 1.0 } else { 0.75 * x }) * 0.5;
                                    y3 *= 0.5;
                                    if !flag {
                                        break;
                                    }
                                    y1 = b / 7;
                                }
                                y4.clone()
                            }
                            1 | 2 => {
                                for at10 in v {
                                    if !(a <= b) {
                                        return Ok((&y1 % (&y1 % 5 + 7), (if &y3 % 2.0 == 0.75 { x.clone() } else { scalar(10.0f64) }) - 3.25, c.clone()));
                                    }
                                }
                                if (y3 > &y3 - 2.0) || (!c) {
                                    y4 = (y1 == &y1 - 3) && (!c);
                                } else {
                                }
                                !y4
                            }
                            n if n > 4 => {
                                let mut y11 = c.clone();
                                for at12 in 0..2i64 {
                                    y3 += y3.clone();
                                    y3 = -&y3;
                                }
                                (at7 == 0) && (c)
                            }
                            _ => {
                                continue;
                            }
                        };
                        y1 = &y2 * b;
                    }
                    1 | 2 => {
                        let mut y13 = b.clone();
                        'l1: for at14 in 0..1i64 {
                            y13 -= y1.clone();
                            let mut y15 = y3.clone();
                            y4 = !c;
                            if &y13 + &y2 >= b - 7 {
                                return Ok((y2.clone(), (if (y1 == 3) || (y1 < b - 3) { scalar(0.5f64) } else { x.clone() }) - 10.0, y4.clone()));
                            }
                        }
                        y1 = 100 + &y13;
                    }
                    n if n > 4 => {
                        y2 = a % 2;
                        continue;
                    }
                    _ => {
                        let z16;
                        if (a % 10 == a) || (at7 > 3) {
                            y2 %= 3;
                            z16 = vec![5 + a, &y1 % (b % 5 + 7)];
                        } else {
                            if (at7 != 3) {
                                y2 = &y2 / (a % 5 + 7);
                                y2 = &y1 + a;
                                y2 = b * a;
                            } else {
                                y1 = &y1 + a;
                                y1 += a - at7;
                                break;
                            }
                            let mut y17 = if c {
                                y2 *= &y1 + b;
                                b.clone()
                            } else {
                                (if (y3 >= x) && flag { a - k } else { 100 + &y1 }) - 3
                            };
                            z16 = vec![y17.clone(), (b + b) - &y1];
                        }
                        y1 *= 2;
                        y3 = &y3 - x;
                    }
                }
                let mut y18 = match at7 {
                    0 => {
                        y1 = keep(&y2)?;
                        y3.clone()
                    }
                    1 | 2 => {
                        continue;
                    }
                    n if n > 4 => {
                        {
                            y1 = (scalar(3i64)) * b;
                            y3 = &y3 + 2.0;
                        }
                        (y2, y3) = (3 * &y1, x * 0.5);
                        y3.clone()
                    }
                    _ => {
                        if flag || (y4) {
                            let (mut y19, mut y20) = ((if b % 2 >= 5 { b.clone() } else { a.clone() }) + 100, x + &y3);
                            y2 = y1.clone();
                        } else {
                            for at21 in v {
                            }
                            let mut y22 = match at7 {
                                0 => {
                                    break;
                                }
                                1 | 2 => {
                                    y3 *= 3.25;
                                    vec![(if x != 3.25 { 7 + b } else { -b }) * 1, a.clone()]
                                }
                                n if n > 4 => {
                                    vec![&y2 % (a % 5 + 7), &y1 * 3]
                                }
                                _ => {
                                    y4 = y2 == y1;
                                    break;
                                }
                            };
                            y22[0] *= 100;
                        }
                        x - x
                    }
                };
            }
            Ok((a.clone(), float(&y1)?, (b + a > 0) || { y1 = a % (&y2 % 5 + 7); a >= a }))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p75 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y1 = x.clone();
            let mut y3 = c.clone();
            let mut at4 = scalar(0i64);
            while at4 < num(4) {
                at4 += num(1);
                y2 = keep(&a)?;
                'l1: for at5 in v.iter().copied() {
                    let n7 = &b % num(5);
                    for at6 in ints(1, n7) {
                        y2 *= (if (y1 >= &y1 - num(0.5)) && (y1 <= &y1 - num(1.0)) { a.clone() } else { at6.clone() }) - num(7);
                    }
                    y2 = &b * &a;
                }
            }
            Ok((&a - &b, -&x, !y3))
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
            let mut at4 = scalar(0i64);
            while at4 < 4 {
                at4 += 1;
                y2 = keep(a)?;
                'l1: for at5 in v {
                    let n7 = b % 5;
                    for at6 in 1..&n7 {
                        y2 *= (if (y1 >= &y1 - 0.5) && (y1 <= &y1 - 1.0) { a.clone() } else { at6.clone() }) - 7;
                    }
                    y2 = b * a;
                }
            }
            Ok((a - b, -x, !y3))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
