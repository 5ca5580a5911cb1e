//! Fresnel's integrals.

use core::f64::consts::{FRAC_PI_2, PI};

use super::chebyshev::chebyshev;

/// `C(x) / x` by `x⁴` for x from 0 to 2.5.
const FRESNEL_C: [f64; 19] = [
    0.34000378753284183,
    -0.21463555314242846,
    0.15086068597273897,
    -0.16275298115965597,
    0.09439188697085799,
    -0.030258674844348032,
    0.006136259345258138,
    -0.0008630100768587364,
    8.952601506384834e-05,
    -7.155197218935395e-06,
    4.5507060807857273e-07,
    -2.3613846621675632e-08,
    1.0198188673971249e-09,
    -3.7256112709362435e-11,
    1.1669697174334323e-12,
    -3.170123708177304e-14,
    7.542382946843456e-16,
    -1.5850932611248597e-17,
    2.9645336772692534e-19,
];
/// `S(x) / x³` by `x⁴` for x from 0 to 2.5.
const FRESNEL_S: [f64; 18] = [
    0.13731418077153454,
    -0.16960110942188242,
    0.11972244946441143,
    -0.06682747887872158,
    0.02369897694891726,
    -0.0054552598760263605,
    0.0008685834651337593,
    -0.00010109296316378186,
    8.977617585237801e-06,
    -6.288000115046214e-07,
    3.565188007583185e-08,
    -1.6709016343051067e-09,
    6.584983337650556e-11,
    -2.21355991286889e-12,
    6.423967722207285e-14,
    -1.6262360081997799e-15,
    3.623474949675941e-17,
    -7.162016873195094e-19,
];
/// `πx f(x)` by `1 / x⁴` for x from 2.5 on, where f is the first auxiliary function.
const FRESNEL_F: [f64; 23] = [
    0.9963328957401564,
    -0.003598309670657881,
    6.571370067989755e-05,
    -2.8536780198887793e-06,
    2.0392432873227112e-07,
    -2.0266109330631773e-08,
    2.552087597911368e-09,
    -3.845541164875694e-10,
    6.675316364065206e-11,
    -1.2999222228183651e-11,
    2.7854753661035737e-12,
    -6.472837551675955e-13,
    1.6129097288670446e-13,
    -4.271416785005461e-14,
    1.1935909122483213e-14,
    -3.4986337790445387e-15,
    1.0704597151201907e-15,
    -3.4046904742558257e-16,
    1.1217459941997248e-16,
    -3.8168960882542417e-17,
    1.3377953507119546e-17,
    -4.818829146459739e-18,
    1.7803069829218163e-18,
];
/// `π²x³ g(x)` by `1 / x⁴` for x from 2.5 on, where g is the second auxiliary function.
const FRESNEL_G: [f64; 27] = [
    0.982434032233484,
    -0.01700279800137119,
    0.0005287544471589305,
    -3.1278400741370834e-05,
    2.7605485861992255e-06,
    -3.211089249673797e-07,
    4.578135622392606e-08,
    -7.637872578693759e-09,
    1.4448487265855392e-09,
    -3.0303289556955057e-10,
    6.930478759520513e-11,
    -1.7066500942834794e-11,
    4.480592314031894e-12,
    -1.2442427970638398e-12,
    3.6313309725247755e-13,
    -1.1079432976543775e-13,
    3.51833687037071e-14,
    -1.1585086601591264e-14,
    3.942881111955888e-15,
    -1.3831925795114216e-15,
    4.989590813819003e-16,
    -1.8469233353862457e-16,
    7.002143639625525e-17,
    -2.714557595751917e-17,
    1.0745287759496682e-17,
    -4.337297067263698e-18,
    1.7831608366592402e-18,
];
/// The fourth power of 2.5: up to it the integrals themselves are series.
const LIMIT: f64 = 39.0625;

/// The auxiliary functions f and g, and the sine and cosine of `π/2 x²`, for `x` above 2.5.
fn auxiliary(x: f64) -> [f64; 4] {
    let square = x * x;
    // The rounding error of the square matters as soon as the square is large.
    let lost = x.mul_add(x, -square);
    let (sin, cos) = (FRAC_PI_2 * (square % 4.0 + lost)).sin_cos();
    let u = 1.0 / (square * square);
    let f = chebyshev(&FRESNEL_F, u, 0.0, 1.0 / LIMIT) / (PI * x);
    let g = chebyshev(&FRESNEL_G, u, 0.0, 1.0 / LIMIT) / (PI * PI * x * square);
    [f, g, sin, cos]
}

/// Beyond this the integrals are one half to the last bit.
const FAR: f64 = 1e17;

/// The integral of `cos(π/2 t²)` from 0 to x.
pub(crate) fn fresnel_cos(x: f64) -> f64 {
    let magnitude = x.abs();
    let fourth = (x * x) * (x * x);
    if fourth <= LIMIT {
        return x * chebyshev(&FRESNEL_C, fourth, 0.0, LIMIT);
    }
    if magnitude > FAR {
        return 0.5f64.copysign(x);
    }
    let [f, g, sin, cos] = auxiliary(magnitude);
    (0.5 + (f * sin - g * cos)).copysign(x)
}

/// The integral of `sin(π/2 t²)` from 0 to x.
pub(crate) fn fresnel_sin(x: f64) -> f64 {
    let magnitude = x.abs();
    let fourth = (x * x) * (x * x);
    if fourth <= LIMIT {
        return x * (x * x) * chebyshev(&FRESNEL_S, fourth, 0.0, LIMIT);
    }
    if magnitude > FAR {
        return 0.5f64.copysign(x);
    }
    let [f, g, sin, cos] = auxiliary(magnitude);
    (0.5 - (f * cos + g * sin)).copysign(x)
}
