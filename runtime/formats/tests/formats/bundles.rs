use std::path::Path;

use extype_formats::ErrorKind;
use extype_formats::bundle::{self, Bundle, OBJECT_GRAPH, Writer, index_path};
use extype_formats::proto::{BundleHeaderProto, CheckpointState, DataType, Message, VersionDef};
use extype_formats::table::Builder;
use serde_json::Value;

use crate::golden;

/// The names that TensorFlow's Python has for dtypes.
const NAMES: [(&str, DataType); 27] = [
    ("float32", DataType::Float),
    ("float64", DataType::Double),
    ("float16", DataType::Half),
    ("bfloat16", DataType::Bfloat16),
    ("int8", DataType::Int8),
    ("int16", DataType::Int16),
    ("int32", DataType::Int32),
    ("int64", DataType::Int64),
    ("uint8", DataType::Uint8),
    ("uint16", DataType::Uint16),
    ("uint32", DataType::Uint32),
    ("uint64", DataType::Uint64),
    ("bool", DataType::Bool),
    ("complex64", DataType::Complex64),
    ("complex128", DataType::Complex128),
    ("string", DataType::String),
    ("qint8", DataType::Qint8),
    ("quint8", DataType::Quint8),
    ("qint16", DataType::Qint16),
    ("quint16", DataType::Quint16),
    ("qint32", DataType::Qint32),
    ("float8_e5m2", DataType::Float8E5m2),
    ("float8_e4m3fn", DataType::Float8E4m3fn),
    ("int4", DataType::Int4),
    ("uint4", DataType::Uint4),
    ("int2", DataType::Int2),
    ("uint2", DataType::Uint2),
];

fn shape_of(tensor: &Value) -> Vec<usize> {
    tensor["shape"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap() as usize).collect()
}

#[test]
fn tensorflows_checkpoints_are_read() {
    let Some(folder) = golden::folder("checkpoints") else { return };
    let (mut tensors, mut graphs) = (0, 0);
    for folder in golden::entries(&folder) {
        let told = golden::json(folder.join("values.json"));
        let bundle = Bundle::open(folder.join(told["prefix"].as_str().unwrap())).unwrap();
        let expected = told["tensors"].as_object().unwrap();
        let mut keys: Vec<_> = expected.keys().map(String::as_str).collect();
        if let Some(graph) = bundle.object_graph().unwrap() {
            keys.push(OBJECT_GRAPH);
            let attributes = graph.nodes.iter().flat_map(|node| &node.attributes);
            for attribute in attributes {
                assert!(expected.contains_key(&attribute.checkpoint_key), "{attribute:?}");
            }
            graphs += 1;
        }
        keys.sort_unstable();
        assert_eq!(bundle.keys().collect::<Vec<_>>(), keys, "{folder:?}");
        for (key, tensor) in expected {
            let entry = bundle.get(key).unwrap();
            let name = tensor["dtype"].as_str().unwrap();
            let dtype =
                NAMES.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("{name}")).1;
            assert_eq!((entry.dtype(), entry.shape()), (dtype, shape_of(tensor)), "{key}");
            if dtype == DataType::String {
                let strings: Vec<_> =
                    tensor["data"].as_array().unwrap().iter().map(golden::base64).collect();
                assert_eq!(entry.strings().unwrap(), strings, "{key}");
            } else {
                assert_eq!(entry.bytes().unwrap(), golden::base64(&tensor["data"]), "{key}");
            }
            tensors += 1;
        }
    }
    assert!(tensors > 100 && graphs > 1, "{tensors} tensors, {graphs} graphs");
}

/// What TensorFlow wrote to one file is written here in the same way, bit for bit.
#[test]
fn checkpoints_are_those_of_tensorflow_bit_for_bit() {
    let Some(folder) = golden::folder("checkpoints") else { return };
    let scratch = golden::scratch("rewritten");
    let mut checkpoints = 0;
    for name in ["all_dtypes", "many_keys", "optimizer", "sliced"] {
        let prefix = folder.join(name).join("ckpt");
        let (bundle, copy) = (Bundle::open(&prefix).unwrap(), scratch.join(name));
        let mut entries: Vec<_> = bundle.entries().collect();
        entries.sort_by_key(|entry| (entry.proto().offset, entry.proto().size));
        let mut writer = Writer::create(&copy).unwrap();
        // The tensor in parts has no offset of its own, and comes first in the file.
        for entry in entries {
            let (key, shape) = (entry.key(), entry.shape());
            let slices = &entry.proto().slices;
            if entry.dtype() == DataType::String {
                writer.add_strings(key, &shape, entry.strings().unwrap()).unwrap();
            } else if slices.is_empty() {
                writer.add(key, entry.dtype(), &shape, &entry.bytes().unwrap()).unwrap();
            } else {
                let (bytes, row) = (entry.bytes().unwrap(), entry.size().unwrap() / shape[0]);
                for slice in slices {
                    let start = slice.extent[0].start as usize;
                    let size = slice.extent[0].length.unwrap() as usize;
                    let sizes = [&[size], &shape[1..]].concat();
                    let starts = [&[start][..], &vec![0; shape.len() - 1]].concat();
                    let bytes = &bytes[start * row..(start + size) * row];
                    writer.add_slice(key, entry.dtype(), &shape, (&starts, &sizes), bytes).unwrap();
                }
            }
        }
        writer.finish().unwrap();
        for suffix in ["data-00000-of-00001", "index"] {
            let [theirs, ours] =
                [&prefix, &copy].map(|path| std::fs::read(path.with_extension(suffix)).unwrap());
            assert!(theirs == ours, "{name}.{suffix}");
        }
        checkpoints += 1;
    }
    assert_eq!(checkpoints, 4);
}

#[test]
fn what_was_added_is_read() {
    let prefix = golden::scratch("bundle").join("new/folder/ckpt");
    let large: Vec<u8> = (0..9_000_003u32).map(|i| (i * 7 % 251) as u8).collect();
    let mut writer = Writer::create(&prefix).unwrap();
    writer.add("z", DataType::Uint8, &[large.len()], &large).unwrap();
    writer.add("scalar", DataType::Double, &[], &[1; 8]).unwrap();
    writer.add("empty", DataType::Float, &[3, 0], &[]).unwrap();
    writer.add("huge but empty", DataType::Float, &[usize::MAX / 2, 0, 1 << 40], &[]).unwrap();
    writer.add_strings("strings", &[2, 2], ["", "ab", "\0\u{ff}", &"x".repeat(300)]).unwrap();
    writer.add_strings("no strings", &[0], [""; 0]).unwrap();
    writer.finish().unwrap();
    let bundle = Bundle::open(&prefix).unwrap();
    let keys: Vec<_> = bundle.keys().collect();
    assert_eq!(keys, ["empty", "huge but empty", "no strings", "scalar", "strings", "z"]);
    // Several threads read what is large, and find damage in each part.
    assert!(bundle.get("z").unwrap().bytes().unwrap() == large);
    let data = prefix.with_extension("data-00000-of-00001");
    let mut bytes = std::fs::read(&data).unwrap();
    for at in [0, 5_000_000, 9_000_002] {
        bytes[at] ^= 1;
        std::fs::remove_file(&data).unwrap();
        std::fs::write(&data, &bytes).unwrap();
        bytes[at] ^= 1;
        let damaged = Bundle::open(&prefix).unwrap();
        let error = damaged.get("z").unwrap().bytes().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataLoss);
    }
    assert_eq!(bundle.get("scalar").unwrap().bytes().unwrap(), [1; 8]);
    assert_eq!(bundle.get("empty").unwrap().shape(), [3, 0]);
    assert!(bundle.get("huge but empty").unwrap().bytes().unwrap().is_empty());
    let strings = bundle.get("strings").unwrap().strings().unwrap();
    assert_eq!(strings[..3], [&b""[..], b"ab", "\0\u{ff}".as_bytes()]);
    assert!(bundle.get("no strings").unwrap().strings().unwrap().is_empty());
    assert!(bundle.object_graph().unwrap().is_none());
    let error = bundle.get("scalar").unwrap().read_into(&mut [0; 9]).unwrap_err();
    assert!(
        error.to_string().ends_with("the tensor `scalar` has 8 bytes, and there is room for 9")
    );
    assert_eq!(bundle.get("none").unwrap_err().kind(), ErrorKind::NotFound);
    let kinds = [
        bundle.get("strings").unwrap().bytes().unwrap_err().kind(),
        bundle.get("z").unwrap().strings().unwrap_err().kind(),
    ];
    assert_eq!(kinds, [ErrorKind::Unimplemented, ErrorKind::InvalidArgument]);
}

/// Lengths, the checksum of the lengths as numbers of four bytes, the bytes.
#[test]
fn strings_are_stored_as_tensorflow_does() {
    let prefix = golden::scratch("strings").join("ckpt");
    let mut writer = Writer::create(&prefix).unwrap();
    writer.add_strings("s", &[2], ["", "ab"]).unwrap();
    writer.finish().unwrap();
    let sum =
        extype_formats::checksum::mask(extype_formats::checksum::crc32c(&[0, 0, 0, 0, 2, 0, 0, 0]));
    let expected = [&[0, 2][..], &sum.to_le_bytes(), b"ab"].concat();
    assert_eq!(std::fs::read(prefix.with_extension("data-00000-of-00001")).unwrap(), expected);
}

#[test]
fn parts_of_tensors_are_put_together() {
    let prefix = golden::scratch("parts").join("ckpt");
    // [4, 130, 3], in parts along the first two axes: starts beyond 63 have keys of more bytes.
    let (shape, width) = ([4, 130, 3], 2);
    let whole: Vec<u8> = (0..4 * 130 * 3 * width).map(|i| (i % 253) as u8).collect();
    let parts = [([0, 0, 0], [3, 100, 3]), ([0, 100, 0], [3, 30, 3]), ([3, 0, 0], [1, 130, 3])];
    let cut = |(starts, sizes): ([usize; 3], [usize; 3])| {
        let mut bytes = Vec::new();
        for i in starts[0]..starts[0] + sizes[0] {
            for j in starts[1]..starts[1] + sizes[1] {
                let at = (i * 130 + j) * 3 * width;
                bytes.extend(&whole[at..at + 3 * width]);
            }
        }
        bytes
    };
    let write = |parts: &[([usize; 3], [usize; 3])]| {
        let mut writer = Writer::create(&prefix).unwrap();
        for part in parts {
            let place = (&part.0[..], &part.1[..]);
            writer.add_slice("t", DataType::Half, &shape, place, &cut(*part)).unwrap();
        }
        writer.finish().unwrap();
        let bundle = Bundle::open(&prefix).unwrap();
        assert_eq!(bundle.keys().collect::<Vec<_>>(), ["t"]);
        bundle.get("t").unwrap().bytes()
    };
    assert!(write(&parts).unwrap() == whole);
    assert!(write(&[parts[2], parts[0], parts[1]]).unwrap() == whole);
    assert!(write(&[([0, 0, 0], shape)]).unwrap() == whole);
    let error = write(&parts[..2]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().ends_with("`t` has parts that are not the whole, each element once"));
    // As many elements as the whole has, but some twice.
    let twice = [([0, 0, 0], [2, 130, 3]), ([1, 0, 0], [2, 130, 3])];
    assert_eq!(write(&twice).unwrap_err().kind(), ErrorKind::InvalidArgument);

    let mut writer = Writer::create(&prefix).unwrap();
    let add = |writer: &mut Writer, starts: &[usize], sizes: &[usize], bytes: usize| {
        writer.add_slice("t", DataType::Half, &shape, (starts, sizes), &vec![0; bytes])
    };
    add(&mut writer, &[0, 0, 0], &[1, 1, 1], 2).unwrap();
    add(&mut writer, &[0, 0, 0], &[1, 1, 1], 2).unwrap_err();
    add(&mut writer, &[0, 0], &[1, 1], 2).unwrap_err();
    add(&mut writer, &[4, 0, 0], &[1, 1, 1], 2).unwrap_err();
    add(&mut writer, &[0, 1, 0], &[1, 1, 1], 4).unwrap_err();
    add(&mut writer, &[0, 0, 1], &shape, whole.len()).unwrap_err();
    let other = writer.add_slice("t", DataType::Half, &[9], (&[0], &[1]), &[0; 2]).unwrap_err();
    assert!(other.to_string().contains("belongs to another tensor"), "{other}");
}

#[test]
fn wrong_tensors_are_refused() {
    let folder = golden::scratch("refused");
    let mut writer = Writer::create(folder.join("ckpt")).unwrap();
    writer.add("a", DataType::Int8, &[2], &[0; 2]).unwrap();
    for (key, dtype, shape, what) in [
        ("a", DataType::Int8, &[2][..], "the tensor `a` was added before"),
        ("", DataType::Int8, &[2], "a tensor needs a name, which can't begin with a zero"),
        ("b", DataType::Int8, &[3], "the tensor `b` is Int8 of shape [3], and can't have 2 bytes"),
        ("b", DataType::String, &[2], "the tensor `b` has strings: add it with `add_strings`"),
        ("b", DataType::Resource, &[2], "the tensor `b` can't be written: its dtype is Resource"),
    ] {
        let error = writer.add(key, dtype, shape, &[0; 2]).unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::InvalidArgument, what));
    }
    let error = writer.add_strings("b", &[2], ["x"]).unwrap_err();
    assert_eq!(error.to_string(), "the tensor `b` of shape [2] can't have 1 strings");
    // Nothing is left of what was not finished.
    drop(writer);
    assert!(golden::entries(&folder).is_empty());
}

#[test]
fn a_checkpoint_is_replaced_whole() {
    let folder = golden::scratch("replaced");
    let prefix = folder.join("ckpt");
    let write = |value: u8| {
        let mut writer = Writer::create(&prefix).unwrap();
        writer.add("x", DataType::Uint8, &[1], &[value]).unwrap();
        writer
    };
    write(0).finish().unwrap();
    for value in 1..5 {
        let before = Bundle::open(&prefix).unwrap();
        let new = write(value);
        assert_eq!(before.get("x").unwrap().bytes().unwrap(), [value - 1]);
        new.finish().unwrap();
        // Files that are open stay what they were.
        assert_eq!(before.get("x").unwrap().bytes().unwrap(), [value - 1]);
        let after = Bundle::open(&prefix).unwrap();
        assert_eq!(after.get("x").unwrap().bytes().unwrap(), [value]);
        assert_eq!(golden::entries(&folder).len(), 2);
    }
    // A checkpoint that was opened stays what it was, however often it is replaced.
    let before = Bundle::open(&prefix).unwrap();
    write(5).finish().unwrap();
    assert_eq!(before.get("x").unwrap().bytes().unwrap(), [4]);
    let before = Bundle::open(&prefix).unwrap();
    write(6).finish().unwrap();
    write(7).finish().unwrap();
    assert_eq!(before.get("x").unwrap().bytes().unwrap(), [5]);
    // An index that can't be replaced: what was there is still there.
    let folder = golden::scratch("kept");
    let prefix = folder.join("ckpt");
    let data = prefix.with_extension("data-00000-of-00001");
    std::fs::write(&data, b"kept").unwrap();
    std::fs::create_dir_all(index_path(&prefix).join("full")).unwrap();
    let mut writer = Writer::create(&prefix).unwrap();
    writer.add("x", DataType::Uint8, &[1], &[7]).unwrap();
    assert!(writer.finish().is_err());
    assert_eq!(std::fs::read(&data).unwrap(), b"kept");
    assert!(bundle::remove(&prefix).is_err());
    assert!(data.exists());
    let left = golden::entries(&folder);
    assert!(left.iter().all(|path| !path.to_str().unwrap().contains("tempstate")), "{left:?}");
}

/// What can't be read is no reason to write over it before the new index is there.
#[test]
fn a_checkpoint_of_a_newer_version_is_replaced() {
    let prefix = golden::scratch("newer").join("ckpt");
    let write = |value: u8| {
        let mut writer = Writer::create(&prefix).unwrap();
        writer.add("x", DataType::Uint8, &[1], &[value]).unwrap();
        writer.finish().unwrap();
    };
    write(1);
    let version = VersionDef { min_consumer: 99, ..VersionDef::default() };
    let header =
        BundleHeaderProto { num_shards: 1, version: Some(version), ..BundleHeaderProto::default() };
    let mut index = Builder::new();
    index.add(b"", &header.encode_to_vec()).unwrap();
    std::fs::write(index_path(&prefix), index.finish()).unwrap();
    assert_eq!(Bundle::open(&prefix).unwrap_err().kind(), ErrorKind::Unimplemented);
    write(2);
    let data = |shards: i32| prefix.with_extension(format!("data-00000-of-0000{shards}"));
    assert!(data(2).exists() && !data(1).exists());
    assert_eq!(Bundle::open(&prefix).unwrap().get("x").unwrap().bytes().unwrap(), [2]);
    bundle::remove(&prefix).unwrap();
    assert!(!data(2).exists());
}

/// Whoever reads while another thread writes finds one checkpoint.
#[test]
fn a_checkpoint_is_opened_whole() {
    let prefix = golden::scratch("opened").join("ckpt");
    let write = |value: u8| {
        let mut writer = Writer::create(&prefix).unwrap();
        for key in ["a", "b"] {
            writer.add(key, DataType::Uint8, &[1000], &[value; 1000]).unwrap();
        }
        writer.finish().unwrap();
    };
    write(0);
    std::thread::scope(|scope| {
        let writes = scope.spawn(|| (1..=60).for_each(write));
        let mut opened = 0;
        while !writes.is_finished() {
            let bundle = Bundle::open(&prefix).unwrap();
            let [a, b] = ["a", "b"].map(|key| bundle.get(key).unwrap().bytes().unwrap());
            assert!(a == b && a == vec![a[0]; 1000]);
            opened += 1;
        }
        assert!(opened > 60, "{opened}");
    });
}

/// A checkpoint is replaced when its index was read and its other files are not open yet: the index is a pipe, which ends then.
#[test]
#[cfg(unix)]
fn files_belong_to_the_index() {
    use std::fs;
    use std::io::Write as _;
    let folder = golden::scratch("pipe");
    let write = |name: &str, keys: &[&str], value: u8| {
        let mut writer = Writer::create(folder.join(name)).unwrap();
        for key in keys {
            writer.add(key, DataType::Uint8, &[1], &[value]).unwrap();
        }
        writer.finish().unwrap();
    };
    write("ckpt", &["x"], 1);
    write("new", &["w", "x"], 2);
    let (prefix, new) = (folder.join("ckpt"), folder.join("new"));
    let old = fs::read(index_path(&prefix)).unwrap();
    fs::remove_file(index_path(&prefix)).unwrap();
    let made = std::process::Command::new("mkfifo").arg(index_path(&prefix)).status().unwrap();
    assert!(made.success());
    std::thread::scope(|scope| {
        let opened = scope.spawn(|| Bundle::open(&prefix));
        let mut pipe = fs::OpenOptions::new().write(true).open(index_path(&prefix)).unwrap();
        pipe.write_all(&old).unwrap();
        for suffix in ["data-00000-of-00001", "index"] {
            fs::rename(new.with_extension(suffix), prefix.with_extension(suffix)).unwrap();
        }
        drop(pipe);
        let bundle = opened.join().unwrap().unwrap();
        assert_eq!(bundle.get("x").unwrap().bytes().unwrap(), [2]);
    });
}

/// A program that replaces a checkpoint all the time is killed at any moment: the checkpoint is whole.
#[test]
fn a_killed_program_leaves_a_checkpoint() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    const KILLED: &str = "EXTYPE_FORMATS_KILLED";
    if let Some(prefix) = std::env::var_os(KILLED) {
        for value in (0..=u8::MAX).cycle().skip(std::process::id() as usize % 256) {
            let mut writer = Writer::create(&prefix).unwrap();
            for key in ["a", "b"] {
                writer.add(key, DataType::Uint8, &[100_000], &vec![value; 100_000]).unwrap();
            }
            writer.finish().unwrap();
        }
    }
    let folder = golden::scratch("killed");
    let prefix = folder.join("ckpt");
    let name = "bundles::a_killed_program_leaves_a_checkpoint";
    let mut values = std::collections::BTreeSet::new();
    for pause in 0..40 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact"])
            .env(KILLED, &prefix)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while !index_path(&prefix).exists() {
            assert!(begin.elapsed() < Duration::from_secs(60), "no checkpoint was written");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(pause * 997));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let bundle = Bundle::open(&prefix).unwrap();
        let [a, b] = ["a", "b"].map(|key| bundle.get(key).unwrap().bytes().unwrap());
        assert!(a == b && a == vec![a[0]; 100_000]);
        values.insert(a[0]);
    }
    assert!(values.len() > 5, "{values:?}");
}

#[test]
fn damage_is_told_by_name() {
    let prefix = golden::scratch("damage").join("ckpt");
    let mut writer = Writer::create(&prefix).unwrap();
    writer.add("a", DataType::Uint8, &[4], &[1, 2, 3, 4]).unwrap();
    writer.add_strings("s", &[1], ["abc"]).unwrap();
    writer.add("z", DataType::Uint8, &[4], &[5, 6, 7, 8]).unwrap();
    writer.finish().unwrap();
    let data = prefix.with_extension("data-00000-of-00001");
    let whole = std::fs::read(&data).unwrap();
    let bundle = || Bundle::open(&prefix).unwrap();
    let of = |key: &str| bundle().get(key).unwrap().bytes();
    for byte in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[byte] ^= 1;
        // A new file: systems write one that is emptied and filled again to the disk at once.
        std::fs::remove_file(&data).unwrap();
        std::fs::write(&data, &bytes).unwrap();
        let wrong = [of("a").err(), bundle().get("s").unwrap().strings().err(), of("z").err()];
        let place = if byte < 4 {
            0
        } else if byte < whole.len() - 4 {
            1
        } else {
            2
        };
        for (i, wrong) in wrong.into_iter().enumerate() {
            assert_eq!(wrong.map(|e| e.kind()), (i == place).then_some(ErrorKind::DataLoss));
        }
    }
    std::fs::write(&data, &whole[..whole.len() - 1]).unwrap();
    of("a").unwrap();
    let error = of("z").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    let (data, prefix) = (data.display().to_string(), prefix.display().to_string());
    let told =
        format!("the checkpoint {prefix}: the tensor `z` lies beyond the end of the file {data}");
    assert_eq!(error.to_string(), told);
    std::fs::remove_file(&data).unwrap();
    let error = Bundle::open(&prefix).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains(&data));
    assert_eq!(Bundle::open("no/such").unwrap_err().kind(), ErrorKind::NotFound);
    let index = index_path(&prefix);
    let bytes = std::fs::read(&index).unwrap();
    std::fs::write(&index, &bytes[1..]).unwrap();
    assert_eq!(Bundle::open(&prefix).unwrap_err().kind(), ErrorKind::DataLoss);
    std::fs::write(&index, &bytes).unwrap();
    let error = Bundle::open_limited(&prefix, 20).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
}

#[test]
fn the_state_of_a_folder_is_text() {
    if let Some(folder) = golden::folder("checkpoints") {
        let folder = folder.join("managed");
        let state = bundle::read_state(&folder).unwrap();
        assert_eq!(state.model_checkpoint_path, "model-30");
        assert_eq!(state.all_model_checkpoint_paths, ["model-20", "model-30"]);
        assert_eq!(bundle::latest(&folder).unwrap(), Some(folder.join("model-30")));
    }
    let folder = golden::scratch("state");
    assert_eq!(bundle::latest(&folder).unwrap(), None);
    let state = CheckpointState {
        model_checkpoint_path: "a \"b\"\n\\\u{e9}".into(),
        all_model_checkpoint_paths: vec!["/x".into(), String::new()],
        all_model_checkpoint_timestamps: vec![1.5e9, -1e-300, f64::INFINITY],
        last_preserved_timestamp: 1.0,
    };
    bundle::write_state(&folder, &state).unwrap();
    assert_eq!(bundle::read_state(&folder).unwrap(), state);
    assert_eq!(bundle::latest(&folder).unwrap(), None);
    let read = |text: &str| {
        std::fs::write(folder.join("checkpoint"), text).unwrap();
        bundle::read_state(&folder)
    };
    let text = "# by hand\nall_model_checkpoint_paths: ['a' \"b\", 'c\\x41\\101']; last_preserved_timestamp: -1e+5";
    assert_eq!(read(text).unwrap().all_model_checkpoint_paths, ["ab", "cAA"]);
    for (text, what) in [
        ("model_checkpoint_path: 3", "line 1: `model_checkpoint_path` is string, and can't be `3`"),
        ("\nmodel_checkpoint_path: 'a", "line 2: a string has no end"),
        ("model_checkpoint_path 'a'", "line 1: a `:` is missing behind `model_checkpoint_path`"),
        ("x {", "line 1: a field or `}` was expected"),
        ("x: 'a' }", "line 1: a field was expected"),
        ("x: '\\400'", "line 1: a byte is above 255"),
        (&"x {".repeat(101), "line 1: messages are nested more than 100 deep"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataLoss);
        assert!(error.to_string().ends_with(what), "{error}");
    }
}

/// Threads read one checkpoint.
#[test]
fn checkpoints_are_shared() {
    fn shared<T: Send + Sync>(_: &T) {}
    let prefix = golden::scratch("shared").join("ckpt");
    let mut writer = Writer::create(&prefix).unwrap();
    for i in 0..20u8 {
        writer.add(&i.to_string(), DataType::Uint8, &[3000], &[i; 3000]).unwrap();
    }
    writer.finish().unwrap();
    let bundle = Bundle::open(Path::new(&prefix)).unwrap();
    shared(&bundle);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for i in 0..20u8 {
                    assert!(bundle.get(&i.to_string()).unwrap().bytes().unwrap() == [i; 3000]);
                }
            });
        }
    });
}
