//! Coalesces registers: two that a copy connects become one if neither is written while the other one is needed.

use super::{At, Code};

/// The most instructions of a program whose registers are coalesced: each copy takes passes over all of them.
const MAX_CODE: usize = 1 << 11;

/// Removes the copies between registers that can be one. Registers in `results` keep their numbers, and so do those which
/// the program reads before it writes them.
pub(super) fn coalesce(code: &mut Vec<Code>, results: &[At]) {
    if code.len() > MAX_CODE {
        return;
    }
    // Loops read and write their counters between their iterations.
    let counts = |code: &Code| if let Code::Loop(_, count) = code { Some(*count) } else { None };
    let counters: Vec<At> = code.iter().filter_map(counts).collect();
    for i in 0..code.len() {
        let is_free =
            |[from, to]: &[At; 2]| from != to && !counters.contains(from) && !counters.contains(to);
        let Some([from, to]) = code[i].copied().filter(is_free) else { continue };
        let needed = [from, to].map(|x| Needed::new(code, x, results.contains(&x)));
        let [from_stays, to_stays] =
            [0, 1].map(|k| needed[k].before[0] || results.contains(&[from, to][k]));
        let (old, new) = match (from_stays, to_stays) {
            (_, false) => (to, from),
            (false, true) => (from, to),
            (true, true) => continue,
        };
        if needed[1].outlives(code, from, to) || needed[0].outlives(code, to, from) {
            continue;
        }
        for x in code.iter_mut().flat_map(|code| code.registers().0) {
            if *x == old {
                *x = new;
            }
        }
    }
    let is_needed = |code: &Code| code.copied().is_none_or(|[from, to]| from != to);
    let mut places = vec![0];
    places.extend(code.iter().scan(0, |place, code| {
        *place += At::from(is_needed(code));
        Some(*place)
    }));
    code.retain(is_needed);
    for to in code.iter_mut().flat_map(Code::targets) {
        *to = places[*to as usize];
    }
}

/// Where the value of a register is needed.
struct Needed {
    /// For each instruction, and for the end.
    before: Vec<bool>,
}

impl Needed {
    fn new(code: &[Code], x: At, at_end: bool) -> Self {
        let mut needed = Self { before: vec![false; code.len() + 1] };
        needed.before[code.len()] = at_end;
        let mut changed = true;
        while changed {
            changed = false;
            for i in
                (0..code.len()).rev().filter(|i| reads(code[*i], x) || written(code[*i]) != Some(x))
            {
                if !needed.before[i] && (reads(code[i], x) || needed.after(code, i)) {
                    (needed.before[i], changed) = (true, true);
                }
            }
        }
        needed
    }

    fn after(&self, code: &[Code], i: usize) -> bool {
        let at = |to: At| self.before[to as usize];
        match code[i] {
            Code::Jump(to) | Code::Loop([to, _], _) => at(to),
            Code::JumpUnless(_, to) => at(to) || self.before[i + 1],
            Code::Repeat(_, body) => {
                let end = |code: &Code| matches!(code, Code::Loop([_, end], _) if at(*end));
                at(body) || end(&code[body as usize - 1])
            }
            _ => self.before[i + 1],
        }
    }

    /// True if `other` gets another value while this register, `own`, is needed.
    fn outlives(&self, code: &[Code], other: At, own: At) -> bool {
        let changes =
            |code: Code| written(code) == Some(other) && code.copied() != Some([own, other]);
        (0..code.len()).any(|i| changes(code[i]) && self.after(code, i))
    }
}

/// The register that an instruction writes to.
fn written(mut code: Code) -> Option<At> {
    let (all, writes) = code.registers();
    all.last().copied().filter(|_| writes)
}

fn reads(mut code: Code, x: At) -> bool {
    let (all, writes) = code.registers();
    all[..all.len() - usize::from(writes)].contains(&x)
}
