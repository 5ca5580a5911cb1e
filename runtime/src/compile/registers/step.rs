//! Steps over registers, each of which holds the bits of a scalar.

use extype_kernels::Par;
use extype_kernels::registers::{Instruction, RegisterFn, RegisterProgram, Scalar};
use extype_kernels::table::cast::CastTarget;
use extype_kernels::table::{
    MapFn, MapSignature, Pairing, Signature, Table, Tabled, ZipFn, ZipSignature, ZipToSignature,
};

use crate::array::{Array, Element, stored};
use crate::types::{DType, Error, Result};

macro_rules! with_scalar {
    ($d:expr, $T:ident => $body:expr) => {
        crate::array::with_element!(common, $d, $T => $body, else None)
    };
}

/// A register and the dtype of its scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Register {
    pub(super) dtype: DType,
    pub(super) at: u32,
}

impl Register {
    /// True if there are registers of this dtype.
    pub(super) fn holds(dtype: DType) -> bool {
        with_scalar!(dtype, T => Some(T::DTYPE)).is_some()
    }

    /// Its place among the registers.
    pub(super) fn index(self) -> usize {
        self.at as usize
    }

    /// The bits of a scalar of its dtype; `None` for other arrays.
    pub(super) fn load(self, array: &Array) -> Option<u64> {
        if array.rank() != 0 || array.dtype() != self.dtype {
            return None;
        }
        with_scalar!(self.dtype, T => Some(array.as_slice::<T>().ok()?[0].bits()))
    }

    /// The scalar with these bits.
    pub(super) fn array(self, bits: u64) -> Result<Array> {
        let array = with_scalar!(self.dtype, T => Some(Array::scalar(T::of(bits))));
        array.ok_or_else(|| Error::internal("a register of another dtype"))
    }
}

pub(super) type Block = Vec<RegisterStep>;

/// One step.
pub(super) enum RegisterStep {
    Instruction(Instruction),
    /// A function of a table that has no instruction.
    Call(RegisterFn),
    /// Runs the second block if the register is true, otherwise the first.
    Branch {
        pick: Register,
        arms: [Block; 2],
    },
    Loop(Loop),
}

/// Runs the body as long as the test gives true.
pub(super) struct Loop {
    pub(super) test: Block,
    /// The register with the test's result.
    pub(super) goes_on: Register,
    pub(super) body: Block,
}

/// Steps as a flat list of instructions.
#[derive(Default)]
struct Flat {
    code: Vec<Instruction>,
    calls: Vec<RegisterFn>,
}

impl Loop {
    /// The program of the loop. It counts iterations in the first of two registers after these, and those of inner
    /// loops in the second.
    pub(super) fn program(self, registers: usize) -> RegisterProgram {
        let mut flat = Flat::default();
        flat.looped(self, registers as u32, registers as u32 + 1);
        RegisterProgram::new(flat.code, flat.calls, registers + 2)
    }
}

impl Flat {
    /// The place of the next instruction.
    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn block(&mut self, steps: Block, inner: u32) {
        for step in steps {
            match step {
                RegisterStep::Instruction(instruction) => self.code.push(instruction),
                RegisterStep::Call(call) => {
                    self.code.push(Instruction::call(self.calls.len() as u32));
                    self.calls.push(call);
                }
                RegisterStep::Branch { pick, arms: [no, yes] } => {
                    let choice = self.later();
                    self.block(yes, inner);
                    let end = (!no.is_empty()).then(|| self.later());
                    self.code[choice] = Instruction::jump_unless(pick.at, self.here());
                    self.block(no, inner);
                    if let Some(end) = end {
                        self.code[end] = Instruction::jump(self.here());
                    }
                }
                RegisterStep::Loop(looped) => self.looped(looped, inner, inner),
            }
        }
    }

    /// The test comes last, so that an iteration takes one jump.
    fn looped(&mut self, Loop { test, goes_on, body }: Loop, iterations: u32, inner: u32) {
        let begin = self.later();
        self.block(body, inner);
        self.code[begin] = Instruction::jump(self.here());
        self.block(test, inner);
        self.code.push(Instruction::repeat(goes_on.at, begin as u32 + 1, iterations));
    }

    /// Leaves room for a jump.
    fn later(&mut self) -> usize {
        self.code.push(Instruction::jump(0));
        self.code.len() - 1
    }
}

/// Copies a register.
pub(super) fn copy(from: Register, to: Register) -> RegisterStep {
    RegisterStep::Instruction(Instruction::copy(from.at, to.at))
}

/// Ends the loop unless the op accepts the operand.
pub(super) fn check(x: Register, check: fn(&Array) -> Result<()>) -> RegisterStep {
    RegisterStep::Call(Box::new(move |registers| {
        x.array(registers[x.index()]).and_then(|x| check(&x)).is_ok()
    }))
}

pub(super) fn map(table: &Table<MapSignature>, x: Register, to: Register) -> Option<RegisterStep> {
    with_scalar!(x.dtype, T => match Instruction::map::<T>(table, x.at, to.at) {
        Some(known) => same([x.dtype, to.dtype], known),
        None => mapped(T::entry(table)?, x, to),
    })
}

pub(super) fn convert(x: Register, to: Register) -> Option<RegisterStep> {
    with_scalar!(x.dtype, T => with_scalar!(to.dtype, R => match Instruction::cast::<T, R>(x.at, to.at) {
        Some(known) => Some(RegisterStep::Instruction(known)),
        None => mapped::<T, R>(T::entry(R::casts())?, x, to),
    }))
}

pub(super) fn zip(
    table: &Table<ZipSignature>,
    x: [Register; 2],
    to: Register,
) -> Option<RegisterStep> {
    with_scalar!(x[0].dtype, T => match Instruction::zip::<T>(table, x.map(|x| x.at), to.at) {
        Some(known) => same([x[0].dtype, x[1].dtype, to.dtype], known),
        None => zipped::<T, T, ZipSignature>(table, x, to),
    })
}

pub(super) fn compare(
    table: &Table<ZipToSignature<bool>>,
    x: [Register; 2],
    to: Register,
) -> Option<RegisterStep> {
    with_scalar!(x[0].dtype, T => match Instruction::compare::<T>(table, x.map(|x| x.at), to.at) {
        Some(known) if to.dtype == DType::Bool => same([x[0].dtype, x[1].dtype], known),
        _ => zipped::<T, bool, ZipToSignature<bool>>(table, x, to),
    })
}

/// An instruction on registers of one dtype.
fn same<const N: usize>(dtypes: [DType; N], known: Instruction) -> Option<RegisterStep> {
    let one = dtypes.iter().all(|dtype| *dtype == dtypes[0]);
    one.then_some(RegisterStep::Instruction(known))
}

fn mapped<T: Scalar + Element, R: Scalar + Element>(
    f: MapFn<T, R>,
    x: Register,
    to: Register,
) -> Option<RegisterStep> {
    if (x.dtype, to.dtype) != (T::DTYPE, R::DTYPE) {
        return None;
    }
    Some(RegisterStep::Call(Box::new(move |registers| {
        let x = [T::of(registers[x.index()])];
        registers[to.index()] = stored(|out| f(&x, out, Par::Seq)).bits();
        true
    })))
}

fn zipped<T, R, K>(table: &Table<K>, [x, y]: [Register; 2], to: Register) -> Option<RegisterStep>
where
    T: Scalar + Tabled + Element,
    R: Scalar + Element,
    K: Signature<Of<T> = ZipFn<T, R>>,
{
    let f = T::entry(table)?;
    if (x.dtype, y.dtype, to.dtype) != (T::DTYPE, T::DTYPE, R::DTYPE) {
        return None;
    }
    Some(RegisterStep::Call(Box::new(move |registers| {
        let (x, y) = ([T::of(registers[x.index()])], [T::of(registers[y.index()])]);
        registers[to.index()] = stored(|out| f(&x, &y, Pairing::Each, out, Par::Seq)).bits();
        true
    })))
}
