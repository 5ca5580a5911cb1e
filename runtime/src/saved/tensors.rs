//! Tensors, shapes and dtypes as messages.

use std::cell::Cell;

use extype_formats::proto::{DataType, TensorProto, TensorShapeProto};

use crate::array::{Array, Dims, num_elements, vec_for};
use crate::types::{DType, Dim, Result, Shape, bail, err};

/// The dtype with this number of TensorFlow's `DataType`.
pub(super) fn dtype(number: i32) -> Result<DType> {
    DType::from_number(number).ok_or_else(|| match (number, DataType::try_from(number)) {
        (0, _) => err!("there is no dtype"),
        (_, Ok(known)) => {
            err!(Unimplemented, "the dtype {known:?} (number {number}) is not supported")
        }
        (101.., _) => err!(Unimplemented, "a reference of TensorFlow 1 (dtype {number})"),
        _ => err!("no dtype has the number {number}"),
    })
}

/// A shape, of which not all need be known; none is that of a scalar.
pub(super) fn shape(message: Option<&TensorShapeProto>) -> Result<Shape> {
    let Some(message) = message else { return Ok(Shape::scalar()) };
    if message.unknown_rank {
        return Ok(Shape::unknown());
    }
    let dim = |size: i64| match size {
        -1 => Ok(Dim::UNKNOWN),
        size => usize::try_from(size).map(Dim::from).map_err(|_| err!("an axis of size {size}")),
    };
    message.dim.iter().map(|d| dim(d.size)).collect()
}

/// The message of a shape.
pub(super) fn shape_message(shape: &Shape) -> TensorShapeProto {
    let size = |dim: &Dim| dim.size().map_or(-1, |n| n as i64);
    match shape.dims() {
        Some(dims) => TensorShapeProto::new(dims.iter().map(size)),
        None => TensorShapeProto::unknown(),
    }
}

/// What a file may still have memory for: a few bytes of it can stand for a large tensor of equal elements.
pub(super) struct Room(Cell<u64>);

impl Room {
    pub(super) fn new(bytes: u64) -> Self {
        Self(Cell::new(bytes))
    }

    fn take(&self, bytes: usize) -> Result<()> {
        match self.0.get().checked_sub(bytes as u64) {
            Some(rest) => {
                self.0.set(rest);
                Ok(())
            }
            None => bail!(
                ResourceExhausted,
                "tensors of equal elements are larger than the limit of `LoadOptions::expanded_bytes`"
            ),
        }
    }
}

/// The tensor of a message.
pub(super) fn array(message: &TensorProto, room: &Room) -> Result<Array> {
    let dtype = dtype(message.dtype)?;
    let dims: Dims = match shape(message.tensor_shape.as_ref())?.sizes() {
        Some(sizes) => sizes.iter().copied().collect(),
        None => bail!("a tensor of unknown shape"),
    };
    if !message.tensor_content.is_empty() {
        return Array::from_bytes(dtype, dims, &message.tensor_content);
    }
    if dtype == DType::String {
        let len = num_elements(&dims, size_of::<Vec<u8>>())?;
        let mut items = of_listed(&message.string_val, len)?;
        let last = items.last().cloned().unwrap_or_default();
        let missing = len - items.len();
        room.take(missing.saturating_mul(size_of::<Vec<u8>>().saturating_add(last.len())))?;
        items.try_reserve_exact(missing).map_err(|_| err!(ResourceExhausted, "no memory"))?;
        items.resize(len, last);
        return Array::from_strings(dims, items);
    }
    let Some(size) = dtype.size() else {
        bail!(Unimplemented, "a tensor of {dtype} is not data that a file can hold")
    };
    let bytes = num_elements(&dims, size)? * size;
    let listed = listed(message, dtype, bytes)?;
    if listed.len() == bytes {
        return Array::from_bytes(dtype, dims, &listed);
    }
    room.take(bytes - listed.len())?;
    let Some(last) = listed.rchunks_exact(size).next() else { return Array::zeros(dtype, dims) };
    let mut all = vec_for(bytes)?;
    all.extend_from_slice(&listed);
    while all.len() < bytes {
        all.extend_from_slice(last);
    }
    Array::from_bytes(dtype, dims, &all)
}

/// At most so many items; more are ignored, as in TensorFlow's runtime.
fn of_listed<T: Clone>(items: &[T], len: usize) -> Result<Vec<T>> {
    let items = &items[..items.len().min(len)];
    let mut taken = vec_for(items.len())?;
    taken.extend_from_slice(items);
    Ok(taken)
}

/// The bytes of the elements that stand in the list for the dtype, at most `limit`.
fn listed(t: &TensorProto, dtype: DType, limit: usize) -> Result<Vec<u8>> {
    fn bytes<T: Copy, const N: usize>(
        items: &[T],
        limit: usize,
        of: impl Fn(T) -> [u8; N],
    ) -> Vec<u8> {
        items.iter().take(limit / N).flat_map(|x| of(*x)).collect()
    }
    let small = |x: i32| x.to_le_bytes();
    Ok(match dtype {
        DType::F32 => bytes(&t.float_val, limit, f32::to_le_bytes),
        DType::F64 => bytes(&t.double_val, limit, f64::to_le_bytes),
        DType::I32 | DType::QI32 => bytes(&t.int_val, limit, i32::to_le_bytes),
        DType::I16 | DType::U16 | DType::QI16 | DType::QU16 => {
            bytes(&t.int_val, limit, |x| [small(x)[0], small(x)[1]])
        }
        DType::I8 | DType::U8 | DType::QI8 | DType::QU8 => {
            bytes(&t.int_val, limit, |x| [small(x)[0]])
        }
        DType::F16 | DType::BF16 => bytes(&t.half_val, limit, |x| [small(x)[0], small(x)[1]]),
        DType::I64 => bytes(&t.int64_val, limit, i64::to_le_bytes),
        DType::U32 => bytes(&t.uint32_val, limit, u32::to_le_bytes),
        DType::U64 => bytes(&t.uint64_val, limit, u64::to_le_bytes),
        DType::Bool => bytes(&t.bool_val, limit, |x| [u8::from(x)]),
        // Real and imaginary parts in turn; half a number at the end is none.
        DType::Complex64 => {
            let whole = t.scomplex_val.len() & !1;
            bytes(&t.scomplex_val[..whole], limit, f32::to_le_bytes)
        }
        DType::Complex128 => {
            let whole = t.dcomplex_val.len() & !1;
            bytes(&t.dcomplex_val[..whole], limit, f64::to_le_bytes)
        }
        dtype if dtype.size() == Some(1) => bytes(&t.float8_val, limit, |x| [x]),
        other => bail!(Unimplemented, "there is no list of {other} in files"),
    })
}

/// The message of a tensor.
///
/// # Errors
/// `Unimplemented` for handles and variants.
pub(super) fn array_message(array: &Array) -> Result<TensorProto> {
    let mut message = TensorProto {
        dtype: array.dtype().number(),
        tensor_shape: Some(shape_message(&array.shape())),
        ..TensorProto::default()
    };
    match array.dtype() {
        DType::String => message.string_val = array.as_strings()?.to_vec(),
        dtype => match array.as_bytes() {
            Some(bytes) => message.tensor_content = bytes.to_vec(),
            None => bail!(Unimplemented, "a tensor of {dtype} is not data that a file can hold"),
        },
    }
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: TensorProto) -> Result<Array> {
        array(&message, &Room::new(1 << 20))
    }

    fn of(dtype: DType, sizes: &[i64]) -> TensorProto {
        TensorProto {
            dtype: dtype.number(),
            tensor_shape: Some(TensorShapeProto::new(sizes.iter().copied())),
            ..TensorProto::default()
        }
    }

    #[test]
    fn a_short_list_repeats_its_last_element_and_an_empty_one_is_zeros() -> Result<()> {
        let splat = read(TensorProto { int_val: vec![7, 8], ..of(DType::I32, &[3]) })?;
        assert_eq!(splat.as_slice::<i32>()?, &[7, 8, 8]);
        assert_eq!(read(of(DType::I32, &[2]))?.as_slice::<i32>()?, &[0, 0]);
        let long = read(TensorProto { int64_val: vec![1, 2, 3], ..of(DType::I64, &[2]) })?;
        assert_eq!(long.as_slice::<i64>()?, &[1, 2]);
        let text =
            read(TensorProto { string_val: vec![b"a".to_vec()], ..of(DType::String, &[2]) })?;
        assert_eq!(text.as_strings()?, &[b"a".to_vec(), b"a".to_vec()]);
        assert_eq!(read(of(DType::String, &[1]))?.as_strings()?, &[Vec::<u8>::new()]);
        Ok(())
    }

    #[test]
    fn narrow_integers_halves_and_complex_numbers_stand_in_wider_lists() -> Result<()> {
        let bytes = read(TensorProto { int_val: vec![-1, 300], ..of(DType::U8, &[2]) })?;
        assert_eq!(bytes.as_slice::<u8>()?, &[255, 44]);
        let half = read(TensorProto { half_val: vec![0x3c00], ..of(DType::F16, &[1]) })?;
        assert_eq!(half.as_bytes(), Some(&[0x00, 0x3c][..]));
        let z = TensorProto { scomplex_val: vec![1.0, 2.0, 3.0], ..of(DType::Complex64, &[2]) };
        let bytes: Vec<u8> = [1.0f32, 2.0, 1.0, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read(z)?.as_bytes(), Some(&bytes[..]));
        Ok(())
    }

    #[test]
    fn wrong_bytes_and_shapes_are_refused() {
        let content = |dtype, sizes: &[i64], bytes: usize| {
            read(TensorProto { tensor_content: vec![0; bytes], ..of(dtype, sizes) })
        };
        assert!(content(DType::F32, &[2], 8).is_ok());
        assert!(content(DType::F32, &[2], 7).is_err());
        assert!(content(DType::String, &[], 1).is_err());
        assert!(read(of(DType::F32, &[-1])).is_err());
        assert!(read(of(DType::F32, &[i64::MAX, i64::MAX])).is_err());
        let e = read(of(DType::F32, &[1 << 40])).unwrap_err();
        assert!(e.to_string().contains("expanded_bytes"), "{e}");
        let e = read(TensorProto { dtype: 29, ..TensorProto::default() }).unwrap_err();
        assert!(e.to_string().contains("Int4"), "{e}");
    }

    #[test]
    fn tensors_come_back_as_they_were() -> Result<()> {
        for t in [
            Array::from_slice([2, 2], &[1.0f32, f32::NAN, -0.0, 4.0])?,
            Array::scalar(3i64),
            Array::from_slice([0], &[0u8; 0])?,
            Array::from_strings([2], vec![Vec::new(), vec![255]])?,
        ] {
            assert!(read(array_message(&t)?)?.identical(&t));
        }
        Ok(())
    }
}
