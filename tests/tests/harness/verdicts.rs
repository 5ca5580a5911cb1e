//! The harness itself: it must not call wrong answers right.

use extype::array::Array;
use extype_tests::conformance::{Case, Mode, Report, Selection, Verdict, run_case, run_directory};
use serde_json::{Value, json};

const ONE_TWO: &str = "AACAPwAAAEA=";
const TWO_FOUR: &str = "AAAAQAAAgEA=";
const NAN_TWO: &str = "AADAfwAAAEA=";

fn floats(data: &str) -> Value {
    json!({"dtype": "float32", "shape": [2], "data": data})
}

fn add(outputs: &Value) -> Value {
    json!({"id": "made/add", "suite": "made", "op": "AddV2", "api": "tf.math.add",
        "attrs": {"T": {"type": "float32"}}, "inputs": [floats(ONE_TWO), floats(ONE_TWO)],
        "outputs": outputs, "tol": {"rtol": 0.0, "atol": 0.0}})
}

fn verdicts(json: &Value) -> Vec<Verdict> {
    let case = Case::parse(&json.to_string()).expect("a case");
    Mode::ALL.iter().map(|m| run_case(&case, *m).verdict).collect()
}

fn passes(json: &Value) -> bool {
    verdicts(json).iter().all(|v| *v == Verdict::Passed)
}

fn fails(json: &Value) -> bool {
    verdicts(json).iter().all(|v| matches!(v, Verdict::Failed { .. }))
}

fn is_unsupported(json: &Value) -> bool {
    verdicts(json).iter().all(|v| matches!(v, Verdict::Unsupported(_)))
}

#[test]
fn right_answers_pass_and_wrong_ones_fail() {
    assert!(passes(&add(&json!([floats(TWO_FOUR)]))));
    assert!(fails(&add(&json!([floats(ONE_TWO)]))));
    assert!(fails(&add(&json!([floats(TWO_FOUR), floats(TWO_FOUR)]))));
    let other_shape = json!({"dtype": "float32", "shape": [1, 2], "data": TWO_FOUR});
    assert!(fails(&add(&json!([other_shape]))));
    let other_dtype = json!({"dtype": "int32", "shape": [2], "data": TWO_FOUR});
    assert!(fails(&add(&json!([other_dtype]))));
}

#[test]
fn an_op_that_does_not_exist_is_unsupported() {
    let mut case = add(&json!([floats(TWO_FOUR)]));
    case["op"] = json!("NoSuchOp");
    assert!(is_unsupported(&case));
    case["op"] = Value::Null;
    case["api"] = json!("tf.no_such_function");
    assert!(is_unsupported(&case));
    case["api"] = json!("program.no_such_program");
    assert!(is_unsupported(&case));
}

#[test]
fn an_attribute_that_is_not_there_is_unsupported_unless_it_says_nothing() {
    let mut case = add(&json!([floats(TWO_FOUR)]));
    case["attrs"]["grad_x"] = json!(false);
    assert!(passes(&case));
    case["attrs"]["grad_x"] = json!(true);
    assert!(is_unsupported(&case));
}

#[test]
fn ragged_inputs_are_unsupported() {
    let mut case = add(&json!([floats(TWO_FOUR)]));
    case["inputs"][0] = json!({"ragged": {"flat_values": floats(ONE_TWO), "row_splits": []}});
    assert!(is_unsupported(&case));
}

#[test]
fn a_refusal_that_does_not_come_fails() {
    let mut case = add(&json!([]));
    case["error"] = json!("InvalidArgument");
    assert!(fails(&case));
    case["inputs"][0] = json!({"dtype": "float32", "shape": [3], "data": "AACAPwAAgD8AAIA/"});
    assert!(passes(&case));
    case.as_object_mut().expect("an object").remove("error");
    assert!(fails(&case));
}

#[test]
fn nan_equals_nan_and_nothing_else() {
    let mut case = add(&json!([floats(NAN_TWO)]));
    case["inputs"][0] = floats(NAN_TWO);
    case["outputs"][0] = floats("AACA/wAAgEA=");
    assert!(fails(&case));
    // Another payload and sign.
    case["outputs"][0] = floats("AQDA/wAAgEA=");
    assert!(passes(&case));
    case["tol"] = json!({"rtol": 1e-3, "atol": 1e-3});
    assert!(passes(&case));
}

#[test]
fn zero_tolerance_is_bit_for_bit() {
    // 2 and the next float after 4.
    let mut case = add(&json!([floats("AAAAQAEAgEA=")]));
    assert!(fails(&case));
    case["tol"] = json!({"rtol": 1e-6, "atol": 0.0});
    assert!(passes(&case));
    // 0 + 0 is no negative zero.
    let zeros = "AAAAAAAAAAA=";
    let mut case = add(&json!([floats("AAAAgAAAAIA=")]));
    case["inputs"] = json!([floats(zeros), floats(zeros)]);
    assert!(fails(&case));
    case["outputs"] = json!([floats(zeros)]);
    assert!(passes(&case));
}

#[test]
fn alternatives_and_skipped_outputs_count() {
    let mut case = add(&json!([floats(ONE_TWO)]));
    case["alt_outputs"] = json!([floats(TWO_FOUR)]);
    assert!(passes(&case));
    let mut case = add(&json!([null]));
    assert!(passes(&case));
    case["outputs"] = json!([floats(ONE_TWO)]);
    case["compare_outputs"] = json!([]);
    assert!(passes(&case));
}

#[test]
fn wrong_gradients_fail() {
    let mut case = add(&json!([floats(TWO_FOUR)]));
    case["grads"] = json!({"cotangents": [floats(ONE_TWO)],
        "input_grads": [floats(ONE_TWO), floats(ONE_TWO)]});
    case["grad_tol"] = json!({"rtol": 1e-6, "atol": 1e-6});
    assert!(passes(&case));
    case["grads"]["input_grads"][1] = floats(TWO_FOUR);
    assert!(fails(&case));
    case["grads"]["input_grads"][1] = Value::Null;
    assert!(fails(&case));
}

#[test]
fn exempt_cases_are_counted_apart() {
    let mut case = add(&json!([floats(ONE_TWO)]));
    case["tags"] = json!(["denormal"]);
    let case = Case::parse(&case.to_string()).expect("a case");
    let mut report = Report::default();
    report.add("made", run_case(&case, Mode::Eager));
    assert_eq!((report.total().failed, report.total().exempt), (0, 1));
    assert!(report.details().contains("exempt made/add"));
    assert_eq!(report.summary().lines().last(), Some("0 passed, 0 failed, 0 unsupported"));
}

#[test]
fn a_denormal_where_tensorflow_flushed_to_zero_is_exempt() {
    let mut case = add(&json!([floats("AAAAAAAAgEA=")]));
    // A denormal plus zero.
    case["inputs"] = json!([floats("AQAAAAAAAEA="), floats("AAAAAAAAAEA=")]);
    assert!(verdicts(&case).iter().all(|v| matches!(v, Verdict::Exempt { .. })));
    case["outputs"] = json!([floats("AAAAAAAAAEA=")]);
    assert!(fails(&case));
}

#[test]
fn laws_of_specs_are_compared() {
    let spec = |n: i64| json!({"tensor_spec": {"shape": [n], "dtype": "float32"}});
    let mut case = json!({"id": "made/sub", "suite": "made", "kind": "is_subtype_of",
        "args": [spec(2), spec(2)], "result": true});
    assert!(passes(&case));
    case["result"] = json!(false);
    assert!(fails(&case));
    case["args"][0] = json!({"dataset_spec": {}});
    assert!(is_unsupported(&case));
    case["kind"] = json!("no_such_method");
    assert!(is_unsupported(&case));
}

#[test]
fn a_missing_folder_is_an_error_with_its_path() {
    let e = run_directory("/no/such/folder".as_ref(), &Selection::default()).unwrap_err();
    assert!(format!("{e:#}").contains("/no/such/folder"));
}

#[test]
fn recorded_data_is_little_endian_and_row_major() {
    let array = extype_tests::conformance::values::array(&floats(ONE_TWO)).expect("an array");
    assert_eq!(array.as_slice::<f32>().expect("floats"), &[1.0, 2.0]);
    assert_eq!(array.dims(), Array::from_slice([2], &[1.0f32, 2.0]).expect("two").dims());
}
