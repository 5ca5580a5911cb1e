//! Sizes, counts and indices far beyond memory: refused without a trace of them, and of no cost
//! where the tensor is empty.

use extype::array::Array;
use extype::control::TensorArray;
use extype::ops::Op;
use extype::prelude::*;
use extype::types::ErrorKind;

const HUGE: usize = 1 << 33;

fn refused<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind) {
    match result {
        Ok(value) => panic!("taken: {value:?}"),
        Err(e) => assert_eq!(e.kind(), kind, "{e}"),
    }
}

fn empty(sizes: &[usize]) -> Tensor {
    Tensor::from_slice::<f32>(&[], sizes).unwrap()
}

#[test]
fn empty_tensors_of_huge_sizes_are_reshaped() -> Result<()> {
    let x = empty(&[2, HUGE, HUGE, 0]);
    let y = x.reshape([HUGE as i64, 2, HUGE as i64, 0])?;
    assert_eq!(y.shape(), shape![HUGE, 2, HUGE, 0]);
    refused(x.reshape([-5, 0]), ErrorKind::InvalidArgument);
    // The gradient of what broadcast goes back to both shapes.
    let (x, y) = (empty(&[1, 1, 0]), empty(&[HUGE, HUGE, 0]));
    let tape = GradientTape::new();
    tape.watch(&x);
    tape.watch(&y);
    let z = ops::mul(&x, &y)?;
    let g = tape.gradient(&z, &(x.clone(), y.clone()))?;
    assert_eq!(g.wrt(&x)?.unwrap().shape(), x.shape());
    assert_eq!(g.wrt(&y)?.unwrap().shape(), y.shape());
    Ok(())
}

#[test]
fn sizes_beyond_the_largest_are_refused() {
    let image = empty(&[1, 1 << 62, 0, 0]);
    refused(ops::depth_to_space(&image, 2), ErrorKind::ResourceExhausted);
    let x = empty(&[1 << 62, 0]);
    let paddings = Tensor::from_slice(&[1i64 << 62, 1 << 62, 0, 0], &[2, 2]).unwrap();
    refused(x.pad(&paddings), ErrorKind::ResourceExhausted);
}

#[test]
fn counts_of_results_are_bounded() {
    let (x, ids) = (tensor![1.0f32, 2.0], tensor![0i32, 1]);
    for n in [1 << 31, 1 << 62] {
        refused(ops::dynamic_partition(&x, &ids, n), ErrorKind::ResourceExhausted);
    }
    refused(ops::dynamic_partition(&x, &ids, 0), ErrorKind::InvalidArgument);
}

#[test]
fn indices_size_nothing_that_does_not_fit() {
    let far = tensor![i32::MAX];
    let row = Tensor::from_slice(&[0.0f64; 1 << 10], &[1, 1 << 10]).unwrap();
    refused(ops::dynamic_stitch(&[&far], &[&row]), ErrorKind::ResourceExhausted);
    let places = Tensor::from_slice::<i32>(&[], &[1 << 62, 0]).unwrap();
    refused(ops::gather_nd(scalar(1.0f64), &places), ErrorKind::ResourceExhausted);
}

#[test]
fn paddings_are_pairs() {
    let scalar = scalar(1.0f32);
    refused(
        scalar.pad(Tensor::from_slice::<i32>(&[], &[1, 0]).unwrap()),
        ErrorKind::InvalidArgument,
    );
    let x = empty(&[0, 1]);
    let nested = Tensor::from_slice(&[0i32; 4], &[1, 2, 2]).unwrap();
    refused(x.pad(&nested), ErrorKind::InvalidArgument);
}

#[test]
fn one_hot_takes_an_axis_from_minus_one_on() {
    let ids = tensor![0i32, 1];
    refused(ops::one_hot(&ids, 3, -2), ErrorKind::InvalidArgument);
    let traced = function(|ids: &Tensor| ops::one_hot(ids, 3, -2));
    refused(traced.call(&ids), ErrorKind::InvalidArgument);
}

#[test]
fn an_empty_axis_is_unstacked_to_nothing_also_where_a_trace_does_not_know_it() -> Result<()> {
    #[tf_function(signature(f32[?, 2]))]
    fn parts(x: &Tensor) -> Result<Tensor> {
        Ok(Tensor::scalar(ops::unstack(x, 0, 0)?.len() as i64))
    }
    assert_eq!(parts(&empty(&[0, 2]))?.item::<i64>()?, 0);
    Ok(())
}

#[test]
fn segments_refuse_ids_beyond_them_also_without_elements() -> Result<()> {
    let none = empty(&[0]);
    let of_none = ops::unsorted_segment_sum(&none, scalar(0i32), scalar(0i64));
    refused(of_none, ErrorKind::InvalidArgument);
    // Rows with a negative id are in no segment, and there may be none.
    for n in [0i32, 1] {
        let (x, ids) = (tensor![1.0f32, 2.0], tensor![-1i32, n - 1]);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = ops::unsorted_segment_sum(&x, &ids, scalar(n))?;
        let g = tape.gradient(&y, &x)?;
        let g = g.wrt(&x)?.unwrap();
        assert_eq!(g.as_slice::<f32>()?, &[0.0, n as f32]);
    }
    Ok(())
}

#[test]
fn one_place_has_a_gradient() -> Result<()> {
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = ops::gather_nd(&x, tensor![1i32, 0])?;
    let g = tape.gradient(&y, &x)?;
    let g = g.wrt(&x)?.unwrap();
    assert_eq!(g.as_slice::<f32>()?, &[0.0, 0.0, 1.0, 0.0]);
    // Sizes that do not fit the integers of the places.
    let x = Tensor::from_slice::<f32>(&[], &[1, 1 << 40, 0])?;
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = ops::gather_nd(&x, tensor![0i32])?;
    assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.unwrap().shape(), x.shape());
    Ok(())
}

#[test]
fn empty_products_and_gathers_of_huge_batches_cost_nothing() -> Result<()> {
    let y = ops::batch_matmul(empty(&[HUGE, 0, 1]), Tensor::from_slice(&[0.0f32], &[1, 1])?)?;
    assert_eq!(y.shape(), shape![HUGE, 0, 1]);
    let wide = (empty(&[HUGE, HUGE, 0]), empty(&[HUGE, 0, HUGE]));
    refused(ops::batch_matmul(&wide.0, &wide.1), ErrorKind::ResourceExhausted);
    let ids = Tensor::from_slice::<i64>(&[], &[1 << 62, 0])?;
    let op = ops::Gather { axis: ops::Axis(1), batch_dims: 1 };
    assert_eq!(op.run(&[&empty(&[1 << 62, 0, 1 << 62]), &ids])?.shape().num_elements(), Some(0));
    Ok(())
}

#[test]
fn gradients_of_nothing_are_nothing() -> Result<()> {
    let x = empty(&[1 << 62, 0]);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.slice([0, 0], [(1i64 << 62) - 1, 0])?;
    assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.unwrap().shape(), x.shape());
    // A variable without elements has a gradient all the same.
    let v = Variable::new(empty(&[0, 2]))?;
    let tape = GradientTape::new();
    let y = ops::square(&v)?;
    assert_eq!(tape.gradient(&y, &v)?.of(&v)?.unwrap().shape(), shape![0, 2]);
    Ok(())
}

#[test]
fn the_smallest_shift_goes_back() -> Result<()> {
    for shift in [tensor![i32::MIN], tensor![i64::MIN]] {
        let x = tensor![1.0f32, 2.0, 3.0, 4.0, 5.0];
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = ops::mul(x.roll(&shift, tensor![0i32])?, &x)?;
        let g = tape.gradient(&y, &x)?;
        // Each element meets the one two places on and the one two places back.
        let back = ops::add(x.roll([-2], [0])?, x.roll([2], [0])?)?;
        assert_eq!(g.wrt(&x)?.unwrap().as_slice::<f32>()?, back.as_slice::<f32>()?, "{shift:?}");
    }
    Ok(())
}

#[test]
fn diagonals_without_elements_have_a_gradient() -> Result<()> {
    let (x, padding) = (empty(&[0]), scalar(1.0f32));
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.matrix_diag(&padding, -1, -1, -1, Default::default())?;
    assert_eq!(y.shape(), shape![1, 1]);
    assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.unwrap().shape(), x.shape());
    // Of three diagonals of a matrix of one element two lie beside it.
    let x = tensor![[1.0f32], [2.0], [3.0]];
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.matrix_diag(&padding, [-1, 1], -1, -1, Default::default())?;
    assert_eq!(y.as_slice::<f32>()?, &[2.0]);
    let g = tape.gradient(&y, &x)?;
    assert_eq!(g.wrt(&x)?.unwrap().as_slice::<f32>()?, &[0.0, 1.0, 0.0]);
    Ok(())
}

#[test]
fn losses_products_and_shuffles_of_nothing_cost_nothing() -> Result<()> {
    let x = empty(&[0, 1 << 31]);
    let (loss, slope) = ops::SoftmaxCrossEntropy {}.run_as::<(Tensor, Tensor)>(&[&x, &x])?;
    assert_eq!((loss.shape(), slope.shape()), (shape![0], x.shape()));
    let adjoint = ops::BatchMatMul { adj_x: true, adj_y: false };
    let y = adjoint.run(&[&empty(&[1 << 31, 0, 3]), &empty(&[1, 0, 0])])?;
    assert_eq!(y.shape(), Shape::from([1 << 31, 3, 0]));
    let y = adjoint.run(&[&empty(&[1 << 62, 0, 3]), &empty(&[1, 0, 2])]);
    refused(y, ErrorKind::ResourceExhausted);
    // An order of so many rows fits no memory, and need not be made for rows of nothing.
    let many = empty(&[1 << 62, 1, 0]);
    match extype::random::stateless_shuffle(&many, [1, 2]) {
        Ok(y) => assert_eq!(y.shape(), many.shape()),
        Err(e) => assert_eq!(e.kind(), ErrorKind::ResourceExhausted, "{e}"),
    }
    Ok(())
}

#[test]
fn scattered_rows_that_do_not_fit_are_refused() {
    let places = Tensor::from_slice::<i32>(&[], &[1 << 62, 0]).unwrap();
    let put = ops::scatter_nd(&places, empty(&[1 << 62, 0]), [0]);
    refused(put, ErrorKind::ResourceExhausted);
    let words = Tensor::from_strings(&["a"], &[1]).unwrap();
    for n in [1i64 << 40, 1 << 60] {
        let put = ops::scatter_nd(tensor![[0i64]], &words, [n]);
        refused(put, ErrorKind::ResourceExhausted);
    }
}

#[test]
fn rows_of_nothing_are_joined_at_once() -> Result<()> {
    let x = empty(&[1 << 40, 0]);
    assert_eq!(ops::concat(&[&x, &x], -1)?.shape(), x.shape());
    let words = Tensor::from_strings(&[] as &[&str], &[1 << 62, 0])?;
    for axis in [0, 1, 2] {
        let y = ops::stack(&[&words, &words], axis)?;
        assert_eq!((y.rank(), y.shape().num_elements()), (Some(3), Some(0)));
    }
    Ok(())
}

#[test]
fn sizes_beside_a_zero_are_not_multiplied() -> Result<()> {
    const LARGE: usize = 1 << 62;
    let x = empty(&[LARGE, LARGE, 0]);
    let nothing = |y: Result<Tensor>| assert_eq!(y.unwrap().shape().num_elements(), Some(0));
    nothing(ops::add(&x, empty(&[3, LARGE, LARGE, 0])));
    nothing(ops::concat(&[&x, &x], 2));
    nothing(ops::stack(&[&x, &x], 3));
    nothing(x.cumsum(2));
    nothing(empty(&[LARGE, LARGE, 0, 3]).argmax(3));
    nothing(x.gather(&Tensor::from_slice::<i64>(&[], &[0])?, 2));
    nothing(x.cast(i32)?.one_hot(2, 0));
    nothing(x.unique_along(2).map(|y| y.0));
    let (a, b) = (empty(&[0, 1 << 31, 1 << 31, 1]), empty(&[0, 1]));
    nothing(ops::einsum("abcd,ad->abc", &[&a, &b]));
    Ok(())
}

/// Runs this test in a process of its own with 2 GiB of address space; true in that process.
#[cfg(target_os = "linux")]
fn in_two_gibibytes(test: &str) -> bool {
    const INNER: &str = "EXTYPE_TWO_GIBIBYTES";
    if std::env::var_os(INNER).is_some() {
        return true;
    }
    let mut inner = std::process::Command::new("sh");
    inner.args(["-c", "ulimit -v 2097152 && exec \"$0\" \"$@\""]);
    inner.arg(std::env::current_exe().unwrap()).args([test, "--exact", "--test-threads=1"]);
    let output = inner.env(INNER, "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    false
}

#[test]
#[cfg(target_os = "linux")]
fn kernels_without_memory_to_work_in_are_refused() {
    if !in_two_gibibytes("kernels_without_memory_to_work_in_are_refused") {
        return;
    }
    // 1.5 GB of operands and result, and 1 GB to widen one of them.
    let zero = scalar(0.0f32).cast(DType::BF16).unwrap();
    let x = ops::fill([1i64 << 14, 1 << 14], &zero).unwrap();
    let y = ops::fill([1i64 << 14, 1 << 14], &zero).unwrap();
    refused(ops::matmul(&x, &y), ErrorKind::ResourceExhausted);
    drop((x, y));
    // 2 GB of keys.
    let x = ops::fill([1i64 << 28], scalar(0u8)).unwrap();
    refused(x.unique(), ErrorKind::ResourceExhausted);
}

#[test]
fn a_traced_function_may_have_very_many_results() -> Result<()> {
    // Looked for among each other they would keep a processor busy for minutes.
    let n = 1 << 17;
    let f = function(move |x: &Tensor, ids: &Tensor| ops::dynamic_partition(x, ids, n));
    let parts = f.call(&tensor![1.0f32, 2.0], &tensor![0i32, 1])?;
    assert_eq!(parts.len(), n as usize);
    assert_eq!(parts[1].as_slice::<f32>()?, &[2.0]);
    Ok(())
}

#[test]
fn functions_over_very_many_elements_are_refused() {
    let many = empty(&[1 << 40, 0]);
    refused(map_fn(&many, |x: Tensor| Ok(x)), ErrorKind::ResourceExhausted);
    let sums = scan(&many, scalar(0.0f32), |s, x: Tensor| ops::add(&s, x.reduce_sum(.., false)?));
    refused(sums, ErrorKind::ResourceExhausted);
    refused(Vec::<Vec<f32>>::try_from(&many), ErrorKind::ResourceExhausted);
    refused(tensor![1, 2].repeat(i64::MAX, 0), ErrorKind::ResourceExhausted);
}

#[test]
fn texts_beside_a_zero_are_not_multiplied() -> Result<()> {
    const LARGE: usize = 1 << 62;
    let words = Tensor::from_strings(&[] as &[&str], &[LARGE, LARGE, 0])?;
    let (y, _) = words.unique_along(2)?;
    assert_eq!(y.shape().num_elements(), Some(0));
    let words = Tensor::from_strings(&[] as &[&str], &[LARGE, 0, LARGE])?;
    let (y, _) = words.unique_along(1)?;
    assert_eq!(y.shape().num_elements(), Some(0));
    Ok(())
}

#[test]
fn deep_and_wide_texts_are_printed() -> Result<()> {
    let deep = tensor![1.0f32].reshape(vec![1i64; 76])?;
    assert!(deep.to_string().contains('1'));
    let deep = Tensor::from_slice(&[1.0f32; 30], &[vec![1; 99], vec![30]].concat())?;
    assert!(deep.to_string().contains('1'));
    assert!(format!("{:.65535}", tensor![1.5f32, 100.25]).len() > 2 * 65535);
    assert!(format!("{:65535.2}", tensor![1.5f32, 100.25]).len() > 2 * 65535);
    Ok(())
}

/// Elements of a few bytes, more than fit 2 GiB with what they lie in.
const MANY: i64 = 1 << 26;

#[test]
#[cfg(target_os = "linux")]
fn texts_without_memory_are_refused() {
    if !in_two_gibibytes("texts_without_memory_are_refused") {
        return;
    }
    let word = Tensor::from_strings(&["a word"], &[1]).unwrap();
    let one = word.index(0).unwrap();
    let exhausted = |result: Result<Tensor>| refused(result, ErrorKind::ResourceExhausted);
    exhausted(ops::fill([MANY], &one));
    exhausted(word.tile([MANY]));
    exhausted(word.broadcast_to([MANY]));
    exhausted(word.pad([[0, MANY]]));
    exhausted(word.repeat(MANY, 0));
    let places = ops::zeros([MANY], i32).unwrap();
    exhausted(word.gather(&places, 0));
    drop(places);
    let part = ops::fill([MANY / 4], &one).unwrap();
    exhausted(ops::concat(&[&part, &part, &part, &part], 0));
    exhausted(ops::stack(&[&part, &part, &part, &part], 0));
    drop(part);
    let flags = ops::fill([MANY], scalar(true)).unwrap();
    exhausted(ops::select(&flags, &one, &one));
    drop(flags);
    // After all of that there is memory for others.
    assert_eq!(ops::fill([1i64 << 20], &one).unwrap().shape(), shape![1048576]);
}

#[test]
#[cfg(target_os = "linux")]
fn lists_and_results_without_memory_are_refused() {
    if !in_two_gibibytes("lists_and_results_without_memory_are_refused") {
        return;
    }
    let spec = TensorSpec::of::<f32>([16]);
    let list = TensorArray::new(60_000_000, &spec).unwrap();
    refused(list.stack(), ErrorKind::ResourceExhausted);
    let list = list.write(3, &ops::ones([16], f32).unwrap()).unwrap();
    refused(list.stack(), ErrorKind::ResourceExhausted);
    // Pieces that fit: elements that were never set take no memory of their own.
    let list = TensorArray::new(3_000_000, &TensorSpec::of::<f32>([])).unwrap();
    assert_eq!(list.stack().unwrap().shape(), shape![3000000]);
    drop(list);
    let many = ops::zeros([1i64 << 24], u8).unwrap();
    let parts = function(|x: &Tensor| ops::unstack(x, 1 << 24, 0));
    refused(parts.call(&many), ErrorKind::ResourceExhausted);
    let parts = function(|x: &Tensor| ops::split(x, 1 << 24, 0));
    refused(parts.call(&many), ErrorKind::ResourceExhausted);
    let ids = tensor![0i32];
    let x = tensor![1.0f32];
    let parts = function(|x: &Tensor, ids: &Tensor| ops::dynamic_partition(x, ids, 1 << 24));
    refused(parts.call(&x, &ids), ErrorKind::ResourceExhausted);
}

/// What freed arrays keep is given back before anything is refused.
#[test]
#[cfg(target_os = "linux")]
fn memory_that_is_kept_serves_others() {
    if !in_two_gibibytes("memory_that_is_kept_serves_others") {
        return;
    }
    // 1 GB that is kept for numbers.
    let all: Vec<Tensor> = (0..4).map(|_| ops::zeros([1i64 << 28], u8).unwrap()).collect();
    drop(all);
    // A kernel works in as much.
    let x = ops::zeros([1i64 << 26], u8).unwrap();
    assert_eq!(x.top_k(1).unwrap().1.as_slice::<i32>().unwrap(), &[0]);
}

#[test]
fn steps_of_recurrent_cells_without_numbers_cost_nothing() -> Result<()> {
    const MANY: usize = 1 << 40;
    let steps = Tensor::from_slice(&[MANY as i64], &[])?;
    // Neither cells nor inputs; no examples.
    for [batch, n, cells] in [[MANY, 0, 0], [0, 2, 3], [2, 0, 0]] {
        let state = || empty(&[batch, cells]);
        let vector = |n: usize| Tensor::from_vec(vec![0.5f32; n]);
        let weights =
            |gates: usize| ops::fill([(n + cells) as i64, (gates * cells) as i64], 0.5f32);
        let x = empty(&[batch, n]);
        let gru = ops::GruBlockCell {};
        let operands = [x, state(), weights(2)?, weights(1)?, vector(2 * cells), vector(cells)];
        let all: Vec<Tensor> = gru.run_as(&operands.iter().collect::<Vec<_>>())?;
        assert_eq!(all[3].shape(), shape![batch, cells]);
        // No more elements than numbers, if they are counted without the axis that is empty.
        let time = if batch == MANY { 1 << 10 } else { MANY };
        let steps = if batch == MANY { Tensor::from(1i64 << 10) } else { steps.clone() };
        let mut operands = vec![steps, empty(&[time, batch, n]), state(), state(), weights(4)?];
        operands.extend([vector(cells), vector(cells), vector(cells), vector(4 * cells)]);
        let lstm = ops::BlockLstmV2 { cell_clip: 0.0, use_peephole: true };
        let all: Vec<Tensor> = lstm.run_as(&operands.iter().collect::<Vec<_>>())?;
        assert_eq!(all[6].shape(), shape![time, batch, cells]);
        operands.extend(all.iter().cloned());
        operands.extend([all[1].clone(), all[6].clone()]);
        let back = ops::BlockLstmGradV2 { use_peephole: true };
        let all: Vec<Tensor> = back.run_as(&operands.iter().collect::<Vec<_>>())?;
        assert_eq!(all[0].shape(), shape![time, batch, n]);
        assert!(all[3].to_vec::<f32>()?.iter().all(|x| *x == 0.0));
    }
    Ok(())
}

#[test]
fn channels_of_levels_without_numbers_cost_nothing() -> Result<()> {
    let levels = |dims: [usize; 2]| Array::from_bytes(DType::QI8, dims, &[]).map(Tensor::from);
    let (scale, zero) = (scalar(0.25f32), scalar(3i32));
    let dot = ops::UniformQuantizedDot {
        tout: DType::QI32,
        lhs_quantization_axis: -1,
        lhs_quantization_min_val: -128,
        lhs_quantization_max_val: 127,
        rhs_quantization_axis: -1,
        rhs_quantization_min_val: -128,
        rhs_quantization_max_val: 127,
        output_quantization_axis: -1,
        output_quantization_min_val: -128,
        output_quantization_max_val: 127,
    };
    let (lhs, rhs) = (levels([0, 0])?, levels([0, 1 << 40])?);
    let y = dot.run(&[&lhs, &rhs, &scale, &zero, &scale, &zero, &scale, &zero])?;
    assert_eq!(y.shape(), shape![0, 1 << 40]);
    let x = empty(&[1 << 40, 2, 0]);
    let rounding = ops::QuantizeAndDequantizeV3 {
        signed_input: true,
        range_given: true,
        narrow_range: false,
        axis: 1,
    };
    let (low, high) = (tensor![-1.0f32, -2.0], tensor![1.0f32, 2.0]);
    let y = rounding.run(&[&x, &low, &high, &scalar(8i32)])?;
    assert_eq!(y.shape(), x.shape());
    Ok(())
}
