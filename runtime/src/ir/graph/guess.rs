//! Guesses the results of unknown ops from their uses and their attributes.

use std::ops::Range;

use super::builtin::{OUTPUT_SHAPES, RESULTS, SHAPES, TYPES};
use super::def::{NodeDef, Value};
use super::layout::shares;
use super::order::data_inputs;
use crate::ir::{ArgType, Attrs, OpDef};
use crate::types::{DType, Shape, TensorType};

/// Attributes in which TensorFlow's ops list the dtypes of all their results.
const LISTS: [&str; 7] = [
    "Tout",
    "output_types",
    "Toutput_types",
    "dtypes",
    "out_types",
    "component_types",
    "output_dtypes",
];
/// Attributes in which they give the dtype of their only result.
const SINGLE: [&str; 7] = ["dtype", "out_type", "DstT", "output_type", "Tout", "Tparams", "T"];

/// The results of a node whose op is not known.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// In a function: each result's name and the dtypes of its tensors. In a graph: one part
    /// without a name.
    parts: Vec<(String, Vec<Option<DType>>)>,
    types: Vec<TensorType>,
}

impl Results {
    /// Records the use of one of the tensors.
    pub(super) fn used(&mut self, part: &str, index: usize, dtype: Option<DType>) {
        let at = self.parts.iter().position(|(name, _)| name == part).unwrap_or_else(|| {
            self.parts.push((part.to_owned(), Vec::new()));
            self.parts.len() - 1
        });
        let dtypes = &mut self.parts[at].1;
        // A file may hold any index; a thousand results are more than any op has.
        if index >= 1 << 10 {
            return;
        }
        if dtypes.len() <= index {
            dtypes.resize(index + 1, None);
        }
        dtypes[index] = dtypes[index].or(dtype);
    }

    /// Completes the results from the attributes, once all uses are recorded.
    pub(super) fn complete(&mut self, node: &NodeDef) {
        let lists = LISTS.iter().filter_map(|name| list_of::<DType>(node.attrs.get(*name)?));
        let list = lists.into_iter().next();
        let shapes = [OUTPUT_SHAPES.name(), "output_shapes"];
        let shapes = shapes.iter().find_map(|name| list_of::<Shape>(node.attrs.get(*name)?));
        let said = list.as_ref().map(Vec::len).max(shapes.as_ref().map(Vec::len)).unwrap_or(0);
        if self.parts.is_empty() {
            self.parts.push((String::new(), Vec::new()));
        }
        if let [(_, dtypes)] = &mut self.parts[..]
            && dtypes.len() < said
        {
            dtypes.resize(said, None);
        }
        let single = SINGLE.iter().find_map(|name| match node.attrs.get(*name)? {
            Value::Type(dtype) => Some(*dtype),
            _ => None,
        });
        let used: Vec<Option<DType>> =
            self.parts.iter().flat_map(|(_, dtypes)| dtypes.iter().copied()).collect();
        let list = list.filter(|list| list.len() == used.len());
        let shapes = shapes.filter(|shapes| shapes.len() == used.len());
        let ty = |(i, dtype): (usize, &Option<DType>)| {
            let said = list.as_ref().map(|list| list[i]).or(single);
            let shape = shapes.as_ref().map(|shapes| shapes[i].clone()).unwrap_or_default();
            // Nothing gives the dtype, so nothing can be computed from the tensor: call it a variant.
            TensorType::new(dtype.or(said).unwrap_or(DType::Variant), shape)
        };
        self.types = used.iter().enumerate().map(ty).collect();
    }

    /// The types of all tensors.
    pub(super) fn types(self) -> Vec<TensorType> {
        self.types
    }

    /// The range of tensors that make up a result.
    pub(super) fn range(&self, part: &str) -> Option<Range<usize>> {
        let mut start = 0;
        for (name, dtypes) in &self.parts {
            if name == part {
                return Some(start..start + dtypes.len());
            }
            start += dtypes.len();
        }
        None
    }

    /// Writes the results into the attributes of a node.
    pub(super) fn describe(&self, attrs: &mut Attrs) {
        let names = self.parts.iter().flat_map(|(n, d)| std::iter::repeat_n(n.clone(), d.len()));
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        let dtypes: Vec<DType> = self.types.iter().map(|t| t.dtype).collect();
        let shapes: Vec<Shape> = self.types.iter().map(|t| t.shape.clone()).collect();
        let kept = std::mem::take(attrs).with(TYPES, &dtypes).with(SHAPES, &shapes);
        *attrs = if names.is_empty() { kept } else { kept.with(RESULTS, &names) };
    }
}

/// A Rust type that occurs in the list attributes of files.
pub(super) trait Item: Sized {
    fn of(value: &Value) -> Option<Self>;
}

impl Item for DType {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Type(dtype) => Some(*dtype),
            _ => None,
        }
    }
}

impl Item for Shape {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Shape(shape) => Some(shape.clone()),
            _ => None,
        }
    }
}

/// The items, if the value is a list of this type.
pub(super) fn list_of<T: Item>(value: &Value) -> Option<Vec<T>> {
    match value {
        Value::List(items) => items.iter().map(T::of).collect(),
        _ => None,
    }
}

/// The dtype that a node's op takes at each input, where the attributes determine it.
pub(super) fn wanted(op: &'static OpDef, node: &NodeDef) -> Vec<Option<DType>> {
    let count = data_inputs(node).count();
    let length = |name: &str| match node.attrs.get(name)? {
        Value::Int(n) => usize::try_from(*n).ok(),
        Value::List(items) => Some(items.len()),
        _ => None,
    };
    let Ok(shares) = shares(op.inputs, count, length) else { return Vec::new() };
    let mut wanted = Vec::with_capacity(count);
    for (arg, range) in shares {
        wanted.extend((0..range.len()).map(|k| match arg.dtype {
            ArgType::Fixed(dtype) => Some(dtype),
            ArgType::Var(var) => DType::of(node.attrs.get(var)?),
            ArgType::Each(list) => list_of::<DType>(node.attrs.get(list)?)?.get(k).copied(),
        }));
    }
    wanted
}
