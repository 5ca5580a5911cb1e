//! The rows of values: `from_tensor_slices`, `unbatch`, and batches that are slices.

use std::sync::Arc;

use super::stage::{Cardinality, Cursor, Element, Failure, Next, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::array::Array;
use crate::ops::methods::*;
use crate::spec::{AnySpec, Part, PartReader};
use crate::tensor::{Tensor, Tensors};
use crate::types::{Dim, Result, bail, err};

/// A value whose parts have a first axis, row by row.
pub(crate) struct Rows {
    spec: Arc<AnySpec>,
    parts: Vec<RowPart>,
    len: usize,
}

enum RowPart {
    Dense { array: Array, row: usize },
    Other(PartReader),
}

impl Rows {
    /// The rows of a stack; `one` is the spec that each row has.
    pub(crate) fn new(stack: &Element, one: Arc<AnySpec>) -> Result<Self> {
        stack.spec.check_comes_apart()?;
        let parts = Part::of(&stack.spec, stack.leaves.to_vec(), 1)?;
        let mut len = None;
        let mut rows = Vec::with_capacity(parts.len());
        for part in parts {
            let Some(n) = part.count()?.0.size() else { bail!("rows of a tensor of a trace") };
            match len {
                Some(len) if len != n => {
                    bail!("first axes of {len} and {n} rows; give all components one size")
                }
                _ => len = Some(n),
            }
            rows.push(match part {
                Part::Tensor(Tensor::Value(array)) if !array.dims().is_empty() => {
                    RowPart::Dense { row: array.dims()[1..].iter().product(), array }
                }
                other => RowPart::Other(PartReader::new(other)?),
            });
        }
        let Some(len) = len else { bail!("{} has no tensor, and so no rows", stack.spec) };
        Ok(Self { spec: one, parts: rows, len })
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Row `i`, which exists.
    pub(crate) fn row(&self, i: usize) -> Result<Element> {
        if let [RowPart::Dense { array, row }] = &self.parts[..]
            && matches!(*self.spec, AnySpec::Tensor(_))
        {
            let leaf = Tensor::Value(array.view(i * row, &array.dims()[1..])?);
            return Ok(Element { spec: self.spec.clone(), leaves: Tensors::from_buf([leaf]) });
        }
        let at = Tensor::scalar(i64::try_from(i).unwrap_or(i64::MAX));
        let part = |part: &RowPart| match part {
            RowPart::Dense { array, row } => {
                Ok(Part::Tensor(Tensor::Value(array.view(i * row, &array.dims()[1..])?)))
            }
            RowPart::Other(reader) => reader.at(&at),
        };
        let parts = self.parts.iter().map(part).collect::<Result<_>>()?;
        Ok(Element { spec: self.spec.clone(), leaves: Part::leaves(&self.spec, parts)?.into() })
    }

    /// True if any number of rows is one slice of each part.
    pub(crate) fn is_dense(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, RowPart::Dense { .. }))
    }

    /// The tensors of these rows as one stack, if the rows are dense.
    pub(crate) fn stacked(&self, rows: &[usize]) -> Result<Tensors> {
        let (first, n) = (rows.first().copied().unwrap_or(0), rows.len());
        let in_order = rows.iter().enumerate().all(|(i, row)| *row == first + i);
        let places = match in_order {
            true => None,
            false => Some(Tensor::from_vec(rows.iter().map(|i| *i as i64).collect::<Vec<_>>())),
        };
        let part = |part: &RowPart| match (part, &places) {
            (RowPart::Dense { array, row }, None) => {
                let mut dims = array.dims().to_vec();
                dims[0] = n;
                Ok(Tensor::Value(array.view(first * row, &dims[..])?))
            }
            (RowPart::Dense { array, .. }, Some(places)) => {
                Tensor::Value(array.clone()).gather(places, 0)
            }
            (RowPart::Other(_), _) => Err(err!(Internal, "rows that are not dense")),
        };
        self.parts.iter().map(part).collect()
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
