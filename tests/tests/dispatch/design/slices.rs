//! Gradients of what was gathered: slices, wherever they can stay slices.

use extype::ops::IndexedSlices;

use super::*;

fn table() -> Result<Variable> {
    Variable::new(tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])
}

fn read(slices: &IndexedSlices) -> (Vec<i64>, Vec<f32>) {
    let indices = slices.indices().cast(i64).unwrap();
    (indices.to_vec().unwrap(), floats(slices.values()))
}

fn ids(places: &[i32]) -> Tensor {
    Tensor::from_vec(places.to_vec())
}

#[test]
fn rows_that_were_gathered_have_slices() -> Result<()> {
    let v = table()?;
    let tape = GradientTape::new();
    let rows = v.read()?.gather(&tensor![[2, 0], [2, 2]], 0)?;
    let more = v.read()?.gather(&scalar(1i64), -2)?;
    let y = ops::add(&rows.square()?, &more)?;
    let g = tape.gradient(&y, &v)?;
    let (indices, values) = read(g.slices_of(&v)?.unwrap());
    // Both reads are joined, the indices as the wider type.
    assert_eq!(indices.len(), 5);
    assert_eq!(values.len(), 10);
    let dense = g.of(&v)?.unwrap();
    assert_eq!(floats(&dense), [2.0, 4.0, 4.0, 4.0, 30.0, 36.0]);
    assert_eq!(g.leaf(0)?.unwrap().id(), dense.id());
    assert_eq!(g.norm()?.item::<f32>()?, (4.0f32 + 16.0 * 3.0 + 900.0 + 1296.0).sqrt());
    let once = g.slices_of(&v)?.unwrap().combined()?;
    assert_eq!(once.indices().shape(), shape![3]);
    assert_eq!(floats(&once.to_dense()?), floats(&dense));
    Ok(())
}

#[test]
fn what_else_a_variable_is_used_for_makes_its_gradient_dense() -> Result<()> {
    let v = table()?;
    let tape = GradientTape::new();
    let row = v.read()?.gather(&scalar(1), 0)?;
    let y = ops::mul(&v.read()?, &row)?;
    let g = tape.gradient(&y, &v)?;
    assert!(g.slices_of(&v)?.is_none());
    assert_eq!(floats(&g.of(&v)?.unwrap()), [3.0, 4.0, 12.0, 16.0, 3.0, 4.0]);
    // Another axis is no matter of slices.
    let tape = GradientTape::new();
    let g = tape.gradient(&v.read()?.gather(&scalar(1), 1)?, &v)?;
    assert!(g.slices_of(&v)?.is_none());
    assert_eq!(floats(&g.of(&v)?.unwrap()), [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    Ok(())
}

#[test]
fn calls_hand_slices_on_and_control_flow_tensors() -> Result<()> {
    let v = table()?;
    let places = tensor![2, 0, 2];
    let (inner, w) = (function(|t: &Variable, ids: &Tensor| t.read()?.gather(ids, 0)), v.clone());
    let outer = function(move |ids: &Tensor| ops::mul(&inner.call(&w, ids)?, 2.0));
    let tape = GradientTape::new();
    let g = tape.gradient(&outer.call(&places)?, &v)?;
    let (indices, values) = read(g.slices_of(&v)?.unwrap());
    assert_eq!((indices, values), (vec![2, 0, 2], vec![2.0; 6]));

    for traced in [false, true] {
        let w = v.clone();
        let step = move |ids: &Tensor| -> Result<(Tensor, Tensor)> {
            let tape = GradientTape::new();
            let rows = || w.read()?.gather(ids, 0);
            let positive = ids.reduce_sum(.., false)?.greater(0)?;
            let picked = cond(&positive, rows, || ops::mul(&rows()?, 3.0))?;
            let start = (scalar(0i32), rows()?);
            let body = |(i, x): (Tensor, Tensor)| Ok((ops::add(&i, 1)?, ops::add(&x, &rows()?)?));
            let (_, looped) = while_loop(start, |(i, _)| i.less(2), body)?;
            let g = tape.gradient(&(picked, looped), &w)?;
            let dense = g.of(&w)?.unwrap().clone();
            Ok((dense, g.norm()?))
        };
        let (dense, norm) = match traced {
            false => step(&places)?,
            true => function(step).call(&places)?,
        };
        assert_eq!(floats(&dense), [4.0, 4.0, 0.0, 0.0, 8.0, 8.0]);
        assert_eq!(norm.item::<f32>()?, 160.0f32.sqrt());
    }
    Ok(())
}

#[test]
fn slices_stay_slices_where_shapes_are_unknown() -> Result<()> {
    let v = Variable::with_shape(&table()?.read()?, shape![?, 2])?;
    let w = v.clone();
    let step = function(move |ids: &Tensor| {
        let tape = GradientTape::new();
        let g = tape.gradient(&w.read()?.gather(ids, 0)?, &w)?;
        let slices = g.slices_of(&w)?.unwrap();
        w.scatter_sub(&slices.map_values(|g| ops::mul(g, 0.5))?)?;
        Ok((slices.indices().clone(), g.of(&w)?.unwrap().clone()))
    });
    let traced = step.concrete(&TensorSpec::of::<i32>(shape![?]))?;
    for ids in [vec![1, 1], vec![2]] {
        let results = traced.call_flat(&[Tensor::from_vec(ids.clone())])?;
        assert_eq!(results[0].to_vec::<i32>()?, ids);
        assert_eq!(results[1].shape(), shape![3, 2]);
    }
    assert_eq!(floats(&v.read()?), [1.0, 2.0, 2.0, 3.0, 4.5, 5.5]);
    Ok(())
}

#[test]
fn tensors_have_slices_too_and_second_derivatives_pass() -> Result<()> {
    let cubes = |x: &Tensor| {
        let rows = x.gather(&tensor![1, 1], 0)?;
        ops::mul(&ops::mul(&rows, &rows)?, &rows)
    };
    let x = tensor![[1.0f64], [2.0], [3.0]];
    assert_eq!(grad(cubes)(&x)?.to_vec::<f64>()?, [0.0, 24.0, 0.0]);
    assert_eq!(grad(grad(cubes))(&x)?.to_vec::<f64>()?, [0.0, 24.0, 0.0]);
    let traced = function(cubes);
    assert_eq!(grad(grad(|x: &Tensor| traced.call(x)))(&x)?.to_vec::<f64>()?, [0.0, 24.0, 0.0]);
    Ok(())
}

#[test]
fn an_empty_lookup_has_an_empty_gradient() -> Result<()> {
    let v = table()?;
    let none = Tensor::from_vec(Vec::<i32>::new());
    let tape = GradientTape::new();
    let g = tape.gradient(&v.read()?.gather(&none, 0)?, &v)?;
    assert_eq!(floats(&g.of(&v)?.unwrap()), [0.0; 6]);
    Ok(())
}

#[test]
fn slices_are_written_into_variables() -> Result<()> {
    let v = table()?;
    let slices = |values: Tensor, ids: Tensor| IndexedSlices::new(&values, &ids, [3, 2]);
    v.scatter_add(&slices(tensor![[1.0f32, 1.0], [2.0, 2.0]], tensor![0, 0])?)?;
    v.scatter_sub(&slices(tensor![[1.0f32, 0.0]], ids(&[2]))?)?;
    v.scatter_update(&slices(tensor![[7.0f32, 8.0]], ids(&[1]))?)?;
    assert_eq!(floats(&v.read()?), [4.0, 5.0, 7.0, 8.0, 4.0, 6.0]);

    let far = slices(tensor![[1.0f32, 0.0]], ids(&[3]))?;
    let e = v.scatter_add(&far).unwrap_err().to_string();
    assert!(e.contains("indices[0] = [3]") && e.contains("[3, 2]"), "{e}");
    let e = v.scatter_add(&slices(tensor![[1.0f64, 0.0]], ids(&[0]))?).unwrap_err().to_string();
    assert!(e.contains("float64") && e.contains("float32"), "{e}");
    let narrow = IndexedSlices::new(&tensor![[1.0f32]], &ids(&[0]), [3, 1])?;
    let e = v.scatter_add(&narrow).unwrap_err().to_string();
    assert!(e.contains("[1, 1]") && e.contains("[3, 2]"), "{e}");
    assert_eq!(floats(&v.read()?), [4.0, 5.0, 7.0, 8.0, 4.0, 6.0]);
    Ok(())
}

#[test]
fn slices_that_do_not_fit_are_refused() {
    let new = |values: Tensor, ids: Tensor| {
        IndexedSlices::new(&values, &ids, [3, 2]).unwrap_err().to_string()
    };
    let rows = || tensor![[1.0f32, 1.0]];
    for (e, says) in [
        (new(rows(), tensor![0, 1]), "[1, 2]"),
        (new(rows(), tensor![[0]]), "vector"),
        (new(rows(), Tensor::from_vec(vec![0.0f32])), "int32 or int64"),
        (new(Tensor::from_vec(vec![1.0f32]), ids(&[0])), "rank 2"),
        (new(scalar(1.0f32), ids(&[0])), "scalar"),
        (new(tensor![[1.0f32]], ids(&[0])), "slices of shape [1, 1] for a tensor of shape [3, 2]"),
    ] {
        assert!(e.contains(says), "{e}");
    }
}

/// By slices as by the tensor that they make.
#[test]
fn optimizers_take_slices() -> Result<()> {
    use extype::train::{Adam, AnyOptimizer, SGD};
    let optimizers: [fn() -> AnyOptimizer; 5] = [
        || SGD::new(0.5).erased(),
        || SGD::new(0.5).momentum(0.9).erased(),
        || SGD::new(0.5).weight_decay(0.1).erased(),
        || SGD::new(0.5).global_clipnorm(1.0).erased(),
        || Adam::new(0.5).erased(),
    ];
    let places = ids(&[2, 0, 2]);
    for optimizer in optimizers {
        for traced in [false, true] {
            let (v, w) = (table()?, table()?);
            let (a, b) = (optimizer(), optimizer());
            let (v2, w2) = (v.clone(), w.clone());
            let step = move |places: &Tensor| -> Result<Tensor> {
                let tape = GradientTape::new();
                let rows = v2.read()?.gather(places, 0)?.square()?;
                let g = tape.gradient(&rows, &v2)?;
                assert!(g.slices_of(&v2)?.is_some());
                let all = v2.read()?;
                a.apply(&g, &v2)?;
                b.apply_gradients([(g.of(&v2)?, w2.clone())])?;
                Ok(all)
            };
            let f = function(step.clone());
            for _ in 0..3 {
                let _ = if traced { f.call(&places)? } else { step(&places)? };
                for (x, y) in floats(&v.read()?).iter().zip(floats(&w.read()?)) {
                    assert!((x - y).abs() < 1e-5, "{:?}: {x}, not {y}", optimizer());
                }
            }
        }
    }
    Ok(())
}
