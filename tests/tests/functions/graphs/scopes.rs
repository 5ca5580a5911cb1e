//! Name scopes, and scopes in which nodes wait for others.

use std::cell::RefCell;

use extype::ir::def::GraphDef;
use extype::tensor::{NodeScope, control_dependencies, current_name_scope, name_scope};
use extype::{init_scope, prelude::*};

use super::{comes_back, refused};

/// The names of the nodes in the trace of a body.
fn names(body: impl Fn(&Tensor) -> Result<Tensor> + 'static) -> Result<Vec<String>> {
    let f = function(body).concrete(&TensorSpec::of::<f32>([2]))?;
    comes_back(f.graph()).unwrap_or_else(|e| panic!("{e}"));
    Ok(f.graph().graph.names())
}

#[test]
fn nodes_are_named_after_their_scopes() -> Result<()> {
    let offset = scalar(3.0f32);
    let named = names(move |x| {
        let model = name_scope("model")?;
        let y = {
            let _layer = name_scope("layer")?;
            // The number is a constant of the scope, the captured tensor an input of the function.
            ops::add(ops::mul(x, 2.0)?, &offset)?
        };
        let y = ops::neg(ops::neg(&y)?)?;
        drop(model);
        y.exp()
    })?;
    let wanted = [
        "a",
        "model/layer/Const",
        "model/layer/Mul",
        "capture",
        "model/layer/AddV2",
        "model/Neg",
        "model/Neg_1",
        "Exp",
    ];
    assert_eq!(named, wanted);
    Ok(())
}

#[test]
fn a_scope_that_is_entered_again_gets_a_number_unless_it_ends_in_a_slash() -> Result<()> {
    let named = names(|x| {
        let mut y = x.clone();
        for scope in ["layer", "Layer", "layer", "layer/", "A", "b/c/", "layer_1", "Exp"] {
            let _scope = name_scope(scope)?;
            y = y.exp()?;
        }
        let _model = name_scope("layer")?;
        let _exact = name_scope("b/c/")?;
        let y = y.exp()?;
        let _root = name_scope("")?;
        y.exp()
    })?;
    let wanted = [
        "a",
        "layer/Exp",
        "Layer_1/Exp",
        "layer_2/Exp",
        "layer/Exp_1",
        // The argument is `a`.
        "A_1/Exp",
        "b/c/Exp",
        "layer_1_1/Exp",
        "Exp/Exp",
        "b/c/Exp_1",
        // A scope has this name.
        "Exp_1",
    ];
    assert_eq!(named, wanted);
    Ok(())
}

#[test]
fn a_name_that_no_node_may_have_is_refused() -> Result<()> {
    for name in ["a b", "_a", "-", "/", "é", "a:0", "a\\b"] {
        let e = refused(name_scope(name));
        assert!(e.contains(&format!("`{name}` can't be the name of a scope")), "{e}");
        assert!(e.contains("scopes.rs:"), "{e}");
    }
    let _outer = name_scope("outer")?;
    for name in ["_a", "-", ">x"] {
        let _inner = name_scope(name)?;
        assert_eq!(current_name_scope().as_deref(), Some(&*format!("outer/{name}")));
    }
    // As in the root scope: the outermost scope by its exact name.
    let _root = name_scope("/")?;
    assert_eq!(current_name_scope(), None);
    Ok(())
}

#[test]
fn a_trace_begins_in_the_root_scope_and_has_no_scope_in_its_key() -> Result<()> {
    #[tf_function]
    fn inner(x: &Tensor) -> Result<Tensor> {
        x.exp()
    }
    #[tf_function]
    fn outer(x: &Tensor) -> Result<Tensor> {
        let _scope = name_scope("outer")?;
        inner(x)
    }
    let _around = name_scope("around")?;
    let _ = outer(&tensor![1.0f32])?;
    assert_eq!(current_name_scope().as_deref(), Some("around"));
    drop(name_scope("again")?);
    let _ = inner(&tensor![1.0f32])?;
    assert_eq!((inner::trace_count(), outer::trace_count()), (1, 1));
    let spec = TensorSpec::of::<f32>([1]);
    assert_eq!(inner::concrete(&spec)?.graph().graph.names(), ["x", "Exp"]);
    let names = outer::concrete(&spec)?.graph().graph.names();
    assert_eq!(names, ["x", "outer/PartitionedCall"]);
    Ok(())
}

#[test]
fn scopes_end_with_their_guards_in_any_order() -> Result<()> {
    let first = name_scope("first")?;
    let second = name_scope("second")?;
    drop(first);
    assert_eq!(current_name_scope().as_deref(), Some("first/second"));
    drop(second);
    assert_eq!(current_name_scope(), None);

    // A guard that leaves its trace does nothing there.
    thread_local!(static KEPT: RefCell<Vec<NodeScope>> = const { RefCell::new(Vec::new()) });
    let f = function(|x: &Tensor| {
        let guard = name_scope("kept")?;
        KEPT.with_borrow_mut(|kept| kept.push(guard));
        x.exp()
    });
    let spec = TensorSpec::of::<f32>([1]);
    assert_eq!(f.concrete(&spec)?.graph().graph.names(), ["a", "kept/Exp"]);
    assert_eq!(current_name_scope(), None);
    let _mine = name_scope("mine")?;
    KEPT.with_borrow_mut(Vec::clear);
    assert_eq!(current_name_scope().as_deref(), Some("mine"));

    let f = function(|x: &Tensor| {
        let _scope = name_scope("fails")?;
        ops::matmul(x, x)
    });
    assert!(f.call(&scalar(1.0f32)).is_err());
    assert_eq!(current_name_scope().as_deref(), Some("mine"));
    Ok(())
}

#[test]
fn variables_are_named_after_their_scopes() -> Result<()> {
    let made = |name: &str| Variable::new(scalar(1.0f32)).map(|v| v.name(name));
    let label = |v: &Variable| v.label().map(str::to_owned);
    let scope = name_scope("model")?;
    let inner = name_scope("layer")?;
    let w = made("w")?;
    drop(inner);
    // Outside of traces a scope may be entered twice.
    let _again = name_scope("layer")?;
    assert_eq!(label(&made("b")?).as_deref(), Some("model/layer/b"));
    drop((scope, _again));
    assert_eq!(label(&w).as_deref(), Some("model/layer/w"));
    assert_eq!(label(&made("w")?).as_deref(), Some("w"));

    #[derive(Module)]
    struct Held(Variable);
    let _best = name_scope("best")?;
    assert_eq!(label(&Held(w).deep_clone()?.0).as_deref(), Some("model/layer/w"));
    Ok(())
}

#[test]
fn a_variable_that_a_body_creates_is_named_after_the_scope_there() -> Result<()> {
    #[derive(Module, Default)]
    struct Layer {
        w: Late<Variable>,
    }
    impl Layer {
        #[tf_function]
        fn call(&self, x: &Tensor) -> Result<Tensor> {
            let _scope = name_scope("layer")?;
            let w = self.w.get_or_create(|| Ok(Variable::new(2.0f32)?.name("w")))?;
            ops::mul(x, w)
        }
    }
    let layer = Layer::default();
    let _around = name_scope("around")?;
    let _ = layer.call(&scalar(3.0f32))?;
    assert_eq!(layer.w.get().and_then(Variable::label), Some("layer/w"));

    let seen = std::rc::Rc::new(RefCell::new(None));
    let scope = seen.clone();
    let f = function(move |x: &Tensor| {
        let _scope = name_scope("body")?;
        *scope.borrow_mut() = init_scope(current_name_scope);
        x.exp()
    });
    let _ = f.call(&scalar(1.0f32))?;
    assert_eq!(seen.borrow().as_deref(), Some("body"));
    Ok(())
}

/// The text of the trace of a body.
fn text(body: impl Fn(&Tensor) -> Result<Tensor> + 'static) -> Result<String> {
    let f = function(body).concrete(&TensorSpec::of::<f32>([2]))?;
    comes_back(f.graph()).unwrap_or_else(|e| panic!("{e}"));
    Ok(f.graph().to_string())
}

#[test]
fn nodes_of_a_scope_wait_for_the_nodes_before_it() -> Result<()> {
    let text = text(|x| {
        let (y, z) = (x.exp()?, x.sqrt()?);
        let outer = control_dependencies(&[&y, &z])?;
        // It uses one of them already.
        let a = ops::mul(&y, 2.0)?;
        // It waits through its operand.
        let b = ops::neg(&a)?;
        let inner = control_dependencies(&[&b])?;
        let c = x.sin()?;
        drop(inner);
        let d = x.cos()?;
        drop(outer);
        ops::add(ops::add(&b, &c)?, ops::add(&d, x.tanh()?)?)
    })?;
    for line in [
        "Const = 2.0 :",
        "Mul = Mul(Exp, Const, ^Sqrt) :",
        "Neg = Neg(Mul) :",
        "Sin = Sin(a, ^Exp, ^Sqrt, ^Neg) :",
        "Cos = Cos(a, ^Exp, ^Sqrt) :",
        "Tanh = Tanh(a) :",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    Ok(())
}

#[test]
fn what_a_node_waits_for_is_added_to_what_effects_wait_for() -> Result<()> {
    let v = Variable::new(tensor![1.0f32, 2.0])?;
    let held = v.clone();
    let f = function(move |x: &Tensor| {
        held.assign_add(x)?;
        let y = x.exp()?;
        let _after = control_dependencies(&[&y])?;
        held.read()
    });
    let text = f.concrete(&TensorSpec::of::<f32>([2]))?.graph().to_string();
    assert!(text.contains("ReadVariableOp(capture, ^AssignAddVariableOp, ^Exp)"), "{text}");
    assert_eq!(f.call(&tensor![1.0f32, 1.0])?.as_slice::<f32>()?, &[2.0, 3.0]);
    Ok(())
}

#[test]
fn the_scope_of_a_trace_does_not_reach_into_others() -> Result<()> {
    let y = scalar(1.0f32);
    drop(control_dependencies(&[&y])?);

    let text = text(|x| {
        let y = x.exp()?;
        let inner = {
            let y = y.clone();
            function(move |x: &Tensor| {
                let _ignored = control_dependencies(&[&y])?;
                x.sin()
            })
        };
        let _after = control_dependencies(&[&y, &scalar(1.0f32)])?;
        inner.call(x)
    })?;
    assert!(text.contains("PartitionedCall(a, ^Exp)"), "{text}");

    let left = std::rc::Rc::new(RefCell::new(None));
    let keep = left.clone();
    let f = function(move |x: &Tensor| {
        *keep.borrow_mut() = Some(x.exp()?);
        x.sin()
    });
    let _ = f.call(&scalar(1.0f32))?;
    let over = left.take().expect("a tensor of the trace");
    let e = refused(control_dependencies(&[&over]));
    assert!(e.contains("where that trace is over"), "{e}");
    Ok(())
}

#[test]
fn a_thousand_scopes_are_a_thousand_names() -> Result<()> {
    let named = names(|x| {
        let mut y = x.clone();
        for _ in 0..1000 {
            let _scope = name_scope("layer")?;
            y = ops::neg(&y)?;
        }
        Ok(y)
    })?;
    assert_eq!((&*named[1], &*named[1000]), ("layer/Neg", "layer_999/Neg"));
    Ok(())
}

#[test]
fn names_with_scopes_are_those_of_the_file() -> Result<()> {
    let f = function(|x: &Tensor| {
        let _scope = name_scope("layer")?;
        ops::neg(x)
    });
    let graph = f.concrete(&TensorSpec::of::<f32>([2]))?;
    let def: GraphDef = graph.graph().to_graph_def()?;
    assert_eq!(def.nodes[1].name, "layer/Neg");
    let def = graph.graph().to_function_def()?;
    assert_eq!(def.nodes[0].name, "layer/Neg");
    assert_eq!(def.ret["layer_neg"], "layer/Neg:y:0");
    Ok(())
}
