//! Mutable references that are bound in code which may be left, and written through after that.

#![expect(
    clippy::clone_on_copy,
    clippy::op_ref,
    reason = "the bodies are of numbers and of tensors"
)]

use std::cell::RefCell;

use extype::prelude::*;

/// Functions whose body is that of a function of numbers and of a traced one, which agree.
macro_rules! of_numbers_and_tensors {
    ($($(#[$note:meta])* fn $name:ident($($x:ident),*) $body:tt)*) => {
        $(mod $name {
            use extype::prelude::*;

            $(#[$note])*
            fn of_numbers($($x: i64),*) -> Result<i64> $body

            #[tf_function]
            $(#[$note])*
            fn of_tensors($($x: &Tensor),*) -> Result<Tensor> $body

            #[test]
            fn agrees() -> Result<()> {
                for all in super::numbers() {
                    let mut numbers = all.into_iter();
                    $(let $x = numbers.next().unwrap_or(0);)*
                    let want = of_numbers($($x),*)?;
                    let eager = of_tensors::__body($(&scalar($x)),*)?.item::<i64>()?;
                    let traced = of_tensors($(&scalar($x)),*)?.item::<i64>()?;
                    assert_eq!((eager, traced), (want, want), "of {all:?}");
                }
                assert_eq!(of_tensors::trace_count(), 1);
                Ok(())
            }
        })*
    };
}

mod held;

fn second<T>(pair: &mut (T, T)) -> &mut T {
    &mut pair.1
}

/// What the functions are called with.
fn numbers() -> impl Iterator<Item = [i64; 3]> {
    let some = [-4, -1, 0, 2, 3, 5, 11];
    some.into_iter().flat_map(move |a| some.into_iter().map(move |b| [a, b, (a * 7 + b * 3) % 6]))
}

of_numbers_and_tensors! {
    fn behind_continue(x, most) {
        let mut x = x.clone();
        for _ in 0..3 {
            let place = &mut x;
            if *place > most {
                *place -= 3;
                continue;
            }
            *place += 2;
        }
        Ok(x)
    }

    fn behind_break(x, most) {
        let mut x = x.clone();
        while x < 40 {
            let place = &mut x;
            *place += 5;
            if *place > most {
                break;
            }
            *place *= 2;
        }
        Ok(x)
    }

    fn value_with_declarations_in_its_arms(x, most, b) {
        let mut x = x.clone();
        let mut y = b.clone();
        for _ in 0..3 {
            let place = &mut x;
            let next = if most > 2 {
                let inner = &mut y;
                if *place > b {
                    continue;
                }
                *inner -= &*place + 1;
                b.clone()
            } else {
                let twice = &*place * 2;
                if twice > most {
                    break;
                }
                twice + 1
            };
            *place += &next;
            x -= 2;
            y += &next;
        }
        Ok(x + y)
    }

    fn list_with_declarations_in_its_arms(x, most, b) {
        let mut x = x.clone();
        for _ in 0..3 {
            let place = &mut x;
            let inner = &mut *place;
            *inner += 1;
            let next = if most > 2 {
                if *inner > b {
                    continue;
                }
                vec![(if *inner > 0 { b + 1 } else { b + 2 }) * 2, -&*inner]
            } else {
                vec![b.clone(), (if *inner == most { most.clone() } else { b.clone() }) - 1]
            };
            *place += &next[0];
            if next[1] > most {
                continue;
            }
            x -= 2;
        }
        Ok(x)
    }

    fn reference_behind_a_name_that_is_hidden_in_a_loop(x, most, b) {
        let mut x = x.clone();
        for turn in 0..2 {
            let one = &mut x;
            let place = loop {
                if turn == 1 {
                    let one = 3;
                    if one > 5 {
                        continue;
                    }
                }
                break one;
            };
            if b > most {
                continue;
            }
            *place = b.clone();
        }
        Ok(x * 3 + b)
    }

    fn reference_that_a_closure_gives(x, most, b) {
        let mut x = x.clone();
        for _ in 0..2 {
            let place = {
                let inner = &mut x;
                let give = move || inner;
                give()
            };
            if b > most {
                continue;
            }
            *place = b.clone();
        }
        Ok(x * 3 + b)
    }

    fn reference_that_leaves_a_loop_in_a_guard(x, most, b) {
        let mut x = x.clone();
        for turn in 0..2 {
            let place = loop {
                match turn {
                    n if {
                        if n < 9 {
                            break &mut x;
                        }
                        true
                    } => {}
                    _ => {}
                }
            };
            if b > most {
                continue;
            }
            *place = b.clone();
        }
        Ok(x * 3 + b)
    }

    fn reference_that_an_arm_gives(x, most, b) {
        let mut x = x.clone();
        let mut y = b.clone();
        for turn in 0..3 {
            let place = match Some((&mut x, &mut y)) {
                Some((one, _)) if turn == 1 => one,
                Some((_, other)) => other,
                None => return Ok(b.clone()),
            };
            if *place > most {
                continue;
            }
            *place += 2;
        }
        Ok(x * 3 + y)
    }

    fn reference_that_a_loop_gives(x, most, b) {
        let mut x = x.clone();
        let mut y = b.clone();
        for turn in 0..3 {
            let place = 'found: {
                let one = &mut x;
                if turn == 1 {
                    break 'found one;
                }
                &mut y
            };
            if *place > most {
                continue;
            }
            *place += 2;
        }
        Ok(x * 3 + y)
    }

    fn behind_return(x, most) {
        let mut x = x.clone();
        let mut count = most.clone() - most;
        loop {
            let (place, n) = (&mut x, &mut count);
            *place += 5;
            if *n > 4 {
                return Ok(place.clone() * 100 + n.clone());
            }
            *n += 1;
            if *place > most {
                *place -= 1;
                continue;
            }
            *place += 1;
        }
    }

    fn used_again_after_its_last_use(x, most, by) {
        let mut x = x.clone();
        let mut sum = most.clone();
        for _ in 0..4 {
            let place = &mut x;
            if *place > most {
                continue;
            }
            *place += 2;
            sum += by;
            x -= by;
            sum = sum + &x;
        }
        Ok(x + sum * 10)
    }

    fn of_a_part(x, y, z) {
        let mut pair = (x.clone(), [y.clone(), z.clone()]);
        for _ in 0..3 {
            let last = &mut pair.1[1];
            if *last > 3 {
                *last -= 2;
                continue;
            }
            *last += 3;
            pair.0 += 1;
        }
        let (x, [y, z]) = pair;
        Ok(x * 100 + y * 10 + z)
    }

    fn of_a_reference(x, most) {
        let mut x = x.clone();
        for _ in 0..3 {
            let outer = &mut x;
            if *outer > most {
                continue;
            }
            *outer += 1;
            let inner = &mut *outer;
            if *inner < 0 {
                *inner += 20;
                continue;
            }
            *inner *= 3;
        }
        Ok(x)
    }

    fn bound_by_a_pattern(x, most) {
        let mut some = Some(x.clone());
        let mut pair = (x.clone(), most.clone());
        for _ in 0..3 {
            if let Some(held) = &mut some {
                if *held > most {
                    continue;
                }
                *held += 4;
            }
            match &mut pair {
                (a, b) => {
                    if *a > *b {
                        *a -= 3;
                        continue;
                    }
                    *b -= 1;
                }
            }
        }
        let (a, b) = pair;
        Ok(some.unwrap() * 10000 + a * 100 + b)
    }

    fn with_a_value(x, most) {
        let mut x = x.clone();
        let mut sum = most.clone();
        for _ in 0..3 {
            let twice = {
                let place = &mut x;
                if *place > most {
                    break;
                }
                *place += 2;
                place.clone() * 2
            };
            sum = sum + twice;
        }
        Ok(x * 100 + sum)
    }

    fn with_a_first_value(x, most) {
        let mut x = x.clone();
        let mut sum = most.clone();
        for _ in 0..3 {
            let twice;
            {
                let place = &mut x;
                if *place > most {
                    continue;
                }
                *place += 2;
                twice = place.clone() * 2;
            }
            sum = sum + twice;
        }
        Ok(x * 100 + sum)
    }

    fn in_an_arm(x, most, by) {
        let mut x = x.clone();
        for _ in 0..3 {
            if by > 2 {
                let place = &mut x;
                if *place > most {
                    continue;
                }
                *place += by;
            } else {
                let place = &mut x;
                *place -= 1;
                if *place < 0 {
                    break;
                }
                *place -= 2;
            }
            x += 1;
        }
        Ok(x)
    }

    fn in_a_nested_block(x, most) {
        let mut x = x.clone();
        for _ in 0..3 {
            let place = &mut x;
            {
                if *place > most {
                    continue;
                }
                *place += 2;
            }
            *place *= 2;
            x += 1;
        }
        Ok(x)
    }

    fn out_of_two_loops(x, most) {
        let mut x = x.clone();
        'outer: for _ in 0..3 {
            let place = &mut x;
            for k in 0..3 {
                if *place > most {
                    *place -= k;
                    continue 'outer;
                }
                *place += 2;
                let again = &mut *place;
                if *again > 8 {
                    break 'outer;
                }
                *again += 1;
            }
            *place *= 2;
        }
        Ok(x)
    }

    fn by_methods(x, most) {
        let mut list = vec![x.clone(), most.clone()];
        for k in 0..3 {
            let parts = &mut list;
            if parts[0] > most {
                parts[0] -= 2;
                continue;
            }
            parts.swap(0, 1);
            for part in parts.iter_mut() {
                *part += k;
            }
        }
        Ok(&list[0] * 100 + &list[1])
    }

    fn in_a_closure(x, most) {
        let mut x = x.clone();
        let most = most.clone();
        let mut step = |by: i64| {
            let place = &mut x;
            if *place > most {
                return;
            }
            *place += by;
            if *place < 0 {
                return;
            }
            *place *= 2;
        };
        step(3);
        step(4);
        Ok(x)
    }

    fn read_only(x, most) {
        let (mut x, mut sum) = (x.clone(), most.clone());
        let mut list = vec![x.clone()];
        for _ in 0..3 {
            let place = &mut x;
            let first = &list[0];
            if *place > most {
                continue;
            }
            sum += &*place;
            sum += first;
            x = &sum - 1;
            list[0] = x.clone() * 2;
        }
        Ok(x * 100 + sum + &list[0])
    }

    fn with_values_that_live_on(x, most, by) {
        let mut x = x.clone();
        let mut sum = most.clone() - most;
        for k in 0..4 {
            let place = &mut x;
            if *place > most {
                *place -= 1;
                continue;
            }
            let (twice, mut count) = (place.clone() * 2, 0);
            let _ = place.clone();
            let twice = twice + 1;
            let mut more = 1;
            const STEP: i64 = 4;
            *place += 2;
            count += STEP + k;
            x -= by;
            count += 1;
            sum = sum + twice + &x;
            more += 1;
            sum += count + more;
        }
        Ok(x * 100 + sum)
    }

    fn of_the_same_name(x, most) {
        let mut x = x.clone();
        for _ in 0..3 {
            let place = &mut x;
            if *place > most {
                continue;
            }
            *place += 1;
            let place = &mut x;
            if *place > 4 {
                continue;
            }
            *place += 2;
            let place = most.clone();
            x += &place;
        }
        Ok(x)
    }

    fn guarded(x, most) {
        let cell = std::cell::RefCell::new(x.clone());
        for _ in 0..2 {
            let mut part = cell.borrow_mut();
            if most > 2 {
                continue;
            }
            *part = most.clone();
        }
        Ok(cell.into_inner())
    }

    fn beside_plain_conditions(x, most) {
        let mut x = x.clone();
        for k in 0..4 {
            let place = &mut x;
            if k == 2 {
                continue;
            }
            if *place > most {
                *place -= 1;
                continue;
            }
            if k == 3 {
                break;
            }
            *place += 5;
        }
        Ok(x)
    }
}

/// Notes when it is dropped.
struct Guard<'a>(&'a RefCell<Vec<i64>>, i64);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}

#[tf_function]
fn with_guards(x: &Tensor) -> Result<Tensor> {
    let log = RefCell::new(Vec::new());
    let (mut k, mut n) = (0, 0);
    for _ in 0..2 {
        let m = &mut k;
        if *m > 100 {
            continue;
        }
        let _first = Guard(&log, 1);
        *m += 1;
        let _second = Guard(&log, 2);
        log.borrow_mut().push(7);
        k += 1;
        n += k;
    }
    let dropped = log.into_inner().into_iter().fold(n, |all, one| all * 10 + one);
    Ok(x + dropped)
}

#[test]
fn what_is_declared_beside_references_is_dropped_with_its_block() -> Result<()> {
    assert_eq!(with_guards(&scalar(0i64))?.item::<i64>()?, 6_721_721);
    Ok(())
}

#[tf_function]
fn with_cells(x: &Tensor) -> Result<Tensor> {
    let outside = RefCell::new(0i64);
    for k in 0..3 {
        *outside.borrow_mut() += k;
        if x > 2 {
            continue;
        }
        let own = RefCell::new(1i64);
        *own.borrow_mut() += 1;
    }
    if x > 5 {
        return Ok(x.clone());
    }
    // Nobody sees it who has left.
    *outside.borrow_mut() += 10;
    Ok(x + outside.into_inner())
}

#[test]
fn cells_that_nobody_sees_who_has_left_are_written() -> Result<()> {
    assert_eq!(with_cells(&scalar(1i64))?.item::<i64>()?, 14);
    assert_eq!(with_cells(&scalar(7i64))?.item::<i64>()?, 7);
    Ok(())
}
