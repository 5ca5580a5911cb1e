//! Specs, stored specs, literals and values of recursive types nest a thousand levels deep: deeper ones
//! are refused, and whatever goes through those within the bound fits a small stack.

use std::panic::{AssertUnwindSafe, catch_unwind};

use extype::ErrorKind;
use extype::prelude::*;
use extype::spec::{AnySpec, AnyValue};
use extype::spec::{LeafIter, Literal, Nested, SpecValue};

/// Runs on a stack of 1 MiB, half of what threads have.
fn on_a_small_stack(program: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(program).unwrap();
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn assert_too_deep<T>(result: Result<T>) {
    let e = result.map(drop).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    assert!(e.message().contains("nest deeper than"), "{e}");
}

/// So deep specs may nest; and values, of which a level may be four of a stored spec.
const MOST: usize = 4224;
const MOST_LEVELS: usize = 1024;

/// True if it panics for the depth.
fn panics(f: impl FnOnce()) -> bool {
    let Err(panic) = catch_unwind(AssertUnwindSafe(f)) else { return false };
    panic.downcast_ref::<String>().is_some_and(|s| s.contains("nest deeper than"))
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
        for i in 0..MOST {
            spec = deeper(i, spec).unwrap();
        }
        for i in 0..4 {
            assert_too_deep(deeper(i, spec.clone()));
        }
        assert!(spec.to_string().len() > MOST && format!("{spec:?}").len() > MOST);
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(&spec, &mut hasher);
        assert_eq!(spec.leaves(), [leaf]);
        assert!(spec.is_subtype_of(&spec) && spec.is_compatible_with(&spec));
        assert_eq!(spec.most_specific_common_supertype(&spec), Some(spec.clone()));
        assert_eq!(spec.stacked(3).unwrap().unstacked().unwrap(), spec);
        assert_eq!(spec.without_names(), spec);
        nest::assert_same_spec(&spec, &spec).unwrap();
        let stored = spec.serialize().unwrap();
        assert!(format!("{stored:?}").len() > MOST);
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
        for _ in 0..MOST {
            literal = Literal::List(Nested::try_new([literal]).unwrap());
        }
        assert_too_deep(Nested::<[_]>::try_new([literal.clone()]));
        assert!(panics(|| drop(Literal::List([literal.clone()].into()))));
        // What a literal has below it counts.
        assert_too_deep(Nested::<[_]>::try_new([AnySpec::Literal(literal.clone())]));
        assert_too_deep(Nested::<SpecValue>::try_new(SpecValue::Literal(literal.clone())));
        assert!(literal.to_string().len() > MOST && literal == literal.clone());
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
        for depth in [MOST_LEVELS + 2, 100_000] {
            let (tree, chain) = (tree(depth), chain(depth));
            assert!(panics(|| drop(tree.type_spec())));
            assert!(panics(|| drop(AnyValue::of(&chain))));
            if depth > 2000 {
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
        let t = tree(1000);
        let spec = t.type_spec();
        let flat = nest::flatten(&t);
        assert_eq!(flat.len(), 1000);
        let mut leaves = LeafIter::new(flat);
        let back = Tree::from_leaves(&spec, &mut leaves).unwrap();
        assert!(nest::equal(&t, &back).unwrap().item::<bool>().unwrap());
        let doubled = function(|t: &Tree| nest::map_structure(t, |x| ops::mul(x, 2.0)));
        let doubled = doubled.call(&t).unwrap();
        assert_eq!(nest::flatten(&doubled).len(), 1000);
        drop_tree(doubled);
        drop_tree(back);
        drop_tree(t);
    });
}

/// A chain of a thousand links is an ordinary value: called with, compared, stored, and a second call is a hit.
#[test]
fn a_thousand_levels_are_ordinary() {
    on_a_small_stack(|| {
        for depth in [64, 1000] {
            let c = chain(depth);
            let f = function(|c: &Chain| Ok((c.clone(), ops::add(&c.x, 1.0)?)));
            for _ in 0..2 {
                let (back, y) = f.call(&c).unwrap();
                assert_eq!(y.item::<f32>().unwrap(), 2.0);
                assert_eq!(nest::flatten(&back).len(), depth);
                drop_chain(back);
            }
            assert_eq!(f.trace_count(), 1);
            let spec = c.type_spec();
            assert!(spec == spec.clone() && format!("{spec:?}").len() > depth);
            let any = spec.to_any();
            let stored = any.serialize().unwrap();
            assert_eq!(AnySpec::deserialize(&stored).unwrap(), any);
            let value = AnyValue::of(&c);
            assert_eq!(value.leaves().len(), depth);
            drop_chain(value.downcast::<Chain>().unwrap());
            drop_chain(c);
        }
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
        assert!(f.call(&rules(50)).is_ok() && f.call(&rules(1000)).is_ok());
        let mut deep = rules(100_000);
        assert!(panics(|| drop(deep.to_literal())));
        while let Some(next) = deep.within.pop() {
            deep = next;
        }
    });
}

#[tf_function]
fn power(x: &Tensor, n: i64) -> Result<Tensor> {
    if n == 0 { x.ones_like() } else { ops::mul(x, &power(x, n - 1)?) }
}

/// Arms within arms, on tensors.
fn halved(x: &Tensor, n: i64) -> Result<Tensor> {
    if n == 0 {
        return Ok(x.clone());
    }
    cond(&x.greater(0.5)?, || halved(&ops::mul(x, 0.999)?, n - 1), || Ok(x.clone()))
}

#[test]
fn recursion_on_plain_values_is_as_deep_as_there_is_memory_for() {
    on_a_small_stack(|| {
        let x = scalar(1.001f64);
        // Deep at once, not after shallower calls only.
        let y = power(&x, 1000).unwrap().item::<f64>().unwrap();
        assert!((y - 1.001f64.powi(1000)).abs() < 1e-9);
        let dy = grad(|x: &Tensor| power(x, 150))(&x).unwrap().item::<f64>().unwrap();
        assert!((dy - 150.0 * 1.001f64.powi(149)).abs() < 1e-6);
    });
}

#[test]
fn conditionals_within_each_other_run_and_have_gradients() {
    on_a_small_stack(|| {
        let x = scalar(1.0f64);
        for (depth, left) in [(100, 0.999f64.powi(100)), (1000, 0.999f64.powi(693))] {
            let f = function(move |x: &Tensor| halved(x, depth));
            let y = f.call(&x).unwrap().item::<f64>().unwrap();
            assert!((y - left).abs() < 1e-9, "{y} {left}");
        }
        let dy = grad(|x: &Tensor| function(|x: &Tensor| halved(x, 100)).call(x))(&x).unwrap();
        assert!((dy.item::<f64>().unwrap() - 0.999f64.powi(100)).abs() < 1e-9, "{dy}");
    });
}

#[tf_function]
fn halved_by_calls(x: &Tensor, n: i64) -> Result<Tensor> {
    let y = ops::mul(x, 0.999)?;
    if n > 0 {
        if y > 0.5 {
            return halved_by_calls(&y, n - 1);
        }
    }
    Ok(y)
}

#[test]
fn converted_conditionals_within_calls_have_gradients() {
    on_a_small_stack(|| {
        let x = scalar(1.0f64);
        let want = 0.999f64.powi(41);
        let dy = grad(|x: &Tensor| halved_by_calls(x, 40));
        // From outside of the traces, and within one.
        for dy in [dy(&x), function(|x: &Tensor| dy(x)).call(&x)] {
            let dy = dy.unwrap().item::<f64>().unwrap();
            assert!((dy - want).abs() < 1e-9, "{dy} {want}");
        }
    });
}

#[tf_function]
fn without_end(x: &Tensor, n: i64) -> Result<Tensor> {
    ops::add(&without_end(x, n + 1)?, 1.0)
}

#[test]
fn recursion_without_end_is_an_error() {
    on_a_small_stack(|| {
        let e = without_end(&scalar(1.0f32), 0).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::ResourceExhausted);
        assert!(e.message().contains("too deep") && e.message().len() < 2000, "{e}");
    });
}

#[test]
fn functions_that_call_functions_run_and_are_dropped_however_deep() {
    on_a_small_stack(|| {
        let x = scalar(0.0f32);
        let one = function(|x: &Tensor| ops::add(x, 1.0));
        let mut last = one.concrete(&TensorSpec::of::<f32>([])).unwrap();
        for _ in 1..5000 {
            let inner = last.function().clone() as std::sync::Arc<extype::ir::LibraryFunction>;
            let outer =
                function(move |x: &Tensor| Ok(extype::function::call(&inner, &[x])?.remove(0)));
            last = outer.concrete(&TensorSpec::of::<f32>([])).unwrap();
        }
        assert_eq!(last.call_flat(&[x]).unwrap()[0].item::<f32>().unwrap(), 1.0);
    });
}
