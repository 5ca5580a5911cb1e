//! Gradients of single ops in which a rule has more to do than it seems.

use super::floats;
use extype::prelude::*;

/// TensorFlow has none.
#[test]
fn the_values_of_a_one_hot_encoding_have_the_cotangents_where_they_stand() -> Result<()> {
    let f = |(on, off): &(Tensor, Tensor)| {
        let y = tensor![0, 2, 7].one_hot(3, (ops::OnValue(on), ops::OffValue(off)))?;
        ops::mul(&y, tensor![[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    };
    let values = (scalar(1.0f64), scalar(0.0f64));
    let (on, off) = grad(f)(&values)?;
    assert_eq!((on.item::<f64>()?, off.item::<f64>()?), (1.0 + 6.0, 45.0 - 7.0));
    let (on, off) = grad(|v: &(Tensor, Tensor)| function(f).call(v))(&values)?;
    assert_eq!((on.item::<f64>()?, off.item::<f64>()?), (7.0, 38.0));
    Ok(())
}

#[test]
fn one_place_is_gathered_also_where_a_trace_knows_no_ranks() -> Result<()> {
    #[tf_function(signature(f32[..], i32[..]))]
    fn slope(x: &Tensor, at: &Tensor) -> Result<Tensor> {
        grad(|x: &Tensor| x.square()?.gather_nd(at))(x)
    }
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    assert_eq!(floats(&slope(&x, &tensor![1, 0])?), [0.0, 0.0, 6.0, 0.0]);
    assert_eq!(floats(&slope(&x, &tensor![[1, 0], [0, 1]])?), [0.0, 4.0, 6.0, 0.0]);
    assert_eq!(floats(&slope(&x, &tensor![[1]])?), [0.0, 0.0, 6.0, 8.0]);
    Ok(())
}

/// By `a` twice there is no closed form; by `a` and `x` there is.
#[test]
fn the_mixed_derivative_of_the_incomplete_gamma_function() -> Result<()> {
    let x = tensor![0.5f64, 1.0, 4.0];
    let by_x = grad(|x: &Tensor| ops::igamma_grad_a(2.5f64, x))(&x)?;
    for (i, told) in by_x.as_slice::<f64>()?.iter().enumerate() {
        let at = |h: f64| ops::igamma_grad_a(2.5f64, x.as_slice::<f64>()?[i] + h)?.item::<f64>();
        let slope = (at(1e-5)? - at(-1e-5)?) / 2e-5;
        assert!((told - slope).abs() < 1e-6, "{told} and {slope}");
    }
    Ok(())
}

/// Rows that are none have the shape of the elements too: their gradient is a list of such.
#[test]
fn no_rows_are_scattered_into_a_list_also_where_a_trace_does_not_know_that() -> Result<()> {
    #[tf_function(signature(f64[?, ?], f64[?, ?], i32[?]))]
    fn slopes(x: &Tensor, rows: &Tensor, at: &Tensor) -> Result<(Tensor, Tensor)> {
        grad(|(x, rows): &(Tensor, Tensor)| {
            let shape = tensor![2i32];
            let list = ops::TensorListFromTensor {}.run(&[x, &shape])?;
            let list = ops::TensorListScatterInto {}.run(&[&list, rows, at])?;
            ops::TensorListStack { dtype: f64, num_elements: -1 }.run(&[&list, &shape])?.square()
        })(&(x.clone(), rows.clone()))
    }
    let x = tensor![[1.0f64, 2.0], [3.0, 4.0]];
    let none = |n: usize| Tensor::from_slice::<f64>(&[], &[0, n]);
    let nowhere = Tensor::from_slice::<i32>(&[], &[0])?;
    let (by_x, by_rows) = slopes(&x, &none(2)?, &nowhere)?;
    assert_eq!(by_x.to_vec::<f64>()?, [2.0, 4.0, 6.0, 8.0]);
    assert_eq!(by_rows.shape(), shape![0, 2]);
    let (by_x, by_rows) = slopes(&x, &tensor![[5.0f64, 6.0]], &tensor![1i32])?;
    assert_eq!(by_x.to_vec::<f64>()?, [2.0, 4.0, 0.0, 0.0]);
    assert_eq!(by_rows.to_vec::<f64>()?, [10.0, 12.0]);
    let e = slopes(&x, &none(3)?, &nowhere).unwrap_err().to_string();
    assert!(e.contains("elements of shape [2] are no [3]"), "{e}");
    Ok(())
}
