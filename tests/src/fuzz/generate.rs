//! The call of a case: a recorded one, a recipe, or one made of the definition; then bent.

use std::collections::HashMap;

use extype::array::Array;
use extype::ir::{AttrValue, OpDef};
use extype::prelude::*;
use extype::types::DTypeSet;

use super::call::Call;
use super::corpus::recorded;
use super::defs::{self, Attribute, Input, Kind, Typed};
use super::edit::{self, Edit};
use super::mutate::{mutate, retype};
use super::recipes::{by_name, callee, doubling, recipe};
use super::rng::Rng;
use super::values::{Style, filled, integers, tame_shape};

/// The call of the case of this op and seed.
pub(super) fn generate(op: &'static OpDef, seed: u64) -> Call {
    let mut rng = Rng::of_case(defs::name(op), seed);
    let rng = &mut rng;
    let mut call = unbent(op, rng);
    if rng.chance(40) {
        retype(&mut call, rng);
    }
    for _ in 0..rng.pick(&[0, 0, 0, 1, 1, 2, 3]) {
        mutate(&mut call, rng);
    }
    if defs::name(op) == "WriteFile" {
        in_temporary_folder(&mut call);
    }
    call
}

/// Files are written where they are in nobody's way.
fn in_temporary_folder(call: &mut Call) {
    let Some(first) = call.inputs.first_mut() else { return };
    let Ok(names) = first.as_strings() else { return };
    let folder = std::env::temp_dir().join("extype-fuzz").into_os_string().into_encoded_bytes();
    let paths = names.iter().map(|name| [&folder[..], b"/", name].concat()).collect();
    if let Ok(paths) = Array::from_strings(first.dims(), paths) {
        *first = paths;
    }
}

/// A call that nothing was done to.
fn unbent(op: &'static OpDef, rng: &mut Rng) -> Call {
    let recorded = recorded(op);
    match rng.below(10) {
        0..5 if !recorded.is_empty() => rng.pick(&recorded),
        0..8 => recipe(op, rng).unwrap_or_else(|| made(op, rng)),
        _ => made(op, rng),
    }
}

/// The call of the case of this op and seed with floats that can be differenced: float64 wherever
/// the op takes it, and nothing hostile but a size now and then.
pub(super) fn tame(op: &'static OpDef, seed: u64) -> Call {
    let mut rng = Rng::of_case(defs::name(op), seed);
    let rng = &mut rng;
    let mut call = unbent(op, rng);
    to_float64(&mut call, rng);
    let sizes: Vec<usize> = call.inputs.iter().flat_map(|x| x.dims().to_vec()).collect();
    if !sizes.is_empty() && rng.chance(20) {
        let edit = Edit::Everywhere(rng.pick(&sizes), rng.pick(&[0, 1, 1, 2, 4]));
        edit::apply(&mut call, &[edit]);
    }
    call
}

/// Floats as float64, where the op takes it.
fn to_float64(call: &mut Call, rng: &mut Rng) {
    let floats = |d: DType| d.is_differentiable() && d != DType::F64;
    let style = reals(rng);
    for (i, input) in defs::spread(call.op, call.inputs.len()).iter().enumerate() {
        let x = &call.inputs[i];
        let takes = match input.dtype {
            Typed::Fixed(_) => false,
            Typed::Var(var) => defs::type_set(call.op, var).contains(DType::F64),
            Typed::Free => true,
        };
        if takes && floats(x.dtype()) {
            let cast = Tensor::from(x.clone()).cast(DType::F64);
            let cast = cast.ok().and_then(|x| x.value().ok().cloned());
            if let Some(x) = cast.or_else(|| filled(DType::F64, x.dims(), style, rng)) {
                call.inputs[i] = x;
            }
        }
    }
    // Levels become float32.
    if call.inputs.iter().any(|x| DTypeSet::QUANTIZED.contains(x.dtype())) {
        return;
    }
    for (_, value) in &mut call.attrs {
        match value {
            AttrValue::Type(DType::Complex64) => *value = AttrValue::Type(DType::Complex128),
            AttrValue::Type(d) if floats(*d) && !d.is_complex() => {
                *value = AttrValue::Type(DType::F64);
            }
            _ => {}
        }
    }
}

/// A call as the definition suggests.
fn made(op: &'static OpDef, rng: &mut Rng) -> Call {
    let shape = tame_shape(rng);
    let style = reals(rng);
    let mut types: HashMap<&str, DType> = HashMap::new();
    let mut inputs = Vec::new();
    let all = defs::inputs(op);
    let count = rng.pick(&[1, 2, 2, 3]);
    for input in &all {
        for _ in 0..if input.list { count } else { 1 } {
            let dtype = match input.dtype {
                Typed::Fixed(dtype) => dtype,
                Typed::Free => rng.pick(&DType::ALL[..19]),
                Typed::Var(var) => *types.entry(var).or_insert_with(|| dtype_of(op, var, rng)),
            };
            let index = is_index(op, input) && all.len() > 1;
            let named = by_name(op, input.name, dtype, &shape, rng).filter(|_| rng.chance(75));
            let array = if named.is_some() {
                named
            } else if index {
                index_input(dtype, &shape, rng)
            } else {
                filled(dtype, &operand(&shape, rng), style, rng)
            };
            inputs.extend(array);
        }
    }
    let attrs = defs::attributes(op);
    let attrs = attrs.iter().map(|a| (a.name, attribute(a, rng))).collect();
    Call { op, attrs, inputs }
}

/// Within the domains of most functions, by chance.
pub(super) fn reals(rng: &mut Rng) -> Style {
    rng.pick(&[Style::Within(-2.0, 2.0), Style::Within(0.05, 0.95), Style::Within(1.1, 3.0)])
}

/// A dtype of a type attribute; often the one whose gradients can be checked.
pub(super) fn dtype_of(op: &OpDef, var: &str, rng: &mut Rng) -> DType {
    let all: Vec<DType> = defs::type_set(op, var).iter().collect();
    if all.contains(&DType::F64) && rng.chance(40) { DType::F64 } else { rng.pick(&all) }
}

fn is_index(op: &OpDef, input: &Input) -> bool {
    let of_index = |d: DType| matches!(d, DType::I32 | DType::I64);
    input.is_static
        || match input.dtype {
            Typed::Fixed(dtype) => of_index(dtype),
            Typed::Var(var) => defs::type_set(op, var).iter().all(of_index),
            Typed::Free => false,
        }
}

/// Sizes that fit the call's main shape.
fn operand(shape: &[usize], rng: &mut Rng) -> Vec<usize> {
    match rng.below(10) {
        0 => Vec::new(),
        1 => shape[rng.below(shape.len() + 1)..].to_vec(),
        2 => shape.iter().map(|d| if rng.chance(40) { 1 } else { *d }).collect(),
        3 => tame_shape(rng),
        _ => shape.to_vec(),
    }
}

/// An axis, axes, sizes, pairs, or positions, in a call with this main shape.
fn index_input(dtype: DType, shape: &[usize], rng: &mut Rng) -> Option<Array> {
    let rank = shape.len().max(1);
    let axis = |rng: &mut Rng| rng.below(2 * rank) as i64 - rank as i64;
    match rng.below(8) {
        0..3 => integers(dtype, &[], &[axis(rng)]),
        3 => integers(dtype, &[1], &[axis(rng)]),
        4 => {
            let sizes: Vec<i64> = shape.iter().map(|d| *d as i64).collect();
            integers(dtype, &[shape.len()], &sizes)
        }
        5 => filled(dtype, &[rank], Style::Below(3), rng),
        6 => filled(dtype, &[rank, 2], Style::Below(2), rng),
        _ => {
            let most = shape.first().copied().unwrap_or(1);
            filled(dtype, &operand(shape, rng), Style::Below(most), rng)
        }
    }
    .or_else(|| filled(dtype, &[], Style::Below(2), rng))
}

/// The default, or a plain value of the kind.
pub(super) fn attribute(attribute: &Attribute, rng: &mut Rng) -> AttrValue {
    match &attribute.default {
        Some(default) if rng.chance(70) => default.clone(),
        _ => plain(attribute.kind, rng),
    }
}

/// A plain value of this kind.
pub(super) fn plain(kind: Kind, rng: &mut Rng) -> AttrValue {
    const TEXTS: [&str; 18] = [
        "",
        ",",
        "UTF-8",
        "UTF-16-BE",
        "utf-8",
        "UTF8_CHAR",
        "NFC",
        "NHWC",
        "NCHW",
        "REFLECT",
        "SYMMETRIC",
        "LEFT_RIGHT",
        "RIGHT_LEFT",
        "IGNORE",
        "ERROR",
        "ij,jk->ik",
        "...i->...",
        "%s",
    ];
    let list = |rng: &mut Rng, one: fn(&mut Rng) -> AttrValue| {
        AttrValue::List((0..rng.below(4)).map(|_| one(rng)).collect())
    };
    let dtype = |rng: &mut Rng| AttrValue::Type(rng.pick(&DType::ALL));
    match kind {
        Kind::Bool => AttrValue::Bool(rng.chance(50)),
        Kind::Int => AttrValue::Int(rng.pick(&[0, 1, 1, 2, 2, 3, -1])),
        Kind::Float => AttrValue::Float(rng.pick(&[0.0, 0.2, 1.0, -1.0, 1e-5])),
        Kind::Text => AttrValue::Str(rng.pick(&TEXTS).as_bytes().into()),
        Kind::Type => dtype(rng),
        Kind::Shape => AttrValue::Shape(Box::new(tame_shape(rng).into())),
        Kind::Tensor => {
            let array = filled(rng.pick(&DType::ALL[..19]), &tame_shape(rng), reals(rng), rng);
            array.map_or(AttrValue::Bool(false), AttrValue::Tensor)
        }
        Kind::Function if rng.chance(40) => doubling().unwrap_or(AttrValue::Bool(false)),
        Kind::Function => callee(rng).unwrap_or(AttrValue::Bool(false)),
        Kind::Functions => list(rng, |rng| plain(Kind::Function, rng)),
        Kind::Ints => list(rng, |rng| AttrValue::Int(rng.pick(&[0, 1, 2, -1]))),
        Kind::Floats => {
            let mut last = 0.0;
            let mut next = |rng: &mut Rng| {
                last += rng.uniform(0.0, 2.0) as f32;
                AttrValue::Float(last)
            };
            AttrValue::List((0..rng.below(4)).map(|_| next(rng)).collect())
        }
        Kind::Types => list(rng, |rng| AttrValue::Type(rng.pick(&DType::ALL))),
        Kind::Shapes => list(rng, |rng| AttrValue::Shape(Box::new(tame_shape(rng).into()))),
    }
}
