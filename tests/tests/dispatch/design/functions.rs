//! Recursion, values of run-time types, threads, leaks.

use super::*;
use extype::spec::AnyValue;

#[tf_function]
fn even(n: u32, x: &Tensor) -> Result<Tensor> {
    if n == 0 { ops::mul(x, 2.0) } else { odd(n - 1, x) }
}

#[tf_function]
fn odd(n: u32, x: &Tensor) -> Result<Tensor> {
    if n == 0 { ops::neg(x) } else { even(n - 1, x) }
}

#[tf_function]
fn forever(x: &Tensor) -> Result<Tensor> {
    forever(&(x + 1.0))
}

#[tf_function]
fn ping(x: &Tensor) -> Result<Tensor> {
    pong(x)
}

#[tf_function]
fn pong(x: &Tensor) -> Result<Tensor> {
    ping(x)
}

#[test]
fn mutual_recursion_on_plain_values_ends() -> Result<()> {
    let x = scalar(1.0f32);
    assert_eq!(even(10, &x)?.item::<f32>()?, 2.0);
    assert_eq!(even(11, &x)?.item::<f32>()?, -1.0);
    assert_eq!(odd(11, &x)?.item::<f32>()?, 2.0);
    Ok(())
}

#[tf_function]
fn power(n: u32, x: &Tensor) -> Result<Tensor> {
    if n == 0 { ops::ones_like(x) } else { ops::mul(x, power(n - 1, x)?) }
}

#[test]
fn gradients_pass_recursion() -> Result<()> {
    let x = scalar(2.0f32);
    assert_eq!(grad(|x: &Tensor| power(3, x))(&x)?.item::<f32>()?, 12.0);
    assert_eq!(grad(grad(|x: &Tensor| power(3, x)))(&x)?.item::<f32>()?, 12.0);
    assert_eq!(grad(|x: &Tensor| even(10, x))(&x)?.item::<f32>()?, 2.0);
    Ok(())
}

#[test]
fn gradients_pass_nested_traced_functions() -> Result<()> {
    let inner = function(|m: &MaskedTensor| ops::mul(ops::square(m)?, m));
    let middle = function(|m: &MaskedTensor| inner.call(&inner.call(m)?));
    let outer = function(|m: &MaskedTensor| ops::reduce_sum(middle.call(m)?, .., false));
    let m = MaskedTensor::new([1.0f32, 2.0], [true, false])?;
    assert_eq!(floats(&grad(|m: &MaskedTensor| outer.call(m))(&m)?.values), [9.0, 0.0]);
    assert_eq!(floats(&grad(grad(|m: &MaskedTensor| outer.call(m)))(&m)?.values), [72.0, 0.0]);
    Ok(())
}

#[test]
fn recursion_on_tensors_is_an_error() {
    let x = scalar(1.0f32);
    for (e, count) in [(forever(&x), forever::trace_count()), (ping(&x), ping::trace_count())] {
        let text = e.unwrap_err().to_string();
        assert!(text.contains("recursion works on plain values"), "{text}");
        assert_eq!(count, 0);
    }
    // Nothing is left open.
    assert!(Variable::new(1.0f32).is_ok());
}

#[test]
fn recursion_on_tensors_has_a_short_error() {
    let text = forever(&scalar(1.0f32)).unwrap_err().to_string();
    assert!(text.len() < 1000, "{} characters: {text}", text.len());
}

#[test]
fn values_of_any_type_go_through_a_concrete_function() -> Result<()> {
    let f = function(|m: &MaskedTensor, n: &i64, xs: &Vec<Tensor>| {
        Ok((ops::add(m, &xs[*n as usize])?, xs.clone()))
    });
    let xs = vec![scalar(10.0f32), scalar(20.0f32)];
    let want = f.call(&masked(), &1, &xs)?.0;
    let c = &f.concrete_functions()[0];
    let args = [AnyValue::new(masked()), AnyValue::new(1i64), AnyValue::new(xs.clone())];
    let out = c.call_values(&args)?;
    assert_eq!(out.spec(), c.output_spec());
    assert!(out.clone().downcast::<MaskedTensor>().is_err());
    let parts = out.components();
    assert_eq!(parts.len(), 2);
    let m: MaskedTensor = parts[0].clone().downcast()?;
    assert_eq!(floats(&m.values), floats(&want.values));
    let (m, back): (MaskedTensor, Vec<Tensor>) = out.downcast()?;
    assert_eq!((floats(&m.values), back.len()), (floats(&want.values), 2));

    let refuse = |args: &[AnyValue], parts: &[&str]| {
        let text = c.call_values(args).unwrap_err().to_string();
        assert!(parts.iter().all(|p| text.contains(p)), "{text}");
    };
    let swap = |i: usize, by: AnyValue| {
        let mut args = args.to_vec();
        args[i] = by;
        args
    };
    refuse(&args[..2], &["takes 3 arguments, 2 given"]);
    refuse(&swap(0, scalar(1.0f32).into()), &["argument 0", "MaskedTensorSpec", "[]"]);
    refuse(&swap(1, AnyValue::new(0i64)), &["argument 1", "0", "1"]);
    refuse(&swap(2, AnyValue::new(vec![scalar(1.0f32)])), &["argument 2"]);
    Ok(())
}

#[test]
fn parts_of_a_value_must_fit_its_spec() {
    let m = masked();
    let spec = m.type_spec().to_any();
    assert!(AnyValue::from_parts(spec.clone(), vec![m.values.clone(), m.mask.clone()]).is_ok());
    assert!(AnyValue::from_parts(spec.clone(), vec![m.mask.clone(), m.values.clone()]).is_err());
    assert!(AnyValue::from_parts(spec, vec![m.values.clone()]).is_err());
    let v = Variable::new(1.0f32).unwrap().type_spec().to_any();
    assert!(AnyValue::from_parts(v, vec![m.values]).is_err(), "a tensor for a variable");
}

#[test]
fn threads_share_one_trace() {
    let body_runs = std::sync::atomic::AtomicUsize::new(0);
    let f = function(|x: &MaskedTensor| {
        body_runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        std::thread::sleep(std::time::Duration::from_millis(20));
        ops::reduce_sum(ops::square(x)?, .., false)
    });
    let barrier = Barrier::new(4);
    std::thread::scope(|s| {
        for i in 0..4 {
            let (f, barrier) = (&f, &barrier);
            s.spawn(move || {
                let scale = i as f32;
                let m = masked() * scale;
                barrier.wait();
                for _ in 0..50 {
                    let y = f.call(&m).unwrap();
                    assert_eq!(y.values.item::<f32>().unwrap(), 26.0 * scale * scale);
                }
            });
        }
    });
    assert_eq!(f.trace_count(), 1);
    assert!(body_runs.into_inner() <= 4);
}

#[test]
fn threads_that_differentiate_and_trace_do_not_meet() {
    let f = function(|x: &Tensor| ops::mul(ops::square(x)?, x));
    std::thread::scope(|s| {
        for i in 0..4 {
            let f = &f;
            s.spawn(move || {
                let x = scalar(i as f32);
                for _ in 0..20 {
                    let g = grad(grad(|x: &Tensor| f.call(x)))(&x).unwrap();
                    assert_eq!(g.item::<f32>().unwrap(), 6.0 * i as f32);
                }
            });
        }
    });
    assert_eq!(f.trace_count(), 1);
}

static LEAKED: Mutex<Option<Tensor>> = Mutex::new(None);

#[tf_function]
fn leaks_a_symbol(x: &Tensor) -> Result<Tensor> {
    let y = ops::add(x, 1.0)?;
    *LEAKED.lock().unwrap() = Some(y.clone());
    Ok(y)
}

#[test]
fn a_symbol_that_leaks_is_refused_by_name() -> Result<()> {
    let x = scalar(1.0f32);
    let _ = leaks_a_symbol(&x)?;
    let leaked = LEAKED.lock().unwrap().clone().unwrap();
    let check = |r: Result<Tensor>| {
        let text = r.unwrap_err().to_string();
        assert!(text.contains("leaks_a_symbol"), "{text}");
    };
    check(ops::add(&leaked, 1.0));
    check(leaked.item::<f32>().map(Tensor::scalar));
    let f = function(|x: &Tensor| ops::add(x, &leaked));
    check(f.call(&x));
    assert_eq!(f.trace_count(), 0);
    let g = function(|_: &Tensor| Ok(leaked.clone()));
    check(g.call(&x));
    // As an argument, too, and of the function that it comes from.
    check(leaks_a_symbol(&leaked));
    let double = function(|x: &Tensor| ops::mul(x, 2.0));
    let _ = double.call(&x)?;
    check(double.call(&leaked));
    check(
        double.concrete_functions()[0]
            .call_flat(std::slice::from_ref(&leaked))
            .map(|mut v| v.remove(0)),
    );
    // From an inner trace to the one around it.
    let outer = function(|x: &Tensor| {
        leaks_a_symbol::clear();
        let _ = leaks_a_symbol(x)?;
        let inner = LEAKED.lock().unwrap().clone().unwrap();
        ops::add(x, &inner)
    });
    check(outer.call(&x));
    check(Variable::new(leaked.clone()).and_then(|v| v.read()));
    let v = Variable::new(scalar(1.0f32))?;
    check(v.assign(&leaked).and_then(|()| v.read()));
    check(grad(|x: &Tensor| ops::mul(x, &leaked))(&x));
    // From the outer one to the inner one it is a capture.
    let outer = function(|x: &Tensor| {
        let inner = function(|y: &Tensor| ops::mul(x, y));
        inner.call(&ops::add(x, 1.0)?)
    });
    assert_eq!(outer.call(&scalar(3.0f32))?.item::<f32>()?, 12.0);
    Ok(())
}

#[test]
fn a_tape_lives_where_it_was_made() -> Result<()> {
    let x = scalar(3.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    // The tape is outside, what it watches is captured.
    let f = function(|y: &Tensor| ops::mul(ops::square(&x)?, y));
    let y = f.call(&scalar(2.0f32))?;
    assert_eq!(y.item::<f32>()?, 18.0);
    let g = tape.gradient(&y, &x)?;
    assert_eq!(g.wrt(&x)?.as_ref().map(Tensor::item::<f32>).transpose()?, Some(12.0));
    Ok(())
}

#[test]
fn a_large_tensor_that_is_captured_has_a_gradient() -> Result<()> {
    let x = ops::fill([1000i64], &scalar(3.0f32))?;
    let tape = GradientTape::new();
    tape.watch(&x);
    let f = function(|y: &Tensor| ops::mul(ops::square(&x)?, y));
    let y = f.call(&scalar(2.0f32))?;
    let g = tape.gradient(&y, &x)?;
    assert_eq!(floats(&g.wrt(&x)?.unwrap()), [12.0; 1000]);
    Ok(())
}

#[test]
fn instances_of_a_generic_type_are_registered_under_names_of_their_own() -> Result<()> {
    extype::spec::register_spec::<Masked<RaggedTensor>>()?;
    extype::spec::register_spec::<Masked<MaskedTensor>>()?;
    let e = extype::spec::register_spec::<Masked<MaskedTensor>>().unwrap_err();
    assert_eq!(e.kind(), ErrorKind::AlreadyExists);
    assert!(e.to_string().contains("design"), "{e}");
    Ok(())
}

#[tf_function]
fn countdown(n: u32, x: &Tensor) -> Result<Tensor> {
    if n == 0 { Ok(x.clone()) } else { ops::add(&countdown(n - 1, x)?, 1.0) }
}

#[test]
fn recursion_on_plain_values_goes_deep_whatever_was_traced_before() -> Result<()> {
    let x = scalar(0.0f32);
    // A debug build uses up its share of the stack after some 75.
    assert_eq!(countdown(65, &x)?.item::<f32>()?, 65.0);
    countdown::clear();
    for n in 0..=100 {
        assert_eq!(countdown(n, &x)?.item::<f32>()?, n as f32);
    }
    countdown::clear();
    let e = countdown(100_000, &x).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::ResourceExhausted, "{e}");
    assert!(e.to_string().contains("too deep"), "{e}");
    assert!(!e.to_string().contains("calls itself with arguments of the same types"), "{e}");
    assert_eq!(countdown(65, &x)?.item::<f32>()?, 65.0);
    Ok(())
}
