//! The items of a row: struct, definition, meaning for tensors, function, method.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, ExprClosure, Pat, Type};

use super::model::{Dispatch, Form, Function, Model, Row, attribute_name};
use super::parse::{Argument, ArgumentType, Dtype, Gradient, Made, Operands};
use crate::shared::{Base, docs};

pub(super) fn all(model: &Model) -> TokenStream {
    let base = &model.base;
    let rows = model.rows.iter().map(|row| items(row, base));
    let methods = model.methods.as_ref().map(|methods| {
        let (docs, name) = (&methods.docs, &methods.name);
        let calls = model.rows.iter().filter_map(|row| method(row, row.call.as_ref()?, base));
        quote_spanned! {Span::mixed_site()=>
            #(#docs)*
            pub trait #name: #base::ops::Operand {
                #(#calls)*
            }

            impl<X: #base::ops::HasMethods + ?Sized> #name for X {}
        }
    });
    quote!(#(#rows)* #methods)
}

fn items(row: &Row, base: &Base) -> TokenStream {
    let holder = holder(row, base);
    let definition = definition(row, base);
    let gradient = gradient(row, base);
    let op = op_impl(row, base);
    let apply = apply(row, base);
    let function = row.call.as_ref().map(|call| function(row, call, base));
    quote_spanned! {Span::mixed_site()=>
        #holder
        const _: () = {
            #definition
            #gradient
            #op
            #apply
        };
        #function
    }
}

/// The fields of the struct: attributes, then inputs that are plain data.
fn fields(row: &Row) -> Vec<(&Ident, &Type, String)> {
    let attrs = row
        .attrs
        .iter()
        .map(|a| (&a.field, &a.ty, format!("The attribute `{}`.", attribute_name(a))));
    let statics = row.statics().map(|(argument, field, ty)| {
        (field, ty, format!("The input `{}`, plain data in Rust.", argument.name))
    });
    attrs.chain(statics).collect()
}

fn holder(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let (vis, name, holder) = (&row.vis, &row.name, &row.holder);
    let docs = docs_of_type(row);
    let alias = alias(row);
    let fields =
        fields(row).into_iter().map(|(field, ty, doc)| quote!(#[doc = #doc] pub #field: #ty,));
    let keys = row.attrs.iter().map(|a| {
        let (name, ty) = (attribute_name(a), &a.ty);
        let key = Ident::new(&a.field.to_string().to_uppercase(), a.field.span());
        let doc = format!("Names the attribute `{name}` of a call of this op.");
        quote_spanned! {site=>
            #[doc = #doc]
            pub const #key: #base::op::AttrKey<#ty> = #base::op::AttrKey::new(#name);
        }
    });
    let keys = (!row.attrs.is_empty()).then(|| quote!(impl #holder { #(#keys)* }));
    if row.form == Form::Standalone {
        return quote_spanned! {site=>
            #(#docs)*
            #alias
            #[derive(Clone, Debug, PartialEq)]
            #vis struct #name { #(#fields)* }
            #keys
        };
    }
    let family = family_type(row);
    let doc = format!("Tells [`{name}`] from the other ops of its family.");
    let defaults = row.attrs.iter().map(|a| {
        let (field, default) = (&a.field, &a.default);
        quote!(#field: #default,)
    });
    quote_spanned! {site=>
        #(#docs)*
        #alias
        #vis type #name = #base::ops::#family<#holder>;

        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        #vis struct #holder { #(#fields)* }

        impl ::core::default::Default for #holder {
            fn default() -> Self {
                Self { #(#defaults)* }
            }
        }
        #keys
    }
}

/// The wrapper of a family, which is also the name of its marker.
fn family_type(row: &Row) -> TokenStream {
    match row.form {
        Form::Unary => quote!(Unary),
        Form::Binary => quote!(Binary),
        _ => quote!(Reduce),
    }
}

fn marker(row: &Row) -> TokenStream {
    match row.form {
        Form::Unary => quote!(Unary),
        Form::Binary => quote!(Binary),
        _ => quote!(Reduction),
    }
}

fn alias(row: &Row) -> Option<TokenStream> {
    let (name, graph) = (row.name.to_string(), row.graph.value());
    (graph != name).then(|| quote!(#[doc(alias = #graph)]))
}

/// The docs of the struct: all if there is no function, else the summary and where the rest is.
fn docs_of_type(row: &Row) -> Vec<TokenStream> {
    match (&row.call, docs::summary(&row.docs)) {
        (Some(call), Some(summary)) => {
            let link = format!("The op of [`{0}`]({0}()), whose page tells all.", call.name);
            vec![quote!(#[doc = #summary] #[doc = ""] #[doc = #link])]
        }
        _ => row.docs.iter().map(ToTokens::to_token_stream).collect(),
    }
}

fn definition(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let private = base.private();
    let (graph, name) = (&row.graph, row.name.to_string());
    let doc = doc_text(&row.docs);
    let inputs = row.inputs.iter().enumerate().map(|(i, a)| {
        let of = argument(a, base);
        // The axes of a reduction are a field of its family.
        let is_static = a.field.is_some() || row.form == Form::Reduction && i == 1;
        if is_static { quote!(#of.in_rust()) } else { of }
    });
    let outputs = row.outputs.iter().map(|a| argument(a, base));
    let types = row.types.iter().map(|(name, set)| {
        let name = name.to_string();
        quote_spanned!(site=> #base::op::AttrDef::dtype(#name, #set))
    });
    let lengths = row.lengths().into_iter().map(|n| {
        let n = n.to_string();
        quote_spanned!(site=> #base::op::AttrDef::length(#n))
    });
    let keep_dims = (row.form == Form::Reduction).then(|| {
        quote_spanned!(site=> #base::op::AttrDef::of::<bool>("keep_dims").or(|| #base::op::Attr::to_attr(&false)),)
    });
    let attrs = row.attrs.iter().map(|a| {
        let (name, ty) = (attribute_name(a), &a.ty);
        let default = a.default.as_ref().map(|default| {
            quote_spanned!(site=> .or(|| {
                let default: #ty = #default;
                #base::op::Attr::to_attr(&default)
            }))
        });
        quote_spanned!(site=> #base::op::AttrDef::of::<#ty>(#name)#default)
    });
    let kind = match row.form {
        Form::Standalone => quote!(Standalone),
        Form::Unary => quote!(UnaryElementwise),
        Form::Binary => quote!(BinaryElementwise),
        Form::Reduction => quote!(Reduction),
    };
    let infer = row.infer.as_ref().map_or_else(
        || match row.form {
            Form::Binary => quote!(#base::ops::rules::broadcast),
            Form::Reduction => quote!(#base::ops::rules::reduction),
            _ => quote!(#base::ops::rules::same_shape),
        },
        ToTokens::to_token_stream,
    );
    let kernel = row.kernel.as_ref().map(|k| kernel(k, base));
    let effect = &row.effect;
    let finite_at = (!row.finite_at.is_empty()).then(|| {
        let points = row.finite_at.iter().map(|point| match point {
            Some(point) => quote!(::core::option::Option::Some(#point)),
            None => quote!(::core::option::Option::None),
        });
        quote!(.with_finite_at(&[#(#points),*]))
    });
    quote_spanned! {site=>
        static DEF: #base::op::OpDef = #base::op::OpDef::new(#graph, #name, #infer, #kernel)
            .with_doc(#doc)
            .with_kind(#base::op::OpKind::#kind)
            .with_effect(#base::op::Effect::#effect)
            .with_inputs(&[#(#inputs),*])
            .with_outputs(&[#(#outputs),*])
            .with_attrs(&[#(#types,)* #(#lengths,)* #keep_dims #(#attrs,)*])
            #finite_at;

        #private::inventory::submit!(#base::op::OpEntry(&DEF));
    }
}

/// `Map(&TABLE)` is a kernel of that kind, everything else a function.
fn kernel(expr: &Expr, base: &Base) -> TokenStream {
    let is_kind = match expr {
        Expr::Call(call) => match &*call.func {
            Expr::Path(p) => p.path.get_ident().is_some_and(|i| {
                i.to_string().starts_with(|first: char| first.is_ascii_uppercase())
            }),
            _ => false,
        },
        _ => false,
    };
    match is_kind {
        true => quote!(#base::op::Kernel::#expr),
        false => quote!(#base::op::Kernel::General(#expr)),
    }
}

fn doc_text(docs: &[Attribute]) -> String {
    let lines = docs.iter().filter_map(|a| match &a.meta {
        syn::Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => Some(s.value()),
            _ => None,
        },
        _ => None,
    });
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

fn argument(a: &Argument, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let name = a.name.to_string();
    let dtype = |d: &Dtype| match d {
        Dtype::Var(var) => {
            let var = var.to_string();
            quote_spanned!(site=> #base::op::ArgType::Var(#var))
        }
        Dtype::Fixed(dtype) => {
            quote_spanned!(site=> #base::op::ArgType::Fixed(#base::types::DType::#dtype))
        }
    };
    match &a.ty {
        ArgumentType::One(d) => {
            let dtype = dtype(d);
            quote_spanned!(site=> #base::op::ArgDef::one(#name, #dtype))
        }
        ArgumentType::List(d, n) => {
            let (dtype, n) = (dtype(d), n.to_string());
            quote_spanned!(site=> #base::op::ArgDef::list(#name, #dtype, #n))
        }
        ArgumentType::Each(var) => {
            let var = var.to_string();
            quote_spanned!(site=> #base::op::ArgDef::each(#name, #var))
        }
    }
}

/// The rule, as an entry beside the definition.
fn gradient(row: &Row, base: &Base) -> Option<TokenStream> {
    let site = Span::mixed_site();
    let private = base.private();
    let (of, call) = match row.gradient.as_ref()? {
        Gradient::None => (None, quote_spanned!(site=> #private::no_gradients(g))),
        Gradient::Rule(f) => {
            (None, quote_spanned!(site=> #private::IntoGradients::into_gradients((#f)(g)?, g)))
        }
        Gradient::Closure(closure) => {
            let (of, call) = closure_rule(closure, row.form, base);
            (Some(of), call)
        }
    };
    Some(quote_spanned! {site=>
        #of

        fn rule(g: &#private::Gradient<'_>) -> #base::Result<#private::InputGradients> {
            ::core::result::Result::Ok(#call)
        }

        #private::inventory::submit!(#private::GradientEntry::new(&DEF, rule));
    })
}

/// The function that a closure of a row stands for, and the call of it.
fn closure_rule(closure: &ExprClosure, form: Form, base: &Base) -> (TokenStream, TokenStream) {
    let site = Span::mixed_site();
    let private = base.private();
    let (patterns, body) = (closure.inputs.iter().collect::<Vec<_>>(), &closure.body);
    // What a rule of its form need not look at.
    let used = patterns.iter().filter(|p| matches!(p, Pat::Ident(_)));
    let used = quote_spanned!(site=> #(let _ = #used;)*);
    let tensor = quote_spanned!(site=> &#base::Tensor);
    let others = patterns.iter().skip(1).map(|p| quote!(#p: #tensor));
    let g = patterns.first();
    let parameters = quote_spanned!(site=> #g: &#private::Gradient<'_>, #(#others),*);
    match form {
        Form::Unary => (
            quote_spanned! {site=>
                fn of(#parameters) -> #base::Result<#base::Tensor> {
                    #used
                    ::core::result::Result::Ok(#body)
                }
            },
            quote_spanned!(site=> #private::IntoGradients::into_gradients(of(g, g.dy()?)?, g)),
        ),
        Form::Binary => (
            quote_spanned! {site=>
                fn of(#parameters) -> #base::Result<[::core::option::Option<#base::Tensor>; 2]> {
                    #used
                    let (x, y) = #body;
                    ::core::result::Result::Ok([
                        ::core::convert::Into::into(x),
                        ::core::convert::Into::into(y),
                    ])
                }
            },
            quote_spanned! {site=>
                #private::unbroadcast_gradients(g, of(g, g.x(0), g.x(1), g.dy()?)?)?
            },
        ),
        _ => (
            quote_spanned! {site=>
                fn of(#parameters) -> #base::Result<impl #private::IntoGradients> {
                    #used
                    #body
                }
            },
            quote_spanned!(site=> #private::IntoGradients::into_gradients(of(g)?, g)),
        ),
    }
}

fn op_impl(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let private = base.private();
    let (name, holder, graph) = (row.name.to_string(), &row.holder, &row.graph);
    let named = quote_spanned! {site=>
        impl #base::ops::NamedOp for #holder {
            const NAME: &'static str = #graph;
            const RUST_NAME: &'static str = #name;
            const DEF: &'static #base::op::OpDef = &DEF;
        }
    };
    let set = row.attrs.iter().map(|a| {
        let (name, field) = (attribute_name(a), &a.field);
        quote_spanned!(site=> .with(#base::op::AttrKey::new(#name), &self.#field))
    });
    let attrs = quote_spanned! {site=>
        fn attrs(&self) -> #base::op::Attrs {
            #base::op::Attrs::new() #(#set)*
        }
    };
    let got: Vec<_> = row
        .attrs
        .iter()
        .map(|a| {
            let (name, field) = (attribute_name(a), &a.field);
            quote_spanned!(site=> #field: attrs.get(#base::op::AttrKey::new(#name))?,)
        })
        .collect();
    if row.form != Form::Standalone {
        let marker = marker(row);
        return quote_spanned! {site=>
            #named

            impl #base::ops::FunctionOf<#base::ops::family::#marker> for #holder {
                fn def(&self) -> &'static #base::op::OpDef {
                    &DEF
                }

                #attrs

                fn from_attrs(attrs: &#base::op::Attrs) -> #base::Result<Self> {
                    let _ = attrs;
                    ::core::result::Result::Ok(Self { #(#got)* })
                }
            }
        };
    }
    let count = row.statics().count();
    let inputs = row.statics().map(
        |(_, field, _)| quote_spanned!(site=> #private::StaticInput::to_input(&self.#field, first)?),
    );
    let from = row.statics().map(|(_, field, _)| {
        quote_spanned!(site=> #field: #private::StaticInput::from_input(statics.next())?,)
    });
    let statics = (count > 0).then(|| {
        quote_spanned! {site=>
            fn static_inputs(&self, first: &#base::Tensor) -> #base::Result<#private::StaticInputs> {
                ::core::result::Result::Ok(#private::StaticInputs::from_iter([#(#inputs),*]))
            }
        }
    });
    quote_spanned! {site=>
        #named

        impl #base::ops::Op for #holder {
            const STATIC_INPUTS: usize = #count;

            fn def(&self) -> &'static #base::op::OpDef {
                &DEF
            }

            #attrs

            #statics

            fn from_parts(attrs: &#base::op::Attrs, statics: &[#base::Tensor]) -> #base::Result<Self> {
                let _ = attrs;
                let mut statics = statics.iter();
                let made = Self { #(#got)* #(#from)* };
                let _ = statics.next();
                ::core::result::Result::Ok(made)
            }
        }
    }
}

/// The type that a call gives.
fn results(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let private = base.private();
    let tensor = quote_spanned!(site=> #base::Tensor);
    match &row.outputs[..] {
        [] => quote!(()),
        [one] if !matches!(one.ty, ArgumentType::One(_)) => {
            quote_spanned!(site=> #private::Vec<#tensor>)
        }
        [_] => tensor,
        more => {
            let each = more.iter().map(|_| &tensor);
            quote!((#(#each),*))
        }
    }
}

/// What the op means for tensors.
fn apply(row: &Row, base: &Base) -> Option<TokenStream> {
    if row.form != Form::Standalone {
        return None;
    }
    let site = Span::mixed_site();
    let (name, output) = (&row.name, results(row, base));
    let tensor = quote_spanned!(site=> #base::Tensor);
    let (of, method, parameters, operands) = match row.dispatch {
        Dispatch::None => return None,
        Dispatch::Sequence => (
            quote_spanned!(site=> ApplySeq<#name>),
            quote_spanned!(site=> apply_seq),
            quote_spanned!(site=> xs: &[&Self]),
            quote_spanned!(site=> xs),
        ),
        Dispatch::Operands(n) => {
            let locals: Vec<Ident> =
                ["x", "y", "z"].iter().take(n).map(|l| Ident::new(l, site)).collect();
            let (of, method) = (format_ident!("Apply{n}"), format_ident!("apply{n}"));
            let others = locals.iter().skip(1).map(|_| &tensor);
            (
                quote_spanned!(site=> #of<#(#others,)* #name>),
                quote!(#method),
                quote_spanned!(site=> #(#locals: &#tensor),*),
                quote_spanned!(site=> &[#(#locals),*]),
            )
        }
    };
    Some(quote_spanned! {site=>
        #[diagnostic::do_not_recommend]
        impl #base::ops::#of for #tensor {
            type Output = #output;

            #[track_caller]
            fn #method(op: &#name, #parameters) -> #base::Result<Self::Output> {
                #base::ops::Op::run_as(op, #operands)
            }
        }
    })
}

/// `X: Operand, Y: Operand`, the trait with its arguments, the result type and the bound.
struct Generic {
    letters: Vec<Ident>,
    output: TokenStream,
    bound: TokenStream,
}

fn generic(row: &Row, receiver: Option<TokenStream>, base: &Base) -> Option<Generic> {
    let site = Span::mixed_site();
    let op = &row.name;
    let (letters, of) = match row.dispatch {
        Dispatch::None => return None,
        Dispatch::Sequence => {
            let of = quote_spanned!(site=> #base::ops::Items<#op>);
            return Some(Generic {
                letters: vec![Ident::new("X", site)],
                output: quote_spanned!(site=> #base::Result<<X as #of>::Output>),
                bound: quote_spanned!(site=> X: #of),
            });
        }
        Dispatch::Operands(n) => {
            let letters: Vec<Ident> =
                ["X", "Y", "Z"].iter().take(n).map(|l| Ident::new(l, site)).collect();
            let (others, of) = (&letters[1..], format_ident!("Apply{n}"));
            let of = quote_spanned!(site=> #base::ops::#of<#(#others::Value,)* #op>);
            (letters, of)
        }
    };
    let first = receiver.unwrap_or_else(|| {
        let x = &letters[0];
        quote!(#x)
    });
    let output = quote_spanned!(site=> #base::Result<<#first::Value as #of>::Output>);
    let bound = quote_spanned!(site=> #first::Value: #of);
    Some(Generic { letters, output, bound })
}

/// The op from the parameters.
fn made(row: &Row, call: &Function, base: &Base) -> TokenStream {
    let fields = match &call.made {
        Made::Whole(expr) => return expr.to_token_stream(),
        Made::Fields(fields) => fields,
    };
    let value = |field: &Ident, default: Option<&Expr>| {
        let explicit = fields.iter().find(|(name, _)| name == field).map(|(_, value)| value);
        let parameter = call.parameters.iter().find(|p| p.name == *field).map(|p| &p.value);
        let value = explicit.or(parameter).or(default);
        quote!(#field: #value)
    };
    let holder = &row.holder;
    let attrs = row.attrs.iter().map(|a| value(&a.field, a.default.as_ref()));
    let statics = row.statics().map(|(_, field, _)| value(field, None));
    let inner = quote!(#holder { #(#attrs,)* #(#statics,)* });
    match row.form {
        Form::Standalone => inner,
        Form::Reduction => {
            let of = |name: &str| {
                let p = call.parameters.iter().find(|p| p.name == name).map(|p| &p.value);
                p.map_or_else(
                    || quote!(::core::default::Default::default()),
                    ToTokens::to_token_stream,
                )
            };
            let (axes, keep_dims) = (of("axes"), of("keep_dims"));
            quote!(#base::ops::Reduce { axes: #axes, keep_dims: #keep_dims, function: #inner })
        }
        _ => {
            let family = family_type(row);
            quote!(#base::ops::#family(#inner))
        }
    }
}

/// The parameters after the operands, as declared.
fn declared(call: &Function) -> TokenStream {
    let parameters = call.parameters.iter().map(|p| {
        let (name, ty) = (&p.name, &p.ty);
        quote!(#name: #ty)
    });
    quote!(#(, #parameters)*)
}

fn function(row: &Row, call: &Function, base: &Base) -> Option<TokenStream> {
    let site = Span::mixed_site();
    let Generic { letters, output, bound } = generic(row, None, base)?;
    let (docs, vis, name, alias) = (&row.docs, &row.vis, &call.name, alias(row));
    let (declared, made) = (declared(call), made(row, call, base));
    let errors = (!doc_text(docs).contains("# Errors")).then(|| {
        quote! {
            #[doc = ""]
            #[doc = "# Errors"]
            #[doc = "`InvalidArgument` for a dtype, shape or argument that the op does not take."]
        }
    });
    // What a sequence is of, its trait says.
    let operand = matches!(call.operands, Operands::Each(_))
        .then(|| quote_spanned!(site=> : #base::ops::Operand));
    let (operands, run) = match &call.operands {
        Operands::Sequence(xs) => (
            quote_spanned!(site=> #xs: X),
            quote_spanned!(site=> #base::ops::Items::apply(&#xs, &op)),
        ),
        Operands::Each(names) => {
            let apply = format_ident!("apply{}", names.len());
            let of = format_ident!("Apply{}", names.len());
            let declared = names.iter().zip(&letters).map(|(name, letter)| quote!(#name: #letter));
            let lent =
                names.iter().map(|n| quote_spanned!(site=> &*#base::ops::Operand::operand(&#n)?));
            (
                quote!(#(#declared),*),
                quote_spanned!(site=> #base::ops::#of::#apply(&op, #(#lent),*)),
            )
        }
    };
    Some(quote_spanned! {site=>
        #(#docs)*
        #errors
        #alias
        #[track_caller]
        #vis fn #name<#(#letters #operand),*>(#operands #declared) -> #output
        where
            #bound,
        {
            let _site = #base::tensor::call_site();
            let op = #made;
            #run
        }
    })
}

fn method(row: &Row, call: &Function, base: &Base) -> Option<TokenStream> {
    let Operands::Each(names) = call.method.then_some(&call.operands)? else { return None };
    let site = Span::mixed_site();
    let receiver = quote_spanned!(site=> Self);
    let Generic { letters, output, bound } = generic(row, Some(receiver), base)?;
    let (name, declared) = (&call.name, declared(call));
    let summary = docs::summary(&row.docs).unwrap_or_default();
    let link = format!("See [`{name}`]({name}()).");
    let (others, letters) = (&names[1..], &letters[1..]);
    let generics =
        (!letters.is_empty()).then(|| quote_spanned!(site=> <#(#letters: #base::ops::Operand),*>));
    let given = call.parameters.iter().map(|p| &p.name);
    Some(quote_spanned! {site=>
        #[doc = #summary]
        #[doc = ""]
        #[doc = #link]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = "As the function."]
        #[track_caller]
        fn #name #generics(&self #(, #others: #letters)* #declared) -> #output
        where
            #bound,
        {
            #name(#base::ops::Operand::operand(self)? #(, #others)* #(, #given)*)
        }
    })
}
