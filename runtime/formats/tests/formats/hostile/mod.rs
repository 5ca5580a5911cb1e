//! Bytes that nobody wrote: readers neither panic, nor hang, nor use memory that the bytes don't pay for.
//!
//! Each test changes small files a fixed number of times, and half of the time makes the checksums right again, so that what is
//! behind them is read. `EXTYPE_FORMATS_ROUNDS` says how often, for long runs.

mod memory;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use extype_formats::ErrorKind;
use extype_formats::bundle::{self, Bundle, Writer, index_path};
use extype_formats::checksum::{crc32c, mask};
use extype_formats::event;
use extype_formats::proto::{
    self, AttrValue, BundleEntryProto, DataType, Event, Example, Feature, Features, GraphDef,
    Message, NodeDef, SavedModel, StructuredValue, TensorProto, TrackableObjectGraph,
    TypeSpecProto,
};
use extype_formats::record::{Compression, Reader, Writer as Records, write_record};
use extype_formats::table::{self, Builder};

use self::memory::{limited, peak};
use crate::golden;

const MIB: usize = 1 << 20;

/// Random numbers: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn coin(&mut self) -> bool {
        self.next() & 1 == 0
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Runs a test with changed bytes, again and again.
fn rounds(count: usize, seed: u64, mut round: impl FnMut(&mut Random)) {
    let count = std::env::var("EXTYPE_FORMATS_ROUNDS").map_or(count, |n| n.parse().unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
    for _ in 0..count {
        round(&mut random);
    }
}

/// Changes bytes in some places: bits, numbers that are often limits, pieces of this or another file.
fn change(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 if !bytes.is_empty() => bytes[at] = *random.of(&[0, 1, 0x7f, 0x80, 0xfe, 0xff]),
            // A number of ten bytes, in front of what it might count.
            3 => {
                let number = *random.of(&[u64::MAX, i64::MAX as u64, u64::from(u32::MAX), 1 << 20]);
                let mut varint: Vec<_> = (0..9).map(|i| (number >> (7 * i)) as u8 | 0x80).collect();
                varint.push((number >> 63) as u8);
                bytes.splice(at..(at + random.below(3)).min(bytes.len()), varint);
            }
            4 => {
                let number = *random.of(&[u64::MAX, 1 << 63, 1 << 40, 1 << 20]);
                bytes.splice(at..(at + 8).min(bytes.len()), number.to_le_bytes());
            }
            5 => drop(bytes.drain(at..(at + random.below(16)).min(bytes.len()))),
            6 => {
                let piece = bytes[at..(at + random.below(64)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {
                let other = random.of(others);
                let from = random.below(other.len());
                bytes.truncate(at);
                bytes.extend(&other[from..]);
            }
        }
    }
    bytes.truncate(1 << 17);
}

/// Writes a file anew. Systems write files that are made empty and filled again to the disk at once, which takes long.
fn write(path: &Path, bytes: &[u8]) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, bytes).unwrap();
}

/// Files that TensorFlow wrote, if they are at hand and small.
fn corpus(subject: &str, ends: &str) -> Vec<Vec<u8>> {
    fn collect(folder: &Path, ends: &str, to: &mut Vec<Vec<u8>>) {
        for path in golden::entries(folder) {
            if path.is_dir() {
                collect(&path, ends, to);
            } else if path.to_str().unwrap().ends_with(ends) {
                let bytes = std::fs::read(path).unwrap();
                to.extend((bytes.len() < 100_000).then_some(bytes));
            }
        }
    }
    let mut files = Vec::new();
    if let Some(folder) = golden::folder(subject) {
        collect(&folder, ends, &mut files);
    }
    files
}

fn masked(bytes: &[u8]) -> [u8; 4] {
    mask(crc32c(bytes)).to_le_bytes()
}

#[test]
fn records_may_be_any_bytes() {
    let mut seeds = corpus("tfrecord", "tfrecord");
    let mut bytes = Vec::new();
    for record in [&b"one"[..], b"", &[7; 300]] {
        write_record(&mut bytes, record).unwrap();
    }
    seeds.push(bytes);
    let folder = golden::scratch("hostile-records");
    rounds(3000, 1, |random| {
        let mut bytes = random.of(&seeds).clone();
        change(&mut bytes, &seeds, random);
        if random.coin() && bytes.len() >= 12 {
            let sum = masked(&bytes[..8]);
            bytes[8..12].copy_from_slice(&sum);
        }
        for skip in [false, true] {
            // The buffer is twice what came, and is copied when it grows.
            let memory = peak(|| {
                let mut reader = Reader::new(&bytes[..], "it").skip_corrupt(skip).limit(1 << 20);
                let (mut all, mut records) = (0, 0);
                while let Ok(Some(record)) = reader.next_record() {
                    (all, records) = (all + record.len(), records + 1);
                }
                assert!(all + 16 * records <= bytes.len());
            });
            assert!(memory <= 3 * bytes.len() + MIB, "{memory} for {}", bytes.len());
        }
        if random.below(20) == 0 {
            let compression = *random.of(&[Compression::Gzip, Compression::Zlib]);
            let path = folder.join(random.next().to_string());
            let mut writer = Records::create(&path, compression).unwrap();
            writer.get_mut().write_all(&bytes).unwrap();
            writer.finish().unwrap();
            if random.coin() {
                let mut packed = std::fs::read(&path).unwrap();
                change(&mut packed, &seeds, random);
                write(&path, &packed);
            }
            let memory = peak(|| {
                let reader = Reader::open_compressed(&path, compression).unwrap().limit(1 << 20);
                reader.for_each(drop);
            });
            assert!(memory <= 8 * MIB, "{memory}");
        }
    });
}

#[test]
fn a_little_file_of_gzip_holds_no_record_beyond_the_limit() {
    let path = golden::scratch("bomb").join("x");
    let mut writer = Records::create(&path, Compression::Gzip).unwrap();
    writer.write(&vec![0; 40 * MIB]).unwrap();
    writer.finish().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 50_000);
    let memory = peak(|| {
        let mut reader = Reader::open_compressed(&path, Compression::Gzip).unwrap().limit(1 << 20);
        reader.next_record().unwrap_err();
    });
    assert!(memory < MIB, "{memory}");
}

#[test]
fn tables_may_be_any_bytes() {
    let mut seeds = corpus("checkpoints", ".index");
    let mut builder = Builder::new();
    for i in 0..40 {
        builder.add(format!("key/{i:03}").as_bytes(), &vec![b'v'; i]).unwrap();
    }
    seeds.push(builder.finish());
    rounds(3000, 2, |random| {
        let mut bytes = random.of(&seeds).clone();
        let end = bytes.len() - 48;
        if random.coin() {
            change(&mut bytes, &seeds, random);
        } else {
            // Some bytes of the first block, whose checksum is right: it ends before the empty block of eight bytes.
            let block = bytes.windows(13).position(|w| w[..9] == [0, 0, 0, 0, 1, 0, 0, 0, 0]);
            let block = block.unwrap_or(end).saturating_sub(5);
            for _ in 0..1 + random.below(3) {
                let at = random.below(block);
                bytes[at] = *random.of(&[0, 1, 2, 0x7f, 0x80, 0xff]);
            }
            let sum = masked(&bytes[..=block]);
            bytes[block + 1..block + 5].copy_from_slice(&sum);
        }
        let memory = peak(|| {
            let mut all = 0;
            let _ = table::read(&bytes, "it", MIB as u64, |key, value| {
                all += key.len() + value.len();
                Ok(())
            });
            assert!(all <= MIB);
        });
        assert!(memory <= 3 * MIB, "{memory}");
    });
}

/// Messages of each kind that is read from files.
fn messages() -> Vec<Vec<u8>> {
    let mut seeds = corpus("saved_models", "saved_model.pb");
    let tensor = TensorProto {
        dtype: DataType::Float.into(),
        tensor_shape: Some(proto::TensorShapeProto::new([2, -1])),
        float_val: vec![1.0, 2.0],
        string_val: vec![b"x".to_vec()],
        ..TensorProto::default()
    };
    let attr =
        [("a".to_string(), AttrValue::from(tensor.clone())), ("b".into(), AttrValue::default())];
    let node = NodeDef { name: "n".into(), attr: attr.into(), ..NodeDef::default() };
    let graph = GraphDef { node: vec![node.clone(), node], ..GraphDef::default() };
    let spec = TypeSpecProto {
        type_state: Some(Box::new(StructuredValue::default())),
        ..TypeSpecProto::default()
    };
    let spec = proto::structured_value::Kind::TypeSpecValue(Box::new(spec));
    let features = [("f".to_string(), Feature::from(vec![1i64, -1]))];
    let example = Example { features: Some(Features { feature: features.into() }) };
    let graph_of_objects = TrackableObjectGraph { nodes: vec![Default::default(); 3] };
    let event = event::now(1, proto::event::What::GraphDef(vec![0; 9]));
    seeds.extend([
        tensor.encode_to_vec(),
        graph.encode_to_vec(),
        StructuredValue::new(spec).encode_to_vec(),
        example.encode_to_vec(),
        graph_of_objects.encode_to_vec(),
        event.encode_to_vec(),
    ]);
    seeds
}

/// How much more memory than bytes a message may take, as `decode` says.
const TIMES: usize = 1000;

#[test]
fn messages_may_be_any_bytes() {
    fn decode<M: Message + Default>(bytes: &[u8]) {
        let memory = peak(|| drop(proto::decode::<M>(bytes, "it")));
        assert!(memory <= TIMES * bytes.len() + MIB, "{memory} for {}", bytes.len());
    }
    let seeds = messages();
    rounds(1000, 3, |random| {
        let mut bytes = random.of(&seeds).clone();
        change(&mut bytes, &seeds, random);
        decode::<SavedModel>(&bytes);
        decode::<GraphDef>(&bytes);
        decode::<TensorProto>(&bytes);
        decode::<StructuredValue>(&bytes);
        decode::<Example>(&bytes);
        decode::<TrackableObjectGraph>(&bytes);
        decode::<Event>(&bytes);
    });
    // The worst there is: large messages that are empty.
    for (field, more) in [(2, 0), (1, 0), (3, 0), (1, 2), (2, 2)] {
        let empty = [field << 3 | 2, more, 1 << 3 | 2, 0];
        let bytes = empty[..2 + usize::from(more)].repeat(20_000);
        decode::<SavedModel>(&bytes);
        decode::<GraphDef>(&bytes);
        decode::<proto::OpList>(&bytes);
        decode::<proto::FunctionDefLibrary>(&bytes);
        decode::<proto::SavedObjectGraph>(&bytes);
        decode::<TensorProto>(&bytes);
        decode::<proto::Summary>(&bytes);
    }
}

/// A small checkpoint, in a folder of the test.
fn checkpoint(name: &str) -> PathBuf {
    let prefix = golden::scratch(name).join("ckpt");
    let mut writer = Writer::create(&prefix).unwrap();
    writer.add("a", DataType::Float, &[2, 3], &[1; 24]).unwrap();
    writer.add_strings("s", &[3], ["", "ab", "c"]).unwrap();
    writer.add_strings(bundle::OBJECT_GRAPH, &[], [&[0x0a, 0][..]]).unwrap();
    writer.add_slice("p", DataType::Int8, &[4, 2], (&[0, 0], &[1, 2]), &[1; 2]).unwrap();
    writer.add_slice("p", DataType::Int8, &[4, 2], (&[1, 0], &[3, 2]), &[2; 6]).unwrap();
    writer.finish().unwrap();
    prefix
}

#[test]
fn checkpoints_may_be_any_bytes() {
    let prefix = checkpoint("hostile-checkpoint");
    let data = prefix.with_extension("data-00000-of-00001");
    let (index, tensors) =
        (std::fs::read(index_path(&prefix)).unwrap(), std::fs::read(&data).unwrap());
    let mut entries = Vec::new();
    table::read(&index, "it", table::DEFAULT_LIMIT, |key, value| {
        entries.push((key.to_vec(), value.to_vec()));
        Ok(())
    })
    .unwrap();
    let values: Vec<_> = entries.iter().map(|(_, value)| value.clone()).collect();
    let numbers = [0, 1, -1, 3, 64, i64::MAX, i64::MIN, 1 << 40, i64::from(i32::MAX)];
    let mut read = 0;
    rounds(1500, 4, |random| {
        let mut builder = Builder::new();
        let victim = random.below(entries.len());
        for (i, (key, value)) in entries.iter().enumerate() {
            let mut value = value.clone();
            if i == victim && random.coin() {
                change(&mut value, &values, random);
            } else if i == victim && i > 0 {
                // An entry with numbers that can't be.
                let mut entry = BundleEntryProto::decode(&*value).unwrap();
                let mut number = || *random.of(&numbers);
                match number() & 3 {
                    0 => (entry.offset, entry.size) = (number(), number()),
                    1 => entry.dtype = number() as i32,
                    2 => entry.shard_id = number() as i32,
                    _ => {
                        for dim in entry.shape.iter_mut().flat_map(|shape| &mut shape.dim) {
                            dim.size = number();
                        }
                        for extent in entry.slices.iter_mut().flat_map(|slice| &mut slice.extent) {
                            (extent.start, extent.length) = (number(), Some(number()));
                        }
                    }
                }
                value = entry.encode_to_vec();
            }
            builder.add(key, &value).unwrap();
        }
        write(&index_path(&prefix), &builder.finish());
        let mut bytes = tensors.clone();
        if random.coin() {
            change(&mut bytes, &values, random);
        }
        write(&data, &bytes);
        let memory = peak(|| {
            let Ok(bundle) = Bundle::open(&prefix) else { return };
            for entry in bundle.entries() {
                read += usize::from(entry.bytes().is_ok()) + usize::from(entry.strings().is_ok());
            }
            let _ = bundle.object_graph();
        });
        assert!(memory <= MIB, "{memory}");
    });
    assert!(read > 1000, "{read} tensors were read");
}

#[test]
fn events_and_states_may_be_any_bytes() {
    let folder = golden::scratch("hostile-events");
    let seeds = messages();
    let text = b"model_checkpoint_path: \"a\\n\\101\\x41\" # x\nall_model_checkpoint_paths: ['a', \"b\"]\nx { y < z: -1e9 > }";
    let node = b"node { name: 'x' attr { key: 'a' value { tensor { float_val: [1, 2e3] } } } }";
    let texts = [text.to_vec(), node.to_vec(), b"{{{{<<<<\"\\".to_vec()];
    rounds(500, 5, |random| {
        let mut bytes = random.of(&seeds).clone();
        change(&mut bytes, &seeds, random);
        let path = folder.join("events");
        let mut record = Vec::new();
        write_record(&mut record, &bytes).unwrap();
        write(&path, &record);
        let memory = peak(|| event::Reader::open(&path).unwrap().for_each(drop));
        assert!(memory <= TIMES * bytes.len() + MIB, "{memory} for {}", bytes.len());
        let mut text = random.of(&texts).clone();
        change(&mut text, &texts, random);
        write(&folder.join("checkpoint"), &text);
        let memory = peak(|| {
            let _ = bundle::latest(&folder);
            let _ = proto::from_text::<GraphDef>(&text, "it").map(|graph| proto::to_text(&graph));
        });
        assert!(memory <= 200 * text.len() + MIB, "{memory} for {}", text.len());
    });
}

/// Changes the entries of an index.
fn edit(prefix: &Path, mut change: impl FnMut(&[u8], &mut BundleEntryProto)) {
    let (index, mut builder) = (std::fs::read(index_path(prefix)).unwrap(), Builder::new());
    table::read(&index, "it", table::DEFAULT_LIMIT, |key, value| {
        if key.is_empty() {
            return builder.add(key, value);
        }
        let mut entry = BundleEntryProto::decode(value).unwrap();
        change(key, &mut entry);
        builder.add(key, &entry.encode_to_vec())
    })
    .unwrap();
    write(&index_path(prefix), &builder.finish());
}

/// Whoever makes room for a tensor asks for what is stored: the files pay for all of it.
#[test]
fn parts_of_a_tensor_have_bytes_of_their_own() {
    let stored = |len: u64, change: fn(&mut BundleEntryProto)| {
        let prefix = golden::scratch("hostile-parts").join("ckpt");
        let mut writer = Writer::create(&prefix).unwrap();
        writer.add_slice("p", DataType::Uint8, &[128], (&[0], &[64]), &[1; 64]).unwrap();
        writer.add_slice("p", DataType::Uint8, &[128], (&[64], &[64]), &[1; 64]).unwrap();
        writer.finish().unwrap();
        // The parts, and not the whole.
        edit(&prefix, |key, entry| {
            if key[0] == 0 {
                change(entry);
            }
        });
        let data = prefix.with_extension("data-00000-of-00001");
        std::fs::OpenOptions::new().write(true).open(data).unwrap().set_len(len).unwrap();
        let stored = Bundle::open(&prefix).unwrap().get("p").unwrap().stored();
        stored.map_err(|e| (e.kind(), e.to_string().rsplit_once("`p` ").unwrap().1.to_string()))
    };
    assert_eq!(stored(128, |_| {}), Ok(128));
    let told = |size| {
        let message = format!("needs 64 bytes, and the index says {size}");
        Err((ErrorKind::DataLoss, message))
    };
    assert_eq!(stored(0, |part| part.size = 0), told(0));
    assert_eq!(stored(128, |part| part.size = 65), told(65));
    let (kind, _) = stored(127, |_| {}).unwrap_err();
    assert_eq!(kind, ErrorKind::OutOfRange);
    // Both have the same bytes.
    let shared = (ErrorKind::DataLoss, "has parts that share bytes of a file".into());
    assert_eq!(stored(64, |part| part.offset = 0), Err(shared.clone()));
    assert_eq!(stored(128, |part| part.offset = part.offset.min(63)), Err(shared));
}

#[test]
fn tensors_have_as_many_axes_as_in_tensorflow() {
    let prefix = golden::scratch("hostile-rank").join("ckpt");
    let mut writer = Writer::create(&prefix).unwrap();
    writer.add("x", DataType::Uint8, &[1; 254], &[7]).unwrap();
    writer.finish().unwrap();
    assert_eq!(Bundle::open(&prefix).unwrap().get("x").unwrap().bytes().unwrap(), [7]);
    edit(&prefix, |_, entry| {
        let shape = entry.shape.as_mut().unwrap();
        shape.dim.push(shape.dim[0].clone());
    });
    let error = Bundle::open(&prefix).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataLoss);
    assert!(error.to_string().ends_with("the entry `x` has more than 254 axes"), "{error}");
}

/// All parts are compared, axis by axis.
#[test]
fn tensors_of_many_axes_have_few_parts() {
    let read = |rank: usize, parts: usize| {
        let prefix = golden::scratch("hostile-axes").join("ckpt");
        let mut writer = Writer::create(&prefix).unwrap();
        let [mut shape, mut starts, sizes] = [vec![1; rank], vec![0; rank], vec![1; rank]];
        shape[rank - 1] = parts;
        for part in 0..parts {
            starts[rank - 1] = part;
            writer.add_slice("p", DataType::Uint8, &shape, (&starts, &sizes), &[7]).unwrap();
        }
        writer.finish().unwrap();
        let bundle = Bundle::open(&prefix).unwrap();
        bundle.get("p").unwrap().bytes().map_err(|e| (e.kind(), e.to_string()))
    };
    assert_eq!(read(254, 258), Ok(vec![7; 258]));
    let (kind, message) = read(254, 259).unwrap_err();
    assert_eq!(kind, ErrorKind::Unimplemented);
    assert!(message.ends_with("`p` has 259 parts, and 258 can be read"), "{message}");
}

#[test]
fn files_for_which_memory_lacks_are_an_error() {
    let path = golden::scratch("memory").join("large.pb");
    std::fs::File::create(&path).unwrap().set_len(4 << 20).unwrap();
    limited(MIB, || {
        let error = proto::read::<GraphDef>(&path, proto::MAX_BYTES).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
        let told = format!("the file {} can't be read: out of memory", path.display());
        assert_eq!(error.to_string(), told);
    });
}
