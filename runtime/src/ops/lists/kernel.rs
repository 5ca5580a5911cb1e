//! Kernels: lists of tensors in variants.

use super::list::TensorList;
use super::{
    EmptyTensorList, TensorListConcat, TensorListElementShape, TensorListGather, TensorListGetItem,
    TensorListPopBack, TensorListReserve, TensorListSetItem, TensorListStack,
};
use crate::array::Array;
use crate::op::{Attrs, KernelContext, Outputs, only};
use crate::ops::ordering::kernel::cast;
use crate::ops::{Concat, NamedOp, Op, SplitSizes, Stack, Unstack};
use crate::types::{DType, Result, Shape, bail, err};

type Context<'a> = KernelContext<'a>;

/// The shape in an input: -1 for what is not known, a scalar -1 for all of it.
fn shape(c: &Context<'_>, i: usize) -> Result<Shape> {
    let sizes = c.input(i);
    super::infer::shape(&sizes.to_i64s()?, sizes.rank())
}

fn scalar(c: &Context<'_>, i: usize) -> Result<i64> {
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

pub(super) fn empty(c: &Context<'_>) -> Result<Outputs> {
    let mut list = TensorList::new(c.get(EmptyTensorList::DTYPE)?, shape(c, 0)?, 0);
    let most = scalar(c, 1)?;
    list.most = usize::try_from(most).ok();
    one(list)
}

pub(super) fn reserve(c: &Context<'_>) -> Result<Outputs> {
    let len = length(scalar(c, 1)?)?;
    one(TensorList::new(c.get(TensorListReserve::DTYPE)?, shape(c, 0)?, len))
}

pub(super) fn from_tensor(c: &Context<'_>) -> Result<Outputs> {
    let (tensor, asked) = (c.input(0), shape(c, 1)?);
    let Some(&n) = tensor.dims().first() else { bail!("a list is made of the rows of a tensor") };
    let mut list = TensorList::new(tensor.dtype(), asked, 0);
    list.shape = list.known(&Shape::from(&tensor.dims()[1..]))?;
    for row in (Unstack { num: n as i64, axis: 0 }).compute(&[tensor])? {
        list.push(row)?;
    }
    one(list)
}

pub(super) fn len(c: &Context<'_>) -> Result<Outputs> {
    let len = TensorList::of(c.input(0))?.len;
    let len = i32::try_from(len).map_err(|_| err!("{len} elements are too many for int32"))?;
    Ok([Array::scalar(len)].into())
}

pub(super) fn element_shape(c: &Context<'_>) -> Result<Outputs> {
    let shape = &TensorList::of(c.input(0))?.shape;
    let sizes = shape
        .dims()
        .map(|dims| dims.iter().map(|d| d.size().map_or(-1, |n| n as i64)).collect::<Vec<i64>>());
    let array = match sizes {
        Some(sizes) => Array::from_i64s(&sizes),
        None => Array::scalar(-1i64),
    };
    Ok([cast(&array, c.get(TensorListElementShape::DTYPE)?)?].into())
}

pub(super) fn push_back(c: &Context<'_>) -> Result<Outputs> {
    let mut list = TensorList::of(c.input(0))?.clone();
    list.push(c.input(1).clone())?;
    one(list)
}

pub(super) fn pop_back(c: &Context<'_>) -> Result<Outputs> {
    let mut list = of_dtype(c, c.get(TensorListPopBack::DTYPE)?)?.clone();
    let item = list.pop(&shape(c, 1)?)?;
    Ok([list.into_array()?, item].into_iter().collect())
}

pub(super) fn get_item(c: &Context<'_>) -> Result<Outputs> {
    let list = of_dtype(c, c.get(TensorListGetItem::DTYPE)?)?;
    Ok([list.get(scalar(c, 1)?, &shape(c, 2)?)?].into())
}

pub(super) fn set_item(c: &Context<'_>) -> Result<Outputs> {
    let mut list = TensorList::of(c.input(0))?.clone();
    list.set(scalar(c, 1)?, c.input(2).clone(), c.get(TensorListSetItem::GROWS)?)?;
    one(list)
}

pub(super) fn resize(c: &Context<'_>) -> Result<Outputs> {
    let mut list = TensorList::of(c.input(0))?.clone();
    list.resize(length(scalar(c, 1)?)?)?;
    one(list)
}

/// The list of the first input, whose elements the caller takes to be of this dtype.
fn of_dtype<'a>(c: &Context<'a>, dtype: DType) -> Result<&'a TensorList> {
    let list = TensorList::of(c.inputs[0])?;
    match list.dtype == dtype {
        true => Ok(list),
        false => bail!("the list is of {}, not {dtype}", list.dtype),
    }
}

/// Elements as the rows of a tensor.
fn stacked(list: &TensorList, items: &[Array], asked: &Shape) -> Result<Outputs> {
    if items.is_empty() {
        let known = list.known(asked)?;
        let Some(sizes) = known.sizes() else {
            bail!("an empty list is no tensor: the shape {known} of its elements is not known");
        };
        let dims: Vec<usize> = std::iter::once(0).chain(sizes).collect();
        return Ok([Array::zeros(list.dtype, dims)?].into());
    }
    Stack { axis: 0 }.compute(&items.iter().collect::<Vec<_>>())
}

pub(super) fn stack(c: &Context<'_>) -> Result<Outputs> {
    let (list, asked) = (of_dtype(c, c.get(TensorListStack::DTYPE)?)?, shape(c, 1)?);
    let wanted = c.get(TensorListStack::NUM_ELEMENTS)?;
    if wanted >= 0 && wanted as usize != list.len {
        bail!("a list of {wanted} elements is wanted, this one has {}", list.len);
    }
    stacked(list, &list.values(&asked)?, &asked)
}

pub(super) fn gather(c: &Context<'_>) -> Result<Outputs> {
    let (list, asked) = (of_dtype(c, c.get(TensorListGather::DTYPE)?)?, shape(c, 2)?);
    let indices = c.input(1).to_i64s()?;
    let items = indices.iter().map(|i| list.get(*i, &asked)).collect::<Result<Vec<_>>>()?;
    stacked(list, &items, &asked)
}

/// Sets rows of a tensor at indices.
fn scatter(list: &mut TensorList, tensor: &Array, indices: &Array) -> Result<()> {
    let indices = indices.to_i64s()?;
    if tensor.dims().first() != Some(&indices.len()) {
        bail!("{} indices for the rows of {}", indices.len(), tensor.tensor_type());
    }
    // Also of no rows: their gradient would be of a shape that no element has.
    list.known(&Shape::from(&tensor.dims()[1..]))?;
    let rows = Unstack { num: indices.len() as i64, axis: 0 }.compute(&[tensor])?;
    for (i, row) in indices.iter().zip(rows) {
        list.set(*i, row, true)?;
    }
    Ok(())
}

pub(super) fn scatter_v2(c: &Context<'_>) -> Result<Outputs> {
    let (tensor, len) = (c.input(0), scalar(c, 3)?);
    let mut list = TensorList::new(tensor.dtype(), shape(c, 2)?, 0);
    if len >= 0 {
        list.resize(length(len)?)?;
    }
    scatter(&mut list, tensor, c.input(1))?;
    one(list)
}

pub(super) fn scatter_into(c: &Context<'_>) -> Result<Outputs> {
    let mut list = TensorList::of(c.input(0))?.clone();
    scatter(&mut list, c.input(1), c.input(2))?;
    one(list)
}

pub(super) fn concat(c: &Context<'_>) -> Result<Outputs> {
    let list = of_dtype(c, c.get(TensorListConcat::DTYPE)?)?;
    let (known, leading) = (list.known(&shape(c, 1)?)?, c.input(2).to_i64s()?);
    let Some(rest) = known.dims().map_or(Some(Shape::unknown()), |dims| {
        (!dims.is_empty()).then(|| dims[1..].iter().copied().collect())
    }) else {
        bail!("scalars have no axis along which they could follow each other")
    };
    let items: Vec<Array> = (0..list.len)
        .map(|i| match leading.get(i) {
            // What was never set has the size that is given for it.
            Some(n) if !list.holds(i) => {
                list.get(i as i64, &Shape::from([length(*n)?].as_slice()).concatenate(&rest))
            }
            _ => list.get(i as i64, &known),
        })
        .collect::<Result<_>>()?;
    let lengths: Vec<i64> = items.iter().map(|x| x.dims()[0] as i64).collect();
    let tensor = match (&items[..], rest.sizes()) {
        ([], Some(sizes)) => {
            let dims: Vec<usize> = std::iter::once(0).chain(sizes).collect();
            Array::zeros(list.dtype, dims)?
        }
        ([], None) => {
            bail!("an empty list is no tensor: the shape {known} of its elements is not known")
        }
        ([one], _) => one.clone(),
        (items, _) => {
            let axis = Array::scalar(0i32);
            let inputs: Vec<&Array> = items.iter().chain([&axis]).collect();
            only(Concat::DEF.run(&inputs, &Attrs::new())?)?
        }
    };
    Ok([tensor, Array::from_i64s(&lengths)].into_iter().collect())
}

pub(super) fn split(c: &Context<'_>) -> Result<Outputs> {
    let (tensor, asked, lengths) = (c.input(0), shape(c, 1)?, c.input(2));
    let mut list = TensorList::new(tensor.dtype(), asked, 0);
    let num_split = lengths.len() as i64;
    let attrs = Attrs::new().with(SplitSizes::NUM_SPLIT, &num_split);
    for part in SplitSizes::DEF.run(&[tensor, lengths, &Array::scalar(0i32)], &attrs)? {
        list.push(part)?;
    }
    one(list)
}
