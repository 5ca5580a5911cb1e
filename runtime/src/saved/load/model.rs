//! A loaded model: its objects, functions and signatures.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use super::arguments::{Fitting, Parameters, shown};
use crate::function::ConcreteFunction;
use crate::spec::{
    AnySpec, AnyValue, Group, Leaves, Module, ModuleCell, ModuleVisitor, Place, Structure,
};
use crate::tensor::{Tensor, Variable, call_site};
use crate::trace::Arguments;
use crate::types::{DType, Result, bail, err, nearest};

/// A model that was read from a folder: its functions and variables, by their paths from the root.
///
/// Clones are handles of the same model. Functions hold the state that they use, so they can outlive it.
///
/// TensorFlow: what `tf.saved_model.load` returns.
#[derive(Clone)]
pub struct SavedModel {
    pub(super) objects: Arc<[ModelObject]>,
    pub(super) signatures: Arc<BTreeMap<String, Signature>>,
}

/// An object of a model.
pub(super) struct ModelObject {
    pub(super) children: Vec<(String, usize)>,
    pub(super) kind: ObjectKind,
}

pub(super) enum ObjectKind {
    /// A module, a list, an optimizer, or another object that only holds others.
    Group,
    Variable(Variable),
    Function(SavedFunction),
    Concrete(Signature),
    /// A constant, the path of a file, or the handle of other state.
    Tensor(Tensor),
}

impl SavedModel {
    /// The object at a path of names: `layers.0.kernel`. The root has the empty path.
    fn object(&self, path: &str) -> Result<&ModelObject> {
        let mut object = &self.objects[0];
        let mut at = String::from("the model");
        let mut rest = Some(path).filter(|path| !path.is_empty());
        while let Some(path) = rest {
            // Keys of dicts may have dots.
            let after = |name: &str| match path.strip_prefix(name)? {
                "" => Some(None),
                rest => rest.strip_prefix('.').map(Some),
            };
            let found = object.children.iter().filter_map(|(n, child)| Some((n, child, after(n)?)));
            let Some((name, child, behind)) = found.max_by_key(|(n, ..)| n.len()) else {
                let name = path.split('.').next().unwrap_or(path);
                let names = || object.children.iter().map(|(n, _)| n.as_str());
                let advice = match nearest(name, names()) {
                    Some(near) => format!("; did you mean `{near}`?"),
                    None if object.children.is_empty() => String::new(),
                    None => format!("; it has {}", listed(names())),
                };
                bail!(NotFound, "{at} has no `{name}`{advice}");
            };
            at = format!("`{name}`");
            object = &self.objects[*child];
            rest = behind;
        }
        Ok(object)
    }

    /// The names of what an object holds; the root has the empty path.
    ///
    /// # Errors
    /// `NotFound` for a path that leads nowhere.
    pub fn children(&self, path: &str) -> Result<Vec<&str>> {
        Ok(self.object(path)?.children.iter().map(|(name, _)| name.as_str()).collect())
    }

    /// The function at this path, such as `predict`, `encoder.call` or `__call__`.
    ///
    /// # Errors
    /// `NotFound` for a path that leads nowhere, `InvalidArgument` if something else is there.
    pub fn function(&self, path: &str) -> Result<SavedFunction> {
        match &self.object(path)?.kind {
            ObjectKind::Function(f) => Ok(f.clone()),
            other => Err(err!("`{path}` is {other}, not a function")),
        }
    }

    /// The variable at this path, such as `layers.0.kernel`.
    ///
    /// # Errors
    /// `NotFound` for a path that leads nowhere, `InvalidArgument` if something else is there.
    pub fn variable(&self, path: &str) -> Result<Variable> {
        match &self.object(path)?.kind {
            ObjectKind::Variable(v) => Ok(v.clone()),
            other => Err(err!("`{path}` is {other}, not a variable")),
        }
    }

    /// The constant, or the path of the file, at this path.
    ///
    /// # Errors
    /// `NotFound` for a path that leads nowhere, `InvalidArgument` if something else is there.
    pub fn constant(&self, path: &str) -> Result<Tensor> {
        match &self.object(path)?.kind {
            ObjectKind::Tensor(t) if t.dtype() != DType::Resource => Ok(t.clone()),
            other => Err(err!("`{path}` is {other}, not a constant")),
        }
    }

    /// All variables by their shortest paths, in the order of the paths' lengths.
    pub fn named_variables(&self) -> Vec<(String, Variable)> {
        let all = self.paths().into_iter().filter_map(|(path, i)| match &self.objects[i].kind {
            ObjectKind::Variable(v) => Some((path, v.clone())),
            _ => None,
        });
        all.collect()
    }

    /// All functions by their shortest paths.
    pub fn named_functions(&self) -> Vec<(String, SavedFunction)> {
        let all = self.paths().into_iter().filter_map(|(path, i)| match &self.objects[i].kind {
            ObjectKind::Function(f) => Some((path, f.clone())),
            _ => None,
        });
        all.collect()
    }

    /// The variables that tapes watch automatically.
    pub fn trainable_variables(&self) -> Vec<Variable> {
        let variables = self.named_variables().into_iter().map(|(_, v)| v);
        variables.filter(Variable::is_trainable).collect()
    }

    /// The objects that can be reached, by their shortest paths.
    fn paths(&self) -> Vec<(String, usize)> {
        let (mut seen, mut found) = (BTreeSet::from([0]), Vec::new());
        let mut open = VecDeque::from([(String::new(), 0)]);
        while let Some((path, i)) = open.pop_front() {
            for (name, child) in &self.objects[i].children {
                if seen.insert(*child) {
                    let path =
                        if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    open.push_back((path, *child));
                }
            }
            found.push((path, i));
        }
        found
    }

    /// The signature of this name, such as `serving_default`, or the trace of a function that the model has at this path.
    ///
    /// # Errors
    /// `NotFound` if there is none.
    pub fn signature(&self, name: &str) -> Result<Signature> {
        let at_path = || match &self.object(name).ok()?.kind {
            ObjectKind::Concrete(signature) => Some(signature.clone()),
            _ => None,
        };
        self.signatures.get(name).cloned().or_else(at_path).ok_or_else(|| {
            let names = self.signatures.keys().map(String::as_str);
            let known = if self.signatures.is_empty() { "none".into() } else { listed(names) };
            err!(NotFound, "the model has no signature `{name}`; it has {known}")
        })
    }

    /// The names of the signatures.
    pub fn signatures(&self) -> impl Iterator<Item = &str> {
        self.signatures.keys().map(String::as_str)
    }
}

impl fmt::Debug for SavedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SavedModel")
            .field("signatures", &self.signatures().collect::<Vec<_>>())
            .field(
                "functions",
                &self.named_functions().into_iter().map(|f| f.0).collect::<Vec<_>>(),
            )
            .field(
                "variables",
                &self.named_variables().into_iter().map(|v| v.0).collect::<Vec<_>>(),
            )
            .finish()
    }
}

impl Module for SavedModel {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        // Objects may hold each other: groups are visited once.
        let mut seen = vec![false; self.objects.len()];
        seen[0] = true;
        let mut open = vec![self.objects[0].children.iter().enumerate()];
        while let Some(children) = open.last_mut() {
            let Some((i, (name, child))) = children.next() else {
                open.pop();
                if !open.is_empty() {
                    visitor.end();
                }
                continue;
            };
            let place = Place::Item(i);
            match &self.objects[*child].kind {
                ObjectKind::Variable(v) => {
                    visitor.file_name(name);
                    visitor.state(place, ModuleCell::Variable(v));
                }
                ObjectKind::Tensor(t) if t.dtype() == DType::Resource => {
                    visitor.state(place, ModuleCell::Handle(t));
                }
                ObjectKind::Group if !std::mem::replace(&mut seen[*child], true) => {
                    visitor.file_name(name);
                    visitor.begin(place, Group::Module);
                    open.push(self.objects[*child].children.iter().enumerate());
                }
                _ => {}
            }
        }
    }
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObjectKind::Group => "an object that holds others",
            ObjectKind::Variable(_) => "a variable",
            ObjectKind::Function(_) => "a function",
            ObjectKind::Concrete(_) => "a trace of a function",
            ObjectKind::Tensor(_) => "a constant or a resource",
        })
    }
}

/// A function of a model, with the traces that it was saved with. It is never traced again.
///
/// A call takes the first trace that fits: tensors of its dtypes and of shapes that are compatible, equal plain data. If
/// none fits, plain numbers, texts and lists of them become tensors where a trace has tensors.
///
/// TensorFlow: a restored `tf.function`.
#[derive(Clone)]
pub struct SavedFunction {
    pub(super) name: Arc<str>,
    pub(super) parameters: Arc<Parameters>,
    pub(super) traces: Arc<[SavedTrace]>,
}

/// A trace with the places of its arguments.
pub(super) struct SavedTrace {
    pub(super) concrete: ConcreteFunction,
    pub(super) positional: Vec<AnySpec>,
    pub(super) named: BTreeMap<String, AnySpec>,
}

impl SavedFunction {
    /// Calls the function with arguments by position, as a tuple, `(&x, &true)`.
    ///
    /// # Errors
    /// As [`call_values`](Self::call_values), and `InvalidArgument` for a result of another type than `R`.
    #[track_caller]
    pub fn call<'a, A: Arguments<'a>, R: Structure>(&self, args: A) -> Result<R> {
        let _site = call_site();
        args.check()?;
        let mut leaves = Leaves::new();
        args.leaves(&mut leaves);
        let mut leaves = leaves.into_iter().cloned();
        let value = |spec: AnySpec| {
            let count = spec.leaves().len();
            AnyValue::from_parts(spec, leaves.by_ref().take(count).collect())
        };
        let values = A::to_any(&args.specs()).into_iter().map(value).collect::<Result<Vec<_>>>()?;
        self.call_values(&values, &[])?.downcast()
    }

    /// Calls the function with arguments by position and by name.
    ///
    /// # Errors
    /// `InvalidArgument` for arguments that the parameters do not take, and if no trace fits; what an op fails with.
    #[track_caller]
    pub fn call_values(&self, args: &[AnyValue], named: &[(&str, AnyValue)]) -> Result<AnyValue> {
        let _site = call_site();
        let of = |e: crate::Error| e.prefixed(format!("`{}`", self.name));
        let placed = self.parameters.place(args, named).map_err(of)?;
        for convert in [false, true] {
            for trace in &*self.traces {
                let mut fitting = Fitting::new(convert);
                let pairs = trace.positional.iter().zip(&placed.positional);
                let named = trace.named.values().zip(placed.named.values());
                let mut fits = trace.positional.len() == placed.positional.len()
                    && trace.named.keys().eq(placed.named.keys());
                for (wanted, given) in pairs.chain(named) {
                    fits = fits && fitting.fit(wanted, given)?;
                }
                if fits {
                    let outputs = trace.concrete.call_flat(&fitting.tensors)?;
                    return AnyValue::from_parts(trace.concrete.output_spec().clone(), outputs);
                }
            }
        }
        let given =
            placed.positional.iter().enumerate().map(|(i, v)| (self.parameters.name(i), v.spec()));
        let named = placed.named.iter().map(|(name, v)| (name.clone(), v.spec()));
        let traces = self.traces.iter().map(|trace| format!("\n  {}", self.signature(trace)));
        bail!(
            "`{}` was saved with no trace for {}; it has{}",
            self.name,
            shown(given.chain(named)),
            if self.traces.is_empty() { " none".to_owned() } else { traces.collect() }
        )
    }

    fn signature(&self, trace: &SavedTrace) -> String {
        let positional = trace.positional.iter().enumerate();
        let positional = positional.map(|(i, spec)| (self.parameters.name(i), spec));
        let named = trace.named.iter().map(|(name, spec)| (name.clone(), spec));
        format!("{} -> {}", shown(positional.chain(named)), trace.concrete.output_spec())
    }

    /// The traces, in the order in which calls try them.
    pub fn concrete_functions(&self) -> Vec<ConcreteFunction> {
        self.traces.iter().map(|trace| trace.concrete.clone()).collect()
    }
}

impl fmt::Debug for SavedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SavedFunction `{}`", self.name)?;
        self.traces.iter().try_for_each(|trace| write!(f, "\n  {}", self.signature(trace)))
    }
}

/// A function of a model as servers call it: tensors by name in, tensors by name out.
///
/// TensorFlow: an entry of `signatures` of a loaded model.
#[derive(Clone)]
pub struct Signature {
    pub(super) name: Arc<str>,
    pub(super) concrete: ConcreteFunction,
    pub(super) inputs: Arc<[String]>,
}

impl Signature {
    /// The results by name, for one tensor for each input.
    ///
    /// # Errors
    /// `InvalidArgument` for inputs that are missing, unknown or of another type, and for results that are no tensors;
    /// what an op fails with.
    #[track_caller]
    pub fn call(&self, inputs: &[(&str, &Tensor)]) -> Result<BTreeMap<String, Tensor>> {
        let _site = call_site();
        let of = |e: crate::Error| e.prefixed(format!("the signature `{}`", self.name));
        let outputs = self.concrete.call_flat(&self.tensors(inputs).map_err(of)?)?;
        let value = AnyValue::from_parts(self.concrete.output_spec().clone(), outputs)?;
        let AnySpec::Map(names) = value.spec() else {
            return Err(of(err!("its results are {}, not tensors by name", value.spec())));
        };
        let tensor = |(name, value): (&String, AnyValue)| match value.as_tensor() {
            Some(tensor) => Ok((name.clone(), tensor.clone())),
            None => {
                Err(of(err!("its result `{name}` is {}; call the function itself", value.spec())))
            }
        };
        names.keys().zip(value.components()).map(tensor).collect()
    }

    fn tensors(&self, given: &[(&str, &Tensor)]) -> Result<Vec<Tensor>> {
        let known = || self.inputs.iter().map(String::as_str);
        let mut found: BTreeMap<&str, &Tensor> = BTreeMap::new();
        for (name, tensor) in given {
            if !known().any(|n| n == *name) {
                bail!("there is no input `{name}`; it takes {}", listed(known()));
            }
            if found.insert(name, tensor).is_some() {
                bail!("the input `{name}` is given twice");
            }
        }
        let missing: Vec<&str> = known().filter(|name| !found.contains_key(name)).collect();
        if !missing.is_empty() {
            bail!("it misses the inputs {}", listed(missing.into_iter()));
        }
        let types = self.concrete.graph().input_types();
        let tensor = |(name, wanted): (&str, &crate::types::TensorType)| {
            let given = found[name];
            if given.dtype() != wanted.dtype || !given.shape().is_compatible_with(&wanted.shape) {
                bail!("the input `{name}` is {}, not {wanted}", given.tensor_type());
            }
            Ok(given.clone())
        };
        known().zip(types).map(tensor).collect()
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().map(String::as_str)
    }

    /// The types of the results: a dict of specs by name.
    pub fn outputs(&self) -> &AnySpec {
        self.concrete.output_spec()
    }

    /// The function as it was traced.
    pub fn concrete_function(&self) -> &ConcreteFunction {
        &self.concrete
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.concrete.graph().input_types();
        let inputs = self.inputs().zip(types).map(|(name, ty)| format!("{name}: {ty}"));
        let inputs: Vec<String> = inputs.collect();
        write!(f, "Signature `{}`({}) -> {}", self.name, inputs.join(", "), self.outputs())
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
