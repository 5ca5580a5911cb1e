//! Output types of matrix products, einsum and biases.

use crate::ir::{Attrs, InferContext, Types};
use crate::ops::linear::equation::{Equation, Label, Labels};
use crate::ops::rules::infer::one;
use crate::ops::{BatchMatMul, BiasAdd, Einsum, MatMul, SlidingSums};
use crate::types::{Dim, Result, Shape, bail};

pub(in crate::ops) fn matmul(c: &InferContext<'_>) -> Result<Types> {
    let (ta, tb) = (c.get(MatMul::TRANSPOSE_A)?, c.get(MatMul::TRANSPOSE_B)?);
    let (a, b) = (c.shape(0).with_rank(2)?, c.shape(1).with_rank(2)?);
    let (m, k) = (a.dim(i64::from(ta))?, a.dim(i64::from(!ta))?);
    let (k2, n) = (b.dim(i64::from(tb))?, b.dim(i64::from(!tb))?);
    if !k.is_compatible_with(k2) {
        bail!("inner dimensions differ: {} × {} ({k} ≠ {k2})", c.shape(0), c.shape(1));
    }
    one(c.input(0).dtype, [m, n].into_iter().collect())
}

pub(in crate::ops) fn batch_matmul(c: &InferContext<'_>) -> Result<Types> {
    let (ta, tb) = (c.get(BatchMatMul::ADJ_X)?, c.get(BatchMatMul::ADJ_Y)?);
    let (a, b) = (c.shape(0).with_rank_at_least(2)?, c.shape(1).with_rank_at_least(2)?);
    if a.rank().is_none() || b.rank().is_none() {
        return one(c.input(0).dtype, Shape::unknown());
    }
    let (at, bt) = (|t: bool| -1 - i64::from(t), |t: bool| -1 - i64::from(t));
    let (m, k) = (a.dim(at(!ta))?, a.dim(at(ta))?);
    let (k2, n) = (b.dim(bt(!tb))?, b.dim(bt(tb))?);
    if !k.is_compatible_with(k2) {
        bail!("inner dimensions differ: {a} × {b} ({k} ≠ {k2})");
    }
    let batch = a.slice(None, Some(-2)).broadcast(&b.slice(None, Some(-2)))?;
    one(c.input(0).dtype, batch.concatenate(&[m, n].into_iter().collect()))
}

/// The size of each label, in the order of their first occurrence.
pub(in crate::ops) struct Sizes(Vec<(Label, Dim)>);

impl Sizes {
    /// From the shapes of the inputs: one size for each letter; axes of ellipses broadcast.
    pub(in crate::ops) fn new(
        equation: &Equation,
        labels: &[Labels],
        shapes: &[&Shape],
    ) -> Result<Self> {
        let mut sizes = Self(Vec::new());
        for (i, (labels, shape)) in labels.iter().zip(shapes).enumerate() {
            for (axis, (label, d)) in
                labels.iter().zip(shape.dims().unwrap_or_default()).enumerate()
            {
                let Some((_, known)) = sizes.0.iter_mut().find(|(l, _)| l == label) else {
                    sizes.0.push((*label, *d));
                    continue;
                };
                let (a, b) = (known.size(), d.size());
                *known = match label {
                    Label::Ellipsis(_) if a == Some(1) => *d,
                    Label::Ellipsis(_) if b == Some(1) => *known,
                    // In an ellipsis a known size is not 1 here, so an unknown one is equal to it, or 1. Sizes of a
                    // letter are equal.
                    _ if a.is_none() => *d,
                    _ if b.is_none() || a == b => *known,
                    _ => bail!(
                        "`{equation}`: axis {axis} of input {i}, shape {shape}, has size {d}; an \
                         axis of the same label has {known}"
                    ),
                };
            }
        }
        Ok(sizes)
    }

    pub(in crate::ops) fn of(&self, label: Label) -> Dim {
        self.0.iter().find(|(l, _)| *l == label).map_or(Dim::UNKNOWN, |(_, d)| *d)
    }

    /// The shape of a tensor with these labels.
    pub(in crate::ops) fn shape(&self, labels: &[Label]) -> Shape {
        labels.iter().map(|l| self.of(*l)).collect()
    }
}

pub(in crate::ops) fn einsum(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let equation = Equation::parse(&c.get(Einsum::EQUATION)?, c.inputs.len())?;
    let mut ranks = Vec::new();
    for (t, subscripts) in c.inputs.iter().zip(&equation.inputs) {
        // Without an ellipsis the equation determines the rank.
        match t.shape.rank() {
            Some(rank) => ranks.push(rank),
            None if !subscripts.has_ellipsis() => ranks.push(subscripts.letters().count()),
            None => {
                let letters = equation.output.letters().count();
                let ellipsis = equation.output.has_ellipsis();
                return one(
                    dtype,
                    if ellipsis { Shape::unknown() } else { Shape::of_rank(letters) },
                );
            }
        }
    }
    let (inputs, output) = equation.labels(&ranks)?;
    let shapes: Vec<Shape> = c
        .inputs
        .iter()
        .zip(&ranks)
        .map(|(t, rank)| t.shape.with_rank(*rank))
        .collect::<Result<_>>()?;
    let sizes = Sizes::new(&equation, &inputs, &shapes.iter().collect::<Vec<_>>())?;
    one(dtype, sizes.shape(&output))
}

/// The axis of the channels in a data format.
pub(in crate::ops) fn channel_axis(format: &str, rank: usize) -> Result<usize> {
    if rank < 2 {
        bail!("a batch and channels are wanted: rank 2 or more, not {rank}");
    }
    match format {
        "NCHW" => Ok(1),
        "NHWC" => Ok(rank - 1),
        other => bail!("no data format {other:?}; there are NHWC and NCHW"),
    }
}

pub(in crate::ops) fn bias_add(c: &InferContext<'_>) -> Result<Types> {
    let (x, bias) = (c.shape(0).with_rank_at_least(2)?, c.shape(1).with_rank(1)?);
    let Some(dims) = x.dims() else { return one(c.input(0).dtype, Shape::unknown()) };
    let axis = channel_axis(&c.get(BiasAdd::DATA_FORMAT)?, dims.len())?;
    let Some(channels) = dims[axis].merge(bias.dim(0)?) else {
        bail!("{bias} biases for shape {x}, which has {} channels in axis {axis}", dims[axis]);
    };
    let merged = dims.iter().enumerate().map(|(i, d)| if i == axis { channels } else { *d });
    one(c.input(0).dtype, merged.collect())
}

/// One entry for each channel.
pub(in crate::ops) fn bias_add_grad(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank_at_least(2)?;
    let channels = match x.dims() {
        Some(dims) => dims[channel_axis(&c.get(BiasAdd::DATA_FORMAT)?, dims.len())?],
        None => Dim::UNKNOWN,
    };
    one(c.input(0).dtype, [channels].into_iter().collect())
}

pub(in crate::ops) fn sliding_sums(c: &InferContext<'_>) -> Result<Types> {
    let (x, y) = (c.shape(0).with_rank_at_least(1)?, c.shape(1).with_rank_at_least(1)?);
    let rows = x.slice(None, Some(-1)).merge(&y.slice(None, Some(-1)))?;
    let count = match (x.dim(-1)?.size(), y.dim(-1)?.size()) {
        (Some(n), Some(m)) => Dim::from(windows(n, m, c.attrs)?.1),
        _ => Dim::UNKNOWN,
    };
    one(c.input(0).dtype, rows.concatenate(&[count].into_iter().collect()))
}

/// By how much a window of `m` elements begins before `n` of them, and how many such windows there are.
pub(in crate::ops) fn windows(n: usize, m: usize, attrs: &Attrs) -> Result<(i64, usize)> {
    let ends = [attrs.get(SlidingSums::BEFORE)?, attrs.get(SlidingSums::AFTER)?].map(i128::from);
    let last = m as i128 - 1;
    let [before, after] = match attrs.get(SlidingSums::TURNED)? {
        true => ends.map(|n| last - n),
        false => ends,
    };
    let count = n as i128 + before + after - last;
    match usize::try_from(count) {
        // Where a window begins so far away, nothing lies under it.
        Ok(count @ 1..) if n > 0 && m > 0 => Ok((before.min(i64::MAX.into()) as i64, count)),
        _ => bail!(
            "a window of {m} that begins {before} before {n} elements and ends {after} behind them"
        ),
    }
}
