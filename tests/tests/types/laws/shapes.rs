//! The algebra of shapes against what it means for concrete ones.

use super::*;

/// NumPy's rule for known sizes, from the right.
fn naive(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let at = |s: &[usize], i: usize| if i < s.len() { s[s.len() - 1 - i] } else { 1 };
    let size = |i: usize| match (at(a, i), at(b, i)) {
        (x, y) if x == y => Some(x),
        (1, y) => Some(y),
        (x, 1) => Some(x),
        _ => None,
    };
    (0..rank).rev().map(size).collect()
}

/// True if a tensor of these sizes has the shape.
fn holds(shape: &Shape, sizes: &[usize]) -> bool {
    Shape::from(sizes).is_subtype_of(shape)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn known_shapes_broadcast_as_the_naive_rule_says(
        a in prop::collection::vec(0usize..4, 0..5), b in prop::collection::vec(0usize..4, 0..5),
    ) {
        let got = Shape::from(&a[..]).broadcast(&Shape::from(&b[..]));
        match naive(&a, &b) {
            Some(want) => prop_assert_eq!(got.unwrap(), Shape::from(want)),
            None => {
                let e = got.unwrap_err().to_string();
                prop_assert!(e.contains(&Shape::from(&a[..]).to_string()), "{}", e);
                prop_assert!(e.contains(&Shape::from(&b[..]).to_string()), "{}", e);
            }
        }
    }

    #[test]
    fn partly_known_shapes_broadcast_to_what_their_tensors_do(
        a in any_shape(), b in any_shape(), seed: u64,
    ) {
        let bits = &mut Bits(seed);
        let got = a.broadcast(&b);
        prop_assert_eq!(got.clone().ok(), b.broadcast(&a).ok());
        for _ in 0..8 {
            let (x, y) = (concrete(&a, bits), concrete(&b, bits));
            match (&got, naive(&x, &y)) {
                (Ok(shape), Some(sizes)) => {
                    prop_assert!(holds(shape, &sizes), "{:?} and {:?}: {}", x, y, shape);
                }
                (Err(e), Some(sizes)) => prop_assert!(false, "{:?}, but {}", sizes, e),
                (_, None) => {}
            }
        }
    }

    #[test]
    fn a_merge_is_all_that_both_know(a in any_shape(), b in any_shape(), c in any_shape(), seed: u64) {
        let merged = a.merge(&b);
        prop_assert_eq!(merged.is_ok(), a.is_compatible_with(&b));
        prop_assert_eq!(merged.is_ok(), a.assert_compatible(&b).is_ok());
        prop_assert_eq!(merged.clone().ok(), b.merge(&a).ok());
        prop_assert_eq!(a.merge(&a).unwrap(), a.clone());
        let sizes = concrete(&a, &mut Bits(seed));
        let Ok(merged) = merged else {
            prop_assert!(!holds(&b, &sizes), "{:?} has both shapes", sizes);
            return Ok(());
        };
        // The greatest lower bound, with exactly the tensors of both.
        prop_assert!(merged.is_subtype_of(&a) && merged.is_subtype_of(&b));
        prop_assert_eq!(holds(&merged, &sizes), holds(&a, &sizes) && holds(&b, &sizes));
        if c.is_subtype_of(&a) && c.is_subtype_of(&b) {
            prop_assert!(c.is_subtype_of(&merged));
        }
        let left = merged.merge(&c).ok();
        prop_assert_eq!(left, b.merge(&c).ok().and_then(|r| a.merge(&r).ok()));
    }

    #[test]
    fn compatible_shapes_have_a_tensor_in_common(a in any_shape(), b in any_shape()) {
        let known = |s: &Shape| -> Vec<usize> {
            s.dims().unwrap_or_default().iter().map(|d| d.size().unwrap_or(7)).collect()
        };
        match a.merge(&b) {
            Ok(both) => prop_assert!(holds(&a, &known(&both)) && holds(&b, &known(&both))),
            Err(_) => prop_assert!(!a.is_compatible_with(&b)),
        }
    }

    #[test]
    fn shapes_are_cut_and_joined_like_lists(
        a in any_shape(), b in any_shape(), c in any_shape(), at in 0i64..5,
    ) {
        let (ab, bc) = (a.concatenate(&b), b.concatenate(&c));
        prop_assert_eq!(ab.concatenate(&c), a.concatenate(&bc));
        prop_assert_eq!(a.concatenate(&Shape::scalar()), a.clone());
        let (head, tail) = (a.slice(None, Some(at)), a.slice(Some(at), None));
        if a.rank().is_some() {
            prop_assert_eq!(head.concatenate(&tail), a.clone());
            let place = (at as usize).min(a.rank().unwrap());
            let wider = a.insert(place, Dim::from(9));
            prop_assert_eq!(wider.dim(place as i64).unwrap(), Dim::from(9));
            let back = wider.slice(None, Some(place as i64)).concatenate(&wider.slice(Some(place as i64 + 1), None));
            prop_assert_eq!(back, a.clone());
        } else {
            prop_assert_eq!(tail, Shape::unknown());
        }
        prop_assert_eq!(a.num_elements().is_some(), a.is_fully_defined());
        for rank in 0..4 {
            let with = a.with_rank(rank);
            prop_assert_eq!(with.is_ok(), a.rank().is_none_or(|r| r == rank));
            prop_assert_eq!(with.ok(), a.merge(&Shape::of_rank(rank)).ok());
            prop_assert_eq!(a.with_rank_at_least(rank).is_ok(), a.rank().is_none_or(|r| r >= rank));
            prop_assert_eq!(a.with_rank_at_most(rank).is_ok(), a.rank().is_none_or(|r| r <= rank));
        }
    }
}
