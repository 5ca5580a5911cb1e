//! The regularised incomplete gamma functions.
//!
//! `P(a, x)` is a power series below about `a + 1`, and `Q(a, x)` a continued fraction above it. For large `a` and `x`
//! close to it both converge slowly, and Temme's uniform expansion is used. Each part also gives the derivative with
//! respect to `a`.

use core::f64::consts::PI;

use super::chebyshev::chebyshev;
use super::gamma::digamma;

/// `log Γ(1 + a) / a` for a from 0 to 1.
const LGAMMA_1P: [f64; 28] = [
    -0.2647362369323025,
    0.28587285859139466,
    -0.0235145763321575,
    0.002685079974656731,
    -0.0003497552715727561,
    4.880755320003236e-05,
    -7.098358790485804e-06,
    1.060746616681459e-06,
    -1.6155933858435658e-07,
    2.4955218012272827e-08,
    -3.896697345119788e-09,
    6.137352658308378e-10,
    -9.734966110649396e-11,
    1.5533015630980043e-11,
    -2.4909467297324567e-12,
    4.0120228240690907e-13,
    -6.486576014785499e-14,
    1.0522714222232995e-14,
    -1.7121447861626472e-15,
    2.7933134227060936e-16,
    -4.568268129158122e-17,
    7.487532521139084e-18,
    -1.2296930695316564e-18,
    2.0232618246910157e-19,
    -3.334573657662462e-20,
    5.504330366043439e-21,
    -9.099009524704987e-22,
    1.5061359578179619e-22,
];
/// The Taylor coefficients of `Cₖ(η)`, row by row.
const TEMME: [[f64; 18]; 9] = [
    [
        -0.3333333333333333,
        0.08333333333333333,
        -0.014814814814814815,
        0.0011574074074074073,
        0.0003527336860670194,
        -0.0001787551440329218,
        3.919263178522438e-05,
        -2.185448510679992e-06,
        -1.85406221071516e-06,
        8.296711340953087e-07,
        -1.7665952736826078e-07,
        6.707853543401498e-09,
        1.0261809784240309e-08,
        -4.382036018453353e-09,
        9.14769958223679e-10,
        -2.5514193994946248e-11,
        -5.830772132550426e-11,
        2.4361948020667415e-11,
    ],
    [
        -0.001851851851851852,
        -0.003472222222222222,
        0.0026455026455026454,
        -0.0009902263374485596,
        0.00020576131687242798,
        -4.018775720164609e-07,
        -1.8098550334489977e-05,
        7.64916091608111e-06,
        -1.6120900894563446e-06,
        4.647127802807434e-09,
        1.378633446915721e-07,
        -5.752545603517705e-08,
        1.1951628599778148e-08,
        -1.7543241719747647e-11,
        -1.0091543710600413e-09,
        4.162792991842583e-10,
        -8.56390702649298e-11,
        6.067215101604758e-14,
    ],
    [
        0.004133597883597883,
        -0.0026813271604938273,
        0.0007716049382716049,
        2.0093878600823047e-06,
        -0.0001073665322636516,
        5.2923448829120125e-05,
        -1.2760635188618728e-05,
        3.423578734096138e-08,
        1.3721957309062934e-06,
        -6.298992138380055e-07,
        1.4280614206064242e-07,
        -2.0477098421990866e-10,
        -1.409252991086752e-08,
        6.228974084922022e-09,
        -1.3670488396617114e-09,
        9.428356159014678e-13,
        1.2872252400089318e-10,
        -5.5645956134363323e-11,
    ],
    [
        0.0006494341563786008,
        0.00022947209362139917,
        -0.0004691894943952557,
        0.00026772063206283885,
        -7.561801671883977e-05,
        -2.396505113867297e-07,
        1.1082654115347302e-05,
        -5.6749528269915965e-06,
        1.4230900732435883e-06,
        -2.7861080291528143e-11,
        -1.6958404091930278e-07,
        8.099464905388083e-08,
        -1.9111168485973655e-08,
        2.3928620439808118e-12,
        2.0620131815488797e-09,
        -9.460496661855133e-10,
        2.1541049775774907e-10,
        -1.388823336813903e-14,
    ],
    [
        -0.0008618882909167117,
        0.0007840392217200666,
        -0.0002990724803031902,
        -1.4638452578843418e-06,
        6.641498215465122e-05,
        -3.968365047179435e-05,
        1.1375726970678419e-05,
        2.507497226237533e-10,
        -1.6954149536558305e-06,
        8.907507532205309e-07,
        -2.292934834000805e-07,
        2.956794137544049e-11,
        2.8865829742708783e-08,
        -1.4189739437803219e-08,
        3.4463580499464896e-09,
        -2.3024517174528067e-13,
        -3.9409233028046403e-10,
        1.86023389685045e-10,
    ],
    [
        -0.00033679855336635813,
        -6.972813758365857e-05,
        0.0002772753244959392,
        -0.00019932570516188847,
        6.797780477937208e-05,
        1.419062920643967e-07,
        -1.3594048189768693e-05,
        8.018470256334202e-06,
        -2.291481176508095e-06,
        -3.252473551298454e-10,
        3.4652846491085265e-07,
        -1.8447187191171344e-07,
        4.8240967037894184e-08,
        -1.7989466721743514e-14,
        -6.306194500013523e-09,
        3.162417628774568e-09,
        -7.840924253697429e-10,
        5.192679165254041e-15,
    ],
    [
        0.0005313079364639922,
        -0.0005921664373536939,
        0.0002708782096718045,
        7.902353232660328e-07,
        -8.153969367561969e-05,
        5.61168275310625e-05,
        -1.8329116582843375e-05,
        -3.0796134506033047e-09,
        3.465155368803609e-06,
        -2.0291327396058603e-06,
        5.788792863149004e-07,
        2.338630673826657e-13,
        -8.828600746330484e-08,
        4.7435958880408125e-08,
        -1.2545415020710383e-08,
        8.649648858010293e-14,
        1.6846058979264062e-09,
        -8.575492823577594e-10,
    ],
    [
        0.00034436760689237765,
        5.171790908260592e-05,
        -0.00033493161081142234,
        0.0002812695154763237,
        -0.00010976582244684731,
        -1.2741009095484485e-07,
        2.7744451511563645e-05,
        -1.8263488805711332e-05,
        5.7876949497350525e-06,
        4.93875893393627e-10,
        -1.0595367014026043e-06,
        6.166714376110408e-07,
        -1.7562973359060463e-07,
        -1.297447328701544e-12,
        2.695423606288966e-08,
        -1.4578352908731272e-08,
        3.887645959386175e-09,
        -3.881002251019412e-17,
    ],
    [
        -0.0006526239185953094,
        0.0008394987206720873,
        -0.000438297098541721,
        -6.969091458420552e-07,
        0.00016644846642067547,
        -0.00012783517679769218,
        4.629953263691304e-05,
        4.557909867922708e-09,
        -1.0595271125805195e-05,
        6.783342904865167e-06,
        -2.1075476666258803e-06,
        -1.7213731432817144e-11,
        3.773587741611098e-07,
        -2.1867506700122867e-07,
        6.220228804018927e-08,
        6.597703826733e-16,
        -9.590386497425686e-09,
        5.213214492280807e-09,
    ],
];
/// `B₂ₖ / (2k (2k - 1))`: Stirling's series.
const STIRLING: [f64; 8] = [
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360360.0,
    1.0 / 156.0,
    -3617.0 / 122400.0,
];

/// Both functions, and the derivative of P with respect to `a`.
struct Gammas {
    p: f64,
    q: f64,
    p_grad: f64,
    /// How a number drawn at `x` moves with `a`: `p_grad` over the density, negated.
    sample_grad: f64,
}

/// `log(1 + x) - x`.
fn log1p_minus(x: f64) -> f64 {
    if x.abs() > 0.5 {
        return x.ln_1p() - x;
    }
    let u = x / (2.0 + x);
    let square = u * u;
    let sum = (1..18).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    2.0 * u * square * sum - u * x
}

/// `xᵃ e⁻ˣ / Γ(a + 1)`.
fn density(a: f64, x: f64) -> f64 {
    if a < 10.0 {
        return x.powf(a) * (-x).exp() / libm::tgamma(a + 1.0);
    }
    let offset = (x - a) / a;
    let exponent = if offset < -0.5 { (x / a).ln() - offset } else { log1p_minus(offset) };
    let inverse = 1.0 / (a * a);
    let stirling = STIRLING.iter().rev().fold(0.0, |sum, term| sum * inverse + term) / a;
    (a * exponent - stirling).exp() / (2.0 * PI * a).sqrt()
}

/// Both functions by the power series of P.
fn series(a: f64, x: f64) -> Gammas {
    let (mut term, mut term_grad) = (1.0, 0.0);
    let (mut sum, mut sum_grad) = (1.0, 0.0);
    let mut n = a;
    while term > 1e-18 * sum || term_grad < 1e-18 * sum_grad {
        n += 1.0;
        let ratio = x / n;
        term_grad = term_grad * ratio - term * ratio / n;
        term *= ratio;
        sum += term;
        sum_grad += term_grad;
    }
    let density = density(a, x);
    let log_grad = x.ln() - digamma(a + 1.0);
    let p = density * sum;
    // The derivative of the density is the density times the derivative of its logarithm.
    let p_grad = p * log_grad + density * sum_grad;
    let sample_grad = -(sum * log_grad + sum_grad) * x / a;
    let q = if a < 1.0 { small_upper(a, x) } else { 1.0 - p };
    Gammas { p, q, p_grad, sample_grad }
}

/// Q for `a` below one and `x` below about two, without cancellation.
fn small_upper(a: f64, x: f64) -> f64 {
    let log = a * (x.ln() - chebyshev(&LGAMMA_1P, a, 0.0, 1.0));
    let (mut term, mut sum) = (1.0, 0.0);
    let mut n = 0.0;
    while f64::abs(term) > 1e-18 {
        n += 1.0;
        term *= -x / n;
        sum += term / (a + n);
    }
    -log.exp_m1() - log.exp() * a * sum
}

/// Both functions by the continued fraction of Q, with Lentz's method.
fn fraction(a: f64, x: f64) -> Gammas {
    let mut b = x + 1.0 - a;
    let mut d = 1.0 / b;
    let mut d_grad = d * d;
    // The ratio of the numerators begins infinite.
    let (mut c_inverse, mut c_inverse_grad) = (0.0, 0.0);
    let (mut h, mut h_grad) = (d, d_grad);
    for i in 1..10_000 {
        let i = f64::from(i);
        let numerator = i * (a - i);
        b += 2.0;
        let c = b + numerator * c_inverse;
        let c_grad = -1.0 + i * c_inverse + numerator * c_inverse_grad;
        let raw = b + numerator * d;
        let raw_grad = -1.0 + i * d + numerator * d_grad;
        d = 1.0 / raw;
        d_grad = -raw_grad * d * d;
        c_inverse = 1.0 / c;
        c_inverse_grad = -c_grad * c_inverse * c_inverse;
        let step = c * d;
        let step_grad = c_grad * d + c * d_grad;
        h_grad = h_grad * step + h * step_grad;
        h *= step;
        if (step - 1.0).abs() < 2e-16 && step_grad.abs() * h < 2e-16 * h_grad.abs() {
            break;
        }
    }
    // The density for Q lacks the factor 1 / a of the density for P.
    let scale = density(a, x) * a;
    let q = scale * h;
    let log_grad = x.ln() - digamma(a);
    let q_grad = q * log_grad + scale * h_grad;
    Gammas { p: 1.0 - q, q, p_grad: -q_grad, sample_grad: (h * log_grad + h_grad) * x }
}

/// Both functions by Temme's expansion, for large `a` and for `x` within a third of it.
fn uniform(a: f64, x: f64) -> Gammas {
    let offset = (x - a) / a;
    let half_square = -log1p_minus(offset);
    let eta = (2.0 * half_square).sqrt().copysign(offset);
    let ratio = if eta == 0.0 { 1.0 } else { offset / eta };
    let eta_grad = -ratio / a;
    let (mut sum, mut sum_grad) = (0.0, 0.0);
    for row in TEMME.iter().rev() {
        let (mut value, mut slope) = (0.0, 0.0);
        for &c in row.iter().rev() {
            slope = slope * eta + value;
            value = value * eta + c;
        }
        sum_grad = slope * eta_grad + (sum_grad - sum / a) / a;
        sum = sum / a + value;
    }
    let y = eta * (0.5 * a).sqrt();
    let bell = (-a * half_square).exp() / (2.0 * PI * a).sqrt();
    let rest = bell * sum;
    let q_grad = bell * (ratio - 0.5 * eta + (offset - half_square - 0.5 / a) * sum + sum_grad);
    // Far from `a` the density is zero, and numbers move with their root.
    let density = density(a, x) * a / x;
    let sample_grad = if density > 0.0 { q_grad / density } else { (x / a).sqrt() };
    let p = 0.5 * libm::erfc(-y) - rest;
    Gammas { p, q: 0.5 * libm::erfc(y) + rest, p_grad: -q_grad, sample_grad }
}

/// Chooses the method; both arguments are positive and finite.
fn gammas(a: f64, x: f64) -> Gammas {
    if a >= 100.0 && (x - a).abs() <= 0.3 * a {
        uniform(a, x)
    } else if x < a + 1.0 {
        series(a, x)
    } else {
        fraction(a, x)
    }
}

/// True where the functions are not defined.
fn undefined(a: f64, x: f64) -> bool {
    a.is_nan() || x.is_nan() || a <= 0.0 || x < 0.0
}

/// The lower regularised incomplete gamma function `P(a, x)`.
///
/// It is zero at zero for every `a`.
pub(crate) fn igamma(a: f64, x: f64) -> f64 {
    if x == 0.0 {
        0.0
    } else if undefined(a, x) {
        f64::NAN
    } else if a == f64::INFINITY {
        0.0
    } else if x == f64::INFINITY {
        1.0
    } else {
        gammas(a, x).p
    }
}

/// The upper regularised incomplete gamma function `Q(a, x)`.
pub(crate) fn igammac(a: f64, x: f64) -> f64 {
    if undefined(a, x) {
        f64::NAN
    } else if x == f64::INFINITY {
        0.0
    } else if x == 0.0 || a == f64::INFINITY {
        1.0
    } else {
        gammas(a, x).q
    }
}

/// The derivative of [`igamma`] with respect to `a`.
pub(crate) fn igamma_grad_a(a: f64, x: f64) -> f64 {
    if x == 0.0 {
        0.0
    } else if undefined(a, x) {
        f64::NAN
    } else if a == f64::INFINITY || x == f64::INFINITY {
        0.0
    } else {
        gammas(a, x).p_grad
    }
}

/// How a number `x` drawn from the gamma distribution of shape `a` moves with `a`.
pub(crate) fn gamma_sample_grad(a: f64, x: f64) -> f64 {
    if x == 0.0 {
        0.0
    } else if undefined(a, x) || a == f64::INFINITY || x == f64::INFINITY {
        f64::NAN
    } else {
        gammas(a, x).sample_grad
    }
}
