//! Operands that each have the overriding type or another one.

/// An operand of one of two types, as handlers of ops with three operands or a sequence receive it.
/// A binary override receives a [`Pair`] instead.
///
/// ```
/// use extype::prelude::*;
/// /// How many values are of the type itself.
/// fn own<X>(values: &[ops::Arg<'_, X, Tensor>]) -> usize {
///     values.iter().filter(|x| matches!(x, ops::Arg::This(_))).count()
/// }
/// let x = tensor![1.0f32];
/// assert_eq!(own(&[ops::Arg::This(&"text"), ops::Arg::Other(&x)]), 1);
/// ```
#[derive(Debug)]
pub enum Arg<'a, This, Other> {
    /// The type that overrides.
    This(&'a This),
    /// The other type.
    Other(&'a Other),
}

impl<This, Other> Clone for Arg<'_, This, Other> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<This, Other> Copy for Arg<'_, This, Other> {}

/// The two operands of an override `with = Other`, in the three possible combinations.
///
/// ```
/// use extype::prelude::*;
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Scaled {
///     values: Tensor,
/// }
///
/// #[dispatch]
/// impl Scaled {
///     #[overrides(binary_elementwise, with = Tensor)]
///     fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
///         let values = match operands {
///             Pair::Both(x, y) => op.call(&x.values, &y.values)?,
///             Pair::Left(x, other) => op.call(&x.values, other)?,
///             Pair::Right(other, y) => op.call(other, &y.values)?,
///         };
///         Self::new(values)
///     }
/// }
///
/// let x = Scaled::new([1.0f32, 2.0])?;
/// assert_eq!((10.0 - &x).values.as_slice::<f32>()?, &[9.0, 8.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub enum Pair<'a, This, Other> {
    /// Both are of the type that overrides.
    Both(&'a This, &'a This),
    /// The left one is of the type that overrides.
    Left(&'a This, &'a Other),
    /// The right one is of the type that overrides.
    Right(&'a Other, &'a This),
}

impl<This, Other> Clone for Pair<'_, This, Other> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<This, Other> Copy for Pair<'_, This, Other> {}

impl<'a, This, Other> Pair<'a, This, Other> {
    /// The left and the right operand, for a handler that treats both alike.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Scaled { values: Tensor }
    /// #[dispatch]
    /// impl Scaled {
    ///     #[overrides(binary_elementwise, with = Tensor)]
    ///     fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
    ///         let (x, y) = operands.split();
    ///         let values = |x: ops::Arg<'_, Self, Tensor>| match x {
    ///             ops::Arg::This(x) => x.values.clone(),
    ///             ops::Arg::Other(x) => x.clone(),
    ///         };
    ///         Self::new(op.call(&values(x), &values(y))?)
    ///     }
    /// }
    /// let x = Scaled::new([1.0f32, 2.0])?;
    /// assert_eq!((10.0 - &x).values.as_slice::<f32>()?, &[9.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn split(self) -> (Arg<'a, This, Other>, Arg<'a, This, Other>) {
        match self {
            Pair::Both(x, y) => (Arg::This(x), Arg::This(y)),
            Pair::Left(x, y) => (Arg::This(x), Arg::Other(y)),
            Pair::Right(x, y) => (Arg::Other(x), Arg::This(y)),
        }
    }
}
