//! Findings, and what a run did.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use extype::DType;

use super::edit::{self, Edit};
use super::subject::Subject;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The process ended.
    Aborts,
    /// The call did not end in time.
    Hangs,
    /// A panic came out.
    Panics,
    /// A trace gives another result.
    Differs,
    /// A trace refuses what is taken op by op.
    TraceRefuses,
    /// A trace takes what is refused op by op.
    TraceTakes,
    /// The inferred dtype or shape is not that of the result.
    InferredType,
    /// There is a rule, but it fails.
    GradientFails,
    /// A gradient has another dtype or shape than its input.
    GradientType,
    /// A gradient is not that of the result.
    GradientWrong,
    /// There is no gradient, but the result depends on the input.
    GradientMissing,
    /// A gradient of a gradient is not what differences of the gradient tell.
    SecondWrong,
    /// The same numbers come out otherwise where the call stands elsewhere.
    WaysDiffer,
}

impl Kind {
    const ALL: [Kind; 13] = [
        Kind::Aborts,
        Kind::Hangs,
        Kind::Panics,
        Kind::Differs,
        Kind::TraceRefuses,
        Kind::TraceTakes,
        Kind::InferredType,
        Kind::GradientFails,
        Kind::GradientType,
        Kind::GradientWrong,
        Kind::GradientMissing,
        Kind::SecondWrong,
        Kind::WaysDiffer,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Aborts => "aborts",
            Kind::Hangs => "hangs",
            Kind::Panics => "panics",
            Kind::Differs => "differs-in-trace",
            Kind::TraceRefuses => "trace-refuses",
            Kind::TraceTakes => "trace-takes",
            Kind::InferredType => "inferred-type",
            Kind::GradientFails => "gradient-fails",
            Kind::GradientType => "gradient-type",
            Kind::GradientWrong => "gradient-wrong",
            Kind::GradientMissing => "gradient-missing",
            Kind::SecondWrong => "second-order-wrong",
            Kind::WaysDiffer => "ways-differ",
        }
    }

    /// The kind of this name.
    pub(super) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.name() == name)
    }
}

/// A call that does what no call may do.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The op.
    pub op: String,
    /// The case.
    pub seed: u64,
    /// What made it smaller.
    pub edits: Vec<Edit>,
    /// What is wrong.
    pub kind: Kind,
    /// In words.
    pub text: String,
    /// The call.
    pub call: String,
    /// How many cases of the run are like it.
    pub count: usize,
}

impl Finding {
    /// What is alike in findings of one cause: numbers and shapes left out.
    pub(super) fn signature(&self) -> String {
        if self.kind == Kind::InferredType {
            return format!("{} {}", self.op, self.kind.name());
        }
        // Of a wrong gradient the input; of a call's message not how it was traced.
        let input = matches!(
            self.kind,
            Kind::GradientMissing | Kind::GradientWrong | Kind::SecondWrong | Kind::WaysDiffer
        );
        let text = match self.kind {
            _ if input => self.text.split(':').next().unwrap_or_default(),
            _ => {
                self.text.trim_start_matches("traced with ").trim_start_matches(char::is_alphabetic)
            }
        };
        let names = |word: &str| DType::from_name(word.trim_matches(|c| c == '`' || c == ','));
        let words = text.split(' ').filter(|w| names(w).is_none());
        let mut out = String::new();
        let mut depth = 0;
        for c in words.flat_map(str::chars) {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' => depth -= 1,
                '-' => {}
                c if depth <= 0 && out.len() < 60 => {
                    out.extend(Some(c).filter(|c| input || !c.is_ascii_digit()));
                }
                _ => {}
            }
        }
        format!("{} {} {out}", self.op, self.kind.name())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edits = match &self.edits[..] {
            [] => String::new(),
            edits => format!(" --edits {}", edit::to_text(edits)),
        };
        let text = self.text.replace('\n', " ");
        write!(
            f,
            "{} {} (x{}): {}: {text} [--op {} --case {}{edits}]",
            self.op,
            self.kind.name(),
            self.count,
            self.call,
            self.op,
            self.seed
        )
    }
}

/// What happened to the cases of an op.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases that ran.
    pub cases: usize,
    /// Of them, those that the op took.
    pub taken: usize,
    /// Outcomes of the gradients' check.
    pub gradients: BTreeMap<String, usize>,
    /// One refusal, for an op that took nothing.
    pub refusal: Option<String>,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// By op.
    pub ops: BTreeMap<String, Tally>,
    /// One of each signature, sorted.
    pub findings: Vec<Finding>,
    /// Cases that were to run and did not, for want of time.
    pub left_out: usize,
}

impl Summary {
    /// All cases that ran.
    pub fn cases(&self) -> usize {
        self.ops.values().map(|t| t.cases).sum()
    }

    /// Ops that took no call: the fuzzer says little of them.
    pub fn never_taken(&self) -> Vec<&str> {
        self.ops.iter().filter(|(_, t)| t.taken == 0).map(|(op, _)| op.as_str()).collect()
    }

    /// One line for each op.
    pub fn table(&self) -> String {
        let mut out = String::new();
        for (op, t) in &self.ops {
            let percent = 100 * t.taken / t.cases.max(1);
            let gradients: Vec<String> =
                t.gradients.iter().map(|(k, n)| format!("{k} {n}")).collect();
            let found: usize = self.findings.iter().filter(|f| f.op == *op).map(|f| f.count).sum();
            let _ = writeln!(
                out,
                "{op:36} cases {:6}  taken {percent:3} %  findings {found:5}  gradients: {}",
                t.cases,
                gradients.join(", ")
            );
        }
        out
    }

    /// The findings of a run of this subject, one a line, and how many of which kind.
    pub fn text(&self, subject: Subject) -> String {
        let mut out = String::new();
        for finding in &self.findings {
            let _ = writeln!(out, "{finding}");
        }
        for kind in Kind::ALL {
            let of: Vec<&Finding> = self.findings.iter().filter(|f| f.kind == kind).collect();
            let ops: BTreeSet<&str> = of.iter().map(|f| f.op.as_str()).collect();
            if !of.is_empty() {
                let _ = writeln!(out, "{}: {} in {} ops", kind.name(), of.len(), ops.len());
            }
        }
        let taken: usize = self.ops.values().map(|t| t.taken).sum();
        let _ = writeln!(
            out,
            "{} cases of {} ops, {taken} taken, {} findings",
            self.cases(),
            self.ops.len(),
            self.findings.len()
        );
        for op in self.never_taken() {
            let why = self.ops[op].refusal.as_deref().unwrap_or("no case ran");
            let _ = writeln!(out, "never taken: {op} ({why})");
        }
        if subject == Subject::Calls {
            self.unchecked(&mut out);
        }
        if self.left_out > 0 {
            let _ = writeln!(out, "{} cases did not run: the time was over", self.left_out);
        }
        out
    }

    /// The ops whose gradients were never compared.
    fn unchecked(&self, out: &mut String) {
        let unchecked = self.ops.iter().filter(|(_, t)| {
            t.gradients.keys().any(|k| k == "computed" || k == "no rule")
                && !t.gradients.contains_key("agrees")
        });
        let (mut none, mut numbers) = (Vec::new(), Vec::new());
        for (op, t) in unchecked {
            let list = if t.gradients.contains_key("computed") { &mut numbers } else { &mut none };
            list.push(op.as_str());
        }
        let _ = writeln!(out, "no gradient rule: {}", none.join(" "));
        let _ = writeln!(out, "gradients computed, never compared: {}", numbers.join(" "));
    }
}
