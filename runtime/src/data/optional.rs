//! Values that may be missing, in traces too.

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Dataset, Elements};
use crate::control::HostFunction;
use crate::ops::check;
use crate::spec::{
    AnySpec, Class, Composite, Hooks, LeafIter, Leaves, Nested, SpecContext, SpecEntry, Structure,
    TensorSpec, TypeSpec, pack_as, unpack_as,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result, Shape, bail, err};

/// A value of the type `S`, or none. Which of the two is data, so `cond` may return either, and a `while` loop may run
/// as long as there is one. In Rust alone `Option<S>` serves better.
///
/// TensorFlow: `tf.experimental.Optional`.
///
/// ```
/// use extype::data::Optional;
/// use extype::prelude::*;
/// #[tf_function]
/// fn root(x: &Tensor) -> Result<Optional<Tensor>> {
///     cond(
///         &x.greater_equal(0.0)?,
///         || Optional::from_value(x.sqrt()?),
///         || Optional::empty(&x.type_spec()),
///     )
/// }
/// assert_eq!(root(&scalar(4.0f32))?.get_value()?.item::<f32>()?, 2.0);
/// assert!(!root(&scalar(-4.0f32))?.has_value().item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
pub struct Optional<S: Structure> {
    element: S::Spec,
    present: Tensor,
    /// The tensors of the value as one variant, or none.
    packed: Tensor,
}

impl<S: Structure> Optional<S> {
    /// An optional with a value.
    ///
    /// # Errors
    /// `InvalidArgument` for a value with variables.
    #[track_caller]
    pub fn from_value(value: S) -> Result<Self> {
        let element = value.type_spec();
        let any = element.to_any();
        if any.leaves().iter().any(|leaf| matches!(leaf, AnySpec::Variable(_))) {
            bail!("a value with variables is no content of an optional: {any}");
        }
        let mut leaves = Leaves::new();
        value.leaves(&mut leaves);
        let packed = pack_as(NAME.to_owned(), &leaves)?;
        Ok(Self { element, present: Tensor::scalar(true), packed })
    }

    /// An optional of this spec without a value.
    ///
    /// # Errors
    /// Those of a trace that has ended.
    #[track_caller]
    pub fn empty(element: &S::Spec) -> Result<Self> {
        let packed = pack_as(NAME.to_owned(), &[])?;
        Ok(Self { element: element.clone(), present: Tensor::scalar(false), packed })
    }

    /// True if there is a value: a bool scalar.
    pub fn has_value(&self) -> &Tensor {
        &self.present
    }

    /// The value. Each call unpacks it again.
    ///
    /// # Errors
    /// `InvalidArgument` if there is none; in a trace when the graph runs.
    #[track_caller]
    pub fn get_value(&self) -> Result<S> {
        check(&self.present, "the optional has no value; ask `has_value` first", &[])?;
        let leaves = unpack_as(NAME.to_owned(), &self.element.to_any(), &self.packed)?;
        S::from_leaves(&self.element, &mut LeafIter::new(leaves))
    }

    /// The spec of the value.
    pub fn element_spec(&self) -> &S::Spec {
        &self.element
    }
}

impl<S: Structure> Clone for Optional<S> {
    fn clone(&self) -> Self {
        let Self { element, present, packed } = self;
        Self { element: element.clone(), present: present.clone(), packed: packed.clone() }
    }
}

impl<S: Structure> fmt::Debug for Optional<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, present: {}", optional_spec(self.element.to_any()), self.present)
    }
}

/// The name of the class, under which values are packed.
const NAME: &str = "extype.Optional";

/// The class of all optionals. The field `element` of the spec holds the spec of the value.
fn class() -> Arc<Class> {
    static CLASS: OnceLock<Arc<Class>> = OnceLock::new();
    let class = || Class {
        name: NAME.into(),
        short_name: "Optional".into(),
        type_id: None,
        hooks: Hooks {
            stacked: |spec, _| Err(err!("optionals are not stacked: {spec}")),
            unstacked: |spec| Err(err!("an optional is no stack: {spec}")),
            rebuild: |c| match c.field("element") {
                Some(element) => Ok(optional_spec(element.clone())),
                None => bail!("field `element` is missing"),
            },
            ..Hooks::STRUCTURAL
        },
    };
    CLASS.get_or_init(|| Arc::new(class())).clone()
}

inventory::submit! {
    SpecEntry { class, location: || Location::caller() }
}

fn optional_spec(element: AnySpec) -> AnySpec {
    let scalar = |dtype| AnySpec::Tensor(TensorSpec::new(Shape::scalar(), dtype));
    AnySpec::Composite(Nested::new(Composite {
        class: class(),
        fields: vec![("element".into(), element)],
        components: Some(vec![scalar(DType::Bool), scalar(DType::Variant)]),
    }))
}

/// The type of an [`Optional`]: the spec of its value.
pub struct OptionalSpec<S: Structure> {
    /// The spec of the value.
    pub element: S::Spec,
}

impl<S: Structure> Clone for OptionalSpec<S> {
    fn clone(&self) -> Self {
        Self { element: self.element.clone() }
    }
}

impl<S: Structure> fmt::Debug for OptionalSpec<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_any())
    }
}

impl<S: Structure> TypeSpec for OptionalSpec<S> {
    type Value = Optional<S>;

    fn to_any(&self) -> AnySpec {
        optional_spec(self.element.to_any())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        let element = match any {
            AnySpec::Composite(c) if c.class == class() => c.field("element"),
            _ => None,
        };
        match element {
            Some(element) => Ok(Self { element: S::Spec::from_any(element)? }),
            None => bail!("{any} is no optional"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<S: Structure> Structure for Optional<S> {
    type Spec = OptionalSpec<S>;

    fn spec_in(&self, _: &mut SpecContext) -> OptionalSpec<S> {
        OptionalSpec { element: self.element.clone() }
    }

    fn has_spec(&self, spec: &OptionalSpec<S>, _: &mut SpecContext) -> bool {
        self.element.to_any() == spec.element.to_any()
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.extend([&self.present, &self.packed]);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.extend([self.present, self.packed]);
    }

    fn from_leaves(spec: &OptionalSpec<S>, leaves: &mut LeafIter) -> Result<Self> {
        let (present, packed) = (leaves.take()?, leaves.take()?);
        if present.dtype() != DType::Bool || packed.dtype() != DType::Variant {
            bail!("an optional is a bool and a variant");
        }
        Ok(Self { element: spec.element.clone(), present, packed })
    }
}

/// A pass that graphs read: each call of [`next`](Self::next) is a step of a traced function, also in its loops. Clones
/// read the same pass.
///
/// A graph that reads it can't be written to a file.
///
/// TensorFlow: an iterator in a `tf.function`.
///
/// ```
/// use extype::data::{Dataset, Steps};
/// use extype::prelude::*;
/// let steps = Dataset::range(1..5).steps()?;
/// let sum = function(move |start: &Tensor| {
///     let first = (steps.next()?, start.clone());
///     let (_, sum) = while_loop(
///         first,
///         |(x, _)| Ok(x.has_value().clone()),
///         |(x, sum)| Ok((steps.next()?, sum + x.get_value()?)),
///     )?;
///     Ok(sum)
/// });
/// assert_eq!(sum.call(&scalar(0i64))?.item::<i64>()?, 10);
/// assert_eq!(sum.call(&scalar(7i64))?.item::<i64>()?, 7); // the pass has ended
/// # Ok::<(), Error>(())
/// ```
pub struct Steps<S: Structure> {
    next: Arc<HostFunction<(), Optional<S>>>,
    spec: OptionalSpec<S>,
}

impl<S: Structure> Clone for Steps<S> {
    fn clone(&self) -> Self {
        Self { next: self.next.clone(), spec: self.spec.clone() }
    }
}

impl<S: Structure> Steps<S> {
    /// The next element, or none, at the end and ever after.
    ///
    /// # Errors
    /// That of the element; the next call goes on after it.
    #[track_caller]
    pub fn next(&self) -> Result<Optional<S>> {
        self.next.call(&self.spec, &())
    }
}

impl<S: Structure> Dataset<S> {
    /// A pass that traced functions read.
    ///
    /// # Errors
    /// As [`element_spec`](Self::element_spec), which the optionals have.
    #[track_caller]
    pub fn steps(&self) -> Result<Steps<S>> {
        let spec = OptionalSpec { element: self.element_spec()? };
        let pass = Mutex::new(self.iter());
        let next = move |()| pass.lock().unwrap_or_else(PoisonError::into_inner).next_as_optional();
        Ok(Steps { next: Arc::new(HostFunction::new(next)), spec })
    }
}

impl<S: Structure> Elements<S> {
    /// The next element as an [`Optional`], which is empty at the end and ever after.
    ///
    /// TensorFlow: `Iterator.get_next_as_optional`.
    ///
    /// # Errors
    /// That of the element; the next call goes on after it. At the end those of [`Dataset::element_spec`].
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let mut pass = Dataset::range(0..1).iter();
    /// assert_eq!(pass.next_as_optional()?.get_value()?.item::<i64>()?, 0);
    /// assert!(pass.next_as_optional()?.get_value().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "get_next_as_optional")]
    pub fn next_as_optional(&mut self) -> Result<Optional<S>> {
        match self.next() {
            Some(element) => Optional::from_value(element?),
            None => Optional::empty(&self.dataset().element_spec()?),
        }
    }
}
