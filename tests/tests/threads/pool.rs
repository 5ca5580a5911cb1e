//! Ops, variables and traced functions on a thread pool whose workers wait for each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use extype::prelude::*;

/// Far more than any of the programs takes, under a sanitizer too, so that only one that hangs fails.
const PATIENCE: Duration = Duration::from_secs(900);

/// Runs a program on a thread of its own and fails if it does not end.
fn ends(program: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        program();
        let _ = done.send(());
    });
    match wait.recv_timeout(PATIENCE) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the program hangs"),
        // A panic in it is shown as it is.
        _ => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

/// Runs tasks on a pool of two threads, and waits until all are done.
fn on_two_threads(count: usize, task: impl Fn(usize) + Send + Sync + 'static) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (task, done) = (Arc::new(task), Arc::new(AtomicUsize::new(0)));
    for i in 0..count {
        let (task, done) = (task.clone(), done.clone());
        pool.spawn(move || {
            task(i);
            done.fetch_add(1, Ordering::SeqCst);
        });
    }
    while done.load(Ordering::SeqCst) < count {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// So large that every op on it is shared out among the threads.
fn large() -> Tensor {
    ops::fill([1i64 << 18], 1.0f32).unwrap()
}

#[test]
fn additions_of_tasks_that_wait_on_the_pool_end_and_sum_up() {
    ends(|| {
        let one = large();
        let v = Variable::new(ops::zeros_like(&one).unwrap()).unwrap();
        let state = v.clone();
        on_two_threads(400, move |i| match i % 4 {
            0 => state.assign_add(&one).unwrap(),
            1 => drop(ops::add(&one, &one).unwrap()),
            2 => state.assign_add(&one).unwrap(),
            _ => {
                // Whatever is read is one whole value.
                let now = state.read().unwrap();
                let (low, high) =
                    (ops::reduce_min(&now, .., false), ops::reduce_max(&now, .., false));
                assert_eq!(
                    low.unwrap().item::<f32>().unwrap(),
                    high.unwrap().item::<f32>().unwrap()
                );
            }
        });
        let sum = v.read().unwrap();
        assert!(sum.as_slice::<f32>().unwrap().iter().all(|x| *x == 200.0));
    });
}

#[test]
fn first_calls_of_tasks_that_wait_on_the_pool_end() {
    ends(|| {
        let one = Tensor::scalar(1.0f32);
        for _ in 0..25 {
            let x = one.clone();
            // Its constants are folded when it is compiled, on the pool.
            let f = function(move |x: &Tensor| {
                let all = ops::fill([1i64 << 18], &Tensor::scalar(1.0f32))?;
                ops::add(&ops::reduce_sum(ops::sin(&all)?, .., false)?, x)
            });
            let (large, f) = (large(), Arc::new(f));
            on_two_threads(4, move |i| match i {
                1 => drop(ops::add(&large, &large).unwrap()),
                _ => drop(f.call(&x).unwrap()),
            });
        }
    });
}

#[test]
fn no_addition_is_lost() {
    ends(|| {
        for len in [1usize, 4096, 4097, 1 << 18] {
            let (threads, each) = (4, if len > 10_000 { 20 } else { 500 });
            let one = Tensor::from_vec(vec![1i64; len]);
            let v = Variable::new(ops::zeros_like(&one).unwrap()).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        for i in 0..each {
                            v.assign_add(&one).unwrap();
                            if i % 2 == 1 {
                                v.assign_sub(&one).unwrap();
                            }
                        }
                    });
                }
            });
            let sum = v.read().unwrap();
            let want = threads * each as i64 / 2;
            assert!(sum.as_slice::<i64>().unwrap().iter().all(|x| *x == want), "{len}");
        }
    });
}

#[test]
fn a_generator_gives_every_thread_numbers_of_its_own() {
    let generator = extype::random::Generator::from_seed(1).unwrap();
    let all: Vec<i64> = std::thread::scope(|scope| {
        let draw = || {
            (0..100)
                .map(|_| generator.uniform([1], .., i64).unwrap().as_slice::<i64>().unwrap()[0])
                .collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(draw)).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    let different: std::collections::BTreeSet<i64> = all.iter().copied().collect();
    assert_eq!(different.len(), all.len());
}

#[test]
fn subtractions_of_tasks_that_wait_on_the_pool_end() {
    ends(|| {
        let one = large();
        let v = Variable::new(ops::zeros_like(&one).unwrap()).unwrap();
        let state = v.clone();
        on_two_threads(400, move |i| match i % 2 {
            0 => state.assign_sub(&one).unwrap(),
            _ => drop(ops::add(&one, &one).unwrap()),
        });
        let sum = v.read().unwrap();
        assert!(sum.as_slice::<f32>().unwrap().iter().all(|x| *x == -200.0));
    });
}
