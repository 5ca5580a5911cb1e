//! What a variant holds that is a list.

use rpds::HashTrieMapSync;
use rustc_hash::FxBuildHasher;

use crate::array::{AddArrays, Array, Boxed, Dims, Variant, vec_for};
use crate::types::{DType, Result, Shape, TensorType, bail, err};

/// A node of the map has so many children: what a change copies is that times the depth.
const DEGREE: u8 = 16;

/// A list of tensors of one dtype: the value of a scalar variant. A changed list shares with the one
/// it was made of whatever is the same.
#[derive(Clone)]
pub(in crate::ops) struct TensorList {
    pub(super) dtype: DType,
    /// What is known of the shapes of all elements.
    pub(super) shape: Shape,
    pub(super) len: usize,
    /// Elements that were never set are not here; they are zeros, if their shape is known.
    items: HashTrieMapSync<usize, Array, FxBuildHasher>,
    /// So many elements it may have.
    pub(super) most: Option<usize>,
}

impl Boxed for TensorList {
    fn kind(&self) -> &'static str {
        "list of tensors"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let mut zeros = Self::new(self.dtype, self.shape.clone(), self.len);
        zeros.most = self.most;
        for (i, item) in &self.items {
            zeros.items.insert_mut(*i, Array::zeros(self.dtype, item.dims())?);
        }
        Ok(Variant::new(zeros))
    }

    /// The sum of elements that were set in both; of one that was set in one only, that.
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
        // What no gradient passes, such as the sizes that a loop keeps, is in the way back by its form alone.
        if !self.dtype.is_differentiable() {
            return Ok(Variant::new(self.clone()));
        }
        let mut sum = self.clone();
        sum.shape = self.known(&other.shape)?;
        for (i, item) in &other.items {
            let item = match self.items.get(i) {
                Some(own) => add(own, item)?,
                None => item.clone(),
            };
            sum.items.insert_mut(*i, item);
        }
        Ok(Variant::new(sum))
    }
}

impl TensorList {
    pub(super) fn new(dtype: DType, shape: Shape, len: usize) -> Self {
        let items = HashTrieMapSync::new_with_hasher_and_degree_and_ptr_kind(FxBuildHasher, DEGREE);
        Self { dtype, shape, len, items, most: None }
    }

    /// The list in a scalar variant.
    pub(in crate::ops) fn of(array: &Array) -> Result<&Self> {
        let list = match array.as_variants()? {
            [variant] if array.rank() == 0 => variant.downcast_ref::<Self>(),
            _ => None,
        };
        list.ok_or_else(|| err!("the {} holds no list of tensors", array.tensor_type()))
    }

    /// A list of these elements.
    pub(in crate::ops) fn from_items(ty: &TensorType, items: Vec<Array>) -> Result<Array> {
        let mut list = Self::new(ty.dtype, ty.shape.clone(), 0);
        items.into_iter().try_for_each(|item| list.push(item))?;
        list.into_array()
    }

    pub(in crate::ops) fn into_array(self) -> Result<Array> {
        Array::from_variants(Dims::new(), vec![Variant::new(self)])
    }

    pub(super) fn push(&mut self, item: Array) -> Result<()> {
        self.check(&item)?;
        self.resize(self.len + 1)?;
        self.items.insert_mut(self.len - 1, item);
        Ok(())
    }

    /// Takes the last element off, which must fit `asked`.
    pub(super) fn pop(&mut self, asked: &Shape) -> Result<Array> {
        let Some(last) = self.len.checked_sub(1) else {
            bail!("an empty list has no last element")
        };
        let item = self.value(last, &self.known(asked)?)?;
        self.resize(last)?;
        Ok(item)
    }

    /// Makes it so long: elements without a value are added, or the last ones go.
    pub(super) fn resize(&mut self, len: usize) -> Result<()> {
        if let Some(most) = self.most.filter(|most| len > *most) {
            bail!("a list of at most {most} elements can't have {len}");
        }
        let beyond: Vec<usize> = match self.len - len.min(self.len) {
            0 => Vec::new(),
            1 => vec![len],
            _ => self.items.keys().copied().filter(|i| *i >= len).collect(),
        };
        for i in beyond {
            self.items.remove_mut(&i);
        }
        self.len = len;
        Ok(())
    }

    /// Sets an element; a list that `grows` gets as long as it must be.
    pub(super) fn set(&mut self, i: i64, item: Array, grows: bool) -> Result<()> {
        self.check(&item)?;
        if grows && let Some(len) = usize::try_from(i).ok().and_then(|i| i.checked_add(1)) {
            self.resize(len.max(self.len))?;
        }
        self.items.insert_mut(self.place(i)?, item);
        Ok(())
    }

    /// The element, which must fit `asked` too.
    pub(super) fn get(&self, i: i64, asked: &Shape) -> Result<Array> {
        self.value(self.place(i)?, &self.known(asked)?)
    }

    /// All elements, which must fit `asked` too.
    pub(super) fn values(&self, asked: &Shape) -> Result<Vec<Array>> {
        // All have the shape of those that are there, if that is not known otherwise.
        let mut known = self.known(asked)?;
        if !known.is_fully_defined()
            && let Some(first) = self.items.values().next()
        {
            known = known.merge(&first.shape())?;
        }
        let mut values = vec_for(self.len)?;
        for i in 0..self.len {
            values.push(self.value(i, &known)?);
        }
        Ok(values)
    }

    fn value(&self, i: usize, known: &Shape) -> Result<Array> {
        match (self.items.get(&i), known.sizes()) {
            (Some(item), _) if item.shape().is_compatible_with(known) => Ok(item.clone()),
            (Some(item), _) => {
                bail!("element {i} of the list has shape {}, not {known}", item.shape())
            }
            (None, Some(sizes)) => Array::zeros(self.dtype, &sizes[..]),
            (None, None) => bail!(
                "element {i} of the list was never set, and its shape {known} is not known enough for \
                 zeros"
            ),
        }
    }

    /// What is known of the shapes of elements with what is asked for.
    pub(super) fn known(&self, asked: &Shape) -> Result<Shape> {
        let merged = self.shape.merge(asked);
        merged.map_err(|_| err!("elements of shape {} are no {asked}", self.shape))
    }

    pub(super) fn check(&self, item: &Array) -> Result<()> {
        if item.dtype() != self.dtype || !item.shape().is_compatible_with(&self.shape) {
            bail!("a list of {}{} takes no {}", self.dtype, self.shape, item.tensor_type());
        }
        Ok(())
    }

    /// True if the element was set.
    pub(super) fn holds(&self, i: usize) -> bool {
        self.items.contains_key(&i)
    }

    fn place(&self, i: i64) -> Result<usize> {
        let place = usize::try_from(i).ok().filter(|i| *i < self.len);
        place.ok_or_else(|| err!(OutOfRange, "index {i} in a list of {} elements", self.len))
    }
}
