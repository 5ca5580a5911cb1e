//! Gradients that are given.

use super::{floats, said};
use extype::hvp;
use extype::prelude::*;
use extype_tests::types::MaskedTensor;

/// The square with three times its slope, so that it can be told from the gradient of its ops.
fn square(x: &Tensor) -> Result<Tensor> {
    custom_gradient(|x: &Tensor| {
        let slope = ops::mul(x, 6.0)?;
        Ok((x.square()?, move |dy: &Tensor| ops::mul(dy, &slope)))
    })(x)
}

#[test]
fn it_is_used_eagerly_and_in_traces_at_both_orders() -> Result<()> {
    let x = tensor![2.0f32, 3.0];
    assert_eq!(floats(&square(&x)?), [4.0, 9.0]);
    let traced = function(square);
    let inside = function(|x: &Tensor| Ok((grad(square)(x)?, grad(grad(square))(x)?)));
    for first in [grad(square)(&x)?, grad(|x: &Tensor| traced.call(x))(&x)?, inside.call(&x)?.0] {
        assert_eq!(floats(&first), [12.0, 18.0]);
    }
    let second = grad(grad(|x: &Tensor| traced.call(x)))(&x)?;
    for second in [grad(grad(square))(&x)?, second, inside.call(&x)?.1] {
        assert_eq!(floats(&second), [6.0, 6.0]);
    }
    assert_eq!(floats(&hvp(square, &x, &tensor![1.0f32, 10.0])?), [6.0, 60.0]);
    Ok(())
}

#[test]
fn what_is_kept_has_the_gradient_of_its_ops() -> Result<()> {
    // exp, whose gradient uses the result: the second derivative goes through what was kept.
    let exp = custom_gradient(|x: &Tensor| {
        let y = x.exp()?;
        let kept = y.clone();
        Ok((y, move |dy: &Tensor| ops::mul(dy, &kept)))
    });
    let e = 1.5f32.exp();
    let traced = function(|x: &Tensor| exp(x));
    let third = grad(grad(grad(&exp)))(&scalar(1.5f32))?;
    let in_traces = grad(grad(grad(|x: &Tensor| traced.call(x))))(&scalar(1.5f32))?;
    for got in [third, in_traces] {
        assert!((got.item::<f32>()? - e).abs() < 1e-4, "{got}");
    }
    Ok(())
}

#[test]
fn it_is_used_in_conditionals_loops_and_maps() -> Result<()> {
    let x = tensor![2.0f32, 3.0];
    let arms = function(|x: &Tensor| {
        cond(&x.reduce_sum(.., false)?.greater(0.0)?, || square(x), || Ok(x.clone()))
    });
    assert_eq!(floats(&grad(|x: &Tensor| arms.call(x))(&x)?), [12.0, 18.0]);
    let loops = function(|x: &Tensor| {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, y)| Ok((ops::add(&i, 1)?, square(&y)?)),
        )?;
        Ok(y)
    });
    // 6x, then 6x² of that.
    assert_eq!(floats(&grad(|x: &Tensor| loops.call(x))(&x)?), [36.0 * 8.0, 36.0 * 27.0]);
    type Map = fn(&Tensor) -> Result<Tensor>;
    let maps: [Map; 2] =
        [|x| map_fn(x, |x: Tensor| square(&x)), |x| vectorized_map(x, |x: Tensor| square(&x))];
    for map in maps {
        assert_eq!(floats(&grad(map)(&x)?), [12.0, 18.0]);
        assert_eq!(floats(&grad(|x: &Tensor| function(map).call(x))(&x)?), [12.0, 18.0]);
    }
    Ok(())
}

#[test]
fn sizes_may_be_unknown() -> Result<()> {
    let f = function(square);
    f.concrete(&TensorSpec::new(Shape::unknown(), f32))?;
    assert_eq!(floats(&grad(|x: &Tensor| f.call(x))(&tensor![2.0f32, 3.0])?), [12.0, 18.0]);
    let slope = function(|x: &Tensor| grad(square)(x));
    slope.concrete(&TensorSpec::new(shape![?], f32))?;
    assert_eq!(floats(&slope.call(&tensor![2.0f32])?), [12.0]);
    assert_eq!((f.trace_count(), slope.trace_count()), (1, 1));
    Ok(())
}

#[test]
fn the_function_stays_in_the_graph() -> Result<()> {
    let f = function(square).concrete(&TensorSpec::of::<f32>([2]))?;
    let node = f.graph().graph.nodes().iter().find(|n| n.op.name == "Extype>CustomGradient");
    assert_eq!(node.expect("the op").callees().count(), 1);
    let library = f.graph().library();
    assert_eq!(library.len(), 1, "{}", f.graph());
    // Written and read again, it is used.
    let def = f.graph().to_graph_def()?;
    assert!(!def.library.is_empty());
    Ok(())
}

#[test]
fn values_of_types_are_arguments_results_and_gradients() -> Result<()> {
    // Gradients where the mask says, and there tenfold.
    let f = custom_gradient(|m: &MaskedTensor| {
        let mask = m.mask.clone();
        let y = MaskedTensor { values: m.values.square()?, mask: m.mask.clone() };
        Ok((y, move |dy: &MaskedTensor| {
            assert_eq!(dy.mask.dtype(), DType::Bool);
            let zeros = dy.values.zeros_like()?;
            let values = ops::select(&mask, &ops::mul(&dy.values, 10.0)?, &zeros)?;
            Ok(MaskedTensor { values, mask: mask.clone() })
        }))
    });
    let m = MaskedTensor { values: tensor![2.0f32, 3.0], mask: tensor![true, false] };
    let traced = function(|m: &MaskedTensor| f(m));
    for g in [grad(&f)(&m)?, grad(|m: &MaskedTensor| traced.call(m))(&m)?] {
        assert_eq!(
            (floats(&g.values), g.mask.to_vec::<bool>()?),
            (vec![10.0, 0.0], vec![true, false])
        );
    }
    Ok(())
}

#[test]
fn parts_without_a_gradient_are_none() -> Result<()> {
    let f = custom_gradient(|(x, k): &(Tensor, Tensor)| {
        Ok((ops::mul(x, k)?, move |dy: &Tensor| Ok((dy.clone(), None::<Tensor>))))
    });
    let x = (scalar(2.0f32), scalar(3.0f32));
    let traced = function(|x: &(Tensor, Tensor)| f(x));
    for traces in [false, true] {
        let tape = GradientTape::new();
        let call = || if traces { traced.call(&x) } else { f(&x) };
        let (_, g) = tape.value_and_gradient(&x, call)?;
        assert_eq!(g.leaf(0)?.expect("connected").item::<f32>()?, 1.0);
        assert!(g.leaf(1)?.is_none());
    }
    // Integers beside it have none, whatever is returned for them.
    let power = custom_gradient(|(x, n): &(Tensor, Tensor)| {
        Ok((ops::mul(x, &n.cast(f32)?)?, move |dy: &Tensor| Ok((dy.clone(), scalar(7i32)))))
    });
    let g = grad(|x: &Tensor| power(&(x.clone(), scalar(3i32))))(&scalar(2.0f32))?;
    assert_eq!(g.item::<f32>()?, 1.0);
    // One tensor twice has the sum.
    let both = custom_gradient(|(x, y): &(Tensor, Tensor)| {
        Ok((ops::mul(x, y)?, |dy: &Tensor| Ok((dy.clone(), ops::mul(dy, 10.0)?))))
    });
    let twice = |x: &Tensor| both(&(x.clone(), x.clone()));
    assert_eq!(grad(twice)(&scalar(2.0f32))?.item::<f32>()?, 11.0);
    let traced = function(twice);
    assert_eq!(grad(|x: &Tensor| traced.call(x))(&scalar(2.0f32))?.item::<f32>()?, 11.0);
    Ok(())
}

#[test]
fn variables_are_passed_or_refused() -> Result<()> {
    let v = Variable::new(3.0f32)?;
    let hidden =
        custom_gradient(|x: &Tensor| Ok((ops::mul(x, &v.read()?)?, |dy: &Tensor| Ok(dy.clone()))));
    let x = scalar(2.0f32);
    let traced = function(|x: &Tensor| hidden(x));
    let nested = function(|x: &Tensor| ops::mul(x, &v.read()?));
    let called = custom_gradient(|x: &Tensor| Ok((nested.call(x)?, |dy: &Tensor| Ok(dy.clone()))));
    for told in [said(grad(&hidden)(&x)), said(traced.call(&x)), said(grad(&called)(&x))] {
        assert!(told.contains("custom.rs") && told.contains("reads the variable"), "{told}");
        assert!(told.contains("part of the argument"), "{told}");
    }
    let passed = custom_gradient(|(x, v): &(Tensor, Variable)| {
        let (x, w) = (x.clone(), v.read()?);
        Ok((ops::mul(&x, &w)?, move |dy: &Tensor| {
            Ok((ops::mul(dy, &w)?, ops::mul(&ops::mul(dy, &x)?, 100.0)?))
        }))
    });
    let traced = function(|x: &(Tensor, Variable)| passed(x));
    for traces in [false, true] {
        let both = (x.clone(), v.clone());
        let tape = GradientTape::new();
        let call = || if traces { traced.call(&both) } else { passed(&both) };
        let (_, g) = tape.value_and_gradient(&both, call)?;
        assert_eq!(g.leaf(0)?.expect("connected").item::<f32>()?, 3.0);
        assert_eq!(g.of(&v)?.expect("connected").item::<f32>()?, 200.0);
    }
    // State that is not trained may be read.
    let scale = Variable::new(5.0f32)?.not_trainable();
    let f = custom_gradient(|x: &Tensor| {
        Ok((ops::mul(x, &scale.read()?)?, |dy: &Tensor| Ok(dy.clone())))
    });
    assert_eq!(grad(&f)(&x)?.item::<f32>()?, 1.0);
    Ok(())
}

#[test]
fn tensors_from_outside_have_no_silent_zeros() -> Result<()> {
    let (x, w) = (scalar(2.0f32), scalar(3.0f32));
    let f = |x: &Tensor, w: &Tensor| {
        custom_gradient(|x: &Tensor| Ok((ops::mul(x, w)?, |dy: &Tensor| Ok(dy.clone()))))(x)
    };
    let told = said(grad(|(x, w): &(Tensor, Tensor)| f(x, w))(&(x.clone(), w.clone())));
    assert!(told.contains("uses from outside") && told.contains("stop_gradient"), "{told}");
    // Nobody asks for it, or it is said to have none.
    assert_eq!(grad(|x: &Tensor| f(x, &w))(&x)?.item::<f32>()?, 1.0);
    let stopped = |(x, w): &(Tensor, Tensor)| f(x, &w.stop_gradient()?);
    let (dx, dw) = grad(stopped)(&(x.clone(), w.clone()))?;
    assert_eq!((dx.item::<f32>()?, dw.item::<f32>()?), (1.0, 0.0));
    Ok(())
}

#[test]
fn gradients_of_another_kind_name_the_part() -> Result<()> {
    fn of<B: Structure>(make: fn(&Tensor) -> Result<B>) -> [String; 2] {
        let f = custom_gradient(move |x: &(Tensor, Vec<Tensor>)| {
            Ok((x.0.square()?, move |dy: &Tensor| make(dy)))
        });
        let x = (tensor![1.0f32, 2.0], vec![scalar(3.0f32)]);
        let traced = function(|x: &(Tensor, Vec<Tensor>)| f(x));
        [said(grad(&f)(&x)), said(grad(|x: &(Tensor, Vec<Tensor>)| traced.call(x))(&x))]
    }
    let dtype = of(|dy| Ok((dy.cast(f64)?, vec![scalar(1.0f32)])));
    let shape = of(|dy| Ok((dy.clone(), vec![dy.clone()])));
    let length = of(|dy| Ok((dy.clone(), Vec::<Tensor>::new())));
    let form = of(|dy| Ok(dy.clone()));
    let panics = of(|_| -> Result<Tensor> { panic!("no gradient today") });
    for i in 0..2 {
        let has = |told: &[String; 2], parts: &[&str]| {
            for part in parts {
                assert!(told[i].contains(part), "{i}: {}: no `{part}`", told[i]);
            }
        };
        has(&dtype, &["custom.rs", "its `[0]` is float64[2]", "float32[2]"]);
        has(&shape, &["its `[1][0]` is float32[2]", "float32[]"]);
        has(&length, &["its `[1]` is []"]);
        has(&form, &["it is TensorSpec([2], float32)", "(TensorSpec([2], float32)"]);
        has(&panics, &["custom.rs", "panicked: no gradient today"]);
    }
    Ok(())
}

#[test]
fn results_have_cotangents_of_zeros_where_nobody_looks() -> Result<()> {
    let f = custom_gradient(|x: &Tensor| {
        Ok(((x.square()?, x.exp()?, ops::size(x)?), |(a, b, n): &(Tensor, Tensor, Tensor)| {
            assert!(n.dtype().is_integer());
            ops::add(&ops::mul(a, 10.0)?, b)
        }))
    });
    let x = tensor![1.0f32, 2.0];
    let traced = function(|x: &Tensor| f(x));
    for traces in [false, true] {
        let first = |x: &Tensor| Ok(if traces { traced.call(x)? } else { f(x)? }.0);
        assert_eq!(floats(&grad(first)(&x)?), [10.0, 10.0]);
        let all = |x: &Tensor| if traces { traced.call(x) } else { f(x) };
        assert_eq!(floats(&grad(all)(&x)?), [11.0, 11.0]);
    }
    // A result that is the argument, or one that is another result.
    let same = custom_gradient(|x: &Tensor| {
        Ok(((x.clone(), x.clone()), |(a, b): &(Tensor, Tensor)| ops::sub(a, &ops::mul(b, 3.0)?)))
    });
    assert_eq!(floats(&grad(&same)(&x)?), [-2.0, -2.0]);
    let traced = function(|x: &Tensor| same(x));
    assert_eq!(floats(&grad(|x: &Tensor| traced.call(x))(&x)?), [-2.0, -2.0]);
    Ok(())
}

/// `x * w`, which gives no gradient of `w`.
fn of_x_only(x: &Tensor, w: &Tensor) -> Result<Tensor> {
    let w = w.clone();
    custom_gradient(move |x: &Tensor| {
        let kept = w.clone();
        Ok((ops::mul(x, &w)?, move |dy: &Tensor| ops::mul(dy, &kept)))
    })(x)
}

#[test]
fn a_gradient_that_is_not_given_is_told_wherever_the_function_stands() -> Result<()> {
    type Pair = (Tensor, Tensor);
    let forms: [(&str, fn(&Pair) -> Result<Tensor>); 5] = [
        ("alone", |(x, w)| of_x_only(x, w)),
        ("cond", |(x, w)| {
            cond(&x.reduce_sum(.., false)?.greater(0.0)?, || of_x_only(x, w), || Ok(x.clone()))
        }),
        ("while_loop", |(x, w)| {
            let start = (scalar(0i32), x.clone());
            let next = |(i, y): Pair| Ok((ops::add(&i, 1)?, of_x_only(&y, w)?));
            Ok(while_loop(start, |(i, _)| i.less(1), next)?.1)
        }),
        ("map_fn", |(x, w)| map_fn(x, |x: Tensor| of_x_only(&x, w))),
        ("call", |(x, w)| function(|(x, w): &Pair| of_x_only(x, w)).call(&(x.clone(), w.clone()))),
    ];
    let (x, w) = (Tensor::from_vec(vec![5.0f32]), scalar(3.0f32));
    for (name, f) in forms {
        for traced in [false, true] {
            let g = function(f);
            let y = |x: &Tensor, w: &Tensor| {
                let pair = (x.clone(), w.clone());
                if traced { g.call(&pair) } else { f(&pair) }
            };
            let dx = grad(|x: &Tensor| y(x, &w))(&x).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(dx.to_vec::<f32>()?, [3.0], "{name}");
            let dw = grad(|w: &Tensor| y(&x, w))(&w);
            let e = dw.map(|g| g.to_string()).expect_err(name);
            assert!(e.to_string().contains("from outside"), "{name}: {e}");
        }
    }
    Ok(())
}
