//! Softmax and cross entropies.

use super::{ClassLossesSignature, LossesSignature, RowsSignature, Signature, Table, tables};
use crate::softmax as s;

tables! { RowsSignature,
    /// [`softmax`](crate::softmax::softmax).
    SOFTMAX = float, |T| |x: &[T], len, out, par| s::softmax(x, len, out, par);
    /// [`log_softmax`](crate::softmax::log_softmax).
    LOG_SOFTMAX = float, |T| |x: &[T], len, out, par| s::log_softmax(x, len, out, par);
}

tables! { LossesSignature,
    /// [`cross_entropy`](crate::softmax::cross_entropy).
    CROSS_ENTROPY = float, |T| |x: &[T], y, len, loss, back, par| s::cross_entropy(x, y, len, loss, back, par);
}

tables! { ClassLossesSignature,
    /// [`sparse_cross_entropy`](crate::softmax::sparse_cross_entropy).
    SPARSE_CROSS_ENTROPY = float, |T| |x: &[T], classes, len, loss, back, par| s::sparse_cross_entropy(x, classes, len, loss, back, par);
}
