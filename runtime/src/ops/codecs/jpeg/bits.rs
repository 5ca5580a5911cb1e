//! The bits of entropy-coded data, and Huffman codes.
//!
//! Bits are fetched when and as far as libjpeg does it. Only damaged files tell the difference: which bytes of a file
//! that ends too early still count.

use super::marker::EOI;
use crate::types::{Error, Result, bail, err};

/// Why reading ended.
pub(super) enum Stop {
    /// The file ends within a unit.
    Short,
    Bad(Error),
}

impl From<Error> for Stop {
    fn from(e: Error) -> Self {
        Self::Bad(e)
    }
}

impl Stop {
    pub(super) fn error(self) -> Error {
        match self {
            Self::Short => err!("the JPEG file ends too early"),
            Self::Bad(e) => e,
        }
    }
}

pub(super) type Read<T> = std::result::Result<T, Stop>;

/// The bytes of a file and the bits that were fetched from them.
#[derive(Clone)]
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the unit began that is being read.
    start: usize,
    held: u64,
    count: u32,
    /// A marker that was met and is not read yet, or 0.
    pub(super) marker: u8,
    /// Whether zeros were read for bits after a marker.
    pub(super) starved: bool,
    /// Whether a file that ends too early goes on with the marker of its end.
    recover: bool,
}

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8], recover: bool) -> Self {
        Self { bytes, at: 0, start: 0, held: 0, count: 0, marker: 0, starved: false, recover }
    }

    fn byte(&mut self) -> Read<u8> {
        let len = self.bytes.len();
        if self.at >= len {
            match (self.recover, self.start < len) {
                (false, true) => return Err(Stop::Short),
                (false, false) => return Err(Stop::Bad(Stop::Short.error())),
                // As TensorFlow's reader: the bytes of the unit come again.
                (true, true) => self.at = self.start,
                (true, false) => {
                    self.at += 1;
                    return Ok(if (self.at - len) % 2 == 1 { 0xff } else { EOI });
                }
            }
        }
        self.at += 1;
        Ok(self.bytes[self.at - 1])
    }

    /// What follows bytes 0xff: 0 for such a byte as data, or a marker.
    fn after_ff(&mut self) -> Read<u8> {
        let mut rounds = 0;
        loop {
            match self.byte()? {
                // A unit of nothing else: it would come again forever.
                0xff if rounds > self.bytes.len() => return Ok(EOI),
                0xff => rounds += 1,
                other => return Ok(other),
            }
        }
    }

    /// Skips to the next marker.
    pub(super) fn next_marker(&mut self) -> Read<()> {
        self.marker = 0;
        while self.marker == 0 {
            self.start = self.at;
            if self.byte()? == 0xff {
                self.marker = self.after_ff()?;
            }
        }
        self.start = self.at;
        Ok(())
    }

    fn length(&mut self) -> Read<usize> {
        let length = u16::from_be_bytes([self.byte()?, self.byte()?]);
        usize::from(length)
            .checked_sub(2)
            .ok_or_else(|| err!("a segment of the JPEG file has no length").into())
    }

    /// The contents of the segment after a marker.
    pub(super) fn segment(&mut self) -> Read<Vec<u8>> {
        let length = self.length()?;
        let segment = (0..length).map(|_| self.byte()).collect::<Read<_>>()?;
        self.start = self.at;
        Ok(segment)
    }

    /// The first bytes of a segment of which the others are not used.
    pub(super) fn start_of_segment(&mut self) -> Read<Vec<u8>> {
        let length = self.length()?;
        let start = (0..length.min(14)).map(|_| self.byte()).collect::<Read<Vec<u8>>>()?;
        let end = self.at + length - start.len();
        if end > self.bytes.len() && !self.recover {
            return Err(Stop::Short);
        }
        self.at = end.min(self.bytes.len().max(self.at));
        self.start = self.at;
        Ok(start)
    }

    /// Forgets the bits of the data before.
    pub(super) fn reset(&mut self) {
        (self.held, self.count) = (0, 0);
    }

    /// A unit has been read.
    pub(super) fn done(&mut self) {
        self.start = self.at;
    }

    /// Whether so many bytes follow and no marker was met.
    pub(super) fn is_far_from_end(&self, bytes: usize) -> bool {
        self.marker == 0 && self.at + bytes <= self.bytes.len()
    }

    #[cold]
    fn fill(&mut self, need: u32) -> Read<()> {
        while self.count < 57 {
            if self.marker == 0 {
                let mut byte = self.byte()?;
                if byte == 0xff {
                    self.marker = self.after_ff()?;
                    byte = 0xff;
                }
                if self.marker == 0 {
                    self.held = self.held << 8 | u64::from(byte);
                    self.count += 8;
                    continue;
                }
            }
            if need > self.count {
                self.starved = true;
                self.held <<= 57 - self.count;
                self.count = 57;
            }
            break;
        }
        Ok(())
    }

    /// Fetches six bytes; zeros from a marker on.
    #[inline(always)]
    fn fill_fast(&mut self) {
        if let Some(next) = self.bytes.get(self.at..).and_then(|s| s.first_chunk()) {
            let next = u64::from_be_bytes(*next);
            let ones = !next;
            if ones.wrapping_sub(0x0101_0101_0101_0101) & !ones & 0x8080_8080_8080_0000 == 0 {
                self.held = self.held << 48 | next >> 16;
                self.count += 48;
                self.at += 6;
                return;
            }
        }
        self.fill_slowly();
    }

    #[cold]
    fn fill_slowly(&mut self) {
        for _ in 0..6 {
            let mut byte = 0;
            match self.bytes.get(self.at..) {
                Some([0xff, 0, ..]) => (byte, self.at) = (0xff, self.at + 2),
                Some([0xff, marker, ..]) => self.marker = *marker,
                Some([other, ..]) => (byte, self.at) = (*other, self.at + 1),
                _ => self.marker = EOI,
            }
            self.held = self.held << 8 | u64::from(byte);
            self.count += 8;
        }
    }

    /// Fetches bits, so that `n` can be taken.
    #[inline(always)]
    fn need<const FAST: bool>(&mut self, n: u32) -> Read<()> {
        if FAST {
            if self.count <= 16 {
                self.fill_fast();
            }
        } else if self.count < n {
            self.fill(n)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, n: u32) -> i32 {
        self.count -= n;
        (self.held >> self.count) as i32 & ((1 << n) - 1)
    }

    /// `n` bits as a number.
    #[inline(always)]
    pub(super) fn bits(&mut self, n: u32) -> Read<i32> {
        self.need::<false>(n)?;
        Ok(self.take(n))
    }

    /// The number of `n` bits after a symbol; the lower half of the numbers stands for negative ones.
    #[inline(always)]
    pub(super) fn value<const FAST: bool>(&mut self, n: u32) -> Read<i32> {
        self.need::<FAST>(n)?;
        let x = self.take(n);
        Ok(if x < 1 << (n - 1) { x - (1 << n) + 1 } else { x })
    }

    #[inline(always)]
    pub(super) fn symbol<const FAST: bool>(&mut self, code: &Huffman) -> Read<u32> {
        if FAST {
            self.need::<true>(0)?;
        } else if self.count < 8 {
            self.fill(0)?;
            if self.count < 8 {
                return self.long_symbol::<FAST>(code, 1);
            }
        }
        let known = code.known[(self.held >> (self.count - 8)) as usize & 255];
        let length = u32::from(known >> 8);
        if length > 8 {
            return self.long_symbol::<FAST>(code, 9);
        }
        self.count -= length;
        Ok(u32::from(known & 255))
    }

    #[cold]
    fn long_symbol<const FAST: bool>(&mut self, code: &Huffman, from: usize) -> Read<u32> {
        let more = |source: &mut Self, n| -> Read<i32> {
            if !FAST {
                source.need::<false>(n)?;
            }
            Ok(source.take(n))
        };
        let mut x = more(self, from as u32)?;
        for length in from..=16 {
            if x <= code.last[length] {
                return Ok(u32::from(code.symbols[(x + code.shift[length]) as usize & 255]));
            }
            x = x << 1 | more(self, 1)?;
        }
        Ok(0)
    }
}

/// A Huffman code: symbols in the order of their codes.
pub(super) struct Huffman {
    symbols: [u8; 256],
    /// The last code of each length, and what makes a place among the symbols of a code.
    last: [i32; 17],
    shift: [i32; 17],
    /// The length and the symbol for the first eight bits; a length of 9 for longer codes.
    known: [u16; 256],
}

impl Huffman {
    /// Of the numbers of codes of each length, and the symbols.
    pub(super) fn new(lengths: &[u8], given: &[u8]) -> Result<Self> {
        let mut code =
            Self { symbols: [0; 256], last: [-1; 17], shift: [0; 17], known: [9 << 8; 256] };
        code.symbols[..given.len()].copy_from_slice(given);
        let (mut next, mut place) = (0usize, 0usize);
        for (length, n) in (1..).zip(lengths) {
            let n = usize::from(*n);
            code.shift[length] = place as i32 - next as i32;
            if n > 0 {
                code.last[length] = (next + n - 1) as i32;
            }
            for _ in 0..n {
                if length <= 8 && next < 1 << length {
                    let entry = (length as u16) << 8 | u16::from(code.symbols[place]);
                    let first = next << (8 - length);
                    code.known[first..first + (1 << (8 - length))].fill(entry);
                }
                (next, place) = (next + 1, place + 1);
            }
            if n > 0 && next >= 1 << length {
                bail!("a Huffman code of the JPEG file is damaged");
            }
            next <<= 1;
        }
        Ok(code)
    }
}
