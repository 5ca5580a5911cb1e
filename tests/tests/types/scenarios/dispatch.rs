//! Dispatch. Where TensorFlow and its RFC differ, these follow the RFC: of two types that take a
//! call the left one is asked, and what overrides a single op comes before what overrides its
//! family.

use std::sync::atomic::{AtomicUsize, Ordering};

use extype::ir::{
    ArgDef, ArgType, AttrDef, Attrs, Kernel, KernelContext, OpDef, OpKind, register_op,
};
use extype::ops::rules;
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch::{
    self, Call, DispatchEntry, Invocation, Operands, Target, TypeRef, register_handler,
};
use extype::types::DTypeSet;

fn call(op: &str, args: &[AnyValue]) -> Result<AnyValue> {
    dispatch::call(op, args, &Attrs::new())
}

fn any<T: Structure + Clone>(value: &T) -> AnyValue {
    AnyValue::new(value.clone())
}

fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec().expect("floats")
}

/// A masked tensor that adds to its like, and multiplies with tensors on both sides.
#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    mask: Tensor,
}

static MULTIPLIED: AtomicUsize = AtomicUsize::new(0);

#[dispatch]
impl Masked {
    #[overrides(Add)]
    fn add(x: &Self, y: &Self) -> Result<Self> {
        let mask = ops::logical_and(&x.mask, &y.mask)?;
        Ok(Self { values: ops::add(&x.values, &y.values)?, mask })
    }

    #[overrides(Mul, with = Tensor)]
    fn mul(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        MULTIPLIED.fetch_add(1, Ordering::Relaxed);
        match operands {
            Pair::Both(x, y) => Ok(Self {
                values: ops::mul(&x.values, &y.values)?,
                mask: ops::logical_and(&x.mask, &y.mask)?,
            }),
            Pair::Left(m, t) | Pair::Right(t, m) => {
                Ok(Self { values: ops::mul(&m.values, t)?, mask: m.mask.clone() })
            }
        }
    }

    #[overrides(Concat)]
    fn concat(xs: &[&Self], axis: Axis) -> Result<Self> {
        let values: Vec<&Tensor> = xs.iter().map(|x| &x.values).collect();
        let masks: Vec<&Tensor> = xs.iter().map(|x| &x.mask).collect();
        Ok(Self { values: ops::concat(&values, axis)?, mask: ops::concat(&masks, axis)? })
    }
}

fn masked() -> Masked {
    Masked { values: tensor![1.0f32, 2.0], mask: tensor![true, false] }
}

#[test]
fn two_masked_add_by_the_override_and_with_a_tensor_the_original_is_called_and_fails() -> Result<()>
{
    let m = masked();
    let typed: Masked = ops::add(&m, &m)?;
    assert_eq!(floats(&typed.values), [2.0, 4.0]);
    let at_run_time: Masked = call("AddV2", &[any(&m), any(&m)])?.downcast()?;
    assert_eq!(floats(&at_run_time.values), [2.0, 4.0]);
    // With a tensor a typed call does not compile.
    let e = call("AddV2", &[any(&m), tensor![1.0f32, 2.0].into()]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    for part in ["add", "`Masked` takes (Masked, Masked)", "argument 0", "#[overrides("] {
        assert!(e.to_string().contains(part), "{e}");
    }
    Ok(())
}

#[test]
fn an_override_of_either_side_takes_masked_and_tensor_in_both_orders() -> Result<()> {
    let (m, t) = (masked(), tensor![10.0f32, 20.0]);
    assert_eq!(floats(&ops::mul(&m, &t)?.values), [10.0, 40.0]);
    assert_eq!(floats(&ops::mul(&t, &m)?.values), [10.0, 40.0]);
    for args in [[any(&m), any(&t)], [any(&t), any(&m)]] {
        let product: Masked = call("Mul", &args)?.downcast()?;
        assert_eq!(floats(&product.values), [10.0, 40.0]);
    }
    Ok(())
}

#[test]
fn two_plain_tensors_go_to_the_original_whatever_an_override_would_take() -> Result<()> {
    let t = tensor![3.0f32, 4.0];
    let calls = |f: &dyn Fn() -> Result<Tensor>| {
        let before = MULTIPLIED.load(Ordering::Relaxed);
        assert_eq!(floats(&f()?), [9.0, 16.0]);
        Ok::<_, Error>(MULTIPLIED.load(Ordering::Relaxed) - before)
    };
    // Other tests multiply at the same time, so one attempt of several is without a count.
    let quiet = |f: &dyn Fn() -> Result<Tensor>| (0..100).any(|_| calls(f).unwrap() == 0);
    assert!(quiet(&|| ops::mul(&t, &t)));
    assert!(quiet(&|| call("Mul", &[any(&t), any(&t)])?.downcast()));
    Ok(())
}

#[test]
fn concat_of_an_empty_list_goes_to_the_original_which_refuses_it() {
    let axis = AnyValue::from(scalar(0i32));
    let e = call("ConcatV2", std::slice::from_ref(&axis)).unwrap_err();
    assert!(e.to_string().contains("concat") && e.to_string().contains("empty"), "{e}");
    let e = Invocation::new("ConcatV2").arg_value(axis).call().unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    let none: &[&Masked] = &[];
    assert!(ops::concat(none, 0).is_err());
}

#[derive(ExtensionType, Clone, Debug)]
struct Left {
    x: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
struct Right {
    x: Tensor,
}

fn says<const N: i32>(_: &Call<'_>) -> Result<Option<AnyValue>> {
    Ok(Some(Tensor::scalar(N).into()))
}

#[test]
fn of_two_types_that_take_the_call_the_left_one_is_asked() -> Result<()> {
    const BOTH: Operands = Operands::Sequence(&[TypeRef::of::<Left>(), TypeRef::of::<Right>()]);
    let target = Target::Op(|| "FloorMod");
    let right = TypeRef::of::<Right>();
    register_handler(DispatchEntry { owner: right, target, operands: BOTH, handler: says::<2> })?;
    let left = TypeRef::of::<Left>();
    register_handler(DispatchEntry { owner: left, target, operands: BOTH, handler: says::<1> })?;
    let (l, r) = (any(&Left { x: scalar(0i32) }), any(&Right { x: scalar(0i32) }));
    let ask = |a: &AnyValue, b: &AnyValue| {
        call("FloorMod", &[a.clone(), b.clone()])?.downcast::<Tensor>()?.item::<i32>()
    };
    assert_eq!([ask(&l, &r)?, ask(&r, &l)?, ask(&r, &r)?], [1, 2, 2]);
    Ok(())
}

/// A type whose handlers decline matrices, and that says how it converts.
#[derive(ExtensionType, Clone, Debug)]
struct Vector {
    x: Tensor,
}

#[dispatch]
impl Vector {
    #[overrides(MatMul, ..)]
    fn matmul(x: &Self, y: &Self) -> Result<Option<Tensor>> {
        if x.x.rank() != Some(1) {
            return Ok(None);
        }
        ops::reduce_sum(ops::mul(&x.x, &y.x)?, .., false).map(Some)
    }

    #[overrides(to_tensor)]
    fn dense(&self) -> Result<Tensor> {
        Ok(self.x.clone())
    }
}

/// The same without a conversion.
#[derive(ExtensionType, Clone, Debug)]
struct Opaque {
    x: Tensor,
}

#[dispatch]
impl Opaque {
    #[overrides(MatMul, ..)]
    fn matmul(x: &Self, y: &Self) -> Result<Option<Tensor>> {
        let _ = (x, y);
        Ok(None)
    }
}

#[test]
fn a_target_that_declines_leaves_the_call_to_the_original() -> Result<()> {
    let (v, m) = (Vector { x: tensor![3.0f32, 4.0] }, Vector { x: tensor![[2.0f32]] });
    assert_eq!(ops::matmul(&v, &v)?.item::<f32>()?, 25.0);
    assert_eq!(floats(&ops::matmul(&m, &m)?), [4.0]);
    let dot: Tensor = call("MatMul", &[any(&v), any(&v)])?.downcast()?;
    assert_eq!(dot.item::<f32>()?, 25.0);
    let product: Tensor = call("MatMul", &[any(&m), any(&m)])?.downcast()?;
    assert_eq!(floats(&product), [4.0]);
    // An op that the type does not override converts as well.
    let tanh: Tensor = call("Neg", &[any(&v)])?.downcast()?;
    assert_eq!(floats(&tanh), [-3.0, -4.0]);

    let o = Opaque { x: scalar(1.0f32) };
    let typed = ops::matmul(&o, &o).unwrap_err();
    let at_run_time = call("MatMul", &[any(&o), any(&o)]).unwrap_err();
    for (e, text) in [(typed, "(Opaque, Opaque) declined"), (at_run_time, "`Opaque` declined")] {
        assert_eq!(e.kind(), ErrorKind::InvalidArgument);
        assert!(e.to_string().contains("matmul") && e.to_string().contains(text), "{e}");
    }
    Ok(())
}

/// A type with a handler for all unary ops, and one for a single op within it.
#[derive(ExtensionType, Clone, Debug)]
struct Boxed {
    x: Tensor,
}

#[dispatch]
impl Boxed {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { x: op.call(&x.x)? })
    }

    #[overrides(Sign, in unary_elementwise)]
    fn sign(x: &Self) -> Result<Self> {
        Ok(Self { x: ops::add(x.x.sign()?, 100)? })
    }
}

#[test]
fn a_unary_handler_covers_abs_sign_and_negative() -> Result<()> {
    let b = Boxed { x: tensor![-2.0f32, 3.0] };
    assert_eq!(floats(&ops::abs(&b)?.x), [2.0, 3.0]);
    assert_eq!(floats(&ops::neg(&b)?.x), [2.0, -3.0]);
    // What overrides the single op comes first.
    assert_eq!(floats(&ops::sign(&b)?.x), [99.0, 101.0]);
    for (op, want) in [("Abs", [2.0, 3.0]), ("Neg", [2.0, -3.0]), ("Sign", [99.0, 101.0])] {
        let y: Boxed = call(op, &[any(&b)])?.downcast()?;
        assert_eq!(floats(&y.x), want, "{op}");
    }
    Ok(())
}

#[test]
fn a_second_unary_handler_of_a_type_is_refused() {
    let operands = Operands::Each(const { &[TypeRef::of::<Boxed>()] });
    let target = Target::Family(OpKind::UnaryElementwise);
    let owner = TypeRef::of::<Boxed>();
    let e = register_handler(DispatchEntry { owner, target, operands, handler: says::<3> });
    let e = e.unwrap_err();
    assert_eq!(e.kind(), ErrorKind::AlreadyExists);
    assert!(e.to_string().contains("`Boxed`") && e.to_string().contains("Unary"), "{e}");
}

#[test]
fn an_op_that_is_registered_after_the_handler_is_covered_too() -> Result<()> {
    fn identity(c: &KernelContext<'_>) -> Result<extype::ir::Outputs> {
        Ok([c.input(0).clone()].into_iter().collect())
    }
    static LATE: OpDef =
        OpDef::new("ScenarioLate", "Late", rules::same_shape, Kernel::General(identity))
            .with_inputs(&[ArgDef::one("x", ArgType::Var("T"))])
            .with_outputs(&[ArgDef::one("y", ArgType::Var("T"))])
            .with_attrs(&[AttrDef::dtype("T", DTypeSet::ANY)])
            .with_kind(OpKind::UnaryElementwise);
    let b = Boxed { x: tensor![7.0f32] };
    // The handler is there and used before the op is.
    call("Abs", &[any(&b)])?;
    assert_eq!(call("ScenarioLate", &[any(&b)]).unwrap_err().kind(), ErrorKind::NotFound);
    register_op(&LATE)?;
    let y: Boxed = call("ScenarioLate", &[any(&b)])?.downcast()?;
    assert_eq!(floats(&y.x), [7.0]);
    Ok(())
}

#[test]
fn an_argument_that_the_op_does_not_have_is_refused() {
    let x = scalar(1.0f32);
    let e =
        Invocation::new("AddV2").arg(x.clone()).arg(x.clone()).named("z", x).call().unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    assert!(e.to_string().contains("`z`") && e.to_string().contains("(x, y)"), "{e}");
}

#[test]
fn a_handler_with_more_operands_than_the_op_is_refused_and_both_are_shown() {
    let owner = TypeRef::of::<Boxed>();
    let operands = Operands::Each(const { &[TypeRef::of::<Boxed>(); 3] });
    let target = Target::Op(|| "AddV2");
    let e = register_handler(DispatchEntry { owner, target, operands, handler: says::<4> });
    let e = e.unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    for part in ["(Boxed, Boxed, Boxed)", "AddV2", "(x, y)"] {
        assert!(e.to_string().contains(part), "{e}");
    }
}
