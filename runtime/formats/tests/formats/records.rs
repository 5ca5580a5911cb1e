use std::io::{Cursor, Read};

use extype_formats::ErrorKind;
use extype_formats::record::{Compression, Reader, Writer, write_record};

use crate::golden;

fn file(records: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        write_record(&mut bytes, record).unwrap();
    }
    bytes
}

/// What comes before the end, and the error.
fn read(reader: Reader<impl Read>) -> (Vec<Vec<u8>>, Option<extype_formats::Error>) {
    let (mut records, mut error) = (Vec::new(), None);
    for record in reader {
        match record {
            Ok(record) => records.push(record),
            Err(e) => assert!(error.replace(e).is_none(), "one error"),
        }
    }
    (records, error)
}

#[test]
fn tensorflows_records_are_read() {
    let Some(folder) = golden::folder("tfrecord") else { return };
    let mut files = 0;
    for path in golden::entries(&folder) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some((stem, rest)) = name.split_once(".tfrecord") else { continue };
        let compression = match rest {
            ".gz" => Compression::Gzip,
            ".zlib" => Compression::Zlib,
            _ => Compression::None,
        };
        let told = golden::json(folder.join(format!("{stem}.json")));
        let expected: Vec<_> =
            told["records"].as_array().unwrap().iter().map(golden::base64).collect();
        let (records, error) = read(Reader::open_compressed(&path, compression).unwrap());
        assert_eq!(records, expected, "{name}");
        let error = error.map(|e| format!("{:?}Error", e.kind()));
        assert_eq!(error.as_deref(), told["error"].as_str(), "{name}");
        if compression == Compression::None && told["error"].is_null() {
            let records: Vec<_> = expected.iter().map(Vec::as_slice).collect();
            assert_eq!(file(&records), std::fs::read(&path).unwrap(), "{name}");
        }
        files += 1;
    }
    assert!(files > 8, "{files} files");
}

#[test]
fn what_was_written_is_read() {
    let folder = golden::scratch("records");
    let long = vec![7; 1 << 20];
    let records: Vec<&[u8]> = vec![b"", b"a", &long, b"", b"end"];
    for compression in [Compression::None, Compression::Gzip, Compression::Zlib] {
        let path = folder.join("x.tfrecord");
        let mut writer = Writer::create(&path, compression).unwrap();
        for record in &records {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap();
        let (read, error) = read(Reader::open_compressed(&path, compression).unwrap());
        assert_eq!(read, records);
        assert!(error.is_none(), "{error:?}");
        if compression != Compression::None {
            let whole = std::fs::read(&path).unwrap();
            assert!(whole.len() < long.len() / 10);
            let error = Reader::open(&path).unwrap().next_record().unwrap_err();
            assert!(error.to_string().contains("zip") || error.to_string().contains("zlib"));
            // A compressed file that is cut off.
            std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
            let error = self::read(Reader::open_compressed(&path, compression).unwrap()).1;
            assert_eq!(error.unwrap().kind(), ErrorKind::DataLoss);
        }
    }
    let error = Reader::open(folder.join("none")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn files_of_gzip_can_be_joined() {
    let folder = golden::scratch("joined");
    let path = folder.join("x");
    let mut all = Vec::new();
    for record in ["a", "b"] {
        let mut writer = Writer::create(&path, Compression::Gzip).unwrap();
        writer.write(record.as_bytes()).unwrap();
        writer.finish().unwrap();
        all.extend(std::fs::read(&path).unwrap());
    }
    std::fs::write(&path, all).unwrap();
    let (records, error) = read(Reader::open_compressed(&path, Compression::Gzip).unwrap());
    assert_eq!(records, [b"a", b"b"]);
    assert!(error.is_none());
}

#[test]
fn where_a_file_is_cut_off_says_what_it_is() {
    let bytes = file(&[b"one", b"three"]);
    let first = file(&[b"one"]).len();
    for len in 0..=bytes.len() {
        let (records, error) = read(Reader::new(&bytes[..len], "it"));
        let borders = len == bytes.len() || len < 12 || (first..first + 12).contains(&len);
        assert_eq!(records.len(), usize::from(len >= first) + usize::from(len == bytes.len()));
        assert_eq!(error.is_none(), borders, "{len}");
        let Some(error) = error else { continue };
        assert_eq!(error.kind(), ErrorKind::DataLoss);
        let place = if len < first { 0 } else { first };
        let told =
            format!("it is damaged, or no file of records: the record at byte {place} is cut off");
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn each_bit_counts() {
    let (records, begins) = ([&b"one"[..], b"", b"three"], [0, 19, 35]);
    let bytes = file(&records);
    let mut skipped = 0;
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let damaged = begins.iter().rposition(|begin| *begin <= bit / 8).unwrap();
        let (before, error) = read(Reader::new(&bytes[..], "it"));
        assert_eq!(before, &records[..damaged]);
        let error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::DataLoss);
        let place = format!("the record at byte {} ", begins[damaged]);
        assert!(error.to_string().contains(&place), "{error}");
        // The others are still there.
        let mut reader = Reader::new(&bytes[..], "it").skip_corrupt(true);
        let mut left = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            left.push(record.to_vec());
        }
        let mut expected = records.to_vec();
        expected.remove(damaged);
        assert_eq!(left, expected, "bit {bit}");
        assert_eq!(reader.skipped(), 1, "bit {bit}");
        skipped += 1;
    }
    assert_eq!(skipped, bytes.len() * 8);
}

#[test]
fn reading_goes_on_from_a_place() {
    let bytes = file(&[b"one", b"two", b"three"]);
    let mut reader = Reader::new(Cursor::new(&bytes), "it");
    assert_eq!(reader.next_record().unwrap(), Some(&b"one"[..]));
    let place = reader.offset();
    assert_eq!(reader.by_ref().count(), 2);
    assert_eq!(reader.offset(), bytes.len() as u64);
    reader.seek(place).unwrap();
    assert_eq!(reader.next_record().unwrap(), Some(&b"two"[..]));
}

/// A few bytes at a time, as from a pipe.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let len = to.len().min(self.0.len()).min(7);
        self.0.read(&mut to[..len])
    }
}

#[test]
fn any_source_will_do() {
    let long = vec![1; 1_000_000];
    let records: Vec<&[u8]> = vec![b"a", &long, b"", b"b", &long];
    let (read, error) = read(Reader::new(Drops(&file(&records)), "it"));
    assert!(read == records && error.is_none());
}

#[test]
fn long_records_have_a_limit() {
    let bytes = file(&[b"one", b"three"]);
    let mut reader = Reader::new(&bytes[..], "it").limit(4);
    assert_eq!(reader.next_record().unwrap(), Some(&b"one"[..]));
    let error = reader.next_record().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
    assert_eq!(error.to_string(), "it: the record at byte 19 has 5 bytes, and the limit is 4");
    assert!(reader.next_record().unwrap().is_none());
    // A length that nobody has: the reader looks for so much, and finds the end.
    let mut huge = 1u64.rotate_right(2).to_le_bytes().to_vec();
    huge.extend(
        extype_formats::checksum::mask(extype_formats::checksum::crc32c(&huge)).to_le_bytes(),
    );
    let error = Reader::new(&huge[..], "it").limit(u64::MAX).next_record().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataLoss);
}

/// A disk that is full after some bytes.
struct Disk(usize);

impl std::io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let len = bytes.len().min(self.0);
        self.0 -= len;
        if len == 0 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(len) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn full_disks_are_told() {
    for room in 0..19 {
        let error = Writer::new(Disk(room), "it").write(b"one").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
        assert!(error.to_string().starts_with("it can't be written: "), "{error}");
    }
    Writer::new(Disk(19), "it").write(b"one").unwrap();
}
