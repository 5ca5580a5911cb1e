//! `vectorized_map`: the results of `map_fn` without its loop.

use extype::prelude::*;
use extype_tests::types::MaskedTensor;

/// Small numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn of<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.roll(among.len())]
    }
}

/// Numbers within 1 of zero, of this shape.
fn numbers(dice: &mut Dice, sizes: &[usize]) -> Result<Tensor> {
    let count = sizes.iter().product();
    let list: Vec<f32> = (0..count).map(|_| dice.roll(2001) as f32 / 1000.0 - 1.0).collect();
    Tensor::from_slice(&list, sizes)
}

fn sizes(x: &Tensor) -> Vec<usize> {
    x.shape().sizes().expect("programs have known sizes").to_vec()
}

/// An axis of a tensor, counted from either end.
fn axis(dice: &mut Dice, rank: usize) -> i64 {
    let axis = dice.roll(rank) as i64;
    if dice.roll(2) == 0 { axis } else { axis - rank as i64 }
}

/// A step of a program: an op on a tensor that is there, with others if it needs them. `None` if the op does not
/// fit.
fn step(dice: &mut Dice, kind: usize, pool: &[Tensor]) -> Result<Option<Tensor>> {
    let x = pool[dice.roll(pool.len())].clone();
    let (n, rank) = (sizes(&x), x.rank().unwrap_or(0));
    let alike: Vec<&Tensor> = pool.iter().filter(|y| sizes(y) == n).collect();
    let y = dice.of(&alike).clone();
    if rank == 0 && !matches!(kind, 0 | 1 | 3 | 5 | 7 | 8 | 26) {
        return Ok(None);
    }
    Ok(Some(match kind {
        0 => dice.of(&[Tensor::tanh, Tensor::abs, Tensor::sin, Tensor::relu])(&x)?,
        1 => {
            // What broadcasts: trailing axes, in the element or around it.
            let from = dice.roll(rank + 1);
            let few = if dice.roll(2) == 0 {
                numbers(dice, &n[from..])?
            } else {
                let axes: Vec<i64> = (0..from as i64).collect();
                x.reduce_max(axes, false)?
            };
            match dice.roll(3) {
                0 => ops::sub(&x, &few)?,
                1 => ops::mul(&few, &x)?,
                _ => ops::maximum(&few, &y)?,
            }
        }
        2 => {
            let (axis, keep) = (axis(dice, rank), dice.roll(2) == 0);
            match dice.roll(4) {
                0 => x.reduce_sum(axis, keep)?,
                1 => x.reduce_max(.., keep)?,
                2 => x.reduce_mean([axis], keep)?,
                _ => x.reduce_prod(Vec::<i64>::new(), keep)?,
            }
        }
        3 => match dice.roll(3) {
            0 => x.reshape([-1i64])?,
            1 => x.reshape([1i64, -1])?,
            _ => x.reshape(&ops::shape_of(&y)?)?.ensure_shape(y.shape())?,
        },
        4 => {
            let mut perm: Vec<i64> = (0..rank as i64).collect();
            perm.rotate_left(dice.roll(rank));
            x.transpose(perm)?
        }
        5 if rank < 4 => x.expand_dims(axis(dice, rank + 1))?,
        6 => match n.iter().position(|n| *n == 1) {
            Some(i) if dice.roll(2) == 0 => x.squeeze([i as i64 - rank as i64])?,
            _ => x.squeeze(Vec::new())?,
        },
        7 if rank < 4 => {
            let to: Vec<usize> = std::iter::once(2).chain(n).collect();
            x.broadcast_to(to)?
        }
        8 => {
            let other = if dice.roll(2) == 0 { numbers(dice, &n)? } else { y };
            match (dice.roll(2), rank) {
                (0, 1..) => ops::concat(&[&x, &other], axis(dice, rank))?,
                (_, 4) => return Ok(None),
                _ => ops::stack(&[&other, &x], axis(dice, rank + 1))?,
            }
        }
        9 => {
            let axis = axis(dice, rank);
            let at = if axis < 0 { axis + rank as i64 } else { axis } as usize;
            let parts = x.unstack(n[at], axis)?;
            ops::add(&parts[0], &parts[n[at] - 1])?
        }
        10 => {
            // Places that depend on the element, and such that don't.
            let axis = axis(dice, rank);
            let at = if axis < 0 { axis + rank as i64 } else { axis } as usize;
            let fixed = Tensor::from_vec(vec![0i64, n[at] as i64 - 1]);
            let found = y.argmax(axis)?.reduce_max(.., false)?;
            let (found, table) = (found.reshape([1i64])?, numbers(dice, &n)?);
            match dice.roll(4) {
                0 => x.gather(&fixed, axis)?,
                1 => x.gather(&found, axis)?,
                2 => table.reshape([-1i64])?.gather_nd(&found.expand_dims(0)?)?,
                _ => table.gather(&found, axis)?,
            }
        }
        11 => {
            let begin: Vec<i64> = n.iter().map(|n| dice.roll(*n) as i64).collect();
            x.slice(begin, vec![-1i64; rank])?
        }
        12 => match dice.roll(4) {
            0 => x.index(-1)?,
            1 => x.index((Ellipsis, 0))?,
            2 => x.index(ops::step(.., -1))?,
            _ if rank < 4 => x.index((NewAxis, Ellipsis))?,
            _ => return Ok(None),
        },
        13 => {
            let pairs: Vec<[i64; 2]> = n.iter().map(|_| [dice.roll(2) as i64, 0]).collect();
            match dice.roll(3) {
                0 => x.pad(pairs)?,
                1 => x.mirror_pad(vec![[0i64, 0]; rank], extype::ops::MirrorMode::Reflect)?,
                _ => x.pad_with(0.5, pairs)?,
            }
        }
        14 => x.tile(n.iter().map(|_| 1 + dice.roll(2) as i64).collect::<Vec<_>>())?,
        15 => x.reverse([axis(dice, rank)])?,
        16 => x.roll([1i64], [axis(dice, rank)])?,
        17 => {
            let axis = axis(dice, rank);
            let at = if axis < 0 { axis + rank as i64 } else { axis } as usize;
            let parts = x.split(n[at], axis)?;
            parts[dice.roll(n[at])].clone()
        }
        18 if rank == 2 => {
            let other =
                if dice.roll(2) == 0 { numbers(dice, &[n[1], 2])? } else { y.transpose([1, 0])? };
            match dice.roll(3) {
                0 => x.matmul(&other)?,
                1 => other.transpose([1, 0])?.matmul(&x.transpose([1, 0])?)?,
                _ => ops::einsum("ij,jk->ki", &[&x, &other])?,
            }
        }
        18 if rank == 3 => x.batch_matmul(&y.transpose([0, 2, 1])?)?,
        19 => {
            if dice.roll(2) == 0 {
                ops::softmax(&x)?
            } else {
                ops::log_softmax(&x)?
            }
        }
        20 => match dice.roll(2) {
            0 => x.cumsum(ops::options::Running {
                axis: Some(axis(dice, rank)),
                exclusive: dice.roll(2) == 0,
                backwards: dice.roll(2) == 0,
            })?,
            _ => x.cumprod((axis(dice, rank), ops::Backwards))?,
        },
        21 if rank < 4 => {
            let place = axis(dice, rank);
            x.argmax(axis(dice, rank))?.one_hot(3, if place < 0 { -1 } else { 0 })?
        }
        22 => match dice.roll(2) {
            0 => x.top_k(1)?.0,
            _ => x.nth_element(n[rank - 1] as i64 / 2, false)?,
        },
        23 => ops::select(&x.greater(0.0)?, &y, dice.of(&[0.25, -0.25]))?,
        24 => ops::add_n(&[&x, &y, &numbers(dice, &n)?])?,
        25 if rank > 1 => x.bias_add(&numbers(dice, &n[rank - 1..])?)?,
        26 => {
            let count = ops::size(&x)?.cast(f32)?;
            ops::div(&x, &ops::add(&count, &ops::shape_of(&x)?.reduce_sum(.., false)?.cast(f32)?)?)?
        }
        27 => ops::fill([2i64, 2], &x.reduce_min(.., false)?)?,
        28 => x.bucketize([-0.5, 0.0, 0.5])?.cast(f32)?,
        _ => return Ok(None),
    }))
}

/// A program on one element: steps with ops that have rules.
fn program(seed: u64, x: &Tensor) -> Result<Vec<Tensor>> {
    let mut dice = Dice(seed);
    let mut pool = vec![x.clone()];
    for _ in 0..8 {
        let kind = dice.roll(29);
        let y = step(&mut dice, kind, &pool)?;
        assert!(
            y.as_ref().is_none_or(|y| y.shape().is_fully_defined()),
            "step {kind} has unknown sizes"
        );
        if let Some(y) = y
            && sizes(&y).iter().product::<usize>() <= 64
        {
            pool.push(y);
        }
    }
    Ok(pool.split_off(1))
}

/// The ops of no family that have rules, by their names in graphs.
const WITH_RULES: [&str; 42] = [
    "AddN",
    "ArgMax",
    "BatchMatMulV2",
    "BiasAdd",
    "BroadcastTo",
    "Bucketize",
    "ConcatV2",
    "Cumprod",
    "Cumsum",
    "Einsum",
    "EnsureShape",
    "ExpandDims",
    "Fill",
    "GatherNd",
    "GatherV2",
    "LogSoftmax",
    "MatMul",
    "MirrorPad",
    "NthElement",
    "OneHot",
    "Pack",
    "Pad",
    "PadV2",
    "Reshape",
    "ReverseV2",
    "Roll",
    "SelectV2",
    "Shape",
    "Size",
    "Slice",
    "Softmax",
    "Split",
    "Squeeze",
    "StridedSlice",
    "Tile",
    "TopKV2",
    "Transpose",
    "Unpack",
    "Mean",
    "Max",
    "Sum",
    "Tanh",
];

fn near(a: &Tensor, b: &Tensor) -> bool {
    let (Ok(x), Ok(y)) = (a.as_slice::<f32>(), b.as_slice::<f32>()) else { return false };
    let near =
        |(x, y): (&f32, &f32)| x == y || (x - y).abs() <= 1e-4 * (1.0 + x.abs().max(y.abs()));
    a.shape() == b.shape() && x.iter().zip(y).all(near)
}

#[test]
fn programs_of_ops_with_rules_give_what_a_loop_gives_and_have_none() -> Result<()> {
    let shapes: [&[usize]; 5] = [&[3, 2, 3], &[1, 4], &[2, 3, 2, 2], &[4], &[3, 1, 3]];
    let mut used = String::new();
    for seed in 0..400u64 {
        let shape = shapes[seed as usize % shapes.len()];
        let x = numbers(&mut Dice(seed + 1000), shape)?;
        let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let want = map_fn(&x, |x: Tensor| program(seed, &x))?;
        let at_once = function(move |x: &Tensor| vectorized_map(x, |x: Tensor| program(seed, &x)));
        let mut any = vec![Dim::UNKNOWN];
        any.extend(shape[1..].iter().map(|n| Dim::from(*n)));
        let any =
            at_once.concrete(&TensorSpec::new(any.into_iter().collect::<Shape>(), DType::F32))?;
        used += &function(move |x: &Tensor| program(seed, x))
            .concrete(&x.type_spec().unstacked()?)?
            .graph()
            .to_string();
        let text = any.graph().to_string();
        assert!(!text.contains("While"), "program {seed} has a loop: {text}");
        let known = at_once.call(&x)?;
        for found in [
            vectorized_map(&x, |x: Tensor| program(seed, &x))?,
            known,
            any.call_flat(std::slice::from_ref(&x))?,
        ] {
            assert_eq!(found.len(), want.len());
            for (i, (found, want)) in found.iter().zip(&want).enumerate() {
                assert!(near(found, want), "program {seed}, result {i}: {found} instead of {want}");
            }
        }
    }
    for op in WITH_RULES {
        assert!(used.contains(&format!("= {op}(")), "no program has a `{op}`");
    }
    Ok(())
}

#[test]
fn without_elements_results_have_their_shapes() -> Result<()> {
    for seed in 0..60u64 {
        let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let none = Tensor::from_slice::<f32>(&[], &[0, 2, 3])?;
        let want = map_fn(&none, |x: Tensor| program(seed, &x))?;
        let found = vectorized_map(&none, |x: Tensor| program(seed, &x))?;
        let shapes = |list: &[Tensor]| list.iter().map(Tensor::shape).collect::<Vec<_>>();
        assert_eq!(shapes(&found), shapes(&want), "program {seed}");
    }
    Ok(())
}

#[test]
fn other_ops_are_loops_in_their_place() -> Result<()> {
    // Sorted sums of segments, a conditional, a loop, a product of matrices whose transposition has no rule.
    let f = |row: Tensor| {
        let ids = tensor![0i32, 1, 0];
        let sums = ops::unsorted_segment_sum(&row, &ids, scalar(2i32))?;
        let positive = sums.reduce_sum(.., false)?.greater(0.0)?;
        let half = cond(&positive, || ops::mul(&sums, 0.5), || ops::neg(&sums))?;
        let (_, grown) = while_loop(
            (scalar(0i32), half),
            |(i, _)| i.less(3),
            |(i, x)| Ok((i + 1, ops::mul(&x, 2.0)?)),
        )?;
        ops::add(&grown, &row.reduce_max(.., false)?)
    };
    let x = tensor![[1.0f32, 2.0, 3.0], [-1.0, -2.0, -3.0]];
    let want = map_fn(&x, f)?;
    let traced = function(move |x: &Tensor| vectorized_map(x, f));
    let text = traced.concrete(&x.type_spec())?.graph().to_string();
    assert!(text.contains("Max") && text.contains("While"), "{text}");
    for found in [vectorized_map(&x, f)?, traced.call(&x)?] {
        assert_eq!(found.as_slice::<f32>()?, want.as_slice::<f32>()?);
    }
    Ok(())
}

#[test]
fn results_of_unlike_sizes_on_the_way_are_mapped_by_a_loop() -> Result<()> {
    let f = |row: Tensor| row.where_indices()?.reduce_sum(.., false);
    let x = tensor![[true, false, true], [false, false, true]];
    for found in
        [vectorized_map(&x, f)?, function(move |x: &Tensor| vectorized_map(x, f)).call(&x)?]
    {
        assert_eq!(found.as_slice::<i64>()?, &[2, 2]);
    }
    Ok(())
}

#[test]
fn effects_and_random_numbers_happen_for_each_element() -> Result<()> {
    let count = Variable::new(scalar(0i64))?;
    let counted = vectorized_map(&tensor![1i64, 2, 3], |x: Tensor| {
        count.assign_add(scalar(1i64))?;
        ops::mul(&x, &count.read()?)
    })?;
    assert_eq!(counted.as_slice::<i64>()?, &[1, 4, 9]);
    assert_eq!(count.read()?.item::<i64>()?, 3);
    // What is only read is read once.
    let read = vectorized_map(&tensor![1i64, 2], |x: Tensor| ops::mul(&x, &count.read()?))?;
    assert_eq!(read.as_slice::<i64>()?, &[3, 6]);
    Ok(())
}

#[test]
fn extension_types_go_in_and_out_and_constants_are_repeated() -> Result<()> {
    let f = |m: MaskedTensor| {
        let sum = ops::select(&m.mask, &m.values, 0.0)?.reduce_sum(.., false)?;
        Ok((MaskedTensor::new(ops::mul(&m.values, &sum)?, m.mask)?, scalar(7i32)))
    };
    let m = MaskedTensor::new(
        tensor![[1.0f32, 2.0], [3.0, 4.0]],
        tensor![[true, false], [true, true]],
    )?;
    let g = function(move |m: &MaskedTensor| vectorized_map(m, f));
    for (r, sevens) in [vectorized_map(&m, f)?, g.call(&m)?] {
        assert_eq!(r.values.as_slice::<f32>()?, &[1.0, 2.0, 21.0, 28.0]);
        assert_eq!(r.mask.as_slice::<bool>()?, &[true, false, true, true]);
        assert_eq!(sevens.as_slice::<i32>()?, &[7, 7]);
    }
    Ok(())
}

#[test]
fn maps_nest_and_pass_gradients_of_two_orders() -> Result<()> {
    let cubes = |x: &Tensor| {
        let each = vectorized_map(x, |row: Tensor| {
            vectorized_map(&row, |x: Tensor| ops::mul(&x.square()?, &x))?.reduce_sum(.., false)
        })?;
        each.reduce_sum(.., false)
    };
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let first = extype::grad(cubes);
    assert_eq!(first(&x)?.as_slice::<f32>()?, &[3.0, 12.0, 27.0, 48.0]);
    let traced = function(cubes);
    let second = extype::grad(extype::grad(|x: &Tensor| traced.call(x)));
    assert_eq!(second(&x)?.as_slice::<f32>()?, &[6.0, 12.0, 18.0, 24.0]);
    Ok(())
}

#[test]
fn what_fails_names_the_call() -> Result<()> {
    let e = vectorized_map(&tensor![[1.0f32], [2.0]], |row: Tensor| ops::add(&row, scalar(1i32)))
        .expect_err("two dtypes");
    assert!(e.to_string().contains("vectorized.rs"), "{e}");
    assert!(vectorized_map(&scalar(1.0f32), |x: Tensor| Ok(x)).is_err());
    // An operator that fails is an error too.
    let e =
        vectorized_map(
            &tensor![[1.0f32, 2.0]],
            |row: Tensor| Ok(&row + &tensor![1.0f32, 2.0, 3.0]),
        );
    assert!(e.is_err());
    Ok(())
}

#[test]
fn functions_that_are_called_are_rewritten_too() -> Result<()> {
    #[tf_function]
    fn centred(row: &Tensor, by: &Tensor) -> Result<Tensor> {
        ops::mul(&ops::sub(row, row.reduce_mean(.., false)?)?, by)
    }
    let f = function(|x: &Tensor| {
        vectorized_map(x, |row: Tensor| centred(&row, &row.reduce_max(.., false)?))
    });
    let x = tensor![[1.0f32, 3.0], [2.0, 6.0]];
    let text = f.concrete(&x.type_spec())?.graph().to_string();
    assert!(!text.contains("While") && !text.contains("Call"), "{text}");
    assert_eq!(f.call(&x)?.as_slice::<f32>()?, &[-3.0, 3.0, -12.0, 12.0]);
    Ok(())
}

#[test]
fn stacks_of_unlike_sizes_are_refused_where_only_the_run_knows_the_sizes() -> Result<()> {
    let any = TensorSpec::of::<f32>(shape![?]);
    let five = TensorSpec::of::<f32>([5]);
    let (x, y) = (tensor![1.0f32, 2.0, 3.0, 4.0, 5.0], Tensor::from_vec(vec![1.0f32]));
    let at_once = function(|x: &Tensor, y: &Tensor| {
        vectorized_map(&(x.clone(), y.clone()), |(x, y)| ops::add(&x, &y))
    });
    let looped = function(|x: &Tensor, y: &Tensor| {
        map_fn(&(x.clone(), y.clone()), |(x, y)| ops::add(&x, &y))
    });
    for (specs, of, said) in [
        ([&any, &any], [&x, &y], "first axes of 5 and 1 elements"),
        ([&any, &any], [&y, &x], "first axes of 1 and 5 elements"),
        ([&any, &five], [&y, &x], "first axes of 5 and 1 elements"),
    ] {
        let of = of.map(Tensor::clone);
        for f in [at_once.concrete(specs[0], specs[1])?, looped.concrete(specs[0], specs[1])?] {
            let e = f.call_flat(&of).expect_err("unlike sizes").to_string();
            assert!(e.contains(said) && e.contains("vectorized.rs"), "{e}");
        }
    }
    let f = at_once.concrete(&any, &any)?;
    assert_eq!(f.call_flat(&[x.clone(), x])?[0].as_slice::<f32>()?, &[2.0, 4.0, 6.0, 8.0, 10.0]);
    Ok(())
}

#[test]
fn elements_of_unknown_rank_are_refused_as_a_loop_refuses_them() -> Result<()> {
    type Step = fn(Tensor) -> Result<Tensor>;
    let steps: [(&str, Step); 16] = [
        ("sum", |x| x.reduce_sum(-1, false)),
        ("argmax", |x| x.argmax(-1)),
        ("cumsum", |x| x.cumsum(-1)),
        ("reverse", |x| x.reverse([-1])),
        ("squeeze", |x| x.squeeze([-1i64])),
        ("unstack", |x| Ok(x.unstack(3, -1)?[0].clone())),
        ("split", |x| Ok(x.split(3, -1)?[0].clone())),
        ("concat", |x| ops::concat(&[&x, &x], -1)),
        ("stack", |x| ops::stack(&[&x, &x], -2)),
        ("expand_dims", |x| x.expand_dims(-2)),
        ("softmax", |x| ops::softmax(&x)),
        ("top_k", |x| Ok(x.top_k(1)?.0)),
        ("matmul", |x| x.matmul(&tensor![[1.0f32, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])),
        ("bias_add", |x| x.bias_add(&tensor![1.0f32, 2.0, 3.0])),
        ("gather_nd", |x| tensor![1.0f32, 2.0, 3.0, 4.0, 5.0].gather_nd(&x.cast(i64)?)),
        ("tanh", |x| x.tanh()),
    ];
    let any = TensorSpec::new(Shape::unknown(), DType::F32);
    for (name, step) in steps {
        let at_once = function(move |x: &Tensor| vectorized_map(x, step)).concrete(&any)?;
        let looped = function(move |x: &Tensor| map_fn(x, step)).concrete(&any)?;
        for x in [
            tensor![1.0f32, 0.0, 2.0],
            tensor![[1.0f32, 0.0, 2.0]],
            tensor![[1.0f32], [3.0]],
            tensor![[[1.0f32, 0.0, 2.0], [0.0, 1.0, 1.0]]],
        ] {
            let x = [x];
            match (at_once.call_flat(&x), looped.call_flat(&x)) {
                (Ok(found), Ok(want)) => assert_eq!(found[0].to_string(), want[0].to_string()),
                (Err(_), Err(_)) => {}
                (found, want) => panic!("`{name}` of {}: {found:?}, not {want:?}", x[0]),
            }
        }
    }
    Ok(())
}

#[test]
fn attributes_that_say_how_shapes_meet_are_those_of_one_call() -> Result<()> {
    use extype::ops::{ApproximateEqualFn, Binary, EqualFn, Gather, NotEqualFn, Op};
    let rows = tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let table = tensor![[1.0f32, 2.0, 3.0], [7.0, 8.0, 9.0]];
    type Step = fn(&Tensor, &Tensor) -> Result<Tensor>;
    let steps: [(&str, Step); 7] = [
        ("equal", |x, _| {
            Binary(EqualFn { incompatible_shape_error: false }).run(&[x, &tensor![1.0f32, 2.0]])
        }),
        ("not_equal", |x, _| {
            Binary(NotEqualFn { incompatible_shape_error: false }).run(&[x, &tensor![1.0f32, 2.0]])
        }),
        ("broadcast", |x, _| {
            Binary(EqualFn { incompatible_shape_error: false }).run(&[x, &scalar(1.0f32)])
        }),
        ("near", |x, _| {
            Binary(ApproximateEqualFn { tolerance: 0.1 }).run(&[x, &tensor![1.0f32, 2.0, 6.0]])
        }),
        ("gather of each", |x, _| {
            let at = tensor![[0i64, 1], [2, 2]];
            Gather { batch_dims: -2, axis: ops::Axis(0) }.run(&[x, &at])
        }),
        ("gather by each", |x, table| {
            let at = x.cast(i64)?.slice([0i64], [1i64])?;
            let at = ops::floor_mod(&at, 3i64)?;
            Gather { batch_dims: -1, axis: ops::Axis(1) }.run(&[table, &at])
        }),
        ("gather in each", |x, table| {
            let both = ops::add(table, x)?;
            let at = ops::floor_mod(&x.cast(i64)?.slice([0i64], [2i64])?, 3i64)?.expand_dims(1)?;
            Gather { batch_dims: -1, axis: ops::Axis(1) }.run(&[&both, &at])
        }),
    ];
    for (name, step) in steps {
        let want = map_fn(&rows, |x: Tensor| step(&x, &table))?;
        let found = vectorized_map(&rows, |x: Tensor| step(&x, &table))?;
        assert_eq!(found.to_string(), want.to_string(), "{name}");
    }
    Ok(())
}

#[test]
fn a_size_that_follows_from_the_others_is_known_also_without_elements() -> Result<()> {
    let f = function(|x: &Tensor| vectorized_map(x, |x: Tensor| x.reshape([-1i64, 2])));
    let any = f.concrete(&TensorSpec::of::<f32>(shape![?, ?, ?]))?;
    let none = Tensor::from_slice::<f32>(&[], &[0, 3, 4])?;
    assert_eq!(any.call_flat(&[none])?[0].shape(), shape![0, 6, 2]);
    let some = Tensor::from_slice::<f32>(&[1.0; 24], &[2, 3, 4])?;
    assert_eq!(any.call_flat(&[some])?[0].shape(), shape![2, 6, 2]);
    Ok(())
}
