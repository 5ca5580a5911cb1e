#[doc(hidden)]
#[allow(clippy::multiple_bound_locations)]
fn __step_in_a_trait_impl_needs_handle_equal_none() -> &'static ::extype::__private::FunctionState {
    static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(
        ::extype::__private::FunctionOptions::new("step", &["self", "batch", "rate"]),
    );
    &STATE
}
/// One step.
///
///# Traced function
///
///Traced once for each signature; `step_function()` tells of the traces.
#[allow(clippy::needless_pass_by_value)]
#[track_caller]
pub fn step(&self, batch: &Batch, rate: f32) -> Result<Tensor> {
    let _ = <Self as ::extype::__private::Argument>::argument_spec;
    let _ = <Batch as ::extype::__private::Argument>::argument_spec;
    Self::__step_in_a_trait_impl_needs_handle_equal_none()
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
#[allow(dead_code, clippy::multiple_bound_locations)]
pub fn step_function(&self) -> ::extype::__private::BoundFunction<'_, Self> {
    ::extype::__private::BoundFunction::new(
        Self::__step_in_a_trait_impl_needs_handle_equal_none(),
        self,
    )
}
///The trace of [`step`](Self::step) for arguments of these types, made if it is not there.
///
///# Errors
///What the body fails with while it is traced.
#[allow(dead_code, clippy::multiple_bound_locations)]
pub fn step_concrete(
    &self,
    batch: &<Batch as ::extype::Structure>::Spec,
    rate: &<f32 as ::extype::Structure>::Spec,
) -> ::extype::Result<::extype::ConcreteFunction>
where
    for<'any> Batch: ::extype::Structure,
    for<'any> Result<Tensor>: ::extype::__private::Returned<Value = Tensor>,
{
    Self::__step_in_a_trait_impl_needs_handle_equal_none()
        .concrete_of::<
            _,
            (Batch, f32),
            _,
        >(
            (self,),
            (::core::clone::Clone::clone(batch), ::core::clone::Clone::clone(rate)),
            |(this,), (argument0, argument1)| Self::__step_body(
                &this,
                &argument0,
                argument1,
            ),
        )
}
#[doc(hidden)]
#[allow(clippy::unnecessary_wraps, clippy::unused_self)]
fn __step_body(&self, batch: &Batch, rate: f32) -> Result<Tensor> {
    self.loss(batch, rate)
}
