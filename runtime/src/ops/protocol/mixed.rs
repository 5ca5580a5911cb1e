//! Sequences of operands: of one type, or of an extension type and tensors.

use smallvec::SmallVec;

use crate::ops::protocol::apply::{ApplySeq, Op};
use crate::ops::protocol::operand::Operand;
use crate::ops::protocol::pair::Arg;
use crate::tensor::{Lent, Tensor};
use crate::types::Result;

/// The meaning of an op on a sequence of values of this type and tensors; `#[dispatch]` writes it
/// for `#[overrides(…, with = Tensor)]` on a function of `&[Arg<'_, Self, Tensor>]`.
///
/// ```
/// use extype::ops::{ApplyMixed, Concat};
/// use extype::prelude::*;
/// /// Ones before and behind values of any type that joins tensors.
/// fn framed<X: ApplyMixed<Concat>>(x: &X) -> Result<X::Output> {
///     let one = tensor![1.0f32];
///     X::apply_mixed(&Concat { axis: Axis(0) }, &[ops::Arg::Other(&one), ops::Arg::This(x), ops::Arg::Other(&one)])
/// }
/// assert_eq!(framed(&tensor![2.0f32])?.as_slice::<f32>()?, &[1.0, 2.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
pub trait ApplyMixed<O: Op>: Sized {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply_mixed(op: &O, xs: &[Arg<'_, Self, Tensor>]) -> Result<Self::Output>;

    /// Like [`apply_mixed`](Self::apply_mixed), but returns `None` if the type declines these
    /// values.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{ApplyMixed, Concat};
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Marked { values: Tensor }
    /// #[dispatch]
    /// impl Marked {
    ///     #[overrides(concat, with = Tensor)]
    ///     fn concat(xs: &[ops::Arg<'_, Self, Tensor>], axis: Axis) -> Result<Option<Self>> {
    ///         // Lists that do not begin with marked values are left to others.
    ///         let Some(ops::Arg::This(_)) = xs.first() else { return Ok(None) };
    ///         let values: Vec<Tensor> = xs.iter().map(|x| match x {
    ///             ops::Arg::This(x) => x.values.clone(),
    ///             ops::Arg::Other(x) => (*x).clone(),
    ///         }).collect();
    ///         Self::new(ops::concat(&values, axis)?).map(Some)
    ///     }
    /// }
    /// let (m, x, op) = (Marked::new([1.0f32])?, tensor![2.0f32], Concat { axis: Axis(0) });
    /// assert!(Marked::try_apply_mixed(&op, &[ops::Arg::This(&m), ops::Arg::Other(&x)])?.is_some());
    /// assert!(Marked::try_apply_mixed(&op, &[ops::Arg::Other(&x), ops::Arg::This(&m)])?.is_none());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn try_apply_mixed(op: &O, xs: &[Arg<'_, Self, Tensor>]) -> Result<Option<Self::Output>> {
        Self::apply_mixed(op, xs).map(Some)
    }
}

/// For tensors, all values are tensors.
impl<O: Op> ApplyMixed<O> for Tensor
where
    Tensor: ApplySeq<O>,
{
    type Output = <Tensor as ApplySeq<O>>::Output;

    #[track_caller]
    fn apply_mixed(op: &O, xs: &[Arg<'_, Tensor, Tensor>]) -> Result<Self::Output> {
        let xs: SmallVec<[&Tensor; 4]> = xs
            .iter()
            .map(|x| match *x {
                Arg::This(x) | Arg::Other(x) => x,
            })
            .collect();
        Tensor::apply_seq(op, &xs)
    }
}

/// Determines the type of a sequence with values of `Self` and `Y`: the extension type among them,
/// or `Tensor`. At most one extension type may occur. `#[derive(ExtensionType)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{Y}` do not stand in one sequence",
    label = "a sequence is of tensors and of one extension type"
)]
pub trait Beside<Y> {
    /// The type whose override handles the sequence.
    type Own;
}

impl Beside<Tensor> for Tensor {
    type Own = Tensor;
}

/// A value in a sequence of `Own` and tensors.
pub trait Item<Own> {
    /// The value as an entry of the sequence.
    ///
    /// ```
    /// use extype::ops::Item;
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Marked { values: Tensor }
    /// let (m, x) = (Marked::new([1.0f32])?, tensor![2.0f32]);
    /// let items: [ops::Arg<'_, Marked, Tensor>; 2] = [m.item(), Item::item(&x)];
    /// assert!(matches!(items, [ops::Arg::This(_), ops::Arg::Other(_)]));
    /// # Ok::<(), Error>(())
    /// ```
    fn item(&self) -> Arg<'_, Own, Tensor>;
}

impl<Own> Item<Own> for Tensor {
    fn item(&self) -> Arg<'_, Own, Tensor> {
        Arg::Other(self)
    }
}

/// The operands of an op on a sequence: a slice, an array or a vector of operands of one type, or a
/// tuple of up to eight. A tuple may mix tensors, numbers and data with values of one extension
/// type: `ops::concat((&dense, &masked, [[1.0, 2.0]]), 0)`.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0];
/// assert_eq!(ops::concat((&x, [3.0]), 0)?.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
/// assert_eq!(ops::concat(vec![x.clone(), x], 0)?.shape(), shape![4]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no sequence of operands that `{O}` is defined for",
    label = "a slice, a vector, or a tuple for mixed types, of what the op supports",
    note = "for a type of your own add `#[overrides(…)]` to its `#[dispatch]` impl, `with = Tensor` for a tuple with tensors"
)]
pub trait Items<O: Op> {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{Concat, Items};
    /// use extype::prelude::*;
    /// let joined = (tensor![1.0f32], [2.0f32, 3.0]).apply(&Concat { axis: Axis(0) })?;
    /// assert_eq!(joined.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn apply(&self, op: &O) -> Result<Self::Output>;
}

impl<T: Items<O> + ?Sized, O: Op> Items<O> for &T {
    type Output = T::Output;

    #[track_caller]
    fn apply(&self, op: &O) -> Result<T::Output> {
        T::apply(self, op)
    }
}

impl<X: Operand, O: Op, R> Items<O> for [X]
where
    X::Value: ApplySeq<O, Output = R>,
{
    type Output = R;

    #[track_caller]
    fn apply(&self, op: &O) -> Result<R> {
        let lent: SmallVec<[Lent<'_, X::Value>; 4]> =
            self.iter().map(Operand::operand).collect::<Result<_>>()?;
        let borrowed: SmallVec<[&X::Value; 4]> = lent.iter().map(|x| &**x).collect();
        X::Value::apply_seq(op, &borrowed)
    }
}

impl<X, const N: usize, O: Op, R> Items<O> for [X; N]
where
    [X]: Items<O, Output = R>,
{
    type Output = R;

    #[track_caller]
    fn apply(&self, op: &O) -> Result<R> {
        self.as_slice().apply(op)
    }
}

impl<X, O: Op, R> Items<O> for Vec<X>
where
    [X]: Items<O, Output = R>,
{
    type Output = R;

    #[track_caller]
    fn apply(&self, op: &O) -> Result<R> {
        self.as_slice().apply(op)
    }
}

macro_rules! tuples {
    ($([$($x:ident $i:tt),+] $($from:ty, $right:ident => $own:ident);+ => $last:ident)*) => {
        $(impl<$($x: Operand,)+ $($own,)+ O: Op, R> Items<O> for ($($x,)+)
        where
            $($from: Beside<$right::Value, Own = $own>,)+
            $($x::Value: Item<$last>,)+
            $last: ApplyMixed<O, Output = R>,
        {
            type Output = R;

            #[track_caller]
            fn apply(&self, op: &O) -> Result<R> {
                let lent = ($(self.$i.operand()?,)+);
                $last::apply_mixed(op, &[$(lent.$i.item()),+])
            }
        })*
    };
}
tuples! {
    [A 0, B 1] A::Value, B => T => T
    [A 0, B 1, C 2] A::Value, B => T; T, C => U => U
    [A 0, B 1, C 2, D 3] A::Value, B => T; T, C => U; U, D => V => V
    [A 0, B 1, C 2, D 3, E 4] A::Value, B => T; T, C => U; U, D => V; V, E => W => W
    [A 0, B 1, C 2, D 3, E 4, F 5]
        A::Value, B => T; T, C => U; U, D => V; V, E => W; W, F => X => X
    [A 0, B 1, C 2, D 3, E 4, F 5, G 6]
        A::Value, B => T; T, C => U; U, D => V; V, E => W; W, F => X; X, G => Y => Y
    [A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7]
        A::Value, B => T; T, C => U; U, D => V; V, E => W; W, F => X; X, G => Y; Y, H => Z => Z
}
