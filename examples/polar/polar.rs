//! Complex numbers in polar form: a radius and an angle.

use std::f64::consts::PI;
use std::fmt;

use extype::prelude::*;

/// Complex numbers `radius · e^(i angle)`, float64 of one shape; the radius is not negative.
///
/// Products, quotients and powers are cheap and exact in this form; sums go through x and y.
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
        let radius = ops::mul(&a.radius, &b.radius)?;
        Ok(Self { radius, angle: ops::add(&a.angle, &b.angle)? })
    }

    #[overrides(div)]
    fn div(a: &Self, b: &Self) -> Result<Self> {
        let radius = ops::div(&a.radius, &b.radius)?;
        Ok(Self { radius, angle: ops::sub(&a.angle, &b.angle)? })
    }

    #[overrides(add)]
    fn add(a: &Self, b: &Self) -> Result<Self> {
        let ((ax, ay), (bx, by)) = (a.cartesian()?, b.cartesian()?);
        Self::of_cartesian(&ops::add(&ax, &bx)?, &ops::add(&ay, &by)?)
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

    #[overrides(index)]
    fn index(a: &Self, op: &ops::StridedSlice) -> Result<Self> {
        Ok(Self { radius: op.run(&[&a.radius])?, angle: op.run(&[&a.angle])? })
    }
}

impl Polar {
    /// From x and y, in the angle from -π to π.
    pub(crate) fn of_cartesian(x: &Tensor, y: &Tensor) -> Result<Self> {
        let radius = ops::add(x.square()?, y.square()?)?.sqrt()?;
        Ok(Self { radius, angle: ops::atan2(y, x)? })
    }

    /// x and y.
    pub(crate) fn cartesian(&self) -> Result<(Tensor, Tensor)> {
        let x = ops::mul(&self.radius, self.angle.cos()?)?;
        Ok((x, ops::mul(&self.radius, self.angle.sin()?)?))
    }

    /// To a power, of the angle as it is.
    pub(crate) fn power(&self, n: f64) -> Result<Self> {
        Ok(Self { radius: self.radius.pow(n)?, angle: ops::mul(&self.angle, n)? })
    }

    /// All `n` of its n-th roots: a further axis of `n`.
    pub(crate) fn roots(&self, n: i64) -> Result<Self> {
        let turns = ops::mul(ops::range(0i64, n, 1)?.cast(f64)?, 2.0 * PI / n as f64)?;
        let first = self.power(1.0 / n as f64)?;
        let ones = turns.ones_like()?;
        let radius = ops::mul(first.radius.expand_dims(-1)?, &ones)?;
        Ok(Self { radius, angle: ops::add(first.angle.expand_dims(-1)?, &turns)? })
    }
}

impl fmt::Display for Polar {
    /// Each number as `radius ∠ angle`, in degrees.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
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
