use quote::quote;

use super::*;
use crate::shared::testing;

/// The text of the error that the block has.
fn refusal(block: TokenStream) -> String {
    match syn::parse2::<parse::Block>(block) {
        Ok(_) => String::new(),
        Err(e) => e.to_string(),
    }
}

#[test]
fn a_function_and_its_method() {
    let block = quote! {
        /// Methods: spreads.
        methods of SpreadMethods;

        /// The range.
        ///
        /// NumPy: `ptp`, `np.span`.
        #[doc(alias = "peak_to_peak")]
        fn ptp as ptp_(x, y; n: usize, axes: impl AxesLike as Axes => options: impl Sets<Over> as Over) -> Tensor {
            sub(x, y)
        }
    };
    testing::expect("compounds/expected/two_operands", &expand(block));
}

#[test]
fn wrong_forms_are_refused() {
    for (block, text) in [
        (quote!(fn zeros(; n: usize) -> Tensor {}), "one to three operands"),
        (quote!(fn four(a, b, c, d) -> Tensor {}), "one to three operands"),
        (quote!(fn var(x, n: usize) -> Tensor {}), "operands stand before `;`"),
        (quote!(fn var(x) -> Tensor;), "the body of the function"),
        (quote!(fn var(x) {}), "`->`"),
        (quote!(method of Methods; fn var(x) -> Tensor {}), "`methods of Trait;`"),
        (quote!(pub fn var(x) -> Tensor {}), "`methods of Trait;`"),
    ] {
        let refusal = refusal(block.clone());
        assert!(refusal.contains(text), "{block}: {refusal}");
    }
}
