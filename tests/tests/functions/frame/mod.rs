//! Ops with functions as attributes, made outside the library: what control flow stands on.

mod arity;
mod conditional;
mod identity;
mod loops;
mod opened;
mod state;
mod toys;
