//! Lookup tables of a model that is saved: functions that make and fill them.

use super::graph::{argument, call, constant, node};
use crate::array::Array;
use crate::ir::def::{ArgumentDef, FunctionDef, NodeDef, Signature, Value};
use crate::ops::TableState;
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// The node of a table's handle, and the functions that its object has.
pub(super) struct SavedTable {
    pub(super) object: usize,
    pub(super) handle: NodeDef,
    pub(super) create: FunctionDef,
    /// Takes the handle.
    pub(super) initialize: FunctionDef,
    pub(super) destroy: FunctionDef,
}

/// The state of a handle, if it is a table.
pub(super) fn table_of(handle: &Tensor) -> Option<&TableState> {
    handle.value().ok()?.as_resource().ok()?.as_any().downcast_ref()
}

impl SavedTable {
    pub(super) fn of(object: usize, table: &TableState) -> Result<Self> {
        let Some([make, fill]) = table.saved_by() else {
            bail!(
                Unimplemented,
                "{table:?} can't be saved: only a `LookupTable` and a `MutableTable` of scalars can"
            );
        };
        let (keys, values) = table.export()?;
        let name = format!("table_{object}");
        let handle = node(
            make,
            &name,
            [],
            [
                ("key_dtype", Value::Type(table.key_dtype())),
                ("value_dtype", Value::Type(table.value_dtype())),
                ("shared_name", Value::Str(name.clone().into_bytes())),
            ],
        );
        let (key_type, value_type) = match fill {
            "InitializeTableV2" => ("Tkey", "Tval"),
            _ => ("Tin", "Tout"),
        };
        let filled = node(
            fill,
            "fill",
            ["table", "keys:output:0", "values:output:0"],
            [(key_type, Value::Type(keys.dtype())), (value_type, Value::Type(values.dtype()))],
        );
        let filling = vec![constant("keys", keys), constant("values", values), filled];
        let named = |what: &str| format!("__inference__{what}_{object}");
        let done = || constant("Const", Array::scalar(1i32));
        Ok(Self {
            object,
            create: function(
                named("creator"),
                None,
                vec![handle.clone()],
                (&name, "table_handle", DType::Resource),
            ),
            initialize: function(
                named("initializer"),
                Some("table"),
                filling.into_iter().chain([done()]).collect(),
                ("Const", "output", DType::I32),
            ),
            destroy: function(
                named("destroyer"),
                None,
                vec![done()],
                ("Const", "output", DType::I32),
            ),
            handle,
        })
    }

    /// The call that fills the table.
    pub(super) fn filling(&self, handle: &str) -> NodeDef {
        call(
            &self.initialize,
            "StatefulPartitionedCall",
            vec![handle.to_owned()],
            vec![DType::Resource],
        )
    }
}

/// A function that returns the first result of a node; a node `fill` runs too.
fn function(
    name: String,
    table: Option<&str>,
    nodes: Vec<NodeDef>,
    (end, output, dtype): (&str, &str, DType),
) -> FunctionDef {
    let inputs: Vec<ArgumentDef> =
        table.iter().map(|name| argument((*name).to_owned(), DType::Resource)).collect();
    let effects: Vec<String> =
        nodes.iter().filter(|n| n.name == "fill").map(|n| n.name.clone()).collect();
    FunctionDef {
        signature: Signature {
            name,
            inputs,
            outputs: vec![argument("result".to_owned(), dtype)],
            control_outputs: effects.clone(),
            is_stateful: end != "Const" || !effects.is_empty(),
        },
        nodes,
        ret: [("result".to_owned(), format!("{end}:{output}:0"))].into(),
        control_ret: effects.into_iter().map(|effect| (effect.clone(), effect)).collect(),
        ..FunctionDef::default()
    }
}
