//! Edges: ranks that no trace knows, indices beyond their row.

use extype::prelude::*;

#[test]
fn rows_of_unknown_rank_are_sorted_whole() -> Result<()> {
    let f = function(|x: &Tensor| Ok((x.sort(..)?, x.argsort(..)?)));
    let any = f.concrete(&TensorSpec::new(Shape::unknown(), f32))?;
    for x in [
        tensor![[3.0f32, 1.0, 2.0], [0.0, -1.0, 5.0]],
        tensor![[2.0f32, 1.0]],
        tensor![3.0f32, 2.0, 1.0],
    ] {
        let sorted = any.call_flat(std::slice::from_ref(&x))?;
        assert_eq!(sorted[0].to_vec::<f32>()?, x.sort(..)?.to_vec::<f32>()?);
        assert_eq!(sorted[1].to_vec::<i32>()?, x.argsort(..)?.to_vec::<i32>()?);
    }
    Ok(())
}

#[test]
fn an_index_beyond_its_row_is_refused() {
    let x = tensor![[3, 1], [7, 9]];
    for wrong in [tensor![[2], [0]], tensor![[0], [-3]], tensor![[0]], tensor![0, 1]] {
        let e = x.put_along_axis(&wrong, 0, 1).unwrap_err();
        assert_eq!(e.op(), Some("put_along_axis"), "{e}");
    }
}

#[test]
fn the_exponential_of_infinities_ends() {
    for x in [f64::INFINITY, f64::NAN] {
        if let Ok(y) = linalg::expm(tensor![[x, 0.0], [0.0, 0.0]]) {
            assert!(!y.is_finite().unwrap().all(..).unwrap().item::<bool>().unwrap());
        }
    }
}

#[test]
fn a_variance_has_a_second_derivative() -> Result<()> {
    let variance = |x: &Tensor| ops::moments(x, .., false)?.1.sum(..);
    let second = |x: &Tensor| grad(grad(variance))(x);
    let rows = second(&tensor![1.0, 2.0, 4.0])?;
    assert!(rows.to_vec::<f64>()?.iter().all(|x| x.abs() < 1e-12), "{rows}");
    Ok(())
}

#[test]
fn variances_of_too_few_are_infinite_and_counts_of_halves_do_not_overflow() -> Result<()> {
    let x = tensor![1.0, 2.0, 3.0];
    assert_eq!(x.var(ops::Ddof(5))?.item::<f64>()?, f64::INFINITY);
    assert!(tensor![1.0].var(ops::Ddof(1))?.item::<f64>()?.is_nan());
    assert_eq!(tensor![[1.0, 2.0]].cov(ops::Ddof(3))?.item::<f64>()?, f64::INFINITY);
    let halves = ops::full([70_000], 1.0)?.cast(f16)?;
    assert_eq!(halves.var(ops::Ddof(1))?.cast(f64)?.item::<f64>()?, 0.0);
    // Of sizes that no trace knows as well.
    let spread = function(|x: &Tensor| x.var((0, ops::Ddof(1))));
    let open = spread.concrete(&TensorSpec::new(shape![?, ?], f64))?;
    let rows = tensor![[1.0, 2.0], [3.0, 6.0], [5.0, 4.0]];
    assert_eq!(open.call_flat(&[rows])?[0].to_vec::<f64>()?, [4.0, 4.0]);
    Ok(())
}

#[test]
fn elements_are_repeated_alike_or_each_for_itself() -> Result<()> {
    let x = tensor![[1, 2], [3, 4]];
    assert_eq!(x.repeat(2, 1)?.to_vec::<i32>()?, [1, 1, 2, 2, 3, 3, 4, 4]);
    assert_eq!(x.repeat(2, 0)?.to_vec::<i32>()?, [1, 2, 1, 2, 3, 4, 3, 4]);
    assert_eq!(x.repeat([1, 2], 0)?.to_vec::<i32>()?, [1, 2, 3, 4, 3, 4]);
    assert_eq!(x.repeat(0, ..)?.shape(), [0]);
    assert_eq!(ops::zeros([0, 2], f32)?.repeat(3, 0)?.shape(), [0, 2]);
    let open = function(|x: &Tensor| x.repeat(2, 0));
    let open = open.concrete(&TensorSpec::new(shape![?, 2], i32))?;
    assert_eq!(open.call_flat(std::slice::from_ref(&x))?[0].shape(), [4, 2]);
    // Less than once is never, as in TensorFlow.
    assert_eq!(x.repeat([-1, 1], 0)?.to_vec::<i32>()?, [3, 4]);
    assert_eq!(x.repeat(-1, 0)?.shape(), [0, 2]);
    Ok(())
}
