//! Flattening, packing and mapping undo and respect each other.

use extype::nest::tree::{self, Composites, Types};
use extype::spec::AnyValue;
use proptest::strategy::BoxedStrategy;

use super::*;

const BOTH: [Composites; 2] = [Composites::Keep, Composites::Expand];

/// A value of any type, nested.
fn any_value() -> BoxedStrategy<AnyValue> {
    let leaf = prop_oneof![
        3 => (0usize..3).prop_map(|n| AnyValue::new(Tensor::from_vec(vec![0.5f32; n]))),
        2 => (0usize..3).prop_map(|n| AnyValue::new(masked(n))),
        1 => (0usize..3).prop_map(|n| AnyValue::new(labelled(n, "a"))),
        1 => (0i64..3).prop_map(AnyValue::new),
        1 => Just(AnyValue::new(None::<Tensor>)),
    ];
    let nested = leaf.prop_recursive(3, 12, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            list.clone().prop_map(|l| join(&l, |s| AnySpec::List(s.into()))),
            list.clone().prop_map(|l| join(&l, |s| AnySpec::Tuple(s.into()))),
            inner.prop_map(|v| join(&[v], |s| AnySpec::Optional(Some(s[0].clone().into())))),
            list.prop_map(|l| {
                join(&l, |s| {
                    let keyed = s.into_iter().enumerate().map(|(i, s)| (format!("k{i}"), s));
                    AnySpec::Map(keyed.collect())
                })
            }),
        ]
    });
    nested.boxed()
}

/// A value with these parts.
fn join(parts: &[AnyValue], spec: impl Fn(Vec<AnySpec>) -> AnySpec) -> AnyValue {
    let spec = spec(parts.iter().map(|p| p.spec().clone()).collect());
    let leaves = parts.iter().flat_map(|p| p.leaves().to_vec()).collect();
    AnyValue::from_parts(spec, leaves).unwrap()
}

fn ids(value: &AnyValue) -> Vec<extype::tensor::Identity> {
    value.leaves().iter().map(Tensor::id).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn packing_undoes_flattening(x in any_value()) {
        for composites in BOTH {
            let flat = tree::flatten(&x, composites);
            let back = tree::pack_sequence_as(&x, flat.clone(), composites).unwrap();
            prop_assert_eq!(back.spec(), x.spec());
            prop_assert_eq!(ids(&back), ids(&x));
            // The spec alone is structure enough, and has the same atoms.
            let back = tree::pack_sequence_as(x.spec(), flat.clone(), composites).unwrap();
            prop_assert_eq!((back.spec(), ids(&back)), (x.spec(), ids(&x)));
            let specs = tree::flatten(x.spec(), composites);
            prop_assert_eq!(&specs, &flat.iter().map(|v| v.spec().clone()).collect::<Vec<_>>());
            prop_assert_eq!(&tree::pack_sequence_as(&x, specs, composites).unwrap(), x.spec());
            // One more or less is refused, with both counts.
            let more = [flat.clone(), vec![AnyValue::new(0i64)]].concat();
            let e = tree::pack_sequence_as(&x, more, composites).unwrap_err().to_string();
            let counts = format!("{} parts given for a structure of {}", flat.len() + 1, flat.len());
            prop_assert!(e.contains(&counts), "{}", e);
        }
    }

    #[test]
    fn paths_are_of_the_atoms_and_differ(x in any_value()) {
        for composites in BOTH {
            let flat = tree::flatten_with_paths(&x, composites);
            let mut paths: Vec<String> = flat.iter().map(|(p, _)| p.to_string()).collect();
            let atoms = tree::flatten(&x, composites);
            prop_assert_eq!(flat.len(), atoms.len());
            prop_assert!(flat.iter().zip(&atoms).all(|((_, a), b)| a.spec() == b.spec()));
            paths.sort();
            paths.dedup();
            prop_assert_eq!(paths.len(), atoms.len());
        }
    }

    #[test]
    fn mapping_keeps_the_structure_and_commutes_with_taking_the_spec(x in any_value()) {
        for composites in BOTH {
            let same = tree::map_structure(&x, |v| Ok(v.clone()), composites).unwrap();
            prop_assert_eq!((same.spec(), ids(&same)), (x.spec(), ids(&x)));
            let specs = tree::map_structure(&x, |v| Ok(v.spec().clone()), composites).unwrap();
            prop_assert_eq!(&specs, x.spec());
            let pair = tree::map_structures(
                &[&x, &x], |v| Ok(v[1].clone()), Types::Check, composites,
            );
            prop_assert_eq!(ids(&pair.unwrap()), ids(&x));
        }
    }

    #[test]
    fn to_be_of_one_structure_is_an_equivalence_of_values_and_specs(
        x in any_value(), y in any_value(),
    ) {
        for composites in BOTH {
            for types in [Types::Check, Types::Ignore] {
                let same = |a: &AnyValue, b: &AnyValue| {
                    tree::assert_same_structure(a, b, types, composites)
                };
                prop_assert!(same(&x, &x).is_ok());
                prop_assert_eq!(same(&x, &y).is_ok(), same(&y, &x).is_ok());
                prop_assert!(tree::assert_same_structure(&x, x.spec(), types, composites).is_ok());
                if same(&x, &y).is_ok() {
                    let counts = [&x, &y].map(|v| tree::flatten(v, composites).len());
                    prop_assert_eq!(counts[0], counts[1]);
                    // It can be packed as the other, and is shallow enough.
                    let packed = tree::pack_sequence_as(&x, tree::flatten(&y, composites), composites);
                    prop_assert_eq!(ids(&packed.unwrap()), ids(&y));
                    let up_to = tree::flatten_up_to(&x, &y, types, composites).unwrap();
                    prop_assert_eq!(up_to.len(), counts[0]);
                }
                if types == Types::Check && same(&x, &y).is_ok() {
                    let ignored = tree::assert_same_structure(&x, &y, Types::Ignore, composites);
                    prop_assert!(ignored.is_ok());
                }
            }
        }
    }

    #[test]
    fn a_structure_is_as_deep_as_itself_and_one_that_goes_on(x in any_value(), y in any_value()) {
        for composites in BOTH {
            let own = tree::flatten_up_to(&x, &x, Types::Check, composites).unwrap();
            prop_assert_eq!(own.len(), tree::flatten(&x, composites).len());
            // Every atom becomes a structure: the parts are these again.
            if composites == Composites::Keep {
                let deep = tree::map_structure(&x, |_| Ok(y.clone()), composites).unwrap();
                let parts = tree::flatten_up_to(&x, &deep, Types::Check, composites).unwrap();
                prop_assert!(parts.iter().all(|p| p.spec() == y.spec()));
                let back = tree::map_structure_up_to(
                    &x, &[&deep], |p| Ok(p[0].clone()), Types::Check, composites,
                );
                prop_assert_eq!(back.unwrap().spec().clone(), deep.spec().clone());
            }
        }
    }

    #[test]
    fn extension_types_survive_packing_and_anonymity(x in any_value()) {
        for part in tree::flatten(&x, Composites::Keep) {
            let AnySpec::Composite(c) = part.spec() else { continue };
            let packed = part.pack().unwrap();
            prop_assert_eq!(packed.leaves().len(), 1);
            let back = packed.unpack().unwrap();
            prop_assert_eq!((back.spec(), ids(&back)), (part.spec(), ids(&part)));
            let back = part.clone().into_anonymous().unwrap().reinterpret(&c.class).unwrap();
            prop_assert_eq!((back.spec(), ids(&back)), (part.spec(), ids(&part)));
        }
    }
}
