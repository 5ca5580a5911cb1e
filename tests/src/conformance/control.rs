//! The named programs with conditionals and loops.

use extype::control::switch_case;
use extype::control::{WhileLoop, fold};
use extype::ops;
use extype::prelude::*;
use extype_ragged::RaggedTensor;

use super::api::{Row, one, row};

type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;

/// The rows.
pub const ROWS: &[Row] = &[
    row("program.while_factorial", |_, x| while_factorial(&x[0])),
    row("program.while_newton_sqrt", |_, x| while_newton_sqrt(&x[0])),
    row("program.while_collatz", |_, x| one(while_collatz(&x[0]))),
    row("program.while_matvec_power", |_, x| one(while_matvec_power(&x[0], &x[1], &x[2]))),
    row("program.while_growing_shape", |_, x| one(while_growing_shape(&x[0]))),
    row("program.while_maximum_iterations", |_, x| one(while_maximum_iterations(&x[0], &x[1]))),
    row("program.while_zero_iterations", |_, x| one(while_zero_iterations(&x[0]))),
    row("program.while_power", |_, x| one(while_power(&x[0], &x[1], &x[2]))),
    row("program.nested_while_sum", |_, x| one(nested_while_sum(&x[0]))),
    row("program.autograph_style_evens", |_, x| evens(&x[0])),
    row("program.lstm_like", |_, x| one(lstm_like(x))),
    row("program.cond_scalar", |_, x| one(cond_scalar(&x[0], &x[1]))),
    row("program.cond_nested", |_, x| one(cond_nested(&x[0], &x[1], &x[2]))),
    row("program.cond_multiple_outputs", |_, x| cond_multiple_outputs(&x[0], &x[1])),
    row("program.cond_cubed", |_, x| one(cond_cubed(&x[0]))),
    row("program.switch_case", |_, x| one(switch(&x[0], &x[1]))),
    row("program.case_first_true", |_, x| one(case_first_true(&x[0], &x[1]))),
    row("program.scan_cumulative", |_, x| {
        one(scan(&x[0], scalar(1.0f32), |acc, x| ops::add(&ops::mul(&acc, 0.5)?, &x)))
    }),
    row("program.scan_no_initializer", |_, x| one(scan_no_initializer(&x[0]))),
    row("program.scan_two_reverse", |_, x| scan_two_reverse(&x[0], &x[1])),
    row("program.map_row_softmax", |_, x| one(map_fn(&x[0], |row: Tensor| ops::softmax(&row)))),
    row("program.map_two_outputs", |_, x| map_two_outputs(&x[0], &x[1])),
    row("program.vectorized_map_outer", |_, x| one(vectorized_map(&x[0], |v: Tensor| outer(&v)))),
    row("program.map_ragged_rows", |_, x| map_ragged_rows(&ragged(&x[..2])?)),
    row("program.map_to_ragged_range", |_, x| Ok(flat(map_to_ragged_range(&x[0])?))),
    row("program.cond_ragged", |_, x| {
        let (a, b) = (ragged(&x[..2])?, ragged(&x[2..4])?);
        Ok(flat(cond(&x[4].greater(0.0)?, || Ok(a), || Ok(b))?))
    }),
    row("program.while_ragged", |_, x| Ok(flat(while_ragged(ragged(&x[..2])?, &x[2])?))),
    row("program.foldl_horner", |_, x| horner(&x[0])),
    row("program.tensor_array_gather", |_, x| {
        let at = |i: i32| x[0].gather(&scalar(i), 0);
        one(ops::mul(&ops::stack(&[at(2)?, ops::add(&at(0)?, &at(2)?)?, at(0)?], 0)?, 3.0))
    }),
    row("program.tensor_array_fibonacci", |_, x| one(fibonacci(&x[0]))),
];

fn while_factorial(n: &Tensor) -> Result<Vec<Tensor>> {
    let (i, p) = while_loop(
        (scalar(1i32), scalar(1i32)),
        |(i, _)| i.less_equal(n),
        |(i, p)| Ok((ops::add(&i, 1)?, ops::mul(&p, &i)?)),
    )?;
    Ok(vec![p, i])
}

fn while_newton_sqrt(a: &Tensor) -> Result<Vec<Tensor>> {
    let far = |(x, k): &(Tensor, Tensor)| {
        let far = ops::sub(&x.square()?, a)?.abs()?.greater(1e-4)?;
        far.logical_and(k.less(50)?)
    };
    let step = |(x, k): (Tensor, Tensor)| {
        Ok((ops::mul(&ops::add(&x, &ops::div(a, &x)?)?, 0.5)?, ops::add(&k, 1)?))
    };
    let (x, k) = while_loop((a.clone(), scalar(0i32)), far, step)?;
    Ok(vec![x, k])
}

fn while_collatz(n: &Tensor) -> Result<Tensor> {
    let step = |(n, steps): (Tensor, Tensor)| {
        let even = ops::floor_mod(&n, 2)?.equal(0)?;
        let next = cond(&even, || ops::floor_div(&n, 2), || ops::add(&ops::mul(&n, 3)?, 1))?;
        Ok((next, ops::add(&steps, 1)?))
    };
    Ok(while_loop((n.clone(), scalar(0i32)), |(n, _)| n.not_equal(1), step)?.1)
}

fn while_matvec_power(m: &Tensor, v: &Tensor, n: &Tensor) -> Result<Tensor> {
    let step = |(k, v): (Tensor, Tensor)| {
        let v = m.matmul(&ops::expand_dims(&v, 1)?)?.reduce_sum(1, false)?.tanh()?;
        Ok((ops::add(&k, 1)?, v))
    };
    let spec = (TensorSpec::of::<i32>([]), TensorSpec::new(shape![?], v.dtype()));
    let vars = (scalar(0i32), v.clone());
    Ok(WhileLoop::new(vars).invariants(spec).run(|(k, _)| k.less(n), step)?.1)
}

fn while_growing_shape(x: &Tensor) -> Result<Tensor> {
    let step = |(i, acc): (Tensor, Tensor)| {
        let more = ops::mul(x, &i.cast(x.dtype())?)?;
        Ok((ops::add(&i, 1)?, ops::concat(&[acc, more], 0)?))
    };
    let spec = (TensorSpec::of::<i32>([]), TensorSpec::new(shape![?], x.dtype()));
    let vars = (scalar(0i32), x.clone());
    Ok(WhileLoop::new(vars).invariants(spec).run(|(i, _)| i.less(3), step)?.1)
}

fn while_maximum_iterations(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    WhileLoop::new(x.clone()).maximum_iterations(n).run(|_| Ok(scalar(true)), |x| ops::mul(&x, 1.5))
}

fn while_zero_iterations(x: &Tensor) -> Result<Tensor> {
    while_loop(x.clone(), |_| Ok(scalar(false)), |x| ops::add(&x, 1.0))
}

fn while_power(x: &Tensor, a: &Tensor, n: &Tensor) -> Result<Tensor> {
    let spec = (n.type_spec(), TensorSpec::new(Shape::of_rank(a.rank().unwrap_or(0)), a.dtype()));
    let step = |(k, y): (Tensor, Tensor)| Ok((ops::sub(&k, 1)?, ops::mul(&y, x)?));
    let vars = (n.clone(), a.clone());
    Ok(WhileLoop::new(vars).invariants(spec).run(|(k, _)| k.greater(0), step)?.1)
}

fn nested_while_sum(m: &Tensor) -> Result<Tensor> {
    let rows = |(i, s): (Tensor, Tensor)| {
        let row = m.gather(&i, 0)?;
        let next = ops::add(&i, 1)?;
        let weight = next.cast(m.dtype())?;
        let columns = |(j, s): (Tensor, Tensor)| {
            let entry = row.gather(&j, 0)?;
            Ok((ops::add(&j, 1)?, ops::add(&s, &ops::mul(&entry, &weight)?)?))
        };
        let (_, s) = while_loop((scalar(0i32), s), |(j, _)| j.less_equal(&i), columns)?;
        Ok((next, s))
    };
    Ok(while_loop((scalar(0i32), scalar(0.0f32)), |(i, _)| i.less(3), rows)?.1)
}

fn evens(x: &Tensor) -> Result<Vec<Tensor>> {
    let n = ops::shape_of(x)?.gather(0, 0)?.cast(DType::I32)?;
    let vars = (scalar(0i32), scalar(0i32), scalar(false));
    let goes_on = |(_, seen, stop): &(Tensor, Tensor, Tensor)| {
        seen.less(&n)?.logical_and(ops::logical_not(stop)?)
    };
    let step = |(sum, seen, _): (Tensor, Tensor, Tensor)| {
        let entry = x.gather(&seen, 0)?;
        let stop = entry.greater(25)?;
        let counts = ops::floor_mod(&entry, 2)?.equal(0)?.logical_and(ops::logical_not(&stop)?)?;
        let sum = cond(&counts, || ops::add(&sum, &entry), || Ok(sum.clone()))?;
        Ok((sum, ops::add(&seen, 1)?, stop))
    };
    let (sum, seen, _) = while_loop(vars, goes_on, step)?;
    Ok(vec![sum, seen])
}

fn lstm_like(x: &[Tensor]) -> Result<Tensor> {
    let [x, wx, wh, b] = x else {
        return Err(Error::invalid("four inputs are wanted"));
    };
    let zeros = Tensor::from_slice(&[0.0f32; 4], &[2, 2])?;
    let step = |(t, h, c): (Tensor, Tensor, Tensor)| {
        let xt = x.gather(&t, 1)?;
        let z = ops::add(&ops::add(&xt.matmul(wx)?, &h.matmul(wh)?)?, b)?;
        let part = |k: i32| z.gather(&tensor![2 * k, 2 * k + 1], 1);
        let c = ops::add(
            &ops::mul(&part(1)?.sigmoid()?, &c)?,
            &ops::mul(&part(0)?.sigmoid()?, &part(2)?.tanh()?)?,
        )?;
        let h = ops::mul(&part(3)?.sigmoid()?, &c.tanh()?)?;
        Ok((ops::add(&t, 1)?, h, c))
    };
    let any = || TensorSpec::new(shape![?, ?], DType::F32);
    let spec = (TensorSpec::of::<i32>([]), any(), any());
    let vars = (scalar(0i32), zeros.clone(), zeros);
    let (_, h, _) = WhileLoop::new(vars).invariants(spec).run(|(t, _, _)| t.less(5), step)?;
    Ok(h)
}

fn cond_scalar(p: &Tensor, x: &Tensor) -> Result<Tensor> {
    cond(&p.greater(0.0)?, || ops::add(&ops::mul(x, p)?, 1.0), || ops::sub(&x.sin()?, p))
}

fn cond_nested(p: &Tensor, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let positive = || cond(&p.greater(1.0)?, || ops::mul(x, y), || ops::add(x, y));
    let other = || cond(&p.less(-1.0)?, || ops::sub(x, y), || ops::mul(y, p));
    cond(&p.greater(0.0)?, positive, other)
}

fn cond_multiple_outputs(p: &Tensor, x: &Tensor) -> Result<Vec<Tensor>> {
    let yes = || Ok((x.clone(), x.reduce_sum(.., false)?, scalar(true)));
    let no = || Ok((ops::neg(x)?, p.clone(), scalar(false)));
    let (a, b, c) = cond(&p.greater(0.0)?, yes, no)?;
    Ok(vec![a, b, c])
}

fn cond_cubed(x: &Tensor) -> Result<Tensor> {
    let positive = x.reduce_sum(.., false)?.greater(0.0)?;
    cond(&positive, || ops::mul(&x.square()?, x), || x.exp())
}

fn switch(k: &Tensor, x: &Tensor) -> Result<Tensor> {
    let branches: Vec<Branch> = vec![
        Box::new(|| ops::add(x, 1.0)),
        Box::new(|| ops::mul(x, 2.0)),
        Box::new(|| ops::sub(x, 3.0)),
    ];
    switch_case(k, branches, None)
}

fn case_first_true(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let pairs: Vec<(Tensor, Branch)> = vec![
        (a.greater(1.0)?, Box::new(|| ops::add(a, b))),
        (b.greater(1.0)?, Box::new(|| ops::mul(a, b))),
    ];
    case(pairs, Some(Box::new(|| ops::sub(a, b)) as Branch), false)
}

fn scan_no_initializer(x: &Tensor) -> Result<Tensor> {
    let first = x.gather(0, 0)?;
    scan(x, first.ones_like()?, |acc, row| ops::mul(&acc, &row))
}

fn scan_two_reverse(x: &Tensor, y: &Tensor) -> Result<Vec<Tensor>> {
    let rows = (ops::reverse(x, [0])?, ops::reverse(y, [0])?);
    let (a, b) = scan(&rows, (scalar(0.0f32), scalar(1.0f32)), |(a, b), (x, y)| {
        Ok((ops::add(&a, &ops::mul(&x, &y)?)?, ops::add(&ops::mul(&b, 0.9)?, &x)?))
    })?;
    Ok(vec![ops::reverse(&a, [0])?, ops::reverse(&b, [0])?])
}

fn map_two_outputs(x: &Tensor, k: &Tensor) -> Result<Vec<Tensor>> {
    let (a, b) = map_fn(&(x.clone(), k.clone()), |(x, k): (Tensor, Tensor)| {
        Ok((x.pow(&k.cast(DType::F32)?)?, ops::mul(&k, 2)?))
    })?;
    Ok(vec![a, b])
}

/// A ragged tensor from the tensors of an input.
pub(super) fn ragged(parts: &[Tensor]) -> Result<RaggedTensor> {
    let (values, splits) = parts.split_first().ok_or_else(|| Error::invalid("no values"))?;
    RaggedTensor::from_nested_row_splits(values, splits.to_vec())
}

fn flat(x: RaggedTensor) -> Vec<Tensor> {
    nest::flatten(&x)
}

fn map_ragged_rows(x: &RaggedTensor) -> Result<Vec<Tensor>> {
    let (sums, doubled) = map_fn(x, |row: RaggedTensor| {
        Ok((row.flat_values.reduce_sum(.., false)?, ops::mul(&row, 2.0)?))
    })?;
    Ok(std::iter::once(sums).chain(flat(doubled)).collect())
}

fn map_to_ragged_range(n: &Tensor) -> Result<RaggedTensor> {
    map_fn(&ops::range(0i32, n, 1i32)?, |n: Tensor| {
        RaggedTensor::from_dense(ops::range(0i32, &n, 1i32)?)
    })
}

fn while_ragged(x: RaggedTensor, n: &Tensor) -> Result<RaggedTensor> {
    let step =
        |(i, x): (Tensor, RaggedTensor)| Ok((ops::add(&i, 1)?, ops::add(ops::mul(&x, 1.1)?, 0.5)?));
    Ok(while_loop((scalar(0i32), x), |(i, _)| i.less(n), step)?.1)
}

fn outer(v: &Tensor) -> Result<Tensor> {
    ops::mul(&ops::expand_dims(v, 1)?, &ops::expand_dims(v, 0)?)
}

fn fibonacci(n: &Tensor) -> Result<Tensor> {
    let places = ops::range(0i32, n, 1i32)?;
    let start = (scalar(0i64), scalar(1i64));
    let step = |(a, b): (Tensor, Tensor), _: Tensor| Ok((b.clone(), ops::add(&a, &b)?));
    Ok(scan(&places, start, step)?.0)
}

fn horner(c: &Tensor) -> Result<Vec<Tensor>> {
    let step = |acc: Tensor, c: Tensor| ops::add(&ops::mul(&acc, 0.5)?, &c);
    let zero = scalar(0.0f32);
    Ok(vec![fold(c, zero.clone(), step)?, fold(&ops::reverse(c, [0])?, zero, step)?])
}
