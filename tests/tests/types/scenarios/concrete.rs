//! What the function object of one trace tells, and the ways to call it.

use extype::function::{Bounds, RunOptions};
use extype::ir::Node;
use extype::prelude::*;

use super::refused;

fn number(t: &Tensor) -> f32 {
    t.item().unwrap()
}

fn spec() -> TensorSpec {
    TensorSpec::of::<f32>([])
}

#[derive(ExtensionType, Clone, Debug)]
struct Pair {
    left: Tensor,
    right: Tensor,
}

#[tf_function]
fn weighted(x: &Tensor, pair: &Pair, by: i64) -> Result<Tensor> {
    ops::add(ops::mul(x, by)?, ops::sub(&pair.left, &pair.right)?)
}

#[test]
fn a_flat_call_by_names_equals_a_structured_one() {
    let pair = Pair::new(5.0f32, 3.0f32).unwrap();
    let x = scalar(10.0f32);
    let usual = weighted(&x, &pair, 2).unwrap();
    let f = weighted::concrete(&spec(), &pair.type_spec(), &2i64.type_spec()).unwrap();
    assert_eq!(weighted::trace_count(), 1);
    assert_eq!(f.argument_names(), ["x", "pair.left", "pair.right"]);
    let named =
        f.call_named(&[("pair.right", &pair.right), ("x", &x), ("pair.left", &pair.left)]).unwrap();
    let structured: Tensor = f.call((&x, &pair, &2i64)).unwrap();
    let results = [&usual, &named[0], &structured].map(number);
    assert_eq!(results, [22.0; 3]);
}

#[test]
fn misused_names_are_refused_each_with_its_reason() {
    let f = function(|x: &Tensor, y: &Tensor| ops::sub(x, y));
    let f = f.concrete(&spec().named("left"), &spec().named("right")).unwrap();
    let (one, int) = (scalar(1.0f32), scalar(1i64));
    let text = refused(f.call_named(&[]));
    assert!(text.contains("misses the arguments `left`, `right`"), "{text}");
    let text = refused(f.call_named(&[("left", &one), ("left", &one)]));
    assert!(text.contains("two values for the argument `left`"), "{text}");
    let text = refused(f.call_named(&[("left", &one), ("rigth", &one)]));
    assert!(text.contains("no argument `rigth`; did you mean `right`?"), "{text}");
    let text = refused(f.call_named(&[("left", &one), ("right", &one), ("further", &one)]));
    assert!(text.contains("no argument `further`; it takes `left`, `right`"), "{text}");
    let text = refused(f.call_named(&[("left", &one), ("right", &int)]));
    assert!(text.contains("tensor 1 is int64[], traced for float32[]"), "{text}");
    let y = f.call_named(&[("right", &one), ("left", &scalar(3.0f32))]).unwrap();
    assert_eq!(number(&y[0]), 2.0);
}

#[test]
fn equal_names_are_numbered_in_order() {
    let f = function(|x: &Tensor, y: &Tensor, z: &Tensor| ops::add_n(&[x, y, z]));
    let named = spec().named("x");
    let f = f.concrete(&named, &named, &named).unwrap();
    assert_eq!(f.argument_names(), ["x", "x_1", "x_2"]);
}

#[test]
fn a_structured_call_wants_every_argument_as_it_was_traced() {
    let f = function(|x: &Tensor, n: &i64| ops::mul(x, *n)).concrete(&spec(), &3i64.type_spec());
    let f = f.unwrap();
    let x = scalar(2.0f32);
    assert_eq!(number(&f.call::<_, Tensor>((&x, &3i64)).unwrap()), 6.0);
    let text = refused(f.call::<_, Tensor>((&x, &4i64)));
    assert!(text.contains("argument 1 is 4, traced for 3"), "{text}");
    let text = refused(f.call::<_, Tensor>((&x,)));
    assert!(text.contains("takes 2 arguments, 1 given"), "{text}");
    let text = refused(f.call::<_, Tensor>((&scalar(2i64), &3i64)));
    assert!(text.contains("argument 0 is TensorSpec([], int64)"), "{text}");
    assert!(f.call::<_, Vec<Tensor>>((&x, &3i64)).is_err());
    // The flat form has no plain data.
    assert_eq!(number(&f.call_flat(&[x]).unwrap()[0]), 6.0);
}

#[test]
fn a_call_in_a_trace_is_a_node_and_checks_its_types() {
    let inner = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2])).unwrap();
    let outer = {
        let inner = inner.clone();
        function(move |x: &Tensor| inner.call::<_, Tensor>((x,))?.sum(..))
    };
    let graph = outer.concrete(&TensorSpec::of::<f32>([2])).unwrap();
    let ops: Vec<&str> = graph.graph().graph.nodes().iter().map(Node::op_name).collect();
    assert!(ops.contains(&"PartitionedCall") && !ops.contains(&"Square"), "{ops:?}");
    assert_eq!(number(&outer.call(&tensor![1.0f32, 2.0]).unwrap()), 5.0);
    let text = refused(outer.call(&tensor![1.0f32, 2.0, 3.0]));
    assert!(text.contains("[3]") && text.contains("traced for TensorSpec([2], float32)"), "{text}");
    assert_eq!(number(&outer.call(&tensor![3.0f32, 4.0]).unwrap()), 25.0);
}

#[test]
fn a_captured_tensor_of_floats_is_one_input_at_any_size() {
    for count in [1, 128, 129] {
        let captured = ops::ones([count], f32).unwrap();
        let by = captured.clone();
        let f = function(move |x: &Tensor| ops::mul(ops::mul(x, &by)?, &by)).concrete(&spec());
        let f = f.unwrap();
        let inputs = f.captured_inputs().unwrap();
        assert_eq!((inputs.len(), inputs[0].id()), (1, captured.id()), "{count}");
        assert_eq!((f.graph().inputs.len(), f.graph().num_arguments), (2, 1));
        // It is fed at each call, and can be replaced.
        let given = [&scalar(2.0f32), &ops::zeros([count], f32).unwrap()];
        let y = extype::function::call(f.function(), &given).unwrap();
        assert_eq!(y[0].as_slice::<f32>().unwrap()[0], 0.0);
    }
}

#[test]
fn the_value_of_few_captured_integers_is_known_to_the_trace() {
    for (count, known) in [(128, true), (129, false)] {
        let sizes = ops::ones([count], i64).unwrap();
        let f = function(move |x: &Tensor| {
            let shape = sizes.slice([0], [2])?;
            x.reshape(&shape)
        });
        let f = f.concrete(&TensorSpec::of::<f32>([1])).unwrap();
        assert_eq!(f.captured_inputs().unwrap().is_empty(), known, "{count}");
    }
}

#[test]
fn captures_are_in_the_order_of_first_use() {
    let (a, b) = (tensor![1.0f32, 2.0], tensor![3.0f32, 4.0]);
    let (one, two) = (a.clone(), b.clone());
    let f = function(move |x: &Tensor| ops::add(ops::mul(x, &two)?, ops::mul(&one, &two)?));
    let ids: Vec<_> =
        f.concrete(&spec()).unwrap().captured_inputs().unwrap().iter().map(Tensor::id).collect();
    assert_eq!(ids, [b.id(), a.id()]);
}

#[test]
fn variables_are_those_of_nested_functions_too_and_tell_when_they_are_gone() {
    let w = Variable::new(2.0f32).unwrap().name("w");
    let steps = Variable::new(0i64).unwrap().not_trainable();
    let inner = function({
        let w = w.clone();
        move |x: &Tensor| ops::mul(x, &w)
    });
    let count = steps.clone();
    let traced = function(move |x: &Tensor| {
        count.assign_add(1)?;
        inner.call(x)
    });
    let f = traced.concrete(&spec()).unwrap();
    // The closure holds a handle too.
    drop(traced);
    let ids = |variables: Result<Vec<Variable>>| -> Vec<_> {
        variables.unwrap().iter().map(Variable::id).collect()
    };
    assert_eq!(ids(f.variables()), [steps.id(), w.id()]);
    assert_eq!(ids(f.trainable_variables()), [w.id()]);
    assert_eq!(f.variables().unwrap()[1].label(), Some("w"));
    drop(w);
    let e = f.variables().unwrap_err();
    assert_eq!(e.kind(), ErrorKind::FailedPrecondition);
    assert!(e.message().contains("variable `w`: float32[] was dropped"), "{e}");
    assert!(f.trainable_variables().is_err() && f.captured_inputs().is_err());
}

#[test]
fn a_trace_prints_its_signature() {
    let w = Variable::new(2.0f32).unwrap().name("w");
    let f = function(|p: &Pair, n: &i64| ops::mul(ops::add(&p.left, &w)?, *n));
    let spec = Pair::new(1.0f32, 2.0f32).unwrap().type_spec();
    let f = f.concrete(&spec, &4i64.type_spec()).unwrap();
    assert_eq!(
        f.pretty(),
        "`closure`\nInput Parameters:\n  a: PairSpec(left=TensorSpec([], float32), right=TensorSpec([], \
         float32))\n  b: 4\nOutput Type:\n  TensorSpec([], float32)\nCaptures:\n  variable `w`: float32[]"
    );
    let none = function(|| ops::zeros(shape![], f32)).concrete().unwrap();
    assert_eq!(
        none.pretty(),
        "`closure`\nInput Parameters:\n  None\nOutput Type:\n  TensorSpec([], float32)\nCaptures:\n  None"
    );
}

#[test]
fn a_run_with_options_is_one_run_and_tells_its_steps() {
    let v = Variable::new(0.0f32).unwrap();
    let f = function({
        let v = v.clone();
        move |p: &Pair| {
            v.assign_add(1.0)?;
            Pair::new(p.left.matmul(&p.right)?, v.read()?)
        }
    });
    let x = ops::ones([8, 8], f32).unwrap();
    let pair = Pair::new(&x, &x).unwrap();
    let bounds = Bounds { bytes_per_second: 1e9, flops_per_second: 1e9 };
    for i in 1..4 {
        let options = RunOptions::profile().with_bounds(bounds);
        let (y, profile) = f.run_with(&pair, options).unwrap();
        assert_eq!((y.left.shape(), number(&y.right)), (shape![8, 8], i as f32));
        assert_eq!(profile.bounds, Some(bounds));
        let product = profile.steps.iter().find(|s| s.what.starts_with("MatMul")).unwrap();
        assert_eq!(product.flops, Some(2 * 8 * 8 * 8));
    }
    assert_eq!((number(&v.read().unwrap()), f.trace_count()), (3.0, 1));
    let (_, profile) = f.run_with(&pair, RunOptions::default()).unwrap();
    assert!(profile.steps.is_empty());
    // A variable that is passed twice is fed once.
    let sum = function(|a: &Variable, b: &Variable| ops::add(a.read()?, b.read()?));
    assert_eq!(number(&sum.run_with(&v, &v, RunOptions::profile()).unwrap().0), 8.0);
}

#[test]
fn a_profile_is_refused_where_nothing_runs() {
    let f = function(|x: &Tensor| x.exp());
    let x = scalar(0.0f32);
    {
        let _tape = GradientTape::new();
        let e = f.run_with(&x, RunOptions::profile()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::FailedPrecondition);
        assert!(f.run_with(&x, RunOptions::default()).is_ok());
    }
    let outer = function(|x: &Tensor| Ok(f.run_with(x, RunOptions::profile())?.0));
    assert!(refused(outer.call(&x)).contains("a profile measures a run"));
    let outer = function(|x: &Tensor| Ok(f.run_with(x, RunOptions::default())?.0));
    assert_eq!(number(&outer.call(&x).unwrap()), 1.0);
}
