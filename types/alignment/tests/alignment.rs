//! Alignments against matrices of zeros and ones.

use extype::prelude::*;
use extype_alignment::Alignment;

/// The alignment as a matrix `[first, second]`.
fn matrix(a: &Alignment) -> Result<Tensor> {
    let sizes = ops::stack(&[&a.first, &a.second], 0)?;
    let n = a.pairs.shape().dim(0)?.size().unwrap_or(0);
    ops::scatter_nd(&a.pairs, ops::ones([n], f32)?, sizes)
}

fn some() -> Result<[Alignment; 2]> {
    let a = Alignment::new(tensor![[0i64, 1], [0, 2], [2, 0], [3, 2], [2, 2]], 4i64, 3i64)?;
    let b = Alignment::new(tensor![[2i64, 1], [0, 0], [2, 0]], 3i64, 2i64)?;
    Ok([a, b])
}

#[test]
fn numbers_are_carried_as_by_a_matrix() -> Result<()> {
    let [a, _] = some()?;
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]];
    let wanted = matrix(&a)?.transpose([1, 0])?.matmul(&x)?;
    for found in [
        a.sum(&x)?,
        function(|(a, x): &(Alignment, Tensor)| a.sum(x)).call(&(a.clone(), x.clone()))?,
    ] {
        assert_eq!(found.as_slice::<f32>()?, wanted.as_slice::<f32>()?);
    }
    let counts = a.counts()?.cast(f32)?.expand_dims(1)?;
    assert_eq!(a.mean(&x)?.as_slice::<f32>()?, ops::div(&wanted, &counts)?.as_slice::<f32>()?);
    assert_eq!(a.max(&tensor![1i64, 2, 3, 4])?.as_slice::<i64>()?, &[3, 1, 4]);
    assert_eq!(a.inverse()?.inverse()?.pairs.as_slice::<i64>()?, a.pairs.as_slice::<i64>()?);
    let slope = grad(|x: &Tensor| a.sum(x)?.square()?.reduce_sum(.., false))(&tensor![
        1.0f32, 2.0, 3.0, 4.0
    ])?;
    assert_eq!(slope.as_slice::<f32>()?, &[18.0, 0.0, 22.0, 16.0]);
    Ok(())
}

#[test]
fn one_after_the_other_is_the_product() -> Result<()> {
    let [a, b] = some()?;
    let wanted = matrix(&a)?.matmul(&matrix(&b)?)?.minimum(1.0)?;
    let traced = function(|(a, b): &(Alignment, Alignment)| a.then(b));
    for both in [a.then(&b)?, traced.call(&(a.clone(), b.clone()))?] {
        assert_eq!(matrix(&both)?.as_slice::<f32>()?, wanted.as_slice::<f32>()?);
    }
    let none = Alignment::new(Tensor::from_slice::<i64>(&[], &[0, 2])?, 2i64, 5i64)?;
    assert_eq!(b.then(&none)?.pairs.shape(), shape![0, 2]);
    assert_eq!(b.then(&none)?.counts()?.as_slice::<i64>()?, &[0i64; 5]);
    assert!(a.then(&a).unwrap_err().message().contains("to 3 places, then one of 4"));
    Ok(())
}

#[test]
fn spans_that_overlap_belong_together() -> Result<()> {
    let mut seed = 1u64;
    let mut cuts = |n: i64| {
        let mut spans = vec![];
        let mut begin = 0;
        while begin < n {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let end = n.min(begin + 1 + (seed >> 33) as i64 % 4);
            spans.extend([begin, end]);
            begin = end + (seed >> 60) as i64 % 2;
        }
        spans
    };
    for n in [0, 1, 5, 30] {
        let (first, second) = (cuts(n), cuts(n));
        let mut wanted = Vec::new();
        for (i, a) in first.chunks(2).enumerate() {
            for (j, b) in second.chunks(2).enumerate() {
                if a[0].max(b[0]) < a[1].min(b[1]) {
                    wanted.extend([i as i64, j as i64]);
                }
            }
        }
        let spans = |x: &[i64]| Tensor::from_slice(x, &[x.len() / 2, 2]);
        let found = Alignment::of_spans(spans(&first)?, spans(&second)?)?;
        assert_eq!(found.pairs.to_vec::<i64>()?, wanted, "{first:?} {second:?}");
    }
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() -> Result<()> {
    let e = Alignment::new(tensor![[0i64, 3]], 1i64, 3i64).unwrap_err();
    assert!(e.message().contains("pair 0 is of places 0 and 3, but the axes have 1 and 3"), "{e}");
    assert!(Alignment::of_groups([0i64, -1], 2).is_err() && Alignment::of_groups(0i64, 2).is_err());
    assert!(Alignment::of_spans([0i64, 1], [[0i64, 1]]).unwrap_err().message().contains("spans"));
    let [a, _] = some()?;
    assert!(
        a.sum(&tensor![1.0f32]).unwrap_err().message().contains("1 rows for an axis of 4 places")
    );
    Ok(())
}

#[test]
fn pairs_told_twice_and_spans_out_of_order_are_refused() -> Result<()> {
    let e = Alignment::new(tensor![[1i64, 0], [0, 0], [1, 0]], 2i64, 1i64).unwrap_err();
    assert!(e.message().contains("places 1 and 0 is told twice"), "{e}");
    let e = Alignment::of_groups([0.5f32], 2).unwrap_err();
    assert!(e.message().contains("groups of float32"), "{e}");
    assert!(Alignment::of_groups([0], 1.5).is_err());
    assert!(Alignment::new(Tensor::from_slice::<i64>(&[], &[0, 2])?, -1i64, 1i64).is_err());
    let refused = |first: Tensor, text: &str| {
        let e = Alignment::of_spans(first, [[0i64, 9]]).unwrap_err();
        assert!(e.message().contains("the first spans") && e.message().contains(text), "{e}");
    };
    refused(tensor![[0i64, 3], [2, 4]], "span 1 goes from 2 to 4");
    refused(tensor![[4i64, 5], [1, 2]], "span 1 goes from 1 to 2");
    refused(tensor![[3i64, 1]], "span 0 goes from 3 to 1");
    refused(tensor![[0.0f32, 1.0]], "spans of float32");
    Ok(())
}

#[test]
fn empty_spans_belong_to_none() -> Result<()> {
    let a = Alignment::of_spans([[1i64, 4], [4, 4], [4, 6]], [[0i64, 2], [2, 2], [2, 5], [5, 5]])?;
    assert_eq!(a.pairs.to_vec::<i64>()?, [0, 0, 0, 2, 2, 2]);
    assert_eq!(a.counts()?.to_vec::<i64>()?, [1, 0, 2, 0]);
    Ok(())
}

#[test]
fn axes_without_places_and_axes_beyond_numbers() -> Result<()> {
    let none = || Tensor::from_slice::<i64>(&[], &[0, 2]);
    let (a, b) = (Alignment::new(none()?, 3i64, 0i64)?, Alignment::new(none()?, 0i64, 0i64)?);
    assert_eq!(a.then(&b)?.counts()?.to_vec::<i64>()?, [0i64; 0]);
    assert_eq!(a.sum(&tensor![1.0f32, 2.0, 3.0])?.shape(), shape![0]);
    let (large, other) = (
        Alignment::new([[0i64, 0]], 1i64 << 40, 1i64)?,
        Alignment::new([[0i64, 0]], 1i64, 1i64 << 40)?,
    );
    assert!(large.then(&other).unwrap_err().message().contains("no int64 numbers"));
    Ok(())
}
