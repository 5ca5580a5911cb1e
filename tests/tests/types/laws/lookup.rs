//! Which trace serves a call.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_trace_is_more_specific_than_the_one_that_serves(
        pairs in prop::collection::vec((any_dim(), any_dim()), 1..6),
        (rows, columns) in (0usize..4, 0usize..4),
    ) {
        let made = AtomicUsize::new(0);
        let f = function(|_: &Tensor| Ok(scalar(made.fetch_add(1, Ordering::Relaxed) as i64)));
        // The shapes of the traces, in the order of their numbers.
        let mut shapes: Vec<Shape> = Vec::new();
        for (a, b) in pairs {
            let shape: Shape = [a, b].into_iter().collect();
            f.concrete(&TensorSpec::new(shape.clone(), DType::F32)).unwrap();
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        let x = ops::zeros([rows, columns], f32).unwrap();
        let number = f.call(&x).unwrap().item::<i64>().unwrap() as usize;
        let serves = |shape: &Shape| x.shape().is_subtype_of(shape);
        match shapes.get(number) {
            Some(chosen) => {
                prop_assert!(serves(chosen), "{} for {}", chosen, x.shape());
                for other in shapes.iter().filter(|other| *other != chosen && serves(other)) {
                    prop_assert!(!other.is_subtype_of(chosen), "{} and not {}", chosen, other);
                }
            }
            None => prop_assert!(!shapes.iter().any(serves), "a new trace for {}", x.shape()),
        }
    }
}
