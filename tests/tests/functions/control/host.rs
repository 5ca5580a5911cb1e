//! Rust code in graphs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use extype::control::HostFunction;
use extype::control::host_function;
use extype::prelude::*;
use extype_masked::MaskedTensor;

#[test]
fn it_runs_each_time_that_the_graph_runs() -> Result<()> {
    let count = Arc::new(AtomicUsize::new(0));
    let f = {
        let count = count.clone();
        function(move |x: &Tensor| {
            let count = count.clone();
            let spec = x.type_spec();
            let doubled = host_function(
                &spec,
                move |x: Tensor| {
                    count.fetch_add(1, Ordering::SeqCst);
                    ops::add(&x, &x)
                },
                x,
            )?;
            ops::add(&doubled, 1.0)
        })
    };
    for i in 0..3 {
        let y = f.call(&tensor![i as f32, 10.0])?;
        assert_eq!(y.as_slice::<f32>()?, &[2.0 * i as f32 + 1.0, 21.0]);
    }
    assert_eq!((count.load(Ordering::SeqCst), f.trace_count()), (3, 1));
    Ok(())
}

#[test]
fn it_takes_and_returns_extension_types() -> Result<()> {
    // Code that no op can do: keeps of each row the first entry that is valid.
    let first = |m: MaskedTensor| {
        let n = m.mask.shape().sizes().unwrap_or_default();
        let mut mask = vec![false; n[0] * n[1]];
        for (row, out) in m.mask.as_slice::<bool>()?.chunks(n[1]).zip(mask.chunks_mut(n[1])) {
            if let Some(i) = row.iter().position(|valid| *valid) {
                out[i] = true;
            }
        }
        Ok(MaskedTensor { mask: Tensor::from_slice(&mask, &n)?, ..m })
    };
    let f = function(move |m: &MaskedTensor| host_function(&m.type_spec(), first, m));
    let m = MaskedTensor {
        values: tensor![[1.0f32, 2.0], [3.0, 4.0]],
        mask: tensor![[true, true], [false, true]],
    };
    for found in [f.call(&m)?, host_function(&m.type_spec(), first, &m)?] {
        assert_eq!(found.mask.as_slice::<bool>()?, &[true, false, false, true]);
        assert_eq!(found.values.as_slice::<f32>()?, &[1.0, 2.0, 3.0, 4.0]);
    }
    Ok(())
}

#[test]
fn results_may_have_sizes_that_the_spec_leaves_open() -> Result<()> {
    let f = function(|x: &Tensor| {
        let spec = TensorSpec::of::<i64>(shape![?]);
        let positive = |x: Tensor| {
            let values = x.as_slice::<i64>()?;
            Ok(Tensor::from_vec(values.iter().copied().filter(|v| *v > 0).collect()))
        };
        let kept = host_function(&spec, positive, x)?;
        assert_eq!(kept.shape(), shape![?]);
        ops::add(&kept, 1i64)
    });
    assert_eq!(f.call(&tensor![3i64, -1, 0, 5])?.as_slice::<i64>()?, &[4, 6]);
    assert_eq!(f.call(&tensor![-3i64, -1, 0, -5])?.shape(), shape![0]);
    Ok(())
}

#[test]
fn it_is_in_order_with_variables_and_runs_unused() -> Result<()> {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let v = Variable::new(1.0f32)?;
    let f = {
        let (v, seen) = (v.clone(), seen.clone());
        function(move |x: &Tensor| {
            v.assign(x)?;
            let seen = seen.clone();
            let note = move |v: Variable| {
                let now = v.read()?.item::<f32>()?;
                seen.lock().unwrap().push(now);
                v.assign(now + 1.0)
            };
            host_function(&().type_spec(), note, &v)?;
            v.read()
        })
    };
    assert_eq!(f.call(&scalar(5.0f32))?.item::<f32>()?, 6.0);
    assert_eq!(f.call(&scalar(7.0f32))?.item::<f32>()?, 8.0);
    assert_eq!(*seen.lock().unwrap(), [5.0, 7.0]);
    Ok(())
}

#[test]
fn without_effects_it_is_dropped_unused_and_folded_once() -> Result<()> {
    let count = Arc::new(AtomicUsize::new(0));
    let code = {
        let count = count.clone();
        HostFunction::new(move |x: Tensor| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(x)
        })
        .without_effects()
    };
    let f = function(move |x: &Tensor| {
        let _unused = code.call(&x.type_spec(), x)?;
        let two = scalar(2.0f32);
        ops::mul(x, &code.call(&two.type_spec(), &two)?)
    });
    for _ in 0..3 {
        assert_eq!(f.call(&scalar(4.0f32))?.item::<f32>()?, 8.0);
    }
    assert_eq!(count.load(Ordering::SeqCst), 1);
    Ok(())
}

#[test]
fn its_gradient_is_the_given_one_at_every_order() -> Result<()> {
    let cube = HostFunction::new(|(x, k): (Tensor, Tensor)| {
        // The exponent is an integer: it has no gradient.
        let k = k.item::<i64>()?;
        (1..k).try_fold(x.clone(), |y, _| ops::mul(&y, &x))
    })
    .without_effects()
    .with_gradient(|(x, k), _y, dy| {
        let n = k.item::<i64>()?;
        let slope = (2..n).try_fold(ops::mul(x, n as f32)?, |y, _| ops::mul(&y, x))?;
        let dy = dy.leaf(0)?;
        Ok(vec![dy.map(|dy| ops::mul(dy, &slope)).transpose()?, None])
    });
    let f =
        function(move |x: &Tensor| cube.call(&x.type_spec(), &(x.clone(), Tensor::scalar(3i64))));
    assert_eq!(extype::grad(|x: &Tensor| f.call(x))(&scalar(2.0f32))?.item::<f32>()?, 12.0);
    let within = function(move |x: &Tensor| extype::grad(|x: &Tensor| f.call(x))(x));
    assert_eq!(within.call(&scalar(2.0f32))?.item::<f32>()?, 12.0);
    // The gradient is Rust code without a gradient.
    let e = extype::grad(|x: &Tensor| within.call(x))(&scalar(2.0f32)).unwrap_err();
    assert!(e.message().contains("has no gradient"), "{e}");
    Ok(())
}

#[test]
fn without_a_gradient_it_says_how_to_give_one() {
    let code = |x: &Tensor| host_function(&x.type_spec(), |x: Tensor| Ok(x), x);
    for e in [
        extype::grad(code)(&scalar(2.0f32)).unwrap_err(),
        extype::grad(|x: &Tensor| function(code).call(x))(&scalar(2.0f32)).unwrap_err(),
    ] {
        assert_eq!(e.kind(), ErrorKind::Unimplemented);
        assert!(e.message().contains("with_gradient") && e.message().contains("host.rs"), "{e}");
    }
}

#[test]
fn gradients_of_another_number_or_type_are_errors() -> Result<()> {
    let with = |found: fn(&Tensor) -> Vec<Option<Tensor>>| {
        let code = HostFunction::new(|x: Tensor| Ok(x)).with_gradient(move |x, _, _| Ok(found(x)));
        extype::grad(move |x: &Tensor| code.call(&x.type_spec(), x))(&tensor![1.0f32, 2.0])
    };
    assert_eq!(with(|_| vec![None])?.as_slice::<f32>()?, &[0.0, 0.0]);
    let e = with(|_| vec![]).unwrap_err();
    assert!(e.message().contains("returned 0 gradients for the 1 leaves"), "{e}");
    let e = with(|_| vec![Some(scalar(1.0f32))]).unwrap_err();
    assert!(e.message().contains("leaf 0 of its input, which is float32[2]"), "{e}");
    Ok(())
}

#[test]
fn what_fails_names_the_code_and_leaves_the_function_usable() -> Result<()> {
    let f = function(|x: &Tensor| {
        let picky = |x: Tensor| match x.item::<f32>()? {
            v if v < 0.0 => Err(Error::invalid("no negative numbers, please")),
            0.0 => panic!("zero"),
            1.0 => Ok(tensor![1.0f32, 2.0]),
            _ => Ok(x),
        };
        host_function(&x.type_spec(), picky, x)
    });
    let fails = |x: f32| f.call(&Tensor::scalar(x)).unwrap_err().to_string();
    assert!(fails(-1.0).contains("no negative numbers, please"), "{}", fails(-1.0));
    let (zero, one) = (fails(0.0), fails(1.0));
    assert!(zero.contains("host.rs") && zero.contains("panicked: zero"), "{zero}");
    assert!(one.contains("returned TensorSpec([2], float32)") && one.contains("host.rs"), "{one}");
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 3.0);
    Ok(())
}

#[test]
fn tapes_and_traces_around_see_the_result_only() -> Result<()> {
    // Ops of the code run at once, also where a tape is open.
    let code = HostFunction::new(|x: Tensor| {
        assert!(!extype::tensor::is_tracing());
        let own = extype::grad(|x: &Tensor| ops::mul(x, x))(&x)?;
        Ok(own)
    })
    .with_gradient(|_, _, dy| Ok(vec![dy.leaf(0)?.map(|dy| ops::mul(dy, 100.0)).transpose()?]));
    let x = scalar(3.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = code.call(&x.type_spec(), &x)?;
    assert_eq!(y.item::<f32>()?, 6.0);
    assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.expect("connected").item::<f32>()?, 100.0);
    Ok(())
}

#[test]
fn a_graph_that_holds_one_is_not_written() -> Result<()> {
    let inner = function(|x: &Tensor| host_function(&x.type_spec(), |x: Tensor| Ok(x), x));
    let f = function(move |x: &Tensor| inner.call(x));
    let concrete = f.concrete(&TensorSpec::of::<f32>([2]))?;
    assert!(concrete.graph().to_string().contains("PartitionedCall"), "{}", concrete.graph());
    let e = concrete.graph().to_graph_def().unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Unimplemented);
    assert!(e.message().contains("host_function at") && e.message().contains("host.rs"), "{e}");
    Ok(())
}
