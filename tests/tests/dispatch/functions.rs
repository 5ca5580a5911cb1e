//! Functions made of several ops, on a type with a unit, a generic wrapper and masked tensors: each works as on the
//! components, or does not compile.

use std::collections::BTreeSet;
use std::path::Path;

use extype::numpy;
use extype::ops::options::{Over, Spread};
use extype::ops::{
    ArgMax, ArgMin, BinaryElementwise, Cumprod, Cumsum, ExpandDims, Gather, LogSoftmax, MatMul,
    MatrixDiagPart, Normed, Reductions, Reshape, Reverse, RightElementwise, Slice, Softmax,
    StridedSlice, Transpose, UnaryElementwise,
};
use extype::prelude::*;
use extype::spec::dispatch::TensorTyped;
use extype_masked::MaskedTensor;

/// Numbers in a unit.
#[derive(ExtensionType, Clone, Debug)]
struct Measure {
    values: Tensor,
    #[static_data]
    unit: String,
}

impl Measure {
    fn with(&self, values: Tensor) -> Self {
        Self { values, unit: self.unit.clone() }
    }
}

#[dispatch(stand_in = values)]
impl Measure {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        let y = x.with(op.call(&x.values)?);
        Ok(match op.name() {
            "square" => Self { unit: format!("{}²", x.unit), ..y },
            "sqrt" => Self { unit: x.unit.trim_end_matches('²').to_owned(), ..y },
            _ => y,
        })
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        Ok(match operands {
            Pair::Both(x, y) => x.with(op.call(&x.values, &y.values)?),
            Pair::Left(x, y) => x.with(op.call(&x.values, y)?),
            Pair::Right(x, y) => y.with(op.call(x, &y.values)?),
        })
    }

    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        Ok(x.with(op.call(&x.values)?))
    }

    #[overrides(select)]
    fn select(
        c: ops::Arg<'_, Self, Tensor>,
        t: ops::Arg<'_, Self, Tensor>,
        e: ops::Arg<'_, Self, Tensor>,
    ) -> Result<Self> {
        let unit = [&c, &t, &e].into_iter().find_map(|x| match x {
            ops::Arg::This(x) => Some(x.unit.clone()),
            ops::Arg::Other(_) => None,
        });
        let of = |x: ops::Arg<'_, Self, Tensor>| match x {
            ops::Arg::This(x) => x.values.clone(),
            ops::Arg::Other(x) => x.clone(),
        };
        let values = ops::select(of(c), of(t), of(e))?;
        Ok(Self { values, unit: unit.unwrap_or_default() })
    }

    #[overrides(Gather)]
    fn gather(x: &Self, indices: &Tensor, op: &Gather) -> Result<Self> {
        Ok(x.with(op.run(&[&x.values, indices])?))
    }

    #[overrides(MatrixDiagPart)]
    fn matrix_diag_part(x: &Self, padding: &Tensor, op: &MatrixDiagPart) -> Result<Self> {
        Ok(x.with(op.run(&[&x.values, padding])?))
    }

    #[overrides(MatMul)]
    fn matmul(x: &Self, y: &Self, op: &MatMul) -> Result<Self> {
        Ok(x.with(op.run(&[&x.values, &y.values])?))
    }
}

macro_rules! on_values {
    ($($name:ident = $op:ident),* $(,)?) => {
        #[dispatch]
        impl Measure {
            $(#[overrides($op)]
            fn $name(x: &Self, op: &$op) -> Result<Self> {
                Ok(x.with(op.run(&[&x.values])?))
            })*
        }
    };
}
on_values! {
    reshape = Reshape,
    transpose = Transpose,
    reverse = Reverse,
    expand_dims = ExpandDims,
    slice = Slice,
    strided_slice = StridedSlice,
    cumsum = Cumsum,
    cumprod = Cumprod,
    arg_max = ArgMax,
    arg_min = ArgMin,
    softmax = Softmax,
    log_softmax = LogSoftmax,
}

/// Any values, with a name.
#[derive(ExtensionType, Clone, Debug)]
struct Named<V> {
    values: V,
    #[static_data]
    name: String,
}

#[dispatch(stand_in = values)]
impl<V> Named<V>
where
    V: TensorTyped
        + UnaryElementwise<Output = V>
        + Reductions<Output = V>
        + BinaryElementwise<V, Output = V>
        + BinaryElementwise<Tensor, Output = V>
        + RightElementwise<Tensor, Output = V>,
{
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)?, name: x.name.clone() })
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (values, name) = match operands {
            Pair::Both(x, y) => (op.call(&x.values, &y.values)?, &x.name),
            Pair::Left(x, y) => (op.call(&x.values, y)?, &x.name),
            Pair::Right(x, y) => (op.call_right(x, &y.values)?, &y.name),
        };
        Ok(Self { values, name: name.clone() })
    }

    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)?, name: x.name.clone() })
    }
}

/// The tensors that a result is made of.
trait Values {
    fn tensors(self) -> Vec<Tensor>;
}

impl Values for Tensor {
    fn tensors(self) -> Vec<Tensor> {
        vec![self]
    }
}

impl Values for Measure {
    fn tensors(self) -> Vec<Tensor> {
        vec![self.values]
    }
}

impl<V: Values> Values for Named<V> {
    fn tensors(self) -> Vec<Tensor> {
        self.values.tensors()
    }
}

impl Values for MaskedTensor {
    fn tensors(self) -> Vec<Tensor> {
        vec![self.values]
    }
}

impl<A: Values, B: Values> Values for (A, B) {
    fn tensors(self) -> Vec<Tensor> {
        [self.0.tensors(), self.1.tensors()].concat()
    }
}

impl<A: Values> Values for Vec<A> {
    fn tensors(self) -> Vec<Tensor> {
        self.into_iter().flat_map(Values::tensors).collect()
    }
}

fn same(name: &str, of: &str, expected: impl Values, found: impl Values) {
    let (expected, found) = (expected.tensors(), found.tensors());
    assert_eq!(expected.len(), found.len(), "{name} of {of}");
    for (e, f) in expected.iter().zip(&found) {
        assert_eq!((e.dtype(), e.shape()), (f.dtype(), f.shape()), "{name} of {of}");
        assert_eq!(e.to_string(), f.to_string(), "{name} of {of}");
    }
}

/// Declares a function that calls each function on `x` of a type, and compares it with the one on a tensor; and the list
/// of their names.
macro_rules! functions {
    ($list:ident, $check:ident: $($name:ident($x:ident) $call:expr;)*) => {
        const $list: &[&str] = &[$(stringify!($name)),*];

        macro_rules! $check {
            ($of:expr, $tensor:expr, $value:expr) => {
                $(same(
                    stringify!($name),
                    $of,
                    { let $x = $tensor; $call.map_err(|e| e.prefixed(stringify!($name).to_owned()))? },
                    { let $x = $value; $call.map_err(|e| e.prefixed(stringify!($name).to_owned()))? },
                );)*
            };
        }
    };
}

functions! { ARITHMETIC, check_arithmetic:
    var(x) ops::var(x, (1, ops::Ddof(1)));
    std(x) ops::std(x, ..);
    reduce_variance(x) ops::reduce_variance(x, 0, true);
    reduce_std(x) ops::reduce_std(x, 1, false);
    moments(x) ops::moments(x, [0, 1], false);
    ptp(x) ops::ptp(x, 1);
    count_nonzero(x) ops::count_nonzero(x, 1);
    zero_fraction(x) ops::zero_fraction(x);
    l2_normalize(x) ops::l2_normalize(x, 1, 1e-12);
    average(x) ops::average(x, 0);
    around(x) numpy::around(x, 1);
    astype(x) numpy::astype(x, i32);
    isclose(x) ops::isclose(x, x, ..);
    allclose(x) ops::allclose(x, 1.5, ..);
    array_equal(x) ops::array_equal(x, x);
    array_equal_with(x) ops::array_equal_with(x, x, ops::EqualNan);
    array_equiv(x) ops::array_equiv(x, x);
}

functions! { MOVING, check_moving:
    reduce_logsumexp(x) ops::reduce_logsumexp(x, 1, false);
    logsumexp(x) numpy::logsumexp(x, ..);
    norm(x) ops::norm(x, Normed { order: None, over: Over { axes: 1.into(), keep_dims: true } });
    normalize(x) ops::normalize(x, ..);
    nansum(x) ops::nansum(x, 1);
    nanprod(x) ops::nanprod(x, ..);
    nanmax(x) ops::nanmax(x, 0);
    nanmin(x) ops::nanmin(x, 0);
    nanmean(x) ops::nanmean(x, 1);
    nanvar(x) ops::nanvar(x, Spread { over: Over::default(), ddof: 1.0 });
    nanstd(x) ops::nanstd(x, 0);
    nan_to_num(x) ops::nan_to_num(x, ops::NanAs(2.0));
    nancumsum(x) ops::nancumsum(x, 1);
    nancumprod(x) ops::nancumprod(x, ..);
    nanargmax(x) ops::nanargmax(x, 1);
    nanargmin(x) ops::nanargmin(x, ..);
    flatten(x) ops::flatten(x);
    ravel(x) ops::ravel(x);
    t(x) ops::t(x);
    matrix_transpose(x) ops::matrix_transpose(x);
    swap_axes(x) ops::swap_axes(x, 0, 1);
    swapaxes(x) numpy::swapaxes(x, 0, -1);
    moveaxis(x) numpy::moveaxis(x, 0, 1);
    move_axis(x) ops::move_axis(x, 0, 1);
    flip_left_right(x) ops::flip_left_right(ops::atleast_3d(x)?);
    flip_up_down(x) ops::flip_up_down(ops::atleast_3d(x)?);
    softmax_along(x) ops::softmax_along(x, 0);
    log_softmax_along(x) ops::log_softmax_along(x, -1);
    sigmoid_cross_entropy_with_logits(x) ops::sigmoid_cross_entropy_with_logits(x, x);
    flip(x) ops::flip(x, ..);
    fliplr(x) ops::fliplr(x);
    flipud(x) ops::flipud(x);
    rot90(x) ops::rot90(x, ..);
    atleast_1d(x) ops::atleast_1d(ops::reduce_sum(x, .., false)?);
    atleast_2d(x) ops::atleast_2d(x);
    atleast_3d(x) ops::atleast_3d(x);
    array_split(x) ops::array_split(x, 2, 1);
    take(x) ops::take(x, [2, 0], 1);
    compress(x) ops::compress(x, [true, false], 0);
    extract(x) ops::extract(x, [[true, false, true], [false, false, true]]);
    boolean_mask(x) ops::boolean_mask(x, [true, false, true], 1);
    delete(x) ops::delete(x, [1], 1);
    diff(x) ops::diff(x, 1);
    ediff1d(x) ops::ediff1d(x);
    trapezoid(x) ops::trapezoid(x, ..);
    outer(x) ops::outer(x, x);
    tril(x) ops::tril(x, ..);
    triu(x) ops::triu(x, 1);
    cumsum(x) ops::cumsum(x, (1, ops::Exclusive));
    cumprod(x) ops::cumprod(x, ..);
    argmax(x) ops::argmax(x, ..);
    argmin(x) ops::argmin(x, (0, KeepDims));
}

functions! { PRODUCTS, check_products:
    diag(x) ops::diag(x, ..);
    diagonal(x) numpy::diagonal(x, ..);
}

/// Functions for tensors, and for types that override them: they find elements by their values, or make new tensors.
const BY_NAME: &[&str] = &[
    "append",
    "argpartition",
    "argsort",
    "argwhere",
    "complex",
    "convolve",
    "corrcoef",
    "correlate",
    "cov",
    "cross",
    "cummax",
    "cummin",
    "dot",
    "diagflat",
    "digitize",
    "flatnonzero",
    "full_like",
    "geomspace",
    "geomspace_with",
    "histogram",
    "histogram_bin_edges",
    "histogram_fixed_width_bins",
    "inner",
    "insert",
    "interp",
    "intersect1d",
    "isin",
    "kron",
    "linspace",
    "linspace_with",
    "logspace",
    "logspace_with",
    "matvec",
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "nonzero",
    "pad_mode",
    "partition",
    "percentile",
    "poly",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "put",
    "put_along_axis",
    "quantile",
    "ravel_multi_index",
    "roots",
    "searchsorted",
    "setdiff1d",
    "setxor1d",
    "slope",
    "softmax_cross_entropy_with_logits",
    "sort",
    "sparse_softmax_cross_entropy_with_logits",
    "take_along_axis",
    "trace",
    "trim_zeros",
    "union1d",
    "unique_with_index",
    "unwrap",
    "vander",
    "vdot",
    "weighted_cross_entropy_with_logits",
    "where_",
];

fn numbers() -> Tensor {
    tensor![[1.5f32, 2.25, -1.0], [4.0, 0.5, 3.0]]
}

#[test]
fn functions_of_several_ops_work_for_types_that_have_the_ops() -> Result<()> {
    let x = &numbers();
    let measure = &Measure { values: x.clone(), unit: "m".into() };
    check_arithmetic!("Measure", x, measure);
    check_moving!("Measure", x, measure);
    check_products!("Measure", x, measure);
    let named = &Named { values: measure.clone(), name: "lengths".into() };
    check_arithmetic!("Named<Measure>", x, named);
    let plain = &Named { values: x.clone(), name: "numbers".into() };
    check_arithmetic!("Named<Tensor>", x, plain);
    let masked = &MaskedTensor::all_valid(x)?;
    check_arithmetic!("MaskedTensor", x, masked);
    check_moving!("MaskedTensor", x, masked);
    assert_eq!(ops::std(measure, 1)?.unit, "m");
    assert_eq!(ops::var(named, 1)?.values.unit, "m²");
    let other = MaskedTensor::all_valid([1.0f32])?;
    let equal = ops::array_equal(masked, &other)?;
    assert_eq!((equal.values.item::<bool>()?, equal.mask.item::<bool>()?), (false, true));
    Ok(())
}

#[tf_function(reduce_retracing)]
fn general(x: &Measure) -> Result<Measure> {
    x.var(1)
}

#[tf_function(reduce_retracing)]
fn asking(x: &Measure) -> Result<(Measure, Measure)> {
    Ok((x.argmax((.., KeepDims))?, x.tril(..)?))
}

#[test]
fn in_traces_and_gradients_they_are_the_same() -> Result<()> {
    let x = Measure { values: numbers(), unit: "m".into() };
    let spread = function(|x: &Measure| x.std((1, ops::Ddof(1))));
    assert_eq!(spread.call(&x)?.values.to_string(), x.values.std((1, ops::Ddof(1)))?.to_string());
    // With unknown sizes too.
    let signature = Measure { values: numbers(), unit: "m".into() };
    for rows in [1, 2, 1] {
        let x = signature.with(signature.values.slice([0, 0], [rows, 3])?);
        // Sizes are those of the field, also where a trace does not know them.
        let (places, lower) = asking(&x)?;
        assert_eq!(places.values.to_string(), x.values.argmax((.., KeepDims))?.to_string());
        assert_eq!(lower.values.to_string(), x.values.tril(..)?.to_string());
        assert_eq!(general(&x)?.values.to_string(), x.values.var(1)?.to_string());
    }
    let of_measure = grad(|x: &Measure| Ok(x.var(..)?.values))(&x)?;
    let of_tensor = grad(|x: &Tensor| x.var(..))(&x.values)?;
    assert_eq!(of_measure.values.to_string(), of_tensor.to_string());
    let rows = extype::control::vectorized_map(&x, |x: Measure| x.var(..))?;
    assert_eq!(rows.values.to_string(), x.values.var(1)?.to_string());
    Ok(())
}

#[test]
fn an_op_that_the_body_needs_besides_is_named() -> Result<()> {
    let x = Measure { values: tensor![[1.0f32, 2.0], [3.0, 4.0]], unit: "m".into() };
    // The nuclear norm needs a decomposition besides.
    let e = x.norm((ops::NormOrder::Nuclear, [0, 1])).unwrap_err();
    assert!(e.to_string().contains("svd"), "{e}");
    Ok(())
}

/// Every compound that is declared in `ops` is in one of the lists above.
#[test]
fn no_function_is_forgotten() {
    let lists = [ARITHMETIC, MOVING, PRODUCTS, BY_NAME];
    let known: BTreeSet<&str> = lists.into_iter().flatten().copied().collect();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/ops"));
    let mut missing = Vec::new();
    for file in walkdir::WalkDir::new(folder) {
        let file = file.unwrap();
        if file.path().extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).unwrap();
        let mut within = false;
        for line in text.lines() {
            within = line.trim() == "compounds! {" || within && line != "}";
            let name =
                line.trim_start().strip_prefix("fn ").filter(|_| within && line.contains(") -> "));
            let name = name.and_then(|rest| rest.split(['(', ' ']).next());
            missing.extend(name.filter(|name| !known.contains(name)).map(str::to_owned));
        }
    }
    assert!(missing.is_empty(), "in no list: {missing:?}");
}

/// A type that rounding leaves as it is.
#[derive(ExtensionType, Clone, Debug)]
struct Kept {
    values: Tensor,
}

#[dispatch(stand_in = values)]
impl Kept {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)? })
    }

    #[overrides(around, in body)]
    fn around(x: &Self, _decimals: i32) -> Result<Self> {
        Ok(x.clone())
    }
}

#[test]
fn a_function_of_numpy_is_overridden_by_name() -> Result<()> {
    let x = Kept::new([1.25f32])?;
    assert_eq!(x.around(1)?.values.item::<f32>()?, 1.25);
    assert_eq!(numpy::around(&x, 1)?.values.item::<f32>()?, 1.25);
    Ok(())
}
