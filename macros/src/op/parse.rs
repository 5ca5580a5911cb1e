//! The syntax of rows.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprClosure, LitStr, Path, Result, Token, Type, Visibility, braced,
    bracketed, parenthesized, token,
};

/// `crate = ::path; methods of Trait; rows`
pub(super) struct Table {
    pub base: Option<Path>,
    pub methods: Option<Methods>,
    pub rows: Vec<Row>,
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
    pub fields: Vec<Field>,
}

pub(super) struct Field {
    pub key: Ident,
    pub value: Value,
}

pub(super) enum Value {
    Arguments(Vec<Argument>),
    Types(Vec<(Ident, Expr)>),
    Attributes(Vec<AttributeRow>),
    Ident(Ident),
    Expr(Box<Expr>),
    Gradient(Gradient),
    Call(Box<Call>),
    FiniteAt(Vec<Option<Expr>>),
}

/// `x: T`, `values: [T; N]`, `dim: Tdim as axis: Axis`
pub(super) struct Argument {
    pub name: Ident,
    pub ty: ArgumentType,
    /// The field and its type, if it is no operand.
    pub field: Option<(Ident, Type)>,
}

pub(super) enum ArgumentType {
    /// `T`
    One(Dtype),
    /// `[T; N]`; the attribute that tells the length.
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

/// `dst as "DstT": DType = DType::F32`
pub(super) struct AttributeRow {
    pub field: Ident,
    pub name: Option<LitStr>,
    pub ty: Type,
    pub default: Option<Expr>,
}

pub(super) enum Gradient {
    /// `none`: no gradient passes.
    None,
    /// A function, or a closure over what the row's form hands it.
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

/// What stands behind `=>`.
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
        let mut table = Table { base: None, methods: None, rows: Vec::new() };
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            table.base = Some(input.parse()?);
            input.parse::<Token![;]>()?;
        }
        while !input.is_empty() {
            let docs = input.call(Attribute::parse_outer)?;
            let fork = input.fork();
            if fork.parse::<Ident>().is_ok_and(|i| i == "methods") {
                input.parse::<Ident>()?;
                let of: Ident = input.parse()?;
                if of != "of" || table.methods.is_some() || !table.rows.is_empty() {
                    return Err(Error::new(
                        of.span(),
                        "`methods of Trait;` stands once, before the rows",
                    ));
                }
                table.methods = Some(Methods { docs, name: input.parse()? });
                input.parse::<Token![;]>()?;
                continue;
            }
            table.rows.push(row(docs, input)?);
        }
        Ok(table)
    }
}

fn row(docs: Vec<Attribute>, input: ParseStream<'_>) -> Result<Row> {
    let vis = input.parse()?;
    let form = input.parse()?;
    let name = input.parse()?;
    input.parse::<Token![=]>()?;
    let graph = input.parse()?;
    let body;
    braced!(body in input);
    let fields = Punctuated::<Field, Token![,]>::parse_terminated(&body)?;
    Ok(Row { docs, vis, form, name, graph, fields: fields.into_iter().collect() })
}

impl Parse for Field {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let value = match key.to_string().as_str() {
            "inputs" | "outputs" => Value::Arguments(list(input)?),
            "types" => Value::Types(list::<Pair>(input)?.into_iter().map(|p| (p.0, p.1)).collect()),
            "attrs" => Value::Attributes(list(input)?),
            "effect" | "dispatch" => Value::Ident(input.call(Ident::parse_any)?),
            "infer" | "kernel" => Value::Expr(input.parse()?),
            "gradient" => Value::Gradient(input.parse()?),
            "call" => Value::Call(input.parse()?),
            "finite_at" => Value::FiniteAt(finite_at(input)?),
            _ => {
                let text = format!("a row has no entry `{key}`");
                let known = "write one of `inputs`, `outputs`, `types`, `attrs`, `call`, `infer`, \
                             `kernel`, `gradient`, `effect`, `dispatch`, `finite_at`";
                return Err(Error::new(key.span(), format!("{text}\nhelp: {known}")));
            }
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
                } else {
                    name.clone()
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
                return Err(body.error(
                    "the attribute that tells the length of the list is missing\nhelp: write `[T; N]`",
                ));
            }
            body.parse::<Token![;]>()?;
            return Ok(ArgumentType::List(dtype, body.parse()?));
        }
        if input.peek(token::Paren) {
            parenthesized!(body in input);
            return Ok(ArgumentType::Each(body.parse()?));
        }
        input.parse().map(ArgumentType::One)
    }
}

impl Parse for Dtype {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(token::Brace) {
            let body;
            braced!(body in input);
            return Ok(Dtype::Fixed(body.parse()?));
        }
        Ok(Dtype::Var(input.call(Ident::parse_any)?))
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
                true => {
                    Made::Fields(list::<Pair>(input)?.into_iter().map(|p| (p.0, p.1)).collect())
                }
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
            Operands::Sequence(body.parse()?)
        } else {
            let mut names = Vec::new();
            while input.peek(syn::Ident) {
                names.push(input.parse()?);
                if input.peek(Token![,]) {
                    input.parse::<Token![,]>()?;
                }
            }
            Operands::Each(names)
        };
        let mut others = Vec::new();
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
            while !input.is_empty() {
                let name = input.parse()?;
                let ty = match input.peek(Token![:]) {
                    true => {
                        input.parse::<Token![:]>()?;
                        Some(input.parse()?)
                    }
                    false => None,
                };
                others.push((name, ty));
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
        }
        Ok(Parameters { operands, others })
    }
}

/// `(1.0)`, `(_, 1.0)`
fn finite_at(input: ParseStream<'_>) -> Result<Vec<Option<Expr>>> {
    let body;
    parenthesized!(body in input);
    let mut points = Vec::new();
    while !body.is_empty() {
        if body.peek(Token![_]) {
            body.parse::<Token![_]>()?;
            points.push(None);
        } else {
            points.push(Some(body.parse()?));
        }
        if !body.is_empty() {
            body.parse::<Token![,]>()?;
        }
    }
    Ok(points)
}
