//! One function that eight threads call in all ways at once, and every result is right.

use std::sync::atomic::{AtomicUsize, Ordering};

use extype::prelude::*;
use extype::spec::Opaque;
use extype::tensor::device;

const THREADS: usize = 8;
/// The calls of each thread. A thread traces anew in about one call of ten, which is slow in a dev build.
const CALLS: usize = if cfg!(debug_assertions) { 500 } else { 100_000 };

/// Parts of all specs: a tensor of some shape and dtype, plain data, an object and a module that may die.
#[tf_function(max_traces = 8)]
fn weighed(x: &Tensor, by: i64, object: &Opaque<i64>, scale: &Scale) -> Result<Tensor> {
    ops::add(ops::mul(x, by + **object)?, scale.w.read()?.cast(x.dtype())?)
}

#[derive(Module)]
struct Scale {
    w: Variable,
}

fn scale(w: i64) -> Result<Scale> {
    Ok(Scale { w: Variable::new(w)? })
}

/// What lives as long as a thread.
struct Lasting {
    object: Opaque<i64>,
    scale: Scale,
}

/// The `n`th call of a thread. Most calls are for few specs, so that they hit.
fn call(thread: usize, n: usize, lasting: &Lasting) -> Result<()> {
    let (by, len) = ((n % 3) as i64, 1 + n / 64 % 2);
    let new_object = (n % 16 == 3).then(|| Opaque::new(n as i64));
    let new_scale = if n % 32 == 7 { Some(scale(n as i64)?) } else { None };
    let (object, s) = (new_object.as_ref().unwrap_or(&lasting.object), new_scale.as_ref());
    let s = s.unwrap_or(&lasting.scale);
    let w = s.w.read()?.item::<i64>()?;
    let _scope = if n % 8 == 5 { Some(device("cpu:0")?) } else { None };
    let first = (thread + n) as i64;
    let x: Vec<i64> = (0..len as i64).map(|i| first + i).collect();
    let want = |x: &i64| x * (by + **object) + w;
    let wanted: Vec<i64> = x.iter().map(want).collect();
    if n.is_multiple_of(2) {
        let y = weighed(&Tensor::from_vec(x), by, object, s)?;
        assert_eq!(y.as_slice::<i64>()?, wanted);
    } else {
        let y = weighed(&Tensor::from_vec(x).cast(f64)?, by, object, s)?;
        assert_eq!(y.cast(i64)?.as_slice::<i64>()?, wanted);
    }
    match n % 256 {
        100 => weighed::clear(),
        200 => {
            if let Some(one) = weighed::signatures().first() {
                weighed::remove(one);
            }
        }
        n if n % 50 == 9 => {
            let stats = weighed::stats();
            assert!(stats.calls >= stats.hits && weighed::trace_count() <= 8, "{stats}");
        }
        _ => (),
    }
    Ok(())
}

#[test]
fn eight_threads_call_evict_remove_and_let_die() {
    let done = AtomicUsize::new(0);
    std::thread::scope(|s| {
        for thread in 0..THREADS {
            let done = &done;
            s.spawn(move || {
                let object = Opaque::new(thread as i64 % 2);
                let lasting = Lasting { object, scale: scale(thread as i64).expect("a variable") };
                for n in 0..CALLS {
                    call(thread, n, &lasting).unwrap_or_else(|e| panic!("call {n}: {e}"));
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(done.into_inner(), THREADS * CALLS);
    let stats = weighed::stats();
    assert_eq!(stats.calls, (THREADS * CALLS) as u64);
    assert!(stats.hits > 0 && stats.evicted > 0, "{stats}");
}
