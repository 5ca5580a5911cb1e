//! The text form of messages.

use std::collections::HashMap;
use std::fmt::{Display, Write as _};
use std::path::Path;
use std::sync::LazyLock;

use super::{
    CheckpointState, Example, FingerprintDef, FunctionDef, GraphDef, Message, MetaGraphDef,
    NodeDef, OpDef, OpList, SavedModel, SavedObjectGraph, SequenceExample, StructuredValue,
    TensorProto, TrackableObjectGraph, decode, read_bytes,
};
use crate::error::shown;
use crate::text::{self, Fields, Value};
use crate::{Error, ErrorKind, Result, varint};

/// A message that has a text form.
pub trait TextMessage: Message + Default {
    /// TensorFlow's name of the message.
    const NAME: &str;
}

macro_rules! text_messages {
    ($($message:ident)*) => {
        $(impl TextMessage for $message {
            const NAME: &str = stringify!($message);
        })*
    };
}

text_messages! {
    CheckpointState Example FingerprintDef FunctionDef GraphDef MetaGraphDef NodeDef OpDef OpList SavedModel
    SavedObjectGraph SequenceExample StructuredValue TensorProto TrackableObjectGraph
}

/// The message that a text says. Errors call the text `name`, such as "the file x.pbtxt".
///
/// # Errors
/// `DataLoss` for what is no such message, with the line.
///
/// ```
/// use extype_formats::proto::{GraphDef, from_text, to_text};
/// let text = "node {\n  name: \"x\"\n  op: \"NoOp\"\n}\n";
/// let graph: GraphDef = from_text(text.as_bytes(), "the text")?;
/// assert_eq!(graph.node[0].op, "NoOp");
/// assert_eq!(to_text(&graph), text);
/// let error = from_text::<GraphDef>(b"node {\n  names: \"x\"\n}", "the text").unwrap_err();
/// assert_eq!(error.to_string(), "the text: line 2: NodeDef has no field `names`");
/// # Ok::<(), extype_formats::Error>(())
/// ```
pub fn from_text<M: TextMessage>(text: &[u8], name: impl Display) -> Result<M> {
    let wrong = |message: String| Error::new(ErrorKind::DataLoss, format!("{name}: {message}"));
    let fields = text::parse(text).map_err(wrong)?;
    decode(&encoded(M::NAME, fields).map_err(wrong)?, &name)
}

/// The message that a file `.pbtxt` says, if the file has at most `limit` bytes. See [`from_text`].
///
/// # Errors
/// Those of [`from_text`]; `NotFound` if there is no such file, `ResourceExhausted` if it is larger.
pub fn read_text<M: TextMessage>(path: impl AsRef<Path>, limit: u64) -> Result<M> {
    from_text(&read_bytes(path.as_ref(), limit)?, shown(path.as_ref()))
}

/// The text form of a message, as TensorFlow writes it to files `.pbtxt`.
pub fn to_text<M: TextMessage>(message: &M) -> String {
    let mut text = String::new();
    print(M::NAME, &message.encode_to_vec(), "", &mut text);
    text
}

/// The fields of all messages, and the cases of all enums.
struct Schema {
    messages: HashMap<&'static str, Vec<Member>>,
    enums: HashMap<&'static str, Vec<(&'static str, i32)>>,
}

struct Member {
    name: &'static str,
    number: u32,
    list: bool,
    of: &'static str,
}

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let (mut messages, mut enums) = (HashMap::new(), HashMap::new());
    for line in include_str!("schema.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        let pairs = words.filter_map(|word| word.split_once('='));
        if name == "enum" {
            let name = line.split(' ').nth(1).unwrap_or_default();
            let case = |(name, number): (&'static str, &str)| Some((name, number.parse().ok()?));
            enums.insert(name, pairs.filter_map(case).collect());
        } else {
            let field = |(name, field): (&'static str, &'static str)| {
                let (number, of) = field.split_once(':')?;
                let list = of.starts_with('*');
                let of = of.trim_start_matches('*');
                Some(Member { name, number: number.parse().ok()?, list, of })
            };
            messages.insert(name, pairs.filter_map(field).collect());
        }
    }
    Schema { messages, enums }
});

impl Schema {
    fn fields(&self, message: &str) -> &[Member] {
        self.messages.get(message).map_or(&[], Vec::as_slice)
    }
}

/// The kinds of a field on the wire.
const VARINT: u64 = 0;
const EIGHT: u64 = 1;
const BYTES: u64 = 2;
const FOUR: u64 = 5;

fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// The bytes of a message.
fn encoded(message: &str, fields: Fields) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut given = Vec::new();
    for field in fields {
        let (name, line) = (field.name, field.line);
        let known = SCHEMA.fields(message).iter().find(|known| known.name == name);
        let known = known.ok_or_else(|| format!("line {line}: {message} has no field `{name}`"))?;
        if !known.list && given.contains(&known.number) {
            return Err(format!("line {line}: `{name}` stands twice"));
        }
        given.push(known.number);
        let (wire, value) = match field.value {
            Value::Message(fields) if SCHEMA.messages.contains_key(known.of) => {
                (BYTES, encoded(known.of, fields)?)
            }
            Value::Text(text) if matches!(known.of, "string" | "bytes") => (BYTES, text),
            Value::Word(word) => word_encoded(known.of, &word).ok_or_else(|| {
                format!("line {line}: `{name}` is {}, and can't be `{word}`", known.of)
            })?,
            _ => return Err(format!("line {line}: `{name}` is {}", known.of)),
        };
        varint::put(u64::from(known.number) << 3 | wire, &mut bytes);
        if wire == BYTES {
            varint::put(value.len() as u64, &mut bytes);
        }
        bytes.extend(value);
    }
    Ok(bytes)
}

/// A number, a truth value or a case of an enum.
fn word_encoded(of: &str, word: &str) -> Option<(u64, Vec<u8>)> {
    let float = || {
        let lower = word.to_ascii_lowercase();
        let digits = lower.strip_suffix('f').filter(|rest| !rest.ends_with("in"));
        digits.unwrap_or(&lower).parse::<f64>().ok()
    };
    let number = match of {
        "double" => return Some((EIGHT, float()?.to_le_bytes().into())),
        // Rounded once, from the digits.
        "float" => {
            let float = word.parse().map_or_else(|_| float().map(|float| float as f32), Some);
            return Some((FOUR, float?.to_le_bytes().into()));
        }
        "bool" => match word {
            "true" | "True" | "t" | "1" => 1,
            "false" | "False" | "f" | "0" => 0,
            _ => return None,
        },
        "int32" => i64::from(i32::try_from(integer(word)?).ok()?) as u64,
        "int64" => i64::try_from(integer(word)?).ok()? as u64,
        "sint64" => zigzag(integer(word)?.try_into().ok()?),
        "uint32" => u32::try_from(integer(word)?).ok()?.into(),
        "uint64" => integer(word)?.try_into().ok()?,
        "fixed32" => return Some((FOUR, u32::try_from(integer(word)?).ok()?.to_le_bytes().into())),
        "fixed64" => {
            return Some((EIGHT, u64::try_from(integer(word)?).ok()?.to_le_bytes().into()));
        }
        _ => {
            let case = SCHEMA.enums.get(of)?.iter().find(|(name, _)| *name == word);
            let number = case.map(|(_, number)| *number);
            i64::from(number.or_else(|| integer(word)?.try_into().ok())?) as u64
        }
    };
    let mut bytes = Vec::new();
    varint::put(number, &mut bytes);
    Some((VARINT, bytes))
}

/// An integer: decimal, `0x1f` or `017`.
fn integer(word: &str) -> Option<i128> {
    let (minus, digits) = word.strip_prefix('-').map_or((false, word), |digits| (true, digits));
    let lower = digits.to_ascii_lowercase();
    let number = if let Some(hexadecimal) = lower.strip_prefix("0x") {
        u64::from_str_radix(hexadecimal, 16)
    } else if lower.len() > 1 && lower.starts_with('0') {
        u64::from_str_radix(&lower, 8)
    } else {
        lower.parse()
    };
    let number = i128::from(number.ok()?);
    Some(if minus { -number } else { number })
}

/// Prints a message that was encoded here: what it can't be is left out.
fn print(message: &str, bytes: &[u8], indent: &str, to: &mut String) {
    let mut from = bytes;
    let mut values = Vec::new();
    while let Some(value) = take(&mut from) {
        values.push(value);
    }
    // Entries of maps say messages that are empty, too.
    for field in SCHEMA.fields(message).iter().filter(|_| message.ends_with("Entry")) {
        let there = values.iter().any(|(number, _)| *number == field.number);
        if !there && SCHEMA.messages.contains_key(field.of) {
            values.push((field.number, &[]));
        }
    }
    // Cases of a `oneof` may stand before fields with lower numbers.
    values.sort_by_key(|(number, ..)| *number);
    for (number, mut value) in values {
        let known = SCHEMA.fields(message).iter().find(|known| known.number == number);
        let Some(Member { name, of, .. }) = known else { continue };
        if SCHEMA.messages.contains_key(of) {
            let _ = writeln!(to, "{indent}{name} {{");
            print(of, value, &format!("{indent}  "), to);
            let _ = writeln!(to, "{indent}}}");
        } else if matches!(*of, "string" | "bytes") {
            let _ = writeln!(to, "{indent}{name}: {}", text::quoted(value));
        } else {
            // A number, or those of a list.
            while let Some(word) = word(of, &mut value) {
                let _ = writeln!(to, "{indent}{name}: {word}");
            }
        }
    }
}

/// Takes a field from the front: its number and its value.
fn take<'a>(from: &mut &'a [u8]) -> Option<(u32, &'a [u8])> {
    let tag = varint::take(from)?;
    let (wire, before) = (tag & 7, *from);
    let len = match wire {
        VARINT => {
            varint::take(from)?;
            before.len() - from.len()
        }
        EIGHT => 8,
        FOUR => 4,
        BYTES => varint::take(from)?.try_into().ok()?,
        _ => return None,
    };
    let start = if wire == VARINT { before } else { *from };
    let (value, rest) = start.split_at_checked(len)?;
    *from = rest;
    Some(((tag >> 3).try_into().ok()?, value))
}

/// Takes a number from the front, and says it.
fn word(of: &str, from: &mut &[u8]) -> Option<String> {
    fn bytes<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
        let (bytes, rest) = from.split_first_chunk::<N>()?;
        *from = rest;
        Some(*bytes)
    }
    // Numbers have the fewest digits that are read as the same number.
    Some(match of {
        "double" => format!("{:?}", f64::from_le_bytes(bytes(from)?)),
        "float" => format!("{:?}", f32::from_le_bytes(bytes(from)?)),
        "fixed32" => u32::from_le_bytes(bytes(from)?).to_string(),
        "fixed64" => u64::from_le_bytes(bytes(from)?).to_string(),
        _ => {
            let number = varint::take(from)?;
            match of {
                "bool" => (number != 0).to_string(),
                "int32" | "int64" => (number as i64).to_string(),
                "sint64" => ((number >> 1) as i64 ^ -((number & 1) as i64)).to_string(),
                "uint32" | "uint64" => number.to_string(),
                _ => {
                    let cases = SCHEMA.enums.get(of)?;
                    let case = cases.iter().find(|(_, case)| *case == number as i32);
                    case.map_or_else(|| (number as i32).to_string(), |(name, _)| (*name).into())
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_whole() {
        let scalars = [
            "bool", "bytes", "double", "fixed32", "fixed64", "float", "int32", "int64", "sint64",
            "string", "uint32", "uint64",
        ];
        let fields = SCHEMA.messages.values().flatten();
        let known = |of: &str| {
            scalars.contains(&of)
                || SCHEMA.messages.contains_key(of)
                || SCHEMA.enums.contains_key(of)
        };
        let unknown: Vec<_> = fields.filter(|field| !known(field.of)).map(|f| f.of).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(SCHEMA.messages.len() > 80 && SCHEMA.enums.len() == 7);
        for name in [SavedModel::NAME, GraphDef::NAME, CheckpointState::NAME, Example::NAME] {
            assert!(SCHEMA.messages.contains_key(name), "{name}");
        }
    }
}
