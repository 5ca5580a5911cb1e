//! Plans graphs as steps over registers.

use rustc_hash::FxHashMap;

use super::step::{Block, Loop, Register, RegisterStep, check, compare, convert, copy, map, zip};
use crate::array::Array;
use crate::compile::{MAX_FOLDED, simplify};
use crate::ir::{
    Branching, Effect, Endpoint, FunctionGraph, Kernel, LibraryFunction, Looping, Node,
};
use crate::types::{DType, ensure_stack};

/// The registers of tensors.
type Places = FxHashMap<Endpoint, Register>;

/// The most nodes that are planned for a loop: inlining grows fast where functions call others twice.
const MAX_NODES: usize = 1 << 13;

/// The registers that are in use.
#[derive(Default)]
pub(super) struct RegisterPlan {
    /// The number of nodes planned so far.
    nodes: usize,
    registers: Vec<u64>,
    /// Whether each register is a constant.
    constant: Vec<bool>,
}

impl RegisterPlan {
    /// The initial values of the registers.
    pub(super) fn into_registers(self) -> Vec<u64> {
        self.registers
    }

    /// A new register.
    fn register(&mut self, dtype: DType) -> Option<Register> {
        let new = Register::holds(dtype)
            .then_some(Register { dtype, at: self.registers.len() as u32 })?;
        self.registers.push(0);
        self.constant.push(false);
        Some(new)
    }

    fn constant(&mut self, value: &Array) -> Option<Register> {
        let new = self.register(value.dtype())?;
        self.registers[new.index()] = new.load(value)?;
        self.constant[new.index()] = true;
        Some(new)
    }

    /// A register for each scalar input of a loop's body. An input that the body returns unchanged may be of any
    /// type, if nothing computes with it.
    pub(super) fn state(&mut self, body: &FunctionGraph) -> Option<Vec<Option<Register>>> {
        if body.outputs.len() != body.inputs.len() {
            return None;
        }
        let inputs = body.inputs.iter().map(|node| Endpoint { node: *node, output: 0 });
        let register = |(own, next): (Endpoint, &Endpoint)| {
            let ty = body.graph.output_type(own);
            let scalar = ty.shape.rank() == Some(0);
            let register = if scalar { self.register(ty.dtype) } else { None };
            (register.is_some() || *next == own).then_some(register)
        };
        inputs.zip(&body.outputs).map(register).collect()
    }

    /// The loop of these functions over a state.
    pub(super) fn looped(
        &mut self,
        test: &FunctionGraph,
        body: &FunctionGraph,
        state: &[Option<Register>],
    ) -> Option<Loop> {
        if test.inputs.len() != state.len() || body.inputs.len() != state.len() {
            return None;
        }
        let (test_steps, at) = self.block(test, state, &Places::default())?;
        let goes_on = match test.outputs[..] {
            [one] => at.get(&one).copied()?,
            _ => return None,
        };
        if goes_on.dtype != DType::Bool {
            return None;
        }
        let (mut steps, at) = self.block(body, state, &computed_in_place(body, state))?;
        // All new values are computed before the first of them is moved into the state.
        let mut moves = Vec::new();
        for (to, e) in state.iter().zip(&body.outputs) {
            let Some(to) = *to else { continue };
            let from = *at.get(e)?;
            if from.dtype != to.dtype {
                return None;
            }
            if from != to {
                moves.push((from, to));
            }
        }
        let overwrites = |from: Register| moves.iter().any(|(_, to)| *to == from);
        let mut last = Vec::new();
        for (from, to) in &moves {
            let mut from = *from;
            if overwrites(from) {
                let between = self.register(from.dtype)?;
                steps.push(copy(from, between));
                from = between;
            }
            last.push(copy(from, *to));
        }
        steps.extend(last);
        Some(Loop { test: test_steps, goes_on, body: steps })
    }

    /// The steps of a function on these inputs, and the registers of its tensors. Elementwise ops write the
    /// tensors in `wanted` to the registers given there.
    fn block(
        &mut self,
        function: &FunctionGraph,
        inputs: &[Option<Register>],
        wanted: &Places,
    ) -> Option<(Block, Places)> {
        if function.inputs.len() != inputs.len() {
            return None;
        }
        ensure_stack("the functions of a loop call each other too deep").ok()?;
        let mut at = Places::default();
        for (node, register) in function.inputs.iter().zip(inputs) {
            if let Some(register) = register {
                at.insert(Endpoint { node: *node, output: 0 }, *register);
            }
        }
        let mut steps = Block::new();
        let needed = function.needed();
        for id in function.graph.node_ids().filter(|id| needed[id.index()]) {
            if function.inputs.contains(&id) {
                continue;
            }
            self.nodes += 1;
            if self.nodes > MAX_NODES {
                return None;
            }
            let node = function.graph.node(id);
            if node.effect() != Effect::Pure {
                return None;
            }
            if let Some(value) = node.constant() {
                // A constant without a register can't be the operand of an elementwise op.
                if let Some(register) = self.constant(value) {
                    at.insert(Endpoint { node: id, output: 0 }, register);
                }
                continue;
            }
            let from: Vec<Option<Register>> =
                node.inputs.iter().map(|e| at.get(e).copied()).collect();
            match node.op.kernel {
                Kernel::Branch(branching) => {
                    let results = self.branch(branching, node, &from, &mut steps)?;
                    for (k, register) in results.into_iter().enumerate() {
                        at.insert(Endpoint { node: id, output: k as u32 }, register);
                    }
                }
                Kernel::Loop(looping) => {
                    let looping = looping(&node.attrs).ok()?;
                    let state = self.inner(&looping, &from, &mut steps)?;
                    for (k, register) in state.into_iter().enumerate() {
                        if let Some(register) = register {
                            at.insert(Endpoint { node: id, output: k as u32 }, register);
                        }
                    }
                }
                _ => {
                    let own = Endpoint { node: id, output: 0 };
                    let from: Vec<Register> = from.into_iter().collect::<Option<_>>()?;
                    let to = self.op(node, &from, wanted.get(&own).copied(), &mut steps)?;
                    at.insert(own, to);
                }
            }
        }
        Some((steps, at))
    }

    /// Plans an elementwise op on scalars. Returns the register of its result.
    fn op(
        &mut self,
        node: &Node,
        from: &[Register],
        wanted: Option<Register>,
        steps: &mut Block,
    ) -> Option<Register> {
        let [ty] = &node.outputs[..] else { return None };
        if ty.shape.rank() != Some(0) {
            return None;
        }
        let mut kernel = node.op.kernel.chosen(from.first()?.dtype, &node.attrs);
        if let Kernel::Checked(i, accepts, checked) = kernel {
            let x = *from.get(i)?;
            match self.constant[x.index()] {
                true => accepts(&x.array(self.registers[x.index()]).ok()?).ok()?,
                false => steps.push(check(x, accepts)),
            }
            kernel = *checked;
        }
        let to = match wanted.filter(|to| to.dtype == ty.dtype) {
            Some(to) => to,
            None => self.register(ty.dtype)?,
        };
        steps.push(match (kernel, from) {
            (Kernel::Pass, [x]) if x.dtype == to.dtype => copy(*x, to),
            (Kernel::Map(table), [x]) => map(table, *x, to)?,
            (Kernel::Convert(dtype), [x]) if dtype == to.dtype => convert(*x, to)?,
            (Kernel::Zip(table), [x, y]) => zip(table, [*x, *y], to)?,
            (Kernel::Compare(table), [x, y]) => compare(table, [*x, *y], to)?,
            _ => return None,
        });
        Some(to)
    }

    /// Plans a conditional on one bool. Returns the registers of its results.
    fn branch(
        &mut self,
        branching: &Branching,
        node: &Node,
        from: &[Option<Register>],
        steps: &mut Block,
    ) -> Option<Vec<Register>> {
        let pick = from.first().copied()??;
        if pick.dtype != DType::Bool {
            return None;
        }
        let branches = (branching.branches)(&node.attrs).ok()?;
        let scalar = |ty: &crate::types::TensorType| ty.shape.rank() == Some(0);
        if !node.outputs.iter().all(scalar) {
            return None;
        }
        let results: Vec<Register> =
            node.outputs.iter().map(|ty| self.register(ty.dtype)).collect::<Option<_>>()?;
        let mut arm = |value: bool| {
            let picked = branching.picked(&Array::scalar(value), branches.len()).ok()?;
            let arm = graph(&branches[picked])?;
            if arm.outputs.len() != results.len() {
                return None;
            }
            let wanted: Places = arm.outputs.iter().copied().zip(results.iter().copied()).collect();
            let (mut steps, at) = self.block(&arm, &from[1..], &wanted)?;
            for (e, to) in arm.outputs.iter().zip(&results) {
                let from = *at.get(e)?;
                if from.dtype != to.dtype {
                    return None;
                }
                if from != *to {
                    steps.push(copy(from, *to));
                }
            }
            Some(steps)
        };
        let arms = [arm(false)?, arm(true)?];
        steps.push(RegisterStep::Branch { pick, arms });
        Some(results)
    }

    /// Plans an inner loop. Returns the registers of its final state.
    fn inner(
        &mut self,
        looping: &Looping,
        from: &[Option<Register>],
        steps: &mut Block,
    ) -> Option<Vec<Option<Register>>> {
        if looping.saves.is_some() {
            return None;
        }
        let (test, body) = (graph(&looping.test)?, graph(&looping.body)?);
        let state = self.state(&body)?;
        for (from, to) in from.iter().zip(&state) {
            if let Some(to) = to {
                let from = from.filter(|from| from.dtype == to.dtype)?;
                steps.push(copy(from, *to));
            }
        }
        let looped = self.looped(&test, &body, &state)?;
        steps.push(RegisterStep::Loop(looped));
        Some(state)
    }
}

/// The simplified graph of a function.
fn graph(function: &LibraryFunction) -> Option<FunctionGraph> {
    simplify(function.graph()?, MAX_FOLDED).ok()
}

/// The results of a loop's body that can be computed directly in their state registers, since nothing reads the
/// old value afterwards.
fn computed_in_place(body: &FunctionGraph, state: &[Option<Register>]) -> Places {
    let needed = body.needed();
    let mut places = Places::default();
    for ((input, to), result) in body.inputs.iter().zip(state).zip(&body.outputs) {
        let Some(to) = to else { continue };
        let own = Endpoint { node: *input, output: 0 };
        let read = body.graph.node_ids().filter(|id| needed[id.index()]).any(|id| {
            id.index() > result.node.index() && body.graph.node(id).inputs.contains(&own)
        });
        let is_result = body.outputs.contains(&own);
        if !read && !is_result && !places.contains_key(result) {
            places.insert(*result, *to);
        }
    }
    places
}
