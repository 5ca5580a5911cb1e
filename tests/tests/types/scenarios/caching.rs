//! Which trace a call gets: exact ones, general ones, those of other surroundings, and none that
//! can't be used.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use extype::device::ensure_logical_cpus;
use extype::prelude::*;
use extype::spec::AnySpec;
use extype::tensor::{Surrounding, device, run_functions_eagerly, surround};
use extype_ragged::RaggedTensor;

use super::refused;

/// A shape of this rank and the first size, the rest unknown or as given.
fn spec(dims: &[Option<usize>]) -> TensorSpec {
    TensorSpec::of::<f32>(dims.iter().map(|n| Dim::from(*n)).collect::<Shape>())
}

fn zeros(dims: &[usize]) -> Tensor {
    let dims: Vec<i64> = dims.iter().map(|n| *n as i64).collect();
    ops::fill(&dims[..], &scalar(0.0f32)).expect("small")
}

#[tf_function]
fn divided(x: &Tensor, by: f64) -> Result<Tensor> {
    ops::div(x, by)
}

#[test]
fn zeros_of_both_signs_have_traces_of_their_own() -> Result<()> {
    let one = scalar(1.0f64);
    assert_eq!(divided(&one, 0.0)?.item::<f64>()?, f64::INFINITY);
    assert_eq!(divided(&one, -0.0)?.item::<f64>()?, f64::NEG_INFINITY);
    assert!(divided(&one, f64::NAN)?.item::<f64>()?.is_nan());
    assert!(divided(&one, -f64::NAN)?.item::<f64>()?.is_nan());
    assert_eq!(divided::trace_count(), 3, "all NaNs are one");
    Ok(())
}

/// A mode with a float in it, whose derived equality takes both zeros for one.
#[derive(StaticData, Clone, PartialEq, Debug)]
enum Scale {
    By(f64),
    Not,
}

#[test]
fn derived_static_data_is_told_apart_as_literals_are() -> Result<()> {
    let f = function(|x: &Tensor, scale: &Scale| match scale {
        Scale::By(by) => ops::div(x, *by),
        Scale::Not => Ok(x.clone()),
    });
    let one = scalar(1.0f64);
    assert_eq!(f.call(&one, &Scale::By(0.0))?.item::<f64>()?, f64::INFINITY);
    assert_eq!(f.call(&one, &Scale::By(-0.0))?.item::<f64>()?, f64::NEG_INFINITY);
    assert_eq!(f.call(&one, &Scale::Not)?.item::<f64>()?, 1.0);
    let _ = f.call(&one, &Scale::By(-0.0))?;
    assert_eq!(f.trace_count(), 3);
    Ok(())
}

#[test]
fn a_list_and_a_tuple_of_static_data_are_two_types() -> Result<()> {
    let (list, tuple) = (vec![1i64, 2].to_literal(), (1i64, 2i64).to_literal());
    assert_ne!(list, tuple);
    let (list, tuple) = (AnySpec::Literal(list), AnySpec::Literal(tuple));
    assert!(!list.is_subtype_of(&tuple) && list.most_specific_common_supertype(&tuple).is_none());
    for spec in [list, tuple] {
        assert_eq!(AnySpec::deserialize(&spec.serialize()?)?, spec);
    }
    Ok(())
}

#[test]
fn the_most_specific_trace_serves_and_answers_are_asked_anew_when_one_comes() -> Result<()> {
    let number = AtomicUsize::new(0);
    let f = function(|x: &Tensor| ops::add(x, number.load(Ordering::Relaxed) as f64));
    let make = |n: usize, dims: &[Option<usize>]| {
        number.store(n, Ordering::Relaxed);
        f.concrete(&spec(dims)).map(|_| ())
    };
    let served_by = |dims: &[usize]| f.call(&zeros(dims))?.to_vec::<f32>().map(|v| v[0]);
    make(1, &[None, None])?;
    assert_eq!(served_by(&[1, 2])?, 1.0);
    make(9, &[Some(3), Some(3)])?;
    assert_eq!(served_by(&[1, 2])?, 1.0, "one that does not serve the request changes nothing");
    make(2, &[None, Some(2)])?;
    assert_eq!(served_by(&[1, 2])?, 2.0, "the more specific one that came later");
    make(3, &[Some(1), None])?;
    assert_eq!(served_by(&[1, 2])?, 2.0, "of incomparable ones the earlier");
    assert_eq!(served_by(&[1, 3])?, 3.0);
    make(4, &[Some(1), Some(2)])?;
    assert_eq!(served_by(&[1, 2])?, 4.0);
    assert_eq!(served_by(&[2, 2])?, 2.0);
    assert_eq!(served_by(&[5, 5])?, 1.0);
    assert_eq!(f.trace_count(), 5);
    Ok(())
}

#[test]
fn a_thousand_traces_are_hit_and_five_thousand_shapes_share_one() -> Result<()> {
    let f = function(|x: &Tensor, n: &i64| ops::add(x, *n));
    let x = scalar(1i64);
    for round in 0..2 {
        for n in 0..1000 {
            assert_eq!(f.call(&x, &n)?.item::<i64>()?, n + 1);
        }
        assert_eq!(f.trace_count(), 1000, "round {round}");
    }
    let g = function(|x: &Tensor| x.reduce_sum(.., false));
    g.concrete(&spec(&[None]))?;
    for _ in 0..2 {
        for n in 0..2500 {
            assert_eq!(g.call(&zeros(&[n]))?.item::<f32>()?, 0.0);
        }
    }
    assert_eq!(g.trace_count(), 1);
    Ok(())
}

static OUTER: Mutex<Option<Tensor>> = Mutex::new(None);

#[tf_function]
fn times_outer(x: &Tensor) -> Result<Tensor> {
    let outer = OUTER.lock().unwrap().clone().ok_or_else(|| Error::invalid("not set"))?;
    ops::mul(x, outer)
}

#[test]
fn a_trace_with_a_symbol_of_a_trace_that_is_over_blocks_nobody() -> Result<()> {
    let x = scalar(2.0f32);
    for factor in [3.0f32, 5.0] {
        let outer = function(|y: &Tensor| {
            *OUTER.lock().unwrap() = Some(ops::add(y, 0.0)?);
            times_outer(&(y * 0.0 + 2.0))
        });
        assert_eq!(outer.call(&scalar(factor))?.item::<f32>()?, 2.0 * factor);
    }
    *OUTER.lock().unwrap() = Some(scalar(7.0f32));
    assert_eq!(times_outer(&x)?.item::<f32>()?, 14.0);
    let concrete = times_outer::concrete(&x.type_spec())?;
    assert_eq!(concrete.call_flat(std::slice::from_ref(&x))?[0].item::<f32>()?, 14.0);
    assert_eq!(times_outer::trace_count(), 1, "the dead traces are replaced");
    Ok(())
}

static STATE: Mutex<Option<Variable>> = Mutex::new(None);

#[tf_function]
fn added_to_state(x: &Tensor) -> Result<Tensor> {
    let state = STATE.lock().unwrap().clone().ok_or_else(|| Error::invalid("not set"))?;
    ops::add(x, state.read()?)
}

#[test]
fn a_trace_whose_variable_is_gone_is_made_anew() -> Result<()> {
    let x = scalar(1.0f32);
    for value in [1.0f32, 2.0, 3.0] {
        *STATE.lock().unwrap() = Some(Variable::new(value)?);
        assert_eq!(added_to_state(&x)?.item::<f32>()?, 1.0 + value);
        assert_eq!(added_to_state(&x)?.item::<f32>()?, 1.0 + value);
        assert_eq!(added_to_state::trace_count(), 1);
    }
    Ok(())
}

#[test]
fn device_scopes_and_other_surroundings_have_traces_of_their_own() -> Result<()> {
    let runs = AtomicUsize::new(0);
    let f = function(|x: &Tensor| {
        runs.fetch_add(1, Ordering::Relaxed);
        ops::neg(x)
    });
    let x = scalar(1.0f32);
    let call = || f.call(&x).map(|_| f.trace_count());
    assert_eq!(call()?, 1);
    {
        let _scope = device("/cpu:0")?;
        assert_eq!((call()?, call()?), (2, 2));
        let _inner = device("/job:localhost")?;
        assert_eq!(call()?, 2, "the same device");
        ensure_logical_cpus(2)?;
        let _other = device("/cpu:1")?;
        assert_eq!(call()?, 3);
    }
    assert_eq!(call()?, 3);
    {
        let _same = device("/job:localhost/device:CPU:0")?;
        assert_eq!(call()?, 3);
    }
    {
        let _replica = surround(Surrounding::Replica(1));
        assert_eq!(call()?, 4);
        let _writer = surround(Surrounding::SummaryWriter(true));
        assert_eq!(call()?, 5);
    }
    {
        // A trace for general types serves its own surroundings only.
        ensure_logical_cpus(3)?;
        let _scope = device("/cpu:2")?;
        f.concrete(&TensorSpec::of::<f32>(Shape::unknown()))?;
        assert_eq!(call()?, 6);
    }
    let _ = f.call(&tensor![1.0f32])?;
    assert_eq!((f.trace_count(), runs.load(Ordering::Relaxed)), (7, 7));
    assert_eq!(call()?, 7, "nothing is left of the scopes");
    // An enclosing trace is none of the surroundings.
    let outer = function(|x: &Tensor| f.call(x));
    let _ = outer.call(&x)?;
    assert_eq!(f.trace_count(), 7);
    assert_eq!(device("/nowhere:0").map(drop).unwrap_err().kind(), ErrorKind::InvalidArgument);
    Ok(())
}

#[tf_function(signature(f32[?, 2]))]
fn rows(x: &Tensor) -> Result<Tensor> {
    assert_eq!(x.shape(), shape![?, 2]);
    x.reduce_sum(0, false)
}

#[test]
fn what_concrete_is_asked_for_obeys_the_signature_too() -> Result<()> {
    let e = refused(rows::concrete(&TensorSpec::of::<i32>(shape![7])));
    assert!(e.contains("the signature wants TensorSpec([?, 2], float32)"), "{e}");
    assert!(refused(rows::concrete(&TensorSpec::of::<f32>(Shape::unknown()))).contains("wants"));
    assert!(refused(rows(&tensor![1i32, 2])).contains("the signature wants"));
    // The trace for a subtype is that of the signature, as in a call.
    let c = rows::concrete(&TensorSpec::of::<f32>(shape![3, 2]))?;
    assert_eq!(c.input_specs()[0].to_string(), "TensorSpec([?, 2], float32)");
    let _ = rows(&zeros(&[4, 2]))?;
    rows::concrete(&TensorSpec::of::<f32>(shape![?, 2]))?;
    assert_eq!(rows::trace_count(), 1);
    Ok(())
}

#[tf_function(signature(f32[?, 2], _))]
fn first_row(x: &Tensor, pair: &(Tensor, Tensor)) -> Result<Tensor> {
    assert_eq!(x.shape(), shape![?, 2]);
    ops::add(ops::gather(x, scalar(0i64), 0)?, &pair.0)
}

#[test]
fn a_signature_narrows_what_is_less_specific_and_the_run_checks_it() -> Result<()> {
    for dims in [Shape::unknown(), shape![?, ?]] {
        let outer = function(|x: &Tensor| {
            let pair = (scalar(1.0f32), scalar(2.0f32));
            let (a, b) = (first_row(x, &pair)?, first_row(x, &pair)?);
            assert_eq!(a.shape(), shape![2]);
            ops::add(a, b)
        });
        outer.concrete(&TensorSpec::of::<f32>(dims))?;
        let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
        assert_eq!(outer.call(&x)?.as_slice::<f32>()?, &[4.0, 6.0]);
        assert_eq!(outer.trace_count(), 1);
        let e = refused(outer.call(&zeros(&[2, 3])));
        assert!(e.contains("[?, 2]") && e.contains("[2, 3]"), "{e}");
    }
    assert_eq!(first_row::trace_count(), 1);
    // Of these neither is the more specific one.
    let outer = function(|x: &Tensor| first_row(x, &(scalar(1.0f32), scalar(2.0f32))));
    assert!(refused(outer.concrete(&spec(&[Some(3), None]))).contains("the signature wants"));
    assert!(refused(outer.concrete(&spec(&[None, Some(3)]))).contains("the signature wants"));
    Ok(())
}

#[tf_function]
fn twice<T>(x: &T, y: &Tensor) -> Result<Tensor>
where
    T: Structure,
{
    let _ = x.type_spec();
    ops::mul(y, 2.0)
}

#[test]
fn instances_of_a_generic_function_have_traces_of_their_own() -> Result<()> {
    let y = scalar(2.0f32);
    for _ in 0..3 {
        let _ = twice(&1i64, &y)?;
        let _ = twice(&"a".to_owned(), &y)?;
        let _ = twice(&"b".to_owned(), &y)?;
    }
    assert_eq!((twice::<i64>::trace_count(), twice::<String>::trace_count()), (1, 2));
    assert_eq!(twice::<f64>::trace_count(), 0);
    Ok(())
}

#[tf_function]
fn joined(xs: &[Tensor], how: &str) -> Result<Tensor> {
    match how {
        "sum" => ops::add_n(xs),
        _ => ops::concat(xs, 0),
    }
}

#[test]
fn slices_and_texts_are_keys_by_length_types_and_letters() -> Result<()> {
    let xs = [tensor![1.0f32, 2.0], tensor![3.0f32, 4.0], tensor![5.0f32, 6.0]];
    assert_eq!(joined(&xs[..2], "sum")?.as_slice::<f32>()?, &[4.0, 6.0]);
    assert_eq!(joined(&xs[1..], "sum")?.as_slice::<f32>()?, &[8.0, 10.0]);
    assert_eq!(joined::trace_count(), 1);
    assert_eq!(joined(&xs, "sum")?.as_slice::<f32>()?, &[9.0, 12.0]);
    assert_eq!(joined(&xs[..1], "sum")?.as_slice::<f32>()?, &[1.0, 2.0]);
    assert_eq!(joined(&xs[..2], "rows")?.as_slice::<f32>()?, &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(joined::trace_count(), 4);
    let specs = vec![TensorSpec::of::<f32>([2]), TensorSpec::of::<f32>([2])];
    let concrete = joined::concrete(&specs, &"sum".to_string().type_spec())?;
    assert_eq!(concrete.call_flat(&xs[..2])?[0].as_slice::<f32>()?, &[4.0, 6.0]);
    assert_eq!(joined::trace_count(), 4);
    Ok(())
}

static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// A number that counts how often it is compared.
#[derive(Clone, PartialEq, Debug)]
struct Counted(i64);

impl StaticData for Counted {
    fn to_literal(&self) -> extype::spec::Literal {
        self.0.to_literal()
    }
    fn from_literal(literal: &extype::spec::Literal) -> Result<Self> {
        i64::from_literal(literal).map(Self)
    }
    fn same(&self, other: &Self) -> bool {
        COMPARED.fetch_add(1, Ordering::Relaxed);
        self == other
    }
    fn mix_literal(&self, fingerprint: &mut extype::spec::Fingerprint) {
        fingerprint.add(self.0 as u64);
    }
}

#[derive(StaticData, Clone, PartialEq, Debug)]
struct Numbered {
    n: Counted,
}

#[test]
fn a_hit_among_a_thousand_traces_compares_with_few() -> Result<()> {
    let f = function(|x: &Tensor, n: &Numbered| ops::add(x, n.n.0));
    let (x, key) = (scalar(1i64), |n| Numbered { n: Counted(n) });
    for n in 0..1000 {
        let _ = f.call(&x, &key(n))?;
    }
    COMPARED.store(0, Ordering::Relaxed);
    for n in 0..1000 {
        assert_eq!(f.call(&x, &key(n))?.item::<i64>()?, n + 1);
    }
    let each = COMPARED.load(Ordering::Relaxed) as f64 / 1000.0;
    assert!(each < 4.0, "{each} comparisons a call");
    Ok(())
}

#[test]
fn five_shapes_of_which_three_differ_are_three_traces() -> Result<()> {
    let f = function(|x: &Tensor| ops::neg(x));
    let calls: [(&[usize], usize); 5] = [(&[1], 1), (&[2], 2), (&[1, 1], 3), (&[1], 3), (&[2], 3)];
    for (dims, traces) in calls {
        let _ = f.call(&zeros(dims))?;
        assert_eq!(f.trace_count(), traces, "after {dims:?}");
    }
    Ok(())
}

#[test]
fn four_sizes_are_two_traces_with_reduce_retracing_and_four_without() -> Result<()> {
    let (each, general) =
        (function(|x: &Tensor| ops::neg(x)), function(|x: &Tensor| ops::neg(x)).reduce_retracing());
    for n in 1..=4 {
        let _ = each.call(&zeros(&[n]))?;
        let _ = general.call(&zeros(&[n]))?;
    }
    assert_eq!((each.trace_count(), general.trace_count()), (4, 2));
    Ok(())
}

#[tf_function(reduce_retracing)]
fn with_a_word(x: &Tensor, word: &str) -> Result<Tensor> {
    let _ = word;
    x.square()
}

#[test]
fn calls_that_differ_in_plain_data_are_not_generalized_between_them() -> Result<()> {
    let _ = with_a_word(&zeros(&[1]), "a")?;
    let _ = with_a_word(&zeros(&[2]), "b")?;
    assert_eq!(with_a_word::trace_count(), 2);
    let signatures = with_a_word::signatures();
    assert_eq!(signatures[1].to_string(), "(TensorSpec([2], float32), \"b\")");
    let _ = with_a_word(&zeros(&[2]), "a")?;
    let signatures = with_a_word::signatures();
    assert_eq!(signatures[2].to_string(), "(TensorSpec([?], float32), \"a\")");
    Ok(())
}

#[test]
fn ragged_tensors_are_traced_for_the_number_of_rows_and_of_ragged_axes() -> Result<()> {
    let f = function(|r: &RaggedTensor| r.flat_values.reduce_sum(.., false));
    for i in 0..10 {
        let r = RaggedTensor::from_row_splits([1.0f32, 2.0, i as f32], [0i64, 2, 3])?;
        assert_eq!(f.call(&r)?.item::<f32>()?, 3.0 + i as f32);
    }
    assert_eq!(f.trace_count(), 1);
    let _ = f.call(&RaggedTensor::from_row_splits([1.0f32, 2.0, 3.0], [0i64, 1, 2, 3])?)?;
    assert_eq!(f.trace_count(), 2);
    let splits = vec![tensor![0i64, 2], tensor![0i64, 2, 3]];
    let _ = f.call(&RaggedTensor::from_nested_row_splits([1.0f32, 2.0, 3.0], splits)?)?;
    assert_eq!(f.trace_count(), 3);
    Ok(())
}

#[test]
fn a_trace_for_a_spec_with_a_name_serves_tensors_which_have_none() -> Result<()> {
    let f = function(|x: &Tensor| ops::neg(x));
    f.concrete(&TensorSpec::of::<f32>([2]).named("a"))?;
    for _ in 0..2 {
        assert_eq!(f.call(&tensor![1.0f32, 2.0])?.as_slice::<f32>()?, &[-1.0, -2.0]);
    }
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[tf_function(signature({ vec![TensorSpec::of::<f32>(shape![?]); 2] }))]
fn of_two(xs: &[Tensor]) -> Result<Tensor> {
    ops::concat(xs, 0)
}

#[test]
fn a_signature_fixes_the_length_of_a_list_and_leaves_sizes_open() -> Result<()> {
    assert_eq!(of_two(&[zeros(&[1]), zeros(&[2])])?.shape(), shape![3]);
    assert_eq!(of_two(&[zeros(&[4]), zeros(&[0])])?.shape(), shape![4]);
    assert_eq!(of_two::trace_count(), 1);
    let e = refused(of_two(&[zeros(&[1]), zeros(&[1]), zeros(&[1])]));
    assert!(e.contains("argument `xs") && e.contains("the signature wants"), "{e}");
    Ok(())
}

#[test]
fn functions_return_nothing_and_what_is_absent() -> Result<()> {
    let sum = Variable::new(0.0f32)?;
    let adds = function(|x: &Tensor| sum.assign_add(x));
    for _ in 0..2 {
        let () = adds.call(&scalar(1.5f32))?;
    }
    assert_eq!((sum.read()?.item::<f32>()?, adds.trace_count()), (3.0, 1));
    let absent = function(|x: &Tensor| {
        let _unused = ops::neg(x)?;
        Ok(None::<Tensor>)
    });
    assert!(absent.call(&scalar(1.0f32))?.is_none());
    Ok(())
}

#[test]
fn plain_effects_of_a_body_that_runs_eagerly_happen_in_each_call() -> Result<()> {
    let runs = AtomicUsize::new(0);
    let f = function(|x: &Tensor| {
        runs.fetch_add(1, Ordering::Relaxed);
        ops::neg(x)
    });
    let x = scalar(1.0f32);
    {
        let _eagerly = run_functions_eagerly();
        for n in 1..=3 {
            let _ = f.call(&x)?;
            assert_eq!((runs.load(Ordering::Relaxed), f.trace_count()), (n, 0));
        }
    }
    let _ = f.call(&x)?;
    let _ = f.call(&x)?;
    assert_eq!((runs.load(Ordering::Relaxed), f.trace_count()), (4, 1));
    Ok(())
}
