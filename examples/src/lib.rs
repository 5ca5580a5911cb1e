//! What the examples of extype compute, as a library, so that tests can check the numbers.
//!
//! `cargo run --release -p extype-examples --bin quickstart` runs the program of this library, which is
//! in `src/bin`; the other programs stand by themselves in folders of their names.

pub mod penguins;
pub mod stats;

/// The guide and the README, whose code is compiled and run as documentation tests.
pub mod guide {
    #![doc = include_str!("../../docs/guide/README.md")]

    #[doc = include_str!("../../docs/guide/tensors.md")]
    pub mod tensors {}
    #[doc = include_str!("../../docs/guide/indexing.md")]
    pub mod indexing {}
    #[doc = include_str!("../../docs/guide/random.md")]
    pub mod random {}
    #[doc = include_str!("../../docs/guide/errors.md")]
    pub mod errors {}
    #[doc = include_str!("../../docs/guide/strings.md")]
    pub mod strings {}
    #[doc = include_str!("../../docs/guide/images-and-signals.md")]
    pub mod images_and_signals {}
    #[doc = include_str!("../../docs/guide/first-type.md")]
    pub mod first_type {}
    #[doc = include_str!("../../docs/guide/overriding-ops.md")]
    pub mod overriding_ops {}
    #[doc = include_str!("../../docs/guide/static-data.md")]
    pub mod static_data {}
    #[doc = include_str!("../../docs/guide/extension-type-crate.md")]
    pub mod extension_type_crate {}
    #[doc = include_str!("../../docs/guide/writing-an-op.md")]
    pub mod writing_an_op {}
    #[doc = include_str!("../../docs/guide/traced-functions.md")]
    pub mod traced_functions {}
    #[doc = include_str!("../../docs/guide/trace-types.md")]
    pub mod trace_types {}
    #[doc = include_str!("../../docs/guide/control-flow.md")]
    pub mod control_flow {}
    #[doc = include_str!("../../docs/guide/variables-and-modules.md")]
    pub mod variables_and_modules {}
    #[doc = include_str!("../../docs/guide/tables.md")]
    pub mod tables {}
    #[doc = include_str!("../../docs/guide/gradients.md")]
    pub mod gradients {}
    #[doc = include_str!("../../docs/guide/training.md")]
    pub mod training {}
    #[doc = include_str!("../../docs/guide/performance.md")]
    pub mod performance {}
    #[doc = include_str!("../../docs/guide/looking-inside.md")]
    pub mod looking_inside {}
    #[doc = include_str!("../../docs/guide/devices.md")]
    pub mod devices {}
    #[doc = include_str!("../../docs/guide/saving-and-loading.md")]
    pub mod saving_and_loading {}
    #[doc = include_str!("../../docs/guide/ragged-data.md")]
    pub mod ragged_data {}
    #[doc = include_str!("../../docs/guide/datasets.md")]
    pub mod datasets {}
    #[doc = include_str!("../../docs/guide/stacking.md")]
    pub mod stacking {}
    #[doc = include_str!("../../docs/guide/from-tensorflow.md")]
    pub mod from_tensorflow {}
    #[doc = include_str!("../../README.md")]
    pub mod readme {}
}
