//! The part that differs between optimizers: how a variable changes by its gradient.

use std::fmt::Debug;
use std::sync::Arc;

pub use super::step::{Parameter, Slot, Step};
use crate::ops::{self, IndexedSlices, methods::*};
use crate::tensor::{Tensor, Variable};
use crate::types::{DType, Result, bail};

/// Changes one variable.
pub type Update<'a> = Box<dyn Fn(&Parameter<'_>) -> Result<()> + 'a>;

/// Changes the rows of one variable that slices name. Other rows stay unchanged, and there is no weight decay.
pub type SlicesUpdate<'a> = Box<dyn Fn(&Variable, &IndexedSlices) -> Result<()> + 'a>;

/// How an optimizer changes a variable by its gradient. Everything else (the step, the learning rate, clipping, weight
/// decay, averages) is done by [`Optimizer`](super::Optimizer).
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
///
/// /// Steps of one size, whatever the size of the gradient.
/// #[derive(Clone, Debug)]
/// struct SignDescent;
///
/// impl Rule for SignDescent {
///     fn name(&self) -> &'static str {
///         "sign_descent"
///     }
///     fn begin(&self, step: &Step) -> Result<Update<'_>> {
///         let rate = step.fit(step.rate())?;
///         Ok(Box::new(move |p: &Parameter| p.subtract(&ops::mul(&p.gradient().sign()?, &rate)?)))
///     }
/// }
///
/// let w = Variable::new(tensor![1.0f32, -1.0])?;
/// let optimizer = Optimizer::of(SignDescent, 0.25);
/// optimizer.apply_gradients([(Some(tensor![9.0f32, -0.1]), w.clone())])?;
/// assert_eq!(w.read()?.as_slice::<f32>()?, &[0.75, -0.75]);
/// # Ok::<(), Error>(())
/// ```
pub trait Rule: Debug + Send + Sync + 'static {
    /// The prefix for the names of the state: `adam`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Adam, Rule, SGD};
    /// let optimizers = [SGD::new(0.1).erased(), Adam::new(0.1).erased()];
    /// assert_eq!(optimizers.map(|o| o.rule().name()), ["sgd", "adam"]);
    /// # Ok::<(), Error>(())
    /// ```
    fn name(&self) -> &'static str;

    /// Refuses invalid settings.
    ///
    /// # Errors
    /// `InvalidArgument`, with the setting.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Rule, SGD};
    /// let refused = SGD::new(0.1).momentum(2.0).rule().check().unwrap_err();
    /// assert_eq!(refused.message(), "`momentum` is 2; it must be between 0 and 1");
    /// # Ok::<(), Error>(())
    /// ```
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// The state of each variable, of its dtype and shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Adam, Rule, SGD, Slot};
    /// assert!(SGD::new(0.1).rule().slots().is_empty());
    /// assert_eq!(Adam::new(0.1).rule().slots(), [Slot::zeros("momentum"), Slot::zeros("velocity")]);
    /// # Ok::<(), Error>(())
    /// ```
    fn slots(&self) -> Vec<Slot> {
        Vec::new()
    }

    /// State of the whole optimizer: float32 scalars.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Nadam, Rule, Slot};
    /// assert_eq!(Nadam::new(0.1).rule().totals(), [Slot::filled("u_product", 1.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    fn totals(&self) -> Vec<Slot> {
        Vec::new()
    }

    /// The totals after this step, computed from those before, in the order of [`totals`](Self::totals). By default it
    /// returns none, and the totals keep their values.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Slot, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Halving;
    /// const PART: Slot = Slot::filled("part", 1.0);
    ///
    /// impl Rule for Halving {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn totals(&self) -> Vec<Slot> {
    ///         vec![PART]
    ///     }
    ///     fn advance(&self, step: &Step) -> Result<Vec<Tensor>> {
    ///         Ok(vec![ops::mul(step.total(&PART)?, 0.5)?])
    ///     }
    ///     fn begin(&self, step: &Step) -> Result<Update<'_>> {
    ///         let part = step.fit(step.total(&PART)?)?;
    ///         Ok(Box::new(move |p: &Parameter| p.subtract(&ops::mul(p.gradient(), &part)?)))
    ///     }
    /// }
    ///
    /// let (optimizer, v) = (Optimizer::of(Halving, 1.0), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0 - 0.5 - 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    fn advance(&self, step: &Step) -> Result<Vec<Tensor>> {
        let _ = step;
        Ok(Vec::new())
    }

    /// Begins a step for the variables of one dtype. It computes what they share, such as a bias correction, and
    /// returns the function that changes each variable.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Descent;
    /// impl Rule for Descent {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, step: &Step) -> Result<Update<'_>> {
    ///         let rate = step.fit(step.rate())?;
    ///         Ok(Box::new(move |p: &Parameter| p.subtract(&ops::mul(p.gradient(), &rate)?)))
    ///     }
    /// }
    ///
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Optimizer::of(Descent, 0.25).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    fn begin(&self, step: &Step) -> Result<Update<'_>>;

    /// The same for gradients that are slices. Implement it only if elements without a gradient stay unchanged. Without
    /// it, such a gradient is passed as a tensor.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::ops::IndexedSlices;
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, SlicesUpdate, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Descent;
    /// impl Rule for Descent {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    /// #     fn begin(&self, step: &Step) -> Result<Update<'_>> {
    /// #         let rate = step.fit(step.rate())?;
    /// #         Ok(Box::new(move |p: &Parameter| p.subtract(&ops::mul(p.gradient(), &rate)?)))
    /// #     }
    ///     fn begin_slices(&self, step: &Step) -> Result<Option<SlicesUpdate<'_>>> {
    ///         let rate = step.fit(step.rate())?;
    ///         Ok(Some(Box::new(move |v: &Variable, g: &IndexedSlices| {
    ///             v.scatter_sub(&g.map_values(|g| ops::mul(g, &rate))?)
    ///         })))
    ///     }
    /// }
    ///
    /// let table = Variable::new(tensor![[1.0f32], [2.0], [3.0]])?;
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&table, || table.read()?.gather(&tensor![2, 2], 0))?;
    /// Optimizer::of(Descent, 0.25).apply(&g, &table)?;
    /// assert_eq!(table.read()?.as_slice::<f32>()?, &[1.0, 2.0, 2.5]);
    /// # Ok::<(), Error>(())
    /// ```
    fn begin_slices(&self, step: &Step) -> Result<Option<SlicesUpdate<'_>>> {
        let _ = step;
        Ok(None)
    }
}

/// A rule that is known only at run time.
impl Rule for Arc<dyn Rule> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn check(&self) -> Result<()> {
        (**self).check()
    }

    fn slots(&self) -> Vec<Slot> {
        (**self).slots()
    }

    fn totals(&self) -> Vec<Slot> {
        (**self).totals()
    }

    fn advance(&self, step: &Step) -> Result<Vec<Tensor>> {
        (**self).advance(step)
    }

    fn begin(&self, step: &Step) -> Result<Update<'_>> {
        (**self).begin(step)
    }

    fn begin_slices(&self, step: &Step) -> Result<Option<SlicesUpdate<'_>>> {
        (**self).begin_slices(step)
    }
}

/// The dtype for scalars that are computed for variables of a dtype.
pub(super) fn precise(dtype: DType) -> DType {
    if dtype == DType::F64 { DType::F64 } else { DType::F32 }
}

/// The tensor, cast only if it has to be.
pub(super) fn as_dtype(t: &Tensor, dtype: DType) -> Result<Tensor> {
    if t.dtype() == dtype { Ok(t.clone()) } else { t.cast(dtype) }
}

/// Keeps `share` of a slot's value and takes the rest from `new`; returns the new value.
///
/// An infinite value stays infinite, while [`approach`] turns it into NaN.
pub(super) fn mix(p: &Parameter<'_>, slot: &Slot, share: f64, new: &Tensor) -> Result<Tensor> {
    let after = ops::add(&ops::mul(&p.read(slot)?, share)?, &ops::mul(new, 1.0 - share)?)?;
    p.write(slot, &after)?;
    Ok(after)
}

/// Moves the value of a slot part of the way to `target`; returns the new value.
pub(super) fn approach(
    p: &Parameter<'_>,
    slot: &Slot,
    target: &Tensor,
    part: f64,
) -> Result<Tensor> {
    let before = p.read(slot)?;
    let after = ops::add(&before, &ops::mul(&ops::sub(target, &before)?, part)?)?;
    p.write(slot, &after)?;
    Ok(after)
}

/// Refuses NaN and settings outside `[low, high]`; a bound of `f64::MAX` allows any finite number.
pub(super) fn within(what: &str, value: f64, low: f64, high: f64) -> Result<()> {
    if value >= low && value <= high {
        return Ok(());
    }
    if high == f64::from(f32::MAX) {
        bail!("`{what}` is {value}; it must be a number from {low} upwards that float32 can hold");
    }
    match (low > -f64::MAX, high < f64::MAX) {
        (true, true) => bail!("`{what}` is {value}; it must be between {low} and {high}"),
        (true, false) => bail!("`{what}` is {value}; it must be a number from {low} upwards"),
        _ => bail!("`{what}` is {value}; it must be a number up to {high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_their_range_are_told_with_it() {
        let told =
            |value, low, high| within("x", value, low, high).map_err(|e| e.message().to_owned());
        assert_eq!(told(0.0, 0.0, 1.0), Ok(()));
        assert_eq!(told(2.0, 0.0, 1.0).unwrap_err(), "`x` is 2; it must be between 0 and 1");
        assert_eq!(
            told(f64::NAN, 0.0, f64::MAX).unwrap_err(),
            "`x` is NaN; it must be a number from 0 upwards"
        );
        assert!(told(f64::INFINITY, 0.0, f64::MAX).is_err());
        assert_eq!(told(1.0, -f64::MAX, 0.0).unwrap_err(), "`x` is 1; it must be a number up to 0");
    }

    #[test]
    fn scalars_of_small_floats_are_computed_in_float32() -> Result<()> {
        let (number, rate) = (Tensor::scalar(10i64), Tensor::scalar(0.1f32));
        let step = Step::new(DType::BF16, &number, &rate, &[])?;
        // In bfloat16 0.999 is one, and so are its powers.
        let power = step.power(0.999)?;
        assert_eq!((power.dtype(), step.fit(&power)?.dtype()), (DType::F32, DType::BF16));
        assert!((power.item::<f32>()? - 0.990_045).abs() < 1e-5);
        assert_eq!(Step::new(DType::F64, &number, &rate, &[])?.rate().dtype(), DType::F64);
        Ok(())
    }
}
