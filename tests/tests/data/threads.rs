//! Threads begin with a pass and end with it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use extype::data::{Dataset, Remainder};
use extype::prelude::*;

/// Tests that count threads run one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The threads of this process that datasets have started.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let named = |task: std::io::Result<std::fs::DirEntry>| {
        let name = task.ok().and_then(|t| std::fs::read_to_string(t.path().join("comm")).ok());
        name.is_some_and(|name| name.starts_with("extype "))
    };
    tasks.map(named).filter(|is| *is).count()
}

#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_dropped_passes_leave_no_thread() {
    let _alone = ALONE.lock();
    let slices =
        Dataset::from_tensor_slices(Tensor::from_vec((0..64i64).collect::<Vec<_>>())).unwrap();
    let data =
        slices.map_parallel(2, |x| Ok(&x + 1)).prefetch(3).batch(2, Remainder::Keep).prefetch(1);
    for i in 0..10_000 {
        let mut pass = data.iter();
        for _ in 0..i % 7 {
            let _ = pass.next().unwrap().unwrap();
        }
    }
    assert_eq!(threads(), 0);
}

#[test]
fn dropping_a_pass_ends_endless_work_at_once() {
    let _alone = ALONE.lock();
    let never = Dataset::counter(0, 1, i64).unwrap().filter(|_| Ok(false)).prefetch(1).prefetch(1);
    let started = Instant::now();
    for _ in 0..5 {
        let data = never.concatenate(&Dataset::range(0..1));
        let pass = std::thread::spawn(move || {
            let first = Dataset::range(0..3).concatenate(&data).prefetch(5);
            let mut pass = first.iter();
            let _ = pass.next().unwrap().unwrap();
            drop(pass);
        });
        pass.join().unwrap();
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn passes_share_a_cache_from_several_threads() {
    let _alone = ALONE.lock();
    let data = Dataset::range(0..200).map(|x| x.square()).cache();
    let sums: Vec<i64> = std::thread::scope(|scope| {
        let sum = || data.iter().map(|x| x.unwrap().item::<i64>().unwrap()).sum::<i64>();
        let all: Vec<_> = (0..4).map(|_| scope.spawn(sum)).collect();
        all.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(sums, [(0..200i64).map(|x| x * x).sum::<i64>(); 4]);
}

#[test]
fn functions_of_a_parallel_map_run_at_the_same_time() {
    let _alone = ALONE.lock();
    let barrier = std::sync::Arc::new(std::sync::Barrier::new(3));
    // Each call waits for two others.
    let data = Dataset::range(0..9).map_parallel(3, move |x| {
        barrier.wait();
        Ok(x)
    });
    let all: Vec<i64> = data.iter().map(|x| x.unwrap().item().unwrap()).collect();
    assert_eq!(all, (0..9).collect::<Vec<i64>>());
}
