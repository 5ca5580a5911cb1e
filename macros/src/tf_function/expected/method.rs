/// One step.
///
///# Traced function
///
///Traced once for each signature; `step_function()` tells of the traces.
#[allow(clippy::needless_pass_by_value)]
pub fn step(&self, batch: &Batch, rate: f32) -> Result<Tensor> {
    let _ = <Self as ::extype::__private::Argument>::argument_spec;
    let _ = <Batch as ::extype::__private::Argument>::argument_spec;
    Self::__step_function()
        .call(
            (self, batch, &rate),
            |(this, argument0, argument1)| Self::__step_body(
                &this,
                &argument0,
                ::extype::__private::Lent::into_owned(argument1)?,
            ),
        )
}
///The traced function behind [`step`](Self::step).
#[allow(dead_code)]
pub fn step_function(&self) -> ::extype::__private::BoundFunction<'_, Self> {
    ::extype::__private::BoundFunction::new(Self::__step_function(), self)
}
#[doc(hidden)]
fn __step_function() -> &'static ::extype::__private::FunctionState {
    static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(::extype::__private::FunctionOptions {
        name: "step",
        parameters: &["self", "batch", "rate"],
        reduce_retracing: false,
        signature: ::core::option::Option::None,
    });
    &STATE
}
#[doc(hidden)]
#[allow(clippy::unnecessary_wraps, clippy::unused_self)]
fn __step_body(&self, batch: &Batch, rate: f32) -> Result<Tensor> {
    self.loss(batch, rate)
}
