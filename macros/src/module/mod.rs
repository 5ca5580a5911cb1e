//! `#[derive(Module)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Field, Ident, Member, Meta, Type};

use crate::shared::generics::{FieldBound, Parameters};
use crate::shared::options::{Options, Table};
use crate::shared::{Base, Diagnostics, types};

static OPTIONS: Table = Table {
    attribute: "module",
    known: &[("crate", "crate = ::path")],
    foreign: &[
        ("name", "a module has no name of its own: its variables have"),
        ("plain", "put `#[plain]` on the field"),
    ],
};

struct Model {
    base: Base,
    ident: Ident,
    params: Parameters,
    fields: Vec<ModuleField>,
}

struct ModuleField {
    member: Member,
    name: String,
    ty: Type,
    kind: Kind,
    generic: bool,
    /// True if the names in its type are of types that may be fields.
    known: bool,
}

impl ModuleField {
    /// True if the type is a field without looking, or if a bound says so. Of others the assertion tells, and
    /// nothing else is to be an error.
    fn is_certain(&self) -> bool {
        self.generic || self.known
    }
}

#[derive(PartialEq)]
enum Kind {
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
    if diagnostics.is_severe() {
        model.fields.clear();
    }
    let mut tokens = diagnostics.finish();
    if input.generics.lifetimes().next().is_none() {
        tokens.extend(module(&model));
        tokens.extend(assertions(&model));
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
    // What a trace is found by has a type for ever.
    for param in input.generics.type_params() {
        let ident = &param.ident;
        params.require(quote!(#ident: 'static));
    }
    let names = params.names();
    let fields: Vec<ModuleField> = match &input.data {
        Data::Struct(s) => {
            s.fields.iter().zip(s.fields.members()).map(|(f, m)| field(f, m, &names, d)).collect()
        }
        Data::Enum(_) | Data::Union(_) => Vec::new(),
    };
    params.infer(&input.ident, fields.iter().filter_map(|f| bound(f, &base)));
    Model { base, ident: input.ident.clone(), params, fields }
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
    let kind = if types::is_named(&field.ty, "PhantomData") {
        Kind::Marker
    } else if !plain.is_empty() || types::is_made_of_plain(&field.ty) {
        Kind::Plain
    } else {
        Kind::State
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
        kind,
    }
}

fn bound<'a>(field: &'a ModuleField, base: &Base) -> Option<FieldBound<'a>> {
    let (ty, private) = (&field.ty, base.private());
    let bound = match field.kind {
        Kind::State => quote_spanned!(ty.span()=> #private::ModuleState),
        Kind::Plain => quote_spanned!(ty.span()=> #base::StaticData),
        Kind::Marker => return None,
    };
    // What is no parameter is told of by its assertion, and only there.
    Some(FieldBound { ty, generic: field.generic, known: true, recursive: false, bound })
}

fn check(input: &DeriveInput, model: &Model, d: &mut Diagnostics) {
    match &input.data {
        Data::Struct(_) => {}
        Data::Enum(e) => d.severe(
            e.enum_token,
            "`Module` is derived for structs only",
            "hold the enum in a struct, or implement `Module` by hand: `visit` shows every field",
        ),
        Data::Union(u) => {
            d.severe(u.union_token, "`Module` is derived for structs only", "use a struct");
        }
    }
    for lifetime in input.generics.lifetimes() {
        d.severe(
            &lifetime.lifetime,
            "a module owns its state: it has no lifetime parameters",
            "hold the variables themselves; a clone of a variable is the same variable",
        );
    }
    for field in &model.fields {
        let names = types::path_names(&field.ty);
        if let Some((at, text, help)) = foreign(field) {
            d.severe(at, format!("field `{}`: {text}", field.name), help);
            continue;
        }
        if let Some(name) = names.iter().find(|n| *n == "Tensor")
            && field.kind != Kind::Marker
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

/// What is no state by its name: where, why, and what to write.
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
    if field.kind != Kind::State {
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

fn module(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, ident, params, fields } = model;
    let private = base.private();
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let (slot, predicates) = (params.slot(), params.predicate_slot());
    let shown: Vec<_> = fields
        .iter()
        .filter_map(|field| {
            let ModuleField { member, name, kind, .. } = field;
            let by_name = match kind {
                Kind::State => "state",
                Kind::Plain => "plain",
                Kind::Marker => return None,
            };
            Some(if field.is_certain() {
                let function = format_ident!("visit_{by_name}", span = site);
                quote_spanned!(site=> #private::#function(#name, &self.#member, visitor);)
            } else {
                let method = Ident::new(by_name, site);
                quote_spanned!(site=> (&&#private::Part(&self.#member)).#method(#name, visitor);)
            })
        })
        .collect();
    let is_uncertain = |f: &ModuleField| !f.is_certain() && f.kind != Kind::Marker;
    let import = fields.iter().any(is_uncertain).then(|| {
        quote_spanned! {site=>
            #[allow(unused_imports)]
            use #private::{NoPlain as _, NoState as _, VisitPlain as _, VisitState as _};
        }
    });
    let visitor = match shown.is_empty() {
        true => quote_spanned!(site=> _),
        false => quote_spanned!(site=> visitor),
    };
    quote_spanned! {site=>
        #[automatically_derived]
        impl #declared #base::Module for #ident #named #clause {
            fn visit(&self, #visitor: &mut dyn #private::ModuleVisitor) {
                #import
                #(#shown)*
            }
        }

        #base::__module_argument!([#slot] #ident #named, [#predicates]);
    }
}

fn assertions(model: &Model) -> Option<TokenStream> {
    let private = model.base.private();
    let calls: Vec<_> = model
        .fields
        .iter()
        .filter(|f| !f.generic)
        .filter_map(|f| {
            let ty = f.ty.to_token_stream();
            match f.kind {
                Kind::State => {
                    Some(quote_spanned!(f.ty.span()=> let () = <#ty as #private::State>::CHECK;))
                }
                Kind::Plain => Some(
                    quote_spanned!(f.ty.span()=> let () = <#ty as #private::PlainField>::CHECK;),
                ),
                Kind::Marker => None,
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
            "module/expected/unit",
            &expand(quote!(
                struct Stateless;
            )),
        );
    }

    #[test]
    fn what_is_refused() {
        for (item, text) in [
            (
                quote!(
                    enum E {
                        A(Variable),
                    }
                ),
                "for structs only",
            ),
            (quote!(union U { a: u8 }), "for structs only"),
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
