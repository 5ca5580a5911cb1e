use super::*;
use crate::element::Complex64;
use crate::table::{
    MapSignature, MapToSignature, Pairing, ReduceSignature, Table, Tabled, ZipSignature, binary,
    reduction, softmax as rows, unary,
};
use proptest::prelude::*;

/// What a chain writes for one result.
fn run_one<R: Element + bytemuck::Pod>(chain: &Chain, inputs: &[Input<'_>], len: usize) -> Vec<R> {
    let mut y = vec![R::default(); len];
    chain.run(inputs, &mut [Output::bytes(bytemuck::cast_slice_mut(&mut y))], Par::Pool);
    y
}

fn each<T: Element>(b: &mut Builder) -> Value {
    b.input(Type::of::<T>(), Cover::Each, Extent::Each)
}

/// A chain of one function.
fn chain_of<T: Tabled>(table: &Table<MapSignature>) -> Chain {
    let mut b = Builder::default();
    let x = each::<T>(&mut b);
    let y = b.apply(BlockFn::map::<T>(table).unwrap(), &[x]).unwrap();
    b.finish(&[y])
}

/// A table's function on whole slices.
fn map<T: Tabled>(table: &Table<MapSignature>, x: &[T]) -> Vec<T> {
    let mut y = vec![MaybeUninit::new(T::default()); x.len()];
    T::entry(table).unwrap()(x, &mut y, Par::Seq);
    // SAFETY: all elements were initialized from the start.
    y.into_iter().map(|y| unsafe { y.assume_init() }).collect()
}

fn zip<T: Tabled>(table: &Table<ZipSignature>, x: &[T], y: &[T]) -> Vec<T> {
    let mut z = vec![MaybeUninit::new(T::default()); x.len()];
    T::entry(table).unwrap()(x, y, Pairing::Each, &mut z, Par::Seq);
    // SAFETY: all elements were initialized from the start.
    z.into_iter().map(|z| unsafe { z.assume_init() }).collect()
}

fn numbers(len: usize, seed: f32) -> Vec<f32> {
    (0..len).map(|i| ((i as f32 + seed) * 0.37).sin() * 3.0).collect()
}

#[test]
fn a_program_computes_what_its_functions_do_one_by_one() {
    for len in [0, 1, 2, 63, 64, 65, 127, 1000, 1024, 1025, 5000, 1 << 19] {
        let (x, y) = (numbers(len, 0.0), numbers(len, 9.0));
        let mut b = Builder::default();
        let (p, q) = (each::<f32>(&mut b), each::<f32>(&mut b));
        let sum = b.apply(BlockFn::zip::<f32>(&binary::ADD).unwrap(), &[p, q]).unwrap();
        let exp = b.apply(BlockFn::map::<f32>(&unary::TANH).unwrap(), &[sum]).unwrap();
        let out = b.apply(BlockFn::zip::<f32>(&binary::MUL).unwrap(), &[exp, p]).unwrap();
        let chain = b.finish(&[out]);
        let z: Vec<f32> = run_one(&chain, &[Input::of(&x), Input::of(&y)], len);
        let want = zip(&binary::MUL, &map(&unary::TANH, &zip(&binary::ADD, &x, &y)), &x);
        assert_eq!(z, want, "{len}");
    }
}

#[test]
fn a_result_may_be_read_and_the_types_may_differ() {
    let x = [1.0f32, -2.0, f32::NAN, 3.0];
    let mut b = Builder::default();
    let (p, zero) = (each::<f32>(&mut b), b.input(Type::of::<f32>(), Cover::One, Extent::Each));
    let positive =
        b.apply(BlockFn::zip_to::<f32, bool>(&binary::GREATER).unwrap(), &[p, zero]).unwrap();
    let chosen =
        b.apply(BlockFn::select(Type::of::<f32>()).unwrap(), &[positive, p, zero]).unwrap();
    let number = b.apply(BlockFn::map_to::<bool, i64>(i64_casts()).unwrap(), &[positive]).unwrap();
    let chain = b.finish(&[number, chosen, positive]);
    let (mut n, mut c, mut m) = ([7i64; 4], [7f32; 4], [7u8; 4]);
    let mut outputs = [
        Output::bytes(bytemuck::cast_slice_mut(&mut n)),
        Output::bytes(bytemuck::cast_slice_mut(&mut c)),
        Output::bytes(&mut m),
    ];
    chain.run(&[Input::of(&x), Input::of(&[0.0f32])], &mut outputs, Par::Seq);
    assert_eq!((n, c, m), ([1, 0, 0, 1], [1.0, 0.0, 0.0, 3.0], [1, 0, 0, 1]));
}

fn i64_casts() -> &'static Table<MapToSignature<i64>> {
    use crate::table::cast::CastTarget;
    i64::casts()
}

#[test]
fn elements_of_all_sizes_are_chosen_and_repeated() {
    fn check<T: Element + bytemuck::Pod>(x: &[T; 3], one: T) {
        let which = [true, false, true];
        let mut b = Builder::default();
        let (w, p) = (each::<bool>(&mut b), each::<T>(&mut b));
        let q = b.input(Type::of::<T>(), Cover::One, Extent::Each);
        let y = b.apply(BlockFn::select(Type::of::<T>()).unwrap(), &[w, p, q]).unwrap();
        let inputs = [Input::of(&which), Input::of(x), Input::of(core::slice::from_ref(&one))];
        assert_eq!(run_one::<T>(&b.finish(&[y]), &inputs, 3), [x[0], one, x[2]]);
    }
    check(&[1u8, 2, 3], 9);
    check(&[1i16, 2, 3], 9);
    check(&[1i32, 2, 3], 9);
    check(&[1.0f64, 2.0, 3.0], 9.0);
    check(&[num_complex::Complex32::new(1.0, 2.0); 3], num_complex::Complex32::new(3.0, 4.0));
    check(&[Complex64::new(1.0, 2.0); 3], Complex64::new(3.0, 4.0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 2 } else { 64 }, ..ProptestConfig::default() })]

    #[test]
    fn operands_broadcast(
        dims in prop::collection::vec(1usize..9, 0..4),
        ones in prop::collection::vec(any::<bool>(), 4),
        left_out in 0usize..4,
    ) {
        let small: Vec<usize> = dims.iter().zip(&ones).map(|(n, one)| if *one { 1 } else { *n }).collect();
        let small = &small[left_out.min(small.len())..];
        let (len, few) = (dims.iter().product(), small.iter().product());
        let (x, y) = (numbers(len, 1.0), numbers(few, 2.0));
        let plan = Broadcast::new(&dims, small).unwrap();
        let mut b = Builder::default();
        let (p, q) = (each::<f32>(&mut b), b.input(Type::of::<f32>(), Cover::Along(plan.clone()), Extent::Each));
        let sub = b.apply(BlockFn::zip::<f32>(&binary::SUB).unwrap(), &[p, q]).unwrap();
        let neg = b.apply(BlockFn::map::<f32>(&unary::NEG).unwrap(), &[sub]).unwrap();
        let z: Vec<f32> = run_one(&b.finish(&[neg]), &[Input::of(&x), Input::of(&y)], len);
        let mut want = vec![MaybeUninit::new(0.0); len];
        f32::entry(&binary::SUB).unwrap()(&x, &y, Pairing::Broadcast(&plan), &mut want, Par::Seq);
        // SAFETY: all elements were initialized from the start.
        let want: Vec<f32> = want.into_iter().map(|w| unsafe { w.assume_init() }).collect();
        prop_assert_eq!(z, map(&unary::NEG, &want));
    }
}

#[test]
fn functions_of_other_types_are_refused() {
    let mut b = Builder::default();
    let (x, y) = (each::<f32>(&mut b), each::<i32>(&mut b));
    let add = BlockFn::zip::<f32>(&binary::ADD).unwrap();
    assert!(b.apply(add, &[x, y]).is_none());
    assert!(b.apply(add, &[x]).is_none());
    assert!(b.apply(add, &[x, x, x]).is_none());
    assert!(b.apply(add, &[x, x]).is_some());
    assert!(BlockFn::map::<i32>(&unary::TANH).is_none());
}

#[test]
#[should_panic(expected = "operands fit the results")]
fn operands_of_another_type_are_refused() {
    run_one::<f32>(&chain_of::<f32>(&unary::NEG), &[Input::of(&[1i32; 4])], 4);
}

#[test]
#[should_panic(expected = "operands fit the results")]
fn operands_of_another_length_are_refused() {
    run_one::<f32>(&chain_of::<f32>(&unary::NEG), &[Input::of(&[1.0f32; 3])], 4);
}

#[test]
#[should_panic(expected = "memory of the results")]
fn results_of_other_sizes_are_refused() {
    let mut b = Builder::default();
    let x = each::<f32>(&mut b);
    let y = b.apply(BlockFn::map::<f32>(&unary::NEG).unwrap(), &[x]).unwrap();
    let z = b.apply(BlockFn::map::<f32>(&unary::EXP).unwrap(), &[x]).unwrap();
    let (mut short, mut long) = ([0.0f32; 2], [0.0f32; 3]);
    let mut outputs = [
        Output::bytes(bytemuck::cast_slice_mut(&mut long)),
        Output::bytes(bytemuck::cast_slice_mut(&mut short)),
    ];
    b.finish(&[y, z]).run(&[Input::of(&[1.0f32; 3])], &mut outputs, Par::Seq);
}

/// A table's reduction of rows of a length.
fn fold<T: Tabled>(table: &Table<ReduceSignature>, x: &[T], len: usize) -> Vec<T> {
    let layout = ReduceLayout::new(&[x.len() / len, len], &[false, true]);
    let mut y = vec![MaybeUninit::new(T::default()); x.len() / len];
    T::entry(table).unwrap()(x, &layout, &mut y, Par::Seq);
    // SAFETY: all elements were initialized from the start.
    y.into_iter().map(|y| unsafe { y.assume_init() }).collect()
}

#[test]
fn rows_are_reduced_and_spread_as_their_functions_do_one_by_one() {
    for (count, len) in
        [(1, 1), (3, 1), (1, 7), (700, 3), (5, 100), (33, 1000), (3, 5000), (300, 2000)]
    {
        let (x, bias) = (numbers(count * len, 0.0), numbers(count, 5.0));
        let mut b = Builder::of_rows(count, len);
        let p = each::<f32>(&mut b);
        let own = b.input(Type::of::<f32>(), Cover::Each, Extent::Row);
        let half = b.input(Type::of::<f32>(), Cover::One, Extent::Each);
        let zip = |table| BlockFn::zip::<f32>(table).unwrap();
        let most = b.apply(BlockFn::fold::<f32>(&reduction::MAX).unwrap(), &[p]).unwrap();
        let most = b.apply(zip(&binary::MUL), &[most, half]).unwrap();
        let most = b.apply(zip(&binary::ADD), &[most, own]).unwrap();
        assert_eq!((b.extent(most), b.extent(half)), (Extent::Row, Extent::One));
        let less = b.apply(zip(&binary::SUB), &[p, most]).unwrap();
        let more = b.apply(zip(&binary::SUB), &[most, p]).unwrap();
        let soft = b.apply(BlockFn::rows::<f32>(&rows::SOFTMAX).unwrap(), &[less]).unwrap();
        let square = b.apply(BlockFn::map::<f32>(&unary::SQUARE).unwrap(), &[soft]).unwrap();
        let sum = b.apply(BlockFn::fold::<f32>(&reduction::SUM).unwrap(), &[square]).unwrap();
        let spread = b.spread(sum);
        let chain = b.finish(&[most, less, more, sum, spread]);
        let mut got = [count, count * len, count * len, count, count * len].map(|n| vec![0f32; n]);
        let mut outputs = got.each_mut().map(|y| Output::bytes(bytemuck::cast_slice_mut(y)));
        chain.run(
            &[Input::of(&x), Input::of(&bias), Input::of(&[0.5f32])],
            &mut outputs,
            Par::Pool,
        );
        let most: Vec<f32> = fold(&reduction::MAX, &x, len).iter().map(|x| x * 0.5).collect();
        let most = super::tests::zip(&binary::ADD, &most, &bias);
        let less: Vec<f32> = x.iter().enumerate().map(|(i, x)| x - most[i / len]).collect();
        let more = less.iter().map(|x| -x).collect();
        let mut soft = vec![MaybeUninit::new(0f32); less.len()];
        f32::entry(&rows::SOFTMAX).unwrap()(&less, len, &mut soft, Par::Seq);
        // SAFETY: all elements were initialized from the start.
        let soft: Vec<f32> = soft.into_iter().map(|y| unsafe { y.assume_init() }).collect();
        let sum = fold(&reduction::SUM, &map(&unary::SQUARE, &soft), len);
        let spread = (0..x.len()).map(|i| sum[i / len]).collect();
        assert_eq!(got, [most, less, more, sum, spread], "{count} {len}");
    }
}

#[test]
fn rows_are_reduced_only_where_there_are_rows() {
    let sum = BlockFn::fold::<f32>(&reduction::SUM).unwrap();
    let mut b = Builder::default();
    let x = each::<f32>(&mut b);
    assert!(b.apply(sum, &[x]).is_none());
    let mut b = Builder::of_rows(2, 3);
    let x = b.input(Type::of::<f32>(), Cover::Each, Extent::Row);
    assert!(b.apply(sum, &[x]).is_none());
}

#[test]
fn operands_go_round_and_single_ones_are_repeated() {
    for (count, cycle) in [(1, 3), (7, 5), (3, 700), (4, 9000), (2000, 64), (5, 1)] {
        let len = count * cycle;
        let (x, y) = (numbers(len, 0.0), numbers(cycle, 4.0));
        let chain = |rows: Option<usize>| {
            let mut b = rows.map_or(Builder::default(), |rows| Builder::of_rows(rows, len / rows));
            let p = each::<f32>(&mut b);
            let q = b.input(
                Type::of::<f32>(),
                Cover::Along(Broadcast::new(&[count, cycle], &[cycle]).unwrap()),
                Extent::Each,
            );
            let s = b.input(Type::of::<f32>(), Cover::One, Extent::Each);
            let t = b.input(Type::of::<bool>(), Cover::One, Extent::Each);
            let zip = |table| BlockFn::zip::<f32>(table).unwrap();
            let sum = b.apply(zip(&binary::SUB), &[p, q]).unwrap();
            let left = b.apply(zip(&binary::SUB), &[s, sum]).unwrap();
            let right = b.apply(zip(&binary::REAL_DIV), &[left, s]).unwrap();
            let own = b.apply(zip(&binary::ADD), &[s, s]).unwrap();
            let select = BlockFn::select(Type::of::<f32>()).unwrap();
            let chosen = b.apply(select, &[t, right, own]).unwrap();
            b.finish(&[chosen])
        };
        let want: Vec<f32> = (0..len).map(|i| (0.7 - (x[i] - y[i % cycle])) / 0.7).collect();
        for rows in [None, Some(count), Some(1)] {
            let inputs = [Input::of(&x), Input::of(&y), Input::of(&[0.7f32]), Input::of(&[true])];
            let got: Vec<f32> = run_one(&chain(rows), &inputs, len);
            assert_eq!(got, want, "{count} {cycle} {rows:?}");
        }
        let inputs = [Input::of(&x), Input::of(&y), Input::of(&[0.7f32]), Input::of(&[false])];
        assert_eq!(run_one::<f32>(&chain(None), &inputs, len), vec![1.4; len]);
    }
}

#[test]
fn cycles_of_several_lengths_keep_their_places_on_all_threads() {
    let len = 6 * 4 * 20_011;
    let (x, y, z) = (numbers(len, 0.0), numbers(6, 1.0), numbers(4, 2.0));
    let cycle = |n: usize| Cover::Along(Broadcast::new(&[len / n, n], &[n]).unwrap());
    let mut b = Builder::default();
    let p = each::<f32>(&mut b);
    let q = b.input(Type::of::<f32>(), cycle(6), Extent::Each);
    let r = b.input(Type::of::<f32>(), cycle(4), Extent::Each);
    let zip = |table| BlockFn::zip::<f32>(table).unwrap();
    let sum = b.apply(zip(&binary::ADD), &[p, q]).unwrap();
    let product = b.apply(zip(&binary::MUL), &[sum, r]).unwrap();
    let chain = b.finish(&[product]);
    let want: Vec<f32> = (0..len).map(|i| (x[i] + y[i % 6]) * z[i % 4]).collect();
    let got: Vec<f32> = run_one(&chain, &[Input::of(&x), Input::of(&y), Input::of(&z)], len);
    assert!(got == want);
}

#[test]
fn results_beyond_the_cache() {
    let many = if cfg!(miri) { return } else { (16 << 20) / size_of::<f32>() };
    for (count, len) in [(1, many + 77), (many / 1001 + 1, 1001)] {
        let x = numbers(count * len, 0.0);
        let mut b = if count == 1 { Builder::default() } else { Builder::of_rows(count, len) };
        let p = each::<f32>(&mut b);
        let negative = b.apply(BlockFn::map::<f32>(&unary::NEG).unwrap(), &[p]).unwrap();
        let square = b.apply(BlockFn::map::<f32>(&unary::SQUARE).unwrap(), &[negative]).unwrap();
        let chain = b.finish(&[negative, square]);
        // The results start at any place of a cache line.
        let mut got = [1, 3].map(|n| vec![0f32; x.len() + n]);
        let mut outputs = got.each_mut().map(|y| {
            let n = y.len() - x.len();
            Output::bytes(bytemuck::cast_slice_mut(&mut y[n..]))
        });
        chain.run(&[Input::of(&x)], &mut outputs, Par::Pool);
        assert!(x.iter().zip(&got[0][1..]).all(|(x, y)| *y == -x));
        assert!(x.iter().zip(&got[1][3..]).all(|(x, y)| *y == x * x));
        assert!(got.iter().all(|y| y[0] == 0.0));
    }
}
