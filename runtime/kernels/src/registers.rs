//! Programs on scalars, which lie in registers of 64 bits.
//!
//! A [`RegisterProgram`] is a flat list of [`Instruction`]s. The functions of the tables that loops use most have instructions of
//! their own; any other one is a [`RegisterFn`]. An instruction computes what the table's function computes for one element.
//!
//! ```
//! use extype_kernels::registers::{Instruction, RegisterProgram, Scalar as _};
//! use extype_kernels::table::binary;
//!
//! // while x < limit { x = x + x }
//! let (x, limit, goes_on) = (0, 1, 2);
//! let double = Instruction::zip::<i64>(&binary::ADD, [x, x], x).unwrap();
//! let test = Instruction::compare::<i64>(&binary::LESS, [x, limit], goes_on).unwrap();
//! let steps = 3;
//! let code = vec![Instruction::jump(2), double, test, Instruction::repeat(goes_on, 1, steps)];
//! let program = RegisterProgram::new(code, Vec::new(), 4);
//! let mut registers = [3i64.bits(), 100i64.bits(), 0, 0];
//! assert!(program.run(&mut registers));
//! assert_eq!((i64::of(registers[0]), registers[3]), (192, 6));
//! ```

use core::any::TypeId;
use core::ptr;

use crate::element::{Arithmetic, Cast, Element, Integer, Real, Transcendental};
use crate::table::{MapSignature, Table, ZipSignature, ZipToSignature, binary, unary};

/// An element that a register holds.
pub trait Scalar: Element {
    /// The element whose bits the register has.
    fn of(bits: u64) -> Self;
    /// The bits for a register.
    fn bits(self) -> u64;
}

macro_rules! scalars {
    ($($t:ident |$bits:ident| $of:expr, |$x:ident| $to:expr;)*) => {$(
        impl Scalar for $t {
            #[inline(always)]
            fn of($bits: u64) -> Self {
                $of
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                let $x = self;
                $to
            }
        }
    )*};
}
scalars! {
    f32 |b| f32::from_bits(b as u32), |x| u64::from(x.to_bits());
    f64 |b| f64::from_bits(b), |x| x.to_bits();
    i32 |b| b as i32, |x| u64::from(x.cast_unsigned());
    i64 |b| b.cast_signed(), |x| x.cast_unsigned();
    bool |b| b != 0, |x| u64::from(x);
}

/// A function on the registers. False ends the program: the function refuses its operands.
pub type RegisterFn = Box<dyn Fn(&mut [u64]) -> bool + Send + Sync>;

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction(Code);

/// A register, or the place of an instruction.
type At = u32;

macro_rules! instructions {
    (
        maps { $($map_table:path = $map:expr; $($map_code:ident $map_t:ident),+;)* }
        zips { $($zip_table:path = $zip:expr; $($zip_code:ident $zip_t:ident),+;)* }
        compares { $($compare_table:path = $compare:tt; $($compare_code:ident $compare_t:ident),+;)* }
        casts { $($cast_code:ident $cast_t:ident $cast_r:ident;)* }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Code {
            Copy([At; 2]),
            Jump(At),
            JumpUnless(At, At),
            Repeat(At, At, At),
            Call(u32),
            $($($map_code([At; 2]),)+)*
            $($($zip_code([At; 3]),)+)*
            $($($compare_code([At; 3]),)+)*
            $($cast_code([At; 2]),)*
        }

        impl Code {
            /// The registers that it reads or writes.
            fn registers(self) -> [At; 3] {
                match self {
                    Code::Jump(_) | Code::Call(_) => [0; 3],
                    Code::JumpUnless(x, _) => [x; 3],
                    Code::Repeat(x, _, steps) => [x, steps, steps],
                    Code::Copy([x, to])
                    $($(| Code::$map_code([x, to]))+)*
                    $(| Code::$cast_code([x, to]))* => [x, to, to],
                    $($(Code::$zip_code(all))|+)|*
                    $($(| Code::$compare_code(all))+)* => all,
                }
            }
        }

        impl Instruction {
            /// The function of a table on one element, if it has an instruction.
            pub fn map<T: Element>(table: &Table<MapSignature>, x: At, to: At) -> Option<Self> {
                $(if ptr::eq(table, &$map_table) {
                    $(if TypeId::of::<T>() == TypeId::of::<$map_t>() {
                        return Some(Self(Code::$map_code([x, to])));
                    })+
                })*
                None
            }

            /// The function of a table on two elements, if it has an instruction.
            pub fn zip<T: Element>(
                table: &Table<ZipSignature>,
                [x, y]: [At; 2],
                to: At,
            ) -> Option<Self> {
                $(if ptr::eq(table, &$zip_table) {
                    $(if TypeId::of::<T>() == TypeId::of::<$zip_t>() {
                        return Some(Self(Code::$zip_code([x, y, to])));
                    })+
                })*
                None
            }

            /// The comparison of a table for two elements, if it has an instruction.
            pub fn compare<T: Element>(
                table: &Table<ZipToSignature<bool>>,
                [x, y]: [At; 2],
                to: At,
            ) -> Option<Self> {
                $(if ptr::eq(table, &$compare_table) {
                    $(if TypeId::of::<T>() == TypeId::of::<$compare_t>() {
                        return Some(Self(Code::$compare_code([x, y, to])));
                    })+
                })*
                None
            }

            /// The conversion of an element, if it has an instruction.
            pub fn cast<T: Element, R: Element>(x: At, to: At) -> Option<Self> {
                $(if TypeId::of::<(T, R)>() == TypeId::of::<($cast_t, $cast_r)>() {
                    return Some(Self(Code::$cast_code([x, to])));
                })*
                None
            }
        }

        impl RegisterProgram {
            /// Runs the program. False if a call refused its operands.
            ///
            /// # Panics
            /// If there are fewer registers than the program was made for.
            pub fn run(&self, registers: &mut [u64]) -> bool {
                assert!(registers.len() >= self.registers, "registers of the program");
                let registers = Registers(registers.as_mut_ptr(), registers.len());
                let mut at = 0;
                while let Some(Instruction(code)) = self.code.get(at) {
                    at += 1;
                    // SAFETY: `new` checked that the instructions stay within this many registers.
                    unsafe {
                        match *code {
                            Code::Copy([x, to]) => *registers.at(to) = *registers.at(x),
                            Code::Jump(to) => at = to as usize,
                            Code::JumpUnless(x, to) => {
                                if *registers.at(x) == 0 {
                                    at = to as usize;
                                }
                            }
                            Code::Repeat(x, to, steps) => {
                                if *registers.at(x) != 0 {
                                    *registers.at(steps) += 1;
                                    at = to as usize;
                                }
                            }
                            Code::Call(i) => {
                                if !self.calls[i as usize](registers.all()) {
                                    return false;
                                }
                            }
                            $($(Code::$map_code([x, to]) => {
                                let f: fn($map_t) -> $map_t = $map;
                                registers.set(to, f(registers.get(x)));
                            })+)*
                            $($(Code::$zip_code([x, y, to]) => {
                                let f: fn($zip_t, $zip_t) -> $zip_t = $zip;
                                registers.set(to, f(registers.get(x), registers.get(y)));
                            })+)*
                            $($(Code::$compare_code([x, y, to]) => {
                                let (x, y): ($compare_t, $compare_t) = (registers.get(x), registers.get(y));
                                registers.set(to, x $compare y);
                            })+)*
                            $(Code::$cast_code([x, to]) => {
                                registers.set(to, Cast::<$cast_r>::cast(registers.get::<$cast_t>(x)));
                            })*
                        }
                    }
                }
                true
            }
        }
    };
}

instructions! {
    maps {
        unary::NEG = Arithmetic::neg; NegF32 f32, NegF64 f64, NegI32 i32, NegI64 i64;
        unary::ABS = Real::abs; AbsF32 f32, AbsF64 f64, AbsI32 i32, AbsI64 i64;
        unary::SQUARE = Arithmetic::square; SquareF32 f32, SquareF64 f64, SquareI32 i32, SquareI64 i64;
        unary::LOGICAL_NOT = core::ops::Not::not; Not bool;
    }
    zips {
        binary::ADD = Arithmetic::add; AddF32 f32, AddF64 f64, AddI32 i32, AddI64 i64;
        binary::SUB = Arithmetic::sub; SubF32 f32, SubF64 f64, SubI32 i32, SubI64 i64;
        binary::MUL = Arithmetic::mul; MulF32 f32, MulF64 f64, MulI32 i32, MulI64 i64;
        binary::REAL_DIV = Transcendental::div; DivF32 f32, DivF64 f64;
        binary::MAXIMUM = Real::maximum; MaxF32 f32, MaxF64 f64, MaxI32 i32, MaxI64 i64;
        binary::MINIMUM = Real::minimum; MinF32 f32, MinF64 f64, MinI32 i32, MinI64 i64;
        binary::FLOOR_DIV = Real::floor_div; FloorDivF32 f32, FloorDivF64 f64, FloorDivI32 i32, FloorDivI64 i64;
        binary::FLOOR_MOD = Real::floor_mod; FloorModF32 f32, FloorModF64 f64, FloorModI32 i32, FloorModI64 i64;
        binary::TRUNC_DIV = Real::trunc_div; TruncDivI32 i32, TruncDivI64 i64;
        binary::TRUNC_MOD = Real::trunc_mod; TruncModI32 i32, TruncModI64 i64;
        binary::BITWISE_AND = Integer::and; AndI32 i32, AndI64 i64;
        binary::BITWISE_OR = Integer::or; OrI32 i32, OrI64 i64;
        binary::BITWISE_XOR = Integer::xor; XorI32 i32, XorI64 i64;
        binary::LOGICAL_AND = core::ops::BitAnd::bitand; And bool;
        binary::LOGICAL_OR = core::ops::BitOr::bitor; Or bool;
    }
    compares {
        binary::LESS = <; LessF32 f32, LessF64 f64, LessI32 i32, LessI64 i64;
        binary::LESS_EQUAL = <=; LessEqualF32 f32, LessEqualF64 f64, LessEqualI32 i32, LessEqualI64 i64;
        binary::GREATER = >; GreaterF32 f32, GreaterF64 f64, GreaterI32 i32, GreaterI64 i64;
        binary::GREATER_EQUAL = >=; GreaterEqualF32 f32, GreaterEqualF64 f64, GreaterEqualI32 i32, GreaterEqualI64 i64;
        binary::EQUAL = ==; EqualF32 f32, EqualF64 f64, EqualI32 i32, EqualI64 i64, EqualBool bool;
        binary::NOT_EQUAL = !=; NotEqualF32 f32, NotEqualF64 f64, NotEqualI32 i32, NotEqualI64 i64, NotEqualBool bool;
    }
    casts {
        F32ToF64 f32 f64;
        F32ToI32 f32 i32;
        F32ToI64 f32 i64;
        F32ToBool f32 bool;
        F64ToF32 f64 f32;
        F64ToI32 f64 i32;
        F64ToI64 f64 i64;
        F64ToBool f64 bool;
        I32ToF32 i32 f32;
        I32ToF64 i32 f64;
        I32ToI64 i32 i64;
        I32ToBool i32 bool;
        I64ToF32 i64 f32;
        I64ToF64 i64 f64;
        I64ToI32 i64 i32;
        I64ToBool i64 bool;
        BoolToF32 bool f32;
        BoolToF64 bool f64;
        BoolToI32 bool i32;
        BoolToI64 bool i64;
    }
}

impl Instruction {
    /// Copies a register.
    pub fn copy(from: At, to: At) -> Self {
        Self(Code::Copy([from, to]))
    }

    /// Goes on at another instruction.
    pub fn jump(to: At) -> Self {
        Self(Code::Jump(to))
    }

    /// Goes on at another instruction if the bool in a register is false.
    pub fn jump_unless(x: At, to: At) -> Self {
        Self(Code::JumpUnless(x, to))
    }

    /// Goes on at another instruction if the bool in a register is true, and adds one to the integer in `steps`.
    pub fn repeat(x: At, to: At, steps: At) -> Self {
        Self(Code::Repeat(x, to, steps))
    }

    /// Calls the function of this number.
    pub fn call(i: u32) -> Self {
        Self(Code::Call(i))
    }
}

/// The registers of a program that runs.
#[derive(Clone, Copy)]
struct Registers(*mut u64, usize);

impl Registers {
    /// # Safety
    /// There is such a register, and nothing else refers to one.
    #[inline(always)]
    unsafe fn at<'a>(self, i: At) -> &'a mut u64 {
        // SAFETY: as this function requires.
        unsafe { &mut *self.0.add(i as usize) }
    }

    /// # Safety
    /// As [`at`](Self::at).
    #[inline(always)]
    unsafe fn get<T: Scalar>(self, i: At) -> T {
        // SAFETY: as this function requires.
        T::of(unsafe { *self.at(i) })
    }

    /// # Safety
    /// As [`at`](Self::at).
    #[inline(always)]
    unsafe fn set<T: Scalar>(self, i: At, value: T) {
        // SAFETY: as this function requires.
        unsafe { *self.at(i) = value.bits() };
    }

    /// # Safety
    /// Nothing else refers to a register.
    unsafe fn all<'a>(self) -> &'a mut [u64] {
        // SAFETY: the registers were a slice of this length.
        unsafe { core::slice::from_raw_parts_mut(self.0, self.1) }
    }
}

/// Instructions that run one after the other, from the first one up to the end.
pub struct RegisterProgram {
    code: Vec<Instruction>,
    calls: Vec<RegisterFn>,
    /// The number of registers.
    registers: usize,
}

impl RegisterProgram {
    /// The program of these instructions and the functions that they call, for this many registers.
    ///
    /// # Panics
    /// If an instruction names a register or a function that there is not.
    pub fn new(code: Vec<Instruction>, calls: Vec<RegisterFn>, registers: usize) -> Self {
        for Instruction(code) in &code {
            let named = code.registers().into_iter().all(|i| (i as usize) < registers);
            assert!(
                named || matches!(code, Code::Jump(_) | Code::Call(_)),
                "a register of the program"
            );
            if let Code::Call(i) = code {
                assert!((*i as usize) < calls.len(), "a function of the program");
            }
        }
        Self { code, calls, registers }
    }
}

impl core::fmt::Debug for RegisterProgram {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.code.iter().map(|Instruction(code)| code)).finish()
    }
}

impl core::fmt::Display for RegisterProgram {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, Instruction(code)) in self.code.iter().enumerate() {
            writeln!(f, "  {i}: {code:?}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
