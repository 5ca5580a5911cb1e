//! TensorFlow's stateless random ops: the newer ones take a key and a counter, the older ones a seed of two integers.
//!
//! Keys are uint64 of shape `[1]`, counters uint64 of shape `[2]`. Numbers come from the generator Philox. `alg` is 1
//! (Philox) or 3 (automatic, which is Philox too).

mod distributions;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod sampling;

pub use distributions::*;

use crate::define_op;
use crate::ops::args::SideInput;
use crate::types::{DType, DTypeSet};

/// The dtypes of integers that are drawn between bounds.
const BOUNDED: DTypeSet = DTypeSet::INDEX;

/// The dtypes of seeds, and of integers that are drawn from all values of their dtype.
pub(in crate::ops) const FULL: DTypeSet =
    DTypeSet::of(&[DType::I32, DType::I64, DType::U32, DType::U64]);

define_op! {
    /// Draws uniform floats in `[0, 1)`.
    ///
    /// TensorFlow: `StatelessRandomUniformV2`.
    ///
    /// The numbers come from the generator Philox with this `key` (uint64 of shape `[1]`), starting at this `counter`
    /// (uint64 of shape `[2]`). `alg` is 1 (Philox) or 3 (automatic, which is Philox too).
    pub op StatelessRandomUniformV2 = "StatelessRandomUniformV2" {
        inputs: { shape: Tshape, key: {U64}, counter: {U64}, alg: {I32} }, outputs: { output: dtype },
        types: { Tshape: DTypeSet::INDEX }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::floats, kernel: kernel::uniform_v2,
        gradient: none,
    }

    /// Draws normally distributed floats of mean zero and variance one.
    ///
    /// TensorFlow: `StatelessRandomNormalV2`.
    ///
    /// The numbers come from the generator Philox with this `key` (uint64 of shape `[1]`), starting at this `counter`
    /// (uint64 of shape `[2]`). `alg` is 1 (Philox) or 3 (automatic, which is Philox too).
    pub op StatelessRandomNormalV2 = "StatelessRandomNormalV2" {
        inputs: { shape: Tshape, key: {U64}, counter: {U64}, alg: {I32} }, outputs: { output: dtype },
        types: { Tshape: DTypeSet::INDEX }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::floats, kernel: kernel::normal_v2,
        gradient: none,
    }

    /// Draws normally distributed floats, and redraws values of magnitude two or more.
    ///
    /// TensorFlow: `StatelessTruncatedNormalV2`.
    ///
    /// The numbers come from the generator Philox with this `key` (uint64 of shape `[1]`), starting at this `counter`
    /// (uint64 of shape `[2]`). `alg` is 1 (Philox) or 3 (automatic, which is Philox too).
    pub op StatelessTruncatedNormalV2 = "StatelessTruncatedNormalV2" {
        inputs: { shape: Tshape, key: {U64}, counter: {U64}, alg: {I32} }, outputs: { output: dtype },
        types: { Tshape: DTypeSet::INDEX }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::floats, kernel: kernel::truncated_v2,
        gradient: none,
    }

    /// Draws uniform integers from the whole range of their dtype.
    ///
    /// TensorFlow: `StatelessRandomUniformFullIntV2`.
    ///
    /// The numbers come from the generator Philox with this `key` (uint64 of shape `[1]`), starting at this `counter`
    /// (uint64 of shape `[2]`). `alg` is 1 (Philox) or 3 (automatic, which is Philox too).
    pub op StatelessRandomUniformFullIntV2 = "StatelessRandomUniformFullIntV2" {
        inputs: { shape: Tshape, key: {U64}, counter: {U64}, alg: {I32} }, outputs: { output: dtype },
        types: { Tshape: DTypeSet::INDEX }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::full_integers, kernel: kernel::full_v2,
        gradient: none,
    }

    /// Draws uniform integers in `[minval, maxval)`; both bounds are scalars.
    ///
    /// TensorFlow: `StatelessRandomUniformIntV2`.
    pub op StatelessRandomUniformIntV2 = "StatelessRandomUniformIntV2" {
        inputs: { shape: Tshape, key: {U64}, counter: {U64}, alg: {I32}, minval: dtype, maxval: dtype }, outputs: { output: dtype },
        types: { dtype: BOUNDED, Tshape: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::integers, kernel: kernel::integers_v2,
        gradient: none,
    }

    /// Draws uniform floats in `[0, 1)`.
    ///
    /// TensorFlow: `StatelessRandomUniform`, with a seed of two integers in place of a key and a counter.
    pub op StatelessRandomUniform = "StatelessRandomUniform" {
        inputs: { shape: T, seed: Tseed }, outputs: { output: dtype },
        types: { T: DTypeSet::INDEX, Tseed: FULL }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::seeded_floats, kernel: kernel::uniform,
        gradient: none,
    }

    /// Draws normally distributed floats of mean zero and variance one.
    ///
    /// TensorFlow: `StatelessRandomNormal`, with a seed of two integers in place of a key and a counter.
    pub op StatelessRandomNormal = "StatelessRandomNormal" {
        inputs: { shape: T, seed: Tseed }, outputs: { output: dtype },
        types: { T: DTypeSet::INDEX, Tseed: FULL }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::seeded_floats, kernel: kernel::normal,
        gradient: none,
    }

    /// Draws normally distributed floats, and redraws values of magnitude two or more.
    ///
    /// TensorFlow: `StatelessTruncatedNormal`, with a seed of two integers in place of a key and a counter.
    pub op StatelessTruncatedNormal = "StatelessTruncatedNormal" {
        inputs: { shape: T, seed: Tseed }, outputs: { output: dtype },
        types: { T: DTypeSet::INDEX, Tseed: FULL }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::seeded_floats, kernel: kernel::truncated,
        gradient: none,
    }

    /// Draws uniform integers from the whole range of their dtype.
    ///
    /// TensorFlow: `StatelessRandomUniformFullInt`, with a seed of two integers in place of a key and a counter.
    pub op StatelessRandomUniformFullInt = "StatelessRandomUniformFullInt" {
        inputs: { shape: T, seed: Tseed }, outputs: { output: dtype },
        types: { T: DTypeSet::INDEX, Tseed: FULL }, attrs: { dtype: DType = DType::F32 },
        dispatch: none,
        infer: infer::seeded_full_integers, kernel: kernel::full,
        gradient: none,
    }

    /// Draws uniform integers in `[minval, maxval)`; both bounds are scalars.
    ///
    /// TensorFlow: `StatelessRandomUniformInt`, with a seed of two integers in place of a key and a counter.
    pub op StatelessRandomUniformInt = "StatelessRandomUniformInt" {
        inputs: { shape: T, seed: Tseed, minval: dtype, maxval: dtype }, outputs: { output: dtype },
        types: { dtype: BOUNDED, T: DTypeSet::INDEX, Tseed: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::seeded_integers, kernel: kernel::integers,
        gradient: none,
    }

    /// Derives a key and a counter (uint64 of shapes `[1]` and `[2]`) from a seed of two integers.
    ///
    /// TensorFlow: `StatelessRandomGetKeyCounter`.
    pub op StatelessRandomGetKeyCounter = "StatelessRandomGetKeyCounter" {
        inputs: { seed: Tseed }, outputs: { key: {U64}, counter: {U64} },
        types: { Tseed: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::key_counter, kernel: kernel::key_counter,
        gradient: none,
    }

    /// Returns the results of [`StatelessRandomGetKeyCounter`] and `alg`, always 1 (Philox).
    ///
    /// TensorFlow: `StatelessRandomGetKeyCounterAlg`.
    pub op StatelessRandomGetKeyCounterAlg = "StatelessRandomGetKeyCounterAlg" {
        inputs: { seed: Tseed }, outputs: { key: {U64}, counter: {U64}, alg: {I32} },
        types: { Tseed: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::key_counter_alg, kernel: kernel::key_counter_alg,
        gradient: none,
    }

    /// Returns the algorithm for random numbers: always 1 (Philox).
    ///
    /// TensorFlow: `StatelessRandomGetAlg`.
    pub op StatelessRandomGetAlg = "StatelessRandomGetAlg" {
        inputs: {}, outputs: { alg: {I32} },
        dispatch: none,
        infer: infer::alg, kernel: kernel::alg,
        gradient: none,
    }

    /// Permutes a tensor along its first axis, at random. The gradient applies the inverse permutation to the
    /// cotangent; TensorFlow defines no gradient for this op.
    ///
    /// TensorFlow: `StatelessShuffle`.
    pub op StatelessShuffle = "StatelessShuffle" {
        inputs: { value: T, key: {U64} as SideInput, counter: {U64} as SideInput, alg: {I32} as SideInput }, outputs: { output: T },
        types: { T: DTypeSet::DATA },
        infer: infer::shuffle, kernel: kernel::shuffle,
        gradient: gradient::shuffle,
    }

    /// Draws `num_samples` classes for each row of unnormalized log-probabilities.
    ///
    /// TensorFlow: `StatelessMultinomial`.
    pub op StatelessMultinomial = "StatelessMultinomial" {
        inputs: { logits: T, num_samples: {I32} as SideInput, seed: Tseed as SideInput }, outputs: { output: output_dtype },
        types: { T: DTypeSet::FLOAT, Tseed: DTypeSet::INDEX },
        attrs: { output_dtype: DType = DType::I64 },
        infer: infer::categorical, kernel: kernel::categorical,
        gradient: none,
    }

    /// Returns the state of a generator (int64 of shape `[3]`) that the variable holds, and then advances it by
    /// `delta` draws.
    ///
    /// TensorFlow: `RngReadAndSkip`.
    pub op RngReadAndSkip = "RngReadAndSkip" {
        inputs: { resource: {Resource}, alg: {I32}, delta: {U64} }, outputs: { value: {I64} },
        dispatch: none,
        effect: Writes,
        infer: infer::read_and_skip, kernel: kernel::read_and_skip,
        gradient: none,
    }
}
