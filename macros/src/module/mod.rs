//! `#[derive(Module)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Ident, Member, Meta, Type};

use crate::shared::generics::{FieldBound, Parameters};
use crate::shared::options::{Options, Table};
use crate::shared::{Base, Diagnostics, types};

static OPTIONS: Table = Table {
    attribute: "module",
    known: &[("crate", "crate = ::path"), ("shared_clone", "shared_clone")],
    foreign: &[
        ("name", "a module has no name of its own: its variables have"),
        ("plain", "put `#[plain]` on the field"),
    ],
};

struct Model {
    base: Base,
    ident: Ident,
    params: Parameters,
    /// True if clones share the variables.
    shared_clone: bool,
    variants: Vec<Variant>,
    is_enum: bool,
}

/// The fields of a variant. A struct has one variant without a name.
struct Variant {
    name: Option<Ident>,
    fields: Vec<ModuleField>,
}

impl Model {
    fn fields(&self) -> impl Iterator<Item = &ModuleField> {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }
}

struct ModuleField {
    member: Member,
    name: String,
    ty: Type,
    role: FieldRole,
    generic: bool,
    /// True if the names in its type show that the type may be a field.
    known: bool,
}

impl ModuleField {
    /// True if the type is known to be allowed, or if a bound requires it. Other types are checked by the assertion,
    /// which should give the only error.
    fn is_certain(&self) -> bool {
        self.generic || self.known
    }
}

#[derive(PartialEq)]
enum FieldRole {
    State,
    Plain,
    Marker,
}

/// The impl for the item, also after errors.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(e) => return e.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let mut model = parse(&input, &mut diagnostics);
    check(&input, &model, &mut diagnostics);
    let is_severe = diagnostics.is_severe();
    if is_severe {
        model.variants.clear();
    }
    let mut tokens = diagnostics.finish();
    if input.generics.lifetimes().next().is_none() {
        tokens.extend(module(&model, is_severe));
        tokens.extend(assertions(&model));
        if !is_severe && !model.shared_clone {
            tokens.extend(unshared(&model));
        }
    }
    tokens
}

fn parse(input: &DeriveInput, d: &mut Diagnostics) -> Model {
    let mut options = Options::new(&OPTIONS);
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("module")) {
        if let Some(list) = d.ok_or_report(attr.meta.require_list()) {
            options.add(list.tokens.clone(), d);
        }
    }
    let base = Base::take(&mut options, d);
    let mut params = Parameters::new(&input.generics);
    // The key of a trace has a `'static` type.
    for param in input.generics.type_params() {
        let ident = &param.ident;
        params.require(quote!(#ident: 'static));
    }
    let shared_clone = options.flag("shared_clone", d).unwrap_or(false);
    let names = params.names();
    let mut variant = |name: Option<&Ident>, fields: &Fields| Variant {
        name: name.cloned(),
        fields: fields.iter().zip(fields.members()).map(|(f, m)| field(f, m, &names, d)).collect(),
    };
    let variants: Vec<Variant> = match &input.data {
        Data::Struct(s) => vec![variant(None, &s.fields)],
        Data::Enum(e) => e.variants.iter().map(|v| variant(Some(&v.ident), &v.fields)).collect(),
        Data::Union(_) => Vec::new(),
    };
    let fields = variants.iter().flat_map(|variant| &variant.fields);
    params.infer(&input.ident, fields.filter_map(|f| bound(f, &base)));
    let is_enum = matches!(input.data, Data::Enum(_));
    Model { base, ident: input.ident.clone(), params, shared_clone, variants, is_enum }
}

fn field(field: &Field, member: Member, params: &[Ident], d: &mut Diagnostics) -> ModuleField {
    let plain: Vec<&Attribute> =
        field.attrs.iter().filter(|a| a.path().is_ident("plain")).collect();
    for attr in &plain {
        if !matches!(attr.meta, Meta::Path(_)) {
            d.mild(attr, "`#[plain]` has no options", "write `#[plain]`");
        }
    }
    if let Some(second) = plain.get(1) {
        d.mild(second, "`#[plain]` is given twice", "remove one of the two");
    }
    let role = if types::is_named(&field.ty, "PhantomData") {
        FieldRole::Marker
    } else if !plain.is_empty() || types::is_made_of_plain(&field.ty) {
        FieldRole::Plain
    } else {
        FieldRole::State
    };
    let name = match &member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    let known = |name: &Ident| {
        let state = ["Variable", "Late", "Vec", "Option", "Box", "BTreeMap", "HashMap", "str"];
        state.iter().any(|k| name == k) || types::is_plain_name(name)
    };
    ModuleField {
        generic: types::mentions(&field.ty, params),
        known: types::path_names(&field.ty).iter().all(known),
        member,
        name,
        ty: field.ty.clone(),
        role,
    }
}

fn bound<'a>(field: &'a ModuleField, base: &Base) -> Option<FieldBound<'a>> {
    let (ty, private) = (&field.ty, base.private());
    let bound = match field.role {
        FieldRole::State => quote_spanned!(ty.span()=> #private::ModuleState),
        FieldRole::Plain => quote_spanned!(ty.span()=> #base::StaticData),
        FieldRole::Marker => return None,
    };
    // Types without parameters are reported by their assertion, and only there.
    Some(FieldBound { ty, generic: field.generic, known: true, recursive: false, bound })
}

fn check(input: &DeriveInput, model: &Model, d: &mut Diagnostics) {
    match &input.data {
        Data::Struct(_) | Data::Enum(_) => {}
        Data::Union(u) => {
            d.severe(u.union_token, "`Module` is derived for structs and enums", "use an enum");
        }
    }
    for lifetime in input.generics.lifetimes() {
        d.severe(
            &lifetime.lifetime,
            "a module owns its state: it has no lifetime parameters",
            "hold the variables themselves; a clone of a variable is the same variable",
        );
    }
    for field in model.fields() {
        let names = types::path_names(&field.ty);
        if let Some((at, text, help)) = foreign(field) {
            d.severe(at, format!("field `{}`: {text}", field.name), help);
            continue;
        }
        // A pass over a dataset holds no elements that a trace could see.
        let is_pass = names.iter().any(|n| *n == "Resumable");
        if let Some(name) = names.iter().find(|n| *n == "Tensor")
            && field.role != FieldRole::Marker
            && !is_pass
        {
            d.severe(
                name,
                format!("field `{}`: a trace would keep the value of a `Tensor`", field.name),
                "make it a `Variable`, or an argument of the method",
            );
        }
        let mutable = ["Cell", "RefCell", "Mutex", "RwLock", "OnceCell", "OnceLock"];
        if let Some(name) = names.iter().find(|n| mutable.iter().any(|m| *n == m)) {
            d.severe(
                name,
                format!("field `{}` changes unseen: a trace would keep its old value", field.name),
                "state that changes is a `Variable`; one that is created once is a `Late<Variable>`",
            );
        }
    }
}

/// A field whose type shows that it can't be state: where, why, and what to write.
fn foreign(field: &ModuleField) -> Option<(TokenStream, &'static str, &'static str)> {
    const FOREIGN: &[(&[&str], &str, &str)] = &[
        (
            &["Rc", "Arc"],
            "a module holds its variables themselves",
            "write what is in it: a clone of a variable is the same variable",
        ),
        (
            &["Function", "ConcreteFunction"],
            "a traced function is no part of a module's state",
            "write a method with `#[tf_function]`",
        ),
    ];
    if field.role != FieldRole::State {
        return None;
    }
    if let Type::FnPtr(_) = types::ungroup(&field.ty) {
        let help = "mark an enum that says which function `#[plain]`, and call it in a `match`";
        return Some((field.ty.to_token_stream(), "a function is no part of a trace's key", help));
    }
    let name = types::last_segment(&field.ty)?.ident.to_string();
    let found = FOREIGN.iter().find(|(names, ..)| names.contains(&name.as_str()));
    found.map(|(_, text, help)| (field.ty.to_token_stream(), *text, *help))
}

/// The operation on each field: a method for uncertain types, a function for certain ones.
#[derive(Clone, Copy)]
enum Does {
    Visits,
    Copies,
}

impl Does {
    fn name(self, role: &FieldRole) -> &'static str {
        match (self, role) {
            (Does::Visits, FieldRole::State) => "state",
            (Does::Visits, _) => "plain",
            (Does::Copies, FieldRole::State) => "copied_state",
            (Does::Copies, _) => "copied_plain",
        }
    }
}

/// A call with a field, given as a reference.
fn called(does: Does, field: &ModuleField, at: &TokenStream, private: &TokenStream) -> TokenStream {
    let site = Span::mixed_site();
    let by_name = does.name(&field.role);
    let (before, after) = match does {
        Does::Visits => {
            let name = &field.name;
            (Some(quote!(#name,)), quote_spanned!(site=> visitor))
        }
        Does::Copies => (None, quote_spanned!(site=> copies)),
    };
    if field.is_certain() {
        let function = match does {
            Does::Visits => format_ident!("visit_{by_name}", span = site),
            Does::Copies => Ident::new(by_name, site),
        };
        let value = before.as_ref().map_or_else(|| quote!(#at,), |name| quote!(#name #at,));
        quote_spanned!(site=> #private::#function(#value #after))
    } else {
        let method = Ident::new(by_name, site);
        quote_spanned!(site=> (&&#private::Part(#at)).#method(#before #after))
    }
}

/// The body of a method that does something with every field of the current variant.
fn each(model: &Model, body: impl Fn(&Variant, &[TokenStream]) -> TokenStream) -> TokenStream {
    let site = Span::mixed_site();
    let arms: Vec<TokenStream> = model
        .variants
        .iter()
        .map(|variant| {
            let Some(name) = &variant.name else {
                let places = variant
                    .fields
                    .iter()
                    .map(|ModuleField { member, .. }| quote_spanned!(site=> &self.#member));
                return body(variant, &Vec::from_iter(places));
            };
            let bindings: Vec<_> =
                (0..variant.fields.len()).map(|i| format_ident!("field{i}", span = site)).collect();
            let patterns = variant.fields.iter().zip(&bindings).map(|(field, binding)| {
                let member = &field.member;
                match field.role {
                    FieldRole::Marker => quote_spanned!(site=> #member: _),
                    _ => quote_spanned!(site=> #member: #binding),
                }
            });
            let places = Vec::from_iter(bindings.iter().map(ToTokens::to_token_stream));
            let done = body(variant, &places);
            quote_spanned!(site=> Self::#name { #(#patterns),* } => { #done })
        })
        .collect();
    match model.is_enum {
        false => quote!(#(#arms)*),
        true if arms.is_empty() => quote_spanned!(site=> match *self {}),
        true => quote_spanned!(site=> match self { #(#arms)* }),
    }
}

/// The impls of `Module` and `Argument`.
fn module(model: &Model, is_severe: bool) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, ident, params, .. } = model;
    let private = base.private();
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let (slot, predicates) = (params.slot(), params.predicate_slot());
    let is_uncertain = |f: &ModuleField| !f.is_certain() && f.role != FieldRole::Marker;
    let import = model.fields().any(is_uncertain).then(|| {
        quote_spanned! {site=>
            #[allow(unused_imports)]
            use #private::{NoPlain as _, NoState as _, VisitPlain as _, VisitState as _};
        }
    });
    let is_shown = model.is_enum && !model.variants.is_empty()
        || model.fields().any(|f| f.role != FieldRole::Marker);
    let visitor = if is_shown { quote_spanned!(site=> visitor) } else { quote_spanned!(site=> _) };
    let visit = match is_severe {
        true => TokenStream::new(),
        false => each(model, |variant, places| {
            let name = variant.name.as_ref().map(|name| {
                let name = name.unraw().to_string();
                quote_spanned!(site=> #private::visit_plain("variant", &#name, visitor);)
            });
            let fields =
                variant.fields.iter().zip(places).filter(|(f, _)| f.role != FieldRole::Marker);
            let shown = fields.map(|(f, at)| called(Does::Visits, f, at, &private));
            quote!(#name #(#shown;)*)
        }),
    };
    let copied = (!is_severe).then(|| {
        let is_used = model.fields().any(|f| f.role != FieldRole::Marker);
        let copies = if is_used { quote_spanned!(site=> copies) } else { quote_spanned!(site=> _) };
        let body = each(model, |variant, places| {
            let own = match &variant.name {
                Some(name) => quote_spanned!(site=> Self::#name),
                None => quote_spanned!(site=> Self),
            };
            let fields = variant.fields.iter().zip(places).map(|(f, at)| {
                let member = &f.member;
                match f.role {
                    FieldRole::Marker => {
                        quote_spanned!(site=> #member: ::core::marker::PhantomData)
                    }
                    _ => {
                        let value = called(Does::Copies, f, at, &private);
                        quote_spanned!(site=> #member: #value?)
                    }
                }
            });
            quote_spanned!(site=> ::core::result::Result::Ok(#own { #(#fields),* }))
        });
        quote_spanned! {site=>
            fn copied(&self, #copies: &#private::VariableCopies) -> #base::Result<Self> {
                #import
                #body
            }
        }
    });
    quote_spanned! {site=>
        #[automatically_derived]
        impl #declared #base::Module for #ident #named #clause {
            fn visit(&self, #visitor: &mut dyn #private::ModuleVisitor) {
                #import
                #visit
            }

            #copied
        }

        #base::__module_argument!([#slot] #ident #named, [#predicates]);
    }
}

/// Refuses a `Clone` impl unless the user declared that clones share the variables. Assumes that type parameters are
/// `Clone`, as `derive(Clone)` does.
fn unshared(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, ident, params, .. } = model;
    let private = base.private();
    let mut cloned = params.clone();
    params.type_names().for_each(|name| cloned.require(quote!(#name: ::core::clone::Clone)));
    let (declared, named, clause) = (cloned.declared(), cloned.named(), cloned.clause());
    // With this span rustc shows the derive.
    let told = quote_spanned!(Span::call_site()=> #private::may_share::<#ident #named, _>);
    quote_spanned! {site=>
        const _: () = {
            #[allow(dead_code, unused_imports)]
            fn check #declared () #clause {
                use #private::NotClone as _;
                #told(<#private::Clones<#ident #named>>::found());
            }
        };
    }
}

fn assertions(model: &Model) -> Option<TokenStream> {
    let private = model.base.private();
    let calls: Vec<_> = model
        .fields()
        .filter(|f| !f.generic)
        .filter_map(|f| {
            let ty = f.ty.to_token_stream();
            match f.role {
                FieldRole::State => {
                    Some(quote_spanned!(f.ty.span()=> let () = <#ty as #private::State>::CHECK;))
                }
                FieldRole::Plain => Some(
                    quote_spanned!(f.ty.span()=> let () = <#ty as #private::PlainField>::CHECK;),
                ),
                FieldRole::Marker => None,
            }
        })
        .collect();
    (!calls.is_empty()).then(|| quote_spanned!(Span::mixed_site()=> const _: () = { #(#calls)* };))
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;
    use crate::shared::testing;

    fn messages(item: TokenStream) -> Vec<String> {
        let input: DeriveInput = syn::parse2(item).unwrap();
        let mut d = Diagnostics::new();
        let model = parse(&input, &mut d);
        check(&input, &model, &mut d);
        d.messages()
    }

    #[test]
    fn expansions() {
        testing::expect(
            "module/expected/model",
            &expand(quote! {
                struct Model { w: Variable, bias: Late<Variable>, layers: Vec<Dense>, units: usize, #[plain] mode: Mode }
            }),
        );
        testing::expect(
            "module/expected/generic",
            &expand(quote!(
                struct Pair<A, B: Module>(A, B, PhantomData<A>);
            )),
        );
        testing::expect(
            "module/expected/variants",
            &expand(quote! {
                #[module(shared_clone)]
                enum Layer<A> { Dense { w: Variable, units: usize }, Other(A, Mode), Nothing }
            }),
        );
        testing::expect(
            "module/expected/unit",
            &expand(quote!(
                struct Stateless;
            )),
        );
    }

    #[test]
    fn what_is_refused() {
        for (item, text) in [
            (quote!(union U { a: u8 }), "for structs and enums"),
            (
                quote!(
                    struct S<'a> {
                        a: PhantomData<&'a ()>,
                    }
                ),
                "owns its state",
            ),
            (
                quote!(
                    struct S {
                        #[plain]
                        a: Vec<Tensor>,
                    }
                ),
                "would keep the value",
            ),
            (
                quote!(
                    struct S {
                        a: RefCell<Variable>,
                    }
                ),
                "changes unseen",
            ),
            (
                quote!(
                    struct S {
                        #[plain(x)]
                        a: Mode,
                    }
                ),
                "no options",
            ),
            (
                quote!(
                    struct S {
                        #[plain]
                        #[plain]
                        a: Mode,
                    }
                ),
                "given twice",
            ),
            (
                quote!(
                    #[module(name = "x")]
                    struct S {
                        a: Variable,
                    }
                ),
                "no name of its own",
            ),
        ] {
            let messages = messages(item);
            assert!(messages.len() == 1 && messages[0].contains(text), "{text}: {messages:#?}");
        }
        for (ty, text) in [
            (quote!(Tensor), "make it a `Variable`"),
            (quote!(Rc<Variable>), "is the same variable"),
            (quote!(fn(&Tensor) -> Tensor), "an enum that says which"),
            (quote!(Function<F, A>), "a method with"),
        ] {
            let messages = messages(quote!(struct S { a: #ty }));
            assert!(messages.len() == 1 && messages[0].contains(text), "{text}: {messages:#?}");
        }
        assert!(
            messages(quote!(
                struct S {
                    #[plain]
                    a: Mode,
                    b: Variable,
                }
            ))
            .is_empty()
        );
    }
}
