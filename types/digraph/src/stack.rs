//! Batches of graphs: their disjoint union.

use extype::prelude::*;
use extype::spec::{Boxes, Stackable};

use crate::graph::owners;
use crate::{Digraph, DigraphSpec};

/// A stack has the nodes and edges of all graphs one after the other; ends count nodes of all.
///
/// The parts of a value are nodes, edges and ends that count its own nodes; those of a batch are also the numbers of
/// nodes and edges of its graphs. So batches of one stack have equal numbers of graphs.
impl Stackable for Digraph {
    fn stacked_spec(one: &DigraphSpec, n: Dim) -> Result<DigraphSpec> {
        Ok(DigraphSpec {
            nodes: any_rows(&one.nodes)?,
            edges: any_rows(&one.edges)?,
            ends: any_rows(&one.ends)?,
            node_counts: one.node_counts.stacked(n),
            edge_counts: one.edge_counts.stacked(n),
        })
    }

    fn unstacked_spec(stack: &DigraphSpec) -> Result<DigraphSpec> {
        Ok(DigraphSpec {
            nodes: any_rows(&stack.nodes)?,
            edges: any_rows(&stack.edges)?,
            ends: any_rows(&stack.ends)?,
            node_counts: stack.node_counts.unstacked()?,
            edge_counts: stack.edge_counts.unstacked()?,
        })
    }

    fn box_specs(one: &DigraphSpec) -> Result<Vec<TensorSpec>> {
        let mut parts = vec![any_rows(&one.nodes)?, any_rows(&one.edges)?, any_rows(&one.ends)?];
        if one.node_counts.shape.rank() != Some(0) {
            parts.extend([any_rows(&one.node_counts)?, any_rows(&one.edge_counts)?]);
        }
        Ok(parts)
    }

    fn to_boxes(&self, rank: usize) -> Result<Vec<Boxes>> {
        let levels = self
            .node_counts
            .rank()
            .ok_or_else(|| Error::invalid("an unknown number of batches"))?;
        if levels < rank {
            let text = format!("a graph batched {levels} times is no stack of {rank} levels");
            return Err(Error::invalid(text));
        }
        let within: Vec<i64> = (rank as i64..levels as i64).collect();
        let per_box = |counts: &Tensor| match within.is_empty() {
            true => Ok(counts.clone()),
            false => counts.reduce_sum(within.clone(), false),
        };
        let (nodes, edges) = (per_box(&self.node_counts)?, per_box(&self.edge_counts)?);
        let starts = starts(&nodes)?.gather(&owners(&edges)?, 0)?.expand_dims(1)?;
        let ends = ops::sub(&self.ends, &starts)?;
        let mut parts = vec![
            Boxes { values: self.nodes.clone(), sizes: nodes },
            Boxes { values: self.edges.clone(), sizes: edges.clone() },
            Boxes { values: ends, sizes: edges },
        ];
        if !within.is_empty() {
            let sizes = ops::shape_of(&self.node_counts)?.cast(DType::I64)?;
            let array = sizes.slice([0], [rank])?;
            let each = sizes.gather(rank as i64, 0)?;
            let inner = sizes.slice([rank + 1], [-1])?;
            let dims = ops::concat(&[&Tensor::from_vec(vec![-1i64]), &inner], 0)?;
            for counts in [&self.node_counts, &self.edge_counts] {
                parts.push(Boxes {
                    values: counts.reshape(&dims)?,
                    sizes: ops::fill(&array, &each)?,
                });
            }
        }
        Ok(parts)
    }

    fn from_boxes(_: &DigraphSpec, boxes: Vec<Boxes>) -> Result<Self> {
        let mut boxes = boxes.into_iter();
        let mut next =
            || boxes.next().ok_or_else(|| Error::invalid("a part of a graph is missing"));
        let (nodes, edges, ends) = (next()?, next()?, next()?);
        let starts = starts(&nodes.sizes)?.gather(&owners(&edges.sizes)?, 0)?.expand_dims(1)?;
        let ends = ops::add(&ends.values, &starts)?;
        let array = ops::shape_of(&nodes.sizes)?.cast(DType::I64)?;
        // Of a batch, how many graphs are in each box: as many in all.
        let counts = |boxes: Boxes| {
            let inner = ops::shape_of(&boxes.values)?.cast(DType::I64)?.slice([1], [-1])?;
            let each = boxes.sizes.reshape([-1])?.reduce_max([0], true)?.maximum(0)?;
            boxes.values.reshape(&ops::concat(&[&array, &each, &inner], 0)?)
        };
        let (node_counts, edge_counts) = match (next(), next()) {
            (Ok(nodes), Ok(edges)) => (counts(nodes)?, counts(edges)?),
            _ => (nodes.sizes, edges.sizes),
        };
        Ok(Self { nodes: nodes.values, edges: edges.values, ends, node_counts, edge_counts })
    }
}

/// The number of the first node of each graph: int64 `[g]`.
fn starts(counts: &Tensor) -> Result<Tensor> {
    let counts = counts.reshape([-1])?;
    ops::sub(&counts.cumsum(0)?, &counts)
}

/// The spec with any number of rows.
fn any_rows(spec: &TensorSpec) -> Result<TensorSpec> {
    Ok(TensorSpec::new(
        shape![?].concatenate(&spec.shape.with_rank_at_least(1)?.slice(Some(1), None)),
        spec.dtype,
    ))
}
