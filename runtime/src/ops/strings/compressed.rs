//! Compressed bytes (feature `compression`).

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use super::infer::{one_of, shaped};
use super::kernel::mapped;
use crate::array::{copy_of, read_all};
use crate::define_op;
use crate::ir::{KernelContext, Outputs};
use crate::ops::rules::batch::elementwise;
use crate::types::{DType, bail, err};

define_op! {
    /// Methods: compressed bytes.
    methods of CompressionMethods;

    /// The bytes that were compressed: `ZLIB`, `GZIP`, or an empty text for bytes as they are.
    ///
    /// TensorFlow: `tf.io.decode_compressed`, `DecodeCompressed`. Strings of any shape, which the result has too. Zstandard
    /// is not supported. The result may be a thousand times as large as the data: don't decompress data from strangers.
    ///
    /// # Errors
    /// `DataLoss` for damaged data, `InvalidArgument` for another kind.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::prelude::*;
    /// let zipped = b"x\x9c\xcbH\xcd\xc9\xc9\x07\x00\x06,\x02\x15".to_vec();
    /// let x = Tensor::from(Array::from_strings([], vec![zipped])?);
    /// assert_eq!(x.decode_compressed("ZLIB")?.to_strings()?, ["hello"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op DecodeCompressed = "DecodeCompressed" {
        inputs: { bytes: {String} }, outputs: { output: {String} },
        attrs: { compression_type: String = String::new() },
        call: method decode_compressed(x; kind: &str) => { compression_type: kind.to_owned() },
        infer: |c| {
            one_of(c, DecodeCompressed::COMPRESSION_TYPE, &["", "ZLIB", "GZIP", "ZSTD"])?;
            shaped(c, DType::String)
        },
        kernel: decompress,
        gradient: none, batch: elementwise,
    }
}

fn decompress(c: &KernelContext<'_>) -> crate::types::Result<Outputs> {
    let kind = c.get(DecodeCompressed::COMPRESSION_TYPE)?;
    mapped(c, |s| {
        let mut reader: Box<dyn Read + '_> = match kind.as_str() {
            "ZLIB" => Box::new(ZlibDecoder::new(s)),
            "GZIP" => Box::new(MultiGzDecoder::new(s)),
            "" => return copy_of(s),
            other => bail!(Unimplemented, "{other} is not supported; write \"ZLIB\" or \"GZIP\""),
        };
        read_all(&mut reader, Vec::new(), |e| err!(DataLoss, "damaged {kind} data: {e}"))
    })
}
