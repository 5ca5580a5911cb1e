//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p63 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut at5 = scalar(0i64);
            'l0: while at5 < num(2) && !flag {
                at5 += num(1);
                y4 = c != c;
                if b < num(0) {
                    return Ok((y1.clone(), y3.clone(), at5 >= num(7)));
                }
                y1 /= num(7);
            }
            if y4 == y4 {
            }
            'l0: for at6 in 0..2i64 {
                y2 -= num(5);
                y1 = &a * &b;
                let n8 = &y2 % num(5);
                'l1: for at7 in ints(2, n8) {
                    let mut y9 = &at7 / num(3);
                    if (k == 0) && (y9 >= num(7)) {
                        break 'l1;
                    }
                    if x < &y3 - num(10.0) {
                        y3 *= y3.clone();
                    } else if y4 == c {
                        let mut y2 = (&y1 * num(0), (&y3 / num(3.25)) * &x);
                        let mut at10 = scalar(0i64);
                        while at10 < num(1) {
                            at10 += num(1);
                            y2.1 = float(&a)?;
                            y9 += num(1);
                            y2.1 = &y3 + &y2.1;
                        }
                        y1 = &at7 + &y9;
                    }
                }
            }
            Ok((&b % (&b % num(5) + num(7)), &x - num(3.25), !c))
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
            'l0: while at5 < 2 && !flag {
                at5 += 1;
                y4 = c != c;
                if b < 0 {
                    return Ok((y1.clone(), y3.clone(), at5 >= 7));
                }
                y1 /= 7;
            }
            if y4 == y4 {
            }
            'l0: for at6 in 0..2i64 {
                y2 -= 5;
                y1 = a * b;
                let n8 = &y2 % 5;
                'l1: for at7 in 2..&n8 {
                    let mut y9 = &at7 / 3;
                    if (k == 0) && (y9 >= 7) {
                        break 'l1;
                    }
                    if x < &y3 - 10.0 {
                        y3 *= y3.clone();
                    } else if y4 == c {
                        let mut y2 = (&y1 * 0, (&y3 / 3.25) * x);
                        let mut at10 = scalar(0i64);
                        while at10 < 1 {
                            at10 += 1;
                            y2.1 = float(a)?;
                            y9 += 1;
                            y2.1 = &y3 + &y2.1;
                        }
                        y1 = &at7 + &y9;
                    }
                }
            }
            Ok((b % (b % 5 + 7), x - 3.25, !c))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}

pub(crate) mod p65 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![b.clone(), &a + &y1];
            for at6 in 0..3i64 {
                let mut y7 = &x % num(0.75) <= &x - num(10.0);
                y7 = scalar(true);
                if (&y5[1] + &b > num(0)) || (y1 == a) {
                    break;
                }
            }
            if (y2 <= y5[1]) && (!(a > num(2))) {
            }
            y3 *= y3.clone();
            Ok((num(5) * &a, &y3 / num(0.5), y3 > &y3 - num(2.0)))
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
            let mut y5 = vec![b.clone(), a + &y1];
            for at6 in 0..3i64 {
                let mut y7 = x % 0.75 <= x - 10.0;
                y7 = scalar(true);
                if (&y5[1] + b > 0) || (y1 == a) {
                    break;
                }
            }
            if (y2 <= y5[1]) && (!(a > 2)) {
            }
            y3 *= y3.clone();
            Ok((5 * a, &y3 / 0.5, y3 > &y3 - 2.0))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
