//! Loops: whole programs, on values and traced, against the same algorithms on numbers.

use extype::prelude::*;

use crate::support::*;

#[tf_function]
pub fn running_max(x: &Tensor) -> Result<Tensor> {
    let n = ops::size(x)?;
    let mut best = x.gather(0, 0)?;
    let mut out = x.zeros_like()?;
    for i in 0..n {
        let v = x.gather(&i, 0)?;
        if v > best {
            best = v;
        }
        let at = i.reshape([1, 1])?;
        out = out.tensor_scatter_nd_update(&at, &best.reshape([1])?)?;
    }
    Ok(out)
}

#[test]
fn running_max_agrees() -> Result<()> {
    {
        let a0 = tensor![3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64];
        let want = [tensor![3i64, 3i64, 4i64, 4i64, 5i64, 9i64, 9i64, 9i64]];
        agree(running_max::__body(&a0)?, &want);
        agree(running_max(&a0)?, &want);
    }
    {
        let a0 = scalar(5i64).reshape([1])?;
        let want = [scalar(5i64).reshape([1])?];
        agree(running_max::__body(&a0)?, &want);
        agree(running_max(&a0)?, &want);
    }
    {
        let a0 = tensor![-3i64, -7i64, -2i64, -2i64, -9i64];
        let want = [tensor![-3i64, -3i64, -2i64, -2i64, -2i64]];
        agree(running_max::__body(&a0)?, &want);
        agree(running_max(&a0)?, &want);
    }
    let any = running_max::concrete(&TensorSpec::of::<i64>(shape![?]))?;
    agree(
        any.call_flat(&[tensor![3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64]])?,
        &[tensor![3i64, 3i64, 4i64, 4i64, 5i64, 9i64, 9i64, 9i64]],
    );
    agree(any.call_flat(&[scalar(5i64).reshape([1])?])?, &[scalar(5i64).reshape([1])?]);
    agree(
        any.call_flat(&[tensor![-3i64, -7i64, -2i64, -2i64, -9i64]])?,
        &[tensor![-3i64, -3i64, -2i64, -2i64, -2i64]],
    );
    Ok(())
}

#[tf_function]
pub fn collatz(n: &Tensor) -> Result<Tensor> {
    let mut x = n.clone();
    let mut steps = scalar(0i64);
    while x > 1 {
        if &x % 2 == 0 {
            x = x / 2;
        } else {
            x = 3 * x + 1;
        }
        steps = steps + 1;
    }
    Ok(steps)
}

#[test]
fn collatz_agrees() -> Result<()> {
    {
        let a0 = scalar(1i64);
        let want = [scalar(0i64)];
        agree(collatz::__body(&a0)?, &want);
        agree(collatz(&a0)?, &want);
    }
    {
        let a0 = scalar(7i64);
        let want = [scalar(16i64)];
        agree(collatz::__body(&a0)?, &want);
        agree(collatz(&a0)?, &want);
    }
    {
        let a0 = scalar(27i64);
        let want = [scalar(111i64)];
        agree(collatz::__body(&a0)?, &want);
        agree(collatz(&a0)?, &want);
    }
    {
        let a0 = scalar(97i64);
        let want = [scalar(118i64)];
        agree(collatz::__body(&a0)?, &want);
        agree(collatz(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn find_from(x: &Tensor, start: &Tensor, key: &Tensor) -> Result<Tensor> {
    let n = ops::size(x)?;
    let mut i = start.clone();
    while i < n && !(x.gather(&i, 0)? == key) {
        i += 1;
    }
    let missing = i >= n;
    if !missing { Ok(i) } else { Ok(scalar(-1i64)) }
}

#[test]
fn find_from_agrees() -> Result<()> {
    {
        let a0 = tensor![4i64, 8i64, 15i64, 16i64, 23i64, 42i64];
        let a1 = scalar(0i64);
        let a2 = scalar(23i64);
        let want = [scalar(4i64)];
        agree(find_from::__body(&a0, &a1, &a2)?, &want);
        agree(find_from(&a0, &a1, &a2)?, &want);
    }
    {
        let a0 = tensor![4i64, 8i64, 15i64, 16i64, 23i64, 42i64];
        let a1 = scalar(3i64);
        let a2 = scalar(8i64);
        let want = [scalar(-1i64)];
        agree(find_from::__body(&a0, &a1, &a2)?, &want);
        agree(find_from(&a0, &a1, &a2)?, &want);
    }
    {
        let a0 = tensor![4i64, 8i64, 15i64, 16i64, 23i64, 42i64];
        let a1 = scalar(6i64);
        let a2 = scalar(4i64);
        let want = [scalar(-1i64)];
        agree(find_from::__body(&a0, &a1, &a2)?, &want);
        agree(find_from(&a0, &a1, &a2)?, &want);
    }
    {
        let a0 = scalar(7i64).reshape([1])?;
        let a1 = scalar(0i64);
        let a2 = scalar(7i64);
        let want = [scalar(0i64)];
        agree(find_from::__body(&a0, &a1, &a2)?, &want);
        agree(find_from(&a0, &a1, &a2)?, &want);
    }
    let any = find_from::concrete(
        &TensorSpec::of::<i64>(shape![?]),
        &TensorSpec::of::<i64>([]),
        &TensorSpec::of::<i64>([]),
    )?;
    agree(
        any.call_flat(&[
            tensor![4i64, 8i64, 15i64, 16i64, 23i64, 42i64],
            scalar(0i64),
            scalar(23i64),
        ])?,
        &[scalar(4i64)],
    );
    agree(
        any.call_flat(&[
            tensor![4i64, 8i64, 15i64, 16i64, 23i64, 42i64],
            scalar(3i64),
            scalar(8i64),
        ])?,
        &[scalar(-1i64)],
    );
    agree(
        any.call_flat(&[
            tensor![4i64, 8i64, 15i64, 16i64, 23i64, 42i64],
            scalar(6i64),
            scalar(4i64),
        ])?,
        &[scalar(-1i64)],
    );
    agree(
        any.call_flat(&[scalar(7i64).reshape([1])?, scalar(0i64), scalar(7i64)])?,
        &[scalar(0i64)],
    );
    Ok(())
}

#[tf_function]
pub fn triangular(start: &Tensor, n: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut open = scalar(0i64);
    for i in start..n {
        open += i;
    }
    let mut closed = scalar(1i64);
    for i in 1..=n {
        closed = closed * 2 + i;
    }
    Ok((open, closed))
}

#[test]
fn triangular_agrees() -> Result<()> {
    {
        let a0 = scalar(0i64);
        let a1 = scalar(5i64);
        let want = [scalar(10i64), scalar(89i64)];
        agree(triangular::__body(&a0, &a1)?, &want);
        agree(triangular(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(3i64);
        let a1 = scalar(3i64);
        let want = [scalar(0i64), scalar(19i64)];
        agree(triangular::__body(&a0, &a1)?, &want);
        agree(triangular(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(7i64);
        let a1 = scalar(2i64);
        let want = [scalar(0i64), scalar(8i64)];
        agree(triangular::__body(&a0, &a1)?, &want);
        agree(triangular(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(-4i64);
        let a1 = scalar(3i64);
        let want = [scalar(-7i64), scalar(19i64)];
        agree(triangular::__body(&a0, &a1)?, &want);
        agree(triangular(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn weighted_rows(m: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut weight = scalar(1.0);
    let mut total = scalar(0.0);
    let mut negative_rows = scalar(0i64);
    for row in m {
        let s = row.reduce_sum(0, false)?;
        if s < 0.0 {
            negative_rows += 1;
        }
        total = total + &weight * s;
        weight = weight / 2.0;
    }
    Ok((total, negative_rows))
}

#[test]
fn weighted_rows_agrees() -> Result<()> {
    {
        let a0 = tensor![[1.0, 2.0], [3.0, 4.0], [-8.0, 0.5]];
        let want = [scalar(4.625), scalar(1i64)];
        agree(weighted_rows::__body(&a0)?, &want);
        agree(weighted_rows(&a0)?, &want);
    }
    {
        let a0 = tensor![[0.0, 0.0, 0.0]];
        let want = [scalar(0.0), scalar(0i64)];
        agree(weighted_rows::__body(&a0)?, &want);
        agree(weighted_rows(&a0)?, &want);
    }
    {
        let a0 = tensor![[-1.0], [-2.0], [4.0], [-8.0]];
        let want = [scalar(-2.0), scalar(3i64)];
        agree(weighted_rows::__body(&a0)?, &want);
        agree(weighted_rows(&a0)?, &want);
    }
    let any = weighted_rows::concrete(&TensorSpec::of::<f64>(shape![?, ?]))?;
    agree(
        any.call_flat(&[tensor![[1.0, 2.0], [3.0, 4.0], [-8.0, 0.5]]])?,
        &[scalar(4.625), scalar(1i64)],
    );
    agree(any.call_flat(&[tensor![[0.0, 0.0, 0.0]]])?, &[scalar(0.0), scalar(0i64)]);
    agree(any.call_flat(&[tensor![[-1.0], [-2.0], [4.0], [-8.0]]])?, &[scalar(-2.0), scalar(3i64)]);
    Ok(())
}

/// Points with non-negative coordinates, x*x + y*y <= r*r, and how many lie on the circle.
#[tf_function]
pub fn count_lattice(r: &Tensor) -> Result<(Tensor, Tensor)> {
    let rr = r * r;
    let mut inside = scalar(0i64);
    let mut on = scalar(0i64);
    for x in 0..=r {
        let mut y = scalar(0i64);
        while &x * &x + &y * &y <= rr {
            if &x * &x + &y * &y == rr {
                on += 1;
            }
            inside += 1;
            y += 1;
        }
    }
    Ok((inside, on))
}

#[test]
fn count_lattice_agrees() -> Result<()> {
    {
        let a0 = scalar(0i64);
        let want = [scalar(1i64), scalar(1i64)];
        agree(count_lattice::__body(&a0)?, &want);
        agree(count_lattice(&a0)?, &want);
    }
    {
        let a0 = scalar(1i64);
        let want = [scalar(3i64), scalar(2i64)];
        agree(count_lattice::__body(&a0)?, &want);
        agree(count_lattice(&a0)?, &want);
    }
    {
        let a0 = scalar(5i64);
        let want = [scalar(26i64), scalar(4i64)];
        agree(count_lattice::__body(&a0)?, &want);
        agree(count_lattice(&a0)?, &want);
    }
    {
        let a0 = scalar(10i64);
        let want = [scalar(90i64), scalar(4i64)];
        agree(count_lattice::__body(&a0)?, &want);
        agree(count_lattice(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn fib_pair(n: &Tensor) -> Result<(Tensor, Tensor)> {
    let (mut a, mut b) = (scalar(0i64), scalar(1i64));
    for _ in 0..n {
        (a, b) = (b.clone(), a + b);
    }
    let (small, _) = if a > b { (b.clone(), scalar(1i64)) } else { (a.clone(), scalar(0i64)) };
    Ok((small, b))
}

#[test]
fn fib_pair_agrees() -> Result<()> {
    {
        let a0 = scalar(0i64);
        let want = [scalar(0i64), scalar(1i64)];
        agree(fib_pair::__body(&a0)?, &want);
        agree(fib_pair(&a0)?, &want);
    }
    {
        let a0 = scalar(1i64);
        let want = [scalar(1i64), scalar(1i64)];
        agree(fib_pair::__body(&a0)?, &want);
        agree(fib_pair(&a0)?, &want);
    }
    {
        let a0 = scalar(10i64);
        let want = [scalar(55i64), scalar(89i64)];
        agree(fib_pair::__body(&a0)?, &want);
        agree(fib_pair(&a0)?, &want);
    }
    {
        let a0 = scalar(50i64);
        let want = [scalar(12586269025i64), scalar(20365011074i64)];
        agree(fib_pair::__body(&a0)?, &want);
        agree(fib_pair(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn mixed_state(x: &Tensor) -> Result<(Tensor, Tensor, Tensor, Tensor)> {
    let mut i = scalar(0i64);
    let mut mean = scalar(0.0);
    let mut rising = scalar(true);
    let mut last = tensor![0.0, 0.0];
    let n = ops::size(x)?;
    while i < n {
        let v = x.gather(&i, 0)?;
        if i > 0 {
            rising = rising && v > last.gather(0, 0)?;
        }
        i += 1;
        mean = &mean + (&v - &mean) / i.cast(f64)?;
        last = ops::stack(&[&v, &mean], 0)?;
    }
    Ok((i, mean, rising, last))
}

#[test]
fn mixed_state_agrees() -> Result<()> {
    {
        let a0 = tensor![1.0, 2.0, 4.0];
        let want = [
            scalar(3i64),
            scalar(2.3333333333333335),
            scalar(true),
            tensor![4.0, 2.3333333333333335],
        ];
        agree(mixed_state::__body(&a0)?, &want);
        agree(mixed_state(&a0)?, &want);
    }
    {
        let a0 = tensor![3.0, 2.0, 4.0, 8.0];
        let want = [scalar(4i64), scalar(4.25), scalar(false), tensor![8.0, 4.25]];
        agree(mixed_state::__body(&a0)?, &want);
        agree(mixed_state(&a0)?, &want);
    }
    {
        let a0 = scalar(-1.5).reshape([1])?;
        let want = [scalar(1i64), scalar(-1.5), scalar(true), tensor![-1.5, -1.5]];
        agree(mixed_state::__body(&a0)?, &want);
        agree(mixed_state(&a0)?, &want);
    }
    let any = mixed_state::concrete(&TensorSpec::of::<f64>(shape![?]))?;
    agree(
        any.call_flat(&[tensor![1.0, 2.0, 4.0]])?,
        &[scalar(3i64), scalar(2.3333333333333335), scalar(true), tensor![4.0, 2.3333333333333335]],
    );
    agree(
        any.call_flat(&[tensor![3.0, 2.0, 4.0, 8.0]])?,
        &[scalar(4i64), scalar(4.25), scalar(false), tensor![8.0, 4.25]],
    );
    agree(
        any.call_flat(&[scalar(-1.5).reshape([1])?])?,
        &[scalar(1i64), scalar(-1.5), scalar(true), tensor![-1.5, -1.5]],
    );
    Ok(())
}

#[tf_function]
pub fn compound_assign(n: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut a = scalar(1i64);
    let mut b = scalar(1.0);
    for i in 1..=n {
        a *= &i;
        a += 3;
        if a > 1000 {
            a %= 997;
        } else {
            a -= &i;
        }
        b /= 2.0;
        b += i.cast(f64)?;
    }
    Ok((a, b))
}

#[test]
fn compound_assign_agrees() -> Result<()> {
    {
        let a0 = scalar(0i64);
        let want = [scalar(1i64), scalar(1.0)];
        agree(compound_assign::__body(&a0)?, &want);
        agree(compound_assign(&a0)?, &want);
    }
    {
        let a0 = scalar(3i64);
        let want = [scalar(21i64), scalar(4.375)];
        agree(compound_assign::__body(&a0)?, &want);
        agree(compound_assign(&a0)?, &want);
    }
    {
        let a0 = scalar(9i64);
        let want = [scalar(432i64), scalar(16.005859375)];
        agree(compound_assign::__body(&a0)?, &want);
        agree(compound_assign(&a0)?, &want);
    }
    Ok(())
}
