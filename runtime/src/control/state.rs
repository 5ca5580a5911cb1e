//! The source location of a control flow call, and error messages for values whose types differ.

use std::fmt;
use std::panic::Location;

use crate::ir::{Attrs, OpDef, WORD};
use crate::spec::{AnySpec, Literal, first_difference};
use crate::types::{Error, Result, caller, err};

/// A conditional or a loop in the user's program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The function that the user called: `cond`, `while_loop`.
    pub(crate) op: &'static str,
    pub(crate) location: &'static Location<'static>,
    /// Its values are a tuple of the variables with these names; empty if they have no names.
    pub(crate) names: &'static [&'static str],
}

impl Site {
    pub(crate) fn new(op: &'static str, location: &'static Location<'static>) -> Self {
        Self { op, location, names: &[] }
    }

    /// A gradient, at the line of the call that computes it.
    #[track_caller]
    pub(crate) fn of_gradient() -> Self {
        let here = Location::caller();
        Self::new("gradient", caller().map_or(here, |call| call.location))
    }

    /// The name of a part of a value, as the user knows it.
    pub(crate) fn part(&self, value: &str, path: &str) -> String {
        let named = path.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let named =
            named.and_then(|(i, rest)| Some((self.names.get(i.parse::<usize>().ok()?)?, rest)));
        match named {
            Some((name, rest)) => format!("{name}{rest}"),
            None => format!("{value}{path}"),
        }
    }

    /// The error with the user's line, if it has none yet.
    #[cold]
    pub(crate) fn locate(&self, e: Error) -> Error {
        e.with_op(self.op).with_location(self.location)
    }

    /// The attributes of the op, with the user's name for it if that differs.
    pub(crate) fn noted(&self, op: &OpDef, attrs: Attrs) -> Attrs {
        if self.op == op.rust_name { attrs } else { attrs.with(WORD, &self.op.to_owned()) }
    }

    /// Gives an error of the library the location of the user's call.
    pub(crate) fn located<R>(&self, result: Result<R>) -> Result<R> {
        result.map_err(|e| self.locate(e))
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the `{}` at {}:{}", self.op, self.location.file(), self.location.line())
    }
}

/// A name of the program in backticks; plain words stay unquoted.
fn quoted(name: String) -> String {
    if name.contains(' ') { name } else { format!("`{name}`") }
}

/// The error for two values without a common type: which part differs, its two types, and how to fix it.
pub(crate) fn difference(
    site: &Site,
    value: &str,
    specs: [&AnySpec; 2],
    places: [&str; 2],
) -> Error {
    let joins = |a: &AnySpec, b: &AnySpec| a.most_specific_common_supertype(b).is_some();
    let mut path = String::new();
    let (a, b) = first_difference(specs[0], specs[1], &joins, &mut path);
    let help = match (&a, &b) {
        (AnySpec::Tensor(x), AnySpec::Tensor(y)) if x.dtype != y.dtype => {
            x.dtype.meeting(y.dtype, "")
        }
        _ => remedy(&a, &b).to_owned(),
    };
    let part = quoted(site.part(value, &path));
    err!("{site}: {part} is {a} in {}, but {b} in {}; {help}", places[0], places[1])
}

/// The type that covers two types which differ only in sizes: those become unknown. `None` if more differs, or nothing.
pub(crate) fn of_other_sizes(a: &AnySpec, b: &AnySpec) -> Result<Option<AnySpec>> {
    let rank = |leaf: &AnySpec| match leaf {
        AnySpec::Tensor(t) => t.shape.rank(),
        _ => None,
    };
    let other_rank =
        |(a, b): (&AnySpec, &AnySpec)| rank(a).zip(rank(b)).is_some_and(|(a, b)| a != b);
    match a.leaves().iter().zip(&b.leaves()).any(other_rank) {
        true => Ok(None),
        false => Ok(a.joined(b)?.filter(|joined| joined != a)),
    }
}

/// The error for a state that does not have the declared type, at entry or after an iteration.
pub(crate) fn changed(site: &Site, declared: &AnySpec, found: &AnySpec, when: &str) -> Error {
    changed_value(site, "vars", [declared, found], when, |a, b| {
        let both = match (a, b) {
            (AnySpec::Tensor(x), AnySpec::Tensor(y)) => {
                x.shape.most_specific_common_supertype(&y.shape)
            }
            // The shape in a spec that is written by hand.
            (AnySpec::Literal(Literal::Shape(x)), AnySpec::Literal(Literal::Shape(y))) => {
                x.most_specific_common_supertype(y)
            }
            _ => return None,
        };
        Some(format!(
            "if its shape is to change, say so with `WhileLoop::invariants`: a spec with the shape {both}"
        ))
    })
}

/// [`changed`] for the value of this name. Unless the dtypes differ, `helps` may return a better hint than the default.
pub(crate) fn changed_value(
    site: &Site,
    value: &str,
    [declared, found]: [&AnySpec; 2],
    when: &str,
    helps: impl FnOnce(&AnySpec, &AnySpec) -> Option<String>,
) -> Error {
    let mut path = String::new();
    let fits = |a: &AnySpec, b: &AnySpec| b.is_subtype_of(a);
    let (a, b) = first_difference(declared, found, &fits, &mut path);
    let help = match (&a, &b) {
        (AnySpec::Tensor(x), AnySpec::Tensor(y)) if x.dtype != y.dtype => {
            x.dtype.meeting(y.dtype, "")
        }
        _ => helps(&a, &b).unwrap_or_else(|| remedy(&a, &b).to_owned()),
    };
    let part = quoted(site.part(value, &path));
    err!("{site}: {part} is {a} for the loop, but {b} {when}; {help}")
}

fn remedy(a: &AnySpec, b: &AnySpec) -> &'static str {
    match (a, b) {
        (AnySpec::Literal(_), AnySpec::Literal(_)) => {
            "plain data must stay the same; make it a tensor, as in `scalar(x)`"
        }
        (AnySpec::Optional(_), AnySpec::Optional(_)) => {
            "an `Option` is `None` or `Some` all the time; let it hold a value from the start, and a bool tensor beside \
             it (`let mut found = scalar(false)`) whether that counts"
        }
        _ => "make both of one structure",
    }
}
