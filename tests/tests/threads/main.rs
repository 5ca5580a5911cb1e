//! Threads that call, trace and evict at once. A target of its own, so that it is built quickly in release and under
//! ThreadSanitizer (`.ci/tsan`).

mod pool;
mod stress;
