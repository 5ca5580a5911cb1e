//! Numbers in polar form: alternating current, roots, and a gradient.
//!
//! `polar`

mod polar;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use extype::prelude::*;

use polar::Polar;

/// The impedance of a resistor, a coil and a capacitor in a row, at angular frequencies.
fn impedance(
    resistor: &Tensor,
    coil: &Tensor,
    capacitor: &Tensor,
    omega: &Tensor,
) -> Result<Polar> {
    let imaginary = ops::sub(ops::mul(omega, coil)?, ops::mul(omega, capacitor)?.reciprocal()?)?;
    Polar::from_cartesian(&ops::add(resistor, imaginary.zeros_like()?)?, &imaginary)
}

/// The current that a voltage drives.
#[tf_function]
fn current(voltage: &Polar, impedance: &Polar) -> Result<Polar> {
    ops::div(voltage, impedance)
}

fn main() -> Result<()> {
    let unity = Polar { radius: scalar(1.0), angle: scalar(0.0) };
    println!("The fifth roots of 1:\n  {}", unity.roots(5)?);
    let product = ops::mul(&unity.roots(5)?, &unity.roots(5)?)?;
    println!("Their squares:\n  {product}\n");

    let (resistor, coil, capacitor) = (scalar(10.0), scalar(0.1), scalar(1e-5));
    let hertz = tensor![50.0, 100.0, 150.0, 159.155, 170.0, 250.0, 500.0];
    let omega = ops::mul(&hertz, 2.0 * PI)?;
    let z = impedance(&resistor, &coil, &capacitor, &omega)?;
    let voltage = Polar { radius: hertz.ones_like()? * 230.0, angle: hertz.zeros_like()? };
    let i = current(&voltage, &z)?;
    println!("230 V on 10 Ω, 100 mH and 10 µF in a row:\n");
    println!("  frequency   impedance         current");
    for (k, hertz) in hertz.as_slice::<f64>()?.iter().enumerate() {
        let k = k as i64;
        println!("  {hertz:>6.1} Hz   {:<16} {} A", format!("{:.1}", z.index(k)?), i.index(k)?);
    }

    // The coil for which 100 Hz resonate: by the gradient through the polar form, in Newton's steps.
    let omega = scalar(100.0 * 2.0 * PI);
    let squared = |coil: &Tensor| impedance(&resistor, coil, &capacitor, &omega)?.radius.square();
    let mut coil = coil;
    for _ in 0..5 {
        let slope = grad(squared)(&coil)?;
        let bend = grad(grad(squared))(&coil)?;
        coil = ops::sub(&coil, ops::div(&slope, &bend)?)?;
    }
    println!("\nIn resonance at 100 Hz with a coil of {:.1} mH", coil.item::<f64>()? * 1e3);
    Ok(())
}
