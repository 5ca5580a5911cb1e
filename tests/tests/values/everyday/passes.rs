//! Edges of what is computed in few passes: tables, views that begin anywhere, runs, parts.

use extype::prelude::*;
use extype::{linalg, ops};
use num_complex::Complex64;

const INF: f64 = f64::INFINITY;

fn numbers(x: &Tensor) -> Vec<f64> {
    x.cast(f64).and_then(|x| x.to_vec()).expect("numbers")
}

/// `n` numbers in no order, between -1 and 1.
fn noise(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7919 + 13) % 10_007) as f64 / 5000.0 - 1.0).collect()
}

#[test]
fn elements_are_found_in_any_dtype() {
    let of = |x: Result<Tensor>| x.unwrap().to_vec::<bool>().unwrap();
    assert_eq!(
        of(tensor![[f64::NAN, 0.0], [-0.0, INF]].isin([f64::NAN, 0.0, INF])),
        [false, true, true, true]
    );
    assert_eq!(
        of(tensor![i64::MIN, i64::MAX, 0].isin(&tensor![i64::MAX, i64::MIN])),
        [true, true, false]
    );
    assert_eq!(of(tensor![true, false].isin(&tensor![false])), [false, true]);
    assert_eq!(of(tensor!["a", "b"].isin(&tensor!["b", "c"])), [false, true]);
    assert_eq!(of(tensor![1, 2].isin(ops::zeros([0], i32).unwrap())), [false, false]);
    assert!(of(ops::zeros([0, 3], i32).unwrap().isin([1])).is_empty());
    let wide: Vec<i64> = (0..5000).map(|i| i * 7919 % 1000).collect();
    let some = ops::arange(500i64).unwrap();
    let found = of(Tensor::from_vec(wide.clone()).isin(&some));
    assert!(found.iter().zip(&wide).all(|(found, x)| *found == (*x < 500)));
}

#[test]
fn distinct_whole_numbers_are_counted() {
    let x: Vec<i32> = (0..3000).map(|i| i % 7 - 3).collect();
    let (y, ids, counts) = Tensor::from_vec(x.clone()).unique_with_counts().unwrap();
    assert_eq!(y.to_vec::<i32>().unwrap(), [-3, -2, -1, 0, 1, 2, 3]);
    assert_eq!(counts.to_vec::<i32>().unwrap(), [429, 429, 429, 429, 428, 428, 428]);
    assert_eq!(y.gather(&ids, 0).unwrap().to_vec::<i32>().unwrap(), x);
    let (y, _, counts) = tensor![5i8, 5, -128, 127, 5].unique_with_counts().unwrap();
    assert_eq!(y.to_vec::<i8>().unwrap(), [5, -128, 127]);
    assert_eq!(counts.to_vec::<i32>().unwrap(), [3, 1, 1]);
}

#[test]
fn partitions_put_one_element_in_its_place() {
    let x = noise(4000);
    let mut sorted = x.clone();
    sorted.sort_by(f64::total_cmp);
    let t = Tensor::from_vec(x).reshape([2, 2000]).unwrap();
    for place in [0i64, 1, 999, 1999, -1, -2000] {
        let flat = t.reshape([-1]).unwrap().partition(place, ..).unwrap();
        let at = place.rem_euclid(4000) as usize;
        let y = numbers(&flat);
        assert_eq!(y[at], sorted[at]);
        assert!(y[..at].iter().all(|x| *x <= y[at]) && y[at..].iter().all(|x| *x >= y[at]));
        for (row, whole) in numbers(&t.partition(place, 1).unwrap())
            .chunks(2000)
            .zip(numbers(&t.sort(1).unwrap()).chunks(2000))
        {
            assert_eq!(
                row[place.rem_euclid(2000) as usize],
                whole[place.rem_euclid(2000) as usize]
            );
        }
        assert_eq!(flat.sort(..).unwrap().to_vec::<f64>().unwrap(), sorted);
    }
    let down = tensor![3, 1, 2, 9].partition(0, ops::Descending).unwrap();
    assert_eq!(down.to_vec::<i32>().unwrap()[0], 9);
    assert!(numbers(&tensor![f64::NAN, 1.0, 0.0].partition(0, ..).unwrap())[2].is_nan());
    assert!(tensor![1, 2].partition(2, ..).unwrap_err().to_string().contains("out of range"));
    // Gradients go back to the elements that the parts were made of.
    let x = Tensor::from_vec(noise(500));
    let loss = |x: &Tensor| (x.partition(250, ..)? * x.partition(250, ..)?).reduce_sum(.., false);
    let slope = grad(loss)(&x).unwrap();
    assert_eq!(numbers(&slope), numbers(&(&x * 2.0)));
    let f = function(|x: &Tensor| x.partition(1, ..));
    let f = f.concrete(&TensorSpec::new(Shape::unknown(), f64)).unwrap();
    let y: Tensor = f.call((&tensor![3.0, 2.0, 1.0],)).unwrap();
    assert_eq!(numbers(&y)[1], 2.0);
    let alone: Result<Tensor> = f.call((&tensor![3.0],));
    assert!(alone.is_err());
}

#[test]
fn views_begin_at_any_element() {
    let x: Vec<f32> = noise(1000).iter().map(|x| *x as f32).collect();
    let t = Tensor::from_vec(x.clone());
    for from in 0..6 {
        let part = t.index(from as i64..).unwrap();
        let twice = (&part + &part).to_vec::<f32>().unwrap();
        assert!(twice.iter().zip(&x[from..]).all(|(y, x)| *y == 2.0 * x));
        let steps = t.index(from as i64..).unwrap().diff(..).unwrap().to_vec::<f32>().unwrap();
        assert!(steps.iter().zip(x[from..].windows(2)).all(|(d, x)| *d == x[1] - x[0]));
        // What is cast in place is aligned for its new dtype.
        let wide = t.index(from as i64..).unwrap().cast(f64).unwrap().exp().unwrap();
        assert_eq!(wide.to_vec::<f64>().unwrap().len(), 1000 - from);
    }
}

#[test]
fn one_slice_is_deleted() {
    let x = tensor![5, 6, 7];
    for (at, want) in [(0i64, [6, 7]), (1, [5, 7]), (2, [5, 6]), (-1, [5, 6]), (-3, [6, 7])] {
        assert_eq!(x.delete(at, ..).unwrap().to_vec::<i32>().unwrap(), want);
        assert_eq!(x.delete([at], 0).unwrap().to_vec::<i32>().unwrap(), want);
    }
    assert!(x.delete(3, ..).is_err() && x.delete(-4, ..).is_err() && x.delete(0.0, ..).is_err());
    assert!(tensor![1].delete(0, ..).unwrap().to_vec::<i32>().unwrap().is_empty());
    let matrix = tensor![[1, 2, 3], [4, 5, 6]];
    assert_eq!(matrix.delete(-2, 1).unwrap().to_vec::<i32>().unwrap(), [1, 3, 4, 6]);
    assert_eq!(matrix.delete(1, 0).unwrap().to_vec::<i32>().unwrap(), [1, 2, 3]);
    assert_eq!(matrix.delete([0, 2], 1).unwrap().to_vec::<i32>().unwrap(), [2, 5]);
}

#[test]
fn slopes_of_few_samples() {
    let of = |x: &[f64], order: u8| {
        numbers(&Tensor::from_slice(x, &[x.len()]).unwrap().slope(ops::EdgeOrder(order)).unwrap())
    };
    assert_eq!(of(&[1.0, 4.0], 1), [3.0, 3.0]);
    assert_eq!(of(&[1.0, 4.0, 9.0], 1), [3.0, 4.0, 5.0]);
    assert_eq!(of(&[0.0, 1.0, 4.0], 2), [0.0, 2.0, 4.0]);
    // As in NumPy, the middle one of three samples does not count.
    assert_eq!(of(&[1.0, f64::NAN, 3.0], 1)[1], 1.0);
    let y = tensor![[0.0, 1.0], [4.0, 2.0], [6.0, 9.0]].slope((0, ops::Spaced(2.0))).unwrap();
    assert_eq!(numbers(&y), [2.0, 0.5, 1.5, 2.0, 1.0, 3.5]);
}

#[test]
fn histograms_at_their_edges() {
    let count = |x: &[f64], edges: &[f64]| {
        let edges = ops::BinEdges(Tensor::from_slice(edges, &[edges.len()]).unwrap());
        Tensor::from_slice(x, &[x.len()])
            .unwrap()
            .histogram(edges)
            .unwrap()
            .0
            .to_vec::<i64>()
            .unwrap()
    };
    let some = [-INF, -1.0, 0.0, -0.0, 1.0, 2.0, 2.0, 3.0, INF, f64::NAN];
    assert_eq!(count(&some, &[0.0, 1.0, 2.0]), [2, 3]);
    assert_eq!(count(&some, &[0.0, 2.0, 2.0]), [3, 2]);
    assert_eq!(count(&some, &[-INF, 0.0, INF]), [2, 7]);
    assert_eq!(count(&[], &[0.0, 1.0]), [0]);
    // Many elements are found by a table.
    let (x, edges) = (noise(5000), ops::linspace(-1.0, 1.0, 21).unwrap());
    let want: Vec<i64> = numbers(&edges)
        .windows(2)
        .enumerate()
        .map(|(i, e)| {
            x.iter().filter(|x| **x >= e[0] && (**x < e[1] || i == 19 && **x == e[1])).count()
                as i64
        })
        .collect();
    assert_eq!(count(&x, &numbers(&edges)), want);
    let weights = ops::ones([5000], f64).unwrap();
    let heavy =
        Tensor::from_vec(x).histogram((ops::BinEdges(edges), ops::Weights(&weights))).unwrap().0;
    assert_eq!(numbers(&heavy), want.iter().map(|n| *n as f64).collect::<Vec<_>>());
}

#[test]
fn triangles_and_turns() {
    let x = tensor![[1.0, f64::NAN, INF], [4.0, 5.0, f64::NAN]];
    assert_eq!(numbers(&x.tril(..).unwrap()), [1.0, 0.0, 0.0, 4.0, 5.0, 0.0]);
    assert_eq!(
        numbers(&tensor![[1, 2], [3, 4], [5, 6]].triu(..).unwrap()),
        [1.0, 2.0, 0.0, 4.0, 0.0, 0.0]
    );
    assert_eq!(numbers(&tensor![[1, 2], [3, 4]].tril(i64::MAX).unwrap()), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(numbers(&tensor![[1, 2], [3, 4]].tril(i64::MIN).unwrap()), [0.0; 4]);
    assert_eq!(numbers(&tensor![[1, 2], [3, 4]].tril(-1).unwrap()), [0.0, 0.0, 3.0, 0.0]);
    assert_eq!(numbers(&ops::tri(2, (i64::MAX, f32)).unwrap()), [1.0; 4]);
    assert_eq!(
        numbers(&ops::tri(2, (1, ops::Columns(3), i32)).unwrap()),
        [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    );
    assert!(ops::zeros([0, 3], f32).unwrap().tril(..).unwrap().to_vec::<f32>().unwrap().is_empty());
    let x = ops::arange(6i64).unwrap().reshape([2, 3]).unwrap();
    for (k, want) in [(1, [2, 5, 1, 4, 0, 3]), (2, [5, 4, 3, 2, 1, 0]), (3, [3, 0, 4, 1, 5, 2])] {
        assert_eq!(x.rot90(k).unwrap().to_vec::<i64>().unwrap(), want);
    }
    let large = ops::arange(35 * 42i64).unwrap().reshape([35, 42]).unwrap();
    let turned = large.rot90(1).unwrap();
    assert_eq!(turned.shape(), shape![42, 35]);
    assert_eq!(turned.rot90(3).unwrap().to_vec::<i64>().unwrap(), large.to_vec::<i64>().unwrap());
    assert_eq!(turned.index((41, 34)).unwrap().item::<i64>().unwrap(), 34 * 42);
    assert_eq!(
        tensor![[1, 2], [3, 4]].repeat(2, 1).unwrap().to_vec::<i32>().unwrap(),
        [1, 1, 2, 2, 3, 3, 4, 4]
    );
}

#[test]
fn norms_and_spaces() {
    assert_eq!(linalg::norm(tensor![3.0f32, -4.0], ..).unwrap().item::<f32>().unwrap(), 5.0);
    assert_eq!(ops::norm(ops::zeros([0], f64).unwrap(), ..).unwrap().item::<f64>().unwrap(), 0.0);
    assert_eq!(ops::norm(tensor![1.0, -INF], ..).unwrap().item::<f64>().unwrap(), INF);
    assert!(ops::norm(tensor![1.0, f64::NAN], ..).unwrap().item::<f64>().unwrap().is_nan());
    let slope = |x: &Tensor| numbers(&grad(|x: &Tensor| ops::norm(x, ..))(x).unwrap());
    let near = slope(&tensor![3.0, 4.0]);
    assert!((near[0] - 0.6).abs() < 1e-15 && (near[1] - 0.8).abs() < 1e-15);
    assert_eq!(slope(&tensor![0.0, 0.0]), [0.0, 0.0]);
    assert_eq!(numbers(&ops::linspace(0, 3, 4).unwrap()), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(numbers(&ops::linspace(5.0, 9.0, 1).unwrap()), [5.0]);
    assert_eq!(numbers(&ops::linspace(-1.0f32, 1.0f32, 2).unwrap()), [-1.0, 1.0]);
}

#[test]
fn sums_by_place() {
    let ids: Vec<i64> = (0..120).flat_map(|i| std::iter::repeat_n(i, i as usize)).collect();
    let x: Vec<f64> = (0..ids.len()).map(|i| (i % 11) as f64).collect();
    let mut want = vec![0.0; 120];
    ids.iter().zip(&x).for_each(|(id, x)| want[*id as usize] += x);
    let (t, at) = (Tensor::from_vec(x), Tensor::from_vec(ids));
    assert_eq!(numbers(&ops::segment_sum(&t, &at).unwrap()), want);
    let means: Vec<f64> = want.iter().enumerate().map(|(i, x)| x / (i as f64).max(1.0)).collect();
    assert_eq!(numbers(&ops::segment_mean(&t, &at).unwrap()), means);
    assert_eq!(numbers(&at.bincount(ops::Weights(&t)).unwrap()), want);
    let counts = (0..120).map(f64::from).collect::<Vec<_>>();
    assert_eq!(numbers(&at.bincount(i64).unwrap()), counts);
    assert_eq!(numbers(&at.bincount((f32, ops::MaxLength(50))).unwrap()), counts[..50]);
    assert!(ops::segment_sum(tensor![1.0, 2.0], tensor![1, 0]).is_err());
    assert!(tensor![1, -1].bincount(..).is_err());
}

#[test]
fn imaginary_parts_are_exact() {
    let z = [Complex64::new(INF, -0.0), Complex64::new(f64::NAN, INF), Complex64::new(3.0, -4.0)];
    let z = Tensor::from_slice(&z, &[3]).unwrap();
    let y = z.imag().unwrap().to_vec::<f64>().unwrap();
    assert!(y[0] == 0.0 && y[0].is_sign_negative() && y[1] == INF && y[2] == -4.0);
    assert_eq!(numbers(&z.abs().unwrap()), [INF, INF, 5.0]);
    let slope = grad(|z: &Tensor| z.imag()?.reduce_sum(.., false));
    let slope = slope(&z).unwrap().to_vec::<Complex64>().unwrap();
    assert_eq!(slope, [Complex64::new(0.0, 1.0); 3]);
    assert_eq!(numbers(&tensor![1.5f32].imag().unwrap()), [0.0]);
}

#[test]
fn floats_become_integers_as_before() {
    let x = [-INF, -3e9, -2.9, -0.0, 0.9, 2_147_483_647.5, 3e9, INF, f64::NAN, 1e19];
    let t = Tensor::from_slice(&x, &[10]).unwrap();
    assert_eq!(t.cast(i32).unwrap().to_vec::<i32>().unwrap(), x.map(|x| x as i32));
    assert_eq!(t.cast(i64).unwrap().to_vec::<i64>().unwrap(), x.map(|x| x as i64));
    let short = x.map(|x| x as f32);
    let t = Tensor::from_slice(&short, &[10]).unwrap();
    assert_eq!(t.cast(i32).unwrap().to_vec::<i32>().unwrap(), short.map(|x| x as i32));
    assert_eq!(t.cast(i64).unwrap().to_vec::<i64>().unwrap(), short.map(|x| x as i64));
}
