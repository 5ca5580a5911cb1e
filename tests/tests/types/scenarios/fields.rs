//! Fields and constructors of extension types.
//!
//! Where Rust's types make a scenario a compile error, the case under `tests/ui` that shows it is
//! named in its place.

use std::collections::{BTreeMap, HashMap};

use extype::control::fold;
use extype::ops::{LogicalAnd, Op};
use extype::prelude::*;
use extype::spec::dispatch;
use extype::spec::{AnySpec, AnyValue};

fn is_equal(tensor: Result<Tensor>) -> bool {
    tensor.and_then(|t| t.item::<bool>()).unwrap()
}

// "an int field given 3.5 is refused": ui/extension_type/values/int_field_given_a_float
// "a float field given 3 is refused": ui/extension_type/values/float_field_given_an_int

#[derive(ExtensionType, Clone, Debug)]
struct Everything {
    tensor: Tensor,
    nested: Pair,
    optional: Option<Tensor>,
    list: Vec<Pair>,
    array: [Tensor; 2],
    tuple: (Tensor, Option<Pair>),
    map: BTreeMap<String, BTreeMap<String, Tensor>>,
    boxed: Box<Pair>,
    hashed: HashMap<String, Pair>,
    variable: Variable,
    flag: bool,
    letter: char,
    int: i64,
    #[static_data]
    float: f64,
    text: String,
    constant: &'static str,
    #[static_data]
    bytes: Vec<u8>,
    dtype: DType,
    shape: Shape,
    #[static_data]
    ints: Vec<i64>,
    #[static_data]
    settings: BTreeMap<String, (i64, Option<f64>)>,
    sizes: HashMap<i64, String>,
    mode: Mode,
    #[static_data]
    window: Window,
}

#[derive(ExtensionType, Clone, Debug)]
struct Pair {
    left: Tensor,
    right: Tensor,
}

#[derive(StaticData, Clone, Debug, PartialEq)]
enum Mode {
    Plain,
    Padded { before: i64, after: i64 },
    Named(String),
}

#[derive(StaticData, Clone, Debug, PartialEq)]
struct Window {
    size: Vec<i64>,
    mode: Mode,
}

fn everything() -> Everything {
    let t = |x: f32| scalar(x);
    let pair = |x: f32| Pair { left: t(x), right: t(x + 1.0) };
    Everything {
        tensor: t(0.0),
        nested: pair(1.0),
        optional: Some(t(3.0)),
        list: vec![pair(4.0), pair(6.0)],
        array: [t(8.0), t(9.0)],
        tuple: (t(10.0), Some(pair(11.0))),
        map: [("b", 14.0), ("a", 13.0)]
            .map(|(k, x)| (k.to_string(), [(k.to_string(), t(x))].into()))
            .into(),
        boxed: Box::new(pair(15.0)),
        hashed: [("d", 19.0), ("c", 17.0)].map(|(k, x)| (k.to_string(), pair(x))).into(),
        variable: Variable::new(21.0f32).unwrap(),
        flag: true,
        letter: 'x',
        int: -3,
        float: f64::NAN,
        text: "text".into(),
        constant: "constant",
        bytes: vec![1, 2],
        dtype: DType::F16,
        shape: shape![?, 3],
        ints: vec![1, 2],
        settings: [("s".to_string(), (1, Some(0.5)))].into(),
        sizes: [(2, "b".into()), (1, "a".into())].into(),
        mode: Mode::Padded { before: 1, after: 2 },
        window: Window { size: vec![3, 4], mode: Mode::Named("n".into()) },
    }
}

#[test]
fn every_kind_of_field_flattens_and_is_rebuilt_from_its_spec() {
    let value = everything();
    let leaves = nest::flatten(&value);
    let plain = leaves.iter().filter(|t| t.dtype() == DType::F32);
    let numbers: Vec<f32> = plain.map(|t| t.item().unwrap()).collect();
    assert_eq!(numbers, (0..21).map(|x| x as f32).collect::<Vec<_>>());
    let spec = value.type_spec();
    assert_eq!(EverythingSpec::from_any(&spec.to_any()).unwrap(), spec);
    let back = nest::pack_sequence_as(&spec, leaves).unwrap();
    assert!(is_equal(value.equals(&back)));
    assert_eq!(back.window, value.window);
    assert!(matches!(Mode::from_literal(&Mode::Plain.to_literal()), Ok(Mode::Plain)));
}

#[test]
fn static_data_is_a_part_of_the_type_and_readable_in_the_spec() {
    let spec = everything().type_spec();
    assert_eq!((spec.int, spec.ints.as_slice()), (-3, &[1, 2][..]));
    assert_eq!(spec.window.mode, Mode::Named("n".into()));
    let other = Everything { int: 4, ..everything() }.type_spec();
    assert_ne!(spec, other);
    assert!(spec.most_specific_common_supertype(&other).is_none());
    let text = spec.to_string();
    for part in
        [r#"bytes=b"\x01\x02""#, "mode=[\"Padded\", {\"after\": 2, \"before\": 1}]", "letter=\"x\""]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_hash_map_is_a_dict_its_leaves_come_by_key() -> Result<()> {
    #[derive(ExtensionType, Clone, Debug)]
    struct Features {
        columns: HashMap<String, Tensor>,
    }
    let features = |keys: &[&str]| Features {
        columns: keys.iter().map(|k| (k.to_string(), scalar(k.len() as f64))).collect(),
    };
    let (x, y) = (features(&["aaa", "b", "cc"]), features(&["cc", "aaa", "b"]));
    assert_eq!(x.type_spec(), y.type_spec());
    assert_ne!(x.type_spec(), features(&["aaa", "b"]).type_spec());
    // A traced function finds its trace again, whatever order the entries are in.
    let weighed = function(|f: &Features| {
        let sum = ops::sub(&ops::mul(&f.columns["aaa"], 10.0)?, &f.columns["cc"])?;
        Ok(HashMap::from([("sum".to_string(), sum), ("b".to_string(), f.columns["b"].clone())]))
    });
    for f in [&x, &y] {
        let out = weighed.call(f)?;
        assert_eq!((out["sum"].item::<f64>()?, out["b"].item::<f64>()?), (28.0, 1.0));
    }
    assert_eq!(weighed.trace_count(), 1);
    // Gradients and `nest` go through it as through any structure.
    let slopes = extype::grad(|f: &Features| Ok(weighed.call(f)?["sum"].clone()))(&x)?;
    assert_eq!(slopes.columns["aaa"].item::<f64>()?, 10.0);
    let doubled = nest::map_structure(&x, |t| ops::mul(t, 2.0))?;
    assert_eq!(doubled.columns["aaa"].item::<f64>()?, 6.0);
    Ok(())
}

#[test]
fn a_list_of_ints_given_an_array_is_stored_as_a_list() {
    #[derive(ExtensionType, Clone, Debug)]
    struct Sizes {
        #[static_data]
        sizes: Vec<i64>,
    }
    assert_eq!(Sizes::new([1, 2].into()).unwrap().sizes, [1, 2]);
}

// "a pair of int and text given one entry is refused":
//   ui/extension_type/values/tuple_field_given_another_length
// "a mapping is immutable, assignment into it fails": ui/extension_type/values/map_assigned

#[test]
fn a_tensor_field_given_a_list_of_texts_is_a_string_tensor() {
    #[derive(ExtensionType, Clone, Debug)]
    struct Words {
        words: Tensor,
    }
    let words = Words::new(["a", "b"]).unwrap().words;
    assert_eq!((words.dtype(), words.shape()), (DType::String, shape![2]));
    assert_eq!(Words::new(&words).unwrap().words.shape(), shape![2]);
}

#[test]
fn a_union_of_int_and_tensor_given_3_stays_an_int() {
    #[derive(ExtensionType, Clone, Debug)]
    enum IntOrTensor {
        Int(i64),
        Tensor(Tensor),
    }
    let (int, tensor) = (IntOrTensor::Int(3), IntOrTensor::Tensor(scalar(3)));
    assert_eq!(nest::flatten(&int).len(), 0);
    assert_eq!(nest::flatten(&tensor).len(), 1);
    assert!(!is_equal(int.equals(&tensor)));
}

// "a field of a list that changes is refused": a `Vec<Tensor>` in a value does not change, and is
//   a field like others
// "a mapping with tensors as keys is refused": ui/extension_type/fields/tensor_keys
// "a field named Spec is refused": ui/extension_type/fields/spec_name, reserved_name
// "a field without a type is refused": ui/extension_type/fields/without_type

#[derive(ExtensionType, Clone, Debug)]
struct Defaults {
    a: i64,
    #[extension_type(default = "x")]
    b: String,
    c: Tensor,
    #[extension_type(default)]
    d: Option<Tensor>,
    #[extension_type(default = [1.0f32, 2.0])]
    e: Tensor,
}

#[test]
fn fields_with_defaults_are_given_by_name() {
    let v = Defaults::new(1, [2.0f32]).unwrap();
    assert_eq!((v.a, v.b.as_str(), v.d.is_none()), (1, "x", true));
    assert_eq!(v.e.as_slice::<f32>().unwrap(), [1.0, 2.0]);
    let w = v.clone().with_b("y").unwrap().with_d(Some(v.e.clone())).unwrap();
    assert_eq!((w.b.as_str(), w.a, w.d.is_some()), ("y", 1, true));
    assert_eq!(v.b, "x");
}
// By position they are refused: ui/extension_type/values/default_given_by_position

#[test]
fn a_field_keeps_its_position_whatever_its_default() {
    let spec = Defaults::new(1, [2.0f32]).unwrap().type_spec().to_string();
    let at = |name: &str| spec.find(name).unwrap();
    assert!(at("(a=") < at(" b=") && at(" b=") < at(" c=") && at(" d=") < at(" e="), "{spec}");
}

// "a field assigned after construction is refused":
//   ui/extension_type/values/assigned_after_construction, attribute_added
// "a constructor that sets fields of another value is refused":
//   ui/extension_type/values/assigned_in_another_constructor

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(validate)]
struct Masked {
    values: Tensor,
    #[extension_type(dtype = bool)]
    mask: Tensor,
}

impl Validate for Masked {
    fn validate(&self) -> Result<()> {
        self.values.shape().assert_compatible(&self.mask.shape())
    }
}

#[tf_function(signature(f32[?], bool[?]))]
fn made(values: &Tensor, mask: &Tensor) -> Result<Masked> {
    Masked::new(values, mask)
}

#[test]
fn validation_refuses_shapes_that_differ_and_passes_unknown_ones_in_a_trace() {
    let e = Masked::new([1.0f32; 3], [true; 4]).unwrap_err();
    assert!(e.message().contains("[3]") && e.message().contains("[4]"), "{e}");
    let m = made(&tensor![1.0f32, 2.0, 3.0], &tensor![true, true, true, true]).unwrap();
    assert!(m.check().is_err(), "values of traced functions are checked by calling `check`");
}

#[derive(ExtensionType, Clone, Debug)]
struct Points {
    #[extension_type(dtype = f32 | f64, shape = [?, 3])]
    at: Tensor,
    #[extension_type(shape = [3], default)]
    axes: Vec<Tensor>,
    #[extension_type(dtype = i64, default)]
    ids: Option<Tensor>,
}

#[tf_function(signature(f32[..]))]
fn points(at: &Tensor) -> Result<Points> {
    Points::new(at)
}

#[test]
fn constraints_name_the_field_what_it_holds_and_what_it_must_hold() {
    let p = Points::new([[1.0f32, 2.0, 3.0]]).unwrap();
    let e = Points::new([[1, 2, 3]]).unwrap_err();
    assert_eq!(e.message(), "field `at`: expected dtype float32 or float64, got int32");
    let e = Points::new([[1.0f32, 2.0]]).unwrap_err();
    assert_eq!(e.message(), "field `at`: expected shape [?, 3], got [1, 2]");
    let e = p.clone().with_axes(vec![tensor![1.0f32, 2.0, 3.0], tensor![1.0f32]]).unwrap_err();
    assert_eq!(e.message(), "field `axes[1]`: expected shape [3], got [1]");
    let e = p.with_ids(Some(tensor![1.0f32, 2.0])).unwrap_err();
    assert!(e.message().starts_with("field `ids"), "{e}");
    // What the trace did not know is checked when the call is.
    let e = points(&tensor![[1.0f32, 2.0]]).unwrap_err();
    assert_eq!(e.message(), "field `at`: expected shape [?, 3], got [1, 2]");
    assert_eq!(points(&tensor![[1.0f32, 2.0, 3.0]]).unwrap().at.shape(), shape![1, 3]);
}

/// Declares what it holds.
#[derive(ExtensionType, Clone, Debug)]
struct Declared {
    #[extension_type(dtype = f64, shape = [?])]
    w: Tensor,
}

#[dispatch]
impl Declared {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { w: op.call(&x.w)? })
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, xs: ops::Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y) = match xs {
            ops::Pair::Both(x, y) => (&x.w, &y.w),
            ops::Pair::Left(x, y) => (&x.w, y),
            ops::Pair::Right(x, y) => (x, &y.w),
        };
        Ok(Self { w: op.call(x, y)? })
    }

    #[overrides(concat)]
    fn concat(xs: &[&Self], axis: ops::Axis) -> Result<Self> {
        let all: Vec<&Tensor> = xs.iter().map(|x| &x.w).collect();
        Ok(Self { w: ops::concat(&all, axis)? })
    }
}

#[tf_function]
fn passed(x: &Declared) -> Result<Declared> {
    Ok(x.clone())
}

#[test]
fn a_value_that_no_constructor_made_enters_nothing() -> Result<()> {
    let good = || Declared { w: tensor![1.0f64, 2.0] };
    let bad = || Declared { w: scalar(1i32) };
    let flat = || Declared { w: scalar(1.0f64) };
    passed(&good())?;
    let told = |results: Vec<Option<Error>>, words: &str| {
        for (i, e) in results.into_iter().enumerate() {
            let text = e.map_or_else(|| "taken".to_owned(), |e| e.to_string());
            assert!(text.starts_with("Declared: ") && text.contains(words), "{i}: {text}");
        }
    };
    type Made = fn() -> Declared;
    let cases: [(Made, &str); 2] = [
        (bad, "field `w`: expected dtype float64, got int32"),
        (flat, "field `w`: expected shape [?], got []"),
    ];
    for (made, words) in cases {
        let one = made();
        // Arguments, at any depth.
        let in_list = function(|x: &(Vec<Option<Declared>>, Tensor)| Ok(x.1.clone()));
        let in_map =
            function(|x: &std::collections::BTreeMap<String, Box<Declared>>| Ok(x.len() as i64));
        told(
            vec![
                passed(&one).err(),
                in_list.call(&(vec![None, Some(made())], scalar(1.0f32))).err(),
                in_map.call(&[("a".to_owned(), Box::new(made()))].into()).err(),
            ],
            words,
        );
        // Results, where they are traced.
        told(vec![function(move |_: &Tensor| Ok(made())).call(&scalar(1.0f32)).err()], words);
        // Operands of ops.
        told(
            vec![
                ops::neg(&one).err(),
                ops::add(&one, good()).err(),
                ops::add(good(), &one).err(),
                ops::add(1.0, &one).err(),
                ops::concat(&[&good(), &one], 0).err(),
                dispatch::call("Neg", &[AnyValue::new(made())], &extype::ir::Attrs::new()).err(),
            ],
            words,
        );
        // Sources of gradients.
        let tape = GradientTape::new();
        tape.watch(&one);
        let y = one.w.cast(f64)?.square()?;
        told(
            vec![tape.gradient(&y, &one).err(), grad(|x: &Declared| Ok(x.w.clone()))(&one).err()],
            words,
        );
        // Arms, states, results of maps.
        told(
            vec![
                cond(&scalar(true), || Ok(made()), || Ok(good())).err(),
                while_loop(made(), |_| Ok(scalar(false)), Ok).err(),
                fold(&tensor![1.0f32], made(), |s, _: Tensor| Ok(s)).err(),
                map_fn(&tensor![1.0f32], |_: Tensor| Ok(made())).err(),
            ],
            words,
        );
    }
    Ok(())
}

#[test]
fn a_type_without_fields_has_a_value_and_no_components() {
    #[derive(ExtensionType, Clone, Debug)]
    struct Nothing {}
    let nothing = Nothing::new().unwrap();
    assert!(nest::flatten(&nothing).is_empty() && nothing.type_spec().component_specs().is_empty());
    assert_eq!(nothing.type_spec().to_string(), "NothingSpec()");
    assert!(is_equal(nothing.equals(&Nothing {})));
}

#[derive(ExtensionType, Clone, Debug)]
struct Labeled {
    values: Tensor,
    label: String,
}

#[tf_function(signature(f32[..], f32[..]))]
fn traced_equality(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let labeled = |x: &Tensor| Labeled::new(x, "a");
    let equal = labeled(x)?.equals(&labeled(y)?)?;
    let unequal = labeled(x)?.equals(&Labeled::new(y, "b")?)?;
    LogicalAnd::default().run(&[&equal, &unequal.logical_not()?])
}

#[test]
fn values_are_equal_in_static_data_shapes_and_elements() {
    let v = |data: [f32; 4], label: &str| Labeled::new(data, label).unwrap();
    assert!(is_equal(v([1.0; 4], "a").equals(&v([1.0; 4], "a"))));
    assert!(!is_equal(v([1.0; 4], "a").equals(&v([1.0; 4], "b"))));
    assert!(!is_equal(v([1.0; 4], "a").equals(&v([1.0, 1.0, 1.0, 2.0], "a"))));
    assert!(!is_equal(v([1.0; 4], "a").equals(&Labeled::new([[1.0f32; 4]], "a").unwrap())));
    assert!(!is_equal(v([f32::NAN; 4], "a").equals(&v([f32::NAN; 4], "a"))));
    assert!(!is_equal(nest::equal(&v([1.0; 4], "a"), &tensor![1.0f32, 1.0, 1.0, 1.0])));
}

#[test]
fn in_a_trace_values_of_unknown_shapes_are_compared_when_it_runs() {
    let shapes: [&[usize]; 6] = [&[], &[0], &[1], &[3], &[1, 3], &[3, 3]];
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate() {
            let ones = |dims: &[usize]| {
                Tensor::from_slice(&vec![1.0f32; dims.iter().product()], dims).unwrap()
            };
            assert_eq!(is_equal(traced_equality(&ones(a), &ones(b))), i == j, "{a:?} and {b:?}");
        }
    }
    assert_eq!(traced_equality::trace_count(), 1);
}

#[test]
fn the_spec_of_a_value_is_the_spec_made_by_hand() {
    let m = Masked::new([[1.0f32, 2.0]], [[true, false]]).unwrap();
    let by_hand = MaskedSpec {
        values: TensorSpec::of::<f32>(shape![1, 2]),
        mask: TensorSpec::of::<bool>(shape![1, 2]),
    };
    assert_eq!(m.type_spec(), by_hand);
}

// "a spec with a component of another class is refused":
//   ui/extension_type/values/spec_with_another_component
// A spec gets methods by an `impl` block of its own, and so no base; that a method has the name of
// a field is no clash in Rust:

impl MaskedSpec {
    fn rank(&self) -> Option<usize> {
        self.values.shape.rank()
    }

    fn mask(&self) -> &TensorSpec {
        &self.mask
    }
}

#[test]
fn a_spec_has_the_methods_that_its_author_gives_it() {
    let spec = Masked::new([1.0f32], [true]).unwrap().type_spec();
    assert_eq!((spec.rank(), spec.mask().dtype), (Some(1), DType::Bool));
}

/// A spec by hand for a derived type: units of any length are one type.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(spec = MeasureSpec)]
struct Measure {
    values: Tensor,
    unit: String,
}

#[derive(Clone, Debug, PartialEq)]
struct MeasureSpec {
    values: TensorSpec,
    unit: String,
}

impl TypeSpec for MeasureSpec {
    type Value = Measure;

    fn to_any(&self) -> AnySpec {
        self.default_to_any()
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        Self::default_from_any(any)
    }

    fn is_compatible_with(&self, other: &Self) -> bool {
        self.values.is_compatible_with(&other.values)
    }
}

#[tf_function]
fn doubled(m: &Measure) -> Result<Measure> {
    Measure::new(&m.values * 2.0, m.unit.as_str())
}

#[test]
fn a_derived_type_follows_the_laws_of_a_spec_written_by_hand() {
    let m = |unit: &str| Measure::new([1.0f32], unit).unwrap();
    let (a, b) = (m("m"), m("km"));
    assert!(a.type_spec().is_compatible_with(&b.type_spec()));
    let within = |x: &Measure| vec![x.clone()].type_spec().to_any();
    assert!(within(&a).is_compatible_with(&within(&b)));
    assert!(!within(&a).is_subtype_of(&within(&b)));
    let twice = doubled(&a).unwrap();
    assert_eq!((twice.unit.as_str(), twice.values.as_slice::<f32>().unwrap()), ("m", &[2.0][..]));
}

#[derive(ExtensionType, Clone, Debug)]
struct Node<T> {
    value: T,
    next: Option<Box<Node<T>>>,
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(bound(T: ExtensionType))]
struct Wrapped<T> {
    inner: Vec<T>,
}

#[test]
fn generic_and_recursive_types_have_the_bounds_of_their_fields() {
    let last = Node::new(scalar(2.0f32), None).unwrap();
    let list = Node::new(scalar(1.0f32), Some(Box::new(last))).unwrap();
    assert_eq!(nest::flatten(&list).len(), 2);
    let plain = Node::new(3i64, None).unwrap();
    assert_eq!(plain.type_spec().value.0, 3);
    let wrapped = Wrapped::new(vec![list]).unwrap();
    assert_eq!(nest::flatten(&wrapped).len(), 2);
}

#[derive(ExtensionType, Clone, Debug)]
struct Tree {
    value: Tensor,
    branches: Vec<Branch>,
}

#[derive(ExtensionType, Clone, Debug)]
struct Branch {
    weight: Tensor,
    to: Option<Box<Tree>>,
}

#[tf_function]
fn heavier(tree: &Tree) -> Result<Tree> {
    let mut branches = Vec::new();
    for branch in &tree.branches {
        branches.push(Branch { weight: &branch.weight + 1.0, to: branch.to.clone() });
    }
    Tree::new(&tree.value * 2.0, branches)
}

#[test]
fn types_may_hold_each_other() {
    let leaf = Tree::new(scalar(3.0f32), vec![]).unwrap();
    let to_leaf = Branch::new(scalar(1.0f32), Some(Box::new(leaf))).unwrap();
    let tree =
        Tree::new(scalar(2.0f32), vec![to_leaf, Branch::new(0.5f32, None).unwrap()]).unwrap();
    assert_eq!(tree.type_spec().branches[0].to, tree.branches[0].to.type_spec());
    let heavy = heavier(&tree).unwrap();
    assert_eq!(heavy.value.item::<f32>().unwrap(), 4.0);
    assert_eq!(heavy.branches[1].weight.item::<f32>().unwrap(), 1.5);
    let leaf = heavy.branches[0].to.as_ref().unwrap();
    assert_eq!(leaf.value.item::<f32>().unwrap(), 3.0);
}
