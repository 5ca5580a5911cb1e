//! Values that arms consume: by methods, by patterns, by name; references that a condition picks.

use extype::prelude::*;

use crate::support::agree;

fn both(f: impl Fn(&Tensor) -> Result<Tensor>, expected: [i64; 2]) {
    for (x, expected) in [3i64, -3].into_iter().zip(expected) {
        agree(f(&scalar(x)).unwrap(), &[scalar(expected)]);
    }
}

#[tf_function]
fn folded_in_an_arm_that_returns(x: &Tensor) -> Result<Tensor> {
    let v = vec![x * 2, x + 1];
    if x > 0 {
        return Ok(v.into_iter().fold(scalar(0i64), |sum, y| sum + y));
    }
    Ok(v[1].clone())
}

#[tf_function]
fn unwrapped_in_an_arm(x: &Tensor) -> Result<Tensor> {
    let o = Some(x * 2);
    let y = if x > 0 { o.unwrap() } else { x.clone() };
    Ok(y)
}

#[tf_function]
fn unwrapped_in_both_and_later(x: &Tensor) -> Result<Tensor> {
    let o = Some(x * 2);
    let y = if x > 0 { o.unwrap() } else { o.unwrap_or_else(|| scalar(1i64)) };
    Ok(y + o.expect("a value"))
}

#[derive(ExtensionType, Clone, Debug)]
struct Sum {
    total: Tensor,
    last: Tensor,
}

impl Sum {
    fn done(self) -> Tensor {
        self.total + self.last
    }
}

#[tf_function]
fn done_in_one_arm(x: &Tensor) -> Result<Tensor> {
    let s = Sum { total: x * 10, last: x.clone() };
    let y = if x > 0 { s.done() } else { s.last.clone() };
    Ok(y)
}

#[tf_function]
fn done_with_a_parameter(s: Sum) -> Result<Tensor> {
    if s.last > 0 {
        return Ok(s.done());
    }
    let y = s.done();
    Ok(-y)
}

#[tf_function]
fn taken_apart_in_an_arm(x: &Tensor) -> Result<Tensor> {
    let p = (x * 2, x * 3);
    let y = if x > 0 {
        match p.0 {
            a => a + 1,
        }
    } else {
        let (a, b) = p;
        a * b
    };
    Ok(y)
}

#[tf_function]
fn an_option_taken_apart(x: &Tensor) -> Result<Tensor> {
    let o = Some(x * 2);
    let y = if x > 0 {
        if let Some(y) = o { y } else { scalar(0i64) }
    } else {
        o.map_or_else(|| scalar(0i64), |y| y - 1)
    };
    Ok(y)
}

#[test]
fn arms_consume_by_methods_and_patterns() {
    both(folded_in_an_arm_that_returns, [10, -2]);
    both(unwrapped_in_an_arm, [6, -3]);
    both(unwrapped_in_both_and_later, [12, -12]);
    both(done_in_one_arm, [33, -3]);
    both(taken_apart_in_an_arm, [7, 54]);
    both(an_option_taken_apart, [6, -7]);
    both(|x| done_with_a_parameter(Sum { total: x * 10, last: x.clone() }), [33, 33]);
}

#[tf_function]
fn the_larger(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let m = if a > b { a } else { b };
    Ok(m * 2)
}

#[tf_function]
fn the_largest(all: &[Tensor]) -> Result<Tensor> {
    let mut best = &all[0];
    for x in all {
        let larger = if x > best { x } else { best };
        best = larger;
    }
    Ok(best.clone())
}

#[tf_function]
fn of_a_field(s: &Sum) -> Result<Tensor> {
    let part = if s.total > s.last { &s.total } else { &s.last };
    let same = match 1 {
        1 => part,
        _ => &s.total,
    };
    Ok(same + 1)
}

#[test]
fn a_condition_picks_a_reference() {
    both(|x| the_larger(x, &scalar(1i64)), [6, 2]);
    both(|x| the_largest(&[x * 2, x.clone(), scalar(1i64)]), [6, 1]);
    both(|x| of_a_field(&Sum { total: x.clone(), last: scalar(0i64) }), [4, 1]);
}

#[tf_function]
fn lent_by_comparisons(x: &Tensor) -> Result<Tensor> {
    let s = x * 3;
    let mut y = x.clone();
    if s % 2 == 0 {
        y += 1;
    }
    if -s > 2 && s + 1 < 100 {
        y += 10;
    }
    Ok(y + s)
}

#[test]
fn comparisons_lend_what_they_compute_with() {
    both(lent_by_comparisons, [12, -2]);
    agree(lent_by_comparisons(&scalar(2i64)).unwrap(), &[scalar(9i64)]);
}

#[tf_function]
fn handed_back<'a, T>(a: &'a T, x: &Tensor) -> Result<T>
where
    T: Structure + Clone + 'a,
{
    let copy = a.clone();
    if x > 0 {
        return Ok(copy);
    }
    Ok(a.clone())
}

#[test]
fn bounds_may_name_lifetimes() {
    both(|x| handed_back(&(x * 2), x), [6, -6]);
}

#[derive(ExtensionType, Clone, Debug)]
struct Ends {
    low: Tensor,
    high: Tensor,
}

impl Ends {
    fn turned(self) -> Self {
        Ends { low: self.high, high: self.low }
    }
}

#[tf_function]
fn parts_behind_an_exit(x: &Tensor) -> Result<Tensor> {
    let new = |low: Tensor, high: Tensor| Ends { low, high };
    let mut all = vec![new(x.clone(), scalar(2)), new(scalar(2), x.clone()), new(x + 1, x + 2)];
    for ends in &mut all {
        if ends.low > ends.high {
            *ends = ends.clone().turned();
            continue;
        }
        ends.high -= 1;
    }
    let mut sum = scalar(0);
    for ends in &all {
        sum = sum * 100 + &ends.low * 10 + &ends.high;
    }
    Ok(sum)
}

#[test]
fn an_arm_that_leaves_writes_the_whole_and_the_code_after_it_a_part() {
    for x in [5, -1, 2] {
        let mut all = [(x, 2), (2, x), (x + 1, x + 2)];
        for ends in &mut all {
            if ends.0 > ends.1 {
                *ends = (ends.1, ends.0);
                continue;
            }
            ends.1 -= 1;
        }
        let sum = all.iter().fold(0, |sum, ends| sum * 100 + ends.0 * 10 + ends.1);
        agree(parts_behind_an_exit(&scalar(x)).unwrap(), &[scalar(sum)]);
    }
}
