//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p8 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![&b - &b, &y2 - num(2)];
            y3 = &x + num(0.5);
            y5 = vec![&a / num(10), (-&y1) - &a];
            let mut at6 = scalar(0i64);
            loop {
                at6 += num(1);
                if at6 > num(3) { break; }
                y5[1] *= num(2);
                y3 = &x * num(3.25);
            }
            y3 = &y3 % num(0.75);
            let z7;
            if c {
                let mut y2 = y2 < &a - num(0);
                let z8;
                if (&y1 + &y1 < num(100)) && (&y5[0] + &b > y5[1]) {
                    y5[1] = &y5[1] * num(k);
                    z8 = vec![&y5[1] + num(0), &a * &y5[0]];
                } else {
                    z8 = vec![&y1 * num(2), ((if !(x <= num(3.25)) { y5[0].clone() } else { y1.clone() }) * num(1)) + &y5[0]];
                }
                z7 = &x / num(1.0);
            } else {
                z7 = &y3 + &x;
            }
            let mut y1 = if c {
                &z7 + num(0.75)
            } else {
                y4 = &y5[0] + &y1 != b;
                &y3 + &y3
            };
            let mut at9 = scalar(0i64);
            loop {
                at9 += num(1);
                if at9 > num(2) { break; }
                let mut y10 = vec![&b - num(k), &y5[0] + &y2];
                let n12 = &y10[1] % num(5);
                'l1: for at11 in ints(2, n12) {
                    if (&y10[1] % num(7) != at11) || ((&y2 % num(2) != &y10[0] - num(0)) && (&y10[0] % num(3) <= num(1))) {
                        let mut y13 = &b / num(3);
                        y5[1] = &y5[0] * &y10[1];
                    }
                    y4 = y4 != y4;
                    y5 = vec![&at9 * &y5[0], &y2 + num(2)];
                    let mut y14 = if y10[0] >= &at9 - num(0) {
                        let mut at15 = scalar(0i64);
                        'l2: while at15 < num(1) && (k != 1) {
                            at15 += num(1);
                            y10[1] -= num(0);
                        }
                        &y3 + &z7
                    } else {
                        y2 = at11.clone();
                        &y3 - &y1
                    };
                }
                y10 = vec![&a - &y10[0], -&y5[1]];
                if y1 >= &z7 - num(2.0) {
                    return Ok((&b / num(7), &y1 - &x, c.clone()));
                }
            }
            Ok((&b - num(3), &y1 + num(1.0), scalar(true)))
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
            let mut y5 = vec![b - b, &y2 - 2];
            y3 = x + 0.5;
            y5 = vec![a / 10, (-&y1) - a];
            let mut at6 = scalar(0i64);
            loop {
                at6 += 1;
                if at6 > 3 { break; }
                y5[1] *= 2;
                y3 = x * 3.25;
            }
            y3 = &y3 % 0.75;
            let z7;
            if c {
                let mut y2 = y2 < a - 0;
                let z8;
                if (&y1 + &y1 < 100) && (&y5[0] + b > y5[1]) {
                    y5[1] = &y5[1] * k;
                    z8 = vec![&y5[1] + 0, a * &y5[0]];
                } else {
                    z8 = vec![&y1 * 2, ((if !(x <= 3.25) { y5[0].clone() } else { y1.clone() }) * 1) + &y5[0]];
                }
                z7 = x / 1.0;
            } else {
                z7 = &y3 + x;
            }
            let mut y1 = if c {
                &z7 + 0.75
            } else {
                y4 = &y5[0] + &y1 != b;
                &y3 + &y3
            };
            let mut at9 = scalar(0i64);
            loop {
                at9 += 1;
                if at9 > 2 { break; }
                let mut y10 = vec![b - k, &y5[0] + &y2];
                let n12 = &y10[1] % 5;
                'l1: for at11 in 2..&n12 {
                    if (&y10[1] % 7 != at11) || ((&y2 % 2 != &y10[0] - 0) && (&y10[0] % 3 <= 1)) {
                        let mut y13 = b / 3;
                        y5[1] = &y5[0] * &y10[1];
                    }
                    y4 = y4 != y4;
                    y5 = vec![&at9 * &y5[0], &y2 + 2];
                    let mut y14 = if y10[0] >= &at9 - 0 {
                        let mut at15 = scalar(0i64);
                        'l2: while at15 < 1 && (k != 1) {
                            at15 += 1;
                            y10[1] -= 0;
                        }
                        &y3 + &z7
                    } else {
                        y2 = at11.clone();
                        &y3 - &y1
                    };
                }
                y10 = vec![a - &y10[0], -&y5[1]];
                if y1 >= &z7 - 2.0 {
                    return Ok((b / 7, &y1 - x, c.clone()));
                }
            }
            Ok((b - 3, &y1 + 1.0, scalar(true)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p9 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = ((if (a == num(2)) || (a > num(3)) { y2.clone() } else { y2.clone() }) * num(5), num(10.0) + &x);
            if (&y1 % num(10) >= num(3)) && (&y3 % num(10.0) <= y5.1) {
                return Ok(((if (a <= num(0)) || (x >= y3) { y2.clone() } else { y5.0.clone() }) - num(2), y5.1.clone(), y4.clone()));
            }
            if (y2 >= &y2 - num(3)) || (k != 1) {
                let mut y6 = &y3 * num(10.0);
                y5.0 = &y2 % num(10);
            }
            let mut at7 = scalar(0i64);
            while at7 < num(1) && ((y1 != num(3)) && (a != num(3))) {
                at7 += num(1);
                let mut at8 = scalar(0i64);
                while at8 < num(2) && (k == 0) {
                    at8 += num(1);
                    let mut at9 = scalar(0i64);
                    while at9 < num(2) {
                        at9 += num(1);
                        if (k != 0) {
                            break;
                        }
                        y3 /= num(0.5);
                        if !c {
                            break;
                        }
                        y5 = (keep(&at7)?, float(&y5.0)?);
                    }
                    y4 = (y5.0 == num(3)) && (y2 == at8);
                    if c {
                        y2 = (if y3 < num(2.0) { &a - &at8 } else { keep(&y5.0)? }) * num(100);
                    } else {
                        y5.0 = &y1 / (&y2 % num(5) + num(7));
                    }
                }
                y5.1 += &y3 - &y5.1;
            }
            Ok((&a * num(k), &x * &x, b < &y1 - num(1)))
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
            let mut y5 = ((if (a == 2) || (a > 3) { y2.clone() } else { y2.clone() }) * 5, 10.0 + x);
            if (&y1 % 10 >= 3) && (&y3 % 10.0 <= y5.1) {
                return Ok(((if (a <= 0) || (x >= y3) { y2.clone() } else { y5.0.clone() }) - 2, y5.1.clone(), y4.clone()));
            }
            if (y2 >= &y2 - 3) || (k != 1) {
                let mut y6 = &y3 * 10.0;
                y5.0 = &y2 % 10;
            }
            let mut at7 = scalar(0i64);
            while at7 < 1 && ((y1 != 3) && (a != 3)) {
                at7 += 1;
                let mut at8 = scalar(0i64);
                while at8 < 2 && (k == 0) {
                    at8 += 1;
                    let mut at9 = scalar(0i64);
                    while at9 < 2 {
                        at9 += 1;
                        if (k != 0) {
                            break;
                        }
                        y3 /= 0.5;
                        if !c {
                            break;
                        }
                        y5 = (keep(&at7)?, float(&y5.0)?);
                    }
                    y4 = (y5.0 == 3) && (y2 == at8);
                    if c {
                        y2 = (if y3 < 2.0 { a - &at8 } else { keep(&y5.0)? }) * 100;
                    } else {
                        y5.0 = &y1 / (&y2 % 5 + 7);
                    }
                }
                y5.1 += &y3 - &y5.1;
            }
            Ok((a * k, x * x, b < &y1 - 1))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p10 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&a - num(1), (if (x <= num(0.5)) || (x == num(0.75)) { x.clone() } else { x.clone() }) - num(0.5));
            let mut y6 = match k {
                0 => {
                    &y2 - num(k)
                }
                1 | 2 => {
                    for at7 in 0..1i64 {
                        let mut y5 = keep(&b)?;
                        if !flag {
                            return Ok((&y1 - num(at7), float(&y5)?, (y2 < &y2 - num(3)) || (&b % num(3) > a)));
                        }
                        let mut at8 = scalar(0i64);
                        'l1: while at8 < num(1) {
                            at8 += num(1);
                            y3 = float(&a)?;
                        }
                    }
                    -&a
                }
                n if n > 4 => {
                    let mut y9 = match k {
                        0 => {
                            vec![y2.clone(), -&a]
                        }
                        1 | 2 => {
                            (y2, y5.1) = (&b * &b, &y3 - num(0.75));
                            let mut at10 = scalar(0i64);
                            'l0: while at10 < num(3) && (b >= num(3)) {
                                at10 += num(1);
                                if &y3 + &x >= num(0.5) {
                                    y2 = at10;
                                    y4 = (&y5.0 % num(2) != num(7)) || (k != 1);
                                    y3 += (if c { x.clone() } else { y3 }) + num(0.75);
                                }
                                for at11 in v.iter().copied() {
                                    y3 -= num(10.0);
                                    y5 = (&at10 % (&b % num(5) + num(7)), y3.clone());
                                    y1 *= &a - &at10;
                                }
                                y5.1 *= y3.clone();
                            }
                            vec![((if (y2 == &b - num(3)) && (&x + &y5.1 <= num(3.25)) { y5.0.clone() } else { y2.clone() }) + num(2)) + &y2, &y1 % num(2)]
                        }
                        n if n > 4 => {
                            'l0: for at12 in v.iter().copied() {
                                y4 = y4.clone();
                                if (&x % num(0.5) == x) && { y2 = (if (&y1 + &b >= y1) && (&at12 + &y5.0 == num(3)) { b.clone() } else { y2.clone() }) * num(100); a != num(7) } {
                                    return Ok((-&y5.0, &y5.1 * num(0.75), c.clone()));
                                }
                            }
                            let mut y13 = &y5.0 - num(k);
                            vec![&b % num(7), &b % num(10)]
                        }
                        _ => {
                            let mut y14 = &x % num(10.0);
                            vec![&b * num(100), ((y2.clone()) + &y2) + &a]
                        }
                    };
                    scalar(3i64)
                }
                _ => {
                    a.clone()
                }
            };
            Ok((&y6 - &b, (if (y2 <= num(7)) || (y6 == &b - num(0)) { y5.1.clone() } else { y3.clone() }) + num(3.25), (&a % num(2) <= num(1)) || (y3 >= &y5.1 - num(0.5))))
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
            let mut y5 = (a - 1, (if (x <= 0.5) || (x == 0.75) { x.clone() } else { x.clone() }) - 0.5);
            let mut y6 = match k {
                0 => {
                    &y2 - k
                }
                1 | 2 => {
                    for at7 in 0..1i64 {
                        let mut y5 = keep(b)?;
                        if !flag {
                            return Ok((&y1 - at7, float(&y5)?, (y2 < &y2 - 3) || (b % 3 > a)));
                        }
                        let mut at8 = scalar(0i64);
                        'l1: while at8 < 1 {
                            at8 += 1;
                            y3 = float(a)?;
                        }
                    }
                    -a
                }
                n if n > 4 => {
                    let mut y9 = match k {
                        0 => {
                            vec![y2.clone(), -a]
                        }
                        1 | 2 => {
                            (y2, y5.1) = (b * b, &y3 - 0.75);
                            let mut at10 = scalar(0i64);
                            'l0: while at10 < 3 && (b >= 3) {
                                at10 += 1;
                                if &y3 + x >= 0.5 {
                                    y2 = at10;
                                    y4 = (&y5.0 % 2 != 7) || (k != 1);
                                    y3 += (if c { x.clone() } else { y3 }) + 0.75;
                                }
                                for at11 in v {
                                    y3 -= 10.0;
                                    y5 = (&at10 % (b % 5 + 7), y3.clone());
                                    y1 *= a - &at10;
                                }
                                y5.1 *= y3.clone();
                            }
                            vec![((if (y2 == b - 3) && (x + &y5.1 <= 3.25) { y5.0.clone() } else { y2.clone() }) + 2) + &y2, &y1 % 2]
                        }
                        n if n > 4 => {
                            'l0: for at12 in v {
                                y4 = y4.clone();
                                if (x % 0.5 == x) && { y2 = (if (&y1 + b >= y1) && (&at12 + &y5.0 == 3) { b.clone() } else { y2.clone() }) * 100; a != 7 } {
                                    return Ok((-&y5.0, &y5.1 * 0.75, c.clone()));
                                }
                            }
                            let mut y13 = &y5.0 - k;
                            vec![b % 7, b % 10]
                        }
                        _ => {
                            let mut y14 = x % 10.0;
                            vec![b * 100, ((y2.clone()) + &y2) + a]
                        }
                    };
                    scalar(3i64)
                }
                _ => {
                    a.clone()
                }
            };
            Ok((&y6 - b, (if (y2 <= 7) || (y6 == b - 0) { y5.1.clone() } else { y3.clone() }) + 3.25, (a % 2 <= 1) || (y3 >= &y5.1 - 0.5)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
