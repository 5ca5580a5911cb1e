#[allow(clippy::needless_pass_by_value)]
fn logits(x: &Tensor, training: bool, names: &Tensor, m: &Masked) -> Result<Tensor> {
    logits_fn::__function()
        .call(
            (x, &training, names, m),
            |(argument0, argument1, argument2, argument3)| logits_fn::__body(
                &argument0,
                ::extype::__private::Bound::into_owned(argument1)?,
                &argument2,
                &argument3,
            ),
        )
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
struct logits_fn {
    never: ::core::convert::Infallible,
}
#[allow(dead_code)]
impl logits_fn {
    #[allow(clippy::unnecessary_wraps)]
    fn __body(x: &Tensor, training: bool, names: &Tensor, m: &Masked) -> Result<Tensor> {
        todo!()
    }
    fn __function() -> &'static ::extype::__private::FunctionState {
        const {
            ::extype::__private::argument::<Tensor>();
            ::extype::__private::argument::<bool>();
            ::extype::__private::argument::<Tensor>();
            ::extype::__private::argument::<Masked>();
            ::extype::__private::result::<Tensor>();
        }
        static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(::extype::__private::FunctionOptions {
            name: "logits",
            parameters: &["x", "training", "names", "m"],
            reduce_retracing: false,
            signature: ::core::option::Option::Some(|| {
                ::extype::__private::vec![
                    ::core::option::Option::Some(::extype::__private::AnySpec::Tensor(::extype::TensorSpec::new(::extype::shape![?,
                    784], ::extype::DType::F32),)), ::core::option::Option::None,
                    ::core::option::Option::Some(::extype::__private::AnySpec::Tensor(::extype::TensorSpec::new(::extype::Shape::unknown(),
                    ::extype::DType::String),)),
                    ::core::option::Option::Some(::extype::TypeSpec::to_any(& (spec)))
                ]
            }),
        });
        &STATE
    }
    /// The trace for arguments of these types, made if it is not there.
    ///
    /// # Errors
    /// What the body fails with while it is traced.
    fn concrete(
        argument0: &<Tensor as ::extype::Structure>::Spec,
        argument1: &<bool as ::extype::Structure>::Spec,
        argument2: &<Tensor as ::extype::Structure>::Spec,
        argument3: &<Masked as ::extype::Structure>::Spec,
    ) -> ::extype::Result<::extype::ConcreteFunction>
    where
        for<'any> Tensor: ::extype::Structure,
        for<'any> bool: ::extype::Structure,
        for<'any> Tensor: ::extype::Structure,
        for<'any> Masked: ::extype::Structure,
    {
        Self::__function()
            .concrete::<
                (Tensor, bool, Tensor, Masked),
                Tensor,
            >(
                (
                    ::core::clone::Clone::clone(argument0),
                    ::core::clone::Clone::clone(argument1),
                    ::core::clone::Clone::clone(argument2),
                    ::core::clone::Clone::clone(argument3),
                ),
                |(argument0, argument1, argument2, argument3)| Self::__body(
                    &argument0,
                    argument1,
                    &argument2,
                    &argument3,
                ),
            )
    }
}
::extype::__function_handle!([] [] logits_fn);
