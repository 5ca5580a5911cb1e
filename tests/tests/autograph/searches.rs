//! Algorithms that search and count: whole programs, on values and traced, against the same algorithms on numbers.

use extype::prelude::*;

use crate::support::*;

#[tf_function]
pub fn gcd(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b != 0 {
        let rest = &a % &b;
        a = b;
        b = rest;
    }
    Ok(a)
}

#[test]
fn gcd_agrees() -> Result<()> {
    {
        let a0 = scalar(48i64);
        let a1 = scalar(36i64);
        let want = [scalar(12i64)];
        agree(gcd::__body(&a0, &a1)?, &want);
        agree(gcd(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(17i64);
        let a1 = scalar(5i64);
        let want = [scalar(1i64)];
        agree(gcd::__body(&a0, &a1)?, &want);
        agree(gcd(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0i64);
        let a1 = scalar(9i64);
        let want = [scalar(9i64)];
        agree(gcd::__body(&a0, &a1)?, &want);
        agree(gcd(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1071i64);
        let a1 = scalar(462i64);
        let want = [scalar(21i64)];
        agree(gcd::__body(&a0, &a1)?, &want);
        agree(gcd(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(10i64);
        let a1 = scalar(0i64);
        let want = [scalar(10i64)];
        agree(gcd::__body(&a0, &a1)?, &want);
        agree(gcd(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn binary_search(x: &Tensor, key: &Tensor) -> Result<Tensor> {
    let mut lo = scalar(0i64);
    let mut hi = ops::size(x)?;
    let mut at = scalar(-1i64);
    while lo < hi {
        let mid = (&lo + &hi) / 2;
        let v = x.gather(&mid, 0)?;
        if v == key {
            at = mid;
            break;
        } else if v < key {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    Ok(at)
}

#[test]
fn binary_search_agrees() -> Result<()> {
    {
        let a0 = tensor![1.0, 3.5, 7.0, 9.25, 12.0];
        let a1 = scalar(9.25);
        let want = [scalar(3i64)];
        agree(binary_search::__body(&a0, &a1)?, &want);
        agree(binary_search(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![1.0, 3.5, 7.0, 9.25, 12.0];
        let a1 = scalar(1.0);
        let want = [scalar(0i64)];
        agree(binary_search::__body(&a0, &a1)?, &want);
        agree(binary_search(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![1.0, 3.5, 7.0, 9.25, 12.0];
        let a1 = scalar(8.0);
        let want = [scalar(-1i64)];
        agree(binary_search::__body(&a0, &a1)?, &want);
        agree(binary_search(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(2.0).reshape([1])?;
        let a1 = scalar(3.0);
        let want = [scalar(-1i64)];
        agree(binary_search::__body(&a0, &a1)?, &want);
        agree(binary_search(&a0, &a1)?, &want);
    }
    let any =
        binary_search::concrete(&TensorSpec::of::<f64>(shape![?]), &TensorSpec::of::<f64>([]))?;
    agree(any.call_flat(&[tensor![1.0, 3.5, 7.0, 9.25, 12.0], scalar(9.25)])?, &[scalar(3i64)]);
    agree(any.call_flat(&[tensor![1.0, 3.5, 7.0, 9.25, 12.0], scalar(1.0)])?, &[scalar(0i64)]);
    agree(any.call_flat(&[tensor![1.0, 3.5, 7.0, 9.25, 12.0], scalar(8.0)])?, &[scalar(-1i64)]);
    agree(any.call_flat(&[scalar(2.0).reshape([1])?, scalar(3.0)])?, &[scalar(-1i64)]);
    Ok(())
}

#[tf_function]
pub fn bubble_sort(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let n = ops::size(x)?;
    let mut x = x.clone();
    let mut swaps = scalar(0i64);
    let mut changed = scalar(true);
    while changed {
        changed = scalar(false);
        for i in 1..&n {
            let h = &i - 1;
            let (a, b) = (x.gather(&h, 0)?, x.gather(&i, 0)?);
            if a > b {
                let at = ops::stack(&[&h, &i], 0)?.expand_dims(1)?;
                x = x.tensor_scatter_nd_update(&at, &ops::stack(&[&b, &a], 0)?)?;
                changed = scalar(true);
                swaps += 1;
            }
        }
    }
    Ok((x, swaps))
}

#[test]
fn bubble_sort_agrees() -> Result<()> {
    {
        let a0 = tensor![5i64, 1i64, 4i64, 2i64, 8i64];
        let want = [tensor![1i64, 2i64, 4i64, 5i64, 8i64], scalar(4i64)];
        agree(bubble_sort::__body(&a0)?, &want);
        agree(bubble_sort(&a0)?, &want);
    }
    {
        let a0 = tensor![1i64, 2i64, 3i64];
        let want = [tensor![1i64, 2i64, 3i64], scalar(0i64)];
        agree(bubble_sort::__body(&a0)?, &want);
        agree(bubble_sort(&a0)?, &want);
    }
    {
        let a0 = tensor![9i64, 8i64, 7i64, 6i64];
        let want = [tensor![6i64, 7i64, 8i64, 9i64], scalar(6i64)];
        agree(bubble_sort::__body(&a0)?, &want);
        agree(bubble_sort(&a0)?, &want);
    }
    {
        let a0 = scalar(3i64).reshape([1])?;
        let want = [scalar(3i64).reshape([1])?, scalar(0i64)];
        agree(bubble_sort::__body(&a0)?, &want);
        agree(bubble_sort(&a0)?, &want);
    }
    let any = bubble_sort::concrete(&TensorSpec::of::<i64>(shape![?]))?;
    agree(
        any.call_flat(&[tensor![5i64, 1i64, 4i64, 2i64, 8i64]])?,
        &[tensor![1i64, 2i64, 4i64, 5i64, 8i64], scalar(4i64)],
    );
    agree(any.call_flat(&[tensor![1i64, 2i64, 3i64]])?, &[tensor![1i64, 2i64, 3i64], scalar(0i64)]);
    agree(
        any.call_flat(&[tensor![9i64, 8i64, 7i64, 6i64]])?,
        &[tensor![6i64, 7i64, 8i64, 9i64], scalar(6i64)],
    );
    agree(
        any.call_flat(&[scalar(3i64).reshape([1])?])?,
        &[scalar(3i64).reshape([1])?, scalar(0i64)],
    );
    Ok(())
}

#[tf_function]
pub fn newton_sqrt(a: &Tensor, max_steps: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut steps = scalar(0i64);
    if a == 0.0 {
        return Ok((scalar(0.0), steps));
    }
    let mut x = if a > 1.0 { a.clone() } else { scalar(1.0) };
    loop {
        let next = (&x + a / &x) * 0.5;
        steps += 1;
        let moved = (&next - &x).abs()?;
        x = next;
        if moved < 1e-6 || steps >= max_steps {
            break;
        }
    }
    Ok((x, steps))
}

#[test]
fn newton_sqrt_agrees() -> Result<()> {
    {
        let a0 = scalar(2.0);
        let a1 = scalar(50i64);
        let want = [scalar(1.414213562373095), scalar(5i64)];
        agree(newton_sqrt::__body(&a0, &a1)?, &want);
        agree(newton_sqrt(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0.0);
        let a1 = scalar(50i64);
        let want = [scalar(0.0), scalar(0i64)];
        agree(newton_sqrt::__body(&a0, &a1)?, &want);
        agree(newton_sqrt(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0.25);
        let a1 = scalar(50i64);
        let want = [scalar(0.5000000000000006), scalar(5i64)];
        agree(newton_sqrt::__body(&a0, &a1)?, &want);
        agree(newton_sqrt(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1000000.0);
        let a1 = scalar(3i64);
        let want = [scalar(125002.62498950005), scalar(3i64)];
        agree(newton_sqrt::__body(&a0, &a1)?, &want);
        agree(newton_sqrt(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn power_by_squaring(base: &Tensor, exponent: &Tensor) -> Result<Tensor> {
    let mut e = exponent.clone();
    let mut b = base.clone();
    if e < 0 {
        e = -e;
        b = 1.0 / b;
    }
    let mut r = scalar(1.0);
    while e > 0 {
        if &e % 2 == 1 {
            r = r * &b;
        }
        b = &b * &b;
        e = e / 2;
    }
    Ok(r)
}

#[test]
fn power_by_squaring_agrees() -> Result<()> {
    {
        let a0 = scalar(2.0);
        let a1 = scalar(10i64);
        let want = [scalar(1024.0)];
        agree(power_by_squaring::__body(&a0, &a1)?, &want);
        agree(power_by_squaring(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(2.0);
        let a1 = scalar(-3i64);
        let want = [scalar(0.125)];
        agree(power_by_squaring::__body(&a0, &a1)?, &want);
        agree(power_by_squaring(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1.5);
        let a1 = scalar(7i64);
        let want = [scalar(17.0859375)];
        agree(power_by_squaring::__body(&a0, &a1)?, &want);
        agree(power_by_squaring(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(5.0);
        let a1 = scalar(0i64);
        let want = [scalar(1.0)];
        agree(power_by_squaring::__body(&a0, &a1)?, &want);
        agree(power_by_squaring(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn bisect(lo: &Tensor, hi: &Tensor) -> Result<Tensor> {
    let f = |x: &Tensor| x * x * x - x - 2.0;
    assert!(f(lo) < 0.0 && f(hi) > 0.0, "the root must lie between lo and hi");
    let (mut lo, mut hi) = (lo.clone(), hi.clone());
    for _ in 0..30 {
        let mid = (&lo + &hi) / 2.0;
        if f(&mid) > 0.0 {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    Ok((lo + hi) / 2.0)
}

#[test]
fn bisect_agrees() -> Result<()> {
    {
        let a0 = scalar(1.0);
        let a1 = scalar(2.0);
        let want = [scalar(1.521379706915468)];
        agree(bisect::__body(&a0, &a1)?, &want);
        agree(bisect(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0.0);
        let a1 = scalar(8.0);
        let want = [scalar(1.5213797055184841)];
        agree(bisect::__body(&a0, &a1)?, &want);
        agree(bisect(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(-1.0);
        let a1 = scalar(100.0);
        let want = [scalar(1.5213796715252101)];
        agree(bisect::__body(&a0, &a1)?, &want);
        agree(bisect(&a0, &a1)?, &want);
    }
    Ok(())
}

/// Inputs: 0 push, 1 coin, 2 kick. States: 0 locked, 1 open, 2 broken.
#[tf_function]
pub fn turnstile(inputs: &Tensor) -> Result<(Tensor, Tensor, Tensor)> {
    let mut state = scalar(0i64);
    let mut passed = scalar(0i64);
    let mut seen = scalar(0i64);
    for c in inputs {
        seen += 1;
        if state == 0 {
            if c == 1 {
                state = scalar(1i64);
            } else if c == 2 {
                state = scalar(2i64);
            }
        } else if state == 1 {
            if c == 0 {
                passed += 1;
                state = scalar(0i64);
            } else if c == 2 {
                state = scalar(2i64);
            }
        }
        if state == 2 {
            break;
        }
    }
    Ok((state, passed, seen))
}

#[test]
fn turnstile_agrees() -> Result<()> {
    {
        let a0 = tensor![0i64, 1i64, 0i64, 0i64, 1i64];
        let want = [scalar(1i64), scalar(1i64), scalar(5i64)];
        agree(turnstile::__body(&a0)?, &want);
        agree(turnstile(&a0)?, &want);
    }
    {
        let a0 = tensor![1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 0i64];
        let want = [scalar(0i64), scalar(3i64), scalar(7i64)];
        agree(turnstile::__body(&a0)?, &want);
        agree(turnstile(&a0)?, &want);
    }
    {
        let a0 = tensor![1i64, 2i64, 1i64, 0i64];
        let want = [scalar(2i64), scalar(0i64), scalar(2i64)];
        agree(turnstile::__body(&a0)?, &want);
        agree(turnstile(&a0)?, &want);
    }
    {
        let a0 = scalar(0i64).reshape([1])?;
        let want = [scalar(0i64), scalar(0i64), scalar(1i64)];
        agree(turnstile::__body(&a0)?, &want);
        agree(turnstile(&a0)?, &want);
    }
    let any = turnstile::concrete(&TensorSpec::of::<i64>(shape![?]))?;
    agree(
        any.call_flat(&[tensor![0i64, 1i64, 0i64, 0i64, 1i64]])?,
        &[scalar(1i64), scalar(1i64), scalar(5i64)],
    );
    agree(
        any.call_flat(&[tensor![1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 0i64]])?,
        &[scalar(0i64), scalar(3i64), scalar(7i64)],
    );
    agree(
        any.call_flat(&[tensor![1i64, 2i64, 1i64, 0i64]])?,
        &[scalar(2i64), scalar(0i64), scalar(2i64)],
    );
    agree(
        any.call_flat(&[scalar(0i64).reshape([1])?])?,
        &[scalar(0i64), scalar(0i64), scalar(1i64)],
    );
    Ok(())
}

#[tf_function]
pub fn run_lengths(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut counts = x.zeros_like()?;
    let mut run = scalar(-1i64);
    let mut last = scalar(0i64);
    for v in x {
        if run < 0 || v != last {
            run += 1;
            last = v;
        }
        counts =
            counts.tensor_scatter_nd_add(&run.reshape([1, 1])?, &scalar(1i64).reshape([1])?)?;
    }
    Ok((counts, run + 1))
}

#[test]
fn run_lengths_agrees() -> Result<()> {
    {
        let a0 = tensor![1i64, 1i64, 2i64, 2i64, 2i64, 1i64];
        let want = [tensor![2i64, 3i64, 1i64, 0i64, 0i64, 0i64], scalar(3i64)];
        agree(run_lengths::__body(&a0)?, &want);
        agree(run_lengths(&a0)?, &want);
    }
    {
        let a0 = tensor![0i64, 0i64, 0i64];
        let want = [tensor![3i64, 0i64, 0i64], scalar(1i64)];
        agree(run_lengths::__body(&a0)?, &want);
        agree(run_lengths(&a0)?, &want);
    }
    {
        let a0 = scalar(7i64).reshape([1])?;
        let want = [scalar(1i64).reshape([1])?, scalar(1i64)];
        agree(run_lengths::__body(&a0)?, &want);
        agree(run_lengths(&a0)?, &want);
    }
    {
        let a0 = tensor![3i64, 1i64, 3i64, 1i64];
        let want = [tensor![1i64, 1i64, 1i64, 1i64], scalar(4i64)];
        agree(run_lengths::__body(&a0)?, &want);
        agree(run_lengths(&a0)?, &want);
    }
    let any = run_lengths::concrete(&TensorSpec::of::<i64>(shape![?]))?;
    agree(
        any.call_flat(&[tensor![1i64, 1i64, 2i64, 2i64, 2i64, 1i64]])?,
        &[tensor![2i64, 3i64, 1i64, 0i64, 0i64, 0i64], scalar(3i64)],
    );
    agree(any.call_flat(&[tensor![0i64, 0i64, 0i64]])?, &[tensor![3i64, 0i64, 0i64], scalar(1i64)]);
    agree(
        any.call_flat(&[scalar(7i64).reshape([1])?])?,
        &[scalar(1i64).reshape([1])?, scalar(1i64)],
    );
    agree(
        any.call_flat(&[tensor![3i64, 1i64, 3i64, 1i64]])?,
        &[tensor![1i64, 1i64, 1i64, 1i64], scalar(4i64)],
    );
    Ok(())
}
