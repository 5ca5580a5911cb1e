//! Hashes of specs, by which traces are looked up.

/// A hash of a spec: equal specs have equal ones, different specs mostly do not.
///
/// It allocates nothing and depends on the order in which words are added. Leaving out a part of a spec only
/// costs time, since specs with the same hash are compared.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::Fingerprint;
/// let of = |x: &Tensor| {
///     let mut fingerprint = Fingerprint::default();
///     x.mix_spec(&mut fingerprint);
///     fingerprint.get()
/// };
/// assert_eq!(of(&tensor![1.0f32, 2.0]), of(&tensor![3.0f32, 4.0]));
/// assert_ne!(of(&tensor![1.0f32, 2.0]), of(&tensor![1i32, 2]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(u64);

/// An odd number without pattern: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Fingerprint {
    /// Adds a word.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Fingerprint;
    /// let of = |words: [u64; 2]| {
    ///     let mut fingerprint = Fingerprint::default();
    ///     words.iter().for_each(|word| fingerprint.add(*word));
    ///     fingerprint
    /// };
    /// assert_eq!(of([1, 2]), of([1, 2]));
    /// assert_ne!(of([1, 2]), of([2, 1]));
    /// ```
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(SPREAD);
    }

    /// Adds a text or bytes, with their length.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Fingerprint;
    /// let of = |texts: [&str; 2]| {
    ///     let mut fingerprint = Fingerprint::default();
    ///     texts.iter().for_each(|text| fingerprint.add_bytes(text.as_bytes()));
    ///     fingerprint
    /// };
    /// assert_ne!(of(["a", "bc"]), of(["ab", "c"]));
    /// ```
    #[inline]
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word));
        }
    }

    /// The number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Fingerprint;
    /// let (mut a, mut b) = (Fingerprint::default(), Fingerprint::default());
    /// a.add_bytes(b"rows");
    /// b.add_bytes(b"rows");
    /// assert_eq!(a.get(), b.get());
    /// ```
    #[inline]
    pub fn get(self) -> u64 {
        // The last word must reach the low bits too: tables look at these first.
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use super::super::tensor_spec::mix_type;
    use super::*;
    use crate::spec::{StaticData, Structure};
    use crate::tensor::{Tensor, Variable};
    use crate::types::Shape;

    fn of<T: Structure>(x: &T) -> u64 {
        let mut fingerprint = Fingerprint::default();
        x.mix_spec(&mut fingerprint);
        fingerprint.get()
    }

    #[test]
    fn what_differs_in_a_spec_differs_in_its_number() {
        let t = |n: usize| Tensor::from_vec(vec![0.0f32; n]);
        let numbers = [
            of(&t(1)),
            of(&t(2)),
            of(&Tensor::scalar(0.0f32)),
            of(&Tensor::scalar(0i32)),
            of(&vec![t(1), t(2)]),
            of(&vec![t(2), t(1)]),
            of(&Some(t(1))),
            of(&None::<Tensor>),
            of(&"a".to_string()),
            of(&"b".to_string()),
            of(&1.0f64),
            of(&-0.0f64),
        ];
        for (i, a) in numbers.iter().enumerate() {
            assert!(numbers[..i].iter().all(|b| a != b), "{i} has the number of another");
        }
        let thousand: std::collections::HashSet<u64> = (0..1000i64).map(|i| of(&i)).collect();
        assert_eq!(thousand.len(), 1000);
    }

    #[test]
    fn equal_specs_have_equal_numbers() {
        let map = |n: i64| (0..n).map(|i| (format!("k{i}"), Tensor::scalar(i)));
        let (a, b): (HashMap<_, _>, HashMap<_, _>) = (map(20).collect(), map(20).collect());
        assert_eq!(of(&a), of(&b));
        let sorted: BTreeMap<_, _> = map(20).collect();
        assert_eq!(of(&sorted), of(&sorted.clone()));
        assert_eq!(of(&f64::NAN), of(&-f64::NAN));
        assert_eq!(of(&f32::NAN), of(&-f32::NAN));
        // A symbol of a known shape uses the trace of a value of that shape.
        let value = Tensor::from_slice(&[0.0f32; 6], &[2, 3]).unwrap();
        let mut symbol = Fingerprint::default();
        mix_type(value.dtype(), &value.shape(), &mut symbol);
        assert_eq!(of(&value), symbol.get());
        let variable = || Variable::new(1.0f32).unwrap();
        assert_eq!(of(&(variable(), 1u8)), of(&(variable(), 1u8)));
        assert_eq!(of(&Shape::unknown()), of(&Shape::unknown()));
        assert!(f64::NAN.same(&-f64::NAN) && !0.0f64.same(&-0.0));
    }
}
