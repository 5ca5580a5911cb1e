//! Vectors whose length comes from data. If there is no memory, they give back the memory of freed
//! arrays, and then fail with an error, as arrays do.

use std::io::{self, Read};

use super::buffer;
use crate::types::{Error, Result, err};

/// An empty vector with room for `len` items.
///
/// # Errors
/// `ResourceExhausted` if there is no memory for them.
pub(crate) fn vec_for<T>(len: usize) -> Result<Vec<T>> {
    room(len).ok_or_else(|| no_room::<T>(len))
}

fn room<T>(len: usize) -> Option<Vec<T>> {
    let mut items = Vec::new();
    if items.try_reserve_exact(len).is_err() {
        buffer::give_back();
        items.try_reserve_exact(len).ok()?;
    }
    Some(items)
}

#[cold]
fn no_room<T>(len: usize) -> Error {
    err!(ResourceExhausted, "no memory for {len} items of {} bytes", size_of::<T>())
}

/// Makes room for `more` further items.
///
/// # Errors
/// As [`vec_for`].
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<()> {
    if items.try_reserve(more).is_err() {
        buffer::give_back();
        items.try_reserve(more).map_err(|_| no_room::<T>(items.len().saturating_add(more)))?;
    }
    Ok(())
}

/// Reads until the reader ends, and returns `bytes` with what was read after them.
///
/// # Errors
/// As [`vec_for`], and what `failed` makes of the reader's error.
pub(crate) fn read_all(
    reader: &mut dyn Read,
    mut bytes: Vec<u8>,
    failed: impl Fn(io::Error) -> Error,
) -> Result<Vec<u8>> {
    let mut block = [0; 8192];
    loop {
        match reader.read(&mut block) {
            Ok(0) => return Ok(bytes),
            Ok(n) => {
                reserve(&mut bytes, n)?;
                bytes.extend_from_slice(&block[..n]);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(failed(e)),
        }
    }
}

/// Fails if there is no memory for `len` items. For use before code that allocates them without a check.
///
/// # Errors
/// As [`vec_for`].
pub(crate) fn ask_for<T>(len: usize) -> Result<()> {
    vec_for::<T>(len).map(drop)
}

/// The items of an iterator of known length.
///
/// # Errors
/// As [`vec_for`].
pub(crate) fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut all = vec_for(items.len())?;
    all.extend(items);
    Ok(all)
}

/// Strings, each joined from its parts.
///
/// # Errors
/// As [`vec_for`].
pub(crate) fn joined_strings<'a, const N: usize>(
    items: impl ExactSizeIterator<Item = [&'a [u8]; N]>,
) -> Result<Vec<Vec<u8>>> {
    let len = items.len();
    let mut all: Vec<Vec<u8>> = vec_for(len)?;
    for parts in items {
        let Some(mut one) = room(parts.iter().map(|part| part.len()).sum()) else {
            // The error needs memory too.
            drop(all);
            return Err(err!(ResourceExhausted, "no memory for {len} strings"));
        };
        parts.iter().for_each(|part| one.extend_from_slice(part));
        all.push(one);
    }
    Ok(all)
}

/// A copy of these items.
///
/// # Errors
/// As [`vec_for`].
pub(crate) fn copy_of<T: Copy>(items: &[T]) -> Result<Vec<T>> {
    let mut copy = vec_for(items.len())?;
    copy.extend_from_slice(items);
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ErrorKind;

    #[test]
    fn what_does_not_fit_is_an_error() {
        let e = vec_for::<u64>(usize::MAX / 8).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::ResourceExhausted);
        assert_eq!(copy_of(&[1, 2]).unwrap(), [1, 2]);
    }
}
