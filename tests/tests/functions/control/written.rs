//! Control flow as plain data, and back.

use extype::control::switch_case;
use extype::ir::{FunctionGraph, import_library};
use extype::prelude::*;

#[test]
fn conditionals_and_loops_are_written_and_read_again() -> Result<()> {
    type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;
    let f = function(|k: &Tensor, x: &Tensor| {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, y)| {
                let y = cond(&y.greater(10.0)?, || ops::sub(&y, x), || ops::mul(&y, 3.0))?;
                Ok((ops::add(&i, 1)?, y))
            },
        )?;
        let branches: Vec<Branch> = vec![Box::new(|| y.sqrt()), Box::new(|| y.square())];
        switch_case(k, branches, None)
    });
    let (k, x) = (scalar(1i32), scalar(2.0f32));
    let want = f.call(&k, &x)?.item::<f32>()?;
    let graph = f.concrete_functions()[0].graph().clone();
    let def = graph.to_graph_def()?;
    let made =
        import_library(&def.library, &|_| None, &mut |graph| Ok(graph.into_named_function()))?;
    let again =
        FunctionGraph::from_graph_def(&def, &graph.ends(), &|name| made.get(name).cloned())?;
    let names = |g: &FunctionGraph| -> Vec<String> {
        g.graph.nodes().iter().map(|n| n.op_name().to_owned()).collect()
    };
    assert_eq!(names(&again), names(&graph));
    let again = again.into_function();
    let got = again.call(&[k.value()?, x.value()?])?;
    assert_eq!(got[0].as_slice::<f32>()?, &[want]);
    Ok(())
}
