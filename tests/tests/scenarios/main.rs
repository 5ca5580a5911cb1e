//! What extension types do, one test a scenario, named after what it says.

mod caching;
mod control_flow;
mod dispatch;
mod fields;
mod nest;
mod receivers;
mod registry;
mod specs;
mod threads;

use extype::Result;

/// The text of an error, which is wanted.
fn refused<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("not refused"),
        Err(e) => e.to_string(),
    }
}
