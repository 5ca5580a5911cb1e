//! Copies of modules with state of their own.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;

use extype::prelude::*;
use extype::train::{Adam, SGD};

#[derive(StaticData, Clone, PartialEq, Debug)]
enum Mode {
    Fast,
    Slow(i64),
}

#[derive(Module)]
enum Layer<A> {
    Dense { w: Variable, units: usize },
    Other(A, #[plain] Mode),
    Nothing,
}

#[derive(Module)]
struct Net {
    layers: Vec<Layer<Late<Variable>>>,
    tied: (Variable, Variable),
    by_place: BTreeMap<i64, Variable>,
    by_flag: HashMap<bool, Late<Variable>>,
    boxed: Option<Box<Net>>,
    marker: PhantomData<fn()>,
    noise: random::Generator,
    adam: Adam,
    #[plain]
    mode: Mode,
}

fn value(v: &Variable) -> f64 {
    v.read().unwrap().item().unwrap()
}

fn net(boxed: Option<Box<Net>>) -> Net {
    let v = || Variable::new(1.0f64).unwrap();
    let tied = v().name("tied");
    Net {
        layers: vec![
            Layer::Dense { w: v(), units: 3 },
            Layer::Other(Late::new(), Mode::Slow(2)),
            Layer::Nothing,
        ],
        tied: (tied.clone(), tied),
        by_place: [(7, v()), (-1, v())].into(),
        by_flag: [(true, Late::new()), (false, Late::new())].into(),
        boxed,
        marker: PhantomData,
        noise: random::Generator::from_seed(3).unwrap(),
        adam: Adam::new(0.1),
        mode: Mode::Fast,
    }
}

fn step(net: &Net) {
    let params = vec![net.tied.0.clone(), net.by_place[&7].clone()];
    let tape = GradientTape::new();
    let loss = ops::mul(params[0].read().unwrap(), params[1].read().unwrap()).unwrap();
    let gradients = tape.gradient(&loss, &params).unwrap();
    net.adam.apply(&gradients, &params).unwrap();
}

#[test]
fn what_trains_the_one_leaves_the_other() {
    let model = net(Some(Box::new(net(None))));
    step(&model);
    model.by_flag[&true].get_or_create(|| Variable::new(5.0f64)).unwrap();
    let best = model.deep_clone().unwrap();
    let ids = |net: &Net| net.variables().iter().map(Variable::id).collect::<Vec<_>>();
    let (a, b) = (ids(&model), ids(&best));
    assert_eq!(a.len(), b.len());
    assert!(a.iter().all(|id| !b.contains(id)));
    let kept: Vec<Vec<f64>> = best
        .variables()
        .iter()
        .map(|v| v.read().unwrap().cast(f64).unwrap().to_vec().unwrap())
        .collect();
    (0..3).for_each(|_| step(&model));
    model.boxed.as_ref().unwrap().tied.0.assign(9.0).unwrap();
    let now: Vec<Vec<f64>> = best
        .variables()
        .iter()
        .map(|v| v.read().unwrap().cast(f64).unwrap().to_vec().unwrap())
        .collect();
    assert_eq!(kept, now);
    assert!(value(&best.tied.0) > value(&model.tied.0));
    // What stood at two places does, names stay, cells that were empty are.
    assert_eq!(best.tied.0.id(), best.tied.1.id());
    assert_eq!(best.tied.0.label(), Some("tied"));
    assert!(best.by_flag[&false].get().is_none());
    assert_eq!(value(best.by_flag[&true].get().unwrap()), 5.0);
    assert!(matches!(&best.layers[1], Layer::Other(cell, Mode::Slow(2)) if cell.get().is_none()));
    assert!(matches!(&best.layers[0], Layer::Dense { units: 3, .. }));
}

#[test]
fn an_optimizer_goes_on_in_the_copy_as_in_the_original() {
    let model = net(None);
    (0..2).for_each(|_| step(&model));
    let copy = model.deep_clone().unwrap();
    (0..3).for_each(|_| step(&model));
    (0..3).for_each(|_| step(&copy));
    assert_eq!(value(&model.tied.0), value(&copy.tied.0));
    assert_eq!(model.adam.iterations().unwrap().item::<i64>().unwrap(), 5);
    assert_eq!(copy.adam.iterations().unwrap().item::<i64>().unwrap(), 5);
    // Alone it is another optimizer of the same variables.
    let adam = model.adam.deep_clone().unwrap();
    assert_ne!(
        adam.slot("momentum", &model.tied.0).unwrap().id(),
        model.adam.slot("momentum", &model.tied.0).unwrap().id()
    );
    let sgd = SGD::new(0.1).momentum(0.5).erased();
    assert!(sgd.deep_clone().unwrap().variables().is_empty());
}

#[test]
fn traces_of_a_copy_are_its_own() {
    #[derive(Module)]
    struct Scale(Variable);

    impl Scale {
        #[tf_function]
        fn call(&self, x: &Tensor) -> Result<Tensor> {
            ops::mul(x, self.0.read()?)
        }
    }

    let scale = Scale(Variable::new(2.0f64).unwrap());
    let x = scalar(3.0f64);
    let _ = scale.call(&x).unwrap();
    let copy = scale.deep_clone().unwrap();
    scale.0.assign(5.0).unwrap();
    assert_eq!(copy.call(&x).unwrap().item::<f64>().unwrap(), 6.0);
    assert_eq!(scale.call(&x).unwrap().item::<f64>().unwrap(), 15.0);
    let e = function(|x: &Tensor| scale.deep_clone()?.call(x)).call(&x).unwrap_err();
    assert!(e.message().contains("copy the module outside"), "{e}");
}

#[test]
fn a_module_by_hand_says_how_it_is_copied() {
    struct ByHand;
    impl Module for ByHand {
        fn visit(&self, _: &mut dyn extype::spec::ModuleVisitor) {}
    }
    #[derive(Module)]
    struct Holds {
        by_hand: ByHand,
    }
    let e = Holds { by_hand: ByHand }.deep_clone().map(drop).unwrap_err();
    assert!(e.message().contains("ByHand") && e.message().contains("`copied`"), "{e}");
}

#[test]
fn variants_and_keys_are_part_of_the_key_of_a_trace() {
    #[derive(Module)]
    enum Way {
        Plus(Variable),
        Times(Variable),
        Not {},
    }

    impl Way {
        #[tf_function]
        fn go(&self, x: &Tensor) -> Result<Tensor> {
            match self {
                Way::Plus(v) => ops::add(x, v.read()?),
                Way::Times(v) => ops::mul(x, v.read()?),
                Way::Not {} => Ok(x.clone()),
            }
        }
    }

    let v = Variable::new(3.0f64).unwrap();
    let x = scalar(2.0f64);
    for (way, y) in [(Way::Plus(v.clone()), 5.0), (Way::Times(v), 6.0), (Way::Not {}, 2.0)] {
        for _ in 0..2 {
            assert_eq!(way.go(&x).unwrap().item::<f64>().unwrap(), y);
        }
    }
}

#[derive(Module, Clone)]
#[module(shared_clone)]
struct Handle<A: Clone> {
    w: Variable,
    a: A,
}

#[test]
fn a_shared_clone_is_a_handle() {
    let v = || Variable::new(1.0f64).unwrap();
    let one = Handle { w: v(), a: v() };
    let other = one.clone();
    one.w.assign(4.0).unwrap();
    assert_eq!((value(&other.w), other.a.id() == one.a.id()), (4.0, true));
}
