#[doc(hidden)]
#[allow(clippy::multiple_bound_locations)]
fn __step_in_a_trait_impl_needs_handle_equal_none<B: Structure>() -> &'static ::extype::__private::FunctionState
where
    B: 'static,
{
    static STATES: ::extype::__private::GenericStates = ::extype::__private::GenericStates::new();
    STATES
        .of::<
            (fn() -> Self, fn() -> B),
        >(::extype::__private::FunctionOptions::new("step", &["self", "batch"]))
}
#[track_caller]
fn step<B: Structure>(&self, batch: &B) -> Result<B> {
    let _ = <Self as ::extype::__private::Argument>::argument_spec;
    let _ = <B as ::extype::__private::Argument>::argument_spec;
    let _ = <B as ::extype::Structure>::spec_in;
    Self::__step_in_a_trait_impl_needs_handle_equal_none::<B>()
        .call(
            (self, batch),
            |(this, argument0)| Self::__step_body::<B>(&this, &argument0),
        )
}
///The traced function behind [`step`](Self::step).
#[allow(dead_code, clippy::multiple_bound_locations)]
fn step_function<B: Structure>(&self) -> ::extype::__private::BoundFunction<'_, Self>
where
    B: 'static,
{
    ::extype::__private::BoundFunction::new(
        Self::__step_in_a_trait_impl_needs_handle_equal_none::<B>(),
        self,
    )
}
///The trace of [`step`](Self::step) for arguments of these types, made if it is not there.
///
///# Errors
///What the body fails with while it is traced.
#[allow(dead_code, clippy::multiple_bound_locations)]
fn step_concrete<B: Structure>(
    &self,
    batch: &<B as ::extype::Structure>::Spec,
) -> ::extype::Result<::extype::ConcreteFunction>
where
    B: 'static,
    for<'any> B: ::extype::Structure,
    for<'any> Result<B>: ::extype::__private::Returned<Value = B>,
{
    Self::__step_in_a_trait_impl_needs_handle_equal_none::<B>()
        .concrete_of::<
            _,
            (B,),
            _,
        >(
            (self,),
            (::core::clone::Clone::clone(batch),),
            |(this,), (argument0,)| Self::__step_body::<B>(&this, &argument0),
        )
}
#[doc(hidden)]
#[allow(clippy::unnecessary_wraps, clippy::unused_self)]
fn __step_body<B: Structure>(&self, batch: &B) -> Result<B> {
    self.go(batch)
}
