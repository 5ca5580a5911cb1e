//! Reductions, searches and scans.

use super::{ArgSignature, ReduceSignature, ScanSignature, Signature, Table, tables};
use crate::element::Transcendental;
use crate::reduce::{self as r, Accumulate, Reducer, finish, reduce, reduce_to, scan};

macro_rules! reductions {
    ($($name:ident = $set:ident $reducer:ident;)*) => {
        tables! { ReduceSignature, $(
            #[doc = concat!("[`", stringify!($reducer), "`](crate::reduce::", stringify!($reducer), ").")]
            $name = $set, |T| |x: &[T], layout, out, par| reduce(x, layout, out, par, r::$reducer);
        )* }
    };
}

reductions! {
    SUM = numeric Sum;
    PROD = numeric Prod;
    MAX = real Max;
    MIN = real Min;
    ALL = bool All;
    ANY = bool Any;
}

tables! { ReduceSignature,
    /// The square root of the sum of squares; zero for no elements.
    EUCLIDEAN_NORM = float, |T| |x: &[T], layout, out, par| {
        // Both functions of sums of squares share one loop.
        let norm = finish(|acc, _| T::from_acc(Transcendental::sqrt(acc)));
        reduce_to(x, layout, out, par, r::Squares, &norm);
    };
    /// Half the sum of squares.
    HALF_SQUARES = float, |T| |x: &[T], layout, out, par| {
        let half = finish(|acc, _| T::from_acc(acc / 2.0));
        reduce_to(x, layout, out, par, r::Squares, &half);
    };
}

tables! { ReduceSignature,
    /// [`Mean`](crate::reduce::Mean).
    MEAN = numeric, |T| |x: &[T], layout, out, par| {
        // Where means and sums use the same accumulator, they share the loop.
        let mean = finish(|acc, count| Reducer::<T>::finish(&r::Mean, acc, count));
        reduce_to(x, layout, out, par, r::Sum, &mean);
    }, narrow |x: &[T], layout, out, par| reduce(x, layout, out, par, r::Mean);
}

macro_rules! searches {
    ($index:ty: $max:ident, $min:ident) => {
        tables! { ArgSignature<$index>,
            /// [`arg_max`](crate::reduce::arg_max).
            $max = ordered, |T| |x: &[T], extents, out, par| r::arg_max(x, extents, out, par);
            /// [`arg_min`](crate::reduce::arg_min).
            $min = ordered, |T| |x: &[T], extents, out, par| r::arg_min(x, extents, out, par);
        }
    };
}
searches!(i64: ARG_MAX, ARG_MIN);

tables! { ScanSignature,
    /// Running sums.
    CUMSUM = numeric, |T| |x: &[T], extents, mode, out, par| scan(x, extents, mode, out, par, r::Sum);
    /// Running products.
    CUMPROD = numeric, |T| |x: &[T], extents, mode, out, par| scan(x, extents, mode, out, par, r::Prod);
}

tables! { ScanSignature,
    /// Running logarithms of sums of exponentials.
    CUMULATIVE_LOGSUMEXP = float, |T| |x: &[T], extents, mode, out, par| scan(x, extents, mode, out, par, r::LogSumExp);
}
