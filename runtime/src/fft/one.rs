//! Transforms over one axis.

use super::options::{Norm, OverOne};
use crate::compounds;
use crate::ops::options::Sets;
use crate::ops::{
    self, Fft, Ifft, Integer, Irfft, Op as _, Rfft, as_inexact, fit, length, methods::*, rank_of,
    whole_numbers,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail, normalize_axis};

/// Numbers as complex numbers of the same precision.
pub(super) fn as_complex(x: &Tensor) -> Result<Tensor> {
    let x = as_inexact(x)?;
    let dtype = complex_of(x.dtype())?;
    if x.dtype() == dtype { Ok(x) } else { x.cast(dtype) }
}

/// Corrects the scaling of an op for `norm`. The op divides an inverse transform by the size `n`, and a
/// forward one by nothing.
fn scaled(y: Tensor, n: &Integer, norm: Norm, is_inverse: bool) -> Result<Tensor> {
    let factor = match norm {
        Norm::Backward => return Ok(y),
        // The size is well within the range of each float dtype.
        Norm::Ortho => n.to_i64()?.cast(DType::F64)?.sqrt()?,
        Norm::Forward => n.to_i64()?.cast(DType::F64)?,
    };
    let factor = factor.cast(y.dtype())?;
    if is_inverse { ops::mul(&y, &factor) } else { ops::div(&y, &factor) }
}

fn complex_of(dtype: DType) -> Result<DType> {
    if ![DType::F32, DType::F64].contains(&dtype.real_part()) {
        bail!("float32, float64 or complex numbers are transformed, not {dtype}; cast them");
    }
    Ok(dtype.to_complex())
}

/// Calls `f` on `x` with the axis moved to the end, and moves it back in the result.
pub(super) fn at_end(
    x: &Tensor,
    axis: i64,
    f: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let rank = rank_of(x)?;
    let axis = normalize_axis(axis, rank)?;
    if axis + 1 == rank {
        return f(x);
    }
    let mut exchanged: Vec<i64> = (0..rank as i64).collect();
    exchanged.swap(axis, rank - 1);
    f(&x.transpose(&exchanged[..])?)?.transpose(&exchanged[..])
}

/// A requested size, which must not be 0.
pub(super) fn asked(n: usize) -> Result<Integer> {
    match n {
        0 => bail!("a transform has one place at least, not 0"),
        n => Ok(n.into()),
    }
}

/// The op input that holds the sizes.
pub(super) fn lengths(sizes: &[Integer]) -> Result<ops::Lengths> {
    let known: Option<Vec<i64>> = sizes
        .iter()
        .map(|n| match n {
            Integer::Known(n) => Some(*n),
            Integer::Tensor(_) | Integer::Unknown => None,
        })
        .collect();
    if let Some(known) = known {
        return Ok(known.into());
    }
    let all = sizes
        .iter()
        .map(|n| whole_numbers(&n.to_i64()?, DType::I32))
        .collect::<Result<Vec<_>>>()?;
    ops::stack(&all.iter().collect::<Vec<_>>(), 0).map(ops::Lengths::Tensor)
}

/// The size of the signal for `half` frequencies: `2 (half - 1)`.
pub(super) fn whole(half: Integer) -> Result<Integer> {
    match half.either()? {
        Ok(n @ (0 | 1)) => {
            bail!("{n} frequencies are of a signal without places; say its length, `Length(1)`")
        }
        Ok(n) => Ok(Integer::Known(n.saturating_sub(1).saturating_mul(2))),
        Err(n) => Ok(Integer::Tensor((n - 1) * 2)),
    }
}

fn complex(x: &Tensor, options: OverOne, is_inverse: bool) -> Result<Tensor> {
    let x = as_complex(x)?;
    at_end(&x, options.axis, |x| {
        let x = match options.length {
            Some(n) => fit(x, &[asked(n)?])?,
            None => x.clone(),
        };
        let y = if is_inverse { Ifft {}.run(&[&x])? } else { Fft {}.run(&[&x])? };
        scaled(y, &length(&x, -1)?, options.norm, is_inverse)
    })
}

pub(super) fn forward(x: &Tensor, options: OverOne) -> Result<Tensor> {
    complex(x, options, false)
}

pub(super) fn backward(x: &Tensor, options: OverOne) -> Result<Tensor> {
    complex(x, options, true)
}

pub(super) fn forward_of_real(x: &Tensor, options: OverOne) -> Result<Tensor> {
    let x = as_inexact(x)?;
    if ![DType::F32, DType::F64].contains(&x.dtype()) {
        bail!("real numbers (float32 or float64) are wanted, not {}", x.dtype());
    }
    at_end(&x, options.axis, |x| {
        let n = options.length.map_or_else(|| length(x, -1), asked)?;
        scaled(of_real_numbers(x, &n)?, &n, options.norm, false)
    })
}

/// The frequencies of the last axis, which is cropped or padded to a size.
pub(crate) fn of_real_numbers(x: &Tensor, n: &Integer) -> Result<Tensor> {
    let op =
        Rfft { tcomplex: complex_of(x.dtype())?, fft_length: lengths(std::slice::from_ref(n))? };
    op.run(&[&long_enough(x, n)?])
}

/// The real numbers, of this size, whose frequencies the last axis holds; it is cropped or padded.
pub(crate) fn of_frequencies(x: &Tensor, n: &Integer) -> Result<Tensor> {
    let op = Irfft { treal: x.dtype().real_part(), fft_length: lengths(std::slice::from_ref(n))? };
    op.run(&[&long_enough(x, &n.over(2)?.plus(1)?)?])
}

/// The last axis padded with zeros to the size that an op needs. The op crops a longer one.
fn long_enough(x: &Tensor, n: &Integer) -> Result<Tensor> {
    match (length(x, -1)?.known(), n.known()) {
        (Some(has), Some(needs)) if has >= needs => Ok(x.clone()),
        _ => fit(x, std::slice::from_ref(n)),
    }
}

pub(super) fn backward_to_real(x: &Tensor, options: OverOne) -> Result<Tensor> {
    let x = as_complex(x)?;
    at_end(&x, options.axis, |x| {
        let n = match options.length {
            Some(n) => asked(n)?,
            None => whole(length(x, -1)?)?,
        };
        scaled(of_frequencies(x, &n)?, &n, options.norm, true)
    })
}

/// The options with the norms `Backward` and `fft::Forward` exchanged.
fn swapped(options: OverOne) -> OverOne {
    let norm = match options.norm {
        Norm::Backward => Norm::Forward,
        Norm::Ortho => Norm::Ortho,
        Norm::Forward => Norm::Backward,
    };
    OverOne { norm, ..options }
}

compounds! {
    /// The discrete Fourier transform along an axis: `y[k]` is the sum of `x[j] exp(-2πi jk/n)`.
    ///
    /// TensorFlow: `tf.signal.fft`, op `FFT`. NumPy: `np.fft.fft`. Takes real or complex numbers of rank 1 at
    /// least (integers and bools become float64). The result is complex, and its axis has the size `n`: that
    /// of the operand, or [`Length`](super::Length). Options: an axis, `fft::Length(n)`, and
    /// [`Ortho`](super::Ortho) or [`Forward`](super::Forward), which choose what is divided by `n`.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes, an axis out of range, a length of 0, an unknown rank.
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::fft([1.0f64, 0.0], fft::Length(4))?;
    /// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[1.0, 1.0, 1.0, 1.0]);
    /// let y = fft::fft([1, 0, 0, 0], fft::Ortho)?;
    /// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[0.5, 0.5, 0.5, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    fn fft(x => options: impl Sets<OverOne> as OverOne) -> Tensor {
        forward(x, options)
    }

    /// The inverse discrete Fourier transform along an axis, which undoes [`fft()`].
    ///
    /// TensorFlow: `tf.signal.ifft`, op `IFFT`. NumPy: `np.fft.ifft`. Shapes and dtypes as for [`fft()`].
    ///
    /// # Errors
    /// As [`fft()`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::ifft([4.0f64, 0.0, 0.0, 0.0], ..)?;
    /// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[1.0, 1.0, 1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ifft(x => options: impl Sets<OverOne> as OverOne) -> Tensor {
        backward(x, options)
    }

    /// The discrete Fourier transform of real numbers along an axis. Only the frequencies up to the half are
    /// returned, since the others are their conjugates.
    ///
    /// TensorFlow: `tf.signal.rfft`, op `RFFT`. NumPy: `np.fft.rfft`. Real numbers of rank 1 at
    /// least; the result is complex, with the axis at size `n / 2 + 1`.
    ///
    /// # Errors
    /// As [`fft()`], and `InvalidArgument` for complex numbers.
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::rfft([1.0f64, 1.0, 1.0, 1.0], ..)?;
    /// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[4.0, 0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn rfft(x => options: impl Sets<OverOne> as OverOne) -> Tensor {
        forward_of_real(x, options)
    }

    /// The inverse of [`rfft()`]: real numbers along an axis, from their frequencies up to the half. Without
    /// a [`Length`](super::Length), `m` frequencies give `2 (m - 1)` numbers.
    ///
    /// TensorFlow: `tf.signal.irfft`, op `IRFFT`. NumPy: `np.fft.irfft`. Complex numbers (or real ones)
    /// of rank 1 at least; the result is real, with the axis at size `n`.
    ///
    /// # Errors
    /// As [`fft()`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let x = tensor![1.0f64, 2.0, 3.0];
    /// let y = fft::irfft(fft::rfft(&x, ..)?, (fft::Length(3), 0))?;
    /// assert!((y.as_slice::<f64>()?[2] - 3.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn irfft(x => options: impl Sets<OverOne> as OverOne) -> Tensor {
        backward_to_real(x, options)
    }

    /// The real frequencies of a Hermitian signal, which is given by its first half. Without a
    /// [`Length`](super::Length), `m` numbers give `2 (m - 1)` frequencies.
    ///
    /// NumPy: `np.fft.hfft`. As [`irfft()`].
    ///
    /// # Errors
    /// As [`fft()`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// assert_eq!(fft::hfft([1.0f64, 1.0, 1.0], ..)?.as_slice::<f64>()?, &[4.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn hfft(x => options: impl Sets<OverOne> as OverOne) -> Tensor {
        backward_to_real(&as_complex(x)?.conj()?, swapped(options))
    }

    /// The inverse of [`hfft`]: the first half of the Hermitian signal with these real frequencies.
    ///
    /// NumPy: `np.fft.ihfft`. As [`rfft()`].
    ///
    /// # Errors
    /// As [`rfft()`].
    ///
    /// ```
    /// use extype::fft;
    /// use extype::prelude::*;
    /// let y = fft::ihfft([4.0f64, 0.0, 0.0, 0.0], ..)?;
    /// assert_eq!(y.cast(f64)?.as_slice::<f64>()?, &[1.0, 1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ihfft(x => options: impl Sets<OverOne> as OverOne) -> Tensor {
        forward_of_real(x, swapped(options))?.conj()
    }
}
