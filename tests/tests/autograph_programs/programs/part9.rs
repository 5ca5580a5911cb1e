//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p66 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y1 = scalar(3i64);
            let mut y2 = x.clone();
            let mut y3 = c.clone();
            let mut y4 = vec![-&a, &b * &a];
            if y4[0] <= num(2) {
                let mut y5 = vec![scalar(100i64), (if flag || (&a + &b != &a - num(1)) { &b + &y4[1] } else { &b * num(k) }) * num(2)];
                y2 -= num(0.5);
            } else {
                let z6;
                if !c {
                    if ((b != num(5)) || (y1 == num(0))) && flag {
                        y4[1] -= num(1);
                    } else {
                        if let Some(m6) = flag.then_some(k) {
                            y2 = float(&y4[0])?;
                        }
                        y4[0] = &b + num(k);
                    }
                    z6 = (if !(y1 == y4[0]) { &y4[1] * num(k) } else { (if (a == num(7)) || (a == &y1 - num(5)) { scalar(2i64) } else { a.clone() }) * num(2) }) + num(1);
                } else {
                    z6 = &b / num(3);
                }
                y2 %= num(0.5);
            }
            match k {
                0 => {
                    if ((&y4[1] + &y4[0] != num(5)) || (y2 >= num(0.5))) && (y1 != a) {
                        let z8;
                        if (y1 > num(1)) && (&y4[0] + &b == num(7)) {
                            if c {
                                y1 %= num(3);
                                y2 = &y2 - num(0.5);
                            } else {
                                y4 = vec![&b / (&b % num(5) + num(7)), keep(&y1)?];
                                y4[1] -= num(5);
                                y3 = &y4[0] % num(10) == y4[0];
                            }
                            if let Some(m8) = flag.then_some(k) {
                                y2 = ((if (b < &y1 - num(7)) && (b != num(5)) { x.clone() } else { y2.clone() }) * num(0.5)) + &x;
                                y3 = ((y1 <= num(100)) || (y2 == y2)) && (y3 == y3);
                                y4[1] = (if (b == &a - num(3)) || (y1 >= y4[1]) { &y1 + num(m8) } else { (if (y1 < num(7)) || (y4[1] < y4[0]) { scalar(5i64) } else { scalar(0i64) }) - num(0) }) - num(5);
                            }
                            z8 = &y2 * num(0.5);
                        } else {
                            z8 = x.clone();
                        }
                        y2 = &x * &y2;
                    }
                    match k {
                        0 => {
                            for at10 in v.iter().copied() {
                                y1 = &b - num(k);
                                if (y2 >= &x - num(3.25)) || (y2 >= x) {
                                    break;
                                }
                                let mut at11 = scalar(0i64);
                                let mut y12 = loop {
                                    at11 += num(1);
                                    if at11 > num(5) { break num(2.0) * &y2; }
                                    y2 -= &x + &y2;
                                    y2 = num(3.25) * &y2;
                                    if y3 {
                                        break scalar(10.0f64);
                                    }
                                };
                            }
                            let mut y13 = match k {
                                0 => {
                                    y4[1] *= num(1);
                                    let mut y14 = num(0) * &y4[1];
                                    &y14 / (&a % num(5) + num(7))
                                }
                                1 | 2 => {
                                    let mut at15 = scalar(0i64);
                                    'l0: while at15 < num(2) && (y3 == c) {
                                        at15 += num(1);
                                        y2 = &y2 * num(10.0);
                                        y4[1] += num(3);
                                        y2 = &x * &x;
                                    }
                                    if (y4[0] >= num(7)) || { y4[1] = &b - num(k); y2 > num(3.25) } {
                                        y4[0] *= num(100);
                                        y3 = !y3;
                                    }
                                    -&y4[1]
                                }
                                n if n > 4 => {
                                    let mut at16 = scalar(0i64);
                                    while at16 < num(1) && (k > 2) {
                                        at16 += num(1);
                                        y2 = &y2 + &y2;
                                        if y3 {
                                            break;
                                        }
                                        y4[0] += num(7);
                                    }
                                    y4[0] *= num(5);
                                    return Ok((a.clone(), y2.clone(), (x <= num(3.25)) || (&b + &a == num(7))));
                                }
                                _ => {
                                    let mut at17 = scalar(0i64);
                                    let mut y18 = loop {
                                        at17 += num(1);
                                        if at17 > num(5) { break y4[1] == num(2); }
                                        y4[0] %= num(3);
                                        y3 = y3.clone();
                                    };
                                    &y4[1] + &y1
                                }
                            };
                            y4 = vec![(if !(y2 == &y2 - num(1.0)) { &y13 / num(7) } else { scalar(5i64) }) - num(7), &b * num(0)];
                        }
                        1 | 2 => {
                            y4[1] /= num(7);
                        }
                        n if n > 4 => {
                            if x != num(10.0) {
                                if y2 > num(2.0) {
                                    y4[0] = y1.clone();
                                    y4[0] += num(2);
                                }
                            }
                            let (mut y4, mut y19) = (&y4[0] * num(5), (if (k > 1) && (&a % num(7) != num(5)) { y2.clone() } else { y2.clone() }) * num(3.25));
                            y2 = -&y19;
                        }
                        _ => {
                            y1 = &y4[1] * &y4[0];
                            'l0: for at20 in v.iter().copied() {
                                let mut y21 = &y2 + num(0.75);
                                let mut y22 = if &y4[1] + &at20 < num(7) {
                                    y4 = vec![&at20 - num(7), num(100) * &y4[1]];
                                    y21 += y21.clone();
                                    break 'l0;
                                } else {
                                    (&a + num(2), float(&a)?)
                                };
                                y22 = (&y4[0] * num(k), &y21 % num(10.0));
                                y4[0] = ((if y4[1] >= &y4[1] - num(5) { y4[1].clone() } else { a.clone() }) - num(0)) + &y4[0];
                            }
                            y4 = vec![(if &b + &y4[1] >= num(0) { y4[1].clone() } else { &y4[1] + &y4[0] }) - num(3), &y1 % num(3)];
                        }
                    }
                    y4[1] = -&a;
                }
                1 | 2 => {
                    let mut at23 = scalar(0i64);
                    'l0: while at23 < num(3) && (y3 == y3) {
                        at23 += num(1);
                        y2 %= num(3.25);
                        y4 = vec![(if y2 < y2 { a.clone() } else { &b * &at23 }) + num(100), &a + num(5)];
                        y4[1] = &b + num(k);
                        y2 = &y2 - &x;
                    }
                    {
                    }
                    y1 = &a * num(100);
                }
                n if n > 4 => {
                    for at24 in 0..2i64 {
                        if flag {
                            let mut y25 = ((y1 <= a) || (b <= y1)) && (c);
                            let mut y26 = (scalar(100i64), &y2 - num(10.0));
                            y26.1 = &y2 + num(0.75);
                        } else {
                            y1 = (&y1 / (&y4[0] % num(5) + num(7))) - &y4[0];
                        }
                        if (x <= &x - num(0.5)) && (k != 0) {
                            break;
                        }
                    }
                    let mut at27 = scalar(0i64);
                    'l0: while at27 < num(3) && flag {
                        at27 += num(1);
                        y4[0] *= num(0);
                        let mut at28 = scalar(0i64);
                        loop {
                            at28 += num(1);
                            if at28 > num(2) { break; }
                            y4 = vec![&y4[1] + &y4[0], a.clone()];
                        }
                    }
                    y2 = ((if (&b % num(10) > y4[1]) || { y4[0] = &y4[0] + num(k); b != y4[0] } { x.clone() } else { x.clone() }) + num(0.75)) - &y2;
                }
                _ => {
                    y4[0] /= num(3);
                    y3 = y3.clone();
                }
            }
            Ok((y1.clone(), &x - &y2, !c))
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
            let mut y4 = vec![-a, b * a];
            if y4[0] <= 2 {
                let mut y5 = vec![scalar(100i64), (if flag || (a + b != a - 1) { b + &y4[1] } else { b * k }) * 2];
                y2 -= 0.5;
            } else {
                let z6;
                if !c {
                    if ((b != 5) || (y1 == 0)) && flag {
                        y4[1] -= 1;
                    } else {
                        if let Some(m6) = flag.then_some(k) {
                            y2 = float(&y4[0])?;
                        }
                        y4[0] = b + k;
                    }
                    z6 = (if !(y1 == y4[0]) { &y4[1] * k } else { (if (a == 7) || (a == &y1 - 5) { scalar(2i64) } else { a.clone() }) * 2 }) + 1;
                } else {
                    z6 = b / 3;
                }
                y2 %= 0.5;
            }
            match k {
                0 => {
                    if ((&y4[1] + &y4[0] != 5) || (y2 >= 0.5)) && (y1 != a) {
                        let z8;
                        if (y1 > 1) && (&y4[0] + b == 7) {
                            if c {
                                y1 %= 3;
                                y2 = &y2 - 0.5;
                            } else {
                                y4 = vec![b / (b % 5 + 7), keep(&y1)?];
                                y4[1] -= 5;
                                y3 = &y4[0] % 10 == y4[0];
                            }
                            if let Some(m8) = flag.then_some(k) {
                                y2 = ((if (b < &y1 - 7) && (b != 5) { x.clone() } else { y2.clone() }) * 0.5) + x;
                                y3 = ((y1 <= 100) || (y2 == y2)) && (y3 == y3);
                                y4[1] = (if (b == a - 3) || (y1 >= y4[1]) { &y1 + m8 } else { (if (y1 < 7) || (y4[1] < y4[0]) { scalar(5i64) } else { scalar(0i64) }) - 0 }) - 5;
                            }
                            z8 = &y2 * 0.5;
                        } else {
                            z8 = x.clone();
                        }
                        y2 = x * &y2;
                    }
                    match k {
                        0 => {
                            for at10 in v {
                                y1 = b - k;
                                if (y2 >= x - 3.25) || (y2 >= x) {
                                    break;
                                }
                                let mut at11 = scalar(0i64);
                                let mut y12 = loop {
                                    at11 += 1;
                                    if at11 > 5 { break 2.0 * &y2; }
                                    y2 -= x + &y2;
                                    y2 = 3.25 * &y2;
                                    if y3 {
                                        break scalar(10.0f64);
                                    }
                                };
                            }
                            let mut y13 = match k {
                                0 => {
                                    y4[1] *= 1;
                                    let mut y14 = 0 * &y4[1];
                                    &y14 / (a % 5 + 7)
                                }
                                1 | 2 => {
                                    let mut at15 = scalar(0i64);
                                    'l0: while at15 < 2 && (y3 == c) {
                                        at15 += 1;
                                        y2 = &y2 * 10.0;
                                        y4[1] += 3;
                                        y2 = x * x;
                                    }
                                    if (y4[0] >= 7) || { y4[1] = b - k; y2 > 3.25 } {
                                        y4[0] *= 100;
                                        y3 = !y3;
                                    }
                                    -&y4[1]
                                }
                                n if n > 4 => {
                                    let mut at16 = scalar(0i64);
                                    while at16 < 1 && (k > 2) {
                                        at16 += 1;
                                        y2 = &y2 + &y2;
                                        if y3 {
                                            break;
                                        }
                                        y4[0] += 7;
                                    }
                                    y4[0] *= 5;
                                    return Ok((a.clone(), y2.clone(), (x <= 3.25) || (b + a == 7)));
                                }
                                _ => {
                                    let mut at17 = scalar(0i64);
                                    let mut y18 = loop {
                                        at17 += 1;
                                        if at17 > 5 { break y4[1] == 2; }
                                        y4[0] %= 3;
                                        y3 = y3.clone();
                                    };
                                    &y4[1] + &y1
                                }
                            };
                            y4 = vec![(if !(y2 == &y2 - 1.0) { &y13 / 7 } else { scalar(5i64) }) - 7, b * 0];
                        }
                        1 | 2 => {
                            y4[1] /= 7;
                        }
                        n if n > 4 => {
                            if x != 10.0 {
                                if y2 > 2.0 {
                                    y4[0] = y1.clone();
                                    y4[0] += 2;
                                }
                            }
                            let (mut y4, mut y19) = (&y4[0] * 5, (if (k > 1) && (a % 7 != 5) { y2.clone() } else { y2.clone() }) * 3.25);
                            y2 = -&y19;
                        }
                        _ => {
                            y1 = &y4[1] * &y4[0];
                            'l0: for at20 in v {
                                let mut y21 = &y2 + 0.75;
                                let mut y22 = if &y4[1] + &at20 < 7 {
                                    y4 = vec![&at20 - 7, 100 * &y4[1]];
                                    y21 += y21.clone();
                                    break 'l0;
                                } else {
                                    (a + 2, float(a)?)
                                };
                                y22 = (&y4[0] * k, &y21 % 10.0);
                                y4[0] = ((if y4[1] >= &y4[1] - 5 { y4[1].clone() } else { a.clone() }) - 0) + &y4[0];
                            }
                            y4 = vec![(if b + &y4[1] >= 0 { y4[1].clone() } else { &y4[1] + &y4[0] }) - 3, &y1 % 3];
                        }
                    }
                    y4[1] = -a;
                }
                1 | 2 => {
                    let mut at23 = scalar(0i64);
                    'l0: while at23 < 3 && (y3 == y3) {
                        at23 += 1;
                        y2 %= 3.25;
                        y4 = vec![(if y2 < y2 { a.clone() } else { b * &at23 }) + 100, a + 5];
                        y4[1] = b + k;
                        y2 = &y2 - x;
                    }
                    {
                    }
                    y1 = a * 100;
                }
                n if n > 4 => {
                    for at24 in 0..2i64 {
                        if flag {
                            let mut y25 = ((y1 <= a) || (b <= y1)) && (c);
                            let mut y26 = (scalar(100i64), &y2 - 10.0);
                            y26.1 = &y2 + 0.75;
                        } else {
                            y1 = (&y1 / (&y4[0] % 5 + 7)) - &y4[0];
                        }
                        if (x <= x - 0.5) && (k != 0) {
                            break;
                        }
                    }
                    let mut at27 = scalar(0i64);
                    'l0: while at27 < 3 && flag {
                        at27 += 1;
                        y4[0] *= 0;
                        let mut at28 = scalar(0i64);
                        loop {
                            at28 += 1;
                            if at28 > 2 { break; }
                            y4 = vec![&y4[1] + &y4[0], a.clone()];
                        }
                    }
                    y2 = ((if (b % 10 > y4[1]) || { y4[0] = &y4[0] + k; b != y4[0] } { x.clone() } else { x.clone() }) + 0.75) - &y2;
                }
                _ => {
                    y4[0] /= 3;
                    y3 = y3.clone();
                }
            }
            Ok((y1.clone(), x - &y2, !c))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
