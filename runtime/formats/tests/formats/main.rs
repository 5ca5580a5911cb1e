//! The readers and writers, beside files of TensorFlow.

mod golden;
mod messages;
mod records;
