//! Random programs with control flow: as numbers do, so do tensors. `cargo run -p extype-tests --bin autograph-fuzz`
//! runs others, and with `--write` writes these.

#![expect(unused, clippy::all, reason = "random programs are as they come")]

#[rustfmt::skip]
mod programs;
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

#[test]
fn the_programs_are_what_the_generator_writes() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/autograph_programs/programs");
    let numbers: Vec<usize> =
        programs::ALL.iter().map(|p| p.name[1..].parse().expect("a number")).collect();
    for file in extype_tests::programs::files(1, &numbers, 500) {
        let found = std::fs::read_to_string(folder.join(&file.name)).expect("a file of the module");
        assert!(found == file.text, "{} is not what the generator writes", file.name);
    }
}
