//! TensorFlow's random ops with parameters: gamma, Poisson, binomial, truncated normal.
//!
//! The requested shape ends with the shape that the parameters broadcast to. Numbers come from the generator Philox, for
//! a seed of two integers or a key and a counter.

use super::{FULL, sampling};
use crate::define_op;
use crate::types::{DType, DTypeSet};

/// The dtypes of counts that are drawn, and of rates.
pub(super) const COUNTS: DTypeSet =
    DTypeSet::of(&[DType::F16, DType::F32, DType::F64, DType::I32, DType::I64]);

/// The dtypes of parameters of which TensorFlow draws no bfloat16.
const PARAMETERS: DTypeSet = DTypeSet::of(&[DType::F16, DType::F32, DType::F64]);

define_op! {
    /// Draws numbers of the gamma distribution with the shapes `alpha` and scale one. The gradient with respect to
    /// `alpha` is that of implicit reparameterization, [`random_gamma_grad()`].
    ///
    /// TensorFlow: `StatelessRandomGammaV2`.
    ///
    /// [`random_gamma_grad()`]: crate::ops::random_gamma_grad()
    pub op StatelessRandomGammaV2 = "StatelessRandomGammaV2" {
        inputs: { shape: T, seed: Tseed, alpha: dtype }, outputs: { output: dtype },
        types: { T: DTypeSet::INDEX, Tseed: FULL, dtype: DTypeSet::FLOAT },
        dispatch: none,
        infer: sampling::infer_seeded, kernel: sampling::gamma_v2,
        gradient: sampling::gamma_gradient,
    }

    /// Draws as [`StatelessRandomGammaV2`] does, for a key and a counter.
    ///
    /// TensorFlow: `StatelessRandomGammaV3`.
    pub op StatelessRandomGammaV3 = "StatelessRandomGammaV3" {
        inputs: { shape: shape_dtype, key: {U64}, counter: {U64}, alg: {I32}, alpha: dtype }, outputs: { output: dtype },
        types: { shape_dtype: DTypeSet::INDEX, dtype: DTypeSet::FLOAT },
        dispatch: none,
        infer: sampling::infer_keyed, kernel: sampling::gamma_v3,
        gradient: sampling::gamma_gradient,
    }

    /// Draws counts of the Poisson distribution with these rates. A rate that is negative or not finite gives NaN,
    /// which is zero for integers.
    ///
    /// TensorFlow: `StatelessRandomPoisson`.
    pub op StatelessRandomPoisson = "StatelessRandomPoisson" {
        inputs: { shape: T, seed: Tseed, lam: Rtype }, outputs: { output: dtype },
        types: { T: DTypeSet::INDEX, Tseed: FULL, Rtype: COUNTS }, attrs: { dtype: DType = DType::I64 },
        dispatch: none,
        infer: sampling::infer_counts, kernel: sampling::poisson,
        gradient: none,
    }

    /// Draws how often events of these probabilities occur in these counts of trials. A count of zero or less gives
    /// zero.
    ///
    /// TensorFlow: `StatelessRandomBinomial`.
    pub op StatelessRandomBinomial = "StatelessRandomBinomial" {
        inputs: { shape: S, seed: Tseed, counts: T, probs: T }, outputs: { output: dtype },
        types: { S: DTypeSet::INDEX, Tseed: FULL, T: PARAMETERS }, attrs: { dtype: DType = DType::I64 },
        dispatch: none,
        infer: sampling::infer_counts, kernel: sampling::binomial,
        gradient: none,
    }

    /// Draws as [`StatelessRandomBinomial`] does, from a generator whose state the variable holds, and advances it.
    ///
    /// TensorFlow: `StatefulRandomBinomial`.
    pub op StatefulRandomBinomial = "StatefulRandomBinomial" {
        inputs: { resource: {Resource}, algorithm: {I64}, shape: S, counts: T, probs: T }, outputs: { output: dtype },
        types: { S: DTypeSet::INDEX, T: PARAMETERS }, attrs: { dtype: DType = DType::I64 },
        dispatch: none,
        effect: Writes,
        infer: sampling::infer_stateful, kernel: sampling::stateful_binomial,
        gradient: none,
    }

    /// Draws normal numbers between two bounds, of which one may be infinite. float16 is computed in float32.
    ///
    /// TensorFlow: `StatelessParameterizedTruncatedNormal`.
    pub op StatelessParameterizedTruncatedNormal = "StatelessParameterizedTruncatedNormal" {
        inputs: { shape: S, seed: Tseed, means: dtype, stddevs: dtype, minvals: dtype, maxvals: dtype },
        outputs: { output: dtype },
        types: { S: DTypeSet::INDEX, Tseed: FULL, dtype: PARAMETERS },
        dispatch: none,
        infer: sampling::infer_seeded, kernel: sampling::truncated,
        gradient: sampling::truncated_gradient,
    }

    /// The places of `index` in pseudorandom orders of `0..=max_index`, which the seeds (three integers) choose. So a
    /// long range is shuffled without a list of it.
    ///
    /// TensorFlow: `RandomIndexShuffle`. Scalars, or a vector of indices with scalars or vectors; `rounds` is even,
    /// from 4 to 1024.
    pub op RandomIndexShuffle = "RandomIndexShuffle" {
        inputs: { index: dtype, seed: Tseed, max_index: dtype }, outputs: { output: dtype },
        types: { dtype: FULL, Tseed: FULL }, attrs: { rounds: i64 = 4 },
        dispatch: none,
        infer: sampling::infer_index_shuffle, kernel: sampling::index_shuffle,
        gradient: none,
    }
}
