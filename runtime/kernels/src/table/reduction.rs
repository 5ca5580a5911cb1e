//! Reductions, searches and scans.

use super::{ArgSignature, ReduceSignature, ScanSignature, Signature, Table, tables};
use crate::reduce::{self as r, Reducer, finish, reduce, reduce_to, scan};

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
    HALF_SQUARES = float HalfSquares;
}

tables! { ReduceSignature,
    /// [`EuclideanNorm`](crate::reduce::EuclideanNorm).
    EUCLIDEAN_NORM = float, |T| |x: &[T], layout, out, par| {
        // Both reductions share one loop that sums the squares.
        let norm = finish(|acc, count| Reducer::<T>::finish(&r::EuclideanNorm, acc, count));
        reduce_to(x, layout, out, par, r::HalfSquares, &norm);
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
