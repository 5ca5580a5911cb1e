//! Plans, reports, types of elements.

use extype::data::{Cardinality, Dataset, Remainder, Window};
use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Sample {
    values: Tensor,
    weight: Tensor,
    unit: String,
}

fn samples() -> Dataset<Sample> {
    Dataset::range(0..5).map(|n| Sample::new(ops::fill([2], &n)?, n.cast(f32)?, "cm".to_string()))
}

#[test]
fn extension_types_are_elements_and_batches() {
    let batches = samples().batch(2, Remainder::Keep);
    assert!(batches.element_spec().unwrap().to_any().to_string().contains("\"cm\""));
    let batch = &batches.collect_all().unwrap()[1];
    assert_eq!(batch.values.to_vec::<i64>().unwrap(), [2, 2, 3, 3]);
    assert_eq!((batch.weight.shape(), &*batch.unit), (shape![2], "cm"));
    let back = batches.unbatch().collect_all().unwrap();
    assert_eq!(back[4].weight.item::<f32>().unwrap(), 4.0);
}

#[test]
fn static_data_that_differs_is_no_batch() {
    let unit = |s: Sample| {
        let unit = s.weight.item::<f32>()?.to_string();
        Sample::new(s.values, s.weight, unit)
    };
    let data = samples().map(unit);
    assert_eq!(data.collect_all().unwrap()[3].unit, "3");
    assert!(data.batch(2, Remainder::Keep).collect_all().is_err());
}

#[test]
fn a_plan_shows_the_steps_and_a_report_what_they_did() {
    let data = Dataset::range(0..10).filter(|x| x.less(7)).batch(2, Remainder::Drop).take(2);
    let plan = data.to_string();
    let lines: Vec<&str> = plan.lines().map(str::trim_start).collect();
    assert!(lines[0].starts_with("range(0, 10, 1, int64)"), "{plan}");
    assert_eq!(lines[2], "batch(2, Drop)");
    assert_eq!(lines[3], "take(2)");
    assert_eq!(data.collect_all().unwrap().len(), 2);
    let counts: Vec<u64> = data.report().steps.iter().map(|s| s.elements).collect();
    assert_eq!(counts, [4, 4, 2, 2]);
    assert!(format!("{}", data.report()).contains("batch(2, Drop)"));
}

#[test]
fn shared_steps_are_shown_once() {
    let mut data = Dataset::range(0..3);
    for _ in 0..60 {
        data = data.concatenate(&data);
    }
    let text = data.to_string();
    assert_eq!(text.lines().count(), 121, "{text}");
    assert!(text.contains("range(0, 3, 1, int64), the one above"), "{text}");
    assert_eq!(data.report().steps.len(), 61);
    let mut pass = data.pass(1);
    assert_eq!(pass.next().unwrap().unwrap().item::<i64>().unwrap(), 0);
    let state = pass.save().unwrap();
    assert_eq!(data.resume(&state).unwrap().next().unwrap().unwrap().item::<i64>().unwrap(), 1);
    let other = data.concatenate(&Dataset::range(0..3));
    assert!(other.resume(&state).is_err());
}

#[test]
fn cardinalities_follow_from_the_steps() {
    let data = Dataset::range(0..10);
    let exact = |d: &Dataset<Tensor>| d.cardinality();
    assert_eq!(exact(&data.batch(3, Remainder::Keep)), Cardinality::Exact(4));
    assert_eq!(exact(&data.shard(3, 1)), Cardinality::Exact(3));
    assert_eq!(exact(&data.filter(|_| Ok(true))), Cardinality::Unknown);
    assert_eq!(exact(&data.repeat().take(7)), Cardinality::Exact(7));
    assert_eq!(exact(&data.concatenate(&data.repeat())), Cardinality::Infinite);
    assert_eq!(data.zip(&data.repeat()).cardinality(), Cardinality::Exact(10));
    assert_eq!(
        data.window(Window::of(3).shift(1).drop_remainder()).cardinality(),
        Cardinality::Exact(8)
    );
    assert_eq!(data.iter().size_hint(), (10, Some(10)));
    assert_eq!(data.batch(2, Remainder::Drop).unbatch().cardinality(), Cardinality::Exact(10));
}

#[test]
fn batches_of_slices_are_the_same_as_batches_of_elements() {
    let rows = Tensor::from_vec((0..40i64).collect::<Vec<_>>()).reshape([10, 4]).unwrap();
    let labels = Tensor::from_vec((0..10i64).map(|x| x as f64).collect::<Vec<_>>());
    let whole = Dataset::from_tensor_slices((rows, labels)).unwrap();
    let text = |data: Dataset<(Tensor, Tensor)>| -> Vec<String> {
        data.iter().map(|x| x.map(|(a, b)| format!("{a:?} {b:?}")).unwrap()).collect()
    };
    for shuffled in [whole.clone(), whole.shuffle(4, 2), whole.shuffle_all(5)] {
        let fast = shuffled.batch(3, Remainder::Keep);
        let slow = shuffled.filter(|_| Ok(true)).batch(3, Remainder::Keep);
        let order = shuffled.pass(0).map(Result::unwrap).count();
        assert_eq!(order, 10);
        for pass in 0..3 {
            let fast: Vec<String> =
                fast.pass(pass).map(|x| x.map(|(a, b)| format!("{a:?} {b:?}")).unwrap()).collect();
            let slow: Vec<String> =
                slow.pass(pass).map(|x| x.map(|(a, b)| format!("{a:?} {b:?}")).unwrap()).collect();
            assert_eq!(fast, slow);
        }
    }
    assert_eq!(text(whole.batch(10, Remainder::Drop)).len(), 1);
}

#[test]
fn datasets_are_arguments_of_functions_that_describe_them() {
    let windows = Dataset::range(0..4).window(Window::of(2));
    let nested = windows.map(|w| Ok(w.batch(2, Remainder::Drop)));
    let spec = nested.element_spec().unwrap();
    assert_eq!(spec.element, Some(TensorSpec::of::<i64>([2]).to_any()));
    assert_eq!(nested.flat_map(Ok).collect_all().unwrap()[1].to_vec::<i64>().unwrap(), [2, 3]);
}

#[test]
fn long_pipelines_are_dropped() {
    let mut data = Dataset::range(0..2);
    for _ in 0..20_000 {
        data = data.prefetch(0).take(2);
    }
    drop(data);
}

#[test]
fn long_pipelines_run() {
    let mut data = Dataset::range(0..3);
    for _ in 0..5_000 {
        data = data.take(2).concatenate(&Dataset::range(0..0));
    }
    assert_eq!(data.cardinality(), Cardinality::Exact(2));
    assert_eq!(data.element_spec().unwrap(), TensorSpec::of::<i64>([]));
    let mut pass = data.iter();
    let _ = pass.next().unwrap().unwrap();
    let state = pass.save().unwrap();
    assert_eq!(data.resume(&state).unwrap().count(), 1);
    assert_eq!(data.report().steps.len(), 15_001);
}

#[test]
fn datasets_that_share_their_parts_are_seen_once() {
    let mut data = Dataset::range(0..2).filter(|_| Ok(true));
    let mut known = Dataset::range(0..2);
    for _ in 0..50 {
        data = data.concatenate(&data);
        known = known.concatenate(&known);
    }
    assert_eq!(data.cardinality(), Cardinality::Unknown);
    assert_eq!(known.cardinality(), Cardinality::Exact(2 << 50));
    assert_eq!(data.element_spec().unwrap(), TensorSpec::of::<i64>([]));
    assert_eq!(data.take(5).collect_all().unwrap().len(), 5);
}
