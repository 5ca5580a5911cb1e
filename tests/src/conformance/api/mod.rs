//! Functions of TensorFlow's Python API, written as a user of this library would write them.
//!
//! One row a function; a function without a row is unsupported.

mod arranging;
mod images;
mod learning;
mod linalg;
mod math;
mod nn;
mod params;
mod ragged;
mod ragged_ops;
mod random;
mod reductions;
mod signals;
mod slicing;
mod sparse;
mod sparse_type;
mod state;
mod strings;
mod windows;

use std::sync::Arc;

use extype::array::Array;
use extype::{Result, Tensor};

use super::Case;
use super::modes::Computation;
use super::values::Unreadable;
pub use params::Params;
pub(super) use random::generator;
pub(super) use strings::serialize_parse;

/// The rows of functions of dense tensors.
const ROWS: [&[Row]; 12] = [
    arranging::ROWS,
    images::ROWS,
    learning::ROWS,
    linalg::ROWS,
    math::ROWS,
    nn::ROWS,
    random::ROWS,
    reductions::ROWS,
    signals::ROWS,
    slicing::ROWS,
    strings::DENSE,
    windows::ROWS,
];

/// Programs of these subjects.
pub(super) const PROGRAMS: [&[Row]; 6] = [
    images::PROGRAMS,
    learning::PROGRAMS,
    signals::PROGRAMS,
    sparse::PROGRAMS,
    state::PROGRAMS,
    windows::PROGRAMS,
];

/// A function of flat tensors and named arguments.
pub type Function = fn(&Params, &[Tensor]) -> Result<Vec<Tensor>>;

/// One function of the API.
#[derive(Clone, Copy)]
pub struct Row {
    /// Its name in Python.
    pub name: &'static str,
    /// What it is here.
    pub function: Function,
    /// False for arguments that are not supported.
    pub accepts: fn(&Params) -> bool,
}

/// A row that accepts all arguments.
pub const fn row(name: &'static str, function: Function) -> Row {
    Row { name, function, accepts: |_| true }
}

/// The only result.
///
/// # Errors
/// What the call failed with.
pub fn one(result: Result<Tensor>) -> Result<Vec<Tensor>> {
    Ok(vec![result?])
}

/// The call that a case asks for, and its inputs.
///
/// # Errors
/// With the name of what is unsupported.
pub fn computation(case: &Case, name: &str) -> Result<(Computation, Vec<Tensor>), String> {
    if let Some(found) = ragged::computation(case, name) {
        return found;
    }
    // Sparse and ragged tensors are given as several tensors only to functions of such.
    if let Some(row) =
        sparse::ROWS.iter().chain(sparse_type::ROWS).chain(strings::ROWS).find(|r| r.name == name)
    {
        return prepared(case, row, case.flat_inputs());
    }
    let row = ROWS.into_iter().flatten().find(|r| r.name == name).ok_or_else(|| name.to_owned())?;
    prepared(case, row, case.inputs())
}

/// The call of a row on these inputs.
///
/// # Errors
/// With the name of what is unsupported.
pub fn prepared(
    case: &Case,
    row: &Row,
    inputs: Result<Vec<Array>, Unreadable>,
) -> Result<(Computation, Vec<Tensor>), String> {
    let inputs = inputs.map_err(|e| format!("{}: {}", row.name, e.0))?;
    let mut params = case.json["attrs"].clone();
    if row.name == state::READS_FILE
        && let Some(Ok([text])) = inputs.first().map(Array::as_strings)
    {
        // What is in a file is known before anything is traced.
        params["file"] = String::from_utf8_lossy(text).into();
    }
    if state::PROGRAMS.iter().any(|program| program.name == row.name) {
        params[state::INPUT_SHAPES] = inputs.iter().map(|x| x.dims().to_vec()).collect();
    }
    let params = Params::new(&params);
    if !(row.accepts)(&params) {
        return Err(format!("{}: {}", row.name, case.json["attrs"]));
    }
    let function = row.function;
    let call = move |x: &[Tensor]| function(&params, x);
    Ok((Arc::new(call), inputs.into_iter().map(Tensor::from).collect()))
}
