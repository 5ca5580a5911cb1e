//! Corners: what arms and bodies do besides assigning.

use extype::prelude::*;

use crate::support::*;

/// Runs a function on numbers, on values and traced.
macro_rules! agrees {
    ($f:ident: $(($($x:expr),*) => $want:expr),* $(,)?) => {
        #[test]
        fn $f() -> Result<()> {
            $(agree(super::$f::__body($(&scalar($x)),*)?, &[scalar($want)]);
            agree(super::$f($(&scalar($x)),*)?, &[scalar($want)]);)*
            Ok(())
        }
    };
}

pub(crate) use agrees;

#[tf_function]
fn both_return(x: &Tensor) -> Result<Tensor> {
    if x > 0 {
        return Ok(x + 1);
    } else {
        return Ok(x - 1);
    }
}

#[tf_function]
fn returns_in_nested_loops(n: &Tensor) -> Result<Tensor> {
    for i in 1..n {
        for j in 1..n {
            if &i * &j == n {
                return Ok(&i * 100 + &j);
            }
        }
    }
    Ok(scalar(-1i64))
}

#[tf_function]
fn return_in_an_unrolled_loop(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for k in 0..4i64 {
        y = y * 2 + k;
        if y > 50 {
            return Ok(y);
        }
    }
    Ok(-y)
}

#[tf_function]
fn continue_in_an_unrolled_loop(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for k in 0..4i64 {
        if &y % 2 == k % 2 {
            continue;
        }
        y += k + 10;
    }
    Ok(y)
}

#[tf_function]
fn matches_around_tensors(x: &Tensor, mode: i64) -> Result<Tensor> {
    let mut y = x.clone();
    let z = match mode {
        0 => {
            if x > 0 {
                return Ok(x * 1000);
            }
            scalar(7i64)
        }
        1 => {
            if x > 0 {
                y = y + 5;
            }
            scalar(8i64)
        }
        _ => scalar(9i64),
    };
    Ok(y * 10 + z)
}

#[tf_function]
fn closure_with_state(n: &Tensor) -> Result<Tensor> {
    let mut total = scalar(0i64);
    let mut add = |v: &Tensor| -> Result<()> {
        if v > 2 {
            total = &total + v;
        }
        Ok(())
    };
    add(n)?;
    add(&(n + 1))?;
    Ok(total)
}

#[tf_function]
fn loop_breaks_with_pairs(n: &Tensor) -> Result<Tensor> {
    let mut i = scalar(0i64);
    let (a, b) = loop {
        i += 1;
        if &i * &i > n {
            break (i.clone(), &i * 2);
        }
        if &i % 7 == 0 {
            break (scalar(0i64), scalar(0i64));
        }
    };
    Ok(a * 100 + b)
}

#[tf_function]
fn loop_that_only_returns(n: &Tensor) -> Result<Tensor> {
    let mut i = scalar(0i64);
    loop {
        i += 1;
        if &i * &i > n {
            return Ok(i);
        }
    }
}

#[tf_function]
fn loop_with_break_and_return(n: &Tensor) -> Result<Tensor> {
    let mut i = scalar(0i64);
    let found = loop {
        i += 1;
        if &i > n {
            return Ok(scalar(-1i64));
        }
        if &i * &i == n {
            break i;
        }
    };
    Ok(found * 10)
}

#[tf_function]
fn while_with_a_test_that_fails_after_a_break(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut i = scalar(0i64);
    let mut sum = scalar(0i64);
    while x.gather(&i, 0)? >= 0 {
        sum += x.gather(&i, 0)?;
        i += 1;
        if &i >= n {
            break;
        }
    }
    Ok(sum)
}

#[tf_function]
fn late_in_nested_arms(x: &Tensor) -> Result<Tensor> {
    let y;
    let z;
    if x > 0 {
        if x > 10 {
            y = x * 2;
        } else {
            y = x * 3;
        }
        z = scalar(1i64);
    } else {
        (y, z) = (x - 1, scalar(2i64));
    }
    Ok(y * 10 + z)
}

#[tf_function]
fn late_after_a_return(x: &Tensor) -> Result<Tensor> {
    let y;
    if x > 0 {
        y = x * 2;
    } else {
        return Ok(x * 100);
    }
    let z;
    {
        if y > 10 {
            return Ok(scalar(0i64));
        }
        z = &y + 1;
    }
    Ok(y * z)
}

#[tf_function]
fn inclusive_to_the_last(n: &Tensor) -> Result<Tensor> {
    let mut count = scalar(0i64);
    for i in n..=i64::MAX {
        count += i % 2 + 1;
    }
    Ok(count)
}

#[tf_function]
fn plain_and_tensor_state(x: &Tensor) -> Result<Tensor> {
    let mut log = vec![1i64];
    let mut y = x.clone();
    if x > 0 {
        y += 1;
    }
    log.push(2);
    for k in log.iter() {
        if y > 3 {
            y -= *k;
        }
    }
    Ok(y + log.len() as i64)
}

#[tf_function]
fn conditions_in_conditions(x: &Tensor) -> Result<Tensor> {
    let mut hits = scalar(0i64);
    if (if x > 5 { x < 8 } else { x == 0 }) && !(x == 7) || x == 100 {
        hits += 1;
    }
    while hits < 3 && (x > 0 || hits < 2) {
        hits += 1;
    }
    Ok(hits)
}

#[tf_function]
fn compare_values(x: &Tensor) -> Result<Tensor> {
    let positive = x > 0;
    let small = x < 10;
    let odd = x % 2 == 1;
    let all = positive && small && odd;
    let none = !positive && !small || !odd;
    Ok(all.cast(i64)? * 10 + none.cast(i64)?)
}

#[tf_function]
fn state_in_fields(x: &Tensor) -> Result<Tensor> {
    let mut pair = (x.clone(), x * 2);
    let mut list = vec![x.clone(), scalar(0i64)];
    let mut i = scalar(0i64);
    while i < 3 {
        pair.0 += &pair.1;
        list[1] += &i;
        if pair.0 > 10 {
            pair.1 = scalar(1i64);
            list[0] = list[0].clone() + 1;
        }
        i += 1;
    }
    Ok(pair.0 * 100 + pair.1 * 10 + &list[0] + &list[1])
}

mod tests {
    use super::*;

    agrees!(both_return: (3i64) => 4i64, (-3i64) => -4i64);
    agrees!(returns_in_nested_loops: (6i64) => 203i64, (7i64) => -1i64, (35i64) => 507i64);
    agrees!(return_in_an_unrolled_loop: (20i64) => 81i64, (1i64) => -27i64, (60i64) => 120i64);
    agrees!(continue_in_an_unrolled_loop: (0i64) => 23i64, (1i64) => 23i64);
    agrees!(closure_with_state: (2i64) => 3i64, (5i64) => 11i64, (0i64) => 0i64);
    agrees!(loop_breaks_with_pairs: (10i64) => 408i64, (1000i64) => 0i64);
    agrees!(loop_that_only_returns: (10i64) => 4i64);
    agrees!(loop_with_break_and_return: (9i64) => 30i64, (10i64) => -1i64);
    agrees!(late_in_nested_arms: (20i64) => 401i64, (5i64) => 151i64, (0i64) => -8i64);
    agrees!(late_after_a_return: (3i64) => 42i64, (0i64) => 0i64, (9i64) => 0i64, (-1i64) => -100i64);
    agrees!(inclusive_to_the_last: (i64::MAX - 2) => 5i64);
    agrees!(plain_and_tensor_state: (5i64) => 5i64, (-5i64) => -3i64);
    agrees!(conditions_in_conditions: (6i64) => 3i64, (7i64) => 3i64, (0i64) => 2i64, (-1i64) => 2i64);
    agrees!(continue_in_a_plain_loop: (1i64) => 2i64, (2i64) => 2i64);
    agrees!(compare_values: (3i64) => 10i64, (4i64) => 1i64, (13i64) => 0i64);
    agrees!(state_in_fields: (1i64) => 724i64, (10i64) => 3226i64);

    #[test]
    fn matches_with_tensors_in_their_arms() -> Result<()> {
        for (x, mode, want) in [(1, 0, 1000i64), (-1, 0, -3), (1, 1, 68), (-1, 1, -2), (2, 5, 29)] {
            agree(matches_around_tensors::__body(&scalar(x as i64), mode)?, &[scalar(want)]);
            agree(matches_around_tensors(&scalar(x as i64), mode)?, &[scalar(want)]);
        }
        Ok(())
    }

    #[test]
    fn a_test_is_not_computed_after_a_break() -> Result<()> {
        let x = tensor![1i64, 2, 3];
        for f in [
            while_with_a_test_that_fails_after_a_break::__body,
            while_with_a_test_that_fails_after_a_break,
        ] {
            agree(f(&x, &scalar(3i64))?, &[scalar(6i64)]);
            agree(f(&x, &scalar(2i64))?, &[scalar(3i64)]);
        }
        Ok(())
    }
}

fn bumped(v: &Variable) -> Result<Tensor> {
    v.assign_add(1)?;
    v.read()
}

#[tf_function]
fn continue_in_a_plain_loop(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut steps = [1i64, 2, 3].into_iter();
    loop {
        let Some(k) = steps.next() else { break };
        if &y % 2 == 0 {
            continue;
        }
        y += k;
    }
    Ok(y)
}

#[tf_function]
fn guarded_writes(v: &Variable, x: &Tensor) -> Result<Tensor> {
    if x > 0 {
        v.assign_add(x)?;
        if v.read()? > 10 {
            return Ok(scalar(-1i64));
        }
        v.assign_add(100)?;
    }
    let ok = x < 5 && bumped(v)? > 0;
    Ok(v.read()? * 10 + ok.cast(i64)?)
}

#[test]
fn effects_happen_where_rust_would_have_them() -> Result<()> {
    let v = Variable::new(0i64)?;
    assert_eq!(guarded_writes(&v, &scalar(2i64))?.item::<i64>()?, 1031);
    assert_eq!(v.read()?.item::<i64>()?, 103);
    assert_eq!(guarded_writes(&v, &scalar(2i64))?.item::<i64>()?, -1);
    assert_eq!(v.read()?.item::<i64>()?, 105);
    assert_eq!(guarded_writes(&v, &scalar(-2i64))?.item::<i64>()?, 1061);
    assert_eq!(guarded_writes::trace_count(), 1);
    Ok(())
}

#[tf_function]
fn cubes_positive(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    if x < 0.0 {
        return Ok(x * 3.0);
    }
    for _ in 0..2 {
        if y > 0.0 {
            y = y * x;
        }
    }
    Ok(y)
}

#[tf_function]
fn power(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for i in 0..n {
        y = y * x;
        if i > 100 {
            break;
        }
    }
    Ok(y)
}

#[test]
fn gradients_flow_through_loops() -> Result<()> {
    let (x, n) = (scalar(2.0), scalar(3i64));
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = power(&x, &n)?;
    let g = tape.gradient(&y, &x)?.into_structure()?;
    assert_eq!((y.item::<f64>()?, g.item::<f64>()?), (16.0, 32.0));
    Ok(())
}

#[test]
fn gradients_flow_through_conditions_and_returns() -> Result<()> {
    for (at, want) in [(2.0, 12.0), (-2.0, 3.0)] {
        let x = scalar(at);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = cubes_positive(&x)?;
        let g = tape.gradient(&y, &x)?.into_structure()?;
        assert_eq!(g.item::<f64>()?, want);
    }
    Ok(())
}

/// Writes through references, and what else writes a variable that is not named at the left side.
mod references {
    use extype::prelude::*;

    #[derive(ExtensionType, Clone)]
    struct Particle {
        p: Tensor,
        v: Tensor,
    }

    /// A number of which the macro knows nothing.
    fn opaque(n: i64) -> i64 {
        n
    }

    fn particles(x: &Tensor) -> Result<Vec<Particle>> {
        Ok(vec![Particle { p: x.clone(), v: x + 1 }, Particle { p: -x, v: x * 2 }])
    }

    #[tf_function]
    fn a_reference_not_named_later(x: &Tensor) -> Result<Tensor> {
        let mut y = x.clone();
        let r = &mut y;
        if x > 0 {
            *r = scalar(5i64);
        }
        Ok(y)
    }

    #[tf_function]
    fn an_element_in_if_let(x: &Tensor) -> Result<Tensor> {
        let mut v = [x.clone(), x * 2];
        if let Some(p) = v.get_mut(0) {
            if x > 0 {
                *p = scalar(5i64);
            }
        }
        Ok(v[0].clone())
    }

    #[tf_function]
    fn fields_of_items(x: &Tensor) -> Result<Tensor> {
        let mut ps = particles(x)?;
        for p in ps.iter_mut() {
            if p.p > 0 {
                p.v = scalar(100i64);
            }
        }
        for p in &mut ps {
            if &p.p > 0 {
                p.v = &p.v * 10;
                p.p += 1;
            }
        }
        Ok(&ps[0].v * 10000 + &ps[1].v + &ps[0].p)
    }

    #[tf_function]
    fn parts_of_a_list(x: &Tensor) -> Result<Tensor> {
        let mut v = [x.clone(), x * 2];
        let (a, b) = v.split_at_mut(1);
        if x > 0 {
            a[0] = b[0].clone();
        }
        Ok(&v[0] * 10 + &v[1])
    }

    #[tf_function]
    fn rows_of_a_matrix(x: &Tensor) -> Result<Tensor> {
        let mut rows = [vec![x.clone(), x + 1], vec![x + 2, x + 3]];
        for (i, row) in rows.iter_mut().enumerate() {
            if x > 0 {
                row[0] += i as i64;
                row[1] = row[0].clone();
            }
        }
        Ok(&rows[0][0] * 1000 + &rows[0][1] * 100 + &rows[1][0] * 10 + &rows[1][1])
    }

    #[tf_function]
    fn a_match_in_an_arm(x: &Tensor) -> Result<Tensor> {
        let mut list = [Some(x.clone()), None];
        for item in list.iter_mut() {
            if x > 0 {
                if let Some(v) = item {
                    *v = scalar(5i64);
                }
            }
        }
        Ok(list[0].clone().unwrap_or_else(|| scalar(0i64)))
    }

    #[tf_function]
    fn items_after_a_break(x: &Tensor) -> Result<Tensor> {
        let mut ps = particles(x)?;
        for p in ps.iter_mut() {
            if x > 2 {
                break;
            }
            p.v = scalar(7i64);
        }
        Ok(&ps[0].v * 100 + &ps[1].v)
    }

    #[tf_function]
    fn an_else_beside_a_pattern(x: &Tensor) -> Result<Tensor> {
        let mut y = x.clone();
        let none: Option<Tensor> = None;
        if x > 0 {
            if let Some(y) = &none {
                let _ = y;
            } else {
                y = scalar(5i64);
            }
        }
        Ok(y)
    }

    /// Of plain code nothing changes: a list of references is held in place.
    #[tf_function]
    fn plain_references(n: i64) -> Result<i64> {
        let (mut a, mut b) = ((n, 1i64), (2i64, 3i64));
        let both = [&mut a, &mut b];
        if opaque(n) > 0 {
            both[0].1 = 50;
            *both[1] = (n, n);
        }
        let pair = (&mut a, 0i64);
        if opaque(n) > 1 {
            pair.0.0 += 1;
            *pair.0 = (pair.0.0 + pair.1, 4);
        }
        let mut grid = [[n, 2], [3, 4]];
        for row in grid.iter_mut() {
            if opaque(n) > 2 {
                row[0] = 7;
            }
        }
        Ok(a.0 * 10000 + a.1 * 1000 + b.1 * 100 + grid[0][0] * 10 + grid[1][1])
    }

    mod tests {
        use super::*;
        use crate::support::*;

        agrees!(a_reference_not_named_later: (3i64) => 5i64, (-3i64) => -3i64);
        agrees!(an_element_in_if_let: (3i64) => 5i64, (-3i64) => -3i64);
        agrees!(fields_of_items: (3i64) => 10_000_010i64, (-3i64) => -19003i64);
        agrees!(parts_of_a_list: (3i64) => 66i64, (-3i64) => -36i64);
        agrees!(rows_of_a_matrix: (3i64) => 3366i64, (-3i64) => -3210i64);
        agrees!(a_match_in_an_arm: (3i64) => 5i64, (-3i64) => -3i64);
        agrees!(items_after_a_break: (1i64) => 707i64, (3i64) => 406i64);
        agrees!(an_else_beside_a_pattern: (3i64) => 5i64, (-3i64) => -3i64);
    }

    #[test]
    fn plain() -> Result<()> {
        assert_eq!(plain_references(5)?, 64574);
        Ok(())
    }
}
