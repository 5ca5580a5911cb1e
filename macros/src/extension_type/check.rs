//! The checks of a declaration, one function each.

use std::collections::HashMap;

use quote::ToTokens;
use syn::Type;

use super::model::{Constructor, Field, FieldKind, Model, Shape};
use crate::shared::{Diagnostics, types};

type Check = fn(&Model, &mut Diagnostics);

const CHECKS: &[Check] = &[
    no_unions,
    no_empty_enums,
    no_lifetimes,
    names_have_two_parts,
    constructors_need_named_fields,
    a_written_spec_has_its_own_stacks,
    a_written_structure_has_its_own_spec,
    versions_count_from_one,
    each_older_version_is_told_once,
    validation_needs_a_constructor,
    field_options_need_a_constructor,
    constraints_are_on_components,
    field_names_are_free,
    fields_are_owned,
    fields_are_immutable,
    fields_are_ordered,
    maps_of_tensors_have_string_keys,
    numbers_say_what_they_are,
    tensors_are_not_static,
];

pub(super) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    for check in CHECKS {
        check(model, diagnostics);
    }
}

fn no_unions(model: &Model, d: &mut Diagnostics) {
    if let Shape::Union(keyword) = &model.shape {
        d.severe(
            keyword,
            "a union can't be an extension type: which field it holds is not known",
            "make it an `enum`; the variant is then part of the type",
        );
    }
}

fn no_empty_enums(model: &Model, d: &mut Diagnostics) {
    if model.is_enum() && model.variants.is_empty() {
        d.severe(&model.ident, "an enum without variants has no values", "add a variant");
    }
}

fn no_lifetimes(model: &Model, d: &mut Diagnostics) {
    for lifetime in &model.lifetimes {
        d.severe(
            lifetime,
            "an extension type owns its data: it has no lifetime parameters",
            "hold the values themselves; tensors are cheap to clone",
        );
    }
}

fn names_have_two_parts(model: &Model, d: &mut Diagnostics) {
    let Some(name) = &model.name else { return };
    let text = name.value();
    let parts: Vec<&str> = text.split("::").flat_map(|p| p.split('.')).collect();
    let part = |p: &&str| !p.is_empty() && p.chars().all(|c| c.is_alphanumeric() || c == '_');
    if parts.len() < 2 || !parts.iter().all(part) {
        d.mild(
            name,
            format!("`{text}` is not a name that can be registered"),
            format!("give the project and the type: `name = \"project.{}\"`", model.ident),
        );
    }
}

fn constructors_need_named_fields(model: &Model, d: &mut Diagnostics) {
    let named = !model.is_enum() && model.variants.iter().all(|v| v.named);
    match &model.constructor {
        Constructor::Named(ident) if ident != "new" && !named => d.mild(
            ident,
            "only structs with named fields get a constructor",
            "remove `constructor`; the type is made with Rust's own syntax",
        ),
        _ => {}
    }
}

fn a_written_spec_has_its_own_stacks(model: &Model, d: &mut Diagnostics) {
    if model.stackable && model.spec.written.is_none() {
        d.mild(
            &model.ident,
            "`stackable` is for a spec that is derived, and you write that of this type",
            "remove `stackable`; give `Some(Stacking::of::<…>())` in `TypeSpec::stacking`",
        );
    }
}

fn a_written_structure_has_its_own_spec(model: &Model, d: &mut Diagnostics) {
    let Some(value) = &model.own_structure else { return };
    if value != "none" {
        d.mild(value, format!("`{value}` is no value of `structure`"), "write `structure = none`");
    } else if model.spec.written.is_some() {
        d.severe(
            value,
            "`structure = none` leaves `Structure` to you, and with it the spec",
            "write the spec, and `spec = MySpec`; or remove the option",
        );
    }
}

fn versions_count_from_one(model: &Model, d: &mut Diagnostics) {
    let Some(version) = &model.version else { return };
    if !matches!(model.version(), Some(1..)) {
        d.severe(
            version,
            format!("`{version}` is no version: they count from 1, which needs no option"),
            "write `version = 2` when the fields change for the first time",
        );
    } else if model.own_structure.is_some() {
        d.mild(
            version,
            "the fields of this type are not what is written of it, so they have no versions",
            "remove `version`; read what older specs wrote in `TypeSpec::from_any`",
        );
    }
}

fn each_older_version_is_told_once(model: &Model, d: &mut Diagnostics) {
    let Some(version) = model.version().filter(|version| *version > 0) else { return };
    let mut told: Vec<u32> = Vec::new();
    for upgrade in &model.upgrades {
        let key = &upgrade.version;
        match key.base10_parse::<u32>() {
            Ok(older) if told.contains(&older) => {
                d.mild(key, format!("version {older} is given twice"), "remove one of the two");
            }
            Ok(older) if (1..version).contains(&older) => told.push(older),
            _ => d.mild(
                key,
                format!("version {key} is not older than the type, which has version {version}"),
                format!("write `version = …` above {key}, or remove the function"),
            ),
        }
    }
    // Versions are few; the first one that is missing is named.
    if let (Some(at), Some(missing)) =
        (&model.version, (1..version).find(|older| !told.contains(older)))
    {
        d.mild(
            at,
            format!("nothing reads what version {missing} wrote"),
            format!(
                "add `upgrade({missing} = function)`, a function from a type with the fields of that \
                 version to `Result<Self>`; or `{missing} = none` if it is no longer read"
            ),
        );
    }
}

fn validation_needs_a_constructor(model: &Model, d: &mut Diagnostics) {
    let named = !model.is_enum() && model.variants.iter().all(|v| v.named);
    if model.validate && !named && !matches!(model.shape, Shape::Union(_)) {
        d.mild(
            &model.ident,
            "`validate` has no constructor to run in: only structs with named fields get one",
            "remove `validate`, and call `Validate::validate` in functions of your own",
        );
    }
}

fn field_options_need_a_constructor(model: &Model, d: &mut Diagnostics) {
    if !model.is_enum() && model.variants.iter().all(|v| v.named) {
        return;
    }
    for field in model.fields() {
        let options = &field.options;
        let keys = [
            options.default.as_ref().map(|(key, _)| key),
            options.dtypes.as_ref().map(|(key, _)| key),
            options.shape.as_ref().map(|(key, _)| key),
        ];
        for key in keys.into_iter().flatten() {
            d.mild(
                key,
                format!(
                    "`{key}` has no constructor to work in: only structs with named fields get one"
                ),
                "name the fields, or remove the option",
            );
        }
    }
}

fn constraints_are_on_components(model: &Model, d: &mut Diagnostics) {
    for field in model.fields().filter(|f| f.kind != FieldKind::Component) {
        let options = &field.options;
        let keys = [
            options.dtypes.as_ref().map(|(key, _)| key),
            options.shape.as_ref().map(|(key, _)| key),
        ];
        for key in keys.into_iter().flatten() {
            d.mild(
                key,
                format!("{} holds no tensor that `{key}` could restrict", the(field)),
                "remove the option; check static data in `validate`",
            );
        }
    }
    for field in model.fields().filter(|f| f.kind == FieldKind::Marker) {
        if let Some((key, _)) = &field.options.default {
            d.mild(key, "a marker has one value only", "remove `default`");
        }
    }
}

fn field_names_are_free(model: &Model, d: &mut Diagnostics) {
    for field in model.fields() {
        let name = field.name.as_str();
        let reserved = ["type_spec", "Spec", "self_"].contains(&name)
            || name.to_ascii_lowercase().starts_with("__extype")
            || model.is_enum() && name == "variant";
        if reserved {
            d.severe(
                &field.member,
                format!("the field name `{name}` is reserved"),
                "give the field another name",
            );
        }
    }
}

fn fields_are_owned(model: &Model, d: &mut Diagnostics) {
    // Then the lifetime is the mistake.
    if !model.lifetimes.is_empty() {
        return;
    }
    for field in model.fields().filter(|f| f.kind != FieldKind::Marker) {
        let ty = types::ungroup(&field.ty);
        let (what, help) = match ty {
            Type::FnPtr(_) => ("a function", "keep functions out of values: write a method"),
            Type::Ptr(_) => ("a raw pointer", "hold the value itself"),
            Type::Reference(_) if types::is_plain(ty) => continue,
            Type::Reference(_) => {
                ("a reference", "hold the value itself; tensors are cheap to clone")
            }
            Type::TraitObject(_) => {
                ("a trait object", "name the type, or make it a type parameter")
            }
            Type::ImplTrait(_) => ("an `impl Trait`", "name the type, or make it a type parameter"),
            Type::Slice(_) => ("a slice", "use `Vec` or an array"),
            _ => match types::borrow(ty) {
                Some(_) => {
                    ("borrowed data", "hold the values themselves; tensors are cheap to clone")
                }
                None => continue,
            },
        };
        d.severe(&field.ty, format!("{} can't be {what}", the(field)), help);
    }
}

fn fields_are_immutable(model: &Model, d: &mut Diagnostics) {
    for field in model.fields().filter(|f| f.kind != FieldKind::Marker) {
        let names = types::path_names(&field.ty);
        if let Some(name) = names.iter().find(|name| types::is_mutable_cell(name)) {
            d.severe(
                name,
                format!("{} holds a `{name}`: values of extension types are immutable", the(field)),
                "make a new value instead; state that changes is a `Variable`",
            );
        } else if let Some(name) = names.iter().find(|name| *name == "Rc" || *name == "Arc") {
            d.severe(
                name,
                format!(
                    "{} holds an `{name}`: an extension type holds its parts themselves",
                    the(field)
                ),
                "hold what is in it: a clone of a tensor shares its data",
            );
        }
    }
}

fn fields_are_ordered(model: &Model, d: &mut Diagnostics) {
    let unordered = HashMap::from([("HashSet", "BTreeMap"), ("BTreeSet", "Vec")]);
    for field in model.fields().filter(|f| f.kind != FieldKind::Marker) {
        for name in types::path_names(&field.ty) {
            let text = name.to_string();
            let Some(other) = unordered.get(text.as_str()) else { continue };
            let why = match text.as_str() {
                "BTreeSet" => "is no container of components",
                _ => "has no order: the tensors in it would come in a different order each time",
            };
            d.severe(&name, format!("{}: a `{text}` {why}", the(field)), format!("use `{other}`"));
        }
    }
}

fn maps_of_tensors_have_string_keys(model: &Model, d: &mut Diagnostics) {
    for field in model.fields().filter(|f| f.kind == FieldKind::Component) {
        let Some(key) = types::wrong_key(&field.ty) else { continue };
        d.severe(
            key,
            format!("{}: the keys of a map of tensors are strings, which name them", the(field)),
            "write `String`, and `key.to_string()` where the value is made",
        );
    }
}

/// Floats and lists of numbers may be meant as data, so they must be marked; a single integer, such as an axis, need
/// not be.
fn numbers_say_what_they_are(model: &Model, d: &mut Diagnostics) {
    for field in model.fields().filter(|f| f.kind == FieldKind::Static && f.marked.is_none()) {
        if !types::may_be_data(&field.ty) {
            continue;
        }
        d.mild(
            &field.ty,
            format!("{}: are these numbers data, or part of the type?", the(field)),
            "write `Tensor` for data, which may differ from call to call; mark the field \
             `#[static_data]` for what is part of the type: each value has traces of its own",
        );
    }
}

fn tensors_are_not_static(model: &Model, d: &mut Diagnostics) {
    for field in model.fields() {
        let Some(attribute) = &field.marked else { continue };
        let names = types::path_names(&field.ty);
        if let Some(name) = names.iter().find(|n| *n == "Tensor" || *n == "Variable") {
            d.severe(
                attribute,
                format!("{} holds a `{name}`, which is not static data", the(field)),
                "remove `#[static_data]`: the values of tensors are no part of the type",
            );
        }
    }
}

fn the(field: &Field) -> String {
    format!("field `{}`", field.member.to_token_stream())
}
