//! Which pixels along an axis a resized image takes, and how much of each.

use crate::memory::{OutOfMemory, reserve, room};
use core::f32::consts::PI;

/// For each place of a resized axis a run of places of the source, with weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Spans {
    starts: Vec<usize>,
    /// Where the weights of each place begin, and where the last ones end.
    offsets: Vec<usize>,
    weights: Vec<f32>,
    widest: usize,
}

/// How the weight of a pixel depends on its distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Filter {
    /// Lanczos' windowed sine of this radius.
    Lanczos(f32),
    /// A bell that ends at this radius.
    Gaussian(f32),
    /// The nearest pixel.
    Box,
    /// Linear interpolation.
    Triangle,
    /// The cubic of Keys.
    KeysCubic,
    /// The cubic of Mitchell and Netravali.
    MitchellCubic,
}

impl Filter {
    /// The distance beyond which weights are zero.
    fn radius(self) -> f32 {
        match self {
            Filter::Lanczos(radius) | Filter::Gaussian(radius) => radius,
            Filter::Box => 0.5,
            Filter::Triangle => 1.0,
            Filter::KeysCubic | Filter::MitchellCubic => 2.0,
        }
    }

    /// The weight at a distance, which is not negative.
    fn weight(self, x: f32) -> f32 {
        match self {
            Filter::Lanczos(radius) if x > radius => 0.0,
            Filter::Lanczos(_) if x <= 1e-3 => 1.0,
            Filter::Lanczos(radius) => {
                radius * (PI * x).sin() * (PI * x / radius).sin() / (PI * PI * x * x)
            }
            Filter::Gaussian(radius) if x >= radius => 0.0,
            Filter::Gaussian(radius) => {
                let sigma = radius / 3.0;
                (-x * x / (2.0 * sigma * sigma)).exp()
            }
            Filter::Box if x == 0.5 => 0.5,
            Filter::Box => f32::from(x < 0.5),
            Filter::Triangle => (1.0 - x).max(0.0),
            Filter::KeysCubic | Filter::MitchellCubic if x >= 2.0 => 0.0,
            Filter::KeysCubic if x >= 1.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
            Filter::KeysCubic => ((1.5 * x - 2.5) * x) * x + 1.0,
            Filter::MitchellCubic if x >= 1.0 => {
                ((-7.0 / 18.0 * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
            }
            Filter::MitchellCubic => ((7.0 / 6.0 * x - 2.0) * x) * x + 8.0 / 9.0,
        }
    }
}

/// A place of the source, as a floor and what is left.
fn apart(place: f32) -> (i64, f32) {
    let floor = place.floor();
    (floor as i64, place - floor)
}

/// The two pixels around a place of the source, as the first one and weights.
pub fn linear_taps(place: f32) -> (i64, [f32; 4]) {
    let (first, rest) = apart(place);
    (first, [1.0 - rest, rest, 0.0, 0.0])
}

/// The four pixels around a place of a source of this size, as the first one and weights in steps of 1/1024. The cubic of
/// Keys leaves out what lies beyond the ends.
pub fn cubic_taps(size: usize, keys: bool, place: f32) -> (i64, [f32; 4]) {
    let (floor, rest) = apart(place);
    let (first, a) = (floor.saturating_sub(1), if keys { -0.5 } else { -0.75 });
    let step = f64::from((rest * 1024.0).round_ties_even()) / 1024.0;
    let near = |x: f64| (((a + 2.0) * x - (a + 3.0)) * x * x + 1.0) as f32;
    let far = |x: f64| (((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a) as f32;
    let mut weights = [far(step + 1.0), near(step), near(1.0 - step), far(2.0 - step)];
    if keys {
        for (i, weight) in weights.iter_mut().enumerate() {
            if !(0..size as i64).contains(&first.saturating_add(i as i64)) {
                *weight = 0.0;
            }
        }
        let sum: f32 = weights.iter().sum();
        if sum.abs() >= 1000.0 * f32::MIN_POSITIVE {
            let factor = 1.0 / sum;
            weights = weights.map(|w| w * factor);
        }
    }
    (first, weights)
}

impl Spans {
    fn with_room(places: usize, widest: usize) -> Result<Self, OutOfMemory> {
        let mut offsets = room(places.saturating_add(1))?;
        offsets.push(0);
        let weights = room(places.saturating_mul(widest.min(4)))?;
        Ok(Self { starts: room(places)?, offsets, weights, widest: 0 })
    }

    fn push(
        &mut self,
        start: usize,
        weights: impl ExactSizeIterator<Item = f32>,
    ) -> Result<(), OutOfMemory> {
        reserve(&mut self.weights, weights.len())?;
        self.widest = self.widest.max(weights.len());
        self.starts.push(start);
        self.weights.extend(weights);
        self.offsets.push(self.weights.len());
        Ok(())
    }

    /// Adds a run that begins at `first`; what lies beyond the ends falls to the pixels there.
    fn push_bounded(
        &mut self,
        first: i64,
        weights: &[f32],
        size: usize,
    ) -> Result<(), OutOfMemory> {
        let bound = |i: i64| i.clamp(0, size as i64 - 1) as usize;
        let start = bound(first);
        let end = bound(first.saturating_add(weights.len() as i64 - 1));
        let at = self.weights.len();
        self.push(start, core::iter::repeat_n(0.0, end - start + 1))?;
        for (i, weight) in weights.iter().enumerate() {
            self.weights[at + bound(first + i as i64) - start] += weight;
        }
        Ok(())
    }

    /// The runs that a function gives for each place: the first pixel, which may lie beyond the ends, and weights.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn of_taps(
        size: usize,
        places: usize,
        taps: impl Fn(usize) -> (i64, [f32; 4]),
    ) -> Result<Self, OutOfMemory> {
        let mut spans = Self::with_room(places, 4)?;
        for i in 0..places {
            let (first, weights) = taps(i);
            let used = weights.iter().rposition(|w| *w != 0.0).map_or(1, |last| last + 1);
            spans.push_bounded(first, &weights[..used], size)?;
        }
        Ok(spans)
    }

    /// The mean of what a pixel of the result covers.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn area(size: usize, places: usize, scale: f32) -> Result<Self, OutOfMemory> {
        let mut spans = Self::with_room(places, 2)?;
        let mut weights = Vec::new();
        for i in 0..places {
            let (from, to) = (i as f32 * scale, (i + 1) as f32 * scale);
            let first = from.floor() as i64;
            let last = (to.ceil() as i64).max(first + 1);
            weights.clear();
            reserve(&mut weights, (last - first) as usize)?;
            weights.extend((first..last).map(|at| {
                let at = at as f32;
                let covered = match (at < from, at + 1.0 > to) {
                    (true, true) => scale,
                    (true, false) => at + 1.0 - from,
                    (false, true) => to - at,
                    (false, false) => 1.0,
                };
                covered / scale
            }));
            spans.push_bounded(first, &weights, size)?;
        }
        Ok(spans)
    }

    /// A filter on a source that is scaled, and then moved. `antialias` widens the filter where the image shrinks.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn filtered(
        size: usize,
        places: usize,
        filter: Filter,
        [scale, translation]: [f32; 2],
        antialias: bool,
    ) -> Result<Self, OutOfMemory> {
        let (inverse, last) = (1.0 / scale, size as i64 - 1);
        let translation = -inverse * translation;
        let widened = if antialias { inverse.max(1.0) } else { 1.0 };
        let (reach, narrowed) = (filter.radius() * widened, 1.0 / widened);
        let mut spans = Self::with_room(places, 4)?;
        for i in 0..places {
            let at = (i as f32 + 0.5) * inverse + translation;
            if at < 0.0 || at > size as f32 {
                spans.push(0, [].into_iter())?;
                continue;
            }
            let start = ((at - reach - 0.5).ceil() as i64).clamp(0, last);
            let end = ((at + reach - 0.5).floor() as i64).clamp(0, last);
            let from = spans.weights.len();
            let weight =
                |j: usize| filter.weight((((start + j as i64) as f32 + 0.5 - at) * narrowed).abs());
            spans.push(start as usize, (0..(end - start + 1).max(0) as usize).map(weight))?;
            let own = &mut spans.weights[from..];
            let sum: f32 = own.iter().sum();
            let factor = if sum.abs() >= 1000.0 * f32::MIN_POSITIVE { 1.0 / sum } else { 0.0 };
            own.iter_mut().for_each(|w| *w *= factor);
        }
        Ok(spans)
    }

    /// The transposed map: for each of the `size` places of the source, which places of the result take it.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn transposed(&self, size: usize) -> Result<Self, OutOfMemory> {
        // The runs of neighbours follow each other, so the takers of a place are neighbours too, but for empty runs.
        let mut ends: Vec<[usize; 2]> = room(size)?;
        ends.resize(size, [usize::MAX, 0]);
        for i in 0..self.len() {
            let (start, weights) = self.of(i);
            for [first, end] in &mut ends[start..start + weights.len()] {
                (*first, *end) = ((*first).min(i), (*end).max(i + 1));
            }
        }
        let mut spans = Self::with_room(size, 4)?;
        for (place, [first, end]) in ends.into_iter().enumerate() {
            let weight = |i: usize| {
                let (start, weights) = self.of(i);
                place.checked_sub(start).and_then(|j| weights.get(j)).copied().unwrap_or(0.0)
            };
            match first < end {
                true => spans.push(first, (first..end).map(weight))?,
                false => spans.push(0, [].into_iter())?,
            }
        }
        Ok(spans)
    }

    /// How many places the resized axis has.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The most pixels that one place takes.
    pub(super) fn widest(&self) -> usize {
        self.widest
    }

    /// The first pixel that a place takes, and the weights from there.
    #[inline(always)]
    pub(super) fn of(&self, i: usize) -> (usize, &[f32]) {
        (self.starts[i], &self.weights[self.offsets[i]..self.offsets[i + 1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beyond_the_ends_falls_to_the_pixels_there() {
        let place = |i: usize| (i as f32 + 0.5) * 0.5 - 0.5;
        let spans = Spans::of_taps(2, 4, |i| linear_taps(place(i))).unwrap();
        assert_eq!(spans.of(0), (0, &[1.0][..]));
        assert_eq!(spans.of(1), (0, &[0.75, 0.25][..]));
        assert_eq!(spans.of(3), (1, &[1.0][..]));
    }

    #[test]
    fn filters_sum_up_to_one_and_their_transposes_have_the_same_weights() {
        let filters =
            [Filter::Lanczos(3.0), Filter::Gaussian(1.5), Filter::Triangle, Filter::KeysCubic];
        for filter in filters {
            for antialias in [false, true] {
                let spans = Spans::filtered(9, 4, filter, [4.0 / 9.0, 0.25], antialias).unwrap();
                let back = spans.transposed(9).unwrap();
                for i in 0..4 {
                    let (start, weights) = spans.of(i);
                    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                    for (j, weight) in weights.iter().enumerate() {
                        let (first, others) = back.of(start + j);
                        assert_eq!(others[i - first], *weight);
                    }
                }
            }
        }
    }
}
