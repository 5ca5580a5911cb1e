//! The syntax of rows.

use std::fmt::Display;

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprClosure, LitStr, Path, Result, Token, Type, Visibility, braced,
    bracketed, parenthesized, token,
};

use crate::shared::suggest::nearest;

/// The entries of a row.
const KEYS: [&str; 15] = [
    "inputs",
    "outputs",
    "types",
    "attrs",
    "call",
    "tensors",
    "infer",
    "kernel",
    "body",
    "gradient",
    "forward",
    "batch",
    "effect",
    "dispatch",
    "finite_at",
];

/// `crate = ::path; methods of Trait; attrs Name { … } rows`
pub(super) struct Table {
    pub base: Option<Path>,
    pub methods: Option<Methods>,
    pub lists: Vec<AttributeList>,
    pub rows: Vec<Row>,
}

/// `attrs Name { name: Type = default, … }`: attributes that rows share.
pub(super) struct AttributeList {
    /// What stands before it, which it does not take.
    pub docs: Vec<Attribute>,
    pub name: Ident,
    pub attrs: Vec<AttributeRow>,
    /// It stands behind a row.
    pub is_late: bool,
}

/// The trait that the rows with methods share.
pub(super) struct Methods {
    pub docs: Vec<Attribute>,
    pub name: Ident,
}

/// `pub unary Tanh = "Tanh" { key: value, … }`
pub(super) struct Row {
    pub docs: Vec<Attribute>,
    pub vis: Visibility,
    pub form: Ident,
    pub name: Ident,
    pub graph: LitStr,
    /// The entries in the braces, or the place where they can't be parsed.
    pub fields: Result<Vec<Field>>,
}

pub(super) struct Field {
    pub key: Ident,
    pub value: Value,
}

pub(super) enum Value {
    Inputs(Vec<Argument>),
    Outputs(Vec<Argument>),
    Types(Vec<(Ident, Expr)>),
    Attributes(Vec<AttributeEntry>),
    Effect(Ident),
    Dispatch(Ident),
    Tensors(Expr),
    Infer(Expr),
    Kernel(Expr),
    Body(Expr),
    Gradient(Gradient),
    Forward(Expr),
    Batch(Expr),
    Call(Box<Call>),
    FiniteAt(Vec<Expr>),
}

/// `x: T`, `values: [T; N]`, `dim: Tdim as axis: Axis`
pub(super) struct Argument {
    pub name: Ident,
    pub ty: ArgumentType,
    /// The field and its type, if the input is plain data.
    pub field: Option<(Ident, Type)>,
}

pub(super) enum ArgumentType {
    /// `T`
    One(Dtype),
    /// `[T; N]`, with the attribute for the length.
    List(Dtype, Ident),
    /// `(T)`: a list of any dtypes.
    Each(Ident),
}

pub(super) enum Dtype {
    /// A type attribute.
    Var(Ident),
    /// `{Bool}`
    Fixed(Ident),
}

/// `name: Type = default`, or `..List`
pub(super) enum AttributeEntry {
    Own(Box<AttributeRow>),
    Shared(Ident),
}

/// `dst as "DstT": DType = DType::F32`
#[derive(Clone)]
pub(super) struct AttributeRow {
    pub field: Ident,
    pub name: Option<LitStr>,
    pub ty: Type,
    pub default: Option<Expr>,
}

pub(super) enum Gradient {
    /// `none`: no gradient passes.
    None,
    /// A function, or a closure with the parameters of the row's form.
    Rule(Box<Expr>),
    Closure(Box<ExprClosure>),
}

/// `method cumsum(x; axis, exclusive, reverse) => { field: value }`
pub(super) struct Call {
    pub method: bool,
    pub name: Ident,
    pub parameters: Option<Parameters>,
    pub made: Made,
}

/// The part after `=>`.
pub(super) enum Made {
    /// Fields with values of their own; the others are parameters or defaults.
    Fields(Vec<(Ident, Expr)>),
    /// The op.
    Whole(Box<Expr>),
}

pub(super) struct Parameters {
    pub operands: Operands,
    pub others: Vec<(Ident, Option<Type>)>,
}

pub(super) enum Operands {
    Each(Vec<Ident>),
    Sequence(Ident),
}

impl Parse for Table {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut table = Table { base: None, methods: None, lists: Vec::new(), rows: Vec::new() };
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            table.base = Some(input.parse()?);
            input.parse::<Token![;]>()?;
        }
        while !input.is_empty() {
            let docs = input.call(Attribute::parse_outer)?;
            if is_list(input) {
                input.parse::<Ident>()?;
                let (name, attrs) = (input.parse()?, list(input)?);
                let is_late = !table.rows.is_empty();
                table.lists.push(AttributeList { docs, name, attrs, is_late });
            } else if input.peek(syn::Ident) && input.peek2(syn::Ident) && is_methods(input)? {
                let word: Ident = input.parse()?;
                if table.methods.is_some() || !table.rows.is_empty() {
                    return Err(wrong(
                        &word,
                        "the trait of the methods is named once, before the rows",
                        "methods of another subject stand in a `define_op!` of their own",
                    ));
                }
                input.parse::<Ident>()?;
                table.methods = Some(Methods { docs, name: input.parse()? });
                input.parse::<Token![;]>()?;
            } else {
                table.rows.push(row(docs, input)?);
            }
        }
        Ok(table)
    }
}

/// What is wrong, and what to write instead.
fn wrong(at: &Ident, text: impl Display, help: impl Display) -> Error {
    Error::new(at.span(), format!("{text}\nhelp: {help}"))
}

/// True before `methods of`.
fn is_methods(input: ParseStream<'_>) -> Result<bool> {
    let ahead = input.fork();
    let (first, second): (Ident, Ident) = (ahead.parse()?, ahead.parse()?);
    Ok(first == "methods" && second == "of")
}

/// True before `attrs Name {`.
fn is_list(input: ParseStream<'_>) -> bool {
    let word = input.fork().parse::<Ident>();
    word.is_ok_and(|word| word == "attrs") && input.peek2(syn::Ident) && input.peek3(token::Brace)
}

fn row(docs: Vec<Attribute>, input: ParseStream<'_>) -> Result<Row> {
    let vis = input.parse()?;
    let form = input.parse()?;
    let name = input.parse()?;
    input.parse::<Token![=]>()?;
    let graph = input.parse()?;
    let body;
    braced!(body in input);
    Ok(Row { docs, vis, form, name, graph, fields: fields(&body) })
}

/// The entries. Unreadable ones are skipped so that the next row can be parsed.
fn fields(body: ParseStream<'_>) -> Result<Vec<Field>> {
    let ahead = body.fork();
    match Punctuated::<Field, Token![,]>::parse_terminated(&ahead) {
        Ok(fields) => {
            body.advance_to(&ahead);
            Ok(fields.into_iter().collect())
        }
        Err(e) => {
            body.parse::<TokenStream>()?;
            Err(e)
        }
    }
}

impl Parse for Field {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key: Ident = input.call(Ident::parse_any)?;
        let text = key.to_string();
        if !KEYS.contains(&text.as_str()) {
            let help = match nearest(&text, KEYS) {
                Some(near) => format!("write `{near}`"),
                None => format!("the entries are `{}`", KEYS.join("`, `")),
            };
            return Err(wrong(&key, format!("a row has no entry `{key}`"), help));
        }
        input.parse::<Token![:]>()?;
        let value = match text.as_str() {
            "inputs" => Value::Inputs(list(input)?),
            "outputs" => Value::Outputs(list(input)?),
            "types" => Value::Types(pairs(input)?),
            "attrs" => Value::Attributes(list(input)?),
            "effect" => Value::Effect(input.parse()?),
            "dispatch" => Value::Dispatch(input.parse()?),
            "tensors" => Value::Tensors(input.parse()?),
            "infer" => Value::Infer(input.parse()?),
            "kernel" => Value::Kernel(input.parse()?),
            "body" => Value::Body(input.parse()?),
            "gradient" => Value::Gradient(input.parse()?),
            "forward" => Value::Forward(input.parse()?),
            "batch" => Value::Batch(input.parse()?),
            "call" => Value::Call(input.parse()?),
            _ => Value::FiniteAt(finite_at(input)?),
        };
        Ok(Field { key, value })
    }
}

/// `{ item, … }`
fn list<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let body;
    braced!(body in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&body)?.into_iter().collect())
}

/// `{ name: value, … }`
fn pairs(input: ParseStream<'_>) -> Result<Vec<(Ident, Expr)>> {
    Ok(list::<Pair>(input)?.into_iter().map(|p| (p.0, p.1)).collect())
}

/// `T: set`
struct Pair(Ident, Expr);

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Pair(name, input.parse()?))
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        let mut field = None;
        if input.peek(Token![as]) {
            input.parse::<Token![as]>()?;
            let own =
                if input.peek(syn::Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]) {
                    let own = input.parse()?;
                    input.parse::<Token![:]>()?;
                    own
                } else if syn::parse_str::<Ident>(&name.to_string()).is_ok() {
                    name.clone()
                } else {
                    return Err(wrong(
                        &name,
                        format!("`{name}` is a keyword, which no field is named"),
                        format!("name the field: `{name}: … as {name}_: …`"),
                    ));
                };
            field = Some((own, input.parse()?));
        }
        Ok(Argument { name, ty, field })
    }
}

impl Parse for ArgumentType {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let body;
        if input.peek(token::Bracket) {
            bracketed!(body in input);
            let dtype = body.parse()?;
            if body.is_empty() {
                return Err(Error::new(
                    body.span(),
                    "the attribute that tells the length of the list is missing\nhelp: write `[T; N]`",
                ));
            }
            body.parse::<Token![;]>()?;
            let length = body.parse()?;
            end(&body)?;
            return Ok(ArgumentType::List(dtype, length));
        }
        if input.peek(token::Paren) {
            parenthesized!(body in input);
            let each = body.parse()?;
            end(&body)?;
            return Ok(ArgumentType::Each(each));
        }
        input.parse().map(ArgumentType::One)
    }
}

impl Parse for Dtype {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(token::Brace) {
            let body;
            braced!(body in input);
            let dtype = body.parse()?;
            end(&body)?;
            return Ok(Dtype::Fixed(dtype));
        }
        Ok(Dtype::Var(input.call(Ident::parse_any)?))
    }
}

/// Refuses further tokens in these brackets.
fn end(body: ParseStream<'_>) -> Result<()> {
    if body.is_empty() { Ok(()) } else { Err(body.error("nothing more is expected here")) }
}

impl AttributeEntry {
    /// The list that it names.
    pub(super) fn list(&self) -> Option<&Ident> {
        match self {
            Self::Own(_) => None,
            Self::Shared(list) => Some(list),
        }
    }
}

impl Parse for AttributeEntry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        match input.parse::<Option<Token![..]>>()? {
            Some(_) => input.parse().map(Self::Shared),
            None => Ok(Self::Own(Box::new(input.parse()?))),
        }
    }
}

impl Parse for AttributeRow {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let field = input.parse()?;
        let name = match input.peek(Token![as]) {
            true => {
                input.parse::<Token![as]>()?;
                Some(input.parse()?)
            }
            false => None,
        };
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        let default = match input.peek(Token![=]) {
            true => {
                input.parse::<Token![=]>()?;
                Some(input.parse()?)
            }
            false => None,
        };
        Ok(AttributeRow { field, name, ty, default })
    }
}

impl Parse for Gradient {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let expr: Expr = input.parse()?;
        Ok(match expr {
            Expr::Closure(closure) => Gradient::Closure(Box::new(closure)),
            Expr::Path(path) if path.path.is_ident("none") => Gradient::None,
            other => Gradient::Rule(Box::new(other)),
        })
    }
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut name: Ident = input.parse()?;
        let method = name == "method" && input.peek(syn::Ident);
        if method {
            name = input.parse()?;
        }
        let mut call = Call { method, name, parameters: None, made: Made::Fields(Vec::new()) };
        if input.peek(token::Paren) {
            let body;
            parenthesized!(body in input);
            call.parameters = Some(body.parse()?);
        }
        if input.peek(Token![=>]) {
            input.parse::<Token![=>]>()?;
            call.made = match input.peek(token::Brace) {
                true => Made::Fields(pairs(input)?),
                false => Made::Whole(input.parse()?),
            };
        }
        Ok(call)
    }
}

impl Parse for Parameters {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let operands = if input.peek(token::Bracket) {
            let body;
            bracketed!(body in input);
            let name = body.parse()?;
            end(&body)?;
            Operands::Sequence(name)
        } else {
            Operands::Each(operands(input)?)
        };
        let mut others = Vec::new();
        if !input.is_empty() {
            input.parse::<Token![;]>()?;
            others.extend(Punctuated::<Other, Token![,]>::parse_terminated(input)?);
        }
        Ok(Parameters { operands, others: others.into_iter().map(|o| (o.0, o.1)).collect() })
    }
}

/// `x, y`, up to the `;`
fn operands(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let mut names = Vec::new();
    while !input.is_empty() && !input.peek(Token![;]) {
        let name: Ident = input.parse()?;
        if input.peek(Token![:]) {
            return Err(wrong(
                &name,
                "an operand has no type: it is whatever the op takes",
                format!("write `{name}`; parameters with types stand after a `;`"),
            ));
        }
        names.push(name);
        if !input.is_empty() && !input.peek(Token![;]) {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(names)
}

/// `axis`, `n: usize`
struct Other(Ident, Option<Type>);

impl Parse for Other {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        if !input.peek(Token![:]) {
            return Ok(Other(name, None));
        }
        input.parse::<Token![:]>()?;
        Ok(Other(name, Some(input.parse()?)))
    }
}

/// `(1.0)`, `(_, 1.0)`
fn finite_at(input: ParseStream<'_>) -> Result<Vec<Expr>> {
    if !input.peek(token::Paren) {
        return Err(input.error("the numbers stand in parentheses\nhelp: write `(1.0)`"));
    }
    let body;
    parenthesized!(body in input);
    Ok(Punctuated::<Expr, Token![,]>::parse_terminated(&body)?.into_iter().collect())
}
