use std::io::Write as _;

use extype_formats::ErrorKind;
use extype_formats::event::{self, Reader, Writer};
use extype_formats::proto::event::What;
use extype_formats::proto::summary::{Value, value};
use extype_formats::proto::{DataType, Event, Message, TensorProto};
use extype_formats::record;

use crate::golden;

fn tensor(value: &Value) -> &TensorProto {
    let Some(value::Value::Tensor(tensor)) = &value.value else { panic!("{value:?}") };
    tensor
}

fn numbers(value: &Value) -> Vec<f64> {
    let tensor = tensor(value);
    assert_eq!(tensor.dtype(), DataType::Double);
    let numbers = tensor.tensor_content.as_chunks::<8>().0;
    numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

/// What TensorFlow wrote is what the functions make, and is written again bit for bit.
#[test]
fn tensorflows_events_are_read() {
    let Some(folder) = golden::folder("events") else { return };
    let told = golden::json(folder.join("events.json"));
    let mut expected = told["events"].as_array().unwrap().iter();
    let path =
        golden::entries(&folder).into_iter().find(|p| p.to_str().unwrap().contains("tfevents"));
    let path = path.unwrap();
    let records = record::Reader::open(&path).unwrap().map(Result::unwrap);
    let mut made = 0;
    for (event, bytes) in Reader::open(&path).unwrap().zip(records) {
        let event = event.unwrap();
        assert_eq!(event.encode_to_vec(), bytes);
        let Some(What::Summary(summary)) = event.what else { continue };
        for value in summary.value {
            let told = expected.next().unwrap();
            let (tag, data) = (told["tag"].as_str().unwrap(), &told["tensor"]["data"]);
            assert_eq!(event.step, told["step"].as_i64().unwrap());
            let strings = || -> Vec<Vec<u8>> {
                data.as_array().unwrap().iter().map(golden::base64).collect()
            };
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            let shape = told["tensor"]["shape"].as_array().unwrap();
            let shape: Vec<_> = shape.iter().map(|size| size.as_u64().unwrap() as usize).collect();
            let mut ours = match told["plugin"].as_str().unwrap() {
                "scalars" => {
                    event::scalar(tag, f32::from_le_bytes(golden::base64(data).try_into().unwrap()))
                }
                "text" => event::text(tag, &shape, strings().into_iter().map(text)),
                "images" => {
                    let mut strings = strings().into_iter();
                    let mut size = || text(strings.next().unwrap()).parse().unwrap();
                    let (width, height) = (size(), size());
                    event::images(tag, width, height, strings)
                }
                "audio" => {
                    let strings = strings();
                    let pairs = strings.chunks(2);
                    event::audio(tag, pairs.map(|pair| (pair[0].clone(), text(pair[1].clone()))))
                }
                // The numbers of a histogram are not told, only their counts. Others have no dashboard.
                "histograms" | "" => {
                    assert_eq!(tensor(&value).tensor_content, golden::base64(data));
                    continue;
                }
                other => panic!("{other}"),
            };
            if let Some(description) = told["description"].as_str().filter(|d| !d.is_empty()) {
                ours = ours.with_description(description);
            }
            assert_eq!(ours, value);
            made += 1;
        }
    }
    assert!(made > 5 && expected.next().is_none(), "{made} values");
}

#[test]
fn what_was_written_is_read() {
    let folder = golden::scratch("events");
    let mut writer = Writer::create(folder.join("run")).unwrap();
    let other = Writer::create(folder.join("run")).unwrap();
    assert_ne!(writer.path(), other.path());
    let name = writer.path().file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("events.out.tfevents.1") && name.ends_with(".v2"), "{name}");
    let values = [
        event::scalar("a/b", 0.5),
        event::histogram("h", [0.0, 1.0], 2),
        event::images("i", 2, 1, [b"png"]),
        event::text("t", &[1, 2], ["x", "y"]),
        event::audio("s", [(b"wav", "label")]),
    ];
    for (step, value) in values.iter().enumerate() {
        writer.add(step as i64, value.clone()).unwrap();
    }
    let path = writer.path().to_owned();
    drop(writer);
    let events: Vec<Event> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(events[0].what, Some(What::FileVersion("brain.Event:2".into())));
    assert!(events.iter().all(|event| event.wall_time > 1.7e9));
    for (i, event) in events[1..].iter().enumerate() {
        let Some(What::Summary(summary)) = &event.what else { panic!("{event:?}") };
        assert_eq!((event.step, &summary.value[..]), (i as i64, &values[i..=i]));
    }
    assert_eq!(events.len(), 6);
    // A file that grows.
    let mut reader = Reader::open(other.path()).unwrap();
    let mut other = other;
    assert!(reader.next_event().unwrap().is_none());
    other.flush().unwrap();
    assert!(reader.next_event().unwrap().is_some());
    assert!(reader.next_event().unwrap().is_none());
}

/// A record that is not whole yet is not there yet, wherever the writer is.
#[test]
fn records_may_come_in_pieces() {
    let path = golden::scratch("growing-events").join("tfevents");
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    for step in 0..2 {
        let event = event::now(step, What::FileVersion("x".repeat(20)));
        record::write_record(&mut bytes, &event.encode_to_vec()).unwrap();
        ends.push(bytes.len());
    }
    std::fs::write(&path, b"").unwrap();
    let mut reader = Reader::open(&path).unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    for (i, byte) in bytes.iter().enumerate() {
        let event = reader.next_event().unwrap().map(|event| event.step);
        assert_eq!(event, ends.iter().position(|end| *end == i).map(|step| step as i64));
        assert!(reader.next().is_none());
        file.write_all(&[*byte]).unwrap();
    }
    assert_eq!(reader.next_event().unwrap().unwrap().step, 1);
    // What is whole and has another checksum does not become right.
    bytes[ends[1] - 1] ^= 1;
    file.write_all(&bytes).unwrap();
    assert_eq!(reader.next_event().unwrap().unwrap().step, 0);
    let error = reader.next_event().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataLoss);
    assert!(reader.next_event().unwrap().is_none());
}

#[test]
fn damaged_events_have_a_place() {
    let path = golden::scratch("bad-events").join("tfevents");
    let mut writer = record::Writer::create(&path, record::Compression::None).unwrap();
    writer.write(&event::now(1, What::GraphDef(Vec::new())).encode_to_vec()).unwrap();
    writer.write(&[0xff]).unwrap();
    writer.finish().unwrap();
    let mut reader = Reader::open(&path).unwrap();
    reader.next_event().unwrap().unwrap();
    let error = reader.next_event().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataLoss);
    let told = format!("the record at byte 29 of the file {} is no Event", path.display());
    assert!(error.to_string().starts_with(&told), "{error}");
}

#[test]
fn histograms_are_tensorflows() {
    let rows = |values: &[f64], buckets| numbers(&event::histogram("h", values.to_vec(), buckets));
    assert_eq!(rows(&[0.0, 1.0, 1.9, 4.0], 2), [0.0, 2.0, 3.0, 2.0, 4.0, 1.0]);
    // The last bucket has its upper limit.
    assert_eq!(rows(&[0.0, 4.0], 2), [0.0, 2.0, 1.0, 2.0, 4.0, 1.0]);
    assert_eq!(rows(&[3.0; 5], 2), [3.0, 3.0, 0.0, 3.0, 3.0, 5.0]);
    assert_eq!(rows(&[], 2), [0.0; 6]);
    assert_eq!(rows(&[1.0], 0), [0.0; 0]);
    assert_eq!(rows(&[f64::NAN, 0.0, f64::INFINITY, 2.0], 1), [0.0, 2.0, 2.0]);
    // Limits whose distance is no number.
    let wide = rows(&[f64::MIN, 0.0, f64::MAX], 4);
    assert_eq!(wide.iter().skip(2).step_by(3).copied().collect::<Vec<_>>(), [1.0, 0.0, 1.0, 1.0]);
    let histogram = event::histogram("h", [0.0], 30);
    let shape = &tensor(&histogram).tensor_shape;
    assert_eq!(shape.as_ref().unwrap().sizes(), Some(vec![30, 3]));
}
