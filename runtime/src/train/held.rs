//! The state of an optimizer: the number of steps, the learning rate, the slots of variables.

use super::optimizer::AVERAGE;
use super::rule::{Rule, within};
use super::state::is_float;
use super::{LearningRate, Optimizer};
use crate::ops::check_not_negative;
use crate::spec::Structure;
use crate::tensor::{Tensor, Variable, call_site};
use crate::types::{Result, bail};

/// The state.
impl<R: Rule> Optimizer<R> {
    /// The number of steps in which variables changed: an int64 scalar.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (optimizer, v) = (SGD::new(0.1), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..3 {
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(optimizer.iterations()?.item::<i64>()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn iterations(&self) -> Result<Tensor> {
        let _site = call_site!();
        let steps = self.state.iterations(self.owner())?.read()?;
        self.counted(&steps)
    }

    /// The learning rate of the next step, a float scalar. A constant rate is float32, whatever the dtypes of the
    /// variables.
    ///
    /// # Errors
    /// Errors of a schedule, and `InvalidArgument` if it gives no float scalar or a negative one (in a traced step when
    /// that runs).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{ExponentialDecay, SGD};
    /// let optimizer = SGD::new(ExponentialDecay::new(0.5, 1.0, 0.5));
    /// let v = Variable::new(scalar(1.0f32))?;
    /// assert_eq!(optimizer.learning_rate()?.item::<f32>()?, 0.5);
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(optimizer.learning_rate()?.item::<f32>()?, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn learning_rate(&self) -> Result<Tensor> {
        let _site = call_site!();
        match &self.rate {
            LearningRate::Constant(rate) => self.state.rate(self.owner(), *rate)?.read(),
            LearningRate::Scheduled(schedule) => {
                let rate = schedule.rate(&self.state.iterations(self.owner())?.read()?)?;
                let rank = rate.rank().unwrap_or(0);
                if !is_float(rate.dtype()) || rank > 0 {
                    bail!(
                        "{schedule:?} gives {}, not a float scalar as a learning rate",
                        rate.tensor_type()
                    );
                }
                check_not_negative("learning_rate", &rate)
                    .map_err(|e| e.prefixed(format_args!("{}: {schedule:?}", self.owner())))?;
                Ok(rate)
            }
        }
    }

    /// Sets the learning rate, also for functions that are already traced.
    ///
    /// # Errors
    /// `InvalidArgument` for a negative rate or NaN; `FailedPrecondition` if the rate is a schedule.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (optimizer, v) = (SGD::new(0.5), Variable::new(scalar(1.0f32))?);
    /// optimizer.set_learning_rate(0.25)?;
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn set_learning_rate(&self, rate: f64) -> Result<()> {
        let _site = call_site!();
        within("learning_rate", rate, 0.0, f32::MAX.into())
            .map_err(|e| e.prefixed(self.owner()))?;
        match &self.rate {
            LearningRate::Constant(initial) => {
                self.state.rate(self.owner(), *initial)?.assign(rate)
            }
            LearningRate::Scheduled(schedule) => bail!(
                FailedPrecondition,
                "{}: the learning rate is {schedule:?}; a schedule can't be set",
                self.owner()
            ),
        }
    }

    /// The state so far: the number of steps, the learning rate if it is a number, then the slots in the order in which
    /// they were made. The names are those of Keras: `adam/kernel_momentum`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adam;
    /// let (optimizer, kernel) = (Adam::new(0.1), Variable::new(tensor![1.0f32, 2.0])?.name("kernel"));
    /// optimizer.build(&kernel)?;
    /// let variables = optimizer.variables();
    /// let names: Vec<&str> = variables.iter().filter_map(|v| v.label()).collect();
    /// assert_eq!(names[..2], ["adam/iterations", "adam/learning_rate"]);
    /// assert_eq!(names[2..], ["adam/kernel_momentum", "adam/kernel_velocity"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn variables(&self) -> Vec<Variable> {
        self.state.variables()
    }

    /// A state variable of `variable`, such as `"momentum"` or `"average"`, if it was made.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (optimizer, v) = (SGD::new(0.25).momentum(0.9), Variable::new(scalar(1.0f32))?);
    /// assert!(optimizer.slot("momentum", &v).is_none());
    /// optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(optimizer.slot("momentum", &v).unwrap().read()?.item::<f32>()?, -0.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn slot(&self, name: &str, variable: &Variable) -> Option<Variable> {
        self.state.find(name, variable)
    }

    /// Replaces the values by their moving averages, at the end of training. Does nothing without
    /// [`use_ema`](Self::use_ema).
    ///
    /// # Errors
    /// `FailedPrecondition` if a variable has no average because it was never changed; `InvalidArgument` for `params`
    /// with tensors among them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (optimizer, v) = (SGD::new(0.5).ema_momentum(0.5), Variable::new(scalar(1.0f32))?);
    /// for _ in 0..2 {
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(v.read()?.item::<f32>()?, -1.0);
    /// optimizer.finalize_variable_values(&v)?;
    /// assert_eq!(v.read()?.item::<f32>()?, -0.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn finalize_variable_values<S: Structure>(&self, params: &S) -> Result<()> {
        let _site = call_site!();
        if self.options.ema.is_none() {
            return Ok(());
        }
        for variable in self.variables_of(params)?.iter().filter(|v| v.is_trainable()) {
            match self.slot(AVERAGE, variable) {
                Some(average) => variable.assign(average.read()?)?,
                None => bail!(
                    FailedPrecondition,
                    "{}: {variable:?} has no average; make a step first",
                    self.owner()
                ),
            }
        }
        Ok(())
    }
}
