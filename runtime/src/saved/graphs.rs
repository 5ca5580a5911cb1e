//! Graphs and functions as messages.

use std::collections::BTreeMap;

use extype_formats::proto::{self, attr_value, op_def, resource_handle_proto};

use super::tensors::{Room, array, array_message, dtype, shape, shape_message};
use crate::ir::def::{
    ArgumentDef, AttrMap, FunctionDef, FunctionName, GraphDef, NodeDef, Signature, Value, Versions,
};
use crate::types::{DType, Result, Shape, bail};

/// The graph of a message.
pub(super) fn graph(message: proto::GraphDef, room: &Room) -> Result<GraphDef> {
    let library = message.library.unwrap_or_default().function;
    Ok(GraphDef {
        nodes: message.node.into_iter().map(|n| node(n, room)).collect::<Result<_>>()?,
        library: library.into_iter().map(|f| function(f, room)).collect::<Result<_>>()?,
        versions: versions(message.versions),
    })
}

/// The versions of a graph.
pub(super) fn versions(message: Option<proto::VersionDef>) -> Versions {
    let proto::VersionDef { producer, min_consumer, bad_consumers } = message.unwrap_or_default();
    Versions { producer, min_consumer, bad_consumers }
}

/// The message of a graph.
pub(super) fn graph_message(graph: &GraphDef) -> Result<proto::GraphDef> {
    let Versions { producer, min_consumer, bad_consumers } = graph.versions.clone();
    let function = graph.library.iter().map(function_message).collect::<Result<_>>()?;
    Ok(proto::GraphDef {
        node: graph.nodes.iter().map(node_message).collect::<Result<_>>()?,
        library: Some(proto::FunctionDefLibrary { function, ..Default::default() }),
        versions: Some(proto::VersionDef { producer, min_consumer, bad_consumers }),
        ..proto::GraphDef::default()
    })
}

/// The node of a message.
pub(super) fn node(message: proto::NodeDef, room: &Room) -> Result<NodeDef> {
    let attrs = attrs(message.attr, room)
        .map_err(|e| e.prefixed(format!("node `{}` ({})", message.name, message.op)))?;
    let proto::NodeDef { name, op, input: inputs, device, .. } = message;
    Ok(NodeDef { name, op, inputs, device, attrs })
}

fn node_message(node: &NodeDef) -> Result<proto::NodeDef> {
    let attr =
        attr_messages(&node.attrs).map_err(|e| e.prefixed(format!("node `{}`", node.name)))?;
    Ok(proto::NodeDef {
        name: node.name.clone(),
        op: node.op.clone(),
        input: node.inputs.clone(),
        device: node.device.clone(),
        attr,
        ..proto::NodeDef::default()
    })
}

fn attrs(messages: BTreeMap<String, proto::AttrValue>, room: &Room) -> Result<AttrMap> {
    let attr = |(name, message): (String, proto::AttrValue)| {
        let value = value(message, room).map_err(|e| e.prefixed(format!("attribute `{name}`")))?;
        Ok((name, value))
    };
    messages.into_iter().map(attr).collect()
}

fn attr_messages(attrs: &AttrMap) -> Result<BTreeMap<String, proto::AttrValue>> {
    let attr = |(name, value): (&String, &Value)| {
        let value = value_message(value).map_err(|e| e.prefixed(format!("attribute `{name}`")))?;
        Ok((name.clone(), value))
    };
    attrs.iter().map(attr).collect()
}

fn value(message: proto::AttrValue, room: &Room) -> Result<Value> {
    use attr_value::Value as Message;
    Ok(match message.value {
        None => Value::None,
        Some(Message::S(x)) => Value::Str(x),
        Some(Message::I(x)) => Value::Int(x),
        Some(Message::F(x)) => Value::Float(x),
        Some(Message::B(x)) => Value::Bool(x),
        Some(Message::Type(x)) => Value::Type(dtype(x)?),
        Some(Message::Shape(x)) => Value::Shape(shape(Some(&x))?),
        Some(Message::Tensor(x)) => Value::Tensor(array(&x, room)?),
        Some(Message::Func(x)) => Value::Function(called(*x, room)?),
        Some(Message::Placeholder(x)) => {
            bail!(Unimplemented, "the caller of the function gives its value, as `{x}`")
        }
        Some(Message::List(list)) => {
            let mut items: Vec<Value> = list.s.into_iter().map(Value::Str).collect();
            items.extend(list.i.into_iter().map(Value::Int));
            items.extend(list.f.into_iter().map(Value::Float));
            items.extend(list.b.into_iter().map(Value::Bool));
            for x in list.r#type {
                items.push(Value::Type(dtype(x)?));
            }
            for x in &list.shape {
                items.push(Value::Shape(shape(Some(x))?));
            }
            for x in &list.tensor {
                items.push(Value::Tensor(array(x, room)?));
            }
            for x in list.func {
                items.push(Value::Function(called(x, room)?));
            }
            Value::List(items)
        }
    })
}

fn called(message: proto::NameAttrList, room: &Room) -> Result<FunctionName> {
    Ok(FunctionName { name: message.name, attrs: attrs(message.attr, room)? })
}

fn value_message(value: &Value) -> Result<proto::AttrValue> {
    use attr_value::Value as Message;
    let message = match value {
        Value::None => return Ok(proto::AttrValue::default()),
        Value::Str(x) => Message::S(x.clone()),
        Value::Int(x) => Message::I(*x),
        Value::Float(x) => Message::F(*x),
        Value::Bool(x) => Message::B(*x),
        Value::Type(x) => Message::Type(x.number()),
        Value::Shape(x) => Message::Shape(shape_message(x)),
        Value::Tensor(x) => Message::Tensor(Box::new(array_message(x)?)),
        Value::Function(x) => Message::Func(Box::new(called_message(x)?)),
        Value::List(items) => {
            let mut list = attr_value::ListValue::default();
            for item in items {
                match item {
                    Value::Str(x) => list.s.push(x.clone()),
                    Value::Int(x) => list.i.push(*x),
                    Value::Float(x) => list.f.push(*x),
                    Value::Bool(x) => list.b.push(*x),
                    Value::Type(x) => list.r#type.push(x.number()),
                    Value::Shape(x) => list.shape.push(shape_message(x)),
                    Value::Tensor(x) => list.tensor.push(array_message(x)?),
                    Value::Function(x) => list.func.push(called_message(x)?),
                    Value::None | Value::List(_) => bail!("a list of lists, or of no values"),
                }
            }
            Message::List(Box::new(list))
        }
    };
    Ok(proto::AttrValue::new(message))
}

fn called_message(f: &FunctionName) -> Result<proto::NameAttrList> {
    Ok(proto::NameAttrList { name: f.name.clone(), attr: attr_messages(&f.attrs)? })
}

/// The function of a message.
pub(super) fn function(message: proto::FunctionDef, room: &Room) -> Result<FunctionDef> {
    let signature = message.signature.unwrap_or_default();
    let name = signature.name.clone();
    let read = || {
        let all = |args: Vec<op_def::ArgDef>| args.into_iter().map(argument).collect::<Result<_>>();
        let arg_attr = |(i, a): (u32, proto::function_def::ArgAttrs)| Ok((i, attrs(a.attr, room)?));
        Ok(FunctionDef {
            signature: Signature {
                name: signature.name,
                inputs: all(signature.input_arg)?,
                outputs: all(signature.output_arg)?,
                control_outputs: signature.control_output,
                is_stateful: signature.is_stateful,
            },
            arg_attrs: message.arg_attr.into_iter().map(arg_attr).collect::<Result<_>>()?,
            nodes: message.node_def.into_iter().map(|n| node(n, room)).collect::<Result<_>>()?,
            ret: message.ret,
            control_ret: message.control_ret,
            attrs: attrs(message.attr, room)?,
        })
    };
    read().map_err(|e: crate::Error| e.prefixed(format!("function `{name}`")))
}

fn argument(message: op_def::ArgDef) -> Result<ArgumentDef> {
    type Held = resource_handle_proto::DtypeAndShape;
    let name = message.name;
    let of = |e: crate::Error| e.prefixed(format!("argument `{name}`"));
    let computed = [&message.type_attr, &message.number_attr, &message.type_list_attr];
    if let Some(attr) = computed.into_iter().find(|attr| !attr.is_empty()) {
        bail!(Unimplemented, "argument `{name}`: the attribute `{attr}` of a caller says its type");
    }
    let held = |h: &Held| Ok((dtype(h.dtype)?, shape(h.shape.as_ref())?));
    let handle_data = message.handle_data.iter().map(held).collect::<Result<_>>().map_err(of)?;
    Ok(ArgumentDef { dtype: dtype(message.r#type).map_err(of)?, handle_data, name })
}

fn argument_message(argument: &ArgumentDef) -> op_def::ArgDef {
    let held = |(dtype, shape): &(DType, Shape)| resource_handle_proto::DtypeAndShape {
        dtype: dtype.number(),
        shape: Some(shape_message(shape)),
    };
    op_def::ArgDef {
        name: argument.name.clone(),
        r#type: argument.dtype.number(),
        handle_data: argument.handle_data.iter().map(held).collect(),
        ..op_def::ArgDef::default()
    }
}

fn function_message(f: &FunctionDef) -> Result<proto::FunctionDef> {
    let write = || {
        let arg_attr = |(i, attrs): (&u32, &AttrMap)| {
            Ok((*i, proto::function_def::ArgAttrs { attr: attr_messages(attrs)? }))
        };
        Ok(proto::FunctionDef {
            signature: Some(proto::OpDef {
                name: f.signature.name.clone(),
                input_arg: f.signature.inputs.iter().map(argument_message).collect(),
                output_arg: f.signature.outputs.iter().map(argument_message).collect(),
                control_output: f.signature.control_outputs.clone(),
                is_stateful: f.signature.is_stateful,
                ..proto::OpDef::default()
            }),
            node_def: f.nodes.iter().map(node_message).collect::<Result<_>>()?,
            ret: f.ret.clone(),
            attr: attr_messages(&f.attrs)?,
            control_ret: f.control_ret.clone(),
            arg_attr: f.arg_attrs.iter().map(arg_attr).collect::<Result<_>>()?,
            resource_arg_unique_id: BTreeMap::new(),
        })
    };
    write().map_err(|e: crate::Error| e.prefixed(format!("function `{}`", f.signature.name)))
}
