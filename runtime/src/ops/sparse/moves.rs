//! Kernels of sparse tensors that move values and compute none: dense, sorted, reshaped, joined, cut.

use std::collections::HashMap;
use std::mem::MaybeUninit;

use extype_kernels::segment::Routes;

use super::coo::{Coo, Rows, dims, picked, picked_both, place, vector, wide};
use crate::array::{Array, Dims, ask_for, copy_of, vec_for};
use crate::ir::{KernelContext, Outputs, only};
use crate::ops::movement::kernel::concatenated;
use crate::ops::rules::moves::{Move, Moved, moved};
use crate::ops::segment::ids::Ids;
use crate::ops::segment::kernel::{How, combined};
use crate::ops::{SparseConcat, SparseSplit, SparseToDense};
use crate::types::{DType, Result, bail, err, normalize_axis};

/// The first source everywhere, but the elements of the second one at these places.
struct Put<'a> {
    places: &'a [i64],
}

impl Move for Put<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let (default, values) = (&sources[0][0], sources[1]);
        for out in out.iter_mut() {
            out.write(*default);
        }
        for (i, place) in self.places.iter().enumerate() {
            // One value is put at all places.
            let value = if values.len() == 1 { &values[0] } else { &values[i] };
            out[*place as usize].write(*value);
        }
        Ok(())
    }
}

/// A dense array of `default`, with values at places.
pub(super) fn put(
    c: &KernelContext<'_>,
    sizes: &[i64],
    places: &[i64],
    [default, values]: [&Array; 2],
) -> Result<Array> {
    let dims = dims(sizes, values.dtype())?;
    only(moved(c, &[default, values], dims, &Put { places })?)
}

pub(in crate::ops) fn sparse_to_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    let (at, sizes) = (wide(c.input(0))?, wide(c.input(1))?);
    let rank = sizes.len();
    let n = match at.dims() {
        [n, _] => *n,
        _ => at.len(),
    };
    // Indices of rank 0 or 1 are places in a vector.
    let at = at.reshape([n, rank])?;
    let coo = Coo::of(&at, &sizes)?;
    if c.get(SparseToDense::VALIDATE_INDICES)? {
        coo.ascending()?;
    }
    let places = coo.places()?;
    Ok([put(c, coo.sizes, &places, [c.input(3), c.input(2)])?].into())
}

pub(in crate::ops) fn sparse_reorder(c: &KernelContext<'_>) -> Result<Outputs> {
    let coo = Coo::of(c.input(0), c.input(2))?;
    picked_both(c, coo, c.input(1), &coo.order()?)
}

/// The sizes that were asked for, with -1 replaced; the product of all is that of the old ones.
fn reshaped(old: &[i64], asked: &[i64]) -> Result<Vec<i64>> {
    let product = |sizes: &mut dyn Iterator<Item = &i64>| {
        let mut all = 1i64;
        for n in sizes {
            if *n < 0 {
                bail!("the size {n} is negative");
            }
            all = all.checked_mul(*n).ok_or_else(|| err!("sizes whose product is above 2^63"))?;
        }
        Ok(all)
    };
    let (all, known) =
        (product(&mut old.iter())?, product(&mut asked.iter().filter(|n| **n != -1))?);
    let mut sizes = asked.to_vec();
    match asked.iter().filter(|n| **n == -1).count() {
        0 if known == all => {}
        1 if known > 0 && all % known == 0 => {
            sizes.iter_mut().filter(|n| **n == -1).for_each(|n| *n = all / known);
        }
        0 | 1 => bail!("sizes {old:?} can't become {asked:?}: they have {all} places"),
        _ => bail!("one size may be -1, not several: {asked:?}"),
    }
    Ok(sizes)
}

pub(in crate::ops) fn sparse_reshape(c: &KernelContext<'_>) -> Result<Outputs> {
    let coo = Coo::of(c.input(0), c.input(1))?;
    let sizes = reshaped(coo.sizes, c.input(2).as_slice()?)?;
    coo.within()?;
    let mut rows = Rows::new(coo.n, sizes.len())?;
    let mut at = vec![0; sizes.len()];
    for row in coo.rows() {
        let mut rest = place(row, coo.sizes);
        for (at, size) in at.iter_mut().zip(&sizes).rev() {
            (*at, rest) = (rest % size, rest / size);
        }
        rows.push(at.iter().copied());
    }
    Ok([rows.done(coo.n)?, vector(&sizes)?].into_iter().collect())
}

pub(in crate::ops) fn sparse_concat(c: &KernelContext<'_>) -> Result<Outputs> {
    let n = c.inputs.len() / 3;
    let parts = (0..n).map(|i| Coo::of(c.input(i), c.input(2 * n + i)));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let mut sizes = parts[0].sizes.to_vec();
    let axis = normalize_axis(c.get(SparseConcat::CONCAT_DIM)?, sizes.len())?;
    let mut rows = Rows::new(parts.iter().map(|part| part.n).sum(), sizes.len())?;
    sizes[axis] = 0;
    for (i, part) in parts.iter().enumerate() {
        let differs = |d: &usize| *d != axis && part.sizes[*d] != sizes[*d];
        if let Some(d) = (0..sizes.len()).find(differs) {
            bail!("tensor {i} has size {} along axis {d}, the first {}", part.sizes[d], sizes[d]);
        }
        for row in part.rows() {
            let behind =
                |(d, at): (usize, &i64)| if d == axis { at.wrapping_add(sizes[axis]) } else { *at };
            rows.push(row.iter().enumerate().map(behind));
        }
        let all = sizes[axis].checked_add(part.sizes[axis]);
        sizes[axis] = all.ok_or_else(|| err!("the sizes along axis {axis} overflow"))?;
    }
    let total = parts.iter().map(|part| part.n).sum();
    let (at, sizes) = (rows.done(total)?, vector(&sizes)?);
    let values = joined(c, &c.inputs[n..2 * n], total)?;
    let coo = Coo::of(&at, &sizes)?;
    let mut outputs = picked_both(c, coo, &values, &coo.order()?)?;
    outputs.push(sizes);
    Ok(outputs)
}

/// The values that are in a box, whose coordinates begin at `start`: their coordinates in it, themselves, its sizes.
fn cut(
    c: &KernelContext<'_>,
    coo: Coo<'_>,
    values: &Array,
    start: &[i64],
    sizes: &[i64],
) -> Result<[Array; 3]> {
    let inside = |row: &[i64]| {
        let place = row.iter().zip(start).zip(sizes);
        place.fold(true, |all, ((at, from), n)| all && at >= from && at - from < *n)
    };
    let mut order: Vec<i64> = vec_for(coo.n)?;
    order.extend((0..coo.n).filter(|i| inside(coo.row(*i))).map(|i| i as i64));
    let mut rows = Rows::new(order.len(), coo.rank)?;
    for i in &order {
        rows.push(coo.row(*i as usize).iter().zip(start).map(|(at, from)| at - from));
    }
    Ok([rows.done(order.len())?, picked(c, values, &order)?, vector(sizes)?])
}

pub(in crate::ops) fn sparse_slice(c: &KernelContext<'_>) -> Result<Outputs> {
    let coo = Coo::of(c.input(0), c.input(2))?;
    let (start, asked) = (c.input(3).as_slice::<i64>()?, c.input(4).as_slice::<i64>()?);
    if let Some(n) = start.iter().chain(asked).find(|n| **n < 0) {
        bail!("the slice begins at {start:?} and has sizes {asked:?}: {n} is negative");
    }
    let left = |((size, from), n): ((&i64, &i64), &i64)| size.saturating_sub(*from).clamp(0, *n);
    let sizes: Vec<i64> = coo.sizes.iter().zip(start).zip(asked).map(left).collect();
    Ok(cut(c, coo, c.input(1), start, &sizes)?.into_iter().collect())
}

pub(in crate::ops) fn sparse_split(c: &KernelContext<'_>) -> Result<Outputs> {
    let coo = Coo::of(c.input(1), c.input(3))?;
    coo.within()?;
    let parts = c.get(SparseSplit::NUM_SPLIT)?;
    let axis = normalize_axis(c.input(0).as_slice::<i64>()?[0], coo.rank)?;
    let all = coo.sizes[axis];
    if parts < 1 || parts > all {
        bail!("axis {axis} of size {all} can't be split into {parts} parts");
    }
    let (mut start, mut sizes) = (vec![0; coo.rank], coo.sizes.to_vec());
    let mut outputs = [Outputs::new(), Outputs::new(), Outputs::new()];
    for part in 0..parts {
        // The first parts are longer by one if the axis can't be split evenly.
        sizes[axis] = all / parts + i64::from(part < all % parts);
        let made = cut(c, coo, c.input(2), &start, &sizes)?;
        outputs.iter_mut().zip(made).for_each(|(all, one)| all.push(one));
        start[axis] += sizes[axis];
    }
    Ok(outputs.into_iter().flatten().collect())
}

/// Vectors one after the other, `n` elements in all.
fn joined(c: &KernelContext<'_>, parts: &[&Array], n: usize) -> Result<Array> {
    only(concatenated(c, parts, 0, Dims::from_slice(&[n]))?)
}

/// The values at each of the first coordinates, where `of` maps those to the others; zero if there is none.
fn found(
    c: &KernelContext<'_>,
    values: &Array,
    others: Coo<'_>,
    rows: usize,
    of: impl Fn(usize) -> Vec<i64>,
) -> Result<Array> {
    ask_for::<[usize; 4]>(others.n)?;
    let places: HashMap<&[i64], usize> = others.rows().zip(0..).collect();
    let mut order: Vec<i64> = vec_for(rows)?;
    order.extend((0..rows).map(|i| places.get(&of(i)[..]).map_or(-1, |at| *at as i64)));
    or_zero(c, values, &order)
}

/// Elements with these numbers; zero for -1.
struct OrDefault<'a>(&'a [i64]);

impl Move for OrDefault<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        for (out, i) in out.iter_mut().zip(self.0) {
            out.write(sources[0].get(*i as usize).cloned().unwrap_or_default());
        }
        Ok(())
    }
}

/// The values with these numbers; zero for -1.
pub(super) fn or_zero(c: &KernelContext<'_>, values: &Array, order: &[i64]) -> Result<Array> {
    only(moved(c, &[values], [order.len()], &OrDefault(order))?)
}

pub(in crate::ops) fn sparse_slice_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let start = c.input(2);
    let (input, output) = (Coo::of(c.input(1), start)?, Coo::of(c.input(3), start)?);
    let from = start.as_slice::<i64>()?;
    let moved =
        |i: usize| input.row(i).iter().zip(from).map(|(at, n)| at.wrapping_sub(*n)).collect();
    Ok([found(c, c.input(0), output, input.n, moved)?].into())
}

pub(in crate::ops) fn sparse_add_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let sum = Coo::without_sizes(c.input(3))?;
    let of = |i: usize| {
        let part = Coo::without_sizes(c.input(i))?;
        found(c, c.input(0), sum, part.n, |i| part.row(i).to_vec())
    };
    Ok([of(1)?, of(2)?].into_iter().collect())
}

pub(in crate::ops) fn fill_empty_rows(c: &KernelContext<'_>) -> Result<Outputs> {
    let coo = Coo::of(c.input(0), c.input(2))?;
    let Some(rows) = coo.sizes.first() else { bail!("a scalar has no rows") };
    let rows = dims(&[*rows], DType::I64)?[0];
    // How many values each row has; then where its next one goes.
    let mut next: Vec<usize> = vec_for(rows)?;
    next.resize(rows, 0);
    for (i, row) in coo.rows().enumerate() {
        match usize::try_from(row[0]).ok().and_then(|row| next.get_mut(row)) {
            Some(count) => *count += 1,
            None => bail!("index {row:?} at position {i} is not in one of {rows} rows"),
        }
    }
    let empty = Array::from_writer([rows], |out: &mut [bool]| {
        out.iter_mut().zip(&next).for_each(|(out, n)| *out = *n == 0);
        Ok(())
    })?;
    let mut total = 0usize;
    for n in &mut next {
        let count = (*n).max(1);
        (*n, total) = (total, total + count);
    }
    // The number of the value at each place of the result; the default is behind the values.
    let mut order: Vec<i64> = vec_for(total)?;
    order.resize(total, coo.n as i64);
    let mut map: Vec<i64> = vec_for(coo.n)?;
    let starts = copy_of(&next)?;
    for (i, row) in coo.rows().enumerate() {
        let place = &mut next[row[0] as usize];
        order[*place] = i as i64;
        map.push(*place as i64);
        *place += 1;
    }
    let mut at = Rows::new(total, coo.rank)?;
    let mut row = 0;
    for (place, i) in order.iter().enumerate() {
        while row + 1 < rows && starts[row + 1] <= place {
            row += 1;
        }
        match usize::try_from(*i) {
            Ok(i) if i < coo.n => at.push(coo.row(i).iter().copied()),
            _ => at.push((0..coo.rank).map(|d| if d == 0 { row as i64 } else { 0 })),
        }
    }
    let default = c.input(3).reshape([1])?;
    let all = joined(c, &[c.input(1), &default], coo.n + 1)?;
    Ok([at.done(total)?, picked(c, &all, &order)?, empty, vector(&map)?].into_iter().collect())
}

pub(in crate::ops) fn fill_empty_rows_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let (map, dy) = (c.input(0).as_slice::<i64>()?, c.input(1));
    Ids::Wide(map).within("index", 0, dy.len())?;
    // Those that no value went to are the default's.
    let mut rest: Vec<i64> = vec_for(dy.len())?;
    rest.resize(dy.len(), 0);
    map.iter().for_each(|place| rest[*place as usize] = -1);
    let routes = Routes {
        count: rest.len(),
        from: None,
        to: &|start, out| out.copy_from_slice(&rest[start..][..out.len()]),
        sorted: false,
    };
    let default = combined(c, dy, routes, &[1], How::Sum)?.reshape([0usize; 0])?;
    Ok([picked(c, dy, map)?, default].into_iter().collect())
}
