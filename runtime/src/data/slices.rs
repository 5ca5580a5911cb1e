//! The rows of values: `from_tensor_slices`, `unbatch`, and batches that are slices.

use std::sync::Arc;

use super::stage::{Cardinality, Cursor, Element, Failure, Next, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::array::{Array, Dims};
use crate::ops;
use crate::ops::methods::*;
use crate::spec::{AnySpec, Boxes, Part};
use crate::tensor::{Tensor, Tensors};
use crate::types::{Dim, Result, bail};

/// A value whose parts have a first axis, row by row.
pub(crate) struct Rows {
    spec: Arc<AnySpec>,
    parts: Vec<RowPart>,
    len: usize,
}

enum RowPart {
    /// A row is one of the tensor, so many elements.
    Dense { array: Array, row: usize },
    /// A row is the content of boxes: rows `begins[i]..begins[i + 1]` of the values. `sizes` are those of all boxes.
    Boxed { values: Array, begins: Vec<usize>, sizes: Array },
}

impl RowPart {
    fn new(part: Part) -> Result<Self> {
        Ok(match part {
            Part::Tensor(tensor) => {
                let array = known(tensor)?;
                let row = array.dims().get(1..).unwrap_or_default().iter().product();
                Self::Dense { array, row }
            }
            Part::Boxes(Boxes { values, sizes }) => {
                let (values, sizes) = (known(values)?, known(sizes)?);
                let counts = sizes.as_slice::<i64>()?;
                let (Some(n), Some(rows)) = (sizes.dims().first(), values.dims().first()) else {
                    bail!("one value is no stack");
                };
                let mut begins = vec![0];
                let mut end = 0i64;
                for i in 0..*n {
                    let boxes = counts.len() / n;
                    let of_row = counts[i * boxes..(i + 1) * boxes].iter();
                    end = of_row.fold(end, |end, size| end.saturating_add(*size));
                    let fits = |end: &usize| begins[i] <= *end && end <= rows;
                    match usize::try_from(end).ok().filter(fits) {
                        Some(end) => begins.push(end),
                        None => bail!("box {i} ends at row {end} of a tensor of {rows}"),
                    }
                }
                Self::Boxed { values, begins, sizes }
            }
        })
    }

    fn len(&self) -> usize {
        match self {
            Self::Dense { array, .. } => array.dims().first().copied().unwrap_or(0),
            Self::Boxed { begins, .. } => begins.len() - 1,
        }
    }

    /// The part of row `i`, which exists.
    fn row(&self, i: usize) -> Result<Part> {
        Ok(match self {
            Self::Dense { array, row } => Part::Tensor(slice(array, i * row, &array.dims()[1..])?),
            Self::Boxed { begins, sizes, .. } => {
                let boxes: usize = sizes.dims()[1..].iter().product();
                let sizes = slice(sizes, i * boxes, &sizes.dims()[1..])?;
                Part::Boxes(Boxes { values: self.values(begins[i], begins[i + 1])?, sizes })
            }
        })
    }

    /// Rows of the values of boxes.
    fn values(&self, begin: usize, end: usize) -> Result<Tensor> {
        let (Self::Dense { array, .. } | Self::Boxed { values: array, .. }) = self;
        let mut dims = Dims::from_slice(array.dims());
        let inner: usize = dims[1..].iter().product();
        dims[0] = end - begin;
        slice(array, begin * inner, &dims)
    }

    /// The part of these rows as a stack.
    fn stacked(&self, rows: &[usize]) -> Result<Part> {
        let (first, n) = (rows.first().copied().unwrap_or(0), rows.len());
        let in_order = rows.iter().enumerate().all(|(i, row)| *row == first + i);
        let places = || Tensor::from_vec(rows.iter().map(|i| *i as i64).collect::<Vec<_>>());
        Ok(match self {
            Self::Dense { .. } if in_order => Part::Tensor(self.values(first, first + n)?),
            Self::Dense { array, .. } => {
                Part::Tensor(Tensor::Value(array.clone()).gather(&places(), 0)?)
            }
            Self::Boxed { begins, sizes, .. } => {
                let values = match in_order {
                    true => self.values(begins[first], begins[first + n])?,
                    false => {
                        let row = |i: &usize| self.values(begins[*i], begins[*i + 1]);
                        let all = rows.iter().map(row).collect::<Result<Vec<_>>>()?;
                        ops::concat(&all.iter().collect::<Vec<_>>(), 0)?
                    }
                };
                let sizes = Tensor::Value(sizes.clone()).gather(&places(), 0)?;
                Part::Boxes(Boxes { values, sizes })
            }
        })
    }
}

/// The array of a tensor that is no symbol.
fn known(tensor: Tensor) -> Result<Array> {
    match tensor {
        Tensor::Value(array) => Ok(array),
        Tensor::Symbol(_) => bail!("rows of a tensor of a trace"),
    }
}

fn slice(array: &Array, start: usize, dims: &[usize]) -> Result<Tensor> {
    Ok(Tensor::Value(array.view(start, dims)?))
}

impl Rows {
    /// The rows of a stack; `one` is the spec that each row has.
    pub(crate) fn new(stack: &Element, one: Arc<AnySpec>) -> Result<Self> {
        stack.spec.check_comes_apart()?;
        let parts = Part::of(&stack.spec, stack.leaves.to_vec(), 1)?;
        let parts = parts.into_iter().map(RowPart::new).collect::<Result<Vec<_>>>()?;
        let Some(len) = parts.first().map(RowPart::len) else {
            bail!("{} has no tensor, and so no rows", stack.spec)
        };
        match parts.iter().map(RowPart::len).find(|n| *n != len) {
            Some(n) => bail!("first axes of {len} and {n} rows; give all components one size"),
            None => Ok(Self { spec: one, parts, len }),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Places come from saved states too.
    fn check(&self, i: usize) -> Result<()> {
        if i >= self.len {
            bail!("there is no row {i} of {}: the saved state is damaged", self.len);
        }
        Ok(())
    }

    /// Row `i`.
    pub(crate) fn row(&self, i: usize) -> Result<Element> {
        self.check(i)?;
        let leaves = match (&*self.spec, &self.parts[..]) {
            (AnySpec::Tensor(_), [RowPart::Dense { array, row }]) => {
                Tensors::from_buf([slice(array, i * row, &array.dims()[1..])?])
            }
            _ => {
                let parts = self.parts.iter().map(|part| part.row(i)).collect::<Result<_>>()?;
                Part::leaves(&self.spec, parts)?.into()
            }
        };
        Ok(Element { spec: self.spec.clone(), leaves })
    }

    /// The tensors of these rows as one stack.
    pub(crate) fn stacked(&self, rows: &[usize]) -> Result<Tensors> {
        rows.iter().try_for_each(|i| self.check(*i))?;
        let parts = self.parts.iter().map(|part| part.stacked(rows)).collect::<Result<_>>()?;
        Ok(Part::leaves(&self.spec, parts)?.into())
    }

    /// The spec of a row.
    pub(crate) fn spec(&self) -> &Arc<AnySpec> {
        &self.spec
    }
}

/// The spec of the rows of a stack, and their number where it is known.
pub(crate) fn row_spec(stack: &AnySpec) -> Result<(AnySpec, Dim)> {
    let one = stack.unstacked()?;
    let mut count = Dim::UNKNOWN;
    for leaf in dense_leaves(stack) {
        let first = leaf.shape.dims().and_then(|d| d.first().copied()).unwrap_or(Dim::UNKNOWN);
        match (count.size(), first.size()) {
            (Some(a), Some(b)) if a != b => {
                bail!("first axes of {a} and {b} rows; give all components one size")
            }
            (None, Some(_)) => count = first,
            _ => {}
        }
    }
    Ok((one, count))
}

/// The specs of the tensors that are stacked tensor by tensor.
fn dense_leaves(spec: &AnySpec) -> Vec<crate::spec::TensorSpec> {
    match spec {
        AnySpec::Tensor(t) => vec![t.clone()],
        AnySpec::Composite(c) if (c.class.hooks.stacking)().is_some() => Vec::new(),
        other => other.component_specs().iter().flat_map(dense_leaves).collect(),
    }
}

/// The rows of a value that is there from the beginning.
pub(super) struct Slices(pub(super) Arc<Rows>);

impl Stage for Slices {
    fn name(&self) -> &'static str {
        "from_tensor_slices"
    }

    fn arguments(&self) -> String {
        format!("{} rows of {}", self.0.len, self.0.spec)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(Some((*self.0.spec).clone()))
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Exact(self.0.len as u64)
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(SlicesCursor { rows: self.0.clone(), at: 0 })
    }

    fn rows(&self) -> Option<&Arc<Rows>> {
        Some(&self.0)
    }
}

struct SlicesCursor {
    rows: Arc<Rows>,
    at: usize,
}

impl Cursor for SlicesCursor {
    fn next(&mut self) -> Next {
        let row = self.next_row()?;
        Some(row.and_then(|i| self.rows.row(i).map_err(Into::into)))
    }

    fn next_row(&mut self) -> Option<Result<usize, Failure>> {
        if self.at >= self.rows.len {
            return None;
        }
        self.at += 1;
        Some(Ok(self.at - 1))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(self.at.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        self.at = saved.size()?;
        Ok(())
    }
}
