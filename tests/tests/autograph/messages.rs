//! What is refused while it is traced or when it runs: the message names the variable or the arm, what was
//! found, and the line.

use extype::control::host_function;
use extype::prelude::*;

/// Checks that a message holds these parts, and the place of a piece of code: in this file, before the test.
#[track_caller]
fn says<T: std::fmt::Debug>(result: Result<T>, code: &str, parts: &[&str]) {
    let text: String = result.unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    let test = std::panic::Location::caller().line() as usize;
    let lines: Vec<&str> = include_str!("messages.rs").lines().take(test).collect();
    let body = lines.iter().rposition(|l| *l == "#[test]").expect("the test");
    let line = lines[..body].iter().rposition(|l| l.contains(code)).expect("the code") + 1;
    let place = format!("messages.rs:{line}");
    let whole = |(at, _)| !text[at + place.len()..].starts_with(|c: char| c.is_ascii_digit());
    assert!(text.match_indices(&place).any(whole), "`{place}` is missing in: {text}");
}

#[tf_function]
fn widened(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut i = scalar(0i64);
    while i < 3 {
        y = y.cast(f64)?;
        i += 1;
    }
    Ok(y)
}

#[test]
fn a_dtype_that_changes_in_a_loop() {
    says(widened(&scalar(3i64)), "while", &["`y`", "int64", "float64", "while"]);
}

#[tf_function]
fn lifted(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for _ in 0..x {
        y = y.expand_dims(0)?;
    }
    Ok(y)
}

#[test]
fn a_rank_that_changes_in_a_loop() {
    says(lifted(&scalar(3i64)), "for ", &["`y`", "[]", "[1]", "`for`"]);
}

#[tf_function]
fn untyped(n: &Tensor) -> Result<Tensor> {
    let mut y = scalar(1);
    for i in 0..n {
        y = &i + 1;
    }
    Ok(y)
}

#[test]
fn an_untyped_scalar_is_an_int32() {
    says(untyped(&scalar(3i64)), "for ", &["`y`", "int32", "int64", "cast"]);
}

#[tf_function]
fn pair_of_dtypes(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut pair = (x.clone(), x + 1);
    if x > 0 {
        pair.1 = scalar(0.5);
    }
    Ok(pair)
}

#[test]
fn a_part_of_a_variable_of_two_dtypes() {
    says(pair_of_dtypes(&scalar(3i64)), "if ", &["`pair", "1", "int64", "float64"]);
}

#[tf_function]
fn some_in_one_arm(x: &Tensor) -> Result<Tensor> {
    let mut best = None;
    if x > 3 {
        best = Some(x.clone());
    }
    Ok(best.unwrap_or_else(|| scalar(0i64)))
}

#[test]
fn an_option_that_is_some_in_one_arm() {
    says(some_in_one_arm(&scalar(7i64)), "if ", &["`best`", "None"]);
}

#[tf_function]
fn counts_plainly(x: &Tensor, mut steps: i64) -> Result<Tensor> {
    let mut y = x.clone();
    while y < 100 {
        y = y * 2;
        steps += y.rank().map_or(1, |rank| rank as i64 + 1);
    }
    Ok(y + steps)
}

#[test]
fn a_plain_number_that_a_loop_changes() {
    says(counts_plainly(&scalar(7i64), 0), "while", &["`steps`", "0", "1", "scalar"]);
}

#[tf_function]
fn breaks_of_two_dtypes(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let found = loop {
        if y > 100 {
            break y;
        }
        if y == 8 {
            break scalar(0.5);
        }
        y = y * 2;
    };
    Ok(found)
}

#[test]
fn breaks_with_two_dtypes() {
    says(breaks_of_two_dtypes(&scalar(1i64)), "break y", &["break", "int64", "float64"]);
}

#[tf_function]
fn number_as_condition(x: &Tensor) -> Result<Tensor> {
    let mut y = x + 1;
    if x {
        y = x * 2;
    }
    Ok(y)
}

#[test]
fn a_condition_that_is_no_bool() {
    says(number_as_condition(&scalar(1i64)), "if ", &["int64", "`if`", "bool", "not_equal"]);
}

#[tf_function]
fn vector_in_a_while(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    while y > 1.0 {
        y = y / 2.0;
    }
    Ok(y)
}

#[test]
fn a_condition_of_a_loop_that_is_a_vector() {
    let x = tensor![1.0, 2.0];
    says(vector_in_a_while(&x), "while", &["[2]", "`while`", "reduce_any"]);
}

#[tf_function]
fn rows_of_a_scalar(x: &Tensor) -> Result<Tensor> {
    let mut sum = scalar(0i64);
    for row in x {
        sum = sum + row;
    }
    Ok(sum)
}

#[test]
fn rows_of_a_tensor_without_any() {
    let e = rows_of_a_scalar(&scalar(3i64)).unwrap_err();
    assert!(e.message().contains("a scalar has no first axis"), "{e}");
}

#[tf_function]
fn impossible_in_an_arm(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    if y.reduce_sum(.., false)? > 100.0 {
        y = x + tensor![1.0, 2.0, 3.0];
    }
    Ok(y)
}

#[test]
fn shapes_that_can_not_be_in_an_arm_that_may_never_run() {
    let x = tensor![1.0, 2.0];
    says(impossible_in_an_arm(&x), "y =", &["[2]", "[3]"]);
}

#[tf_function]
fn divides(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let mut z = x.clone();
    if x > 3 {
        for i in 0..x {
            z = z + 100 / (y - i);
        }
    }
    Ok(z)
}

#[test]
fn what_fails_in_a_loop_in_an_arm_fails_only_if_it_runs() -> Result<()> {
    says(divides(&scalar(9i64), &scalar(4i64)), "z =", &["zero"]);
    assert_eq!(
        divides(&scalar(9i64), &scalar(4i64)).unwrap_err().kind(),
        ErrorKind::InvalidArgument
    );
    assert_eq!(divides(&scalar(2i64), &scalar(0i64))?.item::<i64>()?, 2);
    assert_eq!(divides::trace_count(), 1);
    Ok(())
}

#[tf_function]
fn takes(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut sum = scalar(0.0);
    for i in 0..n {
        sum = sum + x.gather(&i, 0)?;
    }
    Ok(sum)
}

#[test]
fn an_index_that_is_too_large_in_one_iteration() {
    let x = tensor![1.0, 2.0, 4.0];
    says(takes(&x, &scalar(5i64)), "sum =", &["3", "iteration"]);
}

fn checked(x: &Tensor) -> Result<Tensor> {
    match x.item::<i64>()? {
        4 => Err(Error::invalid("four is not served here")),
        16 => panic!("sixteen is too much"),
        x => Ok(scalar(x * 2)),
    }
}

#[tf_function]
fn asks_the_host(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    while y < 100 {
        let spec = TensorSpec::of::<i64>([]);
        y = host_function(&spec, |x: Tensor| checked(&x), &y)?;
    }
    Ok(y)
}

#[test]
fn a_host_function_that_fails_or_panics_in_a_loop() -> Result<()> {
    says(asks_the_host(&scalar(1i64)), "host_function", &["four is not served here", "iteration"]);
    says(asks_the_host(&scalar(8i64)), "host_function", &["sixteen is too much", "panic"]);
    assert_eq!(asks_the_host(&scalar(3i64))?.item::<i64>()?, 192);
    assert_eq!(asks_the_host::trace_count(), 1);
    Ok(())
}

#[tf_function]
fn asserts_in_a_loop(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for i in 0..10i64 {
        if y > 50 {
            break;
        }
        y = y * 2;
        assert_ne!(y, 24, "step {i}");
    }
    Ok(y)
}

#[test]
fn an_assertion_in_an_unrolled_loop_tells_the_step() -> Result<()> {
    says(asserts_in_a_loop(&scalar(3i64)), "assert_ne!", &["step 2", "24"]);
    assert_eq!(asserts_in_a_loop(&scalar(7i64))?.item::<i64>()?, 56);
    Ok(())
}

#[tf_function]
fn unrolls_for_long(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for i in 0..5000i64 {
        if y > 50 {
            break;
        }
        y = y + i;
    }
    Ok(y)
}

#[test]
fn a_loop_that_unrolls_too_often_says_to_give_the_range_a_tensor() {
    says(unrolls_for_long(&scalar(3i64)), "for ", &["1000", "range", "tensor"]);
}

#[tf_function]
fn returns_of_two_sizes(x: &Tensor) -> Result<Vec<Tensor>> {
    if x > 3 {
        return Ok(vec![x.clone()]);
    }
    Ok(vec![x.clone(), x + 1])
}

#[test]
fn returns_of_two_structures() {
    says(
        returns_of_two_sizes(&scalar(3i64)),
        "return Ok(vec![x.clone()])",
        &["return", "[TensorSpec([], int64)]"],
    );
}

#[tf_function]
fn an_operator_fails_in_an_arm(x: &Tensor, long: bool) -> Result<Tensor> {
    let mut y = x.clone();
    for i in 0..x.reduce_max(.., false)? {
        if i > 3 {
            y = y * 2;
        } else {
            y = if long { y + tensor![1i64, 2, 3] } else { y.gather(7, 0)? };
        }
    }
    Ok(y)
}

#[test]
fn what_fails_while_it_is_traced_names_the_arm() {
    let e = an_operator_fails_in_an_arm(&tensor![3i64, 4], true).unwrap_err().to_string();
    let parts = ["add: ", "the arm `else` of the `if` at ", "the body of the `for` at "];
    assert!(parts.iter().all(|part| e.contains(part)), "{e}");
    assert!(e.find(parts[1]) < e.find(parts[2]), "{e}");
    // What was left by an error says nothing of the next trace.
    assert_eq!(an_operator_fails_in_an_arm(&tensor![0i64, 0], false).unwrap().rank(), Some(1));
}

#[test]
fn what_fails_when_it_runs_names_the_lines_of_conditionals_and_loops() {
    let failed = an_operator_fails_in_an_arm(&tensor![3i64, 4], false);
    says(failed, "y.gather(7, 0)?", &["gather: ", "iteration 0"]);
    let failed = an_operator_fails_in_an_arm(&tensor![3i64, 4], false);
    says(failed, "if i > 3 {", &["in the `if` at "]);
    let failed = an_operator_fails_in_an_arm(&tensor![3i64, 4], false);
    says(failed, "for i in 0..x.reduce_max", &["in the `for` at "]);
}
