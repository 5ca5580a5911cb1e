//! The ops behind Rust's operators `&`, `|`, `^` and `!`: bitwise on integers, logical on bools.
//! Extension types can override them. For tensors, graphs hold the bitwise or logical op that the dtype
//! selects.

use crate::ir::{ArgDef, ArgType, AttrDef, Attrs, Kernel, OpDef, OpKind};
use crate::ops::protocol::named::{Named, NamedBy};
use crate::ops::rules::infer::{broadcast, same_shape};
use crate::ops::{
    Binary, BitwiseAndFn, BitwiseOrFn, BitwiseXorFn, Field, FunctionOf, InvertFn, Kept,
    LogicalAndFn, LogicalNotFn, LogicalOrFn, NamedOp, NotEqualFn, Operand, Operands, Takes1,
    Takes2, Unary, family,
};
use crate::tensor::{Tensor, call_site_of};
use crate::types::{DType, DTypeSet, Result, err};

/// The op for the operands' dtype: bitwise for integers, logical for bools.
///
/// # Errors
/// `InvalidArgument` for other dtypes and for two dtypes that differ; the message says what to write.
fn chosen(
    (operator, name): (&str, &'static str),
    (bits, logical): (&'static OpDef, &'static OpDef),
    operands: &[&Tensor],
) -> Result<&'static OpDef> {
    let dtypes = || operands.iter().map(|x| x.dtype());
    let first = dtypes().next().unwrap_or(DType::Bool);
    if let Some(other) = dtypes().find(|d| *d != first) {
        let known = |d: DType| d == DType::Bool || d.is_integer();
        let advice = match (known(first), known(other)) {
            (true, true) if [first, other].contains(&DType::Bool) => {
                "compare the integers first, as in `x.not_equal(0)?`, or cast the bools"
            }
            (true, true) => &first.meeting(other, "`k` itself or "),
            _ => "compare numbers first, as in `x.greater(0.0)?`",
        };
        return Err(err!("`{operator}` takes two of one dtype, not {first} and {other}; {advice}")
            .with_op(name));
    }
    match first {
        DType::Bool => Ok(logical),
        d if d.is_integer() => Ok(bits),
        d => {
            let advice = match d {
                DType::String => "; compare texts first, as in `x.equal(\"a\")?`",
                d if d.is_float() => {
                    "; compare first, as in `x.greater(0.0)?`, or cast to integers: `x.cast(i64)?`"
                }
                _ => "; compare first, as in `x.not_equal(0)?`",
            };
            Err(err!("`{operator}` is of integers (their bits) and of bools, not of {d}{advice}")
                .with_op(name))
        }
    }
}

macro_rules! operator_ops {
    ($($(#[$doc:meta])* $family:ident $kind:ident $name:ident $function:ident $holder:ident $marker:ident = $operator:literal
        [$bits:ident $logical:ident] $infer:ident ($($x:ident $generic:ident),+) $takes:ident, $count:literal;)*) => {$(
        $(#[$doc])*
        ///
        #[doc = concat!("The op of [`", stringify!($function), "`](", stringify!($function), "()), whose page tells all.")]
        pub type $name = $family<$holder>;

        #[doc = concat!("Tells [`", stringify!($name), "`] from the other ops of its family.")]
        #[cfg_attr(doc, doc(hidden))]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $holder {}

        const _: () = {
            static DEF: OpDef = OpDef::new(stringify!($name), stringify!($function), $infer, Kernel::Choose(kernel))
                .in_module(module_path!())
                .with_kind(OpKind::$kind)
                .with_inputs(&[$(ArgDef::one(stringify!($x), ArgType::Var("T"))),+])
                .with_outputs(&[ArgDef::one("z", ArgType::Var("T"))])
                .with_attrs(&[AttrDef::dtype("T", DTypeSet::INTEGER.or(DTypeSet::BOOL))]);

            fn kernel(dtype: DType, _: &Attrs) -> Kernel {
                if dtype == DType::Bool { $logical::DEF.kernel } else { $bits::DEF.kernel }
            }

            impl NamedOp for $holder {
                const NAME: &'static str = stringify!($name);
                const RUST_NAME: &'static str = stringify!($function);
                const DEF: &'static OpDef = &DEF;
                const OPERANDS: Operands = Operands::Each($count);
                const FIELDS: &'static [Field] = &[];
            }

            impl FunctionOf<family::$marker> for $holder {
                const KEPT: Kept = Kept::Yes;

                fn def(&self) -> &'static OpDef {
                    &DEF
                }

                fn def_for(&self, operands: &[&Tensor]) -> Result<&'static OpDef> {
                    chosen(($operator, stringify!($function)), ($bits::DEF, $logical::DEF), operands)
                }

                fn from_attrs(_: &Attrs) -> Result<Self> {
                    Ok(Self {})
                }
            }
        };

        #[doc = concat!("The name of the op [`", stringify!($name), "`]: in messages, and in `#[overrides(", $operator, ")]`.")]
        #[cfg_attr(doc, doc(hidden))]
        #[expect(non_camel_case_types, reason = "the name of the function")]
        pub enum $function {}

        impl Named for $function {
            type Op = $name;
        }

        impl<By> NamedBy<By> for $function {
            type Op = $name;
        }

        $(#[$doc])*
        #[track_caller]
        pub fn $function<$($generic: Operand,)+ R>($($x: $generic),+) -> Result<R>
        where
            $function: $takes<$($generic::Value,)+ Output = R>,
        {
            let _site = call_site_of(Some(stringify!($function)));
            <$function as $takes<$($generic::Value),+>>::call(&$family($holder {}), $(&*$x.operand()?),+)
        }
    )*};
}

operator_ops! {
    /// Computes Rust's `x & y`: [`bitwise_and`](crate::ops::bitwise_and()) of integers,
    /// [`logical_and`](crate::ops::logical_and()) of bools.
    ///
    /// Operands of one dtype broadcast. A type that overrides `logical_and` supports it too; a type of
    /// integers uses `#[overrides(&)]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes, two dtypes, and shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::bitand(tensor![0b110], 0b011)?.as_slice::<i32>()?, &[0b010]);
    /// assert_eq!((tensor![true, false] & true).as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    Binary BinaryElementwise BitAnd bitand BitAndFn Binary = "&"
        [BitwiseAndFn LogicalAndFn] broadcast (x X, y Y) Takes2, 2;

    /// Computes Rust's `x | y`: [`bitwise_or`](crate::ops::bitwise_or()) of integers,
    /// [`logical_or`](crate::ops::logical_or()) of bools.
    ///
    /// Like [`bitand`](bitand()): a type supports it by overriding `logical_or`, or with
    /// `#[overrides(|)]`.
    ///
    /// # Errors
    /// As [`bitand`](bitand()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!((tensor![0b100] | 0b001).as_slice::<i32>()?, &[0b101]);
    /// # Ok::<(), Error>(())
    /// ```
    Binary BinaryElementwise BitOr bitor BitOrFn Binary = "|"
        [BitwiseOrFn LogicalOrFn] broadcast (x X, y Y) Takes2, 2;

    /// Computes Rust's `x ^ y`: [`bitwise_xor`](crate::ops::bitwise_xor()) of integers,
    /// [`logical_xor`](crate::ops::logical_xor()) of bools.
    ///
    /// Like [`bitand`](bitand()): a type supports it by overriding `bitwise_xor`, or with
    /// `#[overrides(^)]`. For bools, graphs hold `NotEqual`.
    ///
    /// # Errors
    /// As [`bitand`](bitand()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!((scalar(13i64) ^ scalar(6i64)).item::<i64>()?, 11);
    /// # Ok::<(), Error>(())
    /// ```
    Binary BinaryElementwise BitXor bitxor BitXorFn Binary = "^"
        [BitwiseXorFn NotEqualFn] broadcast (x X, y Y) Takes2, 2;

    /// Computes Rust's `!x`: [`invert`](crate::ops::invert()) of integers, [`logical_not`](crate::ops::logical_not()) of bools.
    ///
    /// A tensor of any shape. A type supports it by overriding `logical_not`, or with
    /// `#[overrides(!)]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!((!tensor![0, 5]).as_slice::<i32>()?, &[-1, -6]);
    /// assert_eq!((!tensor![true]).as_slice::<bool>()?, &[false]);
    /// # Ok::<(), Error>(())
    /// ```
    Unary UnaryElementwise Not not NotFn Unary = "!"
        [InvertFn LogicalNotFn] same_shape (x X) Takes1, 1;
}
