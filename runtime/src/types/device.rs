//! Names of devices.

use std::fmt;
use std::sync::Arc;

use super::{Error, Result, bail, err};

/// A device, maybe partly named: job, replica, task, kind, number.
///
/// ```
/// use extype::types::Device;
/// let full: Device = "/job:localhost/replica:0/task:0/device:CPU:0".parse()?;
/// assert_eq!(full.to_string(), "/job:localhost/replica:0/task:0/device:CPU:0");
/// assert_eq!("/cpu:0".parse::<Device>()?, "CPU:0".parse()?);
/// let job: Device = "/job:worker/task:3".parse()?;
/// assert_eq!(full.merged_with(&job).to_string(), "/job:worker/replica:0/task:3/device:CPU:0");
/// assert!("/device:".parse::<Device>().is_err());
/// # Ok::<(), extype::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Device {
    /// The job: "localhost".
    pub job: Option<Arc<str>>,
    /// The number of the replica.
    pub replica: Option<u32>,
    /// The number of the task.
    pub task: Option<u32>,
    /// The kind in capitals: "CPU".
    pub kind: Option<Arc<str>>,
    /// The number among devices of the kind.
    pub index: Option<u32>,
}

/// Kinds that may be named without `device:` before them.
const SHORT: [&str; 3] = ["CPU", "GPU", "TPU"];

impl Device {
    /// This device, with the parts that `inner` names replaced, as in nested device scopes.
    ///
    /// ```
    /// use extype::types::Device;
    /// let outer: Device = "/job:worker/task:3/device:CPU:0".parse()?;
    /// let inner: Device = "/device:GPU:1".parse()?;
    /// assert_eq!(outer.merged_with(&inner).to_string(), "/job:worker/task:3/device:GPU:1");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[must_use]
    pub fn merged_with(&self, inner: &Device) -> Device {
        Device {
            job: inner.job.clone().or_else(|| self.job.clone()),
            replica: inner.replica.or(self.replica),
            task: inner.task.or(self.task),
            kind: inner.kind.clone().or_else(|| self.kind.clone()),
            index: inner.index.or(self.index),
        }
    }

    fn set_kind(&mut self, kind: &str, index: Option<&str>) -> Result<()> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if self.kind.is_some() {
            bail!("two kinds of device");
        }
        if !kind.starts_with(|c: char| c.is_ascii_alphabetic()) || !kind.chars().all(word) {
            bail!("`{kind}` is no kind of device, such as `CPU`");
        }
        self.kind = Some(kind.to_ascii_uppercase().into());
        if let Some(index) = index {
            set(&mut self.index, number(index)?, "number")?;
        }
        Ok(())
    }
}

fn set<T>(slot: &mut Option<T>, value: Option<T>, what: &str) -> Result<()> {
    if slot.is_some() {
        bail!("two values of `{what}`");
    }
    *slot = value;
    Ok(())
}

/// A number, or `*` for any.
fn number(text: &str) -> Result<Option<u32>> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text {
        "*" => Ok(None),
        _ if digits => {
            text.parse().map(Some).map_err(|_| err!("the number {text} is out of range"))
        }
        _ => bail!("`{text}` is no number"),
    }
}

impl std::str::FromStr for Device {
    type Err = Error;

    /// # Errors
    /// `InvalidArgument` with what is wrong.
    fn from_str(name: &str) -> Result<Device> {
        parse(name).map_err(|e| e.prefixed(format!("device name {name:?}")))
    }
}

fn parse(name: &str) -> Result<Device> {
    let mut device = Device::default();
    for part in name.strip_prefix('/').unwrap_or(name).split('/').filter(|_| !name.is_empty()) {
        let words: Vec<&str> = part.split(':').collect();
        match words[..] {
            ["job", job] if !job.is_empty() => set(&mut device.job, Some(job.into()), "job")?,
            ["replica", n] => set(&mut device.replica, number(n)?, "replica")?,
            ["task", n] => set(&mut device.task, number(n)?, "task")?,
            ["device", kind] => device.set_kind(kind, None)?,
            ["device", kind, n] => device.set_kind(kind, Some(n))?,
            [kind] if is_short(kind) => device.set_kind(kind, None)?,
            [kind, n] if is_short(kind) => device.set_kind(kind, Some(n))?,
            _ => bail!("`{part}` is none of `job:name`, `replica:0`, `task:0`, `device:CPU:0`"),
        }
    }
    Ok(device)
}

fn is_short(kind: &str) -> bool {
    SHORT.iter().any(|k| k.eq_ignore_ascii_case(kind))
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            write!(f, "/job:{job}")?;
        }
        if let Some(n) = self.replica {
            write!(f, "/replica:{n}")?;
        }
        if let Some(n) = self.task {
            write!(f, "/task:{n}")?;
        }
        match (&self.kind, self.index) {
            (Some(kind), Some(n)) => write!(f, "/device:{kind}:{n}"),
            (Some(kind), None) => write!(f, "/device:{kind}:*"),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ErrorKind;

    #[test]
    fn forms() -> Result<()> {
        for (name, full) in [
            ("", ""),
            ("/cpu:0", "/device:CPU:0"),
            ("CPU:0", "/device:CPU:0"),
            ("/device:cpu:1", "/device:CPU:1"),
            ("/device:XLA_CPU:*", "/device:XLA_CPU:*"),
            ("gpu", "/device:GPU:*"),
            ("/job:ps/task:2/device:GPU:7", "/job:ps/task:2/device:GPU:7"),
            ("/job:a/replica:0/task:*/cpu:0", "/job:a/replica:0/device:CPU:0"),
        ] {
            assert_eq!(name.parse::<Device>()?.to_string(), full, "{name}");
        }
        Ok(())
    }

    #[test]
    fn what_is_refused() {
        for (name, part) in [
            ("/", "is none of"),
            ("//cpu:0", "is none of"),
            ("/cpu:0/", "is none of"),
            ("/cpu:x", "no number"),
            ("/cpu:-1", "no number"),
            ("/cpu:", "no number"),
            ("/cpu:99999999999", "out of range"),
            ("/cpu:0/gpu:0", "two kinds"),
            ("/job:", "is none of"),
            ("/job:a/job:b", "two values of `job`"),
            ("/task:1/task:2", "two values of `task`"),
            ("/device:", "no kind"),
            ("/device:C P U:0", "no kind"),
            ("/device:CPU:0:1", "is none of"),
            ("/something:0", "is none of"),
        ] {
            let e = name.parse::<Device>().unwrap_err();
            assert_eq!(e.kind(), ErrorKind::InvalidArgument);
            assert!(e.to_string().contains(part), "{name}: {e}");
        }
    }
}
