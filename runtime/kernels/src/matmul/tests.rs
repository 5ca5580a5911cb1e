use super::*;
use crate::element::{Arithmetic, Cast, Complex32, Complex64, bf16, f16};
use crate::testing::{filled, noise};

/// The product in `f64`, from element functions.
fn naive(
    dims: MatMul,
    a: impl Fn(usize, usize) -> Complex64,
    b: impl Fn(usize, usize) -> Complex64,
) -> Vec<Complex64> {
    let conj = |x: Complex64, flag: bool| if flag { x.conj() } else { x };
    let entry = |i: usize, j: usize| {
        (0..dims.k).map(|k| conj(a(i, k), dims.conj_a) * conj(b(k, j), dims.conj_b)).sum()
    };
    (0..dims.m).flat_map(|i| (0..dims.n).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
}

fn values<T: Arithmetic>(len: usize) -> Vec<T>
where
    Complex32: Cast<T>,
{
    let parts = noise(2 * len);
    parts.chunks(2).map(|p| Complex32::new(8.0 * p[0], 8.0 * p[1]).cast()).collect()
}

fn check<T: Gemm + Cast<Complex64>>(dims: MatMul, tolerance: f64)
where
    Complex32: Cast<T>,
{
    let layouts = |rows: usize, columns: usize| {
        [
            MatStrides::row_major(columns),
            MatStrides::transposed(rows),
            MatStrides { row: 2 * columns + 3, column: 2 },
        ]
    };
    for a_strides in layouts(dims.m, dims.k) {
        for b_strides in layouts(dims.k, dims.n) {
            let a: Vec<T> = values(a_strides.extent(dims.m, dims.k));
            let b: Vec<T> = values(b_strides.extent(dims.k, dims.n));
            let got = filled(dims.m * dims.n, |out| {
                matmul(dims, &a, a_strides, &b, b_strides, out, Par::Pool).unwrap();
            });
            let want = naive(
                dims,
                |i, k| a[i * a_strides.row + k * a_strides.column].cast(),
                |k, j| b[k * b_strides.row + j * b_strides.column].cast(),
            );
            for (got, want) in got.iter().zip(want) {
                let got: Complex64 = got.cast();
                let scale = 64.0 * dims.k as f64;
                assert!((got - want).norm() <= tolerance * scale, "{dims:?} {got} {want}");
            }
        }
    }
}

#[test]
fn every_type_and_layout() {
    for (m, n, k) in
        [(1, 1, 1), (3, 5, 4), (17, 9, 33), (64, 70, 20), (1, 40, 50), (40, 1, 50), (1030, 3, 2)]
    {
        let dims = MatMul::new(m, n, k);
        check::<f32>(dims, 1e-6);
        check::<f64>(dims, 1e-14);
        check::<f16>(dims, 2e-3);
        check::<bf16>(dims, 2e-2);
        check::<Complex32>(dims, 1e-6);
        check::<Complex64>(dims, 1e-14);
        check::<i32>(dims, 0.0);
        check::<i64>(dims, 0.0);
    }
}

#[test]
fn products_of_bf16_by_tile_registers() {
    for (m, n, k) in [(33, 65, 31), (130, 40, 600), (200, 513, 70), (16, 1000, 5), (64, 64, 64)] {
        check::<bf16>(MatMul::new(m, n, k), 2e-2);
    }
    // More terms than are packed at a time.
    let (ones, k) = (vec![bf16::ONE; 300_000 * 32], 300_000);
    let (a, b) = (MatStrides::row_major(k), MatStrides::row_major(32));
    let got = filled(32, |out| {
        matmul(MatMul::new(1, 32, k), &ones[..k], a, &ones, b, out, Par::Pool).unwrap();
    });
    assert_eq!(got, [bf16::from_f32(3e5); 32]);
}

#[test]
fn strides_of_single_rows_and_columns_may_be_anything() {
    let far = MatStrides { row: 1 << 62, column: 1 };
    for k in [300, 1] {
        let (x, y) = (vec![1.0f32; k], vec![1.0f32; k * 400]);
        let b = if k == 1 { far } else { MatStrides::row_major(400) };
        let got = filled(400, |out| {
            matmul(MatMul::new(1, 400, k), &x, far, &y, b, out, Par::Seq).unwrap();
        });
        assert_eq!(got, vec![k as f32; 400]);
    }
}

#[test]
fn conjugation() {
    for (conj_a, conj_b) in [(true, false), (false, true), (true, true)] {
        for size in [2, 20] {
            let dims = MatMul { conj_a, conj_b, ..MatMul::new(size, size + 1, size + 2) };
            check::<Complex32>(dims, 1e-6);
            check::<Complex64>(dims, 1e-14);
            check::<f32>(dims, 1e-6);
        }
    }
}

#[test]
fn integers_wrap() {
    let (row, column) = (MatStrides::row_major(2), MatStrides::row_major(1));
    let got = filled(1, |out| {
        matmul(MatMul::new(1, 1, 2), &[100i8, 100], row, &[2, 2], column, out, Par::Seq).unwrap();
    });
    assert_eq!(got, [400i32 as i8]);
}

#[test]
fn empty_sizes() {
    let row = MatStrides::row_major(0);
    let product = |m, n, k| {
        filled(m * n, |out| {
            matmul::<f32>(MatMul::new(m, n, k), &[], row, &[], row, out, Par::Seq).unwrap();
        })
    };
    assert_eq!(product(2, 3, 0), [0.0; 6]);
    assert!(product(0, 3, 0).is_empty());
    assert!(product(0, 1 << 62, 0).is_empty());
    let none = BatchOperand::<f32> { data: &[], offsets: &[], strides: row };
    let huge = MatMul::new(1 << 62, 1 << 62, 3);
    assert_eq!(batch_matmul(huge, none, none, &mut [], Par::Pool), Ok(()));
}

#[test]
fn batches_broadcast_by_their_offsets() {
    let dims = MatMul::new(2, 2, 2);
    let strides = MatStrides::row_major(2);
    let a = [1.0f32, 2.0, 3.0, 4.0];
    let b: Vec<f32> = (0..400).map(|i| i as f32).collect();
    let starts: Vec<usize> = (0..100).map(|i| i * 4).collect();
    let got = filled(400, |out| {
        let a = BatchOperand { data: &a, offsets: &[0; 100], strides };
        let b = BatchOperand { data: &b, offsets: &starts, strides };
        batch_matmul(dims, a, b, out, Par::Pool).unwrap();
    });
    for (b, got) in b.chunks(4).zip(got.chunks(4)) {
        let want = [
            b[0] + 2.0 * b[2],
            b[1] + 2.0 * b[3],
            3.0 * b[0] + 4.0 * b[2],
            3.0 * b[1] + 4.0 * b[3],
        ];
        assert_eq!(got, want);
    }
}

#[test]
fn rows_that_follow_each_other_have_the_bits_of_single_products() {
    for (count, m, n, k) in [(3, 70, 40, 30), (4, 128, 96, 600), (2, 300, 8, 5), (5, 20, 40, 30)] {
        let (a, b) = (noise(count * m * k), noise(k * n));
        let dims = MatMul::new(m, n, k);
        let rows: Vec<usize> = (0..count).map(|i| i * m * k).collect();
        // The same matrices in an order of which no larger one consists.
        let turned: Vec<usize> = rows.iter().rev().copied().collect();
        let product = |offsets: &[usize]| -> Vec<f32> {
            filled(count * m * n, |out| {
                let a = BatchOperand { data: &a, offsets, strides: MatStrides::row_major(k) };
                let (offsets, strides) = (&vec![0; count][..], MatStrides::row_major(n));
                let b = BatchOperand { data: &b, offsets, strides };
                batch_matmul(dims, a, b, out, Par::Pool).unwrap();
            })
        };
        let (joined, apart) = (product(&rows), product(&turned));
        assert!(joined.chunks(m * n).eq(apart.chunks(m * n).rev()), "{count} {m} {n} {k}");
    }
}
