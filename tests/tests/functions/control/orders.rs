//! Gradients of second order of control flow in control flow, whatever is known of shapes: what the random
//! programs of `gradient-fuzz` have found.

use extype::control::TensorArray;
use extype::prelude::*;

type Map = fn(&Tensor) -> Result<Tensor>;

/// The gradient of the sum of the squares of the gradient.
fn second(f: impl Fn(&Tensor) -> Result<Tensor>) -> impl Fn(&Tensor) -> Result<Tensor> {
    let first = grad(f);
    grad(move |x: &Tensor| first(x)?.square())
}

/// With tapes around the traced function, and within it, as op by op.
fn as_op_by_op(name: &str, f: Map, x: &Tensor) -> Result<()> {
    let want = second(f)(x)?;
    let want = want.as_slice::<f64>()?;
    let ranks = Shape::of_rank(x.rank().unwrap_or_default());
    for shape in [x.shape(), ranks, Shape::unknown()] {
        let spec = TensorSpec::new(&shape, DType::F64);
        let traced = function(f).concrete(&spec)?;
        let outside = second(|x| Ok(traced.call_flat(std::slice::from_ref(x))?.remove(0)))(x)?;
        let inside = function(second(f)).concrete(&spec)?;
        let inside = inside.call_flat(std::slice::from_ref(x))?.remove(0);
        for got in [outside, inside] {
            let got = got.as_slice::<f64>()?;
            let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9 * b.abs().max(1.0);
            assert!(got.iter().zip(want).all(near), "{name}, {shape}: {got:?}, not {want:?}");
            assert_eq!(got.len(), want.len(), "{name}, {shape}");
        }
    }
    Ok(())
}

/// The tensor, multiplied so many times.
fn powers(x: &Tensor, times: &Tensor) -> Result<Tensor> {
    let turn = |(i, y): (Tensor, Tensor)| {
        let next = ops::mul(&y, x)?.sin()?;
        // A loop keeps what is known of shapes; of a product of unknown ones that is nothing.
        Ok((ops::add(&i, 1)?, next))
    };
    let start = (scalar(0i32), x.clone());
    Ok(while_loop(start, |(i, _)| i.less(times), turn)?.1)
}

#[test]
fn of_a_loop_in_an_arm() -> Result<()> {
    for sign in [1.0, -1.0] {
        let f: Map = |x| {
            let yes = x.reduce_sum(.., false)?.greater(0.0)?;
            cond(&yes, || powers(x, &scalar(3i32)), || ops::mul(x, 2.0)?.square())
        };
        as_op_by_op("an arm", f, &ops::mul(tensor![0.5f64, 1.5], sign)?)?;
    }
    Ok(())
}

#[test]
fn of_a_loop_in_a_loop() -> Result<()> {
    let x = tensor![[0.5f64, 1.5], [0.7, -0.3], [1.1, 0.9]];
    as_op_by_op("map_fn", |x| map_fn(x, |row: Tensor| powers(&row, &scalar(2i32))), &x)?;
    as_op_by_op(
        "scan",
        |x| {
            let start = ops::gather(x, 0, 0)?;
            scan(x, start, |sum, row: Tensor| ops::add(&sum, powers(&row, &scalar(2i32))?)?.sin())
        },
        &x,
    )?;
    // As many iterations as the outer one is far: what they keep differs in size.
    as_op_by_op(
        "while",
        |x| {
            let turn = |(i, y): (Tensor, Tensor)| Ok((ops::add(&i, 1)?, powers(&y, &i)?));
            Ok(while_loop((scalar(0i32), x.clone()), |(i, _)| i.less(4), turn)?.1)
        },
        &tensor![0.5f64, 1.5],
    )
}

#[test]
fn of_a_loop_that_keeps_integers_of_unknown_size() -> Result<()> {
    let f: Map = |x| {
        map_fn(x, |row: Tensor| {
            let parts = TensorArray::unstack(&row)?;
            parts.concat()?.square()?.sin()
        })
    };
    as_op_by_op("concat", f, &tensor![[[0.5f64, 1.5], [0.7, -0.3]], [[1.1, 0.9], [0.2, 0.1]]])
}

#[test]
fn of_ops_whose_axes_depend_on_an_unknown_rank() -> Result<()> {
    let x = tensor![[0.5f64, 1.5], [0.7, -0.3]];
    as_op_by_op("stack", |x| ops::stack(&[x, &x.square()?], -1)?.sin(), &x)?;
    as_op_by_op("concat", |x| ops::concat(&[x, &x.square()?], -1)?.sin(), &x)?;
    as_op_by_op("gather", |x| ops::gather(x, tensor![1, 0, 0], -1)?.sin(), &x)?;
    as_op_by_op("transpose", |x| ops::mul(x.transpose([-1, 0])?.sin()?, x), &x)
}
