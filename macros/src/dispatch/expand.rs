//! The trait impls.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

use super::call::{Form, call, ends, local, ty};
use super::entries::{conversion, entries_of_branch, entry, stand_in, subtype};
use super::model::{
    Family, Forward, Model, OperandType, Override, Part, Target, alias, is_named_by_function,
};
use super::names::type_of;
use crate::shared::types;

/// All impls of all overrides. A bare op name in them means an op of `extype::ops`, or one in scope at the block.
pub(super) fn all(model: &Model) -> TokenStream {
    let base = &model.base;
    let names = model.named_ops().enumerate().map(|(i, (_, path))| {
        let alias = alias(i);
        let function = is_named_by_function(path).then(|| quote!(fn));
        quote_spanned!(Span::mixed_site()=> #base::__overridden!(#alias = #function #path);)
    });
    let impls = model.overrides.iter().flat_map(|o| match (o.within, &o.target) {
        (_, Target::Conversion) => vec![conversion(model, o)],
        (within, _) if within.is_some() || o.in_body.is_some() => vec![entries_of_branch(model, o)],
        _ => o.combinations().iter().map(|kinds| implementation(model, o, kinds)).collect(),
    });
    let forwards = model.forwards().filter(|f| f.by.within.is_none());
    let forwards: Vec<_> = forwards
        .flat_map(|f| f.kinds.iter().map(|kinds| forward(model, &f, kinds)).collect::<Vec<_>>())
        .collect();
    let checks = model.overrides.iter().filter_map(|o| fitness(model, o));
    let subtypes = model.supertypes.iter().map(|ty| subtype(model, ty));
    let stand_in = model.stand_in.as_ref().map(|field| stand_in(model, field));
    let operators = super::operators::all(model);
    quote_spanned! {Span::mixed_site()=>
        const _: () = {
            #(#names)*
            #(#checks)*
            #(#impls)*
            #(#forwards)*
            #operators
            #stand_in
            #(#subtypes)*
        };
    }
}

/// A check that the function takes the operands of the op and its attributes, unless the user wrote `..` or takes the
/// op itself. The compiler does it, since only it knows the op.
fn fitness(model: &Model, o: &Override) -> Option<TokenStream> {
    if !matches!(o.target, Target::Op(_)) {
        return None;
    }
    let (op, name) = (model.op(o), o.name.text());
    // With the spans of the user's tokens, since the compiler shows the place of the call.
    let call = |function: &str, at: &TokenStream, arguments: TokenStream| {
        let (first, last) = ends(at).unwrap_or((o.name.span(), o.name.span()));
        let (base, function) = (model.base.at(first), Ident::new(function, first));
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(last);
        quote_spanned!(first=> #base::__private::#function::<#op> #arguments;)
    };
    let inputs = o.function.inputs.iter().map(ToTokens::to_token_stream);
    let operands = o.parts.iter().zip(inputs).filter_map(|(part, input)| match part {
        Part::Operand(operand) => Some((operand, input)),
        _ => None,
    });
    let (mut from, all) = (0, o.operand_count());
    let operands = operands.map(|(operand, input)| {
        let (to, sequence) = (from + operand.count(), operand.is_sequence());
        let check = call("fits_operands", &input, quote!(#name, #from, #to, #all, #sequence));
        from = to;
        check
    });
    let reads_all = o.any || o.parts.iter().any(|p| matches!(p, Part::Op { .. }));
    let attributes = (!reads_all).then(|| {
        let names = o.parts.iter().filter_map(|p| match p {
            Part::Attribute { name, .. } => Some(name.unraw().to_string()),
            _ => None,
        });
        call("fits_attributes", &o.name.to_token_stream(), quote!(#name, &[#(#names),*]))
    });
    Some(quote_spanned! {Span::mixed_site()=>
        const _: () = { #(#operands)* #attributes };
    })
}

fn implementation(model: &Model, o: &Override, kinds: &[OperandType]) -> TokenStream {
    let implementation = match o.target {
        Target::Family(family) => for_family(model, o, family, kinds),
        Target::Op(_) | Target::Conversion => for_op(model, o, kinds),
    };
    let entry = entry(model, o, kinds);
    quote!(#implementation #entry)
}

/// `impl Apply2<Self, BitAnd> for Mask`, taken from the override of `LogicalAnd`.
fn forward(model: &Model, f: &Forward<'_>, kinds: &[OperandType]) -> TokenStream {
    let (base, params, site) = (&model.base, &model.params, Span::mixed_site());
    let (declared, clause) = (params.declared(), params.clause());
    let (to, by) = (type_of(f.to, base, f.by.name.span()), model.op(f.by));
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let (Some(first), rest) = (types.first(), types.get(1..).unwrap_or_default()) else {
        return TokenStream::new();
    };
    let (name, method) =
        (format_ident!("Apply{}", kinds.len()), format_ident!("apply{}", kinds.len()));
    let attempt = format_ident!("try_{method}");
    let operands: Vec<Ident> = (0..kinds.len()).map(local).collect();
    let meaning = quote_spanned!(site=> <#first as #base::ops::#name<#(#rest,)* #by>>);
    let default = quote_spanned!(site=> &<#by as ::core::default::Default>::default());
    quote_spanned! {site=>
        #[automatically_derived]
        impl #declared #base::ops::#name<#(#rest,)* #to> for #first #clause {
            type Output = #meaning::Output;

            #[track_caller]
            fn #method(_: &#to, #(#operands: &#types),*) -> #base::Result<Self::Output> {
                #meaning::#method(#default, #(#operands),*)
            }

            #[track_caller]
            fn #attempt(
                _: &#to,
                #(#operands: &#types),*
            ) -> #base::Result<::core::option::Option<Self::Output>> {
                #meaning::#attempt(#default, #(#operands),*)
            }
        }
    }
}

/// `impl BinaryElementwise<Tensor> for MaskedTensor`
fn for_family(model: &Model, o: &Override, family: Family, kinds: &[OperandType]) -> TokenStream {
    let base = &model.base;
    let (name, method) = family.trait_and_method();
    let site = Span::mixed_site();
    let (name, method) = (Ident::new(name, site), Ident::new(method, site));
    let op_trait = Ident::new(family.op_trait(), site);
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let rest = match types.get(1..) {
        Some(rest) if !rest.is_empty() => quote!(<#(#rest),*>),
        _ => quote!(),
    };
    let branches: Vec<(&Override, TokenStream, TokenStream)> = model
        .overrides
        .iter()
        .filter(|b| b.within == Some(family))
        .filter_map(|b| branch(model, b, kinds))
        .chain(model.forwards().filter_map(|f| branch_of_operator(model, &f, kinds)))
        .collect();
    let declines = o.declines || branches.iter().any(|(b, ..)| b.declines);
    let with_own: Vec<TokenStream> = branches.iter().map(|(b, ..)| model.op(b)).collect();
    let branches = branches.iter().map(|(b, check, single)| {
        let call = call(model, b, kinds, single);
        let answer = match (declines, b.declines) {
            (true, true) => quote_spanned! {site=>
                if let ::core::option::Option::Some(value) = #call? {
                    return ::core::result::Result::Ok(::core::option::Option::Some(value));
                }
            },
            (true, false) => quote_spanned!(site=> return #call.map(::core::option::Option::Some);),
            (false, _) => quote_spanned!(site=> return #call;),
        };
        quote!(#check { #answer })
    });
    let head = quote!(#base::ops::#name #rest);
    let mut body = call(model, o, kinds, &quote_spanned!(site=> op));
    if o.keeps_dtype() {
        let private = base.private();
        let owner =
            types::last_segment(&model.self_ty).map_or_else(String::new, |s| s.ident.to_string());
        body = quote_spanned! {site=> {
            const {
                #private::keeps_dtype(
                    <FamilyOp as #base::ops::Op>::KEPT,
                    #owner,
                    &[#(<#with_own as #base::ops::NamedOp>::DEF.rust_name),*],
                );
            }
            let op = &#private::keeping(op)?;
            #body
        }};
    }
    if declines && !o.declines {
        body = quote_spanned!(site=> #body.map(::core::option::Option::Some));
    }
    let method = Method {
        name: method,
        generics: quote_spanned!(site=> <FamilyOp: #base::ops::#op_trait>),
        op: quote_spanned!(site=> FamilyOp),
        form: Form::Each,
    };
    shell(model, o, kinds, &head, &method, declines, &quote!(#(#branches)* #body))
}

/// `impl Apply2<Tensor, MatMul> for MaskedTensor`
fn for_op(model: &Model, o: &Override, kinds: &[OperandType]) -> TokenStream {
    let (base, op, site) = (&model.base, model.op(o), Span::mixed_site());
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let rest = types.get(1..).unwrap_or_default();
    let form = Form::of(o, kinds);
    let (name, method) = form.trait_and_method(kinds.len());
    let (name, method) = (Ident::new(name, site), Ident::new(method, site));
    let head = quote!(#base::ops::#name<#(#rest,)* #op>);
    let body = call(model, o, kinds, &quote_spanned!(site=> op));
    let method = Method { name: method, generics: quote!(), op: op.to_token_stream(), form };
    shell(model, o, kinds, &head, &method, o.declines, &body)
}

/// A method of one of the traits, without its body.
struct Method {
    name: Ident,
    generics: TokenStream,
    /// The type of the op.
    op: TokenStream,
    form: Form,
}

/// The impl around a method, with both methods if the type may decline.
fn shell(
    model: &Model,
    o: &Override,
    kinds: &[OperandType],
    head: &TokenStream,
    method: &Method,
    declines: bool,
    body: &TokenStream,
) -> TokenStream {
    let (base, params, site) = (&model.base, &model.params, Span::mixed_site());
    let (declared, clause) = (params.declared(), params.clause());
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let output = &o.output;
    // If another block gives the op a second meaning, the error points at the op's name.
    let first = types.first().map(ToTokens::to_token_stream).unwrap_or_default();
    let implementation =
        types::at(quote_spanned!(site=> impl #declared #head for #first), o.name.span());
    let Method { name, generics, op, form } = method;
    let operands: Vec<Ident> = (0..kinds.len()).map(local).collect();
    let parameters = match form {
        Form::Sequence => quote!(#(#operands: &[&#types]),*),
        Form::Mixed => quote!(#(#operands: &[#base::ops::Arg<'_, #types, #base::Tensor>]),*),
        Form::Each => quote!(#(#operands: &#types),*),
    };
    let (private, own) = (base.private(), &model.self_ty);
    // A value that no constructor checked is refused as an operand.
    let checks = kinds.iter().zip(&operands).filter_map(|(kind, operand)| match (kind, form) {
        (OperandType::Other(_), _) => None,
        (_, Form::Each) => Some(quote_spanned!(site=> #base::Structure::check_fields(#operand)?;)),
        (_, Form::Sequence) => Some(quote_spanned! {site=>
            for x in #operand {
                #base::Structure::check_fields(*x)?;
            }
        }),
        (_, Form::Mixed) => Some(quote_spanned! {site=>
            for x in #operand {
                if let #base::ops::Arg::This(x) = x {
                    #base::Structure::check_fields(*x)?;
                }
            }
        }),
    });
    // The depth of nested handlers is limited, and a panic becomes an error.
    let body = quote_spanned! {site=>
        #private::dispatch::handled::<#own, _, _>(op, || { #(#checks)* #body })
    };
    let attempt = format_ident!("try_{name}");
    let methods = match declines {
        false => quote_spanned! {site=>
            #[track_caller]
            fn #name #generics(op: &#op, #parameters) -> #base::Result<Self::Output> {
                #body
            }
        },
        true => {
            let answer = quote_spanned!(site=> <Self as #head>::#attempt(op, #(#operands),*)?);
            let declined = declined(model, kinds, *form, &answer);
            quote_spanned! {site=>
                #[track_caller]
                fn #name #generics(op: &#op, #parameters) -> #base::Result<Self::Output> {
                    #declined
                }

                #[track_caller]
                fn #attempt #generics(
                    op: &#op,
                    #parameters
                ) -> #base::Result<::core::option::Option<Self::Output>> {
                    #body
                }
            }
        }
    };
    let items = quote_spanned!(site=> type Output = #output; #methods);
    let mut items = Group::new(Delimiter::Brace, items);
    items.set_span(site.located_at(o.name.span()));
    quote_spanned! {site=>
        #[automatically_derived]
        #implementation #clause #items
    }
}

/// What a typed call does if the function answers `None`: run the original op, if the block says how its type converts
/// to a tensor, otherwise return an error.
fn declined(model: &Model, kinds: &[OperandType], form: Form, answer: &TokenStream) -> TokenStream {
    let (base, private) = (&model.base, model.base.private());
    let (own, site) = (&model.self_ty, Span::mixed_site());
    let tensors = kinds.iter().all(|k| match k {
        OperandType::Own | OperandType::Mixed => true,
        OperandType::Other(ty) => types::is_named(ty, "Tensor"),
    });
    let Some(conversion) = model.conversion().filter(|_| tensors) else {
        let names = kinds.iter().map(|k| ty(model, k));
        return quote_spanned! {site=>
            #private::unless_declined(#answer, op, &[#(#private::type_name::<#names>()),*])
        };
    };
    let convert = &conversion.function.ident;
    let converted = match form {
        Form::Sequence | Form::Mixed => {
            let list = local(0);
            let each = match form {
                Form::Mixed => quote_spanned! {site=>
                    match x {
                        #base::ops::Arg::This(x) => <#own>::#convert(x),
                        #base::ops::Arg::Other(x) => {
                            ::core::result::Result::Ok(::core::clone::Clone::clone(*x))
                        }
                    }
                },
                _ => quote_spanned!(site=> <#own>::#convert(x)),
            };
            quote_spanned! {site=>
                let tensors = #list
                    .iter()
                    .map(|x| #each)
                    .collect::<::core::result::Result<#private::Vec<_>, _>>()?;
                #private::original(op, &tensors.iter().collect::<#private::Vec<_>>())
            }
        }
        Form::Each => {
            let operands = kinds.iter().enumerate().map(|(i, kind)| {
                let operand = local(i);
                match kind {
                    OperandType::Other(_) => operand.to_token_stream(),
                    _ => quote_spanned!(site=> &<#own>::#convert(#operand)?),
                }
            });
            quote_spanned!(site=> #private::original(op, &[#(#operands),*]))
        }
    };
    quote_spanned! {site=>
        if let ::core::option::Option::Some(value) = #answer {
            return ::core::result::Result::Ok(value);
        }
        #converted
    }
}

/// In the method of a family, the check for a single op, and the op; `None` if the override does not take these
/// operands.
fn branch<'a>(
    model: &Model,
    b: &'a Override,
    kinds: &[OperandType],
) -> Option<(&'a Override, TokenStream, TokenStream)> {
    if !b.combinations().iter().any(|takes| takes == kinds) {
        return None;
    }
    let (private, op, site) = (model.base.private(), model.op(b), Span::mixed_site());
    let needs = b.parts.iter().any(|p| !matches!(p, Part::Operand(_)));
    let check = match needs {
        true => quote_spanned! {site=>
            if let ::core::option::Option::Some(single) = #private::downcast_op::<#op, _>(op)
        },
        false => quote_spanned!(site=> if #private::downcast_op::<#op, _>(op).is_some()),
    };
    Some((b, check, quote_spanned!(site=> single)))
}

/// The same for an operator that takes its meaning from such an op.
fn branch_of_operator<'a>(
    model: &Model,
    f: &Forward<'a>,
    kinds: &[OperandType],
) -> Option<(&'a Override, TokenStream, TokenStream)> {
    if f.by.within.is_none() || !f.kinds.iter().any(|takes| takes == kinds) {
        return None;
    }
    let (private, site) = (model.base.private(), Span::mixed_site());
    let (to, by) = (type_of(f.to, &model.base, f.by.name.span()), model.op(f.by));
    let check = quote_spanned!(site=> if #private::downcast_op::<#to, _>(op).is_some());
    Some((f.by, check, quote_spanned!(site=> &<#by as ::core::default::Default>::default())))
}
