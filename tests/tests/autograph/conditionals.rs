//! Conditions: whole programs, on values and traced, against the same algorithms on numbers.

use extype::prelude::*;

use crate::support::*;

#[tf_function]
pub fn sign_step(x: &Tensor) -> Result<Tensor> {
    let y;
    if x > 0 {
        y = x * 10;
    } else {
        y = x - 1;
    }
    Ok(y)
}

#[test]
fn sign_step_agrees() -> Result<()> {
    {
        let a0 = scalar(5i64);
        let want = [scalar(50i64)];
        agree(sign_step::__body(&a0)?, &want);
        agree(sign_step(&a0)?, &want);
    }
    {
        let a0 = scalar(0i64);
        let want = [scalar(-1i64)];
        agree(sign_step::__body(&a0)?, &want);
        agree(sign_step(&a0)?, &want);
    }
    {
        let a0 = scalar(-3i64);
        let want = [scalar(-4i64)];
        agree(sign_step::__body(&a0)?, &want);
        agree(sign_step(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn abs_diff_scaled(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let d = if a > b { a - b } else { b - a };
    let e = 2.0 * if &d > 10.0 { scalar(10.0) } else { d.clone() } + 0.5;
    if d < 1.0 { Ok(e) } else { Ok(e + d) }
}

#[test]
fn abs_diff_scaled_agrees() -> Result<()> {
    {
        let a0 = scalar(3.0);
        let a1 = scalar(1.0);
        let want = [scalar(6.5)];
        agree(abs_diff_scaled::__body(&a0, &a1)?, &want);
        agree(abs_diff_scaled(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1.0);
        let a1 = scalar(1.25);
        let want = [scalar(1.0)];
        agree(abs_diff_scaled::__body(&a0, &a1)?, &want);
        agree(abs_diff_scaled(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(-20.0);
        let a1 = scalar(5.0);
        let want = [scalar(45.5)];
        agree(abs_diff_scaled::__body(&a0, &a1)?, &want);
        agree(abs_diff_scaled(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn grade(points: &Tensor) -> Result<Tensor> {
    if points >= 90 {
        Ok(scalar(1i64))
    } else if points >= 75 {
        Ok(scalar(2i64))
    } else if points >= 60 {
        Ok(scalar(3i64))
    } else if points == 0 {
        Ok(scalar(6i64))
    } else {
        Ok(scalar(5i64))
    }
}

#[test]
fn grade_agrees() -> Result<()> {
    {
        let a0 = scalar(95i64);
        let want = [scalar(1i64)];
        agree(grade::__body(&a0)?, &want);
        agree(grade(&a0)?, &want);
    }
    {
        let a0 = scalar(75i64);
        let want = [scalar(2i64)];
        agree(grade::__body(&a0)?, &want);
        agree(grade(&a0)?, &want);
    }
    {
        let a0 = scalar(74i64);
        let want = [scalar(3i64)];
        agree(grade::__body(&a0)?, &want);
        agree(grade(&a0)?, &want);
    }
    {
        let a0 = scalar(60i64);
        let want = [scalar(3i64)];
        agree(grade::__body(&a0)?, &want);
        agree(grade(&a0)?, &want);
    }
    {
        let a0 = scalar(0i64);
        let want = [scalar(6i64)];
        agree(grade::__body(&a0)?, &want);
        agree(grade(&a0)?, &want);
    }
    {
        let a0 = scalar(1i64);
        let want = [scalar(5i64)];
        agree(grade::__body(&a0)?, &want);
        agree(grade(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn quadrant(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut q = scalar(0i64);
    let mut on_axis = scalar(false);
    if x > 0.0 {
        if y > 0.0 {
            q = scalar(1i64);
        } else {
            if y < 0.0 {
                q = scalar(4i64);
            } else {
                on_axis = scalar(true);
            }
        }
    } else {
        if x == 0.0 {
            on_axis = y != 0.0;
        } else if y > 0.0 {
            q = scalar(2i64);
        } else if y < 0.0 {
            q = scalar(3i64);
        } else {
            on_axis = scalar(true);
        }
    }
    Ok((q, on_axis))
}

#[test]
fn quadrant_agrees() -> Result<()> {
    {
        let a0 = scalar(1.0);
        let a1 = scalar(2.0);
        let want = [scalar(1i64), scalar(false)];
        agree(quadrant::__body(&a0, &a1)?, &want);
        agree(quadrant(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1.0);
        let a1 = scalar(-2.0);
        let want = [scalar(4i64), scalar(false)];
        agree(quadrant::__body(&a0, &a1)?, &want);
        agree(quadrant(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1.0);
        let a1 = scalar(0.0);
        let want = [scalar(0i64), scalar(true)];
        agree(quadrant::__body(&a0, &a1)?, &want);
        agree(quadrant(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(-1.0);
        let a1 = scalar(3.0);
        let want = [scalar(2i64), scalar(false)];
        agree(quadrant::__body(&a0, &a1)?, &want);
        agree(quadrant(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0.0);
        let a1 = scalar(0.0);
        let want = [scalar(0i64), scalar(false)];
        agree(quadrant::__body(&a0, &a1)?, &want);
        agree(quadrant(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0.0);
        let a1 = scalar(-5.0);
        let want = [scalar(0i64), scalar(true)];
        agree(quadrant::__body(&a0, &a1)?, &want);
        agree(quadrant(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn number_on_either_side(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
    let inside = 0 <= x && x < 10;
    let mut code = scalar(0i64);
    if inside {
        code += 1;
    }
    if 5.0 > y && y >= -5.0 {
        code += 10;
    }
    if 3 == x || x != 4 {
        code += 100;
    }
    if !(1 > x) {
        code += 1000;
    }
    if x.cast(f64)? <= y {
        code += 10000;
    }
    Ok((0 <= x && x < 10 || x == 99, code))
}

#[test]
fn number_on_either_side_agrees() -> Result<()> {
    {
        let a0 = scalar(3i64);
        let a1 = scalar(0.0);
        let want = [scalar(true), scalar(1111i64)];
        agree(number_on_either_side::__body(&a0, &a1)?, &want);
        agree(number_on_either_side(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(4i64);
        let a1 = scalar(9.5);
        let want = [scalar(true), scalar(11001i64)];
        agree(number_on_either_side::__body(&a0, &a1)?, &want);
        agree(number_on_either_side(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(-1i64);
        let a1 = scalar(-5.0);
        let want = [scalar(false), scalar(110i64)];
        agree(number_on_either_side::__body(&a0, &a1)?, &want);
        agree(number_on_either_side(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(99i64);
        let a1 = scalar(5.0);
        let want = [scalar(true), scalar(1100i64)];
        agree(number_on_either_side::__body(&a0, &a1)?, &want);
        agree(number_on_either_side(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn scale_or_shift(x: &Tensor, scale: bool, times: i64) -> Result<Tensor> {
    let mut y = x.clone();
    for _ in 0..times {
        if scale {
            y = y * 3;
        } else {
            y = y + 7;
        }
        if scale && y > 50 {
            y = y - 50;
        }
    }
    if y < 0 || times == 0 {
        y = -y;
    }
    Ok(y)
}

#[test]
fn scale_or_shift_agrees() -> Result<()> {
    {
        let a0 = scalar(5i64);
        let want = [scalar(85i64)];
        agree(scale_or_shift::__body(&a0, true, 3i64)?, &want);
        agree(scale_or_shift(&a0, true, 3i64)?, &want);
    }
    {
        let a0 = scalar(5i64);
        let want = [scalar(26i64)];
        agree(scale_or_shift::__body(&a0, false, 3i64)?, &want);
        agree(scale_or_shift(&a0, false, 3i64)?, &want);
    }
    {
        let a0 = scalar(9i64);
        let want = [scalar(-9i64)];
        agree(scale_or_shift::__body(&a0, true, 0i64)?, &want);
        agree(scale_or_shift(&a0, true, 0i64)?, &want);
    }
    {
        let a0 = scalar(-40i64);
        let want = [scalar(26i64)];
        agree(scale_or_shift::__body(&a0, false, 2i64)?, &want);
        agree(scale_or_shift(&a0, false, 2i64)?, &want);
    }
    {
        let a0 = scalar(-4i64);
        let want = [scalar(36i64)];
        agree(scale_or_shift::__body(&a0, true, 2i64)?, &want);
        agree(scale_or_shift(&a0, true, 2i64)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn shadowed(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let x = x + 1;
    let mut acc = scalar(0i64);
    if x > 10 {
        let x = &x - 10;
        acc = &acc + &x;
    } else {
        let acc = &x * 100;
        let _ = acc;
    }
    for i in 0..3 {
        let x = &x * i;
        acc = acc + x;
    }
    let x = x;
    Ok((acc, x))
}

#[test]
fn shadowed_agrees() -> Result<()> {
    {
        let a0 = scalar(2i64);
        let want = [scalar(9i64), scalar(3i64)];
        agree(shadowed::__body(&a0)?, &want);
        agree(shadowed(&a0)?, &want);
    }
    {
        let a0 = scalar(10i64);
        let want = [scalar(34i64), scalar(11i64)];
        agree(shadowed::__body(&a0)?, &want);
        agree(shadowed(&a0)?, &want);
    }
    {
        let a0 = scalar(9i64);
        let want = [scalar(30i64), scalar(10i64)];
        agree(shadowed::__body(&a0)?, &want);
        agree(shadowed(&a0)?, &want);
    }
    {
        let a0 = scalar(-5i64);
        let want = [scalar(-12i64), scalar(-4i64)];
        agree(shadowed::__body(&a0)?, &want);
        agree(shadowed(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
fn a_conditional_that_is_added(a: &Tensor) -> Result<Tensor> {
    let mut y = a * 2;
    y += (if a > 3 { a.clone() } else { y.clone() }) * 5;
    Ok(y)
}

#[tf_function]
fn a_return_that_ends_a_loop(a: &Tensor) -> Result<Tensor> {
    let mut j = a.clone();
    loop {
        j += 1;
        if j > 4 {
            break;
        }
        return Ok(j);
    }
    Ok(j * 10)
}

#[tf_function]
fn a_block_that_plain_code_leaves(a: &Tensor, n: i64) -> Result<Tensor> {
    let y = 'found: {
        if std::hint::black_box(n) > 2 {
            break 'found a * n;
        }
        if a > 3 { a - 1 } else { a + 1 }
    };
    Ok(y)
}

#[test]
fn conditionals_stand_where_rust_has_them() -> Result<()> {
    for (a, sum, end) in [(5i64, 35i64, 60i64), (1, 12, 2)] {
        let a = scalar(a);
        agree(a_conditional_that_is_added::__body(&a)?, &[scalar(sum)]);
        agree(a_conditional_that_is_added(&a)?, &[scalar(sum)]);
        agree(a_return_that_ends_a_loop::__body(&a)?, &[scalar(end)]);
        agree(a_return_that_ends_a_loop(&a)?, &[scalar(end)]);
    }
    agree(a_block_that_plain_code_leaves(&scalar(5i64), 3)?, &[scalar(15i64)]);
    agree(a_block_that_plain_code_leaves(&scalar(5i64), 1)?, &[scalar(4i64)]);
    Ok(())
}
