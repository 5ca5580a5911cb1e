//! The state of optimizers, and what all of them can be told.

use super::*;

fn pair(g: Tensor, v: &Variable) -> [(Option<Tensor>, Variable); 1] {
    [(Some(g), v.clone())]
}

#[test]
fn state_has_names_and_an_order() -> Result<()> {
    let params = params()?;
    let optimizer = Adam::new(0.1);
    assert!(optimizer.variables().is_empty());
    optimizer.build(&params)?;
    let names: Vec<String> =
        optimizer.variables().iter().filter_map(|v| v.label().map(str::to_owned)).collect();
    assert_eq!(
        names,
        [
            "adam/iterations",
            "adam/learning_rate",
            "adam/kernel_momentum",
            "adam/kernel_velocity",
            "adam/bias_momentum",
            "adam/bias_velocity"
        ]
    );
    let steps = &optimizer.variables()[0];
    assert_eq!((steps.dtype(), steps.read()?.item::<i64>()?), (DType::I64, 0));
    assert!(optimizer.variables().iter().all(|v| !v.is_trainable()));
    let nadam = Nadam::new(0.1).name("mine");
    nadam.build(&params)?;
    assert_eq!(nadam.variables()[2].label(), Some("mine/u_product"));
    Ok(())
}

#[test]
fn names_of_state_are_unique_whatever_variables_are_called() -> Result<()> {
    let zero = || Variable::new(scalar(0.0f32));
    let params = vec![zero()?.name("w"), zero()?, zero()?.name("w"), zero()?];
    let optimizer = SGD::new(1.0).momentum(0.5);
    optimizer.build(&params)?;
    let names: Vec<String> =
        optimizer.variables()[2..].iter().filter_map(|v| v.label().map(str::to_owned)).collect();
    let wanted = ["w", "variable", "w_1", "variable_1"].map(|n| format!("sgd/{n}_momentum"));
    assert_eq!(names, wanted);
    Ok(())
}

/// As Keras: the averages of a variable that comes later would be corrected by the steps of the others.
#[test]
fn variables_that_come_later_are_refused_until_they_are_added() -> Result<()> {
    let optimizer = Adam::new(0.5);
    let first = Variable::new(scalar(0.0f32))?.name("first");
    let (later, unreached) = (Variable::new(scalar(0.0f32))?.name("later"), Variable::new(1.0f32)?);
    optimizer
        .apply_gradients([(Some(scalar(1.0f32)), first.clone()), (None, unreached.clone())])?;
    let e = optimizer.apply_gradients(pair(scalar(1.0f32), &later)).unwrap_err().to_string();
    assert!(e.contains("later") && e.contains("not among the variables of the first step"), "{e}");
    assert_eq!(later.read()?.item::<f32>()?, 0.0);
    assert_eq!(optimizer.iterations()?.item::<i64>()?, 1);
    let step = {
        let (optimizer, later) = (optimizer.clone(), later.clone());
        function(move |g: &Tensor| optimizer.apply_gradients(pair(g.clone(), &later)))
    };
    assert!(step.call(&scalar(1.0f32)).is_err());
    optimizer.apply_gradients(pair(scalar(1.0f32), &unreached))?;
    optimizer.build(&later)?;
    step.call(&scalar(1.0f32))?;
    assert!(later.read()?.item::<f32>()? < 0.0);
    // What keeps no state takes any.
    let plain = SGD::new(1.0);
    plain.apply_gradients(pair(scalar(1.0f32), &first))?;
    plain.apply_gradients(pair(scalar(1.0f32), &later))
}

#[test]
fn slots_belong_to_a_variable_wherever_it_stands() -> Result<()> {
    let optimizer = SGD::new(1.0).momentum(0.5);
    let (a, b) = (Variable::new(scalar(0.0f32))?, Variable::new(scalar(0.0f32))?);
    optimizer.build(&vec![a.clone(), b.clone()])?;
    optimizer.apply_gradients(pair(scalar(1.0f32), &a))?;
    optimizer
        .apply_gradients([(Some(scalar(1.0f32)), b.clone()), (Some(scalar(0.0f32)), a.clone())])?;
    assert_eq!((a.read()?.item::<f32>()?, b.read()?.item::<f32>()?), (-1.5, -1.0));
    let slot = optimizer.slot("momentum", &a).expect("it was made");
    assert_eq!(slot.read()?.item::<f32>()?, -0.5);
    assert!(optimizer.slot("velocity", &a).is_none());
    Ok(())
}

#[test]
fn state_that_is_put_back_goes_on_as_before() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    let (a, b) = (Adam::new(0.1), Adam::new(0.5));
    for g in [1.0f32, -2.0] {
        a.apply_gradients(pair(scalar(g), &v))?;
    }
    b.build(&w)?;
    w.assign(v.read()?)?;
    for (from, to) in a.variables().iter().zip(b.variables()) {
        to.assign(from.read()?)?;
    }
    a.apply_gradients(pair(scalar(0.5f32), &v))?;
    b.apply_gradients(pair(scalar(0.5f32), &w))?;
    assert_eq!(v.read()?.item::<f32>()?, w.read()?.item::<f32>()?);
    Ok(())
}

#[test]
fn variables_that_are_not_trained_or_not_reached_stay() -> Result<()> {
    let trained = Variable::new(scalar(1.0f32))?;
    let frozen = Variable::new(2.0f32)?.not_trainable();
    let counter = Variable::new(3i64)?.not_trainable();
    let unreached = Variable::new(scalar(4.0f32))?;
    let params = (trained.clone(), frozen.clone(), vec![counter.clone(), unreached.clone()]);
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&params, || ops::mul(trained.read()?, frozen.read()?))?;
    SGD::new(0.5).weight_decay(0.1).apply(&g, &params)?;
    assert!(is_near(trained.read()?.item()?, 1.0 - 0.05 - 1.0, 1e-6));
    assert_eq!(frozen.read()?.item::<f32>()?, 2.0);
    assert_eq!(counter.read()?.item::<i64>()?, 3);
    assert_eq!(unreached.read()?.item::<f32>()?, 4.0);
    Ok(())
}

#[test]
fn a_variable_that_stands_twice_changes_once() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let params = (v.clone(), v.clone());
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&params, || v.read())?;
    SGD::new(0.25).apply(&g, &params)?;
    assert_eq!(v.read()?.item::<f32>()?, 0.75);
    Ok(())
}

#[test]
fn every_float_is_optimized_in_its_own_dtype() -> Result<()> {
    for optimizer in every_kind() {
        let shape = tensor![1.0f32, -1.0];
        let dtypes = [DType::F16, DType::BF16, DType::F32, DType::F64];
        let of = |d: DType| Variable::new(shape.cast(d)?);
        let params: Vec<Variable> = dtypes.into_iter().map(of).collect::<Result<_>>()?;
        for _ in 0..6 {
            // A gradient of another float takes the dtype of the variable.
            let g = |v: &Variable| Ok((Some(v.read()?.cast(f32)?), v.clone()));
            optimizer.apply_gradients(params.iter().map(g).collect::<Result<Vec<_>>>()?)?;
        }
        let all = values(&params)?;
        for (i, v) in params.iter().enumerate() {
            assert_eq!(v.read()?.dtype(), dtypes[i]);
            let (x, exact) = (all[2 * i], all[6]);
            // The steps of some are too small for bfloat16.
            assert!(x <= 1.0 && exact < 1.0 && is_near(x, exact, 0.03), "{optimizer:?}: {all:?}");
            assert!(is_near(all[2 * i + 1], -x, 0.03), "{optimizer:?}: {all:?}");
        }
        // Slots too; totals and the step are the optimizer's own.
        let slots = optimizer.variables().into_iter().filter(|v| v.shape().rank() == Some(1));
        let expected = dtypes.iter().cycle();
        let mut found: Vec<DType> = slots.map(|v| v.dtype()).collect();
        found.sort_by_key(|d| dtypes.iter().position(|known| known == d));
        let each = found.len() / dtypes.len();
        let wanted: Vec<DType> = expected.take(4).flat_map(|d| vec![*d; each]).collect();
        assert_eq!(found, wanted);
    }
    Ok(())
}

#[test]
fn gradients_are_summed_up_between_steps() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    let each = SGD::new(1.0).momentum(0.9).gradient_accumulation_steps(2).clipvalue(1.0);
    let mean = SGD::new(1.0).momentum(0.9).clipvalue(1.0);
    for (i, (a, b)) in [(1.0f32, 5.0f32), (0.5, -0.25)].into_iter().enumerate() {
        let before = v.read()?.item::<f32>()?;
        each.apply_gradients(pair(scalar(a), &v))?;
        assert_eq!(v.read()?.item::<f32>()?, before);
        each.apply_gradients(pair(scalar(b), &v))?;
        mean.apply_gradients(pair(scalar((a + b) / 2.0), &w))?;
        assert!(is_near(v.read()?.item()?, w.read()?.item()?, 1e-6));
        assert_eq!(each.iterations()?.item::<i64>()?, i as i64 + 1);
    }
    Ok(())
}

#[test]
fn averages_follow_the_values_and_take_their_place() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let optimizer = SGD::new(1.0).ema_momentum(0.5);
    for _ in 0..3 {
        optimizer.apply_gradients(pair(scalar(1.0f32), &v))?;
    }
    // 0; then 0.5 * 0 + 0.5 * -1; then 0.5 * -0.5 + 0.5 * -2.
    let average = optimizer.slot("average", &v).expect("it was made");
    assert_eq!(average.read()?.item::<f32>()?, -1.25);
    assert_eq!(v.read()?.item::<f32>()?, -2.0);
    optimizer.finalize_variable_values(&v)?;
    assert_eq!(v.read()?.item::<f32>()?, -1.25);

    let v = Variable::new(scalar(1.0f32))?;
    let optimizer = SGD::new(1.0).ema_momentum(0.5).ema_overwrite_frequency(2);
    let mut seen = Vec::new();
    for _ in 0..4 {
        optimizer.apply_gradients(pair(scalar(1.0f32), &v))?;
        seen.push(v.read()?.item::<f32>()?);
    }
    // The second value would be -1, its average is -0.5; the fourth -2.5, -1.75 after -1.
    assert_eq!(seen, [0.0, -0.5, -1.5, -1.75]);
    Ok(())
}

#[test]
fn clones_share_their_state() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let optimizer = Adam::new(0.1);
    optimizer.clone().apply_gradients(pair(scalar(1.0f32), &v))?;
    assert_eq!(optimizer.iterations()?.item::<i64>()?, 1);
    assert_eq!(optimizer.variables().len(), 4);
    Ok(())
}

#[test]
fn threads_that_begin_at_once_make_one_state() -> Result<()> {
    let v = Variable::new(vec![0.0f32; 10_000])?;
    let optimizer = Adam::new(0.1);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| optimizer.build(&v).expect("state is made"));
        }
    });
    assert_eq!(optimizer.variables().len(), 4);
    Ok(())
}

#[test]
fn a_schedule_sees_every_step_and_a_mean_of_several_the_last() -> Result<()> {
    let v = Variable::new(scalar(0.0f32))?;
    let rate = PiecewiseConstantDecay::new([0.0, 1.0], [100.0, 1.0, 10.0]);
    let optimizer = SGD::new(rate).gradient_accumulation_steps(2);
    optimizer.apply_gradients(pair(scalar(1.0f32), &v))?;
    optimizer.apply_gradients(pair(scalar(1.0f32), &v))?;
    assert_eq!(v.read()?.item::<f32>()?, -1.0);
    Ok(())
}

#[test]
fn decay_takes_a_part_of_each_value_but_of_those_excluded() -> Result<()> {
    let params = params()?;
    let optimizer = SGD::new(0.5).weight_decay(0.2).exclude_from_weight_decay(["bias"]);
    let (before, zeros) = (values(&params)?, |v: &Variable| v.read()?.zeros_like().map(Some));
    let pairs = params.iter().map(|v| Ok((zeros(v)?, v.clone()))).collect::<Result<Vec<_>>>()?;
    optimizer.apply_gradients(pairs)?;
    for (i, (x, y)) in values(&params)?.into_iter().zip(before).enumerate() {
        let kept = if i < 6 { 0.9 } else { 1.0 };
        assert!(is_near(x, kept * y, 1e-6), "element {i}: {x} of {y}");
    }
    // AdamW decays without being told to, and a zero gradient moves nothing else.
    let v = Variable::new(scalar(1.0f32))?;
    AdamW::new(0.5).apply_gradients(pair(scalar(0.0f32), &v))?;
    assert!(is_near(v.read()?.item()?, 1.0 - 0.5 * 0.004, 1e-7));
    Ok(())
}

#[test]
fn params_are_any_structure_of_variables() -> Result<()> {
    use std::collections::BTreeMap;

    #[derive(ExtensionType, Clone, Debug)]
    struct Layer {
        kernel: Variable,
        bias: Option<Variable>,
        units: i64,
    }
    let new = |x: f32| Variable::new(Tensor::scalar(x));
    let layer = Layer { kernel: new(1.0)?, bias: None, units: 3 };
    let more = BTreeMap::from([("a".to_owned(), new(2.0)?), ("b".to_owned(), new(3.0)?)]);
    let params = (layer, Some(more));
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&params, || {
        let more = params.1.as_ref().expect("it is there");
        let both = ops::mul(params.0.kernel.read()?, more["a"].read()?)?;
        ops::add(&both, &more["b"].read()?)
    })?;
    SGD::new(1.0).apply(&g, &params)?;
    let all: Vec<Variable> = [&params.0.kernel]
        .into_iter()
        .chain(params.1.iter().flat_map(|m| m.values()))
        .cloned()
        .collect();
    assert_eq!(values(&all)?, [-1.0, 1.0, 2.0]);
    Ok(())
}
