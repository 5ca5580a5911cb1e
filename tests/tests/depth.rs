//! Specs, stored specs, literals and values of recursive types nest to a bounded depth: deeper ones
//! are refused, and whatever goes through those within the bound fits a small stack.

use std::panic::{AssertUnwindSafe, catch_unwind};

use extype::ErrorKind;
use extype::prelude::*;
use extype::spec::{LeafIter, Literal, Nested, SpecValue};

/// Runs on a stack of 1 MiB, half of what threads have.
fn on_a_small_stack(program: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(program).unwrap();
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn assert_too_deep<T>(result: Result<T>) {
    let e = result.map(drop).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    assert!(e.message().contains("nest deeper than 128"), "{e}");
}

/// True if it panics for the depth.
fn panics(f: impl FnOnce()) -> bool {
    let Err(panic) = catch_unwind(AssertUnwindSafe(f)) else { return false };
    panic.downcast_ref::<String>().is_some_and(|s| s.contains("nest deeper than 128"))
}

/// Every way to nest one level deeper.
fn deeper(i: usize, spec: AnySpec) -> Result<AnySpec> {
    Ok(match i % 4 {
        0 => AnySpec::List(Nested::try_new([spec])?),
        1 => AnySpec::Tuple(Nested::try_new([spec])?),
        2 => AnySpec::Optional(Some(Nested::try_new(spec)?)),
        _ => {
            let map = std::collections::BTreeMap::from([("k".to_owned(), spec)]);
            AnySpec::Map(Nested::try_new(map)?)
        }
    })
}

#[test]
fn all_that_goes_through_a_spec_fits_a_small_stack() {
    on_a_small_stack(|| {
        let leaf = TensorSpec::of::<f32>([2]).to_any();
        let mut spec = leaf.clone();
        for i in 0..128 {
            spec = deeper(i, spec).unwrap();
        }
        for i in 0..4 {
            assert_too_deep(deeper(i, spec.clone()));
        }
        assert!(spec.to_string().len() > 128 && format!("{spec:#?}").len() > 128);
        assert_eq!(spec.leaves(), [leaf]);
        assert!(spec.is_subtype_of(&spec) && spec.is_compatible_with(&spec));
        assert_eq!(spec.most_specific_common_supertype(&spec), Some(spec.clone()));
        assert_eq!(spec.stacked(3).unwrap().unstacked().unwrap(), spec);
        assert_eq!(spec.without_names(), spec);
        nest::assert_same_spec(&spec, &spec).unwrap();
        let stored = spec.serialize().unwrap();
        assert!(format!("{stored:#?}").len() > 128);
        assert_eq!(AnySpec::deserialize(&stored).unwrap(), spec);
        assert_too_deep(Nested::<[_]>::try_new([stored]));
        let value = AnyValue::from_parts(spec.clone(), vec![tensor![1.0f32, 2.0]]).unwrap();
        assert_too_deep(AnyValue::anonymous([("x", value)]));
    });
}

#[test]
fn literals_and_stored_specs_are_bounded() {
    on_a_small_stack(|| {
        let mut literal = Literal::None;
        for _ in 0..128 {
            literal = Literal::List(Nested::try_new([literal]).unwrap());
        }
        assert_too_deep(Nested::<[_]>::try_new([literal.clone()]));
        assert!(panics(|| drop(Literal::List([literal.clone()].into()))));
        // What a literal has below it counts.
        assert_too_deep(Nested::<[_]>::try_new([AnySpec::Literal(literal.clone())]));
        assert_too_deep(Nested::<SpecValue>::try_new(SpecValue::Literal(literal.clone())));
        assert!(literal.to_string().len() > 128 && literal == literal.clone());
    });
}

/// A tree of any depth.
#[derive(ExtensionType, Clone, Debug)]
struct Tree {
    x: Tensor,
    children: Vec<Tree>,
}

/// A list of any length, one in the other.
#[derive(ExtensionType, Clone, Debug)]
struct Chain {
    x: Tensor,
    next: Option<Box<Chain>>,
}

fn tree(depth: usize) -> Tree {
    let x = scalar(1.0f32);
    let leaf = Tree { x: x.clone(), children: vec![] };
    (1..depth).fold(leaf, |child, _| Tree { x: x.clone(), children: vec![child] })
}

fn chain(depth: usize) -> Chain {
    let x = scalar(1.0f32);
    let end = Chain { x: x.clone(), next: None };
    (1..depth).fold(end, |next, _| Chain { x: x.clone(), next: Some(Box::new(next)) })
}

/// What a type must do about its own drop.
fn drop_tree(mut tree: Tree) {
    while let Some(child) = tree.children.pop() {
        tree = child;
    }
}

fn drop_chain(mut chain: Chain) {
    while let Some(next) = chain.next.take() {
        chain = *next;
    }
}

#[test]
fn a_value_of_a_recursive_type_that_is_too_deep_is_refused() {
    on_a_small_stack(|| {
        let f = function(|t: &Tree| ops::add(&t.x, 1.0));
        let g = function(|c: &Chain| ops::add(&c.x, 1.0));
        for depth in [100, 100_000] {
            let (tree, chain) = (tree(depth), chain(depth));
            assert!(
                panics(|| drop(tree.type_spec())) || panics(|| drop(tree.type_spec().to_any()))
            );
            assert!(panics(|| drop(AnyValue::of(&chain))));
            if depth > 1000 {
                assert!(panics(|| drop(tree.type_spec())) && panics(|| drop(chain.type_spec())));
                assert!(panics(|| drop(nest::flatten(&tree))));
                assert!(panics(|| drop(nest::flatten(&chain))));
                assert_too_deep(nest::map_structure(&tree, |x| Ok(x.clone())));
            }
            assert_too_deep(f.call(&tree));
            assert_too_deep(g.call(&chain));
            drop_tree(tree);
            drop_chain(chain);
        }
        // After a trace for a type within the bounds, deeper values are still refused.
        assert_eq!(f.call(&tree(30)).unwrap().item::<f32>().unwrap(), 2.0);
        assert_eq!(g.call(&chain(30)).unwrap().item::<f32>().unwrap(), 2.0);
        let deep = tree(100_000);
        assert_too_deep(f.call(&deep));
        drop_tree(deep);
    });
}

#[test]
fn a_value_within_the_bounds_is_flattened_and_rebuilt() {
    on_a_small_stack(|| {
        let t = tree(60);
        let spec = t.type_spec();
        let flat = nest::flatten(&t);
        assert_eq!(flat.len(), 60);
        let mut leaves = LeafIter::new(flat);
        let back = Tree::from_leaves(&spec, &mut leaves).unwrap();
        assert!(nest::equal(&t, &back).unwrap().item::<bool>().unwrap());
        let doubled = function(|t: &Tree| nest::map_structure(t, |x| ops::mul(x, 2.0)));
        assert_eq!(nest::flatten(&doubled.call(&t).unwrap()).len(), 60);
    });
}

/// Static data of any depth.
#[derive(StaticData, Clone, PartialEq, Debug)]
struct Rules {
    within: Vec<Rules>,
}

#[test]
fn static_data_that_is_too_deep_is_refused() {
    on_a_small_stack(|| {
        let rules = |depth: usize| {
            (1..depth).fold(Rules { within: vec![] }, |r, _| Rules { within: vec![r] })
        };
        let f = function(|_: &Rules| Ok(scalar(1.0f32)));
        assert!(f.call(&rules(50)).is_ok());
        let mut deep = rules(100_000);
        assert!(panics(|| drop(deep.to_literal())));
        while let Some(next) = deep.within.pop() {
            deep = next;
        }
    });
}

#[test]
fn traced_functions_within_each_other_are_bounded() {
    type Step = std::sync::Arc<dyn Fn(&Tensor) -> Result<Tensor> + Send + Sync>;
    // On the 2 MiB of a test's thread: half of it is what `ensure_stack` allows.
    {
        let x = scalar(0.0f32);
        for called_on_the_way in [true, false] {
            let mut step: Step = std::sync::Arc::new(|x: &Tensor| ops::add(x, 1.0));
            let mut refused = None;
            for depth in 0..1000 {
                let f = function({
                    let inner = step.clone();
                    move |x: &Tensor| inner(x)
                });
                step = std::sync::Arc::new(move |x: &Tensor| f.call(x));
                let asked = called_on_the_way || depth == 999;
                if let Some(e) = asked.then(|| step(&x).err()).flatten() {
                    refused = Some(e);
                    break;
                }
            }
            let e = refused.expect("more than may call each other");
            assert_eq!(e.kind(), ErrorKind::ResourceExhausted, "{e}");
            assert!(e.to_string().contains("deep"), "{e}");
        }
    }
}
