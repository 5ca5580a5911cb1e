//! Steps over registers, each of which holds the bits of one element.

use extype_kernels::Par;
use extype_kernels::registers::{
    Instruction, Memory, RegisterFn, RegisterProgram, Scalar, ScalarItems,
};
use extype_kernels::table::cast::CastTarget;
use extype_kernels::table::{
    MapFn, MapSignature, Pairing, Signature, Table, Tabled, ZipFn, ZipSignature, ZipToSignature,
};

use crate::array::{AnyWriter, Array, Element, stored};
use crate::ops::TensorList;
use crate::types::{DType, Error, Result, Shape, TensorType};

macro_rules! with_scalar {
    ($d:expr, $T:ident => $body:expr) => {
        crate::array::with_element!(common, $d, $T => $body, else None)
    };
}

/// A register and the dtype of its element.
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

    /// Its index among the registers.
    pub(super) fn index(self) -> usize {
        self.at as usize
    }

    /// The bits of the one element of an array of its dtype; `None` for other arrays.
    pub(super) fn load(self, array: &Array) -> Option<u64> {
        if array.len() != 1 || array.dtype() != self.dtype {
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

/// A vector whose elements a loop reads or writes, and their dtype. That of a list of scalars is `Variant`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vector {
    pub(super) dtype: DType,
    pub(super) at: u32,
}

impl Vector {
    /// True if there are vectors of tensors of this type.
    pub(super) fn holds(ty: &TensorType) -> bool {
        ty.shape.rank() == Some(1) && Register::holds(ty.dtype)
    }

    /// True if this is a list of scalars.
    pub(super) fn is_list(self) -> bool {
        self.dtype == DType::Variant
    }

    /// The elements of an array; `None` for one of another dtype or rank.
    pub(super) fn read(self, array: &Array) -> Option<Memory<'_>> {
        if self.is_list() {
            return Some(Memory::read::<i64>(&[]));
        }
        let given = Some(array).filter(|array| array.rank() == 1)?;
        with_scalar!(self.dtype, T => given.as_slice::<T>().ok().map(Memory::read))
    }

    /// The elements of a copy that the loop changes.
    pub(super) fn written(self, copy: &mut AnyWriter) -> Option<Memory<'_>> {
        with_scalar!(self.dtype, T => copy.elements_mut::<T>().map(Memory::written))
    }
}

/// A list of scalars that a loop reads and changes.
pub(super) struct ScalarList {
    list: TensorList,
    /// Has the dtype of the elements.
    element: Register,
}

impl ScalarList {
    /// The list in a variant.
    pub(super) fn new(array: &Array, element: Register) -> Option<Self> {
        Some(Self { list: TensorList::of(array).ok()?.clone(), element })
    }

    pub(super) fn finish(self) -> Result<Array> {
        self.list.into_array()
    }
}

impl ScalarItems for ScalarList {
    fn get(&mut self, i: i64) -> Option<u64> {
        self.element.load(&self.list.get(i, &Shape::scalar()).ok()?)
    }

    fn set(&mut self, i: i64, bits: u64, grows: bool) -> bool {
        self.element.array(bits).and_then(|item| self.list.set(i, item, grows)).is_ok()
    }

    fn push(&mut self, bits: u64) -> bool {
        self.element.array(bits).and_then(|item| self.list.push(item)).is_ok()
    }

    fn pop(&mut self) -> Option<u64> {
        self.element.load(&self.list.pop(&Shape::scalar()).ok()?)
    }
}

/// Where a tensor of a loop lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ValuePlace {
    /// One element.
    Register(Register),
    Vector(Vector),
}

impl ValuePlace {
    pub(super) fn register(self) -> Option<Register> {
        match self {
            ValuePlace::Register(register) => Some(register),
            ValuePlace::Vector(_) => None,
        }
    }

    pub(super) fn vector(self) -> Option<Vector> {
        match self {
            ValuePlace::Register(_) => None,
            ValuePlace::Vector(vector) => Some(vector),
        }
    }
}

pub(super) type Block = Vec<RegisterStep>;

/// One step.
pub(super) enum RegisterStep {
    Instruction(Instruction),
    /// A function of a table that has no instruction: its operands, and the register of its result.
    Call(RegisterFn, [Register; 2], Register),
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
    /// The program of the loop, whose final state is wanted. It counts iterations in the first of two registers after
    /// these, and those of inner loops in the second.
    pub(super) fn program(self, registers: usize, state: &[Option<ValuePlace>]) -> RegisterProgram {
        let mut flat = Flat::default();
        flat.looped(self, registers as u32, registers as u32 + 1);
        let state = state.iter().filter_map(|place| Some((*place)?.register()?.at));
        let results: Vec<u32> = state.chain([registers as u32]).collect();
        RegisterProgram::new(flat.code, flat.calls, &results)
    }
}

impl Flat {
    /// The index of the next instruction.
    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn block(&mut self, steps: Block, inner: u32) {
        for step in steps {
            match step {
                RegisterStep::Instruction(instruction) => self.code.push(instruction),
                RegisterStep::Call(f, x, to) => {
                    let i = self.calls.len() as u32;
                    self.code.push(Instruction::call(i, x.map(|x| x.at), to.at));
                    self.calls.push(f);
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

    fn looped(&mut self, Loop { test, goes_on, body }: Loop, iterations: u32, inner: u32) {
        let begin = self.later();
        let first = self.here();
        self.block(body, inner);
        let check = self.here();
        self.block(test, inner);
        self.code.push(Instruction::repeat(goes_on.at, first));
        self.code[begin] = Instruction::repeated(check, self.here(), iterations);
    }

    /// Leaves room for a jump.
    fn later(&mut self) -> usize {
        self.code.push(Instruction::jump(0));
        self.code.len() - 1
    }
}

/// Copies a register to one of its dtype.
pub(super) fn copy(from: Register, to: Register) -> Option<RegisterStep> {
    let copy = with_scalar!(from.dtype, T => Instruction::copy::<T>(from.at, to.at))?;
    same([from.dtype, to.dtype], copy)
}

/// Reads an element at the index in an int64 register.
pub(super) fn load(vector: Vector, index: Register, to: Register) -> Option<RegisterStep> {
    let load = with_scalar!(vector.dtype, T => Instruction::load::<T>(vector.at, index.at, to.at))?;
    same([vector.dtype, to.dtype], load)
}

/// Writes an element at the index in an int64 register.
pub(super) fn store(vector: Vector, index: Register, x: Register) -> Option<RegisterStep> {
    let store = with_scalar!(x.dtype, T => Instruction::store::<T>(vector.at, index.at, x.at))?;
    same([vector.dtype, x.dtype], store)
}

/// Counts a negative index from the end.
pub(super) fn wrap(vector: Vector, x: Register, to: Register) -> RegisterStep {
    RegisterStep::Instruction(Instruction::wrap(vector.at, x.at, to.at))
}

/// Reads an item of a list of scalars.
pub(super) fn get_item(items: u32, index: Register, to: Register) -> RegisterStep {
    RegisterStep::Instruction(Instruction::get_item(items, index.at, to.at))
}

/// Changes an item of a list of scalars.
pub(super) fn set_item(items: u32, index: Register, x: Register, grows: bool) -> RegisterStep {
    RegisterStep::Instruction(Instruction::set_item(items, index.at, x.at, grows))
}

/// Appends an item to a list of scalars.
pub(super) fn push_item(items: u32, x: Register) -> RegisterStep {
    RegisterStep::Instruction(Instruction::push_item(items, x.at))
}

/// Takes the last item off a list of scalars.
pub(super) fn pop_item(items: u32, to: Register) -> RegisterStep {
    RegisterStep::Instruction(Instruction::pop_item(items, to.at))
}

/// Appends an element to a list.
pub(super) fn push(list: usize, x: Register) -> Option<RegisterStep> {
    let push = with_scalar!(x.dtype, T => Instruction::push::<T>(list as u32, x.at))?;
    Some(RegisterStep::Instruction(push))
}

/// Ends the loop unless the op accepts the operand.
pub(super) fn check(x: Register, check: fn(&Array) -> Result<()>) -> RegisterStep {
    let passes = move |bits| x.array(bits).and_then(|x| check(&x)).is_ok();
    RegisterStep::Call(Box::new(move |[bits, _]| passes(bits).then_some(bits)), [x, x], x)
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
    let call = move |x| stored(|out| f(&[T::of(x)], out, Par::Seq)).bits();
    Some(RegisterStep::Call(Box::new(move |[x, _]| Some(call(x))), [x, x], to))
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
    let call = move |[x, y]: [u64; 2]| {
        stored(|out| f(&[T::of(x)], &[T::of(y)], Pairing::Each, out, Par::Seq)).bits()
    };
    Some(RegisterStep::Call(Box::new(move |x| Some(call(x))), [x, y], to))
}
