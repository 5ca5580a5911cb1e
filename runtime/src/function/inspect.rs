//! What a concrete function tells about itself, and calls by the names that it tells.

use std::fmt::Write;

use super::concrete::ConcreteFunction;
use super::options::RunOptions;
use crate::compile::Profile;
use crate::ir::unique_names;
use crate::spec::{AnySpec, Leaves, Structure};
use crate::tensor::{Capture, Tensor, Variable, call_site};
use crate::trace::Arguments;
use crate::types::{Result, bail, caught, nearest};

impl ConcreteFunction {
    /// Calls the function with the arguments that it was traced for, as a tuple, `(&x, &y)`. In a trace, this adds a call
    /// to the graph: functions extend others by calling them.
    ///
    /// # Errors
    /// `InvalidArgument`, naming the argument, for a value of another type than it was traced for, and for a result of
    /// another type than `R`; what an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let square = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([]))?;
    /// let y: Tensor = square.call((&scalar(2.0f32),))?;
    /// assert_eq!(y.item::<f32>()?, 4.0);
    /// let twice = function(move |x: &Tensor| square.call::<_, Tensor>((&square.call::<_, Tensor>((x,))?,)));
    /// assert_eq!(twice.call(&scalar(2.0f32))?.item::<f32>()?, 16.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call<'a, A: Arguments<'a>, R: Structure>(&self, args: A) -> Result<R> {
        let _site = call_site();
        let mut leaves = Leaves::new();
        let given = caught(
            || format!("the arguments of `{}`", self.name()),
            || {
                args.check()?;
                args.leaves(&mut leaves);
                Ok(A::to_any(&args.specs()))
            },
        )?;
        self.call_structured(&given, &leaves)?.downcast()
    }

    /// Calls the function with one tensor for each flat input, given by its [name](Self::argument_names), in any order.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that is given twice, is unknown or is missing, and as [`call_flat`](Self::call_flat).
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[tf_function]
    /// fn power(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    ///     ops::pow(x, y)
    /// }
    /// let spec = TensorSpec::of::<f32>([]);
    /// let f = power::concrete(&spec, &spec)?;
    /// let z = f.call_named(&[("y", &scalar(3.0f32)), ("x", &scalar(2.0f32))])?;
    /// assert_eq!(z[0].item::<f32>()?, 8.0);
    /// let e = f.call_named(&[("x", &scalar(2.0f32))]).unwrap_err();
    /// assert_eq!(e.message(), "`power` misses the arguments `y`");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call_named(&self, tensors: &[(&str, &Tensor)]) -> Result<Vec<Tensor>> {
        let _site = call_site();
        let names = self.argument_names();
        let mut given: Vec<Option<&Tensor>> = vec![None; names.len()];
        for (name, t) in tensors {
            let Some(i) = names.iter().position(|known| known == name) else {
                let near = nearest(name, names.iter().map(String::as_str));
                let advice = near.map_or_else(
                    || format!("; it takes {}", listed(names.iter().map(String::as_str))),
                    |near| format!("; did you mean `{near}`?"),
                );
                bail!("`{}` has no argument `{name}`{advice}", self.name());
            };
            if given[i].replace(t).is_some() {
                bail!("`{}` is given two values for the argument `{name}`", self.name());
            }
        }
        let pairs = names.iter().zip(&given);
        let mut missing: Vec<&str> =
            pairs.filter(|(_, t)| t.is_none()).map(|(name, _)| name.as_str()).collect();
        if !missing.is_empty() {
            missing.sort_unstable();
            bail!("`{}` misses the arguments {}", self.name(), listed(missing));
        }
        let tensors: Vec<Tensor> = given.into_iter().flatten().cloned().collect();
        self.call_flat(&tensors)
    }

    /// Calls the function with one value for each leaf of its arguments, and also returns what the options ask for, such
    /// as a profile of this run.
    ///
    /// # Errors
    /// As [`call_flat`](Self::call_flat); `FailedPrecondition` for a profile in a trace or under a tape.
    ///
    /// ```
    /// use extype::function::RunOptions;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.exp()).concrete(&TensorSpec::of::<f32>([1000]))?;
    /// let (y, profile) = f.run_with(&[ops::zeros([1000], f32)?], RunOptions::profile())?;
    /// assert_eq!((y[0].shape(), profile.steps.len()), (shape![1000], 1));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn run_with(
        &self,
        tensors: &[Tensor],
        options: RunOptions,
    ) -> Result<(Vec<Tensor>, Profile)> {
        let _site = call_site();
        self.check_flat(tensors)?;
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        let (outputs, profile) = self.0.run_flat(&tensors, &options)?;
        Ok((outputs.into_vec(), profile))
    }

    /// The names of the flat inputs, by which [`call_named`](Self::call_named) takes them. It is the name of a spec that
    /// has one ([`TensorSpec::named`](crate::TensorSpec::named)), otherwise the parameter and the path within it. Equal
    /// names are made different by numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor, pair: &(Tensor, Tensor)| ops::add(x, &pair.1));
    /// let spec = TensorSpec::of::<f32>([]);
    /// let f = f.concrete(&spec.clone().named("b[0]"), &(spec.clone(), spec.named("bias")))?;
    /// assert_eq!(f.argument_names(), ["b[0]", "b[0]_1", "bias"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn argument_names(&self) -> Vec<String> {
        let graph = self.graph();
        let inputs = &graph.inputs[..graph.num_arguments];
        unique_names(inputs.iter().map(|id| graph.graph.node(*id).name.as_deref().unwrap_or("arg")))
    }

    /// The names of the flat results in the graph, `node:output`, as [`prune`](Self::prune) takes them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| Ok((x.square()?, x.exp()?)));
    /// let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.output_names(), ["Square:0", "Exp:0"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_names(&self) -> Vec<String> {
        let (graph, names) = (self.graph(), self.graph().graph.names());
        graph.outputs.iter().map(|e| format!("{}:{}", names[e.node.index()], e.output)).collect()
    }

    /// The parameters with the types of the arguments. [`output_spec`](Self::output_spec) is the type of the result.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[tf_function]
    /// fn scaled(x: &Tensor, by: i64) -> Result<Tensor> {
    ///     ops::mul(x, by)
    /// }
    /// let f = scaled::concrete(&TensorSpec::of::<f32>([]), &3i64.type_spec())?;
    /// let inputs: Vec<String> = f.structured_inputs().map(|(name, ty)| format!("{name}: {ty}")).collect();
    /// assert_eq!(inputs, ["x: TensorSpec([], float32)", "by: 3"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn structured_inputs(&self) -> impl Iterator<Item = (&str, &AnySpec)> {
        self.0.parameters.iter().map(String::as_str).zip(&self.0.input_specs)
    }

    /// The tensors and handles that a call feeds after the arguments, in the order in which the body used them first.
    ///
    /// # Errors
    /// `FailedPrecondition` if a captured variable was dropped.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let factor = tensor![3.0f32, 4.0];
    /// let by = factor.clone();
    /// let f = function(move |x: &Tensor| ops::mul(x, &by)).concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.captured_inputs()?[0].id(), factor.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn captured_inputs(&self) -> Result<Vec<Tensor>> {
        self.0.captured().map(smallvec::SmallVec::into_vec)
    }

    /// The variables that the function captures, directly or through the functions that it calls. Variables that a [wrapped function](super::wrap_function) made come first, in the order in which they were
    /// made.
    ///
    /// # Errors
    /// `FailedPrecondition` if one of them was dropped.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(2.0f32)?;
    /// let w = v.clone();
    /// let f = function(move |x: &Tensor| ops::mul(x, &w)).concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.variables()?[0].id(), v.id());
    /// drop(v);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn variables(&self) -> Result<Vec<Variable>> {
        let mut all = self.0.owner.as_ref().map_or_else(Vec::new, |owner| owner.variables());
        for capture in self.0.captures.iter().filter(|c| c.resource().is_some()).map(Capture::get) {
            if let Some(variable) = Variable::of(&capture?)
                && all.iter().all(|known| known.id() != variable.id())
            {
                all.push(variable);
            }
        }
        Ok(all)
    }

    /// Those [`variables`](Self::variables) that tapes watch automatically.
    ///
    /// # Errors
    /// As `variables`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (w, steps) = (Variable::new(2.0f32)?, Variable::new(0i64)?.not_trainable());
    /// let f = function(|x: &Tensor| {
    ///     steps.assign_add(1)?;
    ///     ops::mul(x, &w)
    /// });
    /// let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!((f.variables()?.len(), f.trainable_variables()?.len()), (2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn trainable_variables(&self) -> Result<Vec<Variable>> {
        let mut variables = self.variables()?;
        variables.retain(Variable::is_trainable);
        Ok(variables)
    }

    /// The signature as text: the parameters with their types, the type of the result, and the captures.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let factor = scalar(3.0f32);
    /// let f = function(move |x: &Tensor| ops::mul(x, &factor)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let text = "\
    /// `closure`
    /// Input Parameters:
    ///   a: TensorSpec([2], float32)
    /// Output Type:
    ///   TensorSpec([2], float32)
    /// Captures:
    ///   tensor: float32[]";
    /// assert_eq!(f.pretty(), text);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pretty(&self) -> String {
        let mut text = format!("`{}`\nInput Parameters:\n", self.name());
        let mut lines = |title: &str, lines: Vec<String>| {
            text.push_str(title);
            match lines.is_empty() {
                true => text.push_str("  None\n"),
                false => lines.iter().for_each(|line| {
                    let _ = writeln!(text, "  {line}");
                }),
            }
        };
        lines("", self.structured_inputs().map(|(name, ty)| format!("{name}: {ty}")).collect());
        lines("Output Type:\n", vec![self.output_spec().to_string()]);
        lines("Captures:\n", self.captures());
        text.truncate(text.trim_end().len());
        text
    }
}

fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
