//! What a run of gradients looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::report::Summary;
use super::ways::{Mode, Surrounding};

impl Summary {
    /// How many ops were differentiated in each way, and which never, with what was said of them.
    pub fn coverage(&self) -> String {
        let mut out = String::new();
        let mut ways: BTreeMap<(&str, &str, &str), BTreeSet<&str>> = BTreeMap::new();
        for (op, tally) in &self.ops {
            for key in tally.gradients.keys() {
                let parts: Vec<&str> = key.split('|').collect();
                if let [order, surrounding, mode] = parts[..] {
                    ways.entry((order, surrounding, mode)).or_default().insert(op);
                }
            }
        }
        let modes: Vec<String> =
            [&[Mode::Eager], &Mode::TRACED[..]].concat().iter().map(|m| m.name()).collect();
        let known: Vec<&str> = Surrounding::ALL.iter().map(|s| s.name()).collect();
        let _ = writeln!(out, "ops of {}, by first / second order", self.ops.len());
        for (i, mode) in modes.iter().enumerate() {
            let _ = writeln!(out, "  {}: {mode}", (b'a' + i as u8) as char);
        }
        for surrounding in known.iter().copied().chain(["in two"]) {
            let _ = write!(out, "{surrounding:16}");
            for (i, mode) in modes.iter().enumerate() {
                let count = |order: &str| {
                    let here = |(o, s, m): &(&str, &str, &str)| {
                        let within =
                            *s == surrounding || (surrounding == "in two" && !known.contains(s));
                        *o == order && within && m == mode
                    };
                    let ops = ways.iter().filter(|(way, _)| here(way)).flat_map(|(_, ops)| ops);
                    ops.collect::<BTreeSet<_>>().len()
                };
                let letter = (b'a' + i as u8) as char;
                let _ = write!(out, " {letter} {:3}/{:3} ", count("first"), count("second"));
            }
            out.push('\n');
        }
        for order in ["first", "second"] {
            let way = format!("{order}|alone|{}", Mode::Eager.name());
            let without = self.ops.iter().filter(|(_, t)| !t.gradients.contains_key(&way));
            let _ = writeln!(out, "never compared in {order} order:");
            for (op, tally) in without {
                let said = tally.gradients.iter().filter(|(key, _)| !key.contains('|'));
                let said: Vec<String> = said.map(|(key, n)| format!("{key} (x{n})")).collect();
                let _ = writeln!(out, "  {op}: {}", said.join("; "));
            }
        }
        out
    }
}
