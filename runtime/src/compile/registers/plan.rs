//! Plans graphs as steps over registers.

use rustc_hash::FxHashMap;

use super::step::{
    Block, Loop, Register, RegisterStep, ValuePlace, Vector, check, compare, convert, copy, map,
    push, zip,
};
use crate::array::Array;
use crate::compile::{MAX_FOLDED, simplify};
use crate::device::leaves_host;
use crate::ir::{
    Branching, Effect, Endpoint, FunctionGraph, Kernel, LibraryFunction, Looping, Node, NodeId,
};
use crate::types::{DType, TensorType, ensure_stack};

/// The places of tensors.
type Places = FxHashMap<Endpoint, ValuePlace>;

/// The most nodes that are planned for a loop: inlining grows fast where functions call others twice.
const MAX_NODES: usize = 1 << 13;
/// The most loops within each other: each takes some of the stack when it runs.
const MAX_DEPTH: usize = 16;

/// The array of a vector.
pub(super) enum Origin {
    /// A tensor of the loop's state.
    State(usize),
    Constant(Array),
}

/// A vector that a loop uses.
pub(super) struct PlannedVector {
    pub(super) vector: Vector,
    pub(super) origin: Origin,
    /// The number of its last write among all writes of the loop, from one on; zero if there is none.
    pub(super) last_write: usize,
}

impl PlannedVector {
    pub(super) fn is_written(&self) -> bool {
        self.last_write > 0
    }

    pub(super) fn array<'a>(&'a self, state: &'a [Array]) -> &'a Array {
        match &self.origin {
            Origin::State(i) => &state[*i],
            Origin::Constant(array) => array,
        }
    }
}

/// The registers and vectors that are in use.
#[derive(Default)]
pub(super) struct RegisterPlan {
    /// The number of nodes planned so far.
    nodes: usize,
    /// The number of loops around what is planned.
    depth: usize,
    /// The initial values of the registers.
    pub(super) registers: Vec<u64>,
    /// Whether each register is a constant.
    constant: Vec<bool>,
    pub(super) vectors: Vec<PlannedVector>,
    /// The vectors that are lists, and a register of the dtype of each one's elements.
    pub(super) lists: Vec<(Vector, Register)>,
    /// The number of writes to vectors planned so far.
    writes: usize,
}

impl RegisterPlan {
    fn vector(&mut self, dtype: DType, origin: Origin) -> Vector {
        let vector = Vector { dtype, at: self.vectors.len() as u32 };
        self.vectors.push(PlannedVector { vector, origin, last_write: 0 });
        vector
    }

    /// A new register.
    pub(super) fn register(&mut self, dtype: DType) -> Option<Register> {
        let new = Register::holds(dtype)
            .then_some(Register { dtype, at: self.registers.len() as u32 })?;
        self.registers.push(0);
        self.constant.push(false);
        Some(new)
    }

    /// The bits of a register, if it is a constant.
    pub(super) fn known(&self, x: Register) -> Option<u64> {
        self.constant[x.index()].then(|| self.registers[x.index()])
    }

    /// A constant of one element, or a vector.
    fn constant(&mut self, value: &Array) -> Option<ValuePlace> {
        if Vector::holds(&value.tensor_type()) && value.len() != 1 {
            let origin = Origin::Constant(value.clone());
            return Some(ValuePlace::Vector(self.vector(value.dtype(), origin)));
        }
        let new = self.register(value.dtype())?;
        self.registers[new.index()] = new.load(value)?;
        self.constant[new.index()] = true;
        Some(ValuePlace::Register(new))
    }

    /// A place for each input of a loop's body. An input that the body returns unchanged may be of any type, if
    /// nothing computes with it. The vectors of an inner loop are those `from` the function around it.
    pub(super) fn state(
        &mut self,
        body: &FunctionGraph,
        from: Option<&[Option<ValuePlace>]>,
    ) -> Option<Vec<Option<ValuePlace>>> {
        if body.outputs.len() < body.inputs.len()
            || from.is_some_and(|f| f.len() < body.inputs.len())
        {
            return None;
        }
        let inputs = body.inputs.iter().map(|node| Endpoint { node: *node, output: 0 });
        let place = |(i, (own, next)): (usize, (Endpoint, &Endpoint))| {
            let ty = body.graph.output_type(own);
            let is_list = ty.dtype == DType::Variant && ty.shape.rank() == Some(0);
            let place = match from {
                _ if ty.shape.num_elements() == Some(1) && !is_list => {
                    self.register(ty.dtype).map(ValuePlace::Register)
                }
                Some(from) => from[i].filter(|place| matches!(place, ValuePlace::Vector(_))),
                None if !is_list && !Vector::holds(ty) => None,
                None => Some(ValuePlace::Vector(self.vector(ty.dtype, Origin::State(i)))),
            };
            (place.is_some() || *next == own).then_some(place)
        };
        inputs.zip(&body.outputs).enumerate().map(place).collect()
    }

    /// The loop of these functions over a state.
    pub(super) fn looped(
        &mut self,
        test: &FunctionGraph,
        body: &FunctionGraph,
        state: &[Option<ValuePlace>],
    ) -> Option<Loop> {
        let mut types = body.input_types().zip(test.input_types());
        if !types.all(|(given, wanted)| given.is_subtype_of(wanted)) {
            return None;
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let written = self.writes;
        let (test_steps, at) = self.block(test, state)?;
        let [goes_on] = test.outputs[..] else { return None };
        let goes_on = at.get(&goes_on)?.register()?;
        // What a test writes is not part of the state.
        if goes_on.dtype != DType::Bool || self.writes != written {
            return None;
        }
        let (mut steps, at) = self.block(body, state)?;
        for (list, e) in body.outputs[state.len()..].iter().enumerate() {
            steps.push(push(list, at.get(e)?.register()?)?);
        }
        // All new values are computed before the first of them is moved into the state.
        let mut moves = Vec::new();
        for (to, e) in state.iter().zip(&body.outputs) {
            match (to, at.get(e)) {
                (None, _) => {}
                (Some(to), Some(from)) if from == to => {}
                (Some(ValuePlace::Register(to)), Some(ValuePlace::Register(from))) => {
                    moves.push((*from, *to));
                }
                _ => return None,
            }
        }
        let overwritten: Vec<Register> = moves.iter().map(|(_, to)| *to).collect();
        for (from, _) in moves.iter_mut().filter(|(from, _)| overwritten.contains(from)) {
            let between = self.register(from.dtype)?;
            steps.push(copy(*from, between)?);
            *from = between;
        }
        for (from, to) in moves {
            steps.push(copy(from, to)?);
        }
        self.depth -= 1;
        Some(Loop { test: test_steps, goes_on, body: steps })
    }

    /// The steps of a function on these inputs, and the places of its tensors.
    fn block(
        &mut self,
        function: &FunctionGraph,
        inputs: &[Option<ValuePlace>],
    ) -> Option<(Block, Places)> {
        if function.inputs.len() != inputs.len() {
            return None;
        }
        ensure_stack("the functions of a loop call each other too deep").ok()?;
        let given = function.inputs.iter().zip(inputs);
        let given = given
            .filter_map(|(node, place)| Some((Endpoint { node: *node, output: 0 }, (*place)?)));
        let mut at: Places = given.collect();
        let mut steps = Block::new();
        let needed = function.needed();
        for id in function.graph.node_ids().filter(|id| needed[id.index()]) {
            if function.inputs.contains(&id) {
                continue;
            }
            let node = function.graph.node(id);
            self.nodes += 1;
            let is_plain = node.effect() == Effect::Pure && !leaves_host(node.device.as_deref());
            if self.nodes > MAX_NODES || !is_plain {
                return None;
            }
            if let Some(value) = node.constant() {
                // A constant without a place can't be the operand of an elementwise op.
                let place = self.constant(value);
                at.extend(place.map(|place| (Endpoint { node: id, output: 0 }, place)));
                continue;
            }
            // A function was simplified with what is known of its inputs.
            let type_of = |e: &Endpoint| function.graph.output_type(*e);
            if !node.op.passes_surely(&node.attrs, &node.inputs, type_of) {
                return None;
            }
            let from: Vec<Option<ValuePlace>> =
                node.inputs.iter().map(|e| at.get(e).copied()).collect();
            let written = self.writes;
            let results: Vec<Option<ValuePlace>> = match node.op.kernel {
                Kernel::Branch(branching) => self.branch(branching, node, &from, &mut steps)?,
                Kernel::Loop(looping) => {
                    let looping = looping(&node.attrs).ok()?;
                    self.inner(&looping, &from, &mut steps)?
                }
                Kernel::Call(called) => {
                    self.call(&*called(&node.attrs).ok()?, &from, &mut steps)?
                }
                _ => match from.first().copied().flatten() {
                    Some(ValuePlace::Vector(x)) if x.is_list() => {
                        self.list(function, node, x, &from, &mut steps)?
                    }
                    _ => vec![Some(self.element(node, &from, &mut steps)?)],
                },
            };
            if self.writes != written && !self.is_last(function, &needed, &at, id, written) {
                return None;
            }
            let results = (0..).zip(results);
            at.extend(
                results.filter_map(|(output, place)| Some((Endpoint { node: id, output }, place?))),
            );
        }
        Some((steps, at))
    }

    /// Plans an elementwise op on tensors of one element. Returns the register of its result.
    pub(super) fn op(
        &mut self,
        node: &Node,
        from: &[Option<ValuePlace>],
        steps: &mut Block,
    ) -> Option<Register> {
        let [ty] = &node.outputs[..] else { return None };
        if ty.shape.num_elements() != Some(1) {
            return None;
        }
        let from: Vec<Register> =
            from.iter().map(|place| place.and_then(ValuePlace::register)).collect::<Option<_>>()?;
        let mut kernel = node.op.kernel.chosen(from.first()?.dtype, &node.attrs);
        if let Kernel::Checked(i, accepts, checked) = kernel {
            let x = *from.get(i)?;
            match self.known(x) {
                Some(bits) => accepts(&x.array(bits).ok()?).ok()?,
                None => steps.push(check(x, accepts)),
            }
            kernel = *checked;
        }
        let to = self.register(ty.dtype)?;
        steps.push(match (kernel, &from[..]) {
            (Kernel::Pass, [x]) => copy(*x, to)?,
            (Kernel::Map(table), [x]) => map(table, *x, to)?,
            (Kernel::Convert(dtype), [x]) if dtype == to.dtype => convert(*x, to)?,
            (Kernel::Zip(table), [x, y]) => zip(table, [*x, *y], to)?,
            (Kernel::Compare(table), [x, y]) => compare(table, [*x, *y], to)?,
            _ => return None,
        });
        Some(to)
    }

    /// Plans a conditional on one bool. Returns the places of its results.
    fn branch(
        &mut self,
        branching: &Branching,
        node: &Node,
        from: &[Option<ValuePlace>],
        steps: &mut Block,
    ) -> Option<Vec<Option<ValuePlace>>> {
        let pick = from.first().copied()??.register()?;
        if pick.dtype != DType::Bool {
            return None;
        }
        let branches = (branching.branches)(&node.attrs).ok()?;
        // The place of a vector is known when the first branch is planned.
        let place = |ty: &TensorType| match ty.shape.num_elements() {
            Some(1) if ty.dtype != DType::Variant => {
                self.register(ty.dtype).map(|register| Some(ValuePlace::Register(register)))
            }
            _ => Some(None),
        };
        let mut results: Vec<Option<ValuePlace>> =
            node.outputs.iter().map(place).collect::<Option<_>>()?;
        let mut arm = |value: bool| {
            let picked = branching.picked(&Array::scalar(value), branches.len()).ok()?;
            let arm = graph(&branches[picked])?;
            if arm.outputs.len() != results.len() {
                return None;
            }
            let (mut steps, at) = self.block(&arm, &from[1..])?;
            for (e, to) in arm.outputs.iter().zip(&mut results) {
                match (*at.get(e)?, *to) {
                    (from, Some(to)) if from == to => {}
                    (ValuePlace::Register(from), Some(ValuePlace::Register(to))) => {
                        steps.push(copy(from, to)?);
                    }
                    (from @ ValuePlace::Vector(_), None) => *to = Some(from),
                    _ => return None,
                }
            }
            Some(steps)
        };
        let arms = [arm(false)?, arm(true)?];
        steps.push(RegisterStep::Branch { pick, arms });
        Some(results)
    }

    /// Plans the steps of a function that is called. Returns the places of its results.
    fn call(
        &mut self,
        function: &LibraryFunction,
        from: &[Option<ValuePlace>],
        steps: &mut Block,
    ) -> Option<Vec<Option<ValuePlace>>> {
        let function = graph(function)?;
        let (own, at) = self.block(&function, from)?;
        steps.extend(own);
        let mut results = Vec::new();
        for e in &function.outputs {
            results.push(match at.get(e) {
                // Its register may be written to, when nothing reads the input itself any more.
                Some(ValuePlace::Register(x)) if function.inputs.contains(&e.node) => {
                    let to = self.register(x.dtype)?;
                    steps.push(copy(*x, to)?);
                    Some(ValuePlace::Register(to))
                }
                place => place.copied(),
            });
        }
        Some(results)
    }

    /// Plans an inner loop. Returns the places of its final state.
    fn inner(
        &mut self,
        looping: &Looping,
        from: &[Option<ValuePlace>],
        steps: &mut Block,
    ) -> Option<Vec<Option<ValuePlace>>> {
        let (test, body) = (graph(&looping.test)?, graph(&looping.body)?);
        if looping.saves.is_some() || body.outputs.len() != body.inputs.len() {
            return None;
        }
        let state = self.state(&body, Some(from))?;
        for (from, to) in from.iter().zip(&state) {
            if let Some(ValuePlace::Register(to)) = to {
                steps.push(copy(from.and_then(ValuePlace::register)?, *to)?);
            }
        }
        let looped = self.looped(&test, &body, &state)?;
        steps.push(RegisterStep::Loop(looped));
        Some(state)
    }

    /// Notes a write to a vector. Only vectors of the state are written to.
    pub(super) fn wrote(&mut self, vector: Vector) -> Option<()> {
        let written = &mut self.vectors[vector.at as usize];
        self.writes += 1;
        written.last_write = self.writes;
        matches!(written.origin, Origin::State(_)).then_some(())
    }

    /// True if no node after this one, and no result of the function, reads what was in the vectors that the node
    /// writes to. `written` is the number of writes before it.
    fn is_last(
        &self,
        function: &FunctionGraph,
        needed: &[bool],
        at: &Places,
        id: NodeId,
        written: usize,
    ) -> bool {
        let changed = |e: &Endpoint| {
            let vector = at.get(e).copied().and_then(ValuePlace::vector);
            vector.is_some_and(|vector| self.vectors[vector.at as usize].last_write > written)
        };
        let ids = function.graph.node_ids();
        let later = ids.filter(|node| needed[node.index()] && node.index() > id.index());
        let read = later.flat_map(|node| &function.graph.node(node).inputs);
        !function.outputs.iter().chain(read).any(changed)
    }
}

/// The simplified graph of a function.
fn graph(function: &LibraryFunction) -> Option<FunctionGraph> {
    simplify(function.graph()?, MAX_FOLDED).ok().map(|simplified| simplified.graph)
}
