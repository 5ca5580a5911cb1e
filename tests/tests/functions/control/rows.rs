//! `vectorized_map` keeps the elements apart whatever is known of them: what one call refuses is refused for all.

use extype::array::Array;
use extype::prelude::*;
use extype::types::DTypeSet;

#[test]
fn what_a_call_refuses_is_refused_for_all_whatever_is_known() -> Result<()> {
    type Step = fn(Tensor) -> Result<Tensor>;
    let steps: [(&str, Step); 27] = [
        ("reshape", |x| x.reshape([2i64])),
        ("reshape to a matrix", |x| x.reshape([3i64, 2])),
        ("reshape to what follows", |x| x.reshape([-1i64, 2])),
        ("reshape to a scalar", |x| x.reshape([0i64; 0])),
        ("reshape to sizes of others", |x| x.reshape(&ops::shape_of(tensor![1.0f32, 2.0])?)),
        ("reshape to nothing", |x| x.reshape([0i64, 2])),
        ("flatten", |x| x.reshape([-1i64])),
        ("broadcast_to", |x| x.broadcast_to([2i64, 3])),
        ("broadcast_to sizes of others", |x| {
            x.broadcast_to(&ops::shape_of(tensor![[1.0f32, 2.0, 3.0]])?)
        }),
        ("squeeze", |x| x.squeeze([0i64])),
        ("squeeze all", |x| x.squeeze(Vec::<i64>::new())),
        ("expand_dims", |x| x.expand_dims(1)),
        ("transpose", |x| x.transpose([1i64, 0])),
        ("concat", |x| ops::concat(&[&x, &tensor![[1.0f32, 2.0]]], 0)),
        ("stack", |x| ops::stack(&[&x, &tensor![1.0f32, 2.0]], 0)),
        ("slice", |x| x.slice([1i64], [2i64])),
        ("index", |x| x.index(1)),
        ("tile", |x| x.tile([2i64])),
        ("fill", |x| ops::fill([2i64, 2], &x)),
        ("pad", |x| x.pad([[1, 0]])),
        ("gather", |x| x.gather(&tensor![0i64, 1], 0)),
        ("ensure_shape", |x| x.ensure_shape(shape![2, ?])),
        ("one_hot", |x| ops::one_hot(&x.cast(i64)?, 3, -1)),
        ("roll", |x| x.roll(1, 0)),
        ("add", |x| ops::add(&x, tensor![1.0f32, 2.0])),
        ("add_n", |x| ops::add_n(&[&x, &tensor![1.0f32, 2.0]])),
        ("size", |x| ops::size(&x)?.cast(f32)),
    ];
    let of = |dims: &[usize]| {
        let count = dims.iter().product::<usize>() as i32;
        let sizes: Vec<i64> = dims.iter().map(|n| *n as i64).collect();
        ops::range(0, count, 1)?.cast(f32)?.reshape(sizes)
    };
    let elements: [&[usize]; 11] = [
        &[3],
        &[3, 2],
        &[3, 4],
        &[2, 3],
        &[4, 1],
        &[2, 6],
        &[3, 2, 2],
        &[2, 1, 3],
        &[2, 3, 1],
        &[2, 2, 4],
        &[0, 4],
    ];
    let (mut taken, mut refused) = (0, 0);
    for (name, step) in steps {
        for dims in elements {
            let x = of(dims)?;
            let ranks = Shape::of_rank(dims.len());
            for shape in [x.shape(), ranks, Shape::unknown()] {
                let spec = TensorSpec::new(shape, DType::F32);
                let want = run_as(&spec, &x, move |x| map_fn(x, step));
                let found = run_as(&spec, &x, move |x| vectorized_map(x, step));
                match (found, want) {
                    (Ok(found), Ok(want)) => {
                        taken += 1;
                        // Nor does it know what size follows from the others.
                        if dims[0] == 0 {
                            continue;
                        }
                        assert_eq!(found.shape(), want.shape(), "`{name}` of {spec}");
                        assert_eq!(found.to_string(), want.to_string(), "`{name}` of {spec}");
                    }
                    (Err(_), Err(_)) => refused += 1,
                    // Without elements a loop runs nothing that could refuse.
                    (Err(_), Ok(_)) if dims[0] == 0 => {}
                    (found, want) => {
                        panic!(
                            "`{name}` of {dims:?} as {spec}: {found:?}, and a loop gives {want:?}"
                        )
                    }
                }
            }
        }
    }
    assert!(taken > 150 && refused > 150, "{taken} taken, {refused} refused");
    Ok(())
}

/// The result for `x` of a function that is traced for the spec.
fn run_as(
    spec: &TensorSpec,
    x: &Tensor,
    f: impl Fn(&Tensor) -> Result<Tensor> + Send + Sync + 'static,
) -> Result<Tensor> {
    let f = function(move |x: &Tensor| f(x)).concrete(spec)?;
    f.call_flat(std::slice::from_ref(x)).map(|mut y| y.remove(0))
}

#[test]
fn rows_of_a_reshape_stay_apart() -> Result<()> {
    let f = function(|x: &Tensor| vectorized_map(x, |row: Tensor| row.reshape([2i64])));
    let of = |x: Tensor, shape: Shape| f.concrete(&TensorSpec::new(shape, f32))?.call_flat(&[x]);
    for shape in [shape![?, ?], Shape::unknown()] {
        let e = of(ops::ones([3, 4], f32)?, shape.clone()).unwrap_err().to_string();
        assert!(e.contains("reshape") && e.contains("rows.rs"), "{e}");
        let two = tensor![[1.0f32, 2.0], [3.0, 4.0]];
        assert_eq!(of(two.clone(), shape)?[0].to_string(), two.to_string());
    }
    Ok(())
}

#[test]
fn sizes_of_huge_rows_without_elements_are_zero() -> Result<()> {
    let x = Tensor::from(Array::zeros(f32, [2, 1 << 62, 1 << 62, 0])?);
    for y in [
        vectorized_map(&x, |row: Tensor| ops::size(&row))?,
        function(|x: &Tensor| vectorized_map(x, |row: Tensor| ops::size(&row))).call(&x)?,
    ] {
        assert_eq!(y.as_slice::<i64>()?, &[0, 0]);
    }
    Ok(())
}

extype::define_op! {
    /// An op that takes and gives nothing.
    op Sink = "TestVectorized>Sink" {
        inputs: { x: T }, outputs: {}, types: { T: DTypeSet::FLOAT },
        dispatch: none,
        infer: |_| Ok(extype::ir::Types::new()), kernel: |_| Ok(extype::ir::Outputs::new()),
        gradient: none, effect: Checks,
    }

    /// The same without an effect.
    op Nothing = "TestVectorized>Nothing" {
        inputs: { x: T }, outputs: {}, types: { T: DTypeSet::FLOAT },
        dispatch: none,
        infer: |_| Ok(extype::ir::Types::new()), kernel: |_| Ok(extype::ir::Outputs::new()),
        gradient: none,
    }
}

#[test]
fn ops_without_results_are_mapped() -> Result<()> {
    use extype::ir::Attrs;
    use extype::ops::NamedOp;
    use extype::tensor::execute;
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    for op in [Sink::DEF, Nothing::DEF] {
        let each = move |row: Tensor| {
            assert!(execute(op, Attrs::new(), &[&row])?.is_empty());
            row.tanh()
        };
        let want = map_fn(&x, each)?;
        let traced = function(move |x: &Tensor| vectorized_map(x, each));
        for found in [vectorized_map(&x, each)?, traced.call(&x)?] {
            assert_eq!(found.to_string(), want.to_string());
        }
        // What is the same for all elements is computed once.
        let outside = scalar(1.0f32);
        let once = |row: Tensor| {
            execute(op, Attrs::new(), &[&outside])?;
            row.tanh()
        };
        assert_eq!(vectorized_map(&x, once)?.to_string(), want.to_string());
    }
    Ok(())
}
