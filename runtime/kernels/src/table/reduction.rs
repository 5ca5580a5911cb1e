//! Reductions, searches and scans.

use super::{ArgReduction, Kind, Reduction, Scan, Table, tables};
use crate::element::{Complex32, Complex64, bf16, f16};
use crate::reduce::{self as r, reduce, scan};

macro_rules! reductions {
    ($($name:ident = $set:ident $reducer:ident;)*) => {
        tables! { Reduction, $(
            #[doc = concat!("[`", stringify!($reducer), "`](crate::reduce::", stringify!($reducer), ").")]
            $name = $set, |T| |x: &[T], layout, out, par| reduce(x, layout, out, par, r::$reducer);
        )* }
    };
}

reductions! {
    SUM = numeric Sum;
    MEAN = numeric Mean;
    PROD = numeric Prod;
    MAX = real Max;
    MIN = real Min;
    ALL = bool All;
    ANY = bool Any;
    EUCLIDEAN_NORM = float EuclideanNorm;
    HALF_SQUARES = float HalfSquares;
}

macro_rules! searches {
    ($index:ty: $max:ident, $min:ident) => {
        tables! { ArgReduction<$index>,
            /// [`arg_max`](crate::reduce::arg_max).
            $max = ordered, |T| |x: &[T], extents, out, par| r::arg_max(x, extents, out, par);
            /// [`arg_min`](crate::reduce::arg_min).
            $min = ordered, |T| |x: &[T], extents, out, par| r::arg_min(x, extents, out, par);
        }
    };
}
searches!(i64: ARG_MAX, ARG_MIN);

tables! { Scan,
    /// Running sums.
    CUMSUM = numeric, |T| |x: &[T], extents, mode, out, par| scan(x, extents, mode, out, par, r::Sum);
    /// Running products.
    CUMPROD = numeric, |T| |x: &[T], extents, mode, out, par| scan(x, extents, mode, out, par, r::Prod);
}

tables! { Scan,
    /// Running logarithms of sums of exponentials.
    CUMULATIVE_LOGSUMEXP = float, |T| |x: &[T], extents, mode, out, par| scan(x, extents, mode, out, par, r::LogSumExp);
}
