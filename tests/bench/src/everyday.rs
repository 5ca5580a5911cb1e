//! Lines of NumPy that people write every day, on a million elements. `everyday.py` times NumPy on the same lines.

use anyhow::Result;
use extype::prelude::*;
use extype::{fft, linalg};

use crate::inputs::{labels, tensor_in};
use crate::runner::Runner;

/// Times each line under the text that NumPy evaluates.
macro_rules! lines {
    ($runner:ident; $($numpy:literal => $rust:expr;)*) => {{
        $($runner.time(("everyday", $numpy), || line(|| Ok($rust)))?;)*
        Ok(())
    }};
}

/// Gives a line the result type of its errors.
fn line(line: impl FnOnce() -> extype::Result<Tensor>) -> extype::Result<Tensor> {
    line()
}

/// Every line.
///
/// # Errors
/// What an op fails with.
pub(crate) fn everyday(runner: &Runner) -> Result<()> {
    if !runner.wants_group("everyday") {
        return Ok(());
    }
    let floats = |stream, sizes: &[usize]| tensor_in(stream, sizes, -3.0, 3.0)?.cast(f64);
    let (x, y) = (&floats(40, &[1000, 1000])?, &floats(41, &[1000, 1000])?);
    let (v, w, r) = (&floats(42, &[1_000_000])?, &floats(43, &[1_000_000])?, &floats(44, &[1000])?);
    let (s, few) = (&floats(45, &[200, 200])?, &floats(46, &[31])?);
    let m = &(s.matmul(s.t()?)? + ops::eye(200, f64)?);
    let t = &floats(47, &[100, 100, 100])?;
    let whole = |stream, classes| labels(stream, 1_000_000, classes).cast(i64);
    let (i, j, k) = (&whole(48, 100_000)?, &whole(49, 1000)?, &whole(50, 100)?);
    let b = &x.greater(1.0)?;
    let n = &ops::where_(x.greater(2.5)?, f64::NAN, x)?;
    let c = &ops::complex(v, w)?;
    let edges = &ops::linspace(-3.0, 3.0, 101)?;
    let groups = &ops::arange(1_000_000i64)?.floor_div(1000)?;
    lines! { runner;
        "np.zeros((1000, 1000))" => ops::zeros([1000, 1000], f64)?;
        "np.ones((1000, 1000))" => ops::ones([1000, 1000], f64)?;
        "np.arange(1000000)" => ops::arange(1_000_000i64)?;
        "np.linspace(0.0, 1.0, 1000000)" => ops::linspace(0.0, 1.0, 1_000_000)?;
        "np.eye(1000)" => ops::eye(1000, f64)?;
        "np.diag(r)" => r.diag(..)?;
        "np.tri(1000)" => ops::tri(1000, f64)?;
        "np.tril(x)" => x.tril(..)?;
        "np.meshgrid(r, r)[0]" => ops::meshgrid(&[r, r], ..)?[0].clone();
        "x + y" => x + y;
        "2.0 * x" => 2.0 * x;
        "x / y" => x / y;
        "i // (j + 1)" => i.floor_div(j + 1)?;
        "i % (j + 1)" => i.floor_mod(j + 1)?;
        "np.abs(x)" => x.abs()?;
        "np.sqrt(np.abs(x))" => x.abs()?.sqrt()?;
        "np.exp(x)" => x.exp()?;
        "np.log(np.abs(y))" => y.abs()?.log()?;
        "np.log10(np.abs(y))" => y.abs()?.log10()?;
        "np.sin(x)" => x.sin()?;
        "np.tanh(x)" => x.tanh()?;
        "np.arctan2(x, y)" => x.atan2(y)?;
        "x ** 3" => x.pow(3.0)?;
        "np.abs(x) ** y" => x.abs()?.pow(y)?;
        "np.hypot(x, y)" => x.hypot(y)?;
        "np.maximum(x, y)" => x.maximum(y)?;
        "np.clip(x, -1.0, 2.0)" => x.clip(-1.0, 2.0)?;
        "np.round(x)" => x.round()?;
        "np.cbrt(y)" => y.cbrt()?;
        "np.sinc(x)" => x.sinc()?;
        "np.heaviside(x, 0.5)" => x.heaviside(0.5)?;
        "np.logaddexp(x, y)" => x.logaddexp(y)?;
        "np.expm1(v)" => v.expm1()?;
        "np.arcsinh(x)" => x.asinh()?;
        "np.gcd(i, j)" => i.gcd(j)?;
        "np.left_shift(k, 2)" => k.left_shift(2)?;
        "x > 0.0" => x.greater(0.0)?;
        "~b" => !b;
        "np.isnan(n)" => n.isnan()?;
        "np.where(x > 0, x, y)" => ops::where_(x.greater(0)?, x, y)?;
        "np.argwhere(b)" => b.argwhere()?;
        "np.allclose(x, x)" => x.allclose(x, ..)?;
        "np.isclose(x, y)" => x.isclose(y, ..)?;
        "np.any(b)" => b.any(..)?;
        "np.all(b, axis=0)" => b.all(0)?;
        "np.nan_to_num(n)" => n.nan_to_num(..)?;
        "x.sum()" => x.sum(..)?;
        "x.sum(axis=0)" => x.sum(0)?;
        "x.sum(axis=1)" => x.sum(1)?;
        "x.mean()" => x.mean(..)?;
        "x.std()" => x.std(..)?;
        "np.var(x, axis=0)" => x.var(0)?;
        "x.max()" => x.max(..)?;
        "x.prod()" => x.prod(..)?;
        "np.ptp(x, axis=1)" => x.ptp(1)?;
        "np.median(x, axis=0)" => x.median(0)?;
        "np.median(v)" => v.median(..)?;
        "np.quantile(x, 0.25)" => x.quantile(0.25, ..)?;
        "np.average(v, weights=np.abs(w))" => v.average(ops::Weights(&w.abs()?))?;
        "np.argmax(x)" => x.argmax(..)?;
        "np.argmin(x, axis=0)" => x.argmin(0)?;
        "np.cumsum(x)" => x.cumsum(..)?;
        "np.cumprod(x, axis=0)" => x.cumprod(0)?;
        "np.diff(v)" => v.diff(..)?;
        "np.nansum(n)" => n.nansum(..)?;
        "np.nanmean(n, axis=0)" => n.nanmean(0)?;
        "np.cov(x)" => x.cov(..)?;
        "np.corrcoef(s)" => s.corrcoef(..)?;
        "np.bincount(k)" => k.bincount(i64)?;
        "np.bincount(j, w)" => j.bincount(ops::Weights(w))?;
        "np.add.at(np.zeros(1000), j, w)" => ops::unsorted_segment_sum(w, j, 1000)?;
        "np.add.reduceat(w, starts)" => ops::segment_sum(w, groups)?;
        "np.add.reduceat(w, starts) / 1000" => ops::segment_mean(w, groups)?;
        "np.histogram(v, edges)[0]" => v.histogram(ops::BinEdges(edges.clone()))?.0;
        "np.searchsorted(edges, v)" => edges.searchsorted(v, i64)?;
        "np.sort(v)" => v.sort(..)?;
        "np.argsort(v)" => v.argsort(..)?;
        "np.sort(i)" => i.sort(..)?;
        "np.unique(i)" => i.unique()?.0.sort(..)?;
        "np.unique(k, return_counts=True)[1]" => k.sort(..)?.unique_with_counts()?.2;
        "np.isin(i, j)" => i.isin(j)?;
        "np.flip(x, axis=1).copy()" => x.flip(1)?;
        "np.roll(v, 1)" => v.roll(1, ..)?;
        "np.rot90(x).copy()" => x.rot90(..)?;
        "np.partition(v, 1000)" => v.partition(1000, ..)?;
        "x.T.copy()" => x.t()?;
        "t.transpose(2, 0, 1).copy()" => t.transpose([2, 0, 1])?;
        "np.concatenate([x, y], axis=1)" => ops::concatenate(&[x, y], 1)?;
        "np.stack([v, w])" => ops::stack(&[v, w], 0)?;
        "np.split(x, 4, axis=1)[2].copy()" => x.split(4, 1)?[2].clone();
        "np.tile(x, (2, 1))" => x.tile([2, 1])?;
        "np.repeat(v, 2)" => v.repeat(2, ..)?;
        "np.repeat(v, k % 3)" => v.repeat(k % 3, 0)?;
        "np.pad(x, 1)" => x.pad(1)?;
        "x[:, ::-1].copy()" => x.index((.., ops::step(.., -1)))?;
        "x[:, 1].copy()" => x.index((.., 1))?;
        "v[i]" => v.take(i, 0)?;
        "x[j[:1000]]" => x.take(j.index(..1000)?, 0)?;
        "np.take_along_axis(x, np.argsort(x, axis=1), axis=1)" => x.take_along_axis(x.argsort(1)?, 1)?;
        "v[v > 0]" => v.boolean_mask(v.greater(0.0)?, 0)?;
        "np.select([v > 2, v > 0], [v, w], 0.0)" => ops::select_cases(&[v.greater(2)?, v.greater(0)?], &[v, w], 0.0)?;
        "np.delete(v, 1)" => v.delete(1, ..)?;
        "np.append(v, 4.0)" => v.append(4.0, ..)?;
        "x @ r" => x.matmul(r)?;
        "x @ y" => x.matmul(y)?;
        "np.dot(v, w)" => v.dot(w)?;
        "np.outer(r, r)" => r.outer(r)?;
        "np.kron(r, r)" => r.kron(r)?;
        "np.tensordot(x, y, axes=2)" => x.tensordot(y, 2)?;
        "np.einsum('ij,kj->ik', s, s)" => ops::einsum("ij,kj->ik", &[s, s])?;
        "np.einsum('ij->j', x)" => ops::einsum("ij->j", &[x])?;
        "np.trace(x)" => x.trace()?;
        "np.linalg.norm(x)" => linalg::norm(x, ..)?;
        "np.linalg.norm(x, axis=1)" => linalg::norm(x, 1)?;
        "np.linalg.det(m)" => linalg::det(m)?;
        "np.linalg.solve(m, s)" => linalg::solve(m, s, ..)?;
        "np.linalg.inv(m)" => linalg::inv(m)?;
        "np.linalg.eigvalsh(m)" => linalg::eigvalsh(m)?;
        "np.linalg.svd(s, compute_uv=False)" => linalg::svdvals(s)?;
        "np.linalg.cholesky(m)" => linalg::cholesky(m)?;
        "c.real.copy()" => c.real()?;
        "np.abs(c)" => c.abs()?;
        "np.angle(c)" => c.angle()?;
        "c * c" => c * c;
        "np.exp(c)" => c.exp()?;
        "x.astype(np.int32)" => x.cast(i32)?;
        "np.interp(v, edges, edges)" => ops::interp(v, edges, edges)?;
        "np.convolve(v, few, 'same')" => v.convolve(few, ops::Overlap::Same)?;
        "np.polyval([1.0, -2.0, 3.0], v)" => ops::polyval([1.0, -2.0, 3.0], v)?;
        "np.gradient(v)" => v.slope(..)?;
        "np.fft.rfft(w)" => fft::rfft(w, ..)?;
        "np.fft.fft(c)" => fft::fft(c, ..)?;
    }
}
