//! Rust's operators on tensors of integers and of bools; what they refuse.

use extype::prelude::*;

fn panics(f: impl FnOnce() -> Tensor + std::panic::UnwindSafe) -> String {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(f);
    std::panic::set_hook(hook);
    let payload = result.expect_err("a panic");
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn on_integers_they_are_of_bits_and_on_bools_logical() -> Result<()> {
    let (a, b) = (13i64, 6i64);
    let (x, y) = (scalar(a), scalar(b));
    let run = |x: &Tensor, y: &Tensor| -> Result<Vec<Tensor>> {
        Ok(vec![
            x ^ y,
            x & y,
            x | y,
            !x,
            x << y,
            x >> y,
            x ^ 6,
            6 ^ x,
            x & 6,
            6 | x,
            1 << y,
            1000 >> y,
        ])
    };
    let want =
        [a ^ b, a & b, a | b, !a, a << b, a >> b, a ^ 6, 6 ^ a, a & 6, 6 | a, 1 << b, 1000 >> b];
    let told = |all: Vec<Tensor>| all.iter().map(Tensor::item::<i64>).collect::<Result<Vec<_>>>();
    assert_eq!(told(run(&x, &y)?)?, want);
    let traced = function(|(x, y): &(Tensor, Tensor)| run(x, y));
    assert_eq!(told(traced.call(&(x, y))?)?, want);

    let (p, q) = (tensor![true, true, false, false], tensor![true, false, true, false]);
    let run = |p: &Tensor, q: &Tensor| vec![p ^ q, p & q, p | q, !p, p ^ true, true & q, false | p];
    let want: [fn(bool, bool) -> bool; 7] =
        [|p, q| p ^ q, |p, q| p & q, |p, q| p | q, |p, _| !p, |p, _| p ^ true, |_, q| q, |p, _| p];
    for (got, want) in run(&p, &q).iter().zip(want) {
        let want: Vec<bool> = [(true, true), (true, false), (false, true), (false, false)]
            .map(|(p, q)| want(p, q))
            .into();
        assert_eq!(got.to_vec::<bool>()?, want);
    }
    // Graphs hold the ops that the dtypes choose.
    let f = function(|x: &Tensor| Ok((x ^ x, !x)));
    for (spec, ops) in [
        (TensorSpec::of::<u8>([2]), ["BitwiseXor", "Invert"]),
        (TensorSpec::of::<bool>([2]), ["NotEqual", "LogicalNot"]),
    ] {
        let text = f.concrete(&spec)?.graph().to_string();
        assert!(ops.iter().all(|op| text.contains(op)), "{text}");
    }
    Ok(())
}

#[test]
fn every_integer_dtype_has_them_and_shifts_are_defined_beyond_their_bits() -> Result<()> {
    for dtype in [i8, i16, i32, i64, u8, u16, u32, u64] {
        let x = tensor![1i64, 5].cast(dtype)?;
        assert_eq!((&x ^ 4).cast(i64)?.as_slice::<i64>()?, &[5, 1], "{dtype}");
        assert_eq!((&x << 1).cast(i64)?.as_slice::<i64>()?, &[2, 10], "{dtype}");
    }
    // A negative count is zero, a larger one than there are bits the largest: as of `left_shift`.
    let x = tensor![-8i32, 3];
    assert_eq!((&x >> 100).as_slice::<i32>()?, &[-1, 0]);
    assert_eq!((&x >> &tensor![-1, -1]).as_slice::<i32>()?, &[-8, 3]);
    assert_eq!((&x << 31).as_slice::<i32>()?, (&x << 1000).as_slice::<i32>()?);
    Ok(())
}

#[test]
fn assigning_forms_are_the_same() -> Result<()> {
    let mut x = tensor![12, 10];
    x &= 14;
    x |= 1;
    x ^= &tensor![3, 3];
    x <<= 2;
    x >>= 1;
    let plain = |mut n: i32| {
        n &= 14;
        n |= 1;
        n ^= 3;
        n <<= 2;
        n >> 1
    };
    assert_eq!(x.as_slice::<i32>()?, &[plain(12), plain(10)]);
    let mut any = scalar(false);
    for i in [1, 3] {
        any |= scalar(i).greater(2)?;
    }
    assert!(any.item::<bool>()?);
    Ok(())
}

#[tf_function]
fn seen(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let (mut any, mut bits) = (scalar(false), scalar(0i64));
    for i in x {
        any |= i > 2;
        bits ^= i;
    }
    Ok((any, bits))
}

#[test]
fn in_traced_functions_comparisons_are_gathered() -> Result<()> {
    let (any, bits) = seen(&tensor![1i64, 2, 4])?;
    assert_eq!((any.item::<bool>()?, bits.item::<i64>()?), (true, 7));
    let (any, _) = seen(&tensor![1i64, 2, 2])?;
    assert!(!any.item::<bool>()?);
    Ok(())
}

#[test]
fn variables_have_them() -> Result<()> {
    let v = Variable::new(scalar(12i32))?;
    assert_eq!((&v & 6).item::<i32>()?, 4);
    assert_eq!((&v ^ &scalar(1)).item::<i32>()?, 13);
    assert_eq!((1 << Variable::new(scalar(3i64))?).item::<i64>()?, 8);
    assert_eq!((!&v).item::<i32>()?, -13);
    Ok(())
}

#[test]
fn elsewhere_they_are_refused_with_what_to_write() {
    let text = panics(|| tensor![1.0f32] ^ tensor![2.0f32]);
    assert_eq!(
        text.lines().next().unwrap(),
        "bitxor: `^` is of integers (their bits) and of bools, not of float32; compare first, as in `x.greater(0.0)?`, or \
         cast to integers: `x.cast(i64)?`"
    );
    assert!(text.contains("messages/operators.rs"), "{text}");
    let text = panics(|| tensor![1i32] & tensor![2i64]);
    assert!(
        text.contains("`&` takes two of one dtype, not int32 and int64; cast one of them"),
        "{text}"
    );
    let text = panics(|| tensor![true] | tensor![2i64]);
    assert!(
        text.contains("not bool and int64; compare the integers first, as in `x.not_equal(0)?`"),
        "{text}"
    );
    let text = panics(|| !tensor!["a"]);
    assert!(text.contains("not of string; compare texts first"), "{text}");
    let text = panics(|| tensor![true] << 1);
    assert!(text.contains("left_shift"), "{text}");
    let e = ops::logical_xor(tensor![1.5f32], tensor![true]).unwrap_err();
    assert!(
        e.to_string().starts_with("logical_xor: argument `x` must be bool, not float32"),
        "{e}"
    );
    let e = tensor![true].logical_xor(1).unwrap_err();
    assert!(e.to_string().contains("the number 1 does not fit a tensor of dtype bool"), "{e}");
}
