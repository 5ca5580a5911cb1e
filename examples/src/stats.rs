//! Statistics of tables with missing values, eagerly and as a traced function.

use extype::prelude::*;
use extype_masked::MaskedTensor;

/// What is known of a group of rows of a table with `c` columns.
///
/// An extension type of extension types: it can be the result of a traced function.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "examples.Summary")]
pub struct Summary {
    /// The mean of each column over its valid entries: `[c]`, missing if there are none.
    pub means: MaskedTensor,
    /// The sample's standard deviation of each column: `[c]`, missing below two valid entries.
    pub deviations: MaskedTensor,
    /// The number of missing entries of each column: int64 `[c]`.
    pub missing: Tensor,
    /// Pearson's correlation of each two columns over the rows where both are valid: `[c, c]`.
    pub correlation: MaskedTensor,
}

/// The summary of the rows of `table`, a float `[n, c]`, for which `chosen`, a bool `[n]`, is true.
///
/// # Errors
/// `InvalidArgument` for other dtypes, or shapes that don't fit.
///
/// ```
/// use extype::prelude::*;
/// use extype_examples::stats::summarize;
/// use extype_masked::MaskedTensor;
///
/// let table = MaskedTensor::from_nan([[1.0, 2.0], [3.0, 6.0], [f64::NAN, 7.0]])?;
/// let summary = summarize(&table, &tensor![true, true, true])?;
/// assert_eq!(summary.means.values.as_slice::<f64>()?, &[2.0, 5.0]);
/// assert_eq!(format!("{:.3}", summary.deviations), "[1.414 2.646]");
/// assert_eq!(summary.missing.as_slice::<i64>()?, &[1, 0]);
/// # Ok::<(), Error>(())
/// ```
pub fn summarize(table: &MaskedTensor, chosen: &Tensor) -> Result<Summary> {
    let table = table.only(&chosen.expand_dims(1)?)?;
    let rows = chosen.cast(i64)?.reduce_sum(.., false)?;
    Ok(Summary {
        means: ops::reduce_mean(&table, 0, false)?,
        deviations: table.standard_deviation(0, 1, false)?,
        missing: rows - table.count(0)?,
        correlation: correlation(&table)?,
    })
}

/// [`summarize`] as a traced function: one trace serves every group, since groups are told apart
/// by a mask and all have the shape of the table.
///
/// # Errors
/// As [`summarize`].
#[tf_function]
pub fn summarize_traced(table: &MaskedTensor, chosen: &Tensor) -> Result<Summary> {
    summarize(table, chosen)
}

/// Pearson's correlation of each two columns of a float `[n, c]`: `[c, c]`, over the rows where
/// both are valid, and missing where there is no such row.
///
/// # Errors
/// `InvalidArgument` for a dtype that is no float or another rank than 2.
pub fn correlation(table: &MaskedTensor) -> Result<MaskedTensor> {
    // [n, c, 1] and [n, 1, c]: every pair of columns; an entry counts where its partner does.
    let (x, y) = (ops::expand_dims(table, 2)?, ops::expand_dims(table, 1)?);
    let (x, y) = (x.only(&y.mask)?, y.only(&x.mask)?);
    let dx = &x - ops::reduce_mean(&x, 0, KeepDims)?;
    let dy = &y - ops::reduce_mean(&y, 0, KeepDims)?;
    let covariance = ops::reduce_sum(&dx * &dy, 0, false)?;
    let (vx, vy) = (ops::square(&dx)?, ops::square(&dy)?);
    let variances = ops::reduce_sum(vx, 0, false)? * ops::reduce_sum(vy, 0, false)?;
    Ok(covariance / ops::sqrt(variances)?)
}

/// The largest difference between two summaries of tables with the same columns: a float scalar.
///
/// # Errors
/// `InvalidArgument` if the numbers of columns differ.
pub fn largest_difference(a: &Summary, b: &Summary) -> Result<Tensor> {
    let means = ops::abs(&a.means - &b.means)?;
    let deviations = ops::abs(&a.deviations - &b.deviations)?;
    let correlation = ops::abs(&a.correlation - &b.correlation)?;
    let missing = ops::abs(&a.missing - &b.missing)?.cast(means.values.dtype())?;
    ops::reduce_max(means, .., false)?
        .values
        .maximum(&ops::reduce_max(deviations, .., false)?.values)?
        .maximum(&ops::reduce_max(correlation, .., false)?.values)?
        .maximum(&missing.reduce_max(.., false)?)
}
