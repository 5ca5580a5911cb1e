//! Operands of two types: pairs, and sequences with tensors in them.

use extype::ir::Attrs;
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::spec::dispatch;

/// Says which operands its handlers got.
#[derive(ExtensionType, Clone, Debug)]
struct Seen {
    x: Tensor,
}

fn word(x: &ops::Arg<'_, Seen, Tensor>) -> &'static str {
    match x {
        ops::Arg::This(_) => "seen",
        ops::Arg::Other(_) => "tensor",
    }
}

#[dispatch]
impl Seen {
    #[overrides(to_tensor)]
    fn to_tensor(&self) -> Result<Tensor> {
        Ok(self.x.clone())
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Tensor> {
        let pair = match operands {
            Pair::Both(..) => "both",
            Pair::Left(_, y) => return format!("left {}", y.dtype()).to_tensor(),
            Pair::Right(x, _) => return format!("right {}", x.dtype()).to_tensor(),
        };
        format!("{pair} {}", op.def().name).to_tensor()
    }

    /// A single op, and one of three operands: the last two are the pair.
    #[overrides(MatMul, with = Tensor, ..)]
    fn matmul(operands: Pair<'_, Self, Tensor>, transpose_a: bool) -> Result<Tensor> {
        let (x, y) = operands.split();
        format!("{} {} {transpose_a}", word(&x), word(&y)).to_tensor()
    }

    #[overrides(Select, with = Tensor)]
    fn select(_condition: &Tensor, branches: Pair<'_, Self, Tensor>) -> Result<Tensor> {
        let (t, e) = branches.split();
        format!("{} {}", word(&t), word(&e)).to_tensor()
    }

    #[overrides(Concat, with = Tensor)]
    fn concat(xs: &[ops::Arg<'_, Self, Tensor>], axis: Axis) -> Result<Tensor> {
        let words: Vec<&str> = xs.iter().map(word).collect();
        format!("{} {}", words.join(" "), axis.0).to_tensor()
    }

    /// Takes no more than two; others are stacked as tensors.
    #[overrides(Stack, with = Tensor, ..)]
    fn stack(xs: &[ops::Arg<'_, Self, Tensor>]) -> Result<Option<Tensor>> {
        let words: Vec<&str> = xs.iter().map(word).collect();
        match xs.len() {
            0..=2 => words.join(" ").to_tensor().map(Some),
            _ => Ok(None),
        }
    }
}

fn seen() -> Seen {
    Seen { x: tensor![1i32, 2] }
}

fn text(x: &Tensor) -> String {
    x.to_string().split('"').nth(1).unwrap_or_default().to_string()
}

#[test]
fn a_pair_is_one_of_three() -> Result<()> {
    let (s, t) = (seen(), tensor![1.0f32]);
    assert_eq!(text(&(&s - &s)), "both Sub");
    assert_eq!(text(&(&s - 1.0)), "left float64");
    assert_eq!(text(&(1i64 - &s)), "right int64");
    assert_eq!(text(&ops::sub(&t, &s)?), "right float32");
    assert_eq!(text(&ops::matmul(&s, &t)?), "seen tensor false");
    assert_eq!(text(&ops::matmul(&t, &s)?), "tensor seen false");
    assert_eq!(text(&ops::matmul(&s, &s)?), "seen seen false");
    assert_eq!(text(&ops::select(true, &s, &t)?), "seen tensor");
    assert_eq!(text(&ops::select(scalar(true), &t, &s)?), "tensor seen");
    Ok(())
}

#[test]
fn a_mixed_sequence_is_a_tuple() -> Result<()> {
    let (s, t) = (seen(), tensor![1i32]);
    assert_eq!(text(&ops::concat((&t, &s, &t), 0)?), "tensor seen tensor 0");
    assert_eq!(
        text(&ops::concat((s.clone(), [1, 2], t.clone(), &s), 1)?),
        "seen tensor tensor seen 1"
    );
    assert_eq!(
        text(&ops::concat((&t, &t, &t, &t, &t, &t, &t, &s), 0)?).matches("tensor").count(),
        7
    );
    assert_eq!(text(&ops::stack((&t, &s), 0)?), "tensor seen");
    // One type alone: any sequence.
    assert_eq!(text(&ops::concat(&[&s, &s], 0)?), "seen seen 0");
    assert_eq!(text(&ops::concat(vec![s.clone(), s.clone()], 0)?), "seen seen 0");
    assert_eq!(ops::concat((&t, [2i32], t.clone()), 0)?.as_slice::<i32>()?, &[1, 2, 1]);
    assert_eq!(ops::concat([&t, &t], 0)?.as_slice::<i32>()?, &[1, 1]);
    Ok(())
}

#[test]
fn a_handler_of_a_mixed_sequence_may_decline() -> Result<()> {
    let s = seen();
    let rows = ops::stack((&s, [5i32, 6], &s), 0)?;
    assert_eq!(rows.as_slice::<i32>()?, &[1, 2, 5, 6, 1, 2]);
    assert_eq!(ops::stack(&[&s, &s, &s], 0)?.shape(), shape![3, 2]);
    Ok(())
}

#[test]
fn mixed_sequences_meet_the_same_handler_at_run_time() -> Result<()> {
    let (s, t) = (AnyValue::new(seen()), AnyValue::from(tensor![1i32]));
    let axis = AnyValue::from(scalar(0i32));
    let called = |args: &[&AnyValue]| {
        let args: Vec<AnyValue> = args.iter().chain([&&axis]).map(|x| (*x).clone()).collect();
        dispatch::call("ConcatV2", &args, &Attrs::new())?.downcast::<Tensor>()
    };
    assert_eq!(text(&called(&[&t, &s])?), "tensor seen 0");
    assert_eq!(text(&called(&[&s, &s, &t])?), "seen seen tensor 0");
    assert_eq!(text(&called(&[&s, &s])?), "seen seen 0");
    assert_eq!(called(&[&t, &t])?.as_slice::<i32>()?, &[1, 1]);
    Ok(())
}
