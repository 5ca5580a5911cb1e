//! Random chains of smooth ops, whose values are used more than once.

use std::fmt;
use std::rc::Rc;

use extype::prelude::*;

use super::edit::Edit;
use super::rng::Rng;
use super::values::{Style, filled};
use super::ways::{Problem, shaped_like};

/// What chains are called where ops are named.
pub(super) const NAME: &str = "Chain";

/// Values are square.
const SIZE: usize = 3;

/// The inputs.
const INPUTS: usize = 2;

type Step = fn(&Tensor, &Tensor) -> Result<Tensor>;

/// What decides is compared with. Not zero, which a chain may make whatever enters, but for rounding: a sum of what is
/// above and below a mean.
const THRESHOLD: f64 = 0.0371;

/// Smooth almost everywhere, with results as large as what enters, more or less.
const STEPS: [(&str, Step); 36] = [
    ("add", |a, b| ops::add(a, b)),
    ("sub", |a, b| ops::sub(a, ops::mul(b, 0.5)?)),
    ("mul", |a, b| ops::mul(a, b)),
    ("square", |a, _| a.square()),
    ("div", |a, b| ops::div(a, ops::add(b.square()?, 1.0)?)),
    ("tanh", |a, _| a.tanh()),
    ("sin", |a, _| a.sin()),
    ("sigmoid", |a, _| a.sigmoid()),
    ("softplus", |a, _| a.softplus()),
    ("exp", |a, _| a.tanh()?.exp()),
    ("log", |a, _| ops::add(a.square()?, 1.0)?.log()),
    ("sqrt", |a, _| ops::add(a.square()?, 0.5)?.sqrt()),
    ("pow", |a, b| ops::pow(ops::add(a.square()?, 0.5)?, b.tanh()?)),
    ("matmul", |a, b| ops::matmul(a, b)),
    ("einsum", |a, b| ops::einsum("ij,kj->ki", &[a, b])),
    ("softmax", |a, _| ops::softmax(a)),
    ("log_softmax", |a, _| ops::log_softmax(a)),
    ("logsumexp", |a, b| ops::sub(b, ops::reduce_logsumexp(a, 1, true)?)),
    ("cumsum", |a, _| a.cumsum(0)),
    ("transpose", |a, _| a.transpose([1, 0])),
    ("mean", |a, b| ops::sub(b, a.reduce_mean(0, true)?)),
    ("sum of all", |a, b| ops::mul(b, a.reduce_sum(.., false)?.tanh()?)),
    ("max", |a, b| ops::mul(b, a.reduce_max(1, true)?)),
    ("prod", |a, b| ops::add(b, a.tanh()?.reduce_prod(0, true)?)),
    ("gather", |a, _| ops::gather(a, tensor![2, 0, 0], 1)),
    ("reverse", |a, _| ops::reverse(a, [0])),
    ("concat", |a, b| ops::concat(&[a, b], 0)?.slice([2, 0], [3, 3])),
    ("stack", |a, b| ops::stack(&[a, b], 1)?.reduce_max(1, false)),
    ("pad", |a, _| ops::slice(ops::pad(a, [[1, 0], [0, 2]])?, [0, 1], [3, 3])),
    ("tile", |a, _| ops::tile(a, [2, 1])?.slice([1, 0], [3, 3])),
    ("reshape", |a, b| ops::mul(a.reshape([-1])?.reshape(&ops::shape_of(b)?)?, b)),
    ("select", |a, b| {
        let above = ops::sub(a, b)?.greater(THRESHOLD)?;
        ops::select(above, a.sin()?, ops::mul(a, b)?)
    }),
    ("maximum", |a, b| ops::maximum(a, b)),
    ("top_k", |a, _| Ok(ops::top_k(a, 3)?.0)),
    ("arm", |a, b| {
        let above = a.reduce_sum(.., false)?.greater(THRESHOLD)?;
        cond(&above, || ops::mul(a, b), || b.sin())
    }),
    ("loop", |a, b| {
        let start = (scalar(0i32), a.clone());
        let turn = |(i, x): (Tensor, Tensor)| {
            let next = shaped_like(&ops::mul(&x, b)?.tanh()?, &x)?;
            Ok((ops::add(&i, 1)?, next))
        };
        Ok(while_loop(start, |(i, _)| i.less(2), turn)?.1)
    }),
];

/// Values are the inputs, then the results of the steps: which step, on which values.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    inputs: Vec<Tensor>,
    steps: Vec<(usize, usize, usize)>,
}

impl Chain {
    pub(super) fn of_case(seed: u64, edits: &[Edit]) -> Chain {
        let mut rng = Rng::of_case(NAME, seed);
        let rng = &mut rng;
        let one = |rng: &mut Rng| {
            filled(DType::F64, &[SIZE, SIZE], Style::Within(-1.2, 1.2), rng).map(Tensor::from)
        };
        let inputs = (0..INPUTS).filter_map(|_| one(rng)).collect();
        let step = |i: usize, rng: &mut Rng| {
            // The latest value more often than others.
            let a = if rng.chance(60) { INPUTS + i - 1 } else { rng.below(INPUTS + i) };
            (rng.below(STEPS.len()), a, rng.below(INPUTS + i))
        };
        let steps = (0..2 + rng.below(5)).map(|i| step(i, rng)).collect();
        let mut chain = Chain { inputs, steps };
        for edit in edits {
            if let Edit::Without(i) = edit {
                chain.without(*i);
            }
        }
        chain
    }

    /// The chain without a step: its first operand stands for it.
    fn without(&mut self, i: usize) {
        if i >= self.steps.len() {
            return;
        }
        let (_, stand_in, _) = self.steps.remove(i);
        let gone = INPUTS + i;
        let new = |value: usize| match value {
            v if v == gone => stand_in,
            v if v > gone => v - 1,
            v => v,
        };
        for (_, a, b) in &mut self.steps {
            (*a, *b) = (new(*a), new(*b));
        }
    }

    pub(super) fn candidates(&self) -> Vec<Edit> {
        (0..self.steps.len()).map(Edit::Without).collect()
    }

    pub(super) fn problem(&self) -> Result<Problem> {
        let steps = self.steps.clone();
        let f = move |x: &[Tensor]| {
            let mut values = x[..INPUTS].to_vec();
            for (step, a, b) in &steps {
                values.push(STEPS[*step].1(&values[*a], &values[*b])?);
            }
            Ok(values.split_off(values.len().saturating_sub(2).max(1)))
        };
        let floats: Vec<usize> = (0..INPUTS).collect();
        Ok(Problem {
            f: Rc::new(f),
            inputs: self.inputs.clone(),
            movable: floats.clone(),
            floats,
            is_derivative: true,
            of_logarithms: false,
        })
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "float64[{SIZE}, {SIZE}] v0, v1;")?;
        for (i, (step, a, b)) in self.steps.iter().enumerate() {
            write!(f, " v{} = {}(v{a}, v{b});", INPUTS + i, STEPS[*step].0)?;
        }
        Ok(())
    }
}
