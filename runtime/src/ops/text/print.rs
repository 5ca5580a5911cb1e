//! Functions that print tensors.

use crate::ops::protocol::Op;
use crate::ops::{Print, StringFormat};
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

/// Writes a text with tensors in its `{}` places (op [`Print`]), in program order, to `stdout`,
/// `stderr` or `file://PATH`; in a traced function at each call. Tensors of any dtype but resource and
/// variant.
///
/// # Errors
/// `Internal` if the stream can't be written to.
///
/// ```
/// use extype::prelude::*;
/// ops::print("loss: {}", &[&tensor![0.5f32, 0.25]], "stdout")?;
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn print(template: &str, tensors: &[&Tensor], stream: &str) -> Result<()> {
    print_text(template, tensors, stream, "\n")
}

/// [`print`] with a given end of the text.
#[track_caller]
pub(crate) fn print_text(
    template: &str,
    tensors: &[&Tensor],
    stream: &str,
    end: &str,
) -> Result<()> {
    let _site = call_site!();
    let format =
        StringFormat { template: template.to_owned(), placeholder: "{}".to_owned(), summarize: 3 };
    let text = format.run(tensors)?;
    let op = Print { output_stream: stream.to_owned(), end: end.to_owned() };
    crate::tensor::execute(op.def(), op.attrs(), &[&text]).map(|_| ())
}
