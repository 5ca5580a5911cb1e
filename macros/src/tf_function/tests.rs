use quote::quote;

use super::*;
use crate::shared::testing;

fn messages(args: TokenStream, item: TokenStream) -> Vec<String> {
    let mut d = Diagnostics::new();
    let options = parse::options(args, &mut d);
    if let Some(raw) = d.ok_or_report(syn::parse2(item)) {
        check::check(&model::Model::new(raw, options), &mut d);
    }
    d.messages()
}

fn refused(item: TokenStream, text: &str) {
    let messages = messages(quote!(), item);
    assert!(messages.len() == 1 && messages[0].contains(text), "{text}: {messages:#?}");
}

fn wrong_options(args: TokenStream, text: &str) {
    let messages = messages(
        args,
        quote!(
            fn f(x: &Tensor) -> Result<Tensor> {
                x.neg()
            }
        ),
    );
    assert!(messages.len() == 1 && messages[0].contains(text), "{text}: {messages:#?}");
}

fn accepted(args: TokenStream, item: TokenStream) {
    assert_eq!(messages(args, item), Vec::<String>::new());
}

#[test]
fn qualifiers() {
    refused(
        quote!(
            async fn f() -> Result<Tensor> {}
        ),
        "can't be `async`",
    );
    refused(
        quote!(
            const fn f() -> Result<Tensor> {}
        ),
        "can't be `const`",
    );
    refused(
        quote!(
            unsafe fn f() -> Result<Tensor> {}
        ),
        "can't be `unsafe`",
    );
    refused(
        quote!(
            extern "C" fn f() -> Result<Tensor> {}
        ),
        "can't be `extern`",
    );
    refused(
        quote!(
            fn f(x: u8, ...) -> Result<Tensor> {}
        ),
        "variadic",
    );
}

#[test]
fn receivers() {
    refused(
        quote!(
            fn f(&mut self) -> Result<Tensor> {}
        ),
        "takes `&self`",
    );
    refused(
        quote!(
            fn f(self) -> Result<Tensor> {}
        ),
        "takes `&self`",
    );
    refused(
        quote!(
            fn f(self: Box<Self>) -> Result<Tensor> {}
        ),
        "takes `&self`",
    );
    accepted(
        quote!(),
        quote!(
            fn f(x: &Self) -> Result<Tensor> {}
        ),
    );
    let messages = messages(
        quote!(handle = traces),
        quote!(
            fn f(x: &Self) -> Result<Tensor> {}
        ),
    );
    assert!(messages.len() == 1 && messages[0].contains("associated function"), "{messages:?}");
    accepted(
        quote!(),
        quote!(
            fn f(&self, x: &Self) -> Result<Self> {}
        ),
    );
}

#[test]
fn arguments() {
    refused(
        quote!(
            fn f(x: &mut Tensor) -> Result<Tensor> {}
        ),
        "return the new value",
    );
    refused(
        quote!(
            fn f(x: Option<&Tensor>) -> Result<Tensor> {}
        ),
        "borrows from within",
    );
    refused(
        quote!(
            fn f(x: &dyn Fn()) -> Result<Tensor> {}
        ),
        "told apart",
    );
    refused(
        quote!(
            fn f(x: fn()) -> Result<Tensor> {}
        ),
        "can't be a function",
    );
    refused(
        quote!(
            fn f(x: Vec<impl Structure>) -> Result<Tensor> {}
        ),
        "told apart",
    );
    let thirteen = (0..13).map(|i| quote::format_ident!("x{i}"));
    refused(quote!(fn f(#(#thirteen: u8),*) -> Result<Tensor> {}), "at most 12");
    accepted(
        quote!(),
        quote!(
            fn f(x: &[Tensor], s: &str, t: &'static str, v: impl Structure) -> Result<Tensor> {}
        ),
    );
}

#[test]
fn results() {
    refused(
        quote!(
            fn f(x: &Tensor) {}
        ),
        "write `-> Result<()>`",
    );
    refused(
        quote!(
            fn f(x: &Tensor) -> Vec<Tensor> {}
        ),
        "write `-> Result<Vec<Tensor>>`",
    );
    refused(
        quote!(
            fn f(x: &Tensor) -> impl Structure {}
        ),
        "name the type",
    );
    refused(
        quote!(
            fn f(x: &Tensor) -> Result<impl Structure> {}
        ),
        "name the type",
    );
    refused(
        quote!(
            fn f(x: &Tensor) -> Result<&Tensor> {}
        ),
        "can't borrow",
    );
    refused(
        quote!(
            fn f<'a>(x: &'a Tensor) -> Result<View<'a>> {}
        ),
        "can't borrow",
    );
    accepted(
        quote!(),
        quote!(
            fn f() -> extype::Result<(Tensor, Vec<Tensor>)> {}
        ),
    );
}

#[test]
fn items_that_are_no_functions() {
    refused(
        quote!(
            struct S {
                f: fn(),
            }
        ),
        "stands on functions",
    );
    refused(
        quote!(
            fn f() -> Result<Tensor>;
        ),
        "needs a body",
    );
}

#[test]
fn options() {
    wrong_options(quote!(input_signature(f32[?])), "write `signature(");
    wrong_options(quote!(experimental_relax_shapes), "write `reduce_retracing`");
    wrong_options(quote!(jit_compile = true), "every trace is compiled");
    wrong_options(quote!(reduce_retrace), "did you mean `reduce_retracing`");
    wrong_options(quote!(name = ""), "the name is empty");
    wrong_options(quote!(signature(f32[?], f32[?])), "has 2 entries");
    wrong_options(quote!(signature(f32)), "the shape is missing");
    wrong_options(quote!(signature(float32[?])), "no dtype is named `float32`; write `f32`");
    wrong_options(quote!(signature(f32[None, 3])), "is written `?`");
    wrong_options(quote!(signature(f32[-1, 3])), "is written `?`");
    wrong_options(quote!(signature([f32[?, 3]])), "without brackets");
    wrong_options(quote!(signature(static f32)), "`x` is a tensor");
    wrong_options(quote!(signature), "another form");
    wrong_options(quote!(signature = f32[?]), "another form");
    wrong_options(quote!(handle = "x"), "another kind");
    for args in [
        quote!(reduce_retracing, name = "f", handle = g, autograph = false, crate = ::x),
        quote!(signature(f32[?, 3])),
        quote!(signature(_)),
        quote!(signature({ spec() })),
        quote!(signature(string[..])),
    ] {
        accepted(
            args,
            quote!(
                fn f(x: &Tensor) -> Result<Tensor> {}
            ),
        );
    }
}

#[test]
fn entries_say_what_their_arguments_are() {
    for (entry, text) in [
        (quote!(static i64), "write `static bool`"),
        (quote!(bool[]), "write `static bool`, or `_`"),
    ] {
        let messages = messages(
            quote!(signature(f32[?], #entry)),
            quote!(
                fn f(x: &Tensor, on: bool) -> Result<Tensor> {}
            ),
        );
        assert!(messages.len() == 1 && messages[0].contains(text), "{messages:#?}");
    }
    accepted(
        quote!(signature(f32[?], static bool, static Mode, _)),
        quote!(
            fn f(x: &Tensor, on: bool, mode: Mode, n: i64) -> Result<Tensor> {}
        ),
    );
}

#[test]
fn broken_input_keeps_the_function() {
    for item in [
        quote!(fn f(x: ) -> Result<Tensor> { x. }),
        quote!(fn f(x: &Tensor) -> { x }),
        quote!(async fn f(x: &Tensor) -> Result<Tensor> { x. }),
    ] {
        let out = expand(quote!(), item).to_string();
        assert!(out.contains("fn f") && out.contains("compile_error"), "{out}");
    }
    let out = expand(quote!(), quote!(fn f(x: &Tensor) -> Result<Tensor> { x. }));
    assert!(out.to_string().contains("fn f") && !out.to_string().contains("compile_error"));
}

#[test]
fn a_half_typed_body_is_kept_token_for_token() {
    for body in [
        quote!({ if x > 0 { y. } Ok(x) }),
        quote!({ if x > { Ok(x) } }),
        quote!({ while x. { x = x / 2; } Ok(x) }),
        quote!({ for i in 0..n { sum += } Ok(sum) }),
        quote!({ let y = if x > 0 { x * 2 } else }),
        quote!({ let  = x > 0 && ; match x { 0 => } }),
        quote!({ loop { if x == 0 { break } x -= 1; } x.| }),
        quote!({ assert!(x > ); return Ok(x) x }),
    ] {
        let item = quote!(fn f(x: &Tensor) -> Result<Tensor> #body);
        let out = expand(quote!(), item).to_string();
        assert!(out.contains(&body.to_string()), "{body}\n{out}");
        assert!(!out.contains("compile_error") && !out.contains("autograph"), "{out}");
    }
}

#[test]
fn a_function_is_at_most_60_lines_and_its_body() {
    let lines = testing::expect(
        "tf_function/expected/row_means",
        &expand(
            quote!(),
            quote! {
                /// Mean of the valid entries of each row.
                #[must_use]
                #[inline]
                pub fn row_means(m: &MaskedTensor, n: i64) -> Result<Tensor> {
                    body(m, n)
                }
            },
        ),
    );
    assert!(lines <= 61, "{lines} lines");
}

#[test]
fn expansions() {
    let f = quote! {
        #[cfg(unix)]
        #[expect(unused_mut)]
        fn norm<'a, T: Structure, const N: usize>(
            x: &'a T,
            (a, b): (Tensor, Tensor),
            mut s: &str,
            xs: &[Tensor],
            y: impl Structure,
        ) -> Result<Tensor>
        where
            T: Debug,
        {
            todo!()
        }
    };
    testing::expect(
        "tf_function/expected/generic",
        &expand(quote!(reduce_retracing, name = "n"), f.clone()),
    );
    testing::expect("tf_function/expected/generic_inline", &expand(quote!(handle = none), f));
    testing::expect(
        "tf_function/expected/signature",
        &expand(
            quote!(signature(f32[?, 784], static bool, string[..], { spec }), handle = logits_fn),
            quote!(
                fn logits(
                    x: &Tensor,
                    training: bool,
                    names: &Tensor,
                    m: &Masked,
                ) -> Result<Tensor> {
                    todo!()
                }
            ),
        ),
    );
    testing::expect(
        "tf_function/expected/nothing",
        &expand(
            quote!(),
            quote!(
                fn f() -> Result<()> {
                    Ok(())
                }
            ),
        ),
    );
    let m = quote! {
        /// One step.
        pub fn step(&self, batch: &Batch, rate: f32) -> Result<Tensor> {
            self.loss(batch, rate)
        }
    };
    testing::expect("tf_function/expected/method", &expand(quote!(), m.clone()));
    testing::expect("tf_function/expected/method_inline", &expand(quote!(handle = none), m));
    testing::expect(
        "tf_function/expected/method_generic",
        &expand(
            quote!(),
            quote!(
                fn step<B: Structure>(&self, batch: &B) -> Result<B> {
                    self.go(batch)
                }
            ),
        ),
    );
}
