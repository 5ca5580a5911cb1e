//! Checks of row partitions.

use extype::prelude::*;

/// Checks splits: they start at 0, never decrease, and end at the number of values.
///
/// # Errors
/// `InvalidArgument` naming the row that is wrong.
pub(crate) fn check_splits(splits: &[i64], values: i64) -> Result<()> {
    let (Some(first), Some(last)) = (splits.first(), splits.last()) else {
        return Err(Error::invalid("row splits have at least one entry, the 0 they start with"));
    };
    if *first != 0 {
        return Err(Error::invalid(format!("row 0: row splits start at 0, not at {first}")));
    }
    if let Some(row) = splits.windows(2).position(|w| w[1] < w[0]) {
        let (from, to) = (splits[row], splits[row + 1]);
        return Err(Error::invalid(format!("row {row}: row splits decrease from {from} to {to}")));
    }
    if *last != values {
        return Err(Error::invalid(match splits.len() {
            1 => format!("there are no rows, but {values} values"),
            n => {
                format!("row {}: the last row ends at {last}, but there are {values} values", n - 2)
            }
        }));
    }
    Ok(())
}

/// The first row in which two partitions differ.
pub(crate) fn first_difference(x: &[i64], y: &[i64]) -> Option<String> {
    if let Some(i) = x.iter().zip(y).position(|(x, y)| x != y) {
        // Before the first difference the splits are equal, so the lengths of this row differ.
        let row = i.saturating_sub(1);
        let length = |s: &[i64]| s[i] - s[row];
        return Some(format!("row {row} has the lengths {} and {}", length(x), length(y)));
    }
    (x.len() != y.len())
        .then(|| format!("{} and {} rows", x.len().saturating_sub(1), y.len().saturating_sub(1)))
}

/// The row of each value.
pub(crate) fn row_ids(splits: &[i64]) -> Vec<i64> {
    let rows = splits.windows(2).zip(0..);
    rows.flat_map(|(w, row)| (w[0]..w[1]).map(move |_| row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(splits: &[i64], values: i64) -> String {
        check_splits(splits, values).unwrap_err().message().to_owned()
    }

    #[test]
    fn bad_splits_name_the_row() {
        assert!(check_splits(&[0], 0).is_ok());
        assert!(check_splits(&[0, 2, 2, 3], 3).is_ok());
        assert_eq!(refused(&[1, 2], 2), "row 0: row splits start at 0, not at 1");
        assert_eq!(refused(&[0, 3, 2, 4], 4), "row 1: row splits decrease from 3 to 2");
        assert_eq!(refused(&[0, 1, 4], 5), "row 1: the last row ends at 4, but there are 5 values");
        assert_eq!(refused(&[0], 5), "there are no rows, but 5 values");
        assert!(refused(&[], 0).contains("at least one entry"));
    }

    #[test]
    fn differences_name_the_row() {
        assert_eq!(first_difference(&[0, 2, 3], &[0, 2, 3]), None);
        let text = first_difference(&[0, 2, 3], &[0, 1, 3]);
        assert_eq!(text.as_deref(), Some("row 0 has the lengths 2 and 1"));
        assert_eq!(first_difference(&[0, 2], &[0, 2, 2]).as_deref(), Some("1 and 2 rows"));
    }

    #[test]
    fn ids_repeat_by_the_lengths() {
        assert_eq!(row_ids(&[0, 2, 2, 3]), [0, 0, 2]);
        assert!(row_ids(&[0]).is_empty());
    }
}
