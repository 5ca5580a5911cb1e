//! The memory that a program needs, known before the run.

use extype::prelude::*;

/// The bytes of a matrix below.
const MATRIX: usize = 4 * 64 * 64;

fn matrix() -> TensorSpec {
    TensorSpec::of::<f32>([64, 64])
}

/// The line of each function's program that tells its bytes.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("  # at most ")).collect()
}

fn values(bytes: usize) -> String {
    format!("{bytes} bytes of values at once")
}

#[test]
fn groups_results_in_place_and_the_branch_that_needs_most_count() -> Result<()> {
    let f = function(|x: &Tensor, yes: &Tensor| {
        // Two matrices during the group and the products, one after each of them, and during the root.
        let y = (x.matmul(x)?.tanh()? * 2.0).matmul(x)?.sqrt()?;
        let y = y.matmul(&y)?;
        // Two in the first branch, beside the operand.
        cond(yes, || y.matmul(&y)?.matmul(&y), || ops::neg(&y))
    });
    let f = f.concrete(&matrix(), &TensorSpec::of::<bool>([]))?;
    let text = f.program()?;
    assert!(text.contains("[Tanh, Mul]") && text.contains("in place of s2"), "{text}");
    let wanted = [3 * MATRIX, 2 * MATRIX, MATRIX].map(values);
    assert_eq!(lines(&text), wanted, "{text}");
    let inputs = [ops::ones([64, 64], f32)?, scalar(false)];
    let profile = f.profile(&inputs)?;
    assert_eq!(profile.peak_bytes, Some(3 * MATRIX));
    let told = format!("at most {} bytes at once", 3 * MATRIX);
    assert!(profile.to_string().ends_with(&told), "{profile}");
    assert!(profile.trace_events().ends_with(&format!(r#"{{"labels":"{told}"}}}}]"#)), "{told}");
    Ok(())
}

#[test]
fn a_loop_counts_with_its_state_and_what_an_iteration_needs_beside_it() -> Result<()> {
    let repeated = |step: fn(&Tensor, &Tensor) -> Result<Tensor>| -> Result<String> {
        let f = function(move |x: &Tensor, w: &Tensor| {
            let step = |(i, x)| Ok((ops::add(&i, 1)?, step(&x, w)?));
            Ok(while_loop((scalar(0i32), x.clone()), |(i, _)| i.less(3), step)?.1)
        });
        f.concrete(&matrix(), &matrix())?.program()
    };
    // The counter and a matrix, and the next one. The other operand belongs to the caller.
    let text = repeated(|x, w| x.matmul(w))?;
    assert_eq!(lines(&text)[0], values(4 + 2 * MATRIX), "{text}");
    assert_eq!(lines(&text)[1], format!("{} beside the state", values(MATRIX)), "{text}");
    // The next matrix takes the place of the one before.
    let text = repeated(|x, _| x.tanh())?;
    assert_eq!(lines(&text)[0], values(4 + MATRIX + 4), "{text}");
    Ok(())
}

#[test]
fn variables_are_not_counted_and_unknown_sizes_are_not_guessed() -> Result<()> {
    let v = Variable::new(ops::ones([64, 64], f32)?)?;
    let f = function(move |x: &Tensor| v.read()?.matmul(x)).concrete(&matrix())?;
    assert_eq!(lines(&f.program()?), [values(MATRIX)]);
    let f = function(|x: &Tensor| x.matmul(x)).concrete(&TensorSpec::of::<f32>(shape![?, ?]))?;
    assert!(lines(&f.program()?).is_empty());
    // The program for a shape knows them.
    assert_eq!(f.profile(&[ops::ones([64, 64], f32)?])?.peak_bytes, Some(MATRIX));
    Ok(())
}
