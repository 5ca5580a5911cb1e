#[cfg(unix)]
#[allow(unused_mut)]
#[allow(clippy::needless_pass_by_value)]
#[track_caller]
fn norm<'a, T: Structure + 'static, const N: usize, Impl0: Structure + 'static>(
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
    norm::<T, N, Impl0>::__function()
        .call(
            (
                x,
                &argument1,
                &::extype::__private::Text(s),
                &::extype::__private::SliceItems(xs),
                &y,
            ),
            |(argument0, argument1, argument2, argument3, argument4)| norm::<
                T,
                N,
                Impl0,
            >::__body(
                &argument0,
                ::extype::__private::Lent::into_owned(argument1)?,
                &argument2,
                &argument3,
                ::extype::__private::Lent::into_owned(argument4)?,
            ),
        )
}
#[cfg(unix)]
#[allow(dead_code)]
impl<T: Structure, const N: usize, Impl0: Structure> norm<T, N, Impl0>
where
    T: Debug,
    T: 'static,
    Impl0: 'static,
{
    #[cfg(unix)]
    #[expect(unused_mut)]
    #[allow(clippy::unnecessary_wraps)]
    fn __body<'a>(
        x: &'a T,
        (a, b): (Tensor, Tensor),
        mut s: &str,
        xs: &[Tensor],
        y: Impl0,
    ) -> Result<Tensor>
    where
        T: Debug,
    {
        todo!()
    }
    fn __function() -> &'static ::extype::__private::FunctionState {
        static STATES: ::extype::__private::GenericStates = ::extype::__private::GenericStates::new();
        STATES
            .of::<
                Self,
            >(
                ::extype::__private::FunctionOptions::new(
                        "n",
                        &["x", "argument1", "s", "xs", "y"],
                    )
                    .reduce_retracing(),
            )
    }
}
#[cfg(unix)]
::extype::__function_handle! {
    [T : Structure, const N : usize, Impl0 : Structure,] [T : Debug, T : 'static, Impl0 :
    'static,] norm[< T, N, Impl0 >] [T, Impl0,] (argument0 : T, argument1 : (Tensor,
    Tensor), argument2 : ::extype::__private::String, argument3 :
    ::extype::__private::Vec < Tensor >, argument4 : Impl0) -> (Tensor), [for < 'any > T
    : ::extype::Structure, for < 'any > Impl0 : ::extype::Structure, for < 'any > Result
    < Tensor > : ::extype::__private::Returned < Value = Tensor >,], | (argument0,
    argument1, argument2, argument3, argument4) | Self::__body(& argument0, argument1, &
    argument2, & argument3, argument4)
}
