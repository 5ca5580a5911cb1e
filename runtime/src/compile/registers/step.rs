//! Steps over registers, each of which holds the bits of a scalar.

use extype_kernels::Par;
use extype_kernels::table::cast::CastTarget;
use extype_kernels::table::{
    MapFn, MapSignature, Pairing, Signature, Table, Tabled, ZipFn, ZipSignature, ZipToSignature,
};

use crate::array::{Array, Element, stored};
use crate::types::{DType, Error, Result};

/// An element type that a register can hold.
trait Scalar: CastTarget + Tabled + Element {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! scalars {
    ($($t:ident $dtype:ident |$bits:ident| $of:expr, |$x:ident| $to:expr;)*) => {
        $(impl Scalar for $t {
            #[inline]
            fn of($bits: u64) -> Self {
                $of
            }

            #[inline]
            fn bits(self) -> u64 {
                let $x = self;
                $to
            }
        })*

        /// Runs a block with `T` bound to the element type; `None` for dtypes that no register holds.
        macro_rules! with_scalar {
            ($d:expr, $T:ident => $body:expr) => {
                match $d {
                    $(DType::$dtype => {
                        type $T = $t;
                        $body
                    })*
                    _ => None,
                }
            };
        }
    };
}
scalars! {
    f32 F32 |b| f32::from_bits(b as u32), |x| u64::from(x.to_bits());
    f64 F64 |b| f64::from_bits(b), |x| x.to_bits();
    i32 I32 |b| b as i32, |x| u64::from(x.cast_unsigned());
    i64 I64 |b| b.cast_signed(), |x| x.cast_unsigned();
    bool Bool |b| b != 0, |x| u64::from(x);
}

/// A register: its index, and the dtype of its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Register {
    pub(super) dtype: DType,
    pub(super) at: usize,
}

impl Register {
    /// True if there are registers of this dtype.
    pub(super) fn holds(dtype: DType) -> bool {
        with_scalar!(dtype, T => Some(T::DTYPE)).is_some()
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
    Copy {
        from: usize,
        to: usize,
    },
    Compute(Box<dyn Fn(&mut [u64]) + Send + Sync>),
    /// Returns false if an op refuses its operands, which ends the loop.
    Check(Box<dyn Fn(&[u64]) -> bool + Send + Sync>),
    /// Runs the second block if the register is true, otherwise the first.
    Branch {
        pick: usize,
        arms: [Block; 2],
    },
    Loop(Loop),
}

pub(super) struct Loop {
    pub(super) test: Block,
    /// The register with the test's result.
    pub(super) goes_on: usize,
    pub(super) body: Block,
}

impl Loop {
    /// Runs the loop. Returns the number of iterations, or `None` if an op refuses its operands.
    pub(super) fn run(&self, registers: &mut [u64]) -> Option<i64> {
        let mut iterations = 0;
        loop {
            run(&self.test, registers)?;
            if registers[self.goes_on] == 0 {
                return Some(iterations);
            }
            run(&self.body, registers)?;
            iterations += 1;
        }
    }
}

fn run(steps: &[RegisterStep], registers: &mut [u64]) -> Option<()> {
    for step in steps {
        match step {
            RegisterStep::Copy { from, to } => registers[*to] = registers[*from],
            RegisterStep::Compute(compute) => compute(registers),
            RegisterStep::Check(accepts) => {
                if !accepts(registers) {
                    return None;
                }
            }
            RegisterStep::Branch { pick, arms } => {
                run(&arms[usize::from(registers[*pick] != 0)], registers)?;
            }
            RegisterStep::Loop(looped) => {
                looped.run(registers)?;
            }
        }
    }
    Some(())
}

pub(super) fn check(x: Register, check: fn(&Array) -> Result<()>) -> RegisterStep {
    RegisterStep::Check(Box::new(move |registers| {
        x.array(registers[x.at]).and_then(|x| check(&x)).is_ok()
    }))
}

pub(super) fn map(table: &Table<MapSignature>, x: Register, to: Register) -> Option<RegisterStep> {
    with_scalar!(x.dtype, T => mapped(T::entry(table)?, x, to))
}

pub(super) fn convert(x: Register, to: Register) -> Option<RegisterStep> {
    with_scalar!(x.dtype, T => with_scalar!(to.dtype, R => mapped::<T, R>(T::entry(R::casts())?, x, to)))
}

pub(super) fn zip(
    table: &Table<ZipSignature>,
    x: [Register; 2],
    to: Register,
) -> Option<RegisterStep> {
    with_scalar!(x[0].dtype, T => zipped::<T, T, ZipSignature>(table, x, to))
}

pub(super) fn compare(
    table: &Table<ZipToSignature<bool>>,
    x: [Register; 2],
    to: Register,
) -> Option<RegisterStep> {
    with_scalar!(x[0].dtype, T => zipped::<T, bool, ZipToSignature<bool>>(table, x, to))
}

fn mapped<T: Scalar, R: Scalar>(f: MapFn<T, R>, x: Register, to: Register) -> Option<RegisterStep> {
    if (x.dtype, to.dtype) != (T::DTYPE, R::DTYPE) {
        return None;
    }
    Some(RegisterStep::Compute(Box::new(move |registers| {
        let x = [T::of(registers[x.at])];
        registers[to.at] = stored(|out| f(&x, out, Par::Seq)).bits();
    })))
}

fn zipped<T: Scalar, R: Scalar, K: Signature<Of<T> = ZipFn<T, R>>>(
    table: &Table<K>,
    [x, y]: [Register; 2],
    to: Register,
) -> Option<RegisterStep> {
    let f = T::entry(table)?;
    if (x.dtype, y.dtype, to.dtype) != (T::DTYPE, T::DTYPE, R::DTYPE) {
        return None;
    }
    Some(RegisterStep::Compute(Box::new(move |registers| {
        let (x, y) = ([T::of(registers[x.at])], [T::of(registers[y.at])]);
        registers[to.at] = stored(|out| f(&x, &y, Pairing::Each, out, Par::Seq)).bits();
    })))
}
