//! Order, supertype, compatibility, equality of specs.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::mem::discriminant;

use super::*;

fn hash(spec: &AnySpec) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(spec)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn subtyping_is_a_partial_order(a in any_trace_type(), other in any_trace_type(), seed: u64) {
        let bits = &mut Bits(seed);
        let b = widened(&a, bits);
        let c = widened(&b, bits);
        prop_assert!(a.is_subtype_of(&a));
        prop_assert!(a.is_subtype_of(&b) && b.is_subtype_of(&c) && a.is_subtype_of(&c));
        for x in [&b, &c, &other, &varied(&a, bits)] {
            prop_assert_eq!(a.is_subtype_of(x) && x.is_subtype_of(&a), a == *x);
            for y in [&b, &c, &other] {
                if a.is_subtype_of(x) && x.is_subtype_of(y) {
                    prop_assert!(a.is_subtype_of(y), "{} and {} and {}", a, x, y);
                }
            }
        }
    }

    #[test]
    fn the_supertype_is_the_least_upper_bound(a in any_trace_type(), other in any_trace_type(), seed: u64) {
        let bits = &mut Bits(seed);
        let tops: Vec<AnySpec> = (0..6).map(|_| widened(&a, bits)).collect();
        for b in [varied(&a, bits), widened(&a, bits), other] {
            let up = a.most_specific_common_supertype(&b);
            prop_assert_eq!(&up, &b.most_specific_common_supertype(&a));
            prop_assert_eq!(a.try_common_supertype(&b).ok(), up.clone());
            let Some(up) = up else { continue };
            prop_assert!(a.is_subtype_of(&up) && b.is_subtype_of(&up));
            for top in &tops {
                if b.is_subtype_of(top) {
                    prop_assert!(up.is_subtype_of(top), "{} and {}: {} is not below {}", a, b, up, top);
                }
            }
        }
    }

    #[test]
    fn merging_is_idempotent_and_takes_any_order(a in any_trace_type(), seed: u64) {
        let bits = &mut Bits(seed);
        let (b, c) = (varied(&a, bits), varied(&a, bits));
        prop_assert_eq!(a.most_specific_common_supertype(&a), Some(a.clone()));
        let all = AnySpec::common_supertype_of([&a, &b, &c]);
        prop_assert!(all.is_some());
        prop_assert_eq!(&all, &AnySpec::common_supertype_of([&c, &a, &b]));
        prop_assert_eq!(&all, &AnySpec::common_supertype_of([&b, &c, &a, &b]));
        // A merge with a supertype is the supertype.
        let top = widened(&a, bits);
        prop_assert_eq!(a.most_specific_common_supertype(&top), Some(top));
    }

    #[test]
    fn compatibility_is_symmetric_and_follows_from_a_common_value(
        a in any_trace_type(), b in any_trace_type(), seed: u64,
    ) {
        let bits = &mut Bits(seed);
        prop_assert_eq!(a.is_compatible_with(&b), b.is_compatible_with(&a));
        prop_assert!(a.is_compatible_with(&a));
        let (x, y) = (widened(&a, bits), widened(&a, bits));
        prop_assert!(x.is_compatible_with(&y), "{} and {}", x, y);
        let other = varied(&x, bits);
        prop_assert_eq!(x.is_compatible_with(&other), other.is_compatible_with(&x));
        if x.is_subtype_of(&b) {
            prop_assert!(x.is_compatible_with(&b));
        }
    }

    #[test]
    fn specs_of_other_kinds_of_values_have_nothing_in_common(a in any_spec(), b in any_spec()) {
        let class = |s: &AnySpec| match s {
            AnySpec::Composite(c) => Some(c.class.name.clone()),
            _ => None,
        };
        if discriminant(&a) != discriminant(&b) || class(&a) != class(&b) {
            prop_assert!(!a.is_compatible_with(&b) && !a.is_subtype_of(&b) && a != b);
            prop_assert_eq!(a.most_specific_common_supertype(&b), None);
        }
    }

    #[test]
    fn equal_specs_have_equal_hashes_and_texts(a in any_spec(), b in any_spec(), seed: u64) {
        let same = with_shapes(&a, &mut Shape::clone);
        prop_assert_eq!(&a, &same);
        for x in [&b, &same, &varied(&a, &mut Bits(seed))] {
            if a == *x {
                prop_assert_eq!(hash(&a), hash(x));
            }
        }
    }

    #[test]
    fn a_spec_equals_itself_after_serialization(a in any_spec()) {
        prop_assert_eq!(AnySpec::deserialize(&a.serialize().unwrap()).unwrap(), a);
    }

    #[test]
    fn stacking_is_undone_by_unstacking(a in any_spec(), n in any_dim()) {
        let stack = a.stacked(n).unwrap();
        prop_assert_eq!(stack.unstacked().unwrap(), a.without_names());
        prop_assert_eq!(stack.leaves().len(), a.leaves().len());
    }

    #[test]
    fn ranks_alone_are_a_supertype(a in any_spec()) {
        prop_assert!(a.is_subtype_of(&a.with_ranks_only()));
        prop_assert_eq!(a.with_ranks_only().with_ranks_only(), a.with_ranks_only());
    }
}
