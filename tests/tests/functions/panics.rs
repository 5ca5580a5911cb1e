//! Panics of users' code end in errors that name it, and the next call works.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use extype::ErrorKind;
use extype::array::Array;
use extype::ir::{Attrs, KernelContext, Outputs};
use extype::ops::BinaryOp;
use extype::prelude::*;
use extype::spec::{AnySpec, AnyValue};
use extype::spec::{Class, Composite, Hooks, LeafIter, Leaves, SpecContext, dispatch};
use extype::types::DTypeSet;

thread_local! {
    /// What panics now.
    static BROKEN: Cell<&'static str> = const { Cell::new("") };
}

/// Panics if it is the part that is broken.
fn part(name: &'static str) {
    assert!(BROKEN.get() != name, "broken {name}");
}

/// What a call fails with while a part is broken; it must work before and after.
#[track_caller]
fn with_broken<R>(name: &'static str, call: impl Fn() -> Result<R>) -> Error {
    if let Err(e) = call() {
        panic!("{name}, before: {e}");
    }
    BROKEN.set(name);
    let result = call();
    BROKEN.set("");
    if let Err(e) = call() {
        panic!("{name}, after: {e}");
    }
    result.err().unwrap_or_else(|| panic!("{name}: no error"))
}

#[track_caller]
fn assert_panicked(e: &Error, who: &str, text: &str) {
    assert_eq!(e.kind(), ErrorKind::Internal, "{e}");
    assert!(e.message().contains(who) && e.message().contains(text), "{e}");
}

/// A type with laws of its own, each of which can break.
#[derive(Clone, Debug)]
struct Moody {
    kind: i64,
    x: Tensor,
}

#[derive(Clone, Debug, PartialEq)]
struct MoodySpec {
    kind: i64,
    x: TensorSpec,
}

impl Structure for Moody {
    type Spec = MoodySpec;

    fn spec_in(&self, context: &mut SpecContext) -> MoodySpec {
        part("spec_in");
        MoodySpec { kind: self.kind, x: self.x.spec_in(context) }
    }

    fn has_spec(&self, spec: &MoodySpec, context: &mut SpecContext) -> bool {
        self.kind == spec.kind && self.x.has_spec(&spec.x, context)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(&self.x);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.x);
    }

    fn from_leaves(spec: &MoodySpec, leaves: &mut LeafIter) -> Result<Self> {
        part("from_leaves");
        Ok(Self { kind: spec.kind, x: Tensor::from_leaves(&spec.x, leaves)? })
    }
}

impl TypeSpec for MoodySpec {
    type Value = Moody;

    fn to_any(&self) -> AnySpec {
        let kind = AnySpec::Literal(self.kind.to_literal());
        Composite::of::<Moody>([("kind", kind), ("x", self.x.to_any())])
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        part("from_any");
        let c = any.as_composite(std::any::TypeId::of::<Moody>(), "Moody")?;
        match (c.field("kind"), c.field("x")) {
            (Some(AnySpec::Literal(kind)), Some(x)) => {
                Ok(Self { kind: i64::from_literal(kind)?, x: TensorSpec::from_any(x)? })
            }
            _ => Err(Error::invalid("no Moody")),
        }
    }

    fn is_subtype_of(&self, other: &Self) -> bool {
        part("is_subtype_of");
        self == other
    }

    fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        part("most_specific_common_supertype");
        (self == other).then(|| self.clone())
    }

    fn is_compatible_with(&self, other: &Self) -> bool {
        part("is_compatible_with");
        self == other
    }

    fn stacked(&self, n: extype::types::Dim) -> Result<Self> {
        part("stacked");
        Ok(Self { kind: self.kind, x: self.x.stacked(n) })
    }
}

impl ExtensionType for Moody {
    fn class() -> Arc<Class> {
        static CLASS: OnceLock<Arc<Class>> = OnceLock::new();
        let class = || Class {
            name: "panics.Moody".into(),
            short_name: "Moody".into(),
            type_id: Some(std::any::TypeId::of::<Moody>()),
            hooks: Hooks::of::<MoodySpec>(),
        };
        CLASS.get_or_init(|| Arc::new(class())).clone()
    }
}

fn moody(kind: i64) -> Moody {
    Moody { kind, x: tensor![1.0f32, 2.0] }
}

#[test]
fn a_law_that_panics_in_a_traced_call_is_named() {
    for law in ["is_subtype_of", "spec_in"] {
        // Every call is of a type that was not seen, next to those that were.
        let next = Cell::new(0);
        let f = function(|m: &Moody| ops::add(&m.x, 1.0));
        let e = with_broken(law, || {
            next.set(next.get() + 1);
            let _ = f.call(&moody(next.get()))?;
            f.call(&moody(next.get()))
        });
        assert_panicked(&e, "panicked", &format!("broken {law}"));
        if law == "is_subtype_of" {
            assert_panicked(&e, "`is_subtype_of` of `Moody`", law);
        }
    }
}

#[test]
fn a_law_that_panics_in_a_join_is_named() {
    let (a, b) = (moody(1), moody(1));
    let list = |m: &Moody| vec![m.clone()].type_spec().to_any();
    let law = "most_specific_common_supertype";
    let e = with_broken(law, || list(&a).try_common_supertype(&list(&b)));
    assert_panicked(&e, "`most_specific_common_supertype` of `Moody`", law);
    let e = with_broken(law, || nest::assert_same_structure(&vec![a.clone()], &vec![b.clone()]));
    assert!(e.message().contains("`most_specific_common_supertype` of `Moody` panicked"), "{e}");
    let e = with_broken("stacked", || list(&a).stacked(2));
    assert_panicked(&e, "`stacked` of `Moody`", "broken stacked");
}

#[test]
fn a_value_that_can_not_be_rebuilt_is_an_error_that_names_the_type() {
    let value = AnyValue::new(moody(1));
    for part in ["from_any", "from_leaves"] {
        let e = with_broken(part, || value.clone().downcast::<Moody>());
        assert_panicked(&e, "Moody", part);
    }
    let e = with_broken("from_leaves", || nest::map_structure(&moody(1), |x| ops::add(x, 1.0)));
    assert_panicked(&e, "Moody", "broken from_leaves");
}

/// A type whose handlers can break.
#[derive(ExtensionType, Clone, Debug)]
struct Frail {
    x: Tensor,
}

#[dispatch]
impl Frail {
    #[overrides(to_tensor)]
    fn to_tensor(x: &Self) -> Result<Tensor> {
        part("to_tensor");
        Ok(x.x.clone())
    }

    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        part("unary");
        Ok(Self { x: op.call(&x.x)? })
    }

    #[overrides(binary_elementwise)]
    fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> Result<Self> {
        // Operators fail by panicking.
        match BROKEN.get() {
            "operator" => Ok(Self { x: &x.x + tensor![1.0f32, 2.0, 3.0] }),
            _ => Ok(Self { x: op.call(&x.x, &y.x)? }),
        }
    }

    #[overrides(reduce_sum)]
    fn reduce_sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Option<Tensor>> {
        part("reduce_sum");
        ops::reduce_sum(&x.x, axes.clone(), keep_dims).map(Some)
    }
}

#[test]
fn a_handler_that_panics_is_named() {
    let x = Frail { x: tensor![1.0f32, 2.0] };
    let any = [AnyValue::new(x.clone())];
    let typed = with_broken("unary", || ops::tanh(&x));
    let dynamic = with_broken("unary", || dispatch::call("Tanh", &any, &Attrs::new()));
    let traced = with_broken("unary", || function(|x: &Frail| ops::tanh(x)).call(&x));
    for e in [typed, dynamic, traced] {
        assert_panicked(&e, "the handler of `Frail` for `tanh` panicked", "broken unary");
    }
    let e = with_broken("reduce_sum", || ops::reduce_sum(&x, .., false));
    assert_panicked(&e, "the handler of `Frail` for `reduce_sum` panicked", "broken reduce_sum");
    let e = with_broken("to_tensor", || dispatch::call("Softmax", &any, &Attrs::new()));
    assert_panicked(&e, "the conversion of `Frail` to a tensor", "broken to_tensor");
}

#[test]
fn an_operator_that_fails_in_a_handler_returns_its_error() {
    let x = Frail { x: tensor![1.0f32, 2.0] };
    let e = with_broken("operator", || ops::add(&x, &x));
    assert_eq!((e.kind(), e.op()), (ErrorKind::InvalidArgument, Some("add")));
    assert!(!e.message().contains("panicked"), "{e}");
}

struct Image;

impl TensorLike for Image {
    fn to_tensor(&self) -> Result<Tensor> {
        part("image");
        Ok(scalar(1.0f32))
    }
}

#[test]
fn a_conversion_that_panics_is_named() {
    for e in [
        with_broken("image", || ops::tanh(Image)),
        with_broken("image", || ops::add(scalar(2.0f32), &Image)),
        with_broken("image", || Tensor::new(Image)),
    ] {
        assert_panicked(&e, "Image", "broken image");
    }
}

extype::define_op! {
    /// An op that can break.
    op Brittle = "Panics>Brittle" {
        inputs: { x: T }, outputs: { y: T },
        types: { T: DTypeSet::of(&[DType::F32]) },
        call: brittle(x),
        infer: |c| {
            part("infer");
            Ok([c.input(0).clone()].into_iter().collect())
        },
        kernel: kernel,
    }
}

fn kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    part("kernel");
    Ok([Array::from_slice(c.input(0).dims(), c.input(0).as_slice::<f32>()?)?].into())
}

#[test]
fn an_op_that_panics_is_named() {
    let x = scalar(1.0f32);
    for broken in ["kernel", "infer"] {
        let eager = with_broken(broken, || brittle(&x));
        let traced = with_broken(broken, || function(|x: &Tensor| brittle(x)).call(&x));
        for e in [eager, traced] {
            assert_panicked(&e, "panicked", &format!("broken {broken}"));
            assert_eq!(e.op(), Some("brittle"), "{e}");
        }
    }
    let f = function(|x: &Tensor| brittle(x));
    let e = with_broken("kernel", || f.call(&x));
    assert_panicked(&e, "the kernel panicked", "broken kernel");
}

/// A type whose handlers call their op on it.
#[derive(ExtensionType, Clone, Debug)]
struct Endless {
    x: Tensor,
}

#[dispatch]
impl Endless {
    #[overrides(tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        ops::tanh(x)
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, pair: Pair<'_, Self, Tensor>) -> Result<Self> {
        match pair {
            Pair::Both(x, y) => op.call(x, &y.x),
            Pair::Left(x, y) => op.call(y, x),
            Pair::Right(x, y) => op.call(y, x),
        }
    }
}

#[test]
fn a_handler_that_calls_its_op_on_its_type_is_told_so() {
    let x = Endless { x: tensor![1.0f32, 2.0] };
    let any = AnyValue::new(x.clone());
    let dynamic = |op: &str, args: &[AnyValue]| {
        dispatch::call(op, args, &Attrs::new()).map(drop).unwrap_err()
    };
    for (op, e) in [
        ("tanh", ops::tanh(&x).map(drop).unwrap_err()),
        ("tanh", function(|x: &Endless| ops::tanh(x)).call(&x).map(drop).unwrap_err()),
        ("add", ops::add(&x, &x).map(drop).unwrap_err()),
        ("tanh", dynamic("Tanh", std::slice::from_ref(&any))),
        ("add", dynamic("AddV2", &[any.clone(), any])),
    ] {
        assert_eq!((e.kind(), e.op()), (ErrorKind::InvalidArgument, Some(op)), "{e}");
        for part in ["`Endless`", "calls its op on its own type", "on the components"] {
            assert!(e.message().contains(part), "{e}");
        }
    }
    // Nothing is left open.
    let frail = Frail { x: scalar(1.0f32) };
    assert!(ops::tanh(&frail).is_ok());
}

/// A tree of any depth.
#[derive(ExtensionType, Clone, Debug)]
struct Tree {
    x: Tensor,
    children: Vec<Tree>,
}

#[dispatch]
impl Tree {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, t: &Self) -> Result<Self> {
        let children = t.children.iter().map(|c| op.call(c)).collect::<Result<_>>()?;
        Ok(Self { x: op.call(&t.x)?, children })
    }
}

fn tree(depth: usize) -> Tree {
    let leaf = Tree { x: scalar(1.0f32), children: vec![] };
    (1..depth).fold(leaf, |child, _| Tree { x: scalar(1.0f32), children: vec![child] })
}

#[test]
fn handlers_of_types_in_types_nest() {
    let doubled = ops::neg(tree(60)).unwrap();
    let leaves = nest::flatten(&doubled);
    assert_eq!(leaves.len(), 60);
    assert!(leaves.iter().all(|x| x.item::<f32>().unwrap() == -1.0));
    let traced = function(|t: &Tree| ops::neg(t)).call(&tree(20)).unwrap();
    assert_eq!(nest::flatten(&traced).len(), 20);
}
