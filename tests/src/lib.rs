//! What the tests of extype share: the harness that runs recorded conformance cases, and the
//! [fuzzer](fuzz) of the op table.
//!
//! The harness reads cases (JSON Lines), runs them through the public API in one of three
//! [modes](conformance::Mode), and tells passed, failed and unsupported apart. What enters are
//! files; what leaves is a [`Report`](conformance::Report).

pub mod conformance;
pub mod fuzz;
pub mod programs;
pub mod types;

// Its ops are of the registry too, where it is linked.
use extype_ragged as _;
