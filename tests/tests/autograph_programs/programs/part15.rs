//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p98 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&a * &a, &x % num(10.0));
            if !flag {
                return Ok(((if !y4 { y5.0.clone() } else { a.clone() }) + num(0), &x - &x, y3 == num(0.5)));
            }
            let n7 = &a % num(5);
            'l0: for at6 in ints(1, n7) {
                y5.0 = num(1) - &a;
                if !flag {
                    return Ok((&a - &y2, &y5.1 - &x, b < num(2)));
                }
                'l1: for at8 in 0..2i64 {
                    y5.1 = &y3 - &y3;
                    let n10 = &y5.0 % num(5);
                    'l2: for at9 in ints(1, n10) {
                        {
                        }
                        y2 = &y2 - num(100);
                        if y5.0 == &at9 - num(7) {
                            y5.0 = (if &y2 % num(2) > num(0) { &y1 * num(1) } else { &y5.0 + num(3) }) - num(100);
                            y4 = at6 == &y5.0 - num(7);
                        }
                    }
                }
            }
            Ok((keep(&b)?, keep(&y5.1)?, (y5.0 == a) && (k != 2)))
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
            let mut y5 = (a * a, x % 10.0);
            if !flag {
                return Ok(((if !y4 { y5.0.clone() } else { a.clone() }) + 0, x - x, y3 == 0.5));
            }
            let n7 = a % 5;
            'l0: for at6 in 1..&n7 {
                y5.0 = 1 - a;
                if !flag {
                    return Ok((a - &y2, &y5.1 - x, b < 2));
                }
                'l1: for at8 in 0..2i64 {
                    y5.1 = &y3 - &y3;
                    let n10 = &y5.0 % 5;
                    'l2: for at9 in 1..&n10 {
                        {
                        }
                        y2 = &y2 - 100;
                        if y5.0 == &at9 - 7 {
                            y5.0 = (if &y2 % 2 > 0 { &y1 * 1 } else { &y5.0 + 3 }) - 100;
                            y4 = at6 == &y5.0 - 7;
                        }
                    }
                }
            }
            Ok((keep(b)?, keep(&y5.1)?, (y5.0 == a) && (k != 2)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p99 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y1 = x.clone();
            let mut y3 = c.clone();
            if ((y2 > num(2)) || (y2 == &b - num(2))) && ((a >= &a - num(1)) || (b >= b)) {
                y3 = y3.clone();
            }
            if (k > 1) {
                y1 = (&x / num(10.0)) - &y1;
                return Ok((&b * &b, &x % num(0.5), y3.clone()));
            } else {
                (y2, y1) = (&a + &y2, y1.clone());
                y3 = scalar(true);
            }
            y2 = (if !(&x % num(10.0) != num(3.25)) { (if y3 == c { a.clone() } else { a.clone() }) * num(3) } else { a.clone() }) + num(1);
            let mut y2 = match k {
                0 => {
                    &a + &y2
                }
                1 | 2 => {
                    if &b % num(10) <= num(5) {
                        if y3 {
                            y1 /= num(0.75);
                        } else if (k < 2) {
                            if (y1 == x) || { y2 = &b + &y2; &b % num(2) >= num(0) } {
                                y3 = (!y3) && (&a % num(7) == num(0));
                            } else {
                                y2 = &y2 + num(3);
                                y1 += float(&y2)?;
                            }
                            let mut at4 = scalar(0i64);
                            while at4 < num(4) && ((a < y2) || (y2 != num(100))) {
                                at4 += num(1);
                            }
                            y2 = (if (y1 >= x) && (b != b) { a.clone() } else { &y2 + num(2) }) * num(7);
                        }
                        y2 = &y2 * num(1);
                    }
                    let n6 = &a % num(5);
                    'l0: for at5 in ints(2, n6) {
                        let mut at7 = scalar(0i64);
                        while at7 < num(3) && ((&x % num(0.75) == &y1 - num(2.0)) || (a <= num(5))) {
                            at7 += num(1);
                            y2 = &at5 + num(k);
                        }
                        if let Some(m7) = flag.then_some(k) {
                            y2 = (if &y1 + &y1 < &y1 - num(3.25) { scalar(0i64) } else { a.clone() }) * num(0);
                            let n10 = &b % num(5);
                            for at9 in ints(0, n10) {
                                y2 /= num(10);
                                if &y2 % num(2) > num(2) {
                                    return Ok((at5.clone(), (if !(at9 < at5) { y1.clone() } else { x.clone() }) * num(2.0), y1 < &x - num(1.0)));
                                }
                            }
                            y1 = &y1 / num(1.0);
                        }
                        if !y3 {
                            if y2 < num(1) {
                                y2 = &at5 - num(k);
                            }
                            let mut y2 = (&b * &y2, &y1 * &x);
                            y2.1 = &y2.1 * num(2.0);
                        } else {
                            y1 += &y1 * num(0.75);
                        }
                    }
                    &a + &b
                }
                n if n > 4 => {
                    y2 = &a % (&a % num(5) + num(7));
                    b.clone()
                }
                _ => {
                    &y2 / num(10)
                }
            };
            Ok((&y2 * num(k), (scalar(3.25f64)) + &x, (y2 > num(7)) && (&b % num(3) <= b)))
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
            if ((y2 > 2) || (y2 == b - 2)) && ((a >= a - 1) || (b >= b)) {
                y3 = y3.clone();
            }
            if (k > 1) {
                y1 = (x / 10.0) - &y1;
                return Ok((b * b, x % 0.5, y3.clone()));
            } else {
                (y2, y1) = (a + &y2, y1.clone());
                y3 = scalar(true);
            }
            y2 = (if !(x % 10.0 != 3.25) { (if y3 == c { a.clone() } else { a.clone() }) * 3 } else { a.clone() }) + 1;
            let mut y2 = match k {
                0 => {
                    a + &y2
                }
                1 | 2 => {
                    if b % 10 <= 5 {
                        if y3 {
                            y1 /= 0.75;
                        } else if (k < 2) {
                            if (y1 == x) || { y2 = b + &y2; b % 2 >= 0 } {
                                y3 = (!y3) && (a % 7 == 0);
                            } else {
                                y2 = &y2 + 3;
                                y1 += float(&y2)?;
                            }
                            let mut at4 = scalar(0i64);
                            while at4 < 4 && ((a < y2) || (y2 != 100)) {
                                at4 += 1;
                            }
                            y2 = (if (y1 >= x) && (b != b) { a.clone() } else { &y2 + 2 }) * 7;
                        }
                        y2 = &y2 * 1;
                    }
                    let n6 = a % 5;
                    'l0: for at5 in 2..&n6 {
                        let mut at7 = scalar(0i64);
                        while at7 < 3 && ((x % 0.75 == &y1 - 2.0) || (a <= 5)) {
                            at7 += 1;
                            y2 = &at5 + k;
                        }
                        if let Some(m7) = flag.then_some(k) {
                            y2 = (if &y1 + &y1 < &y1 - 3.25 { scalar(0i64) } else { a.clone() }) * 0;
                            let n10 = b % 5;
                            for at9 in 0..&n10 {
                                y2 /= 10;
                                if &y2 % 2 > 2 {
                                    return Ok((at5.clone(), (if !(at9 < at5) { y1.clone() } else { x.clone() }) * 2.0, y1 < x - 1.0));
                                }
                            }
                            y1 = &y1 / 1.0;
                        }
                        if !y3 {
                            if y2 < 1 {
                                y2 = &at5 - k;
                            }
                            let mut y2 = (b * &y2, &y1 * x);
                            y2.1 = &y2.1 * 2.0;
                        } else {
                            y1 += &y1 * 0.75;
                        }
                    }
                    a + b
                }
                n if n > 4 => {
                    y2 = a % (a % 5 + 7);
                    b.clone()
                }
                _ => {
                    &y2 / 10
                }
            };
            Ok((&y2 * k, (scalar(3.25f64)) + x, (y2 > 7) && (b % 3 <= b)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p100 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            if c {
                y3 = &x + &x;
                let (mut y5, mut y6) = (&a % (&y2 % num(5) + num(7)), num(1.0) + &x);
                y1 *= y2.clone();
            } else {
            }
            let mut y7 = num(0) + &b;
            for at8 in v.iter().copied() {
                if (c != y4) && ((y3 != num(0.5)) && flag) {
                    if let Some(m8) = flag.then_some(k) {
                    }
                    if (!(y3 < num(0.75))) && (!c) {
                        let mut y10 = a.clone();
                        y3 = float(&y10)?;
                        return Ok(((if (at8 > num(5)) || flag { y7.clone() } else { y1.clone() }) - num(7), &x - &y3, &a + &y7 > b));
                    } else {
                        let mut at11 = scalar(0i64);
                        'l1: while at11 < num(4) && (k < 3) {
                            at11 += num(1);
                            y7 += num(3);
                        }
                        y2 -= &y2 * &a;
                    }
                    y3 %= num(10.0);
                } else {
                    (y7, y3) = (y2.clone(), &x + &x);
                    y7 *= num(3);
                }
                if let Some(m11) = flag.then_some(k) {
                    let mut y13 = (scalar(2i64), &x - num(1.0));
                    y7 -= num(0);
                }
                y3 = float(&a)?;
                if !flag {
                    continue;
                }
            }
            Ok(((y7.clone()) * &y2, &x + &y3, (&b + &y2 != num(100)) || { y7 = &b - &y2; &y2 + &a >= y1 }))
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
            if c {
                y3 = x + x;
                let (mut y5, mut y6) = (a % (&y2 % 5 + 7), 1.0 + x);
                y1 *= y2.clone();
            } else {
            }
            let mut y7 = 0 + b;
            for at8 in v {
                if (c != y4) && ((y3 != 0.5) && flag) {
                    if let Some(m8) = flag.then_some(k) {
                    }
                    if (!(y3 < 0.75)) && (!c) {
                        let mut y10 = a.clone();
                        y3 = float(&y10)?;
                        return Ok(((if (at8 > 5) || flag { y7.clone() } else { y1.clone() }) - 7, x - &y3, a + &y7 > b));
                    } else {
                        let mut at11 = scalar(0i64);
                        'l1: while at11 < 4 && (k < 3) {
                            at11 += 1;
                            y7 += 3;
                        }
                        y2 -= &y2 * a;
                    }
                    y3 %= 10.0;
                } else {
                    (y7, y3) = (y2.clone(), x + x);
                    y7 *= 3;
                }
                if let Some(m11) = flag.then_some(k) {
                    let mut y13 = (scalar(2i64), x - 1.0);
                    y7 -= 0;
                }
                y3 = float(a)?;
                if !flag {
                    continue;
                }
            }
            Ok(((y7.clone()) * &y2, x + &y3, (b + &y2 != 100) || { y7 = b - &y2; &y2 + a >= y1 }))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p101 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            for at5 in 0..1i64 {
                'l1: for at6 in v.iter().copied() {
                    let z7;
                    if (&y2 % num(3) >= &a - num(100)) || (y1 == y1) {
                        y1 = &y2 - &b;
                        z7 = (if (a <= &y2 - num(1)) && (k == 2) { &y2 + num(at5) } else { scalar(2i64) }) - num(5);
                    } else {
                        {
                        }
                        z7 = y1.clone();
                    }
                    y3 -= num(1.0);
                    if (at5 < 2) {
                        y4 = y4.clone();
                    } else {
                        let mut y8 = match at5 {
                            0 => {
                                float(&y1)?
                            }
                            1 | 2 => {
                                &y3 % num(3.25)
                            }
                            n if n > 4 => {
                                y3 = &y3 / num(3.25);
                                y4 = y1 == &b - num(5);
                                (y3.clone()) - &x
                            }
                            _ => {
                                y4 = &b + &z7 == y1;
                                y2 = &z7 + num(k);
                                &y3 + &y3
                            }
                        };
                        if c {
                            break 'l1;
                        }
                        y1 /= num(3);
                    }
                }
                y2 = &a * &a;
                if let Some(m8) = flag.then_some(k) {
                    let mut at10 = scalar(0i64);
                    while at10 < num(3) {
                        at10 += num(1);
                        if (y3 <= num(1.0)) || (y1 != a) {
                            break;
                        }
                    }
                    return Ok((keep(&y1)?, float(&y2)?, scalar(false)));
                }
            }
            Ok((&y1 % (&y1 % num(5) + num(7)), &y3 - num(3.25), y3 != num(3.25)))
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
            for at5 in 0..1i64 {
                'l1: for at6 in v {
                    let z7;
                    if (&y2 % 3 >= a - 100) || (y1 == y1) {
                        y1 = &y2 - b;
                        z7 = (if (a <= &y2 - 1) && (k == 2) { &y2 + at5 } else { scalar(2i64) }) - 5;
                    } else {
                        {
                        }
                        z7 = y1.clone();
                    }
                    y3 -= 1.0;
                    if (at5 < 2) {
                        y4 = y4.clone();
                    } else {
                        let mut y8 = match at5 {
                            0 => {
                                float(&y1)?
                            }
                            1 | 2 => {
                                &y3 % 3.25
                            }
                            n if n > 4 => {
                                y3 = &y3 / 3.25;
                                y4 = y1 == b - 5;
                                (y3.clone()) - x
                            }
                            _ => {
                                y4 = b + &z7 == y1;
                                y2 = &z7 + k;
                                &y3 + &y3
                            }
                        };
                        if c {
                            break 'l1;
                        }
                        y1 /= 3;
                    }
                }
                y2 = a * a;
                if let Some(m8) = flag.then_some(k) {
                    let mut at10 = scalar(0i64);
                    while at10 < 3 {
                        at10 += 1;
                        if (y3 <= 1.0) || (y1 != a) {
                            break;
                        }
                    }
                    return Ok((keep(&y1)?, float(&y2)?, scalar(false)));
                }
            }
            Ok((&y1 % (&y1 % 5 + 7), &y3 - 3.25, y3 != 3.25))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
