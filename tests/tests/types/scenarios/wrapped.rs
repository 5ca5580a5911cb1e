//! Bodies that are traced exactly once, and own their state.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use extype::function::{
    WrappedFunction, add_to_collection, get_collection, get_variable, wrap_function,
};
use extype::init_scope;
use extype::prelude::*;

use super::refused;

fn number(t: &Tensor) -> f32 {
    t.item().unwrap()
}

fn spec() -> TensorSpec {
    TensorSpec::of::<f32>([])
}

/// A counter that starts at 5 and goes up or down. The inner function keeps the order of write and read.
fn counter(up: bool) -> WrappedFunction<fn(Tensor) -> Tensor> {
    let step = function(move |v: &Variable, x: &Tensor| {
        match up {
            true => v.assign_add(x)?,
            false => v.assign_sub(x)?,
        }
        v.read()
    });
    wrap_function((spec(),), |x: Tensor| step.call(&Variable::new(5.0f32)?, &x)).unwrap()
}

#[test]
fn a_wrapped_function_owns_its_state_and_each_has_its_own() {
    let (add, sub) = (counter(true), counter(false));
    assert_eq!([add.call(1.0), add.call(1.0)].map(|y| number(&y.unwrap())), [6.0, 7.0]);
    assert_eq!([sub.call(1.0), sub.call(1.0)].map(|y| number(&y.unwrap())), [4.0, 3.0]);
    let other = counter(true);
    assert_eq!(number(&other.call(1.0).unwrap()), 6.0);
    assert_ne!(add.variables().unwrap()[0].id(), other.variables().unwrap()[0].id());
}

#[test]
fn the_body_runs_once() {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = runs.clone();
    let f = wrap_function((TensorSpec::of::<f32>(shape![?]),), move |x: Tensor| {
        count.fetch_add(1, Ordering::Relaxed);
        x.sum(..)
    });
    let f = f.unwrap();
    for n in [1, 2, 3] {
        assert_eq!(number(&f.call(ops::ones([n], f32).unwrap()).unwrap()), n as f32);
    }
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}

#[test]
fn a_write_that_no_result_needs_does_not_run() {
    let v = Variable::new(1.0f32).unwrap();
    let f = wrap_function((spec(),), |x: Tensor| {
        v.assign_add(&x)?;
        x.exp()
    });
    let f = f.unwrap();
    assert_eq!(number(&f.call(0.0).unwrap()), 1.0);
    assert_eq!(number(&v.read().unwrap()), 1.0);
    assert!(f.concrete().graph().must_run.is_empty());
    // Also where another function calls it.
    let outer = function(|x: &Tensor| f.call(x));
    let _ = outer.call(&scalar(2.0f32)).unwrap();
    assert_eq!(number(&v.read().unwrap()), 1.0);
}

#[test]
fn variables_of_others_are_held_weakly() {
    let v = Variable::new(2.0f32).unwrap().name("outer");
    let own = v.clone();
    let f = wrap_function((spec(),), move |x: Tensor| {
        ops::add(ops::mul(&x, &own)?, Variable::new(1.0f32)?.name("own").read()?)
    });
    let f = f.unwrap();
    let names: Vec<_> =
        f.variables().unwrap().iter().map(|v| v.label().map(str::to_owned)).collect();
    assert_eq!(names, [Some("own".to_owned()), Some("outer".to_owned())]);
    assert_eq!(number(&f.call(3.0).unwrap()), 7.0);
    drop(v);
    let text = refused(f.call(3.0));
    assert!(text.contains("variable `outer`: float32[] was dropped"), "{text}");
}

#[test]
fn first_values_are_computed_once_outside_of_the_trace() {
    let drawn = Arc::new(AtomicUsize::new(0));
    let count = drawn.clone();
    let two = tensor![2.0f32, 2.0];
    let f = wrap_function((TensorSpec::of::<f32>([2]),), move |x: Tensor| {
        let a = Variable::new(ops::mul(ops::ones([2], f32)?, &two)?)?;
        // Of another variable, and of the shape of an argument.
        let b = Variable::new(ops::add(a.read()?, ops::ones([x.shape()[0]], f32)?)?)?;
        let c = get_variable("c", &TensorSpec::of::<f32>([2]), || {
            count.fetch_add(1, Ordering::Relaxed);
            assert!(!extype::tensor::is_tracing());
            ops::zeros([2], f32)
        })?;
        ops::add_n(&[a.read()?, b.read()?, c.read()?, x])
    });
    let f = f.unwrap();
    let values: Vec<Vec<f32>> =
        f.variables().unwrap().iter().map(|v| v.read().unwrap().to_vec().unwrap()).collect();
    assert_eq!(values, [[2.0; 2], [3.0; 2], [0.0; 2]]);
    for _ in 0..2 {
        assert_eq!(f.call([1.0, 2.0]).unwrap().as_slice::<f32>().unwrap(), &[6.0, 7.0]);
    }
    assert_eq!(drawn.load(Ordering::Relaxed), 1);
}

#[test]
fn a_first_value_that_depends_on_an_argument_is_refused() {
    let f = wrap_function((spec().named("x"),), |x: Tensor| {
        Variable::new(ops::mul(x.exp()?, 2.0)?)?.read()
    });
    let text = refused(f);
    assert!(text.contains("`Mul` needs the argument `x`"), "{text}");
    assert!(text.contains("x → Exp → Mul"), "{text}");
    assert!(text.contains("the initial value of a variable"), "{text}");
    let f = wrap_function((spec(),), |x: Tensor| get_variable("w", &spec(), || x.exp())?.read());
    assert!(refused(f).contains("has no value in the initializer"));
    // Nothing is left behind.
    assert!(!extype::tensor::is_tracing());
    assert!(get_variable("w", &spec(), || ops::zeros(shape![], f32)).is_err());
}

#[test]
fn arms_of_conditionals_make_variables_of_the_wrapped_function() {
    let f = wrap_function((spec(),), |x: Tensor| {
        let start = ops::ones(shape![], f32)?;
        cond(
            &x.greater(0.0)?,
            || ops::add(&x, Variable::new(10.0f32)?.name("plus").read()?),
            || ops::mul(&x, Variable::new(ops::add(&start, 1.0)?)?.name("times").read()?),
        )
    });
    let f = f.unwrap();
    let names: Vec<_> =
        f.variables().unwrap().iter().map(|v| v.label().unwrap().to_owned()).collect();
    assert_eq!(names, ["plus", "times"]);
    assert_eq!([1.0, -1.0].map(|x: f32| number(&f.call(x).unwrap())), [11.0, -2.0]);
}

#[test]
fn a_traced_function_that_the_body_calls_makes_none() {
    let inner = function(|x: &Tensor| ops::mul(x, &Variable::new(2.0f32)?));
    let text = refused(wrap_function((spec(),), |x: Tensor| inner.call(&x)));
    assert!(text.contains("a traced function can't create a variable"), "{text}");
    // What is made outside of the trace is not the function's own.
    let late = Late::<Variable>::new();
    let f = wrap_function((spec(),), |x: Tensor| {
        let v = init_scope(|| late.get_or_create(|| Variable::new(4.0f32)))?;
        ops::mul(&x, v)
    });
    let f = f.unwrap();
    assert_eq!(number(&f.call(2.0).unwrap()), 8.0);
    drop(late);
    assert!(refused(f.call(2.0)).contains("was dropped"));
}

#[test]
fn variables_are_shared_by_name_within_one_function() {
    let weight = |shape: &[usize]| {
        get_variable("weight", &TensorSpec::of::<f32>(shape.to_vec()), || ops::ones(shape, f32))
    };
    let f = wrap_function((TensorSpec::of::<f32>([2]),), |x: Tensor| {
        let (one, two) = (weight(&[2])?, weight(&[2])?);
        assert_eq!(one.id(), two.id());
        let text = refused(weight(&[3]));
        assert!(text.contains("the variable `weight` is float32[2]"), "{text}");
        let text = refused(get_variable("weight", &TensorSpec::of::<i64>([2]), || unreachable!()));
        assert!(text.contains("can't be got as int64[2]"), "{text}");
        let wrong = get_variable("other", &TensorSpec::of::<i64>([2]), || ops::ones([2], f32));
        assert!(refused(wrong).contains("the initial value of the variable `other` is float32[2]"));
        assert!(
            get_variable("third", &TensorSpec::of::<f32>([2]), || ops::ones([3], f32)).is_err()
        );
        ops::mul(&x, &one)
    });
    let f = f.unwrap();
    assert_eq!(f.variables().unwrap().len(), 1);
    let other = wrap_function((), || weight(&[3])?.read()).unwrap();
    assert_eq!(other.call().unwrap().shape(), shape![3]);
    let text = refused(weight(&[2]));
    assert!(text.contains("`get_variable` belongs to the body"), "{text}");
}

#[test]
fn plain_values_take_the_dtype_and_tensors_must_have_it() {
    let f = wrap_function((spec(), TensorSpec::of::<i64>([2])), |x: Tensor, y: Tensor| {
        ops::add(x, y.sum(..)?.cast(f32)?)
    });
    let f = f.unwrap();
    assert_eq!(number(&f.call(1, [2, 3]).unwrap()), 6.0);
    assert_eq!(number(&f.call(1.5f64, tensor![2i64, 3]).unwrap()), 6.5);
    let text = refused(f.call(scalar(1i64), [2, 3]));
    assert!(
        text.contains("argument 0 is TensorSpec([], int64), traced for TensorSpec([], float32)"),
        "{text}"
    );
    assert_eq!(number(&f.call(1, vec![2u8, 3]).unwrap()), 6.0);
    let text = refused(f.call(1.0, [1.5, 2.5]));
    assert!(text.contains("`wrapped`: argument 1: [1.5 2.5]"), "{text}");
    assert!(text.contains("does not fit int64"), "{text}");
    let text = refused(f.call(1.0, [1, 2, 3]));
    assert!(text.contains("TensorSpec([3], int64)"), "{text}");
    assert_eq!(number(&f.call(scalar(1.0f32), [2, 3]).unwrap()), 6.0);
}

#[derive(ExtensionType, Clone, Debug)]
struct Point {
    x: Tensor,
    y: Tensor,
}

#[test]
fn structures_and_plain_data_are_arguments_and_results() {
    let point = Point::new(1.0f32, 2.0f32).unwrap();
    let list = vec![scalar(3.0f32), scalar(4.0f32)];
    let specs = (point.type_spec(), list.type_spec(), true.type_spec());
    let f = wrap_function(specs, |p: Point, list: Vec<Tensor>, add: bool| {
        let x = if add { ops::add(&p.x, &list[0])? } else { p.x.clone() };
        Ok((Point::new(x, &p.y)?, list.len() as i64))
    });
    let f = f.unwrap();
    let (p, count) = f.call(&point, &list, true).unwrap();
    assert_eq!((number(&p.x), number(&p.y), count), (4.0, 2.0, 2));
    let pair = (scalar(1.0f32), Some(scalar(2.0f32)));
    let sum = wrap_function((pair.type_spec(),), |(x, y): (Tensor, Option<Tensor>)| {
        ops::add(x, y.expect("traced with one"))
    });
    assert_eq!(number(&sum.unwrap().call(pair).unwrap()), 3.0);
    let (p, _) = f.call(point.clone(), vec![10, 0], true).unwrap();
    assert_eq!(number(&p.x), 11.0);
    let text = refused(f.call(&point, &list, false));
    assert!(text.contains("argument 2 is false, traced for true"), "{text}");
    assert!(f.call(&point, list[..1].to_vec(), true).is_err());
}

#[test]
fn collections_are_local() {
    let body = |x: Tensor| {
        add_to_collection("losses", x.square()?)?;
        Variable::new(1.0f32)?;
        let _ = Variable::new(0i64)?.not_trainable();
        assert_eq!(get_collection::<Variable>("variables")?.len(), 2);
        assert_eq!(get_collection::<Variable>("trainable_variables")?.len(), 1);
        assert!(get_collection::<Tensor>("nothing")?.is_empty());
        let text = refused(get_collection::<String>("losses"));
        assert!(text.contains("a member of the collection `losses` is no"), "{text}");
        ops::add_n(&get_collection::<Tensor>("losses")?)
    };
    let (f, g) = (wrap_function((spec(),), body).unwrap(), wrap_function((spec(),), body).unwrap());
    assert_eq!((number(&f.call(3.0).unwrap()), number(&g.call(4.0).unwrap())), (9.0, 16.0));
    assert_eq!(f.collection::<Tensor>("losses").unwrap().len(), 1);
    assert!(refused(add_to_collection("losses", 1)).contains("`wrap_function`"));
    assert!(get_collection::<Tensor>("losses").is_err());
}

#[test]
fn gradients_reach_the_variables_of_a_wrapped_function() {
    let f = wrap_function((TensorSpec::of::<f32>([1, 2]),), |x: Tensor| {
        let w = get_variable("w", &TensorSpec::of::<f32>([2, 1]), || ops::ones([2, 1], f32))?;
        x.matmul(&w)?.sum(..)
    });
    let f = f.unwrap();
    let w = &f.variables().unwrap()[0];
    let x = tensor![[3.0f32, 4.0]];
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = f.call(&x).unwrap();
    let gradients = tape.gradient(&y, &(x.clone(), w.clone())).unwrap();
    let of = |g: Option<Tensor>| g.unwrap().to_vec::<f32>().unwrap();
    assert_eq!(of(gradients.wrt(&x).unwrap()), [1.0, 1.0]);
    assert_eq!(of(gradients.of(w).unwrap()), [3.0, 4.0]);
    // The values are those of the time of the call.
    w.assign_sub([[1.0], [1.0]]).unwrap();
    assert_eq!(number(&f.call(&x).unwrap()), 0.0);
}

#[test]
fn a_body_that_fails_leaves_no_trace_open() {
    let f = wrap_function((spec(),), |x: Tensor| {
        Variable::new(1.0f32)?;
        x.matmul(&x)
    });
    assert!(f.is_err() && !extype::tensor::is_tracing());
    assert_eq!(number(&counter(true).call(1.0).unwrap()), 6.0);
}

#[test]
fn a_wrapped_function_is_called_by_many_threads() {
    let f = counter(true);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).for_each(|_| drop(f.call(1.0).unwrap())));
        }
    });
    assert_eq!(number(&f.variables().unwrap()[0].read().unwrap()), 105.0);
}
