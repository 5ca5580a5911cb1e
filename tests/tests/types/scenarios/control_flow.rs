//! Control flow and its conversion.
//!
//! Where Rust's types or its definite initialization make a scenario a compile error, the case under `tests/ui` that
//! shows it is named in its place. Where TensorFlow refuses what has a meaning in Rust, it is given.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use extype::control::WhileLoop;
use extype::control::{host_function, switch_case};
use extype::prelude::*;

use super::refused;

#[tf_function]
fn assigned_in_an_arm(p: &Tensor, v: &Variable) -> Result<Tensor> {
    if p {
        v.assign(2.0f32)?;
    }
    v.read()
}

#[test]
fn an_assign_in_an_arm_that_is_not_taken_changes_nothing() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    assert_eq!(assigned_in_an_arm(&scalar(false), &v)?.item::<f32>()?, 1.0);
    assert_eq!(v.read()?.item::<f32>()?, 1.0);
    assert_eq!(assigned_in_an_arm(&scalar(true), &v)?.item::<f32>()?, 2.0);
    assert_eq!(assigned_in_an_arm::trace_count(), 1);
    Ok(())
}

static ORDER: Mutex<Vec<i64>> = Mutex::new(Vec::new());

fn note(x: &Tensor) -> Result<()> {
    let seen = |x: Tensor| {
        ORDER.lock().unwrap().push(x.item::<i64>()?);
        Ok(())
    };
    host_function(&().type_spec(), seen, x)
}

#[tf_function]
fn notes(x: &Tensor) -> Result<Tensor> {
    let mut i = scalar(0i64);
    note(&i)?;
    while i < 2 {
        i += 1;
        note(&i)?;
        if &i + 1 == x {
            note(x)?;
        }
    }
    note(&scalar(-1i64))?;
    Ok(i)
}

#[test]
fn effects_in_loops_and_arms_keep_their_order() -> Result<()> {
    let _ = notes(&scalar(2i64))?;
    assert_eq!(*ORDER.lock().unwrap(), [0, 1, 2, 2, -1]);
    Ok(())
}

#[tf_function]
fn either(p: &Tensor, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let z = if p { x.clone() } else { y.clone() };
    SEEN.lock().unwrap().push(z.shape());
    Ok(z)
}

static SEEN: Mutex<Vec<Shape>> = Mutex::new(Vec::new());

#[test]
fn arms_of_sizes_3_and_5_give_an_unknown_size() -> Result<()> {
    let x = Tensor::from_slice(&[1.0f32; 6], &[2, 3])?;
    let y = Tensor::from_slice(&[2.0f32; 10], &[2, 5])?;
    assert_eq!(either(&scalar(true), &x, &y)?.shape(), shape![2, 3]);
    assert_eq!(either(&scalar(false), &x, &y)?.shape(), shape![2, 5]);
    assert_eq!(*SEEN.lock().unwrap(), [shape![2, ?]]);
    Ok(())
}

#[tf_function]
fn int_or_float(p: &Tensor) -> Result<Tensor> {
    Ok(if p { scalar(1i32) } else { scalar(1.0f32) })
}

#[test]
fn arms_of_int32_and_float32_are_an_error_with_both() {
    let text = refused(int_or_float(&scalar(true)));
    assert!(text.contains("int32") && text.contains("float32"), "{text}");
}

type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;

#[tf_function]
fn chosen(i: &Tensor) -> Result<Tensor> {
    let branch = |x: i64| -> Branch<'static> { Box::new(move || Ok(scalar(x))) };
    switch_case(i, vec![branch(10), branch(20), branch(30)], None)
}

#[test]
fn index_7_of_3_branches_is_the_last_branch() -> Result<()> {
    for (i, want) in [(0i32, 10i64), (2, 30), (7, 30), (-1, 30)] {
        assert_eq!(chosen(&scalar(i))?.item::<i64>()?, want);
    }
    Ok(())
}

#[tf_function]
fn cased(x: &Tensor) -> Result<Tensor> {
    let pairs: Vec<(Tensor, Branch)> =
        vec![(x.less(0)?, Box::new(|| Ok(-x))), (x.greater(10)?, Box::new(|| Ok(x * 10)))];
    case(pairs, None, false)
}

#[test]
fn a_case_without_a_true_condition_and_default_fails_when_it_runs() -> Result<()> {
    assert_eq!(cased(&scalar(-3i64))?.item::<i64>()?, 3);
    assert!(refused(cased(&scalar(5i64))).contains("no condition is true"));
    Ok(())
}

#[tf_function]
fn doubled_in_length(x: &Tensor, times: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for _ in 0..times {
        x = ops::concat(&[&x, &x], 0)?;
    }
    Ok(x)
}

#[test]
fn a_size_that_grows_in_a_loop_is_unknown_after_it() -> Result<()> {
    let x = tensor![1.0f32, 2.0];
    assert_eq!(doubled_in_length(&x, &scalar(2i64))?.shape(), shape![8]);
    let traced = doubled_in_length::concrete(&x.type_spec(), &TensorSpec::of::<i64>([]))?;
    assert_eq!(traced.function().output_types()[0].shape, shape![?]);
    let spec = TensorSpec::of::<f32>(shape![?]);
    let open = doubled_in_length::concrete(&spec, &TensorSpec::of::<i64>([]))?;
    let y = open.call_flat(&[tensor![1.0f32, 2.0], scalar(2i64)])?;
    assert_eq!(y[0].shape(), shape![8]);
    Ok(())
}

#[tf_function]
fn counted_down(n: &Tensor) -> Result<(Tensor, Tensor)> {
    let (mut n, mut steps) = (n.clone(), scalar(0i64));
    while n > 0 {
        (n, steps) = (&n - 1, &steps + 1);
    }
    Ok((n, steps))
}

#[test]
fn zero_iterations_return_the_inputs() -> Result<()> {
    let (n, steps) = counted_down(&scalar(-5i64))?;
    assert_eq!((n.item::<i64>()?, steps.item::<i64>()?), (-5, 0));
    assert_eq!(counted_down(&scalar(3i64))?.1.item::<i64>()?, 3);
    assert_eq!(counted_down::trace_count(), 1);
    Ok(())
}

#[test]
fn maximum_iterations_of_3_end_an_endless_loop() -> Result<()> {
    let f = function(|x: &Tensor| {
        let spec = WhileLoop::new(x.clone()).maximum_iterations(3);
        spec.run(|_| Ok(scalar(true)), |x| Ok(x + 1))
    });
    assert_eq!(f.call(&scalar(0i64))?.item::<i64>()?, 3);
    Ok(())
}

#[derive(ExtensionType, Clone, Debug)]
struct Tagged {
    values: Tensor,
    #[static_data]
    tag: String,
}

#[tf_function]
fn retagged(x: &Tagged) -> Result<Tagged> {
    let mut x = x.clone();
    while x.values < 100 {
        x.values = &x.values * 2;
        x.tag = "doubled".to_owned();
    }
    Ok(x)
}

#[test]
fn static_data_that_a_loop_changes_is_an_error() -> Result<()> {
    let with = |tag: &str| Tagged { values: scalar(7i64), tag: tag.to_owned() };
    let text = refused(retagged(&with("new")));
    assert!(text.contains("`x.tag`") && text.contains("doubled"), "{text}");
    let same = retagged(&with("doubled"))?;
    assert_eq!((same.values.item::<i64>()?, &same.tag[..]), (112, "doubled"));
    Ok(())
}

#[tf_function]
fn doubles_three_times(x: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    let mut i = scalar(0i64);
    while i < 3 {
        x *= 2.0;
        i += 1;
    }
    Ok(x)
}

#[test]
fn the_gradient_through_a_loop_that_doubles_three_times_is_8() -> Result<()> {
    let slope = grad(|x: &Tensor| doubles_three_times(x))(&scalar(1.5f32))?;
    assert_eq!(slope.item::<f32>()?, 8.0);
    Ok(())
}

#[tf_function]
fn weighted(x: &Tensor, w: &Variable) -> Result<Tensor> {
    let mut y = x.clone();
    for _ in 0..3i64 {
        if y < 10.0 {
            y = &y * w;
        }
    }
    Ok(y)
}

#[test]
fn a_variable_that_only_arms_read_has_a_gradient() -> Result<()> {
    let w = Variable::new(3.0f32)?;
    let tape = GradientTape::new();
    let y = weighted(&scalar(2.0f32), &w)?;
    // 2, 6, 18, and then no more: the slope of 2w².
    assert_eq!(y.item::<f32>()?, 18.0);
    let slopes = tape.gradient(&y, &w)?;
    let slope = slopes.of(&w)?.expect("connected");
    assert_eq!(slope.item::<f32>()?, 12.0);
    Ok(())
}

// `if` with a variable that one arm only sets, used later: `ui/autograph/state/set_in_one_arm`.
#[tf_function]
fn set_and_used_in_one_arm(x: &Tensor) -> Result<Tensor> {
    let y;
    let mut sum = x.clone();
    if x > 0 {
        y = x * 10;
        sum = sum + &y;
    }
    Ok(sum)
}

#[test]
fn a_variable_of_one_arm_that_is_not_used_later_is_fine() -> Result<()> {
    assert_eq!(set_and_used_in_one_arm(&scalar(2i64))?.item::<i64>()?, 22);
    assert_eq!(set_and_used_in_one_arm(&scalar(-2i64))?.item::<i64>()?, -2);
    Ok(())
}

// A variable that a `while` or `for` sets and that nothing set before is refused by the compiler, since the loop may
// run no iteration; one of a `loop` is set.
#[tf_function]
fn set_in_each_pass(n: &Tensor) -> Result<Tensor> {
    let mut i = scalar(0i64);
    loop {
        let square = &i * &i;
        i += 1;
        if square >= n {
            return Ok(square);
        }
    }
}

#[test]
fn what_each_pass_of_a_loop_sets_is_there_after_it() -> Result<()> {
    assert_eq!(set_in_each_pass(&scalar(10i64))?.item::<i64>()?, 16);
    assert_eq!(set_in_each_pass(&scalar(-1i64))?.item::<i64>()?, 0);
    Ok(())
}

#[tf_function]
fn left_by_a_tensor(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut y = x.clone();
    loop {
        if y > 100 {
            break;
        }
        y *= 2;
    }
    let mut z = x.clone();
    while z < 1000 {
        z *= 3;
        if z > 50 {
            break;
        }
    }
    Ok((y, z))
}

#[test]
fn a_tensor_breaks_out_of_an_endless_loop_and_of_one_on_tensors() -> Result<()> {
    let (y, z) = left_by_a_tensor(&scalar(7i64))?;
    assert_eq!((y.item::<i64>()?, z.item::<i64>()?), (112, 63));
    Ok(())
}

fn assigned(v: &Variable) -> Result<Tensor> {
    v.assign_add(1.0f32)?;
    Ok(scalar(true))
}

#[tf_function]
fn and_then_or_else(a: &Tensor, v: &Variable) -> Result<Tensor> {
    let both = a && assigned(v)?;
    let either = a || assigned(v)?;
    Ok(both == either)
}

#[test]
fn the_right_side_of_and_runs_where_the_left_is_true_and_of_or_where_it_is_false() -> Result<()> {
    let v = Variable::new(0.0f32)?;
    let _ = and_then_or_else(&scalar(false), &v)?;
    assert_eq!(v.read()?.item::<f32>()?, 1.0);
    let _ = and_then_or_else(&scalar(true), &v)?;
    assert_eq!(v.read()?.item::<f32>()?, 2.0);
    Ok(())
}

#[tf_function]
fn counts_down_by_calls(n: i64) -> Result<Tensor> {
    if n <= 0 { Ok(scalar(1i64)) } else { counts_down_by_calls(n - 1) }
}

#[tf_function]
fn never_ends(n: &Tensor) -> Result<Tensor> {
    if n <= 0 { Ok(scalar(1i64)) } else { never_ends(&(n - 1)) }
}

#[test]
fn recursion_on_a_plain_5_makes_6_traces_and_on_a_tensor_is_an_error() -> Result<()> {
    assert_eq!(counts_down_by_calls(5)?.item::<i64>()?, 1);
    assert_eq!(counts_down_by_calls::trace_count(), 6);
    let text = refused(never_ends(&scalar(5i64)));
    assert!(text.contains("recurs"), "{text}");
    Ok(())
}

static BODIES: AtomicUsize = AtomicUsize::new(0);

#[tf_function]
fn counts_its_bodies(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    while y < 10 {
        BODIES.fetch_add(1, Ordering::SeqCst);
        y = y * 2;
    }
    Ok(y)
}

#[test]
fn plain_effects_in_a_loop_happen_once_a_trace_and_run_eagerly_each_time() -> Result<()> {
    let x = scalar(1i64);
    let _ = counts_its_bodies(&x)?;
    let _ = counts_its_bodies(&x)?;
    assert_eq!(BODIES.swap(0, Ordering::SeqCst), 1);
    let _ = counts_its_bodies::__body(&x)?;
    assert_eq!(BODIES.load(Ordering::SeqCst), 4);
    Ok(())
}

#[tf_function]
fn passes_through(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut y = x.clone();
    let step = n + 1;
    for i in 0..n {
        if y > i {
            continue;
        }
        y += step;
    }
    Ok(y)
}

#[test]
fn a_tensor_continues_a_plain_loop() -> Result<()> {
    assert_eq!(passes_through(&scalar(0i64), 3)?.item::<i64>()?, 4);
    assert_eq!(passes_through(&scalar(-9i64), 3)?.item::<i64>()?, 3);
    Ok(())
}

#[tf_function]
fn chained(x: &Tensor) -> Result<Tensor> {
    Ok(if 0 < x && x < 10 && x != 5 { scalar(true) } else { scalar(false) })
}

#[test]
fn a_chain_of_comparisons_is_an_and() -> Result<()> {
    for (x, want) in [(0i64, false), (4, true), (5, false), (10, false)] {
        assert_eq!(chained(&scalar(x))?.item::<bool>()?, want);
    }
    Ok(())
}

#[test]
fn captures_of_both_arms_are_united_in_their_order() -> Result<()> {
    let (a, b) = (Tensor::from_vec(vec![1.0f32; 200]), Tensor::from_vec(vec![2.0f32; 200]));
    let f = function(|p: &Tensor| {
        let first = || ops::add(&a, &b);
        cond(p, first, || ops::mul(&b, &a))
    });
    assert_eq!(f.call(&scalar(true))?.as_slice::<f32>()?[0], 3.0);
    assert_eq!(f.call(&scalar(false))?.as_slice::<f32>()?[0], 2.0);
    // The condition and each of the two once.
    let concrete = &f.concrete_functions()[0];
    let def = concrete.graph().to_graph_def()?;
    let node = def.nodes.iter().find(|n| n.op.ends_with("If")).expect("one");
    assert_eq!(node.inputs.len(), 3, "{:?}", node.inputs);
    Ok(())
}
