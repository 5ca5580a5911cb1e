//! Device scopes: logical CPUs, and a device of another crate, which counts what it is asked and delegates it.

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use extype::array::{Array, DeviceMemory};
use extype::device::{
    Backend, Cpu, DeviceCall, DeviceKernel, devices, ensure_logical_cpus, on_host, register,
    register_kernel,
};
use extype::ir::def::{Ends, GraphDef, NodeDef, Value};
use extype::ir::{FunctionGraph, LibraryFunction, OpDef, Outputs, find_op};
use extype::prelude::*;
use extype::tensor::{current_device, device};

/// What each device was asked for.
#[derive(Default)]
struct Counts {
    kernels: AtomicUsize,
    allocated: AtomicUsize,
    written: AtomicUsize,
    read: AtomicUsize,
}

/// The counts of the devices: each test has one of its own.
static COUNTS: [Counts; 8] = [const {
    Counts {
        kernels: AtomicUsize::new(0),
        allocated: AtomicUsize::new(0),
        written: AtomicUsize::new(0),
        read: AtomicUsize::new(0),
    }
}; 8];

fn add_one(count: &AtomicUsize) {
    count.fetch_add(1, Ordering::Relaxed);
}

impl Counts {
    /// The kernels that ran, and how often memory was allocated, written and read since the last call.
    fn take(&self) -> [usize; 4] {
        [&self.kernels, &self.allocated, &self.written, &self.read]
            .map(|count| count.swap(0, Ordering::Relaxed))
    }
}

struct Counting;

struct CountedMemory(Box<dyn DeviceMemory>, u32);

impl DeviceMemory for CountedMemory {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        add_one(&COUNTS[self.1 as usize].written);
        self.0.write(bytes)
    }

    fn read(&self, bytes: &mut [u8]) -> Result<()> {
        add_one(&COUNTS[self.1 as usize].read);
        // Stands for a device that was lost.
        if self.1 == 7 {
            return Err(Error::new(ErrorKind::DataLoss, "the device does not answer"));
        }
        self.0.read(bytes)
    }
}

/// The ops that the backend itself has kernels for. Tests register kernels for more ops.
const SERVED: [&str; 10] = [
    "Reshape",
    "AddV2",
    "Mul",
    "Exp",
    "Less",
    "Sum",
    "OnesLike",
    "BroadcastTo",
    "Neg",
    "AssignAddVariableOp",
];

impl Backend for Counting {
    fn kind(&self) -> &str {
        "COUNT"
    }

    fn count(&self) -> u32 {
        COUNTS.len() as u32
    }

    fn alloc(&self, index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>> {
        add_one(&COUNTS[index as usize].allocated);
        Ok(Box::new(CountedMemory(Cpu.alloc(index, bytes)?, index)))
    }

    fn kernel(&self, op: &'static OpDef) -> Option<DeviceKernel> {
        SERVED.contains(&op.name).then_some(counted as DeviceKernel)
    }
}

fn counted(call: &DeviceCall<'_>) -> Result<Outputs> {
    assert!(call.backend::<Counting>().is_some());
    add_one(&COUNTS[call.index as usize].kernels);
    on_host(call)?.iter().map(|y| call.to_device(y)).collect()
}

/// Registers the devices once.
fn counting(index: usize) -> &'static Counts {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| register(Counting).unwrap());
    &COUNTS[index]
}

fn name_of(t: &Tensor) -> String {
    t.device().map_or_else(String::new, |d| d.to_string())
}

#[test]
fn logical_cpus_hold_what_was_made_in_their_scope() -> Result<()> {
    ensure_logical_cpus(3)?;
    let x = tensor![1.0f32, 2.0];
    assert_eq!(name_of(&x), "/device:CPU:0");
    let f = function(|x: &Tensor| {
        let inner = {
            let _other = device("cpu:2")?;
            x * 2.0
        };
        Ok((&inner + 1.0, inner))
    });
    let (y, v) = {
        let _second = device("cpu:1")?;
        assert_eq!(name_of(&tensor![1.0f32]), "/device:CPU:1");
        assert_eq!(name_of(&x.exp()?), "/device:CPU:1");
        (f.call(&x)?, Variable::new([0.0f32, 0.0])?.name("weight"))
    };
    assert_eq!((name_of(&y.0), name_of(&y.1)), ("/device:CPU:1".into(), "/device:CPU:2".into()));
    assert_eq!(y.0.to_vec::<f32>()?, [3.0, 5.0]);
    assert_eq!(name_of(&x.exp()?), "/device:CPU:0");
    assert_eq!(current_device(), None);

    // Variables stay where they were made, whoever writes them.
    v.assign(&x)?;
    v.assign_add(&x)?;
    assert_eq!(name_of(&v.read()?), "/device:CPU:1");
    let added = function({
        let v = v.clone();
        move |x: &Tensor| v.assign_add(x)
    });
    added.call(&x)?;
    assert_eq!(
        (name_of(&v.read()?), v.read()?.to_vec::<f32>()?),
        ("/device:CPU:1".into(), vec![3.0, 6.0])
    );
    assert!(format!("{v:?}").contains("/device:CPU:1"), "{v:?}");
    Ok(())
}

#[test]
fn nodes_keep_their_device_and_programs_obey_it() -> Result<()> {
    ensure_logical_cpus(2)?;
    let f = function(|x: &Tensor| {
        let a = {
            let _second = device("cpu:1")?;
            (x * 2.0).exp()?
        };
        assert_eq!(a.device(), Some("cpu:1".parse()?));
        a.to_device("cpu:0")
    });
    let concrete = f.concrete(&TensorSpec::of::<f32>([5000]))?;
    let graph = concrete.graph().to_string();
    assert!(graph.contains("= Exp(Mul) on /device:CPU:1 : float32[5000]"), "{graph}");
    let program = concrete.program()?;
    assert!(program.contains("[Mul, Exp](a, 2.0) on /device:CPU:1 : float32[5000]"), "{program}");
    assert!(concrete.graph().to_dot().contains("on /device:CPU:1"));
    let x = ops::zeros([5000], f32)?;
    let profile = concrete.profile(std::slice::from_ref(&x))?.to_string();
    assert!(profile.contains("[Mul, Exp] on /device:CPU:1 : float32[5000]"), "{profile}");
    let y = f.call(&x)?;
    assert_eq!((name_of(&y), y.as_slice::<f32>()?[4999]), ("/device:CPU:0".into(), 1.0));
    Ok(())
}

#[test]
fn what_is_equal_on_two_devices_is_computed_on_both() -> Result<()> {
    ensure_logical_cpus(2)?;
    let on = |name: &str, x: &Tensor| {
        let _scope = device(name)?;
        x.exp()
    };
    let f = function(move |x: &Tensor| Ok((on("cpu:0", x)?, on("cpu:1", x)?)));
    let (a, b) = f.call(&scalar(0.0f32))?;
    assert_eq!((name_of(&a), name_of(&b)), ("/device:CPU:0".into(), "/device:CPU:1".into()));
    Ok(())
}

#[test]
fn an_unknown_device_is_refused_where_it_is_named() -> Result<()> {
    let f = function(|x: &Tensor| {
        let _scope = if x.rank() == Some(1) { Some(device("/gpu:3")?) } else { None };
        x.exp()
    });
    assert_eq!(f.call(&scalar(0.0f32))?.item::<f32>()?, 1.0);
    let e = f.call(&tensor![0.0f32]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::NotFound);
    let text = e.to_string();
    assert!(
        text.contains("\"/gpu:3\": there is no device /device:GPU:3 here, but /device:CPU:0"),
        "{text}"
    );
    assert_eq!((f.trace_count(), current_device()), (1, None));
    assert_eq!(f.call(&scalar(0.0f32))?.item::<f32>()?, 1.0);

    let e = device("cpu:16384").unwrap_err().to_string();
    assert!(e.contains("`device::ensure_logical_cpus` makes more"), "{e}");
    for elsewhere in ["/job:worker/cpu:0", "/replica:1/cpu:0", "/task:1"] {
        assert_eq!(device(elsewhere).unwrap_err().kind(), ErrorKind::NotFound, "{elsewhere}");
    }
    assert!(ensure_logical_cpus(1 << 20).is_err());
    assert!(tensor![1.0f32].to_device("gpu:0").is_err());
    Ok(())
}

/// The exponential of two numbers, whose node was imported with this device.
pub(super) fn imported_exp(device: &str) -> Result<Arc<LibraryFunction>> {
    let node = |name: &str, op: &str, inputs: &[&str], device: &str| NodeDef {
        name: name.into(),
        op: op.into(),
        inputs: inputs.iter().map(|i| (*i).into()).collect(),
        device: device.into(),
        attrs: match op {
            "Placeholder" => [
                ("dtype".to_owned(), Value::Type(f32)),
                ("shape".to_owned(), Value::Shape(shape![2])),
            ]
            .into(),
            _ => Default::default(),
        },
    };
    let nodes = vec![node("x", "Placeholder", &[], ""), node("y", "Exp", &["x"], device)];
    let def = GraphDef { nodes, ..GraphDef::default() };
    let ends = Ends { inputs: vec!["x".into()], outputs: vec!["y".into()], ..Ends::default() };
    Ok(FunctionGraph::from_graph_def(&def, &ends, &|_| None)?.into_function())
}

#[test]
fn an_imported_node_on_an_unknown_device_says_so_when_it_runs() -> Result<()> {
    let x = Array::from_slice([2], &[0.0f32, 0.0])?;
    let run = |device| imported_exp(device)?.call(&[&x]);
    assert_eq!(
        run("/job:localhost/replica:0/task:0/device:CPU:0")?[0].as_slice::<f32>()?,
        [1.0, 1.0]
    );
    let e = run("/device:GPU:0").unwrap_err();
    assert_eq!(e.kind(), ErrorKind::NotFound);
    assert!(e.to_string().contains("exp: there is no device /device:GPU:0 here"), "{e}");
    Ok(())
}

#[test]
fn a_device_of_another_crate_computes_and_holds() -> Result<()> {
    let counts = counting(0);
    assert!(devices().contains(&"/device:count:0".parse()?));
    let x = tensor![1.0f32, 2.0];
    let y = {
        let _scope = device("/device:count:0")?;
        (&x + 1.0) * &x
    };
    assert_eq!(counts.take(), [2, 2, 2, 1], "one operand came back to the host");
    assert_eq!(name_of(&y), "/device:COUNT:0");

    // The host reads it by one copy, also as other shapes.
    assert_eq!((y.to_vec::<f32>()?, y.to_vec::<f32>()?), (vec![2.0, 6.0], vec![2.0, 6.0]));
    assert_eq!(format!("{}", y.reshape([2, 1])?), "[[2.]\n [6.]] float32[2, 1]");
    assert_eq!(y.sqrt()?.to_vec::<f32>()?, [2f32.sqrt(), 6f32.sqrt()]);
    assert_eq!(name_of(&y.sqrt()?), "/device:CPU:0");
    assert_eq!(y.index(1..)?.to_vec::<f32>()?, [6.0]);
    assert_eq!(counts.take(), [0, 0, 0, 1]);

    let there = x.to_device("/device:count:0")?;
    assert_eq!((name_of(&there), counts.take()), ("/device:COUNT:0".into(), [0, 1, 1, 0]));
    let back = there.to_device("cpu:0")?;
    assert_eq!((name_of(&back), back.to_vec::<f32>()?), ("/device:CPU:0".into(), vec![1.0, 2.0]));

    // What it has no kernel for is refused, with a way out.
    let e = {
        let _scope = device("/device:count:0")?;
        x.tanh().unwrap_err()
    };
    assert_eq!(e.kind(), ErrorKind::Unimplemented);
    let text = e.to_string();
    assert!(
        text.contains("tanh: no kernel for /device:COUNT:0; `register_kernel` adds one"),
        "{text}"
    );
    assert!(text.contains("in the scope `device(\"cpu:0\")` it runs on the host"), "{text}");
    // Wrong operands are refused as anywhere.
    let _scope = device("/device:count:0")?;
    let e = ops::add(&x, tensor![1.0f32, 2.0, 3.0]).unwrap_err().to_string();
    assert!(e.contains("[2]") && e.contains("[3]"), "{e}");
    // Strings stay on the host.
    assert_eq!(name_of(&tensor!["a"].identity()?), "/device:CPU:0");
    Ok(())
}

#[test]
fn traces_run_the_kernels_of_the_device() -> Result<()> {
    let counts = counting(1);
    let on = || device("/device:count:1");
    // Constants are not folded there, nor are ops grouped or rewritten.
    let f = function(move |x: &Tensor| {
        let y = {
            let _scope = on()?;
            let two = &tensor![1.0f32, 1.0] + 1.0;
            (x * 1.0) * two
        };
        y.tanh()?.exp()
    });
    let y = f.call(&tensor![0.0f32, 0.0])?;
    assert_eq!((y.to_vec::<f32>()?, name_of(&y)), (vec![1.0, 1.0], "/device:CPU:0".into()));
    assert_eq!(counts.take()[0], 3);

    // A loop over numbers, whose body would run in registers.
    let looped = {
        let _scope = on()?;
        let f = function(|x: &Tensor| {
            extype::control::while_loop(
                x.clone(),
                |x: &Tensor| ops::less(x, 10.0),
                |x: Tensor| Ok(x + 3.0),
            )
        });
        f.call(&scalar(0.0f32))?
    };
    assert_eq!((looped.item::<f32>()?, counts.take()[0]), (12.0, 9));

    // Gradients, eager and traced: the ops of the backward pass run in the scope.
    let _scope = on()?;
    let slope = |x: &Tensor| grad(|x: &Tensor| (x * x).exp()?.reduce_sum(.., false))(x);
    let eager = slope(&tensor![1.0f32])?;
    assert!(counts.take()[0] >= 5);
    let traced = function(move |x: &Tensor| slope(x)).call(&tensor![1.0f32])?;
    assert!(counts.take()[0] >= 5);
    assert_eq!(eager.to_vec::<f32>()?, [2.0 * 1f32.exp()]);
    assert_eq!(
        (traced.to_vec::<f32>()?, name_of(&traced)),
        (eager.to_vec()?, "/device:COUNT:1".into())
    );
    Ok(())
}

#[test]
fn variables_live_on_the_device_where_they_were_made() -> Result<()> {
    let counts = counting(2);
    let v = {
        let _scope = device("/device:count:2")?;
        Variable::new([1.0f32, 2.0])?
    };
    assert_eq!(
        (v.device(), name_of(&v.read()?)),
        (Some("/device:count:2".parse()?), "/device:COUNT:2".into())
    );
    assert_eq!(counts.take(), [0, 1, 1, 0]);
    // The host adds, and the sum goes back.
    v.assign_add([1.0, 1.0])?;
    assert_eq!(
        (name_of(&v.read()?), v.read()?.to_vec::<f32>()?),
        ("/device:COUNT:2".into(), vec![2.0, 3.0])
    );
    counts.take();
    let w = Variable::new([0.0f32, 0.0])?;
    w.assign(&v.read()?)?;
    assert_eq!((name_of(&w.read()?), counts.take()), ("/device:CPU:0".into(), [0; 4]));
    Ok(())
}

#[test]
fn other_crates_register_kernels_by_op_and_kind() -> Result<()> {
    let counts = counting(3);
    fn cosine(call: &DeviceCall<'_>) -> Result<Outputs> {
        let memory = call.memory(0)?;
        let memory: &dyn Any = &*memory;
        assert!(memory.downcast_ref::<CountedMemory>().is_some());
        let x = call.inputs[0].as_slice::<f32>()?;
        let bytes: Vec<u8> = x.iter().flat_map(|x| x.cos().to_le_bytes()).collect();
        let y = call.output(f32, call.inputs[0].dims(), |out| out.write(&bytes))?;
        Ok([y].into())
    }
    fn shapeless(_: &DeviceCall<'_>) -> Result<Outputs> {
        Ok([Array::scalar(1.0f32)].into())
    }
    fn broken(_: &DeviceCall<'_>) -> Result<Outputs> {
        panic!("out of order")
    }
    register_kernel("COUNT", find_op("Cos")?, cosine)?;
    register_kernel("COUNT", find_op("Sin")?, shapeless)?;
    register_kernel("COUNT", find_op("Tan")?, broken)?;
    let again = register_kernel("COUNT", find_op("Cos")?, cosine).unwrap_err();
    assert_eq!(again.kind(), ErrorKind::AlreadyExists);

    let x = tensor![0.0f32, 0.0];
    let _scope = device("/device:count:3")?;
    assert_eq!(x.cos()?.to_vec::<f32>()?, [1.0, 1.0]);
    assert_eq!(counts.take(), [0, 2, 2, 1]);
    for traced in [false, true] {
        let run = |f: fn(&Tensor) -> Result<Tensor>| match traced {
            true => function(f).call(&x).unwrap_err().to_string(),
            false => f(&x).unwrap_err().to_string(),
        };
        let text = run(|x| x.sin());
        assert!(
            text.contains("the kernel of `sin` returned") && text.contains("float32[2]"),
            "{text}"
        );
        let text = run(|x| x.tan());
        assert!(text.contains("tan: the kernel panicked: out of order"), "{text}");
    }
    assert_eq!(x.cos()?.to_vec::<f32>()?, [1.0, 1.0]);
    Ok(())
}

#[test]
fn a_backend_is_registered_once_under_a_kind_in_capitals() {
    struct Named(&'static str);
    impl Backend for Named {
        fn kind(&self) -> &str {
            self.0
        }
        fn alloc(&self, index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>> {
            Cpu.alloc(index, bytes)
        }
    }
    counting(0);
    for (kind, error) in [
        ("COUNT", ErrorKind::AlreadyExists),
        ("CPU", ErrorKind::AlreadyExists),
        ("npu", ErrorKind::InvalidArgument),
        ("N P U", ErrorKind::InvalidArgument),
        ("", ErrorKind::InvalidArgument),
    ] {
        assert_eq!(register(Named(kind)).unwrap_err().kind(), error, "{kind}");
    }
}

#[test]
fn devices_exchange_values_and_threads_have_scopes_of_their_own() -> Result<()> {
    let (first, second) = (counting(4), counting(5));
    let x = tensor![1.0f32, 2.0].to_device("/device:count:4")?;
    let y = x.to_device("/device:count:5")?;
    assert_eq!(
        (first.take(), second.take()),
        ([0, 1, 1, 1], [0, 1, 1, 0]),
        "not through an array of the host"
    );
    assert_eq!(y.to_vec::<f32>()?, [1.0, 2.0]);
    std::thread::scope(|s| {
        let threads = [4, 5].map(|n| {
            s.spawn(move || {
                let _scope = device(&format!("/device:count:{n}")).unwrap();
                let x = tensor![1.0f32, 2.0];
                (0..100).all(|_| name_of(&(&x + 1.0)) == format!("/device:COUNT:{n}"))
            })
        });
        assert!(threads.into_iter().all(|t| t.join().unwrap()));
    });
    assert_eq!((first.take()[0], second.take()[0]), (100, 100));
    Ok(())
}

#[test]
fn a_device_that_fails_is_an_error_wherever_its_values_are_read() -> Result<()> {
    counting(7);
    let x = tensor![1.0f32, 2.0].to_device("/device:count:7")?;
    for e in [
        x.to_vec::<f32>().unwrap_err(),
        x.exp().unwrap_err(),
        ops::add(&x, 1.0).unwrap_err(),
        x.to_device("cpu:0").unwrap_err(),
        function(|x: &Tensor| x.tanh()).call(&x).unwrap_err(),
    ] {
        assert!(e.to_string().contains("the device does not answer"), "{e}");
    }
    // Others go on.
    assert_eq!(tensor![0.0f32].exp()?.to_vec::<f32>()?, [1.0]);
    Ok(())
}
