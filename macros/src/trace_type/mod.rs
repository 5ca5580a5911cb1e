//! `#[derive(TraceType)]`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput};

use crate::shared::generics::Parameters;
use crate::shared::options::{Options, Table};
use crate::shared::{Base, Diagnostics, types};

static OPTIONS: Table = Table {
    attribute: "trace_type",
    known: &[("crate", "crate = ::path")],
    foreign: &[("name", "the type is known by itself: remove the option")],
};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(e) => return e.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let mut options = Options::new(&OPTIONS);
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("trace_type")) {
        if let Some(list) = diagnostics.ok_or_report(attr.meta.require_list()) {
            options.add(list.tokens.clone(), &mut diagnostics);
        }
    }
    let base = Base::take(&mut options, &mut diagnostics);
    check(&input, &mut diagnostics);
    let (severe, lifetimes) =
        (diagnostics.is_severe(), input.generics.lifetimes().next().is_some());
    let mut tokens = diagnostics.finish();
    if !lifetimes {
        tokens.extend(implementation(&input, &base, !severe));
    }
    tokens
}

fn check(input: &DeriveInput, d: &mut Diagnostics) {
    for lifetime in input.generics.lifetimes() {
        d.severe(
            &lifetime.lifetime,
            "a trace keeps the value that it was made for, so it has no lifetime parameters",
            "hold `String` in place of `&str`, `Vec` in place of a slice",
        );
    }
    let fields = match &input.data {
        Data::Struct(s) => s.fields.iter().collect(),
        Data::Enum(e) => e.variants.iter().flat_map(|v| &v.fields).collect(),
        Data::Union(data) => {
            d.severe(
                data.union_token,
                "a union can't be compared by value: which field it holds is not known",
                "make it an `enum`",
            );
            Vec::new()
        }
    };
    for field in fields {
        let names = types::path_names(&field.ty);
        if let Some(name) = names.iter().find(|n| *n == "Tensor" || *n == "Variable") {
            let other = if *name == "Tensor" { "ExtensionType" } else { "Module" };
            d.severe(
                name,
                format!("a `{name}` is not compared by value: a trace would keep the first one"),
                format!("derive `{other}` in place of `TraceType`"),
            );
        } else if let Some(name) = names.iter().find(|n| types::is_mutable_cell(n)) {
            d.severe(
                name,
                format!("a `{name}` may change after a trace was made for its value"),
                "hold the value itself; state that changes is a `Variable`",
            );
        }
    }
}

/// The impls; `asserted` to report a missing law.
fn implementation(input: &DeriveInput, base: &Base, asserted: bool) -> TokenStream {
    let mut params = Parameters::new(&input.generics);
    let (ident, named, generics) = (&input.ident, params.named(), &input.generics);
    // The assertion at the type's name gives the only error, if a law is missing.
    let binder = params.is_empty().then(|| quote!(for<'any>));
    params.require(quote!(#binder #ident #named: ::core::clone::Clone + ::core::fmt::Debug
        + ::core::cmp::Eq + ::core::hash::Hash + ::core::marker::Send + ::core::marker::Sync + 'static));
    let private = base.private();
    let (declared, clause) = (params.declared(), params.clause());
    let assertion = (asserted && generics.params.is_empty()).then(|| {
        quote_spanned!(ident.span()=> const _: () = <#ident as #private::ComparedByValue>::CHECK;)
    });
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #declared #base::TypeSpec for #ident #named #clause {
            type Value = Self;

            fn to_any(&self) -> #private::AnySpec {
                #private::AnySpec::custom(self, [])
            }

            fn from_any(any: &#private::AnySpec) -> #base::Result<Self> {
                any.as_custom::<Self>().cloned()
            }
        }

        #[automatically_derived]
        impl #declared #base::Structure for #ident #named #clause {
            type Spec = Self;

            fn spec_in(&self, _: &mut #private::SpecContext) -> Self {
                ::core::clone::Clone::clone(self)
            }

            fn has_spec(&self, spec: &Self, _: &mut #private::SpecContext) -> bool {
                self == spec
            }

            fn mix_spec(&self, fingerprint: &mut #private::Fingerprint) {
                #private::mix_hash(self, fingerprint);
            }

            fn leaves<'a>(&'a self, _: &mut #private::Leaves<'a>) {}

            fn into_leaves(self, _: &mut #private::Vec<#base::Tensor>) {}

            fn from_leaves(spec: &Self, _: &mut #private::LeafIter) -> #base::Result<Self> {
                ::core::result::Result::Ok(::core::clone::Clone::clone(spec))
            }
        }

        #[automatically_derived]
        impl #declared #private::PassedWhole for #ident #named #clause {}

        #assertion
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;
    use crate::shared::testing;

    #[test]
    fn a_struct_and_a_generic_enum() {
        let window = quote! {
            struct Window { size: usize }
        };
        testing::expect("trace_type/expected/window", &expand(window));
        let padded = quote! {
            enum Padded<T> where T: Copy { No, By(T) }
        };
        testing::expect("trace_type/expected/padded", &expand(padded));
    }

    #[test]
    fn what_is_not_compared_by_value_is_refused() {
        let refused = |item: TokenStream| expand(item).to_string();
        assert!(
            refused(quote!(
                struct A {
                    x: Option<Tensor>,
                }
            ))
            .contains("derive `ExtensionType`")
        );
        assert!(
            refused(quote!(
                enum A {
                    X(Variable),
                }
            ))
            .contains("derive `Module`")
        );
        assert!(
            refused(quote!(
                struct A(Mutex<u8>);
            ))
            .contains("may change after a trace")
        );
        assert!(
            refused(quote!(
                struct A<'a>(&'a str);
            ))
            .contains("no lifetime parameters")
        );
        assert!(refused(quote!(union A { x: u8 })).contains("make it an `enum`"));
    }
}
