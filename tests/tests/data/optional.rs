//! Values that may be missing, and passes that graphs read.

use std::collections::BTreeMap;

use extype::control::host_function;
use extype::data::{Dataset, Optional, Remainder, Steps};
use extype::prelude::*;
use extype::spec::AnyValue;
use extype_ragged::{RaggedTensor, RaggedTensorSpec};

/// The values of all optionals to the end.
fn drained(steps: &Steps<Tensor>) -> Result<Vec<i64>> {
    let mut all = Vec::new();
    loop {
        let next = steps.next()?;
        if !next.has_value().item::<bool>()? {
            return Ok(all);
        }
        all.push(next.get_value()?.item()?);
    }
}

#[test]
fn nests_and_extension_types_go_in_and_out() -> Result<()> {
    let nest = BTreeMap::from([("a".to_owned(), (tensor![1i64, 2], 3i64))]);
    let optional = Optional::from_value(nest.clone())?;
    assert_eq!(optional.get_value()?["a"].0.to_vec::<i64>()?, [1, 2]);
    assert_eq!(*optional.element_spec(), nest.type_spec());

    let ragged = RaggedTensor::from_rows(&[vec![1i64], vec![], vec![2, 3]])?;
    let optional = Optional::from_value(ragged.clone())?;
    assert_eq!(optional.get_value()?.to_string(), ragged.to_string());
    let any: Optional<RaggedTensor> = AnyValue::new(optional).downcast()?;
    assert_eq!(any.get_value()?.to_string(), ragged.to_string());

    let unit = Optional::from_value(())?;
    assert!(unit.has_value().item::<bool>()?);
    unit.get_value()?;
    assert!(Optional::<()>::empty(&().type_spec())?.get_value().is_err());
    Ok(())
}

#[test]
fn an_empty_one_has_a_type_and_no_value() -> Result<()> {
    let spec = RaggedTensorSpec::new(shape![?, ?], DType::F32)?;
    let none = Optional::<RaggedTensor>::empty(&spec)?;
    let e = none.get_value().unwrap_err();
    assert!(e.message().contains("the optional has no value"), "{e}");
    assert_eq!(*none.element_spec(), spec);
    assert!(AnyValue::new(none).downcast::<Optional<Tensor>>().is_err());
    Ok(())
}

#[test]
fn values_with_variables_are_refused() -> Result<()> {
    let e = Optional::from_value(Variable::new(1.0f32)?).unwrap_err();
    assert!(e.message().contains("variables"), "{e}");
    Ok(())
}

#[test]
fn both_arms_of_a_conditional_may_give_one() -> Result<()> {
    let f = function(|x: &Tensor| {
        let first = cond(
            &x.greater(0)?,
            || Optional::from_value(ops::fill([2], x)?),
            || Optional::from_value(ops::fill([3], x)?),
        )?;
        // The shape of either is one of unknown size.
        assert_eq!(*first.element_spec(), TensorSpec::of::<i64>(shape![?]));
        let second = cond(
            &x.equal(0)?,
            || Optional::empty(&TensorSpec::of::<i64>(shape![?])),
            || Ok::<_, Error>(first.clone()),
        )?;
        Ok::<_, Error>((second.has_value().clone(), second))
    });
    let (has, value) = f.call(&scalar(1i64))?;
    assert_eq!((has.item::<bool>()?, value.get_value()?.len()), (true, 2));
    assert_eq!(f.call(&scalar(-1i64))?.1.get_value()?.len(), 3);
    let (has, value) = f.call(&scalar(0i64))?;
    assert!(!has.item::<bool>()? && value.get_value().is_err());
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn a_missing_value_fails_when_the_graph_runs() -> Result<()> {
    let f = function(|x: &Optional<Tensor>| x.get_value()?.square());
    assert_eq!(f.call(&Optional::from_value(scalar(3i64))?)?.item::<i64>()?, 9);
    let e = f.call(&Optional::empty(&TensorSpec::of::<i64>([]))?).unwrap_err();
    assert!(e.message().contains("no value"), "{e}");
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn a_loop_reads_to_the_end() -> Result<()> {
    let steps = Dataset::range(0..5).map(|x| Ok((x.square()?, x))).steps()?;
    let f = function(move || {
        let first = (steps.next()?, scalar(0i64), scalar(0i64));
        let (_, squares, count) = while_loop(
            first,
            |(next, _, _)| Ok(next.has_value().clone()),
            |(next, squares, count)| {
                let (square, _) = next.get_value()?;
                Ok((steps.next()?, squares + square, count + 1))
            },
        )?;
        Ok::<_, Error>((squares, count))
    });
    let (squares, count) = f.call()?;
    assert_eq!((squares.item::<i64>()?, count.item::<i64>()?), (30, 5));
    // The pass has ended, and stays so.
    assert_eq!(f.call()?.1.item::<i64>()?, 0);
    Ok(())
}

#[test]
fn steps_fail_with_their_elements_and_go_on() -> Result<()> {
    let data = Dataset::range(0..3).map(|x| ops::floor_div(6, x));
    let steps = data.steps()?;
    assert!(steps.next().is_err());
    assert_eq!(drained(&steps.clone())?, [6, 3]);
    assert!(drained(&steps)?.is_empty());

    let unknown = Dataset::range(0..3).map(|x| Ok(scalar(x.item::<i64>()?)));
    let e = unknown.steps().err().unwrap();
    assert!(e.message().contains("with_element_spec"), "{e}");
    let known = unknown.with_element_spec(&TensorSpec::of::<i64>([]));
    assert_eq!(drained(&known.steps()?)?, [0, 1, 2]);
    Ok(())
}

#[test]
fn a_graph_steps_once_for_each_call() -> Result<()> {
    let steps = Dataset::range(0..3).prefetch(1).steps()?;
    let f = function(move || steps.next()?.get_value());
    for want in 0..3 {
        assert_eq!(f.call()?.item::<i64>()?, want);
    }
    assert!(f.call().is_err());
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn optionals_are_elements_but_have_no_stacks() -> Result<()> {
    let data = Dataset::range(0..4).map(|x| match x.item::<i64>()? % 2 {
        0 => Optional::from_value(x),
        _ => Optional::empty(&x.type_spec()),
    });
    let present = data.filter(|x| Ok(x.has_value().clone())).map(|x| x.get_value());
    assert_eq!(present.collect_all()?.len(), 2);
    let traced = Dataset::range(0..4).map(Optional::from_value);
    let e = traced.batch(2, Remainder::Keep).checked().unwrap_err();
    assert!(e.message().contains("optionals are not stacked"), "{e}");
    assert_eq!(traced.shuffle(2, 1).cache().collect_all()?.len(), 4);
    Ok(())
}

#[test]
fn datasets_are_arguments_of_graphs() -> Result<()> {
    // Rust code reads them when the graph runs.
    let sum = function(|data: &Dataset<Tensor>| {
        let spec = TensorSpec::of::<i64>([]);
        host_function(
            &spec,
            |data: Dataset<Tensor>| data.reduce(scalar(0i64), |s, x| Ok(s + x)),
            data,
        )
    });
    assert_eq!(sum.call(&Dataset::range(0..5))?.item::<i64>()?, 10);
    assert_eq!(sum.call(&Dataset::range(0..4))?.item::<i64>()?, 6);
    assert_eq!(sum.trace_count(), 1);
    Ok(())
}

#[test]
fn gradients_pass_an_optional() -> Result<()> {
    let f = function(|x: &Tensor| {
        let squared = cond(
            &x.greater(0.0)?,
            || Optional::from_value(x.square()?),
            || Optional::from_value(x.clone()),
        )?;
        squared.get_value()
    });
    let slope = grad(|x: &Tensor| f.call(x));
    assert_eq!(slope(&scalar(3.0f32))?.item::<f32>()?, 6.0);
    assert_eq!(slope(&scalar(-3.0f32))?.item::<f32>()?, 1.0);
    Ok(())
}
