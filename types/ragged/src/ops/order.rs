//! Rows in order.

use extype::ops::{Direction, Op, Order, TopK};
use extype::prelude::*;

use crate::{RaggedTensor, RowPartition, SliceRows};

/// The order of the elements of an axis: where those of each row are, of the innermost ragged axis, or nothing for a
/// uniform one.
fn order(x: &RaggedTensor, options: &Order) -> Result<Option<(Tensor, RowPartition)>> {
    let (axis, levels) = (x.axis(options.axis)?, x.ragged_rank());
    if axis > levels || levels == 0 {
        return Ok(None);
    }
    let rows = match x.partitions.last() {
        Some(rows) if axis == levels && x.flat_values.rank() == Some(1) => rows,
        _ => {
            let text = format!(
                "elements are put in order along the innermost axis; axis {axis} has rows, and is left as it is"
            );
            return Err(Error::new(ErrorKind::Unimplemented, text));
        }
    };
    // All elements in order, and then, as equal ones keep it, by row.
    let by_value = x.flat_values.argsort((-1, options.direction))?;
    let by_row = rows.value_rowids()?.gather(&by_value, 0)?.argsort(-1)?;
    Ok(Some((by_value.gather(&by_row, 0)?, rows.clone())))
}

/// The numbers in their rows of entries that are given by place, row after row.
fn numbers(places: &Tensor, rows: &RowPartition) -> Result<Tensor> {
    let starts = rows.splits().gather(&rows.value_rowids()?, 0)?;
    ops::sub(places, &starts.cast(places.dtype())?)
}

#[dispatch]
impl RaggedTensor {
    /// Along the innermost axis, which may be ragged.
    #[overrides(sort)]
    fn sort(x: &Self, options: &Order) -> Result<Self> {
        let axis = x.axis(options.axis)?.saturating_sub(x.ragged_rank()) as i64;
        Ok(x.with_values(match order(x, options)? {
            None => x.flat_values.sort((axis, options.direction))?,
            Some((places, _)) => x.flat_values.gather(&places, 0)?,
        }))
    }

    /// The int32 numbers of the elements of each row in order.
    #[overrides(argsort)]
    fn argsort(x: &Self, options: &Order) -> Result<Self> {
        let axis = x.axis(options.axis)?.saturating_sub(x.ragged_rank()) as i64;
        Ok(x.with_values(match order(x, options)? {
            None => x.flat_values.argsort((axis, options.direction))?,
            Some((places, rows)) => numbers(&places, &rows)?,
        }))
    }

    /// The largest elements of each row of the innermost axis, and their numbers; of shorter rows all.
    #[overrides(TopK)]
    fn top_k(x: &Self, op: &TopK) -> Result<(Self, Self)> {
        let options = Order { axis: -1, direction: Direction::Descending };
        let Some((places, rows)) = order(x, &options)? else {
            let (values, indices) = op.run_as::<(Tensor, Tensor)>(&[&x.flat_values])?;
            return Ok((x.with_values(values), x.with_values(indices)));
        };
        let k = op.k.known().filter(|k| *k >= 0).ok_or_else(|| {
            Error::invalid("the number of elements of each row is known, and not negative")
        })?;
        let [none, k] = [Vec::new(), vec![k]].map(Tensor::from_vec);
        let op = SliceRows { step: 1 };
        let (splits, first) = op.run_as::<(Tensor, Tensor)>(&[rows.splits(), &none, &k])?;
        let mut partitions = x.partitions.clone();
        partitions.pop();
        partitions.push(RowPartition::trusted(splits));
        let top = |all: Tensor| {
            Ok::<_, Error>(Self {
                flat_values: all.gather(&first, 0)?,
                partitions: partitions.clone(),
            })
        };
        Ok((top(x.flat_values.gather(&places, 0)?)?, top(numbers(&places, &rows)?)?))
    }
}
