//! Lines under the names that NumPy has for what is called otherwise here, and in its forms.

use extype::prelude::*;
use extype::types::Complex64;

table! {
    (inputs: x, y, m, v, _w, i, k, b, _n, t, c)

    "np.arcsin(x / 10)" => ops::div(x, 10)?.arcsin()?;
    "np.arccos(x / 10)" => ops::div(x, 10)?.arccos()?;
    "np.arctan(x)" => x.arctan()?;
    "np.arcsinh(x)" => x.arcsinh()?;
    "np.arccosh(x * x + 1)" => (x * x + 1).arccosh()?;
    "np.arctanh(x / 10)" => ops::div(x, 10)?.arctanh()?;
    "np.arctan2(x, y)" => x.arctan2(y)?;
    "np.radians(x)" => x.radians()?;
    "np.degrees(x)" => x.degrees()?;
    "np.absolute(x)" => x.absolute()?;
    "np.fabs(x)" => x.fabs()?;
    "np.negative(x)" => x.negative()?;
    "np.bitwise_not(i)" => i.bitwise_not()?;
    "np.subtract(x, y)" => x.subtract(y)?;
    "np.multiply(x, y)" => x.multiply(y)?;
    "np.divide(x, y)" => x.divide(y)?;
    "np.divide(i, 2)" => i.divide(2)?;
    "np.conjugate(c)" => c.conjugate()?;
    "np.around(x, 1)" => x.around(1)?;
    "x.astype(np.float32).astype(np.float64)" => x.astype(f32)?.astype(f64)?;
    "np.swapaxes(t, 0, 2)" => t.swapaxes(0, 2)?;
    "np.moveaxis(t, 0, -1)" => t.moveaxis(0, -1)?;
    "np.amax(x, axis=1)" => x.amax(1)?;
    "np.amin(x, axis=0, keepdims=True)" => x.amin((0, KeepDims))?;
    "np.logaddexp.reduce(x, axis=1)" => x.logsumexp(1)?;
    "m.diagonal()" => m.diagonal(..)?;
    "np.sum(t, axis=(0, 1))" => t.sum((0, 1))?;
    "np.max(t, axis=(0, 2))" => t.max((0, 2))?;
    "np.flip(x, axis=(0, 1))" => x.flip((0, 1))?;
    "x.reshape(y.shape)" => x.reshape(y.shape())?;
    "np.zeros(x.shape)" => ops::zeros(x.shape(), f64)?;
    "np.broadcast_to(v, x.shape)" => v.broadcast_to(x.shape())?;
    "np.full(x.shape[0], 2.0)" => ops::full(x.shape()[0], 2.0)?;
    "x + np.array([1.0, 2.0, 3.0])" => x + [1.0, 2.0, 3.0];
    "np.isin(k, [0, 3])" => k.isin([0, 3])?;
    "np.convolve(k, [1, 1])" => k.convolve([1, 1], ..)?;
    "np.append(k, [1, 2])" => k.append([1, 2], ..)?;
    "np.dot(x, [1.0, 2.0, 3.0])" => x.dot([1.0, 2.0, 3.0])?;
    "b ^ (x > 0)" => b ^ x.greater(0)?;
    "1j * v" => Complex64::new(0.0, 1.0) * v.cast(complex128)?;
}
