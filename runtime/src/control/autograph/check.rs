//! `assert!`, `println!` and similar macros on tensors: in a trace they become ops, which run in program order.

use std::panic::Location;

use super::condition::{Condition, Fact};
use crate::control::state::Site;
use crate::ir::{Attrs, OpDef};
use crate::ops::{self, ASSERT, CODE, Operand, PARTS, RAISE, operator};
use crate::tensor::{Tensor, is_tracing};
use crate::types::{Error, ErrorKind, Result};

/// A part of a text.
#[derive(Debug)]
pub enum Piece {
    /// Known now.
    Text(String),
    /// Known when the graph runs.
    Tensor(Tensor),
}

/// A text for [`Piece::Text`].
pub fn text(text: &str) -> String {
    text.to_owned()
}

/// A value in a text.
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

/// A tensor in a text.
pub trait ShownTensor {
    #[doc(hidden)]
    fn tensor(&self) -> Option<Tensor>;
    #[doc(hidden)]
    fn styled(&self) -> Option<Tensor>
    where
        Self: Styled,
    {
        self.tensor()
    }
}

/// A value that can be printed with a width or a precision.
#[diagnostic::on_unimplemented(
    message = "a tensor is printed as it is",
    label = "the graph does not keep the width or precision of a tensor",
    note = "write `{{}}`, or print a number of Rust's with the format",
    note = "for a few digits round the tensor: `(x * 1000.0).round()? / 1000.0`"
)]
pub trait Styled {}

impl<T: super::condition::TensorSide + ?Sized> ShownTensor for &Shown<'_, T> {
    fn tensor(&self) -> Option<Tensor> {
        if !is_tracing() {
            return None;
        }
        Some(operator(self.0.operand().map(|t| (*t).clone())))
    }
}

/// A value that Rust formats itself.
pub trait ShownPlain {
    #[doc(hidden)]
    fn tensor(&self) -> Option<Tensor>;
    #[doc(hidden)]
    #[inline]
    fn styled(&self) -> Option<Tensor> {
        None
    }
}

impl<T: ?Sized> ShownPlain for Shown<'_, T> {
    #[inline]
    fn tensor(&self) -> Option<Tensor> {
        None
    }
}

/// An assertion that failed, or that is only decided at run time.
#[must_use]
pub struct Failed {
    condition: Option<Tensor>,
    plain: bool,
    site: Site,
}

/// `None` if the assertion holds, otherwise the failure to raise. With `every`, a tensor of several elements
/// holds if all of them do.
#[inline]
#[track_caller]
pub fn check<C: Condition>(condition: &C, every: bool) -> Option<Failed> {
    match operator(condition.fact()) {
        Fact::Bool(true) => None,
        Fact::Bool(false) => Some(Failed { condition: None, plain: true, site: site() }),
        Fact::Tensor(t) => operator(of_tensor(&t, every)),
    }
}

#[track_caller]
fn site() -> Site {
    Site::new("assert", Location::caller())
}

#[track_caller]
fn of_tensor(t: &Tensor, every: bool) -> Result<Option<Failed>> {
    use crate::ops::methods::*;
    let site = site();
    let t = match every {
        true => t.reduce_all(.., false)?,
        false => crate::control::arm::condition(&site, t)?,
    };
    if is_tracing() {
        return Ok(Some(Failed { condition: Some(t), plain: false, site }));
    }
    let holds = site.located(t.data().and_then(crate::ir::decision))?;
    Ok((!holds).then_some(Failed { condition: None, plain: false, site }))
}

impl Failed {
    /// Fails with the text, now or when the graph runs.
    ///
    /// # Panics
    /// Panics like `assert!` if the condition is a plain bool, and like operators if it is a tensor.
    #[track_caller]
    pub fn raise(self, pieces: &[Piece]) {
        match &self.condition {
            Some(condition) => {
                operator(traced(&ASSERT, condition, pieces, ErrorKind::InvalidArgument));
            }
            None if self.plain => panic!("{}", template(pieces).0),
            None => {
                let text = template(pieces).0;
                operator::<()>(Err(self.site.locate(Error::new(ErrorKind::InvalidArgument, text))));
            }
        }
    }
}

/// Adds the op with the pieces of the text as inputs; it writes them one after the other.
#[track_caller]
fn traced(op: &'static OpDef, condition: &Tensor, pieces: &[Piece], kind: ErrorKind) -> Result<()> {
    let mut data = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Text(text) => data.push(Tensor::from_strings(&[text], &[])?),
            Piece::Tensor(t) => data.push(t.clone()),
        }
    }
    let all: Vec<&Tensor> = std::iter::once(condition).chain(&data).collect();
    let attrs = Attrs::new().with(CODE, &kind.code()).with(PARTS, &true);
    crate::tensor::execute(op, attrs, &all).map(|_| ())
}

/// Fails with the text when the graph runs.
#[track_caller]
pub(super) fn fails(pieces: &[Piece], kind: ErrorKind) -> Result<()> {
    traced(&RAISE, &Tensor::scalar(false), pieces, kind)
}

/// The text, with `{}` for tensors.
pub(super) fn template(pieces: &[Piece]) -> (String, Vec<&Tensor>) {
    let (mut text, mut tensors) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Tensor(t) => {
                text.push_str("{}");
                tensors.push(t);
            }
        }
    }
    (text, tensors)
}

/// Writes a text: now, or each time the graph runs if there are tensors in it.
#[track_caller]
pub fn print(pieces: &[Piece], stream: &'static str, line: bool) {
    let (text, tensors) = template(pieces);
    if tensors.is_empty() {
        match (stream, line) {
            ("stdout", true) => println!("{text}"),
            ("stdout", false) => print!("{text}"),
            (_, true) => eprintln!("{text}"),
            (_, false) => eprint!("{text}"),
        }
        return;
    }
    print_later(pieces, stream, line);
}

/// Writes a text each time the graph runs.
#[track_caller]
pub(super) fn print_later(pieces: &[Piece], stream: &'static str, line: bool) {
    let (text, tensors) = template(pieces);
    operator(ops::print_text(&text, &tensors, stream, if line { "\n" } else { "" }));
}
