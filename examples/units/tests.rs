//! Units of results, and what does not fit.

use extype::prelude::*;

use crate::units::{KILOGRAM, METRE, ONE, Quantity, SECOND, Unit};
use crate::{Falling, fall, of};

#[test]
fn units_of_results() -> Result<()> {
    let (way, time) = (of(6.0, METRE), of(2.0, SECOND));
    let speed = ops::div(&way, &time)?;
    assert_eq!(format!("{speed:.1}"), "3.0 m·s^-1");
    let energy = 0.5 * of(4.0, KILOGRAM) * ops::square(&speed)?;
    assert_eq!(format!("{energy:.0}"), "18 kg·m^2·s^-2");
    assert_eq!(ops::sqrt(ops::square(&way)?)?.unit, METRE);
    assert_eq!(ops::reduce_sum(&way, .., false)?.unit, METRE);
    assert_eq!(ops::exp(ops::div(&way, &way)?)?.unit, ONE);
    let slope: Quantity = grad(|x: &Quantity| ops::square(x)?.values.reduce_sum(.., false))(&way)?;
    assert_eq!(slope.values.item::<f64>()?, 12.0);
    Ok(())
}

#[test]
fn what_does_not_fit_is_told() {
    let refused = |r: Result<Quantity>| r.unwrap_err().message().to_owned();
    let (way, time) = (of(6.0, METRE), of(2.0, SECOND));
    assert!(refused(ops::add(&way, &time)).contains("m meets s"));
    assert!(refused(ops::add(&way, 1.0)).contains("m meets 1"));
    assert!(refused(ops::exp(&way)).contains("Exp of m: divide by a unit first"));
    assert!(refused(ops::sqrt(&way)).contains("Sqrt of m has no unit"));
    assert!(refused(ops::reduce_prod(&way, .., false)).contains("Prod of quantities"));
    assert_eq!(Unit { m: 1, kg: -1, s: 2 }.to_string(), "kg^-1·m·s^2");
}

#[test]
fn a_fall_without_air_is_known_and_is_traced_once() -> Result<()> {
    let start = Falling { height: of(490.5, METRE), speed: of(0.0, METRE.times(SECOND, -1)) };
    let no_drag = of(0.0, KILOGRAM.times(METRE, -1));
    for mass in [1.0, 100.0] {
        let (time, speed) = fall(&start, &of(mass, KILOGRAM), &no_drag, &of(0.001, SECOND))?;
        assert!((time.values.item::<f64>()? - 10.0).abs() < 0.01);
        assert!((speed.values.item::<f64>()? - 98.1).abs() < 0.1);
    }
    assert_eq!(fall::trace_count(), 1);
    let e = fall(&start, &of(1.0, KILOGRAM), &of(0.0, ONE), &of(0.001, SECOND)).unwrap_err();
    assert!(e.message().contains("m·s^-2 meets kg^-1·m^2·s^-2"), "{e}");
    Ok(())
}
