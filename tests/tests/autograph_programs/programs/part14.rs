//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p89 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y2 = if &y3 + &x <= num(3.25) {
                'l0: for at5 in v.iter().copied() {
                    let z6;
                    if (a < num(7)) && (&x % num(2.0) != y3) {
                        let n8 = &y1 % num(5);
                        for at7 in ints(2, n8) {
                            y1 = &y1 + &a;
                            y4 = b <= &y2 - num(5);
                            y2 %= num(7);
                        }
                        z6 = -&b;
                    } else {
                        z6 = num(5) * &a;
                    }
                    y3 += y3.clone();
                    if at5 < &at5 - num(2) {
                        continue;
                    }
                    for at9 in 0..1i64 {
                    }
                }
                &x % num(10.0)
            } else {
                y3 = &x + &x;
                &y3 + num(0.5)
            };
            y3 = &y2 - &y3;
            y1 = y1.clone();
            Ok((&b + num(k), y2.clone(), (&y2 + &x >= num(1.0)) && (k != 0)))
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
            let mut y2 = if &y3 + x <= 3.25 {
                'l0: for at5 in v {
                    let z6;
                    if (a < 7) && (x % 2.0 != y3) {
                        let n8 = &y1 % 5;
                        for at7 in 2..&n8 {
                            y1 = &y1 + a;
                            y4 = b <= &y2 - 5;
                            y2 %= 7;
                        }
                        z6 = -b;
                    } else {
                        z6 = 5 * a;
                    }
                    y3 += y3.clone();
                    if at5 < &at5 - 2 {
                        continue;
                    }
                    for at9 in 0..1i64 {
                    }
                }
                x % 10.0
            } else {
                y3 = x + x;
                &y3 + 0.5
            };
            y3 = &y2 - &y3;
            y1 = y1.clone();
            Ok((b + k, y2.clone(), (&y2 + x >= 1.0) && (k != 0)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p91 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&y1 + num(7), &y3 + &x);
            for at6 in v.iter().copied() {
                for at7 in v.iter().copied() {
                    if (k != 0) {
                        break;
                    }
                }
                y2 *= num(7);
                y5.1 = (if (&x % num(2.0) >= &y3 - num(0.5)) || (k > 2) { &y3 * num(2.0) } else { &x / num(1.0) }) * num(0.5);
            }
            let mut y8 = if !(y4) {
                let Some(m8) = (k < 3).then_some(k + 1) else { return Ok((-&y2, scalar(0.75f64), &y3 % num(2.0) >= &x - num(2.0))) };
                &b + &y5.0 < num(100)
            } else if &x + &x == num(0.5) {
                let mut y10 = (&y1 * &y2, num(3.25) - &y5.1);
                if (y2 < num(3)) && { y5.0 = -&y10.0; &x % num(3.25) <= &x - num(2.0) } {
                    y4 = y4.clone();
                } else {
                    y10.1 /= num(0.5);
                }
                (!c) && ((&b + &b <= num(1)) || (a >= a))
            } else {
                c == y4
            };
            let mut at11 = scalar(0i64);
            'l0: while at11 < num(1) && ((y2 != num(2)) && (&y5.0 + &y1 >= &a - num(3))) {
                at11 += num(1);
                let (mut y12, mut y13) = (keep(&a)?, &x % num(0.5));
            }
            let mut at14 = scalar(0i64);
            let mut y15 = 'l0: loop {
                at14 += num(1);
                if at14 > num(5) { break vec![&b - num(k), num(7) * &y1]; }
                y5 = ((if &y5.0 % num(10) != num(1) { &y1 * num(0) } else { &y1 - num(7) }) * num(3), float(&y2)?);
                if !c {
                    y3 = keep(&y5.1)?;
                } else {
                    let (mut y16, mut y17) = ((y5.0) - &b, (if &y5.0 % num(2) > y5.0 { x.clone() } else { y3.clone() }) + num(0.75));
                    for at18 in v.iter().copied() {
                        y5.1 = keep(&y17)?;
                        if (y3 < num(0.5)) && (&y2 % num(2) != &y1 - num(7)) {
                            y16 = &b % num(10);
                        } else if !c {
                            y4 = &y2 % num(2) > num(5);
                            y8 = at18 == num(2);
                        } else {
                            y3 += y3.clone();
                            y3 = num(0.75) + &x;
                        }
                    }
                    y5.0 -= y2.clone();
                    break 'l0 vec![&y1 % num(10), &y1 / num(7)];
                }
                y5.1 += num(2.0);
            };
            Ok(((y1.clone()) - &a, scalar(0.75f64), (&y5.0 + &a > y1) || (b == y15[1])))
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
            let mut y5 = (&y1 + 7, &y3 + x);
            for at6 in v {
                for at7 in v {
                    if (k != 0) {
                        break;
                    }
                }
                y2 *= 7;
                y5.1 = (if (x % 2.0 >= &y3 - 0.5) || (k > 2) { &y3 * 2.0 } else { x / 1.0 }) * 0.5;
            }
            let mut y8 = if !(y4) {
                let Some(m8) = (k < 3).then_some(k + 1) else { return Ok((-&y2, scalar(0.75f64), &y3 % 2.0 >= x - 2.0)) };
                b + &y5.0 < 100
            } else if x + x == 0.5 {
                let mut y10 = (&y1 * &y2, 3.25 - &y5.1);
                if (y2 < 3) && { y5.0 = -&y10.0; x % 3.25 <= x - 2.0 } {
                    y4 = y4.clone();
                } else {
                    y10.1 /= 0.5;
                }
                (!c) && ((b + b <= 1) || (a >= a))
            } else {
                c == y4
            };
            let mut at11 = scalar(0i64);
            'l0: while at11 < 1 && ((y2 != 2) && (&y5.0 + &y1 >= a - 3)) {
                at11 += 1;
                let (mut y12, mut y13) = (keep(a)?, x % 0.5);
            }
            let mut at14 = scalar(0i64);
            let mut y15 = 'l0: loop {
                at14 += 1;
                if at14 > 5 { break vec![b - k, 7 * &y1]; }
                y5 = ((if &y5.0 % 10 != 1 { &y1 * 0 } else { &y1 - 7 }) * 3, float(&y2)?);
                if !c {
                    y3 = keep(&y5.1)?;
                } else {
                    let (mut y16, mut y17) = ((y5.0) - b, (if &y5.0 % 2 > y5.0 { x.clone() } else { y3.clone() }) + 0.75);
                    for at18 in v {
                        y5.1 = keep(&y17)?;
                        if (y3 < 0.5) && (&y2 % 2 != &y1 - 7) {
                            y16 = b % 10;
                        } else if !c {
                            y4 = &y2 % 2 > 5;
                            y8 = at18 == 2;
                        } else {
                            y3 += y3.clone();
                            y3 = 0.75 + x;
                        }
                    }
                    y5.0 -= y2.clone();
                    break 'l0 vec![&y1 % 10, &y1 / 7];
                }
                y5.1 += 2.0;
            };
            Ok(((y1.clone()) - a, scalar(0.75f64), (&y5.0 + a > y1) || (b == y15[1])))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p94 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y2 = c.clone();
            if (!(b < &y1 - num(2))) || (!y2) {
                y1 = (&y1 % (&y1 % num(5) + num(7))) - &b;
                return Ok((&y1 / (&y1 % num(5) + num(7)), y3, y3 < num(10.0)));
            } else {
                y1 = &y1 / num(10);
                {
                }
                y1 *= num(3);
            }
            let mut at4 = scalar(0i64);
            loop {
                at4 += num(1);
                if at4 > num(2) { break; }
                if ((&a + &b > at4) || (y3 >= y3)) || ((y1 <= &y1 - num(1)) || !flag) {
                    let mut at5 = scalar(0i64);
                    'l1: while at5 < num(5) {
                        at5 += num(1);
                        y1 -= num(100);
                        if &y1 % num(10) != num(1) {
                            break;
                        }
                    }
                    y3 = float(&at4)?;
                }
                if b >= a {
                } else if !(&x % num(1.0) == num(10.0)) {
                    y1 = &a + &a;
                } else {
                    let mut at6 = scalar(0i64);
                    'l1: while at6 < num(4) && ((b <= num(2)) || (at4 != num(7))) {
                        at6 += num(1);
                        let z7;
                        if at6 != num(100) {
                            y3 = &y3 + num(0.5);
                            z7 = &x % num(10.0);
                        } else {
                            z7 = num(3.25) - &y3;
                        }
                        y3 = &z7 + num(1.0);
                        y1 = &at6 * &at4;
                    }
                    let mut y8 = &y1 / (&b % num(5) + num(7));
                    continue;
                }
                y3 *= num(0.5);
            }
            Ok((b.clone(), float(&b)?, y2.clone()))
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
            if (!(b < &y1 - 2)) || (!y2) {
                y1 = (&y1 % (&y1 % 5 + 7)) - b;
                return Ok((&y1 / (&y1 % 5 + 7), y3, y3 < 10.0));
            } else {
                y1 = &y1 / 10;
                {
                }
                y1 *= 3;
            }
            let mut at4 = scalar(0i64);
            loop {
                at4 += 1;
                if at4 > 2 { break; }
                if ((a + b > at4) || (y3 >= y3)) || ((y1 <= &y1 - 1) || !flag) {
                    let mut at5 = scalar(0i64);
                    'l1: while at5 < 5 {
                        at5 += 1;
                        y1 -= 100;
                        if &y1 % 10 != 1 {
                            break;
                        }
                    }
                    y3 = float(&at4)?;
                }
                if b >= a {
                } else if !(x % 1.0 == 10.0) {
                    y1 = a + a;
                } else {
                    let mut at6 = scalar(0i64);
                    'l1: while at6 < 4 && ((b <= 2) || (at4 != 7)) {
                        at6 += 1;
                        let z7;
                        if at6 != 100 {
                            y3 = &y3 + 0.5;
                            z7 = x % 10.0;
                        } else {
                            z7 = 3.25 - &y3;
                        }
                        y3 = &z7 + 1.0;
                        y1 = &at6 * &at4;
                    }
                    let mut y8 = &y1 / (b % 5 + 7);
                    continue;
                }
                y3 *= 0.5;
            }
            Ok((b.clone(), float(b)?, y2.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p97 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y1 = c.clone();
            let mut at4 = scalar(0i64);
            let mut y5 = 'l0: loop {
                at4 += num(1);
                if at4 > num(4) { break b.clone(); }
                let mut y6 = &y2 + &a == num(5);
                for at7 in 0..2i64 {
                    if (k != 0) {
                        return Ok((&a - num(at7), x.clone(), x > y3));
                    }
                }
                if (y3 > num(3.25)) && (&y3 % num(0.5) != x) {
                    break 'l0 (if (&y3 + &y3 >= y3) && (b == b) { b.clone() } else { at4.clone() }) + num(7);
                }
                let z8;
                if y3 <= num(10.0) {
                    z8 = &x - &x;
                } else {
                    let z9;
                    if y3 == num(10.0) {
                        z9 = &a * &b;
                    } else {
                        let (mut y10, mut y1) = (b.clone(), &y3 + &x);
                        z9 = &a - num(100);
                    }
                    let n12 = &b % num(5);
                    'l1: for at11 in ints(1, n12) {
                        y3 %= num(0.5);
                        if (!(a > num(2))) || (y3 <= x) {
                            y2 = &at11 % num(2);
                            y2 = (if y3 <= &x - num(0.5) { &a * &a } else { &y2 + num(k) }) * num(100);
                        } else if (b <= &y2 - num(0)) && (&x + &x < num(3.25)) {
                            y3 = (if (z9 > &b - num(7)) || (y3 >= num(10.0)) { &x * num(2.0) } else { keep(&x)? }) * num(3.25);
                            y2 = &y2 * num(k);
                        }
                    }
                    z8 = &y3 - &y3;
                }
            };
            y3 = num(0.5) + &x;
            Ok(((y5.clone()) + &y2, float(&y5)?, (y2 <= num(1)) || (&a + &a <= num(2))))
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
            let mut at4 = scalar(0i64);
            let mut y5 = 'l0: loop {
                at4 += 1;
                if at4 > 4 { break b.clone(); }
                let mut y6 = &y2 + a == 5;
                for at7 in 0..2i64 {
                    if (k != 0) {
                        return Ok((a - at7, x.clone(), x > y3));
                    }
                }
                if (y3 > 3.25) && (&y3 % 0.5 != x) {
                    break 'l0 (if (&y3 + &y3 >= y3) && (b == b) { b.clone() } else { at4.clone() }) + 7;
                }
                let z8;
                if y3 <= 10.0 {
                    z8 = x - x;
                } else {
                    let z9;
                    if y3 == 10.0 {
                        z9 = a * b;
                    } else {
                        let (mut y10, mut y1) = (b.clone(), &y3 + x);
                        z9 = a - 100;
                    }
                    let n12 = b % 5;
                    'l1: for at11 in 1..&n12 {
                        y3 %= 0.5;
                        if (!(a > 2)) || (y3 <= x) {
                            y2 = &at11 % 2;
                            y2 = (if y3 <= x - 0.5 { a * a } else { &y2 + k }) * 100;
                        } else if (b <= &y2 - 0) && (x + x < 3.25) {
                            y3 = (if (z9 > b - 7) || (y3 >= 10.0) { x * 2.0 } else { keep(x)? }) * 3.25;
                            y2 = &y2 * k;
                        }
                    }
                    z8 = &y3 - &y3;
                }
            };
            y3 = 0.5 + x;
            Ok(((y5.clone()) + &y2, float(&y5)?, (y2 <= 1) || (a + a <= 2)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
