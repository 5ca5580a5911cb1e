//! Concrete functions of graphs that were not traced here.

use std::sync::Arc;

use super::concrete::{ConcreteFunction, Trace};
use crate::ir::LibraryFunction;
use crate::spec::AnySpec;
use crate::tensor::{Capture, Tensor};
use crate::types::{Result, bail};

impl ConcreteFunction {
    /// The function of a graph that was read, with what is fed as its last inputs. It keeps state among those alive.
    pub(crate) fn restored(
        function: Arc<LibraryFunction>,
        captures: Vec<Tensor>,
        inputs: Vec<(String, AnySpec)>,
        output: AnySpec,
    ) -> Result<Self> {
        let Some(graph) = function.graph() else { bail!("it has no graph") };
        let types: Vec<_> = graph.input_types().skip(graph.num_arguments).collect();
        if types.len() != captures.len() {
            bail!("{} captures for {} inputs", captures.len(), types.len());
        }
        for (i, (capture, ty)) in captures.iter().zip(types).enumerate() {
            if capture.dtype() != ty.dtype || !capture.shape().is_compatible_with(&ty.shape) {
                bail!("capture {i} is {}, not {ty}", capture.tensor_type());
            }
        }
        let (parameters, inputs): (Vec<String>, Vec<AnySpec>) = inputs.into_iter().unzip();
        let leaves: usize = inputs.iter().map(|spec| spec.leaves().len()).sum();
        if leaves != graph.num_arguments || output.leaves().len() != graph.outputs.len() {
            bail!(
                "the structures have {leaves} arguments and {} results, the graph {} and {}",
                output.leaves().len(),
                graph.num_arguments,
                graph.outputs.len()
            );
        }
        let captures = captures.into_iter().map(Capture::Tensor).collect();
        Ok(Self(Arc::new(Trace::of_function(function, captures, (inputs, output), parameters))))
    }
}
