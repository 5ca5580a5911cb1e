//! The equations of `Einsum`: `"ij,jk->ik"`.

use smallvec::SmallVec;

use crate::types::{Result, bail, err};

/// An axis in an equation: a letter, or an axis of an ellipsis. Axes of an ellipsis count from its end,
/// so that ellipses of different lengths broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Letter(u8),
    Ellipsis(usize),
}

pub(crate) type Labels = SmallVec<[Label; 6]>;

/// The subscripts of one tensor: the text between commas or the arrow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Subscripts {
    before: Vec<u8>,
    /// The letters behind an ellipsis, if there is one.
    after: Option<Vec<u8>>,
}

impl Subscripts {
    fn parse(text: &str) -> Result<Self> {
        let letters = |part: &str| match part.bytes().all(|b| b.is_ascii_alphabetic()) {
            true => Ok(part.as_bytes().to_vec()),
            false => bail!("labels are letters and one ellipsis `...`, not {text:?}"),
        };
        match text.split_once("...") {
            None => Ok(Self { before: letters(text)?, after: None }),
            Some((before, after)) => {
                Ok(Self { before: letters(before)?, after: Some(letters(after)?) })
            }
        }
    }

    /// The letters, with an ellipsis before them if `ellipsis` is true.
    pub(crate) fn new(ellipsis: bool, letters: Vec<u8>) -> Self {
        match ellipsis {
            true => Self { before: Vec::new(), after: Some(letters) },
            false => Self { before: letters, after: None },
        }
    }

    pub(crate) fn has_ellipsis(&self) -> bool {
        self.after.is_some()
    }

    pub(crate) fn letters(&self) -> impl Iterator<Item = u8> {
        self.before.iter().chain(self.after.iter().flatten()).copied()
    }

    /// The labels of a tensor of this rank.
    pub(crate) fn labels(&self, rank: usize) -> Result<Labels> {
        let letters = self.letters().count();
        let hidden = rank.checked_sub(letters).filter(|n| *n == 0 || self.has_ellipsis());
        let hidden = hidden.ok_or_else(|| {
            let more = if self.has_ellipsis() { " or more" } else { "" };
            err!("subscripts `{self}` are for rank {letters}{more}, not {rank}")
        })?;
        let letter = |b: &u8| Label::Letter(*b);
        Ok(self
            .before
            .iter()
            .map(letter)
            .chain((0..hidden).rev().map(Label::Ellipsis))
            .chain(self.after.iter().flatten().map(letter))
            .collect())
    }
}

impl std::fmt::Display for Subscripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ellipsis = if self.has_ellipsis() { "..." } else { "" };
        let text = |letters: &[u8]| String::from_utf8_lossy(letters).into_owned();
        let after = self.after.as_deref().unwrap_or_default();
        write!(f, "{}{ellipsis}{}", text(&self.before), text(after))
    }
}

/// A parsed equation; its output is always explicit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Equation {
    pub(crate) inputs: Vec<Subscripts>,
    pub(crate) output: Subscripts,
}

impl Equation {
    /// Parses an equation for `count` tensors. Without an arrow the result has the axes of ellipses,
    /// then the labels that occur once, in alphabetical order.
    pub(crate) fn parse(text: &str, count: usize) -> Result<Self> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (left, right) = match text.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (text.as_str(), None),
        };
        let inputs: Vec<Subscripts> =
            left.split(',').map(Subscripts::parse).collect::<Result<_>>()?;
        if inputs.len() != count {
            bail!("the equation {text:?} is for {} tensors, not {count}", inputs.len());
        }
        let times =
            |label: u8| inputs.iter().flat_map(Subscripts::letters).filter(|l| *l == label).count();
        let output = match right {
            Some(right) => Subscripts::parse(right)?,
            None => {
                let once = (b'A'..=b'z').filter(|l| times(*l) == 1).collect();
                Subscripts::new(inputs.iter().any(Subscripts::has_ellipsis), once)
            }
        };
        if let Some(unknown) = output.letters().find(|l| times(*l) == 0) {
            bail!("label `{}` of the result of {text:?} is in no input", char::from(unknown));
        }
        if output.has_ellipsis() && !inputs.iter().any(Subscripts::has_ellipsis) {
            bail!("the ellipsis of the result of {text:?} is in no input");
        }
        Ok(Self { inputs, output })
    }

    /// The labels of the inputs and of the result for inputs of these ranks.
    pub(crate) fn labels(&self, ranks: &[usize]) -> Result<(Vec<Labels>, Labels)> {
        let of_input = |(i, (s, rank)): (usize, (&Subscripts, &usize))| {
            s.labels(*rank).map_err(|e| e.prefixed(format_args!("input {i} of `{self}`")))
        };
        let inputs: Vec<Labels> =
            self.inputs.iter().zip(ranks).enumerate().map(of_input).collect::<Result<_>>()?;
        let is_hidden = |l: &&Label| matches!(l, Label::Ellipsis(_));
        let hidden =
            inputs.iter().map(|labels| labels.iter().filter(is_hidden).count()).max().unwrap_or(0);
        if hidden > 0 && !self.output.has_ellipsis() {
            bail!("`{self}`: an ellipsis stands for {hidden} axes, but the result has none");
        }
        let output = self.output.labels(self.output.letters().count() + hidden)?;
        Ok((inputs, output))
    }
}

impl std::fmt::Display for Equation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inputs: Vec<String> = self.inputs.iter().map(ToString::to_string).collect();
        write!(f, "{}->{}", inputs.join(","), self.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, count: usize) -> String {
        Equation::parse(text, count).map_or_else(|e| e.message().to_owned(), |e| e.to_string())
    }

    #[test]
    fn equations_are_read() {
        assert_eq!(shown(" ij, jk -> ik ", 2), "ij,jk->ik");
        assert_eq!(shown("ij,jk", 2), "ij,jk->ik");
        assert_eq!(shown("ba", 1), "ba->ab");
        assert_eq!(shown("ii", 1), "ii->");
        assert_eq!(shown("i...j,j", 2), "i...j,j->...i");
        assert_eq!(shown("->", 1), "->");
    }

    #[test]
    fn wrong_equations_are_refused() {
        for (text, count, part) in [
            ("ij", 2, "for 1 tensors, not 2"),
            ("ij->k", 1, "`k`"),
            ("i->...", 1, "ellipsis"),
            ("i1->i", 1, "letters"),
            ("i......->i", 1, "letters"),
            ("i->j->i", 1, "letters"),
        ] {
            assert!(shown(text, count).contains(part), "{text}: {}", shown(text, count));
        }
    }

    #[test]
    fn ellipses_count_from_their_ends() {
        let e = Equation::parse("a...b,...->a...", 2).unwrap();
        let (inputs, output) = e.labels(&[4, 1]).unwrap();
        let (a, b) = (Label::Letter(b'a'), Label::Letter(b'b'));
        let (x, y) = (Label::Ellipsis(1), Label::Ellipsis(0));
        assert_eq!(inputs[0][..], [a, x, y, b]);
        assert_eq!((&inputs[1][..], &output[..]), (&[y][..], &[a, x, y][..]));
        assert!(e.labels(&[1, 1]).is_err());
        assert!(Equation::parse("...->", 1).unwrap().labels(&[1]).is_err());
    }
}
