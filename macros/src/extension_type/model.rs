//! What a declaration means.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{LitInt, LitStr, Member, PathArguments, Type, TypePath, Visibility};

use super::parse::{FieldOptions, Raw, RawField, RawKind, RawVariant, Upgrade};
use crate::shared::generics::{FieldBound, Parameters};
use crate::shared::{Base, types};

pub(super) struct Model {
    pub base: Base,
    pub vis: Visibility,
    pub ident: Ident,
    pub spec: Spec,
    /// The value of the option `structure`: the user writes `Structure`.
    pub own_structure: Option<Ident>,
    pub summary: Option<String>,
    /// The parameters of all impls, with the inferred bounds.
    pub params: Parameters,
    /// Lifetime parameters, which are not allowed.
    pub lifetimes: Vec<TokenStream>,
    pub name: Option<LitStr>,
    pub version: Option<LitInt>,
    pub upgrades: Vec<Upgrade>,
    pub validate: bool,
    pub stackable: bool,
    pub constructor: Constructor,
    pub shape: Shape,
    pub variants: Vec<Variant>,
}

/// The type of the specs.
pub(super) struct Spec {
    /// `MaskedSpec<V>`.
    pub ty: TokenStream,
    /// `MaskedSpec`, the form in patterns and struct literals.
    pub path: TokenStream,
    /// The name of the generated spec; `None` if the user writes it.
    pub written: Option<Ident>,
}

impl Spec {
    fn new(given: Option<TypePath>, ident: &Ident, params: &Parameters) -> Self {
        let Some(given) = given else {
            let (written, named) = (format_ident!("{ident}Spec"), params.named());
            let (ty, path) = (quote!(#written #named), quote!(#written));
            return Self { ty, path, written: Some(written) };
        };
        let mut path = given.clone();
        if let Some(last) = path.path.segments.last_mut() {
            last.arguments = PathArguments::None;
        }
        Self { ty: given.to_token_stream(), path: path.to_token_stream(), written: None }
    }
}

/// What kind of item it is.
pub(super) enum Shape {
    Struct,
    Enum,
    /// With the keyword.
    Union(TokenStream),
}

pub(super) enum Constructor {
    Named(Ident),
    None,
}

/// A variant, or the fields of a struct.
pub(super) struct Variant {
    /// `Self`, or `Self::Dense`.
    pub path: TokenStream,
    /// `MaskedTensorSpec`, or `EncodingSpec::Dense`.
    pub spec_path: TokenStream,
    pub ident: Ident,
    pub summary: Option<String>,
    pub named: bool,
    pub fields: Vec<Field>,
}

pub(super) struct Field {
    pub vis: Visibility,
    pub member: Member,
    /// The field's name in printing and lookup.
    pub name: String,
    pub ty: Type,
    pub summary: Option<String>,
    pub kind: FieldKind,
    /// The attribute `#[static_data]`, if it makes the field static.
    pub marked: Option<TokenStream>,
    /// True if the type names a parameter of the item.
    pub generic: bool,
    pub options: FieldOptions,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum FieldKind {
    /// Holds tensors.
    Component,
    /// Part of the type.
    Static,
    /// `PhantomData`: no data.
    Marker,
}

impl Model {
    pub(super) fn new(raw: Raw) -> Self {
        let mut params = Parameters::new(&raw.generics);
        let lifetimes = raw.generics.lifetimes().map(|l| l.lifetime.to_token_stream()).collect();
        let names = params.names();
        let spec = Spec::new(raw.options.spec, &raw.ident, &params);
        let spec_path = &spec.path;
        let (shape, variants) = match raw.kind {
            RawKind::Struct(fields) => {
                (Shape::Struct, vec![variant(fields, quote!(Self), quote!(#spec_path), &names)])
            }
            RawKind::Enum(variants) => (
                Shape::Enum,
                variants
                    .into_iter()
                    .map(|v| {
                        let ident = v.ident.clone();
                        variant(v, quote!(Self::#ident), quote!(#spec_path::#ident), &names)
                    })
                    .collect(),
            ),
            RawKind::Union(keyword) => (Shape::Union(keyword), Vec::new()),
        };
        let base = raw.options.base;
        match &raw.options.bound {
            Some(bound) => params.require_all(bound),
            // The fields need be no structures.
            None if raw.options.structure.is_some() => params.require_all(&[]),
            None => {
                let fields = variants.iter().flat_map(|v| &v.fields);
                params.infer(&raw.ident, fields.map(|f| bound(f, &base)));
            }
        }
        let constructor = match raw.options.constructor {
            Some(ident) if ident == "none" => Constructor::None,
            Some(ident) => Constructor::Named(ident),
            None => Constructor::Named(format_ident!("new", span = raw.ident.span())),
        };
        Self {
            vis: raw.vis,
            ident: raw.ident,
            spec,
            own_structure: raw.options.structure,
            summary: raw.summary,
            params,
            lifetimes,
            name: raw.options.name,
            version: raw.options.version,
            upgrades: raw.options.upgrades,
            validate: raw.options.validate,
            stackable: raw.options.stackable,
            constructor,
            shape,
            variants,
            base,
        }
    }

    /// The version of the fields; `None` if it is no number.
    pub(super) fn version(&self) -> Option<u32> {
        self.version.as_ref().map_or(Some(1), |version| version.base10_parse().ok())
    }

    pub(super) fn is_enum(&self) -> bool {
        matches!(self.shape, Shape::Enum)
    }

    /// True if `check` has something to check.
    pub(super) fn is_checked(&self) -> bool {
        self.validate || self.constrained().next().is_some()
    }

    /// The fields with constraints, which only structs with named fields have.
    pub(super) fn constrained(&self) -> impl Iterator<Item = &Field> {
        let named = !self.is_enum() && self.variants.iter().all(|v| v.named);
        self.fields().filter(move |f| named && f.kind == FieldKind::Component && f.is_constrained())
    }

    /// All fields of all variants.
    pub(super) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.variants.iter().flat_map(|v| &v.fields)
    }
}

impl Field {
    /// True if the type may contain the item itself behind a box, through other types; types of `std` can't. (Lists may
    /// too. But a list of a type that is no structure is the more common mistake, and without the bound it gives five
    /// errors.)
    fn is_recursive(&self) -> bool {
        let may = |ty: &&Type| match ty {
            Type::Path(path) => path.path.segments.first().is_some_and(|s| s.ident != "std"),
            _ => false,
        };
        self.kind == FieldKind::Component
            && !self.generic
            && types::is_boxed(&self.ty)
            && types::unknown_structures(&self.ty).iter().any(may)
    }

    /// True if the options restrict its tensors.
    pub(super) fn is_constrained(&self) -> bool {
        self.options.dtypes.is_some() || self.options.shape.is_some()
    }
}

fn variant(
    raw: RawVariant,
    path: TokenStream,
    spec_path: TokenStream,
    params: &[Ident],
) -> Variant {
    Variant {
        path,
        spec_path,
        ident: raw.ident,
        summary: raw.summary,
        named: raw.named,
        fields: raw.fields.into_iter().map(|f| field(f, params)).collect(),
    }
}

fn field(raw: RawField, params: &[Ident]) -> Field {
    let name = match &raw.member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    let kind = if types::is_named(&raw.ty, "PhantomData") {
        FieldKind::Marker
    } else if raw.static_data.is_some() || types::is_made_of_plain(&raw.ty) {
        FieldKind::Static
    } else {
        FieldKind::Component
    };
    Field {
        vis: raw.vis,
        generic: types::mentions(&raw.ty, params),
        member: raw.member,
        name,
        ty: raw.ty,
        summary: raw.summary,
        kind,
        marked: raw.static_data,
        options: raw.options,
    }
}

fn bound<'a>(field: &'a Field, base: &Base) -> FieldBound<'a> {
    let bound = match field.kind {
        FieldKind::Component => quote!(#base::Structure),
        FieldKind::Static => quote!(#base::StaticData),
        FieldKind::Marker => quote!(::core::marker::Send + ::core::marker::Sync + 'static),
    };
    FieldBound {
        ty: &field.ty,
        generic: field.generic,
        known: is_known(field),
        recursive: field.is_recursive(),
        bound,
    }
}

/// True for fields whose type names guarantee the bound.
fn is_known(field: &Field) -> bool {
    match field.kind {
        FieldKind::Component => types::is_known_structure(&field.ty),
        FieldKind::Static => types::is_made_of_plain(&field.ty),
        FieldKind::Marker => true,
    }
}
