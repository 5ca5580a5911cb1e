//! Modes of ops: how edges are mirrored, at which end diagonals lie, what of two sets is kept.

use crate::ir::{Attr, AttrKind, AttrValue};

/// An enum that is a string in a graph's node.
macro_rules! named {
    ($t:ident { $($v:ident = $name:literal),* $(,)? }) => {
        impl Attr for $t {
            const KIND: AttrKind = AttrKind::OneOf(&[$($name),*]);

            fn to_attr(&self) -> AttrValue {
                let name: &str = match self { $($t::$v => $name),* };
                AttrValue::Str(name.as_bytes().into())
            }

            fn from_attr(value: &AttrValue) -> Option<Self> {
                match value {
                    $(AttrValue::Str(s) if **s == *$name.as_bytes() => Some($t::$v),)*
                    _ => None,
                }
            }
        }
    };
}

/// How an edge is mirrored.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1, 2, 3].mirror_pad([[2, 0]], ops::MirrorMode::Symmetric)?;
/// assert_eq!(x.as_slice::<i32>()?, &[2, 1, 1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MirrorMode {
    /// Without the edge itself: `3 2 | 1 2 3 | 2 1`.
    #[default]
    Reflect,
    /// With the edge: `2 1 | 1 2 3 | 3 2`.
    Symmetric,
}
named!(MirrorMode { Reflect = "REFLECT", Symmetric = "SYMMETRIC" });

impl MirrorMode {
    /// How many elements at the edge are not mirrored.
    pub(in crate::ops) fn skipped(self) -> usize {
        usize::from(self == MirrorMode::Reflect)
    }
}

/// The end of the packed row at which a diagonal that is shorter than the others lies. Diagonals
/// above and below the main one are set separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiagonalAlign {
    /// Above at the right, below at the left.
    #[default]
    RightLeft,
    /// Above at the left, below at the right.
    LeftRight,
    /// All at the left.
    LeftLeft,
    /// All at the right.
    RightRight,
}
named!(DiagonalAlign {
    RightLeft = "RIGHT_LEFT",
    LeftRight = "LEFT_RIGHT",
    LeftLeft = "LEFT_LEFT",
    RightRight = "RIGHT_RIGHT",
});

/// Which elements of two sets an operation keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetOperation {
    /// Those of the first that are not in the second.
    #[default]
    AMinusB,
    /// Those of the second that are not in the first.
    BMinusA,
    /// Those of both.
    Intersection,
    /// Those of either.
    Union,
}
named!(SetOperation {
    AMinusB = "a-b",
    BMinusA = "b-a",
    Intersection = "intersection",
    Union = "union",
});

impl DiagonalAlign {
    /// Whether diagonals above and below lie at the left.
    pub(in crate::ops) fn left(self) -> (bool, bool) {
        use DiagonalAlign::*;
        (matches!(self, LeftRight | LeftLeft), matches!(self, RightLeft | LeftLeft))
    }
}
