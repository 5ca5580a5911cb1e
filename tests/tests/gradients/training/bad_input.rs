//! Wrong calls, and what is said of them.

use super::*;

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>, parts: &[&str]) {
    let e = result.unwrap_err();
    let text = e.to_string();
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

fn one(g: Tensor) -> Result<[(Option<Tensor>, Variable); 1]> {
    Ok([(Some(g), Variable::new(tensor![1.0f32, 2.0])?.name("w"))])
}

#[track_caller]
fn setting(optimizer: AnyOptimizer, parts: &[&str]) {
    let pairs = one(tensor![1.0f32, 1.0]).expect("a variable");
    let w = pairs[0].1.clone();
    refused(optimizer.apply_gradients(pairs), parts);
    refused(optimizer.build(&w), parts);
    assert_eq!(w.read().and_then(|w| w.to_vec::<f32>()).expect("a value"), [1.0, 2.0]);
}

#[test]
fn settings_that_make_no_sense() {
    setting(Adam::new(-0.1).erased(), &["adam", "`learning_rate` is -0.1"]);
    setting(SGD::new(f64::NAN).erased(), &["sgd", "`learning_rate` is NaN"]);
    setting(Adam::new(0.1).beta_1(1.5).erased(), &["`beta_1` is 1.5", "between 0 and 1"]);
    setting(Nadam::new(0.1).beta_2(f64::NAN).erased(), &["`beta_2` is NaN"]);
    setting(Adamax::new(0.1).epsilon(-1.0).erased(), &["`epsilon` is -1"]);
    setting(SGD::new(0.1).momentum(2.0).erased(), &["`momentum` is 2"]);
    setting(Lion::new(0.1).beta_1(0.0).erased(), &["`beta_1` is 0"]);
    setting(RMSprop::new(0.1).rho(-0.5).erased(), &["`rho` is -0.5"]);
    setting(Adadelta::new(0.1).rho(1.5).erased(), &["`rho` is 1.5"]);
    setting(
        Adagrad::new(0.1).initial_accumulator_value(-1.0).erased(),
        &["`initial_accumulator_value` is -1"],
    );
    setting(Ftrl::new(0.1).l1_regularization_strength(-1.0).erased(), &["`l1_regularization"]);
    setting(Ftrl::new(0.1).learning_rate_power(1.0).erased(), &["`learning_rate_power` is 1"]);
    setting(AdamW::new(0.1).weight_decay(-0.1).erased(), &["adamw", "`weight_decay` is -0.1"]);
    setting(Adam::new(0.1).clipnorm(0.0).erased(), &["`clipnorm` is 0"]);
    setting(Adam::new(0.1).global_clipnorm(-1.0).erased(), &["`global_clipnorm` is -1"]);
    setting(Adam::new(0.1).clipvalue(f64::NAN).erased(), &["`clipvalue` is NaN"]);
    setting(Adam::new(0.1).clipvalue(1.0).clipnorm(1.0).erased(), &["one of `clipnorm`"]);
    setting(Adam::new(0.1).beta_1(1.0).erased(), &["`beta_1` is 1", "less"]);
    setting(Adam::new(0.1).ema_momentum(1.5).erased(), &["`ema_momentum` is 1.5"]);
    setting(Adam::new(0.1).ema_overwrite_frequency(0).erased(), &["`ema_overwrite_frequency`"]);
    setting(
        Adam::new(0.1).gradient_accumulation_steps(1).erased(),
        &["`gradient_accumulation_steps` is 1"],
    );
}

#[test]
fn schedules_that_make_no_sense() {
    setting(SGD::new(ExponentialDecay::new(0.1, 0.0, 0.5)).erased(), &["`decay_steps` is 0"]);
    setting(SGD::new(ExponentialDecay::new(0.1, 1.0, -0.5)).erased(), &["`decay_rate` is -0.5"]);
    setting(SGD::new(InverseTimeDecay::new(-0.1, 1.0, 0.5)).erased(), &["`initial_learning_rate`"]);
    setting(SGD::new(CosineDecay::new(0.1, f64::NAN)).erased(), &["`decay_steps` is NaN"]);
    setting(SGD::new(CosineDecay::new(0.1, 9.0).warmup(-1.0, 0.1)).erased(), &["`warmup_steps`"]);
    setting(SGD::new(CosineDecayRestarts::new(0.1, 9.0).t_mul(0.0)).erased(), &["`t_mul` is 0"]);
    setting(SGD::new(PolynomialDecay::new(0.1, -1.0)).erased(), &["`decay_steps` is -1"]);
    let short = PiecewiseConstantDecay::new([1.0, 2.0], [0.1, 0.2]);
    setting(SGD::new(short).erased(), &["2 values for 2 boundaries"]);
    let unordered = PiecewiseConstantDecay::new([2.0, 1.0], [0.1, 0.2, 0.3]);
    setting(SGD::new(unordered).erased(), &["do not grow"]);

    #[derive(Debug)]
    struct Vectors;
    impl Schedule for Vectors {
        fn rate(&self, _: &Tensor) -> Result<Tensor> {
            Ok(tensor![0.1f32, 0.2])
        }
    }
    setting(SGD::new(Vectors).erased(), &["Vectors", "float scalar"]);
    let scheduled = SGD::new(ExponentialDecay::new(0.1, 1.0, 0.5));
    refused(scheduled.set_learning_rate(0.1), &["a schedule can't be set"]);
    refused(SGD::new(0.1).set_learning_rate(-0.1), &["`learning_rate` is -0.1"]);
}

#[test]
fn gradients_that_do_not_fit() -> Result<()> {
    let adam = Adam::new(0.1);
    refused(adam.apply_gradients(one(tensor![1.0f32, 1.0, 1.0])?), &["[3]", "`w`", "[2]"]);
    refused(adam.apply_gradients(one(tensor![1i32, 1])?), &["a gradient of int32[2]"]);
    let none = [(None, Variable::new(scalar(1.0f32))?)];
    refused(adam.apply_gradients(none), &["no gradients are provided", "1 variable"]);
    refused(adam.apply_gradients([]), &["no gradients are provided"]);
    let count = Variable::new(scalar(1i32))?.name("count");
    refused(
        adam.apply_gradients([(None, count.clone())]),
        &["`count`", "int32", ".not_trainable()"],
    );
    assert_eq!(adam.iterations()?.item::<i64>()?, 0);
    refused(adam.finalize_variable_values(&count).and_then(|()| adam.build(&count)), &["int32"]);
    Ok(())
}

#[test]
fn gradients_of_other_params() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    let tape = GradientTape::new();
    let loss = || ops::mul(v.read()?, w.read()?);
    let params = vec![v.clone(), w.clone()];
    let (_, g) = tape.value_and_gradient(&params, loss)?;
    let sgd = SGD::new(0.1);
    refused(sgd.apply(&g, &vec![w.clone(), v.clone()]), &["not those of the params", "leaf 0"]);
    let more = vec![v.clone(), w.clone(), Variable::new(scalar(1.0f32))?];
    refused(sgd.apply(&g, &more), &["not those of the params", "2 of them for 3"]);
    refused(sgd.apply(&g, &vec![v.clone()]), &["not those of the params"]);
    sgd.apply(&g, &params)?;
    let (_, nothing) = tape.value_and_gradient(&params, || Ok(scalar(1.0f32)))?;
    refused(sgd.apply(&nothing, &params), &["no gradients are provided", "2 variables"]);
    Ok(())
}

#[test]
fn tensors_among_the_params() -> Result<()> {
    let params = (Variable::new(scalar(1.0f32))?, scalar(2.0f32));
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&params, || ops::mul(params.0.read()?, &params.1))?;
    refused(SGD::new(0.1).apply(&g, &params), &["hold a tensor", "`Variable`"]);
    Ok(())
}

#[test]
fn a_variable_that_is_an_argument_has_no_slots() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let apply = |optimizer: AnyOptimizer| {
        function(move |v: &Variable| optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())]))
    };
    refused(apply(Adam::new(0.1).erased()).call(&v), &["argument", "capture", "`Module`"]);
    // Nothing is kept for it here.
    apply(SGD::new(0.25).erased()).call(&v)?;
    assert_eq!(v.read()?.item::<f32>()?, 0.75);
    Ok(())
}

#[test]
fn averages_that_were_never_made() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    refused(Adam::new(0.1).use_ema().finalize_variable_values(&v), &["no average", "make a step"]);
    Adam::new(0.1).finalize_variable_values(&v)
}

#[test]
fn clips_that_make_no_sense() {
    let x = tensor![1.0f32, 2.0];
    refused(clip_by_norm(&x, 0.0, ..), &["clip norm", "positive"]);
    refused(clip_by_norm(&x, f64::NAN, ..), &["NaN"]);
    // It would give infinity over infinity.
    refused(clip_by_norm(&x, f64::INFINITY, ..), &["inf", "finite"]);
    refused(clip_by_global_norm(&[&x], f64::INFINITY), &["inf", "finite"]);
    refused(clip_by_norm(&tensor![1, 2], 1.0, ..), &["floats or complex", "int32"]);
    refused(clip_by_global_norm(&[&x], -1.0), &["-1"]);
    refused(clip_by_global_norm(&[], 1.0), &["no tensors"]);
    refused(clip_by_value(&x, 1.0, -1.0), &["1 and -1"]);
}

#[test]
fn losses_that_make_no_sense() {
    let (y, p) = (tensor![[1.0f32, 2.0]], tensor![[1.0f32, 2.0, 3.0]]);
    let all: Vec<Box<dyn Loss>> = vec![
        Box::new(MeanSquaredError::new()),
        Box::new(MeanAbsoluteError::new()),
        Box::new(Huber::new()),
        Box::new(LogCosh::new()),
        Box::new(KLDivergence::new()),
        Box::new(Hinge::new()),
        Box::new(Poisson::new()),
        Box::new(CosineSimilarity::new()),
        Box::new(CategoricalCrossentropy::new()),
        Box::new(BinaryCrossentropy::new().from_logits()),
        Box::new(BinaryFocalCrossentropy::new()),
        Box::new(CategoricalFocalCrossentropy::new()),
        Box::new(Dice::new()),
        Box::new(Tversky::new()),
    ];
    for loss in all {
        refused(loss.call(&y, &p), &["`y_true`", "[1, 2]", "[1, 3]"]);
        refused(loss.call(&p, &tensor![[1, 2, 3]]), &["int32", "predictions are floats"]);
    }
    let sparse = SparseCategoricalCrossentropy::new();
    refused(sparse.call(&tensor![0, 1], &p), &["[2]", "[1, 3]"]);
    refused(sparse.call(&scalar(3), &p), &["3"]);
    let mse = MeanSquaredError::new();
    refused(
        mse.weighted(&p, &p, &tensor![1.0f32, 2.0, 3.0, 4.0, 5.0]).and_then(|_| {
            mse.weighted(
                &tensor![[1.0f32], [2.0]],
                &tensor![[1.0f32], [2.0]],
                &tensor![1.0f32, 2.0, 3.0],
            )
        }),
        &["weights of shape [3]", "losses of shape [2]"],
    );
    refused(Huber::new().delta(-1.0).call(&p, &p), &["`delta` is -1"]);
    let smoothed = BinaryCrossentropy::new().label_smoothing(1.5);
    refused(smoothed.call(&p, &p), &["`label_smoothing` is 1.5"]);
    let focal = CategoricalFocalCrossentropy::new().gamma(f64::NAN);
    refused(focal.call(&p, &p), &["`gamma` is NaN"]);
    refused(CategoricalCrossentropy::new().axis(4).call(&p, &p), &["4"]);
}

#[test]
fn initial_values_that_make_no_sense() {
    let of = |i: Initializer| i.tensor([2, 2], f32);
    refused(of(Initializer::random_normal(0.0, -1.0)), &["deviation -1"]);
    refused(of(Initializer::random_uniform(1.0, -1.0)), &["from 1 to -1"]);
    let scaled = Initializer::variance_scaling(0.0, Fan::In, Distribution::Uniform);
    refused(of(scaled), &["scale of a variance is 0"]);
    refused(Initializer::identity(1.0).tensor([2, 2, 2], f32), &["an identity is a matrix"]);
    refused(Initializer::he_normal().tensor([2, 2], i32), &["floats, not int32"]);
}
