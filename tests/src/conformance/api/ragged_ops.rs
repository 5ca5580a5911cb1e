//! Ops on ragged tensors.

use super::ragged::RaggedRow;

/// The rows.
pub(super) const ROWS: &[RaggedRow] = &[];
