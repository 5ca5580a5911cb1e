//! Plain values of Rust as arguments: they become what the signature of a function says.

use std::collections::BTreeMap;

use super::Argument;
use crate::spec::{
    AnySpec, Dims, ExtensionType, Fingerprint, LeafIter, Leaves, LiteralSpec, Of, OfSpec,
    OpaqueSpec, PackedSpec, SpecContext, Structure, TypeSpec, VariableSpec,
};
use crate::tensor::{Tensor, TensorLike};
use crate::types::{Result, err};

/// Values that become an argument of type `T` of a traced function, for `f::call((…))`.
///
/// Numbers, arrays and nested lists become tensors of the dtype that the signature gives, if each number fits it
/// exactly (a float may be rounded to a shorter float). The dtype of a tensor is never changed. Lists, tuples, options
/// and maps are converted part by part; extension types, variables and plain data are passed as they are. Tensors, these
/// values and lists may also be passed by reference.
///
/// ```
/// use extype::prelude::*;
///
/// #[tf_function(signature(f32[?, 3], static bool))]
/// fn logits(x: &Tensor, training: bool) -> Result<Tensor> {
///     if training { x.square() } else { Ok(x.clone()) }
/// }
///
/// let y = logits::call((vec![[0.5, 1.0, 2.0]], true))?;
/// assert_eq!(y.as_slice::<f32>()?, &[0.25, 1.0, 4.0]);
/// assert_eq!(logits::call(([[1i64, 2, 3]], false))?.dtype(), DType::F32);
/// let e = logits::call((vec![[0.5, 1.0]], true)).unwrap_err();
/// assert_eq!(
///     e.message(),
///     "`logits`: argument `x` is TensorSpec([1, 2], float32), but the signature wants TensorSpec([?, 3], float32)"
/// );
/// let e = logits::call((tensor![[1i64, 2, 3]], false)).unwrap_err();
/// assert!(e.message().contains("`x` is TensorSpec([1, 3], int64)"), "{e}");
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not become an argument of type `{T}`",
    label = "neither a `{T}` nor plain data that becomes one",
    note = "the arguments are a tuple, `f::call((x, 3))`; that of one argument has a comma: `f::call((x,))`"
)]
pub trait CastTo<T> {
    /// The argument. `signature` is its type, if the function has a signature for it. `path` is the place of the value
    /// in the arguments, which after an error is the place of the part that is wrong.
    ///
    /// # Errors
    /// `InvalidArgument` for numbers that do not fit the dtype, and for data that is no tensor.
    fn cast_to(self, signature: Option<&AnySpec>, path: &mut String) -> Result<T>;
}

impl<V: TensorLike> CastTo<Tensor> for V {
    fn cast_to(self, signature: Option<&AnySpec>, _: &mut String) -> Result<Tensor> {
        let tensor = self.to_tensor()?;
        match (signature, &tensor) {
            (Some(spec), Tensor::Value(array)) if !self.is_tensor() => {
                let dtype = spec.handle_or_tensor().0.dtype;
                if array.dtype() == dtype {
                    return Ok(tensor);
                }
                let fitted = array.fitted(dtype).map_err(|_| {
                    err!("{tensor} does not fit {dtype}, which the signature wants")
                })?;
                Ok(Tensor::Value(fitted))
            }
            _ => Ok(tensor),
        }
    }
}

impl<V: TensorLike, T: crate::array::Element, D: Dims> CastTo<Of<T, D>> for V {
    fn cast_to(self, signature: Option<&AnySpec>, path: &mut String) -> Result<Of<T, D>> {
        let stated = OfSpec::<T, D>::default().to_any();
        CastTo::<Tensor>::cast_to(self, signature.or(Some(&stated)), path)?.typed()
    }
}

/// Marks the specs of values that are passed as they are: of extension types, plain data, variables, opaque objects.
#[doc(hidden)]
pub trait PassedWhole {}

impl<T> PassedWhole for LiteralSpec<T> {}
impl<T> PassedWhole for OpaqueSpec<T> {}
impl<T: ExtensionType> PassedWhole for PackedSpec<T> {}
impl PassedWhole for VariableSpec {}

#[diagnostic::do_not_recommend]
impl<T: Structure<Spec: PassedWhole>> CastTo<T> for T {
    fn cast_to(self, _: Option<&AnySpec>, _: &mut String) -> Result<T> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Structure<Spec: PassedWhole> + Clone> CastTo<T> for &T {
    fn cast_to(self, _: Option<&AnySpec>, _: &mut String) -> Result<T> {
        Ok(self.clone())
    }
}

impl CastTo<String> for &str {
    fn cast_to(self, _: Option<&AnySpec>, _: &mut String) -> Result<String> {
        Ok(self.to_owned())
    }
}

/// Casts a part of a value, at this place in it.
fn part<V: CastTo<T>, T>(
    value: V,
    signature: Option<&AnySpec>,
    path: &mut String,
    place: &str,
) -> Result<T> {
    let length = path.len();
    path.push_str(place);
    let part = value.cast_to(signature, path)?;
    path.truncate(length);
    Ok(part)
}

/// The type of a part in the type of a whole, by its place.
fn nth(signature: Option<&AnySpec>, i: usize) -> Option<AnySpec> {
    signature?.component_specs().into_iter().nth(i)
}

fn items<V: CastTo<T>, T>(
    values: impl IntoIterator<Item = V>,
    signature: Option<&AnySpec>,
    path: &mut String,
) -> Result<Vec<T>> {
    let item = |(i, value)| part(value, nth(signature, i).as_ref(), path, &format!("[{i}]"));
    values.into_iter().enumerate().map(item).collect()
}

impl<V: CastTo<T>, T: Structure> CastTo<Vec<T>> for Vec<V> {
    fn cast_to(self, signature: Option<&AnySpec>, path: &mut String) -> Result<Vec<T>> {
        items(self, signature, path)
    }
}

impl<'v, V, T: Structure> CastTo<Vec<T>> for &'v Vec<V>
where
    &'v V: CastTo<T>,
{
    fn cast_to(self, signature: Option<&AnySpec>, path: &mut String) -> Result<Vec<T>> {
        items(self, signature, path)
    }
}

impl<V: CastTo<T>, T: Structure, const N: usize> CastTo<[T; N]> for [V; N] {
    fn cast_to(self, signature: Option<&AnySpec>, path: &mut String) -> Result<[T; N]> {
        let items: Vec<T> = items(self, signature, path)?;
        items.try_into().map_err(|_| err!(Internal, "one item for each"))
    }
}

impl<V: CastTo<T>, T: Structure> CastTo<Option<T>> for Option<V> {
    fn cast_to(self, signature: Option<&AnySpec>, path: &mut String) -> Result<Option<T>> {
        self.map(|value| value.cast_to(nth(signature, 0).as_ref(), path)).transpose()
    }
}

impl<V: CastTo<T>, T: Structure> CastTo<BTreeMap<String, T>> for BTreeMap<String, V> {
    fn cast_to(
        self,
        signature: Option<&AnySpec>,
        path: &mut String,
    ) -> Result<BTreeMap<String, T>> {
        let (keys, values): (Vec<_>, Vec<_>) = self.into_iter().unzip();
        let specs = keys.iter().enumerate().map(|(i, _)| nth(signature, i));
        let entries = keys.iter().zip(values).zip(specs);
        let cast = |((key, value), spec): ((&String, V), Option<AnySpec>)| {
            Ok((key.clone(), part(value, spec.as_ref(), path, &format!("[{key:?}]"))?))
        };
        entries.map(cast).collect()
    }
}

/// A structure as an argument. It differs from the structure itself where a type might be a module.
#[doc(hidden)]
#[derive(Debug)]
pub struct Cast<'v, T>(pub &'v T);

#[diagnostic::do_not_recommend]
impl<T: Structure> Argument for Cast<'_, T> {
    type Spec = T::Spec;
    type Bound<'a>
        = T
    where
        Self: 'a;

    fn argument_spec(&self, context: &mut SpecContext) -> T::Spec {
        self.0.spec_in(context)
    }

    fn matches_spec(&self, spec: &T::Spec, context: &mut SpecContext) -> bool {
        self.0.has_spec(spec, context)
    }

    fn mix_argument(&self, fingerprint: &mut Fingerprint) {
        self.0.mix_spec(fingerprint);
    }

    fn argument_leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.0.leaves(out);
    }

    fn check_argument(&self) -> Result<()> {
        self.0.check_fields()
    }

    fn bind(&self, spec: &T::Spec, leaves: &mut LeafIter) -> Result<T> {
        T::from_leaves(spec, leaves)
    }

    fn stated_spec(spec: &T::Spec) -> T::Spec {
        spec.stated()
    }

    fn spec_to_any(spec: &T::Spec) -> AnySpec {
        spec.to_any()
    }

    fn spec_from_any(any: &AnySpec) -> Result<T::Spec> {
        TypeSpec::from_any(any)
    }
}

/// Arguments of a function: each is cast to its entry of the signature.
#[doc(hidden)]
pub trait CastAll<T> {
    /// The arguments; `parameters` are their names.
    ///
    /// # Errors
    /// As [`CastTo::cast_to`].
    fn cast_all(
        self,
        signature: &[Option<AnySpec>],
        parameters: &[&str],
        path: &mut String,
    ) -> Result<T>;
}

macro_rules! tuples {
    ($(($($v:ident $t:ident $i:tt),*);)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($v: CastTo<$t>, $t: Structure),*> CastTo<($($t,)*)> for ($($v,)*) {
            fn cast_to(self, signature: Option<&AnySpec>, path: &mut String) -> Result<($($t,)*)> {
                Ok(($(part(self.$i, nth(signature, $i).as_ref(), path, concat!("[", $i, "]"))?,)*))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($v: CastTo<$t>, $t),*> CastAll<($($t,)*)> for ($($v,)*) {
            fn cast_all(
                self,
                signature: &[Option<AnySpec>],
                parameters: &[&str],
                path: &mut String,
            ) -> Result<($($t,)*)> {
                Ok(($(part(
                    self.$i,
                    signature.get($i).and_then(Option::as_ref),
                    path,
                    parameters.get($i).copied().unwrap_or("args"),
                )?,)*))
            }
        })*
    };
}
tuples! {
    (A SA 0);
    (A SA 0, B SB 1);
    (A SA 0, B SB 1, C SC 2);
    (A SA 0, B SB 1, C SC 2, D SD 3);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8, J SJ 9);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8, J SJ 9, K SK 10);
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8, J SJ 9, K SK 10, L SL 11);
}

impl CastAll<()> for () {
    fn cast_all(self, _: &[Option<AnySpec>], _: &[&str], _: &mut String) -> Result<()> {
        Ok(())
    }
}
