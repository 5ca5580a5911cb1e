//! Paths into structures.

use std::fmt;

/// One step into a structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The index into a tuple, an array or a list.
    Index(usize),
    /// The key into a map.
    Key(String),
    /// The name of an extension type, which comes before its field or component.
    Type(String),
    /// The name of a field of an extension type.
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
