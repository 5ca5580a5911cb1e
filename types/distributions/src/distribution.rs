//! The type, and draws.

use extype::prelude::*;
use extype::random::Seed;

/// A distribution, or a batch of distributions of one kind.
///
/// Parameters are of one dtype of floats and have the shape of the batch; that of [`Dirichlet`](Self::Dirichlet) and
/// [`Categorical`](Self::Categorical) has one more last axis, that of a vector or of classes. The functions that make
/// distributions broadcast two parameters to one shape, and give a plain number the dtype of the other. They do not look
/// at the numbers: a deviation below zero gives NaN. The kind is part of the type: a traced function is traced for each.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "distributions.Distribution")]
pub enum Distribution {
    /// The normal distribution.
    Normal {
        /// The mean.
        mean: Tensor,
        /// The standard deviation, above zero.
        deviation: Tensor,
    },
    /// Numbers from `low` to `high`, all as likely.
    Uniform {
        /// The least number.
        low: Tensor,
        /// The greatest number, which only rounding draws.
        high: Tensor,
    },
    /// The gamma distribution; that of exponents has the shape one.
    Gamma {
        /// The shape, above zero.
        concentration: Tensor,
        /// The inverse of the scale.
        rate: Tensor,
    },
    /// The beta distribution, of numbers between zero and one.
    Beta {
        /// The weight of one.
        a: Tensor,
        /// The weight of zero.
        b: Tensor,
    },
    /// Vectors of positive numbers whose sum is one.
    Dirichlet {
        /// The weight of each element: `[…, k]`.
        concentration: Tensor,
    },
    /// One with the probability `sigmoid(logits)`, otherwise zero.
    Bernoulli {
        /// The logarithms of the odds.
        logits: Tensor,
    },
    /// The classes `0 .. k`, with the probabilities `softmax(logits)`. Draws are int64.
    Categorical {
        /// Logarithms of the probabilities, up to a constant: `[…, k]`.
        logits: Tensor,
    },
}

use Distribution::*;

/// The first of two tensors in the shape that both broadcast to. A plain number takes the dtype of the other one.
pub(crate) fn over(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    ops::select(true, x, y)
}

/// Two parameters in one shape, so that each stack of them is that of the distributions.
fn pair(x: impl TensorLike, y: impl TensorLike) -> Result<(Tensor, Tensor)> {
    let (x, y) = (x.lend()?, y.lend()?);
    let pair = over(&x, &y).and_then(|first| Ok((first, ops::select(false, &*x, &*y)?)));
    let (x, y) = pair.map_err(|e| e.prefixed("the parameters"))?;
    Ok((float(x)?, y))
}

fn float(x: impl TensorLike) -> Result<Tensor> {
    let x = x.to_tensor()?;
    match x.dtype() {
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 => Ok(x),
        other => Err(Error::invalid(format!("a parameter of {other}; floats are wanted"))),
    }
}

/// A parameter with a last axis.
fn vector(x: impl TensorLike) -> Result<Tensor> {
    let x = float(x)?;
    let _ = x.shape().with_rank_at_least(1).map_err(|e| e.prefixed("the parameter"))?;
    Ok(x)
}

impl Distribution {
    /// Normal distributions.
    ///
    /// # Errors
    /// `InvalidArgument` for parameters that are no floats of one dtype, or do not broadcast.
    pub fn normal(mean: impl TensorLike, deviation: impl TensorLike) -> Result<Self> {
        let (mean, deviation) = pair(mean, deviation)?;
        Ok(Normal { mean, deviation })
    }

    /// Uniform distributions.
    ///
    /// # Errors
    /// As [`normal`](Self::normal).
    pub fn uniform(low: impl TensorLike, high: impl TensorLike) -> Result<Self> {
        let (low, high) = pair(low, high)?;
        Ok(Uniform { low, high })
    }

    /// Gamma distributions.
    ///
    /// # Errors
    /// As [`normal`](Self::normal).
    pub fn gamma(concentration: impl TensorLike, rate: impl TensorLike) -> Result<Self> {
        let (concentration, rate) = pair(concentration, rate)?;
        Ok(Gamma { concentration, rate })
    }

    /// Beta distributions.
    ///
    /// # Errors
    /// As [`normal`](Self::normal).
    pub fn beta(a: impl TensorLike, b: impl TensorLike) -> Result<Self> {
        let (a, b) = pair(a, b)?;
        Ok(Beta { a, b })
    }

    /// Dirichlet distributions.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, and a parameter that is no float.
    pub fn dirichlet(concentration: impl TensorLike) -> Result<Self> {
        Ok(Dirichlet { concentration: vector(concentration)? })
    }

    /// Bernoulli's distributions.
    ///
    /// # Errors
    /// `InvalidArgument` for a parameter that is no float.
    pub fn bernoulli(logits: impl TensorLike) -> Result<Self> {
        Ok(Bernoulli { logits: float(logits)? })
    }

    /// Distributions of classes.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, and a parameter that is no float.
    pub fn categorical(logits: impl TensorLike) -> Result<Self> {
        Ok(Categorical { logits: vector(logits)? })
    }

    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Normal { .. } => "normal",
            Uniform { .. } => "uniform",
            Gamma { .. } => "gamma",
            Beta { .. } => "beta",
            Dirichlet { .. } => "Dirichlet",
            Bernoulli { .. } => "Bernoulli",
            Categorical { .. } => "categorical",
        }
    }

    /// The dtype of the parameters.
    pub fn dtype(&self) -> DType {
        self.parameters().0.dtype()
    }

    /// The parameters, one of them twice if it is the only one.
    fn parameters(&self) -> (&Tensor, &Tensor) {
        match self {
            Normal { mean: x, deviation: y }
            | Uniform { low: x, high: y }
            | Gamma { concentration: x, rate: y }
            | Beta { a: x, b: y } => (x, y),
            Dirichlet { concentration: x }
            | Bernoulli { logits: x }
            | Categorical { logits: x } => (x, x),
        }
    }

    /// A tensor of the dtype of the parameters, and of the shape that they broadcast to.
    pub(crate) fn whole(&self) -> Result<Tensor> {
        let (x, y) = self.parameters();
        over(x, y)
    }

    /// The distributions of numbers as a batch of the shape that it and a tensor broadcast to.
    pub(crate) fn over(&self, other: &Tensor) -> Result<Self> {
        let (x, y) = self.parameters();
        let (x, y) = (over(x, other)?, over(y, other)?);
        Ok(match self {
            Normal { .. } => Normal { mean: x, deviation: y },
            Uniform { .. } => Uniform { low: x, high: y },
            Gamma { .. } => Gamma { concentration: x, rate: y },
            Beta { .. } => Beta { a: x, b: y },
            Dirichlet { .. } => Dirichlet { concentration: x },
            Bernoulli { .. } => Bernoulli { logits: x },
            Categorical { .. } => Categorical { logits: x },
        })
    }

    /// Draws: the shape, then that of the batch, then for [`Dirichlet`](Self::Dirichlet) that of a vector. The same seed
    /// gives the same numbers. Gradients reach the parameters, except those of [`Bernoulli`](Self::Bernoulli) and
    /// [`Categorical`](Self::Categorical), whose draws are no smooth functions of them.
    ///
    /// # Errors
    /// `InvalidArgument` for a negative size.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_distributions::Distribution;
    /// let p = Distribution::categorical([[0.0f32, -100.0], [-100.0, 0.0]])?;
    /// assert_eq!(p.sample(3, random::Seed(7))?.as_slice::<i64>()?, &[0, 1, 0, 1, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn sample(&self, shape: impl ops::IntegersLike, seed: Seed) -> Result<Tensor> {
        let shape = shape.into().to_tensor()?.cast(DType::I64)?.reshape([-1])?;
        match self {
            Dirichlet { concentration } => {
                random::dirichlet(concentration, &shape, (self.dtype(), seed))
            }
            _ => self.draw(&ops::concat(&[&shape, &sizes(&self.whole()?)?], 0)?, seed),
        }
    }

    /// Draws in this shape, which ends with that of the parameters; of classes without their axis.
    pub(crate) fn draw(&self, shape: &Tensor, seed: Seed) -> Result<Tensor> {
        let options = (self.dtype(), seed);
        // Numbers of 16 bits are too coarse to choose by.
        let fine = if self.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        match self {
            Normal { mean, deviation } => {
                let x = random::normal(shape, 0.0, 1.0, options)?;
                ops::add(&ops::mul(&x, deviation)?, mean)
            }
            Uniform { low, high } => {
                let x = random::uniform(shape, .., options)?;
                ops::add(&ops::mul(&x, &ops::sub(high, low)?)?, low)
            }
            Gamma { concentration, rate } => {
                ops::div(&random::gamma(concentration, shape, options)?, rate)
            }
            Beta { a, b } => random::beta(a, b, shape, options),
            Dirichlet { .. } => Err(Error::internal("vectors are drawn by their own function")),
            Bernoulli { logits } => {
                let x = random::uniform(shape, .., (fine, seed))?;
                ops::less(&x, &logits.cast(fine)?.sigmoid()?)?.cast(self.dtype())
            }
            Categorical { logits } => {
                // The class whose logit, with noise of Gumbel's distribution, is the largest.
                let x = random::uniform(shape, .., (fine, seed))?;
                let noise = ops::neg(&ops::neg(&x.log()?)?.log()?)?;
                ops::add(&logits.cast(fine)?, &noise)?.argmax(-1)
            }
        }
    }
}

/// The sizes of a tensor: an int64 vector, constant if they are known.
pub(crate) fn sizes(x: &Tensor) -> Result<Tensor> {
    match ops::Integers::of_shape(&x.shape()) {
        Some(sizes) => sizes.to_tensor()?.cast(DType::I64),
        None => ops::shape_of(x)?.cast(DType::I64),
    }
}
