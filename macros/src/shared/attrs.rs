//! Distributes the attributes of a user's item over the generated items.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token, parse_quote};

/// The attributes of a function that is split in two.
#[derive(Default)]
pub(crate) struct Split {
    /// For the function that users call.
    pub public: Vec<Attribute>,
    /// For the function that holds the body.
    pub body: Vec<Attribute>,
    /// For every other item that is generated.
    pub cfg: Vec<Attribute>,
}

/// Docs, `deprecated`, `must_use` and unknown attributes go to the public function; lints and
/// `inline` to both; `cfg` to all.
pub(crate) fn split(attrs: &[Attribute]) -> Split {
    let mut split = Split::default();
    for attr in attrs {
        match place(&attr.meta) {
            Place::Everywhere => {
                split.public.push(attr.clone());
                split.body.push(attr.clone());
                split.cfg.push(attr.clone());
            }
            Place::Both => {
                split.public.push(attr.clone());
                split.body.push(attr.clone());
            }
            Place::Expectation => {
                // An expected lint occurs in only one of the two functions; the other must not complain.
                split.body.push(attr.clone());
                if let Meta::List(list) = &attr.meta {
                    let lints = &list.tokens;
                    split.public.push(parse_quote!(#[allow(#lints)]));
                }
            }
            Place::Public => split.public.push(attr.clone()),
        }
    }
    split
}

enum Place {
    Public,
    Both,
    Everywhere,
    Expectation,
}

fn place(meta: &Meta) -> Place {
    let path = meta.path();
    if path.is_ident("cfg") {
        Place::Everywhere
    } else if path.is_ident("expect") {
        Place::Expectation
    } else if ["allow", "warn", "deny", "forbid", "inline", "cold"].iter().any(|n| path.is_ident(n))
    {
        Place::Both
    } else if path.is_ident("cfg_attr") {
        conditional(meta)
    } else {
        Place::Public
    }
}

/// The place for a `cfg_attr`, which its first attribute decides.
fn conditional(meta: &Meta) -> Place {
    let Meta::List(list) = meta else { return Place::Public };
    let Ok(parts) = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else {
        return Place::Public;
    };
    match parts.iter().nth(1).map(place) {
        Some(Place::Both | Place::Expectation) => Place::Both,
        Some(place) => place,
        None => Place::Public,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;
    use syn::ItemFn;

    #[test]
    fn each_to_its_place() {
        let f: ItemFn = parse_quote! {
            /// Docs.
            #[must_use]
            #[cfg(unix)]
            #[allow(dead_code)]
            #[expect(unused_variables, reason = "r")]
            #[cfg_attr(test, inline)]
            fn f() {}
        };
        let s = split(&f.attrs);
        let text = |a: &[Attribute]| {
            a.iter()
                .map(|a| a.to_token_stream().to_string().replace(' ', ""))
                .collect::<Vec<_>>()
                .join("")
        };
        assert!(text(&s.body).starts_with("#[cfg(unix)]#[allow(dead_code)]#[expect"));
        assert!(text(&s.public).contains("#[allow(unused_variables,reason=\"r\")]"));
        assert!(text(&s.body).contains("inline") && !text(&s.body).contains("must_use"));
        assert_eq!(text(&s.cfg), "#[cfg(unix)]");
    }
}
