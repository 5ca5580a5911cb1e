fn step<B: Structure>(&self, batch: &B) -> Result<B> {
    let _ = <Self as ::extype::__private::Argument>::argument_spec;
    let _ = <B as ::extype::__private::Argument>::argument_spec;
    let _ = <B as ::extype::Structure>::spec_in;
    Self::__step_function::<B>()
        .call(
            (self, batch),
            |(this, argument0)| Self::__step_body::<B>(&this, &argument0),
        )
}
///The traced function behind [`step`](Self::step).
#[allow(dead_code)]
fn step_function<B: Structure>(&self) -> ::extype::__private::BoundFunction<'_, Self>
where
    B: 'static,
{
    ::extype::__private::BoundFunction::new(Self::__step_function::<B>(), self)
}
#[doc(hidden)]
fn __step_function<B: Structure>() -> &'static ::extype::__private::FunctionState
where
    B: 'static,
{
    static STATES: ::extype::__private::GenericStates = ::extype::__private::GenericStates::new();
    STATES
        .of::<
            (fn() -> Self, fn() -> B),
        >(::extype::__private::FunctionOptions {
            name: "step",
            parameters: &["self", "batch"],
            reduce_retracing: false,
            signature: ::core::option::Option::None,
        })
}
#[doc(hidden)]
#[allow(clippy::unnecessary_wraps, clippy::unused_self)]
fn __step_body<B: Structure>(&self, batch: &B) -> Result<B> {
    self.go(batch)
}
