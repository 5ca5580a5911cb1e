//! What rows mean.

use proc_macro2::{Ident, Span};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{
    Attribute, Expr, LitStr, Type, TypeParamBound, Visibility, parse_quote, parse_quote_spanned,
};

use super::parse::{
    self, Argument, ArgumentType, AttributeEntry, AttributeList, AttributeRow, Call, Dtype,
    Gradient, Made, Methods, Operands, Value,
};
use crate::shared::suggest::nearest;
use crate::shared::types::ungroup;
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
    /// The name that users see: `Tanh`.
    pub name: Ident,
    /// The struct of the attributes: the op itself, or the struct that its family wraps.
    pub holder: Ident,
    pub graph: LitStr,
    pub inputs: Vec<Argument>,
    pub outputs: Vec<Argument>,
    pub types: Vec<(Ident, Expr)>,
    pub attrs: Vec<AttributeRow>,
    pub effect: Ident,
    pub dispatch: Dispatch,
    pub tensors: Option<Expr>,
    pub infer: Option<Expr>,
    pub kernel: Option<Expr>,
    /// The body of a compound: a function, or a closure over its operands.
    pub body: Option<Expr>,
    pub gradient: Option<Gradient>,
    pub forward: Option<Expr>,
    pub batch: Option<Expr>,
    pub call: Option<Function>,
    pub finite_at: Vec<Expr>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Standalone,
    Unary,
    Binary,
    Reduction,
}

/// How the operands appear in the `Apply…` traits.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Dispatch {
    /// A fixed number of operands.
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
    /// True for an input that is plain data instead of an operand. The second input of a reduction, its axes, is such
    /// data too: it is a field of the family.
    pub(super) fn is_static(&self, input: usize) -> bool {
        self.inputs.get(input).is_some_and(|a| a.field.is_some())
            || self.form == Form::Reduction && input == 1
    }

    /// The function that users call. If the row has none, it is written by hand with the type's name in snake case.
    pub(super) fn called(&self) -> String {
        if let Some(call) = &self.call {
            return call.name.unraw().to_string();
        }
        let mut snake = String::new();
        for c in self.name.to_string().chars() {
            if c.is_ascii_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
        }
        snake
    }

    /// Inputs that are operands.
    pub(super) fn operands(&self) -> impl Iterator<Item = &Argument> {
        self.inputs.iter().enumerate().filter(|(i, _)| !self.is_static(*i)).map(|(_, a)| a)
    }

    /// Inputs that are fields of the struct.
    pub(super) fn statics(&self) -> impl Iterator<Item = (&Argument, &Ident, &Type)> {
        self.inputs.iter().filter_map(|a| a.field.as_ref().map(|(field, ty)| (a, field, ty)))
    }

    /// Everything that a call sets: the fields of the struct, and those that the family adds.
    pub(super) fn fields(&self) -> Vec<String> {
        let own = self.attrs.iter().map(|a| &a.field).chain(self.statics().map(|(_, f, _)| f));
        let family: &[&str] =
            if self.form == Form::Reduction { &["axes", "keep_dims"] } else { &[] };
        own.map(Ident::to_string).chain(family.iter().map(ToString::to_string)).collect()
    }

    /// The length attributes of lists, each once.
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

impl Argument {
    /// True if it stands for any number of tensors.
    pub(super) fn is_list(&self) -> bool {
        !matches!(self.ty, ArgumentType::One(_))
    }

    /// The type attribute for its dtype.
    pub(super) fn var(&self) -> Option<&Ident> {
        match &self.ty {
            ArgumentType::One(Dtype::Var(var)) | ArgumentType::List(Dtype::Var(var), _) => {
                Some(var)
            }
            _ => None,
        }
    }
}

impl Operands {
    pub(super) fn names(&self) -> &[Ident] {
        match self {
            Operands::Each(names) => names,
            Operands::Sequence(name) => std::slice::from_ref(name),
        }
    }
}

/// The name of an attribute in the graph.
pub(super) fn attribute_name(a: &AttributeRow) -> String {
    a.name.as_ref().map_or_else(|| a.field.unraw().to_string(), LitStr::value)
}

pub(super) fn row(
    row: parse::Row,
    lists: &[AttributeList],
    base: &Base,
    d: &mut Diagnostics,
) -> Option<Row> {
    let fields = d.ok_or_report(row.fields)?;
    let form = match row.form.to_string().as_str() {
        "op" => Form::Standalone,
        "unary" => Form::Unary,
        "binary" => Form::Binary,
        "reduction" => Form::Reduction,
        other => {
            let help = match nearest(other, ["op", "unary", "binary", "reduction"]) {
                Some(near) => format!("write `{near}`"),
                None => "the forms are `op`, `unary`, `binary`, `reduction`".to_owned(),
            };
            d.severe(&row.form, format!("`{other}` is no form of a row"), help);
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
        inputs: inputs(form, row.name.span()),
        outputs: outputs(form, row.name.span()),
        types: Vec::new(),
        attrs: Vec::new(),
        effect: Ident::new("Pure", Span::mixed_site()),
        dispatch: Dispatch::None,
        tensors: None,
        infer: None,
        kernel: None,
        body: None,
        gradient: None,
        forward: None,
        batch: None,
        call: None,
        finite_at: Vec::new(),
        name: row.name,
    };
    let mut call = None;
    let mut dispatch = None;
    let mut seen: Vec<Ident> = Vec::new();
    for field in fields {
        if seen.contains(&field.key) {
            d.severe(&field.key, format!("`{}` stands twice", field.key), "keep one of the two");
        }
        match field.value {
            Value::Inputs(list) => model.inputs = list,
            Value::Outputs(list) => model.outputs = list,
            Value::Types(list) => model.types = list,
            Value::Attributes(list) => model.attrs = attributes(list, lists, d)?,
            Value::Effect(ident) => model.effect = ident,
            Value::Dispatch(ident) => dispatch = Some(ident),
            Value::Tensors(expr) => model.tensors = Some(expr),
            Value::Infer(expr) => model.infer = Some(expr),
            Value::Kernel(expr) => model.kernel = Some(expr),
            Value::Body(expr) => model.body = Some(expr),
            Value::Gradient(gradient) => model.gradient = Some(gradient),
            Value::Forward(expr) => model.forward = Some(expr),
            Value::Batch(expr) => model.batch = Some(expr),
            Value::Call(c) => call = Some(*c),
            Value::FiniteAt(points) => model.finite_at = points,
        }
        seen.push(field.key);
    }
    let is_index = |name: &Ident| name == "Tidx";
    if form == Form::Reduction
        && model.inputs.iter().filter_map(Argument::var).any(is_index)
        && !model.types.iter().any(|(name, _)| is_index(name))
    {
        let index = parse_quote!(#base::types::DTypeSet::INDEX);
        model.types.push((Ident::new("Tidx", Span::mixed_site()), index));
    }
    model.dispatch = operands_of(&model, dispatch.as_ref(), d)?;
    if let Some(call) = call {
        model.call = Some(function(&model, call, base, d)?);
    }
    Some(model)
}

/// The attributes of a row, with those of the lists that it names.
fn attributes(
    entries: Vec<AttributeEntry>,
    lists: &[AttributeList],
    d: &mut Diagnostics,
) -> Option<Vec<AttributeRow>> {
    let mut all = Vec::new();
    for entry in entries {
        match entry {
            AttributeEntry::Own(row) => all.push(*row),
            AttributeEntry::Shared(list) => match lists.iter().find(|known| known.name == list) {
                Some(known) => all.extend(known.attrs.iter().cloned()),
                None => {
                    let text = format!("no list of attributes is named `{list}`");
                    let names: Vec<String> = lists.iter().map(|l| l.name.to_string()).collect();
                    let help = match nearest(&list.to_string(), names.iter().map(String::as_str)) {
                        Some(near) => format!("write `..{near}`"),
                        None => format!(
                            "write `attrs {list} {{ name: Type = default, … }}` before the rows"
                        ),
                    };
                    d.severe(&list, text, help);
                    return None;
                }
            },
        }
    }
    Some(all)
}

/// An argument that the row does not name. Errors about it point at the row.
fn argument(name: &str, dtype: &str, row: Span) -> Argument {
    let ty = ArgumentType::One(Dtype::Var(Ident::new(dtype, row)));
    Argument { name: Ident::new(name, row), ty, field: None }
}

/// The inputs of a row that lists none: those of its family.
fn inputs(form: Form, row: Span) -> Vec<Argument> {
    let argument = |name, dtype| argument(name, dtype, row);
    match form {
        Form::Standalone => Vec::new(),
        Form::Unary => vec![argument("x", "T")],
        Form::Binary => vec![argument("x", "T"), argument("y", "T")],
        Form::Reduction => vec![argument("input", "T"), argument("reduction_indices", "Tidx")],
    }
}

fn outputs(form: Form, row: Span) -> Vec<Argument> {
    match form {
        Form::Standalone => Vec::new(),
        Form::Unary => vec![argument("y", "T", row)],
        Form::Binary => vec![argument("z", "T", row)],
        Form::Reduction => vec![argument("output", "T", row)],
    }
}

fn operands_of(row: &Row, asked: Option<&Ident>, d: &mut Diagnostics) -> Option<Dispatch> {
    if let Some(asked) = asked {
        if asked != "none" {
            d.severe(asked, "only `dispatch: none` can be said", "leave the entry out");
        } else if row.form != Form::Standalone {
            d.severe(asked, "types override a family with all its ops", "leave the entry out");
        } else {
            return Some(Dispatch::None);
        }
        return None;
    }
    match row.form {
        Form::Unary | Form::Reduction => return Some(Dispatch::Operands(1)),
        Form::Binary => return Some(Dispatch::Operands(2)),
        Form::Standalone => {}
    }
    let operands: Vec<&Argument> = row.operands().collect();
    let (at, text) = match &operands[..] {
        [list] if list.is_list() => return Some(Dispatch::Sequence),
        [] => (&row.name, "types can't override an op without operands"),
        operands => match operands.iter().find(|a| a.is_list()) {
            Some(list) => (&list.name, "types can't override an op of a list and other operands"),
            None if operands.len() <= 3 => return Some(Dispatch::Operands(operands.len())),
            None => (&row.name, "types can't override an op of more than three operands"),
        },
    };
    d.severe(at, text, "write `dispatch: none`, or make inputs plain data, `name: T as Type`");
    None
}

fn function(row: &Row, call: Call, base: &Base, d: &mut Diagnostics) -> Option<Function> {
    let ident = |name: &str| Ident::new(name, call.name.span());
    if row.dispatch == Dispatch::None {
        let help = "leave `call` out, and write the function";
        d.severe(&call.name, "an op with `dispatch: none` has no function made for it", help);
        return None;
    }
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
                let help = format!("write `{}`", example(row, &call.name, &[]));
                d.severe(&call.name, "the operands are missing", help);
                return None;
            }
        },
    };
    let text = match (row.dispatch, &operands) {
        (Dispatch::Operands(n), Operands::Each(names)) if n == names.len() => None,
        (Dispatch::Sequence, Operands::Sequence(_)) => None,
        (Dispatch::Sequence, _) => Some("the operands of the op are a sequence".to_owned()),
        (Dispatch::Operands(1), _) => Some("the op has one operand".to_owned()),
        (Dispatch::Operands(n), _) => Some(format!("the op has {n} operands")),
        (Dispatch::None, _) => None,
    };
    if let Some(text) = text {
        let names = operands.names();
        let name = &call.name;
        let at = if names.is_empty() { quote!(#name) } else { quote!(#(#names)*) };
        d.severe(at, text, format!("write `{}`", example(row, &call.name, &others)));
        return None;
    }
    let count = others.len();
    let parameters: Vec<Parameter> =
        others.into_iter().filter_map(|(name, ty)| parameter(row, name, ty, base, d)).collect();
    (parameters.len() == count).then_some(Function {
        name: call.name,
        method: call.method,
        operands,
        parameters,
        made: call.made,
    })
}

/// An example of a valid call of the op.
fn example(row: &Row, name: &Ident, others: &[(Ident, Option<Type>)]) -> String {
    let operands: Vec<String> = match row.form {
        Form::Reduction => vec!["x".to_owned()],
        _ => row.operands().map(|a| a.name.to_string()).collect(),
    };
    let operands = match row.dispatch {
        Dispatch::Sequence => format!("[{}]", operands.join(", ")),
        _ => operands.join(", "),
    };
    let given: Vec<String> = others.iter().map(|(name, _)| name.to_string()).collect();
    let others = if given.is_empty() {
        let no_default = row.attrs.iter().filter(|a| a.default.is_none()).map(|a| &a.field);
        no_default.chain(row.statics().map(|(_, f, _)| f)).map(Ident::to_string).collect()
    } else {
        given
    };
    match others.is_empty() {
        true => format!("{name}({operands})"),
        false => format!("{name}({operands}; {})", others.join(", ")),
    }
}

/// A parameter with its type, by default that of the field with its name, and the value that it gives the field.
fn parameter(
    row: &Row,
    name: Ident,
    ty: Option<Type>,
    base: &Base,
    d: &mut Diagnostics,
) -> Option<Parameter> {
    let into: Expr = parse_quote!(::core::convert::Into::into(#name));
    let as_it_is: Expr = parse_quote!(#name);
    let (ty, value) = if let Some(ty) = ty {
        let value = if is_into(&ty) { into } else { as_it_is };
        (ty, value)
    } else if row.form == Form::Reduction && name == "axes" {
        (parse_quote_spanned!(name.span()=> impl #base::ops::AxesLike), into)
    } else if row.form == Form::Reduction && name == "keep_dims" {
        let value = parse_quote!(#base::ops::KeepDimsArg::keep_dims(#name));
        (parse_quote_spanned!(name.span()=> impl #base::ops::KeepDimsArg), value)
    } else if let Some((.., ty)) = row.statics().find(|(_, field, _)| **field == name) {
        (converted(ty, &name, base), into)
    } else if let Some(attr) = row.attrs.iter().find(|a| a.field == name) {
        (attr.ty.clone(), as_it_is)
    } else {
        let fields = row.fields();
        let help = match nearest(&name.to_string(), fields.iter().map(String::as_str)) {
            Some(near) => format!("write `{near}`"),
            None => format!(
                "give it a type, `{name}: …`, and a field its value, `=> {{ field: {name} }}`"
            ),
        };
        d.severe(&name, format!("the op has no field `{name}`"), help);
        return None;
    };
    Some(Parameter { name, ty, value })
}

/// Arguments with named conversion traits in `ops`, which have messages of their own.
const LIKE: &[&str] = &["Axis", "Integer", "Integers", "Pairs", "Sizes"];

/// A bound for anything that converts to the type, with the parameter's span.
fn converted(ty: &Type, name: &Ident, base: &Base) -> Type {
    let at = name.span();
    match ty {
        Type::Path(path) if LIKE.iter().any(|like| path.path.is_ident(like)) => {
            let like = path.path.get_ident().map(|ident| format_ident!("{ident}Like", span = at));
            parse_quote_spanned!(at=> impl #base::ops::#like)
        }
        _ => parse_quote_spanned!(at=> impl ::core::convert::Into<#ty>),
    }
}

/// True for `impl Into<…>`, by any path.
fn is_into(ty: &Type) -> bool {
    let Type::ImplTrait(ty) = ungroup(ty) else { return false };
    ty.bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|s| s.ident == "Into")
        }
        _ => false,
    })
}
