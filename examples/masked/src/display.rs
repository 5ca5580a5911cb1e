//! Printing, with `--` for missing entries.

use std::fmt;

use extype::array::Formatted;

use crate::MaskedTensor;

/// Shorter tensors are shown in full by `{:?}`.
const SHORT: usize = 16;

impl fmt::Display for MaskedTensor {
    /// As the values print, with `--` for missing entries, whatever stands there. In a trace, the
    /// symbols of both parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Ok(values), Ok(mask)) = (self.values.value(), self.mask.as_slice::<bool>()) else {
            return write!(f, "MaskedTensor(values={}, mask={})", self.values, self.mask);
        };
        let missing = |i: usize| mask.get(i) != Some(&true);
        Formatted::hiding(values, f.precision(), "--", missing).fmt(f)
    }
}

impl fmt::Debug for MaskedTensor {
    /// The type, with the entries of a short tensor in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.values.value() {
            Ok(a) if a.len() <= SHORT => {
                let text = self.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                write!(f, "MaskedTensor({text} {})", a.tensor_type())
            }
            Ok(a) => write!(f, "MaskedTensor({})", a.tensor_type()),
            Err(_) => write!(f, "MaskedTensor({:?}, {:?})", self.values, self.mask),
        }
    }
}
