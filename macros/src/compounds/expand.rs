//! The op, the function and the method of each compound.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::parse::{Argument, Block, Function};
use crate::shared::aliases::aliases;
use crate::shared::types::at;
use crate::shared::{Base, docs};

/// The type parameters for the operands.
const LETTERS: [&str; 3] = ["X", "Y", "Z"];

pub(super) fn all(block: &Block) -> TokenStream {
    let base = &Base::default();
    let functions = block.functions.iter().map(|f| {
        let (op, function) = (op(f, base), function(f, base));
        quote!(#op #function)
    });
    let methods = block.methods.as_ref().map(|(attrs, name)| {
        let methods = block.functions.iter().map(|f| method(f, base));
        quote! {
            #(#attrs)*
            ///
            #[doc = "Methods: compounds."]
            pub trait #name: #base::ops::HasMethods {
                #(#methods)*
            }

            impl<X: #base::ops::HasMethods + ?Sized> #name for X {}
        }
    });
    quote!(#(#functions)* #methods)
}

/// The op: a struct of the arguments, what it means for tensors, and its name in bounds.
fn op(f: &Function, base: &Base) -> TokenStream {
    let Function { name, op, operands, output, body, .. } = f;
    let site = Span::mixed_site();
    let private = base.private();
    let doc = format!("The op of [`{name}`]({name}()).");
    let (text, count) = (name.to_string(), operands.len());
    let (names, types): (Vec<_>, Vec<_>) = f.arguments.iter().map(|a| (&a.name, a.field())).unzip();
    let shown = types.iter().map(|ty| quote!(#ty).to_string().replace(' ', ""));
    let fields = names
        .iter()
        .map(ToString::to_string)
        .zip(shown)
        .map(|(name, ty)| quote_spanned!(site=> #base::ops::Field { name: #name, ty: #ty }));
    let tensor = quote_spanned!(site=> #base::Tensor);
    let others = operands.iter().skip(1).map(|_| &tensor);
    let (apply, method) = (format_ident!("Apply{count}"), format_ident!("apply{count}"));
    let letters: Vec<Ident> = LETTERS.iter().take(count).map(|l| Ident::new(l, site)).collect();
    let locals: Vec<Ident> = letters.iter().map(|l| format_ident!("operand_{l}")).collect();
    quote_spanned! {site=>
        #[doc = #doc]
        #[cfg_attr(doc, doc(hidden))]
        #[allow(non_camel_case_types, missing_docs)]
        #[derive(Clone, Debug)]
        pub struct #op {
            #(pub #names: #types,)*
        }

        const _: () = {
            static DEF: #base::ir::OpDef =
                #base::ir::OpDef::compound(concat!(module_path!(), "::", #text), #text);

            impl #base::ops::NamedOp for #op {
                const NAME: &'static str = DEF.name;
                const RUST_NAME: &'static str = DEF.rust_name;
                const DEF: &'static #base::ir::OpDef = &DEF;
                const OPERANDS: #base::ops::Operands = #base::ops::Operands::Each(#count);
                const FIELDS: &'static [#base::ops::Field] = &[#(#fields),*];
            }

            impl<By> #private::NamedBy<By> for #op {
                type Op = #op;
            }

            impl #base::ops::Op for #op {
                fn def(&self) -> &'static #base::ir::OpDef {
                    &DEF
                }

                fn attrs(&self) -> #base::ir::Attrs {
                    #base::ir::Attrs::new()
                }

                fn from_parts(_: &#base::ir::Attrs, _: &[#tensor]) -> #base::Result<Self> {
                    ::core::result::Result::Err(
                        #base::Error::internal("the arguments of this compound are no attributes"),
                    )
                }
            }

            impl #base::ops::Compound for #op {
                type Results = #output;

                #[track_caller]
                fn body(&self, operands: &[&#tensor]) -> #base::Result<#output> {
                    #[track_caller]
                    fn inner(#(#operands: &#tensor,)* #(#names: #types),*) -> #base::Result<#output> #body
                    let &[#(#locals),*] = operands else {
                        return ::core::result::Result::Err(
                            #base::Error::internal("the operands are those of another op"),
                        );
                    };
                    let Self { #(#names),* } = ::core::clone::Clone::clone(self);
                    inner(#(#locals,)* #(#names),*)
                }
            }

            #[diagnostic::do_not_recommend]
            impl #base::ops::#apply<#(#others,)* #op> for #tensor {
                type Output = #output;

                #[track_caller]
                fn #method(op: &#op, #(#locals: &#tensor),*) -> #base::Result<#output> {
                    #private::on_tensors(op, &[#(#locals),*])
                }
            }
        };
    }
}

/// The op, made of the arguments.
fn made(f: &Function, base: &Base) -> TokenStream {
    let op = &f.op;
    let fields = f.arguments.iter().map(|Argument { name, field, is_options, .. }| {
        match (field, is_options) {
            (Some(field), true) => {
                quote!(#name: #base::__private::chosen::<#field>(#name)?)
            }
            (Some(field), false) => quote!(#name: ::core::convert::Into::<#field>::into(#name)),
            (None, _) => quote!(#name),
        }
    });
    quote!(&#op { #(#fields),* })
}

/// The function. Its result is a type parameter, so that its bound is stated once. The bound has the span of its name,
/// since the compiler shows that line.
fn function(f: &Function, base: &Base) -> TokenStream {
    let Function { attrs, name, operands, .. } = f;
    let site = Span::mixed_site();
    let letters: Vec<Ident> =
        LETTERS.iter().take(operands.len()).map(|l| Ident::new(l, site)).collect();
    let values: Vec<TokenStream> = letters.iter().map(|l| quote!(#l::Value)).collect();
    let result = Ident::new("R", site);
    let (last, of, call) = meaning(f, &values, base);
    let bound = at(quote!(#last: #of, Output = #result>), name.span());
    let (arguments, types) = arguments(f);
    let (made, site_of_call) = (made(f, base), site_of_call(base));
    let aliases = aliases(attrs, name);
    quote_spanned! {site=>
        #(#attrs)*
        #(#[doc(alias = #aliases)])*
        #[track_caller]
        pub fn #name<#(#letters: #base::ops::Operand,)* #result>(
            #(#operands: #letters,)* #(#arguments: #types),*
        ) -> #base::Result<#result>
        where
            #bound,
        {
            #site_of_call
            <#last as #of>>::#call(#made, #(&*#operands.operand()?),*)
        }
    }
}

fn method(f: &Function, base: &Base) -> TokenStream {
    let Function { attrs, name, operands, .. } = f;
    let site = Span::mixed_site();
    let others = operands.get(1..).unwrap_or_default();
    let letters: Vec<Ident> =
        LETTERS.iter().skip(1).take(others.len()).map(|l| Ident::new(l, site)).collect();
    let own = quote_spanned!(site=> Self::Value);
    let values: Vec<TokenStream> =
        std::iter::once(own).chain(letters.iter().map(|l| quote!(#l::Value))).collect();
    let (last, of, call) = meaning(f, &values, base);
    let bound = at(quote!(#last: #of>), name.span());
    let (arguments, types) = arguments(f);
    let (made, site_of_call) = (made(f, base), site_of_call(base));
    let summary = docs::summary(attrs).unwrap_or_default();
    let link = format!("See [`{name}`]({name}()).");
    quote_spanned! {site=>
        #[doc = #summary]
        ///
        #[doc = #link]
        ///
        /// # Errors
        /// As the function.
        #[track_caller]
        fn #name<#(#letters: #base::ops::Operand),*>(
            &self, #(#others: #letters,)* #(#arguments: #types),*
        ) -> #base::Result<<#last as #of>>::Output>
        where
            #bound,
        {
            #site_of_call
            <#last as #of>>::#call(#made, &*self.operand()? #(, &*#others.operand()?)*)
        }
    }
}

/// The bound that operands of these types have a meaning: the type that it is on, the trait up to its `>`, and the method.
/// It is on the last operand, since it is not resolved before that type is known. It is not by name, as bounds of ops
/// are: so a message names the op that the type lacks.
fn meaning(f: &Function, values: &[TokenStream], base: &Base) -> (TokenStream, TokenStream, Ident) {
    let (op, private, site) = (&f.op, base.private(), Span::mixed_site());
    let op_type = quote!(#op);
    let (last, of, call) = match values {
        [x] => (x, quote!(#base::ops::Apply1<#op), "apply1"),
        [x, y] => (y, quote!(#private::Second<#x, #op), "second"),
        // The parser takes one to three operands.
        [x, y, z, ..] => (z, quote!(#private::Third<#x, #y, #op), "third"),
        [] => (&op_type, quote!(#base::ops::Apply1<#op), "apply1"),
    };
    (last.clone(), of, Ident::new(call, site))
}

/// Marks the user's line and the name of the function, which errors show.
fn site_of_call(base: &Base) -> TokenStream {
    let private = base.private();
    quote_spanned! {Span::mixed_site()=>
        fn here() {}
        let _site =
            #private::call_site_of(::core::option::Option::Some(#private::path_of(&here)));
    }
}

/// The names and types of the arguments as callers see them.
fn arguments(f: &Function) -> (Vec<&Ident>, Vec<&syn::Type>) {
    f.arguments.iter().map(|a| (&a.name, &a.ty)).unzip()
}
