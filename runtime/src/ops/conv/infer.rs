//! Types of results: convolutions and their gradients.

use super::Family;
use super::windows::Windows;
use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::types::{Dim, Result, Shape, bail, err};

/// A shape with one axis for each of the images, or `None` if its rank is not known.
fn dims<'a>(
    c: &'a InferContext<'_>,
    i: usize,
    rank: usize,
    what: &str,
) -> Result<Option<&'a [Dim]>> {
    c.shape(i).with_rank(rank).map_err(|e| e.prefixed(format_args!("`{what}`")))?;
    Ok(c.shape(i).dims())
}

/// The sizes that a vector gives, or `None` if they are not known. There are as many as one of `counts`.
pub(in crate::ops) fn sizes(
    c: &InferContext<'_>,
    i: usize,
    counts: &[usize],
    what: &str,
) -> Result<Option<Vec<usize>>> {
    let shape = c.shape(i).with_rank(1).map_err(|e| e.prefixed(format_args!("`{what}`")))?;
    let count = shape.dim(0)?;
    if !counts.iter().any(|n| count.is_compatible_with((*n).into())) {
        bail!("`{what}` has {count} sizes, not {}", counts[0]);
    }
    let Some(sizes) = c.integers(i) else { return Ok(None) };
    let size = |n: &i64| usize::try_from(*n).map_err(|_| err!("`{what}` has a negative size, {n}"));
    sizes.iter().map(size).collect::<Result<_>>().map(Some)
}

/// The features that filters make of this many channels.
fn features<F: Family>(channels: Dim, filter: &[Dim]) -> Result<Dim> {
    let [.., each, count] = *filter else { return Ok(Dim::UNKNOWN) };
    // Volumes want features too, as TensorFlow has it.
    let wanted = if F::SPATIAL == 3 { filter } else { &filter[..=F::SPATIAL] };
    if wanted.iter().any(|d| d.size() == Some(0)) {
        bail!(
            "the filters, of shape {}, have no elements",
            filter.iter().copied().collect::<Shape>()
        );
    }
    if F::DEPTHWISE {
        if !channels.is_compatible_with(each) {
            bail!("filters for {each} channels of images that have {channels}");
        }
        return match (channels.size().or(each.size()), count.size()) {
            (Some(channels), Some(n)) => {
                let all = channels.checked_mul(n);
                Ok(all.ok_or_else(|| err!("{n} features for {channels} channels overflow"))?.into())
            }
            _ => Ok(Dim::UNKNOWN),
        };
    }
    if let (Some(channels), Some(each)) = (channels.size(), each.size()) {
        if channels % each != 0 || channels == 0 {
            bail!(
                "filters over {each} channels don't divide the {channels} channels of the images"
            );
        }
        let groups = channels / each;
        if count.size().is_some_and(|n| groups > 0 && n % groups != 0) {
            bail!("{count} filters don't divide into {groups} groups of {each} channels");
        }
    }
    Ok(count)
}

/// The sizes of the output for images and filters.
fn outputs<F: Family>(w: &Windows, images: &[Dim], filter: &[Dim]) -> Result<Vec<Dim>> {
    let along = |i: usize| w.output(i, images[w.axis(i)], filter[i]);
    let spatial = (0..F::SPATIAL).map(along).collect::<Result<Vec<Dim>>>()?;
    Ok(w.ordered(images[0], &spatial, features::<F>(images[w.channels], filter)?))
}

pub(in crate::ops) fn forward<F: Family>(c: &InferContext<'_>) -> Result<Types> {
    let w = Windows::of(c.attrs, F::SPATIAL)?;
    let images = dims(c, 0, F::SPATIAL + 2, "input")?;
    let filter = dims(c, 1, F::SPATIAL + 2, "filter")?;
    let unknown = [Dim::UNKNOWN; 5];
    let unknown = &unknown[..F::SPATIAL + 2];
    let y = outputs::<F>(&w, images.unwrap_or(unknown), filter.unwrap_or(unknown))?;
    one(c.input(0).dtype, y.into_iter().collect())
}

/// Refuses a gradient of the output that these images and filters don't have.
fn check<F: Family>(w: &Windows, images: &[Dim], filter: &[Dim], dy: Option<&[Dim]>) -> Result<()> {
    let want = outputs::<F>(w, images, filter)?;
    if let Some(dy) = dy
        && !want.iter().zip(dy).all(|(a, b)| a.is_compatible_with(*b))
    {
        let shape = |dims: &[Dim]| dims.iter().copied().collect::<Shape>();
        bail!("`out_backprop` has shape {}, the output {}", shape(dy), shape(&want));
    }
    Ok(())
}

/// The sizes of all axes, from those or from the spatial ones. The others are those of the gradient and the filters.
pub(in crate::ops) fn input_sizes<T: Copy>(
    w: &Windows,
    sizes: &[usize],
    batch: T,
    channels: T,
    size: fn(usize) -> T,
) -> Vec<T> {
    let sizes: Vec<T> = sizes.iter().map(|n| size(*n)).collect();
    match sizes.len() == w.spatial() {
        true => w.ordered(batch, &sizes, channels),
        false => sizes,
    }
}

pub(in crate::ops) fn input<F: Family>(c: &InferContext<'_>) -> Result<Types> {
    let (w, rank) = (Windows::of(c.attrs, F::SPATIAL)?, F::SPATIAL + 2);
    let filter = dims(c, 1, rank, "filter")?;
    let dy = dims(c, 2, rank, "out_backprop")?;
    let Some(sizes) = sizes(c, 0, &[rank, F::SPATIAL], "input_sizes")? else {
        return one(c.input(1).dtype, Shape::of_rank(rank));
    };
    let unknown = [Dim::UNKNOWN; 5];
    let filter = filter.unwrap_or(&unknown[..rank]);
    let batch = dy.map_or(Dim::UNKNOWN, |dims| dims[0]);
    let images = input_sizes(&w, &sizes, batch, filter[F::SPATIAL], Dim::from);
    check::<F>(&w, &images, filter, dy)?;
    one(c.input(1).dtype, images.into_iter().collect())
}

pub(in crate::ops) fn filter<F: Family>(c: &InferContext<'_>) -> Result<Types> {
    let (w, rank) = (Windows::of(c.attrs, F::SPATIAL)?, F::SPATIAL + 2);
    let images = dims(c, 0, rank, "input")?;
    let dy = dims(c, 2, rank, "out_backprop")?;
    let Some(sizes) = sizes(c, 1, &[rank], "filter_sizes")? else {
        return one(c.input(0).dtype, Shape::of_rank(rank));
    };
    let filter: Vec<Dim> = sizes.into_iter().map(Dim::from).collect();
    let unknown = [Dim::UNKNOWN; 5];
    check::<F>(&w, images.unwrap_or(&unknown[..rank]), &filter, dy)?;
    one(c.input(0).dtype, filter.into_iter().collect())
}
