//! Calls of traced functions within traced functions become what the functions do.

use extype::prelude::*;

use crate::program::lines;
use crate::random::same;

/// True if the compiled program calls a function.
fn calls(f: &extype::ConcreteFunction) -> Result<bool> {
    Ok(f.program()?.lines().any(|line| line.contains("PartitionedCall(")))
}

#[test]
fn passes_show_what_became_of_calls() -> Result<()> {
    let scaled = function(|x: &Tensor| ops::mul(&ops::neg(x)?, 2.0));
    let f = function(move |x: &Tensor| ops::add(&scaled.call(x)?, &scaled.call(&ops::neg(x)?)?));
    let text = f.concrete(&TensorSpec::of::<f32>([3]))?.passes()?;
    let want = [
        "# simplified: common subexpression (2), inlined call (2), op and its inverse (1)",
        "fn closure(a: float32[3]) -> float32[3] {",
        "  Neg = Neg(a) : float32[3]",
        "  Const = 2.0 : float32[]",
        "  Mul = Mul(Neg, Const) : float32[3]",
        "  Mul = Mul(a, Const) : float32[3]",
        "  AddV2 = AddV2(Mul, Mul_1) : float32[3]",
        "  return AddV2",
        "}",
    ];
    let lines = lines(&text);
    let from = lines.iter().position(|line| line.starts_with("# simplified")).expect("a pass");
    assert_eq!(lines[from..from + want.len()], want, "{text}");
    assert!(text.contains("PartitionedCall(a)"), "the trace has calls: {text}");
    Ok(())
}

#[test]
fn effects_of_inlined_functions_keep_their_order() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let own = v.clone();
    let added = function(move |x: &Tensor| {
        let before = own.read()?;
        own.assign_add(x)?;
        Ok((before, own.read()?))
    });
    let own = v.clone();
    let f = function(move |x: &Tensor| {
        let (a, b) = added.call(x)?;
        own.assign(&ops::mul(&own.read()?, 10.0)?)?;
        let (c, d) = added.call(x)?;
        // What it returns is not used, but what it writes stays.
        let _ = added.call(&ops::neg(x)?)?;
        Ok((a, b, c, d, own.read()?))
    });
    let (a, b, c, d, e) = f.call(&scalar(2.0f32))?;
    let all = [a, b, c, d, e, v.read()?];
    let all = all.iter().map(Tensor::item::<f32>).collect::<Result<Vec<_>>>()?;
    assert_eq!(all, [1.0, 3.0, 30.0, 32.0, 30.0, 30.0]);
    let f = &f.concrete_functions()[0];
    assert!(!calls(f)?, "{}", f.program()?);
    // What is written waits for what was read and written before, across the functions.
    let text = f.passes()?;
    let simplified = text.split("# ").nth(2).expect("the simplified graph");
    let effects = simplified.lines().filter(|line| line.contains("VariableOp("));
    let unordered = effects.filter(|line| !line.contains('^')).count();
    assert_eq!(unordered, 1, "only the first effect waits for nothing: {simplified}");
    Ok(())
}

#[test]
fn errors_of_inlined_functions_name_the_op_its_line_and_the_function() -> Result<()> {
    let line = line!() + 1;
    let picked = function(|x: &Tensor, i: &Tensor| x.gather(i, 0));
    let f = function(move |x: &Tensor, i: &Tensor| picked.call(&ops::neg(x)?, i));
    let (x, i) = (tensor![1.0f32, 2.0], scalar(1i32));
    assert_eq!(f.call(&x, &i)?.item::<f32>()?, -2.0);
    assert!(!calls(&f.concrete_functions()[0])?);
    let e = f.call(&x, &scalar(7i32)).expect_err("two elements").to_string();
    assert!(e.contains("gather") && e.contains(&format!("inlining.rs:{line}")), "{e}");
    assert_eq!(e.matches(", in `closure`").count(), 2, "it was in a function of a function: {e}");
    Ok(())
}

#[test]
fn what_a_function_does_not_take_is_refused_when_it_is_called() -> Result<()> {
    let last = function(|x: &Tensor| x.gather(ops::sub(ops::size(x)?, 1)?, 0));
    let last = last.concrete(&TensorSpec::of::<f32>([3]))?;
    let f = function(move |x: &Tensor| Ok(last.call_flat(std::slice::from_ref(x))?.remove(0)));
    let open = f.concrete(&TensorSpec::of::<f32>(shape![?]))?;
    assert!(calls(&open)?, "{}", open.program()?);
    assert_eq!(open.call_flat(&[tensor![1.0f32, 2.0, 4.0]])?[0].item::<f32>()?, 4.0);
    assert!(open.call_flat(&[tensor![1.0f32, 2.0]]).is_err());
    assert!(!calls(&f.concrete(&TensorSpec::of::<f32>([3]))?)?);
    Ok(())
}

#[test]
fn a_condition_that_a_call_makes_constant_picks_its_branch() -> Result<()> {
    let turned = function(|x: &Tensor, by: &Tensor| {
        cond(&by.greater(0)?, || ops::mul(x, 2.0), || ops::neg(x))
    });
    let f = function(move |x: &Tensor, n: &Tensor| {
        Ok((turned.call(x, &scalar(1i32))?, turned.call(x, n)?))
    });
    let (x, n) = (tensor![1.0f32, 3.0], scalar(0i32));
    let (a, b) = f.call(&x, &n)?;
    assert_eq!((a.to_vec::<f32>()?, b.to_vec::<f32>()?), (vec![2.0, 6.0], vec![-1.0, -3.0]));
    let text = f.concrete_functions()[0].program()?;
    let own: Vec<&str> = text.lines().take_while(|line| *line != "}").collect();
    assert_eq!(own.iter().filter(|line| line.contains("If(")).count(), 1, "{text}");
    assert!(!text.contains("PartitionedCall("), "{text}");
    Ok(())
}

#[test]
fn long_functions_are_inlined_where_they_are_called_once() -> Result<()> {
    let long =
        || function(|x: &Tensor| (0..50).try_fold(x.clone(), |x, i| ops::add(&x.sin()?, i as f64)));
    let x = tensor![0.5f64, -1.0];
    for times in [1, 2] {
        let inner = long();
        let f = function(move |x: &Tensor| (0..times).try_fold(x.clone(), |x, _| inner.call(&x)));
        let plain = (0..times).try_fold(x.clone(), |x, _| long().call(&x))?;
        same(&f.call(&x)?, &plain)?;
        assert_eq!(calls(&f.concrete_functions()[0])?, times > 1);
    }
    Ok(())
}

/// A function that calls another one, that many deep.
fn nested(depth: usize, x: &Tensor) -> Result<Tensor> {
    if depth == 0 {
        return x.sin();
    }
    let inner = function(move |x: &Tensor| nested(depth - 1, x));
    ops::add(&inner.call(x)?, depth as f64)
}

#[test]
fn calls_within_calls_are_inlined_some_deep() -> Result<()> {
    let x = scalar(0.25f64);
    for depth in [3, 30] {
        let f = function(move |x: &Tensor| nested(depth, x));
        same(&f.call(&x)?, &nested(depth, &x)?)?;
        assert_eq!(calls(&f.concrete_functions()[0])?, depth > 3);
    }
    Ok(())
}

#[test]
fn gradients_of_functions_with_calls_are_those_of_their_ops() -> Result<()> {
    let layer = |x: &Tensor, w: &Tensor| x.matmul(w)?.tanh();
    let called = function(layer);
    let deep = move |x: &Tensor, w: &Tensor| called.call(&called.call(x, w)?, w)?.square()?.sum(..);
    let plain = move |x: &Tensor, w: &Tensor| layer(&layer(x, w)?, w)?.square()?.sum(..);
    let gradient = |f: &dyn Fn(&Tensor, &Tensor) -> Result<Tensor>, x: &Tensor, w: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(&(x.clone(), w.clone()));
        let loss = f(x, w)?;
        tape.gradient(&loss, &(x.clone(), w.clone()))?.into_structure()
    };
    let x = tensor![[0.5f32, -1.0], [0.25, 2.0], [1.5, 0.0]];
    let w = tensor![[0.5f32, 0.75], [-0.25, 1.0]];
    let want = gradient(&plain, &x, &w)?;
    let f = function(move |x: &Tensor, w: &Tensor| gradient(&deep, x, w));
    let got = f.call(&x, &w)?;
    same(&want.0, &got.0)?;
    same(&want.1, &got.1)?;
    assert!(!calls(&f.concrete_functions()[0])?, "{}", f.concrete_functions()[0].program()?);
    Ok(())
}

#[test]
fn effects_of_many_calls_wait_for_those_of_the_call_before() -> Result<()> {
    let variables: Vec<Variable> =
        (0..5).map(|i| Variable::new(scalar(i as f32))).collect::<Result<_>>()?;
    let own = variables.clone();
    let step = function(move |x: &Tensor| {
        own.iter().try_for_each(|v| v.assign_add(x).map(|_| ()))?;
        own[0].read()
    });
    let f = function(move |x: &Tensor| (0..30).try_fold(x.clone(), |x, _| step.call(&x)));
    // The first variable doubles the sum of it and what it is given.
    let mut want = (0.0, 1.0);
    for _ in 0..30 {
        want.0 += want.1;
        want.1 = want.0;
    }
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, want.0);
    let text = f.concrete(&TensorSpec::of::<f32>([]))?.passes()?;
    let (_, simplified) = text.split_once("# simplified").expect("a pass");
    let most = simplified.lines().map(|line| line.matches('^').count()).max();
    assert!((1..=12).contains(&most.unwrap_or(0)), "{most:?} in {text}");
    Ok(())
}

#[test]
fn products_of_huge_empty_matrices_are_planned() -> Result<()> {
    let f = function(|x: &Tensor| x.matmul(x));
    let result = f.call(&ops::zeros([0usize, 1 << 40, 1 << 40], f32)?)?;
    assert_eq!(result.shape(), shape![0, 1 << 40, 1 << 40]);
    Ok(())
}
