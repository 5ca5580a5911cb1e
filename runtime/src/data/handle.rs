//! Datasets as elements and arguments: a tensor that holds the pipeline.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use super::Dataset;
use super::stage::{Cardinality, Cursor, Element, Failure, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::array::{Array, Boxed, Variant};
use crate::spec::{
    AnySpec, Class, Composite, Hooks, LeafIter, Leaves, Literal, Nested, SpecContext, SpecEntry,
    Structure, TensorSpec, TypeSpec,
};
use crate::tensor::{Tensor, Tensors, is_tracing};
use crate::types::{DType, Result, Shape, bail, err};

/// The content of the tensor.
struct Handle(Arc<Node>);

impl Boxed for Handle {
    fn kind(&self) -> &'static str {
        "dataset"
    }
}

/// The class of all datasets. The field `element` of the spec holds the spec of the elements, or nothing if it is not known.
fn class() -> Arc<Class> {
    static CLASS: OnceLock<Arc<Class>> = OnceLock::new();
    let class = || Class {
        name: "extype.Dataset".into(),
        short_name: "Dataset".into(),
        type_id: None,
        hooks: Hooks {
            stacked: |spec, _| Err(err!("datasets are not stacked: {spec}")),
            unstacked: |spec| Err(err!("a dataset is no stack: {spec}")),
            rebuild: |c| Ok(dataset_spec(element_of(&c))),
            ..Hooks::STRUCTURAL
        },
    };
    CLASS.get_or_init(|| Arc::new(class())).clone()
}

inventory::submit! {
    SpecEntry { class, location: || Location::caller() }
}

fn element_of(composite: &Composite) -> Option<AnySpec> {
    composite.field("element").filter(|s| !matches!(s, AnySpec::Literal(_))).cloned()
}

/// The spec of datasets of these elements.
pub(super) fn dataset_spec(element: Option<AnySpec>) -> AnySpec {
    let element = element.unwrap_or(AnySpec::Literal(Literal::None));
    AnySpec::Composite(Nested::new(Composite {
        class: class(),
        fields: vec![("element".into(), element)],
        components: Some(vec![AnySpec::Tensor(TensorSpec::new(Shape::scalar(), DType::Variant))]),
    }))
}

/// A pipeline as an element of another one.
pub(super) fn dataset_element(node: &Arc<Node>) -> Element {
    let spec = super::rim::untraced(|| node.spec()).ok().flatten();
    Element {
        spec: Arc::new(dataset_spec(spec)),
        leaves: Tensors::from_buf([Tensor::Value(holding(node))]),
    }
}

/// The tensor that holds a pipeline.
pub(super) fn holding(node: &Arc<Node>) -> Array {
    let one = vec![Variant::new(Handle(node.clone()))];
    Array::from_variants([], one).unwrap_or_else(|_| Array::scalar(0i64))
}

/// The pipeline that a tensor holds.
pub(super) fn held(array: &Array) -> Option<Arc<Node>> {
    match array.as_variants() {
        Ok([variant]) => variant.downcast_ref::<Handle>().map(|handle| handle.0.clone()),
        _ => None,
    }
}

/// The type of a [`Dataset`]: the spec of its elements, if it is known.
pub struct DatasetSpec<S: Structure> {
    /// The spec of the elements.
    pub element: Option<AnySpec>,
    of: PhantomData<fn() -> S>,
}

impl<S: Structure> Clone for DatasetSpec<S> {
    fn clone(&self) -> Self {
        Self { element: self.element.clone(), of: PhantomData }
    }
}

impl<S: Structure> fmt::Debug for DatasetSpec<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_any())
    }
}

impl<S: Structure> TypeSpec for DatasetSpec<S> {
    type Value = Dataset<S>;

    fn to_any(&self) -> AnySpec {
        dataset_spec(self.element.clone())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Composite(c) if c.class == class() => {
                let element = element_of(c);
                if let Some(element) = &element {
                    S::Spec::from_any(element)?;
                }
                Ok(Self { element, of: PhantomData })
            }
            other => bail!("{other} is no dataset"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<S: Structure> Structure for Dataset<S> {
    type Spec = DatasetSpec<S>;

    fn spec_in(&self, _: &mut SpecContext) -> DatasetSpec<S> {
        let spec = || self.node.spec().ok().flatten();
        // A trace wants to know; a pass calls no functions to find out.
        let element = if is_tracing() { spec() } else { super::rim::untraced(spec) };
        DatasetSpec { element, of: PhantomData }
    }

    fn has_spec(&self, spec: &DatasetSpec<S>, context: &mut SpecContext) -> bool {
        self.spec_in(context).element == spec.element
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(self.handle.get_or_init(|| Tensor::Value(holding(&self.node))));
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        let handle = self.handle.into_inner();
        out.push(handle.unwrap_or_else(|| Tensor::Value(holding(&self.node))));
    }

    fn from_leaves(spec: &DatasetSpec<S>, leaves: &mut LeafIter) -> Result<Self> {
        let handle = leaves.take()?;
        let node = match &handle {
            Tensor::Value(array) => match held(array) {
                Some(node) => node,
                None => bail!("the tensor holds no dataset"),
            },
            Tensor::Symbol(_) => Node::new(Described(spec.element.clone())),
        };
        let data = Self::of(node);
        let _ = data.handle.set(handle);
        Ok(data)
    }
}

/// A dataset of which only the spec is known: an argument of a function that is being traced.
pub(super) struct Described(pub(super) Option<AnySpec>);

impl Stage for Described {
    fn name(&self) -> &'static str {
        "argument"
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        Ok(self.0.clone())
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(DescribedCursor)
    }
}

struct DescribedCursor;

impl Cursor for DescribedCursor {
    fn next(&mut self) -> Next {
        Some(Err(Failure::last(err!(
            FailedPrecondition,
            "a dataset in a traced function has no elements yet"
        ))))
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(Saved::List(Vec::new()))
    }

    fn restore(&mut self, _: &Saved) -> Result<()> {
        Ok(())
    }
}
