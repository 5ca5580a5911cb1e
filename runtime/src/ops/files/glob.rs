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
    /// `[a-z]`, `[!a-z]`, `[[:digit:]]`
    In {
        members: Vec<Member>,
        is_not: bool,
    },
    /// `\` at the end.
    Nothing,
}

/// What stands between brackets.
enum Member {
    Range(u32, u32),
    Class(fn(char) -> bool),
    /// The name of no class: what comes to it does not match.
    Unknown,
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
            Part::Any | Part::Nothing => false,
            Part::One => true,
            Part::Is(own) => *own == c,
            Part::In { members, is_not } => {
                for member in members {
                    let is_in = match member {
                        Member::Range(low, high) => (*low..=*high).contains(&c),
                        Member::Class(is_in) => char::from_u32(c).is_some_and(is_in),
                        Member::Unknown => return false,
                    };
                    if is_in {
                        return !is_not;
                    }
                }
                *is_not
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
            QUOTE => match more {
                [next, behind @ ..] => {
                    rest = behind;
                    Part::Is(*next)
                }
                [] => Part::Nothing,
            },
            c => Part::Is(c),
        });
    }
    all
}

/// What stands behind `[`, and the rest of the pattern. `None` if it does not end.
fn class(pattern: &[u32]) -> Option<(Part, &[u32])> {
    let is_not = pattern.first().is_some_and(|c| [code('!'), code('^')].contains(c));
    let (mut members, mut rest) = (Vec::new(), &pattern[usize::from(is_not)..]);
    loop {
        if rest.first()? == &code(']') && !members.is_empty() {
            return Some((Part::In { members, is_not }, &rest[1..]));
        }
        if let Some((name, more)) = named(rest, ':') {
            members.push(class_of(name).map_or(Member::Unknown, Member::Class));
            rest = more;
            continue;
        }
        if let Some((name, more)) = named(rest, '=') {
            members.push(match name {
                [one] => Member::Range(*one, *one),
                _ => Member::Unknown,
            });
            rest = more;
            continue;
        }
        let (low, more) = character(rest)?;
        let (high, more) = match more {
            [dash, end, ..] if *dash == code('-') && *end != code(']') => character(&more[1..])?,
            _ => (low, more),
        };
        let range = low.zip(high).map_or(Member::Unknown, |(low, high)| Member::Range(low, high));
        members.push(range);
        rest = more;
    }
}

/// A character between brackets, as it is, behind `\` or as `[.a.]`, and what follows. No character if it is the name of
/// none.
fn character(pattern: &[u32]) -> Option<(Option<u32>, &[u32])> {
    if let Some((name, more)) = named(pattern, '.') {
        return Some((if let [one] = name { Some(*one) } else { None }, more));
    }
    let (first, more) = pattern.split_first()?;
    let (c, more) = if *first == code('\\') { more.split_first()? } else { (first, more) };
    Some((Some(*c), more))
}

/// The name in `[:name:]`, or between other marks, and what follows.
fn named(pattern: &[u32], mark: char) -> Option<(&[u32], &[u32])> {
    let name = pattern.strip_prefix(&[code('['), code(mark)])?;
    let end = name.windows(2).position(|pair| pair == [code(mark), code(']')])?;
    Some((&name[..end], &name[end + 2..]))
}

fn class_of(name: &[u32]) -> Option<fn(char) -> bool> {
    let name: String = name.iter().filter_map(|c| char::from_u32(*c)).collect();
    Some(match &name[..] {
        "alnum" => |c| c.is_alphanumeric(),
        "alpha" => |c| c.is_alphabetic(),
        "blank" => |c| matches!(c, ' ' | '\t'),
        "cntrl" => |c| c.is_control(),
        "digit" => |c| c.is_ascii_digit(),
        "graph" => |c| !c.is_control() && !c.is_whitespace(),
        "lower" => |c| c.is_lowercase(),
        "print" => |c| !c.is_control(),
        "punct" => |c| !c.is_control() && !c.is_whitespace() && !c.is_alphanumeric(),
        "space" => |c| c.is_whitespace(),
        "upper" => |c| c.is_uppercase(),
        "xdigit" => |c| c.is_ascii_hexdigit(),
        _ => return None,
    })
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
    let Some(first) = pattern.iter().position(|b| b"*?[\\".contains(b)) else {
        if !pattern.is_empty() && path_of(pattern).exists() {
            found.push(pattern.to_vec());
        }
        return;
    };
    // The folders before the first part that is a pattern stand for themselves.
    let start = pattern[..first].iter().rposition(|b| *b == b'/').map(|slash| slash + 1);
    let (folder, rest) = pattern.split_at(start.unwrap_or(0));
    if folder.ends_with(b"//") {
        return;
    }
    let mut paths = vec![if start.is_some() { folder.to_vec() } else { b"./".to_vec() }];
    let rest = rest.strip_suffix(b"/").unwrap_or(rest);
    for (i, step) in rest.split(|b| *b == b'/').enumerate() {
        let (parts, mut next) = (parts(&characters(step)), Vec::new());
        for mut path in paths {
            if i > 0 {
                path.push(b'/');
            }
            let names = entries(&path).filter(|name| is_match(&parts, &characters(name)));
            next.extend(names.map(|name| [&path[..], &name].concat()));
        }
        paths = next;
    }
    found.append(&mut paths);
}

/// The names in a folder that can be read.
fn entries(folder: &[u8]) -> impl Iterator<Item = Vec<u8>> {
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
            ("[!]a]", &["b"], &["]", "a"]),
            ("c[[]1]", &["c[1]"], &["c1"]),
            ("[[:digit:]]*", &["5", "5x"], &["x", ":"]),
            ("[![:digit:]_]", &["x", "é"], &["5", "_"]),
            ("[[:alpha:][:punct:]]", &["é", "€", "_"], &["5", " "]),
            ("[a[:nope:]b]", &["a"], &["b", ":"]),
            ("[![:nope:]]", &[], &["a"]),
            ("[[:digit:]", &["[d", "[:"], &["5"]),
            ("[[:digit:]-z]", &["5", "-", "z"], &["y"]),
            ("[[.a.]-c]", &["b"], &["d", "."]),
            ("[[=a=]b]", &["a", "b"], &["="]),
            ("[[.ab.]]", &[], &["a"]),
            (r"[a-\c]", &["b"], &[r"\"]),
            (r"[\]a]", &["]", "a"], &[r"\"]),
            (r"a\", &[], &[r"a\", "a"]),
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
