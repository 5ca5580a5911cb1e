//! The definition of an op.

use std::fmt;
use std::panic::Location;

use super::{ArgDef, ArgType, AttrDef, AttrKind, Attrs, InferContext, Kernel, Types, only_called};
use crate::types::{DType, DTypeSet, Result, bail};

/// The family of an op, which an extension type can override at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpKind {
    /// One tensor in, one out, element by element.
    UnaryElementwise,
    /// Two tensors that broadcast, element by element.
    BinaryElementwise,
    /// A tensor and axes in, a tensor with these axes reduced out.
    Reduction,
    /// An op of no family.
    Standalone,
}

/// The side effect of an op. A greater effect allows fewer optimizations, so the effect of a
/// function is the greatest of its ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing: the op may be dropped, repeated and reordered.
    Pure,
    /// Reads a resource: kept in order with writes to it, dropped if unused.
    Reads,
    /// Not a function of its inputs (random numbers): never folded, but not ordered.
    Impure,
    /// May fail and must run, but orders nothing: a check whose result may be unused.
    Checks,
    /// Writes a resource, or acts on the world: always runs, in program order.
    Writes,
}

impl Effect {
    /// True if an op runs whether its results are used or not.
    ///
    /// ```
    /// use extype::ir::Effect;
    /// assert!(Effect::Writes.must_run() && Effect::Checks.must_run());
    /// assert!(!Effect::Pure.must_run() && !Effect::Reads.must_run());
    /// ```
    pub fn must_run(self) -> bool {
        self >= Effect::Checks
    }
}

/// Everything about an op: one row of the op table.
#[non_exhaustive]
pub struct OpDef {
    /// The name in a GraphDef.
    pub name: &'static str,
    /// The name in a GraphDef of a call whose functions have effects, if it differs.
    pub stateful_name: Option<&'static str>,
    /// The name of the function that users call, which errors use.
    pub rust_name: &'static str,
    /// The documentation before its first example or heading.
    pub doc: &'static str,
    /// The tensors in.
    pub inputs: &'static [ArgDef],
    /// The tensors out.
    pub outputs: &'static [ArgDef],
    /// Type attributes, lengths of lists, other attributes.
    pub attrs: &'static [AttrDef],
    /// The family.
    pub kind: OpKind,
    /// The side effect.
    pub effect: Effect,
    /// For each operand, a number at which the op and its derivatives are finite, if there are
    /// numbers at which they are not.
    pub finite_at: &'static [Option<f64>],
    /// Infers the types of the results from the types of the inputs.
    pub infer: InferFn,
    /// The computation.
    pub kernel: Kernel,
    /// The module that defines it; empty if it was not given.
    pub module: &'static str,
    /// Where it is defined.
    pub location: &'static Location<'static>,
    /// The allowed dtypes, for an op whose inputs are single tensors of one dtype.
    one_dtype: Option<DTypeSet>,
    /// True if the library defines it.
    own: bool,
    /// True if there are functions among the attributes.
    pub(crate) calls: bool,
}

/// A call that a tape makes instead of another one, on the same inputs. Its results are those of the
/// other call, followed by intermediate values that the gradient needs. The tape then uses the gradient
/// rule of this op.
#[derive(Clone, Debug)]
pub struct Forward {
    /// The op to run.
    pub op: &'static OpDef,
    /// Its attributes.
    pub attrs: Attrs,
    /// How many of its results are those of the call that it replaces.
    pub results: usize,
}

/// Infers the types of an op's results from the types of its inputs.
pub type InferFn = fn(&InferContext<'_>) -> Result<Types>;

impl OpDef {
    /// A pure op without inputs, outputs and attributes.
    ///
    /// ```
    /// use extype::ir::{Effect, Kernel, OpDef, OpKind};
    /// use extype::prelude::*;
    /// static SAME: OpDef = OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass);
    /// assert_eq!((SAME.name, SAME.rust_name), ("Same", "same"));
    /// assert!(SAME.inputs.is_empty() && SAME.kind == OpKind::Standalone && SAME.effect == Effect::Pure);
    /// ```
    #[track_caller]
    pub const fn new(
        name: &'static str,
        rust_name: &'static str,
        infer: InferFn,
        kernel: Kernel,
    ) -> Self {
        Self {
            name,
            stateful_name: None,
            rust_name,
            doc: "",
            inputs: &[],
            outputs: &[],
            attrs: &[],
            kind: OpKind::Standalone,
            effect: Effect::Pure,
            finite_at: &[],
            infer,
            kernel,
            module: "",
            location: Location::caller(),
            one_dtype: None,
            own: false,
            calls: false,
        }
    }

    /// A compound: an op made of other ops, which run in its place wherever it is called. No graph has a node of it.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// use extype::prelude::*;
    /// assert!(find_op("Extype>Hypot")?.is_compound());
    /// assert!(!find_op("Sqrt")?.is_compound());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub const fn compound(name: &'static str, rust_name: &'static str) -> Self {
        Self::new(name, rust_name, |_| Err(only_called()), Kernel::Compound)
    }

    /// True for a [`compound`](Self::compound).
    #[inline]
    pub const fn is_compound(&self) -> bool {
        matches!(self.kernel, Kernel::Compound)
    }

    /// The same as an op of this module: `module_path!()`.
    ///
    /// ```
    /// use extype::ir::{Kernel, OpDef};
    /// use extype::prelude::*;
    /// static SAME: OpDef = OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass)
    ///     .in_module(module_path!());
    /// assert_eq!(SAME.module, module_path!());
    /// ```
    #[must_use]
    pub const fn in_module(mut self, module: &'static str) -> Self {
        self.module = module;
        self.own =
            matches!(module.as_bytes(), [b'e', b'x', b't', b'y', b'p', b'e', b':', b':', ..]);
        self
    }

    /// True for the library's own ops, whose results are checked in debug builds only.
    #[inline]
    pub(crate) const fn is_own(&self) -> bool {
        self.own
    }

    /// True if the results of inference and kernel are checked against what the row declares.
    #[inline]
    pub(crate) const fn is_checked(&self) -> bool {
        cfg!(debug_assertions) || !self.is_own()
    }

    /// The same with other documentation.
    ///
    /// ```
    /// use extype::ir::{Kernel, OpDef};
    /// use extype::prelude::*;
    /// static SAME: OpDef =
    ///     OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass).with_doc("`x` as it is.");
    /// assert_eq!(SAME.doc, "`x` as it is.");
    /// ```
    #[must_use]
    pub const fn with_doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// The same with another GraphDef name for calls of functions with effects.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// let call = find_op("PartitionedCall")?;
    /// assert_eq!(call.stateful_name, Some("StatefulPartitionedCall"));
    /// assert_eq!(find_op("StatefulPartitionedCall")?, call);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[must_use]
    pub const fn with_stateful_name(mut self, name: &'static str) -> Self {
        self.stateful_name = Some(name);
        self
    }

    /// The same with these inputs.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{ArgDef, ArgType, Attrs, Kernel, OpDef};
    /// use extype::prelude::*;
    /// static SAME: OpDef = OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass)
    ///     .with_inputs(&[ArgDef::one("x", ArgType::Fixed(DType::F32))])
    ///     .with_outputs(&[ArgDef::one("y", ArgType::Fixed(DType::F32))]);
    /// assert!(SAME.run(&[&Array::scalar(1.0f32)], &Attrs::new()).is_ok());
    /// assert!(SAME.run(&[&Array::scalar(1i32)], &Attrs::new()).is_err());
    /// ```
    #[must_use]
    pub const fn with_inputs(mut self, inputs: &'static [ArgDef]) -> Self {
        self.inputs = inputs;
        self.one_dtype = one_dtype(inputs, self.attrs);
        self
    }

    /// The same with these outputs.
    ///
    /// ```
    /// use extype::ir::{ArgDef, ArgType, Kernel, OpDef};
    /// use extype::prelude::*;
    /// static SAME: OpDef = OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass)
    ///     .with_outputs(&[ArgDef::one("y", ArgType::Fixed(DType::F32))]);
    /// assert_eq!(SAME.outputs[0].name, "y");
    /// ```
    #[must_use]
    pub const fn with_outputs(mut self, outputs: &'static [ArgDef]) -> Self {
        self.outputs = outputs;
        self
    }

    /// The same with these attributes.
    ///
    /// ```
    /// use extype::ir::{ArgDef, ArgType, AttrDef, Kernel, OpDef};
    /// use extype::prelude::*;
    /// use extype::types::DTypeSet;
    /// static SAME: OpDef = OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass)
    ///     .with_inputs(&[ArgDef::one("x", ArgType::Var("T"))])
    ///     .with_attrs(&[AttrDef::dtype("T", DTypeSet::FLOAT)]);
    /// assert!(SAME.check_inputs(1, |_| f32).is_ok());
    /// assert!(SAME.check_inputs(1, |_| i32).is_err());
    /// ```
    #[must_use]
    pub const fn with_attrs(mut self, attrs: &'static [AttrDef]) -> Self {
        self.attrs = attrs;
        self.one_dtype = one_dtype(self.inputs, attrs);
        self.calls = calls(attrs);
        self
    }

    /// The same as an op of this family.
    ///
    /// ```
    /// use extype::ir::{Kernel, OpDef, OpKind};
    /// use extype::prelude::*;
    /// static SAME: OpDef = OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass)
    ///     .with_kind(OpKind::UnaryElementwise);
    /// assert!(SAME.is_unary_elementwise());
    /// ```
    #[must_use]
    pub const fn with_kind(mut self, kind: OpKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same with this effect.
    ///
    /// ```
    /// use extype::ir::{Effect, Kernel, OpDef};
    /// use extype::prelude::*;
    /// static SAME: OpDef =
    ///     OpDef::new("Same", "same", ops::rules::same_shape, Kernel::Pass).with_effect(Effect::Checks);
    /// assert!(SAME.effect.must_run());
    /// ```
    #[must_use]
    pub const fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// The same with numbers at which it is finite.
    ///
    /// ```
    /// use extype::ir::{Kernel, OpDef};
    /// use extype::prelude::*;
    /// static LOG: OpDef = OpDef::new("Log2", "log2", ops::rules::same_shape, Kernel::Pass)
    ///     .with_finite_at(&[Some(1.0)]);
    /// assert_eq!(LOG.finite_at, &[Some(1.0)]);
    /// ```
    #[must_use]
    pub const fn with_finite_at(mut self, points: &'static [Option<f64>]) -> Self {
        self.finite_at = points;
        self
    }

    /// True if the first result has the dtype of the first operand, whatever that is.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// assert!(find_op("AddV2")?.keeps_dtype());
    /// assert!(!find_op("Less")?.keeps_dtype() && !find_op("Cast")?.keeps_dtype());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn keeps_dtype(&self) -> bool {
        matches!((self.inputs, self.outputs), ([x, ..], [y, ..]) if x.dtype == y.dtype)
    }

    /// True if the op works on each element of its one operand.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// assert!(find_op("Exp")?.is_unary_elementwise());
    /// assert!(!find_op("AddV2")?.is_unary_elementwise());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn is_unary_elementwise(&self) -> bool {
        self.kind == OpKind::UnaryElementwise
    }

    /// True if the op works on the corresponding elements of its two operands.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// assert!(find_op("AddV2")?.is_binary_elementwise());
    /// assert!(!find_op("MatMul")?.is_binary_elementwise());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn is_binary_elementwise(&self) -> bool {
        self.kind == OpKind::BinaryElementwise
    }

    /// True if the op reduces its one operand over axes.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// assert!(find_op("Sum")?.is_reduction());
    /// assert!(!find_op("AddV2")?.is_reduction());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn is_reduction(&self) -> bool {
        self.kind == OpKind::Reduction
    }

    /// The dtypes that a type attribute may have.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// use extype::prelude::*;
    /// let set = find_op("Exp")?.type_set("T");
    /// assert!(set.contains(f32) && !set.contains(i32));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn type_set(&self, var: &str) -> DTypeSet {
        let found = self.attrs.iter().find_map(|a| match a.kind {
            AttrKind::Type(set) if a.name == var => Some(set),
            _ => None,
        });
        found.unwrap_or(DTypeSet::ANY)
    }

    /// The argument that each of `count` input tensors belongs to.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// let names: Vec<&str> = find_op("ConcatV2")?.spread_inputs(4).map(|a| a.name).collect();
    /// assert_eq!(names, ["values", "values", "values", "axis"]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn spread_inputs(&self, count: usize) -> impl Iterator<Item = &'static ArgDef> {
        let lists = self.inputs.iter().filter(|a| a.list).count();
        // With several lists, attributes give the lengths of all but one. For the ops of this
        // table equal shares are right.
        let spread = (count + lists).saturating_sub(self.inputs.len()) / lists.max(1);
        self.inputs
            .iter()
            .flat_map(move |a| std::iter::repeat_n(a, if a.list { spread } else { 1 }))
    }

    /// Checks the number of the inputs of a call, and their dtypes, which `dtype` gives.
    ///
    /// # Errors
    /// `InvalidArgument` naming the argument, for a wrong number of inputs, a dtype that the op
    /// does not take, and two inputs that must agree and don't.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// use extype::prelude::*;
    /// let add = find_op("AddV2")?;
    /// assert!(add.check_inputs(2, |_| f32).is_ok());
    /// assert!(add.check_inputs(2, |i| [f32, i32][i]).is_err());
    /// assert!(add.check_inputs(3, |_| f32).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn check_inputs(&self, count: usize, dtype: impl Fn(usize) -> DType) -> Result<()> {
        if let Some(set) = self.one_dtype
            && count == self.inputs.len()
            && set.contains(dtype(0))
            && (1..count).all(|i| dtype(i) == dtype(0))
        {
            return Ok(());
        }
        self.check_each_input(count, &dtype)
    }

    #[inline(never)]
    fn check_each_input(&self, count: usize, dtype: &dyn Fn(usize) -> DType) -> Result<()> {
        let list = self.inputs.iter().find(|a| a.list);
        let lists = self.inputs.iter().filter(|a| a.list).count();
        let fixed = self.inputs.len() - lists;
        if count < fixed || (lists == 0 && count != fixed) {
            let least = if list.is_some() { "at least " } else { "" };
            let s = if fixed == 1 { "" } else { "s" };
            bail!("takes {least}{fixed} tensor{s}, {count} given");
        }
        let spread = (count - fixed) / lists.max(1);
        if let Some(list) = list
            && spread == 0
            && matches!(list.dtype, ArgType::Var(_))
        {
            bail!("the list `{}` is empty; give it one tensor at least", list.name);
        }
        let mut i = 0;
        // First input of each type attribute; ops have few, so a small linear search.
        let mut seen: smallvec::SmallVec<[(&str, DType, &ArgDef); 4]> = smallvec::SmallVec::new();
        for arg in self.inputs {
            for _ in 0..if arg.list { spread } else { 1 } {
                let got = dtype(i);
                i += 1;
                match arg.dtype {
                    ArgType::Each(_) => {}
                    ArgType::Fixed(want) if want == got => {}
                    ArgType::Fixed(want) => {
                        let advice = DTypeSet::of(&[want]).cast_advice(got);
                        bail!("argument `{}` must be {want}, not {got}{advice}", arg.name)
                    }
                    ArgType::Var(var) => match seen.iter().find(|s| same_name(s.0, var)) {
                        Some((_, first, _)) if *first == got => {}
                        Some((_, first, other)) => {
                            let which = match other.name == arg.name {
                                true => format!("the tensors of `{}`", arg.name),
                                false => format!("arguments `{}` and `{}`", other.name, arg.name),
                            };
                            let texts = [*first, got].contains(&DType::String);
                            let advice = match texts {
                                true => String::new(),
                                false => format!("; {}", first.meeting(got, "`k` itself or ")),
                            };
                            bail!("{which} must have one dtype, but are {first} and {got}{advice}")
                        }
                        None => {
                            let set = self.type_set(var);
                            if !set.contains(got) {
                                let advice = set.cast_advice(got);
                                bail!("argument `{}` can't be {got}, only {set}{advice}", arg.name);
                            }
                            seen.push((var, got, arg));
                        }
                    },
                }
            }
        }
        Ok(())
    }
}

/// The allowed dtypes, if all inputs are single tensors that share one type attribute.
const fn one_dtype(inputs: &[ArgDef], attrs: &[AttrDef]) -> Option<DTypeSet> {
    let [ArgDef { dtype: ArgType::Var(var), .. }, ..] = inputs else { return None };
    let mut i = 0;
    while i < inputs.len() {
        match inputs[i].dtype {
            ArgType::Var(other) if !inputs[i].list && same_name(var, other) => i += 1,
            _ => return None,
        }
    }
    let mut i = 0;
    while i < attrs.len() {
        if let AttrKind::Type(set) = attrs[i].kind
            && same_name(attrs[i].name, var)
        {
            return Some(set);
        }
        i += 1;
    }
    None
}

/// True if one of the attributes holds functions.
const fn calls(attrs: &[AttrDef]) -> bool {
    let mut i = 0;
    while i < attrs.len() {
        if let AttrKind::Function | AttrKind::List(AttrKind::Function) = attrs[i].kind {
            return true;
        }
        i += 1;
    }
    false
}

/// Names of type attributes are a letter or two: comparing them in place beats a call.
#[inline]
const fn same_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

impl fmt::Debug for OpDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for OpDef {
    fn eq(&self, other: &Self) -> bool {
        // Definitions are statics with unique names.
        std::ptr::eq(self, other) || self.name == other.name
    }
}
