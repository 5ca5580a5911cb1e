//! Chains of functions that run block by block, so that intermediate values stay in the cache.
//!
//! A [`Chain`] is a list of [`BlockFn`]s: functions of the tables whose element types are erased. A [`Builder`] makes it
//! once and checks that the types fit. Running it calls all functions for one block before the next block begins.
//!
//! Elementwise functions form chains for any number of elements. If functions of the chain reduce rows, blocks are whole
//! rows, and a value has an element for each place or for each row: see [`Extent`].
//!
//! ```
//! use extype_kernels::Par;
//! use extype_kernels::fused::{BlockFn, Builder, Cover, Extent, Input, Output, Type};
//! use extype_kernels::table::{binary, unary};
//!
//! // exp(-x) * s
//! let mut b = Builder::default();
//! let x = b.input(Type::of::<f32>(), Cover::Each, Extent::Each);
//! let s = b.input(Type::of::<f32>(), Cover::One, Extent::Each);
//! let negative = b.apply(BlockFn::map::<f32>(&unary::NEG).unwrap(), &[x]).unwrap();
//! let exp = b.apply(BlockFn::map::<f32>(&unary::EXP).unwrap(), &[negative]).unwrap();
//! let y = b.apply(BlockFn::zip::<f32>(&binary::MUL).unwrap(), &[exp, s]).unwrap();
//! let chain = b.finish(&[y]);
//!
//! let mut y = [0.0f32; 3];
//! let out = Output::bytes(bytemuck::cast_slice_mut(&mut y));
//! chain.run(&[Input::of(&[0.0f32; 3]), Input::of(&[2.0f32])], &mut [out], Par::Seq);
//! assert_eq!(y, [2.0; 3]);
//! ```

use core::any::TypeId;
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::{MaybeUninit, transmute};
use core::ptr::{slice_from_raw_parts as slice, slice_from_raw_parts_mut};

use crate::broadcast::{Broadcast, Run};
use crate::element::Element;
use crate::elementwise::{GATHERED, blend};
use crate::par::{Par, simd};
use crate::reduce::ReduceLayout;
use crate::table::{
    MapFn, MapSignature, MapToSignature, Pairing, ReduceFn, ReduceSignature, RowsFn, RowsSignature,
    Table, Tabled, ZipFn, ZipSignature, ZipToSignature,
};

/// An element type, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    id: TypeId,
    size: u8,
    align: u8,
}

impl Type {
    /// The value for an element type.
    pub fn of<T: Element>() -> Self {
        const { assert!(size_of::<T>() > 0 && size_of::<T>() <= ALIGN) };
        Self { id: TypeId::of::<T>(), size: size_of::<T>() as u8, align: align_of::<T>() as u8 }
    }

    /// The bytes of an element.
    fn size(self) -> usize {
        usize::from(self.size)
    }
}

/// A function from blocks of elements to a block of elements.
#[derive(Clone, Copy, Debug)]
pub struct BlockFn {
    call: Untyped,
    inputs: [Option<Type>; 3],
    output: Type,
}

/// A function of a table, with raw pointers in place of references: the two are passed alike, whatever the elements are.
/// The length of each slice is the number of elements.
#[derive(Clone, Copy, Debug)]
enum Untyped {
    One(unsafe fn(*const [u8], *mut [u8], Par)),
    Two(unsafe fn(*const [u8], *const [u8], Pairing<'_>, *mut [u8], Par)),
    Three(unsafe fn(*const [u8], *const [u8], *const [u8], *mut [u8])),
    /// From rows to an element for each.
    Fold(unsafe fn(*const [u8], &ReduceLayout, *mut [u8], Par)),
    /// From rows of a length to rows.
    Rows(unsafe fn(*const [u8], usize, *mut [u8], Par)),
    /// An element for each row to rows that repeat it.
    Spread,
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
        // SAFETY: pointers to slices are passed as references are. The caller of `run` ensures that they are valid.
        let call = unsafe {
            transmute::<ReduceFn<T, T>, unsafe fn(*const [u8], &ReduceLayout, *mut [u8], Par)>(f)
        };
        let inputs = [Some(Type::of::<T>()), None, None];
        Some(Self { call: Untyped::Fold(call), inputs, output: Type::of::<T>() })
    }

    /// A function of each row, if the table has one for this type.
    pub fn rows<T: Tabled>(table: &Table<RowsSignature>) -> Option<Self> {
        let f = T::entry(table)?;
        // SAFETY: as in `fold`.
        let call =
            unsafe { transmute::<RowsFn<T>, unsafe fn(*const [u8], usize, *mut [u8], Par)>(f) };
        let inputs = [Some(Type::of::<T>()), None, None];
        Some(Self { call: Untyped::Rows(call), inputs, output: Type::of::<T>() })
    }

    fn spread(ty: Type) -> Self {
        Self { call: Untyped::Spread, inputs: [Some(ty), None, None], output: ty }
    }

    /// True if it computes whole rows, and not element by element.
    pub fn needs_rows(&self) -> bool {
        matches!(self.call, Untyped::Fold(_) | Untyped::Rows(_))
    }

    /// True if it reduces rows.
    pub fn is_fold(&self) -> bool {
        matches!(self.call, Untyped::Fold(_))
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
        // SAFETY: pointers to slices are passed as references are. The caller of `run` ensures that they are valid.
        let call = unsafe { transmute::<MapFn<T, R>, unsafe fn(*const [u8], *mut [u8], Par)>(f) };
        let inputs = [Some(Type::of::<T>()), None, None];
        Self { call: Untyped::One(call), inputs, output: Type::of::<R>() }
    }

    fn two<T: Element, R: Element>(f: ZipFn<T, R>) -> Self {
        // SAFETY: pointers to slices are passed as references are. The caller of `run` ensures that they are valid.
        let call = unsafe {
            transmute::<ZipFn<T, R>, unsafe fn(*const [u8], *const [u8], Pairing<'_>, *mut [u8], Par)>(
                f,
            )
        };
        let inputs = [Some(Type::of::<T>()), Some(Type::of::<T>()), None];
        Self { call: Untyped::Two(call), inputs, output: Type::of::<R>() }
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
    /// last one for writes of results. It overlaps no other.
    unsafe fn run(&self, [x, y, z]: [*const u8; 3], out: *mut u8, len: usize, block: &Block<'_>) {
        let (a, b, c) = (slice(x, len), slice(y, len), slice(z, len));
        let to = slice_from_raw_parts_mut(out, len);
        // SAFETY: as this function requires.
        unsafe {
            match self.call {
                Untyped::One(f) => f(a, to, Par::Seq),
                Untyped::Two(f) => f(a, b, Pairing::Each, to, Par::Seq),
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

/// The elements that are computed together.
struct Block<'a> {
    len: usize,
    rows: usize,
    row_len: usize,
    /// How rows are reduced.
    layout: Option<&'a ReduceLayout>,
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

/// A value of a chain that is being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(usize);

/// Whether a value of a chain has one element in all, one for each row, or one for each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// One element for all.
    One,
    /// An element for each row.
    Row,
    /// An element for each place.
    Each,
}

/// How an operand covers the elements of a value.
#[derive(Debug)]
pub enum Cover {
    /// One element for each.
    Each,
    /// One element for all.
    One,
    /// So many elements, again and again.
    Cycle(usize),
    /// Elements that are repeated: the second operand of a plan, whose first one has the shape of the value.
    Along(Broadcast),
}

/// Builds a [`Chain`].
#[derive(Default)]
pub struct Builder {
    values: Vec<(Type, Extent)>,
    inputs: Vec<(Value, Operand)>,
    steps: Vec<(BlockFn, [Value; 3], Value)>,
    /// The number of rows, and their length.
    rows: Option<(usize, usize)>,
}

impl Builder {
    /// A builder of a chain for so many rows of `len` elements, so that functions may reduce them.
    ///
    /// # Panics
    /// If rows have no elements, or all together more than memory can hold.
    pub fn of_rows(count: usize, len: usize) -> Self {
        let fits = count.checked_mul(len).is_some_and(|n| n < isize::MAX as usize / ALIGN);
        assert!(len > 0 && fits, "rows have elements, and fit into memory");
        Self { rows: Some((count, len)), ..Self::default() }
    }

    /// One more input, which covers the places or the rows.
    ///
    /// # Panics
    /// If a cycle has no elements, or one element for all is not covered by [`Cover::One`].
    pub fn input(&mut self, ty: Type, cover: Cover, extent: Extent) -> Value {
        let covers = match cover {
            Cover::One => true,
            Cover::Cycle(len) => len > 0 && extent != Extent::One,
            Cover::Each | Cover::Along(_) => extent != Extent::One,
        };
        assert!(covers, "how an operand covers a value");
        let extent = if let Cover::One = cover { Extent::One } else { extent };
        let value = self.value(ty, extent);
        self.inputs.push((value, Operand { ty, cover, extent }));
        value
    }

    /// The result of a function, if these operands have the types that it takes. Operands with an element for each row
    /// are repeated along the rows where another operand has more.
    pub fn apply(&mut self, function: BlockFn, operands: &[Value]) -> Option<Value> {
        if !function.takes(operands.iter().map(|x| self.values[x.0].0)) {
            return None;
        }
        let operand = |i: usize| operands.get(i).copied().unwrap_or(operands[0]);
        let mut from = [operand(0), operand(1), operand(2)];
        let most = from.iter().map(|x| self.extent(*x)).max()?;
        let extent = match function.call {
            Untyped::Fold(_) | Untyped::Rows(_) if most != Extent::Each || self.rows.is_none() => {
                return None;
            }
            Untyped::Fold(_) => Extent::Row,
            _ if most == Extent::One => Extent::Each,
            _ => most,
        };
        if most == Extent::Each {
            from = from.map(|x| self.spread(x));
        }
        let to = self.value(function.output, extent);
        self.steps.push((function, from, to));
        Some(to)
    }

    /// The value with an element for each place, if it had one for each row.
    pub fn spread(&mut self, x: Value) -> Value {
        let (ty, extent) = self.values[x.0];
        if extent != Extent::Row {
            return x;
        }
        let is_same = |(f, from, _): &&(BlockFn, [Value; 3], Value)| {
            from[0] == x && matches!(f.call, Untyped::Spread)
        };
        if let Some((_, _, to)) = self.steps.iter().find(is_same) {
            return *to;
        }
        let to = self.value(ty, Extent::Each);
        self.steps.push((BlockFn::spread(ty), [x; 3], to));
        to
    }

    /// What the elements of a value are for.
    pub fn extent(&self, x: Value) -> Extent {
        self.values[x.0].1
    }

    fn value(&mut self, ty: Type, extent: Extent) -> Value {
        self.values.push((ty, extent));
        Value(self.values.len() - 1)
    }

    /// The chain with these results.
    ///
    /// # Panics
    /// If a result is an input, or given twice.
    pub fn finish(self, outputs: &[Value]) -> Chain {
        let results = outputs.iter().map(|v| self.values[v.0]).collect();
        let (values, inputs): (Vec<Value>, Vec<Operand>) = self.inputs.into_iter().unzip();
        let mut places = vec![usize::MAX; self.values.len()];
        for (i, value) in values.iter().chain(outputs).enumerate() {
            assert!(places[value.0] == usize::MAX, "a result is computed, and given once");
            places[value.0] = i;
        }
        let fixed = inputs.len() + outputs.len();
        let mut last_use = vec![0; self.values.len()];
        for (i, (_, operands, _)) in self.steps.iter().enumerate() {
            operands.iter().for_each(|x| last_use[x.0] = i);
        }
        let (mut free, mut count) = (Vec::new(), fixed);
        let mut stages = Vec::with_capacity(self.steps.len());
        for (i, (function, operands, to)) in self.steps.iter().enumerate() {
            let from = operands.map(|x| places[x.0]);
            // Before the operands are freed: a function does not write where it reads.
            if places[to.0] == usize::MAX {
                places[to.0] = free.pop().unwrap_or_else(|| {
                    count += 1;
                    count - 1
                });
            }
            let (extent, to) = (self.values[to.0].1, places[to.0]);
            stages.push(Stage { function: *function, from, to, extent });
            for (k, x) in operands.iter().enumerate() {
                let ends = last_use[x.0] == i && !operands[..k].contains(x);
                if ends && places[x.0] >= fixed {
                    free.push(places[x.0]);
                }
            }
        }
        let widest = self.values.iter().map(|(ty, _)| ty.size()).max().unwrap_or(1);
        // Each input may need a buffer, too.
        let block = (WORKING_SET / (count * widest).max(1)).clamp(LEAST_BLOCK, MOST_BLOCK) & !63;
        let rows = self.rows.map(|(count, len)| Rows::new(count, len, block));
        let block = match &rows {
            Some(rows) => rows.together * rows.len,
            None => whole_cycles(block, &inputs),
        };
        let buffers = count - fixed;
        Chain { stages, inputs, outputs: results, buffers, widest, block, rows }
    }
}

/// A block of so many elements or a few less, in which operands go round as often as they can.
fn whole_cycles(block: usize, inputs: &[Operand]) -> usize {
    let cycle = |operand: &Operand| match operand.cover {
        Cover::Cycle(len) => Some(len),
        _ => None,
    };
    let cycles = inputs.iter().filter_map(cycle).filter(|len| *len <= block);
    let unit = cycles.max().map_or(1, |len| if len * 16 <= block { len * 16 } else { len });
    block / unit * unit
}

/// Functions that run one after the other on each block: see the [module](self).
pub struct Chain {
    stages: Vec<Stage>,
    inputs: Vec<Operand>,
    outputs: Vec<(Type, Extent)>,
    /// The number of buffers for intermediate values.
    buffers: usize,
    /// The size of the largest element.
    widest: usize,
    /// The number of elements in a block.
    block: usize,
    rows: Option<Rows>,
}

/// The rows that functions of a chain reduce.
struct Rows {
    count: usize,
    len: usize,
    /// The rows of a block.
    together: usize,
    /// How the rows of a block are reduced, and those of the last block, which are fewer.
    layouts: [ReduceLayout; 2],
}

impl Rows {
    /// Rows that are computed in blocks of about so many elements.
    fn new(count: usize, len: usize, block: usize) -> Self {
        let together = (block / len).clamp(1, count.max(1));
        let layouts = [together, count % together];
        let layouts = layouts.map(|rows| ReduceLayout::new(&[rows, len], &[false, true]));
        Self { count, len, together, layouts }
    }
}

/// A function from places to a place. Inputs have the first places, then come the outputs, then the buffers.
struct Stage {
    function: BlockFn,
    from: [usize; 3],
    to: usize,
    extent: Extent,
}

/// The bytes that a block of each value takes together: three quarters of the first-level cache.
const WORKING_SET: usize = 24 << 10;
/// Shorter blocks spend their time on the calls.
const LEAST_BLOCK: usize = 128;
/// The functions of tables split longer slices into blocks themselves.
const MOST_BLOCK: usize = GATHERED;
/// The alignment of buffers, and the largest size of an element.
const ALIGN: usize = 64;

/// What a chain knows of an input.
struct Operand {
    ty: Type,
    cover: Cover,
    extent: Extent,
}

/// The elements of an operand of a chain.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    data: *const u8,
    len: usize,
    ty: Type,
    memory: PhantomData<&'a [u8]>,
}

// SAFETY: it stands for a `&[T]` of elements, which are `Sync`.
unsafe impl Sync for Input<'_> {}
// SAFETY: likewise.
unsafe impl Send for Input<'_> {}

impl<'a> Input<'a> {
    /// These elements.
    pub fn of<T: Element>(x: &'a [T]) -> Self {
        let memory = PhantomData;
        Self { data: x.as_ptr().cast(), len: x.len(), ty: Type::of::<T>(), memory }
    }

    /// The elements whose bytes these are.
    ///
    /// # Safety
    /// The bytes are aligned, valid elements of this type.
    #[inline]
    pub unsafe fn of_bytes(x: &'a [u8], ty: Type) -> Self {
        Self { data: x.as_ptr(), len: x.len() / ty.size(), ty, memory: PhantomData }
    }

    /// The element at a place.
    fn at(&self, i: usize) -> *const u8 {
        self.data.wrapping_add(i * self.ty.size())
    }

    /// The elements for a block of the results, over which the operand goes again and again: where they lie, or copied to
    /// a buffer.
    ///
    /// # Safety
    /// The buffer is aligned and valid for the block.
    unsafe fn go_round(&self, start: usize, len: usize, buffer: *mut u8) -> *mut u8 {
        let size = self.ty.size();
        let (mut from, mut done) = (start % self.len, 0);
        if from + len <= self.len {
            return self.at(from).cast_mut();
        }
        while done < len {
            let run = (self.len - from).min(len - done);
            // SAFETY: the elements lie within the operand, and within the block of the buffer.
            unsafe { buffer.add(done * size).copy_from_nonoverlapping(self.at(from), run * size) };
            (from, done) = (0, done + run);
        }
        buffer
    }

    /// The elements for a block of the results: where they lie, or copied to a buffer.
    ///
    /// # Safety
    /// The block lies within the results, which the plan covers; the buffer is aligned and valid for its elements.
    unsafe fn gather(
        &self,
        plan: &Broadcast,
        start: usize,
        len: usize,
        buffer: *mut u8,
    ) -> *mut u8 {
        let size = self.ty.size();
        let moves = plan.0.advances()[1];
        let (mut to, mut whole) = (buffer, None);
        plan.0.for_runs(start..start + len, |Run { offsets: [_, from], len: run }| {
            if moves && run == len {
                whole = Some(self.at(from).cast_mut());
                return;
            }
            // SAFETY: the plan stays within operand and results.
            unsafe {
                match moves {
                    true => to.copy_from_nonoverlapping(self.at(from), run * size),
                    false => repeat(self.at(from), to, run, size),
                }
                to = to.add(run * size);
            }
        });
        whole.unwrap_or(buffer)
    }
}

impl Operand {
    /// True if these are elements for so many places or rows.
    fn fits(&self, x: &Input<'_>, len: usize) -> bool {
        let covers = match &self.cover {
            Cover::Each => x.len == len,
            Cover::One => x.len == 1,
            Cover::Cycle(cycle) => x.len == *cycle && len.is_multiple_of(*cycle),
            Cover::Along(plan) => plan.len() == len && plan.0.operand_lens() == [len, x.len],
        };
        covers && self.ty == x.ty
    }
}

/// Fills a block with one element.
///
/// # Safety
/// `from` is valid for an element of this size, `to` for `len` of them; both are aligned.
unsafe fn repeat(from: *const u8, to: *mut u8, len: usize, size: usize) {
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

/// The memory for a result.
pub struct Output<'a> {
    data: *mut u8,
    bytes: usize,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: it stands for a `&mut [u8]`.
unsafe impl Send for Output<'_> {}
// SAFETY: likewise; only the chain writes there, each part by one thread.
unsafe impl Sync for Output<'_> {}

impl<'a> Output<'a> {
    /// The bytes of elements.
    pub fn bytes(out: &'a mut [u8]) -> Self {
        Self { data: out.as_mut_ptr(), bytes: out.len(), memory: PhantomData }
    }
}

/// A piece of memory for buffers.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[expect(dead_code, reason = "written and read by address")] [MaybeUninit<u8>; ALIGN]);

/// What a run needs besides operands and results. Each thread keeps it for the next run.
struct Workspace {
    lines: Vec<Line>,
    places: Vec<*mut u8>,
}

impl Workspace {
    const EMPTY: Self = Self { lines: Vec::new(), places: Vec::new() };
}

thread_local! {
    static WORKSPACE: Cell<Workspace> = const { Cell::new(Workspace::EMPTY) };
}

impl core::fmt::Debug for Chain {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} functions on blocks of {}", self.stages.len(), self.block)
    }
}

impl Chain {
    /// Computes all results.
    ///
    /// # Panics
    /// If an operand or a result differs from the builder's in its type or its number of elements. Without rows, the
    /// first result has any number of elements, and the others as many.
    pub fn run(&self, inputs: &[Input<'_>], outputs: &mut [Output<'_>], par: Par) {
        assert_eq!(
            (inputs.len(), outputs.len()),
            (self.inputs.len(), self.outputs.len()),
            "numbers of operands and results"
        );
        let Some((first, (ty, _))) = outputs.first().zip(self.outputs.first()) else { return };
        let len = self.rows.as_ref().map_or(first.bytes / ty.size(), |rows| rows.count * rows.len);
        let written = |(out, (ty, extent)): (&Output<'_>, &(Type, Extent))| {
            out.bytes == self.within(len, *extent) * ty.size()
                && out.data.addr().is_multiple_of(usize::from(ty.align))
        };
        assert!(outputs.iter().zip(&self.outputs).all(written), "memory of the results");
        let fit = |(x, operand): (&Input<'_>, &Operand)| {
            operand.fits(x, self.within(len, operand.extent))
        };
        assert!(inputs.iter().zip(&self.inputs).all(fit), "operands fit the results");
        let outputs = &*outputs;
        par.for_ranges(
            len,
            self.block,
            len.saturating_mul(self.stages.len() / 2 + 1),
            &|from, to| {
                // SAFETY: operands and results were checked; no two ranges overlap, and each consists of whole rows.
                unsafe { self.run_range(inputs, outputs, from, to) };
            },
        );
    }

    /// The elements of a value within so many places.
    fn within(&self, len: usize, extent: Extent) -> usize {
        match (extent, &self.rows) {
            (Extent::Row, Some(rows)) => len / rows.len,
            _ => len,
        }
    }

    /// # Safety
    /// Operands and results fit the chain, the range lies within them, and nothing else writes there.
    unsafe fn run_range(
        &self,
        inputs: &[Input<'_>],
        outputs: &[Output<'_>],
        from: usize,
        to: usize,
    ) {
        let block = self.block.min(to - from);
        let bytes = (block * self.widest).next_multiple_of(ALIGN);
        // While a thread ends, there may be no workspace any more.
        let kept = WORKSPACE.try_with(|kept| kept.replace(Workspace::EMPTY));
        let mut workspace = kept.unwrap_or(Workspace::EMPTY);
        let Workspace { lines, places } = &mut workspace;
        // An operand whose elements don't lie as they are used has a buffer behind those of the intermediate values.
        let wanted =
            (self.buffers + inputs.len()).checked_mul(bytes).expect("memory for buffers") / ALIGN;
        if lines.len() < wanted {
            lines.resize(wanted, Line([MaybeUninit::uninit(); ALIGN]));
        }
        let memory = lines.as_mut_ptr().cast::<u8>();
        let buffer = |i: usize| memory.wrapping_add(i * bytes);
        places.clear();
        places.resize(inputs.len() + outputs.len(), core::ptr::null_mut());
        places.extend((0..self.buffers).map(buffer));
        // What is the same for all blocks.
        for (i, (x, operand)) in inputs.iter().zip(&self.inputs).enumerate() {
            let buffer = buffer(self.buffers + i);
            places[i] = match operand.cover {
                Cover::One => {
                    // SAFETY: the buffer has this length and belongs to this operand.
                    unsafe { repeat(x.data, buffer, block, x.ty.size()) };
                    buffer
                }
                // SAFETY: likewise.
                Cover::Cycle(_) => unsafe {
                    x.go_round(0, self.within(block, operand.extent), buffer)
                },
                Cover::Each | Cover::Along(_) => core::ptr::null_mut(),
            };
        }
        // True for a cycle at whose start each block starts.
        let is_same = |cycle: usize, extent: Extent| {
            [from, block].iter().all(|n| self.within(*n, extent).is_multiple_of(cycle))
        };

        let mut start = from;
        while start < to {
            let len = block.min(to - start);
            let rows = (self.within(start, Extent::Row), self.within(len, Extent::Row));
            let of = |extent: Extent| if extent == Extent::Row { rows } else { (start, len) };
            for (i, (x, operand)) in inputs.iter().zip(&self.inputs).enumerate() {
                let (start, len) = of(operand.extent);
                let buffer = buffer(self.buffers + i);
                match &operand.cover {
                    Cover::Each => places[i] = x.at(start).cast_mut(),
                    Cover::One => {}
                    Cover::Cycle(cycle) if is_same(*cycle, operand.extent) => {}
                    // SAFETY: the operand fits, and the buffer belongs to it.
                    Cover::Cycle(_) => places[i] = unsafe { x.go_round(start, len, buffer) },
                    // SAFETY: likewise.
                    Cover::Along(plan) => places[i] = unsafe { x.gather(plan, start, len, buffer) },
                }
            }
            for (i, (out, (ty, extent))) in outputs.iter().zip(&self.outputs).enumerate() {
                places[inputs.len() + i] = out.data.wrapping_add(of(*extent).0 * ty.size());
            }
            let own = self.rows.as_ref();
            let together = Block {
                len,
                rows: rows.1,
                row_len: own.map_or(1, |own| own.len),
                layout: own.map(|own| &own.layouts[usize::from(rows.1 != own.together)]),
            };
            for Stage { function, from, to, extent } in &self.stages {
                let x = from.map(|i| places[i].cast_const());
                // SAFETY: the builder checked the types. A place is written before it is read. It is not the place that
                // is written at the same time, nor a part of it: results and operands are different memory.
                unsafe { function.run(x, places[*to], of(*extent).1, &together) };
            }
            start += len;
        }
        let _ = WORKSPACE.try_with(|kept| kept.set(workspace));
    }
}

#[cfg(test)]
mod tests;
