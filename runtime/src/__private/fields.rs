//! `#[derive(ExtensionType)]`: the fields of specs, and the checks of constructors.

use crate::spec::{
    AnySpec, Composite, ExtensionType, Leaves, Literal, StaticData, Structure, TypeSpec,
};
use crate::tensor::{Tensor, TensorLike, call_site, call_site_of};
use crate::types::{DType, Error, Result, Shape, bail, err};

/// The spec of a component out of a composite.
pub fn component_spec<S: TypeSpec>(composite: &Composite, name: &str) -> Result<S> {
    S::from_any(field(composite, name)?).map_err(|e| e.prefixed(format!("field `{name}`")))
}

/// A static field out of a composite.
pub fn static_field<T: StaticData>(composite: &Composite, name: &str) -> Result<T> {
    match field(composite, name)? {
        AnySpec::Literal(literal) => T::from_literal(literal),
        other => bail!("field `{name}`: expected a literal, got {other}"),
    }
}

fn field<'a>(composite: &'a Composite, name: &str) -> Result<&'a AnySpec> {
    composite
        .field(name)
        .ok_or_else(|| err!("field `{name}` of `{}` is missing", composite.class.short_name))
}

/// Static data as a field of a composite.
pub fn literal<T: StaticData>(value: &T) -> AnySpec {
    AnySpec::Literal(value.to_literal())
}

/// The name of the variant as a field of a composite.
pub fn variant(name: &'static str) -> AnySpec {
    AnySpec::Literal(Literal::Str(name.into()))
}

/// The name of the variant that a composite is the spec of.
pub fn variant_of(composite: &Composite) -> Result<&str> {
    match field(composite, "variant")? {
        AnySpec::Literal(Literal::Str(name)) => Ok(name),
        other => bail!("field `variant`: expected a string, got {other}"),
    }
}

/// The error for a name that is no variant.
#[cold]
pub fn unknown_variant(ty: &str, name: &str) -> Error {
    err!("`{ty}` has no variant `{name}`")
}

/// The tensor for a field of a constructor.
#[track_caller]
pub fn tensor_field(name: &'static str, value: impl TensorLike) -> Result<Tensor> {
    let _site = call_site();
    Tensor::new(value).map_err(|e| e.prefixed(format!("field `{name}`")))
}

/// The value that a constructor made, if it passes the checks of its type. Errors are at the line of the constructor.
#[track_caller]
pub fn checked<T: ExtensionType>(value: T) -> Result<T> {
    let name = std::any::type_name::<T>();
    let name = name.split('<').next().unwrap_or(name);
    let _site = call_site_of(name.rsplit("::").next());
    value.check()?;
    Ok(value)
}

/// Checks every tensor in a field of the type `owner` against the constraints of the field. Unknown dimensions pass.
pub fn check_field<T: Structure>(
    owner: &str,
    name: &str,
    value: &T,
    dtypes: &[DType],
    shape: Option<&Shape>,
) -> Result<()> {
    let mut leaves = Leaves::new();
    value.leaves(&mut leaves);
    let fits = |dtype: DType, found: &Shape| {
        (dtypes.is_empty() || dtypes.contains(&dtype))
            && shape.is_none_or(|wanted| wanted.is_compatible_with(found))
    };
    match leaves.iter().all(|t| t.dtype() != DType::Resource && fits(t.dtype(), &t.shape())) {
        true => Ok(()),
        false => each_leaf(owner, name, &value.type_spec().to_any(), dtypes, shape),
    }
}

/// Checks the spec of a field, which has the types of variables and the paths of tensors.
#[cold]
fn each_leaf(
    owner: &str,
    name: &str,
    spec: &AnySpec,
    dtypes: &[DType],
    shape: Option<&Shape>,
) -> Result<()> {
    for (path, leaf) in spec.leaf_paths() {
        let (found_dtype, found_shape) = match &leaf {
            AnySpec::Tensor(t) => (t.dtype, &t.shape),
            AnySpec::Variable(v) => (v.dtype, &v.shape),
            _ => continue,
        };
        if !dtypes.is_empty() && !dtypes.contains(&found_dtype) {
            let wanted: Vec<String> = dtypes.iter().map(ToString::to_string).collect();
            let wanted = wanted.join(" or ");
            let e = err!("field `{name}{path}`: expected dtype {wanted}, got {found_dtype}");
            return Err(e.with_op(owner));
        }
        if let Some(wanted) = shape.filter(|wanted| !wanted.is_compatible_with(found_shape)) {
            let e = err!("field `{name}{path}`: expected shape {wanted}, got {found_shape}");
            return Err(e.with_op(owner));
        }
    }
    Ok(())
}
