//! Compounds: ops of other ops, which types have by their families or override by name.

use extype::array::Array;
use extype::ir::{Attrs, OpDef, OpKind, all_ops, find_op};
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch;
use extype::tensor::execute;
use extype::types::DTypeSet;

extype::define_op! {
    /// Methods: compounds of this test.
    methods of Bent;

    /// `x² / (limit + x²)`.
    pub unary Saturated = "TestCompounds>Saturated" {
        types: { T: DTypeSet::FLOAT },
        attrs: { limit: f32 = 1.0 },
        call: method saturated(x; limit),
        body: |op, x| {
            let square = x.square()?;
            ops::div(&square, ops::add(&square, op.limit)?)
        },
    }

    /// The distance of two numbers, as integers.
    pub binary Distance = "TestCompounds>Distance" {
        types: { T: DTypeSet::FLOAT }, outputs: { z: {I64} },
        call: method distance,
        body: |x, y| ops::sub(x, y)?.abs()?.cast(i64),
    }

    /// The largest and the smallest element along an axis.
    pub op Extremes = "TestCompounds>Extremes" {
        inputs: { x: T, dim: {I32} as axis: Axis }, outputs: { most: T, least: T },
        types: { T: DTypeSet::REAL },
        call: method extremes(x; axis),
        body: extremes_of,
    }

    /// Says floats and gives integers.
    pub unary Lies = "TestCompounds>Lies" {
        types: { T: DTypeSet::FLOAT },
        call: method lies,
        body: |x| x.cast(i64),
    }

    /// Says two results and gives what it is told.
    pub op Fewer = "TestCompounds>Fewer" {
        inputs: { xs: [T; N] }, outputs: { ys: [T; N] },
        types: { T: DTypeSet::REAL },
        call: fewer([xs]),
        body: |xs: &[&Tensor]| -> Result<Vec<Tensor>> { Ok(vec![xs[0].clone()]) },
    }

    /// What it is given.
    pub unary Itself = "TestCompounds>Itself" {
        types: { T: DTypeSet::FLOAT },
        call: method itself,
        body: |x| Ok(x.clone()),
    }

    /// The first of all, as often as there are.
    pub op Repeated = "TestCompounds>Repeated" {
        inputs: { xs: [T; N] }, outputs: { y: T },
        types: { T: DTypeSet::REAL },
        call: repeated([xs]),
        body: |xs| ops::stack(&vec![xs[0].clone(); xs.len()], 0),
    }
}

fn extremes_of(op: &Extremes, x: &Tensor) -> Result<(Tensor, Tensor)> {
    Ok((x.reduce_max(op.axis, false)?, x.reduce_min(op.axis, false)?))
}

/// Numbers with a unit: every op of a family is that of the numbers.
#[derive(ExtensionType, Clone, Debug)]
struct Measure {
    values: Tensor,
    #[static_data]
    unit: String,
}

#[dispatch]
impl Measure {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)?, unit: x.unit.clone() })
    }

    #[overrides(cbrt, in unary_elementwise)]
    fn cbrt(x: &Self) -> Result<Self> {
        Ok(Self { values: x.values.cbrt()?, unit: format!("cbrt {}", x.unit) })
    }

    #[overrides(saturated, in unary_elementwise)]
    fn saturated(x: &Self, limit: f32) -> Result<Self> {
        Ok(Self { values: x.values.saturated(limit)?, unit: "1".into() })
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y, unit) = match operands {
            Pair::Both(x, y) => (&x.values, &y.values, &x.unit),
            Pair::Left(x, y) => (&x.values, y, &x.unit),
            Pair::Right(x, y) => (x, &y.values, &y.unit),
        };
        Ok(Self { values: op.call(x, y)?, unit: unit.clone() })
    }

    #[overrides(extremes)]
    fn extremes(x: &Self, axis: &Axis) -> Result<(Self, Self)> {
        let (most, least) = x.values.extremes(*axis)?;
        let of = |values| Self { values, unit: x.unit.clone() };
        Ok((of(most), of(least)))
    }
}

/// A type that has one compound and nothing else.
#[derive(ExtensionType, Clone, Debug)]
struct Sides {
    a: Tensor,
    b: Tensor,
}

#[dispatch]
impl Sides {
    #[overrides(hypot)]
    fn hypot(x: &Self, y: &Self) -> Result<Tensor> {
        ops::add(ops::hypot(&x.a, &x.b)?, ops::hypot(&y.a, &y.b)?)
    }
}

fn metres(values: Tensor) -> Measure {
    Measure { values, unit: "m".into() }
}

fn compounds(kind: OpKind) -> Vec<&'static OpDef> {
    let own = |op: &OpDef| op.is_compound() && op.kind == kind && op.rust_name != "lies";
    all_ops().into_iter().filter(|op| own(op)).collect()
}

/// Some operands that the op takes.
fn operands(op: &OpDef) -> [Tensor; 2] {
    let (x, y) = (tensor![0.5f32, 2.0, 3.0], tensor![1.0f32, 4.0, 3.0]);
    let candidates = [DType::F32, DType::I64, DType::Bool].map(|dtype| {
        let of = |t: &Tensor| if dtype == DType::Bool { t.greater(2.5) } else { t.cast(dtype) };
        [of(&x).unwrap(), of(&y).unwrap()]
    });
    let fits = |pair: &[Tensor; 2]| op.check_inputs(op.inputs.len(), |i| pair[i].dtype()).is_ok();
    candidates.into_iter().find(fits).unwrap_or_else(|| panic!("no operands for {op:?}"))
}

fn defaults(op: &OpDef) -> Attrs {
    let mut attrs = Attrs::new();
    for attr in op.attrs.iter().filter(|a| !a.told) {
        attrs.set(attr.name, attr.default.expect("a default")());
    }
    attrs
}

fn same(x: &Tensor, y: &Tensor) -> bool {
    x.dtype() == y.dtype() && x.to_string() == y.to_string()
}

#[test]
fn a_type_with_the_families_has_every_compound_of_them() -> Result<()> {
    let (unary, binary) =
        (compounds(OpKind::UnaryElementwise), compounds(OpKind::BinaryElementwise));
    assert!(unary.len() > 15 && binary.len() > 10, "{} {}", unary.len(), binary.len());
    for op in unary.into_iter().chain(binary) {
        let [x, y] = operands(op);
        let count = op.inputs.len();
        let tensors: Vec<AnyValue> = [x.clone(), y.clone()].map(AnyValue::from)[..count].to_vec();
        let measures = [metres(x), metres(y)].map(AnyValue::new)[..count].to_vec();
        let on_tensors: Tensor = dispatch::call(op.name, &tensors, &defaults(op))?.downcast()?;
        let on_measures: Measure = dispatch::call(op.name, &measures, &defaults(op))?.downcast()?;
        assert!(same(&on_tensors, &on_measures.values), "{op:?}: {on_tensors} {on_measures:?}");
    }
    Ok(())
}

#[test]
fn typed_calls_find_families_and_overrides_by_name() -> Result<()> {
    let (x, y) = (metres(tensor![3.0f32, 8.0]), metres(tensor![4.0f32, 15.0]));
    assert_eq!(ops::hypot(&x, &y)?.values.to_vec::<f32>()?, [5.0, 17.0]);
    assert_eq!(x.hypot(4.0)?.values.to_vec::<f32>()?[0], 5.0);
    assert_eq!(x.log2()?.values.to_vec::<f32>()?[1], 3.0);
    assert_eq!(x.round_to(-1)?.values.to_vec::<f32>()?, [0.0, 10.0]);
    let root = x.cbrt()?;
    assert_eq!((root.unit.as_str(), root.values.to_vec::<f32>()?[1]), ("cbrt m", 2.0));
    let bent = x.saturated(1.0)?;
    assert_eq!((bent.unit.as_str(), bent.values.to_vec::<f32>()?[0]), ("1", 0.9));
    assert_eq!(x.distance(&y)?.values.to_vec::<i64>()?, [1, 7]);
    let (most, least) = x.extremes(0)?;
    assert_eq!((most.values.item::<f32>()?, least.values.item::<f32>()?), (8.0, 3.0));
    let sides = Sides { a: scalar(3.0f32), b: scalar(4.0f32) };
    assert_eq!(ops::hypot(&sides, &sides)?.item::<f32>()?, 10.0);
    Ok(())
}

#[test]
fn calls_by_name_find_them_too() -> Result<()> {
    let x = || AnyValue::new(metres(tensor![8.0f32]));
    let root: Measure = dispatch::call("Extype>Cbrt", &[x()], &Attrs::new())?.downcast()?;
    assert_eq!(root.unit, "cbrt m");
    let axis = AnyValue::from(scalar(0i32));
    let name = "TestCompounds>Extremes";
    let both: (Measure, Measure) = dispatch::call(name, &[x(), axis], &Attrs::new())?.downcast()?;
    assert_eq!(both.0.values.item::<f32>()?, 8.0);
    let sides = || AnyValue::new(Sides { a: scalar(3.0f32), b: scalar(4.0f32) });
    let sum: Tensor =
        dispatch::call("Extype>Hypot", &[sides(), sides()], &Attrs::new())?.downcast()?;
    assert_eq!(sum.item::<f32>()?, 10.0);
    let e = dispatch::call("Extype>Cbrt", &[sides()], &Attrs::new()).unwrap_err();
    assert!(e.to_string().contains("cbrt: no handler takes"), "{e}");
    Ok(())
}

#[test]
fn a_compound_is_traced_differentiated_and_batched_as_its_ops() -> Result<()> {
    let f = function(|x: &Tensor| x.saturated(1.0));
    let x = tensor![3.0f32, 1.0];
    assert_eq!(f.call(&x)?.to_vec::<f32>()?, x.saturated(1.0)?.to_vec::<f32>()?);
    let graph = f.concrete_functions()[0].graph().to_string();
    assert!(graph.contains("Square") && !graph.contains("Saturated"), "{graph}");
    let slope = grad(|x: &Tensor| x.saturated(1.0)?.reduce_sum(.., false));
    assert_eq!(slope(&x)?.round_to(4)?.to_vec::<f32>()?, [0.06, 0.5]);
    let rows = tensor![[3.0f32, 1.0], [0.0, -1.0]];
    let each = vectorized_map(&rows, |row: Tensor| row.saturated(1.0))?;
    assert!(same(&each, &rows.saturated(1.0)?));
    let (most, least) = rows.extremes(1)?;
    assert_eq!((most.to_vec::<f32>()?, least.to_vec::<f32>()?), (vec![3.0, 0.0], vec![1.0, -1.0]));
    assert_eq!(repeated(&[scalar(7), scalar(8)])?.to_vec::<i32>()?, [7, 7]);
    // A number is a tensor in the body, of the dtype of the tensor that it met.
    assert_eq!(tensor![2.5f32].distance(9)?.to_vec::<i64>()?, [6]);
    assert_eq!(ops::gcd(12i64, 18i64)?.item::<i64>()?, 6);
    let truth = tensor![true];
    assert!(same(&truth.real()?, &truth) && same(&truth.conjugate()?, &truth));
    assert_eq!(truth.imag()?.to_vec::<bool>()?, [false]);
    // One that has a dtype of its own keeps it: 257 is no bfloat16.
    let tiny = tensor![f32::from_bits(1 << 16)].cast(bf16)?;
    assert_eq!(tiny.ldexp(257)?.cast(f32)?.to_vec::<f32>()?, [2f32.powi(124)]);
    Ok(())
}

#[test]
fn what_a_compound_does_not_take_is_refused_in_its_name() {
    let e = tensor![1, 2].saturated(1.0).unwrap_err();
    assert!(
        e.to_string().starts_with("saturated: argument `x` can't be int32, only a float"),
        "{e}"
    );
    let e = ops::hypot(tensor![1.0f32], tensor![1.0f64]).unwrap_err();
    assert!(e.to_string().starts_with("hypot: arguments `x` and `y` must have one dtype"), "{e}");
    // On arrays there is nothing to run.
    let op = find_op("TestCompounds>Saturated").unwrap();
    let e = op.run(&[&Array::scalar(1.0f32)], &defaults(op)).unwrap_err();
    assert!(e.message().contains("a compound of others: call it on tensors"), "{e}");
}

#[test]
fn every_compound_takes_every_dtype_of_its_row() -> Result<()> {
    let (x, y) = (tensor![1i32, 2, 3], tensor![3i32, 2, 1]);
    for op in
        compounds(OpKind::UnaryElementwise).into_iter().chain(compounds(OpKind::BinaryElementwise))
    {
        for dtype in DType::ALL {
            let count = op.inputs.len();
            let dtypes = [dtype, if op.rust_name == "ldexp" { DType::I32 } else { dtype }];
            if op.check_inputs(count, |i| dtypes[i]).is_err() {
                continue;
            }
            let operands = [x.cast(dtypes[0])?, y.cast(dtypes[1])?];
            let operands: Vec<&Tensor> = operands.iter().take(count).collect();
            let results = execute(op, defaults(op), &operands);
            assert!(results.is_ok(), "{} of {dtype}: {}", op.rust_name, results.unwrap_err());
        }
    }
    Ok(())
}

#[test]
fn a_body_is_held_to_its_row() {
    let x = tensor![1.0f32, 2.0];
    let wrong = x.lies().unwrap_err();
    assert!(
        wrong.to_string().contains(
            "the body of `lies` returned int64[2] for result 0, `y`, which is float32 by its row"
        ),
        "{wrong}"
    );
    let wrong = fewer(&[&x, &x]).unwrap_err();
    assert!(
        wrong.to_string().contains("the body of `fewer` returned 1 types for the 2 results"),
        "{wrong}"
    );
}

#[test]
fn a_body_that_gives_its_operand_gives_it_an_identity_of_its_own() -> Result<()> {
    let x = tensor![1.0f32, 2.0];
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.itself()?;
    let z = ops::mul(&y, &x)?;
    assert_eq!(tape.gradient(&z, &y)?.into_structure()?.as_slice::<f32>()?, &[1.0, 2.0]);
    Ok(())
}
