//! String-keyed maps.
//!
//! Leaves are in the order of the keys, as for dicts in TensorFlow, whatever the iteration order of the map.
//! A `HashMap` and a `BTreeMap` with the same entries have the same leaves and the same [`AnySpec`]. A value
//! without its Rust type (loaded, packed or in the key of a trace) converts to either.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use smallvec::SmallVec;

use crate::spec::literal::wrong;
use crate::spec::{
    AnySpec, Fingerprint, LeafIter, Leaves, Level, Literal, SpecContext, StaticData, Structure,
    TypeSpec,
};
use crate::tensor::Tensor;
use crate::types::{Result, bail, deep};

/// A spec of a map is a map of specs.
macro_rules! specs_of_maps {
    ($($map:ident),*) => {
        $(#[diagnostic::do_not_recommend]
        impl<S: TypeSpec> TypeSpec for $map<String, S> {
            type Value = $map<String, S::Value>;

            fn to_any(&self) -> AnySpec {
                deep(|| AnySpec::Map(self.iter().map(|(k, s)| (k.clone(), s.to_any())).collect()))
            }

            fn from_any(any: &AnySpec) -> Result<Self> {
                deep(|| match any {
                    AnySpec::Map(m) => {
                        m.iter().map(|(k, s)| Ok((k.clone(), S::from_any(s)?))).collect()
                    }
                    other => bail!("expected the spec of a map, got {other}"),
                })
            }

            fn stated(&self) -> Self {
                self.iter().map(|(k, s)| (k.clone(), s.stated())).collect()
            }
        })*
    };
}
specs_of_maps!(BTreeMap, HashMap);

#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for BTreeMap<String, T> {
    type Spec = BTreeMap<String, T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        Level::within(|| self.iter().map(|(k, x)| (k.clone(), x.spec_in(context))).collect())
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        deep(|| {
            self.len() == spec.len()
                && self.iter().zip(spec).all(|((k, x), (l, s))| k == l && x.has_spec(s, context))
        })
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        deep(|| {
            // Keys are left out: they seldom differ, and they are compared anyway.
            mix_entries(self.iter(), |_, _| {}, T::mix_spec, fingerprint);
        });
    }

    #[inline]
    fn check_fields(&self) -> Result<()> {
        self.values().try_for_each(Structure::check_fields)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        Level::within(|| {
            self.values().for_each(|x| x.leaves(out));
        });
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        Level::within(|| {
            self.into_values().for_each(|x| x.into_leaves(out));
        });
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        deep(|| {
            let mut entries = Vec::with_capacity(spec.len());
            for (k, s) in spec {
                entries.push((k.clone(), T::from_leaves(s, leaves)?));
            }
            Ok(entries.into_iter().collect())
        })
    }
}

/// The entries in the order of their keys, which is that of the leaves.
fn ordered<K: Ord, V>(map: &HashMap<K, V>) -> SmallVec<[(&K, &V); 16]> {
    let mut entries: SmallVec<[_; 16]> = map.iter().collect();
    entries.sort_unstable_by_key(|(k, _)| *k);
    entries
}

#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for HashMap<String, T> {
    type Spec = HashMap<String, T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        Level::within(|| {
            ordered(self).into_iter().map(|(k, x)| (k.clone(), x.spec_in(context))).collect()
        })
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        deep(|| {
            let same = |(k, x): (&String, &T)| spec.get(k).is_some_and(|s| x.has_spec(s, context));
            self.len() == spec.len() && ordered(self).into_iter().all(same)
        })
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        deep(|| {
            // Keys are left out: they seldom differ, and they are compared anyway.
            mix_entries(self.iter(), |_, _| {}, T::mix_spec, fingerprint);
        });
    }

    #[inline]
    fn check_fields(&self) -> Result<()> {
        self.values().try_for_each(Structure::check_fields)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        Level::within(|| {
            ordered(self).into_iter().for_each(|(_, x)| x.leaves(out));
        });
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        deep(|| {
            let entries: BTreeMap<String, T> = self.into_iter().collect();
            entries.into_leaves(out);
        });
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        deep(|| {
            let entry = |(k, s): (&String, _)| Ok((k.clone(), T::from_leaves(s, leaves)?));
            ordered(spec).into_iter().map(entry).collect()
        })
    }
}

/// Adds entries independently of their order: their hashes are summed.
fn mix_entries<'a, K: 'a, V: 'a>(
    entries: impl ExactSizeIterator<Item = (&'a K, &'a V)>,
    key: fn(&K, &mut Fingerprint),
    value: fn(&V, &mut Fingerprint),
    fingerprint: &mut Fingerprint,
) {
    Level::within(|| {
        fingerprint.add(entries.len() as u64);
        let sum = entries.fold(0u64, |sum, (k, v)| {
            let mut entry = Fingerprint::default();
            key(k, &mut entry);
            value(v, &mut entry);
            sum.wrapping_add(entry.get())
        });
        fingerprint.add(sum);
    });
}

/// The literal of entries that are in key order: a map if all keys are strings, otherwise a list of pairs.
fn to_literal<'a, K: StaticData, V: StaticData>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
) -> Literal {
    Level::within(|| {
        let pairs: Vec<_> = entries.map(|(k, v)| (k.to_literal(), v.to_literal())).collect();
        let named = pairs.iter().map(|(k, v)| match k {
            Literal::Str(name) => Some((name.to_string(), v.clone())),
            _ => None,
        });
        match named.collect::<Option<BTreeMap<_, _>>>() {
            Some(map) => Literal::Map(map.into()),
            None => Literal::List(
                pairs.into_iter().map(|(k, v)| Literal::List([k, v].into())).collect(),
            ),
        }
    })
}

/// The map from its literal.
fn from_literal<K: StaticData, V: StaticData, M: FromIterator<(K, V)>>(
    literal: &Literal,
) -> Result<M> {
    deep(|| {
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
    })
}

#[diagnostic::do_not_recommend]
impl<K: StaticData + Ord, V: StaticData> StaticData for BTreeMap<K, V> {
    fn to_literal(&self) -> Literal {
        to_literal(self.iter())
    }

    fn from_literal(literal: &Literal) -> Result<Self> {
        from_literal(literal)
    }

    fn same(&self, other: &Self) -> bool {
        deep(|| {
            let mut pairs = self.iter().zip(other);
            self.len() == other.len() && pairs.all(|((k, v), (l, w))| k.same(l) && v.same(w))
        })
    }

    fn mix_literal(&self, fingerprint: &mut Fingerprint) {
        mix_entries(self.iter(), K::mix_literal, V::mix_literal, fingerprint);
    }
}

#[diagnostic::do_not_recommend]
impl<K: StaticData + Ord + Hash, V: StaticData> StaticData for HashMap<K, V> {
    fn to_literal(&self) -> Literal {
        to_literal(ordered(self).into_iter())
    }

    fn from_literal(literal: &Literal) -> Result<Self> {
        from_literal(literal)
    }

    fn same(&self, other: &Self) -> bool {
        deep(|| {
            let there = |(k, v): (&K, &V)| {
                other.get_key_value(k).is_some_and(|(l, w)| k.same(l) && v.same(w))
            };
            self.len() == other.len() && self.iter().all(there)
        })
    }

    fn mix_literal(&self, fingerprint: &mut Fingerprint) {
        mix_entries(self.iter(), K::mix_literal, V::mix_literal, fingerprint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{AnyValue, TensorSpec};
    use crate::types::DType;

    /// Enough keys that a hash map is not in key order by chance.
    fn entries() -> impl Iterator<Item = (String, Tensor)> {
        (0..20).rev().map(|i| (format!("k{i:02}"), Tensor::scalar(i as i64)))
    }

    fn numbers<'a>(leaves: impl IntoIterator<Item = &'a Tensor>) -> Vec<i64> {
        leaves.into_iter().map(|t| t.item().unwrap()).collect()
    }

    #[test]
    fn leaves_come_in_the_order_of_the_keys_and_go_back_to_them() {
        let map: HashMap<String, Tensor> = entries().collect();
        let mut leaves = Leaves::new();
        map.leaves(&mut leaves);
        assert_eq!(numbers(leaves), (0..20).collect::<Vec<_>>());
        let spec = map.type_spec();
        assert!(map.has_spec(&spec, &mut SpecContext::new()));
        let mut owned = Vec::new();
        map.into_leaves(&mut owned);
        assert_eq!(numbers(&owned), (0..20).collect::<Vec<_>>());
        let mut leaves = LeafIter::new(owned);
        let back = HashMap::<String, Tensor>::from_leaves(&spec, &mut leaves).unwrap();
        leaves.finish().unwrap();
        assert!(entries().all(|(k, x)| back[&k].item::<i64>().unwrap() == x.item().unwrap()));
    }

    #[test]
    fn variables_get_their_ids_in_the_order_of_the_keys() {
        let variable = || crate::Variable::new(1.0f32).unwrap();
        let (a, b) = (variable(), variable());
        let map = |x: &crate::Variable, y: &crate::Variable| {
            HashMap::from(
                ["p", "q", "r"]
                    .map(|k| (k.to_string(), if k == "q" { y.clone() } else { x.clone() })),
            )
        };
        let spec = map(&a, &b).type_spec();
        assert!(map(&b, &a).has_spec(&spec, &mut SpecContext::new()));
        assert!(!map(&a, &a).has_spec(&spec, &mut SpecContext::new()));
        assert_eq!(map(&b, &a).type_spec().to_any(), spec.to_any());
    }

    #[test]
    fn a_hash_map_has_the_spec_of_a_map_with_the_same_keys() {
        let (hashed, sorted): (HashMap<_, _>, BTreeMap<_, _>) =
            (entries().collect(), entries().collect());
        let any = hashed.type_spec().to_any();
        assert_eq!(any, sorted.type_spec().to_any());
        assert_eq!(HashMap::<String, TensorSpec>::from_any(&any).unwrap(), hashed.type_spec());
        let back: BTreeMap<String, Tensor> = AnyValue::new(hashed.clone()).downcast().unwrap();
        assert_eq!(numbers(back.values()), (0..20).collect::<Vec<_>>());
        let other = HashMap::from([("k00".to_string(), TensorSpec::new([], DType::I64))]);
        assert_ne!(hashed.type_spec(), other);
        assert!(!hashed.has_spec(&other, &mut SpecContext::new()));
    }

    #[test]
    fn hash_maps_of_static_data_are_literals_in_the_order_of_the_keys() {
        let map = HashMap::from([("b".to_string(), 2i64), ("a".to_string(), 1)]);
        assert_eq!(map.to_literal().to_string(), r#"{"a": 1, "b": 2}"#);
        assert_eq!(HashMap::from_literal(&map.to_literal()).unwrap(), map);
        let by_number: HashMap<i64, char> = (0..20).map(|i| (i, 'x')).collect();
        let sorted: BTreeMap<i64, char> = by_number.clone().into_iter().collect();
        assert_eq!(by_number.to_literal(), sorted.to_literal());
        assert_eq!(HashMap::from_literal(&by_number.to_literal()).unwrap(), by_number);
        assert!(HashMap::<i64, char>::from_literal(&Literal::Int(1)).is_err());
    }
}
