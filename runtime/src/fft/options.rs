//! Options of transforms, given as the last argument: `..` for the defaults, an axis, a word, or a tuple of
//! these.

use crate::ops::options::{TakesAxes, TakesInteger, sets};
use crate::ops::{Axes, Axis};

/// Options of a transform over one axis: the axis, the last one if not given, [`Length`], and [`Ortho`]
/// or [`Forward`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverOne {
    /// The size to which the axis is truncated or padded.
    pub length: Option<usize>,
    /// The axis.
    pub axis: i64,
    /// Which transforms divide by the size.
    pub norm: Norm,
}

impl Default for OverOne {
    fn default() -> Self {
        Self { length: None, axis: -1, norm: Norm::Backward }
    }
}

impl TakesInteger for OverOne {
    fn set_integer(&mut self, axis: i64) {
        self.axis = axis;
    }
}

/// Options of a transform over several axes: the axes, all (or the last two) if not given, [`Sizes`],
/// and [`Ortho`] or [`Forward`].
#[derive(Clone, Debug, Default)]
pub struct OverMany {
    /// The sizes to which the axes are truncated or padded; without axes, those of the last axes.
    pub sizes: Option<Vec<usize>>,
    /// The axes.
    pub axes: Axes,
    /// Which transforms divide by the size.
    pub norm: Norm,
}

impl TakesInteger for OverMany {
    fn set_integer(&mut self, axis: i64) {
        self.axes = Axis(axis).into();
    }

    fn add_integer(&mut self, axis: i64) -> bool {
        self.axes.push(axis)
    }
}

impl TakesAxes for OverMany {
    fn set_axes(&mut self, axes: Axes) {
        self.axes = axes;
    }
}

/// Options of frequencies: the distance between samples, 1 if not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// The distance.
    pub distance: f64,
}

impl Default for Sampled {
    fn default() -> Self {
        Self { distance: 1.0 }
    }
}

/// Which transforms divide by the size `n` of the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// Inverse transforms, by `n`.
    #[default]
    Backward,
    /// Both, by the root of `n`.
    Ortho,
    /// Forward transforms, by `n`.
    Forward,
}

/// Forward and inverse transforms both divide by the root of the size, so both keep the norm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ortho;

/// Forward transforms divide by the size, and inverse ones by nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forward;

/// The size to which the axis is truncated or padded with zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length(pub usize);

/// The sizes to which the axes are truncated or padded with zeros.
#[derive(Clone, Debug)]
pub struct Sizes(pub Vec<usize>);

sets! {
    f64 => Sampled |o, distance| o.distance = distance;
    Ortho => OverOne |o, _| o.norm = Norm::Ortho;
    Ortho => OverMany |o, _| o.norm = Norm::Ortho;
    Forward => OverOne |o, _| o.norm = Norm::Forward;
    Forward => OverMany |o, _| o.norm = Norm::Forward;
    Length => OverOne |o, Length(n)| o.length = Some(n);
    Sizes => OverMany |o, Sizes(sizes)| o.sizes = Some(sizes);
    OverOne => OverOne |o, all| *o = all;
    OverMany => OverMany |o, all| *o = all;
    Sampled => Sampled |o, all| *o = all;
}
