//! Regular expressions of RE2 in the syntax of the crate `regex`.
//!
//! The two differ in small ways: classes such as `\d` are of ASCII, a brace that counts nothing is a character, classes
//! have no operators, and some words are known to one of them only.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// The most times that an expression may repeat.
const MOST_TIMES: u32 = 1000;

/// The pattern for the crate, or why RE2 refuses it.
pub(super) fn translated(pattern: &str) -> Result<String, String> {
    let mut t =
        Translation { rest: pattern.chars().peekable(), out: String::new(), last: Last::None };
    while t.rest.peek().is_some() {
        t.step()?;
    }
    Ok(t.out)
}

/// What stands before a place.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// Nothing that can be repeated.
    None,
    Item,
    Repeated,
}

struct Translation<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    last: Last,
}

impl Translation<'_> {
    fn step(&mut self) -> Result<(), String> {
        let Some(c) = self.rest.next() else { return Ok(()) };
        match c {
            '(' => return self.group(),
            ')' => self.item(")"),
            '|' => {
                self.out.push('|');
                self.last = Last::None;
            }
            '*' | '+' | '?' => return self.repeated(&c.to_string()),
            '{' => match self.times() {
                Some(times) => return self.repeated(&times?),
                None => self.literal('{'),
            },
            '[' => {
                let class = self.class()?;
                self.item(&class);
            }
            '.' | '^' | '$' => self.item(&c.to_string()),
            '\\' => return self.escape(),
            c => self.literal(c),
        }
        Ok(())
    }

    fn item(&mut self, text: &str) {
        self.out.push_str(text);
        self.last = Last::Item;
    }

    fn literal(&mut self, c: char) {
        let text = regex::escape(c.encode_utf8(&mut [0; 4]));
        self.item(&text);
    }

    fn repeated(&mut self, how: &str) -> Result<(), String> {
        match self.last {
            Last::None => return Err(format!("nothing stands before `{how}`")),
            Last::Repeated => return Err(format!("`{how}` stands behind another repetition")),
            Last::Item => {}
        }
        self.out.push_str(how);
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
        self.last = Last::Repeated;
        Ok(())
    }

    /// The rest of `{n}`, `{n,}` or `{n,m}`; `None` if the brace begins no such thing.
    fn times(&mut self) -> Option<Result<String, String>> {
        let mut ahead = self.rest.clone();
        let mut text = String::from("{");
        loop {
            let c = ahead.next().filter(|c| matches!(c, '0'..='9' | ',' | '}'))?;
            text.push(c);
            if c == '}' {
                break;
            }
        }
        let (least, most) = match text[1..text.len() - 1].split_once(',') {
            Some((least, most)) => (least, Some(most)),
            None => (&text[1..text.len() - 1], None),
        };
        if least.is_empty() || most.is_some_and(|m| m.contains(',')) {
            return None;
        }
        self.rest = ahead;
        let number = |n: &str| n.parse::<u32>().ok().filter(|n| *n <= MOST_TIMES);
        let fits = number(least).is_some_and(|least| match most {
            None | Some("") => true,
            Some(most) => number(most).is_some_and(|most| least <= most),
        });
        Some(if fits { Ok(text) } else { Err(format!("`{text}` repeats too often")) })
    }

    /// The begin of a group, behind its parenthesis.
    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        self.last = Last::None;
        if self.rest.next_if_eq(&'?').is_none() {
            return Ok(());
        }
        self.out.push('?');
        if self.rest.next_if_eq(&'P').is_some() {
            if self.rest.next_if_eq(&'<').is_none() {
                return Err("`(?P` begins a name, `(?P<name>…)`".into());
            }
            self.out.push_str("P<");
            for c in self.rest.by_ref() {
                self.out.push(c);
                if c == '>' {
                    break;
                }
            }
            return Ok(());
        }
        loop {
            match self.rest.next() {
                Some(c @ ('i' | 'm' | 's' | 'U' | '-')) => self.out.push(c),
                Some(':') => {
                    self.out.push(':');
                    return Ok(());
                }
                Some(')') => {
                    self.out.push(')');
                    return Ok(());
                }
                Some(c) => return Err(format!("`(?{c}` is no group")),
                None => return Err("a parenthesis is not closed".into()),
            }
        }
    }

    /// What a backslash begins, outside of classes.
    fn escape(&mut self) -> Result<(), String> {
        match self.rest.peek().copied() {
            Some('Q') => {
                self.rest.next();
                while let Some(c) = self.rest.next() {
                    if c == '\\' && self.rest.next_if_eq(&'E').is_some() {
                        return Ok(());
                    }
                    self.literal(c);
                }
            }
            Some(c @ ('A' | 'z')) => {
                self.rest.next();
                self.item(&format!("\\{c}"));
            }
            Some(c @ ('b' | 'B')) => {
                self.rest.next();
                self.item(&format!(r"(?-u:\{c})"));
            }
            Some('C') => {
                self.rest.next();
                self.item("(?s-u:.)");
            }
            _ => match self.escaped_class()? {
                Some(class) => self.item(&format!("[{class}]")),
                None => {
                    let c = self.escaped_character()?;
                    self.literal(c);
                }
            },
        }
        Ok(())
    }

    /// A class that a backslash begins, in the form that it has in brackets.
    fn escaped_class(&mut self) -> Result<Option<String>, String> {
        let class = match self.rest.peek() {
            Some('d') => "0-9",
            Some('D') => "[^0-9]",
            Some('s') => r"\t\n\f\r\x20",
            Some('S') => r"[^\t\n\f\r\x20]",
            Some('w') => "0-9A-Za-z_",
            Some('W') => "[^0-9A-Za-z_]",
            Some('p' | 'P') => return self.property().map(Some),
            _ => return Ok(None),
        };
        self.rest.next();
        Ok(Some(class.to_owned()))
    }

    /// `p{Greek}`, `PL`, `p{^Lu}`
    fn property(&mut self) -> Result<String, String> {
        let mut negated = self.rest.next() == Some('P');
        let mut name = String::new();
        match self.rest.next() {
            Some('{') => {
                negated ^= self.rest.next_if_eq(&'^').is_some();
                loop {
                    match self.rest.next() {
                        Some('}') => break,
                        Some(c) if c.is_ascii_alphanumeric() || c == '_' => name.push(c),
                        _ => return Err("the name of a property ends with `}`".into()),
                    }
                }
            }
            Some(c) if c.is_ascii_alphabetic() => name.push(c),
            _ => return Err("the name of a property is missing".into()),
        }
        Ok(format!("\\{}{{{name}}}", if negated { 'P' } else { 'p' }))
    }

    /// A character that a backslash begins.
    fn escaped_character(&mut self) -> Result<char, String> {
        let code = |n: u32| char::from_u32(n).ok_or_else(|| format!("U+{n:X} is no character"));
        let Some(c) = self.rest.next() else { return Err("it ends with a backslash".into()) };
        let is_octal = |c: &char| ('0'..='7').contains(c);
        Ok(match c {
            'a' => '\x07',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '0'..='7' => {
                let mut n = c as u32 - '0' as u32;
                // A digit alone would be a group that stood before.
                if c != '0' && !self.rest.peek().is_some_and(is_octal) {
                    return Err(format!("`\\{c}`: there are no references to groups"));
                }
                for _ in 0..2 {
                    let Some(digit) = self.rest.next_if(is_octal) else { break };
                    n = n * 8 + (digit as u32 - '0' as u32);
                }
                code(n)?
            }
            'x' => {
                let mut text = String::new();
                if self.rest.next_if_eq(&'{').is_some() {
                    while let Some(c) = self.rest.next_if(|c| *c != '}') {
                        text.push(c);
                    }
                    self.rest.next().ok_or("`\\x{` ends with `}`")?;
                } else {
                    text.extend(self.rest.by_ref().take(2));
                    if text.len() != 2 {
                        return Err("two digits stand behind `\\x`".into());
                    }
                }
                let is_hex = text.chars().all(|c| c.is_ascii_hexdigit());
                let n = u32::from_str_radix(&text, 16).ok().filter(|_| is_hex);
                code(n.ok_or_else(|| format!("`\\x{text}` is no number"))?)?
            }
            c if c.is_ascii_punctuation() && c != '_' || c.is_ascii_control() || c == ' ' => c,
            c => return Err(format!("`\\{c}` has no meaning")),
        })
    }

    /// The rest of a class, behind its bracket.
    fn class(&mut self) -> Result<String, String> {
        let mut class = String::from("[");
        if self.rest.next_if_eq(&'^').is_some() {
            class.push('^');
        }
        let mut first = true;
        loop {
            match self.rest.peek().copied() {
                None => return Err("a bracket is not closed".into()),
                Some(']') if !first => {
                    self.rest.next();
                    class.push(']');
                    return Ok(class);
                }
                _ => {}
            }
            first = false;
            if let Some(named) = self.named_class()? {
                class.push_str(&named);
                continue;
            }
            let mut ahead = self.rest.clone();
            if ahead.next() == Some('\\') {
                std::mem::swap(&mut self.rest, &mut ahead);
                if let Some(escaped) = self.escaped_class()? {
                    class.push_str(&escaped);
                    continue;
                }
                std::mem::swap(&mut self.rest, &mut ahead);
            }
            let low = self.class_character()?;
            let mut ahead = self.rest.clone();
            let ranges = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
            let high = if ranges {
                self.rest.next();
                self.class_character()?
            } else {
                low
            };
            if high < low {
                return Err(format!("the range `{low}-{high}` descends"));
            }
            // Writing to a string can't fail.
            let _ = write!(class, "\\x{{{:X}}}-\\x{{{:X}}}", u32::from(low), u32::from(high));
        }
    }

    /// `[:alpha:]`, `[:^digit:]`
    fn named_class(&mut self) -> Result<Option<String>, String> {
        const NAMES: [&str; 14] = [
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print",
            "punct", "space", "upper", "word", "xdigit",
        ];
        // No class has a longer name.
        const LONGEST: usize = 32;
        let mut ahead = self.rest.clone();
        if (ahead.next(), ahead.next()) != (Some('['), Some(':')) {
            return Ok(None);
        }
        let text: String = self.rest.clone().take(LONGEST).collect();
        let Some((name, _)) = text.strip_prefix("[:").and_then(|text| text.split_once(":]")) else {
            return Ok(None);
        };
        if !NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
            return Err(format!("no class is named `[:{name}:]`"));
        }
        self.rest.by_ref().take(name.chars().count() + 4).for_each(drop);
        Ok(Some(format!("[:{name}:]")))
    }

    fn class_character(&mut self) -> Result<char, String> {
        match self.rest.next() {
            Some('\\') => self.escaped_character(),
            Some(c) => Ok(c),
            None => Err("a bracket is not closed".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn patterns_are_those_of_the_crate() {
        for (re2, want) in [
            (r"\d+", "[0-9]+"),
            (r"[\d\s]", r"[0-9\t\n\f\r\x20]"),
            (r"a{2,}?b{,3}c{x", r"a{2,}?b\{,3\}c\{x"),
            (r"\Qa.b\E*", r"a\.b*"),
            (r"[]a-]", r"[\x{5D}-\x{5D}\x{61}-\x{61}\x{2D}-\x{2D}]"),
            (
                r"[a[b&&c]",
                r"[\x{61}-\x{61}\x{5B}-\x{5B}\x{62}-\x{62}\x{26}-\x{26}\x{26}-\x{26}\x{63}-\x{63}]",
            ),
            (r"\012\0", "\n\0"),
            (r"\p{^Lu}\PN", r"[\P{Lu}][\P{N}]"),
            (r"[[:^alpha:]]", "[[:^alpha:]]"),
        ] {
            assert_eq!(translated(re2).as_deref(), Ok(want), "{re2}");
        }
    }

    #[test]
    fn what_re2_refuses_is_refused() {
        for bad in [
            "a**",
            "*a",
            "a|*",
            "(*)",
            "a{1001}",
            "a{3,2}",
            "(?<x>a)",
            "(?=a)",
            "(?x)a",
            r"\1",
            r"\8",
            r"\y",
            "\\",
            "[a",
            "[[:nope:]]",
            "[z-a]",
            r"[a-\d]",
            r"\xg0",
            r"\x{",
            r"\E",
        ] {
            assert!(translated(bad).is_err(), "{bad}");
        }
    }
}
