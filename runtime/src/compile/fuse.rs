//! Groups of ops that run as one pass over memory.
//!
//! Elementwise ops on as many elements form a group. So do reductions of the last axes and ops on their results: such a
//! group runs by rows, which are what a reduction takes together. A value of the group has an element for each place, or
//! for each row.
//!
//! The group runs where its last op stood, so no other op may read a result before that: a group takes in ops until
//! another op reads from it. Only assignments to variables wait for the group, so that all of an optimizer's step can be
//! one group. Nothing else that may fail or has an effect stands between an assignment and the end of its group.

use std::collections::VecDeque;
use std::sync::LazyLock;

use extype_kernels::Par;
use extype_kernels::broadcast::Broadcast;
use extype_kernels::fused::{BlockFn, Builder, Chain, Cover, Extent, Input, Output, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::RESHAPES;
use crate::array::{AnyWriter, Array, Dims, block_type};
use crate::device::leaves_host;
use crate::ir::{
    CONST, Effect, Endpoint, FunctionGraph, Kernel, Node, NodeId, OpDef, Outputs, Spare,
    reduced_axes,
};
use crate::ops::{BroadcastTo, NamedOp as _};
use crate::tensor::{ASSIGN_VARIABLE, READ_VARIABLE};
use crate::types::{DType, Error, Result, Shape, TensorType};

/// False if the environment variable `EXTYPE_FUSE` is 0: every op runs by itself, to find out what is wrong.
pub(super) static FUSES: LazyLock<bool> =
    LazyLock::new(|| std::env::var_os("EXTYPE_FUSE").is_none_or(|v| v != "0"));

/// What a node of a group does.
#[derive(Clone, Copy)]
enum Does {
    Compute(BlockFn),
    /// The operand in another shape: the same elements in the same order.
    Reshape,
    /// The operand, which has an element for each row, repeated along the rows.
    Spread,
}

/// A node that is in a group, or may be.
struct Member {
    id: NodeId,
    does: Does,
    /// The number of inputs that it computes with. The others are axes and sizes, which are known.
    operands: usize,
    /// The sizes of its operands and results, or those of the operand if it reduces.
    dims: Dims,
    /// The number of elements of these sizes.
    places: usize,
    /// The number of elements that it reduces to one, or that it computes as a row.
    row: Option<usize>,
}

/// A group of ops.
#[derive(Default)]
pub(super) struct Group {
    /// In the order of the nodes.
    members: Vec<Member>,
    /// The operands from outside that have more than one element. They are kept until the group runs, so there are few.
    operands: Vec<Endpoint>,
    /// The assignments that read from the group, and run after it.
    assignments: Vec<NodeId>,
    /// True if no more ops may join.
    closed: bool,
    /// The number of elements of the largest values.
    places: usize,
    /// The length of the rows, if ops compute rows.
    row: Option<usize>,
}

/// The most operands from outside, and the most ops of a group.
const MOST_OPERANDS: usize = 8;
const MOST_MEMBERS: usize = 2048;
/// Longer rows are reduced by themselves: a row of every value of a group should fit into a cache.
const MOST_ROW: usize = 1 << 14;

/// What runs as one instruction.
pub(super) enum Run<'a> {
    Node(NodeId),
    Group(&'a Group),
}

/// The groups of a function.
pub(super) struct Groups {
    /// The group of each node that is in one.
    of: Vec<Option<usize>>,
    /// The group that an assignment waits for.
    awaited: FxHashMap<NodeId, usize>,
    groups: Vec<Group>,
    /// The open groups that assignments wait for.
    open_awaited: Vec<usize>,
    /// True for nodes whose result is read outside of their group.
    read_outside: Vec<bool>,
}

impl Groups {
    /// Groups the needed nodes of a function.
    pub(super) fn new(function: &FunctionGraph, needed: &[bool]) -> Self {
        let mut groups = Self {
            of: vec![None; needed.len()],
            awaited: FxHashMap::default(),
            groups: Vec::new(),
            open_awaited: Vec::new(),
            read_outside: vec![false; needed.len()],
        };
        let mut computed = needed.to_vec();
        function.inputs.iter().for_each(|id| computed[id.index()] = false);
        let ids = || function.graph.node_ids().filter(|id| computed[id.index()]);
        if *FUSES {
            ids().for_each(|id| groups.visit(function, id));
        }
        for (i, group) in groups.groups.iter_mut().enumerate() {
            group.members.sort_unstable_by_key(|m| m.id);
            let is_own = |e: &Endpoint| groups.of[e.node.index()] == Some(i);
            if !group.pays(function, is_own) {
                group.members.drain(..).for_each(|m| groups.of[m.id.index()] = None);
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

    fn of(&self, node: NodeId) -> Option<usize> {
        self.of[node.index()]
    }

    /// What runs, in order, if these nodes do.
    pub(super) fn in_order(&self, ids: impl Iterator<Item = NodeId>) -> Vec<Run<'_>> {
        let (mut order, mut waiting) = (Vec::new(), VecDeque::<(NodeId, usize)>::new());
        let mut has_run: Vec<bool> = self.groups.iter().map(|g| g.members.is_empty()).collect();
        for id in ids {
            match (self.of(id), self.awaited.get(&id)) {
                (None, None) => order.push(Run::Node(id)),
                (None, Some(group)) => waiting.push_back((id, *group)),
                (Some(own), _) => {
                    let group = &self.groups[own];
                    if group.nodes().next_back() == Some(id) {
                        order.push(Run::Group(group));
                        has_run[own] = true;
                    }
                }
            }
            // One assignment may fail, so they keep their order.
            while let Some(&(first, group)) = waiting.front()
                && has_run[group]
            {
                order.push(Run::Node(first));
                waiting.pop_front();
            }
        }
        order
    }

    /// The open group that reads of this node have to wait for.
    fn open(&self, node: NodeId) -> Option<usize> {
        let group = self.of(node).or_else(|| self.awaited.get(&node).copied());
        group.filter(|group| !self.groups[*group].closed)
    }

    /// Makes a node wait for a group, if it is an assignment and reads from no other open group. Returns if it waits.
    fn await_group(&mut self, node: &Node, id: NodeId) -> bool {
        let mut open = node.before().filter_map(|before| self.open(before));
        let group = open.next().filter(|_| node.op == &ASSIGN_VARIABLE);
        let Some(group) = group.filter(|group| open.all(|other| other == *group)) else {
            return false;
        };
        self.groups[group].assignments.push(id);
        self.awaited.insert(id, group);
        self.open_awaited.push(group);
        true
    }

    /// Closes the groups that assignments wait for.
    fn end_waits(&mut self) {
        self.open_awaited.drain(..).for_each(|group| self.groups[group].closed = true);
    }

    /// Adds a node to a group if it may be in one, and closes the other groups that it reads from.
    fn visit(&mut self, function: &FunctionGraph, id: NodeId) {
        let node = function.graph.node(id);
        if self.await_group(node, id) {
            return;
        }
        let candidate = Member::new(function, id);
        if candidate.is_none() && node.op != &CONST && node.op != &READ_VARIABLE {
            // It may fail or has an effect, so the assignments before it come first. A read of an assigned variable
            // waits for the assignment.
            self.end_waits();
        }
        let mut own = None;
        if let Some(c) = &candidate {
            for e in c.operands(function) {
                let open = self.open(e.node);
                if let Some(group) = open.filter(|group| self.accepts(function, *group, c)) {
                    own = Some(own.map_or(group, |own| self.united(own, group)));
                }
            }
            own = own.filter(|own| {
                let operands = self.outside(function, c, Some(*own));
                self.accepts(function, *own, c) && self.groups[*own].has_room_for(&operands)
            });
        }
        for before in node.before() {
            if self.awaited.contains_key(&before) {
                self.end_waits();
            }
            let read = self.open(before).filter(|group| Some(*group) != own);
            if let Some(group) = read {
                self.groups[group].closed = true;
            }
        }
        let Some(c) = candidate else { return };
        let group = match (own, c.does) {
            (Some(own), _) => own,
            (None, Does::Compute(_)) => {
                self.groups.push(Group::new(c.places));
                self.groups.len() - 1
            }
            (None, _) => return,
        };
        let operands = self.outside(function, &c, own);
        self.of[id.index()] = Some(group);
        self.groups[group].add(c, &operands);
    }

    /// The operands from outside of a group that have more than one element.
    fn outside(
        &self,
        function: &FunctionGraph,
        c: &Member,
        own: Option<usize>,
    ) -> SmallVec<[Endpoint; 3]> {
        let is_outside = |e: &&Endpoint| {
            let one = function.graph.output_type(**e).shape.num_elements() == Some(1);
            !one && (own.is_none() || self.of(e.node) != own)
        };
        c.operands(function).iter().filter(is_outside).copied().collect()
    }

    /// True if a node can be computed block by block with a group, from which some of its operands come.
    fn accepts(&self, function: &FunctionGraph, group: usize, c: &Member) -> bool {
        let own = &self.groups[group];
        let device = |m: &Member| &function.graph.node(m.id).device;
        if own.members.first().is_some_and(|first| device(first) != device(c)) {
            return false;
        }
        let Some(row) = one_of(own.row, c.row) else { return false };
        let rows = row.map(|row| own.places / row);
        let is_each = c.places == own.places;
        if !is_each && (c.row.is_some() || rows != Some(c.places)) {
            return false;
        }
        c.operands(function).iter().filter(|e| self.of(e.node) == Some(group)).all(|e| {
            let shape = &function.graph.output_type(*e).shape;
            let len = shape.num_elements();
            match c.does {
                Does::Spread => is_each && len == rows && repeats_along_rows(shape, &c.dims),
                _ if len == Some(c.places) => true,
                Does::Compute(f) => {
                    is_each && len == rows && !f.needs_rows() && repeats_along_rows(shape, &c.dims)
                }
                Does::Reshape => false,
            }
        })
    }

    /// Makes two open groups one, unless they differ or it would have too many operands. Returns the group to join. The
    /// shorter list moves, so that all moves together cost n log n.
    fn united(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        let longer = self.groups[a].members.len() >= self.groups[b].members.len();
        let (into, from) = if longer { (a, b) } else { (b, a) };
        let (own, other) = (&self.groups[into], &self.groups[from]);
        let alike = own.places == other.places && one_of(own.row, other.row).is_some();
        if !alike || !own.has_room_for(&other.operands) {
            return a;
        }
        let moved = std::mem::replace(&mut self.groups[from], Group::new(0));
        moved.members.iter().for_each(|m| self.of[m.id.index()] = Some(into));
        moved.assignments.iter().for_each(|id| _ = self.awaited.insert(*id, into));
        self.open_awaited.extend(moved.assignments.first().map(|_| into));
        let group = &mut self.groups[into];
        group.assignments.extend(moved.assignments);
        moved.members.into_iter().for_each(|m| group.add(m, &moved.operands));
        into
    }
}

/// The row length that two agree on, if they do.
fn one_of(a: Option<usize>, b: Option<usize>) -> Option<Option<usize>> {
    let differ = a.zip(b).is_some_and(|(a, b)| a != b);
    (!differ).then(|| a.or(b))
}

/// True if broadcasting a value with an element for each row repeats each element along its row.
fn repeats_along_rows(shape: &Shape, dims: &[usize]) -> bool {
    let Some(sizes) = shape.sizes() else { return false };
    let missing = dims.len().saturating_sub(sizes.len());
    let size = |axis: usize| axis.checked_sub(missing).map_or(1, |axis| sizes[axis]);
    let same = (0..dims.len()).take_while(|axis| dims[*axis] == size(*axis)).count();
    (same..dims.len()).all(|axis| size(axis) == 1)
}

impl Group {
    fn new(places: usize) -> Self {
        Self { places, ..Self::default() }
    }

    fn add(&mut self, member: Member, operands: &[Endpoint]) {
        self.row = self.row.or(member.row);
        self.members.push(member);
        for e in operands {
            if !self.operands.contains(e) {
                self.operands.push(*e);
            }
        }
    }

    /// The nodes in their order.
    pub(super) fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        self.members.iter().map(|m| m.id)
    }

    /// True if the group is faster than its ops one by one. On few elements, a group costs as much as several ops, and
    /// each read of an operand from outside as much as one.
    fn pays(&self, function: &FunctionGraph, is_own: impl Fn(&Endpoint) -> bool) -> bool {
        const MANY: usize = 2048;
        const SEVERAL: usize = 8;
        let ops = self.members.iter().filter(|m| matches!(m.does, Does::Compute(_))).count();
        if self.places >= MANY {
            return ops > 1;
        }
        let inputs = self.nodes().flat_map(|id| &function.graph.node(id).inputs);
        ops > SEVERAL + inputs.filter(|e| !is_own(e)).count()
    }

    /// True if another op with these operands from outside may join.
    fn has_room_for(&self, operands: &[Endpoint]) -> bool {
        let new = operands.iter().filter(|e| !self.operands.contains(e)).count();
        self.operands.len() + new <= MOST_OPERANDS && self.members.len() < MOST_MEMBERS
    }
}

impl Member {
    /// What a node is to a group, if it can't fail on operands of the types that it has.
    fn new(function: &FunctionGraph, id: NodeId) -> Option<Self> {
        let node = function.graph.node(id);
        let [output] = &node.outputs[..] else { return None };
        let first = function.graph.output_type(*node.inputs.first()?);
        let fuses = node.op.is_own()
            && node.effect() == Effect::Pure
            && node.control_inputs.is_empty()
            && !leaves_host(node.device.as_deref())
            && output.shape.num_elements().is_some_and(|n| n > 0);
        if !fuses {
            return None;
        }
        let kernel = node.op.kernel.chosen(first.dtype, &node.attrs);
        let moves = match node.op {
            op if RESHAPES.contains(&op) => Some(Does::Reshape),
            op if op == BroadcastTo::DEF => Some(Does::Spread),
            _ => None,
        };
        let known = match (moves, kernel) {
            (None, Kernel::Reduce(_)) | (Some(_), _) => 1,
            _ => node.inputs.len(),
        };
        let (operands, settings) = node.inputs.split_at(known);
        let constant = |e: &Endpoint| function.graph.node(e.node).constant();
        let settings: SmallVec<[&Array; 1]> =
            settings.iter().map(constant).collect::<Option<_>>()?;
        let types = || operands.iter().map(|e| function.graph.output_type(*e));
        if !types().all(|ty| ty.shape.num_elements().is_some()) {
            return None;
        }
        let does = match moves {
            Some(does) => does,
            None => {
                let dtypes: SmallVec<[DType; 3]> = types().map(|ty| ty.dtype).collect();
                let f = kernel.block_fn(&dtypes)?;
                (block_type(output.dtype) == Some(f.output())).then_some(Does::Compute(f))?
            }
        };
        let shape = if let Kernel::Reduce(_) = kernel { &first.shape } else { &output.shape };
        let dims = shape.sizes()?;
        let row = match kernel {
            Kernel::Reduce(_) => Some(reduced_row(&dims, settings.first()?)?),
            Kernel::Rows(_) => Some(*dims.last()?),
            _ => None,
        };
        if row.is_some_and(|row| !(2..=MOST_ROW).contains(&row)) {
            return None;
        }
        Some(Self { id, does, operands: known, dims, places: shape.num_elements()?, row })
    }

    /// The inputs that it computes with.
    fn operands<'a>(&self, function: &'a FunctionGraph) -> &'a [Endpoint] {
        &function.graph.node(self.id).inputs[..self.operands]
    }
}

/// The number of elements that a reduction of these axes takes together, if they are neighbours in memory.
fn reduced_row(sizes: &[usize], axes: &Array) -> Option<usize> {
    let reduced = reduced_axes(&axes.to_i64s().ok()?, sizes.len()).ok()?;
    let mut row = 1;
    let mut kept = false;
    for (size, reduced) in sizes.iter().zip(reduced).rev().filter(|(size, _)| **size != 1) {
        kept |= !reduced;
        match (reduced, kept) {
            (true, true) => return None,
            (true, false) => row *= size,
            (false, _) => {}
        }
    }
    Some(row)
}

/// How an operand covers results of these sizes.
fn cover(ty: &TensorType, dims: &[usize]) -> Option<Cover> {
    let (sizes, len) = (ty.shape.sizes()?, ty.shape.num_elements()?);
    let from = |dims: &[usize]| dims.iter().take_while(|n| **n == 1).count();
    let (sizes_of_more, dims_of_more) = (&sizes[from(&sizes)..], &dims[from(dims)..]);
    if sizes_of_more == dims_of_more {
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
    /// The types of what the chain writes.
    written: Vec<(DType, Dims)>,
    /// The results: what was written, in some shape.
    pub(super) results: Vec<(usize, Dims)>,
}

impl Fused {
    /// The step for a group, with the endpoints of its operands and the nodes of its results.
    pub(super) fn new(
        function: &FunctionGraph,
        group: &Group,
        is_result: impl Fn(NodeId) -> bool,
    ) -> Option<(Self, Vec<Endpoint>, Vec<NodeId>)> {
        let graph = &function.graph;
        let rows = group.row.map(|row| group.places / row);
        let mut builder = match rows.zip(group.row) {
            Some((count, len)) => Builder::of_rows(count, len),
            None => Builder::default(),
        };
        let mut values: FxHashMap<NodeId, Value> = FxHashMap::default();
        let mut inputs: FxHashMap<(Endpoint, Dims), Value> = FxHashMap::default();
        let (mut operands, mut from) = (Vec::new(), Vec::new());
        let (mut written, mut outputs): (Vec<(DType, Dims)>, Vec<Value>) = (Vec::new(), Vec::new());
        let (mut results, mut nodes) = (Vec::new(), Vec::new());
        for member in &group.members {
            let (node, dims) = (graph.node(member.id), &member.dims);
            let each = member.places == group.places;
            let extent = if each { Extent::Each } else { Extent::Row };
            let mut own: SmallVec<[Value; 3]> = SmallVec::new();
            for e in member.operands(function) {
                if let Some(value) = values.get(&e.node) {
                    own.push(*value);
                    continue;
                }
                let ty = graph.output_type(*e);
                let one_per_row = extent == Extent::Each
                    && rows > Some(1)
                    && ty.shape.num_elements() == rows
                    && repeats_along_rows(&ty.shape, dims);
                let (cover, extent) = match one_per_row {
                    true => (Cover::Each, Extent::Row),
                    false => (cover(ty, dims)?, extent),
                };
                let one = matches!(cover, Cover::One);
                let key = (*e, if one { Dims::new() } else { dims.clone() });
                let value = match inputs.get(&key) {
                    Some(value) => *value,
                    None => {
                        operands.push((ty.dtype, ty.shape.sizes()?));
                        from.push(*e);
                        let value = builder.input(block_type(ty.dtype)?, cover, extent);
                        inputs.insert(key, value);
                        value
                    }
                };
                own.push(value);
            }
            let value = match member.does {
                Does::Compute(f) => builder.apply(f, &own)?,
                Does::Reshape => own[0],
                Does::Spread => builder.spread(own[0]),
            };
            values.insert(member.id, value);
            if is_result(member.id) {
                let ty = (node.outputs[0].dtype, node.outputs[0].shape.sizes()?);
                let place = outputs.iter().position(|v| *v == value).unwrap_or(outputs.len());
                results.push((place, ty.1.clone()));
                nodes.push(member.id);
                if place == outputs.len() {
                    outputs.push(value);
                    written.push(ty);
                }
            }
        }
        let ops = group.nodes().map(|id| graph.node(id).op).collect();
        let chain = builder.finish(&outputs);
        Some((Self { ops, chain, operands, written, results }, from, nodes))
    }

    /// The types of the results.
    pub(super) fn types(&self) -> impl Iterator<Item = TensorType> {
        self.results.iter().map(|(place, dims)| TensorType::new(self.written[*place].0, &dims[..]))
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
        for (dtype, dims) in &self.written {
            writers.push(spare.writer(*dtype, dims)?);
        }
        let mut outputs: SmallVec<[Output<'_>; 2]> =
            writers.iter_mut().map(|writer| Output::bytes(writer.bytes_mut())).collect();
        self.chain.run(&inputs, &mut outputs, Par::Pool);
        drop(outputs);
        let mut written = Outputs::new();
        for writer in writers {
            written.push(writer.finish()?);
        }
        if self.results.len() == written.len() {
            return Ok(written);
        }
        self.results.iter().map(|(place, dims)| written[*place].reshape(&dims[..])).collect()
    }
}
