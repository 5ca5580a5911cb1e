//! Convolutions as tiles.

use super::bands::{Band, Bands};
use super::tile::{Operands, RESULTS, Span, Spans, Tile, Tiled};
use super::{Axis, Conv, Way};
use crate::matmul::{Gemm, MatMul, MatStrides, matmul};
use crate::memory::{OutOfMemory, room};
use crate::par::{Par, Start};
use crate::size::volume;
use core::mem::MaybeUninit;
use std::sync::OnceLock;

/// Positions whose tiles follow each other, so that what they read stays in the innermost cache.
const CHUNK: usize = 128;

/// The result of a [`Way`].
pub(super) fn run<T: Tiled + Gemm>(
    conv: &Conv,
    way: Way,
    x: &[T],
    y: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    if conv.groups == 1 && conv.axes.iter().all(Axis::is_point) {
        return product(conv, way, x, y, out, par);
    }
    if conv.groups > 1 && conv.channels == conv.groups && conv.features > conv.channels {
        return multiplied(conv, way, x, y, out, par);
    }
    match way {
        Way::Forward => {
            let walks = conv.axes.map(|a| vec![Walk::forward(&a)]);
            gather(&Sides::forward(conv), walks, x, y, out, par)
        }
        Way::Input => {
            let walks = conv.axes.map(|a| Walk::backward(&a));
            gather(&Sides::backward(conv), walks, x, y, out, par)
        }
        Way::Filter => filter_gradient(conv, x, y, out, par),
    }
}

/// Windows of one place: products of matrices.
fn product<T: Gemm>(
    conv: &Conv,
    way: Way,
    x: &[T],
    y: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let positions = volume([conv.batch].into_iter().chain(conv.axes.map(|a| a.output)));
    let (c, f) = (conv.channels, conv.features);
    let rows = MatStrides::row_major;
    let (dims, x_strides, y_strides) = match way {
        Way::Forward => (MatMul::new(positions, f, c), rows(c), rows(f)),
        Way::Input => (MatMul::new(positions, c, f), rows(f), MatStrides::transposed(f)),
        Way::Filter => (MatMul::new(c, f, positions), MatStrides::transposed(c), rows(f)),
    };
    matmul(dims, x, x_strides, y, y_strides, out, par)
}

/// Several features for each channel: the channels are repeated, so that each has one.
fn multiplied<T: Tiled + Gemm>(
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
pub(super) struct Walk {
    pub(super) count: usize,
    /// From one position to the next, in the source.
    pub(super) step: usize,
    /// Where each tap reads for the first position, in ascending order, and its number in the filter.
    pub(super) taps: Vec<(isize, usize)>,
    /// The first place in the result, and the distance between two.
    pub(super) to: [usize; 2],
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

    /// Images are read one by one.
    fn images(count: usize) -> Self {
        Self { count, step: 1, taps: vec![(0, 0)], to: [0, 1] }
    }

    /// The places from the first tap to the last.
    pub(super) fn window(&self) -> usize {
        match &self.taps[..] {
            [first, .., last] => last.0.abs_diff(first.0).saturating_add(1),
            _ => 1,
        }
    }

    /// The places that this many positions read, from the first to the last.
    pub(super) fn extent(&self, count: usize) -> usize {
        count.saturating_sub(1).saturating_mul(self.step).saturating_add(self.window())
    }
}

/// The sizes of both sides of a product, and where the filter holds the factor of each pair of channels.
struct Sides {
    source: [usize; 4],
    filter: [usize; 3],
    result: [usize; 4],
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
        let with_images = |[a, b, d]: [usize; 3]| [c.batch, a, b, d];
        Self {
            source: with_images(c.axes.map(|a| a.input)),
            filter: c.axes.map(|a| a.filter),
            result: with_images(c.axes.map(|a| a.output)),
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

    /// Bands of what a walk reads. Tiles read whole vectors of channels where each column has an operand of its own.
    fn bands<'a, T: Tiled>(
        &self,
        x: &'a [T],
        tile: &Tile<T>,
        walk: [&'a Walk; 4],
        wanted: usize,
    ) -> Bands<'a, T> {
        let lanes = if self.each { tile.lanes } else { 1 };
        Bands::new(x, self.source, self.groups * self.from[0], lanes, walk, wanted)
    }

    /// From one image, plane, row and place of the result to the next.
    fn distances(&self) -> [usize; 4] {
        let columns = self.groups * self.to[0];
        core::array::from_fn(|i| columns * self.result[i + 1..].iter().product::<usize>())
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

/// Vectors of factors, one for each term: those of the columns of a block, and zeros behind.
#[derive(Debug, Clone, Copy)]
struct Factors<'a, T> {
    data: &'a [T],
    terms: &'a [usize],
    /// From one column to the next.
    step: usize,
    lanes: usize,
}

impl<T: Tiled> Factors<'_, T> {
    /// The size of a panel, which has the vectors of a block.
    fn panel(&self) -> usize {
        volume([self.terms.len(), self.lanes])
    }

    fn pack(&self, block: &Block, panel: &mut [T]) {
        for (term, out) in self.terms.iter().zip(panel.chunks_exact_mut(self.lanes)) {
            let from = &self.data[term + block.filter..];
            let (out, behind) = out.split_at_mut(block.count);
            match self.step {
                1 => out.copy_from_slice(&from[..block.count]),
                step => out.iter_mut().zip(from.iter().step_by(step)).for_each(|(o, x)| *o = *x),
            }
            behind.fill(T::ZERO);
        }
    }

    /// The panels of all blocks.
    fn panels(&self, blocks: &[Block], par: Par) -> Result<Vec<T>, OutOfMemory> {
        let panel = self.panel();
        let len = volume([blocks.len(), panel]);
        let mut out: Vec<T> = room(len)?;
        out.resize(len, T::ZERO);
        par.for_parts(&mut out, panel, len, &|from, out| {
            for (block, out) in blocks[from / panel..].iter().zip(out.chunks_exact_mut(panel)) {
                self.pack(block, out);
            }
        });
        Ok(out)
    }
}

/// The bands that occupy all threads.
fn bands_for(par: Par) -> usize {
    match par.threads() {
        1 => 1,
        threads => 2 * threads,
    }
}

/// Results that read a source by walks along each axis.
fn gather<T: Tiled>(
    sides: &Sides,
    walks: [Vec<Walk>; 3],
    x: &[T],
    filter: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let tile = T::tile(sides.each).0;
    let images = Walk::images(sides.source[0]);
    let blocks = sides.blocks(tile.lanes);
    if walks.iter().flatten().any(|w| w.taps.is_empty()) {
        // No tap meets these results.
        out.fill(MaybeUninit::new(T::ZERO));
    }
    for planes in &walks[0] {
        for rows in &walks[1] {
            for places in &walks[2] {
                let walk = [&images, planes, rows, places];
                if walk.iter().all(|w| w.count > 0 && !w.taps.is_empty()) {
                    let bands = sides.bands(x, &tile, walk, bands_for(par));
                    Gather { sides, walk, bands, blocks: &blocks, tile: &tile }
                        .run(filter, out, par)?;
                }
            }
        }
    }
    Ok(())
}

/// Results whose taps meet the source in one way.
struct Gather<'a, T: Tiled> {
    sides: &'a Sides,
    walk: [&'a Walk; 4],
    bands: Bands<'a, T>,
    blocks: &'a [Block],
    tile: &'a Tile<T>,
}

impl<T: Tiled> Gather<'_, T> {
    /// The spans of a window, and where the filter has the first column's factor of each term.
    fn terms(&self) -> Result<(Spans, Vec<usize>), OutOfMemory> {
        let [_, planes, rows, places] = self.walk.map(|w| &w.taps);
        let (sides, lanes) = (self.sides, self.tile.lanes);
        let channels = sides.channels();
        let mut factors = room(volume([planes.len(), rows.len(), places.len(), channels]))?;
        let mut spans = Spans::new(1, lanes);
        for (plane, a) in planes {
            for (row, b) in rows {
                let mut open: Option<Span> = None;
                for (place, c) in places {
                    let x = self.bands.tap([0, *plane, *row, *place]);
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
        let (spans, terms) = self.terms()?;
        let step = if self.sides.each { self.sides.group } else { self.sides.to[1] };
        let factors = Factors { data: filter, terms: &terms, step, lanes: self.tile.lanes };
        let (panel, blocks, bands) = (factors.panel(), self.blocks, self.bands.len());
        let distances = self.sides.distances();
        let (len, out) = (out.len(), Start(out.as_mut_ptr()));
        let refused = OnceLock::new();
        let refuse = |e| _ = refused.set(e);
        let work = |positions| volume([positions, blocks.len(), panel]) / 8;
        if bands <= bands_for(par) && bands < blocks.len() {
            // Threads divide the columns, and pack the factors of few columns for use at once.
            let mut band = Band::default();
            for i in 0..bands {
                self.bands.read(i, distances, &mut band)?;
                par.for_ranges(blocks.len(), 1, work(band.positions.len()), &|from, to| {
                    let fill = |mut factors_of: Vec<T>| {
                        factors_of.resize(panel, T::ZERO);
                        for block in &blocks[from..to] {
                            factors.pack(block, &mut factors_of);
                            self.tiles(
                                &band,
                                core::slice::from_ref(block),
                                &factors_of,
                                &spans,
                                &out,
                                len,
                            );
                        }
                    };
                    room(panel).map_or_else(refuse, fill);
                });
            }
        } else {
            let panels = factors.panels(blocks, par)?;
            let positions = volume(self.walk.map(|w| w.count));
            par.for_ranges(bands, 1, work(positions), &|from, to| {
                let mut band = Band::default();
                for i in from..to {
                    match self.bands.read(i, distances, &mut band) {
                        Ok(()) => self.tiles(&band, blocks, &panels, &spans, &out, len),
                        Err(e) => return refuse(e),
                    }
                }
            });
        }
        refused.into_inner().map_or(Ok(()), Err)
    }

    /// The results of a band in the columns of these blocks.
    fn tiles(
        &self,
        band: &Band<T>,
        blocks: &[Block],
        panels: &[T],
        spans: &Spans,
        out: &Start<MaybeUninit<T>>,
        len: usize,
    ) {
        let tile = self.tile;
        let x = self.bands.source(band);
        let mut sums = [T::ZERO; RESULTS];
        for positions in band.positions.chunks(CHUNK) {
            for (block, y) in blocks.iter().zip(panels.chunks_exact(panels.len() / blocks.len())) {
                for positions in positions.chunks(tile.rows) {
                    // A last tile that is not full repeats its first position.
                    let at = |r: usize| positions.get(r).unwrap_or(&positions[0]).0 + block.source;
                    let operands = Operands { x, rows: core::array::from_fn(at), y, spans };
                    let to = |r: usize| {
                        let result = positions[r].1 + block.first;
                        assert!(result + block.count <= len);
                        out.at(result).cast::<T>()
                    };
                    if positions.len() == tile.rows && block.count == tile.lanes {
                        let to = core::array::from_fn(|r| to(r.min(tile.rows - 1)));
                        // SAFETY: within `out`, as just checked. Each position and block has results of its own, and
                        // each is written by one thread.
                        unsafe { tile.sums_to(&operands, to) };
                        continue;
                    }
                    tile.sums(&operands, &mut sums);
                    for (r, sums) in sums.chunks_exact(tile.lanes).enumerate().take(positions.len())
                    {
                        // SAFETY: likewise.
                        unsafe { to(r).copy_from_nonoverlapping(sums.as_ptr(), block.count) };
                    }
                }
            }
        }
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
    let images = Walk::images(conv.batch);
    let walks = conv.axes.map(|a| Walk::forward(&a));
    out.fill(MaybeUninit::new(T::ZERO));
    let walk = [&images, &walks[0], &walks[1], &walks[2]];
    if walk.iter().any(|w| w.count == 0 || w.taps.is_empty()) {
        return Ok(());
    }
    // As many as fit, so that sums don't depend on the number of threads.
    let bands = sides.bands(x, &tile, walk, 1);
    // Where each row of the gradient begins to read, and the first factor of the row.
    let channels = sides.channels();
    let [planes, lines, places] = walks.each_ref().map(|w| &w.taps);
    let mut rows = room(volume([planes.len(), lines.len(), places.len(), channels]))?;
    for (plane, a) in planes {
        for (line, b) in lines {
            for (place, c) in places {
                let at = bands.tap([0, *plane, *line, *place]);
                rows.extend((at..).zip(sides.factors([*a, *b, *c])));
            }
        }
    }
    // The columns of the other gradient lie side by side.
    let mut blocks = sides.blocks(tile.lanes);
    blocks.iter_mut().for_each(|b| b.filter = b.first);
    let (len, out) = (out.len(), Start(out.as_mut_ptr()));
    let mut band = Band::default();
    for i in 0..bands.len() {
        bands.read(i, sides.distances(), &mut band)?;
        let terms: Vec<usize> = band.positions.iter().map(|(_, result)| *result).collect();
        let factors = Factors { data: dy, terms: &terms, step: 1, lanes: tile.lanes };
        let (panel, panels) = (factors.panel(), factors.panels(&blocks, par)?);
        let mut spans = Spans::new(bands.step(), tile.lanes);
        for (line, positions) in band.positions.chunks(band.row).enumerate() {
            let y = line * band.row * tile.lanes;
            spans.push(Span { x: positions[0].0, y, terms: positions.len() });
        }
        let work = volume([terms.len(), rows.len(), blocks.len(), tile.lanes]) / 8;
        par.for_ranges(rows.len(), tile.rows, work, &|from, to| {
            let mut sums = [T::ZERO; RESULTS];
            for (block, y) in blocks.iter().zip(panels.chunks_exact(panel)) {
                for rows in rows[from..to].chunks(tile.rows) {
                    let at = |r: usize| rows.get(r).unwrap_or(&rows[0]).0 + block.source;
                    let x = bands.source(&band);
                    let operands = Operands { x, rows: core::array::from_fn(at), y, spans: &spans };
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
