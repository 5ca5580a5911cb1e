//! Types of parameters and results as signatures, and plain values cast to signatures.

use std::collections::BTreeMap;

use extype::prelude::*;
use extype::spec::{AnyRank, Const, Dyn, Of};

use super::refused;

fn zeros<const N: usize>(dims: [usize; N]) -> Tensor {
    ops::fill(dims, 0.0f32).expect("a fill")
}

#[tf_function]
fn scaled(x: Of<f32, (Dyn, Const<3>)>, by: &Of<f32, ()>) -> Result<Of<f32, (Dyn,)>> {
    ((&x * by + 1.0) - x.square()?).reduce_sum(1, false)?.typed()
}

#[test]
fn an_annotation_is_the_signature() -> Result<()> {
    let by = scalar(2.0f32).typed()?;
    for n in 1..5 {
        let y = scaled(zeros([n, 3]).typed()?, &by)?;
        assert_eq!(y.as_slice::<f32>()?, vec![3.0; n]);
    }
    assert_eq!(scaled::trace_count(), 1);
    let specs = "(TensorSpec([?, 3], float32), TensorSpec([], float32))";
    assert_eq!(scaled::signatures()[0].to_string(), specs);
    // `concrete` gives the trace that calls use, for subtypes too.
    let general = scaled::concrete(&Default::default(), &by.type_spec())?;
    let special = scaled::concrete(&zeros([2, 3]).typed()?.type_spec(), &by.type_spec())?;
    assert_eq!(general.name(), special.name());
    assert_eq!(scaled::trace_count(), 1);
    assert_eq!(general.output_spec().to_string(), "TensorSpec([?], float32)");
    Ok(())
}

#[test]
fn what_contradicts_an_annotation_is_refused_where_it_is_made() {
    let rows = |t: Tensor| refused(t.typed::<f32, (Dyn, Const<3>)>());
    assert!(rows(zeros([2, 4])).contains("expected a tensor of float32[?, 3], got float32[2, 4]"));
    assert!(rows(zeros([3])).contains("got float32[3]"));
    assert!(rows(tensor![[1i32, 2, 3]]).contains("got int32[1, 3]"));
    assert!(zeros([0, 3]).typed::<f32, (Dyn, Const<3>)>().is_ok());
    assert!(zeros([0, 3]).typed::<f32, AnyRank>().is_ok());
    // A result that is not what the function states.
    let f = function(|x: &Tensor| x.clone().typed::<f32, (Const<2>,)>());
    let e = refused(f.call(&zeros([3])));
    assert!(
        e.contains("expected a tensor of float32[2], got float32[3]") && e.contains("closure"),
        "{e}"
    );
    assert!(f.call(&zeros([2])).is_ok());
}

#[test]
fn sizes_that_a_trace_does_not_know_are_checked_when_it_runs() -> Result<()> {
    #[tf_function]
    fn pair(x: &Of<f32, (Const<2>,)>) -> Result<Tensor> {
        assert_eq!(x.shape(), shape![2]);
        x.reduce_sum(0, false)
    }

    #[tf_function(signature(f32[..]))]
    fn outer(x: &Tensor) -> Result<Tensor> {
        pair(&x.clone().typed()?)
    }

    assert_eq!(outer(&tensor![1.0f32, 2.0])?.item::<f32>()?, 3.0);
    let e = refused(outer(&tensor![1.0f32, 2.0, 3.0]));
    assert!(e.contains("[3]") && e.contains("[2]"), "{e}");
    assert_eq!(outer(&tensor![5.0f32, 2.0])?.item::<f32>()?, 7.0);
    assert_eq!((outer::trace_count(), pair::trace_count()), (1, 1));
    Ok(())
}

type Row = Of<f32, (Dyn,)>;

#[tf_function]
fn nested(rows: &[Row], named: &BTreeMap<String, (Row, Option<Tensor>)>) -> Result<Vec<Row>> {
    let shift = &named["a"].0;
    rows.iter().map(|row| (row + shift.reduce_sum(0, false)?).typed()).collect()
}

#[test]
fn annotations_within_lists_maps_tuples_and_options_count() -> Result<()> {
    let row = |n: usize| zeros([n]).typed::<f32, (Dyn,)>();
    let map = |n: usize, m: usize| -> Result<_> {
        Ok(BTreeMap::from([("a".to_string(), (row(n)?, Some(zeros([m]))))]))
    };
    nested(&[row(1)?, row(2)?], &map(3, 1)?)?;
    nested(&[row(4)?, row(5)?], &map(6, 1)?)?;
    assert_eq!(nested::trace_count(), 1);
    // Another length, and another size of a tensor without annotation, are other types.
    nested(&[row(4)?], &map(6, 1)?)?;
    nested(&[row(4)?], &map(6, 2)?)?;
    assert_eq!(nested::trace_count(), 3);
    Ok(())
}

#[tf_function(signature(f32[4, 3]))]
fn more_special(x: &Of<f32, (Dyn, Const<3>)>) -> Result<Tensor> {
    x.reduce_sum(.., false)
}

type Pairs = Of<f32, (Dyn, Const<2>)>;

#[tf_function(signature(f32[?, 3]))]
fn contradictory(x: &Pairs) -> Result<Tensor> {
    x.reduce_sum(.., false)
}

#[test]
fn a_signature_beside_an_annotation_is_at_most_as_general() -> Result<()> {
    let _ = more_special(&zeros([4, 3]).typed()?)?;
    let e = refused(more_special(&zeros([5, 3]).typed()?));
    assert!(e.contains("argument `x` is TensorSpec([5, 3], float32)"), "{e}");
    let e = refused(contradictory(&zeros([5, 2]).typed()?));
    let told = "`contradictory`: the signature says that `x` is TensorSpec([?, 3], float32), and its type says \
                TensorSpec([?, 2], float32)";
    assert!(e.contains(told), "{e}");
    Ok(())
}

#[test]
fn an_annotated_tensor_is_an_operand_a_loop_variable_and_a_source() -> Result<()> {
    let x = tensor![1.0f32, 2.0].typed::<f32, (Dyn,)>()?;
    assert_eq!((-&x / 2.0).as_slice::<f32>()?, &[-0.5, -1.0]);
    assert_eq!(ops::add(&x, tensor![1.0f32, 1.0])?.as_slice::<f32>()?, &[2.0, 3.0]);
    assert_eq!((tensor![1.0f32, 1.0] * &x).as_slice::<f32>()?, &[1.0, 2.0]);
    assert_eq!(
        grad(|x: &Row| x.square()?.reduce_sum(.., false))(&x)?.as_slice::<f32>()?,
        &[2.0, 4.0]
    );
    let f = function(|x: &Row| {
        let step = |(i, x): (Tensor, Row)| Ok((ops::add(i, 1)?, (&x * 2.0).typed()?));
        Ok(while_loop((scalar(0i32), x.clone()), |(i, _)| i.less(3), step)?.1)
    });
    assert_eq!(f.call(&x)?.as_slice::<f32>()?, &[8.0, 16.0]);
    Ok(())
}

#[derive(ExtensionType, Clone, Debug)]
struct Pair {
    a: Tensor,
    b: Tensor,
}

#[tf_function(signature(f32[?], i32[], _, static bool, _))]
fn plain(x: &Tensor, n: &Tensor, pair: &Pair, negate: bool, names: &[Tensor]) -> Result<Tensor> {
    let y = x * n.cast(f32)? + &pair.a + &pair.b;
    let y = if negate { -y } else { y };
    Ok(if names.is_empty() { y } else { y * names.len() })
}

#[test]
fn plain_values_take_the_dtypes_of_the_signature() -> Result<()> {
    let pair = Pair::new(1.0f32, 2.0f32)?;
    let none: Vec<Tensor> = Vec::new();
    let y = plain::call((vec![1.0, 2.0], 3, pair.clone(), true, none.clone()))?;
    assert_eq!(y.as_slice::<f32>()?, &[-6.0, -9.0]);
    let y = plain::call(([1u8, 2], 3u64, pair.clone(), false, vec!["a", "b"]))?;
    assert_eq!(y.as_slice::<f32>()?, &[12.0, 18.0]);
    assert_eq!(
        plain::call((tensor![1.0f32], scalar(1i32), pair.clone(), false, none.clone()))?.shape(),
        shape![1]
    );
    for (e, told) in [
        (
            refused(plain::call((vec![1.0], 1.5, pair.clone(), true, none.clone()))),
            "`plain`: argument `n`: 1.5 does not fit int32",
        ),
        (
            refused(plain::call((vec![1.0], 1i64 << 40, pair.clone(), true, none.clone()))),
            "`plain`: argument `n`: ",
        ),
        (
            refused(plain::call((vec!["a"], 1, pair.clone(), true, none.clone()))),
            "`plain`: argument `x`: ",
        ),
        (
            refused(plain::call((vec![vec![1.0]], 1, pair.clone(), true, none.clone()))),
            "argument `x` is TensorSpec([1, 1], float32)",
        ),
        // The dtype of a tensor is never changed.
        (
            refused(plain::call((tensor![1.0f64], 1, pair.clone(), true, none.clone()))),
            "argument `x` is TensorSpec([1], float64)",
        ),
        (
            refused(plain::call((vec![vec![1.0], vec![]], 1, pair, true, none))),
            "`plain`: argument `x`: ",
        ),
    ] {
        assert!(e.contains(told), "{e}");
    }
    Ok(())
}

#[tf_function]
fn structured(
    pairs: Vec<(Tensor, Of<i64, (Dyn,)>)>,
    flag: Option<bool>,
    name: &str,
) -> Result<Tensor> {
    assert!(flag.is_none() || name == "x");
    let sums = pairs.iter().map(|(x, n)| Ok(x + n.reduce_sum(0, false)?.cast(f64)?));
    ops::add_n(&sums.collect::<Result<Vec<_>>>()?)
}

#[test]
fn structures_are_cast_part_by_part_and_errors_name_the_place() -> Result<()> {
    let y = structured::call((vec![(1.5f64, vec![1, 2]), (2.5, vec![3])], Some(true), "x"))?;
    assert_eq!(y.item::<f64>()?, 10.0);
    let y = structured::call((vec![(scalar(1.0f64), [1u8])], None::<bool>, "y"))?;
    assert_eq!(y.item::<f64>()?, 2.0);
    let e =
        refused(structured::call((vec![(1.5f64, vec![1.0]), (2.5, vec![0.5])], None::<bool>, "x")));
    assert!(
        e.contains("`structured`: argument `pairs[0][1]`: [1.] float64[1] does not fit int64"),
        "{e}"
    );
    Ok(())
}

#[test]
fn a_function_runs_with_a_profile_of_the_same_run() -> Result<()> {
    let (x, by) = (zeros([2, 3]).typed()?, scalar(2.0f32).typed()?);
    let (y, profile) = scaled::run_with(&x, &by, extype::function::RunOptions::profile())?;
    assert_eq!(y.as_slice::<f32>()?, &[3.0, 3.0]);
    assert!(!profile.steps.is_empty() && profile.trace_events().starts_with('['));
    Ok(())
}

#[derive(StaticData, Clone, Debug, PartialEq)]
enum Sign {
    Plus,
    Minus,
}

#[tf_function]
fn signed(x: &Tensor, sign: Sign, count: &Variable) -> Result<Tensor> {
    count.assign_add(1)?;
    if sign == Sign::Plus { Ok(x.clone()) } else { ops::neg(x) }
}

#[test]
fn plain_data_of_ones_own_and_variables_are_passed_as_they_are() -> Result<()> {
    let count = Variable::new(0i64)?;
    assert_eq!(signed::call((1.5f32, Sign::Minus, &count))?.item::<f32>()?, -1.5);
    assert_eq!(signed::call((1.5f32, Sign::Plus, count.clone()))?.item::<f32>()?, 1.5);
    assert_eq!(count.read()?.item::<i64>()?, 2);
    Ok(())
}
