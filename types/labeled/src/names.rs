//! Axes by their names.

use extype::prelude::*;

use crate::Labeled;

/// Names as messages show them.
pub(crate) fn list(axes: &[String]) -> String {
    format!("[{}]", axes.join(", "))
}

/// Axes that are told by number.
pub(crate) fn known(axes: &ops::Integers) -> Result<Vec<i64>> {
    let unknown = || Error::invalid("axes of labeled tensors are known while tracing");
    Ok(axes.known().ok_or_else(unknown)?.to_vec())
}

impl Labeled {
    pub(crate) fn position(&self, axis: &str) -> Result<usize> {
        self.axes.iter().position(|name| name == axis).ok_or_else(|| {
            Error::invalid(format!("no axis is named `{axis}`; there are {}", list(&self.axes)))
        })
    }

    /// The numbers of these axes, none twice.
    pub(crate) fn positions(&self, axes: &[&str]) -> Result<Vec<i64>> {
        match axes.iter().enumerate().find(|(i, name)| axes[..*i].contains(name)) {
            Some((_, name)) => Err(Error::invalid(format!("axis `{name}` is named twice"))),
            None => axes.iter().map(|name| Ok(self.position(name)? as i64)).collect(),
        }
    }

    /// Refuses an axis that both have with sizes that differ, also where one is 1: names say what belongs together.
    pub(crate) fn same_sizes(&self, other: &Self) -> Result<()> {
        for name in self.axes.iter().filter(|name| other.axes.contains(name)) {
            let (a, b) = (self.size(name)?, other.size(name)?);
            if !a.is_compatible_with(b) {
                return Err(Error::invalid(format!(
                    "axis `{name}` has size {a} on the left, and {b} on the right"
                )));
            }
        }
        Ok(())
    }

    /// The values with these axes in this order, of size 1 where there is none of that name. All own axes are among
    /// them.
    pub(crate) fn along(&self, axes: &[String]) -> Result<Tensor> {
        let order: Vec<i64> =
            axes.iter().filter_map(|a| self.position(a).ok()).map(|p| p as i64).collect();
        let mut values = match order.is_sorted() {
            true => self.values.clone(),
            false => self.values.transpose(order)?,
        };
        for (i, name) in axes.iter().enumerate() {
            if !self.axes.contains(name) {
                values = values.expand_dims(i as i64)?;
            }
        }
        Ok(values)
    }
}
