//! The two extension types that the recorded cases use.

use extype::prelude::*;

/// Values with a mask of the same shape.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "conformance.MaskedTensor")]
pub struct MaskedTensor {
    /// The values.
    pub values: Tensor,
    /// True where a value is valid.
    pub mask: Tensor,
}

/// Values with static labels.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "conformance.Labelled")]
pub struct Labelled {
    /// The values.
    pub values: Tensor,
    /// The labels.
    #[static_data]
    pub labels: Vec<String>,
    /// What the values are scaled by.
    #[static_data]
    pub scale: f64,
}
