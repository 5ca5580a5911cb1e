//! Numbers that are read of what is differentiated, and tensors that are watched too late.

use extype::prelude::*;
use extype::{hessian, hvp, jacobian};

/// The text of an error that stands at a line of this file.
fn told<T>(result: Result<T>, line: u32) -> String {
    let Err(e) = result else { panic!("line {line}: no error") };
    let at = e.location().unwrap_or_else(|| panic!("no line: {e}"));
    assert_eq!((at.file().ends_with("messages/reads.rs"), at.line()), (true, line), "{e}");
    e.message().to_owned()
}

const REFUSED: &str = "item: the elements are computed from what is differentiated, and no gradient would flow through \
                       what is read: compute with the tensor itself; if the number is to be a constant, read that of \
                       `x.stop_gradient()?`";

#[test]
fn what_is_differentiated_is_not_read() -> Result<()> {
    let x = tensor![3.0f64, 3.0];
    let read = |x: &Tensor| Ok(x * x.index(0)?.item::<f64>()?);
    let line = line!() - 1;
    let v = tensor![1.0f64, 0.0];
    assert_eq!(told(grad(read)(&x), line), REFUSED.trim_start_matches("item: "));
    told(value_and_grad(read)(&x), line);
    told(vjp(read, &x), line);
    told(jvp(read, &x, &v), line);
    told(hvp(read, &x, &v), line);
    told(jacobian(read)(&x), line);
    told(hessian(read)(&x), line);
    told(grad(grad(read))(&x), line);
    Ok(())
}

#[test]
fn every_way_to_read_is_refused() {
    let x = tensor![[1.0f32, 2.0]];
    let of = |read: fn(&Tensor) -> Result<()>| {
        grad(move |x: &Tensor| read(&x.square()?).map(|()| x.clone()))(&x)
    };
    told(of(|y| y.to_vec::<f32>().map(drop)), line!());
    told(of(|y| y.as_slice::<f32>().map(drop)), line!());
    told(of(|y| y.value().map(drop)), line!());
    told(of(|y| y.to_array::<f32>().map(drop)), line!());
    told(of(|y| Vec::<Vec<f32>>::try_from(y).map(drop)), line!());
    told(of(|y| Vec::<f32>::try_from(&y.index(0)?).map(drop)), line!());
    told(of(|y| f32::try_from(&y.index((0, 0))?).map(drop)), line!());
}

#[test]
fn what_is_not_connected_is_read() -> Result<()> {
    let x = scalar(3.0f64);
    // A constant that was said to be one.
    let slope = grad(|x: &Tensor| Ok(x * x.stop_gradient()?.item::<f64>()?))(&x)?;
    assert_eq!(slope.item::<f64>()?, 3.0);
    // Integers and bools, through which no gradient flows: conditions.
    let clipped =
        grad(|x: &Tensor| if x.greater(2.0)?.item::<bool>()? { x.square() } else { Ok(x.clone()) });
    assert_eq!(clipped(&x)?.item::<f64>()?, 6.0);
    assert_eq!(
        grad(|x: &Tensor| Ok(x * f64::from(x.cast(i32)?.item::<i32>()?)))(&x)?.item::<f64>()?,
        3.0
    );
    // What comes from elsewhere, as do weights and data.
    let (weight, data) = (Variable::new(2.0f64)?, scalar(5.0f64));
    let y =
        grad(|x: &Tensor| Ok(x * (weight.read()?.item::<f64>()? + data.square()?.item::<f64>()?)))(
            &x,
        )?;
    assert_eq!(y.item::<f64>()?, 27.0);
    // It can be printed.
    let _ = grad(|x: &Tensor| {
        assert!(format!("{x:?}").contains('3') && format!("{x}").contains('3'), "{x:?} {x}");
        x.square()
    })(&x)?;
    // After the derivative was taken.
    let (y, pullback) = vjp(|x: &Tensor| x.square(), &x)?;
    assert_eq!(y.item::<f64>()?, 9.0);
    assert_eq!(pullback.call(&scalar(1.0f64))?.item::<f64>()?, 6.0);
    // A gradient that is given says itself what flows; Rust code as a node has none.
    let given = custom_gradient(|x: &Tensor| {
        let y = scalar(x.item::<f64>()?.powi(2));
        let x = x.clone();
        Ok((y, move |dy: &Tensor| ops::mul(&ops::mul(&x, 2.0)?, dy)))
    });
    assert_eq!(grad(given)(&x)?.item::<f64>()?, 6.0);
    // TensorFlow's tape lets read, and so does this one.
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = &x * x.item::<f64>()?;
    assert_eq!(tape.gradient(&y, &x)?.into_structure()?.item::<f64>()?, 3.0);
    Ok(())
}

#[test]
fn a_source_that_was_used_before_it_was_watched_says_to_watch_it_first() -> Result<()> {
    let x = scalar(3.0f64);
    let tape = GradientTape::new();
    let before = ops::square(&x)?;
    let used = line!() - 1;
    tape.watch(&x);
    let y = ops::mul(&before, &x)?;
    let text = told(tape.gradient(&y, &x), line!());
    assert!(
        text.starts_with(
            "an op used a source before the tape watched it, at tests/tests/types/messages/reads.rs:"
        ),
        "{text}"
    );
    assert!(
        text.contains(&format!(":{used}, so"))
            && text.contains("call `tape.watch(&x)` before the op"),
        "{text}"
    );
    // Watched again, or used where nothing is recorded: right.
    let tape = GradientTape::new();
    let constant = tape.stop_recording(|| x.square())?;
    tape.watch(&x);
    let y = ops::mul(&constant, &x)?;
    tape.watch(&x);
    assert_eq!(tape.gradient(&y, &x)?.into_structure()?.item::<f64>()?, 9.0);
    // In a trace the same.
    let traced = function(|x: &Tensor| {
        let tape = GradientTape::new();
        let before = x.square()?;
        tape.watch(x);
        tape.gradient(&ops::mul(&before, x)?, x)?.into_structure()
    });
    let text = told(traced.call(&x), line!() - 2);
    assert!(text.contains("before the op"), "{text}");
    Ok(())
}
