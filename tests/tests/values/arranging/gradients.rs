//! Gradients where weights are left out, rows serve many and nothing is read otherwise.

use extype::ops::{Bincount, DenseBincount, SoftmaxCrossEntropy};
use extype::prelude::*;

/// The gradients of the results' weighted sum, op by op and in a trace that knows ranks only.
fn gradients(
    f: impl Fn(&[Tensor]) -> Result<Tensor> + Clone + Send + Sync + 'static,
    inputs: Vec<Tensor>,
    weights: &[f64],
) -> Result<Vec<Vec<f64>>> {
    let weights = Tensor::from_slice(weights, &[weights.len()])?;
    let gradient = move |x: &Vec<Tensor>| {
        let tape = GradientTape::new();
        let floats: Vec<Tensor> = x.iter().filter(|x| x.dtype() == DType::F64).cloned().collect();
        tape.watch(&floats);
        let y = ops::mul(f(x)?.reshape([-1])?, &weights)?;
        let gradients = tape.gradient(&y, &floats)?;
        gradients
            .leaves()?
            .iter()
            .zip(&floats)
            .map(|(g, x)| match g {
                Some(g) => Ok(g.clone()),
                None => x.zeros_like(),
            })
            .collect::<Result<Vec<Tensor>>>()
    };
    let eager = gradient(&inputs)?;
    let specs: Vec<TensorSpec> = inputs
        .iter()
        .map(|x| TensorSpec::new(Shape::of_rank(x.rank().unwrap_or(0)), x.dtype()))
        .collect();
    let traced = function(gradient).concrete(&specs)?.call_flat(&inputs)?;
    let floats = inputs.iter().filter(|x| x.dtype() == DType::F64);
    for ((a, b), x) in eager.iter().zip(&traced).zip(floats) {
        assert_eq!((a.shape(), b.shape()), (x.shape(), x.shape()));
        assert!(a.value()?.identical(b.value()?), "{a:?} {b:?}");
    }
    eager.iter().map(Tensor::to_vec).collect()
}

#[test]
fn weights_that_are_left_out_have_zeros_of_their_shape() -> Result<()> {
    let counts: [fn(&[Tensor]) -> Result<Tensor>; 2] = [
        |x| Bincount {}.run(&[&x[0], &scalar(2), &x[1]]),
        |x| DenseBincount { binary_output: false }.run(&[&x[0], &scalar(2), &x[1]]),
    ];
    for f in counts {
        for shape in [vec![0], vec![3, 0]] {
            let inputs = vec![tensor![0, 1, 5], Tensor::from_slice::<f64>(&[], &shape)?];
            assert_eq!(gradients(f, inputs, &[1.0, 2.0])?, [[0.0f64; 0]]);
        }
        let inputs = vec![tensor![0, 1, 5], tensor![1.0, 1.0, 1.0]];
        assert_eq!(gradients(f, inputs, &[1.0, 2.0])?, [[1.0, 2.0, 0.0]]);
    }
    Ok(())
}

#[test]
fn bytes_read_as_what_they_are_pass_the_gradient() -> Result<()> {
    let g = gradients(|x| x[0].bitcast(DType::F64), vec![tensor![1.0, 2.0]], &[3.0, 4.0])?;
    assert_eq!(g, [[3.0, 4.0]]);
    Ok(())
}

#[test]
fn rows_of_cross_entropy_that_serve_many_sum_their_gradients() -> Result<()> {
    let f = |x: &[Tensor]| {
        let (loss, _) = SoftmaxCrossEntropy {}.run_as::<(Tensor, Tensor)>(&[&x[0], &x[1]])?;
        Ok(loss)
    };
    let ln2 = 2f64.ln();
    // One logit for both classes, whatever it is.
    let g = gradients(f, vec![tensor![[3.0]], tensor![[0.25, 0.75]]], &[1.0])?;
    assert_eq!(g[0], [0.0]);
    assert!(g[1].iter().all(|x| (x - ln2).abs() < 1e-12), "{g:?}");
    // One row of logits for two of labels, and the other way.
    let (one, two) = (tensor![[0.0, 0.0]], tensor![[1.0, 0.0], [1.0, 0.0]]);
    let g = gradients(f, vec![one, two], &[1.0, 2.0])?;
    assert_eq!(g[0], [-1.5, 1.5]);
    assert!((g[1][3] - 2.0 * ln2).abs() < 1e-12, "{g:?}");
    let g = gradients(f, vec![tensor![[0.0, 0.0], [0.0, 0.0]], tensor![[1.0, 0.0]]], &[1.0, 2.0])?;
    assert_eq!(g[0], [-0.5, 0.5, -1.0, 1.0]);
    assert!(g[1].iter().all(|x| (x - 3.0 * ln2).abs() < 1e-12), "{g:?}");
    Ok(())
}
