//! References in what holds them: variables, boxes, lists, types.

use super::{numbers, second};

struct Held<'a, T> {
    place: &'a mut T,
}

of_numbers_and_tensors! {
    #[expect(unused_mut, reason = "the variable is what matters")]
    fn in_a_mutable_variable(x, most) {
        let mut pair = (x.clone(), most.clone());
        for _ in 0..2 {
            let mut part = super::second(&mut pair);
            if *part > 2 {
                continue;
            }
            *part = x.clone();
        }
        Ok(pair.0 * 100 + pair.1)
    }

    #[expect(unused_mut, reason = "the variable is what matters")]
    fn in_a_box(x, most) {
        let mut a = x.clone();
        for _ in 0..2 {
            let mut held = Box::new(&mut a);
            if most > 2 {
                continue;
            }
            **held = most.clone();
        }
        Ok(a)
    }

    fn in_a_type_that_hides_it(x, most) {
        let mut a = x.clone();
        for _ in 0..3 {
            let held: super::Held<_> = super::Held { place: &mut a };
            if *held.place > most {
                continue;
            }
            *held.place += 2;
        }
        Ok(a)
    }

    fn list_that_grows_behind_an_exit(x, most, b) {
        let mut queue = vec![x.clone(), most.clone(), b.clone()];
        let mut sum = b.clone();
        for _ in 0..3 {
            let mut parts = Vec::new();
            parts.push(queue.pop().unwrap());
            if sum > most {
                continue;
            }
            parts.push(most.clone());
            for part in parts.iter() {
                sum += part;
            }
        }
        Ok(sum)
    }

    fn list_that_grows_in_the_last_arm(x, most, b) {
        let mut parts = vec![x.clone()];
        let mut more = vec![most.clone()];
        parts.append(&mut more);
        let mut sum = b.clone();
        if x > most {
            parts.push(b.clone());
            for part in parts.iter() {
                sum += part;
            }
        }
        Ok(sum)
    }

    fn reference_that_a_closure_beside_it_gives(x, most, b) {
        let mut x = x.clone();
        for _ in 0..2 {
            let inner = &mut x;
            let give = move || inner;
            let place = give();
            if b > most {
                continue;
            }
            *place = b.clone();
        }
        Ok(x * 3 + b)
    }

    fn reference_that_a_closure_of_a_block_gives(x, most, b) {
        let mut x = x.clone();
        for _ in 0..2 {
            let inner = &mut x;
            let give = { move || inner };
            let place = give();
            if b > most {
                continue;
            }
            *place = b.clone();
        }
        Ok(x * 3 + b)
    }

    fn last_of_an_iterator(x, most) {
        let mut list = vec![x.clone(), most.clone()];
        for _ in 0..3 {
            let place = list.iter_mut().last().unwrap();
            if most > 2 {
                continue;
            }
            *place += 2;
        }
        Ok(&list[0] * 100 + &list[1])
    }

    fn handed_on(x, most) {
        let mut x = x.clone();
        for _ in 0..3 {
            let place = &mut x;
            if *place > most {
                continue;
            }
            let other = place;
            *other += 3;
            if *other > 4 {
                break;
            }
            *other *= 2;
        }
        Ok(x)
    }

    fn in_an_argument_of_a_method_of_itself(x, most) {
        let mut list = vec![x.clone(), most.clone()];
        for _ in 0..3 {
            list.push(if x > most { list[0].clone() } else { list[list.len() - 1].clone() * 2 });
        }
        Ok(&list[0] * 1000 + &list[4])
    }
}
