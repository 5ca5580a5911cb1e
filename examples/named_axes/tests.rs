//! Operands meet by the names of their axes.

use extype::prelude::*;

use crate::named::Named;
use crate::{DIGITS, draw, read};

fn table() -> Named {
    Named::of([[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]], &["time", "place"]).unwrap()
}

#[test]
fn axes_meet_by_name() -> Result<()> {
    let (t, turned) =
        (table(), Named::of([[1.0f32, 4.0], [2.0, 5.0], [3.0, 6.0]], &["place", "time"])?);
    assert_eq!(ops::sub(&t, &turned)?.values.as_slice::<f32>()?, &[0.0; 6]);
    let by_time = Named::of([10.0f32, 20.0], &["time"])?;
    let sum = &by_time + &t;
    assert_eq!(sum.axes, ["time", "place"]);
    assert_eq!(sum.values.as_slice::<f32>()?, &[11.0, 12.0, 13.0, 24.0, 25.0, 26.0]);
    assert_eq!(t.mean("time")?.values.as_slice::<f32>()?, &[2.5, 3.5, 4.5]);
    assert_eq!(ops::reduce_sum(&t, -1, false)?.axes, ["time"]);
    assert_eq!(t.at("place", 1)?.values.as_slice::<f32>()?, &[2.0, 5.0]);
    assert_eq!((2.0 * &t).values.as_slice::<f32>()?[5], 12.0);
    Ok(())
}

#[test]
fn a_trace_for_each_naming_and_gradients_through_it() -> Result<()> {
    let f = function(|x: &Named| ops::mul(x, x.mean("time")?));
    f.call(&table())?;
    f.call(&table())?;
    assert_eq!(f.trace_count(), 1);
    f.call(&Named::of([[1.0f32, 2.0]], &["place", "time"])?)?;
    assert_eq!(f.trace_count(), 2);
    let slope = grad(|x: &Named| ops::reduce_sum(ops::square(x)?, .., false))(&table())?;
    assert_eq!(slope.values.as_slice::<f32>()?, &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    Ok(())
}

#[test]
fn what_does_not_fit_is_told() {
    let other = Named::of([1.0f32, 2.0], &["colour"]).unwrap();
    let e = ops::add(table(), &other).unwrap_err();
    assert_eq!(e.message(), "axes [colour] do not fit axes [time, place], which have no `colour`");
    let e = table().mean("colour").unwrap_err();
    assert_eq!(e.message(), "no axis is named `colour`; there are [time, place]");
    let e = Named::of([1.0f32], &["a", "b"]).unwrap_err();
    assert!(e.message().contains("2 names for the axes of shape [1]"), "{e}");
    let e = Named::of([[1.0f32]], &["a", "a"]).unwrap_err();
    assert!(e.message().contains("two axes are named `a`"), "{e}");
    let e = ops::add(table(), tensor![1.0f32, 2.0, 3.0]).unwrap_err();
    assert!(e.message().contains("a tensor without names of axes"), "{e}");
}

#[test]
fn the_digits_are_read_and_drawn() -> anyhow::Result<()> {
    let images = read(DIGITS.as_ref())?;
    assert_eq!(images.values.shape(), shape![1797, 8, 8]);
    let drawn = draw(&images.at("image", 0)?)?;
    assert_eq!(drawn.lines().count(), 8);
    assert!(drawn.contains('█'), "{drawn}");
    assert!(read("no/such.gz".as_ref()).is_err());
    Ok(())
}
