//! What became of the cases.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What became of one case.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The answer is right.
    Passed,
    /// The answer is wrong, or a refusal is missing.
    Failed {
        /// What was recorded.
        expected: String,
        /// What came out.
        got: String,
    },
    /// The answer is another, but need not match.
    Exempt {
        /// What was recorded.
        expected: String,
        /// What came out.
        got: String,
    },
    /// There is no such op or function, by this name.
    Unsupported(String),
}

impl Verdict {
    /// A failure.
    pub fn failed(expected: impl Into<String>, got: impl Into<String>) -> Verdict {
        Verdict::Failed { expected: expected.into(), got: got.into() }
    }

    /// A failure that does not count.
    #[must_use]
    pub fn exempted(self) -> Verdict {
        match self {
            Verdict::Failed { expected, got } => Verdict::Exempt { expected, got },
            other => other,
        }
    }

    /// Passed if equal, else a failure that shows both.
    pub fn of_equal<T: PartialEq + std::fmt::Debug>(got: &T, want: &T) -> Verdict {
        if got == want {
            Verdict::Passed
        } else {
            Verdict::failed(format!("{want:?}"), format!("{got:?}"))
        }
    }
}

/// A case and what became of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The id of the case.
    pub id: String,
    /// What became of it.
    pub verdict: Verdict,
    /// Ops without a gradient rule, so that recorded gradients were not checked.
    pub unchecked: Option<String>,
}

/// Numbers of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Right answers.
    pub passed: usize,
    /// Wrong answers.
    pub failed: usize,
    /// Ops that don't exist.
    pub unsupported: usize,
    /// Wrong answers that need not match.
    pub exempt: usize,
}

impl Tally {
    fn add(&mut self, line: &Line) {
        let place = match &line.verdict {
            Verdict::Passed => &mut self.passed,
            Verdict::Failed { .. } => &mut self.failed,
            Verdict::Exempt { .. } => &mut self.exempt,
            Verdict::Unsupported(_) => &mut self.unsupported,
        };
        *place += 1;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} unsupported",
            self.passed, self.failed, self.unsupported
        )
    }
}

/// What became of all cases, by suite.
#[derive(Clone, Debug, Default)]
pub struct Report {
    suites: BTreeMap<String, Vec<Line>>,
}

impl Report {
    /// Adds a case of this suite.
    pub fn add(&mut self, suite: &str, line: Line) {
        self.suites.entry(suite.to_owned()).or_default().push(line);
    }

    /// The numbers of all suites together.
    pub fn total(&self) -> Tally {
        tally(self.lines())
    }

    /// All cases.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.suites.values().flatten()
    }

    /// One line for each suite, and the sum.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        for (suite, lines) in &self.suites {
            let _ = writeln!(out, "{suite}: {}", tally(lines));
        }
        let _ = writeln!(out, "{}", self.total());
        out
    }

    /// Every failure with what was expected and what came out.
    pub fn failures(&self) -> String {
        self.shown(|verdict| match verdict {
            Verdict::Failed { expected, got } => Some(("FAILED", expected, got)),
            _ => None,
        })
    }

    fn exempt(&self) -> String {
        self.shown(|verdict| match verdict {
            Verdict::Exempt { expected, got } => Some(("exempt", expected, got)),
            _ => None,
        })
    }

    fn shown(&self, pick: fn(&Verdict) -> Option<(&str, &String, &String)>) -> String {
        let mut out = String::new();
        for line in self.lines() {
            if let Some((mark, expected, got)) = pick(&line.verdict) {
                let _ = writeln!(out, "{mark} {}\n    expected {expected}\n    got {got}", line.id);
            }
        }
        out
    }

    /// Failures, exempt cases, what is unsupported how often, and gradients not checked.
    pub fn details(&self) -> String {
        let unsupported = self.lines().filter_map(|l| match &l.verdict {
            Verdict::Unsupported(what) => Some(what.as_str()),
            _ => None,
        });
        let unchecked = self.lines().filter_map(|l| l.unchecked.as_deref());
        let mut out = self.failures() + &self.exempt();
        for (title, names) in
            [("unsupported", counts(unsupported)), ("gradients not checked", counts(unchecked))]
        {
            let all: usize = names.values().sum();
            let _ = writeln!(out, "{title}: {all} cases");
            for (name, n) in names {
                let _ = writeln!(out, "    {n:5} {name}");
            }
        }
        let _ = writeln!(out, "exempt: {} cases failed", self.total().exempt);
        out
    }
}

fn tally<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Tally {
    let mut tally = Tally::default();
    lines.into_iter().for_each(|l| tally.add(l));
    tally
}

fn counts<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    names.for_each(|n| *counts.entry(n).or_default() += 1);
    counts
}
