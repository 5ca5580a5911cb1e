//! The kernel of projective maps.

use extype_kernels as k;
use k::image::{Border, Interpolated, Warp, warp};

use super::resize::{size, sizes};
use crate::array::{Array, Element};
use crate::ir::{KernelContext, Outputs};
use crate::ops::ImageProjectiveTransformV3;
use crate::ops::ordering::kernel::cast;
use crate::types::{DType, Result, bail};

fn read<T: Interpolated + Element>(
    c: &KernelContext<'_>,
    x: &Array,
    maps: &[[f32; 8]],
    [rows, columns]: [usize; 2],
    how: Warp<T>,
) -> Result<Array> {
    let sizes = match *x.dims() {
        [b, h, w, c] if b == 0 || c == 0 => [b, h, w, c],
        _ => sizes(x)?,
    };
    let pixels = x.as_slice::<T>()?;
    c.output(&[sizes[0], rows, columns, sizes[3]], |out| {
        warp(pixels, sizes, maps, [rows, columns], how, out, k::Par::Pool);
        Ok(())
    })
}

pub(super) fn warped(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, maps, to) = (c.input(0), c.input(1), size(c.input(2))?);
    let &[n, 8] = maps.dims() else {
        bail!("maps have the shape [images, 8] or [1, 8], not {}", maps.shape())
    };
    if n != 1 && Some(&n) != x.dims().first() {
        bail!("{n} maps for images of shape {}", x.shape());
    }
    let maps = maps.as_slice::<f32>()?.as_chunks().0;
    let linear = match c.get(ImageProjectiveTransformV3::INTERPOLATION)?.to_uppercase().as_str() {
        "BILINEAR" => true,
        "NEAREST" => false,
        other => bail!("no interpolation {other:?}; there are \"NEAREST\" and \"BILINEAR\""),
    };
    let border = match c.get(ImageProjectiveTransformV3::FILL_MODE)?.to_uppercase().as_str() {
        "CONSTANT" => Border::Constant,
        "REFLECT" => Border::Reflect,
        "WRAP" => Border::Wrap,
        "NEAREST" => Border::Nearest,
        other => bail!(
            "no fill mode {other:?}; there are \"CONSTANT\", \"REFLECT\", \"WRAP\" and \"NEAREST\""
        ),
    };
    let fill = match c.inputs.get(3) {
        Some(fill) => fill.as_slice::<f32>()?.first().copied().unwrap_or(0.0),
        None => 0.0,
    };
    // Wide enough for every number of the dtype but those of int64 beyond 2^53.
    let y = match x.dtype() {
        DType::I32 | DType::I64 | DType::F64 => {
            let how = Warp { border, fill: f64::from(fill), linear };
            read::<f64>(c, &cast(x, DType::F64)?, maps, to, how)?
        }
        _ => read::<f32>(c, &cast(x, DType::F32)?, maps, to, Warp { border, fill, linear })?,
    };
    Ok([cast(&y, x.dtype())?].into())
}
