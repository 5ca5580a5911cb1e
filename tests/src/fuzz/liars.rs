//! Rows of a foreign crate that lie: whatever a kernel, a gradient, a batching rule or inference returns that its
//! row does not promise is refused wherever it shows, by words that name the op and who lied.

use extype::array::Array;
use extype::control::{Batch, Batched, Lane};
use extype::gradient::{Gradient, InputGradients};
use extype::ir::{InferContext, KernelContext, Outputs, Types};
use extype::prelude::*;
use extype::types::DTypeSet;
use extype::types::TensorType;

use super::check::Checked;
use super::report::Kind;
use super::rng::Rng;
use super::traced::{Knowing, spec};
use crate::conformance::modes::guarded;

/// What stands for these cases among names of ops.
pub(super) const NAME: &str = "lying-rows";

extype::define_op! {
    /// Two tensors as they are, unless one of the row's functions lies.
    pub op Liar = "Test>Liar" {
        inputs: { x: T, y: T }, outputs: { a: T, b: T },
        types: { T: DTypeSet::of(&[DType::F32, DType::F64]) },
        attrs: { who: i64, lie: i64 },
        call: liar(x, y; who, lie),
        infer: infer, kernel: kernel, gradient: gradient, batch: batch,
    }
}

/// Which function of the row lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The kernel.
    Kernel,
    /// The rule of the gradient.
    Gradient,
    /// The rule of batches.
    Batch,
    /// Inference.
    Inference,
}

/// What it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// What the row promises.
    Nothing,
    /// One more than there are.
    More,
    /// One less.
    Fewer,
    /// Another dtype.
    Dtype,
    /// An axis more.
    Rank,
    /// A longer axis.
    Size,
}

impl Who {
    /// All of them.
    pub const ALL: [Who; 4] = [Who::Kernel, Who::Gradient, Who::Batch, Who::Inference];

    fn called(self) -> &'static str {
        match self {
            Who::Kernel => "the kernel of `liar`",
            Who::Gradient => "the gradient of `liar`",
            Who::Batch => "the batching rule of `liar`",
            // What another function gives is held against it.
            Who::Inference => "of `liar` returned",
        }
    }
}

impl Lie {
    /// All of them.
    pub const ALL: [Lie; 6] =
        [Lie::Nothing, Lie::More, Lie::Fewer, Lie::Dtype, Lie::Rank, Lie::Size];

    fn of(who: Who, own: i64, lie: i64) -> Lie {
        let lie = usize::try_from(lie).ok().and_then(|i| Lie::ALL.get(i).copied());
        lie.filter(|_| own == who as i64).unwrap_or(Lie::Nothing)
    }

    /// The list with this lie in it.
    fn told<T: Clone>(
        self,
        mut all: Vec<T>,
        bent: impl Fn(&T, Lie) -> Result<T>,
    ) -> Result<Vec<T>> {
        match self {
            Lie::Nothing => {}
            Lie::More => all.extend(all.first().cloned()),
            Lie::Fewer => drop(all.pop()),
            lie => {
                let last = all.len() - 1;
                all[last] = bent(&all[last], lie)?;
            }
        }
        Ok(all)
    }
}

fn other(dtype: DType) -> DType {
    if dtype == DType::F32 { DType::F64 } else { DType::F32 }
}

/// A tensor of another type. Of a scalar no axis can be longer: it gets one.
fn bent(t: &Tensor, lie: Lie) -> Result<Tensor> {
    match lie {
        Lie::Dtype => t.cast(other(t.dtype())),
        Lie::Size if t.rank().is_some_and(|rank| rank > 0) => ops::concat(&[t, t], 0),
        _ => t.expand_dims(0),
    }
}

fn infer(c: &InferContext<'_>) -> Result<Types> {
    let lie = Lie::of(Who::Inference, c.get(Liar::WHO)?, c.get(Liar::LIE)?);
    let types = lie.told(c.inputs.to_vec(), |ty, lie| {
        Ok(match lie {
            Lie::Dtype => TensorType::new(other(ty.dtype), ty.shape.clone()),
            Lie::Size if ty.shape.rank().is_some_and(|rank| rank > 0) => {
                let longer = |n: Dim| n.size().map_or(n, |n| Dim::from(n + 1));
                let dims = ty.shape.dims().unwrap_or_default();
                TensorType::new(ty.dtype, dims.iter().copied().map(longer).collect::<Shape>())
            }
            _ => TensorType::new(ty.dtype, ty.shape.insert(0, Dim::from(1))),
        })
    });
    Ok(types?.into_iter().collect())
}

fn kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let lie = Lie::of(Who::Kernel, c.get(Liar::WHO)?, c.get(Liar::LIE)?);
    let arrays = c.inputs.iter().map(|x| (*x).clone()).collect();
    let found =
        lie.told(arrays, |x: &Array, lie| bent(&Tensor::from(x.clone()), lie)?.value().cloned());
    Ok(found?.into_iter().collect())
}

fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let lie = Lie::of(Who::Gradient, g.get(Liar::WHO)?, g.get(Liar::LIE)?);
    let cotangent =
        |(c, x): (&Option<Tensor>, &Tensor)| c.clone().map_or_else(|| x.zeros_like(), Ok);
    let all = g.cotangents.iter().zip(g.inputs).map(cotangent).collect::<Result<Vec<_>>>()?;
    Ok(lie.told(all, bent)?.into_iter().map(Some).collect())
}

fn batch(b: &Batch<'_>) -> Result<Batched> {
    let lie = Lie::of(Who::Batch, b.get(Liar::WHO)?, b.get(Liar::LIE)?);
    let all = lie.told(vec![b.all(0)?, b.all(1)?], bent)?;
    Ok(Some(all.into_iter().map(Lane::Each).collect()))
}

/// How a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Eager,
    Traced(Knowing),
    Gradient,
    GradientOutside(Knowing),
    GradientInside(Knowing),
    Mapped,
    MappedInside(Knowing),
}

impl Way {
    fn all() -> Vec<Way> {
        let traced = [Knowing::Shapes, Knowing::Ranks, Knowing::Dtypes];
        let ways = traced.into_iter().flat_map(|k| {
            [Way::Traced(k), Way::GradientOutside(k), Way::GradientInside(k), Way::MappedInside(k)]
        });
        [Way::Eager, Way::Gradient, Way::Mapped].into_iter().chain(ways).collect()
    }

    /// Whether the lie shows in this way; `None` if that is left open.
    fn shows(self, who: Who, lie: Lie) -> Option<bool> {
        let mapped = matches!(self, Way::Mapped | Way::MappedInside(_));
        Some(match who {
            _ if lie == Lie::Nothing => false,
            // A batching rule may give sizes that one call does not know.
            Who::Inference if mapped && matches!(lie, Lie::Rank | Lie::Size) => return None,
            Who::Inference => true,
            // The rule of this row computes nothing.
            Who::Kernel => !mapped,
            Who::Gradient => {
                matches!(self, Way::Gradient | Way::GradientOutside(_) | Way::GradientInside(_))
            }
            Who::Batch => mapped,
        })
    }

    /// The results of the row, of its gradient or of its stacks.
    fn run(self, who: Who, lie: Lie, x: &Tensor) -> Result<Vec<Tensor>> {
        let (who, lie) = (who as i64, lie as i64);
        let call = move |x: &Tensor| -> Result<Vec<Tensor>> {
            let (a, b) = liar(x, x, who, lie)?;
            Ok(vec![a, b])
        };
        let last = move |x: &Tensor| ops::mul(&call(x)?[1], 3.0);
        let slope = move |x: &Tensor| grad(last)(x).map(|g| vec![g]);
        let each = move |x: &Tensor| vectorized_map(x, move |row: Tensor| call(&row));
        match self {
            Way::Eager => call(x),
            Way::Gradient => slope(x),
            Way::Mapped => each(x),
            Way::Traced(knowing) => traced(call, knowing, x),
            Way::GradientInside(knowing) => traced(slope, knowing, x),
            Way::MappedInside(knowing) => traced(each, knowing, x),
            Way::GradientOutside(knowing) => {
                grad(move |x: &Tensor| traced(move |x| Ok(vec![last(x)?]), knowing, x).map(one))(x)
                    .map(|g| vec![g])
            }
        }
    }
}

fn one(mut all: Vec<Tensor>) -> Tensor {
    all.remove(0)
}

fn traced(
    f: impl Fn(&Tensor) -> Result<Vec<Tensor>> + Send + Sync + 'static,
    knowing: Knowing,
    x: &Tensor,
) -> Result<Vec<Tensor>> {
    function(f).concrete(&spec(x, knowing))?.call_flat(std::slice::from_ref(x))
}

/// What is wrong with the answer to this lie in all ways to make the call, if something is.
fn unseen(who: Who, lie: Lie, x: &Tensor, stage: &mut dyn FnMut(&str)) -> Vec<(Kind, String)> {
    let mut found = Vec::new();
    for way in Way::all() {
        let name = format!("{way:?}");
        stage(&name);
        let shows = way.shows(who, lie);
        match guarded(|| way.run(who, lie, x)) {
            Err(panic) => found.push((Kind::Panics, format!("{name}: {panic}"))),
            Ok(Ok(y)) if shows == Some(true) => {
                let types: Vec<String> = y.iter().map(|y| y.tensor_type().to_string()).collect();
                found.push((Kind::Differs, format!("{name} answers {}", types.join(", "))));
            }
            Ok(Err(e)) if shows == Some(false) => {
                found.push((Kind::TraceRefuses, format!("{name}: {e}")));
            }
            Ok(Err(e)) => {
                let text = e.to_string();
                if !text.contains("liar") || !text.contains(who.called()) || e.location().is_none()
                {
                    found.push((Kind::TraceRefuses, format!("{name} does not say who lied: {e}")));
                }
            }
            Ok(Ok(_)) => {}
        }
    }
    found
}

/// What is wrong with the answers to every lie that a row can tell of a tensor.
pub fn all_unseen(x: &Tensor) -> Vec<String> {
    let lies = Who::ALL.into_iter().flat_map(|who| Lie::ALL.map(|lie| (who, lie)));
    let found = lies.flat_map(|(who, lie)| {
        let found = unseen(who, lie, x, &mut |_| {});
        found.into_iter().map(move |(_, text)| format!("{who:?} {lie:?}: {text}"))
    });
    found.collect()
}

/// A lie of a case: who tells it, which, and of what.
pub(super) fn case(seed: u64) -> (String, impl FnOnce(&mut Rng, &mut dyn FnMut(&str)) -> Checked) {
    let mut rng = Rng::of_case(NAME, seed);
    let (who, lie) = (rng.pick(&Who::ALL), rng.pick(&Lie::ALL));
    let dims: Vec<usize> = (0..1 + rng.below(3)).map(|_| 2 + rng.below(3)).collect();
    let dtype = rng.pick(&[DType::F32, DType::F64]);
    let text = format!("{who:?} tells {lie:?} of {dtype}{dims:?}");
    let check = move |_: &mut Rng, stage: &mut dyn FnMut(&str)| {
        let found = match ops::ones(&dims[..], dtype) {
            Ok(x) => unseen(who, lie, &x, stage),
            Err(e) => vec![(Kind::Panics, e.to_string())],
        };
        let taken = lie == Lie::Nothing;
        Checked { taken, refusal: None, gradients: Vec::new(), findings: found }
    };
    (text, check)
}
