//! Graphs: messages, batches, and a layer that learns.

use extype::prelude::*;
use extype::spec::{concat_values, stack_values, unstack_values};
use extype_digraph::{Digraph, GraphConvolution};

/// 0 → 1, 0 → 2, 1 → 2, 2 → 0.
fn graph() -> Digraph {
    let ends = [[0i64, 1], [0, 2], [1, 2], [2, 0]];
    Digraph::new([1.0f32, 2.0, 3.0], [10.0f32, 20.0, 30.0, 40.0], ends).unwrap()
}

/// 0 → 1.
fn small() -> Digraph {
    Digraph::new([5.0f32, 6.0], [50.0f32], [[0i64, 1]]).unwrap()
}

fn none() -> Digraph {
    let empty = || Tensor::from_slice::<f32>(&[], &[0]).unwrap();
    Digraph::new(empty(), empty(), Tensor::from_slice::<i64>(&[], &[0, 2]).unwrap()).unwrap()
}

fn floats(x: &Tensor) -> Vec<f32> {
    x.as_slice::<f32>().unwrap().to_vec()
}

fn integers(x: &Tensor) -> Vec<i64> {
    x.as_slice::<i64>().unwrap().to_vec()
}

#[test]
fn messages_meet_at_nodes() -> Result<()> {
    let g = graph();
    assert_eq!(floats(&g.pass(&g.edges)?), [40.0, 10.0, 50.0]);
    assert_eq!(floats(&g.pass_mean(&g.edges)?), [40.0, 10.0, 25.0]);
    assert_eq!(floats(&g.pass_max(&g.edges)?), [40.0, 10.0, 30.0]);
    assert_eq!(floats(&g.pass(&g.at_sources(&g.nodes)?)?), [3.0, 1.0, 3.0]);
    assert_eq!(floats(&g.at_targets(&g.nodes)?), [2.0, 3.0, 3.0, 1.0]);
    assert_eq!(
        (integers(&g.in_degrees()?), integers(&g.out_degrees()?)),
        (vec![1, 1, 2], vec![2, 1, 1])
    );
    assert_eq!(integers(&g.neighbours(0)?), [1, 2]);
    assert_eq!(integers(&g.neighbours(9)?), [0i64; 0]);
    // Rows of features.
    let rows = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]];
    assert_eq!(floats(&g.pass(&rows)?), [7.0, 8.0, 1.0, 2.0, 8.0, 10.0]);
    assert!(g.pass(&tensor![1.0f32]).is_err());
    assert_eq!(floats(&none().pass(&none().edges)?), [0.0f32; 0]);
    Ok(())
}

#[test]
fn spreading_is_a_product_with_the_normalized_adjacency() -> Result<()> {
    let g = graph().both_ways()?;
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let mut adjacency = [[0.0f32; 3]; 3];
    for ends in integers(&g.ends).chunks(2) {
        adjacency[ends[1] as usize][ends[0] as usize] += 1.0;
    }
    let degrees: Vec<f32> = adjacency.iter().map(|row| row.iter().sum::<f32>() + 1.0).collect();
    for (i, row) in adjacency.iter_mut().enumerate() {
        row[i] += 1.0;
        row.iter_mut().enumerate().for_each(|(j, a)| *a /= (degrees[i] * degrees[j]).sqrt());
    }
    let wanted = tensor![
        [adjacency[0][0], adjacency[0][1], adjacency[0][2]],
        [adjacency[1][0], adjacency[1][1], adjacency[1][2]],
        [adjacency[2][0], adjacency[2][1], adjacency[2][2]]
    ]
    .matmul(&x)?;
    let found = g.spread(&x)?;
    assert!(floats(&found).iter().zip(floats(&wanted)).all(|(a, b)| (a - b).abs() < 1e-5));
    Ok(())
}

#[test]
fn a_batch_is_the_disjoint_union() -> Result<()> {
    let batch = stack_values(&[graph(), small(), none(), small()])?;
    assert_eq!(integers(&batch.node_counts), [3, 2, 0, 2]);
    assert_eq!(integers(&batch.ends), [0, 1, 0, 2, 1, 2, 2, 0, 3, 4, 5, 6]);
    assert_eq!(integers(&batch.graph_of_nodes()?), [0, 0, 0, 1, 1, 3, 3]);
    assert_eq!(floats(&batch.pool_sum(&batch.nodes)?), [6.0, 11.0, 0.0, 11.0]);
    assert_eq!(floats(&batch.pool_mean(&batch.nodes)?), [2.0, 5.5, 0.0, 5.5]);
    assert_eq!(floats(&graph().pool_sum(&graph().nodes)?), [6.0]);
    // What is computed of the batch is computed of each.
    let passed = batch.pass(&batch.edges)?;
    assert_eq!(floats(&passed), [40.0, 10.0, 50.0, 0.0, 50.0, 0.0, 50.0]);
    for (one, again) in [graph(), small(), none(), small()].iter().zip(unstack_values(&batch)?) {
        assert_eq!(
            (integers(&one.ends), floats(&one.nodes)),
            (integers(&again.ends), floats(&again.nodes))
        );
        assert_eq!(floats(&one.edges), floats(&again.edges));
        assert_eq!(again.node_counts.rank(), Some(0));
    }
    let both = batch.both_ways()?;
    assert_eq!(integers(&both.edge_counts), [8, 2, 0, 2]);
    let second = &unstack_values(&both)?[1];
    assert_eq!(integers(&second.ends), [0, 1, 1, 0]);
    let loops = &unstack_values(&batch.with_loops(&batch.nodes)?)?[1];
    assert_eq!(
        (integers(&loops.ends), floats(&loops.edges)),
        (vec![0, 1, 0, 0, 1, 1], vec![50.0, 5.0, 6.0])
    );
    Ok(())
}

#[test]
fn batches_of_batches_come_apart() -> Result<()> {
    let (a, b) = (stack_values(&[graph(), small()])?, stack_values(&[small(), small()])?);
    let deep = stack_values(&[a.clone(), b])?;
    assert_eq!(deep.node_counts.shape(), shape![2, 2]);
    assert_eq!(floats(&deep.pool_sum(&deep.nodes)?), [6.0, 11.0, 11.0, 11.0]);
    let again = &unstack_values(&deep)?[0];
    assert_eq!(
        (integers(&again.ends), integers(&again.edge_counts)),
        (integers(&a.ends), vec![4, 1])
    );
    let joined = concat_values(&[a.clone(), stack_values(&[small()])?])?;
    assert_eq!(
        (integers(&joined.node_counts), integers(&joined.ends)[10..].to_vec()),
        (vec![3, 2, 2], vec![5, 6])
    );
    let sums = map_fn(&a, |g: Digraph| g.pass(&g.edges)?.reduce_sum(.., false))?;
    assert_eq!(floats(&sums), [100.0, 50.0]);
    // As many graphs in each batch.
    assert!(stack_values(&[a, stack_values(&[small()])?]).is_err());
    Ok(())
}

#[test]
fn one_trace_serves_graphs_of_all_sizes() -> Result<()> {
    #[tf_function(reduce_retracing)]
    fn arrived(g: &Digraph) -> Result<Tensor> {
        let g = g.both_ways()?;
        g.pass(&ops::mul(&g.edges, &g.at_sources(&g.nodes)?)?)
    }
    assert_eq!(floats(&arrived(&small())?), [300.0, 250.0]);
    for g in [graph(), small(), none()] {
        let both = g.both_ways()?;
        let wanted = both.pass(&ops::mul(&both.edges, &both.at_sources(&both.nodes)?)?)?;
        assert_eq!(floats(&arrived(&g)?), floats(&wanted));
    }
    assert_eq!(arrived::trace_count(), 2);
    let slope = grad(|g: &Digraph| {
        g.pass(&ops::mul(&g.edges, &g.at_sources(&g.nodes)?)?)?.reduce_sum(.., false)
    })(&graph())?;
    assert_eq!(
        (floats(&slope.nodes), floats(&slope.edges)),
        (vec![30.0, 30.0, 40.0], vec![1.0, 1.0, 2.0, 3.0])
    );
    Ok(())
}

#[test]
fn what_is_no_graph_is_refused() {
    let refused = |ends: Tensor, text: &str| {
        let e = Digraph::new([1.0f32, 2.0], [1.0f32], ends).unwrap_err();
        assert!(e.message().contains(text), "{e}");
    };
    refused(tensor![[0i64, -1]], "edge 0 goes from 0 to -1");
    refused(tensor![[0i64, 1], [1, 0]], "1 edges, but `ends` of shape [2, 2]");
    refused(tensor![[0i32, 1]], "int64");
    refused(tensor![0i64, 1], "`ends`");
    assert!(Digraph::new(1.0f32, [1.0f32], [[0i64, 0]]).unwrap_err().message().contains("`nodes`"));
    assert!(graph().neighbours(0.5f32).unwrap_err().message().contains("float32"));
    let g = graph();
    assert!(g.pool_sum(&tensor![1.0f32]).is_err() && g.at_sources(&tensor![1.0f32]).is_err());
    assert!(g.with_nodes(&tensor![1.0f32]).unwrap_err().message().contains("1 rows for 3 nodes"));
    // Features of another width or dtype make no batch.
    let wide = Digraph::new([[1.0f32, 2.0]], [1.0f32], [[0i64, 0]]).unwrap();
    let double = Digraph::new([1.0f64], [1.0f32], [[0i64, 0]]).unwrap();
    assert!(stack_values(&[graph(), wide]).is_err() && stack_values(&[graph(), double]).is_err());
}

#[test]
fn loops_and_twins_are_edges_as_others() -> Result<()> {
    let g = Digraph::new([1.0f32, 2.0], [1.0f32, 10.0, 100.0], [[0i64, 0], [0, 1], [0, 1]])?;
    assert_eq!(floats(&g.pass(&g.edges)?), [1.0, 110.0]);
    assert_eq!((integers(&g.in_degrees()?), integers(&g.out_degrees()?)), (vec![1, 2], vec![3, 0]));
    assert_eq!(integers(&g.neighbours(0)?), [0, 1, 1]);
    let none = none();
    assert_eq!(floats(&none.pool_sum(&none.nodes)?), [0.0]);
    assert_eq!(integers(&none.both_ways()?.ends), [0i64; 0]);
    let empty = stack_values(&[none.clone(), none])?;
    assert_eq!(floats(&empty.pool_mean(&empty.nodes)?), [0.0, 0.0]);
    Ok(())
}

#[test]
fn a_convolution_learns() -> Result<()> {
    use extype::train::{Adam, SparseCategoricalCrossentropy};
    let g = Digraph::new(ops::eye(4, f32)?, [1.0f32, 1.0], [[0i64, 1], [2, 3]])?.both_ways()?;
    let (layer, optimizer) = (GraphConvolution::new(4, 2, 1)?, Adam::new(0.1));
    let params = (layer.kernel.clone(), layer.bias.clone());
    let loss = SparseCategoricalCrossentropy::new().from_logits();
    for _ in 0..60 {
        let tape = GradientTape::new();
        let (_, gradients) = tape.value_and_gradient(&params, || {
            // Only nodes 0 and 2 are told.
            loss.call(&tensor![0i64, 1], &layer.call(&g)?.gather(&tensor![0i64, 2], 0)?)
        })?;
        optimizer.apply(&gradients, &params)?;
    }
    assert_eq!(integers(&layer.call(&g)?.argmax(1)?), [0, 0, 1, 1]);
    Ok(())
}
