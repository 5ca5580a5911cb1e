//! Kernels: values that describe how an op is computed, so that the eager path, programs and
//! fusion use the same table entries.

use std::fmt;
use std::sync::Arc;

use extype_kernels as k;
use k::broadcast::Broadcast;
use k::fused::BlockFn;
use k::reduce::ReduceLayout;
use k::table::cast::CastTarget;
use k::table::{
    self as t, MapSignature, MapToSignature, Pairing, ReduceSignature, RowsSignature, Table,
    Tabled, ZipFn, ZipSignature, ZipToSignature,
};
use smallvec::SmallVec;

use super::{AttrKey, Attrs, KernelContext, Outputs, no_kernel};
use crate::array::{Array, Dims, Element, block_type, with_element};
use crate::ir::{Branching, LibraryFunction, Looping};
use crate::types::{DType, Error, Result, bail, caught_alone, err, normalize_axis};

/// The computation of an op.
///
/// The tables of `extype-kernels` have a function for each dtype. It works on slices of any length,
/// allocates nothing and can be told to stay on its thread, so the same entry computes a whole array
/// or a block of it.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Kernel {
    /// The first input as it is.
    Pass,
    /// No kernel: the op is a compound, whose body of other ops runs in its place
    /// ([`CompoundEntry`](crate::tensor::CompoundEntry)).
    Compound,
    /// Element by element to the same dtype.
    Map(&'static Table<MapSignature>),
    /// Element by element to bool.
    MapToBool(&'static Table<MapToSignature<bool>>),
    /// Element by element to uint8.
    MapToU8(&'static Table<MapToSignature<u8>>),
    /// Two operands that broadcast, to the same dtype.
    Zip(&'static Table<ZipSignature>),
    /// Two operands that broadcast, to bool.
    Compare(&'static Table<ZipToSignature<bool>>),
    /// Over the axes in the second input, kept if the attribute [`KEEP_DIMS`] says so.
    Reduce(&'static Table<ReduceSignature>),
    /// Each row of the last axis separately.
    Rows(&'static Table<RowsSignature>),
    /// Element by element to this dtype.
    Convert(DType),
    /// The kernel, after a check of the values of this input. The check is skipped if an input is empty.
    Checked(usize, fn(&Array) -> Result<()>, &'static Kernel),
    /// Chooses the kernel by the dtype of the first input and the attributes.
    Choose(fn(DType, &Attrs) -> Kernel),
    /// One of the functions among the attributes, picked by the first input, on the other inputs.
    Branch(&'static Branching),
    /// The function among the attributes, on all inputs.
    Call(fn(&Attrs) -> Result<Arc<LibraryFunction>>),
    /// A loop of the functions among the attributes.
    Loop(fn(&Attrs) -> Result<Looping>),
    /// A change of the first input, which the function owns. It changes the input in place if nothing else holds
    /// it; the context has the other inputs. It checks by itself what inference checks.
    Change(fn(Array, &KernelContext<'_>) -> Result<Outputs>),
    /// As [`General`](Self::General), for an op that broadcasts its inputs and computes each element of the result from
    /// the elements at its place. The first function gives the [`BlockFn`] for inputs of these dtypes, which can't fail.
    /// Programs use it for ops of this crate.
    Elementwise(fn(&[DType]) -> Option<BlockFn>, fn(&KernelContext<'_>) -> Result<Outputs>),
    /// Anything else. Inference has accepted the call before it runs, so that an eager call and a
    /// traced one refuse the same.
    General(fn(&KernelContext<'_>) -> Result<Outputs>),
    /// Anything else that checks by itself what inference checks: for small calls that are made
    /// often, where inference would cost more than the kernel.
    SelfChecked(fn(&KernelContext<'_>) -> Result<Outputs>),
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Pass => "Pass",
            Kernel::Compound => "Compound",
            Kernel::Map(_) => "Map",
            Kernel::MapToBool(_) => "MapToBool",
            Kernel::MapToU8(_) => "MapToU8",
            Kernel::Zip(_) => "Zip",
            Kernel::Compare(_) => "Compare",
            Kernel::Reduce(_) => "Reduce",
            Kernel::Rows(_) => "Rows",
            Kernel::Convert(to) => return write!(f, "Convert({to})"),
            Kernel::Checked(_, _, kernel) => return write!(f, "Checked({kernel:?})"),
            Kernel::Choose(_) => "Choose",
            Kernel::Branch(_) => "Branch",
            Kernel::Call(_) => "Call",
            Kernel::Loop(_) => "Loop",
            Kernel::Change(_) => "Change",
            Kernel::Elementwise(..) => "Elementwise",
            Kernel::General(_) => "General",
            Kernel::SelfChecked(_) => "SelfChecked",
        })
    }
}

/// The name for a panicked kernel, in an error that has the op's name.
const PANICKED: &str = "the kernel";

/// The keyword that the user wrote for a control-flow op: `if`, `while`. Without it, errors use the op's name. It is
/// not written to files.
pub(crate) const WORD: AttrKey<String> = AttrKey::new("?word");

/// Whether a reduction keeps its axes with size 1.
pub const KEEP_DIMS: AttrKey<bool> = AttrKey::new("keep_dims");

/// Runs a block with `$t` bound to the element type, for the dtypes of a set; there is no kernel for others.
macro_rules! typed {
    ($set:ident, $c:expr, $d:expr, $t:ident => $b:expr) => {
        $crate::array::with_element!($set, $d, $t => $b, else Err($crate::ir::no_kernel($c)))
    };
}
pub(crate) use typed;

/// Code with `$t` bound to the element type, for dtypes that have one.
macro_rules! of_type {
    ($dtype:expr, $t:ident => $body:expr) => {
        with_element!(tabled, $dtype, $t => $body, else None)
    };
}

/// The result of a kernel that needs working memory; running out of it is `ResourceExhausted`.
pub(crate) fn worked<T>(result: std::result::Result<T, k::OutOfMemory>) -> Result<T> {
    result.map_err(|e| err!(ResourceExhausted, "{e}"))
}

/// The function of a table for an element type.
pub(crate) fn entry<T: Tabled, K: t::Signature>(
    c: &KernelContext<'_>,
    table: &Table<K>,
) -> Result<K::Of<T>> {
    T::entry(table).ok_or_else(|| no_kernel(c))
}

impl Kernel {
    /// The kernel of a call, with [`Choose`](Self::Choose) resolved.
    ///
    /// ```
    /// use extype::ir::{Attrs, Kernel, find_op};
    /// use extype::prelude::*;
    /// let add = find_op("AddV2")?.kernel;
    /// assert!(matches!(add, Kernel::Choose(_)));
    /// assert!(matches!(add.chosen(f32, &Attrs::new()), Kernel::Zip(_)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn chosen(self, first: DType, attrs: &Attrs) -> Kernel {
        match self {
            Kernel::Choose(choose) => choose(first, attrs).chosen(first, attrs),
            other => other,
        }
    }

    /// The function of a kernel on blocks of elements or rows, for operands of these dtypes. It computes what the kernel
    /// does, and can't fail. The axes of a reduction are no operand.
    pub(crate) fn block_fn(self, inputs: &[DType]) -> Option<BlockFn> {
        let first = *inputs.first()?;
        let f = match self {
            Kernel::Map(table) => of_type!(first, T => BlockFn::map::<T>(table)),
            Kernel::MapToBool(table) => of_type!(first, T => BlockFn::map_to::<T, _>(table)),
            Kernel::MapToU8(table) => of_type!(first, T => BlockFn::map_to::<T, _>(table)),
            Kernel::Zip(table) => of_type!(first, T => BlockFn::zip::<T>(table)),
            Kernel::Compare(table) => of_type!(first, T => BlockFn::zip_to::<T, _>(table)),
            Kernel::Reduce(table) => of_type!(first, T => BlockFn::fold::<T>(table)),
            Kernel::Rows(table) => of_type!(first, T => BlockFn::rows::<T>(table)),
            Kernel::Convert(to) if to != first => of_type!(to, R => converting(first, R::casts())),
            Kernel::Elementwise(block_fn, _) => block_fn(inputs),
            _ => None,
        };
        f.filter(|f| f.takes(inputs.iter().filter_map(|dtype| block_type(*dtype))))
    }

    /// True if inference has to accept a call before the kernel runs.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// use extype::prelude::*;
    /// assert!(find_op("Reshape")?.kernel.needs_inference());
    /// assert!(!find_op("Exp")?.kernel.needs_inference());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn needs_inference(&self) -> bool {
        matches!(self, Kernel::General(_) | Kernel::Elementwise(..))
    }

    /// True for the kinds that [`run_in_place`](Self::run_in_place) can run.
    ///
    /// ```
    /// use extype::ir::find_op;
    /// use extype::prelude::*;
    /// assert!(find_op("Exp")?.kernel.runs_in_place());
    /// assert!(!find_op("Sum")?.kernel.runs_in_place());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn runs_in_place(&self) -> bool {
        matches!(self, Kernel::Map(_) | Kernel::Zip(_))
    }

    /// Computes the result in the storage of the first input, for maps and zips to the same dtype
    /// whose other operand has the shape of the first or is a scalar.
    ///
    /// # Errors
    /// Gives the array back if something else holds it, or if the call can't run in place.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::find_op;
    /// use extype::prelude::*;
    /// let (kernel, x) = (find_op("Sqrt")?.kernel, Array::from_slice([2], &[1.0f32, 4.0])?);
    /// let held = x.clone();
    /// let x = kernel.run_in_place(x, None).expect_err("somebody else holds it");
    /// drop(held);
    /// assert_eq!(kernel.run_in_place(x, None).unwrap().as_slice::<f32>()?, &[1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run_in_place(
        self,
        x: Array,
        other: Option<&Array>,
    ) -> std::result::Result<Array, Array> {
        match (self, other) {
            (Kernel::Map(table), None) => {
                with_element!(real, x.dtype(), T => match T::entry(table) {
                Some(f) => x.rewrite_in_place::<T>(|_, block, out| f(block, out, k::Par::Seq)),
                None => Err(x),
            }, else Err(x))
            }
            (Kernel::Zip(table), Some(y)) if y.dtype() == x.dtype() => {
                let scalar = y.rank() == 0;
                if !scalar && y.dims() != x.dims() {
                    return Err(x);
                }
                with_element!(real, x.dtype(), T => match (T::entry(table), y.as_slice::<T>()) {
                    (Some(f), Ok(b)) => x.rewrite_in_place::<T>(|at, block, out| match scalar {
                        true => f(block, b, Pairing::Right, out, k::Par::Seq),
                        false => {
                            f(block, &b[at..at + block.len()], Pairing::Each, out, k::Par::Seq);
                        }
                    }),
                    _ => Err(x),
                }, else Err(x))
            }
            _ => Err(x),
        }
    }

    /// Computes the results of a call.
    ///
    /// # Errors
    /// What the kernel refuses; `Unimplemented` for a dtype that it is not for.
    ///
    /// # Panics
    /// If there are fewer inputs than the op has, which [`OpDef::run`](super::OpDef::run) refuses.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{AttrKey, Attrs, KernelContext, find_op};
    /// use extype::prelude::*;
    /// let x = Array::from_slice([2], &[1.0f32, 4.0])?;
    /// let attrs = Attrs::new().with(AttrKey::new("num"), &2i64).with(AttrKey::new("axis"), &0i64);
    /// let outputs = find_op("Unpack")?.kernel.run(&KernelContext::new(&[&x], &attrs))?;
    /// assert_eq!(outputs[1].as_slice::<f32>()?, &[4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run(&self, c: &KernelContext<'_>) -> Result<Outputs> {
        match *self {
            Kernel::General(f) | Kernel::Elementwise(_, f) | Kernel::SelfChecked(f) => {
                caught_alone(PANICKED, || f(c))
            }
            Kernel::Choose(choose) => choose(c.input(0).dtype(), c.attrs).run(c),
            Kernel::Branch(branching) => branching.run(c),
            Kernel::Call(function) => function(c.attrs)?.call_checked(c.inputs),
            Kernel::Loop(looping) => looping(c.attrs)?.run(c),
            Kernel::Change(_) => self.run_owning(c.input(0).clone(), &c.others()),
            _ => Ok([self.run_one(c)?].into()),
        }
    }

    /// [`run`](Self::run) for a call with one result, which is returned without a list.
    ///
    /// # Errors
    /// As [`run`](Self::run); `Internal` if there is another number of results.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, KernelContext, find_op};
    /// use extype::prelude::*;
    /// let (x, y, attrs) = (Array::scalar(3.0f32), Array::scalar(4.0f32), Attrs::new());
    /// let product = find_op("Mul")?.kernel.run_one(&KernelContext::new(&[&x, &y], &attrs))?;
    /// assert_eq!(product.as_slice::<f32>()?, &[12.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn run_one(&self, c: &KernelContext<'_>) -> Result<Array> {
        match self {
            Kernel::Choose(choose) => choose(c.input(0).dtype(), c.attrs).run_chosen(c),
            kernel => kernel.run_chosen(c),
        }
    }

    /// [`run_one`](Self::run_one) without a test for [`Choose`](Self::Choose), which programs have resolved.
    pub(crate) fn run_chosen(&self, c: &KernelContext<'_>) -> Result<Array> {
        match *self {
            // A result has its own identity, and lies on the host.
            Kernel::Pass => c.input(0).to_host()?.renewed(),
            Kernel::Compound => Err(only_called()),
            Kernel::Map(table) => map(c, table),
            Kernel::MapToBool(table) => map_to(c, table),
            Kernel::MapToU8(table) => map_to(c, table),
            Kernel::Zip(table) => {
                typed!(tabled, c, c.input(0).dtype(), T => zip::<T, T>(c, entry::<T, _>(c, table)?))
            }
            Kernel::Compare(table) => {
                typed!(tabled, c, c.input(0).dtype(), T => zip::<T, bool>(c, entry::<T, _>(c, table)?))
            }
            Kernel::Reduce(table) => reduce(c, table),
            Kernel::Rows(table) => rows(c, table),
            Kernel::Convert(to) if to == c.input(0).dtype() => c.input(0).renewed(),
            Kernel::Convert(to) => {
                typed!(tabled, c, to, R => map_to(c, <R as CastTarget>::casts()))
            }
            Kernel::Checked(i, check, kernel) => {
                if !c.inputs.iter().any(|x| x.is_empty()) {
                    check(c.input(i))?;
                }
                kernel.run_one(c)
            }
            Kernel::Choose(_) => self.run_one(c),
            Kernel::Branch(branching) => only(branching.run(c)?),
            Kernel::Call(function) => only(function(c.attrs)?.call_checked(c.inputs)?),
            Kernel::Loop(looping) => only(looping(c.attrs)?.run(c)?),
            Kernel::Change(_) => only(self.run_owning(c.input(0).clone(), &c.others())?),
            Kernel::General(f) | Kernel::Elementwise(_, f) | Kernel::SelfChecked(f) => {
                only(caught_alone(PANICKED, || f(c))?)
            }
        }
    }

    /// [`run`](Self::run) of a kernel that owns the first input; the context has the others.
    pub(crate) fn run_owning(&self, first: Array, others: &KernelContext<'_>) -> Result<Outputs> {
        match *self {
            Kernel::Change(f) => caught_alone(PANICKED, || f(first, others)),
            _ => Err(Error::internal("the kernel owns no input")),
        }
    }
}

/// The conversion of blocks. It is instantiated once per result dtype, for all input dtypes.
fn converting<R: k::Element>(from: DType, casts: &Table<MapToSignature<R>>) -> Option<BlockFn> {
    of_type!(from, T => BlockFn::map_to::<T, R>(casts))
}

/// The error for a compound that is run on arrays or in a graph, and not called on tensors.
pub(crate) fn only_called() -> Error {
    err!(Unimplemented, "the op is a compound of others: call it on tensors")
}

/// The result of an op that has one.
pub(crate) fn only(mut outputs: Outputs) -> Result<Array> {
    match outputs.pop() {
        Some(output) if outputs.is_empty() => Ok(output),
        _ => Err(Error::internal("the op has not one result")),
    }
}

/// One function on every element of the first input.
fn map(c: &KernelContext<'_>, table: &Table<MapSignature>) -> Result<Array> {
    let x = c.input(0);
    typed!(tabled, c, x.dtype(), T => {
        let f = entry::<T, _>(c, table)?;
        let data = x.as_slice::<T>()?;
        c.output(x.dims(), |out| {
            f(data, out, c.par);
            Ok(())
        })
    })
}

/// [`map`] to another dtype. It is instantiated once per result dtype, for all input dtypes.
pub(crate) fn map_to<R: Element + k::Element>(
    c: &KernelContext<'_>,
    table: &Table<MapToSignature<R>>,
) -> Result<Array> {
    let x = c.input(0);
    c.output(x.dims(), |out| {
        typed!(tabled, c, x.dtype(), T => {
            entry::<T, _>(c, table)?(x.as_slice::<T>()?, out, c.par);
            Ok(())
        })
    })
}

fn zip<T: Element, R: Element>(c: &KernelContext<'_>, f: ZipFn<T, R>) -> Result<Array> {
    let (x, y) = (c.input(0), c.input(1));
    let (a, b) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
    let plan;
    let (dims, pairing) = if x.has_dims_of(y) {
        (x.dims(), Pairing::Each)
    } else if y.rank() == 0 {
        (x.dims(), Pairing::Right)
    } else if x.rank() == 0 {
        (y.dims(), Pairing::Left)
    } else {
        plan = broadcast_plan(x, y)?;
        (plan.out_shape(), Pairing::Broadcast(&plan))
    };
    c.output(dims, |out| {
        f(a, b, pairing, out, c.par);
        Ok(())
    })
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
fn reduce(c: &KernelContext<'_>, table: &Table<ReduceSignature>) -> Result<Array> {
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
    typed!(tabled, c, x.dtype(), T => {
        let f = entry::<T, _>(c, table)?;
        let data = x.as_slice::<T>()?;
        c.output(&dims, |out| {
            f(data, &layout, out, c.par);
            Ok(())
        })
    })
}

fn rows(c: &KernelContext<'_>, table: &Table<RowsSignature>) -> Result<Array> {
    let x = c.input(0);
    let Some(len) = x.dims().last().copied() else {
        bail!("a tensor with rows has one axis at least, not shape {}", x.shape());
    };
    typed!(float, c, x.dtype(), T => {
        let f = entry::<T, _>(c, table)?;
        let data = x.as_slice::<T>()?;
        c.output(x.dims(), |out| {
            f(data, len, out, c.par);
            Ok(())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DTypeSet;

    /// The list of dtypes and the list of element types give each dtype the same kind.
    #[test]
    fn sets_of_dtypes_are_those_of_tables() {
        let tables = [
            (DTypeSet::NUMERIC, &t::unary::SQUARE),
            (DTypeSet::REAL, &t::unary::ABS),
            (DTypeSet::INEXACT, &t::unary::EXP),
            (DTypeSet::INTEGER, &t::unary::INVERT),
            (DTypeSet::FLOAT, &t::unary::RINT),
            (DTypeSet::COMPLEX, &t::unary::CONJ),
            (DTypeSet::BOOL, &t::unary::LOGICAL_NOT),
        ];
        for (set, table) in tables {
            for d in DType::ALL {
                let has = with_element!(tabled, d, T => T::entry(table).is_some(), else false);
                assert_eq!(has, set.contains(d), "{d} in {set}");
            }
        }
    }
}
