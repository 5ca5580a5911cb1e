//! Generated specs: laws, components, serialization, packing, stacking.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use extype::nest::tree::{self, Composites, Types};
use extype::prelude::*;
use extype::spec::AnySpec;
use extype::spec::AnyValue;
use extype::spec::{Class, Composite, Hooks, Literal, Opaque, Packed, SpecValue};
use extype_ragged::RaggedTensor;
use extype_tests::types::{Labelled, MaskedTensor, MaskedTensorSpec};

use super::refused;

fn masked(n: usize) -> MaskedTensor {
    MaskedTensor::new(vec![1.0f32; n], vec![true; n]).unwrap()
}

fn labelled(label: &str) -> Labelled {
    Labelled::new([1.0f32], vec![label.to_owned()], 1.0).unwrap()
}

/// A type with static data and tensors in nested maps.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "scenarios.Zoo")]
struct Zoo {
    #[static_data]
    zookeepers: Vec<String>,
    animals: BTreeMap<String, BTreeMap<String, Tensor>>,
    #[static_data]
    tickets: BTreeMap<String, i64>,
}

fn zoo() -> Zoo {
    let animal = |parts: [(&str, f32); 2]| {
        parts.into_iter().map(|(k, x)| (k.to_owned(), scalar(x))).collect::<BTreeMap<_, _>>()
    };
    let tiger = BTreeMap::from([("hunger".to_owned(), scalar(3.0f32))]);
    let animals = [
        ("tiger".to_owned(), tiger),
        ("elephant".to_owned(), animal([("weight", 2.0), ("size", 1.0)])),
    ];
    Zoo {
        zookeepers: vec!["Zoey".to_owned(), "Zack".to_owned()],
        animals: animals.into(),
        tickets: [("child".to_owned(), 3)].into(),
    }
}

#[test]
fn s20_a_packed_value_is_one_variant() -> Result<()> {
    let packed = AnyValue::new(masked(3)).pack()?;
    let flat = tree::flatten(&packed, Composites::Expand);
    assert_eq!(flat.len(), 1);
    let tensor = flat[0].as_tensor().expect("a tensor");
    assert_eq!((tensor.dtype(), tensor.shape()), (DType::Variant, shape![]));
    // Packing and unpacking again change nothing; attributes are read through.
    assert_eq!(packed.pack()?.leaves()[0].id(), tensor.id());
    assert!(packed.is_packed()? && !packed.unpack()?.is_packed()?);
    assert_eq!(packed.field("mask")?.as_tensor().expect("a tensor").dtype(), DType::Bool);
    assert_eq!(packed.unpack()?.unpack()?.spec(), &masked(3).type_spec().to_any());
    // What is no extension type is neither packed nor unpacked.
    refused(AnyValue::new(scalar(1.0f32)).is_packed());
    Ok(())
}

#[test]
fn s20_a_value_is_packed_and_unpacked_in_a_trace() -> Result<()> {
    let double = function(|packed: &Packed<MaskedTensor>| {
        let m = packed.unpack()?;
        // The static shape comes through.
        assert_eq!(m.values.shape(), shape![3]);
        Packed::new(&MaskedTensor { values: ops::mul(&m.values, 2.0)?, mask: m.mask })
    });
    for _ in 0..2 {
        let back = double.call(&Packed::new(&masked(3))?)?.unpack()?;
        assert_eq!(back.values.to_vec::<f32>()?, [2.0; 3]);
        assert_eq!(back.mask.to_vec::<bool>()?, [true; 3]);
    }
    assert_eq!(double.trace_count(), 1);
    // A packed value of another type is refused, whatever its spec claims.
    let other = Packed::new(&labelled("a"))?;
    let spec = Packed::new(&masked(3))?.type_spec();
    let lie = extype::nest::pack_sequence_as(&spec, extype::nest::flatten(&other))?;
    let e = refused(lie.unpack());
    assert!(e.contains("conformance.Labelled") && e.contains("conformance.MaskedTensor"), "{e}");
    Ok(())
}

#[test]
fn s21_a_type_without_a_registered_name_is_not_packed() {
    let class = Arc::new(Class {
        name: "scenarios.Unregistered".into(),
        short_name: "Unregistered".into(),
        type_id: None,
        hooks: Hooks::STRUCTURAL,
    });
    let fields = vec![("x".into(), TensorSpec::of::<f32>([]).to_any())];
    let spec = AnySpec::Composite(Composite { class, fields, components: None }.into());
    let value = AnyValue::from_parts(spec.clone(), vec![scalar(1.0f32)]).unwrap();
    let e = refused(value.pack());
    assert!(e.contains("`Unregistered` has no registered name"), "{e}");
    let e = refused(spec.serialize());
    assert!(e.contains("`Unregistered` has no registered name"), "{e}");
}

#[test]
fn s22_packed_and_unpacked_are_not_one_structure() -> Result<()> {
    let value = AnyValue::new(masked(3));
    let packed = value.pack()?;
    for types in [Types::Check, Types::Ignore] {
        refused(tree::assert_same_structure(&value, &packed, types, Composites::Expand));
    }
    assert_eq!(value.spec().most_specific_common_supertype(packed.spec()), None);
    // Two packed values are compared by what they hold.
    let of = |n| AnyValue::new(masked(n)).pack().map(|p| p.spec().clone());
    let any = of(3)?.most_specific_common_supertype(&of(5)?);
    let general = MaskedTensorSpec {
        values: TensorSpec::of::<f32>(shape![?]),
        mask: TensorSpec::of::<bool>(shape![?]),
    };
    assert_eq!(any, Some(general.to_any().packed()?));
    Ok(())
}

#[test]
fn s23_the_spec_of_a_value_equals_one_made_by_hand_from_specs_without_names() {
    let by_hand =
        MaskedTensorSpec { values: TensorSpec::of::<f32>([3]), mask: TensorSpec::of::<bool>([3]) };
    assert_eq!(masked(3).type_spec(), by_hand);
    let named = MaskedTensorSpec { values: by_hand.values.clone().named("v"), ..by_hand.clone() };
    assert_ne!(named, by_hand);
    assert_eq!(named.to_any().without_names(), by_hand.to_any());
}

#[test]
fn s24_a_component_spec_of_another_kind_is_refused() {
    // With Rust types this does not compile; on trees it is an error that names the field.
    let AnySpec::Composite(c) = masked(3).type_spec().to_any() else { unreachable!() };
    let mut fields = c.fields.clone();
    fields[0].1 = labelled("a").type_spec().to_any();
    let class = c.class.clone();
    let spec = AnySpec::Composite(Composite { class, fields, components: None }.into());
    let e = refused(MaskedTensorSpec::from_any(&spec));
    assert!(e.contains("field `values`") && e.contains("LabelledSpec"), "{e}");
    let e = refused(MaskedTensorSpec::from_any(&labelled("a").type_spec().to_any()));
    assert!(e.contains("MaskedTensor") && e.contains("LabelledSpec"), "{e}");
}

#[test]
fn s25_a_spec_equals_itself_after_serialization_and_nested_maps_are_dicts() -> Result<()> {
    let spec = zoo().type_spec();
    let data = spec.serialize()?;
    assert_eq!(<ZooSpec as TypeSpec>::deserialize(&data)?, spec);
    let SpecValue::Spec { name, version, state } = &data else { panic!("{data:?}") };
    let SpecValue::Tuple(pairs) = &**state else { panic!("{state:?}") };
    assert_eq!((name.as_str(), pairs.len()), ("scenarios.Zoo", 3));
    let SpecValue::Tuple(animals) = &pairs[1] else { panic!("{pairs:?}") };
    assert_eq!(animals[0], SpecValue::Literal(Literal::Str("animals".into())));
    let SpecValue::Dict(animals) = &animals[1] else { panic!("{animals:?}") };
    assert!(matches!(&animals["tiger"], SpecValue::Dict(m) if m.contains_key("hunger")));
    // Packed, within containers, with static data that differs.
    for spec in [spec.to_any().packed()?, vec![Some(zoo().type_spec()), None].to_any()] {
        assert_eq!(AnySpec::deserialize(&spec.serialize()?)?, spec);
        assert_ne!(spec, zoo().type_spec().to_any());
    }
    // A state that is not that of the type is refused.
    let broken = |state: Vec<SpecValue>| {
        let state = SpecValue::Tuple(state.into()).into();
        refused(AnySpec::deserialize(&SpecValue::Spec {
            name: name.clone(),
            version: *version,
            state,
        }))
    };
    let e = broken(pairs[1..].to_vec());
    assert!(e.contains("zookeepers"), "{e}");
    let extra = [Literal::Str("extra".into()), Literal::None].map(SpecValue::Literal);
    let extra = SpecValue::Tuple(extra.into());
    let e = broken([pairs.to_vec(), vec![extra]].concat());
    assert!(e.contains("no field `extra`"), "{e}");
    Ok(())
}

#[test]
fn s26_one_component_too_many_or_too_few_is_refused() {
    let m = masked(3);
    let given = |n: usize| {
        let flat = [m.values.clone(), m.mask.clone(), m.mask.clone()];
        extype::nest::pack_sequence_as(&m.type_spec(), flat[..n].to_vec())
    };
    assert!(given(2).is_ok());
    for n in [0, 1, 3] {
        let e = refused(given(n));
        assert!(e.contains(&format!("{n} tensors given for a structure of 2")), "{e}");
    }
}

#[test]
fn s27_the_components_of_nested_maps_come_in_sorted_key_order() -> Result<()> {
    let values = extype::nest::flatten(&zoo());
    let values: Vec<f32> = values.iter().map(Tensor::item).collect::<Result<_>>()?;
    assert_eq!(values, [1.0, 2.0, 3.0]);
    let paths = extype::nest::flatten_with_paths(&zoo());
    let paths: Vec<String> = paths.iter().map(|(p, _)| p.to_string()).collect();
    assert_eq!(
        paths,
        [
            r#".animals["elephant"]["size"]"#,
            r#".animals["elephant"]["weight"]"#,
            r#".animals["tiger"]["hunger"]"#
        ]
    );
    assert_eq!(zoo().type_spec().component_specs().len(), 1);
    Ok(())
}

/// The user's own methods of a generated spec: nothing derives from a spec, and methods and
/// fields have names of their own.
impl ZooSpec {
    fn animals(&self) -> Vec<&str> {
        self.animals.keys().map(String::as_str).collect()
    }
}

#[test]
fn s28_a_generated_spec_takes_methods_of_the_user_also_one_named_as_a_field() {
    let spec = zoo().type_spec();
    assert_eq!(spec.animals(), ["elephant", "tiger"]);
    assert_eq!(spec.animals["tiger"]["hunger"], TensorSpec::of::<f32>([]));
}

#[test]
fn s29_sizes_generalize_and_static_data_does_not() {
    let (three, five) = (masked(3).type_spec(), masked(5).type_spec());
    let any = three.most_specific_common_supertype(&five).expect("a supertype");
    assert_eq!(any.values, TensorSpec::of::<f32>(shape![?]));
    assert_eq!(any.mask, TensorSpec::of::<bool>(shape![?]));
    assert!(three.is_subtype_of(&any) && !any.is_subtype_of(&three));
    assert!(any.is_compatible_with_value(&masked(3)));
    assert!(any.to_any().is_compatible_with_value(&AnyValue::new(masked(3))));

    let (a, b) = (labelled("a").type_spec(), labelled("b").type_spec());
    assert_eq!(a.most_specific_common_supertype(&b), None);
    assert_eq!(a.most_specific_compatible_type(&b), None);
    assert!(!a.is_compatible_with(&b));
    let e = refused(a.to_any().try_common_supertype(&b.to_any()));
    assert!(e.contains(r#"["a"]"#) && e.contains(r#"["b"]"#), "{e}");
}

/// A value whose shape is said by a field.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "scenarios.Network")]
struct Network {
    shape: Shape,
    work: Tensor,
}

#[test]
fn s32_a_batch_of_specs_has_one_more_axis_and_unbatching_takes_it_away() -> Result<()> {
    let of = |shape: Shape, work: Shape| NetworkSpec { shape, work: TensorSpec::of::<f32>(work) };
    let five = of(shape![], shape![8]).stacked(Dim::from(5))?;
    assert_eq!(five, of(shape![5], shape![5, 8]));
    assert_eq!(five.unstacked()?, of(shape![], shape![8]));
    let unknown = of(Shape::unknown(), shape![8]).stacked(Dim::UNKNOWN)?;
    assert_eq!(unknown, of(Shape::unknown(), shape![?, 8]));
    assert_eq!(unknown.unstacked()?, of(Shape::unknown(), shape![8]));
    let e = refused(of(shape![], shape![8]).unstacked());
    assert!(e.contains("field `shape`"), "{e}");
    let e = refused(TensorSpec::of::<f32>([]).unstacked());
    assert!(e.contains("first axis"), "{e}");
    // In containers, and without names.
    let list = vec![TensorSpec::of::<f32>([2]).named("x"); 2];
    assert_eq!(list.to_any().stacked(3)?, vec![TensorSpec::of::<f32>([3, 2]); 2].to_any());
    Ok(())
}

#[test]
fn specs_print_on_one_line() -> Result<()> {
    assert_eq!(
        zoo().type_spec().to_string(),
        "ZooSpec(zookeepers=[\"Zoey\", \"Zack\"], animals={\"elephant\": {\"size\": \
         TensorSpec([], float32), \"weight\": TensorSpec([], float32)}, \"tiger\": {\"hunger\": \
         TensorSpec([], float32)}}, tickets={\"child\": 3})"
    );
    let packed = Packed::new(&masked(3))?.type_spec();
    assert_eq!(
        packed.to_string(),
        "PackedSpec(value=MaskedTensorSpec(values=TensorSpec([3], float32), \
         mask=TensorSpec([3], bool)))"
    );
    let ragged = RaggedTensor::from_row_splits([1.0f32], [0i64, 1])?;
    assert!(ragged.type_spec().to_string().starts_with("RaggedTensorSpec("));
    Ok(())
}

#[test]
fn the_common_supertype_of_shapes_forgets_what_differs() {
    let joined = |a: Shape, b: Shape| a.most_specific_common_supertype(&b);
    assert_eq!(joined(shape![2, 1], shape![5, 1]), shape![?, 1]);
    assert_eq!(joined(shape![1, 2, 3], shape![1, 2]), Shape::unknown());
    assert_eq!(joined(Shape::unknown(), shape![3]), Shape::unknown());
    assert!(shape![32, 784].is_subtype_of(&shape![32, ?]));
    assert!(!shape![32, 784].is_subtype_of(&shape![?]));
}

#[test]
fn a_spec_without_a_name_is_a_subtype_of_one_with_a_name_and_not_the_reverse() {
    let (plain, named) = (TensorSpec::of::<f32>([3]), TensorSpec::of::<f32>([3]).named("x"));
    assert!(plain.is_subtype_of(&named) && !named.is_subtype_of(&plain));
    assert!(plain != named && plain.is_compatible_with(&named));
    assert_eq!(plain.most_specific_common_supertype(&named), None);
    assert_eq!(named.most_specific_common_supertype(&plain), None);
}

#[test]
fn static_shapes_are_compared_by_compatibility_dtypes_by_equality_and_places_count() {
    let of = |parts: [Literal; 2]| AnySpec::Tuple(parts.map(AnySpec::Literal).into());
    let spec = of([Literal::Shape(shape![5, ?]), Literal::DType(DType::Bool)]);
    let compatible = |parts: [Literal; 2]| spec.is_compatible_with(&of(parts));
    assert!(compatible([Literal::Shape(shape![5, 3]), Literal::DType(DType::Bool)]));
    assert!(!compatible([Literal::Shape(shape![5, 3]), Literal::DType(DType::F32)]));
    assert!(!compatible([Literal::DType(DType::Bool), Literal::Shape(shape![5, 3])]));
}

/// A type that is known by its name and fields only.
fn point() -> AnySpec {
    let class = Class {
        name: "scenarios.Point".into(),
        short_name: "Point".into(),
        type_id: None,
        hooks: Hooks::STRUCTURAL,
    };
    let field = |name: &'static str| (Cow::from(name), TensorSpec::of::<f32>([]).to_any());
    let fields = vec![field("x"), field("y")];
    AnySpec::Composite(Composite { class: Arc::new(class), fields, components: None }.into())
}

#[test]
fn types_of_one_name_and_fields_are_one_and_a_tuple_of_equal_content_is_another() {
    let (one, other) = (point(), point());
    assert!(one == other && one.is_compatible_with(&other) && one.is_subtype_of(&other));
    let number = TensorSpec::of::<f32>([]).to_any();
    let tuple = AnySpec::Tuple([number.clone(), number].into());
    assert!(one != tuple && !one.is_compatible_with(&tuple) && !tuple.is_compatible_with(&one));
    assert_eq!(one.most_specific_common_supertype(&tuple), None);
}

#[test]
fn maps_are_equal_in_any_order_and_unrelated_to_those_with_fewer_keys() {
    let map = |keys: &[&str]| -> AnySpec {
        let specs = keys.iter().map(|k| (k.to_string(), TensorSpec::of::<f32>([])));
        specs.collect::<HashMap<_, _>>().to_any()
    };
    let hash = |s: &AnySpec| BuildHasherDefault::<DefaultHasher>::default().hash_one(s);
    let (ab, ba, a) = (map(&["a", "b"]), map(&["b", "a"]), map(&["a"]));
    assert!(ab == ba && hash(&ab) == hash(&ba));
    assert!(
        ab != a && !ab.is_subtype_of(&a) && !a.is_subtype_of(&ab) && !ab.is_compatible_with(&a)
    );
    assert_eq!(ab.most_specific_common_supertype(&a), None);
}

#[test]
fn the_type_of_a_tensor_is_that_of_others_with_its_dtype_and_shape() -> Result<()> {
    let filled = |x: i32| Tensor::from_slice(&[x; 11 * 3 * 5], &[11, 3, 5]);
    assert_eq!(filled(0)?.type_spec(), filled(1)?.type_spec());
    assert_ne!(filled(0)?.type_spec(), filled(0)?.cast(f32)?.type_spec());
    Ok(())
}

#[test]
fn a_literal_beside_a_tensor_is_stored_and_an_object_known_by_identity_is_not() -> Result<()> {
    let spec = (1i64, scalar(2.0f32)).type_spec().to_any();
    assert_eq!(AnySpec::deserialize(&spec.serialize()?)?, spec);
    let object = Opaque::new(1u8);
    let e = refused((1i64, object).type_spec().to_any().serialize());
    assert!(e.contains("known in this program only"), "{e}");
    Ok(())
}

#[test]
fn a_cast_to_the_own_type_and_to_a_more_general_one_changes_nothing() -> Result<()> {
    let value = AnyValue::new(RaggedTensor::from_row_splits([1.0f32, 2.0, 3.0], [0i64, 2, 3])?);
    let ids = |v: &AnyValue| v.leaves().iter().map(Tensor::id).collect::<Vec<_>>();
    let (before, own) = (ids(&value), value.spec().clone());
    let same = own.cast(value)?;
    assert_eq!((ids(&same), same.spec()), (before.clone(), &own));
    let general = own.with_ranks_only();
    let twice = general.cast(general.cast(same)?)?;
    assert_eq!(ids(&twice), before);
    Ok(())
}
