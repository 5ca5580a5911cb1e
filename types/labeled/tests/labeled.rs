//! Labeled tensors: ops by name, against the plain tensors.

use extype::prelude::*;
use extype::spec::{concat_values, stack_values, unstack_values};
use extype_labeled::{Labeled, LabeledSpec};

fn table() -> Labeled {
    Labeled::of([[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]], &["row", "column"]).unwrap()
}

fn floats(x: &Labeled) -> Vec<f32> {
    x.values.as_slice::<f32>().unwrap().to_vec()
}

#[test]
fn operands_meet_by_name() -> Result<()> {
    let turned = table().order(&["column", "row"])?;
    let twice = ops::add(table(), &turned)?;
    assert_eq!(
        (twice.axes.clone(), floats(&twice)),
        (table().axes, floats(&ops::mul(table(), 2.0)?))
    );
    let columns = Labeled::of([10.0f32, 20.0, 30.0], &["column"])?;
    assert_eq!(floats(&(&table() + &columns)), [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
    assert_eq!(floats(&(&table() - &table().mean(&["column"])?)), [-1.0, 0.0, 1.0, -1.0, 0.0, 1.0]);
    // Axes of one operand only: all pairs.
    let rows = Labeled::of([1.0f32, 2.0], &["row"])?;
    let pairs = ops::mul(&rows, &columns)?;
    assert_eq!(
        (pairs.axes.join(" "), floats(&pairs)),
        ("row column".into(), vec![10., 20., 30., 20., 40., 60.])
    );
    let turned = ops::sub(&columns, table())?;
    assert_eq!((turned.axes.join(" "), floats(&turned)[1]), ("column row".into(), 6.0));
    assert_eq!(
        ops::less(table(), 3.0)?.values.as_slice::<bool>()?,
        &[true, true, false, false, false, false]
    );
    Ok(())
}

#[test]
fn errors_name_axes() -> Result<()> {
    let wide = Labeled::of([[1.0f32; 4]; 2], &["row", "column"])?;
    let e = ops::add(table(), &wide).unwrap_err();
    assert!(
        e.message().contains("axis `column` has size 3 on the left, and 4 on the right"),
        "{e}"
    );
    // Not even a size of 1 is stretched.
    let thin = Labeled::of([1.0f32], &["column"])?;
    assert!(ops::mul(table(), &thin).is_err() && table().dot(&thin, &["column"]).is_err());
    let e = ops::add(table(), tensor![1.0f32, 2.0, 3.0]).unwrap_err();
    assert!(e.message().contains("name its axes"), "{e}");
    assert!(
        Labeled::of([[1]], &["a", "a"]).unwrap_err().message().contains("two axes are named `a`")
    );
    let e = table().sum(&["row", "row"]).unwrap_err();
    assert!(e.message().contains("axis `row` is named twice"), "{e}");
    let e = table().dot(&thin, &["row"]).unwrap_err();
    assert!(e.message().contains("size 3"), "{e}");
    let other = Labeled::of([1.0f32, 2.0], &["place"])?;
    assert!(table().dot(&other, &["row"]).unwrap_err().message().contains("the right operand"));
    let e = ops::matmul(table(), &other).unwrap_err();
    assert!(e.message().contains("[row, column] and [place] share 0"), "{e}");
    Ok(())
}

#[test]
fn products_and_reductions_are_those_of_tensors() -> Result<()> {
    let y = Labeled::of([[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]], &["column", "out"])?;
    let wanted = table().values.matmul(&y.values)?;
    for found in
        [ops::matmul(table(), &y)?, table().dot(&y.order(&["out", "column"])?, &["column"])?]
    {
        assert_eq!(found.axes, ["row", "out"]);
        assert_eq!(floats(&found), wanted.as_slice::<f32>()?);
    }
    assert_eq!(floats(&table().max(&["row"])?), [4.0, 5.0, 6.0]);
    assert_eq!(floats(&table().min(&["row", "column"])?), [1.0]);
    assert_eq!(ops::reduce_sum(table(), -1, true)?.axes, ["row", "column"]);
    assert_eq!(ops::reduce_sum(table(), .., false)?.axes.len(), 0);
    assert!(ops::reduce_sum(table(), 2, false).is_err());
    Ok(())
}

#[test]
fn names_are_part_of_the_type() -> Result<()> {
    let f = function(|x: &Labeled| ops::sub(x, &x.mean(&["row"])?));
    assert_eq!(floats(&f.call(&table())?), [-1.5, -1.5, -1.5, 1.5, 1.5, 1.5]);
    let _ = f.call(&ops::neg(table())?)?;
    assert_eq!(f.trace_count(), 1);
    let _ = f.call(&table().rename("column", "c")?)?;
    assert_eq!(f.trace_count(), 2);
    let slope = grad(|x: &Labeled| x.dot(x, &["row", "column"]).map(|y| y.values))(&table())?;
    assert_eq!(floats(&slope), floats(&ops::mul(table(), 2.0)?));
    Ok(())
}

#[test]
fn a_stack_has_an_axis_batch() -> Result<()> {
    let stack = stack_values(&[table(), ops::neg(table())?])?;
    assert_eq!(stack.axes, ["batch", "row", "column"]);
    let deep = stack_values(&[stack.clone(), stack.clone()])?;
    assert_eq!(deep.axes, ["batch2", "batch", "row", "column"]);
    assert_eq!(floats(&unstack_values(&deep)?[1]), floats(&stack));
    assert_eq!(floats(&unstack_values(&stack)?[0]), floats(&table()));
    assert_eq!(concat_values(&[stack.clone(), stack.clone()])?.values.shape(), shape![4, 2, 3]);
    let sums = map_fn(&stack, |x: Labeled| x.sum(&["row"]))?;
    assert_eq!((sums.axes.join(" "), sums.values.shape()), ("batch column".into(), shape![2, 3]));
    assert!(stack_values(&[table(), table().rename("row", "r")?]).is_err());
    Ok(())
}

#[test]
fn hostile_axes_and_tensors() -> Result<()> {
    assert!(ops::transpose(table(), [0, 0]).is_err() && ops::transpose(table(), [0]).is_err());
    assert_eq!(ops::transpose(table(), [-1, 0])?.axes, ["column", "row"]);
    assert!(ops::reduce_sum(table(), [0, 0], false).is_err());
    assert!(ops::add(table(), &Labeled::of([1i64, 2], &["row"])?).is_err());
    assert!(table().order(&["row", "row"]).is_err() && table().order(&["row", "x"]).is_err());
    assert!(table().take("row", [2]).is_err() && table().take("row", [[0]]).is_err());
    assert!(Labeled::join(&[], "row").is_err());
    let other = table().rename("column", "c")?;
    assert!(Labeled::join(&[&table(), &other], "row").is_err());
    let wide = Labeled::of([[1.0f32; 4]], &["row", "column"])?;
    assert!(Labeled::join(&[&table(), &wide], "row").is_err());
    // No axes, and axes without places.
    let one = Labeled::of(2.0f32, &[])?;
    assert_eq!(floats(&ops::mul(&one, table())?)[..2], [2.0, 4.0]);
    assert_eq!(floats(&one.dot(&table(), &[])?)[1], 4.0);
    let none = Labeled::of(ops::zeros([0, 3], f32)?, &["row", "column"])?;
    assert_eq!(floats(&none.sum(&["row"])?), [0.0; 3]);
    assert_eq!(Labeled::join(&[&none, &table()], "row")?.size("row")?, 2.into());
    assert!(ops::add(&none, table()).is_err());
    Ok(())
}

#[test]
fn functions_made_of_several_ops_keep_names() -> Result<()> {
    let x = ops::softmax(table())?;
    assert_eq!(
        (x.axes.join(" "), floats(&x)[0]),
        (
            "row column".into(),
            floats(&Labeled::of(table().values.softmax()?, &["row", "column"])?)[0]
        )
    );
    let x = ops::reduce_std(&table(), 0, false)?;
    assert_eq!((x.axes.join(" "), floats(&x)), ("column".into(), vec![1.5; 3]));
    let x = ops::reduce_logsumexp(&table(), 1, true)?;
    assert_eq!((x.axes.join(" "), x.values.shape()), ("row column".into(), shape![2, 1]));
    Ok(())
}

#[test]
fn traces_that_know_no_sizes() -> Result<()> {
    let f = function(|(x, y): &(Labeled, Labeled)| ops::sub(x, &y.mean(&["row"])?));
    let spec = LabeledSpec { values: TensorSpec::of::<f32>(shape![?, ?]), axes: table().axes };
    f.concrete(&(spec.clone(), spec))?;
    let found = f.call(&(table(), table()))?;
    assert_eq!(floats(&found), floats(&ops::sub(table(), &table().mean(&["row"])?)?));
    assert_eq!(f.trace_count(), 1);
    let e = f.call(&(table(), Labeled::of([[1.0f32; 2]], &["row", "column"])?));
    assert!(e.is_err());
    Ok(())
}
