//! Dtypes, shapes and specs in the formats people have (feature `serde`).

use std::collections::BTreeMap;

use extype::prelude::*;
use extype::spec::AnySpec;
use extype::spec::{Literal, SpecValue};
use extype_masked::{Masked, MaskedTensor, MaskedTensorSpec};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(x: &T) -> String {
    let text = serde_json::to_string(x).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *x, "{text}");
    text
}

fn refused<T: DeserializeOwned>(text: &str) -> String {
    serde_json::from_str::<T>(text).err().expect("refused").to_string()
}

fn masked() -> MaskedTensorSpec {
    MaskedTensor::new([1.0f32, 2.0], [true, false]).unwrap().type_spec()
}

#[test]
fn dtypes_and_shapes_are_names_and_lists() {
    assert_eq!(round_trip(&DType::BF16), r#""bfloat16""#);
    assert_eq!(round_trip(&shape![2, ?]), "[2,null]");
    assert_eq!(round_trip(&shape![]), "[]");
    assert_eq!(round_trip(&Shape::unknown()), "null");
    assert!(refused::<DType>(r#""float""#).contains("the name of a dtype"));
    refused::<Shape>("[-1]");
}

#[test]
fn a_tensor_spec_is_a_struct() {
    let spec = TensorSpec::of::<f32>(shape![?, 3]);
    assert_eq!(round_trip(&spec), r#"{"shape":[null,3],"dtype":"float32","name":null}"#);
    round_trip(&spec.named("x"));
    let bare: TensorSpec = serde_json::from_str(r#"{"shape":[],"dtype":"int32"}"#).unwrap();
    assert_eq!(bare, TensorSpec::of::<i32>([]));
}

#[test]
fn a_derived_spec_is_found_again_by_its_name() {
    let text = round_trip(&masked());
    assert!(text.starts_with(r#"{"Spec":{"name":"masked.MaskedTensor""#), "{text}");
    round_trip(&masked().to_any());
    round_trip(&vec![Some(masked()), None]);
    round_trip(&BTreeMap::from([("k".to_string(), masked())]));
    let e = refused::<MaskedTensorSpec>(&text.replace("masked.M", "masked.N"));
    assert!(e.contains("no extension type is registered as `masked.NaskedTensor`"), "{e}");
    let e = refused::<MaskedTensorSpec>(r#"{"Tensor":{"shape":[],"dtype":"int32"}}"#);
    assert!(e.contains("MaskedTensor"), "{e}");
    let e = refused::<AnySpec>(&text.replace(r#""mask""#, r#""musk""#));
    assert!(e.contains("mask"), "{e}");
}

#[test]
fn an_instance_of_a_generic_type_is_found_too() {
    let spec = Masked { values: MaskedTensor::new([1.0f32], [true]).unwrap(), mask: scalar(true) };
    round_trip(&spec.type_spec().to_any());
}

#[test]
fn sizes_beyond_int64_are_refused() {
    round_trip(&shape![9223372036854775807]);
    for size in ["9223372036854775808", "18446744073709551615", "18446744073709551616", "-1"] {
        let e = refused::<Shape>(&format!("[{size}]"));
        assert!(e.contains(size) || e.contains("expected"), "{e}");
    }
}

#[test]
fn what_nests_too_deep_is_refused_before_it_is_read() {
    // JSON in memory is read without a limit of its own.
    let nested = |depth: usize, kind: &str| {
        let end = serde_json::json!({ "Literal": "None" });
        let one = |inner| [(kind.to_owned(), serde_json::Value::Array(vec![inner]))];
        let level = |inner, _| serde_json::Value::Object(one(inner).into_iter().collect());
        (0..depth).fold(end, level)
    };
    for kind in ["List", "Tuple"] {
        assert!(serde_json::from_value::<AnySpec>(nested(1024, kind)).is_ok());
        for depth in [1025, 2000] {
            let e = serde_json::from_value::<AnySpec>(nested(depth, kind)).unwrap_err();
            assert!(e.to_string().contains("nest deeper than 1024"), "{e}");
        }
    }
}

#[test]
fn numbers_that_json_lacks_are_texts() {
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.1, 1e300, 3.0] {
        round_trip(&AnySpec::Literal(Literal::Float(x)));
    }
    for x in [0, -1, i128::from(u64::MAX), i128::MIN] {
        round_trip(&SpecValue::Literal(Literal::Int(x)));
    }
    let nan = serde_json::to_string(&Literal::Float(f64::NAN)).unwrap();
    assert_eq!(nan, r#"{"Float":"NaN"}"#);
    assert!(refused::<Literal>(r#"{"Int":"one"}"#).contains("an integer"));
}
