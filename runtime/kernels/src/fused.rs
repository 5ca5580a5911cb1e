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
use core::mem::MaybeUninit;

use crate::broadcast::{Broadcast, Run};
use crate::element::Element;
use crate::elementwise::GATHERED;
use crate::par::Par;
use crate::reduce::ReduceLayout;
use crate::stream::{self, PastCache};

mod builder;
mod function;

pub use builder::{Builder, Cover, Extent, Value};
pub use function::BlockFn;
use function::{Block, Pairs, repeat};

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

/// Functions that run one after the other on each block: see the [module](self).
pub struct Chain {
    stages: Vec<Stage>,
    inputs: Vec<InputType>,
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
    pairs: Pairs,
    to: usize,
    extent: Extent,
}

/// The bytes that a block of each value takes together: as much as a small first-level cache.
const WORKING_SET: usize = 32 << 10;
/// Shorter blocks spend their time on the calls.
const LEAST_BLOCK: usize = 128;
/// The functions of tables split longer slices into blocks themselves.
const MOST_BLOCK: usize = GATHERED;
/// The alignment of buffers, and the largest size of an element.
const ALIGN: usize = 64;

/// What a chain knows of an input.
#[derive(Debug)]
struct InputType {
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

impl InputType {
    /// True if these are elements for so many places or rows.
    fn fits(&self, x: &Input<'_>, len: usize) -> bool {
        let covers = match &self.cover {
            Cover::Each => x.len == len,
            Cover::One => x.len == 1,
            Cover::Along(plan) => plan.len() == len && plan.0.operand_lens() == [len, x.len],
        };
        covers && self.ty == x.ty
    }

    /// The number of places or rows after which repeated elements start again.
    fn period(&self) -> Option<usize> {
        match &self.cover {
            Cover::Along(plan) => Some(plan.0.period(1)),
            Cover::Each | Cover::One => None,
        }
    }
}

/// The memory for a result.
pub struct Output<'a> {
    data: *mut u8,
    bytes: usize,
    /// For results that are written past the cache.
    past_cache: Option<PastCache>,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: it stands for a `&mut [u8]`.
unsafe impl Send for Output<'_> {}
// SAFETY: likewise; only the chain writes there, each part by one thread.
unsafe impl Sync for Output<'_> {}

impl<'a> Output<'a> {
    /// The bytes of elements.
    pub fn bytes(out: &'a mut [u8]) -> Self {
        let past_cache = stream::pays(out.len());
        Self { data: out.as_mut_ptr(), bytes: out.len(), past_cache, memory: PhantomData }
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
        let fit = |(x, operand): (&Input<'_>, &InputType)| {
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
        // Behind the buffers of the intermediate values are those of operands whose elements don't lie as they are used,
        // and of results that are written past the cache.
        let kept = self.buffers + inputs.len() + outputs.len();
        let wanted = kept.checked_mul(bytes).expect("memory for buffers") / ALIGN;
        if lines.len() < wanted {
            lines.resize(wanted, Line([MaybeUninit::uninit(); ALIGN]));
        }
        let memory = lines.as_mut_ptr().cast::<u8>();
        let buffer = |i: usize| memory.wrapping_add(i * bytes);
        places.clear();
        places.resize(inputs.len() + outputs.len(), core::ptr::null_mut());
        places.extend((0..self.buffers).map(buffer));
        let own = self.rows.as_ref();
        let is_beyond_cache = |(x, operand): &(&Input<'_>, &InputType)| {
            matches!(operand.cover, Cover::Each) && stream::is_beyond_cache(x.len * x.ty.size())
        };
        let is_large = inputs.iter().zip(&self.inputs).any(|x| is_beyond_cache(&x));

        let mut start = from;
        while start < to {
            let len = block.min(to - start);
            let rows = (self.within(start, Extent::Row), self.within(len, Extent::Row));
            let of = |extent: Extent| if extent == Extent::Row { rows } else { (start, len) };
            for (i, (x, operand)) in inputs.iter().zip(&self.inputs).enumerate() {
                let (at, n) = of(operand.extent);
                let buffer = buffer(self.buffers + i);
                // True if the elements are those of the block before.
                let is_same = |period: usize| {
                    let block = self.within(block, operand.extent);
                    start > from && [at, block].iter().all(|n| n.is_multiple_of(period))
                };
                match &operand.cover {
                    Cover::Each => places[i] = x.at(at).cast_mut(),
                    Cover::One if start > from => {}
                    Cover::One => {
                        // SAFETY: the buffer has room for a block and belongs to this operand.
                        unsafe { repeat(x.data, buffer, n, x.ty.size()) };
                        places[i] = buffer;
                    }
                    Cover::Along(plan) if is_same(plan.0.period(1)) => {}
                    // SAFETY: likewise; the operand fits the plan.
                    Cover::Along(plan) => places[i] = unsafe { x.gather(plan, at, n, buffer) },
                }
            }
            for (i, (out, (ty, extent))) in outputs.iter().zip(&self.outputs).enumerate() {
                places[inputs.len() + i] = match out.past_cache {
                    Some(_) => buffer(self.buffers + inputs.len() + i),
                    None => out.data.wrapping_add(of(*extent).0 * ty.size()),
                };
            }
            let together = Block {
                len,
                rows: rows.1,
                row_len: own.map_or(1, |own| own.len),
                layout: own.map(|own| &own.layouts[usize::from(rows.1 != own.together)]),
            };
            for (i, stage) in self.stages.iter().enumerate() {
                let Stage { function, from, pairs, to, extent } = stage;
                for x in inputs.iter().zip(&self.inputs).filter(|x| is_large && is_beyond_cache(x))
                {
                    // A part of the next block is read from memory while this one is computed.
                    let (at, n) = of(x.1.extent);
                    let next = (x.0.len - at - n).min(n);
                    let part = |i: usize| next * i / self.stages.len();
                    let bytes = (part(i + 1) - part(i)) * x.0.ty.size();
                    stream::prefetch(x.0.at(at + n + part(i)), bytes);
                }
                let x = from.map(|i| places[i].cast_const());
                // SAFETY: the builder checked the types. A place is written before it is read. It is not the place that
                // is written at the same time, nor a part of it: results and operands are different memory.
                unsafe { function.run(x, *pairs, places[*to], of(*extent).1, &together) };
            }
            for (i, (out, (ty, extent))) in outputs.iter().zip(&self.outputs).enumerate() {
                if let Some(past_cache) = out.past_cache {
                    let (at, n) = of(*extent);
                    let (block, size) = (places[inputs.len() + i], ty.size());
                    // SAFETY: all of the block was written, to its buffer, and these are its bytes of the result.
                    unsafe {
                        past_cache.copy(block, out.data.wrapping_add(at * size), n * size);
                    }
                }
            }
            start += len;
        }
        if let Some(past_cache) = outputs.iter().find_map(|out| out.past_cache) {
            past_cache.finish();
        }
        let _ = WORKSPACE.try_with(|kept| kept.set(workspace));
    }
}

#[cfg(test)]
mod tests;
