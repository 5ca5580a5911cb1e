//! A call inside a traced function.

use std::sync::{Arc, Mutex, PoisonError};

use extype::tensor::execute;
use extype::types::TensorType;
use extype::{DType, Error, Result, Shape, Tensor, TensorSpec, function};

use super::call::Call;
use super::defs;

/// What the trace knows of the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knowing {
    /// Dtypes and shapes.
    Shapes,
    /// Shapes, and the values of axes, sizes and the like.
    Constants,
    /// Dtypes and ranks.
    Ranks,
    /// Dtypes.
    Dtypes,
}

impl Knowing {
    pub(super) const ALL: [Knowing; 4] =
        [Knowing::Shapes, Knowing::Constants, Knowing::Ranks, Knowing::Dtypes];

    pub(super) fn name(self) -> &'static str {
        match self {
            Knowing::Shapes => "traced with shapes",
            Knowing::Constants => "traced with constants",
            Knowing::Ranks => "traced with ranks",
            Knowing::Dtypes => "traced with dtypes",
        }
    }
}

/// What came out, and what inference said before.
pub(super) struct Traced {
    pub(super) outputs: Vec<Tensor>,
    pub(super) inferred: Vec<TensorType>,
}

/// Why nothing came out.
pub(super) enum Refused {
    Tracing(Error),
    Running(Error),
}

/// Traces the op and calls the function.
pub(super) fn run(call: &Call, knowing: Knowing) -> Result<Traced, Refused> {
    let inferred = Arc::new(Mutex::new(Vec::new()));
    let inputs = call.tensors();
    let fixed: Vec<Option<Tensor>> = constants(call, knowing)
        .iter()
        .zip(&inputs)
        .map(|(constant, x)| constant.then(|| x.clone()))
        .collect();
    let fed = |x: &[Tensor]| -> Vec<Tensor> {
        fixed.iter().zip(x).filter(|(f, _)| f.is_none()).map(|(_, x)| x.clone()).collect()
    };
    let fed = fed(&inputs);
    let (op, attrs, kept) = (call.op, call.attrs(), inferred.clone());
    let traced = function(move |x: &Vec<Tensor>| {
        let mut rest = x.iter();
        let inputs: Vec<&Tensor> =
            fixed.iter().filter_map(|f| f.as_ref().or_else(|| rest.next())).collect();
        let outputs = execute(op, attrs.clone(), &inputs)?.into_vec();
        let types = outputs.iter().map(Tensor::tensor_type).collect();
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = types;
        Ok(outputs)
    });
    let specs: Vec<TensorSpec> = fed.iter().map(|x| spec(x, knowing)).collect();
    let concrete = traced.concrete(&specs).map_err(Refused::Tracing)?;
    let outputs = concrete.call_flat(&fed).map_err(Refused::Running)?;
    let inferred = inferred.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Traced { outputs, inferred })
}

pub(super) fn constants(call: &Call, knowing: Knowing) -> Vec<bool> {
    let spread = defs::spread(call.op, call.inputs.len());
    let handle = |i: usize| call.inputs[i].dtype() == DType::Resource;
    let is_static = |i: usize| {
        let index = matches!(call.inputs[i].dtype(), DType::I32 | DType::I64);
        spread.get(i).is_some_and(|a| a.is_static) || (index && i > 0)
    };
    let constant = |i| handle(i) || (knowing == Knowing::Constants && is_static(i));
    (0..call.inputs.len()).map(constant).collect()
}

pub(super) fn spec(x: &Tensor, knowing: Knowing) -> TensorSpec {
    let shape = match knowing {
        Knowing::Shapes | Knowing::Constants => x.shape(),
        Knowing::Ranks => x.rank().map_or_else(Shape::unknown, Shape::of_rank),
        Knowing::Dtypes => Shape::unknown(),
    };
    TensorSpec::new(shape, x.dtype())
}
