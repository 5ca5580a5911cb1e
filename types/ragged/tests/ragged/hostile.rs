//! Input that is wrong, empty, odd or huge.

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RaggedTensorSpec, Trim};

fn message<T: std::fmt::Debug>(found: Result<T>) -> String {
    found.unwrap_err().message().to_owned()
}

#[test]
fn one_row_does_not_spoil_another() -> Result<()> {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for odd in [inf, -inf, nan, 1e308] {
        let x = RaggedTensor::from_rows(&[vec![1.0, 3.0], vec![odd, odd], vec![2.0]])?;
        for (name, found) in [
            ("variance", ops::reduce_variance(&x, 1, false)?),
            ("std", ops::reduce_std(&x, 1, false)?),
            ("sum", ops::reduce_sum(&x, 1, false)?),
            ("mean", ops::reduce_mean(&x, 1, false)?),
            ("prod", ops::reduce_prod(&x, 1, false)?),
            ("logsumexp", ops::reduce_logsumexp(&x, 1, false)?),
        ] {
            let clean = RaggedTensor::from_rows(&[vec![1.0, 3.0], vec![0.0], vec![2.0]])?;
            let want = match name {
                "variance" => ops::reduce_variance(&clean, 1, false)?,
                "std" => ops::reduce_std(&clean, 1, false)?,
                "sum" => ops::reduce_sum(&clean, 1, false)?,
                "mean" => ops::reduce_mean(&clean, 1, false)?,
                "prod" => ops::reduce_prod(&clean, 1, false)?,
                _ => ops::reduce_logsumexp(&clean, 1, false)?,
            };
            let (found, want) =
                (found.flat_values.to_vec::<f64>()?, want.flat_values.to_vec::<f64>()?);
            for row in [0, 2] {
                assert!(
                    (found[row] - want[row]).abs() < 1e-9,
                    "{name} of {odd}: {found:?}, not {want:?}"
                );
            }
        }
        let found = x.cumsum(1, false, false)?.to_rows::<Vec<f64>>()?;
        assert_eq!((&found[0][..], &found[2][..]), (&[1.0, 4.0][..], &[2.0][..]));
        let found = ops::softmax(&x)?.to_rows::<Vec<f64>>()?;
        assert_eq!(found[2], [1.0]);
        let slopes = grad(|x: &RaggedTensor| {
            ops::reduce_max(x, 1, false)?.reduce_sum(.., false)?.into_tensor()
        })(&x)?;
        assert_eq!(slopes.to_rows::<Vec<f64>>()?[0], [0.0, 1.0], "{odd}");
        let slopes = slopes.to_rows::<Vec<f64>>()?;
        assert!(slopes[1].iter().all(|x| x.is_finite()), "{odd}: {slopes:?}");
    }
    Ok(())
}

#[test]
fn one_long_row_among_many_needs_no_square() -> Result<()> {
    // Filled up, these would be 10^10 numbers.
    let mut lengths = vec![1i64; 100_000];
    lengths[7] = 100_000;
    let n: i64 = lengths.iter().sum();
    let x = RaggedTensor::from_row_lengths(ops::ones([n], f32)?, Tensor::from_vec(lengths))?;
    assert_eq!(x.reduce_sum(1, false)?.reduce_max(.., false)?.into_tensor()?.item::<f32>()?, 1e5);
    let running = x.cumsum(1, false, false)?;
    assert_eq!(running.reduce_max(.., false)?.into_tensor()?.item::<f32>()?, 1e5);
    let running = x.cumprod(-1, true, true)?;
    assert_eq!(running.reduce_sum(.., false)?.into_tensor()?.item::<f32>()?, n as f32);
    assert_eq!(ops::sort(&x, ..)?.flat_values.len(), n as usize);
    let e = x.to_tensor(0.0, Shape::unknown());
    assert!(e.is_err() || e?.shape() == shape![100_000, 100_000]);
    Ok(())
}

#[test]
fn rows_that_do_not_fit_are_named() -> Result<()> {
    let x = RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0]])?;
    let y = RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![1.0], vec![]])?;
    for found in [message(ops::add(&x, &y)), message(ops::select(x.greater(0.0)?, &x, &y))] {
        assert!(found.contains("row 1 has the lengths 0 and 1"), "{found}");
    }
    let add = function(|x: &RaggedTensor, y: &RaggedTensor| ops::add(x, y));
    let found = message(add.call(&x, &y));
    assert!(found.contains("row 1 has the lengths 0 and 1"), "{found}");
    let few = RaggedTensor::from_rows(&[vec![1.0f32]])?;
    let found = message(ops::concat(&[&x, &few], 1));
    assert!(found.contains("1 rows") && found.contains("3"), "{found}");
    let found = message(ops::add(&x, tensor![[1.0f32, 2.0], [1.0, 2.0], [1.0, 2.0]]));
    assert!(found.contains("row 1 has the length"), "{found}");
    Ok(())
}

#[test]
fn wrong_partitions_are_refused_when_a_trace_runs() -> Result<()> {
    let vector = |dtype| TensorSpec::new(shape![?], dtype);
    let values = Tensor::from_vec(vec![1.0f32, 2.0, 3.0]);
    let of_splits = function(|x: &Tensor, s: &Tensor| RaggedTensor::from_row_splits(x, s));
    of_splits.concrete(&vector(DType::F32), &vector(DType::I64))?;
    for (splits, want) in [
        (vec![1i64, 3], "row 0"),
        (vec![0, 2, 1, 3], "row 1"),
        (vec![0, 2], "ends at 2"),
        (vec![0, 4], "ends at 4"),
        (vec![], "at least one"),
    ] {
        let found = message(of_splits.call(&values, &Tensor::from_vec(splits.clone())));
        assert!(found.contains(want), "{splits:?}: {found}");
    }
    let of_ids = function(|x: &Tensor, s: &Tensor| {
        RaggedTensor::from_value_rowids(x, s, Some(&scalar(2i64)))
    });
    of_ids.concrete(&vector(DType::F32), &vector(DType::I64))?;
    for (ids, want) in [
        (vec![0i64, 1, 2], "not in [0, 2)"),
        (vec![1, 0, 1], "comes after"),
        (vec![-1, 0, 1], "not in [0, 2)"),
        (vec![0, 1], "3"),
    ] {
        let found = message(of_ids.call(&values, &Tensor::from_vec(ids.clone())));
        assert!(found.contains(want), "{ids:?}: {found}");
    }
    let trimmed = function(|x: &Tensor, n: &Tensor| {
        RaggedTensor::from_tensor(x, Trim::Lengths(n.clone()), 1)
    });
    trimmed.concrete(&TensorSpec::new(shape![?, ?], DType::F32), &vector(DType::I64))?;
    let dense = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    assert_eq!(trimmed.call(&dense, &tensor![1i64, 0, 2])?.to_string(), "[[1.0], [], [5.0, 6.0]]");
    for lengths in [vec![1i64, 2], vec![1, 2, 1, 1]] {
        assert!(trimmed.call(&dense, &Tensor::from_vec(lengths.clone())).is_err(), "{lengths:?}");
    }
    assert_eq!((of_splits.trace_count(), of_ids.trace_count(), trimmed.trace_count()), (1, 1, 1));
    Ok(())
}

#[test]
fn nothing_is_a_ragged_tensor_too() -> Result<()> {
    let none = RaggedTensor::from_row_splits(Tensor::from_vec(Vec::<f64>::new()), [0i64])?;
    let empty = RaggedTensor::from_rows(&[Vec::<f64>::new(), vec![]])?;
    for (x, rows) in [(&none, 0), (&empty, 2)] {
        let all: Vec<(&str, Result<RaggedTensor>)> = vec![
            ("add", ops::add(x, x)),
            ("sum", x.reduce_sum(1, false)),
            ("mean", x.reduce_mean(1, false)),
            ("max", x.reduce_max(1, true)),
            ("variance", ops::reduce_variance(x, 1, false)),
            ("softmax", ops::softmax(x)),
            ("sort", ops::sort(x, ..)),
            ("top_k", ops::top_k(x, 3).map(|(x, _)| x)),
            ("cumsum", x.cumsum(1, false, false)),
            ("concat", ops::concat(&[x, x], 1)),
            ("reverse", ops::reverse(x, [0, 1])),
            ("expand_dims", ops::expand_dims(x, 2)),
            ("part", x.get((.., 1..))),
            ("gather", ops::gather(x, Tensor::from_vec((0..rows).collect::<Vec<i64>>()), 0)),
            ("mask", x.boolean_mask(&x.map_flat_values(|x| x.is_nan())?)),
            ("to_tensor", RaggedTensor::from_dense(x.to_tensor(0.0, Shape::unknown())?)),
            ("tile", ops::tile(x, tensor![1, 2])),
        ];
        for (name, found) in all {
            let found = found.map_err(|e| e.prefixed(name))?;
            assert_eq!(found.nrows()?.item::<i64>()?, rows, "{name}");
        }
        let slopes =
            grad(|x: &RaggedTensor| ops::softmax(x)?.reduce_sum(.., false)?.into_tensor())(x)?;
        assert_eq!(slopes.flat_values.len(), 0);
        // Columns of nothing are none.
        assert_eq!(x.reduce_sum(0, false)?.into_tensor()?.shape(), shape![0]);
    }
    Ok(())
}

#[test]
fn traces_serve_other_numbers_of_rows() -> Result<()> {
    let f = function(|x: &RaggedTensor| {
        let y = ops::concat(&[x, &(x * 2.0)], 1)?;
        let y = ops::softmax(ops::gather(&y, x.nrows()?.reshape([1])? - 1, 0)?)?;
        y.to_tensor(0.0, Shape::unknown())
    });
    f.concrete(&RaggedTensorSpec::new(shape![?, ?], DType::F32)?)?;
    for n in 1..6 {
        let rows: Vec<Vec<f32>> = (0..n).map(|i| vec![0.0; i + 1]).collect();
        let found = f.call(&RaggedTensor::from_rows(&rows)?)?;
        assert_eq!(found.shape(), shape![1, 2 * n]);
    }
    assert_eq!(f.trace_count(), 1);
    // Without a spec the second number of rows relaxes the type, where that is asked for.
    let g = function(|x: &RaggedTensor| x.reduce_sum(1, false)?.into_tensor()).reduce_retracing();
    for n in 1..8 {
        let rows: Vec<Vec<f32>> = (0..n).map(|i| vec![1.0; i]).collect();
        let _ = g.call(&RaggedTensor::from_rows(&rows)?)?;
    }
    assert_eq!(g.trace_count(), 2);
    Ok(())
}

#[test]
fn many_rows_print_in_short() -> Result<()> {
    let x = RaggedTensor::from_row_lengths(
        ops::range(0i64, 5000i64, 1i64)?,
        [2, 0, 4990, 1, 3, 0, 2, 2],
    )?;
    assert_eq!(
        x.to_string(),
        "[[0, 1], [], [2, 3, 4, ..., 4989, 4990, 4991], ..., [], [4996, 4997], [4998, 4999]]"
    );
    Ok(())
}
