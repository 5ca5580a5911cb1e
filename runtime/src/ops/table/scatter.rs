//! Elements and slices picked and put by lists of coordinates.

use super::movement::MOVABLE;
use crate::define_op;
use crate::ops::kernel::scatter as x;
use crate::ops::{Sizes, infer};
use crate::types::DTypeSet;

define_op! {
    /// Elements or slices of `params` at coordinates: the last axis of `indices`.
    ///
    /// TensorFlow: `GatherNd`.
    pub op GatherNd = "GatherNd" {
        inputs: { params: Tparams, indices: Tindices }, outputs: { output: Tparams },
        types: { Tparams: MOVABLE, Tindices: DTypeSet::INDEX }, attrs: { bad_indices_policy: String = String::new() }, host: {  },
        arity: 2, effect: Pure, infer: infer::scatter::gather_nd, kernel: x::gather_nd,
    }
}

define_op! {
    /// Zeros of a shape with `updates` added at coordinates.
    ///
    /// TensorFlow: `ScatterNd`.
    pub op ScatterNd = "ScatterNd" {
        inputs: { indices: Tindices, updates: T, shape: Tindices }, outputs: { output: T },
        types: { T: DTypeSet::DATA, Tindices: DTypeSet::INDEX }, attrs: { bad_indices_policy: String = String::new() }, host: { shape: Sizes },
        arity: 2, effect: Pure, infer: infer::scatter::scatter_nd, kernel: x::scatter_nd,
    }
}

define_op! {
    /// The tensor with `updates` written at coordinates; of several for one place the last stays.
    ///
    /// TensorFlow: `TensorScatterUpdate`.
    pub op TensorScatterUpdate = "TensorScatterUpdate" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: MOVABLE, Tindices: DTypeSet::INDEX }, attrs: { bad_indices_policy: String = String::new() }, host: {  },
        arity: 3, effect: Pure, infer: infer::scatter::tensor_scatter, kernel: x::update,
    }
}

define_op! {
    /// The tensor with `updates` added at coordinates.
    ///
    /// TensorFlow: `TensorScatterAdd`.
    pub op TensorScatterAdd = "TensorScatterAdd" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX }, attrs: { bad_indices_policy: String = String::new() }, host: {  },
        arity: 3, effect: Pure, infer: infer::scatter::tensor_scatter, kernel: x::add,
    }
}

define_op! {
    /// The tensor with `updates` subtracted at coordinates.
    ///
    /// TensorFlow: `TensorScatterSub`.
    pub op TensorScatterSub = "TensorScatterSub" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX }, attrs: { bad_indices_policy: String = String::new() }, host: {  },
        arity: 3, effect: Pure, infer: infer::scatter::tensor_scatter, kernel: x::sub,
    }
}

define_op! {
    /// The smaller of the tensor and `updates` at coordinates.
    ///
    /// TensorFlow: `TensorScatterMin`.
    pub op TensorScatterMin = "TensorScatterMin" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX }, attrs: { bad_indices_policy: String = String::new() }, host: {  },
        arity: 3, effect: Pure, infer: infer::scatter::tensor_scatter, kernel: x::min,
    }
}

define_op! {
    /// The larger of the tensor and `updates` at coordinates.
    ///
    /// TensorFlow: `TensorScatterMax`.
    pub op TensorScatterMax = "TensorScatterMax" {
        inputs: { tensor: T, indices: Tindices, updates: T }, outputs: { output: T },
        types: { T: DTypeSet::REAL, Tindices: DTypeSet::INDEX }, attrs: { bad_indices_policy: String = String::new() }, host: {  },
        arity: 3, effect: Pure, infer: infer::scatter::tensor_scatter, kernel: x::max,
    }
}

define_op! {
    /// The coordinates of the elements that are true or not zero, one row each.
    ///
    /// TensorFlow: `Where`.
    pub op Where = "Where" {
        inputs: { input: T }, outputs: { index: {I64} },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) }, attrs: {  }, host: {  },
        arity: 1, effect: Pure, infer: infer::scatter::where_, kernel: x::where_,
    }
}
