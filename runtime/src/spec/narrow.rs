//! Arguments with less specific types than a signature, such as a tensor of unknown shape from an enclosing
//! trace. They are accepted, and checked when the trace runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AnySpec, Composite, Literal, ModuleSpec, Nested, TensorSpec};
use crate::types::{Shape, deep};

impl AnySpec {
    /// This type with tensor shapes narrowed to those of `wanted` where needed. `None` if that does not make
    /// it a subtype of `wanted`.
    pub(crate) fn narrowed_to(&self, wanted: &AnySpec) -> Option<AnySpec> {
        narrow(self, wanted)
    }

    /// True if no other type is a subtype of this one.
    pub(crate) fn is_closed(&self) -> bool {
        match self {
            AnySpec::Tensor(t) => t.name.is_none() && t.shape.is_fully_defined(),
            AnySpec::Variable(v) => v.shape.is_fully_defined(),
            AnySpec::Literal(Literal::Shape(shape)) => shape.is_fully_defined(),
            AnySpec::Literal(_) => true,
            // One with laws of its own may be a supertype of others.
            AnySpec::Custom(_) => self.find_custom::<ModuleSpec>().is_some(),
            AnySpec::Tuple(c) | AnySpec::List(c) => c.iter().all(AnySpec::is_closed),
            AnySpec::Map(m) => m.values().all(AnySpec::is_closed),
            AnySpec::Optional(o) => o.as_ref().is_none_or(|s| s.is_closed()),
            AnySpec::Composite(c) => {
                !c.class.hooks.own_laws && c.fields.iter().all(|(_, s)| s.is_closed())
            }
        }
    }
}

fn narrow(given: &AnySpec, wanted: &AnySpec) -> Option<AnySpec> {
    deep(|| {
        if given.is_subtype_of(wanted) {
            return Some(given.clone());
        }
        let all = |a: &[AnySpec], b: &[AnySpec]| {
            let parts = a.iter().zip(b).map(|(a, b)| narrow(a, b));
            if a.len() == b.len() { parts.collect::<Option<Arc<[_]>>>() } else { None }
        };
        Some(match (given, wanted) {
            (AnySpec::Tensor(g), AnySpec::Tensor(w)) => {
                let known_better = g.dtype == w.dtype && w.shape.is_subtype_of(&g.shape);
                known_better.then(|| AnySpec::Tensor(TensorSpec::new(w.shape.clone(), w.dtype)))?
            }
            (AnySpec::Tuple(a), AnySpec::Tuple(b)) => AnySpec::Tuple(all(a, b)?.into()),
            (AnySpec::List(a), AnySpec::List(b)) => AnySpec::List(all(a, b)?.into()),
            (AnySpec::Map(a), AnySpec::Map(b)) if a.keys().eq(b.keys()) => {
                let parts =
                    a.iter().zip(b.values()).map(|((k, a), b)| Some((k.clone(), narrow(a, b)?)));
                AnySpec::Map(Nested::new(parts.collect::<Option<BTreeMap<_, _>>>()?))
            }
            (AnySpec::Optional(Some(a)), AnySpec::Optional(Some(b))) => {
                AnySpec::Optional(Some(Nested::new(narrow(a, b)?)))
            }
            (AnySpec::Composite(a), AnySpec::Composite(b)) => {
                if a.class != b.class || a.fields.len() != b.fields.len() {
                    return None;
                }
                let fields = a.fields.iter().zip(&b.fields).map(|((n, a), (m, b))| {
                    (n == m).then_some(())?;
                    Some((n.clone(), narrow(a, b)?))
                });
                let fields = fields.collect::<Option<Vec<_>>>()?;
                let made = Composite { class: a.class.clone(), fields, components: None };
                let made = (a.class.hooks.rebuild)(made).ok()?;
                made.is_subtype_of(wanted).then_some(made)?
            }
            _ => return None,
        })
    })
}

/// The tensors whose shape differs between `request` and `fitted`: the index among the leaves and the shape
/// in `fitted`.
pub(crate) fn narrowed_leaves(request: &[AnySpec], fitted: &[AnySpec]) -> Box<[(usize, Shape)]> {
    let leaves = |specs: &[AnySpec]| specs.iter().flat_map(AnySpec::leaves).collect::<Vec<_>>();
    let (before, after) = (leaves(request), leaves(fitted));
    let pairs = before.iter().zip(&after).enumerate();
    pairs
        .filter_map(|(i, pair)| match pair {
            (AnySpec::Tensor(a), AnySpec::Tensor(b)) if a.shape != b.shape => {
                Some((i, b.shape.clone()))
            }
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::TypeSpec;
    use crate::types::DType;

    fn t(shape: &[Option<usize>]) -> TensorSpec {
        TensorSpec::new(shape.iter().map(|n| (*n).into()).collect::<Shape>(), DType::F32)
    }

    #[test]
    fn shapes_are_narrowed_and_nothing_else() {
        let unknown = TensorSpec::new(Shape::unknown(), DType::F32);
        let wanted = t(&[None, Some(2)]);
        let of = |given: &TensorSpec| narrow(&given.to_any(), &wanted.to_any());
        assert_eq!(of(&unknown), Some(wanted.to_any()));
        assert_eq!(of(&t(&[None, None])), Some(wanted.to_any()));
        assert_eq!(of(&t(&[Some(3), Some(2)])), Some(t(&[Some(3), Some(2)]).to_any()));
        // Neither of these shapes is the more specific one.
        assert_eq!(of(&t(&[Some(3), None])), None);
        assert_eq!(of(&t(&[None, Some(3)])), None);
        assert_eq!(of(&TensorSpec::new(Shape::unknown(), DType::I32)), None);
        let pair = (vec![unknown.clone()], t(&[Some(1), Some(2)])).to_any();
        let both = (vec![wanted.clone()], wanted.clone()).to_any();
        let fitted = narrow(&pair, &both).unwrap();
        assert_eq!(fitted, (vec![wanted.clone()], t(&[Some(1), Some(2)])).to_any());
        assert_eq!(*narrowed_leaves(&[pair], &[fitted]), [(0, wanted.shape.clone())]);
        let two = vec![unknown.clone(), unknown].to_any();
        assert_eq!(narrow(&two, &vec![wanted].to_any()), None);
    }
}
