//! `#[derive(StaticData)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Member, Type};

use crate::shared::generics::{FieldBound, Parameters};
use crate::shared::options::{Options, Table};
use crate::shared::{Base, Diagnostics, types};

static OPTIONS: Table = Table {
    attribute: "static_data",
    known: &[("crate", "crate = ::path")],
    foreign: &[(
        "rename",
        "the variant's name is what specs print and files hold: name the variant so",
    )],
};

struct Model {
    base: Base,
    ident: Ident,
    params: Parameters,
    is_enum: bool,
    variants: Vec<Variant>,
}

/// A variant, or the fields of a struct.
struct Variant {
    /// `Self`, or `Self::Train`.
    path: TokenStream,
    name: String,
    named: bool,
    fields: Vec<Field>,
}

struct Field {
    member: Member,
    name: String,
    ty: Type,
    generic: bool,
}

/// The impl for the item, even after errors.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(e) => return e.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let mut model = parse(&input, &mut diagnostics);
    check(&input, &model, &mut diagnostics);
    let severe = diagnostics.is_severe();
    let mut tokens = diagnostics.finish();
    if !severe {
        tokens.extend(implementation(&mut model));
    } else if input.generics.lifetimes().next().is_none() {
        tokens.extend(broken(&mut model));
    }
    tokens
}

fn parse(input: &DeriveInput, d: &mut Diagnostics) -> Model {
    let mut options = Options::new(&OPTIONS);
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("static_data")) {
        if let Some(list) = d.ok_or_report(attr.meta.require_list()) {
            options.add(list.tokens.clone(), d);
        }
    }
    let base = Base::take(&mut options, d);
    let mut params = Parameters::new(&input.generics);
    let names = params.names();
    let variant = |path: TokenStream, ident: &Ident, fields: &Fields| Variant {
        path,
        name: ident.unraw().to_string(),
        named: matches!(fields, Fields::Named(_)),
        fields: fields.iter().zip(fields.members()).map(|(f, m)| field(&f.ty, m, &names)).collect(),
    };
    let (is_enum, variants) = match &input.data {
        Data::Struct(s) => (false, vec![variant(quote!(Self), &input.ident, &s.fields)]),
        Data::Enum(e) => {
            let path = |ident: &Ident| quote!(Self::#ident);
            (
                true,
                e.variants.iter().map(|v| variant(path(&v.ident), &v.ident, &v.fields)).collect(),
            )
        }
        Data::Union(_) => (false, Vec::new()),
    };
    let bounds = variants.iter().flat_map(|v| &v.fields).map(|Field { ty, generic, .. }| {
        let known = types::is_made_of_plain(ty);
        FieldBound {
            ty,
            generic: *generic,
            known,
            recursive: false,
            bound: quote!(#base::StaticData),
        }
    });
    params.infer(&input.ident, bounds);
    Model { base, ident: input.ident.clone(), params, is_enum, variants }
}

fn field(ty: &Type, member: Member, params: &[Ident]) -> Field {
    let name = match &member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    Field { generic: types::mentions(ty, params), member, name, ty: ty.clone() }
}

fn check(input: &DeriveInput, model: &Model, d: &mut Diagnostics) {
    if let Data::Union(data) = &input.data {
        d.severe(
            data.union_token,
            "a union can't be static data: which field it holds is not known",
            "make it an `enum`",
        );
    } else if model.variants.is_empty() {
        d.severe(&input.ident, "an enum without variants has no values", "add a variant");
    }
    for lifetime in input.generics.lifetimes() {
        d.severe(
            &lifetime.lifetime,
            "static data owns what it holds: it has no lifetime parameters",
            "hold `String` in place of `&str`, `Vec` in place of a slice",
        );
    }
    for field in model.variants.iter().flat_map(|v| &v.fields) {
        let names = types::path_names(&field.ty);
        if let Some(name) = names.iter().find(|n| *n == "Tensor" || *n == "Variable") {
            d.severe(
                name,
                format!("field `{}` holds a `{name}`, which is not static data", field.name),
                "derive `ExtensionType` in place of `StaticData`",
            );
        }
    }
}

/// An impl that keeps the rest of the user's program compiling after errors.
fn broken(model: &mut Model) -> TokenStream {
    require_laws(model);
    let Model { base, ident, params, .. } = model;
    let (private, named) = (base.private(), params.named());
    let (declared, clause) = (params.declared(), params.clause());
    quote_spanned! {Span::mixed_site()=>
        impl #declared #base::StaticData for #ident #named #clause {
            fn to_literal(&self) -> #private::Literal {
                ::core::unreachable!()
            }

            fn from_literal(_: &#private::Literal) -> #base::Result<Self> {
                ::core::unreachable!()
            }
        }
    }
}

/// Adds the other bounds of static data. `for<'any>` lets them be false for a type without parameters: then there is no
/// impl, and the assertion at the type's name gives the only error.
fn require_laws(model: &mut Model) {
    let Model { ident, params, .. } = model;
    let (named, binder) = (params.named(), params.is_empty().then(|| quote!(for<'any>)));
    params.require(quote!(#binder #ident #named: ::core::clone::Clone + ::core::cmp::PartialEq
        + ::core::marker::Send + ::core::marker::Sync + 'static));
}

fn implementation(model: &mut Model) -> TokenStream {
    require_laws(model);
    let Model { base, ident, params, .. } = &*model;
    let private = base.private();
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let (slot, predicates) = (params.slot(), params.predicate_slot());
    let (to_literal, from_literal, assertions) =
        (to_literal(model), from_literal(model), assertions(model));
    let (same, mix_literal) = (same(model), mix_literal(model));
    // Only for the type itself, not for references to it.
    let derives = params.is_empty().then(
        || quote_spanned!(Span::mixed_site()=> impl #private::DerivesStaticData for #ident {}),
    );
    let (other, fingerprint) = (parameter(model, "other"), parameter(model, "fingerprint"));
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #declared #base::StaticData for #ident #named #clause {
            fn to_literal(&self) -> #private::Literal {
                #to_literal
            }

            fn from_literal(literal: &#private::Literal) -> #base::Result<Self> {
                #from_literal
            }

            fn same(&self, #other: &Self) -> bool {
                #same
            }

            fn mix_literal(&self, #fingerprint: &mut #private::Fingerprint) {
                #mix_literal
            }
        }

        #base::__static_structure!([#slot] #ident #named, [#predicates]);
        #derives
        #assertions
    }
}

fn local(i: usize) -> Ident {
    format_ident!("field{i}", span = Span::mixed_site())
}

fn to_literal(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let private = model.base.private();
    let arms = model.variants.iter().map(|v| {
        let Variant { path, name, named, fields } = v;
        let bound = fields.iter().enumerate().map(|(i, f)| {
            let (member, local) = (&f.member, local(i));
            quote_spanned!(site=> #member: #local)
        });
        let parts = fields.iter().enumerate().map(|(i, f)| {
            let (name, local) = (&f.name, local(i));
            let literal = quote_spanned!(site=> #private::static_literal(#local));
            match named {
                true => quote_spanned!(site=> (#name, #literal)),
                false => literal,
            }
        });
        let made = match (fields.is_empty(), named) {
            (true, _) => quote_spanned!(site=> #private::Literal::None),
            (_, true) => quote_spanned!(site=> #private::literal_map([#(#parts),*])),
            (_, false) => quote_spanned!(site=> #private::literal_list([#(#parts),*])),
        };
        let made = match (model.is_enum, fields.is_empty()) {
            (true, true) => quote_spanned!(site=> #private::variant_literal(#name)),
            (true, false) => quote_spanned!(site=> #private::variant_with(#name, #made)),
            (false, _) => made,
        };
        quote_spanned!(site=> #path { #(#bound),* } => #made,)
    });
    quote_spanned!(site=> match self { #(#arms)* })
}

/// The name of a parameter, or `_` if the type has only one value.
fn parameter(model: &Model, name: &str) -> TokenStream {
    let ident = Ident::new(name, Span::mixed_site());
    match model.is_enum || model.variants.iter().any(|v| !v.fields.is_empty()) {
        true => ident.to_token_stream(),
        false => quote!(_),
    }
}

/// `Self::Explicit { 0: field0 }`
fn pattern(v: &Variant, prefix: &str) -> TokenStream {
    let path = &v.path;
    let bound = v.fields.iter().enumerate().map(|(i, f)| {
        let (member, local) = (&f.member, format_ident!("{prefix}{i}", span = Span::mixed_site()));
        quote_spanned!(Span::mixed_site()=> #member: #local)
    });
    quote_spanned!(Span::mixed_site()=> #path { #(#bound),* })
}

/// Equality field by field with `same_static`: `PartialEq` treats floats differently.
fn same(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let private = model.base.private();
    if !model.is_enum && model.variants.iter().all(|v| v.fields.is_empty()) {
        return quote_spanned!(site=> true);
    }
    let arms = model.variants.iter().map(|v| {
        let (this, other) = (pattern(v, "field"), pattern(v, "other"));
        let parts: Vec<_> = (0..v.fields.len())
            .map(|i| {
                let (a, b) = (local(i), format_ident!("other{i}", span = site));
                quote_spanned!(site=> #private::same_static(#a, #b))
            })
            .collect();
        match parts.is_empty() {
            true => quote_spanned!(site=> (#this, #other) => true,),
            false => quote_spanned!(site=> (#this, #other) => #(#parts)&&*,),
        }
    });
    let rest = (model.variants.len() > 1).then(|| quote_spanned!(site=> _ => false,));
    quote_spanned!(site=> match (self, other) { #(#arms)* #rest })
}

fn mix_literal(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let private = model.base.private();
    if !model.is_enum && model.variants.iter().all(|v| v.fields.is_empty()) {
        return TokenStream::new();
    }
    let arms = model.variants.iter().zip(0u64..).map(|(v, number)| {
        let this = pattern(v, "field");
        let variant = model.is_enum.then(|| quote_spanned!(site=> fingerprint.add(#number);));
        let parts = (0..v.fields.len()).map(|i| {
            let local = local(i);
            quote_spanned!(site=> #private::mix_static(#local, fingerprint);)
        });
        quote_spanned!(site=> #this => { #variant #(#parts)* })
    });
    quote_spanned!(site=> match self { #(#arms)* })
}

fn from_literal(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let private = model.base.private();
    let ty = model.ident.unraw().to_string();
    let made = |v: &Variant| {
        let Variant { path, named, fields, .. } = v;
        let parts = fields.iter().enumerate().map(|(i, f)| {
            let (member, key) = (
                &f.member,
                match named {
                    true => f.name.to_token_stream(),
                    false => i.to_token_stream(),
                },
            );
            let function = Ident::new(if *named { "map_entry" } else { "list_entry" }, site);
            quote_spanned!(site=> #member: #private::#function(literal, #ty, #key)?)
        });
        quote_spanned!(site=> ::core::result::Result::Ok(#path { #(#parts),* }))
    };
    if !model.is_enum {
        let made = model.variants.iter().map(made);
        let unused = model.variants.iter().all(|v| v.fields.is_empty());
        let unused = unused.then(|| quote_spanned!(site=> let _ = literal;));
        return quote_spanned!(site=> #unused #(#made)*);
    }
    let arms = model.variants.iter().map(|v| {
        let (name, made) = (&v.name, made(v));
        let rest = match v.fields.is_empty() {
            true => quote_spanned!(site=> _),
            false => quote_spanned!(site=> literal),
        };
        quote_spanned!(site=> (#name, #rest) => #made,)
    });
    quote_spanned! {site=>
        match #private::literal_variant(literal, #ty)? {
            #(#arms)*
            (other, _) => ::core::result::Result::Err(#private::unknown_variant(#ty, other)),
        }
    }
}

/// Checks at the user's types, so that rustc's messages point there.
fn assertions(model: &Model) -> Option<TokenStream> {
    let private = model.base.private();
    let fields = model.variants.iter().flat_map(|v| &v.fields);
    let calls: Vec<_> = fields
        .filter(|f| !f.generic)
        .map(|f| {
            let ty = &f.ty;
            quote_spanned!(ty.span()=> let () = <#ty as #private::StaticField>::CHECK;)
        })
        .chain(model.params.is_empty().then(|| {
            let ident = &model.ident;
            quote_spanned!(ident.span()=> let () = <#ident as #private::StaticValue>::CHECK;)
        }))
        .collect();
    (!calls.is_empty()).then(|| quote_spanned!(Span::mixed_site()=> const _: () = { #(#calls)* };))
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;
    use crate::shared::testing;

    #[test]
    fn an_enum() {
        testing::expect(
            "static_data/expected/mode",
            &expand(quote!(
                pub enum Mode {
                    Train,
                    Test,
                }
            )),
        );
    }

    #[test]
    fn structs_and_variants_with_fields() {
        testing::expect(
            "static_data/expected/window",
            &expand(quote!(
                pub struct Window<T> {
                    size: T,
                    names: Vec<String>,
                    mode: Mode,
                }
            )),
        );
        testing::expect(
            "static_data/expected/padding",
            &expand(quote!(
                enum Padding {
                    Same,
                    Explicit(i64, i64),
                    Named { name: String },
                }
            )),
        );
    }

    #[test]
    fn what_is_refused() {
        for (item, text) in [
            (
                quote!(
                    union U {
                        a: u8,
                    }
                ),
                "a union can't be",
            ),
            (
                quote!(
                    struct S<'a> {
                        a: u8,
                    }
                ),
                "owns what it holds",
            ),
            (
                quote!(
                    enum E {}
                ),
                "no values",
            ),
            (
                quote!(
                    struct S {
                        a: Vec<Tensor>,
                    }
                ),
                "which is not static data",
            ),
            (
                quote!(
                    #[static_data(rename = "x")]
                    enum E {
                        A,
                    }
                ),
                "name the variant so",
            ),
        ] {
            assert!(expand(item).to_string().contains(text), "{text}");
        }
    }
}
