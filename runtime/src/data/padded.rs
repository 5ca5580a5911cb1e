//! Batches of tensors of different sizes.

use std::cell::Cell;
use std::sync::Arc;

use super::Dataset;
use super::batching::{Batched, Batching, Remainder, checked_size, merged};
use super::stage::{Element, Failure};
use crate::array::{Array, Dims, num_elements, reserve};
use crate::spec::{AnySpec, Structure, TensorSpec};
use crate::tensor::{Tensor, TensorLike, Tensors};
use crate::types::{DType, Dim, Result, Shape, bail, err};

/// To which sizes tensors are padded, and with what.
///
/// Without more the tensors of a batch get the sizes of the largest, and zeros, empty strings or `false` at the end.
#[derive(Clone, Debug, Default)]
pub struct Padding {
    /// One for each tensor of an element, or none.
    pub(super) shapes: Vec<Shape>,
    /// One for each tensor of an element, or one for all, or none.
    values: Vec<Tensor>,
    pub(super) to_boundary: bool,
}

impl Padding {
    /// The shapes of the tensors of an element, in order. Unknown sizes are those of the largest in the batch.
    #[must_use]
    pub fn shapes(self, shapes: impl IntoIterator<Item = Shape>) -> Self {
        Self { shapes: shapes.into_iter().collect(), ..self }
    }

    /// The scalar that all tensors are padded with.
    ///
    /// # Errors
    /// What the conversion to a tensor fails with.
    pub fn value(self, value: impl TensorLike) -> Result<Self> {
        Ok(Self { values: vec![value.to_tensor()?], ..self })
    }

    /// The scalars that the tensors of an element are padded with, in order.
    #[must_use]
    pub fn values(self, values: impl IntoIterator<Item = Tensor>) -> Self {
        Self { values: values.into_iter().collect(), ..self }
    }

    /// In buckets: unknown sizes become the largest of the bucket. An element behind the last boundary is an error.
    #[must_use]
    pub fn up_to_boundary(self) -> Self {
        Self { to_boundary: true, ..self }
    }

    /// The shape of tensor `j`, if it is given.
    fn shape(&self, j: usize, count: usize) -> Result<Option<&Shape>> {
        match self.shapes.len() {
            0 => Ok(None),
            n if n == count => Ok(self.shapes.get(j)),
            n => bail!("{n} shapes are given for the {count} tensors of an element"),
        }
    }

    /// What tensor `j` is padded with.
    fn value_of(&self, j: usize, count: usize, dtype: DType) -> Result<Array> {
        let value = match &self.values[..] {
            [] => return Array::zeros(dtype, []),
            [one] => one,
            values if values.len() == count => &values[j],
            values => bail!("{} values are given for {count} tensors", values.len()),
        };
        let Tensor::Value(array) = value else { bail!("padding with a tensor of a trace") };
        if array.dtype() != dtype || array.rank() != 0 {
            bail!("a tensor of {dtype} is padded with a {}", array.tensor_type());
        }
        Ok(array.clone())
    }
}

impl<S: Structure> Dataset<S> {
    /// Stacks of `size` elements, whose tensors are padded at the end of each axis to one shape.
    ///
    /// TensorFlow: `Dataset.padded_batch`.
    ///
    /// # Errors
    /// `InvalidArgument` for a size of 0; for elements that are not made of tensors alone; for shapes of another rank, and
    /// for unknown ranks without shapes; for values of another dtype; and, when the batch is made, for a tensor that is
    /// larger than its shape.
    ///
    /// ```
    /// use extype::data::{Dataset, Padding, Remainder};
    /// use extype::prelude::*;
    /// let data = Dataset::from_values(vec![tensor![1i64], tensor![2i64, 3]])?;
    /// let padding = Padding::default().value(-1i64)?;
    /// let all = data.padded_batch(2, Remainder::Keep, padding).collect_all()?;
    /// assert_eq!(all[0].to_vec::<i64>()?, [1, -1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn padded_batch(&self, size: usize, remainder: Remainder, padding: Padding) -> Self {
        let how = Padded::new(padding);
        self.step(checked_size(size), |input, size| Batched { input, size, remainder, how })
    }
}

/// As padded stacks.
#[derive(Clone)]
pub(super) struct Padded(Arc<Padding>);

impl Padded {
    pub(super) fn new(padding: Padding) -> Self {
        Self(Arc::new(padding))
    }
}

/// The specs of the tensors of an element that is made of tensors alone.
pub(super) fn tensors_of(spec: &AnySpec) -> Result<Vec<TensorSpec>> {
    Ok(match spec {
        AnySpec::Tensor(t) => vec![t.clone()],
        AnySpec::Tuple(parts) | AnySpec::List(parts) => {
            parts.iter().map(tensors_of).collect::<Result<Vec<_>>>()?.concat()
        }
        AnySpec::Map(parts) => parts.values().map(tensors_of).collect::<Result<Vec<_>>>()?.concat(),
        AnySpec::Composite(c) => bail!(
            "only tensors are padded, and an element holds {spec}: `batch` stacks values of {} as they are, and a `map` \
             before makes tensors of them",
            c.class.short_name
        ),
        other => bail!("only elements of tensors alone are padded, not {other}"),
    })
}

impl Batching for Padded {
    type Maker = ();

    fn name(&self) -> &'static str {
        "padded_batch"
    }

    fn arguments(&self) -> String {
        let shapes: Vec<String> = self.0.shapes.iter().map(ToString::to_string).collect();
        match shapes.is_empty() {
            true => String::new(),
            false => format!(", {}", shapes.join(", ")),
        }
    }

    fn spec(&self, one: &AnySpec, n: Dim) -> Result<Option<AnySpec>> {
        let tensors = tensors_of(one)?;
        let mut padded = Vec::with_capacity(tensors.len());
        for (j, tensor) in tensors.iter().enumerate() {
            self.0.value_of(j, tensors.len(), tensor.dtype)?;
            let given = self.0.shape(j, tensors.len())?;
            let shape = given.unwrap_or(&tensor.shape);
            let Some(dims) = shape.dims() else {
                bail!("a tensor of unknown rank is padded; `Padding::shapes` gives its shape")
            };
            if tensor.shape.rank().is_some_and(|rank| rank != dims.len()) {
                bail!("a tensor of shape {} is padded to {shape}", tensor.shape);
            }
            padded.push(TensorSpec::new(shape.insert(0, n), tensor.dtype));
        }
        let at = Cell::new(0);
        let leaf = |leaf: &AnySpec| match leaf {
            AnySpec::Tensor(_) => AnySpec::Tensor(padded[at.replace(at.get() + 1)].clone()),
            other => other.clone(),
        };
        Ok(Some(one.map_leaves(&leaf)))
    }

    fn maker(&self) {}

    fn make(&self, (): &mut (), elements: Vec<Element>) -> Result<Element, Failure> {
        let one = merged(&elements)?;
        let tensors = tensors_of(&one)?;
        let n = Dim::from(elements.len());
        // What has the wrong form has it the next time too.
        let Some(spec) = self.spec(&one, n).map_err(Failure::last)? else {
            return Err(err!(Internal, "padded elements have a spec").into());
        };
        let stack = |j: usize| {
            let arrays = elements.iter().map(|e| match &e.leaves[j] {
                Tensor::Value(array) => Ok(array),
                Tensor::Symbol(_) => bail!("a tensor of a trace has no elements"),
            });
            let arrays = arrays.collect::<Result<Vec<_>>>()?;
            let value = self.0.value_of(j, tensors.len(), tensors[j].dtype)?;
            padded(&arrays, self.0.shape(j, tensors.len())?, &value).map(Tensor::Value)
        };
        let leaves = (0..tensors.len()).map(stack).collect::<Result<Tensors>>()?;
        // Sizes that were not known are now.
        let at = Cell::new(0);
        let leaf = |_: &AnySpec| {
            let leaf = &leaves[at.replace(at.get() + 1)];
            AnySpec::Tensor(TensorSpec::new(leaf.shape(), leaf.dtype()))
        };
        Ok(Element { spec: Arc::new(spec.map_leaves(&leaf)), leaves })
    }
}

/// Arrays of one rank and dtype, padded and stacked.
fn padded(arrays: &[&Array], shape: Option<&Shape>, value: &Array) -> Result<Array> {
    let rank = arrays[0].rank();
    let mut sizes = Dims::from_elem(0, rank);
    for array in arrays {
        if array.rank() != rank {
            bail!("tensors of shape {} and {} in one batch", arrays[0].shape(), array.shape());
        }
        sizes.iter_mut().zip(array.dims()).for_each(|(size, d)| *size = (*size).max(*d));
    }
    if let Some(dims) = shape.and_then(Shape::dims) {
        if dims.len() != rank {
            bail!("tensors of shape {} are padded to another rank", arrays[0].shape());
        }
        for (size, given) in sizes.iter_mut().zip(dims) {
            match given.size() {
                Some(given) if *size > given => {
                    let large = arrays.iter().find(|a| a.dims().iter().zip(dims).any(too_large));
                    let large = large.unwrap_or(&arrays[0]).shape();
                    bail!("a tensor of shape {large} is larger than the shape that it is padded to")
                }
                Some(given) => *size = given,
                None => {}
            }
        }
    }
    let mut dims = Dims::from_elem(arrays.len(), 1);
    dims.extend_from_slice(&sizes);
    let len = num_elements(&dims, 1)?;
    match (value.dtype().size(), value.as_bytes()) {
        (Some(size), Some(pad)) => {
            num_elements(&dims, size)?;
            let mut out = filled(len, pad)?;
            let item = len / arrays.len() * size;
            for (i, array) in arrays.iter().enumerate() {
                let from = array.as_bytes().unwrap_or_default();
                place(from, array.dims(), &mut out[i * item..(i + 1) * item], &sizes, size);
            }
            Array::from_bytes(value.dtype(), dims, &out)
        }
        _ => {
            let pad = value.as_strings()?;
            let mut out = filled(len, pad)?;
            let item = len / arrays.len();
            for (i, array) in arrays.iter().enumerate() {
                let from = array.as_strings()?;
                place(from, array.dims(), &mut out[i * item..(i + 1) * item], &sizes, 1);
            }
            Array::from_strings(dims, out)
        }
    }
}

fn too_large((size, given): (&usize, &Dim)) -> bool {
    given.size().is_some_and(|given| *size > given)
}

/// `n` times these items.
fn filled<T: Clone>(n: usize, items: &[T]) -> Result<Vec<T>> {
    let mut out = Vec::new();
    reserve(&mut out, n.saturating_mul(items.len()))?;
    for _ in 0..n {
        out.extend_from_slice(items);
    }
    Ok(out)
}

/// Copies a block of `dims` to the beginning of each axis of a block of `sizes`; an element is `unit` items.
fn place<T: Clone>(from: &[T], dims: &[usize], to: &mut [T], sizes: &[usize], unit: usize) {
    let ([dim, inner @ ..], [_, rest @ ..]) = (dims, sizes) else {
        to.clone_from_slice(from);
        return;
    };
    if inner.is_empty() {
        to[..dim * unit].clone_from_slice(from);
        return;
    }
    let (rows, spaces): (usize, usize) = (inner.iter().product(), rest.iter().product());
    for i in 0..*dim {
        let (row, space) = (rows * unit, spaces * unit);
        place(
            &from[i * row..(i + 1) * row],
            inner,
            &mut to[i * space..(i + 1) * space],
            rest,
            unit,
        );
    }
}
