//! What lies where: simplified graphs, gradients, control flow and rewritten functions obey device scopes.

use std::sync::{Mutex, OnceLock};

use extype::array::{Array, DeviceMemory};
use extype::control::{TensorArray, cond, host_function, map_fn, vectorized_map, while_loop};
use extype::device::{
    Backend, Cpu, DeviceCall, DeviceKernel, ensure_logical_cpus, on_host, register, register_kernel,
};
use extype::ir::{OpDef, Outputs, find_op};
use extype::prelude::*;
use extype::spec::VariableCopies;
use extype::tensor::{current_device, device};

use super::devices::imported_exp;

/// A device that lets the host compute all ops that have elements.
struct Delegate;

impl Backend for Delegate {
    fn kind(&self) -> &str {
        "DELEGATE"
    }

    fn count(&self) -> u32 {
        2
    }

    fn alloc(&self, index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>> {
        Cpu.alloc(index, bytes)
    }

    fn kernel(&self, op: &'static OpDef) -> Option<DeviceKernel> {
        let calls = ["PartitionedCall", "StatefulPartitionedCall", "While", "If", "Case"];
        (!calls.contains(&op.name)).then_some(delegated as DeviceKernel)
    }
}

fn delegated(call: &DeviceCall<'_>) -> Result<Outputs> {
    on_host(call)?.iter().map(|y| call.to_device(y)).collect()
}

/// A device without kernels.
struct Bare(&'static str);

impl Backend for Bare {
    fn kind(&self) -> &str {
        self.0
    }

    fn alloc(&self, index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>> {
        Cpu.alloc(index, bytes)
    }
}

const DELEGATE: &str = "/device:DELEGATE:0";
const BARE: &str = "/device:BARE:0";
const SECOND: &str = "/device:CPU:1";

fn prepare() -> Result<()> {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| {
        register(Delegate).unwrap();
        register(Bare("BARE")).unwrap();
    });
    ensure_logical_cpus(3)
}

fn name_of(t: &Tensor) -> String {
    t.device().map_or_else(String::new, |d| d.to_string())
}

#[test]
fn a_trace_puts_results_where_eager_ops_put_them() -> Result<()> {
    prepare()?;
    type Body = fn(&Tensor) -> Result<Tensor>;
    // Simplification could leave out or precompute each of these.
    let bodies: [(&str, Body); 11] = [
        ("times one", |x| ops::mul(x, 1.0)),
        ("twice negative", |x| ops::neg(ops::neg(x)?)),
        ("same sizes", |x| x.reshape([2])),
        ("sizes and back", |x| x.expand_dims(0)?.reshape([2])),
        ("same dtype", |x| x.cast(f32)),
        ("same operands", |x| ops::select(tensor![true, true], x, x)),
        ("a quotient", |x| ops::div(x, 8.0)),
        ("known sizes", |x| ops::shape_of(x)),
        ("constants", |_| ops::add(tensor![1.0f32, 2.0], 1.0)),
        ("zeros", |_| ops::zeros([2], f32)),
        ("a copy", |x| x.identity()),
    ];
    let x = tensor![1.0f32, 2.0];
    for name in [SECOND, DELEGATE] {
        for (what, body) in bodies {
            let scoped = move |x: &Tensor| {
                let _scope = device(name)?;
                body(x)
            };
            assert_eq!(name_of(&scoped(&x)?), name, "{what}");
            let f = function(scoped);
            for _ in 0..2 {
                assert_eq!(name_of(&f.call(&x)?), name, "{what}");
            }
        }
    }
    // Nothing moves what is only passed on.
    let f = function(|x: &Tensor| Ok(x.clone()));
    for name in [SECOND, DELEGATE] {
        assert_eq!(name_of(&f.call(&x.to_device(name)?)?), name);
    }
    let v = {
        let _scope = device(SECOND)?;
        Variable::new([1.0f32, 2.0])?
    };
    let _tape = GradientTape::new();
    assert_eq!(name_of(&v.read()?), SECOND);
    Ok(())
}

#[test]
fn gradients_pass_through_functions_and_control_flow_of_other_devices() -> Result<()> {
    prepare()?;
    fn cubed(x: &Tensor) -> Result<Tensor> {
        let start = (scalar(0i32), x.clone());
        let test = |v: &(Tensor, Tensor)| ops::less(&v.0, 3);
        while_loop(start, test, |v| Ok((v.0 + 1, &v.1 * &v.1))).map(|v| v.1)
    }
    let slopes = |name: &str| -> Result<Vec<f32>> {
        let _scope = device(name)?;
        let looped = function(cubed);
        let chosen =
            function(|x: &Tensor| cond(&ops::greater(x, 0.0)?, || Ok(x * x), || Ok(x.clone())));
        let mapped = function(|x: &Tensor| {
            map_fn(&ops::stack(&[x, x], 0)?, |x: Tensor| Ok(&x * &x))?.reduce_sum(.., false)
        });
        let x = scalar(1.5f32);
        let all = [
            grad(|x: &Tensor| looped.call(x))(&x)?,
            grad(|x: &Tensor| chosen.call(x))(&x)?,
            grad(|x: &Tensor| mapped.call(x))(&x)?,
            grad(|x: &Tensor| grad(|x: &Tensor| looped.call(x))(x))(&x)?,
            function(move |x: &Tensor| grad(cubed)(x)).call(&x)?,
        ];
        assert!(all.iter().all(|slope| name_of(slope) == name), "{name}");
        all.iter().map(|slope| slope.item()).collect()
    };
    let here = slopes("/device:CPU:0")?;
    assert_eq!(slopes(SECOND)?, here);
    assert_eq!(slopes(DELEGATE)?, here);
    Ok(())
}

#[test]
fn the_gradient_of_a_call_is_computed_in_the_scope_that_asks_for_it() -> Result<()> {
    prepare()?;
    let f = function(|x: &Tensor| x.exp());
    let x = scalar(0.0f32);
    for name in [DELEGATE, SECOND, "/device:CPU:0", DELEGATE] {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = f.call(&x)?;
        let _scope = device(name)?;
        let slope = tape.gradient(&y, &x)?.into_structure()?;
        assert_eq!(name_of(&slope), name);
    }
    Ok(())
}

#[test]
fn functions_that_are_vectorized_keep_their_devices() -> Result<()> {
    prepare()?;
    for name in [SECOND, DELEGATE] {
        let body = move |x: Tensor| {
            let _scope = device(name)?;
            x.exp()
        };
        let x = tensor![0.0f32, 0.0];
        assert_eq!(name_of(&vectorized_map(&x, body)?), name);
        let traced = function(move |x: &Tensor| vectorized_map(x, body));
        assert_eq!(name_of(&traced.call(&x)?), name);
    }
    Ok(())
}

#[test]
fn what_a_device_has_no_memory_for_runs_on_the_host() -> Result<()> {
    prepare()?;
    let _scope = device(BARE)?;
    let run = |_: &Tensor| {
        let same = ops::equal(tensor!["a", "b"], tensor!["a", "c"])?;
        let list = TensorArray::new(2, &TensorSpec::of::<f32>([]))?;
        let list = list.write(0, &scalar(1.0f32))?.write(1, &scalar(2.0f32))?;
        ops::print("{}", &[&same], "stderr")?;
        Ok((same, list.stack()?))
    };
    let x = scalar(0.0f32);
    for (same, stacked) in [run(&x)?, function(run).call(&x)?] {
        assert_eq!(same.to_vec::<bool>()?, [true, false]);
        assert_eq!(stacked.to_vec::<f32>()?, [1.0, 2.0]);
        assert_eq!(name_of(&stacked), "/device:CPU:0");
    }
    Ok(())
}

#[test]
fn a_call_runs_alike_whether_it_is_inlined_or_not() -> Result<()> {
    prepare()?;
    // Its nodes have no device, so they run on the host.
    let f = function(|x: &Tensor| x.tanh()?.exp()).concrete(&TensorSpec::of::<f32>([2]))?;
    let scoped = move |x: &Tensor| {
        let _scope = device(BARE)?;
        f.call_flat(std::slice::from_ref(x))
    };
    let x = tensor![0.0f32, 0.0];
    assert_eq!(scoped(&x)?[0].to_vec::<f32>()?, [1.0, 1.0]);
    assert_eq!(function(scoped).call(&x)?[0].to_vec::<f32>()?, [1.0, 1.0]);
    Ok(())
}

#[test]
fn host_code_runs_in_the_scope_of_its_node() -> Result<()> {
    prepare()?;
    static SCOPES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    for name in [SECOND, DELEGATE] {
        let f = move |x: &Tensor| {
            let _scope = device(name)?;
            let code = |x: Tensor| {
                let scope = current_device().map(|d| d.to_string());
                SCOPES.lock().unwrap().push(scope.unwrap_or_default());
                Ok(x)
            };
            host_function(&TensorSpec::of::<f32>([2]), code, x)
        };
        let x = tensor![0.0f32, 0.0];
        let _ = f(&x)?;
        let _ = function(f).call(&x)?;
        assert_eq!(std::mem::take(&mut *SCOPES.lock().unwrap()), [name, name]);
    }
    Ok(())
}

#[test]
fn a_program_finds_devices_that_were_registered_after_it_was_made() -> Result<()> {
    let f = imported_exp("/device:LATER:0")?;
    let x = Array::from_slice([2], &[0.0f32, 0.0])?;
    assert_eq!(f.call(&[&x]).unwrap_err().kind(), ErrorKind::NotFound);
    register(Bare("LATER"))?;
    register_kernel("LATER", find_op("Exp")?, on_host)?;
    assert_eq!(f.call(&[&x])?[0].as_slice::<f32>()?, [1.0, 1.0]);
    Ok(())
}

#[test]
fn a_kind_is_registered_once_by_all_threads_and_kernels_name_kinds() -> Result<()> {
    let made = std::thread::scope(|s| {
        let threads = [(); 8].map(|()| s.spawn(|| register(Bare("ONCE")).is_ok()));
        threads.into_iter().map(|t| t.join().unwrap()).filter(|ok| *ok).count()
    });
    assert_eq!(made, 1);
    for (kind, error) in [
        ("npu", ErrorKind::InvalidArgument),
        ("", ErrorKind::InvalidArgument),
        ("CPU", ErrorKind::AlreadyExists),
    ] {
        let refused = register_kernel(kind, find_op("Sinh")?, on_host).unwrap_err();
        assert_eq!(refused.kind(), error, "{kind}");
    }
    Ok(())
}

#[test]
fn another_kind_begins_with_its_first_device() -> Result<()> {
    prepare()?;
    let _third = device("cpu:2")?;
    {
        let _scope = device("/device:delegate")?;
        assert_eq!(current_device(), Some(DELEGATE.parse()?));
    }
    let _same = device("cpu")?;
    assert_eq!(current_device(), Some("cpu:2".parse()?));
    Ok(())
}

#[test]
fn copies_of_variables_lie_where_the_variables_do() -> Result<()> {
    prepare()?;
    #[derive(Module)]
    struct Weights {
        w: Variable,
    }
    let w = {
        let _scope = device(SECOND)?;
        Variable::new([1.0f32, 2.0])?
    };
    let model = Weights { w };
    let copies = {
        let _scope = device(DELEGATE)?;
        VariableCopies::of(&model)?
    };
    let copy = copies.of_variable(&model.w);
    assert_ne!(copy.id(), model.w.id());
    assert_eq!((copy.device(), name_of(&copy.read()?)), (model.w.device(), SECOND.into()));
    Ok(())
}

#[test]
fn what_a_lost_device_holds_is_printed_as_unknown() -> Result<()> {
    struct Lost;
    impl DeviceMemory for Lost {
        fn write(&mut self, _: &[u8]) -> Result<()> {
            Ok(())
        }
        fn read(&self, _: &mut [u8]) -> Result<()> {
            Err(Error::new(ErrorKind::DataLoss, "the device does not answer"))
        }
    }
    struct Losing;
    impl Backend for Losing {
        fn kind(&self) -> &str {
            "LOSING"
        }
        fn alloc(&self, _: u32, _: usize) -> Result<Box<dyn DeviceMemory>> {
            Ok(Box::new(Lost))
        }
    }
    register(Losing)?;
    let x = tensor![1.0f32, 2.0].to_device("/device:losing:0")?;
    assert_eq!(format!("{x}"), "[? ?] float32[2]");
    // Ops that move elements without computing say why, too.
    for e in [x.reshape([2, 1])?.transpose([1, 0]), ops::concat(&[&x, &x], 0)] {
        assert_eq!(e.unwrap_err().kind(), ErrorKind::DataLoss);
    }
    Ok(())
}

#[test]
fn memory_may_read_the_variable_that_it_holds() -> Result<()> {
    static HELD: OnceLock<Variable> = OnceLock::new();
    fn look() -> Result<()> {
        HELD.get().map_or(Ok(()), |v| v.read().map(|_| ()))
    }
    struct Looking(Box<dyn DeviceMemory>);
    impl DeviceMemory for Looking {
        fn write(&mut self, bytes: &[u8]) -> Result<()> {
            self.0.write(bytes)
        }
        fn read(&self, bytes: &mut [u8]) -> Result<()> {
            look()?;
            self.0.read(bytes)
        }
    }
    struct Looks;
    impl Backend for Looks {
        fn kind(&self) -> &str {
            "LOOKS"
        }
        fn alloc(&self, index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>> {
            look()?;
            Ok(Box::new(Looking(Cpu.alloc(index, bytes)?)))
        }
    }
    register(Looks)?;
    let v = {
        let _scope = device("/device:looks:0")?;
        Variable::new([1.0f32, 2.0])?
    };
    let _ = HELD.set(v.clone());
    v.assign_add([1.0, 1.0])?;
    assert_eq!(v.read()?.to_vec::<f32>()?, [2.0, 3.0]);
    Ok(())
}
