//! Slopes by central differences, and whether a derivative is one.

use extype::DType;
use extype::Tensor;
use extype::array::Array;

use super::rng::Rng;
use super::values::reals;

/// The step; half of it shows where the function is not smooth.
const STEP: f64 = 1e-5;

/// No derivative here that differences could tell.
pub(super) struct NotSmooth;

/// A slope, and what is known of its error.
pub(super) struct Slope {
    pub(super) value: f64,
    noise: f64,
    size: f64,
    /// By how much rounding moves the function: what cancels on its way is seen in nothing else.
    rounding: f64,
}

/// The slope at zero of a function that gives its value and the magnitude of what was summed up.
pub(super) fn slope(at: impl Fn(f64) -> Result<(f64, f64), NotSmooth>) -> Result<Slope, NotSmooth> {
    let slope = |h: f64| -> Result<(f64, f64), NotSmooth> {
        let ((a, size), (b, _)) = (at(h)?, at(-h)?);
        Ok(((a - b) / (2.0 * h), size))
    };
    let ((coarse, size), (fine, _)) = (slope(STEP)?, slope(STEP / 2.0)?);
    // A stair with many steps has a slope, unless one looks closely.
    let (close, _) = slope(STEP / 128.0)?;
    let (noise, stairs) = ((coarse - fine).abs(), (close - fine).abs());
    let scale = coarse.abs().max(1.0);
    if !noise.is_finite() || noise > 1e-4 * scale || stairs.is_nan() || stairs > 1e-2 * scale {
        return Err(NotSmooth);
    }
    let (here, _) = at(0.0)?;
    let mut rounding = 0f64;
    for h in [1e-12, 3e-12] {
        rounding = rounding.max((at(h)?.0 - here - fine * h).abs());
    }
    Ok(Slope { value: fine, noise, size, rounding })
}

impl Slope {
    /// True if this derivative may be the one that the differences tell.
    pub(super) fn is(&self, told: f64) -> bool {
        let scale = self.value.abs().max(told.abs());
        let seen = 1e-8 * self.size + 10.0 * self.rounding / STEP;
        // Of inputs around 1 that cancel, squares of their rounding are left.
        let cancelled = 1e-25;
        let bound = 1e-5 * scale + 20.0 * self.noise + seen + cancelled;
        (told - self.value).abs() <= bound
    }
}

/// A direction for this many elements.
pub(super) fn direction(len: usize, rng: &mut Rng) -> Vec<f64> {
    (0..len).map(|_| rng.uniform(-1.0, 1.0)).collect()
}

/// The point this far along a direction.
pub(super) fn moved(x: &Array, direction: &[f64], h: f64) -> Result<Array, NotSmooth> {
    let point = x.as_slice::<f64>().map_err(|_| NotSmooth)?;
    let moved: Vec<f64> = point.iter().zip(direction).map(|(x, v)| x + h * v).collect();
    reals(DType::F64, x.dims(), &moved).ok_or(NotSmooth)
}

/// The sum of all tensors times their weights, and of the magnitudes of its terms.
pub(super) fn weighed(
    tensors: &[Tensor],
    weights: &[Option<Tensor>],
) -> Result<(f64, f64), NotSmooth> {
    let (mut sum, mut size) = (0.0, 0.0);
    for (y, c) in tensors.iter().zip(weights) {
        let Some(c) = c else { continue };
        let (Ok(y), Ok(c)) = (y.as_slice::<f64>(), c.as_slice::<f64>()) else {
            return Err(NotSmooth);
        };
        if y.len() != c.len() {
            return Err(NotSmooth);
        }
        for (y, c) in y.iter().zip(c) {
            sum += y * c;
            size += (y * c).abs();
        }
    }
    if size.is_finite() { Ok((sum, size)) } else { Err(NotSmooth) }
}
