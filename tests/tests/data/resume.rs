//! A pass that is saved and resumed is the pass that was not.

use extype::data::{Dataset, IteratorState, Seed, Window};
use extype::prelude::*;
use extype_tests::fuzz::pipeline_differs;

use crate::support::{all, shown};

/// `pipeline-fuzz` goes on from here.
#[test]
fn random_pipelines_do_not_depend_on_threads_and_interruptions() {
    for seed in 0..150 {
        if let Some(text) = pipeline_differs(seed) {
            panic!("{text}");
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
    let base = || Dataset::range(0..9);
    let interleaved = |x: Tensor| {
        let x = x.item::<i64>()?;
        Ok(Dataset::range(10 * x..10 * x + 3).shuffle(2, 1))
    };
    let failing = |x: Tensor| match x.item::<i64>()? % 4 {
        1 => Err(Error::invalid("refused")),
        _ => Ok(x),
    };
    let broken = || (0..5i64).map(|i| if i < 4 { Ok(scalar(i)) } else { Err(Error::invalid("x")) });
    resumed_after_each(&|| base().shuffle(4, 1).repeat_n(2), "shuffle");
    resumed_after_each(
        &|| base().shuffle(4, 1).prefetch(2).concatenate(&base()).repeat_n(2),
        "ahead",
    );
    resumed_after_each(&|| base().shuffle(4, 1).cache().prefetch(1).repeat_n(2), "cache");
    resumed_after_each(&move || base().map_parallel(3, failing).prefetch(2), "parallel");
    resumed_after_each(&move || base().interleave(3, 2, interleaved).prefetch(3), "interleave");
    resumed_after_each(&move || base().window(Window::of(3).shift(2)).flat_map(Ok), "window");
    resumed_after_each(&move || Dataset::try_from_iter(broken), "a source that fails");
    resumed_after_each(&move || Dataset::try_from_iter(broken).prefetch(9), "and is read ahead");
    let noise = |seed: Tensor, x: Tensor| Ok(&x + seed.to_vec::<i64>()?[0] % 100);
    resumed_after_each(&move || base().map_seeded(3, noise).repeat_n(2), "seeds");
}

/// What a step has begun and left is counted too.
#[test]
fn numbers_of_passes_are_saved_for_steps_that_nothing_reads_now() {
    let make = || {
        let first = Dataset::range(0..5).shuffle(5, 3).prefetch(1).take(2);
        first.concatenate(&Dataset::random(Seed::new(1).reseeded()).take(4)).repeat_n(3)
    };
    resumed_after_each(&make, "both");
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

/// Formats limit how deep things nest.
#[test]
fn states_of_long_pipelines_are_written_flat() {
    let data = (0..300).fold(Dataset::range(0..9), |data, _| data.take(8));
    let mut pass = data.iter();
    pass.next();
    let state = sent(&pass.save().unwrap());
    assert_eq!(data.resume(&state).unwrap().count(), 7);
    let bytes = state.to_bytes().unwrap();
    for end in 0..bytes.len() {
        assert!(IteratorState::from_bytes(&bytes[..end]).is_err(), "{end} bytes");
    }
}
