//! Kernels: queues.

use std::sync::Arc;

use super::state::{Element, Order, QueueState};
use super::{
    FifoQueue, QueueClose, QueueDequeue, QueueDequeueMany, QueueEnqueue, QueueEnqueueMany,
    components,
};
use crate::array::{Array, extent, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::slicing::assign::padded;
use crate::ops::{NamedOp as _, Stack};
use crate::types::{DType, Result, Shape, TensorType, bail, err};

/// The queue behind a handle.
fn queue(handle: &Array) -> Result<&QueueState> {
    let resource = handle.as_resource()?;
    let queue = resource.as_any().downcast_ref();
    queue.ok_or_else(|| err!("the resource is a {}, not a queue", resource.kind()))
}

pub(super) fn make(c: &KernelContext<'_>, order: Order) -> Result<Outputs> {
    let (mut dtypes, mut shapes) = (c.get(FifoQueue::COMPONENT_TYPES)?, c.get(FifoQueue::SHAPES)?);
    if !shapes.is_empty() && shapes.len() != dtypes.len() {
        bail!("{} shapes for {} components", shapes.len(), dtypes.len());
    }
    shapes.resize(dtypes.len(), Shape::unknown());
    if order == Order::Priority {
        dtypes.insert(0, DType::I64);
        shapes.insert(0, Shape::scalar());
    }
    if order == Order::Padding && shapes.iter().any(|s| s.rank().is_none()) {
        bail!("a queue that pads knows the ranks of its components, not shapes {shapes:?}");
    }
    let types = dtypes.into_iter().zip(shapes).map(|(dtype, shape)| TensorType::new(dtype, shape));
    let capacity = match c.get(FifoQueue::CAPACITY)? {
        0 => bail!("a queue of capacity 0 can hold nothing; -1 stands for no limit"),
        n => usize::try_from(n).unwrap_or(usize::MAX),
    };
    let state = QueueState::new(order, types.collect(), capacity)?;
    Ok([Array::from_resource(Arc::new(state))].into())
}

/// Refuses a limit of time, as TensorFlow does.
fn check_timeout(timeout_ms: i64) -> Result<()> {
    match timeout_ms {
        -1 => Ok(()),
        n => bail!("timeout_ms = {n}: queues wait without a limit, which is -1"),
    }
}

pub(super) fn enqueue(c: &KernelContext<'_>) -> Result<Outputs> {
    check_timeout(c.get(QueueEnqueue::TIMEOUT_MS)?)?;
    let element = c.inputs[1..].iter().map(|x| (*x).clone()).collect();
    queue(c.input(0))?.enqueue(vec![element])?;
    Ok(Outputs::new())
}

pub(super) fn enqueue_many(c: &KernelContext<'_>) -> Result<Outputs> {
    check_timeout(c.get(QueueEnqueueMany::TIMEOUT_MS)?)?;
    let (queue, components) = (queue(c.input(0))?, &c.inputs[1..]);
    let Some(count) = components.first().and_then(|x| x.dims().first().copied()) else {
        bail!("the components of several elements have a first axis");
    };
    if let Some(other) = components.iter().find(|x| x.dims().first() != Some(&count)) {
        bail!("{count} elements, and a component of shape {}", other.shape());
    }
    let row = |x: &Array, i: usize| {
        let dims = &x.dims()[1..];
        x.view(i * extent(dims), dims)
    };
    let mut elements = vec_for(count)?;
    for i in 0..count {
        elements.push(components.iter().map(|x| row(x, i)).collect::<Result<_>>()?);
    }
    queue.enqueue(elements)?;
    Ok(Outputs::new())
}

/// The types of the results: those of the queue's elements.
fn wanted(c: &KernelContext<'_>, queue: &QueueState, many: bool) -> Result<Types> {
    let wanted = components(&InferContext::new(&[], c.attrs, &|_| None), false)?;
    let is_of = |(own, ty): (&TensorType, &TensorType)| {
        own.dtype == ty.dtype && own.shape.is_compatible_with(&ty.shape)
    };
    if wanted.len() != queue.types().len() || !queue.types().iter().zip(&wanted).all(is_of) {
        let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
        bail!("elements ({}) wanted of {queue:?}", wanted.join(", "));
    }
    components(&InferContext::new(&[], c.attrs, &|_| None), many)
}

/// Refuses elements of other shapes than the op tells.
fn told(found: Outputs, wanted: &Types) -> Result<Outputs> {
    match found.iter().zip(wanted).find(|(x, ty)| !x.is_of(ty)) {
        Some((x, ty)) => bail!("a component of {} where the op tells {ty}", x.tensor_type()),
        None => Ok(found),
    }
}

pub(super) fn dequeue(c: &KernelContext<'_>) -> Result<Outputs> {
    check_timeout(c.get(QueueDequeue::TIMEOUT_MS)?)?;
    let queue = queue(c.input(0))?;
    let wanted = wanted(c, queue, false)?;
    let one =
        |taken: &[&Element]| told(taken.iter().copied().flatten().cloned().collect(), &wanted);
    queue.dequeue(1, false)?.used(one)
}

pub(super) fn dequeue_many(c: &KernelContext<'_>, up_to: bool) -> Result<Outputs> {
    check_timeout(c.get(QueueDequeueMany::TIMEOUT_MS)?)?;
    let (queue, n) = (queue(c.input(0))?, c.input(1).to_i64s()?);
    let Some(n) = n.first().and_then(|n| usize::try_from(*n).ok()) else {
        bail!("{n:?} elements wanted of {queue:?}");
    };
    if queue.order() != Order::Padding
        && let Some(ty) = queue.types().iter().find(|ty| !ty.shape.is_fully_defined())
    {
        bail!(
            "several elements of {queue:?} have shapes that may differ, {}: take them one by one",
            ty.shape
        );
    }
    let wanted = wanted(c, queue, true)?;
    queue.dequeue(n, up_to)?.used(|taken| {
        let stacked = |(i, ty): (usize, &TensorType)| stack(c, taken, i, ty);
        told(queue.types().iter().enumerate().map(stacked).collect::<Result<_>>()?, &wanted)
    })
}

/// Component `i` of several elements, padded to the sizes of the largest.
fn stack(c: &KernelContext<'_>, taken: &[&Element], i: usize, ty: &TensorType) -> Result<Array> {
    let known = ty.shape.dims().unwrap_or_default().iter();
    let mut dims: Vec<usize> = known.map(|dim| dim.size().unwrap_or(0)).collect();
    if taken.is_empty() {
        dims.insert(0, 0);
        return Array::zeros(ty.dtype, &dims[..]);
    }
    for element in taken {
        for (size, n) in dims.iter_mut().zip(element[i].dims()) {
            *size = (*size).max(*n);
        }
    }
    let rows = taken.iter().map(|element| padded(c, &element[i], &dims));
    let rows: Vec<Array> = rows.collect::<Result<_>>()?;
    let rows: Vec<&Array> = rows.iter().collect();
    Stack::DEF.run_one(&rows, &crate::ir::Attrs::new().with(Stack::AXIS, &0))
}

pub(super) fn close(c: &KernelContext<'_>) -> Result<Outputs> {
    queue(c.input(0))?.close(c.get(QueueClose::CANCEL_PENDING_ENQUEUES)?)?;
    Ok(Outputs::new())
}

pub(super) fn is_closed(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([Array::scalar(queue(c.input(0))?.is_closed())].into())
}

pub(super) fn size(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([Array::scalar(queue(c.input(0))?.len() as i32)].into())
}
