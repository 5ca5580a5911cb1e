//! Datasets in folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use extype::data::Dataset;
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::types::ErrorKind;
use extype_ragged::RaggedTensor;

use crate::support::all;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("extype-saved-{}-{number}", std::process::id())))
    }

    fn files(&self) -> Vec<PathBuf> {
        let Ok(files) = fs::read_dir(&self.0) else { return Vec::new() };
        files.map(|file| file.unwrap().path()).collect()
    }

    fn records(&self) -> PathBuf {
        let is = |path: &PathBuf| path.extension().is_some_and(|e| e == "tfrecord");
        self.files().into_iter().find(is).unwrap()
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "test.saved.Sample")]
struct Sample {
    values: Tensor,
    words: Vec<Tensor>,
    rows: RaggedTensor,
    #[static_data]
    unit: String,
}

fn sample(n: i64) -> Result<Sample> {
    let words = vec![format!("w{n}").as_str().to_tensor()?, "".to_tensor()?];
    let values = ops::fill([n], scalar(n).cast(bf16)?)?;
    let rows = RaggedTensor::from_rows(&[vec![n], vec![], vec![1, 2, n]])?;
    Sample::new(values, words, rows, format!("unit {}", n % 2))
}

#[test]
fn values_of_any_type_come_back() {
    let folder = Folder::new();
    let data = Dataset::from_iter(|| (0..5).map(|n| sample(n).unwrap()));
    data.save(&folder).unwrap();
    let back = Dataset::<Sample>::load(&folder.0).unwrap();
    assert_eq!(back.cardinality().exact(), Some(5));
    let shown = |s: &Sample| format!("{} {:?} {} {}", s.values, s.words, s.rows, s.unit);
    let pairs = data.collect_all().unwrap().into_iter().zip(back.collect_all().unwrap());
    for (written, read) in pairs {
        assert_eq!(shown(&written), shown(&read));
        assert_eq!(written.type_spec(), read.type_spec());
    }
    assert_eq!(Dataset::<AnyValue>::load(&folder.0).unwrap().collect_all().unwrap().len(), 5);
    let e = Dataset::<Tensor>::load(&folder.0).unwrap().collect_all().unwrap_err();
    assert!(e.to_string().contains("Sample"), "{e}");
}

#[test]
fn elements_of_unknown_spec_have_the_common_one() {
    let folder = Folder::new();
    let rows = Dataset::from_iter(|| (0..3i64).map(|n| ops::fill([n], scalar(n)).unwrap()));
    rows.save(&folder).unwrap();
    let back = Dataset::<Tensor>::load(&folder.0).unwrap();
    assert_eq!(back.element_spec().unwrap(), TensorSpec::of::<i64>(shape![?]));
    assert_eq!(all(&back), all(&rows));
    // Another dataset in the same place.
    let before = back.iter();
    Dataset::range(0..4).filter(|x| x.greater(9)).save(&folder).unwrap();
    assert_eq!(folder.files().len(), 2);
    assert_eq!(Dataset::<Tensor>::load(&folder.0).unwrap().collect_all().unwrap().len(), 0);
    assert_eq!(before.count(), 3);
    assert!(back.collect_all().unwrap_err().message().contains("another dataset"));
}

#[test]
fn what_fails_leaves_what_was_there() {
    let folder = Folder::new();
    Dataset::range(0..3).save(&folder).unwrap();
    let failing = Dataset::range(0..3).map(|x| match x.item::<i64>()? {
        2 => Err(Error::invalid("a broken image")),
        _ => Ok(x),
    });
    let e = failing.save(&folder).unwrap_err();
    assert!(e.message().contains("a broken image"));
    assert!(Dataset::counter(0, 1, i64).unwrap().save(&folder).is_err());
    let variables = Dataset::from_values(vec![Variable::new(1.0f32).unwrap()]).unwrap();
    assert!(variables.save(&folder).is_err());
    let datasets = Dataset::from_values(vec![Dataset::range(0..3)]).unwrap();
    assert!(datasets.save(&folder).unwrap_err().message().contains("can't be written"));
    assert_eq!(folder.files().len(), 2);
    assert_eq!(all(&Dataset::load(&folder.0).unwrap()), ["[0]", "[1]", "[2]"]);
}

#[test]
fn damaged_and_foreign_files_are_errors() {
    let folder = Folder::new();
    Dataset::range(0..9).save(&folder).unwrap();
    let (head, path) = (folder.0.join("dataset"), folder.records());
    let (index, records) = (fs::read(&head).unwrap(), fs::read(&path).unwrap());
    for end in 0..index.len() {
        fs::write(&head, &index[..end]).unwrap();
        assert!(Dataset::<Tensor>::load(&folder.0).is_err(), "{end}");
    }
    fs::write(&head, "something else").unwrap();
    let e = Dataset::<Tensor>::load(&folder.0).err().unwrap();
    assert_eq!(e.kind(), ErrorKind::DataLoss, "{e}");
    fs::write(&head, &index).unwrap();
    let data = Dataset::<Tensor>::load(&folder.0).unwrap();
    for end in 0..records.len() {
        fs::write(&path, &records[..end]).unwrap();
        let items: Vec<_> = data.iter().collect();
        let (last, whole) = items.split_last().unwrap();
        assert!(whole.iter().all(Result::is_ok) && whole.len() < 9);
        assert_eq!(last.as_ref().unwrap_err().kind(), ErrorKind::DataLoss, "{end}");
    }
    for at in 0..records.len() {
        let mut changed = records.clone();
        changed[at] ^= 16;
        fs::write(&path, &changed).unwrap();
        assert!(data.collect_all().is_err(), "{at}");
    }
    fs::write(&path, &records).unwrap();
    assert_eq!(data.collect_all().unwrap().len(), 9);
}

#[test]
fn a_snapshot_is_written_once_and_read_by_later_passes() {
    let (folder, calls) = (Folder::new(), Arc::new(AtomicUsize::new(0)));
    let make = |add: i64| {
        let count = calls.clone();
        let counted = move |x: Tensor| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(x + add)
        };
        let data = Dataset::range(0..4 + add).map_parallel(2, counted);
        data.shuffle(4, 1).snapshot(&folder.0).prefetch(1)
    };
    // A pass that ends early keeps nothing.
    assert!(make(0).iter().next().unwrap().is_ok());
    assert!(folder.files().is_empty());
    let first = all(&make(0));
    calls.store(0, Ordering::Relaxed);
    assert_eq!(all(&make(0).repeat_n(2)), [&first[..], &first[..]].concat());
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    // Other steps.
    assert_eq!(all(&make(1)).len(), 5);
    assert_eq!(calls.load(Ordering::Relaxed), 5);
    assert_eq!(folder.files().len(), 2);
}

#[test]
fn passes_over_snapshots_resume() {
    let folder = Folder::new();
    let make = || Dataset::range(0..6).shuffle(3, 1).snapshot(&folder.0).repeat_n(2);
    let data = make();
    let mut pass = data.iter();
    let mut states = Vec::new();
    let mut items = Vec::new();
    loop {
        states.push(pass.save().unwrap());
        let Some(item) = pass.next() else { break };
        items.push(item.unwrap().item::<i64>().unwrap());
    }
    assert_eq!(items[..6], items[6..]);
    for (done, state) in states.iter().enumerate() {
        let rest = make().resume(state).unwrap().map(|x| x.unwrap().item::<i64>().unwrap());
        assert_eq!(rest.collect::<Vec<_>>(), items[done..], "after {done}");
    }
    drop(fs::remove_dir_all(&folder.0));
    assert!(make().resume(&states[9]).is_err());
}

#[test]
fn a_failure_keeps_no_snapshot() {
    let folder = Folder::new();
    let data = Dataset::range(0..3).map(|x| match x.item::<i64>()? {
        1 => Err(Error::invalid("refused")),
        _ => Ok(x),
    });
    let data = data.snapshot(&folder.0).ignore_errors();
    assert_eq!(all(&data), ["[0]", "[2]"]);
    assert!(folder.files().is_empty());
}
