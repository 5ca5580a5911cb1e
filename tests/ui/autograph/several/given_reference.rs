use extype::prelude::*;

#[tf_function]
fn by_a_method(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..3 {
        let mut places = Vec::new();
        places.push(&mut a);
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(a)
}

#[tf_function]
fn of_a_type(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..3 {
        let mut places: Vec<_> = Vec::with_capacity(1);
        places.extend([&mut a]);
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(a)
}

#[tf_function]
fn by_another_name(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..3 {
        let mut places = Vec::new();
        let list = &mut places;
        list.push(&mut a);
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(a)
}

fn fill<'a>(places: &mut Vec<&'a mut Tensor>, place: &'a mut Tensor) {
    places.push(place);
}

#[tf_function]
fn by_a_function(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..3 {
        let mut places = Vec::new();
        fill(&mut places, &mut a);
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(a)
}

#[tf_function]
fn by_a_closure(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..3 {
        let mut places = Vec::new();
        let mut add = |place| places.push(place);
        add(&mut a);
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(a)
}

#[tf_function]
fn by_an_assignment(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..3 {
        let mut pair = (None, 1);
        pair.0 = Some(&mut a);
        if most > 2 {
            continue;
        }
        if let (Some(place), _) = &mut pair {
            **place += 2;
        }
    }
    Ok(a)
}

#[tf_function]
fn collected(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut list = vec![x.clone(), most.clone()];
    for _ in 0..3 {
        let mut places: Vec<_> = list.iter_mut().collect();
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(&list[0] * 100 + &list[1])
}

#[tf_function]
fn by_a_function_under_another_name(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for _ in 0..3 {
        let mut places = Vec::new();
        let list = &mut places;
        fill(list, &mut x);
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(x)
}

#[tf_function]
fn given_by_a_closure(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for turn in 0..3 {
        let found = (turn < 2).then(|| &mut x);
        if most > 2 {
            continue;
        }
        if let Some(place) = found {
            *place += 2;
        }
    }
    Ok(x)
}

#[tf_function]
fn under_a_name_that_is_assigned_late(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for _ in 0..3 {
        let mut places = Vec::new();
        let list;
        list = &mut places;
        list.push(&mut x);
        if most > 2 {
            continue;
        }
        *places[0] += 2;
    }
    Ok(x)
}

#[tf_function]
fn inserted_by_a_closure(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for _ in 0..3 {
        let mut slot = None;
        slot.get_or_insert_with(|| &mut x);
        if most > 2 {
            continue;
        }
        if let Some(place) = slot {
            *place += 2;
        }
    }
    Ok(x)
}

fn total(steps: impl Iterator<Item = i64>) -> i64 {
    steps.sum()
}

#[tf_function]
fn lazy_iterator(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    let mut y = most.clone();
    for _ in 0..3 {
        let steps = (1..3).map(|k: i64| {
            x += k;
            k
        });
        if most > 2 {
            continue;
        }
        y += total(steps);
    }
    Ok(x * 100 + y)
}

fn main() {}
