//! Diagonals and bands of matrices.

use super::{Gradient, InputGradients, first};
use crate::array::Scalar;
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// The diagonals of a cotangent, with zeros for padding.
fn packed(g: &Gradient<'_>, k: &Tensor) -> Result<Tensor> {
    let dy = g.dy()?;
    let zero = Tensor::from(Scalar::Int(0).to_array(dy.dtype())?);
    let def = crate::op::find_op("MatrixDiagPartV3")?;
    execute_one(def, g.attrs.clone(), &[dy, k, &zero])
}

/// Matrices with their diagonals replaced.
fn replaced(g: &Gradient<'_>, x: &Tensor, diagonals: &Tensor, k: &Tensor) -> Result<Tensor> {
    let def = crate::op::find_op("MatrixSetDiagV3")?;
    execute_one(def, g.attrs.clone(), &[x, diagonals, k])
}

crate::define_gradient!("MatrixBandPart", |g| {
    let kept = execute_one(g.op, g.attrs.clone(), &[g.dy()?, g.x(1), g.x(2)])?;
    Ok(first(g, kept))
});

crate::define_gradient!("MatrixDiagV3", |g| Ok(first(g, packed(g, g.x(1))?)));

crate::define_gradient!("MatrixDiagPartV3", |g| {
    Ok(first(g, replaced(g, &g.x(0).zeros_like()?, g.dy()?, g.x(1))?))
});

crate::define_gradient!("MatrixSetDiagV3", |g: &Gradient<'_>| -> Result<InputGradients> {
    let kept = replaced(g, g.dy()?, &g.x(1).zeros_like()?, g.x(2))?;
    Ok([Some(kept), Some(packed(g, g.x(2))?), None].into_iter().collect())
});

crate::define_gradient!("Diag", |g| Ok(first(g, g.dy()?.tensor_diag_part()?)));
crate::define_gradient!("DiagPart", |g| Ok(first(g, g.dy()?.tensor_diag()?)));
