//! Algorithms on vectors and matrices: whole programs, on values and traced, against the same algorithms on numbers.

use extype::prelude::*;

use crate::support::*;

#[tf_function]
pub fn mandelbrot(cr: &Tensor, ci: &Tensor, limit: &Tensor) -> Result<Tensor> {
    let (mut zr, mut zi) = (scalar(0.0), scalar(0.0));
    let mut n = scalar(0i64);
    while &zr * &zr + &zi * &zi <= 4.0 && n < limit {
        (zr, zi) = (&zr * &zr - &zi * &zi + cr, 2.0 * &zr * &zi + ci);
        n += 1;
    }
    Ok(n)
}

#[test]
fn mandelbrot_agrees() -> Result<()> {
    {
        let a0 = scalar(0.0);
        let a1 = scalar(0.0);
        let a2 = scalar(50i64);
        let want = [scalar(50i64)];
        agree(mandelbrot::__body(&a0, &a1, &a2)?, &want);
        agree(mandelbrot(&a0, &a1, &a2)?, &want);
    }
    {
        let a0 = scalar(1.0);
        let a1 = scalar(1.0);
        let a2 = scalar(50i64);
        let want = [scalar(2i64)];
        agree(mandelbrot::__body(&a0, &a1, &a2)?, &want);
        agree(mandelbrot(&a0, &a1, &a2)?, &want);
    }
    {
        let a0 = scalar(-0.75);
        let a1 = scalar(0.25);
        let a2 = scalar(100i64);
        let want = [scalar(13i64)];
        agree(mandelbrot::__body(&a0, &a1, &a2)?, &want);
        agree(mandelbrot(&a0, &a1, &a2)?, &want);
    }
    {
        let a0 = scalar(0.375);
        let a1 = scalar(0.25);
        let a2 = scalar(200i64);
        let want = [scalar(200i64)];
        agree(mandelbrot::__body(&a0, &a1, &a2)?, &want);
        agree(mandelbrot(&a0, &a1, &a2)?, &want);
    }
    Ok(())
}

#[tf_function]
pub fn horner(c: &Tensor, x: &Tensor) -> Result<Tensor> {
    let mut p = scalar(0.0);
    for a in c {
        p = p * x + a;
    }
    Ok(p)
}

#[test]
fn horner_agrees() -> Result<()> {
    {
        let a0 = tensor![1.0, 2.0, 3.0];
        let a1 = scalar(2.0);
        let want = [scalar(11.0)];
        agree(horner::__body(&a0, &a1)?, &want);
        agree(horner(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(5.0).reshape([1])?;
        let a1 = scalar(-7.0);
        let want = [scalar(5.0)];
        agree(horner::__body(&a0, &a1)?, &want);
        agree(horner(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![1.0, 0.0, -1.0, 0.5];
        let a1 = scalar(0.5);
        let want = [scalar(0.125)];
        agree(horner::__body(&a0, &a1)?, &want);
        agree(horner(&a0, &a1)?, &want);
    }
    let any = horner::concrete(&TensorSpec::of::<f64>(shape![?]), &TensorSpec::of::<f64>([]))?;
    agree(any.call_flat(&[tensor![1.0, 2.0, 3.0], scalar(2.0)])?, &[scalar(11.0)]);
    agree(any.call_flat(&[scalar(5.0).reshape([1])?, scalar(-7.0)])?, &[scalar(5.0)]);
    agree(any.call_flat(&[tensor![1.0, 0.0, -1.0, 0.5], scalar(0.5)])?, &[scalar(0.125)]);
    Ok(())
}

#[tf_function]
pub fn matrix_power(m: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut base = m.clone();
    let mut n = n.clone();
    let mut r = tensor![[1i64, 0], [0, 1]];
    while n > 0 {
        if &n % 2 != 0 {
            r = r.matmul(&base)?;
        }
        base = base.matmul(&base)?;
        n = n / 2;
    }
    Ok(r)
}

#[test]
fn matrix_power_agrees() -> Result<()> {
    {
        let a0 = tensor![[1i64, 1i64], [1i64, 0i64]];
        let a1 = scalar(10i64);
        let want = [tensor![[89i64, 55i64], [55i64, 34i64]]];
        agree(matrix_power::__body(&a0, &a1)?, &want);
        agree(matrix_power(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![[2i64, 0i64], [0i64, 3i64]];
        let a1 = scalar(5i64);
        let want = [tensor![[32i64, 0i64], [0i64, 243i64]]];
        agree(matrix_power::__body(&a0, &a1)?, &want);
        agree(matrix_power(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![[1i64, 2i64], [3i64, 4i64]];
        let a1 = scalar(0i64);
        let want = [tensor![[1i64, 0i64], [0i64, 1i64]]];
        agree(matrix_power::__body(&a0, &a1)?, &want);
        agree(matrix_power(&a0, &a1)?, &want);
    }
    let any =
        matrix_power::concrete(&TensorSpec::of::<i64>(shape![?, ?]), &TensorSpec::of::<i64>([]))?;
    agree(
        any.call_flat(&[tensor![[1i64, 1i64], [1i64, 0i64]], scalar(10i64)])?,
        &[tensor![[89i64, 55i64], [55i64, 34i64]]],
    );
    agree(
        any.call_flat(&[tensor![[2i64, 0i64], [0i64, 3i64]], scalar(5i64)])?,
        &[tensor![[32i64, 0i64], [0i64, 243i64]]],
    );
    agree(
        any.call_flat(&[tensor![[1i64, 2i64], [3i64, 4i64]], scalar(0i64)])?,
        &[tensor![[1i64, 0i64], [0i64, 1i64]]],
    );
    Ok(())
}

#[tf_function]
pub fn life_step(board: &Tensor) -> Result<Tensor> {
    let size = ops::shape_of(board)?;
    let (h, w) = (size.gather(0, 0)?, size.gather(1, 0)?);
    let mut next = board.clone();
    for i in 0..&h {
        for j in 0..&w {
            let mut around = scalar(0i64);
            for di in -1..=1i64 {
                for dj in -1..=1i64 {
                    if di == 0 && dj == 0 {
                        continue;
                    }
                    let (a, b) = ((&i + di + &h) % &h, (&j + dj + &w) % &w);
                    around += board.gather_nd(&ops::stack(&[&a, &b], 0)?)?;
                }
            }
            let at = ops::stack(&[&i, &j], 0)?;
            let alive = board.gather_nd(&at)? == 1;
            let lives =
                if around == 3 || alive && around == 2 { scalar(1i64) } else { scalar(0i64) };
            next = next.tensor_scatter_nd_update(&at.expand_dims(0)?, &lives.reshape([1])?)?;
        }
    }
    Ok(next)
}

#[test]
fn life_step_agrees() -> Result<()> {
    {
        let a0 = tensor![
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64]
        ];
        let want = [tensor![
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 1i64, 1i64, 1i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64]
        ]];
        agree(life_step::__body(&a0)?, &want);
        agree(life_step(&a0)?, &want);
    }
    {
        let a0 = tensor![
            [0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64],
            [1i64, 1i64, 1i64, 0i64],
            [0i64, 0i64, 0i64, 0i64]
        ];
        let want = [tensor![
            [0i64, 0i64, 0i64, 0i64],
            [1i64, 0i64, 1i64, 1i64],
            [0i64, 1i64, 1i64, 1i64],
            [1i64, 0i64, 1i64, 0i64]
        ]];
        agree(life_step::__body(&a0)?, &want);
        agree(life_step(&a0)?, &want);
    }
    {
        let a0 = tensor![[0i64, 0i64, 0i64], [0i64, 1i64, 0i64], [0i64, 0i64, 0i64]];
        let want = [tensor![[0i64, 0i64, 0i64], [0i64, 0i64, 0i64], [0i64, 0i64, 0i64]]];
        agree(life_step::__body(&a0)?, &want);
        agree(life_step(&a0)?, &want);
    }
    let any = life_step::concrete(&TensorSpec::of::<i64>(shape![?, ?]))?;
    agree(
        any.call_flat(&[tensor![
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64]
        ]])?,
        &[tensor![
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 1i64, 1i64, 1i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64],
            [0i64, 0i64, 0i64, 0i64, 0i64]
        ]],
    );
    agree(
        any.call_flat(&[tensor![
            [0i64, 1i64, 0i64, 0i64],
            [0i64, 0i64, 1i64, 0i64],
            [1i64, 1i64, 1i64, 0i64],
            [0i64, 0i64, 0i64, 0i64]
        ]])?,
        &[tensor![
            [0i64, 0i64, 0i64, 0i64],
            [1i64, 0i64, 1i64, 1i64],
            [0i64, 1i64, 1i64, 1i64],
            [1i64, 0i64, 1i64, 0i64]
        ]],
    );
    agree(
        any.call_flat(&[tensor![[0i64, 0i64, 0i64], [0i64, 1i64, 0i64], [0i64, 0i64, 0i64]]])?,
        &[tensor![[0i64, 0i64, 0i64], [0i64, 0i64, 0i64], [0i64, 0i64, 0i64]]],
    );
    Ok(())
}

#[tf_function]
pub fn dtw(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (n, m) = (ops::size(x)?, ops::size(y)?);
    let mut d = ops::fill(&ops::stack(&[&(&n + 1), &(&m + 1)], 0)?, 1e9f64)?;
    d = d.tensor_scatter_nd_update(tensor![[0i64, 0]], scalar(0.0).reshape([1])?)?;
    for i in 1..=&n {
        for j in 1..=&m {
            let cost = (x.gather(&i - 1, 0)? - y.gather(&j - 1, 0)?).abs()?;
            let up = d.index((&i - 1, &j))?;
            let left = d.index((&i, &j - 1))?;
            let diagonal = d.index((&i - 1, &j - 1))?;
            let best = if up < left {
                if up < diagonal { up } else { diagonal }
            } else if left < diagonal {
                left
            } else {
                diagonal
            };
            let at = ops::stack(&[&i, &j], 0)?.expand_dims(0)?;
            d = d.tensor_scatter_nd_update(&at, &(cost + best).reshape([1])?)?;
        }
    }
    d.index((&n, &m))
}

#[test]
fn dtw_agrees() -> Result<()> {
    {
        let a0 = tensor![1.0, 2.0, 3.0];
        let a1 = tensor![1.0, 2.0, 2.0, 3.5];
        let want = [scalar(0.5)];
        agree(dtw::__body(&a0, &a1)?, &want);
        agree(dtw(&a0, &a1)?, &want);
    }
    {
        let a0 = scalar(0.0).reshape([1])?;
        let a1 = tensor![5.0, 6.0];
        let want = [scalar(11.0)];
        agree(dtw::__body(&a0, &a1)?, &want);
        agree(dtw(&a0, &a1)?, &want);
    }
    {
        let a0 = tensor![1.0, 5.0, 2.0, 8.0];
        let a1 = tensor![1.0, 4.0, 3.0, 8.0];
        let want = [scalar(2.0)];
        agree(dtw::__body(&a0, &a1)?, &want);
        agree(dtw(&a0, &a1)?, &want);
    }
    let any = dtw::concrete(&TensorSpec::of::<f64>(shape![?]), &TensorSpec::of::<f64>(shape![?]))?;
    agree(any.call_flat(&[tensor![1.0, 2.0, 3.0], tensor![1.0, 2.0, 2.0, 3.5]])?, &[scalar(0.5)]);
    agree(any.call_flat(&[scalar(0.0).reshape([1])?, tensor![5.0, 6.0]])?, &[scalar(11.0)]);
    agree(
        any.call_flat(&[tensor![1.0, 5.0, 2.0, 8.0], tensor![1.0, 4.0, 3.0, 8.0]])?,
        &[scalar(2.0)],
    );
    Ok(())
}

#[tf_function]
pub fn softmax_loop(x: &Tensor) -> Result<Tensor> {
    let mut top = x.gather(0, 0)?;
    for v in x {
        if v > top {
            top = v;
        }
    }
    let mut sum = scalar(0.0);
    for v in x {
        sum += (v - &top).exp()?;
    }
    Ok((x - &top).exp()? / sum)
}

#[test]
fn softmax_loop_agrees() -> Result<()> {
    {
        let a0 = tensor![1.0, 2.0, 3.0];
        let want = [tensor![0.09003057317038046, 0.24472847105479764, 0.6652409557748218]];
        agree(softmax_loop::__body(&a0)?, &want);
        agree(softmax_loop(&a0)?, &want);
    }
    {
        let a0 = scalar(0.0).reshape([1])?;
        let want = [scalar(1.0).reshape([1])?];
        agree(softmax_loop::__body(&a0)?, &want);
        agree(softmax_loop(&a0)?, &want);
    }
    {
        let a0 = tensor![500.0, 499.0, -20.0, 500.0];
        let want = [tensor![
            0.4223187982515182,
            0.15536240349696362,
            6.201686713336286e-227,
            0.4223187982515182
        ]];
        agree(softmax_loop::__body(&a0)?, &want);
        agree(softmax_loop(&a0)?, &want);
    }
    let any = softmax_loop::concrete(&TensorSpec::of::<f64>(shape![?]))?;
    agree(
        any.call_flat(&[tensor![1.0, 2.0, 3.0]])?,
        &[tensor![0.09003057317038046, 0.24472847105479764, 0.6652409557748218]],
    );
    agree(any.call_flat(&[scalar(0.0).reshape([1])?])?, &[scalar(1.0).reshape([1])?]);
    agree(
        any.call_flat(&[tensor![500.0, 499.0, -20.0, 500.0]])?,
        &[tensor![
            0.4223187982515182,
            0.15536240349696362,
            6.201686713336286e-227,
            0.4223187982515182
        ]],
    );
    Ok(())
}

#[tf_function]
pub fn power_iteration(m: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut v = m.gather(0, 0)?.ones_like()?;
    let mut value = scalar(0.0);
    let mut delta = scalar(1.0);
    let mut steps = scalar(0i64);
    while delta > 1e-9 && steps < 200 {
        let w = m.matmul(&v.expand_dims(1)?)?.reshape([-1])?;
        let norm = w.square()?.reduce_sum(.., false)?.sqrt()?;
        if norm == 0.0 {
            value = scalar(0.0);
            break;
        }
        v = w / &norm;
        delta = (&norm - &value).abs()?;
        value = norm;
        steps += 1;
    }
    Ok((value, v))
}

#[test]
fn power_iteration_agrees() -> Result<()> {
    {
        let a0 = tensor![[2.0, 1.0], [1.0, 3.0]];
        let want = [scalar(3.618033988694995), tensor![0.5257330489189119, 0.8506496113409006]];
        agree(power_iteration::__body(&a0)?, &want);
        agree(power_iteration(&a0)?, &want);
    }
    {
        let a0 = tensor![[4.0, 0.0], [0.0, 1.0]];
        let want = [scalar(3.999999999972715), tensor![0.9999999999995453, 9.536743164058163e-07]];
        agree(power_iteration::__body(&a0)?, &want);
        agree(power_iteration(&a0)?, &want);
    }
    {
        let a0 = tensor![[0.0, 0.0], [0.0, 0.0]];
        let want = [scalar(0.0), tensor![1.0, 1.0]];
        agree(power_iteration::__body(&a0)?, &want);
        agree(power_iteration(&a0)?, &want);
    }
    let any = power_iteration::concrete(&TensorSpec::of::<f64>(shape![?, ?]))?;
    agree(
        any.call_flat(&[tensor![[2.0, 1.0], [1.0, 3.0]]])?,
        &[scalar(3.618033988694995), tensor![0.5257330489189119, 0.8506496113409006]],
    );
    agree(
        any.call_flat(&[tensor![[4.0, 0.0], [0.0, 1.0]]])?,
        &[scalar(3.999999999972715), tensor![0.9999999999995453, 9.536743164058163e-07]],
    );
    agree(any.call_flat(&[tensor![[0.0, 0.0], [0.0, 0.0]]])?, &[scalar(0.0), tensor![1.0, 1.0]]);
    Ok(())
}
