//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p29 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = (&y2 / num(10), &x / num(2.0));
            let n7 = &y1 % num(5);
            for at6 in ints(1, n7) {
                'l1: for at8 in 0..3i64 {
                    let Some(m8) = flag.then_some(k + 1) else { return Ok((&a / num(10), &x - &x, y5.0 >= y5.0)) };
                    let z10;
                    if (y1 < num(1)) && (y5.0 <= num(7)) {
                        z10 = (&y5.0 + &at6, y3.clone());
                    } else {
                        let mut y11 = &y3 - &y3;
                        'l2: for at12 in v.iter().copied() {
                            y4 = c.clone();
                            if flag {
                                break;
                            }
                        }
                        z10 = (&y1 - num(m8), &y11 / num(10.0));
                    }
                    y1 *= num(7);
                    if (&y1 + &y5.0 != &y1 - num(1)) && (at8 != 1) {
                        break;
                    }
                    y3 += num(1.0);
                }
                y3 *= x.clone();
                if a >= at6 {
                    return Ok((&a - &at6, keep(&y3)?, scalar(false)));
                }
                if y5.0 >= &b - num(5) {
                    y2 += num(0);
                    y3 = float(&a)?;
                } else {
                    let mut at13 = scalar(0i64);
                    while at13 < num(4) && ((&y5.0 % num(7) < at6) || (a != y1)) {
                        at13 += num(1);
                        y5 = (&a + num(7), &y3 / num(0.75));
                        (y1, y5.1) = (keep(&y5.0)?, &x % num(3.25));
                    }
                    y5.1 = &y5.1 * &y5.1;
                }
            }
            y5 = (&y1 * &b, -&x);
            let mut y14 = keep(&b)?;
            'l0: for at15 in v.iter().copied() {
                let mut y16 = if c == y4 {
                    (keep(&y5.0)?, y3.clone())
                } else {
                    (a.clone(), &y3 + &y5.1)
                };
                if y4 {
                    y14 = (if y4 != c { &y1 % num(2) } else { -&a }) * num(100);
                    y4 = y5.1 > y3;
                } else if c {
                    y16.1 = -&x;
                    continue;
                } else {
                    let z17;
                    if (y1 >= num(7)) && (y1 > num(100)) {
                        if ((&y2 + &at15 != y2) && (&at15 + &at15 == &b - num(2))) && (y4 == y4) {
                            y16.1 = &x - num(0.5);
                            y3 += y16.1;
                        } else {
                            y16.1 = (&y3 - &x) * &x;
                        }
                        if (k > 2) && ((x >= num(2.0)) || (y16.0 <= &y2 - num(5))) {
                            y5.1 %= num(1.0);
                        } else {
                            y5.1 = &y16.1 / num(3.25);
                            y16.0 += &y2 % num(3);
                            y3 = &x * num(1.0);
                            break 'l0;
                        }
                        z17 = num(7) - &b;
                    } else {
                        y16 = ((if (y5.1 != &y5.1 - num(2.0)) || (&y14 % num(10) < &b - num(2)) { &b + &y1 } else { &y5.0 - &y5.0 }) * num(3), num(0.5) - &y3);
                        z17 = keep(&y14)?;
                    }
                    y16.0 += &a - &y5.0;
                }
                y5.1 = keep(&y5.1)?;
                if !y4 {
                    break;
                }
            }
            Ok((&y14 + &b, (if a == &b - num(2) { scalar(0.75f64) } else { x.clone() }) - num(0.5), y5.1 <= y5.1))
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
            let mut y5 = (&y2 / 10, x / 2.0);
            let n7 = &y1 % 5;
            for at6 in 1..&n7 {
                'l1: for at8 in 0..3i64 {
                    let Some(m8) = flag.then_some(k + 1) else { return Ok((a / 10, x - x, y5.0 >= y5.0)) };
                    let z10;
                    if (y1 < 1) && (y5.0 <= 7) {
                        z10 = (&y5.0 + &at6, y3.clone());
                    } else {
                        let mut y11 = &y3 - &y3;
                        'l2: for at12 in v {
                            y4 = c.clone();
                            if flag {
                                break;
                            }
                        }
                        z10 = (&y1 - m8, &y11 / 10.0);
                    }
                    y1 *= 7;
                    if (&y1 + &y5.0 != &y1 - 1) && (at8 != 1) {
                        break;
                    }
                    y3 += 1.0;
                }
                y3 *= x.clone();
                if a >= at6 {
                    return Ok((a - &at6, keep(&y3)?, scalar(false)));
                }
                if y5.0 >= b - 5 {
                    y2 += 0;
                    y3 = float(a)?;
                } else {
                    let mut at13 = scalar(0i64);
                    while at13 < 4 && ((&y5.0 % 7 < at6) || (a != y1)) {
                        at13 += 1;
                        y5 = (a + 7, &y3 / 0.75);
                        (y1, y5.1) = (keep(&y5.0)?, x % 3.25);
                    }
                    y5.1 = &y5.1 * &y5.1;
                }
            }
            y5 = (&y1 * b, -x);
            let mut y14 = keep(b)?;
            'l0: for at15 in v {
                let mut y16 = if c == y4 {
                    (keep(&y5.0)?, y3.clone())
                } else {
                    (a.clone(), &y3 + &y5.1)
                };
                if y4 {
                    y14 = (if y4 != c { &y1 % 2 } else { -a }) * 100;
                    y4 = y5.1 > y3;
                } else if c {
                    y16.1 = -x;
                    continue;
                } else {
                    let z17;
                    if (y1 >= 7) && (y1 > 100) {
                        if ((&y2 + &at15 != y2) && (&at15 + &at15 == b - 2)) && (y4 == y4) {
                            y16.1 = x - 0.5;
                            y3 += y16.1;
                        } else {
                            y16.1 = (&y3 - x) * x;
                        }
                        if (k > 2) && ((x >= 2.0) || (y16.0 <= &y2 - 5)) {
                            y5.1 %= 1.0;
                        } else {
                            y5.1 = &y16.1 / 3.25;
                            y16.0 += &y2 % 3;
                            y3 = x * 1.0;
                            break 'l0;
                        }
                        z17 = 7 - b;
                    } else {
                        y16 = ((if (y5.1 != &y5.1 - 2.0) || (&y14 % 10 < b - 2) { b + &y1 } else { &y5.0 - &y5.0 }) * 3, 0.5 - &y3);
                        z17 = keep(&y14)?;
                    }
                    y16.0 += a - &y5.0;
                }
                y5.1 = keep(&y5.1)?;
                if !y4 {
                    break;
                }
            }
            Ok((&y14 + b, (if a == b - 2 { scalar(0.75f64) } else { x.clone() }) - 0.5, y5.1 <= y5.1))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

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
