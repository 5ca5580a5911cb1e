//! Rust's operators on extension types: comparisons in traced functions, `+=`.

use extype::prelude::*;

/// Temperatures.
#[derive(ExtensionType, Clone, Debug)]
struct Degrees {
    values: Tensor,
}

#[dispatch]
impl Degrees {
    #[overrides(less, with = Tensor)]
    fn less(operands: Pair<'_, Self, Tensor>) -> Result<Tensor> {
        match operands {
            Pair::Both(x, y) => ops::less(&x.values, &y.values),
            Pair::Left(x, y) => ops::less(&x.values, y),
            Pair::Right(x, y) => ops::less(x, &y.values),
        }
    }

    #[overrides(equal)]
    fn equal(x: &Self, y: &Self) -> Result<Tensor> {
        ops::equal(&x.values, &y.values)
    }

    #[overrides(add, with = Tensor)]
    fn add(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y) = match operands {
            Pair::Both(x, y) => (&x.values, &y.values),
            Pair::Left(x, y) => (&x.values, y),
            Pair::Right(x, y) => (x, &y.values),
        };
        Ok(Self { values: ops::add(x, y)? })
    }
}

fn degrees(x: f32) -> Degrees {
    Degrees { values: scalar(x) }
}

#[tf_function]
fn colder(x: &Degrees, y: &Degrees) -> Result<Degrees> {
    let (own, other) = (x.clone(), y.clone());
    if x < y && own < other { Ok(x.clone()) } else { Ok(y.clone()) }
}

#[tf_function]
fn is_frost(x: &Degrees) -> Result<Tensor> {
    if x < 0.0 { Ok(scalar(1)) } else { Ok(scalar(0)) }
}

#[tf_function]
fn are_the_same(x: &Degrees, y: &Degrees) -> Result<Tensor> {
    if x == y { Ok(scalar(1)) } else { Ok(scalar(0)) }
}

#[test]
fn comparisons_in_traced_functions_go_to_the_override() -> Result<()> {
    for (x, y) in [(1.0, 2.0), (2.0, 1.0)] {
        assert_eq!(colder(&degrees(x), &degrees(y))?.values.item::<f32>()?, 1.0);
    }
    assert_eq!(colder::trace_count(), 1);
    assert_eq!(is_frost(&degrees(-1.0))?.item::<i32>()?, 1);
    assert_eq!(is_frost(&degrees(1.0))?.item::<i32>()?, 0);
    assert_eq!(are_the_same(&degrees(1.0), &degrees(1.0))?.item::<i32>()?, 1);
    assert_eq!(are_the_same(&degrees(1.0), &degrees(2.0))?.item::<i32>()?, 0);
    Ok(())
}

/// Plain values that are compared as Rust does, beside those that are not.
#[tf_function]
fn plainly(x: &Tensor, n: i64, names: &[String]) -> Result<Tensor> {
    let mut y = x.clone();
    let (mut i, known) = (0, names[0].clone());
    while i < n {
        if 1 < i && known != "none" && "a" < known.as_str() {
            y = y + 1;
        }
        if 100 > y {
            y = y + 10;
        }
        i += 1;
    }
    Ok(y)
}

#[test]
fn what_is_plain_is_compared_by_rust() -> Result<()> {
    assert_eq!(plainly(&scalar(0), 4, &["name".to_owned()])?.item::<i32>()?, 42);
    Ok(())
}

#[tf_function]
fn summed(xs: &[Degrees], warm: &Tensor) -> Result<Degrees> {
    let mut total = xs[0].clone();
    for x in xs {
        total += x;
        if warm {
            total += 1.0;
        }
    }
    Ok(total)
}

#[test]
fn what_overrides_an_operator_has_its_assignment() -> Result<()> {
    let mut x = degrees(1.0);
    let before = x.clone();
    x += &degrees(2.0);
    x += degrees(3.0);
    x += 4.0;
    assert_eq!(x.values.item::<f32>()?, 10.0);
    assert_eq!(before.values.item::<f32>()?, 1.0);
    let total = summed(&[degrees(1.0), degrees(2.0)], &scalar(true))?;
    assert_eq!(total.values.item::<f32>()?, 6.0);
    Ok(())
}

/// A generic type, and an override of the family.
#[derive(ExtensionType, Clone, Debug)]
struct Tagged<T: ExtensionType> {
    values: Tensor,
    tag: T,
}

#[dispatch]
impl<T: ExtensionType + Clone> Tagged<T> {
    #[overrides(binary_elementwise)]
    fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> Result<Self> {
        if op.name() == "pow" {
            return Err(Error::invalid("no powers"));
        }
        Ok(Self { values: op.call(&x.values, &y.values)?, tag: x.tag.clone() })
    }
}

#[test]
fn a_family_has_its_assignments_and_knows_the_name_of_the_op() -> Result<()> {
    let mut x = Tagged { values: scalar(2.0f32), tag: degrees(0.0) };
    let y = x.clone();
    x *= &y;
    x -= y.clone();
    assert_eq!(x.values.item::<f32>()?, 2.0);
    assert_eq!(ops::pow(&x, &y).unwrap_err().message(), "no powers");
    Ok(())
}
