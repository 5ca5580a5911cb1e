//! `map_fn`, `scan`, `fold`.

use extype::control::MapFn;
use extype::control::fold;
use extype::prelude::*;
use extype_tests::types::MaskedTensor;

#[test]
fn rows_are_mapped_eagerly_traced_and_without_any() -> Result<()> {
    let of = |x: &Tensor| {
        map_fn(x, |row: Tensor| Ok((row.reduce_sum(.., false)?, ops::mul(&row, 2.0)?)))
    };
    let f = function(of);
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    for (sums, doubled) in [of(&x)?, f.call(&x)?] {
        assert_eq!(sums.as_slice::<f32>()?, &[3.0, 7.0, 11.0]);
        assert_eq!(doubled.as_slice::<f32>()?, &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    }
    let none = Tensor::from_slice::<f32>(&[], &[0, 2])?;
    for (sums, doubled) in [of(&none)?, f.call(&none)?] {
        assert_eq!((sums.shape(), doubled.shape()), (shape![0], shape![0, 2]));
    }
    let any = f.concrete(&TensorSpec::new(shape![?, 2], DType::F32))?;
    assert_eq!(any.call_flat(&[x])?[0].as_slice::<f32>()?, &[3.0, 7.0, 11.0]);
    Ok(())
}

#[test]
fn sizes_are_known_where_they_can_be() -> Result<()> {
    let f = function(|x: &Tensor| {
        let y = map_fn(x, |row: Tensor| row.exp())?;
        assert_eq!(y.shape(), shape![3, 2]);
        Ok(y)
    });
    let _ = f.call(&tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
    Ok(())
}

#[test]
fn values_of_an_extension_type_are_mapped_one_by_one() -> Result<()> {
    let of = |m: &MaskedTensor| {
        map_fn(m, |row: MaskedTensor| {
            MaskedTensor::new(ops::mul(&row.values, 2.0)?, ops::logical_not(&row.mask)?)
        })
    };
    let m = MaskedTensor::new(
        tensor![[1.0f32, 2.0], [3.0, 4.0]],
        tensor![[true, false], [true, true]],
    )?;
    for r in [of(&m)?, function(of).call(&m)?] {
        assert_eq!(r.values.as_slice::<f32>()?, &[2.0, 4.0, 6.0, 8.0]);
        assert_eq!(r.mask.as_slice::<bool>()?, &[false, true, false, false]);
    }
    Ok(())
}

#[test]
fn scan_and_fold_hand_an_accumulator_on() -> Result<()> {
    let scanned = |x: &Tensor, y: &Tensor| {
        scan(&(x.clone(), y.clone()), scalar(1.0f32), |s, (x, y)| ops::add(&ops::mul(&s, &x)?, &y))
    };
    let folded = |x: &Tensor, y: &Tensor| {
        fold(&(x.clone(), y.clone()), scalar(1.0f32), |s, (x, y)| ops::add(&ops::mul(&s, &x)?, &y))
    };
    let (x, y) = (tensor![1.0f32, 2.0, 3.0], tensor![1.0f32, 0.0, 1.0]);
    for r in [scanned(&x, &y)?, function(scanned).call(&x, &y)?] {
        assert_eq!(r.as_slice::<f32>()?, &[2.0, 4.0, 13.0]);
    }
    for r in [folded(&x, &y)?, function(folded).call(&x, &y)?] {
        assert_eq!(r.item::<f32>()?, 13.0);
    }
    Ok(())
}

#[test]
fn gradients_of_two_orders_go_through() -> Result<()> {
    let f = function(|x: &Tensor| {
        map_fn(x, |row: Tensor| ops::mul(&row.square()?, &row)?.reduce_sum(.., false))?
            .reduce_sum(.., false)
    });
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let first = extype::grad(|x: &Tensor| f.call(x));
    let second = extype::grad(&first);
    assert_eq!(first(&x)?.as_slice::<f32>()?, &[3.0, 12.0, 27.0, 48.0]);
    assert_eq!(second(&x)?.as_slice::<f32>()?, &[6.0, 12.0, 18.0, 24.0]);
    let products = function(|x: &Tensor| scan(x, scalar(1.0f32), |p, x| ops::mul(&p, &x)));
    // x0 + x0 x1 + x0 x1 x2
    let dx = extype::grad(|x: &Tensor| products.call(x))(&tensor![2.0f32, 3.0, 5.0])?;
    assert_eq!(dx.as_slice::<f32>()?, &[1.0 + 3.0 + 15.0, 2.0 + 10.0, 6.0]);
    Ok(())
}

#[test]
fn what_can_not_be_taken_apart_is_refused() -> Result<()> {
    let e = map_fn(&scalar(1.0f32), |x: Tensor| Ok(x)).expect_err("a scalar");
    assert!(e.message().contains("first axis"), "{e}");
    let pair = (tensor![1.0f32, 2.0], tensor![1.0f32, 2.0, 3.0]);
    let e = map_fn(&pair, |(x, _): (Tensor, Tensor)| Ok(x)).expect_err("two sizes");
    assert!(e.message().contains("2 and 3"), "{e}");
    let v = Variable::new(scalar(1.0f32))?;
    assert!(map_fn(&v, |v: Variable| v.read()).is_err());
    let changes = function(|x: &Tensor| scan(x, scalar(1i32), |_, x: Tensor| Ok(x)));
    let e = changes.call(&tensor![1.0f32, 2.0]).expect_err("another dtype");
    assert!(e.message().contains("int32") && e.message().contains("float32"), "{e}");
    Ok(())
}

#[test]
fn results_have_the_type_that_was_given() -> Result<()> {
    let of = |x: &Tensor| {
        MapFn::new(x).output(TensorSpec::new(shape![?], DType::F32)).run(|row: Tensor| row.exp())
    };
    let x = tensor![[0.0f32, 0.0]];
    for found in [of(&x)?, function(of).call(&x)?] {
        assert_eq!(found.as_slice::<f32>()?, &[1.0, 1.0]);
    }
    // Without elements nothing is called, and sizes that are not known are zero.
    assert_eq!(of(&Tensor::from_slice::<f32>(&[], &[0, 2])?)?.shape(), shape![0, 0]);
    let masked = MaskedTensor::new([1.0f32, 2.0], [true, false])?.type_spec();
    let none = Tensor::from_slice::<i64>(&[], &[0])?;
    let never = |_: Tensor| -> Result<MaskedTensor> { Err(Error::invalid("called")) };
    let found = MapFn::new(&none).output(masked).run(never)?;
    assert_eq!((found.values.shape(), found.mask.dtype()), (shape![0, 2], DType::Bool));
    // Also those of unknown rank.
    let open = TensorSpec::new(Shape::unknown(), DType::F32);
    let found =
        MapFn::new(&none).output(open).run(|_: Tensor| -> Result<Tensor> { unreachable!() })?;
    assert_eq!(found.shape(), shape![0]);
    let wrong =
        |x: &Tensor| MapFn::new(x).output(TensorSpec::of::<f32>([])).run(|row: Tensor| Ok(row));
    for e in [wrong(&x), function(wrong).call(&x)] {
        let e = e.expect_err("rows are no numbers");
        assert!(e.message().contains("not TensorSpec([], float32)"), "{e}");
    }
    Ok(())
}
