//! Copies from strided views: transposes, slices, broadcasts, reversals.

use super::clone_to;
use crate::counter::{Counter, Dim};
use crate::par::Par;
use crate::size::volume;
use core::mem::MaybeUninit;

/// The side of the squares in which a transpose is copied. They are turned in registers.
const TILE: usize = 8;

/// Writes the elements of a strided view in row-major order.
///
/// Element `i` of the view is `x[offset + Σ i[d] * strides[d]]`. A stride may
/// be zero or negative.
///
/// # Panics
///
/// If an element lies outside of `x`, or the lengths do not fit.
pub fn strided_copy<T: Clone + Send + Sync>(
    x: &[T],
    offset: usize,
    shape: &[usize],
    strides: &[isize],
    out: &mut [MaybeUninit<T>],
    par: Par,
) {
    assert_eq!(shape.len(), strides.len(), "one stride for each dimension");
    let len = volume(shape.iter().copied());
    assert_eq!(out.len(), len, "result does not have the shape of the view");
    if len == 0 {
        return;
    }
    let dims = merged(shape, strides);
    let Some((first, inside)) = dims.split_first() else {
        out[0].write(x[offset].clone());
        return;
    };
    let unit = len / first.size;
    par.for_parts(out, unit, len, &|start, out| {
        let offset = offset.wrapping_add((start / unit).wrapping_mul(first.steps[0]));
        let first = Dim { size: out.len() / unit, ..*first };
        copy(x, offset, first, inside, out);
    });
}

/// Writes the elements of `x` to a strided view of `out`, in row-major order of the view; other elements are kept.
///
/// # Panics
///
/// If an element of the view lies outside of `out`, or the lengths do not fit.
pub fn strided_assign<T: Clone>(
    x: &[T],
    offset: usize,
    shape: &[usize],
    strides: &[isize],
    out: &mut [MaybeUninit<T>],
) {
    assert_eq!(shape.len(), strides.len(), "one stride for each dimension");
    if x.is_empty() {
        return;
    }
    assert_eq!(x.len(), volume(shape.iter().copied()), "operand does not have the view's shape");
    let dims = merged(shape, strides);
    let Some((run, outer)) = dims.split_last() else {
        out[offset].write(x[0].clone());
        return;
    };
    let mut counter = Counter::new(outer, 0);
    for x in x.chunks_exact(run.size) {
        let mut at = offset.wrapping_add(counter.offsets[0]);
        if run.steps[0] == 1 {
            clone_to(x, &mut out[at..at + x.len()]);
        } else {
            for x in x {
                out[at].write(x.clone());
                at = at.wrapping_add(run.steps[0]);
            }
        }
        counter.advance(outer);
    }
}

/// Repeats an array `multiples[d]` times along each dimension `d`.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn tile<T: Clone + Send + Sync>(
    x: &[T],
    shape: &[usize],
    multiples: &[usize],
    out: &mut [MaybeUninit<T>],
    par: Par,
) {
    assert_eq!(shape.len(), multiples.len(), "one multiple for each dimension");
    assert_eq!(x.len(), volume(shape.iter().copied()), "operand does not have its shape");
    let mut sizes = vec![0; 2 * shape.len()];
    let mut strides = vec![0; 2 * shape.len()];
    let mut step = 1usize;
    for d in (0..shape.len()).rev() {
        sizes[2 * d] = multiples[d];
        sizes[2 * d + 1] = shape[d];
        strides[2 * d + 1] = step as isize;
        // Wraps only if another size is zero.
        step = step.wrapping_mul(shape[d]);
    }
    strided_copy(x, 0, &sizes, &strides, out, par);
}

/// The dimensions without those of size one; neighbours that can be stepped through as one are merged.
fn merged(shape: &[usize], strides: &[isize]) -> Vec<Dim<1>> {
    let mut dims: Vec<Dim<1>> = Vec::with_capacity(shape.len());
    for (&size, &stride) in shape.iter().zip(strides) {
        let step = stride as usize;
        match dims.last_mut() {
            _ if size == 1 => {}
            Some(last) if last.steps[0] == step.wrapping_mul(size) => {
                *last = Dim { size: last.size * size, steps: [step] };
            }
            _ => dims.push(Dim { size, steps: [step] }),
        }
    }
    dims
}

/// Copies a view of at least one dimension.
fn copy<T: Clone>(
    x: &[T],
    offset: usize,
    first: Dim<1>,
    inside: &[Dim<1>],
    out: &mut [MaybeUninit<T>],
) {
    let mut dims = Vec::with_capacity(1 + inside.len());
    dims.push(first);
    dims.extend_from_slice(inside);
    let last = dims[dims.len() - 1];
    let contiguous = dims.iter().position(|dim| dim.steps == [1]);
    match contiguous {
        Some(axis) if axis + 2 == dims.len() && last.steps == [0] => {
            copy_repeated(x, offset, &dims[..axis], dims[axis].size, last.size, out);
        }
        Some(axis) if axis + 1 < dims.len() => copy_transposed(x, offset, &dims, axis, out),
        _ => copy_runs(x, offset, &dims[..dims.len() - 1], last, out),
    }
}

/// Copies rows whose elements are repeated so many times.
fn copy_repeated<T: Clone>(
    x: &[T],
    offset: usize,
    outer: &[Dim<1>],
    row: usize,
    times: usize,
    out: &mut [MaybeUninit<T>],
) {
    let mut counter = Counter::new(outer, 0);
    for out in out.chunks_exact_mut(row * times) {
        let x = &x[offset.wrapping_add(counter.offsets[0])..][..row];
        if times == 2 {
            // Known sizes become vector code.
            for (x, out) in x.iter().zip(out.as_chunks_mut::<2>().0) {
                *out = [MaybeUninit::new(x.clone()), MaybeUninit::new(x.clone())];
            }
        } else {
            for (x, out) in x.iter().zip(out.chunks_exact_mut(times)) {
                out.iter_mut().for_each(|out| {
                    out.write(x.clone());
                });
            }
        }
        counter.advance(outer);
    }
}

/// Copies run by run; a run is the last dimension.
fn copy_runs<T: Clone>(
    x: &[T],
    offset: usize,
    outer: &[Dim<1>],
    run: Dim<1>,
    out: &mut [MaybeUninit<T>],
) {
    let mut counter = Counter::new(outer, 0);
    for out in out.chunks_exact_mut(run.size) {
        let from = offset.wrapping_add(counter.offsets[0]);
        match run.steps[0] {
            1 => clone_to(&x[from..from + out.len()], out),
            0 => {
                let x = &x[from];
                for out in out {
                    out.write(x.clone());
                }
            }
            step => {
                let mut at = from;
                for out in out {
                    out.write(x[at].clone());
                    at = at.wrapping_add(step);
                }
            }
        }
        counter.advance(outer);
    }
}

/// Copies a view whose dimension `axis`, not the last, is contiguous in `x`.
///
/// Squares of that dimension and the last are small enough to stay in cache while they are read in one direction and
/// written in the other.
fn copy_transposed<T: Clone>(
    x: &[T],
    offset: usize,
    dims: &[Dim<1>],
    axis: usize,
    out: &mut [MaybeUninit<T>],
) {
    let last = dims[dims.len() - 1];
    let (others, out_row) = with_out_steps(dims, axis);
    let mut counter = Counter::new(&others, 0);
    let count: usize = others.iter().fold(1, |n: usize, dim| n.saturating_mul(dim.size));
    for _ in 0..count {
        let from = offset.wrapping_add(counter.offsets[0]);
        let to = counter.offsets[1];
        for row in (0..dims[axis].size).step_by(TILE) {
            let rows = TILE.min(dims[axis].size - row);
            for column in (0..last.size).step_by(TILE) {
                let columns = TILE.min(last.size - column);
                let from = from.wrapping_add(row).wrapping_add(column.wrapping_mul(last.steps[0]));
                let out = &mut out[to + row * out_row + column..];
                match [rows, columns] {
                    [TILE, TILE] => copy_square(x, from, last.steps[0], out, out_row),
                    sides => copy_tile(x, from, last.steps[0], out, out_row, sides),
                }
            }
        }
        counter.advance(&others);
    }
}

/// All dimensions except `axis` and the last, also with their steps in the result; and the step of `axis` in the
/// result.
fn with_out_steps(dims: &[Dim<1>], axis: usize) -> (Vec<Dim<2>>, usize) {
    let mut others = Vec::with_capacity(dims.len() - 2);
    let (mut step, mut axis_step) = (1, 0);
    for (i, dim) in dims.iter().enumerate().rev() {
        if i == axis {
            axis_step = step;
        } else if i + 1 < dims.len() {
            others.push(Dim { size: dim.size, steps: [dim.steps[0], step] });
        }
        step *= dim.size;
    }
    others.reverse();
    (others, axis_step)
}

/// [`copy_tile`] of a whole square.
#[inline(always)]
fn copy_square<T: Clone>(
    x: &[T],
    from: usize,
    step: usize,
    out: &mut [MaybeUninit<T>],
    out_row: usize,
) {
    // Each column is read whole before a row is written.
    let columns: [[T; TILE]; TILE] = core::array::from_fn(|i| {
        let from = from.wrapping_add(i.wrapping_mul(step));
        x[from..].first_chunk().expect("a column of the square").clone()
    });
    for row in 0..TILE {
        for (out, column) in out[row * out_row..][..TILE].iter_mut().zip(&columns) {
            out.write(column[row].clone());
        }
    }
}

/// Copies a tile: its rows are contiguous in the result, its columns in `x`.
#[inline(always)]
fn copy_tile<T: Clone>(
    x: &[T],
    from: usize,
    step: usize,
    out: &mut [MaybeUninit<T>],
    out_row: usize,
    [rows, columns]: [usize; 2],
) {
    for row in 0..rows {
        let mut at = from.wrapping_add(row);
        for out in &mut out[row * out_row..row * out_row + columns] {
            out.write(x[at].clone());
            at = at.wrapping_add(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;
    use proptest::prelude::*;

    fn naive(x: &[u32], offset: usize, shape: &[usize], strides: &[isize]) -> Vec<u32> {
        let len = volume(shape.iter().copied());
        (0..len)
            .map(|flat| {
                let mut rest = flat;
                let mut at = offset as isize;
                for (&size, &stride) in shape.iter().zip(strides).rev() {
                    at += (rest % size) as isize * stride;
                    rest /= size;
                }
                x[at as usize]
            })
            .collect()
    }

    fn check(x: &[u32], offset: usize, shape: &[usize], strides: &[isize]) {
        for par in [Par::Seq, Par::Pool] {
            let len = shape.iter().product();
            let got = filled(len, |out| strided_copy(x, offset, shape, strides, out, par));
            assert_eq!(got, naive(x, offset, shape, strides), "{shape:?} {strides:?}");
        }
    }

    #[test]
    fn large_transposes() {
        let x: Vec<u32> = (0..700 * 801).collect();
        check(&x, 0, &[801, 700], &[1, 801]);
        // Each element twice and three times.
        for times in [2, 3] {
            check(&x[..6000], 0, &[30, 200, times], &[200, 1, 0]);
            check(&x[..6000], 0, &[15, 200, times], &[400, 1, 0]);
        }
        // Turned by a right angle.
        check(&x, 699 * 801, &[801, 700], &[1, -801]);
        check(&x[..40 * 70 * 30], 0, &[30, 40, 70], &[1, 2100, 30]);
        check(&x[..40 * 70 * 30], 0, &[70, 30, 40], &[30, 1, 2100]);
    }

    #[test]
    fn empty_and_scalar() {
        check(&[], 0, &[2, 0], &[1, 1]);
        assert!(
            filled(0, |out| tile::<u32>(&[], &[1 << 62, 0, 1 << 62], &[3, 1, 2], out, Par::Seq))
                .is_empty()
        );
        check(&[7], 0, &[], &[]);
        check(&[7, 8], 1, &[3, 1, 2], &[0, 5, 0]);
    }

    #[test]
    fn assigning_undoes_a_copy_of_distinct_elements() {
        let views: [(usize, &[usize], &[isize]); 4] =
            [(0, &[3, 4], &[4, 1]), (11, &[3, 2], &[-4, -2]), (1, &[2, 2], &[1, 6]), (5, &[], &[])];
        for (offset, shape, strides) in views {
            let x: Vec<u32> = (1..=shape.iter().product::<usize>() as u32).collect();
            let out = filled(12, |out| {
                out.iter_mut().for_each(|out| {
                    out.write(0);
                });
                strided_assign(&x, offset, shape, strides, out);
            });
            assert_eq!(naive(&out, offset, shape, strides), x);
            assert_eq!(out.iter().filter(|n| **n == 0).count(), 12 - x.len());
        }
        assert_eq!(filled(0, |out| strided_assign::<u32>(&[], 0, &[0], &[1], out)), []);
    }

    #[test]
    fn tile_repeats() {
        let got = filled(12, |out| tile(&[1, 2, 3], &[1, 3], &[2, 2], out, Par::Seq));
        assert_eq!(got, [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
        assert!(filled(0, |out| tile(&[1, 2], &[2], &[0], out, Par::Seq)).is_empty());
    }

    proptest! {
        #[test]
        fn permuted_reversed_and_broadcast_views(
            dims in proptest::collection::vec((1usize..6, 0usize..3), 0..5),
            rotation in 0usize..5,
        ) {
            // Row-major strides, some negated or zeroed, in a rotated order.
            let mut step = 1isize;
            let mut offset = 0;
            let mut view: Vec<(usize, isize)> = Vec::new();
            for &(size, kind) in dims.iter().rev() {
                if kind == 1 {
                    offset += (size - 1) * step as usize;
                }
                view.push((size, [step, -step, 0][kind]));
                step *= size as isize;
            }
            if !view.is_empty() {
                let by = rotation % view.len();
                view.rotate_left(by);
            }
            let x: Vec<u32> = (0..step as u32).collect();
            let (shape, strides): (Vec<_>, Vec<_>) = view.into_iter().unzip();
            check(&x, offset, &shape, &strides);
        }
    }
}
