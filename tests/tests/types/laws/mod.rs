//! Laws that hold for all shapes, specs and structures, on random ones.

mod boxes;
mod dispatch;
mod lookup;
mod nest;
mod shapes;
mod specs;

use extype::prelude::*;
use extype::spec::{AnySpec, Fingerprint, Literal, TraceType};
use extype_tests::types::{Labelled, LabelledSpec, MaskedTensor, MaskedTensorSpec};
use proptest::prelude::*;

/// A size out of few, or unknown.
fn any_dim() -> impl Strategy<Value = Dim> {
    prop_oneof![1 => Just(Dim::UNKNOWN), 2 => (0usize..4).prop_map(Dim::from)]
}

/// A shape of rank 0 to 3, partly known, or of unknown rank.
fn any_shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        1 => Just(Shape::unknown()),
        6 => prop::collection::vec(any_dim(), 0..4).prop_map(|d| d.into_iter().collect()),
    ]
}

/// The spec of a tensor, sometimes with a name.
fn any_tensor_spec() -> impl Strategy<Value = TensorSpec> {
    let dtype = prop_oneof![3 => Just(DType::F32), 1 => Just(DType::I32)];
    let name = prop_oneof![6 => Just(None), 1 => Just(Some("x")), 1 => Just(Some("y"))];
    (any_shape(), dtype, name).prop_map(|(shape, dtype, name)| {
        let spec = TensorSpec::new(shape, dtype);
        match name {
            Some(name) => spec.named(name),
            None => spec,
        }
    })
}

/// Static data that has no tensors.
fn any_literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        Just(Literal::None),
        any::<bool>().prop_map(Literal::Bool),
        (0i128..2).prop_map(Literal::Int),
        prop_oneof![Just(f64::NAN), Just(-0.0), Just(0.0), Just(1.0)].prop_map(Literal::Float),
        any_shape().prop_map(Literal::Shape),
        prop::collection::vec(0i128..2, 0..2)
            .prop_map(|v| Literal::List(v.into_iter().map(Literal::Int).collect())),
    ]
}

/// The spec of one of two extension types.
fn any_composite() -> impl Strategy<Value = AnySpec> {
    let masked = (any_tensor_spec(), any_tensor_spec())
        .prop_map(|(values, mask)| MaskedTensorSpec { values, mask }.to_any());
    let labelled = (any_tensor_spec(), 0..2usize).prop_map(|(values, label)| {
        let labels = vec![["a", "b"][label].to_owned()];
        LabelledSpec { values, labels, scale: 1.0 }.to_any()
    });
    prop_oneof![masked, labelled]
}

/// A spec of any kind, nested.
fn any_spec() -> impl Strategy<Value = AnySpec> {
    nested(any_leaf())
}

/// A spec with types of this crate in it.
fn any_trace_type() -> impl Strategy<Value = AnySpec> {
    let level = (0u8..4).prop_map(|n| AnySpec::Custom(std::sync::Arc::new(Level(n))));
    nested(prop_oneof![2 => any_leaf(), 1 => level])
}

/// A type with a law of its own: a lower level is a subtype of a higher one.
#[derive(Debug)]
struct Level(u8);

impl TraceType for Level {
    fn equals(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.0 == other.0)
    }

    fn mix(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(u64::from(self.0));
    }

    fn is_subtype_of(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.0 <= other.0)
    }

    fn most_specific_common_supertype(&self, other: &dyn TraceType) -> Option<AnySpec> {
        let other = other.downcast_ref::<Self>()?;
        Some(AnySpec::Custom(std::sync::Arc::new(Level(self.0.max(other.0)))))
    }
}

fn any_leaf() -> impl Strategy<Value = AnySpec> {
    prop_oneof![
        4 => any_tensor_spec().prop_map(|s| s.to_any()),
        2 => any_composite(),
        1 => any_literal().prop_map(AnySpec::Literal),
        1 => Just(AnySpec::Optional(None)),
    ]
}

fn nested(leaf: impl Strategy<Value = AnySpec> + 'static) -> impl Strategy<Value = AnySpec> {
    leaf.prop_recursive(3, 12, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            list.clone().prop_map(|l| AnySpec::List(l.into())),
            list.clone().prop_map(|l| AnySpec::Tuple(l.into())),
            inner.prop_map(|s| AnySpec::Optional(Some(s.into()))),
            list.prop_map(|l| {
                let keyed = l.into_iter().enumerate().map(|(i, s)| (format!("k{i}"), s));
                AnySpec::Map(keyed.collect())
            }),
        ]
    })
}

/// A stream of small numbers out of one.
struct Bits(u64);

impl Bits {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// The spec with every shape replaced.
fn with_shapes(spec: &AnySpec, f: &mut dyn FnMut(&Shape) -> Shape) -> AnySpec {
    match spec {
        AnySpec::Tensor(t) => AnySpec::Tensor(TensorSpec { shape: f(&t.shape), ..t.clone() }),
        AnySpec::Literal(Literal::Shape(s)) => AnySpec::Literal(Literal::Shape(f(s))),
        AnySpec::List(l) => AnySpec::List(l.iter().map(|s| with_shapes(s, f)).collect()),
        AnySpec::Tuple(l) => AnySpec::Tuple(l.iter().map(|s| with_shapes(s, f)).collect()),
        AnySpec::Map(m) => {
            AnySpec::Map(m.iter().map(|(k, s)| (k.clone(), with_shapes(s, f))).collect())
        }
        AnySpec::Optional(Some(s)) => AnySpec::Optional(Some(with_shapes(s, f).into())),
        AnySpec::Composite(c) => {
            let mut c = (**c).clone();
            for (_, field) in &mut c.fields {
                *field = with_shapes(field, f);
            }
            AnySpec::Composite(c.into())
        }
        other => other.clone(),
    }
}

/// A supertype: some sizes, or ranks, are forgotten.
fn widened(spec: &AnySpec, bits: &mut Bits) -> AnySpec {
    with_shapes(spec, &mut |s| match s.dims() {
        Some(dims) if bits.next(6) > 0 => {
            dims.iter().map(|d| if bits.next(2) == 0 { Dim::UNKNOWN } else { *d }).collect()
        }
        _ => Shape::unknown(),
    })
}

/// A spec of the same form: some sizes are others.
fn varied(spec: &AnySpec, bits: &mut Bits) -> AnySpec {
    with_shapes(spec, &mut |s| match s.dims() {
        Some(dims) => dims
            .iter()
            .map(|d| if bits.next(3) == 0 { Dim::from(bits.next(4) as usize) } else { *d })
            .collect(),
        None => s.clone(),
    })
}

/// A shape without unknown sizes that the given one stands for.
fn concrete(shape: &Shape, bits: &mut Bits) -> Vec<usize> {
    match shape.dims() {
        Some(dims) => dims.iter().map(|d| d.size().unwrap_or(bits.next(4) as usize)).collect(),
        None => (0..bits.next(4)).map(|_| bits.next(4) as usize).collect(),
    }
}

fn masked(n: usize) -> MaskedTensor {
    MaskedTensor::new(vec![1.0f32; n], vec![true; n]).unwrap()
}

fn labelled(n: usize, label: &str) -> Labelled {
    Labelled::new(vec![1.0f32; n], vec![label.to_owned()], 1.0).unwrap()
}
