//! Conditionals whose arms are of unlike types.

use extype::control::Join;
use extype::control::cond_values;
use extype::prelude::*;
use extype::spec::{AnySpec, AnyValue};
use extype_masked::MaskedTensor;
use extype_ragged::RaggedTensor;

fn rows() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0]])
}

#[test]
fn a_ragged_and_a_dense_arm_give_a_ragged_tensor_in_both_orders() -> Result<()> {
    let dense = tensor![[5.0f32, 6.0], [7.0, 8.0]];
    let first = |p: &Tensor, r: &RaggedTensor, x: &Tensor| {
        let joined: RaggedTensor = cond(p, || Ok(r.clone()), || ops::mul(x, 2.0))?;
        Ok(joined)
    };
    let second = |p: &Tensor, r: &RaggedTensor, x: &Tensor| {
        let joined: RaggedTensor = cond(p, || ops::mul(x, 2.0), || Ok(r.clone()))?;
        Ok(joined)
    };
    let (f, g) = (function(first), function(second));
    let (yes, no, r) = (scalar(true), scalar(false), rows()?);
    for joined in [first(&yes, &r, &dense)?, f.call(&yes, &r, &dense)?, g.call(&no, &r, &dense)?] {
        joined.check()?;
        assert_eq!(joined.to_string(), "[[1.0, 2.0], [], [3.0]]");
    }
    for joined in [second(&yes, &r, &dense)?, f.call(&no, &r, &dense)?, g.call(&yes, &r, &dense)?] {
        joined.check()?;
        assert_eq!(joined.to_string(), "[[10.0, 12.0], [14.0, 16.0]]");
    }
    Ok(())
}

#[test]
fn each_arm_casts_its_own_result() -> Result<()> {
    let f = function(|p: &Tensor, r: &RaggedTensor, x: &Tensor| {
        cond(p, || Ok(r.clone()), || Ok(x.clone()))
    });
    // What can't be cast fails where its arm runs, not in the other.
    let spec = TensorSpec::new(shape![?, ?], DType::F32);
    let any = f.concrete(&TensorSpec::of::<bool>([]), &rows()?.type_spec(), &spec)?;
    let text = any.graph().to_string();
    assert!(!text.contains("reshape"), "the cast is part of the arm: {text}");
    let dense = Tensor::from_slice::<f32>(&[], &[3, 0])?;
    let empty = f.call(&scalar(false), &rows()?, &dense)?;
    assert_eq!(empty.to_string(), "[[], [], []]");
    Ok(())
}

#[test]
fn gradients_pass_the_cast() -> Result<()> {
    let loss = function(|p: &Tensor, r: &RaggedTensor, x: &Tensor| {
        let joined = cond(p, || Ok(r.clone()), || ops::square(x))?;
        joined.flat_values.reduce_sum(.., false)
    });
    let (r, p) = (rows()?, scalar(false));
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let dx = extype::grad(|x: &Tensor| loss.call(&p, &r, x))(&x)?;
    assert_eq!(dx.as_slice::<f32>()?, &[2.0, 4.0, 6.0, 8.0]);
    Ok(())
}

#[test]
fn what_differs_within_one_type_is_still_an_error() -> Result<()> {
    let two = function(|p: &Tensor, x: &Tensor| {
        let nested = || {
            let splits = vec![tensor![0i64, 1], tensor![0i64, 2]];
            RaggedTensor::from_nested_row_splits([1.0f32, 2.0], splits)
        };
        cond(p, nested, || Ok(x.clone()))
    });
    let e = two.call(&scalar(true), &tensor![[1.0f32]]).expect_err("two ragged axes and one");
    assert!(e.message().contains("ragged_rank"), "{e}");
    let lengths = function(|p: &Tensor, x: &Tensor| {
        cond(p, || Ok(vec![x.clone()]), || Ok(vec![x.clone(), x.clone()]))
    });
    assert!(lengths.call(&scalar(true), &scalar(1.0f32)).is_err());
    let options = function(|p: &Tensor, x: &Tensor| cond(p, || Ok(Some(x.clone())), || Ok(None)));
    assert!(options.call(&scalar(true), &scalar(1.0f32)).is_err());
    Ok(())
}

/// Calls whose types follow from each other, in a crate that sees types that join tensors.
#[test]
fn ordinary_calls_infer() -> Result<()> {
    fn either<T: Structure>(p: &Tensor, a: T, b: T) -> Result<T> {
        cond(p, || Ok(a), || Ok(b))
    }
    let (p, x) = (scalar(true), scalar(1.0f32));
    assert_eq!(either(&p, x.clone(), x.clone())?.item::<f32>()?, 1.0);
    assert_eq!(cond(&p, || x.log(), || Ok(x.clone()))?.item::<f32>()?, 0.0);
    let pair = cond(&p, || Ok((x.clone(), 1i64)), || Ok((x.clone(), 1)))?;
    assert_eq!(pair.1, 1);
    let list = cond(&p, || Ok(vec![x.clone()]), || Ok(vec![]))?;
    assert_eq!(list.len(), 1);
    let fails = || -> Result<Tensor> { Err(Error::invalid("no")) };
    assert_eq!(cond(&p, || x.log(), fails)?.item::<f32>()?, 0.0);
    Ok(())
}

#[test]
fn a_masked_and_a_dense_arm_give_a_masked_tensor() -> Result<()> {
    let f = function(|p: &Tensor, m: &MaskedTensor, x: &Tensor| {
        cond(p, || ops::neg(x), || Ok(m.clone()))
    });
    let m = MaskedTensor::from_options(&[Some(1.0), None])?;
    let x = tensor![3.0f64, 4.0];
    assert_eq!(f.call(&scalar(true), &m, &x)?.to_string(), "[-3. -4.]");
    assert_eq!(f.call(&scalar(false), &m, &x)?.to_string(), "[1. --]");
    Ok(())
}

#[test]
fn specs_know_what_they_can_be_cast_to() -> Result<()> {
    let ragged = rows()?.type_spec().to_any();
    let dense = TensorSpec::of::<f32>(shape![4, 5]).to_any();
    let both =
        "RaggedTensorSpec(shape=[?, ?], dtype=float32, ragged_rank=1, row_splits_dtype=int64)";
    for (a, b) in [(&ragged, &dense), (&dense, &ragged)] {
        let joined = a.castable_type(b)?.expect("dense rows are ragged rows");
        assert_eq!(joined.to_string(), both);
        // The rows of a matrix.
        let cast =
            joined.cast(AnyValue::new(tensor![[1.0f32, 2.0]]))?.downcast::<RaggedTensor>()?;
        assert_eq!(cast.to_string(), "[[1.0, 2.0]]");
        let same = joined.cast(AnyValue::new(rows()?))?.downcast::<RaggedTensor>()?;
        assert_eq!(same.to_string(), rows()?.to_string());
    }
    // Within containers, beside parts that only generalize.
    let pair = |a: &AnySpec, n: usize| {
        AnySpec::Tuple(vec![a.clone(), TensorSpec::of::<i32>([n]).to_any()].into())
    };
    let joined = pair(&ragged, 2).castable_type(&pair(&dense, 3))?.expect("part by part");
    assert_eq!(joined.to_string(), format!("({both}, TensorSpec([?], int32))"));
    let value = AnyValue::new((tensor![[1.0f32, 2.0]], tensor![1i32, 2]));
    let (cast, _): (RaggedTensor, Tensor) = joined.cast(value)?.downcast()?;
    assert_eq!(cast.to_string(), "[[1.0, 2.0]]");
    // What is not castable: another dtype, a masked and a ragged tensor, a vector.
    let masked = MaskedTensor::from_options(&[Some(1.0f32)])?.type_spec().to_any();
    assert_eq!(ragged.castable_type(&masked)?, None);
    assert_eq!(ragged.castable_type(&TensorSpec::of::<i32>(shape![4, 5]).to_any())?, None);
    assert!(ragged.castable_type(&TensorSpec::of::<f32>(shape![4]).to_any()).is_err());
    let e = joined.cast(AnyValue::new(scalar(1.0f32))).expect_err("no pair");
    assert!(e.message().contains("can't be cast"), "{e}");
    Ok(())
}

#[test]
fn arms_of_types_known_at_run_time_only_are_cast() -> Result<()> {
    let of = |p: &Tensor, r: &RaggedTensor, x: &Tensor| {
        let ragged = || Ok(AnyValue::new((r.clone(), x.clone())));
        let dense = || Ok(AnyValue::new((ops::mul(x, 2.0)?, ops::neg(x)?)));
        cond_values(p, ragged, dense)?.downcast::<(RaggedTensor, Tensor)>()
    };
    let f = function(of);
    let x = tensor![[5.0f32, 6.0]];
    let (ragged, own) = f.call(&scalar(true), &rows()?, &x)?;
    assert_eq!(ragged.to_string(), "[[1.0, 2.0], [], [3.0]]");
    assert_eq!(own.as_slice::<f32>()?, &[5.0, 6.0]);
    let (ragged, own) = f.call(&scalar(false), &rows()?, &x)?;
    assert_eq!(ragged.to_string(), "[[10.0, 12.0]]");
    assert_eq!(own.as_slice::<f32>()?, &[-5.0, -6.0]);
    let unlike = function(|p: &Tensor, x: &Tensor| {
        let list = || Ok(AnyValue::new(vec![x.clone()]));
        cond_values(p, list, || Ok(AnyValue::new(x.clone())))?.downcast::<Tensor>()
    });
    let e = unlike.call(&scalar(true), &x).expect_err("a list and a tensor");
    assert!(
        e.message().contains("the arm `then`") && e.message().contains("the arm `else`"),
        "{e}"
    );
    Ok(())
}

/// A length in metres, or in miles: both join to numbers with their unit.
#[derive(ExtensionType, Clone, Debug)]
struct Metres {
    value: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
struct Miles {
    value: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
struct Length {
    value: Tensor,
    unit: Tensor,
}

impl Join<Miles> for Metres {
    type Joined = Length;

    fn join_self(self) -> Result<Length> {
        Length::new(self.value, 1.0f32)
    }

    fn join_other(other: Miles) -> Result<Length> {
        Length::new(other.value, 1609.0f32)
    }
}
extype::join_both_ways!(Metres, Miles);

/// With a plain number there is no unit that both have: the number alone.
impl Join<Tensor> for Metres {
    type Joined = (Tensor, Option<Tensor>);

    fn join_self(self) -> Result<(Tensor, Option<Tensor>)> {
        Ok((self.value, Some(scalar(1.0f32))))
    }

    fn join_other(other: Tensor) -> Result<(Tensor, Option<Tensor>)> {
        Ok((other.clone(), Some(other)))
    }
}
extype::join_both_ways!(Metres, Tensor);

#[test]
fn values_are_cast_to_a_third_type_that_two_have_in_common() -> Result<()> {
    let (metres, miles) = (Metres::new(3.0f32)?, Miles::new(2.0f32)?);
    let (a, b) = (metres.type_spec().to_any(), miles.type_spec().to_any());
    for joined in [a.castable_type(&b)?, b.castable_type(&a)?] {
        let joined = joined.expect("a length");
        assert_eq!(joined, Length::new(1.0f32, 1.0f32)?.type_spec().to_any());
        let cast: Length = joined.cast(AnyValue::new(metres.clone()))?.downcast()?;
        assert_eq!(cast.unit.item::<f32>()?, 1.0);
        let cast: Length = joined.cast(AnyValue::new(miles.clone()))?.downcast()?;
        assert_eq!(cast.unit.item::<f32>()?, 1609.0);
    }
    let number = TensorSpec::of::<f32>([]).to_any();
    let joined = a.castable_type(&number)?.expect("a pair");
    for value in [AnyValue::new(metres.clone()), AnyValue::new(scalar(3.0f32))] {
        let cast: (Tensor, Option<Tensor>) = joined.cast(value)?.downcast()?;
        assert_eq!(cast.0.item::<f32>()?, 3.0);
    }
    let e = joined.cast(AnyValue::new(miles)).expect_err("miles are no pair");
    assert!(e.message().contains("can't be cast"), "{e}");
    let f = function(|p: &Tensor, a: &Metres, b: &Miles| {
        let arms = (|| Ok(AnyValue::new(a.clone())), || Ok(AnyValue::new(b.clone())));
        cond_values(p, arms.0, arms.1)?.downcast::<Length>()
    });
    let miles = Miles::new(2.0f32)?;
    assert_eq!(f.call(&scalar(true), &metres, &miles)?.unit.item::<f32>()?, 1.0);
    assert_eq!(f.call(&scalar(false), &metres, &miles)?.unit.item::<f32>()?, 1609.0);
    Ok(())
}
