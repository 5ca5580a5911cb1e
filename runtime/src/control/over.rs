//! Functions over the first axis of structures: `map_fn`, `scan`, `fold`.

use super::arm::here;
use super::looped::{Looped, Options};
use super::state::{Site, changed};
use crate::op::in_iteration;
use crate::ops;
use crate::ops::methods::*;
use crate::spec::{AnySpec, LeafIter, Leaves, Structure, TypeSpec};
use crate::tensor::{Tensor, is_tracing};
use crate::types::{DType, Dim, Error, Result, Shape, err};

/// The results of `f` for each element along the first axis, stacked.
///
/// Elements are values of the same type with one axis less in every tensor: of a tensor its rows, of an extension
/// type values of that type. Results may be of another type; all must have one shape. In a traced function `f` is
/// traced once, and the loop is one op of the graph.
///
/// TensorFlow: `tf.map_fn`.
///
/// # Errors
/// `InvalidArgument` for scalars, for tensors whose first axes differ in size, and for types that can't be taken
/// apart; what `f` fails with.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
/// let y = map_fn(&x, |row: Tensor| row.reduce_sum(.., false))?;
/// assert_eq!(y.as_slice::<f32>()?, &[3.0, 7.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn map_fn<A: Structure, R: Structure>(
    elements: &A,
    f: impl FnMut(A) -> Result<R>,
) -> Result<R> {
    let site = here("map_fn");
    let all = site.located(Elements::of(&site, elements))?;
    mapped(site, &all, f)
}

/// The results of a function for each element, stacked.
#[track_caller]
pub(super) fn mapped<A: Structure, R: Structure>(
    site: Site,
    all: &Elements<A>,
    mut f: impl FnMut(A) -> Result<R>,
) -> Result<R> {
    // A structure of nothing is the state.
    let found = over(site, all, Vec::<Tensor>::new(), |none, x| Ok((none, Some(f(x)?))));
    site.located(found.and_then(|(_, results)| stacked(results)))
}

/// The accumulators after each element along the first axis, stacked.
///
/// `f` gets the accumulator, which is `initial` at first, and an element, and gives the next accumulator, of the
/// same type. Elements are those of [`map_fn`].
///
/// TensorFlow: `tf.scan`.
///
/// # Errors
/// As [`map_fn`], and `InvalidArgument` for an accumulator that changes its type.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0, 3.0];
/// let y = scan(&x, tensor!(1.0f32), |product, x| ops::mul(&product, &x))?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0, 6.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn scan<A: Structure, S: Structure>(
    elements: &A,
    initial: S,
    mut f: impl FnMut(S, A) -> Result<S>,
) -> Result<S> {
    let site = here("scan");
    let all = site.located(Elements::of(&site, elements))?;
    let found = over(site, &all, initial, |s, x| {
        let (spec, leaves) = parts(f(s, x)?);
        let again = || S::from_leaves(&spec, &mut LeafIter::new(leaves.clone()));
        Ok((again()?, Some(again()?)))
    });
    site.located(found.and_then(|(_, results)| stacked(results)))
}

/// The accumulator after the last element along the first axis.
///
/// As [`scan`], without those before.
///
/// TensorFlow: `tf.foldl`.
///
/// # Errors
/// As [`scan`].
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0, 3.0];
/// let y = fold(&x, tensor!(1.0f32), |product, x| ops::mul(&product, &x))?;
/// assert_eq!(y.item::<f32>()?, 6.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fold<A: Structure, S: Structure>(
    elements: &A,
    initial: S,
    mut f: impl FnMut(S, A) -> Result<S>,
) -> Result<S> {
    let site = here("fold");
    let all = site.located(Elements::of(&site, elements))?;
    let found = over(site, &all, initial, |s, x| Ok((f(s, x)?, None::<Vec<Tensor>>)));
    site.located(found.map(|(last, _)| last))
}

/// A structure that is taken apart along its first axis.
pub(super) struct Elements<A: Structure> {
    pub(super) leaves: Vec<Tensor>,
    /// The spec of one element.
    pub(super) spec: A::Spec,
    /// Their number.
    pub(super) count: Dim,
}

impl<A: Structure> Elements<A> {
    pub(super) fn of(site: &Site, elements: &A) -> Result<Self> {
        let whole = elements.type_spec();
        let spec = whole.unstacked()?;
        let mut leaves = Leaves::new();
        elements.leaves(&mut leaves);
        let leaves: Vec<Tensor> = leaves.into_iter().cloned().collect();
        let own = spec.to_any().leaves();
        let rows = whole.to_any().default_unstacked()?.leaves();
        if own != rows {
            return Err(err!("{site}: {} can't be taken apart tensor by tensor", whole.to_any()));
        }
        let mut count: Option<Dim> = None;
        for t in &leaves {
            let n = t.shape().dims().and_then(|d| d.first().copied()).unwrap_or(Dim::UNKNOWN);
            count = match (count, count.and_then(Dim::size), n.size()) {
                (Some(_), Some(a), Some(b)) if a != b => {
                    return Err(err!(
                        "{site}: first axes of {a} and {b} elements; give all one size"
                    ));
                }
                (Some(known), Some(_), _) => Some(known),
                _ => Some(n),
            };
        }
        let count = count.ok_or_else(|| err!("{site}: there is no tensor to go over"))?;
        Ok(Self { leaves, spec, count })
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> Result<Tensor> {
        match (self.count.size(), self.leaves.first()) {
            (Some(n), _) => Ok(Tensor::scalar(n as i64)),
            (None, Some(t)) => ops::shape_of(t)?.gather(0, 0)?.cast(DType::I64),
            (None, None) => Err(Error::internal("no tensor to go over")),
        }
    }

    fn at(&self, i: &Tensor) -> Result<A> {
        let rows = self.leaves.iter().map(|t| t.gather(i, 0)).collect::<Result<Vec<_>>>()?;
        A::from_leaves(&self.spec, &mut LeafIter::new(rows))
    }
}

fn parts<S: Structure>(value: S) -> (S::Spec, Vec<Tensor>) {
    let spec = value.type_spec();
    let mut leaves = Vec::new();
    value.into_leaves(&mut leaves);
    (spec, leaves)
}

/// Results along a new first axis.
struct Results<R: Structure> {
    spec: R::Spec,
    leaves: Vec<Tensor>,
}

fn stacked<R: Structure>(results: Option<Results<R>>) -> Result<R> {
    let results = results.ok_or_else(|| {
        err!("without elements there is no telling what the results are; trace the function")
    })?;
    let mut leaves = LeafIter::new(results.leaves);
    let all = R::from_leaves(&results.spec, &mut leaves)?;
    leaves.finish()?;
    Ok(all)
}

/// Goes over the elements: the last state, and the results, if there are any.
#[track_caller]
fn over<A: Structure, S: Structure, R: Structure>(
    site: Site,
    all: &Elements<A>,
    initial: S,
    step: impl FnMut(S, A) -> Result<(S, Option<R>)>,
) -> Result<(S, Option<Results<R>>)> {
    match is_tracing() || all.count.size() == Some(0) {
        true => traced(site, all, initial, step),
        false => eager(site, all, initial, step),
    }
}

#[track_caller]
fn traced<A: Structure, S: Structure, R: Structure>(
    site: Site,
    all: &Elements<A>,
    initial: S,
    mut step: impl FnMut(S, A) -> Result<(S, Option<R>)>,
) -> Result<(S, Option<Results<R>>)> {
    let count = all.len()?;
    let mut looped = Looped::new(site, (Tensor::scalar(0i64), initial), Options::default())?;
    let (part, (i, _)) = looped.open_test()?;
    let goes_on = i.less(&count)?;
    looped.close_test(part, &goes_on)?;
    let (part, (i, state)) = looped.open_body()?;
    let (state, result) = all
        .at(&i)
        .and_then(|x| step(state, x))
        .map_err(|e| e.in_context(format!("the function of {site}")))?;
    let next = (ops::add(&i, 1i64)?, state);
    let Some(result) = result else {
        return Ok((looped.close_body(part, next)?.1, None));
    };
    let (spec, leaves) = parts(result);
    let shapes: Vec<Shape> = leaves.iter().map(|t| t.shape().insert(0, all.count)).collect();
    let spec = spec.stacked(all.count)?;
    let ((_, state), stacks) = looped.close_saving(part, next, leaves)?;
    let mut leaves = Vec::with_capacity(stacks.len());
    for (stack, shape) in stacks.into_iter().zip(shapes) {
        // The loop does not know how often it runs; we may.
        leaves.push(match ops::Integers::try_from(&shape) {
            Ok(sizes) if stack.shape() != shape => stack.reshape(sizes)?,
            _ => stack,
        });
    }
    Ok((state, Some(Results { spec, leaves })))
}

fn eager<A: Structure, S: Structure, R: Structure>(
    site: Site,
    all: &Elements<A>,
    initial: S,
    mut step: impl FnMut(S, A) -> Result<(S, Option<R>)>,
) -> Result<(S, Option<Results<R>>)> {
    let first = initial.type_spec().to_any();
    let mut state = initial;
    let mut spec: Option<AnySpec> = None;
    let mut typed = None;
    let mut rows: Vec<Vec<Tensor>> = Vec::new();
    let count = all.count.size().unwrap_or_default();
    for i in 0..count {
        let within = |e: Error| in_iteration(e, "element", i as u64).in_context(site.to_string());
        let x = all.at(&Tensor::scalar(i as i64))?;
        let (next, result) = step(state, x).map_err(within)?;
        let now = next.type_spec().to_any();
        if !now.is_subtype_of(&first) {
            return Err(changed(&site, &first, &now, "after an element"));
        }
        state = next;
        let Some(result) = result else { continue };
        let (own, leaves) = parts(result);
        let any = own.to_any();
        match &spec {
            Some(spec) if !any.is_subtype_of(spec) => {
                return Err(err!(
                    "{site}: the result of element {i} is {any}, of those before {spec}"
                ));
            }
            Some(_) => {}
            None => {
                rows = leaves.iter().map(|_| Vec::with_capacity(count)).collect();
                (spec, typed) = (Some(any), Some(own));
            }
        }
        for (row, t) in rows.iter_mut().zip(leaves) {
            row.push(t);
        }
    }
    let Some(typed) = typed else { return Ok((state, None)) };
    let leaves = rows.iter().map(|row| ops::stack(row, 0)).collect::<Result<_>>()?;
    Ok((state, Some(Results { spec: typed.stacked(Dim::from(count))?, leaves })))
}
