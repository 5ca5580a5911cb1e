//! Polar numbers against complex ones.

use std::f64::consts::PI;

use extype::prelude::*;

use crate::polar::Polar;
use crate::{current, impedance};

fn of(x: &[f64], y: &[f64]) -> Polar {
    Polar::from_cartesian(&Tensor::from_vec(x.to_vec()), &Tensor::from_vec(y.to_vec())).unwrap()
}

#[track_caller]
fn is(p: &Polar, x: &[f64], y: &[f64]) {
    let (px, py) = p.to_cartesian().unwrap();
    for (a, b) in [(px, x), (py, y)] {
        let a = a.to_vec::<f64>().unwrap();
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }
}

#[test]
fn arithmetic_is_that_of_complex_numbers() -> Result<()> {
    let (a, b) = (of(&[1.0, -3.0], &[2.0, 0.5]), of(&[0.5, 2.0], &[-1.0, 4.0]));
    is(&(&a + &b), &[1.5, -1.0], &[1.0, 4.5]);
    is(&(&a - &b), &[0.5, -5.0], &[3.0, -3.5]);
    is(&(&a * &b), &[2.5, -8.0], &[0.0, -11.0]);
    is(&(&a / &b * &b), &[1.0, -3.0], &[2.0, 0.5]);
    is(&-&a, &[-1.0, 3.0], &[-2.0, -0.5]);
    assert_eq!(ops::abs(of(&[3.0], &[4.0]))?.as_slice::<f64>()?, &[5.0]);
    is(&a.index(1..)?, &[-3.0], &[0.5]);
    let minus_one = Polar { radius: scalar(1.0), angle: scalar(PI) };
    is(&minus_one.roots(2)?, &[0.0, 0.0], &[1.0, -1.0]);
    assert_eq!(format!("{:.0}", of(&[0.0], &[2.0])), "2 ∠ 90°");
    Ok(())
}

#[test]
fn in_resonance_the_resistor_is_left() -> Result<()> {
    let omega = tensor![1000.0, 2000.0];
    let z = impedance(&scalar(10.0), &scalar(0.1), &scalar(1e-5), &omega)?;
    is(&z, &[10.0, 10.0], &[0.0, 150.0]);
    let volts = Polar { radius: tensor![100.0, 100.0], angle: tensor![0.0, 0.0] };
    assert!((current(&volts, &z)?.radius.to_vec::<f64>()?[0] - 10.0).abs() < 1e-12);
    current(&volts, &z)?;
    assert_eq!(current::trace_count(), 1);
    let slope = grad(|p: &Polar| Ok(ops::mul(p, p)?.to_cartesian()?.0))(&of(&[2.0], &[0.0]))?;
    assert!((slope.radius.to_vec::<f64>()?[0] - 4.0).abs() < 1e-12);
    Ok(())
}
