//! Masked tensors against the answers of `numpy.ma`, kept in `data` beside the script that
//! computed them.

use extype::ops::options::{Over, Spread};
use extype::prelude::*;
use extype_masked::MaskedTensor;
use serde_json::Value;

/// An operand: NumPy's masked arrays are masked tensors here, its plain ones tensors.
enum Operand {
    Masked(MaskedTensor),
    Plain(Tensor),
}

use Operand::{Masked, Plain};

fn floats(values: &Value) -> Vec<f64> {
    let number = |v: &Value| match v {
        Value::Bool(b) => f64::from(*b),
        Value::String(s) => s.parse().unwrap(),
        v => v.as_f64().unwrap(),
    };
    values.as_array().unwrap().iter().map(number).collect()
}

fn integers(values: &Value) -> Vec<i64> {
    values.as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
}

fn bools(values: &Value) -> Vec<bool> {
    values.as_array().unwrap().iter().map(|v| v.as_bool().unwrap()).collect()
}

fn tensor(v: &Value) -> Operand {
    let sizes: Vec<usize> = integers(&v["shape"]).iter().map(|n| *n as usize).collect();
    let dtype = DType::from_name(v["dtype"].as_str().unwrap()).unwrap();
    let values = match dtype {
        DType::Bool => Tensor::from_slice(&bools(&v["values"]), &sizes).unwrap(),
        DType::I32 | DType::I64 => {
            Tensor::from_slice(&integers(&v["values"]), &sizes).unwrap().cast(dtype).unwrap()
        }
        _ => Tensor::from_slice(&floats(&v["values"]), &sizes).unwrap(),
    };
    match v["mask"].is_null() {
        true => Plain(values),
        false => {
            let mask = Tensor::from_slice(&bools(&v["mask"]), &sizes).unwrap();
            Masked(MaskedTensor::new(values, mask).unwrap())
        }
    }
}

/// One line of a file: an op, operands, arguments, the answer.
struct Case {
    op: String,
    operands: Vec<Operand>,
    args: Value,
    answer: Value,
    text: String,
}

impl Case {
    fn axes(&self) -> Axes {
        match &self.args["axes"] {
            Value::Null => Axes::All,
            Value::Array(_) => integers(&self.args["axes"]).into(),
            one => one.as_i64().unwrap().into(),
        }
    }

    fn axis(&self) -> i64 {
        self.args["axis"].as_i64().unwrap()
    }

    /// The axis, or none for all elements as one row.
    fn along(&self) -> Option<i64> {
        self.args["axis"].as_i64()
    }

    fn list(&self) -> Vec<i64> {
        integers(&self.args["list"])
    }

    fn flag(&self, name: &str) -> bool {
        self.args[name].as_bool().unwrap_or_default()
    }

    fn keep(&self) -> bool {
        self.flag("keep_dims")
    }

    /// Operand `i`, which is masked.
    fn masked(&self, i: usize) -> &MaskedTensor {
        match &self.operands[i] {
            Masked(m) => m,
            Plain(_) => panic!("operand {i} is not masked: {}", self.text),
        }
    }

    /// Operand `i`, which is plain.
    fn plain(&self, i: usize) -> &Tensor {
        match &self.operands[i] {
            Plain(x) => x,
            Masked(_) => panic!("operand {i} is masked: {}", self.text),
        }
    }

    fn check(&self, got: &MaskedTensor) {
        let Masked(want) = tensor(&self.answer) else { panic!("a plain answer: {}", self.text) };
        assert_eq!(got.values.shape(), want.values.shape(), "{}", self.text);
        assert_eq!(got.mask.shape(), want.mask.shape(), "{}", self.text);
        let masks = (got.mask.as_slice::<bool>().unwrap(), want.mask.as_slice::<bool>().unwrap());
        assert_eq!(masks.0, masks.1, "{}", self.text);
        same(self, &got.values, &want.values, masks.0);
    }

    fn check_plain(&self, got: &Tensor) {
        let Plain(want) = tensor(&self.answer) else { panic!("a masked answer: {}", self.text) };
        assert_eq!(got.shape(), want.shape(), "{}", self.text);
        same(self, got, &want, &vec![true; got.value().unwrap().len()]);
    }
}

/// Values agree where they are valid.
fn same(case: &Case, got: &Tensor, want: &Tensor, valid: &[bool]) {
    if valid.contains(&true) {
        assert_eq!(got.dtype(), want.dtype(), "{}", case.text);
    }
    let numbers = |x: &Tensor| match x.dtype() {
        DType::Bool => x.as_slice::<bool>().unwrap().iter().map(|b| f64::from(*b)).collect(),
        _ => x.cast(f64).unwrap().to_vec::<f64>().unwrap(),
    };
    for ((a, b), valid) in numbers(got).into_iter().zip(numbers(want)).zip(valid) {
        let close = a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * b.abs().max(1.0);
        assert!(!valid || close, "{a} is not {b}: {}", case.text);
    }
}

/// The cases of a file; there are at least `least`.
fn cases(text: &str, least: usize) -> impl Iterator<Item = Case> {
    assert!(text.lines().count() >= least, "the file is cut");
    text.lines().map(|line| {
        let v: Value = serde_json::from_str(line).unwrap();
        Case {
            op: v["op"].as_str().unwrap().to_owned(),
            operands: v["operands"].as_array().unwrap().iter().map(tensor).collect(),
            args: v["args"].clone(),
            answer: v["result"].clone(),
            text: line.to_owned(),
        }
    })
}

#[test]
fn unary_ops() -> Result<()> {
    for case in cases(include_str!("../data/unary.jsonl"), 50) {
        let x = case.masked(0);
        let y = match case.op.as_str() {
            "neg" => ops::neg(x),
            "abs" => x.abs(),
            "exp" => x.exp(),
            "sin" => x.sin(),
            "cos" => x.cos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "asinh" => x.asinh(),
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            "round" => x.round(),
            "log" => x.log(),
            "sqrt" => x.sqrt(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "acosh" => x.acosh(),
            "atanh" => x.atanh(),
            "logical_not" => x.logical_not(),
            op => panic!("no op {op}"),
        }?;
        case.check(&if case.flag("finite") { y.only_finite()? } else { y });
    }
    Ok(())
}

/// A binary op for each pair of kinds of operands.
macro_rules! call {
    ($f:ident, $x:expr, $y:expr) => {
        match ($x, $y) {
            (Masked(x), Masked(y)) => ops::$f(x, y),
            (Masked(x), Plain(y)) => ops::$f(x, y),
            (Plain(x), Masked(y)) => ops::$f(x, y),
            (Plain(_), Plain(_)) => panic!("no operand is masked"),
        }
    };
}

#[test]
fn binary_ops() -> Result<()> {
    for case in cases(include_str!("../data/binary.jsonl"), 300) {
        let (x, mut y) = (&case.operands[0], &case.operands[1]);
        let nonzero;
        if case.flag("nonzero") {
            nonzero = Masked(case.masked(1).only_nonzero()?);
            y = &nonzero;
        }
        let z = match case.op.as_str() {
            "add" => call!(add, x, y),
            "sub" => call!(sub, x, y),
            "mul" => call!(mul, x, y),
            "div" => call!(div, x, y),
            "pow" => call!(pow, x, y),
            "rem" => call!(floor_mod, x, y),
            "floor_div" => call!(floor_div, x, y),
            "maximum" => call!(maximum, x, y),
            "minimum" => call!(minimum, x, y),
            "atan2" => call!(atan2, x, y),
            "equal" => call!(equal, x, y),
            "not_equal" => call!(not_equal, x, y),
            "less" => call!(less, x, y),
            "less_equal" => call!(less_equal, x, y),
            "greater" => call!(greater, x, y),
            "greater_equal" => call!(greater_equal, x, y),
            "logical_and" => call!(logical_and, x, y),
            "logical_or" => call!(logical_or, x, y),
            op => panic!("no op {op}"),
        }?;
        case.check(&if case.flag("finite") { z.only_finite()? } else { z });
    }
    Ok(())
}

#[test]
fn reductions() -> Result<()> {
    for case in cases(include_str!("../data/reductions.jsonl"), 600) {
        let (x, axes, keep) = (case.masked(0), case.axes(), case.keep());
        let ddof = case.args["ddof"].as_i64().unwrap_or_default();
        let y = match case.op.as_str() {
            "reduce_sum" => x.reduce_sum(axes, keep),
            "reduce_mean" => x.reduce_mean(axes, keep),
            "reduce_prod" => x.reduce_prod(axes, keep),
            "reduce_min" => x.reduce_min(axes, keep),
            "reduce_max" => x.reduce_max(axes, keep),
            "reduce_any" => x.reduce_any(axes, keep),
            "reduce_all" => x.reduce_all(axes, keep),
            "variance" => x.variance(axes, ddof, keep),
            "standard_deviation" => x.standard_deviation(axes, ddof, keep),
            "count" => {
                case.check_plain(&x.count(axes)?);
                continue;
            }
            "arg_max" => x.argmax(case.args["axes"].as_i64().unwrap()),
            "arg_min" => x.argmin(case.args["axes"].as_i64().unwrap()),
            op => panic!("no op {op}"),
        }?;
        case.check(&y);
    }
    Ok(())
}

#[test]
fn movements() -> Result<()> {
    for case in cases(include_str!("../data/moving.jsonl"), 19) {
        let x = case.masked(0);
        let y = match case.op.as_str() {
            "reshape" => x.reshape(case.list()),
            "transpose" => x.transpose(case.list()),
            "expand_dims" => x.expand_dims(case.axis()),
            "squeeze" => x.squeeze(case.list()),
            "broadcast_to" => x.broadcast_to(case.list()),
            "slice" => x.slice(integers(&case.args["begin"]), case.list()),
            "gather" => match &case.operands[1] {
                Plain(indices) => x.gather(indices, case.axis()),
                Masked(_) => panic!("indices are plain"),
            },
            "concat" => ops::concat(&[case.masked(0), case.masked(1), case.masked(2)], case.axis()),
            "stack" => ops::stack(&[case.masked(0), case.masked(1), case.masked(2)], case.axis()),
            "tile" => x.tile(case.list()),
            "reverse" => x.reverse(case.list()),
            "roll" => x.roll(case.list(), [case.axis()]),
            "compressed" => {
                case.check_plain(&x.compressed()?);
                continue;
            }
            "cumsum" => x.cumsum(case.axis()),
            "cumprod" => x.cumprod(case.axis()),
            op => panic!("no op {op}"),
        }?;
        case.check(&y);
    }
    Ok(())
}

#[test]
fn products() -> Result<()> {
    for case in cases(include_str!("../data/products.jsonl"), 14) {
        case.check(&match case.flag("strict") {
            true => case.masked(0).matmul_strict(case.masked(1))?,
            false => call!(matmul, &case.operands[0], &case.operands[1])?,
        });
    }
    Ok(())
}

#[test]
fn selections() -> Result<()> {
    for case in cases(include_str!("../data/selection.jsonl"), 14) {
        let [c, t, e] = &case.operands[..] else { panic!("three operands: {}", case.text) };
        case.check(&match (c, t, e) {
            (Masked(c), Masked(t), Masked(e)) => ops::select(c, t, e),
            (Masked(c), Masked(t), Plain(e)) => ops::select(c, t, e),
            (Masked(c), Plain(t), Masked(e)) => ops::select(c, t, e),
            (Masked(c), Plain(t), Plain(e)) => ops::select(c, t, e),
            (Plain(c), Masked(t), Masked(e)) => ops::select(c, t, e),
            (Plain(c), Masked(t), Plain(e)) => ops::select(c, t, e),
            (Plain(c), Plain(t), Masked(e)) => ops::select(c, t, e),
            (Plain(_), Plain(_), Plain(_)) => panic!("no operand is masked"),
        }?);
    }
    Ok(())
}

#[test]
fn functions() -> Result<()> {
    for case in cases(include_str!("../data/functions.jsonl"), 219) {
        let (x, axes, along, keep_dims) = (case.masked(0), case.axes(), case.along(), case.keep());
        let spread = |axes: Axes| {
            let ddof = case.args["ddof"].as_f64().unwrap();
            Spread { over: Over { axes, keep_dims }, ddof }
        };
        let y = match case.op.as_str() {
            "var" => x.var(spread(axes)),
            "std" => x.std(spread(axes)),
            "ptp" => x.ptp(axes),
            "average" => x.average(axes),
            "count_nonzero" => x.count_nonzero(axes),
            "moments_mean" => ops::moments(x, axes, keep_dims).map(|(mean, _)| mean),
            "moments_var" => ops::moments(x, axes, keep_dims).map(|(_, variance)| variance),
            "argmax" => x.argmax(along),
            "argmin" => x.argmin(along),
            "cumsum" => x.cumsum(along),
            "cumprod" => x.cumprod(along),
            "isclose" => x.isclose(case.masked(1), ..),
            "ravel" => x.ravel(),
            "t" => x.t(),
            "fliplr" => x.fliplr(),
            "flipud" => x.flipud(),
            "rot90" => x.rot90(..),
            "ediff1d" => x.ediff1d(),
            "atleast_1d" => x.atleast_1d(),
            "atleast_2d" => x.atleast_2d(),
            "swapaxes" => x.swapaxes(case.list()[0], case.list()[1]),
            "flip" => x.flip(axes),
            "diff" => {
                let times = usize::try_from(case.args["times"].as_u64().unwrap()).unwrap();
                x.diff((along, ops::Times(times)))
            }
            "take" => x.take(case.plain(1), along),
            "compress" => x.compress(case.plain(1), along),
            "outer" => x.outer(case.masked(1)),
            op => panic!("no op {op}"),
        }?;
        case.check(&y);
    }
    Ok(())
}
