//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p12 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            y4 = ((&y2 + &y2 >= num(3)) || (k > 0)) || !flag;
            y3 += num(0.5);
            'l0: for at5 in v.iter().copied() {
                if (k < 1) {
                    y3 = scalar(2.0f64);
                    let mut y6 = (num(0) + &y2) + &y2;
                    y1 /= num(2);
                    continue;
                } else {
                    y4 = y4.clone();
                    y4 = scalar(true);
                }
                if c {
                    break 'l0;
                }
                let mut y7 = !c;
            }
            let mut y8 = match k {
                0 => {
                    let mut at9 = scalar(0i64);
                    'l0: loop {
                        at9 += num(1);
                        if at9 > num(4) { break; }
                        if (at9 <= y1) || (&y1 % num(10) < at9) {
                            return Ok(((at9.clone()) - &b, &x + &x, scalar(false)));
                        }
                    }
                    keep(&y3)?
                }
                1 | 2 => {
                    y3.clone()
                }
                n if n > 4 => {
                    if (y2 <= y2) && !flag {
                        y3 *= num(2.0);
                    } else if c != c {
                        y2 -= b.clone();
                    }
                    {
                        let mut y10 = (&b - &y2, &x / num(2.0));
                        let mut y11 = &y10.0 * num(k);
                    }
                    return Ok((&a * num(5), y3.clone(), x < &x - num(10.0)));
                }
                _ => {
                    &x + &x
                }
            };
            Ok((a.clone(), keep(&x)?, y4.clone()))
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
            y4 = ((&y2 + &y2 >= 3) || (k > 0)) || !flag;
            y3 += 0.5;
            'l0: for at5 in v {
                if (k < 1) {
                    y3 = scalar(2.0f64);
                    let mut y6 = (0 + &y2) + &y2;
                    y1 /= 2;
                    continue;
                } else {
                    y4 = y4.clone();
                    y4 = scalar(true);
                }
                if c {
                    break 'l0;
                }
                let mut y7 = !c;
            }
            let mut y8 = match k {
                0 => {
                    let mut at9 = scalar(0i64);
                    'l0: loop {
                        at9 += 1;
                        if at9 > 4 { break; }
                        if (at9 <= y1) || (&y1 % 10 < at9) {
                            return Ok(((at9.clone()) - b, x + x, scalar(false)));
                        }
                    }
                    keep(&y3)?
                }
                1 | 2 => {
                    y3.clone()
                }
                n if n > 4 => {
                    if (y2 <= y2) && !flag {
                        y3 *= 2.0;
                    } else if c != c {
                        y2 -= b.clone();
                    }
                    {
                        let mut y10 = (b - &y2, x / 2.0);
                        let mut y11 = &y10.0 * k;
                    }
                    return Ok((a * 5, y3.clone(), x < x - 10.0));
                }
                _ => {
                    x + x
                }
            };
            Ok((a.clone(), keep(x)?, y4.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p13 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            for at5 in v.iter().copied() {
                for at6 in v.iter().copied() {
                    let mut at7 = scalar(0i64);
                    'l2: while at7 < num(3) && (k < 0) {
                        at7 += num(1);
                        if (x >= num(2.0)) && (&b % num(2) < num(3)) {
                            break 'l2;
                        }
                        y2 = &at5 % num(2);
                        y4 = !(&at7 + &at6 <= b);
                        if !flag {
                            break;
                        }
                    }
                    y3 = float(&y2)?;
                    if !(&b + &y2 < num(5)) {
                        return Ok((&at5 + &b, y3.clone(), (x > &y3 - num(3.25)) || (&a + &at6 > &a - num(3))));
                    }
                    if y4 {
                        let mut y8 = if !y4 {
                            y3 = &x % num(0.5);
                            y4 = scalar(true);
                            vec![a.clone(), &a - &b]
                        } else if (&y1 % num(10) > num(0)) || (&y1 + &y2 > num(7)) {
                            vec![&at6 + &y2, keep(&y2)?]
                        } else {
                            y2 %= num(2);
                            y1 = (&b * &y2) + &at5;
                            vec![y1, &a - &at5]
                        };
                        y3 -= num(3.25);
                        y8[0] = -&a;
                        break;
                    } else {
                        if ((&at5 % num(2) == &b - num(7)) && (at5 >= at6)) || ((&x + &x >= num(10.0)) || (&y3 % num(0.75) != x)) {
                            y1 = &a * &at6;
                            y3 %= num(2.0);
                        } else {
                            y3 %= num(3.25);
                        }
                        let mut at9 = scalar(0i64);
                        while at9 < num(1) {
                            at9 += num(1);
                            y3 -= x.clone();
                        }
                        y2 %= num(7);
                    }
                }
                y2 *= b.clone();
                if y4 {
                    break;
                }
                if let Some(m9) = flag.then_some(k) {
                    y4 = !y4;
                }
            }
            Ok((y2.clone(), &x + num(2.0), &b + &b < num(3)))
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
            for at5 in v {
                for at6 in v {
                    let mut at7 = scalar(0i64);
                    'l2: while at7 < 3 && (k < 0) {
                        at7 += 1;
                        if (x >= 2.0) && (b % 2 < 3) {
                            break 'l2;
                        }
                        y2 = &at5 % 2;
                        y4 = !(&at7 + &at6 <= b);
                        if !flag {
                            break;
                        }
                    }
                    y3 = float(&y2)?;
                    if !(b + &y2 < 5) {
                        return Ok((&at5 + b, y3.clone(), (x > &y3 - 3.25) || (a + &at6 > a - 3)));
                    }
                    if y4 {
                        let mut y8 = if !y4 {
                            y3 = x % 0.5;
                            y4 = scalar(true);
                            vec![a.clone(), a - b]
                        } else if (&y1 % 10 > 0) || (&y1 + &y2 > 7) {
                            vec![&at6 + &y2, keep(&y2)?]
                        } else {
                            y2 %= 2;
                            y1 = (b * &y2) + &at5;
                            vec![y1, a - &at5]
                        };
                        y3 -= 3.25;
                        y8[0] = -a;
                        break;
                    } else {
                        if ((&at5 % 2 == b - 7) && (at5 >= at6)) || ((x + x >= 10.0) || (&y3 % 0.75 != x)) {
                            y1 = a * &at6;
                            y3 %= 2.0;
                        } else {
                            y3 %= 3.25;
                        }
                        let mut at9 = scalar(0i64);
                        while at9 < 1 {
                            at9 += 1;
                            y3 -= x.clone();
                        }
                        y2 %= 7;
                    }
                }
                y2 *= b.clone();
                if y4 {
                    break;
                }
                if let Some(m9) = flag.then_some(k) {
                    y4 = !y4;
                }
            }
            Ok((y2.clone(), x + 2.0, b + b < 3))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p14 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![y2.clone(), scalar(0i64)];
            let mut y2 = y4.clone();
            if let Some(m5) = flag.then_some(k) {
                if (m5 != 1) {
                    for at7 in v.iter().copied() {
                        y1 = (&a - &b) * &b;
                        for at8 in 0..2i64 {
                            y3 += num(10.0);
                            y5[0] -= num(7);
                        }
                    }
                    y4 = scalar(false);
                } else {
                    y5[1] = &b / num(3);
                }
            }
            Ok(((if b < num(2) { y1.clone() } else { a.clone() }) * num(3), &x - num(0.75), y5[0] >= y5[1]))
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
            let mut y5 = vec![y2.clone(), scalar(0i64)];
            let mut y2 = y4.clone();
            if let Some(m5) = flag.then_some(k) {
                if (m5 != 1) {
                    for at7 in v {
                        y1 = (a - b) * b;
                        for at8 in 0..2i64 {
                            y3 += 10.0;
                            y5[0] -= 7;
                        }
                    }
                    y4 = scalar(false);
                } else {
                    y5[1] = b / 3;
                }
            }
            Ok(((if b < 2 { y1.clone() } else { a.clone() }) * 3, x - 0.75, y5[0] >= y5[1]))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p18 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (-&b, float(&a)?);
            for at6 in v.iter().copied() {
                if (k != 1) && ((&y5.0 % num(7) == &y5.0 - num(2)) && { y1 = &b % num(10); &b % num(7) == &b - num(2) }) {
                    (y2, y3) = (&at6 * num(k), &y3 * num(0.5));
                    if y1 > y5.0 {
                        y5 = (&a + &y2, &y3 % num(2.0));
                    } else {
                        if (&y5.0 % num(3) <= &at6 - num(0)) && { y5.0 = &y5.0 / num(2); &y3 + &y3 < num(3.25) } {
                            y3 *= num(0.75);
                            y4 = c.clone();
                            y4 = y5.0 >= num(0);
                        } else {
                            y5.0 = &y1 + &b;
                            break;
                        }
                        if (c) && (y1 != b) {
                            y4 = y4.clone();
                            y4 = y4 == c;
                            y2 = &y2 + num(k);
                        } else {
                            y4 = &x + &x == num(3.25);
                        }
                        y5.1 = &y3 % num(0.5);
                    }
                    y5 = (num(2) - &y2, &y5.1 - num(2.0));
                } else if &y1 % num(7) == &y2 - num(100) {
                    let mut at7 = scalar(0i64);
                    while at7 < num(4) && (y1 > num(1)) {
                        at7 += num(1);
                        y1 += y5.0.clone();
                        y5 = (keep(&b)?, &y5.1 * num(1.0));
                    }
                    let (mut y8, mut y9) = (num(0) * &at6, (if !(y5.0 < num(0)) { y5.1.clone() } else { y3 }) - num(3.25));
                    return Ok(((if y9 <= y5.1 { scalar(5i64) } else { y8.clone() }) + num(1), &y3 * &x, &at6 + &y8 >= num(3)));
                }
                y1 = &y2 - num(k);
                let z10;
                if x >= num(1.0) {
                    'l1: for at11 in v.iter().copied() {
                        let mut at12 = scalar(0i64);
                        while at12 < num(4) && !flag {
                            at12 += num(1);
                            y3 = num(3.25) - &y3;
                            y3 = &y5.1 % num(0.5);
                            y5 = ((-&at12) - &y1, &x / num(2.0));
                        }
                        y5 = (keep(&y2)?, float(&b)?);
                        if !y4 {
                            break;
                        }
                    }
                    z10 = &y5.0 + &y5.0;
                } else {
                    if (b != y5.0) || (y5.0 > y2) {
                        y5.0 -= y5.0;
                    }
                    let (mut y13, mut y14) = (y1.clone(), y5.1.clone());
                    z10 = &a * num(7);
                }
            }
            Ok(((scalar(5i64)) * &y5.0, float(&y2)?, !(y2 < &y5.0 - num(7))))
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
            let mut y5 = (-b, float(a)?);
            for at6 in v {
                if (k != 1) && ((&y5.0 % 7 == &y5.0 - 2) && { y1 = b % 10; b % 7 == b - 2 }) {
                    (y2, y3) = (&at6 * k, &y3 * 0.5);
                    if y1 > y5.0 {
                        y5 = (a + &y2, &y3 % 2.0);
                    } else {
                        if (&y5.0 % 3 <= &at6 - 0) && { y5.0 = &y5.0 / 2; &y3 + &y3 < 3.25 } {
                            y3 *= 0.75;
                            y4 = c.clone();
                            y4 = y5.0 >= 0;
                        } else {
                            y5.0 = &y1 + b;
                            break;
                        }
                        if (c) && (y1 != b) {
                            y4 = y4.clone();
                            y4 = y4 == c;
                            y2 = &y2 + k;
                        } else {
                            y4 = x + x == 3.25;
                        }
                        y5.1 = &y3 % 0.5;
                    }
                    y5 = (2 - &y2, &y5.1 - 2.0);
                } else if &y1 % 7 == &y2 - 100 {
                    let mut at7 = scalar(0i64);
                    while at7 < 4 && (y1 > 1) {
                        at7 += 1;
                        y1 += y5.0.clone();
                        y5 = (keep(b)?, &y5.1 * 1.0);
                    }
                    let (mut y8, mut y9) = (0 * &at6, (if !(y5.0 < 0) { y5.1.clone() } else { y3 }) - 3.25);
                    return Ok(((if y9 <= y5.1 { scalar(5i64) } else { y8.clone() }) + 1, &y3 * x, &at6 + &y8 >= 3));
                }
                y1 = &y2 - k;
                let z10;
                if x >= 1.0 {
                    'l1: for at11 in v {
                        let mut at12 = scalar(0i64);
                        while at12 < 4 && !flag {
                            at12 += 1;
                            y3 = 3.25 - &y3;
                            y3 = &y5.1 % 0.5;
                            y5 = ((-&at12) - &y1, x / 2.0);
                        }
                        y5 = (keep(&y2)?, float(b)?);
                        if !y4 {
                            break;
                        }
                    }
                    z10 = &y5.0 + &y5.0;
                } else {
                    if (b != y5.0) || (y5.0 > y2) {
                        y5.0 -= y5.0;
                    }
                    let (mut y13, mut y14) = (y1.clone(), y5.1.clone());
                    z10 = a * 7;
                }
            }
            Ok(((scalar(5i64)) * &y5.0, float(&y2)?, !(y2 < &y5.0 - 7)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
