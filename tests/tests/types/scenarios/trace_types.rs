//! Types of traces that are not the library's: compared by value, known by identity, written by hand, and broken.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use extype::TraceType;
use extype::prelude::*;
use extype::spec::{AnySpec, Fingerprint, LeafIter, Leaves, Opaque, SpecContext};

#[derive(TraceType, Clone, Debug, PartialEq, Eq, Hash)]
enum Flavor {
    Apple,
    Mango,
    Mixed(Vec<Flavor>),
}

#[tf_function]
fn flavored(x: &Tensor, flavor: &Flavor) -> Result<Tensor> {
    ops::mul(x, sweetness(flavor))
}

fn sweetness(flavor: &Flavor) -> f64 {
    match flavor {
        Flavor::Apple => 2.0,
        Flavor::Mango => 3.0,
        Flavor::Mixed(parts) => parts.iter().map(sweetness).product(),
    }
}

#[test]
fn values_of_a_derived_trace_type_have_a_trace_each() -> Result<()> {
    let x = scalar(1.0f32);
    let mixed = || Flavor::Mixed(vec![Flavor::Apple, Flavor::Mango]);
    for (flavor, product, traces) in [
        (Flavor::Apple, 2.0, 1),
        (Flavor::Apple, 2.0, 1),
        (Flavor::Mango, 3.0, 2),
        (mixed(), 6.0, 3),
        (mixed(), 6.0, 3),
    ] {
        assert_eq!(flavored(&x, &flavor)?.item::<f32>()?, product);
        assert_eq!(flavored::trace_count(), traces);
    }
    assert_eq!(flavored::signatures()[1].to_string(), "(TensorSpec([], float32), Mango)");
    // It is a structure: an argument of `concrete`, of closures, a part of containers, a result.
    flavored::concrete(&x.type_spec(), &Flavor::Mango)?;
    assert_eq!(flavored::trace_count(), 3);
    let f = function(|pair: &(Tensor, Option<Flavor>)| Ok((pair.1.clone(), ops::neg(&pair.0)?)));
    let (flavor, y) = f.call(&(x.clone(), Some(mixed())))?;
    assert_eq!((flavor, y.item::<f32>()?), (Some(mixed()), -1.0));
    let e = nest::assert_same_structure(&(x.clone(), Flavor::Apple), &(x, Flavor::Mango));
    assert!(e.is_ok(), "static parts are no components");
    Ok(())
}

#[derive(TraceType, Clone, Debug, PartialEq, Eq, Hash)]
struct Tagged<T> {
    tag: T,
    times: usize,
}

#[tf_function]
fn repeated(x: &Tensor, by: &Tagged<&'static str>) -> Result<Tensor> {
    x.tile([by.times])
}

#[test]
fn a_generic_one_is_a_type_for_each_instance() -> Result<()> {
    let by = |tag, times| Tagged { tag, times };
    assert_eq!(repeated(&tensor![1i32], &by("a", 2))?.shape(), shape![2]);
    assert_eq!(repeated(&tensor![1i32], &by("b", 2))?.shape(), shape![2]);
    assert_eq!(repeated::trace_count(), 2);
    let (a, b) = (by("a", 1).type_spec().to_any(), Tagged { tag: 1u8, times: 1 }.to_any());
    assert!(a != b && !a.is_subtype_of(&b) && a.most_specific_common_supertype(&b).is_none());
    Ok(())
}

/// The size of an axis, or any: the example of TensorFlow's docs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Dimension(Option<usize>);

/// A vector that knows its size by its type alone.
#[derive(Debug)]
struct Row {
    values: Tensor,
    size: Option<usize>,
}

impl TypeSpec for Dimension {
    type Value = Row;

    fn to_any(&self) -> AnySpec {
        AnySpec::custom(self, [TensorSpec::of::<f32>(shape![?]).to_any()])
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        any.as_custom().copied()
    }

    fn is_subtype_of(&self, other: &Self) -> bool {
        self == other || other.0.is_none()
    }

    fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        Some(if self == other { *self } else { Dimension(None) })
    }
}

impl Structure for Row {
    type Spec = Dimension;

    fn spec_in(&self, _: &mut SpecContext) -> Dimension {
        Dimension(self.size)
    }

    fn has_spec(&self, spec: &Dimension, _: &mut SpecContext) -> bool {
        self.size == spec.0
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(&self.values);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.values);
    }

    fn from_leaves(spec: &Dimension, leaves: &mut LeafIter) -> Result<Self> {
        Ok(Row { values: leaves.take()?, size: spec.0 })
    }
}

fn row(n: usize) -> Row {
    Row { values: ops::fill([n], 2.0f32).expect("a row"), size: Some(n) }
}

#[tf_function(reduce_retracing)]
fn summed(row: &Row) -> Result<(Row, Tensor)> {
    let sum = row.values.reduce_sum(.., false)?;
    Ok((Row { values: ops::neg(&row.values)?, size: row.size }, sum))
}

#[test]
fn a_type_by_hand_generalizes_by_its_own_law() -> Result<()> {
    assert_eq!(summed(&row(2))?.0.size, Some(2));
    for n in 3..8 {
        let (negated, sum) = summed(&row(n))?;
        assert_eq!((negated.size, sum.item::<f32>()?), (None, 2.0 * n as f32));
        assert_eq!(negated.values.shape(), shape![n]);
    }
    assert_eq!(summed::trace_count(), 2);
    assert_eq!(summed::signatures()[1].to_string(), "(Dimension(None),)");
    // The most specific trace serves.
    assert_eq!(summed(&row(2))?.0.size, Some(2));
    // Its tensor is a loop variable, and has a gradient.
    let doubled = function(|r: &Row| {
        let step = |(i, r): (Tensor, Row)| {
            Ok((ops::add(i, 1)?, Row { values: ops::mul(&r.values, 2.0)?, size: r.size }))
        };
        Ok(while_loop(
            (scalar(0i32), Row { values: r.values.clone(), size: r.size }),
            |(i, _)| i.less(3),
            step,
        )?
        .1)
    });
    assert_eq!(doubled.call(&row(2))?.values.as_slice::<f32>()?, &[16.0, 16.0]);
    let g = grad(|r: &Row| r.values.square()?.reduce_sum(.., false))(&row(2))?;
    assert_eq!(g.values.as_slice::<f32>()?, &[4.0, 4.0]);
    Ok(())
}

struct Counted {
    uses: AtomicUsize,
}

#[tf_function]
fn counted(x: &Tensor, object: &Opaque<Counted>) -> Result<Tensor> {
    object.uses.fetch_add(1, Ordering::Relaxed);
    x.square()
}

#[test]
fn an_opaque_object_is_known_by_identity_and_its_traces_go_with_it() -> Result<()> {
    let new = || Opaque::new(Counted { uses: AtomicUsize::new(0) });
    let (one, other) = (new(), new());
    let x = scalar(1.0f32);
    for object in [&one, &one.clone(), &other, &other, &one] {
        let _ = counted(&x, object)?;
    }
    assert_eq!((one.uses.load(Ordering::Relaxed), counted::trace_count()), (1, 2));
    let (a, b) = (one.type_spec().to_any(), one.type_spec().to_any());
    assert!(a == b && a.is_subtype_of(&b));
    drop(one);
    assert!(a != b && !a.is_subtype_of(&b) && a != a.clone());
    // The table forgets what is dead when it has doubled.
    for _ in 0..200 {
        let _ = counted(&x, &new())?;
    }
    assert!(counted::trace_count() < 100, "{}", counted::trace_count());
    // A trace that was kept still runs; the object itself is gone.
    let f = counted::concrete(&x.type_spec(), &other.type_spec())?;
    let spec = other.type_spec();
    drop(other);
    assert_eq!(f.call_flat(&[scalar(3.0f32)])?[0].item::<f32>()?, 9.0);
    let e = counted::concrete(&x.type_spec(), &spec).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::FailedPrecondition);
    assert!(e.message().starts_with("`counted`: a trace is wanted for Opaque<"), "{e}");
    Ok(())
}

/// Breaks one law at a time.
static BREAK: Mutex<&str> = Mutex::new("");

#[derive(Clone, Copy, Debug)]
struct Broken(u8);

fn breaks(law: &str) -> bool {
    *BREAK.lock().unwrap() == law
}

impl PartialEq for Broken {
    fn eq(&self, other: &Self) -> bool {
        assert!(!breaks("panic in eq"), "no equality today");
        self.0 == other.0 && !breaks("eq")
    }
}

impl Eq for Broken {}

impl std::hash::Hash for Broken {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        assert!(!breaks("panic in hash"), "no hash today");
        state.write_u8(self.0);
    }
}

struct Value(u8);

impl TypeSpec for Broken {
    type Value = Value;

    fn to_any(&self) -> AnySpec {
        AnySpec::custom(self, [])
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        any.as_custom().copied()
    }

    fn is_subtype_of(&self, other: &Self) -> bool {
        assert!(!breaks("panic in subtype"), "no subtypes today");
        !breaks("subtype") && self.0 == other.0
    }

    fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        breaks("supertype").then_some(Broken(self.0 + other.0 + 100))
    }
}

impl Structure for Value {
    type Spec = Broken;

    fn spec_in(&self, _: &mut SpecContext) -> Broken {
        Broken(self.0)
    }

    fn has_spec(&self, spec: &Broken, _: &mut SpecContext) -> bool {
        Broken(self.0) == *spec
    }

    fn leaves<'a>(&'a self, _: &mut Leaves<'a>) {}

    fn into_leaves(self, _: &mut Vec<Tensor>) {}

    fn from_leaves(spec: &Broken, _: &mut LeafIter) -> Result<Self> {
        Ok(Value(spec.0))
    }
}

#[tf_function(reduce_retracing)]
fn of_broken(x: &Tensor, value: &Value) -> Result<Tensor> {
    ops::mul(x, i64::from(value.0))
}

#[test]
fn a_broken_type_is_named_and_the_next_correct_call_works() -> Result<()> {
    let x = scalar(2.0f32);
    let call = |n: u8| of_broken(&x, &Value(n)).map(|y| y.item::<f32>().expect("a number"));
    assert_eq!(call(1)?, 2.0);
    for (law, told) in [
        ("eq", "the type of argument `value` does not equal itself when asked again: Broken(2)"),
        ("panic in eq", "panicked: no equality today"),
        ("panic in hash", "`mix` of `Broken(2)` panicked: no hash today"),
        ("panic in subtype", "`is_subtype_of` of `Broken(2)` panicked: no subtypes today"),
        ("subtype", "the type of argument `value` is no subtype of itself: Broken(2)"),
        (
            "supertype",
            "Broken(103) is said to be a common supertype, and Broken(1) is no subtype of it",
        ),
    ] {
        *BREAK.lock().unwrap() = law;
        let e = call(2).unwrap_err();
        *BREAK.lock().unwrap() = "";
        assert!(e.to_string().contains(told), "{law}: {e}");
        assert_eq!(call(1)?, 2.0, "after {law}");
        assert_eq!(of_broken::trace_count(), 1, "after {law}");
    }
    assert_eq!(call(2)?, 4.0);
    assert_eq!(of_broken::trace_count(), 2);
    Ok(())
}

/// A trace type that is no spec: parity, by the trait itself.
#[derive(Debug)]
struct Parity(bool);

impl TraceType for Parity {
    fn equals(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.0 == other.0)
    }

    fn mix(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(u64::from(self.0));
    }
}

#[test]
fn a_trace_type_is_an_object_in_the_tree() {
    let parity = |odd| AnySpec::Custom(std::sync::Arc::new(Parity(odd)));
    let (odd, even) = (parity(true), parity(false));
    assert!(odd == parity(true) && odd != even && !odd.is_subtype_of(&even));
    assert!(odd.is_compatible_with(&odd) && !odd.is_compatible_with(&even));
    let list = |s: &AnySpec| AnySpec::List([s.clone(), s.clone()].into());
    assert_eq!(list(&odd).most_specific_common_supertype(&list(&odd)), Some(list(&odd)));
    assert_eq!(list(&odd).most_specific_common_supertype(&list(&even)), None);
    assert_eq!(odd.to_string(), "Parity(true)");
    let e = odd.serialize().unwrap_err();
    assert!(e.message().contains("known in this program only"), "{e}");
    assert!(odd.as_custom::<Parity>().is_ok() && odd.as_custom::<Flavor>().is_err());
}
