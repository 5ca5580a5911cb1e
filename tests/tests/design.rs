//! The design under attack: programs of an expert user who combines its parts.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Barrier, Mutex, OnceLock};

use extype::op::{Attrs, KernelContext, Outputs, Types};
use extype::ops::{Apply1, Apply2, Concat, MatMul, Select, rules};
use extype::prelude::*;
use extype::spec::dispatch::{self, Call, DispatchEntry, Operands, Target};
use extype::spec::{Class, Composite, Hooks, LeafIter, Leaves, Literal, SpecContext};
use extype_masked::{Masked, MaskedSpec, MaskedTensor, MaskedTensorSpec};
use extype_ragged::RaggedTensor;
use proptest::prelude::*;

fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec().unwrap()
}

fn masked() -> MaskedTensor {
    MaskedTensor::new([[1.0f32, 2.0], [3.0, 4.0]], [[true, false], [true, true]]).unwrap()
}

// 1. Wrappers.

#[test]
fn a_generic_wrapper_wraps_types_of_other_crates_and_itself() -> Result<()> {
    let rows = |n: f32| RaggedTensor::from_rows(&[vec![n, 2.0], vec![], vec![3.0]]);
    let inner = Masked::new(rows(1.0)?, [true, true, false])?;
    let m = Masked::new(inner, [false, true, true])?;
    let traced = function(|m: &Masked<Masked<RaggedTensor>>| ops::square(1.0 - (m + m) * 2.0));
    let (eager, graph) = (ops::square(1.0 - (&m + &m) * 2.0)?, traced.call(&m)?);
    assert_eq!(eager.values.values.to_string(), "[[9.0, 49.0], [], [121.0]]");
    assert_eq!(graph.values.values.to_string(), eager.values.values.to_string());
    assert_eq!(graph.mask.to_vec::<bool>()?, [false, true, true]);
    assert_eq!(graph.values.mask.to_vec::<bool>()?, [true, true, false]);
    assert_eq!(graph.type_spec().to_any(), m.type_spec().to_any());

    // Other values of the type, other lengths of rows: the same trace.
    traced.call(&Masked::new(Masked::new(rows(5.0)?, [true; 3])?, [true; 3])?)?;
    assert_eq!(traced.trace_count(), 1);
    let spec = m.type_spec().to_any();
    let back: MaskedSpec<Masked<RaggedTensor>> = TypeSpec::from_any(&spec)?;
    assert_eq!(back.to_any(), spec);
    assert_eq!(spec.leaves().len(), 4);
    // Instances are types of their own.
    let single = m.values.type_spec().to_any();
    assert!(!single.is_compatible_with(&spec) && !single.is_subtype_of(&spec));
    assert!(MaskedSpec::<Masked<RaggedTensor>>::from_any(&single).is_err());
    let numbers = function(|m: &Masked<Tensor>| ops::add(m, 1));
    let four = numbers.call(&Masked::new(tensor![3i32,], [true])?)?;
    assert_eq!(four.values.item::<i32>()?, 4);
    Ok(())
}

#[test]
fn gradients_pass_generic_wrappers() -> Result<()> {
    let m = Masked::new(masked(), [true, false])?;
    let g =
        grad(|m: &Masked<MaskedTensor>| ops::reduce_sum(&ops::square(m)?.values, .., false))(&m)?;
    assert_eq!(floats(&g.values.values), [2.0, 0.0, 6.0, 8.0]);
    assert_eq!(g.mask.to_vec::<bool>()?, [true, false]);
    Ok(())
}

// 2. Enums.

#[derive(ExtensionType, Clone, Debug)]
enum Encoding {
    Empty,
    Dense(Tensor),
    Rows { flat: Tensor, row_splits: Tensor },
    Nested(Vec<MaskedTensor>, #[static_data] i64),
}

#[test]
fn an_enum_has_one_trace_a_variant_and_its_spec_round_trips() -> Result<()> {
    let size = function(|e: &Encoding| match e {
        Encoding::Empty => Ok(tensor!(0i64)),
        Encoding::Dense(x) => ops::size(x),
        Encoding::Rows { flat, row_splits } => ops::add(ops::size(flat)?, ops::size(row_splits)?),
        Encoding::Nested(list, n) => {
            Ok(list.iter().try_fold(tensor!(*n), |sum, m| ops::add(sum, m.count(..)?))?)
        }
    });
    let values = [
        Encoding::Empty,
        Encoding::Dense(tensor![1.0f32, 2.0]),
        Encoding::Rows { flat: tensor![1.0f32,], row_splits: tensor![0i64, 1] },
        Encoding::Nested(vec![masked(), masked()], 10),
        Encoding::Nested(vec![masked(), masked()], 20),
        Encoding::Nested(vec![], 10),
    ];
    for _ in 0..2 {
        let sizes: Vec<i64> = values.iter().map(|v| size.call(v)?.item()).collect::<Result<_>>()?;
        assert_eq!(sizes, [0, 2, 3, 16, 26, 10]);
    }
    assert_eq!(size.trace_count(), values.len());
    for (i, v) in values.iter().enumerate() {
        let spec = v.type_spec().to_any();
        assert_eq!(EncodingSpec::from_any(&spec)?.to_any(), spec);
        assert!(v.matches(&v.type_spec(), &mut SpecContext::new()));
        let back: Encoding = nest::pack_sequence_as(&v.type_spec(), nest::flatten(v))?;
        assert_eq!(back.type_spec().to_any(), spec);
        for (j, w) in values.iter().enumerate() {
            let other = w.type_spec().to_any();
            assert_eq!(spec == other, i == j);
            assert_eq!(spec.is_compatible_with(&other), i == j, "{spec} and {other}");
            assert_eq!(spec.most_specific_common_supertype(&other).is_some(), i == j);
        }
    }
    // A function may return one as well, whose variant depends on static data.
    let pick = function(|x: &Tensor, dense: &bool| {
        Ok(if *dense { Encoding::Dense(x + 1.0) } else { Encoding::Empty })
    });
    let x = tensor!(1.0f32);
    assert!(matches!(pick.call(&x, &true)?, Encoding::Dense(y) if y.item::<f32>()? == 2.0));
    assert!(matches!(pick.call(&x, &false)?, Encoding::Empty));
    Ok(())
}

// 3. Dispatch.

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
    Attrs::new().with("transpose_a", &false).with("transpose_b", &false)
}

#[test]
fn ops_of_two_three_and_many_operands_are_overridden() -> Result<()> {
    let (d, e) = (Diagonal::new([2.0f32, 3.0])?, Diagonal::new([5.0f32, 7.0])?);
    let x = tensor![[1.0f32, 1.0], [1.0, 1.0]];
    let both: Diagonal = ops::matmul(&d, &e)?;
    assert_eq!(floats(&both.entries), [10.0, 21.0]);
    assert_eq!(floats(&ops::matmul(&d, &x)?), [2.0, 2.0, 3.0, 3.0]);
    assert_eq!(floats(&x.matmul(&d)?), [2.0, 3.0, 2.0, 3.0]);
    let picked: Diagonal = ops::select(&tensor![true, false], &d, &e)?;
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
    let axis = AnyValue::from(tensor!(0i32));
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
    for part in ["MatMul", "DiagonalSpec(", "MaskedTensorSpec(", "#[overrides("] {
        assert!(e.to_string().contains(part), "{e}");
    }
    let e = dispatch::call("Tanh", std::slice::from_ref(&d), &Attrs::new()).unwrap_err();
    assert!(e.to_string().contains("DiagonalSpec("), "{e}");
    // A sequence of unlike types is nobody's.
    let axis = AnyValue::from(tensor!(0i32));
    let e = dispatch::call("ConcatV2", &[d, m, axis], &Attrs::new()).unwrap_err();
    assert!(e.to_string().contains("ConcatV2"), "{e}");
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
    Ok(Some(AnyValue::from(tensor!(1i32))))
}

fn answer_of_right(_: &Call<'_>) -> Result<Option<AnyValue>> {
    ASKED.lock().unwrap().push("right");
    Ok(Some(AnyValue::from(tensor!(2i32))))
}

fn declines(_: &Call<'_>) -> Result<Option<AnyValue>> {
    ASKED.lock().unwrap().push("declines");
    Ok(None)
}

#[test]
fn the_left_type_is_asked_first_and_one_that_declines_falls_through() -> Result<()> {
    const LR: &[fn() -> TypeId] = &[TypeId::of::<Left>, TypeId::of::<Right>];
    const RL: &[fn() -> TypeId] = &[TypeId::of::<Right>, TypeId::of::<Left>];
    let entry = |owner, operands, handler| DispatchEntry {
        owner,
        target: Target::Op(|| "FloorMod"),
        operands: Operands::Each(operands),
        handler,
    };
    // Registered in the other order: what counts is the order of the operands.
    dispatch::register_handler(entry(TypeId::of::<Right>, LR, answer_of_right));
    dispatch::register_handler(entry(TypeId::of::<Left>, LR, answer_of_left));
    dispatch::register_handler(entry(TypeId::of::<Left>, RL, declines));
    dispatch::register_handler(entry(TypeId::of::<Right>, RL, answer_of_right));
    let ask = |a: AnyValue, b: AnyValue| {
        ASKED.lock().unwrap().clear();
        let answer = dispatch::call("FloorMod", &[a, b], &Attrs::new())?;
        let asked = ASKED.lock().unwrap().clone();
        Ok::<_, Error>((answer.downcast::<Tensor>()?.item::<i32>()?, asked))
    };
    let left = |x: Tensor| AnyValue::new(Left { x });
    let right = || AnyValue::new(Right { x: tensor![1i32,] });
    assert_eq!(ask(left(tensor![1i32,]), right())?, (1, vec!["left"]));
    assert_eq!(ask(left(tensor!(1i32)), right())?, (2, vec!["left", "right"]));
    assert_eq!(ask(right(), left(tensor![1i32,]))?, (2, vec!["right"]));
    // All decline, or none takes them.
    let e = ask(left(tensor![1i32,]), left(tensor![1i32,])).unwrap_err();
    assert!(e.to_string().contains("LeftSpec("), "{e}");
    Ok(())
}

// 4. Ops of one's own.

extype::define_op! {
    /// The cube of every element.
    unary Cube = CubeFn("DesignCube") {
        inputs: { x: T }, outputs: { y: T },
        types: { T: DTypeSet::of(&[DType::F32]) }, attrs: {},
        infer: rules::same_shape, kernel: cube,
    }
}

fn cube(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let cubes: Vec<f32> = x.as_slice::<f32>()?.iter().map(|x| x * x * x).collect();
    Ok([Array::from_slice(x.dims(), &cubes)?].into())
}

extype::define_gradient!("DesignCube", |g| {
    let slope = ops::mul(ops::square(g.x(0))?, 3.0)?;
    Ok([Some(ops::mul(g.dy()?, &slope)?)].into_iter().collect())
});

extype::define_op! {
    /// Every element times a power of a scalar. It has no gradient.
    op Scaled = "DesignScaled" {
        inputs: { x: T, by: T }, outputs: { y: T },
        types: { T: DTypeSet::of(&[DType::F32]) }, attrs: { power: i64 }, host: {},
        arity: 2, effect: Pure,
        infer: |c| {
            c.shape(1).with_rank(0)?;
            Ok([c.input(0).clone()].into_iter().collect::<Types>())
        },
        kernel: scaled,
    }
}

fn scaled(c: &KernelContext<'_>) -> Result<Outputs> {
    let by = c.input(1).as_slice::<f32>()?[0].powi(c.attrs.get::<i64>("power")? as i32);
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
    assert!(f.concrete_functions()[0].graph().to_string().contains("DesignCube"));
    let total = |x: &Tensor| f.call(x)?.reduce_sum(.., false);
    assert_eq!(floats(&grad(total)(&x)?), [3.0, 12.0]);
    let slopes = |x: &Tensor| grad(total)(x)?.reduce_sum(.., false);
    assert_eq!(floats(&grad(slopes)(&x)?), [6.0, 12.0]);

    // A type that overrides the family takes it, unseen.
    let m: MaskedTensor = cubed(&masked())?;
    assert_eq!(floats(&m.values), [1.0, 8.0, 27.0, 64.0]);
    let w: Masked<MaskedTensor> = cubed(&Masked::new(masked(), [true, false])?)?;
    assert_eq!(floats(&w.values.values), [1.0, 8.0, 27.0, 64.0]);
    let any = dispatch::call("DesignCube", &[AnyValue::new(masked())], &Attrs::new())?;
    assert_eq!(floats(&any.downcast::<MaskedTensor>()?.values), [1.0, 8.0, 27.0, 64.0]);
    let g = grad(|m: &MaskedTensor| ops::reduce_sum(cubed(m)?, .., false))(&masked())?;
    assert_eq!(floats(&g.values), [3.0, 0.0, 27.0, 48.0]);
    Ok(())
}

#[test]
fn an_op_with_attributes_is_overridden_and_says_that_it_has_no_gradient() -> Result<()> {
    let (x, by) = (tensor![1.0f32, 2.0], tensor!(10.0f32));
    let op = Scaled { power: 2 };
    assert_eq!(floats(&Tensor::apply2(&op, &x, &by)?), [100.0, 200.0]);
    let d = Diagonal::new([3.0f32])?;
    assert_eq!(floats(&Diagonal::apply2(&op, &d, &by)?.entries), [300.0]);
    let attrs = Attrs::new().with("power", &1i64);
    let any = dispatch::call("DesignScaled", &[AnyValue::new(d), by.clone().into()], &attrs)?;
    assert_eq!(floats(&any.downcast::<Diagonal>()?.entries), [30.0]);
    let f = function(|x: &Tensor| Tensor::apply2(&Scaled { power: 1 }, x, x));
    let e = f.call(&x).unwrap_err();
    assert!(e.to_string().starts_with("DesignScaled: "), "{e}");
    for traced in [false, true] {
        let f = function(|x: &Tensor| Tensor::apply2(&Scaled { power: 1 }, x, &tensor!(2.0f32)));
        let g = grad(|x: &Tensor| match traced {
            true => f.call(x),
            false => Tensor::apply2(&Scaled { power: 1 }, x, &tensor!(2.0f32)),
        });
        let e = g(&x).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Unimplemented);
        let text = e.to_string();
        assert!(text.contains("DesignScaled") && text.contains("define_gradient!"), "{text}");
    }
    Ok(())
}

// 5. Variables.

#[derive(ExtensionType, Clone, Debug)]
struct Account {
    balance: Variable,
    limit: Tensor,
}

#[test]
fn aliased_variables_are_another_type_and_effects_keep_their_order() -> Result<()> {
    let (v, w) = (Variable::new(tensor!(1.0f32))?, Variable::new(tensor!(1.0f32))?);
    let f = function(|p: &(Variable, Variable)| {
        let before = p.1.read()?;
        p.0.assign(5.0)?;
        let after = p.1.read()?;
        p.1.assign_add(1.0)?;
        Ok((before, after, p.0.read()?))
    });
    let run = |a: &Variable, b: &Variable| {
        let (x, y, z) = f.call(&(a.clone(), b.clone()))?;
        Ok::<_, Error>([x.item::<f32>()?, y.item()?, z.item()?])
    };
    let vw = (v.clone(), w.clone()).type_spec().to_any();
    assert_ne!(vw, (v.clone(), v.clone()).type_spec().to_any());
    assert_eq!(vw, (w.clone(), v.clone()).type_spec().to_any());
    for _ in 0..2 {
        v.assign(1.0)?;
        w.assign(1.0)?;
        assert_eq!(run(&v, &w)?, [1.0, 1.0, 5.0]);
        assert_eq!((v.read()?.item::<f32>()?, w.read()?.item::<f32>()?), (5.0, 2.0));
        v.assign(1.0)?;
        assert_eq!(run(&v, &v)?, [1.0, 5.0, 6.0]);
        assert_eq!(v.read()?.item::<f32>()?, 6.0);
    }
    assert_eq!(f.trace_count(), 2);
    Ok(())
}

#[test]
fn a_variable_in_an_extension_type_is_changed_in_place() -> Result<()> {
    let a = Account { balance: Variable::new(tensor!(10.0f32))?, limit: tensor!(4.0f32) };
    let pay = function(|a: &Account, amount: &Tensor| {
        a.balance.assign_sub(ops::minimum(amount, &a.limit)?)?;
        let rest = a.balance.read()?;
        a.balance.assign_sub(1.0)?;
        Ok(rest)
    });
    assert_eq!(pay.call(&a, &tensor!(3.0f32))?.item::<f32>()?, 7.0);
    assert_eq!(pay.call(&a, &tensor!(30.0f32))?.item::<f32>()?, 2.0);
    assert_eq!(a.balance.read()?.item::<f32>()?, 1.0);
    let b = Account { balance: Variable::new(tensor!(100.0f32))?, ..a.clone() };
    assert_eq!(pay.call(&b, &tensor!(1.0f32))?.item::<f32>()?, 99.0);
    assert_eq!(pay.trace_count(), 1);
    assert_eq!(a.balance.read()?.item::<f32>()?, 1.0);
    Ok(())
}

#[test]
fn a_variable_that_is_captured_may_be_passed_later() -> Result<()> {
    let (v, w) = (Variable::new(tensor!(1.0f32))?, Variable::new(tensor!(1.0f32))?);
    for concrete in [true, false] {
        let f = function(|x: &Variable| {
            let before = v.read()?;
            x.assign_add(1.0)?;
            Ok((before, v.read()?))
        });
        match concrete {
            true => drop(f.concrete(&v.type_spec())?),
            false => drop(f.call(&w)?),
        }
        v.assign(1.0)?;
        let (before, after) = f.call(&v)?;
        assert_eq!((before.item::<f32>()?, after.item::<f32>()?), (1.0, 2.0));
    }
    Ok(())
}

#[test]
fn a_variable_that_is_captured_and_passed_is_one() -> Result<()> {
    let (v, w) = (Variable::new(tensor!(1.0f32))?, Variable::new(tensor!(1.0f32))?);
    for first in [&v, &w] {
        let f = function(|x: &Variable| {
            let before = v.read()?;
            x.assign_add(1.0)?;
            Ok((before, v.read()?))
        });
        v.assign(1.0)?;
        f.call(first)?;
        v.assign(1.0)?;
        let (before, after) = f.call(&v)?;
        assert_eq!((before.item::<f32>()?, after.item::<f32>()?), (1.0, 2.0));
        v.assign(1.0)?;
        let (_, after) = f.call(&w)?;
        assert_eq!((after.item::<f32>()?, v.read()?.item::<f32>()?), (1.0, 1.0));
    }
    Ok(())
}

#[test]
fn values_of_run_time_types_keep_the_aliases_of_variables() -> Result<()> {
    let (v, w) = (Variable::new(tensor!(1.0f32))?, Variable::new(tensor!(1.0f32))?);
    let f = function(|a: &Variable, b: &Variable| {
        a.assign(1.0)?;
        b.assign(2.0)?;
        a.read()
    });
    assert_eq!(f.call(&v, &w)?.item::<f32>()?, 1.0);
    assert_eq!(f.call(&v, &v)?.item::<f32>()?, 2.0);
    let traces = f.concrete_functions();
    let any = |v: &Variable| AnyValue::new(v.clone());
    let result = |i: usize, a: &Variable, b: &Variable| {
        traces[i].call_values(&[any(a), any(b)])?.downcast::<Tensor>()?.item::<f32>()
    };
    assert_eq!(result(0, &v, &w)?, 1.0, "two variables, traced for two");
    assert_eq!(result(1, &v, &v)?, 2.0, "one variable, traced for one");
    assert!(result(1, &v, &w).is_err(), "two variables, traced for one");
    assert!(result(0, &v, &v).is_err(), "one variable, traced for two");
    Ok(())
}

#[test]
fn a_trace_for_one_variable_does_not_take_two() -> Result<()> {
    let (v, w) = (Variable::new(tensor!(1.0f32))?, Variable::new(tensor!(1.0f32))?);
    let f = function(|p: &(Variable, Variable), q: &Variable| {
        p.0.assign(1.0)?;
        q.assign(2.0)?;
        p.0.read()
    });
    assert_eq!(f.call(&(v.clone(), w.clone()), &v)?.item::<f32>()?, 2.0);
    let c = &f.concrete_functions()[0];
    // `w` is the first of its own value, and so was `v`.
    let args = [AnyValue::new((v.clone(), w.clone())), AnyValue::new(w.clone())];
    match c.call_values(&args) {
        Ok(read) => assert_eq!(read.downcast::<Tensor>()?.item::<f32>()?, 1.0),
        Err(e) => assert!(e.to_string().contains("argument 1"), "{e}"),
    }
    Ok(())
}

// 6. Gradients.

#[test]
fn gradients_have_the_structure_of_their_source() -> Result<()> {
    let m = masked();
    let tape = GradientTape::new();
    let (loss, grads) =
        tape.value_and_gradient(&m, || ops::reduce_sum(ops::square(&m)?, .., false))?;
    drop(tape);
    assert_eq!(loss.values.item::<f32>()?, 26.0);
    assert!(grads.leaf(1)?.is_none() && grads.get(".mask")?.is_none());
    assert_eq!(floats(grads.wrt(&m.values)?.unwrap()), [2.0, 0.0, 6.0, 8.0]);
    assert_eq!(grads.norm()?.item::<f32>()?, 104.0f32.sqrt());
    let g: MaskedTensor = grads.into_structure()?;
    assert_eq!(g.type_spec().to_any(), m.type_spec().to_any());
    assert_eq!(g.mask.to_vec::<bool>()?, m.mask.to_vec::<bool>()?);
    Ok(())
}

fn cubes(m: &MaskedTensor) -> Result<MaskedTensor> {
    ops::reduce_sum(ops::mul(ops::square(m)?, m)?, .., false)
}

#[test]
fn second_derivatives_pass_extension_types() -> Result<()> {
    let g = grad(grad(cubes))(&masked())?;
    assert_eq!(floats(&g.values), [6.0, 0.0, 18.0, 24.0]);
    Ok(())
}

#[test]
fn second_derivatives_pass_traced_functions() -> Result<()> {
    let traced = function(cubes);
    let m = masked();
    let second = grad(grad(|m: &MaskedTensor| traced.call(m)));
    assert_eq!(floats(&second(&m)?.values), [6.0, 0.0, 18.0, 24.0]);
    let third = grad(grad(grad(|m: &MaskedTensor| traced.call(m))));
    assert_eq!(floats(&third(&m)?.values), [6.0, 0.0, 6.0, 6.0]);
    assert_eq!(traced.trace_count(), 1);
    Ok(())
}

#[test]
fn second_derivatives_are_traced() -> Result<()> {
    let traced = function(cubes);
    let whole = function(|m: &MaskedTensor| grad(grad(|m: &MaskedTensor| traced.call(m)))(m));
    assert_eq!(floats(&whole.call(&masked())?.values), [6.0, 0.0, 18.0, 24.0]);
    Ok(())
}

#[test]
fn a_gradient_that_is_traced_is_differentiated() -> Result<()> {
    let half = function(|m: &MaskedTensor| grad(cubes)(m));
    let second = grad(|m: &MaskedTensor| half.call(m));
    assert_eq!(floats(&second(&masked())?.values), [6.0, 0.0, 18.0, 24.0]);
    Ok(())
}

#[test]
fn gradients_of_variables_pass_traced_functions_that_change_them() -> Result<()> {
    let v = Variable::new(tensor!(3.0f32))?;
    let f = function(|x: &Tensor| {
        let y = ops::mul(ops::square(v.read()?)?, x)?;
        v.assign(100.0)?;
        Ok(y)
    });
    let tape = GradientTape::new();
    let (y, grads) = tape.value_and_gradient(&(v.clone(),), || f.call(&tensor!(2.0f32)))?;
    assert_eq!(y.item::<f32>()?, 18.0);
    // At the value that was read, not at the one that was written since.
    assert_eq!(grads.of(&v)?.unwrap().item::<f32>()?, 12.0);
    assert_eq!(v.read()?.item::<f32>()?, 100.0);
    Ok(())
}

// 7. Written by hand.

/// A number of fruit: apples and oranges are fruit.
#[derive(Clone, Debug)]
struct Fruit {
    kind: &'static str,
    count: Tensor,
}

#[derive(Clone, Debug, PartialEq)]
struct FruitSpec {
    kind: &'static str,
    count: TensorSpec,
}

impl Structure for Fruit {
    type Spec = FruitSpec;

    fn spec_in(&self, context: &mut SpecContext) -> FruitSpec {
        FruitSpec { kind: self.kind, count: self.count.spec_in(context) }
    }

    fn matches(&self, spec: &FruitSpec, context: &mut SpecContext) -> bool {
        self.kind == spec.kind && self.count.matches(&spec.count, context)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(&self.count);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.count);
    }

    fn from_leaves(spec: &FruitSpec, leaves: &mut LeafIter) -> Result<Self> {
        Ok(Self { kind: spec.kind, count: Tensor::from_leaves(&spec.count, leaves)? })
    }
}

impl TypeSpec for FruitSpec {
    type Value = Fruit;

    fn to_any(&self) -> AnySpec {
        let kind = AnySpec::Literal(Literal::Str(self.kind.into()));
        Composite::of::<Fruit>([("kind", kind), ("count", self.count.to_any())])
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        let c = any.as_composite(TypeId::of::<Fruit>(), "Fruit")?;
        let kind = match c.field("kind") {
            Some(AnySpec::Literal(Literal::Str(s))) => {
                ["apple", "orange", "fruit"].into_iter().find(|k| **k == **s)
            }
            _ => None,
        };
        let count = c.field("count").ok_or_else(|| Error::invalid("no count"))?;
        let kind = kind.ok_or_else(|| Error::invalid("no such fruit"))?;
        Ok(Self { kind, count: TensorSpec::from_any(count)? })
    }

    fn is_subtype_of(&self, other: &Self) -> bool {
        (self.kind == other.kind || other.kind == "fruit") && self.count.is_subtype_of(&other.count)
    }

    fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        Some(Self {
            kind: if self.kind == other.kind { self.kind } else { "fruit" },
            count: self.count.most_specific_common_supertype(&other.count)?,
        })
    }

    fn is_compatible_with(&self, other: &Self) -> bool {
        (self.kind == other.kind || self.kind == "fruit" || other.kind == "fruit")
            && self.count.is_compatible_with(&other.count)
    }
}

impl ExtensionType for Fruit {
    fn class() -> Arc<Class> {
        static CLASS: OnceLock<Arc<Class>> = OnceLock::new();
        let class = || Class {
            name: "design.Fruit".into(),
            short_name: "Fruit".into(),
            type_id: Some(TypeId::of::<Fruit>()),
            hooks: Hooks::of::<FruitSpec>(),
        };
        CLASS.get_or_init(|| Arc::new(class())).clone()
    }
}

fn fruit(kind: &'static str, n: i64) -> Fruit {
    Fruit { kind, count: tensor!(n) }
}

#[tf_function(reduce_retracing)]
fn all_fruit(basket: &[Fruit]) -> Result<Fruit> {
    let mut all = basket[0].clone();
    for f in &basket[1..] {
        all.count = ops::add(&all.count, &f.count)?;
    }
    Ok(all)
}

#[test]
fn a_spec_by_hand_has_laws_of_its_own_wherever_it_stands() -> Result<()> {
    let (apple, orange) = (fruit("apple", 2), fruit("orange", 3));
    let general = FruitSpec { kind: "fruit", ..apple.type_spec() };
    let (a, o, any) = (apple.type_spec().to_any(), orange.type_spec().to_any(), general.to_any());
    assert!(a.is_subtype_of(&any) && !any.is_subtype_of(&a) && !a.is_compatible_with(&o));
    assert_eq!(a.most_specific_common_supertype(&o), Some(any.clone()));
    let list = |s: &AnySpec| AnySpec::List([AnySpec::Optional(Some(s.clone().into()))].into());
    assert!(list(&a).is_subtype_of(&list(&any)));
    assert_eq!(list(&a).most_specific_common_supertype(&list(&o)), Some(list(&any)));

    // A trace for all fruit serves apples.
    let count = function(|f: &Fruit| ops::mul(&f.count, if f.kind == "fruit" { 1 } else { 100 }));
    count.concrete(&general)?;
    assert_eq!(count.call(&apple)?.item::<i64>()?, 2);
    assert_eq!(count.call(&orange)?.item::<i64>()?, 3);
    assert_eq!(count.trace_count(), 1);
    let fresh = function(|f: &Fruit| ops::mul(&f.count, if f.kind == "fruit" { 1 } else { 100 }));
    assert_eq!(fresh.call(&apple)?.item::<i64>()?, 200);

    // Traces generalize from apples and oranges to fruit.
    let basket = |kinds: [&'static str; 2]| kinds.map(|k| fruit(k, 1)).to_vec();
    assert_eq!(all_fruit(&basket(["apple", "apple"]))?.kind, "apple");
    assert_eq!(all_fruit(&basket(["orange", "apple"]))?.kind, "fruit");
    assert_eq!(all_fruit(&basket(["orange", "apple"]))?.count.item::<i64>()?, 2);
    assert_eq!(all_fruit::trace_count(), 2);
    Ok(())
}

// 8. Models.

#[derive(Module)]
struct Counter {
    total: Late<Variable>,
    by: f64,
}

impl Counter {
    #[tf_function]
    fn step(&self, x: &Tensor) -> Result<Tensor> {
        let total = self.total.get_or_create(|| Variable::new(tensor!(0.0f32)))?;
        total.assign_add(ops::mul(x.reduce_sum(.., false)?, self.by)?)?;
        total.read()
    }
}

#[test]
fn models_have_variables_and_traces_of_their_own() -> Result<()> {
    let (mut a, b) =
        (Counter { total: Late::new(), by: 1.0 }, Counter { total: Late::new(), by: 1.0 });
    let x = tensor!(1.0f32);
    let step = |c: &Counter| c.step(&x)?.item::<f32>();
    assert!(a.variables().is_empty());
    assert_eq!((step(&a)?, step(&a)?, step(&b)?, step(&a)?), (1.0, 2.0, 1.0, 3.0));
    assert_eq!((a.step_function().trace_count(), b.step_function().trace_count()), (1, 1));
    assert_eq!(a.step(&tensor![1.0f32,])?.item::<f32>()?, 4.0);
    assert_eq!((a.step_function().trace_count(), b.step_function().trace_count()), (2, 1));
    a.by = 10.0;
    assert_eq!((step(&a)?, step(&b)?), (14.0, 2.0));
    a.by = 1.0;
    assert_eq!(step(&a)?, 15.0);
    assert_ne!(a.variables()[0].id(), b.variables()[0].id());
    // An instance that takes the place of another is not taken for it.
    drop(b);
    let c = Counter { total: Late::new(), by: 1.0 };
    assert_eq!(step(&c)?, 1.0);
    Ok(())
}

#[test]
fn every_trace_of_an_instance_is_counted_when_a_plain_field_changes() -> Result<()> {
    let mut a = Counter { total: Late::new(), by: 1.0 };
    a.step(&tensor!(1.0f32))?;
    a.by = 2.0;
    a.step(&tensor!(1.0f32))?;
    assert_eq!(a.step_function().trace_count(), 2);
    Ok(())
}

// 9. Recursion.

#[tf_function]
fn even(n: u32, x: &Tensor) -> Result<Tensor> {
    if n == 0 { ops::mul(x, 2.0) } else { odd(n - 1, x) }
}

#[tf_function]
fn odd(n: u32, x: &Tensor) -> Result<Tensor> {
    if n == 0 { ops::neg(x) } else { even(n - 1, x) }
}

#[tf_function]
fn forever(x: &Tensor) -> Result<Tensor> {
    forever(&(x + 1.0))
}

#[tf_function]
fn ping(x: &Tensor) -> Result<Tensor> {
    pong(x)
}

#[tf_function]
fn pong(x: &Tensor) -> Result<Tensor> {
    ping(x)
}

#[test]
fn mutual_recursion_on_plain_values_ends() -> Result<()> {
    let x = tensor!(1.0f32);
    assert_eq!(even(10, &x)?.item::<f32>()?, 2.0);
    assert_eq!(even(11, &x)?.item::<f32>()?, -1.0);
    assert_eq!(odd(11, &x)?.item::<f32>()?, 2.0);
    Ok(())
}

#[tf_function]
fn power(n: u32, x: &Tensor) -> Result<Tensor> {
    if n == 0 { ops::ones_like(x) } else { ops::mul(x, power(n - 1, x)?) }
}

#[test]
fn gradients_pass_recursion() -> Result<()> {
    let x = tensor!(2.0f32);
    assert_eq!(grad(|x: &Tensor| power(3, x))(&x)?.item::<f32>()?, 12.0);
    assert_eq!(grad(grad(|x: &Tensor| power(3, x)))(&x)?.item::<f32>()?, 12.0);
    assert_eq!(grad(|x: &Tensor| even(10, x))(&x)?.item::<f32>()?, 2.0);
    Ok(())
}

#[test]
fn gradients_pass_nested_traced_functions() -> Result<()> {
    let inner = function(|m: &MaskedTensor| ops::mul(ops::square(m)?, m));
    let middle = function(|m: &MaskedTensor| inner.call(&inner.call(m)?));
    let outer = function(|m: &MaskedTensor| ops::reduce_sum(middle.call(m)?, .., false));
    let m = MaskedTensor::new([1.0f32, 2.0], [true, false])?;
    assert_eq!(floats(&grad(|m: &MaskedTensor| outer.call(m))(&m)?.values), [9.0, 0.0]);
    assert_eq!(floats(&grad(grad(|m: &MaskedTensor| outer.call(m)))(&m)?.values), [72.0, 0.0]);
    Ok(())
}

#[test]
fn recursion_on_tensors_is_an_error() {
    let x = tensor!(1.0f32);
    for (e, count) in [(forever(&x), forever::trace_count()), (ping(&x), ping::trace_count())] {
        let text = e.unwrap_err().to_string();
        assert!(text.contains("not on tensors"), "{text}");
        assert_eq!(count, 0);
    }
    // Nothing is left open.
    assert!(Variable::new(1.0f32).is_ok());
}

#[test]
fn recursion_on_tensors_has_a_short_error() {
    let text = forever(&tensor!(1.0f32)).unwrap_err().to_string();
    assert!(text.len() < 1000, "{} characters: {text}", text.len());
}

// 10. Types known at run time.

#[test]
fn values_of_any_type_go_through_a_concrete_function() -> Result<()> {
    let f = function(|m: &MaskedTensor, n: &i64, xs: &Vec<Tensor>| {
        Ok((ops::add(m, &xs[*n as usize])?, xs.clone()))
    });
    let xs = vec![tensor!(10.0f32), tensor!(20.0f32)];
    let want = f.call(&masked(), &1, &xs)?.0;
    let c = &f.concrete_functions()[0];
    let args = [AnyValue::new(masked()), AnyValue::new(1i64), AnyValue::new(xs.clone())];
    let out = c.call_values(&args)?;
    assert_eq!(out.spec(), c.output_spec());
    assert!(out.clone().downcast::<MaskedTensor>().is_err());
    let parts = out.components();
    assert_eq!(parts.len(), 2);
    let m: MaskedTensor = parts[0].clone().downcast()?;
    assert_eq!(floats(&m.values), floats(&want.values));
    let (m, back): (MaskedTensor, Vec<Tensor>) = out.downcast()?;
    assert_eq!((floats(&m.values), back.len()), (floats(&want.values), 2));

    let refuse = |args: &[AnyValue], parts: &[&str]| {
        let text = c.call_values(args).unwrap_err().to_string();
        assert!(parts.iter().all(|p| text.contains(p)), "{text}");
    };
    let swap = |i: usize, by: AnyValue| {
        let mut args = args.to_vec();
        args[i] = by;
        args
    };
    refuse(&args[..2], &["takes 3 arguments, 2 given"]);
    refuse(&swap(0, tensor!(1.0f32).into()), &["argument 0", "MaskedTensorSpec", "[]"]);
    refuse(&swap(1, AnyValue::new(0i64)), &["argument 1", "0", "1"]);
    refuse(&swap(2, AnyValue::new(vec![tensor!(1.0f32)])), &["argument 2"]);
    Ok(())
}

#[test]
fn parts_of_a_value_must_fit_its_spec() {
    let m = masked();
    let spec = m.type_spec().to_any();
    assert!(AnyValue::from_parts(spec.clone(), vec![m.values.clone(), m.mask.clone()]).is_ok());
    assert!(AnyValue::from_parts(spec.clone(), vec![m.mask.clone(), m.values.clone()]).is_err());
    assert!(AnyValue::from_parts(spec, vec![m.values.clone()]).is_err());
    let v = Variable::new(1.0f32).unwrap().type_spec().to_any();
    assert!(AnyValue::from_parts(v, vec![m.values]).is_err(), "a tensor for a variable");
}

// 11. Threads.

#[test]
fn threads_share_one_trace() {
    let body_runs = std::sync::atomic::AtomicUsize::new(0);
    let f = function(|x: &MaskedTensor| {
        body_runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        std::thread::sleep(std::time::Duration::from_millis(20));
        ops::reduce_sum(ops::square(x)?, .., false)
    });
    let barrier = Barrier::new(4);
    std::thread::scope(|s| {
        for i in 0..4 {
            let (f, barrier) = (&f, &barrier);
            s.spawn(move || {
                let scale = i as f32;
                let m = masked() * scale;
                barrier.wait();
                for _ in 0..50 {
                    let y = f.call(&m).unwrap();
                    assert_eq!(y.values.item::<f32>().unwrap(), 26.0 * scale * scale);
                }
            });
        }
    });
    assert_eq!(f.trace_count(), 1);
    assert!(body_runs.into_inner() <= 4);
}

#[test]
fn threads_that_differentiate_and_trace_do_not_meet() {
    let f = function(|x: &Tensor| ops::mul(ops::square(x)?, x));
    std::thread::scope(|s| {
        for i in 0..4 {
            let f = &f;
            s.spawn(move || {
                let x = tensor!(i as f32);
                for _ in 0..20 {
                    let g = grad(grad(|x: &Tensor| f.call(x)))(&x).unwrap();
                    assert_eq!(g.item::<f32>().unwrap(), 6.0 * i as f32);
                }
            });
        }
    });
    assert_eq!(f.trace_count(), 1);
}

// 12. Leaks.

static LEAKED: Mutex<Option<Tensor>> = Mutex::new(None);

#[tf_function]
fn leaks_a_symbol(x: &Tensor) -> Result<Tensor> {
    let y = ops::add(x, 1.0)?;
    *LEAKED.lock().unwrap() = Some(y.clone());
    Ok(y)
}

#[test]
fn a_symbol_that_leaks_is_refused_by_name() -> Result<()> {
    let x = tensor!(1.0f32);
    leaks_a_symbol(&x)?;
    let leaked = LEAKED.lock().unwrap().clone().unwrap();
    let check = |r: Result<Tensor>| {
        let text = r.unwrap_err().to_string();
        assert!(text.contains("leaks_a_symbol"), "{text}");
    };
    check(ops::add(&leaked, 1.0));
    check(leaked.item::<f32>().map(Tensor::scalar));
    let f = function(|x: &Tensor| ops::add(x, &leaked));
    check(f.call(&x));
    assert_eq!(f.trace_count(), 0);
    let g = function(|_: &Tensor| Ok(leaked.clone()));
    check(g.call(&x));
    // As an argument, too, and of the function that it comes from.
    check(leaks_a_symbol(&leaked));
    let double = function(|x: &Tensor| ops::mul(x, 2.0));
    double.call(&x)?;
    check(double.call(&leaked));
    check(
        double.concrete_functions()[0]
            .call_flat(std::slice::from_ref(&leaked))
            .map(|mut v| v.remove(0)),
    );
    // From an inner trace to the one around it.
    let outer = function(|x: &Tensor| {
        leaks_a_symbol::clear();
        leaks_a_symbol(x)?;
        let inner = LEAKED.lock().unwrap().clone().unwrap();
        ops::add(x, &inner)
    });
    check(outer.call(&x));
    check(Variable::new(leaked.clone()).and_then(|v| v.read()));
    let v = Variable::new(tensor!(1.0f32))?;
    check(v.assign(&leaked).and_then(|()| v.read()));
    check(grad(|x: &Tensor| ops::mul(x, &leaked))(&x));
    // From the outer one to the inner one it is a capture.
    let outer = function(|x: &Tensor| {
        let inner = function(|y: &Tensor| ops::mul(x, y));
        inner.call(&ops::add(x, 1.0)?)
    });
    assert_eq!(outer.call(&tensor!(3.0f32))?.item::<f32>()?, 12.0);
    Ok(())
}

#[test]
fn a_tape_lives_where_it_was_made() -> Result<()> {
    let x = tensor!(3.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    // The tape is outside, what it watches is captured.
    let f = function(|y: &Tensor| ops::mul(ops::square(&x)?, y));
    let y = f.call(&tensor!(2.0f32))?;
    assert_eq!(y.item::<f32>()?, 18.0);
    let g = tape.gradient(&y, &x)?;
    assert_eq!(g.wrt(&x)?.map(Tensor::item::<f32>).transpose()?, Some(12.0));
    Ok(())
}

#[test]
fn a_large_tensor_that_is_captured_has_a_gradient() -> Result<()> {
    let x = ops::fill([1000i64], &tensor!(3.0f32))?;
    let tape = GradientTape::new();
    tape.watch(&x);
    let f = function(|y: &Tensor| ops::mul(ops::square(&x)?, y));
    let y = f.call(&tensor!(2.0f32))?;
    let g = tape.gradient(&y, &x)?;
    assert_eq!(floats(g.wrt(&x)?.unwrap()), [12.0; 1000]);
    Ok(())
}

#[test]
fn instances_of_a_generic_type_are_registered_under_names_of_their_own() -> Result<()> {
    extype::spec::register_spec::<Masked<RaggedTensor>>()?;
    extype::spec::register_spec::<Masked<MaskedTensor>>()?;
    let e = extype::spec::register_spec::<Masked<MaskedTensor>>().unwrap_err();
    assert_eq!(e.kind(), ErrorKind::AlreadyExists);
    assert!(e.to_string().contains("design.rs"), "{e}");
    Ok(())
}

// 13. Properties.

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
                AnySpec::Map(Arc::new(keyed.collect()))
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
            AnySpec::Map(Arc::new(m.iter().map(|(k, s)| (k.clone(), widen(s, bits))).collect()))
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
        prop_assert!(x.matches(&spec, &mut SpecContext::new()));
        prop_assert_eq!(x.matches(&other, &mut SpecContext::new()), equal);
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
                (None, Err(e)) => prop_assert!(e.to_string().contains("AddV2"), "{}", e),
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

/// The prelude's traits must not come before the methods of numbers behind references.
#[test]
fn the_prelude_leaves_the_methods_of_numbers_alone() {
    let numbers = [4.0f32, 9.0];
    assert!(!numbers.iter().any(|x| x.is_nan() || x.abs() > 10.0));
    assert_eq!(numbers.iter().fold(0.0, |sum, x| sum + x.sqrt()), 5.0);
}
