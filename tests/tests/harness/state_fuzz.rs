//! Random steps over models whose state comes and changes, with the same seeds at every run: `state-fuzz` goes on from
//! here.

use extype_tests::fuzz::state_differs;

#[test]
fn programs_do_traced_what_they_do_as_plain_rust() {
    for seed in 0..300 {
        if let Some(text) = state_differs(seed) {
            panic!("{text}");
        }
    }
}
