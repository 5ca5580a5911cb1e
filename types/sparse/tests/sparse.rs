//! Sparse tensors against the dense results, eagerly, in traces and in gradients.

use std::fmt::Debug;

use extype::ir::{Attrs, all_ops};
use extype::prelude::*;
use extype::spec::{AnyValue, Stackable, concat_values, dispatch, stack_values, unstack_values};
use extype_sparse::{CsrMatrix, SparseTensor, SparseTensorSpec};

fn a() -> SparseTensor {
    SparseTensor::from_dense([[0.0f32, 2.0, -1.0], [0.0, 0.0, 0.0], [3.0, 0.5, 0.0]]).unwrap()
}

fn b() -> SparseTensor {
    SparseTensor::from_dense([[4.0f32, 2.0, 0.0], [0.0, -7.0, 0.0], [-3.0, 0.0, 0.0]]).unwrap()
}

/// Not in order.
fn shuffled() -> SparseTensor {
    SparseTensor::new([[2i64, 1], [0, 2], [2, 0], [0, 1]], [0.5f32, -1.0, 3.0, 2.0], [3i64, 3])
        .unwrap()
}

fn floats(x: &Tensor) -> Vec<f32> {
    x.as_slice::<f32>().unwrap().to_vec()
}

/// That a function of sparse tensors gives the same as one of dense ones, eagerly, in a trace that knows the shape, and
/// in one that knows the rank only.
fn alike(
    what: &str,
    sparse: impl Fn(&SparseTensor) -> Result<Tensor> + Copy + Send + Sync + 'static,
    dense: impl Fn(&Tensor) -> Result<Tensor>,
) -> Result<()> {
    for x in [a(), b(), shuffled()] {
        let wanted = dense(&x.to_dense()?)?;
        let any = function(sparse);
        any.concrete(&SparseTensorSpec::new(shape![?, ?], f32))?;
        for found in [sparse(&x)?, function(sparse).call(&x)?, any.call(&x)?] {
            assert_eq!(found.shape(), wanted.shape(), "{what}");
            assert_eq!(floats(&found), floats(&wanted), "{what} of {x}");
        }
        assert_eq!(any.trace_count(), 1, "{what}");
    }
    Ok(())
}

#[test]
fn ops_are_those_of_the_dense_tensor() -> Result<()> {
    alike("to_dense", SparseTensor::to_dense, |x| Ok(x.clone()))?;
    alike("neg", |x| ops::neg(x)?.to_dense(), |x| ops::neg(x))?;
    alike("tanh", |x| ops::tanh(x)?.to_dense(), |x| ops::tanh(x))?;
    alike("add", |x| ops::add(x, b())?.to_dense(), |x| ops::add(x, &b().to_dense()?))?;
    alike("sub", |x| ops::sub(b(), x)?.to_dense(), |x| ops::sub(&b().to_dense()?, x))?;
    alike("mul", |x| ops::mul(x, b())?.to_dense(), |x| ops::mul(x, &b().to_dense()?))?;
    alike("mul 2", |x| ops::mul(2.0, x)?.to_dense(), |x| ops::mul(x, 2.0))?;
    let row = || tensor![[1.0f32, 2.0, 3.0]];
    alike("mul row", move |x| ops::mul(x, row())?.to_dense(), |x| ops::mul(x, row()))?;
    alike("div row", move |x| ops::div(x, row())?.to_dense(), |x| ops::div(x, row()))?;
    alike("add row", move |x| ops::add(x, row()), |x| ops::add(x, row()))?;
    alike("row add", move |x| ops::add(row(), x), |x| ops::add(row(), x))?;
    alike("maximum", |x| ops::maximum(x, b())?.to_dense(), |x| ops::maximum(x, &b().to_dense()?))?;
    alike("minimum", |x| ops::minimum(b(), x)?.to_dense(), |x| ops::minimum(x, &b().to_dense()?))?;
    alike("sum", |x| ops::reduce_sum(x, .., false), |x| x.reduce_sum(.., false))?;
    alike("sum 0", |x| ops::reduce_sum(x, 0, true), |x| x.reduce_sum(0, true))?;
    alike("sum -1", |x| ops::reduce_sum(x, -1, false), |x| x.reduce_sum(-1, false))?;
    alike("transpose", |x| ops::transpose(x, [1, 0])?.to_dense(), |x| x.transpose([1, 0]))?;
    alike("reshape", |x| ops::reshape(x, [9, -1])?.to_dense(), |x| x.reshape([9, -1]))?;
    alike("slice", |x| ops::slice(x, [1, 0], [-1, 2])?.to_dense(), |x| x.slice([1, 0], [-1, 2]))?;
    alike("expand_dims", |x| ops::expand_dims(x, -2)?.to_dense(), |x| x.expand_dims(-2))?;
    alike(
        "concat",
        |x| ops::concat(&[x, &b(), x], 1)?.to_dense(),
        |x| ops::concat(&[x, &b().to_dense()?, x], 1),
    )?;
    let w = || tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    alike("matmul", move |x| ops::matmul(x, w()), |x| x.matmul(&w()))?;
    alike(
        "dense matmul",
        move |x| ops::matmul(&w().transpose([1, 0])?, x),
        |x| w().transpose([1, 0])?.matmul(x),
    )
}

#[test]
fn softmax_is_over_what_is_stored() -> Result<()> {
    let x = ops::softmax(shuffled())?;
    let e = |x: f32| x.exp();
    let row = [e(2.0), e(-1.0)];
    let sum = row[0] + row[1];
    assert!((floats(&x.values)[0] - row[0] / sum).abs() < 1e-6);
    let sums = floats(&ops::reduce_sum(&x, 1, false)?);
    assert!(sums.iter().zip([1.0f32, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{sums:?}");
    Ok(())
}

#[test]
fn unary_ops_that_move_zero_are_refused_and_no_others() -> Result<()> {
    let x = SparseTensor::new([[1i64]], [0.5f32], [2i64])?;
    let e = ops::cos(&x).unwrap_err();
    assert!(e.message().contains("`cos` of zero is not zero"), "{e}");
    let mut seen = 0;
    for op in all_ops() {
        if !op.is_unary_elementwise() || op.name.starts_with("Ragged>") {
            continue;
        }
        let zeros = [
            AnyValue::from(scalar(0.0f32)),
            AnyValue::from(scalar(0i32)),
            AnyValue::from(scalar(false)),
        ];
        for (zero, values) in
            zeros.into_iter().zip([tensor![0.0f32], tensor![0i32], tensor![false]])
        {
            // Ops for other dtypes, and those that want an attribute.
            let Ok(y) = dispatch::call(op.name, &[zero], &Attrs::new()) else { continue };
            let y = y.downcast::<Tensor>()?;
            let keeps = !ops::not_equal(&y, &y.zeros_like()?)?.item::<bool>()?;
            let x = AnyValue::new(SparseTensor::new([[1i64]], values, [2i64])?);
            let taken = dispatch::call(op.name, &[x], &Attrs::new()).is_ok();
            assert_eq!(taken, keeps, "{}", op.name);
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
    Ok(())
}

#[test]
fn gradients_reach_values_and_dense_operands() -> Result<()> {
    let w = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let loss = |(x, w): &(SparseTensor, Tensor)| {
        let y = ops::matmul(x, w)?;
        ops::mul(&y, &y)?.reduce_sum(.., false)
    };
    let dense = |(x, w): &(Tensor, Tensor)| {
        let y = x.matmul(w)?;
        ops::mul(&y, &y)?.reduce_sum(.., false)
    };
    for x in [a(), shuffled()] {
        let (by_x, by_w) = grad(dense)(&(x.to_dense()?, w.clone()))?;
        for (found, of_w) in [
            grad(loss)(&(x.clone(), w.clone()))?,
            function(grad(loss)).call(&(x.clone(), w.clone()))?,
        ] {
            assert_eq!(floats(&found.values), floats(&by_x.gather_nd(&x.indices)?));
            assert_eq!(floats(&of_w), floats(&by_w));
            assert_eq!(found.indices.as_slice::<i64>()?, x.indices.as_slice::<i64>()?);
        }
    }
    // Through sums, products, stacks and slices.
    let long = |x: &SparseTensor| {
        let y = ops::add(&ops::mul(x, x)?, x)?;
        let y = ops::concat(&[&y, x], 0)?;
        let y = ops::slice(&y, [0, 0], [5, -1])?;
        ops::reduce_sum(&ops::reshape(&y, [-1])?, .., false)
    };
    let long_dense = |x: &Tensor| {
        let y = ops::add(&ops::mul(x, x)?, x)?;
        ops::concat(&[&y, x], 0)?.slice([0, 0], [5, -1])?.reduce_sum(.., false)
    };
    let wanted = grad(long_dense)(&a().to_dense()?)?.gather_nd(&a().indices)?;
    assert_eq!(floats(&grad(long)(&a())?.values), floats(&wanted));
    Ok(())
}

fn same(x: &SparseTensor, y: &SparseTensor) -> bool {
    let (x, y) = (AnyValue::of(x), AnyValue::of(y));
    x.leaves().iter().zip(y.leaves()).all(|(x, y)| x.value().unwrap().identical(y.value().unwrap()))
}

/// The laws of stacks, for values of one shape.
fn stacks<S: Structure + Clone + Debug>(
    values: &[S],
    equal: impl Fn(&S, &S) -> bool,
) -> Result<()> {
    let stack = stack_values(values)?;
    for (one, again) in values.iter().zip(unstack_values(&stack)?) {
        assert!(equal(one, &again), "{one:?} and {again:?}");
    }
    let twice = concat_values(&[stack.clone(), stack.clone()])?;
    let all: Vec<S> = values.iter().chain(values).cloned().collect();
    assert!(equal(&twice, &stack_values(&all)?));
    // A stack of stacks comes apart into stacks.
    let deep = stack_values(&[stack.clone(), stack.clone()])?;
    assert!(unstack_values(&deep)?.iter().all(|s| equal(s, &stack)));
    Ok(())
}

#[test]
fn a_stack_has_a_column_more() -> Result<()> {
    let stack = stack_values(&[a(), b()])?;
    assert_eq!(stack.type_spec(), SparseTensorSpec::new(shape![2, 3, 3], f32));
    assert_eq!(stack.indices.shape().dim(1)?, 3.into());
    let dense = ops::stack(&[&a().to_dense()?, &b().to_dense()?], 0)?;
    assert_eq!(floats(&stack.to_dense()?), floats(&dense));
    stacks(&[a(), b()], same)?;
    let empty = || SparseTensor::from_dense(tensor![[0.0f32; 3]; 3]);
    stacks(&[empty()?, a(), empty()?], same)?;
    stacks(&[empty()?, empty()?], same)?;
    stacks(
        &[SparseTensor::new(
            Tensor::from_slice::<i64>(&[0; 0], &[1, 0])?,
            [5],
            Tensor::from_vec(Vec::<i64>::new()),
        )?],
        same,
    )?;
    // Rows, by `map_fn`, in a trace too.
    let doubled = |x: &SparseTensor| map_fn(x, |row: SparseTensor| ops::mul(&row, 2.0));
    for y in [doubled(&a())?, function(doubled).call(&a())?] {
        assert_eq!(floats(&y.to_dense()?), floats(&ops::mul(a(), 2.0)?.to_dense()?));
    }
    let sums = map_fn(&a(), |row: SparseTensor| ops::reduce_sum(&row, .., false))?;
    assert_eq!(floats(&sums), [1.0, 0.0, 3.5]);
    Ok(())
}

#[test]
fn a_stack_of_unequal_sizes_is_as_large_as_the_largest() -> Result<()> {
    let small = SparseTensor::from_dense([[1.0f32, 2.0]])?;
    let stack = stack_values(&[small.clone(), a()])?;
    assert_eq!(stack.dense_shape.as_slice::<i64>()?, &[2, 3, 3]);
    assert_eq!(unstack_values(&stack)?[0].dense_shape.as_slice::<i64>()?, &[3, 3]);
    let flat = SparseTensor::from_dense([1.0f32])?;
    assert!(stack_values(&[small, flat]).is_err());
    assert!(SparseTensor::unstacked_spec(&SparseTensorSpec::new(shape![], f32)).is_err());
    Ok(())
}

#[test]
fn a_trace_serves_any_number_of_values_and_one_shape() -> Result<()> {
    let f = function(|x: &SparseTensor| ops::reduce_sum(x, .., false));
    let _ = f.call(&a())?;
    let _ = f.call(&b())?;
    assert_eq!(f.trace_count(), 1);
    let _ = f.call(&SparseTensor::from_dense([[1.0f32]])?)?;
    assert_eq!(f.trace_count(), 2);
    // A result of a trace knows what was known.
    let shape = function(|x: &SparseTensor| {
        let y = ops::concat(&[&ops::transpose(x, [1, 0])?, x], 0)?;
        assert_eq!(y.shape(), &shape![6, 3]);
        Ok(y)
    });
    assert_eq!(shape.call(&a())?.dense_shape.as_slice::<i64>()?, &[6, 3]);
    Ok(())
}

#[test]
fn what_is_no_sparse_tensor_is_refused() -> Result<()> {
    let refused = |indices: Tensor, values: Tensor, sizes: Tensor, text: &str| {
        let e = SparseTensor::new(indices, values, sizes).unwrap_err();
        assert!(e.message().contains(text), "{e}");
    };
    refused(tensor![[0i64, 0]], tensor![1.0f32, 2.0], tensor![2i64, 2], "1 indices, but 2 values");
    refused(tensor![[0i64]], tensor![1.0f32], tensor![2i64, 2], "rank 1, but 2 sizes");
    refused(tensor![[0i32, 0]], tensor![1.0f32], tensor![2i64, 2], "int64");
    refused(tensor![[0i64, -1]], tensor![1.0f32], tensor![2i64, 2], "value 0 is at [0, -1]");
    refused(tensor![[0i64, 0]], tensor![1.0f32], tensor![2i64, -2], "axis 1 of `dense_shape`");
    let e = ops::add(a(), &SparseTensor::from_dense([[1.0f32]])?).unwrap_err();
    assert!(e.message().contains("`add` of sparse tensors of [3, 3] and [1, 1]"), "{e}");
    assert!(ops::matmul(a(), tensor![[1.0f32]]).is_err());
    assert!(ops::reduce_sum(a(), 2, false).is_err());
    // A place told twice has no dense value.
    let twice = SparseTensor::new([[1i64], [1]], [1.0f32, 2.0], [2i64])?;
    assert!(twice.to_dense().is_err());
    // Sizes that no memory holds are errors, not allocations.
    let huge = SparseTensor::new([[1i64, 1]], [1.0f32], [1i64 << 40, 1 << 40])?;
    assert!(huge.to_dense().is_err() && huge.rows::<f32>().is_err());
    assert!(ops::mul(&huge, &huge).unwrap_err().message().contains("no int64 numbers"));
    assert_eq!(floats(&ops::reduce_sum(&ops::slice(&huge, [0, 0], [2, 2])?, .., false)?), [1.0]);
    Ok(())
}

#[test]
fn dtypes_of_all_kinds_are_stored() -> Result<()> {
    let strings = SparseTensor::new([[1i64]], Tensor::from_strings(&["x"], &[1])?, [3i64])?;
    assert_eq!(strings.to_dense()?.to_strings()?, ["", "x", ""]);
    assert_eq!(SparseTensor::from_dense(strings.to_dense()?)?.values.to_strings()?, ["x"]);
    let bools = SparseTensor::from_dense([true, false])?;
    assert_eq!(bools.to_dense()?.as_slice::<bool>()?, &[true, false]);
    let half = ops::cast(a(), f16)?;
    assert_eq!(half.dtype(), f16);
    assert_eq!(
        floats(&ops::cast(&ops::add(&half, &half)?, f32)?.to_dense()?),
        floats(&ops::mul(a(), 2.0)?.to_dense()?)
    );
    let nan = SparseTensor::from_dense([f32::NAN, 0.0])?;
    assert!(floats(&nan.to_dense()?)[0].is_nan());
    Ok(())
}

fn csr(x: &SparseTensor) -> CsrMatrix {
    CsrMatrix::from_sparse(x).unwrap()
}

#[test]
fn products_of_compressed_rows_are_those_of_dense_matrices() -> Result<()> {
    let w = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let wide = SparseTensor::from_dense([
        [1.0f32, 0.0, 0.0, 2.0],
        [0.0, 3.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 4.0],
    ])?;
    for x in [a(), b(), shuffled()] {
        let (m, dense) = (csr(&x), x.to_dense()?);
        assert_eq!(floats(&m.to_dense()?), floats(&dense));
        assert_eq!(floats(&ops::matmul(&m, &w)?), floats(&dense.matmul(&w)?));
        let t = ops::transpose(&m, [1, 0])?;
        assert_eq!(floats(&t.to_dense()?), floats(&dense.transpose([1, 0])?));
        let product = ops::matmul(&m, csr(&wide))?;
        assert_eq!((product.rows(), product.width), (3.into(), 4));
        assert_eq!(floats(&product.to_dense()?), floats(&dense.matmul(&wide.to_dense()?)?));
        let traced = function(|(m, w): &(CsrMatrix, CsrMatrix)| ops::matmul(m, w)?.to_dense());
        assert_eq!(floats(&traced.call(&(m.clone(), csr(&wide)))?), floats(&product.to_dense()?));
    }
    assert!(
        ops::matmul(csr(&a()), tensor![[1.0f32]])
            .unwrap_err()
            .message()
            .contains("inner dimensions")
    );
    assert!(ops::matmul(csr(&wide), csr(&a())).is_err());
    Ok(())
}

#[test]
fn gradients_pass_products_of_compressed_rows() -> Result<()> {
    let w = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let loss = |(x, w): &(CsrMatrix, Tensor)| ops::matmul(x, w)?.square()?.reduce_sum(.., false);
    let dense = |(x, w): &(Tensor, Tensor)| x.matmul(w)?.square()?.reduce_sum(.., false);
    let (by_x, by_w) = grad(dense)(&(a().to_dense()?, w.clone()))?;
    for (found, of_w) in
        [grad(loss)(&(csr(&a()), w.clone()))?, function(grad(loss)).call(&(csr(&a()), w.clone()))?]
    {
        assert_eq!(floats(&found.values), floats(&by_x.gather_nd(&a().indices)?));
        assert_eq!(floats(&of_w), floats(&by_w));
    }
    // Both sparse, used twice.
    let loss = |(x, y): &(CsrMatrix, CsrMatrix)| {
        let z = ops::matmul(&ops::matmul(x, y)?, x)?;
        ops::square(&z.values)?.reduce_sum(.., false)
    };
    let dense = |(x, y): &(Tensor, Tensor)| x.matmul(y)?.matmul(x)?.square()?.reduce_sum(.., false);
    let (by_x, by_y) = grad(dense)(&(a().to_dense()?, b().to_dense()?))?;
    let (of_x, of_y) = grad(loss)(&(csr(&a()), csr(&b())))?;
    assert_eq!(floats(&of_x.values), floats(&by_x.gather_nd(&a().indices)?));
    assert_eq!(floats(&of_y.values), floats(&by_y.gather_nd(&b().indices)?));
    Ok(())
}

#[test]
fn what_is_no_matrix_of_compressed_rows_is_refused() {
    let refused = |splits: &[i64], columns: &[i64], text: &str| {
        let values = ops::ones([columns.len() as i64], f32).unwrap();
        let (splits, columns) =
            (Tensor::from_vec(splits.to_vec()), Tensor::from_vec(columns.to_vec()));
        let e = CsrMatrix::new(splits, columns, values, 2).unwrap_err();
        assert!(e.message().contains(text), "{e}");
    };
    refused(&[0, 1], &[0, 1], "splits go from 0");
    refused(&[], &[], "splits go from 0");
    refused(&[0, 2, 1, 2], &[0, 1], "row 1: splits go from 2 to 1");
    refused(&[0, 9, 2], &[0, 1], "row 0: splits go from 0 to 9");
    refused(&[0, 2], &[1, 0], "do not ascend");
    refused(&[0, 1], &[2], "row 0: no column 2 in 2 columns");
}

/// That the gradient of a function of sparse tensors is that of the dense one at the stored places.
fn slopes(
    what: &str,
    sparse: impl Fn(&SparseTensor) -> Result<Tensor> + Copy + Send + Sync + 'static,
    dense: impl Fn(&Tensor) -> Result<Tensor> + Copy + Send + Sync + 'static,
) -> Result<()> {
    for x in [a(), b(), shuffled()] {
        let wanted =
            grad(move |x: &Tensor| dense(x)?.square()?.reduce_sum(.., false))(&x.to_dense()?)?;
        let wanted = floats(&wanted.gather_nd(&x.indices)?);
        let loss = move |x: &SparseTensor| sparse(x)?.square()?.reduce_sum(.., false);
        for found in [grad(loss)(&x)?, function(grad(loss)).call(&x)?] {
            let found = floats(&found.values);
            let near = found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(near && found.len() == wanted.len(), "{what} of {x}: {found:?}, {wanted:?}");
        }
    }
    Ok(())
}

#[test]
fn gradients_of_each_op_are_those_of_the_dense_tensor() -> Result<()> {
    let row = || tensor![[1.0f32, 2.0, 3.0]];
    slopes("to_dense", SparseTensor::to_dense, |x| Ok(x.clone()))?;
    slopes("tanh", |x| ops::tanh(x)?.to_dense(), |x| ops::tanh(x))?;
    slopes("add", |x| ops::add(x, b())?.to_dense(), |x| ops::add(x, &b().to_dense()?))?;
    slopes("sub", |x| ops::sub(b(), x)?.to_dense(), |x| ops::sub(&b().to_dense()?, x))?;
    slopes("mul", |x| ops::mul(x, b())?.to_dense(), |x| ops::mul(x, &b().to_dense()?))?;
    slopes("mul row", move |x| ops::mul(x, row())?.to_dense(), move |x| ops::mul(x, row()))?;
    slopes("div row", move |x| ops::div(x, row())?.to_dense(), move |x| ops::div(x, row()))?;
    slopes("add row", move |x| ops::add(x, row()), move |x| ops::add(x, row()))?;
    slopes("sum", |x| ops::reduce_sum(x, 0, true), |x| x.reduce_sum(0, true))?;
    slopes("transpose", |x| ops::transpose(x, [1, 0])?.to_dense(), |x| x.transpose([1, 0]))?;
    slopes("reshape", |x| ops::reshape(x, [9])?.to_dense(), |x| x.reshape([9]))?;
    slopes("slice", |x| ops::slice(x, [1, 0], [-1, 2])?.to_dense(), |x| x.slice([1, 0], [-1, 2]))?;
    slopes(
        "concat",
        |x| ops::concat(&[x, &b()], 1)?.to_dense(),
        |x| ops::concat(&[x, &b().to_dense()?], 1),
    )?;
    slopes("dense matmul", move |x| ops::matmul(row(), x), move |x| row().matmul(x))
}

#[test]
fn what_does_not_fit_is_refused_by_ops() -> Result<()> {
    // One operand of a product has two values at one place.
    let twice = SparseTensor::new([[1i64], [1]], [1.0f32, 2.0], [3i64])?;
    let once = SparseTensor::new([[1i64]], [5.0f32], [3i64])?;
    let e = ops::mul(&once, &twice).unwrap_err();
    assert!(e.message().contains("told twice"), "{e}");
    let ints = ops::cast(a(), i32)?;
    assert!(ops::add(a(), &ints).unwrap_err().message().contains("cast one of them"));
    assert!(ops::mul(a(), &ints).is_err() && ops::maximum(&ints, a()).is_err());
    assert!(ops::mul(a(), tensor![1.0f64]).is_err() && ops::add(a(), tensor![1.0f64]).is_err());
    // A dense operand of more axes would make the sparse one larger.
    assert!(ops::mul(a(), &ops::ones([2, 3, 3], f32)?).is_err());
    assert!(ops::add(a(), &ops::ones([2, 3, 3], f32)?).is_err());
    assert!(ops::mul(a(), &ops::ones([4], f32)?).is_err());
    assert!(ops::transpose(a(), [0, 0]).is_err() && ops::transpose(a(), [0]).is_err());
    assert_eq!(
        floats(&ops::transpose(a(), [-1, 0])?.to_dense()?),
        floats(&a().to_dense()?.transpose([1, 0])?)
    );
    assert!(ops::reshape(a(), [5, 2]).is_err() && ops::expand_dims(a(), 3).is_err());
    assert!(ops::concat(&[&a(), &SparseTensor::from_dense([[1.0f32]])?], 0).is_err());
    assert!(ops::concat(&[&a(), &a()], 2).is_err() && ops::concat(&[&a(), &ints], 0).is_err());
    assert!(ops::slice(a(), [0], [1]).is_err() && ops::slice(a(), [-1, 0], [1, 1]).is_err());
    assert!(a().retain(&tensor![true]).is_err() && a().reset_shape(Some([1, 1].into())).is_err());
    assert!(ops::matmul(&once, tensor![[1.0f32]]).is_err());
    Ok(())
}

#[test]
fn empty_tensors_and_matrices() -> Result<()> {
    let none = SparseTensor::from_dense(ops::zeros([0, 3], f32)?)?;
    assert_eq!(ops::reduce_sum(&none, 0, false)?.to_vec::<f32>()?, [0.0; 3]);
    assert_eq!(ops::reduce_sum(&none, 1, false)?.shape(), shape![0]);
    assert_eq!(ops::matmul(&none, &ops::ones([3, 2], f32)?)?.shape(), shape![0, 2]);
    assert_eq!(ops::add(&none, &none)?.to_dense()?.shape(), shape![0, 3]);
    assert_eq!(ops::mul(&none, &none)?.to_dense()?.shape(), shape![0, 3]);
    assert_eq!(ops::concat(&[&none, &a()], 0)?.shape(), &shape![3, 3]);
    let zero = SparseTensor::from_dense(ops::zeros([2, 3], f32)?)?;
    for x in [zero, none] {
        let (m, n) = (csr(&x), x.shape().dim(0)?);
        assert_eq!(ops::matmul(&m, &ops::ones([3, 2], f32)?)?.shape().dim(0)?, n);
        assert_eq!(ops::matmul(&m, csr(&a()))?.to_dense()?.shape(), x.to_dense()?.shape());
        assert_eq!(ops::transpose(&m, [1, 0])?.to_dense()?.shape().dim(1)?, n);
    }
    Ok(())
}
