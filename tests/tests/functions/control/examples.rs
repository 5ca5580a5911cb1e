//! `vectorized_map` over examples: the gradient of each, without a loop.

use extype::prelude::*;

/// A convolution, a pooling and a loss for one image, and its gradient with respect to the filters and the bias.
fn gradients(
    image: &Tensor,
    label: &Tensor,
    filters: &Tensor,
    bias: &Tensor,
) -> Result<Vec<Tensor>> {
    let tape = GradientTape::new();
    let (filters, bias) = (filters.identity()?, bias.identity()?);
    tape.watch(&[filters.clone(), bias.clone()]);
    let y = image.expand_dims(0)?.conv2d(&filters, ops::Padding::Same)?.bias_add(&bias)?.relu()?;
    let y = y.max_pool2d(2, ..)?.reduce_mean([1, 2], false)?;
    let loss = ops::neg(&ops::log_softmax(&y)?.index(0)?.gather(label, 0)?)?;
    let gradients = tape.gradient(&loss, &vec![filters, bias])?;
    gradients.into_structure()
}

#[test]
fn each_example_has_a_gradient_of_its_own_without_a_loop() -> Result<()> {
    let n =
        |count: usize| (0..count).map(|i| ((i * 37 % 19) as f32 - 9.0) / 9.0).collect::<Vec<_>>();
    let images = Tensor::from_slice(&n(5 * 6 * 6 * 2), &[5, 6, 6, 2])?;
    let labels = tensor![0i64, 2, 1, 2, 0];
    let (filters, bias) = (Tensor::from_slice(&n(54), &[3, 3, 2, 3])?, tensor![0.1f32, -0.2, 0.3]);
    let each = |(image, label): (Tensor, Tensor)| gradients(&image, &label, &filters, &bias);
    let rows = (images, labels);
    let want = map_fn(&rows, each)?;
    let traced = function(move |rows: &(Tensor, Tensor)| {
        vectorized_map(rows, |(image, label): (Tensor, Tensor)| {
            gradients(&image, &label, &filters, &bias)
        })
    });
    let text = traced.concrete(&rows.type_spec())?.graph().to_string();
    assert!(!text.contains("While"), "{text}");
    let found = traced.call(&rows)?;
    assert_eq!(found[0].shape(), shape![5, 3, 3, 2, 3]);
    for (found, want) in found.iter().zip(&want) {
        let error: f32 = ops::sub(found, want)?.abs()?.reduce_max(.., false)?.item()?;
        assert!(error < 1e-5, "{found} instead of {want}");
    }
    Ok(())
}
