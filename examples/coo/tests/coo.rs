//! Sparse matrices against dense ones, and what is refused.

use extype::prelude::*;
use extype_coo::CooMatrix;
use extype_coo::neighbours::{graph, spread};

/// With two values at one place.
fn sparse() -> CooMatrix {
    let places = [[0i64, 1], [2, 0], [0, 1], [1, 2], [2, 2]];
    CooMatrix::new(places, [1.0f32, 2.0, 3.0, 4.0, 5.0], 3, 4).unwrap()
}

fn floats(t: &Tensor) -> &[f32] {
    t.as_slice().unwrap()
}

#[track_caller]
fn same(a: &Tensor, b: &Tensor) {
    assert_eq!((a.shape(), floats(a)), (b.shape(), floats(b)));
}

#[test]
fn ops_give_what_they_give_of_dense_matrices() -> Result<()> {
    let (m, dense) = (sparse(), sparse().to_dense()?);
    let y = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]];
    same(&ops::matmul(&m, &y)?, &dense.matmul(&y)?);
    let t = ops::transpose(&m, [1, 0])?;
    same(&t.to_dense()?, &dense.transpose([1, 0])?);
    same(&ops::matmul(&t, &dense)?, &dense.transpose([1, 0])?.matmul(&dense)?);
    same(&(&m + &m).to_dense()?, &(&dense + &dense));
    same(&(2.0 * &m).to_dense()?, &(&dense * 2.0));
    same(&(&m * &scalar(0.5f32)).to_dense()?, &(&dense * 0.5));
    same(&(-&m).to_dense()?, &-&dense);
    for keep in [false, true] {
        same(&ops::reduce_sum(&m, .., keep)?, &dense.reduce_sum(.., keep)?);
        for axis in [0, 1, -1, -2] {
            same(&ops::reduce_sum(&m, axis, keep)?, &dense.reduce_sum(axis, keep)?);
        }
    }
    same(&m.summed()?.to_dense()?, &dense);
    assert_eq!(m.summed()?.to_string(), "3 × 4, stored: 4 values");
    same(&CooMatrix::from_dense(&dense)?.to_dense()?, &dense);
    Ok(())
}

#[test]
fn the_gradient_is_one_number_for_each_stored_value() -> Result<()> {
    let y = tensor![[1.0f32], [2.0], [3.0], [4.0]];
    let loss = |m: &CooMatrix| ops::matmul(m, &y)?.square()?.reduce_sum(.., false);
    let slope = grad(loss)(&sparse())?;
    // m · y is [8, 12, 17]; each value moves its row by an element of y.
    assert_eq!(floats(&slope.values), [32.0, 34.0, 32.0, 72.0, 102.0]);
    assert_eq!(slope.indices.as_slice::<i64>()?, sparse().indices.as_slice::<i64>()?);
    Ok(())
}

#[test]
fn it_goes_through_traces_and_loops() -> Result<()> {
    #[tf_function]
    fn power(m: &CooMatrix, x: &Tensor, times: &Tensor) -> Result<Tensor> {
        let mut x = x.clone();
        for _ in 0..times {
            x = ops::matmul(m, &x)?;
        }
        Ok(x)
    }
    let m = CooMatrix::new([[0i64, 1], [1, 0], [1, 1]], [1.0f32, 1.0, 1.0], 2, 2)?;
    let x = tensor![[0.0f32], [1.0]];
    // Fibonacci's numbers.
    assert_eq!(floats(&power(&m, &x, &scalar(10i64))?), [55.0, 89.0]);
    assert_eq!(floats(&power(&m, &x, &scalar(3i64))?), [2.0, 3.0]);
    assert_eq!(power::trace_count(), 1);
    let sums = function(|m: &CooMatrix| (m + m).summed());
    assert_eq!(floats(&sums.call(&m)?.values), [2.0, 2.0, 2.0]);
    Ok(())
}

#[test]
fn what_does_not_fit_is_told() {
    let refused = |r: Result<CooMatrix>| r.unwrap_err().message().to_owned();
    let text = refused(CooMatrix::new([[0i64, 0], [3, 1]], [1.0f32, 2.0], 3, 4));
    assert!(
        text.contains("value 1 is at [3, 1], outside of a matrix of 3 rows and 4 columns"),
        "{text}"
    );
    let text = refused(CooMatrix::new([[0i64, 0]], [1.0f32, 2.0], 3, 4));
    assert!(text.contains("1 places, but 2 values"), "{text}");
    let text = refused(CooMatrix::new([[0i32, 0]], [1.0f32], 3, 4));
    assert!(text.contains("int32") && text.contains("int64"), "{text}");
    let text = refused(ops::add(sparse(), ops::transpose(sparse(), [1, 0]).unwrap()));
    assert!(text.contains("sparse matrices of sizes [3, 4] and [4, 3]"), "{text}");
    let text = refused(ops::mul(sparse(), sparse()));
    assert!(text.contains("make one of them dense"), "{text}");
    let e = ops::matmul(sparse(), tensor![[1.0f32]]).unwrap_err();
    assert!(e.message().contains("[3, 4] × [1, 1] (4 ≠ 1)"), "{e}");
}

#[test]
fn labels_spread_over_two_groups() -> Result<()> {
    let points = tensor![[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]];
    let edges = graph(&points, 2)?;
    let known = tensor![[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 1.0]];
    let (found, rounds) = spread(&edges, &known, &scalar(0.9), &scalar(1e-9))?;
    assert_eq!(found.argmax(1)?.as_slice::<i64>()?, &[0, 0, 0, 1, 1, 1]);
    assert!(rounds.item::<i64>()? > 10);
    let e = graph(&points, 6).unwrap_err();
    assert!(e.message().contains("6 neighbours of each of 6 points"), "{e}");
    Ok(())
}
