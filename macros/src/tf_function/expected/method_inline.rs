/// One step.
#[allow(clippy::needless_pass_by_value)]
#[track_caller]
pub fn step(&self, batch: &Batch, rate: f32) -> Result<Tensor> {
    let _ = <Self as ::extype::__private::Argument>::argument_spec;
    let _ = <Batch as ::extype::__private::Argument>::argument_spec;
    let state: &'static _ = {
        static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(
            ::extype::__private::FunctionOptions::new("step", &["self", "batch", "rate"]),
        );
        &STATE
    };
    state
        .call(
            (self, batch, &rate),
            |(this, argument0, argument1)| -> Result<Tensor> {
                let this: &Self = &this;
                let batch: &Batch = &argument0;
                let rate: f32 = ::extype::__private::Lent::into_owned(argument1)?;
                this.loss(batch, rate)
            },
        )
}
