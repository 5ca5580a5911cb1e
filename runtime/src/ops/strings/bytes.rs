//! Kernels of bytes: numbers in memory, base64, hashes, compressed data.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::infer::padded_width;
use super::kernel::{mapped, measured, scalar};
use crate::array::{Array, Dims, ask_for, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs};
use crate::ops::{
    DecodePaddedRaw, DecodeRaw, EncodeBase64, StringToHashBucket, StringToHashBucketStrong,
};
use crate::types::{DType, Result, bail, err};

pub(in crate::ops) fn decode_raw(c: &KernelContext<'_>) -> Result<Outputs> {
    let strings = c.input(0).as_strings()?;
    let dtype = c.get(DecodeRaw::OUT_TYPE)?;
    let (len, size) = (strings.first().map_or(0, Vec::len), dtype.size().unwrap_or(1));
    if let Some((i, other)) = strings.iter().enumerate().find(|(_, s)| s.len() != len) {
        bail!(
            "strings are of one length; the first has {len} bytes, string {i} has {}",
            other.len()
        );
    }
    if len % size != 0 {
        bail!("strings of {len} bytes, which is no multiple of the {size} bytes of {dtype}");
    }
    raw(c, dtype, len / size, c.get(DecodeRaw::LITTLE_ENDIAN)?)
}

pub(in crate::ops) fn decode_padded_raw(c: &KernelContext<'_>) -> Result<Outputs> {
    let dtype = c.get(DecodePaddedRaw::OUT_TYPE)?;
    let [bytes] = c.input(1).to_i64s()?[..] else { bail!("the fixed length is a scalar") };
    raw(c, dtype, padded_width(bytes, dtype)?, c.get(DecodePaddedRaw::LITTLE_ENDIAN)?)
}

/// Rows of `width` elements from the bytes of strings, which are cut or filled up with zeros.
fn raw(c: &KernelContext<'_>, dtype: DType, width: usize, little: bool) -> Result<Outputs> {
    let (x, size) = (c.input(0), dtype.size().unwrap_or(1));
    let dims: Dims = x.dims().iter().copied().chain([width]).collect();
    let total = num_elements(&dims, size)? * size;
    let mut bytes: Vec<u8> = vec_for(total)?;
    for s in x.as_strings()? {
        let end = bytes.len() + width * size;
        bytes.extend_from_slice(&s[..s.len().min(width * size)]);
        bytes.resize(end, 0);
    }
    if !little {
        // Each part of a complex number has an order of its own.
        let part = if dtype.is_complex() { size / 2 } else { size };
        bytes.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    Ok([Array::from_bytes(dtype, dims, &bytes)?].into())
}

/// The alphabet of URLs; without padding, and the bits behind the last byte are ignored.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

pub(in crate::ops) fn encode_base64(c: &KernelContext<'_>) -> Result<Outputs> {
    let pads = c.get(EncodeBase64::PAD)?;
    mapped(c, |s| {
        // The code allocates without a check.
        ask_for::<[u8; 2]>(s.len())?;
        let mut text = BASE64.encode(s).into_bytes();
        while pads && text.len() % 4 != 0 {
            text.push(b'=');
        }
        Ok(text)
    })
}

pub(in crate::ops) fn decode_base64(c: &KernelContext<'_>) -> Result<Outputs> {
    mapped(c, |s| {
        ask_for::<u8>(s.len())?;
        let full = s.len() % 4 == 0;
        let text = s.strip_suffix(b"==").or(s.strip_suffix(b"=")).filter(|_| full).unwrap_or(s);
        BASE64.decode(text).map_err(|e| {
            err!("\"{}\" is no base64 of URLs (`-` and `_`): {e}", String::from_utf8_lossy(s))
        })
    })
}

/// A bucket for the hash of each string.
pub(in crate::ops) fn buckets(
    c: &KernelContext<'_>,
    hash: impl Fn(&[u8]) -> u64,
) -> Result<Outputs> {
    let n: i64 = c.get(StringToHashBucket::NUM_BUCKETS)?;
    measured(c, |s| Ok((hash(s) % n as u64) as i64))
}

pub(in crate::ops) fn strong_buckets(c: &KernelContext<'_>) -> Result<Outputs> {
    let key = c.get(StringToHashBucketStrong::KEY)?;
    let [a, b] = key[..] else { bail!("the key has {} numbers; two are wanted", key.len()) };
    let hasher = siphasher::sip::SipHasher24::new_with_keys(a as u64, b as u64);
    buckets(c, |s| hasher.hash(s))
}

pub(in crate::ops) fn fingerprint(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, method) = (c.input(0), scalar(c, 1)?);
    if method != b"farmhash64" {
        bail!("no fingerprint \"{}\"; write \"farmhash64\"", String::from_utf8_lossy(method));
    }
    let rows = x.dims().first().copied().unwrap_or(0);
    let hashed;
    // Of strings, a row is the fingerprints of its elements if there are several.
    let bytes = match (x.as_bytes(), x.as_strings()) {
        (Some(bytes), _) => bytes,
        (None, Ok(strings)) => {
            let mut all: Vec<u8> = vec_for(num_elements(x.dims(), 8)? * 8)?;
            strings.iter().for_each(|s| all.extend(farm_hash(s).to_le_bytes()));
            hashed = all;
            &hashed
        }
        (None, Err(e)) => return Err(e),
    };
    let single = x.as_strings().is_ok() && x.len() == rows;
    let width = bytes.len().checked_div(rows).unwrap_or(0);
    let out = c.output_slice(&[rows, 8], |out: &mut [u8]| {
        for (i, out) in out.chunks_exact_mut(8).enumerate() {
            let row = &bytes[i * width..(i + 1) * width];
            match single {
                true => out.copy_from_slice(row),
                false => out.copy_from_slice(&farm_hash(row).to_le_bytes()),
            }
        }
        Ok(())
    })?;
    Ok([out].into())
}

/// The little-endian number at a place.
fn word(s: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&s[at..at + 8]);
    u64::from_le_bytes(bytes)
}

fn half_word(s: &[u8], at: usize) -> u64 {
    (0..4).map(|i| u64::from(s[at + i]) << (8 * i)).sum()
}

/// MurmurHash64A with the seed of TensorFlow's `Hash64`.
pub(in crate::ops) fn murmur_hash(s: &[u8]) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let mut h = 0xde_cafc_affe_u64 ^ (s.len() as u64).wrapping_mul(M);
    let words = s.chunks_exact(8);
    let rest = words.remainder();
    for bytes in words {
        let k = word(bytes, 0).wrapping_mul(M);
        h = (h ^ (k ^ (k >> 47)).wrapping_mul(M)).wrapping_mul(M);
    }
    if !rest.is_empty() {
        let last = rest.iter().rev().fold(0, |word, b| word << 8 | u64::from(*b));
        h = (h ^ last).wrapping_mul(M);
    }
    h = (h ^ (h >> 47)).wrapping_mul(M);
    h ^ (h >> 47)
}

const K: [u64; 3] = [0xc3a5_c85c_97cb_3127, 0xb492_b66f_be98_f273, 0x9ae1_6a3b_2f90_404f];

fn mixed(x: u64) -> u64 {
    x ^ (x >> 47)
}

/// Two words to one.
fn united(u: u64, v: u64, mul: u64) -> u64 {
    let a = mixed((u ^ v).wrapping_mul(mul));
    mixed((v ^ a).wrapping_mul(mul)).wrapping_mul(mul)
}

/// 32 bytes and two seeds to two words.
fn weak(s: &[u8], a: u64, b: u64) -> (u64, u64) {
    let a = a.wrapping_add(word(s, 0));
    let b = b.wrapping_add(a).wrapping_add(word(s, 24)).rotate_right(21);
    let sum = a.wrapping_add(word(s, 8)).wrapping_add(word(s, 16));
    (sum.wrapping_add(word(s, 24)), b.wrapping_add(sum.rotate_right(44)).wrapping_add(a))
}

/// FarmHash `Fingerprint64`, which stays the same for ever.
pub(in crate::ops) fn farm_hash(s: &[u8]) -> u64 {
    let (len, n) = (s.len(), s.len() as u64);
    let mul = K[2].wrapping_add(n.wrapping_mul(2));
    match len {
        0 => K[2],
        1..=3 => {
            let y = u64::from(s[0]) + (u64::from(s[len / 2]) << 8);
            let z = n + (u64::from(s[len - 1]) << 2);
            mixed(y.wrapping_mul(K[2]) ^ z.wrapping_mul(K[0])).wrapping_mul(K[2])
        }
        4..=7 => united(n + (half_word(s, 0) << 3), half_word(s, len - 4), mul),
        8..=16 => {
            let (a, b) = (word(s, 0).wrapping_add(K[2]), word(s, len - 8));
            let c = b.rotate_right(37).wrapping_mul(mul).wrapping_add(a);
            united(c, a.rotate_right(25).wrapping_add(b).wrapping_mul(mul), mul)
        }
        17..=32 => {
            let (a, b) = (word(s, 0).wrapping_mul(K[1]), word(s, 8));
            let (c, d) = (word(s, len - 8).wrapping_mul(mul), word(s, len - 16).wrapping_mul(K[2]));
            let u = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30));
            let v = a.wrapping_add(b.wrapping_add(K[2]).rotate_right(18)).wrapping_add(c);
            united(u.wrapping_add(d), v, mul)
        }
        33..=64 => farm_hash_64(s, mul),
        _ => farm_hash_long(s),
    }
}

fn farm_hash_64(s: &[u8], mul: u64) -> u64 {
    let len = s.len();
    let (a, b) = (word(s, 0).wrapping_mul(K[2]), word(s, 8));
    let (c, d) = (word(s, len - 8).wrapping_mul(mul), word(s, len - 16).wrapping_mul(K[2]));
    let y = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let v = a.wrapping_add(b.wrapping_add(K[2]).rotate_right(18)).wrapping_add(c);
    let z = united(y, v, mul);
    let (e, f) = (word(s, 16).wrapping_mul(mul), word(s, 24));
    let g = y.wrapping_add(word(s, len - 32)).wrapping_mul(mul);
    let h = z.wrapping_add(word(s, len - 24)).wrapping_mul(mul);
    let u = e.wrapping_add(f).rotate_right(43).wrapping_add(g.rotate_right(30)).wrapping_add(h);
    united(u, e.wrapping_add(f.wrapping_add(a).rotate_right(18)).wrapping_add(g), mul)
}

/// The state of a hash of more than 64 bytes.
struct Long {
    x: u64,
    y: u64,
    z: u64,
    v: (u64, u64),
    w: (u64, u64),
}

impl Long {
    /// Takes 64 bytes in.
    fn take(&mut self, s: &[u8], mul: u64, nine: u64) {
        let Long { x, y, z, v, w } = self;
        *x = x.wrapping_add(*y).wrapping_add(v.0).wrapping_add(word(s, 8));
        *x = x.rotate_right(37).wrapping_mul(mul) ^ w.1.wrapping_mul(nine);
        *y = y.wrapping_add(v.1).wrapping_add(word(s, 48)).rotate_right(42).wrapping_mul(mul);
        *y = y.wrapping_add(v.0.wrapping_mul(nine)).wrapping_add(word(s, 40));
        *z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(mul);
        *v = weak(s, v.1.wrapping_mul(mul), x.wrapping_add(w.0));
        *w = weak(&s[32..], z.wrapping_add(w.1), y.wrapping_add(word(s, 16)));
        std::mem::swap(x, z);
    }
}

fn farm_hash_long(s: &[u8]) -> u64 {
    let y = 81u64.wrapping_mul(K[1]).wrapping_add(113);
    let z = mixed(y.wrapping_mul(K[2]).wrapping_add(113)).wrapping_mul(K[2]);
    let x = 81u64.wrapping_mul(K[2]).wrapping_add(word(s, 0));
    let mut state = Long { x, y, z, v: (0, 0), w: (0, 0) };
    // The last block overlaps the one before.
    for block in s[..(s.len() - 1) / 64 * 64].chunks_exact(64) {
        state.take(block, K[1], 1);
    }
    let mul = K[1].wrapping_add((state.z & 0xff) << 1);
    state.w.0 = state.w.0.wrapping_add((s.len() as u64 - 1) & 63);
    state.v.0 = state.v.0.wrapping_add(state.w.0);
    state.w.0 = state.w.0.wrapping_add(state.v.0);
    state.take(&s[s.len() - 64..], mul, 9);
    let Long { x, y, z, v, w } = state;
    let u = united(v.0, w.0, mul).wrapping_add(mixed(y).wrapping_mul(K[0])).wrapping_add(z);
    united(u, united(v.1, w.1, mul).wrapping_add(x), mul)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes of `len` bytes that count up in steps of 7, by a build of the original.
    #[test]
    fn hashes_are_those_of_the_originals() {
        let bytes = |len: usize| (0..len).map(|i| (i * 7 + len) as u8).collect::<Vec<u8>>();
        assert_eq!(farm_hash(b""), 0x9ae1_6a3b_2f90_404f);
        assert_eq!(farm_hash(b"hello world"), 6_381_520_714_923_946_011);
        let buckets = (1u64 << 62) + 1;
        for (len, want) in [(0, 1_936_946_117_179_621_453), (1, 550_085_751_958_558_781)] {
            assert_eq!(farm_hash(&bytes(len)) % buckets, want);
        }
        for (len, want) in [(0, 105_434_511_174_508_089), (1, 2_499_542_889_307_245_882)] {
            assert_eq!(murmur_hash(&bytes(len)) % buckets, want);
        }
    }
}
