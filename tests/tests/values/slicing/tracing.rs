//! Shapes that are partly known, and values that come late.

use std::sync::{Arc, Mutex};

use extype::prelude::*;

use super::{counted, floats};

/// The shape that a traced function infers for an argument of this shape.
#[track_caller]
fn inferred(
    shape: Shape,
    body: impl Fn(&Tensor) -> Result<Tensor> + Send + Sync + 'static,
) -> Shape {
    let seen = Arc::new(Mutex::new(None));
    let kept = seen.clone();
    let traced = function(move |x: &Tensor| {
        let y = body(x)?;
        *kept.lock().unwrap() = Some(y.shape());
        Ok(y)
    });
    traced.concrete(&TensorSpec::new(shape, DType::F32)).unwrap();
    seen.lock().unwrap().clone().unwrap()
}

#[test]
fn parts_know_what_can_be_known() {
    assert_eq!(inferred(shape![?, 6], |x| x.index((0, ops::step(1..5, 2)))), shape![2]);
    assert_eq!(inferred(shape![?, 6], |x| x.index((1.., ..))), shape![?, 6]);
    assert_eq!(inferred(shape![?, 6], |x| x.index((Ellipsis, NewAxis))), shape![?, 6, 1]);
    assert_eq!(inferred(Shape::unknown(), |x| x.index(0)), Shape::unknown());
    assert_eq!(inferred(shape![?, 3], |x| x.tile([2, 2])), shape![?, 6]);
    assert_eq!(inferred(shape![?, 4], |x| Ok(x.split(2, 1)?.remove(0))), shape![?, 2]);
    assert_eq!(inferred(shape![?, 4], |x| Ok(x.unstack(4, 1)?.remove(0))), shape![?]);
    assert_eq!(inferred(shape![?, ?], |x| x.ensure_shape(shape![3, ?])), shape![3, ?]);
    assert_eq!(inferred(shape![?, 3], |x| x.where_indices()?.cast(f32)), shape![?, 2]);
    assert_eq!(inferred(shape![2, ?], |x| x.gather_nd(&tensor![[0], [1], [1]])), shape![3, ?]);
    let diagonal = |x: &Tensor| x.matrix_diag_part(0.0, [-1, 1], Default::default());
    assert_eq!(inferred(shape![?, 4, 3], diagonal), shape![?, 3, 3]);
}

#[test]
fn masks_work_with_sizes_known_at_run_time() {
    let masked = function(|(x, m): &(Tensor, Tensor)| ops::boolean_mask(x, m, 0));
    let spec =
        (TensorSpec::new(shape![?, ?, 2], DType::F32), TensorSpec::new(shape![?, ?], DType::Bool));
    let concrete = masked.concrete(&spec).unwrap();
    let mask = tensor![[true, false], [true, true]];
    let got = concrete.call_flat(&[counted(&[2, 2, 2]), mask]).unwrap();
    assert_eq!(floats(&got[0]), [0.0, 1.0, 4.0, 5.0, 6.0, 7.0]);
}
