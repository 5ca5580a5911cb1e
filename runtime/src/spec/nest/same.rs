//! Compares structures.

use super::super::AnySpec;
use super::tree::{Composites, Types};
use super::walk::{dots, parts};
use crate::types::{Error, Result, bail, deep};

/// Checks that two trees have the same structure.
pub(super) fn check(a: &AnySpec, b: &AnySpec, types: Types, composites: Composites) -> Result<()> {
    pair(a, b, types, composites).map_err(|e| {
        let (a, b) = (dots(a, composites), dots(b, composites));
        Error::invalid(format!("{}\nThe structures are\n    {a}\n    {b}", e.message()))
    })
}

fn pair(a: &AnySpec, b: &AnySpec, types: Types, composites: Composites) -> Result<()> {
    deep(|| {
        match options(a, b, types)? {
            Some((a, b)) => return pair(a, b, types, composites),
            None if composites_match(a, b, composites)? => return Ok(()),
            None => {}
        }
        let (x, y) = match (parts(a, composites), parts(b, composites)) {
            (None, None) => return Ok(()),
            (Some(_), None) => bail!("{} is a structure, and {} is none", kind(a), kind(b)),
            (None, Some(_)) => bail!("{} is no structure, and {} is one", kind(a), kind(b)),
            (Some(x), Some(y)) => (x, y),
        };
        same_kind(a, b, types, composites)?;
        if x.len() != y.len() {
            bail!("the lengths differ: {} and {}", x.len(), y.len());
        }
        x.iter().zip(&y).try_for_each(|((_, x), (_, y))| pair(x, y, types, composites))
    })
}

/// The contents to compare in place of two options, if any.
///
/// # Errors
/// With [`Types::Check`], if only one option is present, or only one of them is an option.
pub(super) fn options<'a>(
    a: &'a AnySpec,
    b: &'a AnySpec,
    types: Types,
) -> Result<Option<(&'a AnySpec, &'a AnySpec)>> {
    use AnySpec::Optional;
    Ok(match (a, b) {
        (Optional(Some(x)), Optional(Some(y))) => Some((&**x, &**y)),
        (Optional(None), Optional(None)) => None,
        (Optional(x), Optional(y)) if types == Types::Check => {
            let there = |there| if there { "is there" } else { "is not" };
            bail!("one option {}, the other {}", there(x.is_some()), there(y.is_some()))
        }
        (Optional(_), _) | (_, Optional(_)) if types == Types::Check => {
            bail!("{} is not {}", kind(a), kind(b))
        }
        (Optional(Some(x)), y) => Some((&**x, y)),
        (x, Optional(Some(y))) => Some((x, &**y)),
        _ => None,
    })
}

/// True for two extension types that are expanded and have a common supertype.
///
/// # Errors
/// If they have none.
pub(super) fn composites_match(a: &AnySpec, b: &AnySpec, composites: Composites) -> Result<bool> {
    let (AnySpec::Composite(_), AnySpec::Composite(_)) = (a, b) else { return Ok(false) };
    if composites == Composites::Keep {
        return Ok(false);
    }
    match a.without_names().joined(&b.without_names())? {
        Some(_) => Ok(true),
        None => bail!("two extension types without a common type: {a} and {b}"),
    }
}

/// The kind with its article.
pub(super) fn kind(spec: &AnySpec) -> String {
    let kind = spec.kind();
    let article = if kind.starts_with(['o', 'e']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// Checks that two containers are of one kind, unless types are ignored, and that two maps have the same
/// keys.
pub(super) fn same_kind(
    a: &AnySpec,
    b: &AnySpec,
    types: Types,
    composites: Composites,
) -> Result<()> {
    use AnySpec::{Composite, List, Map, Tuple};
    if let (Map(x), Map(y)) = (a, b)
        && !x.keys().eq(y.keys())
    {
        let keys = |m: &std::collections::BTreeMap<String, AnySpec>| {
            m.keys().map(|k| format!("{k:?}")).collect::<Vec<_>>().join(", ")
        };
        bail!("the keys differ: {{{}}} and {{{}}}", keys(x), keys(y));
    }
    let alike = match (a, b) {
        (Tuple(_), Tuple(_)) | (List(_), List(_)) | (Map(_), Map(_)) => true,
        // An expanded extension type is no sequence, even if types are ignored.
        (Composite(_), _) | (_, Composite(_)) if composites == Composites::Expand => false,
        _ => types == Types::Ignore,
    };
    if !alike {
        bail!("{} is not {}", kind(a), kind(b));
    }
    Ok(())
}
