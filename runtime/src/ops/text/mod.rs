//! Tensors printed and formatted; ops that run for their effect.

pub(in crate::ops) mod kernel;
mod print;

pub use print::*;

use crate::define_op;
use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::{no_outputs, one};
use crate::types::{DType, Result, Shape, bail};

define_op! {
    /// Fills the placeholders of a template with printed tensors.
    ///
    /// TensorFlow: `StringFormat`.
    pub op StringFormat = "StringFormat" {
        inputs: { inputs: (T) }, outputs: { output: {String} },
        attrs: { template: String = "%s".into(), placeholder: String = "%s".into(), summarize: i64 = 3 },
        infer: format_types, kernel: kernel::format,
        gradient: none,
    }

    /// Writes a string to a stream: `stdout`, `stderr`, or `file://PATH`.
    ///
    /// TensorFlow: `PrintV2`.
    pub op Print = "PrintV2" {
        inputs: { input: {String} }, outputs: {},
        attrs: { output_stream: String = "stderr".into(), end: String = "\n".into() },
        effect: Writes,
        infer: no_outputs, kernel: kernel::print,
        gradient: none,
    }

    /// Does nothing; its control edges order other ops.
    ///
    /// TensorFlow: `NoOp`.
    pub op NoOp = "NoOp" {
        inputs: {}, outputs: {},
        dispatch: none,
        infer: no_outputs, kernel: kernel::no_op,
        gradient: none,
    }
}

/// A scalar, if there is an input for each placeholder.
fn format_types(c: &InferContext<'_>) -> Result<Types> {
    let (template, placeholder): (String, String) =
        (c.get(StringFormat::TEMPLATE)?, c.get(StringFormat::PLACEHOLDER)?);
    let places = match placeholder.is_empty() {
        true => bail!("the placeholder is empty"),
        false => template.matches(placeholder.as_str()).count(),
    };
    if places != c.inputs.len() {
        bail!(
            "{} tensors for {places} placeholders `{placeholder}` in \"{template}\"",
            c.inputs.len()
        );
    }
    one(DType::String, Shape::scalar())
}
