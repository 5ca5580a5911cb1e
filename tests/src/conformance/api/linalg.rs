//! Linear algebra that is made of several ops.

use extype::linalg::{self, L2Regularizer};
use extype::ops::methods::*;
use extype::ops::{self, DiagonalAlign};

use super::{Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.linalg.lstsq", |p, x| {
        one(linalg::lstsq(&x[0], &x[1], L2Regularizer(p.float("l2_regularizer", 0.0))))
    }),
    row("tf.linalg.inv", |_, x| one(linalg::inv(&x[0]))),
    row("tf.linalg.expm", |_, x| one(linalg::expm(&x[0]))),
    row("tf.histogram_fixed_width_bins", |p, x| {
        one(x[0].histogram_fixed_width_bins(&x[1], p.int("nbins", 100) as usize))
    }),
    row("tf.linalg.logdet", |_, x| one(linalg::logdet(&x[0]))),
    row("tf.linalg.matrix_rank", |_, x| one(linalg::matrix_rank(&x[0], ..))),
    row("tf.linalg.lu_solve", |_, x| one(linalg::lu_solve(&x[0], &x[1], &x[2]))),
    row("tf.linalg.lu_matrix_inverse", |_, x| one(linalg::lu_matrix_inverse(&x[0], &x[1]))),
    row("tf.linalg.lu_reconstruct", |_, x| one(linalg::lu_reconstruct(&x[0], &x[1]))),
    row("tf.linalg.eigh_tridiagonal", |_, x| one(linalg::eigvalsh_tridiagonal(&x[0], &x[1]))),
    row("tf.linalg.tridiagonal_solve", |p, x| {
        let diagonals = match p.json("diagonals_format").as_str() {
            Some("sequence") => ops::stack(&[&x[0], &x[1], &x[2]], -2)?,
            Some("matrix") => x[0].matrix_diag_part(0, [-1, 1], DiagonalAlign::LeftRight)?,
            _ => x[0].clone(),
        };
        one(linalg::tridiagonal_solve(&diagonals, &x[x.len() - 1]))
    }),
    row("tf.linalg.pinv", |_, x| one(linalg::pinv(&x[0], ..))),
    row("tf.linalg.cross", |_, x| one(linalg::cross(&x[0], &x[1]))),
];
