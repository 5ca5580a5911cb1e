//! What a function of tensors may stand in, and how its gradients may be asked for.
//!
//! A [`Surrounding`] makes of a function another one, which is run op by op or traced; a [`Mode`] says what of a
//! function and its gradients is traced, with what known. All modes must give the same numbers.

use std::rc::Rc;

use extype::prelude::*;

use super::traced::{Knowing, spec};

/// A function of flat tensors.
pub(super) type Map = Rc<dyn Fn(&[Tensor]) -> Result<Vec<Tensor>>>;

/// A function at a point. The inputs are those of the call, then which arm is taken, and how many iterations run.
#[derive(Clone)]
pub(super) struct Problem {
    pub(super) f: Map,
    pub(super) inputs: Vec<Tensor>,
    /// The inputs that are differentiated.
    pub(super) floats: Vec<usize>,
    /// Of them, those that may be moved away from the point.
    pub(super) movable: Vec<usize>,
    /// True if the gradient is that of the result.
    pub(super) is_derivative: bool,
    /// True if the gradient is computed by logarithms of the cotangents, so that it has no derivative where they are zero.
    pub(super) of_logarithms: bool,
}

/// What a function stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surrounding {
    Nothing,
    Then,
    Else,
    While,
    Map,
    Vectorized,
    Scan,
    Call,
}

impl Surrounding {
    pub(super) const ALL: [Surrounding; 8] = [
        Surrounding::Nothing,
        Surrounding::Then,
        Surrounding::Else,
        Surrounding::While,
        Surrounding::Map,
        Surrounding::Vectorized,
        Surrounding::Scan,
        Surrounding::Call,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Surrounding::Nothing => "alone",
            Surrounding::Then => "then-arm",
            Surrounding::Else => "else-arm",
            Surrounding::While => "while",
            Surrounding::Map => "map_fn",
            Surrounding::Vectorized => "vectorized_map",
            Surrounding::Scan => "scan",
            Surrounding::Call => "call",
        }
    }

    /// The function in this; `None` if there is nothing to map over.
    ///
    /// # Errors
    /// What the function fails with.
    pub(super) fn of(self, p: &Problem) -> Result<Option<Problem>> {
        let mut around = p.clone();
        let (arm, turns) = (p.inputs.len() - 2, p.inputs.len() - 1);
        if self == Surrounding::Else {
            around.inputs[arm] = scalar(0i32);
        }
        let f = p.f.clone();
        around.f = match self {
            Surrounding::Nothing => f,
            Surrounding::Then | Surrounding::Else => Rc::new(move |x: &[Tensor]| {
                let other = || f(x)?.iter().map(|y| ops::mul(y, -0.5)).collect();
                cond(&x[arm].greater(0)?, || f(x), || -> Result<Vec<Tensor>> { other() })
            }),
            Surrounding::While => looped(p, turns)?,
            Surrounding::Map | Surrounding::Vectorized if p.movable.is_empty() => return Ok(None),
            Surrounding::Map | Surrounding::Vectorized => {
                let movable = p.movable.clone();
                Rc::new(move |x: &[Tensor]| {
                    let rows = stacks(x, &movable)?;
                    let one = |row: Vec<Tensor>| f(&placed(x, &movable, &row));
                    match self {
                        Surrounding::Map => map_fn(&rows, one),
                        _ => vectorized_map(&rows, one),
                    }
                })
            }
            Surrounding::Scan => scanned(p)?,
            Surrounding::Call => {
                let inner = function(move |x: &Vec<Tensor>| f(x));
                let twice = function(move |x: &Vec<Tensor>| {
                    let (once, again): (Vec<Tensor>, _) = (inner.call(x)?, inner.call(x)?);
                    let both = |(a, b)| ops::add(ops::mul(a, 0.5)?, ops::mul(b, 0.25)?);
                    once.iter().zip(&again).map(both).collect::<Result<Vec<Tensor>>>()
                });
                Rc::new(move |x: &[Tensor]| twice.call(&x.to_vec()))
            }
        };
        Ok(Some(around))
    }
}

/// Each of these inputs at three points nearby, stacked.
fn stacks(x: &[Tensor], movable: &[usize]) -> Result<Vec<Tensor>> {
    let near = |x: &Tensor| ops::stack(&[x, &ops::mul(x, 0.98)?, &ops::mul(x, 0.95)?], 0);
    movable.iter().map(|i| near(&x[*i])).collect()
}

/// The tensor in the shape of another, with what is known of it: of `shape_of` nothing is known while tracing.
pub(super) fn shaped_like(x: &Tensor, other: &Tensor) -> Result<Tensor> {
    match other.shape().sizes() {
        Some(sizes) => x.reshape(sizes.iter().map(|n| *n as i64).collect::<Vec<_>>()),
        None => x.reshape(&ops::shape_of(other)?),
    }
}

fn placed(x: &[Tensor], at: &[usize], new: &[Tensor]) -> Vec<Tensor> {
    let mut x = x.to_vec();
    at.iter().zip(new).for_each(|(i, new)| x[*i] = new.clone());
    x
}

/// How results go on: into an input of their shape, and into a sum, scaled to about one.
struct Onward {
    /// The input, and the result that moves it.
    feeds: Option<(usize, usize)>,
    scales: Vec<f64>,
}

impl Onward {
    fn new(p: &Problem) -> Result<Onward> {
        let results = (p.f)(&p.inputs)?;
        let fits = |i: &usize| {
            let alike = |y: &Tensor| y.shape() == p.inputs[*i].shape();
            Some((*i, results.iter().position(alike)?))
        };
        let largest = |y: &Tensor| -> Result<f64> {
            let all = y.as_slice::<f64>()?;
            Ok(all.iter().fold(1.0, |most: f64, y| most.max(y.abs())))
        };
        Ok(Onward {
            feeds: p.movable.iter().find_map(fits),
            scales: results.iter().map(|y| Ok(1.0 / largest(y)?)).collect::<Result<_>>()?,
        })
    }

    /// A little of the result added to the input.
    fn fed(&self, old: &Tensor, results: &[Tensor], factor: &Tensor) -> Result<Tensor> {
        let Some((_, from)) = self.feeds else { return Ok(old.clone()) };
        // The trace may know less of the result than of the input.
        let step = shaped_like(&results[from], old)?;
        let step = ops::mul(&step, 0.03 * self.scales[from])?;
        ops::add(old, ops::mul(&step, factor)?)
    }

    /// A scalar that no direction of the results leaves alone.
    fn summed(&self, results: &[Tensor]) -> Result<Tensor> {
        let mut total = scalar(0.0f64);
        for (y, scale) in results.iter().zip(&self.scales) {
            let y = ops::mul(y, *scale)?;
            let weighed = ops::mul(&y, ops::add(&y, 0.5)?)?;
            // Of a tensor of an unknown rank nobody knows that the sum is a scalar.
            let sum = weighed.reduce_sum(.., false)?.reshape([0i64; 0])?;
            total = ops::add(&total, sum)?;
        }
        Ok(total)
    }
}

fn looped(p: &Problem, turns: usize) -> Result<Map> {
    let (f, onward) = (p.f.clone(), Onward::new(p)?);
    Ok(Rc::new(move |x: &[Tensor]| {
        let fed: Vec<Tensor> = onward.feeds.iter().map(|(i, _)| x[*i].clone()).collect();
        let start = (scalar(0i32), fed, scalar(0.0f64));
        let (_, fed, total) = while_loop(
            start,
            |(i, _, _)| i.less(&x[turns]),
            |(i, fed, total)| {
                let at: Vec<usize> = onward.feeds.iter().map(|(i, _)| *i).collect();
                let results = f(&placed(x, &at, &fed))?;
                let turn = ops::add(&i, 1)?.cast(f64)?;
                let fed = fed.iter().map(|old| onward.fed(old, &results, &turn));
                let fed = fed.collect::<Result<Vec<Tensor>>>()?;
                let total = ops::add(&total, ops::mul(onward.summed(&results)?, &turn)?)?;
                Ok((ops::add(&i, 1)?, fed, total))
            },
        )?;
        Ok([fed, vec![total]].concat())
    }))
}

fn scanned(p: &Problem) -> Result<Map> {
    let (f, onward) = (p.f.clone(), Onward::new(p)?);
    let fed: Vec<usize> = onward.feeds.iter().map(|(i, _)| *i).collect();
    let rest: Vec<usize> = p.movable.iter().copied().filter(|i| !fed.contains(i)).collect();
    Ok(Rc::new(move |x: &[Tensor]| {
        let elements = (stacks(x, &rest)?, tensor![1.0f64, 0.7, -0.4]);
        let start: Vec<Tensor> = fed.iter().map(|i| x[*i].clone()).collect();
        let (fed, total) =
            scan(&elements, (start, scalar(0.0f64)), |(old, total), (row, factor)| {
                let results = f(&placed(&placed(x, &rest, &row), &fed, &old))?;
                let new = old.iter().map(|old| onward.fed(old, &results, &factor));
                let new = new.collect::<Result<Vec<Tensor>>>()?;
                let sum = ops::mul(onward.summed(&results)?, &factor)?;
                Ok((new, ops::add(ops::mul(&total, 0.9)?, sum)?))
            })?;
        Ok([fed, vec![total]].concat())
    }))
}

/// How far derivatives go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    First,
    Second,
}

/// A point in all that derivatives need.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) inputs: Vec<Tensor>,
    pub(super) floats: Vec<usize>,
    /// What the results are weighed by.
    pub(super) cotangents: Vec<Tensor>,
    /// What the gradients are weighed by.
    pub(super) directions: Vec<Tensor>,
}

/// What of a function and its gradients is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing.
    Eager,
    /// The function; its gradients are asked for outside.
    Outside(Knowing),
    /// The function with its gradients.
    Inside(Knowing),
    /// The function with its gradient; that of second order is asked for outside.
    Between(Knowing),
    /// The function, which reads variables.
    Variables,
}

impl Mode {
    /// Those that trace.
    pub(super) const TRACED: [Mode; 9] = [
        Mode::Outside(Knowing::Shapes),
        Mode::Outside(Knowing::Ranks),
        Mode::Outside(Knowing::Dtypes),
        Mode::Inside(Knowing::Shapes),
        Mode::Inside(Knowing::Ranks),
        Mode::Inside(Knowing::Dtypes),
        Mode::Between(Knowing::Shapes),
        Mode::Between(Knowing::Dtypes),
        Mode::Variables,
    ];

    pub(super) fn name(self) -> String {
        match self {
            Mode::Eager => "op by op".to_owned(),
            Mode::Outside(k) => format!("{}, tapes outside", k.name()),
            Mode::Inside(k) => format!("{}, tapes inside", k.name()),
            Mode::Between(k) => format!("{}, one tape inside", k.name()),
            Mode::Variables => "traced with variables".to_owned(),
        }
    }

    /// True if not all shapes are known.
    pub(super) fn knows_little(self) -> bool {
        matches!(self, Mode::Outside(k) | Mode::Inside(k) | Mode::Between(k) if k != Knowing::Shapes)
    }

    /// The results, the gradients of the inputs, those of second order, and those of the cotangents, flat.
    pub(super) fn run(self, f: &Map, point: &Point, order: Order) -> Result<Vec<Tensor>> {
        let Point { inputs, floats, cotangents, directions } = point;
        let own = fresh(inputs)?;
        let flat = [&own[..], cotangents, directions].concat();
        let (n, m) = (inputs.len(), inputs.len() + cotangents.len());
        let sources =
            |x: &[Tensor]| -> Vec<Tensor> { floats.iter().map(|i| x[*i].clone()).collect() };
        match self {
            Mode::Eager => derivatives(
                &|| f(&own),
                &sources(&own),
                &sources(&own),
                cotangents,
                directions,
                order,
            ),
            Mode::Outside(knowing) => {
                let f = f.clone();
                let traced =
                    function(move |x: &Vec<Tensor>| f(x)).concrete(&specs(&own, knowing))?;
                let call = || traced.call_flat(&own);
                derivatives(&call, &sources(&own), &sources(&own), cotangents, directions, order)
            }
            Mode::Inside(knowing) => {
                let (f, floats) = (f.clone(), floats.clone());
                let all = move |all: &Vec<Tensor>| {
                    let (x, c, v) = (&all[..n], &all[n..m], &all[m..]);
                    let s: Vec<Tensor> = floats.iter().map(|i| x[*i].clone()).collect();
                    derivatives(&|| f(x), &s, &s, c, v, order)
                };
                function(all).concrete(&specs(&flat, knowing))?.call_flat(&flat)
            }
            Mode::Between(knowing) => {
                let (f, at) = (f.clone(), floats.clone());
                let gradient = move |all: &Vec<Tensor>| {
                    let (x, c) = (&all[..n], &all[n..]);
                    let s: Vec<Tensor> = at.iter().map(|i| x[*i].clone()).collect();
                    derivatives(&|| f(x), &s, &s, c, &[], Order::First)
                };
                let traced = function(gradient).concrete(&specs(&flat[..m], knowing))?;
                let tape = GradientTape::new();
                let s = sources(&own);
                tape.watch(&s);
                tape.watch(cotangents);
                let mut all = traced.call_flat(&flat[..m])?;
                if order == Order::Second {
                    let gradients = all.split_off(cotangents.len());
                    let second = second(&tape, &gradients, &s, &s, cotangents, directions)?;
                    all = [all, gradients, second].concat();
                }
                Ok(all)
            }
            Mode::Variables => {
                let at = sources(&own);
                let variables: Vec<Variable> =
                    at.iter().map(|x| Variable::new(x.clone())).collect::<Result<_>>()?;
                let (f, floats, read) = (f.clone(), floats.clone(), variables.clone());
                let traced = function(move |x: &Vec<Tensor>| {
                    let values: Vec<Tensor> =
                        read.iter().map(Variable::read).collect::<Result<_>>()?;
                    f(&placed(x, &floats, &values))
                });
                let call = || traced.call(&own);
                derivatives(&call, &variables, &at, cotangents, directions, order)
            }
        }
    }
}

/// The same tensors with identities of their own: one given twice would have one gradient.
fn fresh(inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    let own = |x: &Tensor| match x.value()?.as_bytes() {
        Some(_) => x.value()?.reshape(x.value()?.dims()).map(Tensor::from),
        None => Ok(x.clone()),
    };
    inputs.iter().map(own).collect()
}

fn specs(x: &[Tensor], knowing: Knowing) -> Vec<TensorSpec> {
    x.iter().map(|x| spec(x, knowing)).collect()
}

/// The results of `f`, the gradients of its sources, and what [`second`] gives.
fn derivatives<S: Structure>(
    f: &dyn Fn() -> Result<Vec<Tensor>>,
    sources: &S,
    at: &[Tensor],
    cotangents: &[Tensor],
    directions: &[Tensor],
    order: Order,
) -> Result<Vec<Tensor>> {
    let outer = (order == Order::Second).then(GradientTape::new);
    if let Some(outer) = &outer {
        outer.watch(sources);
        outer.watch(&cotangents.to_vec());
    }
    let tape = GradientTape::new();
    tape.watch(sources);
    let results = f()?;
    let weights = cotangents.iter().cloned().map(Some).collect();
    let gradients = tape.gradient_with(&results, sources, weights)?;
    let gradients = connected(&gradients.leaves()?, at)?;
    drop(tape);
    let second = match &outer {
        Some(outer) => second(outer, &gradients, sources, at, cotangents, directions)?,
        None => Vec::new(),
    };
    Ok([results, gradients, second].concat())
}

/// The gradients of the weighed gradients: of the sources, and of the cotangents.
fn second<S: Structure>(
    tape: &GradientTape,
    gradients: &[Tensor],
    sources: &S,
    at: &[Tensor],
    cotangents: &[Tensor],
    directions: &[Tensor],
) -> Result<Vec<Tensor>> {
    let (gradients, c) = (gradients.to_vec(), cotangents.to_vec());
    let weights = || directions.iter().cloned().map(Some).collect::<Vec<_>>();
    let of_sources = tape.gradient_with(&gradients, sources, weights())?;
    let of_cotangents = tape.gradient_with(&gradients, &c, weights())?;
    Ok([connected(&of_sources.leaves()?, at)?, connected(&of_cotangents.leaves()?, &c)?].concat())
}

/// Zeros where there is no gradient.
fn connected(gradients: &[Option<Tensor>], of: &[Tensor]) -> Result<Vec<Tensor>> {
    let one = |(g, x): (&Option<Tensor>, &Tensor)| g.clone().map_or_else(|| x.zeros_like(), Ok);
    gradients.iter().zip(of).map(one).collect()
}
