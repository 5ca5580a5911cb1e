//! A traced method and its siblings.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::ext::IdentExt;

use super::super::model::Model;
use super::{calls, state};

pub(super) fn method(model: &Model, handle: &Ident) -> TokenStream {
    let base = model.sig.ident.unraw();
    let names = Names {
        state: format_ident!(
            "__{base}_in_a_trait_impl_needs_handle_equal_none",
            span = Span::mixed_site()
        ),
        body: format_ident!("__{base}_body", span = Span::mixed_site()),
    };
    // The state comes first: in an `impl` of a trait rustc's first error shows its name.
    let mut tokens = function_state(model, &names);
    tokens.extend(public(model, handle, &names));
    tokens.extend(sibling(model, handle, &names));
    tokens.extend(concrete(model, &names));
    tokens.extend(body(model, &names));
    tokens
}

struct Names {
    state: Ident,
    body: Ident,
}

/// `::<T>` with the method's own parameters, or nothing.
fn turbofish(model: &Model) -> TokenStream {
    model.params.turbofish()
}

/// The method that users call.
fn public(model: &Model, handle: &Ident, names: &Names) -> TokenStream {
    let (attrs, vis, turbofish) = (&model.attrs.public, &model.vis, turbofish(model));
    let Names { state, body } = names;
    let sig = calls::public_signature(model);
    let span = calls::span(model);
    let mut passed = Vec::from_iter(calls::receiver(model, span));
    passed.extend(model.arguments.iter().map(|a| calls::passed(model, a, span)));
    let mut bound = vec![quote_spanned!(span=> this)];
    bound.extend(calls::locals(model, span));
    let given = calls::all_given(model, span);
    let (passed, bound) = (calls::tuple(&passed, span), calls::tuple(&bound, span));
    let (lints, assertions) = (calls::lints(model), state::assertions(model));
    let method = calls::call(model, span);
    let call = quote_spanned! {span=>
        Self::#state #turbofish().#method(#passed, |#bound| Self::#body #turbofish(&this #(, #given)*))
    };
    let docs = calls::docs(
        model,
        &format!("Traced once for each signature; `{handle}()` tells of the traces."),
    );
    quote_spanned! {Span::mixed_site()=>
        #(#attrs)*
        #docs
        #lints
        #[track_caller]
        #vis #sig {
            #assertions
            #call
        }
    }
}

/// The function object.
fn sibling(model: &Model, handle: &Ident, names: &Names) -> TokenStream {
    let (private, vis, cfg) = (model.base.private(), &model.vis, &model.attrs.cfg);
    let (declared, clause, turbofish) =
        (model.params.declared(), model.params.clause(), turbofish(model));
    let state = &names.state;
    let docs = format!("The traced function behind [`{0}`](Self::{0}).", model.sig.ident.unraw());
    quote_spanned! {Span::mixed_site()=>
        #(#cfg)*
        #[doc = #docs]
        #[allow(dead_code, clippy::multiple_bound_locations)]
        #vis fn #handle #declared(&self) -> #private::BoundFunction<'_, Self> #clause {
            #private::BoundFunction::new(Self::#state #turbofish(), self)
        }
    }
}

/// The trace for given argument types.
fn concrete(model: &Model, names: &Names) -> TokenStream {
    let (site, base) = (Span::mixed_site(), &model.base);
    let (vis, cfg, turbofish) = (&model.vis, &model.attrs.cfg, turbofish(model));
    let (declared, predicates) = (model.params.declared(), model.params.predicate_slot());
    let Names { state, body } = names;
    let method = model.sig.ident.unraw();
    let name = format_ident!("{method}_concrete");
    let docs = format!(
        "The trace of [`{method}`](Self::{method}) for arguments of these types, made if it is not there."
    );
    let values: Vec<_> = model.arguments.iter().map(|a| &a.value).collect();
    let locals: Vec<_> = (0..values.len()).map(calls::local).collect();
    let arguments: Vec<_> = model.arguments.iter().map(|a| &a.name).collect();
    let specs = match arguments.is_empty() {
        true => quote_spanned!(site=> #base::Structure::type_spec(&())),
        false => quote_spanned!(site=> (#(::core::clone::Clone::clone(#arguments),)*)),
    };
    let (given, bounds) = (calls::owned(model), calls::structures(model));
    // The same span as in the public method, where rustc already reported a receiver that is no argument.
    let span = calls::span(model);
    let receiver = calls::receiver(model, span);
    let call = quote_spanned! {span=>
        Self::#state #turbofish().concrete_of::<_, (#(#values,)*), _>(
            (#receiver,),
            #specs,
            |(this,), (#(#locals,)*)| Self::#body #turbofish(&this #(, #given)*),
        )
    };
    quote_spanned! {site=>
        #(#cfg)*
        #[doc = #docs]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = "What the body fails with while it is traced."]
        #[allow(dead_code, clippy::multiple_bound_locations)]
        #vis fn #name #declared(
            &#receiver #(, #arguments: &<#values as #base::Structure>::Spec)*
        ) -> #base::Result<#base::ConcreteFunction>
        where
            #predicates
            #bounds
        {
            #call
        }
    }
}

fn function_state(model: &Model, names: &Names) -> TokenStream {
    let (private, cfg) = (model.base.private(), &model.attrs.cfg);
    let (declared, clause) = (model.params.declared(), model.params.clause());
    let (name, made) = (&names.state, state(model));
    quote_spanned! {Span::mixed_site()=>
        #(#cfg)*
        #[doc(hidden)]
        #[allow(clippy::multiple_bound_locations)]
        fn #name #declared() -> &'static #private::FunctionState #clause {
            #made
        }
    }
}

fn body(model: &Model, names: &Names) -> TokenStream {
    let (cfg, attrs, body) = (&model.attrs.cfg, &model.attrs.body, &model.body);
    let mut sig = model.sig.clone();
    sig.ident = names.body.clone();
    quote_spanned! {Span::mixed_site()=>
        #(#cfg)*
        #(#attrs)*
        #[doc(hidden)]
        #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
        #sig #body
    }
}

/// A method with parameters of its own has one state per choice of them.
fn state(model: &Model) -> TokenStream {
    if model.params.is_empty() {
        return state::state(model, None);
    }
    let types = model.sig.generics.type_params().map(|t| &t.ident);
    let instance = quote_spanned! {Span::mixed_site()=> (fn() -> Self, #(fn() -> #types,)*)};
    state::state(model, Some(instance))
}
