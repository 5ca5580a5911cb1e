//! Keys of traces: the context of a call and the types of its arguments.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::Arguments;
use super::table::{Key, KeyedTrace, KnownCall, TracesByKey};
use crate::spec::{AnySpec, Fingerprint, narrowed_leaves};
use crate::tensor::ContextKey;
use crate::types::Shape;

/// The traces of one function.
pub(crate) type TraceTable<T> = TracesByKey<CallKey, Kept, T>;
/// A trace in the table.
pub(crate) type TracedFor<T> = KeyedTrace<CallKey, T>;
/// A call in the table.
pub(crate) type Served<T> = KnownCall<CallKey, Kept, T>;

/// The context of a call and the types of its arguments.
#[derive(Clone, PartialEq)]
pub(crate) struct CallKey {
    pub(crate) context: ContextKey,
    pub(crate) any: Arc<[AnySpec]>,
}

impl Key for CallKey {
    fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.context.hash(&mut hasher);
        self.any.hash(&mut hasher);
        hasher.finish()
    }

    fn serves(&self, request: &Self) -> bool {
        self.context == request.context
            && self.any.len() == request.any.len()
            && request.any.iter().zip(&*self.any).all(|(a, b)| a.is_subtype_of(b))
    }

    fn is_closed(&self) -> bool {
        self.any.iter().all(AnySpec::is_closed)
    }

    fn is_dead(&self) -> bool {
        self.any.iter().any(AnySpec::is_dead)
    }
}

/// Data kept with a call, with which later calls are compared.
pub(crate) struct Kept {
    /// The typed specs of the arguments: the `Specs` of some [`Arguments`].
    specs: Box<dyn Any + Send + Sync>,
    /// The tensors whose shapes the signature knows better than the call: leaf index and the signature's shape.
    pub(crate) narrowed: Box<[(usize, Shape)]>,
}

impl Kept {
    /// Keeps the specs of a request, which was `fitted` to a signature.
    pub(crate) fn new(
        specs: Box<dyn Any + Send + Sync>,
        request: &CallKey,
        fitted: &CallKey,
    ) -> Self {
        let narrowed = match Arc::ptr_eq(&request.any, &fitted.any) {
            true => Box::default(),
            false => narrowed_leaves(&request.any, &fitted.any),
        };
        Self { specs, narrowed }
    }

    #[inline]
    fn serves<'a, A: Arguments<'a>>(&self, args: &A) -> bool {
        self.specs.downcast_ref::<A::Specs>().is_some_and(|specs| args.matches(specs))
    }
}

/// A call as it is looked up, before a key is made for it.
#[derive(Clone, Copy)]
pub(crate) struct Lookup {
    pub(crate) context: ContextKey,
    pub(crate) fingerprint: u64,
}

impl Lookup {
    /// The lookup of a call with these arguments on this thread.
    #[inline]
    pub(crate) fn of<'a, A: Arguments<'a>>(args: &A) -> Self {
        let context = ContextKey::present();
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(context.word());
        args.mix(&mut fingerprint);
        Self { context, fingerprint: fingerprint.get() }
    }

    /// True if `call` was made with the types of these arguments in this context.
    #[inline]
    pub(crate) fn matches<'a, A: Arguments<'a>, T>(self, args: &A, call: &Served<T>) -> bool {
        call.key.context == self.context && call.kept.serves(args)
    }
}
