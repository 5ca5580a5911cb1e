//! Where something stands in a structure.

use std::fmt;

/// One step into a structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// Into a tuple, an array, a list: the place.
    Index(usize),
    /// Into a map: the key.
    Key(String),
    /// Into an extension type: its name, which stands before the name of a field.
    Type(String),
    /// Into an extension type: the field.
    Field(String),
}

/// The steps that lead to a part of a structure. Options add none.
///
/// It prints as Rust would write it: `[0]["key"].field`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path(pub Vec<Part>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Part::Index(i) => write!(f, "[{i}]")?,
                Part::Key(k) => write!(f, "[{k:?}]")?,
                Part::Field(name) => write!(f, ".{name}")?,
                // The field says enough.
                Part::Type(_) => {}
            }
        }
        Ok(())
    }
}
