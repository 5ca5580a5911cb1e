//! Functions that are parts of the graph of another one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use extype::ConcreteFunction;
use extype::function::{Effects, Run};
use extype::prelude::*;
use extype::spec::AnyValue;

use super::refused;

fn number(t: &Tensor) -> f32 {
    t.item().unwrap()
}

fn spec() -> TensorSpec {
    TensorSpec::of::<f32>([])
}

/// `z = x + square(x)`.
fn with_square() -> ConcreteFunction {
    function(|x: &Tensor| ops::add(x, x.square()?)).concrete(&spec()).unwrap()
}

/// A traced function of one scalar, and the tensors that its body noted.
fn noting(
    body: impl Fn(&Tensor, &mut dyn FnMut(&Tensor)) -> Result<Tensor>,
) -> (ConcreteFunction, Vec<Tensor>) {
    let noted = Arc::new(Mutex::new(Vec::new()));
    let notes = noted.clone();
    let f = function(move |x: &Tensor| {
        body(x, &mut |t: &Tensor| notes.lock().unwrap().push(t.clone()))
    });
    let f = f.concrete(&spec()).unwrap();
    let noted = noted.lock().unwrap().clone();
    (f, noted)
}

#[test]
fn feeding_an_intermediate_cuts_what_is_before_it() {
    let f = with_square();
    let whole = f.prune("a:0", "AddV2:0", Effects::Drop).unwrap();
    assert_eq!(number(&whole.call_flat(&[scalar(2.0f32)]).unwrap()[0]), 6.0);
    let sum = f.prune(["a:0", "Square:0"], "AddV2:0", Effects::Drop).unwrap();
    assert_eq!(number(&sum.call_flat(&[scalar(2.0f32), scalar(2.0f32)]).unwrap()[0]), 4.0);
    assert_eq!(sum.argument_names(), ["a", "Square"]);
    assert_eq!(sum.graph().graph.names(), ["a", "Square", "AddV2"]);
    assert!(sum.graph().graph.nodes().iter().all(|node| node.op_name() != "Square"));
    // The order is that of the inputs.
    let turned = f.prune(("Square", "a"), "AddV2", Effects::Drop).unwrap();
    assert_eq!(turned.argument_names(), ["Square", "a"]);
}

#[test]
fn a_part_between_two_ops_is_a_function_and_keeps_its_names() {
    let f = function(|x: &Tensor| x.square()?.square()?.square()).concrete(&spec()).unwrap();
    let part = f.prune("Square:0", "Square_2:0", Effects::Drop).unwrap();
    assert_eq!(number(&part.call_flat(&[scalar(2.0f32)]).unwrap()[0]), 16.0);
    assert_eq!(part.output_names(), ["Square_2:0"]);
    let last = part.prune("Square_1", "Square_2", Effects::Drop).unwrap();
    assert_eq!(number(&last.call_flat(&[scalar(3.0f32)]).unwrap()[0]), 9.0);
}

#[test]
fn an_output_that_is_an_input_is_what_was_given() {
    let f = with_square();
    let same = f.prune("Square", ("Square", "Square"), Effects::Drop).unwrap();
    let y = same.call_flat(&[scalar(7.0f32)]).unwrap();
    assert_eq!((number(&y[0]), number(&y[1])), (7.0, 7.0));
}

#[test]
fn outputs_have_the_structure_of_what_was_asked_for() {
    let f = with_square();
    let outputs = BTreeMap::from([("b".to_owned(), "AddV2"), ("a".to_owned(), "Square")]);
    let f2 = f.prune("a", (outputs, ["a"]), Effects::Drop).unwrap();
    let value = f2.call_values(&[AnyValue::new(scalar(2.0f32))]).unwrap();
    let (map, list): (BTreeMap<String, Tensor>, Vec<Tensor>) = value.downcast().unwrap();
    assert_eq!((number(&map["a"]), number(&map["b"]), number(&list[0])), (4.0, 6.0, 2.0));
}

#[derive(ExtensionType, Clone, Debug)]
struct Point {
    x: Tensor,
    y: Tensor,
}

#[test]
fn extension_types_of_the_trace_are_inputs_and_outputs() {
    let noted = Arc::new(Mutex::new(None));
    let notes = noted.clone();
    let f = function(move |p: &Point| {
        let moved = Point::new(ops::add(&p.x, 1.0)?, ops::mul(&p.y, 2.0)?)?;
        *notes.lock().unwrap() = Some((p.clone(), moved.clone()));
        ops::add(&moved.x, &moved.y)
    });
    let point = Point::new(1.0f32, 10.0f32).unwrap();
    let f = f.concrete(&point.type_spec()).unwrap();
    let (argument, moved) = noted.lock().unwrap().clone().unwrap();
    let first = f.prune([&argument], &moved, Effects::Drop).unwrap();
    let y: Point = first.call((&point,)).unwrap();
    assert_eq!((number(&y.x), number(&y.y)), (2.0, 20.0));
    let last = f.prune((&moved,), f.output_names().remove(0), Effects::Drop).unwrap();
    let y: Tensor = last.call((&point,)).unwrap();
    assert_eq!(number(&y), 11.0);
}

#[test]
fn a_tensor_of_another_trace_is_refused() {
    let (f, own) = noting(|x, note| {
        let y = x.square()?;
        note(&y);
        y.exp()
    });
    let (_, others) = noting(|x, note| {
        let y = x.square()?;
        note(&y);
        Ok(y)
    });
    let text = refused(f.prune(&others[0], "Exp", Effects::Drop));
    assert!(text.contains("a tensor of float32[] is of another trace, of `closure`"), "{text}");
    let text = refused(f.prune("a", &others[0], Effects::Drop));
    assert!(text.contains("pruning `closure`, traced for (a: TensorSpec([], float32))"), "{text}");
    let text = refused(f.prune(scalar(1.0f32), "Exp", Effects::Drop));
    assert!(text.contains("a tensor with a value is no element of the graph"), "{text}");
    let text = refused(f.prune(&3i64, "Exp", Effects::Drop));
    assert!(text.contains("3 has no tensors"), "{text}");
    // The function is as it was.
    assert_eq!(number(&f.call_flat(&[scalar(0.0f32)]).unwrap()[0]), 1.0);
    let part = f.prune(&own[0], "Exp", Effects::Drop).unwrap();
    assert_eq!(number(&part.call_flat(&[scalar(0.0f32)]).unwrap()[0]), 1.0);
}

#[test]
fn an_argument_that_is_needed_and_not_given_is_named_with_the_path_from_it() {
    let f = function(|x: &Tensor, y: &Tensor| ops::mul(x.square()?, y.exp()?.square()?));
    let f = f.concrete(&spec(), &spec()).unwrap();
    let e = f.prune("a", "Mul", Effects::Drop).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    assert_eq!(
        e.message(),
        "`Mul` needs the argument `b`, which is not among the inputs: b → Exp → Square_1 → Mul"
    );
    let text = refused(f.prune("a", "b", Effects::Drop));
    assert!(text.contains("the argument `b` is wanted, but is not an input"), "{text}");
    f.prune(["a", "Exp"], "Mul", Effects::Drop).unwrap();
}

#[test]
fn names_that_are_not_there_are_refused_with_a_name_that_is_near() {
    let f = with_square();
    let e = f.prune("a", "Sqare:0", Effects::Drop).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::NotFound);
    assert!(e.message().contains("no node `Sqare`; did you mean `Square`?"), "{e}");
    let text = refused(f.prune("a", "Square:1", Effects::Drop));
    assert!(text.contains("`Square` has 1 results, so there is no `Square:1`"), "{text}");
    let text = refused(f.prune(["a", "a:0"], "Square", Effects::Drop));
    assert!(text.contains("`a:0` is given twice"), "{text}");
    let text = refused(f.prune(Run("Square"), "AddV2", Effects::Drop));
    assert!(text.contains("an input is a result of an op"), "{text}");
    assert!(refused(f.prune("a", Run("Noise"), Effects::Drop)).contains("no node `Noise`"));
}

#[test]
fn effects_off_the_path_are_dropped_or_kept() {
    let (v, w) = (Variable::new(1.0f32).unwrap(), Variable::new(1.0f32).unwrap());
    let f = function(|x: &Tensor| {
        v.assign_add(x)?;
        w.assign_add(10.0)?;
        ops::add(x.square()?, v.read()?)
    });
    let f = f.concrete(&spec()).unwrap();
    let read = |v: &Variable| number(&v.read().unwrap());
    let square = f.prune("a", "Square", Effects::Drop).unwrap();
    square.call_flat(&[scalar(2.0f32)]).unwrap();
    assert_eq!((read(&v), read(&w)), (1.0, 1.0));
    // A read after a write needs the write, and not that of another variable.
    let sum = f.prune("a", "AddV2", Effects::Drop).unwrap();
    assert_eq!(number(&sum.call_flat(&[scalar(2.0f32)]).unwrap()[0]), 7.0);
    assert_eq!((read(&v), read(&w)), (3.0, 1.0));
    let all = f.prune("a", "Square", Effects::Keep).unwrap();
    all.call_flat(&[scalar(2.0f32)]).unwrap();
    assert_eq!((read(&v), read(&w)), (5.0, 11.0));
    // A read that is given cuts off the write.
    let given = f.prune(["a", "ReadVariableOp"], "AddV2", Effects::Drop).unwrap();
    assert_eq!(number(&given.call_flat(&[scalar(2.0f32), scalar(100.0f32)]).unwrap()[0]), 104.0);
    assert_eq!((read(&v), read(&w)), (5.0, 11.0));
    // Kept effects need their arguments.
    let text = refused(f.prune("Square", "Square", Effects::Keep));
    assert!(text.contains("`AssignAddVariableOp` needs the argument `a`"), "{text}");
    let both = (Run("AssignAddVariableOp"), "Square");
    let run = f.prune("a", both, Effects::Drop).unwrap();
    let ((), y): ((), Tensor) = run.call((&scalar(3.0f32),)).unwrap();
    assert_eq!((number(&y), read(&v), read(&w)), (9.0, 8.0, 11.0));
}

#[test]
fn order_is_kept_where_an_input_is_cut_out() {
    let v = Variable::new(1.0f32).unwrap();
    let f = function(|x: &Tensor| {
        v.assign(x)?;
        let old = v.read()?;
        v.assign(ops::mul(&old, 10.0)?)?;
        v.read()
    });
    let f = f.concrete(&spec()).unwrap();
    let names = ["a", "ReadVariableOp"];
    let cut = f.prune(names, "ReadVariableOp_1", Effects::Keep).unwrap();
    let y = cut.call_flat(&[scalar(5.0f32), scalar(7.0f32)]).unwrap();
    assert_eq!((number(&y[0]), number(&v.read().unwrap())), (70.0, 70.0));
    // The second write waits for the first one, which the read between waited for.
    let graph = &cut.graph().graph;
    let [first, second] =
        ["AssignVariableOp", "AssignVariableOp_1"].map(|n| graph.find(n).unwrap());
    assert!(graph.node(second).control_inputs.contains(&first));
}

#[test]
fn captures_stay_and_variables_are_the_same() {
    let v = Variable::new(2.0f32).unwrap();
    let factor = tensor![3.0f32, 4.0];
    let traced = function({
        let v = v.clone();
        move |x: &Tensor| {
            let scaled = ops::mul(x, &factor)?;
            ops::add(ops::mul(x, v.read()?)?, scaled.sum(..)?)
        }
    });
    let f = traced.concrete(&spec()).unwrap();
    // The closure holds a handle too.
    drop(traced);
    let part = f.prune("a", "Mul_1", Effects::Drop).unwrap();
    assert_eq!(part.captures(), f.captures());
    assert_eq!(part.variables().unwrap()[0].id(), v.id());
    v.assign(5.0).unwrap();
    assert_eq!(number(&part.call_flat(&[scalar(2.0f32)]).unwrap()[0]), 10.0);
    // A capture among the inputs is left out.
    let names = f.graph().graph.names();
    let capture = names[f.graph().inputs[1].index()].as_str();
    let part = f.prune([capture, "a"], "Mul_1", Effects::Drop).unwrap();
    assert_eq!(part.argument_names(), ["a"]);
    drop(v);
    let text = refused(part.call_flat(&[scalar(2.0f32)]));
    assert!(text.contains("was dropped"), "{text}");
}

#[test]
fn gradients_flow_through_a_pruned_function() {
    let v = Variable::new(3.0f32).unwrap();
    let f = function(|x: &Tensor| ops::mul(x.square()?, v.read()?)?.exp());
    let f = f.concrete(&spec()).unwrap();
    let part = f.prune("Square", "Mul", Effects::Drop).unwrap();
    let x = scalar(2.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y: Tensor = part.call((&x.square().unwrap(),)).unwrap();
    let gradients = tape.gradient(&y, &(x.clone(), v.clone())).unwrap();
    assert_eq!(number(&gradients.wrt(&x).unwrap().unwrap()), 12.0);
    assert_eq!(number(&gradients.of(&v).unwrap().unwrap()), 4.0);
}

#[test]
fn pruned_functions_are_called_in_traces_and_extend_them() {
    let part = with_square().prune("a", "Square", Effects::Drop).unwrap();
    let f = function(move |x: &Tensor| {
        let y: Tensor = part.call((x,))?;
        let z: Tensor = part.call((&y,))?;
        ops::add(&y, &z)
    });
    assert_eq!(number(&f.call(&scalar(2.0f32)).unwrap()), 20.0);
    let graph = &f.concrete_functions()[0];
    let calls = graph.graph().graph.nodes().iter().filter(|n| n.op_name() == "PartitionedCall");
    assert_eq!(calls.count(), 2);
}

#[test]
fn control_flow_is_part_of_what_is_pruned() {
    let f = function(|x: &Tensor| {
        let y = cond(&x.greater(0.0)?, || x.square(), || ops::neg(x))?;
        while_loop(y, |y| y.less(100.0), |y| ops::mul(y, 3.0))
    });
    let f = f.concrete(&spec()).unwrap();
    let branch = f.graph().graph.nodes().iter().find(|n| n.op_name().ends_with("If")).unwrap();
    let name = branch.op_name().to_owned();
    let first = f.prune("a", format!("{name}:0"), Effects::Drop).unwrap();
    assert_eq!(number(&first.call_flat(&[scalar(-3.0f32)]).unwrap()[0]), 3.0);
    let last = f.prune(format!("{name}:0"), f.output_names(), Effects::Drop).unwrap();
    assert_eq!(number(&last.call_flat(&[scalar(2.0f32)]).unwrap()[0]), 162.0);
}

#[test]
fn unknown_sizes_stay_unknown() {
    let f = function(|x: &Tensor| x.exp()?.sum(0)).concrete(&TensorSpec::of::<f32>(shape![?, 2]));
    let part = f.unwrap().prune("Exp", "Sum", Effects::Drop).unwrap();
    assert_eq!(part.input_specs()[0], TensorSpec::of::<f32>(shape![?, 2]).to_any());
    for rows in [1, 3] {
        let y = part.call_flat(&[ops::ones([rows, 2], f32).unwrap()]).unwrap();
        assert_eq!(y[0].as_slice::<f32>().unwrap(), &[rows as f32; 2]);
    }
    assert!(part.call_flat(&[ops::ones([2, 3], f32).unwrap()]).is_err());
}

#[test]
fn variables_that_are_passed_stay_variables() {
    let f = function(|v: &Variable, same: &Variable, x: &Tensor| {
        v.assign_add(x)?;
        ops::mul(same.read()?, x.exp()?)
    });
    let v = Variable::new(2.0f32).unwrap();
    let _ = f.call(&v, &v, &scalar(0.0f32)).unwrap();
    let f = f.concrete_functions().remove(0);
    // It was passed twice, and is one input.
    let part = f.prune(["a", "c"], "Mul", Effects::Drop).unwrap();
    let y: Tensor = part.call((&v, &scalar(0.0f32))).unwrap();
    assert_eq!(number(&y), 2.0);
    let given = part.prune(["c", "a", "Exp"], "Mul", Effects::Drop).unwrap();
    let y: Tensor = given.call((&scalar(1.0f32), &v, &scalar(10.0f32))).unwrap();
    assert_eq!((number(&y), number(&v.read().unwrap())), (30.0, 3.0));
    let text = refused(part.call::<_, Tensor>((&scalar(1.0f32), &scalar(0.0f32))));
    assert!(text.contains("argument 0 is TensorSpec([], float32)"), "{text}");
}

#[test]
fn a_variable_that_is_passed_and_captured_is_told_apart() {
    let v = Variable::new(2.0f32).unwrap();
    let f = function({
        let v = v.clone();
        move |w: &Variable, x: &Tensor| ops::add(ops::mul(w.read()?, x)?, v.read()?)
    });
    let other = Variable::new(10.0f32).unwrap();
    let _ = f.call(&other, &scalar(1.0f32)).unwrap();
    let f = f.concrete_functions().remove(0);
    let part = f.prune(["b", "a"], "AddV2", Effects::Drop).unwrap();
    assert_eq!(number(&part.call::<_, Tensor>((&scalar(1.0f32), &other)).unwrap()), 12.0);
    let text = refused(part.call::<_, Tensor>((&scalar(1.0f32), &v)));
    assert!(text.contains("a variable that it uses is also passed"), "{text}");
}
