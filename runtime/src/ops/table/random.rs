//! Random numbers from a key and a counter, or from a seed of two numbers.

use crate::define_op;
use crate::ops::SideInput;
use crate::ops::infer::random as infer;
use crate::ops::kernel::random as r;
use crate::types::{DType, DTypeSet};

/// Integers that are drawn from a range.
const BOUNDED: DTypeSet = DTypeSet::INDEX;
/// Integers that are drawn from all of their type.
pub(in crate::ops) const FULL: DTypeSet =
    DTypeSet::of(&[DType::I32, DType::I64, DType::U32, DType::U64]);

/// Rows of ops with the inputs `shape, key, counter, alg` and one `dtype`.
macro_rules! drawn {
    ($($(#[doc = $doc:literal])* $name:ident = $graph:literal, $infer:expr, $kernel:expr;)*) => {
        $(define_op! {
            $(#[doc = $doc])*
            ///
            /// The numbers are those of the generator Philox with this `key` (uint64, `[1]`) from
            /// this `counter` (uint64, `[2]`) on; `alg` is 1 (Philox) or 3 (automatic, the same).
            pub op $name = $graph {
                inputs: { shape: Tshape, key: {U64}, counter: {U64}, alg: {I32} },
                outputs: { output: dtype },
                types: { Tshape: DTypeSet::INDEX }, attrs: { dtype: DType = DType::F32 }, host: {},
                arity: none, effect: Pure, infer: $infer, kernel: $kernel,
            }
        })*
    };
}
drawn! {
    /// Floats from zero up to, but without, one.
    ///
    /// TensorFlow: `StatelessRandomUniformV2`.
    StatelessRandomUniformV2 = "StatelessRandomUniformV2", infer::floats, r::uniform_v2;
    /// Floats of mean zero and variance one with a normal distribution.
    ///
    /// TensorFlow: `StatelessRandomNormalV2`.
    StatelessRandomNormalV2 = "StatelessRandomNormalV2", infer::floats, r::normal_v2;
    /// Floats as of a normal distribution, those of magnitude two and more drawn again.
    ///
    /// TensorFlow: `StatelessTruncatedNormalV2`.
    StatelessTruncatedNormalV2 = "StatelessTruncatedNormalV2", infer::floats, r::truncated_v2;
    /// Integers of the whole range of their dtype.
    ///
    /// TensorFlow: `StatelessRandomUniformFullIntV2`.
    StatelessRandomUniformFullIntV2 = "StatelessRandomUniformFullIntV2", infer::full_integers, r::full_v2;
}

define_op! {
    /// Integers from `minval` up to, but without, `maxval`, two scalars.
    ///
    /// TensorFlow: `StatelessRandomUniformIntV2`.
    pub op StatelessRandomUniformIntV2 = "StatelessRandomUniformIntV2" {
        inputs: { shape: Tshape, key: {U64}, counter: {U64}, alg: {I32}, minval: dtype, maxval: dtype },
        outputs: { output: dtype },
        types: { dtype: BOUNDED, Tshape: DTypeSet::INDEX }, attrs: {}, host: {},
        arity: none, effect: Pure, infer: infer::integers, kernel: r::integers_v2,
    }
}

/// Rows of ops with the inputs `shape, seed` and one `dtype`.
macro_rules! seeded {
    ($($(#[doc = $doc:literal])* $name:ident = $graph:literal, $infer:expr, $kernel:expr;)*) => {
        $(define_op! {
            $(#[doc = $doc])*
            pub op $name = $graph {
                inputs: { shape: T, seed: Tseed }, outputs: { output: dtype },
                types: { T: DTypeSet::INDEX, Tseed: FULL }, attrs: { dtype: DType = DType::F32 }, host: {},
                arity: none, effect: Pure, infer: $infer, kernel: $kernel,
            }
        })*
    };
}
seeded! {
    /// Floats from zero up to, but without, one.
    ///
    /// TensorFlow: `StatelessRandomUniform`, the form with a seed of two integers.
    StatelessRandomUniform = "StatelessRandomUniform", infer::seeded_floats, r::uniform;
    /// Floats of mean zero and variance one with a normal distribution.
    ///
    /// TensorFlow: `StatelessRandomNormal`, the form with a seed of two integers.
    StatelessRandomNormal = "StatelessRandomNormal", infer::seeded_floats, r::normal;
    /// Floats as of a normal distribution, those of magnitude two and more drawn again.
    ///
    /// TensorFlow: `StatelessTruncatedNormal`, the form with a seed of two integers.
    StatelessTruncatedNormal = "StatelessTruncatedNormal", infer::seeded_floats, r::truncated;
    /// Integers of the whole range of their dtype.
    ///
    /// TensorFlow: `StatelessRandomUniformFullInt`, the form with a seed of two integers.
    StatelessRandomUniformFullInt = "StatelessRandomUniformFullInt", infer::seeded_full_integers, r::full;
}

define_op! {
    /// Integers from `minval` up to, but without, `maxval`, two scalars.
    ///
    /// TensorFlow: `StatelessRandomUniformInt`, the form with a seed of two integers.
    pub op StatelessRandomUniformInt = "StatelessRandomUniformInt" {
        inputs: { shape: T, seed: Tseed, minval: dtype, maxval: dtype }, outputs: { output: dtype },
        types: { dtype: BOUNDED, T: DTypeSet::INDEX, Tseed: DTypeSet::INDEX }, attrs: {}, host: {},
        arity: none, effect: Pure, infer: infer::seeded_integers, kernel: r::integers,
    }
}

define_op! {
    /// The key (uint64, `[1]`) and the counter (uint64, `[2]`) that a seed of two integers is
    /// scrambled into.
    ///
    /// TensorFlow: `StatelessRandomGetKeyCounter`.
    pub op StatelessRandomGetKeyCounter = "StatelessRandomGetKeyCounter" {
        inputs: { seed: Tseed }, outputs: { key: {U64}, counter: {U64} },
        types: { Tseed: DTypeSet::INDEX }, attrs: {}, host: {},
        arity: none, effect: Pure, infer: infer::key_counter, kernel: r::key_counter,
    }
}

define_op! {
    /// [`StatelessRandomGetKeyCounter`] and the algorithm, 1 for Philox.
    ///
    /// TensorFlow: `StatelessRandomGetKeyCounterAlg`.
    pub op StatelessRandomGetKeyCounterAlg = "StatelessRandomGetKeyCounterAlg" {
        inputs: { seed: Tseed }, outputs: { key: {U64}, counter: {U64}, alg: {I32} },
        types: { Tseed: DTypeSet::INDEX }, attrs: {}, host: {},
        arity: none, effect: Pure, infer: infer::key_counter_alg, kernel: r::key_counter_alg,
    }
}

define_op! {
    /// The algorithm of this device: 1, Philox.
    ///
    /// TensorFlow: `StatelessRandomGetAlg`.
    pub op StatelessRandomGetAlg = "StatelessRandomGetAlg" {
        inputs: {}, outputs: { alg: {I32} },
        types: {}, attrs: {}, host: {},
        arity: none, effect: Pure, infer: infer::alg, kernel: r::alg,
    }
}

define_op! {
    /// The rows of a tensor in a random order.
    ///
    /// TensorFlow: `StatelessShuffle`.
    pub op StatelessShuffle = "StatelessShuffle" {
        inputs: { value: T, key: {U64}, counter: {U64}, alg: {I32} }, outputs: { output: T },
        types: { T: DTypeSet::DATA }, attrs: {},
        host: { key: SideInput, counter: SideInput, alg: SideInput },
        arity: 1, effect: Pure, infer: infer::shuffle, kernel: r::shuffle,
    }
}

define_op! {
    /// For each row of unnormalized log-probabilities `num_samples` classes drawn by them.
    ///
    /// TensorFlow: `StatelessMultinomial`.
    pub op StatelessMultinomial = "StatelessMultinomial" {
        inputs: { logits: T, num_samples: {I32}, seed: Tseed }, outputs: { output: output_dtype },
        types: { T: DTypeSet::FLOAT, Tseed: DTypeSet::INDEX },
        attrs: { output_dtype: DType = DType::I64 },
        host: { num_samples: SideInput, seed: SideInput },
        arity: 1, effect: Pure, infer: infer::categorical, kernel: r::categorical,
    }
}

define_op! {
    /// The state (int64, `[3]`) of a generator in a variable, which is moved on by `delta` draws.
    ///
    /// TensorFlow: `RngReadAndSkip`.
    pub op RngReadAndSkip = "RngReadAndSkip" {
        inputs: { resource: {Resource}, alg: {I32}, delta: {U64} }, outputs: { value: {I64} },
        types: {}, attrs: {}, host: {},
        arity: none, effect: Writes, infer: infer::read_and_skip, kernel: r::read_and_skip,
    }
}
