//! Control flow in all kinds of traced functions, and what turns its conversion off.

use extype::prelude::*;

use crate::support::*;

#[derive(Module)]
struct Counter {
    limit: i64,
    total: Variable,
}

impl Counter {
    #[tf_function]
    fn add(&self, x: &Tensor) -> Result<Tensor> {
        if x > self.limit {
            return Ok(scalar(-1i64));
        }
        self.total.assign_add(x)?;
        self.total.read()
    }
}

#[test]
fn methods_have_control_flow() -> Result<()> {
    let counter = Counter { limit: 5, total: Variable::new(0i64)? };
    assert_eq!(counter.add(&scalar(3i64))?.item::<i64>()?, 3);
    assert_eq!(counter.add(&scalar(7i64))?.item::<i64>()?, -1);
    assert_eq!(counter.add(&scalar(2i64))?.item::<i64>()?, 5);
    assert_eq!(counter.add_function().trace_count(), 1);
    Ok(())
}

trait Steps {
    fn steps(&self, n: &Tensor) -> Result<Tensor>;
}

impl Steps for Counter {
    #[tf_function(handle = none)]
    fn steps(&self, n: &Tensor) -> Result<Tensor> {
        let mut left = n.clone();
        let mut steps = scalar(0i64);
        while left > 0 {
            left -= self.limit;
            if steps == 3 {
                return Ok(left);
            }
            steps += 1;
        }
        Ok(steps)
    }
}

#[test]
fn functions_without_handles_have_control_flow() -> Result<()> {
    let counter = Counter { limit: 5, total: Variable::new(0i64)? };
    assert_eq!(counter.steps(&scalar(12i64))?.item::<i64>()?, 3);
    assert_eq!(counter.steps(&scalar(100i64))?.item::<i64>()?, 80);
    Ok(())
}

#[tf_function]
fn largest<S: Structure + Clone>(x: &Tensor, yes: &S, no: &S) -> Result<S> {
    if x > 0 { Ok(yes.clone()) } else { Ok(no.clone()) }
}

#[test]
fn generic_functions_have_control_flow() -> Result<()> {
    let pairs = [(scalar(1i64), scalar(2i64)), (scalar(3i64), scalar(4i64))];
    agree(largest(&scalar(1i64), &pairs[0], &pairs[1])?, &[scalar(1i64), scalar(2i64)]);
    agree(largest(&scalar(0i64), &pairs[0], &pairs[1])?, &[scalar(3i64), scalar(4i64)]);
    Ok(())
}

#[tf_function(autograph = false)]
fn left_to_rust(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut y = x.clone();
    let mut i = 0;
    while i < n {
        y = y.greater(0)?.cast(DType::I64)? + &y;
        i += 1;
    }
    Ok(y)
}

#[test]
fn the_conversion_can_be_turned_off() -> Result<()> {
    assert_eq!(left_to_rust(&scalar(3i64), 2)?.item::<i64>()?, 5);
    Ok(())
}

#[tf_function]
fn checked(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    assert_eq!(x, y, "of {}", "two");
    assert_ne!(x, 7);
    debug_assert!(x < 100);
    println!("x is {x}, and {} is plain", 3);
    Ok(x + y)
}

#[test]
fn assertions_compare_tensors_when_they_run() -> Result<()> {
    let (a, b) = (scalar(2i64), scalar(3i64));
    assert_eq!(checked(&a, &a)?.item::<i64>()?, 4);
    let e = checked(&a, &b).unwrap_err().to_string();
    assert!(e.contains("left == right") && e.contains("of two"), "{e}");
    assert!(e.contains("left: 2") && e.contains("right: 3"), "{e}");
    assert!(checked(&scalar(7i64), &scalar(7i64)).is_err());
    assert_eq!(checked::trace_count(), 1);
    Ok(())
}

#[tf_function]
fn too_many(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for k in 0..1100i64 {
        if y > k {
            break;
        }
        y += 0;
    }
    Ok(y)
}

#[test]
fn unrolled_loops_under_conditions_are_bounded() {
    let e = too_many(&scalar(0i64)).unwrap_err().to_string();
    assert!(e.contains("more than 1000 iterations") && e.contains("tensor end"), "{e}");
}

#[tf_function]
fn mixed_sides(c: &Tensor, v: &Variable, n: i64) -> Result<Tensor> {
    let mut hits = scalar(0i64);
    if *c == n {
        hits += 1;
    }
    if v > c || c <= v {
        hits += 10;
    }
    if n < 4 && v != 3 && !(n == 2) {
        hits += 100;
    }
    Ok(hits)
}

#[test]
fn all_kinds_of_sides_compare() -> Result<()> {
    let v = Variable::new(5i64)?;
    assert_eq!(mixed_sides(&scalar(3i64), &v, 3)?.item::<i64>()?, 111);
    assert_eq!(mixed_sides(&scalar(9i64), &v, 5)?.item::<i64>()?, 0);
    Ok(())
}
