//! Threads that want the same trace or the same state at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, OnceLock, mpsc};
use std::time::Duration;

use extype::prelude::*;

/// Runs `f` on four threads at once; fails if they do not end.
fn four(f: impl Fn(usize) + Send + Sync + 'static) {
    let (done, all) = mpsc::channel();
    let f = std::sync::Arc::new((Barrier::new(4), f));
    for i in 0..4 {
        let (f, done) = (f.clone(), done.clone());
        std::thread::spawn(move || {
            f.0.wait();
            f.1(i);
            done.send(())
        });
    }
    for _ in 0..4 {
        all.recv_timeout(Duration::from_secs(60)).expect("the threads end");
    }
}

static RUNS: AtomicUsize = AtomicUsize::new(0);
static MADE: AtomicUsize = AtomicUsize::new(0);
static CELL: OnceLock<Late<Variable>> = OnceLock::new();

#[tf_function]
fn slow(x: &Tensor) -> Result<Tensor> {
    RUNS.fetch_add(1, Ordering::Relaxed);
    std::thread::sleep(Duration::from_millis(50));
    let v = CELL.get_or_init(Late::new).get_or_create(|| Variable::new(1.0f32))?;
    ops::add(x, v.read()?)
}

#[test]
fn four_threads_trace_once() {
    four(|i| {
        let y = slow(&scalar(i as f32)).unwrap();
        assert_eq!(y.item::<f32>().unwrap(), i as f32 + 1.0);
    });
    assert_eq!((RUNS.load(Ordering::Relaxed), slow::trace_count()), (1, 1));
}

#[test]
fn four_threads_create_state_once() {
    static STATE: OnceLock<Late<Variable>> = OnceLock::new();
    let cell = STATE.get_or_init(Late::new);
    four(|_| {
        let make = || {
            MADE.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(50));
            Variable::new(3.0f32)
        };
        STATE.get().unwrap().get_or_create(make).unwrap();
    });
    assert_eq!(MADE.load(Ordering::Relaxed), 1);
    assert!(cell.get().is_some());
}

#[test]
fn who_waits_for_a_body_that_fails_tries_by_itself() {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    static FAILED: AtomicUsize = AtomicUsize::new(0);
    let f = std::sync::Arc::new(function(|x: &Tensor| {
        std::thread::sleep(Duration::from_millis(20));
        match TRIES.fetch_add(1, Ordering::Relaxed) {
            0 => Err(Error::invalid("the first try fails")),
            _ => ops::neg(x),
        }
    }));
    let count = f.clone();
    four(move |_| {
        if f.call(&scalar(1.0f32)).is_err() {
            FAILED.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert_eq!((TRIES.load(Ordering::Relaxed), FAILED.load(Ordering::Relaxed)), (2, 1));
    assert_eq!(count.trace_count(), 1);
}

#[tf_function]
fn ping(x: &Tensor) -> Result<Tensor> {
    std::thread::sleep(Duration::from_millis(20));
    pong(x)
}

#[tf_function]
fn pong(x: &Tensor) -> Result<Tensor> {
    std::thread::sleep(Duration::from_millis(20));
    ping(x)
}

#[test]
fn functions_that_call_each_other_from_several_threads_end_in_the_error() {
    four(|i| {
        let x = scalar(1.0f32);
        let e = if i % 2 == 0 { ping(&x) } else { pong(&x) };
        let text = e.unwrap_err().to_string();
        assert!(text.contains("calls itself with arguments of the same types"), "{text}");
    });
    assert_eq!((ping::trace_count(), pong::trace_count()), (0, 0));
}

#[tf_function]
fn left(n: i64, x: &Tensor) -> Result<Tensor> {
    std::thread::sleep(Duration::from_millis(10));
    if n == 0 { ops::add(x, 1.0) } else { right(n - 1, x) }
}

#[tf_function]
fn right(n: i64, x: &Tensor) -> Result<Tensor> {
    std::thread::sleep(Duration::from_millis(10));
    if n == 0 { ops::add(x, 2.0) } else { left(n - 1, x) }
}

#[test]
fn recursion_that_ends_does_so_from_several_threads() {
    four(|i| {
        let x = scalar(1.0f32);
        let (y, want) = match i % 2 {
            0 => (left(6, &x), 2.0),
            _ => (right(6, &x), 3.0),
        };
        assert_eq!(y.unwrap().item::<f32>().unwrap(), want);
    });
}

#[test]
fn tasks_of_a_pool_trace_once_and_do_not_stop_it() {
    let runs = std::sync::Arc::new(AtomicUsize::new(0));
    let count = runs.clone();
    let f = std::sync::Arc::new(function(move |x: &Tensor, n: &i64| {
        count.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(5));
        ops::add(x, *n)
    }));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
    let (done, all) = mpsc::channel();
    let g = f.clone();
    pool.spawn(move || {
        rayon::scope(|s| {
            for i in 0..60i64 {
                let g = &g;
                s.spawn(move |_| {
                    let y = g.call(&scalar(1i64), &(i % 4)).expect("adds");
                    assert_eq!(y.item::<i64>().expect("one"), 1 + i % 4);
                });
            }
        });
        done.send(()).expect("waits");
    });
    all.recv_timeout(Duration::from_secs(60)).expect("the tasks end");
    assert_eq!(f.trace_count(), 4);
    // A worker that waits takes over tasks; one that wants what it is tracing itself may trace
    // beside.
    assert!(runs.load(Ordering::Relaxed) < 60);
}

#[test]
fn a_worker_that_waits_takes_over_few_tasks_at_a_time() {
    let f = function(|x: &Tensor| {
        std::thread::sleep(Duration::from_millis(100));
        ops::neg(x)
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).stack_size(1 << 20).build();
    pool.expect("threads").scope(|s| {
        for _ in 0..5000 {
            let f = &f;
            s.spawn(move |_| drop(f.call(&scalar(1.0f32)).expect("negates")));
        }
    });
    assert_eq!(f.trace_count(), 1);
}

#[test]
fn an_initializer_that_asks_for_its_own_cell_is_an_error() {
    static CELL: OnceLock<Late<Variable>> = OnceLock::new();
    fn make() -> Result<Variable> {
        CELL.get_or_init(Late::new).get_or_create(make).cloned()
    }
    let text = make().unwrap_err().to_string();
    assert!(text.contains("asks for the cell that it creates"), "{text}");
}

#[tf_function]
fn outside_itself(x: &Tensor) -> Result<Tensor> {
    let _ = extype::init_scope(|| outside_itself(&scalar(1.0f32)))?;
    ops::neg(x)
}

#[test]
fn a_function_that_calls_itself_outside_of_its_trace_is_an_error() {
    let text = outside_itself(&scalar(1.0f32)).unwrap_err().to_string();
    assert!(text.contains("calls itself with arguments of the same types"), "{text}");
}

#[test]
fn cached_calls_go_on_while_another_thread_traces() -> Result<()> {
    let (begun, go_on) = (Barrier::new(2), Barrier::new(2));
    let f = function(|x: &Tensor| {
        if x.shape() == shape![2] {
            begun.wait();
            go_on.wait();
        }
        ops::neg(x)
    });
    let _ = f.call(&scalar(1.0f32))?;
    let (done, all) = mpsc::channel();
    std::thread::scope(|s| {
        let f = &f;
        s.spawn(move || drop(f.call(&tensor![1.0f32, 2.0]).expect("traced")));
        begun.wait();
        s.spawn(move || {
            (0..100).for_each(|_| drop(f.call(&scalar(1.0f32)).expect("served")));
            done.send(())
        });
        let served = all.recv_timeout(Duration::from_secs(60));
        go_on.wait();
        assert!(served.is_ok(), "the calls wait for the trace");
    });
    assert_eq!(f.trace_count(), 2);
    Ok(())
}
