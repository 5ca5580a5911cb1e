//! What computes an op: a value that says what it is, so that the eager path, programs and what
//! fuses them use the same entries.

use std::cell::RefCell;
use std::mem::MaybeUninit;

use extype_kernels as k;
use k::broadcast::Broadcast;
use k::reduce::ReduceLayout;
use k::table::{self as t, Binary, BinaryTo, MapFn, Pairing, Table, Tabled, Unary, UnaryTo, ZipFn};
use smallvec::SmallVec;

use super::{Attr, AttrKey, Attrs, Outputs};
use crate::array::{Array, Dims, Element, num_elements};
use crate::types::{DType, Error, Result, bail, err, normalize_axis};

/// What computes an op.
///
/// The tables of `extype-kernels` have a function for each dtype that works on slices of any
/// length, allocates nothing and can be told to stay on its thread: a block of a larger whole is
/// computed by the same entry.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Kernel {
    /// Element by element to the same dtype.
    Map(&'static Table<Unary>),
    /// Element by element to bool.
    MapToBool(&'static Table<UnaryTo<bool>>),
    /// Element by element to uint8.
    MapToU8(&'static Table<UnaryTo<u8>>),
    /// Two operands that broadcast, to the same dtype.
    Zip(&'static Table<Binary>),
    /// Two operands that broadcast, to bool.
    Compare(&'static Table<BinaryTo<bool>>),
    /// Over the axes in the second input, kept if the attribute [`KEEP_DIMS`] says so.
    Reduce(&'static Table<t::Reduction>),
    /// Each row of the last axis for itself.
    Rows(&'static Table<t::Rows>),
    /// The kernel, after a check of the inputs' values.
    Checked(fn(&KernelContext<'_>) -> Result<()>, &'static Kernel),
    /// The kernel for this dtype of the first input and these attributes.
    Choose(fn(DType, &Attrs) -> Kernel),
    /// Anything else. Inference has accepted the call before it runs, so that an eager call and a
    /// traced one refuse the same.
    General(fn(&KernelContext<'_>) -> Result<Outputs>),
    /// Anything else that checks by itself what inference checks: for small calls that are made
    /// often, where inference would cost more than the kernel.
    SelfChecked(fn(&KernelContext<'_>) -> Result<Outputs>),
}

/// Whether a reduction keeps its axes with size 1.
pub const KEEP_DIMS: AttrKey<bool> = AttrKey::new("keep_dims");

/// What a kernel sees of a call: as many arrays, of such dtypes, as the definition says.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct KernelContext<'a> {
    /// The inputs.
    pub inputs: &'a [&'a Array],
    /// The attributes.
    pub attrs: &'a Attrs,
    spare: Option<&'a Spare>,
}

/// Arrays that nobody needs any more, in whose storage results may be written.
#[derive(Default, Debug)]
pub struct Spare(RefCell<SmallVec<[Array; 4]>>);

/// Arrays from this size on are worth keeping: smaller ones are recycled by their floor.
const SPARED: usize = 1 << 10;
/// So many are kept at most.
const MOST_SPARED: usize = 4;

impl Spare {
    /// Keeps an array, if its storage can be taken over and is large.
    pub fn keep(&self, array: Array) {
        let large = array.as_bytes().is_some_and(|b| b.len() >= SPARED);
        if large && array.is_unique() {
            let mut kept = self.0.borrow_mut();
            if kept.len() == MOST_SPARED {
                kept.remove(0);
            }
            kept.push(array);
        }
    }

    /// An array of so many bytes, if there is one.
    fn take(&self, bytes: usize) -> Option<Array> {
        let mut kept = self.0.borrow_mut();
        let i = kept.iter().rposition(|a| a.as_bytes().is_some_and(|b| b.len() == bytes))?;
        Some(kept.swap_remove(i))
    }
}

impl<'a> KernelContext<'a> {
    /// A call with these inputs and attributes.
    pub fn new(inputs: &'a [&'a Array], attrs: &'a Attrs) -> Self {
        Self { inputs, attrs, spare: None }
    }

    /// The same with storage for results.
    #[must_use]
    pub fn with_spare(mut self, spare: &'a Spare) -> Self {
        self.spare = Some(spare);
        self
    }

    /// Input `i`.
    ///
    /// # Panics
    /// If there are fewer inputs; their number is checked before a kernel runs.
    pub fn input(&self, i: usize) -> &'a Array {
        self.inputs[i]
    }

    /// An attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another kind.
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        self.attrs.get(key)
    }

    /// A result that `write` fills, in storage that was handed in if some fits.
    ///
    /// # Errors
    /// What `write` refuses; `ResourceExhausted` if there is no memory for it.
    pub fn output<T: Element>(
        &self,
        dims: &[usize],
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<()>,
    ) -> Result<Array> {
        if let Some(spare) = self.spare
            && let Ok(len) = num_elements(dims, size_of::<T>())
            && let Some(array) = spare.take(len * size_of::<T>())
            && let Ok(mut writer) = array.reuse::<T>(dims)
        {
            write(writer.out())?;
            return writer.finish();
        }
        Array::from_kernel(dims, write)
    }
}

/// The error of a call that no kernel serves.
pub fn no_kernel(context: &KernelContext<'_>) -> Error {
    let types: Vec<String> = context.inputs.iter().map(|a| a.tensor_type().to_string()).collect();
    err!(Unimplemented, "no kernel for inputs of type ({})", types.join(", "))
}

/// Runs a block with `$t` bound to the element type, for the dtypes of a set; others have no
/// kernel.
macro_rules! typed {
    (@match $c:expr, $d:expr, $t:ident => $body:expr, $($dt:ident $e:ty),*) => {
        match $d {
            $($crate::types::DType::$dt => { type $t = $e; $body })*
            _ => Err($crate::op::no_kernel($c)),
        }
    };
    (integer, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::op::typed!(@match $c, $d, $t => $b, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
    };
    (wide_integer, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::op::typed!(@match $c, $d, $t => $b, I32 i32, I64 i64, U32 u32, U64 u64)
    };
    (float, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::op::typed!(@match $c, $d, $t => $b, F16 half::f16, BF16 half::bf16, F32 f32, F64 f64)
    };
    (inexact, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::op::typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, F16 half::f16, BF16 half::bf16,
            Complex64 num_complex::Complex32, Complex128 num_complex::Complex64)
    };
    (real, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::op::typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16)
    };
    (ordered, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::op::typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16, Bool bool)
    };
    (numeric, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::op::typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16,
            Complex64 num_complex::Complex32, Complex128 num_complex::Complex64)
    };
    (plain, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::array::with_element!($d, $t => $b, else Err($crate::op::no_kernel($c)))
    };
}
pub(crate) use typed;

/// What a kernel answers that needs memory to work in.
pub(crate) fn worked<T>(result: std::result::Result<T, k::OutOfMemory>) -> Result<T> {
    result.map_err(|e| err!(ResourceExhausted, "{e}"))
}

/// The function of a table for an element type.
pub(crate) fn entry<T: Tabled, K: t::Kind>(
    c: &KernelContext<'_>,
    table: &Table<K>,
) -> Result<K::Of<T>> {
    T::entry(table).ok_or_else(|| no_kernel(c))
}

/// A block for the element type of an array, which is given back if it is of no plain type.
macro_rules! in_place {
    (@match $x:expr, $t:ident => $body:expr, $($dt:ident $e:ty),*) => {
        match $x.dtype() {
            $(DType::$dt => { type $t = $e; $body })*
            _ => Err($x),
        }
    };
    ($x:expr, $t:ident => $body:expr) => {
        in_place!(@match $x, $t => $body, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64,
            U8 u8, U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16)
    };
}

impl Kernel {
    /// The kernel of a call: never [`Choose`](Self::Choose), which chooses one.
    pub fn chosen(self, first: DType, attrs: &Attrs) -> Kernel {
        match self {
            Kernel::Choose(choose) => choose(first, attrs).chosen(first, attrs),
            other => other,
        }
    }

    /// True if inference has to accept a call before the kernel runs.
    pub fn needs_inference(&self) -> bool {
        matches!(self, Kernel::General(_))
    }

    /// Computes the result in the storage of the first input, for maps and zips to the same dtype
    /// whose other operand has the shape of the first or is a scalar.
    ///
    /// # Errors
    /// Gives the array back if somebody else holds it, or the kernel is of another kind.
    pub fn run_in_place(
        self,
        x: Array,
        other: Option<&Array>,
        attrs: &Attrs,
    ) -> std::result::Result<Array, Array> {
        match (self.chosen(x.dtype(), attrs), other) {
            (Kernel::Map(table), None) => in_place!(x, T => match T::entry(table) {
                Some(f) => x.rewrite_in_place::<T>(|_, block, out| f(block, out, k::Par::Seq)),
                None => Err(x),
            }),
            (Kernel::Zip(table), Some(y)) if y.dtype() == x.dtype() => {
                let scalar = y.rank() == 0;
                if !scalar && y.dims() != x.dims() {
                    return Err(x);
                }
                in_place!(x, T => match (T::entry(table), y.as_slice::<T>()) {
                    (Some(f), Ok(b)) => x.rewrite_in_place::<T>(|at, block, out| match scalar {
                        true => f(block, b, Pairing::Right, out, k::Par::Seq),
                        false => {
                            f(block, &b[at..at + block.len()], Pairing::Each, out, k::Par::Seq);
                        }
                    }),
                    _ => Err(x),
                })
            }
            _ => Err(x),
        }
    }

    /// Computes the results of a call.
    ///
    /// # Errors
    /// What the kernel refuses; `Unimplemented` for a dtype that it is not for.
    pub fn run(&self, c: &KernelContext<'_>) -> Result<Outputs> {
        match *self {
            Kernel::Map(table) => {
                typed!(plain, c, c.input(0).dtype(), T => map::<T, T>(c, entry::<T, _>(c, table)?))
            }
            Kernel::MapToBool(table) => {
                typed!(real, c, c.input(0).dtype(), T => map::<T, bool>(c, entry::<T, _>(c, table)?))
            }
            Kernel::MapToU8(table) => {
                typed!(real, c, c.input(0).dtype(), T => map::<T, u8>(c, entry::<T, _>(c, table)?))
            }
            Kernel::Zip(table) => {
                typed!(plain, c, c.input(0).dtype(), T => zip::<T, T>(c, entry::<T, _>(c, table)?))
            }
            Kernel::Compare(table) => {
                typed!(plain, c, c.input(0).dtype(), T => zip::<T, bool>(c, entry::<T, _>(c, table)?))
            }
            Kernel::Reduce(table) => reduce(c, table),
            Kernel::Rows(table) => rows(c, table),
            Kernel::Checked(check, kernel) => {
                check(c)?;
                kernel.run(c)
            }
            Kernel::Choose(choose) => choose(c.input(0).dtype(), c.attrs).run(c),
            Kernel::General(f) | Kernel::SelfChecked(f) => f(c),
        }
    }
}

/// One function on every element of the first input.
pub(crate) fn map<T: Element, R: Element>(
    c: &KernelContext<'_>,
    f: MapFn<T, R>,
) -> Result<Outputs> {
    let x = c.input(0);
    let data = x.as_slice::<T>()?;
    let out = c.output(x.dims(), |out| {
        f(data, out, k::Par::Pool);
        Ok(())
    })?;
    Ok([out].into())
}

fn zip<T: Element, R: Element>(c: &KernelContext<'_>, f: ZipFn<T, R>) -> Result<Outputs> {
    let (x, y) = (c.input(0), c.input(1));
    let (a, b) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
    let of = |dims: &[usize], pairing: Pairing<'_>| {
        let out = c.output(dims, |out| {
            f(a, b, pairing, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    };
    if x.dims() == y.dims() {
        of(x.dims(), Pairing::Each)
    } else if y.rank() == 0 {
        of(x.dims(), Pairing::Right)
    } else if x.rank() == 0 {
        of(y.dims(), Pairing::Left)
    } else {
        let plan = broadcast_plan(x, y)?;
        of(plan.out_shape(), Pairing::Broadcast(&plan))
    }
}

/// How two arrays broadcast.
pub(crate) fn broadcast_plan(x: &Array, y: &Array) -> Result<Broadcast> {
    Broadcast::new(x.dims(), y.dims())
        .map_err(|e| err!("axis {} differs: {} ≠ {}", e.axis, e.sizes.0, e.sizes.1))
}

/// Which axes of a tensor of this rank are in the list.
pub(crate) fn reduced_axes(axes: &[i64], rank: usize) -> Result<SmallVec<[bool; 4]>> {
    let mut reduced = SmallVec::from_elem(false, rank);
    for axis in axes {
        let i = normalize_axis(*axis, rank)?;
        if std::mem::replace(&mut reduced[i], true) {
            bail!("axis {axis} is given twice");
        }
    }
    Ok(reduced)
}

/// The reduction of the axes in the second input.
fn reduce(c: &KernelContext<'_>, table: &Table<t::Reduction>) -> Result<Outputs> {
    let x = c.input(0);
    let keep = c.get(KEEP_DIMS)?;
    if c.input(1).rank() > 1 {
        bail!("shape {} has rank {}, more than 1", c.input(1).shape(), c.input(1).rank());
    }
    let reduced = reduced_axes(&c.input(1).to_i64s()?, x.rank())?;
    let dim = |(n, r): (&usize, &bool)| match (r, keep) {
        (false, _) => Some(*n),
        (true, true) => Some(1),
        (true, false) => None,
    };
    let dims: Dims = x.dims().iter().zip(&reduced).filter_map(dim).collect();
    let layout = ReduceLayout::new(x.dims(), &reduced);
    typed!(plain, c, x.dtype(), T => {
        let f = entry::<T, _>(c, table)?;
        let data = x.as_slice::<T>()?;
        let out = c.output(&dims, |out| {
            f(data, &layout, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}

fn rows(c: &KernelContext<'_>, table: &Table<t::Rows>) -> Result<Outputs> {
    let x = c.input(0);
    let Some(len) = x.dims().last().copied() else {
        bail!("a tensor with rows has one axis at least, not shape {}", x.shape());
    };
    typed!(float, c, x.dtype(), T => {
        let f = entry::<T, _>(c, table)?;
        let data = x.as_slice::<T>()?;
        let out = c.output(x.dims(), |out| {
            f(data, len, out, k::Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}
