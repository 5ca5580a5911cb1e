//! Ops on registers that are not elementwise functions of tables: reads and writes of elements of vectors, changes of
//! the shape of one element, the choice between two.

use extype_kernels::table::binary as b;

use super::plan::RegisterPlan;
use super::step::{
    Block, Register, RegisterStep, Storage, Vector, convert, copy, load, store, wrap, zip,
};
use crate::ir::{Attrs, Kernel, Node};
use crate::ops::{
    ExpandDims, Gather, GatherNd, NamedOp as _, Reshape, Select, Squeeze, Stack, StridedSlice,
    TensorScatterAdd, TensorScatterMax, TensorScatterMin, TensorScatterSub, TensorScatterUpdate,
};
use crate::types::DType;

impl RegisterPlan {
    /// Plans an op that moves elements. Returns the place of its result, or `None` in `Some` for other ops.
    #[expect(clippy::option_option, reason = "the outer one ends planning, as everywhere here")]
    pub(super) fn element(
        &mut self,
        node: &Node,
        from: &[Option<Storage>],
        wanted: Option<Register>,
        steps: &mut Block,
    ) -> Option<Option<Storage>> {
        let [ty] = &node.outputs[..] else { return None };
        let is_one = ty.shape.num_elements() == Some(1);
        let op = node.op;
        Some(match from {
            [Some(Storage::Register(x)), ..]
                if is_one
                    && [Reshape::DEF, ExpandDims::DEF, Squeeze::DEF, Stack::DEF].contains(&op) =>
            {
                let to = self.wanted(wanted, ty.dtype)?;
                steps.push(copy(*x, to));
                Some(Storage::Register(to))
            }
            [Some(Storage::Vector(x)), Some(Storage::Register(i)), _]
                if op == Gather::DEF && is_one && node.attrs.get(Gather::BATCH_DIMS).ok()? == 0 =>
            {
                let index = self.index(*i, steps)?;
                let to = self.wanted(wanted, ty.dtype)?;
                steps.push(load(*x, index, to)?);
                Some(Storage::Register(to))
            }
            // The end says nothing where an index removes the only axis.
            [
                Some(Storage::Vector(x)),
                Some(Storage::Register(i)),
                _,
                Some(Storage::Register(step)),
            ] if op == StridedSlice::DEF
                && is_one
                && is_index(&node.attrs)
                && self.known(*step) == Some(1) =>
            {
                let index = self.index(*i, steps)?;
                let wrapped = self.register(DType::I64)?;
                steps.push(wrap(*x, index, wrapped));
                let to = self.wanted(wanted, ty.dtype)?;
                steps.push(load(*x, wrapped, to)?);
                Some(Storage::Register(to))
            }
            [
                Some(Storage::Vector(x)),
                Some(Storage::Register(i)),
                Some(Storage::Register(new)),
            ] => {
                let index = self.index(*i, steps)?;
                self.scatter(node, *x, index, *new, steps)?
            }
            [
                Some(Storage::Register(pick)),
                Some(Storage::Register(x)),
                Some(Storage::Register(y)),
            ] if op == Select::DEF && is_one => {
                let to = self.wanted(wanted, ty.dtype)?;
                let arms = [vec![copy(*y, to)], vec![copy(*x, to)]];
                steps.push(RegisterStep::Branch { pick: *pick, arms });
                Some(Storage::Register(to))
            }
            [Some(place @ Storage::Vector(_))] if matches!(op.kernel, Kernel::Pass) => Some(*place),
            _ => None,
        })
    }

    fn wanted(&mut self, wanted: Option<Register>, dtype: DType) -> Option<Register> {
        wanted.or_else(|| self.register(dtype))
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

    /// Plans the change of one element. `None` in `Some` for other ops.
    #[expect(clippy::option_option, reason = "as above")]
    fn scatter(
        &mut self,
        node: &Node,
        x: Vector,
        index: Register,
        new: Register,
        steps: &mut Block,
    ) -> Option<Option<Storage>> {
        let table = match node.op {
            op if op == TensorScatterUpdate::DEF => None,
            op if op == TensorScatterAdd::DEF => Some(&b::ADD),
            op if op == TensorScatterSub::DEF => Some(&b::SUB),
            op if op == TensorScatterMin::DEF => Some(&b::MINIMUM),
            op if op == TensorScatterMax::DEF => Some(&b::MAXIMUM),
            _ => return Some(None),
        };
        let policy: String = node.attrs.get(GatherNd::BAD_INDICES_POLICY).ok()?;
        if !matches!(policy.as_str(), "" | "DEFAULT" | "ERROR") {
            return None;
        }
        let new = match table {
            None => new,
            Some(table) => {
                let [old, combined] = [self.register(x.dtype)?, self.register(x.dtype)?];
                steps.push(load(x, index, old)?);
                steps.push(zip(table, [old, new], combined)?);
                combined
            }
        };
        steps.push(store(x, index, new)?);
        self.wrote(x);
        Some(Some(Storage::Vector(x)))
    }
}

/// True if a strided slice of a vector is one element, and not a range.
fn is_index(attrs: &Attrs) -> bool {
    let is = |key, mask: i64| attrs.get(key).is_ok_and(|set: i64| set == mask);
    is(StridedSlice::SHRINK_AXIS_MASK, 1)
        && is(StridedSlice::BEGIN_MASK, 0)
        && is(StridedSlice::ELLIPSIS_MASK, 0)
        && is(StridedSlice::NEW_AXIS_MASK, 0)
}
