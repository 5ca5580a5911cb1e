//! Plans the steps of a list of instructions.

use super::steps::{self, Binary, Computed, Decision, OPERANDS, Run, Then, Threaded, Written};
use super::{At, Code};

/// The most steps that run before one that returns, each of which takes a frame of the stack in code that is not
/// optimized.
const MAX_FRAMES: usize = 64;

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

    /// The instructions that it goes to.
    fn goes_to(&self) -> impl Iterator<Item = usize> {
        self.step.operands[self.places.clone()].iter().map(|to| *to as usize)
    }
}

/// The step for a value that the next instruction decides by. `own` are the operands of the value and its register.
pub(super) fn decided<V: Decision>(own: &[At], next: Code) -> Option<Planned> {
    let decides = |x: At| own.last() == Some(&x);
    match next {
        Code::JumpUnless(x, to) if decides(x) => {
            Some(Planned::jumping(steps::jump_unless::<Written<V>>, own, &[to]))
        }
        Code::Repeat(x) if decides(x) => Some(Planned::new(steps::repeat::<Written<V>>, own)),
        _ => None,
    }
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

/// The steps of these instructions.
///
/// # Panics
/// If an instruction jumps to itself, back, or beyond the end.
pub(super) fn steps(code: &[Code]) -> Vec<Threaded> {
    let planned: Vec<Planned> = code.iter().map(|code| code.step()).collect();
    // Whether others go to an instruction, and the most frames that there are when they do.
    let mut entered = vec![None; code.len() + 1];
    for (i, own) in planned.iter().enumerate() {
        for to in own.goes_to() {
            assert!(i < to && to <= code.len(), "a jump of the program");
            entered[to] = Some(0);
        }
    }
    let mut steps: Vec<(Threaded, core::ops::Range<usize>)> = Vec::with_capacity(code.len() + 1);
    let mut places = vec![0; code.len() + 1];
    let mut frames = 0;
    let mut planned = planned.into_iter().enumerate();
    while let Some((i, mut own)) = planned.next() {
        frames = frames.max(entered[i].unwrap_or(0));
        places[i] = steps.len();
        if frames + 1 >= MAX_FRAMES {
            steps.push((Threaded { run: steps::pause, operands: [0; OPERANDS] }, 0..0));
            frames = 0;
        }
        frames += 1;
        let next = code.get(i + 1).filter(|_| entered[i + 1].is_none());
        let mut last = code[i];
        if let Some(both) = next.and_then(|next| last.step_with(*next)) {
            (own, last) = (both, code[i + 1]);
            planned.next();
        }
        for to in own.goes_to() {
            entered[to] = entered[to].max(Some(frames));
        }
        // What follows a jump is reached by other jumps only. Loops call their bodies, which return.
        if matches!(last, Code::Jump(_) | Code::Repeat(_) | Code::Loop(..)) {
            frames = 0;
        }
        steps.push((own.step, own.places));
    }
    places[code.len()] = steps.len();
    steps.push((Threaded { run: steps::end, operands: [0; OPERANDS] }, 0..0));
    let resolve = |(i, (mut step, to)): (usize, (Threaded, core::ops::Range<usize>))| {
        for to in &mut step.operands[to] {
            *to = (places[*to as usize] - i) as u32;
        }
        step
    };
    steps.into_iter().enumerate().map(resolve).collect()
}
