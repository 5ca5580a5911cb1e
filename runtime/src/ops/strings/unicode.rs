//! Kernels of Unicode: code points read from bytes of an encoding, and written to another.

use super::kernel::{mapped, of_string, row_splits};
use crate::array::{Array, reserve, vec_for};
use crate::ir::{Attrs, KernelContext, Outputs};
use crate::ops::ordering::kernel::indices;
use crate::ops::{UnicodeDecode, UnicodeEncode, UnicodeTranscode};
use crate::types::{Error, Result, bail, err};

/// The order of bytes.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::ops) enum Order {
    Big,
    Little,
    /// That of a mark at the beginning; the most significant byte first if there is none.
    Marked,
}

/// The encoding of bytes that are read.
#[derive(Clone, Copy)]
pub(in crate::ops) enum Encoding {
    Utf8,
    Utf16(Order),
    Utf32(Order),
    Latin1,
    Ascii,
    #[cfg(feature = "text")]
    Other(&'static encoding_rs::Encoding),
}

impl Encoding {
    /// The encoding of this name. Case and punctuation do not matter.
    pub(in crate::ops) fn named(name: &str) -> Result<Self> {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        let known = letters.map(|c| c.to_ascii_lowercase()).collect::<String>();
        Ok(match known.as_str() {
            "utf8" => Encoding::Utf8,
            "utf16" => Encoding::Utf16(Order::Marked),
            "utf16be" => Encoding::Utf16(Order::Big),
            "utf16le" => Encoding::Utf16(Order::Little),
            "utf32" => Encoding::Utf32(Order::Marked),
            "utf32be" => Encoding::Utf32(Order::Big),
            "utf32le" => Encoding::Utf32(Order::Little),
            "latin1" | "iso88591" | "l1" | "cp819" => Encoding::Latin1,
            "ascii" | "usascii" => Encoding::Ascii,
            _ => return Self::other(name),
        })
    }

    #[cfg(feature = "text")]
    fn other(name: &str) -> Result<Self> {
        let label = name.replace('_', "-");
        let found = [name, &label]
            .into_iter()
            .find_map(|name| encoding_rs::Encoding::for_label_no_replacement(name.as_bytes()));
        found.map(Encoding::Other).ok_or_else(|| err!("no encoding is named \"{name}\""))
    }

    #[cfg(not(feature = "text"))]
    fn other(name: &str) -> Result<Self> {
        bail!(
            "no encoding is named \"{name}\"; UTF-8, UTF-16, UTF-32 and ISO-8859-1 are always known, others \
             with the feature `text` of extype"
        )
    }

    /// Calls `emit` with each code point and the number of its bytes; `None` for bytes that are none.
    fn read(self, s: &[u8], emit: &mut dyn FnMut(Option<u32>, usize)) {
        match self {
            Encoding::Utf8 => {
                for chunk in s.utf8_chunks() {
                    chunk.valid().chars().for_each(|c| emit(Some(c.into()), c.len_utf8()));
                    if !chunk.invalid().is_empty() {
                        emit(None, chunk.invalid().len());
                    }
                }
            }
            Encoding::Latin1 => s.iter().for_each(|b| emit(Some((*b).into()), 1)),
            Encoding::Ascii => s.iter().for_each(|b| emit(b.is_ascii().then_some((*b).into()), 1)),
            Encoding::Utf16(order) => read_units(s, 2, order, emit),
            Encoding::Utf32(order) => read_units(s, 4, order, emit),
            #[cfg(feature = "text")]
            Encoding::Other(encoding) => read_other(encoding, s, emit),
        }
    }
}

/// Reads UTF-16 or UTF-32, by the size of their units.
fn read_units(mut s: &[u8], size: usize, order: Order, emit: &mut dyn FnMut(Option<u32>, usize)) {
    let mut little = order == Order::Little;
    let unit = |s: &[u8], little: bool| {
        let unit = s.get(..size)?;
        let join = |n: u32, b: &u8| n << 8 | u32::from(*b);
        Some(if little { unit.iter().rev().fold(0, join) } else { unit.iter().fold(0, join) })
    };
    if order == Order::Marked {
        let marks = [false, true].map(|little| unit(s, little) == Some(0xfeff));
        little = marks[1];
        if marks.contains(&true) {
            s = &s[size..];
        }
    }
    while !s.is_empty() {
        let (point, length) = match unit(s, little) {
            None => (None, s.len()),
            Some(high @ 0xd800..=0xdbff) if size == 2 => match unit(&s[2..], little) {
                Some(low @ 0xdc00..=0xdfff) => {
                    (Some(0x1_0000 + ((high & 0x3ff) << 10) + (low & 0x3ff)), 4)
                }
                None => (None, s.len()),
                Some(_) => (None, 2),
            },
            Some(unit) => (char::from_u32(unit).map(u32::from), size),
        };
        emit(point, length);
        s = &s[length..];
    }
}

/// Reads byte by byte, so that each character knows its bytes.
#[cfg(feature = "text")]
fn read_other(
    encoding: &'static encoding_rs::Encoding,
    s: &[u8],
    emit: &mut dyn FnMut(Option<u32>, usize),
) {
    use encoding_rs::DecoderResult;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // The bytes since `from` belong to no character yet.
    let (mut from, mut at, mut buffer) = (0, 0, [0; 16]);
    loop {
        let last = at == s.len();
        let next = &s[at..s.len().min(at + 1)];
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(next, &mut buffer, last);
        at += read;
        for c in String::from_utf8_lossy(&buffer[..written]).chars() {
            emit(Some(c.into()), at - from);
            from = at;
        }
        match result {
            DecoderResult::Malformed(_, behind) => {
                let end = (at - usize::from(behind)).max(from);
                emit(None, end - from);
                from = end;
            }
            _ if last => return,
            _ => {}
        }
    }
}

/// The encoding of strings that are written.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::ops) enum Target {
    Utf8,
    Utf16,
    Utf32,
}

impl Target {
    pub(in crate::ops) fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "UTF-8" => Target::Utf8,
            "UTF-16-BE" => Target::Utf16,
            "UTF-32-BE" => Target::Utf32,
            _ => bail!(
                "`output_encoding` = \"{name}\"; write \"UTF-8\", \"UTF-16-BE\" or \"UTF-32-BE\""
            ),
        })
    }

    /// Appends a code point; one that is none becomes U+FFFD.
    pub(in crate::ops) fn write(self, point: u32, out: &mut Vec<u8>) -> Result<()> {
        reserve(out, 4)?;
        let c = char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
        match self {
            Target::Utf8 => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Target::Utf16 => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.extend(unit.to_be_bytes()));
            }
            Target::Utf32 => out.extend(u32::from(c).to_be_bytes()),
        }
        Ok(())
    }
}

/// What is done with bytes and numbers that are no characters.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Errors {
    strict: bool,
    ignores: bool,
    replacement: u32,
    /// True to treat control characters below U+0020 alike.
    controls: bool,
}

impl Errors {
    pub(in crate::ops) fn of(attrs: &Attrs) -> Result<Self> {
        let errors = attrs.get(UnicodeDecode::ERRORS)?;
        if !["strict", "replace", "ignore"].contains(&errors.as_str()) {
            bail!("`errors` = \"{errors}\"; write \"strict\", \"replace\" or \"ignore\"");
        }
        let n = attrs.get(UnicodeDecode::REPLACEMENT_CHAR)?;
        let replacement = u32::try_from(n).ok().filter(|n| *n <= u32::from(char::MAX));
        Ok(Self {
            strict: errors == "strict",
            ignores: errors == "ignore",
            replacement: replacement
                .ok_or_else(|| err!("`replacement_char` = {n} is no code point"))?,
            controls: attrs.get(UnicodeDecode::REPLACE_CONTROL_CHARACTERS).unwrap_or(false),
        })
    }

    /// The code point to take for what was read, if any.
    fn settle(self, point: Option<u32>, fails: &mut bool) -> Option<u32> {
        match point {
            Some(point) if !(self.controls && point < 0x20) => Some(point),
            _ => {
                *fails |= self.strict && point.is_none();
                (!self.ignores).then_some(self.replacement)
            }
        }
    }
}

/// The error of strict decoding.
fn malformed(encoding: &str) -> Error {
    err!("it is no {encoding}; `errors: \"replace\"` or \"ignore\" accepts it")
}

pub(in crate::ops) fn decode(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, errors) = (c.input(0), Errors::of(c.attrs)?);
    let name = c.get(UnicodeDecode::INPUT_ENCODING)?;
    let encoding = Encoding::named(&name)?;
    let (mut splits, mut points, mut starts): (Vec<i64>, Vec<i32>, Vec<i64>) =
        (vec_for(x.len() + 1)?, Vec::new(), Vec::new());
    splits.push(0);
    for (i, s) in x.as_strings()?.iter().enumerate() {
        // There is a code point for each byte at most.
        reserve(&mut points, s.len())?;
        reserve(&mut starts, s.len())?;
        let (mut at, mut fails) = (0, false);
        encoding.read(s, &mut |point, length| {
            if let Some(point) = errors.settle(point, &mut fails) {
                points.push(point as i32);
                starts.push(at);
            }
            at += length as i64;
        });
        if fails {
            return Err(of_string(i, malformed(&name)));
        }
        splits.push(points.len() as i64);
    }
    let splits = indices([splits.len()], &splits, c.get(UnicodeDecode::TSPLITS)?)?;
    let (points, starts) =
        (Array::from_slice([points.len()], &points)?, Array::from_slice([starts.len()], &starts)?);
    Ok([splits, points, starts].into_iter().collect())
}

/// [`decode`] without the places of characters.
pub(in crate::ops) fn decode_points(c: &KernelContext<'_>) -> Result<Outputs> {
    let mut outputs = decode(c)?;
    outputs.truncate(2);
    Ok(outputs)
}

pub(in crate::ops) fn transcode(c: &KernelContext<'_>) -> Result<Outputs> {
    let errors = Errors::of(c.attrs)?;
    let name = c.get(UnicodeTranscode::INPUT_ENCODING)?;
    let encoding = Encoding::named(&name)?;
    let target = Target::named(&c.get(UnicodeTranscode::OUTPUT_ENCODING)?)?;
    mapped(c, |s| {
        let (mut out, mut written, mut fails) = (vec_for(s.len())?, Ok(()), false);
        encoding.read(s, &mut |point, _| {
            // A control character is an error here.
            fails |= errors.strict && errors.controls && point.is_some_and(|p| p < 0x20);
            if let (Some(point), Ok(())) = (errors.settle(point, &mut fails), &written) {
                written = target.write(point, &mut out);
            }
        });
        if fails {
            return Err(malformed(&name));
        }
        written.map(|()| out)
    })
}

pub(in crate::ops) fn encode(c: &KernelContext<'_>) -> Result<Outputs> {
    let (points, errors) = (c.input(0).as_slice::<i32>()?, Errors::of(c.attrs)?);
    let target = Target::named(&c.get(UnicodeEncode::OUTPUT_ENCODING)?)?;
    let splits = row_splits(c.input(1), points.len())?;
    let mut all = vec_for(splits.len().saturating_sub(1))?;
    for row in splits.windows(2) {
        let mut out = vec_for(row[1] - row[0])?;
        for n in &points[row[0]..row[1]] {
            let point = u32::try_from(*n).ok().filter(|n| char::from_u32(*n).is_some());
            let mut fails = false;
            let settled = errors.settle(point, &mut fails);
            if fails {
                bail!("{n} is no code point; `errors: \"replace\"` or \"ignore\" accepts it");
            }
            if let Some(point) = settled {
                target.write(point, &mut out)?;
            }
        }
        all.push(out);
    }
    Ok([Array::from_strings([all.len()], all)?].into())
}
