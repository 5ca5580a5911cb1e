//! Training as a user writes it: optimizers eagerly and in traced functions, their state, losses,
//! clipping, initial values, and wrong calls.

mod bad_input;
mod edges;
mod fields;
mod losses;
mod pieces;
mod state;
mod traced;

use extype::prelude::*;
use extype::train::*;

/// Two variables of different shapes.
fn params() -> Result<Vec<Variable>> {
    Ok(vec![
        Variable::new(tensor![[0.5f32, -1.0, 2.0], [1.5, 0.25, -0.75]])?.name("kernel"),
        Variable::new(tensor![0.1f32, -0.2, 0.3])?.name("bias"),
    ])
}

fn values(params: &[Variable]) -> Result<Vec<f32>> {
    let all: Vec<Vec<f32>> =
        params.iter().map(|v| v.read()?.cast(f32)?.to_vec()).collect::<Result<_>>()?;
    Ok(all.concat())
}

/// A bowl with its bottom at 0.5, as seen from rows of data.
fn bowl(params: &[Variable], x: &Tensor) -> Result<Tensor> {
    let y = ops::add(x.matmul(params[0].read()?)?, params[1].read()?)?;
    ops::sub(&y, 0.5)?.square()?.reduce_mean(.., false)
}

/// One of every kind, with the options that all share spread over them.
fn every_kind() -> Vec<AnyOptimizer> {
    vec![
        SGD::new(0.1).erased(),
        SGD::new(0.1).momentum(0.9).weight_decay(0.1).erased(),
        SGD::new(ExponentialDecay::new(0.1, 2.0, 0.5)).momentum(0.9).nesterov().erased(),
        Adam::new(0.05).clipnorm(0.5).erased(),
        Adam::new(CosineDecay::new(0.05, 6.0)).amsgrad().global_clipnorm(0.7).erased(),
        AdamW::new(0.05).exclude_from_weight_decay(["bias"]).erased(),
        Adamax::new(0.05).clipvalue(0.1).erased(),
        Nadam::new(0.05).use_ema().ema_overwrite_frequency(2).erased(),
        RMSprop::new(0.05).momentum(0.5).centered().erased(),
        Adagrad::new(0.1).gradient_accumulation_steps(2).erased(),
        Adadelta::new(1.0).erased(),
        Ftrl::new(0.1).l1_regularization_strength(0.01).beta(0.1).erased(),
        Lion::new(0.01).gradient_accumulation_steps(3).use_ema().erased(),
    ]
}

fn is_near(a: f32, b: f32, tolerance: f32) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}
