//! Under lints that users deny.

#![deny(
    missing_docs,
    unused,
    unreachable_pub,
    missing_debug_implementations,
    missing_copy_implementations,
    non_camel_case_types,
    unused_qualifications,
    trivial_casts,
    clippy::pedantic
)]

use extype::prelude::*;

/// A documented mode.
#[derive(StaticData, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// One.
    One,
    /// Two.
    Two,
}

/// A documented type.
#[derive(ExtensionType, Clone, Debug)]
pub(crate) struct Documented<V> {
    /// The values.
    pub(crate) values: V,
    /// The name.
    #[extension_type(default = "x")]
    pub(crate) name: String,
    /// The mode.
    pub(crate) mode: Mode,
}

/// A documented enum.
#[derive(ExtensionType, Clone, Debug)]
pub(crate) enum Either {
    /// Left.
    Left(Tensor),
    /// Right.
    Right {
        /// The values.
        values: Tensor,
    },
}

#[dispatch]
impl Either {
    /// Every unary op.
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(match x {
            Self::Left(values) => Self::Left(op.call(values)?),
            Self::Right { values } => Self::Right { values: op.call(values)? },
        })
    }
}

/// The first of two.
///
/// # Errors
/// If the trace fails.
#[tf_function]
pub(crate) fn first(x: &Tensor, n: i64, rest: Vec<Tensor>) -> Result<Tensor> {
    let _ = (n, rest);
    x.identity()
}

#[test]
fn expansions_are_silent() {
    let d = Documented::new(scalar(1.0f32), Mode::One).unwrap().with_name("y").unwrap();
    assert_eq!((d.name.as_str(), d.mode == Mode::Two), ("y", false));
    assert_eq!(
        first(&d.values, 1, vec![]).unwrap().item::<f32>().unwrap().to_bits(),
        1f32.to_bits()
    );
    let right = ops::neg(&Either::Right { values: d.values }).unwrap();
    assert!(matches!(right, Either::Right { .. }));
    assert!(matches!(Either::Left(scalar(1.0f32)), Either::Left(_)));
}
