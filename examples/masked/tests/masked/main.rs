//! Masked tensors as their users meet them.

mod bad_input;
mod gradients;
mod making;
mod meanings;
mod numpy;
mod printing;
mod traces;

use extype::prelude::*;
use extype_masked::{MaskedTensor, MaskedTensorSpec};

/// Three rows, the last without a valid entry.
fn sample() -> MaskedTensor {
    let values = [[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    MaskedTensor::new(values, [[true, false, true], [true, true, false], [false, false, false]])
        .unwrap()
}

#[track_caller]
fn same(m: &MaskedTensor, values: &[f64], mask: &[bool]) {
    assert_eq!(m.values.as_slice::<f64>().unwrap(), values);
    assert_eq!(m.mask.as_slice::<bool>().unwrap(), mask);
}
