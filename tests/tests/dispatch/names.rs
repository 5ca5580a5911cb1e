//! The names of an op in `#[overrides(…)]`: its function, its type, its name in graphs, its operator.

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Named {
    x: Tensor,
    #[static_data]
    by: String,
}

fn named(by: &str) -> Result<Named> {
    Named::new([true], by)
}

macro_rules! by_operator {
    ($($op:tt $name:ident)*) => {
        #[dispatch]
        impl Named {
            $(#[overrides($op, ..)]
            fn $name(_x: &Self, _y: &Self) -> Result<Self> {
                named(stringify!($name))
            })*

            #[overrides(-)]
            fn neg(_x: &Self) -> Result<Self> {
                named("neg")
            }

            #[overrides(!)]
            fn logical_not(_x: &Self) -> Result<Self> {
                named("logical_not")
            }

            #[overrides(BatchMatMulV2, ..)]
            fn batch_matmul(_x: &Self, _y: &Self) -> Result<Self> {
                named("BatchMatMulV2")
            }

            #[overrides(MatMul)]
            fn matmul(_x: &Self, _y: &Self, _transpose_a: bool, transpose_b: bool) -> Result<Self> {
                named(if transpose_b { "transposed" } else { "MatMul" })
            }
        }
    };
}
by_operator! { + add - sub * mul / div % rem & logical_and | logical_or ^ not_equal << left_shift >> right_shift }

#[test]
fn an_op_has_many_names() -> Result<()> {
    let x = named("x")?;
    let by = [
        (&x + &x).by,
        (&x - &x).by,
        (&x * &x).by,
        (&x / &x).by,
        (&x % &x).by,
        (&x & &x).by,
        (&x | &x).by,
        (-&x).by,
        (!&x).by,
        ops::not_equal(&x, &x)?.by,
        ops::left_shift(&x, &x)?.by,
        ops::right_shift(&x, &x)?.by,
        ops::batch_matmul(&x, &x)?.by,
        ops::matmul(&x, &x)?.by,
    ];
    let names = [
        "add",
        "sub",
        "mul",
        "div",
        "rem",
        "logical_and",
        "logical_or",
        "neg",
        "logical_not",
        "not_equal",
        "left_shift",
        "right_shift",
        "BatchMatMulV2",
        "MatMul",
    ];
    assert_eq!(by, names);
    Ok(())
}
