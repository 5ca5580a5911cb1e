//! Functions over the first axis of structures: `map_fn`, `scan`, `fold`.

use super::arm::here;
use super::elements::Elements;
use super::looped::{Looped, Options};
use super::results::{Collected, Results, lists_of, no_results};
use super::state::{Site, changed, of_other_sizes};
use super::tensor_array::TensorArray;
use crate::array::vec_for;
use crate::function::flattened;
use crate::ir::in_iteration;
use crate::ops;
use crate::ops::methods::*;
use crate::spec::{LeafIter, Structure, TensorSpec, TypeSpec, typed};
use crate::tensor::{Tensor, is_tracing};
use crate::types::{Error, Result, err};

/// The results of `f` for each element along the first axis, stacked.
///
/// An element has the type of `elements`, with the first axis removed from every tensor: the elements of a tensor are its
/// rows, those of an extension type are values of that type. Results may have another type; all must have one shape. In a
/// traced function `f` is traced once, and the loop is one op of the graph.
///
/// Types that stack differently implement [`Stackable`](crate::spec::Stackable). For example, the elements of a ragged
/// tensor are its rows, and results of different sizes are stacked to a ragged tensor. For such results `f` is traced
/// twice, since the first trace finds the parts of a result.
///
/// TensorFlow: `tf.map_fn`.
///
/// # Errors
/// `InvalidArgument` for scalars, for tensors whose first axes differ in size, and for types without elements along the
/// first axis; what `f` fails with.
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
    // The state is an empty structure.
    let found = over(site, all, Vec::<Tensor>::new(), |none, x| Ok((none, Some(f(x)?))));
    site.located(found.and_then(|(_, results)| stacked(results)))
}

/// A [`map_fn`] with options.
///
/// ```
/// use extype::control::MapFn;
/// use extype::prelude::*;
/// // What can't be traced is called where there are elements only.
/// let parity = |x: Tensor| Ok(scalar(x.item::<i64>()? % 2 == 0));
/// let none = Tensor::from_slice::<i64>(&[], &[0])?;
/// let even = MapFn::new(&none).output(TensorSpec::of::<bool>([])).run(parity)?;
/// assert_eq!((even.dtype(), even.shape()), (DType::Bool, shape![0]));
/// # Ok::<(), Error>(())
/// ```
#[must_use = "a function is mapped when `run` is called"]
pub struct MapFn<'a, A: Structure, R: Structure> {
    site: Site,
    elements: &'a A,
    output: Option<R::Spec>,
}

impl<A: Structure, R: Structure> std::fmt::Debug for MapFn<'_, A, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} over {}", self.site, self.elements.type_spec().to_any())
    }
}

impl<'a, A: Structure, R: Structure> MapFn<'a, A, R> {
    /// Maps over the elements of this structure along the first axis.
    ///
    /// ```
    /// use extype::control::MapFn;
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 5.0], [4.0, 2.0]];
    /// let largest = MapFn::new(&x).run(|row: Tensor| row.reduce_max(.., false))?;
    /// assert_eq!(largest.as_slice::<f32>()?, &[5.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(elements: &'a A) -> Self {
        Self { site: here("map_fn"), elements, output: None }
    }

    /// Declares the spec of every result; a result with another type is an error. Without elements, an eager call returns an
    /// empty result of this spec. If no spec is declared, the function is traced in that case to find it.
    ///
    /// TensorFlow: `fn_output_signature`.
    ///
    /// ```
    /// use extype::control::MapFn;
    /// use extype::prelude::*;
    /// let x = tensor![1.4f32, 2.6];
    /// let integers = |x: Tensor| x.round()?.cast(i64);
    /// let y = MapFn::new(&x).output(TensorSpec::of::<i64>([])).run(integers)?;
    /// assert_eq!(y.as_slice::<i64>()?, &[1, 3]);
    /// assert!(MapFn::new(&x).output(TensorSpec::of::<f32>([])).run(integers).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output(mut self, spec: R::Spec) -> Self {
        self.output = Some(spec);
        self
    }

    /// Calls the function on each element, and stacks the results.
    ///
    /// # Errors
    /// As [`map_fn`], and `InvalidArgument` for a result that is not of the declared type.
    ///
    /// ```
    /// use extype::control::MapFn;
    /// use extype::prelude::*;
    /// let pairs = (tensor![1.0f32, 2.0], tensor![3.0f32, 4.0]);
    /// let products = MapFn::new(&pairs).run(|(x, y): (Tensor, Tensor)| ops::mul(&x, &y))?;
    /// assert_eq!(products.as_slice::<f32>()?, &[3.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn run(self, mut f: impl FnMut(A) -> Result<R>) -> Result<R> {
        let site = self.site;
        let all = site.located(Elements::of(&site, self.elements))?;
        let Some(output) = self.output else { return mapped(site, &all, f) };
        if !is_tracing()
            && all.count.dim.size() == Some(0)
            && let Some(none) = site.located(no_results(&output))?
        {
            return Ok(none);
        }
        let declared = output.to_any();
        mapped(site, &all, |x| {
            let result = f(x)?;
            let found = result.type_spec().to_any().without_names();
            match found.is_subtype_of(&declared) {
                true => Ok(result),
                false => Err(err!("{site}: the result is {found}, not {declared}")),
            }
        })
    }
}

/// The accumulators after each element along the first axis, stacked.
///
/// `f` takes the accumulator, initially `initial`, and an element. It returns the next accumulator, of the
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
/// let y = scan(&x, scalar(1.0f32), |product, x| ops::mul(&product, &x))?;
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
        let (spec, leaves) = flattened(f(s, x)?)?;
        let again = || S::from_leaves(&spec, &mut LeafIter::new(leaves.clone()));
        Ok((again()?, Some(again()?)))
    });
    site.located(found.and_then(|(_, results)| stacked(results)))
}

/// The accumulator after the last element along the first axis.
///
/// Like [`scan`], but returns only the last accumulator.
///
/// TensorFlow: `tf.foldl`.
///
/// # Errors
/// As [`scan`].
///
/// ```
/// use extype::control::fold;
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0, 3.0];
/// let y = fold(&x, scalar(1.0f32), |product, x| ops::mul(&product, &x))?;
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

fn stacked<R: Structure>(results: Option<Results<R>>) -> Result<R> {
    let results = results.ok_or_else(|| {
        err!("without elements there is no telling what the results are; trace the function")
    })?;
    typed(&results.spec, results.leaves)
}

/// Runs `step` on each element; returns the last state, and the results if there are any.
#[track_caller]
fn over<A: Structure, S: Structure, R: Structure>(
    site: Site,
    all: &Elements<A>,
    initial: S,
    mut step: impl FnMut(S, A) -> Result<(S, Option<R>)>,
) -> Result<(S, Option<Results<R>>)> {
    if !is_tracing() && all.count.dim.size() != Some(0) {
        return eager(site, all, initial, step);
    }
    let (spec, leaves) = flattened(initial)?;
    let mut lists = Vec::new();
    loop {
        let initial = S::from_leaves(&spec, &mut LeafIter::new(leaves.clone()))?;
        match traced(site, all, initial, &lists, &mut step)? {
            Attempt::Done(state, results) => return Ok((state, results)),
            Attempt::Wants(found) => lists = found,
        }
    }
}

/// The outcome of tracing the loop.
enum Attempt<S, R: Structure> {
    Done(S, Option<Results<R>>),
    /// The loop must be traced again, and also carry lists of such tensors.
    Wants(Vec<TensorSpec>),
}

#[track_caller]
fn traced<A: Structure, S: Structure, R: Structure>(
    site: Site,
    all: &Elements<A>,
    initial: S,
    lists: &[TensorSpec],
    step: &mut impl FnMut(S, A) -> Result<(S, Option<R>)>,
) -> Result<Attempt<S, R>> {
    let count = &all.count.tensor;
    let empty = lists.iter().map(TensorArray::growing).collect::<Result<Vec<_>>>()?;
    let vars = (Tensor::scalar(0i64), initial, empty);
    let looped = Looped::new(site, vars, Options::default())?;
    let (mut all_results, mut wanted) = (None, None);
    let last = looped.trace(
        |(i, ..)| i.less(count),
        |(i, state, arrays)| {
            let (state, result) = all
                .at(&i)
                .and_then(|x| step(state, x))
                .map_err(|e| e.in_context(format!("the function of {site}")))?;
            let next = ops::add(&i, 1i64)?;
            let Some(result) = result else {
                return Ok(Some(((next, state, arrays), Vec::new())));
            };
            let (collected, saved, listed) = Collected::of(result)?;
            if listed.len() != arrays.len() {
                wanted = Some(lists_of(&listed)?);
                return Ok(None);
            }
            all_results = Some(collected);
            let arrays = arrays.iter().zip(&listed).map(|(array, t)| array.push(t));
            Ok(Some(((next, state, arrays.collect::<Result<Vec<_>>>()?), saved)))
        },
    )?;
    let Some(((_, state, arrays), stacks)) = last else {
        return Ok(Attempt::Wants(wanted.unwrap_or_default()));
    };
    let Some(collected) = all_results else { return Ok(Attempt::Done(state, None)) };
    let joined = arrays.iter().map(TensorArray::joined).collect::<Result<Vec<_>>>()?;
    Ok(Attempt::Done(state, Some(collected.results(stacks, joined, all.count.dim)?)))
}

fn eager<A: Structure, S: Structure, R: Structure>(
    site: Site,
    all: &Elements<A>,
    initial: S,
    mut step: impl FnMut(S, A) -> Result<(S, Option<R>)>,
) -> Result<(S, Option<Results<R>>)> {
    initial.check_fields()?;
    let first = initial.type_spec().to_any();
    let mut state = initial;
    let mut all_results: Option<Collected<R>> = None;
    let (mut rows, mut lists): (Vec<Vec<Tensor>>, Vec<Vec<Tensor>>) = Default::default();
    let count = all.count.dim.size().unwrap_or_default();
    for i in 0..count {
        let within = |e: Error| in_iteration(e, "element", i as u64).in_context(site.to_string());
        let x = all.at(&Tensor::scalar(i as i64))?;
        let (next, result) = step(state, x).map_err(within)?;
        let now = next.type_spec().to_any();
        if !now.is_subtype_of(&first) && of_other_sizes(&first, &now)?.is_none() {
            return Err(changed(&site, &first, &now, "after an element"));
        }
        state = next;
        let Some(result) = result else { continue };
        let (found, saved, listed) = Collected::of(result)?;
        match &mut all_results {
            Some(before) => before.join(found, &site, i)?,
            None => {
                let room = |_| site.located(vec_for(count));
                rows = saved.iter().map(room).collect::<Result<_>>()?;
                lists = listed.iter().map(room).collect::<Result<_>>()?;
                all_results = Some(found);
            }
        }
        for (row, t) in rows.iter_mut().chain(&mut lists).zip(saved.into_iter().chain(listed)) {
            row.push(t);
        }
    }
    let Some(found) = all_results else { return Ok((state, None)) };
    let stacks = rows.iter().map(|row| ops::stack(row, 0)).collect::<Result<_>>()?;
    let joined = lists.iter().map(|list| super::results::boxed(list)).collect::<Result<_>>()?;
    Ok((state, Some(found.results(stacks, joined, all.count.dim)?)))
}
