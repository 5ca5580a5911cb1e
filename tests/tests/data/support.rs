//! Elements as text.

use extype::data::Dataset;
use extype::prelude::*;

/// An item as text: numbers, or that it failed.
pub(crate) fn shown(item: Result<Tensor>) -> String {
    match item {
        Ok(x) => format!("{:?}", x.to_vec::<i64>().unwrap()),
        Err(e) => format!("failed: {}", e.message()),
    }
}

pub(crate) fn all(data: &Dataset<Tensor>) -> Vec<String> {
    data.iter().map(shown).collect()
}
