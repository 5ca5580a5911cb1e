//! What single ops mean.

use extype::ir::{Attrs, KEEP_DIMS, OpKind, all_ops};
use extype::ops::MatMul;
use extype::spec::AnyValue;
use extype::spec::dispatch;
use extype_masked::Masked;

use super::*;

#[test]
fn reductions_skip_missing_entries() -> Result<()> {
    let (m, valid) = (sample(), [true, true, false]);
    same(&ops::reduce_sum(&m, 1, false)?, &[4.0, 9.0, 0.0], &valid);
    same(&ops::reduce_mean(&m, 1, false)?, &[2.0, 4.5, 0.0], &valid);
    same(&ops::reduce_min(&m, 1, false)?, &[1.0, 4.0, 0.0], &valid);
    same(&ops::reduce_max(&m, 1, false)?, &[3.0, 5.0, 0.0], &valid);
    same(&ops::reduce_sum(&m, .., false)?, &[13.0], &[true]);
    assert_eq!(ops::reduce_max(&m, -1, KeepDims)?.mask.shape(), shape![3, 1]);
    assert_eq!(m.count(0)?.as_slice::<i64>()?, &[2, 1, 1]);
    Ok(())
}

#[test]
fn reductions_of_integers() -> Result<()> {
    let m = MaskedTensor::new([[-3i32, 2, 5], [1, 1, 1]], [[true, false, true], [false; 3]])?;
    let ints = |m: MaskedTensor| m.values.to_vec::<i32>();
    assert_eq!(ints(ops::reduce_sum(&m, 1, false)?)?, [2, 0]);
    assert_eq!(ints(ops::reduce_mean(&m, 1, false)?)?, [1, 0]);
    assert_eq!(ints(ops::reduce_min(&m, 1, false)?)?, [-3, 0]);
    assert_eq!(ints(ops::reduce_max(&m, 1, false)?)?, [5, 0]);
    Ok(())
}

/// Every compound of a family is that of the entries, and an entry is missing where one of its operands is.
#[test]
fn compounds_are_those_of_the_entries() -> Result<()> {
    let mut checked = 0;
    for op in all_ops().into_iter().filter(|op| op.is_compound()) {
        let elementwise = [OpKind::UnaryElementwise, OpKind::BinaryElementwise];
        if !elementwise.contains(&op.kind) {
            continue;
        }
        let candidates = [DType::F32, DType::I64, DType::Bool].map(|dtype| {
            let of = |t: Tensor| if dtype == DType::Bool { t.greater(2.5) } else { t.cast(dtype) };
            [of(tensor![1.0f32, 4.0, 9.0]).unwrap(), of(tensor![2.0f32, 3.0, 9.0]).unwrap()]
        });
        let count = op.inputs.len();
        let fits = |pair: &&[Tensor; 2]| op.check_inputs(count, |i| pair[i].dtype()).is_ok();
        let pair = candidates.iter().find(fits).expect("operands that the op takes");
        let mut attrs = Attrs::new();
        for attr in op.attrs.iter().filter(|a| !a.told) {
            attrs.set(attr.name, attr.default.expect("a default")());
        }
        let call = |values: &[AnyValue]| dispatch::call(op.name, &values[..count], &attrs);
        let on_tensors: Tensor = call(&pair.clone().map(AnyValue::from))?.downcast()?;
        let [x, y] = pair.clone();
        let x = MaskedTensor { values: x, mask: tensor![true, false, true] };
        let y = MaskedTensor { values: y, mask: tensor![true, true, false] };
        let on_masked: MaskedTensor = call(&[x, y].map(AnyValue::new))?.downcast()?;
        assert_eq!(on_masked.mask.to_vec::<bool>()?, [true, false, count == 1], "{op:?}");
        let (got, want) = (on_masked.values.index(0)?, on_tensors.index(0)?);
        assert_eq!((got.to_string(), got.dtype()), (want.to_string(), want.dtype()), "{op:?}");
        checked += 1;
    }
    assert!(checked > 25, "{checked}");
    Ok(())
}

#[test]
fn elementwise_ops_keep_entries_missing() -> Result<()> {
    let m = MaskedTensor::from_options(&[Some(1.0), None, Some(3.0)])?;
    let n = MaskedTensor::from_options(&[None, Some(2.0), Some(5.0)])?;
    assert_eq!((&m + &n).mask.as_slice::<bool>()?, &[false, false, true]);
    same(&(10.0 - &m), &[9.0, 10.0, 7.0], &[true, false, true]);
    let compared = ops::greater(&m, 2.0)?;
    assert_eq!(compared.values.dtype(), DType::Bool);
    assert_eq!(ops::cast(&m, f32)?.values.dtype(), DType::F32);
    let biased = ops::bias_add(ops::reshape(&m, [1, 3])?, tensor![1.0f64, 2.0, 3.0])?;
    assert_eq!(biased.to_string(), "[[2. -- 6.]]");
    Ok(())
}

#[test]
fn masks_broadcast_with_plain_tensors() -> Result<()> {
    let row = MaskedTensor::from_options(&[Some(1.0), None])?;
    let column = tensor![[10.0f64], [20.0]];
    let both = [true, false, true, false];
    same(&(&row + &column), &[11.0, 10.0, 21.0, 20.0], &both);
    same(&(&column + &row), &[11.0, 10.0, 21.0, 20.0], &both);
    let f = function(|m: &MaskedTensor, t: &Tensor| Ok(m * t));
    let unknown = f.concrete(&row.type_spec(), &TensorSpec::of::<f64>(shape![?, ?]))?;
    assert_eq!(unknown.output_spec().leaves().len(), 2);
    same(&f.call(&row, &column)?, &[10.0, 0.0, 20.0, 0.0], &both);
    Ok(())
}

#[test]
fn concat_takes_a_sequence() -> Result<()> {
    let m = MaskedTensor::from_options(&[Some(1.0), None])?;
    let joined = ops::concat(&[&m, &m], 0)?;
    assert_eq!(joined.to_string(), "[1. -- 1. --]");
    Ok(())
}

#[test]
fn traced_reductions_agree_with_eager_ones() -> Result<()> {
    let m = sample();
    let f = function(|m: &MaskedTensor| {
        Ok((ops::reduce_mean(m, 0, false)?, ops::reduce_min(m, 0, false)?))
    });
    let (mean, min) = f.call(&m)?;
    same(&mean, &[2.5, 5.0, 3.0], &[true; 3]);
    same(&min, &[1.0, 5.0, 3.0], &[true; 3]);
    Ok(())
}

#[test]
fn wrappers_mask_rows_of_any_value() -> Result<()> {
    let m = Masked::new(sample(), [true, false, true])?;
    let n = ops::neg(&m * 2.0)?;
    assert_eq!(n.values.values.as_slice::<f64>()?[0], -2.0);
    assert_eq!(n.count()?.item::<i64>()?, 2);
    let t = Masked::new(tensor![1.0f32, 2.0], [true, false])?;
    let sum = &t + &Masked::new(tensor![1.0f32, 2.0], [true, true])?;
    assert_eq!(sum.mask.as_slice::<bool>()?, &[true, false]);
    assert!(Masked::new(scalar(1.0f32), [[true]]).is_err());
    Ok(())
}

#[test]
fn tensors_are_taken_apart_with_their_masks() -> Result<()> {
    let m = sample();
    let texts = |parts: Vec<MaskedTensor>| -> Vec<String> {
        parts.iter().map(|m| m.to_string().replace('\n', "")).collect()
    };
    assert_eq!(texts(m.unstack(3, 0)?), ["[1. -- 3.]", "[4. 5. --]", "[-- -- --]"]);
    assert_eq!(texts(m.split(3, 1)?)[1], "[[--] [5.] [--]]");
    assert_eq!(texts(ops::split_sizes(&m, [1, 2], 0)?)[0], "[[1. -- 3.]]");
    let parts = m.dynamic_partition(&tensor![1, 0, 1], 2)?;
    assert_eq!(texts(parts)[1], "[[1. -- 3.] [-- -- --]]");
    assert_eq!(m.index((0, 1..))?.to_string(), "[-- 3.]");
    assert_eq!(m.gather_nd(&tensor![[0, 0], [0, 1]])?.to_string(), "[1. --]");
    assert_eq!(ops::add_n(&[&m, &m])?.to_string(), (&m + &m).to_string());
    Ok(())
}

#[test]
fn padding_is_missing_unless_its_value_is_given() -> Result<()> {
    let m = MaskedTensor::from_options(&[Some(1.0), None])?;
    assert_eq!(m.pad([[1, 2]])?.to_string(), "[-- 1. -- -- --]");
    assert_eq!(m.pad_with(&scalar(7.0f64), [[1, 2]])?.to_string(), "[7. 1. -- 7. 7.]");
    let mirrored = m.mirror_pad([[1, 0]], extype::ops::MirrorMode::Reflect)?;
    assert_eq!(mirrored.to_string(), "[-- 1. --]");
    Ok(())
}

#[test]
fn places_are_those_of_valid_entries() -> Result<()> {
    let low = f64::NEG_INFINITY;
    let m = MaskedTensor::new([9.0, low, low], [false, true, true])?;
    assert_eq!(m.argmax(0)?.to_string(), "1");
    assert_eq!(m.argmin(0)?.to_string(), "1");
    let values = [[true, true, false], [true, true, true]];
    let m = MaskedTensor::new(values, [[false, true, true]; 2])?;
    assert_eq!(m.argmax(1)?.to_string(), "[1 1]");
    assert_eq!(m.argmin(1)?.to_string(), "[2 1]");
    Ok(())
}

#[test]
fn softmax_is_of_the_valid_entries() -> Result<()> {
    let values = [[1.0f64, 50.0, 1.0], [1.0, 2.0, 3.0]];
    let mask = [[true, false, true], [false; 3]];
    let m = MaskedTensor::new(values, mask)?;
    let y = ops::softmax(&m)?;
    same(&y, &[0.5, 0.0, 0.5, 0.0, 0.0, 0.0], mask.as_flattened());
    let third = |m: &MaskedTensor| ops::reduce_sum(ops::softmax(m)?.index((.., 2))?, .., false);
    same(&grad(third)(&m)?, &[-0.25, 0.0, 0.25, 0.0, 0.0, 0.0], mask.as_flattened());
    let logs = ops::log_softmax(&m)?;
    assert!((logs.values.to_vec::<f64>()?[0] - 0.5f64.ln()).abs() < 1e-15);
    same(&ops::l2_loss(&m)?, &[1.0], &[true]);
    Ok(())
}

#[test]
fn rows_move_with_their_mask_entries() -> Result<()> {
    let m = Masked::new(sample(), [true, false, true])?;
    let rows = ops::gather(&m, tensor![1, 0, 0], 0)?;
    assert_eq!(rows.mask.to_vec::<bool>()?, [false, true, true]);
    assert_eq!(rows.values.to_string(), "[[4. 5. --]\n [1. -- 3.]\n [1. -- 3.]]");
    let columns = ops::gather(&m, tensor![0], 1)?;
    assert_eq!(columns.mask.to_vec::<bool>()?, [true, false, true]);
    assert_eq!(ops::concat(&[&m, &rows], 0)?.count()?.item::<i64>()?, 4);
    let wide = ops::concat(&[&m, &rows], 1)?;
    assert_eq!(wide.mask.to_vec::<bool>()?, [false, false, true]);
    assert!(ops::concat(&[&m, &rows], -1).unwrap_err().message().contains("axis -1"));
    Ok(())
}

#[test]
fn values_of_unknown_types_are_dispatched_at_run_time() -> Result<()> {
    let (m, axes) = (sample(), tensor![1i32]);
    let call = |op: &str, args: &[AnyValue], attrs: &Attrs| -> Result<MaskedTensor> {
        dispatch::call(op, args, attrs)?.downcast()
    };
    let n = call("Neg", &[AnyValue::new(m.clone())], &Attrs::new())?;
    assert_eq!(n.values.as_slice::<f64>()?[2], -3.0);
    let sum = [AnyValue::new(m.clone()), AnyValue::new(scalar(1.0f64))];
    assert_eq!(call("AddV2", &sum, &Attrs::new())?.values.as_slice::<f64>()?[0], 2.0);
    let attrs = Attrs::new().with(KEEP_DIMS, &false);
    let sums = call("Sum", &[AnyValue::new(m.clone()), AnyValue::new(axes)], &attrs)?;
    same(&sums, &[4.0, 9.0, 0.0], &[true, true, false]);
    let attrs = Attrs::new().with(MatMul::TRANSPOSE_A, &false).with(MatMul::TRANSPOSE_B, &true);
    let product = [AnyValue::new(m.clone()), AnyValue::new(m.clone())];
    assert_eq!(call("MatMul", &product, &attrs)?.mask.to_vec::<bool>()?[..3], [true, true, false]);
    let e = dispatch::call("Range", &[m.clone(), m.clone(), m].map(AnyValue::new), &Attrs::new());
    assert!(e.unwrap_err().message().contains("no handler takes"));
    Ok(())
}

#[test]
fn running_extremes_skip_missing_entries() -> Result<()> {
    let m = MaskedTensor::from_options(&[Some(1.0), None, Some(3.0), Some(2.0)])?;
    assert_eq!(m.cummax(0)?.to_string(), "[1. -- 3. 3.]");
    assert_eq!(m.cummin(..)?.to_string(), "[1. -- 1. 1.]");
    Ok(())
}
