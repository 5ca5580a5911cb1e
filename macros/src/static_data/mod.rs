//! `#[derive(StaticData)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Data, DeriveInput, Fields, Ident};

use crate::shared::options::{Options, Table};
use crate::shared::{Base, Diagnostics};

static OPTIONS: Table = Table {
    attribute: "static_data",
    known: &[("crate", "crate = ::path")],
    foreign: &[(
        "rename",
        "the variant's name is what specs print and files hold: name the variant so",
    )],
};

/// The impl for an enum without fields.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(e) => return e.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let mut options = Options::new(&OPTIONS);
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("static_data")) {
        if let Some(list) = diagnostics.ok_or_report(attr.meta.require_list()) {
            options.add(list.tokens.clone(), &mut diagnostics);
        }
    }
    let base = Base::take(&mut options, &mut diagnostics);
    let variants = variants(&input, &mut diagnostics);
    let output = implementation(&base, &input.ident, &variants);
    let severe = diagnostics.is_severe();
    let mut tokens = diagnostics.finish();
    if !severe {
        tokens.extend(output);
    } else if input.generics.params.is_empty() {
        tokens.extend(stand_in(&base, &input.ident));
    }
    tokens
}

/// The names of the variants; everything else is refused.
fn variants(input: &DeriveInput, d: &mut Diagnostics) -> Vec<Ident> {
    if let Some(param) = input.generics.params.first() {
        d.severe(
            param,
            "static data derived by variants has no parameters",
            "implement `StaticData` by hand",
        );
    }
    let Data::Enum(data) = &input.data else {
        d.severe(
            &input.ident,
            "`StaticData` is derived for enums without fields only",
            "implement `StaticData` by hand: `to_literal` and `from_literal`; or make the type a field of \
             an extension type",
        );
        return Vec::new();
    };
    if data.variants.is_empty() {
        d.severe(&input.ident, "an enum without variants has no values", "add a variant");
    }
    for v in &data.variants {
        if !matches!(v.fields, Fields::Unit) {
            d.severe(
                &v.fields,
                format!("the variant `{}` has fields", v.ident),
                "implement `StaticData` by hand: `to_literal` and `from_literal`",
            );
        }
    }
    data.variants.iter().map(|v| v.ident.clone()).collect()
}

/// What keeps the rest of the user's program compiling after errors.
fn stand_in(base: &Base, ident: &Ident) -> TokenStream {
    let private = base.private();
    quote_spanned! {Span::mixed_site()=>
        impl #base::StaticData for #ident {
            fn to_literal(&self) -> #private::Literal {
                ::core::unreachable!()
            }

            fn from_literal(_: &#private::Literal) -> #base::Result<Self> {
                ::core::unreachable!()
            }
        }
    }
}

fn implementation(base: &Base, ident: &Ident, variants: &[Ident]) -> TokenStream {
    let private = base.private();
    let name = ident.to_string();
    let names: Vec<String> = variants.iter().map(ToString::to_string).collect();
    let text = match variants.is_empty() {
        true => quote_spanned!(Span::mixed_site()=> ""),
        false => {
            quote_spanned!(Span::mixed_site()=> match self { #(Self::#variants { .. } => #names,)* })
        }
    };
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #base::StaticData for #ident {
            fn to_literal(&self) -> #private::Literal {
                #private::variant_literal(#text)
            }

            fn from_literal(literal: &#private::Literal) -> #base::Result<Self> {
                match #private::literal_text(literal, #name)? {
                    #(#names => ::core::result::Result::Ok(Self::#variants { }),)*
                    other => ::core::result::Result::Err(#private::unknown_variant(#name, other)),
                }
            }
        }

        #base::__static_structure!(#ident);
    }
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
    fn what_is_refused() {
        for (item, text) in [
            (
                quote!(
                    enum E {
                        A(u8),
                        B { x: u8 },
                    }
                ),
                "has fields",
            ),
            (
                quote!(
                    struct S {
                        a: u8,
                    }
                ),
                "for enums without fields only",
            ),
            (
                quote!(
                    enum E {}
                ),
                "no values",
            ),
            (
                quote!(
                    enum E<T> {
                        A,
                    }
                ),
                "has no parameters",
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
