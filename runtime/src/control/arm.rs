//! Arms of a conditional: traced one by one, then joined.

use std::panic::Location;
use std::sync::Arc;

use smallvec::SmallVec;

use super::rows::with_branches;
use super::state::{Site, difference};
use crate::function::{Body, Paused, Tracing, unite_captures, within};
use crate::ir::{Attrs, LibraryFunction, OpDef};
use crate::ops::{NamedOp as _, ONE_ELEMENT, Reshape, not_one_element};
use crate::spec::{LeafIter, Structure, TypeSpec};
use crate::tensor::context::{self, call_site_at};
use crate::tensor::{Identity, Tensor, execute, execute_one};
use crate::types::{DType, Result, bail, caught};

/// An arm that is being traced; dropping it without closing discards the trace.
pub(crate) struct OpenArm {
    tracing: Tracing,
    name: String,
}

/// An arm whose trace is paused.
pub(crate) struct PausedArm {
    paused: Paused,
    name: String,
}

impl PausedArm {
    /// Resumes the trace, within the same outer traces.
    pub(crate) fn resume(self) -> OpenArm {
        OpenArm { tracing: self.paused.resume(), name: self.name }
    }
}

/// A traced arm.
pub(crate) struct Arm<R: Structure> {
    name: String,
    body: Body<Vec<Tensor>>,
    spec: R::Spec,
    leaves: Vec<Leaf>,
}

/// A tensor of an arm's result.
enum Leaf {
    /// The next result of the arm's function.
    Output,
    /// A variable, which is not a result of the arm's function.
    Handle(Tensor),
}

impl OpenArm {
    /// Opens an arm of this name.
    pub(crate) fn open(name: impl Into<String>) -> Result<Self> {
        let name = name.into();
        let (tracing, ()) = Tracing::open::<()>(&name, &().type_spec())?;
        context::mark_arm();
        Ok(Self { tracing, name })
    }

    /// Pauses the trace of the arm.
    pub(crate) fn pause(self) -> Result<PausedArm> {
        Ok(PausedArm { paused: self.tracing.pause()?, name: self.name })
    }

    /// Closes the arm with its result.
    pub(crate) fn close<R: Structure>(self, result: R) -> Result<Arm<R>> {
        result.check_fields()?;
        let spec = result.type_spec();
        let (mut tensors, mut leaves, mut all) = (Vec::new(), Vec::new(), Vec::new());
        result.into_leaves(&mut all);
        for t in all {
            match t.dtype() {
                DType::Resource => leaves.push(Leaf::Handle(t)),
                _ => {
                    leaves.push(Leaf::Output);
                    tensors.push(t);
                }
            }
        }
        let body = self.tracing.close(tensors)?;
        let made = leaves.iter().any(|leaf| match leaf {
            Leaf::Handle(Tensor::Symbol(s)) => !context::is_open(s.graph()),
            _ => false,
        });
        if made {
            bail!("the arm `{}` returns a variable that is made in it", self.name);
        }
        Ok(Arm { name: self.name, body, spec, leaves })
    }
}

impl<R: Structure> Arm<R> {
    /// The identities of the variables in its result, resolved to the outer trace; `None` for other leaves.
    fn handles(&self) -> impl Iterator<Item = Option<Identity>> + '_ {
        self.leaves.iter().map(|leaf| match leaf {
            Leaf::Handle(t) => Some(context::resolved(t.id())),
            Leaf::Output => None,
        })
    }
}

/// The spec that covers the results of all arms.
fn join<R: Structure>(site: &Site, arms: &[Arm<R>]) -> Result<R::Spec> {
    let [first, others @ ..] = arms else { bail!("{site}: there is no arm") };
    let mut joined = first.spec.clone();
    for arm in others {
        let what = || format!("joining the results of {site}");
        let more = caught(what, || Ok(joined.most_specific_common_supertype(&arm.spec)))?;
        joined = more.ok_or_else(|| {
            let (a, b) = (first.spec.to_any(), arm.spec.to_any());
            let names = [&*first.name, &*arm.name].map(|name| format!("the arm `{name}`"));
            difference(site, "result", [&a, &b], [&names[0], &names[1]])
        })?;
        let differs = first.handles().zip(arm.handles()).position(|(a, b)| a != b);
        if let Some(i) = differs {
            let paths = first.spec.to_any().leaf_paths();
            let path = paths.get(i).map_or("", |(path, _)| path.as_str());
            bail!(
                "{site}: result{path} is another variable in the arm `{}` than in `{}`; read or write \
                 it in the arms, and return a tensor",
                first.name,
                arm.name
            );
        }
    }
    Ok(joined)
}

/// The result of a conditional: a call of `op`, whose first input picks one of the arms.
#[track_caller]
pub(crate) fn branch<R: Structure>(
    site: &Site,
    op: &'static OpDef,
    pick: &Tensor,
    arms: Vec<Arm<R>>,
) -> Result<R> {
    let spec = join(site, &arms).map_err(|e| site.locate(e))?;
    let lists = arms.iter().map(|arm| arm.body.captures()).collect::<Result<Vec<_>>>()?;
    let captures = unite_captures(lists);
    let mut leaves: Vec<Leaf> = Vec::new();
    let mut functions: SmallVec<[Arc<LibraryFunction>; 2]> = SmallVec::new();
    for arm in arms {
        functions.push(arm.body.into_function(&captures)?);
        leaves = arm.leaves;
    }
    let attrs = with_branches(op, &site.noted(op, Attrs::new()), &functions)?;
    let inputs: SmallVec<[&Tensor; 8]> = std::iter::once(pick).chain(&captures).collect();
    let outputs = {
        let _site = call_site_at(Some(site.location));
        execute(op, attrs, &inputs)?
    };
    let mut outputs = outputs.into_iter();
    let mut all = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        all.extend(match leaf {
            Leaf::Output => outputs.next(),
            Leaf::Handle(t) => Some(t),
        });
    }
    let mut leaves = LeafIter::new(all);
    let result = R::from_leaves(&spec, &mut leaves)?;
    leaves.finish()?;
    Ok(result)
}

/// A condition as conditional ops take it: a bool scalar.
///
/// # Errors
/// `InvalidArgument` for another dtype, and for more elements than one.
pub(crate) fn condition(site: &Site, pred: &Tensor) -> Result<Tensor> {
    if pred.dtype() != DType::Bool {
        return Err(site.locate(crate::types::err!(
            "{site}: the condition is {}, not a bool; compare it, as in `x.not_equal(0)`",
            pred.tensor_type()
        )));
    }
    one_element(site, "condition", pred)
}

/// A tensor of one element as a scalar. If the number of elements is not known yet, it is checked at run time.
pub(super) fn one_element(site: &Site, what: &str, t: &Tensor) -> Result<Tensor> {
    let shape = t.shape();
    if shape.rank() == Some(0) {
        return Ok(t.clone());
    }
    if shape.num_elements().is_some_and(|n| n != 1) {
        return Err(site.locate(not_one_element(&format!("{what} of {site}"), &t.tensor_type())));
    }
    let _site = call_site_at(Some(site.location));
    let what = Attrs::new().with(ONE_ELEMENT, &format!("{what} of the `{}`", site.op));
    execute_one(Reshape::DEF, what, &[t, &Tensor::from_vec(Vec::<i64>::new())])
}

/// Runs one arm in a trace of its own.
pub(super) fn traced<R: Structure>(
    site: &Site,
    name: &str,
    arm: impl FnOnce() -> Result<R>,
) -> Result<Arm<R>> {
    let open = OpenArm::open(name)?;
    let result = within(arm).map_err(|e| e.in_context(format!("the arm `{name}` of {site}")))?;
    open.close(result)
}

/// The site of the caller.
#[track_caller]
pub(super) fn here(op: &'static str) -> Site {
    Site::new(op, Location::caller())
}
