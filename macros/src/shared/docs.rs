//! Doc comments of generated items, made from the user's.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The first paragraph of the docs on one line, if there is one.
pub(crate) fn summary(attrs: &[Attribute]) -> Option<String> {
    let lines = attrs
        .iter()
        .filter_map(text)
        .flat_map(|t| t.lines().map(|line| line.trim().to_string()).collect::<Vec<_>>());
    let paragraph: Vec<String> =
        lines.skip_while(String::is_empty).take_while(|line| !line.is_empty()).collect();
    (!paragraph.is_empty()).then(|| paragraph.join(" "))
}

/// The text of a doc comment; a line end for an empty one.
pub(crate) fn text(attr: &Attribute) -> Option<String> {
    let text = string(&attr.meta).filter(|_| attr.path().is_ident("doc"))?;
    Some(if text.is_empty() { "\n".to_owned() } else { text })
}

/// The string of `name = "string"`.
pub(crate) fn string(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(s), .. }) => Some(s.value()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{ItemStruct, parse_quote};

    #[test]
    fn the_first_paragraph() {
        let item: ItemStruct = parse_quote! {
            /// A tensor with
            /// a mask.
            ///
            /// More.
            struct S;
        };
        assert_eq!(summary(&item.attrs).unwrap(), "A tensor with a mask.");
        let item: ItemStruct = parse_quote!(
            #[must_use]
            struct S;
        );
        assert_eq!(summary(&item.attrs), None);
    }
}
