//! Places, counts and sizes past 32 and 64 bits are refused, and never cut.

use extype::control::{TensorArray, WhileLoop};
use extype::prelude::*;

const PAST_32: i64 = 1 << 32;

/// What a function of a number gives eagerly and traced.
fn both<R: Structure>(f: impl Fn(&Tensor) -> Result<R> + Copy, n: &Tensor) -> [Result<R>; 2] {
    [f(n), function(f).call(n)]
}

#[track_caller]
fn refused<R: Structure + std::fmt::Debug>(f: impl Fn(&Tensor) -> Result<R> + Copy, n: &Tensor) {
    for result in both(f, n) {
        let e = result.expect_err("a number that does not fit");
        assert_eq!(e.kind(), ErrorKind::OutOfRange, "{e}");
        let text = e.to_string();
        assert!(text.contains("places.rs"), "no line of the caller in: {text}");
    }
}

fn far() -> [Tensor; 5] {
    [scalar(PAST_32), scalar(-PAST_32), scalar(1u32 << 31), scalar(u64::MAX), scalar(1u64 << 63)]
}

#[test]
fn places_in_lists_are_not_cut() -> Result<()> {
    let spec = TensorSpec::of::<f32>([]);
    let list = || TensorArray::new(2, &TensorSpec::of::<f32>([]));
    let one = scalar(7.0f32);
    for n in far() {
        refused(|n| list()?.write(n, &one)?.stack(), &n);
        refused(|n| list()?.read(n), &n);
        refused(|n| list()?.gather(&n.reshape([1])?), &n);
        refused(|n| list()?.scatter(&n.reshape([1])?, &tensor![1.0f32])?.stack(), &n);
        refused(|n| TensorArray::growing(&spec)?.write(n, &one)?.size(), &n);
    }
    for n in [scalar(PAST_32), scalar(1u32 << 31), scalar(u64::MAX)] {
        refused(|n| TensorArray::new(n, &spec)?.size(), &n);
    }
    // What fits is taken, of every dtype.
    for n in [scalar(1i8), scalar(1u8), scalar(1u16), scalar(1u32), scalar(1i64), scalar(1u64)] {
        let write = |n: &Tensor| list()?.write(n, &one)?.stack();
        for rows in both(write, &n) {
            assert_eq!(rows?.as_slice::<f32>()?, &[0.0, 7.0]);
        }
    }
    Ok(())
}

#[test]
fn indices_are_not_cut() -> Result<()> {
    let x = tensor![1.0f32, 2.0, 3.0];
    for n in [scalar(u64::MAX), scalar(1u64 << 63)] {
        refused(|n| x.index(n), &n);
        refused(|n| x.index(..n), &n);
        refused(|n| x.repeat(n, 0), &n);
        refused(|n| x.take(&n.reshape([1])?, 0), &n);
        refused(|n| ops::bincount(&n.reshape([1])?, ..), &n);
        refused(|n| ops::sequence_mask(&n.reshape([1])?, None, DType::Bool), &n);
    }
    for n in [scalar(1u64), scalar(1u32)] {
        for y in both(|n| x.index(n), &n) {
            assert_eq!(y?.item::<f32>()?, 2.0);
        }
    }
    Ok(())
}

#[test]
fn numbers_of_iterations_are_not_cut() -> Result<()> {
    let steps = |n: &Tensor| {
        let body = |i: Tensor| ops::add(&i, 1);
        WhileLoop::new(scalar(0i32)).maximum_iterations(n).run(|i| i.less(5), body)
    };
    refused(steps, &scalar(u64::MAX));
    for n in both(steps, &scalar(3u64)) {
        assert_eq!(n?.item::<i32>()?, 3);
    }
    for n in both(steps, &scalar(i64::MAX)) {
        assert_eq!(n?.item::<i32>()?, 5);
    }
    Ok(())
}

#[test]
fn elements_may_have_sizes_past_32_bits() -> Result<()> {
    let x = Tensor::from_slice::<f32>(&[], &[2, 1 << 31, 0])?;
    let rows = |x: &Tensor| {
        let list = TensorArray::unstack(x)?;
        Ok((list.read(1)?, list.stack()?, list.gather([1])?))
    };
    for found in both(rows, &x) {
        let (row, all, some) = found?;
        assert_eq!(row.shape(), Shape::from([1 << 31, 0]));
        assert_eq!(all.shape(), x.shape());
        assert_eq!(some.shape(), Shape::from([1, 1 << 31, 0]));
    }
    let spec = TensorSpec::new(shape![1099511627776, 0], f32);
    assert_eq!(TensorArray::new(1, &spec)?.read(0)?.shape(), spec.shape);
    // More elements than places.
    let many = Tensor::from_slice::<f32>(&[], &[1 << 40, 0])?;
    let e = TensorArray::unstack(&many).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::ResourceExhausted, "{e}");
    Ok(())
}

#[test]
fn the_smallest_integer_is_a_shift_like_others() -> Result<()> {
    let x = tensor![1, 2, 3, 4, 5];
    let roll = |x: &Tensor| x.roll([i64::MIN], [0]);
    // -2^63 is 2 modulo 5.
    for y in both(roll, &x) {
        assert_eq!(y?.as_slice::<i32>()?, &[4, 5, 1, 2, 3]);
    }
    // A size that tracing does not know is refused, with what helps.
    #[tf_function(signature(f32[?]))]
    fn zeros(x: &Tensor) -> Result<Tensor> {
        ops::zeros(x.shape(), f32)
    }
    let e = zeros(&tensor![1.0f32]).unwrap_err().to_string();
    assert!(e.contains("unknown while tracing") && e.contains("shape_of"), "{e}");
    Ok(())
}

#[test]
fn scalars_in_a_list_are_not_joined() -> Result<()> {
    let join = |x: &Tensor| {
        TensorArray::growing(&TensorSpec::new(Shape::unknown(), f32))?.push(x)?.concat()
    };
    for result in both(join, &scalar(1.0f32)) {
        let e = result.unwrap_err();
        assert!(e.to_string().contains("scalars have no axis"), "{e}");
    }
    for joined in both(join, &tensor![1.0f32, 2.0]) {
        assert_eq!(joined?.as_slice::<f32>()?, &[1.0, 2.0]);
    }
    Ok(())
}

/// A list that is changed where it is, since nobody else holds it, is not one that somebody holds.
#[test]
fn lists_of_which_older_ones_are_used_stay_what_they_are() -> Result<()> {
    let versions = |n: &Tensor| {
        let mut list = TensorArray::new(3, &TensorSpec::of::<i32>([]))?;
        let first = list.clone();
        let mut kept = TensorArray::new(3, &TensorSpec::of::<i32>([]))?;
        for i in 0..3 {
            if i == 2 {
                kept = list.clone();
            }
            list = list.write(i, &ops::add(n, i)?)?;
        }
        let twice = list.write(0, &scalar(-1))?;
        Ok((first.stack()?, kept.stack()?, list.stack()?, twice.stack()?))
    };
    for found in both(versions, &scalar(5)) {
        let (first, kept, list, twice) = found?;
        assert_eq!(first.as_slice::<i32>()?, &[0, 0, 0]);
        assert_eq!(kept.as_slice::<i32>()?, &[5, 6, 0]);
        assert_eq!(list.as_slice::<i32>()?, &[5, 6, 7]);
        assert_eq!(twice.as_slice::<i32>()?, &[-1, 6, 7]);
    }
    // In a loop, which hands the list on and keeps one of its versions.
    let loops = function(|n: &Tensor| {
        let spec = TensorSpec::of::<i32>([]);
        let vars = (scalar(0), TensorArray::growing(&spec)?, TensorArray::growing(&spec)?);
        let step = |(i, list, kept): (Tensor, TensorArray, TensorArray)| {
            let list = list.push(&i)?;
            let kept = cond(&ops::equal(&i, 2)?, || Ok(list.clone()), || Ok(kept.clone()))?;
            let (list, last) = list.push(&i)?.pop()?;
            Ok((ops::add(&last, 1)?, list, kept))
        };
        let (_, list, kept) = while_loop(vars, |(i, ..)| i.less(n), step)?;
        Ok((list.stack()?, kept.stack()?))
    });
    let (list, kept) = loops.call(&scalar(5))?;
    assert_eq!(list.as_slice::<i32>()?, &[0, 1, 2, 3, 4]);
    assert_eq!(kept.as_slice::<i32>()?, &[0, 1, 2]);
    // A list that a function was called with stays.
    let push = function(|list: &TensorArray| list.push(&scalar(9))?.push(&scalar(10)));
    let list = TensorArray::growing(&TensorSpec::of::<i32>([]))?.push(&scalar(1))?;
    let more = push.call(&list)?;
    assert_eq!(list.stack()?.as_slice::<i32>()?, &[1]);
    assert_eq!(more.stack()?.as_slice::<i32>()?, &[1, 9, 10]);
    Ok(())
}
