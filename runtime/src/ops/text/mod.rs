//! Tensors printed and formatted; ops that run for their effect.

pub(in crate::ops) mod kernel;
mod print;

pub use print::*;

use crate::define_op;
use crate::ops::rules::infer::no_outputs;
use crate::types::DType;

define_op! {
    /// Fills the placeholders of a template with printed tensors.
    ///
    /// TensorFlow: `StringFormat`.
    pub op StringFormat = "StringFormat" {
        inputs: { inputs: (T) }, outputs: { output: {String} },
        attrs: { template: String = "%s".into(), placeholder: String = "%s".into(), summarize: i64 = 3 },
        infer: |_| Ok([crate::types::TensorType::new(DType::String, crate::types::Shape::scalar())].into()), kernel: kernel::format,
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
