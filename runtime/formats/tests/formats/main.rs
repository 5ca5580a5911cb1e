//! The readers and writers, beside files of TensorFlow.

mod bundles;
mod golden;
mod messages;
mod records;
mod tables;
