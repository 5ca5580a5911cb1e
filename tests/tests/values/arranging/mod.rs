//! Sorting, distinct elements, searches, partitions, blocks and counts: against plain loops, and
//! wrong uses.

mod bad_input;
mod edges;
mod einsum;
mod gradients;
mod properties;
mod traced;
