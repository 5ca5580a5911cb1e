//! The block of an array: its header and its small data in one allocation. It comes from a free list
//! of the thread, and goes back to the list of the thread that drops the last handle.
//!
//! The header is written in place; data is not cleared. A fresh block is zeroed once, and only
//! elements are stored into it from then on, so every byte behind the header stays initialized.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use super::buffer::{self, Buffer, RECYCLED};
use super::device::OnDevice;
use super::{Array, Element, Resource, Variant};
use crate::types::{DType, Error, Result, err};

/// The description of an array, at the start of its block. It is aligned for the data behind it.
#[repr(align(16))]
pub(super) struct Header {
    refs: AtomicUsize,
    /// The number of elements.
    pub(super) len: usize,
    /// The first element, for a dtype of fixed size; meaningless for other dtypes.
    pub(super) data: NonNull<u8>,
    pub(super) mark: u32,
    pub(super) dtype: DType,
    /// The dtype of the elements at `data`. It is not the array's if those lie in the memory of a device.
    pub(super) held: DType,
    class: u8,
    pub(super) sizes: Sizes,
    pub(super) owner: Owner,
}

/// The sizes of the dimensions; up to four are stored inline.
pub(super) enum Sizes {
    Few(u8, [usize; 4]),
    Many(Box<[usize]>),
}

impl Sizes {
    #[inline(always)]
    fn new(sizes: &[usize]) -> Self {
        let size = |i| sizes.get(i).copied().unwrap_or(0);
        match sizes.len() {
            rank @ 0..=4 => Self::Few(rank as u8, [size(0), size(1), size(2), size(3)]),
            _ => Self::Many(sizes.into()),
        }
    }
}

impl Header {
    #[inline]
    pub(super) fn dims(&self) -> &[usize] {
        match &self.sizes {
            Sizes::Few(rank, sizes) => &sizes[..usize::from(*rank)],
            Sizes::Many(sizes) => sizes,
        }
    }
}

impl Sizes {
    /// True if the sizes are equal. The few sizes that most arrays have need no function call.
    #[inline]
    pub(super) fn same(&self, other: &Sizes) -> bool {
        match (self, other) {
            (Sizes::Few(a, x), Sizes::Few(b, y)) => a == b && x == y,
            (Sizes::Many(x), Sizes::Many(y)) => x == y,
            _ => false,
        }
    }
}

/// The storage that holds the elements.
pub(super) enum Owner {
    /// The block itself, behind the header.
    Block,
    Buffer(#[expect(dead_code, reason = "held to be dropped")] Buffer),
    /// Another array, which is not a view; the view starts with its element `start`.
    View {
        base: Array,
        start: usize,
    },
    Strings(Vec<Vec<u8>>),
    Variants(Vec<Variant>),
    Resource(Arc<dyn Resource>),
    Device(Arc<OnDevice>),
}

/// The bytes for data in the blocks of each class.
const ROOM: [usize; 3] = [64, 256, RECYCLED];
/// The most free blocks of each class that a thread keeps.
const KEPT: u32 = 64;

const LAYOUTS: [Layout; 3] = [layout(0), layout(1), layout(2)];

const fn layout(class: usize) -> Layout {
    match Layout::from_size_align(size_of::<Header>() + ROOM[class], align_of::<Header>()) {
        Ok(layout) => layout,
        Err(_) => panic!("the sizes are small"),
    }
}

/// Free blocks of one class, each of which holds the address of the next.
struct List {
    first: Cell<Option<NonNull<Header>>>,
    /// The number of blocks that it still takes; none until the thread's end is being watched.
    room: Cell<u32>,
}

/// The thread-local data of arrays. Nothing here is dropped, so it can be used until the thread
/// ends, and reading it costs no check.
struct Local {
    lists: [List; 3],
    watched: Cell<bool>,
    mark: Cell<u32>,
}

thread_local! {
    static LOCAL: Local = const {
        Local {
            lists: [const { List { first: Cell::new(None), room: Cell::new(0) } }; 3],
            watched: Cell::new(false),
            mark: Cell::new(0),
        }
    };
    static END: End = const { End };
}

/// Empties the lists when the thread ends; blocks that are freed later are given back at once.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        LOCAL.with(|local| local.watched.set(false));
        empty_lists();
    }
}

/// Gives back the free blocks of this thread.
pub(super) fn empty_lists() {
    LOCAL.with(|local| {
        let room = if local.watched.get() { KEPT } else { 0 };
        for (class, list) in local.lists.iter().enumerate() {
            list.room.set(room);
            let mut next = list.first.take();
            while let Some(block) = next {
                // SAFETY: a listed block holds the address of the next, belongs to the list, and
                // was allocated for its class.
                unsafe {
                    next = block.cast().read();
                    dealloc(block.as_ptr().cast(), LAYOUTS[class]);
                }
            }
        }
    });
}

/// Sets the mark of the arrays that this thread makes from now on: see [`Array::mark`].
pub(crate) fn mark_new_arrays(mark: u32) {
    LOCAL.with(|local| local.mark.set(mark));
}

/// A block whose header is not written yet, and the mark for it.
#[inline]
fn take(class: usize) -> Option<(NonNull<Header>, u32)> {
    LOCAL.with(|local| {
        let list = &local.lists[class];
        let block = match list.first.get() {
            Some(block) => {
                // SAFETY: a listed block holds the address of the next.
                list.first.set(unsafe { block.cast().read() });
                list.room.set(list.room.get() + 1);
                block
            }
            None => fresh(class)?,
        };
        Some((block, local.mark.get()))
    })
}

#[cold]
fn fresh(class: usize) -> Option<NonNull<Header>> {
    // SAFETY: the layout has a size above zero.
    let allocate = || NonNull::new(unsafe { alloc_zeroed(LAYOUTS[class]) }.cast());
    allocate().or_else(|| {
        buffer::give_back();
        allocate()
    })
}

/// Takes back a block whose header was dropped.
///
/// # Safety
/// The block came from [`take`] for this class, and nothing uses it any more.
#[inline]
unsafe fn give(block: NonNull<Header>, class: usize) {
    LOCAL.with(|local| {
        let list = &local.lists[class];
        let room = list.room.get();
        if room == 0 || buffer::keeps_nothing() {
            // SAFETY: as this function requires.
            return unsafe { give_back(block, class) };
        }
        // SAFETY: the block is larger than an address and aligned for it, and free.
        unsafe { block.cast().write(list.first.get()) };
        list.first.set(Some(block));
        list.room.set(room - 1);
    });
}

/// Takes back a block that the list has no room for: the list is full, nothing is kept, or the block
/// is the first of this thread.
///
/// # Safety
/// As [`give`].
#[inline(never)]
unsafe fn give_back(block: NonNull<Header>, class: usize) {
    let watch = LOCAL.with(|local| {
        let watch =
            !local.watched.get() && !buffer::keeps_nothing() && END.try_with(|_| ()).is_ok();
        if watch {
            local.watched.set(true);
            local.lists.iter().for_each(|list| list.room.set(KEPT));
        }
        watch
    });
    // SAFETY: as this function requires; every block of a class has the layout of the class.
    unsafe {
        match watch {
            true => give(block, class),
            false => dealloc(block.as_ptr().cast(), LAYOUTS[class]),
        }
    }
}

/// An array that is not shared yet.
pub(super) struct Draft(Array);

impl Draft {
    /// An array of plain elements with memory for them: initialized, with arbitrary content. The
    /// sizes, the length and the bytes must belong together.
    ///
    /// # Errors
    /// `ResourceExhausted` if there is no memory.
    #[inline]
    pub(super) fn new(dtype: DType, dims: &[usize], len: usize, bytes: usize) -> Result<Draft> {
        if bytes >= RECYCLED {
            return Self::large(dtype, dims, len, bytes);
        }
        let class = usize::from(bytes > ROOM[0]) + usize::from(bytes > ROOM[1]);
        Self::small(dtype, dims, len, class).ok_or_else(|| no_memory(bytes))
    }

    /// An array whose elements lie in a block of this class.
    #[inline]
    fn small(dtype: DType, dims: &[usize], len: usize, class: usize) -> Option<Draft> {
        let (block, mark) = take(class)?;
        // SAFETY: behind the header there is room for the data.
        let data = unsafe { block.add(1).cast() };
        let (refs, sizes) = (AtomicUsize::new(1), Sizes::new(dims));
        let (class, owner, held) = (class as u8, Owner::Block, dtype);
        // SAFETY: a block is larger than its header and aligned for it, and it is ours.
        unsafe {
            block.write(Header { refs, len, data, mark, dtype, held, class, sizes, owner });
        }
        Some(Draft(Array(block)))
    }

    fn large(dtype: DType, dims: &[usize], len: usize, bytes: usize) -> Result<Draft> {
        let buffer = Buffer::new(bytes)?;
        let data = buffer.as_ptr();
        Self::over(dtype, dims, len, Owner::Buffer(buffer), Some(data))
    }

    /// An array whose elements lie in `owner`; plain elements begin at `data`.
    ///
    /// # Errors
    /// `ResourceExhausted` if there is no memory for the block.
    pub(super) fn over(
        dtype: DType,
        dims: &[usize],
        len: usize,
        owner: Owner,
        data: Option<NonNull<u8>>,
    ) -> Result<Draft> {
        let mut draft = Self::small(dtype, dims, len, 0).ok_or_else(|| no_memory(ROOM[0]))?;
        draft.lay_over(owner, data);
        Ok(draft)
    }

    fn lay_over(&mut self, owner: Owner, data: Option<NonNull<u8>>) {
        let header = self.0.unique().expect("a draft is not shared");
        if let Owner::Device(_) = owner {
            // No element of an array that is read has this dtype.
            header.held = DType::Resource;
        }
        header.owner = owner;
        header.data = data.unwrap_or(header.data);
    }

    /// The rank-0 array of a value. Ends the process if there is no memory for a block.
    #[inline]
    pub(super) fn scalar(dtype: DType, bytes: &[u8]) -> Draft {
        let draft = Self::small(dtype, &[], 1, 0);
        let mut draft = draft.unwrap_or_else(|| handle_alloc_error(LAYOUTS[0]));
        draft.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
        draft
    }

    /// The handle of a resource. Ends the process if there is no memory for a block.
    pub(super) fn handle(resource: Arc<dyn Resource>) -> Draft {
        let draft = Self::small(DType::Resource, &[], 1, 0);
        let mut draft = draft.unwrap_or_else(|| handle_alloc_error(LAYOUTS[0]));
        draft.lay_over(Owner::Resource(resource), None);
        draft
    }

    pub(super) fn dtype(&self) -> DType {
        self.0.header().dtype
    }

    /// The bytes of the elements.
    #[inline]
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        let header = self.0.header();
        let bytes = header.len * header.dtype.size().unwrap_or(0);
        // SAFETY: the storage has that many bytes, which are initialized, and nobody shares it.
        unsafe { std::slice::from_raw_parts_mut(header.data.as_ptr(), bytes) }
    }

    /// The elements as words of their size.
    ///
    /// # Safety
    /// The words have the size of the elements.
    #[inline]
    pub(super) unsafe fn words_mut<W: Element>(&mut self) -> &mut [MaybeUninit<W>] {
        const { assert!(align_of::<W>() <= align_of::<Header>()) }
        let header = self.0.header();
        debug_assert_eq!(header.dtype.size(), Some(size_of::<W>()));
        // SAFETY: the storage has `len` words, is aligned to 16 or to the size of a word, and nobody shares it.
        unsafe { std::slice::from_raw_parts_mut(header.data.as_ptr().cast(), header.len) }
    }

    /// The same memory as elements of another dtype of the same size.
    ///
    /// # Panics
    /// If the size differs.
    pub(super) fn relabel(&mut self, dtype: DType) {
        let header = self.0.unique().expect("a draft is not shared");
        assert!(header.dtype.size() == dtype.size());
        (header.dtype, header.held) = (dtype, dtype);
    }

    /// The array.
    ///
    /// # Safety
    /// The elements are valid: those of bool arrays are 0 or 1.
    #[inline]
    pub(super) unsafe fn finish(self) -> Array {
        self.0
    }
}

impl Array {
    #[inline(always)]
    pub(super) fn header(&self) -> &Header {
        // SAFETY: the block lives as long as its handles; nothing but the count changes while
        // there are two.
        unsafe { self.0.as_ref() }
    }

    /// The header, if this is the only handle of the array.
    #[inline]
    pub(super) fn unique(&mut self) -> Option<&mut Header> {
        // Acquire: everything that former holders did has happened.
        if self.header().refs.load(Ordering::Acquire) != 1 {
            return None;
        }
        // SAFETY: this is the only handle, and it is borrowed mutably.
        Some(unsafe { self.0.as_mut() })
    }

    /// True if nothing else holds this array or, by a view, its storage, and the storage may be reused: that of a
    /// resource or a device may not. The answer may change if other threads hold a reference to this very handle.
    ///
    /// ```
    /// use extype::array::Array;
    /// let x = Array::from_slice([1000], &[1.5f32; 1000])?;
    /// assert!(x.is_unique());
    /// let half = x.view(0, [500])?;
    /// assert!(!x.is_unique() && !half.is_unique());
    /// drop(x);
    /// assert!(half.is_unique());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn is_unique(&self) -> bool {
        let alone = |a: &Array| a.header().refs.load(Ordering::Acquire) == 1;
        alone(self)
            && match &self.header().owner {
                Owner::View { base, .. } => alone(base),
                Owner::Resource(_) | Owner::Device(_) => false,
                _ => true,
            }
    }

    /// Moves the array's storage to a new header, if it is not shared, is aligned, and does not lie in the block.
    /// The number of bytes must be the same.
    pub(super) fn take_storage(
        mut self,
        dtype: DType,
        dims: &[usize],
        len: usize,
    ) -> std::result::Result<Draft, Array> {
        let is_large = matches!(self.header().owner, Owner::Buffer(_) | Owner::View { .. });
        // A view may be aligned for its own elements only.
        let data = self.header().data;
        let fits = dtype.size() == self.dtype().size() || data.addr().get().is_multiple_of(16);
        if !is_large || !fits || !self.is_unique() {
            return Err(self);
        }
        let Some(mut draft) = Draft::small(dtype, dims, len, 0) else { return Err(self) };
        if let Some(old) = self.unique() {
            old.len = 0;
            let owner = std::mem::replace(&mut old.owner, Owner::Block);
            draft.lay_over(owner, Some(data));
        }
        Ok(draft)
    }
}

// SAFETY: a handle is a counted reference to a header that is not changed while it is shared,
// and to storage that may be sent and shared.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

impl Clone for Array {
    #[inline]
    fn clone(&self) -> Self {
        // Relaxed: the block is alive while this handle is.
        if self.header().refs.fetch_add(1, Ordering::Relaxed) > isize::MAX as usize {
            // So many leaked handles could make the count wrap.
            std::process::abort();
        }
        Self(self.0)
    }
}

impl Drop for Array {
    #[inline]
    fn drop(&mut self) {
        let refs = &self.header().refs;
        // The last handle can't be cloned by anything else, so it need not count down.
        if refs.load(Ordering::Acquire) != 1 {
            if refs.fetch_sub(1, Ordering::Release) != 1 {
                return;
            }
            fence(Ordering::Acquire);
        }
        // SAFETY: that was the last handle.
        unsafe { release(self.0) }
    }
}

/// # Safety
/// No handle of the block is left.
#[inline(never)]
unsafe fn release(block: NonNull<Header>) {
    // SAFETY: the header is valid until it is dropped here, once; then the block is free.
    unsafe {
        let header = block.as_ref();
        let class = usize::from(header.class);
        // Most headers hold nothing that must be dropped.
        if !matches!((&header.owner, &header.sizes), (Owner::Block, Sizes::Few(..))) {
            block.drop_in_place();
        }
        give(block, class);
    }
}

#[cold]
fn no_memory(bytes: usize) -> Error {
    err!(ResourceExhausted, "no memory for {bytes} bytes")
}
