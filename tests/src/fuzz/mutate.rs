//! What is done to a call to make it hostile.

use extype::array::Array;
use extype::ir::AttrValue;
use extype::{DType, Dim, Shape};

use super::call::Call;
use super::defs::{self, Attribute, Kind, Typed};
use super::generate::{dtype_of, plain, reals};
use super::rng::Rng;
use super::values::{HUGE, INTEGERS, Style, filled, hostile_shape, reshaped, with_hostile_element};

/// One step.
pub(super) fn mutate(call: &mut Call, rng: &mut Rng) {
    let count = call.inputs.len();
    match rng.below(16) {
        0 => one_input(call, rng, |x, rng| {
            let mut dims = x.dims().to_vec();
            let at = rng.below(dims.len());
            *dims.get_mut(at)? = rng.pick(&[0, 1, 2, 3, 5]);
            reshaped(x, &dims)
        }),
        1 => one_input(call, rng, |x, rng| {
            let mut dims = x.dims().to_vec();
            if dims.is_empty() || rng.chance(50) {
                dims.insert(rng.below(dims.len() + 1), rng.pick(&[0, 1, 1, 2]));
            } else {
                dims.remove(rng.below(dims.len()));
            }
            reshaped(x, &dims)
        }),
        2 | 3 => one_input(call, rng, with_hostile_element),
        4 => one_input(call, rng, |x, rng| filled(x.dtype(), x.dims(), Style::Hostile, rng)),
        5 => retype(call, rng),
        6 => one_input(call, rng, |x, rng| {
            let style = reals(rng);
            filled(rng.pick(&DType::ALL), x.dims(), style, rng)
        }),
        7 | 8 => hostile_attribute(call, rng),
        9 => one_input(call, rng, |x, rng| {
            let mut dims = x.dims().to_vec();
            let (a, b) = (rng.below(dims.len()), rng.below(dims.len()));
            *dims.get_mut(b)? = rng.pick(&HUGE);
            *dims.get_mut(a)? = 0;
            reshaped(x, &dims)
        }),
        10..13 => sizes_everywhere(call, rng),
        13 => one_input(call, rng, |x, rng| {
            filled(x.dtype(), &hostile_shape(rng), Style::Hostile, rng)
        }),
        14 => more_axes(call, rng),
        _ if count > 0 && rng.chance(30) => {
            let at = rng.below(count);
            if rng.chance(50) {
                call.inputs.remove(at);
            } else {
                call.inputs.insert(at, call.inputs[at].clone());
            }
        }
        _ => {
            for x in &mut call.inputs {
                if let Some(hostile) = filled(x.dtype(), x.dims(), Style::Hostile, rng) {
                    *x = hostile;
                }
            }
        }
    }
}

/// The inputs of one type attribute with another dtype that the op takes.
pub(super) fn retype(call: &mut Call, rng: &mut Rng) {
    let spread = defs::spread(call.op, call.inputs.len());
    let vars: Vec<&str> = spread
        .iter()
        .filter_map(|i| match i.dtype {
            Typed::Var(var) => Some(var),
            _ => None,
        })
        .collect();
    if vars.is_empty() {
        return;
    }
    let var = rng.pick(&vars);
    let (dtype, style) = (dtype_of(call.op, var, rng), reals(rng));
    for (input, x) in spread.iter().zip(&mut call.inputs) {
        if input.dtype != Typed::Var(var) || x.dtype() == dtype {
            continue;
        }
        // Indices keep their values.
        let kept = x.to_i64s().ok().filter(|_| x.dtype().is_integer());
        let kept = kept.and_then(|v| super::values::integers(dtype, x.dims(), &v));
        if let Some(new) = kept.or_else(|| filled(dtype, x.dims(), style, rng)) {
            *x = new;
        }
    }
}

/// The same size in every input becomes another one, so that the shapes still agree; some times
/// two sizes: one becomes zero, one becomes huge.
fn sizes_everywhere(call: &mut Call, rng: &mut Rng) {
    let sizes: Vec<usize> = call.inputs.iter().flat_map(|x| x.dims().to_vec()).collect();
    if sizes.is_empty() {
        return;
    }
    let (from, to) = (rng.pick(&sizes), rng.pick(&[0, 0, 1, 2, 5]));
    let (other, huge) = (rng.pick(&sizes), rng.pick(&HUGE));
    let huge = (to == 0 && from != other && rng.chance(60)).then_some(huge);
    for x in &mut call.inputs {
        let new = |d: &usize| match (*d == from, huge) {
            (true, _) => to,
            (false, Some(huge)) if *d == other => huge,
            _ => *d,
        };
        let dims: Vec<usize> = x.dims().iter().map(new).collect();
        // Inputs that tell sizes tell the new ones.
        let told = x.to_i64s().ok().filter(|_| x.dtype().is_integer() && rng.chance(50));
        let told = told.map(|v| {
            let new = |x: &i64| usize::try_from(*x).map_or(*x, |x| new(&x) as i64);
            v.iter().map(new).collect::<Vec<_>>()
        });
        let renamed = told.and_then(|v| super::values::integers(x.dtype(), x.dims(), &v));
        if let Some(new) = reshaped(renamed.as_ref().unwrap_or(x), &dims) {
            *x = new;
        }
    }
}

/// The same axes more in all inputs, perhaps with an empty and a huge one among them, and one
/// more still in one of them.
fn more_axes(call: &mut Call, rng: &mut Rng) {
    let mut axes: Vec<usize> = (0..rng.pick(&[1, 1, 2])).map(|_| rng.pick(&[0, 1, 2])).collect();
    if rng.chance(50) {
        axes.extend([rng.pick(&HUGE), rng.pick(&HUGE), 0]);
    }
    let (at, longer) = (rng.below(3), rng.below(call.inputs.len() * 2));
    let scalars_too = rng.chance(50);
    for (i, x) in call.inputs.iter_mut().enumerate() {
        let mut dims = x.dims().to_vec();
        if dims.is_empty() && !scalars_too {
            continue;
        }
        let at = at.min(dims.len());
        dims.splice(at..at, axes.iter().copied());
        if i == longer {
            dims.insert(0, 3);
        }
        if let Some(new) = reshaped(x, &dims) {
            *x = new;
        }
    }
}

fn one_input(call: &mut Call, rng: &mut Rng, f: impl Fn(&Array, &mut Rng) -> Option<Array>) {
    let at = rng.below(call.inputs.len());
    if let Some(x) = call.inputs.get_mut(at)
        && let Some(new) = f(x, rng)
    {
        *x = new;
    }
}

fn hostile_attribute(call: &mut Call, rng: &mut Rng) {
    let attributes = defs::attributes(call.op);
    if attributes.is_empty() {
        return;
    }
    let chosen: Attribute = rng.pick(&attributes);
    if rng.chance(8) {
        call.attrs.retain(|(name, _)| *name != chosen.name);
        return;
    }
    let value =
        if rng.chance(10) { plain(rng.pick(&Kind::ALL), rng) } else { hostile(chosen.kind, rng) };
    match call.attr_mut(chosen.name) {
        Some(slot) => *slot = value,
        None => call.attrs.push((chosen.name, value)),
    }
}

fn hostile(kind: Kind, rng: &mut Rng) -> AttrValue {
    let list = |rng: &mut Rng, one: fn(&mut Rng) -> AttrValue| {
        AttrValue::List((0..rng.pick(&[0, 1, 2, 9])).map(|_| one(rng)).collect())
    };
    let integer = |rng: &mut Rng| AttrValue::Int(rng.pick(&INTEGERS));
    let float = |rng: &mut Rng| {
        let values = [f32::NAN, f32::INFINITY, -0.0, f32::MAX, -1.0, 1e-45, 2.0];
        AttrValue::Float(rng.pick(&values))
    };
    match kind {
        Kind::Int => integer(rng),
        Kind::Float => float(rng),
        Kind::Text => {
            let texts: [&[u8]; 9] = [
                b"",
                b"nhwc",
                b"\xff",
                b"->",
                b"i,->",
                b"...",
                b"ii->i",
                b"a,b,c->",
                b"i...j->j...i",
            ];
            AttrValue::Str(rng.pick(&texts).into())
        }
        Kind::Shape => {
            let mut dims: Vec<Dim> = hostile_shape(rng).into_iter().map(Dim::from).collect();
            if rng.chance(30) {
                dims.push(Dim::from(None));
            }
            let unknown = rng.chance(20);
            let shape = if unknown { Shape::unknown() } else { dims.into_iter().collect() };
            AttrValue::Shape(Box::new(shape))
        }
        Kind::Ints => list(rng, |rng| AttrValue::Int(rng.pick(&INTEGERS))),
        Kind::Floats => {
            list(rng, |rng| AttrValue::Float(rng.pick(&[f32::NAN, f32::INFINITY, -0.0, 1.0, -1.0])))
        }
        _ => plain(kind, rng),
    }
}
