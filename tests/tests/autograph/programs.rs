//! Random programs with control flow: as numbers do, so do tensors. The build script writes them; `cargo run -p extype-tests
//! --bin autograph-fuzz` runs others.

#![expect(unused, clippy::all, reason = "random programs are as they come")]

mod programs {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}
mod support;

fn tensors_do_as_numbers_do(quarter: usize) {
    let part = programs::ALL.iter().skip(quarter).step_by(4);
    let found: Vec<String> = part.flat_map(support::differences).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn first_quarter() {
    tensors_do_as_numbers_do(0);
}

#[test]
fn second_quarter() {
    tensors_do_as_numbers_do(1);
}

#[test]
fn third_quarter() {
    tensors_do_as_numbers_do(2);
}

#[test]
fn last_quarter() {
    tensors_do_as_numbers_do(3);
}
