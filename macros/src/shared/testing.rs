//! Comparing whole expansions with files.

use std::path::Path;

use proc_macro2::TokenStream;

/// The expansion as rustfmt would print it, nearly.
pub(crate) fn pretty(tokens: &TokenStream) -> String {
    let file = syn::parse2(tokens.clone()).unwrap_or_else(|e| panic!("{e} in: {tokens}"));
    prettyplease::unparse(&file)
}

/// Compares with `src/<place>.rs`; `EXTYPE_BLESS=1` rewrites it. Gives the number of lines.
pub(crate) fn expect(place: &str, tokens: &TokenStream) -> usize {
    let text = pretty(tokens);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(place).with_extension("rs");
    if std::env::var_os("EXTYPE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        want == text,
        "{place} differs (EXTYPE_BLESS=1 rewrites it); the expansion is now:\n{text}"
    );
    println!("{place}: {} lines", text.lines().count());
    text.lines().count()
}
