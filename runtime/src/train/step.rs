//! The values that a rule sees in a step: its number and rate, the state, a variable with its gradient.

use super::rule::{as_dtype, precise};
use crate::ops;
use crate::tensor::{Tensor, Variable, is_tracing};
use crate::types::{DType, Result, bail, err};

/// A part of an optimizer's state: its name and initial value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    name: &'static str,
    initial: f64,
}

impl Slot {
    /// State that begins with zeros.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Slot;
    /// const MOMENTUM: Slot = Slot::zeros("momentum");
    /// assert_eq!(MOMENTUM.initial(), 0.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn zeros(name: &'static str) -> Self {
        Self::filled(name, 0.0)
    }

    /// State that begins with this number everywhere.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Adagrad, Rule, Slot};
    /// assert_eq!(Adagrad::new(0.1).rule().slots(), [Slot::filled("accumulator", 0.1)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn filled(name: &'static str, initial: f64) -> Self {
        Self { name, initial }
    }

    /// Its name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{RMSprop, Rule};
    /// assert_eq!(RMSprop::new(0.1).rule().slots()[0].name(), "velocity");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The number that it begins with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Adagrad, Rule};
    /// let optimizer = Adagrad::new(0.1).initial_accumulator_value(0.5);
    /// assert_eq!(optimizer.rule().slots()[0].initial(), 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn initial(&self) -> f64 {
        self.initial
    }
}

/// A step for the variables of one dtype.
///
/// Scalars are float32, or float64 for float64 variables: a decay of 0.999 is 1 in bfloat16.
/// [`fit`](Self::fit) gives them the dtype of the variables.
#[derive(Clone, Debug)]
pub struct Step {
    dtype: DType,
    number: Tensor,
    rate: Tensor,
    totals: Vec<(Slot, Tensor)>,
}

impl Step {
    /// The step of this number (from 1) and learning rate for variables of a dtype.
    pub(super) fn new(
        dtype: DType,
        number: &Tensor,
        rate: &Tensor,
        totals: &[(Slot, Tensor)],
    ) -> Result<Self> {
        let precise = precise(dtype);
        let cast = |(slot, t): &(Slot, Tensor)| Ok((*slot, as_dtype(t, precise)?));
        Ok(Self {
            dtype,
            number: as_dtype(number, precise)?,
            rate: as_dtype(rate, precise)?,
            totals: totals.iter().map(cast).collect::<Result<_>>()?,
        })
    }

    /// The number of the step, from 1; a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Harmonic;
    /// impl Rule for Harmonic {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, step: &Step) -> Result<Update<'_>> {
    ///         let rate = step.fit(&ops::div(step.rate(), step.number())?)?;
    ///         Ok(Box::new(move |p: &Parameter| p.subtract(&ops::mul(p.gradient(), &rate)?)))
    ///     }
    /// }
    ///
    /// let (optimizer, v) = (Optimizer::of(Harmonic, 0.5), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0 - 0.5 - 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn number(&self) -> &Tensor {
        &self.number
    }

    /// The learning rate; a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct SignDescent;
    /// impl Rule for SignDescent {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, step: &Step) -> Result<Update<'_>> {
    ///         let rate = step.fit(step.rate())?;
    ///         Ok(Box::new(move |p: &Parameter| p.subtract(&ops::mul(&p.gradient().sign()?, &rate)?)))
    ///     }
    /// }
    ///
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Optimizer::of(SignDescent, 0.25).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.75);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rate(&self) -> &Tensor {
        &self.rate
    }

    /// One of the [totals](super::Rule::totals): before the step in [`Rule::advance`](super::Rule::advance), after it in
    /// [`Rule::begin`](super::Rule::begin). A scalar.
    ///
    /// # Errors
    /// `NotFound` if the rule has no such total.
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
    pub fn total(&self, slot: &Slot) -> Result<&Tensor> {
        let found = self.totals.iter().find(|(s, _)| s.name == slot.name);
        found.map(|(_, t)| t).ok_or_else(|| err!(NotFound, "no total is named `{}`", slot.name))
    }

    /// `base` to the power of the step's number; a scalar.
    ///
    /// # Errors
    /// What the op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Fading;
    /// impl Rule for Fading {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, step: &Step) -> Result<Update<'_>> {
    ///         let rate = step.fit(&ops::mul(step.rate(), &step.power(0.5)?)?)?;
    ///         Ok(Box::new(move |p: &Parameter| p.subtract(&ops::mul(p.gradient(), &rate)?)))
    ///     }
    /// }
    ///
    /// let (optimizer, v) = (Optimizer::of(Fading, 1.0), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0 - 0.5 - 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn power(&self, base: f64) -> Result<Tensor> {
        ops::pow(base, &self.number)
    }

    /// A scalar in the dtype of the variables.
    ///
    /// # Errors
    /// What the op fails with.
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
    /// // The rate is float32, the variable and its gradient are not.
    /// let v = Variable::new(scalar(1.0f32).cast(bf16)?)?;
    /// Optimizer::of(Descent, 0.25).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.cast(f32)?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fit(&self, scalar: &Tensor) -> Result<Tensor> {
        as_dtype(scalar, self.dtype)
    }
}

/// A variable as an [`Update`](super::Update) sees it.
pub struct Parameter<'a> {
    pub(super) variable: &'a Variable,
    pub(super) gradient: &'a Tensor,
    pub(super) slots: &'a [(Slot, Variable)],
    /// The factor of weight decay for the value.
    pub(super) kept: Option<&'a Tensor>,
}

impl Parameter<'_> {
    /// The gradient, of the variable's dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Plain;
    /// impl Rule for Plain {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, _: &Step) -> Result<Update<'_>> {
    ///         Ok(Box::new(|p: &Parameter| p.subtract(p.gradient())))
    ///     }
    /// }
    ///
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Optimizer::of(Plain, 1.0).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, -1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn gradient(&self) -> &Tensor {
        self.gradient
    }

    /// The value, after weight decay.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Multiply;
    /// impl Rule for Multiply {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, _: &Step) -> Result<Update<'_>> {
    ///         Ok(Box::new(|p: &Parameter| p.replace(&ops::mul(&p.value()?, p.gradient())?)))
    ///     }
    /// }
    ///
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = Optimizer::of(Multiply, 0.5).weight_decay(0.5);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.75 * 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn value(&self) -> Result<Tensor> {
        let value = self.variable.read()?;
        self.kept.map_or(Ok(value.clone()), |kept| ops::mul(&value, kept))
    }

    /// The value of a slot.
    ///
    /// # Errors
    /// `NotFound` if the rule has no such slot.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Slot, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Summing;
    /// const SUM: Slot = Slot::zeros("sum");
    ///
    /// impl Rule for Summing {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn slots(&self) -> Vec<Slot> {
    ///         vec![SUM]
    ///     }
    ///     fn begin(&self, _: &Step) -> Result<Update<'_>> {
    ///         Ok(Box::new(|p: &Parameter| {
    ///             let sum = ops::add(&p.read(&SUM)?, p.gradient())?;
    ///             p.write(&SUM, &sum)?;
    ///             p.subtract(&sum)
    ///         }))
    ///     }
    /// }
    ///
    /// let (optimizer, v) = (Optimizer::of(Summing, 1.0), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0 - 1.0 - 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read(&self, slot: &Slot) -> Result<Tensor> {
        self.slot(slot)?.read()
    }

    /// Replaces the value of a slot.
    ///
    /// # Errors
    /// `NotFound` if the rule has no such slot; `InvalidArgument` for a value of another shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Slot, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Summing;
    /// const SUM: Slot = Slot::zeros("sum");
    ///
    /// impl Rule for Summing {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn slots(&self) -> Vec<Slot> {
    ///         vec![SUM]
    ///     }
    ///     fn begin(&self, _: &Step) -> Result<Update<'_>> {
    ///         Ok(Box::new(|p: &Parameter| {
    ///             let sum = ops::add(&p.read(&SUM)?, p.gradient())?;
    ///             p.write(&SUM, &sum)?;
    ///             p.subtract(&sum)
    ///         }))
    ///     }
    /// }
    ///
    /// let (optimizer, v) = (Optimizer::of(Summing, 1.0), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(optimizer.slot("sum", &v).unwrap().read()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write(&self, slot: &Slot, value: &Tensor) -> Result<()> {
        self.slot(slot)?.assign(value)
    }

    fn slot(&self, slot: &Slot) -> Result<&Variable> {
        match self.slots.iter().find(|(s, _)| s.name == slot.name) {
            Some((_, variable)) => Ok(variable),
            None => bail!(NotFound, "no slot is named `{}`", slot.name),
        }
    }

    /// Subtracts from the value (after weight decay). In traced functions, what another thread writes at the same time may
    /// be lost.
    ///
    /// # Errors
    /// `InvalidArgument` for a shape that is not the variable's.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Plain;
    /// impl Rule for Plain {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, _: &Step) -> Result<Update<'_>> {
    ///         Ok(Box::new(|p: &Parameter| p.subtract(p.gradient())))
    ///     }
    /// }
    ///
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let optimizer = Optimizer::of(Plain, 0.5).weight_decay(0.5);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.75 - 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn subtract(&self, change: &Tensor) -> Result<()> {
        // In a graph the difference is computed in one pass with the change. Eagerly the variable changes in place.
        match self.kept {
            None if !is_tracing() => self.variable.assign_sub(change),
            _ => self.replace(&ops::sub(&self.value()?, change)?),
        }
    }

    /// Replaces the value.
    ///
    /// # Errors
    /// `InvalidArgument` for a shape that is not the variable's.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, Parameter, Rule, Step, Update};
    /// # #[derive(Debug)]
    /// # struct Swap;
    /// impl Rule for Swap {
    /// #     fn name(&self) -> &'static str {
    /// #         "own"
    /// #     }
    ///     fn begin(&self, _: &Step) -> Result<Update<'_>> {
    ///         Ok(Box::new(|p: &Parameter| p.replace(p.gradient())))
    ///     }
    /// }
    ///
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Optimizer::of(Swap, 1.0).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn replace(&self, value: &Tensor) -> Result<()> {
        self.variable.assign(value)
    }
}
