//! Elementwise ops of traced functions and reductions of rows run in groups; the results are those of the ops one by
//! one.

use extype::prelude::*;
use extype::spec::{AnyValue, VariableSpec};

use crate::random::same;

#[test]
fn large_groups_use_all_threads_and_give_the_same() -> Result<()> {
    let x = Tensor::from_vec((0..1_000_003).map(|i| (i as f32 * 0.001).sin()).collect::<Vec<_>>());
    let chain = |x: &Tensor| ops::mul(&ops::tanh(&ops::add(x, 1.0)?)?, &ops::exp(&ops::neg(x)?)?);
    same(&chain(&x)?, &function(chain).call(&x)?)
}

#[test]
fn values_that_are_not_finite_pass_through_groups() -> Result<()> {
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, f32::MIN_POSITIVE / 2.0];
    let x = Tensor::from_vec(special.into_iter().cycle().take(3000).collect::<Vec<_>>());
    let f = |x: &Tensor| {
        let signs = ops::select(&ops::is_nan(x)?, x, &ops::neg(&ops::neg(x)?)?)?;
        Ok((ops::mul(&signs, 1.0)?, ops::maximum(&signs, &ops::mul(x, 0.5)?)?))
    };
    let (eager, traced) = (f(&x)?, function(f).call(&x)?);
    same(&eager.0, &traced.0)?;
    same(&eager.1, &traced.1)
}

#[test]
fn a_value_of_a_group_that_is_read_between_its_ops_is_there() -> Result<()> {
    // The product reads a value before later ops on the same shape.
    let f = |x: &Tensor| {
        let a = ops::tanh(&ops::add(x, 1.0)?)?;
        let product = ops::matmul(&a, x)?;
        let b = ops::mul(&ops::neg(&a)?, &product)?;
        ops::add(&b, &ops::exp(x)?)
    };
    let x = Tensor::from_vec((0..4096).map(|i| (i as f32).sin()).collect::<Vec<_>>())
        .reshape([64, 64])?;
    same(&f(&x)?, &function(f).call(&x)?)
}

#[test]
fn groups_are_differentiated() -> Result<()> {
    let f = |x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = ops::mul(&ops::tanh(&ops::mul(x, x)?)?, &ops::sigmoid(x)?)?;
        tape.gradient(&y, x)?.into_structure()
    };
    let x = Tensor::from_vec((0..3000).map(|i| i as f32 * 1e-3 - 1.5).collect::<Vec<_>>());
    same(&f(&x)?, &function(f).call(&x)?)
}

#[test]
fn norms_of_rows_and_their_gradients_are_those_of_the_ops() -> Result<()> {
    let norm = |x: &Tensor, scale: &Tensor| {
        let centered = ops::sub(x, &x.reduce_mean(-1, true)?)?;
        let variance = centered.square()?.reduce_mean(-1, true)?;
        let normal = ops::mul(&centered, &ops::add(&variance, 1e-5)?.rsqrt()?)?;
        ops::mul(&ops::softmax(&normal)?, scale)
    };
    let gradients = |x: &Tensor, scale: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(&(x.clone(), scale.clone()));
        let loss = norm(x, scale)?.square()?.reduce_sum(.., false)?;
        tape.gradient(&loss, &(x.clone(), scale.clone()))?.into_structure()
    };
    for dims in [[64, 100], [7, 3000], [2, 20_000], [3000, 3], [4000, 1]] {
        let len = dims[0] * dims[1];
        let x = Tensor::from_vec((0..len).map(|i| (i as f32 * 0.37).sin()).collect::<Vec<_>>());
        let x = x.reshape(dims)?;
        let scale = ops::add(&x.slice([0, 0], [1, dims[1] as i64])?, 2.0)?;
        same(&norm(&x, &scale)?, &function(norm).call(&x, &scale)?)?;
        let (dx, dscale) = function(gradients).call(&x, &scale)?;
        let want = gradients(&x, &scale)?;
        same(&want.0, &dx)?;
        same(&want.1, &dscale)?;
    }
    Ok(())
}

#[test]
fn rows_of_numbers_that_are_not_finite_pass_through_groups() -> Result<()> {
    let special =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, f32::MIN_POSITIVE / 2.0, 1.0];
    let x = Tensor::from_vec(special.into_iter().cycle().take(4000).collect::<Vec<_>>());
    let x = x.reshape([1000, 4])?;
    let f = |x: &Tensor| {
        let least = ops::neg(&ops::neg(x)?.reduce_max(-1, true)?)?;
        let product = ops::mul(x, &least)?.reduce_prod(-1, false)?;
        Ok((ops::sub(x, &least)?, ops::expand_dims(&product, 0)?, product.square()?))
    };
    let (eager, traced) = (f(&x)?, function(f).call(&x)?);
    same(&eager.0, &traced.0)?;
    same(&eager.1, &traced.1)?;
    same(&eager.2, &traced.2)
}

/// A variable of 4096 floats.
fn large() -> Result<Variable> {
    Variable::new((0..4096).map(|i| (i as f32 * 0.37).sin()).collect::<Vec<_>>())
}

#[test]
fn assignments_wait_for_the_ops_that_may_join_their_group() -> Result<()> {
    let (mean, value) = (large()?, large()?);
    let step = {
        let (mean, value) = (mean.clone(), value.clone());
        move |x: &Tensor| {
            let next = ops::add(&ops::mul(&mean.read()?, 0.9)?, x)?;
            mean.assign(&next)?;
            value.assign(&ops::sub(&value.read()?, &ops::add(&next, &next)?)?)
        }
    };
    let x = large()?.read()?;
    step(&x)?;
    let want = (mean.read()?, value.read()?);
    mean.assign(&x)?;
    value.assign(&x)?;
    let step = function(step);
    let text = step.concrete(&TensorSpec::of::<f32>([4096]))?.program()?;
    let order = text.find("[Mul, AddV2, AddV2, Sub]").zip(text.find("Assign"));
    assert!(order.is_some_and(|(group, assignment)| group < assignment), "{text}");
    step.call(&x)?;
    same(&want.0, &mean.read()?)?;
    same(&want.1, &value.read()?)
}

#[test]
fn what_reads_an_assigned_variable_sees_the_new_value() -> Result<()> {
    let v = large()?;
    let f = {
        let v = v.clone();
        move |x: &Tensor| {
            let a = ops::mul(&ops::add(x, 1.0)?, 2.0)?;
            v.assign(&a)?;
            let b = ops::mul(&ops::add(&a, &v.read()?)?, x)?;
            v.assign(&b)?;
            v.assign(&ops::add(&ops::mul(&b, &a)?, &v.read()?)?)?;
            Ok((ops::add(&a, &b)?, v.read()?))
        }
    };
    let x = v.read()?;
    let (want, traced) = (f(&x)?, function(f).call(&x)?);
    same(&want.0, &traced.0)?;
    same(&want.1, &traced.1)
}

#[test]
fn an_assignment_before_an_op_that_fails_has_happened() -> Result<()> {
    let v = large()?;
    let f = {
        let v = v.clone();
        function(move |x: &Tensor, i: &Tensor| {
            let a = ops::mul(&ops::add(x, 1.0)?, 2.0)?;
            v.assign(&a)?;
            let part = ops::gather(x, i, 0)?;
            Ok((ops::sub(&ops::add(&a, &a)?, 1.0)?, part))
        })
    };
    let x = v.read()?;
    assert!(f.call(&x, &tensor![5000i32]).is_err());
    same(&ops::mul(&ops::add(&x, 1.0)?, 2.0)?, &v.read()?)
}

#[test]
fn an_optimizer_changes_each_large_variable_in_one_pass() -> Result<()> {
    use extype::train::Adam;
    let (traced, eager) = (large()?, large()?);
    let optimizers = [Adam::new(0.01), Adam::new(0.01)].map(|adam| adam.weight_decay(0.1));
    let [by_trace, by_op] = optimizers;
    let step = {
        let traced = traced.clone();
        function(move |x: &Tensor| by_trace.apply_gradients([(Some(x.clone()), traced.clone())]))
    };
    let x = large()?.read()?;
    for _ in 0..3 {
        step.call(&x)?;
        by_op.apply_gradients([(Some(x.clone()), eager.clone())])?;
    }
    same(&eager.read()?, &traced.read()?)?;
    let text = step.concrete(&TensorSpec::of::<f32>([4096]))?.program()?;
    let large = text.lines().filter(|line| line.contains('[') && line.contains("4096]"));
    let ops = large.filter(|line| !line.contains("Variable")).count();
    assert_eq!(ops, 1, "{text}");
    Ok(())
}

#[test]
fn of_two_assignments_the_second_does_not_happen_if_the_first_fails() -> Result<()> {
    let wide = VariableSpec::new(shape![?], f32);
    let f = function(|v: &Variable, w: &Variable, x: &Tensor, y: &Tensor| {
        // Groups of 4096 and of 8192 elements, of which the second ends first.
        let a = ops::mul(&ops::add(x, 1.0)?, 2.0)?;
        let b = ops::mul(&ops::add(y, 1.0)?, 2.0)?;
        v.assign(&a)?;
        w.assign(&b)?;
        ops::sub(&ops::add(&a, &a)?, 1.0)
    });
    let sizes = [TensorSpec::of::<f32>([4096]), TensorSpec::of::<f32>([8192])];
    let f = f.concrete(&wide, &wide, &sizes[0], &sizes[1])?;
    let (small, large) = (Variable::new(vec![0f32; 3])?, Variable::new(vec![0f32; 8192])?);
    let (x, y) = (ops::ones([4096], f32)?, ops::ones([8192], f32)?);
    let call = |v: &Variable| {
        let variables = [AnyValue::new(v.clone()), AnyValue::new(large.clone())];
        let tensors = [AnyValue::new(x.clone()), AnyValue::new(y.clone())];
        f.call_values(&[variables, tensors].concat())
    };
    assert!(call(&small).is_err());
    assert_eq!(large.read()?.reduce_sum(.., false)?.item::<f32>()?, 0.0);
    Ok(())
}

#[test]
fn assignments_of_groups_that_do_not_pay_or_that_unite_keep_their_values() -> Result<()> {
    for len in [3, 100, 4096] {
        let variables: Vec<Variable> =
            (0..3).map(|_| Variable::new(vec![1f32; len])).collect::<Result<_>>()?;
        let f = {
            let [u, v, w] = [0, 1, 2].map(|i| variables[i].clone());
            move |x: &Tensor, goes_on: &Tensor| {
                cond(
                    goes_on,
                    || {
                        let a = ops::mul(&ops::add(&u.read()?, x)?, 2.0)?;
                        u.assign(&a)?;
                        let b = ops::mul(&ops::sub(&v.read()?, x)?, 3.0)?;
                        v.assign(&b)?;
                        // The two groups unite here.
                        let c = ops::add(&ops::mul(&a, &b)?, &w.read()?)?;
                        w.assign(&c)?;
                        ops::sub(&c, &u.read()?)
                    },
                    || Ok(x.clone()),
                )
            }
        };
        let x = Tensor::from_vec((0..len).map(|i| (i as f32).sin()).collect::<Vec<_>>());
        let (yes, no) = (scalar(true), scalar(false));
        let want = [f(&x, &yes)?, f(&x, &no)?, f(&x, &yes)?];
        let states = |variables: &[Variable]| -> Result<Vec<Tensor>> {
            variables.iter().map(Variable::read).collect()
        };
        let eager = states(&variables)?;
        variables.iter().try_for_each(|v| v.assign(vec![1f32; len]))?;
        let traced = function(f);
        let got = [traced.call(&x, &yes)?, traced.call(&x, &no)?, traced.call(&x, &yes)?];
        for (want, got) in want.iter().zip(&got).chain(eager.iter().zip(&states(&variables)?)) {
            same(want, got)?;
        }
    }
    Ok(())
}
