//! Checksums as TensorFlow writes them: CRC-32C, which the CPU computes, with a mask.
//!
//! ```
//! use extype_formats::checksum::{crc32c, mask, unmask};
//! assert_eq!(crc32c(b"123456789"), 0xe306_9283);
//! assert_eq!(unmask(mask(7)), 7);
//! ```

#[cfg(feature = "proto")]
pub(crate) use ::crc32c::crc32c_combine;
pub use ::crc32c::{crc32c, crc32c_append};

const DELTA: u32 = 0xa282_ead8;

/// The checksum as it is written. Checksums of data that holds checksums are weak without a mask.
#[must_use]
pub fn mask(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(DELTA)
}

/// The checksum that was masked.
#[must_use]
pub fn unmask(masked: u32) -> u32 {
    masked.wrapping_sub(DELTA).rotate_left(15)
}

/// The masked checksum of these bytes, as it is written.
pub(crate) fn masked(bytes: &[u8]) -> [u8; 4] {
    mask(crc32c(bytes)).to_le_bytes()
}
