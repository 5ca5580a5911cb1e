//! What a call runs, as text.

use extype::prelude::*;

#[test]
fn a_group_is_one_line_and_memory_is_reused() -> Result<()> {
    let f = function(|x: &Tensor, w: &Tensor| {
        let y = x.matmul(w)?;
        let y = (y + 1.0).tanh()? * 0.5;
        y.sum(1)?.sqrt()
    });
    let (x, w) = (TensorSpec::of::<f32>([512, 64]), TensorSpec::of::<f32>([64, 32]));
    let text = f.concrete(&x, &w)?.program()?;
    println!("{text}");
    Ok(())
}

#[test]
fn what_a_function_calls_follows_once() -> Result<()> {
    let f = function(|x: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(10),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, 0.5)?)),
        )?;
        let steps = |(i, x): (Tensor, Tensor)| Ok((ops::add(&i, 1)?, x.matmul(&x)?));
        let m = ops::fill([2, 2], &x)?;
        let (_, m) = while_loop((scalar(0i32), m), |(i, _)| i.less(3), steps)?;
        cond(&x.less(1.0)?, || m.matmul(&m), || ops::neg(&m))
    });
    let text = f.concrete(&TensorSpec::of::<f32>([]))?.program()?;
    println!("{text}");
    Ok(())
}
