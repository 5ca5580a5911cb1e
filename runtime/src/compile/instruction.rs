//! The steps of a program.

use std::panic::Location;
use std::sync::Arc;

use smallvec::SmallVec;

use super::fuse::Fused;
use crate::array::Array;
use crate::device::DeviceId;
use crate::ir::{Attrs, Branches, Branching, Effect, Kernel, NodeId, OpDef, Spare, WORD};
use crate::types::{Error, Result, TensorType};

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Input(u32),
    Constant(u32),
    Slot(u32),
}

/// One step of a program.
#[derive(Debug)]
pub(super) struct Instruction {
    pub(super) work: Work,
    /// The node that it computes; the last one of a group.
    pub(super) node: NodeId,
    pub(super) inputs: SmallVec<[Source; 3]>,
    /// The slots of the results are consecutive: the first of them, and how many there are.
    pub(super) first_output: u32,
    pub(super) outputs: u32,
    /// Slots that are last used here.
    pub(super) frees: SmallVec<[u32; 2]>,
    /// Other slots that are last used here, whose storage may be reused for another result.
    pub(super) spares: SmallVec<[u32; 2]>,
    pub(super) location: Option<&'static Location<'static>>,
    /// The device of the node, and its number if it was here when the program was made. Other instructions run where
    /// their caller does.
    pub(super) device: Option<(Arc<str>, Option<DeviceId>)>,
    /// The inlined functions that the node was in.
    pub(super) within: Option<Arc<str>>,
    /// The arithmetic, if it is known.
    pub(super) flops: Option<u64>,
}

/// What an instruction computes.
#[derive(Debug)]
pub(super) enum Work {
    Op(OpCall),
    /// Several ops in one pass.
    Group(Box<Fused>),
}

/// The call of one op.
#[derive(Debug)]
pub(super) struct OpCall {
    pub(super) op: &'static OpDef,
    /// The op's kernel, already chosen for the dtype of the first input.
    pub(super) kernel: Kernel,
    /// The branches, if it is a conditional.
    pub(super) branches: Option<Box<Branches>>,
    pub(super) attrs: Attrs,
    pub(super) one_output: bool,
    /// The inferred types that the results are compared with, if the op is checked.
    pub(super) promised: Option<Box<[TensorType]>>,
    /// Inference must see the values first: it did not know everything while tracing.
    pub(super) infers: bool,
    /// The result may be computed in the storage of the first operand, which is last used here.
    pub(super) in_place: bool,
    /// The kernel changes the first operand, which is last used here.
    pub(super) changes: bool,
}

impl OpCall {
    #[inline]
    pub(super) fn conditional(&self) -> Option<(&'static Branching, &Branches)> {
        match self.kernel {
            Kernel::Branch(branching) => Some((branching, self.branches.as_deref()?)),
            _ => None,
        }
    }
}

impl Instruction {
    /// The device, as a part of a line.
    pub(super) fn on(&self) -> String {
        match &self.device {
            Some((_, Some(device))) => format!(" on {}", device.name()),
            Some((name, None)) => format!(" on {name}"),
            None => String::new(),
        }
    }

    /// Puts the results into their slots. More of them than the node has would be taken for those of later instructions.
    #[inline(always)]
    pub(super) fn store(
        &self,
        outputs: impl IntoIterator<Item = Array>,
        slots: &mut [Option<Array>],
    ) {
        let own = slots[self.first_output as usize..].iter_mut().take(self.outputs as usize);
        own.zip(outputs).for_each(|(slot, output)| *slot = Some(output));
    }

    /// Frees the slots that were last used here.
    #[inline(always)]
    pub(super) fn release(&self, slots: &mut [Option<Array>], spare: &Spare) {
        for slot in &self.spares {
            if let Some(array) = slots[*slot as usize].take() {
                spare.keep(array);
            }
        }
        for slot in &self.frees {
            slots[*slot as usize] = None;
        }
    }

    /// Refuses results whose types are not those inferred while tracing.
    #[inline]
    pub(super) fn check(&self, call: &OpCall, results: &[Array]) -> Result<()> {
        let Some(promised) = &call.promised else { return Ok(()) };
        let kept = call.op.check_results(results, promised);
        kept.map_err(|e| self.located(e.with_op(call.op.rust_name)))
    }

    #[cold]
    pub(super) fn located(&self, mut error: Error) -> Error {
        if let Some(l) = self.location {
            error = error.with_location(l);
        }
        match &self.within {
            Some(within) => error.in_context(&**within),
            None => error,
        }
    }

    #[cold]
    pub(super) fn fail(&self, call: &OpCall, operands: &[&Array], error: Error) -> Error {
        // A checked call of the same op gives a better message. Only pure ops without functions may
        // run twice.
        let called = call.attrs.iter().find_map(|(_, value)| value.functions().next());
        let is_here =
            |(_, device): &(Arc<str>, Option<DeviceId>)| device.is_some_and(DeviceId::is_host);
        let is_here = self.device.as_ref().is_none_or(is_here);
        if let (Effect::Pure, None, true) = (call.op.effect, called, is_here) {
            return self.located(call.op.run(operands, &call.attrs).err().unwrap_or(error));
        }
        let word = call.attrs.get(WORD);
        let word = word.as_deref().unwrap_or(call.op.rust_name);
        let error = error.with_op(word);
        let (Some(f), Some(l)) = (called, self.location) else { return self.located(error) };
        let what = match call.kernel {
            Kernel::Branch(_) | Kernel::Loop(_) => {
                format!("the `{word}` at {}:{}", l.file(), l.line())
            }
            _ => format!("`{}`", f.title()),
        };
        self.located(error.with_location(l).in_context(what))
    }
}
