//! What the examples of extype compute, as a library, so that tests can check the numbers.
//!
//! `cargo run --release -p extype-examples --bin quickstart` runs the program of this library, which is
//! in `src/bin`; `digits` stands by itself in a folder of that name.

pub mod penguins;
pub mod stats;

/// The guide and the README, whose code is compiled and run as documentation tests.
pub mod guide {
    #![doc = include_str!("../../docs/guide/README.md")]

    #[doc = include_str!("../../docs/guide/tensors.md")]
    pub mod tensors {}
    #[doc = include_str!("../../docs/guide/first-type.md")]
    pub mod first_type {}
    #[doc = include_str!("../../docs/guide/overriding-ops.md")]
    pub mod overriding_ops {}
    #[doc = include_str!("../../docs/guide/static-data.md")]
    pub mod static_data {}
    #[doc = include_str!("../../docs/guide/control-flow.md")]
    pub mod control_flow {}
    #[doc = include_str!("../../docs/guide/training.md")]
    pub mod training {}
    #[doc = include_str!("../../docs/guide/from-tensorflow.md")]
    pub mod from_tensorflow {}
    #[doc = include_str!("../../README.md")]
    pub mod readme {}
}
