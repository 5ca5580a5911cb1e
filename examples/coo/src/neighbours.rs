//! Graphs of neighbours, and labels that spread along their edges.

use extype::prelude::*;

use crate::CooMatrix;

/// The graph in which each point has edges to its `count` nearest ones, and they to it: symmetric,
/// float64 `[n, n]`, each edge 1 (2 if it is near both ways).
///
/// `points` is float64 `[n, features]`; the features are scaled to the same deviation first.
///
/// # Errors
/// `InvalidArgument` for other tensors, and for fewer points than `count + 1`.
///
/// ```
/// use extype::prelude::*;
/// use extype_coo::neighbours::graph;
/// let edges = graph(&tensor![[0.0], [1.0], [10.0], [11.0]], 1)?;
/// assert_eq!(edges.to_dense()?.index(0)?.as_slice::<f64>()?, &[0.0, 2.0, 0.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn graph(points: &Tensor, count: usize) -> Result<CooMatrix> {
    let n = points.shape().with_rank(2)?.dim(0)?.size().unwrap_or(0);
    if count >= n {
        return Err(Error::invalid(format!("{count} neighbours of each of {n} points")));
    }
    let mean = points.reduce_mean(0, KeepDims)?;
    let deviation = ops::reduce_std(points, 0, KeepDims)?;
    // A feature that is the same for all stays at zero.
    let scaled = ops::div_no_nan(ops::sub(points, &mean)?, &deviation)?;
    // [n, 1, f] and [1, n, f]: the distance of each two.
    let apart = ops::sub(&scaled.expand_dims(1)?, &scaled.expand_dims(0)?)?;
    let distance = apart.square()?.reduce_sum(-1, false)?;
    // Nobody is a neighbour of itself.
    let far = ops::mul(ops::eye(n, f64)?, f64::MAX)?;
    let (_, nearest) = ops::neg(ops::add(&distance, &far)?)?.top_k(count as i32)?;
    let from = ops::range(0i64, n as i64, 1)?.expand_dims(1)?.broadcast_to([n, count])?;
    let pairs = [from.reshape([-1])?, nearest.cast(i64)?.reshape([-1])?];
    let indices = ops::stack(&[&pairs[0], &pairs[1]], 1)?;
    let one_way = CooMatrix::new(indices, ops::fill([n * count], 1.0f64)?, n, n)?;
    ops::add(&one_way, ops::transpose(&one_way, [1, 0])?)?.summed()
}

/// Labels that spread from where they are known, `known` `[n, classes]` with a 1 in some rows, along
/// edges, symmetric `[n, n]`: how much speaks for each class, and the number of rounds.
///
/// A round gives each point `share` of what its neighbours have, and the rest of what is known of it; it is done
/// when nothing changes by more than `tolerance` (Zhou et al., Learning with Local and Global Consistency, 2003).
///
/// # Errors
/// `InvalidArgument` if the shapes don't fit.
#[tf_function]
pub fn spread(
    edges: &CooMatrix,
    known: &Tensor,
    share: &Tensor,
    tolerance: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let root = ops::reduce_sum(edges, 1, false)?.rsqrt()?;
    let along = ops::mul(edges.scaled(&root, &root)?, share)?;
    let fixed = ops::mul(known, ops::sub(1.0, share)?)?;
    let (mut labels, mut rounds) = (known.clone(), scalar(0i64));
    let mut change = scalar(f64::INFINITY);
    while &change > tolerance {
        let next = ops::add(ops::matmul(&along, &labels)?, &fixed)?;
        change = ops::sub(&next, &labels)?.abs()?.reduce_max(.., false)?;
        labels = next;
        rounds += 1;
    }
    Ok((labels, rounds))
}
