//! Batching rules, which replace many calls of an op by one: their input, their output, and helpers that
//! they share.
//!
//! All calls have the same op and attributes. An operand is either the same in all calls or stacked along a
//! first axis. The rule of an op is in its row; ops of a family without one have the rule of the family.

use smallvec::SmallVec;

use crate::ir::{Attr, AttrKey, Attrs, ByOp, OpDef, OpKind};
use crate::ops::args::StaticInput;
use crate::ops::methods::*;
use crate::ops::rules::gradient::sizes;
use crate::ops::{Axis, Integers};
use crate::tensor::{Tensor, execute};
use crate::types::{DType, Dim, Result, TensorType};

/// An operand or a result of many calls.
#[derive(Clone, Debug)]
pub enum Lane {
    /// The same tensor in all calls.
    Same(Tensor),
    /// One tensor for each call, stacked along a first axis.
    Each(Tensor),
}

/// How many calls there are.
#[derive(Clone, Debug)]
pub struct Count {
    /// The number, if it is known while tracing.
    pub dim: Dim,
    /// The number as an int64 scalar.
    pub tensor: Tensor,
}

impl Count {
    /// The sizes of a stack of tensors of these sizes.
    ///
    /// # Errors
    /// None if all sizes are known; otherwise what an op fails with, such as for sizes that are not
    /// a vector.
    ///
    /// ```
    /// use extype::control::Count;
    /// use extype::prelude::*;
    /// let count = Count { dim: Dim::from(3), tensor: scalar(3i64) };
    /// assert_eq!(count.stacked(&[28, 28].into())?, ops::Integers::from([3, 28, 28]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stacked(&self, sizes: &Integers) -> Result<Integers> {
        match (self.dim.size(), sizes.known()) {
            (Some(n), Some(sizes)) => {
                let all: Vec<i64> = std::iter::once(n as i64).chain(sizes).collect();
                Ok(Integers::from(all))
            }
            _ => {
                let sizes = sizes.to_tensor()?.cast(DType::I64)?;
                let n = self.tensor.reshape([1i64])?;
                crate::ops::concat(&[&n, &sizes], 0).map(Integers::Tensor)
            }
        }
    }

    /// Repeats a tensor once for each call, along a new first axis.
    ///
    /// # Errors
    /// None that depends on the elements.
    ///
    /// ```
    /// use extype::control::Count;
    /// use extype::prelude::*;
    /// let count = Count { dim: Dim::from(3), tensor: scalar(3i64) };
    /// assert_eq!(count.repeat(&tensor![1, 2])?.as_slice::<i32>()?, &[1, 2, 1, 2, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn repeat(&self, t: &Tensor) -> Result<Tensor> {
        t.broadcast_to(self.stacked(&sizes(t)?)?)
    }
}

/// The calls, as a batching rule receives them.
///
/// ```
/// use extype::array::Array;
/// use extype::control::{Batch, Batched};
/// use extype::prelude::*;
/// use extype::types::DTypeSet;
/// extype::define_op! {
///     /// The elements backwards along the last axis, of vectors and stacks of them.
///     op Mirror = "Doc>Mirror" {
///         inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT },
///         call: mirror(x),
///         infer: ops::rules::same_shape,
///         kernel: |c| ops::Reverse { axis: [-1].into() }.compute(&[c.input(0), &Array::from_slice([1], &[-1])?]),
///         gradient: none,
///         batch: rule,
///     }
/// }
/// /// The vectors of all calls are one stack.
/// fn rule(b: &Batch<'_>) -> Result<Batched> {
///     b.run(&[b.all(0)?])
/// }
/// let y = vectorized_map(&tensor![[1.0f32, 2.0], [3.0, 4.0]], |row: Tensor| mirror(&row))?;
/// assert_eq!(y.as_slice::<f32>()?, &[2.0, 1.0, 4.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The op.
    pub op: &'static OpDef,
    /// Its attributes.
    pub attrs: &'a Attrs,
    /// Its operands; at least one is not the same in all calls.
    pub inputs: &'a [Lane],
    /// The types of its operands in each call, as known when one call was traced. The types of the stacks may
    /// tell less.
    pub types: &'a [TensorType],
    /// The types of its results in each call.
    pub outputs: &'a [TensorType],
    /// How many calls there are.
    pub count: &'a Count,
}

/// The results of all calls, or `None` if the rule does not support these operands. The calls then
/// run in a loop.
pub type Batched = Option<SmallVec<[Lane; 1]>>;

/// Replaces the calls of an op by a few calls of ops.
pub type BatchRule = fn(&Batch<'_>) -> Result<Batched>;

impl Batch<'_> {
    /// Operand `i`, if it is not the same in all calls.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// # use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let (attrs, count) = (Attrs::new(), Count { dim: Dim::from(3), tensor: scalar(3i64) });
    /// # let op = find_op("AddV2")?;
    /// // `b` is of three calls of `x + y`: `x` is the same in all of them, each has a `y` of its own.
    /// let inputs = [Lane::Same(row), Lane::Each(rows)];
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// assert!(b.each(0).is_none());
    /// assert_eq!(b.each(1).unwrap().shape(), shape![3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn each(&self, i: usize) -> Option<&Tensor> {
        match self.inputs.get(i) {
            Some(Lane::Each(t)) => Some(t),
            _ => None,
        }
    }

    /// Operand `i`, if it is the same in all calls.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// # use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let (attrs, count) = (Attrs::new(), Count { dim: Dim::from(3), tensor: scalar(3i64) });
    /// # let op = find_op("AddV2")?;
    /// // `b` is of three calls of `x + y`: `x` is the same in all of them, each has a `y` of its own.
    /// let inputs = [Lane::Same(row), Lane::Each(rows)];
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// assert_eq!(b.same(0).unwrap().shape(), shape![2]);
    /// assert!(b.same(1).is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn same(&self, i: usize) -> Option<&Tensor> {
        match self.inputs.get(i) {
            Some(Lane::Same(t)) => Some(t),
            _ => None,
        }
    }

    /// The rank of operand `i` in each call, if it is known.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// # use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let (attrs, count) = (Attrs::new(), Count { dim: Dim::from(3), tensor: scalar(3i64) });
    /// # let op = find_op("AddV2")?;
    /// // `b` is of three calls of `x + y`: `x` is the same in all of them, each has a `y` of its own.
    /// let inputs = [Lane::Same(row), Lane::Each(rows)];
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// assert_eq!((b.rank(0), b.rank(1)), (Some(1), Some(1)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rank(&self, i: usize) -> Option<usize> {
        self.types.get(i)?.shape.rank()
    }

    /// Operand `i` in a form that broadcasts against operands of this rank in each call. A stack gets axes of size 1
    /// behind its first axis; an operand that is the same in all calls is unchanged. `None` if the rank of a stacked
    /// operand is not known.
    ///
    /// # Errors
    /// `Internal` if there is none.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// # use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let (attrs, count) = (Attrs::new(), Count { dim: Dim::from(3), tensor: scalar(3i64) });
    /// # let op = find_op("AddV2")?;
    /// // `b` is of three calls of `x + y`: `x` is the same in all of them, each has a `y` of its own.
    /// let inputs = [Lane::Same(row), Lane::Each(rows)];
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// assert_eq!(b.aligned(1, 3)?.unwrap().shape(), shape![3, 1, 1, 2]);
    /// assert_eq!(b.aligned(0, 3)?.unwrap().shape(), shape![2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn aligned(&self, i: usize, rank: usize) -> Result<Option<Tensor>> {
        match (self.inputs.get(i), self.rank(i)) {
            (Some(Lane::Each(t)), Some(own)) => {
                (own..rank).try_fold(t.clone(), |t, _| t.expand_dims(1)).map(Some)
            }
            (Some(Lane::Each(_)), None) => Ok(None),
            _ => self.same(i).cloned().map_or_else(|| self.all(i), Ok).map(Some),
        }
    }

    /// Operand `i` as a stack.
    ///
    /// # Errors
    /// `Internal` if there is none.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// # use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let (attrs, count) = (Attrs::new(), Count { dim: Dim::from(3), tensor: scalar(3i64) });
    /// # let op = find_op("AddV2")?;
    /// // `b` is of three calls of `x + y`: `x` is the same in all of them, each has a `y` of its own.
    /// let inputs = [Lane::Same(row), Lane::Each(rows)];
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// assert_eq!(b.all(0)?.as_slice::<f32>()?, &[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
    /// assert_eq!(b.all(1)?.shape(), shape![3, 2]);
    /// assert!(b.all(2).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn all(&self, i: usize) -> Result<Tensor> {
        match self.inputs.get(i) {
            Some(Lane::Each(t)) => Ok(t.clone()),
            Some(Lane::Same(t)) => self.count.repeat(t),
            None => Err(crate::types::err!(Internal, "{} has no operand {i}", self.op.rust_name)),
        }
    }

    /// The integers of operand `i`, if they are known, and the same in all calls.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// # use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// # let (rows, axes) = (tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]], tensor![0]);
    /// # let types = [tensor![10.0f32, 20.0].tensor_type(), axes.tensor_type()];
    /// # let (attrs, count) = (Attrs::new(), Count { dim: Dim::from(3), tensor: scalar(3i64) });
    /// # let op = find_op("Sum")?;
    /// // `b` is of three calls of `reduce_sum(x, [0], false)`.
    /// let inputs = [Lane::Each(rows), Lane::Same(axes)];
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// assert_eq!(b.integers(1).as_deref(), Some(&[0][..]));
    /// assert!(b.integers(0).is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn integers(&self, i: usize) -> Option<SmallVec<[i64; 4]>> {
        let t = self.same(i)?;
        match t.rank() {
            Some(0) => Axis::from_input(Some(t)).ok().map(|axis| [axis.0].into_iter().collect()),
            _ => Integers::from_input(Some(t)).ok()?.known(),
        }
    }

    /// An attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another kind.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// use extype::ir::Attrs;
    /// # use extype::ir::find_op;
    /// use extype::ops::Stack;
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let count = Count { dim: Dim::from(3), tensor: scalar(3i64) };
    /// # let op = find_op("Pack")?;
    /// // `b` is of three calls of `stack((x, y), 0)`, whose axis is an attribute.
    /// let (attrs, inputs) = (Attrs::new().with(Stack::AXIS, &0), [Lane::Same(row), Lane::Each(rows)]);
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// assert_eq!(b.get(Stack::AXIS)?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        self.attrs.get(key)
    }

    /// Runs the op on operands with the calls along their first axis.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// # use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let (attrs, count) = (Attrs::new(), Count { dim: Dim::from(3), tensor: scalar(3i64) });
    /// # let op = find_op("AddV2")?;
    /// // `b` is of three calls of `x + y`: `x` is the same in all of them, each has a `y` of its own.
    /// let inputs = [Lane::Same(row), Lane::Each(rows)];
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// let Some(results) = b.run(&[b.all(0)?, b.all(1)?])? else { panic!("add has a rule") };
    /// let [Lane::Each(sums)] = &results[..] else { panic!("one stack of sums") };
    /// assert_eq!(sums.as_slice::<f32>()?, &[11.0, 22.0, 31.0, 42.0, 51.0, 62.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run(&self, inputs: &[Tensor]) -> Result<Batched> {
        self.run_with(self.attrs.clone(), inputs)
    }

    /// [`run`](Self::run) with other attributes.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::control::Lane;
    /// # use extype::control::{Batch, Count};
    /// use extype::ir::Attrs;
    /// # use extype::ir::find_op;
    /// use extype::ops::Stack;
    /// use extype::prelude::*;
    /// # let (row, rows) = (tensor![1.0f32, 2.0], tensor![[10.0f32, 20.0], [30.0, 40.0], [50.0, 60.0]]);
    /// # let types = [row.tensor_type(), row.tensor_type()];
    /// # let count = Count { dim: Dim::from(3), tensor: scalar(3i64) };
    /// # let op = find_op("Pack")?;
    /// // `b` is of three calls of `stack((x, y), 0)`, whose axis is an attribute.
    /// let (attrs, inputs) = (Attrs::new().with(Stack::AXIS, &0), [Lane::Same(row), Lane::Each(rows)]);
    /// # let b = Batch { inputs: &inputs, op, attrs: &attrs, types: &types, outputs: &types[..1], count: &count };
    /// let moved = Attrs::new().with(Stack::AXIS, &1);
    /// let Some(results) = b.run_with(moved, &[b.all(0)?, b.all(1)?])? else { panic!("no results") };
    /// assert!(matches!(&results[..], [Lane::Each(pairs)] if pairs.shape() == shape![3, 2, 2]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run_with(&self, attrs: Attrs, inputs: &[Tensor]) -> Result<Batched> {
        let inputs: SmallVec<[&Tensor; 4]> = inputs.iter().collect();
        let outputs = execute(self.op, attrs, &inputs)?;
        Ok(Some(outputs.into_iter().map(Lane::Each).collect()))
    }

    /// The operands: plain data unchanged, the others as stacks. `None` if plain data depends on the call, or
    /// if an operand has an unknown rank. An axis that is out of range in a call could then name the batch
    /// axis.
    fn data(&self) -> Result<Option<Vec<Tensor>>> {
        let args = self.op.spread_inputs(self.inputs.len()).zip(self.inputs).enumerate();
        let input = |(i, (arg, lane)): (usize, (&crate::ir::ArgDef, &Lane))| match lane {
            Lane::Same(t) if arg.is_static => Ok(Some(t.clone())),
            Lane::Each(_) if arg.is_static => Ok(None),
            _ if self.rank(i).is_none() => Ok(None),
            _ => self.all(i).map(Some),
        };
        args.map(input).collect()
    }
}

/// One result.
pub(in crate::ops) fn one(t: Tensor) -> Result<Batched> {
    Ok(Some([Lane::Each(t)].into_iter().collect()))
}

/// Integers as a tensor with the dtype of `t`; a scalar if `t` is one.
pub(in crate::ops) fn integers_like(t: &Tensor, numbers: &[i64]) -> Result<Tensor> {
    let shape: &[usize] = if t.rank() == Some(0) { &[] } else { &[numbers.len()] };
    match t.dtype() {
        // The numbers came from int32 and grew by one at most.
        DType::I32 => {
            let small: Vec<i32> = numbers.iter().map(|n| *n as i32).collect();
            Tensor::from_slice(&small, shape)
        }
        _ => Tensor::from_slice(numbers, shape),
    }
}

/// The axis of the stack for an axis of one call. An axis that counts from the end stays the same.
pub(in crate::ops) fn moved(axis: i64) -> i64 {
    if axis < 0 { axis } else { axis + 1 }
}

/// The rule of elementwise ops whose operands broadcast.
pub(in crate::ops) fn elementwise(b: &Batch<'_>) -> Result<Batched> {
    if let [Lane::Each(x)] = b.inputs {
        return b.run(std::slice::from_ref(x));
    }
    broadcasting(b, b.inputs.len())
}

/// The rule of elementwise ops whose first operands, `n` of them, broadcast; the others must be the same in all calls.
pub(in crate::ops) fn broadcasting(b: &Batch<'_>, n: usize) -> Result<Batched> {
    let ranks: Option<Vec<usize>> = (0..n).map(|i| b.rank(i)).collect();
    let Some(most) = ranks.and_then(|ranks| ranks.into_iter().max()) else { return Ok(None) };
    let input = |i| if i < n { b.aligned(i, most) } else { Ok(b.same(i).cloned()) };
    let inputs = (0..b.inputs.len()).map(input).collect::<Result<Option<Vec<_>>>>()?;
    inputs.map_or(Ok(None), |inputs| b.run(&inputs))
}

/// The rule of elementwise ops whose operands have one shape.
pub(in crate::ops) fn alike(b: &Batch<'_>) -> Result<Batched> {
    let inputs = (0..b.inputs.len()).map(|i| b.all(i)).collect::<Result<Vec<_>>>()?;
    b.run(&inputs)
}

/// The rule of ops along axes that operand `at` gives.
pub(in crate::ops) fn along(b: &Batch<'_>, at: usize) -> Result<Batched> {
    let (Some(axes), Some(given)) = (b.integers(at), b.same(at)) else { return Ok(None) };
    let Some(mut inputs) = b.data()? else { return Ok(None) };
    let axes: Vec<i64> = axes.into_iter().map(moved).collect();
    inputs[at] = integers_like(given, &axes)?;
    b.run(&inputs)
}

/// The rule of ops along an axis that is an attribute.
pub(in crate::ops) fn along_attr(b: &Batch<'_>, key: AttrKey<i64>) -> Result<Batched> {
    let Some(inputs) = b.data()? else { return Ok(None) };
    let axis = moved(b.get(key)?);
    b.run_with(b.attrs.clone().with(key, &axis), &inputs)
}

/// The rule of ops that allow a further first axis on all operands: those along the last axis.
pub(in crate::ops) fn leading(b: &Batch<'_>) -> Result<Batched> {
    match b.data()? {
        Some(inputs) => b.run(&inputs),
        None => Ok(None),
    }
}

/// The rule of ops whose operands from the second on are lists with one entry for each axis. `entries` are the
/// entries for the new first axis.
pub(in crate::ops) fn per_axis(b: &Batch<'_>, entries: &[i64]) -> Result<Batched> {
    let Some(mut inputs) = b.data()? else { return Ok(None) };
    for (i, entry) in entries.iter().enumerate() {
        let Some(list) = prefixed(b, i + 1, *entry)? else { return Ok(None) };
        inputs[i + 1] = list;
    }
    b.run(&inputs)
}

/// The list of operand `i`, which must be the same in all calls, with an entry before the others.
pub(in crate::ops) fn prefixed(b: &Batch<'_>, i: usize, entry: i64) -> Result<Option<Tensor>> {
    let Some(given) = b.same(i) else { return Ok(None) };
    let list = match b.integers(i) {
        Some(known) => {
            let all: Vec<i64> = std::iter::once(entry).chain(known).collect();
            integers_like(given, &all)?
        }
        None => {
            let own = integers_like(given, &[entry])?;
            crate::ops::concat(&[&own, given], 0)?
        }
    };
    Ok(Some(list))
}

/// A batching rule with its op; rows register it.
#[derive(Clone, Copy)]
pub struct BatchEntry {
    op: &'static OpDef,
    rule: BatchRule,
}

impl BatchEntry {
    /// The rule of an op.
    pub const fn new(op: &'static OpDef, rule: BatchRule) -> Self {
        Self { op, rule }
    }
}

inventory::collect!(BatchEntry);

/// The batching rule of an op, if its row or its family has one.
///
/// ```
/// use extype::control::batch_rule;
/// use extype::ir::find_op;
/// assert!(batch_rule(find_op("Tanh")?).is_some() && batch_rule(find_op("MatMul")?).is_some());
/// assert!(batch_rule(find_op("Unique")?).is_none());
/// # Ok::<(), extype::Error>(())
/// ```
pub fn batch_rule(op: &'static OpDef) -> Option<BatchRule> {
    static RULES: ByOp<BatchRule> = ByOp::new();
    let entries = || inventory::iter::<BatchEntry>.into_iter().map(|e| (e.op, e.rule));
    RULES.get(op, entries).copied().or(match op.kind {
        OpKind::UnaryElementwise | OpKind::BinaryElementwise => Some(elementwise),
        OpKind::Reduction => Some(|b| along(b, 1)),
        OpKind::Standalone => None,
    })
}
