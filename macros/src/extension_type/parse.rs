//! Parses the declaration.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Expr, Fields, Generics, LitInt, LitStr, Member, Meta, Path,
    Result, Token, Type, TypePath, Visibility, WherePredicate,
};

use crate::shared::options::{Options, Table};
use crate::shared::tensor_type::{self, Dims};
use crate::shared::{Base, Diagnostics, docs};

static OPTIONS: Table = Table {
    attribute: "extension_type",
    known: &[
        ("name", "name = \"project.Type\""),
        ("validate", "validate"),
        ("stackable", "stackable"),
        ("constructor", "constructor = none"),
        ("spec", "spec = MySpec"),
        ("structure", "structure = none"),
        ("version", "version = 2"),
        ("upgrade", "upgrade(1 = function)"),
        ("bound", "bound(T: Trait)"),
        ("crate", "crate = ::path"),
    ],
    foreign: &[
        ("__name__", "write `name = \"project.Type\"`"),
        ("__validate__", "write `validate`, and implement `Validate`"),
        ("packed", "values are never packed: they flatten to their tensors by moves"),
        ("static_data", "put `#[static_data]` on the field"),
        ("default", "put `#[extension_type(default)]` on the field"),
        ("dtype", "put `#[extension_type(dtype = f32)]` on the field"),
        ("shape", "put `#[extension_type(shape = [?, 3])]` on the field"),
    ],
};

static FIELD_OPTIONS: Table = Table {
    attribute: "extension_type",
    known: &[("default", "default = value"), ("dtype", "dtype = f32"), ("shape", "shape = [?, 3]")],
    foreign: &[
        ("name", "the option belongs on the type: `#[extension_type(name = \"project.Type\")]`"),
        ("validate", "the option belongs on the type: `#[extension_type(validate)]`"),
        ("constructor", "the option belongs on the type"),
        ("bound", "the option belongs on the type"),
        ("spec", "the option belongs on the type"),
        ("structure", "the option belongs on the type"),
        ("crate", "the option belongs on the type"),
        ("static_data", "write `#[static_data]`"),
    ],
};

/// The declaration as written.
pub(super) struct Raw {
    pub vis: Visibility,
    pub ident: Ident,
    pub generics: Generics,
    pub summary: Option<String>,
    pub options: RawOptions,
    pub kind: RawKind,
}

/// The options of `#[extension_type(…)]`.
pub(super) struct RawOptions {
    pub base: Base,
    pub name: Option<LitStr>,
    pub validate: bool,
    pub stackable: bool,
    pub constructor: Option<Ident>,
    /// The spec type, if the user writes it.
    pub spec: Option<TypePath>,
    /// `none`, if the user writes `Structure`.
    pub structure: Option<Ident>,
    /// The version of the fields.
    pub version: Option<LitInt>,
    /// For older versions the function that converts their values, or `none`.
    pub upgrades: Vec<Upgrade>,
    pub bound: Option<Vec<WherePredicate>>,
}

/// `1 = function`
pub(super) struct Upgrade {
    pub version: LitInt,
    pub function: Path,
}

impl Upgrade {
    /// True if values of the version are no longer read.
    pub(super) fn is_none(&self) -> bool {
        self.function.is_ident("none")
    }
}

impl Parse for Upgrade {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let version = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { version, function: input.parse()? })
    }
}

pub(super) enum RawKind {
    Struct(RawVariant),
    Enum(Vec<RawVariant>),
    /// With the keyword.
    Union(TokenStream),
}

/// A variant, or the fields of a struct.
pub(super) struct RawVariant {
    pub ident: Ident,
    pub summary: Option<String>,
    pub named: bool,
    pub fields: Vec<RawField>,
}

pub(super) struct RawField {
    pub vis: Visibility,
    pub member: Member,
    pub ty: Type,
    pub summary: Option<String>,
    /// The attribute `#[static_data]`.
    pub static_data: Option<TokenStream>,
    pub options: FieldOptions,
}

/// The options of `#[extension_type(…)]` on a field.
pub(super) struct FieldOptions {
    /// `default`, `default = value`, with the option's name.
    pub default: Option<(Ident, Option<Expr>)>,
    /// `dtype = f32 | f64`: variants of `DType`.
    pub dtypes: Option<(Ident, Vec<&'static str>)>,
    /// `shape = [?, 3]`
    pub shape: Option<(Ident, Dims)>,
}

pub(super) fn parse(input: &DeriveInput, diagnostics: &mut Diagnostics) -> Raw {
    let kind = match &input.data {
        Data::Struct(s) => {
            RawKind::Struct(variant(&input.ident, &input.attrs, &s.fields, diagnostics))
        }
        Data::Enum(e) => RawKind::Enum(
            e.variants
                .iter()
                .map(|v| {
                    misplaced(&v.attrs, diagnostics);
                    variant(&v.ident, &v.attrs, &v.fields, diagnostics)
                })
                .collect(),
        ),
        Data::Union(u) => RawKind::Union(u.union_token.to_token_stream()),
    };
    Raw {
        vis: input.vis.clone(),
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        summary: docs::summary(&input.attrs),
        options: options(&input.attrs, diagnostics),
        kind,
    }
}

fn options(attrs: &[Attribute], diagnostics: &mut Diagnostics) -> RawOptions {
    for attr in attrs.iter().filter(|a| a.path().is_ident("static_data")) {
        diagnostics.mild(attr, "`#[static_data]` belongs on a field", "");
    }
    let mut options = given(attrs, &OPTIONS, "name = \"project.Type\"", diagnostics);
    let predicates = Punctuated::<WherePredicate, Token![,]>::parse_terminated;
    let upgrades = Punctuated::<Upgrade, Token![,]>::parse_terminated;
    RawOptions {
        base: Base::take(&mut options, diagnostics),
        name: options.value("name", diagnostics),
        validate: options.flag("validate", diagnostics).unwrap_or(false),
        stackable: options.flag("stackable", diagnostics).unwrap_or(false),
        constructor: options.value("constructor", diagnostics),
        spec: options.value("spec", diagnostics),
        structure: options.value("structure", diagnostics),
        version: options.value("version", diagnostics),
        upgrades: options
            .list("upgrade", upgrades, diagnostics)
            .map_or_else(Vec::new, |(_, list)| list.into_iter().collect()),
        bound: options.list("bound", predicates, diagnostics).map(|(_, p)| p.into_iter().collect()),
    }
}

/// The options in all attributes `#[extension_type(…)]`.
fn given(
    attrs: &[Attribute],
    table: &'static Table,
    example: &str,
    diagnostics: &mut Diagnostics,
) -> Options {
    let mut options = Options::new(table);
    for attr in attrs.iter().filter(|a| a.path().is_ident("extension_type")) {
        match &attr.meta {
            Meta::List(list) => options.add(list.tokens.clone(), diagnostics),
            other => diagnostics.mild(
                other,
                "the options stand in parentheses",
                format!("write `#[extension_type({example})]`"),
            ),
        }
    }
    options
}

fn field_options(attrs: &[Attribute], diagnostics: &mut Diagnostics) -> FieldOptions {
    let mut options = given(attrs, &FIELD_OPTIONS, "default", diagnostics);
    let names = |input: ParseStream<'_>| {
        Punctuated::<Ident, Token![|]>::parse_separated_nonempty_with(
            input,
            tensor_type::dtype_name,
        )
    };
    let dtypes = options.value_by("dtype", names, diagnostics).map(|(key, names)| {
        let dtypes = names.iter().filter_map(|name| {
            let help = "; several are separated by `|`";
            tensor_type::dtype(name, help).map_err(|e| diagnostics.option_syntax(e)).ok()
        });
        (key, dtypes.collect())
    });
    FieldOptions {
        dtypes,
        default: options.flag_or_value("default", diagnostics),
        shape: options.value_by("shape", <Dims as syn::parse::Parse>::parse, diagnostics),
    }
}

fn variant(
    ident: &Ident,
    attrs: &[Attribute],
    fields: &Fields,
    diagnostics: &mut Diagnostics,
) -> RawVariant {
    let parsed = fields.iter().zip(fields.members()).map(|(f, member)| RawField {
        vis: f.vis.clone(),
        member,
        ty: f.ty.clone(),
        summary: docs::summary(&f.attrs),
        static_data: static_data(&f.attrs, diagnostics),
        options: field_options(&f.attrs, diagnostics),
    });
    RawVariant {
        ident: ident.clone(),
        summary: docs::summary(attrs),
        named: matches!(fields, Fields::Named(_)),
        fields: parsed.collect(),
    }
}

fn static_data(attrs: &[Attribute], diagnostics: &mut Diagnostics) -> Option<TokenStream> {
    let mut found: Option<TokenStream> = None;
    for attr in attrs {
        if !attr.path().is_ident("static_data") {
            continue;
        }
        if !matches!(attr.meta, Meta::Path(_)) {
            diagnostics.mild(attr, "`#[static_data]` has no options", "write `#[static_data]`");
        }
        if found.is_some() {
            diagnostics.mild(attr, "`#[static_data]` is given twice", "remove one of the two");
        }
        found = Some(attr.to_token_stream());
    }
    found
}

fn misplaced(attrs: &[Attribute], diagnostics: &mut Diagnostics) {
    for attr in attrs {
        let path = attr.path();
        if path.is_ident("static_data") || path.is_ident("extension_type") {
            diagnostics.mild(
                attr,
                "the attribute has no meaning on a variant",
                "the variant is static data by itself; mark fields `#[static_data]`",
            );
        }
    }
}
