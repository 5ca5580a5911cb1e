//! Parts of tensors and variables replaced: values, gradients, loops without copies.

use extype::prelude::*;

/// `x` with rows replaced one by one.
#[tf_function]
fn counted(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    let mut i = scalar(0i64);
    while &i < n {
        x[&i] = i.cast(f32)? * 2.0;
        i += 1;
    }
    Ok(x)
}

#[tf_function]
fn changed(x: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    x[(.., 0)] = 9.0;
    x[(1, 1..)] += 10.0;
    if x.index((0, 1))? > 0.0 {
        x[-1] = tensor![7.0f32, 8.0, 9.0];
    }
    Ok(x)
}

#[test]
fn brackets_replace_parts_on_values_and_in_traces() -> Result<()> {
    let x = tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0], [0.0, 0.0, 0.0]];
    let want = [9.0, 2.0, 3.0, 9.0, 15.0, 16.0, 7.0, 8.0, 9.0];
    assert_eq!(changed(&x)?.as_slice::<f32>()?, &want);
    assert_eq!(changed::__body(&x)?.as_slice::<f32>()?, &want);
    assert_eq!(x.index(0)?.as_slice::<f32>()?, &[1.0, 2.0, 3.0], "the argument is as before");
    let y = counted(&ops::zeros([5], f32)?, &scalar(4i64))?;
    assert_eq!(y.as_slice::<f32>()?, &[0.0, 2.0, 4.0, 6.0, 0.0]);
    Ok(())
}

/// Rust values are indexed as ever.
#[tf_function]
fn plain(n: &i64) -> Result<Tensor> {
    let mut counts = vec![0i64; 3];
    let mut grid = [[0u8; 2]; 2];
    let mut boxed: Box<[f64]> = vec![0.0; 2].into();
    counts[0] = *n;
    counts[1] += counts[0];
    grid[1][0] = 7;
    boxed[1] = 0.5;
    fill(&mut counts, 2);
    let mut names = vec![String::new()];
    names[0] += "a";
    Ok(Tensor::from_vec(counts) + i64::from(grid[1][0]) + names[0].len() as i64 + boxed[1] as i64)
}

struct Pair {
    a: i64,
}

fn double(x: i64) -> i64 {
    2 * x
}

/// A value that the place infers or coerces, and a struct literal, are assigned as ever.
#[tf_function]
fn inferred(text: &str) -> Result<Tensor> {
    let mut numbers: Vec<i64> = Vec::from([0; 3]);
    numbers[0] = text.parse().unwrap_or_default();
    numbers[1] = 7u8.into();
    numbers[2] = [1, 2].iter().sum();
    let mut pairs = Vec::from([Pair { a: 0 }]);
    pairs[0] = Pair { a: 4 };
    let mut functions: Vec<fn(i64) -> i64> = Vec::from([i64::abs as fn(i64) -> i64]);
    functions[0] = double;
    let owned = String::from("abc");
    let mut texts: Vec<&str> = Vec::from([""]);
    let lent = &owned;
    texts[0] = lent;
    let first: Box<dyn Fn() -> i64> = Box::new(|| 0i64);
    let mut shown = Vec::from([first]);
    let boxed = Box::new(|| 5i64);
    shown[0] = boxed;
    let more = functions[0](pairs[0].a) + texts[0].len() as i64 + shown[0]();
    Ok(Tensor::from_vec(numbers) + more)
}

fn fill(counts: &mut [i64], at: usize) {
    counts[at] = 5;
}

#[test]
fn brackets_of_rust_values_stay() -> Result<()> {
    assert_eq!(plain(&3)?.as_slice::<i64>()?, &[11, 11, 13]);
    assert_eq!(inferred("2")?.as_slice::<i64>()?, &[18, 23, 19]);
    Ok(())
}

#[test]
fn gradients_go_to_what_is_left_and_to_the_value() -> Result<()> {
    let (x, v) = (tensor![[1.0f32, 2.0], [3.0, 4.0]], tensor![5.0f32, 6.0]);
    let f = function(|x: &Tensor, v: &Tensor| {
        ops::mul(x.with((.., 0), v)?, tensor![[1.0f32, 2.0], [3.0, 4.0]])
    });
    for traced in [false, true] {
        let run = || match traced {
            true => f.call(&x, &v),
            false => ops::mul(x.with((.., 0), &v)?, tensor![[1.0f32, 2.0], [3.0, 4.0]]),
        };
        let sources = (x.clone(), v.clone());
        let (_, found) = GradientTape::new().value_and_gradient(&sources, run)?;
        let (gx, gv) = found.into_structure()?;
        assert_eq!(gx.as_slice::<f32>()?, &[0.0, 2.0, 0.0, 4.0]);
        assert_eq!(gv.as_slice::<f32>()?, &[1.0, 3.0]);
    }
    // A value that is repeated gets the sum.
    let g = grad(|v: &Tensor| x.with(.., v)?.square())(&scalar(3.0f32))?;
    assert_eq!(g.item::<f32>()?, 24.0);
    Ok(())
}

#[test]
fn a_part_that_does_not_fit_is_refused_while_tracing() {
    let x = TensorSpec::of::<f32>([3, 2]);
    let wide = function(|x: &Tensor| x.with(0, tensor![1.0f32, 2.0, 3.0]));
    assert!(wide.concrete(&x).is_err());
    let outside = function(|x: &Tensor| x.with(3, 1.0));
    assert!(outside.concrete(&x).is_err());
    let unknown = function(|x: &Tensor| x.with(3, 1.0));
    assert!(unknown.concrete(&TensorSpec::new(Shape::unknown(), f32)).is_ok());
    let mut y = tensor![1.0f32, 2.0];
    assert!(y.set(5, 1.0).is_err());
    assert_eq!(y.to_vec::<f32>().unwrap(), [1.0, 2.0], "an error leaves it as it was");
}

/// The most bytes that a program holds at once, as its text says.
fn peak(text: &str) -> usize {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("# at most ")).expect(text);
    line.split(' ').next().and_then(|n| n.parse().ok()).expect(text)
}

#[test]
fn a_loop_that_writes_rows_makes_no_copies() -> Result<()> {
    let bytes = |rows: usize| -> Result<usize> {
        let f = counted::concrete(&TensorSpec::of::<f32>([rows, 8]), &TensorSpec::of::<i64>([]))?;
        Ok(peak(&f.program()?))
    };
    let rows = 1 << 14;
    assert!(bytes(rows)? < 32 * rows + 1000, "{} bytes for {}", bytes(rows)?, 32 * rows);
    Ok(())
}

#[test]
fn parts_of_a_variable_are_changed_where_they_are() -> Result<()> {
    let n = 1 << 16;
    let v = Variable::new(ops::zeros([n], f32)?)?;
    let at = |v: &Variable| -> Result<usize> { Ok(v.read()?.as_slice::<f32>()?.as_ptr() as usize) };
    let before = at(&v)?;
    for i in 0..100 {
        v.index_assign(i, 1.0)?;
        v.index_add(i..2 * i, 1.0)?;
        v.index_sub(-1, 1.0)?;
    }
    let write = function({
        let v = v.clone();
        move |i: &Tensor| v.index_assign(i, 5.0)
    });
    write.call(&scalar(7i64))?;
    assert_eq!(at(&v)?, before);
    let value = v.read()?;
    assert_eq!(value.index(7)?.item::<f32>()?, 5.0);
    assert_eq!(value.index(-1)?.item::<f32>()?, -100.0);
    // What was read stays as it was.
    v.index_assign(7, 6.0)?;
    assert_eq!(value.index(7)?.item::<f32>()?, 5.0);
    assert_eq!(v.read()?.index(7)?.item::<f32>()?, 6.0);
    assert!(v.index_assign(n, 1.0).is_err());
    assert_eq!(v.read()?.shape(), shape![n]);
    Ok(())
}
