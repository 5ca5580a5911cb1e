//! Random programs of ops, loops, conditionals and calls.
//!
//! A [`Choice`] is what a generator gives. A [`Step`] is what becomes of it where it stands: its operands are found by
//! running the program, so that most steps fit their operands.

use extype::prelude::*;
use proptest::prelude::*;
use proptest::sample::Index;

/// A step before its operands are found.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    Op(u8, [Index; 3]),
    Loop { count: Index, carried: [Index; 3], next: [(u8, Index); 3], body: Vec<Choice> },
    Cond { which: Index, arms: [Vec<Choice>; 2], results: [Index; 2] },
    Call { operands: [Index; 3], body: Vec<Choice>, results: [Index; 2], twice: bool },
}

/// A step of a program: what it reads are places in the list of all values so far, to which its results are added.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Op(u8, [usize; 3]),
    Loop {
        count: Count,
        carried: Vec<usize>,
        body: Vec<Step>,
        next: Vec<Next>,
    },
    /// The arms give one dtype.
    Cond {
        which: usize,
        arms: [Vec<Step>; 2],
        results: [usize; 2],
        dtype: DType,
    },
    Call {
        operands: Vec<usize>,
        body: Vec<Step>,
        results: [usize; 2],
        twice: bool,
    },
}

/// How often a loop runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    Number(i32),
    /// By the sum of a value.
    Sum(usize),
}

/// What a variable of a loop becomes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    Same,
    /// A value of its type.
    Value(usize),
    /// Half of it and a value that broadcasts to it.
    Mixed(usize),
}

/// So many ops there are.
const OPS: u8 = 50;
/// The one that broadcasts three values.
const SELECT: u8 = 12;
/// From this one on they are products of matrices.
const PRODUCT: u8 = 48;
/// The most elements of a value, if the inputs don't have more.
const MOST: usize = 1 << 12;

/// Steps with loops, conditionals and calls within each other, so deep.
pub(super) fn choices(depth: usize, most: usize) -> BoxedStrategy<Vec<Choice>> {
    let three = || any::<[Index; 3]>();
    let op = (0..OPS, three()).prop_map(|(op, operands)| Choice::Op(op, operands));
    if depth == 0 {
        return prop::collection::vec(op, 1..most).boxed();
    }
    let body = || choices(depth - 1, most.div_ceil(2).max(2));
    let next = || any::<[(u8, Index); 3]>();
    let looped = (any::<Index>(), three(), next(), body());
    let looped =
        looped.prop_map(|(count, carried, next, body)| Choice::Loop { count, carried, next, body });
    let cond = (any::<Index>(), [body(), body()], any::<[Index; 2]>());
    let cond = cond.prop_map(|(which, arms, results)| Choice::Cond { which, arms, results });
    let call = (three(), body(), any::<[Index; 2]>(), any::<bool>());
    let call = call.prop_map(|(operands, body, results, twice)| Choice::Call {
        operands,
        body,
        results,
        twice,
    });
    prop::collection::vec(prop_oneof![12 => op, 1 => looped, 1 => cond, 1 => call], 1..most).boxed()
}

/// The steps that these choices become on these values, to which the results of a run are added.
pub(super) fn resolved(choices: &[Choice], values: &mut Vec<Tensor>) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let most = values.iter().map(Tensor::num_elements).fold(MOST, usize::max);
    for choice in choices {
        if let Some(step) = resolve(choice, values)? {
            let before = values.len();
            match apply(&step, values) {
                Ok(()) if values[before..].iter().all(|x| x.num_elements() <= most) => {
                    steps.push(step);
                }
                _ => values.truncate(before),
            }
        }
    }
    Ok(steps)
}

fn resolve(choice: &Choice, values: &[Tensor]) -> Result<Option<Step>> {
    let at = |i: &Index| i.index(values.len());
    Ok(Some(match choice {
        Choice::Op(op, operands) => {
            let [x, first, z] = operands.map(|i| at(&i));
            // The second operand that fits, from the chosen one on: first those of the dtype.
            let turned = || (0..values.len()).map(|k| (first + k) % values.len());
            let alike = |y: &usize| values[*y].dtype() == values[x].dtype();
            let all = turned().filter(alike).chain(turned().filter(|y| !alike(y))).take(6);
            let fits = |y: &usize| {
                !is_huge(*op, [&values[x], &values[*y], &values[z]])
                    && op_of(*op, &values[x], &values[*y], &values[z]).is_ok()
            };
            let Some(y) = { all }.find(fits) else { return Ok(None) };
            Step::Op(*op, [x, y, z])
        }
        Choice::Loop { count, carried, next, body } => {
            let carried: Vec<usize> = carried[..1 + at(&carried[0]) % 3].iter().map(at).collect();
            let mut within = values.to_vec();
            within.push(scalar(0i32));
            within.extend(carried.iter().map(|i| values[*i].clone()));
            let body = resolved(body, &mut within)?;
            let next = carried.iter().zip(next).map(|(at, (kind, i))| {
                let old = &values[*at];
                // Later values are more likely, since the body made them.
                let first = within.len() - 1 - i.index(within.len()) / 2;
                let mut all = (0..within.len()).map(|k| (first + k) % within.len());
                let is_same = |i: &usize| within[*i].tensor_type() == old.tensor_type();
                let mixes = |i: &usize| {
                    !is_huge(0, [old, &within[*i], old])
                        && mixed(old, &within[*i])
                            .is_ok_and(|x| x.tensor_type() == old.tensor_type())
                };
                match kind % 4 {
                    0 => Next::Same,
                    1 | 2 => all.find(is_same).map_or(Next::Same, Next::Value),
                    _ => all.find(mixes).map_or(Next::Same, Next::Mixed),
                }
            });
            let next = next.collect();
            let count = match at(count) {
                i if i % 2 == 0 => Count::Number((i / 2) as i32 % 4),
                i => Count::Sum(i),
            };
            Step::Loop { count, carried, body, next }
        }
        Choice::Cond { which, arms, results } => {
            let (mut yes, mut no) = (values.to_vec(), values.to_vec());
            let arms = [resolved(&arms[0], &mut yes)?, resolved(&arms[1], &mut no)?];
            let x = yes.len() - 1 - results[0].index(yes.len()) / 2;
            let first = results[1].index(no.len());
            let all = || (0..no.len()).map(|k| (first + k) % no.len());
            let y = all().find(|i| no[*i].shape() == yes[x].shape());
            let y = y.or_else(|| all().find(|i| no[*i].rank() == yes[x].rank()));
            let Some(y) = y else { return Ok(None) };
            Step::Cond { which: at(which), arms, results: [x, y], dtype: yes[x].dtype() }
        }
        Choice::Call { operands, body, results, twice } => {
            let operands: Vec<usize> =
                operands[..1 + at(&operands[0]) % 3].iter().map(at).collect();
            let mut within: Vec<Tensor> = operands.iter().map(|i| values[*i].clone()).collect();
            let body = resolved(body, &mut within)?;
            let results = results.map(|i| within.len() - 1 - i.index(within.len()) / 2);
            // The second call has its first operand from the results of the first.
            let again = &within[results[1]];
            let is_huge = |i: &usize| is_huge(0, [again, &values[*i], again]);
            let is_huge =
                again.shape() != values[operands[0]].shape() && operands.iter().any(is_huge);
            Step::Call { operands, body, results, twice: *twice && !is_huge }
        }
    }))
}

/// True if an op could make too many elements of these by broadcasting, or by a product.
fn is_huge(op: u8, [x, y, z]: [&Tensor; 3]) -> bool {
    let many = |a: &Tensor, b: &Tensor| {
        let both = a.num_elements().saturating_mul(b.num_elements());
        both > 1 << 22 && (a.shape() != b.shape() || op >= PRODUCT)
    };
    many(x, y) || (op == SELECT && (many(x, z) || many(y, z)))
}

/// Runs steps on the values, to which their results are added.
pub(super) fn run(steps: &[Step], values: &mut Vec<Tensor>) -> Result<()> {
    steps.iter().try_for_each(|step| apply(step, values))
}

fn apply(step: &Step, values: &mut Vec<Tensor>) -> Result<()> {
    match step {
        Step::Op(op, [x, y, z]) => values.push(op_of(*op, &values[*x], &values[*y], &values[*z])?),
        Step::Loop { count, carried, body, next } => {
            let count = match count {
                Count::Number(n) => scalar(*n),
                Count::Sum(i) => whole(&values[*i], 4)?,
            };
            let start: Vec<Tensor> = carried.iter().map(|i| values[*i].clone()).collect();
            let (_, end) = while_loop(
                (scalar(0i32), start),
                |(i, _)| i.less(&count),
                |(i, old)| {
                    let mut within = values.clone();
                    within.push(i.clone());
                    within.extend(old.iter().cloned());
                    run(body, &mut within)?;
                    let new = old.iter().zip(next).map(|(old, next)| match next {
                        Next::Same => Ok(old.clone()),
                        Next::Value(i) => Ok(within[*i].clone()),
                        Next::Mixed(i) => mixed(old, &within[*i]),
                    });
                    Ok((ops::add(&i, 1)?, new.collect::<Result<Vec<_>>>()?))
                },
            )?;
            values.extend(end);
        }
        Step::Cond { which, arms, results, dtype } => {
            let which = truth(&values[*which])?.reduce_any(.., false)?;
            let arm = |i: usize| {
                let mut within = values.clone();
                run(&arms[i], &mut within)?;
                within[results[i]].cast(*dtype)
            };
            let result = cond(&which, || arm(0), || arm(1))?;
            values.push(result);
        }
        Step::Call { operands, body, results, twice } => {
            let inputs: Vec<Tensor> = operands.iter().map(|i| values[*i].clone()).collect();
            let (body, results) = (body.clone(), *results);
            let f = function(move |inputs: &Vec<Tensor>| {
                let mut within = inputs.clone();
                run(&body, &mut within)?;
                Ok(results.map(|i| within[i].clone()).to_vec())
            });
            values.extend(f.call(&inputs)?);
            if *twice {
                let mut turned = inputs;
                turned[0] = values[values.len() - 1].cast(turned[0].dtype())?;
                values.extend(f.call(&turned)?);
            }
        }
    }
    Ok(())
}

/// Half of `x` and a value.
fn mixed(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    match x.dtype() {
        DType::Bool => ops::not_equal(x, &truth(y)?),
        dtype if dtype.is_integer() => ops::sub(&y.cast(dtype)?, x),
        dtype => ops::add(&ops::mul(x, 0.5)?, &y.cast(dtype)?),
    }
}

/// A whole number below `n`, made of a value.
fn whole(x: &Tensor, n: i32) -> Result<Tensor> {
    let sum = number(x)?.cast(f32)?.reduce_sum(.., false)?;
    let sum = ops::minimum(ops::maximum(&sum, -1000.0)?, 1000.0)?;
    let sum = ops::select(&ops::is_nan(&sum)?, 1.0, &sum)?;
    ops::floor_mod(&sum.cast(i32)?, n)
}

fn truth(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { Ok(x.clone()) } else { ops::greater(x, &ops::zeros_like(x)?) }
}

fn number(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { x.cast(f32) } else { Ok(x.clone()) }
}

fn float(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_float() { Ok(x.clone()) } else { x.cast(f32) }
}

/// The result of an op on three values of any dtypes.
fn op_of(op: u8, x: &Tensor, y: &Tensor, z: &Tensor) -> Result<Tensor> {
    let like = |y: &Tensor, x: &Tensor| y.cast(x.dtype());
    let numbers = || number(x).and_then(|x| Ok((like(y, &x)?, x)));
    let floats = || float(x).and_then(|x| Ok((like(y, &x)?, x)));
    let rank = || x.rank().ok_or_else(|| Error::new(ErrorKind::Internal, "an unknown rank"));
    match op {
        0 => numbers().and_then(|(y, x)| ops::add(&x, &y)),
        1 => numbers().and_then(|(y, x)| ops::sub(&x, &y)),
        2 => numbers().and_then(|(y, x)| ops::mul(&x, &y)),
        3 => numbers().and_then(|(y, x)| ops::maximum(&x, &y)),
        4 => numbers().and_then(|(y, x)| ops::minimum(&x, &y)),
        5 => numbers().and_then(|(y, x)| ops::squared_difference(&x, &y)),
        6 => floats().and_then(|(y, x)| ops::div(&x, &y)),
        7 => numbers().and_then(|(y, x)| ops::less(&x, &y)),
        8 => ops::equal(x, &like(y, x)?),
        9 => ops::logical_and(&truth(x)?, &truth(y)?),
        10 => ops::logical_not(&truth(x)?),
        11 => truth(x)?.reduce_any(-1, true),
        SELECT => ops::select(&truth(z)?, x, &like(y, x)?),
        13 => x.cast(i32),
        14 => x.cast(f64),
        15 => x.cast(f32),
        16 => x.cast(bf16),
        17 => x.cast(f16),
        18 => ops::tanh(&float(x)?),
        19 => ops::sigmoid(&float(x)?),
        20 => ops::exp(&ops::neg(&ops::abs(&float(x)?)?)?),
        21 => ops::sin(&float(x)?),
        22 => ops::sqrt(&ops::abs(&float(x)?)?),
        23 => ops::neg(&number(x)?),
        24 => ops::square(&number(x)?),
        25 => ops::mul(&number(x)?, 2),
        26 => ops::add(&float(x)?, 0.75),
        27 => ops::div(&float(x)?, 4.0),
        28 => ops::floor_mod(&number(x)?, 3),
        29 => ops::reduce_mean(&float(x)?, .., false),
        30 => ops::reduce_sum(&number(x)?, -1, true),
        31 => ops::reduce_max(&number(x)?, -1, false),
        32 => ops::reduce_mean(&float(x)?, [-2, -1], true),
        33 => ops::reduce_sum(&number(x)?, 0, false),
        34 => ops::reduce_prod(&number(x)?, -1, false),
        35 => ops::softmax(&float(x)?),
        36 => ops::expand_dims(x, -1),
        37 => ops::broadcast_to(x, &ops::shape_of(y)?),
        38 => ops::reshape(x, [-1]),
        39 => ops::reshape(x, &ops::shape_of(y)?),
        40 => ops::transpose(x, (0..rank()? as i64).rev().collect::<Vec<_>>()),
        41 => ops::concat(&[x, &like(y, x)?], 0),
        42 => ops::gather(x, tensor![0i32, 1, 0], 0),
        43 => ops::gather(x, whole(z, 2)?, 0),
        44 => x.reverse([-1]),
        45 => ops::cumsum(&number(x)?, 0),
        46 => ops::argmax(&number(x)?, -1),
        47 => ops::stack(&[x, &like(y, x)?], 0),
        PRODUCT => floats().and_then(|(y, x)| ops::matmul(&x, &y)),
        _ => floats().and_then(|(y, x)| ops::matmul(&x, &ops::transpose(&y, [1, 0])?)),
    }
}
