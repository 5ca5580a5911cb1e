//! Random numbers: Philox4x32-10 and the distributions TensorFlow draws from it.
//!
//! An element depends only on the key, the counter and its position. Uniform numbers and integers have the same bits as
//! in TensorFlow; normal ones differ by the rounding of the functions in the Box-Muller transform.

mod choice;
mod distributions;
mod normal;
mod philox;
mod uniform;

pub use choice::{categorical, permutation};
pub use distributions::{
    Refused, Truncation, binomial, gamma, index_shuffle, poisson, truncated_f32, truncated_f64,
};
pub use normal::{Normal, normal, truncated_normal};
pub use philox::{Philox, Words};
pub use uniform::{
    Uniform, UniformInt, uniform, uniform_full_int, uniform_int, unit_f32, unit_f64,
};

use crate::element::Element;
use crate::par::Par;
use core::mem::MaybeUninit;
use philox::BLOCKS;

/// The cost of a random element, in additions.
const COST: usize = 8;

/// Fills `out` with `N` elements from each block.
fn fill_blocks<T: Element, const N: usize>(
    generator: Philox,
    out: &mut [MaybeUninit<T>],
    par: Par,
    convert: impl Fn([u32; 4]) -> [T; N] + Copy + Send + Sync,
) {
    let work = out.len().saturating_mul(COST);
    par.for_parts(out, N * BLOCKS, work, &|start, out| {
        for (i, out) in out.chunks_mut(N * BLOCKS).enumerate() {
            // The blocks are the expensive part; all types share the loop that makes them.
            let blocks = generator.blocks((start / N + i * BLOCKS) as u64);
            for (out, block) in out.chunks_mut(N).zip(blocks) {
                for (out, x) in out.iter_mut().zip(convert(block)) {
                    out.write(x);
                }
            }
        }
    });
}

/// Fills `out` group by group, `N` elements for each index. `groups` writes whole groups, starting with an index.
fn fill_groups<T: Element, const N: usize>(
    out: &mut [MaybeUninit<T>],
    par: Par,
    groups: &(dyn Fn(u64, &mut [[MaybeUninit<T>; N]]) + Sync),
) {
    let work = out.len().saturating_mul(COST);
    par.for_parts(out, N, work, &|start, out| {
        let first = (start / N) as u64;
        let (whole, rest) = out.as_chunks_mut::<N>();
        groups(first, whole);
        let mut last = [[MaybeUninit::uninit(); N]];
        groups(first + whole.len() as u64, &mut last);
        rest.copy_from_slice(&last[0][..rest.len()]);
    });
}
