//! Plain exits beside those on tensors; what the right side of `&&` writes; patterns with `ref`.

use extype::prelude::*;

fn opaque(n: i64) -> i64 {
    n
}

fn bump(y: &mut Tensor) -> bool {
    *y = scalar(5i64);
    true
}

#[tf_function]
fn plain_break_beside_one_on_tensors(x: &Tensor) -> Result<Tensor> {
    let mut s = x.clone();
    let w = [1i64, 2, 3];
    for i in 0.. {
        if opaque(i) == 3 {
            break;
        }
        if s > 4 {
            break;
        }
        s += w[i as usize];
    }
    Ok(s)
}

#[tf_function]
fn plain_break_after_one_on_tensors(x: &Tensor) -> Result<Tensor> {
    let mut s = x.clone();
    for (i, k) in [1i64, 2, 3, 4].iter().enumerate() {
        if s > 4 {
            break;
        }
        s += *k;
        if i > 1 {
            break;
        }
    }
    Ok(s)
}

#[tf_function]
fn plain_continue_beside_a_break(x: &Tensor) -> Result<Tensor> {
    let mut s = x.clone();
    for k in [1i64, 2, 3, 4] {
        if opaque(k) == 3 {
            continue;
        }
        if s > 4 {
            break;
        }
        s += k;
    }
    Ok(s)
}

#[tf_function]
fn plain_return_in_an_arm(x: &Tensor) -> Result<Tensor> {
    if x > 0 {
        if opaque(1) > 0 {
            return Ok(x * 2);
        }
    }
    Ok(x + 1)
}

#[tf_function]
fn a_right_side_that_writes(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut z = x.clone();
    let mut w = x.clone();
    let c = x > 0 && {
        y = scalar(5i64);
        true
    };
    if x > 1 && bump(&mut z) {
        z = z + 1;
    }
    if x > 2 || bump(&mut w) {
        w = w * 2;
    }
    Ok(y * 1000 + z * 100 + w * 10 + c.cast(i64)?)
}

#[tf_function]
fn patterns_that_borrow(x: &Tensor) -> Result<Tensor> {
    let mut o = Some(x.clone());
    let mut t = (x.clone(), x + 1);
    if x > 0 {
        if let Some(ref mut v) = o {
            *v = scalar(5i64);
        }
        let (ref mut a, _) = t;
        *a = scalar(6i64);
    }
    Ok(o.unwrap_or_else(|| scalar(0i64)) * 100 + &t.0 * 10 + &t.1)
}

#[tf_function]
fn plain_patterns_that_borrow(n: i64) -> Result<i64> {
    let mut a = [1i64, 2, 3];
    if opaque(n) > 0 {
        let [x, .., ref mut z] = a;
        *z += x;
    }
    if opaque(n) > 1 {
        let [ref mut w, ..] = a;
        *w = 10;
    }
    Ok(a.iter().sum())
}

#[tf_function]
fn a_test_that_writes_before_a_break(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut i = scalar(0i64);
    while i < 3
        && (x < 7 && {
            y = 100 * x;
            x != 5
        })
    {
        i += 1;
        if &i > x {
            break;
        }
    }
    Ok(y + i)
}

#[tf_function]
fn a_test_that_writes_what_is_dead(x: &Tensor) -> Result<Tensor> {
    let mut y = vec![x.clone(), x + 1];
    let mut i = scalar(0i64);
    while i < 3
        && ((y[1] > y[0]) && {
            y[1] = 100 * &i;
            x != 5
        })
    {
        i += 1;
        if x < 0 {
            break;
        }
    }
    y[1] = x + 2;
    Ok(&y[0] * 10 + &y[1] + i)
}

#[tf_function]
fn conditionals_in_the_right_side_of_assignments(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut v = vec![x.clone(), x + 1];
    y += (if x > 3 { x.clone() } else { y.clone() }) * 5;
    v[0] *= if y > 10 { v[0].clone() } else { v[1].clone() };
    v[1] -= (if v[0] > 3 { v[1].clone() } else { y.clone() }) + 7;
    Ok(y * 10000 + &v[0] * 100 + &v[1])
}

#[tf_function]
fn a_block_that_writes_in_the_head_of_if_let(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let some = Some(x.clone());
    if let Some(v) = {
        if x > 0 {
            y = x * 2;
        } else {
            y = x * 3;
        }
        some
    } {
        Ok(&y + v)
    } else {
        Ok(y)
    }
}

#[tf_function]
fn a_block_that_writes_before_a_let_else(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let none: Option<Tensor> = None;
    let Some(v) = ({
        if x > 0 {
            y = x * 2;
        }
        none
    }) else {
        return Ok(y);
    };
    Ok(v)
}

#[tf_function]
fn a_block_that_writes_in_a_guard(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    match opaque(3) {
        n if {
            if x > 0 {
                y = x * 2;
            }
            n > 5
        } =>
        {
            Ok(x.clone())
        }
        _ => Ok(y),
    }
}

mod tests {
    use super::*;
    use crate::corners::agrees;
    use crate::support::*;

    agrees!(plain_break_beside_one_on_tensors: (0i64) => 6i64, (-9i64) => -3i64, (9i64) => 9i64);
    agrees!(plain_break_after_one_on_tensors: (-9i64) => -3i64, (0i64) => 6i64, (9i64) => 9i64);
    agrees!(plain_continue_beside_a_break: (0i64) => 7i64, (9i64) => 9i64, (3i64) => 6i64);
    agrees!(plain_return_in_an_arm: (3i64) => 6i64, (-3i64) => -2i64);
    agrees!(a_right_side_that_writes: (3i64) => 5661i64, (1i64) => 5201i64, (-3i64) => -3200i64);
    agrees!(a_test_that_writes_before_a_break: (2i64) => 203i64, (5i64) => 500i64, (9i64) => 9i64, (-1i64) => -99i64);
    agrees!(a_test_that_writes_what_is_dead: (2i64) => 25i64, (5i64) => 57i64, (-3i64) => -30i64);
    agrees!(conditionals_in_the_right_side_of_assignments: (2i64) => 120393i64, (5i64) => 302493i64);
    agrees!(a_block_that_writes_in_the_head_of_if_let: (2i64) => 6i64, (-2i64) => -8i64);
    agrees!(a_block_that_writes_before_a_let_else: (2i64) => 4i64, (-2i64) => -2i64);
    agrees!(a_block_that_writes_in_a_guard: (2i64) => 4i64, (-2i64) => -2i64);
    agrees!(patterns_that_borrow: (3i64) => 564i64, (-3i64) => -332i64);
}

#[test]
fn plain() -> Result<()> {
    assert_eq!(plain_patterns_that_borrow(5)?, 16);
    Ok(())
}
