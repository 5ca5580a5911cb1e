//! The code, one item a file.

mod calls;
mod function;
mod inline;
mod method;
mod state;
mod twin;

use proc_macro2::TokenStream;

use super::model::Model;

/// The public function first, then the items next to it.
pub(super) fn all(model: &Model) -> TokenStream {
    match (model.handle(), &model.receiver) {
        (None, _) => inline::inline(model),
        (Some(handle), Some(_)) => method::method(model, &handle),
        (Some(handle), None) => {
            let mut tokens = function::function(model, &handle);
            tokens.extend(twin::twin(model, &handle));
            tokens
        }
    }
}
