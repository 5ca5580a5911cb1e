//! Kernels are values: a pass outside the library finds two elementwise nodes in a graph, and runs
//! them block by block through the entries that eager calls use.

use std::mem::MaybeUninit;

use extype::ConcreteFunction;
use extype::array::Array;
use extype::ir::kernels::table::{MapFn, Pairing, Tabled, ZipFn};
use extype::ir::{Attrs, Kernel, KernelContext, kernels::Par};
use extype::prelude::*;

/// So many elements stay in the first cache with what is computed from them.
const BLOCK: usize = 512;

/// `map(zip(x, constant))`, as found in a graph.
struct Fused {
    zip: ZipFn<f32, f32>,
    constant: Array,
    map: MapFn<f32, f32>,
}

/// The last two nodes, if they are a zip with a constant scalar and a map of its result.
fn fuse(f: &ConcreteFunction) -> Option<Fused> {
    let function = f.graph();
    let nodes = function.graph.nodes();
    let outer = function.graph.node(function.outputs.first()?.node);
    let inner = function.graph.node(outer.inputs.first()?.node);
    let of = |node: &extype::ir::Node| {
        let first = function.graph.output_type(*node.inputs.first()?);
        Some(node.op.kernel.chosen(first.dtype, &node.attrs))
    };
    assert!(nodes.len() >= 3);
    let (Kernel::Map(map), Kernel::Zip(zip)) = (of(outer)?, of(inner)?) else { return None };
    let constant = function.graph.node(inner.inputs.get(1)?.node).constant()?.clone();
    Some(Fused { zip: f32::entry(zip)?, constant, map: f32::entry(map)? })
}

/// The elements as kernels take them.
fn stored(elements: &mut [f32]) -> &mut [MaybeUninit<f32>] {
    // SAFETY: of the same layout; kernels store elements only.
    unsafe { &mut *(std::ptr::from_mut(elements) as *mut [MaybeUninit<f32>]) }
}

impl Fused {
    /// Runs both on a block at a time; what is between them never leaves the cache.
    fn run(&self, x: &Array) -> Result<Array> {
        let attrs = Attrs::new();
        let c = KernelContext::new(&[], &attrs);
        let (x, y) = (x.as_slice::<f32>()?, self.constant.as_slice::<f32>()?);
        c.output_slice::<f32>(&[x.len()], |out| {
            for (block, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
                let between = c.output_slice::<f32>(&[block.len()], |between| {
                    (self.zip)(block, y, Pairing::Right, stored(between), Par::Seq);
                    Ok(())
                })?;
                (self.map)(between.as_slice()?, stored(out), Par::Seq);
            }
            Ok(())
        })
    }
}

#[test]
fn two_elementwise_nodes_are_fused_through_their_kernels() -> Result<()> {
    let f = function(|x: &Tensor| (x * 0.5).tanh());
    let x = Tensor::from_vec((0..5000).map(|i| i as f32 / 100.0 - 25.0).collect());
    let eager = (&x * 0.5).tanh()?;
    assert!(f.call(&x)?.value()?.identical(eager.value()?));
    let concrete = &f.concrete_functions()[0];
    let fused = fuse(concrete).expect("a product and a tangent");
    assert!(fused.run(x.value()?)?.identical(eager.value()?));
    Ok(())
}

#[test]
fn what_is_no_pair_of_elementwise_nodes_is_left_alone() -> Result<()> {
    let f = function(|x: &Tensor| x.reduce_sum(.., false));
    f.call(&tensor![1.0f32, 2.0])?;
    assert!(fuse(&f.concrete_functions()[0]).is_none());
    Ok(())
}
