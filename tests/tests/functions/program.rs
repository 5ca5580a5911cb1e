//! What a call runs, as text.

use extype::prelude::*;

/// The lines of a program, with the numbers that make function names unique taken away.
pub(super) fn lines(text: &str) -> Vec<String> {
    let unnumbered = |line: &str| {
        let words = line.split_inclusive(['(', ' ', ',', '}']).map(|word| {
            let name = word.trim_end_matches(['(', ' ', ',', '}']);
            let cut = name.trim_end_matches(|c: char| c.is_ascii_digit());
            match cut.strip_suffix('_') {
                Some(cut) => format!("{cut}{}", &word[name.len()..]),
                None => word.to_owned(),
            }
        });
        words.collect::<String>()
    };
    text.lines().map(unnumbered).collect()
}

#[test]
fn a_group_is_one_line_and_a_result_may_take_the_memory_of_an_operand() -> Result<()> {
    let f = function(|x: &Tensor, w: &Tensor| {
        let y = (x.matmul(w)? + 1.0).tanh()? * 0.5;
        y.sum(0)?.sqrt()
    });
    let (x, w) = (TensorSpec::of::<f32>([512, 64]), TensorSpec::of::<f32>([64, 1024]));
    let text = f.concrete(&x, &w)?.program()?;
    let want = [
        "program closure(a, b) {",
        "  s0 = MatMul(a, b) {transpose_a: false, transpose_b: false} : float32[512, 1024]",
        "  s1 = [AddV2, Tanh, Mul](s0, 1.0, 0.5) : float32[512, 1024]; last use of s0",
        "  s2 = Sum(s1, [0]) {keep_dims: false} : float32[1024]; last use of s1",
        "  s3 = Sqrt(s2) : float32[1024]; last use of s2; in place of s2 unless it is shared",
        "  return s3",
        "  # at most 4194304 bytes of values at once",
        "}",
    ];
    assert_eq!(lines(&text), want);
    Ok(())
}

#[test]
fn reductions_of_rows_and_what_is_made_of_them_are_in_groups() -> Result<()> {
    let f = function(|x: &Tensor| {
        let centered = x - x.reduce_mean(1, true)?;
        let norm = centered.square()?.sum(1)?.sqrt()?;
        Ok((&centered / norm.expand_dims(-1)?, norm))
    });
    let text = f.concrete(&TensorSpec::of::<f32>([512, 64]))?.program()?;
    let want = [
        "program closure(a) {",
        "  s0, s1 = [Mean, Sub, Square, Sum, Sqrt, ExpandDims, Div](a) : (float32[512], float32[512, 64])",
        "  return (s1, s0)",
        "  # at most 133120 bytes of values at once",
        "}",
    ];
    assert_eq!(lines(&text), want);
    Ok(())
}

#[test]
fn loops_and_arms_follow_each_once() -> Result<()> {
    let f = function(|x: &Tensor| {
        let halved = |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, 0.5)?));
        let (_, x) = while_loop((scalar(0i32), x.clone()), |(i, _)| i.less(10), halved)?;
        let squared = |(i, x): (Tensor, Tensor)| Ok((ops::add(&i, 1)?, x.matmul(&x)?));
        let m = ops::fill([2, 2], &x)?;
        let (_, m) = while_loop((scalar(0i32), m), |(i, _)| i.less(3), squared)?;
        cond(&x.less(1.0)?, || m.matmul(&m), || ops::neg(&m))
    });
    let text = f.concrete(&TensorSpec::of::<f32>([]))?.program()?;
    let lines = lines(&text);
    let heads: Vec<&str> =
        lines.iter().filter(|line| line.ends_with('{')).map(String::as_str).collect();
    let want = [
        "program closure(a) {",
        "registers body {",
        "program body(vars[0], vars[1]) {",
        "program then(capture) {",
        "program else(capture) {",
        "program test(vars[0], vars[1]) {",
    ];
    assert_eq!(heads, want, "{text}");
    // The loop on scalars: i + 1, x / 2, i < 10.
    let registers: Vec<&str> =
        text.split("registers ").nth(1).into_iter().flat_map(str::lines).skip(1).take(5).collect();
    let codes: Vec<&str> = registers
        .iter()
        .filter_map(|line| line.split_once(": ")?.1.split_once('('))
        .map(|(code, _)| code)
        .collect();
    assert_eq!(codes, ["Loop", "AddI32", "MulF32", "LessI32", "Repeat"], "{text}");
    Ok(())
}

#[test]
fn every_function_runs_what_its_program_says_for_any_shape() -> Result<()> {
    // A shape that is unknown leaves ops alone, and a function without ops has only its result.
    let f = function(|x: &Tensor| x.tanh()?.exp());
    let text = f.concrete(&TensorSpec::of::<f32>(shape![?]))?.program()?;
    assert!(text.contains("s0 = Tanh(a) : float32[?]\n"), "{text}");
    let text =
        function(|x: &Tensor| Ok(x.clone())).concrete(&TensorSpec::of::<f32>([]))?.program()?;
    assert!(text.ends_with("(a) {\n  return a\n}"), "{text}");
    Ok(())
}

#[test]
fn passes_show_the_graph_before_and_after_the_rules() -> Result<()> {
    let f = function(|x: &Tensor| {
        let scaled = x / 4.0;
        Ok(ops::neg(ops::neg(&scaled)?)? + (x / 4.0).cast(f64)?.cast(f32)?)
    });
    let text = f.concrete(&TensorSpec::of::<f32>([2]))?.passes()?;
    let want = [
        "# simplified: cast and back (1), common subexpression (3), division by a power of two (2), op and its inverse (1)",
        "fn closure(a: float32[2]) -> float32[2] {",
        "  Const = 0.25 : float32[]",
        "  Mul = Mul(a, Const) : float32[2]",
        "  AddV2 = AddV2(Mul, Mul) : float32[2]",
        "  return AddV2",
        "}",
        "",
        "# planned",
        "program closure(a) {",
        "  s0 = Mul(a, 0.25) : float32[2]",
        "  s1 = AddV2(s0, s0) : float32[2]; last use of s0",
        "  return s1",
        "  # at most 16 bytes of values at once",
        "}",
    ];
    let lines = lines(&text);
    let from = lines.iter().position(|line| line.starts_with("# simplified")).expect("a pass");
    assert_eq!(lines[from..], want, "{text}");
    assert!(text.starts_with("# traced\nfn closure"), "{text}");
    Ok(())
}

#[test]
fn rules_leave_what_may_still_fail_and_two_results_are_two_tensors() -> Result<()> {
    let select = function(|c: &Tensor, x: &Tensor| ops::select(c, x, x));
    let select =
        select.concrete(&TensorSpec::of::<bool>(shape![?]), &TensorSpec::of::<f32>([3]))?;
    let x = tensor![1.0f32, 2.0, 3.0];
    assert!(select.call_flat(&[tensor![true, false], x.clone()]).is_err());
    let product =
        function(|s: &Tensor, n: &Tensor, y: &Tensor| ops::mul(&ops::broadcast_to(s, n)?, y));
    let (s, n) = (TensorSpec::of::<f32>([]), TensorSpec::of::<i32>([1]));
    let product = product.concrete(&s, &n, &TensorSpec::of::<f32>([3]))?;
    assert!(product.call_flat(&[scalar(2.0f32), tensor![2], x.clone()]).is_err());
    assert_eq!(
        product.call_flat(&[scalar(2.0f32), tensor![3], x.clone()])?[0].as_slice::<f32>()?,
        &[2.0, 4.0, 6.0]
    );
    let turned = function(|x: &Tensor| x.transpose([1, 0])?.transpose([1, 0]));
    let turned = turned.concrete(&TensorSpec::new(Shape::unknown(), f32))?;
    assert!(turned.call_flat(&[ops::zeros([1, 2, 3], f32)?]).is_err());
    let pair = function(|x: &Tensor| Ok((x.exp()?, x.exp()?)));
    let (a, b) = pair.call(&x)?;
    let tape = GradientTape::new();
    tape.watch(&a);
    let both = ops::mul(&a, &b)?;
    assert_eq!(
        tape.gradient(&both, &a)?.into_structure()?.as_slice::<f32>()?,
        b.as_slice::<f32>()?
    );
    Ok(())
}
