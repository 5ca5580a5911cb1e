//! Tracing of a loop: its test and its body, again whenever an iteration changes the type of the state.

use std::sync::Arc;

use super::arm::{condition, one_element};
use super::rows::{BODY, COND, OUTPUT_SHAPES, PARALLEL_ITERATIONS, STACKED, WHILE, WHILE_SAVING};
use super::state::{Site, changed, of_other_sizes};
use crate::function::{Body, Tracing, unite_captures, within};
use crate::ir::{Attrs, LibraryFunction};
use crate::ops;
use crate::spec::{AnySpec, LeafIter, Structure, TensorSpec, TypeSpec};
use crate::tensor::context::{self, call_site_at};
use crate::tensor::{Tensor, execute};
use crate::types::{DType, Result, Shape, bail, caught, err};

/// A loop that is being traced.
///
/// Its state is the tensors of a structure. Variables in the structure are not part of the state and must stay the same.
pub(crate) struct Looped<S: Structure> {
    site: Site,
    /// The state's type in every iteration.
    declared: S::Spec,
    /// True if the declared type must not be widened.
    settled: bool,
    /// The state before the loop.
    leaves: Vec<Tensor>,
    names: Vec<String>,
    maximum: Option<Tensor>,
    parallel: i64,
}

/// The state after an iteration, and the tensors to stack.
pub(super) type Next<S> = (S, Vec<Tensor>);

/// How the loop runs.
#[derive(Debug)]
pub(crate) struct Options<S: Structure> {
    /// The type of the state in every iteration, if it is not the type before the loop.
    pub(crate) invariants: Option<S::Spec>,
    /// True if the declared type must not be widened.
    pub(crate) settled: bool,
    pub(crate) maximum: Option<Tensor>,
    pub(crate) parallel: i64,
}

impl<S: Structure> Default for Options<S> {
    fn default() -> Self {
        Self { invariants: None, settled: false, maximum: None, parallel: 10 }
    }
}

/// The spec without tensor names, which belong to the caller and not to the state.
fn unnamed<S: TypeSpec>(spec: &S) -> Result<S> {
    S::from_any(&spec.to_any().without_names())
}

/// True if the spec is a subtype of the declared one.
fn fits<S: TypeSpec>(found: &S, declared: &S) -> Result<bool> {
    caught(|| "a law of the state's type".to_owned(), || Ok(found.is_subtype_of(declared)))
}

impl<S: Structure> Looped<S> {
    /// A loop with this initial state.
    pub(super) fn new(site: Site, vars: S, options: Options<S>) -> Result<Self> {
        vars.check_fields()?;
        let found = unnamed(&vars.type_spec())?;
        let declared = match options.invariants {
            None => found,
            Some(declared) => {
                let declared = unnamed(&declared)?;
                if !fits(&found, &declared)? {
                    let (found, declared) = (found.to_any(), declared.to_any());
                    return Err(changed(&site, &declared, &found, "at its entry"));
                }
                declared
            }
        };
        let maximum = match options.maximum {
            None => None,
            Some(n) if n.dtype().is_integer() => {
                let _site = call_site_at(Some(site.location));
                let n = one_element(&site, "number of iterations", &n)?;
                Some(site.located(crate::ops::whole_numbers(&n, DType::I64))?)
            }
            Some(n) => bail!("{site}: the number of iterations is {}, not an integer", n.dtype()),
        };
        let mut leaves = Vec::new();
        vars.into_leaves(&mut leaves);
        let paths = declared.to_any().leaf_paths();
        let names = paths.iter().map(|(path, _)| site.part("vars", path)).collect();
        let (settled, parallel) = (options.settled, options.parallel);
        Ok(Self { site, declared, settled, leaves, names, maximum, parallel })
    }

    /// Traces test and body, and returns the state after the loop. For each tensor that the body saves it also returns
    /// the values of all iterations stacked. The body may give up and return `None`.
    ///
    /// Sizes that an iteration changes become unknown and both are traced again, unless the state's type is settled.
    #[track_caller]
    pub(super) fn trace(
        mut self,
        mut test: impl FnMut(&S) -> Result<Tensor>,
        mut body: impl FnMut(S) -> Result<Option<Next<S>>>,
    ) -> Result<Option<Next<S>>> {
        loop {
            let (tracing, state) = self.open("test")?;
            let goes_on = test(&state)?;
            let test = self.close_test(tracing, &goes_on)?;
            let (tracing, state) = self.open("body")?;
            let Some(next) = within(|| body(state))? else { return Ok(None) };
            match self.wider(&next.0)? {
                Some(wider) => self.declared = wider,
                None => return self.close(test, tracing, next).map(Some),
            }
        }
    }

    /// The wider type that the state needs because of this value after an iteration; `None` if the declared type fits.
    fn wider(&self, next: &S) -> Result<Option<S::Spec>> {
        let found = unnamed(&next.type_spec())?;
        if fits(&found, &self.declared)? {
            return Ok(None);
        }
        let (declared, found) = (self.declared.to_any(), found.to_any());
        let wider = if self.settled { None } else { of_other_sizes(&declared, &found)? };
        let changed = || changed(&self.site, &declared, &found, "after an iteration");
        S::Spec::from_any(&wider.ok_or_else(changed)?).map(Some)
    }

    /// Opens a trace with placeholders for the state, and the state made of them. The counter comes first, if there is one.
    fn open(&self, name: &str) -> Result<(Tracing, S)> {
        let mut specs = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        if self.maximum.is_some() {
            specs.push(AnySpec::Tensor(TensorSpec::of::<i64>([])));
            names.push("iteration");
        }
        for (spec, name) in self.tensors().zip(&self.names) {
            if let Some(spec) = spec {
                specs.push(AnySpec::Tensor(spec));
                names.push(name);
            }
        }
        let tracing = Tracing::start(name, &names, &specs, &[])?;
        let mut placeholders = tracing.leaves()[self.counters()..].iter();
        let mut leaves = Vec::with_capacity(self.leaves.len());
        for leaf in &self.leaves {
            leaves.extend(match leaf.dtype() {
                DType::Resource => Some(leaf.clone()),
                _ => placeholders.next().cloned(),
            });
        }
        let mut leaves = LeafIter::new(leaves);
        let vars = S::from_leaves(&self.declared, &mut leaves)?;
        leaves.finish()?;
        Ok((tracing, vars))
    }

    fn counters(&self) -> usize {
        usize::from(self.maximum.is_some())
    }

    /// The declared type of each leaf; `None` for variables.
    fn tensors(&self) -> impl Iterator<Item = Option<TensorSpec>> {
        self.declared.to_any().leaves().into_iter().map(|leaf| match leaf {
            AnySpec::Tensor(t) if t.dtype != DType::Resource => Some(t),
            _ => None,
        })
    }

    /// Closes the test with the condition.
    fn close_test(&self, tracing: Tracing, goes_on: &Tensor) -> Result<Body<Vec<Tensor>>> {
        let mut goes_on = condition(&self.site, goes_on)?;
        if let (Some(maximum), Some(counter)) = (&self.maximum, tracing.leaves().first()) {
            goes_on = ops::logical_and(ops::less(counter, maximum)?, goes_on)?;
        }
        tracing.close(vec![goes_on])
    }

    /// Closes the body with the next state and the saved tensors, and returns the state and the stacks after the loop.
    #[track_caller]
    fn close(
        self,
        test: Body<Vec<Tensor>>,
        tracing: Tracing,
        (next, saved): Next<S>,
    ) -> Result<Next<S>> {
        let mut outputs = Vec::new();
        if let (Some(_), Some(counter)) = (&self.maximum, tracing.leaves().first()) {
            outputs.push(ops::add(counter, 1i64)?);
        }
        let mut all = Vec::new();
        next.into_leaves(&mut all);
        let mut handles = Vec::new();
        for (i, t) in all.into_iter().enumerate() {
            match t.dtype() {
                DType::Resource => handles.push((i, t)),
                _ => outputs.push(t),
            }
        }
        let stacked = saved.len();
        outputs.extend(saved);
        let body = tracing.close(outputs)?;
        for (i, t) in handles {
            if context::resolved(t.id()) != context::resolved(self.leaves[i].id()) {
                return Err(err!(
                    "{}: `{}` is another variable after an iteration; keep the variable, and assign to \
                     it",
                    self.site,
                    self.names[i]
                ));
            }
        }
        let declared: Vec<Option<TensorSpec>> = self.tensors().collect();
        let zero = self.maximum.as_ref().map(|_| Tensor::scalar(0i64));
        let state = self.leaves.iter().filter(|t| t.dtype() != DType::Resource);
        let state: Vec<Tensor> = zero.iter().chain(state).cloned().collect();
        let counter = zero.iter().map(|_| Shape::scalar());
        let shapes = declared.iter().flatten().map(|spec| spec.shape.clone());
        let shapes: Vec<Shape> = counter.chain(shapes).collect();
        let attrs = Attrs::new().with(PARALLEL_ITERATIONS, &self.parallel);
        let mut outputs = while_op(&self.site, [test, body], &state, shapes, stacked, attrs)?;
        let stacks = outputs.split_off(state.len());
        let mut outputs = outputs.into_iter().skip(zero.iter().count());
        let mut leaves = Vec::with_capacity(self.leaves.len());
        for leaf in self.leaves {
            leaves.extend(match leaf.dtype() {
                DType::Resource => Some(leaf),
                _ => outputs.next(),
            });
        }
        let mut leaves = LeafIter::new(leaves);
        let state = S::from_leaves(&self.declared, &mut leaves)?;
        leaves.finish()?;
        Ok((state, stacks))
    }
}

/// Adds a loop over tensors that have these shapes in all iterations. Returns the state after the loop. Then come the
/// stacks of the last `saved` results of the body, with the values of all iterations.
#[track_caller]
pub(super) fn while_op(
    site: &Site,
    [test, body]: [Body<Vec<Tensor>>; 2],
    state: &[Tensor],
    mut shapes: Vec<Shape>,
    saved: usize,
    attrs: Attrs,
) -> Result<Vec<Tensor>> {
    let captures = unite_captures([test.captures()?, body.captures()?]);
    shapes.extend(captures.iter().map(Tensor::shape));
    let step: Arc<LibraryFunction> = body.into_step(&captures, state.len())?;
    let op = if saved > 0 { &WHILE_SAVING } else { &WHILE };
    let mut attrs = site
        .noted(op, attrs)
        .with(COND, &test.into_function(&captures)?)
        .with(BODY, &step)
        .with(OUTPUT_SHAPES, &shapes);
    if saved > 0 {
        attrs = attrs.with(STACKED, &(saved as i64));
    }
    let inputs: Vec<&Tensor> = state.iter().chain(&captures).collect();
    let _site = call_site_at(Some(site.location));
    let mut outputs = execute(op, attrs, &inputs)?.into_vec();
    // Remove the captures and the number of steps, which come after the state.
    outputs.drain(state.len()..outputs.len() - saved);
    Ok(outputs)
}
