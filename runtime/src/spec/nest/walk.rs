//! The one walk that all functions of this module share: into the parts of a spec, and back.

use std::borrow::Cow;
use std::collections::BTreeMap;

use AnySpec as S;

use super::super::{AnySpec, Composite, Nested};
use super::tree::Composites;
use super::{Part, Path};
use crate::types::{Result, bail, caught, deep};

/// The parts of one level, with the step to each; `None` for an atom.
///
/// The parts of an extension type are its components if it lists them, else the fields that hold tensors. A
/// present option counts as its content.
pub(super) fn parts(spec: &AnySpec, composites: Composites) -> Option<Vec<(Vec<Part>, AnySpec)>> {
    let indexed = |c: &[AnySpec]| {
        c.iter().enumerate().map(|(i, s)| (vec![Part::Index(i)], s.clone())).collect()
    };
    match spec {
        S::Tuple(c) | S::List(c) => Some(indexed(c)),
        S::Map(m) => Some(m.iter().map(|(k, s)| (vec![Part::Key(k.clone())], s.clone())).collect()),
        S::Optional(Some(s)) => {
            Some(parts(s, composites).unwrap_or_else(|| vec![(vec![], (**s).clone())]))
        }
        S::Composite(c) if composites == Composites::Expand => {
            let name = Part::Type(c.class.short_name.to_string());
            let step = |part| vec![name.clone(), part];
            Some(match &c.components {
                Some(components) => {
                    let parts = components.iter().enumerate();
                    parts.map(|(i, s)| (step(Part::Index(i)), s.clone())).collect()
                }
                None => {
                    let fields = c.fields.iter().filter(|(_, s)| holds_tensors(s));
                    fields.map(|(n, s)| (step(Part::Field(n.to_string())), s.clone())).collect()
                }
            })
        }
        _ => None,
    }
}

/// False for static data and structures without tensors, which are no components.
pub(super) fn holds_tensors(spec: &AnySpec) -> bool {
    deep(|| match spec {
        S::Tensor(_) | S::Variable(_) => true,
        S::Literal(_) | S::Optional(None) => false,
        S::Custom(_) => spec.component_specs().iter().any(holds_tensors),
        S::Tuple(c) | S::List(c) => c.iter().any(holds_tensors),
        S::Map(m) => m.values().any(holds_tensors),
        S::Optional(Some(s)) => holds_tensors(s),
        S::Composite(c) => c.components().iter().any(holds_tensors),
    })
}

/// The atoms with their paths, in the order of the tensors.
pub(super) fn atoms(spec: &AnySpec, composites: Composites) -> Vec<(Path, AnySpec)> {
    let mut out = Vec::new();
    visit(spec, composites, false, &mut Path::default(), &mut out);
    out
}

fn visit(
    spec: &AnySpec,
    composites: Composites,
    within: bool,
    path: &mut Path,
    out: &mut Vec<(Path, AnySpec)>,
) {
    deep(|| {
        let Some(parts) = parts(spec, composites) else {
            // Static data in the containers of an extension type is no component.
            if !within || holds_tensors(spec) {
                out.push((path.clone(), spec.clone()));
            }
            return;
        };
        let within = within || is_composite(spec);
        for (steps, part) in parts {
            let depth = path.0.len();
            path.0.extend(steps);
            visit(&part, composites, within, path, out);
            path.0.truncate(depth);
        }
    });
}

/// True for an extension type, also in an option.
pub(super) fn is_composite(spec: &AnySpec) -> bool {
    match spec {
        S::Composite(_) => true,
        S::Optional(Some(s)) => is_composite(s),
        _ => false,
    }
}

/// The spec with its atoms replaced, in the order of [`atoms`].
pub(super) fn rebuild(
    spec: &AnySpec,
    composites: Composites,
    atoms: &mut dyn Iterator<Item = AnySpec>,
) -> Result<AnySpec> {
    replace(spec, composites, false, atoms)
}

fn replace(
    spec: &AnySpec,
    composites: Composites,
    within: bool,
    atoms: &mut dyn Iterator<Item = AnySpec>,
) -> Result<AnySpec> {
    deep(|| {
        let all = |c: &[AnySpec], atoms: &mut dyn Iterator<Item = AnySpec>| {
            let parts = c.iter().map(|s| replace(s, composites, within, atoms));
            Nested::try_new(parts.collect::<Result<Vec<_>>>()?)
        };
        Ok(match spec {
            S::Tuple(c) => S::Tuple(all(c, atoms)?),
            S::List(c) => S::List(all(c, atoms)?),
            S::Map(m) => {
                let parts =
                    m.iter().map(|(k, s)| Ok((k.clone(), replace(s, composites, within, atoms)?)));
                S::Map(Nested::try_new(parts.collect::<Result<BTreeMap<_, _>>>()?)?)
            }
            S::Optional(Some(s)) => {
                S::Optional(Some(Nested::try_new(replace(s, composites, within, atoms)?)?))
            }
            S::Composite(c) if composites == Composites::Expand => {
                return replace_components(spec, c, composites, atoms);
            }
            _ if within && !holds_tensors(spec) => spec.clone(),
            _ => match atoms.next() {
                Some(atom) if within && !matches!(atom, S::Tensor(_) | S::Variable(_)) => {
                    bail!("a component of an extension type is a tensor, not {atom}")
                }
                Some(atom) => atom,
                None => bail!("too few parts for the structure"),
            },
        })
    })
}

fn replace_components(
    spec: &AnySpec,
    c: &Composite,
    composites: Composites,
    atoms: &mut dyn Iterator<Item = AnySpec>,
) -> Result<AnySpec> {
    if let Some(components) = &c.components {
        // The fields determine the components, so the new ones must fit the old ones.
        for component in components {
            let part = replace(component, composites, true, atoms)?;
            let fits = || Ok(part.is_compatible_with(component));
            if !caught(|| format!("comparing {part} with {component}"), fits)? {
                bail!("{part} is no component {component} of {spec}");
            }
        }
        return Ok(spec.clone());
    }
    let field = |(name, s): &(Cow<'static, str>, AnySpec)| match s {
        S::Literal(_) => Ok((name.clone(), s.clone())),
        s => Ok((name.clone(), replace(s, composites, true, atoms)?)),
    };
    let fields = c.fields.iter().map(field).collect::<Result<_>>()?;
    Composite { class: c.class.clone(), fields, components: None }.rebuilt()
}

/// The structure with a dot for each atom, for the end of messages.
pub(super) fn dots(spec: &AnySpec, composites: Composites) -> String {
    deep(|| {
        let list =
            |c: &[AnySpec]| c.iter().map(|s| dots(s, composites)).collect::<Vec<_>>().join(", ");
        match spec {
            S::Tuple(c) if c.len() == 1 => format!("({},)", list(c)),
            S::Tuple(c) => format!("({})", list(c)),
            S::List(c) => format!("[{}]", list(c)),
            S::Map(m) => {
                let parts = m.iter().map(|(k, s)| format!("{k:?}: {}", dots(s, composites)));
                format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
            }
            S::Optional(Some(s)) => format!("Some({})", dots(s, composites)),
            S::Composite(c) if composites == Composites::Expand => {
                let parts = parts(spec, composites).unwrap_or_default();
                let parts = parts.iter().map(|(_, s)| dots(s, composites)).collect::<Vec<_>>();
                format!("{}({})", c.class.short_name, parts.join(", "))
            }
            _ => ".".to_owned(),
        }
    })
}
