//! Layouts of images: axes and vectors of sizes from one layout to another.

use crate::array::Array;
use crate::define_op;
use crate::ir::{AttrKey, InferContext, KernelContext, Outputs, Types};
use crate::ops::rules::infer::one;
use crate::ops::rules::moves::{Gathered, moved};
use crate::ops::rules::same_shape;
use crate::types::{DTypeSet, Dim, Result, Shape, bail, err};

define_op! {
    /// The axes of another layout for axes of one; negative axes count from the end.
    ///
    /// TensorFlow: `DataFormatDimMap`. Int32 or int64 of any shape; an axis out of range is refused. Layouts have four or
    /// five letters, such as `NHWC`.
    pub op DataFormatDimMap = "DataFormatDimMap" {
        inputs: { x: T }, outputs: { y: T },
        types: { T: DTypeSet::INDEX },
        attrs: { src_format: String = "NHWC".into(), dst_format: String = "NCHW".into() },
        infer: |c| { Places::new(|key| c.get(key))?; same_shape(c) },
        kernel: axes,
        gradient: none,
    }

    /// A vector with an element for each axis, or a matrix with a row for each, in the order of another layout. There may
    /// also be elements for the axes of space alone.
    ///
    /// TensorFlow: `DataFormatVecPermute`.
    pub op DataFormatVecPermute = "DataFormatVecPermute" {
        inputs: { x: T }, outputs: { y: T },
        types: { T: DTypeSet::INDEX },
        attrs: { src_format: String = "NHWC".into(), dst_format: String = "NCHW".into() },
        infer: permuted, kernel: permute,
        gradient: none,
    }
}

/// The place of each axis of the new layout in the old one.
struct Places {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Places {
    fn new(get: impl Fn(AttrKey<String>) -> Result<String>) -> Result<Self> {
        // Both ops have the attributes, so the keys of one read them.
        let from = get(DataFormatDimMap::SRC_FORMAT)?.into_bytes();
        let to = get(DataFormatDimMap::DST_FORMAT)?.into_bytes();
        let sorted = |s: &[u8]| {
            let mut s = s.to_vec();
            s.sort_unstable();
            s
        };
        let letters = sorted(&from);
        if ![4, 5].contains(&from.len())
            || letters != sorted(&to)
            || letters.windows(2).any(|w| w[0] == w[1])
        {
            bail!(
                "layouts are four or five letters in two orders, not {:?} and {:?}",
                String::from_utf8_lossy(&from),
                String::from_utf8_lossy(&to)
            );
        }
        Ok(Self { from, to })
    }

    /// For vectors of this size.
    fn of_size(mut self, n: usize) -> Result<Vec<i64>> {
        if n + 2 == self.from.len() {
            for format in [&mut self.from, &mut self.to] {
                format.retain(|c| b"DHW".contains(c));
            }
        }
        if n != self.from.len() {
            bail!("{n} elements for the axes {:?}", String::from_utf8_lossy(&self.from));
        }
        let place = |c: &u8| self.from.iter().position(|f| f == c).unwrap_or(0) as i64;
        Ok(self.to.iter().map(place).collect())
    }
}

fn axes(c: &KernelContext<'_>) -> Result<Outputs> {
    let Places { from, to } = Places::new(|key| c.get(key))?;
    let n = from.len() as i64;
    let table: Vec<i64> =
        from.iter().filter_map(|f| to.iter().position(|t| t == f)).map(|i| i as i64).collect();
    let mut axes = c.input(0).to_i64s()?;
    for axis in &mut axes {
        let at = if *axis < 0 { axis.saturating_add(n) } else { *axis };
        let found = usize::try_from(at).ok().and_then(|at| table.get(at));
        *axis = *found.ok_or_else(|| err!("axis {axis} is not in [-{n}, {n})"))?;
    }
    let mapped = Array::from_slice(c.input(0).dims(), &axes)?;
    Ok([crate::ops::ordering::kernel::cast(&mapped, c.input(0).dtype())?].into())
}

fn permuted(c: &InferContext<'_>) -> Result<Types> {
    let places = Places::new(|key| c.get(key))?;
    let shape = c.shape(0);
    match shape.dims() {
        Some([n]) => check(places, *n)?,
        Some([n, pair]) if pair.is_compatible_with(Dim::from(2)) => check(places, *n)?,
        Some(_) => bail!("a vector, or a matrix of two columns, is wanted, not shape {shape}"),
        None => {}
    }
    one(c.input(0).dtype, Shape::clone(shape))
}

fn check(places: Places, n: Dim) -> Result<()> {
    n.size().map_or(Ok(()), |n| places.of_size(n).map(|_| ()))
}

fn permute(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let Some(n) = x.dims().first().copied() else { bail!("a scalar has no axes") };
    let indices = Places::new(|key| c.get(key))?.of_size(n)?;
    let inner = x.len() / n.max(1);
    moved(c, &[x], x.dims(), &Gathered { batch: 1, extents: [1, n, inner], indices: &indices })
}
