//! A pass that is saved and resumed is the pass that was not.

use extype::data::{Dataset, IteratorState};
use extype::prelude::*;

use crate::support::{all, pipeline, shown};

const PIPELINES: u64 = 300;

#[test]
fn the_order_does_not_depend_on_threads() {
    for seed in 0..PIPELINES {
        let (one, four) = (pipeline(seed, 1), pipeline(seed, 4));
        assert_eq!(all(&one), all(&four), "pipeline {seed}:\n{four}");
        assert_eq!(all(&one), all(&four), "second pass of {seed}:\n{four}");
    }
}

#[test]
fn known_cardinalities_are_right() {
    for seed in 0..PIPELINES {
        let data = pipeline(seed, 1);
        if let Some(n) = data.cardinality().exact() {
            let items = all(&data);
            // A failure may take elements of its batch with it.
            if items.iter().all(|item| !item.starts_with("failed")) {
                assert_eq!(n, items.len() as u64, "pipeline {seed}:\n{data}");
            }
        }
    }
}

/// Written and read again.
fn sent(state: &IteratorState) -> IteratorState {
    let text = serde_json::to_string(state).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn resumed_after_each(make: &dyn Fn() -> Dataset<Tensor>, name: &str) {
    let whole = all(&make());
    let data = make();
    let mut pass = data.iter();
    for done in 0..=whole.len() {
        let state = sent(&pass.save().unwrap());
        let fresh = make();
        let rest: Vec<String> = fresh.resume(&state).unwrap().map(shown).collect();
        assert_eq!(rest, whole[done..], "{name} after {done}:\n{data}");
        // Saving has changed nothing.
        assert_eq!(pass.next().map(shown).as_ref(), whole.get(done), "{name} at {done}:\n{data}");
    }
}

#[test]
fn passes_resume_after_every_element() {
    for seed in 0..PIPELINES / 3 {
        for threads in [1, 4] {
            resumed_after_each(&|| pipeline(seed, threads), &format!("pipeline {seed}"));
        }
    }
}

#[test]
fn later_passes_are_those_of_the_uninterrupted_run() {
    let make = || Dataset::range(0..9).shuffle(4, 3);
    let data = make();
    let passes: Vec<_> = (0..4).map(|_| all(&data)).collect();
    let data = make();
    all(&data);
    let mut second = data.iter();
    for _ in 0..5 {
        second.next();
    }
    let state = sent(&second.save().unwrap());
    let data = make();
    let rest: Vec<String> = data.resume(&state).unwrap().map(shown).collect();
    assert_eq!(rest, passes[1][5..]);
    assert_eq!([all(&data), all(&data)], passes[2..]);
    assert_eq!(make().pass(3).map(shown).collect::<Vec<_>>(), passes[3]);
}

#[test]
fn a_state_of_another_pipeline_is_refused_by_its_first_other_step() {
    let data = Dataset::range(0..9).skip(1).take(3);
    let state = data.iter().save().unwrap();
    let other = Dataset::range(0..9).skip(2).take(3).resume(&state).map(|_| ()).unwrap_err();
    assert!(other.message().contains("skip(1), not skip(2)"), "{other}");
    assert!(Dataset::range(0..9).skip(1).resume(&state).is_err());
    assert!(data.repeat().resume(&state).is_err());
}

#[test]
fn what_can_not_be_resumed_says_so() {
    let data = Dataset::from_iter_once([scalar(1i64)]);
    let e = data.iter().save().map(|_| ()).unwrap_err();
    assert!(e.message().contains("can't be resumed"), "{e}");
}

#[test]
fn states_of_shuffled_slices_hold_places() {
    let rows = ops::zeros([1000, 64], f32).unwrap();
    let data = Dataset::from_tensor_slices(rows).unwrap().shuffle(100, 1);
    let mut pass = data.iter();
    pass.next();
    let text = serde_json::to_string(&pass.save().unwrap()).unwrap();
    assert!(text.len() < 5000, "{} bytes", text.len());
}
