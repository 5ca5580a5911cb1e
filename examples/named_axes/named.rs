//! Tensors whose axes have names.

use std::fmt;

use extype::prelude::*;

/// Numbers with a name for each axis. Operands meet by the names of their axes, wherever these stand.
///
/// The names are static data: a traced function is traced for them, and pays nothing at a call.
#[derive(ExtensionType, Clone)]
#[extension_type(name = "examples.Named", validate)]
pub(crate) struct Named {
    pub(crate) values: Tensor,
    pub(crate) axes: Vec<String>,
}

impl Validate for Named {
    fn validate(&self) -> Result<()> {
        let Self { values, axes } = self;
        if values.rank().is_some_and(|rank| rank != axes.len()) {
            let text = format!("{} names for the axes of shape {}", axes.len(), values.shape());
            return Err(Error::invalid(text));
        }
        match axes.iter().enumerate().find(|(i, name)| axes[..*i].contains(name)) {
            Some((_, name)) => Err(Error::invalid(format!("two axes are named `{name}`"))),
            None => Ok(()),
        }
    }
}

#[dispatch]
impl Named {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)?, axes: x.axes.clone() })
    }

    /// One operand's axes must be among the other's, in whatever order.
    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y) = match operands {
            Pair::Both(x, y) => (x, y),
            Pair::Left(x, number) => return x.with(op.call(&x.values, scalar_only(number)?)?),
            Pair::Right(number, y) => return y.with(op.call(scalar_only(number)?, &y.values)?),
        };
        let axes = if x.axes.len() >= y.axes.len() { &x.axes } else { &y.axes };
        let values = op.call(&x.along(axes)?, &y.along(axes)?)?;
        Ok(Self { values, axes: axes.clone() })
    }

    /// Axes are told by number here; [`Named::mean`] takes a name.
    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        let Some(over) = x.positions(op.axes())? else {
            return Err(Error::invalid("the axes of a reduction of named axes are known"));
        };
        let left = x.axes.iter().enumerate().filter(|(i, _)| op.keep_dims() || !over.contains(i));
        let axes = left.map(|(_, name)| name.clone()).collect();
        Ok(Self { values: op.call(&x.values)?, axes })
    }
}

impl Named {
    pub(crate) fn of(values: impl TensorLike, axes: &[&str]) -> Result<Self> {
        Self::new(values, axes.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    /// The mean over an axis.
    pub(crate) fn mean(&self, axis: &str) -> Result<Self> {
        ops::reduce_mean(self, self.position(axis)?, false)
    }

    /// What is at one place of an axis.
    pub(crate) fn at(&self, axis: &str, place: i64) -> Result<Self> {
        let position = self.position(axis)?;
        let mut axes = self.axes.clone();
        axes.remove(position);
        Ok(Self { values: self.values.gather(&scalar(place), position as i64)?, axes })
    }

    fn with(&self, values: Tensor) -> Result<Self> {
        Ok(Self { values, axes: self.axes.clone() })
    }

    fn position(&self, axis: &str) -> Result<usize> {
        self.axes.iter().position(|name| name == axis).ok_or_else(|| {
            Error::invalid(format!("no axis is named `{axis}`; there are {}", list(&self.axes)))
        })
    }

    /// The positions of axes that are told by number; `None` if they are not known.
    fn positions(&self, axes: &Axes) -> Result<Option<Vec<usize>>> {
        let rank = self.axes.len() as i64;
        let Axes::List(axes) = axes else { return Ok(Some((0..self.axes.len()).collect())) };
        Ok(axes.known().map(|axes| axes.iter().map(|a| a.rem_euclid(rank) as usize).collect()))
    }

    /// The values with these axes in this order, of size 1 where there is none of that name.
    fn along(&self, axes: &[String]) -> Result<Tensor> {
        if let Some(other) = self.axes.iter().find(|name| !axes.contains(name)) {
            let (own, there) = (list(&self.axes), list(axes));
            return Err(Error::invalid(format!(
                "axes {own} do not fit axes {there}, which have no `{other}`"
            )));
        }
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

fn scalar_only(number: &Tensor) -> Result<&Tensor> {
    number.shape().with_rank(0).map_err(|e| e.prefixed("a tensor without names of axes"))?;
    Ok(number)
}

fn list(axes: &[String]) -> String {
    format!("[{}]", axes.join(", "))
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "axes {}", list(&self.axes))?;
        fmt::Display::fmt(&self.values, f)
    }
}

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Named({:?}, {})", self.values, list(&self.axes))
    }
}
