//! The rules of a block, one function each.

use quote::ToTokens;
use syn::{FnArg, ReturnType, Safety, Type, TypeParamBound};

use super::model::{Family, Model, Operand, OperandType, Override, Part, Target, same};
use super::names::Meaning;
use super::parse::Block;
use crate::shared::suggest::nearest;
use crate::shared::{Diagnostics, types};

pub(super) fn check(block: &Block, model: &Model, d: &mut Diagnostics) {
    if !no_trait_impls(block, d) {
        return;
    }
    if !types_are_of_the_user(block, d) {
        return;
    }
    attributes_are_seen(block, d);
    something_is_overridden(block, model, d);
    instances_are_known(model, d);
    for o in &model.overrides {
        functions_are_plain(o, d);
        if matches!(o.target, Target::Conversion) {
            conversions_convert(o, d);
            continue;
        }
        results_are_results(o, d);
        results_are_types(o, d);
        if !numbers_are_tensors(o, d) {
            continue;
        }
        if functions_have_no_types(o, d) && operands_are_known(o, d) {
            let before = operand_counts(o, d);
            if before {
                own_type_takes_part(o, d);
            }
        }
        others_are_used(o, d);
    }
    bodies_are_of_compounds(model, d);
    nothing_twice(model, d);
    ops_are_within_their_family(model, d);
    branches_have_their_family(model, d);
}

fn no_trait_impls(block: &Block, d: &mut Diagnostics) -> bool {
    let Some(path) = &block.trait_ else { return true };
    d.severe(
        path,
        "`#[dispatch]` stands on an inherent `impl` block: it writes the trait impls itself",
        "remove the trait: `#[dispatch] impl MyType { #[overrides(…)] fn … }`",
    );
    false
}

/// True for a type for which the runtime already defines the ops.
pub(super) fn is_the_runtimes(ty: &Type) -> bool {
    ["Tensor", "Variable"].iter().any(|name| types::is_named(ty, name))
}

/// True if a function takes the op as `&dyn UnaryOp`, which the compiler refuses by itself.
pub(super) fn has_objects(model: &Model) -> bool {
    let object = |ty: &Type| matches!(types::value(ty), Type::TraitObject(_));
    model.overrides.iter().any(|o| {
        o.function.inputs.iter().any(|input| matches!(input, FnArg::Typed(t) if object(&t.ty)))
    })
}

fn types_are_of_the_user(block: &Block, d: &mut Diagnostics) -> bool {
    let runtimes = is_the_runtimes(&block.self_ty);
    if runtimes {
        d.severe(
            &block.self_ty,
            format!("ops have their meaning for `{}` already", types::text(&block.self_ty)),
            "override them for a type of your own: `#[derive(ExtensionType, Clone, Debug)] struct MyType { values: Tensor }`",
        );
    }
    !runtimes
}

/// This macro does not see attributes that `cfg_attr` adds.
fn attributes_are_seen(block: &Block, d: &mut Diagnostics) {
    for attr in block.items.iter().flat_map(|item| &item.hidden) {
        d.severe(
            attr,
            "`#[dispatch]` does not see the attribute in `cfg_attr`",
            "write `#[overrides(…)]` itself, and `#[cfg(…)]` before the `impl` block",
        );
    }
}

fn something_is_overridden(block: &Block, model: &Model, d: &mut Diagnostics) {
    let overrides = block.items.iter().any(|i| !i.overrides.is_empty() || !i.hidden.is_empty());
    if !overrides && model.stand_in.is_none() {
        d.severe(
            &block.self_ty,
            "no function of this block overrides an op",
            "mark one with `#[overrides(unary_elementwise)]` or the name of an op, or remove `#[dispatch]`",
        );
    }
}

fn instances_are_known(model: &Model, d: &mut Diagnostics) {
    if model.params.is_empty() {
        return;
    }
    let conversion = model.conversion().map(|o| o.name.to_token_stream());
    let declared = model.supertypes.first().map(ToTokens::to_token_stream);
    for tokens in conversion.into_iter().chain(declared) {
        d.severe(
            tokens,
            "the type is generic: this is declared for each of its instances, at run time",
            "call `dispatch::register_conversion` or `dispatch::declare_subtype` for the instance",
        );
    }
}

fn conversions_convert(o: &Override, d: &mut Diagnostics) {
    let operand = matches!(&o.parts[..], [Part::Operand(Operand::Own)]);
    if !operand || o.declines || o.output.as_ref().is_none_or(|r| !ends_in_tensor(r)) {
        d.severe(
            &o.function.ident,
            "the conversion to a tensor has another form",
            "write `fn to_tensor(&self) -> Result<Tensor>`",
        );
    }
}

fn ends_in_tensor(result: &proc_macro2::TokenStream) -> bool {
    result.clone().into_iter().last().is_some_and(|t| t.to_string() == "Tensor")
}

fn functions_are_plain(o: &Override, d: &mut Diagnostics) {
    let sig = &o.function;
    if let Some(token) = &sig.asyncness {
        d.severe(
            token,
            "an override can't be `async`: ops return their results at once",
            "remove `async`",
        );
    }
    if let Some(token) = &sig.constness {
        d.severe(token, "an override can't be `const`", "remove `const`");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        d.severe(
            token,
            "an override can't be `unsafe`: everybody calls it",
            "remove `unsafe`, and put an `unsafe` block into the body",
        );
    }
}

fn results_are_results(o: &Override, d: &mut Diagnostics) {
    if o.output.is_some() {
        return;
    }
    match &o.function.output {
        ReturnType::Default => d.severe(
            &o.function.ident,
            "an override returns a `Result`",
            "write `-> Result<Self>`, and end with `Ok(…)`",
        ),
        ReturnType::Type(_, ty) => d.severe(
            ty,
            "an override returns a `Result`",
            format!("write `-> Result<{}>`, and end with `Ok(…)`", types::text(ty)),
        ),
    }
}

fn results_are_types(o: &Override, d: &mut Diagnostics) {
    let Some(written) = &o.written else { return };
    if let Type::ImplTrait(_) = written {
        d.severe(
            written,
            "the result of an override has a name",
            "write `-> Result<Self>`, or its type",
        );
    } else if let Some(borrow) = types::borrow(written) {
        d.severe(
            borrow,
            "the result of an override can't borrow",
            "return the value itself; a clone of a tensor shares its data",
        );
    }
}

/// Refuses numbers as operands: `with = f32`, `Pair<'_, Self, f32>`. True if there are none.
fn numbers_are_tensors(o: &Override, d: &mut Diagnostics) -> bool {
    let others = o.operands().filter_map(Operand::other);
    let Some(number) = o.with.iter().chain(others).find(|ty| types::is_plain(ty)) else {
        return true;
    };
    let help = match o.with.is_empty() {
        true => "write `Tensor`",
        false => "write `with = Tensor`, and `Tensor` in the parameters",
    };
    d.severe(number, "an operand is never a plain number: numbers arrive as tensors", help);
    false
}

/// Refuses type parameters on the function of a single op: its operand types are those of the impl.
fn functions_have_no_types(o: &Override, d: &mut Diagnostics) -> bool {
    let own = o.function.generics.type_params().next();
    let Some(own) = own.filter(|_| matches!(o.target, Target::Op(_))) else { return true };
    d.severe(
        own,
        "an override of one op has no type parameters",
        "name the types: `x: &Self`, `y: &Tensor`, another one by `with = Type`",
    );
    false
}

fn operands_are_known(o: &Override, d: &mut Diagnostics) -> bool {
    let wrong = o.parts.iter().find_map(|part| match part {
        Part::Wrong(tokens, text, help) => Some((tokens, text, help)),
        _ => None,
    });
    if let Some((tokens, text, help)) = wrong {
        d.severe(tokens, text, help);
        return false;
    }
    // Attributes don't have such names, so this is an operand of a wrong type.
    let operands = ["x", "y", "z", "a", "b", "lhs", "rhs", "left", "right", "other"];
    let wrong = o.parts.iter().find_map(|part| match part {
        Part::Attribute { name, ty, .. } if operands.iter().any(|n| name == n) => Some((name, ty)),
        _ => None,
    });
    if let Some((name, ty)) = wrong {
        d.severe(
            name,
            format!("`{name}: {}` is no operand", ty.to_string().replace(" :: ", "::")),
            "an operand is `&Self` or, with `with = Tensor` in the `#[overrides]`, `&Tensor`: numbers arrive as tensors",
        );
    }
    wrong.is_none()
}

fn operand_counts(o: &Override, d: &mut Diagnostics) -> bool {
    let operands = o.operand_count();
    let sequence = is_sequence(o);
    let at = &o.function.inputs;
    let name = o.name.text();
    match o.target {
        Target::Family(family) => {
            let ops = o.parts.iter().filter(|p| !matches!(p, Part::Operand(_))).count();
            if operands == family.arity() && ops == 1 && !sequence && !is_split(o) {
                return ops_are_the_familys(o, family, d);
            }
            d.severe(
                at_or(at, &o.function.ident),
                format!("the function of the family `{name}` has other parameters"),
                format!("write `{}`", form(family)),
            );
        }
        Target::Op(_) if sequence && operands > 1 => {
            d.severe(
                at,
                "a sequence of operands stands alone",
                "write `xs: &[&Self]`, or `xs: &[ops::Arg<'_, Self, Tensor>]`, then the op's attributes",
            );
        }
        Target::Op(_) if is_split(o) => {
            d.severe(
                at,
                format!("the operands of `{name}` come as one of the pairs that can be"),
                PAIR,
            );
        }
        Target::Op(_) if (1..=3).contains(&operands) => return true,
        Target::Op(_) if operands == 0 => {
            d.severe(at_or(at, &o.function.ident), format!("the override of `{name}` has no operand"),
                "the first parameters are the operands: `x: &Self`, `y: &Tensor`, `xs: &[&Self]`; another type \
                 is named by `with = Type`");
        }
        Target::Conversion => return true,
        Target::Op(_) => {
            d.severe(at, "an op has at most three operands", "attributes come after the operands");
        }
    }
    false
}

/// Refuses `op: impl UnaryOp` in the function of another family.
fn ops_are_the_familys(o: &Override, family: Family, d: &mut Diagnostics) -> bool {
    let wrong = o.function.inputs.iter().find_map(|input| {
        let FnArg::Typed(typed) = input else { return None };
        let ty = types::value(&typed.ty);
        let (bounds, object) = match ty {
            Type::ImplTrait(ty) => (&ty.bounds, false),
            Type::TraitObject(ty) => (&ty.bounds, true),
            _ => return None,
        };
        let [TypeParamBound::Trait(bound)] = &bounds.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        let name = bound.path.segments.last()?.ident.to_string();
        let known = Family::ALL.iter().any(|f| f.op_trait() == name);
        (known && (object || family.op_trait() != name)).then_some(ty)
    });
    if let Some(ty) = wrong {
        d.severe(
            ty,
            format!("the op of the family `{}` is any `impl {}`", family.name(), family.op_trait()),
            format!("write `{}`", form(family)),
        );
    }
    wrong.is_none()
}

const PAIR: &str = "write `operands: Pair<'_, Self, Tensor>`, and match `Pair::Both(x, y)`, `Pair::Left(x, other)` \
                    and `Pair::Right(other, y)`";

/// True for two operands that each may have the same other type: that would allow two operands of the other type.
fn is_split(o: &Override) -> bool {
    let operands: Vec<&Operand> = o.operands().collect();
    matches!(&operands[..], [Operand::Either(x), Operand::Either(y)] if same(x, y))
}

fn form(family: Family) -> String {
    match family {
        Family::Unary => "fn unary(op: impl UnaryOp, x: &Self) -> Result<Self>".into(),
        Family::Reduction => "fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self>".into(),
        Family::Binary => "fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> Result<Self>`, or with `with = Tensor` \
                           `operands: Pair<'_, Self, Tensor>"
            .into(),
    }
}

/// The parameters, or the name if there are none.
fn at_or(inputs: &impl ToTokens, name: &impl ToTokens) -> proc_macro2::TokenStream {
    match inputs.to_token_stream() {
        tokens if tokens.is_empty() => name.to_token_stream(),
        tokens => tokens,
    }
}

fn own_type_takes_part(o: &Override, d: &mut Diagnostics) {
    if o.operands().all(|x| matches!(x, Operand::Other(_))) {
        d.severe(
            &o.function.inputs,
            "no operand is of the type of this block",
            "an override is for `&Self`, or `Pair<'_, Self, Tensor>`, in at least one place",
        );
    }
}

fn others_are_used(o: &Override, d: &mut Diagnostics) {
    let found = |with: &Type| o.operands().filter_map(Operand::other).any(|ty| same(ty, with));
    for with in o.with.iter().filter(|w| !found(w)) {
        let name = types::text(with);
        let help = if name == "Self" {
            "remove `with`: it names another type that an operand may have".to_owned()
        } else if name != "Tensor" && nearest(&name, ["Tensor"]).is_some() {
            "did you mean `with = Tensor`?".to_owned()
        } else {
            format!(
                "write `operands: Pair<'_, Self, {name}>` where it may stand on either side, `y: &{name}` where \
                 only it may"
            )
        };
        d.severe(with, format!("no parameter takes a `{name}`"), help);
    }
    for ty in o.operands().filter_map(|x| if let Operand::Mixed(ty) = x { Some(ty) } else { None })
    {
        if !types::is_named(ty, "Tensor") {
            d.severe(
                ty,
                "a mixed sequence is of values of this type and tensors",
                "write `&[Arg<'_, Self, Tensor>]`",
            );
        }
    }
}

fn nothing_twice(model: &Model, d: &mut Diagnostics) {
    let mut seen: Vec<(String, Vec<Vec<OperandType>>, &Override)> = Vec::new();
    for o in &model.overrides {
        let (name, types) = (o.key(), o.combinations());
        let meets = |(n, t, first): &&(String, Vec<Vec<OperandType>>, &Override)| {
            *n == name
                && is_sequence(first) == is_sequence(o)
                && t.iter().any(|t| types.contains(t))
        };
        if let Some((_, _, first)) = seen.iter().find(meets) {
            d.severe(&first.name, format!("`{}` is first overridden here", first.name.text()), "");
            d.severe(
                &o.name,
                format!("`{}` is overridden twice for the same operands", o.name.text()),
                "remove one of the two",
            );
            return;
        }
        seen.push((name, types, o));
    }
}

/// Refuses `in body` where no body is replaced, or nobody would find what replaces it.
fn bodies_are_of_compounds(model: &Model, d: &mut Diagnostics) {
    for o in &model.overrides {
        let Some(word) = &o.in_body else { continue };
        let name = o.name.text();
        if !matches!(o.target, Target::Op(Meaning::Path(_))) {
            d.severe(
                word,
                format!("`{name}` is an op, which has no body of other ops"),
                "remove `in body`",
            );
        } else if !model.params.is_empty() {
            d.severe(
                word,
                "the type is generic: what replaces a body is looked up at run time, for each of its instances",
                "call `dispatch::register_handler` for the instance",
            );
        }
    }
}

/// Refuses an op next to its family for the same operands, since the compiler would find two meanings.
fn ops_are_within_their_family(model: &Model, d: &mut Diagnostics) {
    for o in model.overrides.iter().filter(|o| o.within.is_none()) {
        let Some(family) = o.family() else { continue };
        let types = o.combinations();
        let meets = |f: &&Override| {
            let of_all = matches!(f.target, Target::Family(x) if x == family);
            of_all && f.combinations().iter().any(|t| types.contains(t))
        };
        if model.overrides.iter().any(|f| meets(&f)) {
            let (name, family) = (o.name.text(), family.name());
            d.severe(
                &o.name,
                format!("the family has a meaning for `{name}` already"),
                format!("write `#[overrides({name}, in {family})]`"),
            );
        }
    }
}

fn is_sequence(o: &Override) -> bool {
    o.operands().any(Operand::is_sequence)
}

fn branches_have_their_family(model: &Model, d: &mut Diagnostics) {
    for o in &model.overrides {
        let Some(family) = o.within else { continue };
        if matches!(o.target, Target::Family(_)) {
            d.severe(&o.name, "a family is not in a family", "write the name of an op before `in`");
        } else if !model
            .overrides
            .iter()
            .any(|f| matches!(f.target, Target::Family(x) if x == family))
        {
            d.severe(
                &o.name,
                format!("the block does not override the family `{}`", family.name()),
                format!("remove `in {}`: the op stands for itself", family.name()),
            );
        } else if o.operand_count() != family.arity() {
            let (name, here) = (o.name.text(), family.name());
            let help = match o.family() {
                Some(other) => format!("`{name}` is in `{}`", other.name()),
                None => format!("remove `in {here}`: the op stands for itself"),
            };
            d.severe(&o.name, format!("`{name}` is not in the family `{here}`"), help);
        }
    }
}
