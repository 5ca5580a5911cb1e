use super::*;

const A: [f32; 4] = [4.0, 2.0, 2.0, 3.0];

#[test]
fn a_matrix_is_the_product_of_its_factors() {
    let mut l = Vec::new();
    cholesky(&A, 2, &mut l).expect("positive definite");
    assert_eq!(l, [2.0, 0.0, 1.0, 2f32.sqrt()]);
    let (mut q, mut r) = (Vec::new(), Vec::new());
    qr(&[3.0f64, 1.0, 4.0, 1.0], (2, 2), true, &mut q, &mut r);
    let at = |i: usize, j: usize| q[i * 2] * r[j] + q[i * 2 + 1] * r[2 + j];
    for (i, x) in [3.0, 1.0, 4.0, 1.0].into_iter().enumerate() {
        assert!((at(i / 2, i % 2) - x).abs() < 1e-14);
    }
}

#[test]
fn what_has_no_factor_says_where() {
    assert_eq!(cholesky(&[1.0f64, 2.0, 2.0, 1.0], 2, &mut vec![]), Err(NotPositive { minor: 2 }));
    assert_eq!(cholesky(&[f64::NAN], 1, &mut vec![]), Err(NotPositive { minor: 1 }));
    let singular = inverse(&[1.0f32, 2.0, 2.0, 4.0], 2, false, &mut vec![]);
    assert_eq!(singular, Err(Singular { pivot: 1 }));
    let nan = eigh(&[f64::NAN], 1, &mut vec![], None);
    assert_eq!(nan, Err(NotConverged { finite: false }));
}

#[test]
fn determinants_follow_the_rows() {
    assert_eq!(determinant(&[0.0f64, 1.0, 1.0, 0.0], 2), -1.0);
    assert_eq!(determinant::<f32>(&[], 0), 1.0);
    assert_eq!(log_determinant(&[0.0f64, 1.0, 1.0, 0.0], 2), (-1.0, 0.0));
    assert_eq!(log_determinant(&[0.0f64, 0.0, 1.0, 0.0], 2), (0.0, f64::NEG_INFINITY));
    let i = Complex64::new(0.0, 1.0);
    assert_eq!(determinant(&[i], 1), i);
}

#[test]
fn a_rotation_has_imaginary_eigenvalues() {
    let (mut e, mut v) = (Vec::new(), Vec::new());
    eig(&[0.0f64, -1.0, 1.0, 0.0], 2, &mut e, Some(&mut v)).expect("found");
    let mut parts: Vec<f64> = e.iter().map(|e| e.im).collect();
    parts.sort_by(f64::total_cmp);
    assert!((parts[0] + 1.0).abs() < 1e-12 && (parts[1] - 1.0).abs() < 1e-12);
    assert!((v[0].norm_sqr() + v[2].norm_sqr() - 1.0).abs() < 1e-12);
}

/// A number of any type, from a real and an imaginary part; real types ignore the latter.
trait Made: Field<Wide: Wide> + Copy {
    fn made(re: f64, im: f64) -> Self;
    fn of(self) -> Complex64;
    fn out(x: Self::Complex) -> Complex64;
    const EPSILON: f64;
}

macro_rules! made {
    ($($t:ty, $epsilon:expr, |$re:ident, $im:ident| $made:expr, |$c:ident| $out:expr;)*) => {
        $(impl Made for $t {
            fn made($re: f64, $im: f64) -> Self {
                let _ = $im;
                $made
            }
            fn of(self) -> Complex64 {
                self.widen().complex()
            }
            fn out($c: Self::Complex) -> Complex64 {
                $out
            }
            const EPSILON: f64 = $epsilon;
        })*
    };
}
made! {
    f32, 1.2e-7, |re, im| re as f32, |c| Complex64::new(c.re.into(), c.im.into());
    f64, 2.3e-16, |re, im| re, |c| c;
    Complex32, 1.2e-7, |re, im| Complex32::new(re as f32, im as f32),
        |c| Complex64::new(c.re.into(), c.im.into());
    Complex64, 2.3e-16, |re, im| Complex64::new(re, im), |c| c;
}

/// Pseudorandom numbers in [-1, 1).
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Matrices of all the kinds at which factorizations fail: with too few eigenvectors, singular, with elements near the
/// limits of numbers, and with elements of very different sizes.
fn matrices<T: Made>(n: usize) -> Vec<(String, Vec<T>)> {
    let mut next = numbers(n as u64);
    let mut random = |scale: f64| -> Vec<T> {
        (0..n * n).map(|_| T::made(next() * scale, next() * scale)).collect()
    };
    let from = |f: &dyn Fn(usize, usize) -> f64| -> Vec<T> {
        (0..n * n).map(|at| T::made(f(at / n, at % n), 0.0)).collect()
    };
    let jordan = |value: f64, beside: f64| {
        from(&move |i, j| if i == j { value } else { f64::from(i + 1 == j) * beside })
    };
    let (small, large) = match T::EPSILON > 1e-10 {
        true => (1e-42, 1e37),
        false => (1e-310, 1e300),
    };
    let mut all = vec![
        ("random".to_owned(), random(1.0)),
        ("small".to_owned(), random(small)),
        ("large".to_owned(), random(large)),
        ("jordan".to_owned(), jordan(2.0, 1.0)),
        ("nilpotent".to_owned(), jordan(0.0, 1.0)),
        ("small jordan".to_owned(), jordan(small, small)),
        ("large jordan".to_owned(), jordan(large, large)),
        ("lower jordan".to_owned(), from(&|i, j| if i == j { 2.0 } else { f64::from(i == j + 1) })),
        ("zeros".to_owned(), from(&|_, _| 0.0)),
        ("ones".to_owned(), from(&|_, _| 1.0)),
        ("identity".to_owned(), from(&|i, j| f64::from(i == j))),
        (
            "pairs".to_owned(),
            // Blocks of a rotation side by side: pairs of complex values with too few vectors.
            from(&|i, j| match (i % 2, j as i64 - i as i64) {
                (0, 1) => -1.0,
                (1, -1) => 1.0,
                (_, 2) => 1.0,
                _ => 0.0,
            }),
        ),
        ("mixed".to_owned(), from(&|i, j| if i == j { [large, small][i % 2] } else { 0.0 })),
    ];
    let rows = random(1.0);
    let scaled = |at: usize| [1.0, small, large][at / n % 3];
    all.push((
        "rows of unlike sizes".to_owned(),
        rows.iter().enumerate().map(|(at, x)| T::made(x.of().re * scaled(at), 0.0)).collect(),
    ));
    all
}

/// The product of a matrix `[m, k]` and one `[k, n]`.
fn product(a: &[Complex64], b: &[Complex64], (m, k, n): (usize, usize, usize)) -> Vec<Complex64> {
    let at = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    (0..m * n).map(|x| at(x / n, x % n)).collect()
}

fn adjoint(a: &[Complex64], (m, n): (usize, usize)) -> Vec<Complex64> {
    (0..m * n).map(|x| a[x % m * n + x / m].conj()).collect()
}

fn largest(a: &[Complex64]) -> f64 {
    a.iter().map(|x| x.re.abs().max(x.im.abs())).fold(0.0, f64::max)
}

/// The elements divided by the largest one, and the largest one.
fn relative<T: Made>(a: &[T]) -> (Vec<Complex64>, f64) {
    let a: Vec<Complex64> = a.iter().map(|x| x.of()).collect();
    let size = largest(&a);
    let size = if size == 0.0 { 1.0 } else { size };
    (a.iter().map(|x| Complex64::new(x.re / size, x.im / size)).collect(), size)
}

#[track_caller]
fn same(found: &[Complex64], wanted: &[Complex64], most: f64, what: &str) {
    for (x, y) in found.iter().zip(wanted) {
        assert!((x - y).norm() <= most, "{what}: {x} for {y}, more than {most:e} apart");
    }
}

fn residuals_are_small<T: Made>(n: usize)
where
    T::Complex: Copy,
{
    let ty = std::any::type_name::<T>();
    let eye: Vec<Complex64> =
        (0..n * n).map(|x| Complex64::new(f64::from(x / n == x % n), 0.0)).collect();
    for (name, matrix) in matrices::<T>(n) {
        let what = |of: &str| format!("{of} of {name}, {ty}, n = {n}");
        let (a, size) = relative(&matrix);
        // Denormal elements have fewer digits.
        let digits = match T::EPSILON > 1e-10 {
            true => f64::from(f32::from_bits(1)) / size,
            false => f64::from_bits(1) / size,
        };
        let most = 64.0 * n as f64 * (T::EPSILON + digits);
        let whole = |x: Complex64| Complex64::new(x.re / size, x.im / size);

        let (mut e, mut v) = (Vec::new(), Vec::new());
        eig(&matrix, n, &mut e, Some(&mut v)).unwrap_or_else(|e| panic!("{}: {e:?}", what("eig")));
        let e: Vec<Complex64> = e.into_iter().map(|x| whole(T::out(x))).collect();
        let v: Vec<Complex64> = v.into_iter().map(T::out).collect();
        let right: Vec<Complex64> = v.iter().enumerate().map(|(at, x)| x * e[at % n]).collect();
        same(&product(&a, &v, (n, n, n)), &right, most, &what("eig"));
        for j in 0..n {
            let length: f64 = (0..n).map(|i| v[i * n + j].norm_sqr()).sum();
            assert!((length - 1.0).abs() < most, "{}: length {length}", what("eig"));
        }

        let (mut s, mut u, mut v) = (Vec::new(), Vec::new(), Vec::new());
        svd(&matrix, (n, n), Vectors::Full, &mut s, &mut u, &mut v).expect("found");
        let of = |x: &[T]| -> Vec<Complex64> { x.iter().map(|x| x.of()).collect() };
        let (s, u, v) = (of(&s), of(&u), of(&v));
        let us: Vec<Complex64> = u.iter().enumerate().map(|(at, x)| x * whole(s[at % n])).collect();
        same(&product(&us, &adjoint(&v, (n, n)), (n, n, n)), &a, most, &what("svd"));
        for x in [&u, &v] {
            same(&product(&adjoint(x, (n, n)), x, (n, n, n)), &eye, most, &what("svd"));
        }

        let (mut q, mut r) = (Vec::new(), Vec::new());
        qr(&matrix, (n, n), true, &mut q, &mut r);
        let r: Vec<Complex64> = of(&r).into_iter().map(whole).collect();
        same(&product(&of(&q), &r, (n, n, n)), &a, most, &what("qr"));
        same(&product(&adjoint(&of(&q), (n, n)), &of(&q), (n, n, n)), &eye, most, &what("qr"));

        let (mut packed, mut rows) = (Vec::new(), Vec::new());
        lu(&matrix, n, &mut packed, &mut rows);
        let packed = of(&packed);
        let lower = |at: usize| match (at / n).cmp(&(at % n)) {
            std::cmp::Ordering::Less => Complex64::default(),
            std::cmp::Ordering::Equal => Complex64::new(1.0, 0.0),
            std::cmp::Ordering::Greater => packed[at],
        };
        let upper =
            |at: usize| if at / n <= at % n { whole(packed[at]) } else { Complex64::default() };
        let lower: Vec<Complex64> = (0..n * n).map(lower).collect();
        let upper: Vec<Complex64> = (0..n * n).map(upper).collect();
        let ordered: Vec<Complex64> = (0..n * n).map(|at| a[rows[at / n] * n + at % n]).collect();
        same(&product(&lower, &upper, (n, n, n)), &ordered, most, &what("lu"));

        // Hermitian: the mean of the matrix and its adjoint.
        let half = |at: usize| {
            let (x, y) = (matrix[at].of() / 2.0, matrix[at % n * n + at / n].of().conj() / 2.0);
            T::made(x.re + y.re, x.im + y.im)
        };
        let hermitian: Vec<T> = (0..n * n).map(half).collect();
        let (mut e, mut v) = (Vec::new(), Vec::new());
        eigh(&hermitian, n, &mut e, Some(&mut v)).expect("found");
        let (e, v) = (of(&e), of(&v));
        let right: Vec<Complex64> =
            v.iter().enumerate().map(|(at, x)| x * whole(e[at % n])).collect();
        let a: Vec<Complex64> = of(&hermitian).into_iter().map(whole).collect();
        same(&product(&a, &v, (n, n, n)), &right, most, &what("eigh"));
        same(&product(&adjoint(&v, (n, n)), &v, (n, n, n)), &eye, most, &what("eigh"));
    }
}

#[test]
fn vectors_of_matrices_nearby_have_the_same_signs() {
    for (m, n) in [(4, 3), (3, 5), (6, 6)] {
        let mut next = numbers(11);
        for _ in 0..50 {
            let a: Vec<f64> = (0..m * n).map(|_| next()).collect();
            let of = |a: &[f64]| {
                let (mut s, mut u, mut v) = (Vec::new(), Vec::new(), Vec::new());
                svd(a, (m, n), Vectors::Thin, &mut s, &mut u, &mut v).expect("found");
                let mut w = Vec::new();
                let gram: Vec<f64> = (0..m * m)
                    .map(|at| (0..n).map(|k| a[at / m * n + k] * a[at % m * n + k]).sum())
                    .collect();
                eigh(&gram, m, &mut Vec::new(), Some(&mut w)).expect("found");
                // Vectors of zero values may be rotated.
                let k = m.min(n);
                let w = w.chunks(m).flat_map(|row| row[m - k..].to_vec()).collect::<Vec<_>>();
                [u, v, w].concat()
            };
            let nearby: Vec<f64> = a.iter().map(|x| x + 1e-9 * next()).collect();
            let (x, y) = (of(&a), of(&nearby));
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-4), "{x:?} {y:?}");
        }
    }
}

#[test]
fn factors_of_any_matrix_make_the_matrix() {
    for n in [1, 2, 3, 7, 12, 32] {
        residuals_are_small::<f64>(n);
        residuals_are_small::<Complex64>(n);
        residuals_are_small::<f32>(n);
        residuals_are_small::<Complex32>(n);
    }
}

#[test]
fn eigenvectors_through_schur_are_those_of_the_usual_way() {
    for n in [1, 2, 3, 10, 33] {
        let mut next = numbers(n as u64 + 5);
        let a = faer::Mat::from_fn(n, n, |_, _| Complex64::new(next(), next()));
        let (values, vectors) = schur::eigen(a.clone()).expect("it converges");
        let stretched = &a * &vectors;
        for j in 0..n {
            let length = (0..n).map(|i| vectors[(i, j)].norm()).fold(0.0, f64::max);
            for i in 0..n {
                let rest = (stretched[(i, j)] - vectors[(i, j)] * values[j]).norm();
                assert!(rest < 1e-12 * n as f64 * length, "{i} {j}: {rest}");
            }
        }
        let (mut found, _) = <Complex64 as Wide>::eigen(a.as_ref()).expect("found");
        for value in values {
            let at = (0..found.len())
                .min_by(|i, j| (found[*i] - value).norm().total_cmp(&(found[*j] - value).norm()))
                .expect("one");
            assert!((found.swap_remove(at) - value).norm() < 1e-12, "{value}");
        }
    }
}

#[test]
fn systems_of_any_scale_are_solved() {
    for size in [1e-310, 1e-200, 1.0, 1e200, 1e300] {
        let a: [f64; 4] = [2.0, 1.0, 1.0, 3.0].map(|x| x * size);
        let (mut x, mut back) = (Vec::new(), Vec::new());
        solve(&a, 2, false, &[3.0 * size, 4.0 * size], 1, &mut x).expect("regular");
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-12), "{size:e}: {x:?}");
        triangular_solve(&a, 2, (true, false), &[2.0 * size, 4.0 * size], 1, &mut back);
        assert!(back.iter().all(|x| (x - 1.0).abs() < 1e-12), "{size:e}: {back:?}");
        let (sign, log) = log_determinant(&a, 2);
        let wanted = 5f64.ln() + 2.0 * size.ln();
        assert!(sign == 1.0 && (log - wanted).abs() < 1e-12 * wanted.abs(), "{size:e}: {log}");
        let mut l = Vec::new();
        cholesky(&a, 2, &mut l).expect("positive definite");
        assert!((l[0] / (2.0 * size).sqrt() - 1.0).abs() < 1e-12, "{size:e}: {l:?}");
    }
    // 1e-305 has an inverse; the inverse of 1e-310 is out of range.
    let mut x = Vec::new();
    inverse(&[1e-305f64, 0.0, 0.0, 4e-305], 2, false, &mut x).expect("regular");
    assert!((x[0] / 1e305 - 1.0).abs() < 1e-12 && (x[3] / 2.5e304 - 1.0).abs() < 1e-12, "{x:?}");
    // Sizes that cancel.
    let mixed: [f64; 9] = [1e300, 0.0, 0.0, 0.0, 1e-310, 0.0, 0.0, 0.0, 1e10];
    assert!((determinant(&mixed, 3) - 1.0).abs() < 1e-12);
    let mut x = Vec::new();
    solve(&mixed, 3, false, &[1e300, 2e-310, 3e10], 1, &mut x).expect("regular");
    assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(x, y)| (x - y).abs() < 1e-12), "{x:?}");
    let i = Complex64::new(0.0, 1e-310);
    let o = Complex64::default();
    let (sign, _) = log_determinant(&[i, o, o, i], 2);
    assert!((sign + 1.0).norm() < 1e-12, "{sign}");
}

/// The matrix of size 4 whose element of each diagonal in row `i` is `diagonals[d][i]`; the first diagonal is `highest`.
fn of_diagonals(diagonals: &[f64], highest: isize) -> Vec<f64> {
    let mut a = vec![0.0; 16];
    for (d, diagonal) in diagonals.chunks(4).enumerate() {
        for (i, x) in diagonal.iter().enumerate() {
            let j = i as isize + highest - d as isize;
            if (0..4).contains(&j) {
                a[i * 4 + j as usize] = *x;
            }
        }
    }
    a
}

#[test]
fn systems_of_bands_have_the_solutions_of_whole_matrices() {
    let b = [1.0, -2.0, 3.0, 0.5, -1.0, 4.0, 2.0, 7.0];
    let near = |x: &[f64], y: &[f64], what: &str| {
        assert!(
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-12),
            "{what}: {x:?} {y:?}"
        );
    };
    // NaN stands where nothing is read.
    let nan = f64::NAN;
    let lower = [2.0, 3.0, 4.0, 5.0, nan, 1.0, -1.0, 2.0, nan, nan, 0.5, 3.0];
    let upper = [0.5, 3.0, nan, nan, 1.0, -1.0, 2.0, nan, 2.0, 3.0, 4.0, 5.0];
    for (bands, is_lower, highest) in [(lower, true, 0), (upper, false, 2)] {
        let whole = of_diagonals(&bands, highest);
        for adjoint in [false, true] {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            banded_solve(&bands, (3, 4), (is_lower, adjoint), &b, 2, &mut x).expect("regular");
            triangular_solve(&whole, 4, (is_lower, adjoint), &b, 2, &mut y);
            near(&x, &y, &format!("lower {is_lower} adjoint {adjoint}"));
        }
    }
    // Without exchanged rows the first pivot is zero.
    let three = [1.0, 2.0, -1.0, nan, 0.0, 1.0, 3.0, 2.0, nan, 4.0, 1.0, -2.0];
    let whole = of_diagonals(&three, 1);
    let (mut x, mut y, mut none) = (Vec::new(), Vec::new(), Vec::new());
    tridiagonal_solve(&three, 4, true, &b, 2, &mut x);
    solve(&whole, 4, false, &b, 2, &mut y).expect("regular");
    near(&x, &y, "tridiagonal");
    tridiagonal_solve(&three, 4, false, &b, 2, &mut none);
    assert!(none.iter().all(|x| x.is_nan()));
    let mut back = Vec::new();
    tridiagonal_product([&three[..4], &three[4..8], &three[8..]], &x, 2, &mut back);
    near(&back, &b, "product");
    let mut zero = Vec::new();
    assert_eq!(
        banded_solve(&[1.0, 0.0], (1, 2), (true, false), &[1.0, 1.0], 1, &mut zero),
        Err(Singular { pivot: 1 })
    );
}

#[test]
fn roots_and_logarithms_of_matrices() {
    let a = [4.0, 1.0, 0.5, 0.0, 3.0, 2.0, 0.3, -2.0, 5.0];
    let mut root = Vec::new();
    sqrt(&a, 3, &mut root).expect("converges");
    for i in 0..3 {
        for j in 0..3 {
            let square: f64 = (0..3).map(|k| root[i * 3 + k] * root[k * 3 + j]).sum();
            assert!((square - a[i * 3 + j]).abs() < 1e-12, "{i} {j}: {square}");
        }
    }
    // The matrix of a turn by 1 in the plane, and its square root.
    let turn = |angle: f64| [angle.cos(), -angle.sin(), angle.sin(), angle.cos()];
    let (mut half, mut log) = (Vec::new(), Vec::new());
    sqrt(&turn(1.0), 2, &mut half).expect("converges");
    super::log(&turn(1.0).map(Complex64::from), 2, &mut log).expect("converges");
    assert!(half.iter().zip(turn(0.5)).all(|(x, y)| (x - y).abs() < 1e-13), "{half:?}");
    let wanted = [0.0, -1.0, 1.0, 0.0];
    assert!(log.iter().zip(wanted).all(|(x, y)| (x - y).norm() < 1e-13), "{log:?}");
    // One eigenvalue twice, and a matrix far from the identity.
    let (mut log, jordan) = (Vec::new(), [1e6, 1.0, 0.0, 1e6].map(Complex64::from));
    super::log(&jordan, 2, &mut log).expect("converges");
    assert!((log[0].re - 1e6f64.ln()).abs() < 1e-12 && (log[1].re - 1e-6).abs() < 1e-15, "{log:?}");
    let mut none = Vec::new();
    sqrt(&[-1.0, 0.0, 0.0, 1.0], 2, &mut none).expect("converges");
    assert!(none.iter().all(|x: &f64| x.is_nan()));
    assert_eq!(sqrt(&[f64::NAN], 1, &mut none), Err(NotConverged { finite: false }));
}
