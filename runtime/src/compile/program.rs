//! Programs: instructions over slots.

use std::sync::OnceLock;

use smallvec::{SmallVec, smallvec};

use super::fuse::{Fused, Group, Groups, Run};
use super::instruction::{Instruction, OpCall, Source, Work};
use super::memory::free_after_last_use;
use super::profile::flops;
use super::{bytes_of, is_open};
use crate::array::Array;
use crate::device::{self, DeviceId};
use crate::ir::{
    CONST, Endpoint, FunctionGraph, Kernel, KernelContext, LoopState, NodeId, Spare, only,
};
use crate::tensor::{on, present_device, renewed};
use crate::types::{Error, Result};

/// A planned function. Its instructions are in the creation order of the nodes, so that effects
/// happen in the order of the body. A group of ops, which have no effects, stands where its last op stood, before the
/// assignments that wait for it.
#[derive(Debug)]
pub(crate) struct Program {
    pub(super) instructions: Vec<Instruction>,
    pub(super) constants: Vec<Array>,
    /// The bytes of the array in each slot, if they are known.
    pub(super) slots: Vec<Option<usize>>,
    /// The most bytes of values at once, computed when first asked for.
    pub(super) peak: OnceLock<Option<usize>>,
    num_inputs: usize,
    /// The source of each result, and whether this is its last use, so that it may be moved.
    pub(super) outputs: SmallVec<[(Source, bool); 4]>,
}

/// Memory for the results of a run.
pub(super) type Slots = SmallVec<[Option<Array>; FEW_SLOTS]>;

/// The number of slots that need no allocation.
const FEW_SLOTS: usize = 32;

/// The lengths of arrays that are computed in place. Shorter ones lie in the array's own block,
/// longer ones are split among threads.
pub(super) const IN_PLACE: std::ops::Range<usize> = 256..1 << 15;

impl Program {
    /// The slots of the results of an instruction, by its place.
    pub(super) fn results(&self, i: usize) -> std::ops::Range<usize> {
        self.first_result(i)..self.first_result(i + 1)
    }

    /// The first of these slots; those before it are of the instructions before, and of inputs that the program owns.
    pub(super) fn first_result(&self, i: usize) -> usize {
        self.instructions.get(i).map_or(self.slots.len(), |i| i.first_output as usize)
    }

    /// Plans a graph.
    pub(crate) fn new(function: &FunctionGraph) -> Program {
        let mut plan = Plan::default();
        for (i, input) in function.inputs.iter().enumerate() {
            plan.sources.insert(*input, Source::Input(i as u32));
        }
        plan.program(function)
    }

    /// Plans a graph whose program owns its inputs, for [`run_taking`](Self::run_taking).
    pub(crate) fn taking(function: &FunctionGraph) -> Program {
        let mut plan = Plan::default();
        for (i, input) in function.inputs.iter().enumerate() {
            plan.sources.insert(*input, Source::Slot(i as u32));
            plan.slots.push(bytes_of(&function.graph.node(*input).outputs[0]));
        }
        plan.program(function)
    }

    /// Runs the program on its inputs, arguments first, then captures. `result` converts each result.
    ///
    /// # Errors
    /// The error of a kernel, with its op and the line that made the node.
    pub(crate) fn run<T>(
        &self,
        inputs: &[&Array],
        result: impl Fn(Array) -> T,
    ) -> Result<SmallVec<[T; 1]>> {
        self.check_count(inputs.len())?;
        let mut slots: Slots = match self.slots.len() <= FEW_SLOTS {
            true => SmallVec::from_buf_and_len([const { None }; FEW_SLOTS], self.slots.len()),
            false => smallvec![None; self.slots.len()],
        };
        let slots = &mut slots[..];
        self.steps(inputs, slots)?;
        self.finish(inputs, slots, result)
    }

    /// The results, each converted by `result`, of a program whose instructions ran.
    #[inline(always)]
    pub(super) fn finish<T>(
        &self,
        inputs: &[&Array],
        slots: &mut [Option<Array>],
        result: impl Fn(Array) -> T,
    ) -> Result<SmallVec<[T; 1]>> {
        if let [place] = &self.outputs[..] {
            return Ok(SmallVec::from_buf([result(self.output(place, inputs, slots)?)]));
        }
        let mut outputs = SmallVec::with_capacity(self.outputs.len());
        for place in &self.outputs {
            outputs.push(result(self.output(place, inputs, slots)?));
        }
        Ok(outputs)
    }

    /// Like [`run`](Self::run), for a program that owns its inputs: the results replace them in `state`. An
    /// input whose last use is a result is moved there.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn run_taking(&self, state: &mut LoopState) -> Result<()> {
        self.check_count(state.len())?;
        let mut slots: Slots = state.drain(..).map(Some).collect();
        slots.resize(self.slots.len(), None);
        self.steps(&[], &mut slots)?;
        for place in &self.outputs {
            state.push(self.output(place, &[], &mut slots)?);
        }
        Ok(())
    }

    pub(super) fn check_count(&self, given: usize) -> Result<()> {
        if given == self.num_inputs {
            return Ok(());
        }
        let wanted = self.num_inputs;
        Err(Error::internal(format!("{given} inputs given for a program of {wanted}")))
    }

    /// Runs the instructions. Compiled once, here and not in the crates of users.
    #[inline(never)]
    fn steps(&self, inputs: &[&Array], slots: &mut [Option<Array>]) -> Result<()> {
        let spare = Spare::default();
        for instruction in &self.instructions {
            self.step(instruction, inputs, slots, &spare)?;
        }
        Ok(())
    }

    /// Reads a result, or moves it if this is its last use.
    fn output(
        &self,
        (source, last): &(Source, bool),
        inputs: &[&Array],
        slots: &mut [Option<Array>],
    ) -> Result<Array> {
        match source {
            Source::Slot(i) if *last => slots[*i as usize].take().ok_or_else(freed),
            // Each result has its own identity, even if it is an input or is returned twice.
            _ => self.read(*source, inputs, slots).and_then(renewed),
        }
    }

    /// Runs an instruction. Always inlined: a call for each would cost small programs a tenth of their time.
    #[inline(always)]
    pub(super) fn step(
        &self,
        i: &Instruction,
        inputs: &[&Array],
        slots: &mut [Option<Array>],
        spare: &Spare,
    ) -> Result<()> {
        match &i.device {
            None => self.step_here(i, inputs, slots, spare),
            Some((name, device)) => {
                let device = device.map_or_else(|| device::named(name), Ok);
                self.step_on(device, i, inputs, slots, spare)
            }
        }
    }

    /// Runs an instruction on its device.
    #[inline(never)]
    fn step_on(
        &self,
        device: Result<DeviceId>,
        i: &Instruction,
        inputs: &[&Array],
        slots: &mut [Option<Array>],
        spare: &Spare,
    ) -> Result<()> {
        let device = match (device, &i.work) {
            (Ok(device), _) => device,
            (Err(e), Work::Op(call)) => return Err(i.located(e.with_op(call.op.rust_name))),
            (Err(e), Work::Group(_)) => return Err(i.located(e)),
        };
        let _scope = (present_device() != Some(device)).then(|| on(device));
        let call = match &i.work {
            Work::Op(call) if !device.is_host() => call,
            _ => return self.step_here(i, inputs, slots, spare),
        };
        let run = |c: &KernelContext<'_>| device::run(device, call.op, c.inputs, c.attrs);
        let outputs = self.compute(i, call, inputs, slots, spare, run)?;
        i.store(outputs, slots);
        i.release(slots, spare);
        Ok(())
    }

    /// Runs an instruction where its caller runs.
    #[inline(always)]
    fn step_here(
        &self,
        i: &Instruction,
        inputs: &[&Array],
        slots: &mut [Option<Array>],
        spare: &Spare,
    ) -> Result<()> {
        let call = match &i.work {
            Work::Op(call) => call,
            Work::Group(fused) => return self.group(i, fused, inputs, slots, spare),
        };
        if call.in_place && self.step_in_place(i, call, inputs, slots) {
            return Ok(());
        }
        if call.changes && self.step_changing(i, call, inputs, slots, spare)? {
            return Ok(());
        }
        let first = i.first_output as usize;
        // Dtypes and arities were checked when the node was made.
        if call.one_output && !call.infers {
            let output =
                self.compute(i, call, inputs, slots, spare, |c| match call.conditional() {
                    Some((branching, branches)) => only(branching.run_of(branches, c)?),
                    None => call.kernel.run_chosen(c),
                })?;
            i.check(call, std::slice::from_ref(&output))?;
            slots[first] = Some(output);
        } else {
            let outputs = self.compute(i, call, inputs, slots, spare, |c| match call.infers {
                true => call.op.run(c.inputs, c.attrs),
                false => match call.conditional() {
                    Some((branching, branches)) => branching.run_of(branches, c),
                    None => call.kernel.run(c),
                },
            })?;
            i.check(call, &outputs)?;
            i.store(outputs, slots);
        }
        i.release(slots, spare);
        Ok(())
    }

    /// Runs a group of ops.
    #[inline(never)]
    fn group(
        &self,
        i: &Instruction,
        fused: &Fused,
        inputs: &[&Array],
        slots: &mut [Option<Array>],
        spare: &Spare,
    ) -> Result<()> {
        let outputs = {
            let mut operands: SmallVec<[&Array; 8]> = SmallVec::new();
            for source in &i.inputs {
                operands.push(self.read(*source, inputs, slots)?);
            }
            let last = || fused.ops.last().map_or("", |op| op.rust_name);
            fused.run(&operands, spare).map_err(|e| i.located(e.with_op(last())))?
        };
        i.store(outputs, slots);
        i.release(slots, spare);
        Ok(())
    }

    /// Runs a kernel that owns the first operand, which nothing reads afterwards. False if it is not in a slot.
    #[inline(never)]
    fn step_changing(
        &self,
        i: &Instruction,
        call: &OpCall,
        inputs: &[&Array],
        slots: &mut [Option<Array>],
        spare: &Spare,
    ) -> Result<bool> {
        let Some((&Source::Slot(own), others)) = i.inputs.split_first() else { return Ok(false) };
        let Some(own) = slots[own as usize].take() else { return Ok(false) };
        let outputs = {
            let mut operands: SmallVec<[&Array; 4]> = SmallVec::new();
            for source in others {
                operands.push(self.read(*source, inputs, slots)?);
            }
            let context = KernelContext::new(&operands, &call.attrs).with_spare(spare);
            call.kernel.run_owning(own, &context)
        };
        let outputs = outputs.map_err(|e| i.located(e.with_op(call.op.rust_name)))?;
        i.check(call, &outputs)?;
        i.store(outputs, slots);
        i.release(slots, spare);
        Ok(true)
    }

    /// Calls `run` on the operands.
    #[inline]
    fn compute<R>(
        &self,
        i: &Instruction,
        call: &OpCall,
        inputs: &[&Array],
        slots: &[Option<Array>],
        spare: &Spare,
        run: impl FnOnce(&KernelContext<'_>) -> Result<R>,
    ) -> Result<R> {
        // Most instructions have one or two operands and need no list.
        let (one, two, mut many): ([&Array; 1], [&Array; 2], SmallVec<[&Array; 8]>);
        let operands: &[&Array] = match *i.inputs {
            [x] => {
                one = [self.read(x, inputs, slots)?];
                &one
            }
            [x, y] => {
                two = [self.read(x, inputs, slots)?, self.read(y, inputs, slots)?];
                &two
            }
            _ => {
                many = SmallVec::new();
                for source in &i.inputs {
                    many.push(self.read(*source, inputs, slots)?);
                }
                &many
            }
        };
        let context = KernelContext::new(operands, &call.attrs).with_spare(spare);
        run(&context).map_err(|e| i.fail(call, operands, e))
    }

    /// Computes a result in the storage of the first operand, if nothing else holds it. Large arrays
    /// are left to the kernels, which split them among threads.
    fn step_in_place(
        &self,
        i: &Instruction,
        call: &OpCall,
        inputs: &[&Array],
        slots: &mut [Option<Array>],
    ) -> bool {
        let Some(&Source::Slot(first)) = i.inputs.first() else { return false };
        let fits = |x: &Array| IN_PLACE.contains(&x.len());
        let Some(x) = slots[first as usize].take_if(|x| fits(x)) else { return false };
        let result = match i.inputs.get(1) {
            None => call.kernel.run_in_place(x, None),
            Some(other) => match self.read(*other, inputs, slots) {
                Ok(y) => call.kernel.run_in_place(x, Some(y)),
                Err(_) => Err(x),
            },
        };
        match result {
            Ok(y) => {
                for slot in i.frees.iter().chain(&i.spares) {
                    slots[*slot as usize] = None;
                }
                slots[i.first_output as usize] = Some(y);
                true
            }
            Err(x) => {
                slots[first as usize] = Some(x);
                false
            }
        }
    }

    #[inline]
    pub(super) fn read<'a>(
        &'a self,
        s: Source,
        inputs: &[&'a Array],
        slots: &'a [Option<Array>],
    ) -> Result<&'a Array> {
        match s {
            Source::Input(i) => Ok(inputs[i as usize]),
            Source::Constant(i) => Ok(&self.constants[i as usize]),
            Source::Slot(i) => slots[i as usize].as_ref().ok_or_else(freed),
        }
    }
}

#[cold]
fn freed() -> Error {
    Error::internal("a slot was freed before its last use")
}

#[derive(Default)]
struct Plan {
    instructions: Vec<Instruction>,
    constants: Vec<Array>,
    /// The bytes of the array in each slot, if they are known.
    slots: Vec<Option<usize>>,
    sources: rustc_hash::FxHashMap<NodeId, Source>,
}

impl Plan {
    /// Plans everything but the inputs.
    fn program(mut self, function: &FunctionGraph) -> Program {
        let needed = function.needed();
        let groups = Groups::new(function, &needed);
        for run in groups.in_order(function.graph.node_ids().filter(|id| needed[id.index()])) {
            match run {
                Run::Node(id) => self.add(function, id),
                Run::Group(group) => {
                    self.add_group(function, group, |id| groups.is_read_outside(id));
                }
            }
        }
        let outputs: SmallVec<[Source; 4]> =
            function.outputs.iter().map(|e| self.source(*e)).collect();
        free_after_last_use(function, &mut self.instructions, &self.slots, &outputs);
        let mut later = rustc_hash::FxHashSet::default();
        let mut outputs: SmallVec<[(Source, bool); 4]> =
            outputs.into_iter().rev().map(|source| (source, later.insert(source))).collect();
        outputs.reverse();
        Program {
            instructions: self.instructions,
            constants: self.constants,
            slots: self.slots,
            peak: OnceLock::new(),
            num_inputs: function.inputs.len(),
            outputs,
        }
    }

    fn add(&mut self, function: &FunctionGraph, id: NodeId) {
        if self.sources.contains_key(&id) {
            return;
        }
        let node = function.graph.node(id);
        if let Some(value) = node.constant().filter(|_| node.op == &CONST) {
            self.sources.insert(id, Source::Constant(self.constants.len() as u32));
            self.constants.push(value.clone());
            return;
        }
        let first_output = self.slots.len() as u32;
        self.slots.extend(node.outputs.iter().map(bytes_of));
        self.sources.insert(id, Source::Slot(first_output));
        let first = node.inputs.first().map(|e| function.graph.output_type(*e).dtype);
        let (own, op) = (node.op.is_own(), node.op);
        // Results of another crate's op are compared with the types inferred while tracing. It is
        // inferred again only if those types are not fully known.
        let infers = match own {
            true => op.kernel.needs_inference(),
            false => !node.outputs.iter().all(|ty| ty.shape.is_fully_defined()),
        };
        let call = OpCall {
            op: node.op,
            branches: match node.op.kernel {
                Kernel::Branch(branching) => (branching.branches)(&node.attrs).ok().map(Box::new),
                _ => None,
            },
            kernel: first.map_or(node.op.kernel, |dtype| node.op.kernel.chosen(dtype, &node.attrs)),
            attrs: node.attrs.clone(),
            one_output: own && node.outputs.len() == 1,
            promised: op.is_checked().then(|| node.outputs.iter().cloned().collect()),
            infers: infers && node.inputs.iter().any(|e| is_open(&function.graph, *e))
                || !op.passes_surely(&node.attrs, &node.inputs, |e| function.graph.output_type(*e)),
            in_place: false,
            changes: false,
        };
        self.push(Work::Op(call), function, (id, flops(function, id)), &node.inputs, first_output);
    }

    /// Adds the ops of a group as one instruction, or one after the other if they don't fit together.
    fn add_group(
        &mut self,
        function: &FunctionGraph,
        group: &Group,
        is_result: impl Fn(NodeId) -> bool,
    ) {
        let Some((fused, operands, results)) = Fused::new(function, group, is_result) else {
            return group.nodes().for_each(|id| self.add(function, id));
        };
        let first_output = self.slots.len() as u32;
        for (k, id) in results.iter().enumerate() {
            self.slots.push(bytes_of(&function.graph.node(*id).outputs[0]));
            self.sources.insert(*id, Source::Slot(first_output + k as u32));
        }
        let Some(last) = group.nodes().next_back() else { return };
        let flops = group.nodes().try_fold(0u64, |all, id| all.checked_add(flops(function, id)?));
        self.push(Work::Group(Box::new(fused)), function, (last, flops), &operands, first_output);
    }

    fn push(
        &mut self,
        work: Work,
        function: &FunctionGraph,
        (node, flops): (NodeId, Option<u64>),
        operands: &[Endpoint],
        first_output: u32,
    ) {
        self.instructions.push(Instruction {
            work,
            node,
            inputs: operands.iter().map(|e| self.source(*e)).collect(),
            first_output,
            outputs: self.slots.len() as u32 - first_output,
            frees: SmallVec::new(),
            spares: SmallVec::new(),
            location: function.graph.node(node).location,
            device: function
                .graph
                .node(node)
                .device
                .clone()
                .map(|name| (name.clone(), device::named(&name).ok())),
            within: function.graph.node(node).within.clone(),
            flops,
        });
    }

    fn source(&self, e: Endpoint) -> Source {
        match self.sources[&e.node] {
            Source::Slot(first) => Source::Slot(first + e.output),
            source => source,
        }
    }
}
