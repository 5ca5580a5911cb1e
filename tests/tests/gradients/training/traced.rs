//! The same steps, eagerly and in traced functions.

use std::sync::Arc;

use super::*;

fn rows() -> Tensor {
    tensor![[1.0f32, 2.0], [-0.5, 0.25], [0.0, 1.0]]
}

fn step(optimizer: &AnyOptimizer, params: &Vec<Variable>, x: &Tensor) -> Result<Tensor> {
    let tape = GradientTape::new();
    let (loss, gradients) = tape.value_and_gradient(params, || bowl(params, x))?;
    optimizer.apply(&gradients, params)?;
    Ok(loss)
}

#[test]
fn traced_steps_give_the_numbers_of_eager_ones() -> Result<()> {
    for (eager, traced) in every_kind().into_iter().zip(every_kind()) {
        let (a, b) = (params()?, params()?);
        let traced_step = {
            let (optimizer, params) = (traced.clone(), b.clone());
            function(move |x: &Tensor| step(&optimizer, &params, x))
        };
        for i in 0..6 {
            let x = rows();
            let (eager_loss, loss) = (step(&eager, &a, &x)?, traced_step.call(&x)?);
            let what = format!("{eager:?}, step {i}");
            let (x, y) = (eager_loss.item::<f32>()?, loss.item::<f32>()?);
            assert!(is_near(x, y, 1e-6), "{what}: {x} and {y}");
            for (x, y) in values(&a)?.into_iter().zip(values(&b)?) {
                assert!(is_near(x, y, 1e-6), "{what}: {x} and {y}");
            }
        }
        assert_eq!(traced_step.trace_count(), 1, "{eager:?}");
        let made = |o: &AnyOptimizer| o.variables().len();
        assert_eq!(made(&eager), made(&traced), "{eager:?}");
    }
    Ok(())
}

#[derive(Module)]
struct Trainer {
    kernel: Variable,
    bias: Late<Variable>,
    optimizer: Adam,
}

impl Trainer {
    fn new(optimizer: Adam) -> Result<Self> {
        let kernel = Variable::new(tensor![[0.0f32], [0.0]])?;
        Ok(Self { kernel, bias: Late::new(), optimizer })
    }

    #[tf_function]
    fn step(&self, x: &Tensor, y: &Tensor) -> Result<Tensor> {
        let bias = self.bias.get_or_create(|| Variable::new(tensor![0.0f32]))?;
        let params = (self.kernel.clone(), bias.clone());
        let tape = GradientTape::new();
        let (loss, gradients) = tape.value_and_gradient(&params, || {
            let predicted = ops::add(x.matmul(self.kernel.read()?)?, bias.read()?)?;
            MeanSquaredError::new().call(y, &predicted)
        })?;
        self.optimizer.apply(&gradients, &params)?;
        Ok(loss)
    }
}

#[test]
fn a_model_with_its_optimizer_is_traced_once_and_learns() -> Result<()> {
    let x = tensor![[1.0f32, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]];
    let y = tensor![[3.0f32], [0.0], [2.0], [6.0]]; // 2 a - b + 1
    let trainer = Trainer::new(Adam::new(0.1))?;
    let mut loss = f32::INFINITY;
    for _ in 0..400 {
        loss = trainer.step(&x, &y)?.item()?;
    }
    assert!(loss < 1e-4, "{loss}");
    let kernel = trainer.kernel.read()?.to_vec::<f32>()?;
    assert!(is_near(kernel[0], 2.0, 0.02) && is_near(kernel[1], -1.0, 0.02), "{kernel:?}");
    assert_eq!(trainer.step_function().trace_count(), 1);
    assert_eq!(trainer.optimizer.iterations()?.item::<i64>()?, 400);
    Ok(())
}

#[test]
fn each_instance_has_state_of_its_own() -> Result<()> {
    let (x, y) = (tensor![[1.0f32, 0.0]], tensor![[3.0f32]]);
    let (a, b) = (Trainer::new(Adam::new(0.1))?, Trainer::new(Adam::new(0.1))?);
    let _ = a.step(&x, &y)?;
    let _ = a.step(&x, &y)?;
    let _ = b.step(&x, &y)?;
    assert_eq!(a.optimizer.iterations()?.item::<i64>()?, 2);
    assert_eq!(b.optimizer.iterations()?.item::<i64>()?, 1);
    Ok(())
}

#[test]
fn other_settings_are_another_trace() -> Result<()> {
    let (x, y) = (tensor![[1.0f32, 0.0]], tensor![[3.0f32]]);
    let mut trainer = Trainer::new(Adam::new(0.1))?;
    let _ = trainer.step(&x, &y)?;
    let before = trainer.kernel.read()?.to_vec::<f32>()?;
    // A decay of everything: the second step goes from zero.
    trainer.optimizer = trainer.optimizer.clone().weight_decay(10.0);
    let _ = trainer.step(&x, &y)?;
    assert_eq!(trainer.step_function().trace_count(), 2);
    let after = trainer.kernel.read()?.to_vec::<f32>()?;
    assert!(before[0] > 0.0 && after[0] < before[0] * 1.5, "{before:?} {after:?}");
    Ok(())
}

#[test]
fn a_learning_rate_that_is_set_needs_no_trace() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let optimizer = SGD::new(0.5);
    let f = {
        let (optimizer, v) = (optimizer.clone(), v.clone());
        function(move |g: &Tensor| {
            optimizer.apply_gradients([(Some(g.clone()), v.clone())])?;
            v.read()
        })
    };
    let g = scalar(1.0f32);
    assert_eq!(f.call(&g)?.item::<f32>()?, 0.5);
    optimizer.set_learning_rate(0.125)?;
    assert_eq!(f.call(&g)?.item::<f32>()?, 0.375);
    assert_eq!(optimizer.learning_rate()?.item::<f32>()?, 0.125);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn a_step_within_a_loop_and_a_conditional_counts() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let optimizer = Arc::new(Adam::new(0.1));
    let f = {
        let (optimizer, v) = (optimizer.clone(), v.clone());
        function(move |n: &Tensor| {
            let body = |i: Tensor| {
                let apply = || optimizer.apply_gradients([(Some(v.read()?), v.clone())]);
                cond(&i.floor_mod(2)?.equal(0)?, apply, || Ok(()))?;
                ops::add(&i, 1)
            };
            while_loop(scalar(0i32), |i: &Tensor| i.less(n), body)
        })
    };
    let _ = f.call(&scalar(5i32))?;
    assert_eq!(optimizer.iterations()?.item::<i64>()?, 3);
    let (expected, plain) = (Variable::new(scalar(1.0f32))?, Adam::new(0.1));
    for _ in 0..3 {
        plain.apply_gradients([(Some(expected.read()?), expected.clone())])?;
    }
    assert!(is_near(v.read()?.item()?, expected.read()?.item()?, 1e-6));
    Ok(())
}

#[test]
fn scalars_are_computed_once_a_step_and_not_once_a_variable() -> Result<()> {
    let nodes = |count: usize| -> Result<usize> {
        let params: Vec<Variable> =
            (0..count).map(|_| Variable::new(tensor![1.0f32, 2.0])).collect::<Result<_>>()?;
        let optimizer = Adam::new(0.1);
        let f = function(move |g: &Tensor| {
            optimizer.apply_gradients(params.iter().map(|v| (Some(g.clone()), v.clone())))
        });
        let concrete = f.concrete(&TensorSpec::of::<f32>([2]))?;
        // Without what names things: captures and constants.
        let text = concrete.graph().to_string();
        let is_work =
            |l: &&str| !["placeholder", "Placeholder", "Const"].iter().any(|n| l.contains(n));
        Ok(text.lines().filter(is_work).count())
    };
    let (one, two, three) = (nodes(1)?, nodes(2)?, nodes(3)?);
    assert_eq!(three - two, two - one);
    // Three reads and writes, seven ops for the averages, five for the change.
    assert!(two - one <= 18, "{} nodes a variable", two - one);
    Ok(())
}
