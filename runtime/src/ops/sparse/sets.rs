//! Kernels of sets: the elements of each row of the last axis are a set, dense or sparse.

use super::coo::{Coo, Rows, dims, vector};
use crate::array::{Array, collected, vec_for};
use crate::ir::{KernelContext, Outputs};
use crate::ops::ordering::kernel::{cast, indices};
use crate::ops::{DenseToDenseSetOperation, SetOperation};
use crate::types::{DType, Result, bail};

/// Elements with the number of their set, sorted and distinct.
type Elements<K> = Vec<(i64, K)>;

/// The sizes of an operand without the last one, and the number of the set of each element.
struct Groups {
    sizes: Vec<i64>,
    of: Vec<i64>,
}

/// Of the dense operand at this input.
fn of_dense(c: &KernelContext<'_>, i: usize) -> Result<(Groups, Array)> {
    let x = c.input(i);
    let Some((columns, sizes)) = x.dims().split_last() else { bail!("a scalar has no rows") };
    let of = collected((0..x.len()).map(|i| (i / columns) as i64))?;
    Ok((Groups { sizes: sizes.iter().map(|n| *n as i64).collect(), of }, x.clone()))
}

/// Of the sparse operand that begins at this input.
fn of_sparse(c: &KernelContext<'_>, i: usize) -> Result<(Groups, Array)> {
    let coo = Coo::of(c.input(i), c.input(i + 2))?;
    let Some((_, sizes)) = coo.sizes.split_last() else { bail!("a scalar has no rows") };
    coo.within()?;
    if c.get(DenseToDenseSetOperation::VALIDATE_INDICES)? {
        coo.ascending()?;
    }
    dims(sizes, DType::U8)?;
    let of = collected((0..coo.n).map(|i| super::coo::place(&coo.row(i)[..sizes.len()], sizes)))?;
    Ok((Groups { sizes: sizes.to_vec(), of }, c.input(i + 1).clone()))
}

fn items<K: Ord>(groups: &[i64], keys: impl ExactSizeIterator<Item = K>) -> Result<Elements<K>> {
    let mut items = collected(groups.iter().copied().zip(keys))?;
    items.sort_unstable();
    items.dedup();
    Ok(items)
}

/// The elements that an operation on sorted operands keeps.
fn kept<K: Ord + Copy>(a: &Elements<K>, b: &Elements<K>, op: SetOperation) -> Result<Elements<K>> {
    let mut all = vec_for(a.len().saturating_add(b.len()))?;
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let first = match (a.get(i), b.get(j)) {
            (Some(a), Some(b)) => a.cmp(b),
            (Some(_), None) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        let keep = match op {
            SetOperation::AMinusB => first.is_lt(),
            SetOperation::BMinusA => first.is_gt(),
            SetOperation::Intersection => first.is_eq(),
            SetOperation::Union => true,
        };
        if keep {
            all.push(if first.is_gt() { b[j] } else { a[i] });
        }
        i += usize::from(first.is_le());
        j += usize::from(first.is_ge());
    }
    Ok(all)
}

/// The sets as a sparse tensor: an element's last index is its place in its set.
fn output<K>(
    items: &Elements<K>,
    groups: &[i64],
    values: impl FnOnce(&Elements<K>) -> Result<Array>,
) -> Result<Outputs> {
    let mut rows = Rows::new(items.len(), groups.len() + 1)?;
    let (mut at, mut place, mut most) = (vec![0; groups.len()], 0, 0);
    for (i, (group, _)) in items.iter().enumerate() {
        place = if i > 0 && items[i - 1].0 == *group { place + 1 } else { 0 };
        most = most.max(place + 1);
        let mut rest = *group;
        for (at, size) in at.iter_mut().zip(groups).rev() {
            (*at, rest) = (rest % size, rest / size);
        }
        rows.push(at.iter().copied().chain([place]));
    }
    let sizes: Vec<i64> = groups.iter().copied().chain([most]).collect();
    Ok([rows.done(items.len())?, values(items)?, vector(&sizes)?].into_iter().collect())
}

fn operation(
    c: &KernelContext<'_>,
    (a, x): (Groups, Array),
    (b, y): (Groups, Array),
) -> Result<Outputs> {
    if a.sizes != b.sizes {
        bail!("sets in rows of sizes {:?} and {:?}; of the same are wanted", a.sizes, b.sizes);
    }
    let op: SetOperation = c.get(DenseToDenseSetOperation::SET_OPERATION)?;
    let dtype = x.dtype();
    if dtype == DType::String {
        let of = |groups: &[i64], x| items(groups, Array::as_strings(x)?.iter());
        let made = kept(&of(&a.of, &x)?, &of(&b.of, &y)?, op)?;
        return output(&made, &a.sizes, |items| {
            let strings = crate::array::joined_strings(items.iter().map(|(_, s)| [&s[..]]))?;
            Array::from_strings([items.len()], strings)
        });
    }
    let (x, y) = (cast(&x, DType::I64)?, cast(&y, DType::I64)?);
    let of = |groups: &[i64], x: &Array| items(groups, x.as_slice::<i64>()?.iter().copied());
    let made = kept(&of(&a.of, &x)?, &of(&b.of, &y)?, op)?;
    output(&made, &a.sizes, |items| {
        cast(&vector(&collected(items.iter().map(|(_, x)| *x))?)?, dtype)
    })
}

pub(in crate::ops) fn dense_to_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    operation(c, of_dense(c, 0)?, of_dense(c, 1)?)
}

pub(in crate::ops) fn dense_to_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    operation(c, of_dense(c, 0)?, of_sparse(c, 1)?)
}

pub(in crate::ops) fn sparse_to_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    operation(c, of_sparse(c, 0)?, of_sparse(c, 3)?)
}

pub(in crate::ops) fn size(c: &KernelContext<'_>) -> Result<Outputs> {
    let (groups, x) = of_sparse(c, 0)?;
    let dims = dims(&groups.sizes, DType::I64)?;
    let mut counts: Vec<i64> = vec_for(crate::array::num_elements(&dims, 8)?)?;
    counts.resize(crate::array::num_elements(&dims, 8)?, 0);
    let mut count = |group: i64| counts[group as usize] += 1;
    if x.dtype() == DType::String {
        items(&groups.of, x.as_strings()?.iter())?.iter().for_each(|(group, _)| count(*group));
    } else {
        let x = cast(&x, DType::I64)?;
        let of = items(&groups.of, x.as_slice::<i64>()?.iter())?;
        of.iter().for_each(|(group, _)| count(*group));
    }
    Ok([indices(dims, &counts, DType::I32)?].into())
}
