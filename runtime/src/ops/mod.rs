//! The op table and its typed interface: free functions, methods, operators.
//!
//! `protocol` says how ops are called, `args` and [`options`] what they take, [`rules`] what rows of all subjects share.
//! Each other folder holds one subject: the rows of its ops ([`define_op!`](crate::define_op)), their
//! inference, kernels and gradients, and functions made of several ops. A row is the only definition
//! of an op. The `Apply…` traits say what an op means for a type; extension types implement them by
//! hand or through `#[dispatch]`. Calling an op that a type does not implement does not compile.
//! Functions take operands of any type and end in calls of [`execute`](crate::tensor::execute).

mod args;
mod checks;
pub(crate) mod operators;
pub mod options;
pub(crate) mod protocol;
pub mod rules;
mod variables;

mod blocks;
mod counting;
mod creation;
#[cfg(feature = "linalg")]
mod decompositions;
mod diagonals;
mod elementwise;
#[cfg(feature = "fft")]
mod fourier;
mod indexing;
mod linear;
mod lists;
mod movement;
mod nn;
mod numpy;
mod ordering;
mod random;
mod reduction;
mod scan;
mod segment;
mod shapes;
mod slicing;
mod statistics;
mod text;

pub(crate) use args::whole_numbers;
pub use args::{
    Axes, AxesLike, Axis, AxisLike, DiagonalAlign, DiagonalRange, Diagonals, Ellipsis, Extent,
    Index, IndexList, Integer, IntegerLike, Integers, IntegersLike, KeepDims, KeepDimsArg,
    MaybeStatic, MirrorMode, NewAxis, Pairs, PairsLike, Position, SideInput, Sizes, SizesLike,
    StaticInput, StaticValue, step,
};
pub use blocks::*;
pub(crate) use checks::{
    ASSERT, CODE, ONE_ELEMENT, PARTS, RAISE, check, check_not_negative, check_same_shape,
    check_stack, not_one_element,
};
pub use counting::*;
pub use creation::*;
#[cfg(feature = "linalg")]
pub(crate) use decompositions::matrices;
#[cfg(feature = "linalg")]
pub use decompositions::*;
pub use diagonals::*;
pub use elementwise::*;
#[cfg(feature = "fft")]
pub use fourier::*;
pub use indexing::*;
pub use linear::*;
pub use lists::*;
pub use movement::*;
pub use nn::*;
pub use numpy::*;
#[doc(hidden)]
pub use operators::operator;
pub use options::{
    Along, Backwards, Base, BatchShape, Columns, Ddof, Descending, Endpoint, Exclusive, MaxLength,
    MinLength, NanAs, NegInfAs, Over, PosInfAs, Weights,
};
pub use ordering::*;
#[doc(hidden)]
pub use protocol::apply::compound_call;
pub use protocol::apply::{Apply1, Apply2, Apply3, ApplySeq, Field, NamedOp, Op, Operands};
pub use protocol::compound::Compound;
pub use protocol::families::{Binary, Dynamic, FunctionOf, Kept, Reduce, Unary, family};
pub use protocol::meanings::{
    BinaryElementwise, BinaryOp, Keeping, KeepsDType, ReductionOp, Reductions, RightElementwise,
    UnaryElementwise, UnaryOp,
};
pub use protocol::mixed::{ApplyMixed, Beside, Item, Items};
pub use protocol::named::{Named, Takes1, Takes2, Takes3, TakesAll};
#[doc(hidden)]
pub use protocol::named::{NamedBy, Second, Third};
pub(crate) use protocol::number::settle_numbers;
pub use protocol::operand::{HasMethods, Operand};
pub use protocol::pair::{Arg, Pair};
pub use protocol::results::Results;
pub use random::*;
pub use reduction::*;
pub use rules::batch::{Batch, BatchEntry, BatchRule, Batched, Count, Lane, batch_rule};
#[doc(hidden)]
pub use rules::gradient::unbroadcast_gradients;
pub use rules::gradient::{
    ForwardFn, Gradient, GradientEntry, GradientRule, InputGradients, IntoGradients, forward_of,
    gradient_rule, no_gradients, passes_no_gradient,
};
pub(crate) use rules::gradient::{hands_on, is_empty};
pub use rules::slices::{IndexedSlices, InputGradient};
pub(in crate::ops) use scan::running::row_or_axis;
pub use scan::running::{argmax, argmin, cumprod, cumsum};
pub use scan::*;
pub use segment::*;
pub use shapes::*;
pub use slicing::*;
pub use statistics::*;
pub use text::*;
pub use variables::{ScatterAddVariable, ScatterSubVariable, ScatterUpdateVariable};

pub use crate::tensor::Lent;

/// The methods of tensors and of extension types, one trait for each subject; [`HasMethods`] gives
/// a type all of them.
pub mod methods {
    pub use super::blocks::BlocksMethods as _;
    pub use super::counting::CountingMethods as _;
    pub use super::creation::{ArraysMethods as _, MatricesMethods as _};
    pub use super::diagonals::DiagonalMethods as _;
    pub use super::elementwise::{
        BinaryMethods as _, ClosenessMethods as _, CompareMethods as _, ComplexMethods as _,
        DivisionMethods as _, PartsMethods as _, PowerMethods as _, RoundingMethods as _,
        SpecialMethods as _, UnaryMethods as _,
    };
    pub use super::indexing::{EditMethods as _, IndexingMethods as _, TakeMethods as _};
    pub use super::linear::{EinsumMethods as _, LinearMethods as _, ProductsMethods as _};
    pub use super::movement::{
        ArrangeMethods as _, JoinMethods as _, MovementMethods as _, PaddingMethods as _,
    };
    pub use super::numpy::{AliasMethods as _, NumpyMethods as _};
    pub use super::ordering::{OrderingMethods as _, SetsMethods as _, SortMethods as _};
    pub use super::reduction::{
        NanMethods as _, NormMethods as _, ReductionMethods as _, ShortMethods as _,
        SpreadMethods as _, StatisticsMethods as _,
    };
    pub use super::scan::{RunningMethods as _, ScanMethods as _};
    pub use super::slicing::{MaskMethods as _, SlicingMethods as _, TurnMethods as _};
    pub use super::statistics::{
        HistogramMethods as _, MomentsMethods as _, PolynomialsMethods as _, QuantilesMethods as _,
        SeriesMethods as _, WindowsMethods as _,
    };
}
