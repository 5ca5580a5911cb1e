//! Names of parts of tensors, as the index has them: encoded so that they sort as their parts do.

use crate::proto::TensorSliceProto;

/// The key of a part of a tensor.
pub(super) fn slice_key(name: &[u8], slice: &TensorSliceProto) -> Vec<u8> {
    let mut key = Vec::new();
    number(0, &mut key);
    string(name, &mut key);
    number(slice.extent.len() as u64, &mut key);
    for extent in &slice.extent {
        let whole = extent.length.is_none();
        signed(if whole { 0 } else { extent.start }, &mut key);
        signed(extent.length.unwrap_or(-1), &mut key);
    }
    key
}

/// Its length, and its bytes without zeros in front.
fn number(number: u64, to: &mut Vec<u8>) {
    let bytes = number.to_be_bytes();
    let zeros = number.leading_zeros() as usize / 8;
    to.push((8 - zeros) as u8);
    to.extend(&bytes[zeros..]);
}

fn string(bytes: &[u8], to: &mut Vec<u8>) {
    for byte in bytes {
        to.push(*byte);
        match byte {
            0 => to.push(0xff),
            0xff => to.push(0),
            _ => {}
        }
    }
    to.extend([0, 1]);
}

/// As many ones as there are bytes, a zero, and the number; all of it inverted where it is negative.
fn signed(number: i64, to: &mut Vec<u8>) {
    let bits = 64 - (if number < 0 { !number } else { number }).leading_zeros() as usize;
    let len = bits / 7 + 1;
    let sign = if number < 0 { 0xff } else { 0 };
    let mut bytes = [sign; 10];
    bytes[2..].copy_from_slice(&number.to_be_bytes());
    let bytes = &mut bytes[10 - len..];
    // The ones in front.
    let head = !0u16 << (16 - len);
    bytes[0] ^= (head >> 8) as u8;
    if let Some(byte) = bytes.get_mut(1) {
        *byte ^= head as u8;
    }
    to.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        signed(number, &mut bytes);
        bytes
    }

    #[test]
    fn signed_numbers_are_as_short_as_they_can_be() {
        assert_eq!(of(0), [0x80]);
        assert_eq!(of(-1), [0x7f]);
        assert_eq!(of(63), [0xbf]);
        assert_eq!(of(-64), [0x40]);
        assert_eq!(of(64), [0xc0, 0x40]);
        assert_eq!(of(-65), [0x3f, 0xbf]);
        assert_eq!(of(8191), [0xdf, 0xff]);
        assert_eq!(of(8192), [0xe0, 0x20, 0x00]);
        assert_eq!(of(i64::MAX), [&[0xff, 0xc0][..], &i64::MAX.to_be_bytes()].concat());
    }

    #[test]
    fn encoded_numbers_sort_as_numbers() {
        let mut numbers: Vec<i64> =
            (0..63).flat_map(|bit| [-1, 0, 1].map(|d| (1i64 << bit) + d)).collect();
        numbers.extend(numbers.clone().iter().map(|n| -n));
        numbers.extend([i64::MIN, i64::MAX]);
        numbers.sort_unstable();
        numbers.dedup();
        assert!(numbers.is_sorted_by(|a, b| of(*a) < of(*b)));
    }
}
