//! Bodies without tensors mean what they mean in Rust, and are checked by Rust's rules. `opaque` hides from the
//! macro that a value is plain, so that the conditions are converted.

#![expect(clippy::let_and_return, reason = "a name that hides another is what is tested")]

use std::collections::{BTreeMap, HashMap, HashSet};

use extype::prelude::*;

pub(crate) fn opaque<T>(value: T) -> T {
    value
}

/// Traced functions on plain values, each with a call and its result.
macro_rules! bodies {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty $body:block ($($given:expr),*) => $want:expr;)*) => {
        $(#[test]
        fn $name() -> Result<()> {
            #[tf_function]
            fn body($($arg: $ty),*) -> Result<$out> $body
            assert_eq!(body($($given),*)?, $want);
            Ok(())
        })*
    };
}

pub(crate) use bodies;

bodies! {
    if_else(n: i64) -> i64 { Ok(if opaque(n) > 3 { n * 2 } else { n }) } (4) => 8;
    else_if(n: i64) -> String {
        let m = opaque(n);
        Ok(if m < 0 { "negative" } else if m == 0 { "zero" } else { "positive" }.to_owned())
    } (0) => "zero";
    pushes_in_both_arms(n: i64) -> Vec<i64> {
        let mut log = Vec::new();
        if opaque(n) > 0 { log.push(1) } else { log.push(2) }
        if opaque(n) > 0 { log.push(3) }
        Ok(log)
    } (1) => [1, 3];
    moves_in_both_arms(n: i64) -> usize {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let count = |names: Vec<String>| names.len();
        Ok(if opaque(n) > 0 { count(names) } else { count(names) + 10 })
    } (0) => 12;
    moves_and_returns(n: i64) -> Vec<String> {
        let names = vec!["a".to_owned()];
        if opaque(n) == 0 {
            return Ok(names);
        }
        let mut more = names;
        more.push("b".to_owned());
        Ok(more)
    } (1) => ["a", "b"];
    borrows_in_an_arm(n: i64) -> i64 {
        let mut a = [1i64, 2, 3];
        let first = if opaque(n) > 0 { &mut a[0] } else { &mut a[1] };
        *first += 10;
        Ok(a.iter().sum())
    } (1) => 16;
    late_variables(n: i64) -> i64 {
        let y;
        if opaque(n) > 0 { y = 1i64; } else { y = 2; }
        Ok(y)
    } (0) => 2;
    late_variables_with_a_return(n: i64) -> i64 {
        let y;
        if opaque(n) > 0 {
            y = 1i64;
        } else {
            return Ok(-1);
        }
        Ok(y + 1)
    } (0) => -1;
    late_and_used_in_one_arm(n: i64) -> i64 {
        let y;
        let mut sum = 0i64;
        if opaque(n) > 0 {
            y = 5i64;
            sum += y;
        }
        Ok(sum)
    } (1) => 5;
    counts(n: i64) -> i64 {
        let mut i = 0i64;
        let mut sum = 0i64;
        while i < opaque(n) {
            sum += i;
            i += 1;
        }
        Ok(sum)
    } (5) => 10;
    indexes_stay_usize(xs: Vec<i64>) -> i64 {
        let mut i = 0;
        let mut best = 0;
        while i < xs.len() {
            if xs[i] > xs[best] { best = i; }
            i += 1;
        }
        Ok(xs[best])
    } (vec![3, 9, 4]) => 9;
    loops_with_breaks(n: i64) -> i64 {
        let mut x = opaque(n);
        let steps = loop {
            if x > 100 { break x; }
            x *= 2;
        };
        Ok(steps)
    } (7) => 112;
    labelled(n: i64) -> i64 {
        let mut count = 0i64;
        'outer: for i in 0..opaque(n) {
            for j in 0..opaque(n) {
                if j > i { continue 'outer; }
                if i + j > 5 { break 'outer; }
                count += 1;
            }
        }
        Ok(count)
    } (6) => 9;
    returns_from_loops(xs: Vec<i64>) -> Option<usize> {
        for (i, x) in xs.iter().enumerate() {
            if opaque(*x) < 0 {
                return Ok(Some(i));
            }
        }
        Ok(None)
    } (vec![1, -1]) => Some(1);
    maps(words: Vec<String>) -> Vec<i64> {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        for w in words {
            if let Some(n) = counts.get_mut(&w) { *n += 1; } else { counts.insert(w, 1); }
        }
        Ok(counts.into_values().collect())
    } (vec!["a".to_owned(), "b".to_owned(), "a".to_owned()]) => [2, 1];
    entries(words: Vec<String>) -> i64 {
        let mut counts = HashMap::new();
        for w in &words { *counts.entry(w.as_str()).or_insert(0i64) += 1; }
        let mut best = None;
        for (w, n) in &counts {
            if best.is_none_or(|(_, m)| *n > m) { best = Some((*w, *n)); }
        }
        Ok(best.map_or(0, |(_, n)| n))
    } (vec!["a".to_owned(), "b".to_owned(), "a".to_owned()]) => 2;
    borrowed_best(words: Vec<String>) -> String {
        let mut best = None;
        let least = opaque(1usize);
        for w in &words {
            if w.len() > least { best = Some(w); }
        }
        Ok(best.cloned().unwrap_or_default())
    } (vec!["a".to_owned(), "bcd".to_owned()]) => "bcd";
    iterators(n: i64) -> i64 {
        Ok((0..opaque(n)).filter(|i| i % 2 == 0).map(|i| i * i).sum())
    } (5) => 20;
    sorted(xs: Vec<i64>) -> Vec<i64> {
        let mut xs = xs;
        xs.sort_by(|a, b| if a < b { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less });
        Ok(xs)
    } (vec![1, 3, 2]) => [3, 2, 1];
    closures_that_write(n: i64) -> i64 {
        let mut total = 0i64;
        let mut add = |v: i64| { if v > 1 { total += v; } };
        for i in 0..opaque(n) { add(i); }
        Ok(total)
    } (4) => 5;
    closures_that_return(n: i64) -> i64 {
        let half = |v: i64| -> Option<i64> {
            if v % 2 != 0 { return None; }
            Some(v / 2)
        };
        Ok(half(opaque(n)).unwrap_or(-1))
    } (3) => -1;
    question_marks(text: String) -> i64 {
        let parse = |t: &str| t.parse::<i64>().map_err(|e| Error::invalid(e.to_string()));
        let a = parse(&text)?;
        let b = if opaque(a) > 5 { parse("1")? } else { parse("2")? };
        Ok(a + b)
    } ("7".to_owned()) => 8;
    matches(n: i64) -> i64 {
        let m = opaque(n);
        Ok(match m { 0 => 10, 1 | 2 => 20, k if k > 100 => 30, _ => 40 })
    } (101) => 30;
    matches_with_returns(n: i64) -> i64 {
        let v = match opaque(n) {
            0 => return Ok(-1),
            k if k < 0 => { if k < -5 { return Ok(-2); } 3 }
            k => k,
        };
        Ok(v)
    } (-6) => -2;
    options(n: i64) -> i64 {
        let x = (opaque(n) > 2).then_some(n);
        let Some(x) = x else { return Ok(0) };
        Ok(x)
    } (1) => 0;
    while_lets(n: i64) -> i64 {
        let mut stack = vec![opaque(n)];
        let mut sum = 0i64;
        while let Some(x) = stack.pop() {
            sum += x;
            if x > 1 { stack.push(x / 2); stack.push(x / 3); }
        }
        Ok(sum)
    } (6) => 14;
    let_chains(n: i64) -> i64 {
        let x = Some(opaque(n));
        if let Some(v) = x && v > 2 { Ok(v) } else { Ok(0) }
    } (3) => 3;
    mutable_references(n: i64) -> Vec<i64> {
        let mut v = vec![1i64];
        let r = &mut v;
        if opaque(n) > 0 { r.push(n); }
        fill(r, n);
        r.push(0);
        Ok(v)
    } (2) => [1, 2, 2, 0];
    reborrows(n: i64) -> Vec<i64> {
        let mut v = vec![];
        let r = &mut v;
        if opaque(n) > 0 { fill(r, 1); } else { fill(r, 2); }
        fill(r, 3);
        Ok(v)
    } (0) => [2, 3];
    slices(xs: Vec<i64>) -> i64 {
        let mut rest = &xs[..];
        let mut sum = 0i64;
        while let [first, tail @ ..] = rest {
            if opaque(*first) > 0 { sum += first; }
            rest = tail;
        }
        Ok(sum)
    } (vec![1, -2, 3]) => 4;
    swaps(xs: Vec<i64>) -> Vec<i64> {
        let mut xs = xs;
        let n = xs.len();
        for i in 0..n {
            for j in 0..n - 1 - i {
                if xs[j] > xs[j + 1] { xs.swap(j, j + 1); }
            }
        }
        Ok(xs)
    } (vec![3, 1, 2]) => [1, 2, 3];
    takes_out(n: i64) -> Vec<i64> {
        let mut pending = Some(vec![opaque(n)]);
        let mut out = Vec::new();
        for i in 0..3 {
            if opaque(i) == 1 {
                if let Some(p) = pending.take() { out.extend(p); }
            }
        }
        Ok(out)
    } (7) => [7];
    moves_in_a_loop_and_breaks(n: i64) -> Vec<i64> {
        let buffer = vec![opaque(n)];
        let mut i = 0i64;
        let out = loop {
            if i > opaque(2) { break buffer; }
            i += 1;
        };
        Ok(out)
    } (7) => [7];
    moves_in_a_loop_and_returns(n: i64) -> Vec<i64> {
        let buffer = vec![opaque(n)];
        for i in 0..10 {
            if opaque(i) == 4 { return Ok(buffer); }
        }
        Ok(vec![])
    } (7) => [7];
    assigns_anew_after_moves(n: i64) -> Vec<Vec<i64>> {
        let mut rows = Vec::new();
        let mut row = Vec::new();
        for i in 0..opaque(n) {
            row.push(i);
            if i % 2 == 1 {
                rows.push(row);
                row = Vec::new();
            }
        }
        Ok(rows)
    } (4) => [[0, 1], [2, 3]];
    and_or(n: i64) -> i64 {
        let m = opaque(n);
        let mut calls = 0i64;
        let mut ask = |answer: bool| { calls += 1; answer };
        let both = m > 5 && ask(true);
        let either = m > 5 || ask(false);
        Ok(if both || either { -1 } else { calls })
    } (1) => 1;
    negates(n: i64) -> i64 {
        let odd = opaque(n) % 2 != 0;
        let even = !odd;
        Ok(if !even && !(n > 10) { 1 } else { 2 })
    } (3) => 1;
    not_of_numbers(n: i64) -> i64 { let m = opaque(n); Ok(!m) } (0) => -1;
    floats(x: f64) -> f64 {
        let y = opaque(x);
        Ok(if y.is_nan() || y < 0.0 { 0.0 } else { y.sqrt() })
    } (4.0) => 2.0;
    texts(s: String) -> i64 {
        let mut n = 0i64;
        for c in s.chars() {
            if c == 'a' || c.is_ascii_digit() { n += 1; }
        }
        if s == "aa1" { n += 100; }
        Ok(n)
    } ("aa1".to_owned()) => 103;
    tuples(n: i64) -> (i64, i64) {
        let (mut a, mut b) = (0i64, 1i64);
        let mut i = 0i64;
        while i < opaque(n) { (a, b) = (b, a + b); i += 1; }
        Ok((a, b))
    } (5) => (5, 8);
    nested_functions(n: i64) -> i64 {
        fn clamp(x: i64) -> i64 { if x > 10 { 10 } else { x } }
        Ok(clamp(opaque(n)))
    } (20) => 10;
    asserts(n: i64) -> i64 {
        assert!(opaque(n) > 0, "n is {n}");
        assert_eq!(opaque(n), 3, "n is {}", n);
        assert_ne!(opaque(n), 4);
        debug_assert!(opaque(n) < 10);
        Ok(n)
    } (3) => 3;
    asserts_with_owned_arguments(s: String) -> i64 {
        assert_eq!(opaque(s.clone()), "abc".to_owned());
        assert_eq!(s, "abc");
        Ok(1)
    } ("abc".to_owned()) => 1;
    prints(n: i64) -> i64 { println!("n: {n}, {:>4} {0:?}", opaque(n)); Ok(n) } (3) => 3;
    vectors_of_conditions(n: i64) -> Vec<bool> { Ok(vec![opaque(n) > 1, opaque(n) == 1]) } (1) => [false, true];
    sets(xs: Vec<i64>) -> i64 {
        let mut seen = HashSet::new();
        for x in xs { if !seen.insert(x) { return Ok(x); } }
        Ok(-1)
    } (vec![1, 2, 1]) => 1;
    blocks(n: i64) -> i64 {
        let x = { let m = opaque(n); if m > 0 { m } else { -m } };
        Ok(x)
    } (-3) => 3;
    labelled_blocks(n: i64) -> i64 {
        let x = 'found: {
            for i in 0..10 {
                if i * i == n { break 'found i; }
            }
            -1
        };
        Ok(x)
    } (9) => 3;
    casts(n: i64) -> usize { Ok(if opaque(n) as usize > 3 { 3 } else { n as usize }) } (9) => 3;
    comparisons_of_references(xs: Vec<i64>) -> usize {
        let least = opaque(1i64);
        Ok(xs.iter().filter(|x| **x > least).count() + xs.iter().filter(|&x| x > &least).count())
    } (vec![1, 2, 3]) => 4;
    comparisons_of_options(n: i64) -> bool { let o = Some(opaque(n)); Ok(o == Some(3) && o != None) } (3) => true;
    comparisons_of_slices(xs: Vec<i64>) -> bool { Ok(xs[..] == [1, 2] || xs == vec![3]) } (vec![1, 2]) => true;
    literals_find_their_types(x: f32) -> f32 {
        let mut sum = 0.0;
        let mut step = 1.0;
        while sum < x { sum += step; step *= 2.0; }
        Ok(sum)
    } (5.0) => 7.0;
    structs(n: i64) -> i64 {
        struct Counter { n: i64, log: Vec<String> }
        let mut c = Counter { n: 0, log: vec![] };
        for i in 0..opaque(n) {
            if i % 2 == 0 { c.n += i; } else { c.log.push(format!("{i}")); }
        }
        Ok(c.n + c.log.len() as i64)
    } (5) => 8;
    boxed(n: i64) -> i64 {
        let mut f: Box<dyn Fn(i64) -> i64> = Box::new(|x| x + 1);
        if opaque(n) > 1 { f = Box::new(move |x| x * n); }
        Ok(f(10))
    } (3) => 30;
    recursive_types(n: i64) -> i64 {
        struct Node { value: i64, next: Option<Box<Node>> }
        let mut head: Option<Box<Node>> = None;
        for value in 0..opaque(n) { head = Some(Box::new(Node { value, next: head })); }
        let mut sum = 0i64;
        let mut at = &head;
        while let Some(node) = at { if node.value > 0 { sum += node.value; } at = &node.next; }
        Ok(sum)
    } (4) => 6;
    entries_by_reference(n: i64) -> i64 {
        let mut grid = vec![vec![0i64; 3]; 3];
        for row in grid.iter_mut() {
            for (j, cell) in row.iter_mut().enumerate() {
                if (j as i64) < opaque(n) { *cell += 1; }
            }
        }
        Ok(grid.iter().flatten().sum())
    } (2) => 6;
    marked_plain(n: i64) -> i64 {
        let mut sum = 0i64;
        #[plain]
        for i in 0..opaque(n) { if i > 1 { sum += i; } }
        #[plain]
        { if sum > 100 { sum = 100; } }
        Ok(sum)
    } (4) => 5;
    early_return_with_owned_state(n: i64) -> Vec<String> {
        let mut lines = vec!["start".to_owned()];
        if opaque(n) < 0 {
            lines.push("negative".to_owned());
            return Ok(lines);
        }
        for i in 0..opaque(n) {
            if i == 2 {
                lines.push("two".to_owned());
                return Ok(lines);
            }
            lines.push(i.to_string());
        }
        Ok(lines)
    } (5) => ["start", "0", "1", "two"];
    shadows(n: i64) -> i64 {
        let x = opaque(n);
        let x = if x > 2 { let x = x * 2; x } else { x };
        for x in 0..x { if x > 100 { return Ok(x); } }
        Ok(x)
    } (3) => 6;
    generic_results(n: i64) -> Vec<Option<i64>> {
        let mut out = vec![];
        for i in 0..opaque(n) { out.push(if i % 2 == 0 { Some(i) } else { None }); }
        Ok(out)
    } (3) => [Some(0), None, Some(2)];
    coerced_to_the_type_that_is_written(n: i64) -> String {
        let owned = String::from("owned");
        let text: &str = if opaque(n) > 2 { &owned } else { "given" };
        let f: Box<dyn Fn(i64) -> i64> = if opaque(n) > 3 {
            Box::new(|k| k + 1)
        } else if opaque(n) > 2 {
            Box::new(move |k| k + n)
        } else {
            Box::new(|k| k)
        };
        let numbers: &[i64] = match opaque(n) { 0 => &[], _ => if opaque(n) > 2 { &[1, 2] } else { &[3] } };
        Ok(format!("{text} {} {}", f(1), numbers.len()))
    } (3) => "owned 4 2";
    iterators_by_hand(xs: Vec<i64>) -> i64 {
        let mut it = xs.iter().peekable();
        let mut runs = 0i64;
        while let Some(x) = it.next() {
            if it.peek().is_none_or(|y| **y != *x) { runs += 1; }
        }
        Ok(runs)
    } (vec![1, 1, 2]) => 2;
}

fn fill(v: &mut Vec<i64>, n: i64) {
    v.push(n);
}

#[tf_function]
fn configured(n: i64) -> Result<i64> {
    let mut s = 0i64;
    #[cfg(any())]
    println!("{}", {
        s += 1000;
        opaque(n)
    });
    #[cfg(any())]
    assert!(opaque(n) < 0);
    #[cfg(any())]
    if opaque(n) > 0 {
        s += 100;
    }
    #[cfg(any())]
    for _ in 0..opaque(n) {
        s += 10;
    }
    if opaque(n) > 3 {
        #[cfg(any())]
        return Ok(-1);
        #[cfg(test)]
        if opaque(n) == 5 {
            s += 1;
        }
    }
    Ok(s)
}

#[test]
fn what_is_configured_away_stays_so() -> Result<()> {
    assert_eq!(configured(5)?, 1);
    Ok(())
}

#[tf_function]
fn printed(n: i64) -> Result<Vec<i64>> {
    let log = std::cell::RefCell::new(vec![]);
    let put = |k: i64| {
        log.borrow_mut().push(k * opaque(n));
        k
    };
    println!("{1} {0} {0} {last} {last:?}", put(1), put(2), last = put(3));
    assert!(opaque(n) > 0, "{} {}", put(4), put(5));
    assert_eq!(opaque(n), 1, "{1} {0}", put(6), put(7));
    Ok(log.into_inner())
}

#[test]
fn arguments_of_texts_are_evaluated_once_and_in_order() -> Result<()> {
    assert_eq!(printed(1)?, [1, 2, 3]);
    Ok(())
}

mod own_macros {
    use extype::prelude::*;

    /// A macro of the body's own has its own meaning.
    #[tf_function]
    fn asserts_by_its_own(n: i64) -> Result<i64> {
        macro_rules! assert {
            ($condition:expr) => {
                if !$condition {
                    return Ok(-1);
                }
            };
        }
        assert!(std::hint::black_box(n) < 3);
        Ok(n)
    }

    #[test]
    fn macros_of_the_body_are_left_alone() -> Result<()> {
        assert_eq!(asserts_by_its_own(2)?, 2);
        assert_eq!(asserts_by_its_own(5)?, -1);
        Ok(())
    }
}
