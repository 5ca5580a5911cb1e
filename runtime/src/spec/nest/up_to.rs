//! Structures that agree up to the atoms of a shallow one.

use super::super::AnySpec;
use super::same::{composites_match, kind, options, same_kind};
use super::tree::{Composites, Types};
use super::walk::{self, dots, holds_tensors, is_composite};
use super::{Part, Path};
use crate::types::{Error, Result, bail, deep};

/// The parts of `tree` at the places of the atoms of `shallow`, with their paths.
pub(super) fn parts(
    shallow: &AnySpec,
    tree: &AnySpec,
    types: Types,
    composites: Composites,
) -> Result<Vec<(Path, AnySpec)>> {
    let mut walk = Walk { types, composites, path: Path::default(), out: Vec::new() };
    walk.visit(shallow, tree, false).map_err(|e| {
        let at = match walk.path.0.is_empty() {
            true => String::new(),
            false => format!("at {}: ", walk.path),
        };
        let (a, b) = (dots(shallow, composites), dots(tree, composites));
        Error::invalid(format!("{at}{}\nThe structures are\n    {a}\n    {b}", e.message()))
    })?;
    Ok(walk.out)
}

struct Walk {
    types: Types,
    composites: Composites,
    path: Path,
    out: Vec<(Path, AnySpec)>,
}

impl Walk {
    fn visit(&mut self, shallow: &AnySpec, tree: &AnySpec, within: bool) -> Result<()> {
        deep(|| {
            let Some(wanted) = walk::parts(shallow, self.composites) else {
                if !within || holds_tensors(shallow) {
                    self.out.push((self.path.clone(), tree.clone()));
                }
                return Ok(());
            };
            if let Some((shallow, tree)) = options(shallow, tree, self.types)? {
                return self.visit(shallow, tree, within);
            }
            let Some(found) = walk::parts(tree, self.composites) else {
                bail!("{} stands where the shallow structure has {}", kind(tree), kind(shallow));
            };
            if !composites_match(shallow, tree, self.composites)? {
                same_kind(shallow, tree, self.types, self.composites)?;
            }
            if wanted.len() != found.len() {
                bail!("the lengths differ: {} and {}", wanted.len(), found.len());
            }
            let within = within || is_composite(shallow);
            for ((steps, shallow), (_, tree)) in wanted.into_iter().zip(found) {
                let depth = self.path.0.len();
                self.path.0.extend::<Vec<Part>>(steps);
                self.visit(&shallow, &tree, within)?;
                self.path.0.truncate(depth);
            }
            Ok(())
        })
    }
}
