//! Errors of constructors, conversions and derivatives stand at the user's line.

use extype::control::TensorArray;
use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(validate)]
struct Pair {
    #[extension_type(dtype = f32)]
    a: Tensor,
    b: Tensor,
}

impl Validate for Pair {
    fn validate(&self) -> Result<()> {
        self.a.shape().assert_compatible(&self.b.shape())
    }
}

/// The text of an error that stands at a line of this file.
fn told<T>(result: Result<T>, line: u32) -> String {
    let Err(e) = result else { panic!("line {line}: no error") };
    let at = e.location().unwrap_or_else(|| panic!("no line: {e}"));
    assert_eq!((at.file().ends_with("messages/lines.rs"), at.line()), (true, line), "{e}");
    e.to_string()
}

#[test]
fn constructors_and_conversions() {
    let text = told(Pair::new([1.0f64], [1.0f32]), line!());
    assert!(text.starts_with("Pair: field `a`: expected") && text.contains("float64"), "{text}");
    let text = told(Pair::new([1.0f32], [1.0f32, 2.0]), line!());
    assert!(text.starts_with("Pair: ") && text.contains("[2]"), "{text}");
    let text = told(Pair::new(vec![vec![1.0f32], vec![]], 0.0), line!());
    assert!(text.starts_with("field `a`: the data is ragged"), "{text}");
    let text = told(Tensor::from_slice(&[1, 2, 3], &[2, 2]), line!());
    assert!(text.starts_with("from_slice: 3 elements"), "{text}");
    told(Tensor::new(vec![vec![1, 2], vec![3]]), line!());
    told(Vec::<f32>::try_from(&scalar(1.0f32)), line!());
    told(String::try_from(&tensor!["a", "b"]), line!());
}

#[test]
fn tapes_and_derivatives() {
    let (x, y) = (tensor![1.0f32, 2.0], tensor![3.0f32]);
    let tape = GradientTape::new();
    tape.watch(&x);
    told(tape.gradient(&y, &y), line!());
    let gradients = tape.gradient(&x, &x).unwrap();
    told(gradients.wrt(&y), line!());
    told(gradients.get(".b"), line!());
    let wrong = grad(|x: &Tensor| x.matmul(x));
    told(wrong(&x.reshape([2, 1]).unwrap()), line!() - 1);
    let integers = grad(|x: &Tensor| x.cast(f32));
    told(integers(&tensor![1, 2]), line!() - 1);
    told(jvp(|x: &Tensor| x.square(), &x, &y), line!());
}

#[test]
fn arrays_of_tensors() {
    let array = TensorArray::new(2, &TensorSpec::new([2], f32)).unwrap();
    let text = told(array.write(5, &tensor![1.0f32, 2.0]), line!());
    assert!(text.contains("index 5"), "{text}");
    told(array.write(0, &tensor![1, 2]), line!());
    told(array.read(7), line!());
}
