//! Kernels of diagonals and bands of matrices.

use std::mem::MaybeUninit;

use extype_kernels::movement as loops;
use extype_kernels::movement::Band;

use crate::array::{Array, Dims, num_elements};
use crate::ir::{KernelContext, Outputs};
use crate::ops::MatrixDiag;
use crate::ops::diagonals::infer::{band_of, bounds, matrix_size, packed_batch, packed_sizes};
use crate::ops::rules::moves::{Move, Moved, Strided, moved};
use crate::ops::slicing::kernel::fill;
use crate::types::{Dim, Result, bail};

/// The only integer of an input.
fn integer(c: &KernelContext<'_>, i: usize, name: &str) -> Result<i64> {
    match c.input(i).to_i64s()?[..] {
        [n] => Ok(n),
        _ => bail!("`{name}` is one integer, not of shape {}", c.input(i).shape()),
    }
}

/// The batch axes of an array, and the sizes of its matrices.
fn matrices(x: &Array) -> Result<(&[usize], [usize; 2])> {
    match x.dims() {
        [batch @ .., rows, columns] => Ok((batch, [*rows, *columns])),
        _ => bail!("a matrix has two axes at least; the shape is {}", x.shape()),
    }
}

struct BandPart([usize; 2], [usize; 2]);

impl Move for BandPart {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        loops::band_part(sources[0], self.0, self.1, out);
        Ok(())
    }
}

pub(in crate::ops) fn matrix_band_part(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let (_, size) = matrices(x)?;
    let kept = |i: usize, n: usize, name: &str| match integer(c, i, name)? {
        k if k > n as i64 => bail!("`{name}` = {k} is more than the size {n}"),
        // A negative number keeps all.
        k => Ok(usize::try_from(k).unwrap_or(usize::MAX)),
    };
    let kept = [kept(1, size[0], "num_lower")?, kept(2, size[1], "num_upper")?];
    moved(c, &[x], x.dims(), &BandPart(size, kept))
}

/// Sets packed diagonals, the second source, into matrices. The first source holds these matrices, or a
/// scalar to fill them with.
struct SetDiagonals(Band);

impl Move for SetDiagonals {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        match sources[0] {
            base if base.len() == out.len() => loops::gather_rows(base, &[0], base.len(), out),
            padding => fill(out, &padding[0]),
        }
        if !out.is_empty() {
            loops::set_diagonals(sources[1], &self.0, out);
        }
        Ok(())
    }
}

pub(in crate::ops) fn matrix_diag(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, padding) = (c.input(0), c.input(4));
    let k = c.input(1).to_i64s()?;
    if padding.rank() != 0 {
        bail!("the padding is a scalar, not of shape {}", padding.shape());
    }
    let Some(length) = x.dims().last().copied() else { bail!("a scalar is no diagonal") };
    let sizes: Vec<Dim> = x.dims().iter().map(|n| Dim::from(*n)).collect();
    let k = bounds(&k)?;
    let batch = packed_batch(&sizes, k)?.len();
    let asked = [integer(c, 2, "num_rows")?, integer(c, 3, "num_cols")?];
    let [rows, columns] = matrix_size(length, k, asked)?;
    let (left_above, left_below) = c.get(MatrixDiag::ALIGN)?.left();
    let band = Band { rows, columns, lower: k.0, upper: k.1, length, left_above, left_below };
    let dims: Dims = x.dims()[..batch].iter().copied().chain([rows, columns]).collect();
    moved(c, &[padding, x], dims, &SetDiagonals(band))
}

struct PackDiagonals(Band);

impl Move for PackDiagonals {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        fill(out, &sources[1][0]);
        if !out.is_empty() {
            loops::diagonals(sources[0], &self.0, out);
        }
        Ok(())
    }
}

pub(in crate::ops) fn matrix_diag_part(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, padding) = (c.input(0), c.input(2));
    if padding.rank() != 0 {
        bail!("the padding is a scalar, not of shape {}", padding.shape());
    }
    let (batch, size) = matrices(x)?;
    let band = band_of(size, &c.input(1).to_i64s()?, c.get(MatrixDiag::ALIGN)?)?;
    let packed = packed_sizes(&band).iter().map(|size| size(&band));
    let dims: Dims = batch.iter().copied().chain(packed).collect();
    moved(c, &[x, padding], dims, &PackDiagonals(band))
}

pub(in crate::ops) fn matrix_set_diag(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, packed) = (c.input(0), c.input(1));
    let (batch, size) = matrices(x)?;
    let band = band_of(size, &c.input(2).to_i64s()?, c.get(MatrixDiag::ALIGN)?)?;
    let sizes = packed_sizes(&band).iter().map(|size| size(&band));
    let want: Dims = batch.iter().copied().chain(sizes).collect();
    if want[..] != *packed.dims() {
        bail!("diagonals of shape {} for shape {}", packed.shape(), x.shape());
    }
    moved(c, &[x, packed], x.dims(), &SetDiagonals(band))
}

/// Puts elements on the diagonal of a square matrix, and zeros elsewhere.
struct Diagonal(usize);

impl Move for Diagonal {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        fill(out, &T::default());
        loops::strided_assign(sources[0], 0, &[self.0], &[self.0 as isize + 1], out);
        Ok(())
    }
}

pub(in crate::ops) fn diag(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    if x.rank() == 0 {
        bail!("a scalar is no diagonal; give it one axis at least");
    }
    let dims: Dims = [x.dims(), x.dims()].concat().into();
    num_elements(&dims, x.dtype().size().unwrap_or(1))?;
    moved(c, &[x], dims, &Diagonal(x.len()))
}

pub(in crate::ops) fn diag_part(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let (a, b) = x.dims().split_at(x.rank() / 2);
    if x.rank() == 0 || a != b {
        bail!("shape {} has no two equal halves", x.shape());
    }
    let n = num_elements(a, 1)?;
    let view = Strided {
        offset: 0,
        dims: [n].as_slice().into(),
        strides: smallvec::smallvec![n as isize + 1],
        par: c.par,
    };
    moved(c, &[x], a, &view)
}
