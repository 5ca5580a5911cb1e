//! Products read transposed, sliced and split operands where they lie; the results are those of the ops one by one.

use extype::prelude::*;
use proptest::prelude::*;

use crate::random::same;

fn numbers(dims: &[i64]) -> Result<Tensor> {
    let len: i64 = dims.iter().product();
    Tensor::from_vec((0..len).map(|i| (i as f32 * 0.7).sin()).collect::<Vec<_>>()).reshape(dims)
}

/// The ops that compute the results of a function of a tensor of these sizes.
fn ops_of(f: impl Fn(&Tensor) -> Result<Tensor> + 'static, dims: &[usize]) -> Result<String> {
    function(move |x: &Tensor| f(x)).concrete(&TensorSpec::of::<f32>(dims))?.program()
}

#[test]
fn attention_reads_queries_keys_and_values_in_place() -> Result<()> {
    let f = |x: &Tensor| {
        let all = x.reshape([2, 20, 3, 4, 16])?.transpose([2, 0, 3, 1, 4])?.unstack(3, 0)?;
        let scores = all[0].matmul(all[1].transpose([0, 1, 3, 2])?)?;
        scores.matmul(&all[2])
    };
    let x = numbers(&[2, 20, 192])?;
    same(&f(&x)?, &function(f).call(&x)?)?;
    let text = ops_of(f, &[2, 20, 192])?;
    assert!(!text.contains("Transpose") && !text.contains("Unpack"), "{text}");
    assert_eq!(text.matches("ProductOfViews").count(), 2, "{text}");
    Ok(())
}

#[test]
fn what_else_reads_a_transposed_operand_still_has_it() -> Result<()> {
    let f = |x: &Tensor| {
        let turned = x.transpose([1, 0])?;
        Ok((turned.matmul(x)?, turned.reduce_sum(0, false)?, turned))
    };
    let x = numbers(&[6, 40])?;
    let (eager, traced) = (f(&x)?, function(f).call(&x)?);
    same(&eager.0, &traced.0)?;
    same(&eager.1, &traced.1)?;
    same(&eager.2, &traced.2)
}

#[test]
fn operands_without_contiguous_lines_and_small_products_are_copied() -> Result<()> {
    let vector = |x: &Tensor| x.transpose([1, 0])?.matmul(&x.slice([0, 0], [60, 1])?);
    assert!(!ops_of(vector, &[60, 40])?.contains("Views"));
    let small = |x: &Tensor| x.transpose([1, 0])?.matmul(x);
    assert!(!ops_of(small, &[60, 16])?.contains("Views"));
    let whole = |x: &Tensor| x.reshape([40, 60])?.matmul(x);
    assert!(!ops_of(whole, &[60, 40])?.contains("Views"));
    let apart = |x: &Tensor| {
        let x = x.reshape([30, 40, 2])?.unstack(2, 2)?;
        x[0].matmul(x[1].transpose([1, 0])?)
    };
    assert!(!ops_of(apart, &[2400])?.contains("Views"));
    let x = numbers(&[2400])?;
    same(&apart(&x)?, &function(apart).call(&x)?)
}

#[test]
fn axes_from_the_end_and_all_floats_are_right() -> Result<()> {
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let f = |x: &Tensor| {
            let parts = ops::split(x, 2, -1)?;
            let rest = x.slice([1, 0, 0], [-1, -1, 30])?.unstack(2, -3)?;
            let product = parts[1].matmul(parts[0].transpose([0, 2, 1])?)?;
            ops::add(&product, &rest[1].matmul(rest[0].transpose([1, 0])?)?)
        };
        let x = numbers(&[3, 20, 60])?.cast(dtype)?;
        let traced = function(f);
        same(&f(&x)?, &traced.call(&x)?)?;
        let text = traced.concrete(&TensorSpec::new(x.shape(), dtype))?.program()?;
        // Halves are copied.
        let views = if matches!(dtype, DType::F32 | DType::F64) { 2 } else { 0 };
        assert_eq!(text.matches("ProductOfViews").count(), views, "{text}");
    }
    Ok(())
}

/// A tensor and ops that move its elements.
fn moved() -> impl Strategy<Value = (Vec<i64>, Vec<(u8, usize, usize)>)> {
    let dims = proptest::collection::vec(proptest::sample::select(vec![1i64, 2, 20, 24]), 2..5);
    (dims, proptest::collection::vec((0..6u8, 0..5usize, 0..24usize), 0..5))
}

/// The operand after the ops, of rank 2 or more.
fn after(x: &Tensor, ops: &[(u8, usize, usize)]) -> Result<Tensor> {
    let mut x = x.clone();
    for (op, axis, seed) in ops {
        let sizes: Vec<i64> = x.shape().sizes().unwrap().iter().map(|n| *n as i64).collect();
        let (rank, axis) = (sizes.len(), axis % sizes.len());
        x = match op {
            0 => {
                let mut order: Vec<i64> = (0..rank as i64).collect();
                order.rotate_left(seed % rank);
                order.swap(axis, seed / 2 % rank);
                x.transpose(order)?
            }
            1 if rank > 2 => {
                let parts = x.unstack(sizes[axis] as usize, axis as i64)?;
                parts[seed % parts.len()].clone()
            }
            2 if sizes[axis] % 2 == 0 => ops::split(&x, 2, axis as i64)?[seed % 2].clone(),
            3 => {
                let (mut first, mut size) = (vec![0; rank], sizes.clone());
                first[axis] = *seed as i64 % sizes[axis];
                size[axis] -= first[axis];
                x.slice(first, size)?
            }
            4 if axis + 1 < rank && rank > 2 => {
                let mut joined = sizes.clone();
                joined[axis] *= joined.remove(axis + 1);
                x.reshape(joined)?
            }
            5 => x.expand_dims(axis as i64)?,
            _ => x,
        };
    }
    Ok(x)
}

proptest! {
    // Products are slow without optimization.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn products_of_moved_operands_are_those_of_copies(
        (dims, ops) in moved(), left in any::<bool>(), one in any::<bool>(),
    ) {
        let f = move |x: &Tensor, y: &Tensor| {
            let (x, mut y) = (after(x, &ops)?, after(y, &ops)?);
            if one {
                // The first matrices go with all.
                let mut size: Vec<i64> = y.shape().sizes().unwrap().iter().map(|n| *n as i64).collect();
                let rank = size.len();
                size[..rank - 2].fill(1);
                y = y.slice(vec![0; rank], size)?;
            }
            ops::BatchMatMul { adj_x: left, adj_y: !left }.run(&[&x, &y])
        };
        let (x, y) = (numbers(&dims).unwrap(), -numbers(&dims).unwrap());
        let want = f(&x, &y).unwrap();
        let traced = function(move |x: &Tensor, y: &Tensor| f(x, y)).call(&x, &y).unwrap();
        same(&want, &traced).unwrap();
    }
}
