//! Flattening, rebuilding and mapping of structures (TensorFlow's `tf.nest`).
//!
//! The functions here work on values whose Rust type is known. They expand extension types to tensors and see
//! only tensors, since static data is part of the type. The functions of the same names in [`tree`] work on
//! values and specs whose type is known at run time only. They see every atom, and keep or expand extension
//! types as [`tree::Composites`] says.
//!
//! Sequences flatten in order, maps by sorted key, extension types field by field.
//!
//! ```
//! use extype::nest::tree::{self, Composites};
//! use extype::prelude::*;
//! use extype::spec::AnyValue;
//!
//! #[derive(ExtensionType, Clone, Debug)]
//! struct Masked {
//!     values: Tensor,
//!     mask: Tensor,
//! }
//!
//! let x = (scalar(1.0f32), Masked::new([2.0f32], [true])?);
//! assert_eq!(nest::flatten(&x).len(), 3);
//! let x = AnyValue::of(&x);
//! assert_eq!(tree::flatten(&x, Composites::Expand).len(), 3);
//! assert_eq!(tree::flatten(&x, Composites::Keep).len(), 2);
//! # Ok::<(), Error>(())
//! ```

mod path;
mod same;
mod takes;
pub mod tree;
mod up_to;
mod walk;

pub use path::{Part, Path};
pub use takes::{Nest, Takes};
use tree::{Composites, Types};

pub use super::equality::equal;
use super::{AnySpec, LeafIter, Leaves, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Result, bail, caught};

/// The flat tensors of a structure, extension types expanded.
///
/// ```
/// use extype::prelude::*;
/// let x = (scalar(1.0f32), vec![scalar(2.0f32), scalar(3.0f32)]);
/// assert_eq!(nest::flatten(&x).len(), 3);
/// ```
#[rustfmt::skip]
pub fn flatten<T>(value: &T) -> Vec<Tensor> where Nest: Takes<T> {
    let mut leaves = Leaves::new();
    Nest::lent(value).leaves(&mut leaves);
    leaves.iter().map(|leaf| (*leaf).clone()).collect()
}

/// The flat tensors of a structure, each with the path that leads to it.
///
/// ```
/// use extype::prelude::*;
/// let x = (scalar(1.0f32), vec![scalar(2.0f32), scalar(3.0f32)]);
/// let paths: Vec<String> =
///     nest::flatten_with_paths(&x).iter().map(|(path, _)| path.to_string()).collect();
/// assert_eq!(paths, ["[0]", "[1][0]", "[1][1]"]);
/// ```
#[rustfmt::skip]
pub fn flatten_with_paths<T>(value: &T) -> Vec<(Path, Tensor)> where Nest: Takes<T> {
    let atoms = walk::atoms(&Nest::lent(value).type_spec().to_any(), Composites::Expand);
    let paths = atoms.into_iter().filter(|(_, s)| is_leaf(s)).map(|(path, _)| path);
    paths.zip(flatten(value)).collect()
}

fn is_leaf(spec: &AnySpec) -> bool {
    matches!(spec, AnySpec::Tensor(_) | AnySpec::Variable(_))
}

/// A structure of this type from flat tensors: dynamic data from `flat`, static data from `spec`.
///
/// # Errors
/// `InvalidArgument` with both counts if the number of tensors differs, and for a wrong dtype.
///
/// ```
/// use extype::prelude::*;
/// let x = (scalar(1.0f32), vec![scalar(2.0f32)]);
/// let doubled = vec![scalar(2.0f32), scalar(4.0f32)];
/// let y = nest::pack_sequence_as(&x.type_spec(), doubled)?;
/// assert_eq!(y.1[0].item::<f32>()?, 4.0);
/// assert!(nest::pack_sequence_as(&x.type_spec(), vec![]).is_err());
/// # Ok::<(), Error>(())
/// ```
pub fn pack_sequence_as<S: TypeSpec>(spec: &S, flat: Vec<Tensor>) -> Result<S::Value> {
    let given = flat.len();
    let mut leaves = LeafIter::new(flat);
    let what = || format!("making a value of {}", spec.to_any());
    let packed = caught(what, || S::Value::from_leaves(spec, &mut leaves))
        .and_then(|v| leaves.finish().map(|()| v));
    if packed.is_err() {
        let wanted = spec.to_any().leaves().len();
        if wanted != given {
            bail!("{given} tensors given for a structure of {wanted}: {}", spec.to_any());
        }
    }
    packed
}

/// A structure like `value` with `f` applied to every tensor.
///
/// # Errors
/// What `f` fails with; `InvalidArgument` if it changes a dtype, which is part of the type.
///
/// ```
/// use extype::prelude::*;
/// let x = vec![scalar(1.0f32), scalar(2.0f32)];
/// let y = nest::map_structure(&x, |t| ops::mul(t, 10.0))?;
/// assert_eq!(y[1].item::<f32>()?, 20.0);
/// # Ok::<(), Error>(())
/// ```
#[rustfmt::skip]
pub fn map_structure<T, F>(value: &T, mut f: F) -> Result<T> where Nest: Takes<T>,
    F: FnMut(&Tensor) -> Result<Tensor>,
{
    map_structures(&[value], |tensors| f(tensors[0]))
}

/// A structure like the first value, where each tensor is `f` of the tensors at the same place in all values.
///
/// # Errors
/// `InvalidArgument` if no value is given, or the values differ in structure; what `f` fails with.
///
/// ```
/// use extype::prelude::*;
/// let (x, y) = ((scalar(1.0f32), scalar(2.0f32)), (scalar(3.0f32), scalar(4.0f32)));
/// let sums = nest::map_structures(&[&x, &y], |t| ops::add(t[0], t[1]))?;
/// assert_eq!(sums.1.item::<f32>()?, 6.0);
/// # Ok::<(), Error>(())
/// ```
#[rustfmt::skip]
pub fn map_structures<T, F>(values: &[&T], mut f: F) -> Result<T> where Nest: Takes<T>,
    F: FnMut(&[&Tensor]) -> Result<Tensor>,
{
    let Some((first, rest)) = values.split_first() else {
        bail!("no structure is given to be mapped");
    };
    rest.iter().try_for_each(|value| assert_same_structure(*first, *value))?;
    let flat = caught(
        || "flattening a value".to_owned(),
        || {
            let mut flat = vec![Leaves::new(); values.len()];
            values.iter().zip(&mut flat).for_each(|(v, leaves)| Nest::lent(*v).leaves(leaves));
            Ok(flat)
        },
    )?;
    let place = |i: usize| flat.iter().map(|leaves| leaves[i]).collect::<Vec<_>>();
    let mapped = (0..flat[0].len()).map(|i| f(&place(i))).collect::<Result<Vec<_>>>()?;
    pack_sequence_as(&Nest::lent(*first).type_spec(), mapped).map(Nest::owned)
}

/// Checks that two values have the same structure, with extension types expanded: the same containers of the
/// same lengths and keys, and extension types with a common supertype. Tensors are not compared outside of
/// extension types.
///
/// # Errors
/// `InvalidArgument` that shows what differs, and both structures.
///
/// ```
/// use extype::prelude::*;
/// let (x, y) = (scalar(1.0f32), scalar(2i32));
/// assert!(nest::assert_same_structure(&vec![x.clone()], &vec![y.clone()]).is_ok());
/// assert!(nest::assert_same_structure(&vec![x.clone()], &(x, y)).is_err());
/// ```
#[rustfmt::skip]
pub fn assert_same_structure<A, B>(a: &A, b: &B) -> Result<()> where Nest: Takes<A> + Takes<B> {
    let (a, b) = (Nest::lent(a).type_spec(), Nest::lent(b).type_spec());
    assert_same_spec(&a.to_any(), &b.to_any())
}

/// [`assert_same_structure`] for specs.
///
/// # Errors
/// As [`assert_same_structure`].
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let (x, y) = (scalar(1.0f32), scalar(2i32));
/// let list = AnyValue::new(vec![x.clone(), x.clone()]);
/// let tuple = AnyValue::new((x, y));
/// assert!(nest::assert_same_spec(list.spec(), list.spec()).is_ok());
/// assert!(nest::assert_same_spec(list.spec(), tuple.spec()).is_err());
/// ```
pub fn assert_same_spec(a: &AnySpec, b: &AnySpec) -> Result<()> {
    tree::assert_same_structure(a, b, Types::Check, Composites::Expand)
}
