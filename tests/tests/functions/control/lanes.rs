//! `vectorized_map` where calls share operands and differ in others, in ways that one op for all of them could mix up.

use extype::ops::{Op as _, QuantizeV2};
use extype::prelude::*;
use extype::resources::LookupTable;
use extype::types::quantized::qint8;

fn numbers(sizes: &[usize]) -> Result<Tensor> {
    let count = sizes.iter().product::<usize>() as i32;
    let all: Vec<f32> = (0..count).map(|i| ((i * 37 % 19) as f32 - 9.0) / 9.0).collect();
    Tensor::from_slice(&all, sizes)
}

/// The results of calls at once and one after the other, in a trace that knows the shapes and in one that knows ranks.
fn alike<const N: usize>(
    rows: [Tensor; N],
    f: impl Fn(&[Tensor]) -> Result<Tensor> + Clone + Send + Sync + 'static,
) -> Result<()> {
    let rows = Vec::from(rows);
    for shapes in [true, false] {
        let mapped = |at_once: bool| {
            let f = f.clone();
            let traced = function(move |rows: &Vec<Tensor>| match at_once {
                true => vectorized_map(rows, |row: Vec<Tensor>| f(&row)),
                false => map_fn(rows, |row: Vec<Tensor>| f(&row)),
            });
            let spec = |x: &Tensor| match (shapes, x.rank()) {
                (false, Some(rank)) => TensorSpec::new(Shape::of_rank(rank), x.dtype()),
                _ => TensorSpec::new(x.shape(), x.dtype()),
            };
            let specs: Vec<TensorSpec> = rows.iter().map(spec).collect();
            traced.concrete(&specs)?.call_flat(&rows)
        };
        match (mapped(true), mapped(false)) {
            (Ok(found), Ok(want)) => {
                let (found, want) = (found[0].cast(f64)?, want[0].cast(f64)?);
                assert_eq!(found.shape(), want.shape(), "shapes known: {shapes}");
                assert!(found.allclose(&want, ops::Atol(1e-4))?.item()?, "{found} not {want}");
            }
            (Err(_), Err(_)) => {}
            (found, want) => panic!("shapes known: {shapes}: {found:?}, a loop gives {want:?}"),
        }
    }
    Ok(())
}

#[test]
fn images_of_calls_with_their_own_filters_stay_apart() -> Result<()> {
    let filters = numbers(&[2, 2, 2, 3, 4])?;
    let dy = numbers(&[2, 1, 4, 4, 4])?;
    // All sizes, or those of the spatial axes.
    for sizes in [vec![4i64, 4], vec![1, 4, 4, 3]] {
        alike([filters.clone(), dy.clone()], move |row| {
            ops::conv2d_transpose(&row[1], &row[0], sizes.clone(), ops::Padding::Same)
        })?;
    }
    // Three channels don't divide by two, those of two calls do.
    alike([numbers(&[2, 1, 4, 4, 3])?, numbers(&[2, 1, 1, 2, 2])?], |row| {
        row[0].conv2d(&row[1], ops::Padding::Same)
    })
}

#[test]
fn convolutions_of_no_calls_have_no_results() -> Result<()> {
    for count in [0, 1, 3] {
        let (images, filters) = (numbers(&[count, 1, 4, 4, 3])?, numbers(&[count, 2, 2, 3, 2])?);
        let f = function(|x: &Tensor, filters: &Tensor| {
            vectorized_map(&(x.clone(), filters.clone()), |(x, filters): (Tensor, Tensor)| {
                x.conv2d(&filters, ops::Padding::Same)
            })
        });
        let open = |x: &Tensor| {
            TensorSpec::new(x.shape().slice(Some(1), None).insert(0, Dim::UNKNOWN), f32)
        };
        let open = f.concrete(&open(&images), &open(&filters))?;
        assert!(count != 1 || !open.graph().to_string().contains("While"));
        for f in [open, f.concrete(&images.type_spec(), &filters.type_spec())?] {
            let found = &f.call_flat(&[images.clone(), filters.clone()])?[0];
            let want =
                map_fn(&(images.clone(), filters.clone()), |(x, filters): (Tensor, Tensor)| {
                    x.conv2d(&filters, ops::Padding::Same)
                })?;
            assert_eq!(found.shape(), shape![count, 1, 4, 4, 2]);
            assert!(count == 0 || found.allclose(&want, ops::Atol(1e-5))?.item()?);
        }
    }
    Ok(())
}

#[test]
fn squares_of_half_precision_are_added_in_single_precision() -> Result<()> {
    let x = tensor![[300.0f32, 1.0], [0.5, 2.0]].cast(DType::F16)?;
    let y = vectorized_map(&x, |x: Tensor| ops::l2_loss(&x))?;
    assert_eq!(y.cast(f32)?.as_slice::<f32>()?, &[44992.0, 2.125]);
    Ok(())
}

#[test]
fn defaults_of_a_table_go_with_their_keys() -> Result<()> {
    let keys = tensor![[1i64, 9, 3], [9, 3, 2]];
    let table = LookupTable::new([1i64, 2, 3], [5i64, 6, 7], -1i64)?;
    let of = |default: Tensor| vectorized_map(&keys, |keys| table.lookup_or(&keys, &default));
    assert_eq!(of(tensor![10i64, 11, 12])?.as_slice::<i64>()?, &[5, 11, 7, 10, 7, 6]);
    assert_eq!(of(scalar(-2i64))?.as_slice::<i64>()?, &[5, -2, 7, -2, 7, 6]);
    let own = vectorized_map(&(keys.clone(), tensor![-1i64, -2]), |(keys, default)| {
        table.lookup_or(&keys, &default)
    })?;
    assert_eq!(own.as_slice::<i64>()?, &[5, -1, 7, -2, 7, 6]);
    Ok(())
}

#[test]
fn a_shared_stack_of_unknown_rank_is_not_one_of_the_calls() -> Result<()> {
    let f = function(|x: &Tensor, diagonals: &Tensor| {
        vectorized_map(diagonals, |diagonal: Tensor| {
            x.matrix_set_diag(&diagonal, 0, Default::default())
        })
    });
    let (x, diagonals) = (numbers(&[2, 3, 3])?, numbers(&[2, 2, 3])?);
    let open = f.concrete(&TensorSpec::new(Shape::unknown(), f32), &diagonals.type_spec())?;
    let found = &open.call_flat(&[x.clone(), diagonals.clone()])?[0];
    assert_eq!(found.shape(), shape![2, 2, 3, 3]);
    assert_eq!(found.as_slice::<f32>()?, f.call(&x, &diagonals)?.as_slice::<f32>()?);
    Ok(())
}

#[test]
fn an_id_that_is_out_of_range_is_named_with_its_call() -> Result<()> {
    let (x, ids) = (numbers(&[2, 3])?, tensor![[0i32, 1, -1], [1, 7, 0]]);
    let sums = |(x, ids): (Tensor, Tensor)| ops::unsorted_segment_sum(&x, &ids, scalar(2i32));
    let e = vectorized_map(&(x.clone(), ids), sums).expect_err("7 of 2").to_string();
    assert!(e.contains("segment id 7 at position 1 of call 1 is not in [0, 2)"), "{e}");
    let ids = tensor![[0i32, 1, -1], [1, -7, 0]];
    let want = map_fn(&(x.clone(), ids.clone()), sums)?;
    assert_eq!(vectorized_map(&(x, ids), sums)?.as_slice::<f32>()?, want.as_slice::<f32>()?);
    // Maps in maps.
    alike(
        [
            numbers(&[3, 2, 4])?,
            tensor![
                [[0i32, 1, -1, 0], [1, 1, 0, 0]],
                [[1, 0, 1, 0], [-1, -1, 0, 0]],
                [[0, 0, 0, 0], [1, 1, 1, 1]]
            ],
        ],
        move |row| vectorized_map(&(row[0].clone(), row[1].clone()), sums),
    )
}

#[test]
fn series_are_convolved_at_once_with_their_gradients() -> Result<()> {
    let (x, y) = (numbers(&[3, 6])?, numbers(&[3, 4])?);
    let f = function(|x: &Tensor, y: &Tensor| {
        vectorized_map(&(x.clone(), y.clone()), |(x, y): (Tensor, Tensor)| {
            ops::convolve(&x, &y, ops::Overlap::Same)
        })
    });
    let text = f.concrete(&x.type_spec(), &y.type_spec())?.graph().to_string();
    assert!(!text.contains("While"), "{text}");
    for overlap in [ops::Overlap::Full, ops::Overlap::Same, ops::Overlap::Valid] {
        let loss = |x: &Tensor, y: &Tensor, at_once: bool| {
            let each = |(x, y): (Tensor, Tensor)| {
                ops::add(
                    &ops::convolve(&x, &y, overlap)?,
                    &ops::correlate(&y, &y, overlap)?.index(0)?,
                )
            };
            let rows = (x.clone(), y.clone());
            let sums = if at_once { vectorized_map(&rows, each)? } else { map_fn(&rows, each)? };
            sums.square()?.reduce_sum(.., false)
        };
        let gradients = |at_once: bool| -> Result<Vec<Tensor>> {
            let tape = GradientTape::new();
            tape.watch(&[x.clone(), y.clone()]);
            let loss = loss(&x, &y, at_once)?;
            tape.gradient(&loss, &vec![x.clone(), y.clone()])?.into_structure()
        };
        for (found, want) in gradients(true)?.iter().zip(&gradients(false)?) {
            assert!(found.allclose(want, ops::Atol(1e-4))?.item()?, "{found} instead of {want}");
        }
    }
    Ok(())
}

#[test]
fn levels_of_shared_ranges_are_those_of_each_call() -> Result<()> {
    let x = numbers(&[2, 3, 4])?;
    for axis in [-1i64, 0, 1] {
        let ends = |end: f32| match axis {
            -1 => Ok(scalar(end)),
            0 => Tensor::from_slice(&[end, end * 0.5, end * 2.0], &[3]),
            _ => Tensor::from_slice(&[end, end * 0.5, end * 2.0, end], &[4]),
        };
        let (low, high) = (ends(-1.0)?, ends(0.8)?);
        let each = move |x: &Tensor| {
            let op = QuantizeV2 { mode: "SCALED".into(), axis, ..QuantizeV2::to(qint8) };
            let found: (Tensor, Tensor, Tensor) = op.run_as(&[x, &low, &high])?;
            ops::add(&found.0.cast(f32)?, &found.1.reduce_sum(.., false)?)
        };
        let text = function(|x: &Tensor| vectorized_map(x, |x: Tensor| each(&x)));
        let text = text.concrete(&x.type_spec())?.graph().to_string();
        assert!(!text.contains("While"), "{text}");
        alike([x.clone()], {
            let each = each.clone();
            move |row| each(&row[0])
        })?;
    }
    Ok(())
}

#[test]
fn axes_that_a_called_function_is_given_are_those_of_one_element() -> Result<()> {
    let sums = function(|x: &Tensor, axis: &Tensor| x.reduce_sum(axis, false));
    let x = numbers(&[2, 3])?;
    let of = |axis: i32| vectorized_map(&x, |row: Tensor| sums.call(&row, &scalar(axis)));
    assert!(of(-2).is_err(), "{:?}", of(-2));
    assert!(of(1).is_err());
    let want = x.reduce_sum(1, false)?;
    for axis in [0, -1] {
        assert_eq!(of(axis)?.as_slice::<f32>()?, want.as_slice::<f32>()?);
    }
    Ok(())
}

#[test]
fn a_size_that_depends_on_the_element_is_one_of_each() -> Result<()> {
    let sums = |text: Tensor| text.decode_raw(u8)?.cast(i32)?.reduce_sum(.., false);
    let found = vectorized_map(&tensor!["a", "bc", ""], sums)?;
    assert_eq!(found.as_slice::<i32>()?, &[97, 98 + 99, 0]);
    Ok(())
}
