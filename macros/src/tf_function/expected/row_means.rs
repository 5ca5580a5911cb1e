/// Mean of the valid entries of each row.
#[must_use]
#[inline]
///
///# Traced function
///
///Traced once for each signature. The type `row_means` of the same module tells of the traces: `row_means::trace_count()`, `row_means::signatures()`, `row_means::captures()`, `row_means::concrete(…)`, `row_means::clear()`.
#[allow(clippy::needless_pass_by_value)]
#[track_caller]
pub fn row_means(m: &MaskedTensor, n: i64) -> Result<Tensor> {
    let _ = <MaskedTensor as ::extype::__private::Argument>::argument_spec;
    row_means::__function()
        .call(
            (m, &n),
            |(argument0, argument1)| row_means::__body(
                &argument0,
                ::extype::__private::Lent::into_owned(argument1)?,
            ),
        )
}
#[allow(dead_code)]
impl row_means {
    #[inline]
    #[allow(clippy::unnecessary_wraps)]
    fn __body(m: &MaskedTensor, n: i64) -> Result<Tensor> {
        body(m, n)
    }
    fn __function() -> &'static ::extype::__private::FunctionState {
        static STATE: ::extype::__private::FunctionState = ::extype::__private::FunctionState::new(
            ::extype::__private::FunctionOptions::new("row_means", &["m", "n"]),
        );
        &STATE
    }
}
::extype::__function_handle! {
    [] [] pub row_means[] [] (argument0 : MaskedTensor, argument1 : i64) -> (Tensor),
    [for < 'any > MaskedTensor : ::extype::Structure, for < 'any > Result < Tensor > :
    ::extype::__private::Returned < Value = Tensor >,], | (argument0, argument1) |
    Self::__body(& argument0, argument1)
}
