//! Judgements about code by its tokens alone: which expressions can't be tensors, which can't hold a mutable reference.
//!
//! Code is *plain* if it can't evaluate to a tensor, whatever the types of its parts are. A value is *owned* here if it
//! is no `&mut` and holds none; shared references count as owned. The branches of a graph can carry owned variables
//! only. The answers are cautious: `true` is certain, `false` means "not known".

use proc_macro2::Ident;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprBreak, GenericArgument, Lit, PathArguments, Stmt, Type, UnOp};

use super::names::{Code, Names, Write, assigns, declared_within, words, written};
use crate::shared::types;

/// Types that are no tensors and hold none. They have no type parameters.
const PLAIN_TYPES: &[&str] = &[
    "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "f32", "f64", "String", "str", "Duration", "Instant", "DType", "Shape",
];

/// Types that hold values of their type arguments, and nothing else.
const CONTAINERS: &[&str] = &["Vec", "Option", "Box", "HashSet", "BTreeSet", "HashMap", "BTreeMap"];

/// Methods whose result is plain on every type that has them.
const PLAIN_METHODS: &[&str] = &[
    "len",
    "is_empty",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "starts_with",
    "ends_with",
    "is_symbolic",
    "capacity",
    "contains_key",
    "is_some_and",
    "is_none_or",
];

/// Methods that return Rust iterators. Tensors have two methods of these names, `split` and `take`, but they return a
/// `Result`, which is no tensor either.
const ITERATORS: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "enumerate",
    "zip",
    "map",
    "filter",
    "filter_map",
    "flat_map",
    "chars",
    "bytes",
    "lines",
    "split",
    "split_whitespace",
    "windows",
    "chunks",
    "chunks_exact",
    "keys",
    "values",
    "values_mut",
    "drain",
    "rev",
    "skip",
    "take",
    "step_by",
    "cloned",
    "copied",
    "chain",
    "peekable",
    "take_while",
    "skip_while",
    "char_indices",
    "into_keys",
    "into_values",
];

/// True for types that certainly hold no tensors: numbers, texts, and containers of these.
pub(super) fn plain_type(ty: &Type) -> bool {
    made_of(ty, &|ty| match ty {
        Type::Reference(r) => plain_type(&r.elem),
        _ => named(ty, PLAIN_TYPES),
    })
}

/// True for types that certainly hold no mutable reference.
pub(super) fn owned_type(ty: &Type) -> bool {
    made_of(ty, &|ty| match ty {
        Type::Reference(r) => r.mutability.is_none(),
        _ => named(ty, PLAIN_TYPES) || named(ty, &["Tensor", "Self"]),
    })
}

/// True for types that `accepts` is true of, and for containers, arrays, slices and tuples of such types.
fn made_of(ty: &Type, accepts: &dyn Fn(&Type) -> bool) -> bool {
    let ty = types::ungroup(ty);
    if accepts(ty) {
        return true;
    }
    let of = |ty: &Type| made_of(ty, accepts);
    match ty {
        Type::Slice(s) => of(&s.elem),
        Type::Array(a) => of(&a.elem),
        Type::Paren(p) => of(&p.elem),
        Type::Tuple(t) => t.elems.iter().all(of),
        Type::Path(p) => p.path.segments.last().is_some_and(|last| match &last.arguments {
            PathArguments::AngleBracketed(a) => {
                CONTAINERS.iter().any(|c| last.ident == c)
                    && a.args.iter().all(|a| matches!(a, GenericArgument::Type(t) if of(t)))
            }
            _ => false,
        }),
        _ => false,
    }
}

/// True for a type with one of these names and no type arguments.
fn named(ty: &Type, names: &[&str]) -> bool {
    match ty {
        Type::Path(p) => p
            .path
            .segments
            .last()
            .is_some_and(|s| s.arguments.is_empty() && names.iter().any(|name| s.ident == name)),
        _ => false,
    }
}

/// True for the primitive types, which are copied. Their names start in lower case, unlike those of other types.
pub(super) fn copied_type(ty: &Type) -> bool {
    match ty {
        Type::Path(p) => p.path.segments.last().is_some_and(|s| {
            s.arguments.is_empty() && s.ident.to_string().starts_with(char::is_lowercase)
        }),
        _ => false,
    }
}

/// True for lists. A `for` over a list is a plain Rust loop, even if the elements are tensors.
pub(super) fn list_type(ty: &Type) -> bool {
    match types::ungroup(ty) {
        Type::Reference(r) => list_type(&r.elem),
        Type::Slice(_) | Type::Array(_) => true,
        Type::Path(p) => {
            p.path.segments.last().is_some_and(|s| CONTAINERS.iter().any(|c| s.ident == c))
        }
        _ => false,
    }
}

/// What is known about variables, by their names. The answers are cautious here too.
pub(super) trait Known {
    /// True if the variable holds no tensor.
    fn is_plain(&self, name: &str) -> bool;
    /// True if the variable is a list, as in [`list_type`].
    fn is_list(&self, name: &str) -> bool;
    /// True if the variable certainly is no mutable reference and holds none.
    fn is_owned(&self, name: &str) -> bool;
    /// True if the variable may be declared `mut` or be a `&mut`, so that code can borrow it mutably.
    fn is_mutable(&self, name: &str) -> bool;
}

/// Methods whose result is owned, whatever the receiver is.
const OWNING: &[&str] = &[
    "as_ref",
    "as_slice",
    "as_str",
    "cast",
    "chars",
    "clone",
    "cloned",
    "copied",
    "count",
    "first",
    "get",
    "iter",
    "keys",
    "len",
    "parse",
    "product",
    "reshape",
    "sum",
    "to_owned",
    "to_string",
    "to_vec",
    "unwrap_or_default",
    "values",
];

/// Methods of the standard library that consume their receiver.
const CONSUMING: &[&str] = &[
    "and_then",
    "chain",
    "collect",
    "enumerate",
    "expect",
    "filter",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "into",
    "map",
    "map_err",
    "map_or",
    "map_or_else",
    "ok",
    "ok_or",
    "ok_or_else",
    "or",
    "or_else",
    "product",
    "rev",
    "skip",
    "step_by",
    "sum",
    "take",
    "take_while",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "zip",
];

/// Methods that remove a part of their receiver, such as an element, and return it.
pub(super) const TAKING: &[&str] = &[
    "next",
    "next_back",
    "nth",
    "pop",
    "pop_back",
    "pop_first",
    "pop_front",
    "pop_last",
    "recv",
    "remove",
    "swap_remove",
    "take",
    "try_recv",
];

/// Macros of the standard library whose result is plain.
const PLAIN_MACROS: &[&str] = &["matches", "cfg", "format", "concat", "stringify"];

/// True for methods that only read their receiver, whatever it is.
pub(super) fn reads(method: &Ident) -> bool {
    method == "clone" || PLAIN_METHODS.iter().any(|m| method == m)
}

/// True for methods that only borrow their receiver, whatever it is. The lists of methods with a known result serve
/// here again. Some of these methods consume the receiver, so [`CONSUMING`] is subtracted.
pub(super) fn borrows(method: &Ident) -> bool {
    let name = method.to_string();
    let listed = |list: &[&str]| list.contains(&name.as_str());
    let borrowing =
        crate::dispatch::is_method_of_tensors(&name) || listed(OWNING) || listed(PLAIN_METHODS);
    borrowing && !listed(CONSUMING) && !name.starts_with("into")
}

/// True if the value of the expression certainly is no mutable reference and holds none.
pub(super) fn owned(e: &Expr, known: &dyn Known) -> bool {
    let owned = |e: &Expr| owned(e, known);
    match e {
        Expr::Lit(_)
        | Expr::Cast(_)
        | Expr::Binary(_)
        | Expr::Index(_)
        | Expr::Range(_)
        | Expr::Repeat(_) => true,
        Expr::Closure(_) => owned_closure(e, known),
        Expr::Macro(m) => owned_macro(&m.mac, known),
        // `*b` may move a `&mut` out of a `Box`. Nothing moves out of `v[i]` (`Index` above): its value is a copy.
        Expr::Unary(u) => !matches!(u.op, UnOp::Deref(_)),
        Expr::Reference(r) => r.mutability.is_none(),
        Expr::Path(p) => p.path.get_ident().is_none_or(|i| known.is_owned(&i.to_string())),
        Expr::Field(f) => owned(&f.base),
        Expr::Paren(p) => owned(&p.expr),
        Expr::Group(g) => owned(&g.expr),
        Expr::Try(t) => owned(&t.expr),
        Expr::Tuple(t) => t.elems.iter().all(owned),
        Expr::Array(a) => a.elems.iter().all(owned),
        Expr::Struct(s) => {
            s.fields.iter().all(|f| owned(&f.expr)) && s.rest.as_deref().is_none_or(owned)
        }
        Expr::If(i) => {
            let within = Within::of(Code::Expr(e), known);
            owned_end(&i.then_branch, &within)
                && i.else_branch.as_ref().is_none_or(|(_, other)| self::owned(other, &within))
        }
        Expr::Match(m) => {
            let within = Within::of(Code::Expr(e), known);
            m.arms.iter().all(|arm| self::owned(&arm.body, &within))
        }
        Expr::Block(b) => {
            owned_end(&b.block, known) && (b.label.is_none() || owned_breaks(&b.block, known))
        }
        Expr::Unsafe(b) => owned_end(&b.block, known),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Loop(l) => owned_breaks(&l.body, known),
        Expr::While(_) | Expr::ForLoop(_) => true,
        // `mem::take(&mut x)` returns the old value of `x`: judge `x`, not the `&mut`.
        Expr::Call(c) if of_memory(&c.func) => c.args.iter().all(|e| owned(referred(e))),
        Expr::Call(c) => owned(&c.func) && c.args.iter().all(owned),
        Expr::MethodCall(m) => {
            // A method that is not listed may return an argument, or borrow a mutable receiver and return that borrow.
            // A method that moves values out of the receiver returns no such borrow.
            let moves =
                || m.method == "drain" || CONSUMING.iter().chain(TAKING).any(|n| m.method == n);
            OWNING.iter().any(|n| m.method == n)
                || (!hands_out(&m.method)
                    && owned(&m.receiver)
                    && (moves() || !lends(&m.receiver, known))
                    && m.args.iter().all(owned))
        }
        _ => false,
    }
}

/// [`owned`] for a closure. It must capture no mutable reference. It must also write no captured variable, since it
/// would hold a `&mut` to that variable.
fn owned_closure(closure: &Expr, known: &dyn Known) -> bool {
    let writes = written([Code::Expr(closure)]);
    let mut writes = writes.iter().filter(|(_, found)| {
        found.iter().any(|(how, _)| matches!(how, Write::Whole | Write::Part | Write::Through))
    });
    let inner = declared_within(Code::Expr(closure));
    let may_hold = |name: &String| !inner.contains(name) && !known.is_owned(name);
    !words(closure).iter().any(may_hold) && !writes.any(|(name, _)| known.is_mutable(name))
}

/// True for `std::mem::{take, replace, swap}`. They move values behind their `&mut` arguments, and keep and return none
/// of these references.
pub(super) fn of_memory(function: &Expr) -> bool {
    let Expr::Path(function) = function else { return false };
    let mut segments = function.path.segments.iter().rev();
    let is_listed =
        |name: &syn::PathSegment| ["take", "replace", "swap"].iter().any(|n| name.ident == n);
    segments.next().is_some_and(is_listed)
        && segments.next().is_some_and(|module| module.ident == "mem")
}

/// The place `x` for `&mut x`. Any other expression is returned as it is.
pub(super) fn referred(e: &Expr) -> &Expr {
    match e {
        Expr::Reference(r) if r.mutability.is_some() => &r.expr,
        e => e,
    }
}

/// [`owned`] for a macro. `vec!` is judged by its elements. An unknown macro may return any variable that it names, so
/// all of them must be owned.
fn owned_macro(mac: &syn::Macro, known: &dyn Known) -> bool {
    match arguments(mac) {
        _ if words(&mac.tokens).contains("mut") => false,
        Some(parts) if mac.path.is_ident("vec") => parts.iter().all(|e| owned(e, known)),
        _ if PLAIN_MACROS.iter().any(|n| mac.path.is_ident(n)) => true,
        _ => words(&mac.tokens).iter().all(|name| known.is_owned(name)),
    }
}

/// The arguments of a macro, if they are expressions between commas as in a function call.
fn arguments(mac: &syn::Macro) -> Option<Punctuated<Expr, syn::Token![,]>> {
    Punctuated::parse_terminated.parse2(mac.tokens.clone()).ok()
}

/// [`owned`] for the values that `break`s give to a loop or a labelled block. `break`s of inner loops are judged too.
fn owned_breaks(body: &Block, known: &dyn Known) -> bool {
    struct Finder<'a> {
        within: Within<'a>,
        all_owned: bool,
    }
    impl<'ast> Visit<'ast> for Finder<'_> {
        fn visit_expr_break(&mut self, b: &'ast ExprBreak) {
            self.all_owned &= b.expr.as_ref().is_none_or(|e| owned(e, &self.within));
            visit::visit_expr_break(self, b);
        }
    }
    let mut finder = Finder { within: Within::of(Code::Block(body), known), all_owned: true };
    finder.visit_block(body);
    finder.all_owned
}

/// True for methods that return mutable references, or lock guards, which act as such.
fn hands_out(method: &Ident) -> bool {
    let name = method.to_string();
    name.ends_with("_mut") || ["lock", "try_lock", "write", "try_write"].contains(&&*name)
}

/// [`owned`] for the value of a block: that of its last expression, or `()`.
fn owned_end(block: &Block, known: &dyn Known) -> bool {
    let within = Within::of(Code::Block(block), known);
    match block.stmts.last() {
        Some(Stmt::Expr(e, None)) => owned(e, &within),
        Some(Stmt::Macro(m)) if m.semi_token.is_none() => owned_macro(&m.mac, &within),
        _ => true,
    }
}

/// What is known inside code that declares variables of its own. These are not in `outer` yet, so nothing is known of
/// them: they may hold a `&mut` and be mutable. They also shadow outer variables of the same name.
struct Within<'a> {
    outer: &'a dyn Known,
    declared: Names,
}

impl<'a> Within<'a> {
    fn of(code: Code<'_>, outer: &'a dyn Known) -> Self {
        Self { outer, declared: declared_within(code) }
    }
}

impl Known for Within<'_> {
    fn is_plain(&self, name: &str) -> bool {
        !self.declared.contains(name) && self.outer.is_plain(name)
    }

    fn is_list(&self, name: &str) -> bool {
        !self.declared.contains(name) && self.outer.is_list(name)
    }

    fn is_owned(&self, name: &str) -> bool {
        !self.declared.contains(name) && self.outer.is_owned(name)
    }

    fn is_mutable(&self, name: &str) -> bool {
        self.declared.contains(name) || self.outer.is_mutable(name)
    }
}

/// True if `accepts` is true of all ends of the expression. The *ends* are the expressions that its value comes from:
/// the last expression of each branch and block, and each element of a list or tuple.
pub(super) fn all_ends(e: &Expr, accepts: &dyn Fn(&Expr) -> bool) -> bool {
    let of_block = |block: &Block| match block.stmts.last() {
        Some(Stmt::Expr(e, None)) => all_ends(e, accepts),
        Some(Stmt::Macro(m)) => m.semi_token.is_some(),
        _ => true,
    };
    let of_all = |mut all: &mut dyn Iterator<Item = &Expr>| {
        Iterator::all(&mut all, |e| all_ends(e, accepts))
    };
    match e {
        Expr::If(i) => {
            let other = i.else_branch.as_ref().is_none_or(|(_, other)| all_ends(other, accepts));
            of_block(&i.then_branch) && other
        }
        Expr::Match(m) => of_all(&mut m.arms.iter().map(|arm| &*arm.body)),
        Expr::Block(b) if b.label.is_none() => of_block(&b.block),
        Expr::Unsafe(b) => of_block(&b.block),
        Expr::Paren(p) => all_ends(&p.expr, accepts),
        Expr::Group(g) => all_ends(&g.expr, accepts),
        Expr::Tuple(t) => of_all(&mut t.elems.iter()),
        Expr::Array(a) => of_all(&mut a.elems.iter()),
        Expr::Macro(m) if m.mac.path.is_ident("vec") => match arguments(&m.mac) {
            Some(elements) => of_all(&mut elements.iter()),
            None => accepts(e),
        },
        _ => accepts(e),
    }
}

/// True for a place from which a call may get a `&mut`: a mutable variable, one that may hold a `&mut`, or a field or
/// an element of such a variable.
pub(super) fn lends(e: &Expr, known: &dyn Known) -> bool {
    match e {
        Expr::Path(p) => p.path.get_ident().is_some_and(|i| {
            let name = i.to_string();
            known.is_mutable(&name) || !known.is_owned(&name)
        }),
        Expr::Field(f) => lends(&f.base, known),
        Expr::Index(i) => lends(&i.expr, known),
        Expr::Paren(p) => lends(&p.expr, known),
        _ => false,
    }
}

/// True if the expression certainly can't evaluate to a tensor.
pub(super) fn plain(e: &Expr, known: &dyn Known) -> bool {
    let plain = |e: &Expr| plain(e, known);
    match e {
        Expr::Lit(_) | Expr::Cast(_) => true,
        Expr::Let(_) => false,
        Expr::Paren(e) => plain(&e.expr),
        Expr::Group(e) => plain(&e.expr),
        Expr::Reference(e) => plain(&e.expr),
        Expr::Unary(e) => match e.op {
            UnOp::Not(_) | UnOp::Neg(_) | UnOp::Deref(_) => plain(&e.expr),
            _ => false,
        },
        Expr::Binary(e) => !assigns(&e.op) && plain(&e.left) && plain(&e.right),
        Expr::Path(p) => {
            constant(&p.path) || p.path.get_ident().is_some_and(|i| known.is_plain(&i.to_string()))
        }
        Expr::Index(e) => plain(&e.expr) && plain(&e.index),
        Expr::Array(e) => e.elems.iter().all(plain),
        Expr::Tuple(e) => e.elems.iter().all(plain),
        Expr::Range(e) => [&e.start, &e.end].into_iter().flatten().all(|e| plain(e)),
        Expr::MethodCall(e) => PLAIN_METHODS.iter().any(|m| e.method == m),
        Expr::Macro(m) => PLAIN_MACROS.iter().any(|n| m.mac.path.is_ident(n)),
        _ => false,
    }
}

/// True for a path that is written like a constant: `MAX`, `i64::MAX`. No constant is a tensor.
fn constant(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| {
        let name = s.ident.to_string();
        name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
    })
}

/// True if a `for` over the expression certainly is a plain Rust loop. Its items may be tensors.
pub(super) fn plain_iterator(e: &Expr, known: &dyn Known) -> bool {
    match e {
        Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Paren(e) => plain_iterator(&e.expr, known),
        Expr::Reference(e) => plain_iterator(&e.expr, known),
        Expr::MethodCall(e) => {
            // `(a..b).rev()` gives no Rust iterator if `a` or `b` is a tensor.
            ITERATORS.iter().any(|m| e.method == m) && !unknown_range(&e.receiver, known)
        }
        Expr::Path(p) => p.path.get_ident().is_some_and(|i| known.is_list(&i.to_string())),
        Expr::Macro(m) => m.mac.path.is_ident("vec"),
        _ => plain(e, known),
    }
}

/// True for a range whose ends may be tensors, and for method calls on such a range.
fn unknown_range(e: &Expr, known: &dyn Known) -> bool {
    match e {
        Expr::Paren(e) => unknown_range(&e.expr, known),
        Expr::MethodCall(e) => unknown_range(&e.receiver, known),
        Expr::Range(_) => !plain(e, known),
        _ => false,
    }
}

/// True for a literal number, with or without a sign, or a literal bool.
pub(super) fn number(e: &Expr) -> bool {
    match e {
        Expr::Lit(l) => matches!(l.lit, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_)),
        Expr::Unary(u) => matches!(u.op, UnOp::Neg(_)) && number(&u.expr),
        Expr::Paren(p) => number(&p.expr),
        _ => false,
    }
}
