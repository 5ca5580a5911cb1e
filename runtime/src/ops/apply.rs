//! Ops as values, and what one means for a type: the traits that extension types implement.

use std::fmt::Debug;

use smallvec::SmallVec;

use super::number::settle_numbers;
use super::results::Results;
use crate::array::Array;
use crate::op::{Attrs, OpDef, Outputs};
use crate::tensor::Tensor;
use crate::types::Result;

/// An op with its attributes: a small value that can be called.
pub trait Op: Clone + Debug + Send + Sync + 'static {
    /// How many inputs of the graph op are plain data here (axes, sizes).
    const STATIC_INPUTS: usize = 0;

    /// The row of the op table.
    fn def(&self) -> &'static OpDef;

    /// What users call it: `"reduce_sum"`.
    #[expect(clippy::misnamed_getters, reason = "the other name is that of graphs")]
    fn name(&self) -> &'static str {
        self.def().rust_name
    }

    /// The attributes that go into a graph's node.
    fn attrs(&self) -> Attrs;

    /// Inputs of the graph op that are plain data here (axes, sizes), in their order.
    ///
    /// # Errors
    /// `InvalidArgument` if the data does not fit the first operand, such as an axis out of range.
    fn static_inputs(&self, first: &Tensor) -> Result<SmallVec<[Tensor; 2]>> {
        let _ = first;
        Ok(SmallVec::new())
    }

    /// The same op from the parts of a graph's node.
    ///
    /// # Errors
    /// `InvalidArgument` if an attribute or input is missing or of another kind.
    fn from_parts(attrs: &Attrs, static_inputs: &[Tensor]) -> Result<Self>;

    /// A number at which the op and its derivatives are finite, for an operand for which not
    /// every number is such: what types put in for missing elements.
    fn finite_at(&self, operand: usize) -> Option<f64> {
        self.def().finite_at.get(operand).copied().flatten()
    }

    /// Runs the op's kernel on arrays, as it stands in a graph: plain inputs among the others.
    ///
    /// # Errors
    /// What the op refuses.
    fn compute(&self, inputs: &[&Array]) -> Result<Outputs> {
        self.def().run(inputs, &self.attrs())
    }

    /// Calls the op on tensors; plain numbers among them take the dtype of the others.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn run(&self, operands: &[&Tensor]) -> Result<Tensor> {
        self.run_as(operands)
    }

    /// [`run`](Self::run) for any number of results.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn run_as<R: Results>(&self, operands: &[&Tensor]) -> Result<R> {
        if operands.len() > 1
            && let Some(settled) = settle_numbers(self.def(), operands, Self::STATIC_INPUTS)?
        {
            let operands: SmallVec<[&Tensor; 4]> = settled.iter().collect();
            return self.run_settled(&operands);
        }
        self.run_settled(operands)
    }

    /// [`run_as`](Self::run_as) where no operand is a plain number.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn run_settled<R: Results>(&self, operands: &[&Tensor]) -> Result<R> {
        let def = self.def();
        let Some(first) = operands.first().filter(|_| Self::STATIC_INPUTS > 0) else {
            return R::of_call(def, self.attrs(), operands);
        };
        let statics = self.static_inputs(first).map_err(|e| e.with_op(def.rust_name))?;
        R::of_call(def, self.attrs(), &in_order(def, operands, &statics))
    }
}

/// The inputs of a graph's op: the operands with plain inputs among them.
fn in_order<'a>(
    def: &OpDef,
    operands: &[&'a Tensor],
    statics: &'a [Tensor],
) -> SmallVec<[&'a Tensor; 4]> {
    let count = operands.len() + statics.len();
    let (mut operands, mut statics) = (operands.iter().copied(), statics.iter());
    let mut inputs = SmallVec::new();
    for arg in def.spread_inputs(count) {
        inputs.extend(if arg.is_static { statics.next() } else { operands.next() });
    }
    // A wrong number of operands is for the call to refuse.
    inputs.extend(operands);
    inputs
}

/// An op whose row is known from its type; every row of the op table.
pub trait NamedOp {
    /// The graph name.
    const NAME: &'static str;
    /// What users call it.
    const RUST_NAME: &'static str;
    /// The row.
    const DEF: &'static OpDef;
    /// What an override of the op is given.
    const OPERANDS: Operands;
    /// The fields of the op: attributes, and inputs that are plain data.
    const FIELDS: &'static [Field];
}

/// A field of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type, as the row has it.
    pub ty: &'static str,
}

/// The operands of an op, as types override it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// So many.
    Each(usize),
    /// Any number of one kind.
    Sequence,
    /// None of which a type can be: the op is called on tensors only.
    None,
}

/// The meaning of an op with one tensor operand for this type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}`",
    label = "not defined for `{Self}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait Apply1<O: Op> {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply1(op: &O, x: &Self) -> Result<Self::Output>;

    /// [`apply1`](Self::apply1) of a type that may decline: `None` if it does not take these values.
    ///
    /// Run-time dispatch then asks the next type; `apply1` ends in an error.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn try_apply1(op: &O, x: &Self) -> Result<Option<Self::Output>> {
        Self::apply1(op, x).map(Some)
    }
}

/// The meaning of an op with two tensor operands for this type and `Y`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}` with `{Y}`",
    label = "not defined for `{Self}` and `{Y}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait Apply2<Y, O: Op> {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply2(op: &O, x: &Self, y: &Y) -> Result<Self::Output>;

    /// [`apply2`](Self::apply2) of a type that may decline: `None` if it does not take these values.
    ///
    /// Run-time dispatch then asks the next type; `apply2` ends in an error.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn try_apply2(op: &O, x: &Self, y: &Y) -> Result<Option<Self::Output>> {
        Self::apply2(op, x, y).map(Some)
    }
}

/// The meaning of an op with three tensor operands for this type, `Y` and `Z`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}` with `{Y}` and `{Z}`",
    label = "not defined for `{Self}`, `{Y}` and `{Z}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait Apply3<Y, Z, O: Op> {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply3(op: &O, x: &Self, y: &Y, z: &Z) -> Result<Self::Output>;

    /// [`apply3`](Self::apply3) of a type that may decline: `None` if it does not take these values.
    ///
    /// Run-time dispatch then asks the next type; `apply3` ends in an error.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn try_apply3(op: &O, x: &Self, y: &Y, z: &Z) -> Result<Option<Self::Output>> {
        Self::apply3(op, x, y, z).map(Some)
    }
}

/// The meaning of an op on a sequence of values of this type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}`",
    label = "not defined for a sequence of `{Self}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait ApplySeq<O: Op>: Sized {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply_seq(op: &O, xs: &[&Self]) -> Result<Self::Output>;

    /// [`apply_seq`](Self::apply_seq) of a type that may decline: `None` if it does not take these values.
    ///
    /// Run-time dispatch then asks the next type; `apply_seq` ends in an error.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn try_apply_seq(op: &O, xs: &[&Self]) -> Result<Option<Self::Output>> {
        Self::apply_seq(op, xs).map(Some)
    }
}
