//! What programs with extype look like: each test is a small program.

use std::collections::BTreeMap;

use extype::prelude::*;
use extype_masked::{Masked, MaskedTensor, MaskedTensorSpec};
use extype_ragged::RaggedTensor;

#[derive(ExtensionType, Clone, Debug)]
struct LabeledTensor {
    values: Tensor,
    #[static_data]
    axis_names: Vec<String>,
}

#[derive(ExtensionType, Clone, Debug)]
struct Digraph<E: ExtensionType> {
    nodes: BTreeMap<String, Tensor>,
    edges: Vec<E>,
    weights: Option<Tensor>,
}

#[derive(ExtensionType, Clone, Debug)]
struct Edge {
    from: Tensor,
    to: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
enum Encoding {
    Dense(Tensor),
    Rows { flat: Tensor, row_splits: Tensor },
}

fn masked() -> MaskedTensor {
    MaskedTensor::new([[1.0f32, 2.0], [3.0, 4.0]], [[true, false], [true, true]]).unwrap()
}

fn floats(t: &Tensor) -> &[f32] {
    t.as_slice().unwrap()
}

#[test]
fn tensors_have_operators_and_named_ops() -> Result<()> {
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let y = (&x * 2.0 + 1.0).tanh()?;
    let s = y.reduce_sum(Axis(1), KeepDims)?;
    assert_eq!(s.shape(), shape![2, 1]);
    assert_eq!(floats(&s), floats(&ops::reduce_sum(&y, 1, true)?));
    let a: ndarray::ArrayD<f32> = s.to_array()?;
    assert_eq!(a.shape(), [2, 1]);
    assert!(y.to_string().ends_with("float32[2, 2]"));
    Ok(())
}

#[test]
fn errors_name_op_shapes_and_line() {
    let (a, b) = (tensor![[1.0f32, 2.0], [3.0, 4.0]], tensor![[1.0f32], [2.0], [3.0]]);
    let e = a.matmul(&b).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    let text = e.to_string();
    assert!(text.starts_with("matmul: inner dimensions differ: [2, 2] × [3, 1] (2 ≠ 3)"), "{text}");
    assert!(text.contains("tests/api.rs"), "{text}");
}

#[test]
fn ops_mean_for_an_extension_type_what_its_author_says() -> Result<()> {
    let m = masked();
    let n: MaskedTensor = ops::tanh(&m + 1.0)?;
    assert_eq!(n.mask.as_slice::<bool>()?, [true, false, true, true]);
    assert_eq!(floats(&n.values)[0], 2.0f32.tanh());
    let sums: MaskedTensor = ops::reduce_sum(&m, 1, false)?;
    assert_eq!(floats(&sums.values), [1.0, 7.0]);
    let twice = 2.0 * &m - &m;
    assert_eq!(floats(&twice.values), floats(&m.values));
    Ok(())
}

#[test]
fn specs_print_and_compare() -> Result<()> {
    let spec = MaskedTensorSpec {
        values: TensorSpec::of::<f32>(shape![?, 3]),
        mask: TensorSpec::of::<bool>(shape![?, 3]),
    };
    assert_eq!(
        spec.to_string(),
        "MaskedTensorSpec(values=TensorSpec([?, 3], float32), mask=TensorSpec([?, 3], bool))"
    );
    let wide = MaskedTensor::new([[1.0f32, 2.0, 3.0]], [[true, true, false]])?;
    assert!(wide.type_spec().is_subtype_of(&spec));
    assert!(!masked().type_spec().is_compatible_with(&spec));
    Ok(())
}

#[test]
fn validation_names_what_is_wrong() {
    let e = MaskedTensor::new([1.0f32, 2.0], [1.0f32, 0.0]).unwrap_err();
    assert!(e.message().contains("must be bool, not float32"), "{e}");
    let e = MaskedTensor::new([1.0f32, 2.0], [true]).unwrap_err();
    assert!(e.message().contains("shapes [2] and [1]"), "{e}");
}

#[test]
fn static_data_is_part_of_the_type() -> Result<()> {
    let label = |names: &[&str]| LabeledTensor {
        values: tensor![[1.0f32, 2.0], [3.0, 4.0]],
        axis_names: names.iter().map(ToString::to_string).collect(),
    };
    let f = function(|x: &LabeledTensor| {
        // The names are plain Rust data while the function is traced.
        let axis = x.axis_names.iter().position(|n| n == "time").unwrap_or(0);
        x.values.reduce_sum(axis, false)
    });
    assert_eq!(floats(&f.call(&label(&["time", "channel"]))?), [4.0, 6.0]);
    assert_eq!(floats(&f.call(&label(&["channel", "time"]))?), [3.0, 7.0]);
    assert_eq!(floats(&f.call(&label(&["channel", "time"]))?), [3.0, 7.0]);
    assert_eq!(f.trace_count(), 2);
    Ok(())
}

#[test]
fn maps_lists_options_and_generics_are_fields() -> Result<()> {
    let edge = |a: i64, b: i64| Edge { from: scalar(a), to: scalar(b) };
    let graph = |weights: Option<Tensor>| Digraph {
        nodes: BTreeMap::from([("x".to_owned(), scalar(1.0f32)), ("y".to_owned(), scalar(2.0f32))]),
        edges: vec![edge(0, 1), edge(1, 0)],
        weights,
    };
    let total = function(|g: &Digraph<Edge>| {
        let nodes = ops::add(&g.nodes["x"], &g.nodes["y"])?;
        let ends = ops::add(&g.edges[0].to, &g.edges[1].from)?.cast(f32)?;
        let sum = ops::add(&nodes, &ends)?;
        match &g.weights {
            Some(w) => ops::add(&sum, w),
            None => Ok(sum),
        }
    });
    assert_eq!(total.call(&graph(None))?.item::<f32>()?, 5.0);
    assert_eq!(total.call(&graph(Some(scalar(0.5f32))))?.item::<f32>()?, 5.5);
    assert_eq!(total.trace_count(), 2);
    Ok(())
}

#[test]
fn the_variant_of_an_enum_is_static_data() -> Result<()> {
    let sum = function(|e: &Encoding| match e {
        Encoding::Dense(x) => x.reduce_sum(1, false),
        Encoding::Rows { flat, row_splits } => {
            RaggedTensor::from_row_splits(flat.clone(), row_splits.clone())?.row_sum()
        }
    });
    let dense = Encoding::Dense(tensor![[1.0f32, 2.0], [3.0, 4.0]]);
    let rows = Encoding::Rows { flat: tensor![1.0f32, 2.0, 3.0], row_splits: tensor![0i64, 2, 3] };
    assert_eq!(floats(&sum.call(&dense)?), [3.0, 7.0]);
    assert_eq!(floats(&sum.call(&rows)?), [3.0, 3.0]);
    assert_eq!(sum.trace_count(), 2);
    Ok(())
}

/// Mean of the valid entries of each row.
#[tf_function]
fn row_means(m: &MaskedTensor) -> Result<Tensor> {
    let zero = ops::zeros_like(&m.values)?;
    let total = ops::select(&m.mask, &m.values, &zero)?.reduce_sum(1, false)?;
    Ok(total / m.mask.cast(f32)?.reduce_sum(1, false)?)
}

#[test]
fn a_traced_function_is_called_like_the_function_it_was() -> Result<()> {
    assert_eq!(floats(&row_means(&masked())?), [1.0, 3.5]);
    let m2 = MaskedTensor::new([[1.0f32, 1.0], [5.0, 5.0]], [[true, true], [true, false]])?;
    assert_eq!(floats(&row_means(&m2)?), [1.0, 5.0]);
    assert_eq!(row_means::trace_count(), 1);
    let concrete = row_means::concrete(&MaskedTensorSpec {
        values: TensorSpec::of::<f32>(shape![?, 4]),
        mask: TensorSpec::of::<bool>(shape![?, 4]),
    })?;
    assert!(concrete.graph().to_string().contains("SelectV2"), "{}", concrete.graph());
    assert!(concrete.graph().to_dot().starts_with("digraph"));
    assert_eq!(row_means::signatures().len(), 2);
    assert!(row_means::captures().is_empty());
    Ok(())
}

#[tf_function(signature(f32[?, 2], static bool))]
fn logits(x: &Tensor, training: bool) -> Result<Tensor> {
    if training { ops::mul(x, 2.0) } else { Ok(x.clone()) }
}

#[test]
fn a_signature_makes_one_trace_for_all_sizes() -> Result<()> {
    let (one, two) = (Tensor::new([[1.0f32, 2.0]])?, Tensor::new([[1.0f32, 2.0], [3.0, 4.0]])?);
    assert_eq!(floats(&logits(&one, true)?), [2.0, 4.0]);
    assert_eq!(logits(&two, true)?.shape(), shape![2, 2]);
    assert_eq!(logits::trace_count(), 1);
    assert_eq!(floats(&logits(&one, false)?), [1.0, 2.0]);
    assert_eq!(logits::trace_count(), 2);
    let e = logits(&Tensor::new([[1.0f32]])?, true).unwrap_err();
    assert!(e.message().contains("argument `x`"), "{e}");
    Ok(())
}

#[derive(Module)]
struct Dense {
    w: Variable,
    bias: Late<Variable>,
    units: usize,
}

impl Dense {
    fn new(units: usize) -> Result<Self> {
        Ok(Self { w: Variable::new(vec![vec![0.5f32; units]; 2])?, bias: Late::new(), units })
    }

    #[tf_function]
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let bias = self.bias.get_or_create(|| Variable::new(vec![1.0f32; self.units]))?;
        Ok(x.matmul(&self.w.read()?)? + bias.read()?)
    }

    #[tf_function]
    fn step(&self, x: &Tensor) -> Result<Tensor> {
        let tape = GradientTape::new();
        let params = (self.w.clone(),);
        let (loss, grads) =
            tape.value_and_gradient(&params, || self.forward(x)?.square()?.reduce_sum(.., false))?;
        if let Some(g) = grads.of(&self.w)? {
            self.w.assign_sub(g * 0.01)?;
        }
        Ok(loss)
    }
}

#[test]
fn methods_of_modules_are_traced_once_an_instance() -> Result<()> {
    let (a, b) = (Dense::new(3)?, Dense::new(3)?);
    let x = Tensor::new([[1.0f32, 1.0]])?;
    assert_eq!(floats(&a.forward(&x)?), [2.0, 2.0, 2.0]);
    a.w.assign(tensor![[0.0f32; 3], [0.0; 3]])?;
    assert_eq!(floats(&a.forward(&x)?), [1.0, 1.0, 1.0]);
    assert_eq!(floats(&b.forward(&x)?), [2.0, 2.0, 2.0]);
    assert_eq!(a.forward_function().trace_count(), 1);
    assert_eq!(a.variables().len(), 2);
    Ok(())
}

#[test]
fn a_training_step_is_one_traced_method() -> Result<()> {
    let model = Dense::new(2)?;
    let x = Tensor::new([[1.0f32, 1.0]])?;
    let losses: Vec<f32> = (0..3).map(|_| model.step(&x)?.item()).collect::<Result<Vec<f32>>>()?;
    assert!(losses[2] < losses[1] && losses[1] < losses[0], "{losses:?}");
    assert_eq!(model.step_function().trace_count(), 1);
    Ok(())
}

#[tf_function]
fn assign_then_read(v: &Variable) -> Result<Tensor> {
    v.assign(2.0)?;
    v.read()
}

#[test]
fn state_changes_in_program_order() -> Result<()> {
    let v = Variable::new(scalar(7.0f32))?.name("v");
    assert_eq!(assign_then_read(&v)?.item::<f32>()?, 2.0);
    v.assign(5.0)?;
    assert_eq!(assign_then_read(&v)?.item::<f32>()?, 2.0);
    assert_eq!(assign_then_read::trace_count(), 1);
    Ok(())
}

#[test]
fn gradients_pass_extension_types_and_traced_functions() -> Result<()> {
    #[tf_function]
    fn means(m: &MaskedTensor) -> Result<Tensor> {
        Ok(ops::reduce_mean(m, 1, false)?.values)
    }

    let m = masked();
    let tape = GradientTape::new();
    let (_, grads) = tape.value_and_gradient(&m, || means(&m))?;
    // Row 0 has one valid entry, row 1 has two.
    assert_eq!(floats(&grads.get(".values")?.unwrap()), [1.0, 0.0, 0.5, 0.5]);
    assert!(grads.get(".mask")?.is_none());
    drop(tape);

    let g: MaskedTensor = grad(|m: &MaskedTensor| ops::reduce_sum(ops::square(m)?, .., false))(&m)?;
    assert_eq!(floats(&g.values), [2.0, 0.0, 6.0, 8.0]);
    assert_eq!(g.mask.as_slice::<bool>()?, m.mask.as_slice::<bool>()?);
    Ok(())
}

#[test]
fn gradients_nest() -> Result<()> {
    let second = grad(grad(|x: &Tensor| Ok(x * x * x)));
    assert_eq!(second(&scalar(2.0f32))?.item::<f32>()?, 12.0);
    Ok(())
}

#[test]
fn extension_types_nest_across_crates() -> Result<()> {
    let ragged = RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0]])?;
    let m = Masked::new(ragged, [true, true, false])?;
    let eager = ops::square(&m * 2.0 + &m)?;
    assert_eq!(eager.values.to_string(), "[[9.0, 36.0], [], [81.0]]");
    let f = function(|m: &Masked<RaggedTensor>| ops::square(m * 2.0 + m));
    let traced = f.call(&m)?;
    assert_eq!(traced.values.to_string(), eager.values.to_string());
    assert_eq!(traced.mask.as_slice::<bool>()?, [true, true, false]);
    f.call(&m)?;
    assert_eq!(f.trace_count(), 1);
    assert_eq!(
        m.type_spec().to_string(),
        "MaskedSpec(values=RaggedTensorSpec(shape=[3, ?], dtype=float32, ragged_rank=1, \
         row_splits_dtype=int64), mask=TensorSpec([3], bool))"
    );
    Ok(())
}

#[test]
fn gradients_of_higher_order_pass_traced_functions() -> Result<()> {
    let cube = function(|x: &Tensor| ops::mul(&x.square()?, x));
    let second = grad(grad(|x: &Tensor| cube.call(x)));
    assert_eq!(second(&scalar(2.0f32))?.item::<f32>()?, 12.0);
    let traced = function(|x: &Tensor| grad(grad(|x: &Tensor| cube.call(x)))(x));
    assert_eq!(traced.call(&scalar(2.0f32))?.item::<f32>()?, 12.0);
    Ok(())
}

/// A line through points: parameters, a tape, an optimizer; and the gradient as a function of a function.
#[test]
fn a_model_learns_by_a_tape_and_an_optimizer() -> Result<()> {
    use extype::train::SGD;

    #[derive(Module)]
    struct Line {
        w: Variable,
        b: Variable,
    }

    impl Line {
        fn loss(&self, (x, y): &(Tensor, Tensor)) -> Result<Tensor> {
            let error = ops::sub(&ops::add(&ops::mul(x, &self.w)?, &self.b)?, y)?;
            error.square()?.reduce_mean(.., false)
        }
    }

    let model = Line { w: Variable::new(0.0f32)?, b: Variable::new(0.0f32)? };
    let batch = (tensor![0.0f32, 1.0, 2.0], tensor![1.0f32, 3.0, 5.0]);
    let params = model.variables();
    let optimizer = SGD::new(0.2);
    let mut last = f32::INFINITY;
    for _ in 0..100 {
        let tape = GradientTape::new();
        let (loss, grads) = tape.value_and_gradient(&params, || model.loss(&batch))?;
        assert!(grads.of(&model.w)?.is_some() && grads.norm()?.item::<f32>()? >= 0.0);
        optimizer.apply(&grads, &params)?;
        assert!(loss.item::<f32>()? <= last);
        last = loss.item()?;
    }
    let (w, b) = (model.w.read()?.item::<f32>()?, model.b.read()?.item::<f32>()?);
    assert!((w - 2.0).abs() < 0.01 && (b - 1.0).abs() < 0.01, "{w} x + {b}");

    let g = grad(|x: &Tensor| x.square()?.reduce_sum(.., false));
    assert_eq!(g(&tensor![1.0f32, 2.0])?.as_slice::<f32>()?, &[2.0, 4.0]);
    let second = grad(grad(|x: &Tensor| ops::mul(&x.square()?, x)));
    assert_eq!(second(&scalar(2.0f32))?.item::<f32>()?, 12.0);
    Ok(())
}
