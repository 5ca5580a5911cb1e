//! Lines under the names that NumPy has for what is called otherwise here.

use extype::prelude::*;

table! {
    (inputs: _x, _y, _m, _v, _w, _i, _k, _b, _n, _t, _c)
}
