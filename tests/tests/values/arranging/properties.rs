//! Answers against plain loops.

use extype::ops::{BincountOptions, Direction, Indexing, Side};
use extype::prelude::*;
use extype::types::DTypeSet;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

/// The places of an array of these sizes in row-major order.
fn places(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for n in sizes {
        let longer = |p: &Vec<usize>| (0..*n).map(|i| [&p[..], &[i]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn numbered(sizes: &[usize]) -> Tensor {
    let n = sizes.iter().product::<usize>() as i32;
    Tensor::from_slice(&(0..n).collect::<Vec<_>>(), sizes).unwrap()
}

fn ints(t: &Tensor) -> Vec<i32> {
    t.to_vec().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_nth_element_is_that_of_the_sorted_row(
        x in vec(-9i32..9, 12), rows in 1usize..4, n in 0usize..4, reverse: bool,
    ) {
        let sizes = [rows, 12 / rows];
        let got = ints(&Tensor::from_slice(&x, &sizes).unwrap().nth_element(n, reverse).unwrap());
        let nth = |row: &[i32]| {
            let mut row = row.to_vec();
            row.sort_unstable();
            row[if reverse { row.len() - 1 - n } else { n }]
        };
        prop_assert_eq!(got, x.chunks(sizes[1]).map(nth).collect::<Vec<_>>());
    }

    #[test]
    fn sorted_as_the_standard_library_does(x in vec(-9i32..9, 1..40), descending: bool) {
        let direction = if descending { Direction::Descending } else { Direction::Ascending };
        let t = Tensor::from_vec(x.clone());
        let mut want: Vec<usize> = (0..x.len()).collect();
        // Stable, so equal elements keep their order.
        want.sort_by_key(|i| if descending { -x[*i] } else { x[*i] });
        let order: Vec<usize> = ints(&t.argsort((0, direction)).unwrap()).iter().map(|i| *i as usize).collect();
        prop_assert_eq!(&order, &want);
        let values: Vec<i32> = want.iter().map(|i| x[*i]).collect();
        prop_assert_eq!(ints(&t.sort((-1, direction)).unwrap()), values.clone());
        let floats = t.cast(f32).unwrap().sort((0, direction)).unwrap();
        prop_assert_eq!(ints(&floats.cast(i32).unwrap()), values);
    }

    #[test]
    fn any_axis_is_sorted_by_itself(x in vec(0u8..9, 24), axis in -3i64..3) {
        let t = Tensor::from_slice(&x, &[2, 3, 4]).unwrap();
        let y = t.sort(axis).unwrap();
        let order = t.argsort(axis).unwrap();
        let (y, order) = (y.to_vec::<u8>().unwrap(), ints(&order));
        let axis = axis.rem_euclid(3) as usize;
        let stride = [12, 4, 1][axis];
        for (at, place) in places(&[2, 3, 4]).iter().enumerate() {
            let first = at - place[axis] * stride;
            prop_assert_eq!(y[at], x[first + order[at] as usize * stride]);
            prop_assert!(place[axis] == 0 || y[at - stride] <= y[at]);
        }
    }

    #[test]
    fn distinct_slices_give_the_tensor_back(x in vec(0i64..3, 12), axis in 0i64..2) {
        let t = Tensor::from_slice(&x, &[4, 3]).unwrap();
        let (y, ids) = t.unique_along(axis).unwrap();
        prop_assert_eq!(y.gather(&ids, axis).unwrap().to_vec::<i64>().unwrap(), x);
        let (again, _) = y.unique_along(axis).unwrap();
        prop_assert_eq!(again.shape(), y.shape());
    }

    #[test]
    fn parts_are_stitched_together_again(parts in vec(0i32..4, 1..12)) {
        let n = parts.len();
        let names: Vec<String> = (0..2 * n).map(|i| format!("s{i}")).collect();
        let data = Tensor::from_strings(&names, &[n, 2]).unwrap();
        let partitions = Tensor::from_vec(parts);
        let rows = data.dynamic_partition(&partitions, 4).unwrap();
        let ids = numbered(&[n]).dynamic_partition(&partitions, 4).unwrap();
        let (ids, rows): (Vec<&Tensor>, Vec<&Tensor>) = (ids.iter().collect(), rows.iter().collect());
        let whole = ops::dynamic_stitch(&ids, &rows).unwrap();
        prop_assert!(whole.value().unwrap().identical(data.value().unwrap()));
    }

    #[test]
    fn blocks_become_batches(block in vec(1usize..4, 1..3), size in 1usize..4, before in vec(0usize..4, 2)) {
        let m = block.len();
        let paddings: Vec<[i64; 2]> = (0..m)
            .map(|i| {
                // The rest up to the next whole block.
                let n = size + before[i];
                [before[i] as i64, (n.next_multiple_of(block[i]) - n) as i64]
            })
            .collect();
        let dims = [&[2][..], &vec![size; m], &[3]].concat();
        let x = numbered(&dims);
        let y = x.space_to_batch(&block[..], &paddings[..]).unwrap();
        let sizes: Vec<usize> = y.shape().sizes().unwrap().to_vec();
        let got = ints(&y);
        for (at, place) in places(&sizes).iter().enumerate() {
            let (mut within, batch) = (place[0] / 2, place[0] % 2);
            let mut from = vec![batch];
            let mut inside = true;
            for i in (0..m).rev() {
                let at = (place[i + 1] * block[i] + within % block[i]).checked_sub(before[i]);
                within /= block[i];
                inside &= at.is_some_and(|at| at < size);
                from.insert(1, at.unwrap_or(0));
            }
            from.push(place[m + 1]);
            let flat = from.iter().zip(&dims).fold(0, |flat, (i, n)| flat * n + i);
            prop_assert_eq!(got[at], if inside { flat as i32 } else { 0 });
        }
        let back = y.batch_to_space(&block[..], &paddings[..]).unwrap();
        prop_assert!(back.value().unwrap().identical(x.value().unwrap()));
    }

    #[test]
    fn blocks_become_channels(b in 2usize..4, h in 1usize..3, w in 1usize..3, c in 1usize..3) {
        let x = numbered(&[2, h * b, w * b, c]);
        let y = x.space_to_depth(b as i64).unwrap();
        prop_assert_eq!(y.shape(), shape![2, h, w, b * b * c]);
        let got = ints(&y);
        for (at, p) in places(&[2, h, w, b, b, c]).iter().enumerate() {
            let from = ((p[0] * h * b + p[1] * b + p[3]) * w * b + p[2] * b + p[4]) * c + p[5];
            prop_assert_eq!(got[at], from as i32);
        }
        let back = y.depth_to_space(b as i64).unwrap();
        prop_assert!(back.value().unwrap().identical(x.value().unwrap()));
    }

    #[test]
    fn one_place_of_many(x in vec(-2i64..5, 6), depth in 0usize..4, axis in -1i64..3) {
        let t = Tensor::from_slice(&x, &[2, 3]).unwrap();
        let y = t.one_hot(depth, (ops::OnValue(7), ops::OffValue(-1), axis)).unwrap();
        let axis = axis.rem_euclid(3) as usize;
        let mut sizes = vec![2, 3];
        sizes.insert(axis, depth);
        prop_assert_eq!(y.shape().sizes().unwrap().to_vec(), sizes.clone());
        for (got, place) in ints(&y).iter().zip(places(&sizes)) {
            let mut from = place.clone();
            let at = from.remove(axis) as i64;
            prop_assert_eq!(*got, if x[from[0] * 3 + from[1]] == at { 7 } else { -1 });
        }
    }

    #[test]
    fn repeated_along_an_axis(counts in vec(-1i32..4, 3)) {
        let x = numbered(&[2, 3]);
        let y = ops::repeat(&x, Tensor::from_vec(counts.clone()), Some(-1)).unwrap();
        let row = |r: i32| {
            let counts = &counts;
            (0..3).flat_map(move |i| vec![r * 3 + i; counts[i as usize].max(0) as usize])
        };
        prop_assert_eq!(ints(&y), row(0).chain(row(1)).collect::<Vec<_>>());
    }

    #[test]
    fn counted_in_bins(x in vec(0i64..6, 0..20), maxlength in 0i64..8) {
        let options = BincountOptions { maxlength: Some(maxlength), ..Default::default() };
        let bins = ops::bincount(Tensor::from_vec(x.clone()), options).unwrap();
        let n = x.iter().max().map_or(0, |m| m + 1).min(maxlength);
        let want: Vec<i32> = (0..n).map(|v| x.iter().filter(|x| **x == v).count() as i32).collect();
        prop_assert_eq!(ints(&bins), want);
    }

    #[test]
    fn flat_indices_have_places(sizes in vec(1usize..5, 1..4)) {
        let n = sizes.iter().product::<usize>();
        let dims: Vec<i32> = sizes.iter().map(|n| *n as i32).collect();
        let got = ints(&numbered(&[n]).unravel_index(&Tensor::from_vec(dims)).unwrap());
        for (at, place) in places(&sizes).iter().enumerate() {
            for (axis, i) in place.iter().enumerate() {
                prop_assert_eq!(got[axis * n + at], *i as i32);
            }
        }
    }
}

#[test]
fn nan_is_sorted_last_and_unique_each_time() -> Result<()> {
    let x = tensor![f32::NAN, 2.0f32, f32::NEG_INFINITY, f32::NAN];
    for direction in [Direction::Ascending, Direction::Descending] {
        let y = x.sort((0, direction))?.to_vec::<f32>()?;
        assert!(y[2].is_nan() && y[3].is_nan() && !y[0].is_nan(), "{y:?}");
    }
    assert_eq!(x.unique()?.0.shape(), shape![4]);
    Ok(())
}

#[test]
fn strings_are_told_apart() -> Result<()> {
    let x = Tensor::from_strings(&["b", "a", "b", ""], &[4])?;
    let (y, ids, counts) = x.unique_with_counts()?;
    assert_eq!(y.value()?.as_strings()?, [b"b".to_vec(), b"a".to_vec(), Vec::new()]);
    assert_eq!((ints(&ids), ints(&counts)), (vec![0, 1, 0, 2], vec![2, 1, 1]));
    let (left, at) = x.list_diff(Tensor::from_strings(&["b"], &[1])?)?;
    assert_eq!(left.value()?.as_strings()?, [b"a".to_vec(), Vec::new()]);
    assert_eq!(ints(&at), [1, 3]);
    let hot = tensor![1, 0].one_hot(1, (ops::OnValue("on"), ops::OffValue("off")))?;
    assert_eq!(hot.value()?.as_strings()?, [b"off".to_vec(), b"on".to_vec()]);
    Ok(())
}

#[test]
fn grids_and_ranges() -> Result<()> {
    let (a, b) = (tensor![1, 2], Tensor::from_strings(&["x", "y", "z"], &[3])?);
    let grid = ops::meshgrid(&[&a, &a.reshape([2, 1])?, &b.unique()?.1], Indexing::Ij)?;
    assert!(grid.iter().all(|g| g.shape() == shape![2, 2, 3]));
    assert_eq!(ops::meshgrid(&[&b], Indexing::Xy)?[0].value()?.as_strings()?[2], b"z");
    assert!(ops::meshgrid::<Tensor>(&[], ..)?.is_empty());
    let y = ops::linspace_with([0, 4], 8, 3, -1)?;
    assert_eq!(y.to_vec::<f64>()?, [0.0, 4.0, 8.0, 4.0, 6.0, 8.0]);
    let (splits, values): (Tensor, Tensor) = ops::RaggedRange { splits_dtype: DType::I64 }
        .run_as(&[&tensor![0, 5], &scalar(3), &tensor![1, -1]])?;
    assert_eq!((splits.to_vec::<i64>()?, ints(&values)), (vec![0, 3, 5], vec![0, 1, 2, 5, 4]));
    Ok(())
}

#[test]
fn places_in_rows_of_any_rank() -> Result<()> {
    let sorted = tensor![1.0f32, 2.0, 2.0, 4.0];
    let values = tensor![2.0f32, f32::NAN];
    assert_eq!(ints(&ops::searchsorted(&sorted, &values, ..)?), [1, 0]);
    assert_eq!(ints(&ops::searchsorted(&sorted, &values, (Side::Right, DType::I32))?), [3, 4]);
    let none = Tensor::from_slice::<f32>(&[], &[2, 2, 0])?;
    let rows = Tensor::from_slice(&[0.0f32; 4], &[2, 2, 1])?;
    assert_eq!(ints(&ops::searchsorted(&none, &rows, (Side::Right, DType::I32))?), [0; 4]);
    assert_eq!(ops::searchsorted(&rows, &none, (Side::Left, DType::I64))?.shape(), shape![2, 2, 0]);
    Ok(())
}

#[test]
fn gradients_reach_weights_and_bounds() -> Result<()> {
    let (weights, start, stop) = (tensor![1.0f32, 2.0, 3.0], scalar(1.0f32), scalar(3.0f32));
    let tape = GradientTape::new();
    tape.watch(&weights);
    tape.watch(&start);
    tape.watch(&stop);
    let options = BincountOptions {
        weights: Some(weights.clone()),
        maxlength: Some(2),
        ..Default::default()
    };
    // The value 7 has no bin.
    let bins = ops::bincount(tensor![1, 0, 7], options)?;
    assert_eq!(bins.to_vec::<f32>()?, [2.0, 1.0]);
    let line = ops::LinSpace { num: 5.into() }.run(&[&start, &stop])?;
    let target = ops::add(
        (&bins * &tensor![10.0f32, 20.0]).reduce_sum(.., false)?,
        line.reduce_sum(.., false)?,
    )?;
    let g = tape.gradient(&target, &(weights, start, stop))?;
    let leaves: Vec<Vec<f32>> =
        g.leaves()?.iter().flatten().map(Tensor::to_vec).collect::<Result<_>>()?;
    assert_eq!(leaves, [vec![20.0, 10.0, 0.0], vec![2.5], vec![2.5]]);
    Ok(())
}

#[test]
fn the_nth_element_of_every_dtype_and_its_gradient() -> Result<()> {
    let x = tensor![[3.0f64, -1.0, 2.0, -1.0], [9.0, 7.0, 7.0, 8.0]];
    for dtype in DTypeSet::REAL.or(DTypeSet::FLOAT).iter() {
        let y = x.abs()?.cast(dtype)?.nth_element(1, false)?;
        assert_eq!(y.dtype(), dtype);
        assert_eq!(y.cast(f64)?.to_vec::<f64>()?, [1.0, 7.0], "{dtype}");
    }
    assert_eq!(x.nth_element(1, true)?.to_vec::<f64>()?, [2.0, 8.0]);
    assert_eq!(Tensor::from_slice::<f64>(&[], &[0, 2])?.nth_element(1, true)?.shape(), shape![0]);
    // Equal elements share, the others have none: as slopes have it for the largest.
    let smallest =
        |x: &Tensor| (x.nth_element(0, false)? * tensor![1.0, 10.0]).reduce_sum(.., false);
    let slopes = grad(smallest)(&x)?.to_vec::<f64>()?;
    assert_eq!(slopes, [0.0, 0.5, 0.0, 0.5, 0.0, 5.0, 5.0, 0.0]);
    let square = |x: &Tensor| x.nth_element(0, true)?.square()?.reduce_sum(.., false);
    let slopes = grad(square)(&x)?.to_vec::<f64>()?;
    let step = 1e-5;
    for (i, slope) in slopes.iter().enumerate() {
        let mut moved = x.to_vec::<f64>()?;
        moved[i] += step;
        let above = square(&Tensor::from_slice(&moved, &[2, 4])?)?.item::<f64>()?;
        moved[i] -= 2.0 * step;
        let below = square(&Tensor::from_slice(&moved, &[2, 4])?)?.item::<f64>()?;
        assert!((slope - (above - below) / (2.0 * step)).abs() < 1e-6, "{i}: {slope}");
    }
    Ok(())
}
