//! Discrete Fourier transforms.
//!
//! Functions as NumPy's (`np.fft`), over one axis, two or any, made of TensorFlow's ops (`tf.signal`)
//! with their gradients. Inverse transforms divide by the number of places, the others by nothing, unless
//! [`Ortho`] or [`Forward`] says otherwise. Numbers are float32 with complex64, or float64 with
//! complex128, and stay so; integers and bools become float64.
//!
//! Sizes that are asked for cut an axis, or fill it up with zeros behind.
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
pub use options::{Forward, Length, Norm, Ortho, OverMany, OverOne, Sampled, Sizes};
