//! The type, and draws.

use extype::prelude::*;
use extype::random::Seed;

/// A distribution, or a batch of distributions of one kind.
///
/// Parameters are of one dtype of floats and broadcast to the shape of the batch; that of [`Dirichlet`](Self::Dirichlet)
/// and [`Categorical`](Self::Categorical) has one more last axis, that of a vector or of classes. The kind is part of the
/// type: a traced function is traced for each.
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
    /// Numbers from `low` to below `high`, all as likely.
    Uniform {
        /// The least number.
        low: Tensor,
        /// What all numbers are below of.
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

/// Two parameters, of which the second takes the dtype of the first if it is a plain number.
fn pair(x: impl TensorLike, y: impl TensorLike) -> Result<(Tensor, Tensor)> {
    let (x, y) = (float(x)?, float(y)?);
    if x.dtype() != y.dtype() {
        let (x, y) = (x.dtype(), y.dtype());
        return Err(Error::invalid(format!("parameters of {x} and {y}; cast one of them")));
    }
    let _ = x.shape().broadcast(&y.shape()).map_err(|e| e.prefixed("the parameters"))?;
    Ok((x, y))
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

    fn parameters(&self) -> (&Tensor, Option<&Tensor>) {
        match self {
            Normal { mean: x, deviation: y }
            | Uniform { low: x, high: y }
            | Gamma { concentration: x, rate: y }
            | Beta { a: x, b: y } => (x, Some(y)),
            Dirichlet { concentration: x }
            | Bernoulli { logits: x }
            | Categorical { logits: x } => (x, None),
        }
    }

    /// The shape of the batch, as an int64 vector.
    pub(crate) fn batch(&self) -> Result<Tensor> {
        let (x, y) = self.parameters();
        let both = match y {
            Some(y) => ops::add(&x.zeros_like()?, &y.zeros_like()?)?,
            None => x.clone(),
        };
        let sizes = match ops::Integers::of_shape(&both.shape()) {
            Some(sizes) => sizes.to_tensor()?,
            None => ops::shape_of(&both)?.cast(DType::I64)?,
        };
        match self {
            Dirichlet { .. } | Categorical { .. } => {
                sizes.slice([0], &ops::sub(ops::size(&sizes)?, 1)?.reshape([1])?)
            }
            _ => Ok(sizes),
        }
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
        let whole = ops::concat(&[&shape, &self.batch()?], 0)?;
        let options = (self.dtype(), seed);
        match self {
            Normal { mean, deviation } => {
                let x = random::normal(&whole, 0.0, 1.0, options)?;
                ops::add(&ops::mul(&x, deviation)?, mean)
            }
            Uniform { low, high } => {
                let x = random::uniform(&whole, .., options)?;
                ops::add(&ops::mul(&x, &ops::sub(high, low)?)?, low)
            }
            Gamma { concentration, rate } => {
                ops::div(&random::gamma(concentration, &whole, options)?, rate)
            }
            Beta { a, b } => random::beta(a, b, &whole, options),
            Dirichlet { concentration } => random::dirichlet(concentration, &shape, options),
            Bernoulli { logits } => {
                let x = random::uniform(&whole, .., options)?;
                ops::less(&x, &logits.sigmoid()?)?.cast(self.dtype())
            }
            Categorical { logits } => {
                // The class whose logit, with noise of Gumbel's distribution, is the largest.
                let classes = ops::shape_of(logits)?
                    .cast(DType::I64)?
                    .slice([-1 + logits_rank(logits)?], [1])?;
                let each = ops::concat(&[&whole, &classes], 0)?;
                let u = random::uniform(&each, .., options)?;
                // Zero is drawn, one is not.
                let noise = ops::neg(&ops::neg(&ops::neg(&u)?.log1p()?)?.log()?)?;
                ops::add(logits, &noise)?.argmax(-1)
            }
        }
    }
}

fn logits_rank(logits: &Tensor) -> Result<i64> {
    let unknown = || Error::invalid("the rank of the logits is known while tracing");
    Ok(logits.rank().ok_or_else(unknown)? as i64)
}
