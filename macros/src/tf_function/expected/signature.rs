#[allow(clippy::needless_pass_by_value)]
#[track_caller]
fn logits(x: &Tensor, training: bool, names: &Tensor, m: &Masked) -> Result<Tensor> {
    let _ = <Masked as ::extype::__private::Argument>::argument_spec;
    logits_fn::__function()
        .call(
            (x, &training, names, m),
            |(argument0, argument1, argument2, argument3)| logits_fn::__body(
                &argument0,
                ::extype::__private::Lent::into_owned(argument1)?,
                &argument2,
                &argument3,
            ),
        )
}
#[allow(dead_code)]
impl logits_fn {
    #[allow(clippy::unnecessary_wraps)]
    fn __body(x: &Tensor, training: bool, names: &Tensor, m: &Masked) -> Result<Tensor> {
        todo!()
    }
    fn __function() -> &'static ::extype::__private::FunctionState {
        static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(
            ::extype::__private::FunctionOptions::new(
                    "logits",
                    &["x", "training", "names", "m"],
                )
                .signature(|| {
                    ::extype::__private::vec![
                        ::core::option::Option::Some(::extype::__private::AnySpec::Tensor(::extype::TensorSpec::new(::extype::shape![?,
                        784], ::extype::DType::F32),)), ::core::option::Option::None,
                        ::core::option::Option::Some(::extype::__private::AnySpec::Tensor(::extype::TensorSpec::new(::extype::Shape::unknown(),
                        ::extype::DType::String),)),
                        ::core::option::Option::Some(::extype::TypeSpec::to_any(&
                        (spec)))
                    ]
                }),
        );
        &STATE
    }
}
::extype::__function_handle! {
    [] [] logits_fn[] [] (argument0 : Tensor, argument1 : bool, argument2 : Tensor,
    argument3 : Masked) -> (Tensor), [for < 'any > Masked : ::extype::Structure, for <
    'any > Result < Tensor > : ::extype::__private::Returned < Value = Tensor >,], |
    (argument0, argument1, argument2, argument3) | Self::__body(& argument0, argument1, &
    argument2, & argument3)
}
