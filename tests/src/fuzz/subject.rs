//! What a run is about, and a case of it.

use super::chain::{self, Chain};
use super::check::{self, Checked};
use super::edit::{self, Edit};
use super::nest::{self, Nest};
use super::rng::Rng;
use super::{defs, derivatives, generate, liars, problem};

/// What a run is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// Hostile calls of every op.
    #[default]
    Calls,
    /// Gradients of first and second order of every op, of chains of ops and of loops within each other, in whatever they are called.
    Gradients,
}

/// Chains in a round of all ops, and programs of loops.
const CHAINS: usize = 60;
const NESTS: usize = 30;

type Check = Box<dyn FnOnce(&mut Rng, &mut dyn FnMut(&str)) -> Checked>;

/// A case: what is told of it, and its check, which is told what begins.
pub(super) struct Case {
    pub(super) text: String,
    pub(super) smaller: Vec<Edit>,
    pub(super) check: Check,
}

impl Subject {
    /// What has cases, in a round of them; one that stands here several times has several.
    pub(super) fn names(self) -> Vec<&'static str> {
        let mut names: Vec<&str> = defs::ops().into_iter().map(defs::name).collect();
        if self == Subject::Gradients {
            names.retain(|name| defs::op(name).is_some_and(problem::concerned));
            names.extend([chain::NAME; CHAINS]);
            names.extend([nest::NAME; NESTS]);
            // A short run sees some of everything.
            let mut rng = Rng::of_case("round", 0);
            (1..names.len()).rev().for_each(|i| names.swap(i, rng.below(i + 1)));
        } else {
            names.push(liars::NAME);
        }
        names
    }

    pub(super) fn case(self, name: &str, seed: u64, edits: Vec<Edit>) -> Result<Case, String> {
        if self == Subject::Gradients && name == chain::NAME {
            let chain = Chain::of_case(seed, &edits);
            let (text, smaller) = (chain.to_string(), chain.candidates());
            let check: Check =
                Box::new(move |rng, stage| derivatives::check(chain.problem(), rng, stage));
            return Ok(Case { text, smaller, check });
        }
        if self == Subject::Gradients && name == nest::NAME {
            let nest = Nest::of_case(seed, &edits);
            let (text, smaller) = (nest.to_string(), nest.candidates());
            let check: Check =
                Box::new(move |rng, stage| derivatives::check(Ok(nest.problem()), rng, stage));
            return Ok(Case { text, smaller, check });
        }
        if name == liars::NAME {
            let (text, check) = liars::case(seed);
            return Ok(Case { text, smaller: Vec::new(), check: Box::new(check) });
        }
        let op = defs::op(name).ok_or_else(|| format!("no op is named `{name}`"))?;
        let made = match self {
            Subject::Calls => generate::generate,
            Subject::Gradients => generate::tame,
        };
        // Anew for every run, for state is changed by it.
        let make = move || {
            let mut call = made(op, seed);
            edit::apply(&mut call, &edits);
            call
        };
        let call = make();
        let (text, smaller) = (call.to_string(), edit::candidates(&call));
        let check: Check = match self {
            Subject::Calls => Box::new(move |rng, stage| check::check(&make, rng, stage)),
            Subject::Gradients => {
                Box::new(move |rng, stage| derivatives::check_call(&make(), rng, stage))
            }
        };
        Ok(Case { text, smaller, check })
    }
}
