///The op of [`ptp`](ptp()).
#[cfg_attr(doc, doc(hidden))]
#[allow(non_camel_case_types, missing_docs)]
#[derive(Clone, Debug)]
pub struct ptp_ {
    pub n: usize,
    pub axes: Axes,
    pub options: Over,
}
const _: () = {
    static DEF: ::extype::ir::OpDef = ::extype::ir::OpDef::compound(
        concat!(module_path!(), "::", "ptp"),
        "ptp",
    );
    impl ::extype::ops::NamedOp for ptp_ {
        const NAME: &'static str = DEF.name;
        const RUST_NAME: &'static str = DEF.rust_name;
        const DEF: &'static ::extype::ir::OpDef = &DEF;
        const OPERANDS: ::extype::ops::Operands = ::extype::ops::Operands::Each(2usize);
        const FIELDS: &'static [::extype::ops::Field] = &[
            ::extype::ops::Field {
                name: "n",
                ty: "usize",
            },
            ::extype::ops::Field {
                name: "axes",
                ty: "Axes",
            },
            ::extype::ops::Field {
                name: "options",
                ty: "Over",
            },
        ];
    }
    impl<By> ::extype::__private::NamedBy<By> for ptp_ {
        type Op = ptp_;
    }
    impl ::extype::ops::Op for ptp_ {
        fn def(&self) -> &'static ::extype::ir::OpDef {
            &DEF
        }
        fn attrs(&self) -> ::extype::ir::Attrs {
            ::extype::ir::Attrs::new()
        }
        fn from_parts(
            _: &::extype::ir::Attrs,
            _: &[::extype::Tensor],
        ) -> ::extype::Result<Self> {
            ::core::result::Result::Err(
                ::extype::Error::internal(
                    "the arguments of this compound are no attributes",
                ),
            )
        }
    }
    impl ::extype::ops::Compound for ptp_ {
        type Results = Tensor;
        #[track_caller]
        fn body(&self, operands: &[&::extype::Tensor]) -> ::extype::Result<Tensor> {
            #[track_caller]
            fn inner(
                x: &::extype::Tensor,
                y: &::extype::Tensor,
                n: usize,
                axes: Axes,
                options: Over,
            ) -> ::extype::Result<Tensor> {
                sub(x, y)
            }
            let &[operand_X, operand_Y] = operands else {
                return ::core::result::Result::Err(
                    ::extype::Error::internal("the operands are those of another op"),
                );
            };
            let Self { n, axes, options } = ::core::clone::Clone::clone(self);
            inner(operand_X, operand_Y, n, axes, options)
        }
    }
    #[diagnostic::do_not_recommend]
    impl ::extype::ops::Apply2<::extype::Tensor, ptp_> for ::extype::Tensor {
        type Output = Tensor;
        #[track_caller]
        fn apply2(
            op: &ptp_,
            operand_X: &::extype::Tensor,
            operand_Y: &::extype::Tensor,
        ) -> ::extype::Result<Tensor> {
            ::extype::__private::on_tensors(op, &[operand_X, operand_Y])
        }
    }
};
/// The range.
///
/// NumPy: `ptp`, `np.span`.
#[doc(alias = "peak_to_peak")]
#[doc(alias = "span")]
#[track_caller]
pub fn ptp<X: ::extype::ops::Operand, Y: ::extype::ops::Operand, R>(
    x: X,
    y: Y,
    n: usize,
    axes: impl AxesLike,
    options: impl Sets<Over>,
) -> ::extype::Result<R>
where
    Y::Value: ::extype::__private::Second<X::Value, ptp_, Output = R>,
{
    fn here() {}
    let _site = ::extype::__private::call_site_of(
        ::core::option::Option::Some(::extype::__private::path_of(&here)),
    );
    <Y::Value as ::extype::__private::Second<
        X::Value,
        ptp_,
    >>::second(
        &ptp_ {
            n,
            axes: ::core::convert::Into::<Axes>::into(axes),
            options: ::extype::__private::chosen::<Over>(options)?,
        },
        &*x.operand()?,
        &*y.operand()?,
    )
}
/// Methods: spreads.
///
///Methods: compounds.
pub trait SpreadMethods: ::extype::ops::HasMethods {
    ///The range.
    ///
    ///See [`ptp`](ptp()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    fn ptp<Y: ::extype::ops::Operand>(
        &self,
        y: Y,
        n: usize,
        axes: impl AxesLike,
        options: impl Sets<Over>,
    ) -> ::extype::Result<
        <Y::Value as ::extype::__private::Second<Self::Value, ptp_>>::Output,
    >
    where
        Y::Value: ::extype::__private::Second<Self::Value, ptp_>,
    {
        fn here() {}
        let _site = ::extype::__private::call_site_of(
            ::core::option::Option::Some(::extype::__private::path_of(&here)),
        );
        <Y::Value as ::extype::__private::Second<
            Self::Value,
            ptp_,
        >>::second(
            &ptp_ {
                n,
                axes: ::core::convert::Into::<Axes>::into(axes),
                options: ::extype::__private::chosen::<Over>(options)?,
            },
            &*self.operand()?,
            &*y.operand()?,
        )
    }
}
impl<X: ::extype::ops::HasMethods + ?Sized> SpreadMethods for X {}
