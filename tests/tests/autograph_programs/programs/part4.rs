//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p30 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            if (k == 3) {
                if (k != 3) {
                    y4 = scalar(true);
                } else {
                    y2 = &b / num(7);
                    y4 = !c;
                    y4 = c.clone();
                }
                if (y4) && flag {
                }
                return Ok((&a + num(100), float(&y1)?, y4.clone()));
            } else {
                let z5;
                if c {
                    z5 = (&y1 - &y1, y3.clone());
                } else {
                    let z6;
                    if (&b % num(3) < num(2)) || (&x + &y3 >= num(0.75)) {
                        let z7;
                        if &y2 + &y1 < num(2) {
                            y2 = &b % (&b % num(5) + num(7));
                            y1 *= (scalar(5i64)) + &y1;
                            z7 = -&a;
                        } else {
                            y4 = c.clone();
                            z7 = &a + &a;
                        }
                        let z8;
                        if y4 {
                            z8 = ((&y3 % num(2.0) != num(1.0)) || (a < b)) || ((y2 == num(7)) && (&y1 + &b >= &y2 - num(2)));
                        } else {
                            z8 = scalar(false);
                        }
                        z6 = keep(&z7)?;
                    } else {
                        let mut at9 = scalar(0i64);
                        let mut y10 = loop {
                            at9 += num(1);
                            if at9 > num(3) { break (-&y2, &x + num(3.25)); }
                            y1 += y2.clone();
                            if a != a {
                                continue;
                            }
                            y3 *= num(0.5);
                        };
                        z6 = &a - num(100);
                    }
                    y2 -= &a * &y1;
                    z5 = (&z6 + num(1), &x + num(3.25));
                }
                if c == c {
                    y2 = &y1 - &z5.0;
                    let z11;
                    if y3 != num(0.5) {
                        let n13 = &y1 % num(5);
                        for at12 in ints(0, n13) {
                            y2 %= num(10);
                            y4 = c != c;
                        }
                        'l0: for at14 in 0..2i64 {
                            y3 = -&y3;
                            y4 = ((z5.0 != num(1)) || (z5.0 < num(5))) && (&z5.1 + &x <= y3);
                            if !c {
                                continue 'l0;
                            }
                            y1 = &b + num(5);
                        }
                        z11 = &b * &z5.0;
                    } else {
                        z11 = &y1 + &y1;
                    }
                    y3 += &y3 + num(0.5);
                } else {
                    let mut y2 = &z5.0 * &y2;
                    y1 *= b.clone();
                }
                y1 = &y2 + num(k);
                return Ok((num(0) + &y1, &y3 * &y3, (z5.1 != num(2.0)) && (x != &x - num(1.0))));
            }
            Ok((keep(&a)?, &y3 - &y3, scalar(false)))
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
            if (k == 3) {
                if (k != 3) {
                    y4 = scalar(true);
                } else {
                    y2 = b / 7;
                    y4 = !c;
                    y4 = c.clone();
                }
                if (y4) && flag {
                }
                return Ok((a + 100, float(&y1)?, y4.clone()));
            } else {
                let z5;
                if c {
                    z5 = (&y1 - &y1, y3.clone());
                } else {
                    let z6;
                    if (b % 3 < 2) || (x + &y3 >= 0.75) {
                        let z7;
                        if &y2 + &y1 < 2 {
                            y2 = b % (b % 5 + 7);
                            y1 *= (scalar(5i64)) + &y1;
                            z7 = -a;
                        } else {
                            y4 = c.clone();
                            z7 = a + a;
                        }
                        let z8;
                        if y4 {
                            z8 = ((&y3 % 2.0 != 1.0) || (a < b)) || ((y2 == 7) && (&y1 + b >= &y2 - 2));
                        } else {
                            z8 = scalar(false);
                        }
                        z6 = keep(&z7)?;
                    } else {
                        let mut at9 = scalar(0i64);
                        let mut y10 = loop {
                            at9 += 1;
                            if at9 > 3 { break (-&y2, x + 3.25); }
                            y1 += y2.clone();
                            if a != a {
                                continue;
                            }
                            y3 *= 0.5;
                        };
                        z6 = a - 100;
                    }
                    y2 -= a * &y1;
                    z5 = (&z6 + 1, x + 3.25);
                }
                if c == c {
                    y2 = &y1 - &z5.0;
                    let z11;
                    if y3 != 0.5 {
                        let n13 = &y1 % 5;
                        for at12 in 0..&n13 {
                            y2 %= 10;
                            y4 = c != c;
                        }
                        'l0: for at14 in 0..2i64 {
                            y3 = -&y3;
                            y4 = ((z5.0 != 1) || (z5.0 < 5)) && (&z5.1 + x <= y3);
                            if !c {
                                continue 'l0;
                            }
                            y1 = b + 5;
                        }
                        z11 = b * &z5.0;
                    } else {
                        z11 = &y1 + &y1;
                    }
                    y3 += &y3 + 0.5;
                } else {
                    let mut y2 = &z5.0 * &y2;
                    y1 *= b.clone();
                }
                y1 = &y2 + k;
                return Ok((0 + &y1, &y3 * &y3, (z5.1 != 2.0) && (x != x - 1.0)));
            }
            Ok((keep(a)?, &y3 - &y3, scalar(false)))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p31 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&y1 * &y2, &x + &x);
            let mut y6 = y4.clone();
            if (&y5.1 + &x > &y3 - num(1.0)) && { y2 = (if (y5.1 >= num(1.0)) || (k < 1) { b.clone() } else { y1.clone() }) * num(1); y1 == num(0) } {
                y3 += y5.1.clone();
                y5 = (&b % (&y1 % num(5) + num(7)), &x / num(10.0));
            } else {
                let mut at7 = scalar(0i64);
                let mut y8 = 'l0: loop {
                    at7 += num(1);
                    if at7 > num(3) { break &a * num(k); }
                    if (at7 < num(2)) || ((y1 > num(2)) || (&y1 + &y1 > &at7 - num(3))) {
                        let mut y9 = if (&at7 % num(10) > num(0)) || (k != 0) {
                            y5 = (a.clone(), y3.clone());
                            &x - num(0.5)
                        } else {
                            y3 += num(0.75);
                            &x * &y5.1
                        };
                        y9 = x.clone();
                        y9 = keep(&y3)?;
                    }
                    y5 = (&y1 / num(7), float(&y1)?);
                    let mut y10 = if !(y6 == y4) {
                        keep(&at7)?
                    } else if y4 {
                        let n12 = &b % num(5);
                        for at11 in ints(1, n12) {
                            y5.0 -= &y2 - &y2;
                            y5.0 *= num(7);
                            y6 = !((a < y2) || (y5.0 > num(2)));
                        }
                        y5.0 = &b * num(1);
                        a.clone()
                    } else {
                        if y1 <= num(3) {
                            y5.0 = (if (k == 0) || (a >= y1) { &y5.0 + &a } else { (if &b + &y5.0 >= at7 { b.clone() } else { b.clone() }) + num(5) }) * num(1);
                            y2 = y2.clone();
                        } else if !flag {
                            y3 /= num(1.0);
                        }
                        if (y5.1 < num(10.0)) || { y1 = num(1) - &y2; x < num(2.0) } {
                            y3 = y3.clone();
                            y5 = ((if a < y1 { &y2 + num(k) } else { -&b }) - num(2), &x * num(2.0));
                            y5.1 %= num(2.0);
                        }
                        &y5.0 * num(k)
                    };
                };
                y6 = y2 != y2;
                return Ok((y1.clone(), num(2.0) - &y5.1, y4.clone()));
            }
            Ok(((if !(y2 >= &y5.0 - num(0)) { y1.clone() } else { y1.clone() }) * num(7), &y3 % num(3.25), !y6))
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
            let mut y5 = (&y1 * &y2, x + x);
            let mut y6 = y4.clone();
            if (&y5.1 + x > &y3 - 1.0) && { y2 = (if (y5.1 >= 1.0) || (k < 1) { b.clone() } else { y1.clone() }) * 1; y1 == 0 } {
                y3 += y5.1.clone();
                y5 = (b % (&y1 % 5 + 7), x / 10.0);
            } else {
                let mut at7 = scalar(0i64);
                let mut y8 = 'l0: loop {
                    at7 += 1;
                    if at7 > 3 { break a * k; }
                    if (at7 < 2) || ((y1 > 2) || (&y1 + &y1 > &at7 - 3)) {
                        let mut y9 = if (&at7 % 10 > 0) || (k != 0) {
                            y5 = (a.clone(), y3.clone());
                            x - 0.5
                        } else {
                            y3 += 0.75;
                            x * &y5.1
                        };
                        y9 = x.clone();
                        y9 = keep(&y3)?;
                    }
                    y5 = (&y1 / 7, float(&y1)?);
                    let mut y10 = if !(y6 == y4) {
                        keep(&at7)?
                    } else if y4 {
                        let n12 = b % 5;
                        for at11 in 1..&n12 {
                            y5.0 -= &y2 - &y2;
                            y5.0 *= 7;
                            y6 = !((a < y2) || (y5.0 > 2));
                        }
                        y5.0 = b * 1;
                        a.clone()
                    } else {
                        if y1 <= 3 {
                            y5.0 = (if (k == 0) || (a >= y1) { &y5.0 + a } else { (if b + &y5.0 >= at7 { b.clone() } else { b.clone() }) + 5 }) * 1;
                            y2 = y2.clone();
                        } else if !flag {
                            y3 /= 1.0;
                        }
                        if (y5.1 < 10.0) || { y1 = 1 - &y2; x < 2.0 } {
                            y3 = y3.clone();
                            y5 = ((if a < y1 { &y2 + k } else { -b }) - 2, x * 2.0);
                            y5.1 %= 2.0;
                        }
                        &y5.0 * k
                    };
                };
                y6 = y2 != y2;
                return Ok((y1.clone(), 2.0 - &y5.1, y4.clone()));
            }
            Ok(((if !(y2 >= &y5.0 - 0) { y1.clone() } else { y1.clone() }) * 7, &y3 % 3.25, !y6))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
