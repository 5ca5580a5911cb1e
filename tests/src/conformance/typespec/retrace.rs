//! The number of traces after each call.

use std::cell::RefCell;
use std::collections::BTreeMap;

use extype::Tensor;
use extype::function::{FunctionOptions, FunctionState};
use extype::prelude::Structure;
use extype::spec::AnySpec;
use serde_json::Value;

use super::parse::{entry, spec};
use super::{Answer, Outcome};
use crate::conformance::Case;
use crate::conformance::values::array;
use crate::types::{Labelled, MaskedTensor};

/// The number of traces after each call, and what was recorded.
pub(super) fn answer(case: &Case) -> (Answer, Result<String, String>) {
    let recorded = case.list("traces_after_each_call").iter().map(|n| match n.get("traces") {
        Some(n) => format!("refused {n}"),
        None => n.to_string(),
    });
    (got(case), Ok(recorded.collect::<Vec<_>>().join(", ")))
}

fn got(case: &Case) -> Answer {
    let mut options = FunctionOptions::new("retraced", &["a", "b"]);
    if case.json["options"]["reduce_retracing"].as_bool() == Some(true) {
        options = options.reduce_retracing();
    }
    let has_signature = read_signature(case)?;
    if has_signature {
        options = options.signature(|| SIGNATURE.with_borrow(Clone::clone));
    }
    let function = FunctionState::new(options);
    let mut counts = Vec::new();
    for args in case.list("calls") {
        let args = args.as_array().map_or(&[][..], Vec::as_slice);
        let called = match args {
            [one] if has_signature => call_cast(&function, one),
            _ => call(&function, args),
        };
        let refused = match called {
            Ok(()) => "",
            Err(Outcome::Refused(_)) => "refused ",
            Err(unsupported) => return Err(unsupported),
        };
        counts.push(format!("{refused}{}", function.trace_count()));
    }
    Ok(counts.join(", "))
}

thread_local! {
    /// The signature of the function of the present case: a function's signature is a plain `fn`.
    static SIGNATURE: RefCell<Vec<Option<AnySpec>>> = const { RefCell::new(Vec::new()) };
}

/// Sets the signature of the case, if it has one.
fn read_signature(case: &Case) -> Result<bool, Outcome> {
    let specs = case.json["options"]["input_signature"].as_array();
    let specs = specs.map_or(&[][..], Vec::as_slice).iter().map(|json| Ok(Some(spec(json)?)));
    let specs: Vec<Option<AnySpec>> = specs.collect::<Result<_, Outcome>>()?;
    let has = !specs.is_empty();
    SIGNATURE.set(specs);
    Ok(has)
}

fn call(function: &FunctionState, args: &[Value]) -> Result<(), Outcome> {
    match args {
        [one] => call_one(function, one),
        [a, b] => match entry(b)? {
            ("int", b) => call_two(function, &tensor(a)?, &b.as_i64().unwrap_or(0)),
            _ => call_two(function, &tensor(a)?, &tensor(b)?),
        },
        _ => Err(Outcome::Unsupported(format!("{} arguments", args.len()))),
    }
}

fn call_one(f: &FunctionState, arg: &Value) -> Result<(), Outcome> {
    match entry(arg)? {
        ("value", value) => match (super::ragged::value(value)?, super::sparse::value(value)?) {
            (Some(ragged), _) => with(f, &ragged),
            (_, Some(sparse)) => with(f, &sparse),
            _ => with(f, &tensor(arg)?),
        },
        ("int", x) => with(f, &x.as_i64().unwrap_or(0)),
        ("float", x) => with(f, &x.as_f64().unwrap_or(0.0)),
        ("bool", x) => with(f, &x.as_bool().unwrap_or(false)),
        ("str", x) => with(f, &x.as_str().unwrap_or_default().to_owned()),
        ("none", _) => with(f, &()),
        ("tuple", x) => with(f, &(tensor(&x[0])?, tensor(&x[1])?)),
        ("list", x) => with(f, &vec![tensor(&x[0])?, tensor(&x[1])?]),
        ("dict", x) => {
            let key = x[0][0]["str"].as_str().unwrap_or_default().to_owned();
            with(f, &BTreeMap::from([(key, tensor(&x[0][1])?)]))
        }
        ("extension", x) => call_extension(f, &x["spec"]["extension_spec"]),
        (other, _) => Err(Outcome::Unsupported(other.to_owned())),
    }
}

/// Calls with a value that is cast to the signature.
fn call_cast(f: &FunctionState, arg: &Value) -> Result<(), Outcome> {
    let number = |json: &Value| json["float"].as_f64().unwrap_or(0.0);
    if entry(arg)?.1.get("ragged").is_some() {
        return call_one(f, arg);
    }
    let (x,): (Tensor,) = match entry(arg)? {
        ("float", _) => f.cast((number(arg),))?,
        ("list", items) => {
            let items: Vec<f64> = items.as_array().into_iter().flatten().map(number).collect();
            f.cast((items,))?
        }
        _ => f.cast((tensor(arg)?,))?,
    };
    with(f, &x)
}

/// Calls with an extension type of zeros.
fn call_extension(f: &FunctionState, spec: &Value) -> Result<(), Outcome> {
    let fields = &spec["fields"];
    let values = &fields["values"]["tensor_spec"]["shape"];
    let dims: Vec<usize> =
        values.as_array().into_iter().flatten().map(|d| d.as_u64().unwrap_or(0) as usize).collect();
    let count = dims.iter().product();
    let values = Tensor::from_slice(&vec![0.0f32; count], &dims)?;
    if spec["name"] == "MaskedTensor" {
        let mask = Tensor::from_slice(&vec![true; count], &dims)?;
        return with(f, &MaskedTensor { values, mask });
    }
    let labels = fields["labels"]["tuple"].as_array().into_iter().flatten();
    let labels = labels.map(|l| l["str"].as_str().unwrap_or_default().to_owned()).collect();
    let scale = fields["scale"]["float"].as_f64().unwrap_or(1.0);
    with(f, &Labelled { values, labels, scale })
}

fn with<T: Structure>(function: &FunctionState, argument: &T) -> Result<(), Outcome> {
    let _ = function.call((argument,), |_| Ok(Tensor::scalar(0i32)))?;
    Ok(())
}

fn call_two<A: Structure, B: Structure>(f: &FunctionState, a: &A, b: &B) -> Result<(), Outcome> {
    let _ = f.call((a, b), |_| Ok(Tensor::scalar(0i32)))?;
    Ok(())
}

fn tensor(json: &Value) -> Result<Tensor, Outcome> {
    match entry(json)? {
        ("value", v) => Ok(Tensor::from(array(v)?)),
        (other, _) => Err(Outcome::Unsupported(other.to_owned())),
    }
}
