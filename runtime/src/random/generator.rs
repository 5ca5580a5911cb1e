//! Generators: a key and a counter in a variable.

use std::hash::{BuildHasher, Hasher, RandomState};

use super::stream::{PHILOX, Stream};
use super::{Bounds, Parameter, stateless_shuffle};
use crate::array::Array;
use crate::ops::methods::*;
use crate::ops::{
    self, Apply1, Integers, IntegersLike, Op, Operand, RngReadAndSkip, StatefulRandomBinomial,
    StatelessShuffle,
};
use crate::spec::{Module, ModuleState, ModuleVisitor, VariableCopies};
use crate::tensor::{Tensor, Variable, call_site};
use crate::types::{DType, Result, Shape, err};

/// A random-number generator with its state in a variable. Every draw advances the state, so draws differ and
/// can still be repeated from the seed. Clones share the state.
///
/// A traced function holds a generator by reference, like any variable: each call draws new numbers, in
/// program order. A generator can be a field of a [`Module`](crate::Module).
///
/// TensorFlow: `tf.random.Generator` with the algorithm Philox.
///
/// ```
/// use extype::prelude::*;
/// use extype::random::Generator;
/// let (a, b) = (Generator::from_seed(7)?, Generator::from_seed(7)?);
/// let (x, y) = (a.normal([2], 0.0, 1.0, f32)?, a.normal([2], 0.0, 1.0, f32)?);
/// assert_ne!(x.as_slice::<f32>()?, y.as_slice::<f32>()?);
/// assert_eq!(x.as_slice::<f32>()?, b.normal([2], 0.0, 1.0, f32)?.as_slice::<f32>()?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator {
    state: Variable,
}

impl Generator {
    /// A generator from a seed. Generators of neighbouring seeds draw overlapping numbers; use
    /// [`split`](Self::split) for independent ones.
    ///
    /// # Errors
    /// `FailedPrecondition` in a traced function, which can't create variables.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let x = Generator::from_seed(7)?.uniform([3], .., f32)?;
    /// let y = Generator::from_seed(7)?.uniform([3], .., f32)?;
    /// assert_eq!(x.as_slice::<f32>()?, y.as_slice::<f32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_seed(seed: i64) -> Result<Self> {
        Self::new(&seeded(seed))
    }

    /// A generator from a key and a counter, low half first.
    ///
    /// # Errors
    /// As [`from_seed`](Self::from_seed).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let g = Generator::from_key_counter(9, [1, 2])?;
    /// assert_eq!(g.state().read()?.as_slice::<i64>()?, &[1, 2, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_key_counter(key: u64, counter: [u64; 2]) -> Result<Self> {
        Self::new(&[counter[0] as i64, counter[1] as i64, key as i64])
    }

    /// A generator with the state of another: int64 of shape `[3]`, counter and key.
    ///
    /// # Errors
    /// `InvalidArgument` for other tensors and as [`from_seed`](Self::from_seed).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let a = Generator::from_seed(7)?;
    /// let b = Generator::from_state(&a.state().read()?)?;
    /// assert_eq!(a.uniform([1], .., f32)?.item::<f32>()?, b.uniform([1], .., f32)?.item::<f32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_state(state: &Tensor) -> Result<Self> {
        match state.as_slice::<i64>()? {
            state @ [_, _, _] => Self::new(state),
            _ => Err(wrong_state(state)),
        }
    }

    /// A generator with an unpredictable state.
    ///
    /// # Errors
    /// As [`from_seed`](Self::from_seed).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let (a, b) = (Generator::from_non_deterministic_state()?, Generator::from_non_deterministic_state()?);
    /// assert_ne!(a.uniform([4], .., i64)?.to_vec::<i64>()?, b.uniform([4], .., i64)?.to_vec::<i64>()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_non_deterministic_state() -> Result<Self> {
        // The keys of the standard library's hash tables are random.
        let word = || RandomState::new().build_hasher().finish();
        Self::from_key_counter(word(), [word(), word()])
    }

    fn new(state: &[i64]) -> Result<Self> {
        let state = Tensor::Value(Array::from_i64s(state));
        let state = Variable::with_shape(&state, Shape::from(&[3usize][..]))?.not_trainable();
        Ok(Self { state: state.name("Generator") })
    }

    /// The state: int64 of shape `[3]`, the counter's low and high half and the key.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let g = Generator::from_key_counter(9, [0, 0])?;
    /// let kept = g.state().read()?;
    /// let x = g.normal([3], 0.0, 1.0, f32)?;
    /// g.state().assign(&kept)?;
    /// assert_eq!(g.normal([3], 0.0, 1.0, f32)?.as_slice::<f32>()?, x.as_slice::<f32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn state(&self) -> &Variable {
        &self.state
    }

    /// The key, a uint64 scalar.
    ///
    /// # Errors
    /// As [`Variable::read`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let g = Generator::from_key_counter(9, [1, 2])?;
    /// assert_eq!(g.key()?.item::<u64>()?, 9);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn key(&self) -> Result<Tensor> {
        let _site = call_site!();
        self.state.read()?.gather(&Tensor::scalar(2i32), 0)?.cast(DType::U64)
    }

    /// Resets the state to that of [`from_seed`](Self::from_seed).
    ///
    /// # Errors
    /// As [`Variable::assign`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let g = Generator::from_seed(7)?;
    /// let x = g.uniform([3], .., f32)?;
    /// g.reset_from_seed(7)?;
    /// assert_eq!(g.uniform([3], .., f32)?.as_slice::<f32>()?, x.as_slice::<f32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn reset_from_seed(&self, seed: i64) -> Result<()> {
        self.state.assign(Tensor::Value(Array::from_i64s(&seeded(seed))))
    }

    /// Sets the state to that of another generator: int64 of shape `[3]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other tensors.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let (a, b) = (Generator::from_seed(7)?, Generator::from_seed(8)?);
    /// b.reset(&a.state().read()?)?;
    /// assert_eq!(a.uniform([3], .., f32)?.as_slice::<f32>()?, b.uniform([3], .., f32)?.as_slice::<f32>()?);
    /// assert!(b.reset(&tensor![1i64, 2]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn reset(&self, state: &Tensor) -> Result<()> {
        self.state.assign(state)
    }

    /// Advances the counter as if `delta` numbers had been drawn, and returns the state (int64, `[3]`) from
    /// before. `delta` is a uint64 scalar.
    ///
    /// # Errors
    /// `InvalidArgument` for other tensors.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let (a, b) = (Generator::from_seed(7)?, Generator::from_seed(7)?);
    /// a.uniform([5], .., f32)?;
    /// let before = b.skip(5)?;
    /// assert_eq!(before.as_slice::<i64>()?, &[7, 0, 0]);
    /// assert_eq!(a.state().read()?.as_slice::<i64>()?, b.state().read()?.as_slice::<i64>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn skip(&self, delta: impl Parameter) -> Result<Tensor> {
        let _site = call_site!();
        let delta = delta.of_dtype(DType::U64)?;
        RngReadAndSkip {}.run(&[self.state.handle(), &Tensor::scalar(PHILOX), &delta])
    }

    /// The shape as a tensor and the stream for a draw of it. Advances the generator past the stream.
    fn stream(&self, shape: &Integers) -> Result<(Tensor, Stream)> {
        let count = match shape.known() {
            Some(sizes) => Tensor::scalar(sizes.iter().try_fold(1u64, |n, size| {
                let size = u64::try_from(*size);
                size.map(|size| n.wrapping_mul(size))
                    .map_err(|_| err!("a size in `shape` {sizes:?} is negative"))
            })?),
            None => shape.to_tensor()?.reduce_prod(.., false)?.cast(DType::U64)?,
        };
        let state = self.skip(&count)?.cast(DType::U64)?;
        let stream = Stream { key: state.slice([2], [1])?, counter: state.slice([0], [2])? };
        Ok((shape.to_tensor()?, stream))
    }

    /// Uniformly distributed numbers, in `[low, high)` for the bounds `low..high`. For `..`, floats are in
    /// `[0, 1)` and integers in the whole range of the dtype.
    ///
    /// TensorFlow: `Generator.uniform`, and `uniform_full_int` for integers and `..`.
    ///
    /// # Errors
    /// As [`stateless_uniform`](super::stateless_uniform).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let x = Generator::from_seed(7)?.uniform([2, 2], -1.0..1.0, f32)?;
    /// assert!(x.as_slice::<f32>()?.iter().all(|x| (-1.0..1.0).contains(x)));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn uniform(
        &self,
        shape: impl IntegersLike,
        bounds: impl Bounds,
        dtype: DType,
    ) -> Result<Tensor> {
        let _site = call_site!();
        let (shape, stream) = self.stream(&shape.into())?;
        stream.uniform(&shape, &bounds, dtype)
    }

    /// Floats of a normal distribution.
    ///
    /// # Errors
    /// As [`stateless_normal`](super::stateless_normal).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let x = Generator::from_seed(7)?.normal([2, 3], 10.0, 0.5, f64)?;
    /// assert_eq!((x.shape(), x.dtype()), (shape![2, 3], f64));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn normal(
        &self,
        shape: impl IntegersLike,
        mean: impl Parameter,
        stddev: impl Parameter,
        dtype: DType,
    ) -> Result<Tensor> {
        let _site = call_site!();
        let (shape, stream) = self.stream(&shape.into())?;
        stream.normal(&shape, &mean, &stddev, dtype)
    }

    /// Floats of a truncated normal distribution: numbers two standard deviations or more from the mean are
    /// drawn again.
    ///
    /// # Errors
    /// As [`stateless_normal`](super::stateless_normal).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let x = Generator::from_seed(7)?.truncated_normal([100], 0.0, 1.0, f32)?;
    /// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 2.0));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn truncated_normal(
        &self,
        shape: impl IntegersLike,
        mean: impl Parameter,
        stddev: impl Parameter,
        dtype: DType,
    ) -> Result<Tensor> {
        let _site = call_site!();
        let (shape, stream) = self.stream(&shape.into())?;
        stream.truncated_normal(&shape, &mean, &stddev, dtype)
    }

    /// How often events of the probabilities `probs` occur in `counts` trials, in a dtype of floats, int32 or int64.
    ///
    /// # Errors
    /// As [`stateless_binomial`](super::stateless_binomial).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let x = Generator::from_seed(7)?.binomial([5], &scalar(9.0f32), &scalar(0.3f32), i32)?;
    /// assert!(x.as_slice::<i32>()?.iter().all(|n| (0..=9).contains(n)));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn binomial(
        &self,
        shape: impl IntegersLike,
        counts: &Tensor,
        probs: &Tensor,
        dtype: DType,
    ) -> Result<Tensor> {
        let _site = call_site!();
        let (shape, alg) = (shape.into().to_tensor()?, Tensor::scalar(i64::from(PHILOX)));
        let op = StatefulRandomBinomial { dtype };
        op.run(&[self.state.handle(), &alg, &shape, counts, probs])
    }

    /// The rows (along axis 0) of a tensor in a random order. Advances the generator by one.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let mut x = Generator::from_seed(7)?.shuffle(&tensor![1, 2, 3])?.to_vec::<i32>()?;
    /// x.sort();
    /// assert_eq!(x, [1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn shuffle<X: Operand>(
        &self,
        value: X,
    ) -> Result<<X::Value as Apply1<StatelessShuffle>>::Output>
    where
        X::Value: Apply1<StatelessShuffle>,
    {
        let _site = call_site!();
        stateless_shuffle(value, self.make_seeds(1)?.reshape([2])?)
    }

    /// Seeds for functions that begin with `stateless_`: int64 of shape `[2, count]`, one seed per column.
    ///
    /// # Errors
    /// As [`uniform`](Self::uniform).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// assert_eq!(Generator::from_seed(7)?.make_seeds(3)?.shape(), shape![2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn make_seeds(&self, count: usize) -> Result<Tensor> {
        let _site = call_site!();
        let keys = self.uniform([count], .., DType::I64)?;
        ops::stack(&[&keys, &keys.zeros_like()?], 0)
    }

    /// Generators that are independent of this one and of each other.
    ///
    /// # Errors
    /// `FailedPrecondition` in a traced function, which can't create variables.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// let parts = Generator::from_seed(7)?.split(2)?;
    /// assert_ne!(parts[0].key()?.item::<u64>()?, parts[1].key()?.item::<u64>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn split(&self, count: usize) -> Result<Vec<Self>> {
        let _site = call_site!();
        let keys = self.uniform([count], .., DType::I64)?;
        keys.as_slice::<i64>()?.iter().map(|key| Self::new(&[0, 0, *key])).collect()
    }
}

/// The initial state for a seed: the sign-extended seed as counter and key.
fn seeded(seed: i64) -> [i64; 3] {
    let sign = seed >> 63;
    [seed, sign, sign]
}

fn wrong_state(state: &Tensor) -> crate::types::Error {
    err!("the state of a generator is int64 of shape [3], not {}", state.tensor_type())
}

impl Module for Generator {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        visitor.file_name("_state_var");
        self.state.visit_at("state".into(), visitor);
    }

    fn copied(&self, copies: &VariableCopies) -> Result<Self> {
        Ok(Self { state: copies.of_variable(&self.state) })
    }
}
