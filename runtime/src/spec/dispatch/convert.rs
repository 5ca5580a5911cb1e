//! Converts values to tensors where an op needs one.

use std::sync::Arc;

use super::table::{Handlers, TypeRef, change};
use crate::array::{HostScalar, Scalar};
use crate::spec::{AnySpec, AnyValue, ExtensionType, Literal};
use crate::tensor::{Tensor, TensorLike, Variable};
use crate::types::{Result, bail, caught, err};

pub(super) type Convert = Arc<dyn Fn(&AnyValue) -> Result<Tensor> + Send + Sync>;

/// How a type converts to a tensor; submitted by `#[overrides(to_tensor)]`.
#[derive(Clone, Copy)]
pub struct ConversionEntry {
    /// The type.
    pub owner: TypeRef,
    /// The conversion.
    pub convert: fn(&AnyValue) -> Result<Tensor>,
}

inventory::collect!(ConversionEntry);

/// Declares how values of a type convert to tensors. Run-time dispatch converts them if no handler answers.
/// `#[overrides(to_tensor)]` in a `#[dispatch]` impl does the same.
///
/// # Errors
/// `AlreadyExists` if the type has a conversion.
///
/// ```
/// use extype::ir::Attrs;
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// use extype::spec::dispatch::{call, register_conversion};
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Celsius {
///     degrees: Tensor,
/// }
/// register_conversion(|c: &Celsius| Ok(c.degrees.clone()))?;
/// let c = AnyValue::new(Celsius { degrees: scalar(20.0f32) });
/// let y: Tensor = call("Neg", &[c], &Attrs::new())?.downcast()?;
/// assert_eq!(y.item::<f32>()?, -20.0);
/// # Ok::<(), Error>(())
/// ```
pub fn register_conversion<T: ExtensionType>(convert: fn(&T) -> Result<Tensor>) -> Result<()> {
    let owner = TypeRef::of::<T>();
    change(|handlers| {
        if handlers.conversions.contains_key(&owner.id()) {
            bail!(AlreadyExists, "`{}` has a conversion to a tensor already", owner.short_name());
        }
        let erased = move |value: &AnyValue| convert(&value.clone().downcast::<T>()?);
        handlers.conversions.insert(owner.id(), Arc::new(erased));
        Ok(())
    })
}

/// The value as a tensor, if it is one or its type declares a conversion.
pub(super) fn to_tensor(value: &AnyValue, handlers: &Handlers) -> Option<Result<Tensor>> {
    if let Some(t) = value.as_tensor() {
        return Some(Ok(t.clone()));
    }
    match value.spec() {
        AnySpec::Composite(c) => {
            let convert = handlers.conversions.get(&c.class.type_id?)?;
            let what = || format!("the conversion of `{}` to a tensor", c.class.short_name);
            Some(caught(what, || convert(value)))
        }
        _ => None,
    }
}

/// Turns variables, plain numbers, strings and lists of integers into tensors. Other values are returned
/// unchanged.
pub(super) fn plain_to_tensor(value: AnyValue) -> Result<AnyValue> {
    Ok(match value.spec() {
        AnySpec::Variable(_) => value.downcast::<Variable>()?.read()?.into(),
        AnySpec::Literal(literal) => match number(literal) {
            Some(number) => AnyValue::from(Tensor::from(number?)),
            None => match literal {
                Literal::Str(s) => s.to_string().to_tensor()?.into(),
                _ => value,
            },
        },
        AnySpec::List(items) | AnySpec::Tuple(items) => {
            let integer = |item: &AnySpec| match item {
                AnySpec::Literal(Literal::Int(i)) => i64::try_from(*i).ok(),
                _ => None,
            };
            match items.iter().map(integer).collect::<Option<Vec<i64>>>() {
                Some(integers) if !integers.is_empty() => integers.to_tensor()?.into(),
                _ => value,
            }
        }
        _ => value,
    })
}

/// The scalar of a numeric literal, which still takes the dtype of a tensor operand.
fn number(literal: &Literal) -> Option<Result<Scalar>> {
    Some(Ok(match literal {
        Literal::Bool(b) => b.to_scalar(),
        Literal::Float(x) => x.to_scalar(),
        Literal::Int(i) => match (i64::try_from(*i), u64::try_from(*i)) {
            (Ok(i), _) => i.to_scalar(),
            (_, Ok(i)) => i.to_scalar(),
            _ => return Some(Err(err!("the integer {i} has more than 64 bits"))),
        },
        _ => return None,
    }))
}
