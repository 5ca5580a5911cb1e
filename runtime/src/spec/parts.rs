//! Values as the parts of which stacks are made: tensors, and boxes for types that say so.

use super::boxes::{BoxReader, first_size};
use super::{AnySpec, AnyValue, Boxes, LeafIter, Structure, TensorSpec, TypeSpec, nest};
use crate::ops;
use crate::ops::methods::*;
use crate::tensor::Tensor;
use crate::types::{DType, Dim, Result, Shape, bail, deep, err};

/// A part of a value: values are stacked, joined and taken apart part by part.
#[derive(Clone)]
pub(crate) enum Part {
    Tensor(Tensor),
    Boxes(Boxes),
}

impl Part {
    /// The parts of a value that is a stack in `rank` levels, or 0 for any one.
    pub(crate) fn of(spec: &AnySpec, leaves: Vec<Tensor>, rank: usize) -> Result<Vec<Part>> {
        let (mut parts, mut leaves) = (Vec::new(), LeafIter::new(leaves));
        Self::collect(spec, &mut leaves, rank, &mut parts)?;
        leaves.finish()?;
        Ok(parts)
    }

    fn collect(
        spec: &AnySpec,
        leaves: &mut LeafIter,
        rank: usize,
        out: &mut Vec<Part>,
    ) -> Result<()> {
        deep(|| {
            if let AnySpec::Composite(c) = spec
                && let Some(stacking) = (c.class.hooks.stacking)()
            {
                let own = spec.leaves().iter().map(|_| leaves.take()).collect::<Result<_>>()?;
                let boxes =
                    c.class.fallible_law("to_boxes", |_| (stacking.to_boxes)(spec, own, rank))?;
                if let Some(other) = boxes.iter().find_map(|b| b.rank().ok().filter(|r| *r != rank))
                {
                    let name = &c.class.short_name;
                    bail!("`to_boxes` of `{name}` gives boxes of rank {other}, not {rank}");
                }
                out.extend(boxes.into_iter().map(Part::Boxes));
                return Ok(());
            }
            match spec {
                AnySpec::Tensor(_) | AnySpec::Variable(_) => out.push(Part::Tensor(leaves.take()?)),
                _ => {
                    for part in spec.component_specs() {
                        Self::collect(&part, leaves, rank, out)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// The tensors of the value, or stack of values, that these are the parts of; `one` is the spec of what is in each
    /// box.
    pub(crate) fn leaves(one: &AnySpec, parts: Vec<Part>) -> Result<Vec<Tensor>> {
        let (mut parts, mut leaves) = (parts.into_iter(), Vec::new());
        Self::rebuild(one, &mut parts, &mut leaves)?;
        match parts.next() {
            None => Ok(leaves),
            Some(_) => bail!("there are more parts than {one} has"),
        }
    }

    fn rebuild(
        one: &AnySpec,
        parts: &mut std::vec::IntoIter<Part>,
        out: &mut Vec<Tensor>,
    ) -> Result<()> {
        deep(|| {
            let mut next =
                || parts.next().ok_or_else(|| err!("there are fewer parts than {one} has"));
            if let AnySpec::Composite(c) = one
                && let Some(stacking) = (c.class.hooks.stacking)()
            {
                let specs = c.class.fallible_law("box_specs", |_| (stacking.box_specs)(one))?;
                let boxes = specs.iter().map(|spec| match next()? {
                    Part::Boxes(boxes) => Ok(boxes),
                    Part::Tensor(t) => {
                        bail!("{one} is made of boxes of {spec}, not of {}", t.tensor_type())
                    }
                });
                let boxes = boxes.collect::<Result<_>>()?;
                out.extend(
                    c.class.fallible_law("from_boxes", |_| (stacking.from_boxes)(one, boxes))?,
                );
                return Ok(());
            }
            match one {
                AnySpec::Tensor(_) | AnySpec::Variable(_) => match next()? {
                    Part::Tensor(t) => out.push(t),
                    Part::Boxes(_) => bail!("{one} is no tensor in boxes"),
                },
                _ => {
                    for part in one.component_specs() {
                        Self::rebuild(&part, parts, out)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// The size of the first axis: how many values a stack has.
    pub(crate) fn count(&self) -> Result<(Dim, Tensor)> {
        match self {
            Part::Tensor(t) => {
                let first = t.shape().dims().and_then(|d| d.first().copied());
                Ok((first.unwrap_or(Dim::UNKNOWN), first_size(t)?))
            }
            Part::Boxes(boxes) => boxes.count(),
        }
    }
}

/// A part of a stack, of which single values are read.
pub(crate) enum PartReader {
    Tensor(Tensor),
    Boxes(BoxReader),
}

impl PartReader {
    pub(crate) fn new(part: Part) -> Result<Self> {
        Ok(match part {
            Part::Tensor(t) => Self::Tensor(t),
            Part::Boxes(boxes) => Self::Boxes(BoxReader::new(boxes)?),
        })
    }

    /// The part of value `i`, an integer scalar.
    pub(crate) fn at(&self, i: &Tensor) -> Result<Part> {
        Ok(match self {
            Self::Tensor(t) => Part::Tensor(t.gather(i, 0)?),
            Self::Boxes(boxes) => Part::Boxes(boxes.at(i)?),
        })
    }
}

/// The stack of these values, whose specs may differ as far as one spec fits all.
///
/// # Errors
/// `InvalidArgument` for no values, for values without a common type, and for tensors of differing shape in
/// types that are stacked tensor by tensor.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::{concat_values, stack_values, unstack_values};
/// let rows = [(scalar(1i64), tensor![1.0f32, 2.0]), (scalar(2i64), tensor![3.0f32, 4.0])];
/// let (numbers, vectors) = stack_values(&rows)?;
/// assert_eq!(numbers.as_slice::<i64>()?, &[1, 2]);
/// assert_eq!(vectors.shape(), shape![2, 2]);
/// let stack = (numbers, vectors);
/// assert_eq!(unstack_values(&stack)?[1].1.as_slice::<f32>()?, &[3.0, 4.0]);
/// assert_eq!(concat_values(&[stack.clone(), stack])?.1.shape(), shape![4, 2]);
/// # Ok::<(), Error>(())
/// ```
pub fn stack_values<S: Structure>(values: &[S]) -> Result<S> {
    let one = common_spec(values)?;
    let join = |t: &[Tensor]| ops::stack(t, 0);
    let leaves = joined(&one.to_any(), parts_of(values, 0), join, Boxes::stack)?;
    typed(&one.stacked(Dim::from(values.len()))?, leaves)
}

/// The stack of the values of several stacks, in order: stacks joined along their first axis.
///
/// # Errors
/// As [`stack_values`], and `InvalidArgument` for values that are no stacks.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::concat_values;
/// let stacks = [vec![tensor![1i64]], vec![tensor![2i64, 3]]];
/// assert_eq!(concat_values(&stacks)?[0].as_slice::<i64>()?, &[1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
pub fn concat_values<S: Structure>(stacks: &[S]) -> Result<S> {
    let whole = common_spec(stacks)?;
    whole.to_any().check_comes_apart()?;
    let one = whole.unstacked()?;
    let join = |t: &[Tensor]| ops::concat(t, 0);
    let leaves = joined(&one.to_any(), parts_of(stacks, 1), join, Boxes::concat)?;
    typed(&one.stacked(Dim::UNKNOWN)?, leaves)
}

/// The values of a stack.
///
/// # Errors
/// `InvalidArgument` for what is no stack, and if its number of values is not known while tracing
/// (`map_fn` goes over them).
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::unstack_values;
/// let rows = unstack_values(&vec![tensor![1i64, 2]])?;
/// assert_eq!(rows[1][0].item::<i64>()?, 2);
/// # Ok::<(), Error>(())
/// ```
pub fn unstack_values<S: Structure>(stack: &S) -> Result<Vec<S>> {
    let spec = stack.type_spec();
    let (one, any) = (spec.unstacked()?, spec.to_any());
    any.check_comes_apart()?;
    let parts = Part::of(&any, nest::flatten(stack), 1)?;
    let count = parts.first().map(Part::count).transpose()?.and_then(|(dim, _)| dim.size());
    let Some(count) = count else { bail!("the number of values of {any} is not known") };
    for part in &parts {
        if let Some(other) = part.count()?.0.size().filter(|other| *other != count) {
            bail!("first axes of {count} and {other} elements; give all one size");
        }
    }
    let parts = parts.into_iter().map(PartReader::new).collect::<Result<Vec<_>>>()?;
    let value = |i| {
        let i = Tensor::scalar(i64::try_from(i).unwrap_or(i64::MAX));
        let parts = parts.iter().map(|part| part.at(&i)).collect::<Result<_>>()?;
        typed(&one, Part::leaves(&one.to_any(), parts)?)
    };
    (0..count).map(value).collect()
}

/// The spec that all values have.
fn common_spec<S: Structure>(values: &[S]) -> Result<S::Spec> {
    let Some((first, rest)) = values.split_first() else { bail!("there are no values to stack") };
    let mut common = first.type_spec().to_any();
    for value in rest {
        common = common.try_common_supertype(&value.type_spec().to_any())?;
    }
    S::Spec::from_any(&common)
}

/// The parts of values, each a stack in `rank` levels.
fn parts_of<S: Structure>(
    values: &[S],
    rank: usize,
) -> impl Iterator<Item = Result<Vec<Part>>> + '_ {
    let parts = move |v: &S| Part::of(&v.type_spec().to_any(), nest::flatten(v), rank);
    values.iter().map(parts)
}

/// The tensors of values with these parts, joined part by part; `one` is the spec of what is in each box.
pub(crate) fn joined(
    one: &AnySpec,
    values: impl Iterator<Item = Result<Vec<Part>>>,
    tensors: impl Fn(&[Tensor]) -> Result<Tensor>,
    boxes: impl Fn(&[Boxes]) -> Result<Boxes>,
) -> Result<Vec<Tensor>> {
    let mut all: Vec<(Vec<Tensor>, Vec<Boxes>)> = Vec::new();
    for parts in values {
        let parts = parts?;
        all.resize_with(parts.len(), Default::default);
        for (column, part) in all.iter_mut().zip(parts) {
            match part {
                Part::Tensor(t) => column.0.push(t),
                Part::Boxes(b) => column.1.push(b),
            }
        }
    }
    let part = |(t, b): &(Vec<Tensor>, Vec<Boxes>)| match t.is_empty() {
        true => boxes(b).map(Part::Boxes),
        false => tensors(t).map(Part::Tensor),
    };
    Part::leaves(one, all.iter().map(part).collect::<Result<_>>()?)
}

/// The value of these tensors.
///
/// # Errors
/// `InvalidArgument` if there are more or fewer than the spec has.
pub(crate) fn typed<S: Structure>(spec: &S::Spec, leaves: Vec<Tensor>) -> Result<S> {
    let mut leaves = LeafIter::new(leaves);
    let value = S::from_leaves(spec, &mut leaves)?;
    leaves.finish()?;
    Ok(value)
}

impl AnySpec {
    /// Fails if values of a stack can't be taken out of it tensor by tensor, or by the type's own `Stackable`.
    pub(crate) fn check_comes_apart(&self) -> Result<()> {
        match comes_apart(self)? {
            true => Ok(()),
            false => bail!("{self} can't be taken apart tensor by tensor"),
        }
    }

    /// See [`TypeSpec::to_boxed_tensors`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn box_value(&self, value: &AnyValue, minimum_rank: usize) -> Result<Vec<Tensor>> {
        if !self.is_compatible_with(value.spec()) {
            bail!("a value of {} is boxed as {self}", value.spec());
        }
        let boxed = |part| match part {
            Part::Tensor(t) if t.rank().is_some_and(|rank| rank < minimum_rank) => {
                bail!("a tensor of {} has not the rank {minimum_rank} asked for", t.tensor_type())
            }
            Part::Tensor(t) => Ok(t),
            Part::Boxes(boxes) => boxes.to_variants(),
        };
        Part::of(value.spec(), value.leaves().to_vec(), minimum_rank)?
            .into_iter()
            .map(boxed)
            .collect()
    }

    /// See [`TypeSpec::from_boxed_tensors`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn unbox_value(&self, boxed: Vec<Tensor>) -> Result<AnyValue> {
        let (mut leaves, mut boxed) = (Vec::new(), LeafIter::new(boxed));
        self.unbox(&mut boxed, &mut leaves)?;
        boxed.finish()?;
        AnyValue::from_parts(self.clone(), leaves)
    }

    fn unbox(&self, boxed: &mut LeafIter, out: &mut Vec<Tensor>) -> Result<()> {
        deep(|| {
            if let AnySpec::Composite(c) = self
                && let Some(stacking) = (c.class.hooks.stacking)()
            {
                let first = boxed.take()?;
                let Some(rank) = first.rank() else { bail!("boxed tensors have a known rank") };
                let (one, specs) = self.boxed_rows(rank)?;
                let mut first = Some(first);
                let parts = specs.iter().map(|rows| {
                    let variants = first.take().map_or_else(|| boxed.take(), Ok)?;
                    if variants.dtype() != DType::Variant {
                        bail!("{self} is boxed as variants, not as {}", variants.tensor_type());
                    }
                    Boxes::from_variants(&variants, rows)
                });
                let parts = parts.collect::<Result<_>>()?;
                let make = || (stacking.from_boxes)(&one, parts);
                out.extend(c.class.fallible_law("from_boxes", |_| make())?);
                return Ok(());
            }
            match self {
                AnySpec::Tensor(_) | AnySpec::Variable(_) => out.push(boxed.take()?),
                _ => {
                    for part in self.component_specs() {
                        part.unbox(boxed, out)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// See [`TypeSpec::boxed_tensor_specs`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn boxed_specs(&self, minimum_rank: usize) -> Result<Vec<TensorSpec>> {
        deep(|| {
            if let AnySpec::Composite(c) = self
                && (c.class.hooks.stacking)().is_some()
            {
                let count = self.boxed_rows(minimum_rank)?.1.len();
                return Ok(vec![
                    TensorSpec::new(Shape::of_rank(minimum_rank), DType::Variant);
                    count
                ]);
            }
            match self {
                AnySpec::Tensor(t) => match t.shape.rank() {
                    Some(rank) if rank < minimum_rank => {
                        bail!("{t} has not the rank {minimum_rank} asked for")
                    }
                    _ => Ok(vec![t.clone()]),
                },
                AnySpec::Variable(_) => bail!("{self} can't be stacked"),
                _ => {
                    let parts = self.component_specs();
                    let specs = parts.iter().map(|part| part.boxed_specs(minimum_rank));
                    Ok(specs.collect::<Result<Vec<_>>>()?.concat())
                }
            }
        })
    }

    /// The spec of the values in boxes of this rank, and those of the rows of each part.
    fn boxed_rows(&self, rank: usize) -> Result<(AnySpec, Vec<TensorSpec>)> {
        let one = (0..rank).try_fold(self.clone(), |spec, _| spec.unstacked())?;
        let AnySpec::Composite(c) = &one else { bail!("{one} is not made of boxes") };
        let Some(stacking) = (c.class.hooks.stacking)() else {
            bail!("{one} is not made of boxes")
        };
        let mut specs = c.class.fallible_law("box_specs", |_| (stacking.box_specs)(&one))?;
        for spec in &mut specs {
            spec.shape = ops::rows_like(&spec.shape)?;
        }
        Ok((one, specs))
    }
}

/// True if elements can be taken tensor by tensor along the first axis, or by a type's own `Stacking`.
fn comes_apart(spec: &AnySpec) -> Result<bool> {
    deep(|| {
        if let AnySpec::Composite(c) = spec {
            if (c.class.hooks.stacking)().is_some() {
                return Ok(true);
            }
            let (own, by_fields) = (spec.unstacked()?, spec.default_unstacked()?);
            if own.component_specs().len() != by_fields.component_specs().len() {
                return Ok(false);
            }
            if c.class.hooks.own_laws && own.leaves() != by_fields.leaves() {
                return Ok(false);
            }
        }
        spec.component_specs().iter().try_fold(true, |all, part| Ok(all && comes_apart(part)?))
    })
}
