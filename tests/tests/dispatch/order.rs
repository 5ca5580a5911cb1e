//! Who is asked first: declared subtypes, single ops before families, and what declining means.

use std::cell::RefCell;

use extype::ir::{Attrs, OpKind};
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch::{
    self, Call, DispatchEntry, Operands, Target, TypeRef, declare_subtype, register_conversion,
    register_handler,
};

#[derive(ExtensionType, Clone, Debug)]
struct Base {
    x: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
struct Derived {
    x: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
struct Other {
    x: Tensor,
}

thread_local! {
    static ASKED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

#[dispatch(subtype_of(Base))]
impl Derived {
    #[overrides(Tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

macro_rules! logs {
    ($($handler:ident $name:literal;)*) => {
        $(fn $handler(_: &Call<'_>) -> Result<Option<AnyValue>> {
            ASKED.with_borrow_mut(|asked| asked.push($name));
            Ok(None)
        })*
    };
}
logs! { base "base"; derived "derived"; other "other"; derived_family "derived's family"; }

#[test]
fn a_declared_subtype_is_asked_before_its_supertype_wherever_it_stands() -> Result<()> {
    const ANY: Operands = Operands::Sequence(&[
        TypeRef::of::<Base>(),
        TypeRef::of::<Derived>(),
        TypeRef::of::<Other>(),
        TypeRef::of::<Tensor>(),
    ]);
    let (b, d, o) = (TypeRef::of::<Base>(), TypeRef::of::<Derived>(), TypeRef::of::<Other>());
    let target = Target::Op(|| "Maximum");
    let family = Target::Family(OpKind::BinaryElementwise);
    for (owner, target, handler) in [
        (d, family, derived_family as dispatch::Handler),
        (b, target, base),
        (o, target, other),
        (d, target, derived),
    ] {
        register_handler(DispatchEntry { owner, target, operands: ANY, handler })?;
    }
    let x = || scalar(1i32);
    let values = [
        AnyValue::new(Base { x: x() }),
        AnyValue::new(Derived { x: x() }),
        AnyValue::new(Other { x: x() }),
        AnyValue::from(x()),
    ];
    let ask = |a: usize, b: usize| {
        let args = [values[a].clone(), values[b].clone()];
        dispatch::call("Maximum", &args, &Attrs::new()).unwrap_err();
        ASKED.take()
    };
    assert_eq!(ask(0, 1), ["derived", "derived's family", "base"]);
    assert_eq!(ask(1, 0), ["derived", "derived's family", "base"]);
    assert_eq!(ask(0, 2), ["base", "other"]);
    assert_eq!(ask(2, 0), ["other", "base"]);
    assert_eq!(ask(0, 0), ["base"]);
    assert_eq!(ask(3, 2), ["other"]);
    Ok(())
}

#[test]
fn circles_of_subtypes_and_second_conversions_are_refused() -> Result<()> {
    let e = declare_subtype::<Base, Derived>().unwrap_err();
    assert!(e.message().contains("`Base`") && e.message().contains("`Derived`"), "{e}");
    assert!(declare_subtype::<Other, Other>().is_err());
    #[derive(ExtensionType, Clone, Debug)]
    struct Converted {
        x: Tensor,
    }
    register_conversion(|c: &Converted| Ok(c.x.clone()))?;
    let e = register_conversion(|c: &Converted| Ok(c.x.clone())).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::AlreadyExists);
    Ok(())
}

#[test]
fn handlers_that_are_never_asked_are_refused() {
    let target = Target::Op(|| "minimum");
    let only_base = Operands::Each(const { &[TypeRef::of::<Base>(), TypeRef::of::<Base>()] });
    let owner = TypeRef::of::<Other>();
    let e = register_handler(DispatchEntry { owner, target, operands: only_base, handler: base });
    assert!(e.unwrap_err().message().contains("`Other`"));
    let tensors = Operands::Sequence(const { &[TypeRef::of::<Tensor>()] });
    let owner = TypeRef::of::<Tensor>();
    let e = register_handler(DispatchEntry { owner, target, operands: tensors, handler: base });
    assert!(e.unwrap_err().message().contains("never asked"));
}

/// Declines in all forms that a typed handler has.
#[derive(ExtensionType, Clone, Debug)]
struct Even {
    x: Tensor,
}

impl Even {
    fn is_even(&self) -> Result<bool> {
        Ok(self.x.item::<i32>()? % 2 == 0)
    }

    fn if_even(&self) -> Result<Option<Self>> {
        Ok(self.is_even()?.then(|| self.clone()))
    }
}

#[dispatch]
impl Even {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Option<Self>> {
        let _ = op;
        x.if_even()
    }

    #[overrides(Tanh, in unary_elementwise)]
    fn tanh(x: &Self) -> Result<Option<Self>> {
        let x = Self { x: ops::add(&x.x, 100)? };
        if x.x.item::<i32>()? > 1000 { Ok(Some(x)) } else { Ok(None) }
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Option<Self>> {
        let _ = op;
        match operands {
            Pair::Both(e, _) | Pair::Left(e, _) | Pair::Right(_, e) => e.if_even(),
        }
    }

    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Option<Self>> {
        let _ = op;
        x.if_even()
    }

    #[overrides(Select)]
    fn select(condition: &Tensor, t: &Self, e: &Self) -> Result<Option<Self>> {
        let _ = (condition, e);
        t.if_even()
    }

    #[overrides(Concat, ..)]
    fn concat(xs: &[&Self]) -> Result<Option<Self>> {
        xs.first().map_or(Ok(None), |x| x.if_even())
    }
}

fn even(i: i32) -> Even {
    Even { x: scalar(i) }
}

#[test]
fn typed_handlers_of_every_form_decline_with_an_error_that_names_op_and_types() -> Result<()> {
    let (two, three, t) = (even(2), even(3), scalar(1i32));
    assert_eq!(ops::abs(&two)?.x.item::<i32>()?, 2);
    assert_eq!(ops::add(&two, &t)?.x.item::<i32>()?, 2);
    assert_eq!(ops::add(&t, &two)?.x.item::<i32>()?, 2);
    assert_eq!(ops::reduce_sum(&two, 0, false)?.x.item::<i32>()?, 2);
    assert_eq!(ops::select(scalar(true), &two, &three)?.x.item::<i32>()?, 2);
    assert_eq!(ops::concat(&[&two, &three], 0)?.x.item::<i32>()?, 2);
    // The single op declines, so its family is asked.
    assert_eq!(ops::tanh(&two)?.x.item::<i32>()?, 2);
    assert_eq!(ops::tanh(even(2000))?.x.item::<i32>()?, 2100);

    let e = [
        (ops::abs(&three).unwrap_err(), "abs", "(Even)"),
        (ops::tanh(&three).unwrap_err(), "tanh", "(Even)"),
        (ops::add(&three, &t).unwrap_err(), "add", "(Even, Tensor)"),
        (ops::add(&t, &three).unwrap_err(), "add", "(Tensor, Even)"),
        (ops::reduce_sum(&three, 0, false).unwrap_err(), "reduce_sum", "(Even)"),
        (ops::select(scalar(true), &three, &two).unwrap_err(), "select", "(Tensor, Even, Even)"),
        (ops::concat(&[&three, &two], 0).unwrap_err(), "concat", "(Even)"),
    ];
    for (e, op, types) in e {
        assert_eq!((e.kind(), e.op()), (ErrorKind::InvalidArgument, Some(op)));
        assert!(e.message().contains(types) && e.message().contains("declined"), "{e}");
    }
    Ok(())
}

#[test]
fn an_error_within_a_handler_is_no_declining() {
    #[derive(ExtensionType, Clone, Debug)]
    struct Outer {
        inner: Even,
    }
    #[dispatch]
    impl Outer {
        #[overrides(unary_elementwise)]
        fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
            Ok(Self { inner: op.call(&x.inner)? })
        }
    }
    let outer = AnyValue::new(Outer { inner: even(3) });
    let e = dispatch::call("Abs", &[outer], &Attrs::new()).unwrap_err();
    assert!(e.message().contains("(Even) declined"), "{e}");
}
