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
