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

fn main() {}
