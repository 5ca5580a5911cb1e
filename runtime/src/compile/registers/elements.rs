//! Ops on registers that are not elementwise functions of tables: reads and writes of elements of vectors and lists,
//! changes of the shape of one element, the choice between two.

use extype_kernels::table::{Table, ZipSignature, binary as b};

use super::plan::RegisterPlan;
use super::step::{
    Block, Register, RegisterStep, ValuePlace, Vector, convert, copy, get_item, load, pop_item,
    push_item, set_item, store, wrap, zip,
};
use crate::compile::RESHAPES;
use crate::ir::{FunctionGraph, Kernel, Node, OpDef};
use crate::ops::{
    Gather, Masks, NamedOp as _, Select, Stack, StridedSlice, TensorListGetItem, TensorListPopBack,
    TensorListPushBack, TensorListSetItem, TensorScatterAdd, TensorScatterMax, TensorScatterMin,
    TensorScatterSub, TensorScatterUpdate, ignores_bad_indices,
};
use crate::types::{DType, TensorType};

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
        steps: &mut Block,
    ) -> Option<ValuePlace> {
        use ValuePlace::{Register as R, Vector as V};
        let [ty] = &node.outputs[..] else { return None };
        let is_one = ty.shape.num_elements() == Some(1);
        let (op, attrs) = (node.op, &node.attrs);
        let to = match *from {
            [Some(R(x)), ..] if is_one && (RESHAPES.contains(&op) || op == Stack::DEF) => {
                let to = self.register(ty.dtype)?;
                steps.push(copy(x, to)?);
                to
            }
            [Some(V(x)), Some(R(i)), _]
                if op == Gather::DEF && is_one && attrs.get(Gather::BATCH_DIMS).ok()? == 0 =>
            {
                let index = self.index(i, steps)?;
                self.read(x, index, steps)?
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
                self.read(x, wrapped, steps)?
            }
            [Some(V(x)), Some(R(i)), Some(R(new))] => {
                let index = self.index(i, steps)?;
                return self.scatter(node, x, index, new, steps);
            }
            [Some(R(pick)), Some(R(x)), Some(R(y))] if op == Select::DEF && is_one => {
                let to = self.register(ty.dtype)?;
                let arms = [vec![copy(y, to)?], vec![copy(x, to)?]];
                steps.push(RegisterStep::Branch { pick, arms });
                to
            }
            [Some(V(x))] if matches!(op.kernel, Kernel::Pass) => return Some(V(x)),
            _ => self.op(node, from, steps)?,
        };
        Some(R(to))
    }

    /// Plans an op on a list, whose elements in registers are scalars. Returns the places of its results.
    pub(super) fn list(
        &mut self,
        function: &FunctionGraph,
        node: &Node,
        x: Vector,
        from: &[Option<ValuePlace>],
        steps: &mut Block,
    ) -> Option<Vec<Option<ValuePlace>>> {
        use ValuePlace::{Register as R, Vector as V};
        let is_scalar = |ty: &TensorType| ty.shape.rank() == Some(0);
        let is_item = |i: usize| is_scalar(function.graph.output_type(node.inputs[i]));
        let op = node.op;
        let instruction = match *from {
            [_, Some(R(i)), _] if op == TensorListGetItem::DEF && is_scalar(&node.outputs[0]) => {
                let (index, to) = (self.index(i, steps)?, self.register(node.outputs[0].dtype)?);
                steps.push(get_item(self.items(x, to)?, index, to));
                return Some(vec![Some(R(to))]);
            }
            [_, _] if op == TensorListPopBack::DEF && is_scalar(&node.outputs[1]) => {
                let to = self.register(node.outputs[1].dtype)?;
                steps.push(pop_item(self.items(x, to)?, to));
                self.wrote(x)?;
                return Some(vec![Some(V(x)), Some(R(to))]);
            }
            [_, Some(R(i)), Some(R(item))] if op == TensorListSetItem::DEF && is_item(2) => {
                let (index, grows) =
                    (self.index(i, steps)?, node.attrs.get(TensorListSetItem::GROWS).ok()?);
                set_item(self.items(x, item)?, index, item, grows)
            }
            [_, Some(R(item))] if op == TensorListPushBack::DEF && is_item(1) => {
                push_item(self.items(x, item)?, item)
            }
            _ => return None,
        };
        steps.push(instruction);
        self.wrote(x)?;
        Some(vec![Some(V(x))])
    }

    /// The number of a list among all lists, if its elements can have the dtype of this one.
    fn items(&mut self, list: Vector, element: Register) -> Option<u32> {
        let known = self.lists.iter().position(|(known, _)| *known == list);
        let i = known.unwrap_or_else(|| {
            self.lists.push((list, element));
            self.lists.len() - 1
        });
        (self.lists[i].1.dtype == element.dtype).then_some(i as u32)
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
    fn read(&mut self, x: Vector, index: Register, steps: &mut Block) -> Option<Register> {
        let to = self.register(x.dtype)?;
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
            let (old, combined) = (self.read(x, index, steps)?, self.register(x.dtype)?);
            steps.push(zip(table, [old, new], combined)?);
            new = combined;
        }
        steps.push(store(x, index, new)?);
        self.wrote(x)?;
        Some(ValuePlace::Vector(x))
    }
}
