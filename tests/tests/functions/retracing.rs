//! How often functions are traced, why, and what is told of it.

use std::sync::{Arc, Mutex};

use extype::function::{Cause, set_retracing_hook};
use extype::prelude::*;
use extype::tensor::{device, run_functions_eagerly};

/// Collects the warnings of all functions in this process, and gives those of the functions with this name.
fn told_of(name: &str) -> Vec<String> {
    static TOLD: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());
    set_retracing_hook(Some(Arc::new(|e| {
        TOLD.lock().unwrap().push((e.function.clone(), e.to_string()));
    })));
    let told = TOLD.lock().unwrap();
    told.iter().filter(|(function, _)| function == name).map(|(_, text)| text.clone()).collect()
}

fn zeros(n: usize) -> Tensor {
    ops::fill([n], 0.0f32).expect("a fill")
}

#[tf_function]
fn of_a_literal(x: &Tensor, n: i64) -> Result<Tensor> {
    ops::mul(x, n)
}

#[test]
fn the_fifth_of_five_literals_warns_once_and_ten_warn_twice() -> Result<()> {
    for n in 1..=10 {
        let _ = of_a_literal(&scalar(1.0f32), n)?;
        let told = told_of("of_a_literal").len();
        assert_eq!(told, [0, 1, 2][(n >= 5) as usize + (n >= 6) as usize], "after {n} calls");
    }
    let text = "`of_a_literal` was traced 5 times in 5 calls; the last retrace came from argument `n`: 4 → 5.\n  \
                Plain data is part of the key: pass a number that changes as a tensor.";
    assert_eq!(told_of("of_a_literal")[0], text);
    Ok(())
}

#[tf_function]
fn with_six_hits(x: &Tensor) -> Result<Tensor> {
    x.square()
}

#[tf_function]
fn with_seven_hits(x: &Tensor) -> Result<Tensor> {
    x.square()
}

#[test]
fn six_cached_calls_before_the_fifth_trace_warn_and_seven_do_not() -> Result<()> {
    type Traced = fn(&Tensor) -> Result<Tensor>;
    let six: (&str, Traced, _, _) = ("with_six_hits", |x| with_six_hits(x), 6, 1);
    for (name, f, hits, warnings) in [six, ("with_seven_hits", |x| with_seven_hits(x), 7, 0)] {
        told_of(name);
        for n in 1..=4 {
            let _ = f(&zeros(n))?;
        }
        for _ in 0..hits {
            let _ = f(&zeros(4))?;
        }
        let _ = f(&zeros(5))?;
        assert_eq!(told_of(name).len(), warnings, "{name}");
    }
    Ok(())
}

#[test]
fn a_closure_that_a_loop_makes_anew_is_told_as_one() -> Result<()> {
    told_of("made in a loop");
    let line = line!() + 2;
    for _ in 0..5 {
        let f = function(|x: &Tensor| x.square()).named("made in a loop");
        let _ = f.call(&scalar(1.0f32))?;
        let _ = f.call(&scalar(2.0f32))?;
    }
    // The calls of a function that is dropped count too: five traces in nine calls.
    assert_eq!(
        told_of("made in a loop"),
        [format!(
            "`made in a loop` was traced 5 times in 9 calls; it is made anew at {}:{line}.\n  Make it once, outside of the \
             loop.",
            file!()
        )]
    );
    Ok(())
}

#[test]
fn calls_in_other_traces_and_concrete_do_not_warn() -> Result<()> {
    told_of("within");
    let inner = function(|x: &Tensor| x.square()).named("within");
    let outer = function(move |x: &Tensor| {
        for n in 1..=6 {
            let _ = inner.call(&x.broadcast_to([n])?)?;
            inner.concrete(&TensorSpec::of::<f32>([n, n]))?;
        }
        x.square()
    });
    let _ = outer.call(&scalar(1.0f32))?;
    assert_eq!(told_of("within"), [""; 0]);
    Ok(())
}

#[test]
fn causes_tell_path_old_and_new() -> Result<()> {
    #[derive(ExtensionType, Clone, Debug)]
    struct Measured {
        values: Tensor,
        #[static_data]
        unit: String,
    }

    #[tf_function]
    fn first(m: &Measured, xs: &[Tensor], v: &Variable) -> Result<Tensor> {
        v.assign_add(1.0)?;
        Ok(&m.values + &xs[0])
    }

    let m = |n: usize, unit: &str| Measured { values: zeros(n), unit: unit.into() };
    let v = Variable::new(0.0f32)?;
    let _ = first(&m(2, "m"), &[zeros(2)], &v)?;
    let _ = first(&m(3, "m"), &[zeros(3)], &v)?;
    let _ = first(&m(3, "s"), &[zeros(3)], &v)?;
    let _ = first(&m(3, "s"), &[zeros(3), zeros(1)], &v)?;
    {
        let _scope = device("cpu:0")?;
        let _ = first(&m(3, "s"), &[zeros(3), zeros(1)], &v)?;
    }
    let stats = first::stats();
    let causes: Vec<String> = stats.traces.iter().map(|t| t.cause.to_string()).collect();
    assert_eq!(
        causes,
        [
            "the first call",
            "argument `m.values`: shape [2] → [3]",
            "argument `m.unit`: \"m\" → \"s\"",
            "argument `xs`: [TensorSpec([3], float32)] → [TensorSpec([3], float32), TensorSpec([1], float32)]",
            "another context, such as a device scope",
        ]
    );
    assert_eq!((stats.calls, stats.hits, stats.traced, stats.evicted), (5, 0, 5, 0));
    Ok(())
}

#[test]
fn a_trace_whose_state_is_gone_says_so() -> Result<()> {
    let held = Mutex::new(Some(Variable::new(1.0f32)?));
    let f = function(|x: &Tensor| {
        let mut held = held.lock().unwrap();
        let v = held.get_or_insert_with(|| {
            extype::init_scope(|| Variable::new(2.0f32)).expect("a variable")
        });
        ops::add(x, &*v)
    });
    let _ = f.call(&scalar(1.0f32))?;
    *held.lock().unwrap() = Some(Variable::new(2.0f32)?);
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 3.0);
    assert_eq!(f.stats().traces[1].cause, Cause::State);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn the_least_recently_used_trace_makes_room() -> Result<()> {
    let f = function(|x: &Tensor| x.square()).max_traces(3);
    let sizes = || -> Vec<String> {
        f.state().signatures().iter().map(|s| s.to_string().replace("TensorSpec", "")).collect()
    };
    for n in [1, 2, 3] {
        let _ = f.call(&zeros(n))?;
    }
    let _ = f.call(&zeros(1))?;
    let _ = f.call(&zeros(4))?;
    assert_eq!(sizes(), ["(([1], float32),)", "(([3], float32),)", "(([4], float32),)"]);
    for n in [3, 1, 5] {
        let _ = f.call(&zeros(n))?;
    }
    assert_eq!(sizes(), ["(([1], float32),)", "(([3], float32),)", "(([5], float32),)"]);
    let stats = f.stats();
    assert_eq!((stats.calls, stats.hits, stats.traced, stats.evicted), (8, 3, 5, 2));
    // What was dropped is traced again.
    let _ = f.call(&zeros(2))?;
    assert_eq!((f.stats().traced, f.trace_count()), (6, 3));
    Ok(())
}

#[tf_function(max_traces = 1)]
fn one_trace(x: &Tensor) -> Result<Tensor> {
    x.square()
}

#[test]
fn a_function_of_one_trace_serves_calls_within_itself() -> Result<()> {
    let outer = function(|x: &Tensor| {
        ops::add(one_trace(x)?, one_trace(&ops::stack(&[x, x], 0)?)?.reduce_sum(.., false)?)
    });
    for _ in 0..3 {
        assert_eq!(outer.call(&scalar(2.0f32))?.item::<f32>()?, 12.0);
        assert_eq!(one_trace(&tensor![1.0f32, 3.0])?.as_slice::<f32>()?, &[1.0, 9.0]);
        assert_eq!(one_trace(&scalar(3.0f32))?.item::<f32>()?, 9.0);
    }
    assert_eq!(one_trace::trace_count(), 1);
    Ok(())
}

#[test]
fn one_trace_is_removed_by_its_type_and_the_next_best_serves() -> Result<()> {
    let f = function(|x: &Tensor| x.square());
    let spec = |shape: Shape| TensorSpec::of::<f32>(shape);
    f.concrete(&spec(shape![?, ?]))?;
    f.concrete(&spec(shape![1, ?]))?;
    let served = |n: usize| f.trace_count() == n;
    let _ = f.call(&ops::zeros([1, 1], f32)?)?;
    assert!(served(2));
    f.concrete(&spec(shape![1, 1]))?;
    let _ = f.call(&ops::zeros([1, 1], f32)?)?;
    assert!(served(3));
    let signature = |s: Shape| (spec(s),).to_any();
    assert_eq!(f.state().remove(&signature(shape![1, 1])), 1);
    assert_eq!(f.state().remove(&signature(shape![1, 1])), 0);
    let _ = f.call(&ops::zeros([1, 1], f32)?)?;
    assert!(served(2));
    assert_eq!(f.state().remove(&signature(shape![1, ?])), 1);
    let _ = f.call(&ops::zeros([1, 1], f32)?)?;
    assert!(served(1));
    assert_eq!(f.state().remove(&signature(shape![?, ?])), 1);
    let _ = f.call(&ops::zeros([1, 1], f32)?)?;
    assert_eq!(f.state().signatures()[0].to_string(), "(TensorSpec([1, 1], float32),)");
    Ok(())
}

#[test]
fn hits_of_many_threads_are_counted() -> Result<()> {
    let f = function(|x: &Tensor| x.square());
    let _ = f.call(&scalar(1.0f32))?;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..500).for_each(|_| drop(f.call(&scalar(1.0f32)).expect("a square"))));
        }
    });
    let stats = f.stats();
    assert_eq!((stats.calls, stats.hits, stats.traced), (4001, 4000, 1));
    assert!(stats.to_string().starts_with("4001 calls, 4000 hits, 1 traces in "), "{stats}");
    Ok(())
}

#[tf_function]
fn absolute(x: &Tensor, runs: &Variable) -> Result<Tensor> {
    runs.assign_add(1)?;
    if x.reduce_sum(.., false)? > 0.0 { Ok(x.clone()) } else { ops::neg(x) }
}

#[test]
fn functions_that_run_eagerly_are_plain_rust() -> Result<()> {
    let runs = Variable::new(0i64)?;
    let x = tensor![-1.0f32, -2.0];
    {
        let _eagerly = run_functions_eagerly();
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = absolute(&x, &runs)?;
        assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0]);
        assert_eq!(tape.gradient(&y, &x)?.into_structure()?.as_slice::<f32>()?, &[-1.0, -1.0]);
        assert_eq!(absolute::trace_count(), 0);
        // A trace that is asked for is made.
        let f = absolute::concrete(&x.type_spec(), &runs.type_spec())?;
        assert_eq!((f.graph().num_arguments, absolute::trace_count()), (2, 1));
        let e = absolute(&tensor!["a"], &runs).unwrap_err();
        assert!(e.to_string().contains("`absolute`, run eagerly"), "{e}");
    }
    assert_eq!(absolute(&x, &runs)?.as_slice::<f32>()?, &[1.0, 2.0]);
    assert_eq!(absolute::trace_count(), 1);
    assert_eq!(runs.read()?.item::<i64>()?, 3);
    Ok(())
}
