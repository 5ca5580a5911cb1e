//! String-keyed maps.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::spec::literal::wrong;
use crate::spec::{
    AnySpec, LeafIter, Leaves, Literal, SpecContext, StaticData, Structure, TypeSpec,
};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for BTreeMap<String, S> {
    type Value = BTreeMap<String, S::Value>;

    fn to_any(&self) -> AnySpec {
        AnySpec::Map(Arc::new(self.iter().map(|(k, s)| (k.clone(), s.to_any())).collect()))
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Map(m) => m.iter().map(|(k, s)| Ok((k.clone(), S::from_any(s)?))).collect(),
            other => bail!("expected the spec of a map, got {other}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for BTreeMap<String, T> {
    type Spec = BTreeMap<String, T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        self.iter().map(|(k, x)| (k.clone(), x.spec_in(context))).collect()
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        self.len() == spec.len()
            && self.iter().zip(spec).all(|((k, x), (l, s))| k == l && x.has_spec(s, context))
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.values().for_each(|x| x.leaves(out));
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        self.into_values().for_each(|x| x.into_leaves(out));
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        spec.iter().map(|(k, s)| Ok((k.clone(), T::from_leaves(s, leaves)?))).collect()
    }
}

/// A map by names; with keys that are no texts, a list of pairs.
#[diagnostic::do_not_recommend]
impl<K: StaticData + Ord, V: StaticData> StaticData for BTreeMap<K, V> {
    fn to_literal(&self) -> Literal {
        let pairs = self.iter().map(|(k, v)| (k.to_literal(), v.to_literal()));
        let named = pairs.clone().map(|(k, v)| match k {
            Literal::Str(name) => Some((name.to_string(), v)),
            _ => None,
        });
        match named.collect::<Option<BTreeMap<_, _>>>() {
            Some(map) => Literal::Map(Arc::new(map)),
            None => Literal::List(pairs.map(|(k, v)| Literal::List([k, v].into())).collect()),
        }
    }

    fn from_literal(literal: &Literal) -> Result<Self> {
        let pair = |literal: &Literal| match literal {
            Literal::List(pair) if pair.len() == 2 => {
                Ok((K::from_literal(&pair[0])?, V::from_literal(&pair[1])?))
            }
            other => wrong("a key and a value", other),
        };
        match literal {
            Literal::Map(map) => {
                let named = |(k, v): (&String, &Literal)| {
                    Ok((K::from_literal(&Literal::Str(k.as_str().into()))?, V::from_literal(v)?))
                };
                map.iter().map(named).collect()
            }
            Literal::List(pairs) => pairs.iter().map(pair).collect(),
            other => wrong("a map", other),
        }
    }
}
