//! Segments of a JPEG file: sizes, tables, scans.

use std::rc::Rc;

use super::bits::{Huffman, Read, Source, Stop};
use crate::types::{Result, bail, err};

pub(super) const EOI: u8 = 0xd9;
const RST0: u8 = 0xd0;

/// The places of the numbers of a block, in the order of a file. Damaged files run past the end.
pub(super) const ORDER: [u8; 80] = {
    let mut order = [63; 80];
    let (mut at, mut diagonal) = (0, 0);
    while diagonal < 15 {
        let mut step = 0;
        while step <= diagonal {
            let (a, b) = (step, diagonal - step);
            let (row, column) = if diagonal % 2 == 0 { (b, a) } else { (a, b) };
            if row < 8 && column < 8 {
                order[at] = (row * 8 + column) as u8;
                at += 1;
            }
            step += 1;
        }
        diagonal += 1;
    }
    order
};

/// A component of an image: a plane of samples.
pub(super) struct Component {
    id: u8,
    /// Blocks of 8 rows and columns in a unit of all components.
    pub(super) across: usize,
    pub(super) down: usize,
    table: usize,
    /// The table of quantization at the first scan.
    pub(super) quant: Option<[u16; 64]>,
    /// Blocks that hold samples of the image.
    pub(super) wide: usize,
    pub(super) high: usize,
}

/// What a scan holds: components with their codes, and a band of bits.
pub(super) struct Scan {
    /// Component, code of the first number of a block, code of the others.
    pub(super) parts: Vec<(usize, usize, usize)>,
    pub(super) band: (usize, usize),
    pub(super) high: u8,
    pub(super) low: u8,
}

/// What the segments have told so far.
pub(super) struct Header {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) progressive: bool,
    pub(super) components: Vec<Component>,
    pub(super) across: usize,
    pub(super) down: usize,
    quants: [Option<[u16; 64]>; 4],
    /// Huffman codes for the first number of a block, and for the others.
    pub(super) codes: [[Option<Rc<Huffman>>; 4]; 2],
    /// Units between markers of restarts, or 0.
    pub(super) interval: usize,
    next_restart: u8,
    jfif: bool,
    /// The transform of colours in Adobe's segment.
    pub(super) adobe: Option<u8>,
}

/// What the components of an image are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Colours {
    Grey,
    Rgb,
    Ycc,
    Cmyk,
    Ycck,
    Unknown,
}

impl Header {
    /// Reads a file up to its first scan.
    pub(super) fn read(source: &mut Source<'_>) -> Result<(Self, Scan)> {
        let mut header = Self {
            width: 0,
            height: 0,
            progressive: false,
            components: Vec::new(),
            across: 1,
            down: 1,
            quants: [None; 4],
            codes: [const { [const { None }; 4] }; 2],
            interval: 0,
            next_restart: 0,
            jfif: false,
            adobe: None,
        };
        match header.next_scan(source).map_err(Stop::error)? {
            Some(scan) => Ok((header, scan)),
            None => bail!("the JPEG file holds no image"),
        }
    }

    /// The next scan; `None` at the end of the image.
    pub(super) fn next_scan(&mut self, source: &mut Source<'_>) -> Read<Option<Scan>> {
        loop {
            if source.marker == 0 {
                source.next_marker()?;
            }
            match std::mem::take(&mut source.marker) {
                0x01 | 0xd0..=0xd8 => {}
                EOI => return Ok(None),
                0xc0..=0xc2 if !self.components.is_empty() => {
                    return Err(err!("the JPEG file holds two images").into());
                }
                marker @ 0xc0..=0xc2 => {
                    self.frame(&source.segment()?)?;
                    self.progressive = marker == 0xc2;
                }
                0xc4 => self.code(&source.segment()?)?,
                0xda => return Ok(Some(self.scan(&source.segment()?)?)),
                0xdb => self.quantization(&source.segment()?)?,
                0xdd => match source.segment()?[..] {
                    [high, low] => self.interval = usize::from(u16::from_be_bytes([high, low])),
                    _ => Err(err!("a segment of the JPEG file is damaged"))?,
                },
                0xe0 => {
                    let start = source.start_of_segment()?;
                    self.jfif |= start.len() >= 14 && start.starts_with(b"JFIF\0");
                }
                0xee => {
                    if let [b'A', b'd', b'o', b'b', b'e', _, _, _, _, _, _, transform, ..] =
                        source.start_of_segment()?[..]
                    {
                        self.adobe = Some(transform);
                    }
                }
                0xcc | 0xdc | 0xe1..=0xef | 0xfe => _ = source.start_of_segment()?,
                other => Err(err!("the kind of JPEG file 0x{other:02x} is not read"))?,
            }
        }
    }

    fn frame(&mut self, segment: &[u8]) -> Result<()> {
        let [precision, h0, h1, w0, w1, n, parts @ ..] = segment else {
            bail!("the JPEG file tells no size")
        };
        if *precision != 8 {
            bail!("the JPEG file has numbers of {precision} bits, not 8");
        }
        (self.height, self.width) = (
            usize::from(u16::from_be_bytes([*h0, *h1])),
            usize::from(u16::from_be_bytes([*w0, *w1])),
        );
        if !(1..=65500).contains(&self.height) || !(1..=65500).contains(&self.width) {
            bail!("a JPEG file has no {} rows and {} columns", self.height, self.width);
        }
        if !(1..=10).contains(n) || parts.len() != usize::from(*n) * 3 {
            bail!("the components of the JPEG file are damaged");
        }
        for part in parts.chunks_exact(3) {
            let (across, down) = (usize::from(part[1] >> 4), usize::from(part[1] & 15));
            if !(1..=4).contains(&across) || !(1..=4).contains(&down) {
                bail!("no samplings of {across} and {down} are in a JPEG file");
            }
            let table = usize::from(part[2]);
            self.components.push(Component {
                id: part[0],
                across,
                down,
                table,
                quant: None,
                wide: 0,
                high: 0,
            });
        }
        if let [alone] = &mut self.components[..] {
            (alone.across, alone.down) = (1, 1);
        }
        self.across = self.components.iter().map(|c| c.across).max().unwrap_or(1);
        self.down = self.components.iter().map(|c| c.down).max().unwrap_or(1);
        for c in &mut self.components {
            c.wide = (self.width * c.across).div_ceil(self.across * 8);
            c.high = (self.height * c.down).div_ceil(self.down * 8);
        }
        Ok(())
    }

    fn code(&mut self, mut segment: &[u8]) -> Result<()> {
        while let Some((head, rest)) = segment.split_first_chunk::<17>() {
            let (kind, lengths) = (head[0], &head[1..]);
            let n = lengths.iter().map(|n| usize::from(*n)).sum::<usize>();
            // First numbers have at most 15 bits.
            let fits = n <= 256 && n <= rest.len() && kind & 0xef < 4;
            if !fits || (kind < 4 && rest[..n].iter().any(|s| *s > 15)) {
                bail!("a Huffman code of the JPEG file is damaged");
            }
            let code = Huffman::new(lengths, &rest[..n])?;
            self.codes[usize::from(kind >> 4)][usize::from(kind & 3)] = Some(Rc::new(code));
            segment = &rest[n..];
        }
        Ok(())
    }

    fn quantization(&mut self, mut segment: &[u8]) -> Result<()> {
        while let [kind, rest @ ..] = segment {
            let size = if kind >> 4 == 0 { 1 } else { 2 };
            if kind & 15 > 3 || rest.len() < 64 * size {
                bail!("a table of quantization of the JPEG file is damaged");
            }
            let mut table = [0; 64];
            for (x, place) in rest.chunks_exact(size).zip(&ORDER[..64]) {
                table[usize::from(*place)] = x.iter().fold(0, |sum, x| sum << 8 | u16::from(*x));
            }
            self.quants[usize::from(kind & 15)] = Some(table);
            segment = &rest[64 * size..];
        }
        Ok(())
    }

    fn scan(&mut self, segment: &[u8]) -> Result<Scan> {
        let (Some((n, rest)), false) = (segment.split_first(), self.components.is_empty()) else {
            bail!("a scan of the JPEG file is damaged")
        };
        let n = usize::from(*n);
        if !(1..=4).contains(&n) || rest.len() != 2 * n + 3 {
            bail!("a scan of the JPEG file is damaged");
        }
        let mut parts: Vec<(usize, usize, usize)> = Vec::new();
        for part in rest[..2 * n].chunks_exact(2) {
            let (first, other) = (usize::from(part[1] >> 4), usize::from(part[1] & 15));
            let found = self.components.iter().position(|c| c.id == part[0]);
            match found.filter(|i| parts.iter().all(|p| p.0 != *i) && first < 4 && other < 4) {
                Some(i) => parts.push((i, first, other)),
                None => bail!("a scan of the JPEG file is damaged"),
            }
        }
        for (i, ..) in &parts {
            let c = &mut self.components[*i];
            let table = self.quants.get(c.table).copied().flatten();
            let Some(table) = c.quant.or(table) else {
                bail!("the JPEG file lacks a table of quantization")
            };
            c.quant = Some(table);
        }
        let blocks: usize =
            parts.iter().map(|p| self.components[p.0].across * self.components[p.0].down).sum();
        if n > 1 && blocks > 10 {
            bail!("a unit of the JPEG file has {blocks} blocks, not at most 10");
        }
        let [from, to, bits] = [rest[2 * n], rest[2 * n + 1], rest[2 * n + 2]];
        let (high, low) = (bits >> 4, bits & 15);
        let is_first = from == 0;
        let fits = if is_first { to == 0 } else { from <= to && to < 64 && n == 1 };
        if self.progressive && !(fits && (high == 0 || low + 1 == high) && low <= 13) {
            bail!("a scan of the JPEG file is damaged");
        }
        self.next_restart = 0;
        Ok(Scan { parts, band: (from.into(), to.into()), high, low })
    }

    /// Reads the marker of a restart. A wrong one is skipped, or left for later restarts.
    pub(super) fn restart(&mut self, source: &mut Source<'_>) -> Read<()> {
        source.reset();
        if source.marker == 0 {
            source.next_marker()?;
        }
        loop {
            let marker = source.marker;
            let ahead = marker.wrapping_sub(RST0).wrapping_sub(self.next_restart) & 7;
            match marker {
                0x01..0xc0 => source.next_marker()?,
                0xd0..=0xd7 if ahead > 5 => source.next_marker()?,
                0xd0..=0xd7 if ahead == 0 || ahead > 2 => {
                    source.marker = 0;
                    break;
                }
                _ => break,
            }
        }
        self.next_restart = (self.next_restart + 1) & 7;
        if source.marker == 0 {
            source.starved = false;
        }
        source.done();
        Ok(())
    }

    pub(super) fn colours(&self) -> Colours {
        let ids: Vec<u8> = self.components.iter().map(|c| c.id).collect();
        match (ids.len(), self.adobe) {
            (1, _) => Colours::Grey,
            (3, _) if self.jfif => Colours::Ycc,
            (3, Some(0)) => Colours::Rgb,
            (3, None) if ids == *b"RGB" => Colours::Rgb,
            (3, _) => Colours::Ycc,
            (4, None | Some(0)) => Colours::Cmyk,
            (4, _) => Colours::Ycck,
            _ => Colours::Unknown,
        }
    }
}
