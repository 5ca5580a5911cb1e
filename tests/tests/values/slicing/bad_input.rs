//! Refusals name the op, the argument, the axis and both shapes.

use std::fmt::Debug;

use ErrorKind::{InvalidArgument, ResourceExhausted};
use extype::ops::{Index, MirrorMode, step};
use extype::prelude::*;

use super::{counted, floats};

/// The error is of this kind and its text has all these parts.
#[track_caller]
fn refused<T: Debug>(result: Result<T>, kind: ErrorKind, parts: &[&str]) {
    let e = result.unwrap_err();
    let text = e.to_string();
    assert_eq!(e.kind(), kind, "{text}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

#[test]
fn indices() {
    let x = counted(&[2, 3]);
    refused(x.index(2), InvalidArgument, &["index", "index 2", "axis 0", "size is 2"]);
    refused(x.index((0, -4)), InvalidArgument, &["index -4", "axis 1", "3"]);
    refused(x.index((0, 0, 0)), InvalidArgument, &["3 indices", "rank 2"]);
    refused(scalar(1.0f32).index(0), InvalidArgument, &["scalar"]);
    refused(x.index((Ellipsis, Ellipsis)), InvalidArgument, &["several ellipses"]);
    refused(x.index(step(.., 0)), InvalidArgument, &["stride", "axis 0", "zero"]);
    refused(x.index(usize::MAX), InvalidArgument, &["axis 0", "out of bounds"]);
    refused(x.index(tensor![0, 1]), InvalidArgument, &["scalar", "[2]", "take"]);
    refused(x.index(scalar(1.0f32)), InvalidArgument, &["integer", "float32"]);
    refused(x.index(vec![Index::NewAxis; 32]), InvalidArgument, &["31", "32"]);
}

#[test]
fn axes() {
    let x = counted(&[2, 3]);
    refused(x.reverse([2]), InvalidArgument, &["reverse", "axis 2", "rank 2"]);
    refused(x.reverse([0, -2]), InvalidArgument, &["reverse", "axis -2", "twice"]);
    refused(x.roll([1], [2]), InvalidArgument, &["roll", "axis 2", "rank 2"]);
    refused(x.roll([1, 2], [0]), InvalidArgument, &["roll", "[2]", "[1]"]);
    refused(scalar(1.0f32).roll([1], [0]), InvalidArgument, &["roll", "rank"]);
    refused(x.split(2, 5), InvalidArgument, &["split", "axis 5", "rank 2"]);
    refused(x.unstack(2, -3), InvalidArgument, &["unstack", "axis -3", "rank 2"]);
    let lengths = tensor![1i64, 2];
    refused(x.reverse_sequence(&lengths, 2, 0), InvalidArgument, &["`seq_dim` 2", "rank 2"]);
    refused(x.reverse_sequence(&lengths, -1, 0), InvalidArgument, &["`seq_dim` -1", "rank 2"]);
    refused(x.reverse_sequence(&lengths, 1, 1), InvalidArgument, &["`batch_dim`", "both 1"]);
}

#[test]
fn sizes_and_counts() {
    let x = counted(&[5, 2]);
    refused(x.split(2, 0), InvalidArgument, &["split", "axis 0", "size 5", "2 equal"]);
    refused(x.split(0, 0), InvalidArgument, &["split", "num_split"]);
    refused(ops::split_sizes(&x, [2, 2], 0), InvalidArgument, &["split_sizes", "[2, 2]", "size 5"]);
    refused(ops::split_sizes(&x, [-1, -1], 0), InvalidArgument, &["split_sizes", "only one", "-1"]);
    refused(ops::split_sizes(&x, [i64::MAX, i64::MAX], 0), InvalidArgument, &["split_sizes", "5"]);
    refused(ops::split_sizes(&x, [7, -2], 0), InvalidArgument, &["split_sizes", "-2"]);
    refused(ops::split_sizes(&x, [], 0), InvalidArgument, &["split_sizes", "0"]);
    refused(x.unstack(4, 0), InvalidArgument, &["unstack", "axis 0", "size 5", "4"]);
    refused(scalar(1.0f32).unstack(1, 0), InvalidArgument, &["unstack", "scalar"]);
    refused(x.tile([2, -1]), InvalidArgument, &["tile", "-1", "axis 1"]);
    refused(x.tile([i64::MAX, 1]), ResourceExhausted, &["tile", "axis 0"]);
    refused(x.tile([1i64 << 40, 1 << 40]), ResourceExhausted, &["tile"]);
    refused(
        x.reverse_sequence(&tensor![1i64, 3, 0, 0, 0], 1, 0),
        InvalidArgument,
        &["reverse_sequence", "length 3", "position 1", "size 2"],
    );
    refused(
        x.reverse_sequence(&tensor![1i64], 1, 0),
        InvalidArgument,
        &["reverse_sequence", "axis 0", "[5, 2]"],
    );
    refused(ops::add_n(&[] as &[Tensor]), InvalidArgument, &["add_n", "empty"]);
    refused(
        ops::add_n(&[&x, &counted(&[2])]),
        InvalidArgument,
        &["add_n", "input 1", "[5, 2]", "[2]"],
    );
    let shapes = (tensor![3, 2], tensor![2, 3]);
    refused(
        ops::broadcast_args(&shapes.0, &shapes.1),
        InvalidArgument,
        &["broadcast_args", "[3, 2]", "[2, 3]", "axis 0"],
    );
}

/// Sizes whose product is beyond all memory, but for a zero among them.
#[test]
fn empty_tensors_may_have_huge_sizes() {
    const HUGE: usize = 1 << 40;
    for dims in [[0, HUGE, HUGE], [HUGE, 0, HUGE], [HUGE, HUGE, 0]] {
        let x = Tensor::from_slice::<f32>(&[], &dims).unwrap();
        let same = |y: Result<Tensor>| assert_eq!(y.unwrap().shape(), x.shape());
        same(x.index(..));
        same(x.reverse([0, 1, 2]));
        same(x.roll([1, 2, 3], [0, 1, 2]));
        same(x.tile([1, 1, 1]));
        same(x.matrix_band_part(0, 0));
        same(x.mirror_pad([[0, 0]; 3], MirrorMode::Symmetric));
        same(x.tensor_scatter_nd_add(
            &Tensor::from_slice::<i64>(&[], &[0, 3]).unwrap(),
            &Tensor::from_slice::<f32>(&[], &[0]).unwrap(),
        ));
        let square = |x: &Tensor| x.index((step(.., -1), ..1, 0..));
        assert!(square(&x).unwrap().shape().num_elements() == Some(0));
        assert_eq!(grad(square)(&x).unwrap().shape(), x.shape());
    }
    let x = Tensor::from_slice::<f32>(&[], &[HUGE, 0]).unwrap();
    refused(x.unstack(HUGE, 0), ResourceExhausted, &["unstack", "num"]);
    refused(x.split(HUGE, 1), ResourceExhausted, &["split", "num_split"]);
    let long = x.mirror_pad([[HUGE as i64 - 1, 0], [0, 0]], MirrorMode::Reflect).unwrap();
    assert_eq!(long.shape(), Shape::from([2 * HUGE - 1, 0]));
}

#[test]
fn paddings() {
    let x = counted(&[3]);
    let reflect = MirrorMode::Reflect;
    refused(x.mirror_pad([[3, 0]], reflect), InvalidArgument, &["mirror_pad", "3", "axis 0", "2"]);
    let all = MirrorMode::Symmetric;
    refused(x.mirror_pad([[0, 4]], all), InvalidArgument, &["mirror_pad", "4", "axis 0", "size 3"]);
    refused(
        x.mirror_pad([[0, 0], [0, 0]], all),
        InvalidArgument,
        &["mirror_pad", "[2, 2]", "rank 1"],
    );
    refused(x.mirror_pad([[-1, 0]], all), InvalidArgument, &["mirror_pad", "-1", "negative"]);
    refused(x.pad_with(0.0, [[-1, 0]]), InvalidArgument, &["pad_with", "-1", "negative"]);
    refused(x.pad_with(0.0, [[i64::MAX, i64::MAX]]), ResourceExhausted, &["pad_with"]);
    refused(x.pad_with(&x, [[1, 0]]), InvalidArgument, &["pad_with", "scalar", "[3]"]);
    refused(tensor![1, 2].pad_with(1.5, [[1, 0]]), InvalidArgument, &["pad_with", "1.5", "int32"]);
}

#[test]
fn coordinates() {
    let x = counted(&[3, 2]);
    refused(
        x.gather_nd(&tensor![[0, 1], [0, 2]]),
        InvalidArgument,
        &["gather_nd", "indices[1] = [0, 2]", "[3, 2]"],
    );
    refused(
        x.gather_nd(&tensor![[0, 0, 0]]),
        InvalidArgument,
        &["gather_nd", "3 coordinates", "[3, 2]"],
    );
    refused(x.gather_nd(&scalar(0)), InvalidArgument, &["gather_nd", "indices"]);
    refused(x.gather_nd(&tensor![[0.0f32]]), InvalidArgument, &["gather_nd", "indices", "float32"]);
    let one = tensor![1.0f32];
    refused(
        ops::scatter_nd(tensor![[5]], &one, [3]),
        InvalidArgument,
        &["scatter_nd", "indices[0] = [5]", "[3]"],
    );
    refused(
        ops::scatter_nd(tensor![[0], [1]], counted(&[3]), [4]),
        InvalidArgument,
        &["scatter_nd", "updates", "[3]", "[2, 1]"],
    );
    refused(ops::scatter_nd(tensor![[0]], &one, [-1]), InvalidArgument, &["scatter_nd", "-1"]);
    refused(ops::scatter_nd(tensor![[0i64]], &one, [i64::MAX]), ResourceExhausted, &["scatter_nd"]);
    refused(ops::scatter_nd(tensor![[0]], &one, [0]), InvalidArgument, &["scatter_nd", "[0]"]);
    refused(
        x.tensor_scatter_nd_add(&tensor![[0]], &counted(&[2])),
        InvalidArgument,
        &["tensor_scatter_nd_add", "[2]", "[1, 1]", "[3, 2]", "[1, 2]"],
    );
    refused(
        x.tensor_scatter_nd_update(&tensor![[-1]], &counted(&[1, 2])),
        InvalidArgument,
        &["tensor_scatter_nd_update", "indices[0] = [-1]", "[3, 2]"],
    );
    refused(
        scalar(1.0f32).tensor_scatter_nd_add(&scalar(0), &one),
        InvalidArgument,
        &["tensor_scatter_nd_add", "tensor"],
    );
    let complex = x.cast(DType::Complex64).unwrap();
    refused(
        complex.tensor_scatter_nd_max(&tensor![[0]], &complex),
        InvalidArgument,
        &["tensor_scatter_nd_max", "complex64"],
    );
}

#[test]
fn diagonals() {
    let x = counted(&[2, 3]);
    let align = ops::DiagonalAlign::default();
    refused(
        x.matrix_diag_part(0.0, 5, align),
        InvalidArgument,
        &["matrix_diag_part", "diagonal 5", "[2, 3]", "-2", "3"],
    );
    refused(x.matrix_diag_part(0.0, [1, 0], align), InvalidArgument, &["`k`", "1", "0"]);
    refused(
        counted(&[2]).matrix_diag_part(0.0, 0, align),
        InvalidArgument,
        &["matrix_diag_part", "rank"],
    );
    refused(
        x.matrix_diag(0.0, [0, 2], -1, -1, align),
        InvalidArgument,
        &["matrix_diag", "[2, 3]", "3 diagonals"],
    );
    refused(x.matrix_diag(0.0, 0, 2, -1, align), InvalidArgument, &["matrix_diag", "2 rows", "3"]);
    refused(x.matrix_diag(0.0, 0, 4, 5, align), InvalidArgument, &["matrix_diag", "[4, 5]", "3"]);
    refused(
        x.matrix_set_diag(&counted(&[3]), 0, align),
        InvalidArgument,
        &["matrix_set_diag", "[3]", "[2, 3]", "[2]"],
    );
    refused(
        x.matrix_band_part(3, 0),
        InvalidArgument,
        &["matrix_band_part", "num_lower", "3", "2"],
    );
    refused(
        x.matrix_band_part(0, 4),
        InvalidArgument,
        &["matrix_band_part", "num_upper", "4", "3"],
    );
    refused(scalar(1.0f32).tensor_diag(), InvalidArgument, &["tensor_diag", "rank"]);
    refused(x.tensor_diag_part(), InvalidArgument, &["tensor_diag_part", "[2, 3]"]);
    refused(
        counted(&[2]).tensor_diag_part(),
        InvalidArgument,
        &["tensor_diag_part", "[2]", "even"],
    );
}

#[test]
fn types_and_masks() {
    let x = counted(&[2, 3]);
    refused(x.ensure_shape(shape![?, 4]), InvalidArgument, &["ensure_shape", "[2, 3]", "[?, 4]"]);
    refused(x.bitcast(f64), InvalidArgument, &["bitcast", "[2, 3]", "float32", "float64", "2"]);
    refused(x.bitcast(DType::String), InvalidArgument, &["bitcast", "string"]);
    refused(x.bitcast(DType::Bool), InvalidArgument, &["bitcast", "bool"]);
    let mask = tensor![true, false, true];
    refused(ops::boolean_mask(&x, &mask, 0), InvalidArgument, &["boolean_mask", "[3]", "[2, 3]"]);
    refused(ops::boolean_mask(&x, scalar(true), 0), InvalidArgument, &["boolean_mask", "scalar"]);
    refused(ops::boolean_mask(&x, &mask, 2), InvalidArgument, &["axis 2", "rank 2"]);
    refused(ops::boolean_mask(&x, &x, 0), InvalidArgument, &["boolean_mask", "float32", "bool"]);
    refused(ops::flip_left_right(&x), InvalidArgument, &["flip_left_right", "[2, 3]"]);
    let words = Tensor::from_strings(&["a"], &[1]).unwrap();
    refused(words.where_indices(), InvalidArgument, &["where_indices", "string"]);
    refused(ops::add_n(&[&words, &words]), InvalidArgument, &["add_n", "string"]);
}

/// Tensors that can't be the integers that an op wants: refused the same eagerly and in a trace.
#[test]
fn tensors_for_integers() {
    type Call = fn(&Tensor, &Tensor) -> Result<Tensor>;
    #[track_caller]
    fn case(call: Call, argument: Tensor, wanted: &str) {
        let x = counted(&[2, 3]);
        let traced = function(move |(x, a): &(Tensor, Tensor)| call(x, a));
        for result in [call(&x, &argument), traced.call(&(x.clone(), argument.clone()))] {
            refused(result, InvalidArgument, &[wanted, &argument.shape().to_string()]);
        }
    }
    let matrix = || tensor![[3i64, 2]];
    let list = "one integer or a vector of integers";
    case(|x, a| x.reshape(a), matrix(), list);
    case(|x, a| x.tile(a), matrix(), list);
    case(|x, a| x.transpose(a), matrix(), list);
    case(|x, a| x.reverse(a), matrix(), list);
    case(|x, a| x.broadcast_to(a), matrix(), list);
    case(|x, a| x.reduce_sum(a, false), matrix(), list);
    case(|x, a| x.roll(a, [0]), matrix(), list);
    case(|x, a| x.slice(a, [1, 1]), matrix(), list);
    let floats = || tensor![3.0f32, 2.0];
    case(|x, a| x.reshape(a), floats(), list);
    let pairs = "pairs of integers, shape [n, 2]";
    case(|x, a| x.pad(a), tensor![1i64, 1, 0, 0], pairs);
    case(|x, a| x.pad(a), tensor![[1i64, 1, 0], [0, 0, 0]], pairs);
    case(|x, a| x.mirror_pad(a, MirrorMode::Reflect), tensor![[1i64], [1]], pairs);
    case(|x, a| Ok(x.top_k(a)?.0), Tensor::from_vec(vec![1]), "one integer");
    case(|x, a| x.matrix_band_part(a, 0), Tensor::from_vec(vec![1]), "one integer");
}

#[test]
fn integers_beyond_what_fits() {
    let x = counted(&[2, 3]);
    // Not -1, which is for the size that is left.
    assert!(x.reshape([usize::MAX]).is_err());
    assert!(x.reshape(vec![usize::MAX, 2]).is_err());
    let big = i64::from(i32::MAX) + 1;
    refused(x.top_k(big), InvalidArgument, &["top_k", "2147483648 does not fit int32"]);
    refused(
        x.matrix_diag_part(0.0, [0, big], Default::default()),
        InvalidArgument,
        &["2147483648"],
    );
    refused(ops::concat(&[&x, &x], big), InvalidArgument, &["axis", "2147483648"]);
}

#[test]
fn a_scalar_is_not_sliced_by_scalars() {
    let (x, zero) = (scalar(1.0f32), scalar(0i32));
    refused(x.slice(&zero, &zero), InvalidArgument, &["slice", "rank"]);
    let traced = function(|x: &Tensor, zero: &Tensor| x.slice(zero, zero));
    refused(traced.call(&x, &zero), InvalidArgument, &["slice", "rank"]);
    assert_eq!(floats(&x.slice([0i64; 0], [0i64; 0]).unwrap()), [1.0]);
}

/// By the op itself, without the types of its function: refused eagerly, with shapes, with nothing known.
#[test]
fn calls_of_ops_are_refused_alike_eagerly_and_traced() {
    use extype::ir::{AttrKey, Attrs, find_op};
    use extype::tensor::execute;
    let none = || Attrs::new();
    let int = |name, n: i64| Attrs::new().with(AttrKey::new(name), &n);
    let float64 = Attrs::new().with(AttrKey::new("output_type"), &DType::F64);
    let keep = Attrs::new().with(AttrKey::new("keep_dims"), &false);
    let x = || counted(&[2]);
    for (name, attrs, inputs) in [
        ("Transpose", none(), vec![x(), scalar(0i32)]),
        ("ReverseV2", none(), vec![x(), scalar(0i32)]),
        ("BroadcastTo", none(), vec![x(), scalar(2i32)]),
        ("Reshape", none(), vec![x(), tensor![[2i32]]]),
        ("Sum", keep, vec![x(), tensor![[0i32]]]),
        ("TopKV2", none(), vec![x(), tensor![1i32]]),
        ("ArgMax", float64, vec![x(), scalar(0i32)]),
        ("Split", int("num_split", 0), vec![scalar(0i32), x()]),
        ("Split", int("num_split", 2), vec![scalar(5i32), x()]),
        ("Unpack", int("num", 0).with(AttrKey::new("axis"), &0i64), vec![x()]),
        ("Unpack", int("num", 0).with(AttrKey::new("axis"), &7i64), vec![x()]),
    ] {
        let (op, mut attrs) = (find_op(name).unwrap(), attrs);
        for a in op.attrs.iter().filter(|a| !a.told) {
            if let (None, Some(default)) = (attrs.value(a.name), a.default) {
                attrs.set(a.name, default());
            }
        }
        let call = |x: &[Tensor]| -> Result<Vec<Tensor>> {
            let y = execute(op, attrs.clone(), &x.iter().collect::<Vec<_>>())?.into_vec();
            // What has no result is dropped from a trace, with its refusal.
            Ok(if y.is_empty() { vec![x[0].clone()] } else { y })
        };
        let e = call(&inputs).unwrap_err().to_string();
        // Not for want of an attribute.
        assert!(!e.contains("attribute `"), "{e}");
        let traced = function(|x: &Vec<Tensor>| call(x));
        assert!(traced.call(&inputs).is_err(), "{name}, traced with shapes");
        if name != "Unpack" {
            let open: Vec<_> =
                inputs.iter().map(|x| TensorSpec::new(Shape::unknown(), x.dtype())).collect();
            let run = traced.concrete(&open).and_then(|c| c.call_flat(&inputs));
            assert!(run.is_err(), "{name}, traced with nothing known");
        }
    }
}
