//! Items made by `macro_rules!`, whose parts come in invisible groups.

use extype::prelude::*;

macro_rules! extension_types {
    ($($(#[$attr:meta])* $vis:vis $name:ident { $($field:ident: $ty:ty = $(($default:expr))?),* $(,)? })*) => {
        $(
            #[doc = concat!("The type ", stringify!($name), ".")]
            #[derive(ExtensionType, Clone, Debug)]
            $(#[$attr])*
            $vis struct $name {
                $(
                    #[doc = concat!("The field ", stringify!($field), ".")]
                    $(#[extension_type(default = $default)])?
                    $vis $field: $ty,
                )*
            }
        )*
    };
}

extension_types! {
    pub(super) Masked { values: Tensor =, mask: Tensor =, axis: i64 = (1 + 1), text: &'static str = }
    #[extension_type(name = "by_macro.Other")]
    pub(super) Other { inner: Option<Masked> =, names: Vec<String> = (vec![]) }
}

macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $body:expr;)*) => {
        $(
            #[doc = concat!("Traces ", stringify!($name), ".")]
            #[tf_function]
            fn $name($($arg: $ty),*) -> $result {
                $body
            }
        )*
    };
}

functions! {
    doubled(x: &Tensor) -> Result<Tensor> = ops::add(x, x);
    scaled(m: Masked, by: i64) -> Result<Masked> = Ok(Masked { values: ops::mul(&m.values, by)?, ..m });
}

macro_rules! overrides {
    ($ty:ty: $($op:ident)*) => {
        #[dispatch]
        impl $ty {
            $(
                #[expect(non_snake_case, reason = "named as the op")]
                #[overrides($op)]
                fn $op(x: &Self) -> Result<Self> {
                    Ok(x.clone())
                }
            )*
        }
    };
}

overrides!(Masked: Tanh Exp);

#[test]
fn items_of_macros_are_as_others() {
    let m = Masked::new([1.0f32], [true], "x").unwrap();
    assert_eq!(ops::tanh(&m).unwrap().axis, 2);
    assert_eq!(ops::exp(&m).unwrap().mask.dtype(), DType::Bool);
    let m = scaled(m, 3).unwrap();
    assert_eq!(doubled(&m.values).unwrap().as_slice::<f32>().unwrap(), [6.0]);
    assert_eq!(nest::flatten(&Other::new(Some(m)).unwrap()).len(), 2);
}
