//! The named functions of the programs, on values whose types are known at run time only.

use extype::data::{Dataset, Optional, Remainder};
use extype::ops::methods::*;
use extype::prelude::{Op as _, tensor};
use extype::spec::{AnySpec, AnyValue, Literal, TensorSpec};
use extype::types::{Dim, Error, Shape};
use extype::{DType, Result, Tensor, ops};
use extype_ragged::RaggedTensor;
use extype_sparse::SparseTensor;
use serde_json::Value;

use super::Outcome;
use super::values::{dataset, extension, map, none, tuple};

type Found<T> = std::result::Result<T, Outcome>;
type Unary<R> = Box<dyn Fn(AnyValue) -> Result<R> + Send + Sync>;
pub(super) type Test = Box<dyn Fn(&AnyValue) -> Result<Tensor> + Send + Sync>;
pub(super) type Binary =
    Box<dyn Fn(AnyValue, AnyValue) -> Result<(AnyValue, AnyValue)> + Send + Sync>;
pub(super) type Group =
    Box<dyn Fn(i64, Dataset<AnyValue>) -> Result<Dataset<AnyValue>> + Send + Sync>;

/// The arguments of a function.
#[derive(Clone)]
struct Args(Vec<Value>);

impl Args {
    fn int(&self, i: usize) -> i64 {
        self.0.get(i).and_then(Value::as_i64).unwrap_or_default()
    }

    fn text(&self, i: usize) -> String {
        self.0.get(i).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn dims(&self, i: usize) -> Vec<i64> {
        self.0
            .get(i)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_i64)
            .collect()
    }

    /// A number with the dtype of `x`.
    fn like(&self, i: usize, x: &Tensor) -> Result<Tensor> {
        match self.0.get(i).and_then(Value::as_f64) {
            Some(n) if self.0[i].as_i64().is_none() => Tensor::scalar(n).cast(x.dtype()),
            _ => number(self.int(i), x),
        }
    }
}

fn number(n: i64, x: &Tensor) -> Result<Tensor> {
    Tensor::scalar(n).cast(x.dtype())
}

/// Arithmetic with errors.
trait Arithmetic {
    fn add(&self, other: &Tensor) -> Result<Tensor>;
    fn sub(&self, other: &Tensor) -> Result<Tensor>;
    fn mul(&self, other: &Tensor) -> Result<Tensor>;
}

impl Arithmetic for Tensor {
    fn add(&self, other: &Tensor) -> Result<Tensor> {
        ops::add(self, other)
    }

    fn sub(&self, other: &Tensor) -> Result<Tensor> {
        ops::sub(self, other)
    }

    fn mul(&self, other: &Tensor) -> Result<Tensor> {
        ops::mul(self, other)
    }
}

/// The tensor that an element is. A row of a ragged tensor is one.
fn t(x: &AnyValue) -> Result<Tensor> {
    match x.as_tensor() {
        Some(x) => Ok(x.clone()),
        None => x.clone().downcast::<RaggedTensor>()?.into_tensor(),
    }
}

/// The ragged tensor that an element is, if it has rows.
fn rows(x: &AnyValue) -> Option<RaggedTensor> {
    x.clone().downcast::<RaggedTensor>().ok().filter(|x| x.ragged_rank() > 0)
}

fn v(x: Tensor) -> AnyValue {
    AnyValue::new(x)
}

fn part(x: &AnyValue, i: usize) -> Result<AnyValue> {
    x.components().get(i).cloned().ok_or_else(|| Error::invalid("there is no such part"))
}

fn pair(a: AnyValue, b: AnyValue) -> Result<AnyValue> {
    tuple(vec![a, b])
}

/// `x`, unless the condition is true; in a trace nothing is checked.
fn unless(condition: &Tensor, x: AnyValue) -> Result<AnyValue> {
    match condition {
        Tensor::Symbol(_) => Ok(x),
        known if known.item::<bool>()? => Err(Error::invalid("refused")),
        _ => Ok(x),
    }
}

fn equals(x: &Tensor, k: &Tensor) -> Result<Tensor> {
    x.equal(k)
}

fn range(n: &Tensor) -> Result<Tensor> {
    ops::range(number(0, n)?, n, number(1, n)?)
}

fn size(x: &Tensor) -> Result<Tensor> {
    ops::shape_of(x)?.cast(DType::I64)?.reduce_prod(.., false)
}

/// How many entries an element has, a ragged one too.
fn size_of(x: &AnyValue) -> Result<Tensor> {
    size(&rows(x).map_or_else(|| t(x), |x| Ok(x.flat_values))?)
}

/// A ragged tensor of these rows.
fn in_rows(values: &Tensor, lengths: &Tensor) -> Result<RaggedTensor> {
    RaggedTensor::from_row_lengths(values, lengths)
}

/// Rows of the lengths 1 to `n`, which hold the numbers from 0 on.
fn triangle(n: &Tensor) -> Result<RaggedTensor> {
    let (zero, one) = (number(0, n)?, number(1, n)?);
    let end = n.add(&one)?;
    let count = n.mul(&end)?.floor_div(&number(2, n)?)?;
    in_rows(&ops::range(zero, count, &one)?, &ops::range(&one, end, &one)?)
}

fn words(x: &Tensor, split: impl Fn(&[u8]) -> Vec<Vec<u8>>) -> Result<Tensor> {
    let text = x.value()?.as_strings()?.first().cloned().unwrap_or_default();
    let parts = split(&text);
    Ok(Tensor::from(extype::array::Array::from_strings([parts.len()], parts)?))
}

fn scalar_spec(dtype: DType) -> AnySpec {
    AnySpec::Tensor(TensorSpec::new(Shape::scalar(), dtype))
}

/// What a function of `map` returns, where tracing does not tell.
pub(super) fn stated(name: &str, element: &AnySpec) -> Option<AnySpec> {
    let strings = || {
        AnySpec::Tensor(TensorSpec::new(
            [Dim::UNKNOWN].into_iter().collect::<Shape>(),
            DType::String,
        ))
    };
    match (name, element) {
        ("split" | "letters", _) => Some(strings()),
        ("lose_shape", AnySpec::Tensor(t)) => {
            Some(AnySpec::Tensor(TensorSpec::new(Shape::unknown(), t.dtype)))
        }
        _ => None,
    }
}

/// The functions of `map`.
pub(super) fn mapped(name: &str, args: &[Value]) -> Found<Unary<AnyValue>> {
    let a = Args(args.to_vec());
    macro_rules! f {
        (|$x:ident| $body:expr) => {
            Box::new(move |$x: AnyValue| $body) as Unary<AnyValue>
        };
    }
    /// On a tensor, to a tensor.
    macro_rules! tt {
        (|$x:ident| $body:expr) => {
            Box::new(move |$x: AnyValue| {
                let $x = t(&$x)?;
                Ok(v($body?))
            }) as Unary<AnyValue>
        };
    }
    /// On each number, of ragged tensors too.
    macro_rules! each {
        (|$x:ident| $body:expr) => {
            Box::new(move |$x: AnyValue| match rows(&$x) {
                Some(ragged) => {
                    let $x = ragged.flat_values.clone();
                    Ok(AnyValue::new(ragged.with_flat_values($body?)?))
                }
                None => {
                    let $x = t(&$x)?;
                    Ok(v($body?))
                }
            }) as Unary<AnyValue>
        };
    }
    Ok(match name {
        "identity" => f!(|x| Ok(x)),
        "add" => each!(|x| x.add(&a.like(0, &x)?)),
        "mul" => each!(|x| x.mul(&a.like(0, &x)?)),
        "affine" => each!(|x| x.mul(&a.like(0, &x)?)?.add(&a.like(1, &x)?)),
        "mod" => each!(|x| x.floor_mod(&a.like(0, &x)?)),
        "square" => each!(|x| x.mul(&x)),
        "negate" => each!(|x| ops::neg(&x)),
        "cast" => {
            let name = a.text(0);
            let dtype = DType::from_name(&name).ok_or(Outcome::Unsupported(name))?;
            tt!(|x| x.cast(dtype))
        }
        "sum" => f!(|x| match rows(&x) {
            Some(x) => ops::reduce_sum(&x, .., false)?.into_tensor().map(v),
            None => Ok(v(t(&x)?.reduce_sum(.., false)?)),
        }),
        "sum_rows" => f!(|x| match rows(&x) {
            Some(x) => {
                let sums = ops::reduce_sum(&x, -1, false)?;
                Ok(if sums.ragged_rank() == 0 { v(sums.flat_values) } else { AnyValue::new(sums) })
            }
            None => Ok(v(t(&x)?.reduce_sum(-1, false)?)),
        }),
        "size" => f!(|x| Ok(v(size_of(&x)?))),
        "rows" => tt!(|x| ops::shape_of(&x)?.cast(DType::I64)?.gather(0, 0)),
        "to_pair" => f!(|x| pair(x.clone(), v(t(&x)?.mul(&t(&x)?)?))),
        "swap" => f!(|p| pair(part(&p, 1)?, part(&p, 0)?)),
        "first" => f!(|p| part(&p, 0)),
        "second" => f!(|p| part(&p, 1)),
        "pair_sum" => f!(|p| Ok(v(t(&part(&p, 0)?)?.add(&t(&part(&p, 1)?)?)?))),
        "pair_product" => f!(|p| Ok(v(t(&part(&p, 0)?)?.mul(&t(&part(&p, 1)?)?)?))),
        "nest_pair" => f!(|p| pair(part(&p, 0)?, pair(part(&p, 1)?, part(&p, 0)?)?)),
        "to_dict" => f!(|x| {
            let one = number(1, &t(&x)?)?;
            map(vec![("b".into(), x.clone()), ("a".into(), v(t(&x)?.add(&one)?))])
        }),
        "get" => {
            let key = a.text(0);
            f!(|d| match d.spec() {
                AnySpec::Map(names) => {
                    let i = names.keys().position(|k| *k == key);
                    part(&d, i.ok_or_else(|| Error::invalid("no such key"))?)
                }
                other => Err(Error::invalid(format!("{other} has no keys"))),
            })
        }
        "with_none" => f!(|x| pair(x, none()?)),
        "count_to" => tt!(|x| range(&x)),
        "fill" => tt!(|x| ops::fill([a.int(0)], &x)),
        "fill_self" => tt!(|x| ops::fill(x.reshape([1])?, &x)),
        "outer" => tt!(|x| range(&x)?.expand_dims(1)?.mul(&range(&x)?.expand_dims(0)?)),
        "reverse" => tt!(|x| x.reverse(0)),
        "head" => tt!(|x| x.index(..a.int(0))),
        "to_string" => tt!(|x| ops::as_string(&x, ..)),
        "join" => {
            let suffix =
                Tensor::from(extype::array::Array::from_strings([], vec![a.text(0).into_bytes()])?);
            tt!(|x| ops::StringJoin { separator: String::new() }.run(&[&x, &suffix]))
        }
        "length" => tt!(|x| x.string_length(ops::CharUnit::Bytes)),
        "split" => tt!(|x| words(&x, |text| {
            text.split(u8::is_ascii_whitespace)
                .filter(|w| !w.is_empty())
                .map(<[u8]>::to_vec)
                .collect()
        })),
        "letters" => tt!(|x| words(&x, |text| text.iter().map(|b| vec![*b]).collect())),
        "to_number" => tt!(|x| ops::StringToNumber { out_type: DType::I64 }.run(&[&x])),
        "mask_even" => f!(|x| {
            let even = t(&x)?.floor_mod(&number(2, &t(&x)?)?)?.equal(&number(0, &t(&x)?)?)?;
            extension("MaskedTensor", vec![("values".into(), Ok(x)), ("mask".into(), Ok(v(even)))])
        }),
        "masked_sum" => f!(|m| {
            let (values, mask) = (t(&part(&m, 0)?)?, t(&part(&m, 1)?)?);
            let zeros = ops::zeros_like(&values)?;
            Ok(v(ops::select(&mask, &values, &zeros)?.reduce_sum(.., false)?))
        }),
        "label" => {
            let unit = a.text(0);
            f!(|x| {
                let unit = Literal::Str(unit.as_str().into());
                extension("Labelled", vec![("values".into(), Ok(x)), ("unit".into(), Err(unit))])
            })
        }
        "plain" => f!(|x| extension("Plain", vec![("values".into(), Ok(x))])),
        "divide_into" => tt!(|x| a.like(0, &x)?.floor_div(&x)),
        "reciprocal" => tt!(|x| ops::div(1.0f64, x.cast(DType::F64)?)),
        "fail_if_equal" => f!(|x| unless(&equals(&t(&x)?, &a.like(0, &t(&x)?)?)?, x)),
        "fail_if_multiple" => f!(|x| {
            let rest = t(&x)?.floor_mod(&a.like(0, &t(&x)?)?)?;
            unless(&equals(&rest, &number(0, &rest)?)?, x)
        }),
        "fail_always" => f!(|x| match t(&x)? {
            Tensor::Symbol(_) => Ok(x),
            Tensor::Value(_) => Err(Error::invalid("refused")),
        }),
        "check_numerics" => tt!(|x| x.check_numerics("not finite")),
        "reshape" => tt!(|x| x.reshape(a.dims(0))),
        "lose_shape" => f!(|x| Ok(x)),
        "batch_windows" => {
            let k = a.int(0) as usize;
            f!(|w| Ok(AnyValue::new(dataset(&w)?.batch(k, Remainder::Keep))))
        }
        "triangle" => f!(|x| Ok(AnyValue::new(triangle(&t(&x)?)?))),
        "bag" => f!(|x| {
            let words = AnyValue::new(triangle(&t(&x)?)?);
            let weight = v(t(&x)?.cast(DType::F32)?);
            extension("Bag", vec![("words".into(), Ok(words)), ("weight".into(), Ok(weight))])
        }),
        "ragged_pairs" => f!(|x| {
            let x = t(&x)?;
            let (two, half) = (number(2, &x)?, x.floor_div(&number(2, &x)?)?);
            let values = ops::range(number(0, &x)?, x.mul(&two)?, number(1, &x)?)?;
            let lengths = ops::stack(&[&half, &x.sub(&half)?], 0)?;
            Ok(AnyValue::new(in_rows(&values.reshape([-1, 2])?, &lengths)?))
        }),
        "one_hot_sparse" => {
            let depth = a.int(0);
            f!(|x| {
                let x = t(&x)?;
                let at = x.floor_mod(&number(depth, &x)?)?.cast(DType::I64)?;
                Ok(AnyValue::new(SparseTensor::new(at.reshape([1, 1])?, x.reshape([1])?, [depth])?))
            })
        }
        "sparse_from_dense" => f!(|x| Ok(AnyValue::new(SparseTensor::from_dense(t(&x)?)?))),
        "to_dense" => f!(|x| match rows(&x) {
            Some(x) => x.to_tensor(number(0, &x.flat_values)?, Shape::unknown()).map(v),
            None => x.downcast::<SparseTensor>()?.to_dense().map(v),
        }),
        "optional" => f!(|x| Ok(AnyValue::new(Optional::from_value(x)?))),
        "no_value" => f!(|x| {
            let spec = scalar_spec(t(&x)?.dtype());
            Ok(AnyValue::new(Optional::<AnyValue>::empty(&spec)?))
        }),
        "get_value" => f!(|x| x.downcast::<Optional<AnyValue>>()?.get_value()),
        other => return Err(Outcome::Unsupported(format!("map function {other}"))),
    })
}

/// The functions of `filter` and `take_while`.
pub(super) fn test(name: &str, args: &[Value]) -> Found<Test> {
    let a = Args(args.to_vec());
    macro_rules! test {
        (|$x:ident| $body:expr) => {
            Box::new(move |$x: &AnyValue| {
                let $x = t($x)?;
                $body
            }) as Test
        };
    }
    Ok(match name {
        "even" => test!(|x| x.floor_mod(&number(2, &x)?)?.equal(&number(0, &x)?)),
        "odd" => test!(|x| x.floor_mod(&number(2, &x)?)?.equal(&number(1, &x)?)),
        "less" => test!(|x| x.less(&a.like(0, &x)?)),
        "greater" => test!(|x| x.greater(&a.like(0, &x)?)),
        "not_equal" => test!(|x| x.not_equal(&a.like(0, &x)?)),
        "mod_equals" => test!(|x| x.floor_mod(&a.like(0, &x)?)?.equal(&a.like(1, &x)?)),
        "always" => Box::new(|_| Ok(Tensor::scalar(true))),
        "never" => Box::new(|_| Ok(Tensor::scalar(false))),
        "first_even" => Box::new(|p| {
            let x = t(&part(p, 0)?)?;
            x.floor_mod(&number(2, &x)?)?.equal(&number(0, &x)?)
        }),
        "size_less" => Box::new(move |x| size_of(x)?.less(a.int(0))),
        "sum_even" => test!(|x| {
            let sum = x.reduce_sum(.., false)?;
            sum.floor_mod(&number(2, &sum)?)?.equal(&number(0, &sum)?)
        }),
        "string_longer" => {
            test!(|x| x.string_length(ops::CharUnit::Bytes)?.greater(a.int(0) as i32))
        }
        "fail_if_equal_else_true" => test!(|x| {
            let refused = equals(&x, &a.like(0, &x)?)?;
            t(&unless(&refused, v(Tensor::scalar(true)))?)
        }),
        "not_scalar" => Box::new(|_| Ok(tensor![true, true])),
        "not_bool" => test!(|x| Ok(x)),
        "has_value" => {
            Box::new(|x| Ok(x.clone().downcast::<Optional<AnyValue>>()?.has_value().clone()))
        }
        other => return Err(Outcome::Unsupported(format!("test {other}"))),
    })
}

/// What datasets that `flat_map` makes hold, where tracing does not tell.
pub(super) fn stated_flat(name: &str) -> Option<AnySpec> {
    let scalars = ["count_to", "from_to", "tens", "empty", "fail_inside", "sum_window"];
    scalars.contains(&name).then(|| scalar_spec(DType::I64))
}

/// The functions of `flat_map` and `interleave`.
pub(super) fn flat(name: &str, args: &[Value]) -> Found<Unary<Dataset<AnyValue>>> {
    let a = Args(args.to_vec());
    macro_rules! f {
        (|$x:ident| $body:expr) => {
            Box::new(move |$x: AnyValue| $body) as Unary<Dataset<AnyValue>>
        };
    }
    let int = |x: &AnyValue| t(x)?.item::<i64>();
    Ok(match name {
        "count_to" => f!(|x| Ok(Dataset::range(0..int(&x)?).to_any())),
        "from_to" => f!(|x| Ok(Dataset::range(int(&x)?..int(&x)? + a.int(0)).to_any())),
        "tens" => f!(|x| Ok(Dataset::range(int(&x)? * 10..int(&x)? * 10 + a.int(0)).to_any())),
        "repeat_self" => f!(|x| Ok(Dataset::from_tensors(x).repeat_n(a.int(0) as u64))),
        "slices" => f!(|x| Dataset::from_tensor_slices(x)),
        "itself" => f!(|w| dataset(&w)),
        "batch" => f!(|w| Ok(dataset(&w)?.batch(a.int(0) as usize, Remainder::Keep))),
        "batch_full" => f!(|w| Ok(dataset(&w)?.batch(a.int(0) as usize, Remainder::Drop))),
        "zip_batch" => f!(|p| {
            let batch = |i| Ok(dataset(&part(&p, i)?)?.batch(a.int(0) as usize, Remainder::Keep));
            let (first, second): (Dataset<AnyValue>, Dataset<AnyValue>) = (batch(0)?, batch(1)?);
            Ok(first.zip(&second).to_any())
        }),
        "sum_window" => f!(|w| summed(&dataset(&w)?)),
        "empty" => f!(|_x| Ok(Dataset::range(0..0).to_any())),
        "cycle" => f!(|x| Ok(Dataset::from_tensors(x).repeat())),
        "fail_inside" => f!(|x| {
            let (first, k) = (int(&x)? * 10, a.int(0));
            Ok(Dataset::range(first..first + 3)
                .to_any()
                .map(move |y| unless(&equals(&t(&y)?, &number(k, &t(&y)?)?)?, y)))
        }),
        // The compiler refuses a function that returns no dataset.
        "not_a_dataset" => return Err(Outcome::Refused(Error::invalid("no dataset"))),
        other => return Err(Outcome::Unsupported(format!("flat function {other}"))),
    })
}

fn summed(w: &Dataset<AnyValue>) -> Result<Dataset<AnyValue>> {
    let sum = w.reduce(Tensor::scalar(0i64), |s, x| s.add(&t(&x)?))?;
    Ok(Dataset::from_tensors(v(sum)))
}

/// The keys of `group_by_window`.
pub(super) fn key(name: &str, args: &[Value]) -> Found<Test> {
    let a = Args(args.to_vec());
    Ok(match name {
        "mod" => Box::new(move |x| t(x)?.floor_mod(&a.like(0, &t(x)?)?)),
        "div" => Box::new(move |x| t(x)?.floor_div(&a.like(0, &t(x)?)?)),
        "size" => Box::new(size_of),
        "constant" => Box::new(move |_| Ok(Tensor::scalar(a.int(0)))),
        "first_mod" => Box::new(move |p| t(&part(p, 0)?)?.floor_mod(a.int(0))),
        "int32" => Box::new(|x| t(x)?.cast(DType::I32)),
        other => return Err(Outcome::Unsupported(format!("key {other}"))),
    })
}

/// What `group_by_window` makes of groups, and the spec of what is in it where tracing does not tell.
pub(super) fn group(name: &str, args: &[Value]) -> Found<(Group, Option<AnySpec>)> {
    let a = Args(args.to_vec());
    let n = a.int(0) as usize;
    let group: Group = match name {
        "batch" => Box::new(move |_, w| Ok(w.batch(n, Remainder::Keep))),
        "keyed_batch" => Box::new(move |k, w| {
            let keyed = move |b: AnyValue| pair(v(Tensor::scalar(k)), b);
            Ok(w.batch(n, Remainder::Keep).map(keyed))
        }),
        "sum" => return Ok((Box::new(|_, w| summed(&w)), Some(scalar_spec(DType::I64)))),
        "take" => Box::new(move |_, w| Ok(w.take(n as u64))),
        "padded" => {
            Box::new(move |_, w| Ok(w.padded_batch(n, Remainder::Keep, Default::default())))
        }
        "nothing" => Box::new(|_, w| Ok(w.take(0))),
        other => return Err(Outcome::Unsupported(format!("group function {other}"))),
    };
    Ok((group, None))
}

/// The functions of `scan`.
pub(super) fn scan(name: &str, args: &[Value]) -> Found<Binary> {
    let a = Args(args.to_vec());
    Ok(match name {
        "running_sum" => Box::new(|s, x| {
            let sum = v(t(&s)?.add(&t(&x)?)?);
            Ok((sum.clone(), sum))
        }),
        "previous" => Box::new(|s, x| Ok((x, s))),
        "delta" => Box::new(|s, x| Ok((x.clone(), v(t(&x)?.sub(&t(&s)?)?)))),
        "count" => Box::new(|s, x| Ok((v(t(&s)?.add(&number(1, &t(&s)?)?)?), pair(s, x)?))),
        "running_max" => Box::new(|s, x| {
            let most = v(t(&s)?.maximum(&t(&x)?)?);
            Ok((most.clone(), most))
        }),
        "fibonacci" => Box::new(|s, _| {
            let (first, second) = (part(&s, 0)?, part(&s, 1)?);
            let sum = v(t(&first)?.add(&t(&second)?)?);
            Ok((pair(second, sum)?, first))
        }),
        "append" => Box::new(|s, x| {
            let all = v(ops::concat(&[&t(&s)?, &t(&x)?.reshape([1])?], 0)?);
            Ok((all.clone(), all))
        }),
        "fail_at" => Box::new(move |s, x| {
            let refused = equals(&t(&x)?, &a.like(0, &t(&x)?)?)?;
            let sum = v(t(&s)?.add(&t(&x)?)?);
            Ok((sum, unless(&refused, s)?))
        }),
        "wrong_dtype" => Box::new(|s, x| Ok((v(t(&s)?.cast(DType::F32)?), x))),
        other => return Err(Outcome::Unsupported(format!("scan function {other}"))),
    })
}

/// The functions of `reduce`.
pub(super) fn reduce(
    name: &str,
    args: &[Value],
) -> Found<Box<dyn Fn(AnyValue, AnyValue) -> Result<AnyValue>>> {
    let a = Args(args.to_vec());
    Ok(match name {
        "sum" => Box::new(|s, x| Ok(v(t(&s)?.add(&t(&x)?)?))),
        "count" => Box::new(|s, _| Ok(v(t(&s)?.add(&number(1, &t(&s)?)?)?))),
        "maximum" => Box::new(|s, x| Ok(v(t(&s)?.maximum(&t(&x)?)?))),
        "product" => Box::new(|s, x| Ok(v(t(&s)?.mul(&t(&x)?)?))),
        "last" => Box::new(|_, x| Ok(x)),
        "join" => Box::new(|s, x| {
            Ok(v(ops::StringJoin { separator: String::new() }.run(&[&t(&s)?, &t(&x)?])?))
        }),
        "sum_and_count" => Box::new(|s, x| {
            let (sum, count) = (t(&part(&s, 0)?)?, t(&part(&s, 1)?)?);
            pair(v(sum.add(&t(&x)?)?), v(count.add(&number(1, &count)?)?))
        }),
        "pair_dot" => {
            Box::new(|s, p| Ok(v(t(&s)?.add(&t(&part(&p, 0)?)?.mul(&t(&part(&p, 1)?)?)?)?)))
        }
        "concat" => Box::new(|s, x| Ok(v(ops::concat(&[&t(&s)?, &t(&x)?], 0)?))),
        "fail_at" => Box::new(move |s, x| {
            let refused = equals(&t(&x)?, &a.like(0, &t(&x)?)?)?;
            unless(&refused, v(t(&s)?.add(&t(&x)?)?))
        }),
        other => return Err(Outcome::Unsupported(format!("reduce function {other}"))),
    })
}

/// The items of a generator.
pub(super) fn generator(
    name: &str,
    args: &[Value],
    spec: &AnySpec,
) -> Found<Vec<Result<AnyValue>>> {
    let a = Args(args.to_vec());
    let n = a.int(0);
    // Values are converted to the dtype of the spec.
    let dtype = spec.leaves().first().map_or(DType::I64, |leaf| match leaf {
        AnySpec::Tensor(t) => t.dtype,
        _ => DType::I64,
    });
    let ints = |items: Vec<i64>, dims: &[usize]| {
        let all =
            Tensor::from_vec(items).reshape(dims.iter().map(|d| *d as i64).collect::<Vec<_>>());
        Ok(v(all?.cast(dtype)?))
    };
    let texts = |text: String| {
        Ok(v(Tensor::from(extype::array::Array::from_strings([], vec![text.into_bytes()])?)))
    };
    Ok(match name {
        "count" => (0..n).map(|i| ints(vec![i], &[])).collect(),
        "triangle" => (0..n).map(|i| ints((0..i).collect(), &[i as usize])).collect(),
        "words" => (0..n).map(|i| texts("w".repeat(i as usize))).collect(),
        "pairs" => (0..n)
            .map(|i| pair(ints(vec![i], &[])?, ints(vec![i; i as usize], &[i as usize])?))
            .collect(),
        "fail" => (0..n)
            .map(|i| match i == a.int(1) {
                true => Err(Error::invalid("generator failed")),
                false => ints(vec![i], &[]),
            })
            .collect(),
        "mixed_shapes" => (0..n)
            .map(|i| match i {
                2 => ints(vec![i, i], &[2]),
                _ => ints(vec![i], &[]),
            })
            .collect(),
        "dicts" => (0..n)
            .map(|i| {
                map(vec![
                    ("id".into(), ints(vec![i], &[])?),
                    ("text".into(), texts(format!("t{i}"))?),
                ])
            })
            .collect(),
        "ragged_triangle" => {
            let rows = |i: i64| (0..=i).map(|j| (0..j).collect()).collect::<Vec<Vec<i64>>>();
            (0..n).map(|i| Ok(AnyValue::new(RaggedTensor::from_rows(&rows(i))?))).collect()
        }
        other => return Err(Outcome::Unsupported(format!("generator {other}"))),
    })
}
