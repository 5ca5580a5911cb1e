//! Threads begin with a pass and end with it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
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

/// True if all threads of datasets end, also those of tests that run at the same time.
fn all_end() -> bool {
    let pause = || std::thread::sleep(Duration::from_millis(5));
    (0..12_000).any(|_| threads() == 0 || (pause(), false).1)
}

/// The memory of this process in KiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_dropped_passes_leave_no_thread_and_no_memory() {
    let _alone = ALONE.lock();
    let rows = Tensor::from_vec((0..64i64).collect::<Vec<_>>());
    let parts = |x: Tensor| {
        let x = x.item::<i64>()?;
        Ok(Dataset::range(x..x + 3).prefetch(1))
    };
    let data = Dataset::from_tensor_slices(rows)
        .unwrap()
        .shuffle(8, 1)
        .map_parallel(2, |x| Ok(&x + 1))
        .interleave(2, 1, parts)
        .prefetch(3)
        .batch(2, Remainder::Keep)
        .prefetch(1);
    let mut before = 0;
    for i in 0..10_000 {
        let mut pass = data.iter();
        for _ in 0..i % 5 {
            let _ = pass.next().unwrap().unwrap();
        }
        if i == 1000 {
            before = memory();
        }
    }
    assert!(all_end());
    let grown = memory().saturating_sub(before);
    assert!(grown < 16 << 10, "{grown} KiB more than after 1000 passes");
}

/// How long it takes to drop this, which works on other threads.
fn drop_takes<T>(pass: T) -> Duration {
    let started = Instant::now();
    drop(pass);
    started.elapsed()
}

const SOON: Duration = Duration::from_secs(10);

#[test]
fn endless_work_below_a_cache_ends_with_the_pass_that_waits_for_it() {
    let _alone = ALONE.lock();
    let open = Arc::new(AtomicBool::new(false));
    let now = open.clone();
    let cached = Dataset::counter(0, 1, i64)
        .unwrap()
        .filter(move |x| Ok(x.item::<i64>()? < 3 || now.load(Ordering::Relaxed)))
        .cache();
    let passes = [cached.prefetch(1), cached.prefetch(1).prefetch(1)].map(|data| {
        let mut pass = data.iter();
        let got: Vec<i64> = (0..3).map(|_| pass.next().unwrap().unwrap().item().unwrap()).collect();
        assert_eq!(got, [0, 1, 2]);
        pass
    });
    for pass in passes {
        assert!(drop_takes(pass) < SOON);
    }
    assert!(all_end());
    // What was made is kept, and the pass goes on.
    open.store(true, Ordering::Relaxed);
    let all: Vec<i64> = cached.take(5).iter().map(|x| x.unwrap().item().unwrap()).collect();
    assert_eq!(all, [0, 1, 2, 3, 4]);
}

#[test]
fn a_short_look_at_a_cache_loses_nothing() {
    let _alone = ALONE.lock();
    let calls = Arc::new(AtomicUsize::new(0));
    let count = calls.clone();
    let cached = Dataset::range(0..30)
        .shuffle(30, 1)
        .map(move |x| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(x)
        })
        .batch(3, Remainder::Keep)
        .cache();
    for _ in 0..10 {
        let mut pass = cached.prefetch(1).iter();
        let _ = pass.next().unwrap().unwrap();
    }
    assert_eq!(cached.collect_all().unwrap().len(), 10);
    assert_eq!(calls.load(Ordering::Relaxed), 30);
}

#[test]
fn steps_that_stop_call_no_function_with_half_of_the_elements() {
    let _alone = ALONE.lock();
    let groups = Arc::new(Mutex::new(Vec::new()));
    let told = groups.clone();
    let endless = Dataset::counter(0, 1, i64).unwrap().filter(|x| x.less(3)).batch_with(
        5,
        Remainder::Keep,
        move |all| {
            told.lock().unwrap().push(all.len());
            Ok(scalar(0i64))
        },
    );
    let first = Dataset::range(0..1).concatenate(&endless).prefetch(1);
    let mut pass = first.iter();
    let _ = pass.next().unwrap().unwrap();
    std::thread::sleep(Duration::from_millis(30));
    assert!(drop_takes(pass) < SOON);
    assert!(groups.lock().unwrap().is_empty());
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
    let barrier = Arc::new(std::sync::Barrier::new(3));
    // Each call waits for two others.
    let data = Dataset::range(0..9).map_parallel(3, move |x| {
        barrier.wait();
        Ok(x)
    });
    let all: Vec<i64> = data.iter().map(|x| x.unwrap().item().unwrap()).collect();
    assert_eq!(all, (0..9).collect::<Vec<i64>>());
}

#[test]
fn passes_do_not_depend_on_how_far_steps_within_steps_are_ahead() {
    let passes = |ahead: fn(Dataset<Tensor>) -> Dataset<Tensor>| -> Vec<Vec<i64>> {
        let data = ahead(Dataset::range(0..5).shuffle(5, 4).repeat_n(3)).take(7);
        let mut early = data.iter();
        let pass =
            |data: &Dataset<Tensor>| data.iter().map(|x| x.unwrap().item().unwrap()).collect();
        let first = (0..3).map(|_| early.next().unwrap().unwrap().item().unwrap()).collect();
        let state = early.save().unwrap();
        drop(early);
        let rest = data.resume(&state).unwrap().map(|x| x.unwrap().item().unwrap()).collect();
        vec![first, rest, pass(&data), pass(&data)]
    };
    let want = passes(|data| data);
    assert_eq!(passes(|data| data.map_parallel(4, Ok)), want);
    assert_eq!(passes(|data| data.map_parallel(4, Ok).map_parallel(3, Ok)), want);
    assert_eq!(passes(|data| data.prefetch(4).prefetch(3).map_parallel(2, Ok)), want);
    assert_eq!(
        passes(|data| data.map_parallel(2, Ok).batch(1, Remainder::Keep).prefetch(9).unbatch()),
        want
    );
}
