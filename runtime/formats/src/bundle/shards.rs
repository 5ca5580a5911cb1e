//! The files with tensors.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

use super::index::Index;
use super::{CHUNK, data_path};
use crate::checksum::{crc32c_append, crc32c_combine};
use crate::error::shown;
use crate::{Error, Result};

/// How much a thread reads at least.
const PART: usize = 1 << 21;

/// The files with tensors.
pub(super) struct Shards {
    pub(super) prefix: PathBuf,
    pub(super) count: i32,
    pub(super) files: BTreeMap<i32, Shard>,
}

/// A file with tensors.
pub(super) struct Shard {
    pub(super) path: PathBuf,
    pub(super) file: File,
}

impl Shards {
    /// Opens all files that have bytes of tensors.
    pub(super) fn open(prefix: &Path, index: &Index) -> Result<Self> {
        let count = index.header.num_shards;
        let stored = index.entries.values().filter(|entry| entry.size > 0);
        let shards: BTreeSet<_> = stored.map(|entry| entry.shard_id).collect();
        let files = shards.into_iter().filter(|shard| (0..count).contains(shard)).map(|shard| {
            let path = data_path(prefix, shard, count);
            match File::open(&path) {
                Ok(file) => Ok((shard, Shard { path, file })),
                Err(e) => Err(Error::io("read", shown(&path), e)),
            }
        });
        Ok(Self { prefix: prefix.to_owned(), count, files: files.collect::<Result<_>>()? })
    }
}

impl Shard {
    /// Reads bytes, and returns their checksum. One thread checks less than the system's cache gives, so several read what is
    /// large.
    pub(super) fn read(&self, room: &mut [u8], offset: u64) -> io::Result<u32> {
        let part = room.len().div_ceil(threads()).max(PART);
        if room.len() <= part {
            return self.read_part(room, offset);
        }
        thread::scope(|scope| {
            let parts = room.chunks_mut(part).enumerate().map(|(i, room)| {
                let (len, offset) = (room.len(), offset + (i * part) as u64);
                let spawned = thread::Builder::new()
                    .spawn_scoped(scope, move || self.read_part(room, offset));
                spawned.map(|thread| (thread, len))
            });
            let parts: io::Result<Vec<_>> = parts.collect();
            parts?.into_iter().try_fold(0, |crc, (thread, len)| {
                let read = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                Ok(crc32c_combine(crc, read?, len))
            })
        })
    }

    fn read_part(&self, room: &mut [u8], mut offset: u64) -> io::Result<u32> {
        let mut crc = 0;
        for chunk in room.chunks_mut(CHUNK) {
            self.read_at(chunk, offset)?;
            crc = crc32c_append(crc, chunk);
            offset += chunk.len() as u64;
        }
        Ok(crc)
    }

    #[cfg(unix)]
    fn read_at(&self, room: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, room, offset)
    }

    #[cfg(not(unix))]
    fn read_at(&self, room: &mut [u8], offset: u64) -> io::Result<()> {
        use std::io::{Read as _, Seek as _};
        // The place in a file is one for all threads. A newer file may have the path.
        static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _one = ONE.lock();
        let mut file = &self.file;
        file.seek(io::SeekFrom::Start(offset))?;
        file.read_exact(room)
    }
}

/// How many threads read a large tensor.
fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from).min(4))
}
