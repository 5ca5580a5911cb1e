//! Functions of blocks, whose element types are erased.

use core::mem::{MaybeUninit, transmute};
use core::ptr::{slice_from_raw_parts as slice, slice_from_raw_parts_mut};

use super::Type;
use crate::element::Element;
use crate::elementwise::blend;
use crate::par::{Par, simd};
use crate::reduce::ReduceLayout;
use crate::table::{
    MapFn, MapSignature, MapToSignature, Pairing, ReduceFn, ReduceSignature, RowsFn, RowsSignature,
    Table, Tabled, ZipFn, ZipSignature, ZipToSignature,
};

/// A function from blocks of elements to a block of elements.
#[derive(Clone, Copy, Debug)]
pub struct BlockFn {
    pub(super) call: Untyped,
    inputs: [Option<Type>; 3],
    pub(super) output: Type,
}

/// Functions of tables, with raw pointers in place of references: the two are passed alike, whatever the elements are.
/// The length of each slice is the number of elements.
type RawMap = unsafe fn(*const [u8], *mut [u8], Par);
type RawZip = unsafe fn(*const [u8], *const [u8], Pairing<'_>, *mut [u8], Par);
type RawReduce = unsafe fn(*const [u8], &ReduceLayout, *mut [u8], Par);
type RawRows = unsafe fn(*const [u8], usize, *mut [u8], Par);

/// A function whose element types are erased.
#[derive(Clone, Copy, Debug)]
pub(super) enum Untyped {
    One(RawMap),
    Two(RawZip),
    Three(unsafe fn(*const [u8], *const [u8], *const [u8], *mut [u8])),
    /// From rows to an element for each.
    Fold(RawReduce),
    /// From rows of a length to rows.
    Rows(RawRows),
    /// An element for each row to rows that repeat it.
    Spread,
}

/// A function of a table as one of raw pointers.
macro_rules! untyped {
    ($f:ident: $t:ty as $raw:ty) => {
        // SAFETY: pointers to slices are passed as references are. The caller of `run` ensures that they are valid.
        unsafe { transmute::<$t, $raw>($f) }
    };
}

impl BlockFn {
    /// A function of one operand, if the table has one for this type.
    pub fn map<T: Tabled>(table: &Table<MapSignature>) -> Option<Self> {
        T::entry(table).map(Self::one)
    }

    /// A function of one operand to another type, if the table has one for the type of the operand.
    pub fn map_to<T: Tabled, R: Element>(table: &Table<MapToSignature<R>>) -> Option<Self> {
        T::entry(table).map(Self::one)
    }

    /// A function of two operands, if the table has one for this type.
    pub fn zip<T: Tabled>(table: &Table<ZipSignature>) -> Option<Self> {
        T::entry(table).map(Self::two)
    }

    /// A function of two operands to another type, if the table has one for the type of the operands.
    pub fn zip_to<T: Tabled, R: Element>(table: &Table<ZipToSignature<R>>) -> Option<Self> {
        T::entry(table).map(Self::two)
    }

    /// A reduction of rows, if the table has one for this type.
    pub fn fold<T: Tabled>(table: &Table<ReduceSignature>) -> Option<Self> {
        let f = T::entry(table)?;
        let call = Untyped::Fold(untyped!(f: ReduceFn<T, T> as RawReduce));
        Some(Self::new::<T, T>(call, 1))
    }

    /// A function of each row, if the table has one for this type.
    pub fn rows<T: Tabled>(table: &Table<RowsSignature>) -> Option<Self> {
        let f = T::entry(table)?;
        Some(Self::new::<T, T>(Untyped::Rows(untyped!(f: RowsFn<T> as RawRows)), 1))
    }

    pub(super) fn spread(ty: Type) -> Self {
        Self { call: Untyped::Spread, inputs: [Some(ty), None, None], output: ty }
    }

    /// True if it computes whole rows, and not element by element.
    pub fn needs_rows(&self) -> bool {
        matches!(self.call, Untyped::Fold(_) | Untyped::Rows(_))
    }

    /// The elements of the second operand where the first one, of bools, is true, and of the third elsewhere.
    /// `None` for elements of unusual sizes.
    pub fn select(ty: Type) -> Option<Self> {
        let call = match (ty.size, ty.align) {
            (1, 1) => select::<u8>,
            (2, 2) => select::<u16>,
            (4, 4) => select::<u32>,
            (8, 8) => select::<u64>,
            (8, 4) => select::<[u32; 2]>,
            (16, 8) => select::<[u64; 2]>,
            _ => return None,
        };
        let inputs = [Some(Type::of::<bool>()), Some(ty), Some(ty)];
        Some(Self { call: Untyped::Three(call), inputs, output: ty })
    }

    fn one<T: Element, R: Element>(f: MapFn<T, R>) -> Self {
        Self::new::<T, R>(Untyped::One(untyped!(f: MapFn<T, R> as RawMap)), 1)
    }

    fn two<T: Element, R: Element>(f: ZipFn<T, R>) -> Self {
        Self::new::<T, R>(Untyped::Two(untyped!(f: ZipFn<T, R> as RawZip)), 2)
    }

    /// A function of so many operands of a type.
    fn new<T: Element, R: Element>(call: Untyped, operands: usize) -> Self {
        let inputs = core::array::from_fn(|i| (i < operands).then(Type::of::<T>));
        Self { call, inputs, output: Type::of::<R>() }
    }

    /// True if these are the types of its operands.
    pub fn takes(&self, operands: impl IntoIterator<Item = Type>) -> bool {
        self.inputs.iter().flatten().copied().eq(operands)
    }

    /// The type of its results.
    pub fn output(&self) -> Type {
        self.output
    }

    /// Computes this many elements of a block.
    ///
    /// # Safety
    /// The pointers are aligned, and valid for the block: the first ones for reads of elements of the input types, the
    /// last one for writes of results. It overlaps no other. An operand has an element for each row if `pairs` says so.
    pub(super) unsafe fn run(
        &self,
        [x, y, z]: [*const u8; 3],
        pairs: Pairs,
        out: *mut u8,
        len: usize,
        block: &Block<'_>,
    ) {
        let (a, b, c) = (slice(x, len), slice(y, len), slice(z, len));
        let to = slice_from_raw_parts_mut(out, len);
        // SAFETY: as this function requires.
        unsafe {
            match self.call {
                Untyped::One(f) => f(a, to, Par::Seq),
                Untyped::Two(f) => {
                    let row = block.row_len;
                    let at = |p: *const u8, operand: usize, i: usize| {
                        p.add(i * self.inputs[operand].map_or(0, Type::size))
                    };
                    let result = |i: usize| {
                        slice_from_raw_parts_mut(out.add(i * row * self.output.size()), row)
                    };
                    match pairs {
                        Pairs::Each => f(a, b, Pairing::Each, to, Par::Seq),
                        Pairs::RowsLeft => (0..block.rows).for_each(|i| {
                            let (a, b) = (slice(at(x, 0, i), 1), slice(at(y, 1, i * row), row));
                            f(a, b, Pairing::Left, result(i), Par::Seq);
                        }),
                        Pairs::RowsRight => (0..block.rows).for_each(|i| {
                            let (a, b) = (slice(at(x, 0, i * row), row), slice(at(y, 1, i), 1));
                            f(a, b, Pairing::Right, result(i), Par::Seq);
                        }),
                    }
                }
                Untyped::Three(f) => f(a, b, c, to),
                Untyped::Rows(f) => f(a, block.row_len, to, Par::Seq),
                Untyped::Fold(f) => {
                    if let Some(layout) = block.layout {
                        f(slice(x, block.len), layout, to, Par::Seq);
                    }
                }
                Untyped::Spread => {
                    let (size, row) = (self.output.size(), block.row_len);
                    for i in 0..block.rows {
                        repeat(x.add(i * size), out.add(i * row * size), row, size);
                    }
                }
            }
        }
    }
}

/// How the elements of two operands are paired.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Pairs {
    #[default]
    Each,
    /// The left operand has an element for each row, which goes with all of the right one's row.
    RowsLeft,
    /// The same with the operands exchanged.
    RowsRight,
}

/// The elements that are computed together.
pub(super) struct Block<'a> {
    pub(super) len: usize,
    pub(super) rows: usize,
    pub(super) row_len: usize,
    /// How rows are reduced.
    pub(super) layout: Option<&'a ReduceLayout>,
}

/// # Safety
/// As [`BlockFn::run`]; the elements have the size of `W` and at least its alignment.
unsafe fn select<W: bytemuck::Pod>(
    which: *const [u8],
    x: *const [u8],
    y: *const [u8],
    out: *mut [u8],
) {
    // SAFETY: as this function requires. Elements have no padding, so their bytes are words.
    let (which, x, y, out) = unsafe {
        (
            &*(which as *const [bool]),
            &*(x as *const [W]),
            &*(y as *const [W]),
            &mut *(out as *mut [MaybeUninit<W>]),
        )
    };
    let n = out.len();
    let (which, x, y) = (&which[..n], &x[..n], &y[..n]);
    simd(
        #[inline(always)]
        || blend(which, |i| x[i], |i| y[i], out),
    );
}

/// Fills a block with one element.
///
/// # Safety
/// `from` is valid for an element of this size, `to` for `len` of them; both are aligned.
pub(super) unsafe fn repeat(from: *const u8, to: *mut u8, len: usize, size: usize) {
    /// # Safety
    /// As [`repeat`] for elements of the size of `W`.
    unsafe fn fill<W: bytemuck::Pod>(from: *const u8, to: *mut u8, len: usize) {
        // SAFETY: as this function requires. Words are only copied.
        unsafe {
            let one = from.cast::<W>().read_unaligned();
            let to = &mut *slice_from_raw_parts_mut(to.cast::<MaybeUninit<W>>(), len);
            simd(
                #[inline(always)]
                || to.fill(MaybeUninit::new(one)),
            );
        }
    }
    // SAFETY: as this function requires.
    unsafe {
        match size {
            1 => fill::<u8>(from, to, len),
            2 => fill::<u16>(from, to, len),
            4 => fill::<u32>(from, to, len),
            8 => fill::<[u32; 2]>(from, to, len),
            _ => (0..len).for_each(|i| to.add(i * size).copy_from_nonoverlapping(from, size)),
        }
    }
}
