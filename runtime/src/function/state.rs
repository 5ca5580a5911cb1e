//! The polymorphic function: its traces, and how a call finds or makes one.

use std::sync::{Arc, OnceLock};

use super::concrete::{ConcreteFunction, Trace, typed_output};
use super::tracing::trace;
use crate::spec::{AnySpec, LeafIter, Leaves, Structure, TypeSpec};
use crate::trace::{Arguments, Entry, TraceCache};
use crate::types::{Result, bail, caught};

/// What `#[tf_function(…)]` was given.
#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionOptions {
    /// The name of the function.
    pub name: &'static str,
    /// The names of its parameters.
    pub parameters: &'static [&'static str],
    /// True to trace for a more general type when a call differs from earlier ones in shapes.
    pub reduce_retracing: bool,
    /// The types that arguments must have; `None` for an argument that is not restricted.
    pub signature: Option<fn() -> Vec<Option<AnySpec>>>,
}

/// The state behind one traced function: its options and its traces.
pub struct FunctionState {
    options: FunctionOptions,
    cache: OnceLock<TraceCache<Trace>>,
}

impl FunctionState {
    /// A function that was not traced yet.
    pub const fn new(options: FunctionOptions) -> Self {
        Self { options, cache: OnceLock::new() }
    }

    #[inline]
    fn cache(&self) -> &TraceCache<Trace> {
        self.cache.get_or_init(TraceCache::new)
    }

    /// Calls the function: finds the trace for the arguments, or makes it by running the body on
    /// placeholders, and runs it.
    ///
    /// # Errors
    /// What the body fails with while it is traced, and what an op fails with when it runs.
    #[inline]
    pub fn call<'a, A: Arguments<'a>, R: Structure>(
        &self,
        args: A,
        body: impl FnOnce(A::Bound) -> Result<R>,
    ) -> Result<R> {
        let table = self.cache().snapshot();
        let found = TraceCache::find(&table, &args, Trace::is_usable);
        let made;
        let trace = match found {
            Some(entry) => &entry.trace,
            None => {
                let what = || format!("finding a trace of `{}`", self.options.name);
                made = caught(what, || self.miss(&args, body))?;
                &made
            }
        };
        let mut leaves = Leaves::new();
        args.leaves(&mut leaves);
        let outputs = trace.call(&leaves)?;
        R::from_leaves(typed_output(trace)?, &mut LeafIter::new(outputs))
    }

    /// Finds a more general trace, or traces.
    #[cold]
    fn miss<'a, A: Arguments<'a>, R: Structure>(
        &self,
        args: &A,
        body: impl FnOnce(A::Bound) -> Result<R>,
    ) -> Result<Arc<Trace>> {
        let specs = args.specs();
        let request = A::to_any(&specs);
        let general = {
            let table = self.cache().snapshot();
            TraceCache::find_general(&table, &request, Trace::is_usable)
        };
        let trace = match general {
            Some(trace) => trace,
            None => {
                let wanted = self.generalize(&request)?;
                let specs = A::from_any(&wanted)?;
                self.trace_for(args, specs, wanted, body)?
            }
        };
        // Remembered under the call's own key, so that the next such call hits.
        let key = request.into();
        let answer = Entry { specs: Box::new(specs), any: key, trace: trace.clone(), exact: false };
        if answer.any[..] != trace.input_specs[..] {
            self.cache().insert(answer);
        }
        Ok(trace)
    }

    fn trace_for<'a, A: Arguments<'a>, R: Structure>(
        &self,
        args: &A,
        specs: A::Specs,
        any: Vec<AnySpec>,
        body: impl FnOnce(A::Bound) -> Result<R>,
    ) -> Result<Arc<Trace>> {
        let traced = trace(self.options.name, self.options.parameters, any.clone(), |leaves| {
            body(args.bind(&specs, leaves)?)
        });
        let traced = traced.map_err(|e| e.in_context(self.describe(&any)))?;
        let trace = Arc::new(traced);
        Ok(self.cache().insert(Entry {
            specs: Box::new(specs),
            any: any.into(),
            trace,
            exact: true,
        }))
    }

    /// The types to trace for: the signature's, or with `reduce_retracing` the supertype of the
    /// request and of earlier traces that have one with it.
    fn generalize(&self, request: &[AnySpec]) -> Result<Vec<AnySpec>> {
        let mut wanted = request.to_vec();
        if let Some(signature) = self.options.signature {
            for (i, restricted) in signature().into_iter().enumerate() {
                let Some(spec) = restricted else { continue };
                let parameter = self.options.parameters.get(i).copied().unwrap_or("?");
                match request.get(i) {
                    Some(given) if given.is_subtype_of(&spec) => wanted[i] = spec,
                    Some(given) => bail!(
                        "`{}`: argument `{parameter}` is {given}, but the signature wants {spec}",
                        self.options.name
                    ),
                    None => bail!("`{}`: the signature has too many entries", self.options.name),
                }
            }
            return Ok(wanted);
        }
        if self.options.reduce_retracing {
            for entry in self.cache().snapshot().iter().filter(|e| e.exact) {
                let joined: Option<Vec<AnySpec>> = entry
                    .any
                    .iter()
                    .zip(&wanted)
                    .map(|(a, b)| a.most_specific_common_supertype(b))
                    .collect();
                wanted = joined.filter(|j| j.len() == wanted.len()).unwrap_or(wanted);
            }
        }
        Ok(wanted)
    }

    fn describe(&self, specs: &[AnySpec]) -> String {
        let parameter = |i: usize| self.options.parameters.get(i).copied().unwrap_or("args");
        let specs: Vec<String> =
            specs.iter().enumerate().map(|(i, s)| format!("{}: {s}", parameter(i))).collect();
        format!("`{}`, traced for ({})", self.options.name, specs.join(", "))
    }

    /// The trace for arguments of these types (a tuple of specs), made if it is not there.
    ///
    /// # Errors
    /// What the body fails with while it is traced.
    pub fn concrete<T: Structure, R: Structure>(
        &self,
        specs: T::Spec,
        body: impl FnOnce(T) -> Result<R>,
    ) -> Result<ConcreteFunction> {
        let any = match specs.to_any() {
            AnySpec::Tuple(any) => any.into(),
            _ => Arc::from([]),
        };
        let there = {
            let table = self.cache().snapshot();
            table.iter().find(|e| e.exact && e.any == any).map(|e| e.trace.clone())
        };
        if let Some(trace) = there {
            return Ok(ConcreteFunction(trace));
        }
        let FunctionOptions { name, parameters, .. } = self.options;
        let traced = trace(name, parameters, any.to_vec(), |l| body(T::from_leaves(&specs, l)?));
        let trace = Arc::new(traced.map_err(|e| e.in_context(self.describe(&any)))?);
        let entry = Entry { specs: Box::new(specs), any, trace, exact: true };
        Ok(ConcreteFunction(self.cache().insert(entry)))
    }

    /// The traces, in the order they were made.
    pub fn concrete_functions(&self) -> Vec<ConcreteFunction> {
        let table = self.cache().snapshot();
        table.iter().filter(|e| e.exact).map(|e| ConcreteFunction(e.trace.clone())).collect()
    }

    /// How many times the body was traced (and the trace kept).
    pub fn trace_count(&self) -> usize {
        self.cache().snapshot().iter().filter(|e| e.exact).count()
    }

    /// The types that were traced for, one tuple a trace.
    pub fn signatures(&self) -> Vec<AnySpec> {
        let traces = self.concrete_functions();
        traces.iter().map(|c| AnySpec::Tuple(c.input_specs().into())).collect()
    }

    /// What the traces use of their surroundings, by description.
    pub fn captures(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.concrete_functions().iter().flat_map(ConcreteFunction::captures).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Drops all traces; the next call traces anew.
    pub fn clear(&self) {
        self.cache().clear();
    }
}

impl std::fmt::Debug for FunctionState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<traced function `{}` with {} traces>", self.options.name, self.trace_count())
    }
}
