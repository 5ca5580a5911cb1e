//! Quantities with units: a fall with the drag of the air, in which a unit that is wrong does not run.
//!
//! `units`

#[cfg(test)]
mod tests;
mod units;

use extype::prelude::*;

use units::{KILOGRAM, METRE, ONE, Quantity, SECOND};

/// What falls: height and speed.
#[derive(ExtensionType, Clone, Debug)]
struct Falling {
    height: Quantity,
    speed: Quantity,
}

fn of(x: f64, unit: units::Unit) -> Quantity {
    Quantity { values: scalar(x), unit }
}

/// Until it lands: the time it takes and the speed it lands with. `drag` is force by squared speed.
#[tf_function]
fn fall(
    start: &Falling,
    mass: &Quantity,
    drag: &Quantity,
    step: &Quantity,
) -> Result<(Quantity, Quantity)> {
    let gravity = of(9.81, METRE.times(SECOND, -2));
    let mut now = start.clone();
    let mut time = of(0.0, SECOND);
    while now.height.values > 0.0 {
        let braking = ops::div(ops::mul(drag, ops::square(&now.speed)?)?, mass)?;
        let faster = ops::mul(ops::sub(&gravity, &braking)?, step)?;
        now.height = ops::sub(&now.height, ops::mul(&now.speed, step)?)?;
        now.speed = ops::add(&now.speed, &faster)?;
        time = ops::add(&time, step)?;
    }
    Ok((time, now.speed))
}

fn main() -> Result<()> {
    let start = Falling { height: of(1000.0, METRE), speed: of(0.0, METRE.times(SECOND, -1)) };
    let step = of(0.01, SECOND);
    println!("A fall from {:.0}; {}\n", start.height, start.type_spec());
    println!("what               mass        lands after    with");
    for (what, mass, drag) in [
        ("a stone", 5.0, 0.004),
        ("a diver of the sky", 80.0, 0.25),
        ("under a parachute", 90.0, 25.0),
    ] {
        let (mass, drag) = (of(mass, KILOGRAM), of(drag, KILOGRAM.times(METRE, -1)));
        let (time, speed) = fall(&start, &mass, &drag, &step)?;
        println!(
            "{what:<18} {:>9}   {:>10}   {:>12}",
            format!("{mass:.1}"),
            format!("{time:.1}"),
            format!("{speed:.1}")
        );
    }
    println!(
        "\nTraces of `fall`: {}; units are static data, and were checked in them.",
        fall::trace_count()
    );

    println!("\nWhat makes no sense is an error of the trace, before any number is computed:\n");
    let wrong = fall(&start, &of(5.0, KILOGRAM), &of(0.004, ONE), &step);
    for line in wrong.err().map(|e| e.to_string()).unwrap_or_default().lines().take(1) {
        println!("  {line}");
    }
    Ok(())
}
