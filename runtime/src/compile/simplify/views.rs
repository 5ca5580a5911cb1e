//! Products read the matrices of a transposed, sliced or split tensor where they lie, without a copy of them.

use smallvec::SmallVec;

use super::algebra::{order, source};
use crate::array::Dims;
use crate::compile::RESHAPES;
use crate::compile::fuse::FUSES;
use crate::ir::{Attrs, Endpoint, Graph, Node};
use crate::ops::linear::views::{LEFT, PRODUCT_OF_VIEWS, RIGHT, SIZES};
use crate::ops::{BatchMatMul, MatMul, NamedOp as _, Slice, Split, Transpose, Unstack};
use crate::types::{DType, normalize_axis};

/// Elements of a tensor as a tensor of other sizes.
pub(super) struct View {
    of: Endpoint,
    /// The size and the step of each axis.
    axes: SmallVec<[(usize, usize); 6]>,
    /// The place of the first element.
    first: usize,
    /// True if other elements lie between those of the view, or they lie in another order.
    moves: bool,
}

/// Results of at most so many elements are computed in a way that depends on the steps of the operands.
const SMALL: i64 = 16 * 16;
/// The most ops between a product and the tensor that it reads.
const MOST_OPS: usize = 16;

impl View {
    pub(super) fn whole(graph: &Graph, e: Endpoint) -> Option<Self> {
        let sizes = graph.output_type(e).shape.sizes()?;
        let mut step = 1usize;
        let mut axes = SmallVec::new();
        for size in sizes.iter().rev() {
            axes.push((*size, step));
            step = step.checked_mul(*size)?;
        }
        axes.reverse();
        (step > 0).then_some(Self { of: e, axes, first: 0, moves: false })
    }

    /// A tensor as the view of one that other ops moved or reshaped.
    fn new(graph: &Graph, e: Endpoint, most: usize) -> Option<Self> {
        let through = |most| {
            let node = source(graph, e).filter(|node| node.op.is_own())?;
            let own = Self::of_node(graph, node, e.output as usize, most)?;
            let is_whole = own.sizes().eq(Self::whole(graph, e)?.sizes());
            is_whole.then_some(own)
        };
        most.checked_sub(1).and_then(through).or_else(|| Self::whole(graph, e))
    }

    fn of_node(graph: &Graph, node: &Node, output: usize, most: usize) -> Option<Self> {
        let before = |input: usize| Self::new(graph, *node.inputs.get(input)?, most);
        let numbers =
            |input: usize| graph.node(node.inputs.get(input)?.node).constant()?.to_i64s().ok();
        let axis = |axis: i64, rank: usize| normalize_axis(axis, rank).ok();
        match node.op {
            op if op == Transpose::DEF => {
                let mut view = before(0)?;
                let order = order(graph, node)?;
                let from = |axis: &usize| view.axes.get(*axis).copied();
                view.axes = order.iter().map(from).collect::<Option<_>>()?;
                view.moves = true;
                Some(view)
            }
            op if RESHAPES.contains(&op) => before(0)?.reshaped(&node.outputs[0].shape.sizes()?),
            op if op == Unstack::DEF => {
                let mut view = before(0)?;
                let axis = axis(node.attrs.get(Unstack::AXIS).ok()?, view.axes.len())?;
                let (_, step) = view.axes.remove(axis);
                view.first += output * step;
                view.moves = true;
                Some(view)
            }
            op if op == Split::DEF => {
                let view = before(1)?;
                let axis = axis(*numbers(0)?.first()?, view.axes.len())?;
                let size = node.outputs[output].shape.sizes()?[axis];
                view.part(axis, output * size, size)
            }
            op if op == Slice::DEF => {
                let view = before(0)?;
                let sizes = node.outputs[0].shape.sizes()?;
                let mut parts = numbers(1)?.into_iter().zip(sizes).enumerate();
                parts.try_fold(view, |view, (axis, (first, size))| {
                    view.part(axis, usize::try_from(first).ok()?, size)
                })
            }
            _ => None,
        }
    }

    fn sizes(&self) -> impl Iterator<Item = usize> {
        self.axes.iter().map(|(size, _)| *size)
    }

    /// The part of this size along an axis.
    fn part(mut self, axis: usize, first: usize, size: usize) -> Option<Self> {
        let (whole, step) = *self.axes.get(axis)?;
        if first.checked_add(size)? > whole {
            return None;
        }
        self.axes[axis].0 = size;
        self.first += first * step;
        self.moves |= size < whole;
        Some(self)
    }

    /// The view with the same elements in the same order, if they have even steps along its axes.
    fn reshaped(mut self, sizes: &[usize]) -> Option<Self> {
        // Axes along which elements follow each other as along one axis.
        let mut joined: SmallVec<[(usize, usize); 6]> = SmallVec::new();
        for (size, step) in self.axes.iter().copied().filter(|(size, _)| *size != 1) {
            match joined.last_mut() {
                Some((before, last)) if *last == step * size => {
                    (*before, *last) = (*before * size, step);
                }
                _ => joined.push((size, step)),
            }
        }
        let (mut axes, mut rest) = (SmallVec::new(), joined.pop());
        for size in sizes.iter().rev() {
            if let Some((1, _)) = rest {
                rest = joined.pop();
            }
            match &mut rest {
                _ if *size == 1 => axes.push((1, 1)),
                Some((left, step)) if left.is_multiple_of(*size) => {
                    axes.push((*size, *step));
                    (*left, *step) = (*left / size, *step * size);
                }
                _ => return None,
            }
        }
        axes.reverse();
        self.axes = axes;
        Some(self)
    }

    /// The first element and the steps along the axes of a stack of matrices. Matrices that are one for several products
    /// have no step to the next.
    pub(super) fn steps(&self, rank: usize) -> Option<Vec<i64>> {
        self.steps_by(rank, |axis, (size, step)| {
            let repeats = size == 1 && axis + 2 < rank;
            Some(if repeats { 0 } else { step })
        })
    }

    /// The first element and the steps along all axes if the tensor is broadcast to these sizes.
    pub(super) fn broadcast_steps(&self, sizes: &[i64]) -> Option<Vec<i64>> {
        self.steps_by(sizes.len(), |axis, (own, step)| match own {
            1 => Some(0),
            _ => (i64::try_from(own) == Ok(sizes[axis])).then_some(step),
        })
    }

    /// The first element, and a step along each of `rank` axes: that of an own axis, or none along the axes before.
    fn steps_by(
        &self,
        rank: usize,
        step: impl Fn(usize, (usize, usize)) -> Option<usize>,
    ) -> Option<Vec<i64>> {
        let missing = rank.checked_sub(self.axes.len())?;
        let along = |axis: usize| match axis.checked_sub(missing) {
            Some(own) => step(axis, self.axes[own]),
            None => Some(0),
        };
        integers(
            std::iter::once(Some(self.first))
                .chain((0..rank).map(along))
                .collect::<Option<Dims>>()?,
        )
    }

    /// True if rows or columns of its matrices are contiguous.
    fn has_contiguous_lines(&self) -> bool {
        self.axes.iter().rev().take(2).any(|(_, step)| *step == 1)
    }
}

/// A product of matrices of known sizes within two tensors.
pub(super) struct Product {
    pub(super) inputs: [Endpoint; 2],
    /// For each tensor, the first element and the steps, as of [`PRODUCT_OF_VIEWS`].
    pub(super) steps: [Vec<i64>; 2],
    /// The sizes of the leading axes, `m`, `n` and `k`.
    pub(super) sizes: Vec<i64>,
}

impl Product {
    /// What a node multiplies, if it is a product of floats.
    pub(super) fn new(graph: &Graph, node: &Node) -> Option<Self> {
        if node.op == &PRODUCT_OF_VIEWS {
            let list = |key| node.attrs.get(key).ok();
            let (inputs, steps) = ([node.inputs[0], node.inputs[1]], [list(LEFT)?, list(RIGHT)?]);
            return Some(Self { inputs, steps, sizes: list(SIZES)? });
        }
        Self::of_views(node, operands(graph, node, 0)?)
    }

    fn of_views(node: &Node, [left, right]: [View; 2]) -> Option<Self> {
        let mut sizes = node.outputs[0].shape.sizes()?;
        let steps = [left.steps(sizes.len())?, right.steps(sizes.len())?];
        sizes.push(left.axes.last()?.0);
        Some(Self { inputs: [left.of, right.of], steps, sizes: integers(sizes)? })
    }
}

/// The operands of a product of floats, if it is one.
fn operands(graph: &Graph, node: &Node, most: usize) -> Option<[View; 2]> {
    let transposed = match node.op {
        op if op == MatMul::DEF => [MatMul::TRANSPOSE_A, MatMul::TRANSPOSE_B],
        op if op == BatchMatMul::DEF => [BatchMatMul::ADJ_X, BatchMatMul::ADJ_Y],
        _ => return None,
    };
    let (&[x, y], [output]) = (&node.inputs[..], &node.outputs[..]) else { return None };
    if !output.dtype.is_float() || !node.control_inputs.is_empty() {
        return None;
    }
    let mut operands = [View::new(graph, x, most)?, View::new(graph, y, most)?];
    for (view, transposed) in operands.iter_mut().zip(transposed) {
        if node.attrs.get(transposed).ok()? {
            let rank = view.axes.len();
            view.axes.swap(rank.checked_sub(2)?, rank - 1);
        }
    }
    Some(operands)
}

/// A product of operands of which one lies in another tensor in another order, or with other elements between.
///
/// Small results and vectors are left as they are: how they are summed depends on the steps. So are halves, which are
/// copied as floats with all that lies between them.
pub(super) fn product(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let views = operands(graph, node, MOST_OPS).filter(|_| *FUSES)?;
    let is_native = matches!(node.outputs[0].dtype, DType::F32 | DType::F64);
    if !is_native || !views.iter().any(|view| view.moves) {
        return None;
    }
    let has_lines = views.iter().all(View::has_contiguous_lines);
    let Product { inputs, steps: [left, right], sizes } = Product::of_views(node, views)?;
    let [.., m, n, _] = sizes[..] else { return None };
    if m < 2 || n < 2 || m.saturating_mul(n) <= SMALL || !has_lines {
        return None;
    }
    let attrs = Attrs::new().with(SIZES, &sizes).with(LEFT, &left).with(RIGHT, &right);
    let node = Node { op: &PRODUCT_OF_VIEWS, inputs: inputs.into(), attrs, ..node.clone() };
    Some(Endpoint { node: graph.push(node), output: 0 })
}

/// Sizes as integers of attributes.
fn integers(sizes: impl IntoIterator<Item = usize>) -> Option<Vec<i64>> {
    sizes.into_iter().map(|size| i64::try_from(size).ok()).collect()
}
