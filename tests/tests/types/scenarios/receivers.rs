//! Modules as keys of traces: their whole structure counts, and their traces go when they go.

use extype::prelude::*;

#[derive(Module)]
struct AddThenMultiply {
    a: Option<Variable>,
    b: Option<Variable>,
}

impl AddThenMultiply {
    #[tf_function]
    fn go(&self, x: &Tensor) -> Result<Tensor> {
        let mut x = x.clone();
        if let Some(a) = &self.a {
            x = ops::add(x, a.read()?)?;
        }
        if let Some(b) = &self.b {
            x = ops::mul(x, b.read()?)?;
        }
        Ok(x)
    }
}

#[test]
fn what_is_absent_counts() -> Result<()> {
    let mut t = AddThenMultiply { a: Some(Variable::new(10.0f32)?), b: None };
    let x = scalar(3.0f32);
    assert_eq!(t.go(&x)?.item::<f32>()?, 13.0);
    t.b = t.a.take();
    assert_eq!(t.go(&x)?.item::<f32>()?, 30.0);
    t.a = t.b.take();
    assert_eq!(t.go(&x)?.item::<f32>()?, 13.0);
    assert_eq!(t.go_function().trace_count(), 2);
    Ok(())
}

#[derive(Module)]
struct Lists {
    added: Vec<Variable>,
    multiplied: Vec<Variable>,
}

impl Lists {
    #[tf_function]
    fn go(&self, x: &Tensor) -> Result<Tensor> {
        let mut x = x.clone();
        for v in &self.added {
            x = ops::add(x, v.read()?)?;
        }
        for v in &self.multiplied {
            x = ops::mul(x, v.read()?)?;
        }
        Ok(x)
    }
}

#[test]
fn where_a_list_ends_counts() -> Result<()> {
    let variables =
        [2.0f32, 3.0, 5.0].map(Variable::new).into_iter().collect::<Result<Vec<_>>>()?;
    let mut lists = Lists { added: variables, multiplied: Vec::new() };
    let x = scalar(1.0f32);
    let mut results = Vec::new();
    loop {
        results.push(lists.go(&x)?.item::<f32>()?);
        let Some(last) = lists.added.pop() else { break };
        lists.multiplied.insert(0, last);
    }
    assert_eq!(results, [11.0, 30.0, 45.0, 30.0]);
    Ok(())
}

#[derive(Module)]
struct Child {
    w: Variable,
    scale: f64,
}

#[derive(Module)]
struct Parent {
    left: Vec<Child>,
    right: Vec<Child>,
}

impl Parent {
    #[tf_function]
    fn go(&self, x: &Tensor) -> Result<Tensor> {
        let mut sum = ops::zeros_like(x)?;
        for (children, sign) in [(&self.left, 1.0), (&self.right, -1.0)] {
            for child in children {
                sum = ops::add(sum, ops::mul(child.w.read()?, child.scale * sign)?)?;
            }
        }
        Ok(sum)
    }
}

#[test]
fn where_a_child_stands_counts() -> Result<()> {
    let child = |w: f32| Variable::new(w).map(|w| Child { w, scale: 1.0 });
    let mut parent = Parent { left: vec![child(1.0)?, child(10.0)?], right: vec![child(100.0)?] };
    let x = scalar(0.0f32);
    assert_eq!(parent.go(&x)?.item::<f32>()?, -89.0);
    let moved = parent.left.pop().expect("two");
    parent.right.insert(0, moved);
    assert_eq!(parent.go(&x)?.item::<f32>()?, -109.0);
    parent.right[0].scale = 2.0;
    assert_eq!(parent.go(&x)?.item::<f32>()?, -119.0);
    Ok(())
}

/// A layer without state.
#[derive(Module)]
struct Double;

#[derive(Module)]
struct Doubles {
    layers: Vec<Double>,
    nested: Vec<Vec<Double>>,
}

impl Doubles {
    #[tf_function]
    fn go(&self, x: &Tensor) -> Result<Tensor> {
        let count = self.layers.len() + 10 * self.nested.len() + self.nested.concat_len() * 100;
        ops::mul(x, count as f64)
    }
}

trait ConcatLen {
    fn concat_len(&self) -> usize;
}

impl ConcatLen for Vec<Vec<Double>> {
    fn concat_len(&self) -> usize {
        self.iter().map(Vec::len).sum()
    }
}

#[test]
fn the_number_of_modules_without_state_counts() -> Result<()> {
    let mut doubles = Doubles { layers: vec![Double], nested: Vec::new() };
    let x = scalar(1.0f32);
    let go = |d: &Doubles| d.go(&x)?.item::<f32>();
    assert_eq!(go(&doubles)?, 1.0);
    doubles.layers.push(Double);
    assert_eq!(go(&doubles)?, 2.0);
    doubles.nested.push(vec![Double]);
    assert_eq!(go(&doubles)?, 112.0);
    doubles.nested.push(Vec::new());
    assert_eq!(go(&doubles)?, 122.0);
    Ok(())
}

#[derive(Module)]
struct Counter {
    total: Late<Variable>,
    by: Variable,
}

impl Counter {
    fn new() -> Result<Self> {
        Ok(Self { total: Late::new(), by: Variable::new(1.0f32)? })
    }

    #[tf_function]
    fn step(&self, x: &Tensor) -> Result<Tensor> {
        let total = self.total.get_or_create(|| Variable::new(0.0f32))?;
        total.assign_add(&ops::mul(x, self.by.read()?)?)?;
        total.read()
    }
}

#[tf_function]
fn step_of(c: &Counter, x: &Tensor) -> Result<Tensor> {
    c.step(x)
}

#[test]
fn traces_of_instances_that_are_gone_go_too() -> Result<()> {
    let x = scalar(1.0f32);
    let kept = Counter::new()?;
    let _ = kept.step(&x)?;
    let _ = step_of(&kept, &x)?;
    for i in 0..10_000 {
        let c = Counter::new()?;
        assert_eq!(c.step(&x)?.item::<f32>()?, 1.0);
        if i % 10 == 0 {
            assert_eq!(step_of(&c, &x)?.item::<f32>()?, 2.0);
        }
    }
    assert!(step_of::trace_count() < 200, "{} traces", step_of::trace_count());
    let count = format!("{:?}", kept.step_function());
    let count: usize = count.split(' ').nth_back(1).and_then(|n| n.parse().ok()).expect(&count);
    assert!(count < 200, "{count} traces");
    assert_eq!(kept.step_function().trace_count(), 1);
    assert_eq!(kept.step(&x)?.item::<f32>()?, 3.0);
    assert_eq!(kept.step_function().trace_count(), 1, "that of the living one stays");
    Ok(())
}

#[test]
fn closures_that_are_gone_leave_nothing() -> Result<()> {
    let x = scalar(1.0f32);
    let alive = std::sync::Arc::new(());
    for i in 0..1000 {
        let captured = alive.clone();
        let f = function(move |x: &Tensor| {
            let _ = &captured;
            ops::add(x, f64::from(i))
        });
        let _ = f.call(&x)?;
    }
    assert_eq!(std::sync::Arc::strong_count(&alive), 1);
    Ok(())
}

impl Counter {
    #[tf_function]
    fn moved<T: Structure>(&self, x: &Tensor, unused: &T) -> Result<Tensor> {
        let _ = unused;
        ops::add(x, self.by.read()?)
    }

    #[tf_function(signature(f32[?]))]
    fn signed(&self, x: &Tensor) -> Result<Tensor> {
        ops::add(x, self.by.read()?)
    }

    #[tf_function]
    fn now(&self) -> Result<Tensor> {
        self.by.read()
    }
}

#[derive(ExtensionType, Clone, Debug)]
struct Line {
    slope: Tensor,
    start: Tensor,
}

impl Line {
    #[tf_function]
    fn at(&self, x: &Tensor) -> Result<Tensor> {
        ops::add(ops::mul(&self.slope, x)?, &self.start)
    }
}

#[test]
fn the_concrete_function_of_a_method_is_the_one_that_calls_use() -> Result<()> {
    let (first, second) = (Counter::new()?, Counter::new()?);
    let general = first
        .moved_concrete::<Tensor>(&TensorSpec::of::<f32>(shape![?]), &TensorSpec::of::<f32>([]))?;
    assert_eq!(general.output_spec().to_string(), "TensorSpec([?], float32)");
    let _ = first.moved(&tensor![1.0f32, 2.0], &scalar(0.0f32))?;
    assert_eq!(first.moved_function::<Tensor>().trace_count(), 1);
    // Another instance has traces of its own.
    let _ = second.moved(&tensor![1.0f32, 2.0], &scalar(0.0f32))?;
    assert_eq!(second.moved_function::<Tensor>().trace_count(), 1);
    assert_eq!(
        second.moved_function::<Tensor>().concrete_functions()[0].output_spec().to_string(),
        "TensorSpec([2], float32)"
    );

    first.now_concrete()?;
    let _ = first.now()?;
    assert_eq!(first.now_function().trace_count(), 1);

    let line = Line { slope: scalar(2.0f32), start: scalar(1.0f32) };
    let f = line.at_concrete(&TensorSpec::of::<f32>(shape![3]))?;
    assert_eq!(f.output_spec().to_string(), "TensorSpec([3], float32)");
    let _ = line.at(&tensor![0.0f32, 1.0, 2.0])?;
    assert_eq!(line.at_function().trace_count(), 1);
    Ok(())
}

#[test]
fn the_concrete_function_of_a_method_obeys_its_signature() -> Result<()> {
    let counter = Counter::new()?;
    let f = counter.signed_concrete(&TensorSpec::of::<f32>(shape![3]))?;
    assert_eq!(f.output_spec().to_string(), "TensorSpec([?], float32)");
    let e = counter.signed_concrete(&TensorSpec::of::<f32>(shape![3, 3])).unwrap_err().to_string();
    assert!(e.contains("argument `x`"), "{e}");
    Ok(())
}
