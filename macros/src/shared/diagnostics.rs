//! Errors are collected, so that a user sees all mistakes of an item at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Error, Result};

/// The errors of one expansion.
///
/// An error is *mild* if the item can still be expanded as meant (an unknown option). It is *severe* if the expansion
/// would only cause more errors by rustc (a field of a type that is not allowed).
#[must_use = "errors have to reach the user: call `finish`"]
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Vec<Error>,
    severe: bool,
    finished: bool,
}

impl Diagnostics {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A mild error at the tokens: what is wrong, and what to write instead.
    pub(crate) fn mild(&mut self, at: impl ToTokens, text: impl Display, help: impl Display) {
        self.errors.push(Error::new_spanned(at, message(text, help)));
    }

    /// A severe error at the tokens: what is wrong, and what to write instead.
    pub(crate) fn severe(&mut self, at: impl ToTokens, text: impl Display, help: impl Display) {
        self.severe = true;
        self.mild(at, text, help);
    }

    /// Reports an error of the parser, which is severe.
    pub(crate) fn syntax(&mut self, error: Error) {
        self.severe = true;
        self.errors.push(error);
    }

    /// Reports an error in the syntax of an option, which is mild.
    pub(crate) fn option_syntax(&mut self, error: Error) {
        self.errors.push(error);
    }

    /// The value, if there is one; otherwise the error is reported.
    pub(crate) fn ok_or_report<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|e| self.syntax(e)).ok()
    }

    /// True if the item can't be expanded as meant.
    pub(crate) fn is_severe(&self) -> bool {
        self.severe
    }

    /// Runs a part of the work, and tells whether it reported no severe error.
    pub(crate) fn part<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = std::mem::take(&mut self.severe);
        let value = part(self);
        let right = !self.severe;
        self.severe |= before;
        (value, right)
    }

    /// All errors, as items that make the compiler report them.
    pub(crate) fn finish(mut self) -> TokenStream {
        self.finished = true;
        self.errors.iter().map(Error::to_compile_error).collect()
    }

    #[cfg(test)]
    pub(crate) fn messages(mut self) -> Vec<String> {
        self.finished = true;
        self.errors.iter().map(ToString::to_string).collect()
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        debug_assert!(
            self.finished || self.errors.is_empty() || std::thread::panicking(),
            "errors were dropped unseen"
        );
    }
}

fn message(text: impl Display, help: impl Display) -> String {
    match help.to_string() {
        help if help.is_empty() => text.to_string(),
        help => format!("{text}\nhelp: {help}"),
    }
}
