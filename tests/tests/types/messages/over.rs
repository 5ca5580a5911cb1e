//! Tensors without elements: in a trace, and after it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use extype::prelude::*;

use super::says;

static KEEP: Mutex<Option<Tensor>> = Mutex::new(None);

const FILE: &str = "over.rs";
const BEGIN: u32 = line!();

#[tf_function]
fn keep(x: &Tensor) -> Result<Tensor> {
    let y = x * 2.0;
    *KEEP.lock().unwrap() = Some(y.clone());
    Ok(y)
}

#[tf_function]
fn decides(x: &Tensor) -> Result<Tensor> {
    if x.reduce_sum(.., false)?.item::<f32>()? > 0.0 { Ok(x.clone()) } else { x.zeros_like() }
}

#[tf_function]
fn reads(x: &Tensor) -> Result<Tensor> {
    Ok(scalar(x.as_slice::<f32>()?[0]))
}

#[tf_function]
fn copies(x: &Tensor) -> Result<Tensor> {
    Ok(Tensor::from_vec(x.to_vec::<f32>()?))
}

#[tf_function]
fn arrays(x: &Tensor) -> Result<Tensor> {
    Ok(scalar(x.to_array::<f32>()?[0]))
}

#[tf_function]
fn converts(x: &Tensor) -> Result<Tensor> {
    Ok(scalar(Vec::<f32>::try_from(x)?[0]))
}

#[tf_function(signature(f32[?]))]
fn counts(x: &Tensor) -> Result<Tensor> {
    Ok(scalar(x.rows()?.len() as i64))
}

#[test]
fn elements_that_are_asked_for_in_a_trace() {
    let x = tensor![1.0f32, 2.0];
    let advice = ["x.greater(0.0)?", "ops::select", "return it", "host_function"];
    let told = |result, line, method: &str, function: &str| {
        let asked = format!("{method}: a symbolic");
        let traced = format!("while `{function}` is being traced");
        let within = format!("in `{function}`, traced for");
        let parts = [&[&*asked, &*traced, &*within], &advice[..]].concat();
        says(result, (FILE, BEGIN + line), &parts);
    };
    told(decides(&x), 11, "item", "decides");
    told(reads(&x), 16, "as_slice", "reads");
    told(copies(&x), 21, "to_vec", "copies");
    told(arrays(&x), 26, "to_array", "arrays");
    told(converts(&x), 31, "try_from", "converts");
    let parts = ["rows: how many there are is unknown", "for row in &x"];
    says(counts(&x), (FILE, BEGIN + 36), &parts);
}

#[test]
fn a_tensor_that_was_kept_after_its_trace() -> Result<()> {
    let _ = keep(&tensor![1.0f32, 2.0])?;
    let y = KEEP.lock().unwrap().clone().unwrap();
    let made = format!(
        "float32[2] from the trace of `keep` (made at tests/tests/types/messages/{FILE}:{})",
        BEGIN + 4
    );
    let parts = [
        &*made,
        "has no elements where that trace is over",
        "return it from the function",
        "`Variable`",
    ];
    for part in parts {
        assert!(y.to_string().contains(part), "{y}");
    }
    assert!(format!("{y:?}").contains("of `keep`, whose trace is over"), "{y:?}");
    says(y.as_slice::<f32>().map(<[f32]>::len), (FILE, line!()), &parts);
    says(y.item::<f32>(), (FILE, line!()), &parts);
    says(ops::tanh(&y), (FILE, line!()), &[&["tanh: "], &parts[..]].concat());
    says(y.rows().map(|_| ()), (FILE, line!()), &parts);
    let again = keep(&y).unwrap_err().to_string();
    assert!(again.contains(parts[0]) && again.contains("in `keep`"), "{again}");
    says(Variable::new(&y), (FILE, line!()), &parts);
    let (panic, line) = (catch_unwind(AssertUnwindSafe(|| &y + 1.0)).unwrap_err(), line!());
    let text = panic.downcast_ref::<String>().unwrap();
    for part in [&parts[..], &["add: ", &format!("{FILE}:{line}:")]].concat() {
        assert!(text.contains(part), "{text}");
    }
    Ok(())
}

#[test]
fn reading_what_is_not_there_names_the_method_and_the_line() {
    let x = tensor![1.0f32, 2.0];
    says(x.item::<f32>(), (FILE, line!()), &["item: one element is wanted, but the shape is [2]"]);
    let read = x.as_slice::<i32>().map(<[i32]>::len);
    says(read, (FILE, line!() - 1), &["as_slice: ", "float32", "int32"]);
}
