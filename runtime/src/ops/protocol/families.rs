//! The families of ops: unary, binary, reductions.
//!
//! The family of an op is part of its type: every unary elementwise op is a [`Unary<F>`], every
//! binary one a [`Binary<F>`], every reduction a [`Reduce<F>`]. So a family is overridden by one
//! generic impl, a single op by one concrete impl, and the two never overlap.

use std::fmt::Debug;

use smallvec::SmallVec;

use crate::ir::{Attrs, KEEP_DIMS, OpDef};
use crate::ops::protocol::apply::{Field, NamedOp, Op, Operands};
use crate::ops::{Axes, AxesLike, StaticInput};
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// The part that differs between the ops of a family: the definition, and attributes beyond the
/// family's.
///
/// ```
/// use extype::ops::{FunctionOf, LeakyReluFn, family};
/// use extype::prelude::*;
/// /// Any function of the family of unary elementwise ops.
/// fn called<F: FunctionOf<family::Unary>>(function: &F, x: &Tensor) -> Result<Tensor> {
///     function.on_tensors(&[x])
/// }
/// let y = called(&LeakyReluFn { alpha: 0.5 }, &tensor![2.0f32, -2.0])?;
/// assert_eq!(y.as_slice::<f32>()?, &[2.0, -1.0]);
/// # Ok::<(), Error>(())
/// ```
pub trait FunctionOf<Family>: Clone + Debug + Send + Sync + 'static {
    /// Whether results have the dtype of the operands, as the row says.
    const KEPT: Kept = Kept::Unknown;

    /// The row of the op table.
    fn def(&self) -> &'static OpDef;

    /// The row of the op that runs on these operands. It differs from [`def`](Self::def) only for Rust's operators
    /// that mean one op for integers and another for bools.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that the op has no meaning for.
    ///
    /// ```
    /// use extype::ops::{BitAndFn, FunctionOf};
    /// use extype::prelude::*;
    /// assert_eq!(BitAndFn {}.def_for(&[&tensor![true]])?.name, "LogicalAnd");
    /// assert_eq!(BitAndFn {}.def_for(&[&tensor![1]])?.name, "BitwiseAnd");
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn def_for(&self, operands: &[&Tensor]) -> Result<&'static OpDef> {
        let _ = operands;
        Ok(self.def())
    }

    /// The attributes beyond the family's.
    ///
    /// ```
    /// use extype::ops::{FunctionOf, LeakyReluFn};
    /// use extype::prelude::*;
    /// let attrs = LeakyReluFn { alpha: 0.5 }.attrs();
    /// assert_eq!(attrs.get(LeakyReluFn::ALPHA)?, 0.5);
    /// # Ok::<(), Error>(())
    /// ```
    fn attrs(&self) -> Attrs {
        Attrs::new()
    }

    /// Rebuilds the function from the attributes of a graph node.
    ///
    /// # Errors
    /// `InvalidArgument` if an attribute is missing or of another kind.
    fn from_attrs(attrs: &Attrs) -> Result<Self>;

    /// Applies the op to tensors: runs it, unless its row says `tensors`.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{FunctionOf, TanhFn};
    /// use extype::prelude::*;
    /// let y = FunctionOf::on_tensors(&TanhFn {}, &[&tensor![0.0f32]])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn on_tensors(&self, operands: &[&Tensor]) -> Result<Tensor> {
        execute_one(self.def_for(operands)?, self.attrs(), operands)
    }
}

/// Whether the results of an op have the dtype of its operands, whatever that is.
///
/// ```
/// use extype::ops::{Kept, Less, Neg, Op};
/// assert!(matches!(Neg::KEPT, Kept::Yes));
/// assert!(matches!(Less::KEPT, Kept::No("less")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// They have it.
    Yes,
    /// They have another dtype, as in comparisons and casts; with the name of the op.
    No(&'static str),
    /// The op's type does not determine it; the definition does.
    Unknown,
}

/// Marks the families in [`FunctionOf`].
pub mod family {
    /// Unary elementwise ops.
    #[derive(Debug)]
    pub enum Unary {}
    /// Binary elementwise ops.
    #[derive(Debug)]
    pub enum Binary {}
    /// Reductions.
    #[derive(Debug)]
    pub enum Reduction {}
}

/// A unary elementwise op.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unary<F>(pub F);

/// A binary elementwise op.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Binary<F>(pub F);

/// A reduction over axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reduce<F> {
    /// The axes that are reduced.
    pub axes: Axes,
    /// True to keep them with size 1.
    pub keep_dims: bool,
    /// Which reduction.
    pub function: F,
}

macro_rules! named_families {
    ($($family:ident),*) => {
        $(impl<F: NamedOp> NamedOp for $family<F> {
            const NAME: &'static str = F::NAME;
            const RUST_NAME: &'static str = F::RUST_NAME;
            const DEF: &'static OpDef = F::DEF;
            const OPERANDS: Operands = F::OPERANDS;
            const FIELDS: &'static [Field] = F::FIELDS;
        })*
    };
}
named_families!(Unary, Binary, Reduce);

macro_rules! deref_to_function {
    ($($family:ident.$field:tt),*) => {
        $(impl<F> std::ops::Deref for $family<F> {
            type Target = F;

            /// Gives access to the function's own attributes: `op.alpha`.
            fn deref(&self) -> &F {
                &self.$field
            }
        })*
    };
}
deref_to_function!(Unary.0, Binary.0, Reduce.function);

impl<F: Default> Reduce<F> {
    /// The reduction over these axes.
    ///
    /// ```
    /// use extype::ops::{Op, ReduceMax};
    /// use extype::prelude::*;
    /// let op = ReduceMax::new([0, -1], false);
    /// assert_eq!(op.run(&[&ops::ones([2, 3, 4], f32)?])?.shape(), shape![3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(axes: impl AxesLike, keep_dims: bool) -> Self {
        Self { axes: axes.into(), keep_dims, function: F::default() }
    }
}

impl<F: FunctionOf<family::Unary>> Op for Unary<F> {
    const KEPT: Kept = F::KEPT;

    fn def(&self) -> &'static OpDef {
        self.0.def()
    }

    #[inline]
    fn def_for(&self, operands: &[&Tensor]) -> Result<&'static OpDef> {
        self.0.def_for(operands)
    }

    fn attrs(&self) -> Attrs {
        self.0.attrs()
    }

    fn from_parts(attrs: &Attrs, _: &[Tensor]) -> Result<Self> {
        F::from_attrs(attrs).map(Self)
    }
}

impl<F: FunctionOf<family::Binary>> Op for Binary<F> {
    const KEPT: Kept = F::KEPT;

    fn def(&self) -> &'static OpDef {
        self.0.def()
    }

    #[inline]
    fn def_for(&self, operands: &[&Tensor]) -> Result<&'static OpDef> {
        self.0.def_for(operands)
    }

    fn attrs(&self) -> Attrs {
        self.0.attrs()
    }

    fn from_parts(attrs: &Attrs, _: &[Tensor]) -> Result<Self> {
        F::from_attrs(attrs).map(Self)
    }
}

impl<F: FunctionOf<family::Reduction>> Op for Reduce<F> {
    const STATIC_INPUTS: usize = 1;

    fn def(&self) -> &'static OpDef {
        self.function.def()
    }

    fn attrs(&self) -> Attrs {
        self.function.attrs().with(KEEP_DIMS, &self.keep_dims)
    }

    fn static_inputs(&self, first: &Tensor) -> Result<SmallVec<[Tensor; 2]>> {
        Ok(smallvec::smallvec![self.axes.to_input(first)?])
    }

    fn from_parts(attrs: &Attrs, statics: &[Tensor]) -> Result<Self> {
        let axes = Axes::from_input(statics.first())?;
        Ok(Self { axes, keep_dims: attrs.get(KEEP_DIMS)?, function: F::from_attrs(attrs)? })
    }
}

/// A function of a family that is known only at run time.
#[derive(Clone, Debug)]
pub struct Dynamic {
    /// The row of the op table.
    pub def: &'static OpDef,
    /// The attributes of the call.
    pub attrs: Attrs,
}

impl<Family> FunctionOf<Family> for Dynamic {
    fn def(&self) -> &'static OpDef {
        self.def
    }

    fn attrs(&self) -> Attrs {
        self.attrs.clone()
    }

    fn from_attrs(_: &Attrs) -> Result<Self> {
        Err(crate::types::err!(Internal, "a dynamic function is not made from attributes alone"))
    }
}
