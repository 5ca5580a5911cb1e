fn f() -> Result<()> {
    f::__function().call((), |()| f::__body())
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
struct f {
    never: ::core::convert::Infallible,
}
#[allow(dead_code)]
impl f {
    #[allow(clippy::unnecessary_wraps)]
    fn __body() -> Result<()> {
        Ok(())
    }
    fn __function() -> &'static ::extype::__private::FunctionState {
        const {
            ::extype::__private::result::<()>();
        }
        static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(::extype::__private::FunctionOptions {
            name: "f",
            parameters: &[],
            reduce_retracing: false,
            signature: ::core::option::Option::None,
        });
        &STATE
    }
    /// The trace for arguments of these types, made if it is not there.
    ///
    /// # Errors
    /// What the body fails with while it is traced.
    fn concrete() -> ::extype::Result<::extype::ConcreteFunction> {
        Self::__function()
            .concrete::<(), ()>(::extype::Structure::type_spec(&()), |()| Self::__body())
    }
}
::extype::__function_handle!([] [] f);
