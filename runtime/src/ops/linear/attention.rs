//! Attention as one op: the compiler makes it of two products with a softmax between.

use extype_kernels as k;
use extype_kernels::attention::Attention;
use extype_kernels::table::binary;

use super::views::{LEFT, RIGHT, SIZES, list, matrices};
use crate::ir::{
    ArgDef, ArgType, AttrDef, AttrKey, InferContext, Kernel, KernelContext, OpDef, Outputs, Types,
    typed, worked,
};
use crate::types::{DTypeSet, Result, TensorType, bail};

/// The places of the values, like [`RIGHT`].
pub(crate) const VALUES: AttrKey<Vec<i64>> = AttrKey::new("values");
/// The op that scales the scores by a number: `Mul` or `RealDiv`; empty if there is none.
pub(crate) const SCALE: AttrKey<String> = AttrKey::new("scale");
/// The places of what is added to the scores, like [`LEFT`]; empty if there is nothing.
pub(crate) const MASK: AttrKey<Vec<i64>> = AttrKey::new("mask");

/// `softmax(scale(q · k) + mask) · v`: the sizes are those of the leading axes, and the numbers of queries, columns of the
/// values, columns of the queries, and keys. The number of the scale and the mask follow the other inputs if there are any.
pub(crate) static ATTENTION: OpDef =
    OpDef::new("Extype>Attention", "matmul", infer, Kernel::SelfChecked(attention))
        .in_module(module_path!())
        .with_doc("Products of matrices with the softmax of other products.")
        .with_inputs(&[ArgDef::list("inputs", ArgType::Var("T"), "N")])
        .with_outputs(&[ArgDef::one("product", ArgType::Var("T"))])
        .with_attrs(&[
            AttrDef::dtype("T", DTypeSet::FLOAT),
            AttrDef::length("N"),
            AttrDef::of::<Vec<i64>>(SIZES.name()),
            AttrDef::of::<Vec<i64>>(LEFT.name()),
            AttrDef::of::<Vec<i64>>(RIGHT.name()),
            AttrDef::of::<Vec<i64>>(VALUES.name()),
            AttrDef::of::<String>(SCALE.name()),
            AttrDef::of::<Vec<i64>>(MASK.name()),
        ]);

fn infer(c: &InferContext<'_>) -> Result<Types> {
    let sizes = c.get(SIZES)?;
    let result = sizes.iter().take(sizes.len().saturating_sub(2)).map(|size| *size as usize);
    Ok([TensorType::new(c.input(0).dtype, &result.collect::<Vec<_>>()[..])].into())
}

fn attention(c: &KernelContext<'_>) -> Result<Outputs> {
    let sizes = list(c, SIZES)?;
    let [front @ .., queries, width, depth, keys] = &sizes[..] else { bail!("sizes of attention") };
    let stack = |key| matrices(front, &list(c, key)?);
    let (q, k, v) = (stack(LEFT)?, stack(RIGHT)?, stack(VALUES)?);
    let mask = if c.get(MASK)?.is_empty() { None } else { Some(stack(MASK)?) };
    let scale = match &*c.get(SCALE)? {
        "Mul" => Some(&binary::MUL),
        "RealDiv" => Some(&binary::REAL_DIV),
        _ => None,
    };
    let result = &sizes[..sizes.len() - 2];
    typed!(float, c, c.input(0).dtype(), T => {
        let data = |i: usize| c.input(i).as_slice::<T>();
        let number = |table| Ok((table, data(3)?[0]));
        let next = 3 + usize::from(scale.is_some());
        let attention = Attention {
            queries: *queries,
            keys: *keys,
            depth: *depth,
            width: *width,
            q: q.of(data(0)?),
            k: k.of(data(1)?),
            v: v.of(data(2)?),
            scale: scale.map(number).transpose()?,
            mask: mask.as_ref().map(|mask| Ok(mask.of(data(next)?))).transpose()?,
        };
        let out = c.output(result, |out| {
            worked(k::attention::attention(&attention, out, k::Par::Pool))
        })?;
        Ok([out].into())
    })
}
