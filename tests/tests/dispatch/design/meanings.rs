//! What ops mean for a type, and ops of one's own.

use super::*;
use extype::array::Array;
use extype::spec::AnyValue;
use extype::types::DTypeSet;

/// A diagonal matrix.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "design.Diagonal")]
struct Diagonal {
    entries: Tensor,
}

#[dispatch]
impl Diagonal {
    #[overrides(MatMul)]
    fn product(x: &Self, y: &Self, transpose_a: bool, transpose_b: bool) -> Result<Self> {
        let _ = (transpose_a, transpose_b);
        Ok(Self { entries: ops::mul(&x.entries, &y.entries)? })
    }

    #[overrides(Select)]
    fn select(condition: &Tensor, t: &Self, e: &Self) -> Result<Self> {
        Ok(Self { entries: ops::select(condition, &t.entries, &e.entries)? })
    }

    #[overrides(Concat)]
    fn concat(xs: &[&Self], axis: Axis) -> Result<Self> {
        assert_eq!(axis, Axis(0));
        let entries: Vec<&Tensor> = xs.iter().map(|x| &x.entries).collect();
        Ok(Self { entries: ops::concat(&entries, 0)? })
    }
}

#[dispatch]
impl Diagonal {
    #[overrides(MatMul)]
    fn rows(x: &Self, y: &Tensor, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
        assert!(!transpose_a && !transpose_b);
        ops::mul(x.entries.expand_dims(1)?, y)
    }
}

#[dispatch]
impl Diagonal {
    #[overrides(MatMul)]
    fn columns(x: &Tensor, y: &Self, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
        assert!(!transpose_a && !transpose_b);
        ops::mul(x, &y.entries)
    }
}

fn product_attrs() -> Attrs {
    Attrs::new().with(ops::MatMul::TRANSPOSE_A, &false).with(ops::MatMul::TRANSPOSE_B, &false)
}

#[test]
fn ops_of_two_three_and_many_operands_are_overridden() -> Result<()> {
    let (d, e) = (Diagonal::new([2.0f32, 3.0])?, Diagonal::new([5.0f32, 7.0])?);
    let x = tensor![[1.0f32, 1.0], [1.0, 1.0]];
    let both: Diagonal = ops::matmul(&d, &e)?;
    assert_eq!(floats(&both.entries), [10.0, 21.0]);
    assert_eq!(floats(&ops::matmul(&d, &x)?), [2.0, 2.0, 3.0, 3.0]);
    assert_eq!(floats(&x.matmul(&d)?), [2.0, 3.0, 2.0, 3.0]);
    let picked: Diagonal = ops::select(tensor![true, false], &d, &e)?;
    assert_eq!(floats(&picked.entries), [2.0, 7.0]);
    let all: Diagonal = ops::concat(&[&d, &e, &d], 0)?;
    assert_eq!(floats(&all.entries), [2.0, 3.0, 5.0, 7.0, 2.0, 3.0]);

    // The same at run time.
    let (d, e, x) = (AnyValue::new(d), AnyValue::new(e), AnyValue::from(x));
    let call = |op: &str, args: &[&AnyValue], attrs: &Attrs| {
        let args: Vec<AnyValue> = args.iter().map(|a| (*a).clone()).collect();
        dispatch::call(op, &args, attrs)
    };
    let product = product_attrs();
    let both: Diagonal = call("MatMul", &[&d, &e], &product)?.downcast()?;
    assert_eq!(floats(&both.entries), [10.0, 21.0]);
    let rows: Tensor = call("MatMul", &[&d, &x], &product)?.downcast()?;
    assert_eq!(floats(&rows), [2.0, 2.0, 3.0, 3.0]);
    let columns: Tensor = call("MatMul", &[&x, &d], &product)?.downcast()?;
    assert_eq!(floats(&columns), [2.0, 3.0, 2.0, 3.0]);
    let plain: Tensor = call("MatMul", &[&x, &x], &product)?.downcast()?;
    assert_eq!(floats(&plain), [2.0; 4]);
    let condition = AnyValue::from(tensor![true, false]);
    let picked: Diagonal = call("SelectV2", &[&condition, &d, &e], &Attrs::new())?.downcast()?;
    assert_eq!(floats(&picked.entries), [2.0, 7.0]);
    let axis = AnyValue::from(scalar(0i32));
    let all: Diagonal = call("ConcatV2", &[&d, &e, &d, &axis], &Attrs::new())?.downcast()?;
    assert_eq!(floats(&all.entries), [2.0, 3.0, 5.0, 7.0, 2.0, 3.0]);
    let masked_pair: MaskedTensor = {
        let m = AnyValue::new(masked());
        call("ConcatV2", &[&m, &m, &axis], &Attrs::new())?.downcast()?
    };
    assert_eq!(masked_pair.values.shape(), shape![4, 2]);
    Ok(())
}

#[test]
fn operands_that_no_type_takes_are_an_error_with_all_types() -> Result<()> {
    let (d, m) = (AnyValue::new(Diagonal::new([1.0f32])?), AnyValue::new(masked()));
    let e = dispatch::call("MatMul", &[d.clone(), m.clone()], &product_attrs()).unwrap_err();
    for part in ["matmul", "DiagonalSpec(", "MaskedTensorSpec(", "#[overrides("] {
        assert!(e.to_string().contains(part), "{e}");
    }
    let e = dispatch::call("Tanh", std::slice::from_ref(&d), &Attrs::new()).unwrap_err();
    assert!(e.to_string().contains("DiagonalSpec("), "{e}");
    // A sequence of unlike types is nobody's.
    let axis = AnyValue::from(scalar(0i32));
    let e = dispatch::call("ConcatV2", &[d, m, axis], &Attrs::new()).unwrap_err();
    assert!(e.to_string().contains("concat"), "{e}");
    Ok(())
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "design.Left")]
struct Left {
    x: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "design.Right")]
struct Right {
    x: Tensor,
}

static ASKED: Mutex<Vec<&str>> = Mutex::new(Vec::new());

fn answer_of_left(call: &Call<'_>) -> Result<Option<AnyValue>> {
    ASKED.lock().unwrap().push("left");
    let (a, b): (Left, Right) = (call.operand(0)?, call.operand(1)?);
    // It takes vectors only.
    if a.x.rank() != Some(1) {
        return Ok(None);
    }
    let _ = b;
    Ok(Some(AnyValue::from(scalar(1i32))))
}

fn answer_of_right(_: &Call<'_>) -> Result<Option<AnyValue>> {
    ASKED.lock().unwrap().push("right");
    Ok(Some(AnyValue::from(scalar(2i32))))
}

fn declines(_: &Call<'_>) -> Result<Option<AnyValue>> {
    ASKED.lock().unwrap().push("declines");
    Ok(None)
}

#[test]
fn the_left_type_is_asked_first_and_one_that_declines_falls_through() -> Result<()> {
    const LR: &[TypeRef] = &[TypeRef::of::<Left>(), TypeRef::of::<Right>()];
    const RL: &[TypeRef] = &[TypeRef::of::<Right>(), TypeRef::of::<Left>()];
    let entry = |owner, operands, handler| DispatchEntry {
        owner,
        target: Target::Op(|| "FloorMod"),
        operands: Operands::Each(operands),
        handler,
    };
    // Registered in the other order: what counts is the order of the operands.
    dispatch::register_handler(entry(TypeRef::of::<Right>(), LR, answer_of_right))?;
    dispatch::register_handler(entry(TypeRef::of::<Left>(), LR, answer_of_left))?;
    dispatch::register_handler(entry(TypeRef::of::<Left>(), RL, declines))?;
    dispatch::register_handler(entry(TypeRef::of::<Right>(), RL, answer_of_right))?;
    let ask = |a: AnyValue, b: AnyValue| {
        ASKED.lock().unwrap().clear();
        let answer = dispatch::call("FloorMod", &[a, b], &Attrs::new())?;
        let asked = ASKED.lock().unwrap().clone();
        Ok::<_, Error>((answer.downcast::<Tensor>()?.item::<i32>()?, asked))
    };
    let left = |x: Tensor| AnyValue::new(Left { x });
    let right = || AnyValue::new(Right { x: tensor![1i32] });
    assert_eq!(ask(left(tensor![1i32]), right())?, (1, vec!["left"]));
    assert_eq!(ask(left(scalar(1i32)), right())?, (2, vec!["left", "right"]));
    assert_eq!(ask(right(), left(tensor![1i32]))?, (2, vec!["right"]));
    // All decline, or none takes them.
    let e = ask(left(tensor![1i32]), left(tensor![1i32])).unwrap_err();
    assert!(e.to_string().contains("LeftSpec("), "{e}");
    Ok(())
}

extype::define_op! {
    /// The cube of every element.
    unary Cube = "Design>Cube" {
        types: { T: DTypeSet::of(&[DType::F32]) },
        kernel: cube,
        gradient: |g, dy| ops::mul(dy, &ops::mul(ops::square(g.x(0))?, 3.0)?)?,
    }

    /// Every element times a power of a scalar. It has no gradient.
    op Scaled = "Design>Scaled" {
        inputs: { x: T, by: T }, outputs: { y: T },
        types: { T: DTypeSet::of(&[DType::F32]) }, attrs: { power: i64 },
        infer: |c| {
            c.shape(1).with_rank(0)?;
            Ok([c.input(0).clone()].into_iter().collect::<Types>())
        },
        kernel: scaled,
    }
}

fn cube(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let cubes: Vec<f32> = x.as_slice::<f32>()?.iter().map(|x| x * x * x).collect();
    Ok([Array::from_slice(x.dims(), &cubes)?].into())
}

fn scaled(c: &KernelContext<'_>) -> Result<Outputs> {
    let by = c.input(1).as_slice::<f32>()?[0].powi(c.get(Scaled::POWER)? as i32);
    let ys: Vec<f32> = c.input(0).as_slice::<f32>()?.iter().map(|x| x * by).collect();
    Ok([Array::from_slice(c.input(0).dims(), &ys)?].into())
}

#[dispatch]
impl Diagonal {
    #[overrides(Scaled)]
    fn scaled(x: &Self, by: &Tensor, power: i64) -> Result<Self> {
        Ok(Self { entries: Tensor::apply2(&Scaled { power }, &x.entries, by)? })
    }
}

fn cubed<X: Apply1<Cube>>(x: &X) -> Result<X::Output> {
    X::apply1(&Cube::default(), x)
}

#[test]
fn an_op_of_ones_own_runs_traces_differentiates_and_dispatches() -> Result<()> {
    let x = tensor![1.0f32, 2.0];
    assert_eq!(floats(&cubed(&x)?), [1.0, 8.0]);
    let f = function(|x: &Tensor| cubed(x));
    assert_eq!(floats(&f.call(&x)?), [1.0, 8.0]);
    assert!(f.concrete_functions()[0].graph().to_string().contains("Design>Cube"));
    let total = |x: &Tensor| f.call(x)?.reduce_sum(.., false);
    assert_eq!(floats(&grad(total)(&x)?), [3.0, 12.0]);
    let slopes = |x: &Tensor| grad(total)(x)?.reduce_sum(.., false);
    assert_eq!(floats(&grad(slopes)(&x)?), [6.0, 12.0]);

    // A type that overrides the family takes it, unseen.
    let m: MaskedTensor = cubed(&masked())?;
    assert_eq!(floats(&m.values), [1.0, 8.0, 27.0, 64.0]);
    let w: Masked<MaskedTensor> = cubed(&Masked::new(masked(), [true, false])?)?;
    assert_eq!(floats(&w.values.values), [1.0, 8.0, 27.0, 64.0]);
    let any = dispatch::call("Design>Cube", &[AnyValue::new(masked())], &Attrs::new())?;
    assert_eq!(floats(&any.downcast::<MaskedTensor>()?.values), [1.0, 8.0, 27.0, 64.0]);
    let g = grad(|m: &MaskedTensor| ops::reduce_sum(cubed(m)?, .., false))(&masked())?;
    assert_eq!(floats(&g.values), [3.0, 0.0, 27.0, 48.0]);
    Ok(())
}

#[test]
fn an_op_with_attributes_is_overridden_and_says_that_it_has_no_gradient() -> Result<()> {
    let (x, by) = (tensor![1.0f32, 2.0], scalar(10.0f32));
    let op = Scaled { power: 2 };
    assert_eq!(floats(&Tensor::apply2(&op, &x, &by)?), [100.0, 200.0]);
    let d = Diagonal::new([3.0f32])?;
    assert_eq!(floats(&Diagonal::apply2(&op, &d, &by)?.entries), [300.0]);
    let attrs = Attrs::new().with(Scaled::POWER, &1i64);
    let any = dispatch::call("Design>Scaled", &[AnyValue::new(d), by.clone().into()], &attrs)?;
    assert_eq!(floats(&any.downcast::<Diagonal>()?.entries), [30.0]);
    let f = function(|x: &Tensor| Tensor::apply2(&Scaled { power: 1 }, x, x));
    let e = f.call(&x).unwrap_err();
    assert!(e.to_string().starts_with("scaled: "), "{e}");
    for traced in [false, true] {
        let f = function(|x: &Tensor| Tensor::apply2(&Scaled { power: 1 }, x, &scalar(2.0f32)));
        let g = grad(|x: &Tensor| match traced {
            true => f.call(x),
            false => Tensor::apply2(&Scaled { power: 1 }, x, &scalar(2.0f32)),
        });
        let e = g(&x).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Unimplemented);
        let text = e.to_string();
        assert!(text.contains("scaled") && text.contains("gradient: none"), "{text}");
    }
    Ok(())
}
