//! Initial values of variables.

use super::state::is_float;
use crate::ops::{self, Integers, methods::*};
use crate::random;
use crate::tensor::{Tensor, Variable, call_site};
use crate::types::{DType, Result, bail};

/// The standard deviation of a standard normal distribution that is truncated at two standard deviations.
const TRUNCATED_DEVIATION: f64 = 0.879_625_661_034_239_8;

/// The number of connections by which a [scaled](Initializer::variance_scaling) variance is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fan {
    /// The connections into a unit.
    In,
    /// The connections out of a unit.
    Out,
    /// The mean of both.
    Average,
}

/// The distribution of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Normal; numbers two or more deviations from the mean are drawn again.
    TruncatedNormal,
    /// Normal.
    UntruncatedNormal,
    /// Uniform.
    Uniform,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scheme {
    Constant(f64),
    Identity(f64),
    Normal(f64, f64),
    TruncatedNormal(f64, f64),
    Uniform(f64, f64),
    Scaled(f64, Fan, Distribution),
}

/// Makes initial values of a shape and dtype, as a [`tensor`](Self::tensor) or a
/// [`variable`](Self::variable).
///
/// With a [`seed`](Self::seed) the numbers are the same each time; without one they come from the
/// [generator of the process](crate::random::global_generator). Shapes of kernels are those of
/// Keras: `[in, out]` for dense layers, `[…window, in, out]` for convolutions.
///
/// Keras: `keras.initializers`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::Initializer;
/// let kernel = Initializer::glorot_uniform().seed(1).variable([784, 10], f32)?.name("kernel");
/// let limit = (6.0f32 / 794.0).sqrt();
/// assert!(kernel.read()?.as_slice::<f32>()?.iter().all(|x| x.abs() <= limit));
/// let bias = Initializer::zeros().variable([10], f32)?;
/// assert_eq!(bias.read()?.as_slice::<f32>()?, &[0.0; 10]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Initializer {
    scheme: Scheme,
    seed: Option<i64>,
}

impl Initializer {
    fn of(scheme: Scheme) -> Self {
        Self { scheme, seed: None }
    }

    /// Zeros.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// assert_eq!(Initializer::zeros().tensor([2], f32)?.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn zeros() -> Self {
        Self::constant(0.0)
    }

    /// Ones.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// assert_eq!(Initializer::ones().tensor([2], f32)?.as_slice::<f32>()?, &[1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn ones() -> Self {
        Self::constant(1.0)
    }

    /// The same number everywhere.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// assert_eq!(Initializer::constant(0.5).tensor([2], f32)?.as_slice::<f32>()?, &[0.5, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn constant(value: f64) -> Self {
        Self::of(Scheme::Constant(value))
    }

    /// `gain` on the diagonal of a matrix, zeros elsewhere.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::identity(2.0).tensor([2, 2], f32)?;
    /// assert_eq!(x.as_slice::<f32>()?, &[2.0, 0.0, 0.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn identity(gain: f64) -> Self {
        Self::of(Scheme::Identity(gain))
    }

    /// A normal distribution; Keras's default is a mean of 0 and a deviation of 0.05.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::random_normal(0.0, 0.05).tensor([3, 4], f32)?;
    /// assert_eq!(x.shape(), shape![3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn random_normal(mean: f64, stddev: f64) -> Self {
        Self::of(Scheme::Normal(mean, stddev))
    }

    /// A normal distribution where numbers two or more deviations from the mean are drawn again.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::truncated_normal(0.0, 0.5).tensor([100], f32)?;
    /// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 1.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn truncated_normal(mean: f64, stddev: f64) -> Self {
        Self::of(Scheme::TruncatedNormal(mean, stddev))
    }

    /// Numbers from `low` up to `high`; Keras's default is from -0.05 to 0.05.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::random_uniform(-0.05, 0.05).tensor([100], f32)?;
    /// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 0.05));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn random_uniform(low: f64, high: f64) -> Self {
        Self::of(Scheme::Uniform(low, high))
    }

    /// Random numbers with a variance of `scale` divided by the number of connections of a unit.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Distribution, Fan, Initializer};
    /// let he = Initializer::variance_scaling(2.0, Fan::In, Distribution::Uniform);
    /// let kernel = he.tensor([24, 10], f32)?;
    /// // Numbers up to the root of 3 · 2 / 24.
    /// assert!(kernel.as_slice::<f32>()?.iter().all(|x| x.abs() <= 0.5));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn variance_scaling(scale: f64, fan: Fan, distribution: Distribution) -> Self {
        Self::of(Scheme::Scaled(scale, fan, distribution))
    }

    /// For units such as tanh: a variance of 1 divided by the mean of incoming and outgoing connections. Glorot and
    /// Bengio, 2010.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::glorot_uniform().tensor([6, 18], f32)?;
    /// // The mean of 6 and 18 is 12: numbers up to the root of 3 / 12.
    /// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 0.5));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn glorot_uniform() -> Self {
        Self::variance_scaling(1.0, Fan::Average, Distribution::Uniform)
    }

    /// [`glorot_uniform`](Self::glorot_uniform) with normal numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::glorot_normal().tensor([100, 300], f32)?;
    /// // A variance of 1 over the mean of 100 and 300.
    /// assert!((x.var(..)?.item::<f32>()? - 0.005).abs() < 0.0005);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn glorot_normal() -> Self {
        Self::variance_scaling(1.0, Fan::Average, Distribution::TruncatedNormal)
    }

    /// For relu: a variance of 2 divided by the number of incoming connections. He and others, 2015.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::he_uniform().tensor([24, 10], f32)?;
    /// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 0.5));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn he_uniform() -> Self {
        Self::variance_scaling(2.0, Fan::In, Distribution::Uniform)
    }

    /// [`he_uniform`](Self::he_uniform) with normal numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::he_normal().tensor([200, 100], f32)?;
    /// assert!((x.var(..)?.item::<f32>()? - 0.01).abs() < 0.001);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn he_normal() -> Self {
        Self::variance_scaling(2.0, Fan::In, Distribution::TruncatedNormal)
    }

    /// For selu: a variance of 1 divided by the number of incoming connections. LeCun and others, 1998.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::lecun_uniform().tensor([12, 10], f32)?;
    /// // Numbers up to the root of 3 / 12.
    /// assert!(x.as_slice::<f32>()?.iter().all(|x| x.abs() <= 0.5));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn lecun_uniform() -> Self {
        Self::variance_scaling(1.0, Fan::In, Distribution::Uniform)
    }

    /// [`lecun_uniform`](Self::lecun_uniform) with normal numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::lecun_normal().tensor([100, 100], f32)?;
    /// assert!((x.var(..)?.item::<f32>()? - 0.01).abs() < 0.001);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn lecun_normal() -> Self {
        Self::variance_scaling(1.0, Fan::In, Distribution::TruncatedNormal)
    }

    /// Draws the same numbers each time. Give each variable its own seed: tensors with the same seed begin with the
    /// same numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let kernel = Initializer::glorot_normal().seed(3);
    /// let (x, y) = (kernel.tensor([4, 2], f32)?, kernel.tensor([4, 2], f32)?);
    /// assert_eq!(x.as_slice::<f32>()?, y.as_slice::<f32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// A tensor of these values.
    ///
    /// # Errors
    /// `InvalidArgument` for invalid parameters, for random numbers of a dtype that is not a float, and for an identity
    /// that is not a matrix.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let x = Initializer::ones().tensor([2, 3], f64)?;
    /// assert_eq!((x.shape(), x.dtype()), (shape![2, 3], f64));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn tensor(&self, shape: impl AsRef<[usize]>, dtype: DType) -> Result<Tensor> {
        let _site = call_site!();
        self.make(shape.as_ref(), dtype)
    }

    /// A trainable variable that begins with these values.
    ///
    /// # Errors
    /// As [`tensor`](Self::tensor), and `FailedPrecondition` in a traced function, except inside [`Late`](crate::Late).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Initializer;
    /// let v = Initializer::zeros().variable([3], f32)?;
    /// v.assign_add(tensor![1.0f32, 2.0, 3.0])?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn variable(&self, shape: impl AsRef<[usize]>, dtype: DType) -> Result<Variable> {
        let _site = call_site!();
        Variable::new(self.make(shape.as_ref(), dtype)?)
    }

    fn make(&self, shape: &[usize], dtype: DType) -> Result<Tensor> {
        let sizes = Integers::from(shape);
        match self.scheme {
            Scheme::Constant(value) => ops::fill(sizes, Tensor::scalar(value).cast(dtype)?),
            Scheme::Identity(gain) => match shape {
                [rows, columns] => {
                    ops::mul(&ops::eye(*rows, (ops::options::Columns(*columns), dtype))?, gain)
                }
                _ => bail!("an identity is a matrix, not of shape {shape:?}"),
            },
            _ if !is_float(dtype) => bail!("random initial values are floats, not {dtype}"),
            Scheme::Normal(mean, stddev) => self.normal(sizes, mean, stddev, dtype),
            Scheme::TruncatedNormal(mean, stddev) => self.truncated(sizes, mean, stddev, dtype),
            Scheme::Uniform(low, high) => self.uniform(sizes, low, high, dtype),
            Scheme::Scaled(scale, fan, distribution) => {
                if scale.is_nan() || scale <= 0.0 {
                    bail!("the scale of a variance is {scale}; it must be a positive number");
                }
                let variance = scale / connections(shape, fan).max(1.0);
                let stddev = variance.sqrt();
                match distribution {
                    Distribution::TruncatedNormal => {
                        self.truncated(sizes, 0.0, stddev / TRUNCATED_DEVIATION, dtype)
                    }
                    Distribution::UntruncatedNormal => self.normal(sizes, 0.0, stddev, dtype),
                    Distribution::Uniform => {
                        let limit = (3.0 * variance).sqrt();
                        self.uniform(sizes, -limit, limit, dtype)
                    }
                }
            }
        }
    }

    fn normal(&self, shape: Integers, mean: f64, stddev: f64, dtype: DType) -> Result<Tensor> {
        check_normal(mean, stddev)?;
        match self.seed {
            Some(seed) => random::stateless_normal(shape, [seed, 0], mean, stddev, dtype),
            None => random::normal(shape, mean, stddev, dtype),
        }
    }

    fn truncated(&self, shape: Integers, mean: f64, stddev: f64, dtype: DType) -> Result<Tensor> {
        check_normal(mean, stddev)?;
        match self.seed {
            Some(seed) => random::stateless_truncated_normal(shape, [seed, 0], mean, stddev, dtype),
            None => random::truncated_normal(shape, mean, stddev, dtype),
        }
    }

    fn uniform(&self, shape: Integers, low: f64, high: f64, dtype: DType) -> Result<Tensor> {
        if !(low.is_finite() && high.is_finite() && low <= high) {
            bail!("uniform numbers from {low} to {high}; finite bounds in this order are wanted");
        }
        match self.seed {
            Some(seed) => random::stateless_uniform(shape, [seed, 0], low..high, dtype),
            None => random::uniform(shape, low..high, dtype),
        }
    }
}

fn check_normal(mean: f64, stddev: f64) -> Result<()> {
    if !mean.is_finite() || !stddev.is_finite() || stddev < 0.0 {
        bail!("normal numbers of mean {mean} and deviation {stddev}; finite ones are wanted");
    }
    Ok(())
}

/// The number of connections of a unit, for a dense kernel `[in, out]` or a convolution kernel `[…window, in, out]`.
/// Each place of the window counts.
fn connections(shape: &[usize], fan: Fan) -> f64 {
    let (into, out) = match *shape {
        [] => (1.0, 1.0),
        [n] => (n as f64, n as f64),
        [ref window @ .., into, out] => {
            let places: f64 = window.iter().map(|n| *n as f64).product();
            (into as f64 * places, out as f64 * places)
        }
    };
    match fan {
        Fan::In => into,
        Fan::Out => out,
        Fan::Average => (into + out) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_those_of_dense_and_convolution_kernels() {
        let fans =
            |shape: &[usize]| [Fan::In, Fan::Out, Fan::Average].map(|f| connections(shape, f));
        assert_eq!(fans(&[]), [1.0, 1.0, 1.0]);
        assert_eq!(fans(&[7]), [7.0, 7.0, 7.0]);
        assert_eq!(fans(&[4, 6]), [4.0, 6.0, 5.0]);
        assert_eq!(fans(&[3, 5, 4, 6]), [60.0, 90.0, 75.0]);
    }
}
