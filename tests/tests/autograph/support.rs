//! What the programs share.

use extype::prelude::*;

/// Checks that a result holds these tensors, floats within rounding.
#[track_caller]
pub(crate) fn agree<R: Structure>(got: R, want: &[Tensor]) {
    let mut leaves = Vec::new();
    got.into_leaves(&mut leaves);
    assert_eq!(leaves.len(), want.len(), "how many results");
    for (got, want) in leaves.iter().zip(want) {
        assert_eq!(got.dtype(), want.dtype());
        assert_eq!(got.shape(), want.shape());
        if got.dtype() == DType::F64 {
            let (got, want) = (got.to_vec::<f64>().unwrap(), want.to_vec::<f64>().unwrap());
            let near = |a: &f64, b: &f64| (a - b).abs() <= 1e-12 * b.abs().max(1e-12);
            assert!(got.iter().zip(&want).all(|(a, b)| near(a, b)), "{got:?} is not {want:?}");
        } else {
            assert_eq!(got.to_string(), want.to_string());
        }
    }
}
