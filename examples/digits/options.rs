//! What can be said on the command line.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail, ensure};

/// What `--help` prints.
pub(crate) const USAGE: &str = "\
Trains a network to read handwritten digits.

usage: digits [OPTION VALUE]…

  --epochs N    how often each image is seen (default 40)
  --batch N     images a step (32)
  --hidden N    units of the hidden layer (128)
  --rate X      the learning rate (0.001)
  --seed N      of the weights and the order of images (0)
  --curve PATH  where the learning curve goes, an SVG file (beside the program)";

/// What to train, and how.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) epochs: usize,
    pub(crate) batch: usize,
    pub(crate) hidden: usize,
    pub(crate) rate: f64,
    pub(crate) seed: i64,
    pub(crate) curve: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { epochs: 40, batch: 32, hidden: 128, rate: 1e-3, seed: 0, curve: None }
    }
}

impl Options {
    /// Reads the arguments; `None` if help is asked for.
    ///
    /// # Errors
    /// For an option that is not known, and values that are missing or out of range.
    pub(crate) fn read(args: impl IntoIterator<Item = OsString>) -> Result<Option<Self>> {
        let mut args = args.into_iter();
        let mut options = Self::default();
        while let Some(option) = args.next() {
            let option = option.to_string_lossy();
            if option == "--help" || option == "-h" {
                return Ok(None);
            }
            let mut value = || args.next().with_context(|| format!("{option} wants a value"));
            match &*option {
                "--epochs" => options.epochs = at_least_one(&option, value()?)?,
                "--batch" => options.batch = at_least_one(&option, value()?)?,
                "--hidden" => options.hidden = at_least_one(&option, value()?)?,
                "--rate" => options.rate = positive(&option, value()?)?,
                "--seed" => options.seed = parsed(&option, "a whole number", &value()?)?,
                "--curve" => options.curve = Some(value()?.into()),
                _ => bail!("there is no option `{option}`\n\n{USAGE}"),
            }
        }
        Ok(Some(options))
    }
}

fn parsed<T: FromStr>(option: &str, what: impl Display, value: &OsString) -> Result<T> {
    let number = value.to_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| anyhow!("{option}: `{}` is not {what}", value.display()))
}

fn at_least_one(option: &str, value: OsString) -> Result<usize> {
    let n = parsed(option, "a whole number", &value)?;
    ensure!(n > 0, "{option}: 0 is too few");
    Ok(n)
}

fn positive(option: &str, value: OsString) -> Result<f64> {
    let x: f64 = parsed(option, "a number", &value)?;
    ensure!(x > 0.0 && x.is_finite(), "{option}: {x} is not above zero and finite");
    Ok(x)
}
