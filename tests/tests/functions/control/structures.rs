//! Extension types as results of arms and as the state of loops.

use extype::control::WhileLoop;
use extype::prelude::*;
use extype_ragged::RaggedTensor;
use extype_tests::types::MaskedTensor;

#[derive(ExtensionType, Clone, Debug)]
struct Tagged {
    values: Tensor,
    tag: i64,
}

#[test]
fn a_ragged_state_keeps_its_type_or_is_declared() -> Result<()> {
    let scale = |x: &RaggedTensor, n: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(n),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::add(&ops::mul(&x, 2.0)?, 0.5)?)),
        )?;
        Ok(x)
    };
    let x = RaggedTensor::from_row_splits(tensor![1.0f32, 2.0, 3.0], tensor![0i64, 2, 2, 3])?;
    for y in [scale(&x, &scalar(2i32))?, function(scale).call(&x, &scalar(2i32))?] {
        assert_eq!(y.flat_values.as_slice::<f32>()?, &[5.5, 9.5, 13.5]);
        assert_eq!(y.row_splits(0)?.as_slice::<i64>()?, &[0, 2, 2, 3]);
    }
    let grow = |x: &RaggedTensor, spec: Option<<RaggedTensor as Structure>::Spec>| {
        let mut grows = WhileLoop::new(x.clone()).maximum_iterations(2);
        if let Some(spec) = spec {
            grows = grows.invariants(spec);
        }
        grows.run(
            |_| Ok(scalar(true)),
            |x| {
                let values = ops::concat(&[&x.flat_values, &x.flat_values], 0)?;
                let splits = ops::mul(x.row_splits(0)?, 2i64)?;
                RaggedTensor::from_row_splits(
                    values,
                    ops::concat(&[&splits, &splits.gather(&tensor![3i32, 3], 0)?], 0)?,
                )
            },
        )
    };
    let mut spec = x.type_spec();
    spec.shape = shape![?, ?];
    for spec in [None, Some(spec)] {
        let grown = function(move |x: &RaggedTensor| grow(x, spec.clone()));
        assert_eq!(grown.call(&x)?.flat_values.shape(), shape![12]);
    }
    let kept = function(move |x: &RaggedTensor| grow(x, Some(x.type_spec())));
    let e = kept.call(&x).expect_err("refused");
    assert!(
        e.message().contains("`vars.shape` is [3, ?]") && e.message().contains("a spec with the shape [?, ?]"),
        "{e}"
    );
    Ok(())
}

#[test]
fn plain_data_of_a_type_stays_the_same_in_a_traced_loop() -> Result<()> {
    let x = Tagged { values: tensor![1.0f32, 2.0], tag: 1 };
    let f = function(|x: &Tagged| {
        while_loop(
            x.clone(),
            |x| x.values.reduce_sum(.., false)?.less(100.0),
            |x| Ok(Tagged { values: ops::mul(&x.values, 2.0)?, tag: x.tag + 1 }),
        )
    });
    let e = f.call(&x).expect_err("refused");
    for part in ["`vars.tag`", "1", "2", "make it a tensor"] {
        assert!(e.message().contains(part), "{part}: {e}");
    }
    let kept = function(|x: &Tagged| {
        while_loop(
            x.clone(),
            |x| x.values.reduce_sum(.., false)?.less(100.0),
            |x| Ok(Tagged { values: ops::mul(&x.values, 2.0)?, tag: x.tag }),
        )
    });
    let y = kept.call(&x)?;
    assert_eq!((y.values.as_slice::<f32>()?, y.tag), (&[64.0f32, 128.0][..], 1));
    Ok(())
}

#[test]
fn arms_return_values_of_extension_types() -> Result<()> {
    let f = function(|p: &Tensor, a: &MaskedTensor, b: &MaskedTensor| {
        cond(p, || Ok(a.clone()), || Ok(b.clone()))
    });
    let a = MaskedTensor::new(tensor![1.0f32, 2.0], tensor![true, false])?;
    let b = MaskedTensor::new(tensor![3.0f32, 4.0, 5.0], tensor![true, true, false])?;
    assert_eq!(f.call(&scalar(true), &a, &b)?.values.as_slice::<f32>()?, &[1.0, 2.0]);
    assert_eq!(f.call(&scalar(false), &a, &b)?.mask.as_slice::<bool>()?, &[true, true, false]);
    let tags = function(|p: &Tensor, x: &Tensor| {
        let tagged = |tag| Ok(Tagged { values: x.clone(), tag });
        cond(p, || tagged(1), || tagged(2))
    });
    let e = tags.call(&scalar(true), &scalar(1.0f32)).expect_err("refused");
    assert!(e.message().contains("`result.tag`"), "{e}");
    Ok(())
}
