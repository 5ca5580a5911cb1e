//! Lines about numbers: rounding, powers, comparisons, statistics.

use extype::prelude::*;

table! {
    (inputs: _x, _y, _m, _v, _w, _i, _k, _b, _n, _t, _c)
}
