//! State that functions create, share and lose.

use std::sync::Mutex;

use extype::prelude::*;
use extype::random::Generator;
use extype::train::Adam;

use super::refused;

// A handle that was taken out does not keep the state; the function that owns the cell does.
#[test]
fn what_a_function_creates_lives_as_long_as_the_function() -> Result<()> {
    let (cell, handed_out) = (Late::<Variable>::new(), Mutex::new(None));
    let out = &handed_out;
    let f = function(move |x: &Tensor| {
        let sum = cell.get_or_create(|| Variable::new(0.0f32))?;
        *out.lock().unwrap() = Some(sum.clone());
        sum.assign_add(x)?;
        sum.read()
    });
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 1.0);
    assert!(handed_out.lock().unwrap().take().is_some());
    assert_eq!(f.call(&scalar(2.0f32))?.item::<f32>()?, 3.0);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn a_variable_that_a_later_trace_would_create_fails_that_call_only() -> Result<()> {
    let f = function(|x: &Tensor| match x.dtype() {
        DType::F32 => ops::neg(x),
        _ => ops::add(x, Variable::new(1i64)?.read()?),
    });
    for _ in 0..2 {
        assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, -1.0);
        let e = refused(f.call(&scalar(1i64)));
        assert!(e.contains("create a variable at each call"), "{e}");
        assert_eq!(f.trace_count(), 1);
    }
    Ok(())
}

// A later trace may fill a cell.
#[test]
fn a_trace_for_another_dtype_may_create_its_own_state_once() -> Result<()> {
    let cells = [Late::<Variable>::new(), Late::new()];
    let f = function(|x: &Tensor| match x.dtype() {
        DType::F32 => ops::add(x, cells[0].get_or_create(|| Variable::new(1.0f32))?),
        _ => ops::add(x, cells[1].get_or_create(|| Variable::new(10i64))?),
    });
    for _ in 0..2 {
        assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 2.0);
        assert_eq!(f.call(&scalar(1i64))?.item::<i64>()?, 11);
    }
    assert_eq!(f.trace_count(), 2);
    Ok(())
}

#[test]
fn a_value_that_was_put_in_before_the_first_call_is_not_initialized_again() -> Result<()> {
    let cell = Late::<Variable>::new();
    cell.get_or_create(|| Variable::new(0.0f32))?.assign(5.0)?;
    let f = function(|x: &Tensor| ops::add(x, cell.get_or_create(|| Variable::new(100.0f32))?));
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 6.0);
    cell.get_or_create(|| Variable::new(100.0f32))?.assign(7.0)?;
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 8.0);
    Ok(())
}

#[derive(ExtensionType, Clone, Debug)]
struct Slope {
    by: Tensor,
}

impl Slope {
    #[tf_function]
    fn at(&self, x: &Tensor) -> Result<Tensor> {
        ops::mul(&self.by, x)
    }
}

#[test]
fn values_of_an_extension_type_share_the_traces_of_its_methods() -> Result<()> {
    let (one, other) = (Slope { by: scalar(2.0f32) }, Slope { by: scalar(5.0f32) });
    let x = scalar(3.0f32);
    assert_eq!((one.at(&x)?.item::<f32>()?, other.at(&x)?.item::<f32>()?), (6.0, 15.0));
    assert_eq!((one.at_function().trace_count(), other.at_function().trace_count()), (1, 1));
    Ok(())
}

#[test]
fn a_variable_without_a_value_is_not_read_but_assigned() -> Result<()> {
    let v = Variable::uninitialized(shape![?], f32)?.name("table");
    let read = function(|| v.read());
    let there = function(|| v.is_initialized());
    for e in [refused(v.read()), refused(read.call()), refused(v.assign_add([1.0]))] {
        assert!(e.contains("variable `table`: float32[?] has no value yet"), "{e}");
    }
    assert!(!there.call()?.item::<bool>()?);
    let assign = function(|x: &Tensor| {
        let before = v.is_initialized()?;
        v.assign(x)?;
        Ok((before, v.is_initialized()?))
    });
    let (before, after) = assign.call(&tensor![1.0f32, 2.0])?;
    assert_eq!((before.item::<bool>()?, after.item::<bool>()?), (false, true));
    assert_eq!(read.call()?.to_vec::<f32>()?, [1.0, 2.0]);
    assert!(there.call()?.item::<bool>()?);
    assert_eq!((read.trace_count(), there.trace_count()), (1, 1));
    assert!(v.assign(1.0).is_err());
    Ok(())
}

#[derive(Module)]
struct Layer {
    kernel: Variable,
    bias: Late<Variable>,
}

#[derive(Module)]
struct Model {
    layers: Vec<Layer>,
    steps: Variable,
    adam: Adam,
}

#[test]
fn variables_of_a_module_have_unique_names() -> Result<()> {
    let shared = Variable::new(2.0f32)?.name("kernel");
    let layer = || Layer { kernel: shared.clone(), bias: Late::new() };
    let steps = Variable::new(0i64)?.not_trainable();
    let model = Model { layers: vec![layer(), layer()], steps, adam: Adam::new(0.1) };
    let names = |model: &Model| -> Vec<String> {
        model.named_variables().into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(&model), ["layers[0].kernel", "layers[1].kernel", "steps"]);
    assert_eq!(model.trainable_variables().len(), 2);

    let bias = model.layers[1].bias.get_or_create(|| Variable::new(1.0f32))?;
    let targets = [shared.clone(), bias.clone()].to_vec();
    model.adam.build(&targets)?;
    let names = names(&model);
    assert_eq!(names.len(), model.variables().len());
    assert!(names.contains(&"layers[1].bias".to_owned()), "{names:?}");
    assert!(
        names.iter().any(|name| name.starts_with("adam.") && name.contains("kernel")),
        "{names:?}"
    );
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    Ok(())
}

#[test]
fn a_first_value_may_depend_on_the_arguments() -> Result<()> {
    let cell = Late::<Variable>::new();
    let f = function(|x: &Tensor| {
        let twice = cell.get_or_create(|| Variable::new(ops::mul(x, 2.0)?))?;
        twice.assign_add(1.0)?;
        twice.read()
    });
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 7.0);
    assert_eq!(f.call(&scalar(100.0f32))?.item::<f32>()?, 8.0);
    assert_eq!(f.trace_count(), 1);
    assert_eq!(cell.get().unwrap().read()?.item::<f32>()?, 8.0);
    Ok(())
}

// The first value is the argument itself, a captured tensor, and what was read of a variable.
#[test]
fn a_first_value_may_be_any_symbol_of_the_trace() -> Result<()> {
    let (large, w) = (ops::ones([200], f32)?, Variable::new(4.0f32)?);
    let cells: [Late<Variable>; 3] = Default::default();
    let f = function(|x: &Tensor| {
        let before = w.read()?;
        w.assign(0.0)?;
        let a = cells[0].get_or_create(|| Variable::new(x))?;
        let b = cells[1].get_or_create(|| Variable::new(ops::mul(x, &large)?))?;
        let c = cells[2].get_or_create(|| Variable::new(ops::add(&before, x)?))?;
        Ok((a.read()?, b.read()?.reduce_sum(.., false)?, c.read()?))
    });
    for x in [2.0f32, 5.0] {
        let (a, b, c) = f.call(&scalar(x))?;
        assert_eq!([a, b, c].map(|t| t.item::<f32>().unwrap()), [2.0, 400.0, 6.0]);
    }
    Ok(())
}

// A trace does not have to run; what it would have assigned is assigned by the next one.
#[test]
fn a_first_value_that_no_call_assigned_is_that_of_the_next_call() -> Result<()> {
    let (cell, fails) = (Late::<Variable>::new(), std::cell::Cell::new(true));
    let body = |x: &Tensor| -> Result<Tensor> {
        let v = cell.get_or_create(|| Variable::new(x.cast(f32)?.square()?))?;
        if fails.get() {
            return Err(Error::invalid("not now"));
        }
        ops::add(v, x.cast(f32)?)
    };
    let f = function(body);
    assert!(refused(f.call(&scalar(2.0f32))).contains("not now"));
    assert!(refused(cell.get().unwrap().read()).contains("has no value yet"));
    fails.set(false);
    f.concrete(&TensorSpec::of::<f64>([]))?;
    let id = cell.get().unwrap().id();
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 12.0);
    assert_eq!(f.call(&scalar(5i32))?.item::<f32>()?, 14.0);
    assert_eq!(f.call(&scalar(6.0f64))?.item::<f32>()?, 15.0);
    assert_eq!(cell.get().unwrap().id(), id);
    // An eager call gives it a value as well.
    let other = Late::<Variable>::new();
    let g = function(|x: &Tensor| other.get_or_create(|| Variable::new(ops::neg(x)?))?.read());
    g.concrete(&TensorSpec::of::<f32>([]))?;
    assert_eq!(other.get_or_create(|| Variable::new(9.0f32))?.read()?.item::<f32>()?, 9.0);
    assert_eq!(g.call(&scalar(1.0f32))?.item::<f32>()?, 9.0);
    Ok(())
}

// The initialization function gives first values without the rest of the body, and only to what has none.
#[test]
fn the_initialization_function_can_be_had_and_called() -> Result<()> {
    let (cell, fixed) = (Late::<Variable>::new(), Late::<Variable>::new());
    let (count, other) = (Variable::new(0.0f32)?, Variable::new(10.0f32)?);
    let f = function(|x: &Tensor, also: &Variable| {
        count.assign_add(1.0)?;
        let one = fixed.get_or_create(|| Variable::new(1.0f32))?;
        let v = cell.get_or_create(|| Variable::new(ops::mul(x, also)?))?;
        ops::add(v, one)
    });
    let v = Variable::new(3.0f32)?;
    let concrete = f.concrete(&TensorSpec::of::<f32>([]), &v.type_spec())?;
    let initialization = concrete.initialization()?;
    let call = |x: f32, v: &Variable| {
        initialization.call_flat(&[scalar(x), v.handle().clone()]).map(|y| y.len())
    };
    assert_eq!((call(2.0, &v)?, call(5.0, &other)?), (0, 0));
    assert_eq!(cell.get().unwrap().read()?.item::<f32>()?, 6.0);
    assert_eq!(count.read()?.item::<f32>()?, 0.0, "the body did not run");
    assert_eq!(f.call(&scalar(4.0f32), &v)?.item::<f32>()?, 7.0);
    assert_eq!(count.read()?.item::<f32>()?, 1.0);

    // Where there is nothing to do, it does nothing.
    let plain = function(|x: &Tensor| x.exp()).concrete(&TensorSpec::of::<f32>([]))?;
    assert!(plain.initialization()?.call_flat(&[scalar(1.0f32)])?.is_empty());

    // A first value that is computed from what the body wrote is not there before it.
    let (late, w) = (Late::<Variable>::new(), Variable::new(1.0f32)?);
    let g = function(|x: &Tensor| {
        w.assign(x)?;
        let before = w.read()?;
        late.get_or_create(|| Variable::new(ops::neg(&before)?))?.read()
    });
    let text = refused(g.concrete(&TensorSpec::of::<f32>([]))?.initialization());
    assert!(
        text.contains("a first value depends on `AssignVariableOp`, which changes state"),
        "{text}"
    );
    assert_eq!(g.call(&scalar(2.0f32))?.item::<f32>()?, -2.0);
    Ok(())
}

#[derive(Module)]
struct Affine {
    scale: Variable,
    bias: Variable,
    count: Variable,
}

#[test]
fn some_parts_of_what_a_cell_holds_may_depend_on_the_arguments() -> Result<()> {
    let cell = Late::<Affine>::new();
    let f = function(|x: &Tensor| {
        let affine = cell.get_or_create(|| {
            let scale = Variable::new(10.0f32)?;
            let bias = Variable::new(ops::neg(x)?)?.name("bias");
            Ok(Affine { scale, bias, count: Variable::new(ops::mul(x, 0.0)?)?.not_trainable() })
        })?;
        affine.count.assign_add(1.0)?;
        Ok((ops::add(ops::mul(x, &affine.scale)?, &affine.bias)?, affine.count.read()?))
    });
    f.concrete(&TensorSpec::of::<f32>([]))?;
    for (i, x) in [2.0f32, 3.0].into_iter().enumerate() {
        let (y, count) = f.call(&scalar(x))?;
        assert_eq!((y.item::<f32>()?, count.item::<f32>()?), (x * 10.0 - 2.0, i as f32 + 1.0));
    }
    let names: Vec<_> = cell.get().unwrap().trainable_variables();
    assert_eq!(names.len(), 2);
    Ok(())
}

#[test]
fn a_first_value_of_an_inner_function_may_depend_on_outer_arguments() -> Result<()> {
    let (outer_cell, inner_cell) = (Late::<Variable>::new(), Late::<Variable>::new());
    let f = function(|x: &Tensor| {
        let inner = function(|y: &Tensor| {
            let v = inner_cell.get_or_create(|| {
                let sum = ops::add(x, y)?;
                let w = outer_cell.get_or_create(|| Variable::new(ops::mul(&sum, 2.0)?))?;
                Variable::new(ops::add(w.shape().rank().unwrap() as f32, &sum)?)
            })?;
            ops::mul(v, y)
        });
        inner.call(&ops::add(x, 1.0)?)
    });
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 6.0);
    assert_eq!(f.call(&scalar(2.0f32))?.item::<f32>()?, 9.0);
    assert_eq!(outer_cell.get().unwrap().read()?.item::<f32>()?, 6.0);
    Ok(())
}

#[test]
fn a_first_value_in_an_arm_is_assigned_when_the_arm_runs() -> Result<()> {
    let cell = Late::<Variable>::new();
    let f = function(|x: &Tensor| {
        let positive = || cell.get_or_create(|| Variable::new(ops::mul(x, 2.0)?))?.read();
        cond(&x.greater(0.0)?, positive, || Ok(x.clone()))
    });
    assert_eq!(f.call(&scalar(-1.0f32))?.item::<f32>()?, -1.0);
    assert!(refused(cell.get().unwrap().read()).contains("has no value yet"));
    assert_eq!(f.call(&scalar(2.0f32))?.item::<f32>()?, 4.0);
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 4.0);
    Ok(())
}

#[test]
fn gradients_pass_functions_whose_variables_begin_with_arguments() -> Result<()> {
    let cell = Late::<Variable>::new();
    let f = function(|x: &Tensor| {
        let v = cell.get_or_create(|| Variable::new(ops::mul(x, 3.0)?))?;
        ops::mul(v, x)
    });
    for (x, want) in [(2.0f32, 6.0), (5.0, 6.0)] {
        let x = scalar(x);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = f.call(&x)?;
        assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.unwrap().item::<f32>()?, want);
    }
    Ok(())
}

#[test]
fn an_initializer_has_no_effects_on_symbols_and_no_elements_of_them() -> Result<()> {
    let (cell, other) = (Late::<Variable>::new(), Variable::new(0.0f32)?);
    let writes = function(|x: &Tensor| {
        cell.get_or_create(|| {
            other.assign(x)?;
            Variable::new(1.0f32)
        })?
        .read()
    });
    assert!(refused(writes.call(&scalar(1.0f32))).contains("has no value in the initializer"));
    let reads =
        function(|x: &Tensor| cell.get_or_create(|| Variable::new(x.item::<f32>()?))?.read());
    assert!(refused(reads.call(&scalar(1.0f32))).contains("has no value in the initializer"));
    assert!(cell.get().is_none());
    assert_eq!(other.read()?.item::<f32>()?, 0.0);
    Ok(())
}

#[test]
fn an_initializer_may_read_other_variables_and_cells() -> Result<()> {
    let (v, cells) = (Variable::new(2.0f32)?, [Late::<Variable>::new(), Late::new()]);
    let f = function(|x: &Tensor| {
        let last = cells[1].get_or_create(|| {
            let first = cells[0].get_or_create(|| Variable::new(ops::mul(&v, 10.0)?))?;
            Variable::new(ops::add(first, &v)?)
        })?;
        ops::add(x, last)
    });
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 23.0);
    v.assign(0.0)?;
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 23.0);
    assert_eq!(cells[0].get().unwrap().read()?.item::<f32>()?, 20.0);
    Ok(())
}

#[test]
fn a_failing_initializer_or_body_leaves_nothing_half_made() -> Result<()> {
    let (cell, tries) = (Late::<Variable>::new(), std::cell::Cell::new(0));
    let f = function(|x: &Tensor| {
        let v = cell.get_or_create(|| {
            tries.set(tries.get() + 1);
            let made = Variable::new(ops::mul(x, 2.0)?)?;
            match tries.get() {
                1 => Err(Error::invalid("the initializer fails")),
                _ => Ok(made),
            }
        })?;
        if tries.get() == 2 {
            tries.set(3);
            return Err(Error::invalid("the body fails"));
        }
        ops::add(v, x)
    });
    assert!(refused(f.call(&scalar(1.0f32))).contains("the initializer fails"));
    assert!(cell.get().is_none());
    assert!(refused(f.call(&scalar(1.0f32))).contains("the body fails"));
    assert_eq!((f.trace_count(), f.call(&scalar(1.0f32))?.item::<f32>()?), (0, 3.0));
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

// The next call makes a new trace, so what is told are calls that can't: a concrete function, also in another trace and
// under a tape.
#[test]
fn state_that_was_dropped_is_named_in_every_use() -> Result<()> {
    let owner = std::cell::RefCell::new(Some(Variable::new(2.0f32)?.name("w")));
    let f = function(|x: &Tensor| match &*owner.borrow() {
        Some(w) => ops::mul(w, x),
        None => Err(Error::invalid("nothing to read")),
    });
    let concrete = f.concrete(&TensorSpec::of::<f32>([]))?;
    let x = scalar(3.0f32);
    assert_eq!(concrete.call_flat(std::slice::from_ref(&x))?[0].item::<f32>()?, 6.0);
    *owner.borrow_mut() = None;
    let call = |x: &Tensor| Ok(concrete.call_flat(std::slice::from_ref(x))?.swap_remove(0));
    let taped = || {
        let tape = GradientTape::new();
        tape.watch(&x);
        call(&x)
    };
    let variables = concrete.variables().map(|_| x.clone());
    for result in [call(&x), function(call).call(&x), taped(), variables] {
        let e = refused(result);
        assert!(e.contains("variable `w`: float32[] was dropped"), "{e}");
    }
    Ok(())
}

#[test]
fn a_generator_moves_on_at_every_call_of_every_trace_that_shares_it() -> Result<()> {
    let draws = |g: &Generator| -> Result<f32> { g.uniform((), .., f32)?.item::<f32>() };
    let eager = Generator::from_seed(5)?;
    let want: Vec<f32> = (0..8).map(|_| draws(&eager)).collect::<Result<_>>()?;

    let g = Generator::from_seed(5)?;
    let inner = function(|x: &Tensor| ops::add(x, g.uniform((), .., f32)?));
    let outer = function(|x: &Tensor| {
        let first = g.uniform((), .., f32)?;
        Ok((first, inner.call(x)?, inner.call(x)?))
    });
    let mut got = Vec::new();
    let zero = scalar(0.0f32);
    for _ in 0..2 {
        let (a, b, c) = outer.call(&zero)?;
        got.extend([a.item::<f32>()?, b.item::<f32>()?, c.item::<f32>()?]);
        got.push(inner.call(&zero)?.item::<f32>()?);
    }
    assert_eq!(got, want);
    assert_eq!((outer.trace_count(), inner.trace_count()), (1, 1));
    Ok(())
}

#[test]
fn a_generator_moves_on_in_the_arm_that_runs_only() -> Result<()> {
    let (g, eager) = (Generator::from_seed(5)?, Generator::from_seed(5)?);
    let f =
        function(|x: &Tensor| cond(&x.greater(0.0)?, || g.uniform((), .., f32), || Ok(x.clone())));
    let mut draws = Vec::new();
    for x in [1.0f32, -1.0, 1.0, -1.0, 1.0] {
        let y = f.call(&scalar(x))?.item::<f32>()?;
        match x > 0.0 {
            true => draws.push(y),
            false => assert_eq!(y, x),
        }
    }
    let want = (0..3).map(|_| eager.uniform((), .., f32)?.item::<f32>());
    assert_eq!(draws, want.collect::<Result<Vec<_>>>()?);
    Ok(())
}

#[test]
fn generators_that_were_split_draw_in_traces_what_they_draw_outside() -> Result<()> {
    let (traced, eager) = (Generator::from_seed(3)?.split(2)?, Generator::from_seed(3)?.split(2)?);
    let f = function(|| Ok((traced[0].uniform([2], .., f32)?, traced[1].uniform([2], .., f32)?)));
    let mut seen = Vec::new();
    for _ in 0..2 {
        let (a, b) = f.call()?;
        for (drawn, g) in [a, b].iter().zip(&eager) {
            assert_eq!(drawn.to_vec::<f32>()?, g.uniform([2], .., f32)?.to_vec::<f32>()?);
            seen.push(drawn.to_vec::<f32>()?);
        }
    }
    seen.sort_by(|a, b| a[0].total_cmp(&b[0]));
    assert!(seen.windows(2).all(|pair| pair[0] != pair[1]), "{seen:?}");
    Ok(())
}
