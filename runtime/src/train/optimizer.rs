//! The driver shared by all optimizers.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::LearningRate;
use super::clip;
use super::options::{Clip, Ema, Options};
use super::rule::{Parameter, Rule, SlicesUpdate, Slot, Step, Update, as_dtype, precise};
use super::slots::OptimizerSlots;
use super::state::{OptimizerState, is_float};
use crate::control::cond;
use crate::gradient::{Gradients, InputGradient};
use crate::ops::{self, methods::*};
use crate::spec::{
    AnySpec, Leaves, Module, ModuleState, ModuleVisitor, Structure, TypeSpec, VariableCopies,
};
use crate::tensor::{Tensor, Variable, call_site};
use crate::types::{DType, Result, TensorType, bail, err};

/// The name of the moving average of a variable.
pub(super) const AVERAGE: &str = "average";
/// The name of the summed gradients of a variable.
pub(super) const ACCUMULATED: &str = "accumulated_gradient";

/// Changes variables by their gradients: a [`Rule`], with the parts that all optimizers share.
///
/// The state (the number of steps, the learning rate, the slots of each variable) is in variables that are made when
/// they are first needed, also in a traced function. Slots belong to a variable by its identity, whatever its position
/// in `params`. Clones share the state. An optimizer can be a field of a [`Module`]: then its settings and state are
/// part of the key of a trace.
///
/// Keras: `keras.optimizers.Optimizer`. Scalars of a step (a bias correction) are computed in float32, or float64 for
/// float64 variables, and once for all variables of a dtype.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::Adam;
///
/// let params = (Variable::new(tensor![1.0f32, 2.0])?, Variable::new(scalar(3.0f32))?);
/// let optimizer = Adam::new(0.5).clipnorm(1.0);
/// let tape = GradientTape::new();
/// let (loss, gradients) = tape.value_and_gradient(&params, || {
///     (params.0.read()? * params.1.read()?).square()?.reduce_sum(.., false)
/// })?;
/// optimizer.apply(&gradients, &params)?;
/// assert_eq!(optimizer.iterations()?.item::<i64>()?, 1);
/// assert!((params.1.read()?.item::<f32>()? - 2.5).abs() < 1e-5);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Optimizer<R> {
    pub(super) rule: R,
    pub(super) options: Options,
    pub(super) rate: LearningRate,
    name: Option<Arc<str>>,
    pub(super) state: Arc<OptimizerState>,
    /// Identifies the settings, so that other settings get other traces.
    edition: i64,
}

/// An optimizer whose rule is known at run time only.
pub type AnyOptimizer = Optimizer<Arc<dyn Rule>>;

/// A step that has begun for the variables of one dtype.
struct Begun<'a> {
    dtype: DType,
    /// The factor by which weight decay multiplies a value.
    kept: Option<Tensor>,
    update: Update<'a>,
    slices: Option<SlicesUpdate<'a>>,
}

/// A variable with its gradient and its state.
struct Target {
    variable: Variable,
    gradient: InputGradient,
    slots: SmallVec<[(Slot, Variable); 3]>,
    average: Option<Variable>,
    accumulated: Option<Variable>,
    decays: bool,
}

impl<R: Rule> Optimizer<R> {
    /// An optimizer with this rule.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Optimizer, SGDRule};
    /// let v = Variable::new(scalar(1.0f32))?;
    /// Optimizer::of(SGDRule::default(), 0.25).apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// assert_eq!(v.read()?.item::<f32>()?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of(rule: R, learning_rate: impl Into<LearningRate>) -> Self {
        Self {
            rule,
            options: Options::default(),
            rate: learning_rate.into(),
            name: None,
            state: Arc::default(),
            edition: next_edition(),
        }
    }

    /// Changes the settings.
    pub(super) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self.edition = next_edition();
        self
    }

    /// Sets the prefix for the names of its state; by default the name of the rule: `adam`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adam;
    /// let optimizer = Adam::new(0.1).name("generator");
    /// optimizer.build(&Variable::new(scalar(1.0f32))?)?;
    /// assert!(optimizer.variables().iter().all(|v| v.label().unwrap().starts_with("generator/")));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        self.with(|o| o.name = Some(name.into()))
    }

    /// The optimizer with its rule known only at run time, as for a list of several. It shares the state.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{AnyOptimizer, Lion, SGD};
    /// let optimizers: [AnyOptimizer; 2] = [SGD::new(0.25).erased(), Lion::new(0.5).erased()];
    /// let v = Variable::new(scalar(1.0f32))?;
    /// for optimizer in &optimizers {
    ///     optimizer.apply_gradients([(Some(scalar(2.0f32)), v.clone())])?;
    /// }
    /// assert_eq!(v.read()?.item::<f32>()?, 0.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn erased(self) -> AnyOptimizer {
        Optimizer {
            rule: Arc::new(self.rule),
            options: self.options,
            rate: self.rate,
            name: self.name,
            state: self.state,
            edition: self.edition,
        }
    }

    /// The rule.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{Adam, Rule};
    /// assert_eq!(Adam::new(0.1).rule().name(), "adam");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rule(&self) -> &R {
        &self.rule
    }

    pub(super) fn owner(&self) -> &str {
        self.name.as_deref().unwrap_or_else(|| self.rule.name())
    }

    fn check(&self) -> Result<()> {
        let checks =
            self.rate.check().and_then(|()| self.options.check()).and_then(|()| self.rule.check());
        checks.map_err(|e| e.prefixed(self.owner()))
    }

    /// Changes the variables of `params` by gradients that a tape computed for `params`.
    ///
    /// A variable does not change if it is not trainable, or if the target does not depend on it. A variable that
    /// occurs twice in `params` changes once.
    ///
    /// `InvalidArgument` in these cases: the gradients are for other sources than `params`; `params` contain tensors
    /// (which can't change) or integer variables; there is no gradient at all; a setting is invalid; the rule keeps
    /// state and a variable was neither in the first step nor [added](Self::build).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let params = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(3.0f32))?);
    /// let tape = GradientTape::new();
    /// let (_, gradients) = tape.value_and_gradient(&params, || params.0.read()?.square())?;
    /// SGD::new(0.25).apply(&gradients, &params)?;
    /// assert_eq!(params.0.read()?.item::<f32>()?, 0.5);
    /// assert_eq!(params.1.read()?.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn apply<S: Structure>(&self, gradients: &Gradients<S>, params: &S) -> Result<()> {
        let _site = call_site!();
        let variables = self.variables_of(params)?;
        if variables.len() != gradients.count() {
            bail!(
                "{}: the gradients are not those of the params: {} of them for {} variables; give \
                 `apply` what the tape was given",
                self.owner(),
                gradients.count(),
                variables.len()
            );
        }
        let mut seen = FxHashSet::default();
        let mut pairs: Vec<(Option<InputGradient>, Variable)> = Vec::with_capacity(variables.len());
        for (i, variable) in variables.into_iter().enumerate() {
            let gradient = gradients.at(i, variable.handle()).ok_or_else(|| {
                err!(
                    "{}: the gradients are not those of the params: {variable:?} is not leaf {i} \
                     of their sources; give `apply` what the tape was given",
                    self.owner()
                )
            })?;
            if seen.insert(variable.id()) {
                pairs.push((gradient.cloned(), variable));
            }
        }
        self.update(pairs)
    }

    /// Changes variables by any gradients, given as pairs of an optional gradient and its variable.
    ///
    /// `InvalidArgument` in these cases: a gradient has another shape than its variable; a variable is an integer or is
    /// given twice; there is no gradient at all; a setting is invalid; the rule keeps state and a variable was neither
    /// in the first step nor [added](Self::build).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SGD;
    /// let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(3.0f32))?);
    /// SGD::new(0.25).apply_gradients([(Some(scalar(2.0f32)), v.clone()), (None, w.clone())])?;
    /// assert_eq!((v.read()?.item::<f32>()?, w.read()?.item::<f32>()?), (0.5, 3.0));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn apply_gradients(
        &self,
        pairs: impl IntoIterator<Item = (Option<Tensor>, Variable)>,
    ) -> Result<()> {
        let _site = call_site!();
        let pairs: Vec<(Option<InputGradient>, Variable)> =
            pairs.into_iter().map(|(g, v)| (g.map(Into::into), v)).collect();
        let mut seen = FxHashSet::default();
        if let Some((_, twice)) = pairs.iter().find(|(_, v)| !seen.insert(v.id())) {
            bail!(
                "{}: {twice:?} is given twice; add its gradients up and give it once",
                self.owner()
            );
        }
        self.update(pairs)
    }

    /// Makes the state for the variables of `params` without a step: to load it, or to add variables that were not in
    /// the first step. Their gradients so far count as zeros.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::Adam;
    /// let (optimizer, v) = (Adam::new(0.1), Variable::new(tensor![1.0f32, 2.0])?);
    /// optimizer.build(&v)?;
    /// assert_eq!(optimizer.slot("momentum", &v).unwrap().shape(), &shape![2]);
    /// assert_eq!(optimizer.iterations()?.item::<i64>()?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn build<S: Structure>(&self, params: &S) -> Result<()> {
        let _site = call_site!();
        self.check()?;
        self.state.iterations(self.owner())?;
        let _ = self.learning_rate()?;
        self.totals()?;
        for variable in self.variables_of(params)?.iter().filter(|v| v.is_trainable()) {
            self.target(variable, None)?;
        }
        Ok(())
    }

    /// The number of steps that changed variables, from the number of calls.
    pub(super) fn counted(&self, steps: &Tensor) -> Result<Tensor> {
        self.options.accumulation.map_or(Ok(steps.clone()), |n| steps.floor_div(n))
    }

    /// The variables of `params`; fails if a leaf is not a variable.
    pub(super) fn variables_of<S: Structure>(&self, params: &S) -> Result<Vec<Variable>> {
        let mut leaves = Leaves::new();
        params.leaves(&mut leaves);
        let spec = params.type_spec().to_any();
        let variable = |(spec, handle): (AnySpec, &Tensor)| match spec {
            AnySpec::Variable(v) => {
                let ty = TensorType::new(v.dtype, &v.shape);
                Ok(Variable::from_handle(handle.clone(), ty, v.trainable))
            }
            _ => bail!(
                "{}: the params hold a tensor, {spec}, which can't be changed; hold it in a \
                 `Variable`",
                self.owner()
            ),
        };
        spec.leaves().into_iter().zip(leaves).map(variable).collect()
    }

    /// A variable with its gradient and its state, which is made if needed. `None` as the gradient is only for making
    /// the state.
    fn target(&self, variable: &Variable, gradient: Option<InputGradient>) -> Result<Target> {
        if !is_float(variable.dtype()) {
            bail!(
                "{}: {variable:?} is {}, and only floats can be optimized; make it \
                 `.not_trainable()`",
                self.owner(),
                variable.dtype()
            );
        }
        let fits = |g: &Tensor| {
            if !is_float(g.dtype()) || !g.shape().is_compatible_with(variable.shape()) {
                bail!("{}: a gradient of {} for {variable:?}", self.owner(), g.tensor_type());
            }
            let g = as_dtype(g, variable.dtype())?;
            // An unknown size must not be broadcast at run time.
            let known = g.shape() == *variable.shape();
            let g = if known { g } else { g.ensure_shape(variable.shape().clone())? };
            Ok(InputGradient::Dense(g))
        };
        let gradient = match gradient {
            // Slices from a tape have the variable's type.
            Some(InputGradient::Slices(slices)) => slices.into(),
            Some(InputGradient::Dense(g)) => fits(&g)?,
            None => Tensor::scalar(0.0f32).into(),
        };
        let owner = self.owner();
        let slot = |s: Slot| Ok((s, self.state.slot(owner, &s, variable)?));
        let sum = |_| self.state.beside(owner, ACCUMULATED, variable, |v| v.zeros_like());
        let excluded = &self.options.without_decay;
        let name = variable.label().unwrap_or_default();
        Ok(Target {
            slots: self.rule.slots().into_iter().map(slot).collect::<Result<_>>()?,
            average: self.options.ema.map(|_| self.average_of(variable)).transpose()?,
            accumulated: self.options.accumulation.map(sum).transpose()?,
            decays: !excluded.iter().any(|part| name.contains(part.as_str())),
            variable: variable.clone(),
            gradient,
        })
    }

    /// The state variable for the moving average of a variable.
    fn average_of(&self, variable: &Variable) -> Result<Variable> {
        self.state.beside(self.owner(), AVERAGE, variable, |value| Ok(value.clone()))
    }

    fn totals(&self) -> Result<Vec<(Slot, Variable)>> {
        let total = |s: Slot| Ok((s, self.state.total(self.owner(), &s)?));
        self.rule.totals().into_iter().map(total).collect()
    }

    fn update(&self, pairs: Vec<(Option<InputGradient>, Variable)>) -> Result<()> {
        self.check()?;
        if !self.rule.slots().is_empty() {
            let variables = pairs.iter().map(|(_, v)| v);
            self.state.take_in(self.owner(), variables.filter(|v| v.is_trainable()))?;
        }
        let mut targets = Vec::with_capacity(pairs.len());
        let (count, mut unreached) = (pairs.len(), Vec::new());
        for (gradient, variable) in pairs {
            if !variable.is_trainable() {
                continue;
            }
            // A variable that can't be optimized is an error even without a gradient.
            match gradient {
                None if is_float(variable.dtype()) => unreached.push(variable),
                gradient => targets.push(self.target(&variable, gradient)?),
            }
        }
        if targets.is_empty() {
            bail!(
                "{}: no gradients are provided for any of the {count} variables: the target does \
                 not depend on them, or none is trainable",
                self.owner()
            );
        }
        let iterations = self.state.iterations(self.owner())?;
        let made = iterations.read()?;
        match self.options.accumulation {
            None => self.step(&mut targets, &made)?,
            Some(n) => self.accumulate(&mut targets, &made, n)?,
        }
        if let Some(ema) = &self.options.ema {
            // Variables without a gradient in this step are averaged too.
            let mut averages: Vec<(Variable, Variable)> =
                targets.into_iter().filter_map(|t| Some((t.variable, t.average?))).collect();
            for variable in unreached {
                let average = self.average_of(&variable)?;
                averages.push((variable, average));
            }
            self.average(&averages, &made, ema)?;
        }
        self.state.begin();
        iterations.assign_add(1)
    }

    /// Sums up gradients, and makes a step with their mean at every `n`th call.
    fn accumulate(&self, targets: &mut [Target], made: &Tensor, n: i64) -> Result<()> {
        let is_last = every(made, n)?;
        let sums = |targets: &[Target]| -> Result<Vec<(Variable, Tensor)>> {
            let sum = |t: &Target| {
                let Some(before) = &t.accumulated else { bail!(Internal, "nothing is summed up") };
                Ok((before.clone(), ops::add(&t.gradient.to_dense()?, &before.read()?)?))
            };
            targets.iter().map(sum).collect()
        };
        let sums = sums(targets)?;
        let last = || {
            for (target, (accumulated, sum)) in targets.iter_mut().zip(&sums) {
                target.gradient = ops::div(sum, n as f64)?.into();
                accumulated.assign(sum.zeros_like()?)?;
            }
            self.step(targets, made)
        };
        cond(&is_last, last, || sums.iter().try_for_each(|(to, sum)| to.assign(sum)))
    }

    /// Changes the variables.
    fn step(&self, targets: &mut [Target], made: &Tensor) -> Result<()> {
        self.clip(targets)?;
        let rate = self.learning_rate()?;
        let number = ops::add(&self.counted(made)?, 1)?;
        let totals = self.totals()?;
        let mut values: Vec<(Slot, Tensor)> =
            totals.iter().map(|(s, v)| Ok((*s, v.read()?))).collect::<Result<_>>()?;
        if !totals.is_empty() {
            let before = Step::new(DType::F32, &number, &rate, &values)?;
            let advanced = self.rule.advance(&before)?;
            for (((_, variable), value), new) in totals.iter().zip(&mut values).zip(advanced) {
                variable.assign(&new)?;
                value.1 = new;
            }
        }
        let mut begun: SmallVec<[Begun<'_>; 2]> = SmallVec::new();
        for target in targets.iter() {
            let dtype = target.variable.dtype();
            let place = match begun.iter().position(|begun| begun.dtype == dtype) {
                Some(place) => place,
                None => {
                    let step = Step::new(dtype, &number, &rate, &values)?;
                    let (update, slices) =
                        (self.rule.begin(&step)?, self.rule.begin_slices(&step)?);
                    begun.push(Begun { dtype, kept: self.kept(&step)?, update, slices });
                    begun.len() - 1
                }
            };
            let Begun { kept, update, slices, .. } = &begun[place];
            let kept = kept.as_ref().filter(|_| target.decays);
            if let (InputGradient::Slices(gradient), Some(update), None) =
                (&target.gradient, slices, kept)
            {
                update(&target.variable, gradient)?;
                continue;
            }
            let gradient = target.gradient.to_dense()?;
            let (variable, slots) = (&target.variable, &target.slots[..]);
            update(&Parameter { variable, gradient: &gradient, slots, kept })?;
        }
        Ok(())
    }

    /// The factor `1 - rate * decay` for values, if there is weight decay.
    fn kept(&self, step: &Step) -> Result<Option<Tensor>> {
        let Some(decay) = self.options.weight_decay.filter(|d| *d > 0.0) else { return Ok(None) };
        step.fit(&ops::sub(1.0, &ops::mul(step.rate(), decay)?)?).map(Some)
    }

    fn clip(&self, targets: &mut [Target]) -> Result<()> {
        match self.options.clips.first() {
            None => {}
            Some(Clip::Norm(norm)) => {
                for t in targets {
                    t.gradient = clip::clip_by_norm(&t.gradient.to_dense()?, *norm, ..)?.into();
                }
            }
            Some(Clip::Value(limit)) => {
                for t in targets {
                    t.gradient =
                        clip::clip_by_value(&t.gradient.to_dense()?, -limit, *limit)?.into();
                }
            }
            Some(Clip::GlobalNorm(norm)) => {
                let gradients = targets.iter().map(|t| t.gradient.to_dense());
                let gradients = gradients.collect::<Result<Vec<_>>>()?;
                let all: Vec<&Tensor> = gradients.iter().collect();
                let (clipped, _) = clip::clip_by_global_norm(&all, *norm)?;
                for (t, clipped) in targets.iter_mut().zip(clipped) {
                    t.gradient = clipped.into();
                }
            }
        }
        Ok(())
    }

    /// Updates the averages; the first step sets them to the values.
    fn average(&self, of: &[(Variable, Variable)], made: &Tensor, ema: &Ema) -> Result<()> {
        let is_later = self.counted(made)?.not_equal(0)?;
        let momentum = |dtype: DType| ops::mul(&is_later.cast(precise(dtype))?, ema.momentum);
        let mut parts: SmallVec<[(DType, Tensor, Tensor); 2]> = SmallVec::new();
        let mut averages = Vec::with_capacity(of.len());
        for (variable, average) in of {
            let dtype = average.dtype();
            if !parts.iter().any(|(known, ..)| *known == dtype) {
                let old = momentum(dtype)?;
                let new = as_dtype(&ops::sub(1.0, &old)?, dtype)?;
                parts.push((dtype, as_dtype(&old, dtype)?, new));
            }
            let Some((_, old, new)) = parts.iter().find(|(known, ..)| *known == dtype) else {
                continue;
            };
            let value = variable.read()?;
            let moved = ops::add(&ops::mul(&average.read()?, old)?, &ops::mul(&value, new)?)?;
            average.assign(&moved)?;
            averages.push((variable, moved));
        }
        let Some(n) = ema.overwrite_every else { return Ok(()) };
        let overwrite = || averages.iter().try_for_each(|(v, average)| v.assign(average));
        cond(&every(&self.counted(made)?, n)?, overwrite, || Ok(()))
    }
}

/// True at every `n`th step, where `made` counts the steps before.
fn every(made: &Tensor, n: i64) -> Result<Tensor> {
    ops::add(made, 1)?.floor_mod(n)?.equal(0)
}

/// A number that no other settings in this process have.
fn next_edition() -> i64 {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Traces depend on the settings, and on a cell that identifies the optimizer. Slots are reported as variables that a
/// trace makes.
impl<R: Rule + Clone> Module for Optimizer<R> {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        visitor.plain("settings".into(), &self.edition);
        visitor.file_name("_iterations");
        self.state.iterations.visit_at("iterations".into(), visitor);
        visitor.file_name("_learning_rate");
        self.state.rate.visit_at("learning_rate".into(), visitor);
        visitor.slots(&|| Arc::new(OptimizerSlots::of(self)));
        visitor.grows(&|| self.state.miss_next());
        self.state.made().iter().for_each(|variable| visitor.made(variable));
    }

    fn copied(&self, copies: &VariableCopies) -> Result<Self> {
        Ok(Self {
            rule: self.rule.clone(),
            options: self.options.clone(),
            rate: self.rate.clone(),
            name: self.name.clone(),
            state: Arc::new(self.state.copied(copies)?),
            edition: self.edition,
        })
    }
}

crate::__module_argument! {
    // Keeps the compiler from suggesting this impl to users who forgot to make their own type a module.
    #[diagnostic::do_not_recommend]
    [R: Rule + Clone] Optimizer<R>, []
}

impl<R: Rule> fmt::Debug for Optimizer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Optimizer")
            .field("name", &self.owner())
            .field("rule", &self.rule)
            .field("learning_rate", &self.rate)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
