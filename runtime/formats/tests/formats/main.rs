//! The readers and writers, beside files of TensorFlow.

mod bundles;
mod events;
mod golden;
mod hostile;
mod messages;
mod records;
mod tables;
