//! Kernels of regular expressions, in the syntax of RE2.

use std::cell::RefCell;

use regex::bytes::Regex;

use super::kernel::{mapped, measured, scalar};
use super::re2::translated;
use crate::array::{copy_of, reserve};
use crate::ir::{KernelContext, Outputs};
use crate::ops::{RegexExtract, RegexReplace, StaticRegexFullMatch, StaticRegexReplace};
use crate::types::{Result, bail, err};

thread_local! {
    /// The last expression of this thread, since calls often repeat one.
    static LAST: RefCell<Option<(Vec<u8>, Regex)>> = const { RefCell::new(None) };
}

/// The expression for a pattern; for `whole` one that only matches a whole string.
fn compiled(pattern: &[u8], whole: bool) -> Result<Regex> {
    let key = [pattern, &[u8::from(whole)]].concat();
    let found = LAST.with_borrow(|last| match last {
        Some((known, regex)) if *known == key => Some(regex.clone()),
        _ => None,
    });
    if let Some(regex) = found {
        return Ok(regex);
    }
    let shown = String::from_utf8_lossy(pattern);
    let invalid = |why: String| err!("\"{shown}\" is no regular expression: {why}");
    let text = std::str::from_utf8(pattern).map_err(|_| invalid("it is no UTF-8".into()))?;
    let mut translated = translated(text).map_err(invalid)?;
    if whole {
        translated = format!(r"\A(?:{translated})\z");
    }
    let regex = Regex::new(&translated).map_err(|e| match e {
        regex::Error::CompiledTooBig(limit) => invalid(format!("it needs over {limit} bytes")),
        e => {
            let why = e.to_string();
            let last = why.lines().last().unwrap_or(&why).trim_start_matches("error: ");
            invalid(format!("{last} (extype takes the syntax of RE2)"))
        }
    })?;
    LAST.set(Some((key, regex.clone())));
    Ok(regex)
}

fn full_match(c: &KernelContext<'_>, pattern: &[u8]) -> Result<Outputs> {
    let regex = compiled(pattern, true)?;
    measured(c, |s| Ok(regex.is_match(s)))
}

pub(in crate::ops) fn dynamic_full_match(c: &KernelContext<'_>) -> Result<Outputs> {
    full_match(c, scalar(c, 1)?)
}

pub(in crate::ops) fn static_full_match(c: &KernelContext<'_>) -> Result<Outputs> {
    full_match(c, c.get(StaticRegexFullMatch::PATTERN)?.as_bytes())
}

pub(in crate::ops) fn dynamic_replace(c: &KernelContext<'_>) -> Result<Outputs> {
    replaced(c, scalar(c, 1)?, scalar(c, 2)?, c.get(RegexReplace::REPLACE_GLOBAL)?)
}

pub(in crate::ops) fn static_replace(c: &KernelContext<'_>) -> Result<Outputs> {
    let (pattern, rewrite) =
        (c.get(StaticRegexReplace::PATTERN)?, c.get(StaticRegexReplace::REWRITE)?);
    let all = c.get(StaticRegexReplace::REPLACE_GLOBAL)?;
    replaced(c, pattern.as_bytes(), rewrite.as_bytes(), all)
}

/// A part of a text that is put in place of a match.
enum Part {
    Byte(u8),
    /// The text of a group; 0 is the whole match.
    Group(usize),
}

/// What is put in place of matches: the parts up to one that is none, and whether there is such a part.
fn parts(rewrite: &[u8]) -> (Vec<Part>, bool) {
    let (mut parts, mut bytes) = (Vec::new(), rewrite.iter());
    while let Some(byte) = bytes.next() {
        parts.push(match (byte, byte == &b'\\') {
            (_, true) => match bytes.next() {
                Some(digit @ b'0'..=b'9') => Part::Group(usize::from(digit - b'0')),
                Some(b'\\') => Part::Byte(b'\\'),
                _ => return (parts, false),
            },
            (byte, false) => Part::Byte(*byte),
        });
    }
    (parts, true)
}

fn replaced(c: &KernelContext<'_>, pattern: &[u8], rewrite: &[u8], all: bool) -> Result<Outputs> {
    let (regex, (parts, is_valid)) = (compiled(pattern, false)?, parts(rewrite));
    let groups = |p: &Part| if let Part::Group(n) = p { *n } else { 0 };
    // As in TensorFlow, a group that the pattern does not have leaves the strings as they are.
    if parts.iter().map(groups).max() >= Some(regex.captures_len()) || !is_valid && !all {
        return mapped(c, copy_of);
    }
    mapped(c, |s| {
        let mut found = regex.capture_locations();
        let (mut out, mut at, mut last) = (Vec::new(), 0, None);
        while at <= s.len() && regex.captures_read_at(&mut found, s, at).is_some() {
            let (from, end) = found.get(0).unwrap_or((at, at));
            reserve(&mut out, from - at)?;
            out.extend_from_slice(&s[at..from]);
            if from == end && last == Some(from) {
                // An empty match behind another one is none.
                let next = from + character(&s[from..]);
                out.extend_from_slice(&s[from..next.min(s.len())]);
                at = next;
                continue;
            }
            for part in &parts {
                let text = match part {
                    Part::Byte(byte) => std::slice::from_ref(byte),
                    Part::Group(n) => found.get(*n).map_or(&[][..], |(from, end)| &s[from..end]),
                };
                reserve(&mut out, text.len())?;
                out.extend_from_slice(text);
            }
            (at, last) = (end, Some(end));
            if !all {
                break;
            }
        }
        out.extend_from_slice(s.get(at..).unwrap_or_default());
        Ok(out)
    })
}

/// The bytes of the first character; 1 for what is none.
fn character(s: &[u8]) -> usize {
    let head = &s[..s.len().min(4)];
    head.utf8_chunks()
        .next()
        .and_then(|chunk| chunk.valid().chars().next())
        .map_or(1, char::len_utf8)
}

pub(in crate::ops) fn extract(c: &KernelContext<'_>) -> Result<Outputs> {
    let (regex, group) =
        (compiled(c.get(RegexExtract::PATTERN)?.as_bytes(), false)?, c.get(RegexExtract::GROUP)?);
    let group = match usize::try_from(group) {
        Ok(n) if n < regex.captures_len() => n,
        _ => bail!("group {group} of a pattern with {} groups", regex.captures_len() - 1),
    };
    mapped(c, |s| {
        let found = regex.captures(s).and_then(|found| found.get(group));
        copy_of(found.map_or(&[][..], |found| found.as_bytes()))
    })
}
