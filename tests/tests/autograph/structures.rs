//! Structures, variables, closures and functions: whole programs, on values and traced, against the same algorithms on numbers.

use extype::prelude::*;

use crate::support::*;

#[derive(ExtensionType, Clone, Debug)]
pub struct Span {
    pub low: Tensor,
    pub high: Tensor,
}

#[tf_function]
pub fn interval_walk(x: &Tensor, target: &Tensor) -> Result<(Tensor, Tensor, Tensor)> {
    let mut s = Span { low: x.clone(), high: x + 1.0 };
    let mut n = scalar(0i64);
    while s.high < target {
        if &s.high - &s.low > 8.0 {
            s = Span { low: s.high.clone(), high: &s.high + 1.0 };
        } else {
            s.high = &s.low + (&s.high - &s.low) * 2.0;
        }
        n += 1;
    }
    let r = if target < s.low { Span { low: target.clone(), high: s.low.clone() } } else { s };
    Ok((r.low, r.high, n))
}

#[test]
fn interval_walk_agrees() -> Result<()> {
    {
        let a0 = scalar(0.0);
        let a1 = scalar(7.0);
        let want = [scalar(0.0), scalar(8.0), scalar(3i64)];
        agree(interval_walk::__body(&a0, &a1)?, &want);
        agree(interval_walk(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0.0);
        let a1 = scalar(40.0);
        let want = [scalar(32.0), scalar(40.0), scalar(13i64)];
        agree(interval_walk::__body(&a0, &a1)?, &want);
        agree(interval_walk(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(5.0);
        let a1 = scalar(1.0);
        let want = [scalar(1.0), scalar(5.0), scalar(0i64)];
        agree(interval_walk::__body(&a0, &a1)?, &want);
        agree(interval_walk(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(2.0);
        let a1 = scalar(2.5);
        let want = [scalar(2.0), scalar(3.0), scalar(0i64)];
        agree(interval_walk::__body(&a0, &a1)?, &want);
        agree(interval_walk(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn ring_of_three(x: &Tensor) -> Result<(Vec<Tensor>, Tensor)> {
    let mut slots = vec![scalar(0i64), scalar(0i64), scalar(0i64)];
    let mut best: Option<Tensor> = Some(scalar(-1000i64));
    for v in x {
        slots = vec![slots[1].clone(), slots[2].clone(), v.clone()];
        let s = &slots[0] + &slots[1] + &slots[2];
        if let Some(b) = &best {
            if s > b {
                best = Some(s);
                slots[0] = scalar(0i64);
            }
        }
    }
    Ok((slots, best.unwrap()))
}

#[test]
fn ring_of_three_agrees() -> Result<()> {
    {
        let a0 = tensor![1i64, 2i64, 3i64, 4i64, 5i64];
        let want = [scalar(0i64), scalar(4i64), scalar(5i64), scalar(12i64)];
        agree(ring_of_three::__body(&a0)?, &want);
        agree(ring_of_three(&a0)?, &want);
    }
    {
        let a0 = tensor![9i64, -4i64, 1i64, 1i64];
        let want = [scalar(-4i64), scalar(1i64), scalar(1i64), scalar(9i64)];
        agree(ring_of_three::__body(&a0)?, &want);
        agree(ring_of_three(&a0)?, &want);
    }
    {
        let a0 = scalar(-2000i64).reshape([1])?;
        let want = [scalar(0i64), scalar(0i64), scalar(-2000i64), scalar(-1000i64)];
        agree(ring_of_three::__body(&a0)?, &want);
        agree(ring_of_three(&a0)?, &want);
    }
    let any = ring_of_three::concrete(&TensorSpec::of::<i64>(shape![?]))?;
    agree(
        any.call_flat(&[tensor![1i64, 2i64, 3i64, 4i64, 5i64]])?,
        &[scalar(0i64), scalar(4i64), scalar(5i64), scalar(12i64)],
    );
    agree(
        any.call_flat(&[tensor![9i64, -4i64, 1i64, 1i64]])?,
        &[scalar(-4i64), scalar(1i64), scalar(1i64), scalar(9i64)],
    );
    agree(
        any.call_flat(&[scalar(-2000i64).reshape([1])?])?,
        &[scalar(0i64), scalar(0i64), scalar(-2000i64), scalar(-1000i64)],
    );
    Ok(())
}

#[tf_function]
fn is_square(n: &Tensor) -> Result<Tensor> {
    let mut r = scalar(0i64);
    while &r * &r < n {
        r += 1;
    }
    Ok(&r * &r == n)
}

#[tf_function]
fn halve_or_step(n: &Tensor, down: bool) -> Result<Tensor> {
    if n % 2 == 0 {
        Ok(n / 2)
    } else if down {
        Ok(n - 1)
    } else {
        Ok(n + 1)
    }
}

#[tf_function]
pub fn helper_in_loop(n: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut x = n.clone();
    let mut steps = scalar(0i64);
    while !is_square(&x)? {
        if x > 50 {
            x = halve_or_step(&x, true)?;
        } else {
            x = halve_or_step(&x, false)? + 3;
        }
        steps += 1;
    }
    Ok((x, steps))
}

#[test]
fn helper_in_loop_agrees() -> Result<()> {
    {
        let a0 = scalar(16i64);
        let want = [scalar(16i64), scalar(0i64)];
        agree(helper_in_loop::__body(&a0)?, &want);
        agree(helper_in_loop(&a0)?, &want);
    }
    {
        let a0 = scalar(200i64);
        let want = [scalar(100i64), scalar(1i64)];
        agree(helper_in_loop::__body(&a0)?, &want);
        agree(helper_in_loop(&a0)?, &want);
    }
    {
        let a0 = scalar(7i64);
        let want = [scalar(25i64), scalar(16i64)];
        agree(helper_in_loop::__body(&a0)?, &want);
        agree(helper_in_loop(&a0)?, &want);
    }
    {
        let a0 = scalar(53i64);
        let want = [scalar(16i64), scalar(3i64)];
        agree(helper_in_loop::__body(&a0)?, &want);
        agree(helper_in_loop(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn account(
    v: &Variable,
    deposits: &Tensor,
    floor: &Tensor,
) -> Result<(Tensor, Tensor, Tensor)> {
    let before = v.read()?;
    let mut refused = scalar(0i64);
    for d in deposits {
        if v.read()? + &d < floor {
            refused += 1;
        } else {
            v.assign_add(&d)?;
        }
        if v.read()? > 100.0 {
            v.assign(100.0)?;
        }
    }
    Ok((before, refused, v.read()?))
}

#[test]
fn account_agrees() -> Result<()> {
    {
        let a1 = tensor![5.0, -20.0, -10.0];
        let a2 = scalar(0.0);
        let want = [scalar(10.0), scalar(1i64), scalar(5.0)];
        agree(account::__body(&Variable::new(10.0)?, &a1, &a2)?, &want);
        agree(account(&Variable::new(10.0)?, &a1, &a2)?, &want);
    }
    {
        let a1 = tensor![20.0, -30.0];
        let a2 = scalar(0.0);
        let want = [scalar(90.0), scalar(0i64), scalar(70.0)];
        agree(account::__body(&Variable::new(90.0)?, &a1, &a2)?, &want);
        agree(account(&Variable::new(90.0)?, &a1, &a2)?, &want);
    }
    {
        let a1 = tensor![-1.0, -2.0];
        let a2 = scalar(0.0);
        let want = [scalar(0.0), scalar(2i64), scalar(0.0)];
        agree(account::__body(&Variable::new(0.0)?, &a1, &a2)?, &want);
        agree(account(&Variable::new(0.0)?, &a1, &a2)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn question_mark(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    while y.abs()?.reduce_max(0, false)? > 1.0 {
        y = if y.reduce_sum(0, false)?.abs()? > 4.0 {
            ops::mul(&y.tanh()?, 1.5)?
        } else {
            y.square()?.sqrt()? * 0.25
        };
    }
    if y.reduce_min(0, false)? < 0.0 {
        return y.square()?.reduce_sum(0, false);
    }
    y.reduce_sum(0, false)
}

#[test]
fn question_mark_agrees() -> Result<()> {
    {
        let a0 = tensor![0.5, -0.25];
        let want = [scalar(0.3125)];
        agree(question_mark::__body(&a0)?, &want);
        agree(question_mark(&a0)?, &want);
    }
    {
        let a0 = tensor![3.0, 4.0, -1.0];
        let want = [scalar(1.0334918285180859)];
        agree(question_mark::__body(&a0)?, &want);
        agree(question_mark(&a0)?, &want);
    }
    {
        let a0 = tensor![2.0, -1.0];
        let want = [scalar(0.75)];
        agree(question_mark::__body(&a0)?, &want);
        agree(question_mark(&a0)?, &want);
    }
    let any = question_mark::concrete(&TensorSpec::of::<f64>(shape![?]))?;
    agree(any.call_flat(&[tensor![0.5, -0.25]])?, &[scalar(0.3125)]);
    agree(any.call_flat(&[tensor![3.0, 4.0, -1.0]])?, &[scalar(1.0334918285180859)]);
    agree(any.call_flat(&[tensor![2.0, -1.0]])?, &[scalar(0.75)]);
    Ok(())
}

#[tf_function]
pub fn closures(x: &Tensor, k: &Tensor) -> Result<Tensor> {
    let bump = |v: &Tensor| -> Result<Tensor> {
        if v > k {
            return Ok(v - k);
        }
        Ok(v + 2)
    };
    let mut y = if x > 0 { bump(x)? } else { bump(&(x * -3))? };
    for _ in 0..5 {
        y = bump(&y)?;
    }
    Ok(y)
}

#[test]
fn closures_agrees() -> Result<()> {
    {
        let a0 = scalar(7i64);
        let a1 = scalar(3i64);
        let want = [scalar(4i64)];
        agree(closures::__body(&a0, &a1)?, &want);
        agree(closures(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(-2i64);
        let a1 = scalar(10i64);
        let want = [scalar(6i64)];
        agree(closures::__body(&a0, &a1)?, &want);
        agree(closures(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(100i64);
        let a1 = scalar(9i64);
        let want = [scalar(46i64)];
        agree(closures::__body(&a0, &a1)?, &want);
        agree(closures(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0i64);
        let a1 = scalar(4i64);
        let want = [scalar(6i64)];
        agree(closures::__body(&a0, &a1)?, &want);
        agree(closures(&a0, &a1)?, &want);
    }
    Ok(())
}
