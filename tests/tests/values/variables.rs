//! Parts of variables that are read and written.

use extype::ops::IndexedSlices;
use extype::prelude::*;

type Scatter = fn(&Variable, &IndexedSlices) -> Result<()>;
type ScatterNd = fn(&Variable, &Tensor, &Tensor) -> Result<()>;

fn floats(v: &Variable) -> Result<Vec<f32>> {
    v.read()?.to_vec()
}

/// What the write leaves, eagerly and in a traced function, which gets it by the read after it.
fn both_ways(start: &Tensor, write: impl Fn(&Variable) -> Result<()>) -> Result<Vec<f32>> {
    let eager = Variable::new(start)?;
    write(&eager)?;
    let traced = Variable::new(start)?;
    let f = function(|| {
        write(&traced)?;
        traced.read()
    });
    assert_eq!(f.call()?.to_vec::<f32>()?, floats(&eager)?);
    assert_eq!(floats(&traced)?, floats(&eager)?);
    floats(&eager)
}

#[test]
fn duplicate_slices_are_combined_in_order() -> Result<()> {
    let start = tensor![[8.0f32, 8.0], [6.0, 6.0], [4.0, 4.0]];
    let slices = IndexedSlices::new(
        &tensor![[2.0f32, 1.0], [4.0, 2.0], [0.5, 16.0]],
        &tensor![2, 0, 2],
        [3, 2],
    )?;
    let cases: [(Scatter, [f32; 6]); 7] = [
        (Variable::scatter_update, [4.0, 2.0, 6.0, 6.0, 0.5, 16.0]),
        (Variable::scatter_add, [12.0, 10.0, 6.0, 6.0, 6.5, 21.0]),
        (Variable::scatter_sub, [4.0, 6.0, 6.0, 6.0, 1.5, -13.0]),
        (Variable::scatter_mul, [32.0, 16.0, 6.0, 6.0, 4.0, 64.0]),
        (Variable::scatter_div, [2.0, 4.0, 6.0, 6.0, 4.0, 0.25]),
        (Variable::scatter_min, [4.0, 2.0, 6.0, 6.0, 0.5, 1.0]),
        (Variable::scatter_max, [8.0, 8.0, 6.0, 6.0, 4.0, 16.0]),
    ];
    for (scatter, want) in cases {
        assert_eq!(both_ways(&start, |v| scatter(v, &slices))?, want);
    }
    Ok(())
}

#[test]
fn parts_at_coordinates_are_combined_in_order() -> Result<()> {
    let start = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let places = tensor![[0i64, 1], [1, 0], [0, 1]];
    let updates = tensor![10.0f32, -1.0, 5.0];
    let cases: [(ScatterNd, [f32; 4]); 5] = [
        (|v, i, x| v.scatter_nd_update(i, x), [1.0, 5.0, -1.0, 4.0]),
        (|v, i, x| v.scatter_nd_add(i, x), [1.0, 17.0, 2.0, 4.0]),
        (|v, i, x| v.scatter_nd_sub(i, x), [1.0, -13.0, 4.0, 4.0]),
        (|v, i, x| v.scatter_nd_min(i, x), [1.0, 2.0, -1.0, 4.0]),
        (|v, i, x| v.scatter_nd_max(i, x), [1.0, 10.0, 3.0, 4.0]),
    ];
    for (scatter, want) in cases {
        assert_eq!(both_ways(&start, |v| scatter(v, &places, &updates))?, want);
    }
    let rows = |v: &Variable| v.scatter_nd_add(&tensor![[1], [1]], [[1.0, 2.0], [10.0, 20.0]]);
    assert_eq!(both_ways(&start, rows)?, [1.0, 2.0, 14.0, 26.0]);
    Ok(())
}

#[test]
fn an_index_out_of_range_is_named_with_the_size_and_nothing_is_written() -> Result<()> {
    let v = Variable::new([1.0f32, 2.0, 3.0])?;
    let slices = IndexedSlices::new(&tensor![10.0f32, 20.0], &tensor![0, 3], [3])?;
    let at = |e: Result<()>| e.unwrap_err().to_string();
    let traced = function(|i: &Tensor| v.scatter_nd_add(i, [1.0]));
    for text in [
        at(v.scatter_add(&slices)),
        at(v.scatter_nd_update(&tensor![[0], [3]], [10.0, 20.0])),
        at(traced.call(&tensor![[3]])),
    ] {
        assert!(text.contains("[3] do not point into shape [3]"), "{text}");
    }
    assert_eq!(floats(&v)?, [1.0, 2.0, 3.0]);
    let e = v.sparse_read(&tensor![0, 7]).unwrap_err();
    assert!(e.message().contains("index 7 at position 1 is not in [0, 3)"), "{e}");
    assert!(v.gather_nd(&tensor![[-1]]).is_err());
    Ok(())
}

#[test]
fn integers_are_divided_towards_zero_and_not_by_zero() -> Result<()> {
    let v = Variable::new([7, -7])?;
    let by = |updates: Tensor| IndexedSlices::new(&updates, &tensor![0, 1], [2]);
    v.scatter_div(&by(tensor![2, 2])?)?;
    assert_eq!(v.read()?.to_vec::<i32>()?, [3, -3]);
    let e = v.scatter_div(&by(tensor![1, 0])?).unwrap_err();
    assert!(e.message().contains("division by zero"), "{e}");
    assert_eq!(v.read()?.to_vec::<i32>()?, [3, -3]);
    Ok(())
}

#[test]
fn writes_of_parts_and_reads_are_in_program_order() -> Result<()> {
    let v = Variable::new([1.0f32, 2.0])?;
    let f = function(|| {
        let before = v.sparse_read(&tensor![0])?;
        v.scatter_nd_update(&tensor![[0]], [5.0])?;
        let between = v.gather_nd(&tensor![[0]])?;
        v.scatter_nd_add(&tensor![[0]], [1.0])?;
        Ok((before, between, v.sparse_read(&tensor![0])?))
    });
    let (a, b, c) = f.call()?;
    assert_eq!([a, b, c].map(|t| t.item::<f32>().unwrap()), [1.0, 5.0, 6.0]);
    Ok(())
}

#[test]
fn a_sparse_read_has_a_gradient_of_slices() -> Result<()> {
    let v = Variable::new([[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
    let tape = GradientTape::new();
    let g = tape.gradient(&v.sparse_read(&tensor![2, 2])?.square()?, &v)?;
    let slices = g.slices_of(&v)?.unwrap();
    assert_eq!(slices.indices().to_vec::<i32>()?, [2, 2]);
    assert_eq!(slices.values().to_vec::<f32>()?, [10.0, 12.0, 10.0, 12.0]);
    Ok(())
}

#[test]
fn slices_of_a_batch_are_written_each_in_its_value() -> Result<()> {
    let start = Tensor::from_vec(vec![0.0f32; 12]).reshape((2, 3, 2))?;
    let write = |v: &Variable| {
        let updates = tensor![[[1.0f32, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]];
        v.batch_scatter_update(&tensor![[2, 0], [1, 1]], &updates)
    };
    let want = [3.0, 4.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 7.0, 8.0, 0.0, 0.0];
    assert_eq!(both_ways(&start, write)?, want);
    Ok(())
}

#[test]
fn parts_that_do_not_fit_are_refused() -> Result<()> {
    let v = Variable::new([1.0f32, 2.0])?;
    assert!(v.scatter_nd_add(&tensor![[0], [1]], [1.0, 2.0, 3.0]).is_err());
    assert!(v.scatter_nd_add(&tensor![[0, 0]], [1.0]).is_err());
    assert!(v.scatter_nd_add(&tensor![[0]], tensor![1i64]).is_err());
    assert!(v.scatter_nd_add(&tensor![[0.0f32]], [1.0]).is_err());
    let single = Variable::new(1.0f32)?;
    let nowhere = Tensor::from_vec(vec![0i32]);
    assert!(single.scatter_nd_add(&nowhere, 1.0).is_err());
    let empty = Variable::uninitialized(shape![?], f32)?;
    let e = empty.scatter_nd_add(&tensor![[0]], [1.0]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::FailedPrecondition);
    Ok(())
}
