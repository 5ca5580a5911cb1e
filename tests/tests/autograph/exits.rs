//! `return`, `break` and `continue` under conditions: whole programs, on values and traced, against the same algorithms on numbers.

use extype::prelude::*;

use crate::support::*;

#[tf_function]
pub fn safe_reciprocal(x: &Tensor) -> Result<Tensor> {
    if x == 0.0 {
        return Ok(scalar(0.0));
    }
    let y = 1.0 / x;
    if y > 100.0 {
        return Ok(scalar(100.0));
    } else if y < -100.0 {
        return Ok(scalar(-100.0));
    }
    Ok(y * 1.0)
}

#[test]
fn safe_reciprocal_agrees() -> Result<()> {
    {
        let a0 = scalar(0.0);
        let want = [scalar(0.0)];
        agree(safe_reciprocal::__body(&a0)?, &want);
        agree(safe_reciprocal(&a0)?, &want);
    }
    {
        let a0 = scalar(4.0);
        let want = [scalar(0.25)];
        agree(safe_reciprocal::__body(&a0)?, &want);
        agree(safe_reciprocal(&a0)?, &want);
    }
    {
        let a0 = scalar(0.001);
        let want = [scalar(100.0)];
        agree(safe_reciprocal::__body(&a0)?, &want);
        agree(safe_reciprocal(&a0)?, &want);
    }
    {
        let a0 = scalar(-0.0001);
        let want = [scalar(-100.0)];
        agree(safe_reciprocal::__body(&a0)?, &want);
        agree(safe_reciprocal(&a0)?, &want);
    }
    {
        let a0 = scalar(-8.0);
        let want = [scalar(-0.125)];
        agree(safe_reciprocal::__body(&a0)?, &want);
        agree(safe_reciprocal(&a0)?, &want);
    }
    Ok(())
}

/// The smallest factor above 1, or 0 for a prime.
#[tf_function]
pub fn smallest_factor(n: &Tensor) -> Result<Tensor> {
    let mut d = scalar(2i64);
    while &d * &d <= n {
        if n % &d == 0 {
            return Ok(d);
        }
        d += 1;
    }
    Ok(scalar(0i64))
}

#[test]
fn smallest_factor_agrees() -> Result<()> {
    {
        let a0 = scalar(2i64);
        let want = [scalar(0i64)];
        agree(smallest_factor::__body(&a0)?, &want);
        agree(smallest_factor(&a0)?, &want);
    }
    {
        let a0 = scalar(91i64);
        let want = [scalar(7i64)];
        agree(smallest_factor::__body(&a0)?, &want);
        agree(smallest_factor(&a0)?, &want);
    }
    {
        let a0 = scalar(97i64);
        let want = [scalar(0i64)];
        agree(smallest_factor::__body(&a0)?, &want);
        agree(smallest_factor(&a0)?, &want);
    }
    {
        let a0 = scalar(1000003i64);
        let want = [scalar(0i64)];
        agree(smallest_factor::__body(&a0)?, &want);
        agree(smallest_factor(&a0)?, &want);
    }
    {
        let a0 = scalar(49i64);
        let want = [scalar(7i64)];
        agree(smallest_factor::__body(&a0)?, &want);
        agree(smallest_factor(&a0)?, &want);
    }
    Ok(())
}

/// Sum of the decimal digits from the right, until it passes `limit`; and how many were taken.
#[tf_function]
pub fn digits_until(n: &Tensor, limit: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut rest = n.clone();
    let mut sum = scalar(0i64);
    let mut count = scalar(0i64);
    loop {
        if rest == 0 {
            break;
        }
        sum = sum + &rest % 10;
        count += 1;
        if sum > limit {
            break;
        }
        rest = rest / 10;
    }
    Ok((sum, count))
}

#[test]
fn digits_until_agrees() -> Result<()> {
    {
        let a0 = scalar(98765i64);
        let a1 = scalar(1000i64);
        let want = [scalar(35i64), scalar(5i64)];
        agree(digits_until::__body(&a0, &a1)?, &want);
        agree(digits_until(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(98765i64);
        let a1 = scalar(10i64);
        let want = [scalar(11i64), scalar(2i64)];
        agree(digits_until::__body(&a0, &a1)?, &want);
        agree(digits_until(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0i64);
        let a1 = scalar(3i64);
        let want = [scalar(0i64), scalar(0i64)];
        agree(digits_until::__body(&a0, &a1)?, &want);
        agree(digits_until(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1111i64);
        let a1 = scalar(0i64);
        let want = [scalar(1i64), scalar(1i64)];
        agree(digits_until::__body(&a0, &a1)?, &want);
        agree(digits_until(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn first_power_above(base: &Tensor, limit: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut p = scalar(1i64);
    let mut k = scalar(0i64);
    let found = loop {
        if p > limit {
            break p;
        }
        if k == 20 {
            break scalar(-1i64);
        }
        p = p * base;
        k += 1;
    };
    Ok((found, k))
}

#[test]
fn first_power_above_agrees() -> Result<()> {
    {
        let a0 = scalar(2i64);
        let a1 = scalar(1000i64);
        let want = [scalar(1024i64), scalar(10i64)];
        agree(first_power_above::__body(&a0, &a1)?, &want);
        agree(first_power_above(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(3i64);
        let a1 = scalar(0i64);
        let want = [scalar(1i64), scalar(0i64)];
        agree(first_power_above::__body(&a0, &a1)?, &want);
        agree(first_power_above(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(1i64);
        let a1 = scalar(5i64);
        let want = [scalar(-1i64), scalar(20i64)];
        agree(first_power_above::__body(&a0, &a1)?, &want);
        agree(first_power_above(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(10i64);
        let a1 = scalar(99999i64);
        let want = [scalar(100000i64), scalar(5i64)];
        agree(first_power_above::__body(&a0, &a1)?, &want);
        agree(first_power_above(&a0, &a1)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn sum_odd_positive(x: &Tensor) -> Result<Tensor> {
    let n = ops::size(x)?;
    let mut i = scalar(0i64);
    let mut sum = scalar(0i64);
    while i < n {
        let v = x.gather(&i, 0)?;
        i += 1;
        if v < 0 {
            continue;
        }
        if &v % 2 == 0 {
            sum = sum - 100;
            continue;
        }
        sum += v;
    }
    Ok(sum)
}

#[test]
fn sum_odd_positive_agrees() -> Result<()> {
    {
        let a0 = tensor![1i64, 2i64, 3i64, -5i64, 7i64];
        let want = [scalar(-89i64)];
        agree(sum_odd_positive::__body(&a0)?, &want);
        agree(sum_odd_positive(&a0)?, &want);
    }
    {
        let a0 = tensor![-1i64, -3i64];
        let want = [scalar(0i64)];
        agree(sum_odd_positive::__body(&a0)?, &want);
        agree(sum_odd_positive(&a0)?, &want);
    }
    {
        let a0 = tensor![4i64, 4i64, 9i64];
        let want = [scalar(-191i64)];
        agree(sum_odd_positive::__body(&a0)?, &want);
        agree(sum_odd_positive(&a0)?, &want);
    }
    let any = sum_odd_positive::concrete(&TensorSpec::of::<i64>(shape![?]))?;
    agree(any.call_flat(&[tensor![1i64, 2i64, 3i64, -5i64, 7i64]])?, &[scalar(-89i64)]);
    agree(any.call_flat(&[tensor![-1i64, -3i64]])?, &[scalar(0i64)]);
    agree(any.call_flat(&[tensor![4i64, 4i64, 9i64]])?, &[scalar(-191i64)]);
    Ok(())
}

#[tf_function]
pub fn pair_with_sum(x: &Tensor, target: &Tensor) -> Result<(Tensor, Tensor, Tensor)> {
    let n = ops::size(x)?;
    let mut a = scalar(-1i64);
    let mut b = scalar(-1i64);
    let mut looked = scalar(0i64);
    'outer: for i in 0..&n {
        let xi = x.gather(&i, 0)?;
        for j in &i + 1..&n {
            let xj = x.gather(&j, 0)?;
            if xj < 0 {
                continue 'outer;
            }
            looked += 1;
            if &xi + &xj == target {
                a = i.clone();
                b = j;
                break 'outer;
            }
        }
    }
    Ok((a, b, looked))
}

#[test]
fn pair_with_sum_agrees() -> Result<()> {
    {
        let a0 = tensor![1i64, 5i64, 9i64, 4i64, 7i64];
        let a1 = scalar(13i64);
        let want = [scalar(2i64), scalar(3i64), scalar(8i64)];
        agree(pair_with_sum::__body(&a0, &a1)?, &want);
        agree(pair_with_sum(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![1i64, 5i64, -1i64, 9i64, 4i64];
        let a1 = scalar(13i64);
        let want = [scalar(3i64), scalar(4i64), scalar(4i64)];
        agree(pair_with_sum::__body(&a0, &a1)?, &want);
        agree(pair_with_sum(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(2i64).reshape([1])?;
        let a1 = scalar(4i64);
        let want = [scalar(-1i64), scalar(-1i64), scalar(0i64)];
        agree(pair_with_sum::__body(&a0, &a1)?, &want);
        agree(pair_with_sum(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![3i64, 3i64, 3i64];
        let a1 = scalar(7i64);
        let want = [scalar(-1i64), scalar(-1i64), scalar(3i64)];
        agree(pair_with_sum::__body(&a0, &a1)?, &want);
        agree(pair_with_sum(&a0, &a1)?, &want);
    }
    let any =
        pair_with_sum::concrete(&TensorSpec::of::<i64>(shape![?]), &TensorSpec::of::<i64>([]))?;
    agree(
        any.call_flat(&[tensor![1i64, 5i64, 9i64, 4i64, 7i64], scalar(13i64)])?,
        &[scalar(2i64), scalar(3i64), scalar(8i64)],
    );
    agree(
        any.call_flat(&[tensor![1i64, 5i64, -1i64, 9i64, 4i64], scalar(13i64)])?,
        &[scalar(3i64), scalar(4i64), scalar(4i64)],
    );
    agree(
        any.call_flat(&[scalar(2i64).reshape([1])?, scalar(4i64)])?,
        &[scalar(-1i64), scalar(-1i64), scalar(0i64)],
    );
    agree(
        any.call_flat(&[tensor![3i64, 3i64, 3i64], scalar(7i64)])?,
        &[scalar(-1i64), scalar(-1i64), scalar(3i64)],
    );
    Ok(())
}

#[tf_function]
pub fn prefix_until_negative(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut product = scalar(1.0);
    let mut taken = scalar(0i64);
    for v in x {
        if v < 0.0 {
            break;
        }
        product = product * v;
        taken += 1;
        if product > 1000.0 {
            product = scalar(1000.0);
            break;
        }
    }
    Ok((product, taken))
}

#[test]
fn prefix_until_negative_agrees() -> Result<()> {
    {
        let a0 = tensor![2.0, 3.0, -1.0, 4.0];
        let want = [scalar(6.0), scalar(2i64)];
        agree(prefix_until_negative::__body(&a0)?, &want);
        agree(prefix_until_negative(&a0)?, &want);
    }
    {
        let a0 = scalar(-1.0).reshape([1])?;
        let want = [scalar(1.0), scalar(0i64)];
        agree(prefix_until_negative::__body(&a0)?, &want);
        agree(prefix_until_negative(&a0)?, &want);
    }
    {
        let a0 = tensor![20.0, 30.0, 40.0, 2.0];
        let want = [scalar(1000.0), scalar(3i64)];
        agree(prefix_until_negative::__body(&a0)?, &want);
        agree(prefix_until_negative(&a0)?, &want);
    }
    {
        let a0 = tensor![1.5, 2.0];
        let want = [scalar(3.0), scalar(2i64)];
        agree(prefix_until_negative::__body(&a0)?, &want);
        agree(prefix_until_negative(&a0)?, &want);
    }
    let any = prefix_until_negative::concrete(&TensorSpec::of::<f64>(shape![?]))?;
    agree(any.call_flat(&[tensor![2.0, 3.0, -1.0, 4.0]])?, &[scalar(6.0), scalar(2i64)]);
    agree(any.call_flat(&[scalar(-1.0).reshape([1])?])?, &[scalar(1.0), scalar(0i64)]);
    agree(any.call_flat(&[tensor![20.0, 30.0, 40.0, 2.0]])?, &[scalar(1000.0), scalar(3i64)]);
    agree(any.call_flat(&[tensor![1.5, 2.0]])?, &[scalar(3.0), scalar(2i64)]);
    Ok(())
}

#[tf_function]
pub fn unrolled_clip(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut y = x.clone();
    let mut hits = scalar(0i64);
    for (k, limit) in [8.0, 4.0, 2.0].into_iter().enumerate() {
        if y > limit {
            y = y - limit;
            hits += 1;
        }
        if k == 1 {
            y = y + 0.5;
        }
    }
    for k in 0..3i64 {
        if hits > k {
            y = y * 2.0;
        } else {
            break;
        }
    }
    Ok((y, hits))
}

#[test]
fn unrolled_clip_agrees() -> Result<()> {
    {
        let a0 = scalar(20.0);
        let want = [scalar(52.0), scalar(3i64)];
        agree(unrolled_clip::__body(&a0)?, &want);
        agree(unrolled_clip(&a0)?, &want);
    }
    {
        let a0 = scalar(1.0);
        let want = [scalar(1.5), scalar(0i64)];
        agree(unrolled_clip::__body(&a0)?, &want);
        agree(unrolled_clip(&a0)?, &want);
    }
    {
        let a0 = scalar(9.0);
        let want = [scalar(3.0), scalar(1i64)];
        agree(unrolled_clip::__body(&a0)?, &want);
        agree(unrolled_clip(&a0)?, &want);
    }
    {
        let a0 = scalar(5.0);
        let want = [scalar(3.0), scalar(1i64)];
        agree(unrolled_clip::__body(&a0)?, &want);
        agree(unrolled_clip(&a0)?, &want);
    }
    Ok(())
}

#[tf_function]
fn a_plain_return_after_a_tensor_continue(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut s = x.clone();
    for k in 0..n {
        if s > 4 {
            s -= 3;
            continue;
        }
        s += k;
        if std::hint::black_box(k) == 2 {
            return Ok(s * 10);
        }
    }
    Ok(s)
}

#[tf_function]
fn plain_returns_after_a_tensor_return(x: &Tensor, n: i64) -> Result<Tensor> {
    if x > 3 {
        return Ok(x * 2);
    }
    let y = x + 1;
    if std::hint::black_box(n) == 1 {
        if y > 0 {
            return Ok(y);
        }
    } else {
        return Ok(-y);
    }
    Ok(y * 7)
}

#[tf_function]
fn exits_of_a_let(x: &Tensor, first: Option<i64>) -> Result<Tensor> {
    let mut y = x.clone();
    for k in [first, Some(2), None] {
        let Some(k) = k else {
            if y > 5 {
                continue;
            } else {
                return Ok(y * 100);
            }
        };
        if y > 20 {
            break;
        }
        y += k;
    }
    Ok(y)
}

#[test]
fn what_an_exit_takes_with_it_is_seen_after_it() -> Result<()> {
    for (x, n, want) in [(0i64, 5, 30i64), (3, 5, 60), (9, 2, 3), (9, 5, 50)] {
        let x = scalar(x);
        agree(a_plain_return_after_a_tensor_continue::__body(&x, n)?, &[scalar(want)]);
        agree(a_plain_return_after_a_tensor_continue(&x, n)?, &[scalar(want)]);
    }
    for (x, n, want) in [(0i64, 1, 1i64), (-3, 1, -14), (-3, 5, 2), (9, 1, 18)] {
        let x = scalar(x);
        agree(plain_returns_after_a_tensor_return::__body(&x, n)?, &[scalar(want)]);
        agree(plain_returns_after_a_tensor_return(&x, n)?, &[scalar(want)]);
    }
    for (x, first, want) in
        [(0i64, None, 0i64), (4, None, 400), (9, None, 11), (0, Some(1), 300), (30, Some(1), 30)]
    {
        let x = scalar(x);
        agree(exits_of_a_let::__body(&x, first)?, &[scalar(want)]);
        agree(exits_of_a_let(&x, first)?, &[scalar(want)]);
    }
    Ok(())
}

#[tf_function]
fn a_loop_that_rust_ends(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut rounds = 0;
    while let Some(round) = Some(rounds) {
        if y > 20 {
            break;
        }
        y = y * 2 + round;
        rounds += 1;
        if std::hint::black_box(round) == 3 {
            break;
        }
    }
    Ok(y)
}

#[test]
fn a_plain_break_ends_a_loop_that_a_tensor_may_have_left() -> Result<()> {
    for (x, want) in [(0i64, 11i64), (7, 29), (50, 50)] {
        agree(a_loop_that_rust_ends::__body(&scalar(x))?, &[scalar(want)]);
        agree(a_loop_that_rust_ends(&scalar(x))?, &[scalar(want)]);
    }
    Ok(())
}

#[tf_function]
fn plain_loops_behind_an_exit(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut y = x.clone();
    'rounds: loop {
        if y > 20 {
            break;
        }
        'steps: for i in 0..3i64 {
            for k in 0..2 {
                if i + k > n {
                    break 'steps;
                }
                if k == n {
                    continue 'steps;
                }
            }
            y += i + 1;
        }
        y += 'found: {
            if n > 1 {
                break 'found 5;
            }
            2
        };
        if n > 2 {
            break 'rounds;
        }
    }
    Ok(y)
}

#[test]
fn plain_loops_behind_an_exit_are_left_as_in_rust() -> Result<()> {
    for (x, n, want) in [(0i64, 0, 22i64), (3, 1, 21), (0, 2, 24), (30, 2, 30), (0, 3, 11)] {
        agree(plain_loops_behind_an_exit::__body(&scalar(x), n)?, &[scalar(want)]);
        agree(plain_loops_behind_an_exit(&scalar(x), n)?, &[scalar(want)]);
    }
    Ok(())
}
