//! Where the names that expansions might use are taken.

#![allow(
    non_camel_case_types,
    dead_code,
    clippy::upper_case_acronyms,
    clippy::self_named_constructors,
    clippy::allow_attributes,
    reason = "the names are taken on purpose"
)]

use extype::{ExtensionType, StaticData, dispatch, tf_function};

/// A module under the name of the library's lowest crate.
mod core {}
mod std {}
mod extype_ {}

struct Result;
struct Option;
struct Vec;
struct String;
struct Clone;
struct Self_;
type Tensor = ::extype::Tensor;

#[derive(ExtensionType, ::std::clone::Clone, ::std::fmt::Debug)]
struct Composite {
    value: Tensor,
    spec: Tensor,
    context: Tensor,
    out: Tensor,
    leaves: Tensor,
    any: Tensor,
    field0: Tensor,
    spec0: Tensor,
    composite: Tensor,
    state: i64,
    other: i64,
    r#type: bool,
    r#match: Tensor,
}

#[derive(ExtensionType, ::std::clone::Clone, ::std::fmt::Debug)]
enum Structure {
    Ok(Tensor),
    Err(Tensor),
    Some { value: Tensor, literal: i64 },
    None,
}

#[derive(StaticData, ::std::clone::Clone, ::std::fmt::Debug, ::std::cmp::PartialEq)]
struct Literal {
    literal: i64,
    other: bool,
    field0: u8,
}

/// Ops of the library have this name too.
#[derive(ExtensionType, ::std::clone::Clone, ::std::fmt::Debug)]
struct Slice {
    value: Tensor,
}

#[dispatch]
impl Slice {
    #[overrides(Slice)]
    fn slice(op: &::extype::ops::Slice, operand0: &Self) -> ::extype::Result<Self> {
        let value = <Tensor as ::extype::ops::Apply1<_>>::apply1(op, &operand0.value)?;
        Ok(Self { value })
    }
}

#[tf_function]
fn argument0(argument1: &Tensor, argument0: i64, state: &Tensor) -> ::extype::Result<Tensor> {
    ::extype::ops::mul(&::extype::ops::add(argument1, state)?, argument0)
}

mod inner {
    //! A receiver of another name, and a function of the name of a local of the expansion.

    use extype::prelude::*;

    #[derive(Module)]
    pub(super) struct Model {
        pub(super) visitor: Variable,
    }

    impl Model {
        #[tf_function]
        pub(super) fn call(&self, this: &Tensor, argument0: &Tensor) -> Result<Tensor> {
            (this + argument0).add(&self.visitor.read()?)
        }
    }

    trait Add {
        fn add(&self, other: &Tensor) -> Result<Tensor>;
    }

    impl Add for Tensor {
        fn add(&self, other: &Tensor) -> Result<Tensor> {
            ops::add(self, other)
        }
    }
}

#[test]
fn taken_names_do_no_harm() {
    let t = |x: f32| Tensor::new(x).unwrap();
    let c = Composite::new(
        t(0.0),
        t(1.0),
        t(2.0),
        t(3.0),
        t(4.0),
        t(5.0),
        t(6.0),
        t(7.0),
        t(8.0),
        9,
        10,
        true,
        t(11.0),
    );
    let c = c.unwrap();
    assert_eq!(::extype::nest::flatten(&c).len(), 10);
    assert!(format!("{:?}", ::extype::Structure::type_spec(&c)).contains("type=true"));
    let s = Structure::Some { value: t(1.0), literal: 2 };
    assert_eq!(::extype::nest::flatten(&s).len(), 1);
    let l = Literal { literal: 1, other: true, field0: 2 };
    assert_eq!(Literal::from_literal(&l.to_literal()).unwrap(), l);
    assert_eq!(argument0(&t(1.0), 3, &t(2.0)).unwrap().item::<f32>().unwrap(), 9.0);
    let model = inner::Model { visitor: ::extype::Variable::new(1.0f32).unwrap() };
    assert_eq!(model.call(&t(1.0), &t(2.0)).unwrap().item::<f32>().unwrap(), 4.0);
}
