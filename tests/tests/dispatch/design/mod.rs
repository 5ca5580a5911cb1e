//! The design under attack: programs of an expert user who combines its parts.

#![expect(clippy::assign_op_pattern, reason = "operators in all their forms")]

mod by_hand;
mod control_flow;
mod functions;
mod gradients;
mod laws;
mod meanings;
mod slices;
mod state;
mod wrappers;

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Barrier, Mutex, OnceLock};

use extype::ir::{Attrs, KernelContext, Outputs, Types};
use extype::ops::{Apply1, Apply2};
use extype::prelude::*;
use extype::spec::dispatch::{self, Call, DispatchEntry, Operands, Target, TypeRef};
use extype::spec::{Class, Composite, Hooks, LeafIter, Leaves, Literal, SpecContext};
use extype_masked::{Masked, MaskedSpec, MaskedTensor, MaskedTensorSpec};
use extype_ragged::RaggedTensor;
use proptest::prelude::*;

fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec().unwrap()
}

fn masked() -> MaskedTensor {
    MaskedTensor::new([[1.0f32, 2.0], [3.0, 4.0]], [[true, false], [true, true]]).unwrap()
}

/// The prelude's traits must not come before the methods of numbers behind references.
#[test]
fn the_prelude_leaves_the_methods_of_numbers_alone() {
    let numbers = [4.0f32, 9.0];
    assert!(!numbers.iter().any(|x| x.is_nan() || x.abs() > 10.0));
    assert_eq!(numbers.iter().fold(0.0, |sum, x| sum + x.sqrt()), 5.0);
}
