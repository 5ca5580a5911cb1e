//! Named arguments of a Python function.

use extype::DType;
use extype::ops::Axes;
use serde_json::Value;

/// Named arguments of a Python function.
#[derive(Clone, Debug)]
pub struct Params(Value);

impl Params {
    /// The arguments in a case.
    pub fn new(json: &Value) -> Params {
        Params(json.clone())
    }

    /// An argument as it was recorded; null if it was not given.
    pub fn json(&self, name: &str) -> &Value {
        &self.0[name]
    }

    /// True for an argument that was given, be it null.
    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    /// A truth value; false if it was not given.
    pub fn flag(&self, name: &str) -> bool {
        self.0[name].as_bool().unwrap_or(false)
    }

    /// A number.
    pub fn float(&self, name: &str, default: f64) -> f64 {
        self.0[name].as_f64().unwrap_or(default)
    }

    /// An integer.
    pub fn int(&self, name: &str, default: i64) -> i64 {
        self.0[name].as_i64().unwrap_or(default)
    }

    /// A list of integers; empty if it was not given.
    pub fn integers(&self, name: &str) -> Vec<i64> {
        let list = self.0[name].as_array().map_or(&[][..], Vec::as_slice);
        list.iter().filter_map(Value::as_i64).collect()
    }

    /// A list of numbers.
    pub fn floats(&self, name: &str, default: &[f64]) -> Vec<f64> {
        match self.0[name].as_array() {
            Some(list) => list.iter().filter_map(Value::as_f64).collect(),
            None => default.to_vec(),
        }
    }

    /// A dtype.
    pub fn dtype(&self, name: &str, default: DType) -> DType {
        self.0[name].as_str().and_then(DType::from_name).unwrap_or(default)
    }

    /// The axes of a reduction: all if none is given.
    pub fn axes(&self, name: &str) -> Axes {
        match &self.0[name] {
            Value::Array(list) => {
                Axes::from(list.iter().filter_map(Value::as_i64).collect::<Vec<_>>())
            }
            Value::Number(n) => n.as_i64().map_or(Axes::All, Axes::from),
            _ => Axes::All,
        }
    }
}
