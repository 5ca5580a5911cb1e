//! Named traits for values that convert to an argument. The compiler then says what is wanted
//! instead of which `From` is missing.

use super::{Axes, Axis, Integer, Integers, Pairs, Sizes};

macro_rules! like {
    ($($(#[$meta:meta])* $name:ident: $t:ty;)*) => {
        $(
            $(#[$meta])*
            pub trait $name: Into<$t> {}

            #[diagnostic::do_not_recommend]
            impl<T: Into<$t>> $name for T {}
        )*
    };
}
like! {
    /// A value that converts to [`Integers`]: a shape, sizes, a list of axes.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` gives no list of integers",
        label = "integers are wanted: `4`, `[2, 3]`, `(2, 3)`, `x.shape()`, or an integer tensor"
    )]
    IntegersLike: Integers;

    /// A value that converts to [`Integer`].
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no integer",
        label = "one integer is wanted: `3`, or an integer tensor"
    )]
    IntegerLike: Integer;

    /// A value that converts to [`Axes`].
    #[diagnostic::on_unimplemented(
        message = "`{Self}` gives no axes",
        label = "axes are wanted: `0`, `[0, -1]`, `..` for all, or an integer tensor"
    )]
    AxesLike: Axes;

    /// A value that converts to [`Axis`].
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no axis",
        label = "one axis is wanted: `0`, or `-1` for the last"
    )]
    AxisLike: Axis;

    /// A value that converts to [`Pairs`].
    #[diagnostic::on_unimplemented(
        message = "`{Self}` gives no pairs of integers",
        label = "a pair for each axis is wanted: `[(1, 1), (0, 2)]`, or an integer tensor"
    )]
    PairsLike: Pairs;

    /// A value that converts to [`Sizes`].
    #[diagnostic::on_unimplemented(
        message = "`{Self}` gives no sizes",
        label = "integers are wanted: `4`, `[2, 3]`, `(2, 3)`, `x.shape()`, or an integer tensor"
    )]
    SizesLike: Sizes;
}
