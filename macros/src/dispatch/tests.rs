use quote::quote;

use super::*;
use crate::shared::testing;

fn messages(item: TokenStream) -> Vec<String> {
    let mut d = Diagnostics::new();
    if let Some(block) = d.ok_or_report(syn::parse2::<parse::Block>(item)) {
        let model = model::Model::new(&block, Base::default(), &mut d);
        check::check(&block, &model, &mut d);
    }
    d.messages()
}

fn refused(items: TokenStream, text: &str) {
    let messages = messages(quote!(impl M { #items }));
    assert!(messages.len() == 1 && messages[0].contains(text), "{text}: {messages:#?}");
}

fn accepted(item: TokenStream) {
    assert_eq!(messages(item), Vec::<String>::new());
}

#[test]
fn blocks() {
    let f = quote!(
        #[overrides(unary_elementwise)]
        fn u(op: impl UnaryOp, x: &Self) -> Result<Self> {}
    );
    assert!(messages(quote!(impl Tr for M { #f }))[0].contains("inherent"));
    assert!(
        messages(quote!(
            struct S;
        ))[0]
            .contains("stands on an `impl` block")
    );
    refused(
        quote!(
            fn f() {}
        ),
        "no function of this block",
    );
    refused(
        quote!(
            #[overrides(MatMul)]
            const X: u8 = 3;
        ),
        "belongs on a function",
    );
    accepted(quote!(impl<V: A> M<V> where V: B { #f const X: u8 = 1; fn other(&self) { a. } }));
}

#[test]
fn names_of_families() {
    refused(
        quote!(
            #[overrides(unary)]
            fn u(op: impl UnaryOp, x: &Self) -> Result<Self> {}
        ),
        "did you mean `unary_elementwise`?",
    );
    refused(
        quote!(
            #[overrides(bianry_elementwise)]
            fn u(op: impl UnaryOp, x: &Self) -> Result<Self> {}
        ),
        "did you mean `binary_elementwise`?",
    );
    refused(
        quote!(
            #[overrides]
            fn u(op: impl UnaryOp, x: &Self) -> Result<Self> {}
        ),
        "is missing",
    );
    refused(
        quote!(
            #[overrides(MatMul, wiht = Tensor)]
            fn u(x: &Self) -> Result<Self> {}
        ),
        "did you mean `with",
    );
    refused(
        quote!(
            #[overrides(Tanh, in unary_elementwise)]
            fn u(x: &Self) -> Result<Self> {}
        ),
        "does not override the family",
    );
}

#[test]
fn qualifiers_and_results() {
    refused(
        quote!(
            #[overrides(Tanh)]
            async fn u(x: &Self) -> Result<Self> {}
        ),
        "can't be `async`",
    );
    refused(
        quote!(
            #[overrides(Tanh)]
            const fn u(x: &Self) -> Result<Self> {}
        ),
        "can't be `const`",
    );
    refused(
        quote!(
            #[overrides(Tanh)]
            unsafe fn u(x: &Self) -> Result<Self> {}
        ),
        "can't be `unsafe`",
    );
    refused(
        quote!(
            #[overrides(Tanh)]
            fn u(x: &Self) -> Self {}
        ),
        "write `-> Result<Self>`",
    );
    refused(
        quote!(
            #[overrides(Tanh)]
            fn u(x: &Self) {}
        ),
        "returns a `Result`",
    );
}

#[test]
fn operands() {
    refused(
        quote!(
            #[overrides(unary_elementwise)]
            fn u(x: &Self) -> Result<Self> {}
        ),
        "write `fn unary(op",
    );
    refused(
        quote!(
            #[overrides(binary_elementwise)]
            fn u(op: impl BinaryOp, x: &Self) -> Result<Self> {}
        ),
        "fn binary(op",
    );
    refused(
        quote!(
            #[overrides(Tanh)]
            fn u(x: Self) -> Result<Self> {}
        ),
        "no operand",
    );
    refused(
        quote!(
            #[overrides(Tanh)]
            fn u(self) -> Result<Self> {}
        ),
        "are borrowed",
    );
    refused(
        quote!(
            #[overrides(Add)]
            fn u(x: &mut Self, y: &Self) -> Result<Self> {}
        ),
        "as they are",
    );
    refused(
        quote!(
            #[overrides(add, with = f32)]
            fn u(p: Pair<'_, Self, f32>) -> Result<Self> {}
        ),
        "numbers arrive as tensors",
    );
    refused(
        quote!(
            #[overrides(add)]
            fn u<T: Structure>(x: &Self, y: &T) -> Result<Self> {}
        ),
        "no type parameters",
    );
    refused(
        quote!(
            #[overrides(matmul)]
            fn u(x: &Self, y: &Self, _: bool, _: bool) -> Result<Self> {}
        ),
        "no name here",
    );
    refused(
        quote!(
            #[overrides(Tanh)]
            fn u(x: &Tensor) -> Result<Self> {}
        ),
        "of the type of this block",
    );
    refused(
        quote!(
            #[overrides(X)]
            fn u(a: &Self, b: &Self, c: &Self, d: &Self) -> Result<Self> {}
        ),
        "at most three",
    );
    refused(
        quote!(
            #[overrides(X)]
            fn u(a: &[&Self], b: &Self) -> Result<Self> {}
        ),
        "stands alone",
    );
    refused(
        quote!(
            #[overrides(X, with = Other)]
            fn u(a: &Self, b: &Self) -> Result<Self> {}
        ),
        "no parameter takes a `Other`",
    );
    refused(
        quote!(
            #[overrides(MatMul, with = Tensor)]
            fn u(x: Arg<'_, Self, Tensor>, y: Arg<'_, Self, Tensor>) -> Result<Self> {}
        ),
        "write `operands: Pair<'_, Self, Tensor>`",
    );
    refused(
        quote!(
            #[overrides(binary_elementwise, with = Tensor)]
            fn u(
                op: impl BinaryOp,
                x: Arg<'_, Self, Tensor>,
                y: Arg<'_, Self, Tensor>,
            ) -> Result<Self> {
            }
        ),
        "`operands: Pair<'_, Self, Tensor>`",
    );
    refused(
        quote!(
            #[overrides(MatMul)]
            fn u(operands: Pair<'_, Tensor, Self>) -> Result<Self> {}
        ),
        "neither an operand",
    );
    refused(
        quote!(
            #[overrides(reduction)]
            fn u(op: impl UnaryOp, x: &Self) -> Result<Self> {}
        ),
        "is any `impl ReductionOp`",
    );
    refused(
        quote!(
            #[overrides(Concat, with = Other)]
            fn u(xs: &[Arg<'_, Self, Other>]) -> Result<Self> {}
        ),
        "a mixed sequence",
    );
    for operands in [
        quote!(x: &Self, y: Arg<'_, Self, Tensor>),
        quote!(x: Arg<'_, Self, Tensor>, y: Arg<'_, Self, Other>),
        quote!(c: Arg<'_, Self, Tensor>, t: Arg<'_, Self, Tensor>, e: Arg<'_, Self, Tensor>),
        quote!(c: &Tensor, branches: Pair<'_, Self, Tensor>),
        quote!(xs: &[Arg<'_, Self, Tensor>]),
    ] {
        accepted(quote!(impl M { #[overrides(X)] fn u(#operands) -> Result<Self> {} }));
    }
    accepted(quote!(impl M { #[overrides(Tanh)] fn u(&self, axes: &Axes) -> Result<Self> {} }));
}

#[test]
fn twice() {
    let f = quote!(
        #[overrides(MatMul)]
        fn u(x: &Self, y: &Self) -> Result<Self> {}
    );
    assert_eq!(messages(quote!(impl M { #f #f })).len(), 2);
    accepted(
        quote!(impl M { #f #[overrides(MatMul)] fn v(x: &Self, y: &Tensor) -> Result<Self> {} }),
    );
    let pair = quote!(
        #[overrides(MatMul, with = Tensor)]
        fn w(operands: Pair<'_, Self, Tensor>) -> Result<Self> {}
    );
    assert_eq!(messages(quote!(impl M { #f #pair })).len(), 2);
}

#[test]
fn ops_go_by_the_names_of_their_functions_too() {
    for name in ["matmul", "reduce_min", "reduce_sum", "fill", "bincount", "range"] {
        let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
        accepted(quote!(impl M { #[overrides(#name)] fn u(x: &Self) -> Result<Self> {} }));
    }
}

#[test]
fn broken_blocks_lose_our_attributes_only() {
    let out = expand(
        quote!(),
        quote!(impl M { #[overrides(Tanh)] #[inline] fn u(x: ) -> Result<Self> {} }),
    );
    let out = out.to_string();
    assert!(
        out.contains("fn u") && out.contains("inline") && !out.contains("overrides (Tanh"),
        "{out}"
    );
}

#[test]
fn expansions() {
    testing::expect(
        "dispatch/expected/masked_tensor",
        &expand(
            quote!(),
            quote! {
                impl MaskedTensor {
                    #[overrides(unary_elementwise)]
                    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> { op.call(&x.values) }

                    #[overrides(Tanh, in unary_elementwise)]
                    fn tanh(x: &Self) -> Result<Self> { todo!() }

                    #[overrides(LeakyRelu, in unary_elementwise)]
                    fn leaky_relu(x: &Self, alpha: f32) -> Result<Self> { todo!() }

                    #[overrides(binary_elementwise, with = Tensor)]
                    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> { todo!() }

                    #[overrides(reduce_sum)]
                    fn reduce_sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Tensor> { todo!() }
                }
            },
        ),
    );
    testing::expect(
        "dispatch/expected/generic",
        &expand(
            quote!(crate = ::renamed),
            quote! {
                impl<V> Masked<V> where V: BinaryElementwise<V, Output = V> {
                    #[overrides(binary_elementwise)]
                    fn binary<O: BinaryOp>(op: &O, x: &Self, y: &Self) -> Result<Masked<V>> { todo!() }

                    #[overrides(reduction)]
                    fn reduce(&self, op: &impl ReductionOp) -> Result<Vec<Self>> { todo!() }

                    #[overrides(ops::concat)]
                    fn concat(xs: &[&Self], axis: Axis) -> Result<Self> { todo!() }

                    #[overrides(Select, with(Tensor))]
                    fn select(op: &Select, c: &Tensor, branches: Pair<'_, Self, Tensor>) -> Result<Self> { todo!() }

                    #[overrides(Stack, with = Tensor)]
                    fn stack(xs: &[Arg<'_, Self, Tensor>], axis: i64) -> Result<Self> { todo!() }
                }
            },
        ),
    );
}
