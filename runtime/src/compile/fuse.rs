//! Groups of elementwise ops that run as one pass over memory.
//!
//! The ops of a group have results of one shape. The group runs where its last op stood, so no other op may read a
//! result before that: a group takes in ops until another op reads from it.

use std::sync::LazyLock;

use extype_kernels::Par;
use extype_kernels::broadcast::Broadcast;
use extype_kernels::fused::{BlockFn, Builder, Chain, Cover, Input, Output, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::array::{AnyWriter, Array, Dims, block_type};
use crate::ir::{Effect, Endpoint, FunctionGraph, Node, NodeId, OpDef, Outputs, Spare};
use crate::types::{DType, Error, Result, TensorType};

/// False if the environment variable `EXTYPE_FUSE` is 0: every op runs by itself, to find out what is wrong.
static FUSES: LazyLock<bool> =
    LazyLock::new(|| std::env::var_os("EXTYPE_FUSE").is_none_or(|v| v != "0"));

/// A node of a group, and what it computes.
pub(super) type Member = (NodeId, BlockFn);

/// A group of ops.
#[derive(Default)]
struct Group {
    /// In the order of the nodes.
    members: Vec<Member>,
    /// The operands from outside that have more than one element. They are kept until the group runs, so there are few.
    operands: Vec<Endpoint>,
    /// True if no more ops may join.
    closed: bool,
}

/// The most operands from outside, and the most ops of a group.
const MOST_OPERANDS: usize = 8;
const MOST_MEMBERS: usize = 2048;

/// The groups of a function.
pub(super) struct Groups {
    /// The group of each node that is in one.
    of: Vec<Option<usize>>,
    groups: Vec<Group>,
    /// True for nodes whose result is read outside of their group.
    read_outside: Vec<bool>,
}

impl Groups {
    /// Groups the needed nodes of a function.
    pub(super) fn new(function: &FunctionGraph, needed: &[bool]) -> Self {
        let mut groups = Self {
            of: vec![None; needed.len()],
            groups: Vec::new(),
            read_outside: vec![false; needed.len()],
        };
        let mut computed = needed.to_vec();
        function.inputs.iter().for_each(|id| computed[id.index()] = false);
        let ids = || function.graph.node_ids().filter(|id| computed[id.index()]);
        if *FUSES {
            ids().for_each(|id| groups.visit(function, id));
        }
        for (i, group) in groups.groups.iter_mut().enumerate() {
            group.members.sort_unstable_by_key(|(id, _)| *id);
            let is_own = |e: &Endpoint| groups.of[e.node.index()] == Some(i);
            if !group.pays(function, is_own) {
                group.members.iter().for_each(|(id, _)| groups.of[id.index()] = None);
            }
        }
        for id in ids() {
            for e in &function.graph.node(id).inputs {
                groups.read_outside[e.node.index()] |= groups.of(id) != groups.of(e.node);
            }
        }
        function.outputs.iter().for_each(|e| groups.read_outside[e.node.index()] = true);
        groups
    }

    /// True if the result of a node is read outside of its group.
    pub(super) fn is_read_outside(&self, node: NodeId) -> bool {
        self.read_outside[node.index()]
    }

    /// The group of a node.
    fn of(&self, node: NodeId) -> Option<usize> {
        self.of[node.index()]
    }

    /// The nodes of a node's group.
    pub(super) fn members(&self, node: NodeId) -> Option<&[Member]> {
        self.of(node).map(|group| &*self.groups[group].members)
    }

    /// Adds a node to a group if it is elementwise, and closes the other groups that it reads from.
    fn visit(&mut self, function: &FunctionGraph, id: NodeId) {
        let node = function.graph.node(id);
        let f = block_fn(function, node);
        let outside = |groups: &Self, own: Option<usize>| -> SmallVec<[Endpoint; 3]> {
            let is_outside = |e: &&Endpoint| {
                let one = function.graph.output_type(**e).shape.num_elements() == Some(1);
                !one && (own.is_none() || groups.of(e.node) != own)
            };
            node.inputs.iter().filter(is_outside).copied().collect()
        };
        let mut own = None;
        if f.is_some() {
            let shape = &node.outputs[0].shape;
            let same_shape = |e: &&Endpoint| function.graph.output_type(**e).shape == *shape;
            let open = |e: &Endpoint| self.of(e.node).filter(|group| !self.groups[*group].closed);
            let joined: SmallVec<[usize; 3]> =
                node.inputs.iter().filter(same_shape).filter_map(open).collect();
            own = joined.into_iter().reduce(|own, other| self.united(own, other));
            own = own.filter(|own| self.groups[*own].has_room_for(&outside(self, Some(*own))));
        }
        for before in node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied())
        {
            let read = self.of(before).filter(|group| Some(*group) != own);
            if let Some(group) = read {
                self.groups[group].closed = true;
            }
        }
        let Some(f) = f else { return };
        let group = own.unwrap_or_else(|| {
            self.groups.push(Group::default());
            self.groups.len() - 1
        });
        self.of[id.index()] = Some(group);
        let operands = outside(self, own);
        self.groups[group].add((id, f), &operands);
    }

    /// Makes two open groups one, unless it would have too many operands. Returns the group to join. The shorter list
    /// moves, so that all moves together cost n log n.
    fn united(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        let longer = self.groups[a].members.len() >= self.groups[b].members.len();
        let (into, from) = if longer { (a, b) } else { (b, a) };
        if !self.groups[into].has_room_for(&self.groups[from].operands) {
            return a;
        }
        let moved = std::mem::take(&mut self.groups[from]);
        moved.members.iter().for_each(|(id, _)| self.of[id.index()] = Some(into));
        let group = &mut self.groups[into];
        moved.members.into_iter().for_each(|member| group.add(member, &moved.operands));
        into
    }
}

impl Group {
    fn add(&mut self, member: Member, operands: &[Endpoint]) {
        self.members.push(member);
        for e in operands {
            if !self.operands.contains(e) {
                self.operands.push(*e);
            }
        }
    }

    /// True if the group is faster than its ops one by one. On few elements, a group costs as much as several ops, and
    /// each read of an operand from outside as much as one.
    fn pays(&self, function: &FunctionGraph, is_own: impl Fn(&Endpoint) -> bool) -> bool {
        const MANY: usize = 2048;
        const SEVERAL: usize = 8;
        let Some((first, _)) = self.members.first() else { return false };
        let ops = self.members.len();
        if function.graph.node(*first).outputs[0].shape.num_elements() >= Some(MANY) {
            return ops > 1;
        }
        let inputs = self.members.iter().flat_map(|(id, _)| &function.graph.node(*id).inputs);
        ops > SEVERAL + inputs.filter(|e| !is_own(e)).count()
    }

    /// True if another op with these operands from outside may join.
    fn has_room_for(&self, operands: &[Endpoint]) -> bool {
        let new = operands.iter().filter(|e| !self.operands.contains(e)).count();
        self.operands.len() + new <= MOST_OPERANDS && self.members.len() < MOST_MEMBERS
    }
}

/// The function of an elementwise op on blocks, if the op can't fail on operands of the types that the node has.
fn block_fn(function: &FunctionGraph, node: &Node) -> Option<BlockFn> {
    let [output] = &node.outputs[..] else { return None };
    let operands = || node.inputs.iter().map(|e| function.graph.output_type(*e));
    let fuses = node.op.is_own()
        && node.effect() == Effect::Pure
        && node.control_inputs.is_empty()
        && output.shape.num_elements().is_some_and(|n| n > 0)
        && operands().all(|ty| ty.shape.num_elements().is_some());
    let dtypes: SmallVec<[DType; 3]> = operands().filter(|_| fuses).map(|ty| ty.dtype).collect();
    let kernel = node.op.kernel.chosen(*dtypes.first()?, &node.attrs);
    kernel.block_fn(&dtypes).filter(|f| block_type(output.dtype) == Some(f.output()))
}

/// How an operand covers results of these sizes.
fn cover(ty: &TensorType, dims: &[usize]) -> Option<Cover> {
    let (sizes, len) = (ty.shape.sizes()?, ty.shape.num_elements()?);
    let from = |dims: &[usize]| dims.iter().take_while(|n| **n == 1).count();
    if sizes[from(&sizes)..] == dims[from(dims)..] {
        return Some(Cover::Each);
    }
    if len == 1 {
        return Some(Cover::One);
    }
    let plan = Broadcast::new(dims, &sizes).ok()?;
    (plan.out_shape() == dims).then_some(Cover::Along(plan))
}

/// A group of ops as one step.
#[derive(Debug)]
pub(super) struct Fused {
    /// The ops in their order. Errors name the last one.
    pub(super) ops: Vec<&'static OpDef>,
    pub(super) chain: Chain,
    /// The types of the operands.
    operands: Vec<(DType, Dims)>,
    pub(super) dims: Dims,
    pub(super) results: Vec<DType>,
}

impl Fused {
    /// The step for a group, with the endpoints of its operands and the nodes of its results.
    pub(super) fn new(
        function: &FunctionGraph,
        members: &[Member],
        is_result: impl Fn(NodeId) -> bool,
    ) -> Option<(Self, Vec<Endpoint>, Vec<NodeId>)> {
        let graph = &function.graph;
        let dims = graph.node(members.first()?.0).outputs[0].shape.sizes()?;
        let mut builder = Builder::default();
        let mut values: FxHashMap<Endpoint, Value> = FxHashMap::default();
        let (mut operands, mut from) = (Vec::new(), Vec::new());
        let (mut results, mut outputs) = (Vec::new(), Vec::new());
        for (id, f) in members {
            let node = graph.node(*id);
            let mut own: SmallVec<[Value; 3]> = SmallVec::new();
            for e in &node.inputs {
                if !values.contains_key(e) {
                    let ty = graph.output_type(*e);
                    let value = builder.input(block_type(ty.dtype)?, cover(ty, &dims)?);
                    values.insert(*e, value);
                    operands.push((ty.dtype, ty.shape.sizes()?));
                    from.push(*e);
                }
                own.push(values[e]);
            }
            let value = builder.apply(*f, &own)?;
            values.insert(Endpoint { node: *id, output: 0 }, value);
            if is_result(*id) {
                outputs.push(value);
                results.push(*id);
            }
        }
        let ops = members.iter().map(|(id, _)| graph.node(*id).op).collect();
        let dtypes = results.iter().map(|id| graph.node(*id).outputs[0].dtype).collect();
        let chain = builder.finish(&outputs);
        Some((Self { ops, chain, operands, dims, results: dtypes }, from, results))
    }

    /// The results for these operands.
    pub(super) fn run(&self, operands: &[&Array], spare: &Spare) -> Result<Outputs> {
        let mut inputs: SmallVec<[Input<'_>; 8]> = SmallVec::new();
        for ((dtype, dims), x) in self.operands.iter().zip(operands) {
            if x.dtype() != *dtype || x.dims() != &dims[..] {
                return Err(Error::internal("an operand of another type"));
            }
            inputs.push(x.block_input()?);
        }
        let mut writers: SmallVec<[AnyWriter; 2]> = SmallVec::new();
        for dtype in &self.results {
            writers.push(spare.writer(*dtype, &self.dims)?);
        }
        let mut outputs: SmallVec<[Output<'_>; 2]> =
            writers.iter_mut().map(|writer| Output::bytes(writer.bytes_mut())).collect();
        self.chain.run(&inputs, &mut outputs, Par::Pool);
        drop(outputs);
        let mut results = Outputs::new();
        for writer in writers {
            results.push(writer.finish()?);
        }
        Ok(results)
    }
}
