//! `#[dispatch]`: checks at compile time that a function fits the op that it overrides.

use crate::ops::{Kept, NamedOp, Operands};

/// The longest message.
const LONGEST: usize = 600;

/// A message that is made during constant evaluation, where `format!` does not work.
pub(super) struct Message {
    text: [u8; LONGEST],
    len: usize,
}

impl Message {
    pub(super) const fn new(text: &str) -> Self {
        Self { text: [0; LONGEST], len: 0 }.then(text)
    }

    pub(super) const fn then(mut self, more: &str) -> Self {
        let (more, mut i) = (more.as_bytes(), 0);
        while i < more.len() && self.len < LONGEST {
            self.text[self.len] = more[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// `no operand`, `one operand`, …
    const fn operands(self, count: usize) -> Self {
        match count {
            0 => self.then("no operand"),
            1 => self.then("one operand"),
            2 => self.then("two operands"),
            3 => self.then("three operands"),
            _ => self.then("more than three operands"),
        }
    }

    /// Ends the evaluation: the compiler shows the message at the caller's location.
    #[track_caller]
    pub(super) const fn refuse(&self) {
        match core::str::from_utf8(self.text.split_at(self.len).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("the message is cut within a letter"),
        }
    }
}

/// Refuses a parameter for the operands `from..to` of `all`, if the op does not have all of them, or
/// if it is the last one and the op has more.
#[track_caller]
pub const fn fits_operands<O: NamedOp>(
    name: &str,
    from: usize,
    to: usize,
    all: usize,
    sequence: bool,
) {
    let message = Message::new("`").then(name).then("` ");
    match O::OPERANDS {
        Operands::None => message.then("is called on tensors only: types don't override it").refuse(),
        Operands::Sequence if !sequence => message
            .then("takes a sequence of operands\nhelp: write one parameter for all, `xs: &[&Self]`, then the op's attributes")
            .refuse(),
        Operands::Each(count) if sequence => message
            .then("takes ")
            .operands(count)
            .then(", no sequence\nhelp: write a parameter for each: `x: &Self`")
            .refuse(),
        Operands::Each(count) if count < all && from <= count && count < to => message
            .then("takes ")
            .operands(count)
            .then(", and this function ")
            .operands(all)
            .then("\nhelp: remove what is too many")
            .refuse(),
        Operands::Each(count) if to == all && all < count => message
            .then("takes ")
            .operands(count)
            .then(", and this function ")
            .operands(all)
            .then("\nhelp: add a parameter, `y: &Self` or `y: &Tensor`; or take both as `operands: Pair<'_, Self, Tensor>`")
            .refuse(),
        Operands::Each(_) | Operands::Sequence => {}
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

const fn is_in(name: &str, names: &[&str]) -> bool {
    let mut i = 0;
    while i < names.len() {
        if same(names[i], name) {
            return true;
        }
        i += 1;
    }
    false
}

/// Refuses an op that does not keep the dtype, if the handler of its family takes only ops that do. An op with its own
/// handler within the family is accepted.
#[track_caller]
pub const fn keeps_dtype(kept: Kept, owner: &str, with_own: &[&str]) {
    if let Kept::No(name) = kept
        && !is_in(name, with_own)
    {
        Message::new("the result of `")
            .then(name)
            .then("` has another dtype than its operands, and the handler of its family for `")
            .then(owner)
            .then("` takes ops that keep it (`ops::KeepsDType`)\nhelp: call it on the components, or give it a handler of its own: `#[overrides(")
            .then(name)
            .then(", in …)]`")
            .refuse();
    }
}

/// Attributes of graphs that no function of the library sets: an override needs not take them.
const OF_GRAPHS: &[&str] = &["incompatible_shape_error", "bad_indices_policy"];

/// Refuses a function that does not take all attributes: it would treat calls with other values
/// alike.
#[track_caller]
pub const fn fits_attributes<O: NamedOp>(name: &str, read: &[&str]) {
    let (mut known, mut missing, mut i) = (0, 0, 0);
    let mut message = Message::new("`")
        .then(name)
        .then("` has attributes that this function does not take\nhelp: add `");
    while i < O::FIELDS.len() {
        let field = O::FIELDS[i];
        i += 1;
        if is_in(field.name, read) {
            known += 1;
        } else if !is_in(field.name, OF_GRAPHS) {
            message = message.then(if missing > 0 { ", " } else { "" });
            message = message.then(field.name).then(": ").then(field.ty);
            missing += 1;
        }
    }
    // An attribute that the op does not have is refused where it is read.
    if missing > 0 && known == read.len() {
        message
            .then("` to the parameters, or say that they may be any: `#[overrides(")
            .then(name)
            .then(", ..)]`")
            .refuse();
    }
}
