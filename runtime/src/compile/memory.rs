//! How long values live, and the most memory that they take at once.

use super::RESHAPES;
use super::function::{Compiled, TOO_DEEP};
use super::instruction::{Instruction, OpCall, Source, Work};
use super::program::{IN_PLACE, Program};
use crate::ir::{FunctionGraph, Kernel, LibraryFunction, Looping, NodeId, Spare};
use crate::tensor::READ_VARIABLE;
use crate::types::{Shape, on_stack};

/// Finds the slots that each instruction reads last, which it frees or whose storage it reuses.
pub(super) fn free_after_last_use(
    function: &FunctionGraph,
    instructions: &mut [Instruction],
    slots: &[Option<usize>],
    outputs: &[Source],
) {
    let mut live = vec![false; slots.len()];
    for output in outputs {
        if let Source::Slot(slot) = output {
            live[*slot as usize] = true;
        }
    }
    for instruction in instructions.iter_mut().rev() {
        for source in &instruction.inputs {
            if let Source::Slot(slot) = source
                && !std::mem::replace(&mut live[*slot as usize], true)
            {
                match slots[*slot as usize].is_none_or(|bytes| bytes >= Spare::SMALLEST) {
                    true => instruction.spares.push(*slot),
                    false => instruction.frees.push(*slot),
                }
            }
        }
        let Some((first, others)) = instruction.inputs.split_first() else { continue };
        if let (Source::Slot(slot), Work::Op(call)) = (first, &mut instruction.work)
            && !others.contains(first)
        {
            let is_spare = instruction.spares.contains(slot);
            call.in_place = call.op.is_own()
                && call.kernel.runs_in_place()
                && is_spare
                && may_rewrite(function, instruction.node);
            call.changes = call.op.is_own()
                && matches!(call.kernel, Kernel::Change(_))
                && (is_spare || instruction.frees.contains(slot));
        }
    }
}

/// False if the result of a map or zip does not fit into the storage of its first operand, as far as shapes tell.
fn may_rewrite(function: &FunctionGraph, id: NodeId) -> bool {
    let mut shapes = function.graph.node(id).inputs.iter();
    let mut shape = || shapes.next().map(|e| &function.graph.output_type(*e).shape);
    let Some(first) = shape() else { return false };
    let fits = |other: &Shape| other.rank() == Some(0) || other.is_compatible_with(first);
    first.num_elements().is_none_or(|len| IN_PLACE.contains(&len)) && shape().is_none_or(fits)
}

/// The storages of a run in progress.
struct Storages {
    /// The storage of each slot; `None` for one that the program does not own, of an input, a constant or a variable.
    of: Vec<Option<usize>>,
    /// The bytes of each storage, and the number of slots that have it.
    all: Vec<(usize, usize)>,
    /// The bytes of the storages that are in a slot.
    live: usize,
}

impl Storages {
    fn of(&self, source: Source) -> Option<usize> {
        match source {
            Source::Slot(slot) => self.of[slot as usize],
            Source::Input(_) | Source::Constant(_) => None,
        }
    }

    /// Puts a value into a slot, in a storage that is there.
    fn share(&mut self, slot: usize, storage: Option<usize>) {
        self.of[slot] = storage;
        if let Some(storage) = storage {
            self.all[storage].1 += 1;
        }
    }

    /// Puts a value into a slot, in a storage of its own. `None` if the bytes are unknown.
    fn fill(&mut self, slot: usize, bytes: Option<usize>) -> Option<()> {
        let bytes = bytes?;
        self.live = self.live.checked_add(bytes)?;
        self.all.push((bytes, 0));
        self.share(slot, Some(self.all.len() - 1));
        Some(())
    }

    fn free(&mut self, slot: usize) {
        if let Some(storage) = self.of[slot].take() {
            let (bytes, slots) = &mut self.all[storage];
            *slots -= 1;
            if *slots == 0 {
                self.live -= *bytes;
            }
        }
    }
}

impl Program {
    /// The most bytes of results and values in between that live at once, beside the inputs. Functions that an op calls
    /// are counted: the branch that needs most, and what a loop needs beside its state. `None` if a size is unknown.
    ///
    /// Not counted are constants, the values of variables, what kernels need for themselves, memory that is kept to be
    /// used again, and code in Rust.
    pub(super) fn peak_bytes(&self) -> Option<usize> {
        if let Some(peak) = self.peak.get() {
            return *peak;
        }
        let peak = on_stack(TOO_DEEP, || Ok(self.most_at_once())).ok().flatten();
        // Not `get_or_init`: this may plan the functions that are called, and folding runs kernels.
        *self.peak.get_or_init(|| peak)
    }

    fn most_at_once(&self) -> Option<usize> {
        let mut storages = Storages { of: vec![None; self.slots.len()], all: Vec::new(), live: 0 };
        // The program of a loop's body owns its inputs, the state.
        for slot in 0..self.first_result(0) {
            storages.fill(slot, self.slots[slot])?;
        }
        let state = storages.live;
        let mut most = state;
        for (k, i) in self.instructions.iter().enumerate() {
            let before = storages.live;
            let results = self.results(k);
            let called = match &i.work {
                Work::Op(call) => Needed::by(call)?,
                Work::Group(_) => Needed::default(),
            };
            for slot in results.clone() {
                let shared = match &i.work {
                    Work::Op(_) if called.kept.get(slot - results.start) == Some(&true) => {
                        Some(storages.of(i.inputs[slot - results.start]))
                    }
                    Work::Op(call) => self.shared(i, call, slot, &storages),
                    Work::Group(fused) => {
                        let place = |slot: usize| fused.results[slot - results.start].0;
                        let mut earlier = results.start..slot;
                        earlier.find(|other| place(*other) == place(slot)).map(|i| storages.of[i])
                    }
                };
                match shared {
                    Some(storage) => storages.share(slot, storage),
                    None => storages.fill(slot, self.slots[slot])?,
                }
            }
            let during = storages.live.checked_add(called.beside)?;
            most = most.max(during).max(before.checked_add(called.inside)?);
            i.spares.iter().chain(&i.frees).for_each(|slot| storages.free(*slot as usize));
        }
        Some(most - state)
    }

    /// The storage that a result of an op has in common with something else, if it has.
    fn shared(
        &self,
        i: &Instruction,
        call: &OpCall,
        result: usize,
        storages: &Storages,
    ) -> Option<Option<usize>> {
        let first = *i.inputs.first()?;
        let storage = storages.of(first);
        if call.op == &READ_VARIABLE {
            return Some(None);
        }
        if RESHAPES.contains(&call.op) || matches!(call.kernel, Kernel::Pass) {
            return Some(storage);
        }
        let Source::Slot(own) = first else { return None };
        let alone = |storage: &usize| storages.all[*storage].1 == 1;
        let rewrites = (call.in_place || call.changes)
            && self.slots[own as usize] == self.slots[result]
            && storage.is_some_and(|s| alone(&s));
        rewrites.then_some(storage)
    }
}

/// What the functions that an op calls need.
#[derive(Default)]
struct Needed {
    /// The bytes of a function that is called, or of the branch that needs most, with its results.
    inside: usize,
    /// The bytes of an iteration of a loop, beside the state.
    beside: usize,
    /// Which parts of a loop's state stay as they are.
    kept: Vec<bool>,
}

impl Needed {
    /// `None` if a size is unknown.
    fn by(call: &OpCall) -> Option<Self> {
        let inside = |inside| Self { inside, ..Self::default() };
        match call.kernel {
            Kernel::Branch(_) => {
                let branches = call.branches.as_ref()?.iter();
                branches
                    .map(|f| peak(f))
                    .try_fold(0, |most, peak| Some(peak?.max(most)))
                    .map(inside)
            }
            Kernel::Call(f) => peak(&*f(&call.attrs).ok()?).map(inside),
            Kernel::Loop(looping) => {
                let Looping { test, body, .. } = looping(&call.attrs).ok()?;
                let Some(compiled) = body.code::<Compiled>() else { return Some(Self::default()) };
                let graph = compiled.simplified(&body).ok()?;
                let kept = graph.outputs.iter().zip(&graph.inputs).map(|(e, id)| e.node == *id);
                let kept = kept.collect();
                let beside = match compiled.registers(&body, &test) {
                    Some(_) => 0,
                    None => compiled.step(&body).ok()?.peak_bytes()?.max(peak(&test)?),
                };
                Some(Self { beside, kept, ..Self::default() })
            }
            _ => Some(Self::default()),
        }
    }
}

/// The most bytes at once of a function that is called; none are counted for code in Rust.
fn peak(f: &LibraryFunction) -> Option<usize> {
    match f.code::<Compiled>() {
        Some(compiled) => compiled.program(f).ok()?.peak_bytes(),
        None => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::program::Slots;
    use super::*;
    use crate::array::Array;
    use crate::prelude::*;

    /// The bytes that the slots hold while each instruction runs, at most; each storage counts once.
    fn measured(program: &Program, inputs: &[&Array]) -> usize {
        let bytes = |x: &Array| x.as_bytes().map(|b| (b.as_ptr() as usize, b.len()));
        let outside: Vec<usize> = inputs.iter().filter_map(|x| Some(bytes(x)?.0)).collect();
        let mut slots = Slots::new();
        slots.resize(program.slots.len(), None);
        let (spare, mut most) = (Spare::default(), 0);
        for i in &program.instructions {
            let held = |slots: &Slots| slots.iter().flatten().filter_map(bytes).collect::<Vec<_>>();
            let mut all = held(&slots);
            program.step(i, inputs, &mut slots, &spare).unwrap();
            // What it wrote, before it freed anything.
            all.extend(held(&slots));
            let all: BTreeMap<usize, usize> =
                all.into_iter().filter(|(at, _)| !outside.contains(at)).collect();
            most = most.max(all.values().sum());
        }
        most
    }

    fn check(f: impl Fn(&Tensor) -> Result<Vec<Tensor>>, sizes: &[usize]) {
        let x = ops::ones(sizes, f32).unwrap();
        let f = function(f).concrete(&x.type_spec()).unwrap();
        let library = f.function();
        let program = library.code::<Compiled>().unwrap().program(library).unwrap();
        let text = f.program().unwrap();
        let measured = measured(program, &[x.data().unwrap()]);
        assert_eq!(program.peak_bytes(), Some(measured), "{text}");
        assert!(measured == 0 || text.contains(&format!("# at most {measured} bytes")), "{text}");
    }

    #[test]
    fn a_run_holds_as_many_bytes_as_planned() {
        // In place, and in place of nothing because the operand is kept, is an input, or is too small or too large.
        check(|x| Ok(vec![x.matmul(x)?.sqrt()?.matmul(x)?]), &[32, 32]);
        check(|x| x.matmul(x).and_then(|y| Ok(vec![y.sqrt()?, y])), &[32, 32]);
        check(|x| Ok(vec![x.sqrt()?]), &[32, 32]);
        check(|x| Ok(vec![x.matmul(x)?.sqrt()?.matmul(x)?]), &[15, 15]);
        check(|x| Ok(vec![x.matmul(x)?.sqrt()?.matmul(x)?]), &[200, 200]);
        // An operand that broadcasts.
        check(|x| Ok(vec![x.matmul(x)? * x.sum(0)?, x.sum(1)?]), &[32, 32]);
        check(|x| Ok(vec![x.cumsum(0)?.expand_dims(0)? * x.cumsum(0)?.expand_dims(1)?]), &[300]);
        // Groups, with several results, and with one in two shapes.
        check(|x| Ok(vec![(x.matmul(x)?.tanh()? * 2.0).matmul(x)?]), &[64, 64]);
        check(
            |x| {
                let y = x.matmul(x)?.tanh()?;
                Ok(vec![y.exp()?, y.reshape([-1])?, y])
            },
            &[64, 64],
        );
        // Shared storage lives as long as one of its values.
        check(
            |x| {
                let y = x.matmul(x)?;
                let z = y.reshape([-1])?;
                Ok(vec![y.matmul(x)?.sqrt()?, z.cumsum(0)?, x.reshape([-1])?.sqrt()?])
            },
            &[32, 32],
        );
        // Results that nothing reads.
        check(|x| Ok(vec![ops::unstack(x, 4, 0)?.swap_remove(1).sqrt()?]), &[4, 300]);
        check(|x| Ok(vec![x.clone()]), &[300]);
    }
}
