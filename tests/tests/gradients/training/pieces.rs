//! Clipping, schedules and initial values.

use super::*;
use extype::Gradients;
use extype::types::Complex64;

#[test]
fn gradients_are_clipped_as_a_structure() -> Result<()> {
    let params = (Variable::new(tensor![3.0f32])?, Variable::new(scalar(4.0f32))?);
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&params, || {
        let sum = params.0.read()?.square()?.reduce_sum(.., false)?;
        ops::mul(ops::add(&sum, params.1.read()?.square()?)?, 0.5)
    })?;
    let of = |g: &Gradients<_>| Ok::<_, Error>([leaf(g, 0)?, leaf(g, 1)?]);
    let (clipped, norm) = g.clip_by_global_norm(1.0)?;
    assert_eq!(norm.item::<f32>()?, 5.0);
    let scaled = of(&clipped)?;
    assert!(is_near(scaled[0], 0.6, 1e-6) && is_near(scaled[1], 0.8, 1e-6));
    assert_eq!(of(&g.clip_by_value(-1.0, 3.5)?)?, [3.0, 3.5]);
    assert_eq!(of(&g.clip_by_norm(3.5)?)?, [3.0, 3.5]);
    assert_eq!(of(&g.map(|g| ops::neg(g))?)?, [-3.0, -4.0]);
    // Still those of the params.
    SGD::new(1.0).apply(&clipped, &params)?;
    assert!(is_near(params.1.read()?.item()?, 3.2, 1e-6));
    Ok(())
}

fn leaf<S: Structure>(g: &Gradients<S>, i: usize) -> Result<f32> {
    Ok(g.leaf(i)?.expect("a gradient").to_vec::<f32>()?[0])
}

#[test]
fn norms_of_halves_do_not_overflow_and_infinity_is_told() -> Result<()> {
    let half = tensor![300.0f32, 400.0].cast(f16)?;
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&half, || ops::mul(&half, half.stop_gradient()?))?;
    assert_eq!(g.norm()?.item::<f32>()?, 500.0);
    let z = ops::complex(3.0f64, 4.0)?;
    assert_eq!(global_norm(&[&z, &scalar(12.0f32)])?.item::<f64>()?, 13.0);
    let unit = clip_by_norm(&z, 1.0, ..)?.item::<Complex64>()?;
    assert!((unit - Complex64::new(0.6, 0.8)).norm() < 1e-15, "{unit}");
    let (clipped, norm) = clip_by_global_norm(&[&half, &scalar(0.0f32)], 1.0)?;
    assert_eq!(norm.item::<f32>()?, 500.0);
    assert_eq!(clipped[0].dtype(), DType::F16);
    assert!(is_near(clipped[0].cast(f32)?.to_vec::<f32>()?[0], 0.6, 1e-3));
    let (clipped, _) = clip_by_global_norm(&[&tensor![1.0f32, f32::INFINITY]], 1.0)?;
    assert!(clipped[0].to_vec::<f32>()?.iter().all(|x| x.is_nan()));
    let zero = tensor![0.0f32, 0.0];
    assert_eq!(clip_by_norm(&zero, 1.0, ..)?.as_slice::<f32>()?, &[0.0, 0.0]);
    assert_eq!(clip_by_global_norm(&[&zero], 1.0)?.0[0].as_slice::<f32>()?, &[0.0, 0.0]);
    Ok(())
}

#[test]
fn initial_values_have_the_spread_that_is_asked_for() -> Result<()> {
    let spread = |i: Initializer| -> Result<(f32, f32, f32)> {
        let x = i.tensor([200, 100], f32)?;
        let mean = x.reduce_mean(.., false)?.item::<f32>()?;
        let spread = ops::reduce_std(&x, .., false)?.item::<f32>()?;
        Ok((mean, spread, x.abs()?.reduce_max(.., false)?.item::<f32>()?))
    };
    let rows: [(Initializer, f32, f32); 9] = [
        (Initializer::glorot_uniform(), (2.0f32 / 300.0).sqrt(), (6.0f32 / 300.0).sqrt()),
        (Initializer::glorot_normal(), (2.0f32 / 300.0).sqrt(), 0.19),
        (Initializer::he_uniform(), 0.1, 0.03f32.sqrt()),
        (Initializer::he_normal(), 0.1, 0.23),
        (Initializer::lecun_uniform(), 0.005f32.sqrt(), 0.015f32.sqrt()),
        (Initializer::lecun_normal(), 0.005f32.sqrt(), 0.17),
        (Initializer::random_normal(0.0, 0.05), 0.05, 0.5),
        (Initializer::truncated_normal(0.0, 0.05), 0.05 * 0.8796, 0.1),
        (Initializer::random_uniform(-0.05, 0.05), 0.1 / 12f32.sqrt(), 0.05),
    ];
    for (initializer, wanted, limit) in rows {
        for i in [initializer, initializer.seed(7)] {
            let (mean, found, largest) = spread(i)?;
            assert!(mean.abs() < 0.005, "{i:?}: a mean of {mean}");
            assert!((found / wanted - 1.0).abs() < 0.03, "{i:?}: {found} instead of {wanted}");
            // Rounding may reach the bound.
            assert!(largest <= limit * 1.000_001, "{i:?}: {largest}");
        }
    }
    // Of a convolution each place of the window counts.
    let conv = Initializer::he_uniform().seed(1).tensor([3, 3, 4, 8], f32)?;
    let limit = (6.0f32 / 36.0).sqrt();
    let largest = conv.abs()?.reduce_max(.., false)?.item::<f32>()?;
    assert!(largest <= limit && largest > 0.9 * limit);
    Ok(())
}

#[test]
fn seeds_repeat_and_plain_values_are_of_any_dtype() -> Result<()> {
    let seeded = Initializer::glorot_normal().seed(3);
    let draw = |i: Initializer| i.tensor([4], f64)?.to_vec::<f64>();
    assert_eq!(draw(seeded)?, draw(seeded)?);
    assert_ne!(draw(seeded)?, draw(seeded.seed(4))?);
    let free = Initializer::glorot_normal();
    assert_ne!(draw(free)?, draw(free)?);
    assert_eq!(Initializer::ones().tensor([2], i64)?.as_slice::<i64>()?, &[1, 1]);
    let eye = Initializer::identity(2.0).tensor(vec![2, 3], f32)?;
    assert_eq!(eye.as_slice::<f32>()?, &[2.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let v = Initializer::constant(0.5).variable([], bf16)?;
    assert!(v.is_trainable() && v.shape() == &shape![]);
    Ok(())
}

#[test]
fn a_late_variable_takes_initial_values_in_a_trace() -> Result<()> {
    let late = std::sync::Arc::new(Late::<Variable>::new());
    let f = function(move |x: &Tensor| {
        let make = || Initializer::he_normal().seed(1).variable([2, 2], f32);
        x.matmul(late.get_or_create(make)?.read()?)
    });
    let x = tensor![[1.0f32, 0.0]];
    assert_eq!(f.call(&x)?.to_vec::<f32>()?, f.call(&x)?.to_vec::<f32>()?);
    Ok(())
}
