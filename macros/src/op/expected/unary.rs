///The cube of every element.
///
///The op of [`cube`](cube()), whose page tells all.
#[doc(alias = "Mine>Cube")]
pub type Cube = ::extype::ops::Unary<CubeFn>;
///Tells [`Cube`] from the other ops of its family.
#[cfg_attr(doc, doc(hidden))]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct CubeFn {}
impl ::core::default::Default for CubeFn {
    fn default() -> Self {
        Self {}
    }
}
impl ::core::cmp::PartialEq for CubeFn {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
const _: () = {
    static __DEF: ::extype::ir::OpDef = ::extype::ir::OpDef::new(
            "Mine>Cube",
            "cube",
            ::extype::ops::rules::same_shape,
            ::extype::ir::Kernel::Map(&CUBE),
        )
        .in_module(::core::module_path!())
        .with_doc("The cube of every element.\n\nMore.")
        .with_kind(::extype::ir::OpKind::UnaryElementwise)
        .with_effect(::extype::ir::Effect::Pure)
        .with_inputs(&[::extype::ir::ArgDef::one("x", ::extype::ir::ArgType::Var("T"))])
        .with_outputs(&[::extype::ir::ArgDef::one("y", ::extype::ir::ArgType::Var("T"))])
        .with_attrs(&[::extype::ir::AttrDef::dtype("T", DTypeSet::FLOAT)])
        .with_finite_at(
            &[
                const {
                    let point: f64 = 1.0;
                    ::core::option::Option::Some(point)
                },
            ],
        );
    ::extype::__private::inventory::submit!(::extype::ir::OpEntry(& __DEF));
    ::extype::__private::inventory::submit!(
        ::extype::__private::GradientEntry::new(& __DEF, | g | {
        ::core::result::Result::Ok({ let of = | g : & ::extype::__private::Gradient < '_
        >, dy : & ::extype::Tensor | -> ::extype::Result < ::extype::Tensor > { let _ =
        g; let _ = dy; let dx : ::extype::Tensor = ops::mul(dy, g.x(0)) ?;
        ::core::result::Result::Ok(dx) };
        ::extype::__private::IntoGradients::into_gradients(of(g, g.dy() ?) ?, g) }) })
    );
    impl ::extype::ops::NamedOp for CubeFn {
        const NAME: &'static str = "Mine>Cube";
        const RUST_NAME: &'static str = "Cube";
        const DEF: &'static ::extype::ir::OpDef = &__DEF;
        const OPERANDS: ::extype::ops::Operands = ::extype::ops::Operands::Each(1usize);
        const FIELDS: &'static [::extype::ops::Field] = &[];
    }
    impl ::extype::ops::FunctionOf<::extype::ops::family::Unary> for CubeFn {
        const KEPT: ::extype::ops::Kept = ::extype::ops::Kept::Yes;
        fn def(&self) -> &'static ::extype::ir::OpDef {
            &__DEF
        }
        fn attrs(&self) -> ::extype::ir::Attrs {
            ::extype::ir::Attrs::new()
        }
        fn from_attrs(attrs: &::extype::ir::Attrs) -> ::extype::Result<Self> {
            let _ = attrs;
            ::core::result::Result::Ok(Self {})
        }
    }
};
///The name of the op [`Cube`]: in messages, and in `#[overrides(cube)]`.
#[cfg_attr(doc, doc(hidden))]
pub enum cube {}
impl ::extype::ops::Named for cube {
    type Op = Cube;
}
impl<By> ::extype::__private::NamedBy<By> for cube {
    type Op = Cube;
}
/// The cube of every element.
///
/// More.
///
///Dtypes: float16, bfloat16, float32, float64.
///
///# Errors
///`InvalidArgument` for a dtype, shape or argument that the op does not take.
#[doc(alias = "Mine>Cube")]
#[track_caller]
pub fn cube<X: ::extype::ops::Operand, R>(x: X) -> ::extype::Result<R>
where
    cube: ::extype::ops::Takes1<X::Value, Output = R>,
{
    let _site = ::extype::tensor::call_site_of(::core::option::Option::Some("cube"));
    let op = ::extype::ops::Unary(CubeFn {});
    <cube as ::extype::ops::Takes1<
        X::Value,
    >>::call(&op, &*::extype::ops::Operand::operand(&x)?)
}
/// Ops of polynomials, as methods: `x.cube()?`.
pub trait Polynomials: ::extype::ops::Operand {
    ///The cube of every element.
    ///
    ///See [`cube`](cube()).
    ///
    ///# Errors
    ///As the function.
    #[track_caller]
    fn cube(
        &self,
    ) -> ::extype::Result<<cube as ::extype::ops::Takes1<Self::Value>>::Output>
    where
        cube: ::extype::ops::Takes1<Self::Value>,
    {
        cube(::extype::ops::Operand::operand(self)?)
    }
}
impl<X: ::extype::ops::HasMethods + ?Sized> Polynomials for X {}
