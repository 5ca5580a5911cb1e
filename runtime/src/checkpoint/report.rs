//! What a restore found.

use std::fmt;

use crate::types::{Result, TensorType, bail};

/// What a checkpoint and the objects of a program have in common. Objects are named by their paths, such as
/// `model/layers/0/kernel`.
///
/// ```
/// use extype::checkpoint::Checkpoint;
/// use extype::prelude::*;
/// # let prefix = std::env::temp_dir().join("extype-doc-report/ckpt");
/// let (kernel, bias) = (Variable::new([1.0f32, 2.0])?, Variable::new(0.5f32)?);
/// Checkpoint::default().with("kernel", &kernel).save(&prefix)?;
/// let found = Checkpoint::default().with("kernel", &kernel).with("bias", &bias).restore(&prefix)?;
/// assert_eq!((&found.matched[..], &found.missing[..]), (&["kernel".to_string()][..], &["bias".to_string()][..]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[must_use = "objects that are not found keep their values: `assert_existing` makes that an error"]
pub struct Restored {
    /// What has its value from the checkpoint.
    pub matched: Vec<String>,
    /// What gets its value once it is made.
    pub waiting: Vec<String>,
    /// What is in the program, and not in the checkpoint.
    pub missing: Vec<String>,
    /// What is in the checkpoint, and not in the program.
    pub unused: Vec<String>,
    /// What is of another dtype or shape in the checkpoint.
    pub misshapen: Vec<Misshapen>,
}

/// A variable that can't hold the value in the checkpoint.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Misshapen {
    /// The path of the object.
    pub path: String,
    /// What the variable can hold.
    pub expected: TensorType,
    /// What the checkpoint has.
    pub found: TensorType,
}

impl fmt::Display for Misshapen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}, and {} in the checkpoint", self.path, self.expected, self.found)
    }
}

/// How many names an error has.
const SHOWN: usize = 8;

/// Some of many, in one line.
pub(super) fn some(all: &[impl fmt::Display]) -> String {
    let shown: Vec<String> = all.iter().take(SHOWN).map(ToString::to_string).collect();
    let more =
        if all.len() > SHOWN { format!(" and {} more", all.len() - SHOWN) } else { String::new() };
    shown.join(", ") + &more
}

impl Restored {
    /// Fails unless everything in the program has its value from the checkpoint. The checkpoint may have more.
    ///
    /// TensorFlow: `assert_existing_objects_matched`.
    ///
    /// # Errors
    /// `NotFound`, with the paths.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let prefix = std::env::temp_dir().join("extype-doc-existing/ckpt");
    /// let (kernel, bias) = (Variable::new([1.0f32, 2.0])?, Variable::new(0.5f32)?);
    /// Checkpoint::default().with("kernel", &kernel).with("bias", &bias).save(&prefix)?;
    /// Checkpoint::default().with("bias", &bias).restore(&prefix)?.assert_existing()?;
    /// let e = Checkpoint::default().with("biases", &bias).restore(&prefix)?.assert_existing().unwrap_err();
    /// assert_eq!(e.message(), "not in the checkpoint: biases; it has, without a use: bias, kernel");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn assert_existing(&self) -> Result<()> {
        if self.missing.is_empty() {
            return Ok(());
        }
        let unused = match &self.unused[..] {
            [] => String::new(),
            unused => format!("; it has, without a use: {}", some(unused)),
        };
        bail!(NotFound, "not in the checkpoint: {}{unused}", some(&self.missing))
    }

    /// Fails unless the program and the checkpoint have the same objects.
    ///
    /// TensorFlow: `assert_consumed`.
    ///
    /// # Errors
    /// `NotFound`, with the paths.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let prefix = std::env::temp_dir().join("extype-doc-consumed/ckpt");
    /// let (kernel, bias) = (Variable::new([1.0f32, 2.0])?, Variable::new(0.5f32)?);
    /// Checkpoint::default().with("kernel", &kernel).with("bias", &bias).save(&prefix)?;
    /// let e = Checkpoint::default().with("bias", &bias).restore(&prefix)?.assert_consumed().unwrap_err();
    /// assert_eq!(e.message(), "in the checkpoint, and not in the program: kernel");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn assert_consumed(&self) -> Result<()> {
        self.assert_existing()?;
        match &self.unused[..] {
            [] => Ok(()),
            unused => {
                bail!(NotFound, "in the checkpoint, and not in the program: {}", some(unused))
            }
        }
    }
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [
            ("matched", &self.matched),
            ("waiting to be made", &self.waiting),
            ("not in the checkpoint", &self.missing),
            ("not in the program", &self.unused),
        ];
        for (what, paths) in lists {
            if !paths.is_empty() {
                writeln!(f, "{what}: {}", paths.join(", "))?;
            }
        }
        self.misshapen.iter().try_for_each(|m| writeln!(f, "{m}"))
    }
}
