//! Partitions, specs, stacks.

use extype::prelude::*;
use extype::spec::{AnySpec, stack_values, unstack_values};
use extype_ragged::{RaggedTensor, RaggedTensorSpec, RowPartition};

#[test]
fn all_that_tells_rows_tells_the_same_rows() -> Result<()> {
    for dtype in [DType::I32, DType::I64] {
        let given = |list: &[i64]| Tensor::from_slice(list, &[list.len()])?.cast(dtype);
        let made = [
            RowPartition::from_splits(given(&[0, 2, 2, 5])?)?,
            RowPartition::from_lengths(given(&[2, 0, 3])?)?,
            RowPartition::from_starts(given(&[0, 2, 2])?, 5)?,
            RowPartition::from_limits(given(&[2, 2, 5])?)?,
            RowPartition::from_value_rowids(given(&[0, 0, 2, 2, 2])?, None)?,
        ];
        let ints = |t: Tensor| t.cast(DType::I64)?.to_vec::<i64>();
        for rows in made {
            assert_eq!(rows.dtype(), dtype);
            assert_eq!(ints(rows.splits().clone())?, [0, 2, 2, 5]);
            // Asked twice, since answers are kept.
            for _ in 0..2 {
                assert_eq!(ints(rows.lengths()?)?, [2, 0, 3]);
                assert_eq!(ints(rows.value_rowids()?)?, [0, 0, 2, 2, 2]);
            }
            assert_eq!(ints(rows.starts()?)?, [0, 2, 2]);
            assert_eq!(ints(rows.limits()?)?, [2, 2, 5]);
            assert_eq!((ints(rows.nrows()?)?, ints(rows.nvals()?)?), (vec![3], vec![5]));
            assert_eq!(rows.lengths()?.dtype(), dtype);
            assert_eq!(rows.value_rowids()?.dtype(), dtype);
        }
        let even = RowPartition::from_uniform_row_length(
            0,
            given(&[0])?.reshape([0i64; 0])?,
            Some(&scalar(3)),
        )?;
        assert_eq!(
            (ints(even.splits().clone())?, ints(even.lengths()?)?),
            (vec![0; 4], vec![0; 3])
        );
    }
    let e = RowPartition::from_uniform_row_length(0, 0i64, Some(&scalar(-3))).unwrap_err();
    assert_eq!(e.message(), "the number of rows is -3");
    let none = RowPartition::from_value_rowids(Vec::<i64>::new(), None)?;
    assert_eq!(none.splits().as_slice::<i64>()?, &[0]);
    Ok(())
}

#[test]
fn what_is_kept_in_a_trace_does_not_leave_it() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1.0f32], vec![2.0, 3.0]])?;
    let f = function({
        let r = r.clone();
        move |x: &Tensor| {
            let rows = r.row_lengths(1)?.into_tensor()?.cast(DType::F32)?;
            let ids = r.value_rowids()?.reduce_sum(.., false)?.cast(DType::F32)?;
            ops::add(&ops::add(x, &rows)?, &ids)
        }
    });
    for _ in 0..2 {
        assert_eq!(f.call(&scalar(1.0f32))?.as_slice::<f32>()?, &[4.0, 5.0]);
        assert_eq!(r.row_lengths(1)?.into_tensor()?.as_slice::<i64>()?, &[1, 2]);
        assert_eq!(r.value_rowids()?.as_slice::<i64>()?, &[0, 1, 1]);
    }
    Ok(())
}

#[test]
fn bad_rows_are_refused_when_a_trace_runs() -> Result<()> {
    let sums = function(|values: &Tensor, splits: &Tensor| {
        RaggedTensor::from_row_splits(values, splits)?.row_sum()
    });
    let any = (TensorSpec::of::<f32>(shape![?]), TensorSpec::of::<i64>(shape![?]));
    let any = sums.concrete(&any.0, &any.1)?;
    let values = tensor![1.0f32, 2.0, 3.0];
    let of = |splits: &[i64]| any.call_flat(&[values.clone(), Tensor::from_vec(splits.to_vec())]);
    assert_eq!(of(&[0, 1, 3])?[0].as_slice::<f32>()?, &[1.0, 5.0]);
    for (splits, text) in [
        (&[1i64, 3][..], "row 0: row splits start at 0, not at 1"),
        (&[0, 2, 1, 3], "row 1: row splits decrease from 2 to 1"),
        (&[0, 2], "row 0: the last row ends at 2, but there are 3 values"),
        (&[], "row splits have at least one entry"),
    ] {
        let e = of(splits).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::InvalidArgument);
        assert!(e.message().contains(text), "{e}");
    }
    Ok(())
}

#[test]
fn values_put_together_wrongly_are_refused_and_printed() {
    let rows = RowPartition::from_lengths([2i64, 2]).unwrap();
    let wrong = RaggedTensor { flat_values: tensor![1, 2], partitions: vec![rows] };
    assert!(wrong.check().unwrap_err().message().contains("row 1: the last row ends at 4"));
    assert!(wrong.to_string().starts_with("RaggedTensor("));
    assert!(wrong.to_rows::<Vec<i32>>().is_err());
    let narrow = RowPartition::from_lengths(tensor![2i32]).unwrap();
    let wide = RowPartition::from_lengths(tensor![1i64, 1]).unwrap();
    let e = RaggedTensor::new([1, 2], vec![narrow, wide]).unwrap_err();
    assert!(e.message().contains("partitions[1]") && e.message().contains("int64"), "{e}");
}

#[test]
fn the_spec_has_tensorflows_laws() -> Result<()> {
    let of = |shape: Shape, rank| RaggedTensorSpec::with_ragged_rank(shape, DType::F32, rank);
    let (any, two) = (of(shape![?, ?], 1)?, of(shape![2, ?], 1)?);
    assert!(two.is_subtype_of(&any) && !any.is_subtype_of(&two) && any.is_compatible_with(&two));
    assert_eq!(two.most_specific_common_supertype(&of(shape![3, ?], 1)?), Some(any.clone()));
    let other_rank = of(shape![?, ?, 3], 1)?;
    let both = two.most_specific_common_supertype(&other_rank).unwrap();
    assert_eq!((both.shape, both.ragged_rank), (Shape::unknown(), 1));
    assert_eq!(two.most_specific_common_supertype(&of(shape![2, ?, ?], 2)?), None);
    let narrow = two.clone().with_row_splits_dtype(DType::I32)?;
    assert!(!narrow.is_compatible_with(&two) && narrow != two);
    assert!(two.clone().with_row_splits_dtype(DType::F32).is_err());
    // Stacks, and back, also of what is left when all axes are gone.
    for spec in [any, two.clone(), other_rank, of(shape![2, 3], 0)?, of(shape![], -1)?] {
        let stack = spec.stacked(4.into())?;
        assert_eq!(stack.shape, spec.shape.insert(0, 4.into()));
        assert_eq!(stack.unstacked()?, spec);
        assert_eq!(RaggedTensorSpec::deserialize(&spec.serialize()?)?, spec);
        assert_eq!(RaggedTensorSpec::from_any(&spec.to_any())?, spec);
    }
    assert!(of(shape![], -1)?.unstacked().is_err());
    assert!(of(shape![2], 1).is_err() && RaggedTensorSpec::new(shape![], DType::F32).is_ok());
    assert_eq!(
        two.to_string(),
        "RaggedTensorSpec(shape=[2, ?], dtype=float32, ragged_rank=1, row_splits_dtype=int64)"
    );
    let parts = of(shape![5, ?, ?, 3], 2)?.component_specs();
    let wanted = [
        TensorSpec::of::<f32>(shape![?, 3]),
        TensorSpec::of::<i64>(shape![6]),
        TensorSpec::of::<i64>(shape![?]),
    ];
    assert_eq!(parts, wanted.map(|s| s.to_any()));
    Ok(())
}

#[test]
fn a_uniform_length_is_part_of_the_type_and_known_in_a_trace() -> Result<()> {
    let r = RaggedTensor::from_uniform_row_length([1.0f32, 2.0, 3.0, 4.0], 2, None)?;
    let f = function(|r: &RaggedTensor| {
        assert_eq!(r.shape(), shape![2, 2]);
        Ok(r.clone())
    });
    let back = f.call(&r)?;
    assert_eq!(
        (back.shape(), back.to_string().as_str()),
        (shape![2, 2], "[[1.0, 2.0], [3.0, 4.0]]")
    );
    let ragged = RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![3.0, 4.0]])?;
    assert_eq!(ragged.shape(), shape![2, ?]);
    assert!(r.type_spec().is_subtype_of(&ragged.type_spec()));
    Ok(())
}

#[test]
fn rows_of_tensors_of_any_length_stack_to_ragged_rows() -> Result<()> {
    let rows = [vec![1i64, 2], vec![], vec![3]];
    let plain = rows.iter().map(RaggedTensor::from_dense).collect::<Result<Vec<_>>>()?;
    let stack = stack_values(&plain)?;
    assert_eq!((stack.to_string().as_str(), stack.ragged_rank()), ("[[1, 2], [], [3]]", 1));
    let deep = stack_values(&[stack.clone(), stack.clone()])?;
    assert_eq!(deep.shape(), shape![2, 3, ?]);
    for (row, back) in rows.iter().zip(unstack_values(&stack)?) {
        assert_eq!(&back.to_rows::<i64>()?, row);
    }
    // A plain stack has plain elements, down to scalars.
    let matrix = RaggedTensor::from_dense([[1i64, 2], [3, 4]])?;
    let lines = unstack_values(&matrix)?;
    assert_eq!(lines[1].to_rows::<i64>()?, [3, 4]);
    let numbers = unstack_values(&lines[1])?;
    assert_eq!(numbers[0].clone().into_tensor()?.item::<i64>()?, 3);
    assert_eq!(stack_values(&numbers)?.to_rows::<i64>()?, [3, 4]);
    Ok(())
}

#[test]
fn boxes_have_as_many_axes_as_uniform_lengths_allow() -> Result<()> {
    let inner = RaggedTensor::from_rows(&[vec![1i64, 2], vec![], vec![3], vec![4, 5, 6]])?;
    let r = RaggedTensor::from_uniform_row_length(inner, 2, None)?;
    let spec = r.type_spec();
    for rank in 0..=2 {
        let boxed = spec.to_boxed_tensors(&r, rank)?;
        assert!(boxed.iter().all(|b| b.rank() == Some(rank)), "{rank}");
        assert_eq!(boxed.len(), spec.boxed_tensor_specs(rank)?.len());
        let back = spec.from_boxed_tensors(boxed)?;
        assert_eq!((back.to_string(), back.shape()), (r.to_string(), r.shape()), "{rank}");
    }
    let rows = RaggedTensor::from_rows(&[vec![vec![1i64]], vec![vec![2], vec![3]]])?;
    let e = rows.type_spec().to_boxed_tensors(&rows, 2).unwrap_err();
    assert!(e.message().contains("row 0 has 1, row 1 has 2"), "{e}");
    // Rows of values in boxes of their own.
    let even = RaggedTensor::from_uniform_row_length([1i64, 2, 3, 4], 2, None)?;
    let boxed = even.type_spec().to_boxed_tensors(&even, 2)?;
    assert_eq!(boxed[0].shape(), shape![2, 2]);
    let back = even.type_spec().from_boxed_tensors(boxed)?;
    assert_eq!((back.to_string(), back.shape()), (even.to_string(), even.shape()));
    Ok(())
}

#[test]
fn nested_lists_of_texts_and_uniform_axes_come_back() -> Result<()> {
    let words = vec![vec!["a".to_owned(), "bc".to_owned()], vec![], vec!["d".to_owned()]];
    let r = RaggedTensor::from_rows(&words)?;
    assert_eq!((r.dtype(), r.to_rows::<Vec<String>>()?), (DType::String, words));
    let pairs = RaggedTensor::from_row_lengths([[1i64, 2], [3, 4], [5, 6]], [1, 2])?;
    let wanted = vec![vec![vec![1, 2]], vec![vec![3, 4], vec![5, 6]]];
    assert_eq!(pairs.to_rows::<Vec<Vec<i64>>>()?, wanted);
    let none = RaggedTensor::from_dense(Tensor::from_slice::<i64>(&[], &[2, 0])?)?;
    assert_eq!(none.to_rows::<Vec<i64>>()?, vec![Vec::<i64>::new(); 2]);
    Ok(())
}

#[test]
fn axes_are_merged() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![3]], vec![], vec![vec![4]]])?;
    let text = |a, b| Ok::<_, Error>(r.merge_dims(a, b)?.to_string());
    assert_eq!(text(0, 2)?, "[1, 2, 3, 4]");
    assert_eq!(text(1, -1)?, "[[1, 2, 3], [], [4]]");
    assert_eq!(text(1, 1)?, r.to_string());
    assert!(r.merge_dims(2, 1).is_err() && r.merge_dims(0, 3).is_err());
    let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!(pairs.merge_dims(1, 2)?.to_string(), "[[1, 2], [3, 4, 5, 6]]");
    assert_eq!(pairs.merge_dims(0, 1)?.to_string(), "[[1, 2], [3, 4], [5, 6]]");
    let f = function(|r: &RaggedTensor| r.merge_dims(1, 2));
    let spec = RaggedTensorSpec::with_ragged_rank(shape![?, ?, ?], DType::I32, 1)?;
    let found = f.concrete(&spec)?.call_flat(&nest::flatten(&pairs))?;
    assert_eq!(found[1].as_slice::<i64>()?, &[0, 2, 6]);
    let cube =
        RaggedTensor::from_row_lengths(ops::reshape(ops::range(0, 8, 1)?, [2, 2, 2])?, [2i64])?;
    assert_eq!(cube.merge_dims(1, 3)?.to_string(), "[[0, 1, 2, 3, 4, 5, 6, 7]]");
    assert_eq!(cube.merge_dims(2, 3)?.shape(), shape![1, ?, 4]);
    Ok(())
}

#[test]
fn dense_rows_are_cut_at_every_level() -> Result<()> {
    use extype_ragged::Trim;
    let cube = ops::reshape(ops::range(0i64, 12, 1)?, [2, 3, 2])?;
    let of = |trim, rank| Ok::<_, Error>(RaggedTensor::from_tensor(&cube, trim, rank)?);
    let whole = of(Trim::Nothing, 2)?;
    assert_eq!(whole.shape(), shape![2, 3, 2]);
    assert_eq!(whole.to_tensor(0, Shape::unknown())?.to_vec::<i64>()?, (0..12).collect::<Vec<_>>());
    let nested = Trim::NestedLengths(vec![tensor![1i64, 2], tensor![2i64, 0, 1]]);
    assert_eq!(of(nested, 2)?.to_string(), "[[[0, 1]], [[], [8]]]");
    assert_eq!(
        of(Trim::Lengths(tensor![0, 1, 2, 9, -1, 1]), 2)?.to_string(),
        "[[[], [2], [4, 5]], [[6, 7], [], [10]]]"
    );
    assert_eq!(
        of(Trim::Padding(tensor![4i64, 5]), 1)?.to_string(),
        "[[[0, 1], [2, 3]], [[6, 7], [8, 9], [10, 11]]]"
    );
    assert!(of(Trim::Nothing, 3).is_err() && of(Trim::Nothing, 0).is_err());
    let e = of(Trim::NestedLengths(vec![tensor![1i64, 2]]), 2).unwrap_err();
    assert!(e.message().contains("lengths of 1 levels"), "{e}");
    let e = of(Trim::NestedLengths(vec![tensor![1i64, 2], tensor![2i64, 3, 1]]), 2).unwrap_err();
    assert!(e.message().contains("level 1: row 1 has the length 3"), "{e}");
    Ok(())
}

#[test]
fn a_filler_fits_the_values() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1.0f32], vec![]])?;
    assert_eq!(r.to_tensor(2, Shape::unknown())?.as_slice::<f32>()?, &[1.0, 2.0]);
    assert!(r.to_tensor(scalar(2i32), Shape::unknown()).is_err());
    let ints = RaggedTensor::from_rows(&[vec![1i32]])?;
    assert!(ints.to_tensor(0.5, Shape::unknown()).is_err());
    assert_eq!(ints.to_tensor(0, shape![2, 2])?.as_slice::<i32>()?, &[1, 0, 0, 0]);
    assert!(ints.to_tensor(0, shape![2]).is_err());
    let words = RaggedTensor::from_rows(&[vec!["a".to_owned()], vec![]])?;
    assert_eq!(words.to_tensor("-", Shape::unknown())?.to_strings()?, ["a", "-"]);
    let any: AnySpec = words.type_spec().to_any();
    assert!(any.to_string().contains("string"));
    Ok(())
}
