//! Edit distances of sequences in sparse tensors.

use std::ops::Range;

use crate::array::Dims;
use crate::ir::{InferContext, KernelContext, Outputs, Types, typed};
use crate::ops::EditDistance;
use crate::ops::rules::infer::{one, shape_of};
use crate::types::{DType, Dim, Result, Shape, bail, err};

pub(in crate::ops) fn infer(c: &InferContext<'_>) -> Result<Types> {
    let mut rank = Shape::of_rank(1);
    for (i, name) in [(0, "hypothesis"), (3, "truth")] {
        let named = |i: usize, rank| c.shape(i).with_rank(rank).map_err(|e| e.prefixed(name));
        let (indices, values) = (named(i, 2)?, named(i + 1, 1)?);
        if !indices.dim(0)?.is_compatible_with(values.dim(0)?) {
            bail!("{name}: indices of shape {indices} for values of shape {values}");
        }
        rank = rank.merge(&named(i + 2, 1)?)?.merge(&Shape::from_iter([indices.dim(1)?]))?;
    }
    match rank.dim(0)?.size() {
        None => return one(DType::F32, Shape::unknown()),
        Some(rank) if rank < 2 => bail!("sequences lie along the last of two axes or more"),
        Some(_) => {}
    }
    let last = |sizes: Option<_>| -> Result<Option<Shape>> {
        let sizes: Option<smallvec::SmallVec<[i64; 4]>> = sizes;
        sizes.map(|sizes| shape_of(&sizes[..sizes.len() - 1])).transpose()
    };
    match (last(c.integers(2))?, last(c.integers(5))?) {
        (Some(a), Some(b)) => {
            let (Some(a), Some(b)) = (a.dims(), b.dims()) else { bail!("sizes have a rank") };
            let larger = |(a, b): (&Dim, &Dim)| match (a.size(), b.size()) {
                (Some(a), Some(b)) => Dim::from(a.max(b)),
                _ => Dim::UNKNOWN,
            };
            one(DType::F32, a.iter().zip(b).map(larger).collect())
        }
        _ => {
            one(DType::F32, rank.dim(0)?.size().map_or(Shape::unknown(), |n| Shape::of_rank(n - 1)))
        }
    }
}

/// A sequence that is not empty: its place in the result, and where its values lie.
type Sequence = (usize, Range<usize>);

/// The sequences of a sparse tensor that are not empty, in order.
fn sequences(c: &KernelContext<'_>, at: usize, dims: &Dims) -> Result<Vec<Sequence>> {
    let rank = dims.len() + 1;
    let mut all: Vec<Sequence> = Vec::new();
    let mut last: Option<&[i64]> = None;
    for (i, index) in c.input(at).as_slice::<i64>()?.chunks_exact(rank).enumerate() {
        let place = index.iter().zip(dims).try_fold(0, |place, (i, n)| {
            let i = usize::try_from(*i).ok().filter(|i| i < n)?;
            Some(place * n + i)
        });
        let place = place.ok_or_else(|| err!("index {index:?} is not in the shape {dims:?}"))?;
        if last.is_some_and(|last| index[..rank - 1] < last[..rank - 1]) {
            bail!("index {index:?} does not follow {last:?}");
        }
        last = Some(index);
        match all.last_mut() {
            Some((same, values)) if *same == place => values.end = i + 1,
            _ => all.push((place, i..i + 1)),
        }
    }
    Ok(all)
}

/// How many insertions, deletions and substitutions make one sequence another.
fn distance<T: PartialEq>(a: &[T], b: &[T], row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=b.len());
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let least = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = least;
        }
    }
    row[b.len()]
}

pub(in crate::ops) fn kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let (a, b) = (c.input(2).to_i64s()?, c.input(5).to_i64s()?);
    let larger = |(a, b): (&i64, &i64)| {
        usize::try_from(*a.max(b)).map_err(|_| err!("a size is negative: {a}"))
    };
    let dims: Dims =
        a[..a.len() - 1].iter().zip(&b[..b.len() - 1]).map(larger).collect::<Result<_>>()?;
    crate::array::num_elements(&dims, 4)?;
    let (hypotheses, truths) = (sequences(c, 0, &dims)?, sequences(c, 3, &dims)?);
    let normalize = c.get(EditDistance::NORMALIZE)?;
    let fill = |between: &mut dyn FnMut(Range<usize>, Range<usize>) -> usize| {
        c.output_slice(&dims, |out: &mut [f32]| {
            out.fill(0.0);
            let (mut a, mut b) = (hypotheses.iter().peekable(), truths.iter().peekable());
            let next = |x: Option<&&Sequence>| x.map_or(usize::MAX, |(place, _)| *place);
            // Sequences that are empty on both sides are equal.
            while a.peek().is_some() || b.peek().is_some() {
                let place = next(a.peek()).min(next(b.peek()));
                let here = |x: Option<&Sequence>| x.map_or(0..0, |(_, values)| values.clone());
                let x = here(a.next_if(|(i, _)| *i == place));
                let y = here(b.next_if(|(i, _)| *i == place));
                let (length, n) = (y.len() as f32, between(x, y) as f32);
                out[place] = if !normalize || n == 0.0 { n } else { n / length };
            }
            Ok(())
        })
    };
    let mut row = Vec::new();
    let out = if c.input(1).dtype() == DType::String {
        let (x, y) = (c.input(1).as_strings()?, c.input(4).as_strings()?);
        fill(&mut |a, b| distance(&x[a], &y[b], &mut row))
    } else {
        typed!(tabled, c, c.input(1).dtype(), T => {
            let (x, y) = (c.input(1).as_slice::<T>()?, c.input(4).as_slice::<T>()?);
            fill(&mut |a, b| distance(&x[a], &y[b], &mut row))
        })
    }?;
    Ok([out].into())
}
