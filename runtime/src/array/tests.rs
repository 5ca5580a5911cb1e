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
    // A size that `Shape` can't say is refused beside a zero, too; all others are fine there.
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

fn filled(value: i64, len: usize) -> Array {
    Array::from_slice([len], &vec![value; len]).unwrap()
}

/// A step in the life of some arrays.
#[derive(Clone, Debug)]
enum Step {
    New(usize),
    View(usize, usize, usize),
    Reshape(usize),
    Bytes(usize),
    Drop(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let len = prop_oneof![0usize..40, 100usize..140, 1000usize..1100, 600_000usize..600_100];
    prop_oneof![
        len.prop_map(Step::New),
        (any::<usize>(), any::<usize>(), any::<usize>()).prop_map(|(a, s, n)| Step::View(a, s, n)),
        any::<usize>().prop_map(Step::Reshape),
        any::<usize>().prop_map(Step::Bytes),
        any::<usize>().prop_map(Step::Drop),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arrays_hold_their_elements_whatever_happens_to_others(
        steps in proptest::collection::vec(step(), 1..40)
    ) {
        // Freed blocks are given back at once, so that a use after free would be seen.
        let _alone = buffer::ALONE.lock();
        let limit = set_pool_limit(if steps.len() % 2 == 0 { 0 } else { 1 << 24 });
        let mut live: Vec<(Array, Vec<i64>)> = Vec::new();
        let mut next = 0i64;
        for step in steps {
            let pick = |i: usize| live.get(i % live.len().max(1)).cloned();
            let made = match step {
                Step::New(len) => {
                    next += 1;
                    let data: Vec<i64> = (0..len as i64).map(|i| i * next).collect();
                    Some((Array::from_slice([len], &data).unwrap(), data))
                }
                Step::View(i, start, len) => pick(i).map(|(a, data)| {
                    let start = start % (data.len() + 1);
                    let len = len % (data.len() - start + 1);
                    (a.reshape([data.len()]).unwrap().view(start, [len]).unwrap(), data[start..start + len].to_vec())
                }),
                Step::Reshape(i) => pick(i).map(|(a, data)| (a.reshape([1, data.len(), 1]).unwrap(), data)),
                Step::Bytes(i) => pick(i).map(|(a, data)| {
                    (Array::from_bytes(DType::I64, [data.len()], a.as_bytes().unwrap()).unwrap(), data)
                }),
                Step::Drop(i) => {
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
                prop_assert_eq!(array.as_slice::<i64>().unwrap().as_ptr() as usize % 16, 0);
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
