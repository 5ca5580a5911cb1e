//! Loops on scalars. State, constants and intermediate values lie in registers, and an op is an instruction or a call of
//! its table's function on one element.
//!
//! A loop has this form if its test and its body consist of elementwise ops on scalars, conditionals on them,
//! and loops of this form. Nothing is allocated while it runs. If an op refuses its operands, the loop is left
//! to the general way, which runs it from its start and reports where it failed.

mod plan;
mod step;

use extype_kernels::registers::RegisterProgram;

use crate::ir::{FunctionGraph, Outputs};
use crate::types::Result;

use plan::RegisterPlan;
use step::Register;

/// A loop in registers.
pub(crate) struct RegisterLoop {
    /// The initial values of the registers. Only those of the constants matter.
    registers: Vec<u64>,
    /// The register of each tensor of the state. `None` if no register holds its type and the body returns it unchanged.
    state: Vec<Option<Register>>,
    program: RegisterProgram,
}

impl RegisterLoop {
    /// The loop of these functions, if it has this form.
    pub(crate) fn new(test: &FunctionGraph, body: &FunctionGraph) -> Option<Self> {
        let mut plan = RegisterPlan::default();
        let state = plan.state(body)?;
        let looped = plan.looped(test, body, &state)?;
        let mut registers = plan.into_registers();
        let program = looped.program(registers.len());
        registers.extend([0; 2]);
        Some(Self { registers, state, program })
    }

    /// Runs the loop on a state. Returns the final state and the number of iterations. If the state has other
    /// types than the plan, or an op refuses its operands, returns the unchanged state.
    pub(crate) fn run(
        &self,
        mut state: Outputs,
    ) -> Result<std::result::Result<(Outputs, i64), Outputs>> {
        let mut registers = self.registers.clone();
        for (register, array) in self.state.iter().zip(&state) {
            let Some(register) = register else { continue };
            match register.load(array) {
                Some(bits) => registers[register.index()] = bits,
                None => return Ok(Err(state)),
            }
        }
        if !self.program.run(&mut registers) {
            return Ok(Err(state));
        }
        let iterations = registers[registers.len() - 2].cast_signed();
        for (register, array) in self.state.iter().zip(&mut state) {
            if let Some(register) = register {
                *array = register.array(registers[register.index()])?;
            }
        }
        Ok(Ok((state, iterations)))
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
