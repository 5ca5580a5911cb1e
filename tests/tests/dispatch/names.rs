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
            fn not(_x: &Self) -> Result<Self> {
                named("not")
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
by_operator! { + add - sub * mul / div % rem & bitand | bitor ^ bitxor << left_shift >> right_shift }

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
        (&x ^ &x).by,
        (&x << &x).by,
        (&x >> &x).by,
        ops::bitxor(&x, &x)?.by,
        ops::not(&x)?.by,
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
        "bitand",
        "bitor",
        "neg",
        "not",
        "bitxor",
        "left_shift",
        "right_shift",
        "bitxor",
        "not",
        "left_shift",
        "right_shift",
        "BatchMatMulV2",
        "MatMul",
    ];
    assert_eq!(by, names);
    Ok(())
}

/// Rust's traits for operators, as names.
#[derive(ExtensionType, Clone, Debug)]
struct ByTrait {
    x: Tensor,
}

macro_rules! by_trait {
    ($($name:ident $function:ident),*) => {
        #[dispatch]
        impl ByTrait {
            $(#[overrides($name, with = Tensor)]
            fn $function(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
                let (a, b) = match operands {
                    Pair::Both(a, b) => (&a.x, &b.x),
                    Pair::Left(a, b) => (&a.x, b),
                    Pair::Right(a, b) => (a, &b.x),
                };
                Ok(Self { x: ops::$function(a, b)? })
            })*

            #[overrides(Not)]
            fn not(x: &Self) -> Result<Self> {
                Ok(Self { x: ops::not(&x.x)? })
            }
        }
    };
}
by_trait!(BitAnd bitand, BitOr bitor, BitXor bitxor, Shl left_shift, Shr right_shift, Rem rem);

#[test]
fn types_of_bits_have_the_operators_of_rust_by_their_traits() -> Result<()> {
    let of = |n: i32| ByTrait::new(n);
    let told = |x: ByTrait| x.x.item::<i32>();
    let (x, y) = (of(13)?, of(6)?);
    assert_eq!(told(&x & &y)?, 13 & 6);
    assert_eq!(told(&x | 6)?, 13 | 6);
    assert_eq!(told(13 ^ &y)?, 13 ^ 6);
    assert_eq!(told(1 << &y)?, 1 << 6);
    assert_eq!(told(&x >> 2)?, 13 >> 2);
    assert_eq!(told(!&x)?, !13);
    let mut z = x.clone();
    z &= &y;
    z |= 8;
    z ^= 1;
    z <<= 3;
    z >>= 1;
    z %= 50;
    assert_eq!(told(z)?, {
        let mut z = 13;
        z &= 6;
        z |= 8;
        z ^= 1;
        z <<= 3;
        z >>= 1;
        z % 50
    });
    let bools = ByTrait::new([true, false])?;
    assert_eq!((true ^ &bools).x.as_slice::<bool>()?, &[false, true]);
    Ok(())
}

/// A family, with one op taken out of it.
#[derive(ExtensionType, Clone, Debug)]
struct Counted {
    x: Tensor,
    #[static_data]
    ands: usize,
}

#[dispatch]
impl Counted {
    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (a, b, ands) = match operands {
            Pair::Both(a, b) => (&a.x, &b.x, a.ands + b.ands),
            Pair::Left(a, b) => (&a.x, b, a.ands),
            Pair::Right(a, b) => (a, &b.x, b.ands),
        };
        Ok(Self { x: op.call(a, b)?, ands })
    }

    #[overrides(logical_and, in binary_elementwise)]
    fn and(x: &Self, y: &Self) -> Result<Self> {
        Ok(Self { x: ops::logical_and(&x.x, &y.x)?, ands: x.ands + y.ands + 1 })
    }

    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { x: op.call(&x.x)?, ands: x.ands })
    }
}

#[test]
fn operators_reach_families_and_what_is_taken_out_of_them() -> Result<()> {
    let (n, b) = (Counted::new([13, 7], 0usize)?, Counted::new([true, false], 0usize)?);
    assert_eq!((&n ^ 6).x.as_slice::<i32>()?, &[11, 1]);
    assert_eq!((1 << &n).x.as_slice::<i32>()?, &[1 << 13, 1 << 7]);
    assert_eq!((!&n).x.as_slice::<i32>()?, &[!13, !7]);
    assert_eq!((!&b).x.as_slice::<bool>()?, &[false, true]);
    assert_eq!((&b | true).x.as_slice::<bool>()?, &[true, true]);
    // Of two masks it is the op that stands for itself; beside a tensor the family's.
    assert_eq!(((&b & &b).ands, (&b & true).ands), (1, 0));
    Ok(())
}

/// Overrides of a function serve the operator: a mask of masks.
#[derive(ExtensionType, Clone, Debug)]
struct Mask {
    x: Tensor,
}

#[dispatch]
impl Mask {
    #[overrides(logical_or)]
    fn or(x: &Self, y: &Self) -> Result<Option<Self>> {
        Ok((x.x.dtype() == bool)
            .then(|| ops::logical_or(&x.x, &y.x))
            .transpose()?
            .map(|x| Self { x }))
    }

    #[overrides(ops::logical_not)]
    fn not(x: &Self) -> Result<Self> {
        Ok(Self { x: x.x.logical_not()? })
    }
}

#[test]
fn an_override_of_the_logical_op_serves_its_operator() -> Result<()> {
    let mut any = Mask::new([true, false, false])?;
    any |= &Mask::new([false, true, false])?;
    assert_eq!((!any).x.as_slice::<bool>()?, &[false, false, true]);
    let integers = Mask::new([1])?;
    let e = ops::bitor(&integers, &integers).unwrap_err();
    assert!(e.to_string().contains("logical_or"), "{e}");
    Ok(())
}
