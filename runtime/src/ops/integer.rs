//! One integer that may be known while tracing only.

use super::host::StaticInput;
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// One integer, given by the host or as an int32 scalar tensor (that may be symbolic): how many
/// elements, how many classes.
#[derive(Clone, Debug)]
pub enum Integer {
    /// A known number.
    Known(i64),
    /// A scalar tensor.
    Tensor(Tensor),
}

impl Integer {
    /// The number, if it is known while tracing.
    pub fn known(&self) -> Option<i64> {
        match self {
            Integer::Known(n) => Some(*n),
            Integer::Tensor(t) => match t.value().ok()?.to_i64s().ok()?[..] {
                [n] => Some(n),
                _ => None,
            },
        }
    }
}

impl PartialEq for Integer {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Integer::Tensor(a), Integer::Tensor(b)) if a.id() == b.id() => true,
            _ => self.known().is_some() && self.known() == other.known(),
        }
    }
}

impl StaticInput for Integer {
    fn to_input(&self, _: &Tensor) -> Result<Tensor> {
        match self {
            Integer::Known(n) => {
                let small = i32::try_from(*n).map_err(|_| err!("{n} does not fit int32"))?;
                Ok(Tensor::scalar(small))
            }
            Integer::Tensor(t) => Ok(t.clone()),
        }
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        let t = input.ok_or_else(|| err!("an input of one integer is missing"))?;
        let tensor = Integer::Tensor(t.clone());
        Ok(tensor.known().map_or(tensor, Integer::Known))
    }
}

macro_rules! integer_from {
    ($($t:ty),*) => {
        $(impl From<$t> for Integer {
            fn from(n: $t) -> Self {
                // Beyond i64 nothing can be counted; the maximum is refused as too large.
                Integer::Known(i64::try_from(n).unwrap_or(i64::MAX))
            }
        })*
    };
}
integer_from!(i32, i64, usize);

impl From<&Tensor> for Integer {
    fn from(n: &Tensor) -> Self {
        Integer::Tensor(n.clone())
    }
}
