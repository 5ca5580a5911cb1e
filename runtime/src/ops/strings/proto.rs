//! Kernels that write tensors as bytes and read them: the message `TensorProto` of protocol buffers.

use crate::array::{Array, Dims, copy_of, num_elements, reserve, vec_for};
use crate::ir::{KernelContext, Outputs};
use crate::ops::ParseTensor;
use crate::ops::strings::kernel::scalar;
use crate::types::{DType, DTypeSet, Result, bail, err};

/// The numbers of the fields that all tensors have.
const DTYPE: u64 = 1;
const SHAPE: u64 = 2;
const CONTENT: u64 = 4;
const STRINGS: u64 = 8;

/// How the numbers of a field are written.
#[derive(Clone, Copy, PartialEq)]
enum Written {
    Integers,
    /// As many bytes each.
    Bytes(usize),
}

/// The field for elements of a dtype that are not written as one block, and how they are written.
fn field(dtype: DType) -> Option<(u64, Written)> {
    Some(match dtype {
        DType::F32 => (5, Written::Bytes(4)),
        DType::F64 => (6, Written::Bytes(8)),
        DType::I32 | DType::I16 | DType::I8 | DType::U8 | DType::U16 => (7, Written::Integers),
        d if DTypeSet::QUANTIZED.contains(d) => (7, Written::Integers),
        DType::Complex64 => (9, Written::Bytes(4)),
        DType::I64 => (10, Written::Integers),
        DType::Bool => (11, Written::Integers),
        DType::Complex128 => (12, Written::Bytes(8)),
        DType::F16 | DType::BF16 => (13, Written::Integers),
        DType::U32 => (16, Written::Integers),
        DType::U64 => (17, Written::Integers),
        _ => return None,
    })
}

/// A field of a message.
enum Field<'a> {
    Number(u64),
    /// A number of fixed size.
    Fixed(&'a [u8]),
    Bytes(&'a [u8]),
}

/// Splits a number off the begin: seven bits in each byte, the lowest first.
fn varint(s: &mut &[u8]) -> Option<u64> {
    let mut n = 0u64;
    for i in 0..10 {
        let (byte, rest) = s.split_first()?;
        *s = rest;
        n |= u64::from(byte & 0x7f).checked_shl(7 * i)?;
        if byte & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}

/// Splits a field off the begin.
fn next<'a>(s: &mut &'a [u8]) -> Option<(u64, Field<'a>)> {
    let key = varint(s)?;
    let fixed = |s: &mut &'a [u8], n: usize| {
        let (bytes, rest) = s.split_at_checked(n)?;
        *s = rest;
        Some(bytes)
    };
    let field = match key & 7 {
        0 => Field::Number(varint(s)?),
        1 => Field::Fixed(fixed(s, 8)?),
        2 => {
            let length = usize::try_from(varint(s)?).ok()?;
            Field::Bytes(fixed(s, length)?)
        }
        5 => Field::Fixed(fixed(s, 4)?),
        _ => return None,
    };
    (key > 7).then_some((key >> 3, field))
}

/// A message that was read.
#[derive(Default)]
struct Message<'a> {
    dtype: u64,
    dims: Dims,
    unknown_rank: bool,
    content: &'a [u8],
    strings: Vec<&'a [u8]>,
    /// The elements of fields with numbers, as bytes in memory or as integers.
    bytes: Vec<u8>,
    integers: Vec<u64>,
}

impl<'a> Message<'a> {
    /// Reads a message whose elements have this dtype; `None` if it is damaged.
    fn read(mut s: &'a [u8], dtype: DType) -> Option<Self> {
        let mut message = Self::default();
        let numbers = field(dtype);
        while !s.is_empty() {
            match next(&mut s)? {
                (DTYPE, Field::Number(n)) => message.dtype = n,
                (SHAPE, Field::Bytes(shape)) => message.shape(shape)?,
                (CONTENT, Field::Bytes(content)) => message.content = content,
                (STRINGS, Field::Bytes(string)) => message.strings.push(string),
                (n, field) => {
                    if let Some((_, how)) = numbers.filter(|(known, _)| *known == n) {
                        message.numbers(field, how)?;
                    }
                }
            }
        }
        Some(message)
    }

    fn shape(&mut self, mut s: &[u8]) -> Option<()> {
        while !s.is_empty() {
            match next(&mut s)? {
                (2, Field::Bytes(mut dim)) => {
                    let mut size = 0;
                    while !dim.is_empty() {
                        if let (1, Field::Number(n)) = next(&mut dim)? {
                            size = n;
                        }
                    }
                    self.dims
                        .push(usize::try_from(size).ok().filter(|n| *n <= isize::MAX as usize)?);
                }
                (3, Field::Number(unknown)) => self.unknown_rank = unknown != 0,
                _ => {}
            }
        }
        Some(())
    }

    /// Takes in one number or many.
    fn numbers(&mut self, field: Field<'_>, how: Written) -> Option<()> {
        match (field, how) {
            (Field::Number(n), Written::Integers) => self.integers.push(n),
            (Field::Bytes(mut packed), Written::Integers) => {
                while !packed.is_empty() {
                    self.integers.push(varint(&mut packed)?);
                }
            }
            (Field::Fixed(bytes) | Field::Bytes(bytes), Written::Bytes(size)) => {
                if bytes.len() % size != 0 {
                    return None;
                }
                self.bytes.extend_from_slice(bytes);
            }
            _ => return None,
        }
        Some(())
    }

    /// The array of a message. Elements that are missing are as the last one, or zero.
    fn array(mut self, dtype: DType) -> Result<Array> {
        if self.unknown_rank {
            bail!("a tensor of unknown rank can't be parsed");
        }
        if dtype == DType::String {
            let n = num_elements(&self.dims, size_of::<Vec<u8>>())?;
            let mut all = vec_for(n)?;
            for i in 0..n {
                let one = self.strings.get(i).or(self.strings.last()).copied();
                all.push(copy_of(one.unwrap_or_default())?);
            }
            return Array::from_strings(self.dims, all);
        }
        let Some(size) = dtype.size() else { bail!(Unimplemented, "no {dtype} can be parsed") };
        if !self.content.is_empty() {
            return Array::from_bytes(dtype, self.dims, self.content);
        }
        let n = num_elements(&self.dims, size)?;
        for n in std::mem::take(&mut self.integers) {
            self.bytes.extend_from_slice(&n.to_le_bytes()[..size]);
        }
        let given = &self.bytes[..self.bytes.len() / size * size];
        let zero = [0; 16];
        let last = given.chunks_exact(size).next_back().unwrap_or(&zero[..size]);
        let mut all = vec_for(n * size)?;
        all.extend_from_slice(&given[..given.len().min(n * size)]);
        while all.len() < n * size {
            all.extend_from_slice(last);
        }
        Array::from_bytes(dtype, self.dims, &all)
    }
}

pub(in crate::ops) fn parse(c: &KernelContext<'_>) -> Result<Outputs> {
    let (bytes, dtype) = (scalar(c, 0)?, c.get(ParseTensor::OUT_TYPE)?);
    let message = Message::read(bytes, dtype)
        .ok_or_else(|| err!("these {} bytes are no tensor", bytes.len()))?;
    if message.dtype != dtype.number() as u64 {
        let number = i32::try_from(message.dtype).ok();
        let is = number.and_then(DType::from_number);
        let is = is.map_or(format!("the dtype {}", message.dtype), |is| is.to_string());
        bail!("the bytes are a tensor of {is}, not of {dtype}");
    }
    Ok([message.array(dtype)?].into())
}

/// Appends a number.
fn write(mut n: u64, out: &mut Vec<u8>) {
    while n > 0x7f {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends a field of bytes.
fn write_bytes(field: u64, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    reserve(out, bytes.len() + 16)?;
    write(field << 3 | 2, out);
    write(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
    Ok(())
}

pub(in crate::ops) fn serialize(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let (mut out, mut shape) = (Vec::new(), Vec::new());
    write(DTYPE << 3, &mut out);
    write(x.dtype().number() as u64, &mut out);
    for n in x.dims() {
        let mut dim = Vec::new();
        // A size of zero is left out.
        if *n > 0 {
            write(1 << 3, &mut dim);
            write(*n as u64, &mut dim);
        }
        write_bytes(2, &dim, &mut shape)?;
    }
    write_bytes(SHAPE, &shape, &mut out)?;
    match x.as_bytes() {
        Some([]) => {}
        Some(bytes) => write_bytes(CONTENT, bytes, &mut out)?,
        None => {
            for s in x.as_strings()? {
                write_bytes(STRINGS, s, &mut out)?;
            }
        }
    }
    Ok([Array::from_strings(Dims::new(), vec![out])?].into())
}
