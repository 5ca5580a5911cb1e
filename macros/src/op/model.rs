//! What rows mean.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{Attribute, Expr, LitStr, Type, Visibility, parse_quote};

use super::parse::{
    self, Argument, ArgumentType, AttributeRow, Call, Dtype, Gradient, Made, Methods, Operands,
    Table, Value,
};
use crate::shared::suggest::nearest;
use crate::shared::{Base, Diagnostics};

pub(super) struct Model {
    pub base: Base,
    pub methods: Option<Methods>,
    pub rows: Vec<Row>,
}

pub(super) struct Row {
    pub docs: Vec<Attribute>,
    pub vis: Visibility,
    pub form: Form,
    /// What users call the op: `Tanh`.
    pub name: Ident,
    /// The struct that holds the attributes: the op itself, or what its family wraps.
    pub holder: Ident,
    pub graph: LitStr,
    pub inputs: Vec<Argument>,
    pub outputs: Vec<Argument>,
    pub types: Vec<(Ident, Expr)>,
    pub attrs: Vec<AttributeRow>,
    pub effect: Ident,
    pub dispatch: Dispatch,
    pub infer: Option<Expr>,
    pub kernel: Option<Expr>,
    pub gradient: Option<Gradient>,
    pub call: Option<Function>,
    pub finite_at: Vec<Option<Expr>>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Standalone,
    Unary,
    Binary,
    Reduction,
}

/// How the operands stand in the `Apply…` traits.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Dispatch {
    /// So many operands.
    Operands(usize),
    Sequence,
    /// Called on tensors only.
    None,
}

/// The free function, and the method if there is one.
pub(super) struct Function {
    pub name: Ident,
    pub method: bool,
    pub operands: Operands,
    pub parameters: Vec<Parameter>,
    pub made: Made,
}

pub(super) struct Parameter {
    pub name: Ident,
    pub ty: Type,
    pub value: Expr,
}

impl Row {
    /// Inputs that are no operands.
    pub(super) fn statics(&self) -> impl Iterator<Item = (&Argument, &Ident, &Type)> {
        self.inputs.iter().filter_map(|a| a.field.as_ref().map(|(field, ty)| (a, field, ty)))
    }

    /// The lengths of lists, each once.
    pub(super) fn lengths(&self) -> Vec<&Ident> {
        let mut lengths: Vec<&Ident> = Vec::new();
        for argument in self.inputs.iter().chain(&self.outputs) {
            if let ArgumentType::List(_, n) = &argument.ty
                && !lengths.contains(&n)
                && !self.attrs.iter().any(|a| *n == attribute_name(a))
            {
                lengths.push(n);
            }
        }
        lengths
    }
}

/// The name of an attribute in the graph.
pub(super) fn attribute_name(a: &AttributeRow) -> String {
    a.name.as_ref().map_or_else(|| a.field.to_string(), LitStr::value)
}

pub(super) fn of(table: Table, d: &mut Diagnostics) -> Model {
    let base = Base::given(table.base);
    let rows = table.rows.into_iter().filter_map(|r| row(r, &base, d)).collect();
    Model { base, methods: table.methods, rows }
}

fn row(row: parse::Row, base: &Base, d: &mut Diagnostics) -> Option<Row> {
    let form = match row.form.to_string().as_str() {
        "op" => Form::Standalone,
        "unary" => Form::Unary,
        "binary" => Form::Binary,
        "reduction" => Form::Reduction,
        other => {
            let near = nearest(other, ["op", "unary", "binary", "reduction"]);
            let near = near.unwrap_or("op");
            d.severe(
                &row.form,
                format!("`{other}` is no form of a row"),
                format!("write `{near}`; the forms are `op`, `unary`, `binary`, `reduction`"),
            );
            return None;
        }
    };
    let holder = match form {
        Form::Standalone => row.name.clone(),
        _ => format_ident!("{}Fn", row.name),
    };
    let mut model = Row {
        docs: row.docs,
        vis: row.vis,
        form,
        holder,
        graph: row.graph,
        inputs: inputs(form),
        outputs: outputs(form),
        types: Vec::new(),
        attrs: Vec::new(),
        effect: Ident::new("Pure", Span::mixed_site()),
        dispatch: Dispatch::None,
        infer: None,
        kernel: None,
        gradient: None,
        call: None,
        finite_at: Vec::new(),
        name: row.name,
    };
    let mut call = None;
    let mut dispatch = None;
    let mut seen: Vec<Ident> = Vec::new();
    for field in row.fields {
        if seen.contains(&field.key) {
            d.severe(&field.key, format!("`{}` stands twice", field.key), "keep one of the two");
        }
        match field.value {
            Value::Arguments(list) if field.key == "inputs" => model.inputs = list,
            Value::Arguments(list) => model.outputs = list,
            Value::Types(list) => model.types = list,
            Value::Attributes(list) => model.attrs = list,
            Value::Ident(ident) if field.key == "effect" => model.effect = ident,
            Value::Ident(ident) => dispatch = Some(ident),
            Value::Expr(expr) if field.key == "infer" => model.infer = Some(*expr),
            Value::Expr(expr) => model.kernel = Some(*expr),
            Value::Gradient(gradient) => model.gradient = Some(gradient),
            Value::Call(c) => call = Some(*c),
            Value::FiniteAt(points) => model.finite_at = points,
        }
        seen.push(field.key);
    }
    if form == Form::Reduction && !model.types.iter().any(|(name, _)| name == "Tidx") {
        let index = parse_quote!(#base::types::DTypeSet::INDEX);
        model.types.push((Ident::new("Tidx", Span::mixed_site()), index));
    }
    model.dispatch = operands_of(&model, dispatch.as_ref(), d);
    model.call = call.and_then(|c| function(&model, c, base, d));
    Some(model)
}

fn argument(name: &str, dtype: &str) -> Argument {
    let site = Span::mixed_site();
    Argument {
        name: Ident::new(name, site),
        ty: ArgumentType::One(Dtype::Var(Ident::new(dtype, site))),
        field: None,
    }
}

/// The inputs of a row that names none: those of its family.
fn inputs(form: Form) -> Vec<Argument> {
    match form {
        Form::Standalone => Vec::new(),
        Form::Unary => vec![argument("x", "T")],
        Form::Binary => vec![argument("x", "T"), argument("y", "T")],
        Form::Reduction => vec![argument("input", "T"), argument("reduction_indices", "Tidx")],
    }
}

fn outputs(form: Form) -> Vec<Argument> {
    match form {
        Form::Standalone => Vec::new(),
        Form::Unary => vec![argument("y", "T")],
        Form::Binary => vec![argument("z", "T")],
        Form::Reduction => vec![argument("output", "T")],
    }
}

fn operands_of(row: &Row, asked: Option<&Ident>, d: &mut Diagnostics) -> Dispatch {
    match row.form {
        Form::Unary | Form::Reduction => return Dispatch::Operands(1),
        Form::Binary => return Dispatch::Operands(2),
        Form::Standalone => {}
    }
    if let Some(asked) = asked {
        if asked != "none" {
            d.severe(asked, "only `dispatch: none` can be said", "leave the entry out");
        }
        return Dispatch::None;
    }
    let operands: Vec<&Argument> = row.inputs.iter().filter(|a| a.field.is_none()).collect();
    let is_list = |a: &&Argument| !matches!(a.ty, ArgumentType::One(_));
    match operands.len() {
        1 if operands.iter().all(|a| is_list(&a)) => Dispatch::Sequence,
        n @ 1..=3 if !operands.iter().any(is_list_of) => Dispatch::Operands(n),
        _ => {
            d.severe(
                &row.name,
                "types can't override an op with more than three operands, or none",
                "write `dispatch: none`, or make inputs that are plain data `name: T as Type`",
            );
            Dispatch::None
        }
    }
}

fn is_list_of(a: &&Argument) -> bool {
    !matches!(a.ty, ArgumentType::One(_))
}

fn function(row: &Row, call: Call, base: &Base, d: &mut Diagnostics) -> Option<Function> {
    let ident = |name: &str| Ident::new(name, call.name.span());
    let (operands, others) = match call.parameters {
        Some(p) => (p.operands, p.others),
        None => match row.form {
            Form::Unary => (Operands::Each(vec![ident("x")]), Vec::new()),
            Form::Binary => (Operands::Each(vec![ident("x"), ident("y")]), Vec::new()),
            Form::Reduction => {
                let others = vec![(ident("axes"), None), (ident("keep_dims"), None)];
                (Operands::Each(vec![ident("x")]), others)
            }
            Form::Standalone => {
                d.severe(
                    &call.name,
                    "the operands are missing",
                    format!("write `{}(x; …)`", call.name),
                );
                return None;
            }
        },
    };
    let wanted = match (row.dispatch, &operands) {
        (Dispatch::Operands(n), Operands::Each(names)) => n == names.len(),
        (Dispatch::Sequence, Operands::Sequence(_)) => true,
        _ => false,
    };
    if !wanted {
        let what = match row.dispatch {
            Dispatch::Operands(n) => format!("the op has {n} operands: name each before the `;`"),
            Dispatch::Sequence => "the op takes a sequence: write `[values]`".to_owned(),
            Dispatch::None => "an op with `dispatch: none` is called through a function of yours: \
                               leave `call` out"
                .to_owned(),
        };
        d.severe(&call.name, "these are not the operands of the op", what);
        return None;
    }
    let mut parameters = Vec::new();
    for (name, ty) in others {
        parameters.push(parameter(row, name, ty, base, d)?);
    }
    Some(Function { name: call.name, method: call.method, operands, parameters, made: call.made })
}

/// A parameter, with its type from the field of its name, and the field's value from it.
fn parameter(
    row: &Row,
    name: Ident,
    ty: Option<Type>,
    base: &Base,
    d: &mut Diagnostics,
) -> Option<Parameter> {
    let into: Expr = parse_quote!(::core::convert::Into::into(#name));
    if let Some(ty) = ty {
        let is_into = matches!(&ty, Type::ImplTrait(t) if quote::quote!(#t).to_string().starts_with("impl Into"));
        let value = if is_into { into } else { parse_quote!(#name) };
        return Some(Parameter { name, ty, value });
    }
    if row.form == Form::Reduction && name == "axes" {
        let ty = parse_quote!(impl ::core::convert::Into<#base::ops::Axes>);
        return Some(Parameter { ty, value: into, name });
    }
    if row.form == Form::Reduction && name == "keep_dims" {
        let value = parse_quote!(#base::ops::KeepDimsArg::keep_dims(#name));
        return Some(Parameter { ty: parse_quote!(impl #base::ops::KeepDimsArg), value, name });
    }
    if let Some((_, _, ty)) = row.statics().find(|(_, field, _)| **field == name) {
        let ty = parse_quote!(impl ::core::convert::Into<#ty>);
        return Some(Parameter { ty, value: into, name });
    }
    if let Some(attr) = row.attrs.iter().find(|a| a.field == name) {
        let value = parse_quote!(#name);
        return Some(Parameter { ty: attr.ty.clone(), value, name });
    }
    let fields: Vec<String> = row
        .statics()
        .map(|(_, field, _)| field.to_string())
        .chain(row.attrs.iter().map(|a| a.field.to_string()))
        .collect();
    let near = nearest(&name.to_string(), fields.iter().map(String::as_str));
    let help = match near {
        Some(near) => format!("write `{near}`"),
        None => {
            format!("give it a type, `{name}: …`, and the field that it makes a value after `=>`")
        }
    };
    d.severe(&name, format!("the op has no field `{name}`"), help);
    None
}
