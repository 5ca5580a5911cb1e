//! How ops are called: what an op is, what it means for a type, which operands it takes, and what it gives.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`apply`] | an op as a value of its type, and its meaning for operands of a type |
//! | [`families`], [`meanings`] | ops that one override covers, and the traits of such overrides |
//! | [`named`] | the bounds of functions, by the name of the op |
//! | [`operand`], [`pair`], [`mixed`], [`number`] | operands: one, two of which one may be another type, sequences, plain numbers |
//! | [`results`] | one result, tuples and lists of them |
//! | [`compound`] | functions of several ops that are ops themselves |

pub(in crate::ops) mod apply;
pub(crate) mod compound;
pub(in crate::ops) mod families;
pub(in crate::ops) mod meanings;
pub(in crate::ops) mod mixed;
pub(in crate::ops) mod named;
pub(in crate::ops) mod number;
pub(in crate::ops) mod operand;
pub(in crate::ops) mod pair;
pub(in crate::ops) mod results;

#[doc(hidden)]
pub use apply::compound_call;
pub use apply::{Apply1, Apply2, Apply3, ApplySeq, Field, NamedOp, Op, Operands};
pub use compound::Compound;
pub use families::{Binary, Dynamic, FunctionOf, Kept, Reduce, Unary, family};
pub use meanings::{
    BinaryElementwise, BinaryOp, Keeping, KeepsDType, ReductionOp, Reductions, RightElementwise,
    UnaryElementwise, UnaryOp,
};
pub use mixed::{ApplyMixed, Beside, Item, Items};
pub use named::{Named, Takes1, Takes2, Takes3, TakesAll};
#[doc(hidden)]
pub use named::{NamedBy, Second, Third};
pub(crate) use number::settle_numbers;
pub use operand::{HasMethods, Operand};
pub use pair::{Arg, Pair};
pub use results::Results;
