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
{
    let state: &'static _ = {
        const {
            ::extype::__private::argument::<T>();
            ::extype::__private::argument::<(Tensor, Tensor)>();
            ::extype::__private::argument::<::extype::__private::String>();
            ::extype::__private::argument::<::extype::__private::Vec<Tensor>>();
            ::extype::__private::argument::<Impl0>();
            ::extype::__private::result::<Tensor>();
        }
        struct Marker;
        ::extype::__private::generic_state::<
            (Marker, fn() -> T, fn() -> Impl0),
        >(::extype::__private::FunctionOptions {
            name: "norm",
            parameters: &["x", "argument1", "s", "xs", "y"],
            reduce_retracing: false,
            signature: ::core::option::Option::None,
        })
    };
    state
        .call(
            (
                x,
                &argument1,
                &<::extype::__private::String as ::core::convert::From<_>>::from(s),
                &<::extype::__private::Vec<_> as ::core::convert::From<_>>::from(xs),
                &y,
            ),
            |(argument0, argument1, argument2, argument3, argument4)| -> Result<Tensor> {
                let x: &'a T = &argument0;
                let (a, b): (Tensor, Tensor) = ::extype::__private::Bound::into_owned(
                    argument1,
                )?;
                let mut s: &str = &argument2;
                let xs: &[Tensor] = &argument3;
                let y: Impl0 = ::extype::__private::Bound::into_owned(argument4)?;
                { todo!() }
            },
        )
}
