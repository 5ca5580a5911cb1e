//! Columns of a CSV file: numbers that may be missing, and words as numbers of groups.

use std::path::Path;

use anyhow::{Context, Result, bail};
use extype::prelude::*;
use extype_masked::MaskedTensor;

/// Words, each as the number of its group; `NA` is none.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    /// The names of the groups, in order.
    pub(crate) names: Vec<String>,
    /// The group of each row: int64 `[rows]`, missing where there is none.
    pub(crate) of_row: MaskedTensor,
}

/// A table as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    name: String,
    header: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

impl Frame {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let mut reader =
            csv::Reader::from_path(path).with_context(|| format!("{name}: can't be read"))?;
        let header = reader.headers().with_context(|| format!("{name}, line 1"))?.clone();
        let rows = reader.records().collect::<Result<Vec<_>, _>>().with_context(|| name.clone())?;
        if rows.is_empty() {
            bail!("{name}: there are no rows after the header");
        }
        Ok(Self { name, header, rows })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The fields of a column, `None` where it is empty or `NA`.
    fn column(&self, wanted: &str) -> Result<impl Iterator<Item = Option<&str>>> {
        let at = self.header.iter().position(|h| h == wanted);
        let at = at.with_context(|| format!("{}: there is no column `{wanted}`", self.name))?;
        let field = move |row| Some(csv::StringRecord::get(row, at)?.trim());
        Ok(self.rows.iter().map(move |row| field(row).filter(|f| !matches!(*f, "" | "NA"))))
    }

    /// A column of numbers: float64 `[rows]`.
    pub(crate) fn numbers(&self, column: &str) -> Result<MaskedTensor> {
        let number = |(i, field): (usize, Option<&str>)| match field.map(str::parse::<f64>) {
            None => Ok(None),
            Some(Ok(x)) => Ok(Some(x)),
            Some(Err(_)) => {
                bail!("{}, line {}, column `{column}`: {:?} is no number", self.name, i + 2, field)
            }
        };
        let all = self.column(column)?.enumerate().map(number).collect::<Result<Vec<_>>>()?;
        Ok(MaskedTensor::from_options(&all)?)
    }

    /// A column of words.
    pub(crate) fn groups(&self, column: &str) -> Result<Groups> {
        let mut names: Vec<String> = self.column(column)?.flatten().map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        let number = |word: &str| names.iter().position(|n| n == word).map(|i| i as i64);
        let of_row: Vec<Option<i64>> = self.column(column)?.map(|w| number(w?)).collect();
        Ok(Groups { of_row: MaskedTensor::from_options(&of_row)?, names })
    }
}

/// What is known of the numbers in each of some groups.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "examples.ByGroup")]
pub(crate) struct ByGroup {
    /// How many there are: int64 `[groups]`.
    pub(crate) count: Tensor,
    /// Their mean, missing where there are none: float64 `[groups]`.
    pub(crate) mean: MaskedTensor,
    /// Their deviation, missing below two: float64 `[groups]`.
    pub(crate) deviation: MaskedTensor,
}

/// Sums by group, of `groups` groups. Rows count whose number and whose group are both there.
#[tf_function]
pub(crate) fn by_group(
    x: &MaskedTensor,
    group: &MaskedTensor,
    groups: i64,
) -> extype::Result<ByGroup> {
    let both = x.mask.logical_and(&group.mask)?;
    let zero = x.values.zeros_like()?;
    // What does not count goes to a group of its own, behind the others.
    let to = ops::select(&both, &group.values, groups)?;
    let sum = |t: &Tensor| ops::unsorted_segment_sum(t, &to, scalar(groups + 1))?.index(..groups);
    let count = sum(&both.cast(i64)?)?;
    let n = count.cast(f64)?;
    let total = sum(&ops::select(&both, &x.values, &zero)?)?;
    let mean = ops::div_no_nan(&total, &n)?;
    let apart = ops::sub(&x.values, mean.gather(&to.minimum(groups - 1)?, 0)?)?;
    let squares = sum(&ops::select(&both, apart.square()?, &zero)?)?;
    let deviation = ops::div_no_nan(&squares, ops::sub(&n, 1.0)?)?.sqrt()?;
    Ok(ByGroup {
        mean: MaskedTensor::new(mean, count.greater(0)?)?,
        deviation: MaskedTensor::new(deviation, count.greater(1)?)?,
        count,
    })
}
