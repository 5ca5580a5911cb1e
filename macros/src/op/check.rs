//! What a row must hold.

use super::model::{Dispatch, Form, Model, Row, attribute_name};
use super::parse::{Argument, ArgumentType, Dtype, Gradient, Made};
use crate::shared::Diagnostics;
use crate::shared::docs;
use crate::shared::suggest::nearest;

const EFFECTS: [&str; 5] = ["Pure", "Reads", "Writes", "Checks", "Impure"];

pub(super) fn all(model: &Model, d: &mut Diagnostics) {
    for row in &model.rows {
        names(row, d);
        entries(row, d);
        arguments(row, d);
        gradient(row, d);
        call(row, model.methods.is_some(), d);
    }
}

fn names(row: &Row, d: &mut Diagnostics) {
    if docs::summary(&row.docs).is_none() {
        d.mild(
            &row.name,
            "an op has a doc comment: it is what its function and its methods show",
            "say what it computes: `/// The cube of every element.`",
        );
    }
    let name = row.graph.value();
    let own = std::env::var("CARGO_PKG_NAME").is_ok_and(|package| package == "extype");
    if !own && !name.contains('>') {
        d.mild(
            &row.graph,
            "the graph name of an op of another crate has a namespace",
            format!("write `\"Namespace>{name}\"`"),
        );
    }
}

fn entries(row: &Row, d: &mut Diagnostics) {
    if row.kernel.is_none() {
        d.severe(
            &row.name,
            "the row says no kernel",
            "write `kernel: Map(&table)`, `kernel: Zip(&table)`, or `kernel: f` for a function \
             `fn(&KernelContext<'_>) -> Result<Outputs>`",
        );
    }
    if row.infer.is_none() && row.form == Form::Standalone {
        d.severe(
            &row.name,
            "the row says no inference",
            "write `infer: f` for a function `fn(&InferContext<'_>) -> Result<Types>`",
        );
    }
    let effect = row.effect.to_string();
    if !EFFECTS.contains(&effect.as_str()) {
        let near = nearest(&effect, EFFECTS).unwrap_or("Pure");
        d.severe(&row.effect, format!("`{effect}` is no effect"), format!("write `{near}`"));
    }
    for attr in &row.attrs {
        if row.form != Form::Standalone && attr.default.is_none() {
            d.severe(
                &attr.field,
                "an attribute of a family's op has a default: the family makes the op without it",
                format!("write `{}: … = value`", attr.field),
            );
        }
    }
    let operands = row.inputs.len() - row.statics().count();
    if row.finite_at.len() > operands {
        d.severe(
            &row.name,
            format!("`finite_at` names {} points for {operands} operands", row.finite_at.len()),
            "name one for each operand, `_` where every number will do",
        );
    }
}

fn arguments(row: &Row, d: &mut Diagnostics) {
    let mut known: Vec<String> = row.types.iter().map(|(name, _)| name.to_string()).collect();
    known.extend(row.attrs.iter().map(attribute_name));
    let mut check = |argument: &Argument| {
        let var = match &argument.ty {
            ArgumentType::One(Dtype::Var(var)) | ArgumentType::List(Dtype::Var(var), _) => var,
            _ => return,
        };
        if !known.iter().any(|k| var == k) {
            let near = nearest(&var.to_string(), known.iter().map(String::as_str));
            let help = match near {
                Some(near) => format!("write `{near}`"),
                None => format!("name its dtypes: `types: {{ {var}: DTypeSet::… }}`"),
            };
            d.severe(var, format!("no type attribute is named `{var}`"), help);
        }
    };
    row.inputs.iter().chain(&row.outputs).for_each(&mut check);
    let mut fields: Vec<String> = Vec::new();
    let named = row.attrs.iter().map(|a| &a.field).chain(row.statics().map(|(_, f, _)| f));
    for field in named {
        let name = field.to_string();
        if fields.contains(&name) {
            d.severe(field, format!("two fields are named `{name}`"), "rename one with `as`");
        }
        fields.push(name);
    }
    if row.form != Form::Standalone
        && let Some((argument, ..)) = row.statics().next()
    {
        d.severe(
            &argument.name,
            "an op of a family has its family's operands and nothing else",
            "write the row as `op`",
        );
    }
}

fn gradient(row: &Row, d: &mut Diagnostics) {
    let Some(Gradient::Closure(closure)) = &row.gradient else { return };
    let (want, shape) = match row.form {
        Form::Unary => (2, "`|g, dy| gradient`"),
        Form::Binary => (4, "`|g, x, y, dy| (gradient of x, gradient of y)`"),
        _ => (1, "`|g| Ok(gradients)`"),
    };
    if closure.inputs.len() != want {
        d.severe(
            &closure.body,
            format!("a gradient written in a row of this form is {shape}"),
            "or name a function: `fn(&Gradient<'_>) -> Result<…>`",
        );
    }
}

fn call(row: &Row, methods: bool, d: &mut Diagnostics) {
    let Some(call) = &row.call else { return };
    if call.method && !methods {
        d.severe(
            &call.name,
            "the trait of the methods is not named",
            "write `methods of Trait;` before the rows",
        );
    }
    if call.method && row.dispatch == Dispatch::Sequence {
        d.severe(&call.name, "a sequence has no methods", "leave `method` out");
    }
    let Made::Fields(fields) = &call.made else { return };
    let known = |name: &syn::Ident| {
        row.attrs.iter().any(|a| a.field == *name) || row.statics().any(|(_, f, _)| f == name)
    };
    for (name, _) in fields {
        if !known(name) {
            d.severe(name, format!("the op has no field `{name}`"), "leave it out");
        }
    }
    let given = |name: &syn::Ident| {
        fields.iter().any(|(f, _)| f == name) || call.parameters.iter().any(|p| p.name == *name)
    };
    let attrs = row.attrs.iter().filter(|a| a.default.is_none()).map(|a| &a.field);
    for field in attrs.chain(row.statics().map(|(_, f, _)| f)).filter(|f| !given(f)) {
        d.severe(
            &call.name,
            format!("the field `{field}` has no value"),
            format!("name it after the operands, `{}(x; {field})`, or behind `=>`", call.name),
        );
    }
    let used: String = fields.iter().map(|(_, value)| quote::quote!(#value).to_string()).collect();
    for parameter in &call.parameters {
        let of_family = row.form == Form::Reduction
            && (parameter.name == "axes" || parameter.name == "keep_dims");
        if !known(&parameter.name) && !of_family && !used.contains(&parameter.name.to_string()) {
            d.severe(
                &parameter.name,
                format!("the parameter `{}` is not used", parameter.name),
                "name it as a field of the op is named, or use it behind `=>`",
            );
        }
    }
}
