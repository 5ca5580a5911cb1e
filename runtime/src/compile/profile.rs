//! What each step of a call costs.

use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

use super::instruction::{Source, Work};
use super::program::{Program, Slots};
use super::{Bounds, RESHAPES};
use crate::array::Array;
use crate::ir::{Endpoint, FunctionGraph, Kernel, NodeId, Outputs, Spare};
use crate::ops::linear::attention::ATTENTION;
use crate::ops::linear::views::{PRODUCT_OF_VIEWS, SIZES};
use crate::ops::{BatchMatMul, BroadcastTo, MatMul, NamedOp as _};
use crate::types::{Result, Shape};

/// One step of a profiled call: an op, or a group of ops that ran as one pass.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProfiledStep {
    /// The op's graph name, or the names of a group in brackets, the device if the op has one, and the types of the
    /// results.
    pub what: String,
    /// When the step began, from the start of the call.
    pub start: Duration,
    /// How long it took.
    pub time: Duration,
    /// The bytes of the operands and the results. An op that takes some elements reads less, and a conditional, a loop or
    /// a call moves more.
    pub bytes: usize,
    /// The arithmetic, counted by shapes: two for each number that a product of matrices adds up, one for each element
    /// of the result of another elementwise op, for each element that is reduced, and none for a cast or a reshape. `None`
    /// for other ops, and for sizes that the program does not know.
    pub flops: Option<u64>,
    /// The user's line that made the op; the last one of a group.
    pub location: Option<&'static Location<'static>>,
}

/// The steps of one call, in the order in which they ran.
///
/// It prints as a table. [`trace_events`](Self::trace_events) gives a file for a trace viewer.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Profile {
    /// The steps.
    pub steps: Vec<ProfiledStep>,
    /// The most bytes of results and values in between that live at once, by the plan of the program for these shapes.
    /// Results in place of an operand share its bytes, and of the branches of a conditional the one counts that needs
    /// most. A loop counts with its state and what an iteration needs beside it. Not counted are the inputs, constants,
    /// values of variables, what kernels need for themselves, memory that the program or a thread keeps to use it again,
    /// and code in Rust. `None` if the program does not know all sizes.
    pub peak_bytes: Option<usize>,
    /// What the steps are compared with, if anything.
    pub bounds: Option<Bounds>,
}

impl Profile {
    /// The time of all steps, without that between them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.exp()).concrete(&TensorSpec::of::<f32>([1000]))?;
    /// let profile = f.profile(&[ops::zeros([1000], f32)?])?;
    /// assert_eq!(profile.time(), profile.steps[0].time);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn time(&self) -> Duration {
        self.steps.iter().map(|step| step.time).sum()
    }

    /// The same steps beside what the machine can do: the table and the file tell each step's
    /// [`share`](ProfiledStep::share) of it.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Profile {
        self.bounds = Some(bounds);
        self
    }

    /// The steps in the Trace Event Format (JSON), which Perfetto and the tracing page of Chrome show.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.exp()).concrete(&TensorSpec::of::<f32>([1000]))?;
    /// let events = f.profile(&[ops::zeros([1000], f32)?])?.trace_events();
    /// assert!(events.starts_with(r#"[{"name":"Exp : float32[1000]","ph":"X","pid":1,"tid":1,"ts":"#), "{events}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn trace_events(&self) -> String {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let event = |step: &ProfiledStep| {
            // Op names of other crates and paths may hold what JSON writes otherwise.
            let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
            format!(
                r#"{{"name":"{}","ph":"X","pid":1,"tid":1,"ts":{:.3},"dur":{:.3},"args":{{"bytes":{},"flops":{}{},"line":"{}"}}}}"#,
                quoted(&step.what),
                micros(step.start),
                micros(step.time),
                step.bytes,
                step.flops.map_or_else(|| "null".to_owned(), |flops| flops.to_string()),
                self.bounds
                    .map_or_else(String::new, |b| format!(r#","of bound":{:.3}"#, step.share(&b))),
                quoted(&line(step)),
            )
        };
        // A label of the process, which viewers show beside its name.
        let peak = self.peak_bytes.map(|bytes| {
            format!(
                r#"{{"name":"process_labels","ph":"M","pid":1,"args":{{"labels":"at most {bytes} bytes at once"}}}}"#
            )
        });
        let events: Vec<String> = self.steps.iter().map(event).chain(peak).collect();
        format!("[{}]", events.join(",\n"))
    }
}

/// The user's line of a step.
fn line(step: &ProfiledStep) -> String {
    step.location.map_or_else(String::new, |l| format!("{}:{}", l.file(), l.line()))
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.time().as_secs_f64().max(1e-12);
        writeln!(
            f,
            "{:>10} {:>6} {:>12} {:>8} {:>8}{}  step",
            "µs",
            "share",
            "bytes",
            "GB/s",
            "GFLOP/s",
            self.bounds.map_or("", |_| " of bound")
        )?;
        for step in &self.steps {
            let seconds = step.time.as_secs_f64();
            let rate = |n: f64| n / seconds.max(1e-9) / 1e9;
            let flops =
                step.flops.map_or_else(|| "-".to_owned(), |n| format!("{:.1}", rate(n as f64)));
            let of_bound = |b| format!("{:>8.0}%", 100.0 * step.share(&b));
            let of_bound = self.bounds.map_or_else(String::new, of_bound);
            let (micros, share) = (seconds * 1e6, seconds / all * 100.0);
            let (what, line, bytes) = (&step.what, line(step), step.bytes);
            let moved = rate(bytes as f64);
            writeln!(
                f,
                "{micros:>10.1} {share:>5.1}% {bytes:>12} {moved:>8.1} {flops:>8}{of_bound}  {what}  {line}",
            )?;
        }
        write!(f, "{:>10.1} in {} steps", all * 1e6, self.steps.len())?;
        self.peak_bytes.map_or(Ok(()), |bytes| write!(f, "; at most {bytes} bytes at once"))
    }
}

/// The arithmetic of a node, if its sizes tell it and it can be counted.
pub(super) fn flops(function: &FunctionGraph, id: NodeId) -> Option<u64> {
    let (graph, node) = (&function.graph, function.graph.node(id));
    if RESHAPES.contains(&node.op) || node.op == BroadcastTo::DEF {
        return Some(0);
    }
    let input = |e: &Endpoint| &graph.output_type(*e).shape;
    let elements = |shape: &Shape| shape.num_elements().map(|n| n as u64);
    let (first, result) = (node.inputs.first()?, &node.outputs.first()?.shape);
    if [MatMul::DEF, BatchMatMul::DEF].contains(&node.op) {
        // The left operand has a row for each row of the result.
        let last = |shape: &Shape, i: usize| {
            let sizes = shape.sizes()?;
            sizes.len().checked_sub(i).map(|axis| sizes[axis] as u64)
        };
        let (left, rows) = (input(first), last(result, 2)?);
        let matrix = last(left, 1)?.checked_mul(last(left, 2)?)?;
        let summed = matrix.checked_div(rows).unwrap_or(0);
        return elements(result)?.checked_mul(2)?.checked_mul(summed);
    }
    if node.op == &PRODUCT_OF_VIEWS || node.op == &ATTENTION {
        let sizes = node.attrs.get(SIZES).ok()?;
        let product = |sizes: &[i64]| {
            sizes.iter().try_fold(2u64, |all, n| all.checked_mul(u64::try_from(*n).ok()?))
        };
        return match &sizes[..] {
            [front @ .., m, n, k, keys] if node.op == &ATTENTION => {
                product(front)?.checked_mul(product(&[*m, *keys, n + k])? / 2)
            }
            sizes => product(sizes),
        };
    }
    match node.op.kernel.chosen(graph.output_type(*first).dtype, &node.attrs) {
        Kernel::Pass | Kernel::Convert(_) => Some(0),
        Kernel::Reduce(_) => elements(input(first)),
        Kernel::Map(_)
        | Kernel::MapToBool(_)
        | Kernel::MapToU8(_)
        | Kernel::Zip(_)
        | Kernel::Compare(_)
        | Kernel::Rows(_)
        | Kernel::Checked(..)
        | Kernel::Elementwise(..) => elements(result),
        _ => None,
    }
}

/// The bytes of an array's elements; of strings and variants their places only.
fn bytes(array: &Array) -> usize {
    array.len() * array.dtype().size().unwrap_or(size_of::<usize>())
}

impl Program {
    /// Runs the program like [`run`](Self::run), and measures each instruction.
    pub(super) fn profile(&self, inputs: &[&Array]) -> Result<(Outputs, Profile)> {
        self.check_count(inputs.len())?;
        let mut slots = Slots::new();
        slots.resize(self.slots.len(), None);
        let (spare, start) = (Spare::default(), Instant::now());
        let mut steps = Vec::with_capacity(self.instructions.len());
        for (k, i) in self.instructions.iter().enumerate() {
            let read = |source: &Source| self.read(*source, inputs, &slots).map(bytes);
            let read: usize = i.inputs.iter().map(read).sum::<Result<_>>()?;
            let began = Instant::now();
            self.step(i, inputs, &mut slots, &spare)?;
            let time = began.elapsed();
            let written = || slots[self.results(k)].iter().flatten();
            let types: Vec<String> = written().map(|x| x.tensor_type().to_string()).collect();
            let ops = match &i.work {
                Work::Op(call) => call.op.name.to_owned(),
                Work::Group(group) => {
                    let names: Vec<&str> = group.ops.iter().map(|op| op.name).collect();
                    format!("[{}]", names.join(", "))
                }
            };
            steps.push(ProfiledStep {
                what: format!("{ops}{} : {}", i.on(), types.join(", ")),
                start: began - start,
                time,
                bytes: read + written().map(bytes).sum::<usize>(),
                flops: i.flops,
                location: i.location,
            });
        }
        let outputs = self.finish(inputs, &mut slots, |array| array)?;
        Ok((outputs, Profile { steps, peak_bytes: self.peak_bytes(), bounds: None }))
    }
}
