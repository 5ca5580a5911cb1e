//! More of what Rust is written with, in bodies without tensors: it means what it means in Rust.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::fmt::{Debug, Display, Write};
use std::ops::ControlFlow;
use std::rc::Rc;

use extype::prelude::*;

use crate::plain::{bodies, opaque};

bodies! {
    slice_patterns(xs: Vec<i64>) -> i64 {
        Ok(match xs.as_slice() {
            [] => 0,
            [one] if opaque(*one) > 5 => *one,
            [first, .., last] if first == last => -1,
            [first, middle @ .., _] => first + middle.len() as i64,
            [_] => 1,
        })
    } (vec![4, 2, 3, 9]) => 6;
    let_else_in_a_loop(words: Vec<String>) -> i64 {
        let mut sum = 0;
        for word in &words {
            let Ok(n) = word.parse::<i64>() else { continue };
            if n > opaque(100) { break; }
            sum += n;
        }
        Ok(sum)
    } (vec!["1".to_owned(), "x".to_owned(), "2".to_owned(), "101".to_owned(), "5".to_owned()]) => 3;
    let_else_with_a_return(n: i64) -> i64 {
        let Some(half) = n.checked_div(opaque(2)) else { return Ok(-1) };
        let (0 | 1, rest) = (n % 2, half) else { return Ok(-2) };
        if rest > 3 { Ok(rest) } else { Ok(0) }
    } (9) => 4;
    question_marks_on_options(n: i64) -> i64 {
        let digit = |text: &str, i: usize| -> Option<i64> {
            let c = text.chars().nth(i)?;
            let d = c.to_digit(10)?;
            if d > 8 { None } else { Some(i64::from(d)) }
        };
        let text = opaque(n).to_string();
        Ok(digit(&text, 0).unwrap_or(-1) * 10 + digit(&text, 1).unwrap_or(-1))
    } (49) => 39;
    nested_labelled_blocks(n: i64) -> &'static str {
        Ok('outer: {
            let m = 'inner: {
                if n < 0 { break 'outer "negative"; }
                if n % 2 == 0 { break 'inner n / 2; }
                3 * n + 1
            };
            if m > 10 { "large" } else { "small" }
        })
    } (7) => "large";
    labelled_loops_with_values(n: i64) -> (i64, i64) {
        let mut a = 1i64;
        Ok('search: loop {
            let mut b = a;
            while b <= opaque(n) {
                if a * b == n { break 'search (a, b); }
                b += 1;
            }
            a += 1;
            if a > n { break (0, 0); }
        })
    } (35) => (1, 35);
    if_let_chains(n: i64) -> i64 {
        let pair = Some((opaque(n), "two"));
        let mut out = 0;
        if let Some((m, word)) = pair && m > 1 && let "one" | "two" = word && !word.is_empty() { out += m; }
        if n > 100 && let Some((m, _)) = pair { out += m * 100; } else if let Some((_, "one")) = pair { out = -1; }
        Ok(out)
    } (5) => 5;
    while_let_chains(n: i64) -> Vec<i64> {
        let mut queue: VecDeque<i64> = (0..opaque(n)).collect();
        let mut seen = vec![];
        while let Some(x) = queue.pop_front() && x < 4 {
            if x == 1 { queue.push_back(9); }
            seen.push(x);
        }
        Ok(seen)
    } (6) => [0, 1, 2, 3];
    matches_macro(n: i64) -> bool {
        let m = opaque(n);
        Ok(matches!(m, 1..=9 if m % 2 == 0) && !matches!(Some(m), None | Some(4)))
    } (6) => true;
    match_bindings(n: i64) -> i64 {
        Ok(match opaque(n) {
            low @ ..=-1 => -low,
            digit @ (0 | 2 | 4 | 6 | 8) => digit * 10,
            n @ 1..=9 if n > 6 => n,
            i64::MAX => 0,
            other => { if other > 50 { return Ok(50); } other }
        })
    } (77) => 50;
    match_on_tuples(a: i64, b: i64) -> &'static str {
        Ok(match (opaque(a) > 0, opaque(b).cmp(&0)) {
            (true, std::cmp::Ordering::Greater) => "both",
            (true, _) => "first",
            (false, o) if o.is_gt() => "second",
            (false, _) => "none",
        })
    } (-1, 2) => "second";
    constants(n: i64) -> i64 {
        const LIMIT: i64 = if cfg!(test) { 10 } else { 20 };
        static NAMES: [&str; 2] = ["a", "b"];
        const fn twice(x: i64) -> i64 { if x > 100 { x } else { x * 2 } }
        const { assert!(LIMIT > 0) };
        let [x, y] = [const { twice(3) }; 2];
        Ok(if opaque(n) > LIMIT { NAMES.len() as i64 } else { x + y })
    } (3) => 12;
    unsafe_blocks(n: i64) -> i64 {
        let xs = [1i64, 2, 3];
        let mut sum = 0;
        for i in 0..xs.len() {
            // SAFETY: the index is below the length.
            let x = unsafe { if i % 2 == 0 { *xs.get_unchecked(i) } else { 0 } };
            if x < opaque(n) { sum += x; }
        }
        Ok(sum)
    } (3) => 1;
    async_blocks(n: i64) -> i64 {
        let base = opaque(n);
        let mut future = std::pin::pin!(async {
            let mut x = base;
            if x > 2 { x *= std::future::ready(10).await; }
            while x > 7 { x -= 7; }
            x
        });
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match future.as_mut().poll(&mut context) {
            std::task::Poll::Ready(x) => Ok(x),
            std::task::Poll::Pending => Ok(-1),
        }
    } (3) => 2;
    async_closures(n: i64) -> i64 {
        let add = async |x: i64| if x > 0 { x + n } else { n };
        let mut future = std::pin::pin!(async move { add(opaque(1)).await });
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let std::task::Poll::Ready(x) = future.as_mut().poll(&mut context) else { return Ok(-1) };
        Ok(x)
    } (3) => 4;
    impl_trait_in_nested_functions(n: i64) -> Vec<i64> {
        fn evens(to: i64) -> impl Iterator<Item = i64> + Clone {
            (0..to).filter(|x| if *x > 100 { false } else { x % 2 == 0 })
        }
        fn total(xs: impl IntoIterator<Item = i64>) -> i64 { xs.into_iter().sum() }
        let e = evens(opaque(n));
        Ok(e.clone().chain([total(e)]).collect())
    } (5) => [0, 2, 4, 6];
    dyn_traits(n: i64) -> String {
        let mut shown: Vec<Box<dyn Display>> = vec![Box::new(opaque(n))];
        if n > 1 { shown.push(Box::new("more")); }
        let mut last: &dyn Display = &"none";
        for s in &shown { if s.to_string().len() < 5 { last = s; } }
        Ok(last.to_string())
    } (2) => "more";
    lifetimes(text: String) -> usize {
        fn longest<'a>(a: &'a str, b: &'a str) -> &'a str { if a.len() > b.len() { a } else { b } }
        struct Words<'t> { rest: &'t str }
        impl<'t> Iterator for Words<'t> {
            type Item = &'t str;
            fn next(&mut self) -> Option<&'t str> {
                let rest = self.rest.trim_start();
                if rest.is_empty() { return None; }
                let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                self.rest = rest;
                Some(word)
            }
        }
        let mut best = "";
        for word in (Words { rest: &text }) { best = longest(best, word); }
        if best == "three" { return Ok(best.len()); }
        Ok(0)
    } ("one three two".to_owned()) => 5;
    generics_inside(n: i64) -> String {
        struct Wrapped<T, const N: usize>([T; N]);
        impl<T: Debug + PartialOrd + Copy, const N: usize> Wrapped<T, N> {
            fn least(&self) -> Option<T> {
                let mut least = *self.0.first()?;
                for x in self.0 { if x < least { least = x; } }
                Some(least)
            }
        }
        let w = Wrapped([opaque(n), 4, 9]);
        let c = Wrapped::<char, 2>(['b', 'a']);
        if let (Some(a), Some(b)) = (w.least(), c.least()) { Ok(format!("{a:?}{b:?}")) } else { Ok(String::new()) }
    } (5) => "4'a'";
    macros_in_bodies(n: i64) -> i64 {
        macro_rules! larger {
            ($x:expr) => { $x };
            ($x:expr, $($rest:expr),+) => {{ let (a, b) = ($x, larger!($($rest),+)); if a > b { a } else { b } }};
        }
        let mut v = vec![larger!(opaque(n), 3, 7); 2];
        v.extend(vec![1; 3]);
        if v.is_empty() { unreachable!("{n} elements") }
        Ok(v.iter().sum())
    } (5) => 17;
    formats(n: i64) -> String {
        let (width, precision) = (6, 2);
        let mut out = format!("{n:>width$}|{:<4}|{:+.1$}|{0:#x}", opaque(n), precision);
        if out.len() > 3 { write!(out, "{:?}", Some(n)).map_err(|e| Error::invalid(e.to_string()))?; }
        if writeln!(out).is_err() { return Ok(String::new()); }
        Ok(out.trim_end().replace(' ', "_"))
    } (7) => "_____7|7___|+2|0x7Some(7)";
    raw_strings_and_bytes(n: i64) -> usize {
        let text = r#"if x { "quoted" } else { \n }"#;
        let bytes = b"while\0";
        let c = c"for";
        if text.contains(r"\n") && bytes.ends_with(&[0]) { return Ok(text.len() + c.count_bytes()); }
        Ok(n as usize)
    } (1) => 32;
    unicode_and_chars(s: String) -> String {
        let mut out = String::new();
        for (i, c) in s.char_indices() {
            if c == 'ä' || matches!(c, '\u{1F600}'..='\u{1F64F}') { out.push_str(&i.to_string()); } else { out.push(c); }
        }
        Ok(out)
    } ("aäb".to_owned()) => "a1b";
    all_kinds_of_ranges(n: i64) -> i64 {
        let v: Vec<i64> = (0..=opaque(n)).collect();
        let mut sum = 0;
        for i in (1..n as usize).rev().step_by(2) { sum += v[i]; }
        for x in &v[..2] { sum += x; }
        for x in v[2..].iter().skip_while(|x| **x < 4) { if (3..).contains(x) { sum += 100 * x; } }
        for _ in n..0 { sum = -1; }
        for c in 'a'..='c' { if c > 'a' { sum += 1000; } }
        Ok(sum)
    } (5) => 2907;
    cows(n: i64) -> String {
        let mut text: Cow<'_, str> = Cow::Borrowed("plain");
        if opaque(n) > 1 { text = Cow::Owned(format!("{text}er")); }
        if opaque(n) > 2 { text.to_mut().push('!'); }
        let owned = if let Cow::Owned(t) = &text { t.len() } else { 0 };
        Ok(format!("{text}{owned}"))
    } (3) => "plainer!8";
    shared_cells(n: i64) -> Vec<i64> {
        let log = Rc::new(RefCell::new(Vec::new()));
        let other = Rc::clone(&log);
        let put = move |x: i64| if x > 1 { other.borrow_mut().push(x) };
        for i in 0..opaque(n) { put(i); if i == 2 { log.borrow_mut().clear(); } }
        drop(put);
        if let Ok(cell) = Rc::try_unwrap(log) { Ok(cell.into_inner()) } else { Ok(vec![-1]) }
    } (5) => [3, 4];
    counting_cells(n: i64) -> i64 {
        let calls = Cell::new(0);
        let asked = |answer| { calls.set(calls.get() + 1); answer };
        if asked(opaque(n) > 0) && asked(n > 10) || asked(n == 3) { calls.set(calls.get() * 10); }
        Ok(calls.get())
    } (3) => 30;
    boxed_mutable_closures(n: i64) -> i64 {
        let mut total = 0;
        {
            let mut steps: Vec<Box<dyn FnMut(i64) -> bool + '_>> = vec![];
            let limit = opaque(n);
            let mut budget = 2;
            steps.push(Box::new(move |x| { budget -= 1; x < limit && budget >= 0 }));
            steps.push(Box::new(|x| { if x > 1 { total += x; } true }));
            for x in 0..5 {
                for step in steps.iter_mut() { if !step(x + 1) { break; } }
            }
        }
        Ok(total)
    } (10) => 2;
    consumed_closures(n: i64) -> String {
        let text = opaque(n).to_string();
        let once = move || text;
        let f: Box<dyn FnOnce() -> String> = if n > 1 { Box::new(once) } else { Box::new(String::new) };
        Ok(f())
    } (2) => "2";
    closures_that_return_closures(n: i64) -> i64 {
        let adder = |a: i64| move |b: i64| if a > b { a } else { a + b };
        let f = adder(opaque(n));
        Ok(if f(1) == n { f(100) } else { f(0) })
    } (5) => 105;
    recursion_by_function_pointers(n: i64) -> i64 {
        fn fixed(f: fn(&dyn Fn(i64) -> i64, i64) -> i64, x: i64) -> i64 { f(&|y| fixed(f, y), x) }
        Ok(fixed(|again, x| if x <= 1 { 1 } else { x * again(x - 1) }, opaque(n)))
    } (5) => 120;
    dropped_early(n: i64) -> Vec<&'static str> {
        struct Noisy<'l>(&'static str, &'l RefCell<Vec<&'static str>>);
        impl Drop for Noisy<'_> { fn drop(&mut self) { self.1.borrow_mut().push(self.0) } }
        let log = RefCell::new(vec![]);
        {
            let first = Noisy("first", &log);
            let _ = Noisy("at once", &log);
            let _second = Noisy("second", &log);
            if opaque(n) > 0 { drop(first); }
            log.borrow_mut().push("end");
            if n > 5 { return Ok(vec![]); }
        }
        Ok(log.into_inner())
    } (1) => ["at once", "first", "end", "second"];
    ref_and_ref_mut(n: i64) -> (i64, String) {
        let mut pair = (opaque(n), Some("a".to_owned()));
        match pair {
            (ref mut x, Some(ref text)) if *x > 0 => { *x += text.len() as i64; }
            (ref x, None) => { if *x > 1 { return Ok((0, String::new())); } }
            _ => {}
        }
        if let (_, Some(text)) = &mut pair { text.push('b'); }
        let (x, Some(text)) = pair else { return Ok((-1, String::new())) };
        Ok((x, text))
    } (2) => (3, "ab".to_owned());
    borrowed_state(n: i64) -> i64 {
        let mut v = [1i64, 2, 3];
        let (head, tail) = v.split_at_mut(1);
        if opaque(n) > 0 { head[0] += tail.iter().sum::<i64>(); } else { tail[0] = 0; }
        std::mem::swap(&mut head[0], &mut tail[1]);
        let last = v.last_mut();
        if let Some(last) = last { *last *= 10; }
        Ok(v[2] + v[0])
    } (1) => 63;
    reborrows_in_loops(n: i64) -> i64 {
        struct Node { value: i64, next: Option<Box<Node>> }
        let mut list = None;
        let mut tail = &mut list;
        for value in 0..opaque(n) {
            tail = &mut tail.insert(Box::new(Node { value, next: None })).next;
        }
        let mut at = &mut list;
        while let Some(node) = at {
            if node.value % 2 == 1 { node.value *= 10; }
            at = &mut node.next;
        }
        let (mut sum, mut at) = (0, &list);
        while let Some(Node { value, next }) = at.as_deref() { sum += value; at = next; }
        Ok(sum)
    } (4) => 42;
    swaps_and_takes(n: i64) -> (Vec<i64>, Vec<i64>) {
        let (mut a, mut b) = (vec![opaque(n)], vec![]);
        for i in 0..3 {
            if i == 1 { std::mem::swap(&mut a, &mut b); } else { a.push(i); }
        }
        let old = std::mem::take(&mut b);
        if old.len() > 1 { b = std::mem::replace(&mut a, old); }
        Ok((a, b))
    } (7) => (vec![7, 0], vec![2]);
    destructured_assignments(n: i64) -> (i64, i64, i64) {
        struct P { x: i64, y: i64 }
        let (mut a, mut b, mut c);
        (a, (b, ..)) = (opaque(n), (2, 3, 4));
        [c, _, ..] = [5, 6, 7, 8];
        if a > 0 { P { x: a, y: b } = P { x: b, y: a }; } else { (a, _) = (0, 1); }
        if n > 1 { (c, b) = (b, c); }
        Ok((a, b, c))
    } (3) => (2, 5, 3);
    updates_of_structs(n: i64) -> String {
        #[derive(Clone, Debug, Default)]
        struct Settings { deep: bool, level: i64, name: Option<String> }
        let mut s = Settings { level: opaque(n), ..Default::default() };
        if s.level > 1 { s = Settings { deep: !s.deep, ..s }; }
        let Settings { deep, ref mut name, .. } = s;
        if deep { *name = Some("x".to_owned()); }
        Ok(format!("{s:?}"))
    } (2) => r#"Settings { deep: true, level: 2, name: Some("x") }"#;
    enums(n: i64) -> i64 {
        #[derive(Clone, Copy, PartialEq)]
        enum Op { Push(i64), Add, Neg { twice: bool } }
        let program = [Op::Push(opaque(n)), Op::Push(3), Op::Add, Op::Neg { twice: n > 100 }];
        let mut stack = vec![];
        for op in program {
            match op {
                Op::Push(x) => stack.push(x),
                Op::Add => { if let (Some(a), Some(b)) = (stack.pop(), stack.pop()) { stack.push(a + b); } }
                Op::Neg { twice: true } => {}
                Op::Neg { .. } => { if let Some(x) = stack.last_mut() { *x = -*x; } }
            }
            if op == Op::Add && stack.len() > 1 { return Ok(0); }
        }
        Ok(stack[0])
    } (4) => -7;
    iterator_chains(xs: Vec<i64>) -> (i64, Option<usize>, Vec<(usize, char)>) {
        let sum = xs.windows(2).map(|w| if w[0] < w[1] { w[1] - w[0] } else { 0 }).sum();
        let at = xs.iter().position(|&x| x > opaque(3));
        let pairs = xs.iter().zip("abc".chars()).enumerate().filter(|(_, (x, _))| **x != 2);
        Ok((sum, at, pairs.map(|(i, (_, c))| (i, c)).collect()))
    } (vec![1, 2, 5]) => (4, Some(2), vec![(0, 'a'), (2, 'c')]);
    folds_that_break(xs: Vec<i64>) -> i64 {
        let folded = xs.iter().try_fold(0i64, |sum, x| {
            if *x < 0 { return ControlFlow::Break(sum); }
            ControlFlow::Continue(sum + x)
        });
        Ok(match folded { ControlFlow::Break(s) => -s, ControlFlow::Continue(s) => s })
    } (vec![1, 2, -1, 5]) => -3;
    collected_results(words: Vec<String>) -> i64 {
        let parsed: std::result::Result<Vec<i64>, _> = words.iter().map(|w| w.parse::<i64>()).collect();
        let all = match parsed { Ok(all) if !all.is_empty() => all, Ok(_) => return Ok(0), Err(_) => vec![-1] };
        let any: Option<i64> = all.iter().copied().reduce(|a, b| if a > b { a } else { b });
        let largest = any.ok_or_else(|| Error::invalid("empty"))?;
        Ok(largest)
    } (vec!["4".to_owned(), "11".to_owned()]) => 11;
    iterators_by_reference(xs: Vec<i64>) -> (i64, Vec<i64>) {
        let mut it = xs.into_iter();
        let mut head = 0;
        for x in it.by_ref() { if x == opaque(0) { break; } head += x; }
        Ok((head, it.collect()))
    } (vec![1, 2, 0, 3, 4]) => (3, vec![3, 4]);
    from_fn_and_successors(n: i64) -> Vec<i64> {
        let mut left = opaque(n);
        let mut down: Vec<i64> = std::iter::from_fn(|| { if left == 0 { return None; } left -= 1; Some(left) }).collect();
        down.extend(std::iter::successors(Some(1i64), |x| if *x < 10 { Some(x * 3) } else { None }));
        Ok(down)
    } (2) => [1, 0, 1, 3, 9, 27];
    heaps_and_maps(n: i64) -> Vec<(i64, usize)> {
        let mut heap = BinaryHeap::from(vec![opaque(n), 9, 4]);
        let mut groups: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        while let Some(x) = heap.pop() {
            if x > 8 { heap.push(x - 5); continue; }
            groups.entry(x % 2).or_default().push(x);
        }
        groups.retain(|k, v| if *k == 0 { v.len() > 1 } else { true });
        Ok(groups.iter().map(|(k, v)| (*k, v.len())).collect())
    } (7) => [(0, 2), (1, 1)];
    overflow_and_bits(n: i64) -> u32 {
        let x = opaque(n) as u8;
        let (sum, over) = x.overflowing_add(250);
        let mut bits = 0;
        let mut y = sum;
        while y != 0 { y &= y - 1; bits += 1; }
        Ok(if over && !x != 0 { bits } else { bits << 4 | 1 })
    } (10) => 1;
    negations_of_types_that_are_no_bool(n: i64) -> (i64, u8) {
        let x = !opaque(n);
        let y = !(opaque(n) as u8) & 0x0f;
        Ok((x, if !(x < 0) { 0 } else { y }))
    } (3) => (-4, 12);
    comparisons_of_own_types(n: i64) -> bool {
        #[derive(PartialEq, PartialOrd, Debug)]
        struct Version(u8, u8);
        let (a, b) = (Version(1, 2), Version(1, opaque(n) as u8));
        assert_ne!(a, b, "{n}");
        Ok(a < b && b >= Version(1, 0) && (a == Version(1, 2)) != (b == a))
    } (3) => true;
    deref_and_index(n: i64) -> i64 {
        struct Grid { cells: Vec<i64>, wide: usize }
        impl std::ops::Index<(usize, usize)> for Grid {
            type Output = i64;
            fn index(&self, (i, j): (usize, usize)) -> &i64 { &self.cells[i * self.wide + j] }
        }
        impl std::ops::IndexMut<(usize, usize)> for Grid {
            fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut i64 { &mut self.cells[i * self.wide + j] }
        }
        let mut g = Box::new(Grid { cells: vec![0; 6], wide: 3 });
        for i in 0..2 { for j in 0..3 { if i != j { g[(i, j)] += opaque(n); } } }
        let last = &mut g[(1, 2)];
        *last -= 1;
        Ok(g.cells.iter().sum::<i64>() + g[(0, 0)])
    } (2) => 7;
    never_type_and_panics(n: i64) -> i64 {
        fn fail(n: i64) -> ! { panic!("{n}") }
        let x: i64 = if opaque(n) < 0 { fail(n) } else { n };
        let y = match x { 0 => unreachable!(), 1..=9 => 1, _ => todo!("{x}") };
        Ok(x + y)
    } (3) => 4;
    caught_panics(n: i64) -> i64 {
        let result = std::panic::catch_unwind(|| { if opaque(n) > 2 { std::panic::resume_unwind(Box::new(7i64)); } 1 });
        Ok(match result { Ok(x) => x, Err(e) => *e.downcast::<i64>().map_err(|_| Error::invalid("other"))? })
    } (3) => 7;
    scoped_threads(n: i64) -> i64 {
        let mut parts = [0i64; 2];
        std::thread::scope(|scope| {
            for (i, part) in parts.iter_mut().enumerate() {
                scope.spawn(move || if i == 0 { *part = n } else { *part = n * 10 });
            }
        });
        Ok(parts.iter().sum())
    } (3) => 33;
    shadowed_by_patterns(n: i64) -> i64 {
        let x = Some(opaque(n));
        let x = if let Some(x) = x && x > 0 { x } else { return Ok(0) };
        let f = |x: i64| { let x = x * 2; if x > 5 { x } else { 0 } };
        let x = { let x = f(x); x + 1 };
        for x in [x, x + 1] { if x % 2 == 0 { return Ok(x); } }
        Ok(x)
    } (3) => 8;
    attributes_on_statements(n: i64) -> i64 {
        #[expect(unused_variables, reason = "a statement with an attribute")]
        let unused = 3;
        #[rustfmt::skip]
        let m = if opaque(n) > 2 { 1 } else   { 2 };
        #[cfg(any())]
        return Ok(0);
        Ok(m)
    } (3) => 1;
}

#[tf_function]
fn copies<T>(x: &T, n: i64) -> Result<usize>
where
    T: Structure + Clone,
{
    let mut held: Vec<T> = Vec::new();
    while (held.len() as i64) < opaque(n) {
        if held.is_empty() {
            held.push(x.clone());
        } else {
            held.extend(held.clone());
        }
    }
    Ok(held.len())
}

#[tf_function]
fn padded<const N: usize>(n: i64) -> Result<Vec<i64>> {
    let mut out = [0; N];
    for (i, slot) in out.iter_mut().enumerate() {
        if i as i64 >= opaque(n) {
            break;
        }
        *slot = n;
    }
    Ok(out.to_vec())
}

#[test]
fn generic_functions() -> Result<()> {
    assert_eq!(copies(&scalar(1.0), 3)?, 4);
    assert_eq!(copies(&(scalar(1.0), vec![scalar(2)]), 1)?, 1);
    assert_eq!(padded::<3>(2)?, [2, 2, 0]);
    Ok(())
}
