//! Plans the steps of a list of instructions.

use super::steps::{self, Binary, Computed, Decision, OPERANDS, Run, Then, Threaded, Written};
use super::{At, Code};
use core::slice;

/// The most steps that run before one that returns, each of which takes a frame of the stack in code that is not
/// optimized.
const MAX_FRAMES: usize = if cfg!(debug_assertions) { 64 } else { 256 };
/// The most instructions that run as one step.
const MAX_TAKEN: usize = 3;
/// The most instructions that are copied to where a jump to them is.
const MAX_COPIED: usize = 8;

/// A step whose jumps name instructions.
pub(super) struct Planned {
    step: Threaded,
    /// The operands that number the instructions it may go to.
    places: core::ops::Range<usize>,
}

impl Planned {
    /// A step with these operands.
    pub(super) fn new(run: Run, operands: &[u32]) -> Self {
        Self::jumping(run, operands, &[])
    }

    /// A step with these operands, followed by the numbers of the instructions that it may go to.
    pub(super) fn jumping(run: Run, operands: &[u32], places: &[At]) -> Self {
        let (first, end) = (operands.len(), operands.len() + places.len());
        let mut all = [0; OPERANDS];
        all[..first].copy_from_slice(operands);
        all[first..end].copy_from_slice(places);
        Self { step: Threaded { run, operands: all }, places: first..end }
    }
}

/// The step for a value that the next instruction decides by. `own` are the operands of the value and its register.
pub(super) fn decided<V: Decision>(own: &[At], next: Code) -> Option<Planned> {
    let decides = |x: At| own.last() == Some(&x);
    match next {
        Code::JumpUnless(x, to) if decides(x) => {
            Some(Planned::jumping(steps::jump_unless::<Written<V>>, own, &[to]))
        }
        Code::Repeat(x, _) if decides(x) => Some(Planned::new(steps::repeat::<Written<V>>, own)),
        _ => None,
    }
}

/// The step for a value and its comparison with another register that the next instruction decides by. `own` are the
/// operands of the value and its register.
pub(super) fn tested<V, F>(own: &[At], [x, y, to]: [At; 3], next: Code) -> Option<Planned>
where
    V: Computed<Out = F::In>,
    F: Binary<Out = bool>,
{
    let operands = [own, &[y, to]].concat();
    let is_value = own.last() == Some(&x) && x != y;
    is_value.then(|| decided::<Then<Written<V>, F, false>>(&operands, next)).flatten()
}

/// The step for a value and a function of it and another register. `own` are the operands of the value and its
/// register.
pub(super) fn chained<V, F>(own: &[At], [x, y, to]: [At; 3]) -> Option<Planned>
where
    V: Computed<Out = F::In>,
    F: Binary,
{
    let value = *own.last()?;
    let (run, other): (Run, At) = match (x == value, y == value) {
        (true, false) => (steps::compute::<Then<Written<V>, F, false>>, y),
        (false, true) => (steps::compute::<Then<Written<V>, F, true>>, x),
        _ => return None,
    };
    Some(Planned::new(run, &[own, &[other, to]].concat()))
}

/// Checks where instructions go to.
///
/// # Panics
/// If an instruction jumps to itself, back, or out of its loop or the program, or a loop does not end with a repetition of
/// its body.
pub(super) fn check(code: &mut [Code]) {
    // The first instruction of each loop that has begun, and its end.
    let mut loops: Vec<[At; 2]> = Vec::new();
    for i in 0..code.len() {
        let last = loops.last().map_or(code.len(), |[_, end]| *end as usize - 1);
        let goes_on = |to: &mut At| (i + 1..=last).contains(&(*to as usize));
        let is_right = match code[i] {
            Code::Repeat(_, body) => loops.pop() == Some([body, i as At + 1]),
            mut other => other.targets().iter_mut().all(goes_on),
        };
        assert!(is_right, "a jump of the program");
        if let Code::Loop([_, end], _) = code[i] {
            loops.push([i as At + 1, end]);
        }
    }
    assert!(loops.is_empty(), "a loop of the program ends");
}

/// The instructions from a place up to the end of the iteration, if they are few and none of them jumps elsewhere.
fn rest_of_iteration(code: &[Code], from: At) -> Option<&[Code]> {
    let rest = code.get(from as usize..)?;
    let mut short = rest.iter().take(MAX_COPIED);
    let last = short.position(|code| !{ *code }.targets().is_empty())?;
    matches!(rest[last], Code::Repeat(..)).then_some(&rest[..=last])
}

/// Steps that are planned one after the other, and the frames that there are when each of them runs.
#[derive(Default)]
struct Planning {
    steps: Vec<(Planned, usize)>,
    frames: usize,
    /// For each loop, its step, its first instruction and its end.
    loops: Vec<(usize, usize, At)>,
}

impl Planning {
    fn push(&mut self, step: Planned) {
        if self.frames + 1 >= MAX_FRAMES {
            self.steps.push((Planned::new(steps::pause, &[]), MAX_FRAMES));
            self.frames = 0;
        }
        self.frames += 1;
        self.steps.push((step, self.frames));
    }

    /// Adds a step for the first of these instructions, which may run the next ones too. Returns how many it runs.
    /// `entered` are the frames that there are when others go to an instruction.
    fn one(&mut self, code: &[Code], entered: &mut [Option<usize>]) -> usize {
        let alone = || (code[0].step(), 1);
        let (step, taken) = code[0].step_with(&code[1..]).unwrap_or_else(alone);
        self.push(step);
        let mut last = code[taken - 1];
        for to in last.targets() {
            let frames = &mut entered[*to as usize];
            *frames = (*frames).max(Some(self.frames));
        }
        // What follows a jump is reached by other jumps only.
        if matches!(last, Code::Jump(_) | Code::Repeat(..)) {
            self.frames = 0;
        }
        taken
    }

    /// Adds the steps of instructions that others do not go to.
    fn all(&mut self, mut code: &[Code], entered: &mut [Option<usize>]) {
        while !code.is_empty() {
            code = &code[self.one(code, entered)..];
        }
    }
}

/// The steps of instructions that are right as [`check`] says. A jump to the rest of an iteration becomes a copy of
/// that.
pub(super) fn steps(code: &[Code]) -> Vec<Threaded> {
    let rest = |to: At| rest_of_iteration(code, to);
    let mut entered = vec![None; code.len() + 1];
    for mut own in code.iter().copied() {
        let goes_to = match own {
            Code::Jump(to) if rest(to).is_some() => &mut [],
            Code::Loop([test, ref mut end], _) if rest(test).is_some() => slice::from_mut(end),
            _ => own.targets(),
        };
        goes_to.iter().for_each(|to| entered[*to as usize] = Some(0));
    }
    let mut plan = Planning::default();
    let mut places = vec![0; code.len() + 1];
    let mut i = 0;
    while i < code.len() {
        plan.frames = plan.frames.max(entered[i].unwrap_or(0));
        places[i] = plan.steps.len();
        match code[i] {
            Code::Loop([test, end], count) => {
                plan.push(match rest(test) {
                    Some(_) => Planned::jumping(steps::repeated, &[count, 1, 1, 1], &[end]),
                    None => code[i].step(),
                });
                entered[end as usize] = entered[end as usize].max(Some(plan.frames));
                plan.loops.push((plan.steps.len() - 1, i + 1, end));
                // Loops call their bodies, which return.
                plan.frames = 0;
                plan.all(rest(test).unwrap_or(&[]), &mut entered);
                i += 1;
            }
            Code::Jump(to) if rest(to).is_some() => {
                plan.all(rest(to).unwrap_or(&[]), &mut entered);
                i += 1;
            }
            _ => {
                let most = code.len().min(i + MAX_TAKEN);
                let end = (i + 1..most).find(|i| entered[*i].is_some()).unwrap_or(most);
                i += plan.one(&code[i..end], &mut entered);
            }
        }
    }
    places[code.len()] = plan.steps.len();
    for (own, body, end) in plan.loops {
        let frames =
            plan.steps[places[body]..places[end as usize]].iter().map(|(_, frames)| *frames);
        let turns = (MAX_FRAMES / frames.max().unwrap_or(1)).max(1);
        plan.steps[own].0.step.operands[1..3]
            .copy_from_slice(&[turns as u32, (places[body] - own) as u32]);
    }
    plan.steps.push((Planned::new(steps::end, &[]), 1));
    let resolve = |(i, (Planned { mut step, places: to }, _)): (usize, (Planned, usize))| {
        for to in &mut step.operands[to] {
            *to = (places[*to as usize] - i) as u32;
        }
        step
    };
    plan.steps.into_iter().enumerate().map(resolve).collect()
}
