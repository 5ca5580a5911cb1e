//! Ops with functions that take or give other tensors than the op passes and hands on: refused when the call is made,
//! by itself, in a trace, and where a graph is read.

use std::sync::Arc;

use extype::ir::{AttrKey, AttrValue, Attrs, Graph, LibraryFunction, find_op};
use extype::prelude::*;
use extype::tensor::execute;

/// A function of so many tensors of a type, with so many results.
fn of(ty: &TensorSpec, inputs: usize, results: usize) -> Result<Arc<LibraryFunction>> {
    let f = function(move |x: &Vec<Tensor>| {
        let one = x.first().cloned().unwrap_or_else(|| scalar(1.0f32));
        Ok(vec![one; results])
    });
    let f = f.concrete(&vec![ty.clone(); inputs])?;
    Ok(f.function().clone())
}

/// A test of so many tensors.
fn test(ty: &TensorSpec, inputs: usize) -> Result<Arc<LibraryFunction>> {
    let f = function(|x: &Vec<Tensor>| match x.first() {
        Some(x) => x.reduce_sum(.., false)?.less(0.0),
        None => Ok(scalar(false)),
    });
    Ok(f.concrete(&vec![ty.clone(); inputs])?.function().clone())
}

fn attrs(functions: &[(&'static str, AttrValue)]) -> Attrs {
    let mut attrs = Attrs::new();
    functions.iter().for_each(|(name, value)| attrs.set(*name, value.clone()));
    attrs
}

/// What the call says by itself, in a trace, and as a node of a graph.
fn said(op: &'static str, attrs: &Attrs, inputs: &[Tensor]) -> Result<Vec<String>> {
    let op = find_op(op)?;
    let call = {
        let attrs = attrs.clone();
        move |x: &Vec<Tensor>| {
            execute(op, attrs.clone(), &x.iter().collect::<Vec<_>>())
                .map(|y| y.into_iter().collect::<Vec<_>>())
        }
    };
    let inputs = inputs.to_vec();
    let mut graph = Graph::new("f");
    let operands = inputs.iter().map(|x| Ok(graph.add_constant(x.value()?.clone())));
    let operands = operands.collect::<Result<Vec<_>>>()?;
    let text = |e: Option<Error>| e.map_or_else(|| "taken".to_owned(), |e| e.to_string());
    Ok(vec![
        text(call(&inputs).err()),
        text(function(call).call(&inputs).err()),
        text(graph.add(op, attrs.clone(), operands.into_iter().collect(), None).err()),
    ])
}

#[test]
fn functions_of_another_number_of_inputs_are_refused_where_the_call_is_made() -> Result<()> {
    let (one, x) = (TensorSpec::of::<f32>([]), scalar(1.0f32));
    let function = AttrValue::Function;
    for takes in [0, 1, 2, 3] {
        let (f, t) = (of(&one, takes, 2)?, test(&one, takes)?);
        let (right, right_test) = (of(&one, 2, 2)?, test(&one, 2)?);
        let two = [x.clone(), x.clone()];
        let three = [scalar(true), x.clone(), x.clone()];
        let number = [scalar(0i32), x.clone(), x.clone()];
        let branches = |f: &[&Arc<LibraryFunction>]| {
            AttrValue::List(f.iter().map(|f| function((*f).clone())).collect())
        };
        let loops = |test: &Arc<LibraryFunction>, body: &Arc<LibraryFunction>| {
            attrs(&[("cond", function(test.clone())), ("body", function(body.clone()))])
        };
        let arms = |yes: &Arc<LibraryFunction>, no: &Arc<LibraryFunction>| {
            attrs(&[("then_branch", function(yes.clone())), ("else_branch", function(no.clone()))])
        };
        for (op, name, attrs, inputs) in [
            ("PartitionedCall", "f", attrs(&[("f", function(f.clone()))]), &two[..]),
            ("StatelessWhile", "body", loops(&right_test, &f), &two),
            ("StatelessWhile", "cond", loops(&t, &right), &two),
            (
                "Extype>WhileSaving",
                "body",
                loops(&right_test, &f).with(AttrKey::new("stacked"), &0i64),
                &two,
            ),
            ("StatelessIf", "then_branch", arms(&f, &right), &three),
            ("StatelessIf", "else_branch", arms(&right, &f), &three),
            ("StatelessCase", "branches", attrs(&[("branches", branches(&[&right, &f]))]), &number),
        ] {
            for text in said(op, &attrs, inputs)? {
                if takes == 2 {
                    assert_eq!(text, "taken", "{op}");
                    continue;
                }
                let words = format!("takes {takes} tensors, and the op passes it 2");
                assert!(
                    text.contains(&words) && text.contains(&format!("`{name}`")),
                    "{op}: {text}"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn functions_of_other_types_are_refused_where_the_call_is_made() -> Result<()> {
    let function = AttrValue::Function;
    let (three, x) = (TensorSpec::of::<f32>([3]), tensor![1.0f32, 2.0]);
    let call = attrs(&[("f", function(of(&three, 1, 1)?))]);
    let loops =
        attrs(&[("cond", function(test(&three, 1)?)), ("body", function(of(&three, 1, 1)?))]);
    for (op, attrs) in [("PartitionedCall", &call), ("StatelessWhile", &loops)] {
        for text in said(op, attrs, std::slice::from_ref(&x))? {
            assert!(
                text.contains("takes float32[3] as input 0, and the op passes it float32[2]"),
                "{text}"
            );
        }
        for text in said(op, attrs, &[tensor![1.0f64, 2.0, 3.0]])? {
            assert!(
                text.contains("takes float32[3] as input 0") && text.contains("float64[3]"),
                "{text}"
            );
        }
    }
    Ok(())
}

#[test]
fn a_test_gives_one_bool_and_a_body_the_state() -> Result<()> {
    let (one, x) = (TensorSpec::of::<f32>([]), scalar(1.0f32));
    let function = AttrValue::Function;
    let loops = |test, body| attrs(&[("cond", function(test)), ("body", function(body))]);
    for (attrs, words) in [
        (loops(of(&one, 1, 1)?, of(&one, 1, 1)?), "returns (float32[]), not one bool"),
        (loops(of(&one, 1, 0)?, of(&one, 1, 1)?), "returns (), not one bool"),
        (loops(test(&one, 1)?, of(&one, 1, 0)?), "returns 0 tensors of a state of 1"),
        (loops(test(&one, 1)?, of(&one, 1, 2)?), "returns 2 tensors of a state of 1"),
    ] {
        for text in said("StatelessWhile", &attrs, std::slice::from_ref(&x))? {
            assert!(text.contains(words), "{text}");
        }
    }
    Ok(())
}
