//! Nested lists of options, read into values and a mask.

use extype::array::Element;
use extype::prelude::*;

/// Data in which `None` is a missing entry: an option, or an array, slice or vector of such data.
pub trait Entries<T> {
    /// Appends the sizes, outermost first, as the first entry of each level has them.
    fn sizes(&self, sizes: &mut Vec<usize>);

    /// Appends the entries in row-major order; `sizes` are those of this level and below.
    ///
    /// # Errors
    /// `InvalidArgument` if a list has another length than `sizes` says.
    fn read(&self, sizes: &[usize], values: &mut Vec<T>, mask: &mut Vec<bool>) -> Result<()>;
}

impl<T: Element> Entries<T> for Option<T> {
    fn sizes(&self, _: &mut Vec<usize>) {}

    fn read(&self, _: &[usize], values: &mut Vec<T>, mask: &mut Vec<bool>) -> Result<()> {
        values.push(self.unwrap_or_default());
        mask.push(self.is_some());
        Ok(())
    }
}

impl<T, E: Entries<T>> Entries<T> for [E] {
    fn sizes(&self, sizes: &mut Vec<usize>) {
        sizes.push(self.len());
        if let Some(first) = self.first() {
            first.sizes(sizes);
        }
    }

    fn read(&self, sizes: &[usize], values: &mut Vec<T>, mask: &mut Vec<bool>) -> Result<()> {
        let (&size, inner) = sizes.split_first().unwrap_or((&0, &[]));
        if self.len() != size {
            return Err(Error::invalid(format!(
                "lists of one level have {size} and {} entries; pad the short ones with `None`",
                self.len()
            )));
        }
        self.iter().try_for_each(|entry| entry.read(inner, values, mask))
    }
}

macro_rules! as_slices {
    ($([$($g:tt)*] $t:ty),*) => {
        $(impl<T, E: Entries<T>, $($g)*> Entries<T> for $t {
            fn sizes(&self, sizes: &mut Vec<usize>) {
                self[..].sizes(sizes);
            }

            fn read(
                &self,
                sizes: &[usize],
                values: &mut Vec<T>,
                mask: &mut Vec<bool>,
            ) -> Result<()> {
                self[..].read(sizes, values, mask)
            }
        })*
    };
}
as_slices!([const N: usize] [E; N], [] Vec<E>, [] &[E]);
