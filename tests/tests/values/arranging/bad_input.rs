//! Wrong uses: each is a clear `Err` that names the op, what is wrong, and where.

use std::fmt::Debug;

use ErrorKind::InvalidArgument;
use extype::ops::{BincountOptions, Direction, OffValue, OnValue, Side};
use extype::prelude::*;

/// An error of this kind that has all these parts.
#[track_caller]
pub(crate) fn refused<T: Debug>(result: Result<T>, kind: ErrorKind, parts: &[&str]) {
    let e = result.unwrap_err();
    let text = e.to_string();
    assert_eq!(e.kind(), kind, "{text}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

fn zeros(sizes: &[usize]) -> Tensor {
    Tensor::from_slice(&vec![0.0f32; sizes.iter().product()], sizes).unwrap()
}

#[test]
fn more_elements_than_there_are() {
    let x = zeros(&[2, 3]);
    refused(x.top_k(4), InvalidArgument, &["top_k", "4", "3", "bad_input.rs"]);
    refused(x.top_k(-1), InvalidArgument, &["top_k", "-1", "negative"]);
    refused(x.top_k(usize::MAX), InvalidArgument, &["top_k", "int32"]);
    refused(x.top_k(tensor![1, 2]), InvalidArgument, &["top_k", "[2]"]);
    refused(zeros(&[]).top_k(1), InvalidArgument, &["top_k", "rank"]);
    refused(tensor![true].top_k(1), InvalidArgument, &["top_k", "bool"]);
    refused(x.nth_element(3, false), InvalidArgument, &["nth_element", "`n` = 3", "has 3"]);
    refused(x.nth_element(-1, true), InvalidArgument, &["nth_element", "-1", "negative"]);
    refused(x.nth_element(tensor![1, 2], true), InvalidArgument, &["nth_element", "[2]"]);
    refused(zeros(&[]).nth_element(0, true), InvalidArgument, &["nth_element", "rank"]);
    refused(zeros(&[2, 0]).nth_element(0, true), InvalidArgument, &["nth_element", "has 0"]);
    refused(tensor![true].nth_element(0, false), InvalidArgument, &["nth_element", "bool"]);
}

#[test]
fn what_has_no_order_is_not_sorted() {
    let up = Direction::Ascending;
    let numbers = tensor![num_complex::Complex::new(1.0f32, 2.0)];
    refused(numbers.sort((0, up)), InvalidArgument, &["sort", "complex64"]);
    refused(zeros(&[]).argsort((0, up)), InvalidArgument, &["argsort", "scalar"]);
    refused(zeros(&[2, 3]).sort((2, up)), InvalidArgument, &["sort", "axis 2", "rank 2"]);
    let r = ops::searchsorted(zeros(&[2, 3]), zeros(&[3, 3]), (Side::Left, DType::I32));
    refused(r, InvalidArgument, &["searchsorted", "[2, 3]", "[3, 3]"]);
    let r = ops::searchsorted(zeros(&[3]), tensor![1], (Side::Right, DType::I32));
    refused(r, InvalidArgument, &["searchsorted", "float32", "int32"]);
    let r = ops::searchsorted(zeros(&[3]), zeros(&[3]), (Side::Right, DType::U8));
    refused(r, InvalidArgument, &["searchsorted", "uint8"]);
    refused(
        zeros(&[2]).bucketize([2.0f32, 1.0]),
        InvalidArgument,
        &["bucketize", "[2.0, 1.0]", "sorted"],
    );
}

#[test]
fn distinct_elements_are_those_of_a_vector() {
    refused(zeros(&[2, 2]).unique(), InvalidArgument, &["unique", "[2, 2]"]);
    refused(zeros(&[2, 2]).unique_along(2), InvalidArgument, &["unique_along", "axis 2", "rank 2"]);
    refused(zeros(&[2, 2]).list_diff(&zeros(&[2])), InvalidArgument, &["list_diff", "[2, 2]"]);
    let two = ops::UniqueV2 { out_idx: DType::I32, axis: [0, 1].into() };
    refused(
        two.run_as::<Vec<Tensor>>(&[&zeros(&[2, 2])]),
        InvalidArgument,
        &["unique_along", "[0, 1]"],
    );
    let complex = zeros(&[2]).cast(DType::Complex64).unwrap();
    refused(complex.unique(), InvalidArgument, &["unique", "complex64"]);
}

#[test]
fn indices_and_their_sizes() {
    let ids = tensor![0, 1];
    refused(ids.one_hot(-1, ..), InvalidArgument, &["one_hot", "-1", "negative"]);
    refused(ids.one_hot(3, 2), InvalidArgument, &["one_hot", "axis 2", "rank 2"]);
    refused(ids.one_hot(3, (OnValue(&zeros(&[1])), 0)), InvalidArgument, &["one_hot", "[1]"]);
    refused(ids.one_hot(3, (i32, OffValue(0.5))), InvalidArgument, &["one_hot", "0.5", "int32"]);
    refused(zeros(&[1]).one_hot(3, i32), InvalidArgument, &["one_hot", "float32"]);
    let huge = Tensor::scalar(i32::MAX);
    let many =
        Tensor::from_slice(&[0i64; 4], &[1, 2, 2]).unwrap().broadcast_to([1 << 20, 2, 2]).unwrap();
    refused(many.one_hot(&huge, 0), ErrorKind::ResourceExhausted, &["one_hot"]);
    refused(tensor![2, 2, 1].invert_permutation(), InvalidArgument, &["invert_permutation", "2"]);
    refused(
        tensor![0, 3].invert_permutation(),
        InvalidArgument,
        &["invert_permutation", "3", "[0, 2)"],
    );
    refused(tensor![-1].invert_permutation(), InvalidArgument, &["invert_permutation", "-1"]);
    refused(
        tensor![6].unravel_index(&tensor![2, 3]),
        InvalidArgument,
        &["unravel_index", "6", "[2, 3]"],
    );
    refused(
        tensor![0].unravel_index(&tensor![2, 0]),
        InvalidArgument,
        &["unravel_index", "[2, 0]"],
    );
}

#[test]
fn parts_and_their_numbers() {
    let x = zeros(&[2, 3]);
    let r = x.dynamic_partition(&tensor![0, 3], 2);
    refused(r, InvalidArgument, &["dynamic_partition", "3", "position 1", "[0, 2)"]);
    refused(
        x.dynamic_partition(&tensor![0], 2),
        InvalidArgument,
        &["dynamic_partition", "[2, 3]", "[1]"],
    );
    refused(x.dynamic_partition(&tensor![0, 0], 0), InvalidArgument, &["dynamic_partition", "0"]);
    refused(
        x.dynamic_partition(&tensor![0i64, 0], 1),
        InvalidArgument,
        &["dynamic_partition", "int64"],
    );
    let ids = tensor![0, 1];
    refused(
        ops::dynamic_stitch(&[&ids], &[&x, &x]),
        InvalidArgument,
        &["dynamic_stitch", "1", "2"],
    );
    refused(ops::dynamic_stitch(&[], &[]), InvalidArgument, &["dynamic_stitch"]);
    refused(
        ops::dynamic_stitch(&[&tensor![-1, 0]], &[&x]),
        InvalidArgument,
        &["dynamic_stitch", "-1"],
    );
    let r = ops::dynamic_stitch(&[&ids, &ids], &[&x, &zeros(&[2, 4])]);
    refused(r, InvalidArgument, &["dynamic_stitch", "data 1", "[3]", "[4]"]);
}

#[test]
fn blocks_that_do_not_fit() {
    let x = zeros(&[1, 3, 2]);
    let r = x.space_to_batch([2], [[0, 0]]);
    refused(r, InvalidArgument, &["space_to_batch", "axis 1", "3", "2"]);
    refused(
        x.space_to_batch([0], [[0, 0]]),
        InvalidArgument,
        &["space_to_batch", "[0]", "positive"],
    );
    refused(
        x.space_to_batch([2], [[-1, 0]]),
        InvalidArgument,
        &["space_to_batch", "-1", "negative"],
    );
    refused(x.space_to_batch([1, 1], [[0, 0]]), InvalidArgument, &["space_to_batch", "[1, 2]"]);
    let r = x.space_to_batch([1, 1, 1], [[0, 0]; 3]);
    refused(r, InvalidArgument, &["space_to_batch", "3 block sizes", "rank 4"]);
    refused(x.batch_to_space([2], [[0, 0]]), InvalidArgument, &["batch_to_space", "axis 0", "2"]);
    refused(x.batch_to_space([1], [[2, 2]]), InvalidArgument, &["batch_to_space", "axis 1", "2"]);
    let huge = x.batch_to_space([i64::MAX, 4], [[0, 0]; 2]);
    refused(huge, ErrorKind::ResourceExhausted, &["batch_to_space"]);
    let image = zeros(&[1, 2, 2, 3]);
    refused(image.depth_to_space(2), InvalidArgument, &["depth_to_space", "axis 3", "4"]);
    refused(image.space_to_depth(3), InvalidArgument, &["space_to_depth", "axis 1", "3"]);
    refused(image.space_to_depth(1), InvalidArgument, &["space_to_depth", "1"]);
    refused(image.space_to_depth(i64::MAX), InvalidArgument, &["space_to_depth"]);
    refused(zeros(&[2, 2]).space_to_depth(2), InvalidArgument, &["space_to_depth", "rank"]);
    let channels_first = ops::SpaceToDepth { block_size: 2, data_format: "NCHW".to_owned() };
    refused(
        channels_first.run(&[&zeros(&[1, 1, 2, 2])]),
        ErrorKind::Unimplemented,
        &["space_to_depth", "NHWC"],
    );
}

#[test]
fn counts_and_their_bins() {
    let plain = BincountOptions::default();
    refused(ops::bincount(tensor![-1], plain.clone()), InvalidArgument, &["bincount", "-1"]);
    refused(ops::bincount(zeros(&[1]), plain.clone()), InvalidArgument, &["bincount", "float32"]);
    let weights = zeros(&[3]);
    let weighted = BincountOptions { weights: Some(weights), ..Default::default() };
    refused(ops::bincount(tensor![1], weighted), InvalidArgument, &["bincount", "[1]", "[3]"]);
    let by_row = BincountOptions { per_row: true, ..Default::default() };
    let deep = tensor![[[1]]];
    refused(ops::bincount(&deep, by_row), InvalidArgument, &["bincount", "[1, 1, 1]"]);
    let (a, b) = (tensor![0, 1], tensor![0, 2]);
    let r = ops::confusion_matrix(&a, &b, Some(2.into()), None, DType::I32);
    refused(r, InvalidArgument, &["out of range"]);
    let r = ops::confusion_matrix(&tensor![-1, 1], &b, None, None, DType::I32);
    refused(r, InvalidArgument, &["out of range"]);
    let r = ops::confusion_matrix(&a, &tensor![1], None, None, DType::I32);
    refused(r, InvalidArgument, &["confusion_matrix", "[2]", "[1]"]);
    let x = zeros(&[3]);
    let r = x.histogram_fixed_width(&tensor![2.0f32, 1.0], 4, DType::I32);
    refused(r, InvalidArgument, &["histogram_fixed_width", "[2, 1]"]);
    let r = x.histogram_fixed_width(&tensor![0.0f32, 1.0], 0, DType::I32);
    refused(r, InvalidArgument, &["histogram_fixed_width", "0"]);
    let r = x.histogram_fixed_width(&tensor![0.0f32], 1, DType::I32);
    refused(r, InvalidArgument, &["histogram_fixed_width", "[1]"]);
}

#[test]
fn grids_repeats_and_lines() {
    let x = zeros(&[2, 3]);
    refused(
        ops::repeat(&x, tensor![1, 2], Some(1)),
        InvalidArgument,
        &["repeat", "2", "3", "axis 1"],
    );
    refused(ops::repeat(&x, scalar(1.0f32), None), InvalidArgument, &["repeat", "float32"]);
    refused(ops::repeat(&x, scalar(1), Some(2)), InvalidArgument, &["repeat", "axis 2"]);
    refused(ops::repeat(&x, tensor![[1]], None), InvalidArgument, &["repeat", "[1, 1]"]);
    let huge = ops::repeat(&x, Tensor::scalar(i64::MAX / 2), None);
    assert!(huge.is_err());
    refused(ops::linspace(scalar(0.0f32), scalar(1.0f32), 0), InvalidArgument, &["linspace", "0"]);
    let r = ops::linspace_with(scalar(0.0f32), scalar(1.0f32), 2, 1);
    refused(r, InvalidArgument, &["linspace", "axis 1"]);
    let line = ops::LinSpace { num: 0.into() };
    refused(line.run(&[&scalar(0.0f32), &scalar(1.0f32)]), InvalidArgument, &["lin_space", "0"]);
    refused(line.run(&[&x, &scalar(1.0f32)]), InvalidArgument, &["lin_space", "[2, 3]"]);
    refused(ops::eye(usize::MAX, ..), ErrorKind::ResourceExhausted, &["eye"]);
    let words = Tensor::from_strings(&["a"], &[1]).unwrap();
    refused(
        ops::sequence_mask(&words, None, DType::Bool),
        InvalidArgument,
        &["sequence_mask", "string"],
    );
    let steps = ops::RaggedRange { splits_dtype: DType::I32 };
    let r = steps.run_as::<Vec<Tensor>>(&[&tensor![0, 0], &tensor![1, 1, 1], &scalar(1)]);
    refused(r, InvalidArgument, &["ragged_range", "limits", "[2]", "[3]"]);
    let r = steps.run_as::<Vec<Tensor>>(&[&scalar(0), &scalar(1), &scalar(0)]);
    refused(r, InvalidArgument, &["ragged_range", "zero"]);
}
