//! What the overrides of a block mean.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    FnArg, Member, Pat, Path, ReceiverKind, ReturnType, Signature, Token, Type, TypeParamBound,
};

use super::names::{Meaning, Name, known, type_of};
use super::parse::{Block, Overrides};
use super::table::{MEANS, Row};
use crate::shared::generics::Parameters;
use crate::shared::suggest::{distance, nearest};
use crate::shared::{Base, Diagnostics, types};

pub(super) struct Model {
    pub base: Base,
    pub params: Parameters,
    pub self_ty: Type,
    pub overrides: Vec<Override>,
    /// The types of `subtype_of(…)`.
    pub supertypes: Vec<Type>,
    /// The field of `stand_in = field`, whose dtype and shape compounds see.
    pub stand_in: Option<Member>,
}

/// One function that overrides one op or family.
pub(super) struct Override {
    pub target: Target,
    /// `in unary_elementwise`
    pub within: Option<Family>,
    /// `in body`: the word, of an override that is called in place of the body of a compound.
    pub in_body: Option<Ident>,
    pub with: Vec<Type>,
    pub function: Signature,
    /// Parameters in order.
    pub parts: Vec<Part>,
    /// `R` of `Result<R>` and of `Result<Option<R>>`, with `Self` replaced.
    pub output: Option<TokenStream>,
    /// `R` as it is written.
    pub written: Option<Type>,
    /// True for `Result<Option<R>>`: `None` declines.
    pub declines: bool,
    /// What the user wrote for the op or family.
    pub name: Name,
    /// True for `..`: the function need not take the other attributes of the op.
    pub any: bool,
}

pub(super) enum Target {
    Family(Family),
    Op(Meaning),
    /// `to_tensor`: not an op, but the conversion of the type.
    Conversion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    Unary,
    Binary,
    Reduction,
}

/// The argument for a parameter of an overriding function.
pub(super) enum Part {
    Operand(Operand),
    /// The op, by value or by reference.
    Op {
        by_ref: bool,
    },
    /// An attribute of the op, and the tokens of its type.
    Attribute {
        name: Ident,
        by_ref: bool,
        ty: TokenStream,
    },
    /// A parameter that is not allowed: where, what is wrong, what to write.
    Wrong(TokenStream, &'static str, &'static str),
}

impl Part {
    /// The number of the op's operands that it receives.
    pub(super) fn operands(&self) -> usize {
        if let Part::Operand(operand) = self { operand.count() } else { 0 }
    }
}

#[derive(Clone)]
pub(super) enum Operand {
    /// `&Self`
    Own,
    /// `&Tensor`
    Other(Type),
    /// `Arg<'_, Self, Tensor>`
    Either(Type),
    /// `Pair<'_, Self, Tensor>`: two operands, at least one of the block's own type
    Pair(Type),
    /// `&[&Self]`
    Sequence,
    /// `&[Arg<'_, Self, Tensor>]`
    Mixed(Type),
}

/// The kind of one operand in one of the impls.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "a handful a block, made once")]
pub(super) enum OperandType {
    Own,
    Other(Type),
    /// A sequence of the block's own type and tensors.
    Mixed,
}

impl PartialEq for OperandType {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (OperandType::Own, OperandType::Own) | (OperandType::Mixed, OperandType::Mixed) => true,
            (OperandType::Other(a), OperandType::Other(b)) => same(a, b),
            _ => false,
        }
    }
}

impl Operand {
    /// The number of the op's operands that it stands for.
    pub(super) fn count(&self) -> usize {
        if matches!(self, Operand::Pair(_)) { 2 } else { 1 }
    }

    /// The type allowed besides the block's own.
    pub(super) fn other(&self) -> Option<&Type> {
        match self {
            Operand::Other(ty) | Operand::Either(ty) | Operand::Pair(ty) | Operand::Mixed(ty) => {
                Some(ty)
            }
            Operand::Own | Operand::Sequence => None,
        }
    }

    /// True for any number of operands.
    pub(super) fn is_sequence(&self) -> bool {
        matches!(self, Operand::Sequence | Operand::Mixed(_))
    }

    fn kinds(&self) -> Vec<Vec<OperandType>> {
        let (own, other) = (OperandType::Own, |ty: &Type| OperandType::Other(ty.clone()));
        match self {
            Operand::Own | Operand::Sequence => vec![vec![own]],
            Operand::Other(ty) => vec![vec![other(ty)]],
            Operand::Either(ty) => vec![vec![own], vec![other(ty)]],
            Operand::Pair(ty) => vec![
                vec![own.clone(), own.clone()],
                vec![own.clone(), other(ty)],
                vec![other(ty), own],
            ],
            Operand::Mixed(_) => vec![vec![own], vec![OperandType::Mixed]],
        }
    }
}

/// The families by name, with TensorFlow's words for them.
const FAMILIES: &[(&str, Family)] = &[
    ("unary_elementwise", Family::Unary),
    ("binary_elementwise", Family::Binary),
    ("reduction", Family::Reduction),
    ("unary", Family::Unary),
    ("binary", Family::Binary),
    ("reductions", Family::Reduction),
];

impl Family {
    pub(super) const ALL: [Family; 3] = [Family::Unary, Family::Binary, Family::Reduction];

    /// The family of this name.
    fn named(name: &str) -> Option<Family> {
        FAMILIES.iter().take(3).find(|(n, _)| *n == name).map(|(_, f)| *f)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Family::Unary => "unary_elementwise",
            Family::Binary => "binary_elementwise",
            Family::Reduction => "reduction",
        }
    }

    /// The number of operands of its ops.
    pub(super) fn arity(self) -> usize {
        match self {
            Family::Unary | Family::Reduction => 1,
            Family::Binary => 2,
        }
    }

    /// The kind of its ops, a variant of `OpKind`.
    pub(super) fn op_kind(self) -> &'static str {
        match self {
            Family::Unary => "UnaryElementwise",
            Family::Binary => "BinaryElementwise",
            Family::Reduction => "Reduction",
        }
    }

    /// The trait that types implement to override it, and its method. The handler for run-time dispatch has the name of
    /// the method.
    pub(super) fn trait_and_method(self) -> (&'static str, &'static str) {
        match self {
            Family::Unary => ("UnaryElementwise", "unary"),
            Family::Binary => ("BinaryElementwise", "binary"),
            Family::Reduction => ("Reductions", "reduce"),
        }
    }

    /// The trait of its ops.
    pub(super) fn op_trait(self) -> &'static str {
        match self {
            Family::Unary => "UnaryOp",
            Family::Binary => "BinaryOp",
            Family::Reduction => "ReductionOp",
        }
    }

    /// The family that a misspelt name probably means.
    fn meant(name: &str) -> Option<Family> {
        let snake = |(i, c): (usize, char)| match c.is_uppercase() {
            true if i > 0 => format!("_{}", c.to_lowercase()),
            _ => c.to_lowercase().to_string(),
        };
        let name: String = name.chars().enumerate().map(snake).collect();
        let near = nearest(&name, FAMILIES.iter().map(|(n, _)| *n))?;
        FAMILIES.iter().find(|(n, _)| *n == near).map(|(_, f)| *f)
    }
}

impl Model {
    /// The type of the op of an override.
    pub(super) fn op(&self, o: &Override) -> TokenStream {
        if let Target::Op(Meaning::Row(row)) = &o.target {
            return type_of(row, &self.base, o.name.span());
        }
        let position = self.named_ops().position(|(named, _)| std::ptr::eq(named, o));
        match position {
            Some(i) => {
                let (private, alias) = (self.base.private(), alias(i));
                quote_spanned!(Span::mixed_site()=> <#alias as #private::Overridden>::Op)
            }
            None => o.name.to_token_stream(),
        }
    }

    /// The overrides whose op the runtime does not know by this name. Ops given by the path of a type are left out; ops
    /// given by a bare name, or by the path of a function, are listed.
    pub(super) fn named_ops(&self) -> impl Iterator<Item = (&Override, &Path)> {
        self.overrides.iter().filter_map(|o| match &o.target {
            Target::Op(Meaning::Path(path))
                if path.get_ident().is_some() || is_named_by_function(path) =>
            {
                Some((o, path))
            }
            _ => None,
        })
    }

    pub(super) fn new(block: &Block, base: Base, d: &mut Diagnostics) -> Self {
        let mut overrides = Vec::new();
        for item in &block.items {
            for attr in &item.overrides {
                let Some(parsed) = d.ok_or_report(Overrides::parse(attr)) else { continue };
                match &item.sig {
                    Some(sig) => overrides.extend(one(&block.self_ty, parsed, sig, d)),
                    None => d.severe(attr, "`#[overrides]` belongs on a function", ""),
                }
            }
        }
        let params = Parameters::new(&block.generics);
        let self_ty = block.self_ty.clone();
        Self { base, params, self_ty, overrides, supertypes: Vec::new(), stand_in: None }
    }

    /// The operators `&`, `|`, `^` and `!` that follow from overrides of an op which they call for some dtype.
    pub(super) fn forwards(&self) -> impl Iterator<Item = Forward<'_>> {
        let mut taken: Vec<(&str, Vec<OperandType>)> = Vec::new();
        for o in self.overrides.iter().filter(|o| matches!(o.target, Target::Op(_))) {
            let key = o.key();
            if let Some((operator, _)) = MEANS.iter().find(|(operator, _)| *operator == key) {
                taken.extend(o.combinations().into_iter().map(|kinds| (*operator, kinds)));
            }
        }
        MEANS
            .iter()
            .flat_map(|(operator, means)| {
                let by = self.overrides.iter().filter(move |o| o.key() == *means);
                by.filter_map(move |o| Some((o, known(operator)?)))
            })
            .filter_map(move |(by, to)| {
                let is_new = |kinds: &Vec<OperandType>| {
                    !taken.iter().any(|(n, k)| *n == to.name && k == kinds)
                };
                let kinds: Vec<_> = by.combinations().into_iter().filter(is_new).collect();
                taken.extend(kinds.iter().map(|kinds| (to.name, kinds.clone())));
                (!kinds.is_empty()).then_some(Forward { by, to, kinds })
            })
    }

    /// The function that converts the type to a tensor.
    pub(super) fn conversion(&self) -> Option<&Override> {
        self.overrides.iter().find(|o| matches!(o.target, Target::Conversion))
    }
}

/// An operator that takes its meaning from the override of another op.
pub(super) struct Forward<'a> {
    pub by: &'a Override,
    pub to: &'static Row,
    /// For these operands.
    pub kinds: Vec<Vec<OperandType>>,
}

/// True if the op is named by its function (`matmul`), not by its type (`MatMul`).
pub(super) fn is_named_by_function(path: &Path) -> bool {
    let last = path.segments.last().map(|s| s.ident.unraw().to_string());
    last.is_some_and(|name| name.starts_with(|c: char| c.is_lowercase()))
}

/// The local name for the op of an override.
pub(super) fn alias(i: usize) -> Ident {
    format_ident!("__ExtypeOp{i}", span = Span::mixed_site())
}

fn one(
    self_ty: &Type,
    parsed: Overrides,
    sig: &Signature,
    d: &mut Diagnostics,
) -> Option<Override> {
    let family_of = |target: &Target| matches!(target, Target::Family(_));
    let target = target(&parsed, self_ty, sig, d)?;
    let in_body = parsed.within.clone().filter(|name| name == "body");
    let within = match parsed.within.filter(|_| in_body.is_none()) {
        None => None,
        Some(name) => Some(family(&name, d)?),
    };
    let parts = parts(self_ty, &parsed.with, sig, family_of(&target));
    let result = result(&sig.output);
    let inner = result.filter(|ty| types::is_named(ty, "Option"));
    let inner = inner.and_then(|ty| types::type_arguments(ty).first().copied());
    let written = inner.or(result);
    let output =
        written.map(|ty| types::replace(ty.to_token_stream(), "Self", &self_ty.to_token_stream()));
    let function = sig.clone();
    Some(Override {
        target,
        within,
        in_body,
        with: parsed.with,
        function,
        parts,
        output,
        written: written.cloned(),
        declines: inner.is_some(),
        name: parsed.target,
        any: parsed.any,
    })
}

/// The target of a name: a family if it looks like one, otherwise an op, by the name of its type or function.
fn target(
    parsed: &Overrides,
    self_ty: &Type,
    sig: &Signature,
    d: &mut Diagnostics,
) -> Option<Target> {
    if let Name::Path(path) = &parsed.target
        && let Some(ident) = path.get_ident()
    {
        if ident == "to_tensor" {
            return Some(Target::Conversion);
        }
        if looks_like_a_family(&ident.to_string()) {
            return family(ident, d).map(Target::Family);
        }
    }
    let parts = parts(self_ty, &parsed.with, sig, false);
    let operands = parts.iter().map(Part::operands).sum();
    match parsed.target.meaning(operands) {
        Ok(meaning) => Some(Target::Op(meaning)),
        Err((text, help)) => {
            d.mild(&parsed.target, text, help);
            None
        }
    }
}

/// True for the name of a family, even misspelt. Names such as `reduce_sum` are ops.
fn looks_like_a_family(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_named = |(family, _): &(&str, Family)| distance(name, family) <= 2 || lower == *family;
    lower.contains("elementwise") || FAMILIES.iter().any(is_named)
}

fn family(name: &Ident, d: &mut Diagnostics) -> Option<Family> {
    let text = name.to_string();
    let found = Family::named(&text);
    if found.is_none() {
        let list = "families are `unary_elementwise`, `binary_elementwise` and `reduction`; ops have the names \
                    of their functions, as in `matmul`";
        let help = match Family::meant(&text) {
            Some(near) => format!("did you mean `{}`? {list}", near.name()),
            None => list.to_string(),
        };
        d.severe(name, format!("there is no family of ops `{text}`"), help);
    }
    found
}

fn result(output: &ReturnType) -> Option<&Type> {
    match output {
        ReturnType::Type(_, ty) if types::is_named(ty, "Result") => {
            types::type_arguments(ty).first().copied()
        }
        _ => None,
    }
}

/// The argument for each parameter. In the function of a family everything except operands is the op. In the function
/// of a single op the operands come first, and then its attributes.
fn parts(self_ty: &Type, with: &[Type], sig: &Signature, family: bool) -> Vec<Part> {
    let mut leading = true;
    let mut parts = Vec::new();
    for input in &sig.inputs {
        let part = match input {
            FnArg::Receiver(r) => match &r.kind {
                ReceiverKind::Reference(_, _, None) => Part::Operand(Operand::Own),
                ReceiverKind::Reference(..) => {
                    Part::Wrong(r.to_token_stream(), UNCHANGED, "write `&self`")
                }
                _ => Part::Wrong(r.to_token_stream(), BORROWED, "write `&self`"),
            },
            FnArg::Typed(typed) => {
                let ty = types::ungroup(&typed.ty);
                let by_ref = matches!(ty, Type::Reference(_));
                match (operand(self_ty, with, ty).filter(|_| leading), &*typed.pat) {
                    (Some(operand), _) => Part::Operand(operand),
                    (None, _) if is_mixing(ty) => {
                        Part::Wrong(ty.to_token_stream(), NEITHER, OPERANDS)
                    }
                    (None, _) if leading && is_changed(self_ty, ty) => {
                        Part::Wrong(ty.to_token_stream(), UNCHANGED, "write `&Self`")
                    }
                    (None, _) if family => Part::Op { by_ref },
                    (None, Pat::Ident(p)) if p.ident == "op" => Part::Op { by_ref },
                    (None, Pat::Ident(p)) => {
                        leading = false;
                        let (name, ty) = (attribute(&p.ident), ty.to_token_stream());
                        Part::Attribute { name, by_ref, ty }
                    }
                    (None, Pat::Wild(pat)) => Part::Wrong(
                        pat.to_token_stream(),
                        "an attribute of the op has no name here",
                        "write the name that it has in the op, with an underscore before it where it is not \
                         used: `_transpose_a: bool`",
                    ),
                    (None, pat) => Part::Wrong(pat.to_token_stream(), NEITHER, OPERANDS),
                }
            }
        };
        parts.push(part);
    }
    parts
}

const NEITHER: &str = "the parameter is neither an operand nor an attribute of the op";
const OPERANDS: &str = "operands are `x: &Self`, `y: &Tensor`, `xs: &[&Self]`, or both as `operands: Pair<'_, Self, Tensor>`; \
                        attributes have the names that they have in the op";
const UNCHANGED: &str = "an op leaves its operands as they are";
const BORROWED: &str = "the operands of an op are borrowed";

/// True for `&mut Self`.
fn is_changed(self_ty: &Type, ty: &Type) -> bool {
    matches!(ty, Type::Reference(r) if r.mutability.is_some() && is_own(self_ty, &r.elem))
}

/// The attribute for a parameter: a leading underscore marks an unused one and is removed.
fn attribute(parameter: &Ident) -> Ident {
    match parameter.to_string().strip_prefix('_') {
        Some(name) if !name.is_empty() => Ident::new(name, parameter.span()),
        _ => parameter.clone(),
    }
}

fn operand(self_ty: &Type, with: &[Type], ty: &Type) -> Option<Operand> {
    if let Some(other) = beside(self_ty, "Arg", ty) {
        return Some(Operand::Either(other));
    }
    if let Some(other) = beside(self_ty, "Pair", ty) {
        return Some(Operand::Pair(other));
    }
    let Type::Reference(reference) = ty else { return None };
    if reference.mutability.is_some() {
        return None;
    }
    match types::ungroup(&reference.elem) {
        own if is_own(self_ty, own) => Some(Operand::Own),
        Type::Slice(slice) => match types::ungroup(&slice.elem) {
            Type::Reference(r) if is_own(self_ty, &r.elem) => Some(Operand::Sequence),
            item => beside(self_ty, "Arg", item).map(Operand::Mixed),
        },
        other if types::is_named(other, "Tensor") || with.iter().any(|w| same(w, other)) => {
            Some(Operand::Other(other.clone()))
        }
        _ => None,
    }
}

/// True for an `Arg` or `Pair` of any types.
fn is_mixing(ty: &Type) -> bool {
    ["Arg", "Pair"].iter().any(|name| types::is_named(ty, name))
}

/// `Tensor` in `Arg<'_, Self, Tensor>`, where `name` is that of the enum.
fn beside(self_ty: &Type, name: &str, ty: &Type) -> Option<Type> {
    if !types::is_named(ty, name) {
        return None;
    }
    match &types::type_arguments(ty)[..] {
        [own, other] if is_own(self_ty, own) => Some((*other).clone()),
        _ => None,
    }
}

fn is_own(self_ty: &Type, ty: &Type) -> bool {
    types::is_named(ty, "Self") || same(self_ty, ty)
}

/// True if both types have the same tokens.
pub(super) fn same(a: &Type, b: &Type) -> bool {
    let text = |t: &Type| types::ungroup(t).to_token_stream().to_string();
    text(a) == text(b)
}

impl Override {
    /// True if the op of a family's function is bounded by `KeepsDType`: `op: impl UnaryOp + KeepsDType`.
    pub(super) fn keeps_dtype(&self) -> bool {
        let keeps = |bounds: &Punctuated<TypeParamBound, Token![+]>| {
            bounds.iter().any(|bound| match bound {
                TypeParamBound::Trait(bound) => {
                    bound.path.segments.last().is_some_and(|s| s.ident == "KeepsDType")
                }
                _ => false,
            })
        };
        let inputs = self.function.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(types::value(&typed.ty)),
            FnArg::Receiver(_) => None,
        });
        let params = self.function.generics.type_params();
        inputs.into_iter().any(|ty| matches!(ty, Type::ImplTrait(ty) if keeps(&ty.bounds)))
            || params.into_iter().any(|param| keeps(&param.bounds))
    }

    pub(super) fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.parts.iter().filter_map(|p| match p {
            Part::Operand(operand) => Some(operand),
            _ => None,
        })
    }

    /// Identifies the op, however it is named.
    pub(super) fn key(&self) -> String {
        match &self.target {
            Target::Op(Meaning::Row(row)) => row.name.to_owned(),
            Target::Op(Meaning::Path(path)) => {
                let text = path.to_token_stream().to_string().replace(' ', "");
                let name = ["ops::", "extype::ops::", "::extype::ops::"]
                    .iter()
                    .find_map(|of| known(text.strip_prefix(of)?));
                name.map_or(text, |row| row.name.to_owned())
            }
            Target::Family(_) | Target::Conversion => self.name.text(),
        }
    }

    /// The family of an op of the runtime, however the op is named.
    pub(super) fn family(&self) -> Option<Family> {
        matches!(self.target, Target::Op(_)).then(|| known(&self.key())).flatten()?.family
    }

    /// The number of operands that the function takes.
    pub(super) fn operand_count(&self) -> usize {
        self.parts.iter().map(Part::operands).sum()
    }

    /// The combinations of operand types, each with at least one of the block's own type.
    pub(super) fn combinations(&self) -> Vec<Vec<OperandType>> {
        let mut all: Vec<Vec<OperandType>> = vec![Vec::new()];
        for operand in self.operands() {
            let kinds = operand.kinds();
            all = all
                .into_iter()
                .flat_map(|head| kinds.iter().map(move |k| [&head[..], k].concat()))
                .collect();
        }
        all.retain(|kinds| kinds.iter().any(|k| !matches!(k, OperandType::Other(_))));
        all
    }
}
