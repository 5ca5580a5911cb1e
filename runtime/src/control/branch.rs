//! Conditionals whose arms are closures.

use super::arm::{Arm, branch, condition, here, one_element, traced};
use super::join::Join;
use super::rows::{CASE, IF};
use crate::ir::decision;
use crate::ops::check;
use crate::ops::methods::*;
use crate::spec::Structure;
use crate::tensor::{Tensor, is_tracing};
use crate::types::{DType, Result, bail, err};

/// The result of `yes` if the condition is true, otherwise the result of `no`.
///
/// Eagerly only the selected arm is called. In a traced function both arms are traced once, and the condition
/// decides at run time; an arm has its effects only if it is selected. In a trace the results must have one
/// structure and the same dtypes. Sizes that differ are unknown in the result, and plain data (numbers, strings,
/// bools) must be equal. Arms may capture anything around them. Both arms may return a variable only if it is the
/// same one.
///
/// Arms of different types have a common result type if the type of the first implements [`Join`] for that of the
/// second. An arm that always fails must name its result type: `|| -> Result<Tensor> { Err(…) }`.
///
/// The condition is a bool tensor with one element, of any rank.
///
/// TensorFlow: `tf.cond`.
///
/// # Errors
/// `InvalidArgument` for another condition and for arms whose results have no common type; what the arms fail
/// with.
///
/// ```
/// use extype::prelude::*;
/// let f = function(|x: &Tensor| cond(&x.greater(0.0)?, || x.log(), || Ok(x.clone())));
/// assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 0.0);
/// assert_eq!(f.call(&scalar(-1.0f32))?.item::<f32>()?, -1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn cond<A: Join<B>, B>(
    pred: &Tensor,
    yes: impl FnOnce() -> Result<A>,
    no: impl FnOnce() -> Result<B>,
) -> Result<A::Joined> {
    let site = here("cond");
    // Each arm converts its own result to the common type.
    let yes = || yes()?.join_self();
    let no = || A::join_other(no()?);
    if !is_tracing() {
        let decided = condition(&site, pred)?.data().and_then(decision);
        let result = if site.located(decided)? { yes() } else { no() };
        return result.and_then(|result| site.located(checked_fields(result)));
    }
    let pred = condition(&site, pred)?;
    let arms = vec![traced(&site, "then", yes)?, traced(&site, "else", no)?];
    branch(&site, &IF, &pred, arms)
}

/// The result of the branch with this index.
///
/// `index` is an int32 tensor with one element. If no branch has this index, also if it is negative, `default` runs,
/// or the last branch if there is no default. Everything else is as for [`cond`].
///
/// TensorFlow: `tf.switch_case`.
///
/// # Errors
/// `InvalidArgument` for another index, for no branches, and for results that have no common type; what the
/// branches fail with.
///
/// ```
/// use extype::control::switch_case;
/// use extype::prelude::*;
/// type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;
/// let x = scalar(3.0f32);
/// let branches: Vec<Branch> = vec![Box::new(|| ops::neg(&x)), Box::new(|| x.square())];
/// let y = switch_case(&scalar(1i32), branches, None)?;
/// assert_eq!(y.item::<f32>()?, 9.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn switch_case<R: Structure, F: FnOnce() -> Result<R>>(
    index: &Tensor,
    branches: impl IntoIterator<Item = F>,
    default: Option<F>,
) -> Result<R> {
    let site = here("switch_case");
    let mut branches: Vec<F> = branches.into_iter().collect();
    let checked = match (branches.len(), index.dtype()) {
        (0, _) => Err(err!("there is no branch; give one at least")),
        (_, DType::I32) => Ok(()),
        (_, dtype) => Err(err!("the index is {dtype}, not int32; cast it, as in `i.cast(i32)`")),
    };
    site.located(checked)?;
    branches.extend(default);
    let index = one_element(&site, "index", index)?;
    if !is_tracing() {
        let at = usize::try_from(index.item::<i32>()?).unwrap_or(usize::MAX);
        let at = at.min(branches.len() - 1);
        return branches.swap_remove(at)().and_then(|result| site.located(checked_fields(result)));
    }
    let trace = |(i, f): (usize, F)| traced(&site, &format!("branch{i}"), f);
    let arms: Vec<Arm<R>> = branches.into_iter().enumerate().map(trace).collect::<Result<_>>()?;
    branch(&site, &CASE, &index, arms)
}

/// The result of the first pair whose condition is true, otherwise the result of `default`.
///
/// If none is true and there is no default, the call fails when it runs. With `exclusive` it also fails if more
/// than one is true. Everything else is as for [`cond`].
///
/// TensorFlow: `tf.case`, which with `exclusive` and without a default does not count the last pair.
///
/// # Errors
/// `InvalidArgument` if no condition is true and there is no default, or if more than one is true with
/// `exclusive`; as [`cond`].
///
/// ```
/// use extype::prelude::*;
/// type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;
/// let x = scalar(3.0f32);
/// let pairs: Vec<(Tensor, Branch)> = vec![
///     (x.less(0.0)?, Box::new(|| ops::neg(&x))),
///     (x.less(10.0)?, Box::new(|| x.square())),
/// ];
/// assert_eq!(case(pairs, None, false)?.item::<f32>()?, 9.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn case<R: Structure, F: FnOnce() -> Result<R>>(
    pairs: impl IntoIterator<Item = (Tensor, F)>,
    default: Option<F>,
    exclusive: bool,
) -> Result<R> {
    let site = here("case");
    let (mut preds, mut arms) = (Vec::new(), Vec::new());
    for (pred, arm) in pairs {
        preds.push(condition(&site, &pred)?);
        arms.push(arm);
    }
    if preds.is_empty() {
        return site.located(Err(err!("there is no pair; give one at least")));
    }
    let all = crate::ops::stack(&preds, 0)?;
    if exclusive {
        let count = all.cast(DType::I32)?.reduce_sum(.., false)?;
        let data = [&all];
        site.located(check(&count.less_equal(1)?, "more than one condition is true:", &data))?;
    }
    let has_default = default.is_some();
    if !has_default {
        let any = all.reduce_any(.., false)?;
        site.located(check(&any, "no condition is true, and there is no default:", &[&all]))?;
    }
    // The index of the first true condition, or the index of the default.
    let places = crate::ops::range(0i32, preds.len() as i32, 1i32)?;
    let none =
        Tensor::scalar(if has_default { preds.len() as i32 } else { preds.len() as i32 - 1 });
    let first = crate::ops::select(&all, &places, &none)?.reduce_min(.., false)?;
    arms.extend(default);
    if !is_tracing() {
        let at = usize::try_from(first.item::<i32>()?).unwrap_or(0);
        if at >= arms.len() {
            bail!(Internal, "the number of an arm is {at}");
        }
        return arms.swap_remove(at)().and_then(|result| site.located(checked_fields(result)));
    }
    let trace = |(i, f): (usize, F)| traced(&site, &format!("case{i}"), f);
    let arms: Vec<Arm<R>> = arms.into_iter().enumerate().map(trace).collect::<Result<_>>()?;
    branch(&site, &CASE, &first, arms)
}

/// The result, after checking that its fields have the declared types.
fn checked_fields<R: Structure>(result: R) -> Result<R> {
    result.check_fields()?;
    Ok(result)
}
