//! Programs of seed 1, made by `autograph-fuzz`.

pub(crate) mod p129 {
    pub(crate) mod numbers {
        use crate::support::numbers::*;

        pub(crate) fn f(a: Int, b: Int, x: f64, c: bool, v: &[Int], k: i64, flag: bool) -> Result<(Int, f64, bool)> {
            let mut y1 = a.clone();
            let mut y2 = scalar(3i64);
            let mut y3 = x.clone();
            let mut y4 = c.clone();
            let mut y5 = vec![&a % (&y2 % num(5) + num(7)), y1.clone()];
            if y4 != c {
                y2 *= &y1 * &y1;
            } else {
                y5[1] %= num(10);
            }
            if (k < 1) {
                let mut at6 = scalar(0i64);
                while at6 < num(2) && (k == 3) {
                    at6 += num(1);
                    y5[0] -= num(100);
                }
                let z7;
                if (b > num(100)) && { y5[1] = (if (&y5[1] % num(2) <= num(100)) && (&y2 + &y5[1] >= num(5)) { y5[0].clone() } else { y5[0].clone() }) * num(5); &y1 + &y2 >= num(2) } {
                    z7 = (&a + &y2, &x + num(10.0));
                } else {
                    z7 = (scalar(7i64), &y3 * &x);
                }
                y2 = &y1 - &a;
            } else {
            }
            y5 = vec![&a - &y5[0], &y1 * num(k)];
            y3 = &x * &y3;
            y1 += num(2);
            if &y2 + &y2 > b {
                y5 = vec![num(5) - &y5[0], &y1 - num(3)];
                return Ok((&b * &y2, keep(&y3)?, (a == num(2)) || (y1 > num(3))));
            } else if &a % num(7) > &y1 - num(2) {
                y5[0] *= num(3);
            }
            let n9 = &y1 % num(5);
            for at8 in ints(1, n9) {
                let mut y10 = if y4 != y4 {
                    &y3 % num(3.25)
                } else if !(&y5[0] + &b != num(0)) {
                    let mut at11 = scalar(0i64);
                    'l1: while at11 < num(4) && (y5[0] >= y1) {
                        at11 += num(1);
                        y5[1] += num(0);
                        y1 %= num(10);
                        if &y3 + &y3 != &y3 - num(1.0) {
                            continue;
                        }
                    }
                    &x + num(1.0)
                } else {
                    &y3 - &y3
                };
                y3 *= num(10.0);
                if (&y10 % num(2.0) != num(0.5)) || (&x + &y3 != &x - num(2.0)) {
                    break;
                }
            }
            let z12;
            if (y5[0] <= &y1 - num(100)) || (&y5[0] % num(7) == num(3)) {
                let mut at13 = scalar(0i64);
                while at13 < num(4) {
                    at13 += num(1);
                    let mut at14 = scalar(0i64);
                    let mut y15 = 'l1: loop {
                        at14 += num(1);
                        if at14 > num(4) { break &y1 * num(k); }
                        y4 = &a % num(3) <= num(0);
                    };
                    y15 = &y1 % (&y15 % num(5) + num(7));
                    let mut at16 = scalar(0i64);
                    while at16 < num(3) && ((&y1 % num(10) > y5[0]) || (&x % num(0.5) <= &y3 - num(10.0))) {
                        at16 += num(1);
                        y1 = num(3) * &at16;
                        if &b + &at16 <= &at16 - num(1) {
                            break;
                        }
                    }
                }
                y1 = b.clone();
                z12 = (a.clone(), &y3 * &x);
            } else {
                y3 += num(0.5);
                z12 = (num(7) + &y2, &y3 % num(2.0));
            }
            Ok((&b * &b, -&y3, c.clone()))
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
            let mut y5 = vec![a % (&y2 % 5 + 7), y1.clone()];
            if y4 != c {
                y2 *= &y1 * &y1;
            } else {
                y5[1] %= 10;
            }
            if (k < 1) {
                let mut at6 = scalar(0i64);
                while at6 < 2 && (k == 3) {
                    at6 += 1;
                    y5[0] -= 100;
                }
                let z7;
                if (b > 100) && { y5[1] = (if (&y5[1] % 2 <= 100) && (&y2 + &y5[1] >= 5) { y5[0].clone() } else { y5[0].clone() }) * 5; &y1 + &y2 >= 2 } {
                    z7 = (a + &y2, x + 10.0);
                } else {
                    z7 = (scalar(7i64), &y3 * x);
                }
                y2 = &y1 - a;
            } else {
            }
            y5 = vec![a - &y5[0], &y1 * k];
            y3 = x * &y3;
            y1 += 2;
            if &y2 + &y2 > b {
                y5 = vec![5 - &y5[0], &y1 - 3];
                return Ok((b * &y2, keep(&y3)?, (a == 2) || (y1 > 3)));
            } else if a % 7 > &y1 - 2 {
                y5[0] *= 3;
            }
            let n9 = &y1 % 5;
            for at8 in 1..&n9 {
                let mut y10 = if y4 != y4 {
                    &y3 % 3.25
                } else if !(&y5[0] + b != 0) {
                    let mut at11 = scalar(0i64);
                    'l1: while at11 < 4 && (y5[0] >= y1) {
                        at11 += 1;
                        y5[1] += 0;
                        y1 %= 10;
                        if &y3 + &y3 != &y3 - 1.0 {
                            continue;
                        }
                    }
                    x + 1.0
                } else {
                    &y3 - &y3
                };
                y3 *= 10.0;
                if (&y10 % 2.0 != 0.5) || (x + &y3 != x - 2.0) {
                    break;
                }
            }
            let z12;
            if (y5[0] <= &y1 - 100) || (&y5[0] % 7 == 3) {
                let mut at13 = scalar(0i64);
                while at13 < 4 {
                    at13 += 1;
                    let mut at14 = scalar(0i64);
                    let mut y15 = 'l1: loop {
                        at14 += 1;
                        if at14 > 4 { break &y1 * k; }
                        y4 = a % 3 <= 0;
                    };
                    y15 = &y1 % (&y15 % 5 + 7);
                    let mut at16 = scalar(0i64);
                    while at16 < 3 && ((&y1 % 10 > y5[0]) || (x % 0.5 <= &y3 - 10.0)) {
                        at16 += 1;
                        y1 = 3 * &at16;
                        if b + &at16 <= &at16 - 1 {
                            break;
                        }
                    }
                }
                y1 = b.clone();
                z12 = (a.clone(), &y3 * x);
            } else {
                y3 += 0.5;
                z12 = (7 + &y2, &y3 % 2.0);
            }
            Ok((b * b, -&y3, c.clone()))
        }

        pub(crate) fn body(a: &Tensor, b: &Tensor, x: &Tensor, c: &Tensor, v: &Tensor, k: i64, flag: bool) -> Result<(Tensor, Tensor, Tensor)> {
            f::__body(a, b, x, c, v, k, flag)
        }
    }
}
