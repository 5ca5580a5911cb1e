//! Numbers of few bytes.

/// Takes a number from the front; `None` if it is cut off, or has too many bits.
pub(crate) fn take(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (i, byte) in from.iter().enumerate().take(10) {
        let bits = u64::from(byte & 0x7f);
        if i == 9 && bits > 1 {
            return None;
        }
        number |= bits << (7 * i);
        if byte & 0x80 == 0 {
            *from = &from[i + 1..];
            return Some(number);
        }
    }
    None
}

/// Appends a number.
pub(crate) fn put(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}
