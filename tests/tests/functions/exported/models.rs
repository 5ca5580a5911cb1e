//! Models that are saved, with calls of their functions and what these return.

use extype::prelude::*;
use extype::random::Generator;
use extype::resources::LookupTable;
use extype::saved::Export;
use extype::spec::AnyValue;
use extype_tests::types::{Labelled, MaskedTensor};

/// A call of a function, or of a signature, whose inputs have names.
pub(super) enum Call {
    Function(&'static str, Vec<AnyValue>, AnyValue),
    Signature(&'static str, Vec<(&'static str, Tensor)>, Vec<(&'static str, Tensor)>),
}

/// Saves a model, and tells what its functions returned.
type Make = fn(&std::path::Path) -> Result<Vec<Call>>;

pub(super) const ALL: &[(&str, Make)] = &[
    ("plain", plain),
    ("mlp", mlp),
    ("control", control),
    ("counter", counter),
    ("masked", masked),
    ("labelled", labelled),
    ("strings", strings),
    ("random", random),
    ("gradients", gradients),
    ("structures", structures),
    ("constants", constants),
    ("tables", tables),
];

fn called(name: &'static str, args: Vec<AnyValue>, result: impl Structure) -> Call {
    Call::Function(name, args, AnyValue::new(result))
}

fn any(value: impl Structure) -> AnyValue {
    AnyValue::new(value)
}

fn plain(folder: &std::path::Path) -> Result<Vec<Call>> {
    let f = function(|x: &Tensor| x.square()?.matmul(x)?.tanh());
    let trace = f.concrete(&TensorSpec::of::<f32>(shape![2, 2]))?;
    Export::default().function("f", [trace]).save(folder)?;
    let x = tensor![[0.5f32, -1.0], [2.0, 0.25]];
    let y = f.call(&x)?;
    Ok(vec![
        called("f", vec![any(x.clone())], y.clone()),
        Call::Signature("serving_default", vec![("a", x)], vec![("output_0", y)]),
    ])
}

#[derive(Module)]
struct Layer {
    kernel: Variable,
    bias: Variable,
}

#[derive(Module)]
struct Mlp {
    layers: Vec<Layer>,
    rate: f64,
    step: Variable,
}

impl Mlp {
    fn new() -> Result<Self> {
        let layer = |i: usize, o: usize| -> Result<Layer> {
            let kernel =
                ops::linspace(-1.0f32, 1.0f32, (i * o) as i64)?.reshape([i as i64, o as i64])?;
            Ok(Layer {
                kernel: Variable::new(kernel)?,
                bias: Variable::new(ops::full([o as i64], 0.1f32)?)?,
            })
        };
        let step = Variable::new(0i64)?.not_trainable();
        Ok(Self { layers: vec![layer(3, 4)?, layer(4, 2)?], rate: 0.01, step })
    }

    #[tf_function]
    fn predict(&self, x: &Tensor) -> Result<Tensor> {
        let hidden = ops::add(x.matmul(&self.layers[0].kernel)?, &self.layers[0].bias)?.relu()?;
        ops::add(hidden.matmul(&self.layers[1].kernel)?, &self.layers[1].bias)?.softmax()
    }

    #[tf_function]
    fn train(&self, x: &Tensor, y: &Tensor) -> Result<Tensor> {
        let weights = self.trainable_variables();
        let loss = || ops::sub(self.predict(x)?, y)?.square()?.mean(..);
        let (loss, gradients) = GradientTape::new().value_and_gradient(&weights, loss)?;
        for v in &weights {
            if let Some(g) = gradients.of(v)? {
                v.assign_sub(ops::mul(&g, self.rate)?)?;
            }
        }
        self.step.assign_add(1)?;
        Ok(loss)
    }
}

fn mlp(folder: &std::path::Path) -> Result<Vec<Call>> {
    let model = Mlp::new()?;
    let x = TensorSpec::of::<f32>(shape![?, 3]);
    let predict = model.predict_concrete(&x)?;
    let train = model.train_concrete(&x, &TensorSpec::of::<f32>(shape![?, 2]))?;
    Export::new(&model)
        .function("predict", [predict.clone()])
        .function("train", [train])
        .signature("serving_default", &predict)
        .save(folder)?;
    let (x, y) =
        (tensor![[0.5f32, -1.0, 2.0], [1.0, 1.0, 0.0]], tensor![[1.0f32, 0.0], [0.0, 1.0]]);
    let first = model.predict(&x)?;
    let loss = model.train(&x, &y)?;
    Ok(vec![
        called("predict", vec![any(x.clone())], first.clone()),
        Call::Signature("serving_default", vec![("x", x.clone())], vec![("output_0", first)]),
        called("train", vec![any(x.clone()), any(y)], loss),
        called("predict", vec![any(x.clone())], model.predict(&x)?),
    ])
}

fn control(folder: &std::path::Path) -> Result<Vec<Call>> {
    let power = function(|x: &Tensor, n: &Tensor| {
        let start = (scalar(0i32), ops::ones_like(x)?);
        let (_, y) = while_loop(start, |(i, _)| i.less(n), |(i, y)| Ok((i + 1, y * x)))?;
        Ok(y)
    });
    let branch = function(|x: &Tensor| cond(&x.sum(..)?.greater(0.0)?, || x.log(), || ops::neg(x)));
    let collatz = function(|n: &Tensor| {
        let (_, steps) = while_loop(
            (n.clone(), scalar(0i64)),
            |(n, _)| n.greater(1i64),
            |(n, steps)| {
                let even = ops::equal(ops::floor_mod(&n, 2i64)?, 0i64)?;
                let next = cond(
                    &even,
                    || ops::floor_div(&n, 2i64),
                    || ops::add(ops::mul(&n, 3i64)?, 1i64),
                )?;
                Ok((next, steps + 1i64))
            },
        )?;
        Ok(steps)
    });
    let vector = TensorSpec::of::<f32>(shape![?]);
    Export::default()
        .function("power", [power.concrete(&vector, &TensorSpec::of::<i32>([]))?])
        .function("branch", [branch.concrete(&vector)?])
        .function("collatz", [collatz.concrete(&TensorSpec::of::<i64>([]))?])
        .save(folder)?;
    let x = tensor![2.0f32, 3.0];
    let mut calls = vec![
        called("power", vec![any(x.clone()), any(scalar(5i32))], power.call(&x, &scalar(5i32))?),
        called("power", vec![any(x.clone()), any(scalar(0i32))], power.call(&x, &scalar(0i32))?),
        called("collatz", vec![any(scalar(27i64))], collatz.call(&scalar(27i64))?),
    ];
    for x in [x, tensor![-2.0f32, 1.0]] {
        calls.push(called("branch", vec![any(x.clone())], branch.call(&x)?));
    }
    Ok(calls)
}

#[derive(Module)]
struct Counter {
    total: Variable,
    names: Variable,
}

impl Counter {
    #[tf_function]
    fn add(&self, x: &Tensor) -> Result<(Tensor, Tensor)> {
        self.total.assign_add(x)?;
        Ok((self.total.read()?, self.names.read()?))
    }

    #[tf_function]
    fn restart(&self, x: &Tensor) -> Result<(Tensor, Tensor)> {
        self.reset()?;
        self.add(x)
    }

    #[tf_function]
    fn reset(&self) -> Result<()> {
        self.total.assign(ops::zeros([2], f32)?)
    }
}

fn counter(folder: &std::path::Path) -> Result<Vec<Call>> {
    let names = Variable::new(tensor!["a", "bc"])?.not_trainable();
    let model = Counter { total: Variable::new(tensor![1.0f32, 2.0])?, names };
    let add = model.add_concrete(&TensorSpec::of::<f32>([2]))?;
    let reset = model.reset_concrete()?;
    Export::new(&model)
        .function("add", [add])
        .function("reset", [reset])
        .signature("restart", &model.restart_concrete(&TensorSpec::of::<f32>([2]))?)
        .save(folder)?;
    let x = tensor![0.5f32, 0.25];
    let first = model.add(&x)?;
    let (total, names) = model.restart(&x)?;
    let outputs = vec![("output_0", total), ("output_1", names)];
    model.reset()?;
    let last = model.add(&x)?;
    Ok(vec![
        called("add", vec![any(x.clone())], first),
        Call::Signature("restart", vec![("x", x.clone())], outputs),
        Call::Function("reset", vec![], any(())),
        called("add", vec![any(x)], last),
    ])
}

fn masked(folder: &std::path::Path) -> Result<Vec<Call>> {
    let f = function(|m: &MaskedTensor, by: &f64| {
        MaskedTensor::new(ops::mul(&m.values, *by)?, m.mask.logical_not()?)
    });
    let x = MaskedTensor::new(tensor![1.0f32, 2.0, 3.0], tensor![true, false, true])?;
    let spec =
        MaskedTensor::new(tensor![1.0f32, 2.0, 3.0], tensor![true, false, true])?.type_spec();
    let traces = [f.concrete(&spec, &2.0f64.type_spec())?, f.concrete(&spec, &3.0f64.type_spec())?];
    Export::default().function("f", traces.clone()).signature("scaled", &traces[0]).save(folder)?;
    let y = f.call(&x, &2.0)?;
    let inputs = vec![("a_values", x.values.clone()), ("a_mask", x.mask.clone())];
    let outputs = vec![("values", y.values.clone()), ("mask", y.mask.clone())];
    Ok(vec![
        called("f", vec![any(x.clone()), any(2.0f64)], y),
        called("f", vec![any(x.clone()), any(3.0f64)], f.call(&x, &3.0)?),
        Call::Signature("scaled", inputs, outputs),
    ])
}

fn labelled(folder: &std::path::Path) -> Result<Vec<Call>> {
    let f = function(|x: &Labelled| {
        Labelled::new(ops::mul(&x.values, x.scale)?, x.labels.clone(), x.scale)
    });
    let x = Labelled::new(tensor![1.0f32, 2.0], vec!["a".to_owned(), "b".to_owned()], 4.0)?;
    Export::default().function("f", [f.concrete(&x.type_spec())?]).save(folder)?;
    let y = f.call(&x)?;
    Ok(vec![called("f", vec![any(x)], y)])
}

fn strings(folder: &std::path::Path) -> Result<Vec<Call>> {
    let f = function(|x: &Tensor| {
        let joined = ops::string_join(&[x, &"!".to_tensor()?], "-")?;
        Ok((joined.clone(), ops::string_length(&joined, ops::CharUnit::Bytes)?))
    });
    let x = tensor!["", "ab", "c"];
    Export::default()
        .function("f", [f.concrete(&TensorSpec::new(shape![?], DType::String))?])
        .save(folder)?;
    let y = f.call(&x)?;
    Ok(vec![called("f", vec![any(x)], y)])
}

#[derive(Module)]
struct Noise {
    generator: Generator,
}

impl Noise {
    #[tf_function]
    fn draw(&self, x: &Tensor) -> Result<Tensor> {
        ops::add(x, self.generator.uniform([3], .., f32)?)
    }
}

fn random(folder: &std::path::Path) -> Result<Vec<Call>> {
    let model = Noise { generator: Generator::from_seed(7)? };
    let draw = model.draw_concrete(&TensorSpec::of::<f32>([3]))?;
    Export::new(&model).function("draw", [draw]).save(folder)?;
    let x = tensor![0.0f32, 10.0, 20.0];
    let calls = (0..2).map(|_| Ok(called("draw", vec![any(x.clone())], model.draw(&x)?)));
    calls.collect()
}

fn gradients(folder: &std::path::Path) -> Result<Vec<Call>> {
    let square = custom_gradient(|x: &Tensor| {
        Ok((x.square()?, |g: &Tensor| ops::clip_by_value(g, -1.0, 1.0)))
    });
    let again = extype::recompute(|y: &Tensor| y.sin()?.exp());
    let clipped = function(move |x: &Tensor| again(&square(x)?));
    let slope = function(|x: &Tensor| {
        let tape = GradientTape::new();
        let (_, g) = tape.value_and_gradient(x, || ops::mul(x.sin()?, x)?.sum(..))?;
        g.into_structure()
    });
    let spec = TensorSpec::of::<f32>(shape![?]);
    Export::default()
        .function("clipped", [clipped.concrete(&spec)?])
        .function("slope", [slope.concrete(&spec)?])
        .save(folder)?;
    let x = tensor![0.5f32, -2.0];
    Ok(vec![
        called("clipped", vec![any(x.clone())], clipped.call(&x)?),
        called("slope", vec![any(x.clone())], slope.call(&x)?),
    ])
}

fn structures(folder: &std::path::Path) -> Result<Vec<Call>> {
    type Batch = (Tensor, Vec<Tensor>, std::collections::BTreeMap<String, Tensor>);
    let f = function(|batch: &Batch, training: &bool, label: &String| {
        let scale = if *training { 2.0 } else { 1.0 };
        let mut named = batch.2.clone();
        named.insert(label.clone(), ops::mul(&batch.0, scale)?);
        Ok((batch.1.clone(), named))
    });
    let batch: Batch = (
        tensor![1.0f32, 2.0],
        vec![scalar(1i64), tensor![true]],
        [("k".to_owned(), scalar(2.5f64))].into(),
    );
    let label = "lambda".to_owned();
    let traces =
        [true, false].map(|on| f.concrete(&batch.type_spec(), &on.type_spec(), &label.type_spec()));
    let [on, off] = traces;
    Export::default().function("f", [on?, off?]).save(folder)?;
    let calls = [true, false].map(|on| {
        let y = f.call(&batch, &on, &label)?;
        Ok(called("f", vec![any(batch.clone()), any(on), any(label.clone())], y))
    });
    calls.into_iter().collect()
}

fn constants(folder: &std::path::Path) -> Result<Vec<Call>> {
    let table = ops::range(0, 1000, 1)?.cast(f32)?;
    let words = tensor!["zero", "one", "two"];
    let f = function(move |i: &Tensor| {
        Ok((ops::gather(&table, i, 0)?, ops::gather(&words, ops::floor_mod(i, 3)?, 0)?))
    });
    Export::default()
        .function("f", [f.concrete(&TensorSpec::of::<i32>(shape![?]))?])
        .save(folder)?;
    let i = tensor![5i32, 999];
    let y = f.call(&i)?;
    Ok(vec![called("f", vec![any(i)], y)])
}

#[derive(Module)]
struct Words {
    ids: LookupTable,
}

impl Words {
    #[tf_function]
    fn look(&self, words: &Tensor) -> Result<Tensor> {
        self.ids.lookup(words)
    }
}

fn tables(folder: &std::path::Path) -> Result<Vec<Call>> {
    let model = Words { ids: LookupTable::new(["a", "b"], [10i64, 20], -1i64)? };
    let look = model.look_concrete(&TensorSpec::new(shape![?], DType::String))?;
    Export::new(&model).function("look", [look]).save(folder)?;
    let words = tensor!["b", "x", "a"];
    let found = model.look(&words)?;
    Ok(vec![
        called("look", vec![any(words.clone())], found.clone()),
        Call::Signature("serving_default", vec![("words", words)], vec![("output_0", found)]),
    ])
}
