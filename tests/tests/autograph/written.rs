//! What code writes under conditions on tensors by other ways than an assignment: through references, by
//! methods and calls, in macros; and who sees it afterwards.

use extype::prelude::*;

use crate::corners::agrees;
use crate::support::*;

/// A tensor that can be set to zero.
#[derive(ExtensionType, Clone)]
pub(super) struct Cell {
    value: Tensor,
}

impl Cell {
    fn reset(&mut self) {
        self.value = scalar(0i64);
    }

    fn next(&self) -> Tensor {
        &self.value + 1
    }
}

/// A list with a tensor beside it.
#[derive(ExtensionType, Clone)]
pub(super) struct Row {
    items: Vec<Tensor>,
    last: Tensor,
}

fn set(t: &mut Tensor) -> Result<()> {
    *t = scalar(7i64);
    Ok(())
}

#[tf_function]
fn methods_of_what_an_iterator_lends(x: &Tensor) -> Result<Tensor> {
    let mut cells = [Cell { value: x.clone() }, Cell { value: x + 1 }];
    let mut sum = scalar(0i64);
    for cell in cells.iter_mut() {
        if cell.value > 3 {
            sum += cell.next();
            cell.reset();
        }
    }
    Ok(&cells[0].value * 100 + &cells[1].value + sum * 10000)
}

#[tf_function]
fn methods_of_what_a_call_lends(x: &Tensor) -> Result<Tensor> {
    let mut cells = [Cell { value: x.clone() }];
    if let Some(cell) = cells.get_mut(0) {
        if x > 0 {
            cell.reset();
        }
    }
    let cell = cells.last_mut().ok_or_else(|| Error::invalid("no cell"))?;
    if x > 4 {
        cell.value += 1;
        let _ = cell.next();
    }
    Ok(cells[0].value.clone())
}

#[tf_function]
fn references_handed_to_calls(x: &Tensor) -> Result<Tensor> {
    let mut v = [x.clone(), x + 1];
    let (a, b) = v.split_at_mut(1);
    let first = &mut a[0];
    if x > 0 {
        set(first)?;
    }
    for t in b {
        if x > 4 {
            set(t)?;
        }
    }
    Ok(&v[0] * 10 + &v[1])
}

#[tf_function]
fn fields_of_what_a_pattern_lends(x: &Tensor) -> Result<Tensor> {
    let mut rows = vec![Row { items: vec![x.clone(), x + 1], last: x.clone() }];
    for row in &mut rows {
        if x > 0 {
            row.items.swap(0, 1);
        }
    }
    if let Some(Row { items, last }) = rows.first_mut() {
        if x > 4 {
            items.reverse();
            std::mem::swap(last, &mut items[0]);
        }
    }
    Ok(&rows[0].items[0] * 100 + &rows[0].items[1] * 10 + &rows[0].last)
}

#[tf_function]
fn rows_lent_in_a_loop(n: &Tensor) -> Result<Tensor> {
    let mut rows = vec![vec![scalar(1i64)], vec![scalar(2i64)]];
    let mut i = scalar(0i64);
    while i < n {
        for row in rows.iter_mut() {
            let twice = &row[0] * 2;
            row.clear();
            row.push(twice);
        }
        i += 1;
    }
    Ok(&rows[0][0] * 1000 + &rows[1][0])
}

#[tf_function]
fn a_loop_on_a_lent_row(n: &Tensor) -> Result<Tensor> {
    let mut rows = [vec![scalar(1i64)], vec![scalar(2i64)]];
    for row in rows.iter_mut() {
        let mut i = scalar(0i64);
        while i < n {
            let twice = &row[0] * 2;
            row.clear();
            row.push(twice);
            i += 1;
        }
    }
    Ok(&rows[0][0] * 1000 + &rows[1][0])
}

macro_rules! assign {
    ($place:ident, $value:expr) => {
        $place = $value
    };
}

#[tf_function]
fn macros_that_assign(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut list = vec![x.clone(), x + 1];
    if x > 0 {
        assign!(y, scalar(5i64));
        let old = [std::mem::replace(&mut list[0], scalar(9i64))];
        y += &old[0];
    }
    Ok(y * 10 + &list[0])
}

#[tf_function]
fn a_number_that_only_the_arms_see(x: &Tensor) -> Result<Tensor> {
    let mut k = 1i64;
    let y = if x > 0 {
        k += 1;
        x * k
    } else {
        x * k
    };
    let mut texts = vec!["a"];
    Ok(if y > 4 {
        texts.push("b");
        y * texts.len() as i64
    } else {
        texts.push("c");
        texts.push("d");
        y * texts.len() as i64
    })
}

#[tf_function]
fn closures_that_return_early(x: &Tensor) -> Result<Tensor> {
    let mut total = scalar(0i64);
    let mut add = |v: &Tensor| -> Result<()> {
        if v > 2 {
            total = &total + v;
            return Ok(());
        }
        total = &total + 100;
        Ok(())
    };
    add(x)?;
    add(&(x + 1))?;
    Ok(total)
}

#[tf_function]
fn a_count_of_an_unrolled_loop(x: &Tensor) -> Result<Tensor> {
    let mut i = 0;
    let mut y = x.clone();
    while i < 5 {
        i += 1;
        if y > 20 {
            break;
        }
        y = y * 2 + i;
    }
    Ok(y)
}

#[tf_function]
fn a_count_beside_a_return(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut k = 0i64;
    while k < 4 {
        if y > 20 {
            return Ok(y * 100);
        }
        k += 1;
        y = y * 2 + k;
    }
    Ok(y)
}

#[tf_function]
fn references_in_a_closure(x: &Tensor) -> Result<Tensor> {
    let mut row = Row { items: vec![x * 2], last: x.clone() };
    let lent = &mut row;
    let bump = |row: &mut Row, x: &Tensor| -> Result<()> {
        if x > 2 {
            row.last += 1;
            row.items[0] += 5;
            return Ok(());
        }
        set(&mut row.items[0])
    };
    bump(lent, x)?;
    if x > 3 {
        set(&mut lent.last)?;
        bump(lent, x)?;
    }
    Ok(&row.last * 100 + &row.items[0])
}

#[tf_function]
fn references_side_by_side(x: &Tensor) -> Result<Tensor> {
    let mut v = vec![x.clone(), x + 1, x + 2];
    let w = vec![x * 2, x * 3, x * 4];
    for (a, b) in v.iter_mut().zip(&w) {
        if b > 8 {
            *a = b.clone();
        } else {
            *a += b;
        }
    }
    for (i, a) in v.iter_mut().enumerate() {
        if &*a > i as i64 * 5 {
            *a -= 1;
            continue;
        }
        *a += 100;
    }
    let [p, q, ..] = &mut v[..] else { return Err(Error::invalid("too short")) };
    if &*p > &*q {
        std::mem::swap(p, q);
    }
    Ok(&v[0] * 10000 + &v[1] * 100 + &v[2])
}

#[tf_function]
fn entries_of_a_map(x: &Tensor) -> Result<Tensor> {
    let mut map = std::collections::BTreeMap::new();
    map.insert("a".to_string(), x.clone());
    if x > 2 {
        map.insert("a".to_string(), x * 2);
    }
    let entry = map.entry("a".to_string()).or_insert_with(|| scalar(0i64));
    if x > 3 {
        *entry += 1;
    }
    if let Some(t) = map.get_mut("a") {
        while &*t < 50 {
            *t += 20;
        }
    }
    Ok(map["a"].clone())
}

fn grows(list: &mut [Tensor]) -> Tensor {
    list[0] += 1;
    &list[0] + 0
}

#[tf_function]
fn calls_on_the_right_of_and(x: &Tensor) -> Result<Tensor> {
    let mut v = vec![x.clone()];
    let lent = &mut v;
    let mut n = scalar(0i64);
    while x > 0 && grows(lent) < 5 {
        n += 1;
    }
    if x > 2 || grows(lent) < 5 {
        n += 10;
    }
    Ok(n * 100 + &v[0])
}

mod on_numbers {
    use super::*;

    agrees! { methods_of_what_an_iterator_lends: (3i64) => 50300i64, (-3i64) => -302i64, (5i64) => 130000i64 }
    agrees! { methods_of_what_a_call_lends: (3i64) => 0i64, (-3i64) => -3i64, (5i64) => 1i64 }
    agrees! { references_handed_to_calls: (3i64) => 74i64, (-3i64) => -32i64, (5i64) => 77i64 }
    agrees! { fields_of_what_a_pattern_lends: (3i64) => 433i64, (-3i64) => -323i64, (5i64) => 565i64 }
    agrees! { rows_lent_in_a_loop: (3i64) => 8016i64, (0i64) => 1002i64 }
    agrees! { a_loop_on_a_lent_row: (3i64) => 8016i64, (0i64) => 1002i64 }
    agrees! { macros_that_assign: (3i64) => 89i64, (-3i64) => -33i64 }
    agrees! { a_number_that_only_the_arms_see: (3i64) => 12i64, (2i64) => 12i64, (-3i64) => -9i64 }
    agrees! { closures_that_return_early: (3i64) => 7i64, (2i64) => 103i64, (-3i64) => 200i64 }
    agrees! { a_count_of_an_unrolled_loop: (1i64) => 42i64, (7i64) => 32i64, (50i64) => 50i64 }
    agrees! { references_in_a_closure: (5i64) => 820i64, (3i64) => 411i64, (-3i64) => -293i64 }
    agrees! { references_side_by_side: (5i64) => 91419i64, (1i64) => 30607i64, (-3i64) => 899187i64 }
    agrees! { entries_of_a_map: (5i64) => 51i64, (4i64) => 69i64, (3i64) => 66i64, (-3i64) => 57i64 }
    agrees! { calls_on_the_right_of_and: (1i64) => 306i64, (3i64) => 1105i64, (9i64) => 1010i64, (-3i64) => 998i64 }
    agrees! { a_count_beside_a_return: (1i64) => 42i64, (7i64) => 3200i64, (50i64) => 5000i64 }
}

fn plus_one(n: i64) -> i64 {
    n + 1
}

/// Types that only the arms tell are left to Rust.
#[tf_function]
fn types_that_the_arms_tell(n: i64, text: &str) -> Result<i64> {
    let parsed = text.parse().map_err(|_| Error::invalid("no number"))?;
    let list: Vec<i64> = vec![1, 2];
    let sum = list.iter().sum();
    let mut result = 0;
    if std::hint::black_box(n) > 2 {
        result = plus_one(parsed) + plus_one(sum);
    }
    let zero = Default::default();
    if std::hint::black_box(n) > 1 {
        result += plus_one(zero);
    }
    Ok(result)
}

#[test]
fn plain_code_infers_as_rust_does() -> Result<()> {
    assert_eq!(types_that_the_arms_tell(5, "7")?, 13);
    Ok(())
}

/// What was made of things whose types are not visible is moved after an exit.
#[tf_function]
fn moves_after_a_return(x: &Tensor, list: Vec<Tensor>) -> Result<Tensor> {
    let mut list = list;
    let last = list.pop().ok_or_else(|| Error::invalid("no tensor"))?;
    let first = list.iter_mut().next().map_or_else(|| x.clone(), |t| t.clone());
    let sum = {
        let twice = &last * 2;
        twice + &first
    };
    if x > 0 {
        return Ok(sum);
    }
    let pair = (last, first);
    if x > -5 {
        return ops::add(&pair.0, sum);
    }
    Ok(ops::neg(&sum)? + pair.1)
}

#[test]
fn a_guard_moves_as_rust_does() -> Result<()> {
    for (x, want) in [(3i64, 21i64), (-3, 31), (-9, -20)] {
        let list = || vec![scalar(1i64), scalar(10i64)];
        agree(moves_after_a_return::__body(&scalar(x), list())?, &[scalar(want)]);
        agree(moves_after_a_return(&scalar(x), list())?, &[scalar(want)]);
    }
    Ok(())
}
