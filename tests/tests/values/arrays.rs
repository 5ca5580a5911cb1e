//! Arrays as NumPy has them beyond their values: gradients, traces of unknown sizes, wrong calls.

use extype::fft::{Forward, Ortho};
use extype::linalg::Order;
use extype::ops::{Append, EdgeOrder, PadMode, Prepend, Sparse};
use extype::prelude::*;
use extype::{fft, linalg};

type Case = (&'static str, fn(&Tensor) -> Result<Tensor>);

/// Functions of a matrix of float64 that have a gradient.
const SMOOTH: [Case; 23] = [
    ("pad_mode edge", |x| x.pad_mode([[2, 1], [0, 1]], PadMode::Edge)?.square()),
    ("pad_mode reflect", |x| x.pad_mode(3, PadMode::Reflect)?.square()),
    ("pad_mode symmetric", |x| x.pad_mode(4, PadMode::Symmetric)?.square()),
    ("pad_mode wrap", |x| x.pad_mode(4, PadMode::Wrap)?.square()),
    ("pad_with", |x| x.pad_with(2.0, 1)?.square()),
    ("roll", |x| ops::mul(x.roll(1, ..)?, x)),
    ("roll axes", |x| ops::mul(x.roll(1, [0, 1])?, x)),
    ("tile", |x| x.tile([2, 1, 2])?.square()),
    ("rot90", |x| x.rot90((3, [1, 0]))?.square()),
    ("diff", |x| x.diff((Prepend(1.0), Append(x), ops::Times(2)))?.square()),
    ("slope", |x| x.slope((1, EdgeOrder(2)))?.square()),
    ("polyfit", |x| ops::polyfit([0.0, 1.0, 3.0], x.t()?, 1, ..)?.square()),
    ("poly", |x| ops::poly(x.index(1)?)?.square()),
    ("polydiv", |x| Ok(ops::polydiv(x.index(0)?, x.index((1, ..2))?)?.0 + 1.0)),
    ("polyint", |x| ops::polyint(x.index(0)?, ..)?.square()),
    ("insert", |x| x.insert([2, 0], [[1.0, 2.0]], 1)?.square()),
    ("choose", |x| ops::choose([[0, 1, 0], [1, 1, 0]], &[x, &x.square()?])),
    ("block", |x| ops::block(&[[x, x], [x, x]])?.square()),
    ("diag", |x| x.diag(1)?.square()),
    ("matvec", |x| x.matvec(x.index(0)?)),
    ("trace", |x| x.matmul(x.t()?)?.trace()),
    ("tensordot", |x| x.tensordot(x, 2)),
    ("multi_dot", |x| linalg::multi_dot(&[x, &x.t()?, x])),
];

#[test]
fn gradients_agree_with_differences() -> Result<()> {
    let more: [Case; 4] = [
        ("vector_norm", |x| linalg::vector_norm(x, (Order(3.0), [0, 1]))),
        ("matrix_norm", |x| linalg::matrix_norm(x, ..)),
        ("fft", |x| fft::fft(x, Ortho)?.abs()),
        ("hfft", |x| fft::hfft(x, Forward)?.square()),
    ];
    let x = tensor![[0.5f64, -1.0, 2.0], [3.0, 0.25, -2.0]];
    let step = 1e-6;
    for (name, f) in SMOOTH.iter().chain(&more) {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = f(&x)?.sum(..)?;
        let gradient = tape.gradient(&y, &x)?.into_structure()?;
        for i in 0..6 {
            let nudge = ops::zeros(6, f64)?.put([i], step)?.reshape([2, 3])?;
            let (above, below) = (f(&(&x + &nudge))?.sum(..)?, f(&(&x - &nudge))?.sum(..)?);
            let want = (above.item::<f64>()? - below.item::<f64>()?) / (2.0 * step);
            let got = gradient.flatten()?.index(i)?.item::<f64>()?;
            assert!((got - want).abs() < 1e-4, "{name}, element {i}: {got} instead of {want}");
        }
    }
    Ok(())
}

#[test]
fn traces_give_what_calls_give() -> Result<()> {
    let x = tensor![[0.5f64, -1.0, 2.0], [3.0, 0.25, -2.0]];
    for (name, f) in SMOOTH {
        let (traced, want) = (function(f).call(&x)?, f(&x)?);
        assert!(traced.allclose(&want, ..)?.item::<bool>()?, "{name}: {traced}");
    }
    Ok(())
}

#[test]
fn sizes_may_be_unknown_in_a_trace() -> Result<()> {
    fn all(x: &Tensor) -> Result<Vec<Tensor>> {
        let row = x.index(0)?;
        Ok(vec![
            row.pad_mode(2, PadMode::Wrap)?,
            x.pad_mode([[1, 0], [2, 2]], PadMode::Reflect)?,
            x.roll(1, ..)?,
            x.roll(-1, [0, 1])?,
            x.tile(2)?,
            x.pad(1)?,
            row.diff((Prepend(0.0), Append(1.0)))?,
            x.insert([0, -1], 9.0, 1)?,
            x.insert(1, &row, 0)?,
            x.diag(1)?,
            x.diag(-7)?,
            x.trace()?,
            x.rot90(..)?,
            ops::choose(x.greater(0.0)?.cast(i64)?, &[x, &(x * 2.0)])?,
            ops::block(&[[x, x]])?,
            ops::meshgrid(&[row, x.index((.., 0))?], Sparse)?.remove(1),
            row_of_ones(x)?.one_hot(3, ..)?,
            x.extract(x.greater(0.0)?)?,
            linalg::vector_norm(x, [0, 1])?,
            linalg::multi_dot(&[x, &x.t()?, x])?,
            fft::fft(x, Ortho)?.real()?,
            fft::ihfft(x, Forward)?.imag()?,
            ops::ravel_multi_index([[0i64, 1], [1, 2]], ops::shape_of(x)?)?,
        ])
    }

    fn row_of_ones(x: &Tensor) -> Result<Tensor> {
        x.index(0)?.ones_like()?.cast(i64)
    }

    #[tf_function(signature(f64[?, ?]))]
    fn traced(x: &Tensor) -> Result<Vec<Tensor>> {
        all(x)
    }

    for x in [tensor![[0.5f64, -1.0, 2.0], [3.0, 0.25, -2.0]], ops::arange(12.0)?.reshape([3, 4])?]
    {
        let (got, want) = (traced(&x)?, all(&x)?);
        for (i, (got, want)) in got.iter().zip(&want).enumerate() {
            assert_eq!((got.dtype(), got.shape()), (want.dtype(), want.shape()), "result {i}");
            assert!(got.allclose(want, ..)?.item::<bool>()?, "result {i}: {got} for {want}");
        }
    }
    assert_eq!(traced::trace_count(), 1);
    let beyond = function(|(x, at): &(Tensor, Tensor)| x.insert(at, 1.0, 0));
    let e = beyond.call(&(tensor![1.0, 2.0], tensor![3i64])).unwrap_err();
    assert!(e.to_string().contains("out of range"), "{e}");
    Ok(())
}

#[test]
fn wrong_calls_are_refused_in_words() -> Result<()> {
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let mut failures = Vec::new();
    let mut refused = |result: Result<Tensor>, parts: &[&str]| {
        let text = result.map_or_else(|e| e.to_string(), |y| format!("no error, but {y}"));
        for part in parts.iter().filter(|part| !text.contains(**part)) {
            failures.push(format!("no {part:?} in: {text}"));
        }
    };
    refused(x.take([true, false], 0), &["take", "bool", "compress", "extract"]);
    refused(x.greater(2.0)?.extract(&x), &["extract", "float32", "stands first"]);
    refused(x.extract([true, false]), &["extract", "[2]", "[2, 2]", "stands first"]);
    refused(x.extract([[0, 1], [2, 0]]), &["extract", "0 and 1"]);
    refused(x.compress([0.5, 1.0], 0), &["compress", "float64", "bools"]);
    refused(x.compress([true, false, false], 0), &["compress", "3 for 2", "axis 0"]);
    refused(x.insert(0.5, 1, ..), &["insert", "integers", "before the values"]);
    refused(x.insert([0, 5], 1.0, 0), &["insert", "index 5", "axis 0"]);
    refused(x.pad_mode([[1, 1]; 3], PadMode::Edge), &["pad_mode", "3 pairs", "rank 2"]);
    refused(x.pad_mode(-1, PadMode::Edge), &["pad_mode", "negative"]);
    refused(ops::zeros([0], f32)?.pad_mode(1, PadMode::Wrap), &["pad_mode", "no elements"]);
    refused(x.rot90([0]), &["rot90", "two axes"]);
    refused(x.slope((1, EdgeOrder(2))), &["slope", "3 samples", "not 2"]);
    refused(x.slope(EdgeOrder(3)), &["slope", "EdgeOrder", "3"]);
    refused(x.diff(Prepend(vec![vec![1.0], vec![]])), &["diff"]);
    refused(ops::polyfit([1.0, 2.0], [1.0, 2.0, 3.0], 1, ..), &["polyfit", "[3]", "[2]"]);
    refused(ops::roots(&x), &["roots", "vector", "[2, 2]"]);
    refused(ops::roots([1.0, f64::NAN]), &["NaN or infinite"]);
    refused(ops::polyadd(&x, [1.0f32]), &["polyadd", "vector"]);
    refused(ops::polydiv([1.0], ops::zeros(0, f64)?).map(|d| d.0), &["polydiv", "no coefficients"]);
    refused(ops::choose([0, 3], &[1, 2]), &["index 3", "[0, 2)"]);
    refused(ops::choose([0], &[0.0; 0]), &["choose", "no choices"]);
    refused(ops::ravel_multi_index([[2], [0]], [2, 4]), &["outside", "[2 4]"]);
    refused(ops::indices([-1]), &["indices", "-1"]);
    refused(ops::choose([-1], &[1, 2]), &["index -1", "[0, 2)"]);
    refused(tensor![1, 2, 3].take([-5], 0), &["take", "index -5"]);
    refused(tensor![1, 2, 3].take(tensor![u64::MAX], 0), &["take", "18446744073709551615"]);
    refused(tensor![1, 2, 3].delete(tensor![u64::MAX], ..), &["18446744073709551615"]);
    refused(tensor![1, 2, 3].insert(tensor![u64::MAX], 0, ..), &["18446744073709551615"]);
    refused(tensor![1, 2, 3].put([-9], 0), &["put", "index -9"]);
    refused(tensor![1, 2, 3].delete([-5], ..), &["index -5"]);
    refused(x.put_along_axis([[7], [0]], 0.0, 1), &["put_along_axis", "index 7"]);
    refused(ops::sequence_mask(&x, None, i32), &["sequence_mask", "float32"]);
    refused(ops::flip_left_right(&x), &["flip_left_right: an image"]);
    refused(ops::geomspace_with(1.0, 8.0, 0, ops::Endpoint(false)), &["geomspace", "0 numbers"]);
    refused(ops::linspace_with(1.0, 8.0, -1, ops::Endpoint(false)), &["linspace", "-1 numbers"]);
    refused(tensor![1].one_hot(2, (u8, ops::OnValue(scalar(300)))), &["one_hot", "300", "uint8"]);
    refused(random::choice(3.7, 2, ..), &["choice", "integer"]);
    refused(random::choice(true, 2, ..), &["choice", "integer"]);
    refused(random::choice(-3, 2, ..), &["choice", "-3"]);
    refused(tensor![0, 1].one_hot(-3, ..), &["one_hot", "-3", "negative"]);
    refused(ops::block(&[vec![&x], vec![&x, &x]]), &["block", "2", "4"]);
    refused(linalg::diagonal([1.0, 2.0], ..), &["diagonal", "matrix"]);
    refused(linalg::multi_dot(&[&x; 0]), &["multi_dot", "no matrices"]);
    refused(linalg::multi_dot(&[&x, &tensor![[1.0f32, 2.0]]]), &["inner dimensions differ"]);
    refused(random::permutation(-1, ..), &["permutation", "-1"]);
    refused(random::permutation(1.5, ..), &["permutation", "integer"]);
    refused(random::random(3, i32), &["random", "int32"]);
    refused(random::exponential(1.0, 3, i64), &["exponential", "int64"]);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

#[test]
fn a_seed_among_words_tells_the_numbers() -> Result<()> {
    let draws: [fn(random::Seed) -> Result<Tensor>; 6] = [
        |seed| random::uniform([4], 0..1000, (i64, seed)),
        |seed| random::normal([4], 1.0, 2.0, (f64, seed)),
        |seed| random::truncated_normal([4], 1.0, 2.0, seed),
        |seed| random::random(4, seed),
        |seed| random::standard_normal(4, (seed, f64)),
        |seed| random::exponential(2.0, 4, seed),
    ];
    for draw in draws {
        let (x, again, other) =
            (draw(random::Seed(7))?, draw(random::Seed(7))?, draw(random::Seed(8))?);
        assert!(x.array_equal(again)?.item::<bool>()?);
        assert!(!x.array_equal(other)?.item::<bool>()?, "{x}");
    }
    let rows = random::permutation([[1, 2], [3, 4], [5, 6]], random::Seed(1))?;
    let pairs = rows.sum(1)?.sort(..)?;
    assert_eq!(pairs.as_slice::<i32>()?, &[3, 7, 11]);
    Ok(())
}

#[test]
fn places_among_many_elements_are_int64() -> Result<()> {
    let at = ops::ravel_multi_index([[50_000], [0]], [100_000, 100_000])?;
    assert_eq!(at.as_slice::<i64>()?, &[5_000_000_000]);
    let small = ops::ravel_multi_index(tensor![[10i8], [3]], tensor![20i8, 20])?;
    assert_eq!(small.as_slice::<i64>()?, &[203]);
    let mixed = ops::ravel_multi_index(tensor![[1i64], [2]], [2, 3])?;
    assert_eq!(mixed.as_slice::<i64>()?, &[5]);
    Ok(())
}

#[test]
fn sizes_that_differ_are_refused_when_a_trace_runs() -> Result<()> {
    fn runs(
        f: fn(&Tensor, &Tensor) -> Result<Tensor>,
        [x, y]: [&Tensor; 2],
    ) -> Result<Vec<Tensor>> {
        let open = |t: &Tensor| TensorSpec::new(Shape::of_rank(t.rank().unwrap_or(0)), t.dtype());
        let traced = function(move |(x, y): &(Tensor, Tensor)| f(x, y));
        traced.concrete(&(open(x), open(y)))?.call_flat(&[x.clone(), y.clone()])
    }
    let x = tensor![[1, 2], [3, 4], [5, 6]];
    let put: fn(&Tensor, &Tensor) -> Result<Tensor> = |x, at| x.put_along_axis(at, 0, 1);
    assert_eq!(runs(put, [&x, &tensor![[0], [1], [-1]]])?[0].to_vec::<i32>()?, [0, 2, 3, 0, 5, 0]);
    assert!(runs(put, [&x, &tensor![[0]]]).is_err());
    let take: fn(&Tensor, &Tensor) -> Result<Tensor> = |x, at| x.take_along_axis(at, 1);
    assert!(runs(take, [&x, &tensor![[0]]]).is_err());
    let compress: fn(&Tensor, &Tensor) -> Result<Tensor> = |x, c| x.compress(c, 0);
    assert_eq!(runs(compress, [&x, &tensor![0, 1]])?[0].to_vec::<i32>()?, [3, 4]);
    assert!(runs(compress, [&x, &tensor![0, 5]]).is_err());
    assert_eq!(x.compress(tensor![0u8, 1], 0)?.to_vec::<i32>()?, [3, 4]);
    let extract: fn(&Tensor, &Tensor) -> Result<Tensor> = |x, c| x.extract(c);
    assert_eq!(runs(extract, [&x, &x.greater(4)?])?[0].to_vec::<i32>()?, [5, 6]);
    assert!(runs(extract, [&x, &tensor![true, true, false, true]]).is_err());
    let mask: fn(&Tensor, &Tensor) -> Result<Tensor> = |x, c| x.boolean_mask(c, 0);
    assert_eq!(runs(mask, [&x, &x.less(3)?])?[0].to_vec::<i32>()?, [1, 2]);
    assert!(runs(mask, [&x, &x.less(3)?.t()?]).is_err());
    Ok(())
}

#[test]
fn options_are_taken_whole() -> Result<()> {
    let x = tensor![1.0, 2.0];
    assert!(x.allclose(&x, ops::Closeness::default())?.item::<bool>()?);
    assert!(ops::array_equal_with(&x, &x, ops::Equality::default())?.item::<bool>()?);
    assert_eq!(x.vander(ops::Powers::default())?.shape(), shape![2, 2]);
    assert_eq!(ops::meshgrid(&[&x], ops::Grid::default())?.len(), 1);
    assert_eq!(x.trim_zeros(ops::Trimmed::default())?.shape(), shape![2]);
    assert_eq!(x.expand_dims(0)?.rot90(ops::Turns::default())?.shape(), shape![2, 1]);
    let below = ops::Region { columns: Some(3), diagonal: -1 };
    assert_eq!(ops::tril_indices(2, below)?.0.to_vec::<i64>()?, [1]);
    Ok(())
}
