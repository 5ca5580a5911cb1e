//! Wrong uses of the library: each is a clear `Err` that names what, where and the remedy.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use extype::init_scope;
use extype::ir::Attrs;
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::{dispatch, find_spec, register_spec};
use extype_masked::MaskedTensor;
use extype_ragged::RaggedTensor;

/// The text of an error of this kind that has all these parts.
#[track_caller]
fn refused<T: Debug>(result: Result<T>, kind: ErrorKind, parts: &[&str]) -> String {
    let e = result.unwrap_err();
    let text = e.to_string();
    assert_eq!(e.kind(), kind, "{text}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
    text
}

use ErrorKind::{
    AlreadyExists, FailedPrecondition, Internal, InvalidArgument, NotFound, OutOfRange,
    ResourceExhausted,
};

fn zeros(sizes: &[usize]) -> Tensor {
    Tensor::from_slice(&vec![0.0f32; sizes.iter().product()], sizes).unwrap()
}

fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec().unwrap()
}

#[test]
fn dtypes_that_differ_are_named() {
    let r = ops::add(tensor![1.0f32], tensor![1i32]);
    refused(r, InvalidArgument, &["add", "float32", "int32", "bad_input.rs"]);
    let r = ops::sqrt(tensor![1i32]);
    refused(r, InvalidArgument, &["sqrt", "int32", "bad_input.rs"]);
    let r = ops::logical_and(tensor![1.0f32], tensor![true]);
    refused(r, InvalidArgument, &["logical_and", "float32", "bool"]);
    let r = ops::select(tensor![1.0f32], tensor![1.0f32], tensor![1.0f32]);
    refused(r, InvalidArgument, &["select", "bool", "float32"]);
}

#[test]
fn shapes_that_do_not_broadcast_are_named_with_the_axis() {
    let r = ops::add(zeros(&[2, 3]), zeros(&[2, 4]));
    refused(r, InvalidArgument, &["add", "[2, 3]", "[2, 4]", "axis", "3", "4", "bad_input.rs"]);
    let r = ops::add(zeros(&[0]), zeros(&[2]));
    refused(r, InvalidArgument, &["[0]", "[2]"]);
}

#[test]
fn matmul_says_which_dimensions_differ_and_where() {
    let (a, b) = (zeros(&[2, 3]), zeros(&[4, 5]));
    let line = line!() + 1;
    let r = ops::matmul(&a, &b);
    let place = format!("bad_input.rs:{line}:");
    refused(
        r,
        InvalidArgument,
        &["matmul: inner dimensions differ: [2, 3] × [4, 5] (3 ≠ 4)", &place],
    );
    let line = line!() + 1;
    let r = a.matmul(&b);
    refused(r, InvalidArgument, &[&format!("bad_input.rs:{line}:")]);
    refused(ops::matmul(zeros(&[3]), &b), InvalidArgument, &["matmul", "[3] × [4, 5] (3 ≠ 4)"]);
}

#[test]
fn axes_out_of_range_or_given_twice_are_named() {
    let x = zeros(&[2, 3]);
    refused(x.reduce_sum(2, false), InvalidArgument, &["reduce_sum", "axis 2", "rank 2"]);
    refused(x.reduce_sum(-3, false), InvalidArgument, &["reduce_sum", "axis -3", "rank 2"]);
    refused(x.reduce_sum([0, 0], false), InvalidArgument, &["reduce_sum", "axis 0", "twice"]);
    refused(x.reduce_sum([1, -1], false), InvalidArgument, &["reduce_sum", "twice"]);
    refused(x.expand_dims(4), InvalidArgument, &["expand_dims", "axis 4"]);
    refused(ops::concat(&[&x, &x], 2), InvalidArgument, &["concat", "axis 2"]);
    refused(ops::stack(&[&x, &x], 5), InvalidArgument, &["stack", "axis 5"]);
    refused(x.gather(&tensor![0i64], 2), InvalidArgument, &["gather", "axis 2"]);
    refused(x.transpose([0, 0]), InvalidArgument, &["transpose", "[0, 0]"]);
    refused(x.transpose([0]), InvalidArgument, &["transpose"]);
    refused(x.squeeze(vec![0]), InvalidArgument, &["squeeze"]);
}

#[test]
fn reductions_of_nothing_have_their_neutral_values() -> Result<()> {
    let x = zeros(&[0, 2]);
    assert_eq!(floats(&x.reduce_sum(0, false)?), [0.0, 0.0]);
    assert_eq!(floats(&x.reduce_max(0, false)?), [f32::NEG_INFINITY; 2]);
    assert_eq!(floats(&x.reduce_min(0, false)?), [f32::INFINITY; 2]);
    assert!(floats(&x.reduce_mean(0, false)?).into_iter().all(f32::is_nan));
    assert_eq!(x.reduce_sum(1, false)?.shape(), shape![0]);
    assert_eq!(x.reduce_sum(.., false)?.item::<f32>()?, 0.0);
    let n = Tensor::from_slice::<i32>(&[], &[0])?;
    assert_eq!(n.reduce_sum(.., false)?.item::<i32>()?, 0);
    let _ = n.reduce_max(.., false)?;
    // An integer has no NaN: an error or a number, but no panic.
    let _ = n.reduce_mean(.., false);
    Ok(())
}

#[test]
fn a_nan_is_not_lost_by_max_wherever_it_stands() -> Result<()> {
    for at in 0..40 {
        let mut v = vec![1.0f32; 40];
        v[at] = f32::NAN;
        let x = Tensor::from_vec(v);
        assert!(x.reduce_max(.., false)?.item::<f32>()?.is_nan(), "max at {at}");
        assert!(x.reduce_min(.., false)?.item::<f32>()?.is_nan(), "min at {at}");
        let columns = x.reshape([2, 20])?;
        let max = floats(&columns.reduce_max(0, false)?);
        assert_eq!(max.into_iter().filter(|m| f32::is_nan(*m)).count(), 1, "column of {at}");
        assert!(floats(&ops::maximum(&x, 2.0)?)[at].is_nan());
        assert!(floats(&ops::minimum(Tensor::scalar(2.0f32), &x)?)[at].is_nan());
    }
    Ok(())
}

#[test]
fn sizes_beyond_memory_are_refused() {
    let one = Tensor::scalar(1.0f32);
    refused(ops::fill([1i64 << 40, 1 << 40], &one), ResourceExhausted, &["fill"]);
    refused(ops::fill([1i64 << 62, 4], &one), ResourceExhausted, &["fill"]);
    refused(ops::fill([i64::MAX], &one), ResourceExhausted, &["fill"]);
    refused(ops::fill([-1i64], &one), InvalidArgument, &["fill", "-1"]);
    refused(one.broadcast_to([1i64 << 40, 1 << 40]), ResourceExhausted, &["broadcast_to"]);
    let far = Tensor::scalar(i64::MAX);
    refused(
        ops::range(Tensor::scalar(0i64), &far, Tensor::scalar(1i64)),
        ResourceExhausted,
        &["range"],
    );
}

#[test]
fn paddings_beyond_memory_are_refused() {
    refused(zeros(&[1]).pad([[i64::MAX, i64::MAX]]), ResourceExhausted, &["pad"]);
}

#[test]
fn lists_that_are_empty_have_no_concat() {
    refused(ops::concat(&[] as &[&Tensor], 0), InvalidArgument, &["concat"]);
    refused(ops::stack(&[] as &[&Tensor], 0), InvalidArgument, &["stack"]);
}

#[test]
fn indices_out_of_range_are_named() {
    let x = tensor![1.0f32, 2.0, 3.0];
    refused(x.gather(&tensor![0i64, 7], 0), OutOfRange, &["gather", "7", "3"]);
    refused(x.gather(&tensor![-1i64], 0), OutOfRange, &["gather", "-1"]);
    refused(x.slice([2], [5]), InvalidArgument, &["slice"]);
    refused(x.slice([-1], [1]), InvalidArgument, &["slice", "-1"]);
}

#[test]
fn a_float_is_no_operand_of_integers() {
    refused(ops::add(tensor![1i32, 2], 1.5), InvalidArgument, &["1.5", "int32"]);
    refused(ops::add(1.5, tensor![1i32, 2]), InvalidArgument, &["1.5", "int32"]);
    refused(ops::add(tensor![1u8, 2], 300), InvalidArgument, &["300", "uint8"]);
    refused(ops::add(tensor![1u8, 2], -1), InvalidArgument, &["-1", "uint8"]);
}

#[test]
fn integers_divided_by_zero_are_an_error() {
    let (x, zero) = (tensor![4i32, 5], tensor![1i32, 0]);
    refused(ops::floor_div(&x, &zero), InvalidArgument, &["floor_div", "zero", "bad_input.rs"]);
    refused(ops::truncate_div(&x, &zero), InvalidArgument, &["truncate_div", "zero"]);
    refused(ops::rem(&x, &zero), InvalidArgument, &["rem", "zero"]);
    refused(ops::truncate_mod(&x, &zero), InvalidArgument, &["truncate_mod", "zero"]);
}

#[test]
fn integers_at_their_limits_wrap_and_do_not_panic() -> Result<()> {
    let (min, max) = (tensor![i32::MIN], tensor![i32::MAX]);
    let one = |t: Tensor| t.item::<i32>();
    assert_eq!(one(ops::floor_div(&min, -1)?)?, i32::MIN);
    assert_eq!(one(ops::truncate_div(&min, -1)?)?, i32::MIN);
    assert_eq!(one(ops::rem(&min, -1)?)?, 0);
    assert_eq!(one(ops::truncate_mod(&min, -1)?)?, 0);
    assert_eq!(one(ops::add(&max, 1)?)?, i32::MIN);
    assert_eq!(one(ops::sub(&min, 1)?)?, i32::MAX);
    assert_eq!(one(ops::mul(&max, 2)?)?, -2);
    assert_eq!(one(ops::neg(&min)?)?, i32::MIN);
    assert_eq!(one(ops::abs(&min)?)?, i32::MIN);
    assert_eq!(one(ops::square(&min)?)?, 0);
    assert_eq!(one(tensor![i32::MAX, 1].reduce_sum(.., false)?)?, i32::MIN);
    let _ = ops::squared_difference(&min, &max)?;
    // A shift by more bits than there are has some value.
    let _ = ops::left_shift(&max, 40)?;
    let _ = ops::right_shift(&min, 40)?;
    let _ = ops::left_shift(&max, -1)?;
    let _ = ops::pow(tensor![3i32], 100)?;
    let _ = ops::pow(tensor![2i32], -1);
    let _ = tensor![1e300f64, f64::NAN, f64::NEG_INFINITY].cast(i32)?;
    Ok(())
}

#[test]
fn numbers_of_the_edge_never_panic() {
    let x = zeros(&[2, 3]);
    let edges = [i64::MIN, i64::MIN + 1, i32::MIN.into(), -1, 0, 1, i32::MAX.into(), i64::MAX];
    let i = Tensor::from_slice(&[0i64, 1], &[2]).unwrap();
    let mut panicked = Vec::new();
    let mut check = |what: &str, a: i64, b: i64, f: &dyn Fn() -> Result<Tensor>| {
        if catch_unwind(AssertUnwindSafe(f)).is_err() {
            panicked.push(format!("{what}({a}, {b})"));
        }
    };
    for a in edges {
        check("sum", a, 0, &|| x.reduce_sum(a, false));
        check("expand_dims", a, 0, &|| x.expand_dims(a));
        check("concat", a, 0, &|| ops::concat(&[&x, &x], a));
        check("stack", a, 0, &|| ops::stack(&[&x, &x], a));
        check("gather", a, 0, &|| x.gather(&i, a));
        check("gather of", a, 0, &|| x.gather(&Tensor::scalar(a), 0));
        check("squeeze", a, 0, &|| x.squeeze(vec![a]));
        check("dim", a, 0, &|| x.shape().dim(a).map(|_| x.clone()));
        for b in edges {
            check("sum", a, b, &|| x.reduce_sum([a, b], false));
            check("reshape", a, b, &|| x.reshape([a, b]));
            check("transpose", a, b, &|| x.transpose([a, b]));
            check("slice begin", a, b, &|| x.slice([a, b], [1, 1]));
            check("slice size", a, b, &|| x.slice([0, 0], [a, b]));
            check("slice both", a, b, &|| x.slice([a, 0], [b, 1]));
            // Sizes that could be had are not asked for.
            if a != i64::from(i32::MAX) && b != i64::from(i32::MAX) {
                check("fill", a, b, &|| ops::fill([a, b], &Tensor::scalar(1.0f32)));
                check("broadcast_to", a, b, &|| Tensor::scalar(1.0f32).broadcast_to([a, b]));
                check("pad", a, b, &|| x.pad([[a, b], [0, 0]]));
                check("segments", a, b, &|| {
                    let ids = Tensor::from_slice(&[a, 0], &[2])?;
                    ops::unsorted_segment_sum(&x, &ids, Tensor::scalar(b))
                });
            }
            for c in [i64::MIN, -1, 0, 1, i64::MAX] {
                let far = a.abs_diff(b) / c.unsigned_abs().max(1);
                if !(1 << 20..=1 << 40).contains(&far) {
                    check("range", a, b, &|| {
                        ops::range(Tensor::scalar(a), Tensor::scalar(b), Tensor::scalar(c))
                    });
                }
            }
        }
    }
    assert!(panicked.is_empty(), "{} panics: {panicked:#?}", panicked.len());
}

#[test]
fn values_are_read_as_what_they_are() {
    let x = tensor![1.0f32, 2.0];
    refused(x.item::<f32>(), InvalidArgument, &["[2]"]);
    refused(x.as_slice::<f64>(), InvalidArgument, &["float32", "float64"]);
    refused(x.to_array::<i32>(), InvalidArgument, &["float32", "int32"]);
    refused(zeros(&[0]).item::<f32>(), InvalidArgument, &["[0]"]);
    refused(Tensor::from_slice(&[1.0f32], &[2]), InvalidArgument, &["[2]", "1"]);
}

#[test]
fn a_symbol_has_no_value() {
    let f = function(|x: &Tensor| Ok(Tensor::scalar(x.item::<f32>()?)));
    refused(f.call(&scalar(1.0f32)), FailedPrecondition, &["closure", "trac"]);
    let f = function(|x: &Tensor| Ok(Tensor::scalar(x.as_slice::<f32>()?.len() as f32)));
    refused(f.call(&tensor![1.0f32]), FailedPrecondition, &["closure", "trac"]);
    assert_eq!(f.trace_count(), 0);
}

#[test]
fn an_error_of_the_body_leaves_no_trace_behind() -> Result<()> {
    let fails = AtomicBool::new(true);
    let f = function(|x: &Tensor| match fails.load(Ordering::Relaxed) {
        true => Err(Error::new(NotFound, "the moon is missing")),
        false => ops::add(x, 1.0),
    });
    let x = scalar(1.0f32);
    refused(f.call(&x), NotFound, &["the moon is missing", "`closure`, traced for (", "float32"]);
    assert_eq!((f.trace_count(), f.concrete_functions().len()), (0, 0));
    fails.store(false, Ordering::Relaxed);
    assert_eq!(f.call(&x)?.item::<f32>()?, 2.0);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn a_panic_of_the_body_is_an_error_with_its_text() -> Result<()> {
    let f = function(|x: &Tensor, n: &i64| {
        let tape = GradientTape::new();
        tape.watch(x);
        let list = [1.0f32, 2.0];
        ops::mul(x, list[usize::try_from(*n).expect("n must not be negative")])
    });
    let x = scalar(3.0f32);
    refused(f.call(&x, &7), Internal, &["panicked", "index out of bounds", "`closure`"]);
    refused(f.call(&x, &-1), Internal, &["panicked", "n must not be negative"]);
    assert_eq!(f.trace_count(), 0);
    assert_eq!(f.call(&x, &1)?.item::<f32>()?, 6.0);
    assert_eq!(f.trace_count(), 1);
    // Neither a trace nor a tape is left open.
    Variable::new(scalar(1.0f32))?;
    assert_eq!(grad(|x: &Tensor| ops::square(x))(&x)?.item::<f32>()?, 6.0);
    Ok(())
}

#[test]
fn a_variable_is_not_created_in_a_body() {
    let f =
        function(|x: &Tensor| Variable::new(scalar(1.0f32))?.read().and_then(|v| ops::add(x, &v)));
    refused(f.call(&scalar(1.0f32)), FailedPrecondition, &["Late<Variable>", "get_or_create"]);
    let f = function(|x: &Tensor| Variable::new(x.clone())?.read());
    refused(f.call(&scalar(1.0f32)), FailedPrecondition, &["Late<Variable>", "closure"]);
}

// Ops on arguments are allowed in an initializer, reading their elements is not. In `init_scope` neither is.
#[test]
fn an_initializer_that_reads_an_argument_is_told_so() {
    let cell = Late::<Variable>::new();
    let f = function(|x: &Tensor| {
        cell.get_or_create(|| Variable::new(ops::mul(x, 2.0)?.item::<f32>()?))?.read()
    });
    let g = function(|x: &Tensor| init_scope(|| Variable::new(x))?.read());
    for e in [f.call(&scalar(1.0f32)), g.call(&scalar(1.0f32))] {
        refused(e, FailedPrecondition, &["initializer of a `Late`", "outside the trace", "assign"]);
    }
    assert!(cell.get().is_none());
}

#[test]
fn a_variable_that_is_dropped_is_missed_by_name() -> Result<()> {
    let held = Mutex::new(Some(Variable::new(scalar(2.0f32))?.name("weight")));
    let f = function(|x: &Tensor| match &*held.lock().unwrap() {
        Some(v) => ops::mul(x, &v.read()?),
        None => ops::mul(x, -1.0),
    });
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 6.0);
    let concrete = f.concrete_functions().remove(0);
    *held.lock().unwrap() = None;
    refused(concrete.call_flat(&[scalar(3.0f32)]), FailedPrecondition, &["weight", "dropped"]);
    // A call traces anew, which finds what is there now.
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, -3.0);
    Ok(())
}

#[test]
fn variables_keep_their_type() -> Result<()> {
    let v = Variable::new(tensor![1.0f32, 2.0])?;
    refused(v.assign(tensor![1.0f32]), InvalidArgument, &["float32[1]", "float32[2]"]);
    refused(v.assign(tensor![1i32, 2]), InvalidArgument, &["int32[2]", "float32[2]"]);
    refused(v.assign_add(tensor![1.0f64, 2.0]), InvalidArgument, &["float64", "float32"]);
    let f = function(|v: &Variable| v.assign(tensor![1.0f32, 2.0, 3.0]));
    refused(f.call(&v), InvalidArgument, &["float32[3]", "float32[2]", "closure"]);
    assert_eq!(floats(&v.read()?), [1.0, 2.0]);
    // What the trace can't know is checked when it runs.
    let f = function(|v: &Variable, x: &Tensor| v.assign(x));
    let any = TensorSpec::of::<f32>(shape![?]);
    let c = f.concrete(&v.type_spec(), &any)?;
    refused(c.call_flat(&[v.handle().clone(), zeros(&[5])]), InvalidArgument, &["[5]", "[2]"]);
    assert_eq!(floats(&v.read()?), [1.0, 2.0]);
    Ok(())
}

#[test]
fn operators_panic_outside_a_trace_and_err_within() {
    let (a, b) = (zeros(&[2]), zeros(&[3]));
    let named = ops::add(&a, &b).unwrap_err();
    let panic = catch_unwind(AssertUnwindSafe(|| &a + &b)).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.contains(named.message()), "{text}");
    assert!(text.starts_with("add: ") && text.contains("bad_input.rs"), "{text}");
    let f = function(|a: &Tensor, b: &Tensor| Ok(a + b));
    let text = refused(f.call(&a, &b), InvalidArgument, &[named.message(), "bad_input.rs"]);
    assert!(!text.contains("panicked"), "{text}");
    assert_eq!(f.trace_count(), 0);
    assert!(f.call(&a, &a).is_ok());
    // A panic in an eager operator leaves no line behind that later errors would name.
    let line = line!() + 1;
    let e = ops::add(&a, &b).unwrap_err();
    assert_eq!(e.location().map(std::panic::Location::line), Some(line));
}

#[test]
fn operators_on_extension_types_name_the_users_line() {
    let m = MaskedTensor::new([1.0f32, 2.0], [true, false]).unwrap();
    let line = line!() + 1;
    let e = ops::add(&m, zeros(&[3])).unwrap_err();
    let at = e.location().unwrap();
    assert!(at.file().ends_with("bad_input.rs") && at.line() == line, "{e}");
}

#[test]
fn concrete_functions_take_what_they_were_traced_for() -> Result<()> {
    let f = function(|x: &Tensor, y: &Tensor| ops::add(x, y));
    let spec = TensorSpec::of::<f32>(shape![?, 2]);
    let c = f.concrete(&spec, &spec)?;
    let x = zeros(&[3, 2]);
    assert_eq!(c.call_flat(&[x.clone(), x.clone()])?[0].shape(), shape![3, 2]);
    refused(c.call_flat(std::slice::from_ref(&x)), InvalidArgument, &["takes 2 tensors, 1 given"]);
    refused(c.call_flat(&[]), InvalidArgument, &["2", "0 given"]);
    let ints = Tensor::from_slice(&[1i32, 2], &[1, 2])?;
    refused(c.call_flat(&[x.clone(), ints]), InvalidArgument, &["tensor 1", "int32", "float32"]);
    refused(
        c.call_flat(&[zeros(&[2, 3]), x.clone()]),
        InvalidArgument,
        &["tensor 0", "[2, 3]", "[?, 2]"],
    );
    // Shapes that each fit, but not together.
    refused(c.call_flat(&[zeros(&[4, 2]), x]), InvalidArgument, &["add", "[4, 2]", "[3, 2]"]);
    Ok(())
}

#[test]
fn constructors_validate() {
    let r = MaskedTensor::new([1.0f32], [1.0f32]);
    refused(r, InvalidArgument, &["mask", "bool", "float32"]);
    let r = MaskedTensor::new([1.0f32, 2.0], [true, false, true]);
    refused(r, InvalidArgument, &["[2]", "[3]"]);
    refused(RaggedTensor::from_row_splits([1.0f32], [1i64, 0]), InvalidArgument, &[]);
    refused(RaggedTensor::from_row_splits([1.0f32], [0i64, 9]), InvalidArgument, &[]);
    refused(RaggedTensor::from_row_splits([1.0f32], [0.0f32, 1.0]), InvalidArgument, &["int64"]);
}

#[test]
fn names_stand_for_one_type() {
    let r = register_spec::<MaskedTensor>();
    refused(r, AlreadyExists, &["masked.MaskedTensor", "tensor.rs"]);
    let r = find_spec("no.Such").map(|c| c.name.clone());
    refused(r, NotFound, &["no.Such"]);
}

#[test]
fn dispatch_names_unknown_ops_and_bad_calls() {
    let x = AnyValue::from(tensor![1.0f32]);
    let none = Attrs::new();
    refused(
        dispatch::call("Frobnicate", std::slice::from_ref(&x), &none),
        NotFound,
        &["Frobnicate"],
    );
    // Too few, too many operands; attributes and host inputs that are missing.
    refused(dispatch::call("AddV2", std::slice::from_ref(&x), &none), InvalidArgument, &["add"]);
    refused(dispatch::call("AddV2", &[], &none), InvalidArgument, &["add"]);
    let three = [x.clone(), x.clone(), x.clone()];
    refused(dispatch::call("AddV2", &three, &none), InvalidArgument, &["add"]);
    refused(dispatch::call("Sum", &[], &none), InvalidArgument, &["reduce_sum"]);
    let m = AnyValue::from(tensor![[1.0f32]]);
    let wrong = Attrs::new().with(extype::ir::AttrKey::new("transpose_a"), &1i64);
    refused(dispatch::call("MatMul", &[m.clone(), m], &wrong), InvalidArgument, &["transpose_a"]);
    let masked = AnyValue::new(MaskedTensor::new([1.0f32], [true]).unwrap());
    let r = dispatch::call("AddV2", std::slice::from_ref(&masked), &none);
    refused(r, InvalidArgument, &["add"]);
    let axes = [masked.clone(), masked.clone()];
    refused(dispatch::call("Sum", &axes, &none), InvalidArgument, &["reduce_sum"]);
    let three = [masked.clone(), masked.clone(), masked.clone()];
    refused(dispatch::call("AddV2", &three, &none), InvalidArgument, &["add"]);
    // A type that is nobody's.
    let r = dispatch::call("UnsortedSegmentSum", &[masked, x.clone(), x], &none);
    refused(r, InvalidArgument, &["unsorted_segment_sum", "MaskedTensorSpec(", "#[overrides("]);
}

#[test]
fn dispatch_refuses_surplus_operands() {
    let masked = AnyValue::new(MaskedTensor::new([1.0f32], [true]).unwrap());
    let x = AnyValue::from(tensor![1.0f32]);
    let r = dispatch::call("AddV2", &[masked.clone(), masked, x], &Attrs::new());
    refused(r, InvalidArgument, &["add"]);
}

#[test]
fn gradients_that_do_not_exist_are_named() {
    let tape = GradientTape::new();
    let x = tensor![1.0f32];
    tape.watch(&x);
    let y = ops::square(&x).unwrap();
    let g = tape.gradient(&y, &x).unwrap();
    refused(g.get(".nothing").map(|_| ()), NotFound, &[".nothing"]);
    refused(g.wrt(&y).map(|_| ()), NotFound, &["sources"]);
    refused(g.leaf(4).map(|_| ()), OutOfRange, &["4"]);
    let v = Variable::new(scalar(1.0f32)).unwrap();
    refused(g.of(&v).map(|_| ()), NotFound, &["sources"]);
}

#[test]
fn values_are_packed_by_a_spec_that_fits() {
    let spec = (tensor![1.0f32].type_spec(), tensor![1i32].type_spec());
    let (f, i) = (tensor![1.0f32], tensor![1i32]);
    refused(nest::pack_sequence_as(&spec, vec![f.clone()]), InvalidArgument, &["1", "2"]);
    refused(
        nest::pack_sequence_as(&spec, vec![f.clone(), i.clone(), i.clone()]),
        InvalidArgument,
        &["3", "2"],
    );
    refused(nest::pack_sequence_as(&spec, vec![i, f]), InvalidArgument, &["int32", "float32"]);
}

#[test]
fn a_variable_is_read_with_its_own_dtype() {
    let op = extype::ir::find_op("ReadVariableOp").unwrap();
    let attrs = Attrs::new().with(extype::ir::AttrKey::new("dtype"), &DType::I32);
    let read = |v: &Variable| extype::tensor::execute_one(op, attrs.clone(), &[v.handle()]);
    let v = Variable::new(tensor![1.0f32, 2.0]).unwrap();
    refused(read(&v), InvalidArgument, &["read", "float32", "int32"]);
    let f = function(|v: &Variable| read(v));
    refused(f.call(&v), InvalidArgument, &["read", "float32", "int32"]);
}

/// The kernel does not read them, and a trace refuses them.
#[test]
fn attributes_of_another_kind_are_refused_whether_or_not_the_kernel_reads_them() {
    use extype::ir::{AttrKey, find_op};
    use extype::tensor::execute;
    let x = scalar(0.5f32);
    let wrong = |name| Attrs::new().with(AttrKey::new(name), &7i64);
    let equal = execute(find_op("Equal").unwrap(), wrong("incompatible_shape_error"), &[&x, &x]);
    let cast = wrong("Truncate").with(AttrKey::new("DstT"), &DType::I32);
    let cast = execute(find_op("Cast").unwrap(), cast, &[&x]);
    for (result, name) in [(equal, "incompatible_shape_error"), (cast, "Truncate")] {
        let e = result.unwrap_err();
        assert!(e.to_string().contains(&format!("attribute `{name}` is a bool, not 7")), "{e}");
    }
    let separator = Attrs::new().with(AttrKey::new("separator"), &String::new());
    let e = execute(find_op("StringJoin").unwrap(), separator, &[]).unwrap_err();
    assert!(e.to_string().contains("it takes at least one tensor"), "{e}");
}

/// Also those that only the gradient reads.
#[test]
fn attributes_that_are_missing_or_of_another_kind_are_refused_at_once() {
    use extype::ir::{AttrKey, find_op};
    use extype::tensor::execute;
    for (name, attribute) in [
        ("CheckNumericsV2", "message"),
        ("CheckNumerics", "message"),
        ("Extype>Silu", "beta"),
        ("QuantizeAndDequantizeV4", "signed_input"),
    ] {
        for attrs in [Attrs::new(), Attrs::new().with(AttrKey::new(attribute), &7i64)] {
            let op = find_op(name).unwrap();
            let call = move |x: &Vec<Tensor>| -> Result<Tensor> {
                let x: Vec<&Tensor> = x.iter().collect();
                Ok(execute(op, attrs.clone(), &x[..op.inputs.len()])?[0].clone())
            };
            let x = vec![scalar(0.5f32), scalar(0.0f32), scalar(1.0f32)];
            let (eager, traced) = (call(&x).unwrap_err(), function(call).call(&x).unwrap_err());
            for e in [eager, traced] {
                assert_eq!(e.kind(), ErrorKind::InvalidArgument);
                let wanted = format!("attribute `{attribute}` is");
                assert!(e.to_string().contains(&wanted), "{name}: {e}");
            }
        }
    }
}
