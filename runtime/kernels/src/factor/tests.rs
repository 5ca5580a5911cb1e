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
