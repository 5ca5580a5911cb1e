//! Types that changed their fields read what their older versions wrote.

use extype::prelude::*;
use extype::spec::{AnySpec, AnyValue, SpecValue};
use extype_ragged::RaggedTensor;

use super::refused;

/// Version 1: readings at even times.
#[derive(ExtensionType, Clone, Debug)]
struct Series1 {
    values: Tensor,
}

/// Version 2: with a unit, and the step between times.
#[derive(ExtensionType, Clone, Debug)]
struct Series2 {
    values: Tensor,
    step: Tensor,
    unit: String,
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(
    name = "versions.Series",
    version = 3,
    upgrade(1 = Series::of_first, 2 = of_second),
    validate
)]
struct Series {
    times: Tensor,
    values: Tensor,
    unit: String,
}

impl Validate for Series {
    fn validate(&self) -> Result<()> {
        self.times.shape().assert_compatible(&self.values.shape())
    }
}

impl Series {
    fn of_first(old: Series1) -> Result<Self> {
        of_second(Series2 { values: old.values, step: scalar(1.0f32), unit: "m".to_owned() })
    }
}

fn of_second(old: Series2) -> Result<Series> {
    let places = old.values.ones_like()?.cumsum(0)?;
    Ok(Series { times: ops::mul(&places, &old.step)?, values: old.values, unit: old.unit })
}

/// With a field that changed, and one that is read whole.
#[derive(ExtensionType, Clone, Debug)]
struct OldReport {
    all: Vec<Series1>,
    words: RaggedTensor,
    last: Option<Series1>,
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "versions.Report")]
struct Report {
    all: Vec<Series>,
    words: RaggedTensor,
    last: Option<Series>,
}

#[derive(ExtensionType, Clone, Debug)]
enum Code1 {
    Plain(Tensor),
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "versions.Code", version = 3, upgrade(1 = Code::of_first, 2 = none))]
enum Code {
    Scaled { x: Tensor, by: Tensor },
    Plain(Tensor),
}

impl Code {
    fn of_first(old: Code1) -> Result<Self> {
        let Code1::Plain(x) = old;
        Ok(Code::Scaled { x, by: scalar(1.0f32) })
    }
}

/// What a program wrote in which types had these names and versions.
fn written<T: Structure>(value: &T, names: &[(&str, &str, u32)]) -> (SpecValue, Vec<Tensor>) {
    fn renamed(value: SpecValue, names: &[(&str, &str, u32)]) -> SpecValue {
        let all = |parts: &[SpecValue]| parts.iter().map(|p| renamed(p.clone(), names)).collect();
        match value {
            SpecValue::Tuple(parts) => SpecValue::Tuple(Vec::into(all(&parts))),
            SpecValue::List(parts) => SpecValue::List(Vec::into(all(&parts))),
            SpecValue::Option(Some(part)) => {
                SpecValue::Option(Some(renamed((*part).clone(), names).into()))
            }
            SpecValue::Dict(parts) => {
                let parts = parts.iter().map(|(k, v)| (k.clone(), renamed(v.clone(), names)));
                SpecValue::Dict(parts.collect::<std::collections::BTreeMap<_, _>>().into())
            }
            SpecValue::Spec { name, version, state } => {
                let short = name.rsplit("::").next().unwrap_or(&name);
                let new = names.iter().find(|(old, _, _)| *old == short);
                let (name, version) =
                    new.map_or((name.clone(), version), |(_, new, n)| ((*new).to_owned(), *n));
                SpecValue::Spec { name, version, state: renamed((*state).clone(), names).into() }
            }
            other => other,
        }
    }
    let value = AnyValue::of(value);
    (renamed(value.spec().serialize().unwrap(), names), value.leaves().to_vec())
}

const SERIES: &[(&str, &str, u32)] =
    &[("Series1", "versions.Series", 1), ("Series2", "versions.Series", 2)];

fn floats(x: &Tensor) -> Vec<f32> {
    x.to_vec::<f32>().unwrap()
}

#[test]
fn values_of_older_versions_are_converted() -> Result<()> {
    let (spec, leaves) = written(&Series1::new([5.0f32, 6.0])?, SERIES);
    let new: Series = AnyValue::deserialize(&spec, leaves)?.downcast()?;
    assert_eq!((floats(&new.times), floats(&new.values)), (vec![1.0, 2.0], vec![5.0, 6.0]));
    let old = Series2::new([5.0f32, 6.0], 0.5f32, "s".to_owned())?;
    let (spec, leaves) = written(&old, SERIES);
    let new: Series = AnyValue::deserialize(&spec, leaves)?.downcast()?;
    assert_eq!((floats(&new.times), new.unit.as_str()), (vec![0.5, 1.0], "s"));
    // The newest one says so, and is read as it is.
    let (spec, leaves) = written(&new, &[]);
    assert!(matches!(&spec, SpecValue::Spec { version: 3, .. }), "{spec:?}");
    let again: Series = AnyValue::deserialize(&spec, leaves)?.downcast()?;
    assert_eq!(floats(&again.times), floats(&new.times));
    assert_eq!(AnySpec::deserialize(&spec)?, new.type_spec().to_any());
    // In a trace the conversion is a part of the graph.
    let (spec, _) = written(&Series1::new([5.0f32, 6.0])?, SERIES);
    let f = function(move |x: &Tensor| {
        AnyValue::deserialize(&spec, vec![x.clone()])?.downcast::<Series>()
    });
    assert_eq!(floats(&f.call(&tensor![7.0f32, 8.0])?.times), [1.0, 2.0]);
    Ok(())
}

#[test]
fn values_within_others_are_converted() -> Result<()> {
    let one = |x: f32| Series1::new([x]);
    let words = RaggedTensor::from_rows(&[vec![1, 2], vec![3]])?;
    let old = OldReport { all: vec![one(1.0)?, one(2.0)?], words, last: Some(one(3.0)?) };
    let names = [SERIES, &[("OldReport", "versions.Report", 1)]].concat();
    let (spec, leaves) = written(&(scalar(9.0f32), old.clone()), &names);
    let (nine, new): (Tensor, Report) = AnyValue::deserialize(&spec, leaves)?.downcast()?;
    assert_eq!((nine.item::<f32>()?, floats(&new.all[1].values)), (9.0, vec![2.0]));
    assert_eq!(new.words.to_string(), "[[1, 2], [3]]");
    assert_eq!(floats(&new.last.unwrap().times), [1.0]);
    let map = std::collections::BTreeMap::from([("a".to_owned(), one(4.0)?)]);
    let (spec, leaves) = written(&map, SERIES);
    let new = AnyValue::deserialize(&spec, leaves)?;
    let new = new.downcast::<std::collections::BTreeMap<String, Series>>()?;
    assert_eq!(floats(&new["a"].values), [4.0]);
    Ok(())
}

#[test]
fn enums_have_versions() -> Result<()> {
    let (spec, leaves) = written(&Code1::Plain(scalar(4.0f32)), &[("Code1", "versions.Code", 1)]);
    let Code::Scaled { x, by } = AnyValue::deserialize(&spec, leaves)?.downcast()? else {
        panic!()
    };
    assert_eq!((x.item::<f32>()?, by.item::<f32>()?), (4.0, 1.0));
    Ok(())
}

#[test]
fn what_no_version_reads_is_refused() -> Result<()> {
    let old = Series1::new([5.0f32])?;
    let of = |version| written(&old, &[("Series1", "versions.Series", version)]);
    let read = |version| {
        let (spec, leaves) = of(version);
        refused(AnyValue::deserialize(&spec, leaves))
    };
    let e = read(4);
    assert!(e.contains("written by version 4 of the type; this program has version 3"), "{e}");
    // A spec alone has no values to convert.
    let e = refused(AnySpec::deserialize(&of(1).0));
    assert!(e.contains("`versions.Series`") && e.contains("AnyValue::deserialize"), "{e}");
    // The fields of another version.
    let e = read(2);
    assert!(e.contains("as `Series2`") && e.contains("step"), "{e}");
    let e = read(3);
    assert!(e.contains("times"), "{e}");
    // Version 2 of this one is no longer read.
    let (spec, leaves) = written(&Code1::Plain(scalar(1.0f32)), &[("Code1", "versions.Code", 2)]);
    let e = refused(AnyValue::deserialize(&spec, leaves));
    assert!(e.contains("values that version 2 wrote are not read; the type has version 3"), "{e}");
    // What a conversion makes is checked.
    let odd = Series2::new([5.0f32, 6.0], [[0.5f32], [0.5]], "s".to_owned())?;
    let (spec, leaves) = written(&odd, SERIES);
    assert!(AnyValue::deserialize(&spec, leaves).is_err());
    // As many tensors as were written.
    let (spec, leaves) = of(1);
    refused(AnyValue::deserialize(&spec, vec![]));
    refused(AnyValue::deserialize(&spec, [leaves.clone(), leaves].concat()));
    Ok(())
}
