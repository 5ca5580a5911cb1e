//! Whether code is on tensors: known to the compiler, so that Rust's rules hold for what is plain.

use std::marker::PhantomData;

/// The result of calls that never happen: the compiler takes what follows one for unreachable. (It must be
/// this type itself: what a struct holds is hidden from other crates.)
#[derive(Debug)]
pub enum Never {}

/// A condition, an iterator or an exit of Rust's own.
#[derive(Debug)]
pub enum Plain {}

/// One of tensors.
#[derive(Debug)]
pub enum OnTensors {}

/// [`Plain`] or [`OnTensors`].
pub trait Kind: 'static {
    /// What a call gives that only happens for tensors.
    type GraphOnly;
    /// What a call gives that never happens for tensors.
    type PlainOnly;
    /// True for tensors.
    const GRAPH: bool;
    /// Called where it happens only.
    fn graph_only() -> Self::GraphOnly;
    /// Called where it happens only.
    fn plain_only() -> Self::PlainOnly;
}

impl Kind for Plain {
    type GraphOnly = Never;
    type PlainOnly = ();
    const GRAPH: bool = false;

    #[inline]
    fn graph_only() -> Never {
        unreachable!("code on tensors is not run for plain values")
    }

    #[inline]
    fn plain_only() {}
}

impl Kind for OnTensors {
    type GraphOnly = ();
    type PlainOnly = Never;
    const GRAPH: bool = true;

    #[inline]
    fn graph_only() {}

    #[inline]
    fn plain_only() -> Never {
        unreachable!("code on plain values is not run for tensors")
    }
}

/// A kind that the compiler finds out from what stands further below.
#[derive(Debug)]
pub struct Token<K>(PhantomData<fn() -> K>);

/// The kind of a construct that is configured away.
pub fn no_kind(_: &Token<Plain>) {}

impl<K> Clone for Token<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Token<K> {}

/// A new token.
#[inline]
pub const fn token<K>() -> Token<K> {
    Token(PhantomData)
}

/// Something whose kind is known.
pub trait OfKind {
    /// The kind.
    type Kind: Kind;
}

/// Says that the kind is that of the value.
#[inline]
pub fn mark<T: OfKind>(_: &Token<T::Kind>, _: &T) {}

/// Says that the kinds are the same.
#[inline]
pub fn same<K: Kind>(_: &Token<K>, _: &Token<K>) {}

/// True for tensors.
#[inline]
pub fn is_graph<K: Kind>(_: &Token<K>) -> bool {
    K::GRAPH
}

/// Before code that runs for tensors only.
#[inline]
pub fn graph_only<K: Kind>(_: &Token<K>) -> K::GraphOnly {
    K::graph_only()
}

/// Before code that does not run for tensors.
#[inline]
pub fn plain_only<K: Kind>(_: &Token<K>) -> K::PlainOnly {
    K::plain_only()
}

/// Several kinds: `(&a, (&b, ()))`.
pub trait Kinds {
    /// [`OnTensors`] if one of them is.
    type Joined: Kind;
}

impl Kinds for () {
    type Joined = Plain;
}

impl<L: Kinds> Kinds for (&Token<Plain>, L) {
    type Joined = L::Joined;
}

impl<L> Kinds for (&Token<OnTensors>, L) {
    type Joined = OnTensors;
}

/// One kind for several.
#[inline]
pub fn join<L: Kinds>(_: &L) -> Token<L::Joined> {
    token()
}

/// Says that two variables are of one type, where neither has a value.
#[derive(Debug)]
pub struct Link<T>(PhantomData<fn(T)>);

/// A new link.
#[inline]
pub const fn link<T>() -> Link<T> {
    Link(PhantomData)
}

impl<T> Link<T> {
    /// Never called.
    pub fn is(&self, _: T) {}

    /// A value of the type.
    #[inline]
    pub fn value(&self, value: T) -> T {
        value
    }
}

/// False; the compiler does not look.
#[inline]
pub fn no() -> bool {
    false
}

/// Never called.
pub fn impossible() -> Never {
    unreachable!("code that says types only is not run")
}
