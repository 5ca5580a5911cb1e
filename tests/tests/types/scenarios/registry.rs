//! Names of types, and values whose type has none.

use std::any::TypeId;
use std::sync::Arc;

use extype::prelude::*;
use extype::spec::AnySpec;
use extype::spec::AnyValue;
use extype::spec::{
    Class, Hooks, SpecValue, check_names, find_spec, register_class, register_spec,
    registered_specs,
};
use extype_masked::Masked;
use extype_tests::types::{Labelled, MaskedTensor};

use super::refused;

fn class(name: &'static str) -> Arc<Class> {
    let (name, short_name) = (name.into(), "Pair".into());
    Arc::new(Class { name, short_name, type_id: None, hooks: Hooks::STRUCTURAL })
}

/// A type without a name of its own.
#[derive(ExtensionType, Clone, Debug)]
struct Plain {
    x: Tensor,
}

fn first() -> Arc<Class> {
    #[derive(ExtensionType, Clone, Debug)]
    struct Local {
        x: Tensor,
    }
    Local::class()
}

fn second() -> Arc<Class> {
    #[derive(ExtensionType, Clone, Debug)]
    struct Local {
        x: Tensor,
    }
    Local::class()
}

/// A type that checks its fields.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "scenarios.Positive", validate)]
struct Positive {
    x: Tensor,
    unit: String,
}

impl Validate for Positive {
    fn validate(&self) -> Result<()> {
        match self.x.shape().rank() {
            None | Some(1) => Ok(()),
            Some(_) => Err(Error::invalid("field `x` is a vector")),
        }
    }
}

#[test]
fn s30_a_type_is_registered_once_under_a_name_of_two_parts_that_is_free() -> Result<()> {
    register_class(class("scenarios.Pair"))?;
    let e = refused(register_class(class("scenarios.Pair")));
    assert!(e.contains("`scenarios.Pair` already, at") && e.contains("registry.rs"), "{e}");
    let e = refused(register_spec::<MaskedTensor>());
    assert!(e.contains("`MaskedTensor` is registered as `conformance.MaskedTensor`"), "{e}");
    // A name that another type has.
    let e = refused(register_class(class("conformance.MaskedTensor")));
    assert!(e.contains("the name `conformance.MaskedTensor` is taken"), "{e}");
    assert!(e.contains("types.rs"), "{e}");
    for name in ["NoDot", "", "a..B", "a-b.C", ".B"] {
        let e = refused(register_class(class(name)));
        assert!(e.contains("is not a name that can be registered"), "{e}");
    }
    // Numbers are no names, and values no types: those don't compile.
    let e = refused(find_spec("scenarios.Nothing"));
    assert!(e.contains("no extension type is registered as `scenarios.Nothing`"), "{e}");
    let e = refused(class("scenarios.Unknown").registered_name().map(str::to_owned));
    assert!(e.contains("has no registered name"), "{e}");
    assert_eq!(find_spec("scenarios.Pair")?.registered_name()?, "scenarios.Pair");
    check_names()
}

#[test]
fn a_type_without_a_name_has_the_path_of_its_module_for_one() -> Result<()> {
    let name = "types::scenarios::registry::Plain";
    assert_eq!(Plain::class().registered_name()?, name);
    assert_eq!(find_spec(name)?.type_id, Some(TypeId::of::<Plain>()));
    assert!(registered_specs().iter().any(|n| n == name));
    assert_eq!(Plain::new(1.0f32)?.x.item::<f32>()?, 1.0);
    Ok(())
}

#[test]
fn a_default_name_of_two_types_is_an_error_where_it_is_looked_up() -> Result<()> {
    let (first, second) = (first(), second());
    assert_ne!(first.type_id, second.type_id);
    let e = refused(find_spec("types::scenarios::registry::Local"));
    assert!(e.contains("stands for the types declared at"), "{e}");
    assert_eq!(e.split("registry.rs").count(), 3, "{e}");
    refused(first.registered_name().map(str::to_owned));
    check_names()
}

#[test]
fn an_instance_of_a_generic_type_is_registered_by_its_first_use() -> Result<()> {
    let value = Masked { values: Plain::new([1.0f32])?, mask: scalar(true) };
    let spec = value.type_spec().to_any();
    let AnySpec::Composite(c) = &spec else { unreachable!() };
    let name = c.class.registered_name()?;
    assert!(name.starts_with("masked.Masked<") && name.contains("Plain"), "{name}");
    assert_eq!(AnySpec::deserialize(&spec.serialize()?)?, spec);
    Ok(())
}

#[test]
fn s31_a_value_is_reinterpreted_as_anonymous_and_back() -> Result<()> {
    let m = MaskedTensor::new([1.0f32, 2.0], [true, false])?;
    let anonymous = AnyValue::of(&m).into_anonymous()?;
    assert!(anonymous.spec().to_string().starts_with("AnonymousExtensionTypeSpec(values="));
    assert_ne!(*anonymous.spec(), m.type_spec().to_any());
    assert_eq!(AnySpec::deserialize(&anonymous.spec().serialize()?)?, *anonymous.spec());
    assert_eq!(anonymous.field("mask")?.as_tensor().map(Tensor::id), Some(m.mask.id()));
    let back: MaskedTensor = anonymous.clone().reinterpret_as()?;
    assert_eq!((back.values.id(), back.mask.id()), (m.values.id(), m.mask.id()));
    assert_eq!(back.type_spec(), m.type_spec());
    let by_name = anonymous.clone().reinterpret(&find_spec("conformance.MaskedTensor")?)?;
    assert_eq!(*by_name.spec(), m.type_spec().to_any());

    // Fields go by name, also when they stand in another order; packed ones are unpacked.
    let turned = AnyValue::anonymous([
        ("mask", AnyValue::new(m.mask.clone())),
        ("values", AnyValue::new(m.values.clone())),
    ])?;
    let back: MaskedTensor = turned.reinterpret_as()?;
    assert_eq!((back.values.id(), back.mask.id()), (m.values.id(), m.mask.id()));
    let unpacked = AnyValue::of(&m).pack()?.into_anonymous()?;
    assert_eq!(unpacked.field("mask")?.downcast::<Tensor>()?.to_vec::<bool>()?, [true, false]);

    // Fields are looked at: missing, surplus, and of another kind.
    let e = refused(anonymous.reinterpret_as::<Labelled>());
    assert!(e.contains("as `Labelled`") && e.contains("`labels` of `Labelled` is missing"), "{e}");
    let t = || AnyValue::new(scalar(1.0f32));
    let one = AnyValue::anonymous([("values", t())])?;
    let e = refused(one.reinterpret_as::<MaskedTensor>());
    assert!(e.contains("field `mask` of `MaskedTensor` is missing"), "{e}");
    let three = AnyValue::anonymous([("values", t()), ("mask", t()), ("more", t())])?;
    let e = refused(three.reinterpret_as::<MaskedTensor>());
    assert!(e.contains("no field `more`"), "{e}");
    let text = AnyValue::anonymous([("values", AnyValue::new(1i64)), ("mask", t())])?;
    let e = refused(text.reinterpret_as::<MaskedTensor>());
    assert!(e.contains("field `values`"), "{e}");
    refused(t().reinterpret_as::<MaskedTensor>());
    refused(t().into_anonymous());
    Ok(())
}

#[test]
fn s31_a_value_that_is_reinterpreted_is_validated() -> Result<()> {
    let of = |x: Tensor| {
        AnyValue::anonymous([("x", AnyValue::new(x)), ("unit", AnyValue::new("m".to_owned()))])
    };
    let vector: Positive = of(tensor![1.0f32, 2.0])?.reinterpret_as()?;
    assert_eq!((vector.unit.as_str(), vector.x.shape()), ("m", shape![2]));
    vector.check()?;
    let e = refused(of(scalar(1.0f32))?.reinterpret_as::<Positive>());
    assert!(e.contains("field `x` is a vector"), "{e}");
    Ok(())
}

#[test]
fn a_spec_that_was_written_with_its_fields_in_another_order_is_refused() -> Result<()> {
    let spec = MaskedTensor::new([1.0f32], [true])?.type_spec().to_any();
    let SpecValue::Spec { name, version, state } = spec.serialize()? else { panic!("{spec}") };
    let SpecValue::Tuple(pairs) = &*state else { panic!("{state:?}") };
    let mut pairs = pairs.to_vec();
    pairs.reverse();
    let turned = SpecValue::Spec { name, version, state: SpecValue::Tuple(pairs.into()).into() };
    let e = refused(AnySpec::deserialize(&turned));
    assert!(e.contains("written with the fields mask, values, the type has values, mask"), "{e}");
    Ok(())
}

#[test]
fn names_of_anonymous_fields_are_words_given_once() {
    let t = || AnyValue::new(scalar(1.0f32));
    for name in ["__class__", "", "a b", "a.b"] {
        refused(AnyValue::anonymous([(name, t())]));
    }
    let e = refused(AnyValue::anonymous([("a", t()), ("a", t())]));
    assert!(e.contains("`a` is given twice"), "{e}");
}
