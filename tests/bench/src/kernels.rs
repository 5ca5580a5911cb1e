//! W2 to W6: ops that run at once.

use anyhow::Result;
use extype::prelude::*;

use crate::inputs::{tensor, tensor_in};
use crate::runner::Runner;

/// W2: the least that an untraced op costs.
///
/// # Errors
/// What an op fails with.
pub(crate) fn eager(runner: &Runner) -> Result<()> {
    let (a, b) = (tensor(1, &[8])?, tensor(2, &[8])?);
    runner.time(("W2", "eager_add8"), || ops::add(&a, &b))?;
    let (a, b) = (tensor(1, &[4, 4])?, tensor(2, &[4, 4])?);
    runner.time(("W2", "eager_matmul4"), || a.matmul(&b))
}

/// W3: a chain of elementwise ops in a traced function.
///
/// # Errors
/// What an op fails with.
pub(crate) fn chain(runner: &Runner) -> Result<()> {
    let (a, b) = (scalar(1.5f32), scalar(0.25f32));
    let f = function(|x: &Tensor, a: &Tensor, b: &Tensor| {
        let hyperbolic = (x * a + b).tanh()? * x.sigmoid()?;
        Ok(hyperbolic - (-x * x).exp()? * 0.5 + x.maximum(0.0)?)
    });
    for (name, n) in [("fused_chain", 1_000_000), ("fused_chain_4k", 4096)] {
        if runner.wants("W3", name) {
            let x = tensor_in(3, &[n], -3.0, 3.0)?;
            runner.time(("W3", name), || f.call(&x, &a, &b))?;
        }
    }
    Ok(())
}

/// W4: an op that moves memory.
///
/// # Errors
/// What an op fails with.
pub(crate) fn bandwidth(runner: &Runner) -> Result<()> {
    if !runner.wants("W4", "add_bandwidth") {
        return Ok(());
    }
    let (a, b) = (tensor(4, &[16_777_216])?, tensor(5, &[16_777_216])?);
    runner.time(("W4", "add_bandwidth"), || ops::add(&a, &b))
}

/// W5: matrix products.
///
/// # Errors
/// What an op fails with.
pub(crate) fn products(runner: &Runner) -> Result<()> {
    for n in [64, 256, 512, 1024, 2048] {
        let name = format!("matmul_{n}");
        if !runner.wants("W5", &name) {
            continue;
        }
        let (a, b) = (tensor(6, &[n, n])?, tensor(7, &[n, n])?);
        let (x, y) = (a.as_slice::<f32>()?, b.as_slice::<f32>()?);
        let mut out = vec![0.0; n * n];
        let gemm = || {
            gemm(n, x, y, &mut out);
            Ok(None)
        };
        runner.compare(("W5", &name), || a.matmul(&b).map(Some), ("the gemm-f32 crate", gemm))?;
    }
    if runner.wants("W5", "matmul_bf16_1024") {
        let operand = |stream| tensor(stream, &[1024, 1024])?.cast(bf16);
        let (a, b) = (operand(6)?, operand(7)?);
        runner.time(("W5", "matmul_bf16_1024"), || a.matmul(&b))?;
    }
    if runner.wants("W5", "matmul_b64_128") {
        let (a, b) = (tensor(6, &[64, 128, 128])?, tensor(7, &[64, 128, 128])?);
        runner.time(("W5", "matmul_b64_128"), || ops::batch_matmul(&a, &b))?;
    }
    Ok(())
}

/// The product of two square matrices by the crate that ours goes to, into memory that is there.
fn gemm(n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
    use gemm_common::Parallelism;
    assert!(x.len() == n * n && y.len() == n * n && out.len() == n * n);
    let (row, threads) = (n as isize, rayon::current_num_threads());
    let par = if threads > 1 { Parallelism::Rayon(0) } else { Parallelism::None };
    let (out, x, y) = (out.as_mut_ptr(), x.as_ptr(), y.as_ptr());
    // SAFETY: three matrices of n by n, as just checked, which are the transposes of the row-major
    // ones; the result is borrowed alone.
    unsafe {
        gemm_f32::gemm::f32::get_gemm_fn()(
            n, n, n, out, row, 1, false, y, row, 1, x, row, 1, 0.0, 1.0, false, false, false, par,
        );
    }
}

/// W6: sums.
///
/// # Errors
/// What an op fails with.
pub(crate) fn sums(runner: &Runner) -> Result<()> {
    if !["sum_all", "sum_axis0", "sum_axis1"].iter().any(|n| runner.wants("W6", n)) {
        return Ok(());
    }
    let x = tensor(8, &[4096, 4096])?;
    runner.time(("W6", "sum_all"), || x.reduce_sum(.., false))?;
    runner.time(("W6", "sum_axis0"), || x.reduce_sum(0, false))?;
    runner.time(("W6", "sum_axis1"), || x.reduce_sum(1, false))
}
