//! The text form of messages.

/// The most messages inside each other.
const DEPTH: usize = 100;

/// A message: fields in their order, and a repeated one several times.
pub(crate) type Fields = Vec<Field>;

/// A field, and the line of its name.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) value: Value,
    pub(crate) line: usize,
}

/// The value of a field.
#[derive(Debug)]
pub(crate) enum Value {
    /// A number, or the name of a case.
    Word(String),
    /// A string or bytes.
    Text(Vec<u8>),
    /// A message.
    Message(Fields),
}

/// Bytes as a string in quotes.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'"' | b'\'' | b'\\' => text.extend(['\\', *byte as char]),
            b' '..=b'~' => text.push(*byte as char),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

/// The fields of a message. The error says where what is wrong.
pub(crate) fn parse(text: &[u8]) -> Result<Fields, String> {
    let mut parser = Parser { text, at: 0, counted: (0, 1) };
    let fields = parser.fields(DEPTH)?;
    match parser.peek() {
        None => Ok(fields),
        Some(_) => Err(parser.wrong("a field was expected")),
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    /// A place, and its line.
    counted: (usize, usize),
}

impl Parser<'_> {
    /// The next character that is no space, and in no comment.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.get(self.at)? {
                b'#' => {
                    let line = &self.text[self.at..];
                    self.at += line.iter().position(|c| *c == b'\n').unwrap_or(line.len());
                }
                c if c.is_ascii_whitespace() || *c == 0x0b => self.at += 1,
                c => return Some(*c),
            }
        }
    }

    fn take(&mut self, c: u8) -> bool {
        let there = self.peek() == Some(c);
        self.at += usize::from(there);
        there
    }

    fn fields(&mut self, depth: usize) -> Result<Fields, String> {
        let mut fields = Fields::new();
        while self.peek().is_some_and(|c| c.is_ascii_alphabetic() || c == b'_') {
            let (name, line) = (self.word(), self.line());
            let colon = self.take(b':');
            if colon && self.take(b'[') {
                while !self.take(b']') {
                    let value = self.value(depth)?;
                    fields.push(Field { name: name.clone(), value, line });
                    if !self.take(b',') && self.peek() != Some(b']') {
                        return Err(self.wrong("`,` or `]` was expected"));
                    }
                }
            } else {
                let value = self.value(depth)?;
                if !colon && !matches!(value, Value::Message(_)) {
                    return Err(self.wrong(&format!("a `:` is missing behind `{name}`")));
                }
                fields.push(Field { name, value, line });
            }
            let _ = self.take(b',') || self.take(b';');
        }
        Ok(fields)
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        let begin = self.peek();
        match begin {
            Some(b'"' | b'\'') => {
                let mut bytes = Vec::new();
                // Strings beside each other are one.
                while let Some(quote @ (b'"' | b'\'')) = self.peek() {
                    self.string(quote, &mut bytes)?;
                }
                Ok(Value::Text(bytes))
            }
            Some(open @ (b'{' | b'<')) => {
                self.at += 1;
                let Some(depth) = depth.checked_sub(1) else {
                    return Err(self.wrong(&format!("messages are nested more than {DEPTH} deep")));
                };
                let fields = self.fields(depth)?;
                let close = if open == b'{' { b'}' } else { b'>' };
                if !self.take(close) {
                    return Err(self.wrong(&format!("a field or `{}` was expected", close as char)));
                }
                Ok(Value::Message(fields))
            }
            _ => {
                let minus = self.take(b'-');
                self.peek();
                let word = self.word();
                if word.is_empty() {
                    return Err(self.wrong("a value was expected"));
                }
                Ok(Value::Word(if minus { format!("-{word}") } else { word }))
            }
        }
    }

    /// A name or a number without its sign.
    fn word(&mut self) -> String {
        let begin = self.at;
        while let Some(c) = self.text.get(self.at) {
            let exponent = matches!(c, b'+' | b'-')
                && self.text[begin].is_ascii_digit()
                && matches!(self.text[self.at - 1], b'e' | b'E');
            if !(c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.') || exponent) {
                break;
            }
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[begin..self.at]).into_owned()
    }

    fn string(&mut self, quote: u8, to: &mut Vec<u8>) -> Result<(), String> {
        self.at += 1;
        loop {
            let byte = self.text.get(self.at).copied().filter(|c| *c != b'\n');
            let Some(byte) = byte else { return Err(self.wrong("a string has no end")) };
            self.at += 1;
            if byte == quote {
                return Ok(());
            }
            if byte != b'\\' {
                to.push(byte);
                continue;
            }
            let Some(escape) = self.text.get(self.at).copied() else { continue };
            self.at += 1;
            to.push(match escape {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'v' => 11,
                b'\\' | b'\'' | b'"' | b'?' => escape,
                b'0'..=b'7' => {
                    self.at -= 1;
                    match self.digits(8, 3) {
                        Some(byte) => byte,
                        None => return Err(self.wrong("a byte is above 255")),
                    }
                }
                b'x' | b'X' => match self.digits(16, 2) {
                    Some(byte) => byte,
                    None => return Err(self.wrong("no byte follows")),
                },
                _ => return Err(self.wrong("an unknown character follows `\\`")),
            });
        }
    }

    fn digits(&mut self, radix: u32, most: usize) -> Option<u8> {
        let rest = &self.text[self.at..];
        let len = rest.iter().take(most).take_while(|c| char::from(**c).is_digit(radix)).count();
        self.at += len;
        u8::from_str_radix(std::str::from_utf8(&rest[..len]).ok()?, radix).ok()
    }

    fn line(&mut self) -> usize {
        let at = self.at.min(self.text.len());
        let lines = self.text[self.counted.0..at].iter().filter(|c| **c == b'\n').count();
        self.counted = (at, self.counted.1 + lines);
        self.counted.1
    }

    #[cold]
    fn wrong(&mut self, what: &str) -> String {
        format!("line {}: {what}", self.line())
    }
}
