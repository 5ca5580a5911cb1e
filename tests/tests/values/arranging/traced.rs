//! The same answers in traces that know ranks only.

use extype::ops::{Indexing, Side};
use extype::prelude::*;

#[test]
fn sizes_may_be_unknown() -> Result<()> {
    let f = function(|x: &Vec<Tensor>| {
        let (values, ids) = x[0].top_k(&x[1])?;
        assert_eq!(values.shape().rank(), Some(2));
        let repeated = ops::repeat(&x[0], &x[2], Some(0))?;
        let ends = ops::searchsorted(&x[0], &values, Side::Right)?;
        let median = x[0].nth_element(1, false)?;
        assert_eq!(median.shape().rank(), Some(1));
        let mut all = vec![values, ids, median, repeated, ends, x[0].sort((0, ops::Descending))?];
        all.extend(ops::meshgrid(&[&x[2], &x[2]], Indexing::Xy)?);
        all.push(x[2].one_hot(&x[1], (DType::Bool, 0))?);
        Ok(all)
    });
    let inputs = vec![tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]], scalar(2), tensor![0, 2]];
    let specs: Vec<TensorSpec> = inputs
        .iter()
        .map(|t| TensorSpec::new(Shape::of_rank(t.rank().unwrap_or(0)), t.dtype()))
        .collect();
    let eager = f.call(&inputs)?;
    let dynamic = f.concrete(&specs)?.call_flat(&inputs)?;
    assert_eq!(eager[3].shape(), shape![2, 3]);
    for (a, b) in eager.iter().zip(&dynamic) {
        assert!(a.value()?.identical(b.value()?), "{a:?} {b:?}");
    }
    Ok(())
}

#[test]
fn inference_knows_what_constants_tell() -> Result<()> {
    let f = function(|x: &Tensor| {
        assert_eq!(x.top_k(2)?.0.shape(), Shape::from_iter([Dim::UNKNOWN, 2.into()]));
        let blocks = x.expand_dims(-1)?.space_to_batch([2], [[1, 0]])?;
        assert_eq!(blocks.shape(), Shape::from_iter([Dim::UNKNOWN, 2.into(), 1.into()]));
        assert_eq!(
            ops::eye(2, (ops::Columns(3), ops::BatchShape(vec![4])))?.shape(),
            shape![4, 2, 3]
        );
        let ids = x.cast(DType::I64)?;
        assert_eq!(ids.one_hot(5, (i32, 1))?.shape().dim(1)?, Dim::from(5));
        assert_eq!(x.nth_element(2, false)?.shape(), Shape::from_iter([Dim::UNKNOWN]));
        let e = x.nth_element(3, false).unwrap_err();
        assert!(e.to_string().contains("last axis has 3"), "{e}");
        let e = x.top_k(9).unwrap_err();
        assert!(e.to_string().contains("`k` is 9, but the last axis has 3 elements"), "{e}");
        Ok(blocks)
    });
    let spec = TensorSpec::new(Shape::from_iter([Dim::UNKNOWN, 3.into()]), DType::F32);
    f.concrete(&spec)?;
    Ok(())
}
