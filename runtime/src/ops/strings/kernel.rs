//! Kernels of strings: case, length, parts, joins, n-grams.

use memchr::memmem::{self, Finder};

use crate::array::{
    Array, Dims, Element, ask_for, copy_of, extent, num_elements, reserve, vec_for,
};
use crate::ir::{KernelContext, Outputs};
use crate::ops::elementwise::kernel::broadcast_pairs;
use crate::ops::ordering::kernel::indices;
use crate::ops::strings::infer::axes_of;
use crate::ops::{
    ReduceJoin, SplitStrings, StringFind, StringJoin, StringLength, StringLower, StringNGrams,
    StringReplace, StringSplitV2, Substr, UnsortedSegmentJoin,
};
use crate::types::{Error, Result, bail, err};

/// A string for each string of the first input.
pub(in crate::ops) fn mapped(
    c: &KernelContext<'_>,
    f: impl Fn(&[u8]) -> Result<Vec<u8>>,
) -> Result<Outputs> {
    let x = c.input(0);
    let mut out = vec_for(x.len())?;
    for (i, s) in x.as_strings()?.iter().enumerate() {
        out.push(f(s).map_err(|e| of_string(i, e))?);
    }
    Ok([Array::from_strings(x.dims(), out)?].into())
}

/// The error of one string.
pub(in crate::ops) fn of_string(i: usize, e: Error) -> Error {
    e.prefixed(format_args!("string {i}"))
}

/// An element for each string of the first input.
pub(in crate::ops) fn measured<T: Element>(
    c: &KernelContext<'_>,
    f: impl Fn(&[u8]) -> Result<T>,
) -> Result<Outputs> {
    let x = c.input(0);
    let strings = x.as_strings()?;
    let out = c.output_slice(x.dims(), |out: &mut [T]| {
        for (i, (out, s)) in out.iter_mut().zip(strings).enumerate() {
            *out = f(s).map_err(|e| of_string(i, e))?;
        }
        Ok(())
    })?;
    Ok([out].into())
}

/// The only string of an input.
pub(in crate::ops) fn scalar<'a>(c: &KernelContext<'a>, i: usize) -> Result<&'a [u8]> {
    match c.input(i).as_strings()? {
        [one] => Ok(one),
        _ => bail!("a scalar string is wanted, not one of shape {}", c.input(i).shape()),
    }
}

/// Changes the case of ASCII letters, or of all letters of UTF-8.
pub(in crate::ops) fn cased(
    c: &KernelContext<'_>,
    ascii: fn(&mut [u8]),
    all: fn(&str) -> String,
) -> Result<Outputs> {
    let is_utf8 = !c.get(StringLower::ENCODING)?.is_empty();
    mapped(c, |s| {
        if is_utf8 && !s.is_ascii() {
            return Ok(all(&String::from_utf8_lossy(s)).into_bytes());
        }
        let mut s = copy_of(s)?;
        ascii(&mut s);
        Ok(s)
    })
}

/// White space as in C.
pub(in crate::ops) fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The string without white space at its ends.
pub(in crate::ops) fn trimmed(s: &[u8]) -> &[u8] {
    let from = s.iter().position(|b| !is_space(b)).unwrap_or(s.len());
    let end = s.iter().rposition(|b| !is_space(b)).map_or(from, |i| i + 1);
    &s[from..end]
}

pub(in crate::ops) fn strip(c: &KernelContext<'_>) -> Result<Outputs> {
    mapped(c, |s| copy_of(trimmed(s)))
}

/// True for a byte of UTF-8 that begins no character.
fn is_trail(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

pub(in crate::ops) fn length(c: &KernelContext<'_>) -> Result<Outputs> {
    let chars = c.get(StringLength::UNIT)? != "BYTE";
    measured(c, |s| {
        let n = if chars { s.iter().filter(|b| !is_trail(**b)).count() } else { s.len() };
        i32::try_from(n).map_err(|_| err!("a string of {n} bytes has no int32 length"))
    })
}

pub(in crate::ops) fn join(c: &KernelContext<'_>) -> Result<Outputs> {
    let separator = c.get(StringJoin::SEPARATOR)?;
    let whole = c.inputs.iter().find(|x| x.rank() > 0).unwrap_or(&c.inputs[0]);
    let mut all: Vec<&[Vec<u8>]> = vec_for(c.inputs.len())?;
    for x in c.inputs {
        all.push(x.as_strings()?);
    }
    let mut out = vec_for(whole.len())?;
    for i in 0..whole.len() {
        // A scalar is joined to every string.
        let parts =
            all.iter().zip(c.inputs).map(|(s, x)| &s[if x.rank() == 0 { 0 } else { i }][..]);
        out.push(joined(parts, separator.as_bytes())?);
    }
    Ok([Array::from_strings(whole.dims(), out)?].into())
}

/// Joins strings, with a separator between.
fn joined<'a>(parts: impl Iterator<Item = &'a [u8]> + Clone, separator: &[u8]) -> Result<Vec<u8>> {
    let lengths = parts.clone().map(|part| part.len() + separator.len());
    let length = lengths.fold(0usize, usize::saturating_add);
    let mut one = vec_for(length.saturating_sub(separator.len()))?;
    for (i, part) in parts.enumerate() {
        if i > 0 {
            one.extend_from_slice(separator);
        }
        one.extend_from_slice(part);
    }
    Ok(one)
}

pub(in crate::ops) fn reduce_join(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, separator) = (c.input(0), c.get(ReduceJoin::SEPARATOR)?);
    let (dims, axes) = (x.dims(), axes_of(&c.input(1).to_i64s()?, x.rank())?);
    let keep = c.get(ReduceJoin::KEEP_DIMS)?;
    let size = |axis: &usize| match axes.contains(axis) {
        false => Some(dims[*axis]),
        true => keep.then_some(1),
    };
    let out_dims: Dims = (0..dims.len()).filter_map(|axis| size(&axis)).collect();
    let strides: Vec<usize> = (0..dims.len()).map(|i| extent(&dims[i + 1..])).collect();
    let rest: Vec<usize> = (0..dims.len()).filter(|axis| !axes.contains(axis)).collect();
    // The place of element `n` of these axes, of which the last counts fastest.
    let place = |axes: &mut dyn Iterator<Item = &usize>, mut n: usize| {
        axes.fold(0, |at, axis| {
            let i = n % dims[*axis];
            n /= dims[*axis];
            at + i * strides[*axis]
        })
    };
    let strings = x.as_strings()?;
    let count = num_elements(&out_dims, 1)?;
    let parts = match x.len() {
        0 => 0,
        _ => axes.iter().map(|axis| dims[*axis]).product::<usize>(),
    };
    // The first of the axes counts fastest.
    let mut inner = vec_for(parts)?;
    inner.extend((0..parts).map(|n| place(&mut axes.iter(), n)));
    let mut out = vec_for(count)?;
    for n in 0..count {
        let base = if parts == 0 { 0 } else { place(&mut rest.iter().rev(), n) };
        out.push(joined(inner.iter().map(|i| &strings[base + i][..]), separator.as_bytes())?);
    }
    Ok([Array::from_strings(out_dims, out)?].into())
}

pub(in crate::ops) fn segment_join(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, ids, separator) = (c.input(0), c.input(1), c.get(UnsortedSegmentJoin::SEPARATOR)?);
    let n = match c.input(2).to_i64s()?[..] {
        [n] => usize::try_from(n).map_err(|_| err!("the number of segments, {n}, is negative"))?,
        _ => bail!("the number of segments is a scalar"),
    };
    let dims: Dims = std::iter::once(n).chain(x.dims()[ids.rank()..].iter().copied()).collect();
    let inner = num_elements(&dims[1..], 1)?;
    let strings = x.as_strings()?;
    let mut out: Vec<Vec<u8>> = vec_for(num_elements(&dims, 1)?)?;
    out.resize(n * inner, Vec::new());
    let mut begun: Vec<bool> = vec_for(n)?;
    begun.resize(n, false);
    for (row, id) in ids.to_i64s()?.iter().enumerate() {
        let Some(segment) = usize::try_from(*id).ok().filter(|id| *id < n) else {
            bail!("id {id} at position {row} is not in [0, {n})");
        };
        let between = if begun[segment] { separator.as_bytes() } else { &[] };
        for j in 0..inner {
            let (out, part) = (&mut out[segment * inner + j], &strings[row * inner + j]);
            reserve(out, between.len() + part.len())?;
            out.extend_from_slice(between);
            out.extend_from_slice(part);
        }
        begun[segment] = true;
    }
    Ok([Array::from_strings(dims, out)?].into())
}

pub(in crate::ops) fn substr(c: &KernelContext<'_>) -> Result<Outputs> {
    let chars = c.get(Substr::UNIT)? != "BYTE";
    let (dims, pairs) = broadcast_pairs(c.input(0), c.input(1))?;
    let (strings, places) = (c.input(0).as_strings()?, c.input(1).to_i64s()?);
    let lengths = c.input(2).to_i64s()?;
    let mut out = vec_for(pairs.len())?;
    for (n, (i, j)) in pairs.into_iter().enumerate() {
        let (s, place, len) = (&strings[i][..], places[j], lengths[j]);
        let part = if chars { part_of_chars(s, place, len) } else { part_of_bytes(s, place, len) };
        let Some(part) = part else {
            let text = String::from_utf8_lossy(s);
            bail!("string {n}: position {place} is out of range of \"{text}\"");
        };
        out.push(copy_of(part)?);
    }
    Ok([Array::from_strings(dims, out)?].into())
}

/// `len` bytes from a place, which may count from the end; all the rest for a negative number.
fn part_of_bytes(s: &[u8], place: i64, len: i64) -> Option<&[u8]> {
    let place = if place < 0 { place.saturating_add(s.len() as i64) } else { place };
    let rest = s.get(usize::try_from(place).ok()?..)?;
    Some(&rest[..usize::try_from(len).unwrap_or(usize::MAX).min(rest.len())])
}

/// `len` characters of UTF-8 from a place, which may count from the end.
fn part_of_chars(s: &[u8], place: i64, len: i64) -> Option<&[u8]> {
    if place >= 0 {
        let (from, 0) = forward(s, 0, place) else { return None };
        let (end, _) = forward(s, from, len);
        return Some(&s[from..end]);
    }
    let place = place.checked_neg()?;
    let behind = place.checked_sub(len)?.max(0);
    let (end, 0) = back(s, s.len(), behind) else { return None };
    match back(s, end, place.checked_sub(behind)?) {
        (from, 0) => Some(&s[from..end]),
        _ => None,
    }
}

/// The place `n` characters behind another one, and how many of them are missing.
fn forward(s: &[u8], mut at: usize, mut n: i64) -> (usize, i64) {
    while n > 0 && at < s.len() {
        at += 1;
        while at < s.len() && is_trail(s[at]) {
            at += 1;
        }
        n -= 1;
    }
    (at, n)
}

/// The place `n` characters before another one, and how many of them are missing.
fn back(s: &[u8], mut at: usize, mut n: i64) -> (usize, i64) {
    while n > 0 && at > 0 {
        at -= 1;
        while at > 0 && is_trail(s[at]) {
            at -= 1;
        }
        n -= 1;
    }
    (at, n)
}

/// How strings are split.
enum Separator<'a> {
    /// At runs of white space, which also may stand at the ends.
    Space,
    Byte(u8),
    Text(Box<Finder<'a>>),
    /// Into single bytes.
    Bytes,
}

impl<'a> Separator<'a> {
    fn new(text: &'a [u8]) -> Self {
        match text {
            [] => Separator::Space,
            [one] => Separator::Byte(*one),
            _ => Separator::Text(Box::new(Finder::new(text))),
        }
    }

    /// The place of the next separator, and the place behind it.
    fn next(&self, s: &[u8]) -> Option<(usize, usize)> {
        let found = |at: Option<usize>, len: usize| at.map(|at| (at, at + len));
        match self {
            Separator::Byte(b) => found(memchr::memchr(*b, s), 1),
            Separator::Text(finder) => found(finder.find(s), finder.needle().len()),
            Separator::Bytes => (s.len() > 1).then_some((1, 1)),
            Separator::Space => {
                let at = s.iter().position(is_space)?;
                Some((at, s[at..].iter().position(|b| !is_space(b)).map_or(s.len(), |n| at + n)))
            }
        }
    }

    /// Appends the parts of a string, of which the last has the rest after `most` separators.
    fn split(&self, mut s: &[u8], most: Option<usize>, parts: &mut Vec<Vec<u8>>) -> Result<()> {
        let mut push = |part: &[u8]| {
            reserve(parts, 1)?;
            parts.push(copy_of(part)?);
            Ok(())
        };
        if most == Some(0) {
            return push(s);
        }
        let drops_empty = matches!(self, Separator::Space | Separator::Bytes);
        if let Separator::Space = self {
            s = &s[s.iter().position(|b| !is_space(b)).unwrap_or(s.len())..];
        }
        let mut count = 0;
        while !(drops_empty && s.is_empty()) {
            // The last part may end without white space behind it.
            let at_end = if drops_empty { Some((s.len(), s.len())) } else { None };
            let Some((end, next)) = self.next(s).or(at_end) else { return push(s) };
            push(&s[..end])?;
            s = &s[next..];
            count += 1;
            if most == Some(count) {
                return push(s);
            }
        }
        Ok(())
    }
}

/// The parts of all strings, and how many each string has.
fn parts(x: &Array, separator: &Separator<'_>, most: i64) -> Result<(Vec<Vec<u8>>, Vec<usize>)> {
    let most = usize::try_from(most).ok();
    let (mut all, mut counts) = (vec_for(x.len())?, vec_for(x.len())?);
    for s in x.as_strings()? {
        let before = all.len();
        separator.split(s, most, &mut all)?;
        counts.push(all.len() - before);
    }
    Ok((all, counts))
}

pub(in crate::ops) fn split(c: &KernelContext<'_>) -> Result<Outputs> {
    let separator = Separator::new(scalar(c, 1)?);
    let (values, counts) = parts(c.input(0), &separator, c.get(StringSplitV2::MAXSPLIT)?)?;
    let indices = c.output_slice(&[values.len(), 2], |out: &mut [i64]| {
        let mut pairs = out.chunks_exact_mut(2);
        for (row, n) in counts.iter().enumerate() {
            for (column, pair) in pairs.by_ref().take(*n).enumerate() {
                pair.copy_from_slice(&[row as i64, column as i64]);
            }
        }
        Ok(())
    })?;
    let most = counts.iter().max().copied().unwrap_or(0);
    let shape = Array::from_slice([2], &[counts.len() as i64, most as i64])?;
    Ok([indices, Array::from_strings([values.len()], values)?, shape].into_iter().collect())
}

pub(in crate::ops) fn split_rows(c: &KernelContext<'_>) -> Result<Outputs> {
    let separator = match c.get(SplitStrings::BYTES)? {
        true => Separator::Bytes,
        false => Separator::new(scalar(c, 1)?),
    };
    let (values, counts) = parts(c.input(0), &separator, c.get(SplitStrings::MAXSPLIT)?)?;
    let splits = c.output_slice(&[counts.len() + 1], |out: &mut [i64]| {
        let mut end = 0;
        out[0] = 0;
        for (out, n) in out[1..].iter_mut().zip(&counts) {
            end += *n as i64;
            *out = end;
        }
        Ok(())
    })?;
    Ok([splits, Array::from_strings([values.len()], values)?].into_iter().collect())
}

pub(in crate::ops) fn ranks(c: &KernelContext<'_>) -> Result<Outputs> {
    let strings = c.input(0).as_strings()?;
    let mut order: Vec<usize> = vec_for(strings.len())?;
    order.extend(0..strings.len());
    order.sort_unstable_by(|i, j| strings[*i].cmp(&strings[*j]));
    let out = c.output_slice(c.input(0).dims(), |out: &mut [i64]| {
        let mut rank = 0;
        for (n, i) in order.iter().enumerate() {
            rank += i64::from(n > 0 && strings[order[n - 1]] != strings[*i]);
            out[*i] = rank;
        }
        Ok(())
    })?;
    Ok([out].into())
}

pub(in crate::ops) fn find(c: &KernelContext<'_>) -> Result<Outputs> {
    let (text, place) = (c.get(StringFind::TEXT)?, c.get(StringFind::PLACE)?);
    let text = text.as_bytes();
    let finder = Finder::new(text);
    measured(c, |s| {
        let at = match place.as_str() {
            "start" => s.starts_with(text).then_some(0),
            "end" => s.ends_with(text).then(|| s.len() - text.len()),
            _ => finder.find(s),
        };
        Ok(at.map_or(-1, |at| at as i64))
    })
}

pub(in crate::ops) fn replace(c: &KernelContext<'_>) -> Result<Outputs> {
    let (from, to) = (c.get(StringReplace::FROM)?, c.get(StringReplace::TO)?);
    if from.is_empty() {
        bail!("the text to replace is empty");
    }
    mapped(c, |s| {
        let mut places = memmem::find_iter(s, &from).peekable();
        if places.peek().is_none() {
            return copy_of(s);
        }
        let (mut out, mut end) = (Vec::new(), 0);
        for at in places {
            reserve(&mut out, at - end + to.len())?;
            out.extend_from_slice(&s[end..at]);
            out.extend_from_slice(to.as_bytes());
            end = at + from.len();
        }
        reserve(&mut out, s.len() - end)?;
        out.extend_from_slice(&s[end..]);
        Ok(out)
    })
}

/// Row splits of `len` values that are checked.
pub(in crate::ops) fn row_splits(splits: &Array, len: usize) -> Result<Vec<usize>> {
    let splits = splits.to_i64s()?;
    let mut all = vec_for(splits.len())?;
    for (i, split) in splits.iter().enumerate() {
        let least = all.last().copied().unwrap_or(0);
        let split = usize::try_from(*split).ok().filter(|n| (least..=len).contains(n));
        match split {
            Some(n) if i > 0 || n == 0 => all.push(n),
            _ => bail!("row splits begin with 0, ascend and end with {len}; entry {i} does not"),
        }
    }
    match all.last() {
        Some(last) if *last != len => bail!("the last row split is {last} for {len} values"),
        _ => Ok(all),
    }
}

pub(in crate::ops) fn ngrams(c: &KernelContext<'_>) -> Result<Outputs> {
    let (data, splits) = (c.input(0).as_strings()?, c.input(1));
    let rows = row_splits(splits, data.len())?;
    let grams = Grams {
        separator: c.get(StringNGrams::SEPARATOR)?,
        left: c.get(StringNGrams::LEFT_PAD)?,
        right: c.get(StringNGrams::RIGHT_PAD)?,
        pad_width: c.get(StringNGrams::PAD_WIDTH)?,
    };
    let widths = c.get(StringNGrams::NGRAM_WIDTHS)?;
    let keeps_short = c.get(StringNGrams::PRESERVE_SHORT_SEQUENCES)?;
    let mut out: Vec<Vec<u8>> = Vec::new();
    let mut ends: Vec<i64> = vec_for(rows.len())?;
    ends.resize(rows.len().min(1), 0);
    for row in rows.windows(2) {
        let row = &data[row[0]..row[1]];
        let before = out.len();
        // Without any string there are no n-grams, not even of padding.
        for width in widths.iter().filter(|_| !data.is_empty()) {
            grams.of_width(row, *width, &mut out)?;
        }
        if keeps_short && out.len() == before && !row.is_empty() {
            if grams.pad_width < 0 {
                bail!("`pad_width` = {}; without widths it can't be negative", grams.pad_width);
            }
            let width = grams.pad_width.saturating_mul(2).saturating_add(row.len() as i64);
            grams.of_width(row, width, &mut out)?;
        }
        ends.push(out.len() as i64);
    }
    let splits = indices(splits.dims(), &ends, splits.dtype())?;
    Ok([Array::from_strings([out.len()], out)?, splits].into_iter().collect())
}

/// What n-grams are made with.
struct Grams {
    separator: String,
    left: String,
    right: String,
    pad_width: i64,
}

impl Grams {
    /// Appends the n-grams of a row, which is padded at both ends.
    fn of_width(&self, row: &[Vec<u8>], width: i64, out: &mut Vec<Vec<u8>>) -> Result<()> {
        let pad = if self.pad_width < 0 { width - 1 } else { self.pad_width.min(width - 1) };
        let len = i128::from(pad) * 2 + row.len() as i128;
        let count = (len - i128::from(width) + 1).max(0);
        let tokens = count.checked_mul(i128::from(width)).and_then(|n| usize::try_from(n).ok());
        let Some(tokens) = tokens else { bail!(ResourceExhausted, "{count} n-grams of {width}") };
        ask_for::<[usize; 2]>(tokens)?;
        let count = count as usize;
        reserve(out, count)?;
        let (pad, width) = (pad as usize, width as usize);
        for first in 0..count {
            let part = |i: usize| match i.checked_sub(pad) {
                None => self.left.as_bytes(),
                Some(i) => row.get(i).map_or(self.right.as_bytes(), Vec::as_slice),
            };
            out.push(joined((first..first + width).map(part), self.separator.as_bytes())?);
        }
        Ok(())
    }
}
