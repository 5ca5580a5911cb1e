//! Calls that are refused leave the function as it was, for the next call and for other threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use extype::prelude::*;
use extype::tensor::{current_device, device};

type Batch = (Tensor, Vec<Tensor>);

fn batch_spec() -> (TensorSpec, Vec<TensorSpec>) {
    (TensorSpec::of::<f32>(shape![?, 3]), vec![TensorSpec::of::<f32>([]); 2])
}

#[tf_function(signature({ batch_spec() }))]
fn weighted(batch: &Batch) -> Result<Tensor> {
    let (x, by) = batch;
    ops::mul(x, ops::add(&by[0], &by[1])?)?.reduce_sum(.., false)
}

fn batch(x: Tensor, by: usize) -> Batch {
    (x, vec![scalar(1.0f32); by])
}

fn ones(dims: &[i64]) -> Tensor {
    ops::ones(dims, f32).unwrap()
}

fn right() -> f32 {
    weighted(&batch(ones(&[2, 3]), 2)).unwrap().item::<f32>().unwrap()
}

/// Runs `f` while another thread calls the function, with the right result each time.
fn beside_another(f: impl FnOnce()) {
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let (end, calls) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|s| {
        let _end = End(&end);
        s.spawn(|| {
            while !end.load(Ordering::Relaxed) || calls.load(Ordering::Relaxed) == 0 {
                assert_eq!(right(), 12.0);
                calls.fetch_add(1, Ordering::Relaxed);
            }
        });
        f();
    });
    assert!(calls.into_inner() > 0);
}

#[test]
fn what_does_not_fit_a_signature_is_told_by_path_and_types_and_harms_nobody() {
    assert_eq!(right(), 12.0);
    let doubles = ops::ones([2, 3], f64).unwrap();
    let mixed = (ones(&[2, 3]), vec![scalar(1.0f32), scalar(1i32)]);
    let cases = [
        (batch(doubles, 2), "`batch[0]` is TensorSpec([2, 3], float64)", "([?, 3], float32)"),
        (batch(ones(&[3]), 2), "`batch[0]` is TensorSpec([3], float32)", "([?, 3], float32)"),
        (batch(ones(&[2, 4]), 2), "`batch[0]` is TensorSpec([2, 4], float32)", "([?, 3], float32)"),
        (mixed, "`batch[1][1]` is TensorSpec([], int32)", "([], float32)"),
        (batch(ones(&[2, 3]), 1), "`batch[1]` is [", "the signature wants ["),
        (batch(ones(&[2, 3]), 3), "`batch[1]` is [", "the signature wants ["),
    ];
    beside_another(|| {
        for (given, got, wanted) in &cases {
            let e = weighted(given).unwrap_err();
            let text = e.to_string();
            assert!(text.starts_with("`weighted`: argument "), "{text}");
            assert!(text.contains(got) && text.contains(wanted), "{text}");
            assert_eq!(e.location().unwrap().line(), line!() - 4, "{text}");
            assert_eq!(right(), 12.0);
        }
    });
    assert_eq!(weighted::trace_count(), 1);
}

#[test]
fn a_body_that_fails_or_panics_leaves_no_trace_and_the_others_alone() {
    let f = function(|x: &Tensor, how: &i64| match how {
        0 => ops::neg(x),
        1 => Err(Error::invalid("no")),
        2 => panic!("never"),
        _ => x.matmul(x),
    });
    let x = scalar(1.0f32);
    let negated = || f.call(&x, &0).unwrap().item::<f32>().unwrap();
    assert_eq!(negated(), -1.0);
    for how in [1, 2, 3, 1, 2, 3] {
        assert!(f.call(&x, &how).is_err());
        assert_eq!((negated(), f.trace_count()), (-1.0, 1));
    }
    let stats = f.stats();
    assert_eq!((stats.calls, stats.hits, stats.traced), (13, 6, 1), "{stats}");
}

#[test]
fn names_of_devices_that_are_wrong_open_no_scope() {
    let f = function(|x: &Tensor| ops::neg(x));
    let x = scalar(1.0f32);
    for (name, part) in [
        ("nowhere", "`nowhere` is none of `job:name`"),
        ("tpu:x", "`x` is no number"),
        ("/job:a/job:b", "two values of `job`"),
    ] {
        let Err(e) = device(name) else { panic!("{name} is a device") };
        assert!(e.message().contains(part), "{e}");
        assert!(current_device().is_none());
        let _ = f.call(&x).unwrap();
    }
    assert_eq!(f.trace_count(), 1);
}
