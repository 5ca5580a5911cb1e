/// Mean of the valid entries of each row.
#[must_use]
#[inline]
///
///# Traced function
///
///Traced once for each signature. The type `row_means` of the same module tells of the traces: `row_means::trace_count()`, `row_means::signatures()`, `row_means::captures()`, `row_means::concrete(…)`, `row_means::clear()`.
#[allow(clippy::needless_pass_by_value)]
pub fn row_means(m: &MaskedTensor, n: i64) -> Result<Tensor> {
    row_means::__function()
        .call(
            (m, &n),
            |(argument0, argument1)| row_means::__body(
                &argument0,
                ::extype::__private::Bound::into_owned(argument1)?,
            ),
        )
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
pub struct row_means {
    never: ::core::convert::Infallible,
}
#[allow(dead_code)]
impl row_means {
    #[inline]
    #[allow(clippy::unnecessary_wraps)]
    fn __body(m: &MaskedTensor, n: i64) -> Result<Tensor> {
        body(m, n)
    }
    fn __function() -> &'static ::extype::__private::FunctionState {
        const {
            ::extype::__private::argument::<MaskedTensor>();
            ::extype::__private::argument::<i64>();
            ::extype::__private::result::<Tensor>();
        }
        static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(::extype::__private::FunctionOptions {
            name: "row_means",
            parameters: &["m", "n"],
            reduce_retracing: false,
            signature: ::core::option::Option::None,
        });
        &STATE
    }
    /// The trace for arguments of these types, made if it is not there.
    ///
    /// # Errors
    /// What the body fails with while it is traced.
    pub fn concrete(
        argument0: &<MaskedTensor as ::extype::Structure>::Spec,
        argument1: &<i64 as ::extype::Structure>::Spec,
    ) -> ::extype::Result<::extype::ConcreteFunction>
    where
        for<'any> MaskedTensor: ::extype::Structure,
        for<'any> i64: ::extype::Structure,
    {
        Self::__function()
            .concrete::<
                (MaskedTensor, i64),
                Tensor,
            >(
                (
                    ::core::clone::Clone::clone(argument0),
                    ::core::clone::Clone::clone(argument1),
                ),
                |(argument0, argument1)| Self::__body(&argument0, argument1),
            )
    }
}
::extype::__function_handle!([] [] pub row_means);
