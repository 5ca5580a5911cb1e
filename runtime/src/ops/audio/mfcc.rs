//! Mel-frequency cepstral coefficients of spectrograms.

use std::f64::consts::PI;

use crate::array::vec_for;
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::Mfcc;
use crate::ops::rules::infer::one;
use crate::types::{DType, Dim, Result, Shape, bail};

/// The least energy of a band, whose logarithm is taken.
const FLOOR: f64 = 1e-12;

/// The number of bands and of coefficients.
fn counts(bands: i64, coefficients: i64) -> Result<[usize; 2]> {
    if coefficients < 1 || bands < coefficients || bands > 1 << 16 {
        bail!(
            "{coefficients} coefficients of {bands} bands; one at least, no more than there are bands, \
             and at most 65536"
        );
    }
    Ok([bands as usize, coefficients as usize])
}

pub(in crate::ops) fn infer(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank(3).map_err(|e| e.prefixed("`spectrogram`"))?;
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("`sample_rate`"))?;
    let bands = c.get(Mfcc::FILTERBANK_CHANNEL_COUNT)?;
    let [_, coefficients] = counts(bands, c.get(Mfcc::DCT_COEFFICIENT_COUNT)?)?;
    one(DType::F32, Shape::from_iter([x.dim(0)?, x.dim(1)?, Dim::from(coefficients)]))
}

/// A frequency on the mel scale.
pub(crate) fn mel(hertz: f64) -> f64 {
    1127.0 * (hertz / 700.0).ln_1p()
}

/// Triangles on the mel scale: for each frequency the band below it, if there is one, and its share in that band.
struct Bands {
    of: Vec<(Option<usize>, f64)>,
    first: usize,
}

impl Bands {
    fn new(n: usize, bands: usize, rate: f64, [low, high]: [f64; 2]) -> Result<Self> {
        let spacing = (mel(high) - mel(low)) / (bands + 1) as f64;
        let centre = |i: usize| mel(low) + spacing * (i + 1) as f64;
        let width = 0.5 * rate / (n - 1) as f64;
        let first = (1.5 + low / width) as usize;
        let end = ((high / width) as usize).saturating_add(1).min(n);
        let mut of = vec_for(end.saturating_sub(first))?;
        let mut next = 0;
        for i in first..end {
            let at = mel(i as f64 * width);
            while next < bands && centre(next) < at {
                next += 1;
            }
            let share = match next {
                0 => (centre(0) - at) / (centre(0) - mel(low)),
                _ => (centre(next) - at) / (centre(next) - centre(next - 1)),
            };
            of.push((next.checked_sub(1), share));
        }
        Ok(Self { of, first })
    }

    /// The energies of the bands.
    fn energies(&self, frame: &[f32], out: &mut [f64]) {
        out.fill(0.0);
        for ((band, share), x) in self.of.iter().zip(frame.iter().skip(self.first)) {
            let x = f64::from(*x).sqrt();
            if let Some(band) = *band {
                out[band] += x * share;
            }
            let above = band.map_or(0, |band| band + 1);
            if let Some(out) = out.get_mut(above) {
                *out += x - x * share;
            }
        }
    }
}

pub(in crate::ops) fn kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let &[channels, frames, n] = c.input(0).dims() else { bail!("a spectrogram has three axes") };
    let rate = c.input(1).to_i64s()?[0];
    let limits = [c.get(Mfcc::LOWER_FREQUENCY_LIMIT)?, c.get(Mfcc::UPPER_FREQUENCY_LIMIT)?];
    let counts =
        counts(c.get(Mfcc::FILTERBANK_CHANNEL_COUNT)?, c.get(Mfcc::DCT_COEFFICIENT_COUNT)?)?;
    let [bands, coefficients] = counts;
    let [low, high] = limits.map(f64::from);
    if n < 2 || rate < 1 || !(low >= 0.0 && high > low) {
        bail!("{n} frequencies at {rate} samples a second, from {low} to {high}");
    }
    let filters = Bands::new(n, bands, rate as f64, [low, high])?;
    let mut energies: Vec<f64> = vec_for(bands)?;
    energies.resize(bands, 0.0);
    let spectrogram = c.input(0).as_slice::<f32>()?;
    let out = c.output_slice(&[channels, frames, coefficients], |out: &mut [f32]| {
        let norm = (2.0 / bands as f64).sqrt();
        for (frame, out) in spectrogram.chunks_exact(n).zip(out.chunks_exact_mut(coefficients)) {
            filters.energies(frame, &mut energies);
            // NaN stays.
            energies.iter_mut().for_each(|x| *x = if *x < FLOOR { FLOOR } else { *x }.ln());
            for (i, out) in out.iter_mut().enumerate() {
                let angle = |j: usize| i as f64 * PI / bands as f64 * (j as f64 + 0.5);
                let terms = energies.iter().enumerate().map(|(j, x)| angle(j).cos() * norm * x);
                *out = terms.sum::<f64>() as f32;
            }
        }
        Ok(())
    })?;
    Ok([out].into())
}
