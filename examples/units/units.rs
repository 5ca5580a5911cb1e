//! Quantities: numbers with a unit, which is part of their type.

use std::fmt;

use extype::prelude::*;

/// The powers of metre, kilogram and second.
#[derive(StaticData, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) m: i64,
    pub(crate) kg: i64,
    pub(crate) s: i64,
}

pub(crate) const ONE: Unit = Unit { m: 0, kg: 0, s: 0 };
pub(crate) const METRE: Unit = Unit { m: 1, ..ONE };
pub(crate) const KILOGRAM: Unit = Unit { kg: 1, ..ONE };
pub(crate) const SECOND: Unit = Unit { s: 1, ..ONE };

impl Unit {
    /// That of a product with the other to a power.
    pub(crate) fn times(self, other: Unit, power: i64) -> Self {
        Self {
            m: self.m + power * other.m,
            kg: self.kg + power * other.kg,
            s: self.s + power * other.s,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("kg", self.kg), ("m", self.m), ("s", self.s)];
        let part = |(name, power): (&str, i64)| match power {
            0 => None,
            1 => Some(name.to_owned()),
            _ => Some(format!("{name}^{power}")),
        };
        let parts: Vec<String> = parts.into_iter().filter_map(part).collect();
        f.write_str(if parts.is_empty() { "1" } else { "" })?;
        f.write_str(&parts.join("·"))
    }
}

/// Numbers with a unit. Units are checked while a function is traced, and cost its calls nothing.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "examples.Quantity")]
pub(crate) struct Quantity {
    pub(crate) values: Tensor,
    #[static_data]
    pub(crate) unit: Unit,
}

#[dispatch]
impl Quantity {
    /// Ops that keep the unit; of a number without one, all.
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        let unit = match op.def().name {
            "Square" => ONE.times(x.unit, 2),
            "Reciprocal" => ONE.times(x.unit, -1),
            "Sqrt" => half(x.unit)?,
            "Neg" | "Abs" | "Identity" | "ZerosLike" | "StopGradient" | "Cast" => x.unit,
            _ if x.unit == ONE => ONE,
            name => {
                return Err(Error::invalid(format!(
                    "{name} of {}: divide by a unit first",
                    x.unit
                )));
            }
        };
        Ok(Self { values: op.call(&x.values)?, unit })
    }

    /// Products and quotients make units, other ops want one; a plain number has the unit 1.
    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, a, y, b) = match operands {
            Pair::Both(x, y) => (&x.values, x.unit, &y.values, y.unit),
            Pair::Left(x, y) => (&x.values, x.unit, y, ONE),
            Pair::Right(x, y) => (x, ONE, &y.values, y.unit),
        };
        let unit = match op.def().name {
            "Mul" => a.times(b, 1),
            "Div" | "RealDiv" => a.times(b, -1),
            _ if a == b => a,
            name => return Err(Error::invalid(format!("{name}: {a} meets {b}"))),
        };
        Ok(Self { values: op.call(x, y)?, unit })
    }

    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        match op.def().name {
            "Sum" | "Mean" | "Max" | "Min" => {
                Ok(Self { values: op.call(&x.values)?, unit: x.unit })
            }
            name => Err(Error::invalid(format!("{name} of quantities is not defined"))),
        }
    }
}

/// The unit whose square it is.
fn half(unit: Unit) -> Result<Unit> {
    match [unit.m, unit.kg, unit.s].iter().all(|power| power % 2 == 0) {
        true => Ok(Unit { m: unit.m / 2, kg: unit.kg / 2, s: unit.s / 2 }),
        false => Err(Error::invalid(format!("Sqrt of {unit} has no unit"))),
    }
}

impl fmt::Display for Quantity {
    /// The numbers, with as many digits as asked for, and the unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(3);
        match self.values.as_slice::<f64>() {
            Ok([x]) => write!(f, "{x:.digits$} {}", self.unit),
            Ok(all) => {
                let all: Vec<String> = all.iter().map(|x| format!("{x:.digits$}")).collect();
                write!(f, "[{}] {}", all.join(" "), self.unit)
            }
            Err(_) => write!(f, "{} {}", self.values, self.unit),
        }
    }
}
