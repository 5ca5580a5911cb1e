//! Vectors whose length comes from data: like arrays they fail with an error where there is no
//! memory, after what freed arrays have kept has been given back.

use super::buffer;
use crate::types::{Result, err};

/// An empty vector with room for so many items.
///
/// # Errors
/// `ResourceExhausted` if there is no memory for them.
pub(crate) fn vec_for<T>(len: usize) -> Result<Vec<T>> {
    let mut items = Vec::new();
    if items.try_reserve_exact(len).is_err() {
        buffer::give_back();
        items.try_reserve_exact(len).map_err(|_| {
            err!(ResourceExhausted, "no memory for {len} items of {} bytes", size_of::<T>())
        })?;
    }
    Ok(items)
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
