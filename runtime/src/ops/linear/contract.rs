//! Einsum, composed of transpositions, sums and matrix products; biases.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use super::infer::Sizes;
use crate::array::{Array, Dims, extent};
use crate::ir::{Attrs, KEEP_DIMS, KernelContext, OpDef, Outputs, only};
use crate::ops::linear::equation::{Equation, Label, Labels};
use crate::ops::linear::infer::channel_axis;
use crate::ops::movement::kernel::transposed;
use crate::ops::rules::moves::{Move, Moved, Strided, moved, row_major};
use crate::ops::{Add, BatchMatMul, BiasAdd, Einsum, NamedOp, Op, ReduceSum};
use crate::types::{Result, Shape, bail, err};

/// Runs an op and returns its only result.
fn call(op: &OpDef, inputs: &[&Array], attrs: &Attrs) -> Result<Array> {
    op.run_one(inputs, attrs)
}

/// An array with a label for each axis; the labels differ.
struct Labelled {
    array: Array,
    labels: Labels,
}

impl Labelled {
    /// Labels the axes of an array; axes of the same label become their diagonal.
    fn new(c: &KernelContext<'_>, array: &Array, labels: &[Label]) -> Result<Self> {
        let own = row_major(array.dims());
        let mut once = Labels::new();
        let (mut dims, mut strides) = (Dims::new(), SmallVec::<[isize; 4]>::new());
        for (axis, label) in labels.iter().enumerate() {
            match once.iter().position(|l| l == label) {
                // A step along the diagonal is a step along each of its axes.
                Some(i) => strides[i] += own[axis],
                None => {
                    once.push(*label);
                    dims.push(array.dims()[axis]);
                    strides.push(own[axis]);
                }
            }
        }
        let array = match once.len() == labels.len() {
            true => array.clone(),
            false => only(moved(
                c,
                &[array],
                dims.clone(),
                &Strided { offset: 0, dims, strides, par: c.par },
            )?)?,
        };
        Ok(Self { array, labels: once })
    }

    fn size(&self, label: Label) -> usize {
        self.labels.iter().position(|l| *l == label).map_or(1, |axis| self.array.dims()[axis])
    }

    /// Sums over the axes whose label is not kept.
    fn keep(&mut self, kept: impl Fn(Label) -> bool) -> Result<()> {
        let gone: Vec<i64> =
            (0..self.labels.len()).filter(|i| !kept(self.labels[*i])).map(|i| i as i64).collect();
        if !gone.is_empty() {
            let attrs = Attrs::new().with(KEEP_DIMS, &false);
            self.array = call(ReduceSum::DEF, &[&self.array, &Array::from_i64s(&gone)], &attrs)?;
            self.labels.retain(|l| kept(*l));
        }
        Ok(())
    }

    /// The array transposed to this order of its labels.
    fn ordered(&self, c: &KernelContext<'_>, labels: &[Label]) -> Result<Array> {
        let axis = |l: &Label| self.labels.iter().position(|own| own == l);
        let perm: Option<Dims> = labels.iter().map(axis).collect();
        let perm = perm.ok_or_else(|| err!(Internal, "a label is missing"))?;
        if perm.iter().enumerate().all(|(i, p)| i == *p) {
            return Ok(self.array.clone());
        }
        transposed(c, &self.array, &perm)
    }
}

/// The labels of two arrays by their role in a product of stacks of matrices.
#[derive(Default)]
struct Roles {
    batch: Labels,
    left: Labels,
    inner: Labels,
    right: Labels,
}

impl Roles {
    fn new(a: &Labelled, b: &Labelled, output: &[Label]) -> Self {
        let mut roles = Self::default();
        let hidden = |l: &&Label| matches!(l, Label::Ellipsis(_));
        // Axes of ellipses broadcast, so all of them are batch axes.
        for l in output.iter().filter(hidden) {
            if !roles.batch.contains(l) {
                roles.batch.push(*l);
            }
        }
        for l in a.labels.iter().filter(|l| !hidden(l)) {
            match (b.labels.contains(l), output.contains(l)) {
                (true, true) => roles.batch.push(*l),
                (true, false) => roles.inner.push(*l),
                _ => roles.left.push(*l),
            }
        }
        let only_b = |l: &&Label| !hidden(l) && !a.labels.contains(l);
        roles.right.extend(b.labels.iter().filter(only_b).copied());
        roles
    }
}

/// An operand of a product as a stack of matrices; a batch axis that it lacks has size 1.
fn stack_of(
    c: &KernelContext<'_>,
    x: &Labelled,
    batch: &[Label],
    rows: &[Label],
    columns: &[Label],
) -> Result<Array> {
    let own = batch.iter().filter(|l| x.labels.contains(l));
    let order: Labels = own.chain(rows).chain(columns).copied().collect();
    let mut dims: Dims = batch.iter().map(|l| x.size(*l)).collect();
    dims.push(extent(&rows.iter().map(|l| x.size(*l)).collect::<Dims>()));
    dims.push(extent(&columns.iter().map(|l| x.size(*l)).collect::<Dims>()));
    x.ordered(c, &order)?.reshape(dims)
}

fn product(
    c: &KernelContext<'_>,
    a: &Labelled,
    b: &Labelled,
    output: &[Label],
) -> Result<Labelled> {
    let roles = Roles::new(a, b, output);
    let x = stack_of(c, a, &roles.batch, &roles.left, &roles.inner)?;
    let y = stack_of(c, b, &roles.batch, &roles.inner, &roles.right)?;
    let attrs = BatchMatMul { adj_x: false, adj_y: false }.attrs();
    let product = call(BatchMatMul::DEF, &[&x, &y], &attrs)?;
    let mut dims: Dims = product.dims()[..roles.batch.len()].into();
    dims.extend(roles.left.iter().map(|l| a.size(*l)));
    dims.extend(roles.right.iter().map(|l| b.size(*l)));
    let labels = [&roles.batch[..], &roles.left, &roles.right].concat();
    Ok(Labelled { array: product.reshape(dims)?, labels: labels.into() })
}

/// Writes elements along diagonals and zeros elsewhere: the inverse of taking the diagonal.
struct Spread {
    dims: Dims,
    /// How far a step along each axis moves in the result.
    steps: Dims,
}

impl Move for Spread {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        for out in out.iter_mut() {
            out.write(T::default());
        }
        let mut place: Dims = SmallVec::from_elem(0, self.dims.len());
        let mut at = 0;
        for x in sources[0] {
            out[at].write(*x);
            for axis in (0..place.len()).rev() {
                place[axis] += 1;
                at += self.steps[axis];
                if place[axis] < self.dims[axis] {
                    break;
                }
                at -= self.steps[axis] * self.dims[axis];
                place[axis] = 0;
            }
        }
        Ok(())
    }
}

/// The result with its axes in the order of `output`; a repeated label makes a diagonal.
fn arranged(c: &KernelContext<'_>, x: &Labelled, output: &[Label]) -> Result<Array> {
    let mut once = Labels::new();
    for l in output {
        if !once.contains(l) {
            once.push(*l);
        }
    }
    let x = x.ordered(c, &once)?;
    if once.len() == output.len() {
        return Ok(x);
    }
    let axis = |l: &Label| once.iter().position(|o| o == l).unwrap_or(0);
    let dims: Dims = output.iter().map(|l| x.dims()[axis(l)]).collect();
    // Check that the size does not overflow before computing steps from it.
    crate::array::num_elements(&dims, x.dtype().size().unwrap_or(1))?;
    let mut steps: Dims = SmallVec::from_elem(0, once.len());
    for (l, stride) in output.iter().zip(row_major(&dims)) {
        steps[axis(l)] += stride as usize;
    }
    only(moved(c, &[&x], dims, &Spread { dims: x.dims().into(), steps })?)
}

pub(in crate::ops) fn einsum(c: &KernelContext<'_>) -> Result<Outputs> {
    let equation = Equation::parse(&c.get(Einsum::EQUATION)?, c.inputs.len())?;
    let ranks: Vec<usize> = c.inputs.iter().map(|a| a.rank()).collect();
    let (labels, output) = equation.labels(&ranks)?;
    let shapes: Vec<Shape> = c.inputs.iter().map(|a| a.shape()).collect();
    Sizes::new(&equation, &labels, &shapes.iter().collect::<Vec<_>>())?;
    let inputs = c.inputs.iter().zip(&labels).map(|(a, labels)| Labelled::new(c, a, labels));
    let mut inputs = inputs.collect::<Result<Vec<_>>>()?;
    let result = match &mut inputs[..] {
        [x] => {
            x.keep(|l| output.contains(&l))?;
            arranged(c, x, &output)?
        }
        [a, b] => {
            a.keep(|l| output.contains(&l) || b.labels.contains(&l))?;
            b.keep(|l| output.contains(&l) || a.labels.contains(&l))?;
            arranged(c, &product(c, a, b, &output)?, &output)?
        }
        _ => bail!("one or two tensors, not {}; `ops::einsum` takes more", c.inputs.len()),
    };
    Ok([result].into())
}

fn channels(c: &KernelContext<'_>) -> Result<usize> {
    channel_axis(&c.get(BiasAdd::DATA_FORMAT)?, c.input(0).rank())
}

pub(in crate::ops) fn bias_add(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, bias) = (c.input(0), c.input(1));
    let axis = channels(c)?;
    if bias.dims() != &x.dims()[axis..=axis] {
        bail!(
            "{} biases for shape {}, of which axis {axis} has the channels",
            bias.shape(),
            x.shape()
        );
    }
    let mut dims: Dims = SmallVec::from_elem(1, x.rank());
    dims[axis] = bias.len();
    Add::default().compute(&[x, &bias.reshape(dims)?])
}

pub(in crate::ops) fn bias_add_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let channels = channels(c)?;
    let others: Vec<i64> =
        (0..c.input(0).rank()).filter(|i| *i != channels).map(|i| i as i64).collect();
    let attrs = Attrs::new().with(KEEP_DIMS, &false);
    ReduceSum::DEF.run(&[c.input(0), &Array::from_i64s(&others)], &attrs)
}
