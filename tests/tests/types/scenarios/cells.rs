//! Cells whose state is made later: a trace that saw one empty serves nobody once it is filled.

use std::sync::atomic::{AtomicUsize, Ordering};

use extype::init_scope;
use extype::prelude::*;
use extype::train::{Adam, SGD};

/// How often a body ran.
#[derive(Default)]
struct Runs(AtomicUsize);

impl Runs {
    fn one_more(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

fn number(x: &Tensor) -> f64 {
    x.cast(f64).unwrap().item().unwrap()
}

/// Calls the body so many times eagerly on one model and traced on another, which give the same.
fn alike<M: Module>(
    times: usize,
    make: impl Fn() -> M,
    body: impl Fn(&M, &Tensor) -> Result<Tensor> + Send + Sync + 'static,
) {
    let x = scalar(1.0f64);
    let (eager, traced) = (make(), make());
    let runs = Runs::default();
    let f = function(|x: &Tensor| {
        runs.one_more();
        body(&traced, x)
    });
    for i in 0..times {
        let (a, b) = (body(&eager, &x).unwrap(), f.call(&x).unwrap());
        assert_eq!(number(&a), number(&b), "call {i}");
    }
    // Once what there is to make is made the trace stays.
    let before = runs.count();
    assert!(before < times, "{before}");
    let _ = f.call(&x).unwrap();
    assert_eq!(runs.count(), before);
}

#[derive(Module)]
struct Layer {
    w: Late<Variable>,
    extra: Late<Variable>,
}

impl Layer {
    fn new() -> Self {
        Layer { w: Late::new(), extra: Late::new() }
    }

    fn weight(&self) -> Result<&Variable> {
        self.w.get_or_create(|| Variable::new(2.0f64))
    }

    #[tf_function]
    fn has_extra(&self, x: &Tensor) -> Result<Tensor> {
        ops::mul(x, if self.extra.get().is_some() { 10.0 } else { 1.0 })
    }
}

#[test]
fn params_that_are_read_before_they_are_made_are_trained() {
    alike(5, Layer::new, |layer, x| {
        let params: Vec<Variable> = layer.w.get().into_iter().cloned().collect();
        let tape = GradientTape::new();
        let y = ops::mul(x, layer.weight()?.read()?)?;
        let gradients = tape.gradient(&y, &params);
        if !params.is_empty() {
            params[0].assign_sub(ops::mul(gradients?.of(&params[0])?.unwrap(), 0.1)?)?;
        }
        layer.weight()?.read()
    });
}

#[test]
fn what_is_done_where_a_cell_is_empty_is_done_once() {
    alike(5, Layer::new, |layer, x| match layer.extra.get() {
        None => {
            layer.extra.get_or_create(|| Variable::new(1.0f64))?;
            Ok(x.clone())
        }
        Some(v) => {
            v.assign_add(x)?;
            v.read()
        }
    });
}

#[test]
fn the_variables_of_a_module_are_those_that_are_there() {
    alike(4, Layer::new, |layer, x| {
        let before = layer.variables().len();
        layer.weight()?;
        ops::add(x, before as f64)
    });
}

#[test]
fn a_cell_that_is_only_created_costs_no_second_trace() {
    let (layer, runs) = (Layer::new(), Runs::default());
    let f = function(|x: &Tensor| {
        runs.one_more();
        ops::mul(x, layer.weight()?.read()?)
    });
    for _ in 0..3 {
        assert_eq!(number(&f.call(&scalar(3.0f64)).unwrap()), 6.0);
    }
    assert_eq!((runs.count(), f.trace_count()), (1, 1));
}

#[test]
fn functions_within_functions_see_it_too() {
    for warm in [false, true] {
        let (layer, runs) = (Layer::new(), Runs::default());
        let outer = function(|x: &Tensor| {
            runs.one_more();
            layer.has_extra(x)
        });
        let outermost = function(|x: &Tensor| outer.call(x));
        let x = scalar(1.0f64);
        if warm {
            // The outer ones then hit what is traced.
            assert_eq!(number(&layer.has_extra(&x).unwrap()), 1.0);
        }
        assert_eq!(number(&outermost.call(&x).unwrap()), 1.0);
        layer.extra.get_or_create(|| Variable::new(0.0f64)).unwrap();
        assert_eq!(number(&outermost.call(&x).unwrap()), 10.0);
        assert_eq!(number(&outer.call(&x).unwrap()), 10.0);
        assert_eq!(number(&layer.has_extra(&x).unwrap()), 10.0);
        assert_eq!(runs.count(), 2);
    }
}

#[test]
fn a_cell_that_is_filled_between_two_calls_in_one_body() {
    alike(4, Layer::new, |layer, x| {
        let before = layer.has_extra(x)?;
        layer.extra.get_or_create(|| Variable::new(0.0f64))?;
        ops::add(&before, &layer.has_extra(x)?)
    });
}

#[test]
fn arms_and_bodies_that_look_at_a_cell() {
    alike(4, Layer::new, |layer, x| {
        let seen = || ops::mul(x, if layer.extra.get().is_some() { 5.0 } else { 3.0 });
        let y = cond(&x.greater(0.0)?, seen, || Ok(x.clone()))?;
        let (_, y) = while_loop(
            (scalar(0i64), y),
            |(i, _)| i.less(3),
            |(i, y)| {
                let step = if layer.w.get().is_some() { 2.0 } else { 1.0 };
                Ok((ops::add(&i, 1)?, ops::add(&y, step)?))
            },
        )?;
        layer.extra.get_or_create(|| Variable::new(0.0f64))?;
        layer.weight()?;
        Ok(y)
    });
}

#[test]
fn an_initializer_that_failed_is_tried_again() {
    let (layer, ready) = (Layer::new(), AtomicUsize::new(0));
    let f = function(|x: &Tensor| {
        let made = layer.w.get_or_create(|| match ready.load(Ordering::Relaxed) {
            0 => Err(Error::invalid("not yet")),
            _ => Variable::new(7.0f64),
        });
        made.map_or_else(|_| Ok(x.clone()), Variable::read)
    });
    assert_eq!(number(&f.call(&scalar(1.0f64)).unwrap()), 1.0);
    ready.store(1, Ordering::Relaxed);
    layer.weight().unwrap();
    assert_eq!(number(&f.call(&scalar(1.0f64)).unwrap()), 2.0);
}

#[test]
fn what_is_looked_up_outside_the_trace_decides_too() {
    alike(4, Layer::new, |layer, x| {
        let there = init_scope(|| layer.w.get().is_some());
        layer.weight()?;
        ops::add(x, if there { 1.0 } else { 0.0 })
    });
}

#[test]
fn a_cell_of_the_body_alone_costs_no_trace() {
    let runs = Runs::default();
    let f = function(|x: &Tensor| {
        runs.one_more();
        let cell = Late::<f64>::new();
        assert!(cell.get().is_none());
        ops::mul(x, *cell.get_or_create(|| Ok(2.0))?)
    });
    for _ in 0..3 {
        assert_eq!(number(&f.call(&scalar(1.0f64)).unwrap()), 2.0);
    }
    assert_eq!(runs.count(), 1);
}

#[test]
fn plain_data_in_a_cell() {
    let cell = Late::<i64>::new();
    let f = function(|x: &Tensor| ops::mul(x, cell.get().copied().unwrap_or(1)));
    let g = f.concrete(&TensorSpec::of::<f64>([])).unwrap();
    assert_eq!(number(&f.call(&scalar(3.0f64)).unwrap()), 3.0);
    cell.get_or_create(|| Ok(5)).unwrap();
    assert_eq!(number(&f.call(&scalar(3.0f64)).unwrap()), 15.0);
    // One that was asked for by types is the one that it was; the next is not.
    assert_eq!(number(&g.call_flat(&[scalar(3.0f64)]).unwrap()[0]), 3.0);
    let g = f.concrete(&TensorSpec::of::<f64>([])).unwrap();
    assert_eq!(number(&g.call_flat(&[scalar(3.0f64)]).unwrap()[0]), 15.0);
}

#[derive(Module)]
struct Trained {
    w: Variable,
    adam: Adam,
}

#[test]
fn the_state_of_an_optimizer_is_looked_at() {
    let make = || Trained { w: Variable::new(1.0f64).unwrap(), adam: Adam::new(0.1) };
    let apply = |model: &Trained| {
        let tape = GradientTape::new();
        let loss = model.w.read()?.square()?;
        model.adam.apply(&tape.gradient(&loss, &model.w)?, &model.w)
    };
    alike(4, make, move |model, x| {
        let there = model.adam.slot("momentum", &model.w).is_some();
        apply(model)?;
        ops::add(x, if there { 1.0 } else { 0.0 })
    });
    alike(4, make, move |model, x| {
        let there = model.adam.variables().len() + model.variables().len();
        apply(model)?;
        ops::add(x, there as f64)
    });
    // Bodies that do not look are traced once.
    let (model, runs) = (make(), Runs::default());
    let f = function(|x: &Tensor| {
        runs.one_more();
        apply(&model)?;
        ops::add(x, model.w.read()?)
    });
    for _ in 0..3 {
        let _ = f.call(&scalar(0.0f64)).unwrap();
    }
    assert_eq!(runs.count(), 1);
}

#[test]
fn threads_that_call_at_once_count_every_call() {
    let layer = Layer::new();
    let f = function(|x: &Tensor| match layer.extra.get() {
        None => {
            layer.extra.get_or_create(|| Variable::new(0.0f64))?.assign_add(x)?;
            Ok(x.clone())
        }
        Some(v) => {
            v.assign_add(x)?;
            Ok(x.clone())
        }
    });
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| (0..25).for_each(|_| drop(f.call(&scalar(1.0f64)).unwrap())));
        }
    });
    assert_eq!(number(&layer.extra.get().unwrap().read().unwrap()), 100.0);
}

#[test]
fn a_step_with_an_optimizer_over_cells() {
    #[derive(Module)]
    struct Net {
        layer: Layer,
        sgd: SGD,
    }
    alike(
        6,
        || Net { layer: Layer::new(), sgd: SGD::new(0.1).momentum(0.5) },
        |net, x| {
            let params: Vec<Variable> = net.layer.variables();
            let tape = GradientTape::new();
            let loss = ops::mul(x, net.layer.weight()?.read()?)?.square()?;
            if !params.is_empty() {
                net.sgd.apply(&tape.gradient(&loss, &params)?, &params)?;
            }
            Ok(loss)
        },
    );
}
