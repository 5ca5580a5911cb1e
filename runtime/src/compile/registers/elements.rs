//! Ops on registers that are not elementwise functions of tables: reads and writes of elements of vectors, changes of
//! the shape of one element, the choice between two.

use extype_kernels::table::{Table, ZipSignature, binary as b};

use super::plan::RegisterPlan;
use super::step::{
    Block, Register, RegisterStep, ValuePlace, Vector, convert, copy, load, store, wrap, zip,
};
use crate::compile::RESHAPES;
use crate::ir::{Kernel, Node, OpDef};
use crate::ops::{
    Gather, Masks, NamedOp as _, Select, Stack, StridedSlice, TensorScatterAdd, TensorScatterMax,
    TensorScatterMin, TensorScatterSub, TensorScatterUpdate, ignores_bad_indices,
};
use crate::types::DType;

/// The ops that combine an element of a vector with another one.
const COMBINING: [(&OpDef, &Table<ZipSignature>); 4] = [
    (TensorScatterAdd::DEF, &b::ADD),
    (TensorScatterSub::DEF, &b::SUB),
    (TensorScatterMin::DEF, &b::MINIMUM),
    (TensorScatterMax::DEF, &b::MAXIMUM),
];

impl RegisterPlan {
    /// Plans an op with one result. Returns the place of the result.
    pub(super) fn element(
        &mut self,
        node: &Node,
        from: &[Option<ValuePlace>],
        wanted: Option<Register>,
        steps: &mut Block,
    ) -> Option<ValuePlace> {
        use ValuePlace::{Register as R, Vector as V};
        let [ty] = &node.outputs[..] else { return None };
        let is_one = ty.shape.num_elements() == Some(1);
        let (op, attrs) = (node.op, &node.attrs);
        let to = match *from {
            [Some(R(x)), ..] if is_one && (RESHAPES.contains(&op) || op == Stack::DEF) => {
                let to = self.wanted(wanted, ty.dtype)?;
                steps.push(copy(x, to)?);
                to
            }
            [Some(V(x)), Some(R(i)), _]
                if op == Gather::DEF && is_one && attrs.get(Gather::BATCH_DIMS).ok()? == 0 =>
            {
                let index = self.index(i, steps)?;
                self.read(x, index, wanted, steps)?
            }
            // The end says nothing where an index removes the only axis.
            [Some(V(x)), Some(R(i)), _, Some(R(step))]
                if op == StridedSlice::DEF
                    && is_one
                    && Masks::of(attrs).ok()?.are_of_index()
                    && self.known(step) == Some(1) =>
            {
                let (index, wrapped) = (self.index(i, steps)?, self.register(DType::I64)?);
                steps.push(wrap(x, index, wrapped));
                self.read(x, wrapped, wanted, steps)?
            }
            [Some(V(x)), Some(R(i)), Some(R(new))] => {
                let index = self.index(i, steps)?;
                return self.scatter(node, x, index, new, steps);
            }
            [Some(R(pick)), Some(R(x)), Some(R(y))] if op == Select::DEF && is_one => {
                let to = self.wanted(wanted, ty.dtype)?;
                let arms = [vec![copy(y, to)?], vec![copy(x, to)?]];
                steps.push(RegisterStep::Branch { pick, arms });
                to
            }
            [Some(V(x))] if matches!(op.kernel, Kernel::Pass) => return Some(V(x)),
            _ => self.op(node, from, wanted, steps)?,
        };
        Some(R(to))
    }

    /// The register of an index as int64.
    fn index(&mut self, i: Register, steps: &mut Block) -> Option<Register> {
        match i.dtype {
            DType::I64 => Some(i),
            DType::I32 => {
                let index = self.register(DType::I64)?;
                steps.push(convert(i, index)?);
                Some(index)
            }
            _ => None,
        }
    }

    /// Plans the read of one element.
    fn read(
        &mut self,
        x: Vector,
        index: Register,
        wanted: Option<Register>,
        steps: &mut Block,
    ) -> Option<Register> {
        let to = self.wanted(wanted, x.dtype)?;
        steps.push(load(x, index, to)?);
        Some(to)
    }

    /// Plans the change of one element.
    fn scatter(
        &mut self,
        node: &Node,
        x: Vector,
        index: Register,
        mut new: Register,
        steps: &mut Block,
    ) -> Option<ValuePlace> {
        let combining = COMBINING.iter().find(|(op, _)| *op == node.op);
        let is_scatter = combining.is_some() || node.op == TensorScatterUpdate::DEF;
        if !is_scatter || ignores_bad_indices(&node.attrs).ok()? {
            return None;
        }
        if let Some((_, table)) = combining {
            let (old, combined) = (self.read(x, index, None, steps)?, self.register(x.dtype)?);
            steps.push(zip(table, [old, new], combined)?);
            new = combined;
        }
        steps.push(store(x, index, new)?);
        self.wrote(x)?;
        Some(ValuePlace::Vector(x))
    }
}
