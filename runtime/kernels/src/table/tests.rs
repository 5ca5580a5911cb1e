use super::*;
use crate::element::{
    Arithmetic, Cast, Complex32, Complex64, Float, Real, Transcendental, bf16, f16,
};
use crate::math::special::Special;
use crate::reduce::ReduceLayout;
use crate::table::cast::CastTarget;
use crate::testing::{filled, noise};

/// Checks that all bits are equal, except those of NaN.
fn assert_same<T: Element>(got: &[T], want: &[T], name: &str) {
    assert_eq!(got.len(), want.len());
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        // Texts distinguish zeros but not NaNs; they are slow.
        if got != want || *got == T::default() {
            assert_eq!(format!("{got:?}"), format!("{want:?}"), "{name} of {i}");
        }
    }
}

/// All halves, and not only whole blocks.
fn all<H: Tabled>(from_bits: fn(u16) -> H) -> Vec<H> {
    (0..=u16::MAX).map(from_bits).collect()
}

fn check_unary<H: Tabled, R: Element>(x: &[H], f: MapFn<H, R>, scalar: fn(H) -> R, name: &str) {
    let want: Vec<R> = x.iter().map(|x| scalar(*x)).collect();
    for par in [Par::Seq, Par::Pool] {
        assert_same(&filled(x.len(), |out| f(x, out, par)), &want, name);
    }
    assert_same(&filled(300, |out| f(&x[1..301], out, Par::Seq)), &want[1..301], name);
}

macro_rules! unary_of_halves {
    ($($test:ident: $($table:path = $tr:ident::$f:ident),*;)*) => {$(
        #[test]
        fn $test() {
            $(
                let f16s = f16::entry(&$table).unwrap();
                check_unary(&all(f16::from_bits), f16s, <f16 as $tr>::$f, stringify!($f));
                let bf16s = bf16::entry(&$table).unwrap();
                check_unary(&all(bf16::from_bits), bf16s, <bf16 as $tr>::$f, stringify!($f));
            )*
        }
    )*};
}

unary_of_halves! {
    arithmetic_of_all_halves: unary::NEG = Arithmetic::neg, unary::SQUARE = Arithmetic::square,
        unary::ABS = Real::abs, unary::REAL_SIGN = Real::sign, unary::RELU = Real::relu,
        unary::RELU6 = Real::relu6, unary::FLOOR = Real::floor, unary::CEIL = Real::ceil,
        unary::RINT = Real::rint, unary::IS_NAN = Float::is_nan, unary::IS_INF = Float::is_inf,
        unary::IS_FINITE = Float::is_finite;
    exponentials_of_all_halves: unary::EXP = Transcendental::exp,
        unary::EXPM1 = Transcendental::expm1, unary::LOG = Transcendental::log,
        unary::LOG1P = Transcendental::log1p, unary::SQRT = Transcendental::sqrt,
        unary::RSQRT = Transcendental::rsqrt, unary::RECIPROCAL = Transcendental::reciprocal,
        unary::SIGMOID = Transcendental::sigmoid, unary::SOFTPLUS = Float::softplus,
        unary::SOFTSIGN = Float::softsign, unary::ELU = Float::elu, unary::SELU = Float::selu;
    angles_of_all_halves: unary::SIN = Transcendental::sin, unary::COS = Transcendental::cos,
        unary::TAN = Transcendental::tan, unary::ASIN = Transcendental::asin,
        unary::ACOS = Transcendental::acos, unary::ATAN = Transcendental::atan,
        unary::SINH = Transcendental::sinh, unary::COSH = Transcendental::cosh,
        unary::TANH = Transcendental::tanh, unary::ASINH = Transcendental::asinh,
        unary::ACOSH = Transcendental::acosh, unary::ATANH = Transcendental::atanh;
    special_functions_of_all_halves: unary::CBRT = Float::cbrt, unary::ERF = Float::erf, unary::ERFC = Float::erfc,
        special::LGAMMA = Float::lgamma, special::DIGAMMA = Special::digamma,
        special::ERFINV = Special::erfinv, special::BESSEL_I0E = Special::bessel_i0e,
        special::SPENCE = Special::spence;
}

fn check_binary<T: Tabled, R: Element>(
    x: &[T],
    y: &[T],
    f: ZipFn<T, R>,
    scalar: fn(T, T) -> R,
    name: &str,
) {
    let want: Vec<R> = x.iter().zip(y).map(|(x, y)| scalar(*x, *y)).collect();
    assert_same(&filled(x.len(), |out| f(x, y, Pairing::Each, out, Par::Pool)), &want, name);
    let want: Vec<R> = x.iter().map(|x| scalar(*x, y[7])).collect();
    let got = filled(x.len(), |out| f(x, &y[7..8], Pairing::Right, out, Par::Seq));
    assert_same(&got, &want, name);
    let plan = Broadcast::new(&[3, 1], &[5]).unwrap();
    let want: Vec<R> = (0..15).map(|i| scalar(x[i / 5], y[i % 5])).collect();
    let pairing = Pairing::Broadcast(&plan);
    assert_same(&filled(15, |out| f(&x[..3], &y[..5], pairing, out, Par::Seq)), &want, name);
}

macro_rules! binary_of_halves {
    ($($table:ident = |$x:ident, $y:ident| $scalar:expr;)*) => {
        #[test]
        fn binary_ops_of_halves() {
            fn check<H: Tabled + Float>(from_bits: fn(u16) -> H) {
                let x: Vec<H> = all(from_bits).into_iter().step_by(3).collect();
                // The step meets numbers of all magnitudes and both signs.
                let y: Vec<H> = (0..x.len()).map(|i| from_bits((i * 40_503 + 11) as u16)).collect();
                $(
                    let f = H::entry(&binary::$table).unwrap();
                    check_binary(&x, &y, f, |$x: H, $y: H| $scalar, stringify!($table));
                )*
            }
            check(f16::from_bits);
            check(bf16::from_bits);
        }
    };
}

binary_of_halves! {
    ADD = |x, y| x.add(y);
    SUB = |x, y| x.sub(y);
    MUL = |x, y| x.mul(y);
    MUL_NO_NAN = |x, y| x.mul_no_nan(y);
    REAL_DIV = |x, y| x.div(y);
    DIV_NO_NAN = |x, y| x.div_no_nan(y);
    XDIVY = |x, y| x.xdivy(y);
    XLOGY = |x, y| x.xlogy(y);
    XLOG1PY = |x, y| x.xlog1py(y);
    POW = |x, y| x.pow(y);
    ATAN2 = |x, y| x.atan2(y);
    HYPOT = |x, y| x.hypot(y);
    LEAKY_RELU = |x, y| x.leaky_relu(y);
    MAXIMUM = |x, y| x.maximum(y);
    MINIMUM = |x, y| x.minimum(y);
    SQUARED_DIFFERENCE = |x, y| x.squared_difference(y);
    FLOOR_DIV = |x, y| x.floor_div(y);
    FLOOR_MOD = |x, y| x.floor_mod(y);
    TRUNC_DIV = |x, y| x.trunc_div(y);
    TRUNC_MOD = |x, y| x.trunc_mod(y);
    LESS = |x, y| x < y;
    LESS_EQUAL = |x, y| x <= y;
    GREATER = |x, y| x > y;
    GREATER_EQUAL = |x, y| x >= y;
    EQUAL = |x, y| x == y;
    NOT_EQUAL = |x, y| x != y;
}

/// Numbers that conversions treat specially.
fn samples<T>() -> Vec<T>
where
    f64: Cast<T>,
    i64: Cast<T>,
    u64: Cast<T>,
{
    let floats =
        [0.0, -0.0, 0.3, -0.7, 1.0, 2.5, -3.5, 127.5, 128.0, 255.9, -129.0, 1e5, 3e9, -3e9];
    let floats = floats.into_iter().chain([1e19, -1e19, 1e300, f64::INFINITY, f64::NAN, 1e-40]);
    let bits = (0..64).flat_map(|i| [1u64 << i, (1 << i) - 1, (1 << i) | 1, u64::MAX << i]);
    let bits: Vec<u64> = bits.collect();
    let integers = bits.iter().map(|x| Cast::<T>::cast(*x));
    let signed = bits.iter().map(|x| Cast::<T>::cast(*x as i64));
    floats.map(Cast::<T>::cast).chain(integers).chain(signed).collect()
}

trait Samples: Sized {
    fn all() -> Vec<Self>;
}

macro_rules! all_casts {
    ([] $($field:ident: $t:ty, $dtype:ident $kind:ident;)*) => {
        $(impl Samples for $t {
            fn all() -> Vec<Self> {
                samples()
            }
        })*

        #[test]
        fn conversions_are_those_of_the_elements() {
            $(all_casts!(@to $t);)*
        }

        /// Checks the casts from all types to one.
        fn check_casts<R>()
        where
            R: CastTarget,
            $($t: Cast<R>,)*
        {
            $(
                let x = <$t as Samples>::all();
                let want: Vec<R> = x.iter().map(|x| Cast::<R>::cast(*x)).collect();
                let cast = <$t>::entry(R::casts()).unwrap();
                let name = concat!("a cast of ", stringify!($t));
                assert_same(&filled(x.len(), |out| cast(&x, out, Par::Seq)), &want, name);
            )*
        }
    };
    (@to $t:ty) => { check_casts::<$t>() };
}
element_types!([all_casts]);

#[test]
fn means_and_norms_are_those_of_the_reducers() {
    fn check<T: Tabled>(x: &[T], f: ReduceFn<T, T>, want: impl Fn(&ReduceLayout) -> Vec<T>) {
        for (shape, flags) in
            [([40, 25], [true, false]), ([40, 25], [false, true]), ([1, 1000], [true, true])]
        {
            let layout = ReduceLayout::new(&shape, &flags);
            let got = filled(layout.out_len(), |out| f(x, &layout, out, Par::Seq));
            assert_same(&got, &want(&layout), "a reduction");
        }
    }
    macro_rules! means {
        ($($t:ty)*) => {$(
            let x: Vec<$t> = noise(1000).iter().map(|x| Cast::<$t>::cast(x * 100.0)).collect();
            check(&x, <$t>::entry(&reduction::MEAN).unwrap(), |layout| {
                filled(layout.out_len(), |out| {
                    crate::reduce::reduce(&x, layout, out, Par::Seq, crate::reduce::Mean);
                })
            });
        )*};
    }
    means!(i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    let x = noise(1000);
    let squares: [(_, fn(f32) -> f32); 2] =
        [(&reduction::EUCLIDEAN_NORM, f32::sqrt), (&reduction::HALF_SQUARES, |x| x / 2.0)];
    for (table, finish) in squares {
        check(&x, f32::entry(table).unwrap(), |layout| {
            let sums: Vec<f32> = filled(layout.out_len(), |out| {
                crate::reduce::reduce(&x, layout, out, Par::Seq, crate::reduce::Squares);
            });
            sums.into_iter().map(finish).collect()
        });
    }
}
