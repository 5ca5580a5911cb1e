//! What the number of traces costs: calls that hit, calls that a general trace serves, new traces.

use std::cell::Cell;

use anyhow::Result;
use extype::prelude::*;

use crate::inputs::tensor;
use crate::runner::Runner;

/// A function that is traced once a number.
fn by_number()
-> extype::Function<impl Fn(&Tensor, &i64) -> extype::Result<Tensor>, fn(&Tensor, &i64) -> Tensor> {
    function(|x: &Tensor, n: &i64| ops::add(x, *n))
}

/// The cache of a function with many traces.
///
/// # Errors
/// What a call fails with.
pub(crate) fn caches(runner: &Runner) -> Result<()> {
    let x = scalar(1i64);
    let (one, thousand) = (by_number(), by_number());
    let _ = one.call(&x, &0)?;
    if runner.wants("cache", "hit_1000") {
        for n in 0..1000 {
            let _ = thousand.call(&x, &n)?;
        }
    }
    let newest = || thousand.call(&x, &999);
    runner.compare(("cache", "hit_1000"), newest, ("hit_1", || one.call(&x, &0)))?;
    general(runner)?;
    for (name, count) in [("add_10", 10), ("add_1000", 1000), ("add_4000", 4000)] {
        let fresh = || {
            let f = by_number();
            // What a call fails with shows in the shot.
            (0..count).for_each(|n| drop(f.call(&x, &n)));
            f
        };
        let ten = |n: i64| count + n;
        runner.shots(("cache", name), fresh, |f| {
            (0..10).try_for_each(|n| f.call(&x, &ten(n)).map(|_| ()))
        })?;
    }
    Ok(())
}

/// Five thousand shapes in turn, which one trace serves; more than are remembered.
fn general(runner: &Runner) -> Result<()> {
    if !runner.wants("cache", "shapes_5000") {
        return Ok(());
    }
    let f = function(|x: &Tensor| ops::add(x, 1.0));
    f.concrete(&TensorSpec::of::<f32>(shape![?, ?, ?]))?;
    let sizes = |i: usize| [1 + i % 18, 1 + i / 18 % 17, 1 + i / 306];
    let shapes = (0..5000).map(|i| tensor(1, &sizes(i)));
    let shapes: Vec<Tensor> = shapes.collect::<extype::Result<_>>()?;
    let (next, same) = (Cell::new(0), tensor(1, &[9, 9, 9])?);
    let in_turn = || {
        next.set((next.get() + 1) % shapes.len());
        f.call(&shapes[next.get()])
    };
    runner.compare(("cache", "shapes_5000"), in_turn, ("one shape", || f.call(&same)))
}
