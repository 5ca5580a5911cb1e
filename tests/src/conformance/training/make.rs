//! Optimizers, schedules and losses by their recorded names and settings.

use std::sync::Arc;

use extype::train::*;
use serde_json::Value;

/// A name or a setting that the library does not have.
pub(super) struct Unknown(pub(super) String);

type Made<T> = Result<T, Unknown>;

/// The settings of a case; what is not asked for is left.
struct Settings<'a> {
    of: &'a str,
    left: Vec<(&'a str, &'a Value)>,
}

impl<'a> Settings<'a> {
    fn new(of: &'a str, json: &'a Value) -> Self {
        let left = json.as_object().into_iter().flatten();
        Self { of, left: left.map(|(key, value)| (key.as_str(), value)).collect() }
    }

    fn take(&mut self, key: &str) -> Option<&'a Value> {
        let at = self.left.iter().position(|(k, v)| *k == key && !v.is_null())?;
        Some(self.left.remove(at).1)
    }

    fn number(&mut self, key: &str) -> Option<f64> {
        self.take(key)?.as_f64()
    }

    fn flag(&mut self, key: &str) -> bool {
        self.take(key).and_then(Value::as_bool).unwrap_or(false)
    }

    fn list(&mut self, key: &str) -> Vec<f64> {
        let list = self.take(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_f64).collect()
    }

    /// Refuses settings that nobody asked for.
    fn finish<T>(self, made: T) -> Made<T> {
        match self.left.iter().find(|(_, v)| !v.is_null()) {
            None => Ok(made),
            Some((key, _)) => Err(Unknown(format!("{}({key})", self.of))),
        }
    }
}

/// Calls the builder functions of the names that settings have.
macro_rules! with {
    ($made:expr, $settings:ident; $($number:ident),*; $($flag:ident),*) => {{
        let mut made = $made;
        $(if let Some(x) = $settings.number(stringify!($number)) {
            made = made.$number(x);
        })*
        $(if $settings.flag(stringify!($flag)) {
            made = made.$flag();
        })*
        made
    }};
}

/// The optimizer of a name and settings.
pub(super) fn optimizer(name: &str, config: &Value) -> Made<AnyOptimizer> {
    let mut s = Settings::new(name, config);
    let rate = match s.take("learning_rate") {
        Some(Value::Object(scheduled)) => {
            let name = scheduled["schedule"].as_str().unwrap_or_default();
            LearningRate::Scheduled(schedule(name, &scheduled["config"])?)
        }
        number => number.and_then(Value::as_f64).unwrap_or(0.001).into(),
    };
    let made = match name {
        "SGD" => with!(SGD::new(rate), s; momentum; nesterov).erased(),
        "Adam" => with!(Adam::new(rate), s; beta_1, beta_2, epsilon; amsgrad).erased(),
        "AdamW" => with!(AdamW::new(rate), s; beta_1, beta_2, epsilon; amsgrad).erased(),
        "Adamax" => with!(Adamax::new(rate), s; beta_1, beta_2, epsilon;).erased(),
        "Nadam" => with!(Nadam::new(rate), s; beta_1, beta_2, epsilon;).erased(),
        "Lion" => with!(Lion::new(rate), s; beta_1, beta_2;).erased(),
        "RMSprop" => with!(RMSprop::new(rate), s; rho, momentum, epsilon; centered).erased(),
        "Adadelta" => with!(Adadelta::new(rate), s; rho, epsilon;).erased(),
        "Adagrad" => with!(Adagrad::new(rate), s; initial_accumulator_value, epsilon;).erased(),
        "Ftrl" => with!(
            Ftrl::new(rate), s;
            learning_rate_power, initial_accumulator_value, l1_regularization_strength,
            l2_regularization_strength, l2_shrinkage_regularization_strength, beta;
        )
        .erased(),
        _ => return Err(Unknown(name.to_owned())),
    };
    let mut made = with!(
        made, s; weight_decay, clipnorm, global_clipnorm, clipvalue, ema_momentum; use_ema
    );
    if let Some(steps) = s.number("ema_overwrite_frequency") {
        made = made.ema_overwrite_frequency(steps as i64);
    }
    if let Some(steps) = s.number("gradient_accumulation_steps") {
        made = made.gradient_accumulation_steps(steps as i64);
    }
    s.finish(made)
}

/// The schedule of a name and settings.
pub(super) fn schedule(name: &str, config: &Value) -> Made<Arc<dyn Schedule>> {
    let mut s = Settings::new(name, config);
    let initial = s.number("initial_learning_rate").unwrap_or(0.0);
    let steps = s.number("decay_steps").or_else(|| s.number("first_decay_steps"));
    let (steps, rate) = (steps.unwrap_or(0.0), s.number("decay_rate").unwrap_or(0.0));
    let made: Arc<dyn Schedule> = match name {
        "ExponentialDecay" => {
            Arc::new(with!(ExponentialDecay::new(initial, steps, rate), s;; staircase))
        }
        "InverseTimeDecay" => {
            Arc::new(with!(InverseTimeDecay::new(initial, steps, rate), s;; staircase))
        }
        "PiecewiseConstantDecay" => {
            Arc::new(PiecewiseConstantDecay::new(s.list("boundaries"), s.list("values")))
        }
        "PolynomialDecay" => Arc::new(
            with!(PolynomialDecay::new(initial, steps), s; end_learning_rate, power; cycle),
        ),
        "CosineDecay" => {
            let mut made = with!(CosineDecay::new(initial, steps), s; alpha;);
            let warm = s.number("warmup_steps").unwrap_or(0.0);
            if let Some(target) = s.number("warmup_target") {
                made = made.warmup(warm, target);
            }
            Arc::new(made)
        }
        "CosineDecayRestarts" => {
            Arc::new(with!(CosineDecayRestarts::new(initial, steps), s; t_mul, m_mul, alpha;))
        }
        _ => return Err(Unknown(name.to_owned())),
    };
    s.finish(made)
}

/// The reduction of a name.
fn reduction(name: &str) -> Made<Reduction> {
    Ok(match name {
        "sum_over_batch_size" => Reduction::SumOverBatchSize,
        "mean" => Reduction::Mean,
        "mean_with_sample_weight" => Reduction::MeanWithSampleWeight,
        "sum" => Reduction::Sum,
        "none" => Reduction::None,
        other => return Err(Unknown(format!("reduction {other}"))),
    })
}

/// The loss of a name and settings.
pub(super) fn loss(name: &str, config: &Value) -> Made<Arc<dyn Loss>> {
    let mut s = Settings::new(name, config);
    let how = s.take("reduction").and_then(Value::as_str).unwrap_or("sum_over_batch_size");
    let how = reduction(how)?;
    let axis = s.number("axis").map(|a| a as i64);
    macro_rules! made {
        ($loss:expr) => {
            Arc::new($loss.reduction(how))
        };
    }
    let last = axis.unwrap_or(-1);
    let made: Arc<dyn Loss> = match name {
        "MeanSquaredError" => made!(MeanSquaredError::new()),
        "MeanAbsoluteError" => made!(MeanAbsoluteError::new()),
        "MeanAbsolutePercentageError" => made!(MeanAbsolutePercentageError::new()),
        "MeanSquaredLogarithmicError" => made!(MeanSquaredLogarithmicError::new()),
        "LogCosh" => made!(LogCosh::new()),
        "Poisson" => made!(Poisson::new()),
        "KLDivergence" => made!(KLDivergence::new()),
        "Hinge" => made!(Hinge::new()),
        "SquaredHinge" => made!(SquaredHinge::new()),
        "CategoricalHinge" => made!(CategoricalHinge::new()),
        "Huber" => made!(with!(Huber::new(), s; delta;)),
        "CosineSimilarity" => made!(CosineSimilarity::new().axis(last)),
        "BinaryCrossentropy" => {
            made!(with!(BinaryCrossentropy::new().axis(last), s; label_smoothing; from_logits))
        }
        "BinaryFocalCrossentropy" => made!(with!(
            BinaryFocalCrossentropy::new().axis(last), s;
            alpha, gamma, label_smoothing; from_logits, apply_class_balancing
        )),
        "CategoricalCrossentropy" => {
            made!(with!(CategoricalCrossentropy::new().axis(last), s; label_smoothing; from_logits))
        }
        "CategoricalFocalCrossentropy" => made!(with!(
            CategoricalFocalCrossentropy::new().axis(last), s;
            alpha, gamma, label_smoothing; from_logits
        )),
        "SparseCategoricalCrossentropy" => {
            let ignored = s.number("ignore_class");
            let made = with!(SparseCategoricalCrossentropy::new(), s;; from_logits);
            made!(ignored.map_or(made.clone(), |class| made.ignore_class(class as i64)))
        }
        "Dice" => made!(axis.map_or(Dice::new(), |a| Dice::new().axis(a))),
        "Tversky" => {
            let made = with!(Tversky::new(), s; alpha, beta;);
            made!(match axis {
                Some(axis) => made.axis(axis),
                None => made,
            })
        }
        _ => return Err(Unknown(name.to_owned())),
    };
    s.finish(made)
}
