//! Programs as threaded code: each step has the function that runs it, which ends with a call of the next one's.
//!
//! Optimized, these calls are jumps. Otherwise each takes a frame of the stack. So the stack has to hold as many frames
//! as [`plan`](super::plan) puts steps between two pauses, which return to the caller.

use core::marker::PhantomData;
use core::ptr;

use super::{Memory, RegisterFn, Scalar, ScalarItems};

/// The most operands of a step.
pub(super) const OPERANDS: usize = 6;

/// One step of threaded code.
#[derive(Clone, Copy)]
pub(super) struct Threaded {
    pub(super) run: Run,
    /// Registers, and how many steps further on the steps are that it goes to.
    pub(super) operands: [u32; OPERANDS],
}

/// Runs a step and those after it, up to one that returns.
///
/// # Safety
/// The step lies among those of a program, whose last one is [`end`]. There are the registers, vectors, lists, items
/// and functions that they name, and the steps that they go to, [`Machine::body`] among them. Vectors have the types that
/// steps use them with.
pub(super) type Run = unsafe fn(*const Threaded, Registers, &mut Machine<'_, '_>) -> Outcome;

/// The step to go on at. Null if the program or the loop has ended, or an operand was refused. A result in one register
/// lets the compiler make jumps of the calls in steps with several ends.
pub(super) type Outcome = *const Threaded;

/// What the steps work on besides registers.
pub(super) struct Machine<'a, 'm> {
    pub(super) vectors: &'a [Memory<'m>],
    pub(super) lists: &'a mut [Vec<u8>],
    pub(super) items: &'a mut [&'m mut dyn ScalarItems],
    pub(super) calls: &'a [RegisterFn],
    /// The first step of the innermost loop. Outside of loops it is null, and there is one turn.
    pub(super) body: *const Threaded,
    /// How many iterations of it run before one returns.
    pub(super) turns: u32,
    /// Whether a step has refused its operands.
    pub(super) refused: bool,
}

/// The registers of a program that runs.
#[derive(Clone, Copy)]
pub(super) struct Registers(pub(super) *mut u64);

impl Registers {
    /// # Safety
    /// There is such a register.
    #[inline(always)]
    unsafe fn get<T: Scalar>(self, i: u32) -> T {
        // SAFETY: as this function requires.
        T::of(unsafe { *self.0.add(i as usize) })
    }

    /// Writes four bytes for an element of four: floats need not be moved between kinds of registers of the CPU.
    ///
    /// # Safety
    /// There is such a register.
    #[inline(always)]
    unsafe fn set<T: Scalar>(self, i: u32, value: T) {
        // SAFETY: as this function requires; a register has the size and alignment of a smaller element.
        unsafe {
            let register = self.0.add(i as usize);
            match size_of::<T>() {
                4 if cfg!(target_endian = "little") => *register.cast::<T>() = value,
                _ => *register = value.bits(),
            }
        }
    }
}

/// The operands of a step.
#[derive(Clone, Copy)]
pub(super) struct Operands(*const u32);

impl Operands {
    /// # Safety
    /// As [`Run`].
    #[inline(always)]
    unsafe fn of(step: *const Threaded) -> Self {
        // SAFETY: as this function requires.
        Self(unsafe { &raw const (*step).operands }.cast())
    }

    /// # Safety
    /// The step has so many operands.
    #[inline(always)]
    unsafe fn at(self, i: usize) -> u32 {
        // SAFETY: as this function requires.
        unsafe { *self.0.add(i) }
    }
}

/// A value that a step computes from its first operands.
pub(super) trait Computed {
    type Out: Scalar;
    /// The number of operands that it takes.
    const OPERANDS: usize;

    /// # Safety
    /// There are so many operands, which are registers.
    unsafe fn value(operands: Operands, registers: Registers) -> Self::Out;
}

/// A function of one element.
pub(super) trait Unary {
    type In: Scalar;
    type Out: Scalar;

    fn apply(x: Self::In) -> Self::Out;
}

/// A function of two elements.
pub(super) trait Binary {
    type In: Scalar;
    type Out: Scalar;

    fn apply(x: Self::In, y: Self::In) -> Self::Out;
}

/// What is in a register.
pub(super) struct Read<T>(PhantomData<T>);

impl<T: Scalar> Computed for Read<T> {
    type Out = T;
    const OPERANDS: usize = 1;

    #[inline(always)]
    unsafe fn value(operands: Operands, registers: Registers) -> T {
        // SAFETY: as this function requires.
        unsafe { registers.get(operands.at(0)) }
    }
}

/// A function of a register.
pub(super) struct One<F>(PhantomData<F>);

impl<F: Unary> Computed for One<F> {
    type Out = F::Out;
    const OPERANDS: usize = 1;

    #[inline(always)]
    unsafe fn value(operands: Operands, registers: Registers) -> F::Out {
        // SAFETY: as this function requires.
        F::apply(unsafe { registers.get(operands.at(0)) })
    }
}

/// A function of two registers.
pub(super) struct Two<F>(PhantomData<F>);

impl<F: Binary> Computed for Two<F> {
    type Out = F::Out;
    const OPERANDS: usize = 2;

    #[inline(always)]
    unsafe fn value(operands: Operands, registers: Registers) -> F::Out {
        // SAFETY: as this function requires.
        unsafe { F::apply(registers.get(operands.at(0)), registers.get(operands.at(1))) }
    }
}

/// A value that is also written to a register.
pub(super) struct Written<V>(PhantomData<V>);

impl<V: Computed> Computed for Written<V> {
    type Out = V::Out;
    const OPERANDS: usize = V::OPERANDS + 1;

    #[inline(always)]
    unsafe fn value(operands: Operands, registers: Registers) -> V::Out {
        // SAFETY: as this function requires.
        unsafe {
            let value = V::value(operands, registers);
            registers.set(operands.at(V::OPERANDS), value);
            value
        }
    }
}

/// A function of a value and a register; of the register and the value, if `SWAPPED`.
pub(super) struct Then<V, F, const SWAPPED: bool>(PhantomData<(V, F)>);

impl<V: Computed<Out = F::In>, F: Binary, const SWAPPED: bool> Computed for Then<V, F, SWAPPED> {
    type Out = F::Out;
    const OPERANDS: usize = V::OPERANDS + 1;

    #[inline(always)]
    unsafe fn value(operands: Operands, registers: Registers) -> F::Out {
        // SAFETY: as this function requires.
        let (x, y) = unsafe {
            let x = V::value(operands, registers);
            (x, registers.get(operands.at(V::OPERANDS)))
        };
        if SWAPPED { F::apply(y, x) } else { F::apply(x, y) }
    }
}

/// An integer that is converted to a float. The instruction of x86 keeps a part of the register that it writes to, and
/// would wait for what was computed there before. The compiler prevents this if it sees registers in use.
#[inline(always)]
pub(super) fn detached<T>(x: T) -> T {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: there is no code.
    unsafe {
        core::arch::asm!("", out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, options(nomem, nostack));
    }
    x
}

/// Runs a program.
///
/// # Safety
/// As [`Run`].
pub(super) unsafe fn run(
    steps: &[Threaded],
    registers: Registers,
    machine: &mut Machine<'_, '_>,
) -> bool {
    let mut at = steps.as_ptr();
    loop {
        // SAFETY: as this function requires.
        at = unsafe { ((*at).run)(at, registers, machine) };
        if at.is_null() {
            return !machine.refused;
        }
    }
}

/// Goes on some steps further.
///
/// # Safety
/// As [`Run`].
#[inline(always)]
unsafe fn go(
    step: *const Threaded,
    by: u32,
    registers: Registers,
    machine: &mut Machine<'_, '_>,
) -> Outcome {
    // SAFETY: as this function requires.
    unsafe {
        let next = step.add(by as usize);
        ((*next).run)(next, registers, machine)
    }
}

macro_rules! steps {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $(<$t:ident: $bound:path $(where Out = $out:ty)?>)?(
            $step:ident, $operands:ident, $registers:ident, $machine:ident
        ) $body:block
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As [`Run`].
        pub(super) unsafe fn $name $(<$t: $bound>)?(
            $step: *const Threaded,
            $registers: Registers,
            $machine: &mut Machine<'_, '_>,
        ) -> Outcome {
            // SAFETY: as this function requires.
            unsafe {
                let $operands = Operands::of($step);
                $body
            }
        }
    )*};
}

/// A value that decides.
pub(super) trait Decision: Computed<Out = bool> {}
impl<V: Computed<Out = bool>> Decision for V {}

steps! {
    /// Ends the program.
    fn end(_step, _o, _registers, _machine) {
        ptr::null()
    }

    /// Returns, to go on at the next step.
    fn pause(step, _o, _registers, _machine) {
        step.add(1)
    }

    /// Computes a value and writes it to a register.
    fn compute<V: Computed>(step, o, registers, machine) {
        Written::<V>::value(o, registers);
        go(step, 1, registers, machine)
    }

    /// Goes on at another step.
    fn jump(step, o, registers, machine) {
        go(step, o.at(0), registers, machine)
    }

    /// Goes on at another step if a value is false.
    fn jump_unless<V: Decision>(step, o, registers, machine) {
        match V::value(o, registers) {
            true => go(step, 1, registers, machine),
            false => go(step, o.at(V::OPERANDS), registers, machine),
        }
    }

    /// Runs a loop, and goes on behind it. Counts the iterations.
    fn repeated(step, o, registers, machine) {
        let (count, turns, end) = (o.at(0), o.at(1), o.at(4));
        let around = (machine.body, machine.turns);
        (machine.body, machine.turns) = (step.add(o.at(2) as usize), turns);
        let mut at = step.add(o.at(3) as usize);
        while !at.is_null() {
            at = ((*at).run)(at, registers, machine);
            let left = core::mem::replace(&mut machine.turns, turns);
            let count = &mut *registers.0.add(count as usize);
            *count = count.wrapping_add(u64::from(turns.wrapping_sub(left)));
        }
        if machine.refused {
            return at;
        }
        (machine.body, machine.turns) = around;
        go(step, end, registers, machine)
    }

    /// Runs the loop again if a value is true. Returns after so many times, as each may take frames of the stack.
    fn repeat<V: Decision>(_step, o, registers, machine) {
        if !V::value(o, registers) {
            return ptr::null();
        }
        let body = machine.body;
        machine.turns = machine.turns.wrapping_sub(1);
        match machine.turns {
            0 => body,
            _ => ((*body).run)(body, registers, machine),
        }
    }

    /// Calls a function.
    fn call(step, o, registers, machine) {
        let (x, y): (i64, i64) = (registers.get(o.at(1)), registers.get(o.at(2)));
        let f = machine.calls.get_unchecked(o.at(0) as usize);
        let Some(result) = f([x, y].map(i64::cast_unsigned)) else { return machine.refuse() };
        registers.set(o.at(3), result.cast_signed());
        go(step, 1, registers, machine)
    }

    /// Adds the length of a vector to an int64 that is negative.
    fn wrap(step, o, registers, machine) {
        let (len, x): (i64, i64) = (machine.vector(o.at(0)).len as i64, registers.get(o.at(1)));
        registers.set(o.at(2), if x < 0 { x.wrapping_add(len) } else { x });
        go(step, 1, registers, machine)
    }

    /// Reads an element of a vector.
    fn load<T: Scalar>(step, o, registers, machine) {
        let element = machine.vector(o.at(0)).at::<T>(registers.get(o.at(1)));
        let Some(element) = element else { return machine.refuse() };
        registers.set(o.at(2), *element);
        go(step, 1, registers, machine)
    }

    /// Writes an element of a vector.
    fn store<T: Scalar>(step, o, registers, machine) {
        let element = machine.vector(o.at(0)).at::<T>(registers.get(o.at(1)));
        let Some(element) = element else { return machine.refuse() };
        *element = registers.get(o.at(2));
        go(step, 1, registers, machine)
    }

    /// Reads an item.
    fn get_item(step, o, registers, machine) {
        let item = machine.items(o.at(0)).get(registers.get(o.at(1)));
        let Some(item) = item else { return machine.refuse() };
        registers.set(o.at(2), item.cast_signed());
        go(step, 1, registers, machine)
    }

    /// Changes an item.
    fn set_item(step, o, registers, machine) {
        let (i, bits): (i64, i64) = (registers.get(o.at(1)), registers.get(o.at(2)));
        if !machine.items(o.at(0)).set(i, bits.cast_unsigned(), o.at(3) != 0) {
            return machine.refuse();
        }
        go(step, 1, registers, machine)
    }

    /// Appends an item.
    fn push_item(step, o, registers, machine) {
        let bits: i64 = registers.get(o.at(1));
        if !machine.items(o.at(0)).push(bits.cast_unsigned()) {
            return machine.refuse();
        }
        go(step, 1, registers, machine)
    }

    /// Removes the last item.
    fn pop_item(step, o, registers, machine) {
        let Some(item) = machine.items(o.at(0)).pop() else { return machine.refuse() };
        registers.set(o.at(1), item.cast_signed());
        go(step, 1, registers, machine)
    }

    /// Appends the bytes of an element to a list.
    fn push<T: Scalar>(step, o, registers, machine) {
        let list = machine.lists.get_unchecked_mut(o.at(0) as usize);
        let len = list.len();
        if list.capacity() - len < size_of::<T>() && !grown(list) {
            return machine.refuse();
        }
        list.as_mut_ptr().add(len).cast::<T>().write_unaligned(registers.get(o.at(1)));
        list.set_len(len + size_of::<T>());
        go(step, 1, registers, machine)
    }
}

impl<'m> Machine<'_, 'm> {
    /// # Safety
    /// There is such a vector.
    #[inline(always)]
    unsafe fn vector(&self, i: u32) -> &Memory<'m> {
        // SAFETY: as this function requires.
        unsafe { self.vectors.get_unchecked(i as usize) }
    }

    /// # Safety
    /// There are such items.
    #[inline(always)]
    unsafe fn items(&mut self, i: u32) -> &mut dyn ScalarItems {
        // SAFETY: as this function requires.
        unsafe { *self.items.get_unchecked_mut(i as usize) }
    }

    #[cold]
    fn refuse(&mut self) -> Outcome {
        self.refused = true;
        ptr::null()
    }
}

/// Makes room for another element of any type. False if there is no memory.
#[cold]
#[inline(never)]
fn grown(list: &mut Vec<u8>) -> bool {
    list.try_reserve(size_of::<u64>()).is_ok()
}
