//! The files with tensors.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use super::data_path;
use crate::checksum::{crc32c_append, crc32c_combine};
use crate::error::shown;
use crate::{Error, Result};

/// How much is read and checked at a time, so that it is checked while it is in the cache of the CPU.
const CHUNK: usize = 1 << 18;

/// How much a thread reads at least.
const PART: usize = 1 << 21;

/// The files with tensors, which are opened when they are needed.
pub(super) struct Shards {
    pub(super) prefix: PathBuf,
    pub(super) count: i32,
    files: Mutex<BTreeMap<i32, Arc<Shard>>>,
}

/// A file with tensors.
pub(super) struct Shard {
    pub(super) path: PathBuf,
    pub(super) file: File,
}

impl Shards {
    pub(super) fn new(prefix: PathBuf, count: i32) -> Self {
        Self { prefix, count, files: Mutex::default() }
    }

    pub(super) fn get(&self, shard: i32) -> Result<Arc<Shard>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shard) = files.get(&shard) {
            return Ok(shard.clone());
        }
        let path = data_path(&self.prefix, shard, self.count);
        let file = File::open(&path).map_err(|e| Error::io("read", shown(&path), e))?;
        let opened = Arc::new(Shard { path, file });
        files.insert(shard, opened.clone());
        Ok(opened)
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
        // A file of its own: others may read another place.
        let mut file = File::open(&self.path)?;
        file.seek(io::SeekFrom::Start(offset))?;
        file.read_exact(room)
    }
}

/// How many threads read a large tensor.
fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from).min(4))
}
