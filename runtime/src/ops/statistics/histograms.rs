//! Histograms.

use crate::compounds;
use crate::ops::checks::{check, check_same_shape};
use crate::ops::methods::*;
use crate::ops::options::{MaxLength, MinLength, Sets, TakesInteger, Weights, sets};
use crate::ops::{
    Side, add, as_float, concat, div, length_of, linspace, logical_and, mul, select, size, sub,
    ways,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// Options of [`histogram`]: how many bins (10), [`Between`], [`BinEdges`], `ops::Weights(&w)`,
/// [`Density`].
#[derive(Clone, Debug)]
pub struct Histogram {
    /// How many bins.
    pub bins: i64,
    /// The lower and upper bound of the bins; by default the smallest and largest elements.
    pub range: Option<(f64, f64)>,
    /// The edges of the bins, in place of `bins` and `range`.
    pub edges: Option<Tensor>,
    /// The weight of each element.
    pub weights: Option<Tensor>,
    /// True for densities in place of counts.
    pub density: bool,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { bins: 10, range: None, edges: None, weights: None, density: false }
    }
}

/// Options of [`histogram_bin_edges`]: how many bins (10), [`Between`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bins {
    /// How many bins.
    pub bins: i64,
    /// The lower and upper bound of the bins; by default the smallest and largest elements.
    pub range: Option<(f64, f64)>,
}

impl Default for Bins {
    fn default() -> Self {
        Self { bins: 10, range: None }
    }
}

impl TakesInteger for Bins {
    fn set_integer(&mut self, n: i64) {
        self.bins = n;
    }
}

impl TakesInteger for Histogram {
    fn set_integer(&mut self, n: i64) {
        self.bins = n;
    }
}

/// The increasing edges of the bins: one more than there are bins.
///
/// ```
/// use extype::prelude::*;
/// let (counts, _) = ops::histogram([1.0, 2.0, 9.0], ops::BinEdges(tensor![0.0, 5.0, 10.0]))?;
/// assert_eq!(counts.as_slice::<i64>()?, &[2, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BinEdges(pub Tensor);

/// The lower and upper bound of the bins.
///
/// ```
/// use extype::prelude::*;
/// let (counts, _) = ops::histogram([1.0, 2.0, 9.0], (2, ops::Between(0.0, 4.0)))?;
/// assert_eq!(counts.as_slice::<i64>()?, &[1, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between(pub f64, pub f64);

/// Returns densities, which integrate to one over the bins, in place of counts.
///
/// ```
/// use extype::prelude::*;
/// let (heights, _) = ops::histogram([1.0, 2.0, 3.0, 9.0], (2, ops::Between(0.0, 10.0), ops::Density))?;
/// assert_eq!(heights.as_slice::<f64>()?, &[0.15, 0.05]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Density;

sets! {
    Weights<'_> => Histogram |o, Weights(w)| o.weights = Some(w.clone());
    BinEdges => Histogram |o, BinEdges(edges)| o.edges = Some(edges);
    Between => Histogram |o, Between(low, high)| o.range = Some((low, high));
    Density => Histogram |o, _| o.density = true;
    Histogram => Histogram |o, all| *o = all;
    Between => Bins |o, Between(low, high)| o.range = Some((low, high));
    Bins => Bins |o, all| *o = all;
}

fn edges(x: &Tensor, options: &Histogram) -> Result<Tensor> {
    if let Some(edges) = &options.edges {
        if options.range.is_some() {
            bail!("`ops::Between` and `ops::BinEdges` both say where bins are; one is taken");
        }
        if edges.rank() != Some(1) || edges.shape().num_elements().is_some_and(|n| n < 2) {
            bail!("edges are a vector of two at least, not of shape {}", edges.shape());
        }
        if ways(edges)?.is_some_and(|[up, _]| !up) {
            bail!("the edges do not increase: {}", edges.data()?);
        }
        return Ok(edges.clone());
    }
    if options.bins < 1 {
        bail!("a histogram has one bin at least, not {}", options.bins);
    }
    let (low, high) = match options.range {
        Some((low, high)) if low > high || !(high - low).is_finite() => {
            bail!("bins from {low} to {high}; finite numbers that increase are wanted")
        }
        Some((from, to)) => {
            let of = |edge: f64| Tensor::scalar(edge).cast(x.dtype());
            let (low, high) = (of(from)?, of(to)?);
            if !sub(&high, &low)?.is_finite()?.item::<bool>()? {
                bail!("bins from {from} to {to}, which is beyond {}", x.dtype());
            }
            (low, high)
        }
        None => {
            let is_empty = size(x)?.equal(0)?;
            let low = select(&is_empty, 0.0, x.reduce_min(.., false)?)?;
            let high = select(&is_empty, 1.0, x.reduce_max(.., false)?)?;
            // Bins can't start or end at NaN or infinity.
            let finite = logical_and(low.is_finite()?, high.is_finite()?)?;
            match x {
                Tensor::Value(_) if !finite.item::<bool>()? => {
                    bail!(
                        "the elements are from {} to {}, and no bins go from or to what is not finite; say with \
                         `ops::Between(low, high)` where bins go",
                        low.data()?,
                        high.data()?
                    )
                }
                Tensor::Value(_) => {}
                Tensor::Symbol(_) => {
                    let message =
                        "say with `ops::Between` where bins go; the elements are from, to:";
                    check(&finite, message, &[&low, &high])?;
                }
            }
            (low, high)
        }
    };
    // If both bounds are equal, the bins span a range of width one around them.
    let half = select(low.equal(&high)?, 0.5, low.zeros_like()?)?;
    linspace(sub(&low, &half)?, add(&high, &half)?, options.bins + 1)
}

compounds! {
    /// Methods: histograms.
    methods of HistogramMethods;

    /// Returns the number of elements in each bin, int64, and the edges of the bins. Each bin excludes
    /// its upper edge, except for the last bin. Elements out of range and NaN are not counted.
    ///
    /// NumPy: `histogram`; PyTorch: `histc`, without the edges. Real numbers of any shape; integers become float64.
    /// Options: how many bins (an integer, 10), `ops::Between(0.0, 1.0)`, `ops::BinEdges(edges)`, `ops::Weights(&w)` to
    /// sum these in place of counting, `Density`.
    ///
    /// # Errors
    /// `InvalidArgument` for no bin, edges that do not increase, a range that decreases or is not finite,
    /// `Between` together with `BinEdges`, weights of another shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (counts, edges) = tensor![1.0f32, 2.0, 2.5, 5.0].histogram(2)?;
    /// assert_eq!(counts.as_slice::<i64>()?, &[3, 1]);
    /// assert_eq!(edges.as_slice::<f32>()?, &[1.0, 3.0, 5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn histogram(x => options: impl Sets<Histogram> as Histogram) -> (Tensor, Tensor) {
        if let Some(weights) = &options.weights {
            check_same_shape(weights, x, || "weights of another shape than the tensor".into())?;
        }
        let x = as_float(x)?.reshape([-1])?;
        let dtype = x.dtype();
        let given = edges(&x, &options)?;
        let n = length_of(&given, 0)? as i64 - 1;
        // Float64, since the edges may be finer than the dtype of `x`, and counts larger.
        let (x, edges) = (x.cast(DType::F64)?, given.cast(DType::F64)?);
        // Place 0 is below all bins, and the last one behind them. The last bin includes its upper edge.
        let place = edges.searchsorted(&x, (Side::Right, DType::I64))?;
        let is_last = x.equal(edges.index(n)?)?;
        let length = (MinLength(n + 2), MaxLength(n + 2));
        let (counts, more) = match &options.weights {
            Some(weights) => {
                let weights = weights.reshape([-1])?;
                let more = select(is_last, &weights, weights.zeros_like()?)?;
                (place.bincount((length, Weights(&weights)))?, more.reduce_sum(.., false)?)
            }
            None => (place.bincount((length, DType::I64))?, is_last.count_nonzero(..)?.cast(DType::I64)?),
        };
        let last = add(counts.slice([n], [1])?, more)?;
        let counts = concat(&[counts.slice([1], [n - 1])?, last], 0)?;
        if !options.density {
            return Ok((counts, given));
        }
        let counts = counts.cast(DType::F64)?;
        let widths = sub(edges.slice([1], [n])?, edges.slice([0], [n])?)?;
        let total = counts.reduce_sum(.., false)?;
        Ok((div(div(&counts, total)?, widths)?.cast(dtype)?, given))
    }

    /// Returns for each element the number of its bin, of `nbins` equal parts of a range. Elements out of the range are in
    /// the first or the last bin, NaN in the first.
    ///
    /// TensorFlow: `tf.histogram_fixed_width_bins`. Numbers of any shape and a range of two, of one dtype; the result is
    /// int32 of the same shape.
    ///
    /// # Errors
    /// `InvalidArgument` for no bins.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![-1.0f32, 0.0, 1.5, 2.0, 5.0, 15.0];
    /// let bins = x.histogram_fixed_width_bins(&tensor![0.0f32, 5.0], 5)?;
    /// assert_eq!(bins.as_slice::<i32>()?, &[0, 0, 1, 2, 4, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn histogram_fixed_width_bins(x, range; nbins: usize) -> Tensor {
        if nbins == 0 {
            bail!("`nbins` is 0; one bin at least is wanted");
        }
        let (x, range) = (x.cast(DType::F64)?, range.ensure_shape(crate::shape![2])?.cast(DType::F64)?);
        let (low, high) = (range.index(0)?, range.index(1)?);
        let place = mul(div(sub(&x, &low)?, sub(&high, &low)?)?, nbins as f64)?;
        let place = select(place.is_nan()?, 0.0, place.floor()?)?;
        place.clip(0.0, nbins as f64 - 1.0)?.cast(DType::I32)
    }

    /// Returns the edges of the bins that [`histogram()`] would count in.
    ///
    /// NumPy: `histogram_bin_edges`. Options: how many bins (an integer, 10), `ops::Between(0.0, 1.0)`.
    ///
    /// # Errors
    /// As [`histogram`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let edges = tensor![1.0f32, 5.0].histogram_bin_edges(2)?;
    /// assert_eq!(edges.as_slice::<f32>()?, &[1.0, 3.0, 5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn histogram_bin_edges(x => options: impl Sets<Bins> as Bins) -> Tensor {
        let options = Histogram { bins: options.bins, range: options.range, ..Histogram::default() };
        edges(&as_float(x)?.reshape([-1])?, &options)
    }
}
