//! Boxed tensors: what is done to them is done to the values they stand for.

use std::fmt::Debug;

use extype::spec::{AnyValue, Boxes, concat_values, stack_values, unstack_values};
use extype_ragged::{RaggedTensor, RaggedTensorSpec};

use super::*;

/// Words of a text, and a number for the text.
#[derive(ExtensionType, Clone, Debug)]
struct Bag {
    words: RaggedTensor,
    weight: Tensor,
    language: String,
}

/// True if the tensors of both values are the same bit by bit.
fn same<S: Structure>(a: &S, b: &S) -> bool {
    let (a, b) = (AnyValue::of(a), AnyValue::of(b));
    let equal = |(x, y): (&Tensor, &Tensor)| match (x.value(), y.value()) {
        (Ok(x), Ok(y)) => x.identical(y),
        _ => false,
    };
    a.leaves().len() == b.leaves().len() && a.leaves().iter().zip(b.leaves()).all(equal)
}

/// Tensor `i` of all lists, for each `i`, joined.
fn joined(
    lists: Vec<Vec<Tensor>>,
    join: impl Fn(&[Tensor]) -> Result<Tensor>,
) -> Result<Vec<Tensor>> {
    let count = lists[0].len();
    (0..count).map(|i| join(&lists.iter().map(|l| l[i].clone()).collect::<Vec<_>>())).collect()
}

/// The laws of the RFC for values of one type, an even number of them.
fn check<S: Structure + Clone + Debug>(values: &[S]) -> Result<()> {
    let n = values.len();
    let one = AnySpec::common_supertype_of(
        values.iter().map(|v| v.type_spec().to_any()).collect::<Vec<_>>().iter(),
    );
    let one = S::Spec::from_any(&one.expect("values of one type"))?;
    let stacked = one.stacked(n.into())?;
    let boxes = values.iter().map(|v| one.to_boxed_tensors(v, 0)).collect::<Result<Vec<_>>>()?;
    for (v, boxed) in values.iter().zip(&boxes) {
        assert_eq!(boxed.len(), one.boxed_tensor_specs(0)?.len());
        assert!(same(v, &one.from_boxed_tensors(boxed.clone())?), "{v:?}");
    }
    // Stacked boxes are a stack.
    let stack = stack_values(values)?;
    let of_boxes = stacked.from_boxed_tensors(joined(boxes, |b| ops::stack(b, 0))?)?;
    assert!(same(&stack, &of_boxes), "{stack:?} and {of_boxes:?}");
    // Boxes of a stack come apart into those of its values.
    let of_stack = stacked.to_boxed_tensors(&stack, 1)?;
    for (boxed, spec) in of_stack.iter().zip(stacked.boxed_tensor_specs(1)?) {
        assert_eq!((boxed.shape().dim(0)?, boxed.dtype()), (n.into(), spec.dtype));
        assert!(spec.shape.rank().is_none_or(|rank| rank >= 1));
    }
    let again = unstack_values(&stack)?;
    for (i, v) in values.iter().enumerate() {
        let boxed = of_stack.iter().map(|b| b.gather(i as i64, 0)).collect::<Result<_>>()?;
        assert!(same(v, &stacked.unstacked()?.from_boxed_tensors(boxed)?), "{v:?}");
        assert!(same(v, &again[i]), "{v:?}");
    }
    // Joined boxes are joined stacks.
    let twice = concat_values(&[stack.clone(), stack.clone()])?;
    let boxed = joined(vec![of_stack.clone(), of_stack.clone()], |b| ops::concat(b, 0))?;
    let spec = one.stacked((2 * n).into())?;
    assert!(same(&twice, &spec.from_boxed_tensors(boxed)?), "{twice:?}");
    let both: Vec<S> = values.iter().chain(values).cloned().collect();
    assert!(same(&twice, &stack_values(&both)?), "{twice:?}");
    // Reshaped boxes are batches.
    let pairs = values.chunks(2).map(stack_values).collect::<Result<Vec<_>>>()?;
    let batches = stack_values(&pairs)?;
    let boxed = of_stack.iter().map(|b| {
        let inner = ops::shape_of(b)?.slice([1i64], [-1i64])?.cast(DType::I64)?;
        b.reshape(&ops::concat(&[&tensor![(n / 2) as i64, 2], &inner], 0)?)
    });
    let spec = one.stacked(2.into())?.stacked((n / 2).into())?;
    let batched = spec.from_boxed_tensors(boxed.collect::<Result<_>>()?)?;
    assert!(same(&batches, &batched), "{batches:?} and {batched:?}");
    // Traces do the same.
    let doubled = function(|x: &S| {
        let spec = x.type_spec();
        let boxed = spec.to_boxed_tensors(x, 1)?;
        let boxed = boxed.iter().map(|b| ops::concat(&[b, b], 0)).collect::<Result<_>>()?;
        spec.unstacked()?.stacked(Dim::UNKNOWN)?.from_boxed_tensors(boxed)
    });
    assert!(same(&twice, &doubled.call(&stack)?), "{twice:?}");
    Ok(())
}

fn ragged(rows: &[Vec<i64>]) -> Result<RaggedTensor> {
    RaggedTensor::from_rows(rows)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn tensors_and_types_of_tensors(dims in prop::collection::vec(0usize..3, 0..3), half in 1usize..3) {
        let value = |i: usize| -> Result<(MaskedTensor, Option<Tensor>)> {
            let values = ops::fill(dims.clone(), i as f32)?;
            Ok((MaskedTensor::new(&values, ops::greater(&values, 1.0f32)?)?, Some(scalar(i as i64))))
        };
        let values: Vec<_> = (0..2 * half).map(value).collect::<Result<_>>()?;
        check(&values)?;
    }

    #[test]
    fn ragged_rows(rows in prop::collection::vec(prop::collection::vec(prop::collection::vec(0i64..9, 0..3), 0..4), 2..7)) {
        let even = rows.len() / 2 * 2;
        let values: Vec<_> = rows[..even].iter().map(|r| ragged(r)).collect::<Result<_>>()?;
        check(&values)?;
        let deep: Vec<_> = values.chunks(2).flat_map(|p| [stack_values(p), stack_values(p)]).collect::<Result<_>>()?;
        check(&deep)?;
        // Plain rows.
        let rows: Vec<_> = rows.concat().into_iter().map(RaggedTensor::from_dense).collect::<Result<_>>()?;
        if rows.len() >= 2 {
            check(&rows[..rows.len() / 2 * 2])?;
        }
    }

    #[test]
    fn types_with_ragged_fields(rows in prop::collection::vec(prop::collection::vec(prop::collection::vec(0i64..9, 0..3), 0..4), 2..5)) {
        let bag = |r: &Vec<Vec<i64>>| Bag::new(ragged(r)?, scalar(r.len() as f32), "en".to_owned());
        let values: Vec<_> = rows[..rows.len() / 2 * 2].iter().map(bag).collect::<Result<_>>()?;
        check(&values)?;
    }
}

#[test]
fn what_has_no_box_is_refused() -> Result<()> {
    let spec = ragged(&[vec![1], vec![]])?.type_spec();
    let e = spec.to_boxed_tensors(&ragged(&[vec![1, 2], vec![], vec![]])?, 0).unwrap_err();
    assert!(e.message().contains("is boxed as"), "{e}");
    let value = ragged(&[vec![1], vec![]])?;
    let e = spec.to_boxed_tensors(&value, 2).unwrap_err();
    assert!(e.message().contains("row 0 has 1, row 1 has 0"), "{e}");
    let boxed = spec.to_boxed_tensors(&value, 1)?;
    // Boxes of another dtype, too few, too many, plain tensors.
    let floats = RaggedTensorSpec { dtype: DType::F32, ..spec.clone() };
    let e = floats.from_boxed_tensors(boxed.clone()).unwrap_err();
    assert!(e.message().contains("holds int64"), "{e}");
    assert!(spec.from_boxed_tensors([&boxed[..], &boxed[..]].concat()).is_err());
    assert!(spec.from_boxed_tensors(vec![]).is_err());
    let e = spec.from_boxed_tensors(vec![tensor![1i64, 2]]).unwrap_err();
    assert!(e.message().contains("is boxed as variants"), "{e}");
    assert!(TensorSpec::of::<f32>([]).boxed_tensor_specs(1).is_err());
    assert!(TensorSpec::of::<f32>([]).to_boxed_tensors(&scalar(1.0f32), 1).is_err());
    // Values without a common type.
    let words = |language: &str| Bag::new(value.clone(), scalar(1.0f32), language.to_owned());
    let e = stack_values(&[words("en")?, words("de")?]).unwrap_err();
    assert!(e.message().contains("no type has all values of both"), "{e}");
    assert!(stack_values::<Tensor>(&[]).is_err() && concat_values::<Tensor>(&[]).is_err());
    assert!(unstack_values(&scalar(1.0f32)).is_err());
    let e = unstack_values(&(tensor![1i64, 2], tensor![1i64])).unwrap_err();
    assert!(e.message().contains("2 and 1 elements"), "{e}");
    Ok(())
}

#[test]
fn boxes_hold_the_rows_that_their_sizes_say() -> Result<()> {
    let rows = |sizes: &[i64]| {
        let sizes = Tensor::from_vec(sizes.to_vec());
        Boxes { values: tensor![[1.0f32], [2.0], [3.0]], sizes }.to_variants()
    };
    for sizes in [&[2i64][..], &[2, 2], &[-1, 4], &[i64::MAX, 3], &[]] {
        assert!(rows(sizes).is_err(), "{sizes:?}");
    }
    let none = Boxes {
        values: Tensor::from_slice::<f32>(&[], &[0, 1])?,
        sizes: Tensor::from_vec(Vec::<i64>::new()),
    };
    let spec = TensorSpec::of::<f32>(shape![?, 1]);
    let back = Boxes::from_variants(&none.to_variants()?, &spec)?;
    assert_eq!((back.values.shape(), back.sizes.shape()), (shape![0, 1], shape![0]));
    let narrow = TensorSpec::of::<f32>(shape![?, 2]);
    assert!(Boxes::from_variants(&rows(&[0, 3])?, &narrow).is_err());
    Ok(())
}

#[test]
fn gradients_pass_boxes() -> Result<()> {
    let loss = |x: &Tensor| {
        let boxes = Boxes { values: x.clone(), sizes: tensor![2i64, 1] }.to_variants()?;
        let boxes = ops::concat(&[&boxes, &boxes], 0)?.reshape([2, 2])?;
        let back = Boxes::from_variants(&boxes, &TensorSpec::of::<f32>(shape![?]))?;
        let weights = tensor![1.0f32, 2.0, 4.0, 10.0, 20.0, 40.0];
        ops::mul(&back.values, &weights)?.reduce_sum(.., false)
    };
    let x = tensor![1.0f32, 2.0, 3.0];
    for found in [extype::grad(loss)(&x)?, function(extype::grad(loss)).call(&x)?] {
        assert_eq!(found.as_slice::<f32>()?, &[11.0, 22.0, 44.0]);
    }
    Ok(())
}
