//! The type and its ops.

use std::fmt;

use extype::prelude::*;

use crate::names::{known, list};

/// Numbers with a name for each axis.
///
/// Names are static data: a traced function is traced for them, and pays nothing at a call. A plain tensor or a number
/// beside it has no axes, so it must be a scalar. Axes of one name have one size; a trace that does not know the sizes
/// cannot tell, and an axis of size 1 is stretched there.
///
/// | op | on labeled tensors |
/// | --- | --- |
/// | unary elementwise | on the values |
/// | binary elementwise | by name; the result has the axes of the left operand, then the other axes of the right one |
/// | `softmax` | along the last axis |
/// | reductions, `reduce_std`, `reduce_variance`, `reduce_logsumexp` | by number as everywhere; by name with [`sum`](Self::sum), [`mean`](Self::mean), [`max`](Self::max), [`min`](Self::min) |
/// | `transpose` | by number; by name with [`order`](Self::order) |
/// | `matmul` | over the one name that both share; over others with [`dot`](Self::dot) |
/// | stacks | a stack has a first axis `batch` |
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "labeled.Labeled", validate, stackable)]
pub struct Labeled {
    /// The numbers.
    pub values: Tensor,
    /// The names, one for each axis, no two the same.
    pub axes: Vec<String>,
}

impl Validate for Labeled {
    fn validate(&self) -> Result<()> {
        let Self { values, axes } = self;
        if values.rank().is_some_and(|rank| rank != axes.len()) {
            let text = format!("{} for the axes of shape {}", list(axes), values.shape());
            return Err(Error::invalid(text));
        }
        match axes.iter().enumerate().find(|(i, name)| axes[..*i].contains(name)) {
            Some((_, name)) => Err(Error::invalid(format!("two axes are named `{name}`"))),
            None => Ok(()),
        }
    }
}

#[dispatch]
impl Labeled {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(x.with(op.call(&x.values)?))
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y) = match operands {
            Pair::Both(x, y) => (x, y),
            Pair::Left(x, number) => return Ok(x.with(op.call(&x.values, scalar_only(number)?)?)),
            Pair::Right(number, y) => return Ok(y.with(op.call(scalar_only(number)?, &y.values)?)),
        };
        if x.axes == y.axes {
            x.same_sizes(y)?;
            return Ok(x.with(op.call(&x.values, &y.values)?));
        }
        x.same_sizes(y)?;
        let more = y.axes.iter().filter(|name| !x.axes.contains(name));
        let axes: Vec<String> = x.axes.iter().chain(more).cloned().collect();
        let values = op.call(&x.along(&axes)?, &y.along(&axes)?)?;
        Ok(Self { values, axes })
    }

    /// Axes are told by number here.
    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        x.reduced(op.axes(), op.keep_dims(), op.call(&x.values)?)
    }

    // Made of others these would meet their own means, whose axes have size 1.

    #[overrides(reduce_variance)]
    fn reduce_variance(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        x.reduced(axes, keep_dims, ops::reduce_variance(&x.values, axes.clone(), keep_dims)?)
    }

    #[overrides(reduce_std)]
    fn reduce_std(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        x.reduced(axes, keep_dims, ops::reduce_std(&x.values, axes.clone(), keep_dims)?)
    }

    #[overrides(reduce_logsumexp)]
    fn reduce_logsumexp(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        x.reduced(axes, keep_dims, ops::reduce_logsumexp(&x.values, axes.clone(), keep_dims)?)
    }

    #[overrides(softmax)]
    fn softmax(x: &Self) -> Result<Self> {
        Ok(x.with(x.values.softmax()?))
    }

    #[overrides(transpose)]
    fn transpose(x: &Self, perm: &ops::Integers) -> Result<Self> {
        let order = known(perm)?;
        let values = x.values.transpose(perm.clone())?;
        let rank = x.axes.len() as i64;
        let name = |i: &i64| x.axes.get(i.rem_euclid(rank.max(1)) as usize).cloned();
        let axes = order.iter().filter_map(name);
        Ok(Self { values, axes: axes.collect() })
    }

    /// Over the name that both have; those that only one has are the axes of the result.
    #[overrides(matmul, ..)]
    fn matmul(x: &Self, y: &Self) -> Result<Self> {
        let shared: Vec<&str> =
            x.axes.iter().filter(|name| y.axes.contains(name)).map(String::as_str).collect();
        match shared[..] {
            [one] => x.dot(y, &[one]),
            _ => Err(Error::invalid(format!(
                "`matmul` is over one name that both have, and {} and {} share {}; say which by `x.dot(&y, &[\"…\"])`",
                list(&x.axes),
                list(&y.axes),
                shared.len()
            ))),
        }
    }
}

impl Labeled {
    /// Numbers and the names of their axes.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that is given twice, and if there are not as many names as axes.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let e = Labeled::of([[1, 2]], &["a"]).unwrap_err();
    /// assert!(e.message().contains("[a] for the axes of shape [1, 2]"));
    /// ```
    #[track_caller]
    pub fn of(values: impl TensorLike, axes: &[&str]) -> Result<Self> {
        Self::new(values, axes.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    /// The sum over the axes of these names.
    ///
    /// # Errors
    /// `InvalidArgument` naming an axis that is not there.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let x = Labeled::of([[1, 2], [3, 4]], &["a", "b"])?;
    /// assert_eq!(x.sum(&["a"])?.to_string(), "[b: 2] [4 6]");
    /// assert!(x.sum(&["c"]).unwrap_err().message().contains("no axis is named `c`; there are [a, b]"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn sum(&self, axes: &[&str]) -> Result<Self> {
        ops::reduce_sum(self, self.positions(axes)?, false)
    }

    /// The mean over the axes of these names.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    #[track_caller]
    pub fn mean(&self, axes: &[&str]) -> Result<Self> {
        ops::reduce_mean(self, self.positions(axes)?, false)
    }

    /// The largest over the axes of these names.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    #[track_caller]
    pub fn max(&self, axes: &[&str]) -> Result<Self> {
        ops::reduce_max(self, self.positions(axes)?, false)
    }

    /// The smallest over the axes of these names.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    #[track_caller]
    pub fn min(&self, axes: &[&str]) -> Result<Self> {
        ops::reduce_min(self, self.positions(axes)?, false)
    }

    /// The sum of products over the axes of these names, which both have. Other axes that both have stay, and are told
    /// once: products for each of their places.
    ///
    /// # Errors
    /// `InvalidArgument` naming an axis that one of both has not, or that has other sizes.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let x = Labeled::of([[1, 2], [3, 4]], &["day", "k"])?;
    /// let y = Labeled::of([[1, 0], [0, 10]], &["k", "day"])?;
    /// assert_eq!(x.dot(&y, &["k"])?.to_string(), "[day: 2] [ 1 40]");
    /// assert_eq!(x.dot(&y, &["day", "k"])?.to_string(), "[] 41");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn dot(&self, other: &Self, over: &[&str]) -> Result<Self> {
        self.same_sizes(other)?;
        self.positions(over)?;
        other.positions(over).map_err(|e| e.prefixed("the right operand"))?;
        let more = other.axes.iter().filter(|name| !self.axes.contains(name));
        let all: Vec<&String> = self.axes.iter().chain(more).collect();
        const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        if all.len() > LETTERS.len() {
            return Err(Error::invalid(format!("a product over {} axes", all.len())));
        }
        let letters = |axes: &[String]| -> String {
            let at = axes.iter().filter_map(|name| all.iter().position(|n| *n == name));
            at.map(|i| LETTERS[i] as char).collect()
        };
        let axes: Vec<String> =
            all.iter().filter(|n| !over.contains(&n.as_str())).map(|n| (*n).clone()).collect();
        let (x, y, out) = (letters(&self.axes), letters(&other.axes), letters(&axes));
        let values = ops::einsum(&format!("{x},{y}->{out}"), &[&self.values, &other.values])?;
        Ok(Self { values, axes })
    }

    /// The axes in the order of these names, which are all of them.
    ///
    /// # Errors
    /// `InvalidArgument` if a name is missing or unknown.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let x = Labeled::of([[1, 2, 3]], &["a", "b"])?;
    /// assert_eq!(x.order(&["b", "a"])?.values.shape(), extype::shape![3, 1]);
    /// assert!(x.order(&["b"]).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn order(&self, axes: &[&str]) -> Result<Self> {
        let at = self.positions(axes)?;
        if at.len() != self.axes.len() {
            let own = list(&self.axes);
            return Err(Error::invalid(format!(
                "an order of {} axes; all of {own} are wanted",
                at.len()
            )));
        }
        ops::transpose(self, at)
    }

    /// Another name for an axis.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not there, or the new name is taken.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let x = Labeled::of([[1, 2, 3]], &["a", "b"])?;
    /// assert_eq!(x.rename("a", "c")?.axes, ["c", "b"]);
    /// assert!(x.rename("a", "b").is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn rename(&self, axis: &str, name: &str) -> Result<Self> {
        let mut axes = self.axes.clone();
        axes[self.position(axis)?] = name.to_owned();
        Self::new(&self.values, axes)
    }

    /// What is at one place of an axis, which is left out; negative places count from the end.
    ///
    /// # Errors
    /// `InvalidArgument` if the axis is not there, or has no such place.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let x = Labeled::of([[1, 2], [3, 4]], &["a", "b"])?;
    /// assert_eq!(x.at("b", -1)?.to_string(), "[a: 2] [2 4]");
    /// assert!(x.at("b", 2).unwrap_err().message().contains("axis `b`"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, axis: &str, place: i64) -> Result<Self> {
        let position = self.position(axis)?;
        let mut axes = self.axes.clone();
        axes.remove(position);
        let mut index = vec![ops::Index::from(..); position];
        index.push(ops::Index::from(place));
        let values =
            self.values.index(index).map_err(|e| e.prefixed(format_args!("axis `{axis}`")))?;
        Ok(Self { values, axes })
    }

    /// The places of an axis that these int32 or int64 numbers tell.
    ///
    /// # Errors
    /// `InvalidArgument` if the axis is not there, or has no such place.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let x = Labeled::of([[1, 2], [3, 4]], &["a", "b"])?;
    /// assert_eq!(x.take("b", [1, 1, 0])?.values.as_slice::<i32>()?, &[2, 2, 1, 4, 4, 3]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn take(&self, axis: &str, places: impl TensorLike) -> Result<Self> {
        let places = places.to_tensor()?;
        places.shape().with_rank(1).map_err(|e| e.prefixed("the places"))?;
        Ok(self.with(self.values.gather(&places, self.position(axis)? as i64)?))
    }

    /// Tensors joined along an axis; each has the axes of the first one, in any order.
    ///
    /// # Errors
    /// `InvalidArgument` for none, and for other axes or sizes.
    ///
    /// ```
    /// use extype_labeled::Labeled;
    /// let x = Labeled::of([[1, 2]], &["a", "b"])?;
    /// let y = Labeled::of([[3, 5], [4, 6]], &["b", "a"])?;
    /// assert_eq!(Labeled::join(&[&x, &y], "a")?.values.as_slice::<i32>()?, &[1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn join(all: &[&Self], axis: &str) -> Result<Self> {
        let first = all.first().ok_or_else(|| Error::invalid("nothing to join"))?;
        let names: Vec<&str> = first.axes.iter().map(String::as_str).collect();
        let parts = all.iter().map(|x| Ok(x.order(&names)?.values)).collect::<Result<Vec<_>>>()?;
        Ok(first.with(ops::concat(&parts, first.position(axis)?)?))
    }

    /// The size of an axis, if it is known.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not there.
    pub fn size(&self, axis: &str) -> Result<Dim> {
        self.values.shape().dim(self.position(axis)? as i64)
    }

    /// A reduction of the values, with the names of the axes that are left.
    fn reduced(&self, axes: &Axes, keep_dims: bool, values: Tensor) -> Result<Self> {
        let rank = self.axes.len() as i64;
        let over: Vec<i64> = match axes {
            Axes::All => (0..rank).collect(),
            Axes::List(axes) => known(axes)?.iter().map(|a| a.rem_euclid(rank.max(1))).collect(),
        };
        let left = (0..rank).zip(&self.axes).filter(|(i, _)| keep_dims || !over.contains(i));
        Ok(Self { values, axes: left.map(|(_, name)| name.clone()).collect() })
    }

    pub(crate) fn with(&self, values: Tensor) -> Self {
        Self { values, axes: self.axes.clone() }
    }
}

fn scalar_only(number: &Tensor) -> Result<&Tensor> {
    number.shape().with_rank(0).map_err(|e| {
        e.prefixed("a tensor without names beside a labeled one; name its axes with `Labeled::of`")
    })?;
    Ok(number)
}

impl fmt::Display for Labeled {
    /// The names with their sizes, and the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.values.shape();
        let sizes = shape.dims().unwrap_or_default();
        let named: Vec<String> =
            self.axes.iter().zip(sizes).map(|(name, size)| format!("{name}: {size}")).collect();
        let between = if self.axes.len() > 1 { '\n' } else { ' ' };
        write!(f, "[{}]{between}", named.join(", "))?;
        match (self.values.value(), f.precision()) {
            (Ok(values), Some(digits)) => write!(f, "{values:.digits$}"),
            (Ok(values), None) => write!(f, "{values}"),
            (Err(_), _) => write!(f, "{}", self.values),
        }
    }
}
