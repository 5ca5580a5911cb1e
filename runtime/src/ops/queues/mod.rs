//! Queues: elements that one part of a program puts in and another one takes out. Users have them as
//! [`Queue`](crate::resources::Queue).

mod kernel;
mod state;

use state::Order;

use crate::define_op;
use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::{no_outputs, one, resource};
use crate::types::{DType, Dim, Result, Shape, TensorType};

define_op! {
    attrs Making {
        shapes: Vec<Shape> = Vec::new(), capacity: i64 = -1, container: String = String::new(),
        shared_name: String = String::new()
    }

    attrs Taking { component_types: Vec<DType>, shapes as "_shapes": Vec<Shape> = Vec::new(), timeout_ms: i64 = -1 }

    /// Makes a queue whose elements leave in the order in which they came. Each run makes a new one.
    ///
    /// TensorFlow: `FIFOQueueV2`.
    pub op FifoQueue = "FIFOQueueV2" {
        inputs: {  }, outputs: { handle: {Resource} },
        attrs: { component_types: Vec<DType>, ..Making },
        dispatch: none,
        effect: Writes,
        infer: resource, kernel: |c| kernel::make(c, Order::First),
        gradient: none,
    }

    /// Makes a queue like [`FifoQueue`], whose elements are padded when several leave at once.
    ///
    /// TensorFlow: `PaddingFIFOQueueV2`.
    pub op PaddingFifoQueue = "PaddingFIFOQueueV2" {
        inputs: {  }, outputs: { handle: {Resource} },
        attrs: { component_types: Vec<DType>, ..Making },
        dispatch: none,
        effect: Writes,
        infer: resource, kernel: |c| kernel::make(c, Order::Padding),
        gradient: none,
    }

    /// Makes a queue whose elements leave in the order of their priority, the first component: int64, smallest first.
    ///
    /// TensorFlow: `PriorityQueueV2`.
    pub op PriorityQueue = "PriorityQueueV2" {
        inputs: {  }, outputs: { handle: {Resource} },
        attrs: { component_types: Vec<DType> = Vec::new(), ..Making },
        dispatch: none,
        effect: Writes,
        infer: resource, kernel: |c| kernel::make(c, Order::Priority),
        gradient: none,
    }

    /// Puts an element into a queue, and waits while it is full.
    ///
    /// TensorFlow: `QueueEnqueueV2`.
    pub op QueueEnqueue = "QueueEnqueueV2" {
        inputs: { handle: {Resource}, components: (Tcomponents) }, outputs: {  },
        attrs: { timeout_ms: i64 = -1 },
        dispatch: none,
        effect: Writes,
        infer: no_outputs, kernel: kernel::enqueue,
        gradient: none,
    }

    /// Puts the rows of the components into a queue, and waits while it is full.
    ///
    /// TensorFlow: `QueueEnqueueManyV2`.
    pub op QueueEnqueueMany = "QueueEnqueueManyV2" {
        inputs: { handle: {Resource}, components: (Tcomponents) }, outputs: {  },
        attrs: { timeout_ms: i64 = -1 },
        dispatch: none,
        effect: Writes,
        infer: enqueue_many, kernel: kernel::enqueue_many,
        gradient: none,
    }

    /// Takes an element out of a queue, and waits while there is none.
    ///
    /// TensorFlow: `QueueDequeueV2`.
    pub op QueueDequeue = "QueueDequeueV2" {
        inputs: { handle: {Resource} }, outputs: { components: (component_types) },
        attrs: { ..Taking },
        dispatch: none,
        effect: Writes,
        infer: |c| components(c, false), kernel: kernel::dequeue,
        gradient: none,
    }

    /// Takes `n` elements out of a queue, stacked along a new first axis, and waits until there are as many.
    ///
    /// TensorFlow: `QueueDequeueManyV2`.
    pub op QueueDequeueMany = "QueueDequeueManyV2" {
        inputs: { handle: {Resource}, n: {I32} }, outputs: { components: (component_types) },
        attrs: { ..Taking },
        dispatch: none,
        effect: Writes,
        infer: |c| components(c, true), kernel: |c| kernel::dequeue_many(c, false),
        gradient: none,
    }

    /// [`QueueDequeueMany`] that takes what is left of a closed queue.
    ///
    /// TensorFlow: `QueueDequeueUpToV2`.
    pub op QueueDequeueUpTo = "QueueDequeueUpToV2" {
        inputs: { handle: {Resource}, n: {I32} }, outputs: { components: (component_types) },
        attrs: { ..Taking },
        dispatch: none,
        effect: Writes,
        infer: |c| components(c, true), kernel: |c| kernel::dequeue_many(c, true),
        gradient: none,
    }

    /// Closes a queue: no more elements come in, but those of calls that wait already; with `cancel_pending_enqueues` these
    /// fail. What is left can be taken out.
    ///
    /// TensorFlow: `QueueCloseV2`.
    pub op QueueClose = "QueueCloseV2" {
        inputs: { handle: {Resource} }, outputs: {  },
        attrs: { cancel_pending_enqueues: bool = false },
        dispatch: none,
        effect: Writes,
        infer: no_outputs, kernel: kernel::close,
        gradient: none,
    }

    /// Whether a queue is closed.
    ///
    /// TensorFlow: `QueueIsClosedV2`.
    pub op QueueIsClosed = "QueueIsClosedV2" {
        inputs: { handle: {Resource} }, outputs: { is_closed: {Bool} },
        dispatch: none,
        effect: Reads,
        infer: |_| one(DType::Bool, Shape::scalar()), kernel: kernel::is_closed,
        gradient: none,
    }

    /// The number of elements in a queue: int32, a scalar.
    ///
    /// TensorFlow: `QueueSizeV2`.
    pub op QueueSize = "QueueSizeV2" {
        inputs: { handle: {Resource} }, outputs: { size: {I32} },
        dispatch: none,
        effect: Reads,
        infer: |_| one(DType::I32, Shape::scalar()), kernel: kernel::size,
        gradient: none,
    }
}

/// The components have rows.
fn enqueue_many(c: &InferContext<'_>) -> Result<Types> {
    (1..c.inputs.len()).try_for_each(|i| c.shape(i).with_rank_at_least(1).map(|_| ()))?;
    Ok(Types::new())
}

/// The components of an element, or of several ones with a new first axis.
fn components(c: &InferContext<'_>, many: bool) -> Result<Types> {
    let (dtypes, shapes) = (c.get(QueueDequeue::COMPONENT_TYPES)?, c.get(QueueDequeue::SHAPES)?);
    let first = if many { Shape::from_iter([Dim::UNKNOWN]) } else { Shape::scalar() };
    let component = |(i, dtype): (usize, DType)| {
        let shape = shapes.get(i).cloned().unwrap_or_default();
        TensorType::new(dtype, first.concatenate(&shape))
    };
    Ok(dtypes.into_iter().enumerate().map(component).collect())
}
