//! Control flow over types, state and functions.

use super::*;
use extype::control::host_function;

#[tf_function]
fn collatz(n: &Tensor) -> Result<Tensor> {
    let mut x = n.clone();
    let mut steps = scalar(0i64);
    while x > 1 {
        if &x % 2 == 0 {
            x = x / 2;
        } else {
            x = 3 * x + 1;
        }
        steps = steps + 1;
    }
    Ok(steps)
}

#[test]
fn a_body_on_tensors_is_written_as_on_numbers() -> Result<()> {
    fn on_numbers(mut x: i64) -> i64 {
        let mut steps = 0;
        while x > 1 {
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            steps += 1;
        }
        steps
    }
    for n in [1i64, 2, 7, 27, 97] {
        assert_eq!(collatz(&scalar(n))?.item::<i64>()?, on_numbers(n));
    }
    assert_eq!(collatz::trace_count(), 1);
    Ok(())
}

#[derive(Module)]
struct Model {
    w: Variable,
    bias: Late<Variable>,
    units: usize,
}

impl Model {
    /// Steps of descent until the loss is small or does not get smaller.
    #[tf_function]
    fn fit(&self, batch: &MaskedTensor, most: &Tensor) -> Result<(Tensor, Tensor)> {
        let bias = self.bias.get_or_create(|| Variable::new(vec![0.0f32; self.units]))?;
        let mut steps = scalar(0i64);
        let mut last = scalar(f32::INFINITY);
        while steps < most {
            let tape = GradientTape::new();
            let found = &batch.values * &self.w + bias;
            let off = ops::select(&batch.mask, found - 1.0, 0.0)?;
            let loss = off.square()?.reduce_sum(.., false)?;
            if loss < 1e-3 {
                return Ok((loss, steps));
            }
            if !(loss < last) {
                break;
            }
            let slopes = tape.gradient(&loss, &(self.w.clone(), bias.clone()))?;
            for v in [&self.w, bias] {
                if let Some(slope) = slopes.of(v)? {
                    v.assign_sub(&(slope * 0.05))?;
                }
            }
            last = loss;
            steps += 1;
        }
        Ok((last, steps))
    }
}

#[test]
fn a_method_trains_in_a_loop_of_its_graph() -> Result<()> {
    let new = || -> Result<Model> {
        Ok(Model { w: Variable::new(vec![0.5f32, 0.5])?, bias: Late::new(), units: 2 })
    };
    let (model, other) = (new()?, new()?);
    let (loss, steps) = model.fit(&masked(), &scalar(1000i64))?;
    assert!(loss.item::<f32>()? < 1e-3, "{loss} after {steps}");
    let steps = steps.item::<i64>()?;
    assert!(steps > 3 && steps < 1000, "{steps}");
    // The same in two calls: state is kept, and nothing is traced anew.
    let _ = other.fit(&masked(), &scalar(2i64))?;
    let (_, rest) = other.fit(&masked(), &scalar(1000i64))?;
    assert_eq!(rest.item::<i64>()? + 2, steps);
    assert_eq!(floats(&model.w.read()?), floats(&other.w.read()?));
    Ok(())
}

#[test]
fn arms_give_values_of_a_type_with_sizes_that_differ() -> Result<()> {
    let f = function(|p: &Tensor, x: &RaggedTensor, y: &RaggedTensor| {
        let z = cond(p, || Ok(x.clone()), || Ok(y.clone()))?;
        ops::mul(&z, 2.0)
    });
    let x = RaggedTensor::from_row_splits(tensor![1.0f32, 2.0, 3.0], tensor![0i64, 2, 3])?;
    let y = RaggedTensor::from_row_splits(tensor![4.0f32, 5.0], tensor![0i64, 0, 2, 2])?;
    assert_eq!(floats(&f.call(&scalar(true), &x, &y)?.flat_values), [2.0, 4.0, 6.0]);
    assert_eq!(floats(&f.call(&scalar(false), &x, &y)?.flat_values), [8.0, 10.0]);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn loops_and_rust_code_stand_in_one_graph() -> Result<()> {
    let f = function(|m: &MaskedTensor| {
        let (i, acc) = while_loop(
            (scalar(0i64), m.clone()),
            |(i, _)| i.less(10),
            |(i, acc)| Ok((i + 1, ops::add(&acc, 1.0)?)),
        )?;
        let spec = TensorSpec::of::<f32>([]);
        let sum = |m: MaskedTensor| -> Result<Tensor> {
            let (values, mask) = (m.values.as_slice::<f32>()?, m.mask.as_slice::<bool>()?);
            Ok(scalar(values.iter().zip(mask).filter(|(_, m)| **m).map(|(v, _)| *v).sum::<f32>()))
        };
        Ok((i, host_function(&spec, sum, &acc)?))
    });
    for _ in 0..2 {
        let (i, sum) = f.call(&masked())?;
        assert_eq!((i.item::<i64>()?, sum.item::<f32>()?), (10, 1.0 + 3.0 + 4.0 + 30.0));
    }
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[tf_function]
fn until_it_fits(m: &MaskedTensor, limit: &Tensor) -> Result<MaskedTensor> {
    let mut m = m.clone();
    while ops::select(&m.mask, &m.values, 0.0)?.reduce_max(.., false)? > limit {
        m = ops::mul(&m, 0.5)?;
        for row in &m.values {
            if row.reduce_sum(.., false)? < 1.0 {
                m.mask = ops::logical_and(&m.mask, false)?;
                break;
            }
        }
    }
    Ok(m)
}

#[test]
fn a_value_of_a_type_is_the_state_of_loops_and_arms() -> Result<()> {
    let m = until_it_fits(&masked(), &scalar(1.0f32))?;
    // Halved twice: the first row sums to 0.75 then.
    assert_eq!(floats(&m.values), [0.25, 0.5, 0.75, 1.0]);
    assert_eq!(m.mask.as_slice::<bool>()?, [false; 4]);
    let m = until_it_fits(&masked(), &scalar(3.0f32))?;
    assert_eq!(floats(&m.values), [0.5, 1.0, 1.5, 2.0]);
    assert_eq!(m.mask.as_slice::<bool>()?, [true, false, true, true]);
    assert_eq!(until_it_fits::trace_count(), 1);
    Ok(())
}
