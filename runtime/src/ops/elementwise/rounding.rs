//! Numbers rounded, cut and kept between bounds.

use crate::ops::number::agree;
use crate::ops::options::functions;
use crate::ops::*;
use crate::tensor::Tensor;

functions! {
    /// `x` where it is between two bounds, else the nearer of them: `clip_by_value` by its short name.
    ///
    /// NumPy: `clip`. Real numbers of one dtype broadcast.
    ///
    /// # Errors
    /// As [`clip_by_value`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![-2.0f32, 0.5, 2.0].clip(-1.0, 1.0)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[-1.0, 0.5, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "clamp")]
    fn clip(x, min, max) -> Tensor {
        let (x, max) = agree(x, max)?;
        let (x, min) = agree(&x, min)?;
        maximum(minimum(x, max)?, min)
    }

    /// The nearest integer, the even one of two: [`round()`] by its other name.
    ///
    /// NumPy: `rint`.
    ///
    /// # Errors
    /// As [`round()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.5f32, 1.5].rint()?.as_slice::<f32>()?, &[0.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn rint(x) -> Tensor {
        round(x)
    }

    /// The nearest number with so many decimals; negative ones round to tens, hundreds.
    ///
    /// NumPy: `round` with `decimals`. Floats of any shape.
    ///
    /// # Errors
    /// As [`round()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.26f64, -3.14].round_to(1)?.as_slice::<f64>()?, &[1.3, -3.1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "around")]
    fn round_to(x; decimals: i32) -> Tensor {
        let scale = 10f64.powi(decimals.saturating_abs());
        if decimals < 0 {
            return mul(div(x, scale)?.round()?, scale);
        }
        div(mul(x, scale)?.round()?, scale)
    }

    /// The integer part: [`trunc()`] by its other name.
    ///
    /// NumPy: `fix`.
    ///
    /// # Errors
    /// As [`trunc()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.5f32, -1.5].fix()?.as_slice::<f32>()?, &[1.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn fix(x) -> Tensor {
        trunc(x)
    }

    /// The fraction and the integer part, both of the sign of `x`.
    ///
    /// NumPy: `modf`. Floats of any shape.
    ///
    /// # Errors
    /// As [`trunc()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (fraction, whole) = scalar(-1.5f32).modf()?;
    /// assert_eq!((fraction.item::<f32>()?, whole.item::<f32>()?), (-0.5, -1.0));
    /// # Ok::<(), Error>(())
    /// ```
    fn modf(x) -> (Tensor, Tensor) {
        let whole = trunc(x)?;
        Ok((sub(x, &whole)?, whole))
    }
}
