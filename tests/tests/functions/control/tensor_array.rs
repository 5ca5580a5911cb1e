//! Lists of tensors as structures.

use extype::control::TensorArray;
use extype::prelude::*;

fn refused<T: std::fmt::Debug>(result: Result<T>, parts: &[&str]) {
    let text = result.unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

fn pair() -> TensorSpec {
    TensorSpec::of::<f32>([2])
}

/// What a function gives eagerly and traced.
#[track_caller]
fn both<A: Structure, R: Structure>(f: impl Fn(&A) -> Result<R> + Copy, x: &A) -> Result<[R; 2]> {
    Ok([f(x)?, function(f).call(x)?])
}

#[test]
fn what_is_written_is_read_and_stacked() -> Result<()> {
    let write = |x: &Tensor| {
        let array = TensorArray::new(3, &pair())?.write(2, x)?.write(0, &ops::neg(x)?)?;
        Ok((array.stack()?, array.read(2)?, array.read(1)?, array.size()?))
    };
    for (rows, last, unset, size) in both(write, &tensor![1.0f32, 2.0])? {
        assert_eq!(rows.as_slice::<f32>()?, &[-1.0, -2.0, 0.0, 0.0, 1.0, 2.0]);
        assert_eq!(last.as_slice::<f32>()?, &[1.0, 2.0]);
        assert_eq!(unset.as_slice::<f32>()?, &[0.0, 0.0]);
        assert_eq!((size.item::<i32>()?, rows.shape()), (3, shape![3, 2]));
    }
    Ok(())
}

#[test]
fn an_array_is_a_value_that_older_ones_share_with() -> Result<()> {
    let a = TensorArray::new(2, &pair())?;
    let b = a.write(0, &tensor![1.0f32, 1.0])?;
    let c = b.write(0, &tensor![2.0f32, 2.0])?;
    let first = |x: &TensorArray| x.read(0)?.to_vec::<f32>();
    assert_eq!((first(&a)?, first(&b)?, first(&c)?), (vec![0.0; 2], vec![1.0; 2], vec![2.0; 2]));
    Ok(())
}

#[test]
fn it_goes_through_traced_functions() -> Result<()> {
    let f = function(|a: &TensorArray, x: &Tensor| a.write(1, x));
    let a = f.call(&TensorArray::new(2, &pair())?, &tensor![1.0f32, 2.0])?;
    let a = f.call(&a, &tensor![3.0f32, 4.0])?;
    assert_eq!(a.stack()?.as_slice::<f32>()?, &[0.0, 0.0, 3.0, 4.0]);
    assert_eq!(f.trace_count(), 1);
    f.call(&TensorArray::new(2, &TensorSpec::of::<f32>(shape![?]))?, &tensor![3.0f32, 4.0])?;
    assert_eq!(f.trace_count(), 2);
    Ok(())
}

#[test]
fn one_that_grows_is_pushed_to_and_popped_from() -> Result<()> {
    let push = |x: &Tensor| {
        let array = TensorArray::growing(&TensorSpec::of::<f32>([]))?.push(x)?.push(&(x * 2.0))?;
        let (array, last) = array.push(&(x * 3.0))?.pop()?;
        let longer = array.write(4, x)?;
        Ok((array.stack()?, last, longer.stack()?))
    };
    for (rows, last, longer) in both(push, &scalar(1.0f32))? {
        assert_eq!((rows.to_vec::<f32>()?, last.item::<f32>()?), (vec![1.0, 2.0], 3.0));
        assert_eq!(longer.to_vec::<f32>()?, [1.0, 2.0, 0.0, 0.0, 1.0]);
    }
    Ok(())
}

#[test]
fn rows_and_parts_come_and_go() -> Result<()> {
    let f = |x: &Tensor| {
        let rows = TensorArray::unstack(x)?;
        let parts = TensorArray::split(x, tensor![1i64, 0, 2])?;
        let scattered = rows.scatter([0, 2], &ops::neg(&rows.gather([2, 0])?)?)?;
        Ok((parts.concat()?, parts.read(2)?, parts.read(1)?, scattered.stack()?))
    };
    for (whole, last, none, scattered) in both(f, &tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?
    {
        assert_eq!(whole.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!((last.shape(), none.shape()), (shape![2, 2], shape![0, 2]));
        assert_eq!(scattered.to_vec::<f32>()?, [-5.0, -6.0, 3.0, 4.0, -1.0, -2.0]);
    }
    // A place may be taken twice; the last value stays.
    let twice = TensorArray::unstack(&tensor![1, 2])?.scatter([0, 0], &tensor![7, 8])?;
    assert_eq!(twice.stack()?.to_vec::<i32>()?, [8, 2]);
    Ok(())
}

#[test]
fn gradients_pass_it() -> Result<()> {
    // Each written value by its own weight; what was overwritten has none.
    let f = |x: &Tensor| {
        let array = TensorArray::new(3, &TensorSpec::of::<f32>([]))?;
        let array = array.write(0, &(x * 10.0))?.write(1, &(x * x))?.write(0, x)?;
        let weights = tensor![2.0f32, 3.0, 5.0];
        Ok(array.stack()?.reduce_sum(.., false)?
            + (array.read(1)? * &weights).reduce_sum(.., false)?)
    };
    let x = scalar(4.0f32);
    // 1 + 2x + 10 * 2x.
    assert_eq!(extype::grad(f)(&x)?.item::<f32>()?, 89.0);
    let traced = function(f);
    assert_eq!(extype::grad(|x: &Tensor| traced.call(x))(&x)?.item::<f32>()?, 89.0);
    // 2 + 10 * 2, of second order.
    let second = extype::grad(extype::grad(f))(&x)?;
    assert_eq!(second.item::<f32>()?, 22.0);
    Ok(())
}

#[test]
fn gradients_pass_every_way_in_and_out() -> Result<()> {
    type F = fn(&Tensor) -> Result<Tensor>;
    let ways: [(F, [f32; 3]); 6] = [
        (|x| TensorArray::unstack(x)?.gather([2, 0, 2]), [1.0, 0.0, 2.0]),
        (|x| TensorArray::split(x, tensor![2i64, 1])?.read(0), [1.0, 1.0, 0.0]),
        (|x| TensorArray::split(x, tensor![2i64, 1])?.concat(), [1.0, 1.0, 1.0]),
        (
            |x| {
                let array =
                    TensorArray::growing(&TensorSpec::of::<f32>([3]))?.push(x)?.push(&(x * 3.0))?;
                let (array, last) = array.pop()?;
                ops::add(&last, &array.read(0)?)
            },
            [4.0, 4.0, 4.0],
        ),
        (
            |x| TensorArray::new(4, &TensorSpec::of::<f32>([]))?.scatter([3, 1, 0], x)?.read(1),
            [0.0, 1.0, 0.0],
        ),
        (
            |x| {
                let rows = TensorArray::unstack(x)?;
                rows.scatter([1], &tensor![9.0f32])?.stack()
            },
            [1.0, 0.0, 1.0],
        ),
    ];
    for (i, (f, want)) in ways.into_iter().enumerate() {
        let x = tensor![1.0f32, 2.0, 3.0];
        assert_eq!(extype::grad(f)(&x)?.to_vec::<f32>()?, want, "{i}");
        let traced = function(move |x: &Tensor| f(x));
        let slope = extype::grad(|x: &Tensor| traced.call(x))(&x)?;
        assert_eq!(slope.to_vec::<f32>()?, want, "{i}, traced");
    }
    Ok(())
}

#[test]
fn strings_and_bools_are_elements_too() -> Result<()> {
    let words = TensorArray::new(2, &TensorSpec::new([], DType::String))?;
    let words = words.write(1, &Tensor::from("b"))?.stack()?;
    assert_eq!(words.value()?.as_strings()?, [b"".to_vec(), b"b".to_vec()]);
    let flags = TensorArray::new(2, &TensorSpec::of::<bool>([]))?.write(0, &scalar(true))?;
    assert_eq!(flags.stack()?.to_vec::<bool>()?, [true, false]);
    Ok(())
}

#[test]
fn wrong_uses_say_what_is_wrong() -> Result<()> {
    let array = TensorArray::new(2, &pair())?;
    let x = tensor![1.0f32, 2.0];
    refused(array.write(2, &x), &["index 2", "2 elements"]);
    refused(array.write(-1, &x), &["index -1"]);
    refused(array.read(5), &["index 5"]);
    refused(array.write(0, &tensor![1, 2]), &["float32[2]", "int32[2]"]);
    refused(array.write(0, &scalar(1.0f32)), &["float32[2]", "takes no float32"]);
    refused(array.write(0.5, &x), &["integer", "float"]);
    refused(array.push(&x), &["growing"]);
    refused(array.pop(), &["growing"]);
    refused(TensorArray::new(-1, &pair()), &["-1 elements"]);
    refused(TensorArray::unstack(&scalar(1.0f32)), &["scalar"]);
    refused(TensorArray::growing(&pair())?.pop(), &["empty list"]);
    refused(TensorArray::split(&tensor![1, 2], [1, 2]), &["2"]);
    let open = TensorArray::new(2, &TensorSpec::of::<f32>(shape![?]))?;
    refused(open.read(0), &["never set", "[?]"]);
    refused(open.write(0, &x)?.write(1, &tensor![1.0f32])?.stack(), &["[1]", "[2]"]);
    // What was never written has the shape of what was.
    assert_eq!(open.write(1, &x)?.stack()?.shape(), shape![2, 2]);
    // A list for billions costs nothing before it is a tensor.
    let huge = TensorArray::new(i32::MAX, &pair())?.write(7, &x)?;
    assert_eq!(huge.read(7)?.to_vec::<f32>()?, [1.0, 2.0]);
    Ok(())
}

#[test]
fn loops_and_branches_carry_it() -> Result<()> {
    let squares = |n: &Tensor| {
        let array = TensorArray::growing(&TensorSpec::of::<i64>([]))?;
        let (_, array) = while_loop(
            (scalar(0i64), array),
            |(i, _)| ops::less(i, n),
            |(i, array)| {
                let odd = ops::equal(&(&i % 2), 1)?;
                let array = cond(&odd, || array.push(&(&i * &i)), || Ok(array.clone()))?;
                Ok((i + 1, array))
            },
        )?;
        array.stack()
    };
    for n in [7i64, 2, 0] {
        let want: Vec<i64> = (0..n).filter(|i| i % 2 == 1).map(|i| i * i).collect();
        for found in both(squares, &Tensor::scalar(n))? {
            assert_eq!(found.to_vec::<i64>()?, want);
        }
    }
    Ok(())
}

#[test]
fn gradients_pass_loops_that_carry_it() -> Result<()> {
    // x, x^2, … x^n, and a branch that writes twice what it reads.
    let powers = |x: &Tensor| {
        let array = TensorArray::new(4, &TensorSpec::of::<f64>([]))?;
        let (_, _, array) = while_loop(
            (scalar(0i64), scalar(1.0f64), array),
            |(i, _, _)| ops::less(i, 4),
            |(i, y, array)| {
                let y = ops::mul(&y, x)?;
                let array = array.write(&i, &y)?;
                let last = ops::equal(&i, 3)?;
                let array =
                    cond(&last, || array.write(0, &(array.read(0)? * 2.0)), || Ok(array.clone()))?;
                Ok((i + 1, y, array))
            },
        )?;
        array.stack()
    };
    let x = scalar(2.0f64);
    for found in both(powers, &x)? {
        assert_eq!(found.to_vec::<f64>()?, [4.0, 4.0, 8.0, 16.0]);
    }
    // 2 + 2x + 3x^2 + 4x^3, and its slope 2 + 6x + 12x^2.
    assert_eq!(extype::grad(powers)(&x)?.item::<f64>()?, 50.0);
    let traced = function(powers);
    assert_eq!(extype::grad(|x: &Tensor| traced.call(x))(&x)?.item::<f64>()?, 50.0);
    let within = function(|x: &Tensor| extype::grad(powers)(x));
    assert_eq!(within.call(&x)?.item::<f64>()?, 50.0);
    let second = extype::grad(extype::grad(|x: &Tensor| traced.call(x)))(&x)?;
    assert_eq!(second.item::<f64>()?, 62.0);
    Ok(())
}

#[test]
fn elements_of_unlike_shapes_have_gradients_of_two_orders() -> Result<()> {
    let f = |x: &Tensor| {
        let list = TensorArray::growing(&TensorSpec::new(shape![?], DType::F64))?;
        let list = list.push(x)?.push(&x.slice([0], [1])?.square()?)?.write(0, &x.sin()?)?;
        let (list, last) = list.push(&x.exp()?)?.pop()?;
        let all = ops::mul(&list.concat()?.reduce_sum(.., false)?, &last.reduce_sum(.., false)?)?;
        ops::mul(&all, &list.read(1)?.reduce_sum(.., false)?)
    };
    let second = |f: &dyn Fn(&Tensor) -> Result<Tensor>, x: &Tensor| {
        let slope = extype::grad(f);
        extype::grad(|x: &Tensor| slope(x)?.reduce_sum(.., false))(x)
    };
    let x = tensor![0.3f64, -0.7];
    let want = second(
        &|x: &Tensor| {
            let first = x.slice([0], [1])?.square()?.reduce_sum(.., false)?;
            let sum = ops::add(&x.sin()?.reduce_sum(.., false)?, &first)?;
            ops::mul(&ops::mul(&sum, &x.exp()?.reduce_sum(.., false)?)?, &first)
        },
        &x,
    )?;
    let traced = function(f);
    for got in [second(&f, &x)?, second(&|x: &Tensor| traced.call(x), &x)?] {
        let (got, want) = (got.to_vec::<f64>()?, want.to_vec::<f64>()?);
        assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?} {want:?}");
    }
    Ok(())
}
