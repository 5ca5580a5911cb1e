use extype_formats::ErrorKind;
use extype_formats::table::{self, Builder, DEFAULT_LIMIT};

use crate::golden;

type Entries = Vec<(Vec<u8>, Vec<u8>)>;

fn read(bytes: &[u8]) -> extype_formats::Result<Entries> {
    let mut entries = Vec::new();
    table::read(bytes, "it", DEFAULT_LIMIT, |key, value| {
        entries.push((key.to_vec(), value.to_vec()));
        Ok(())
    })?;
    Ok(entries)
}

fn build(entries: &Entries) -> Vec<u8> {
    let mut builder = Builder::new();
    for (key, value) in entries {
        builder.add(key, value).unwrap();
    }
    builder.finish()
}

#[test]
fn tables_are_those_of_tensorflow_bit_for_bit() {
    let Some(folder) = golden::folder("checkpoints") else { return };
    let mut tables = 0;
    for folder in golden::entries(&folder) {
        for path in golden::entries(&folder) {
            if path.extension().is_none_or(|extension| extension != "index") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            assert!(build(&read(&bytes).unwrap()) == bytes, "{}", path.display());
            tables += 1;
        }
    }
    assert!(tables > 6, "{tables} tables");
}

#[test]
fn what_was_added_is_read() {
    assert!(read(&build(&Vec::new())).unwrap().is_empty());
    // Several blocks; an entry larger than blocks; keys that share much, little, and end in 255.
    let mut entries: Entries = (0..20_000)
        .map(|i| (format!("layer_{i:05}/weight").into_bytes(), vec![b'v'; i % 50]))
        .collect();
    entries.push((b"long".to_vec(), vec![1; 600_000]));
    entries.push((b"long2".to_vec(), vec![2; 300_000]));
    entries.extend((0..70).map(|i| (vec![0xff; i + 1], Vec::new())));
    entries.insert(0, (Vec::new(), b"empty key".to_vec()));
    let bytes = build(&entries);
    assert!(bytes.len() > 1_200_000);
    assert!(read(&bytes).unwrap() == entries);
}

#[test]
fn keys_come_in_order() {
    let mut builder = Builder::new();
    builder.add(b"b", b"").unwrap();
    for key in [&b"b"[..], b"a", b""] {
        let error = builder.add(key, b"").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    builder.add(b"ba", b"").unwrap();
    // Behind a block, too.
    builder.add(b"bb", &[0; 1 << 20]).unwrap();
    let error = builder.add(b"b\xff\xff", b"").err().or(builder.add(b"bb", b"").err());
    assert!(error.unwrap().to_string().starts_with("the key `bb` comes after `b\\xff\\xff`"));
}

#[test]
fn each_bit_of_a_table_counts() {
    let entries: Entries = vec![(b"a".to_vec(), b"1".to_vec()), (b"ab".to_vec(), b"2".to_vec())];
    let whole = build(&entries);
    // The padding of the footer, and the first handle, say nothing.
    let footer = whole.len() - 48;
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        match read(&bytes) {
            Ok(read) => {
                let empty = footer - (8 + 5) - 22;
                let unread = (footer..footer + 40).contains(&(bit / 8)) || bit / 8 >= empty;
                assert!(read == entries && unread, "bit {bit}");
            }
            Err(e) => {
                assert_eq!(e.kind(), ErrorKind::DataLoss);
                assert!(e.to_string().starts_with("it is damaged, or no table: at byte "), "{e}");
            }
        }
    }
    for len in 0..whole.len() {
        assert_eq!(read(&whole[..len]).unwrap_err().kind(), ErrorKind::DataLoss);
    }
}

/// The trailer of a block.
fn end(block: &mut Vec<u8>, kind: u8) {
    block.push(kind);
    let crc = extype_formats::checksum::crc32c(block);
    block.extend(extype_formats::checksum::mask(crc).to_le_bytes());
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A table with one block, whose bytes may be any, and which the index lists so many times.
fn listed(mut block: Vec<u8>, kind: u8, times: u8) -> Vec<u8> {
    let value = [vec![0], varint(block.len())].concat();
    end(&mut block, kind);
    // The first entry has an empty key.
    let mut index = vec![0, 0, value.len() as u8];
    index.extend(&value);
    for key in 1..times {
        index.extend([&[0, 1, value.len() as u8, key][..], &value].concat());
    }
    index.extend(RESTARTS);
    let footer = [vec![0, 0], varint(block.len()), varint(index.len())].concat();
    end(&mut index, 0);
    block.extend(index);
    block.extend(footer.iter().chain(&[0; 40]).take(40));
    block.extend(0xdb47_7524_8b80_fb57u64.to_le_bytes());
    block
}

fn around(block: Vec<u8>, kind: u8) -> Vec<u8> {
    listed(block, kind, 1)
}

const RESTARTS: [u8; 8] = [0, 0, 0, 0, 1, 0, 0, 0];

#[test]
fn compressed_blocks_are_read() {
    let block = [&[0, 1, 3][..], b"kaaa", &[1, 1, 1], b"xb", &RESTARTS].concat();
    let packed = snap::raw::Encoder::new().compress_vec(&block).unwrap();
    let entries = read(&around(packed.clone(), 1)).unwrap();
    assert_eq!(entries, [(b"k".to_vec(), b"aaa".to_vec()), (b"kx".to_vec(), b"b".to_vec())]);
    let error = read(&around(packed[..4].to_vec(), 1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataLoss);
    // A small block that would be 4 GiB.
    let error = read(&around(vec![0xff, 0xff, 0xff, 0xff, 0x0f], 1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
    assert_eq!(read(&around(block, 7)).unwrap_err().kind(), ErrorKind::DataLoss);
}

#[test]
fn keys_that_share_bytes_have_a_limit() {
    // Each entry has three bytes and one more, and a key of a megabyte.
    let long = vec![b'k'; 1 << 20];
    let mut block = vec![0, 0x80, 0x80, 0x40, 0];
    block.extend(&long);
    for shared in (1usize << 20..).take(1000) {
        block.extend([
            shared as u8 | 128,
            (shared >> 7) as u8 | 128,
            (shared >> 14) as u8,
            1,
            0,
            b'k',
        ]);
    }
    block.extend(RESTARTS);
    let error = read(&around(block, 0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
    let told = format!("it holds more than the limit of {DEFAULT_LIMIT} bytes");
    assert_eq!(error.to_string(), told);
}

#[test]
fn entries_that_can_t_be_are_refused() {
    let with = |entries: &[u8]| read(&around([entries, &RESTARTS].concat(), 0));
    assert!(with(&[0, 1, 0, b'a', 0, 1, 0, b'b']).is_ok());
    for (entries, how) in [
        (&[1, 0, 0][..], "has an entry that can't be"),
        (&[0, 1, 0, b'a', 2, 1, 0, b'b'], "has an entry that can't be"),
        (&[0, 9, 0, b'a'], "has an entry that can't be"),
        (&[0, 1, 9, b'a'], "has an entry that can't be"),
        (&[0, 0xff], "has an entry that can't be"),
        (&[0, 1, 0, b'b', 0, 1, 0, b'a'], "has keys out of order"),
        (&[0, 1, 0, b'b', 1, 0, 0], "has keys out of order"),
    ] {
        let error = with(entries).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataLoss);
        assert!(error.to_string().contains(how), "{entries:?}: {error}");
    }
    let short = read(&around(vec![1, 0, 0], 0)).unwrap_err();
    assert!(short.to_string().contains("too short"));
    let restarts = read(&around(vec![0xff; 8], 0)).unwrap_err();
    assert!(restarts.to_string().contains("too short"));
}

/// A block without keys could be summed again and again.
#[test]
fn blocks_lie_one_behind_the_other() {
    assert!(read(&listed(RESTARTS.to_vec(), 0, 1)).unwrap().is_empty());
    let error = read(&listed(RESTARTS.to_vec(), 0, 2)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataLoss);
    assert!(
        error.to_string().ends_with("at byte 0 a block begins inside the one before"),
        "{error}"
    );
}
