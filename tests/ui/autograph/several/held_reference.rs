use extype::prelude::*;

#[tf_function]
fn in_a_tuple(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..2 {
        let mut held = (&mut a, 1);
        if most > 2 {
            continue;
        }
        *held.0 = most.clone();
        held.1 += 1;
    }
    Ok(a)
}

#[tf_function]
fn in_a_list(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let (mut a, mut b) = (x.clone(), x.clone());
    for _ in 0..2 {
        let mut held = vec![&mut a, &mut b];
        if most > 2 {
            continue;
        }
        for part in held.iter_mut() {
            **part = most.clone();
        }
    }
    Ok(a)
}

#[tf_function]
fn taken_in_an_arm(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    let mut held = Some(&mut a);
    if most > 2 {
        if let Some(part) = held.take() {
            *part = most.clone();
        }
    }
    Ok(a)
}

#[tf_function]
fn of_an_iterator(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut list = [x.clone(), most.clone()];
    for _ in 0..2 {
        let mut parts = list.iter_mut();
        if most > 2 {
            continue;
        }
        *parts.next().unwrap() = most.clone();
    }
    Ok(&list[0] + &list[1])
}

fn second(pair: &mut (Tensor, Tensor)) -> &mut Tensor {
    &mut pair.1
}

#[tf_function]
fn handed_out(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut pair = (x.clone(), most.clone());
    for _ in 0..2 {
        let mut part = second(&mut pair);
        if most > 2 {
            continue;
        }
        *part = x.clone();
        part = &mut pair.0;
        *part = x.clone();
    }
    Ok(pair.0 + pair.1)
}

#[tf_function]
fn in_a_closure(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut a = x.clone();
    for _ in 0..2 {
        let mut set = || a = most.clone();
        if most > 2 {
            continue;
        }
        set();
    }
    Ok(a)
}

fn main() {}
