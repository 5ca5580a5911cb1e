//! Elements as values of the user's types, and back.

use std::cell::Cell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::stage::{self, Failure, Node};
use crate::array::Element;
use crate::function::{Tracing, trace_body};
use crate::spec::{AnySpec, Fingerprint, LeafIter, SpecContext, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{ErrorKind, Result, bail, caught};

/// Makes values of elements.
pub(crate) struct Reader<S: Structure> {
    /// Specs of earlier elements, by their addresses, which are theirs as long as they are kept here.
    known: Specs<S>,
}

/// Makes elements of values. Values of one spec share it, also where values of many specs take turns.
pub(crate) struct Writer<S: Structure> {
    /// Specs of earlier values, by their fingerprints.
    known: Specs<S>,
}

/// Specs, and what they are in Rust's types.
struct Specs<S: Structure>(FxHashMap<u64, (Arc<AnySpec>, S::Spec)>);

impl<S: Structure> Specs<S> {
    #[cold]
    fn add(&mut self, key: u64, spec: Arc<AnySpec>, typed: S::Spec) -> &(Arc<AnySpec>, S::Spec) {
        const MOST: usize = 1 << 10;
        if self.0.len() == MOST {
            self.0.clear();
        }
        self.0.entry(key).insert_entry((spec, typed)).into_mut()
    }
}

impl<S: Structure> Default for Reader<S> {
    fn default() -> Self {
        Self { known: Specs(FxHashMap::default()) }
    }
}

impl<S: Structure> Reader<S> {
    #[inline]
    pub(crate) fn read(&mut self, element: stage::Element) -> Result<S> {
        let key = Arc::as_ptr(&element.spec) as u64;
        if !self.known.0.contains_key(&key) {
            let typed = S::Spec::from_any(&element.spec)?;
            self.known.add(key, element.spec, typed);
        }
        let mut leaves = LeafIter::new(element.leaves);
        let value = S::from_leaves(&self.known.0[&key].1, &mut leaves)?;
        leaves.finish()?;
        Ok(value)
    }
}

impl<S: Structure> Default for Writer<S> {
    fn default() -> Self {
        Self { known: Specs(FxHashMap::default()) }
    }
}

impl<S: Structure> Writer<S> {
    #[inline]
    pub(crate) fn write(&mut self, value: S) -> stage::Element {
        let mut fingerprint = Fingerprint::default();
        value.mix_spec(&mut fingerprint);
        let key = fingerprint.get();
        let spec = match self.known.0.get(&key) {
            Some((spec, typed)) if value.has_spec(typed, &mut SpecContext::new()) => spec.clone(),
            _ => {
                let typed = value.type_spec();
                self.known.add(key, Arc::new(typed.to_any()), typed).0.clone()
            }
        };
        let mut leaves = Vec::with_capacity(1);
        value.into_leaves(&mut leaves);
        stage::Element { spec, leaves: leaves.into() }
    }
}

/// The result of a user's function on one element. A panic ends the iterator.
pub(crate) fn run<R>(f: impl FnOnce() -> Result<R>) -> Result<R, Failure> {
    let mut finished = false;
    let result = caught(
        || "the function".to_owned(),
        || {
            let result = f();
            finished = true;
            result
        },
    );
    result.map_err(|error| match finished || error.kind() != ErrorKind::Internal {
        true => Failure::from(error),
        false => Failure::last(error),
    })
}

thread_local! {
    static UNTRACED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`, in which functions that have not been traced have results of unknown spec.
pub(crate) fn untraced<R>(f: impl FnOnce() -> R) -> R {
    let before = UNTRACED.replace(true);
    let result = f();
    UNTRACED.set(before);
    result
}

/// True within [`untraced`].
pub(crate) fn is_untraced() -> bool {
    UNTRACED.get()
}

/// The spec of `f`'s result; `None` if `f` looks into tensors, which have no elements in a trace.
pub(crate) fn traced<S: Structure, R: Structure>(
    input: &Node,
    f: impl Fn(S) -> Result<R>,
) -> Result<Option<AnySpec>> {
    traced_as(input, |spec: &S::Spec| {
        trace_body("element", spec, &f).map(|body| Some(body.output_spec().to_any()))
    })
}

/// The same of what `result` finds in the result of `f`.
pub(crate) fn traced_result<S: Structure, R>(
    input: &Node,
    f: impl Fn(S) -> Result<R>,
    result: impl Fn(R) -> Result<Option<AnySpec>>,
) -> Result<Option<AnySpec>> {
    traced_as(input, |spec: &S::Spec| {
        let (_tracing, element) = Tracing::open::<S>("element", spec)?;
        result(f(element)?)
    })
}

/// What `trace` finds for the spec of the elements; `None` within [`untraced`].
pub(crate) fn traced_as<T: TypeSpec>(
    input: &Node,
    trace: impl Fn(&T) -> Result<Option<AnySpec>>,
) -> Result<Option<AnySpec>> {
    let Some(spec) = input.spec()? else { return Ok(None) };
    if is_untraced() {
        return Ok(None);
    }
    let spec = T::from_any(&spec)?;
    match caught(|| "the function".to_owned(), || trace(&spec)) {
        // It reads elements, in one way or the other.
        Err(e) if matches!(e.kind(), ErrorKind::FailedPrecondition | ErrorKind::Internal) => {
            Ok(None)
        }
        other => other,
    }
}

/// What functions return that answer with one value: the value, or a scalar tensor of its dtype.
pub trait Answer<T>: Sized + 'static {
    /// The value.
    ///
    /// # Errors
    /// `InvalidArgument` for a tensor that is no scalar of the dtype.
    fn answer(self) -> Result<T>;

    /// Checks dtype and rank, which a tensor of a trace has too.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    fn check(self) -> Result<()>;
}

impl<T: Element> Answer<T> for T {
    fn answer(self) -> Result<T> {
        Ok(self)
    }

    fn check(self) -> Result<()> {
        Ok(())
    }
}

impl<T: Element> Answer<T> for Tensor {
    fn answer(self) -> Result<T> {
        checked::<T>(&self)?;
        self.item()
    }

    fn check(self) -> Result<()> {
        checked::<T>(&self)
    }
}

fn checked<T: Element>(answer: &Tensor) -> Result<()> {
    match answer.dtype() == T::DTYPE && answer.rank().is_none_or(|rank| rank == 0) {
        true => Ok(()),
        false => bail!("a {} is wanted, not a tensor of {}", T::DTYPE, answer.tensor_type()),
    }
}
