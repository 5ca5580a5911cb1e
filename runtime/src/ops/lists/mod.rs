//! Lists of tensors in variants, in which loops collect results.

mod boxes;
mod gradient;
mod infer;
mod kernel;
pub(in crate::ops) mod list;
mod sparse;

use crate::array::Array;
use crate::define_op;
use crate::ops::movement::MOVABLE;
use crate::types::{DType, DTypeSet, Result, Shape, TensorType};

pub(crate) use boxes::rows_like;
pub(crate) use list::TensorList;

/// A list of these arrays in a variant; `ty` is the type of the elements.
///
/// # Errors
/// `InvalidArgument` for an array of another type.
pub(crate) fn list_of(ty: &TensorType, items: Vec<Array>) -> Result<Array> {
    TensorList::from_items(ty, items)
}

define_op! {
    /// Makes an empty list for elements of this shape (-1 for an unknown size), at most
    /// `max_num_elements` if that is not negative.
    ///
    /// TensorFlow: `EmptyTensorList`.
    pub op EmptyTensorList = "EmptyTensorList" {
        inputs: { element_shape: shape_type, max_num_elements: {I32} }, outputs: { handle: {Variant} },
        types: { shape_type: DTypeSet::INDEX }, attrs: { dtype as "element_dtype": DType },
        dispatch: none,
        infer: infer::new_list, kernel: kernel::empty,
        gradient: none,
    }

    /// Makes a list of `num_elements` elements of this shape that are not set and count as zeros.
    ///
    /// TensorFlow: `TensorListReserve`.
    pub op TensorListReserve = "TensorListReserve" {
        inputs: { element_shape: shape_type, num_elements: {I32} }, outputs: { handle: {Variant} },
        types: { shape_type: DTypeSet::INDEX }, attrs: { dtype as "element_dtype": DType },
        dispatch: none,
        infer: infer::new_list, kernel: kernel::reserve,
        gradient: none,
    }

    /// Makes a list of the rows of a tensor.
    ///
    /// TensorFlow: `TensorListFromTensor`.
    pub op TensorListFromTensor = "TensorListFromTensor" {
        inputs: { tensor: element_dtype, element_shape: shape_type }, outputs: { output_handle: {Variant} },
        types: { element_dtype: DTypeSet::DATA, shape_type: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::of_rows, kernel: kernel::from_tensor,
        gradient: gradient::from_tensor,
    }

    /// Returns the number of elements of a list.
    ///
    /// TensorFlow: `TensorListLength`.
    pub op TensorListLength = "TensorListLength" {
        inputs: { input_handle: {Variant} }, outputs: { length: {I32} },
        dispatch: none,
        infer: infer::len, kernel: SelfChecked(kernel::len),
        gradient: none,
    }

    /// Returns the shape of the elements of a list: -1 is an unknown size, a scalar -1 an unknown
    /// shape.
    ///
    /// TensorFlow: `TensorListElementShape`.
    pub op TensorListElementShape = "TensorListElementShape" {
        inputs: { input_handle: {Variant} }, outputs: { element_shape: shape_type },
        attrs: { dtype as "shape_type": DType },
        dispatch: none,
        infer: infer::element_shape, kernel: kernel::element_shape,
        gradient: none,
    }

    /// Returns a list with one element more.
    ///
    /// TensorFlow: `TensorListPushBack`.
    pub op TensorListPushBack = "TensorListPushBack" {
        inputs: { input_handle: {Variant}, tensor: element_dtype }, outputs: { output_handle: {Variant} },
        types: { element_dtype: DTypeSet::DATA },
        dispatch: none,
        infer: infer::list, kernel: Change(kernel::push_back),
        gradient: gradient::push_back,
    }

    /// Returns a list without its last element, and the element.
    ///
    /// TensorFlow: `TensorListPopBack`.
    pub op TensorListPopBack = "TensorListPopBack" {
        inputs: { input_handle: {Variant}, element_shape: {I32} },
        outputs: { output_handle: {Variant}, tensor: element_dtype },
        attrs: { dtype as "element_dtype": DType },
        dispatch: none,
        infer: infer::pop_back, kernel: Change(kernel::pop_back),
        gradient: gradient::pop_back,
    }

    /// Returns an element of a list.
    ///
    /// TensorFlow: `TensorListGetItem`.
    pub op TensorListGetItem = "TensorListGetItem" {
        inputs: { input_handle: {Variant}, index: {I32}, element_shape: {I32} },
        outputs: { item: element_dtype },
        attrs: { dtype as "element_dtype": DType },
        dispatch: none,
        infer: infer::get_item, kernel: SelfChecked(kernel::get_item),
        gradient: gradient::get_item,
    }

    /// Returns a list with another value for one element; if `grows`, the list is extended as needed.
    ///
    /// TensorFlow: `TensorListSetItem`.
    pub op TensorListSetItem = "TensorListSetItem" {
        inputs: { input_handle: {Variant}, index: {I32}, item: element_dtype },
        outputs: { output_handle: {Variant} },
        types: { element_dtype: MOVABLE },
        attrs: { grows as "resize_if_index_out_of_bounds": bool = false },
        dispatch: none,
        infer: infer::set_item, kernel: Change(kernel::set_item),
        gradient: gradient::set_item,
    }

    /// Returns a list resized to `size` elements; added ones are zeros.
    ///
    /// TensorFlow: `TensorListResize`.
    pub op TensorListResize = "TensorListResize" {
        inputs: { input_handle: {Variant}, size: {I32} }, outputs: { output_handle: {Variant} },
        dispatch: none,
        infer: infer::set_item, kernel: Change(kernel::resize),
        gradient: gradient::resize,
    }

    /// Stacks the elements of a list as the rows of a tensor.
    ///
    /// TensorFlow: `TensorListStack`.
    pub op TensorListStack = "TensorListStack" {
        inputs: { input_handle: {Variant}, element_shape: {I32} }, outputs: { tensor: element_dtype },
        attrs: { dtype as "element_dtype": DType, num_elements: i64 = -1 },
        dispatch: none,
        infer: infer::stack, kernel: kernel::stack,
        gradient: gradient::stack,
    }

    /// Stacks the elements of a list at indices as the rows of a tensor.
    ///
    /// TensorFlow: `TensorListGather`.
    pub op TensorListGather = "TensorListGather" {
        inputs: { input_handle: {Variant}, indices: {I32}, element_shape: {I32} },
        outputs: { values: element_dtype },
        attrs: { dtype as "element_dtype": DType },
        dispatch: none,
        infer: infer::gather, kernel: kernel::gather,
        gradient: gradient::gather,
    }

    /// Makes a list of the rows of a tensor, each at its index; as long as needed, and at least
    /// `num_elements` long.
    ///
    /// TensorFlow: `TensorListScatterV2`.
    pub op TensorListScatter = "TensorListScatterV2" {
        inputs: {
            tensor: element_dtype, indices: {I32}, element_shape: shape_type, num_elements: {I32}
        },
        outputs: { output_handle: {Variant} },
        types: { element_dtype: DTypeSet::DATA, shape_type: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::of_scattered, kernel: kernel::scatter_v2,
        gradient: gradient::scatter_v2,
    }

    /// Returns a list with the elements at the indices replaced by the rows of a tensor.
    ///
    /// TensorFlow: `TensorListScatterIntoExistingList`.
    pub op TensorListScatterInto = "TensorListScatterIntoExistingList" {
        inputs: { input_handle: {Variant}, tensor: element_dtype, indices: {I32} },
        outputs: { output_handle: {Variant} },
        types: { element_dtype: DTypeSet::DATA },
        dispatch: none,
        infer: infer::scattered_into, kernel: Change(kernel::scatter_into),
        gradient: gradient::scatter_into,
    }

    /// Joins the elements of a list along their first axis; also gives their sizes along it.
    /// Elements that were never set have the sizes in `leading_dims`.
    ///
    /// TensorFlow: `TensorListConcatV2`.
    pub op TensorListConcat = "TensorListConcatV2" {
        inputs: { input_handle: {Variant}, element_shape: shape_type, leading_dims: {I64} },
        outputs: { tensor: element_dtype, lengths: {I64} },
        types: { shape_type: DTypeSet::INDEX }, attrs: { dtype as "element_dtype": DType },
        dispatch: none,
        infer: infer::concat, kernel: kernel::concat,
        gradient: gradient::concat,
    }

    /// Makes a list of the parts of a tensor along its first axis, with these sizes.
    ///
    /// TensorFlow: `TensorListSplit`.
    pub op TensorListSplit = "TensorListSplit" {
        inputs: { tensor: element_dtype, element_shape: shape_type, lengths: {I64} },
        outputs: { output_handle: {Variant} },
        types: { element_dtype: DTypeSet::DATA, shape_type: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::of_parts, kernel: kernel::split,
        gradient: gradient::split,
    }

    /// Puts rows of `values` into variants of the shape of `sizes`: the first `sizes[0]` rows into the first
    /// one, and so on. What is stacked, reshaped or joined of such variants stands for the rows in them.
    pub op BoxRows = "Extype>BoxRows" {
        inputs: { values: T, sizes: {I64} }, outputs: { boxes: {Variant} },
        types: { T: DTypeSet::DATA },
        dispatch: none,
        infer: boxes::boxed_types, kernel: boxes::boxed,
        gradient: boxes::boxed_gradient,
    }

    /// Returns the rows in variants that `BoxRows` made, one after the other, and how many each holds. Attribute
    /// `shape` is that of the rows of one variant.
    pub op UnboxRows = "Extype>UnboxRows" {
        inputs: { boxes: {Variant} }, outputs: { values: dtype, sizes: {I64} },
        attrs: { dtype: DType, shape: Shape },
        dispatch: none,
        infer: boxes::unboxed_types, kernel: boxes::unboxed,
        gradient: boxes::unboxed_gradient,
    }
}
