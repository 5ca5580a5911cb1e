//! Equality of values: types and static data are compared immediately, elements by ops.

use super::nest::{Nest, Takes};
use super::{AnySpec, Leaves, SpecContext, Structure, TensorSpec, TypeSpec};
use crate::array::Array;
use crate::ops::{Axes, Binary, EqualFn, LogicalAnd, Op, Rank, ReduceAll, ShapeOf};
use crate::tensor::Tensor;
use crate::types::{DType, Result, Shape};

/// Whether two values are equal: a bool tensor of rank 0, symbolic in a trace.
///
/// Two values are equal if they have the same type, static data and variables, and their tensors have the
/// same dtypes, shapes and elements. Nothing is broadcast, and NaN equals nothing. Static data, dtypes and
/// known shapes are compared immediately. In a trace, the rest is compared when it runs.
///
/// # Errors
/// The comparison itself makes none. In a trace, adding nodes may fail.
///
/// ```
/// use extype::prelude::*;
/// let (x, y) = (tensor![1.0f32, 1.0], tensor![[1.0f32, 1.0]]);
/// assert!(nest::equal(&(x.clone(), 3i64), &(x.clone(), 3i64))?.item::<bool>()?);
/// assert!(!nest::equal(&(x.clone(), 3i64), &(x.clone(), 4i64))?.item::<bool>()?);
/// assert!(!nest::equal(&x, &y)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[rustfmt::skip]
#[track_caller]
pub fn equal<A, B>(a: &A, b: &B) -> Result<Tensor> where Nest: Takes<A> + Takes<B> {
    let _site = crate::tensor::call_site();
    let (a, b) = (Nest::lent(a), Nest::lent(b));
    let known = |equal: bool| Tensor::Value(Array::scalar(equal));
    let unequal = || Ok(known(false));
    // One context for both: a variable has the same alias id in both specs.
    let context = &mut SpecContext::new();
    if static_part(&a.spec_in(context).to_any()) != static_part(&b.spec_in(context).to_any()) {
        return unequal();
    }
    let (mut lefts, mut rights) = (Leaves::new(), Leaves::new());
    a.leaves(&mut lefts);
    b.leaves(&mut rights);
    if lefts.len() != rights.len() {
        return unequal();
    }
    let mut all: Option<Tensor> = None;
    for (x, y) in lefts.into_iter().zip(rights) {
        if x.dtype() == DType::Resource {
            continue;
        }
        let (left, right) = (x.shape(), y.shape());
        if !left.is_compatible_with(&right) {
            return unequal();
        }
        let fixed = left.is_fully_defined() && right.is_fully_defined();
        for part in if fixed { elements(x, y) } else { shapes_and_elements(x, y) }? {
            all = Some(match all {
                None => part,
                Some(all) => LogicalAnd::default().run(&[&all, &part])?,
            });
        }
    }
    Ok(all.unwrap_or_else(|| known(true)))
}

/// The spec without shapes and names, which must be equal before elements are compared.
fn static_part(spec: &AnySpec) -> AnySpec {
    spec.map_leaves(&|leaf| match leaf {
        AnySpec::Tensor(t) => AnySpec::Tensor(TensorSpec::new(Shape::unknown(), t.dtype)),
        other => other.clone(),
    })
}

fn elements(x: &Tensor, y: &Tensor) -> Result<Vec<Tensor>> {
    let equal = Binary(EqualFn { incompatible_shape_error: false }).run(&[x, y])?;
    Ok(vec![ReduceAll::new(Axes::All, false).run(&[&equal])?])
}

/// Compares ranks too: as vectors, the shapes `[3]` and `[3, 3]` broadcast and would be equal.
fn shapes_and_elements(x: &Tensor, y: &Tensor) -> Result<Vec<Tensor>> {
    let shape = ShapeOf { out_type: DType::I64 };
    let mut parts = elements(&Rank {}.run(&[x])?, &Rank {}.run(&[y])?)?;
    parts.extend(elements(&shape.run(&[x])?, &shape.run(&[y])?)?);
    parts.extend(elements(x, y)?);
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Variable;

    fn eq<A: Structure, B: Structure>(a: &A, b: &B) -> bool {
        equal(a, b).unwrap().item::<bool>().unwrap()
    }

    #[test]
    fn static_data_dtypes_shapes_and_elements_count() {
        let t = |x: [f32; 2]| Tensor::from_vec(x.to_vec());
        assert!(eq(&t([1.0, 2.0]), &t([1.0, 2.0])));
        assert!(!eq(&t([1.0, 2.0]), &t([1.0, 3.0])));
        assert!(!eq(&t([f32::NAN, 2.0]), &t([f32::NAN, 2.0])));
        assert!(!eq(&t([1.0, 2.0]), &Tensor::from_vec(vec![1.0f64, 2.0])));
        assert!(!eq(&t([1.0, 1.0]), &Tensor::new(1.0f32).unwrap()));
        assert!(!eq(&Tensor::from_vec(Vec::<f32>::new()), &Tensor::new(1.0f32).unwrap()));
        assert!(eq(&Vec::<Tensor>::new(), &Vec::<Tensor>::new()));
        assert!(!eq(&vec![t([1.0, 1.0])], &Some(t([1.0, 1.0]))));
        assert!(eq(&f64::NAN, &f64::NAN), "static data are compared as literals");
    }

    #[test]
    fn a_variable_equals_itself() {
        let (v, w) = (Variable::new([1.0f32]).unwrap(), Variable::new([1.0f32]).unwrap());
        assert!(eq(&v, &v.clone()) && !eq(&v, &w));
        assert!(eq(&(v.clone(), w.clone()), &(v.clone(), w.clone())));
        assert!(!eq(&(v.clone(), w.clone()), &(w, v)));
    }
}
