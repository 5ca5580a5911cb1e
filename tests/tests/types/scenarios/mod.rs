//! What extension types do, one test a scenario, named after what it says.

#![expect(clippy::assign_op_pattern, reason = "operators in all their forms")]

mod annotations;
mod caching;
mod cells;
mod concrete;
mod control_flow;
mod copies;
mod dispatch;
mod edges;
mod fields;
mod nest;
mod prune;
mod receivers;
mod registry;
mod specs;
mod state;
mod threads;
mod trace_types;
mod versions;
mod wrapped;

use extype::Result;

/// The text of an error, which is wanted.
fn refused<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("not refused"),
        Err(e) => e.to_string(),
    }
}
