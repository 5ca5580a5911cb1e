//! The functions of [`nest`](super) on values and specs whose type is known at run time only.
//!
//! A tree is an [`AnyValue`] or an [`AnySpec`]. Its atoms are tensors, variables, static data, absent
//! options, and extension types unless they are expanded.

use super::super::{AnySpec, AnyValue};
use super::walk::{atoms, dots, rebuild};
use super::{Path, same, up_to};
use crate::types::{Result, bail};

/// Whether extension types are expanded (`expand_composites` in TensorFlow).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Composites {
    /// They are kept whole, as atoms.
    #[default]
    Keep,
    /// They are expanded to their components.
    Expand,
}

/// Whether containers must be of one kind (`check_types` in TensorFlow).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Types {
    /// They must: a list does not match a tuple.
    #[default]
    Check,
    /// Containers match by length, and maps by keys.
    Ignore,
}

/// The types of trees: [`AnyValue`] and [`AnySpec`].
pub trait Tree: Clone + Sized + sealed::TreeParts {
    /// The structure, as a spec.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// use extype::spec::nest::tree::Tree;
    /// fn kind(tree: &impl Tree) -> &'static str {
    ///     tree.spec().kind()
    /// }
    /// let value = AnyValue::new(vec![scalar(1.0f32)]);
    /// assert_eq!((kind(&value), kind(&TensorSpec::of::<f32>([]).to_any())), ("list", "tensor"));
    /// ```
    fn spec(&self) -> &AnySpec;
}

pub(super) mod sealed {
    use super::AnySpec;

    /// Taking trees apart and putting them together along a spec.
    pub trait TreeParts: Sized {
        /// Splits the tree into parts with these specs, which are in the order of the tensors.
        fn split(&self, specs: Vec<AnySpec>) -> Vec<Self>;

        /// The tree of this spec with these parts.
        fn join(spec: AnySpec, parts: Vec<Self>) -> Self;
    }
}

impl Tree for AnySpec {
    fn spec(&self) -> &AnySpec {
        self
    }
}

impl sealed::TreeParts for AnySpec {
    fn split(&self, specs: Vec<AnySpec>) -> Vec<Self> {
        specs
    }

    fn join(spec: AnySpec, _: Vec<Self>) -> Self {
        spec
    }
}

impl Tree for AnyValue {
    fn spec(&self) -> &AnySpec {
        AnyValue::spec(self)
    }
}

impl sealed::TreeParts for AnyValue {
    fn split(&self, specs: Vec<AnySpec>) -> Vec<Self> {
        self.split_leaves(specs)
    }

    fn join(spec: AnySpec, parts: Vec<Self>) -> Self {
        AnyValue::joined(spec, parts)
    }
}

/// The atoms of a tree, depth first, maps by sorted key.
///
/// ```
/// use extype::nest::tree::{self, Composites};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let x = AnyValue::new((scalar(1.0f32), 5i64, None::<Tensor>));
/// assert_eq!(tree::flatten(&x, Composites::Keep).len(), 3);
/// assert_eq!(tree::flatten(x.spec(), Composites::Keep)[1].to_string(), "5");
/// ```
pub fn flatten<T: Tree>(tree: &T, composites: Composites) -> Vec<T> {
    tree.split(atoms(tree.spec(), composites).into_iter().map(|(_, s)| s).collect())
}

/// [`flatten`] with the path to each atom.
///
/// ```
/// use extype::nest::tree::{self, Composites};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let x = AnyValue::new(vec![(scalar(1.0f32), scalar(2.0f32))]);
/// let atoms = tree::flatten_with_paths(&x, Composites::Keep);
/// assert_eq!(atoms[1].0.to_string(), "[0][1]");
/// ```
pub fn flatten_with_paths<T: Tree>(tree: &T, composites: Composites) -> Vec<(Path, T)> {
    let (paths, specs): (Vec<Path>, Vec<AnySpec>) =
        atoms(tree.spec(), composites).into_iter().unzip();
    paths.into_iter().zip(tree.split(specs)).collect()
}

/// The tree with the structure of `structure` and the atoms `flat`. A spec may be the structure of values.
///
/// Atoms keep the types that they have in `flat`. Static data within expanded extension types comes from
/// `structure`.
///
/// # Errors
/// `InvalidArgument` with both counts if there are too few or too many; if a component of an
/// extension type is no tensor.
///
/// ```
/// use extype::nest::tree::{self, Composites};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let spec = vec![TensorSpec::of::<f32>([]); 2].to_any();
/// let flat = vec![AnyValue::new(1i64), AnyValue::new(tensor![2, 3])];
/// let packed = tree::pack_sequence_as(&spec, flat, Composites::Keep)?;
/// assert_eq!(packed.spec().to_string(), "[1, TensorSpec([2], int32)]");
/// # Ok::<(), Error>(())
/// ```
pub fn pack_sequence_as<S: Tree, T: Tree>(
    structure: &S,
    flat: Vec<T>,
    composites: Composites,
) -> Result<T> {
    let spec = structure.spec();
    let wanted = atoms(spec, composites).len();
    if flat.len() != wanted {
        bail!("{} parts given for a structure of {wanted}: {}", flat.len(), dots(spec, composites));
    }
    let spec = rebuild(spec, composites, &mut flat.iter().map(|t| t.spec().clone()))?;
    Ok(T::join(spec, flat))
}

/// A tree like this one with `f` applied to every atom.
///
/// # Errors
/// What `f` fails with, and as [`pack_sequence_as`].
///
/// ```
/// use extype::nest::tree::{self, Composites};
/// use extype::prelude::*;
/// let spec = vec![TensorSpec::of::<f32>([3]); 2].to_any();
/// let stacks = tree::map_structure(&spec, |s| s.stacked(8), Composites::Keep)?;
/// assert_eq!(stacks, vec![TensorSpec::of::<f32>([8, 3]); 2].to_any());
/// # Ok::<(), Error>(())
/// ```
pub fn map_structure<S: Tree, T: Tree>(
    tree: &S,
    mut f: impl FnMut(&S) -> Result<T>,
    composites: Composites,
) -> Result<T> {
    map_structures(&[tree], |parts| f(parts[0]), Types::Check, composites)
}

/// A tree like the first one, where each atom is `f` of the atoms at the same place in all trees.
///
/// # Errors
/// `InvalidArgument` if no tree is given, or the trees differ in structure; what `f` fails with.
///
/// ```
/// use extype::nest::tree::{self, Composites, Types};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let (x, y) = (AnyValue::new(vec![2i64, 3]), AnyValue::new(vec![scalar(1.0f32), scalar(5.0f32)]));
/// let pairs = tree::map_structures(
///     &[&x, &y],
///     |parts| Ok(AnyValue::new(format!("{} {}", parts[0].spec(), parts[1].leaves().len()))),
///     Types::Check,
///     Composites::Keep,
/// )?;
/// assert_eq!(pairs.spec().to_string(), r#"["2 1", "3 1"]"#);
/// # Ok::<(), Error>(())
/// ```
pub fn map_structures<S: Tree, T: Tree>(
    trees: &[&S],
    mut f: impl FnMut(&[&S]) -> Result<T>,
    types: Types,
    composites: Composites,
) -> Result<T> {
    let Some((first, rest)) = trees.split_first() else {
        bail!("no structure is given to be mapped");
    };
    rest.iter().try_for_each(|tree| assert_same_structure(*first, *tree, types, composites))?;
    let flat: Vec<Vec<S>> = trees.iter().map(|tree| flatten(*tree, composites)).collect();
    let mapped = in_step(&flat, &mut f)?;
    pack_sequence_as(*first, mapped, composites)
}

/// `f` of the first part of each list, of the second part of each, and so on.
fn in_step<S: Tree, T>(flat: &[Vec<S>], f: &mut impl FnMut(&[&S]) -> Result<T>) -> Result<Vec<T>> {
    let place = |i: usize| flat.iter().map(|parts| &parts[i]).collect::<Vec<_>>();
    (0..flat.first().map_or(0, Vec::len)).map(|i| f(&place(i))).collect()
}

/// Checks that two trees have the same structure. A value and a spec may be compared.
///
/// Atoms are not compared. Extension types that are expanded must have a common supertype; the names of
/// tensors are ignored.
///
/// # Errors
/// `InvalidArgument` that says what differs (an atom and a container, the lengths, the keys, the
/// kinds of the containers, the specs of extension types), and ends with both structures, a dot
/// for each atom.
///
/// ```
/// use extype::nest::tree::{self, Composites, Types};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let (a, b) = (scalar(1.0f32), scalar(2.0f32));
/// let list = AnyValue::new(vec![a.clone(), b.clone()]);
/// let tuple = AnyValue::new((a, b));
/// let same = |types| tree::assert_same_structure(&list, &tuple, types, Composites::Keep);
/// assert!(same(Types::Ignore).is_ok());
/// assert!(same(Types::Check).unwrap_err().message().ends_with("[., .]\n    (., .)"));
/// ```
pub fn assert_same_structure<A: Tree, B: Tree>(
    a: &A,
    b: &B,
    types: Types,
    composites: Composites,
) -> Result<()> {
    same::check(a.spec(), b.spec(), types, composites)
}

/// Checks that a tree has at least the structure of a shallow one. Where the shallow one has an atom, the
/// tree may have anything.
///
/// # Errors
/// `InvalidArgument` if the tree has an atom where the shallow one has none, another length,
/// missing or extra keys, or a container of another kind.
///
/// ```
/// use extype::nest::tree::{self, Composites, Types};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let t = || scalar(1.0f32);
/// let (shallow, deep) = (AnyValue::new((t(), t())), AnyValue::new((t(), vec![t()])));
/// let check = |a, b| tree::assert_shallow_structure(a, b, Types::Check, Composites::Keep);
/// assert!(check(&shallow, &deep).is_ok());
/// assert!(check(&deep, &shallow).is_err());
/// ```
pub fn assert_shallow_structure<S: Tree, T: Tree>(
    shallow: &S,
    tree: &T,
    types: Types,
    composites: Composites,
) -> Result<()> {
    up_to::parts(shallow.spec(), tree.spec(), types, composites).map(|_| ())
}

/// The parts of a tree at the places of the atoms of the shallow one. A part may be a whole structure.
///
/// # Errors
/// As [`assert_shallow_structure`].
///
/// ```
/// use extype::nest::tree::{self, Composites, Types};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let t = || scalar(1.0f32);
/// let (shallow, deep) = (AnyValue::new((t(), t())), AnyValue::new((t(), vec![t(), t()])));
/// let parts = tree::flatten_up_to(&shallow, &deep, Types::Check, Composites::Keep)?;
/// assert_eq!(parts.len(), 2);
/// assert_eq!(parts[1].leaves().len(), 2);
/// # Ok::<(), Error>(())
/// ```
pub fn flatten_up_to<S: Tree, T: Tree>(
    shallow: &S,
    tree: &T,
    types: Types,
    composites: Composites,
) -> Result<Vec<T>> {
    let parts = up_to::parts(shallow.spec(), tree.spec(), types, composites)?;
    Ok(tree.split(parts.into_iter().map(|(_, s)| s).collect()))
}

/// [`flatten_up_to`] with the path to each part.
///
/// # Errors
/// As [`assert_shallow_structure`].
///
/// ```
/// use extype::nest::tree::{self, Composites, Types};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let t = || scalar(1.0f32);
/// let (shallow, deep) = (AnyValue::new((t(), t())), AnyValue::new((t(), vec![t(), t()])));
/// let parts = tree::flatten_with_paths_up_to(&shallow, &deep, Types::Check, Composites::Keep)?;
/// assert_eq!(parts[1].0.to_string(), "[1]");
/// assert_eq!(parts[1].1.leaves().len(), 2);
/// # Ok::<(), Error>(())
/// ```
pub fn flatten_with_paths_up_to<S: Tree, T: Tree>(
    shallow: &S,
    tree: &T,
    types: Types,
    composites: Composites,
) -> Result<Vec<(Path, T)>> {
    let parts = up_to::parts(shallow.spec(), tree.spec(), types, composites)?;
    let (paths, specs): (Vec<Path>, Vec<AnySpec>) = parts.into_iter().unzip();
    Ok(paths.into_iter().zip(tree.split(specs)).collect())
}

/// A tree like the shallow one, where each atom is `f` of the parts at the same place in all trees.
///
/// # Errors
/// As [`assert_shallow_structure`], and what `f` fails with.
///
/// ```
/// use extype::nest::tree::{self, Composites, Types};
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let t = || scalar(1.0f32);
/// let (shallow, deep) = (AnyValue::new((t(), t())), AnyValue::new((t(), vec![t(), t()])));
/// let counts = tree::map_structure_up_to(
///     &shallow,
///     &[&deep],
///     |parts| Ok(AnyValue::new(parts[0].leaves().len() as i64)),
///     Types::Check,
///     Composites::Keep,
/// )?;
/// assert_eq!(counts.spec().to_string(), "(1, 2)");
/// # Ok::<(), Error>(())
/// ```
pub fn map_structure_up_to<S: Tree, T: Tree, U: Tree>(
    shallow: &S,
    trees: &[&T],
    mut f: impl FnMut(&[&T]) -> Result<U>,
    types: Types,
    composites: Composites,
) -> Result<U> {
    if trees.is_empty() {
        bail!("no structure is given to be mapped");
    }
    let flat = trees.iter().map(|tree| flatten_up_to(shallow, *tree, types, composites));
    let mapped = in_step(&flat.collect::<Result<Vec<_>>>()?, &mut f)?;
    pack_sequence_as(shallow, mapped, composites)
}
