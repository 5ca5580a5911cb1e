//! Quantized dtypes: levels made, moved, cast, kept; the ops that compute with them. Expected numbers are TensorFlow's.

use extype::array::{Array, Quantized};
use extype::ops::{
    Dequantize, Op as _, QuantizeDownAndShrinkRange, QuantizeV2, QuantizedAdd, QuantizedAvgPool,
    QuantizedBiasAdd, QuantizedConcat, QuantizedConv2d, QuantizedMatMul, QuantizedMul,
    QuantizedRelu6, Requantize, UniformQuantize, UniformQuantizedAdd, UniformQuantizedClipByValue,
    UniformQuantizedDot, UniformRequantize,
};
use extype::prelude::*;
use extype::types::DTypeSet;
use extype::types::quantized::{qint8, qint16, qint32, quint8, quint16};

const ALL: [(DType, DType); 5] =
    [(qint8, i8), (quint8, u8), (qint16, i16), (quint16, u16), (qint32, i32)];

/// Levels and their range.
type Ranged = (Tensor, Tensor, Tensor);

fn bytes(t: &Tensor) -> Vec<u8> {
    t.value().unwrap().as_bytes().unwrap().to_vec()
}

/// The integers of levels.
fn levels(t: &Tensor) -> Vec<i32> {
    t.cast(i32).unwrap().to_vec().unwrap()
}

#[test]
fn they_have_the_names_and_numbers_of_tensorflow() {
    let numbers = ALL.map(|(d, _)| (d.name(), d.number()));
    let wanted = [("qint8", 11), ("quint8", 12), ("qint16", 15), ("quint16", 16), ("qint32", 13)];
    assert_eq!(numbers, wanted);
    for (dtype, plain) in ALL {
        assert_eq!(dtype.size(), plain.size());
        assert!(!dtype.is_integer() && !dtype.is_differentiable());
        assert_eq!(DType::from_name(dtype.name()), Some(dtype));
    }
    assert_eq!(DTypeSet::QUANTIZED.iter().count(), 5);
}

#[test]
fn data_becomes_tensors_and_comes_back() -> Result<()> {
    let t = tensor![[Quantized(-3i8), Quantized(4)]];
    assert_eq!((t.dtype(), t.shape()), (qint8, shape![1, 2]));
    assert_eq!(t.as_slice::<Quantized<i8>>()?[0], Quantized(-3));
    assert_eq!(t.value()?.to_string(), "[[-3  4]]");
    assert!(t.as_slice::<i8>().is_err());
    let array = Array::from_bytes(quint16, [1], &[0x01, 0x02])?;
    assert_eq!(array.as_slice::<Quantized<u16>>()?, &[Quantized(0x201)]);
    Ok(())
}

#[test]
fn they_move_as_bytes_do() -> Result<()> {
    for (dtype, plain) in ALL {
        let integers = Tensor::from_vec((0..96i32).collect()).reshape([8, 12])?.cast(plain)?;
        let x = integers.cast(dtype)?;
        assert_eq!(bytes(&x), bytes(&integers));
        assert_eq!(bytes(&integers.bitcast(dtype)?), bytes(&x));
        let moves: [fn(&Tensor) -> Result<Tensor>; 10] = [
            |x| x.transpose([1, 0]),
            |x| x.gather(&tensor![3, 1], 1),
            |x| x.slice([2, 3], [4, 5]),
            |x| ops::concat(&[x, x], 0),
            |x| ops::stack(&[x, x], 0),
            |x| x.tile([2, 1]),
            |x| x.reverse([0]),
            |x| x.pad([[1, 0], [0, 2]]),
            |x| x.zeros_like(),
            |x| x.tensor_scatter_nd_update(&tensor![[1], [0]], &x.slice([4, 0], [2, 12])?),
        ];
        for (i, f) in moves.iter().enumerate() {
            let (got, want) = (f(&x)?, f(&integers)?);
            assert_eq!((got.dtype(), got.shape()), (dtype, want.shape()));
            assert_eq!(bytes(&got), bytes(&want), "{dtype}, {i}");
        }
        let traced = function(|x: &Tensor| x.transpose([1, 0])?.cast(i32));
        assert_eq!(traced.call(&x)?.to_vec::<i32>()?, levels(&x.transpose([1, 0])?));
        let v = Variable::new(x.clone())?;
        assert_eq!(bytes(&v.read()?), bytes(&x));
        assert_eq!(
            levels(&x.equal(&x.reverse([1])?)?),
            levels(&integers.equal(&integers.reverse([1])?)?)
        );
        assert_eq!(levels(&x.not_equal(&x)?), [0; 96]);
        let text = x.serialize_tensor()?;
        assert_eq!(bytes(&text.parse_tensor(dtype)?), bytes(&x));
    }
    Ok(())
}

#[test]
fn specs_and_graphs_hold_them() -> Result<()> {
    for (dtype, _) in ALL {
        let spec = TensorSpec::new(shape![?, 3], dtype);
        assert_eq!(TensorSpec::deserialize(&spec.serialize()?)?, spec);
        // A constant of a graph.
        let two = tensor![1, 2].cast(dtype)?;
        let held = function(move |x: &Tensor| ops::concat(&[x, &two], 0));
        assert_eq!(levels(&held.call(&tensor![7].cast(dtype)?)?), [7, 1, 2]);
    }
    Ok(())
}

#[test]
fn they_are_not_computed_with_as_numbers() -> Result<()> {
    let x = tensor![1, 2].cast(qint8)?;
    let calls: [(&str, Result<Tensor>); 5] = [
        ("add", ops::add(&x, &x)),
        ("mul", ops::mul(&x, tensor![1.0f32, 2.0])),
        ("tanh", x.tanh()),
        ("reduce_sum", x.reduce_sum(.., false)),
        ("matmul", ops::matmul(&x.reshape([1, 2])?, &x.reshape([2, 1])?)),
    ];
    for (op, result) in calls {
        let e = result.unwrap_err();
        let text = e.to_string();
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{text}");
        for part in [op, "qint8", "dequantize it first"] {
            assert!(text.contains(part), "no {part} in {text}");
        }
    }
    let e = tensor![1.0f32].dequantize(0.0, 1.0).unwrap_err().to_string();
    assert!(e.contains("quantize it first"), "{e}");
    Ok(())
}

#[test]
fn reals_become_levels_in_every_mode() -> Result<()> {
    let x = tensor![-3.0f32, -2.5, -1.0, -0.004, 0.0, 0.3, 1.5, 2.5, 9.0];
    let quantize = |dtype, mode: &str, narrow_range| {
        let op = QuantizeV2 { mode: mode.into(), narrow_range, ..QuantizeV2::to(dtype) };
        op.run_as::<Ranged>(&[&x, &scalar(-2.5f32), &scalar(2.5f32)])
    };
    let wanted: [(DType, &str, bool, [i32; 9], f32); 9] = [
        (qint8, "MIN_COMBINED", false, [-128, -128, -52, -1, -1, 15, 76, 127, 127], -2.5),
        (qint8, "MIN_FIRST", false, [-128, -128, -51, 0, 0, 15, 77, 127, 127], -2.5),
        (qint8, "SCALED", false, [-128, -127, -51, 0, 0, 15, 76, 127, 127], -2.519685),
        (qint8, "SCALED", true, [-127, -127, -51, 0, 0, 15, 76, 127, 127], -2.5),
        (quint8, "MIN_COMBINED", false, [0, 0, 77, 127, 128, 143, 204, 255, 255], -2.5),
        (quint8, "MIN_FIRST", false, [0, 0, 77, 128, 128, 143, 205, 255, 255], -2.5),
        (quint8, "SCALED", true, [1, 1, 1, 1, 1, 31, 153, 255, 255], 0.009803922),
        (
            quint16,
            "MIN_FIRST",
            false,
            [0, 0, 19661, 32716, 32768, 36700, 52429, 65535, 65535],
            -2.5,
        ),
        (
            qint32,
            "MIN_FIRST",
            false,
            [
                i32::MIN,
                i32::MIN,
                -858993472,
                -3435974,
                0,
                257698048,
                1288490240,
                2147483520,
                2147483520,
            ],
            -2.5,
        ),
    ];
    for (dtype, mode, narrow, want, least) in wanted {
        let (y, min, max) = quantize(dtype, mode, narrow)?;
        assert_eq!(levels(&y), want, "{dtype} {mode}");
        assert_eq!((min.item::<f32>()?, max.item::<f32>()?), (least, 2.5));
        // There and back, less than two steps of eight bits apart.
        let back = Dequantize { mode: mode.into(), narrow_range: narrow, axis: -1, dtype: f32 };
        let back = back.run(&[&y, &min, &max])?;
        if least < 0.0 {
            let clipped = ops::clip_by_value(&x, -2.5, 2.5)?;
            assert!(back.allclose(&clipped, ops::Atol(0.03))?.item::<bool>()?, "{dtype} {mode}");
        }
    }
    Ok(())
}

#[test]
fn ranges_are_checked() -> Result<()> {
    let x = tensor![1.0f32, 2.0];
    assert!(x.quantize(2.0, 1.0, qint8).is_err());
    assert!(x.quantize(0.0, 1.0, i8).unwrap_err().to_string().contains("quantized integer"));
    assert!(x.quantize(&tensor![0.0f32, 0.0], 1.0, qint8).is_err());
    let (none, ..) = tensor![[0.0f32; 0]].quantize(-1.0, 1.0, qint16)?;
    assert_eq!((none.dtype(), none.shape()), (qint16, shape![1, 0]));
    let nan = tensor![f32::NAN, f32::INFINITY].quantize(-1.0, 1.0, qint8)?.0;
    assert_eq!(levels(&nan)[1], 127);
    Ok(())
}

#[test]
fn quantized_networks_run_as_in_tensorflow() -> Result<()> {
    let q =
        |n: &[i32], dims: &[i64], dtype| Tensor::from_vec(n.to_vec()).reshape(dims)?.cast(dtype);
    let ends = |x: [f32; 2]| x.map(scalar);
    let [low, high] = ends([-1.0, 2.0]);
    let a = q(&[183, 240, 187, 160, 246, 94], &[2, 3], quint8)?;
    let b = q(&[229, 202, 189, 99, 190, 146, 71, 31, 14, 111, 48, 229], &[3, 4], quint8)?;
    let product = QuantizedMatMul {
        out_type: qint32,
        transpose_a: false,
        transpose_b: false,
        activation: quint8,
    };
    let [low_b, high_b] = ends([-0.5, 1.0]);
    let (c, min, max): Ranged = product.run_as(&[&a, &b, &low, &high, &low_b, &high_b])?;
    // The product of the reals, as the levels' range tells.
    let reals = ops::matmul(&a.dequantize(&low, &high)?, &b.dequantize(&low_b, &high_b)?)?;
    let got = Dequantize { mode: "MIN_FIRST".into(), narrow_range: false, axis: -1, dtype: f32 }
        .run(&[&c, &min, &max])?;
    assert!(got.allclose(&reals, ops::Atol(0.05))?.item::<bool>()?, "{got} {reals}");

    let (sum, min, max): Ranged =
        QuantizedAdd { out_type: qint32 }.run_as(&[&a, &a, &low, &high, &low, &high])?;
    let first = Dequantize { mode: "MIN_FIRST".into(), narrow_range: false, axis: -1, dtype: f32 };
    let twice = ops::mul(&a.dequantize(&low, &high)?, 2.0)?;
    assert!(first.run(&[&sum, &min, &max])?.allclose(&twice, ops::Atol(0.02))?.item::<bool>()?);
    let (squares, min, max): Ranged =
        QuantizedMul { out_type: qint32 }.run_as(&[&a, &a, &low, &high, &low, &high])?;
    let wanted = a.dequantize(&low, &high)?.square()?;
    assert!(
        first.run(&[&squares, &min, &max])?.allclose(&wanted, ops::Atol(0.04))?.item::<bool>()?
    );

    // Back to eight bits.
    let (small, min, max): Ranged =
        QuantizeDownAndShrinkRange { out_type: quint8 }.run_as(&[&c, &min, &max])?;
    assert_eq!((small.dtype(), min.item::<f32>()? <= 0.0), (quint8, true));
    let wide = [scalar(-100.0f32), scalar(100.0f32)];
    let (again, ..): Ranged =
        Requantize { out_type: qint8 }.run_as(&[&c, &min, &max, &wide[0], &wide[1]])?;
    assert_eq!(again.dtype(), qint8);

    let (relu, ..): Ranged = QuantizedRelu6 { out_type: quint8 }.run_as(&[
        &q(&[3, 99, 59, 145, 185, 239], &[2, 3], quint8)?,
        &scalar(-4.0f32),
        &scalar(8.0f32),
    ])?;
    assert_eq!(levels(&relu), [85, 99, 85, 145, 185, 213]);
    let pool = QuantizedAvgPool {
        ksize: vec![1, 2, 2, 1],
        strides: vec![1, 2, 2, 1],
        padding: "SAME".into(),
    };
    let (mean, ..): Ranged =
        pool.run_as(&[&q(&[1, 2, 4, 4, 5, 9], &[1, 2, 3, 1], quint8)?, &low, &high])?;
    assert_eq!(levels(&mean), [3, 6]);
    Ok(())
}

#[test]
fn convolutions_of_levels_centre_their_windows_as_in_tensorflow() -> Result<()> {
    let x = Tensor::from_vec((0..16).collect::<Vec<i32>>()).reshape([1, 4, 4, 1])?.cast(quint8)?;
    let (zero, one) = (scalar(0.0f32), scalar(255.0f32));
    // The pixel at the begin of each window.
    for (size, stride, padding, want) in [
        (1, 2, "VALID", &[0, 2, 8, 10][..]),
        (1, 4, "VALID", &[5]),
        (2, 4, "VALID", &[0]),
        (2, 4, "SAME", &[5]),
        (2, 3, "SAME", &[0, 3, 12, 15]),
    ] {
        let conv = QuantizedConv2d {
            out_type: qint32,
            strides: vec![1, stride, stride, 1],
            padding: padding.into(),
            dilations: vec![1; 4],
        };
        let mut first = vec![0; size * size];
        first[0] = 1;
        let filter = Tensor::from_vec(first).reshape([size as i64, size as i64, 1, 1])?;
        let (y, ..): Ranged =
            conv.run_as(&[&x, &filter.cast(quint8)?, &zero, &one, &zero, &one])?;
        assert_eq!(levels(&y), want, "{size} {stride} {padding}");
    }
    Ok(())
}

/// What TensorFlow answers on the same levels.
#[test]
fn levels_move_between_ranges_as_in_tensorflow() -> Result<()> {
    let b = tensor![
        [-673811697, 21025604, 944360387, 745499477],
        [446510856, 300040331, -983302342, 519199156]
    ]
    .cast(qint32)?;
    let [low, high, least, most] = [-100.0f32, 120.0, -40.0, 50.0].map(scalar);
    for (out_type, want) in [
        (qint8, [-84, 16, 127, 122, 78, 57, -128, 89]),
        (quint8, [44, 145, 255, 250, 206, 185, 0, 217]),
    ] {
        let (y, ..): Ranged = Requantize { out_type }.run_as(&[&b, &low, &high, &least, &most])?;
        assert_eq!(levels(&y), want, "{out_type}");
    }
    let (y, min, max): Ranged =
        QuantizeDownAndShrinkRange { out_type: quint8 }.run_as(&[&b, &low, &high])?;
    assert_eq!(levels(&y), [41, 133, 255, 229, 189, 170, 0, 199]);
    assert_eq!((min.item::<f32>()?, max.item::<f32>()?), (-40.367443, 58.372726));
    let [low, high] = [-10.0f32, 20.0].map(scalar);
    let (y, ..): Ranged = QuantizedRelu6 { out_type: qint32 }.run_as(&[&b, &low, &high])?;
    let six = 143165576;
    assert_eq!(levels(&y), [-673811697, 21025604, six, six, six, six, -715827883, six]);

    let row = b.slice([0, 0], [1, 4])?;
    let ends = [-1.0f32, -2.0, 2.0, 1.0].map(scalar);
    let inputs = [&scalar(0), &b, &row, &ends[0], &ends[1], &ends[2], &ends[3]];
    let (y, ..): Ranged = QuantizedConcat {}.run_as(&inputs)?;
    assert_eq!(levels(&y)[..3], [31512128, 552640128, 1245141248]);
    assert_eq!(levels(&y)[8..], [-1042229696, -521101696, 171399360, 22253696]);

    let x = tensor![[-7, -105, -66], [10, 58, 1]].cast(qint8)?;
    let bias = tensor![28, 95, 47].cast(qint8)?;
    let ends = [-1.0f32, 2.0, -0.5, 0.5].map(scalar);
    let inputs = [&x, &bias, &ends[0], &ends[1], &ends[2], &ends[3]];
    let (y, ..): Ranged = QuantizedBiasAdd { out_type: qint32 }.run_as(&inputs)?;
    assert_eq!(levels(&y), [4402, -2891, -675, 6040, 12818, 5783]);
    Ok(())
}

#[test]
fn scales_along_an_axis_are_those_of_tensorflow() -> Result<()> {
    let requantize = |input, output| UniformRequantize {
        tout: qint8,
        input_quantization_axis: input,
        input_quantization_min_val: -128,
        input_quantization_max_val: 127,
        output_quantization_axis: output,
        output_quantization_min_val: -100,
        output_quantization_max_val: 100,
    };
    let b = tensor![
        [-673811697, 21025604, 944360387, 745499477],
        [446510856, 300040331, -983302342, 519199156]
    ];
    let (scales, zeros) = (tensor![0.1f32, 0.2, 0.3, 0.4], tensor![1, 2, 3, 4]);
    let inputs = [&b.cast(qint32)?, &scales, &zeros, &scalar(1e7f32), &scalar(3)];
    assert_eq!(levels(&requantize(1, -1).run(&inputs)?), [-4, 3, 31, 33, 7, 9, -26, 24]);
    let x = tensor![[-7, -105, -66], [10, 58, 1]].cast(qint8)?;
    let (scales, zeros) = (tensor![0.1f32, 0.2, 0.7], tensor![3, 0, -9]);
    let inputs = [&x, &scalar(0.3f32), &scalar(1), &scales, &zeros];
    assert_eq!(levels(&requantize(-1, 1).run(&inputs)?), [-21, -100, -38, 30, 86, -9]);
    let negative = requantize(-1, -1).run(&[
        &x,
        &scalar(-0.3f32),
        &zeros.index(0)?,
        &scalar(1.0f32),
        &scalar(1),
    ]);
    assert!(negative.unwrap_err().to_string().contains("positive"));

    let quantize = UniformQuantize {
        tout: quint8,
        quantization_axis: -1,
        quantization_min_val: 0,
        quantization_max_val: 255,
    };
    let y = quantize.run(&[&tensor![-3.0f32, 0.04, 2.5, 900.0], &scalar(0.05f32), &scalar(30)])?;
    assert_eq!(levels(&y), [0, 31, 80, 255]);
    Ok(())
}

#[test]
fn sums_with_scales_are_those_of_tensorflow() -> Result<()> {
    let op = |lhs, rhs, output| UniformQuantizedAdd {
        lhs_quantization_axis: lhs,
        lhs_quantization_min_val: i32::MIN.into(),
        lhs_quantization_max_val: i32::MAX.into(),
        rhs_quantization_axis: rhs,
        rhs_quantization_min_val: i32::MIN.into(),
        rhs_quantization_max_val: i32::MAX.into(),
        output_quantization_axis: output,
        output_quantization_min_val: -20000,
        output_quantization_max_val: 20000,
    };
    let a = tensor![[100, -7, 30000], [5, 66, -1234]].cast(qint32)?;
    let b = tensor![9, -40, 777].cast(qint32)?;
    let scales = [0.1f32, 0.3, 0.05].map(scalar);
    let zeros = [2, -4, 11].map(scalar);
    let inputs = [&a, &b, &scales[0], &zeros[0], &scales[1], &zeros[1], &scales[2], &zeros[2]];
    assert_eq!(levels(&op(-1, -1, -1).run(&inputs)?), [285, -223, 20000, 95, -77, 2225]);
    let scales = [tensor![0.1f32, 0.2, 0.3], tensor![0.3f32, 0.1, 0.2], tensor![0.05f32, 0.5, 1.0]];
    let zeros = [tensor![2, 3, 4], tensor![-4, 0, 1], tensor![11, 0, 7]];
    let inputs = [&a, &b, &scales[0], &zeros[0], &scales[1], &zeros[1], &scales[2], &zeros[2]];
    assert_eq!(levels(&op(1, 0, 1).run(&inputs)?), [285, -12, 9161, 95, 17, -209]);
    assert!(op(1, 0, 0).run(&inputs).is_err());

    let clip = UniformQuantizedClipByValue {
        quantization_axis: 1,
        quantization_min_val: -9,
        quantization_max_val: 9,
    };
    let (least, most) = (tensor![-5, 0, 0].cast(qint32)?, tensor![50, 50, 999].cast(qint32)?);
    let clipped = clip.run(&[&a, &least, &most, &scales[0], &zeros[0]])?;
    assert_eq!(levels(&clipped), [50, 0, 999, 5, 50, 0]);
    Ok(())
}

#[test]
fn concatenation_brings_levels_to_one_range() -> Result<()> {
    let (a, b) = (tensor![0, 255].cast(quint8)?, tensor![0, 255].cast(quint8)?);
    let ends = [-1.0f32, 0.0, 1.0, 3.0].map(scalar);
    let inputs = [&scalar(0), &a, &b, &ends[0], &ends[1], &ends[2], &ends[3]];
    let (joined, min, max): Ranged = QuantizedConcat {}.run_as(&inputs)?;
    assert_eq!((min.item::<f32>()?, max.item::<f32>()?), (-1.0, 3.0));
    assert_eq!(levels(&joined), [0, 128, 64, 255]);
    Ok(())
}

/// Two at least, as in TensorFlow.
#[test]
fn one_tensor_is_not_concatenated() -> Result<()> {
    let (levels, low, high) = (tensor![0, 255].cast(quint8)?, scalar(-1.0f32), scalar(1.0f32));
    let e = QuantizedConcat {}.run_as::<Ranged>(&[&scalar(0), &levels, &low, &high]).unwrap_err();
    assert!(e.to_string().contains("two at least"), "{e}");
    Ok(())
}

#[test]
fn reals_beyond_all_levels_have_the_last_of_them() -> Result<()> {
    for (zero, tout) in [(5, qint8), (-5, qint8), (5, qint32), (-5, qint32)] {
        let (low, high) = if tout == qint8 { (-128, 127) } else { (i32::MIN, i32::MAX) };
        let op = UniformQuantize {
            tout,
            quantization_axis: -1,
            quantization_min_val: low.into(),
            quantization_max_val: high.into(),
        };
        let x = tensor![1e30f32, f32::INFINITY, -1e30, f32::NEG_INFINITY, 2.5];
        let found: Tensor = op.run_as(&[&x, &scalar(1.0f32), &scalar(zero)])?;
        // Levels of int32 saturate before the zero point is added.
        let (low, high) = (low.saturating_add(zero.max(0)), high.saturating_add(zero.min(0)));
        let (low, high) = if tout == qint8 { (-128, 127) } else { (low, high) };
        assert_eq!(levels(&found), [high, high, low, low, 3 + zero]);
    }
    Ok(())
}

/// Nothing is computed for no elements, however many channels and rows there are.
#[test]
fn no_levels_in_many_channels() -> Result<()> {
    let scale = |n: usize| ops::ones(n, f32);
    let zero = |n: usize| ops::zeros(n, i32);
    let x = ops::zeros([1i64 << 40, 3, 0], f32)?;
    let op = UniformQuantize {
        tout: qint8,
        quantization_axis: 1,
        quantization_min_val: -128,
        quantization_max_val: 127,
    };
    let levels: Tensor = op.run_as(&[&x, &scale(3)?, &zero(3)?])?;
    assert_eq!((levels.dtype(), levels.shape()), (qint8, x.shape()));
    let op = QuantizeV2 { axis: 1, mode: "SCALED".into(), ..QuantizeV2::to(qint8) };
    let (levels, ..): Ranged = op.run_as(&[&x, &zero(3)?.cast(f32)?, &scale(3)?])?;
    assert_eq!(levels.shape(), x.shape());
    let op = ops::QuantizeAndDequantizeV4 {
        signed_input: true,
        num_bits: 8,
        range_given: false,
        round_mode: "HALF_TO_EVEN".into(),
        narrow_range: false,
        axis: 1,
    };
    let range = [&zero(3)?.cast(f32)?, &scale(3)?];
    let found = grad(|x: &Tensor| op.run(&[x, range[0], range[1]])?.reduce_sum(.., false))(&x)?;
    assert_eq!(found.shape(), x.shape());
    // Sizes whose product is no number.
    let x = ops::zeros([1i64 << 40, 1 << 40, 0, 3], f32)?;
    assert!(op.run(&[&x, range[0], range[1]]).is_err());
    let last = ops::QuantizeAndDequantizeV4 { axis: 3, ..op.clone() };
    assert_eq!(last.run(&[&x, range[0], range[1]])?.shape(), x.shape());
    Ok(())
}

#[test]
fn ranges_of_an_axis_of_numbers_of_unknown_rank() -> Result<()> {
    let op = QuantizeV2 { axis: 0, mode: "SCALED".into(), ..QuantizeV2::to(qint8) };
    let f = function(move |x: &Tensor, min: &Tensor, max: &Tensor| {
        let (levels, min, max): Ranged = op.run_as(&[x, min, max])?;
        Ok((levels.cast(i32)?, min, max))
    });
    let spec = |shape: Shape| TensorSpec::new(shape, f32);
    for n in [1, 2] {
        let ends = [ops::zeros(n, f32)?, ops::ones(n, f32)?];
        for known in [shape![?], Shape::unknown(), ends[0].shape()] {
            let specs = [spec(Shape::unknown()), spec(known.clone()), spec(known)];
            let found = f.concrete(&specs[0], &specs[1], &specs[2])?;
            let found =
                found.call_flat(&[ops::ones([n, 2], f32)?, ends[0].clone(), ends[1].clone()])?;
            // One range comes back as scalars.
            assert_eq!(found[1].rank(), Some(usize::from(n > 1)));
            assert_eq!(found[0].to_vec::<i32>()?, vec![127; 2 * n]);
        }
    }
    Ok(())
}

/// As TensorFlow's.
#[test]
fn levels_with_a_range_for_each_channel_get_one() -> Result<()> {
    let x = [-864_089_428, -674_977_233, -149_510_539, 404_868_288, -632_376_509, 463_622_907];
    let x = Tensor::from_slice(&x, &[1, 1, 2, 3])?.cast(qint32)?;
    let (min, max) = (tensor![-1.0f32, -2.0, -3.0], tensor![1.0f32, 1.0, 3.0]);
    for (out_type, low, high, wanted) in [
        (qint8, -0.5f32, 0.5f32, [-102, -128, -53, 48, -128, 127]),
        (quint8, -0.5, 0.5, [0, 0, 0, 96, 0, 255]),
        (qint8, -0.5, 2.0, [-26, -40, -13, 12, -37, 41]),
        (quint8, 0.0, 2.0, [0, 0, 0, 24, 0, 83]),
    ] {
        let inputs = [&x, &min, &max, &scalar(low), &scalar(high)];
        let (found, ..): Ranged = ops::RequantizePerChannel { out_type }.run_as(&inputs)?;
        assert_eq!((found.dtype(), levels(&found)), (out_type, wanted.to_vec()));
    }
    let used = |x: &Tensor, max: &Tensor, clip_value_max: f32| -> Result<[f32; 2]> {
        let op = ops::RequantizationRangePerChannel { clip_value_max };
        let (low, high): (Tensor, Tensor) = op.run_as(&[x, &min, max])?;
        Ok([low.item()?, high.item()?])
    };
    assert_eq!(used(&x, &max, 6.0)?, [-0.647_673_7, 0.647_673_7]);
    assert_eq!(used(&x, &max, 0.5)?, [-0.5, 0.5]);
    assert_eq!(used(&x, &tensor![1.0f32, 9.0, 3.0], f32::INFINITY)?, [-2.828_796_9, 2.828_796_9]);
    assert_eq!(used(&x.cast(i32)?.abs()?.cast(qint32)?, &max, 6.0)?, [0.0, 0.647_673_7]);
    assert!(used(&x, &tensor![1.0f32, 9.0], 6.0).is_err());
    Ok(())
}

#[test]
fn levels_of_one_number_fill_a_shape() -> Result<()> {
    for (dtype, _) in ALL {
        assert_eq!(levels(&ops::zeros([2, 2], dtype)?), [0; 4]);
        assert_eq!(levels(&ops::ones(2, dtype)?), [1; 2]);
        assert!(ops::eye(2, dtype).is_err());
    }
    Ok(())
}

#[test]
fn products_with_scales_round_once() -> Result<()> {
    let dot = UniformQuantizedDot {
        tout: qint32,
        lhs_quantization_axis: -1,
        lhs_quantization_min_val: -128,
        lhs_quantization_max_val: 127,
        rhs_quantization_axis: 1,
        rhs_quantization_min_val: -128,
        rhs_quantization_max_val: 127,
        output_quantization_axis: -1,
        output_quantization_min_val: -1000,
        output_quantization_max_val: 1000,
    };
    let (a, b) = (tensor![[12, -7]].cast(qint8)?, tensor![[3, 100], [5, 100]].cast(qint8)?);
    let (scales, zeros) = (tensor![0.5f32, 0.25], tensor![1, 0]);
    let y = dot.run(&[
        &a,
        &b,
        &scalar(0.5f32),
        &scalar(2),
        &scales,
        &zeros,
        &scalar(0.1f32),
        &scalar(-7),
    ])?;
    // (10·2 - 9·4)·0.25 / 0.1 - 7 = -47, and (10 - 9)·100·0.125 / 0.1 - 7 = 118.
    assert_eq!(levels(&y), [-47, 118]);
    Ok(())
}
