//! The operand that overrides, and the other.

/// One of two types of operand, as the handler of a mixed binary override gets it.
#[derive(Debug)]
pub enum Arg<'a, This, Other> {
    /// The type that overrides.
    This(&'a This),
    /// The other one.
    Other(&'a Other),
}

impl<This, Other> Clone for Arg<'_, This, Other> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<This, Other> Copy for Arg<'_, This, Other> {}
