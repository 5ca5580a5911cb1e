use extype_formats::ErrorKind;
use extype_formats::proto::{
    self, AttrValue, DataType, FingerprintDef, Message, NodeDef, SavedModel, StructuredValue,
    TensorProto, TensorShapeProto, TupleValue, attr_value, decode, from_text, structured_value,
    to_text,
};

use crate::golden;

/// Nothing that real models hold is lost: what is written again reads as the same, and is as long but for keys and values of maps
/// that are zero or empty, which TensorFlow writes and others leave out.
#[test]
fn models_are_read_whole() {
    let Some(folder) = golden::folder("saved_models") else { return };
    let mut models = 0;
    for model in golden::entries(&folder) {
        let path = model.join("model/saved_model.pb");
        let bytes = std::fs::read(&path).unwrap();
        let model: SavedModel = proto::read(&path, proto::MAX_BYTES).unwrap();
        let written = model.encode_to_vec();
        let less = bytes.len() - written.len();
        assert!(less < bytes.len() / 100, "{}: {less} bytes less", path.display());
        assert_eq!(decode::<SavedModel>(&written, "it").unwrap(), model);
        let text = to_text(&model);
        assert!(
            from_text::<SavedModel>(text.as_bytes(), "it").unwrap() == model,
            "{}",
            path.display()
        );
        let print = path.with_file_name("fingerprint.pb");
        let print: FingerprintDef = proto::read(print, 1000).unwrap();
        assert_ne!(print.graph_def_program_hash, 0);
        models += 1;
    }
    assert!(models > 10, "{models} models");
}

#[test]
fn fields_stand_where_tensorflow_has_them() {
    let int = StructuredValue::new(structured_value::Kind::Int64Value(-1));
    // Field 12, zigzag.
    assert_eq!(int.encode_to_vec(), [12 << 3, 1]);
    // Field 3 is the rank that is not known; sizes that are not known are -1.
    assert_eq!(TensorShapeProto::unknown().encode_to_vec(), [3 << 3, 1]);
    let shape = TensorShapeProto::new([-1, 3]);
    let bytes = shape.encode_to_vec();
    let minus_one = [&[8][..], &[0xff; 9], &[1]].concat();
    assert_eq!(bytes, [&[0x12, 11][..], &minus_one, &[0x12, 2, 8, 3]].concat());
    assert_eq!(decode::<TensorShapeProto>(&bytes, "it").unwrap().sizes(), Some(vec![-1, 3]));
    assert_eq!(TensorShapeProto::unknown().sizes(), None);
}

#[test]
fn lists_are_read_packed_and_unpacked() {
    let packed = TensorProto { int_val: vec![7, 300], ..TensorProto::default() };
    let bytes = packed.encode_to_vec();
    assert_eq!(bytes, [7 << 3 | 2, 3, 7, 0xac, 2]);
    assert_eq!(decode::<TensorProto>(&[7 << 3, 7, 7 << 3, 0xac, 2], "it").unwrap(), packed);
}

#[test]
fn fields_of_newer_versions_are_ignored() {
    let node = NodeDef { name: "x".into(), ..NodeDef::default() };
    let mut bytes = node.encode_to_vec();
    // Field 1000: a string.
    bytes.extend([0xc2, 0x3e, 1, b'?']);
    assert_eq!(decode::<NodeDef>(&bytes, "it").unwrap(), node);
    // Enums keep numbers that have no name yet.
    let tensor = TensorProto { dtype: 101, ..TensorProto::default() };
    let read: TensorProto = decode(&tensor.encode_to_vec(), "it").unwrap();
    assert_eq!((read.dtype, read.dtype()), (101, DataType::Invalid));
}

#[test]
fn equal_maps_are_equal_bytes() {
    let node = |names: [&str; 3]| NodeDef {
        attr: names
            .iter()
            .map(|name| ((*name).to_string(), AttrValue::new(attr_value::Value::I(1))))
            .collect(),
        ..NodeDef::default()
    };
    assert_eq!(node(["a", "b", "T"]).encode_to_vec(), node(["T", "b", "a"]).encode_to_vec());
}

#[test]
fn nesting_ends() {
    let nested = |depth: usize| {
        (0..depth).fold(StructuredValue::default(), |value, _| {
            StructuredValue::new(structured_value::Kind::TupleValue(TupleValue {
                values: vec![value],
            }))
        })
    };
    decode::<StructuredValue>(&nested(49).encode_to_vec(), "it").unwrap();
    let error = decode::<StructuredValue>(&nested(60).encode_to_vec(), "it").unwrap_err();
    assert!(error.to_string().contains("recursion limit"), "{error}");
}

#[test]
fn files_that_can_t_be_read_are_named() {
    let folder = golden::scratch("messages");
    let path = folder.join("saved_model.pb");
    let error = proto::read::<SavedModel>(&path, 10).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    std::fs::write(&path, [0xff; 20]).unwrap();
    let error = proto::read::<SavedModel>(&path, 10).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
    let shown = format!("the file {} is larger than the limit of 10 bytes", path.display());
    assert_eq!(error.to_string(), shown);
    let error = proto::read::<SavedModel>(&path, 20).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataLoss);
    let shown = format!("the file {} is no SavedModel, or is damaged: ", path.display());
    assert!(error.to_string().starts_with(&shown), "{error}");
    assert!(proto::read::<SavedModel>(&folder, 20).is_err());
}

#[test]
fn text_says_what_bytes_say() {
    let tensor = TensorProto {
        dtype: DataType::Bfloat16.into(),
        tensor_shape: Some(TensorShapeProto::new([-1, 2])),
        tensor_content: b"a\"\n\x00\xff".to_vec(),
        float_val: vec![0.1, 1.0, -1e30, f32::INFINITY, f32::MIN_POSITIVE],
        double_val: vec![-0.0, f64::NEG_INFINITY, 1e-300],
        int64_val: vec![i64::MIN, i64::MAX],
        uint64_val: vec![u64::MAX],
        bool_val: vec![true, false],
        int_val: vec![-1, i32::MIN],
        ..TensorProto::default()
    };
    let text = to_text(&tensor);
    let begin = "dtype: DT_BFLOAT16\ntensor_shape {\n  dim {\n    size: -1\n  }\n  dim {\n    size: 2\n  }\n}\n\
                 tensor_content: \"a\\\"\\n\\000\\377\"\nfloat_val: 0.1\nfloat_val: 1.0\nfloat_val: -1e30\n\
                 float_val: inf\n";
    assert!(text.starts_with(begin), "{text}");
    assert_eq!(from_text::<TensorProto>(text.as_bytes(), "it").unwrap(), tensor);

    let read = |text: &str| from_text::<TensorProto>(text.as_bytes(), "it");
    let by_hand = "dtype: 14 tensor_shape <dim: [{size: 0x10}, {size: 017}]>; bool_val: [t, False] float_val: 1f
        float_val: nan int64_val: - 3, uint64_val: 18446744073709551615 # end";
    let tensor = read(by_hand).unwrap();
    assert_eq!(tensor.dtype(), DataType::Bfloat16);
    assert_eq!(tensor.tensor_shape.unwrap().sizes(), Some(vec![16, 15]));
    assert_eq!((tensor.bool_val, tensor.int64_val), (vec![true, false], vec![-3]));
    assert!(tensor.float_val[0] == 1.0 && tensor.float_val[1].is_nan());
    assert_eq!(tensor.uint64_val, [u64::MAX]);
    let literal = StructuredValue::new(structured_value::Kind::Int64Value(-7));
    assert_eq!(to_text(&literal), "int64_value: -7\n");
    assert_eq!(from_text::<StructuredValue>(b"int64_value: -7", "it").unwrap(), literal);
    for (text, what) in [
        ("\nnone: 3", "line 2: TensorProto has no field `none`"),
        ("dtype: DT_FLOAT\ndtype: DT_INT8", "line 2: `dtype` stands twice"),
        ("dtype: FLOAT", "line 1: `dtype` is DataType, and can't be `FLOAT`"),
        ("int_val: 2147483648", "line 1: `int_val` is int32, and can't be `2147483648`"),
        ("uint32_val: -1", "line 1: `uint32_val` is uint32, and can't be `-1`"),
        ("int_val: 1.5", "line 1: `int_val` is int32, and can't be `1.5`"),
        ("tensor_shape: 3", "line 1: `tensor_shape` is TensorShapeProto"),
        ("string_val { }", "line 1: `string_val` is bytes"),
        ("int_val: '3'", "line 1: `int_val` is int32"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataLoss);
        assert!(error.to_string().starts_with(&format!("it: {what}")), "{error}");
    }
}
