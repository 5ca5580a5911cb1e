//! Files of records, each with its length and checksums: TensorFlow's TFRecord files.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::ops::files::failed;
use crate::types::{Error, Result, err};

/// For each of the last eight bytes the remainders that they leave.
const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 * 256 {
        let (table, byte) = (at / 256, at % 256);
        let mut crc = if table == 0 { byte as u32 } else { tables[table - 1][byte] };
        let mut bit = 0;
        while bit < 8 {
            // Castagnoli's polynomial, the lowest bit first.
            crc = (crc >> 1) ^ (0x82f6_3b78 * (crc & 1));
            bit += 1;
        }
        tables[table][byte] = crc;
        at += 1;
    }
    tables
}

/// The checksum CRC-32C, eight bytes at a time.
fn crc32c(bytes: &[u8]) -> u32 {
    let (blocks, rest) = bytes.as_chunks::<8>();
    let mut crc = !0u32;
    for block in blocks {
        let word = u64::from_le_bytes(*block) ^ u64::from(crc);
        let bytes = word.to_le_bytes().into_iter().zip(TABLES.iter().rev());
        crc = bytes.fold(0, |crc, (byte, table)| crc ^ table[usize::from(byte)]);
    }
    let step = |crc: u32, byte: &u8| (crc >> 8) ^ TABLES[0][usize::from(crc as u8 ^ byte)];
    !rest.iter().fold(crc, step)
}

/// The checksum as it is written: checksums of data that holds checksums are weak otherwise.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

/// Appends a record to a file.
pub(super) fn write_record(to: &mut impl Write, record: &[u8]) -> std::io::Result<()> {
    let len = (record.len() as u64).to_le_bytes();
    to.write_all(&len)?;
    to.write_all(&checksum(&len))?;
    to.write_all(record)?;
    to.write_all(&checksum(record))
}

/// A file of records that is read.
pub(super) struct Records {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next record begins.
    pub(super) offset: u64,
}

impl Records {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| failed("read", path, &e))?;
        Ok(Self { path: path.to_owned(), file: BufReader::new(file), offset: 0 })
    }

    /// Goes on with the record that begins there.
    pub(super) fn seek(&mut self, offset: u64) -> Result<()> {
        self.offset = offset;
        self.file.seek(SeekFrom::Start(offset)).map_err(|e| failed("read", &self.path, &e))?;
        Ok(())
    }

    /// The next record; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let Some(len) = self.checked(8)? else { return Ok(None) };
        let len = len.try_into().map_or(0, u64::from_le_bytes);
        match self.checked(len)? {
            Some(record) => Ok(Some(record)),
            None => Err(self.damaged("is cut off")),
        }
    }

    /// So many bytes, which their checksum follows; `None` at the end of the file.
    fn checked(&mut self, len: u64) -> Result<Option<Vec<u8>>> {
        // Lengths of strangers are not believed: memory grows with what comes.
        let (mut bytes, whole) = (Vec::new(), len.saturating_add(4));
        let read = (&mut self.file).take(whole).read_to_end(&mut bytes);
        let read = read.map_err(|e| failed("read", &self.path, &e))? as u64;
        if read == 0 {
            return Ok(None);
        }
        if read != whole {
            return Err(self.damaged("is cut off"));
        }
        let sum = bytes.split_off(bytes.len() - 4);
        if sum != checksum(&bytes) {
            return Err(self.damaged("has another checksum"));
        }
        self.offset += whole;
        Ok(Some(bytes))
    }

    #[cold]
    fn damaged(&self, how: &str) -> Error {
        let (path, offset) = (self.path.display(), self.offset);
        err!(
            DataLoss,
            "the file {path} is damaged, or no file of records: what begins at byte {offset} {how}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(crc32c(b""), 0);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
    }
}
