//! The definition of an op.

use std::fmt;

use super::{AttrValue, InferContext, KernelContext, Outputs, Types};
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
    /// Anything else.
    Own,
}

/// What an op does beside computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing: the op may be dropped, repeated and reordered.
    Pure,
    /// Reads a resource: kept in order with writes to it, dropped if unused.
    Reads,
    /// Writes a resource, or acts on the world: always runs, in program order.
    Writes,
    /// Not a function of its inputs (random numbers): never folded, but not ordered.
    Impure,
}

/// The dtype of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgType {
    /// Always this dtype.
    Fixed(DType),
    /// The dtype named by a type attribute.
    Var(&'static str),
    /// Of a list: each its own dtype, in a list attribute of this name.
    Each(&'static str),
}

/// An input or output argument.
#[derive(Clone, Copy, Debug)]
pub struct ArgDef {
    /// Its name.
    pub name: &'static str,
    /// Its dtype.
    pub dtype: ArgType,
    /// True if it stands for any number (attribute `N`) of tensors.
    pub list: bool,
    /// True of an input that is host data in typed calls (an axis, a shape): no operand.
    pub host: bool,
}

impl ArgDef {
    /// One tensor.
    pub const fn one(name: &'static str, dtype: ArgType) -> Self {
        Self { name, dtype, list: false, host: false }
    }

    /// Any number of tensors.
    pub const fn list(name: &'static str, dtype: ArgType) -> Self {
        Self { name, dtype, list: true, host: false }
    }

    /// The same, as host data if its name is among these.
    pub const fn host_if_in(mut self, names: &[&str]) -> Self {
        let mut i = 0;
        while i < names.len() {
            self.host |= const_same(self.name.as_bytes(), names[i].as_bytes());
            i += 1;
        }
        self
    }
}

const fn const_same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The kind of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttrKind {
    /// A dtype out of a set.
    Type(DTypeSet),
    /// Any other value.
    Value,
}

/// An attribute of an op.
#[derive(Clone, Copy, Debug)]
pub struct AttrDef {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: AttrKind,
    /// What it is when a call leaves it out, if it may.
    pub default: Option<fn() -> AttrValue>,
}

impl AttrDef {
    /// A dtype that the inputs tell.
    pub const fn dtype(name: &'static str, set: DTypeSet) -> Self {
        Self { name, kind: AttrKind::Type(set), default: None }
    }

    /// Any other value, which every call gives.
    pub const fn value(name: &'static str) -> Self {
        Self { name, kind: AttrKind::Value, default: None }
    }
}

/// Everything about an op: one row of the op table.
pub struct OpDef {
    /// The name in a GraphDef.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The tensors in.
    pub inputs: &'static [ArgDef],
    /// The tensors out.
    pub outputs: &'static [ArgDef],
    /// Type attributes and other attributes.
    pub attrs: &'static [AttrDef],
    /// The family.
    pub kind: OpKind,
    /// What it does beside computing.
    pub effect: Effect,
    /// Types of the results from types of the inputs.
    pub infer: fn(&InferContext<'_>) -> Result<Types>,
    /// The computation.
    pub kernel: fn(&KernelContext<'_>) -> Result<Outputs>,
}

impl OpDef {
    /// True if the op works on each element of its one operand.
    pub fn is_unary_elementwise(&self) -> bool {
        self.kind == OpKind::UnaryElementwise
    }

    /// True if the op works on the corresponding elements of its two operands.
    pub fn is_binary_elementwise(&self) -> bool {
        self.kind == OpKind::BinaryElementwise
    }

    /// True if the op reduces its one operand over axes.
    pub fn is_reduction(&self) -> bool {
        self.kind == OpKind::Reduction
    }

    /// The dtypes that a type attribute may have.
    pub fn type_set(&self, var: &str) -> DTypeSet {
        let found = self.attrs.iter().find_map(|a| match a.kind {
            AttrKind::Type(set) if a.name == var => Some(set),
            _ => None,
        });
        found.unwrap_or(DTypeSet::ANY)
    }

    /// For each of `count` tensors in, its argument.
    pub fn spread_inputs(&self, count: usize) -> impl Iterator<Item = &'static ArgDef> {
        let lists = self.inputs.iter().filter(|a| a.list).count();
        // Of several lists all but one have a length that an attribute tells; equal shares are
        // right for those of this table.
        let spread = (count + lists).saturating_sub(self.inputs.len()) / lists.max(1);
        self.inputs
            .iter()
            .flat_map(move |a| std::iter::repeat_n(a, if a.list { spread } else { 1 }))
    }

    /// The dtype that each type attribute has in a call with inputs of these dtypes.
    ///
    /// # Errors
    /// `InvalidArgument` naming the argument, for a wrong number of inputs, a dtype that the op
    /// does not take, and two inputs that must agree and don't.
    pub fn check_inputs(&self, count: usize, dtype: impl Fn(usize) -> DType) -> Result<()> {
        let list = self.inputs.iter().find(|a| a.list);
        let lists = self.inputs.iter().filter(|a| a.list).count();
        let fixed = self.inputs.len() - lists;
        if count < fixed || (lists == 0 && count != fixed) {
            bail!(
                "takes {}{fixed} tensors, {count} given",
                if list.is_some() { "at least " } else { "" }
            );
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
                        bail!("argument `{}` must be {want}, not {got}; cast it", arg.name)
                    }
                    ArgType::Var(var) => match seen.iter().find(|s| same_name(s.0, var)) {
                        Some((_, first, _)) if *first == got => {}
                        Some((_, first, other)) => bail!(
                            "arguments `{}` and `{}` must have one dtype, but are {first} and \
                             {got}; cast one of them",
                            other.name,
                            arg.name
                        ),
                        None => {
                            let set = self.type_set(var);
                            if !set.contains(got) {
                                bail!("argument `{}` can't be {got}, only {set}", arg.name);
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

/// Names of type attributes are a letter or two: comparing them in place beats a call.
#[inline]
fn same_name(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().eq(b.bytes())
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
