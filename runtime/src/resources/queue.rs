//! Queues between parts of a program.

use std::fmt;

use crate::ir::OpDef;
use crate::ops::{
    FifoQueue, NamedOp as _, Op as _, PaddingFifoQueue, PriorityQueue, QueueClose, QueueDequeue,
    QueueDequeueMany, QueueDequeueUpTo, QueueEnqueue, QueueEnqueueMany, QueueIsClosed, QueueSize,
};
use crate::spec::{Module, ModuleCell, ModuleVisitor, TensorSpec, VariableCopies};
use crate::tensor::{Tensor, TensorLike, call_site, execute, fitted};
use crate::types::{DType, Result, Shape, bail};

/// A queue of elements, each of which is a tensor or several ones: one part of a program puts them in, another one
/// takes them out.
///
/// Its operations wait, without a limit: for room in a full queue, and for elements in an empty one. Calls that wait
/// have their turn in the order in which they came. A thread that waits for 5 seconds while no other thread has ever
/// used the queue prints a warning. Tasks of a thread pool should not wait for each other by a queue.
///
/// TensorFlow: `tf.queue.FIFOQueue`, `PaddingFIFOQueue` and `PriorityQueue`.
///
/// # Threads
/// Any number of threads may put elements in and take them out.
///
/// ```
/// use extype::prelude::*;
/// use extype::resources::Queue;
/// let queue = Queue::fifo(10, &[TensorSpec::of::<f32>([2])])?;
/// let pair = std::thread::scope(|s| {
///     s.spawn(|| queue.enqueue_many(&[tensor![[1.0f32, 2.0], [3.0, 4.0]]]));
///     queue.dequeue_many(2)
/// })?;
/// assert_eq!(pair[0].as_slice::<f32>()?, &[1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Queue {
    handle: Tensor,
    components: Vec<TensorSpec>,
}

impl Queue {
    /// A queue whose elements leave in the order in which they came. The components of an element have these types.
    /// It holds at most `capacity` elements.
    ///
    /// # Errors
    /// `InvalidArgument` for no component, or for one that is no data.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([]), TensorSpec::new([2], f32)])?;
    /// queue.enqueue(&[scalar(1i64), tensor![2.0f32, 3.0]])?;
    /// assert_eq!(queue.dequeue()?[1].as_slice::<f32>()?, &[2.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn fifo(capacity: usize, components: &[TensorSpec]) -> Result<Self> {
        let _site = call_site!();
        Self::made(FifoQueue::DEF, capacity, components, components.to_vec())
    }

    /// A queue like [`fifo`](Self::fifo), whose components may have unknown sizes: several elements that leave at once
    /// are padded with zeros (false, empty strings) to the largest of them.
    ///
    /// # Errors
    /// As `fifo`, and `InvalidArgument` for a component of unknown rank.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::padding(10, &[TensorSpec::new(shape![?], i32)])?;
    /// queue.enqueue(&[tensor![1]])?;
    /// queue.enqueue(&[tensor![2, 3]])?;
    /// assert_eq!(queue.dequeue_many(2)?[0].as_slice::<i32>()?, &[1, 0, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn padding(capacity: usize, components: &[TensorSpec]) -> Result<Self> {
        let _site = call_site!();
        if components.iter().any(|spec| spec.shape.rank().is_none()) {
            bail!("a component of unknown rank can't be padded");
        }
        Self::made(PaddingFifoQueue::DEF, capacity, components, components.to_vec())
    }

    /// A queue whose elements leave by priority, the smallest first. The priority, an int64 scalar, is the first component
    /// of an element, and these are the others.
    ///
    /// # Errors
    /// As [`fifo`](Self::fifo).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::priority(10, &[TensorSpec::new(shape![], DType::String)])?;
    /// queue.enqueue_many(&[tensor![5i64, 1], tensor!["later", "now"]])?;
    /// assert_eq!(queue.dequeue()?[1].to_strings()?, ["now"]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn priority(capacity: usize, components: &[TensorSpec]) -> Result<Self> {
        let _site = call_site!();
        let first = TensorSpec::new(Shape::scalar(), DType::I64);
        let all = [&[first], components].concat();
        Self::made(PriorityQueue::DEF, capacity, components, all)
    }

    fn made(
        op: &'static OpDef,
        capacity: usize,
        given: &[TensorSpec],
        components: Vec<TensorSpec>,
    ) -> Result<Self> {
        let make = FifoQueue {
            component_types: given.iter().map(|spec| spec.dtype).collect(),
            shapes: given.iter().map(|spec| spec.shape.clone()).collect(),
            capacity: i64::try_from(capacity).unwrap_or(-1),
            container: String::new(),
            shared_name: String::new(),
        };
        // The three ops have the same attributes.
        let handle = crate::tensor::execute_one(op, make.attrs(), &[])?;
        Ok(Self { handle, components })
    }

    /// The handle: a scalar tensor of dtype `Resource`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// assert_eq!(queue.handle().dtype(), DType::Resource);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn handle(&self) -> &Tensor {
        &self.handle
    }

    fn put<T: TensorLike>(&self, op: &'static OpDef, values: &[T], rows: bool) -> Result<()> {
        if values.len() != self.components.len() {
            bail!("{} components given, of {}", values.len(), self.components.len());
        }
        let mut inputs = vec![self.handle.clone()];
        for (value, spec) in values.iter().zip(&self.components) {
            let value = fitted(&*value.lend()?, spec.dtype)?.into_owned();
            let shape = match rows {
                true => value.shape().slice(Some(1), None),
                false => value.shape(),
            };
            if value.dtype() != spec.dtype || !shape.is_compatible_with(&spec.shape) {
                bail!("a component of {} for a queue of {spec}", value.tensor_type());
            }
            inputs.push(value);
        }
        let inputs: Vec<&Tensor> = inputs.iter().collect();
        execute(op, QueueEnqueue { timeout_ms: -1 }.attrs(), &inputs).map(|_| ())
    }

    /// Puts an element in, and waits while the queue is full.
    ///
    /// # Errors
    /// `InvalidArgument` for other components; `Cancelled` if the queue is closed.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// queue.enqueue(&[7])?;
    /// assert_eq!(queue.dequeue()?[0].item::<i64>()?, 7);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn enqueue<T: TensorLike>(&self, element: &[T]) -> Result<()> {
        let _site = call_site!();
        self.put(QueueEnqueue::DEF, element, false)
    }

    /// Puts the rows of the components in, each as an element.
    ///
    /// # Errors
    /// As [`enqueue`](Self::enqueue).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// queue.enqueue_many(&[[1, 2, 3]])?;
    /// assert_eq!(queue.size()?.item::<i32>()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn enqueue_many<T: TensorLike>(&self, elements: &[T]) -> Result<()> {
        let _site = call_site!();
        self.put(QueueEnqueueMany::DEF, elements, true)
    }

    fn take(&self, op: &'static OpDef, n: Option<Tensor>) -> Result<Vec<Tensor>> {
        let attrs = QueueDequeue {
            component_types: self.components.iter().map(|spec| spec.dtype).collect(),
            shapes: self.components.iter().map(|spec| spec.shape.clone()).collect(),
            timeout_ms: -1,
        };
        let inputs: Vec<&Tensor> = std::iter::once(&self.handle).chain(&n).collect();
        Ok(execute(op, attrs.attrs(), &inputs)?.into_iter().collect())
    }

    /// Takes an element out, and waits while there is none.
    ///
    /// # Errors
    /// `OutOfRange` if the queue is empty and closed.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// queue.close()?;
    /// assert_eq!(queue.dequeue().unwrap_err().kind(), ErrorKind::OutOfRange);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn dequeue(&self) -> Result<Vec<Tensor>> {
        let _site = call_site!();
        self.take(QueueDequeue::DEF, None)
    }

    /// Takes `n` elements out, each component stacked along a new first axis. It takes them as they come, and waits until
    /// it has as many, which may be more than the queue holds.
    ///
    /// # Errors
    /// As [`dequeue`](Self::dequeue), and `InvalidArgument` for a negative number and for components whose sizes may
    /// differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// queue.enqueue_many(&[[1, 2, 3]])?;
    /// assert_eq!(queue.dequeue_many(2)?[0].as_slice::<i64>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn dequeue_many(&self, n: impl TensorLike) -> Result<Vec<Tensor>> {
        let _site = call_site!();
        self.take(QueueDequeueMany::DEF, Some(fitted(&*n.lend()?, DType::I32)?.into_owned()))
    }

    /// [`dequeue_many`](Self::dequeue_many) that takes what is left of a closed queue.
    ///
    /// # Errors
    /// As `dequeue_many`; `OutOfRange` only if nothing is left.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// queue.enqueue_many(&[[1, 2, 3]])?;
    /// queue.close()?;
    /// assert_eq!(queue.dequeue_up_to(5)?[0].as_slice::<i64>()?, &[1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn dequeue_up_to(&self, n: impl TensorLike) -> Result<Vec<Tensor>> {
        let _site = call_site!();
        self.take(QueueDequeueUpTo::DEF, Some(fitted(&*n.lend()?, DType::I32)?.into_owned()))
    }

    /// Closes the queue: nothing more comes in, but the elements of calls that wait for room already. What is left can be
    /// taken out. Closing does not wait for these calls; in TensorFlow it does.
    ///
    /// # Errors
    /// `Cancelled` if it is closed already; `FailedPrecondition` if a traced function uses a queue that was dropped.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// queue.close()?;
    /// assert_eq!(queue.enqueue(&[1]).unwrap_err().kind(), ErrorKind::Cancelled);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn close(&self) -> Result<()> {
        let _site = call_site!();
        self.closed_by(QueueClose { cancel_pending_enqueues: false })
    }

    /// [`close`](Self::close) by which the calls that wait for room fail, with an error of the kind `Cancelled`. It may
    /// follow a `close`.
    ///
    /// # Errors
    /// `FailedPrecondition` if a traced function uses a queue that was dropped.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(1, &[TensorSpec::of::<i64>([])])?;
    /// let full = std::thread::scope(|s| {
    ///     let producer = s.spawn(|| queue.enqueue_many(&[[1, 2, 3]]));
    ///     queue.dequeue()?;
    ///     queue.close_and_cancel()?;
    ///     producer.join().expect("no panic")
    /// });
    /// assert_eq!(full.unwrap_err().kind(), ErrorKind::Cancelled);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn close_and_cancel(&self) -> Result<()> {
        let _site = call_site!();
        self.closed_by(QueueClose { cancel_pending_enqueues: true })
    }

    fn closed_by(&self, op: QueueClose) -> Result<()> {
        execute(QueueClose::DEF, op.attrs(), &[&self.handle]).map(|_| ())
    }

    /// Whether the queue is closed: a bool, a scalar.
    ///
    /// # Errors
    /// As [`close_and_cancel`](Self::close_and_cancel).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// assert!(!queue.is_closed()?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn is_closed(&self) -> Result<Tensor> {
        let _site = call_site!();
        QueueIsClosed {}.run(&[&self.handle])
    }

    /// The number of elements in the queue: int32, a scalar.
    ///
    /// # Errors
    /// As [`close_and_cancel`](Self::close_and_cancel).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::Queue;
    /// let queue = Queue::fifo(10, &[TensorSpec::of::<i64>([])])?;
    /// assert_eq!(queue.size()?.item::<i32>()?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn size(&self) -> Result<Tensor> {
        let _site = call_site!();
        QueueSize {}.run(&[&self.handle])
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.handle.value().and_then(|handle| handle.as_resource()) {
            Ok(state) => write!(f, "<{state:?}>"),
            Err(_) => write!(f, "<queue of {:?}>", self.components),
        }
    }
}

impl Module for Queue {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        visitor.state("handle".into(), ModuleCell::Handle(&self.handle));
    }

    fn copied(&self, copies: &VariableCopies) -> Result<Self> {
        Ok(Self { handle: copies.of_handle(&self.handle), components: self.components.clone() })
    }
}
