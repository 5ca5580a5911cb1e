//! Tensors with missing entries, for whoever knows `numpy.ma`.
//!
//! [`MaskedTensor`] is a tensor of values and a bool tensor of the same shape. Both are written
//! with `extype`'s public macros only: a masked tensor goes where a tensor goes, into ops,
//! operators, traced functions and gradients. [`Masked`] marks the rows of any value, of an
//! extension type of another crate too.
//!
//! **The mask is true where an entry is valid.** NumPy's is true where an entry is masked:
//!
//! | `numpy.ma` | here |
//! | --- | --- |
//! | `ma.array(x, mask=~valid)` | [`MaskedTensor::new`]`(x, valid)` |
//! | `ma.masked_where(c, x)`, `ma.array(x, mask=c)` | [`MaskedTensor::masked_where`]`(&c, &x)` |
//! | `ma.masked_equal(x, -999)` | [`MaskedTensor::from_sentinel`]`(x, -999)` |
//! | `ma.masked_invalid(x)` | [`MaskedTensor::from_nan`]`(x)`; [`m.only_finite()`](MaskedTensor::only_finite) for infinities too |
//! | `ma.array(x)`, `ma.masked_all(shape)` | [`MaskedTensor::all_valid`]`(x)`, [`MaskedTensor::all_missing`]`(dtype, shape)` |
//! | no counterpart | [`MaskedTensor::from_options`]`(&[Some(1.0), None])`, [`m.to_options()`](MaskedTensor::to_options) |
//! | `m.data`, `~m.mask` | the fields `m.values`, `m.mask` |
//! | `m.mask`, `ma.is_masked(m)` | [`m.missing()`](MaskedTensor::missing), [`m.is_masked()`](MaskedTensor::is_masked) |
//! | `m.filled(v)`, `m.compressed()` | [`m.fill(v)`](MaskedTensor::fill), [`m.compressed()`](MaskedTensor::compressed) |
//! | `m.count(axis)` | [`m.count(axes)`](MaskedTensor::count) |
//!
//! ```
//! use extype::prelude::*;
//! use extype_masked::MaskedTensor;
//!
//! let m = MaskedTensor::from_options(&[Some(1.0), None, Some(5.0)])?;
//! let doubled = &m * 2.0;
//! assert_eq!(doubled.to_string(), "[ 2.  -- 10.]");
//! let mean = ops::reduce_mean(&m, .., false)?;
//! assert_eq!(mean.values.item::<f64>()?, 3.0);
//!
//! #[tf_function]
//! fn centred(m: &MaskedTensor) -> Result<MaskedTensor> {
//!     ops::sub(m, ops::reduce_mean(m, .., KeepDims)?)
//! }
//! assert_eq!(centred(&m)?.to_string(), "[-2.  --  2.]");
//! # Ok::<(), Error>(())
//! ```
//!
//! # What ops mean
//!
//! | op | the result's values | an entry of the result is valid where |
//! | --- | --- | --- |
//! | every unary elementwise op, `bias_add` with a plain bias | the op of the values | the operand's is |
//! | every binary elementwise op, comparisons too; with masked tensors, tensors and numbers on either side, broadcasting | the op of the values | both operands' are |
//! | `select` | chosen by the condition | the condition's and the chosen one are |
//! | every reduction: `reduce_sum`, `reduce_prod`, `reduce_mean`, `reduce_min`, `reduce_max`, `reduce_any`, `reduce_all`, `reduce_euclidean_norm`; `l2_loss` | those of the valid entries | some entry is |
//! | `argmax`, `argmin` | the place of a valid entry | some entry is |
//! | [`variance`](MaskedTensor::variance), [`standard_deviation`](MaskedTensor::standard_deviation) | those of the valid entries | there are more than `ddof` |
//! | `reshape`, `transpose`, `expand_dims`, `squeeze`, `broadcast_to`, `ensure_shape`, `slice`, `index`, `reverse`, `reverse_sequence`, `roll`, `tile`, `mirror_pad`, `concat`, `stack`, `split`, `split_sizes`, `unstack`, `dynamic_partition`, `space_to_depth` and its like; `gather` and `gather_nd` at plain indices | moved | moved alike |
//! | `pad` | zeros around | the padded entry is; what is added is missing |
//! | `pad_with` | a value around | the padded entry is; what is added is valid |
//! | `add_n` | the sum of the values | all are |
//! | `cumsum`, `cumprod`, `cumulative_logsumexp` | those of the valid entries so far | the operand's is, as in `ma.cumsum` |
//! | `softmax`, `log_softmax` | of the valid entries of each row | the operand's is |
//! | `cummax`, `cummin` | the extremes of the valid entries so far | the operand's is |
//! | `var`, `std` | those of the valid entries, as [`variance`](MaskedTensor::variance) | there are more than `Ddof` |
//! | other functions of these ops: `ptp`, `average`, `moments`, `isclose`, `take`, `flip`, `diff`, `outer`, … | as their ops say | as their ops say |
//! | `matmul`, `batch_matmul` | missing entries count as zeros | some pair of valid entries meets, as in `ma.dot(a, b)` |
//! | [`matmul_strict`](MaskedTensor::matmul_strict) | missing entries count as zeros | its row and its column are all valid, as in `ma.dot(a, b, strict=True)` |
//!
//! Other ops refuse masked tensors at compile time; `fill` makes a tensor for them.
//!
//! # Where `numpy.ma` differs
//!
//! * **Domains.** Ops outside their domain give what they give for tensors: `log` of -1 is NaN,
//!   and valid. `numpy.ma` masks such results; [`only_finite`](MaskedTensor::only_finite) after
//!   the op does: `m.log()?.only_finite()?`, `(&m / &n).only_finite()?`. An integer division by a
//!   valid zero is an error; [`only_nonzero`](MaskedTensor::only_nonzero) takes zeros out of a
//!   divisor. A missing divisor is never divided by.
//! * **Dtypes.** Operands have one dtype, as tensors do; the mean of integers is an integer.
//! * **Scalars.** The reduction of a whole tensor is a masked tensor of rank 0; there is no
//!   constant `masked`.
//! * **Values at missing entries** mean nothing and are not kept by ops.
//!
//! # Gradients
//!
//! Gradients are those of the values. A result that no missing entry reaches, such as a sum, a
//! mean or a filled tensor, has zero gradients for missing entries, also where the derivative
//! there is infinite (`log` at a missing zero). The one thing to avoid is NaN or infinity *at* a
//! missing entry, which only [`MaskedTensor::new`] lets through: zero times NaN is NaN.
//!
//! ```
//! use extype::prelude::*;
//! use extype_masked::MaskedTensor;
//! let m = MaskedTensor::from_options(&[Some(1.0), None, Some(4.0)])?;
//! let loss = |m: &MaskedTensor| ops::reduce_sum(ops::log(m)?, .., false);
//! assert_eq!(grad(loss)(&m)?.values.as_slice::<f64>()?, &[1.0, 0.0, 0.25]);
//! # Ok::<(), Error>(())
//! ```

mod access;
mod display;
mod elementwise;
mod entries;
mod generic;
mod moving;
mod products;
mod reductions;
mod scans;
mod tensor;

pub use entries::Entries;
pub use generic::{Masked, MaskedSpec};
pub use tensor::{MaskedTensor, MaskedTensorSpec};
