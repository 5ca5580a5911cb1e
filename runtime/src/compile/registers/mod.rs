//! Loops on scalars: state, constants and what is computed of them lie in registers, and an op is a call of its
//! table's function on one element.
//!
//! A loop is of this form if its test and its body are made of elementwise ops on scalars, conditionals on them,
//! and loops of this form. Nothing is allocated while it runs. A loop in which an op refuses its operands is left
//! to the general way, which runs it from its start and tells where.

mod plan;
mod step;

use crate::graph::FunctionGraph;
use crate::op::Outputs;
use crate::types::Result;

use plan::Plan;
use step::{Loop, Register};

/// A loop in registers.
pub(crate) struct RegisterLoop {
    /// The constants; what else there is at first does not matter.
    registers: Vec<u64>,
    /// Of each tensor of the state its register, if something computes with it.
    state: Vec<Option<Register>>,
    looped: Loop,
}

impl RegisterLoop {
    /// The loop of these functions, if it is of this form.
    pub(crate) fn new(test: &FunctionGraph, body: &FunctionGraph) -> Option<Self> {
        let mut plan = Plan::default();
        let state = plan.state(body)?;
        let looped = plan.looped(test, body, &state)?;
        Some(Self { registers: plan.into_registers(), state, looped })
    }

    /// Runs the loop on a state; the state after it, and the number of iterations. The state as it was if it is
    /// not of the types that were planned for, and if an op refuses its operands.
    pub(crate) fn run(
        &self,
        mut state: Outputs,
    ) -> Result<std::result::Result<(Outputs, i64), Outputs>> {
        let mut registers = self.registers.clone();
        for (register, array) in self.state.iter().zip(&state) {
            let Some(register) = register else { continue };
            match register.load(array) {
                Some(bits) => registers[register.at] = bits,
                None => return Ok(Err(state)),
            }
        }
        let Some(iterations) = self.looped.run(&mut registers) else { return Ok(Err(state)) };
        for (register, array) in self.state.iter().zip(&mut state) {
            if let Some(register) = register {
                *array = register.array(registers[register.at])?;
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
