//! Errors for targets, sources and cotangents that can't be differentiated.

use crate::ops::check_same_shape;
use crate::ops::methods::*;
use crate::spec::{AnySpec, LeafIter, Leaves, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{DType, Result, TensorType, bail};

/// A leaf tensor of a structure.
pub(super) struct Leaf {
    /// Its path, such as `[1].values`; empty if the structure is a single tensor.
    pub(super) path: String,
    /// False for a component of an extension type; the type's author decides what it holds.
    pub(super) plain: bool,
    pub(super) spec: AnySpec,
}

impl Leaf {
    /// Its name in errors: "the source's `[1].values`".
    pub(super) fn called(&self, role: &str) -> String {
        match self.path.as_str() {
            "" => format!("the {role}"),
            path => format!("the {role}'s `{path}`"),
        }
    }
}

/// The leaf tensors of a spec, in order.
pub(super) fn leaves(spec: &AnySpec) -> Vec<Leaf> {
    fn visit(spec: &AnySpec, plain: bool, path: &mut String, out: &mut Vec<Leaf>) {
        if let AnySpec::Tensor(_) | AnySpec::Variable(_) = spec {
            out.push(Leaf { path: path.clone(), plain, spec: spec.clone() });
        }
        let plain = plain && !matches!(spec, AnySpec::Composite(_));
        let option = matches!(spec, AnySpec::Optional(_));
        for (name, part) in spec.named_components() {
            let length = path.len();
            // The content of an option has the path of the option.
            path.push_str(if option { "" } else { &name });
            visit(&part, plain, path, out);
            path.truncate(length);
        }
    }
    let mut out = Vec::new();
    visit(spec, true, &mut String::new(), &mut out);
    out
}

/// Refuses a target without a differentiable tensor.
pub(super) fn target<T: Structure>(target: &T, leaves: &[&Tensor]) -> Result<()> {
    if leaves.iter().any(|t| t.dtype().is_differentiable()) {
        return Ok(());
    }
    let spec = target.type_spec().to_any();
    let help = match leaves.first().map(|t| t.dtype()) {
        None => "it holds no tensor; give what is to be differentiated",
        Some(DType::Resource) => "read the variable, `v.read()?`, while the tape records",
        Some(_) => {
            "only floats and complex numbers have gradients; cast what it is computed from, \
             `x.cast(f32)`, and compute with floats"
        }
    };
    bail!("the target can't be differentiated, it is {spec}: {help}")
}

/// Refuses sources that can't have a gradient, and sources that the tape never watched.
pub(super) fn sources<S: Structure>(
    sources: &S,
    leaves: &[&Tensor],
    watched: impl Fn(&Tensor) -> bool,
) -> Result<()> {
    let fine =
        |t: &&Tensor| t.dtype() == DType::Resource || t.dtype().passes_gradient() && watched(t);
    if leaves.iter().all(fine) {
        return Ok(());
    }
    let known = leaves.iter().any(fine);
    for (t, leaf) in leaves.iter().zip(self::leaves(&sources.type_spec().to_any())) {
        let dtype = t.dtype();
        if fine(t) || !leaf.plain && (known || !dtype.passes_gradient()) {
            continue;
        }
        let (name, ty) = (leaf.called("source"), t.tensor_type());
        if dtype.passes_gradient() {
            bail!(
                "{name}, {ty}, was never watched by this tape, nor computed from what was: call \
                 `tape.watch(&x)` before it is used, or `tape.value_and_gradient(&x, || …)`"
            );
        }
        bail!(
            "{name} is {ty}, which has no gradient: cast it before it is used, `x.cast(f32)`, or leave it \
             out of the sources"
        );
    }
    Ok(())
}

/// Refuses cotangents that do not match the target in number, dtype or shape.
pub(super) fn cotangents<T: Structure>(
    target: &T,
    leaves: &[&Tensor],
    cotangents: &[Option<Tensor>],
) -> Result<()> {
    let (wanted, given) = (leaves.len(), cotangents.len());
    if wanted != given {
        bail!(
            "{given} cotangents are given for the {wanted} tensors of the target {}: give one for each, \
             `None` for none",
            target.type_spec().to_any()
        );
    }
    let pairs = cotangents.iter().zip(leaves);
    let pairs = pairs.enumerate().filter_map(|(i, (c, t))| Some((i, c.as_ref()?, *t)));
    belong(
        pairs,
        || target.type_spec().to_any(),
        |leaf| format!("the cotangent of {}", leaf.called("target")),
    )
}

/// Refuses directions that differ from their tensors in dtype or shape. Sizes not known yet are checked when the program runs.
fn belong<'a>(
    pairs: impl Iterator<Item = (usize, &'a Tensor, &'a Tensor)>,
    spec: impl Fn() -> AnySpec,
    called: impl Fn(&Leaf) -> String,
) -> Result<()> {
    for (i, direction, t) in pairs {
        let name = || leaves(&spec()).get(i).map_or_else(String::new, &called);
        let ty = t.tensor_type();
        if !fits(direction, &ty) {
            bail!(
                "{} is {}, but belongs to a {ty}; it needs its dtype and its shape",
                name(),
                direction.tensor_type()
            );
        }
        check_same_shape(direction, t, || {
            format!("{} has another shape than what it belongs to", name())
        })?;
    }
    Ok(())
}

/// The leaves of `given`, which holds tangents or cotangents for the tensors `of`, each checked against its tensor's type;
/// `None` for a tensor that passes no gradient.
pub(super) fn directions<S: Structure>(
    what: &str,
    given: &S,
    of: &[Tensor],
) -> Result<Vec<Option<Tensor>>> {
    let mut leaves = crate::spec::Leaves::new();
    given.leaves(&mut leaves);
    if leaves.len() != of.len() {
        bail!("the {what} has {} tensors, what it belongs to has {}", leaves.len(), of.len());
    }
    let pairs = leaves.iter().zip(of).enumerate().map(|(i, (c, t))| (i, *c, t));
    let pairs = pairs.filter(|(_, _, t)| t.dtype().passes_gradient());
    belong(pairs, || given.type_spec().to_any(), |leaf| leaf.called(what))?;
    let direction = |(c, t): (&&Tensor, &Tensor)| t.dtype().passes_gradient().then(|| (*c).clone());
    Ok(leaves.iter().zip(of).map(direction).collect())
}

/// True if a tensor of this type can have the cotangent `c`.
pub(super) fn fits(c: &Tensor, ty: &TensorType) -> bool {
    c.dtype() == ty.dtype && c.shape().is_compatible_with(&ty.shape)
}

/// The gradient `g`; if it is `None`, zeros, or `x` itself where `x` is not differentiable.
pub(super) fn or_zeros(g: Option<Tensor>, x: &Tensor) -> Result<Tensor> {
    match g {
        Some(g) => Ok(g),
        None if x.dtype().is_differentiable() => x.zeros_like(),
        None => Ok(x.clone()),
    }
}

/// A copy of a function's argument in which every differentiable leaf has a new identity. The derivative is then
/// with respect to each leaf alone, even if another leaf or a capture of the function is the same tensor.
pub(crate) fn apart<S: Structure>(x: &S) -> Result<S> {
    x.check_fields()?;
    let mut leaves = Leaves::new();
    x.leaves(&mut leaves);
    let own = |t: &Tensor| match t.dtype().is_differentiable() {
        true => t.identity(),
        false => Ok(t.clone()),
    };
    let own = leaves.into_iter().map(own).collect::<Result<Vec<Tensor>>>()?;
    S::from_leaves(&x.type_spec(), &mut LeafIter::new(own))
}
