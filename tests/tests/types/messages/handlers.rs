//! Errors that handlers of extension types make themselves.

use extype::prelude::*;

use super::says;

#[derive(ExtensionType, Clone, Debug)]
struct Meters {
    value: Tensor,
}

#[dispatch]
impl Meters {
    #[overrides(matmul, ..)]
    fn matmul(x: &Self, y: &Self) -> Result<Self> {
        Err(Error::invalid(format!("no area from {} and {}", x.value.shape(), y.value.shape())))
    }

    #[overrides(add)]
    fn add(_: &Self, _: &Self) -> Result<Self> {
        Err(Error::invalid("no sums"))
    }

    #[overrides(tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(Self { value: x.value.logical_not()? })
    }
}

const FILE: &str = "handlers.rs";

#[test]
fn they_are_of_the_op_at_the_users_line() -> Result<()> {
    let m = Meters::new([1.0f32, 2.0])?;
    says(ops::matmul(&m, &m), (FILE, line!()), &["matmul: no area from [2] and [2]\n  at "]);
    says(m.matmul(&m), (FILE, line!()), &["matmul: no area"]);
    let sum = function(|m: &Meters| Ok(m + m));
    says(sum.call(&m), (FILE, line!() - 1), &["add: no sums\n  at "]);
    Ok(())
}

#[test]
fn an_op_that_a_handler_calls_is_the_one_that_fails() -> Result<()> {
    let m = Meters::new([1.0f32, 2.0])?;
    says(m.tanh(), (FILE, line!()), &["logical_not: "]);
    Ok(())
}
