//! The single entry point of ops: a call runs the kernel, or adds a node to the trace.

use smallvec::SmallVec;

use super::compound;
use super::context::{self, Called, Interpretation, is_active};
use super::frame::leaked;
use super::mark::renewed;
use super::scope::{current_device, foreign_device};
use super::{Frame, Tensor};
use crate::array::Array;
use crate::device;
use crate::ir::{Attrs, Endpoint, GraphId, OpDef, Outputs};
use crate::types::{DType, Error, Result, caller};

/// The results of an op, usually one.
pub type Tensors = SmallVec<[Tensor; 1]>;

/// Calls an op. In a trace this adds a node to the graph; outside it runs the kernel.
///
/// # Errors
/// What the op's checks, its shape inference or its kernel refuse, with the op's name and the
/// user's line.
///
/// ```
/// use extype::ir::{Attrs, find_op};
/// use extype::prelude::*;
/// use extype::tensor::execute;
/// let y = execute(find_op("Neg")?, Attrs::new(), &[&scalar(2.0f32)])?;
/// assert_eq!(y[0].item::<f32>()?, -2.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn execute(op: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Tensors> {
    let _site = context::call_site();
    let result = if is_active() {
        in_context(op, &attrs, inputs)
    } else if op.is_compound() {
        compound::run(op, &attrs, inputs)
    } else {
        arrays(inputs).and_then(|arrays| op.run(&arrays, &attrs)).map(values)
    };
    result.map_err(|e| locate(e, op))
}

/// [`execute`] for ops with one result.
///
/// # Errors
/// As [`execute`].
///
/// ```
/// use extype::ir::{Attrs, find_op};
/// use extype::prelude::*;
/// use extype::tensor::execute_one;
/// let y = execute_one(find_op("AddV2")?, Attrs::new(), &[&scalar(2.0f32), &scalar(3.0f32)])?;
/// assert_eq!(y.item::<f32>()?, 5.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn execute_one(op: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Tensor> {
    // Does not call `execute`: making a list of one and taking it apart costs as much as a small kernel.
    let _site = context::call_site();
    let output = if is_active() {
        in_context(op, &attrs, inputs).and_then(only)
    } else if op.is_compound() {
        compound::run(op, &attrs, inputs).and_then(only)
    } else {
        compute(op, &attrs, inputs).map(Tensor::Value)
    };
    output.map_err(|e| locate(e, op))
}

#[inline]
fn values(outputs: Outputs) -> Tensors {
    match outputs.into_inner() {
        Ok([output]) => Tensors::from_buf([Tensor::Value(output)]),
        Err(outputs) => outputs.into_iter().map(Tensor::Value).collect(),
    }
}

fn only(mut outputs: Tensors) -> Result<Tensor> {
    match outputs.pop() {
        Some(output) if outputs.is_empty() => Ok(output),
        _ => Err(Error::internal("the op has not one result")),
    }
}

#[cold]
fn locate(e: Error, op: &OpDef) -> Error {
    let e = e.with_op(op.rust_name);
    match caller() {
        Some(call) => e.with_location(call.location),
        None => e,
    }
}

/// Runs an op with one result.
#[inline(always)]
fn compute(op: &OpDef, attrs: &Attrs, inputs: &[&Tensor]) -> Result<Array> {
    // The most frequent calls need no list.
    match inputs {
        [Tensor::Value(x)] => op.run_one(&[x], attrs),
        [Tensor::Value(x), Tensor::Value(y)] => op.run_one(&[x, y], attrs),
        _ => op.run_one(&arrays(inputs)?, attrs),
    }
}

/// The values of the tensors.
fn arrays<'a>(inputs: &[&'a Tensor]) -> Result<SmallVec<[&'a Array; 4]>> {
    inputs.iter().map(|t| value(t)).collect()
}

fn value(t: &Tensor) -> Result<&Array> {
    match t {
        Tensor::Value(array) => Ok(array),
        Tensor::Symbol(symbol) => Err(leaked(symbol)),
    }
}

/// Calls an op while traces or recorders are active.
fn in_context(op: &'static OpDef, attrs: &Attrs, inputs: &[&Tensor]) -> Result<Tensors> {
    match context::interpretation(inputs) {
        None => {}
        // The trace would repeat the effect at each call.
        Some(Interpretation::Around(symbol)) if op.effect.must_run() => return Err(leaked(symbol)),
        Some(Interpretation::Around(_)) => {
            return context::around(|| in_context(op, attrs, inputs));
        }
        Some(Interpretation::Outside) => {
            return context::outside(|| execute(op, attrs.clone(), inputs));
        }
        Some(Interpretation::By(interpreter)) => {
            let called = Called { def: op, attrs, op: None };
            let mut on_stand_ins = || context::uninterpreted(|| in_context(op, attrs, inputs));
            if let Some(results) = interpreter.call(called, inputs, &mut on_stand_ins)? {
                return Ok(results);
            }
        }
    }
    if op.is_compound() {
        return compound::run(op, attrs, inputs);
    }
    let recorders = context::recorders();
    let forward = recorders.iter().find_map(|r| r.prepare(op, attrs, inputs));
    let (op, attrs) = forward.as_ref().map_or((op, attrs), |forward| (forward.op, &forward.attrs));
    let mut outputs = match context::is_tracing() {
        true => add_node(op, attrs.clone(), inputs)?,
        // While a kernel waits for the pool, this thread may run unrelated tasks. Its tapes must not
        // record those.
        false => {
            let arrays = arrays(inputs)?;
            values(context::init_scope(|| match foreign_device() {
                Some(device) => device::run(device, op, &arrays, attrs),
                None => op.run(&arrays, attrs),
            })?)
        }
    };
    if !recorders.is_empty() {
        for output in &mut outputs {
            // A kernel may return a shared array: an operand, or the value of a variable. A recorder needs
            // a result with its own identity.
            if let Tensor::Value(array) = output
                && array.dtype() != DType::Resource
                && !array.is_unique()
            {
                *array = renewed(array)?;
            }
        }
    }
    for recorder in recorders {
        recorder.record(op, attrs, inputs, &outputs);
    }
    if let Some(forward) = forward {
        outputs.truncate(forward.results);
    }
    Ok(outputs)
}

/// Adds the call as a node of the innermost trace. Shape inference may be user code, so no part of the context
/// is borrowed while it runs.
pub(super) fn add_node(op: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Tensors> {
    let (inputs, operands) = in_frame(|frame, enclosing| {
        let graphs: SmallVec<[GraphId; 4]> = enclosing.iter().map(Frame::graph_id).collect();
        let mut endpoint = |t: &&Tensor| {
            let identity = match t.dtype() {
                DType::Resource => Frame::resolved_in(enclosing, t.id()),
                _ => t.id(),
            };
            frame.endpoint_of(t, identity, &graphs)
        };
        let inputs: SmallVec<[Endpoint; 2]> =
            inputs.iter().map(&mut endpoint).collect::<Result<_>>()?;
        let operands = frame.graph().operands(&inputs);
        Ok((inputs, operands))
    })?;
    let outputs = operands.infer(op, &attrs)?;
    in_frame(|frame, _| {
        let graph = frame.graph_mut();
        let node = graph.add_inferred(op, attrs, inputs, outputs, caller().map(|c| c.location));
        if let Some(device) = current_device() {
            graph.set_device(node, Some(device.to_string().into()));
        }
        frame.mark(node);
        let graph = frame.graph();
        let count = graph.node(node).outputs.len() as u32;
        let symbol = |output| Tensor::Symbol(graph.symbol(Endpoint { node, output }));
        Ok((0..count).map(symbol).collect())
    })
}

/// Calls `f` with the innermost trace and the traces around it.
fn in_frame<R>(f: impl FnOnce(&mut Frame, &mut [Frame]) -> Result<R>) -> Result<R> {
    context::with_frames(|frames| {
        let Some((frame, enclosing)) = frames.split_last_mut() else {
            return Err(Error::internal("no trace is open"));
        };
        f(frame, enclosing)
    })
}

impl Frame {
    pub(crate) fn graph_id(&self) -> GraphId {
        self.graph().id()
    }
}
