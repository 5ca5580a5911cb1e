//! Parses the functions: signatures, never bodies.

use proc_macro2::{Ident, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Result, Token, Type, parenthesized, token};

/// All functions of a call of the macro.
pub(super) struct Block {
    /// The trait of the methods, with its attributes.
    pub methods: Option<(Vec<Attribute>, Ident)>,
    pub functions: Vec<Function>,
}

/// `fn var(x => options: impl Sets<Spread> as Spread) -> Tensor { … }`
pub(super) struct Function {
    pub attrs: Vec<Attribute>,
    pub name: Ident,
    /// The type of the op: the function's name, or the one after `as`.
    pub op: Ident,
    pub operands: Vec<Ident>,
    pub arguments: Vec<Argument>,
    pub output: Type,
    pub body: TokenTree,
}

/// An argument that is no operand: a field of the op.
pub(super) struct Argument {
    pub name: Ident,
    /// The type that callers see.
    pub ty: Type,
    /// The type of the field, if it is another one.
    pub field: Option<Type>,
    /// True for options, which are chosen by words.
    pub is_options: bool,
}

impl Argument {
    /// The type of the field.
    pub(super) fn field(&self) -> &Type {
        self.field.as_ref().unwrap_or(&self.ty)
    }
}

impl Parse for Block {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut block = Self { methods: None, functions: Vec::new() };
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer)?;
        if !ahead.peek(Token![fn]) && !ahead.is_empty() {
            let attrs = input.call(Attribute::parse_outer)?;
            for word in ["methods", "of"] {
                let ident = input.call(Ident::parse_any)?;
                if ident != word {
                    let text = "expected `fn` or `methods of Trait;`";
                    return Err(Error::new(ident.span(), text));
                }
            }
            block.methods = Some((attrs, input.parse()?));
            input.parse::<Token![;]>()?;
        }
        while !input.is_empty() {
            block.functions.push(input.parse()?);
        }
        Ok(block)
    }
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<Token![fn]>()?;
        let name: Ident = input.parse()?;
        let op = match input.parse::<Option<Token![as]>>()? {
            Some(_) => input.parse()?,
            None => name.clone(),
        };
        let content;
        parenthesized!(content in input);
        let (operands, arguments) = parameters(&content)?;
        if !(1..=3).contains(&operands.len()) {
            let text = "a compound has one to three operands\nhelp: write a function with other parameters by hand";
            return Err(Error::new(name.span(), text));
        }
        input.parse::<Token![->]>()?;
        let output = input.parse()?;
        if !input.peek(token::Brace) {
            return Err(input.error("expected the body of the function"));
        }
        Ok(Self { attrs, name, op, operands, arguments, output, body: input.parse()? })
    }
}

/// Operands, then after `;` other arguments, and after `=>` options.
fn parameters(input: ParseStream<'_>) -> Result<(Vec<Ident>, Vec<Argument>)> {
    let (mut operands, mut arguments) = (Vec::new(), Vec::new());
    while input.peek(syn::Ident) {
        operands.push(input.parse()?);
        if input.parse::<Option<Token![,]>>()?.is_none() {
            break;
        }
    }
    if input.parse::<Option<Token![;]>>()?.is_some() {
        while input.peek(syn::Ident) {
            arguments.push(argument(input, false)?);
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
    }
    if input.parse::<Option<Token![=>]>>()?.is_some() {
        arguments.push(argument(input, true)?);
    }
    match input.is_empty() {
        true => Ok((operands, arguments)),
        false => {
            Err(input
                .error("operands stand before `;`, other arguments after it, options after `=>`"))
        }
    }
}

fn argument(input: ParseStream<'_>, is_options: bool) -> Result<Argument> {
    let name = input.parse()?;
    input.parse::<Token![:]>()?;
    let ty = input.parse()?;
    let field = match input.parse::<Option<Token![as]>>()? {
        Some(_) => Some(input.parse()?),
        None => None,
    };
    Ok(Argument { name, ty, field, is_options })
}
