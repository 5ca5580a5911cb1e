//! Linear algebra that is made of several ops.

use extype::linalg::{self, L2Regularizer};

use super::{Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.linalg.lstsq", |p, x| {
        one(linalg::lstsq(&x[0], &x[1], L2Regularizer(p.float("l2_regularizer", 0.0))))
    }),
    row("tf.linalg.inv", |_, x| one(linalg::inv(&x[0]))),
    row("tf.linalg.expm", |_, x| one(linalg::expm(&x[0]))),
    row("tf.linalg.pinv", |_, x| one(linalg::pinv(&x[0], ..))),
    row("tf.linalg.cross", |_, x| one(linalg::cross(&x[0], &x[1]))),
];
