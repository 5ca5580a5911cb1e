//! Levels of quantized dtypes as integers, and the reals that they stand for.

use super::fake::clipped;
use crate::array::Array;
use crate::ir::{InferContext, Outputs, Types};
use crate::types::{DType, Result, Shape, TensorType};

/// The ends of the range of a dtype's levels.
fn ends(dtype: DType) -> (i64, i64) {
    match dtype {
        DType::QI8 => (i8::MIN.into(), i8::MAX.into()),
        DType::QU8 => (0, u8::MAX.into()),
        DType::QI16 => (i16::MIN.into(), i16::MAX.into()),
        DType::QU16 => (0, u16::MAX.into()),
        _ => (i32::MIN.into(), i32::MAX.into()),
    }
}

/// The one float of a scalar; inference has seen that it is one.
pub(super) fn number(x: &Array) -> Result<f32> {
    Ok(x.as_slice::<f32>()?.first().copied().unwrap_or_default())
}

/// Refuses inputs from `first` on, the ends of ranges, that are no scalars.
pub(super) fn scalars(c: &InferContext<'_>, first: usize, names: &[&str]) -> Result<()> {
    for (i, name) in (first..).zip(names) {
        c.shape(i).with_rank(0).map_err(|e| e.prefixed(format_args!("`{name}`")))?;
    }
    Ok(())
}

/// The types of levels and of the ends of their range.
pub(super) fn ranged_types(dtype: DType, shape: Shape, end: Shape) -> Types {
    let end = TensorType::new(DType::F32, end);
    [TensorType::new(dtype, shape), end.clone(), end].into_iter().collect()
}

/// Levels and the ends of their range.
pub(super) fn ranged(levels: Array, min: f32, max: f32) -> Outputs {
    [levels, Array::scalar(min), Array::scalar(max)].into_iter().collect()
}

/// A range of reals and the levels of a dtype that divide it: the first level is the least real, the last the greatest.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub(super) low: i64,
    pub(super) high: i64,
    min: f32,
    max: f32,
}

impl Scale {
    pub(super) fn new(dtype: DType, min: f32, max: f32) -> Self {
        let (low, high) = ends(dtype);
        Self { low, high, min, max }
    }

    /// The number of steps between the levels.
    pub(super) fn steps(self) -> f64 {
        (self.high - self.low) as f64
    }

    /// The real between two levels.
    pub(super) fn unit(self) -> f32 {
        (self.max - self.min) / self.steps() as f32
    }

    /// The level of a real, which may be beyond the dtype's.
    pub(super) fn level(self, x: f32) -> i64 {
        if self.min == self.max {
            return self.low;
        }
        let count = self.steps() + 1.0;
        let scale = count / (f64::from(self.max - self.min) * (count / self.steps()));
        let level = (f64::from(x) * scale).round() - (f64::from(self.min) * scale).round();
        (level as i64).saturating_add(self.low)
    }

    /// The nearest level of a real.
    pub(super) fn nearest(self, x: f32) -> i32 {
        self.level(x).clamp(self.low, self.high) as i32
    }

    /// The real of a level.
    pub(super) fn real(self, level: i32) -> f32 {
        if self.min == self.max {
            return self.min;
        }
        let count = self.steps() + 1.0;
        let unit = f64::from(self.max - self.min) * (count / self.steps()) / count;
        // So that zero is a level's real.
        let first = f64::from((self.min / unit as f32).round()) * f64::from(unit as f32);
        (first + (i64::from(level) - self.low) as f64 * unit) as f32
    }

    /// [`real`](Self::real) for many levels, in float32, as TensorFlow computes whole tensors.
    pub(super) fn reals(self) -> impl Fn(i32) -> f32 {
        let unit = (f64::from(self.max - self.min) / self.steps()) as f32;
        let whole = self.max == self.min;
        let first = if whole { self.min } else { (self.min / unit).round() * unit };
        let zero = first - self.low as f32 * unit;
        move |level| zero + level as f32 * unit
    }

    /// [`nearest`](Self::nearest) for many reals, in float32.
    pub(super) fn levels(self) -> impl Fn(f32) -> i32 {
        let whole = self.max == self.min;
        let scale =
            if whole { 0.0 } else { (self.steps() / f64::from(self.max - self.min)) as f32 };
        let zero = (self.min * scale).round() - self.low as f32;
        // The greatest float32 that is an int32.
        let (low, high) = (self.low as f32, (self.high as f32).min(2_147_483_520.0));
        move |x| clipped((x * scale).round() - zero, low, high) as i32
    }
}

/// The range of a product of levels: of int32 levels whose zero is zero.
pub(super) fn of_product(a: Scale, b: Scale) -> (f32, f32) {
    let unit = a.unit() * b.unit();
    (unit * i32::MIN as f32, unit * i32::MAX as f32)
}
