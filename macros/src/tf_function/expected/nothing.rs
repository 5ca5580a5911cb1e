#[track_caller]
fn f() -> Result<()> {
    f::__function().call((), |()| f::__body())
}
#[allow(dead_code)]
impl f {
    #[allow(clippy::unnecessary_wraps)]
    fn __body() -> Result<()> {
        Ok(())
    }
    fn __function() -> &'static ::extype::__private::FunctionState {
        static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(
            ::extype::__private::FunctionOptions::new("f", &[]),
        );
        &STATE
    }
}
::extype::__function_handle! {
    [] [] f[] [] () -> (()), [for < 'any > Result < () > : ::extype::__private::Returned
    < Value = () >,], | () | Self::__body()
}
