//! Tensors in the files of checkpoints.

use extype_formats::bundle::{Bundle, Entry, Writer};
use extype_formats::proto::DataType;

use crate::array::{AnyWriter, Array};
use crate::types::{DType, Error, Result, Shape, TensorType, bail, err};

/// Dtype and shape of a tensor.
pub(super) fn type_of(entry: Entry<'_>) -> Result<TensorType> {
    let number = entry.proto().dtype;
    match DType::from_number(number) {
        Some(dtype) => Ok(TensorType::new(dtype, Shape::from(&entry.shape()[..]))),
        None => bail!(Unimplemented, "`{}` has the dtype {number}, which is unknown", entry.key()),
    }
}

/// The tensor of this name.
pub(crate) fn read(bundle: &Bundle, key: &str) -> Result<Array> {
    let entry = bundle.get(key).map_err(Error::of_file)?;
    let (ty, dims) = (type_of(entry)?, entry.shape());
    match ty.dtype {
        DType::String => Array::from_strings(&dims[..], entry.strings().map_err(Error::of_file)?),
        // These are checked.
        DType::Bool => {
            Array::from_bytes(ty.dtype, &dims[..], &entry.bytes().map_err(Error::of_file)?)
        }
        dtype if dtype.size().is_none() => {
            bail!(Unimplemented, "`{key}` is of {dtype}, which can't be restored")
        }
        dtype => {
            // An index that asks for more than its files have is refused before memory is taken.
            entry.stored().map_err(Error::of_file)?;
            let mut writer = AnyWriter::new(dtype, &dims)?;
            entry.read_into(writer.bytes_mut()).map_err(Error::of_file)?;
            writer.finish()
        }
    }
}

/// Adds a tensor under a name.
pub(crate) fn write(writer: &mut Writer, key: &str, array: &Array) -> Result<()> {
    let dtype = DataType::try_from(array.dtype().number());
    match (array.dtype(), array.as_bytes(), dtype) {
        (DType::String, ..) => writer.add_strings(key, array.dims(), array.as_strings()?),
        (_, Some(bytes), Ok(dtype)) => writer.add(key, dtype, array.dims(), bytes),
        (dtype, ..) => return Err(err!("`{key}` is of {dtype}, which can't be saved")),
    }
    .map_err(Error::of_file)
}
