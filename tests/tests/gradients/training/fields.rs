//! Optimizers, losses, schedules, initial values as fields of modules.

use std::collections::HashMap;

use super::*;
use extype::spec::ModuleSpec;

#[derive(Module)]
struct Line {
    w: Variable,
    optimizer: Adam,
    loss: MeanSquaredError,
}

impl Line {
    fn new(loss: MeanSquaredError) -> Result<Self> {
        let w = Variable::new(scalar(0.5f32))?.name("w");
        Ok(Self { w, optimizer: Adam::new(0.1), loss })
    }

    #[tf_function]
    fn step(&self, x: &Tensor, y: &Tensor) -> Result<Tensor> {
        let tape = GradientTape::new();
        let loss = || self.loss.call(y, &ops::mul(x, &self.w)?);
        let (loss, gradients) = tape.value_and_gradient(&self.w, loss)?;
        self.optimizer.apply(&gradients, &self.w)?;
        Ok(loss)
    }
}

fn data() -> (Tensor, Tensor) {
    (tensor![[1.0f32], [2.0]], tensor![[3.0f32], [6.0]])
}

#[test]
fn the_variables_of_a_module_have_the_slots_of_its_optimizer() -> Result<()> {
    let (x, y) = data();
    let line = Line::new(MeanSquaredError::new())?;
    for _ in 0..3 {
        let _ = line.step(&x, &y)?;
    }
    // Slots came in the first call, and are no reason for a trace.
    assert_eq!(line.step_function().trace_count(), 1);
    let names: Vec<_> =
        line.variables().iter().filter_map(|v| v.label().map(str::to_owned)).collect();
    assert_eq!(
        names,
        ["w", "adam/iterations", "adam/learning_rate", "adam/w_momentum", "adam/w_velocity"]
    );

    let other = Line::new(MeanSquaredError::new())?;
    other.optimizer.build(&other.w)?;
    for (to, from) in other.variables().iter().zip(line.variables()) {
        to.assign(from.read()?)?;
    }
    for model in [&line, &other] {
        let _ = model.step(&x, &y)?;
    }
    assert_eq!(line.w.read()?.item::<f32>()?, other.w.read()?.item::<f32>()?);
    Ok(())
}

#[derive(Module)]
struct Parts {
    loss: BinaryCrossentropy,
    reduction: Reduction,
    kernel: Initializer,
    rate: CosineDecay,
    pair: [Variable; 2],
    either: (Variable, Late<Variable>),
    boxed: Box<Inner>,
    named: HashMap<String, Variable>,
}

#[derive(Module)]
struct Inner {
    scale: Variable,
}

impl Parts {
    fn new(loss: BinaryCrossentropy) -> Result<Self> {
        let v = |x: f32| Variable::new(scalar(x));
        Ok(Self {
            loss,
            reduction: Reduction::Sum,
            kernel: Initializer::zeros(),
            rate: CosineDecay::new(0.1, 3.0),
            pair: [v(0.0)?, v(1.0)?],
            either: (v(2.0)?, Late::new()),
            boxed: Box::new(Inner { scale: v(3.0)? }),
            named: HashMap::from([("b".to_owned(), v(5.0)?), ("a".to_owned(), v(4.0)?)]),
        })
    }

    #[tf_function]
    fn total(&self, y: &Tensor) -> Result<Tensor> {
        let mut total = self.loss.call(y, &ops::mul(y, 0.5)?)?;
        for v in self.variables() {
            total = ops::add(total, v.read()?)?;
        }
        Ok(total)
    }
}

#[test]
fn settings_and_containers_of_variables_are_fields() -> Result<()> {
    let mut parts = Parts::new(BinaryCrossentropy::new())?;
    let values =
        parts.variables().iter().map(|v| v.read()?.item::<f32>()).collect::<Result<Vec<_>>>();
    assert_eq!(values?, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let y = tensor![[1.0f32], [0.0]];
    let first = parts.total(&y)?.item::<f32>()?;
    let _ = parts.total(&y)?;
    assert_eq!(parts.total_function().trace_count(), 1);

    // Another setting is another trace.
    parts.loss = BinaryCrossentropy::new().from_logits();
    assert_ne!(parts.total(&y)?.item::<f32>()?, first);
    assert_eq!(parts.total_function().trace_count(), 2);

    let text = ModuleSpec::of(&parts).to_string();
    assert!(text.contains(r#"named: [["a", float32[]], ["b", float32[]]]"#), "{text}");
    assert!(text.contains("pair: [float32[], float32[]]"), "{text}");
    Ok(())
}
