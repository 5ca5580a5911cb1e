//! The rules for rows.

use std::fmt::Display;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Expr, ReturnType, Type};

use super::mentions;
use super::model::{Dispatch, Form, Function, Model, Row, attribute_name};
use super::parse::{
    self, Argument, ArgumentType, AttributeEntry, AttributeList, Dtype, Gradient, Made, Value,
};
use crate::shared::Diagnostics;
use crate::shared::docs;
use crate::shared::suggest::nearest;
use crate::shared::tensor_type::{tensorflow_name, variants};
use crate::shared::types::ungroup;

const EFFECTS: [&str; 5] = ["Pure", "Reads", "Writes", "Checks", "Impure"];

/// Checks a row, given the rows before it.
pub(super) fn row(row: &Row, model: &Model, d: &mut Diagnostics) {
    documentation(row, d);
    names(row, &model.rows, d);
    entries(row, d);
    family(row, d);
    types(row, d);
    attributes(row, d);
    graph_names(row, d);
    results(row, d);
    gradient(row, d);
    if let Some(call) = &row.call {
        parameters(row, call, d);
        values(row, call, d);
        method(row, call, model, d);
    }
}

/// Checks the lists of attributes that rows share.
pub(super) fn lists(lists: &[AttributeList], rows: &[parse::Row], d: &mut Diagnostics) {
    let fields = rows.iter().filter_map(|row| row.fields.as_ref().ok()).flatten();
    let entries = fields.filter_map(|field| match &field.value {
        Value::Attributes(entries) => Some(entries),
        _ => None,
    });
    let used: Vec<&Ident> = entries.flatten().filter_map(AttributeEntry::list).collect();
    // After a misspelt name the right one counts as unused, but that is one mistake.
    let uses_are_known = rows.iter().all(|row| row.fields.is_ok())
        && used.iter().all(|name| lists.iter().any(|list| list.name == **name));
    for (i, list) in lists.iter().enumerate() {
        let name = &list.name;
        if let Some(attribute) = list.docs.first() {
            let help = "write a comment with `//`, or tell in the docs of the rows";
            d.mild(attribute, "a list of attributes is no item, so nothing shows its docs", help);
        }
        if lists.iter().take(i).any(|other| other.name == *name) {
            d.mild(name, format!("two lists are named `{name}`"), "rename one of the two");
        } else if list.is_late {
            d.mild(name, "lists of attributes stand before the rows", "move it up");
        } else if uses_are_known && !used.contains(&name) {
            let help = format!("leave it out, or write `..{name}` among the attributes of a row");
            d.mild(name, format!("no row has the attributes of `{name}`"), help);
        }
    }
}

fn documentation(row: &Row, d: &mut Diagnostics) {
    if let Some(other) = row.docs.iter().find(|a| !a.path().is_ident("doc")) {
        d.severe(
            other,
            "a row has doc comments and no other attributes",
            "write the attribute before a `define_op!` of its own",
        );
    }
    if docs::summary(&row.docs).is_none() {
        d.mild(
            &row.name,
            "an op has a doc comment: it is what its function and its methods show",
            "say what it computes: `/// The cube of every element.`",
        );
    }
}

fn names(row: &Row, others: &[Row], d: &mut Diagnostics) {
    let name = row.graph.value();
    let own = std::env::var("CARGO_PKG_NAME").is_ok_and(|package| package == "extype");
    let letters = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !name.split('>').all(letters) {
        d.severe(
            &row.graph,
            "the graph name of an op has letters, digits and `_` only, after a namespace and `>`",
            format!("write `\"Namespace>{}\"`", row.name),
        );
    } else if !own && !name.contains('>') {
        d.mild(
            &row.graph,
            "the graph name of an op of another crate has a namespace",
            format!("write `\"Namespace>{name}\"`"),
        );
    }
    let help = "rename one of the two";
    if others.iter().any(|r| r.name == row.name) {
        d.severe(&row.name, format!("two rows are named `{}`", row.name), help);
    } else if others.iter().any(|r| r.graph.value() == name) {
        d.severe(&row.graph, format!("two rows have the graph name `{name}`"), help);
    }
    if let Some(call) = &row.call
        && others.iter().filter_map(|r| r.call.as_ref()).any(|c| c.name == call.name)
    {
        d.severe(&call.name, format!("two rows have the function `{}`", call.name), help);
    }
}

fn entries(row: &Row, d: &mut Diagnostics) {
    if let Some(body) = &row.body {
        compound(row, body, d);
    }
    match &row.kernel {
        None if row.body.is_some() => {}
        None => d.severe(
            &row.name,
            format!("the op `{}` has neither `kernel` nor `body`", row.name),
            "write `kernel: Map(&table)`, `kernel: Zip(&table)`, or `kernel: f` for a function \
             `fn(&KernelContext<'_>) -> Result<Outputs>`; or `body: |x| …` for an op of other ops",
        ),
        Some(Expr::Call(call)) => {
            if let Expr::Path(path) = &*call.func
                && let [.., kernel, kind] = &*path.path.segments.iter().collect::<Vec<_>>()
                && kernel.ident == "Kernel"
            {
                d.severe(
                    path,
                    "a row names the kind of its kernel alone",
                    format!("write `{}(…)`", kind.ident),
                );
            }
        }
        Some(_) => {}
    }
    if row.infer.is_none() && row.form == Form::Standalone && row.body.is_none() {
        d.severe(
            &row.name,
            format!("the op `{}` has no `infer`", row.name),
            "write `infer: f` for a function `fn(&InferContext<'_>) -> Result<Types>`",
        );
    }
    if let Some(f) = &row.tensors {
        let help = "leave the entry out: tensors run the op";
        if row.dispatch == Dispatch::None {
            d.severe(f, "an op with `dispatch: none` is called on tensors only", help);
        } else if matches!(row.form, Form::Binary | Form::Reduction) {
            d.severe(f, "what these ops mean for tensors their family says", help);
        }
    }
    let effect = row.effect.to_string();
    if !EFFECTS.contains(&effect.as_str()) {
        let help = match nearest(&effect, EFFECTS) {
            Some(near) => format!("write `{near}`"),
            None => format!("the effects are `{}`", EFFECTS.join("`, `")),
        };
        d.severe(&row.effect, format!("`{effect}` is no effect"), help);
    }
    let operands = row.operands().count();
    if let Some(more) = row.finite_at.get(operands) {
        let count = match operands {
            1 => "one operand".to_owned(),
            n => format!("{n} operands"),
        };
        d.severe(
            more,
            format!("the op has {count}"),
            "write one number for each, `_` where every number will do",
        );
    }
}

/// Refuses entries that a compound can't have: its ops determine them.
fn compound(row: &Row, body: &Expr, d: &mut Diagnostics) {
    let gradient = row.gradient.as_ref().map(|gradient| match gradient {
        Gradient::None => body.to_token_stream(),
        Gradient::Rule(rule) => rule.to_token_stream(),
        Gradient::Closure(closure) => closure.to_token_stream(),
    });
    let tokens = |entry: &Option<Expr>| entry.as_ref().map(ToTokens::to_token_stream);
    let said = [
        ("kernel", tokens(&row.kernel)),
        ("infer", tokens(&row.infer)),
        ("batch", tokens(&row.batch)),
        ("tensors", tokens(&row.tensors)),
        ("forward", tokens(&row.forward)),
        ("gradient", gradient),
        ("effect", (row.effect != "Pure").then(|| row.effect.to_token_stream())),
    ];
    for (entry, tokens) in said {
        let Some(tokens) = tokens else { continue };
        d.severe(
            tokens,
            format!("an op with a body has no `{entry}`"),
            format!("leave out `{entry}`: the ops of the body have theirs"),
        );
    }
    if row.dispatch == Dispatch::None {
        d.severe(body, "an op with a body has operands", "write a function");
    }
    let Expr::Closure(closure) = body else { return };
    let operands = match row.dispatch {
        Dispatch::Operands(n) => n,
        _ => 1,
    };
    if ![operands, operands + 1].contains(&closure.inputs.len()) {
        let names = ["x", "y", "z"].get(..operands).unwrap_or_default().join(", ");
        let (begin, inputs, end) = (&closure.inputs_begin, &closure.inputs, &closure.inputs_end);
        d.severe(
            quote!(#begin #inputs #end),
            "the parameters of a body are the operands, after the op itself if it is named",
            format!("write `|{names}| …` or `|op, {names}| …`"),
        );
    }
}

/// Checks what the ops of a family have in common.
fn family(row: &Row, d: &mut Diagnostics) {
    let (inputs, shape) = match row.form {
        Form::Standalone => return,
        Form::Unary => (1, "one input and one output"),
        Form::Binary => (2, "two inputs and one output"),
        Form::Reduction => (2, "two inputs, of which the second is the axes, and one output"),
    };
    let help = "write the row as `op`";
    if let Some((argument, ..)) = row.statics().next() {
        d.severe(
            &argument.name,
            "an op of a family has its family's operands and nothing else",
            help,
        );
    } else if row.inputs.len() != inputs
        || row.outputs.len() != 1
        || row.inputs.iter().chain(&row.outputs).any(Argument::is_list)
    {
        d.severe(&row.name, format!("an op of this family has {shape}"), help);
    }
    for attr in row.attrs.iter().filter(|a| a.default.is_none()) {
        d.severe(
            &attr.field,
            "an attribute of a family's op has a default: the family makes the op without it",
            format!("write `{}: … = value`", attr.field),
        );
    }
}

/// Every type attribute must be declared and used.
fn types(row: &Row, d: &mut Diagnostics) {
    let mut known: Vec<String> = row.types.iter().map(|(name, _)| name.to_string()).collect();
    known.extend(row.attrs.iter().map(attribute_name));
    let arguments = || row.inputs.iter().chain(&row.outputs);
    let mut unknown: Vec<&Ident> = Vec::new();
    for var in arguments().filter_map(Argument::var) {
        let name = var.to_string();
        if known.contains(&name) || unknown.contains(&var) {
            continue;
        }
        unknown.push(var);
        let help = if variants().contains(&name.as_str()) {
            format!("write `{{{name}}}` for the dtype")
        } else if let Some(near) = nearest(&name, known.iter().map(String::as_str)) {
            format!("write `{near}`")
        } else {
            format!("name its dtypes, `types: {{ {name}: DTypeSet::… }}`")
        };
        d.severe(var, format!("no type attribute is named `{name}`"), help);
    }
    for argument in arguments() {
        if let ArgumentType::One(Dtype::Fixed(dtype)) | ArgumentType::List(Dtype::Fixed(dtype), _) =
            &argument.ty
            && !variants().contains(&dtype.to_string().as_str())
        {
            let name = dtype.to_string();
            let is_meant =
                |known: &&str| known.eq_ignore_ascii_case(&name) || tensorflow_name(known) == name;
            let help = match variants().into_iter().find(is_meant) {
                Some(known) => format!("write `{{{known}}}`"),
                None => format!("the dtypes are `{}`", variants().join("`, `")),
            };
            d.severe(dtype, format!("no dtype is named `{name}`"), help);
        }
    }
    // After a misspelt name the right one counts as unused, but that is one mistake.
    if !unknown.is_empty() {
        return;
    }
    for (name, _) in &row.types {
        let used = arguments().any(|a| match &a.ty {
            ArgumentType::Each(var) => var == name,
            _ => a.var() == Some(name),
        });
        if !used {
            d.severe(name, format!("nothing of the op has the type `{name}`"), "leave it out");
        }
    }
}

/// The rules for attributes.
fn attributes(row: &Row, d: &mut Diagnostics) {
    for attr in &row.attrs {
        let Type::Path(path) = ungroup(&attr.ty) else { continue };
        let Some(name) = path.path.segments.last().map(|s| s.ident.to_string()) else { continue };
        let help = match name.as_str() {
            "i8" | "i16" | "i32" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
            | "usize" => "write `i64`; a parameter may have a type of its own, `n: usize`",
            "f64" => "write `f32`; a parameter may have a type of its own",
            "str" => "write `String`",
            "Tensor" => "make it an input",
            _ => continue,
        };
        d.severe(&attr.ty, format!("`{name}` is no type of an attribute"), help);
    }
}

/// Checks names in the graph, and names of fields.
fn graph_names(row: &Row, d: &mut Diagnostics) {
    let of = |list: &[Argument]| -> Vec<(TokenStream, String)> {
        list.iter().map(|a| (a.name.to_token_stream(), a.name.unraw().to_string())).collect()
    };
    twice("inputs", of(&row.inputs), d);
    twice("outputs", of(&row.outputs), d);
    let attrs = row.attrs.iter().map(|a| {
        let at =
            a.name.as_ref().map_or_else(|| a.field.to_token_stream(), ToTokens::to_token_stream);
        (at, attribute_name(a))
    });
    let types = row.types.iter().map(|(name, _)| (name.to_token_stream(), name.to_string()));
    let lengths = row.lengths().into_iter().map(|n| (n.to_token_stream(), n.to_string()));
    let keep_dims =
        (row.form == Form::Reduction).then(|| (row.name.to_token_stream(), "keep_dims".to_owned()));
    twice("attributes", keep_dims.into_iter().chain(types).chain(lengths).chain(attrs), d);
    let fields = row.attrs.iter().map(|a| &a.field).chain(row.statics().map(|(_, f, _)| f));
    let mut seen: Vec<&Ident> = Vec::new();
    for field in fields {
        if seen.contains(&field) {
            d.severe(
                field,
                format!("two fields are named `{field}`"),
                "rename one: `other as \"name\": …` of an attribute, `name: … as other: …` of an \
                 input",
            );
        }
        seen.push(field);
    }
}

fn twice(
    what: impl Display,
    names: impl IntoIterator<Item = (TokenStream, String)>,
    d: &mut Diagnostics,
) {
    let mut seen: Vec<String> = Vec::new();
    for (at, name) in names {
        if seen.contains(&name) {
            d.severe(at, format!("two {what} are named `{name}`"), "rename one of the two");
        }
        seen.push(name);
    }
}

/// The rules for results of typed calls.
fn results(row: &Row, d: &mut Diagnostics) {
    let known = |n: &Ident| {
        row.attrs.iter().any(|a| *n == attribute_name(a))
            || row.inputs.iter().any(|a| matches!(&a.ty, ArgumentType::List(_, m) if n == m))
    };
    for output in &row.outputs {
        if let ArgumentType::List(_, n) = &output.ty
            && !known(n)
        {
            d.severe(
                n,
                format!("nothing tells how long the list `{}` is", output.name),
                format!("make the length an attribute, `attrs: {{ {n}: i64 }}`"),
            );
        }
    }
    if row.dispatch == Dispatch::None {
        return;
    }
    let (at, text) = match &row.outputs[..] {
        [_] => return,
        outputs => match (outputs.iter().find(|a| a.is_list()), outputs.get(3)) {
            (Some(list), _) => (list, "types can't override an op that gives a list and more"),
            (None, Some(fourth)) => {
                (fourth, "types can't override an op that gives more than three tensors")
            }
            (None, None) => return,
        },
    };
    d.severe(&at.name, text, "write `dispatch: none`");
}

fn gradient(row: &Row, d: &mut Diagnostics) {
    if let (Some(Gradient::None), Some(forward)) = (&row.gradient, &row.forward) {
        let text = "tapes run nothing in place of an op that no gradient passes";
        d.severe(forward, text, "leave out `forward`, or give a rule");
    }
    let closure = match &row.gradient {
        Some(Gradient::Closure(closure)) => closure,
        Some(Gradient::Rule(rule)) => {
            if let Expr::Path(path) = &**rule
                && path.path.is_ident("None")
            {
                d.severe(path, "this is no gradient", "write `none` if no gradient passes");
            }
            return;
        }
        _ => return,
    };
    let (want, shape) = match row.form {
        Form::Unary => (2, "`|g, dy| gradient`"),
        Form::Binary => (4, "`|g, x, y, dy| (gradient of x, gradient of y)`"),
        _ => (1, "`|g| Ok(gradients)`"),
    };
    if closure.inputs.len() != want {
        let (begin, inputs, end) = (&closure.inputs_begin, &closure.inputs, &closure.inputs_end);
        d.severe(
            quote!(#begin #inputs #end),
            format!("a gradient written in a row of this form is {shape}"),
            "name a function for another one, `fn(&Gradient<'_>) -> Result<…>`",
        );
    }
    if let ReturnType::Type(_, ty) = &closure.output {
        d.severe(ty, "the result of a gradient written in a row is known", "leave the type out");
    }
}

/// The rules for names and uses of parameters.
fn parameters(row: &Row, call: &Function, d: &mut Diagnostics) {
    let mut seen: Vec<&Ident> = Vec::new();
    for name in call.operands.names().iter().chain(call.parameters.iter().map(|p| &p.name)) {
        if seen.contains(&name) {
            d.severe(name, format!("two parameters are named `{name}`"), "rename one of the two");
        }
        seen.push(name);
    }
    let fields = row.fields();
    let (made, explicit) = match &call.made {
        Made::Whole(expr) => (expr.to_token_stream(), None),
        Made::Fields(list) => {
            let values = list.iter().map(|(_, value)| value);
            (quote!(#(#values)*), Some(list))
        }
    };
    for parameter in &call.parameters {
        let name = &parameter.name;
        let is_field = explicit.is_some_and(|list| {
            fields.contains(&name.to_string()) && !list.iter().any(|(field, _)| field == name)
        });
        if !is_field && !mentions(made.clone(), name) {
            d.severe(
                name,
                format!("the parameter `{name}` is not used"),
                "name it as a field of the op is named, or use it behind `=>`",
            );
        }
    }
}

/// The rules for values of fields.
fn values(row: &Row, call: &Function, d: &mut Diagnostics) {
    let Made::Fields(explicit) = &call.made else { return };
    let fields = row.fields();
    let mut seen: Vec<&Ident> = Vec::new();
    let mut unknown = false;
    for (name, _) in explicit {
        if !fields.contains(&name.to_string()) {
            unknown = true;
            let help = match nearest(&name.to_string(), fields.iter().map(String::as_str)) {
                Some(near) => format!("write `{near}`"),
                None => "leave it out".to_owned(),
            };
            d.severe(name, format!("the op has no field `{name}`"), help);
        } else if seen.contains(&name) {
            d.severe(name, format!("the field `{name}` has two values"), "leave one of them out");
        }
        seen.push(name);
    }
    // After a misspelt field the right one has no value, but that is one mistake.
    if unknown {
        return;
    }
    let given =
        |name: &Ident| seen.contains(&name) || call.parameters.iter().any(|p| p.name == *name);
    let attrs = row.attrs.iter().filter(|a| a.default.is_none()).map(|a| &a.field);
    for field in attrs.chain(row.statics().map(|(_, f, _)| f)).filter(|f| !given(f)) {
        d.severe(
            &call.name,
            format!("the field `{field}` has no value"),
            format!("name it after a `;`, `{}(…; {field})`, or behind `=>`", call.name),
        );
    }
}

fn method(row: &Row, call: &Function, model: &Model, d: &mut Diagnostics) {
    if !call.method {
        return;
    }
    if row.dispatch == Dispatch::Sequence {
        d.severe(&call.name, "an op on a sequence is no method", "leave `method` out");
    } else if model.methods.is_none() {
        d.severe(
            &call.name,
            "the trait of the methods has no name",
            "write `methods of Trait;` before the rows",
        );
    }
    let first = model.rows.iter().find(|r| r.call.as_ref().is_some_and(|c| c.method));
    if let Some(first) = first
        && first.vis.to_token_stream().to_string() != row.vis.to_token_stream().to_string()
    {
        d.severe(
            &row.name,
            "the methods of one trait, and their ops, have one visibility",
            format!("declare the op as `{}` is, or in a `define_op!` of its own", first.name),
        );
    }
}
