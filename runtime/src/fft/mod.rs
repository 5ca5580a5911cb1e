//! Discrete Fourier transforms.
//!
//! The functions are those of NumPy (`np.fft`), over one, two or several axes. They consist of TensorFlow's
//! ops (`tf.signal`) and have gradients. Inverse transforms divide by the size `n` of the axis and forward
//! ones by nothing, unless [`Ortho`] or [`Forward`] is given. float32 goes with complex64 and float64 with
//! complex128; integers and bools become float64.
//!
//! A size that is given truncates an axis, or pads it with zeros at the end.
//!
//! ```
//! use extype::fft;
//! use extype::prelude::*;
//!
//! let x = tensor![1.0f64, 2.0, 0.0, -1.0];
//! let y = fft::rfft(&x, ..)?;
//! assert_eq!((y.dtype(), y.shape()), (complex128, shape![3]));
//! assert_eq!(fft::irfft(&y, ..)?.as_slice::<f64>()?, &[1.0, 2.0, 0.0, -1.0]);
//! # Ok::<(), Error>(())
//! ```

mod frequencies;
mod many;
mod one;
mod options;

pub use frequencies::{fftfreq, fftshift, ifftshift, rfftfreq};
pub use many::{fft2, fftn, ifft2, ifftn, irfft2, irfftn, rfft2, rfftn};
pub use one::{fft, hfft, ifft, ihfft, irfft, rfft};
pub(crate) use one::{of_frequencies, of_real_numbers};
pub use options::{Forward, Length, Norm, Ortho, OverMany, OverOne, Sampled, Sizes};
