//! Patterns of paths, as in shells.

use std::fs;

use super::path_of;

/// A part of a pattern for names.
enum Part {
    /// `*`
    Any,
    /// `?`
    One,
    Is(u32),
    /// `[a-z]`, `[!a-z]`
    In {
        ranges: Vec<(u32, u32)>,
        is_not: bool,
    },
}

/// The characters of a name; bytes that are no UTF-8 are numbers beyond all characters.
fn characters(name: &[u8]) -> Vec<u32> {
    let mut all = Vec::new();
    for chunk in name.utf8_chunks() {
        all.extend(chunk.valid().chars().map(u32::from));
        all.extend(chunk.invalid().iter().map(|b| 0x11_0000 + u32::from(*b)));
    }
    all
}

impl Part {
    fn takes(&self, c: u32) -> bool {
        match self {
            Part::Any => false,
            Part::One => true,
            Part::Is(own) => *own == c,
            Part::In { ranges, is_not } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *is_not
            }
        }
    }
}

const fn code(c: char) -> u32 {
    c as u32
}

fn parts(pattern: &[u32]) -> Vec<Part> {
    const STAR: u32 = code('*');
    const MARK: u32 = code('?');
    const OPEN: u32 = code('[');
    const QUOTE: u32 = code('\\');
    let (mut all, mut rest) = (Vec::new(), pattern);
    while let [first, more @ ..] = rest {
        rest = more;
        all.push(match *first {
            STAR => Part::Any,
            MARK => Part::One,
            OPEN => match class(more) {
                Some((class, behind)) => {
                    rest = behind;
                    class
                }
                None => Part::Is(OPEN),
            },
            QUOTE if let [next, behind @ ..] = more => {
                rest = behind;
                Part::Is(*next)
            }
            c => Part::Is(c),
        });
    }
    all
}

/// What stands behind `[`, and the rest of the pattern. `None` if it does not end.
fn class(pattern: &[u32]) -> Option<(Part, &[u32])> {
    let is_not = pattern.first().is_some_and(|c| [code('!'), code('^')].contains(c));
    let (mut ranges, mut rest) = (Vec::new(), &pattern[usize::from(is_not)..]);
    loop {
        let (&first, more) = rest.split_first()?;
        if first == code(']') && !ranges.is_empty() {
            return Some((Part::In { ranges, is_not }, more));
        }
        let (low, more) = if first == code('\\') { more.split_first()? } else { (&first, more) };
        let (high, more) = match more {
            [dash, high, more @ ..] if *dash == code('-') && *high != code(']') => (high, more),
            _ => (low, more),
        };
        ranges.push((*low, *high));
        rest = more;
    }
}

fn is_match(parts: &[Part], name: &[u32]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Behind the last `*`, and how far it reaches. An earlier one need not reach farther.
    let mut star = None;
    loop {
        match parts.get(p) {
            None if n == name.len() => return true,
            Some(Part::Any) => {
                p += 1;
                star = Some((p, n));
                continue;
            }
            Some(part) if name.get(n).is_some_and(|c| part.takes(*c)) => {
                (p, n) = (p + 1, n + 1);
                continue;
            }
            _ => {}
        }
        match star {
            Some((behind, reach)) if reach < name.len() => {
                star = Some((behind, reach + 1));
                (p, n) = (behind, reach + 1);
            }
            _ => return false,
        }
    }
}

/// Adds the paths that match a pattern.
pub(super) fn matching(pattern: &[u8], found: &mut Vec<Vec<u8>>) {
    let root: &[u8] = if pattern.starts_with(b"/") { b"/" } else { b"" };
    let mut paths = vec![root.to_vec()];
    for step in pattern.split(|b| *b == b'/').filter(|step| !step.is_empty()) {
        let parts = parts(&characters(step));
        let name: Option<Vec<u8>> = match step.iter().any(|b| b"*?[\\".contains(b)) {
            true => None,
            false => Some(step.to_vec()),
        };
        let mut next = Vec::new();
        for path in paths {
            let names = match &name {
                Some(name) => vec![name.clone()],
                None => entries(&path).filter(|name| is_match(&parts, &characters(name))).collect(),
            };
            let start = if path.is_empty() || path.ends_with(b"/") {
                path
            } else {
                [path, b"/".to_vec()].concat()
            };
            next.extend(names.iter().map(|name| [&start[..], name].concat()));
        }
        next.retain(|path| fs::symlink_metadata(path_of(path)).is_ok());
        paths = next;
    }
    paths.retain(|path| !path.is_empty());
    found.append(&mut paths);
}

/// The names in a folder that can be read.
fn entries(folder: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let folder = if folder.is_empty() { b"." } else { folder };
    let entries = fs::read_dir(path_of(folder)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().into_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of TensorFlow.
    #[test]
    fn names_match_patterns() {
        let matches = |pattern: &str, name: &[u8]| {
            is_match(&parts(&characters(pattern.as_bytes())), &characters(name))
        };
        for (pattern, names, others) in [
            ("*", &["", "a", ".h"][..], &[][..]),
            ("*.txt", &[".txt", "a.txt", "a.txt.txt"], &["a.txt.", "txt"]),
            ("?.txt", &["a.txt", "é.txt"], &[".txt", "ab.txt"]),
            ("[ab]x", &["ax", "bx"], &["cx", "x"]),
            ("[a-c]", &["b"], &["d", "-"]),
            ("[a-]", &["a", "-"], &["b"]),
            ("[!a]", &["b", "!"], &["a", ""]),
            ("[^a]", &["b"], &["a"]),
            ("[]a]", &["]", "a"], &["b"]),
            ("c[[]1]", &["c[1]"], &["c1"]),
            (r"c\[1\]", &["c[1]"], &["c1"]),
            ("[ab", &["[ab"], &["a"]),
            ("{a,b}", &["{a,b}"], &["a"]),
            ("a*b*c", &["abc", "aXbXbXc"], &["acb", "ab"]),
        ] {
            assert!(names.iter().all(|name| matches(pattern, name.as_bytes())), "{pattern}");
            assert!(!others.iter().any(|name| matches(pattern, name.as_bytes())), "{pattern}");
        }
        assert!(matches("?", b"\xff") && !matches("?", b"\xff\xfe"));
        // Not exponential.
        assert!(!matches(&"*a".repeat(50), "a".repeat(49).as_bytes()));
    }
}
