#[cfg(unix)]
#[allow(unused_mut)]
#[allow(clippy::needless_pass_by_value)]
#[track_caller]
fn norm<'a, T: Structure, const N: usize, Impl0: Structure>(
    x: &'a T,
    argument1: (Tensor, Tensor),
    s: &str,
    xs: &[Tensor],
    y: Impl0,
) -> Result<Tensor>
where
    T: Debug,
{
    let _ = <T as ::extype::__private::Argument>::argument_spec;
    let _ = <Impl0 as ::extype::__private::Argument>::argument_spec;
    let state: &'static _ = {
        static STATES: ::extype::__private::GenericStates = ::extype::__private::GenericStates::new();
        STATES
            .of_closure(
                || (),
                ::extype::__private::FunctionOptions::new(
                    "norm",
                    &["x", "argument1", "s", "xs", "y"],
                ),
            )
    };
    state
        .call(
            (
                x,
                &argument1,
                &::extype::__private::Text(s),
                &::extype::__private::SliceItems(xs),
                &y,
            ),
            |(argument0, argument1, argument2, argument3, argument4)| -> Result<Tensor> {
                let x: &'a T = &argument0;
                let (a, b): (Tensor, Tensor) = ::extype::__private::Lent::into_owned(
                    argument1,
                )?;
                let mut s: &str = &argument2;
                let xs: &[Tensor] = &argument3;
                let y: Impl0 = ::extype::__private::Lent::into_owned(argument4)?;
                todo!()
            },
        )
}
