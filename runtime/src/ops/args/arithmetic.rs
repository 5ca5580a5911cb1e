//! Arithmetic of sizes that are known, or are tensors while tracing.

use super::{Integer, Integers, Pairs};
use crate::ops;
use crate::ops::methods::*;
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// The size of an axis.
pub(crate) fn length(x: &Tensor, axis: i64) -> Result<Integer> {
    match x.rank().and_then(|_| x.shape().dim(axis).ok()?.size()) {
        Some(n) => Ok(n.into()),
        None => ops::shape_of(x)?.index(axis).map(Integer::Tensor),
    }
}

impl Integer {
    /// A function of two integers: of numbers if both are known, otherwise of int64 tensors.
    fn with(
        &self,
        other: &Integer,
        known: impl FnOnce(i64, i64) -> Result<i64>,
        op: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>,
    ) -> Result<Integer> {
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => known(a, b).map(Integer::Known),
            _ => op(&self.to_i64()?, &other.to_i64()?).map(Integer::Tensor),
        }
    }

    pub(crate) fn plus(&self, other: impl Into<Integer>) -> Result<Integer> {
        self.with(&other.into(), |a, b| Ok(a.saturating_add(b)), |a, b| ops::add(a, b))
    }

    pub(crate) fn minus(&self, other: impl Into<Integer>) -> Result<Integer> {
        self.with(&other.into(), |a, b| Ok(a.saturating_sub(b)), |a, b| ops::sub(a, b))
    }

    pub(crate) fn times(&self, other: impl Into<Integer>) -> Result<Integer> {
        self.with(&other.into(), |a, b| Ok(a.saturating_mul(b)), |a, b| ops::mul(a, b))
    }

    /// The quotient, rounded down.
    pub(crate) fn over(&self, other: impl Into<Integer>) -> Result<Integer> {
        let known = |a: i64, b: i64| match b {
            0 => bail!("{a} is divided by 0"),
            b => {
                let inexact = a.checked_rem(b).unwrap_or(0) != 0;
                Ok(a.saturating_div(b) - i64::from(inexact && (a < 0) != (b < 0)))
            }
        };
        self.with(&other.into(), known, |a, b| ops::floor_div(a, b))
    }

    #[cfg(any(test, feature = "fft"))]
    /// The quotient, rounded up.
    pub(crate) fn over_up(&self, other: impl Into<Integer>) -> Result<Integer> {
        Integer::from(0).minus(Integer::from(0).minus(self)?.over(other)?)
    }

    pub(crate) fn at_least(&self, other: impl Into<Integer>) -> Result<Integer> {
        self.with(&other.into(), |a, b| Ok(a.max(b)), |a, b| ops::maximum(a, b))
    }

    pub(crate) fn at_most(&self, other: impl Into<Integer>) -> Result<Integer> {
        self.with(&other.into(), |a, b| Ok(a.min(b)), |a, b| ops::minimum(a, b))
    }

    /// Refuses an integer below `least`, at once or when the program runs.
    #[track_caller]
    pub(crate) fn check_at_least(&self, what: &str, least: i64) -> Result<()> {
        match self.either()? {
            Ok(n) if *n < least => bail!("{what} is {n}; it must be {least} or more"),
            Ok(_) => Ok(()),
            Err(n) => {
                let holds = n.greater_equal(least)?;
                ops::check(&holds, &format!("{what} must be {least} or more, not"), &[n])
            }
        }
    }
}

impl Integers {
    /// A list of integers, of which some may be tensors.
    pub(crate) fn of(all: &[Integer]) -> Result<Integers> {
        if let Some(known) = all.iter().map(Integer::known).collect() {
            return Ok(Integers::Known(known));
        }
        let all = all.iter().map(Integer::to_i64).collect::<Result<Vec<_>>>()?;
        ops::stack(&all, 0).map(Integers::Tensor)
    }
}

impl Pairs {
    /// Paddings of one axis, before and after it.
    pub(crate) fn of_axis(rank: usize, axis: usize, [a, b]: [&Integer; 2]) -> Result<Pairs> {
        let mut pairs = vec![[0; 2]; rank];
        if let (Some(a), Some(b)) = (a.known(), b.known()) {
            pairs[axis] = [a, b];
            return Ok(Pairs::Known(pairs));
        }
        let mut all = vec![Integer::Known(0); 2 * rank];
        all[2 * axis] = a.clone();
        all[2 * axis + 1] = b.clone();
        let flat = Integers::of(&all)?.to_tensor()?;
        flat.reshape([-1i64, 2])?.cast(DType::I64).map(Pairs::Tensor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_as_their_names_say() {
        let of = |a: i64, b: i64| {
            let a = Integer::from(a);
            [a.over(b), a.over_up(b)].map(|n| n.unwrap().known().unwrap())
        };
        assert_eq!(
            [of(7, 2), of(-7, 2), of(7, -2), of(6, 3)],
            [[3, 4], [-4, -3], [-4, -3], [2; 2]]
        );
        assert!(Integer::from(1).over(0).is_err());
    }
}
