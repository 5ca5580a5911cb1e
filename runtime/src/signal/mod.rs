//! Signals: frames, windows, short-time Fourier transforms, cosine transforms, mel scales.
//!
//! The functions are those of TensorFlow (`tf.signal`). They consist of ops, so all of them can be traced, also for
//! signals of unknown length, and differentiated. Lengths are integers, or integer tensors. Fourier transforms are
//! in [`fft`](mod@crate::fft).
//!
//! ```
//! use extype::prelude::*;
//! use extype::signal::{self, Window};
//!
//! let x = ops::sin(ops::range(0.0f32, 64.0f32, 1.0f32)? * 0.5)?;
//! let spectrogram = signal::stft(&x, 16, 8, Window::Hann)?;
//! assert_eq!(spectrogram.shape(), shape![7, 9]);
//! let back = signal::inverse_stft(&spectrogram, 16, 8, Window::Inverse(8.into()))?;
//! // The ends lie in one window only.
//! let inner = |x: &Tensor| x.index(8..56);
//! assert!(inner(&back)?.allclose(inner(&x)?, ops::Atol(1e-4))?.item::<bool>()?);
//! # Ok::<(), Error>(())
//! ```

mod cosine;
mod frames;
mod mel;
mod options;
mod spectra;
mod windows;

pub use cosine::{dct, idct, inverse_mdct, mdct};
pub use frames::{frame, overlap_and_add};
pub use mel::{linear_to_mel_weight_matrix, mfccs_from_log_mel_spectrograms};
pub use options::{Cosine, Framing, PadEnd, PadEndWith, Periodic, Spectrum, Tapering, Warped};
pub use spectra::{inverse_stft, inverse_stft_window, stft};
pub use windows::{
    Window, hamming_window, hann_window, kaiser_bessel_derived_window, kaiser_window, vorbis_window,
};

pub use crate::fft::{fftshift, ifftshift};
