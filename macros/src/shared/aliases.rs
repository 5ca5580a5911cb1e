//! Names from other libraries that docs tell, for searches: "NumPy: `abs`, `absolute`; TensorFlow: `tf.abs`."

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use super::docs;

/// The libraries whose names docs tell.
const LIBRARIES: [&str; 5] = ["NumPy", "SciPy", "TensorFlow", "PyTorch", "JAX"];

/// What stands between two names in one library. Longer texts come first.
const BETWEEN: [&str; 3] = [", and ", ", op ", ", "];

/// The names that the docs tell, without the function's own name and the aliases that it has already. Searches ignore
/// case, so names that differ in case only are one name.
pub(crate) fn aliases(attrs: &[Attribute], own: &Ident) -> Vec<String> {
    let lines: Vec<String> = attrs.iter().filter_map(docs::text).collect();
    let text = lines.join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = format!(" {}", words.join(" "));
    let mut known = given(attrs);
    known.push(own.unraw().to_string());
    let others = known.len();
    for library in LIBRARIES {
        let mark = format!(" {library}: ");
        for name in text.split(&mark).skip(1).flat_map(names).filter_map(last_part) {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                known.push(name.to_owned());
            }
        }
    }
    known.split_off(others)
}

/// The aliases in the attributes.
fn given(attrs: &[Attribute]) -> Vec<String> {
    let lists = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::List(list) if list.path.is_ident("doc") => {
            list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()
        }
        _ => None,
    });
    lists
        .flatten()
        .filter(|meta| meta.path().is_ident("alias"))
        .filter_map(|meta| docs::string(&meta))
        .collect()
}

/// The names at the beginning of the text: `tf.linalg.qr` and `Qr` of "`tf.linalg.qr`, op `Qr`. Matrices".
fn names(mut text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    while let Some((name, rest)) = quoted(text) {
        names.push(name);
        let next = BETWEEN.iter().find_map(|between| rest.strip_prefix(*between));
        let Some(next) = next else { break };
        text = next;
    }
    names
}

/// The name in backticks, or in a link, that the text begins with; and the rest of the text.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('[').unwrap_or(text);
    let (name, rest) = text.strip_prefix('`')?.split_once('`')?;
    Some((name, rest.strip_prefix(']').unwrap_or(rest)))
}

/// `qr` of `tf.linalg.qr`. Nothing of an expression: `x[mask]`.
fn last_part(path: &str) -> Option<&str> {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
            && part.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    };
    if path.split('.').all(is_name) { path.rsplit('.').next() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Span;
    use syn::parse_quote;

    #[track_caller]
    fn expect(own: &str, docs: &str, names: &[&str]) {
        let attrs: Vec<Attribute> = docs.lines().map(|line| parse_quote!(#[doc = #line])).collect();
        assert_eq!(aliases(&attrs, &Ident::new(own, Span::call_site())), names);
    }

    #[test]
    fn each_library_has_a_list() {
        let docs = " The absolute value.\n\n NumPy: `abs`, `absolute`; TensorFlow: `tf.abs`, `Abs`. Of any shape.";
        expect("abs", docs, &["absolute"]);
        expect("size", docs, &["abs", "absolute"]);
        let docs =
            " TensorFlow: `tf.linalg.eigh`, op `SelfAdjointEigV2`. `[…, n, n]` of float32, float64";
        expect("eigh", docs, &["SelfAdjointEigV2"]);
        let docs = " TensorFlow: `tf.signal.fft`, op `FFT`. NumPy: `np.fft.fft`. Takes numbers.";
        expect("transform", docs, &["fft"]);
        let docs = " NumPy: `nonzero`, and `where` of a condition alone.";
        expect("nonzero", docs, &["where"]);
        let docs =
            " SciPy: `expit`; TensorFlow: `Sigmoid`; PyTorch: `x.sigmoid`; JAX: `jax.nn.logistic`.";
        expect("sigmoid", docs, &["expit", "logistic"]);
    }

    #[test]
    fn a_list_ends_before_other_words() {
        expect("softmax_along", " TensorFlow: `tf.nn.softmax` with `axis`. Floats", &["softmax"]);
        let docs = " NumPy: `concatenate`; TensorFlow: `ConcatV2` ([`concat()`], which also takes extension types).";
        expect("concatenate", docs, &["ConcatV2"]);
        let docs = " NumPy: `extract`, where the condition stands first, and `x[mask]`; TensorFlow: \
                    `tf.boolean_mask`\n ([`boolean_mask`]). Bools.";
        expect("extract", docs, &["boolean_mask"]);
        let docs = " NumPy: `@`, `matmul`; TensorFlow: `tf.linalg.matmul`, `MatMul`; for stacks it is\n [`BatchMatMul`].";
        expect("product", docs, &["matmul"]);
    }

    #[test]
    fn links_and_lines() {
        let docs = " TensorFlow: `tf.one_hot`, op [`OneHot`]. Indices of uint8";
        expect("one_hot", docs, &["OneHot"]);
        let docs = " Images upside down. TensorFlow:\n `tf.image.flip_up_down`. Of any dtype.";
        expect("turned", docs, &["flip_up_down"]);
    }

    #[test]
    fn what_tells_no_name() {
        let docs = " NumPy: `clip`. Where `min` is above `max`, the result is `min`,\n as in TensorFlow (NumPy: `max`).";
        expect("clip", docs, &[]);
        expect("complex", " TensorFlow: `tf.complex`; NumPy: `x + 1j * y`. Float32", &[]);
        expect("rows", " NumPy: `for row in x`. In a traced function", &[]);
        expect("floor_divide", " NumPy: `floor_divide`, `//`. Real numbers", &[]);
        expect("lstsq", " NumPy: the first result of `np.linalg.svd`. Matrices", &[]);
        expect("svd", " (NumPy's third result is `vᴴ`.)", &[]);
        expect("nothing", "", &[]);
    }

    #[test]
    fn aliases_that_are_given() {
        let mut attrs: Vec<Attribute> = vec![
            parse_quote!(#[doc = " NumPy: `moveaxis`; PyTorch: `movedim`."]),
            parse_quote!(#[doc(alias = "moveaxis")]),
        ];
        let own: Ident = parse_quote!(move_axis);
        assert_eq!(aliases(&attrs, &own), ["movedim"]);
        attrs.truncate(1);
        assert_eq!(aliases(&attrs, &own), ["moveaxis", "movedim"]);
    }
}
