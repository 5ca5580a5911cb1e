//! Random programs of loops and conditionals within each other, whose counts depend on the loops around them, with
//! lists, and with tensors that grow.

use std::fmt;
use std::rc::Rc;

use extype::control::TensorArray;
use extype::prelude::*;

use super::edit::Edit;
use super::rng::Rng;
use super::values::{Style, filled};
use super::ways::Problem;

/// What these programs are called where ops are named.
pub(super) const NAME: &str = "Nest";

/// So deep are loops and conditionals within each other.
const DEPTH: usize = 2;

/// What decides is compared with.
const THRESHOLD: f64 = 0.0371;

/// How often a loop runs.
#[derive(Clone, Copy, Debug)]
enum Count {
    Number(i64),
    /// As often as the loop around it has run, this many loops outwards, and so many times more.
    Around(usize, i64),
}

/// A statement. What goes through loops are two numbers `s` and `t`, a vector `v`, a list `a` of numbers and a list
/// `b` of vectors.
#[derive(Clone, Debug)]
enum Statement {
    /// `s = sin(s * t + i)`, or the like.
    Number(usize),
    /// `v` gets one longer.
    Grow,
    /// `v` is made anew, so long.
    Anew(Count),
    /// `v` gets shorter by its first, if it has two.
    Shrink,
    /// Of `v` a number.
    Sum,
    /// A number is appended to `a`, or one is made of it.
    Push,
    Stack,
    /// `v` is appended to `b`, or a number is made of it.
    PushVector,
    Concat,
    /// A list so long, that a loop writes, made and read in its place.
    Local(Count),
    /// The derivative of a loop.
    Slope(Count),
    Loop(Count, Vec<Statement>),
    /// By a counter, or by a number.
    If(bool, Vec<Statement>, Vec<Statement>),
}

/// A program, and a point.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    inputs: Vec<Tensor>,
    body: Vec<Statement>,
}

type State = (Tensor, Tensor, Tensor, TensorArray, TensorArray);

fn count(rng: &mut Rng) -> Count {
    match rng.chance(70) {
        true => Count::Around(rng.below(3), rng.below(3) as i64 - 1),
        false => Count::Number(rng.below(4) as i64),
    }
}

fn block(rng: &mut Rng, depth: usize) -> Vec<Statement> {
    (0..1 + rng.below(2)).map(|_| statement(rng, depth)).collect()
}

fn statement(rng: &mut Rng, depth: usize) -> Statement {
    let kind = if depth < DEPTH { rng.below(20) } else { rng.below(13) };
    match kind {
        0..3 => Statement::Number(rng.below(4)),
        3 => Statement::Grow,
        4 => Statement::Anew(count(rng)),
        5 => Statement::Shrink,
        6 => Statement::Sum,
        7 => Statement::Push,
        8 => Statement::Stack,
        9 => Statement::PushVector,
        10 => Statement::Concat,
        11 => Statement::Local(count(rng)),
        12 => Statement::Slope(count(rng)),
        13..18 => Statement::Loop(count(rng), block(rng, depth + 1)),
        _ => Statement::If(rng.chance(70), block(rng, depth + 1), block(rng, depth + 1)),
    }
}

impl Nest {
    pub(super) fn of_case(seed: u64, edits: &[Edit]) -> Nest {
        let rng = &mut Rng::of_case(NAME, seed);
        let style = Style::Within(-1.2, 1.2);
        let one =
            |dims: &[usize], rng: &mut Rng| filled(DType::F64, dims, style, rng).map(Tensor::from);
        let inputs = [one(&[], rng), one(&[2], rng)].into_iter().flatten().collect();
        let mut body = vec![Statement::Loop(Count::Number(3), block(rng, 1))];
        body.push(statement(rng, 1));
        let mut nest = Nest { inputs, body };
        for edit in edits {
            if let Edit::Without(i) = edit {
                without(&mut nest.body, &mut i.clone());
            }
        }
        nest
    }

    pub(super) fn candidates(&self) -> Vec<Edit> {
        (0..size(&self.body)).map(Edit::Without).collect()
    }

    pub(super) fn problem(&self) -> Problem {
        let body = self.body.clone();
        let f = move |x: &[Tensor]| {
            let numbers = TensorSpec::of::<f64>([]);
            let vectors = TensorSpec::new(shape![?], DType::F64);
            let a = TensorArray::growing(&numbers)?.push(&x[0])?;
            let b = TensorArray::growing(&vectors)?.push(&x[1])?;
            let state = (x[0].clone(), x[1].reduce_sum(.., false)?, x[1].clone(), a, b);
            let (s, t, v, a, b) = run(&body, state, &mut Vec::new())?;
            let sum = |x: Tensor| x.reduce_sum(.., false);
            let lists = ops::add(sum(a.stack()?)?, sum(b.concat()?)?)?;
            Ok(vec![ops::add(&s, lists.sin()?)?, ops::add(&t, sum(v)?)?])
        };
        let (inputs, floats) = (self.inputs.clone(), vec![0, 1]);
        Problem {
            f: Rc::new(f),
            inputs,
            movable: floats.clone(),
            floats,
            is_derivative: true,
            of_logarithms: false,
        }
    }
}

/// The number of statements.
fn size(block: &[Statement]) -> usize {
    let within = |s: &Statement| match s {
        Statement::Loop(_, body) => size(body),
        Statement::If(_, yes, no) => size(yes) + size(no),
        _ => 0,
    };
    block.iter().map(|s| 1 + within(s)).sum()
}

/// Removes the statement of this number, which is counted down to it.
fn without(block: &mut Vec<Statement>, number: &mut usize) -> bool {
    for i in 0..block.len() {
        if *number == 0 {
            block.remove(i);
            return true;
        }
        *number -= 1;
        let gone = match &mut block[i] {
            Statement::Loop(_, body) => without(body, number),
            Statement::If(_, yes, no) => without(yes, number) || without(no, number),
            _ => false,
        };
        if gone {
            return true;
        }
    }
    false
}

/// The tensor of a count, where these loops run.
fn counted(count: Count, counters: &[Tensor]) -> Result<Tensor> {
    match count {
        Count::Number(n) => Ok(scalar(n)),
        Count::Around(outwards, more) => match counters.len().checked_sub(1 + outwards) {
            Some(i) => ops::add(&counters[i], more),
            None => Ok(scalar(2 + more)),
        },
    }
}

/// `for i in 0..n`.
fn repeat<S: Structure>(
    n: &Tensor,
    s: S,
    mut body: impl FnMut(&Tensor, S) -> Result<S>,
) -> Result<S> {
    let step = |(i, s): (Tensor, S)| {
        let s = body(&i, s)?;
        Ok((ops::add(&i, 1i64)?, s))
    };
    Ok(while_loop((scalar(0i64), s), |(i, _)| i.less(n), step)?.1)
}

fn run(block: &[Statement], state: State, counters: &mut [Tensor]) -> Result<State> {
    block.iter().try_fold(state, |state, statement| step(statement, state, counters))
}

fn step(statement: &Statement, state: State, counters: &mut [Tensor]) -> Result<State> {
    let (mut s, mut t, mut v, mut a, mut b) = state;
    let at = counters.last().map_or_else(|| Ok(scalar(0.5f64)), |i| ops::mul(i.cast(f64)?, 0.3))?;
    let sum = |x: &Tensor| x.reduce_sum(.., false)?.tanh();
    match statement {
        Statement::Number(0) => s = ops::add(ops::mul(&s, &t)?, &at)?.sin()?,
        Statement::Number(1) => t = ops::add(ops::mul(&t, 0.5)?, ops::mul(&s, &at)?)?,
        Statement::Number(2) => (s, t) = (t.tanh()?, ops::add(&s, &t)?.cos()?),
        Statement::Number(_) => s = ops::mul(ops::add(&at, &t)?.tanh()?, &t)?,
        Statement::Grow => {
            let more = ops::mul(&v, &s)?.reduce_sum(.., true)?.sin()?;
            v = ops::concat(&[&v, &ops::add(&more, &t)?], 0)?;
        }
        Statement::Anew(n) => {
            let n = counted(*n, counters)?.maximum(0i64)?;
            v = ops::mul(ops::range(0i64, &n, 1i64)?.cast(f64)?, &s)?.cos()?;
        }
        Statement::Shrink => {
            let more = ops::size(&v)?.cast(i64)?.greater(1i64)?;
            v = cond(&more, || v.slice([1], [-1]), || Ok(v.clone()))?;
        }
        Statement::Sum => s = ops::add(ops::mul(&s, 0.5)?, sum(&v)?)?,
        Statement::Push => a = a.push(&ops::mul(&s, &t)?.sin()?)?,
        Statement::Stack => t = ops::add(ops::mul(&t, 0.3)?, sum(&a.stack()?)?)?,
        Statement::PushVector => b = b.push(&ops::mul(&v, &t)?.sin()?)?,
        Statement::Concat => s = ops::add(ops::mul(&s, 0.3)?, sum(&b.concat()?)?)?,
        Statement::Local(n) => {
            let n = counted(*n, counters)?.maximum(0i64)?;
            let list = TensorArray::new(&n, &TensorSpec::of::<f64>([]))?;
            let list = repeat(&n, list, |k, list| {
                list.write(k, &ops::add(ops::mul(&s, k.cast(f64)?)?, &at)?.sin()?)
            })?;
            t = ops::add(ops::mul(&t, 0.5)?, sum(&list.stack()?)?)?;
        }
        Statement::Slope(n) => {
            let n = counted(*n, counters)?;
            let inner = |s: &Tensor| {
                repeat(&n, s.clone(), |k, s| ops::add(s.sin()?, ops::mul(k.cast(f64)?, &t)?))
            };
            s = ops::mul(extype::grad(inner)(&s)?, 0.7)?;
        }
        Statement::Loop(n, body) => {
            let n = counted(*n, counters)?;
            return repeat(&n, (s, t, v, a, b), |i, state| {
                let mut counters = counters.to_vec();
                counters.push(i.clone());
                run(body, state, &mut counters)
            });
        }
        Statement::If(by_counter, yes, no) => {
            let decides = match counters.last() {
                Some(i) if *by_counter => ops::equal(ops::floor_mod(i, 2i64)?, 0i64)?,
                _ => s.greater(THRESHOLD)?,
            };
            let arm = |block: &[Statement]| {
                let state = (s.clone(), t.clone(), v.clone(), a.clone(), b.clone());
                run(block, state, &mut counters.to_vec())
            };
            return cond(&decides, || arm(yes), || arm(no));
        }
    }
    Ok((s, t, v, a, b))
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Number(n) => write!(f, "{n}"),
            Count::Around(outwards, more) => write!(f, "i{outwards}{more:+}"),
        }
    }
}

fn text(block: &[Statement], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for statement in block {
        match statement {
            Statement::Loop(n, body) => {
                write!(f, " for 0..{n} {{")?;
                text(body, f)?;
                write!(f, " }}")?;
            }
            Statement::If(by_counter, yes, no) => {
                write!(f, " if {} {{", if *by_counter { "even" } else { "s" })?;
                text(yes, f)?;
                write!(f, " }} else {{")?;
                text(no, f)?;
                write!(f, " }}")?;
            }
            Statement::Anew(n) => write!(f, " Anew({n});")?,
            Statement::Local(n) => write!(f, " Local({n});")?,
            Statement::Slope(n) => write!(f, " Slope({n});")?,
            other => write!(f, " {other:?};")?,
        }
    }
    Ok(())
}

impl fmt::Display for Nest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "float64[] s, float64[2] v;")?;
        text(&self.body, f)
    }
}
