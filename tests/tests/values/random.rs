//! Random numbers as a user sees them: seeds, generators, traced functions, wrong calls.

use extype::prelude::*;
use extype::random::{self, Generator};

fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec().unwrap()
}

#[track_caller]
fn refused(result: Result<Tensor>, parts: &[&str]) {
    let e = result.unwrap_err();
    let text = e.to_string();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{text}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

#[test]
fn a_seed_tells_the_numbers_whatever_its_form() -> Result<()> {
    let of_host = random::stateless_uniform([2, 3], [1, 2], .., f32)?;
    let of_tensor = random::stateless_uniform(tensor![2i32, 3], tensor![1i32, 2], 0.0..1.0, f32)?;
    assert_eq!(of_host.shape(), shape![2, 3]);
    assert_eq!(floats(&of_host), floats(&of_tensor));
    let other = random::stateless_uniform([2, 3], [1, 3], .., f32)?;
    assert_ne!(floats(&of_host), floats(&other));
    Ok(())
}

#[test]
fn bounds_may_be_tensors_that_broadcast() -> Result<()> {
    let (low, high) = (tensor![0.0f32, 10.0], tensor![1.0f32, 11.0]);
    let x = random::stateless_uniform([100, 2], [3, 4], &low..&high, f32)?;
    for row in floats(&x).chunks(2) {
        assert!((0.0..1.0).contains(&row[0]) && (10.0..11.0).contains(&row[1]), "{row:?}");
    }
    Ok(())
}

#[test]
fn a_generator_moves_on_in_traced_functions_as_outside() -> Result<()> {
    let (eager, traced) = (Generator::from_seed(5)?, Generator::from_seed(5)?);
    let held = traced.clone();
    let draw = function(move |shape: &Tensor| {
        let a = held.uniform(shape, .., f32)?;
        Ok((a, held.uniform(shape, 0..100, i32)?))
    });
    for sizes in [tensor![2i64, 2], tensor![7i64, 1]] {
        let (a, b) = draw.call(&sizes)?;
        assert_eq!(floats(&a), floats(&eager.uniform(&sizes, .., f32)?));
        let want = eager.uniform(&sizes, 0..100, i32)?;
        assert_eq!(b.as_slice::<i32>()?, want.as_slice::<i32>()?);
    }
    assert_eq!(draw.trace_count(), 1);
    let state = |g: &Generator| g.state().read()?.to_vec::<i64>();
    assert_eq!(state(&eager)?, state(&traced)?);
    assert_eq!(state(&eager)?, [5 + 256 * 22, 0, 0]);
    Ok(())
}

#[test]
fn skipping_and_resetting_go_to_known_states() -> Result<()> {
    let (a, b) = (Generator::from_key_counter(9, [u64::MAX, 1])?, Generator::from_seed(0)?);
    let before = a.skip(2)?;
    assert_eq!(before.as_slice::<i64>()?, &[-1, 1, 9]);
    assert_eq!(a.state().read()?.as_slice::<i64>()?, &[511, 2, 9]);
    assert_eq!(a.key()?.item::<u64>()?, 9);
    b.reset(&a.state().read()?)?;
    assert_eq!(floats(&a.normal([3], 1.0, 2.0, f32)?), floats(&b.normal([3], 1.0, 2.0, f32)?));
    let c = Generator::from_state(&a.state().read()?)?;
    a.reset_from_seed(-3)?;
    assert_eq!(a.state().read()?.as_slice::<i64>()?, &[-3, -1, -1]);
    assert_eq!(c.key()?.item::<u64>()?, 9);
    Ok(())
}

#[test]
fn split_generators_draw_numbers_of_their_own() -> Result<()> {
    let parts = Generator::from_seed(1)?.split(2)?;
    let [x, y] = [0, 1].map(|i: usize| floats(&parts[i].uniform([4], .., f32).unwrap()));
    assert_ne!(x, y);
    // The keys of the parts are the first row of the seeds.
    let seeds = Generator::from_seed(1)?.make_seeds(2)?.to_vec::<i64>()?;
    assert_eq!(seeds[0] as u64, parts[0].key()?.item::<u64>()?);
    assert_eq!(seeds[2..], [0, 0]);
    Ok(())
}

#[test]
fn the_process_has_a_generator_that_can_be_seeded() -> Result<()> {
    let draw = function(|_: &Tensor| random::normal([3], 0.0, 1.0, f64));
    let none = scalar(0i32);
    random::set_seed(12)?;
    let first = draw.call(&none)?.to_vec::<f64>()?;
    let second = random::normal([3], 0.0, 1.0, f64)?.to_vec::<f64>()?;
    assert_ne!(first, second);
    random::set_seed(12)?;
    assert_eq!(draw.call(&none)?.to_vec::<f64>()?, first);
    Ok(())
}

#[test]
fn strings_and_rows_are_shuffled_whole() -> Result<()> {
    let names = Tensor::from_strings(&["a", "b", "c", "d"], &[4])?;
    let order = random::stateless_shuffle(&tensor![0i32, 1, 2, 3], [1, 2])?;
    let shuffled = random::stateless_shuffle(&names, [1, 2])?;
    let expected = ops::gather(&names, &order, 0)?;
    assert_eq!(shuffled.value()?.as_strings()?, expected.value()?.as_strings()?);
    let rows = random::stateless_shuffle(&tensor![[0i32, 0], [1, 1], [2, 2]], [1, 2])?;
    assert!(rows.as_slice::<i32>()?.chunks(2).all(|r| r[0] == r[1]));
    Ok(())
}

#[test]
fn classes_are_drawn_by_their_probabilities() -> Result<()> {
    let logits = Tensor::from_slice(&[0.9f32.ln(), 0.1f32.ln()], &[1, 2])?;
    let drawn = random::stateless_categorical(&logits, 1000, [1, 2], i64)?;
    assert_eq!(drawn.shape(), shape![1, 1000]);
    let ones = drawn.as_slice::<i64>()?.iter().sum::<i64>();
    assert!((60..140).contains(&ones), "{ones}");
    Ok(())
}

#[test]
fn wrong_calls_are_refused_by_name() {
    refused(random::stateless_uniform([2, -3], [1, 2], .., f32), &["-3", "negative"]);
    refused(random::stateless_uniform([2], [1, 2, 3], .., f32), &["seed", "[2]", "[3]"]);
    refused(random::stateless_uniform([2], [1, 2], .., DType::Bool), &["dtype", "bool"]);
    refused(random::stateless_uniform([2], [1, 2], 5..5, i32), &["minval", "maxval", "5"]);
    refused(random::stateless_uniform([2], [1, 2], 0..5, u32), &["uint32"]);
    refused(random::stateless_uniform([2], [1, 2], 0.5..1.5, i32), &["0.5", "int32"]);
    refused(random::stateless_normal([2], [1, 2], 0.0, 1.0, i32), &["dtype", "int32"]);
    let mean = tensor![1.0f64];
    refused(random::stateless_normal([1], [1, 2], &mean, 1.0, f32), &["float64", "float32"]);
    refused(random::stateless_fold_in([1, 2], 1.5f32), &["data", "float32"]);
    let logits = tensor![0.5f32, 0.5];
    refused(random::stateless_categorical(&logits, 3, [1, 2], i64), &["logits", "[2]"]);
    let matrix = tensor![[0.5f32, 0.5]];
    refused(random::stateless_categorical(&matrix, -3, [1, 2], i64), &["num_samples", "-3"]);
    refused(random::stateless_categorical(&matrix, 3, [1, 2], f32), &["output_dtype", "float32"]);
    let g = Generator::from_seed(1).unwrap();
    refused(g.uniform([-1], .., f32), &["shape", "negative"]);
    assert_eq!(g.state().read().unwrap().to_vec::<i64>().unwrap(), [1, 0, 0]);
    let e = Generator::from_state(&tensor![1i64, 2]).unwrap_err();
    assert!(e.to_string().contains("int64 of shape [3]"), "{e}");
    let too_many = random::stateless_uniform([i64::MAX, 3], [1, 2], .., f32).unwrap_err();
    assert_eq!(too_many.kind(), ErrorKind::ResourceExhausted, "{too_many}");
}

#[test]
fn a_generator_is_not_created_in_a_trace() {
    let f = function(|_: &Tensor| Generator::from_seed(1)?.uniform([1], .., f32));
    assert_eq!(f.call(&scalar(1i32)).unwrap_err().kind(), ErrorKind::FailedPrecondition);
}

#[derive(Module)]
struct Dropout {
    generator: Generator,
}

impl Dropout {
    #[tf_function]
    fn keep(&self, x: &Tensor) -> Result<Tensor> {
        self.generator.uniform(ops::shape_of(x)?, .., f32)?.greater(0.5)
    }
}

#[test]
fn a_generator_is_a_field_of_a_module() -> Result<()> {
    let layer = Dropout { generator: Generator::from_seed(3)? };
    let x = Tensor::from_vec(vec![1.0f32; 64]);
    let (a, b) = (layer.keep(&x)?.to_vec::<bool>()?, layer.keep(&x)?.to_vec::<bool>()?);
    assert_ne!(a, b);
    assert_eq!(layer.variables().len(), 1);
    Ok(())
}

/// The slope of `f` at each element, by central differences in float64.
fn differences(f: impl Fn(&Tensor) -> Result<Tensor>, x: &Tensor) -> Result<Vec<f64>> {
    const STEP: f64 = 1e-5;
    let (values, sizes) = (x.to_vec::<f64>()?, ops::shape_of(x)?);
    let at = |i: usize, step: f64| {
        let mut moved = values.clone();
        moved[i] += step;
        f(&Tensor::from_vec(moved).reshape(&sizes)?)?.item::<f64>()
    };
    (0..values.len()).map(|i| Ok((at(i, STEP)? - at(i, -STEP)?) / (2.0 * STEP))).collect()
}

#[test]
fn gradients_go_back_through_a_shuffle() -> Result<()> {
    // As in mixup: rows mixed with others, and a loss that tells them apart.
    let x =
        Tensor::from_vec((0..10).map(|i| f64::from(i) / 4.0 - 1.0).collect()).reshape([5, 2])?;
    let mixed = |x: &Tensor| {
        let other = random::stateless_shuffle(x, [3, 4])?;
        ops::add(&ops::mul(x, 0.75)?, &ops::mul(&other, 0.25)?)?.square()
    };
    let weights = Tensor::from_vec((1..=10).map(f64::from).collect()).reshape([5, 2])?;
    let loss = |x: &Tensor| ops::mul(&mixed(x)?, &weights)?.reduce_sum(.., false);
    let traced = function(move |x: &Tensor| loss(x));
    let traced = |x: &Tensor| traced.call(x);
    let want = differences(traced, &x)?;
    for slopes in [extype::grad(&traced)(&x)?, extype::grad(&traced)(&x)?] {
        assert_eq!(slopes.shape(), shape![5, 2]);
        for (got, want) in slopes.to_vec::<f64>()?.iter().zip(&want) {
            assert!((got - want).abs() < 1e-6, "{got} is not {want}");
        }
    }
    // A scalar has one order, and no rows have no gradient.
    let alone = |x: &Tensor| random::stateless_shuffle(x, [3, 4])?.reduce_sum(.., false);
    assert_eq!(extype::grad(alone)(&scalar(2.0f64))?.item::<f64>()?, 1.0);
    assert_eq!(extype::grad(alone)(&Tensor::from_vec(Vec::<f64>::new()))?.shape(), shape![0]);
    Ok(())
}

#[test]
fn rounding_does_not_lead_to_the_end_of_a_range() -> Result<()> {
    for (dtype, range) in [(f16, 100.0..101.0), (f32, 1000.0..1001.0), (f32, -1001.0..-1000.0)] {
        let x = random::uniform(100_000, range.clone(), (dtype, random::Seed(3)))?.cast(f64)?;
        assert!(x.to_vec::<f64>()?.iter().all(|x| range.contains(x)), "{dtype} of {range:?}");
    }
    assert_eq!(random::uniform(2, 5.0..5.0, random::Seed(3))?.to_vec::<f32>()?, [5.0, 5.0]);
    refused(random::uniform(2, f32::MIN..f32::MAX, random::Seed(3)), &["width", "finite"]);
    let between = function(|to: &Tensor| random::uniform(2, &scalar(0.0f32)..to, random::Seed(3)));
    assert_eq!(between.call(&scalar(1.0f32))?.shape(), shape![2]);
    assert!(between.call(&scalar(f32::INFINITY)).is_err());
    Ok(())
}

#[test]
fn a_shuffle_uses_no_numbers_of_later_draws() -> Result<()> {
    let rows = ops::arange(4096)?;
    let order = |g: &Generator| g.shuffle(&rows)?.to_vec::<i32>();
    let (a, b) = (Generator::from_key_counter(9, [0, 0])?, Generator::from_key_counter(9, [0, 0])?);
    assert_eq!(order(&a)?, order(&b)?);
    assert_ne!(order(&a)?, order(&Generator::from_key_counter(9, [0, 0])?)?);
    // The key of the order is drawn: its words are not those of the generator.
    let seed = Generator::from_key_counter(9, [0, 0])?.make_seeds(1)?.reshape([2])?;
    let again = random::stateless_shuffle(&rows, seed)?.to_vec::<i32>()?;
    assert_eq!(order(&Generator::from_key_counter(9, [0, 0])?)?, again);
    Ok(())
}

#[test]
fn choices_in_traces_are_those_outside() -> Result<()> {
    let numbers = function(|_: &Tensor| random::choice(3, 4, random::Seed(1)));
    let want = random::choice(3, 4, random::Seed(1))?.to_vec::<i64>()?;
    assert_eq!(numbers.call(&scalar(0))?.to_vec::<i64>()?, want);
    let weighed = function(|w: &Tensor| {
        random::choice(3, 2, (random::NoRepeats, ops::Weights(w), random::Seed(1)))
    });
    assert_eq!(weighed.call(&tensor![1.0, 0.0, 1.0])?.sort(..)?.to_vec::<i64>()?, [0, 2]);
    for wrong in [[0.0, 0.0, 1.0], [1.0, -1.0, 1.0], [1.0, f64::NAN, 1.0]] {
        assert!(weighed.call(&Tensor::from(wrong)).is_err(), "{wrong:?}");
    }
    Ok(())
}
