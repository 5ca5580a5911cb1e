//! Loops on tensors of one element. State, constants and intermediate values lie in registers. An op is an instruction,
//! or a call of its table's function on one element.
//!
//! A loop has this form if its test and its body consist of elementwise ops on tensors of one element, conditionals on
//! them, reads and writes of single elements of vectors and of lists of scalars, calls, and loops of this form. While
//! it runs, only lists grow: those of scalars, and those of what its gradient needs. If an op refuses its operands, the
//! loop is left to the general way, which runs it from its start and reports where it failed. For this reason it works
//! on a copy of a vector or a list that it writes to.

mod elements;
mod plan;
mod step;

use extype_kernels::registers::{Memory, RegisterProgram, ScalarItems};
use smallvec::SmallVec;

use crate::array::{AnyWriter, Array, Dims};
use crate::ir::{FunctionGraph, Outputs, Stacks};
use crate::types::Result;

use plan::{Origin, PlannedVector, RegisterPlan};
use step::{Register, ScalarList, ValuePlace, Vector};

/// A loop in registers.
pub(crate) struct RegisterLoop {
    /// The initial values of the registers. Only those of the constants matter.
    registers: Vec<u64>,
    vectors: Vec<PlannedVector>,
    /// The vectors that are lists of scalars, and a register of the dtype of each one's elements.
    lists: Vec<(Vector, Register)>,
    /// The place of each tensor of the state. `None` if there is none for its type and the body returns it unchanged.
    state: Vec<Option<ValuePlace>>,
    /// The sizes of the values that each iteration keeps.
    kept: Vec<Dims>,
    program: RegisterProgram,
}

impl RegisterLoop {
    /// The loop of these functions, if it has this form. Results of the body beyond the state are kept.
    pub(crate) fn new(test: &FunctionGraph, body: &FunctionGraph) -> Option<Self> {
        let mut plan = RegisterPlan::default();
        let state = plan.state(body, None)?;
        let looped = plan.looped(test, body, &state)?;
        let kept = body.outputs[state.len()..].iter();
        let kept = kept.map(|e| body.graph.output_type(*e).shape.sizes());
        let kept: Vec<Dims> = kept.collect::<Option<_>>()?;
        let RegisterPlan { mut registers, vectors, lists, .. } = plan;
        let program = looped.program(registers.len(), &state);
        registers.extend([0; 2]);
        Some(Self { registers, vectors, lists, state, kept, program })
    }

    /// The number of elements that a run copies before it starts.
    pub(crate) fn copied(&self, state: &[Array]) -> usize {
        let written = self.vectors.iter().filter(|vector| vector.is_written());
        written.map(|vector| vector.array(state).len()).sum()
    }

    /// Runs the loop on a state that the body takes, and fills the stacks with what it keeps. Returns the final state,
    /// or the unchanged one if an op refuses its operands.
    pub(crate) fn run(
        &self,
        mut state: Outputs,
        stacks: &mut Stacks,
    ) -> Result<std::result::Result<Outputs, Outputs>> {
        let mut registers = self.registers.clone();
        for (array, place) in state.iter().zip(&self.state) {
            let Some(ValuePlace::Register(register)) = place else { continue };
            match register.load(array) {
                Some(bits) => registers[register.index()] = bits,
                None => return Ok(Err(state)),
            }
        }
        let Some(mut lists) = stacks.lists().filter(|lists| lists.len() == self.kept.len()) else {
            return Ok(Err(state));
        };
        let mut copies: SmallVec<[Option<AnyWriter>; 2]> = SmallVec::new();
        for planned in &self.vectors {
            let copy = || AnyWriter::copy_of(planned.array(&state));
            let is_copied = planned.is_written() && !planned.vector.is_list();
            copies.push(is_copied.then(copy).transpose()?);
        }
        let scalars = self.lists.iter().map(|(list, element)| {
            ScalarList::new(self.vectors[list.at as usize].array(&state), *element)
        });
        let Some(mut scalars) = scalars.collect::<Option<SmallVec<[ScalarList; 2]>>>() else {
            return Ok(Err(state));
        };
        let elements = self.vectors.iter().zip(&mut copies).map(|(planned, copy)| match copy {
            Some(copy) => planned.vector.written(copy),
            None => planned.vector.read(planned.array(&state)),
        });
        let elements: Option<SmallVec<[Memory<'_>; 4]>> = elements.collect();
        let ended = elements.is_some_and(|mut elements| {
            let items = scalars.iter_mut().map(|list| list as &mut dyn ScalarItems);
            let mut items: SmallVec<[&mut dyn ScalarItems; 2]> = items.collect();
            self.program.run(&mut registers, &mut elements, &mut lists, &mut items)
        });
        if !ended {
            return Ok(Err(state));
        }
        let iterations = registers[registers.len() - 2].cast_signed();
        stacks.fill(iterations, lists.into_iter().zip(self.kept.iter().map(|dims| &dims[..])));
        for (array, place) in state.iter_mut().zip(&self.state) {
            let Some(ValuePlace::Register(register)) = place else { continue };
            let scalar = register.array(registers[register.index()])?;
            *array = match array.rank() {
                0 => scalar,
                _ => scalar.reshape(array.dims())?,
            };
        }
        for (vector, copy) in self.vectors.iter().zip(copies) {
            if let (Origin::State(i), Some(copy)) = (&vector.origin, copy) {
                state[*i] = copy.finish()?;
            }
        }
        for ((list, _), scalars) in self.lists.iter().zip(scalars) {
            let vector = &self.vectors[list.at as usize];
            if let (Origin::State(i), true) = (&vector.origin, vector.is_written()) {
                state[*i] = scalars.finish()?;
            }
        }
        Ok(Ok(state))
    }
}

impl std::fmt::Debug for RegisterLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a loop in {} registers", self.registers.len())
    }
}

impl std::fmt::Display for RegisterLoop {
    /// A line for each instruction. Registers are numbers; an instruction names its operands, then its result.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.program.fmt(f)
    }
}
