//! Foreign types as operands: what converts to a tensor stands where tensors stand.

use extype::prelude::*;

fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec().expect("floats")
}

/// A type of the user's, with nothing but one trait.
struct Samples {
    volts: Vec<f32>,
}

impl TensorLike for Samples {
    fn to_tensor(&self) -> Result<Tensor> {
        self.volts.to_tensor()
    }
}

/// One that may have no tensor's form.
struct Rows(Vec<Vec<f32>>);

impl TensorLike for Rows {
    fn to_tensor(&self) -> Result<Tensor> {
        self.0.to_tensor()
    }
}

#[derive(ExtensionType, Clone, Debug)]
struct Scaled {
    x: Tensor,
}

fn part<'a>(a: ops::Arg<'a, Scaled, Tensor>) -> &'a Tensor {
    match a {
        ops::Arg::This(s) => &s.x,
        ops::Arg::Other(t) => t,
    }
}

#[dispatch]
impl Scaled {
    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y) = operands.split();
        Ok(Self { x: op.call(part(x), part(y))? })
    }

    #[overrides(MatMul, ..)]
    fn product(x: &Self, y: &Tensor) -> Result<Self> {
        Ok(Self { x: ops::matmul(&x.x, y)? })
    }
}

#[test]
fn a_type_with_one_trait_is_an_operand_of_ops_functions_and_operators() -> Result<()> {
    let s = Samples { volts: vec![1.0, 4.0] };
    let t = tensor![10.0f32, 20.0];
    assert_eq!(floats(&ops::sqrt(&s)?), [1.0, 2.0]);
    assert_eq!(floats(&ops::add(&t, &s)?), [11.0, 24.0]);
    assert_eq!(floats(&ops::sub(&s, &t)?), [-9.0, -16.0]);
    assert_eq!(floats(&(&t * &s)), [10.0, 80.0]);
    assert_eq!(floats(&ops::reduce_max(&s, 0, false)?), [4.0]);
    assert_eq!(floats(&ops::concat(&[&s, &s], 0)?), [1.0, 4.0, 1.0, 4.0]);
    assert_eq!(floats(&ops::select([true, false], &s, &t)?), [1.0, 20.0]);
    assert_eq!(floats(&ops::reshape(s, [2, 1])?), [1.0, 4.0]);
    Ok(())
}

#[test]
fn foreign_types_stand_next_to_extension_types() -> Result<()> {
    let (x, s) = (Scaled { x: tensor![2.0f32, 3.0] }, Samples { volts: vec![1.0, 4.0] });
    let sum: Scaled = ops::add(&x, &s)?;
    assert_eq!(floats(&sum.x), [3.0, 7.0]);
    let sum: Scaled = ops::add(&s, &x)?;
    assert_eq!(floats(&sum.x), [3.0, 7.0]);
    assert_eq!(floats(&(&x + &s).x), [3.0, 7.0]);
    assert_eq!(floats(&(&x * vec![10.0f32, 100.0]).x), [20.0, 300.0]);
    assert_eq!(floats(&ops::pow([2.0f32, 2.0], &x)?.x), [4.0, 8.0]);
    let matrix = Scaled { x: tensor![[1.0f32, 2.0]] };
    assert_eq!(floats(&ops::matmul(&matrix, [[3.0f32], [4.0]])?.x), [11.0]);
    Ok(())
}

#[test]
fn vectors_arrays_slices_strings_and_variables_are_operands() -> Result<()> {
    assert_eq!(ops::neg(vec![1i64, 2])?.to_vec::<i64>()?, [-1, -2]);
    assert_eq!(ops::neg([[1i32, 2], [3, 4]])?.shape(), shape![2, 2]);
    assert_eq!(ops::neg(&[1.5f64, 2.5][..])?.to_vec::<f64>()?, [-1.5, -2.5]);
    assert_eq!(ops::add(vec![vec![1i32, 2]; 3], [10, 20])?.shape(), shape![3, 2]);
    assert_eq!(
        ops::equal(["a", "b"], vec!["a".to_owned(), "c".to_owned()])?.to_vec::<bool>()?,
        [true, false]
    );
    let v = Variable::new([1.0f32, 2.0])?;
    assert_eq!(floats(&ops::mul(&v, &v)?), [1.0, 4.0]);
    v.assign(tensor![5.0f32, 6.0])?;
    assert_eq!(floats(&(tensor![1.0f32, 1.0] + &v)), [6.0, 7.0]);
    let matrix = ndarray::arr2(&[[1.0f32, 2.0], [3.0, 4.0]]);
    assert_eq!(floats(&ops::matmul(&matrix, matrix.t())?), [5.0, 11.0, 11.0, 25.0]);
    Ok(())
}

#[test]
fn numbers_take_the_dtype_that_the_op_gives_their_place() -> Result<()> {
    let x = tensor![1.5f32, 2.5];
    for y in [ops::add(&x, 1)?, ops::add(1, &x)?, ops::add(&x, 1.0)?, ops::add(1.0f64, &x)?] {
        assert_eq!(floats(&y), [2.5, 3.5]);
    }
    assert_eq!(floats(&ops::select(tensor![true, false], &x, 0)?), [1.5, 0.0]);
    assert_eq!(floats(&ops::select(tensor![true, false], 7, &x)?), [7.0, 2.5]);
    assert_eq!(ops::left_shift(tensor![1u8, 2], 3)?.to_vec::<u8>()?, [8, 16]);
    // Alone they are what Rust says that they are.
    assert_eq!(ops::sqrt(4.0f32)?.item::<f32>()?, 2.0);
    assert_eq!(ops::sqrt(4.0)?.item::<f64>()?, 2.0);
    assert_eq!(ops::add(2i16, 3i16)?.item::<i16>()?, 5);
    let text = |e: Error| e.to_string();
    let e = text(ops::add(tensor![1i32, 2], 2.5).unwrap_err());
    assert!(e.contains("add") && e.contains("2.5") && e.contains("int32"), "{e}");
    let e = text(ops::select(scalar(true), tensor![1u8], 300).unwrap_err());
    assert!(e.contains("select") && e.contains("300") && e.contains("uint8"), "{e}");
    assert_eq!(ops::add(1i32, 2.5f64)?.item::<f64>()?, 3.5);
    assert_eq!(ops::add(1.5f32, 1)?.item::<f32>()?, 2.5);
    // Arrays written in place are as numbers.
    assert_eq!(floats(&ops::add(&x, [1, 2])?), [2.5, 4.5]);
    assert_eq!(
        floats(&([[1.0], [2.0]].to_tensor()?.cast(f32)? + [10, 20]).reshape([4])?),
        [11.0, 21.0, 12.0, 22.0]
    );
    let e = text(ops::add(tensor![1i32, 2], [1.0, 2.5]).unwrap_err());
    assert!(e.contains("add") && e.contains("1.0") && e.contains("x.cast(f64)?"), "{e}");
    assert_eq!(ops::add([1, 2], [0.5, 1.0])?.to_vec::<f64>()?, [1.5, 3.0]);
    assert_eq!(ops::add(vec![1i32, 2], [3i64, 4])?.to_vec::<i32>()?, [4, 6]);
    // Other data keeps its dtype.
    let e = text(ops::add(&x, vec![1i32, 2]).unwrap_err());
    assert!(e.contains("float32") && e.contains("int32") && e.contains("cast"), "{e}");
    Ok(())
}

#[test]
fn numbers_are_constants_of_a_trace() -> Result<()> {
    let f = function(|x: &Tensor| ops::select(ops::greater(x, 1)?, ops::mul(x, 2)?, [0.0f32, 1.0]));
    assert_eq!(floats(&f.call(&tensor![1.0f32, 3.0])?), [0.0, 6.0]);
    let s = Samples { volts: vec![1.0, 2.0] };
    let g = function(move |x: &Tensor| ops::add(x, &s));
    assert_eq!(floats(&g.call(&tensor![1.0f32, 3.0])?), [2.0, 5.0]);
    Ok(())
}

#[test]
fn data_without_a_tensor_s_form_is_an_error_that_says_so() {
    let ragged = vec![vec![1.0f32, 2.0], vec![3.0]];
    for e in [
        ops::abs(&ragged).unwrap_err(),
        ops::add(scalar(1.0f32), &ragged).unwrap_err(),
        ops::add(&ragged, scalar(1.0f32)).unwrap_err(),
        ops::concat(&[&ragged], 0).unwrap_err(),
        ops::neg(Rows(ragged.clone())).unwrap_err(),
        ops::reduce_sum(Rows(vec![vec![], vec![1.0]]), 0, false).unwrap_err(),
    ] {
        assert_eq!(e.kind(), ErrorKind::InvalidArgument);
        assert!(e.message().contains("ragged"), "{e}");
    }
    let x = Scaled { x: tensor![1.0f32, 2.0] };
    assert!(ops::add(&x, Rows(ragged)).unwrap_err().message().contains("ragged"));
}
