//! The list of tensors that a variant can hold.

use super::sparse::Sparse;
use crate::array::{AddArrays, Array, Boxed, Dims, Variant, ask_for};
use crate::types::{DType, Result, Shape, TensorType, bail, err};

/// The most elements that a list can have: indices and lengths are int32.
const MOST: usize = i32::MAX as usize;

/// A list of tensors of one dtype: the value of a scalar variant. A changed list shares unchanged
/// parts with the original. A list with a single owner is changed in place.
#[derive(Clone)]
pub(crate) struct TensorList {
    pub(super) dtype: DType,
    /// The shape of all elements, as far as it is known.
    pub(super) shape: Shape,
    pub(super) len: usize,
    /// Elements that were never set are not here; they are zeros, if their shape is known.
    items: Sparse<Array>,
    /// The most elements it may have.
    pub(super) most: Option<usize>,
}

impl Boxed for TensorList {
    fn kind(&self) -> &'static str {
        "list of tensors"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let mut zeros = Self::new(self.dtype, self.shape.clone(), self.len)?;
        zeros.most = self.most;
        self.items.each(|i, item| {
            zeros.items.set(i, item.zeros_like()?);
            Ok(())
        })?;
        Ok(Variant::new(zeros))
    }

    /// Adds the elements that were set in both lists; an element that was set in one list only is
    /// taken from there.
    fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
        let Some(other) = other.downcast_ref::<Self>() else {
            bail!("a list of tensors and a {} have no sum", other.value().kind());
        };
        if self.len != other.len || self.dtype != other.dtype {
            bail!(
                "a list of {} {}s and one of {} {}s have no sum",
                self.len,
                self.dtype,
                other.len,
                other.dtype
            );
        }
        // Lists that no gradient passes, such as the sizes that a loop keeps, matter in the backward pass
        // only by their form.
        if !self.dtype.passes_gradient() {
            return Ok(Variant::new(self.clone()));
        }
        let mut sum = self.clone();
        sum.shape = self.known(&other.shape)?;
        other.items.each(|i, item| {
            let item = match self.items.get(i) {
                Some(own) => add(own, item)?,
                None => item.clone(),
            };
            sum.items.set(i, item);
            Ok(())
        })?;
        Ok(Variant::new(sum))
    }
}

impl TensorList {
    pub(super) fn new(dtype: DType, shape: Shape, len: usize) -> Result<Self> {
        let mut list = Self { dtype, shape, len: 0, items: Sparse::new(), most: None };
        list.resize(len)?;
        Ok(list)
    }

    /// The list in a scalar variant.
    pub(crate) fn of(array: &Array) -> Result<&Self> {
        let list = match array.as_variants()? {
            [variant] if array.rank() == 0 => variant.downcast_ref::<Self>(),
            _ => None,
        };
        list.ok_or_else(|| err!("the {} holds no list of tensors", array.tensor_type()))
    }

    /// Changes the list in a scalar variant, in place if it has a single owner. The effects of a change that
    /// fails are lost.
    pub(super) fn change<R>(
        mut array: Array,
        change: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<(Array, R)> {
        let own = match array.as_variants_mut() {
            Some([variant]) => variant.downcast_mut::<Self>(),
            _ => None,
        };
        if let Some(list) = own {
            let found = change(list)?;
            return Ok((array, found));
        }
        let mut list = Self::of(&array)?.clone();
        let found = change(&mut list)?;
        Ok((list.into_array()?, found))
    }

    /// A list of these elements.
    pub(in crate::ops) fn from_items(ty: &TensorType, items: Vec<Array>) -> Result<Array> {
        let mut list = Self::new(ty.dtype, ty.shape.clone(), 0)?;
        items.into_iter().try_for_each(|item| list.push(item))?;
        list.into_array()
    }

    pub(crate) fn into_array(self) -> Result<Array> {
        Array::from_variants(Dims::new(), vec![Variant::new(self)])
    }

    pub(crate) fn push(&mut self, item: Array) -> Result<()> {
        self.check(&item)?;
        self.resize(self.len + 1)?;
        self.items.set(self.len - 1, item);
        Ok(())
    }

    /// Adds the rows of a tensor, which have an axis less.
    pub(super) fn push_rows(&mut self, tensor: &Array) -> Result<()> {
        let count = tensor.dims().first().copied().unwrap_or_default();
        check_len(self.len.saturating_add(count))?;
        // Each row is an array, also one without elements.
        ask_for::<[u64; 32]>(count)?;
        rows(tensor)?.try_for_each(|row| self.push(row?))
    }

    /// Removes the last element; its shape must fit `asked`.
    pub(crate) fn pop(&mut self, asked: &Shape) -> Result<Array> {
        let Some(last) = self.len.checked_sub(1) else {
            bail!("an empty list has no last element")
        };
        let item = self.value(last, asked)?;
        self.resize(last)?;
        Ok(item)
    }

    /// Resizes the list: adds elements without a value, or drops the last ones.
    pub(super) fn resize(&mut self, len: usize) -> Result<()> {
        if let Some(most) = self.most.filter(|most| len > *most) {
            bail!("a list of at most {most} elements can't have {len}");
        }
        check_len(len)?;
        if len < self.len {
            self.items.truncate(len);
        }
        self.len = len;
        Ok(())
    }

    /// Sets an element; if `grows`, the list is extended as needed.
    pub(crate) fn set(&mut self, i: i64, item: Array, grows: bool) -> Result<()> {
        self.check(&item)?;
        if grows && let Some(len) = usize::try_from(i).ok().and_then(|i| i.checked_add(1)) {
            self.resize(len.max(self.len))?;
        }
        let place = self.place(i)?;
        self.items.set(place, item);
        Ok(())
    }

    /// The element; its shape must also fit `asked`.
    pub(crate) fn get(&self, i: i64, asked: &Shape) -> Result<Array> {
        self.value(self.place(i)?, asked)
    }

    fn value(&self, i: usize, asked: &Shape) -> Result<Array> {
        let item = self.items.get(i);
        // An element that was set already fits the list.
        if let Some(item) = item.filter(|item| has_shape(item, asked)) {
            return Ok(item.clone());
        }
        let known = self.known(asked)?;
        match (item, known.sizes()) {
            (Some(item), _) => {
                bail!("element {i} of the list has shape {}, not {known}", item.shape())
            }
            (None, Some(sizes)) => Array::zeros(self.dtype, &sizes[..]),
            (None, None) => Err(self.unset(i, &known)),
        }
    }

    /// The error of an element that has no value.
    #[cold]
    pub(super) fn unset(&self, i: usize, known: &Shape) -> crate::types::Error {
        err!(
            "element {i} of the list was never set, and its shape {known} is not known enough for zeros"
        )
    }

    /// The element, if it was set.
    pub(super) fn item(&self, i: usize) -> Option<&Array> {
        self.items.get(i)
    }

    /// The shape of the elements, as far as it is known, merged with the shape that is asked for.
    pub(super) fn known(&self, asked: &Shape) -> Result<Shape> {
        let merged = self.shape.merge(asked);
        merged.map_err(|_| err!("elements of shape {} are no {asked}", self.shape))
    }

    /// Like [`known`](Self::known), for elements of one shape: merged with the shape of the first
    /// that was set.
    pub(super) fn known_alike(&self, asked: &Shape) -> Result<Shape> {
        let known = self.known(asked)?;
        match self.items.first() {
            Some(first) if !known.is_fully_defined() => known.merge(&first.shape()),
            _ => Ok(known),
        }
    }

    pub(super) fn check(&self, item: &Array) -> Result<()> {
        if item.dtype() != self.dtype || !has_shape(item, &self.shape) {
            bail!("a list of {}{} takes no {}", self.dtype, self.shape, item.tensor_type());
        }
        Ok(())
    }

    /// The place of an index.
    pub(super) fn place(&self, i: i64) -> Result<usize> {
        let place = usize::try_from(i).ok().filter(|i| *i < self.len);
        place.ok_or_else(|| err!(OutOfRange, "index {i} in a list of {} elements", self.len))
    }
}

fn check_len(len: usize) -> Result<()> {
    if len > MOST {
        bail!(ResourceExhausted, "a list has at most {MOST} elements, not {len}");
    }
    Ok(())
}

/// True if the array has this shape.
pub(super) fn has_shape(item: &Array, shape: &Shape) -> bool {
    shape.dims().is_none_or(|dims| {
        dims.len() == item.rank()
            && dims.iter().zip(item.dims()).all(|(d, n)| d.size().is_none_or(|d| d == *n))
    })
}

/// The rows of a tensor along its first axis.
pub(super) fn rows(tensor: &Array) -> Result<impl Iterator<Item = Result<Array>>> {
    let Some((&n, dims)) = tensor.dims().split_first() else {
        bail!("a list is made of the rows of a tensor")
    };
    let run = if tensor.is_empty() { 0 } else { tensor.len() / n };
    Ok((0..n).map(move |i| tensor.view(i * run, dims)))
}
