//! Storage holds what was put in, however it is cut, shared, freed and taken again.

use proptest::prelude::*;

use super::*;

#[test]
fn small_and_large_arrays_give_back_their_elements() {
    for n in [0usize, 1, 15, 16, 17, 1000, 100_000] {
        let v: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let a = Array::from_slice([n], &v).unwrap();
        assert_eq!(a.as_slice::<f32>().unwrap(), &v[..]);
        assert_eq!(a.as_slice::<f32>().unwrap().as_ptr() as usize % 16, 0);
        assert!(a.as_slice::<i32>().is_err());
    }
}

#[test]
fn views_and_reshapes_share_or_copy() {
    let v: Vec<i64> = (0..1000).collect();
    let a = Array::from_slice([10, 100], &v).unwrap();
    let b = a.view(100, [3, 100]).unwrap();
    assert_eq!(b.as_slice::<i64>().unwrap(), &v[100..400]);
    let c = a.view(101, [2]).unwrap();
    assert_eq!(c.as_slice::<i64>().unwrap(), &[101, 102]);
    // A view is aligned for its elements, so its storage is not reused for larger ones.
    let odd = Array::from_slice([1000], &[7i32; 1000]).unwrap().view(3, [996]).unwrap();
    let odd = odd.reuse::<i64>([498]).err().expect("not aligned");
    assert_eq!(odd.reuse::<u32>([996]).expect("aligned").finish().unwrap().len(), 996);
    assert_eq!(a.view(33, [500]).unwrap().as_slice::<i64>().unwrap(), &v[33..533]);
    assert_eq!(a.reshape([1000]).unwrap().as_slice::<i64>().unwrap(), &v[..]);
    assert!(a.reshape([999]).is_err() && a.view(999, [2]).is_err());
    assert_ne!(a.reshape([1000]).unwrap().id(), a.id());
    assert_eq!(a.clone().id(), a.id());
}

#[test]
fn sizes_that_overflow_are_refused() {
    let e = Array::from_writer::<f64>([usize::MAX, 2], |_| Ok(())).unwrap_err();
    assert_eq!(e.kind(), crate::types::ErrorKind::ResourceExhausted);
    // A size that `Shape` can't hold is refused even next to a size of 0; all others are allowed there.
    for dims in [[usize::MAX, 0], [0, 1 << 63]] {
        let e = Array::from_writer::<f64>(dims, |_| Ok(())).unwrap_err();
        assert_eq!(e.kind(), crate::types::ErrorKind::ResourceExhausted);
    }
    let a = Array::from_writer::<f64>([1 << 62, 1 << 62, 0], |_| Ok(())).unwrap();
    assert!(a.is_empty() && a.shape().sizes().unwrap()[..] == *a.dims());
    assert_eq!(a.reshape([0, i64::MAX as usize, 9]).unwrap().rank(), 3);
    assert!(a.reshape([0, usize::MAX]).is_err() && a.view(0, [0, usize::MAX]).is_err());
}

#[test]
fn bools_from_bytes_are_checked() {
    assert!(Array::from_bytes(DType::Bool, [2], &[0, 1]).is_ok());
    assert!(Array::from_bytes(DType::Bool, [2], &[0, 2]).is_err());
}

#[test]
fn blocks_go_from_thread_to_thread() {
    let made: Vec<Array> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4i64)
            .map(|t| {
                scope.spawn(move || {
                    (0..200).map(move |i| filled(t * 1000 + i, i as usize * 7)).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    for (i, array) in made.iter().enumerate() {
        let (t, i) = ((i / 200) as i64, i % 200);
        assert_eq!(array.as_slice::<i64>().unwrap(), vec![t * 1000 + i as i64; i * 7]);
    }
}

/// Lengths of `i64` arrays in a block of each class and in a buffer.
const LENGTHS: [usize; 4] = [8, 32, 127, 5000];

#[test]
fn storage_that_nobody_shares_is_taken_over() {
    for len in LENGTHS {
        let a = filled(3, len);
        let (id, at) = (a.id(), a.as_bytes().unwrap().as_ptr());
        assert!(a.is_unique());
        let mut w = a.reuse::<f64>([len, 1]).unwrap();
        w.as_mut_slice().fill(0.5);
        let b = w.finish().unwrap();
        assert_eq!((b.dtype(), b.dims()), (DType::F64, &[len, 1][..]));
        assert_eq!(b.as_slice::<f64>().unwrap(), vec![0.5; len]);
        assert_ne!(b.id(), id);
        // Small data is in the block, which goes back to the list.
        assert_eq!(b.as_bytes().unwrap().as_ptr() == at, len == 5000);

        let id = b.id();
        let c = b.map_in_place(|x: &mut [f64]| x.iter_mut().for_each(|x| *x += 1.0)).unwrap();
        assert_eq!((c.dims(), c.as_slice::<f64>().unwrap()), (&[len, 1][..], &vec![1.5; len][..]));
        assert_ne!(c.id(), id);
    }
}

#[test]
fn a_panic_within_a_change_leaves_an_array_of_its_type() {
    for len in LENGTHS {
        let mut a = filled(3, len);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            a.change_elements(|x: &mut [i64]| {
                x[0] = 7;
                panic!("on purpose");
            })
        }));
        assert!(panicked.is_err());
        assert_eq!((a.dtype(), a.dims()), (DType::I64, &[len][..]));
        assert_eq!(a.as_slice::<i64>().unwrap()[..2], [7, 3]);
        assert!(a.change_elements(|x: &mut [i64]| x[1] = 8) && a.is_unique());
        assert_eq!(a.as_slice::<i64>().unwrap()[..3], [7, 8, 3]);
    }
}

#[test]
fn storage_that_somebody_shares_is_not() {
    for len in LENGTHS {
        let a = filled(3, len);
        let clone = a.clone();
        assert!(!a.is_unique());
        let a = a.reuse::<u64>([len]).err().expect("it is shared");
        let a = a.map_in_place(|_: &mut [i64]| panic!("it is shared")).unwrap_err();
        drop(clone);
        // Other bytes, another dtype.
        let a = a.reuse::<u64>([len - 1]).err().expect("too few bytes");
        let a = a.map_in_place(|_: &mut [u64]| panic!("not its type")).unwrap_err();
        let a = a.reuse::<u64>([usize::MAX, len]).err().expect("too large");

        let view = a.reshape([1, len]).unwrap();
        let copied = len * 8 <= COPIED;
        assert_eq!((a.is_unique(), view.is_unique()), (copied, copied));
        let a = if copied { a } else { a.reuse::<u64>([len]).err().expect("a view shares it") };
        let view = if copied { view } else { view.reuse::<u64>([len]).err().expect("shared") };
        // A view whose array is gone is the only user of the storage.
        let at = a.as_bytes().unwrap().as_ptr();
        drop(a);
        assert!(view.is_unique());
        let view = view.map_in_place(|x: &mut [i64]| x.fill(4)).unwrap();
        assert_eq!(view.as_slice::<i64>().unwrap(), vec![4; len]);
        assert!(copied || view.as_bytes().unwrap().as_ptr() == at);
        let part = if copied { filled(4, len) } else { view.view(2, [len - 2]).unwrap() };
        drop(view);
        let n = part.len();
        let mut w = part.reuse::<u32>([n, 2]).unwrap();
        w.as_mut_slice().fill(9);
        assert_eq!(w.finish().unwrap().as_slice::<u32>().unwrap(), vec![9; 2 * n]);
    }
    let strings = Array::from_strings([1], vec![b"a".to_vec()]).unwrap();
    assert!(strings.is_unique() && strings.reuse::<u8>([1]).is_err());
}

#[test]
fn an_array_is_taken_over_by_one_thread_at_most() {
    for round in 0..200i64 {
        let len = LENGTHS[round as usize % 4];
        let (a, b) = (filled(round, len), std::sync::Barrier::new(2));
        let race = |a: Array| {
            b.wait();
            match a.map_in_place(|x: &mut [i64]| x.iter_mut().for_each(|x| *x = -*x)) {
                Ok(a) => (true, a.as_slice::<i64>().unwrap().to_vec()),
                Err(a) => (false, a.as_slice::<i64>().unwrap().to_vec()),
            }
        };
        let (one, other) = (a.clone(), a);
        let (one, other) = std::thread::scope(|s| {
            let one = s.spawn(|| race(one));
            let other = race(other);
            (one.join().unwrap(), other)
        });
        for (taken, data) in [&one, &other] {
            assert_eq!(data[..], vec![if *taken { -round } else { round }; len]);
        }
        assert!(!(one.0 && other.0));
    }
}

#[test]
fn gaps_among_bools_never_show() {
    for len in [8usize, 100, 5000] {
        let dirt = || drop(Array::from_slice([len], &vec![0xffu8; len]).unwrap());
        dirt();
        let seen = Array::from_writer([len], |out: &mut [bool]| {
            assert!(out.iter().all(|x| !*x));
            Ok(())
        });
        assert_eq!(seen.unwrap().as_slice::<bool>().unwrap(), vec![false; len]);
        for gap in [0, len] {
            dirt();
            let fill = |out: &mut [std::mem::MaybeUninit<u8>], x| {
                out[gap..].fill(std::mem::MaybeUninit::new(x));
            };
            let moved = |x| {
                let mut writer = Writer::<u8>::new([len])?;
                fill(writer.out(), x);
                writer.finish_as(DType::Bool)
            };
            let (whole, dirty) = (moved(1), moved(2));
            for made in [whole, dirty.clone()].into_iter().flatten() {
                assert!(made.as_bytes().unwrap().iter().all(|b| *b <= 1));
            }
            assert!(gap > 0 || dirty.is_err());
            dirt();
            let kernel = Array::from_kernel::<bool>([len], |out| {
                out[gap..].fill(std::mem::MaybeUninit::new(true));
                Ok(())
            });
            if let Ok(made) = kernel {
                assert!(made.as_bytes().unwrap().iter().all(|b| *b <= 1));
            }
        }
    }
}

#[test]
fn marks_are_those_of_the_thread_and_of_who_made_the_array() {
    mark_new_arrays(7);
    let a = filled(1, 3);
    mark_new_arrays(0);
    assert_eq!((a.mark(), a.reshape([3]).unwrap().mark(), filled(1, 3).mark()), (7, 0, 0));
    let shared = a.clone();
    let a = a.with_mark(9);
    assert_eq!(a.mark(), 7);
    drop(a);
    assert_eq!(shared.with_mark(9).mark(), 9);
}

#[test]
fn arrays_outlive_what_their_thread_kept() {
    thread_local! {
        static LAST: std::cell::RefCell<Vec<Array>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    std::thread::spawn(|| {
        // Dropped after the list of the thread, which is first used later.
        LAST.with_borrow_mut(|last| last.extend((0..100).map(|i| filled(i, 8))));
        drop((0..100).map(|i| filled(i, 8)).collect::<Vec<_>>());
        LAST.with_borrow(|last| assert_eq!(last[99].as_slice::<i64>().unwrap(), [99; 8]));
    })
    .join()
    .unwrap();
}

/// Runs this test in a process of its own, whose address space is bounded; true in that process.
#[cfg(target_os = "linux")]
fn in_little_memory(test: &str, bytes: libc::rlim_t) -> bool {
    const INNER: &str = "EXTYPE_LITTLE_MEMORY";
    if std::env::var_os(INNER).is_some() {
        let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
        // SAFETY: the limit is a valid one.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
        return true;
    }
    // The first number is the size in pages; a sanitizer's is beyond every bound.
    let size = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = size.split(' ').next().and_then(|n| n.parse().ok()).unwrap();
    if pages > bytes / (4 << 12) {
        return false;
    }
    let mut inner = std::process::Command::new(std::env::current_exe().unwrap());
    let inner = inner.args([test, "--exact", "--test-threads=1"]).env(INNER, "1");
    let output = inner.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    false
}

#[test]
#[cfg(target_os = "linux")]
fn kept_memory_is_given_back_before_a_request_is_refused() {
    let test = "array::tests::kept_memory_is_given_back_before_a_request_is_refused";
    if !in_little_memory(test, 2 << 30) {
        return;
    }
    let large = |bytes: usize| Array::from_kernel::<u8>([bytes], |_| Ok(()));
    let six: Vec<Array> = (0..6).map(|_| large(256 << 20).unwrap()).collect();
    assert_eq!(
        large(1_500_000_000).unwrap_err().kind(),
        crate::types::ErrorKind::ResourceExhausted
    );
    drop(six);
    drop(large(1_500_000_000).unwrap());
    let four: Vec<Array> = (0..4).map(|_| large(256 << 20).unwrap()).collect();
    drop(four);
    assert!(vec_for::<u8>(1_500_000_000).is_ok());
    let e = vec_for::<u64>(1 << 40).unwrap_err();
    assert_eq!(e.kind(), crate::types::ErrorKind::ResourceExhausted);
}

fn filled(value: i64, len: usize) -> Array {
    Array::from_slice([len], &vec![value; len]).unwrap()
}

/// An event in the life of some arrays.
#[derive(Clone, Debug)]
enum Event {
    New(usize),
    View(usize, usize, usize),
    Reshape(usize),
    Bytes(usize),
    Drop(usize),
}

fn event() -> impl Strategy<Value = Event> {
    let len = prop_oneof![0usize..40, 100usize..140, 1000usize..1100, 600_000usize..600_100];
    prop_oneof![
        len.prop_map(Event::New),
        (any::<usize>(), any::<usize>(), any::<usize>()).prop_map(|(a, s, n)| Event::View(a, s, n)),
        any::<usize>().prop_map(Event::Reshape),
        any::<usize>().prop_map(Event::Bytes),
        any::<usize>().prop_map(Event::Drop),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arrays_hold_their_elements_whatever_happens_to_others(
        events in proptest::collection::vec(event(), 1..40)
    ) {
        // Freed blocks are given back at once, so that a use after free would be seen.
        let _alone = buffer::ALONE.lock();
        let limit = set_pool_limit(if events.len() % 2 == 0 { 0 } else { 1 << 24 });
        let mut live: Vec<(Array, Vec<i64>)> = Vec::new();
        let mut next = 0i64;
        for event in events {
            let pick = |i: usize| live.get(i % live.len().max(1)).cloned();
            let made = match event {
                Event::New(len) => {
                    next += 1;
                    let data: Vec<i64> = (0..len as i64).map(|i| i * next).collect();
                    Some((Array::from_slice([len], &data).unwrap(), data))
                }
                Event::View(i, start, len) => pick(i).map(|(a, data)| {
                    let start = start % (data.len() + 1);
                    let len = len % (data.len() - start + 1);
                    (a.reshape([data.len()]).unwrap().view(start, [len]).unwrap(), data[start..start + len].to_vec())
                }),
                Event::Reshape(i) => pick(i).map(|(a, data)| (a.reshape([1, data.len(), 1]).unwrap(), data)),
                Event::Bytes(i) => pick(i).map(|(a, data)| {
                    (Array::from_bytes(DType::I64, [data.len()], a.as_bytes().unwrap()).unwrap(), data)
                }),
                Event::Drop(i) => {
                    if !live.is_empty() {
                        let i = i % live.len();
                        live.swap_remove(i);
                    }
                    None
                }
            };
            live.extend(made);
            for (array, data) in &live {
                prop_assert_eq!(array.as_slice::<i64>().unwrap(), &data[..]);
                prop_assert_eq!(array.as_slice::<i64>().unwrap().as_ptr() as usize % size_of::<i64>(), 0);
            }
        }
        drop(live);
        set_pool_limit(limit);
    }

    #[test]
    fn strings_are_cut_and_shared(
        items in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..20), 0..30),
        start in any::<usize>(),
        len in any::<usize>(),
    ) {
        let a = Array::from_strings([items.len()], items.clone()).unwrap();
        let start = start % (items.len() + 1);
        let len = len % (items.len() - start + 1);
        let view = a.view(start, [len]).unwrap();
        drop(a);
        prop_assert_eq!(view.as_strings().unwrap(), &items[start..start + len]);
    }
}
