//! Every op of the table is overridden from this crate, typed and at run time.
//!
//! Left out are ops that no value of an extension type can be given to: those without an operand
//! (only host data, such as shapes), those on resources (variables), calls of functions, and the
//! packing of extension types itself; and draws of random numbers (`Stateless…`), whose inputs are
//! shapes, seeds and keys. The list of rows is made by the build script; that nothing
//! is missing is asserted.

use std::collections::BTreeSet;

use extype::array::Array;
use extype::ir::{ArgType, Attr, AttrValue, Attrs, OpDef, OpKind, all_ops, find_op};
use extype::numpy;
use extype::ops::*;
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch::{
    self, is_binary_elementwise_op, is_reduction_op, is_unary_elementwise_op,
};

/// Overrides every op by itself, by the name of its function if it has one.
#[derive(ExtensionType, Clone, Debug)]
struct Each {
    x: Tensor,
}

/// Overrides the families.
#[derive(ExtensionType, Clone, Debug)]
struct Families {
    x: Tensor,
}

#[dispatch]
impl Families {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, _x: &Self) -> Result<Tensor> {
        op.def().name.to_tensor()
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, _operands: Pair<'_, Self, Tensor>) -> Result<Tensor> {
        op.def().name.to_tensor()
    }

    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, _x: &Self) -> Result<Tensor> {
        op.def().name.to_tensor()
    }
}

fn each() -> Each {
    Each { x: scalar(0i32) }
}

fn families() -> Families {
    Families { x: scalar(0i32) }
}

/// A row: the name of its op, how many operands it is called with, and its typed calls.
struct Row {
    name: &'static str,
    kind: &'static str,
    call: fn() -> Result<Vec<Tensor>>,
    /// Attributes and host inputs that make an op.
    parts: fn() -> (Attrs, Vec<Tensor>),
}

macro_rules! rows {
    ($(($op:ident $function:ident $kind:tt $f:ident))*) => {
        $(overridden!($op $function $kind $f);)*

        fn rows() -> Vec<Row> {
            vec![$(Row {
                name: <$op as NamedOp>::NAME,
                kind: stringify!($kind),
                call: typed!($op $kind),
                parts: || { let (attrs, host, _) = sample::<$op>(); (attrs, host) },
            }),*]
        }
    };
}

macro_rules! overridden {
    ($op:ident $function:ident none $f:ident) => {};
    ($op:ident $function:ident unary $f:ident) => { overridden!($op $function 1 $f); };
    ($op:ident $function:ident reduction $f:ident) => { overridden!($op $function 1 $f); };
    ($op:ident $function:ident binary $f:ident) => { overridden!($op $function 2 $f); };
    ($op:ident $function:ident 1 $f:ident) => {
        #[dispatch]
        impl Each {
            #[overrides($function, ..)]
            fn $f(_x: &Self) -> Result<Tensor> {
                <$op as NamedOp>::NAME.to_tensor()
            }
        }
    };
    ($op:ident $function:ident 2 $f:ident) => {
        #[dispatch]
        impl Each {
            #[overrides($function, ..)]
            fn $f(_x: &Self, _y: &Self) -> Result<Tensor> {
                <$op as NamedOp>::NAME.to_tensor()
            }
        }
    };
    ($op:ident $function:ident 3 $f:ident) => {
        #[dispatch]
        impl Each {
            #[overrides($function, ..)]
            fn $f(_x: &Self, _y: &Self, _z: &Self) -> Result<Tensor> {
                <$op as NamedOp>::NAME.to_tensor()
            }
        }
    };
    ($op:ident $function:ident seq $f:ident) => {
        #[dispatch]
        impl Each {
            #[overrides($function, ..)]
            fn $f(_xs: &[&Self]) -> Result<Tensor> {
                <$op as NamedOp>::NAME.to_tensor()
            }
        }
    };
}

macro_rules! typed {
    ($op:ident none) => { || Ok(vec![]) };
    ($op:ident unary) => {
        || {
            let op = sample::<$op>().2;
            Ok(vec![Each::apply1(&op, &each())?, Families::apply1(&op, &families())?])
        }
    };
    ($op:ident reduction) => { typed!($op unary) };
    ($op:ident binary) => {
        || {
            let (op, x, t) = (sample::<$op>().2, families(), scalar(0i32));
            Ok(vec![
                Each::apply2(&op, &each(), &each())?,
                Families::apply2(&op, &x, &x)?,
                Families::apply2(&op, &x, &t)?,
                Tensor::apply2(&op, &t, &x)?,
            ])
        }
    };
    ($op:ident 1) => { || Ok(vec![Each::apply1(&sample::<$op>().2, &each())?]) };
    ($op:ident 2) => { || Ok(vec![Each::apply2(&sample::<$op>().2, &each(), &each())?]) };
    ($op:ident 3) => { || Ok(vec![Each::apply3(&sample::<$op>().2, &each(), &each(), &each())?]) };
    ($op:ident seq) => { || Ok(vec![Each::apply_seq(&sample::<$op>().2, &[&each(), &each()])?]) };
}

include!(concat!(env!("OUT_DIR"), "/rows.rs"));

/// Some attributes and host inputs that the op takes, found by trying, and the op.
fn sample<O: Op + NamedOp>() -> (Attrs, Vec<Tensor>, O) {
    let def = find_op(O::NAME).unwrap();
    let axis = scalar(0i32);
    let pairs = tensor![[0i64, 0]];
    for bits in 0..1 << O::STATIC_INPUTS {
        let host: Vec<Tensor> = (0..O::STATIC_INPUTS)
            .map(|i| if bits >> i & 1 == 0 { axis.clone() } else { pairs.clone() })
            .collect();
        let mut attrs = Attrs::new();
        for attr in def.attrs.iter().filter(|a| !a.told) {
            match attr.default {
                Some(default) => attrs.set(attr.name, default()),
                None => attrs = with_sample::<O>(attrs, attr.name, &host),
            }
        }
        if let Ok(op) = O::from_parts(&attrs, &host) {
            return (attrs, host, op);
        }
    }
    panic!("no attributes make the op {}", O::NAME);
}

/// The attributes with one more, of the kind that the op wants.
fn with_sample<O: Op>(attrs: Attrs, name: &'static str, host: &[Tensor]) -> Attrs {
    let candidates: [AttrValue; 12] = [
        false.to_attr(),
        0i64.to_attr(),
        0.0f32.to_attr(),
        String::new().to_attr(),
        "REFLECT".to_owned().to_attr(),
        "RIGHT_LEFT".to_owned().to_attr(),
        DType::F32.to_attr(),
        Shape::scalar().to_attr(),
        vec![0i64].to_attr(),
        vec![0.0f32].to_attr(),
        vec![String::new()].to_attr(),
        Array::scalar(0i32).to_attr(),
    ];
    let wrong = format!("attribute `{name}` ");
    let fits = |attrs: &Attrs| match O::from_parts(attrs, host) {
        Ok(_) => true,
        Err(e) => !e.message().contains(&wrong),
    };
    let with = |value: &AttrValue| {
        let mut attrs = attrs.clone();
        attrs.set(name, value.clone());
        attrs
    };
    candidates.iter().map(with).find(fits).unwrap_or(attrs.clone())
}

/// True if no value of an extension type can be given to the op.
fn has_no_operand(def: &OpDef) -> bool {
    def.inputs.iter().all(|a| a.is_static)
        || def.inputs.iter().any(|a| a.dtype == ArgType::Fixed(DType::Resource))
        || ["PartitionedCall", "StatefulPartitionedCall"].contains(&def.name)
        || def.name == "Assert"
        || def.name.starts_with("Extype>") && !def.is_compound()
        || def.name.starts_with("CompositeTensorVariant")
        || def.name.contains("TensorList")
        || def.name == "Host>Function"
}

fn name_in(t: &Tensor) -> String {
    let strings = t.value().unwrap().as_strings().unwrap();
    String::from_utf8(strings[0].clone()).unwrap()
}

/// Rows with operands that have no typed call so far: their operands are of several kinds, or two lists. They are
/// overridden at run time only.
const AT_RUN_TIME_ONLY: &[&str] = &[
    "Bincount",
    "DecodeCSV",
    "DenseBincount",
    "DenseCountSparseOutput",
    "DynamicStitch",
    "FractionalAvgPoolGrad",
    "FractionalMaxPoolGrad",
    "FusedBatchNormGradV3",
    "FusedBatchNormV3",
    "IdentityN",
    "MatrixSolveLs",
    "MutableDenseHashTableV2",
    "ParallelDynamicStitch",
    "RaggedBincount",
    "RaggedCountSparseOutput",
    "RandomIndexShuffle",
    "SparseBincount",
    "SparseCountSparseOutput",
    "SparseSegmentMeanGrad",
    "SparseSegmentMeanGradV2",
    "SparseSegmentMeanWithNumSegments",
    "SparseSegmentSqrtNGrad",
    "SparseSegmentSqrtNGradV2",
    "SparseSegmentSqrtNWithNumSegments",
    "SparseSegmentSumGrad",
    "SparseSegmentSumGradV2",
    "SparseSegmentSumWithNumSegments",
    "TridiagonalMatMul",
];

/// Subjects whose ops are overridden at run time only: images and sound, ops on the indices, values and sizes of sparse and
/// ragged tensors, losses and cells of many operands.
const SUBJECTS_AT_RUN_TIME_ONLY: [&str; 9] = [
    "ops::audio",
    "ops::codecs",
    "ops::ctc",
    "ops::image",
    "ops::quantization",
    "ops::ragged",
    "ops::recurrent",
    "ops::samplers",
    "ops::sparse",
];

/// Ops of this program, and of crates that it uses, beside the table.
fn is_foreign(def: &OpDef) -> bool {
    def.name.contains('>') && !def.name.starts_with("Extype>")
}

#[test]
fn every_op_with_an_operand_can_be_overridden() {
    let listed: BTreeSet<&str> =
        rows().iter().filter(|r| r.kind != "none").map(|r| r.name).collect();
    let all = all_ops();
    let wanted: BTreeSet<&str> =
        all.iter().filter(|d| !has_no_operand(d) && !is_foreign(d)).map(|d| d.name).collect();
    let typed = |name: &str| {
        let module = find_op(name).map_or("", |def| def.module);
        !SUBJECTS_AT_RUN_TIME_ONLY.iter().any(|subject| module.contains(subject))
    };
    let missing = wanted.difference(&listed).copied().filter(|name| typed(name));
    let missing: Vec<&str> = missing.filter(|name| !name.starts_with("Stateless")).collect();
    assert_eq!(missing, AT_RUN_TIME_ONLY, "rows with operands that say `dispatch: none`");
    assert!(wanted.len() > 80, "{}", wanted.len());
}

#[test]
fn typed_calls_go_to_the_overrides_of_every_op() -> Result<()> {
    for row in rows() {
        let results = (row.call)().map_err(|e| e.in_context(row.name))?;
        assert!(results.iter().all(|r| name_in(r) == row.name), "{}", row.name);
        assert!(row.kind == "none" || !results.is_empty());
    }
    Ok(())
}

/// Calls an op at run time with these values as its operands, one for each.
fn at_run_time(row: &Row, operand: &dyn Fn(usize) -> AnyValue) -> Result<String> {
    let def = find_op(row.name)?;
    let (attrs, host) = (row.parts)();
    let (mut host, mut operands) = (host.into_iter(), 0..);
    let lists = def.inputs.iter().filter(|a| a.list).count();
    let inputs = def.spread_inputs(def.inputs.len() + lists);
    let args: Vec<AnyValue> = inputs
        .map(|a| {
            if a.is_static {
                host.next().unwrap().into()
            } else {
                operand(operands.next().unwrap())
            }
        })
        .collect();
    Ok(name_in(&dispatch::call(row.name, &args, &attrs)?.downcast()?))
}

#[test]
fn calls_at_run_time_go_to_the_overrides_of_every_op() -> Result<()> {
    let tensor = || AnyValue::from(scalar(0i32));
    for row in rows().iter().filter(|r| r.kind != "none") {
        let own = |_| AnyValue::new(each());
        assert_eq!(at_run_time(row, &own).map_err(|e| e.in_context(row.name))?, row.name);
        if find_op(row.name)?.kind == OpKind::Standalone {
            continue;
        }
        let own = |_| AnyValue::new(families());
        assert_eq!(at_run_time(row, &own).map_err(|e| e.in_context(row.name))?, row.name);
        if row.kind == "binary" {
            for at in 0..2 {
                let mixed = |i| if i == at { AnyValue::new(families()) } else { tensor() };
                assert_eq!(at_run_time(row, &mixed)?, row.name);
            }
        }
    }
    Ok(())
}

#[test]
fn every_op_says_which_family_it_is_of() -> Result<()> {
    for row in rows() {
        let asked = [
            is_unary_elementwise_op(row.name)?,
            is_binary_elementwise_op(row.name)?,
            is_reduction_op(row.name)?,
        ];
        let want = ["unary", "binary", "reduction"].map(|kind| row.kind == kind);
        assert_eq!(asked, want, "{}", row.name);
        let def = find_op(row.name)?;
        let by_definition =
            [def.is_unary_elementwise(), def.is_binary_elementwise(), def.is_reduction()];
        assert_eq!(by_definition, want, "{}", row.name);
    }
    for name in ["Const", "Placeholder", "ReadVariableOp", "PartitionedCall"] {
        assert!(!is_unary_elementwise_op(name)? && !is_reduction_op(name)?, "{name}");
    }
    assert_eq!(is_unary_elementwise_op("NoSuchOp").unwrap_err().kind(), ErrorKind::NotFound);
    Ok(())
}

#[test]
fn ops_by_the_names_of_numpy_are_theirs() -> Result<()> {
    let x = &families();
    let asked = [
        (x.arctan()?, numpy::arctan(x)?, "Atan"),
        (x.absolute()?, numpy::absolute(x)?, "Abs"),
        (x.rint()?, numpy::rint(x)?, "Rint"),
        (x.multiply(2)?, numpy::multiply(2, x)?, "Mul"),
        (x.subtract(x)?, numpy::subtract(x, tensor![1])?, "Sub"),
        (x.amax(0)?, ops::amax(x, (0, KeepDims))?, "Max"),
        (x.min(..)?, ops::amin(x, ..)?, "Min"),
    ];
    for (method, function, name) in asked {
        assert_eq!([method.to_strings()?, function.to_strings()?], [[name], [name]]);
    }
    Ok(())
}
