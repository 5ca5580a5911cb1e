//! Specs on one line, deterministic.

use std::fmt::{self, Display, Formatter};

use super::{AnySpec, Literal, ModuleSpec};

impl Display for AnySpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
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
            AnySpec::Module(m) => m.fmt(f),
        }
    }
}

impl fmt::Debug for AnySpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
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
        }
    }
}

impl Display for ModuleSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ids = self.state().map(|id| format!("state {id}"));
        separated(f, "Module(", ids.chain(self.plain().map(ToString::to_string)), ")")
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
