//! Batches of ops that make tensors.

use crate::ops::movement::batch::{asked, broadcast};
use crate::ops::rules::batch::{Batch, Batched};
use crate::types::Result;

pub(in crate::ops) fn fill(b: &Batch<'_>) -> Result<Batched> {
    let (Some(dims), Some(_)) = (asked(b, 0)?, b.each(1)) else { return Ok(None) };
    broadcast(b, 1, &dims)
}
