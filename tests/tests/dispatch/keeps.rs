//! Handlers of families that take ops whose results have the dtype of the operands, and no others.

use extype::ir::Attrs;
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch;

#[derive(ExtensionType, Clone, Debug)]
struct Length {
    metres: Tensor,
}

#[dispatch]
impl Length {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp + ops::KeepsDType, x: &Self) -> Result<Self> {
        Ok(Self { metres: op.call(&x.metres)? })
    }

    /// An op of the family with a meaning of its own.
    #[overrides(tanh, in unary_elementwise)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(Self { metres: x.metres.zeros_like()? })
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary<O: BinaryOp + ops::KeepsDType>(op: &O, xs: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y) = match xs {
            Pair::Both(x, y) => (&x.metres, &y.metres),
            Pair::Left(x, y) => (&x.metres, y),
            Pair::Right(x, y) => (x, &y.metres),
        };
        Ok(Self { metres: op.call(x, y)? })
    }

    /// One that gives bools: a length of 1 or 0.
    #[overrides(less, in binary_elementwise)]
    fn less(x: &Self, y: &Self) -> Result<Self> {
        Ok(Self { metres: ops::less(&x.metres, &y.metres)?.cast(f32)? })
    }
}

/// A type around it, whose handler hands the op on.
#[derive(ExtensionType, Clone, Debug)]
struct Named {
    length: Length,
}

#[dispatch]
impl Named {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp + ops::KeepsDType, x: &Self) -> Result<Self> {
        Ok(Self { length: op.call(&x.length)? })
    }
}

fn of(metres: f32) -> Length {
    Length { metres: tensor![metres] }
}

#[test]
fn ops_that_keep_the_dtype_are_taken_and_others_have_handlers_of_their_own() -> Result<()> {
    let item = |x: Length| x.metres.item::<f32>();
    assert_eq!(item(ops::neg(of(2.0))?)?, -2.0);
    assert_eq!(item(ops::add(of(2.0), 1.0)?)?, 3.0);
    assert_eq!(item(ops::sub(1.0, of(3.0))?)?, -2.0);
    assert_eq!(item(ops::maximum(of(2.0), of(5.0))?)?, 5.0);
    assert_eq!(item(ops::less(of(2.0), of(5.0))?)?, 1.0);
    // What stands around an op does not hide which one it is.
    assert_eq!(item(ops::tanh(&Named { length: of(2.0) })?.length)?, 0.0);
    assert_eq!(item(ops::square(&Named { length: of(2.0) })?.length)?, 4.0);
    Ok(())
}

#[test]
fn an_op_that_only_the_run_knows_is_refused_there() -> Result<()> {
    let call = |op: &str, args: &[Length]| {
        let args: Vec<AnyValue> = args.iter().cloned().map(AnyValue::new).collect();
        dispatch::call(op, &args, &Attrs::new())
    };
    assert_eq!(call("Neg", &[of(2.0)])?.downcast::<Length>()?.metres.item::<f32>()?, -2.0);
    assert_eq!(call("Less", &[of(2.0), of(5.0)])?.downcast::<Length>()?.metres.item::<f32>()?, 1.0);
    for (op, args, name) in [
        ("IsNan", vec![of(2.0)], "is_nan"),
        ("Greater", vec![of(2.0), of(5.0)], "greater"),
        ("Equal", vec![of(2.0), of(5.0)], "equal"),
    ] {
        let e = call(op, &args).unwrap_err().to_string();
        assert!(e.starts_with(&format!("{name}: ")) && e.contains("`ops::KeepsDType`"), "{e}");
        assert!(e.contains("on the components"), "{e}");
    }
    Ok(())
}
