//! Flattening, rebuilding and mapping of structures (TensorFlow's `tf.nest`).
//!
//! The typed functions expand extension types to their tensors; `*_values` functions keep them
//! whole (`expand_composites=False`) and work on [`AnyValue`]s.

use super::{AnySpec, AnyValue, LeafIter, Leaves, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// The flat tensors of a structure, extension types expanded.
///
/// ```
/// use extype::prelude::*;
/// let x = (tensor!(1.0f32), vec![tensor!(2.0f32), tensor!(3.0f32)]);
/// assert_eq!(nest::flatten(&x).len(), 3);
/// ```
pub fn flatten<T: Structure>(value: &T) -> Vec<Tensor> {
    let mut leaves = Leaves::new();
    value.leaves(&mut leaves);
    leaves.into_iter().cloned().collect()
}

/// A structure of this type from flat tensors: dynamic data from `flat`, static data from `spec`.
///
/// # Errors
/// `InvalidArgument` with both counts if the number of tensors differs, and for a wrong dtype.
pub fn pack_sequence_as<S: TypeSpec>(spec: &S, flat: Vec<Tensor>) -> Result<S::Value> {
    let given = flat.len();
    let mut leaves = LeafIter::new(flat);
    let packed = S::Value::from_leaves(spec, &mut leaves).and_then(|v| leaves.finish().map(|()| v));
    if packed.is_err() {
        let wanted = spec.to_any().leaves().len();
        if wanted != given {
            bail!("{given} tensors given for a structure of {wanted}: {}", spec.to_any());
        }
    }
    packed
}

/// A structure like `value` with every tensor replaced by what `f` makes of it.
///
/// # Errors
/// What `f` fails with; `InvalidArgument` if it changes a dtype, which is part of the type.
pub fn map_structure<T: Structure>(
    value: &T,
    mut f: impl FnMut(&Tensor) -> Result<Tensor>,
) -> Result<T> {
    let mut leaves = Leaves::new();
    value.leaves(&mut leaves);
    let mapped = leaves.into_iter().map(&mut f).collect::<Result<Vec<_>>>()?;
    pack_sequence_as(&value.type_spec(), mapped)
}

/// Checks that two structures have a common type, extension types expanded.
///
/// # Errors
/// `InvalidArgument` that shows both specs.
pub fn assert_same_structure<A: Structure, B: Structure>(a: &A, b: &B) -> Result<()> {
    let (a, b) = (a.type_spec().to_any(), b.type_spec().to_any());
    assert_same_spec(&a, &b)
}

/// Checks that two specs are of one structure: same containers, same keys and lengths, composites
/// with a common supertype; tensors are never compared outside composites.
///
/// # Errors
/// `InvalidArgument` that shows what differs and both specs.
pub fn assert_same_spec(a: &AnySpec, b: &AnySpec) -> Result<()> {
    let all = |x: &[AnySpec], y: &[AnySpec]| {
        if x.len() != y.len() {
            bail!("lengths differ, {} ≠ {}: {a} and {b}", x.len(), y.len());
        }
        x.iter().zip(y).try_for_each(|(x, y)| assert_same_spec(x, y))
    };
    match (a, b) {
        (AnySpec::Tensor(_) | AnySpec::Variable(_), AnySpec::Tensor(_) | AnySpec::Variable(_))
        | (AnySpec::Literal(_), AnySpec::Literal(_)) => Ok(()),
        (AnySpec::Tuple(x), AnySpec::Tuple(y)) | (AnySpec::List(x), AnySpec::List(y)) => all(x, y),
        (AnySpec::Map(x), AnySpec::Map(y)) if !x.keys().eq(y.keys()) => {
            let keys = |m: &std::collections::BTreeMap<String, AnySpec>| {
                m.keys().cloned().collect::<Vec<_>>().join(", ")
            };
            bail!("keys differ: {{{}}} and {{{}}}", keys(x), keys(y))
        }
        (AnySpec::Map(x), AnySpec::Map(y)) => {
            x.values().zip(y.values()).try_for_each(|(x, y)| assert_same_spec(x, y))
        }
        (AnySpec::Optional(None), AnySpec::Optional(None)) => Ok(()),
        (AnySpec::Optional(Some(x)), AnySpec::Optional(Some(y))) => assert_same_spec(x, y),
        (AnySpec::Composite(_), AnySpec::Composite(_)) => {
            match a.without_names().most_specific_common_supertype(&b.without_names()) {
                Some(_) => Ok(()),
                None => bail!("two extension types without a common type: {a} and {b}"),
            }
        }
        _ => bail!("a {} is no {}: {a} and {b}", a.kind(), b.kind()),
    }
}

/// The parts of a structure with extension types kept whole.
pub fn flatten_values(value: &AnyValue) -> Vec<AnyValue> {
    match value.spec() {
        AnySpec::Tuple(_) | AnySpec::List(_) | AnySpec::Map(_) | AnySpec::Optional(_) => {
            value.components().iter().flat_map(flatten_values).collect()
        }
        _ => vec![value.clone()],
    }
}
