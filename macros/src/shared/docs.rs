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

fn text(attr: &Attribute) -> Option<String> {
    match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(s), .. }) if s.value().is_empty() => {
                Some("\n".into())
            }
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
