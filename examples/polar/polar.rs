//! Complex numbers in polar form: a radius and an angle.

use std::f64::consts::PI;
use std::fmt;

use extype::prelude::*;

/// Complex numbers `radius · e^(i angle)`. Both tensors are float64 of one shape; no radius is negative.
///
/// Products, quotients and powers are cheap in this form. Sums are computed in Cartesian coordinates.
#[derive(ExtensionType, Clone)]
#[extension_type(name = "examples.Polar")]
pub(crate) struct Polar {
    #[extension_type(dtype = f64)]
    pub(crate) radius: Tensor,
    #[extension_type(dtype = f64)]
    pub(crate) angle: Tensor,
}

#[dispatch]
impl Polar {
    #[overrides(mul)]
    fn mul(a: &Self, b: &Self) -> Result<Self> {
        Ok(Self { radius: ops::mul(&a.radius, &b.radius)?, angle: ops::add(&a.angle, &b.angle)? })
    }

    #[overrides(div)]
    fn div(a: &Self, b: &Self) -> Result<Self> {
        Ok(Self { radius: ops::div(&a.radius, &b.radius)?, angle: ops::sub(&a.angle, &b.angle)? })
    }

    #[overrides(add)]
    fn add(a: &Self, b: &Self) -> Result<Self> {
        let ((ax, ay), (bx, by)) = (a.to_cartesian()?, b.to_cartesian()?);
        Self::from_cartesian(&ops::add(&ax, &bx)?, &ops::add(&ay, &by)?)
    }

    #[overrides(sub)]
    fn sub(a: &Self, b: &Self) -> Result<Self> {
        ops::add(a, ops::neg(b)?)
    }

    #[overrides(neg)]
    fn neg(a: &Self) -> Result<Self> {
        Ok(Self { radius: a.radius.clone(), angle: ops::add(&a.angle, PI)? })
    }

    #[overrides(abs)]
    fn abs(a: &Self) -> Result<Tensor> {
        Ok(a.radius.clone())
    }

    /// A part of the numbers is that part of both fields.
    #[overrides(index)]
    fn index(a: &Self, op: &ops::StridedSlice) -> Result<Self> {
        Ok(Self { radius: op.run(&[&a.radius])?, angle: op.run(&[&a.angle])? })
    }
}

impl Polar {
    /// The numbers with these Cartesian coordinates; angles are in `[-π, π]`.
    pub(crate) fn from_cartesian(x: &Tensor, y: &Tensor) -> Result<Self> {
        let radius = ops::add(x.square()?, y.square()?)?.sqrt()?;
        Ok(Self { radius, angle: ops::atan2(y, x)? })
    }

    /// The Cartesian coordinates `(x, y)`.
    pub(crate) fn to_cartesian(&self) -> Result<(Tensor, Tensor)> {
        let x = ops::mul(&self.radius, self.angle.cos()?)?;
        Ok((x, ops::mul(&self.radius, self.angle.sin()?)?))
    }

    /// The `n`-th power. The angle is multiplied as it is, without reducing it to `[-π, π]` first.
    pub(crate) fn power(&self, n: f64) -> Result<Self> {
        Ok(Self { radius: self.radius.pow(n)?, angle: ops::mul(&self.angle, n)? })
    }

    /// The `n` n-th roots of each number, along a new last axis.
    pub(crate) fn roots(&self, n: i64) -> Result<Self> {
        let turns = ops::mul(ops::range(0i64, n, 1)?.cast(f64)?, 2.0 * PI / n as f64)?;
        let principal = self.power(1.0 / n as f64)?;
        // All roots of a number have the same radius.
        let radius = ops::mul(principal.radius.expand_dims(-1)?, turns.ones_like()?)?;
        Ok(Self { radius, angle: ops::add(principal.angle.expand_dims(-1)?, &turns)? })
    }
}

impl fmt::Display for Polar {
    /// Each number as `radius ∠ angle`, in degrees.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        // Tensors of a trace have no elements to show.
        let (Ok(radius), Ok(angle)) = (self.radius.as_slice::<f64>(), self.angle.as_slice::<f64>())
        else {
            return write!(f, "Polar({}, {})", self.radius, self.angle);
        };
        let one = |(r, a): (&f64, &f64)| format!("{r:.digits$} ∠ {:.digits$}°", a.to_degrees());
        f.write_str(&radius.iter().zip(angle).map(one).collect::<Vec<_>>().join("   "))
    }
}

impl fmt::Debug for Polar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Polar({self})")
    }
}
