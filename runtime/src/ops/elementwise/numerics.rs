//! Checks for numbers that are not finite.

use crate::define_op;
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::rules::same_shape;
use crate::types::{DType, DTypeSet, Result, bail};

define_op! {
    /// Methods: checks for numbers that are not finite.
    methods of NumericsMethods;

    /// Returns the tensor as it is, if all its elements are finite. The error for NaN or infinity begins with the message.
    /// Gradients are checked as well.
    ///
    /// TensorFlow: `tf.debugging.check_numerics`, `CheckNumericsV2`. Floats of any shape; the result has the same.
    ///
    /// # Errors
    /// `InvalidArgument` for NaN or infinity.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0].check_numerics("the input")?;
    /// assert_eq!(x.as_slice::<f32>()?, &[1.0, 2.0]);
    /// let e = ops::div(x, 0.0)?.check_numerics("a quotient").unwrap_err();
    /// assert!(e.to_string().contains("a quotient has +Inf"));
    /// # Ok::<(), Error>(())
    /// ```
    pub op CheckNumerics = "CheckNumericsV2" {
        inputs: { tensor: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT }, attrs: { message: String = String::new() },
        call: method check_numerics(x; message: impl Into<String>) => { message: message.into() },
        infer: same_shape, kernel: checked,
        gradient: |g| checked_gradient(g, g.get(CheckNumerics::MESSAGE)?),
        effect: Checks,
    }

    /// [`CheckNumerics`] under the name that it had before it told infinities apart.
    ///
    /// TensorFlow: `CheckNumerics`.
    pub op CheckNumericsV1 = "CheckNumerics" {
        inputs: { tensor: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT }, attrs: { message: String = String::new() },
        infer: same_shape, kernel: checked,
        gradient: |g| checked_gradient(g, g.get(CheckNumericsV1::MESSAGE)?),
        effect: Checks,
    }
}

/// The cotangent, which must be finite as well.
fn checked_gradient(g: &Gradient<'_>, message: String) -> Result<InputGradients> {
    Ok(first(g, g.dy()?.check_numerics(format!("the gradient of {message}"))?))
}

fn checked(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let [mut plus, mut minus, mut nan] = [false; 3];
    // Infinities and NaN of a half are those of the wider float.
    let wide = if x.dtype() == DType::F64 { x.clone() } else { cast(x, DType::F32)? };
    typed!(native, c, wide.dtype(), T => {
        let x = wide.as_slice::<T>()?;
        if !x.iter().all(|x| x.is_finite()) {
            plus = x.contains(&T::INFINITY);
            minus = x.contains(&T::NEG_INFINITY);
            nan = x.iter().any(|x| x.is_nan());
        }
        Ok(())
    })?;
    let found: Vec<&str> = [(plus, "+Inf"), (minus, "-Inf"), (nan, "NaN")]
        .into_iter()
        .filter_map(|(is, name)| is.then_some(name))
        .collect();
    if !found.is_empty() {
        bail!("{} has {}", c.get(CheckNumerics::MESSAGE)?, found.join(" and "));
    }
    Ok([c.input(0).renewed()?].into())
}
