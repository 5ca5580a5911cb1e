//! State behind handles, other than variables: lookup tables, vocabularies and queues.
//!
//! A traced function holds each of them by reference, as it holds variables: a call sees their present content,
//! and what calls change is seen by everyone, in program order. They can be fields of a
//! [`Module`](crate::Module). Clones are handles of the same state.
//!
//! One made in a traced function is made anew at each call, and is gone at its end.

mod queue;
mod table;
mod vocabulary;

pub use crate::ops::{Column, TextColumns};
pub use queue::Queue;
pub use table::{LookupTable, MutableTable};
pub use vocabulary::StaticVocabulary;
