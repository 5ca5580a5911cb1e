//! Checks the results of a row's inference and kernel against what the row declares, and the functions among the
//! attributes of a call against its inputs.
//!
//! Results of other crates' rows are always checked, those of the library only in debug builds.

use super::{
    ArgDef, ArgType, AttrDef, AttrKey, AttrValue, Attrs, InferContext, Kernel, OpDef, Types,
};
use crate::array::Array;
use crate::types::{DType, Result, TensorType, bail, broken, check_number};

impl OpDef {
    /// Refuses inferred types that do not match the outputs of the row. The error names `entry`, which gave them.
    pub(crate) fn check_promised(
        &self,
        entry: &str,
        c: &InferContext<'_>,
        types: &Types,
    ) -> Result<()> {
        let who = || format!("{entry} of `{}`", self.rust_name);
        let lists = self.outputs.iter().filter(|a| a.list).count();
        let single = self.outputs.len() - lists;
        let spread = match self.outputs.iter().find(|a| a.list) {
            Some(list) if lists == 1 => self.length(list, c),
            _ => None,
        };
        match (lists, spread) {
            (0, _) => check_number(who(), types.len(), "types", single, "results of its row")?,
            (_, Some(n)) => {
                check_number(who(), types.len(), "types", single + n, "results of its row")?;
            }
            (1, None) if types.len() < single => {
                bail!("{} returned {} types, of {single} results at least", who(), types.len())
            }
            (1, None) => {}
            _ => return Ok(()),
        }
        let spread = types.len() - single;
        let promised = |arg: &ArgDef| match arg.dtype {
            ArgType::Fixed(dtype) => Some(dtype),
            ArgType::Var(var) => self.dtype_of(var, c),
            ArgType::Each(_) => None,
        };
        let args = self
            .outputs
            .iter()
            .flat_map(|a| std::iter::repeat_n(a, if a.list { spread } else { 1 }));
        for (i, (arg, ty)) in args.zip(types).enumerate() {
            if let Some(dtype) = promised(arg).filter(|dtype| *dtype != ty.dtype) {
                return Err(broken(&who(), &part(i, arg), ty, &format_args!("{dtype} by its row")));
            }
        }
        Ok(())
    }

    /// Refuses attributes that are missing or of another kind than the row declares, whether or not inference reads them: a
    /// kernel or a gradient may. Kernels whose eager calls are not inferred take defaults themselves, and graphs of TensorFlow
    /// have no attributes that begin with `_`.
    pub(crate) fn check_attributes(&self, attrs: &Attrs) -> Result<()> {
        let takes_defaults = !self.is_compound() && !self.kernel.needs_inference();
        let may_lack = |own: &AttrDef| {
            own.optional || own.default.is_some() && (takes_defaults || own.name.starts_with('_'))
        };
        for own in self.attrs.iter().filter(|own| !own.told) {
            match attrs.value(own.name) {
                None if may_lack(own) => {}
                Some(value) if own.kind.takes(value) => {}
                Some(value) => bail!("attribute `{}` is {}, not {value}", own.name, own.kind),
                None => bail!("attribute `{}` is missing", own.name),
            }
        }
        Ok(())
    }

    /// The number of tensors in a list of results, if the row determines it.
    fn length(&self, list: &ArgDef, c: &InferContext<'_>) -> Option<usize> {
        let lists: Vec<&ArgDef> = self.inputs.iter().filter(|a| a.list).collect();
        if let Some(name) = list.length
            && let Ok(n) = c.attrs.get(AttrKey::<i64>::new(name))
        {
            return usize::try_from(n).ok();
        }
        let same = |other: &ArgDef| match (list.dtype, other.dtype) {
            (ArgType::Each(a), ArgType::Each(b)) => a == b,
            _ => list.length.is_some() && list.length == other.length,
        };
        match lists[..] {
            [one] if same(one) => Some(c.inputs.len() + 1 - self.inputs.len()),
            _ => None,
        }
    }

    /// The dtype that a type attribute has in a call, if inputs or attributes determine it.
    fn dtype_of(&self, var: &str, c: &InferContext<'_>) -> Option<DType> {
        if self.inputs.iter().filter(|a| a.list).count() <= 1 {
            let mut inputs = self.spread_inputs(c.inputs.len()).zip(c.inputs);
            let is = |arg: &ArgDef| matches!(arg.dtype, ArgType::Var(own) if own == var);
            if let Some((_, x)) = inputs.find(|(arg, _)| is(arg)) {
                return Some(x.dtype);
            }
        }
        c.attrs.iter().find_map(|(name, value)| match value {
            AttrValue::Type(dtype) if name == var => Some(*dtype),
            _ => None,
        })
    }

    /// Refuses results of the kernel that do not have the inferred types.
    pub(crate) fn check_results(&self, results: &[Array], promised: &[TensorType]) -> Result<()> {
        let who = || format!("the kernel of `{}`", self.rust_name);
        if results.len() != promised.len() {
            check_number(who(), results.len(), "results", promised.len(), "of its inference")?;
        }
        for (i, (y, ty)) in results.iter().zip(promised).enumerate() {
            if !y.is_of(ty) {
                let part =
                    self.outputs.get(i).map_or_else(|| format!("result {i}"), |a| part(i, a));
                let promised = format_args!("{ty} by its inference");
                return Err(broken(&who(), &part, &y.tensor_type(), &promised));
            }
        }
        Ok(())
    }

    /// True if the functions among the attributes accept all inputs of these types.
    pub(crate) fn passes_surely<'a, I>(
        &self,
        attrs: &Attrs,
        inputs: &'a [I],
        ty: impl Fn(&'a I) -> &'a TensorType,
    ) -> bool {
        let takes = |i: usize, wanted: &TensorType| ty(&inputs[i]).is_subtype_of(wanted);
        let of = |i: usize| ty(&inputs[i]).clone();
        !self.calls || self.check_functions(attrs, inputs.len(), &takes, &of).is_ok()
    }

    /// Refuses functions among the attributes that do not take what the op passes them. The call has `inputs` tensors;
    /// `fits` compares one of them with a type, and `ty` gives its type.
    pub(super) fn check_functions(
        &self,
        attrs: &Attrs,
        inputs: usize,
        fits: &dyn Fn(usize, &TensorType) -> bool,
        ty: &dyn Fn(usize) -> TensorType,
    ) -> Result<()> {
        // The first input that is passed, and whether the function takes no further ones: ops of other crates may
        // pass their functions inputs of their own first.
        let (first, all) = match self.kernel {
            Kernel::Branch(_) => (1.min(inputs), true),
            Kernel::Loop(_) | Kernel::Call(_) => (0, true),
            _ => match self.inputs {
                [.., last] if last.list && self.inputs.iter().filter(|a| a.list).count() == 1 => {
                    (self.inputs.len() - 1, self.is_own())
                }
                _ => return Ok(()),
            },
        };
        let passed = inputs - first;
        for (name, value) in attrs.iter() {
            for f in value.functions().filter(|f| f.is_known()) {
                let takes = f.input_types();
                if takes.len() < passed || all && takes.len() > passed {
                    bail!(
                        "`{name}`, the function `{}`, takes {} tensors, and the op passes it {passed}",
                        f.name(),
                        takes.len()
                    );
                }
                let own = takes.len() - passed;
                for (i, wanted) in takes[own..].iter().enumerate() {
                    if !fits(first + i, wanted) {
                        bail!(
                            "`{name}`, the function `{}`, takes {wanted} as input {}, and the op passes it {}",
                            f.name(),
                            own + i,
                            ty(first + i)
                        );
                    }
                }
            }
        }
        Ok(())
    }
}

/// The text for a result in errors.
fn part(i: usize, arg: &ArgDef) -> String {
    format!("result {i}, `{}`", arg.name)
}
