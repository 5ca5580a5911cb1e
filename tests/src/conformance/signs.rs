//! Answers whose columns may have either sign.

use extype::ops::methods::*;
use extype::{Result, Tensor};

use super::compare::Expected;

/// Which outputs of an op have columns that a sign is chosen for, the first of them to choose it by,
/// and which one has rows with the same signs.
fn signed(op: &str) -> (&'static [usize], Option<usize>) {
    match op {
        "Qr" => (&[0], Some(1)),
        "Svd" => (&[1, 2], None),
        _ => (&[1], None),
    }
}

/// The outputs with the signs of the recorded ones.
///
/// # Errors
/// If they are no matrices of one shape.
pub(super) fn aligned(
    op: &str,
    outputs: &[Tensor],
    expected: &[Option<Expected>],
) -> Result<Vec<Tensor>> {
    let (columns, rows) = signed(op);
    let mut all = outputs.to_vec();
    let (Some(Some(want)), Some(got)) = (expected.get(columns[0]), outputs.get(columns[0])) else {
        return Ok(all);
    };
    let want = Tensor::from(want.value.clone());
    let signs = extype::ops::mul(got, &want)?.reduce_sum(-2, true)?.sign()?;
    for i in columns {
        all[*i] = extype::ops::mul(&all[*i], &signs)?;
    }
    if let Some(i) = rows {
        all[i] = extype::ops::mul(&all[i], extype::linalg::matrix_transpose(&signs)?)?;
    }
    Ok(all)
}
