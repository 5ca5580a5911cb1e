use quote::quote;
use syn::{FnArg, ItemFn, ReturnType};

use super::*;
use crate::shared::testing;

fn converted(item: TokenStream) -> (Option<TokenStream>, Vec<String>) {
    let item: ItemFn = syn::parse2(item).unwrap();
    let parameters = item.sig.inputs.iter().filter_map(|a| match a {
        FnArg::Typed(t) => Some((&*t.pat, &*t.ty)),
        FnArg::Receiver(_) => None,
    });
    let result = match &item.sig.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    let block = &item.block;
    let (tokens, errors) = convert(&Base::default(), parameters, result, &quote!(#block));
    let sig = &item.sig;
    (tokens.map(|t| quote!(#sig #t)), errors.iter().map(ToString::to_string).collect())
}

/// Compares the conversion with `expected/<name>.rs`.
fn expect(name: &str, item: TokenStream) {
    let (tokens, errors) = converted(item);
    assert_eq!(errors, Vec::<String>::new());
    testing::expect(&format!("autograph/expected/{name}"), &tokens.unwrap());
}

fn unchanged(item: TokenStream) {
    let (tokens, errors) = converted(item);
    assert!(tokens.is_none() && errors.is_empty(), "{}", tokens.unwrap_or_default());
}

fn refused(item: TokenStream, text: &str) {
    let (_, errors) = converted(item);
    assert!(errors.len() == 1 && errors[0].contains(text), "{text}: {errors:#?}");
}

#[test]
fn branches() {
    expect(
        "branch",
        quote! {
            fn f(x: &Tensor) -> Result<Tensor> {
                let mut y = x.clone();
                if x > 0 {
                    y = x * 2;
                }
                Ok(y)
            }
        },
    );
    expect(
        "late",
        quote! {
            fn f(x: &Tensor) -> Result<Tensor> {
                let y;
                if x > 0 { y = x * 2; } else { y = x - 1; }
                Ok(y)
            }
        },
    );
    expect(
        "moved",
        quote! {
            fn f(x: &Tensor, v: Tensor) -> Result<Tensor> {
                let y = if x > 0 { v } else { v + 1 };
                Ok(y)
            }
        },
    );
}

#[test]
fn conditions() {
    expect(
        "conditions",
        quote! {
            fn f(x: &Tensor, on: bool) -> Result<Tensor> {
                let missing = x >= 3;
                Ok(!missing && on || x == 0)
            }
        },
    );
}

#[test]
fn loops() {
    expect(
        "while",
        quote! {
            fn f(n: &Tensor) -> Result<Tensor> {
                let mut x = n.clone();
                while x > 1 {
                    x = x / 2;
                }
                Ok(x)
            }
        },
    );
    expect(
        "for",
        quote! {
            fn f(n: &Tensor) -> Result<Tensor> {
                let mut x = n.clone();
                for i in 0..n {
                    x += i;
                }
                Ok(x)
            }
        },
    );
    expect(
        "loop",
        quote! {
            fn f(n: &Tensor) -> Result<Tensor> {
                let mut x = n.clone();
                let last = loop {
                    if x > 100 {
                        break x;
                    }
                    x *= 2;
                };
                Ok(last)
            }
        },
    );
}

#[test]
fn exits() {
    expect(
        "return",
        quote! {
            fn f(x: &Tensor) -> Result<Tensor> {
                if x == 0 {
                    return Ok(x - 1);
                }
                Ok(x + 1)
            }
        },
    );
    expect(
        "unrolled",
        quote! {
            fn f(x: &Tensor) -> Result<Tensor> {
                let mut y = x.clone();
                for k in 0..3 {
                    if y > k {
                        break;
                    }
                    y += 1;
                }
                Ok(y)
            }
        },
    );
}

/// The number of tokens, and the depth of nested groups.
fn measured(tokens: TokenStream) -> (usize, usize) {
    tokens.into_iter().fold((0, 0), |(count, depth), token| match token {
        proc_macro2::TokenTree::Group(group) => {
            let (inner, below) = measured(group.stream());
            (count + inner + 1, depth.max(below + 1))
        }
        _ => (count + 1, depth),
    })
}

#[test]
fn early_returns_stand_beside_each_other() {
    let of = |n: i64| {
        let returns = (0..n).map(|i| quote!(if x > #i { return Ok(x + #i); }));
        let (tokens, errors) =
            converted(quote! { fn f(x: &Tensor) -> Result<Tensor> { #(#returns)* x.neg() } });
        assert_eq!(errors, Vec::<String>::new());
        measured(tokens.unwrap())
    };
    let [(two, depth), (four, same), (forty, deep)] = [2, 4, 40].map(of);
    assert_eq!((depth, depth), (same, deep));
    // The first one has no other before it.
    let step = (four - two) / 2;
    assert!(forty - four <= 36 * (step + 2), "{two}, {four}, {forty}");
}

#[test]
fn assertions_and_printing() {
    expect(
        "checks",
        quote! {
            fn f(x: &Tensor) -> Result<Tensor> {
                assert!(x > 0, "x is {x:?}, {}", 1);
                println!("{x}");
                x.neg()
            }
        },
    );
}

#[test]
fn plain_bodies_stay() {
    unchanged(quote! { fn f(x: &Tensor) -> Result<Tensor> { x.neg() } });
    unchanged(
        quote! { fn f(x: &Tensor, n: i64) -> Result<Tensor> { if n > 3 { x.neg() } else { x.abs() } } },
    );
    unchanged(
        quote! { fn f(xs: &[Tensor]) -> Result<Tensor> { for x in xs { log(x); } ops::stack(xs, 0) } },
    );
    unchanged(quote! {
        fn f(x: &Tensor, n: usize) -> Result<Tensor> {
            let mut y = x.clone();
            for i in 0..n { if i % 2 == 0 { y = y.neg()?; } }
            let mut k = 0;
            while k < n { k += 1; if k == 7 { break; } }
            assert!(n > 0 && k > 0, "n: {n}");
            if xs.is_empty() || !flag(n).is_some() { return Ok(x.clone()); }
            Ok(y)
        }
    });
    unchanged(quote! {
        fn f(x: Option<Tensor>, words: &[String]) -> Result<Tensor> {
            let Some(x) = x else { return fail() };
            if let Some(w) = words.first() { for w in w.split(',') { log(w); } }
            match words { [] => x.neg(), [a, ..] if a.is_empty() => x.abs(), _ => Ok(x) }
        }
    });
    unchanged(quote! { fn f(x: &Tensor) -> Result<Tensor> { x.map(|y| loop { break y }) } });
}

#[test]
fn what_is_refused() {
    refused(
        quote! { fn f(x: &Tensor) -> Result<Tensor> { Ok(x * if x > 0 { return x.neg() } else { x }) } },
        "bind it before",
    );
    refused(
        quote! { fn f(x: &Tensor) -> Result<Tensor> { x > 0 && return x.neg(); x.abs() } },
        "nested `if`",
    );
    refused(
        quote! { fn f(x: &Tensor) -> Result<Tensor> { if x > 0 { #[plain] { return x.neg(); } } x.abs() } },
        "`#[plain]` code",
    );
}
