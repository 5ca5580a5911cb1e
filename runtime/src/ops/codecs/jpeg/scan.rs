//! Scans: the numbers of blocks.

use std::rc::Rc;

use super::bits::{Huffman, Read, Source, Stop};
use super::marker::{Component, Header, ORDER, Scan};
use super::smooth::{Known, around, estimate, helps};
use crate::array::vec_for;
use crate::types::{Result, bail};
use extype_kernels::image::jpeg::Transform;

/// Scans visit at most so many blocks, beyond a few scans of all.
const MOST_VISITS: usize = 1 << 28;

/// The samples of a component, and its numbers if several scans give them.
pub(super) struct Plane {
    pub(super) samples: Vec<u8>,
    /// Samples of a row, and blocks.
    pub(super) stride: usize,
    blocks: usize,
    pub(super) numbers: Vec<[i16; 64]>,
    pub(super) transform: Transform,
}

impl Plane {
    /// Gray samples of all units, and the numbers of their blocks.
    fn new(
        c: &Component,
        units: [usize; 2],
        size: usize,
        fast: bool,
        numbers: bool,
    ) -> Result<Self> {
        let (rows, blocks) = (units[0] * c.down, units[1] * c.across);
        let stride = blocks * size;
        let mut plane = Self {
            samples: vec_for(stride * rows * size)?,
            stride,
            blocks,
            numbers: Vec::new(),
            transform: Transform::new(&c.quant.unwrap_or([0; 64]), size, fast),
        };
        plane.samples.resize(stride * rows * size, 128);
        if numbers {
            plane.numbers = vec_for(blocks * rows)?;
            plane.numbers.resize(blocks * rows, [0; 64]);
        }
        Ok(plane)
    }

    #[inline(always)]
    fn write(&mut self, row: usize, column: usize, block: &[i16; 64], flat: bool) {
        let size = self.transform.size();
        let at = row * size * self.stride + column * size;
        self.transform.write(block, flat, &mut self.samples[at..], self.stride);
    }
}

/// The planes of an image.
pub(super) struct Planes(pub(super) Vec<Plane>);

/// What is read of an image.
pub(super) struct Wish {
    /// Rows and columns of samples that a block becomes, of each component.
    pub(super) sizes: Vec<usize>,
    /// Whether transforms are fast or exact.
    pub(super) fast: bool,
    /// Rows of units, and the first unit of them that is used.
    pub(super) rows: usize,
    pub(super) from: usize,
    /// Whether the file is read to its end.
    pub(super) to_end: bool,
}

/// A component in a scan.
struct Part {
    plane: usize,
    first: Option<Rc<Huffman>>,
    other: Option<Rc<Huffman>>,
    across: usize,
    down: usize,
    /// The first number of the block before.
    last: i32,
}

impl Part {
    /// Where the `i`th block of a unit lies: row and column.
    #[inline(always)]
    fn place(&self, row: usize, column: usize, i: usize) -> (usize, usize) {
        (row * self.down + i / self.across, column * self.across + i % self.across)
    }
}

impl Planes {
    /// Planes, and the rows of units that the file holds of them.
    pub(super) fn read(
        header: &mut Header,
        source: &mut Source<'_>,
        scan: Scan,
        wish: &Wish,
    ) -> Result<(Self, usize)> {
        let units = header.units();
        let several = header.progressive || scan.parts.len() < header.components.len();
        let mut planes = Vec::new();
        for (c, size) in header.components.iter().zip(&wish.sizes) {
            planes.push(Plane::new(c, units, *size, wish.fast, several)?);
        }
        let mut planes = Self(planes);
        if several {
            planes.scans(header, source, scan, wish)?;
            return Ok((planes, wish.rows));
        }
        let mut rows = 0;
        match planes.units(header, source, &scan, wish.rows, &mut rows) {
            Ok(()) if !wish.to_end => {}
            Ok(()) => match header.next_scan(source) {
                Ok(None) | Err(Stop::Short) => {}
                Ok(Some(_)) => bail!("the JPEG file holds a second scan of all components"),
                Err(Stop::Bad(e)) => return Err(e),
            },
            Err(Stop::Short) => {}
            Err(Stop::Bad(e)) => return Err(e),
        }
        Ok((planes, rows))
    }

    /// Several scans, and then all samples.
    fn scans(
        &mut self,
        header: &mut Header,
        source: &mut Source<'_>,
        first: Scan,
        wish: &Wish,
    ) -> Result<()> {
        let all: usize = self.0.iter().map(|p| p.numbers.len()).sum();
        let (mut next, mut scans) = (Some(first), 0);
        let mut known = vec![Known([[-1; 10]; 2]); header.components.len()];
        // The last row of units of the last scan.
        let mut good = 0;
        while let Some(scan) = next {
            scans += 1;
            if scans > 24 && scans * all > MOST_VISITS {
                bail!("the JPEG file has more than {scans} scans");
            }
            for (i, ..) in &scan.parts {
                let Known([now, before]) = &mut known[*i];
                let from = scan.band.0.min(1);
                before[from..].copy_from_slice(if scans > 1 {
                    &now[from..]
                } else {
                    &[0; 10][from..]
                });
                now.iter_mut()
                    .take(scan.band.1 + 1)
                    .skip(scan.band.0)
                    .for_each(|bits| *bits = scan.low.into());
            }
            self.units(header, source, &scan, usize::MAX, &mut good).map_err(Stop::error)?;
            next = header.next_scan(source).map_err(Stop::error)?;
        }
        let (smooth, units) = (helps(header, &known), header.units()[0]);
        for (((plane, c), size), known) in
            self.0.iter_mut().zip(&header.components).zip(&wish.sizes).zip(known)
        {
            // All tables are known now.
            let quant = c.quant.unwrap_or([0; 64]);
            plane.transform = Transform::new(&quant, *size, wish.fast);
            let numbers = std::mem::take(&mut plane.numbers);
            let rows: Vec<_> =
                numbers.chunks_exact(plane.blocks).map(|row| &row[..c.wide]).collect();
            for (row, blocks) in
                rows.iter().enumerate().take(wish.rows.saturating_mul(c.down).min(c.high))
            {
                if !smooth {
                    for (column, block) in blocks.iter().enumerate() {
                        plane.write(row, column, block, block[1..] == [0; 63]);
                    }
                    continue;
                }
                // Rows of units, and the row of blocks in one: libjpeg looks only so far.
                let (unit, inner) = (row / c.down, row % c.down);
                let last = units - 1;
                let end = if unit < last { c.down } else { c.high - last * c.down };
                let above = row - usize::from(row > 0);
                let top = if inner > 1 || unit > 1 { row - 2 } else { above };
                let below = row + usize::from(inner + 1 < end || unit < last);
                let bottom = if inner + 2 < end || unit + 1 < last { row + 2 } else { below };
                let unknown = known.0[usize::from(unit >= good)];
                let near = [top, above, row, below, bottom].map(|row| rows[row]);
                let from = wish.from * c.across;
                for (column, around) in (from..).zip(around(near, from)) {
                    let mut block = blocks[column];
                    estimate(&mut block, &around, &unknown, &quant);
                    plane.write(row, column, &block, block[1..] == [0; 63]);
                }
            }
        }
        Ok(())
    }

    /// The units of a scan, row by row. Counts whole rows, or those of a progressive file that have
    /// data.
    fn units(
        &mut self,
        header: &mut Header,
        source: &mut Source<'_>,
        scan: &Scan,
        wanted: usize,
        done: &mut usize,
    ) -> Read<()> {
        let mut parts = header.parts(scan)?;
        let [rows, columns] = match &parts[..] {
            [alone] => [header.components[alone.plane].high, header.components[alone.plane].wide],
            _ => header.units(),
        };
        // Rows of blocks of a component alone in a row of units.
        let down = match &parts[..] {
            [alone] => header.components[alone.plane].down,
            _ => 1,
        };
        source.reset();
        source.starved = false;
        let (mut left, mut run) = (header.interval, 0);
        for row in 0..wanted.min(rows) {
            for column in 0..columns {
                if header.progressive && !source.starved {
                    *done = row / down + 1;
                }
                if header.interval > 0 {
                    if left == 0 {
                        header.restart(source)?;
                        parts.iter_mut().for_each(|p| p.last = 0);
                        (left, run) = (header.interval, 0);
                    }
                    left -= 1;
                } else if source.starved {
                    if !header.progressive {
                        *done = wanted.min(rows);
                    }
                    return Ok(());
                }
                if source.starved {
                    continue;
                }
                if header.progressive {
                    self.refine(source, scan, &mut parts, [row, column], &mut run)?;
                } else {
                    self.unit(source, &mut parts, [row, column])?;
                }
                source.done();
            }
            if !header.progressive {
                *done = row + 1;
            }
        }
        Ok(())
    }

    /// All numbers of the blocks of a unit.
    #[inline(always)]
    fn unit(
        &mut self,
        source: &mut Source<'_>,
        parts: &mut [Part],
        [row, column]: [usize; 2],
    ) -> Read<()> {
        let mut blocks = [[0i16; 64]; 10];
        let mut ends = [0; 10];
        let n: usize = parts.iter().map(|p| p.across * p.down).sum();
        let before = source.clone();
        let mut lasts = [0; 4];
        lasts.iter_mut().zip(&*parts).for_each(|(last, p)| *last = p.last);
        let whole = source.is_far_from_end(512 * n)
            && blocks_of::<true>(source, parts, &mut blocks, &mut ends).is_ok()
            && source.marker == 0;
        if !whole {
            *source = before;
            parts.iter_mut().zip(lasts).for_each(|(p, last)| p.last = last);
            blocks_of::<false>(source, parts, &mut blocks, &mut ends)?;
        }
        let mut blocks = blocks.iter().zip(ends);
        for part in parts {
            let plane = &mut self.0[part.plane];
            for (i, (block, end)) in (0..part.across * part.down).zip(&mut blocks) {
                let (y, x) = part.place(row, column, i);
                match plane.numbers.get_mut(y * plane.blocks + x) {
                    Some(kept) => *kept = *block,
                    None => plane.write(y, x, block, end == 0),
                }
            }
        }
        Ok(())
    }

    /// What a scan of a progressive file tells of the blocks of a unit.
    fn refine(
        &mut self,
        source: &mut Source<'_>,
        scan: &Scan,
        parts: &mut [Part],
        [row, column]: [usize; 2],
        run: &mut u32,
    ) -> Read<()> {
        for part in parts {
            let plane = &mut self.0[part.plane];
            for i in 0..part.across * part.down {
                let (y, x) = part.place(row, column, i);
                let block = &mut plane.numbers[y * plane.blocks + x];
                match (scan.band.0, scan.high, &part.first, &part.other) {
                    (0, 0, Some(code), _) => {
                        block[0] =
                            (next::<false>(source, code, &mut part.last)? << scan.low) as i16;
                    }
                    (0, ..) => block[0] |= (source.bits(1)? << scan.low) as i16,
                    (_, 0, _, Some(code)) => band(source, scan, code, block, run)?,
                    (.., Some(code)) => refined_band(source, scan, code, block, run)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// The first number of the next block: the one of the block before and a difference.
#[inline(always)]
fn next<const FAST: bool>(source: &mut Source<'_>, code: &Huffman, last: &mut i32) -> Read<i32> {
    let bits = source.symbol::<FAST>(code)?;
    if bits > 0 {
        *last = last.wrapping_add(source.value::<FAST>(bits)?);
    }
    Ok(*last)
}

/// The blocks of a unit, and the places of their last numbers.
#[inline(always)]
fn blocks_of<const FAST: bool>(
    source: &mut Source<'_>,
    parts: &mut [Part],
    blocks: &mut [[i16; 64]; 10],
    ends: &mut [usize; 10],
) -> Read<()> {
    let mut blocks = blocks.iter_mut().zip(ends);
    for part in parts {
        let (Some(first), Some(other)) = (&part.first, &part.other) else { continue };
        for (block, end) in blocks.by_ref().take(part.across * part.down) {
            block[0] = next::<FAST>(source, first, &mut part.last)? as i16;
            *end = 0;
            let mut k = 1;
            while k < 64 {
                let symbol = source.symbol::<FAST>(other)?;
                let (zeros, bits) = ((symbol >> 4) as usize, symbol & 15);
                if bits > 0 {
                    k += zeros;
                    *end = k;
                    block[usize::from(ORDER[k])] = source.value::<FAST>(bits)? as i16;
                } else if zeros == 15 {
                    k += 15;
                } else {
                    break;
                }
                k += 1;
            }
        }
    }
    Ok(())
}

/// The length of a run of blocks that end here.
fn run_of(source: &mut Source<'_>, bits: u32) -> Read<u32> {
    Ok((1 << bits) + if bits > 0 { source.bits(bits)? as u32 } else { 0 })
}

/// The first bits of a band of a block.
fn band(
    source: &mut Source<'_>,
    scan: &Scan,
    code: &Huffman,
    block: &mut [i16; 64],
    run: &mut u32,
) -> Read<()> {
    if *run > 0 {
        *run -= 1;
        return Ok(());
    }
    let mut k = scan.band.0;
    while k <= scan.band.1 {
        let symbol = source.symbol::<false>(code)?;
        let (zeros, bits) = (symbol >> 4, symbol & 15);
        if bits > 0 {
            k += zeros as usize;
            block[usize::from(ORDER[k])] = (source.value::<false>(bits)? << scan.low) as i16;
        } else if zeros == 15 {
            k += 15;
        } else {
            *run = run_of(source, zeros)? - 1;
            break;
        }
        k += 1;
    }
    Ok(())
}

/// A further bit of a band of a block.
fn refined_band(
    source: &mut Source<'_>,
    scan: &Scan,
    code: &Huffman,
    block: &mut [i16; 64],
    run: &mut u32,
) -> Read<()> {
    let bit = 1i16 << scan.low;
    let more = |source: &mut Source<'_>, x: &mut i16| -> Read<()> {
        if source.bits(1)? == 1 && *x & bit == 0 {
            *x = x.wrapping_add(if *x >= 0 { bit } else { -bit });
        }
        Ok(())
    };
    let mut k = scan.band.0;
    while *run == 0 && k <= scan.band.1 {
        let symbol = source.symbol::<false>(code)?;
        let (mut zeros, mut new) = (symbol >> 4, 0);
        if symbol & 15 > 0 {
            new = if source.bits(1)? == 1 { bit } else { -bit };
        } else if zeros < 15 {
            *run = run_of(source, zeros)?;
            break;
        }
        while k <= scan.band.1 {
            let x = &mut block[usize::from(ORDER[k])];
            if *x != 0 {
                more(source, x)?;
            } else if zeros == 0 {
                break;
            } else {
                zeros -= 1;
            }
            k += 1;
        }
        if new != 0 {
            block[usize::from(ORDER[k])] = new;
        }
        k += 1;
    }
    if *run > 0 {
        for place in ORDER.get(k..=scan.band.1).unwrap_or_default() {
            let x = &mut block[usize::from(*place)];
            if *x != 0 {
                more(source, x)?;
            }
        }
        *run -= 1;
    }
    Ok(())
}

impl Header {
    /// Rows of units and units of a row, each of blocks of all components.
    pub(super) fn units(&self) -> [usize; 2] {
        [self.height.div_ceil(8 * self.down), self.width.div_ceil(8 * self.across)]
    }

    fn parts(&self, scan: &Scan) -> Result<Vec<Part>> {
        let needs_first = !self.progressive || (scan.band.0 == 0 && scan.high == 0);
        let needs_other = !self.progressive || scan.band.0 > 0;
        let part = |(plane, first, other): &(usize, usize, usize)| {
            let code = |needed: bool, kind: usize, i: usize| match (needed, &self.codes[kind][i]) {
                (true, None) => bail!("the JPEG file lacks a Huffman code"),
                (_, code) => Ok(code.clone()),
            };
            let c = &self.components[*plane];
            let alone = scan.parts.len() == 1;
            Ok(Part {
                plane: *plane,
                first: code(needs_first, 0, *first)?,
                other: code(needs_other, 1, *other)?,
                across: if alone { 1 } else { c.across },
                down: if alone { 1 } else { c.down },
                last: 0,
            })
        };
        scan.parts.iter().map(part).collect()
    }
}
