//! Loops on scalars. State, constants and intermediate values lie in registers, and an op is an instruction or a call of
//! its table's function on one element.
//!
//! A loop has this form if its test and its body consist of elementwise ops on tensors of one element, conditionals on
//! them, reads and writes of single elements of vectors, and loops of this form. Nothing is allocated while it runs. If an
//! op refuses its operands, the loop is left to the general way, which runs it from its start and reports where it
//! failed. A loop that writes to a vector works on a copy for this reason.

mod elements;
mod plan;
mod step;

use extype_kernels::registers::{Memory, RegisterProgram};
use smallvec::SmallVec;

use crate::array::{AnyWriter, Array, Dims};
use crate::ir::{FunctionGraph, Outputs, Stacks};
use crate::types::{Result, TensorType};

use plan::{Origin, RegisterPlan, UsedVector};
use step::Storage;

/// A loop in registers.
pub(crate) struct RegisterLoop {
    /// The initial values of the registers. Only those of the constants matter.
    registers: Vec<u64>,
    vectors: Vec<UsedVector>,
    /// The place of each tensor of the state. `None` if there is none for its type and the body returns it unchanged.
    state: Vec<Option<Storage>>,
    /// The types of the state.
    types: Vec<TensorType>,
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
        let types = body.input_types().cloned().collect();
        let kept = body.outputs[state.len()..].iter();
        let kept = kept.map(|e| body.graph.output_type(*e).shape.sizes());
        let kept: Vec<Dims> = kept.collect::<Option<_>>()?;
        let (mut registers, vectors) = plan.into_parts();
        let program = looped.program(registers.len());
        registers.extend([0; 2]);
        Some(Self { registers, vectors, state, types, kept, program })
    }

    /// Runs the loop on a state, and fills the stacks with what it keeps. Returns the final state. If the state has other
    /// types than the plan, or an op refuses its operands, returns the unchanged state.
    pub(crate) fn run(
        &self,
        mut state: Outputs,
        stacks: &mut Stacks,
    ) -> Result<std::result::Result<Outputs, Outputs>> {
        let typed = |(array, ty): (&Array, &TensorType)| array.is_of(ty);
        if state.len() != self.types.len() || !state.iter().zip(&self.types).all(typed) {
            return Ok(Err(state));
        }
        let mut registers = self.registers.clone();
        for (array, storage) in state.iter().zip(&self.state) {
            let Some(Storage::Register(register)) = storage else { continue };
            match register.load(array) {
                Some(bits) => registers[register.index()] = bits,
                None => return Ok(Err(state)),
            }
        }
        let Some(mut lists) = stacks.lists().filter(|lists| lists.len() == self.kept.len()) else {
            return Ok(Err(state));
        };
        let mut copies: SmallVec<[AnyWriter; 2]> = SmallVec::new();
        for vector in self.vectors.iter().filter(|vector| vector.is_written()) {
            copies.push(AnyWriter::copy_of(vector.array(&state))?);
        }
        let ended = {
            let mut copies = copies.iter_mut();
            let elements = self.vectors.iter().map(|used| match used.is_written() {
                true => used.vector.written(copies.next()?),
                false => used.vector.read(used.array(&state)),
            });
            let elements: Option<SmallVec<[Memory<'_>; 4]>> = elements.collect();
            elements.is_some_and(|mut elements| {
                self.program.run(&mut registers, &mut elements, &mut lists)
            })
        };
        if !ended {
            return Ok(Err(state));
        }
        let iterations = registers[registers.len() - 2].cast_signed();
        stacks.fill(iterations, lists.into_iter().zip(self.kept.iter().map(|dims| &dims[..])));
        for ((array, storage), ty) in state.iter_mut().zip(&self.state).zip(&self.types) {
            let Some(Storage::Register(register)) = storage else { continue };
            let scalar = register.array(registers[register.index()])?;
            *array = match ty.shape.rank() {
                Some(0) => scalar,
                _ => scalar.reshape(array.dims())?,
            };
        }
        for (vector, copy) in self.vectors.iter().filter(|v| v.is_written()).zip(copies) {
            if let Origin::State(i) = vector.source {
                state[i] = copy.finish()?;
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
