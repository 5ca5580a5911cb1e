//! Bands: boxes of positions, and the parts of a source that their windows read.

use super::gather::Walk;
use crate::element::Element;
use crate::memory::{OutOfMemory, room};
use crate::size::volume;

/// The size in bytes that a part of a source should have, so that it stays in the cache while all tiles read it.
const BYTES: usize = 1 << 18;

/// The fewest and the most positions of a band, where there are as many.
const POSITIONS: [usize; 2] = [64, 1024];

/// The size in bytes that the fewest positions may take.
const MOST_BYTES: usize = 1 << 24;

/// The bytes of a cache line.
const LINE: usize = 64;

/// The positions along images, planes, rows and places, divided into bands.
///
/// A band's part of the source is copied with the zeros around, if there are any; else windows read the source itself.
#[derive(Debug)]
pub(super) struct Bands<'a, T> {
    x: &'a [T],
    sizes: [usize; 4],
    channels: usize,
    walk: [&'a Walk; 4],
    /// Positions of a full band along each axis.
    full: [usize; 4],
    /// From one image, plane, row and place of what windows read to the next.
    strides: [usize; 4],
    copied: bool,
}

/// What the positions of a band read, and where their results go.
#[derive(Debug, Default)]
pub(super) struct Band<T> {
    /// The copy begins at a cache line, so that few vectors lie in two.
    copy: Vec<T>,
    /// Where each position's window begins, and its place in the result.
    pub(super) positions: Vec<(usize, usize)>,
    /// Positions of a row, whose windows begin at equal distances.
    pub(super) row: usize,
}

impl<'a, T: Element> Bands<'a, T> {
    /// Bands over a source of these sizes, if possible as many as asked for. A copy has `lanes` as unit of its channels.
    /// All walks have taps.
    pub(super) fn new(
        x: &'a [T],
        sizes: [usize; 4],
        channels: usize,
        lanes: usize,
        walk: [&'a Walk; 4],
        wanted: usize,
    ) -> Self {
        let padded = channels.next_multiple_of(lanes);
        // Whether a window begins before the source or ends behind it.
        let outside = |i: usize| {
            let first = walk[i].taps[0].0;
            first < 0 || walk[i].extent(walk[i].count) > sizes[i] - first as usize
        };
        let copied = padded != channels || (0..4).any(outside);
        let steps = walk.iter().map(|w| w.step);
        let position = volume(steps.chain([channels, size_of::<T>()]));
        let positions = volume(walk.map(|w| w.count)).div_ceil(wanted);
        let least = POSITIONS[0].min(MOST_BYTES / position.max(1));
        let mut most = positions.min(BYTES / position.max(1)).clamp(least, POSITIONS[1]);
        let mut full = [1; 4];
        for i in (0..4).rev() {
            // A band is no shorter than its windows, which neighbours read again.
            let least = walk[i].window() / walk[i].step.max(1);
            full[i] = most.max(least).clamp(1, walk[i].count.max(1));
            most /= full[i];
        }
        let extents = match copied {
            true => core::array::from_fn(|i| walk[i].extent(full[i])),
            false => sizes,
        };
        let strides = core::array::from_fn(|i| {
            volume([padded].into_iter().chain(extents.into_iter().skip(i + 1)))
        });
        Self { x, sizes, channels, walk, full, strides, copied }
    }

    pub(super) fn len(&self) -> usize {
        volume((0..4).map(|i| self.walk[i].count.div_ceil(self.full[i])))
    }

    /// The distance of a tap from the start of its window.
    pub(super) fn tap(&self, at: [isize; 4]) -> usize {
        let distance =
            |i: usize| at[i].abs_diff(self.walk[i].taps[0].0).saturating_mul(self.strides[i]);
        (0..4).map(distance).fold(0, usize::saturating_add)
    }

    /// From the window of one position of a row to the next.
    pub(super) fn step(&self) -> usize {
        self.walk[3].step * self.strides[3]
    }

    /// What windows of a band read.
    pub(super) fn source<'b>(&'b self, band: &'b Band<T>) -> &'b [T] {
        if self.copied { &band.copy[band.copy.as_ptr().align_offset(LINE)..] } else { self.x }
    }

    /// Prepares a band, whose results have these distances.
    pub(super) fn read(
        &self,
        band: usize,
        results: [usize; 4],
        to: &mut Band<T>,
    ) -> Result<(), OutOfMemory> {
        let (mut from, mut counts, mut rest) = ([0; 4], [0; 4], band);
        for i in (0..4).rev() {
            let bands = self.walk[i].count.div_ceil(self.full[i]);
            from[i] = rest % bands * self.full[i];
            counts[i] = self.full[i].min(self.walk[i].count - from[i]);
            rest /= bands;
        }
        // Where the first window begins along each axis.
        let begin: [isize; 4] = core::array::from_fn(|i| {
            self.walk[i].taps[0].0 + (from[i] * self.walk[i].step) as isize
        });
        let mut start = 0;
        match self.copied {
            true => self.copy(begin, counts, &mut to.copy)?,
            // No window begins outside.
            false => start = (0..4).map(|i| begin[i] as usize * self.strides[i]).sum(),
        }
        to.row = counts[3];
        to.positions.clear();
        let steps: [_; 4] = core::array::from_fn(|i| {
            [self.walk[i].step * self.strides[i], self.walk[i].to[1] * results[i]]
        });
        let first =
            (0..4).map(|i| (self.walk[i].to[0] + from[i] * self.walk[i].to[1]) * results[i]);
        let first = first.sum::<usize>();
        let at = |index: [usize; 3], side: usize| -> usize {
            (0..3).map(|i| index[i] * steps[i][side]).sum()
        };
        for line in lines([counts[0], counts[1], counts[2]]) {
            let (source, result) = (start + at(line, 0), first + at(line, 1));
            let places =
                (0..counts[3]).map(|i| (source + i * steps[3][0], result + i * steps[3][1]));
            to.positions.extend(places);
        }
        Ok(())
    }

    /// Copies what the windows of these positions read, with zeros where there is no source.
    fn copy(
        &self,
        begin: [isize; 4],
        counts: [usize; 4],
        to: &mut Vec<T>,
    ) -> Result<(), OutOfMemory> {
        let len = volume([self.strides[0], self.walk[0].extent(self.full[0])]);
        if to.is_empty() {
            let len = len.saturating_add(LINE / size_of::<T>());
            *to = room(len)?;
            to.resize(len, T::default());
        }
        let start = to.as_ptr().align_offset(LINE);
        let to = &mut to[start..];
        let extents: [usize; 4] = core::array::from_fn(|i| self.walk[i].extent(counts[i]));
        // The places of a line that the source has.
        let before = begin[3].min(0).unsigned_abs().min(extents[3]);
        let skipped = begin[3].max(0) as usize;
        let inside = (extents[3] - before).min(self.sizes[3].saturating_sub(skipped));
        let padded = self.strides[3];
        for line in lines([extents[0], extents[1], extents[2]]) {
            let at: usize = (0..3).map(|i| line[i] * self.strides[i]).sum();
            let to = &mut to[at..][..extents[3] * padded];
            let within = (0..3).try_fold(0, |at, i| {
                let place = usize::try_from(begin[i].checked_add_unsigned(line[i])?).ok()?;
                (place < self.sizes[i]).then_some(at * self.sizes[i] + place)
            });
            let Some(within) = within else {
                to.fill(T::default());
                continue;
            };
            let (zeros, to) = to.split_at_mut(before * padded);
            let (to, behind) = to.split_at_mut(inside * padded);
            zeros.fill(T::default());
            behind.fill(T::default());
            let from = (within * self.sizes[3] + skipped) * self.channels;
            let from = &self.x[from.min(self.x.len())..][..inside * self.channels];
            if padded == self.channels {
                to.copy_from_slice(from);
            } else {
                // Channels behind the last stay zeros.
                for (from, to) in from.chunks_exact(self.channels).zip(to.chunks_exact_mut(padded))
                {
                    to[..self.channels].copy_from_slice(from);
                }
            }
        }
        Ok(())
    }
}

/// The indices of lines along three axes, in order.
fn lines([a, b, c]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..a).flat_map(move |i| (0..b).flat_map(move |j| (0..c).map(move |k| [i, j, k])))
}
