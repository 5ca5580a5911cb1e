//! Variables, tensor arrays, tensor lists, queues and lookup tables, as programs of steps.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use extype::control::TensorArray;
use extype::ir::find_op;
use extype::ops::methods::*;
use extype::ops::{
    EmptyTensorList, Integers, StridedSliceAssign, TensorListConcat, TensorListElementShape,
    TensorListFromTensor, TensorListGather, TensorListGetItem, TensorListLength, TensorListPopBack,
    TensorListPushBack, TensorListReserve, TensorListResize, TensorListScatter, TensorListSetItem,
    TensorListSplit, TensorListStack,
};
use extype::prelude::*;
use extype::resources::{Column, LookupTable, MutableTable, Queue, StaticVocabulary, TextColumns};
use extype::{Dim, function, init_scope};
use serde_json::Value;

use super::{Params, Row, one, row};

/// The program whose first input is the text of a file.
pub(super) const READS_FILE: &str = "program.file_hash_table";

/// Where [`prepared`](super::prepared) tells the shapes of all inputs: state has the sizes of its first value, also where a
/// trace does not know them.
pub(super) const INPUT_SHAPES: &str = "input_shapes";

/// The rows.
pub(super) const PROGRAMS: &[Row] = &[
    row("program.variable", variable),
    row("program.tensor_array", tensor_array),
    row("program.tensor_list", tensor_list),
    row("program.queue", queue),
    row("program.static_hash_table", |_, x| {
        let table = LookupTable::new(&x[0], &x[1], &x[2])?;
        let mut outputs = vec![table.lookup(&x[3])?, table.size()?];
        outputs.extend(exported(&table)?);
        Ok(outputs)
    }),
    row("program.mutable_hash_table", |p, x| {
        mutable(&MutableTable::new(x[0].dtype(), sized(p, x, 2)?)?, x)
    }),
    row("program.dense_hash_table", |p, x| {
        let key = |name: &str| match p.json(name) {
            Value::String(text) => text.as_str().to_tensor(),
            number => Tensor::scalar(number.as_i64().unwrap_or(0)).cast(x[0].dtype()),
        };
        let default = sized(p, x, 2)?;
        mutable(&MutableTable::dense(key("empty_key")?, key("deleted_key")?, default)?, x)
    }),
    row(READS_FILE, file_table),
    row("program.vocabulary_table", |p, x| {
        let buckets = usize::try_from(p.int("num_oov_buckets", 0)).unwrap_or(0);
        let vocabulary = StaticVocabulary::with_ids(&x[0], &x[1])?.oov_buckets(buckets)?;
        Ok(vec![vocabulary.ids(&x[2])?, vocabulary.size()?])
    }),
    row("program.vocabulary_table_oov_only", |p, x| {
        let buckets = usize::try_from(p.int("num_oov_buckets", 0)).unwrap_or(0);
        one(StaticVocabulary::hashed(buckets)?.ids(&x[0]))
    }),
];

/// One step of a program.
struct Step<'a> {
    name: &'a str,
    given: &'a [Value],
    inputs: &'a [Tensor],
}

impl Step<'_> {
    /// Argument `i` as a tensor: an input, or plain integers.
    fn tensor(&self, i: usize) -> Tensor {
        let json = &self.given[i];
        if let Some(input) = json["input"].as_u64() {
            return self.inputs[input as usize].clone();
        }
        let small = |n: &Value| n.as_i64().unwrap_or(0) as i32;
        match json.as_array() {
            Some(list) => Tensor::from_vec(list.iter().map(small).collect::<Vec<i32>>()),
            None => Tensor::scalar(small(json)),
        }
    }

    fn tensors(&self) -> Vec<Tensor> {
        (0..self.given.len()).map(|i| self.tensor(i)).collect()
    }
}

/// Does the steps of a program.
fn steps(p: &Params, inputs: &[Tensor], mut run: impl FnMut(Step<'_>) -> Result<()>) -> Result<()> {
    for step in p.json("steps").as_array().into_iter().flatten() {
        let Some([name, given @ ..]) = step.as_array().map(Vec::as_slice) else { continue };
        run(Step { name: name.as_str().unwrap_or_default(), given, inputs })?;
    }
    Ok(())
}

fn unknown(step: &Step<'_>) -> Error {
    Error::new(ErrorKind::Unimplemented, format!("the step {}", step.name))
}

/// Input `i` with the sizes that it has.
fn sized(p: &Params, x: &[Tensor], i: usize) -> Result<Tensor> {
    let dims = p.json(INPUT_SHAPES)[i].as_array().into_iter().flatten();
    let shape: Shape = dims.filter_map(|n| Some(Dim::from(n.as_u64()? as usize))).collect();
    x[i].ensure_shape(&shape)
}

thread_local! {
    // Live as long as the traced functions that use them.
    static VARIABLES: RefCell<Vec<Variable>> = const { RefCell::new(Vec::new()) };
}

fn variable(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let shape = sized(p, x, 0)?.shape();
    let v = init_scope(|| Variable::uninitialized(shape, x[0].dtype()))?;
    VARIABLES.with_borrow_mut(|all| all.push(v.clone()));
    v.assign(&x[0])?;
    let mut outputs = Vec::new();
    steps(p, x, |step| {
        let args = step.tensors();
        match step.name {
            "assign" => v.assign(&args[0])?,
            "assign_add" => v.assign_add(&args[0])?,
            "assign_sub" => v.assign_sub(&args[0])?,
            "ResourceScatterNdUpdate" => v.scatter_nd_update(&args[0], &args[1])?,
            "ResourceScatterNdAdd" => v.scatter_nd_add(&args[0], &args[1])?,
            "ResourceScatterNdSub" => v.scatter_nd_sub(&args[0], &args[1])?,
            "ResourceScatterNdMin" => v.scatter_nd_min(&args[0], &args[1])?,
            "ResourceScatterNdMax" => v.scatter_nd_max(&args[0], &args[1])?,
            "ResourceStridedSliceAssign" => {
                let list = |i: usize| Integers::Tensor(args[i].clone());
                let op = StridedSliceAssign {
                    begin_mask: 0,
                    end_mask: 0,
                    ellipsis_mask: 0,
                    new_axis_mask: 0,
                    shrink_axis_mask: 0,
                    begin: list(0),
                    end: list(1),
                    strides: list(2),
                };
                op.run_as::<Vec<Tensor>>(&[v.handle(), &args[3]])?;
            }
            name if name.starts_with("ResourceScatter") => {
                let Some(op) = find_op(name).ok() else { return Err(unknown(&step)) };
                let attrs = extype::ir::Attrs::new();
                extype::tensor::execute(op, attrs, &[v.handle(), &args[0], &args[1]])?;
            }
            _ => {
                let value = v.read()?;
                outputs.push(match step.name {
                    "ResourceGather" => ops::gather(&value, &args[0], 0)?,
                    "ResourceGatherNd" => ops::gather_nd(&value, &args[0])?,
                    "VariableShape" => ops::shape_of(&value)?.cast(DType::I32)?,
                    _ => return Err(unknown(&step)),
                });
                return Ok(());
            }
        }
        outputs.push(v.read()?);
        Ok(())
    })?;
    Ok(outputs)
}

/// The program, and if it is refused its graph: TensorFlow ran these programs in graphs, where changes that no result
/// depends on are not done and so can't fail.
fn tensor_array(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    match array_steps(p, x) {
        Err(_) if x.iter().all(|x| x.value().is_ok()) => {
            let p = p.clone();
            function(move |x: &Vec<Tensor>| array_steps(&p, x)).call(&x.to_vec())
        }
        done => done,
    }
}

fn array_steps(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let dtype = p.dtype("dtype", DType::F32);
    // Every element may have a shape of its own, as with `infer_shape=False`.
    let element = TensorSpec::new(Shape::unknown(), dtype);
    let mut array = match p.flag("dynamic_size") {
        true => TensorArray::growing(&element)?,
        false => TensorArray::new(p.int("size", 0), &element)?,
    };
    let mut outputs = Vec::new();
    steps(p, x, |step| {
        let args = step.tensors();
        match step.name {
            "write" => array = array.write(&args[0], &args[1])?,
            "unstack" => array = TensorArray::unstack(&args[0])?,
            "split" => array = TensorArray::split(&args[0], &args[1])?,
            "scatter" => array = array.scatter(&args[0], &args[1])?,
            "read" => outputs.push(array.read(&args[0])?),
            "stack" => outputs.push(array.stack()?),
            "concat" => outputs.push(array.concat()?),
            "gather" => outputs.push(array.gather(&args[0])?),
            // In TensorFlow an array that does not grow has the size that it was made with.
            "size" if !p.flag("dynamic_size") => {
                outputs.push(Tensor::scalar(p.int("size", 0) as i32));
            }
            "size" => outputs.push(array.size()?),
            _ => return Err(unknown(&step)),
        }
        Ok(())
    })?;
    Ok(outputs)
}

fn tensor_list(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let dtype = p.dtype("dtype", DType::F32);
    let sizes: Vec<i32> = p.integers("element_shape").into_iter().map(|n| n as i32).collect();
    let shape = Tensor::from_vec(sizes);
    let mut list = EmptyTensorList { dtype }.run(&[&shape, &Tensor::scalar(-1i32)])?;
    let mut outputs = Vec::new();
    steps(p, x, |step| {
        let a = step.tensors();
        match step.name {
            "push" => list = TensorListPushBack {}.run(&[&list, &a[0]])?,
            "reserve" => list = TensorListReserve { dtype }.run(&[&shape, &a[0]])?,
            "from_tensor" => list = TensorListFromTensor {}.run(&[&a[0], &shape])?,
            "set" => list = TensorListSetItem { grows: false }.run(&[&list, &a[0], &a[1]])?,
            "resize" => list = TensorListResize {}.run(&[&list, &a[0]])?,
            "scatter" => list = TensorListScatter {}.run(&[&a[0], &a[1], &shape, &a[2]])?,
            "split" => {
                let sizes = a[1].cast(DType::I64)?;
                list = TensorListSplit {}.run(&[&a[0], &shape, &sizes])?;
            }
            "pop" => {
                let op = TensorListPopBack { dtype };
                let (rest, item): (Tensor, Tensor) = op.run_as(&[&list, &shape])?;
                list = rest;
                outputs.push(item);
            }
            "get" => outputs.push(TensorListGetItem { dtype }.run(&[&list, &a[0], &shape])?),
            "gather" => outputs.push(TensorListGather { dtype }.run(&[&list, &a[0], &shape])?),
            "stack" => {
                let op = TensorListStack { dtype, num_elements: -1 };
                outputs.push(op.run(&[&list, &shape])?);
            }
            "concat" => {
                let none = Tensor::from_vec(Vec::<i64>::new());
                let op = TensorListConcat { dtype };
                let (values, sizes): (Tensor, Tensor) = op.run_as(&[&list, &shape, &none])?;
                outputs.extend([values, sizes]);
            }
            "length" => outputs.push(TensorListLength {}.run(&[&list])?),
            "shape" => {
                let op = TensorListElementShape { dtype: DType::I32 };
                outputs.push(op.run(&[&list])?);
            }
            _ => return Err(unknown(&step)),
        }
        Ok(())
    })?;
    // TensorFlow ran these programs op by op. A graph does what its results depend on.
    if outputs.is_empty() {
        outputs.push(list);
    }
    Ok(outputs)
}

fn queue(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let list = |name: &str| p.json(name).as_array().cloned().unwrap_or_default();
    let shapes = list("shapes");
    let spec = |(i, name): (usize, &Value)| {
        let dtype = DType::from_name(name.as_str().unwrap_or_default());
        let dim = |n: &Value| n.as_u64().map_or(Dim::UNKNOWN, |n| Dim::from(n as usize));
        let dims = shapes.get(i).and_then(Value::as_array);
        let shape = dims.map_or_else(Shape::unknown, |dims| dims.iter().map(dim).collect());
        TensorSpec::new(shape, dtype.unwrap_or(DType::F32))
    };
    let specs: Vec<TensorSpec> = list("dtypes").iter().enumerate().map(spec).collect();
    let capacity = p.int("capacity", 10) as usize;
    let count = specs.len() + usize::from(p.json("kind") == "priority");
    let queue = match p.json("kind").as_str() {
        Some("padding") => Queue::padding(capacity, &specs)?,
        Some("priority") => Queue::priority(capacity, &specs)?,
        _ => Queue::fifo(capacity, &specs)?,
    };
    let mut outputs = Vec::new();
    steps(p, x, |step| {
        let mut args = step.tensors();
        // Python passes over what is too much.
        args.truncate(count);
        match step.name {
            "enqueue" => queue.enqueue(&args)?,
            "enqueue_many" => queue.enqueue_many(&args)?,
            "close" => queue.close()?,
            "dequeue" => outputs.extend(queue.dequeue()?),
            "dequeue_many" => outputs.extend(queue.dequeue_many(&args[0])?),
            "dequeue_up_to" => outputs.extend(queue.dequeue_up_to(&args[0])?),
            "size" => outputs.push(queue.size()?),
            "is_closed" => outputs.push(queue.is_closed()?),
            _ => return Err(unknown(&step)),
        }
        Ok(())
    })?;
    Ok(outputs)
}

/// The keys and values of a table, sorted by key.
fn exported(table: &LookupTable) -> Result<[Tensor; 2]> {
    let (keys, values) = table.export()?;
    let order = match keys.dtype() {
        // Strings have no order in graphs: by their codes, byte by byte.
        DType::String => by_text(&keys)?,
        _ => ops::argsort(&keys, ..)?,
    };
    Ok([ops::gather(&keys, &order, 0)?, ops::gather(&values, &order, 0)?])
}

/// The order of short strings: by their first four bytes and their lengths.
fn by_text(keys: &Tensor) -> Result<Tensor> {
    let bytes = keys.decode_padded_raw(8, DType::U8)?.cast(DType::I64)?;
    let mut number = ops::zeros_like(&bytes.index((.., 0))?)?;
    for i in 0..7i64 {
        number = ops::add(&ops::mul(&number, 256)?, bytes.index((.., i))?)?;
    }
    ops::argsort(&number, ..)
}

fn mutable(table: &MutableTable, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let mut outputs = Vec::new();
    let mut look = || -> Result<()> {
        outputs.extend([table.lookup(&x[3])?, table.size()?]);
        Ok(())
    };
    table.insert(&x[0], &x[1])?;
    look()?;
    table.remove(&x[4])?;
    look()?;
    table.insert(&x[5], &x[6])?;
    look()?;
    outputs.extend(exported(table)?);
    Ok(outputs)
}

fn file_table(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    static FILES: AtomicU64 = AtomicU64::new(0);
    let column = |name: &str| match p.int(name, 0) {
        -1 => Column::Number,
        -2 => Column::Line,
        i => Column::At(i as usize),
    };
    let columns = TextColumns {
        key: column("key_index"),
        key_dtype: p.dtype("key_dtype", DType::String),
        value: column("value_index"),
        value_dtype: p.dtype("value_dtype", DType::I64),
        separator: p.json("delimiter").as_str().and_then(|s| s.chars().next()).unwrap_or('\t'),
        lines: p.json("vocab_size").as_u64().map(|n| n as usize),
    };
    let n = FILES.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("extype_table_{}_{n}", std::process::id()));
    let told = |e: std::io::Error| Error::new(ErrorKind::Internal, e.to_string());
    std::fs::write(&path, p.json("file").as_str().unwrap_or_default()).map_err(told)?;
    let table = LookupTable::from_file(&path, &columns, &x[2]);
    std::fs::remove_file(&path).map_err(told)?;
    let table = table?;
    Ok(vec![table.lookup(&x[1])?, table.size()?])
}
