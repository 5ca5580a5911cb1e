//! Convolutions as tiles.

use super::tile::{Operands, RESULTS, ROWS, Span, Spans, Tile, Tiled};
use super::{Axis, Conv, Way};
use crate::memory::{OutOfMemory, room};
use crate::par::{Par, Start};
use crate::size::volume;
use core::mem::MaybeUninit;
use std::borrow::Cow;

/// Positions whose tiles follow each other, so that what they read stays in the cache.
const CHUNK: usize = 128;

/// Positions that a tile of a filter's gradient sums before it adds to the result.
const TERMS: usize = 1024;

/// The result of a [`Way`].
pub(super) fn run<T: Tiled>(
    conv: &Conv,
    way: Way,
    x: &[T],
    y: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    if conv.groups > 1 && conv.channels == conv.groups && conv.features > conv.channels {
        return multiplied(conv, way, x, y, out, par);
    }
    match way {
        Way::Forward => {
            let walks = conv.axes.map(|a| vec![Walk::forward(&a)]);
            gather(conv.batch, &Sides::forward(conv), &walks, x, y, out, par)
        }
        Way::Input => {
            let walks = conv.axes.map(|a| Walk::backward(&a));
            gather(conv.batch, &Sides::backward(conv), &walks, x, y, out, par)
        }
        Way::Filter => filter_gradient(conv, x, y, out, par),
    }
}

/// Several features for each channel: the channels are repeated, so that each has one.
fn multiplied<T: Tiled>(
    conv: &Conv,
    way: Way,
    x: &[T],
    y: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let times = conv.features / conv.channels;
    let wide = Conv { channels: conv.features, groups: conv.features, ..*conv };
    if way == Way::Input {
        let len = volume([out.len(), times]);
        let mut each = room(len)?;
        run(&wide, way, x, y, &mut each.spare_capacity_mut()[..len], par)?;
        // SAFETY: the convolution has written all of it.
        unsafe { each.set_len(len) };
        for (each, out) in each.chunks_exact(times).zip(out) {
            out.write(each.iter().fold(T::ZERO, |a, b| a.add(*b)));
        }
        return Ok(());
    }
    let mut repeated = room(volume([x.len(), times]))?;
    repeated.extend(x.iter().flat_map(|x| core::iter::repeat_n(*x, times)));
    run(&wide, way, &repeated, y, out, par)
}

/// How positions along an axis read a source, and where their results go.
#[derive(Debug)]
struct Walk {
    count: usize,
    /// From one position to the next, in the source.
    step: usize,
    /// Where each tap reads for the first position, in ascending order, and its number in the filter.
    taps: Vec<(isize, usize)>,
    /// The first place in the result, and the distance between two.
    to: [usize; 2],
}

impl Walk {
    /// A walk of `count` positions over a source of this size, by the taps that meet it.
    fn new(
        count: usize,
        step: usize,
        source: usize,
        to: [usize; 2],
        taps: impl Iterator<Item = (isize, usize)>,
    ) -> Self {
        let last = count.saturating_sub(1).saturating_mul(step);
        let last = isize::try_from(last).unwrap_or(isize::MAX);
        // The others meet only zeros, and add nothing.
        let meets =
            |(at, _): &(isize, usize)| *at < source as isize && at.saturating_add(last) >= 0;
        let mut taps: Vec<_> = taps.filter(meets).collect();
        taps.sort_unstable();
        Self { count, step, taps, to }
    }

    /// The output reads the input.
    fn forward(a: &Axis) -> Self {
        let at = |tap: usize| (tap as isize).wrapping_mul(a.dilation as isize) - a.before as isize;
        Self::new(a.output, a.stride, a.input, [0, 1], (0..a.filter).map(|tap| (at(tap), tap)))
    }

    /// The gradient of the input reads that of the output. Each remainder of its places by the stride meets other taps.
    fn backward(a: &Axis) -> Vec<Self> {
        let stride = a.stride as isize;
        let phase = |first: usize| {
            let at = |tap: usize| {
                let from =
                    (first + a.before) as isize - (tap as isize).wrapping_mul(a.dilation as isize);
                (from.rem_euclid(stride) == 0).then_some((from.div_euclid(stride), tap))
            };
            let count = (a.input - first).div_ceil(a.stride);
            Self::new(count, 1, a.output, [first, a.stride], (0..a.filter).filter_map(at))
        };
        (0..a.stride.min(a.input)).map(phase).collect()
    }

    /// The zeros that are read before a source of this size, and behind it.
    fn around(&self, source: usize) -> [usize; 2] {
        let (Some(first), Some(last)) = (self.taps.first(), self.taps.last()) else {
            return [0, 0];
        };
        let reach = last.0 + (self.count.saturating_sub(1) * self.step) as isize;
        [first.0.min(0).unsigned_abs(), (reach + 1 - source as isize).max(0) as usize]
    }
}

/// The sizes of both sides of a product, and where the filter holds the factor of each pair of channels.
struct Sides {
    source: [usize; 3],
    filter: [usize; 3],
    result: [usize; 3],
    groups: usize,
    /// Channels of a group in the source, and between them in the filter.
    from: [usize; 2],
    /// Likewise in the result.
    to: [usize; 2],
    /// Between two groups in the filter.
    group: usize,
    /// Between two taps in the filter.
    tap: usize,
    /// Whether each channel is a group.
    each: bool,
}

impl Sides {
    fn forward(c: &Conv) -> Self {
        let (channels, features) = (c.channels / c.groups, c.features / c.groups);
        Self {
            source: c.axes.map(|a| a.input),
            filter: c.axes.map(|a| a.filter),
            result: c.axes.map(|a| a.output),
            groups: c.groups,
            from: [channels, c.features],
            to: [features, 1],
            group: features,
            tap: volume([channels, c.features]),
            each: c.groups > 1 && channels == 1 && features == 1,
        }
    }

    fn backward(c: &Conv) -> Self {
        let forward = Self::forward(c);
        Self {
            source: forward.result,
            result: forward.source,
            from: forward.to,
            to: forward.from,
            ..forward
        }
    }

    /// The channels of a group that a tap reads at once.
    fn channels(&self) -> usize {
        if self.each { 1 } else { self.from[0] }
    }

    /// Where the filter has the factors of these channels, for the first column.
    fn factors(&self, [plane, row, place]: [usize; 3]) -> impl Iterator<Item = usize> {
        let tap = (plane * self.filter[1] + row) * self.filter[2] + place;
        (0..self.channels()).map(move |channel| tap * self.tap + channel * self.from[1])
    }

    /// The columns of results, by tiles with this many lanes.
    fn blocks(&self, lanes: usize) -> Vec<Block> {
        let block = |group: usize, at: usize| Block {
            source: group * self.from[0] + if self.each { at } else { 0 },
            filter: group * self.group + at * self.to[1],
            first: group * self.to[0] + at,
            count: lanes.min(if self.each { self.groups } else { self.to[0] } - at),
        };
        match self.each {
            true => (0..self.groups)
                .step_by(lanes)
                .map(|at| Block { filter: at, ..block(0, at) })
                .collect(),
            false => (0..self.groups)
                .flat_map(|group| (0..self.to[0]).step_by(lanes).map(move |at| (group, at)))
                .map(|(group, at)| block(group, at))
                .collect(),
        }
    }
}

/// Columns of results that a tile has at once.
struct Block {
    /// Its first channel in the source.
    source: usize,
    /// The factor of its first column in the filter.
    filter: usize,
    /// Its first column.
    first: usize,
    count: usize,
}

/// A source with zeros around.
struct Source<'a, T: Tiled> {
    data: Cow<'a, [T]>,
    /// From one image, plane, row and place to the next.
    strides: [usize; 4],
    /// The zeros before the source along each axis.
    before: [usize; 3],
}

impl<'a, T: Tiled> Source<'a, T> {
    fn new(
        x: &'a [T],
        batch: usize,
        sizes: [usize; 3],
        channels: usize,
        around: [[usize; 2]; 3],
        tile: &Tile<T>,
        each: bool,
    ) -> Result<Self, OutOfMemory> {
        // Tiles read whole vectors of channels where each column has an operand of its own.
        let room_for = if each { channels.next_multiple_of(tile.lanes) } else { channels };
        let padded: [usize; 3] = core::array::from_fn(|i| {
            sizes[i].saturating_add(around[i][0]).saturating_add(around[i][1])
        });
        let strides = [
            volume([padded[0], padded[1], padded[2], room_for]),
            volume([padded[1], padded[2], room_for]),
            volume([padded[2], room_for]),
            room_for,
        ];
        let before = around.map(|a| a[0]);
        if around == [[0; 2]; 3] && room_for == channels {
            return Ok(Self { data: Cow::Borrowed(x), strides, before });
        }
        let len = volume([batch, strides[0]]);
        let mut data: Vec<T> = room(len)?;
        data.resize(len, T::ZERO);
        let rows = batch * sizes[0] * sizes[1];
        let row = sizes[2] * channels;
        for i in 0..rows {
            let (image, plane, line) =
                (i / (sizes[0] * sizes[1]), i / sizes[1] % sizes[0], i % sizes[1]);
            let at = image * strides[0]
                + (plane + before[0]) * strides[1]
                + (line + before[1]) * strides[2]
                + before[2] * strides[3];
            let from = &x[i * row..(i + 1) * row];
            if room_for == channels {
                data[at..at + row].copy_from_slice(from);
            } else {
                for (from, to) in from.chunks_exact(channels).zip(data[at..].chunks_mut(room_for)) {
                    to[..channels].copy_from_slice(from);
                }
            }
        }
        Ok(Self { data: Cow::Owned(data), strides, before })
    }

    /// Where a tap reads for the first position.
    fn tap(&self, at: [isize; 3]) -> usize {
        let place = |i: usize| (at[i] + self.before[i] as isize) as usize * self.strides[i + 1];
        place(0) + place(1) + place(2)
    }
}

/// Vectors of factors, one for each term: those of the columns of a block, and zeros behind.
fn panels<T: Tiled>(
    data: &[T],
    terms: &[usize],
    blocks: &[Block],
    step: usize,
    lanes: usize,
    par: Par,
) -> Result<Vec<T>, OutOfMemory> {
    let panel = volume([terms.len(), lanes]);
    let len = volume([blocks.len(), panel]);
    let mut out: Vec<T> = room(len)?;
    out.resize(len, T::ZERO);
    if panel > 0 {
        par.for_parts(&mut out, panel, len, &|from, out| {
            for (block, out) in blocks[from / panel..].iter().zip(out.chunks_exact_mut(panel)) {
                for (term, out) in terms.iter().zip(out.chunks_exact_mut(lanes)) {
                    let from = &data[term + block.filter..];
                    match step {
                        1 => out[..block.count].copy_from_slice(&from[..block.count]),
                        _ => {
                            for (i, out) in out[..block.count].iter_mut().enumerate() {
                                *out = from[i * step];
                            }
                        }
                    }
                }
            }
        });
    }
    Ok(out)
}

/// Results that read a source by walks along each axis.
fn gather<T: Tiled>(
    batch: usize,
    sides: &Sides,
    walks: &[Vec<Walk>; 3],
    x: &[T],
    filter: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let tile = T::tile(sides.each).0;
    let around = core::array::from_fn(|i| {
        let around = walks[i].iter().map(|w| w.around(sides.source[i]));
        around.fold([0, 0], |a, b| [a[0].max(b[0]), a[1].max(b[1])])
    });
    let channels = sides.groups * sides.from[0];
    let source = Source::new(x, batch, sides.source, channels, around, &tile, sides.each)?;
    let blocks = sides.blocks(tile.lanes);
    if walks.iter().flatten().any(|w| w.taps.is_empty()) {
        // No tap meets these results.
        out.fill(MaybeUninit::new(T::ZERO));
    }
    for planes in &walks[0] {
        for rows in &walks[1] {
            for places in &walks[2] {
                let walk = [planes, rows, places];
                Gather { batch, sides, walk, source: &source, blocks: &blocks, tile: &tile }
                    .run(filter, out, par)?;
            }
        }
    }
    Ok(())
}

/// Results whose taps meet the source in one way.
struct Gather<'a, T: Tiled> {
    batch: usize,
    sides: &'a Sides,
    walk: [&'a Walk; 3],
    source: &'a Source<'a, T>,
    blocks: &'a [Block],
    tile: &'a Tile<T>,
}

impl<T: Tiled> Gather<'_, T> {
    /// The spans of a window, and where the filter has the first column's factor of each term.
    fn terms(&self) -> Result<(Spans, Vec<usize>), OutOfMemory> {
        let [planes, rows, places] = self.walk.map(|w| &w.taps);
        let (sides, lanes) = (self.sides, self.tile.lanes);
        let channels = sides.channels();
        let mut factors = room(volume([planes.len(), rows.len(), places.len(), channels]))?;
        let mut spans = Spans::new(1, lanes);
        for (plane, a) in planes {
            for (row, b) in rows {
                let mut open: Option<Span> = None;
                for (place, c) in places {
                    let x = self.source.tap([*plane, *row, *place]);
                    // Taps side by side are one span, if all channels belong to it.
                    match &mut open {
                        Some(span) if sides.groups == 1 && span.x + span.terms == x => {
                            span.terms += channels;
                        }
                        _ => {
                            open.into_iter().for_each(|span| spans.push(span));
                            open = Some(Span { x, y: factors.len() * lanes, terms: channels });
                        }
                    }
                    factors.extend(sides.factors([*a, *b, *c]));
                }
                open.into_iter().for_each(|span| spans.push(span));
            }
        }
        Ok((spans, factors))
    }

    fn run(&self, filter: &[T], out: &mut [MaybeUninit<T>], par: Par) -> Result<(), OutOfMemory> {
        let counts = self.walk.map(|w| w.count);
        let positions = volume([self.batch, counts[0], counts[1], counts[2]]);
        let (spans, terms) = self.terms()?;
        if positions == 0 || terms.is_empty() {
            return Ok(());
        }
        let (tile, blocks) = (self.tile, self.blocks);
        let panel = terms.len() * tile.lanes;
        let step = if self.sides.each { self.sides.group } else { self.sides.to[1] };
        let panels = panels(filter, &terms, blocks, step, tile.lanes, par)?;
        let columns = self.sides.groups * self.sides.to[0];
        let (len, out) = (out.len(), Start(out.as_mut_ptr()));
        let work = volume([positions, blocks.len(), panel]) / 8;
        let fill = |from: usize, to: usize, blocks: &[Block], panels: &[T]| {
            // A last tile that is not full repeats the first position of its chunk.
            let (mut sources, mut results) = ([0; CHUNK + ROWS], [0; CHUNK]);
            let mut sums = [T::ZERO; RESULTS];
            for start in (from..to).step_by(CHUNK) {
                let count = CHUNK.min(to - start);
                for i in 0..count {
                    (sources[i], results[i]) = self.places(start + i, counts, columns);
                }
                let first = sources[0];
                sources[count..].fill(first);
                for (block, y) in blocks.iter().zip(panels.chunks_exact(panel)) {
                    for at in (0..count).step_by(tile.rows) {
                        let rows = core::array::from_fn(|r| sources[at + r] + block.source);
                        let operands = Operands { x: &self.source.data, rows, y, spans: &spans };
                        tile.sums(&operands, &mut sums);
                        let full = results[at..count.min(at + tile.rows)].iter();
                        for (result, sums) in full.zip(sums.chunks_exact(tile.lanes)) {
                            let result = result + block.first;
                            assert!(result + block.count <= len);
                            // SAFETY: within `out`. Each position and block has results of its own, and each is written
                            // by one thread.
                            unsafe {
                                let to = out.at(result).cast::<T>();
                                to.copy_from_nonoverlapping(sums.as_ptr(), block.count);
                            }
                        }
                    }
                }
            }
        };
        if positions < 2 * CHUNK * par.threads() {
            par.for_ranges(blocks.len(), 1, work, &|from, to| {
                fill(0, positions, &blocks[from..to], &panels[from * panel..]);
            });
        } else {
            par.for_ranges(positions, CHUNK, work, &|from, to| fill(from, to, blocks, &panels));
        }
        Ok(())
    }

    /// Where a position reads the source, and where its results go.
    fn places(&self, position: usize, counts: [usize; 3], columns: usize) -> (usize, usize) {
        let (rest, place) = (position / counts[2], position % counts[2]);
        let (rest, row) = (rest / counts[1], rest % counts[1]);
        let (image, plane) = (rest / counts[0], rest % counts[0]);
        let at = [plane, row, place];
        let (mut source, mut result) = (image * self.source.strides[0], image);
        for (i, at) in at.into_iter().enumerate() {
            source += at * self.walk[i].step * self.source.strides[i + 1];
            let [first, step] = self.walk[i].to;
            result = result * self.sides.result[i] + first + at * step;
        }
        (source, result * columns)
    }
}

/// The gradient of the filter: each of its factors sums over all positions.
fn filter_gradient<T: Tiled>(
    conv: &Conv,
    x: &[T],
    dy: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let sides = Sides::forward(conv);
    let tile = T::tile(sides.each).0;
    let walks = conv.axes.map(|a| Walk::forward(&a));
    let around = core::array::from_fn(|i| walks[i].around(sides.source[i]));
    let source =
        Source::new(x, conv.batch, sides.source, conv.channels, around, &tile, sides.each)?;
    out.fill(MaybeUninit::new(T::ZERO));
    // Where each row of the gradient begins to read, and the first factor of the row.
    let channels = sides.channels();
    let [planes, lines, places] = walks.each_ref().map(|w| &w.taps);
    let mut rows = room(volume([planes.len(), lines.len(), places.len(), channels]))?;
    for (plane, a) in planes {
        for (line, b) in lines {
            for (place, c) in places {
                let at = source.tap([*plane, *line, *place]);
                rows.extend((at..).zip(sides.factors([*a, *b, *c])));
            }
        }
    }
    let counts = walks.each_ref().map(|w| w.count);
    let positions = volume([conv.batch, counts[0], counts[1], counts[2]]);
    if rows.is_empty() || positions == 0 {
        return Ok(());
    }
    // The columns of the other gradient lie side by side.
    let mut blocks = sides.blocks(tile.lanes);
    blocks.iter_mut().for_each(|b| b.filter = b.first);
    let steps = [0, 1, 2].map(|i| walks[i].step * source.strides[i + 1]);
    let (len, out) = (out.len(), Start(out.as_mut_ptr()));
    for start in (0..positions).step_by(TERMS) {
        let end = positions.min(start + TERMS);
        let terms: Vec<usize> = (start..end).map(|p| p * conv.features).collect();
        let panel = terms.len() * tile.lanes;
        let panels = panels(dy, &terms, &blocks, 1, tile.lanes, par)?;
        // One span for each row of positions.
        let mut spans = Spans::new(steps[2], tile.lanes);
        let mut position = start;
        while position < end {
            let (line, place) = (position / counts[2], position % counts[2]);
            let (plane, image) = (line / counts[1] % counts[0], line / counts[1] / counts[0]);
            let at = image * source.strides[0] + plane * steps[0] + line % counts[1] * steps[1];
            let terms = (counts[2] - place).min(end - position);
            let (x, y) = (at + place * steps[2], (position - start) * tile.lanes);
            spans.push(Span { x, y, terms });
            position += terms;
        }
        let work = volume([end - start, rows.len(), blocks.len(), tile.lanes]) / 8;
        par.for_ranges(rows.len(), tile.rows, work, &|from, to| {
            let mut sums = [T::ZERO; RESULTS];
            for (block, y) in blocks.iter().zip(panels.chunks_exact(panel)) {
                for rows in rows[from..to].chunks(tile.rows) {
                    let at = |r: usize| rows.get(r).unwrap_or(&rows[0]).0 + block.source;
                    let operands = Operands {
                        x: &source.data,
                        rows: core::array::from_fn(at),
                        y,
                        spans: &spans,
                    };
                    tile.sums(&operands, &mut sums);
                    for ((_, factor), sums) in rows.iter().zip(sums.chunks_exact(tile.lanes)) {
                        let at = factor + block.first;
                        assert!(at + block.count <= len);
                        for (i, sum) in sums[..block.count].iter().enumerate() {
                            // SAFETY: within the result, all of which was written. Each row has factors of its own,
                            // and each row belongs to one thread.
                            unsafe {
                                let to = out.at(at + i).cast::<T>();
                                to.write(to.read().add(*sum));
                            }
                        }
                    }
                }
            }
        });
    }
    Ok(())
}
