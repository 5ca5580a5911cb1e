//! Discrete Fourier transforms over the last axes.
//!
//! The functions for users, with their documentation, are in `extype::fft`; here are the ops that
//! graphs hold.

mod fit;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod lengths;

pub(crate) use fit::fit;
pub use lengths::{LengthList, Lengths};

use crate::define_op;
use crate::ops::rules::batch::leading;
use crate::types::{DType, DTypeSet};

/// The dtypes of real numbers that can be transformed.
const SAMPLES: DTypeSet = DTypeSet::of(&[DType::F32, DType::F64]);

define_op! {
    /// The discrete Fourier transform of complex numbers over the last axis.
    ///
    /// TensorFlow: `FFT`. The result has the same shape.
    pub op Fft = "FFT" {
        inputs: { input: Tcomplex }, outputs: { output: Tcomplex },
        types: { Tcomplex: DTypeSet::COMPLEX },
        infer: |c| infer::complex(c, 1), kernel: |c| kernel::forward(c, 1),
        gradient: |g| gradient::forward(g, 1),
        batch: leading,
    }

    /// The inverse of [`Fft`] over the last axis, divided by the number of elements.
    ///
    /// TensorFlow: `IFFT`. The result has the same shape.
    pub op Ifft = "IFFT" {
        inputs: { input: Tcomplex }, outputs: { output: Tcomplex },
        types: { Tcomplex: DTypeSet::COMPLEX },
        infer: |c| infer::complex(c, 1), kernel: |c| kernel::inverse(c, 1),
        gradient: |g| gradient::inverse(g, 1),
        batch: leading,
    }

    /// The discrete Fourier transform of real numbers over the last axis, with frequencies up to the
    /// half of the axis.
    ///
    /// TensorFlow: `RFFT`. The axis is cropped to `fft_length`; a shorter one is refused.
    pub op Rfft = "RFFT" {
        inputs: { input: Treal, fft_length: {I32} as Lengths }, outputs: { output: Tcomplex },
        types: { Treal: SAMPLES }, attrs: { tcomplex as "Tcomplex": DType },
        infer: |c| infer::of_real(c, 1, c.get(Rfft::TCOMPLEX)?),
        kernel: |c| kernel::of_real(c, 1),
        gradient: |g| gradient::of_real(g, 1),
        batch: leading,
    }

    /// The inverse of [`Rfft`]: real numbers from the frequencies up to the half of the last axis.
    ///
    /// TensorFlow: `IRFFT`. The axis of the result has the size `fft_length`; more
    /// frequencies are cropped, less are refused.
    pub op Irfft = "IRFFT" {
        inputs: { input: Tcomplex, fft_length: {I32} as Lengths }, outputs: { output: Treal },
        types: { Tcomplex: DTypeSet::COMPLEX }, attrs: { treal as "Treal": DType },
        infer: |c| infer::to_real(c, 1, c.get(Irfft::TREAL)?),
        kernel: |c| kernel::to_real(c, 1),
        gradient: |g| gradient::to_real(g, 1),
        batch: leading,
    }

    /// The discrete Fourier transform of complex numbers over the last two axes.
    ///
    /// TensorFlow: `FFT2D`. The result has the same shape.
    pub op Fft2d = "FFT2D" {
        inputs: { input: Tcomplex }, outputs: { output: Tcomplex },
        types: { Tcomplex: DTypeSet::COMPLEX },
        infer: |c| infer::complex(c, 2), kernel: |c| kernel::forward(c, 2),
        gradient: |g| gradient::forward(g, 2),
        batch: leading,
    }

    /// The inverse of [`Fft2d`] over the last two axes, divided by the number of elements.
    ///
    /// TensorFlow: `IFFT2D`. The result has the same shape.
    pub op Ifft2d = "IFFT2D" {
        inputs: { input: Tcomplex }, outputs: { output: Tcomplex },
        types: { Tcomplex: DTypeSet::COMPLEX },
        infer: |c| infer::complex(c, 2), kernel: |c| kernel::inverse(c, 2),
        gradient: |g| gradient::inverse(g, 2),
        batch: leading,
    }

    /// The discrete Fourier transform of real numbers over the last two axes, with frequencies up to
    /// the half of the last.
    ///
    /// TensorFlow: `RFFT2D`. The axes are cropped to `fft_length`; shorter ones are refused.
    pub op Rfft2d = "RFFT2D" {
        inputs: { input: Treal, fft_length: {I32} as Lengths }, outputs: { output: Tcomplex },
        types: { Treal: SAMPLES }, attrs: { tcomplex as "Tcomplex": DType },
        infer: |c| infer::of_real(c, 2, c.get(Rfft2d::TCOMPLEX)?),
        kernel: |c| kernel::of_real(c, 2),
        gradient: |g| gradient::of_real(g, 2),
        batch: leading,
    }

    /// The inverse of [`Rfft2d`]: real numbers from the frequencies up to the half of the last axis.
    ///
    /// TensorFlow: `IRFFT2D`. The axes of the result have the sizes `fft_length`; more
    /// frequencies are cropped, less are refused.
    pub op Irfft2d = "IRFFT2D" {
        inputs: { input: Tcomplex, fft_length: {I32} as Lengths }, outputs: { output: Treal },
        types: { Tcomplex: DTypeSet::COMPLEX }, attrs: { treal as "Treal": DType },
        infer: |c| infer::to_real(c, 2, c.get(Irfft2d::TREAL)?),
        kernel: |c| kernel::to_real(c, 2),
        gradient: |g| gradient::to_real(g, 2),
        batch: leading,
    }

    /// The discrete Fourier transform of complex numbers over the last three axes.
    ///
    /// TensorFlow: `FFT3D`. The result has the same shape.
    pub op Fft3d = "FFT3D" {
        inputs: { input: Tcomplex }, outputs: { output: Tcomplex },
        types: { Tcomplex: DTypeSet::COMPLEX },
        infer: |c| infer::complex(c, 3), kernel: |c| kernel::forward(c, 3),
        gradient: |g| gradient::forward(g, 3),
        batch: leading,
    }

    /// The inverse of [`Fft3d`] over the last three axes, divided by the number of elements.
    ///
    /// TensorFlow: `IFFT3D`. The result has the same shape.
    pub op Ifft3d = "IFFT3D" {
        inputs: { input: Tcomplex }, outputs: { output: Tcomplex },
        types: { Tcomplex: DTypeSet::COMPLEX },
        infer: |c| infer::complex(c, 3), kernel: |c| kernel::inverse(c, 3),
        gradient: |g| gradient::inverse(g, 3),
        batch: leading,
    }

    /// The discrete Fourier transform of real numbers over the last three axes, with frequencies up to
    /// the half of the last.
    ///
    /// TensorFlow: `RFFT3D`. The axes are cropped to `fft_length`; shorter ones are refused.
    pub op Rfft3d = "RFFT3D" {
        inputs: { input: Treal, fft_length: {I32} as Lengths }, outputs: { output: Tcomplex },
        types: { Treal: SAMPLES }, attrs: { tcomplex as "Tcomplex": DType },
        infer: |c| infer::of_real(c, 3, c.get(Rfft3d::TCOMPLEX)?),
        kernel: |c| kernel::of_real(c, 3),
        gradient: |g| gradient::of_real(g, 3),
        batch: leading,
    }

    /// The inverse of [`Rfft3d`]: real numbers from the frequencies up to the half of the last axis.
    ///
    /// TensorFlow: `IRFFT3D`. The axes of the result have the sizes `fft_length`; more
    /// frequencies are cropped, less are refused.
    pub op Irfft3d = "IRFFT3D" {
        inputs: { input: Tcomplex, fft_length: {I32} as Lengths }, outputs: { output: Treal },
        types: { Tcomplex: DTypeSet::COMPLEX }, attrs: { treal as "Treal": DType },
        infer: |c| infer::to_real(c, 3, c.get(Irfft3d::TREAL)?),
        kernel: |c| kernel::to_real(c, 3),
        gradient: |g| gradient::to_real(g, 3),
        batch: leading,
    }
}
