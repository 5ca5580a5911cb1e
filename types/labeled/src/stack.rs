//! Stacks of labeled tensors.

use extype::prelude::*;
use extype::spec::{Boxes, Stackable};

use crate::{Labeled, LabeledSpec};

/// A stack has a first axis named `batch`, or `batch2` and so on around others of that name. Any tensor is the
/// stack of its parts along the first axis; what is made of these parts has that name there.
impl Stackable for Labeled {
    fn stacked_spec(one: &LabeledSpec, n: Dim) -> Result<LabeledSpec> {
        Ok(LabeledSpec { values: one.values.stacked(n), axes: with_batches(&one.axes, 1) })
    }

    fn unstacked_spec(stack: &LabeledSpec) -> Result<LabeledSpec> {
        let axes = stack.axes.get(1..).unwrap_or_default().to_vec();
        Ok(LabeledSpec { values: stack.values.unstacked()?, axes })
    }

    fn box_specs(one: &LabeledSpec) -> Result<Vec<TensorSpec>> {
        Ok(vec![one.values.stacked(Dim::UNKNOWN)])
    }

    fn to_boxes(&self, rank: usize) -> Result<Vec<Boxes>> {
        if self.axes.len() < rank {
            let text = format!("a tensor of {} axes is no stack of {rank} levels", self.axes.len());
            return Err(Error::invalid(text));
        }
        let sizes = ops::shape_of(&self.values)?.cast(DType::I64)?;
        let (array, inner) = (sizes.slice([0], [rank])?, sizes.slice([rank], [-1])?);
        let n = array.reduce_prod(.., false)?.reshape([1])?;
        let values = self.values.reshape(&ops::concat(&[&n, &inner], 0)?)?;
        Ok(vec![Boxes { values, sizes: ops::fill(&array, 1i64)? }])
    }

    fn from_boxes(one: &LabeledSpec, boxes: Vec<Boxes>) -> Result<Self> {
        let [boxes] = <[Boxes; 1]>::try_from(boxes).map_err(|_| Error::invalid("one part"))?;
        let array = ops::shape_of(&boxes.sizes)?.cast(DType::I64)?;
        let inner = ops::shape_of(&boxes.values)?.cast(DType::I64)?.slice([1], [-1])?;
        let values = boxes.values.reshape(&ops::concat(&[&array, &inner], 0)?)?;
        Self::new(values, with_batches(&one.axes, boxes.rank()?))
    }
}

/// The names with those of so many stacks before them.
fn with_batches(axes: &[String], levels: usize) -> Vec<String> {
    let mut axes = axes.to_vec();
    for _ in 0..levels {
        let free = (1..).map(|i| if i == 1 { "batch".to_owned() } else { format!("batch{i}") });
        let name = free.into_iter().find(|name| !axes.contains(name));
        axes.insert(0, name.unwrap_or_default());
    }
    axes
}
