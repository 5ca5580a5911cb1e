//! Forms of traced functions. As users write them without rustfmt, and without warnings.
#![deny(warnings)]

use extype::prelude::*;

#[tf_function]
fn same<T: Structure + Clone>(x: &T, y: &Tensor) -> Result<(T, Tensor)> {
    Ok((x.clone(), ops::add(y, 1.0)?))
}

#[tf_function]
fn listed<T: Structure + Clone>(xs: &[T], y: &(T, Tensor)) -> Result<(Vec<T>, (T, Tensor))> {
    Ok((xs.to_vec(), y.clone()))
}

trait Doubled {
    fn doubled(x: &Tensor) -> Result<Tensor>;
    fn doubled_by(&self, x: &Tensor) -> Result<Tensor>;
}

#[derive(ExtensionType, Clone, Debug)]
struct By {
    by: Tensor,
}

impl Doubled for By {
    #[rustfmt::skip]
    #[tf_function(handle = none)]
    fn doubled(x: &Tensor) -> Result<Tensor> { ops::mul(x, 2.0) }

    #[rustfmt::skip]
    #[tf_function(handle = none)]
    fn doubled_by(&self, x: &Tensor) -> Result<Tensor> { ops::mul(x, &self.by) }
}

#[rustfmt::skip]
#[tf_function(handle = none)]
fn nothing() -> Result<Tensor> { Ok(scalar(3.0f32)) }

#[test]
fn a_result_like_the_arguments_compiles_and_has_a_concrete_function() {
    let x = scalar(1.0f32);
    let (_, y) = same(&x, &x).unwrap();
    assert_eq!(y.item::<f32>().unwrap(), 2.0);
    let spec = x.type_spec();
    assert_eq!(same::<Tensor>::concrete(&spec, &spec).unwrap().output_spec().leaves().len(), 2);
    let (xs, pair) = listed(&[x.clone(), x.clone()], &(x.clone(), x)).unwrap();
    assert_eq!((xs.len(), pair.1.item::<f32>().unwrap()), (2, 1.0));
}

#[test]
fn bodies_of_one_expression_need_no_other_braces() {
    let (x, by) = (scalar(1.5f32), By { by: scalar(2.0f32) });
    assert_eq!(By::doubled(&x).unwrap().item::<f32>().unwrap(), 3.0);
    assert_eq!(by.doubled_by(&x).unwrap().item::<f32>().unwrap(), 3.0);
    assert_eq!(nothing().unwrap().item::<f32>().unwrap(), 3.0);
}
