//! Laws, on random specs, structures and shapes.

use super::by_hand::FruitSpec;
use super::*;
use extype::spec::{AnySpec, AnyValue, VariableSpec};

fn any_shape() -> impl Strategy<Value = Shape> {
    let dim = prop_oneof![Just(Dim::from(None)), (0usize..3).prop_map(|d| Dim::from(Some(d)))];
    prop_oneof![
        1 => Just(Shape::unknown()),
        6 => prop::collection::vec(dim, 0..3).prop_map(|d| d.into_iter().collect()),
    ]
}

fn any_leaf() -> impl Strategy<Value = AnySpec> {
    let dtype = prop_oneof![Just(DType::F32), Just(DType::I32)];
    let float = prop_oneof![Just(f64::NAN), Just(-0.0), Just(0.0), Just(1.0)];
    let tensor = (any_shape(), dtype.clone()).prop_map(|(s, d)| TensorSpec::new(s, d).to_any());
    let masked = any_shape().prop_map(|s| {
        let mask = TensorSpec::of::<bool>(s.clone());
        MaskedTensorSpec { values: TensorSpec::of::<f32>(s), mask }.to_any()
    });
    let fruit = (0..3usize, any_shape()).prop_map(|(k, s)| {
        FruitSpec { kind: ["apple", "orange", "fruit"][k], count: TensorSpec::of::<i64>(s) }
            .to_any()
    });
    prop_oneof![
        4 => tensor,
        1 => (any_shape(), dtype).prop_map(|(s, d)| VariableSpec::new(s, d).to_any()),
        1 => (-1i128..2).prop_map(|i| AnySpec::Literal(Literal::Int(i))),
        1 => float.prop_map(|f| AnySpec::Literal(Literal::Float(f))),
        1 => any_shape().prop_map(|s| AnySpec::Literal(Literal::Shape(s))),
        1 => Just(AnySpec::Literal(Literal::None)),
        1 => Just(AnySpec::Optional(None)),
        2 => masked,
        2 => fruit,
    ]
}

fn any_spec() -> impl Strategy<Value = AnySpec> {
    any_leaf().prop_recursive(3, 12, 3, |inner| {
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

/// A shape with fewer sizes known; `bits` says which.
fn widen_shape(shape: &Shape, bits: &mut u64) -> Shape {
    let mut next = || {
        *bits = bits.rotate_right(1);
        *bits & 1 == 1
    };
    match shape.dims() {
        Some(_) if next() && next() => Shape::unknown(),
        Some(dims) => dims.iter().map(|d| if next() { Dim::from(None) } else { *d }).collect(),
        None => Shape::unknown(),
    }
}

/// A supertype of a spec.
fn widen(spec: &AnySpec, bits: &mut u64) -> AnySpec {
    match spec {
        AnySpec::Tensor(t) => TensorSpec::new(widen_shape(&t.shape, bits), t.dtype).to_any(),
        AnySpec::Variable(v) => {
            VariableSpec { shape: widen_shape(&v.shape, bits), ..v.clone() }.to_any()
        }
        AnySpec::Literal(Literal::Shape(s)) => {
            AnySpec::Literal(Literal::Shape(widen_shape(s, bits)))
        }
        AnySpec::List(l) => AnySpec::List(l.iter().map(|s| widen(s, bits)).collect()),
        AnySpec::Tuple(l) => AnySpec::Tuple(l.iter().map(|s| widen(s, bits)).collect()),
        AnySpec::Map(m) => {
            AnySpec::Map(m.iter().map(|(k, s)| (k.clone(), widen(s, bits))).collect())
        }
        AnySpec::Optional(Some(s)) => AnySpec::Optional(Some(widen(s, bits).into())),
        AnySpec::Composite(_) => match FruitSpec::from_any(spec) {
            Ok(f) => {
                let count = TensorSpec::new(widen_shape(&f.count.shape, bits), f.count.dtype);
                let kind = if *bits & 2 == 2 { "fruit" } else { f.kind };
                FruitSpec { kind, count }.to_any()
            }
            Err(_) => {
                let m = MaskedTensorSpec::from_any(spec).unwrap();
                let values = TensorSpec::new(widen_shape(&m.values.shape, bits), m.values.dtype);
                MaskedTensorSpec { values, ..m }.to_any()
            }
        },
        other => other.clone(),
    }
}

fn hash(spec: &AnySpec) -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(spec)
}

fn laws(a: &AnySpec, b: &AnySpec) {
    assert!(a.is_subtype_of(a) && a.is_compatible_with(a), "{a}");
    assert_eq!(a.most_specific_common_supertype(a).as_ref(), Some(a));
    assert_eq!(a.is_compatible_with(b), b.is_compatible_with(a), "{a} and {b}");
    if a == b {
        assert_eq!(hash(a), hash(b));
    }
    assert_eq!(a.is_subtype_of(b) && b.is_subtype_of(a), a == b, "{a} and {b}");
    let (up, other) = (a.most_specific_common_supertype(b), b.most_specific_common_supertype(a));
    assert_eq!(up, other, "{a} and {b}");
    if let Some(up) = &up {
        assert!(a.is_subtype_of(up) && b.is_subtype_of(up), "{a} and {b} under {up}");
    }
    if a.is_subtype_of(b) {
        assert!(a.is_compatible_with(b));
        assert_eq!(up.as_ref(), Some(b), "{a} under {b}");
    }
    if a.is_compatible_with(b) {
        assert!(up.is_some(), "{a} and {b}");
    }
}

type Nested = (
    Vec<Option<Tensor>>,
    BTreeMap<String, (Tensor, Vec<Tensor>)>,
    [Tensor; 2],
    Option<Box<(MaskedTensor, i64, ())>>,
);

fn any_tensor() -> impl Strategy<Value = Tensor> {
    prop_oneof![
        prop::collection::vec(0.0f32..1.0, 0..3).prop_map(Tensor::from_vec),
        any::<i32>().prop_map(Tensor::scalar),
    ]
}

fn any_nested() -> impl Strategy<Value = Nested> {
    let t = any_tensor;
    let list = prop::collection::vec(t(), 0..3);
    (
        prop::collection::vec(prop::option::of(t()), 0..4),
        prop::collection::btree_map("[a-c]{1,2}", (t(), list), 0..3),
        [t(), t()],
        prop::option::of((0i64..3).prop_map(|n| Box::new((masked(), n, ())))),
    )
}

/// Shapes of two operands that often broadcast.
fn any_pair() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    let size = prop_oneof![3 => Just(1usize), 1 => Just(0), 3 => Just(2), 2 => Just(3)];
    let shape = prop::collection::vec(size, 0..4);
    (shape.clone(), shape, any::<u8>()).prop_map(|(a, mut b, bits)| {
        // Mostly sizes of the other, from the right.
        for i in 0..a.len().min(b.len()) {
            if bits >> i & 1 == 1 {
                let at = b.len() - 1 - i;
                b[at] = a[a.len() - 1 - i];
            }
        }
        (a, b)
    })
}

fn filled(sizes: &[usize], from: f32) -> Tensor {
    let n = sizes.iter().product::<usize>();
    let data: Vec<f32> = (0..n).map(|i| from + i as f32).collect();
    Tensor::from_slice(&data, sizes).unwrap()
}

/// The sum of two tensors the slow way; `None` if the shapes don't broadcast.
fn naive(x: &Tensor, a: &[usize], y: &Tensor, b: &[usize]) -> Option<(Vec<usize>, Vec<f32>)> {
    let rank = a.len().max(b.len());
    let wide = |s: &[usize]| [vec![1; rank - s.len()], s.to_vec()].concat();
    let (wa, wb) = (wide(a), wide(b));
    let size = |(m, n): (&usize, &usize)| match (*m, *n) {
        (m, n) if m == n || n == 1 => Some(m),
        (1, n) => Some(n),
        _ => None,
    };
    let out: Vec<usize> = wa.iter().zip(&wb).map(size).collect::<Option<_>>()?;
    let (x, y) = (floats(x), floats(y));
    let at = |sizes: &[usize], index: &[usize]| {
        sizes.iter().zip(index).fold(0, |o, (s, i)| o * s + if *s == 1 { 0 } else { *i })
    };
    let sums = (0..out.iter().product::<usize>()).map(|n| {
        let mut rest = n;
        let mut index = vec![0; rank];
        for d in (0..rank).rev() {
            index[d] = rest % out[d];
            rest /= out[d];
        }
        x[at(&wa, &index)] + y[at(&wb, &index)]
    });
    let sums = sums.collect();
    Some((out, sums))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn specs_obey_their_laws(a in any_spec(), c in any_spec(), mut bits: u64) {
        let (b, d) = (widen(&a, &mut bits), widen(&a, &mut bits));
        let top = widen(&b, &mut bits);
        prop_assert!(a.is_subtype_of(&b) && b.is_subtype_of(&top) && a.is_subtype_of(&top));
        for (x, y) in [(&a, &b), (&b, &a), (&b, &d), (&b, &top), (&a, &c), (&c, &top)] {
            laws(x, y);
        }
        // Both hold all values of `a`.
        prop_assert!(b.is_compatible_with(&d));
        prop_assert!(b.most_specific_common_supertype(&d).is_some());
    }

    #[test]
    fn structures_are_flattened_and_packed(x in any_nested(), y in any_nested()) {
        let spec = x.type_spec();
        let any = spec.to_any();
        let flat = nest::flatten(&x);
        prop_assert_eq!(flat.len(), any.leaves().len());
        let back = nest::pack_sequence_as(&spec, flat.clone()).unwrap();
        prop_assert_eq!(back.type_spec().to_any(), any.clone());
        let ids = |ts: &[Tensor]| ts.iter().map(Tensor::id).collect::<Vec<_>>();
        prop_assert_eq!(ids(&nest::flatten(&back)), ids(&flat));
        let typed: Nested = AnyValue::new(x.clone()).downcast().unwrap();
        prop_assert_eq!(ids(&nest::flatten(&typed)), ids(&flat));
        let other = y.type_spec();
        let equal = other.to_any() == any;
        prop_assert!(x.has_spec(&spec, &mut SpecContext::new()));
        prop_assert_eq!(x.has_spec(&other, &mut SpecContext::new()), equal);
    }

    #[test]
    fn sums_broadcast((a, b) in any_pair()) {
        let (x, y) = (filled(&a, 0.5), filled(&b, 10.0));
        let want = naive(&x, &a, &y, &b);
        let f = function(|x: &Tensor, y: &Tensor| ops::add(x, y));
        let unknown = TensorSpec::of::<f32>(Shape::unknown());
        let c = f.concrete(&unknown, &unknown).unwrap();
        let traced = c.call_flat(&[x.clone(), y.clone()]).map(|mut v| v.remove(0));
        for got in [ops::add(&x, &y), traced] {
            match (&want, got) {
                (Some((shape, sums)), Ok(got)) => {
                    prop_assert_eq!(got.shape(), Shape::from(&shape[..]));
                    prop_assert_eq!(&floats(&got), sums);
                }
                (None, Err(e)) => prop_assert!(e.to_string().contains("add"), "{}", e),
                (want, got) => prop_assert!(false, "{:?} but {:?}", want, got),
            }
        }
        if let Some((shape, _)) = want {
            // The gradient has the shapes of the operands, and counts how often each was used.
            let tape = GradientTape::new();
            let pair = (x.clone(), y.clone());
            let (_, g) = tape.value_and_gradient(&pair, || ops::add(&x, &y)).unwrap();
            let n: usize = shape.iter().product();
            for (g, x) in nest::flatten(&g.into_structure().unwrap()).iter().zip([&x, &y]) {
                prop_assert_eq!(g.shape(), x.shape());
                let total: f32 = floats(g).iter().sum();
                prop_assert_eq!(total, if floats(x).is_empty() { 0.0 } else { n as f32 });
            }
        }
    }
}
