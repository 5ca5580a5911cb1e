//! Floats of eight bits: made, moved, cast, printed, kept; not computed with.

use extype::array::{Array, f8e4m3fn, f8e5m2};
use extype::prelude::*;
use extype::types::DTypeSet;

const BOTH: [DType; 2] = [f8e5m2, f8e4m3fn];

/// Bits of a tensor of either.
fn bits(t: &Tensor) -> Vec<u8> {
    t.value().unwrap().as_bytes().unwrap().to_vec()
}

#[test]
fn they_have_the_names_and_numbers_of_tensorflow() {
    assert_eq!((f8e5m2.name(), f8e5m2.number()), ("float8_e5m2", 24));
    assert_eq!((f8e4m3fn.name(), f8e4m3fn.number()), ("float8_e4m3fn", 25));
    for dtype in BOTH {
        assert_eq!(dtype.size(), Some(1));
        assert!(!dtype.is_float() && !dtype.is_differentiable());
    }
}

#[test]
fn data_becomes_tensors_and_comes_back() -> Result<()> {
    let x = f8e4m3fn::from_f32(0.3);
    let t = tensor![[x, f8e4m3fn::from_bits(0x7f)]];
    assert_eq!((t.dtype(), t.shape()), (f8e4m3fn, shape![1, 2]));
    assert_eq!(t.as_slice::<f8e4m3fn>()?[0].to_f32(), 0.3125);
    assert_eq!(scalar(x).item::<f8e4m3fn>()?, x);
    let array = Array::from_bytes(f8e5m2, [2], &[0x3c, 0xfc])?;
    assert_eq!(Tensor::from(array.clone()).cast(f32)?.to_vec::<f32>()?, [1.0, f32::NEG_INFINITY]);
    assert_eq!(array.to_ndarray::<f8e5m2>()?[[0]].to_f64(), 1.0);
    Ok(())
}

#[test]
fn casts_to_and_from_every_number_round_once() -> Result<()> {
    let small = tensor![0.0f64, 1.0, 2.0, 3.0];
    for dtype in BOTH {
        for other in DTypeSet::NUMERIC.or(DTypeSet::FLOAT8).iter() {
            let there = small.cast(other)?.cast(dtype)?;
            assert_eq!(there.dtype(), dtype);
            let back = there.cast(other)?.cast(f64)?;
            assert_eq!(back.to_vec::<f64>()?, [0.0, 1.0, 2.0, 3.0], "{dtype} and {other}");
        }
        assert_eq!(small.cast(dtype)?.cast(bool)?.to_vec::<bool>()?, [false, true, true, true]);
        assert_eq!(tensor![true, false].cast(dtype)?.cast(f32)?.to_vec::<f32>()?, [1.0, 0.0]);
    }
    // Just above the middle of 1 and 1.125: by way of float32 it would be the middle.
    let above = scalar(1.0625 + 2f64.powi(-40));
    assert_eq!(above.cast(f8e4m3fn)?.cast(f64)?.to_vec::<f64>()?, [1.125]);
    // What is too large: NaN where there is no infinity.
    let large = tensor![448.0f32, 1e5, -1e5, f32::INFINITY];
    assert_eq!(bits(&large.cast(f8e4m3fn)?), [0x7e, 0x7f, 0xff, 0x7f]);
    assert_eq!(bits(&large.cast(f8e5m2)?), [0x5f, 0x7c, 0xfc, 0x7c]);
    assert_eq!(bits(&tensor![1i64 << 40, -449].cast(f8e4m3fn)?), [0x7f, 0xfe]);
    assert_eq!(tensor![2.5f32, -2.5].cast(f8e5m2)?.cast(i8)?.to_vec::<i8>()?, [2, -2]);
    Ok(())
}

#[test]
fn they_move_as_bytes_do() -> Result<()> {
    let bytes = Tensor::from_vec((0..=u8::MAX).collect()).reshape([16, 16])?;
    for dtype in BOTH {
        let x = bytes.bitcast(dtype)?;
        let moves: [fn(&Tensor) -> Result<Tensor>; 8] = [
            |x| x.transpose([1, 0]),
            |x| x.gather(&tensor![3, 1], 1),
            |x| x.slice([2, 3], [4, 5]),
            |x| ops::concat(&[x, x], 0),
            |x| x.tile([2, 1]),
            |x| x.reverse([0]),
            |x| x.pad([[1, 0], [0, 2]]),
            |x| ops::select(&x.bitcast(u8)?.less(100u8)?, x, &x.zeros_like()?),
        ];
        for (i, f) in moves.iter().enumerate() {
            let (got, want) = (f(&x)?, f(&bytes)?);
            assert_eq!((got.dtype(), got.shape()), (dtype, want.shape()));
            assert_eq!(bits(&got), bits(&want), "{dtype}, {i}");
        }
        let traced = function(|x: &Tensor| x.transpose([1, 0])?.bitcast(u8));
        assert_eq!(bits(&traced.call(&x)?), bits(&bytes.transpose([1, 0])?));
        let v = Variable::new(x.clone())?;
        assert_eq!(bits(&v.read()?), bits(&bytes));
    }
    Ok(())
}

#[test]
fn they_print_as_floats_do() -> Result<()> {
    let x = tensor![1.0f32, -0.3, f32::NAN];
    assert_eq!(x.cast(f8e4m3fn)?.value()?.to_string(), "[ 1.  -0.3  nan]");
    assert_eq!(tensor![1.0f32, f32::INFINITY].cast(f8e5m2)?.value()?.to_string(), "[ 1. inf]");
    Ok(())
}

#[test]
fn specs_of_them_are_sent_and_read() -> Result<()> {
    for dtype in BOTH {
        let spec = TensorSpec::new(shape![?, 3], dtype);
        assert_eq!(TensorSpec::deserialize(&spec.serialize()?)?, spec);
    }
    Ok(())
}

#[test]
fn they_are_not_computed_with() -> Result<()> {
    for dtype in BOTH {
        let x = tensor![1.0f32, 2.0].cast(dtype)?;
        let calls: [(&str, Result<Tensor>); 6] = [
            ("add", ops::add(&x, &x)),
            ("mul", ops::mul(&x, 2.0)),
            ("tanh", x.tanh()),
            ("equal", x.equal(&x)),
            ("reduce_sum", x.reduce_sum(.., false)),
            ("matmul", ops::matmul(&x.reshape([1, 2])?, &x.reshape([2, 1])?)),
        ];
        for (op, result) in calls {
            let e = result.unwrap_err();
            let text = e.to_string();
            assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{text}");
            for part in [op, dtype.name(), "only a"] {
                assert!(text.contains(part), "no {part} in {text}");
            }
        }
        // Nor does a gradient flow through them.
        let through = |x: &Tensor| x.cast(dtype)?.cast(f32)?.reduce_sum(.., false);
        let tape = GradientTape::new();
        let x = tensor![1.0f32, 2.0];
        let (_, gradient) = tape.value_and_gradient(&x, || through(&x))?;
        assert!(gradient.leaf(0)?.is_none());
    }
    Ok(())
}
