//! Arguments of calls at run time: by position and by name, lists, defaults, plain values.

use extype::ir::Attrs;
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch::{self, Invocation};

/// Keeps what its handlers were given.
#[derive(ExtensionType, Clone, Debug)]
struct Probe {
    x: Tensor,
}

#[dispatch]
impl Probe {
    #[overrides(MatMul)]
    fn matmul(x: &Self, y: &Self, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
        format!("{} {} {transpose_a} {transpose_b}", x.x.item::<i32>()?, y.x.item::<i32>()?)
            .to_tensor()
    }

    #[overrides(ReduceSum)]
    fn sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Tensor> {
        format!("{} {axes:?} {keep_dims}", x.x.item::<i32>()?).to_tensor()
    }

    #[overrides(Concat)]
    fn concat(xs: &[&Self], axis: &Axis) -> Result<Tensor> {
        let all: Vec<i32> = xs.iter().map(|x| x.x.item()).collect::<Result<_>>()?;
        format!("{all:?} {}", axis.0).to_tensor()
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Tensor> {
        let (x, y) = operands.split();
        op.call(part(x), part(y))
    }
}

fn part<'a>(a: ops::Arg<'a, Probe, Tensor>) -> &'a Tensor {
    match a {
        ops::Arg::This(p) => &p.x,
        ops::Arg::Other(t) => t,
    }
}

fn probe(i: i32) -> Probe {
    Probe { x: scalar(i) }
}

fn text(v: AnyValue) -> String {
    let t: Tensor = v.downcast().unwrap();
    String::from_utf8(t.value().unwrap().as_strings().unwrap()[0].clone()).unwrap()
}

#[test]
fn names_go_to_their_places_and_missing_attributes_have_defaults() -> Result<()> {
    let call = || Invocation::new("MatMul");
    let both = [
        call().arg(probe(1)).arg(probe(2)),
        call().arg(probe(1)).named("b", probe(2)),
        call().named("b", probe(2)).named("a", probe(1)),
        call().named("b", probe(2)).named("transpose_a", false).named("a", probe(1)),
    ];
    for c in both {
        assert_eq!(text(c.call()?), "1 2 false false");
    }
    let c = call().arg(probe(1)).named("transpose_b", true).named("b", probe(2));
    assert_eq!(text(c.call()?), "1 2 false true");
    let c = call().attr("transpose_a", &true).arg(probe(1)).arg(probe(2));
    assert_eq!(text(c.call()?), "1 2 true false");
    // The plain form has the defaults too.
    let args = [AnyValue::new(probe(1)), AnyValue::new(probe(2))];
    assert_eq!(text(dispatch::call("MatMul", &args, &Attrs::new())?), "1 2 false false");
    Ok(())
}

#[test]
fn axes_are_plain_integers_and_may_be_left_out() -> Result<()> {
    let call = || Invocation::new("Sum").arg(probe(7));
    assert_eq!(text(call().call()?), "7 All false");
    let c = call().named("keep_dims", true).named("reduction_indices", vec![0i64, 2]);
    assert_eq!(text(c.call()?), "7 List(Known([0, 2])) true");
    let x = tensor![[1i32, 2], [3, 4]];
    let sum = |c: Invocation| c.call()?.downcast::<Tensor>();
    assert_eq!(sum(Invocation::new("Sum").arg(x.clone()))?.item::<i32>()?, 10);
    let c = Invocation::new("Sum").arg(x.clone()).arg(1i64).named("keep_dims", true);
    assert_eq!(sum(c)?.shape(), shape![2, 1]);
    let c = Invocation::new("Max").named("input", x).named("reduction_indices", tensor![-1i32]);
    assert_eq!(sum(c)?.to_vec::<i32>()?, [2, 4]);
    Ok(())
}

#[test]
fn lists_are_given_whole_or_element_by_element() -> Result<()> {
    let (a, b) = (probe(1), probe(2));
    let calls = [
        Invocation::new("ConcatV2").arg(a.clone()).arg(b.clone()).arg(0i64),
        Invocation::new("ConcatV2").arg(vec![a.clone(), b.clone()]).arg(0i64),
        Invocation::new("ConcatV2").arg((a.clone(), b.clone())).named("axis", 0i64),
        Invocation::new("ConcatV2").named("axis", 0i64).named("values", vec![a, b]),
    ];
    for c in calls {
        assert_eq!(text(c.call()?), "[1, 2] 0");
    }
    Ok(())
}

#[test]
fn host_numbers_and_variables_become_tensors_and_are_not_asked() -> Result<()> {
    let numbers = |v: AnyValue| v.downcast::<Tensor>()?.item::<i32>();
    assert_eq!(numbers(Invocation::new("AddV2").arg(probe(1)).arg(5i64).call()?)?, 6);
    assert_eq!(numbers(Invocation::new("Sub").arg(5i64).arg(probe(1)).call()?)?, 4);
    assert_eq!(numbers(Invocation::new("Mul").arg(scalar(3i32)).arg(5i64).call()?)?, 15);
    let v = Variable::new(scalar(4i32))?;
    assert_eq!(numbers(Invocation::new("AddV2").arg(v.clone()).arg(1i64).call()?)?, 5);
    assert_eq!(numbers(Invocation::new("AddV2").arg(probe(1)).arg(v).call()?)?, 5);
    let e = Invocation::new("AddV2").arg(scalar(3i32)).arg(2.5).call().unwrap_err();
    assert!(e.to_string().contains("2.5") && e.to_string().contains("int32"), "{e}");
    Ok(())
}

#[test]
fn wrong_arguments_are_refused_with_the_op_s_signature() {
    let x = || tensor![[1.0f32]];
    let call = || Invocation::new("MatMul");
    let cases: Vec<(Invocation, &[&str])> = vec![
        (call().arg(x()).named("c", x()), &["`c`", "(a, b; transpose_a, transpose_b"]),
        (call().arg(x()).arg(x()).named("a", x()), &["`a`", "by position and by name"]),
        (call().named("b", x()).named("b", x()), &["`b`", "twice"]),
        (call().named("b", x()), &["`a` is missing", "`b` is given"]),
        (call().arg(x()).arg(x()).arg(x()), &["2 inputs", "3 given"]),
        (
            call().arg(x()).arg(x()).named("transpose_a", true).attr("transpose_a", &true),
            &["twice"],
        ),
        (call().arg(x()).arg(x()).named("transpose_a", x()), &["`transpose_a`", "plain values"]),
        (call().arg(x()).arg(x()).named("transpose_a", 1i64), &["`transpose_a`", "a bool, not 1"]),
        (call().arg(x()), &["2"]),
    ];
    for (c, parts) in cases {
        let shown = format!("{c:?}");
        let e = c.call().expect_err(&shown);
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
        assert_eq!(e.op(), Some("matmul"));
        assert!(parts.iter().all(|p| e.to_string().contains(p)), "{shown}: {e}");
    }
}

#[test]
fn several_results_are_a_tuple() -> Result<()> {
    let shapes = [tensor![2i32, 1], tensor![1i32, 3]].map(AnyValue::from);
    let axes = dispatch::call("BroadcastGradientArgs", &shapes, &Attrs::new())?;
    let (left, right): (Tensor, Tensor) = axes.downcast()?;
    assert_eq!((left.to_vec::<i32>()?, right.to_vec::<i32>()?), (vec![1], vec![0]));
    Ok(())
}
