//! Forms of traced functions. As users write them without rustfmt, and without warnings.
#![deny(warnings)]

use extype::prelude::*;
use extype::spec::VariableSpec;

#[tf_function]
fn same<T: Structure + Clone>(x: &T, y: &Tensor) -> Result<(T, Tensor)> {
    Ok((x.clone(), ops::add(y, 1.0)?))
}

#[tf_function]
fn listed<T: Structure + Clone>(xs: &[T], y: &(T, Tensor)) -> Result<(Vec<T>, (T, Tensor))> {
    Ok((xs.to_vec(), y.clone()))
}

#[tf_function]
fn lived<'a, T>(x: &'a T) -> Result<T>
where
    T: Structure + Clone + 'a,
{
    Ok(x.clone())
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

impl By {
    #[tf_function]
    fn of(x: &Tensor) -> Result<Self> {
        Ok(Self { by: if x > 1.0 { ops::mul(x, 2.0)? } else { x.clone() } })
    }

    #[tf_function(reduce_retracing)]
    fn sum(xs: &[Self], more: &By) -> Result<Tensor> {
        let by: Vec<Tensor> = xs.iter().map(|x| x.by.clone()).collect();
        ops::add(&ops::add_n(&by)?, &more.by)
    }
}

/// What a type does to a tensor.
trait Rule {
    const BY: f64;
}

struct Twice;
struct Thrice;

impl Rule for Twice {
    const BY: f64 = 2.0;
}

impl Rule for Thrice {
    const BY: f64 = 3.0;
}

struct Ruled<R>(std::marker::PhantomData<R>);

impl<R: Rule + 'static> Ruled<R> {
    #[tf_function]
    fn named(x: &Tensor) -> Result<Tensor> {
        Self::plain(x)
    }

    #[tf_function(handle = none)]
    fn unnamed(x: &Tensor) -> Result<Tensor> {
        ops::mul(x, R::BY)
    }

    fn plain(x: &Tensor) -> Result<Tensor> {
        ops::mul(x, R::BY)
    }
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

#[test]
fn bounds_may_name_lifetimes() {
    let x = (scalar(1.0f32), vec![scalar(2)]);
    assert_eq!(lived(&x).unwrap().1[0].item::<i32>().unwrap(), 2);
    assert_eq!(lived::<(Tensor, Vec<Tensor>)>::trace_count(), 1);
}

#[test]
fn associated_functions_are_traced() {
    let x = By::of(&scalar(3.0f32)).unwrap();
    assert_eq!(x.by.item::<f32>().unwrap(), 6.0);
    assert_eq!(By::of(&scalar(0.5f32)).unwrap().by.item::<f32>().unwrap(), 0.5);
    assert_eq!(By::sum(&[x.clone(), x.clone()], &x).unwrap().item::<f32>().unwrap(), 18.0);
}

#[test]
fn the_types_that_an_impl_is_generic_over_have_traces_of_their_own() {
    let x = scalar(1.0f32);
    for _ in 0..2 {
        assert_eq!(Ruled::<Twice>::named(&x).unwrap().item::<f32>().unwrap(), 2.0);
        assert_eq!(Ruled::<Thrice>::named(&x).unwrap().item::<f32>().unwrap(), 3.0);
        assert_eq!(Ruled::<Twice>::unnamed(&x).unwrap().item::<f32>().unwrap(), 2.0);
        assert_eq!(Ruled::<Thrice>::unnamed(&x).unwrap().item::<f32>().unwrap(), 3.0);
    }
}

#[tf_function]
fn product(v: &Variable, w: &Variable) -> Result<Tensor> {
    ops::mul(v.read()?, w.read()?)
}

#[test]
fn variables_of_no_number_are_others_for_concrete() -> Result<()> {
    let any = VariableSpec::new([], f32);
    product::concrete(&any, &any)?;
    let (v, w) = (Variable::new(2.0f32)?, Variable::new(3.0f32)?);
    assert_eq!(product(&v, &w)?.item::<f32>()?, 6.0);
    assert_eq!(product::trace_count(), 1);
    assert_eq!(product(&v, &v)?.item::<f32>()?, 4.0);
    assert_eq!(product::trace_count(), 2);
    Ok(())
}
