//! The frame of every macro: panics become errors, and `EXTYPE_EXPAND=name` shows its output.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::Error;

/// Runs a derive.
pub(crate) fn derive(
    name: &str,
    item: &TokenStream,
    expand: fn(TokenStream) -> TokenStream,
) -> TokenStream {
    guard(name, item, || expand(item.clone())).unwrap_or_else(|e| e.to_compile_error())
}

/// Runs a function-like macro.
pub(crate) fn function(
    name: &str,
    input: &TokenStream,
    expand: fn(TokenStream) -> TokenStream,
) -> TokenStream {
    derive(name, input, expand)
}

/// Runs an attribute macro; after a bug in it the item is kept.
pub(crate) fn attribute(
    name: &str,
    args: TokenStream,
    item: &TokenStream,
    expand: fn(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    guard(name, item, || expand(args, item.clone())).unwrap_or_else(|e| {
        let mut output = e.to_compile_error();
        output.extend(item.clone());
        output
    })
}

fn guard(
    name: &str,
    item: &TokenStream,
    run: impl FnOnce() -> TokenStream,
) -> Result<TokenStream, Error> {
    let output = catch_unwind(AssertUnwindSafe(run)).map_err(|cause| {
        let cause = cause
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| cause.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let text =
            format!("bug in extype-macros, please report it with this item: {name}: {cause}");
        Error::new(Span::call_site(), text)
    })?;
    dump(item, &output);
    Ok(output)
}

/// Prints the expansion if the environment asks for it by the item's name.
fn dump(item: &TokenStream, output: &TokenStream) {
    let Ok(wanted) = std::env::var("EXTYPE_EXPAND") else { return };
    let named = |t: TokenTree| matches!(t, TokenTree::Ident(i) if i == wanted.as_str());
    if item.clone().into_iter().any(named) {
        eprintln!("// the expansion for `{wanted}`:\n{output}\n");
    }
}
