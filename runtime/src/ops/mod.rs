//! The op table and its typed interface: free functions, methods, operators.
//!
//! Each folder holds one subject: the rows of its ops ([`define_op!`](crate::define_op)), their
//! inference, kernels and gradients, and functions made of several ops. A row is the only definition
//! of an op. The `Apply…` traits say what an op means for a type; extension types implement them by
//! hand or through `#[dispatch]`. Calling an op that a type does not implement does not compile.
//! Functions take operands of any type and end in calls of [`execute`](crate::tensor::execute).

mod apply;
mod args;
mod batch;
mod checks;
pub(crate) mod compound;
mod gradient;
mod infer;
mod mixed;
mod moves;
mod named;
mod number;
mod operand;
pub(crate) mod operators;
mod pair;
mod results;
mod variables;

pub mod options;

mod blocks;
mod counting;
mod creation;
#[cfg(feature = "linalg")]
mod decompositions;
mod diagonals;
mod elementwise;
mod families;
#[cfg(feature = "fft")]
mod fourier;
mod indexing;
mod linear;
mod lists;
mod meanings;
mod movement;
mod nn;
mod numpy;
mod ordering;
mod random;
mod reduction;
mod scan;
mod segment;
mod shapes;
mod slices;
mod slicing;
mod statistics;
mod text;

#[doc(hidden)]
pub use apply::compound_call;
pub use apply::{Apply1, Apply2, Apply3, ApplySeq, Field, NamedOp, Op, Operands};
pub(crate) use args::whole_numbers;
pub use args::{
    Axes, AxesLike, Axis, AxisLike, DiagonalAlign, DiagonalRange, Diagonals, Ellipsis, Extent,
    Index, IndexList, Integer, IntegerLike, Integers, IntegersLike, KeepDims, KeepDimsArg,
    MaybeStatic, MirrorMode, NewAxis, Pairs, PairsLike, Position, SideInput, Sizes, SizesLike,
    StaticInput, StaticValue, step,
};
pub use batch::{Batch, BatchEntry, BatchRule, Batched, Count, Lane, batch_rule};
pub use blocks::*;
pub(crate) use checks::{
    ASSERT, CODE, ONE_ELEMENT, PARTS, RAISE, check, check_not_negative, check_same_shape,
    check_stack, not_one_element,
};
pub use compound::Compound;
pub use counting::*;
pub use creation::*;
#[cfg(feature = "linalg")]
pub(crate) use decompositions::matrices;
#[cfg(feature = "linalg")]
pub use decompositions::*;
pub use diagonals::*;
pub use elementwise::*;
pub use families::{Binary, Dynamic, FunctionOf, Kept, Reduce, Unary, family};
#[cfg(feature = "fft")]
pub use fourier::*;
#[doc(hidden)]
pub use gradient::unbroadcast_gradients;
pub use gradient::{
    ForwardFn, Gradient, GradientEntry, GradientRule, InputGradients, IntoGradients, forward_of,
    gradient_rule, no_gradients, passes_no_gradient,
};
pub(crate) use gradient::{hands_on, is_empty};
pub use indexing::*;
pub use linear::*;
pub use lists::*;
pub use meanings::{
    BinaryElementwise, BinaryOp, Keeping, KeepsDType, ReductionOp, Reductions, RightElementwise,
    UnaryElementwise, UnaryOp,
};
pub use mixed::{ApplyMixed, Beside, Item, Items};
pub use movement::*;
pub use named::{Named, Takes1, Takes2, Takes3, TakesAll};
#[doc(hidden)]
pub use named::{NamedBy, Second, Third};
pub use nn::*;
pub(crate) use number::settle_numbers;
pub use numpy::*;
pub use operand::{HasMethods, Operand};
#[doc(hidden)]
pub use operators::operator;
pub use options::{
    Along, Backwards, Base, BatchShape, Columns, Ddof, Descending, Endpoint, Exclusive, MaxLength,
    MinLength, NanAs, NegInfAs, Over, PosInfAs, Weights,
};
pub use ordering::*;
pub use pair::{Arg, Pair};
pub use random::*;
pub use reduction::*;
pub use results::Results;
pub(in crate::ops) use scan::running::row_or_axis;
pub use scan::running::{argmax, argmin, cumprod, cumsum};
pub use scan::*;
pub use segment::*;
pub use shapes::*;
pub use slices::{IndexedSlices, InputGradient};
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
        NanMethods as _, ReductionMethods as _, ShortMethods as _, SpreadMethods as _,
        StatisticsMethods as _,
    };
    pub use super::scan::{RunningMethods as _, ScanMethods as _};
    pub use super::slicing::{MaskMethods as _, SlicingMethods as _, TurnMethods as _};
    pub use super::statistics::{
        HistogramMethods as _, MomentsMethods as _, PolynomialsMethods as _, QuantilesMethods as _,
        SeriesMethods as _, WindowsMethods as _,
    };
}

/// Inference rules that other crates can use in their op rows.
pub mod rules {
    pub use super::args::check;
    pub use super::infer::{broadcast, broadcast_bool, same_shape};
    pub use super::reduction::infer::reduction;
}
