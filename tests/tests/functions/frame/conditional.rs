//! The conditional: effects, order, pruning, folding, gradients.

use std::sync::atomic::{AtomicUsize, Ordering};

use extype::ir::Effect;
use extype::prelude::*;

use super::toys::{cond, cond_node};

#[test]
fn it_runs_the_arm_that_is_taken_eagerly_and_traced() -> Result<()> {
    let f = function(|p: &Tensor, x: &Tensor| cond(p, || ops::add(x, 1.0), || ops::mul(x, 10.0)));
    let x = tensor![1.0f32, 2.0];
    for (p, want) in [(scalar(true), [2.0f32, 3.0]), (scalar(false), [10.0, 20.0])] {
        assert_eq!(f.call(&p, &x)?.as_slice::<f32>()?, &want);
        assert_eq!(
            cond_node(&p, || ops::add(&x, 1.0), || ops::mul(&x, 10.0))?.as_slice::<f32>()?,
            &want
        );
    }
    assert_eq!(f.trace_count(), 1);
    let text = f.concrete_functions()[0].graph().to_string();
    assert!(text.contains("then_branch: @then_") && text.contains("else_branch: @else_"), "{text}");
    Ok(())
}

#[test]
fn a_write_in_an_arm_runs_in_program_order() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let f = {
        let v = v.clone();
        function(move |p: &Tensor| {
            v.assign(2.0)?;
            let seen = v.read()?;
            cond(p, || v.assign_add(&seen), || Ok(()))?;
            v.assign_add(100.0)?;
            v.read()
        })
    };
    assert_eq!(f.call(&scalar(true))?.item::<f32>()?, 104.0);
    assert_eq!(f.call(&scalar(false))?.item::<f32>()?, 102.0);
    let graph = f.concrete_functions()[0].graph().clone();
    let node = graph.graph.nodes().iter().find(|n| n.op.name == "Toy>If").expect("one");
    assert_eq!(node.effect(), Effect::Writes);
    assert_eq!(node.callees().count(), 2);
    assert!(!node.control_inputs.is_empty(), "{graph}");
    Ok(())
}

#[test]
fn arms_that_only_read_are_ordered_after_writes_and_dropped_if_unused() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let f = {
        let v = v.clone();
        function(move |p: &Tensor, x: &Tensor| {
            let before = cond(p, || v.read(), || ops::neg(&v.read()?))?;
            v.assign(5.0)?;
            let after = cond(p, || v.read(), || ops::neg(&v.read()?))?;
            let _unused = cond(p, || ops::exp(x), || ops::log(x))?;
            Ok((before, after))
        })
    };
    let (before, after) = f.call(&scalar(true), &scalar(1.0f32))?;
    assert_eq!((before.item::<f32>()?, after.item::<f32>()?), (1.0, 5.0));
    let (before, after) = f.call(&scalar(false), &scalar(1.0f32))?;
    assert_eq!((before.item::<f32>()?, after.item::<f32>()?), (-5.0, -5.0));
    let graph = f.concrete_functions()[0].graph().clone();
    let conditionals: Vec<(usize, Effect)> = graph
        .graph
        .nodes()
        .iter()
        .enumerate()
        .filter(|(_, n)| n.op.name == "Toy>If")
        .map(|(i, n)| (i, n.effect()))
        .collect();
    let effects: Vec<Effect> = conditionals.iter().map(|c| c.1).collect();
    assert_eq!(effects, [Effect::Reads, Effect::Reads, Effect::Pure]);
    let needed = graph.needed();
    let kept: Vec<bool> = conditionals.iter().map(|c| needed[c.0]).collect();
    assert_eq!(kept, [true, true, false]);
    Ok(())
}

static COUNTED: AtomicUsize = AtomicUsize::new(0);

extype::define_op! {
    /// The same tensor; counts how often it ran.
    pub op Counted = "Toy>Counted" {
        inputs: { x: T }, outputs: { y: T }, types: { T: extype::types::DTypeSet::ANY },
        call: counted(x),
        infer: |c| Ok([c.input(0).clone()].into_iter().collect()),
        kernel: |c| {
            COUNTED.fetch_add(1, Ordering::SeqCst);
            Ok([c.input(0).clone()].into_iter().collect())
        },
        gradient: none,
    }
}

#[test]
fn a_pure_conditional_of_constants_is_folded() -> Result<()> {
    let f = function(|x: &Tensor| {
        let two = scalar(2i32);
        let big = ops::greater(&two, 1)?;
        let y = cond(&big, || counted(&two), || ops::neg(&two))?;
        ops::mul(x, y.cast(DType::F32)?)
    });
    for _ in 0..3 {
        assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 6.0);
    }
    assert_eq!(COUNTED.load(Ordering::SeqCst), 1);
    Ok(())
}

#[test]
fn gradients_pass_both_arms() -> Result<()> {
    let w = Variable::new(3.0f32)?;
    let inner = function(|x: &Tensor, w: &Variable| ops::mul(x, &ops::mul(&w.read()?, x)?));
    let value = |p: &Tensor, x: &Tensor| cond_node(p, || inner.call(x, &w), || ops::mul(x, 5.0));
    let f = function(value);
    let slopes = |call: &dyn Fn(&Tensor, &Tensor) -> Result<Tensor>, p: bool| -> Result<_> {
        let x = scalar(2.0f32);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = call(&scalar(p), &x)?;
        let g = tape.gradient(&y, &(x.clone(), w.clone()))?;
        let dx = g.wrt(&x)?.expect("connected").item::<f32>()?;
        let dw = g.of(&w)?.expect("connected").item::<f32>()?;
        Ok((dx, dw))
    };
    // x * (w * x) and 5 * x at x = 2, w = 3.
    assert_eq!(slopes(&value, true)?, (12.0, 4.0));
    assert_eq!(slopes(&value, false)?, (5.0, 0.0));
    assert_eq!(slopes(&|p, x| f.call(p, x), true)?, (12.0, 4.0));
    assert_eq!(slopes(&|p, x| f.call(p, x), false)?, (5.0, 0.0));
    // Twice: d2/dx2 of x * (w * x) is 2 * w.
    let first = |x: &Tensor| extype::grad(|x: &Tensor| f.call(&scalar(true), x))(x);
    assert_eq!(extype::grad(first)(&scalar(2.0f32))?.item::<f32>()?, 6.0);
    // Within a trace.
    let within = function(|p: &Tensor, x: &Tensor| {
        extype::grad(|x: &Tensor| cond(p, || Ok(x * x * x), || Ok(x * 5.0)))(x)
    });
    assert_eq!(within.call(&scalar(true), &scalar(2.0f32))?.item::<f32>()?, 12.0);
    assert_eq!(within.call(&scalar(false), &scalar(2.0f32))?.item::<f32>()?, 5.0);
    Ok(())
}

#[test]
fn functions_of_graphs_have_unique_names() -> Result<()> {
    let f = function(|p: &Tensor, x: &Tensor| cond(p, || Ok(x + 1.0), || Ok(x - 1.0)));
    let _ = f.call(&scalar(true), &scalar(1.0f32))?;
    let _ = f.call(&scalar(true), &tensor![1.0f32, 2.0])?;
    let mut names: Vec<String> = Vec::new();
    for concrete in f.concrete_functions() {
        names.push(concrete.function().name().to_string());
        for node in concrete.graph().graph.nodes() {
            names.extend(node.callees().map(|f| f.name().to_string()));
        }
    }
    assert_eq!(names.len(), 6);
    let all: std::collections::HashSet<&String> = names.iter().collect();
    assert_eq!(all.len(), 6, "{names:?}");
    Ok(())
}

#[test]
fn the_plain_graph_has_both_functions_with_told_attributes() -> Result<()> {
    let w = Variable::new(3.0f32)?;
    let f = function(|p: &Tensor, x: &Tensor| cond(p, || ops::mul(x, w.read()?), || Ok(x - 1.0)));
    let _ = f.call(&scalar(true), &scalar(1.0f32))?;
    let concrete = f.concrete_functions().remove(0);
    let def = concrete.graph().to_graph_def()?;
    let node = def.nodes.iter().find(|n| n.op == "Toy>If").expect("one");
    for attribute in ["then_branch", "else_branch", "Tin", "Tout"] {
        assert!(node.attrs.contains_key(attribute), "{attribute}: {node:?}");
    }
    assert_eq!(def.library.len(), 2);
    let (yes, no) = (&def.library[0], &def.library[1]);
    assert!(yes.signature.name.starts_with("then_") && yes.signature.is_stateful, "{yes:?}");
    assert!(no.signature.name.starts_with("else_"), "{no:?}");
    // Both take the same captures: the tensor and the variable.
    assert_eq!((yes.signature.inputs.len(), no.signature.inputs.len()), (2, 2));
    Ok(())
}

#[test]
fn nodes_know_the_device_of_the_scope_around() -> Result<()> {
    let f = function(|x: &Tensor| {
        let y = ops::exp(x)?;
        let _cpu = extype::tensor::device("/cpu:0")?;
        ops::neg(&y)
    });
    let _ = f.call(&scalar(1.0f32))?;
    let graph = f.concrete_functions()[0].graph().clone();
    let devices: Vec<(&str, Option<&str>)> =
        graph.graph.nodes().iter().map(|n| (n.op.name, n.device.as_deref())).collect();
    assert!(devices.contains(&("Exp", None)), "{devices:?}");
    assert!(devices.contains(&("Neg", Some("/device:CPU:0"))), "{devices:?}");
    Ok(())
}
