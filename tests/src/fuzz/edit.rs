//! Steps that make a call smaller, as text: how the minimal call of a finding is told.

use std::fmt;
use std::str::FromStr;

use super::call::Call;
use super::defs;
use super::rng::Rng;
use super::values::{Style, filled, reshaped};

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Input `0` is all zeros: `z0`.
    Zero(usize),
    /// A size of an input becomes another: `d0.1.2`.
    Size(usize, usize, usize),
    /// A size becomes another wherever it stands: `e3.1`.
    Everywhere(usize, usize),
    /// An input loses an axis: `x0.1`.
    Drop(usize, usize),
    /// An attribute becomes its default: `a2`, the third of the call.
    Default(usize),
    /// A chain loses a step: `w2`.
    Without(usize),
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::Zero(i) => write!(f, "z{i}"),
            Edit::Size(i, axis, size) => write!(f, "d{i}.{axis}.{size}"),
            Edit::Everywhere(from, to) => write!(f, "e{from}.{to}"),
            Edit::Drop(i, axis) => write!(f, "x{i}.{axis}"),
            Edit::Default(i) => write!(f, "a{i}"),
            Edit::Without(i) => write!(f, "w{i}"),
        }
    }
}

impl FromStr for Edit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("no step is written `{text}`");
        let (kind, rest) = text.split_at_checked(1).ok_or_else(wrong)?;
        let numbers: Vec<usize> =
            rest.split('.').map(|n| n.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        match (kind, &numbers[..]) {
            ("z", [i]) => Ok(Edit::Zero(*i)),
            ("d", [i, axis, size]) => Ok(Edit::Size(*i, *axis, *size)),
            ("e", [from, to]) => Ok(Edit::Everywhere(*from, *to)),
            ("x", [i, axis]) => Ok(Edit::Drop(*i, *axis)),
            ("a", [i]) => Ok(Edit::Default(*i)),
            ("w", [i]) => Ok(Edit::Without(*i)),
            _ => Err(wrong()),
        }
    }
}

/// Steps as `--edits` takes them.
pub fn to_text(edits: &[Edit]) -> String {
    edits.iter().map(Edit::to_string).collect::<Vec<_>>().join(",")
}

/// The steps of a text.
///
/// # Errors
/// With the step that is none.
pub fn from_text(text: &str) -> Result<Vec<Edit>, String> {
    text.split(',').filter(|t| !t.is_empty()).map(str::parse).collect()
}

/// Does the steps.
pub(super) fn apply(call: &mut Call, edits: &[Edit]) {
    for edit in edits {
        step(call, edit);
    }
}

fn step(call: &mut Call, edit: &Edit) {
    let changed = match edit {
        Edit::Default(i) => {
            let defaults = defs::attributes(call.op);
            if let Some((name, value)) = call.attrs.get_mut(*i)
                && let Some(default) = defaults.iter().find(|a| a.name == *name)
                && let Some(default) = &default.default
            {
                *value = default.clone();
            }
            return;
        }
        // A call has no steps.
        Edit::Without(_) => return,
        Edit::Everywhere(from, to) => {
            for x in &mut call.inputs {
                let new = |d: &usize| if d == from { *to } else { *d };
                let dims: Vec<usize> = x.dims().iter().map(new).collect();
                if let Some(new) = reshaped(x, &dims) {
                    *x = new;
                }
            }
            return;
        }
        Edit::Zero(i) => call.inputs.get(*i).map(|x| {
            let mut rng = Rng::of_case("", 0);
            (*i, filled(x.dtype(), x.dims(), Style::Zero, &mut rng))
        }),
        Edit::Size(i, axis, size) => call.inputs.get(*i).map(|x| {
            let mut dims = x.dims().to_vec();
            if let Some(d) = dims.get_mut(*axis) {
                *d = *size;
            }
            (*i, reshaped(x, &dims))
        }),
        Edit::Drop(i, axis) => call.inputs.get(*i).map(|x| {
            let mut dims = x.dims().to_vec();
            if *axis < dims.len() {
                dims.remove(*axis);
            }
            (*i, reshaped(x, &dims))
        }),
    };
    if let Some((i, Some(new))) = changed {
        call.inputs[i] = new;
    }
}

/// The steps that may make a call smaller.
pub(super) fn candidates(call: &Call) -> Vec<Edit> {
    let defaults = defs::attributes(call.op);
    let mut out = Vec::new();
    for (i, (name, value)) in call.attrs.iter().enumerate() {
        let default = defaults.iter().find(|a| a.name == *name).and_then(|a| a.default.clone());
        if default.is_some_and(|d| d != *value) {
            out.push(Edit::Default(i));
        }
    }
    let mut sizes: Vec<usize> = call.inputs.iter().flat_map(|x| x.dims().to_vec()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        out.extend([1, 2].iter().filter(|s| **s < size).map(|s| Edit::Everywhere(size, *s)));
    }
    for (i, x) in call.inputs.iter().enumerate() {
        out.extend((0..x.rank()).map(|axis| Edit::Drop(i, axis)));
        for (axis, size) in x.dims().iter().enumerate() {
            out.extend(
                [1, 2, 1 << 31].iter().filter(|s| *s < size).map(|s| Edit::Size(i, axis, *s)),
            );
        }
        let zero = x.as_bytes().is_some_and(|b| b.iter().all(|b| *b == 0));
        if !zero && !x.is_empty() {
            out.push(Edit::Zero(i));
        }
    }
    out
}
