use super::*;
use crate::element::{Cast, bf16, f16};
use crate::matmul::batch_matmul;
use crate::testing::{filled, noise};
use proptest::prelude::*;

/// Element types of the tests.
trait Number: Gemm + Exponential + Tabled + Cast<f64> {}
impl<T: Gemm + Exponential + Tabled + Cast<f64>> Number for T {}

fn values<T: Number>(len: usize) -> Vec<T>
where
    f32: Cast<T>,
{
    noise(len).into_iter().map(|x| (2.0 * x).cast()).collect()
}

/// The ops one by one.
fn one_by_one<T: Number>(of: &Attention<'_, T>) -> Vec<T> {
    let heads = of.q.offsets.len();
    let (m, n) = (of.queries, of.keys);
    let len = heads * m * n;
    let mut scores = filled(len, |out| {
        batch_matmul(MatMul::new(m, n, of.depth), of.q, of.k, out, Par::Seq).unwrap();
    });
    if let Some((function, by)) = of.scale {
        let function = entry::<T>(function);
        scores = filled(len, |out| function(&scores, &[by], Pairing::Right, out, Par::Seq));
    }
    if let Some(mask) = of.mask {
        let at = |i: usize| {
            let (head, row, column) = (i / n / m, i / n % m, i % n);
            mask.data[mask.offsets[head] + row * mask.strides.row + column]
        };
        let mask: Vec<T> = (0..len).map(at).collect();
        let add = entry::<T>(&binary::ADD);
        scores = filled(len, |out| add(&scores, &mask, Pairing::Each, out, Par::Seq));
    }
    let shares: Vec<T> = filled(len, |out| softmax(&scores, n, out, Par::Seq));
    let offsets: Vec<usize> = (0..heads).map(|head| head * m * n).collect();
    let shares =
        BatchOperand { data: &shares, offsets: &offsets, strides: MatStrides::row_major(n) };
    filled(heads * m * of.width, |out| {
        batch_matmul(MatMul::new(m, of.width, n), shares, of.v, out, Par::Seq).unwrap();
    })
}

fn run<T: Number>(of: &Attention<'_, T>, par: Par) -> Vec<T> {
    let len = of.q.offsets.len() * of.queries * of.width;
    filled(len, |out| attention(of, out, par).unwrap())
}

/// Whether both are the same bits, or no numbers.
fn same<T: Number>(x: T, y: T) -> bool {
    let (x, y): (f64, f64) = (x.cast(), y.cast());
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

/// Runs on as many threads; more of them make smaller blocks.
fn on_threads<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(f);
    #[cfg(not(feature = "parallel"))]
    {
        let _ = threads;
        f()
    }
}

fn check<T: Number>(of: &Attention<'_, T>) {
    let want = one_by_one(of);
    let mut all = vec![run(of, Par::Seq)];
    all.extend([2, 8].map(|threads| on_threads(threads, || run(of, Par::Pool))));
    for (got, threads) in all.iter().zip(["one thread", "2", "8"]) {
        for (i, (got, want)) in got.iter().zip(&want).enumerate() {
            let Attention { queries, keys, depth, width, .. } = of;
            let sizes = [of.q.offsets.len(), *queries, *keys, *depth, *width];
            assert!(same(*got, *want), "{sizes:?} {threads}: element {i} is {got:?}, not {want:?}");
        }
    }
}

/// How the operands lie in memory.
#[derive(Debug, Clone, Copy)]
enum Layout {
    /// `[heads, rows, columns]` each.
    Apart,
    /// The queries and the keys transposed.
    Transposed,
    /// Columns of one `[rows, 3, heads, columns]` array; with as many queries as keys, and as wide values as keys.
    Together,
    /// Every other column of such an array.
    Spread,
}

fn check_layout<T: Number>(
    layout: Layout,
    [heads, queries, keys, depth, width]: [usize; 5],
    scaled: bool,
    masked: Option<[usize; 2]>,
) where
    f32: Cast<T>,
{
    let starts = |by: usize, from: usize| (0..heads).map(|i| from + i * by).collect::<Vec<_>>();
    let mask: Vec<T> = values(heads * queries * keys + 1);
    let (by_head, by_row) = masked.map_or((0, 0), |[head, row]| (head, row));
    let mask_offsets = starts(by_head * queries * keys, 1);
    let mask = masked.map(|_| BatchOperand {
        data: &mask,
        offsets: &mask_offsets,
        strides: MatStrides::row_major(by_row * keys),
    });
    let scale = scaled.then(|| (&binary::REAL_DIV, 3.0f32.cast()));
    match layout {
        Layout::Apart | Layout::Transposed => {
            let transposed = matches!(layout, Layout::Transposed);
            let strides = |rows, columns| match transposed {
                true => MatStrides::transposed(rows),
                false => MatStrides::row_major(columns),
            };
            let (q, k, v): (Vec<T>, Vec<T>, Vec<T>) = (
                values(heads * queries * depth),
                values(heads * keys * depth + 7),
                values(keys * width),
            );
            let (q_offsets, k_offsets) = (starts(queries * depth, 0), starts(keys * depth, 7));
            check(&Attention {
                queries,
                keys,
                depth,
                width,
                q: BatchOperand { data: &q, offsets: &q_offsets, strides: strides(queries, depth) },
                k: BatchOperand { data: &k, offsets: &k_offsets, strides: strides(depth, keys) },
                // All heads share the values.
                v: BatchOperand {
                    data: &v,
                    offsets: &vec![0; heads],
                    strides: MatStrides::row_major(width),
                },
                scale,
                mask,
            });
        }
        Layout::Together | Layout::Spread => {
            let step = if matches!(layout, Layout::Spread) { 2 } else { 1 };
            let row = 3 * heads * depth * step;
            let x: Vec<T> = values(queries * row);
            let part = |i| starts(depth * step, i * heads * depth * step);
            let (q, k, v) = (part(0), part(1), part(2));
            let strides = MatStrides { row, column: step };
            let turned = MatStrides { row: step, column: row };
            check(&Attention {
                queries,
                keys: queries,
                depth,
                width: depth,
                q: BatchOperand { data: &x, offsets: &q, strides },
                k: BatchOperand { data: &x, offsets: &k, strides: turned },
                v: BatchOperand { data: &x, offsets: &v, strides },
                scale,
                mask: mask.filter(|_| queries == keys),
            });
        }
    }
}

fn sizes() -> impl Strategy<Value = [usize; 5]> {
    // Many blocks of rows, and few.
    let queries = prop_oneof![0usize..5, 1usize..100, 160usize..260];
    let keys = prop_oneof![0usize..5, 1usize..100, 513usize..540];
    let depth = prop_oneof![0usize..5, 1usize..40];
    let width = prop_oneof![0usize..5, 1usize..70];
    (1usize..4, queries, keys, depth, width)
        .prop_map(|(heads, queries, keys, depth, width)| [heads, queries, keys, depth, width])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 1 } else { 16 }, ..ProptestConfig::default() })]

    #[test]
    fn results_have_the_bits_of_the_ops_one_by_one(
        sizes in sizes(),
        square in any::<bool>(),
        layout in prop::sample::select(vec![Layout::Apart, Layout::Transposed, Layout::Together, Layout::Spread]),
        scaled in any::<bool>(),
        masked in prop::option::of([0usize..2, 0usize..2]),
    ) {
        let [heads, queries, keys, depth, width] = sizes;
        let sizes = [heads, queries, if square { queries } else { keys }, depth, width];
        check_layout::<f32>(layout, sizes, scaled, masked);
        check_layout::<f64>(layout, sizes, scaled, masked);
        check_layout::<f16>(layout, sizes, scaled, masked);
        check_layout::<bf16>(layout, sizes, scaled, masked);
    }

    /// What the blocks rely on.
    #[test]
    fn enough_rows_have_the_bits_of_the_whole_product(
        m in 1usize..700,
        n in prop_oneof![1usize..5, 1usize..100],
        k in prop_oneof![1usize..5, 1usize..100, 500usize..1300],
        a_layout in 0usize..3,
        b_layout in 0usize..3,
        more in 0usize..40,
    ) {
        check_rows::<f32>([m, n, k], [a_layout, b_layout], more);
        check_rows::<f64>([m, n, k], [a_layout, b_layout], more);
        check_rows::<f16>([m, n, k], [a_layout, b_layout], more);
        check_rows::<bf16>([m, n, k], [a_layout, b_layout], more);
    }
}

fn check_rows<T: Number>([m, n, k]: [usize; 3], layouts: [usize; 2], more: usize)
where
    f32: Cast<T>,
{
    let strides = |layout, rows: usize, columns: usize| match layout {
        0 => MatStrides::row_major(columns),
        1 => MatStrides::transposed(rows),
        _ => MatStrides { row: 2 * columns + 3, column: 2 },
    };
    let (a_strides, b_strides) = (strides(layouts[0], m, k), strides(layouts[1], k, n));
    let (a, b): (Vec<T>, Vec<T>) = (values(a_strides.extent(m, k)), values(b_strides.extent(k, n)));
    let product = |from: usize, rows| -> Vec<T> {
        let a = &a[from * a_strides.row..];
        filled(rows * n, |out| {
            matmul(MatMul::new(rows, n, k), a, a_strides, &b, b_strides, out, Par::Seq).unwrap();
        })
    };
    let whole = product(0, m);
    let least = least_rows(n, k) + more;
    if least > m {
        return;
    }
    for from in [0, (m - least) / 2, m - least] {
        let part = product(from, least);
        for (i, (got, want)) in part.iter().zip(&whole[from * n..]).enumerate() {
            assert!(same(*got, *want), "{m} {n} {k} {layouts:?}: {least} rows from {from}, {i}");
        }
    }
}

#[test]
fn long_rows_are_computed_in_blocks() {
    let sizes = [1, 170, 3000, 8, 5];
    let layout = Layout::Apart;
    let strides = MatStrides::row_major(0);
    let none = BatchOperand::<f32> { data: &[], offsets: &[0], strides };
    let of = Attention {
        queries: 170,
        keys: 3000,
        depth: 8,
        width: 5,
        q: none,
        k: none,
        v: none,
        scale: None,
        mask: None,
    };
    assert_eq!(of.blocks(1), 2);
    assert_eq!([of.start(2, 0), of.start(2, 1), of.start(2, 2)], [0, 80, 170]);
    check_layout::<f32>(layout, sizes, true, Some([1, 1]));
}

#[test]
fn halves_of_more_rows_than_are_widened_at_a_time() {
    check_layout::<f16>(Layout::Apart, [1, 513, 20, 9, 3], true, None);
    check_layout::<bf16>(Layout::Together, [1, 513, 513, 9, 3], true, None);
}

/// One head with operands in row-major order.
fn head<'a>(
    [queries, keys, depth, width]: [usize; 4],
    q: &'a [f32],
    k: &'a [f32],
    v: &'a [f32],
    mask: Option<&'a [f32]>,
) -> Attention<'a, f32> {
    let operand = |data, columns| BatchOperand {
        data,
        offsets: &[0],
        strides: MatStrides::row_major(columns),
    };
    Attention {
        queries,
        keys,
        depth,
        width,
        q: operand(q, depth),
        k: operand(k, keys),
        v: operand(v, width),
        scale: None,
        mask: mask.map(|mask| operand(mask, keys)),
    }
}

#[test]
fn rows_without_a_number_or_a_key() {
    let inf = f32::INFINITY;
    let (q, k, v) = ([0.0, 0.0, inf, 0.0, 0.0], [1.0, -1.0], [3.0, 5.0]);
    let mask = [0.0, -inf, -inf, -inf, 0.0, 0.0, f32::NAN, 0.0, 0.0, inf];
    let of = head([5, 2, 1, 1], &q, &k, &v, Some(&mask));
    let got = run(&of, Par::Seq);
    assert_eq!(got[0], 3.0);
    assert!(got[1..].iter().all(|x| x.is_nan()), "{got:?}");
    check(&of);
}

#[test]
fn sizes_of_zero() {
    let v = [2.0, 4.0];
    // Scores of no terms are zeros, so that the values are averaged.
    assert_eq!(run(&head([3, 2, 0, 1], &[], &[], &v, None), Par::Seq), [3.0; 3]);
    assert_eq!(run(&head([3, 0, 2, 2], &[1.0; 6], &[], &[], Some(&[])), Par::Pool), [0.0; 6]);
    assert!(run(&head([0, 2, 1, 1], &[], &v, &v, None), Par::Pool).is_empty());
    assert!(run(&head([2, 2, 1, 0], &v, &v, &[], None), Par::Pool).is_empty());
    let none = BatchOperand::<f32> { data: &[], offsets: &[], strides: MatStrides::row_major(1) };
    let huge = 1 << 62;
    let of = Attention { q: none, k: none, v: none, ..head([huge; 4], &[], &[], &[], None) };
    assert_eq!(attention(&of, &mut [], Par::Pool), Ok(()));
}

#[test]
fn too_many_scores_are_an_error() {
    let of = head([1, 1 << 61, 0, 1], &[], &[], &[], None);
    let got = attention(&of, &mut [MaybeUninit::uninit()], Par::Seq);
    assert_eq!(got, Err(OutOfMemory { bytes: 1 << 63 }));
}

#[test]
#[should_panic(expected = "operands differ in their number of matrices")]
fn operands_have_as_many_matrices() {
    let of = head([1, 1, 1, 1], &[1.0], &[1.0], &[1.0], None);
    let two = BatchOperand { offsets: &[0, 0], ..of.v };
    run(&Attention { v: two, ..of }, Par::Seq);
}

#[test]
#[should_panic(expected = "result does not have the shape")]
fn results_have_their_length() {
    let of = head([1, 1, 1, 1], &[1.0], &[1.0], &[1.0], None);
    let _ = attention(&of, &mut [MaybeUninit::uninit(); 2], Par::Seq);
}

#[test]
#[should_panic(expected = "columns of the mask are contiguous")]
fn masks_have_contiguous_columns() {
    let of = head([1, 2, 1, 1], &[1.0], &[1.0; 2], &[1.0; 2], Some(&[0.0; 4]));
    let mask =
        of.mask.map(|mask| BatchOperand { strides: MatStrides { row: 4, column: 2 }, ..mask });
    run(&Attention { mask, ..of }, Par::Seq);
}
