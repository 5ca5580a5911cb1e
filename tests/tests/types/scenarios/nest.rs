//! Flattening, packing and comparing of structures.

use std::collections::BTreeMap;

use extype::nest::tree::{self, Composites, Types};
use extype::prelude::*;
use extype::spec::AnyValue;
use extype_ragged::RaggedTensor;
use extype_tests::types::{Labelled, MaskedTensor};

use super::refused;
use Composites::{Expand, Keep};
use Types::{Check, Ignore};

fn masked(n: usize) -> MaskedTensor {
    MaskedTensor::new(vec![1.0f32; n], vec![true; n]).unwrap()
}

fn labelled(label: &str) -> AnyValue {
    AnyValue::new(Labelled::new([1.0f32], vec![label.to_owned()], 1.0).unwrap())
}

fn dict<T: Structure>(parts: impl IntoIterator<Item = (&'static str, T)>) -> AnyValue {
    let parts = parts.into_iter().map(|(k, x)| (k.to_owned(), x));
    AnyValue::new(parts.collect::<BTreeMap<_, _>>())
}

fn texts<T: tree::Tree>(trees: &[T]) -> Vec<String> {
    trees.iter().map(|t| t.spec().to_string()).collect()
}

#[test]
fn s19_a_masked_tensor_flattens_to_its_tensors_or_to_itself() -> Result<()> {
    let m = masked(2);
    let value = AnyValue::of(&m);
    let flat = tree::flatten(&value, Expand);
    assert_eq!(flat.len(), 2);
    assert_eq!(flat[0].as_tensor().map(Tensor::id), Some(m.values.id()));
    assert_eq!(flat[1].as_tensor().map(Tensor::id), Some(m.mask.id()));
    let kept = tree::flatten(&value, Keep);
    assert_eq!(texts(&kept), [value.spec().to_string()]);
    assert_eq!(kept[0].clone().downcast::<MaskedTensor>()?.values.id(), m.values.id());
    // The same of specs; typed values are expanded.
    assert_eq!(tree::flatten(value.spec(), Expand), value.spec().component_specs());
    assert_eq!(tree::flatten(value.spec(), Keep), [value.spec().clone()]);
    assert_eq!(nest::flatten(&m).len(), 2);
    let paths = tree::flatten_with_paths(&AnyValue::new(vec![m]), Expand);
    assert_eq!(paths[1].0.to_string(), "[0].mask");
    assert_eq!(
        paths[1].0.0,
        [
            nest::Part::Index(0),
            nest::Part::Type("MaskedTensor".into()),
            nest::Part::Field("mask".into())
        ]
    );
    Ok(())
}

#[test]
fn s34_maps_flatten_by_sorted_key_and_are_packed_by_it() -> Result<()> {
    let map = dict([("b", 1i64), ("a", 2)]);
    assert_eq!(texts(&tree::flatten(&map, Keep)), ["2", "1"]);
    let packed =
        tree::pack_sequence_as(&map, vec![AnyValue::new(20i64), AnyValue::new(10i64)], Keep)?;
    let packed: BTreeMap<String, i64> = packed.downcast()?;
    assert_eq!(packed, BTreeMap::from([("b".to_owned(), 10), ("a".to_owned(), 20)]));
    Ok(())
}

#[test]
fn s35_an_atom_takes_one_part_only() -> Result<()> {
    let atom = AnyValue::new(scalar(1.0f32));
    let parts = |n: usize| vec![AnyValue::new(scalar(2.0f32)); n];
    assert!(tree::pack_sequence_as(&atom, parts(1), Keep).is_ok());
    let e = refused(tree::pack_sequence_as(&atom, parts(2), Keep));
    assert!(e.contains("2 parts given for a structure of 1"), "{e}");
    refused(nest::pack_sequence_as(&TensorSpec::of::<f32>([]), vec![scalar(1.0f32); 2]));
    // Nothing and options that are not there are atoms; empty containers have none.
    assert_eq!(tree::flatten(&AnyValue::new(()), Keep).len(), 1);
    assert_eq!(tree::flatten(&AnyValue::new(None::<Tensor>), Keep).len(), 1);
    assert_eq!(tree::flatten(&AnyValue::new(Vec::<Tensor>::new()), Keep).len(), 0);
    Ok(())
}

#[test]
fn s36_three_parts_in_two_places_are_refused_with_both_counts() {
    let pair = AnyValue::new((scalar(1.0f32), scalar(2.0f32)));
    let three = vec![AnyValue::new(0i64); 3];
    let e = refused(tree::pack_sequence_as(&pair, three, Keep));
    assert!(e.contains("3 parts given for a structure of 2: (., .)"), "{e}");
    let typed = (scalar(1.0f32), scalar(2.0f32)).type_spec();
    let e = refused(nest::pack_sequence_as(&typed, vec![scalar(1.0f32); 3]));
    assert!(e.contains("3 tensors given for a structure of 2"), "{e}");
}

#[test]
fn s37_a_list_is_no_array_and_a_tuple_only_if_types_are_ignored() {
    let list = AnyValue::new(vec![0i64, 1]);
    let array = AnyValue::new(tensor![0i64, 1]);
    for types in [Check, Ignore] {
        let e = refused(tree::assert_same_structure(&list, &array, types, Keep));
        assert!(e.contains("a list is a structure, and a tensor is none"), "{e}");
        assert!(e.ends_with("[., .]\n    ."), "{e}");
    }
    let tuple = AnyValue::new((0i64, 1i64));
    let e = refused(tree::assert_same_structure(&list, &tuple, Check, Keep));
    assert!(e.contains("a list is not a tuple"), "{e}");
    assert!(tree::assert_same_structure(&list, &tuple, Ignore, Keep).is_ok());
    let one = AnyValue::new(vec![0i64]);
    let e = refused(tree::assert_same_structure(&list, &one, Check, Keep));
    assert!(e.contains("the lengths differ: 2 and 1"), "{e}");
    // Atoms are never compared.
    let floats = AnyValue::new(vec![scalar(1.0f32), scalar(2.0f32)]);
    assert!(tree::assert_same_structure(&list, &floats, Check, Keep).is_ok());
}

#[test]
fn s38_maps_with_other_keys_are_refused_with_both_key_sets() {
    let (ab, ac) = (dict([("a", 1i64), ("b", 2)]), dict([("a", 1i64), ("c", 2)]));
    for types in [Check, Ignore] {
        let e = refused(tree::assert_same_structure(&ab, &ac, types, Keep));
        assert!(e.contains(r#"the keys differ: {"a", "b"} and {"a", "c"}"#), "{e}");
    }
}

#[test]
fn s39_unrelated_extension_types_differ_if_they_are_expanded() -> Result<()> {
    let (a, b) = (AnyValue::new(masked(1)), labelled("b"));
    for types in [Check, Ignore] {
        let e = refused(tree::assert_same_structure(&a, &b, types, Expand));
        assert!(e.contains("MaskedTensorSpec(") && e.contains("LabelledSpec("), "{e}");
        assert!(tree::assert_same_structure(&a, &b, types, Keep).is_ok());
        // Metadata is part of the type, sizes are not.
        refused(tree::assert_same_structure(&labelled("a"), &b, types, Expand));
        let five = AnyValue::new(masked(5));
        assert!(tree::assert_same_structure(&a, &five, types, Expand).is_ok());
        // A value and its spec match; a type and the list of its components don't.
        assert!(tree::assert_same_structure(&a, a.spec(), types, Expand).is_ok());
        let parts = AnyValue::new(vec![scalar(1.0f32), scalar(true)]);
        refused(tree::assert_same_structure(&a, &parts, types, Expand));
        refused(tree::assert_same_structure(&parts, &a, types, Expand));
    }
    let ragged = |rows: [i64; 3]| RaggedTensor::from_row_splits([1.0f32, 2.0], rows);
    nest::assert_same_structure(&ragged([0, 1, 2])?, &ragged([0, 0, 2])?)
}

#[test]
fn options_are_there_or_not() {
    let (some, none) = (AnyValue::new(Some(scalar(1.0f32))), AnyValue::new(None::<Tensor>));
    let plain = AnyValue::new(scalar(1.0f32));
    let same = |a, b, types| tree::assert_same_structure(a, b, types, Keep);
    assert!(same(&some, &some, Check).is_ok() && same(&none, &none, Check).is_ok());
    let e = refused(same(&some, &none, Check));
    assert!(e.contains("one option is there, the other is not"), "{e}");
    let e = refused(same(&some, &plain, Check));
    assert!(e.contains("an option is not a tensor"), "{e}");
    assert!(same(&some, &none, Ignore).is_ok() && same(&some, &plain, Ignore).is_ok());
}

#[test]
fn shallow_structures_keep_what_is_deeper_whole() -> Result<()> {
    let t = || scalar(1.0f32);
    let shallow = dict([("a", 0i64), ("b", 0)]);
    let deep = AnyValue::new((vec![t(), t()], masked(2)));
    let pair = AnyValue::new((0i64, 0i64));
    let parts = tree::flatten_up_to(&pair, &deep, Check, Keep)?;
    assert_eq!(parts[0].leaves().len(), 2);
    assert_eq!(parts[1].clone().downcast::<MaskedTensor>()?.values.shape(), shape![2]);
    let paths = tree::flatten_with_paths_up_to(&pair, &deep, Check, Keep)?;
    assert_eq!(paths[1].0.to_string(), "[1]");
    let counts = tree::map_structure_up_to(
        &pair,
        &[&deep, &deep],
        |parts| Ok(AnyValue::new((parts[0].leaves().len() + parts[1].leaves().len()) as i64)),
        Check,
        Keep,
    )?;
    assert_eq!(counts.spec().to_string(), "(4, 4)");
    // Expanded, a shallow extension type reaches into the deep one.
    let inner = tree::flatten_up_to(&AnyValue::new((0i64, masked(3))), &deep, Check, Expand)?;
    assert_eq!(inner.len(), 3);

    let shallower = |shallow: &AnyValue, deep: &AnyValue, types| {
        refused(tree::assert_shallow_structure(shallow, deep, types, Keep))
    };
    let e = shallower(&pair, &AnyValue::new(t()), Check);
    assert!(e.contains("a tensor stands where the shallow structure has a tuple"), "{e}");
    let e = shallower(&pair, &AnyValue::new(vec![t(), t()]), Check);
    assert!(e.contains("a tuple is not a list"), "{e}");
    tree::assert_shallow_structure(&pair, &AnyValue::new(vec![t(), t()]), Ignore, Keep)?;
    let e = shallower(&pair, &AnyValue::new((t(), t(), t())), Check);
    assert!(e.contains("the lengths differ: 2 and 3"), "{e}");
    let e = shallower(&shallow, &dict([("a", 1i64)]), Check);
    assert!(e.contains("the keys differ"), "{e}");
    let nested = AnyValue::new(vec![(0i64, 0i64)]);
    let e = shallower(&nested, &AnyValue::new(vec![(t(),)]), Check);
    assert!(e.contains("at [0]: the lengths differ: 2 and 1"), "{e}");
    Ok(())
}

#[test]
fn structures_are_mapped_together() -> Result<()> {
    let (x, y) = (vec![scalar(1.0f32), scalar(2.0f32)], vec![scalar(10.0f32), scalar(20.0f32)]);
    let sums = nest::map_structures(&[&x, &y], |t| ops::add(t[0], t[1]))?;
    assert_eq!(sums[1].item::<f32>()?, 22.0);
    let none: [&Vec<Tensor>; 0] = [];
    let e = refused(nest::map_structures(&none, |t| Ok(t[0].clone())));
    assert!(e.contains("no structure is given"), "{e}");
    let e = refused(nest::map_structures(&[&x, &x[..1].to_vec()], |t| Ok(t[0].clone())));
    assert!(e.contains("the lengths differ: 2 and 1"), "{e}");
    // Trees, with a result of another type.
    let (x, y) = (AnyValue::of(&x), AnyValue::new((1i64, 2i64)));
    let pairs = tree::map_structures(
        &[&x, &y],
        |parts| Ok(AnyValue::new(parts[1].spec().to_string())),
        Ignore,
        Keep,
    )?;
    assert_eq!(pairs.spec().to_string(), r#"["1", "2"]"#);
    refused(tree::map_structures(&[&x, &y], |parts| Ok(parts[0].clone()), Check, Keep));
    // The components of an extension type are mapped to tensors.
    let m = AnyValue::new(masked(2));
    let shapes = tree::map_structure(
        &m,
        |part| {
            let t = part.as_tensor().expect("a tensor");
            Ok(AnyValue::new(ops::cast(t, DType::F64)?))
        },
        Expand,
    )?;
    assert_eq!(shapes.downcast::<MaskedTensor>()?.mask.dtype(), DType::F64);
    let e = refused(tree::map_structure(&m, |_| Ok(AnyValue::new(1i64)), Expand));
    assert!(e.contains("a component of an extension type is a tensor"), "{e}");
    Ok(())
}

#[test]
fn a_spec_as_structure_builds_values() -> Result<()> {
    let spec = (masked(2).type_spec(), TensorSpec::of::<i32>([])).to_any();
    let flat = [tensor![1.0f32, 2.0, 3.0], tensor![true, true, false], scalar(7i32)];
    let flat = flat.into_iter().map(AnyValue::new).collect();
    let value = tree::pack_sequence_as(&spec, flat, Expand)?;
    let (m, n): (MaskedTensor, Tensor) = value.downcast()?;
    assert_eq!((m.values.shape(), n.item::<i32>()?), (shape![3], 7));
    Ok(())
}
