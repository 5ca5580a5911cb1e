//! Kernels against definitions written element by element.

use extype::ops::{DiagonalAlign, MirrorMode};
use extype::prelude::*;
use proptest::prelude::*;

use super::{counted, floats, sizes};

/// The places of a shape in row-major order.
fn places(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for n in sizes {
        all =
            all.iter().flat_map(|p| (0..*n).map(move |i| [p.clone(), vec![i]].concat())).collect();
    }
    all
}

fn at(x: &Tensor, place: &[usize]) -> f32 {
    let flat = sizes(x).iter().zip(place).fold(0, |at, (n, i)| at * n + i);
    floats(x)[flat]
}

/// Checks every element of `y` against the place of `x` that it comes from.
#[track_caller]
fn moves(x: &Tensor, y: &Tensor, from: impl Fn(&[usize]) -> Vec<usize>) {
    for place in places(&sizes(y)) {
        assert_eq!(at(y, &place), at(x, &from(&place)), "at {place:?} of {}", y.shape());
    }
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0usize..5, 1..4)
}

fn full_shapes() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(1usize..5, 1..4)
}

proptest! {
    #[test]
    fn rolls(dims in shapes(), shifts in proptest::collection::vec((-9i64..9, 0usize..3), 0..4)) {
        let x = counted(&dims);
        let shifts: Vec<(i64, usize)> = shifts.into_iter().map(|(s, a)| (s, a % dims.len())).collect();
        let (by, axes): (Vec<i64>, Vec<i64>) = shifts.iter().map(|(s, a)| (*s, *a as i64)).unzip();
        moves(&x, &x.roll(by, axes).unwrap(), |place| {
            let mut place: Vec<i64> = place.iter().map(|i| *i as i64).collect();
            for (s, a) in &shifts {
                place[*a] = (place[*a] - s).rem_euclid(dims[*a] as i64);
            }
            place.into_iter().map(|i| i as usize).collect()
        });
    }

    #[test]
    fn reverses(dims in shapes(), which in proptest::collection::vec(any::<bool>(), 3)) {
        let x = counted(&dims);
        let axes: Vec<i64> = (0..dims.len()).filter(|i| which[*i]).map(|i| i as i64).collect();
        moves(&x, &x.reverse(axes).unwrap(), |place| {
            let mirrored = |(i, p): (usize, &usize)| if which[i] { dims[i] - 1 - p } else { *p };
            place.iter().enumerate().map(mirrored).collect()
        });
    }

    #[test]
    fn reverses_sequences(dims in proptest::collection::vec(1usize..5, 2..5), a in 0usize..4, b in 0usize..4, seed in 0usize..99) {
        let (seq, batch) = (a % dims.len(), b % dims.len());
        prop_assume!(seq != batch);
        let lengths: Vec<i64> = (0..dims[batch]).map(|i| ((seed + 3 * i) % (dims[seq] + 1)) as i64).collect();
        let x = counted(&dims);
        let y = x.reverse_sequence(&Tensor::from_vec(lengths.clone()), seq as i64, batch as i64).unwrap();
        moves(&x, &y, |place| {
            let (mut place, len) = (place.to_vec(), lengths[place[batch]] as usize);
            if place[seq] < len {
                place[seq] = len - 1 - place[seq];
            }
            place
        });
    }

    #[test]
    fn tiles(dims in shapes(), times in proptest::collection::vec(0i64..4, 3)) {
        let x = counted(&dims);
        let y = x.tile(&times[..dims.len()]).unwrap();
        moves(&x, &y, |place| place.iter().zip(&dims).map(|(i, n)| i % n).collect());
    }

    #[test]
    fn mirrors(dims in full_shapes(), by in proptest::collection::vec((0usize..5, 0usize..5), 3), symmetric in any::<bool>()) {
        let (mode, skipped) =
            if symmetric { (MirrorMode::Symmetric, 0) } else { (MirrorMode::Reflect, 1) };
        let pairs: Vec<[i64; 2]> = dims.iter().zip(&by).map(|(n, (b, a))| {
            let most = n - skipped;
            [(*b).min(most) as i64, (*a).min(most) as i64]
        }).collect();
        let x = counted(&dims);
        let y = x.mirror_pad(pairs.clone(), mode).unwrap();
        moves(&x, &y, |place| {
            place.iter().zip(&pairs).zip(&dims).map(|((i, p), n)| {
                let (i, n, s) = (*i as i64 - p[0], *n as i64, skipped as i64);
                let i = if i < 0 { -i - 1 + s } else { i };
                (if i >= n { 2 * n - 1 - s - i } else { i }) as usize
            }).collect()
        });
        // The gradient counts how often each element was taken.
        let counts = grad(|x: &Tensor| x.mirror_pad(pairs.clone(), mode))(&x).unwrap();
        let total: f32 = floats(&counts).iter().sum();
        prop_assert_eq!(total, floats(&y).len() as f32);
    }

    #[test]
    fn splits_join_again(dims in full_shapes(), axis in 0usize..3, seed in 1usize..4) {
        let axis = axis % dims.len();
        let x = counted(&dims);
        let first = (seed % (dims[axis] + 1)) as i64;
        let parts = ops::split_sizes(&x, [first, -1], axis).unwrap();
        prop_assert_eq!(floats(&ops::concat(&parts, axis).unwrap()), floats(&x));
        let slices = x.unstack(dims[axis], axis as i64).unwrap();
        prop_assert_eq!(floats(&ops::stack(&slices, axis as i64).unwrap()), floats(&x));
        let equal = x.split(dims[axis], axis).unwrap();
        prop_assert_eq!(floats(&ops::concat(&equal, axis).unwrap()), floats(&x));
    }

    #[test]
    fn gathering_finds_what_scattering_put(dims in full_shapes(), depth in 0usize..4, seed in 0usize..99) {
        let depth = depth.min(dims.len());
        let count = dims[..depth].iter().product::<usize>().clamp(1, 5);
        // Distinct places, in an order of no meaning.
        let all = places(&dims[..depth]);
        let chosen: Vec<i64> = (0..count)
            .flat_map(|i| all[(seed + i) % all.len()].iter().map(|i| *i as i64))
            .collect();
        let indices = Tensor::from_slice(&chosen, &[count, depth]).unwrap();
        let inner = &dims[depth..];
        let updates = counted(&[&[count], inner].concat());
        let updates = ops::add(&updates, 1.0).unwrap();
        let put = ops::scatter_nd(&indices, &updates, &dims[..]).unwrap();
        prop_assert_eq!(floats(&put.gather_nd(&indices).unwrap()), floats(&updates));
        let x = counted(&dims);
        let added = x.tensor_scatter_nd_add(&indices, &updates).unwrap();
        prop_assert_eq!(floats(&added), floats(&(&x + &put)));
        let back = added.tensor_scatter_nd_sub(&indices, &updates).unwrap();
        prop_assert_eq!(floats(&back), floats(&x));
        let written = x.tensor_scatter_nd_update(&indices, &updates).unwrap();
        prop_assert_eq!(floats(&written.gather_nd(&indices).unwrap()), floats(&updates));
        let (low, high) = (
            x.tensor_scatter_nd_min(&indices, &updates).unwrap(),
            x.tensor_scatter_nd_max(&indices, &updates).unwrap(),
        );
        // Of each pair one is the smaller and one the larger.
        prop_assert_eq!(floats(&(&low + &high)), floats(&(&x + &written)));
    }

    #[test]
    fn diagonals_are_packed_and_put_back(
        rows in 1usize..6, columns in 1usize..6, batch in 0usize..3,
        a in -5i64..6, b in -5i64..6, how in 0usize..4,
    ) {
        let align = [
            DiagonalAlign::RightLeft, DiagonalAlign::LeftRight,
            DiagonalAlign::LeftLeft, DiagonalAlign::RightRight,
        ][how];
        let inside = |d: i64| d.clamp(1 - rows as i64, columns as i64 - 1);
        let (lower, upper) = (inside(a.min(b)), inside(a.max(b)));
        let x = counted(&[batch, rows, columns]);
        let packed = x.matrix_diag_part(-1.0, [lower, upper], align).unwrap();
        let length = sizes(&packed)[packed.rank().unwrap() - 1];
        let packed = packed.reshape([batch as i64, upper - lower + 1, length as i64]).unwrap();
        for place in places(&sizes(&packed)) {
            let d = upper - place[1] as i64;
            let len = (rows as i64 + d.min(0)).min(columns as i64 - d.max(0));
            let left = match align {
                DiagonalAlign::LeftLeft => true,
                DiagonalAlign::RightRight => false,
                DiagonalAlign::LeftRight => d >= 0,
                DiagonalAlign::RightLeft => d <= 0,
            };
            let n = place[2] as i64 - if left { 0 } else { length as i64 - len };
            let want = if (0..len).contains(&n) {
                at(&x, &[place[0], (n - d.min(0)) as usize, (n + d.max(0)) as usize])
            } else {
                -1.0
            };
            prop_assert_eq!(at(&packed, &place), want);
        }
        let packed = x.matrix_diag_part(0.0, [lower, upper], align).unwrap();
        let same = x.matrix_set_diag(&packed, [lower, upper], align).unwrap();
        prop_assert_eq!(floats(&same), floats(&x));
        let alone = packed.matrix_diag(0.0, [lower, upper], rows, columns, align);
        let band = x.zeros_like().unwrap().matrix_set_diag(&packed, [lower, upper], align).unwrap();
        prop_assert_eq!(floats(&alone.unwrap()), floats(&band));
    }
}

#[test]
fn bands_keep_what_is_near_the_diagonal() {
    let x = ops::add(counted(&[2, 3, 4]), 1.0).unwrap();
    for lower in -1i64..=3 {
        for upper in -1i64..=4 {
            let y = x.matrix_band_part(lower, upper).unwrap();
            for place in places(&[2, 3, 4]) {
                let (i, j) = (place[1] as i64, place[2] as i64);
                let kept = (lower < 0 || i - j <= lower) && (upper < 0 || j - i <= upper);
                let want = if kept { at(&x, &place) } else { 0.0 };
                assert_eq!(at(&y, &place), want, "{lower} {upper} {place:?}");
            }
        }
    }
}

#[test]
fn tensor_diagonals_go_both_ways() {
    let x = ops::add(counted(&[2, 3]), 1.0).unwrap();
    let y = x.tensor_diag().unwrap();
    assert_eq!(sizes(&y), [2, 3, 2, 3]);
    for place in places(&[2, 3, 2, 3]) {
        let want = if place[..2] == place[2..] { at(&x, &place[..2]) } else { 0.0 };
        assert_eq!(at(&y, &place), want);
    }
    assert_eq!(floats(&y.tensor_diag_part().unwrap()), floats(&x));
}

#[test]
fn repeated_places_add_up_and_bad_ones_can_be_ignored() {
    let indices = tensor![[1i64], [1], [7]];
    let updates = tensor![1.0f32, 2.0, 4.0];
    let op = ops::ScatterNd { bad_indices_policy: "IGNORE".into(), shape: [3].into() };
    assert_eq!(floats(&op.run(&[&indices, &updates]).unwrap()), [0.0, 3.0, 0.0]);
    let op = ops::GatherNd { bad_indices_policy: "IGNORE".into() };
    let x = tensor![5.0f32, 6.0];
    assert_eq!(floats(&op.run(&[&x, &indices]).unwrap()), [6.0, 6.0, 0.0]);
    let words = Tensor::from_strings(&["a", "b", "c"], &[3]).unwrap();
    let joined = ops::scatter_nd(tensor![[0], [1], [0]], &words, [2]).unwrap();
    assert_eq!(joined.value().unwrap().as_strings().unwrap(), [b"ac".to_vec(), b"b".to_vec()]);
}

#[test]
fn bytes_are_read_as_other_types() {
    let x = tensor![1.0f32, -2.0];
    assert_eq!(x.bitcast(u8).unwrap().shape(), shape![2, 4]);
    let back = x.bitcast(u8).unwrap().bitcast(f32).unwrap();
    assert_eq!(floats(&back), [1.0, -2.0]);
    // A view that begins at an odd byte.
    let bytes = Tensor::from_vec((0..33u8).collect::<Vec<_>>()).index(1..).unwrap();
    let pairs = bytes.reshape([16, 2]).unwrap().bitcast(u16).unwrap();
    assert_eq!(pairs.as_slice::<u16>().unwrap()[0], u16::from_le_bytes([1, 2]));
}

#[test]
fn mirrored_halves_are_added_in_float32() -> Result<()> {
    // 2048 + 1 rounds to 2048 in float16, 2048 + 1 + 1 is 2050.
    for (dtype, big) in [(DType::F16, 2048.0f32), (DType::BF16, 256.0)] {
        let x = tensor![0.0f32].cast(dtype)?;
        let weights = tensor![big, 1.0, 1.0].cast(dtype)?;
        let f = |x: &Tensor| {
            let y = x.mirror_pad([[1, 1]], MirrorMode::Symmetric)?;
            ops::mul(&y, &weights)?.reduce_sum(.., false)
        };
        assert_eq!(floats(&grad(f)(&x)?.cast(DType::F32)?), [big + 2.0], "{dtype}");
    }
    Ok(())
}
