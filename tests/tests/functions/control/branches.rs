//! Conditionals: `cond`, `switch_case`, `case`.

use extype::ConcreteFunction;
use extype::control::switch_case;
use extype::prelude::*;

type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;

fn ops_of(f: &ConcreteFunction) -> Vec<String> {
    f.graph().graph.nodes().iter().map(|n| n.op_name().to_owned()).collect()
}

#[test]
fn only_the_taken_arm_runs_eagerly_and_traced() -> Result<()> {
    let v = Variable::new(0.0f32)?;
    let of = |p: &Tensor, x: &Tensor| {
        cond(
            p,
            || v.assign_add(1.0).and_then(|()| ops::neg(x)),
            || v.assign_add(10.0).and(x.square()),
        )
    };
    let f = function(of);
    let x = scalar(3.0f32);
    for (i, call) in
        [&of as &dyn Fn(&Tensor, &Tensor) -> _, &|p, x| f.call(p, x)].iter().enumerate()
    {
        v.assign(0.0)?;
        assert_eq!(call(&scalar(true), &x)?.item::<f32>()?, -3.0);
        assert_eq!(v.read()?.item::<f32>()?, 1.0, "{i}");
        assert_eq!(call(&scalar(false), &x)?.item::<f32>()?, 9.0);
        assert_eq!(v.read()?.item::<f32>()?, 11.0, "{i}");
    }
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn the_graph_says_whether_arms_have_state() -> Result<()> {
    let v = Variable::new(0.0f32)?;
    let pure = function(|p: &Tensor, x: &Tensor| cond(p, || ops::neg(x), || x.square()));
    let reads = function(|p: &Tensor, x: &Tensor| cond(p, || v.read(), || x.square()));
    let _ = pure.call(&scalar(true), &scalar(1.0f32))?;
    let _ = reads.call(&scalar(true), &scalar(1.0f32))?;
    assert!(ops_of(&pure.concrete_functions()[0]).contains(&"StatelessIf".to_owned()));
    assert!(ops_of(&reads.concrete_functions()[0]).contains(&"If".to_owned()));
    let def = pure.concrete_functions()[0].graph().to_graph_def()?;
    let node = def.nodes.iter().find(|n| n.op == "StatelessIf").expect("one");
    for name in ["Tcond", "Tin", "Tout", "then_branch", "else_branch", "output_shapes"] {
        assert!(node.attrs.contains_key(name), "{name}");
    }
    Ok(())
}

#[test]
fn sizes_that_differ_between_arms_are_unknown() -> Result<()> {
    let seen = std::sync::Mutex::new(Vec::new());
    let f = function(|p: &Tensor, x: &Tensor, y: &Tensor| {
        let r = cond(p, || Ok(x.clone()), || Ok(y.clone()))?;
        let ranks = cond(p, || Ok(x.clone()), || x.reduce_sum(0, false))?;
        seen.lock().expect("lock").push((r.shape(), ranks.shape()));
        Ok(r)
    });
    let (x, y) =
        (Tensor::from_slice(&[1.0f32; 6], &[2, 3])?, Tensor::from_slice(&[1.0f32; 10], &[2, 5])?);
    assert_eq!(f.call(&scalar(true), &x, &y)?.shape(), shape![2, 3]);
    assert_eq!(f.call(&scalar(false), &x, &y)?.shape(), shape![2, 5]);
    assert_eq!(seen.lock().expect("lock")[..], [(shape![2, ?], Shape::unknown())]);
    Ok(())
}

#[test]
fn arms_of_two_dtypes_are_refused_with_part_types_and_remedy() -> Result<()> {
    let f = function(|p: &Tensor, x: &Tensor| {
        cond(p, || Ok((x.clone(), scalar(1i32))), || Ok((x.clone(), scalar(1.0f32))))
    });
    let e = f.call(&scalar(true), &scalar(1.0f32)).expect_err("refused");
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    for part in ["`result[1]`", "int32", "float32", "`then`", "`else`", "cast"] {
        assert!(e.message().contains(part), "{part}: {e}");
    }
    assert!(e.location().is_some_and(|l| l.file().ends_with("branches.rs")), "{e}");
    Ok(())
}

#[test]
fn arms_of_two_structures_are_refused() -> Result<()> {
    let lists = function(|p: &Tensor, x: &Tensor| {
        cond(p, || Ok(vec![x.clone()]), || Ok(vec![x.clone(), x.clone()]))
    });
    let e = lists.call(&scalar(true), &scalar(1.0f32)).expect_err("refused");
    assert!(e.message().contains("structure"), "{e}");
    let options = function(|p: &Tensor, x: &Tensor| cond(p, || Ok(Some(x.clone())), || Ok(None)));
    let e = options.call(&scalar(true), &scalar(1.0f32)).expect_err("refused");
    assert!(e.message().contains("let it hold a value from the start"), "{e}");
    let plain = function(|p: &Tensor, x: &Tensor| {
        cond(p, || Ok((x.clone(), 1i64)), || Ok((x.clone(), 2i64)))
    });
    let e = plain.call(&scalar(true), &scalar(1.0f32)).expect_err("refused");
    assert!(e.message().contains("result[1]") && e.message().contains("`scalar(x)`"), "{e}");
    // Eagerly nobody compares.
    let x = scalar(1.0f32);
    assert!(cond(&scalar(false), || Ok(Some(x.clone())), || Ok(None))?.is_none());
    Ok(())
}

#[test]
fn a_condition_is_one_bool() -> Result<()> {
    let x = scalar(1.0f32);
    let of = |p: &Tensor| cond(p, || ops::neg(&x), || Ok(x.clone()));
    let f = function(of);
    for wrong in [scalar(1i32), tensor![true, false], scalar(0.5f32)] {
        for e in [of(&wrong).expect_err("refused"), f.call(&wrong).expect_err("refused")] {
            assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
            assert!(e.message().contains("bool") || e.message().contains("reduce_all"), "{e}");
            assert!(e.location().is_some_and(|l| l.file().ends_with("branches.rs")), "{e}");
        }
    }
    assert_eq!(f.call(&tensor![[true]])?.item::<f32>()?, -1.0);
    assert_eq!(of(&tensor![[true]])?.item::<f32>()?, -1.0);
    // What is known only when it runs is found there.
    let dynamic = f.concrete(&TensorSpec::new(Shape::unknown(), DType::Bool))?;
    assert_eq!(dynamic.call_flat(&[scalar(true)])?[0].item::<f32>()?, -1.0);
    let e = dynamic.call_flat(&[tensor![true, true]]).expect_err("refused");
    assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    Ok(())
}

#[test]
fn a_variable_that_both_arms_return_is_that_variable() -> Result<()> {
    let (v, w) = (Variable::new(1.0f32)?, Variable::new(2.0f32)?);
    let f = function(|p: &Tensor| {
        let (same, x) = cond(p, || Ok((v.clone(), v.read()?)), || Ok((v.clone(), w.read()?)))?;
        same.assign_add(&x)?;
        v.read()
    });
    assert_eq!(f.call(&scalar(true))?.item::<f32>()?, 2.0);
    assert_eq!(f.call(&scalar(false))?.item::<f32>()?, 4.0);
    let other = function(|p: &Tensor| cond(p, || Ok(v.clone()), || Ok(w.clone()))?.read());
    let e = other.call(&scalar(true)).expect_err("refused");
    assert!(e.message().contains("another variable"), "{e}");
    Ok(())
}

#[test]
fn a_tensor_of_one_arm_is_refused_in_the_other() {
    let f = function(|p: &Tensor, x: &Tensor| {
        let made = std::cell::RefCell::new(x.clone());
        let first = || {
            *made.borrow_mut() = x.exp()?;
            Ok(made.borrow().clone())
        };
        cond(p, first, || ops::neg(&*made.borrow()))
    });
    let e = f.call(&scalar(true), &scalar(1.0f32)).expect_err("refused");
    let text = e.to_string();
    assert!(text.contains("`then`") && text.contains("the arm `else`"), "{e}");
}

#[test]
fn an_index_without_a_branch_takes_the_last_one_or_the_default() -> Result<()> {
    let of = |i: &Tensor, x: &Tensor, with_default: bool| {
        let branches: Vec<Branch> =
            vec![Box::new(|| ops::neg(x)), Box::new(|| x.square()), Box::new(|| ops::add(x, 10.0))];
        let default: Option<Branch> =
            if with_default { Some(Box::new(|| ops::mul(x, 100.0))) } else { None };
        switch_case(i, branches, default)
    };
    let f = function(|i: &Tensor, x: &Tensor| of(i, x, false));
    let g = function(|i: &Tensor, x: &Tensor| of(i, x, true));
    let x = scalar(3.0f32);
    for (i, want, other) in [
        (0i32, -3.0f32, -3.0f32),
        (1, 9.0, 9.0),
        (2, 13.0, 13.0),
        (7, 13.0, 300.0),
        (-1, 13.0, 300.0),
    ] {
        let i = scalar(i);
        assert_eq!(of(&i, &x, false)?.item::<f32>()?, want);
        assert_eq!(f.call(&i, &x)?.item::<f32>()?, want);
        assert_eq!(of(&i, &x, true)?.item::<f32>()?, other);
        assert_eq!(g.call(&i, &x)?.item::<f32>()?, other);
    }
    assert!(ops_of(&f.concrete_functions()[0]).contains(&"StatelessCase".to_owned()));
    let e = f.call(&scalar(0i64), &x).expect_err("refused");
    assert!(e.message().contains("int32") && e.message().contains("cast"), "{e}");
    let none: Vec<Branch> = Vec::new();
    assert!(switch_case(&scalar(0i32), none, None).is_err());
    Ok(())
}

#[test]
fn a_case_with_no_true_condition_and_no_default_fails_when_it_runs() -> Result<()> {
    let of = |x: &Tensor, exclusive: bool, with_default: bool| {
        let pairs: Vec<(Tensor, Branch)> = vec![
            (x.less(0.0)?, Box::new(|| ops::neg(x))),
            (x.less(10.0)?, Box::new(|| x.square())),
        ];
        let default: Option<Branch> = if with_default { Some(Box::new(|| x.sqrt())) } else { None };
        case(pairs, default, exclusive)
    };
    let f = function(|x: &Tensor| of(x, false, false));
    let exclusive = function(|x: &Tensor| of(x, true, false));
    let default = function(|x: &Tensor| of(x, false, true));
    for (x, want) in [(-2.0f32, 2.0f32), (3.0, 9.0)] {
        assert_eq!(of(&scalar(x), false, false)?.item::<f32>()?, want);
        assert_eq!(f.call(&scalar(x))?.item::<f32>()?, want);
    }
    let big = scalar(100.0f32);
    assert_eq!(default.call(&big)?.item::<f32>()?, 10.0);
    for e in [f.call(&big).expect_err("none"), of(&big, false, false).expect_err("none")] {
        assert_eq!(e.kind(), ErrorKind::InvalidArgument);
        assert!(
            e.message().contains("no condition is true") && e.message().contains("false"),
            "{e}"
        );
    }
    // The last pair counts, also without a default.
    let both = scalar(-2.0f32);
    for e in [exclusive.call(&both).expect_err("two"), of(&both, true, false).expect_err("two")] {
        assert!(e.message().contains("more than one"), "{e}");
    }
    assert_eq!(exclusive.call(&scalar(3.0f32))?.item::<f32>()?, 9.0);
    let one: Vec<(Tensor, Branch)> = Vec::new();
    assert!(case(one, None, false).is_err());
    Ok(())
}

#[test]
fn both_arms_may_return_nothing() -> Result<()> {
    let v = Variable::new(0.0f32)?;
    let f = function(|p: &Tensor| {
        cond(p, || v.assign(1.0), || Ok(()))?;
        v.read()
    });
    assert_eq!(f.call(&scalar(false))?.item::<f32>()?, 0.0);
    assert_eq!(f.call(&scalar(true))?.item::<f32>()?, 1.0);
    Ok(())
}

#[test]
fn an_error_of_an_arm_names_the_arm_and_the_line() -> Result<()> {
    let f = function(|p: &Tensor, x: &Tensor| cond(p, || x.matmul(x), || ops::neg(x)));
    let e = f.call(&scalar(true), &scalar(1.0f32)).expect_err("refused");
    assert!(e.to_string().contains("the arm `then` of the `cond` at tests"), "{e}");
    // Known only when it runs: an error only if the arm runs.
    let g =
        function(|p: &Tensor, x: &Tensor, i: &Tensor| cond(p, || x.gather(i, 0), || ops::neg(x)));
    let (x, i) = (tensor![1.0f32, 2.0], tensor![5i32, 0]);
    assert!(g.call(&scalar(false), &x, &i).is_ok());
    let e = g.call(&scalar(true), &x, &i).expect_err("refused");
    let text = e.to_string();
    assert!(
        text.contains("then")
            && text.contains("the `cond` at tests/tests/functions/control/branches.rs"),
        "{e}"
    );
    Ok(())
}

#[test]
fn a_condition_that_is_known_costs_nothing_and_keeps_its_effects() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let f = function(|x: &Tensor| {
        let yes = ops::greater(scalar(2i32), 1)?;
        v.assign_add(1.0)?;
        let nested = || cond(&yes, || v.assign_add(10.0), || v.assign_add(1000.0));
        cond(&yes, nested, || v.assign_add(100.0))?;
        let y = cond(&yes, || ops::mul(&v.read()?, x), || ops::neg(x))?;
        v.assign_add(1.0)?;
        ops::add(&y, &v.read()?)
    });
    // 1 + 1 + 10 times 2, and 13.
    assert_eq!(f.call(&scalar(2.0f32))?.item::<f32>()?, 24.0 + 13.0);
    assert_eq!(v.read()?.item::<f32>()?, 13.0);
    // The graph keeps what was traced.
    assert!(ops_of(&f.concrete_functions()[0]).iter().filter(|op| *op == "If").count() == 2);
    Ok(())
}
