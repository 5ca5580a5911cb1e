//! The model on two images.

use extype::data::{Dataset, Remainder};
use extype::prelude::*;
use extype::train::Adam;
use extype_ragged::RaggedTensor;

use crate::model::{Readings, Strokes};

#[test]
fn ink_of_two_kinds_is_told_apart() -> Result<()> {
    let places = RaggedTensor::from_rows(&[vec![3i64, 4], vec![60], vec![4, 9, 3]])?;
    let labels = tensor![1i64, 7, 1];
    let (strokes, optimizer) = (Strokes::new()?, Adam::new(0.1));
    for step in 0..20 {
        let _ = strokes.step(&optimizer, &places, &labels, &tensor![0i64, step])?;
    }
    assert_eq!(strokes.step_function().trace_count(), 1);
    let data = Dataset::from_tensor_slices((places, tensor![1i64, 7, 0]))?;
    let readings = Readings::default();
    assert_eq!(readings.check(&strokes, &data.batch(2, Remainder::Keep))?, 2);
    assert_eq!(readings.mistakes(), [((0, 1), 1)]);
    Ok(())
}
