//! Whether code is on tensors. The compiler knows it, so that Rust's usual rules hold for plain code.

use std::marker::PhantomData;

/// The result of calls that never happen: the compiler takes the code after such a call for unreachable. (It must be
/// this type itself, since the fields of a struct are hidden from other crates.)
#[derive(Debug)]
pub enum Never {}

/// The kind of a plain Rust condition, iterator or exit.
#[derive(Debug)]
pub enum Plain {}

/// The kind of a condition, iterator or exit on tensors.
#[derive(Debug)]
pub enum OnTensors {}

/// [`Plain`] or [`OnTensors`].
pub trait Kind: 'static {
    /// The result of a call that only happens for tensors.
    type GraphOnly;
    /// The result of a call that never happens for tensors.
    type PlainOnly;
    /// True for tensors.
    const GRAPH: bool;
    /// Only called for tensors.
    fn graph_only() -> Self::GraphOnly;
    /// Only called for plain code.
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

/// A kind that the compiler infers from the code below.
#[derive(Debug)]
pub struct Token<K>(PhantomData<fn() -> K>);

/// The kind of a construct that is removed by `cfg`.
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

/// A value with a known kind.
pub trait OfKind {
    /// The kind.
    type Kind: Kind;
}

/// Tells the compiler that the kind is that of the value.
#[inline]
pub fn mark<T: OfKind>(_: &Token<T::Kind>, _: &T) {}

/// Tells the compiler that both kinds are the same.
#[inline]
pub fn same<K: Kind>(_: &Token<K>, _: &Token<K>) {}

/// True for tensors.
#[inline]
pub fn is_graph<K: Kind>(_: &Token<K>) -> bool {
    K::GRAPH
}

/// Called before code that only runs for tensors.
#[inline]
pub fn graph_only<K: Kind>(_: &Token<K>) -> K::GraphOnly {
    K::graph_only()
}

/// Called before code that does not run for tensors.
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

/// The joined kind of several.
#[inline]
pub fn join<L: Kinds>(_: &L) -> Token<L::Joined> {
    token()
}

/// Tells the compiler that two variables without a value have the same type.
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

    /// Returns the value, of the link's type.
    #[inline]
    pub fn value(&self, value: T) -> T {
        value
    }
}

/// Returns false; the compiler does not evaluate it.
#[inline]
pub fn no() -> bool {
    false
}

/// Never called.
pub fn impossible() -> Never {
    unreachable!("code that says types only is not run")
}
