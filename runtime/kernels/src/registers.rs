//! Programs on scalars, which lie in registers of 64 bits.
//!
//! A [`RegisterProgram`] is a flat list of [`Instruction`]s. It reads and writes elements of vectors, and appends to
//! lists. The functions of the tables that loops use most have instructions of their own; any other one is a
//! [`RegisterFn`]. An instruction computes what the table's function computes for one element.
//!
//! ```
//! use extype_kernels::registers::{Instruction, RegisterProgram, Scalar as _};
//! use extype_kernels::table::binary;
//!
//! // while x < limit { x = x + x }
//! let (x, limit, goes_on) = (0, 1, 2);
//! let double = Instruction::zip::<i64>(&binary::ADD, [x, x], x).unwrap();
//! let test = Instruction::compare::<i64>(&binary::LESS, [x, limit], goes_on).unwrap();
//! let count = 3;
//! let code = vec![Instruction::repeated(2, 4, count), double, test, Instruction::repeat(goes_on, 1)];
//! let program = RegisterProgram::new(code, Vec::new(), &[x, count]);
//! let mut registers = [3i64.bits(), 100i64.bits(), 0, 0];
//! assert!(program.run(&mut registers, &mut [], &mut [], &mut []));
//! assert_eq!((i64::of(registers[0]), registers[3]), (192, 6));
//! ```

mod coalesce;
mod divide;
mod plan;
mod steps;

use core::any::TypeId;
use core::marker::PhantomData;
use core::{ptr, slice};

use crate::element::{Arithmetic, Cast, Element, Integer, Real, Transcendental};
use crate::table::{MapSignature, Table, ZipSignature, ZipToSignature, binary, unary};
use divide::Divide;
use plan::{Planned, chained, decided, tested};
use steps::{Binary, Computed, Machine, One, Read, Registers, Threaded, Two, Unary, detached};

/// An element that a register holds.
pub trait Scalar: Element {
    /// The element whose bits the register has. The bits beyond its size may be anything.
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

/// A function of the bits of two registers. `None` ends the program: the function refuses its operands.
pub type RegisterFn = Box<dyn Fn([u64; 2]) -> Option<u64> + Send + Sync>;

/// A list of elements that a program reads and changes. What it refuses ends the program.
pub trait ScalarItems {
    /// The bits of the element at an index.
    fn get(&mut self, i: i64) -> Option<u64>;
    /// Changes the element at an index; if `grows`, the list is extended as needed.
    fn set(&mut self, i: i64, bits: u64, grows: bool) -> bool;
    /// Appends an element.
    fn push(&mut self, bits: u64) -> bool;
    /// Removes the last element.
    fn pop(&mut self) -> Option<u64>;
}

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction(Code);

/// A register, or the place of an instruction.
type At = u32;

/// The number of a vector, the type of the elements that an instruction reads or writes there, and whether it writes.
type VectorUse = (u32, Option<TypeId>, bool);

/// The instruction for a type, if there is one.
macro_rules! one_of {
    ($t:ty; $($of:ty => $code:expr,)+) => {{
        $(if TypeId::of::<$t>() == TypeId::of::<$of>() {
            return Some(Self($code));
        })+
        None
    }};
}

macro_rules! instructions {
    (
        maps { $($map_table:path = $map:expr; $($map_code:ident $map_t:ident),+;)* }
        zips { $($zip_table:path = $zip:expr; $($zip_code:ident $zip_t:ident),+;)* }
        compares { $($compare_table:path = $compare:tt; $($compare_code:ident $compare_t:ident),+;)* }
        casts { $($cast_code:ident $cast_t:ident $cast_r:ident;)* }
        elements { $($load_code:ident $store_code:ident $push_code:ident $copy_code:ident $element_t:ident;)* }
        chains { $($chain:ident $chain_t:ident: $($first:ident $of:ident),+ => $($second:ident)+;)* }
        tests { $($tests:ident $test_t:ident: $($tested:ident)+ => $($test:ident)+;)* }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Code {
            Jump(At),
            JumpUnless(At, At),
            Loop([At; 2], At),
            Repeat(At, At),
            Call(u32, [At; 3]),
            Wrap(u32, [At; 2]),
            GetItem(u32, [At; 2]),
            SetItem(u32, [At; 2], bool),
            PushItem(u32, At),
            PopItem(u32, At),
            $($($map_code([At; 2]),)+)*
            $($($zip_code([At; 3]),)+)*
            $($($compare_code([At; 3]),)+)*
            $($cast_code([At; 2]),)*
            $($load_code(u32, [At; 2]),)*
            $($store_code(u32, [At; 2]),)*
            $($push_code(u32, At),)*
            $($copy_code([At; 2]),)*
        }

        /// The functions of the instructions.
        mod functions {
            use super::*;

            $($(pub(super) struct $map_code;
            impl Unary for $map_code {
                type In = $map_t;
                type Out = $map_t;

                #[inline(always)]
                fn apply(x: $map_t) -> $map_t {
                    let f: fn($map_t) -> $map_t = $map;
                    f(x)
                }
            })+)*
            $(pub(super) struct $cast_code;
            impl Unary for $cast_code {
                type In = $cast_t;
                type Out = $cast_r;

                #[inline(always)]
                fn apply(x: $cast_t) -> $cast_r {
                    Cast::<$cast_r>::cast(detached(x))
                }
            })*
            $($(pub(super) struct $zip_code;
            impl Binary for $zip_code {
                type In = $zip_t;
                type Out = $zip_t;

                #[inline(always)]
                fn apply(x: $zip_t, y: $zip_t) -> $zip_t {
                    let f: fn($zip_t, $zip_t) -> $zip_t = $zip;
                    f(x, y)
                }
            })+)*
            $($(pub(super) struct $compare_code;
            impl Binary for $compare_code {
                type In = $compare_t;
                type Out = bool;

                #[inline(always)]
                fn apply(x: $compare_t, y: $compare_t) -> bool {
                    x $compare y
                }
            })+)*
        }

        impl Code {
            /// Its registers, and whether it writes the last one. It reads the others.
            fn registers(&mut self) -> (&mut [At], bool) {
                match self {
                    Code::Jump(_) => (&mut [], false),
                    Code::JumpUnless(x, _) | Code::Repeat(x, _) | Code::PushItem(_, x) => (slice::from_mut(x), false),
                    Code::Loop(_, x) | Code::PopItem(_, x) => (slice::from_mut(x), true),
                    Code::SetItem(_, all, _) => (all, false),
                    Code::Wrap(_, all)
                    | Code::GetItem(_, all)
                    $($(| Code::$map_code(all))+)*
                    $(| Code::$cast_code(all))*
                    $(| Code::$copy_code(all))*
                    $(| Code::$load_code(_, all))* => (all, true),
                    $(Code::$store_code(_, all))|* => (all, false),
                    $(Code::$push_code(_, x))|* => (slice::from_mut(x), false),
                    Code::Call(_, all)
                    $($(| Code::$zip_code(all))+)*
                    $($(| Code::$compare_code(all))+)* => (all, true),
                }
            }

            /// The instructions that it may go to, besides the next one.
            fn targets(&mut self) -> &mut [At] {
                match self {
                    Code::Jump(to) | Code::JumpUnless(_, to) | Code::Repeat(_, to) => slice::from_mut(to),
                    Code::Loop(to, _) => to,
                    _ => &mut [],
                }
            }

            /// The registers that it copies from and to.
            fn copied(self) -> Option<[At; 2]> {
                match self {
                    $(Code::$copy_code(all))|* => Some(all),
                    _ => None,
                }
            }

            /// What it does with a vector.
            fn vector(self) -> Option<VectorUse> {
                match self {
                    Code::Wrap(vector, _) => Some((vector, None, false)),
                    $(Code::$load_code(vector, _) => Some((vector, Some(TypeId::of::<$element_t>()), false)),)*
                    $(Code::$store_code(vector, _) => Some((vector, Some(TypeId::of::<$element_t>()), true)),)*
                    _ => None,
                }
            }

            /// The list that it appends to.
            fn list(self) -> Option<u32> {
                match self {
                    $(Code::$push_code(list, _))|* => Some(list),
                    _ => None,
                }
            }

            /// The items that it reads or changes.
            fn items(self) -> Option<u32> {
                match self {
                    Code::GetItem(items, _)
                    | Code::SetItem(items, ..)
                    | Code::PushItem(items, _)
                    | Code::PopItem(items, _) => Some(items),
                    _ => None,
                }
            }

            /// The step that runs it.
            fn step(self) -> Planned {
                match self {
                    Code::Jump(to) => Planned::jumping(steps::jump, &[], &[to]),
                    Code::JumpUnless(x, to) => Planned::jumping(steps::jump_unless::<Read<bool>>, &[x], &[to]),
                    Code::Loop(to, count) => Planned::jumping(steps::repeated, &[count, 1, 1], &to),
                    Code::Repeat(x, _) => Planned::new(steps::repeat::<Read<bool>>, &[x]),
                    Code::Call(i, [x, y, to]) => Planned::new(steps::call, &[i, x, y, to]),
                    Code::Wrap(vector, [x, to]) => Planned::new(steps::wrap, &[vector, x, to]),
                    Code::GetItem(items, [i, to]) => Planned::new(steps::get_item, &[items, i, to]),
                    Code::SetItem(items, [i, x], grows) => {
                        Planned::new(steps::set_item, &[items, i, x, u32::from(grows)])
                    }
                    Code::PushItem(items, x) => Planned::new(steps::push_item, &[items, x]),
                    Code::PopItem(items, to) => Planned::new(steps::pop_item, &[items, to]),
                    $($(Code::$map_code(all) => Planned::new(steps::compute::<One<functions::$map_code>>, &all),)+)*
                    $(Code::$cast_code(all) => Planned::new(steps::compute::<One<functions::$cast_code>>, &all),)*
                    $($(Code::$zip_code(all) => Planned::new(steps::compute::<Two<functions::$zip_code>>, &all),)+)*
                    $($(Code::$compare_code(all) => {
                        Planned::new(steps::compute::<Two<functions::$compare_code>>, &all)
                    })+)*
                    $(Code::$copy_code(all) => Planned::new(steps::compute::<Read<$element_t>>, &all),)*
                    $(Code::$load_code(vector, [index, to]) => {
                        Planned::new(steps::load::<$element_t>, &[vector, index, to])
                    })*
                    $(Code::$store_code(vector, [index, x]) => {
                        Planned::new(steps::store::<$element_t>, &[vector, index, x])
                    })*
                    $(Code::$push_code(list, x) => Planned::new(steps::push::<$element_t>, &[list, x]),)*
                }
            }

            /// One step that runs this instruction and the next ones, if there is such a step, and how many it runs.
            fn step_with(self, next: &[Code]) -> Option<(Planned, usize)> {
                let tested = match self {
                    $($(Code::$tested(own) => $tests::<Two<functions::$tested>>(&own, next),)+)*
                    _ => None,
                };
                let two = || match self {
                    $($(Code::$compare_code(own) => decided::<Two<functions::$compare_code>>(&own, *next.first()?),)+)*
                    $($(Code::$first(own) => $chain::<$of<functions::$first>>(&own, *next.first()?),)+)*
                    _ => None,
                };
                tested.map(|step| (step, 3)).or_else(|| Some((two()?, 2)))
            }
        }

        $(
            /// The step for a value and the function of one element more that is applied to it next.
            fn $chain<V: Computed<Out = $chain_t>>(own: &[At], next: Code) -> Option<Planned> {
                match next {
                    $(Code::$second(all) => chained::<V, functions::$second>(own, all),)+
                    _ => None,
                }
            }
        )*

        $(
            /// The step for a value and the comparison with another one that the program goes on by.
            fn $tests<V: Computed<Out = $test_t>>(own: &[At], next: &[Code]) -> Option<Planned> {
                match next {
                    $([Code::$test(all), next, ..] => tested::<V, functions::$test>(own, *all, *next),)+
                    _ => None,
                }
            }
        )*

        impl Instruction {
            /// Copies a register that holds an element of this type.
            pub fn copy<T: Element>(from: At, to: At) -> Option<Self> {
                one_of!(T; $($element_t => Code::$copy_code([from, to]),)*)
            }

            /// Reads the element of a vector at the int64 in `index`; ends the program if there is none.
            pub fn load<T: Element>(vector: u32, index: At, to: At) -> Option<Self> {
                one_of!(T; $($element_t => Code::$load_code(vector, [index, to]),)*)
            }

            /// Writes the element of a vector at the int64 in `index`; ends the program if there is none.
            pub fn store<T: Element>(vector: u32, index: At, x: At) -> Option<Self> {
                one_of!(T; $($element_t => Code::$store_code(vector, [index, x]),)*)
            }

            /// Appends the bytes of an element to a list; ends the program if there is no memory for it.
            pub fn push<T: Element>(list: u32, x: At) -> Option<Self> {
                one_of!(T; $($element_t => Code::$push_code(list, x),)*)
            }

            /// The function of a table on one element, if it has an instruction.
            pub fn map<T: Element>(table: &Table<MapSignature>, x: At, to: At) -> Option<Self> {
                $(if ptr::eq(table, &$map_table) {
                    return one_of!(T; $($map_t => Code::$map_code([x, to]),)+);
                })*
                None
            }

            /// The function of a table on two elements, if it has an instruction.
            pub fn zip<T: Element>(table: &Table<ZipSignature>, [x, y]: [At; 2], to: At) -> Option<Self> {
                $(if ptr::eq(table, &$zip_table) {
                    return one_of!(T; $($zip_t => Code::$zip_code([x, y, to]),)+);
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
                    return one_of!(T; $($compare_t => Code::$compare_code([x, y, to]),)+);
                })*
                None
            }

            /// The conversion of an element, if it has an instruction.
            pub fn cast<T: Element, R: Element>(x: At, to: At) -> Option<Self> {
                one_of!((T, R); $(($cast_t, $cast_r) => Code::$cast_code([x, to]),)*)
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
        binary::FLOOR_DIV = Divide::floor_div; FloorDivF32 f32, FloorDivF64 f64, FloorDivI32 i32, FloorDivI64 i64;
        binary::FLOOR_MOD = Divide::floor_mod; FloorModF32 f32, FloorModF64 f64, FloorModI32 i32, FloorModI64 i64;
        binary::TRUNC_DIV = Divide::trunc_div; TruncDivI32 i32, TruncDivI64 i64;
        binary::TRUNC_MOD = Divide::trunc_mod; TruncModI32 i32, TruncModI64 i64;
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
    elements {
        LoadF32 StoreF32 PushF32 CopyF32 f32;
        LoadF64 StoreF64 PushF64 CopyF64 f64;
        LoadI32 StoreI32 PushI32 CopyI32 i32;
        LoadI64 StoreI64 PushI64 CopyI64 i64;
        LoadBool StoreBool PushBool CopyBool bool;
    }
    // One step instead of two where the second function's operand is the first one's result.
    chains {
        after_f32 f32: I32ToF32 One, I64ToF32 One, AddF32 Two, SubF32 Two, MulF32 Two => AddF32 SubF32 MulF32;
        after_f64 f64: I32ToF64 One, I64ToF64 One, AddF64 Two, SubF64 Two, MulF64 Two => AddF64 SubF64 MulF64;
        after_i32 i32: AddI32 Two, SubI32 Two, MulI32 Two => AddI32 SubI32 MulI32;
        after_i64 i64: AddI64 Two, SubI64 Two, MulI64 Two => AddI64 SubI64 MulI64;
    }
    // One step instead of three where a comparison has the first one's result on the left, and decides.
    tests {
        tests_i32 i32: AddI32 SubI32 FloorModI32 TruncModI32 TruncDivI32
            => LessI32 LessEqualI32 GreaterI32 GreaterEqualI32 EqualI32 NotEqualI32;
        tests_i64 i64: AddI64 SubI64 FloorModI64 TruncModI64 TruncDivI64
            => LessI64 LessEqualI64 GreaterI64 GreaterEqualI64 EqualI64 NotEqualI64;
    }
}

impl Instruction {
    /// Goes on at a later instruction.
    pub fn jump(to: At) -> Self {
        Self(Code::Jump(to))
    }

    /// Goes on at a later instruction if the bool in a register is false.
    pub fn jump_unless(x: At, to: At) -> Self {
        Self(Code::JumpUnless(x, to))
    }

    /// Begins a loop, whose body are the next instructions. Goes on at `test`; when the loop has ended, at `end`. Adds
    /// the number of iterations to the integer in `count`.
    pub fn repeated(test: At, end: At, count: At) -> Self {
        Self(Code::Loop([test, end], count))
    }

    /// Runs a loop again from its first instruction, which is `body`, if the bool in a register is true. Otherwise ends
    /// the loop.
    pub fn repeat(x: At, body: At) -> Self {
        Self(Code::Repeat(x, body))
    }

    /// Adds the length of a vector to an int64 that is negative.
    pub fn wrap(vector: u32, x: At, to: At) -> Self {
        Self(Code::Wrap(vector, [x, to]))
    }

    /// Reads the item at the int64 in `index`.
    pub fn get_item(items: u32, index: At, to: At) -> Self {
        Self(Code::GetItem(items, [index, to]))
    }

    /// Changes the item at the int64 in `index`; if `grows`, the list is extended as needed.
    pub fn set_item(items: u32, index: At, x: At, grows: bool) -> Self {
        Self(Code::SetItem(items, [index, x], grows))
    }

    /// Appends an item.
    pub fn push_item(items: u32, x: At) -> Self {
        Self(Code::PushItem(items, x))
    }

    /// Removes the last item, and writes it to a register.
    pub fn pop_item(items: u32, to: At) -> Self {
        Self(Code::PopItem(items, to))
    }

    /// Calls the function of this number on two registers, and writes its result to a third.
    pub fn call(i: u32, [x, y]: [At; 2], to: At) -> Self {
        Self(Code::Call(i, [x, y, to]))
    }
}

/// The elements of a vector that a program reads or writes.
pub struct Memory<'a> {
    data: *mut u8,
    len: usize,
    ty: TypeId,
    writable: bool,
    memory: PhantomData<&'a mut [u8]>,
}

impl<'a> Memory<'a> {
    /// Elements that are only read.
    pub fn read<T: Scalar>(x: &'a [T]) -> Self {
        let data = x.as_ptr().cast_mut().cast();
        Self { data, len: x.len(), ty: TypeId::of::<T>(), writable: false, memory: PhantomData }
    }

    /// Elements that are read and written.
    pub fn written<T: Scalar>(x: &'a mut [T]) -> Self {
        let (data, len) = (x.as_mut_ptr().cast(), x.len());
        Self { data, len, ty: TypeId::of::<T>(), writable: true, memory: PhantomData }
    }

    /// The element at this index, if there is one.
    #[inline(always)]
    fn at<T>(&self, index: i64) -> Option<*mut T> {
        // A negative index is a large unsigned one.
        let is_there = index.cast_unsigned() < self.len as u64;
        is_there.then(|| self.data.cast::<T>().wrapping_add(index as usize))
    }
}

/// Instructions that run one after the other, from the first one up to the end.
pub struct RegisterProgram {
    code: Vec<Code>,
    steps: Vec<Threaded>,
    calls: Vec<RegisterFn>,
    /// One more than the highest register.
    registers: usize,
    /// Each use of a vector once.
    uses: Vec<VectorUse>,
    /// One more than the highest list.
    lists: usize,
    /// One more than the highest number of items.
    items: usize,
}

impl RegisterProgram {
    /// The program of these instructions and the functions that they call. Of the registers it leaves those in `results`
    /// as the instructions do; others may get other values. Each loop within another takes some space on the stack when
    /// the program runs.
    ///
    /// # Panics
    /// If an instruction names a function that there is not, jumps to itself, back, or out of its loop or the program, or a
    /// loop does not end with a repetition of its body.
    pub fn new(code: Vec<Instruction>, calls: Vec<RegisterFn>, results: &[At]) -> Self {
        let mut code: Vec<Code> = code.into_iter().map(|Instruction(code)| code).collect();
        plan::check(&mut code);
        coalesce::coalesce(&mut code, results);
        let called = |code: &Code| !matches!(code, Code::Call(i, _) if *i as usize >= calls.len());
        assert!(code.iter().all(called), "a function of the program");
        let count = |most: Option<u32>| most.map_or(0, |most| (most as usize).saturating_add(1));
        let highest = |code: &mut Code| code.registers().0.iter().copied().max();
        let registers = count(code.iter_mut().filter_map(highest).max());
        let steps = plan::steps(&code);
        let codes = || code.iter().copied();
        let lists = count(codes().filter_map(Code::list).max());
        let items = count(codes().filter_map(Code::items).max());
        let mut uses: Vec<VectorUse> = codes().filter_map(Code::vector).collect();
        uses.sort_unstable();
        uses.dedup();
        Self { code, steps, calls, registers, uses, lists, items }
    }

    /// Runs the program. False if a call or items refused their operands, there is no element at an index, or no memory
    /// for a list.
    ///
    /// # Panics
    /// If there are fewer registers, vectors, lists or items than the program names, or vectors of other types.
    pub fn run<'m>(
        &self,
        registers: &mut [u64],
        vectors: &mut [Memory<'m>],
        lists: &mut [Vec<u8>],
        items: &mut [&'m mut dyn ScalarItems],
    ) -> bool {
        assert!(registers.len() >= self.registers, "registers of the program");
        assert!(lists.len() >= self.lists, "lists of the program");
        assert!(items.len() >= self.items, "items of the program");
        let fit = |(vector, ty, writes): &VectorUse| {
            let fits = |given: &Memory<'_>| {
                ty.is_none_or(|ty| ty == given.ty) && (given.writable || !writes)
            };
            vectors.get(*vector as usize).is_some_and(fits)
        };
        assert!(self.uses.iter().all(fit), "vectors of the program");
        let mut machine = Machine {
            vectors,
            lists,
            items,
            calls: &self.calls,
            body: ptr::null(),
            turns: 1,
            refused: false,
        };
        // SAFETY: there are all registers, vectors, lists, items and functions that the instructions name, as asserted
        // here and in `new`; the steps are those of `plan::steps`.
        unsafe { steps::run(&self.steps, Registers(registers.as_mut_ptr()), &mut machine) }
    }
}

impl core::fmt::Debug for RegisterProgram {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(&self.code).finish()
    }
}

impl core::fmt::Display for RegisterProgram {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, code) in self.code.iter().enumerate() {
            writeln!(f, "  {i}: {code:?}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
