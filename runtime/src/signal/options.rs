//! Options of functions of signals, given as the last argument: `..` for the defaults, a word, or a tuple of these.

use super::Window;
use crate::fft::{Length, Ortho};
use crate::ops::Integer;
use crate::ops::options::{TakesInteger, sets};
use crate::types::DType;

/// Options of frames: the axis (the last for `..`), [`PadEnd`] or [`PadEndWith`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    /// The axis of the samples.
    pub axis: i64,
    /// What fills the frames that reach beyond the end; without it such frames are left out.
    pub pad: Option<f64>,
}

impl Default for Framing {
    fn default() -> Self {
        Self { axis: -1, pad: None }
    }
}

impl TakesInteger for Framing {
    fn set_integer(&mut self, axis: i64) {
        self.axis = axis;
    }
}

/// Options of short-time Fourier transforms: [`Length`] of the transform (the next power of two for `..`), a
/// [`Window`] (Hann for `..`), [`PadEnd`].
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// The size of each transform.
    pub length: Option<Integer>,
    /// What each frame is multiplied by.
    pub window: Window,
    /// Whether frames that reach beyond the end are filled with zeros.
    pub pad_end: bool,
}

impl Default for Spectrum {
    fn default() -> Self {
        Self { length: None, window: Window::Hann, pad_end: false }
    }
}

/// Options of cosine transforms: the type, 1 to 4 (2 for `..`), [`Length`] and [`Ortho`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cosine {
    /// The type of the transform.
    pub kind: i64,
    /// The size to which the axis is cropped or padded with zeros.
    pub length: Option<usize>,
    /// Whether the transform keeps the norm.
    pub ortho: bool,
}

impl Default for Cosine {
    fn default() -> Self {
        Self { kind: 2, length: None, ortho: false }
    }
}

impl TakesInteger for Cosine {
    fn set_integer(&mut self, kind: i64) {
        self.kind = kind;
    }
}

/// Options of modified cosine transforms: a [`Window`] (Vorbis for `..`), [`PadEnd`] and [`Ortho`].
#[derive(Clone, Debug)]
pub struct Warped {
    /// What each frame is multiplied by.
    pub window: Window,
    /// Whether frames that reach beyond the end are filled with zeros.
    pub pad_end: bool,
    /// Whether the cosine transform keeps the norm.
    pub ortho: bool,
}

impl Default for Warped {
    fn default() -> Self {
        Self { window: Window::Vorbis, pad_end: false, ortho: false }
    }
}

/// Options of windows: [`Periodic`] (true for `..`; Hann and Hamming windows have it), a dtype (float32 for `..`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tapering {
    /// Whether the window is one period of a longer one; otherwise its ends are equal.
    pub periodic: bool,
    /// The dtype.
    pub dtype: DType,
}

impl Default for Tapering {
    fn default() -> Self {
        Self { periodic: true, dtype: DType::F32 }
    }
}

/// Frames that reach beyond the end of the signal are filled with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PadEnd;

/// Frames that reach beyond the end of the signal are filled with this number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PadEndWith(pub f64);

/// Whether a window is one period of a longer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periodic(pub bool);

sets! {
    PadEnd => Framing |o, _| o.pad = Some(0.0);
    PadEndWith => Framing |o, PadEndWith(value)| o.pad = Some(value);
    PadEnd => Spectrum |o, _| o.pad_end = true;
    PadEnd => Warped |o, _| o.pad_end = true;
    Window => Spectrum |o, window| o.window = window;
    Window => Warped |o, window| o.window = window;
    Length => Spectrum |o, Length(n)| o.length = Some(n.into());
    Length => Cosine |o, Length(n)| o.length = Some(n);
    Ortho => Cosine |o, _| o.ortho = true;
    Ortho => Warped |o, _| o.ortho = true;
    Periodic => Tapering |o, Periodic(yes)| o.periodic = yes;
    DType => Tapering |o, dtype| o.dtype = dtype;
    Framing => Framing |o, all| *o = all;
    Spectrum => Spectrum |o, all| *o = all;
    Cosine => Cosine |o, all| *o = all;
    Warped => Warped |o, all| *o = all;
    Tapering => Tapering |o, all| *o = all;
}
