//! Calls of ops on state other than variables' values: tables, queues, parts of variables.

use extype::array::Array;
use extype::ir::AttrValue;
use extype::resources::{MutableTable, Queue};
use extype::spec::TensorSpec;
use extype::{DType, Shape, Tensor};

use super::images::Parts;
use super::rng::Rng;
use super::values::{Style, filled, integers};

/// A table from int64 to int64 with some entries.
fn table() -> Option<Array> {
    let table = MutableTable::new(DType::I64, 0i64).ok()?;
    table.insert([1i64, 2, 3], [5i64, 6, 7]).ok()?;
    table.handle().value().ok().cloned()
}

/// A queue of int64 with many elements that are the same, so that a call can be repeated. No call waits: there is room
/// for any number, and to take out from, the queue is closed.
fn queue(is_closed: bool) -> Option<Array> {
    let queue = Queue::fifo(1 << 40, &[TensorSpec::of::<i64>([])]).ok()?;
    queue.enqueue_many(&[Tensor::from_vec(vec![7i64; 2000])]).ok()?;
    if is_closed {
        queue.close().ok()?;
    }
    queue.handle().value().ok().cloned()
}

/// The inputs and attributes of an op on state.
pub(super) fn recipe(name: &str, rng: &mut Rng) -> Option<Parts> {
    let longs = |values: &[i64]| integers(DType::I64, &[values.len()], values);
    let one = |dtype: DType, n: i64| integers(dtype, &[], &[n]);
    let long = AttrValue::Type(DType::I64);
    let types = || AttrValue::List([AttrValue::Type(DType::I64)].into());
    let scalars = || AttrValue::List([AttrValue::Shape(Box::new(Shape::scalar()))].into());
    let none = || AttrValue::Str([].into());
    let queued = vec![("component_types", types()), ("_shapes", scalars())];
    let made = vec![
        ("key_dtype", long.clone()),
        ("value_dtype", long.clone()),
        ("value_shape", AttrValue::Shape(Box::new(Shape::scalar()))),
        ("component_types", types()),
        ("shapes", scalars()),
        ("capacity", AttrValue::Int(9)),
        ("container", none()),
        ("shared_name", none()),
        ("use_node_name_sharing", AttrValue::Bool(false)),
        ("initial_num_buckets", AttrValue::Int(64)),
        ("max_load_factor", AttrValue::Float(0.5)),
    ];
    Some(match name {
        "LookupTableFindV2" => {
            // One default, or one for each key.
            let default = match rng.chance(50) {
                true => one(DType::I64, rng.below(3) as i64),
                false => longs(&[0, 1, 2]),
            };
            let row = AttrValue::Shape(Box::new(Shape::scalar()));
            (vec![table(), longs(&[1, 9, 3]), default], vec![("_value_shape", row)])
        }
        "LookupTableContains" | "LookupTableRemoveV2" => (vec![table(), longs(&[2, 4])], vec![]),
        "LookupTableInsertV2" | "LookupTableImportV2" | "InitializeTableV2" => {
            (vec![table(), longs(&[2, 4]), longs(&[8, 9])], vec![])
        }
        "InitializeTableFromTextFileV2" => {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
            let path = Array::from_strings([0usize; 0], vec![path.into()]).ok();
            let numbers = |of: &'static str| (of, AttrValue::Int(-1));
            let delimiter = AttrValue::Str("\t".as_bytes().into());
            let mut attrs = ["key_index", "value_index", "vocab_size"].map(numbers).to_vec();
            attrs.extend([
                ("delimiter", delimiter),
                ("offset", AttrValue::Int(rng.below(3) as i64)),
            ]);
            (vec![table(), path], attrs)
        }
        "LookupTableSizeV2" => (vec![table()], vec![]),
        "LookupTableExportV2" => (vec![table()], vec![("Tkeys", long.clone()), ("Tvalues", long)]),
        "MutableDenseHashTableV2" => (vec![one(DType::I64, -1), one(DType::I64, -2)], made),
        "HashTableV2" | "MutableHashTableV2" | "MutableHashTableOfTensorsV2" => (vec![], made),
        "FIFOQueueV2" | "PaddingFIFOQueueV2" | "PriorityQueueV2" => (vec![], made),
        "QueueEnqueueV2" => (vec![queue(false), one(DType::I64, 7)], vec![]),
        "QueueEnqueueManyV2" => (vec![queue(false), longs(&[7, 7])], vec![]),
        "QueueDequeueV2" => (vec![queue(true)], queued),
        "QueueDequeueManyV2" | "QueueDequeueUpToV2" => {
            (vec![queue(true), one(DType::I32, rng.below(5) as i64)], queued)
        }
        "QueueCloseV2" | "QueueIsClosedV2" | "QueueSizeV2" => (vec![queue(false)], vec![]),
        "ReadFile" => {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
            (vec![Array::from_strings([0usize; 0], vec![path.into()]).ok()], vec![])
        }
        "TensorStridedSliceUpdate"
        | "ResourceStridedSliceAssign"
        | "ResourceStridedSliceAdd"
        | "ResourceStridedSliceSub" => {
            let (state, value) = match name.starts_with("Resource") {
                // The variable holds int64 [3].
                true => (filled(DType::Resource, &[], Style::Zero, rng), one(DType::I64, 4)),
                false => {
                    let mut of =
                        |dims: &[usize]| filled(DType::F64, dims, Style::Within(-2.0, 2.0), rng);
                    (of(&[3, 2]), of(&[2]))
                }
            };
            let at = rng.below(3) as i64;
            (vec![state, longs(&[at]), longs(&[3]), longs(&[1]), value], vec![])
        }
        _ => return None,
    })
}
