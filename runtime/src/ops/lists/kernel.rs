//! Kernels: lists of tensors in variants.

use std::mem::MaybeUninit;

use super::list::{TensorList, has_shape, rows};
use super::{
    EmptyTensorList, TensorListConcat, TensorListElementShape, TensorListGather, TensorListGetItem,
    TensorListPopBack, TensorListReserve, TensorListSetItem, TensorListStack,
};
use crate::array::{Array, Dims, Variant, extent, vec_for};
use crate::ir::{Attrs, KernelContext, Outputs, only};
use crate::ops::rules::moves::{Move, Moved, moved};
use crate::ops::{NamedOp, SplitSizes};
use crate::types::{DType, Result, Shape, bail, err};

/// The shape in an input: -1 is an unknown size, a scalar -1 an unknown shape.
fn shape(c: &KernelContext<'_>, i: usize) -> Result<Shape> {
    let sizes = c.input(i);
    super::infer::shape(&sizes.to_i64s()?, sizes.rank())
}

fn scalar(c: &KernelContext<'_>, i: usize) -> Result<i64> {
    match c.input(i).to_i64s()?[..] {
        [n] if c.input(i).rank() == 0 => Ok(n),
        _ => bail!("input {i} is a scalar, not of shape {}", c.input(i).shape()),
    }
}

fn length(n: i64) -> Result<usize> {
    usize::try_from(n).map_err(|_| err!("a list can't have {n} elements"))
}

fn one(list: TensorList) -> Result<Outputs> {
    Ok([list.into_array()?].into())
}

/// The list in an array after a change.
fn changed(list: Array, change: impl FnOnce(&mut TensorList) -> Result<()>) -> Result<Outputs> {
    Ok([TensorList::change(list, change)?.0].into())
}

pub(super) fn empty(c: &KernelContext<'_>) -> Result<Outputs> {
    let mut list = TensorList::new(c.get(EmptyTensorList::DTYPE)?, shape(c, 0)?, 0)?;
    let most = scalar(c, 1)?;
    list.most = usize::try_from(most).ok();
    one(list)
}

pub(super) fn reserve(c: &KernelContext<'_>) -> Result<Outputs> {
    let len = length(scalar(c, 1)?)?;
    one(TensorList::new(c.get(TensorListReserve::DTYPE)?, shape(c, 0)?, len)?)
}

pub(super) fn from_tensor(c: &KernelContext<'_>) -> Result<Outputs> {
    let (tensor, asked) = (c.input(0), shape(c, 1)?);
    let mut list = TensorList::new(tensor.dtype(), asked, 0)?;
    list.shape = list.known(&Shape::from(tensor.dims().get(1..).unwrap_or_default()))?;
    list.push_rows(tensor)?;
    one(list)
}

pub(super) fn len(c: &KernelContext<'_>) -> Result<Outputs> {
    let len = TensorList::of(c.input(0))?.len;
    let len = i32::try_from(len).map_err(|_| err!("{len} elements are too many for int32"))?;
    Ok([Array::scalar(len)].into())
}

pub(super) fn element_shape(c: &KernelContext<'_>) -> Result<Outputs> {
    let sizes = match TensorList::of(c.input(0))?.shape.dims() {
        Some(dims) => Array::from_i64s(&dims.iter().map(|d| d.to_i64()).collect::<Vec<i64>>()),
        None => Array::scalar(-1i64),
    };
    Ok([sizes.fitted(c.get(TensorListElementShape::DTYPE)?)?].into())
}

pub(super) fn push_back(list: Array, c: &KernelContext<'_>) -> Result<Outputs> {
    changed(list, |list| list.push(c.input(0).clone()))
}

pub(super) fn pop_back(list: Array, c: &KernelContext<'_>) -> Result<Outputs> {
    let (dtype, asked) = (c.get(TensorListPopBack::DTYPE)?, shape(c, 0)?);
    let (list, item) = TensorList::change(list, |list| {
        is_of(list, dtype)?;
        list.pop(&asked)
    })?;
    Ok([list, item].into_iter().collect())
}

pub(super) fn get_item(c: &KernelContext<'_>) -> Result<Outputs> {
    let list = of_dtype(c, c.get(TensorListGetItem::DTYPE)?)?;
    Ok([list.get(scalar(c, 1)?, &shape(c, 2)?)?].into())
}

pub(super) fn set_item(list: Array, c: &KernelContext<'_>) -> Result<Outputs> {
    let (i, grows) = (scalar(c, 0)?, c.get(TensorListSetItem::GROWS)?);
    changed(list, |list| list.set(i, c.input(1).clone(), grows))
}

pub(super) fn resize(list: Array, c: &KernelContext<'_>) -> Result<Outputs> {
    let len = length(scalar(c, 0)?)?;
    changed(list, |list| list.resize(len))
}

fn is_of(list: &TensorList, dtype: DType) -> Result<()> {
    match list.dtype == dtype {
        true => Ok(()),
        false => bail!("the list is of {}, not {dtype}", list.dtype),
    }
}

/// The list of the first input; its elements must have this dtype.
fn of_dtype<'a>(c: &KernelContext<'a>, dtype: DType) -> Result<&'a TensorList> {
    let list = TensorList::of(c.inputs[0])?;
    is_of(list, dtype)?;
    Ok(list)
}

/// Elements of a list one after the other.
struct Pieces<'a> {
    /// For each element of the list, the index of its array in `arrays` if it was set, and how many
    /// elements that array has, or the zeros in its place.
    pieces: Vec<(Option<usize>, usize)>,
    arrays: Vec<&'a Array>,
}

impl<'a> Pieces<'a> {
    fn new(count: usize) -> Result<Self> {
        Ok(Self { pieces: vec_for(count)?, arrays: vec_for(count)? })
    }

    fn push(&mut self, item: Option<&'a Array>, run: usize) {
        let at = item.map(|item| {
            self.arrays.push(item);
            self.arrays.len() - 1
        });
        self.pieces.push((at, run));
    }

    fn joined(&self, c: &KernelContext<'_>, dtype: DType, dims: Dims) -> Result<Array> {
        match (dtype, &self.arrays[..]) {
            (_, []) => Array::zeros(dtype, dims),
            (DType::Variant, arrays) => {
                let mut all = vec_for(extent(&dims))?;
                for (at, run) in &self.pieces {
                    match at {
                        Some(at) => all.extend_from_slice(arrays[*at].as_variants()?),
                        None => all.extend(std::iter::repeat_n(Variant::nothing(), *run)),
                    }
                }
                Array::from_variants(dims, all)
            }
            (_, arrays) => only(moved(c, arrays, dims, self)?),
        }
    }
}

impl Move for Pieces<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], mut out: &mut [MaybeUninit<T>]) -> Result<()> {
        for (at, run) in &self.pieces {
            let (piece, rest) = out.split_at_mut(*run);
            match at {
                Some(at) => {
                    for (out, x) in piece.iter_mut().zip(sources[*at]) {
                        out.write(*x);
                    }
                }
                // Zero is all bits zero for every number and false for bools.
                None => piece.iter_mut().for_each(|out| {
                    out.write(T::default());
                }),
            }
            out = rest;
        }
        Ok(())
    }
}

/// Elements as the rows of a tensor.
fn stacked(
    c: &KernelContext<'_>,
    list: &TensorList,
    places: impl ExactSizeIterator<Item = Result<usize>>,
    asked: &Shape,
) -> Result<Outputs> {
    let (known, count) = (list.known_alike(asked)?, places.len());
    let sizes = known.sizes();
    let run = sizes.as_deref().map_or(0, extent);
    let mut pieces = Pieces::new(count)?;
    for place in places {
        let place = place?;
        let item = list.item(place);
        match item {
            Some(item) if has_shape(item, &known) => {}
            Some(item) => {
                bail!("element {place} of the list has shape {}, not {known}", item.shape())
            }
            None if sizes.is_none() => return Err(list.unset(place, &known)),
            None => {}
        }
        pieces.push(item, run);
    }
    let Some(sizes) = sizes else {
        bail!("an empty list is no tensor: the shape {known} of its elements is not known");
    };
    let dims: Dims = std::iter::once(count).chain(sizes).collect();
    Ok([pieces.joined(c, list.dtype, dims)?].into())
}

pub(super) fn stack(c: &KernelContext<'_>) -> Result<Outputs> {
    let (list, asked) = (of_dtype(c, c.get(TensorListStack::DTYPE)?)?, shape(c, 1)?);
    let wanted = c.get(TensorListStack::NUM_ELEMENTS)?;
    if usize::try_from(wanted).is_ok_and(|wanted| wanted != list.len) {
        bail!("a list of {wanted} elements is wanted, this one has {}", list.len);
    }
    stacked(c, list, (0..list.len).map(Ok), &asked)
}

pub(super) fn gather(c: &KernelContext<'_>) -> Result<Outputs> {
    let (list, asked) = (of_dtype(c, c.get(TensorListGather::DTYPE)?)?, shape(c, 2)?);
    let indices = c.input(1).to_i64s()?;
    stacked(c, list, indices.iter().map(|i| list.place(*i)), &asked)
}

/// Sets rows of a tensor at indices.
fn scatter(list: &mut TensorList, tensor: &Array, indices: &Array) -> Result<()> {
    if indices.dims().len() != 1 {
        bail!("the indices are a vector, not {}", indices.tensor_type());
    }
    let indices = indices.to_i64s()?;
    if tensor.dims().first() != Some(&indices.len()) {
        bail!("{} indices for the rows of {}", indices.len(), tensor.tensor_type());
    }
    // Checked even without rows: their gradient would otherwise have a shape that no element has.
    list.known(&Shape::from(&tensor.dims()[1..]))?;
    for (i, row) in indices.iter().zip(rows(tensor)?) {
        list.set(*i, row?, true)?;
    }
    Ok(())
}

pub(super) fn scatter_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    let (tensor, len) = (c.input(0), scalar(c, 3)?);
    let mut list = TensorList::new(tensor.dtype(), shape(c, 2)?, 0)?;
    if len >= 0 {
        list.resize(length(len)?)?;
    }
    scatter(&mut list, tensor, c.input(1))?;
    one(list)
}

pub(super) fn scatter_into(list: Array, c: &KernelContext<'_>) -> Result<Outputs> {
    changed(list, |list| scatter(list, c.input(0), c.input(1)))
}

pub(super) fn concat(c: &KernelContext<'_>) -> Result<Outputs> {
    let list = of_dtype(c, c.get(TensorListConcat::DTYPE)?)?;
    let (known, leading) = (list.known(&shape(c, 1)?)?, c.input(2).to_i64s()?);
    let behind = |shape: &Shape| match shape.dims() {
        None => Ok(Shape::unknown()),
        Some([_, rest @ ..]) => Ok(rest.iter().copied().collect::<Shape>()),
        Some([]) => bail!("scalars have no axis along which they could follow each other"),
    };
    let mut rest = behind(&known)?;
    for i in 0..list.len {
        if let Some(item) = list.item(i) {
            let own = behind(&item.shape())?;
            rest = rest.merge(&own).map_err(|_| {
                err!(
                    "element {i} of the list has shape {}, others [?, …] with {rest} behind",
                    item.shape()
                )
            })?;
        }
    }
    let sizes = rest.sizes();
    let run = sizes.as_deref().map_or(0, extent);
    let (mut pieces, mut lengths) = (Pieces::new(list.len)?, vec_for::<i64>(list.len)?);
    let mut total = 0usize;
    for i in 0..list.len {
        let item = list.item(i);
        let size = match (item, leading.get(i), known.dims()) {
            (Some(item), ..) if has_shape(item, &known) => item.dims()[0],
            (Some(item), ..) => {
                bail!("element {i} of the list has shape {}, not {known}", item.shape())
            }
            // An element that was never set has the size given for it.
            (None, Some(n), _) if sizes.is_some() => length(*n)?,
            (None, None, Some([first, ..])) if sizes.is_some() && first.is_known() => {
                first.size().unwrap_or_default()
            }
            _ => return Err(list.unset(i, &known)),
        };
        total = total.checked_add(size).ok_or_else(|| err!(ResourceExhausted, "too many rows"))?;
        lengths.push(i64::try_from(size).unwrap_or(i64::MAX));
        pieces.push(item, size.saturating_mul(run));
    }
    let Some(sizes) = sizes else {
        bail!("an empty list is no tensor: the shape {known} of its elements is not known")
    };
    let dims: Dims = std::iter::once(total).chain(sizes).collect();
    let tensor = pieces.joined(c, list.dtype, dims)?;
    Ok([tensor, Array::from_slice([lengths.len()], &lengths)?].into_iter().collect())
}

pub(super) fn split(c: &KernelContext<'_>) -> Result<Outputs> {
    let (tensor, asked, lengths) = (c.input(0), shape(c, 1)?, c.input(2));
    let mut list = TensorList::new(tensor.dtype(), asked, 0)?;
    let num_split = lengths.len() as i64;
    let attrs = Attrs::new().with(SplitSizes::NUM_SPLIT, &num_split);
    for part in SplitSizes::DEF.run(&[tensor, lengths, &Array::scalar(0i32)], &attrs)? {
        list.push(part)?;
    }
    one(list)
}
