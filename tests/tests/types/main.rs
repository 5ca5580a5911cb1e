//! Extension types: what they do, the laws of their specs, the surroundings of their expansions, the texts of errors.

// As a crate that depends on the library by another name.
extern crate extype as renamed;

mod depth;
mod hygiene;
mod laws;
mod messages;
mod scenarios;
