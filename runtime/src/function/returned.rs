//! What bodies return.

use crate::types::Result;

/// The return type of a traced function's body: the library's `Result`. Functions that take a body are
/// generic in it, so that a body with another error type gives one clear message.
///
/// ```
/// use extype::function::Returned;
/// use extype::prelude::*;
/// let nothing: Result<Tensor> = Err(Error::invalid("nothing"));
/// let same = Result::<Tensor>::from_result(nothing.into_result());
/// assert_eq!(same.unwrap_err().message(), "nothing");
/// ```
#[diagnostic::on_unimplemented(
    message = "a traced function returns `extype::Result`, not `{Self}`",
    label = "write `extype::Result<…>`, the error of which is `extype::Error`"
)]
pub trait Returned: Sized {
    /// The value.
    type Value;

    /// The value as a `Result`.
    ///
    /// # Errors
    /// The error that it holds.
    fn into_result(self) -> Result<Self::Value>;

    /// The `Result` as this type.
    fn from_result(result: Result<Self::Value>) -> Self;
}

#[diagnostic::do_not_recommend]
impl<R> Returned for Result<R> {
    type Value = R;

    #[inline]
    fn into_result(self) -> Result<R> {
        self
    }

    #[inline]
    fn from_result(result: Result<R>) -> Self {
        result
    }
}
