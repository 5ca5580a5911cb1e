//! What errors say at run time: what is wrong, where (the user's line), what to write instead.

#![expect(clippy::assign_op_pattern, reason = "operators in all their forms")]

mod branches;
mod calls;
mod control;
mod dtypes;
mod handlers;
mod lines;
mod modules;
mod numbers;
mod operators;
mod over;
mod paths;
mod reads;
mod refusals;
mod variables;

use extype::prelude::*;

/// Checks that the error has these parts, and the place: `here` is the file's name and `line!()`.
#[track_caller]
fn says<T: std::fmt::Debug>(result: Result<T>, here: (&str, u32), parts: &[&str]) {
    let e = result.unwrap_err();
    let text = e.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    let place = e.location().map(|l| (l.file().rsplit('/').next().unwrap_or(""), l.line()));
    assert_eq!(place, Some(here), "{text}");
}
