#[cfg(unix)]
#[allow(unused_mut)]
#[allow(clippy::needless_pass_by_value)]
fn norm<'a, T: Structure, const N: usize, Impl0: Structure>(
    x: &'a T,
    argument1: (Tensor, Tensor),
    s: &str,
    xs: &[Tensor],
    y: Impl0,
) -> Result<Tensor>
where
    T: Debug,
    T: 'static,
    Impl0: 'static,
{
    norm::<T, N, Impl0>::__function()
        .call(
            (
                x,
                &argument1,
                &<::extype::__private::String as ::core::convert::From<_>>::from(s),
                &<::extype::__private::Vec<_> as ::core::convert::From<_>>::from(xs),
                &y,
            ),
            |(argument0, argument1, argument2, argument3, argument4)| norm::<
                T,
                N,
                Impl0,
            >::__body(
                &argument0,
                ::extype::__private::Bound::into_owned(argument1)?,
                &argument2,
                &argument3,
                ::extype::__private::Bound::into_owned(argument4)?,
            ),
        )
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
struct norm<T: Structure, const N: usize, Impl0: Structure>
where
    T: Debug,
    T: 'static,
    Impl0: 'static,
{
    never: ::core::convert::Infallible,
    parameters: ::core::marker::PhantomData<fn() -> (T, Impl0)>,
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
        const {
            ::extype::__private::argument::<T>();
            ::extype::__private::argument::<(Tensor, Tensor)>();
            ::extype::__private::argument::<::extype::__private::String>();
            ::extype::__private::argument::<::extype::__private::Vec<Tensor>>();
            ::extype::__private::argument::<Impl0>();
            ::extype::__private::result::<Tensor>();
        }
        ::extype::__private::generic_state::<
            Self,
        >(::extype::__private::FunctionOptions {
            name: "n",
            parameters: &["x", "argument1", "s", "xs", "y"],
            reduce_retracing: true,
            signature: ::core::option::Option::None,
        })
    }
    /// The trace for arguments of these types, made if it is not there.
    ///
    /// # Errors
    /// What the body fails with while it is traced.
    fn concrete(
        argument0: &<T as ::extype::Structure>::Spec,
        argument1: &<(Tensor, Tensor) as ::extype::Structure>::Spec,
        argument2: &<::extype::__private::String as ::extype::Structure>::Spec,
        argument3: &<::extype::__private::Vec<Tensor> as ::extype::Structure>::Spec,
        argument4: &<Impl0 as ::extype::Structure>::Spec,
    ) -> ::extype::Result<::extype::ConcreteFunction>
    where
        for<'any> T: ::extype::Structure,
        for<'any> (Tensor, Tensor): ::extype::Structure,
        for<'any> ::extype::__private::String: ::extype::Structure,
        for<'any> ::extype::__private::Vec<Tensor>: ::extype::Structure,
        for<'any> Impl0: ::extype::Structure,
    {
        Self::__function()
            .concrete::<
                (
                    T,
                    (Tensor, Tensor),
                    ::extype::__private::String,
                    ::extype::__private::Vec<Tensor>,
                    Impl0,
                ),
                Tensor,
            >(
                (
                    ::core::clone::Clone::clone(argument0),
                    ::core::clone::Clone::clone(argument1),
                    ::core::clone::Clone::clone(argument2),
                    ::core::clone::Clone::clone(argument3),
                    ::core::clone::Clone::clone(argument4),
                ),
                |(argument0, argument1, argument2, argument3, argument4)| Self::__body(
                    &argument0,
                    argument1,
                    &argument2,
                    &argument3,
                    argument4,
                ),
            )
    }
}
#[cfg(unix)]
::extype::__function_handle!(
    [T : Structure, const N : usize, Impl0 : Structure,] [T : Debug, T : 'static, Impl0 :
    'static,] norm < T, N, Impl0 >
);
