//! Prints specs on one line, deterministically.

use std::fmt::{self, Display, Formatter};

use super::dispatch::short_name;
use super::module_spec::Part;
use super::{AnySpec, Group, Literal, ModuleSpec, Place};
use crate::types::deep;

impl Display for AnySpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        deep(|| match self {
            AnySpec::Tensor(t) => t.fmt(f),
            AnySpec::Variable(v) => v.fmt(f),
            AnySpec::Literal(l) => l.fmt(f),
            AnySpec::Tuple(c) if c.len() == 1 => write!(f, "({},)", c[0]),
            AnySpec::Tuple(c) => separated(f, "(", c.iter(), ")"),
            AnySpec::List(c) => separated(f, "[", c.iter(), "]"),
            AnySpec::Map(m) => separated(f, "{", m.iter().map(|(k, s)| format!("{k:?}: {s}")), "}"),
            AnySpec::Optional(None) => f.write_str("None"),
            AnySpec::Optional(Some(s)) => write!(f, "Some({s})"),
            AnySpec::Composite(c) => {
                write!(f, "{}Spec", c.class.short_name)?;
                separated(f, "(", c.fields.iter().map(|(n, s)| format!("{n}={s}")), ")")
            }
            AnySpec::Custom(c) => write!(f, "{c:?}"),
        })
    }
}

impl fmt::Debug for AnySpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        deep(|| match self {
            Literal::None => f.write_str("None"),
            Literal::Bool(x) => write!(f, "{x}"),
            Literal::Int(x) => write!(f, "{x}"),
            Literal::Float(x) => write!(f, "{x:?}"),
            Literal::Str(x) => write!(f, "{x:?}"),
            Literal::DType(x) => write!(f, "{x}"),
            Literal::Shape(x) => write!(f, "{x}"),
            Literal::Bytes(x) => write!(f, "b\"{}\"", x.escape_ascii()),
            Literal::List(x) => separated(f, "[", x.iter(), "]"),
            Literal::Tuple(x) if x.len() == 1 => write!(f, "({},)", x[0]),
            Literal::Tuple(x) => separated(f, "(", x.iter(), ")"),
            Literal::Map(x) => separated(f, "{", x.iter().map(|(k, v)| format!("{k:?}: {v}")), "}"),
        })
    }
}

/// `Model(w: float32[4, 3], layers: [(scale: float32[]), (scale: as w)], rate: 0.1)`: fields with their types
/// and values. State that occurs again refers to its first place.
impl Display for ModuleSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", short_name(self.name))?;
        // The places of state seen so far, the path to here, and how to close each open group.
        let (mut seen, mut path, mut open) = (Vec::new(), String::new(), Vec::new());
        let mut first = true;
        for part in &self.parts {
            let place = match part {
                Part::State(place, ..)
                | Part::Plain(place, ..)
                | Part::Absent(place)
                | Part::Begin(place, _) => place,
                Part::End => {
                    if let Some((outside, close)) = open.pop() {
                        path.truncate(outside);
                        f.write_str(close)?;
                    }
                    first = false;
                    continue;
                }
            };
            if !first {
                f.write_str(", ")?;
            }
            first = false;
            if let Place::Field(name) = place {
                write!(f, "{name}: ")?;
            }
            match part {
                Part::State(_, id, state) => match seen.iter().find(|(known, _)| *known == id) {
                    Some((_, at)) => write!(f, "as {at}")?,
                    None => {
                        let at = format!("{path}{place}").trim_start_matches('.').to_owned();
                        seen.push((id, at));
                        match &state.ty {
                            Some(ty) => write!(f, "{ty}")?,
                            None => f.write_str("not created yet")?,
                        }
                    }
                },
                Part::Plain(_, literal, _) => write!(f, "{literal}")?,
                Part::Absent(_) => f.write_str("None")?,
                Part::Begin(_, group) => {
                    let (begin, end) = match group {
                        Group::Module => ("(", ")"),
                        Group::List(_) => ("[", "]"),
                    };
                    f.write_str(begin)?;
                    open.push((path.len(), end));
                    path += &place.to_string();
                    first = true;
                }
                Part::End => {}
            }
        }
        f.write_str(")")
    }
}

fn separated<T: Display>(
    f: &mut Formatter<'_>,
    open: &str,
    items: impl Iterator<Item = T>,
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.enumerate() {
        write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
    }
    f.write_str(close)
}
