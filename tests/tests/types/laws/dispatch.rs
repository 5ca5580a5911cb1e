//! Run-time dispatch against the rule written down naively.

use std::cell::RefCell;
use std::sync::OnceLock;

use extype::array::Array;
use extype::ir::{
    ArgDef, ArgType, Attrs, InferFn, Kernel, KernelContext, OpDef, OpKind, Outputs, Types,
    register_op,
};
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch::{
    self, Call, DispatchEntry, Operands, Target, TypeRef, declare_subtype, register_conversion,
    register_handler,
};
use extype::types::TensorType;
use proptest::prelude::*;

macro_rules! types {
    ($($t:ident = $i:literal),*) => {
        $(#[derive(ExtensionType, Clone, Debug)]
        struct $t {
            x: Tensor,
        })*

        fn type_refs() -> Vec<TypeRef> {
            vec![$(TypeRef::of::<$t>()),*]
        }

        fn handlers() -> Vec<dispatch::Handler> {
            vec![$(handler::<$i>),*]
        }

        fn value(i: usize) -> AnyValue {
            match i {
                $($i => AnyValue::new($t { x: Tensor::scalar($i as i32) }),)*
                _ => AnyValue::from(Tensor::scalar(-1i32)),
            }
        }
    };
}
types!(T0 = 0, T1 = 1, T2 = 2, T3 = 3, T4 = 4, T5 = 5, T6 = 6, T7 = 7, T8 = 8, T9 = 9);

const TYPES: usize = 10;
const OPS: usize = 24;

/// What was declared: subtype and supertype. It holds a chain, a diamond, and types apart.
const SUBTYPES: &[(usize, usize)] =
    &[(1, 0), (2, 1), (4, 3), (5, 3), (6, 4), (6, 5), (7, 0), (7, 3)];

/// The types that convert to tensors.
const CONVERTED: &[usize] = &[0, 2, 5, 8];

fn is_subtype(a: usize, b: usize) -> bool {
    SUBTYPES.iter().any(|(sub, sup)| *sub == a && (*sup == b || is_subtype(*sup, b)))
}

/// The handler of a type for an op: the types it takes, where `TYPES` is a tensor.
fn accepted(op: usize, t: usize, family: bool) -> Option<Vec<usize>> {
    // Any mixture of many and few, the same in every run.
    let mix =
        (op * 7919 + t * 104_729 + usize::from(family) * 15_485_863).wrapping_mul(0x9E37_79B9);
    if mix >> 7 & 3 == 0 {
        return None;
    }
    let bits = if mix >> 9 & 1 == 0 { usize::MAX } else { mix >> 11 };
    Some((0..=TYPES).filter(|i| *i == t || bits >> i & 1 == 1).collect())
}

thread_local! {
    /// Which handlers decline: a bit a type, those of single ops and of families.
    static DECLINES: RefCell<[usize; 2]> = const { RefCell::new([0, 0]) };
    static ASKED: RefCell<Vec<(usize, bool)>> = const { RefCell::new(Vec::new()) };
}

fn family_of(op: usize) -> OpKind {
    [OpKind::UnaryElementwise, OpKind::BinaryElementwise][op % 2]
}

fn handler<const N: usize>(call: &Call<'_>) -> Result<Option<AnyValue>> {
    answer(N, false, call)
}

fn family_handler<const N: usize>(call: &Call<'_>) -> Result<Option<AnyValue>> {
    answer(N, true, call)
}

fn answer(t: usize, family: bool, _: &Call<'_>) -> Result<Option<AnyValue>> {
    ASKED.with_borrow_mut(|asked| asked.push((t, family)));
    let declines = DECLINES.with_borrow(|d| d[usize::from(family)] >> t & 1 == 1);
    let answer = 100 + t as i32 + if family { 100 } else { 0 };
    Ok((!declines).then(|| AnyValue::from(Tensor::scalar(answer))))
}

fn family_handlers() -> Vec<dispatch::Handler> {
    vec![
        family_handler::<0>,
        family_handler::<1>,
        family_handler::<2>,
        family_handler::<3>,
        family_handler::<4>,
        family_handler::<5>,
        family_handler::<6>,
        family_handler::<7>,
        family_handler::<8>,
        family_handler::<9>,
    ]
}

/// The original op counts its inputs.
fn count(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([Array::scalar(c.inputs.len() as i32)].into_iter().collect())
}

fn declare_all() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| declared().expect("all that is declared is accepted"))
}

fn declared() -> Result<Vec<&'static str>> {
    declare_subtype::<T1, T0>()?;
    declare_subtype::<T2, T1>()?;
    declare_subtype::<T4, T3>()?;
    declare_subtype::<T5, T3>()?;
    // The other way round than above: what follows from the new pair is found too.
    declare_subtype::<T6, T5>()?;
    declare_subtype::<T6, T4>()?;
    declare_subtype::<T7, T0>()?;
    declare_subtype::<T7, T3>()?;
    register_conversion(|t: &T0| Ok(t.x.clone()))?;
    register_conversion(|t: &T2| Ok(t.x.clone()))?;
    register_conversion(|t: &T5| Ok(t.x.clone()))?;
    register_conversion(|t: &T8| Ok(t.x.clone()))?;
    let refs = type_refs();
    let list = |accepted: Vec<usize>| -> &'static [TypeRef] {
        let one = |i: usize| refs.get(i).copied().unwrap_or(TypeRef::of::<Tensor>());
        Vec::leak(accepted.into_iter().map(one).collect())
    };
    // A family is that of its first op here.
    for (op, kind) in [0, 1].map(|op| (op, family_of(op))) {
        for (t, owner) in refs.iter().copied().enumerate() {
            if let Some(types) = accepted(op, t, true) {
                let operands = Operands::Sequence(list(types));
                let handler = family_handlers()[t];
                register_handler(DispatchEntry {
                    owner,
                    target: Target::Family(kind),
                    operands,
                    handler,
                })?;
            }
        }
    }
    let names: Vec<&'static str> = (0..OPS).map(|i| &*format!("Law{i}").leak()).collect();
    NAME.set(names.clone()).expect("set once");
    for (op, name) in names.iter().enumerate() {
        let infer: InferFn =
            |_| Ok(Types::from_iter([TensorType::new(DType::I32, Shape::scalar())]));
        let def = OpDef::new(name, name, infer, Kernel::General(count))
            .with_inputs(const { &[ArgDef::each("xs", "T")] })
            .with_outputs(const { &[ArgDef::one("y", ArgType::Fixed(DType::I32))] })
            .with_kind(family_of(op));
        register_op(Box::leak(Box::new(def)))?;
        for (t, owner) in refs.iter().copied().enumerate() {
            if let Some(types) = accepted(op, t, false) {
                let operands = Operands::Sequence(list(types));
                let handler = handlers()[t];
                let target = Target::Op(names_of()[op]);
                register_handler(DispatchEntry { owner, target, operands, handler })?;
            }
        }
    }
    Ok(names)
}

static NAME: OnceLock<Vec<&'static str>> = OnceLock::new();

fn name_of<const I: usize>() -> &'static str {
    NAME.get().map_or("", |names| names[I])
}

macro_rules! names_of {
    ($($i:literal)*) => {
        fn names_of() -> [fn() -> &'static str; OPS] {
            [$(name_of::<$i>),*]
        }
    };
}
names_of!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);

/// The rule as one would tell it: the types from left to right, each once, and before a type come
/// its subtypes.
fn order(operands: &[usize]) -> Vec<usize> {
    fn visit(t: usize, all: &[usize], out: &mut Vec<usize>) {
        if t == TYPES || out.contains(&t) {
            return;
        }
        for sub in all.iter().filter(|s| is_subtype(**s, t)) {
            visit(*sub, all, out);
        }
        out.push(t);
    }
    let mut out = Vec::new();
    operands.iter().for_each(|t| visit(*t, operands, &mut out));
    out
}

/// Who is asked, and what comes out: a number, or an error.
fn expected(
    op: usize,
    operands: &[usize],
    declines: [usize; 2],
) -> (Vec<(usize, bool)>, Option<i32>) {
    let mut asked = Vec::new();
    for t in order(operands) {
        for family in [false, true] {
            let of = if family { op % 2 } else { op };
            let takes =
                accepted(of, t, family).is_some_and(|a| operands.iter().all(|o| a.contains(o)));
            if !takes {
                continue;
            }
            asked.push((t, family));
            if declines[usize::from(family)] >> t & 1 == 0 {
                return (asked, Some(100 + t as i32 + if family { 100 } else { 0 }));
            }
        }
    }
    let converts = operands.iter().all(|o| *o == TYPES || CONVERTED.contains(o));
    (asked, converts.then_some(operands.len() as i32))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn types_are_asked_in_the_order_of_the_rule(
        op in 0..OPS,
        operands in proptest::collection::vec(0..=TYPES, 1..7),
        // Many decline, so that many are asked.
        few in any::<[u16; 2]>(),
        more in any::<[u16; 2]>(),
    ) {
        let names = declare_all();
        let declines = [0, 1].map(|i| usize::from(few[i] | more[i]));
        DECLINES.set(declines);
        ASKED.take();
        let args: Vec<AnyValue> = operands.iter().map(|o| value(*o)).collect();
        let got = dispatch::call(names[op], &args, &Attrs::new());
        let got = got.and_then(|v| v.downcast::<Tensor>()?.item::<i32>()).ok();
        prop_assert_eq!((ASKED.take(), got), expected(op, &operands, declines));
    }
}
