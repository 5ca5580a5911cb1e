//! Specs and arrays as bytes, for files.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::array::{Array, Dims};
use crate::spec::{Literal, Nested, Nests, SpecValue, TensorSpec, VariableSpec};
use crate::types::{DType, Dim, Result, Shape, bail, deep};

/// Bytes that are read, and how deep what is read from them is nested.
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    depth: u32,
}

/// Deeper than any spec is.
const MAX_DEPTH: u32 = 5000;

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, depth: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn next(&mut self, n: u64) -> Result<&'a [u8]> {
        match usize::try_from(n).ok().and_then(|n| self.bytes.split_at_checked(n)) {
            Some((next, rest)) => {
                self.bytes = rest;
                Ok(next)
            }
            None => bail!(DataLoss, "{n} bytes are missing"),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.next(N as u64)?);
        Ok(array)
    }

    pub(super) fn tag(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    /// Bytes behind their number.
    pub(super) fn block(&mut self) -> Result<&'a [u8]> {
        let n = u64::take(self)?;
        self.next(n)
    }

    /// What nests. Bytes of strangers may nest as deep as there are bytes.
    fn nested<C: ?Sized + Nests, T: Into<Arc<C>>>(
        &mut self,
        take: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Nested<C>> {
        if self.depth == MAX_DEPTH {
            bail!(DataLoss, "a spec nests too deep");
        }
        self.depth += 1;
        let content = deep(|| take(self))?;
        self.depth -= 1;
        Nested::try_new(content)
    }
}

/// Bytes with their number before them.
pub(super) fn put_block(bytes: &[u8], to: &mut Vec<u8>) {
    (bytes.len() as u64).put(to);
    to.extend_from_slice(bytes);
}

/// What is written as bytes and read again. Each takes a byte at least, so that a list has no more items than bytes.
pub(super) trait Coded: Sized {
    fn put(&self, to: &mut Vec<u8>);
    fn take(from: &mut Source<'_>) -> Result<Self>;
}

/// Seven bits in each byte, the lowest first.
impl Coded for u64 {
    fn put(&self, to: &mut Vec<u8>) {
        let mut n = *self;
        while n >= 0x80 {
            to.push(n as u8 | 0x80);
            n >>= 7;
        }
        to.push(n as u8);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = from.tag()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(n);
            }
        }
        bail!(DataLoss, "a number has too many bytes")
    }
}

impl Coded for u32 {
    fn put(&self, to: &mut Vec<u8>) {
        u64::from(*self).put(to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        Ok(Self::try_from(u64::take(from)?).unwrap_or(Self::MAX))
    }
}

impl Coded for bool {
    fn put(&self, to: &mut Vec<u8>) {
        to.push((*self).into());
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        Ok(from.tag()? != 0)
    }
}

impl Coded for String {
    fn put(&self, to: &mut Vec<u8>) {
        put_block(self.as_bytes(), to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        match std::str::from_utf8(from.block()?) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => bail!(DataLoss, "a text is no UTF-8"),
        }
    }
}

impl Coded for Arc<str> {
    fn put(&self, to: &mut Vec<u8>) {
        put_block(self.as_bytes(), to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        Ok(String::take(from)?.into())
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_some().put(to);
        if let Some(x) = self {
            x.put(to);
        }
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        bool::take(from)?.then(|| T::take(from)).transpose()
    }
}

fn put_all<'a, T: Coded + 'a>(items: impl ExactSizeIterator<Item = &'a T>, to: &mut Vec<u8>) {
    (items.len() as u64).put(to);
    items.for_each(|item| item.put(to));
}

impl<T: Coded> Coded for Vec<T> {
    fn put(&self, to: &mut Vec<u8>) {
        put_all(self.iter(), to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        (0..u64::take(from)?).map(|_| T::take(from)).collect()
    }
}

impl<T: Coded + Clone> Coded for Nested<[T]>
where
    [T]: Nests,
{
    fn put(&self, to: &mut Vec<u8>) {
        deep(|| put_all(self.iter(), to));
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        from.nested(Vec::take)
    }
}

impl<T: Coded> Coded for Nested<BTreeMap<String, T>>
where
    BTreeMap<String, T>: Nests,
{
    fn put(&self, to: &mut Vec<u8>) {
        put_all(self.keys(), to);
        deep(|| self.values().for_each(|item| item.put(to)));
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        from.nested(|from| {
            let names = Vec::take(from)?;
            names
                .into_iter()
                .map(|name| Ok((name, T::take(from)?)))
                .collect::<Result<BTreeMap<_, _>>>()
        })
    }
}

impl Coded for Nested<SpecValue> {
    fn put(&self, to: &mut Vec<u8>) {
        deep(|| (**self).put(to));
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        from.nested(SpecValue::take)
    }
}

/// By its number in TensorFlow.
impl Coded for DType {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(self.number() as u8);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        let number = from.tag()?;
        match Self::from_number(number.into()) {
            Some(dtype) => Ok(dtype),
            None => bail!(DataLoss, "no dtype has number {number}"),
        }
    }
}

impl Coded for Dim {
    fn put(&self, to: &mut Vec<u8>) {
        self.size().map_or(0, |size| size as u64 + 1).put(to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        let size = u64::take(from)?.checked_sub(1);
        Ok(size.map(|size| usize::try_from(size).unwrap_or(usize::MAX)).into())
    }
}

impl Coded for Shape {
    fn put(&self, to: &mut Vec<u8>) {
        self.dims().map(<[Dim]>::to_vec).put(to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        let dims: Option<Vec<Dim>> = Coded::take(from)?;
        Ok(dims.map_or(Self::unknown(), Self::from_iter))
    }
}

impl Coded for TensorSpec {
    fn put(&self, to: &mut Vec<u8>) {
        self.shape.put(to);
        self.dtype.put(to);
        self.name.put(to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        Ok(Self { shape: Shape::take(from)?, dtype: DType::take(from)?, name: Coded::take(from)? })
    }
}

impl Coded for VariableSpec {
    fn put(&self, to: &mut Vec<u8>) {
        self.shape.put(to);
        self.dtype.put(to);
        self.trainable.put(to);
        self.alias_id.put(to);
    }

    fn take(from: &mut Source<'_>) -> Result<Self> {
        Ok(Self {
            shape: Shape::take(from)?,
            dtype: DType::take(from)?,
            trainable: bool::take(from)?,
            alias_id: Coded::take(from)?,
        })
    }
}

/// The two directions of an enum: what the bytes of a case begin with.
macro_rules! cases {
    ($name:ident: $($tag:literal $case:ident,)*) => {
        impl Coded for $name {
            fn put(&self, to: &mut Vec<u8>) {
                match self {
                    $(Self::$case(x) => {
                        to.push($tag);
                        x.put(to);
                    })*
                    other => other.put_rest(to),
                }
            }

            fn take(from: &mut Source<'_>) -> Result<Self> {
                match from.tag()? {
                    $($tag => Ok(Self::$case(Coded::take(from)?)),)*
                    tag => Self::take_rest(tag, from),
                }
            }
        }
    };
}

cases! { Literal: 1 Bool, 2 Str, 3 DType, 4 Shape, 5 List, 6 Map, 7 Tuple, }

impl Literal {
    fn put_rest(&self, to: &mut Vec<u8>) {
        match self {
            Self::Int(x) => {
                to.push(8);
                to.extend(x.to_le_bytes());
            }
            Self::Float(x) => {
                to.push(9);
                to.extend(x.to_le_bytes());
            }
            Self::Bytes(x) => {
                to.push(10);
                put_block(x, to);
            }
            _ => to.push(0),
        }
    }

    fn take_rest(tag: u8, from: &mut Source<'_>) -> Result<Self> {
        Ok(match tag {
            0 => Self::None,
            8 => Self::Int(i128::from_le_bytes(from.array()?)),
            9 => Self::Float(f64::from_le_bytes(from.array()?)),
            10 => Self::Bytes(from.block()?.into()),
            tag => bail!(DataLoss, "no literal has number {tag}"),
        })
    }
}

cases! { SpecValue: 1 Literal, 2 Tensor, 3 Variable, 4 Tuple, 5 List, 6 Dict, 7 Option, }

impl SpecValue {
    fn put_rest(&self, to: &mut Vec<u8>) {
        if let Self::Spec { name, version, state } = self {
            to.push(8);
            name.put(to);
            version.put(to);
            state.put(to);
        }
    }

    fn take_rest(tag: u8, from: &mut Source<'_>) -> Result<Self> {
        Ok(match tag {
            8 => Self::Spec {
                name: String::take(from)?,
                version: u32::take(from)?,
                state: Nested::take(from)?,
            },
            tag => bail!(DataLoss, "no spec has number {tag}"),
        })
    }
}

/// Appends dtype, sizes and elements of an array.
///
/// # Errors
/// `InvalidArgument` for elements that refer to something in memory.
pub(super) fn put_array(array: &Array, to: &mut Vec<u8>) -> Result<()> {
    array.dtype().put(to);
    array.dims().iter().map(|d| *d as u64).collect::<Vec<_>>().put(to);
    if let Some(bytes) = array.as_bytes() {
        put_block(bytes, to);
        return Ok(());
    }
    if array.dtype() != DType::String {
        bail!("a tensor of {} can't be written to a file", array.tensor_type());
    }
    array.as_strings()?.iter().for_each(|string| put_block(string, to));
    Ok(())
}

/// The array that [`put_array`] has written.
pub(super) fn take_array(from: &mut Source<'_>) -> Result<Array> {
    let dtype = DType::take(from)?;
    let dims = Vec::<u64>::take(from)?;
    let dims: Dims = dims.into_iter().map(|d| usize::try_from(d).unwrap_or(usize::MAX)).collect();
    if dtype != DType::String {
        return Array::from_bytes(dtype, dims, from.block()?);
    }
    let n = crate::array::num_elements(&dims, 1)?;
    let strings = (0..n).map(|_| Ok(from.block()?.to_vec())).collect::<Result<_>>()?;
    Array::from_strings(dims, strings)
}
