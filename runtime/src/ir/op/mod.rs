//! Definitions of ops: name, typed arguments, attributes, kind, effect, shape inference and kernel,
//! as one [`OpDef`]; and the registry of all of them.
//!
//! Names, arguments and attributes are those of TensorFlow's GraphDef, so that graphs can be exchanged.
//! Ops take and return arrays and types; only functions among their attributes know graphs.

mod arguments;
mod attr;
mod checked;
mod context;
mod def;
mod infer;
mod kernel;
pub mod kernels;
mod registry;

pub use arguments::{ArgDef, ArgType, AttrDef};
pub use attr::{Attr, AttrKey, AttrKind, AttrValue, Attrs};
pub use context::{KernelContext, Spare, no_kernel};
pub use def::{Effect, Forward, InferFn, OpDef, OpKind};
pub use infer::InferContext;
pub use kernel::{KEEP_DIMS, Kernel};
pub(crate) use kernel::{
    WORD, broadcast_plan, entry, map_to, only, only_called, reduced_axes, typed, worked,
};
pub(crate) use registry::ByOp;
pub use registry::{OpEntry, all_ops, check_names, find_op, register_op};
use smallvec::SmallVec;

use crate::array::Array;
use crate::types::{Error, Result, TensorType, caught_alone};

/// The results of a kernel: mostly one.
pub type Outputs = SmallVec<[Array; 1]>;
/// The inferred types of an op's results.
pub type Types = SmallVec<[TensorType; 1]>;

impl OpDef {
    /// Checks the inputs and runs the kernel.
    ///
    /// # Errors
    /// `InvalidArgument` for a wrong number of inputs or wrong dtypes, and for an attribute that is missing,
    /// also if it has a default; what inference refuses, and what the kernel refuses.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{AttrKey, Attrs, find_op};
    /// use extype::prelude::*;
    /// let x = Array::from_slice([2], &[1.0f32, 4.0])?;
    /// let attrs = Attrs::new().with(AttrKey::new("num"), &2i64).with(AttrKey::new("axis"), &0i64);
    /// assert_eq!(find_op("Unpack")?.run(&[&x], &attrs)?.len(), 2);
    /// let refused = find_op("Unpack")?.run(&[&x, &x], &attrs).unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Outputs> {
        let promised = match self.is_checked() {
            true => Some(self.infer_values(inputs, attrs)?),
            false => {
                self.accept(inputs, attrs)?;
                None
            }
        };
        let outputs = self.kernel.run(&KernelContext::new(inputs, attrs));
        let outputs = outputs.map_err(|e| self.explain(inputs, attrs, e))?;
        if let Some(promised) = promised {
            let kept = self.check_results(&outputs, &promised);
            kept.map_err(|e| e.with_op(self.rust_name))?;
        }
        Ok(outputs)
    }

    /// [`run`](Self::run) of an op that has one result.
    ///
    /// # Errors
    /// As [`run`](Self::run); `Internal` if it has another number of results.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// let (x, y) = (Array::from_slice([2], &[1.0f32, 4.0])?, Array::scalar(10.0f32));
    /// let sum = find_op("AddV2")?.run_one(&[&x, &y], &Attrs::new())?;
    /// assert_eq!(sum.as_slice::<f32>()?, &[11.0, 14.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    pub fn run_one(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Array> {
        if self.is_checked() {
            return self.run(inputs, attrs).and_then(only);
        }
        self.accept(inputs, attrs)?;
        let output = self.kernel.run_one(&KernelContext::new(inputs, attrs));
        output.map_err(|e| self.explain(inputs, attrs, e))
    }

    /// Checks a call.
    #[inline(always)]
    fn accept(&self, inputs: &[&Array], attrs: &Attrs) -> Result<()> {
        // Inference also checks that a branch that is not taken fits the others.
        let picks = matches!(self.kernel, Kernel::Branch(_) | Kernel::Loop(_));
        match picks || self.kernel.needs_inference() {
            true => self.infer_values(inputs, attrs).map(drop),
            false => {
                self.check_inputs(inputs.len(), |i| inputs[i].dtype())?;
                // The kernel takes the defaults of what is missing, and need not read what is there.
                match attrs.is_empty() {
                    true => Ok(()),
                    false => self.check_attributes(attrs).map_err(|e| e.with_op(self.rust_name)),
                }
            }
        }
    }

    /// The types of the results of a call on these values.
    #[inline(never)]
    pub(crate) fn infer_values(&self, inputs: &[&Array], attrs: &Attrs) -> Result<Types> {
        let types: SmallVec<[TensorType; 4]> = inputs.iter().map(|a| a.tensor_type()).collect();
        let constant = |i: usize| inputs.get(i).map(|a| (*a).clone());
        self.infer(&InferContext::new(&types, attrs, &constant))
    }

    /// The error to report for a failed kernel: that of inference, if it refuses the call as well.
    #[cold]
    fn explain(&self, inputs: &[&Array], attrs: &Attrs, error: Error) -> Error {
        self.infer_values(inputs, attrs).err().unwrap_or_else(|| error.with_op(self.rust_name))
    }

    /// Checks the inputs and infers the types of the results.
    ///
    /// # Errors
    /// `InvalidArgument` for inputs that the op refuses whatever their values, and for an attribute that is
    /// missing or of another kind.
    ///
    /// ```
    /// use extype::ir::{Attrs, InferContext, find_op};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let types = [TensorType::new(f32, shape![?, 3]), TensorType::new(f32, shape![2, 1])];
    /// let attrs = Attrs::new();
    /// let result = find_op("Less")?.infer(&InferContext::new(&types, &attrs, &|_| None))?;
    /// assert_eq!(result[0].to_string(), "bool[2, 3]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn infer(&self, context: &InferContext<'_>) -> Result<Types> {
        let types = context.inputs;
        self.check_inputs(types.len(), |i| types[i].dtype)?;
        self.check_attributes(context.attrs).map_err(|e| e.with_op(self.rust_name))?;
        if self.calls {
            let fits = |i: usize, ty: &TensorType| types[i].is_compatible_with(ty);
            self.check_functions(context.attrs, types.len(), &fits, &|i| types[i].clone())
                .map_err(|e| e.with_op(self.rust_name))?;
        }
        let inferred = caught_alone("shape inference", || (self.infer)(context));
        let inferred = inferred.and_then(|types| {
            if self.is_checked() {
                self.check_promised("the inference", context, &types)?;
            }
            Ok(types)
        });
        inferred.map_err(|e| e.with_op(self.rust_name))
    }
}
