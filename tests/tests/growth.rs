//! What functions keep: calls, traces and functions that come and go leave no memory behind.
//!
//! The counts are those of the whole process, so this binary has one test. A dev build runs a part of the
//! repetitions; `EXTYPE_GROWTH=full` runs all of them, best in a release build.

use std::alloc::System;

use extype::prelude::*;
use extype::spec::Opaque;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What may differ by chance, such as the capacity of a map. Eight bytes that stay of each repetition are more.
const NOISE: isize = 8 << 10;

/// The bytes that are allocated.
fn live() -> isize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated as isize - stats.bytes_deallocated as isize
}

fn allocations() -> usize {
    ALLOCATOR.stats().allocations
}

/// A number of repetitions, a part of it in a short run.
fn times(all: usize) -> usize {
    let full = std::env::var("EXTYPE_GROWTH").is_ok_and(|v| v == "full");
    if full { all } else { all / 50 }
}

/// How many bytes more are allocated after the repetitions. What the first 500 of them allocate may stay, such as the
/// records of a function. `settle` drops what is there for a while only.
fn growth(
    count: usize,
    mut f: impl FnMut(usize) -> Result<()>,
    settle: impl Fn(),
) -> Result<isize> {
    (0..500).try_for_each(&mut f)?;
    settle();
    let before = live();
    (500..500 + count).try_for_each(f)?;
    settle();
    Ok(live() - before)
}

#[derive(Module)]
struct Scale {
    w: Variable,
}

#[tf_function]
fn scaled(x: &Tensor, scale: &Scale) -> Result<Tensor> {
    ops::mul(x, scale.w.read()?)
}

fn item(t: Tensor) -> f32 {
    t.item().expect("one element")
}

/// Calls that find their trace allocate nothing at all: small results lie in the tensor or in recycled blocks.
fn calls() -> Result<isize> {
    let f = function(|x: &Tensor, y: &Tensor| ops::mul(x, y)?.tanh());
    let (x, y) = (scalar(0.5f32), scalar(2.0f32));
    let want = item(f.call(&x, &y)?);
    let before = allocations();
    let grown = growth(
        times(10_000_000),
        |_| {
            assert_eq!(item(f.call(&x, &y)?), want);
            Ok(())
        },
        || (),
    )?;
    // What the first calls allocate is far less than one allocation for each call.
    let made = allocations() - before;
    assert!(made < 500, "{made} allocations");
    Ok(grown)
}

fn closures_that_are_dropped() -> Result<isize> {
    let x = scalar(2.0f32);
    let call = |i| {
        let by = i as f32;
        let f = function(move |x: &Tensor| ops::mul(x, by)).named("scaled");
        assert_eq!(item(f.call(&x)?), 2.0 * by);
        Ok(())
    };
    growth(times(100_000), call, || ())
}

fn evictions() -> Result<isize> {
    let f = function(|x: &Tensor, by: &i64| ops::mul(x, *by as f32)).max_traces(8);
    let (x, count) = (scalar(2.0f32), times(100_000));
    let call = |i| {
        assert_eq!(item(f.call(&x, &(i as i64))?), 2.0 * i as f32);
        Ok(())
    };
    let grown = growth(count, call, || ())?;
    assert_eq!((f.trace_count(), f.stats().evicted), (8, count as u64 + 492));
    Ok(grown)
}

fn objects_that_die() -> Result<isize> {
    let f = function(|x: &Tensor, object: &Opaque<f32>| ops::mul(x, **object));
    let x = scalar(2.0f32);
    let call = |i| {
        assert_eq!(item(f.call(&x, &Opaque::new(i as f32))?), 2.0 * i as f32);
        assert!(f.trace_count() <= 64, "dead traces stay");
        Ok(())
    };
    growth(times(100_000), call, || f.state().clear())
}

fn instances_that_die() -> Result<isize> {
    let x = scalar(2.0f32);
    let call = |i| {
        let scale = Scale { w: Variable::new(i as f32)? };
        assert_eq!(item(scaled(&x, &scale)?), 2.0 * i as f32);
        assert!(scaled::trace_count() <= 64, "dead traces stay");
        Ok(())
    };
    growth(times(100_000), call, scaled::clear)
}

#[test]
fn nothing_grows() -> Result<()> {
    extype::function::set_retracing_hook(Some(std::sync::Arc::new(|_| ())));
    let parts: [(&str, fn() -> Result<isize>); 5] = [
        ("calls", calls),
        ("closures", closures_that_are_dropped),
        ("evictions", evictions),
        ("objects", objects_that_die),
        ("instances", instances_that_die),
    ];
    for (name, part) in parts {
        let grown = part()?;
        println!("{name}: {grown} bytes more");
        assert!(grown < NOISE, "{name}: {grown} bytes more");
    }
    Ok(())
}
